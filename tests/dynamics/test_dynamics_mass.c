// Masses of bodies against integrals over a grid.
#include "support/worlds.h"

#include "dynamics/state/mass.h"
#include "dynamics/state/world.h"

#include <math.h>

enum
{
    CELLS = 80 // along each side of the bounds
};

static AbutMassData sampled_mass(const AbutShape* shape)
{
    AbutBox box = abut_shape_info(shape).bounds;
    AbutVec3 size = abut_box_extents(box);
    AbutMassData mass = { 0 };
    double cell = (double)size.x * (double)size.y * (double)size.z / (CELLS * CELLS * CELLS);
    for (int i = 0; i < CELLS * CELLS * CELLS; ++i)
    {
        const double at[3] = {
            (double)box.min.x + ((i % CELLS) + 0.5) / CELLS * (double)size.x,
            (double)box.min.y + ((i / CELLS % CELLS) + 0.5) / CELLS * (double)size.y,
            (double)box.min.z + ((i / CELLS / CELLS) + 0.5) / CELLS * (double)size.z,
        };
        if (abut_shape_distance(shape, abut_vec3((float)at[0], (float)at[1], (float)at[2]), NULL) < 0.0f)
        {
            mass.volume += cell;
            for (int k = 0; k < 3; ++k)
            {
                int y = (k + 1) % 3, z = (k + 2) % 3;
                mass.inertia[k][k] += cell * (at[y] * at[y] + at[z] * at[z]);
            }
        }
    }
    return mass;
}

static AbutShape* make_shape(int i)
{
    AbutShape *shape = NULL, *half = NULL;
    switch (i)
    {
    case 0:
        return test_make_sphere(0.3f);
    case 1:
        return test_make_box(0.3f, 0.5f, 0.8f);
    case 2:
        return test_make_torus(0.5f, 0.15f);
    case 3:
        test_assert_result(abut_shape_create_capsule(0.2f, 0.5f, NULL, &shape), ABUT_OK);
        return shape;
    case 4:
        test_assert_result(abut_shape_create_cylinder(0.2f, 0.7f, NULL, &shape), ABUT_OK);
        return shape;
    case 5:
        return test_bake(test_make_box(0.4f, 0.2f, 0.3f), 32);
    default:
        half = test_make_box(0.5f, 0.2f, 0.3f);
        test_assert_result(abut_shape_create_offset(half, 0.05f, NULL, &shape), ABUT_OK);
        abut_shape_destroy(half);
        return shape;
    }
}

static void test_masses_are_what_sums_over_a_grid_say(void** state)
{
    (void)state;
    for (int i = 0; i < 7; ++i)
    {
        AbutShape* shape = make_shape(i);
        AbutMassData mass, expected = sampled_mass(shape);
        test_assert_result(abut_shape_mass(shape, NULL, &mass), ABUT_OK);
        test_assert_near(mass.volume / expected.volume, 1.0, 0.01);
        for (int k = 0; k < 3; ++k)
        {
            test_assert_near(mass.center[k], 0.0, 1e-3);
            test_assert_near(mass.inertia[k][k] / expected.inertia[k][k], 1.0, 0.02);
            test_assert_near(mass.inertia[k][(k + 1) % 3], 0.0, 1e-3 * expected.inertia[k][k]);
        }
        abut_shape_destroy(shape);
    }
}

static void test_given_masses_and_scales_change_mass_and_inertia(void** state)
{
    (void)state;
    AbutWorld* world = test_make_world(NULL);
    AbutBodyDef def = abut_body_def();
    def.shape = test_make_box(1.0f, 1.0f, 1.0f);
    def.density = 3.0f;
    def.pose.scale = 2.0f;
    AbutBodyId dense, heavy;
    test_assert_result(abut_body_create(world, &def, &dense), ABUT_OK);
    def.mass = 5.0f;
    test_assert_result(abut_body_create(world, &def, &heavy), ABUT_OK);
    test_assert_near(abut_body_state(world, dense).mass, 24.0, 1e-9);
    test_assert_near(abut_body_state(world, heavy).mass, 5.0, 1e-9);
    test_assert_near(world->bodies[heavy.index - 1].inertia.m[1][1], 5.0 * 4.0 / 6.0, 1e-9);
    abut_shape_destroy(def.shape);
    abut_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masses_are_what_sums_over_a_grid_say),
        cmocka_unit_test(test_given_masses_and_scales_change_mass_and_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
