// Generators with random legal numbers: what they hand out is sound, and they hand out most of it.
#include "support/meshes/mesh_check.h"

#include <abut/models.h>
#include <math.h>

static uint32_t random_count(TestRandom* random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(test_random_unit(random) * (high - low + 1));
}

/// Evenly in the logarithm.
static float random_length(TestRandom* random, double low, double high)
{
    return (float)(low * pow(high / low, test_random_unit(random)));
}

/// How often the generator made something out of its random numbers.
typedef struct Tally
{
    const char* name;
    int64_t euler;
    int made, refused;
} Tally;

static void take(Tally* tally, AbutResult result, AbutMesh* mesh)
{
    if (result == ABUT_INVALID_ARGUMENT)
    {
        assert_null(mesh);
        tally->refused += 1;
        return;
    }
    test_assert_result(result, ABUT_OK);
    test_check_solid(mesh, tally->euler, tally->name);
    test_check_flat_faces(mesh, tally->name);
    uint64_t crossings = test_mesh_crossings(mesh);
    if (crossings != 0)
    {
        fail_msg("%s number %d: %llu crossings", tally->name, tally->made + tally->refused,
                 (unsigned long long)crossings);
    }
    abut_mesh_destroy(mesh);
    tally->made += 1;
}

static void check_share(const Tally* tally, double least)
{
    double share = (double)tally->made / (tally->made + tally->refused);
    if (share < least)
    {
        fail_msg("%s: %d made, %d refused", tally->name, tally->made, tally->refused);
    }
}

static void test_random_twisted_rings_are_sound(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    Tally tally = { .name = "twisted ring" };
    for (int i = 0; i < 120; ++i)
    {
        AbutTorusMeshDef def = abut_torus_mesh_def();
        def.minor_radius = random_length(&random, 0.01, 0.999);
        def.twist_corners = random_count(&random, 3, 8);
        def.twist_steps = (int32_t)random_count(&random, 0, 16) - 8;
        def.major_divisions = random_count(&random, 3, 24);
        def.minor_divisions = def.twist_corners * random_count(&random, 1, 4);
        AbutMesh* mesh = NULL;
        AbutResult result = abut_mesh_create_torus(&def, &mesh);
        take(&tally, result, mesh);
    }
    check_share(&tally, 0.4);
}

static void test_random_pipes_are_sound(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    Tally tally = { .name = "pipe" };
    for (int i = 0; i < 120; ++i)
    {
        AbutPipeMeshDef def = abut_pipe_mesh_def();
        def.inner_radius = random_length(&random, 0.05, 0.9);
        def.thickness = random_length(&random, 0.001, 0.5);
        float outer = def.inner_radius + def.thickness;
        def.coil_radius = outer * random_length(&random, 1.0001, 4.0);
        def.pitch = 2.0f * outer * random_length(&random, 1.001, 8.0);
        def.turns = random_length(&random, 0.1, 3.0);
        def.end_length = random_length(&random, 0.01, 3.0);
        def.section_divisions = random_count(&random, 3, 12);
        def.divisions_per_turn = random_count(&random, 8, 40);
        AbutMesh* mesh = NULL;
        AbutResult result = abut_mesh_create_pipe(&def, &mesh);
        take(&tally, result, mesh);
    }
    check_share(&tally, 0.5);
}

static void test_random_gears_are_sound(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    Tally tally = { .name = "gear" };
    for (int i = 0; i < 120; ++i)
    {
        AbutGearMeshDef def = abut_gear_mesh_def();
        def.teeth = random_count(&random, 4, i % 2 == 0 ? 16 : 80);
        def.module = random_length(&random, 0.01, 10.0);
        def.pressure_angle = (float)test_random_range(&random, 0.17, 0.53);
        def.width = def.module * random_length(&random, 0.1, 10.0);
        def.bore_radius = def.module * 0.5f * (float)(def.teeth - 3.5) * (float)test_random_unit(&random);
        def.backlash = def.module * (float)test_random_range(&random, 0.0, 0.2);
        def.flank_divisions = random_count(&random, 1, 12);
        def.bore_divisions = random_count(&random, 3, 100);
        AbutMesh* mesh = NULL;
        AbutResult result = abut_mesh_create_gear(&def, &mesh);
        take(&tally, result, mesh);
    }
    check_share(&tally, 0.6);
}

static void test_random_bolts_and_nuts_are_sound(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    Tally bolts = { .name = "bolt", .euler = 2 };
    Tally nuts = { .name = "nut" };
    for (int i = 0; i < 100; ++i)
    {
        AbutThreadMeshDef def = abut_thread_mesh_def();
        def.major_radius = random_length(&random, 0.1, 10.0);
        def.pitch = def.major_radius * random_length(&random, 0.05, 4.0);
        def.flank_angle = (float)test_random_range(&random, 0.05, 1.0);
        double deepest = fmin(0.49 * def.pitch / tan(def.flank_angle), 0.95 * def.major_radius);
        def.depth = random_length(&random, 0.02 * def.pitch, 0.999 * fmax(deepest, 0.021 * def.pitch));
        def.clearance = def.depth * (float)test_random_unit(&random);
        def.length = def.pitch * random_length(&random, 1.0, 8.0);
        def.length = i % 3 == 0 ? def.pitch * (float)random_count(&random, 4, 12) * 0.25f : def.length;
        def.head_radius = (def.major_radius + def.clearance) * random_length(&random, 1.18, 3.0);
        def.head_height = random_length(&random, 0.1, 10.0);
        def.divisions_per_turn = random_count(&random, 8, 40);
        def.left_handed = i % 2 == 0;
        AbutMesh* mesh = NULL;
        AbutResult result = abut_mesh_create_bolt(&def, &mesh);
        take(&bolts, result, mesh);
        mesh = NULL;
        result = abut_mesh_create_nut(&def, &mesh);
        take(&nuts, result, mesh);
    }
    check_share(&bolts, 0.95);
    check_share(&nuts, 0.95);
}

static void test_random_profiles_are_sound(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    Tally tally = { .name = "revolution", .euler = 2 };
    for (int i = 0; i < 100; ++i)
    {
        // Points at growing angles around a point on the axis: a profile that cannot cross itself.
        float profile[12][2];
        uint32_t count = random_count(&random, 3, 12);
        for (uint32_t k = 0; k < count; ++k)
        {
            double angle = 3.14159265358979 * (k / (count - 1.0) - 0.5);
            double far = test_random_range(&random, 0.1, 1.0);
            bool end = k == 0 || k + 1 == count;
            profile[k][0] = end ? 0.0f : (float)(far * cos(angle));
            profile[k][1] = (float)(far * sin(angle));
        }
        AbutMesh* mesh = NULL;
        AbutResult result = abut_mesh_create_revolution((const float(*)[2])profile, count,
                                                        random_count(&random, 3, 20), NULL, &mesh);
        take(&tally, result, mesh);
    }
    check_share(&tally, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_twisted_rings_are_sound),
        cmocka_unit_test(test_random_pipes_are_sound),
        cmocka_unit_test(test_random_gears_are_sound),
        cmocka_unit_test(test_random_bolts_and_nuts_are_sound),
        cmocka_unit_test(test_random_profiles_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
