// Bounds of the true distance: never wrong, and narrow. The truth is the exact shape, or brute force over
// triangles.
#include "support/oracles/mesh_distance.h"
#include "support/support.h"

#include "field/bounds/pyramid.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include <abut/bake.h>
#include <abut/surface.h>
#include <math.h>
#include <stdlib.h>

enum
{
    SHAPES = 5
};

static AbutShape* make_rotated(AbutShape* inner)
{
    AbutShape* shape = NULL;
    AbutPose pose = abut_pose_identity();
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 3.0f), 0.7f);
    test_assert_result(abut_shape_create_transformed(inner, &pose, NULL, &shape), ABUT_OK);
    abut_shape_destroy(inner);
    return shape;
}

/// Exact distances, smooth and creased, convex and not.
static AbutShape* make_shape(int kind)
{
    AbutShape* shape = NULL;
    switch (kind)
    {
    case 0:
        test_assert_result(abut_shape_create_sphere(0.5f, NULL, &shape), ABUT_OK);
        return shape;
    case 1:
        test_assert_result(abut_shape_create_torus(0.4f, 0.15f, NULL, &shape), ABUT_OK);
        return make_rotated(shape);
    case 2:
        test_assert_result(abut_shape_create_box(abut_vec3(0.8f, 0.6f, 0.5f), NULL, &shape), ABUT_OK);
        return shape;
    case 3:
        test_assert_result(abut_shape_create_box(abut_vec3(0.9f, 0.5f, 0.02f), NULL, &shape), ABUT_OK);
        return make_rotated(shape);
    default:
        test_assert_result(abut_shape_create_cylinder(0.3f, 0.8f, NULL, &shape), ABUT_OK);
        return make_rotated(shape);
    }
}

static AbutShape* bake(const AbutShape* shape, uint32_t resolution, int format, bool sparse)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = (AbutFieldFormat)format;
    def.sparse = sparse;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    return field;
}

/// Random points of a field: anywhere in and around it, near the surface, and on nodes, edges and faces of
/// its cells.
static AbutVec3 random_point(const AbutFieldInfo* info, const AbutShape* field, TestRandom* random, int i)
{
    double size = info->cell_size * info->cell_count[0];
    AbutVec3 p = test_random_point(random, i % 8 == 0 ? size : 0.5 * size);
    if (i % 2 == 0) // towards the surface, and a cell or two to either side of it
    {
        AbutVec3 g;
        float f = abut_shape_distance(field, p, &g);
        float to = f + (float)(test_random_unit(random) * 4.0 - 2.0) * (float)info->cell_size;
        p = abut_vec3(p.x - to * g.x, p.y - to * g.y, p.z - to * g.z);
    }
    if (i % 5 == 0)
    {
        double cell = info->cell_size * (i % 3 == 0 ? 8.0 : 1.0);
        p.x = (float)(info->origin.x + cell * round((p.x - info->origin.x) / cell));
        p.y = i % 10 == 0 ? (float)(info->origin.y + cell * round((p.y - info->origin.y) / cell)) : p.y;
    }
    return p;
}

static void check_contains(AbutDistanceBounds interval, float truth, const char* where)
{
    if (!(interval.low <= truth && truth <= interval.high))
    {
        fail_msg("%s: distance %.9g is not in [%.9g, %.9g]", where, (double)truth, (double)interval.low,
                 (double)interval.high);
    }
}

/// Mean width at points within two cells of the surface, in cells.
static double check_points(const AbutShape* shape, const AbutShape* field, int count, uint64_t seed)
{
    AbutFieldInfo info = abut_field_info(field);
    TestRandom random = { seed };
    double widths = 0.0;
    int near = 0;
    for (int i = 0; i < count; ++i)
    {
        AbutVec3 p = random_point(&info, field, &random, i);
        float truth = abut_shape_distance(shape, p, NULL);
        AbutDistanceBounds interval = abut_field_point_bounds(field, p);
        check_contains(interval, truth, "point");
        if (fabs((double)truth) <= 2.0 * info.cell_size)
        {
            double error = fabs((double)truth - (double)abut_shape_distance(field, p, NULL));
            assert_true(error <= (double)info.error_bound || fabs((double)truth) > info.cell_size);
            widths += (double)interval.high - (double)interval.low;
            near += 1;
        }
    }
    assert_true(near > count / 10);
    return widths / near / info.cell_size;
}

static void check_boxes(const AbutShape* shape, const AbutShape* field, int count, uint64_t seed)
{
    AbutFieldInfo info = abut_field_info(field);
    TestRandom random = { seed };
    for (int i = 0; i < count; ++i)
    {
        AbutVec3 p = random_point(&info, field, &random, i);
        double reach = info.cell_size * pow(2.0, test_random_unit(&random) * 8.0 - 4.0);
        AbutVec3 half = test_random_point(&random, reach);
        AbutVec3 size = abut_vec3(fabsf(half.x), fabsf(half.y), fabsf(half.z));
        AbutBox box = abut_box(abut_vec3_sub(p, size), abut_vec3_add(p, size));
        AbutDistanceBounds interval = abut_field_box_bounds(field, box);
        for (int k = 0; k < 10; ++k) // corners, the middle, and in between
        {
            float t = k < 8 ? 1.0f : (k == 8 ? 0.0f : 0.7f);
            AbutVec3 q = abut_vec3(k & 1 ? p.x + t * size.x : p.x - t * size.x,
                                   k & 2 ? p.y + t * size.y : p.y - t * size.y,
                                   k & 4 ? p.z + t * size.z : p.z - t * size.z);
            q = abut_vec3(fminf(fmaxf(q.x, box.min.x), box.max.x), fminf(fmaxf(q.y, box.min.y), box.max.y),
                          fminf(fmaxf(q.z, box.min.z), box.max.z));
            check_contains(interval, abut_shape_distance(shape, q, NULL), "box");
        }
    }
}

static void test_bounds_of_exact_shapes_are_never_wrong_and_narrow(void** state)
{
    (void)state;
    static const uint32_t resolutions[] = { 16, 33, 64, 128, 256 };
    int points = test_count("ABUT_TEST_POINTS", test_heavy_count(6000));
    for (int kind = 0; kind < SHAPES; ++kind)
    {
        AbutShape* shape = make_shape(kind);
        for (int k = 0; k < 5 * 6; ++k)
        {
            uint32_t resolution = resolutions[k / 6];
            bool chosen = resolution < 128 || k % 6 == kind || (resolution == 128 && k % 6 == (kind + 3) % 6);
            if (!chosen || (resolution == 256 && kind > (TEST_IS_SANITIZED ? -1 : 1)))
            {
                continue; // some of each suffice at this size
            }
            AbutShape* field = bake(shape, resolution, k % 3, k / 3 % 2 != 0);
            double width = check_points(shape, field, points, 100 + (uint64_t)k);
            check_boxes(shape, field, points / 20, 200 + (uint64_t)k);
            AbutFieldInfo info = abut_field_info(field);
            if (resolution >= 64 && kind != 3) // a plate thinner than a cell has creases everywhere
            {
                if (width > 0.3)
                {
                    fail_msg("shape %d at %u, format %d: mean width %g cells", kind, resolution, k % 3,
                             width);
                }
                // Halves are small, so what is proved of them weighs more.
                double share = (info.sparse ? 0.05 : 0.02) * (info.format == ABUT_FIELD_F16 ? 2.0 : 1.0);
                assert_true((double)info.bounds_bytes <= share * (double)info.bytes);
            }
            abut_shape_destroy(field);
        }
        abut_shape_destroy(shape);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

/// Signed distance of a closed mesh, by brute force: the sign is that of the exact shape it was made from
/// where that is clear, so that it does not come from the code under test.
typedef struct MeshTruth
{
    const AbutMesh* mesh;
    const AbutShape* solid;
    double doubt; // how far mesh and solid may be apart
} MeshTruth;

static bool mesh_distance(const MeshTruth* self, AbutVec3 p, float* out)
{
    float guess = abut_shape_distance(self->solid, p, NULL);
    const double at[3] = { p.x, p.y, p.z };
    double distance = test_mesh_distance(self->mesh, at);
    *out = (float)(guess < 0.0f ? -distance : distance);
    return fabs((double)guess) > self->doubt;
}

static void test_bounds_of_meshes_are_never_wrong_and_narrow(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind)
    {
        AbutShape* solid = make_shape(kind);
        AbutSurfaceDef surface = abut_surface_def();
        surface.resolution = 16;
        AbutMesh* mesh = NULL;
        test_assert_result(abut_surface_create(&surface, solid, &mesh), ABUT_OK);
        MeshTruth truth = { mesh, solid, 0.08 };
        for (int k = 0; k < 6; ++k)
        {
            AbutBakeDef def = abut_bake_def();
            def.resolution = k < 3 ? 96 : 40;
            def.format = (AbutFieldFormat)(k % 3);
            def.sparse = k % 2 != 0;
            AbutShape* field = NULL;
            test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
            AbutFieldInfo info = abut_field_info(field);
            TestRandom random = { 300 + (uint64_t)k };
            double widths = 0.0;
            int near = 0;
            for (int i = 0; i < TEST_ROUNDS(1500); ++i)
            {
                AbutVec3 p = random_point(&info, field, &random, i);
                AbutDistanceBounds interval = abut_field_point_bounds(field, p);
                float at;
                bool clear = mesh_distance(&truth, p, &at);
                if (clear)
                {
                    check_contains(interval, at, "mesh");
                }
                else // the size is known all the same
                {
                    assert_true(fabsf(at) >= fmaxf(interval.low, -interval.high) &&
                                fabsf(at) <= fmaxf(interval.high, -interval.low));
                }
                if (fabs((double)at) <= 2.0 * info.cell_size)
                {
                    widths += ((double)interval.high - (double)interval.low) / info.cell_size;
                    near += 1;
                }
            }
            print_message("mesh %d, case %d: mean width %.4f cells\n", kind, k, widths / near);
            assert_true(near > TEST_ROUNDS(150) && widths / near <= 0.3);
            abut_shape_destroy(field);
        }
        abut_mesh_destroy(mesh);
        abut_shape_destroy(solid);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Pieces
// -----------------------------------------------------------------------------------------------------------

static void test_packed_bounds_contain_what_was_packed(void** state)
{
    (void)state;
    TestRandom random = { 400 };
    for (int i = 0; i < 200000; ++i)
    {
        double cell = pow(10.0, test_random_unit(&random) * 12.0 - 6.0);
        double size = cell * pow(2.0, test_random_unit(&random) * 40.0 - 25.0);
        float low = (float)((test_random_unit(&random) * 2.0 - 1.0) * size);
        AbutFieldBounds bounds = { .low = low };
        bounds.high = low + (float)(test_random_unit(&random) * size);
        bounds.error = (float)(test_random_unit(&random) * size);
        bounds.slope = (float)(test_random_unit(&random) * 4.0);
        AbutFieldBounds back = abut_field_unpack_bounds(abut_field_pack_bounds(bounds, cell), cell);
        assert_true(back.low <= bounds.low && back.high >= bounds.high && back.error >= bounds.error &&
                    back.slope >= bounds.slope);
        assert_true((double)(bounds.low - back.low) <= 1.1e-3 * fabs((double)bounds.low) + 1e-7 * cell);
    }
    const AbutFieldBounds doubt = { -1.0f, 1.0f, INFINITY, 1.0f };
    assert_true(isinf(abut_field_unpack_bounds(abut_field_pack_bounds(doubt, 0.1), 0.1).error));
}

static void test_error_codes_are_upper_bounds(void** state)
{
    (void)state;
    for (int i = 0; i <= 2000; ++i)
    {
        float error = (float)i * 0.001f;
        uint8_t code = abut_field_error_code(error);
        assert_true(code == ABUT_ERROR_LEVELS || error <= abut_field_error_levels[code]);
        assert_true(code == 0 || error > abut_field_error_levels[code - 1]);
    }
    assert_int_equal(abut_field_error_code(INFINITY), ABUT_ERROR_LEVELS);
    assert_int_equal(abut_field_error_code(NAN), ABUT_ERROR_LEVELS);
}

/// Every entry of the pyramid contains those below it.
static void test_the_pyramid_is_nested(void** state)
{
    (void)state;
    AbutShape* shape = make_shape(1);
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutShape* field = bake(shape, 100, 0, sparse != 0);
        void* block = abut_field_of(field)->block;
        const AbutFieldHeader* h = block;
        for (uint32_t brick = 0; brick < h->brick_count[0] * h->brick_count[1] * h->brick_count[2]; ++brick)
        {
            AbutFieldBounds inner = abut_field_brick_bounds(block, brick);
            uint32_t at[3] = { brick % h->brick_count[0], brick / h->brick_count[0] % h->brick_count[1],
                               brick / h->brick_count[0] / h->brick_count[1] };
            for (uint32_t level = 1; level < h->level_count; ++level)
            {
                uint32_t count[3];
                const AbutPackedBounds* entries = abut_field_level(block, level, count);
                at[0] /= 2;
                at[1] /= 2;
                at[2] /= 2;
                AbutFieldBounds outer = abut_field_unpack_bounds(
                    entries[(at[2] * count[1] + at[1]) * count[0] + at[0]], h->cell_size);
                assert_true(outer.low <= inner.low && outer.high >= inner.high &&
                            outer.error >= inner.error && outer.slope >= inner.slope);
                inner = outer;
            }
        }
        abut_shape_destroy(field);
    }
    abut_shape_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_of_exact_shapes_are_never_wrong_and_narrow),
        cmocka_unit_test(test_bounds_of_meshes_are_never_wrong_and_narrow),
        cmocka_unit_test(test_packed_bounds_contain_what_was_packed),
        cmocka_unit_test(test_error_codes_are_upper_bounds),
        cmocka_unit_test(test_the_pyramid_is_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
