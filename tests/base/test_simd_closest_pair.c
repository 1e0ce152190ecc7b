// Gap kernels: the same bits from all instruction sets, and bounds against points in double.
#include "support/support.h"

#include "field/bounds/kernels.h"
#include "narrow/distance/kernels.h"

#include <math.h>
#include <string.h>

enum
{
    SIDE = 17, // nodes
    SETS = 4
};

static float random_float(TestRandom* random, double size)
{
    return (float)test_random_range(random, -size, size);
}

static void random_rotation(TestRandom* random, double m[3][3])
{
    abut_quat_to_matrix(test_random_rotation(random), m);
}

typedef struct Setup
{
    AbutClosestPairRotation rotation;
    AbutClosestPairBoxes boxes;
    AbutClosestPairChildren children;
    double m[3][3]; // from B's frame to A's
    int16_t numbers[8];
    uint8_t half_spaces[32];
} Setup;

static void make_rotation(Setup* self, float unit)
{
    for (int corner = 0; corner < 8; ++corner)
    {
        for (int row = 0; row < 3; ++row)
        {
            double to_a = 0.0, to_b = 0.0;
            for (int k = 0; k < 3; ++k)
            {
                double sign = (corner >> k & 1) != 0 ? 1.0 : -1.0;
                to_a += self->m[row][k] * sign;
                to_b += self->m[k][row] * sign;
            }
            float sign = (corner >> row & 1) != 0 ? 1.0f : -1.0f;
            self->rotation.corner[0][0][row][corner] = -sign;
            self->rotation.corner[0][1][row][corner] = (float)to_b;
            self->rotation.corner[1][0][row][corner] = unit * (float)to_a;
            self->rotation.corner[1][1][row][corner] = -unit * sign;
        }
    }
}

static void make(TestRandom* random, Setup* self)
{
    float unit = 0.5f + (float)test_random_unit(random);
    memset(self, 0, sizeof(*self));
    random_rotation(random, self->m);
    make_rotation(self, unit);
    for (int axis = 0; axis < 3; ++axis)
    {
        self->boxes.to_other[0][axis] = random_float(random, 30.0);
    }
    for (int row = 0; row < 3; ++row)
    {
        double displacement = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            displacement -= self->m[k][row] * (double)self->boxes.to_other[0][k];
        }
        self->boxes.to_other[1][row] = (float)displacement;
    }
    int side = (int)(test_random_bits(random) % 2);
    float size = (float)(1u << test_random_bits(random) % 4);
    for (int i = 0; i < 2; ++i)
    {
        AbutVec3 normal = test_random_direction(random);
        const float half_space[4] = { normal.x, normal.y, normal.z, random_float(random, 2.0) };
        memcpy(self->boxes.half_space[i], half_space, sizeof(half_space));
        self->boxes.half[i] = size * (i == 1 ? unit : 1.0f);
    }
    for (int i = 0; i < 32; ++i)
    {
        self->half_spaces[i] = (uint8_t)test_random_bits(random);
        self->numbers[i / 4] = (int16_t)(test_random_bits(random) % 200);
    }
    self->children =
        (AbutClosestPairChildren){ .side = side,
                                   .numbers = self->numbers,
                                   .limits = { -120, 120 },
                                   .half_spaces =
                                       test_random_bits(random) % 2 == 0 ? self->half_spaces : NULL,
                                   .half_space_unit = 0.01f,
                                   .step = 0.5f * size };
}

static size_t sets(AbutSimdSet out[SETS])
{
    size_t count = 0;
    for (int set = 0; set < ABUT_SIMD_SET_COUNT; ++set)
    {
        if (abut_simd_runs((AbutSimdSet)set))
        {
            out[count++] = (AbutSimdSet)set;
        }
    }
    return count;
}

static void test_divisions_have_the_same_bits_in_all_sets(void** state)
{
    (void)state;
    AbutSimdSet tables[SETS];
    size_t count = sets(tables);
    TestRandom random = { 71 };
    for (int rotation = 0; rotation < 2000; ++rotation)
    {
        Setup setup;
        make(&random, &setup);
        float low[SETS][8], least[SETS][8];
        unsigned open[SETS];
        for (size_t i = 0; i < count; ++i)
        {
            for (int k = 0; k < 8; ++k)
            {
                least[i][k] = INFINITY;
            }
            open[i] = abut_closest_pair_kernels_of(tables[i])->divide(
                &setup.rotation, &setup.boxes, &setup.children, 20.0f, low[i], least[i]);
            assert_int_equal(open[i], open[0]);
            assert_memory_equal(low[i], low[0], sizeof(low[0]));
            assert_memory_equal(least[i], least[0], sizeof(least[0]));
        }
    }
}

/// Points of a part that are behind its plate, and points of the other box behind its own: none may be nearer
/// than the bound.
static void check_bounds(TestRandom* random, const Setup* setup, const float low[8])
{
    int side = setup->children.side, other = 1 - side;
    for (int rotation = 0; rotation < 200; ++rotation)
    {
        uint32_t corner = (uint32_t)(test_random_bits(random) % 8);
        double d[2][3], support[2], displacement[3], squared = 0.0;
        for (int i = 0; i < 2; ++i)
        {
            double half = (double)setup->boxes.half[i] * (i == side ? 0.5 : 1.0);
            support[i] = 0.0;
            for (int axis = 0; axis < 3; ++axis)
            {
                d[i][axis] = test_random_range(random, -half, half);
                support[i] += d[i][axis] * (double)setup->boxes.half_space[i][axis];
            }
        }
        // The part's plate is that of the whole, seen from its middle.
        double moved = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            const float* corners = setup->rotation.corner[side][side][axis];
            moved += (double)(setup->boxes.half_space[side][axis] * setup->children.step * corners[corner]);
        }
        if (support[side] > (double)setup->boxes.half_space[side][3] + moved ||
            support[other] > (double)setup->boxes.half_space[other][3])
        {
            continue;
        }
        for (int row = 0; row < 3; ++row)
        {
            displacement[row] =
                (double)setup->boxes.to_other[0][row] +
                (double)(setup->children.step * setup->rotation.corner[side][0][row][corner]) - d[0][row];
            for (int k = 0; k < 3; ++k)
            {
                displacement[row] += setup->m[row][k] * d[1][k];
            }
            squared += displacement[row] * displacement[row];
        }
        if (setup->numbers[corner] <= 120 && sqrt(squared) < (double)low[corner] - 1e-4)
        {
            fail_msg("points are %g apart, the bound says %g", sqrt(squared), (double)low[corner]);
        }
    }
}

static void test_divisions_never_say_too_much(void** state)
{
    (void)state;
    TestRandom random = { 72 };
    for (int rotation = 0; rotation < 1000; ++rotation)
    {
        Setup setup;
        float low[8], least[8] = { 0 };
        make(&random, &setup);
        setup.children.half_spaces = NULL;
        abut_closest_pair_kernels()->divide(&setup.rotation, &setup.boxes, &setup.children, 1e9f, low, least);
        check_bounds(&random, &setup, low);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

/// Distances to a ball, in cells.
static void fill_ball(float* nodes, const double middle[3], double radius)
{
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i)
    {
        double x = i % SIDE - middle[0], y = i / SIDE % SIDE - middle[1], z = i / SIDE / SIDE - middle[2];
        nodes[i] = (float)(sqrt(x * x + y * y + z * z) - radius);
    }
}

static void test_nodes_say_how_far_a_ball_reaches(void** state)
{
    (void)state;
    static float nodes[SIDE * SIDE * SIDE];
    const double middle[3] = { 8.2, 7.7, 8.4 }, radius = 4.3;
    fill_ball(nodes, middle, radius);
    AbutFarNodes field = { .nodes = nodes,
                           .cells = { SIDE - 1, SIDE - 1, SIDE - 1 },
                           .bricks = { 2, 2, 2 },
                           .row = SIDE,
                           .slab = SIDE * SIDE,
                           .value_scale = 1.0f,
                           .relative_error = 1e-6f,
                           .inverse_slope = 1.0f };
    AbutSimdSet tables[SETS];
    size_t count = sets(tables);
    TestRandom random = { 73 };
    int sharper = 0; // balls around points than around nodes
    for (int rotation = 0; rotation < 5000; ++rotation)
    {
        AbutVec3 n = test_random_direction(&random), p = test_random_direction(&random);
        const float direction[3] = { n.x, n.y, n.z };
        double off = test_random_range(&random, -1.0, 1.0), along = 0.0;
        const float point[3] = { (float)(middle[0] + (radius + off) * (double)p.x),
                                 (float)(middle[1] + (radius + off) * (double)p.y),
                                 (float)(middle[2] + (radius + off) * (double)p.z) };
        // The point of the ball's surface next to it is within 1.
        along -= off * (double)abut_vec3_dot(p, n);
        float support = abut_far_node_kernels_of(tables[0])->support(&field, point, direction, 2.0f, 1.0f);
        float distance_bound = abut_far_node_kernels_of(tables[0])->distance_bound(&field, point),
              empty = abut_far_node_kernels_of(tables[0])->empty_radius(&field, point);
        assert_true((double)support >= along - 1e-4);
        assert_true((double)distance_bound <= fmax(0.0, off) + 1e-4);
        assert_true((double)empty <= fmax(0.0, off) + 1e-4);
        sharper += empty > distance_bound ? 1 : 0;
        for (size_t i = 1; i < count; ++i)
        {
            assert_true(abut_far_node_kernels_of(tables[i])->support(&field, point, direction, 2.0f, 1.0f) ==
                        support);
            assert_true(abut_far_node_kernels_of(tables[i])->distance_bound(&field, point) == distance_bound);
            assert_true(abut_far_node_kernels_of(tables[i])->empty_radius(&field, point) == empty);
        }
    }
    assert_true(sharper > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divisions_have_the_same_bits_in_all_sets),
        cmocka_unit_test(test_divisions_never_say_too_much),
        cmocka_unit_test(test_nodes_say_how_far_a_ball_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
