// Files of fields: what is written comes back bit for bit, compressed or not; a reader written from
// docs/field_format.md alone agrees; exports hold the nodes; distances of others come in.
#include "support/meshes/mesh_files.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AbutShape* make_torus(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_torus(0.4f, 0.15f, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* bake(const AbutShape* shape, uint32_t resolution, AbutFieldFormat format, bool sparse)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = format;
    def.sparse = sparse;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

static void assert_same_bytes(const AbutShape* a, const AbutShape* b)
{
    size_t size_a, size_b;
    const void *bytes_a = abut_field_data(a, &size_a), *bytes_b = abut_field_data(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
}

// -----------------------------------------------------------------------------------------------------------
// Fields
// -----------------------------------------------------------------------------------------------------------

static void test_fields_survive_a_round_trip(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    for (int k = 0; k < 12; ++k)
    {
        AbutShape *field = bake(shape, 40, (AbutFieldFormat)(k % 3), k / 3 % 2 != 0), *again = NULL;
        const char* path = test_temporary_path("round.abut");
        AbutFieldSaveDef def = abut_field_save_def();
        def.compress = k >= 6;
        AbutResult result = abut_field_save_with(&def, field, path);
        if (result != ABUT_UNSUPPORTED || !def.compress)
        {
            test_assert_result(result, ABUT_OK);
            test_assert_result(abut_field_load(path, NULL, &again), ABUT_OK);
            assert_same_bytes(field, again);
            size_t size, block;
            char* bytes = test_read_file(path, &size);
            abut_field_data(field, &block);
            assert_true(def.compress ? size < block * 9 / 10 : size == block);
            AbutShape* parsed = NULL;
            test_assert_result(abut_field_parse(bytes, size, "bytes", NULL, &parsed), ABUT_OK);
            assert_same_bytes(field, parsed);
            free(bytes);
            abut_shape_destroy(parsed);
        }
        abut_shape_destroy(again);
        abut_shape_destroy(field);
        unlink(path);
    }
    assert_int_equal(test_temporary_file_count(), 0);
    abut_shape_destroy(shape);
}

static void test_only_fields_are_saved(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    const char* path = test_temporary_path("torus.abut");
    test_assert_result(abut_field_save(shape, path), ABUT_INVALID_ARGUMENT);
    AbutVolumeSaveDef volume = abut_volume_save_def();
    test_assert_result(abut_volume_save(&volume, shape, test_temporary_path("torus.vti")),
                       ABUT_INVALID_ARGUMENT);
    AbutShape* field = bake(shape, 16, ABUT_FIELD_F32, false);
    AbutFieldSaveDef def = abut_field_save_def();
    def.compress = true;
    def.level = 0;
    test_assert_result(abut_field_save_with(&def, field, path), ABUT_INVALID_ARGUMENT);
    test_assert_result(abut_volume_save(&volume, field, test_temporary_path("torus.raw")), ABUT_UNSUPPORTED);
    test_assert_result(abut_volume_save(&volume, field, test_temporary_path("torus.sdf")), ABUT_UNSUPPORTED);
    assert_int_equal(test_temporary_file_count(), 0);
    abut_shape_destroy(field);
    abut_shape_destroy(shape);
}

static AbutResult save_and_load(void* context, const AbutHost* host)
{
    const char* path = test_temporary_path("failing.abut");
    AbutFieldSaveDef def = abut_field_save_def();
    def.compress = true;
    def.host = host;
    AbutResult result = abut_field_save_with(&def, context, path);
    AbutShape* again = NULL;
    result = result == ABUT_OK ? abut_field_load(path, host, &again) : result;
    abut_shape_destroy(again);
    unlink(path);
    return result;
}

static void test_every_failing_allocation_is_survived(void** state)
{
    (void)state;
    AbutShape *shape = make_torus(), *field = bake(shape, 16, ABUT_FIELD_F16, true);
    AbutHost host = abut_host_default();
    if (save_and_load(field, &host) == ABUT_OK)
    {
        test_fail_every_allocation(save_and_load, field);
    }
    assert_int_equal(test_temporary_file_count(), 0);
    abut_shape_destroy(field);
    abut_shape_destroy(shape);
}

// -----------------------------------------------------------------------------------------------------------
// A reader of order 0, from docs/field_format.md alone
// -----------------------------------------------------------------------------------------------------------

static uint64_t read_bytes(const char* bytes, size_t offset, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; ++i)
    {
        value |= (uint64_t)(unsigned char)bytes[offset + (size_t)i] << (8 * i);
    }
    return value;
}

static double read_f64(const char* bytes, size_t offset)
{
    uint64_t bits = read_bytes(bytes, offset, 8);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double read_f32(const char* bytes, size_t offset)
{
    uint32_t bits = (uint32_t)read_bytes(bytes, offset, 4);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

/// Distance at a node of the fine grid of a field of f32; false where no stored brick has the node as its
/// first corner's brick.
static bool documented_node(const char* file, const uint64_t at[3], double* out)
{
    const uint64_t bricks[3] = { read_bytes(file, 64, 4), read_bytes(file, 68, 4), read_bytes(file, 72, 4) };
    uint64_t nodes = read_bytes(file, 352, 8), slots = read_bytes(file, 368, 8);
    if (read_bytes(file, 80, 4) == 0)
    {
        uint64_t node = (at[2] * (8 * bricks[1] + 1) + at[1]) * (8 * bricks[0] + 1) + at[0];
        *out = read_f32(file, nodes + 4 * node);
        return true;
    }
    if (at[0] / 8 == bricks[0] || at[1] / 8 == bricks[1] || at[2] / 8 == bricks[2])
    {
        return false;
    }
    uint64_t brick = (at[2] / 8 * bricks[1] + at[1] / 8) * bricks[0] + at[0] / 8;
    uint64_t slot = read_bytes(file, slots + 4 * brick, 4);
    if (slot == 0xFFFFFFFF)
    {
        return false;
    }
    uint64_t coarse = (bricks[0] + 1) * (bricks[1] + 1) * (bricks[2] + 1);
    *out = read_f32(file, nodes + 4 * (coarse + slot * 729 + at[2] % 8 * 81 + at[1] % 8 * 9 + at[0] % 8));
    return true;
}

static void test_a_reader_from_the_documentation_finds_the_distances(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutShape* field = bake(shape, 64, ABUT_FIELD_F32, sparse != 0);
        const char* path = test_temporary_path("reader.abut");
        test_assert_result(abut_field_save(field, path), ABUT_OK);
        size_t size, found = 0;
        char* file = test_read_file(path, &size);
        assert_memory_equal(file, "abutfld", 8);
        assert_int_equal(read_bytes(file, 16, 8), size);
        uint64_t header_bytes = read_bytes(file, 12, 4);
        uint64_t checksum = read_bytes(file, 24, 8);
        memset(file + 24, 0, 8);
        uint64_t seed = abut_hash(file, header_bytes, 0);
        assert_int_equal(abut_hash(file + header_bytes, size - header_bytes, seed), checksum);
        double cell = read_f64(file, 56);
        const double origin[3] = { read_f64(file, 32), read_f64(file, 40), read_f64(file, 48) };
        TestRandom random = { 41 };
        for (int i = 0; i < 20000; ++i)
        {
            uint64_t at[3];
            double p[3], value;
            for (int axis = 0; axis < 3; ++axis)
            {
                at[axis] = test_random_bits(&random) % (8 * read_bytes(file, 64 + 4 * (size_t)axis, 4) + 1);
                p[axis] = origin[axis] + cell * (double)at[axis];
            }
            if (documented_node(file, at, &value))
            {
                double ring = hypot(p[0], p[2]) - 0.4;
                test_assert_near(value, hypot(ring, p[1]) - 0.15, 1e-6);
                found += 1;
            }
        }
        assert_true(found > 4000);
        free(file);
        unlink(path);
        abut_shape_destroy(field);
    }
    abut_shape_destroy(shape);
}

// -----------------------------------------------------------------------------------------------------------
// Volumes out
// -----------------------------------------------------------------------------------------------------------

static double torus_distance(double x, double y, double z)
{
    return hypot(hypot(x, z) - 0.4, y) - 0.15;
}

/// Every float from `data` on is the distance of its node, x fastest.
static void check_nodes(const char* data, const AbutFieldInfo* info, double tolerance)
{
    size_t i = 0;
    for (uint32_t z = 0; z <= info->cell_count[2]; ++z)
    {
        for (uint32_t y = 0; y <= info->cell_count[1]; ++y)
        {
            for (uint32_t x = 0; x <= info->cell_count[0]; ++x, ++i)
            {
                double h = info->cell_size,
                       truth = torus_distance(info->origin.x + h * x, info->origin.y + h * y,
                                              info->origin.z + h * z);
                double allowed = tolerance < 1e-3 ? tolerance : tolerance * h + 0.2 * fabs(truth);
                test_assert_near(read_f32(data, 4 * i), truth, allowed);
            }
        }
    }
}

static size_t node_total(const AbutFieldInfo* info)
{
    return ((size_t)info->cell_count[0] + 1) * (info->cell_count[1] + 1) * (info->cell_count[2] + 1);
}

static const char* find(const char* text, const char* phrase)
{
    const char* start = strstr(text, phrase);
    if (start == NULL)
    {
        fail_msg("no '%s' in: %.1000s", phrase, text);
        return NULL;
    }
    return start + strlen(phrase);
}

static void check_triple(const char* text, const char* before, const char* separators, double x, double y,
                         double z)
{
    const double expected[3] = { x, y, z };
    const char* at = find(text, before);
    for (int axis = 0; axis < 3; ++axis)
    {
        at += strspn(at, separators);
        double value;
        const char* after = abut_number_parse(at, at + strcspn(at, "\n"), &value);
        assert_non_null(after);
        assert_true(value == expected[axis]);
        at = after;
    }
}

static void check_vti(const char* file, size_t size, const AbutFieldInfo* info, double tolerance)
{
    find(file,
         "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">");
    check_triple(file, "Origin=\"", " ", info->origin.x, info->origin.y, info->origin.z);
    check_triple(file, "Spacing=\"", " ", info->cell_size, info->cell_size, info->cell_size);
    char extent[80];
    snprintf(extent, sizeof(extent), "Extent=\"0 %u 0 %u 0 %u\"", info->cell_count[0], info->cell_count[1],
             info->cell_count[2]);
    find(find(file, extent), extent); // of the whole, and of its one piece
    const char* data = find(file, "<AppendedData encoding=\"raw\">\n   _");
    assert_int_equal(read_bytes(data, 0, 8), 4 * node_total(info));
    check_nodes(data + 8, info, tolerance);
    assert_string_equal(data + 8 + 4 * node_total(info), "\n  </AppendedData>\n</VTKFile>\n");
    assert_true((size_t)(data - file) + 8 + 4 * node_total(info) < size);
}

static void check_nrrd(const char* file, size_t size, const AbutFieldInfo* info, double tolerance)
{
    assert_memory_equal(file, "NRRD0004\n", 9);
    find(file, "type: float\ndimension: 3\n");
    find(file, "encoding: raw\n");
    find(file, "endian: little\n");
    check_triple(file, "sizes: ", " ", info->cell_count[0] + 1, info->cell_count[1] + 1,
                 info->cell_count[2] + 1);
    check_triple(file, "space origin: ", "(,", info->origin.x, info->origin.y, info->origin.z);
    check_triple(file, "space directions: ", "(,", info->cell_size, 0.0, 0.0);
    const char* data = find(file, "\n\n");
    assert_int_equal((size_t)(data - file) + 4 * node_total(info), size);
    check_nodes(data, info, tolerance);
}

static void check_npy(const char* file, size_t size, const AbutFieldInfo* info, double tolerance)
{
    assert_memory_equal(file, "\x93NUMPY\x01\x00", 8);
    size_t start = 10 + read_bytes(file, 8, 2);
    assert_int_equal(start % 64, 0);
    assert_int_equal(file[start - 1], '\n');
    char expected[120];
    snprintf(expected, sizeof(expected), "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u, %u), }",
             info->cell_count[2] + 1, info->cell_count[1] + 1, info->cell_count[0] + 1);
    assert_memory_equal(file + 10, expected, strlen(expected));
    assert_int_equal(start + 4 * node_total(info), size);
    check_nodes(file + start, info, tolerance);
}

static void test_exports_hold_the_distances_of_all_nodes(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    setlocale(LC_ALL, "de_DE.UTF-8"); // a decimal comma, where the locale is installed
    for (int k = 0; k < 4; ++k)
    {
        AbutShape* field = NULL;
        AbutBakeDef bake_def = abut_bake_def();
        bake_def.resolution = 48;
        bake_def.format = k % 2 == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER;
        bake_def.sparse = k >= 2;
        bake_def.box = abut_box(abut_vec3(-0.7f, -0.3f, -0.6f), abut_vec3(0.6f, 0.3f, 0.3f));
        test_assert_result(abut_bake_shape(&bake_def, shape, &field), ABUT_OK);
        AbutFieldInfo info = abut_field_info(field);
        assert_true(info.cell_count[0] > info.cell_count[2] && info.cell_count[2] > info.cell_count[1]);
        // Halves keep eleven bits; where a sparse field stores no brick, it answers from its coarse level.
        double tolerance = k >= 2 ? 0.1 : k == 0 ? 1e-6 : 6e-4;
        static const char* const names[] = { "out.vti", "out.nrrd", "out.NPY" };
        for (int i = 0; i < 3; ++i)
        {
            const char* path = test_temporary_path(names[i]);
            AbutVolumeSaveDef def = abut_volume_save_def();
            test_assert_result(abut_volume_save(&def, field, path), ABUT_OK);
            size_t size;
            char* file = test_read_file(path, &size);
            (i == 0 ? check_vti : i == 1 ? check_nrrd : check_npy)(file, size, &info, tolerance);
            free(file);
            def.max_bytes = 4 * node_total(&info);
            test_assert_result(abut_volume_save(&def, field, path), ABUT_LIMIT_EXCEEDED);
            unlink(path);
        }
        abut_shape_destroy(field);
    }
    setlocale(LC_ALL, "C");
    assert_int_equal(test_temporary_file_count(), 0);
    abut_shape_destroy(shape);
}

static void test_nodes_are_read_as_they_are_stored(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    AbutShape *dense = bake(shape, 64, ABUT_FIELD_F32, false),
              *sparse = bake(shape, 64, ABUT_FIELD_F32, true);
    AbutFieldInfo info = abut_field_info(dense);
    size_t total = node_total(&info), size, stored = 0;
    float *a = malloc(total * sizeof(float)), *b = malloc(total * sizeof(float));
    assert_true(a != NULL && b != NULL);
    const uint32_t begin[3] = { 0 },
                   count[3] = { info.cell_count[0] + 1, info.cell_count[1] + 1, info.cell_count[2] + 1 };
    abut_field_read_nodes(dense, begin, count, a);
    abut_field_read_nodes(sparse, begin, count, b);
    const void* nodes = abut_field_nodes(dense, &size);
    assert_int_equal(size, total * sizeof(float));
    assert_memory_equal(nodes, a, size);
    for (size_t i = 0; i < total; ++i)
    {
        stored += memcmp(&a[i], &b[i], sizeof(float)) == 0 ? 1 : 0;
        // Near the surface every brick is stored, and keeps what the dense field keeps.
        assert_true(fabs((double)a[i]) > 2.0 * info.cell_size || memcmp(&a[i], &b[i], sizeof(float)) == 0);
    }
    assert_true(stored > total / 8 && stored < total);
    const uint32_t middle[3] = { 7, 8, 9 }, few[3] = { 5, 2, 1 };
    float phrase[10];
    abut_field_read_nodes(dense, middle, few, phrase);
    assert_memory_equal(phrase, a + ((size_t)9 * count[1] + 8) * count[0] + 7, 5 * sizeof(float));
    assert_memory_equal(phrase + 5, a + ((size_t)9 * count[1] + 9) * count[0] + 7, 5 * sizeof(float));
    free(a);
    free(b);
    abut_shape_destroy(dense);
    abut_shape_destroy(sparse);
    abut_shape_destroy(shape);
}

// -----------------------------------------------------------------------------------------------------------
// Volumes in
// -----------------------------------------------------------------------------------------------------------

static float sphere_value(uint32_t i, uint32_t j, uint32_t k)
{
    double x = -1.0 + 0.125 * i, y = -0.5 + 0.125 * j, z = -0.75 + 0.125 * k;
    return (float)(sqrt(x * x + y * y + z * z) - 0.4);
}

static void write_sdf(TestText* text)
{
    test_text_print(text, "17 9 12\n-1 -0.5 -0.75\n0.125\n");
    for (uint32_t k = 0; k < 12; ++k)
    {
        for (uint32_t j = 0; j < 9; ++j)
        {
            for (uint32_t i = 0; i < 17; ++i)
            {
                test_text_print(text, "%.9g\n", (double)sphere_value(i, j, k));
            }
        }
    }
}

static void test_distances_of_sdfgen_come_in_unchanged_and_unproved(void** state)
{
    (void)state;
    TestText text = { 0 };
    write_sdf(&text);
    const char* path = test_temporary_path("sphere.sdf");
    test_write_file(path, text.bytes, text.size);
    AbutParsedShape loaded;
    test_assert_result(abut_shape_parse(path, NULL, &loaded), ABUT_OK);
    assert_non_null(loaded.shape);
    AbutFieldInfo info = abut_field_info(loaded.shape);
    assert_true(info.cell_size == 0.125 && info.origin.x == -1.0 && info.origin.y == -0.5 &&
                info.origin.z == -0.75);
    assert_int_equal(info.cell_count[0], 16);
    assert_int_equal(info.cell_count[1], 8);
    assert_int_equal(info.cell_count[2], 16); // 11 rounded up
    for (uint32_t k = 0; k < 12; ++k)
    {
        for (uint32_t j = 0; j < 9; ++j)
        {
            float row[17];
            const uint32_t begin[3] = { 0, j, k }, count[3] = { 17, 1, 1 };
            abut_field_read_nodes(loaded.shape, begin, count, row);
            for (uint32_t i = 0; i < 17; ++i)
            {
                assert_true(row[i] == sphere_value(i, j, k));
            }
        }
    }
    // Behind the last node it answers as any field does outside of its box.
    float behind[1];
    const uint32_t at[3] = { 8, 4, 16 }, one[3] = { 1, 1, 1 };
    abut_field_read_nodes(loaded.shape, at, one, behind);
    double last = (double)sphere_value(8, 4, 11);
    test_assert_near(behind[0], sqrt(last * last + 0.625 * 0.625), 1e-6);
    AbutDistanceBounds bounds = abut_field_point_bounds(loaded.shape, abut_vec3(0.1f, 0.2f, 0.0f));
    assert_true(bounds.low == -INFINITY && bounds.high == INFINITY && !bounds.sign_uncertain);
    bounds = abut_field_box_bounds(loaded.shape,
                                   abut_box(abut_vec3(0.1f, 0.2f, 0.0f), abut_vec3(0.2f, 0.3f, 0.1f)));
    assert_true(bounds.low == -INFINITY && bounds.high == INFINITY && !bounds.sign_uncertain);
    assert_true(isinf(abut_shape_info(loaded.shape).error) && isinf(info.error_bound) &&
                isinf(info.measured_max));
    test_assert_near(info.mass.volume, 4.0 / 3.0 * 3.14159265 * 0.064, 0.02);
    AbutShape* again = NULL;
    const char* saved = test_temporary_path("sphere.abut");
    test_assert_result(abut_field_save(loaded.shape, saved), ABUT_OK);
    test_assert_result(abut_field_load(saved, NULL, &again), ABUT_OK);
    assert_same_bytes(loaded.shape, again);
    abut_shape_destroy(again);
    abut_shape_destroy(loaded.shape);
    unlink(saved);
    unlink(path);
    test_text_free(&text);
}

static void test_fields_baked_from_unproved_ones_prove_nothing_either(void** state)
{
    (void)state;
    TestText text = { 0 };
    write_sdf(&text);
    AbutVolumeLoadDef load = abut_volume_load_def();
    AbutShape *values = NULL, *field = NULL;
    test_assert_result(abut_volume_parse(&load, text.bytes, text.size, "sphere.sdf", &values), ABUT_OK);
    for (int k = 0; k < 6; ++k)
    {
        field = bake(values, 24, (AbutFieldFormat)(k % 3), k >= 3);
        AbutDistanceBounds bounds = abut_field_point_bounds(field, abut_vec3(0.1f, 0.2f, 0.0f));
        assert_true(bounds.low == -INFINITY && bounds.high == INFINITY && !bounds.sign_uncertain);
        assert_true(isinf(abut_shape_info(field).error));
        assert_true(isfinite(abut_field_info(field).measured_max)); // against the values
        abut_shape_destroy(field);
    }
    abut_shape_destroy(values);
    test_text_free(&text);
}

static void test_declared_errors_of_values_give_bounds(void** state)
{
    (void)state;
    TestText text = { 0 };
    write_sdf(&text);
    AbutVolumeLoadDef def = abut_volume_load_def();
    def.error = 1e-5f;
    AbutShape* field = NULL;
    test_assert_result(abut_volume_parse(&def, text.bytes, text.size, "sphere.sdf", &field), ABUT_OK);
    TestRandom random = { 42 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutVec3 p = test_random_point(&random, 0.5);
        double truth =
            sqrt((double)p.x * (double)p.x + (double)p.y * (double)p.y + (double)p.z * (double)p.z) - 0.4;
        AbutDistanceBounds bounds = abut_field_point_bounds(field, p);
        assert_true((double)bounds.low <= truth && truth <= (double)bounds.high);
        assert_true(bounds.high - bounds.low < 1.0f);
    }
    abut_shape_destroy(field);
    test_text_free(&text);
}

static void assert_refused(const char* text, AbutResult expected, const char* phrase)
{
    AbutVolumeLoadDef def = abut_volume_load_def();
    AbutShape* field = NULL;
    test_assert_result(abut_volume_parse(&def, text, strlen(text), "input", &field), expected);
    assert_null(field);
    if (strncmp(abut_last_error(), "input", 5) != 0 || strstr(abut_last_error(), phrase) == NULL)
    {
        fail_msg("%s: the message is '%s', without '%s'", text, abut_last_error(), phrase);
    }
}

static void test_bad_volumes_are_refused_with_the_line(void** state)
{
    (void)state;
    assert_refused("", ABUT_INVALID_DATA,
                   ":1: expected the number of nodes along x, found the end of the file");
    assert_refused("2 2 x and some more", ABUT_INVALID_DATA,
                   ":1: expected the number of nodes along z, found 'x'");
    assert_refused("2 2.5 2 and some more", ABUT_INVALID_DATA, ":1: the number of nodes is followed by");
    assert_refused("2 1 2 and more\n", ABUT_INVALID_DATA,
                   ":1: there are 1 nodes along y; it takes at least 2");
    assert_refused("2 -2 2 and more\n", ABUT_INVALID_DATA, "at least 2");
    assert_refused("100000 100000 100000\n0 0 0\n1\n0", ABUT_INVALID_DATA, "more nodes are announced");
    assert_refused("4294967298 2 2\n0 0 0\n1\n0", ABUT_INVALID_DATA, "more nodes are announced");
    const char* grid = "2 2 2\n0 0 0\n0.5\n1 1 1 1 1 1 1 1\n";
    AbutVolumeLoadDef def = abut_volume_load_def();
    AbutShape* field = NULL;
    test_assert_result(abut_volume_parse(&def, grid, strlen(grid), "input", &field), ABUT_OK);
    abut_shape_destroy(field);
    assert_refused("2 2 2\n0 0 nan\n0.5\n1 1 1 1 1 1 1 1\n", ABUT_INVALID_DATA, ":2: expected a coordinate");
    assert_refused("2 2 2\n0 0 0\n0\n1 1 1 1 1 1 1 1\n", ABUT_INVALID_DATA, ":3: the size of a cell is 0");
    assert_refused("2 2 2\n0 0 0\n-1\n1 1 1 1 1 1 1 1\n", ABUT_INVALID_DATA, ":3: the size of a cell is -1");
    assert_refused("2 2 2\n0 0 0\n1e300\n1 1 1 1 1 1 1 1\n", ABUT_INVALID_DATA, "less than 1e30");
    assert_refused("2 2 2\n0 0 0\n0.5\n1 1 1 1\n1 1 inf 1\n", ABUT_INVALID_DATA,
                   ":5: distance 7 of 8 is 'inf'");
    assert_refused("2 2 2\n0 0 0\n0.5\n1 1 1 1\n1 1 1e99 1\n", ABUT_INVALID_DATA, "too large for a float");
    assert_refused("2 2 2\n0 0 0\n0.5\n1 1 1 1 1 1 1\n", ABUT_INVALID_DATA, ":5: distance 8 of 8");
    assert_refused("2 2 2\n0 0 0\n0.5\n1 1 1 1 1 1 1 1 1\n", ABUT_INVALID_DATA,
                   ":4: there is something behind");
    def.max_bytes = 10;
    test_assert_result(abut_volume_parse(&def, grid, strlen(grid), "input", &field), ABUT_LIMIT_EXCEEDED);
    test_assert_result(abut_volume_load(&def, "missing.sdf", &field), ABUT_NOT_FOUND);
    test_assert_result(abut_volume_load(&def, "missing.vti", &field), ABUT_UNSUPPORTED);
}

static void test_every_cut_of_a_volume_is_refused(void** state)
{
    (void)state;
    TestText text = { 0 };
    write_sdf(&text);
    // The last number may lose digits and stay a number.
    for (size_t size = 0; size + 16 < text.size; ++size)
    {
        TestHost host;
        test_host_init(&host);
        AbutVolumeLoadDef def = abut_volume_load_def();
        def.host = &host.host;
        AbutShape* field = NULL;
        test_assert_result(abut_volume_parse(&def, text.bytes, size, "input", &field), ABUT_INVALID_DATA);
        assert_null(field);
        assert_int_equal(host.live_count, 0);
    }
    test_text_free(&text);
}

static AbutResult parse_volume(void* context, const AbutHost* host)
{
    const TestText* text = context;
    AbutVolumeLoadDef def = abut_volume_load_def();
    def.host = host;
    AbutShape* field = NULL;
    AbutResult result = abut_volume_parse(&def, text->bytes, text->size, "input", &field);
    abut_shape_destroy(field);
    return result;
}

static void test_volumes_survive_every_failing_allocation(void** state)
{
    (void)state;
    TestText text = { 0 };
    write_sdf(&text);
    test_fail_every_allocation(parse_volume, &text);
    test_text_free(&text);
}

static void test_values_that_are_no_grid_are_refused(void** state)
{
    (void)state;
    float values[8] = { 0 };
    AbutBakeValuesDef def = abut_bake_values_def();
    def.values = values;
    def.node_count[0] = def.node_count[1] = def.node_count[2] = 2;
    def.cell_size = 1.0;
    AbutShape* field = NULL;
    values[5] = NAN;
    test_assert_result(abut_bake_values(&def, &field), ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "number 5"));
    values[5] = 0.0f;
    def.cell_size = 0.0;
    test_assert_result(abut_bake_values(&def, &field), ABUT_INVALID_ARGUMENT);
    def.cell_size = 1.0;
    def.origin.y = INFINITY;
    test_assert_result(abut_bake_values(&def, &field), ABUT_INVALID_ARGUMENT);
    def.origin.y = 0.0;
    def.error = NAN;
    test_assert_result(abut_bake_values(&def, &field), ABUT_INVALID_ARGUMENT);
    def.error = 0.0f;
    test_assert_result(abut_bake_values(&def, &field), ABUT_INVALID_ARGUMENT);
    def.error = 1e-6f;
    def.memory_limit = 1000;
    test_assert_result(abut_bake_values(&def, &field), ABUT_LIMIT_EXCEEDED);
    def.memory_limit = 0;
    test_assert_result(abut_bake_values(&def, &field), ABUT_OK);
    abut_shape_destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_survive_a_round_trip),
        cmocka_unit_test(test_only_fields_are_saved),
        cmocka_unit_test(test_every_failing_allocation_is_survived),
        cmocka_unit_test(test_a_reader_from_the_documentation_finds_the_distances),
        cmocka_unit_test(test_exports_hold_the_distances_of_all_nodes),
        cmocka_unit_test(test_nodes_are_read_as_they_are_stored),
        cmocka_unit_test(test_distances_of_sdfgen_come_in_unchanged_and_unproved),
        cmocka_unit_test(test_fields_baked_from_unproved_ones_prove_nothing_either),
        cmocka_unit_test(test_declared_errors_of_values_give_bounds),
        cmocka_unit_test(test_bad_volumes_are_refused_with_the_line),
        cmocka_unit_test(test_every_cut_of_a_volume_is_refused),
        cmocka_unit_test(test_volumes_survive_every_failing_allocation),
        cmocka_unit_test(test_values_that_are_no_grid_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
