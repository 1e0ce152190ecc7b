// Fields baked from exact shapes: sampling against an independent reader in double, accuracy, bounds, mass,
// hostile bytes.
#include "support/support.h"

#include "field/block.h"

#include <abut/bake.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static AbutShape* make_torus(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_torus(0.4f, 0.15f, NULL, &shape), ABUT_OK);
    return shape;
}

static AbutShape* make_rotated_box(void)
{
    AbutShape *box = NULL, *shape = NULL;
    AbutPose pose = abut_pose_identity();
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 3.0f), 0.7f);
    test_assert_result(abut_shape_create_box(abut_vec3(0.8f, 0.6f, 0.5f), NULL, &box), ABUT_OK);
    test_assert_result(abut_shape_create_transformed(box, &pose, NULL, &shape), ABUT_OK);
    abut_shape_destroy(box);
    return shape;
}

static AbutShape* make_sphere(void)
{
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_sphere(0.5f, NULL, &shape), ABUT_OK);
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
    assert_true(abut_shape_is_field(field));
    return field;
}

// -----------------------------------------------------------------------------------------------------------
// A reader of the block, written from its description
// -----------------------------------------------------------------------------------------------------------

static double half_value(uint16_t half)
{
    int exponent = (half >> 10) & 31, mantissa = half & 1023;
    double magnitude = exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

typedef struct OracleNode
{
    double f, g[3];
    double factor; // of the gradient
} OracleNode;

static OracleNode read_node(const AbutFieldHeader* h, size_t node, double cell)
{
    const char* nodes = (const char*)h + h->sections[ABUT_FIELD_NODES].offset;
    OracleNode out = { 0 };
    if (h->format == ABUT_FIELD_F32)
    {
        out.f = ((const float*)(const void*)nodes)[node];
        return out;
    }
    if (h->format == ABUT_FIELD_F16)
    {
        out.f = half_value(((const uint16_t*)(const void*)nodes)[node]) * cell;
        return out;
    }
    const uint32_t* words = (const uint32_t*)(const void*)nodes + 2 * node;
    const uint32_t codes[3] = { words[1], words[1] << 14, words[1] << 27 | (words[0] >> 1 & 0xFF) << 19 };
    float value;
    memcpy(&value, words, sizeof(value));
    out.f = (double)value * cell;
    out.factor = (words[0] & 1) != 0 ? 1.0 : 0.5;
    for (int i = 0; i < 3; ++i)
    {
        out.g[i] = (double)(int32_t)codes[i] / (2147483648.0 - 524288.0);
    }
    return out;
}

/// Value at a point inside of the box: Σ wᵢ fᵢ + (Σ wᵢ aᵢ) Σ wᵢ gᵢ·(x − xᵢ).
static double oracle_inside(const AbutFieldHeader* h, const double p[3])
{
    uint32_t brick[3], cell_in_brick[3];
    double fraction[3], cell = h->cell_size;
    for (int axis = 0; axis < 3; ++axis)
    {
        double cells = 8.0 * h->brick_count[axis];
        double u = (p[axis] - h->origin[axis]) / cell;
        double i = fmin(fmax(floor(u), 0.0), cells - 1.0);
        brick[axis] = (uint32_t)i / 8;
        cell_in_brick[axis] = (uint32_t)i % 8;
        fraction[axis] = u - i;
    }
    size_t first, row, slab;
    if (h->sparse == 0)
    {
        row = 8 * (size_t)h->brick_count[0] + 1;
        slab = row * (8 * (size_t)h->brick_count[1] + 1);
        first = (8 * brick[2] + cell_in_brick[2]) * slab + (8 * brick[1] + cell_in_brick[1]) * row +
                8 * brick[0] + cell_in_brick[0];
    }
    else
    {
        const uint32_t* slots =
            (const uint32_t*)(const void*)((const char*)h + h->sections[ABUT_FIELD_SLOTS].offset);
        uint32_t slot = slots[(brick[2] * h->brick_count[1] + brick[1]) * h->brick_count[0] + brick[0]];
        row = (size_t)h->brick_count[0] + 1;
        slab = row * (h->brick_count[1] + 1);
        first = brick[2] * slab + brick[1] * row + brick[0];
        if (slot != ABUT_FIELD_NO_SLOT)
        {
            first = slab * (h->brick_count[2] + 1) + (size_t)slot * 729 + cell_in_brick[2] * 81 +
                    cell_in_brick[1] * 9 + cell_in_brick[0];
            row = 9;
            slab = 81;
        }
        else
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                fraction[axis] = (fraction[axis] + cell_in_brick[axis]) / 8.0;
            }
            cell *= 8.0;
        }
    }
    double sum = 0.0, sum_of_offsets = 0.0, factor = 0.0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        const uint32_t c[3] = { corner & 1, corner >> 1 & 1, corner >> 2 };
        OracleNode node = read_node(h, first + c[0] + c[1] * row + c[2] * slab, cell);
        double weight = 1.0, offset = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            weight *= c[axis] != 0 ? fraction[axis] : 1.0 - fraction[axis];
            offset += node.g[axis] * cell * (fraction[axis] - c[axis]);
        }
        sum += weight * node.f;
        sum_of_offsets += weight * offset;
        factor += weight * node.factor;
    }
    return sum + factor * sum_of_offsets;
}

static double oracle_sample(const AbutFieldHeader* h, const double p[3])
{
    double inside[3], squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = h->origin[axis], high = low + h->cell_size * 8.0 * h->brick_count[axis];
        inside[axis] = fmin(fmax(p[axis], low), high);
        squared += (p[axis] - inside[axis]) * (p[axis] - inside[axis]);
    }
    double f = oracle_inside(h, inside);
    return squared == 0.0 ? f : (f >= 0.0 ? sqrt(squared + f * f) : f + sqrt(squared));
}

// -----------------------------------------------------------------------------------------------------------
// Tests
// -----------------------------------------------------------------------------------------------------------

static bool on_brick_face(const AbutFieldHeader* h, AbutVec3 p)
{
    const double c[3] = { p.x, p.y, p.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        double u = (c[axis] - h->origin[axis]) / (8.0 * h->cell_size);
        if (fabs(u - round(u)) < 1e-3)
        {
            return true;
        }
    }
    return false;
}

static void check_sampling(const AbutShape* field)
{
    size_t size;
    const AbutFieldHeader* h = abut_field_data(field, &size);
    TestRandom random = { 21 };
    double extent = h->cell_size * 8.0 * h->brick_count[0];
    double step = 1e-4 * h->cell_size;
    size_t gradients = 0;
    for (int i = 0; i < 20000; ++i)
    {
        AbutVec3 p = test_random_point(&random, i % 5 == 0 ? extent : 0.5 * extent);
        if (i % 7 == 0) // on nodes, edges and faces of cells, as far as floats go
        {
            p.x = (float)(h->origin[0] + h->cell_size * floor((p.x - h->origin[0]) / h->cell_size));
            p.y = i % 2 == 0
                      ? (float)(h->origin[1] + h->cell_size * floor((p.y - h->origin[1]) / h->cell_size))
                      : p.y;
        }
        if (h->sparse != 0 && on_brick_face(h, p))
        {
            continue; // a sparse field may jump from the coarse level to a stored brick
        }
        AbutVec3 g;
        float d = abut_shape_distance(field, p, &g);
        const double q[3] = { p.x, p.y, p.z };
        test_assert_near(d, oracle_sample(h, q), 2e-6 * extent);
        const float gradient[3] = { g.x, g.y, g.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            double a[3] = { q[0], q[1], q[2] }, b[3] = { q[0], q[1], q[2] };
            a[axis] += step;
            b[axis] -= step;
            double middle = oracle_sample(h, q);
            double ahead = (oracle_sample(h, a) - middle) / step,
                   behind = (middle - oracle_sample(h, b)) / step;
            if (fabs(ahead - behind) < 1e-3) // not across a face of a cell
            {
                test_assert_near(gradient[axis], 0.5 * (ahead + behind), 3e-3);
                gradients += 1;
            }
        }
    }
    assert_true(gradients > 30000);
}

static void test_samples_and_gradients_are_those_of_the_blend(void** state)
{
    (void)state;
    AbutShape* shapes[2] = { make_torus(), make_rotated_box() };
    for (int i = 0; i < 2; ++i)
    {
        for (int format = 0; format < ABUT_FIELD_FORMAT_COUNT; ++format)
        {
            for (int sparse = 0; sparse < 2; ++sparse)
            {
                AbutShape* field = bake(shapes[i], 40, (AbutFieldFormat)format, sparse != 0);
                check_sampling(field);
                abut_shape_destroy(field);
            }
        }
        abut_shape_destroy(shapes[i]);
    }
}

/// RMS error over points within two cells of the surface.
static double rms_error(const AbutShape* shape, const AbutShape* field)
{
    TestRandom random = { 22 };
    double cell = abut_field_info(field).cell_size, squares = 0.0;
    size_t count = 0;
    for (int i = 0; i < TEST_ROUNDS(400000); ++i)
    {
        AbutVec3 p = test_random_point(&random, 0.6);
        double truth = abut_shape_distance(shape, p, NULL);
        if (fabs(truth) < 2.0 * cell)
        {
            double error = truth - (double)abut_shape_distance(field, p, NULL);
            squares += error * error;
            count += 1;
        }
    }
    return sqrt(squares / (double)count);
}

static void test_order_0_converges_quadratically_and_order_1_cubically(void** state)
{
    (void)state;
    AbutShape* shapes[2] = { make_sphere(), make_torus() };
    for (int i = 0; i < 2; ++i)
    {
        double zero[3], one[2];
        for (int k = 0; k < 3; ++k)
        {
            AbutShape* field = bake(shapes[i], 32u << k, ABUT_FIELD_F32, false);
            zero[k] = rms_error(shapes[i], field);
            AbutFieldInfo info = abut_field_info(field);
            assert_true((double)info.measured_rms < 1.5 * zero[k] &&
                        (double)info.measured_rms > 0.5 * zero[k]);
            abut_shape_destroy(field);
        }
        for (int k = 0; k < 2; ++k) // finer, the halves' own rounding shows
        {
            AbutShape* field = bake(shapes[i], 12u << k, ABUT_FIELD_FIRST_ORDER, false);
            one[k] = rms_error(shapes[i], field);
            abut_shape_destroy(field);
        }
        print_message("order 0: %.3g %.3g %.3g, order 1: %.3g %.3g\n", zero[0], zero[1], zero[2], one[0],
                      one[1]);
        assert_true(zero[0] / zero[1] > 3.2 && zero[1] / zero[2] > 3.4);
        assert_true(one[0] / one[1] > 5.0);
        // At equal memory: eight bytes per node against four.
        AbutShape* field = bake(shapes[i], 51, ABUT_FIELD_FIRST_ORDER, false);
        double equal = rms_error(shapes[i], field);
        abut_shape_destroy(field);
        print_message("order 1 at the memory of order 0: %.3g, %.0f times better\n", equal, zero[1] / equal);
        assert_true(zero[1] / equal > 25.0);
        abut_shape_destroy(shapes[i]);
    }
}

static void test_sparse_fields_agree_with_dense_ones(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    for (int format = 0; format < ABUT_FIELD_FORMAT_COUNT; ++format)
    {
        AbutShape* dense = bake(shape, 160, (AbutFieldFormat)format, false);
        AbutShape* sparse = bake(shape, 160, (AbutFieldFormat)format, true);
        AbutFieldInfo info = abut_field_info(sparse);
        assert_true(info.stored_brick_count * 10 < info.brick_count * 7);
        TestRandom random = { 23 };
        for (int i = 0; i < TEST_ROUNDS(100000); ++i)
        {
            AbutVec3 p = test_random_point(&random, 0.55);
            double truth = abut_shape_distance(shape, p, NULL);
            float a = abut_shape_distance(dense, p, NULL), b = abut_shape_distance(sparse, p, NULL);
            if (fabs(truth) < 2.0 * info.cell_size)
            {
                assert_memory_equal(&a, &b, sizeof(float)); // near the surface they keep the same nodes
            }
            // The allowance is checked where the bake probed; between the probes it may be passed a little.
            test_assert_near(b, a, 0.1 * info.cell_size + 0.2 * fabs(truth));
        }
        abut_shape_destroy(dense);
        abut_shape_destroy(sparse);
    }
    abut_shape_destroy(shape);
}

static void test_bounds_contain_the_true_distance(void** state)
{
    (void)state;
    AbutShape* shapes[3] = { make_sphere(), make_torus(), make_rotated_box() };
    const uint32_t resolutions[] = { 16, 48 };
    const int rounds = test_heavy_count(30000);
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 12; ++k)
        {
            AbutShape* field = bake(shapes[i], resolutions[k % 2], (AbutFieldFormat)(k / 2 % 3), k >= 6);
            TestRandom random = { 24 };
            for (int n = 0; n < rounds; ++n)
            {
                AbutVec3 p = test_random_point(&random, n % 3 == 0 ? 1.5 : 0.6);
                float truth = abut_shape_distance(shapes[i], p, NULL);
                AbutDistanceBounds at_point = abut_field_point_bounds(field, p);
                AbutVec3 half = test_random_point(&random, 0.05);
                AbutVec3 size = abut_vec3(fabsf(half.x), fabsf(half.y), fabsf(half.z));
                AbutBox box = abut_box(abut_vec3_sub(p, size), abut_vec3_add(p, size));
                AbutDistanceBounds over_box = abut_field_box_bounds(field, box);
                AbutVec3 q = abut_vec3(p.x + half.x, p.y + half.y, p.z + half.z);
                float there = abut_shape_distance(shapes[i], q, NULL);
                if (!(at_point.low <= truth && truth <= at_point.high && over_box.low <= there &&
                      there <= over_box.high))
                {
                    fail_msg("distance %g outside of [%g, %g], or %g of [%g, %g]", (double)truth,
                             (double)at_point.low, (double)at_point.high, (double)there, (double)over_box.low,
                             (double)over_box.high);
                }
            }
            abut_shape_destroy(field);
        }
        abut_shape_destroy(shapes[i]);
    }
}

static void test_mass_is_that_of_the_solid(void** state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    AbutShape* shapes[3] = { make_sphere(), make_torus(), make_rotated_box() };
    const double volumes[3] = { 4.0 / 3.0 * pi * 0.125, 2.0 * pi * pi * 0.4 * 0.15 * 0.15, 0.8 * 0.6 * 0.5 };
    for (int i = 0; i < 3; ++i)
    {
        for (int sparse = 0; sparse < 2; ++sparse)
        {
            AbutShape* field = bake(shapes[i], 64, ABUT_FIELD_FIRST_ORDER, sparse != 0);
            AbutMassData mass = abut_field_info(field).mass;
            test_assert_near(mass.volume, volumes[i], 2e-3 * volumes[i]);
            for (int axis = 0; axis < 3; ++axis)
            {
                test_assert_near(mass.center[axis], 0.0, 1e-4);
            }
            double trace = mass.inertia[0][0] + mass.inertia[1][1] + mass.inertia[2][2];
            const double traces[3] = { 3.0 * 0.4 * 0.25 * volumes[0],
                                       volumes[1] * (0.16 + 0.75 * 0.0225 + 2.0 * (0.08 + 0.625 * 0.0225)),
                                       volumes[2] / 12.0 * 2.0 * (0.64 + 0.36 + 0.25) };
            test_assert_near(trace, traces[i], 5e-3 * traces[i]);
            abut_shape_destroy(field);
        }
        abut_shape_destroy(shapes[i]);
    }
}

static void test_damaged_blocks_are_refused(void** state)
{
    (void)state;
    AbutShape* shape = make_torus();
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutShape* field = bake(shape, 16, ABUT_FIELD_F16, sparse != 0);
        size_t size;
        const uint8_t* data = abut_field_data(field, &size);
        uint8_t* copy = malloc(size);
        assert_non_null(copy);
        AbutFieldDataDef def = abut_field_data_def();
        def.data = copy;
        AbutShape* again = NULL;
        for (size_t length = 0; length < size; length += length < 1024 ? 1 : 97)
        {
            memcpy(copy, data, length);
            def.size = length;
            test_assert_result(abut_field_create_from_data(&def, &again), ABUT_INVALID_DATA);
        }
        def.size = size;
        TestRandom random = { 25 };
        for (size_t i = 0; i < sizeof(AbutFieldHeader) + 2000; ++i)
        {
            size_t at = i < sizeof(AbutFieldHeader) ? i : test_random_bits(&random) % size;
            memcpy(copy, data, size);
            copy[at] ^= (uint8_t)(1u << test_random_bits(&random) % 8);
            def.skip_checksum = false;
            test_assert_result(abut_field_create_from_data(&def, &again), ABUT_INVALID_DATA);
            assert_null(again);
            // Without the checksum damage may pass, but nothing is read outside of the block.
            def.skip_checksum = true;
            if (abut_field_create_from_data(&def, &again) == ABUT_OK)
            {
                for (int k = 0; k < 50; ++k)
                {
                    abut_shape_distance(again, test_random_point(&random, 2.0), NULL);
                    abut_field_point_bounds(again, test_random_point(&random, 2.0));
                }
                abut_shape_destroy(again);
                again = NULL;
            }
        }
        memcpy(copy, data, size);
        def.skip_checksum = false;
        test_assert_result(abut_field_create_from_data(&def, &again), ABUT_OK);
        AbutVec3 p = abut_vec3(0.3f, 0.1f, -0.2f);
        assert_true(abut_shape_distance(again, p, NULL) == abut_shape_distance(field, p, NULL));
        abut_shape_destroy(again);
        abut_shape_destroy(field);
        free(copy);
    }
    abut_shape_destroy(shape);
}

static void test_nan_points_and_bad_defs_have_answers(void** state)
{
    (void)state;
    AbutShape *shape = make_torus(), *plane = NULL, *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 0;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_INVALID_ARGUMENT);
    def.resolution = 9000;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_INVALID_ARGUMENT);
    def.resolution = 4096;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_LIMIT_EXCEEDED);
    def.resolution = 64;
    def.cell_size = NAN;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_INVALID_ARGUMENT);
    def.cell_size = 1e-30f;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_INVALID_ARGUMENT);
    def.cell_size = 0.0f;
    def.memory_limit = 1000;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_LIMIT_EXCEEDED);
    assert_non_null(strstr(abut_last_error(), "1000"));
    test_assert_result(abut_shape_create_plane(abut_vec3(0, 1, 0), 0, NULL, &plane), ABUT_OK);
    def.memory_limit = 0;
    test_assert_result(abut_bake_shape(&def, plane, &field), ABUT_INVALID_ARGUMENT);
    def.box = abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1));
    test_assert_result(abut_bake_shape(&def, plane, &field), ABUT_OK);
    for (int i = 0; i < 3; ++i)
    {
        AbutVec3 p = abut_vec3(i == 0 ? NAN : 0.0f, i == 1 ? NAN : 0.5f, i == 2 ? NAN : 0.0f), g;
        assert_true(isnan(abut_shape_distance(field, p, &g)));
        assert_true(isnan(g.x) && isnan(g.y) && isnan(g.z));
    }
    test_assert_near(abut_shape_distance(field, abut_vec3(0.1f, 0.5f, 0.2f), NULL), 0.5, 1e-6);
    assert_true(abut_shape_distance(field, abut_vec3(INFINITY, 0.0f, 0.0f), NULL) == INFINITY);
    abut_shape_destroy(field);
    abut_shape_destroy(plane);
    abut_shape_destroy(shape);
}

static bool stop_at_half(void* user, float done)
{
    (void)user;
    return done < 0.3f;
}

static AbutResult bake_and_destroy(void* context, const AbutHost* host)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 16;
    def.sparse = *(bool*)context;
    def.host = host;
    AbutShape *shape = make_torus(), *field = NULL;
    AbutResult result = abut_bake_shape(&def, shape, &field);
    abut_shape_destroy(field);
    abut_shape_destroy(shape);
    return result;
}

static void test_bakes_can_be_cancelled_and_survive_every_failing_allocation(void** state)
{
    (void)state;
    AbutShape *shape = make_torus(), *field = NULL;
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        bool is_sparse = sparse != 0;
        AbutBakeDef def = abut_bake_def();
        def.resolution = 200;
        def.sparse = is_sparse;
        def.progress = stop_at_half;
        test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_CANCELLED);
        assert_null(field);
        test_fail_every_allocation(bake_and_destroy, &is_sparse);
    }
    abut_shape_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_and_gradients_are_those_of_the_blend),
        cmocka_unit_test(test_order_0_converges_quadratically_and_order_1_cubically),
        cmocka_unit_test(test_sparse_fields_agree_with_dense_ones),
        cmocka_unit_test(test_bounds_contain_the_true_distance),
        cmocka_unit_test(test_mass_is_that_of_the_solid),
        cmocka_unit_test(test_damaged_blocks_are_refused),
        cmocka_unit_test(test_nan_points_and_bad_defs_have_answers),
        cmocka_unit_test(test_bakes_can_be_cancelled_and_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
