// Plates: every point of the surface in a box is behind the plate of the box, and plates are near the
// surface.
#include "support/shapes.h"
#include "support/support.h"

#include "field/bounds/surface_octree.h"
#include "field/field.h"

#include <abut/bake.h>
#include <math.h>

typedef struct Tally
{
    size_t count, known;
    double slack; // of the smallest boxes, in cells
    size_t slack_count;
} Tally;

/// The plate of part `corner` of a box: checks a point that is in the part, in cells.
static void check_child(const AbutOctreeBox* child, const uint8_t* group, uint32_t corner, const double at[3],
                        Tally* tally)
{
    double size = (double)abut_surface_octree_size(child->level), along = 0.0, length = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double normal = (group[8 * (size_t)axis + corner] - 128) / 127.0;
        along += normal * (at[axis] - (child->index[axis] + 0.5) * size);
        length += normal * normal;
    }
    double offset = (group[24 + corner] - 128) / 127.0 * size * 0.8660254037844386;
    if (along > offset + 1e-5)
    {
        fail_msg("a point is %g cells beyond the plate of a box of %g cells", along - offset, size);
    }
    tally->count += 1;
    tally->known += length > 0.5;
    if (child->level == 2 && length > 0.5)
    {
        tally->slack += offset - along;
        tally->slack_count += 1;
    }
}

/// Goes down to the smallest box with a plate that a point of the surface is in; every box on the way must
/// hold it.
static void check_point(const AbutSurfaceOctree* shell, const double at[3], Tally* tally)
{
    AbutOctreeBox box = { .level = shell->top };
    while (box.level > 2)
    {
        int16_t made[8];
        AbutSurfaceOctreeChildren children = abut_surface_octree_children(shell, &box, made);
        uint32_t corner = 0;
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            double middle = (box.index[axis] + 0.5) * (double)abut_surface_octree_size(box.level);
            corner |= at[axis] >= middle ? 1u << axis : 0u;
        }
        AbutOctreeBox child = abut_surface_octree_child(&box, corner);
        int limits[2];
        abut_surface_octree_limits(shell, child.level, limits);
        assert_in_range(children.numbers[corner] + 40000, limits[0] + 40000, limits[1] + 40000);
        if (children.half_spaces != NULL)
        {
            check_child(&child, children.half_spaces, corner, at, tally);
        }
        box = child;
    }
}

/// Points of the surface of an exact shape, by a step from wherever along the gradient.
static Tally check_shape(const AbutShape* shape, const AbutBakeDef* def, int point_count)
{
    AbutShape* field = NULL;
    test_assert_result(abut_bake_shape(def, shape, &field), ABUT_OK);
    const AbutFieldHeader* h = abut_field_of(field)->block;
    const AbutField* self = abut_field_of(field);
    AbutSurfaceOctree shell = abut_surface_octree_make(self->block, &self->octree, &self->half_spaces);
    AbutBox box = abut_shape_info(shape).bounds;
    AbutVec3 extents = abut_box_extents(box);
    Tally tally = { 0 };
    TestRandom random = { 61 };
    for (int i = 0; i < point_count; ++i)
    {
        AbutVec3 gradient, p;
        p.x = box.min.x + extents.x * (float)test_random_unit(&random);
        p.y = box.min.y + extents.y * (float)test_random_unit(&random);
        p.z = box.min.z + extents.z * (float)test_random_unit(&random);
        float distance = abut_shape_distance(shape, p, &gradient);
        p = abut_vec3_sub(p, abut_vec3_scale(gradient, distance));
        if (fabsf(abut_shape_distance(shape, p, NULL)) > 1e-6f)
        {
            continue; // where the gradient is not unique
        }
        const double at[3] = { ((double)p.x - h->origin[0]) / h->cell_size,
                               ((double)p.y - h->origin[1]) / h->cell_size,
                               ((double)p.z - h->origin[2]) / h->cell_size };
        check_point(&shell, at, &tally);
    }
    abut_shape_destroy(field);
    return tally;
}

static void test_surfaces_are_behind_their_plates(void** state)
{
    (void)state;
    AbutShape* const shapes[] = { test_make_sphere(0.5f), test_make_box(1.0f, 0.55f, 0.07f),
                                  test_make_torus(0.5f, 0.11f) };
    for (int i = 0; i < 3; ++i)
    {
        for (int kind = 0; kind < 6; ++kind)
        {
            AbutBakeDef def = abut_bake_def();
            def.resolution = kind < 3 ? 40 : 72;
            def.format =
                kind % 3 == 0 ? ABUT_FIELD_F32 : (kind % 3 == 1 ? ABUT_FIELD_F16 : ABUT_FIELD_FIRST_ORDER);
            def.sparse = kind >= 3;
            Tally tally = check_shape(shapes[i], &def, 4000);
            assert_true(tally.known * 10 > tally.count * 9);
            // Boxes of four cells, whose half diagonal is three and a half.
            assert_true(tally.slack / (double)tally.slack_count < 0.8);
        }
        abut_shape_destroy(shapes[i]);
    }
}

static void test_random_solids_are_behind_their_plates(void** state)
{
    (void)state;
    TestRandom random = { 62 };
    for (int i = 0; i < 6; ++i)
    {
        AbutShape* solid = test_make_random_solid(&random);
        AbutBakeDef def = abut_bake_def();
        def.resolution = 48;
        def.sparse = i % 2 == 1;
        Tally tally = check_shape(solid, &def, 4000);
        assert_true(tally.count > 1000);
        abut_shape_destroy(solid);
    }
}

/// A grid that ends in the solid: what is inside counts as surface, so that the end of the grid is not left
/// out.
static void test_solids_that_the_grid_cuts_are_behind_their_plates(void** state)
{
    (void)state;
    AbutShape *ball = test_make_sphere(1.0f), *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 32;
    def.box = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(1.5f, 0.5f, 0.5f));
    test_assert_result(abut_bake_shape(&def, ball, &field), ABUT_OK);
    const AbutFieldHeader* h = abut_field_of(field)->block;
    const AbutField* self = abut_field_of(field);
    AbutSurfaceOctree shell = abut_surface_octree_make(self->block, &self->octree, &self->half_spaces);
    assert_true(shell.inside_counts);
    Tally tally = { 0 };
    TestRandom random = { 63 };
    for (int i = 0; i < 2000; ++i)
    {
        double p[3] = { -0.5 };
        p[1] = test_random_range(&random, -0.49, 0.49);
        p[2] = test_random_range(&random, -0.49, 0.49);
        const double at[3] = { (p[0] - h->origin[0]) / h->cell_size, (p[1] - h->origin[1]) / h->cell_size,
                               (p[2] - h->origin[2]) / h->cell_size };
        check_point(&shell, at, &tally);
    }
    abut_shape_destroy(field);
    abut_shape_destroy(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces_are_behind_their_plates),
        cmocka_unit_test(test_random_solids_are_behind_their_plates),
        cmocka_unit_test(test_solids_that_the_grid_cuts_are_behind_their_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
