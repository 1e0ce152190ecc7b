// Floors: nowhere in a box is a field under the linear function that is kept for it, and near the surface it
// is not far over it.
#include "support/shapes.h"
#include "support/support.h"

#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include <abut/bake.h>
#include <math.h>

typedef struct Tally
{
    size_t count, known, near;
    double slack, most_slack; // of boxes that the surface is near to, in cells
} Tally;

/// The interpolant at a place of a stored brick, both in cells.
static double value_in(const AbutBrickNodes* nodes, const double at[3])
{
    int cell[3];
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        cell[axis] = at[axis] < 7.0 ? (int)at[axis] : 7;
    }
    for (int i = 0; i < 8; ++i)
    {
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            double fraction = at[axis] - cell[axis];
            weight *= (i >> axis & 1) != 0 ? fraction : 1.0 - fraction;
        }
        size_t node = ((size_t)(cell[2] + (i >> 2)) * 9 + (size_t)(cell[1] + (i >> 1 & 1))) * 9 +
                      (size_t)(cell[0] + (i & 1));
        sum += weight * (double)nodes->value[node];
    }
    return sum;
}

/// Reads a floor as docs/field_format.md says, and compares it with the field at points of its box.
static void check_floor(const AbutBrickNodes* nodes, const uint8_t* group, uint32_t fraction,
                        TestRandom* random, Tally* tally)
{
    const uint8_t* floor = group + 4 * (size_t)fraction;
    tally->count += 1;
    if (floor[3] == 0)
    {
        assert_true(floor[0] == 128 && floor[1] == 128 && floor[2] == 128);
        return;
    }
    tally->known += 1;
    for (int n = 0; n < 12; ++n)
    {
        double at[3], low = (floor[3] - 128) / 32.0;
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            // Also on faces, edges and corners.
            double off = fmin(fmax(5.0 * test_random_unit(random) - 2.5, -2.0), 2.0);
            at[axis] = 4.0 * (fraction >> axis & 1u) + 2.0 + off;
            low += (floor[axis] - 128) / 127.0 * off;
        }
        double value = value_in(nodes, at);
        if (value < low)
        {
            fail_msg("the field is %.9g and its floor %.9g", value, low);
        }
        if (fabs(value) < 1.0)
        {
            tally->near += 1;
            tally->slack += value - low;
            tally->most_slack = fmax(tally->most_slack, value - low);
        }
    }
}

static Tally check_field(const AbutShape* field)
{
    const AbutField* source = abut_field_of(field);
    const AbutFieldHeader* h = source->block;
    const uint32_t* slots = abut_field_section(source->block, ABUT_FIELD_SLOTS);
    TestRandom random = { 83 };
    Tally tally = { 0 };
    assert_non_null(source->lower_planes);
    for (uint32_t brick = 0; brick < h->brick_count[0] * h->brick_count[1] * h->brick_count[2]; ++brick)
    {
        uint32_t leaf = h->sparse != 0 ? slots[brick] : brick;
        if (leaf == ABUT_FIELD_NO_SLOT)
        {
            continue;
        }
        AbutBrickNodes nodes;
        abut_field_load_values(source->block, brick, &nodes);
        for (uint32_t fraction = 0; fraction < 8; ++fraction)
        {
            check_floor(&nodes, source->lower_planes + 32 * (size_t)leaf, fraction, &random, &tally);
        }
    }
    return tally;
}

static AbutBakeDef bake_def(int kind)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = kind < 2 ? 40 : 64;
    def.format = kind % 2 == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_F16;
    def.sparse = kind >= 2;
    return def;
}

static void test_fields_are_nowhere_under_their_lower_planes(void** state)
{
    (void)state;
    AbutShape* const shapes[] = { test_make_sphere(0.5f), test_make_box(1.0f, 0.55f, 0.07f),
                                  test_make_torus(0.5f, 0.11f) };
    for (int i = 0; i < 3; ++i)
    {
        for (int kind = 0; kind < 4; ++kind)
        {
            AbutBakeDef def = bake_def(kind);
            AbutShape* field = NULL;
            test_assert_result(abut_bake_shape(&def, shapes[i], &field), ABUT_OK);
            Tally tally = check_field(field);
            assert_true(tally.near > 300);
            // A box of 4 cells has a diagonal of 7; the sphere has a radius of 20 cells and more, the others
            // have edges.
            assert_true(tally.slack / (double)tally.near < (i == 0 ? 0.2 : 0.7));
            abut_shape_destroy(field);
        }
        abut_shape_destroy(shapes[i]);
    }
}

static void test_lower_planes_of_a_plane_are_off_by_their_bytes_alone(void** state)
{
    (void)state;
    // Far from the edges of the box the distance is that of a plane.
    AbutShape *box = test_make_box(1.0f, 1.0f, 1.0f), *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 64;
    def.box = (AbutBox){ { -0.2f, -0.2f, 0.3f }, { 0.2f, 0.2f, 0.7f } };
    test_assert_result(abut_bake_shape(&def, box, &field), ABUT_OK);
    Tally tally = check_field(field);
    assert_true(tally.near > 1000);
    assert_true(tally.most_slack < 1.0 / 32.0 + 1e-3);
    abut_shape_destroy(field);
    abut_shape_destroy(box);
}

static void test_deep_boxes_and_other_fields_have_none(void** state)
{
    (void)state;
    AbutShape *sphere = test_make_sphere(0.5f), *field = NULL;
    AbutBakeDef def = abut_bake_def();
    test_assert_result(abut_bake_shape(&def, sphere, &field), ABUT_OK);
    Tally tally = check_field(field);
    assert_true(tally.known < tally.count); // deep inside nothing is known, outside everything is
    assert_true(tally.known * 2 > tally.count);
    abut_shape_destroy(field);
    def.without_octree = true;
    test_assert_result(abut_bake_shape(&def, sphere, &field), ABUT_OK);
    assert_null(abut_field_of(field)->lower_planes);
    abut_shape_destroy(field);
    def = abut_bake_def();
    def.format = ABUT_FIELD_FIRST_ORDER;
    test_assert_result(abut_bake_shape(&def, sphere, &field), ABUT_OK);
    assert_null(abut_field_of(field)->lower_planes);
    abut_shape_destroy(field);
    abut_shape_destroy(sphere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_are_nowhere_under_their_lower_planes),
        cmocka_unit_test(test_lower_planes_of_a_plane_are_off_by_their_bytes_alone),
        cmocka_unit_test(test_deep_boxes_and_other_fields_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
