// The surface of known shapes against closed forms, and of random signs, which is the worst that can happen.
#include "support/meshes/mesh_check.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>

static AbutMesh* mesh_of(const AbutShape* shape, const AbutSurfaceDef* def)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_surface_create(def, shape, &mesh), ABUT_OK);
    return mesh;
}

static AbutMesh* mesh_at(const AbutShape* shape, uint32_t resolution)
{
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = resolution;
    return mesh_of(shape, &def);
}

// -----------------------------------------------------------------------------------------------------------
// Closed forms
// -----------------------------------------------------------------------------------------------------------

typedef double ExactFn(AbutVec3 p);

static double exact_sphere(AbutVec3 p)
{
    return sqrt((double)p.x * p.x + (double)p.y * p.y + (double)p.z * p.z) - 1.0;
}

static double exact_torus(AbutVec3 p)
{
    const double ring = sqrt((double)p.x * p.x + (double)p.z * p.z) - 1.0;
    return sqrt(ring * ring + (double)p.y * p.y) - 0.4f;
}

static double exact_box(AbutVec3 p)
{
    return fmax(fmax(fabs((double)p.x) - 0.75, fabs((double)p.y) - 0.5), fabs((double)p.z) - 0.25);
}

typedef struct KnownShape
{
    AbutShape* shape;
    ExactFn* exact; // largest coordinate distance is enough, on and near the surface
    double longest; // side of the bounds
    double volume, area;
    int64_t euler;
} KnownShape;

static void for_each_known(void (*check)(const KnownShape* known))
{
    const double pi = 3.14159265358979323846;
    const KnownShape list[] = {
        { test_make_sphere(1.0f), exact_sphere, 2.0, 4.0 / 3.0 * pi, 4.0 * pi, 2 },
        { test_make_torus(1.0f, 0.4f), exact_torus, 2.8, 2.0 * pi * pi * 0.16, 4.0 * pi * pi * 0.4, 0 },
        { test_make_box(1.5f, 1.0f, 0.5f), exact_box, 1.5, 0.75, 2.0 * (1.5 + 0.75 + 0.5), 2 },
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); ++i)
    {
        check(&list[i]);
        abut_shape_destroy(list[i].shape);
    }
}

static void check_vertices_and_topology(const KnownShape* known)
{
    for (uint32_t resolution = 2; resolution <= 100; resolution = resolution * 3 / 2)
    {
        AbutMesh* mesh = mesh_at(known->shape, resolution);
        test_check_manifold(mesh, "surface");
        const double cell = known->longest / resolution;
        for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
        {
            // Along the edge the guarantee is 1e-4 of a cell, and the slope is at most 1; a few roundings of
            // float come on top.
            test_assert_near(known->exact(abut_mesh_vertices(mesh)[i]), 0.0, 1e-4 * cell + 4e-7);
        }
        if (resolution >= 8)
        {
            assert_int_equal(test_mesh_euler(mesh), known->euler);
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_vertices_stand_on_the_surface(void** state)
{
    (void)state;
    for_each_known(check_vertices_and_topology);
}

/// Errors at three resolutions, each twice the one before, fall by about four each time.
static void check_convergence(const KnownShape* known)
{
    double volume_error[3], area_error[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        AbutMesh* mesh = mesh_at(known->shape, 24u << i);
        volume_error[i] = fabs(test_mesh_volume(mesh) - known->volume) / known->volume;
        area_error[i] = fabs(test_mesh_area(mesh) - known->area) / known->area;
        abut_mesh_destroy(mesh);
    }
    assert_true(volume_error[0] < 3e-2);
    for (int i = 1; i < 3; ++i)
    {
        assert_true(volume_error[i] < volume_error[i - 1] / 3.4);
        // A bevelled edge loses area in proportion to its length times the cell: first order, for the box
        // alone.
        assert_true(area_error[i] < area_error[i - 1] / (known->exact == exact_box ? 1.8 : 3.0));
    }
}

static void test_volume_and_area_converge(void** state)
{
    (void)state;
    for_each_known(check_convergence);
}

static void test_levels_are_offsets(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(1.0f);
    for (int i = -3; i <= 3; ++i)
    {
        AbutSurfaceDef def = abut_surface_def();
        def.iso = 0.25f * (float)i;
        AbutMesh* mesh = mesh_of(sphere, &def);
        test_check_manifold(mesh, "surface");
        const double radius = 1.0 + 0.25 * i;
        test_assert_near(test_mesh_volume(mesh), 4.18879 * radius * radius * radius, 0.02);
        abut_mesh_destroy(mesh);
    }
    AbutSurfaceDef def = abut_surface_def();
    def.iso = -1.5f;
    AbutMesh* mesh = mesh_of(sphere, &def);
    assert_int_equal(abut_mesh_vertex_count(mesh), 0);
    assert_int_equal(abut_mesh_triangle_count(mesh), 0);
    abut_mesh_destroy(mesh);
    abut_shape_destroy(sphere);
}

static void test_thin_shells_have_two_sides(void** state)
{
    (void)state;
    AbutShape *sphere = test_make_sphere(1.0f), *shell = NULL;
    for (int i = 1; i <= 10; ++i)
    {
        const float thickness = 0.02f * (float)i;
        test_assert_result(abut_shape_create_shell(sphere, thickness, NULL, &shell), ABUT_OK);
        AbutMesh* mesh = mesh_at(shell, 48);
        test_check_manifold(mesh, "surface");
        if (thickness > 0.09f) // two cells: no node of the wall is missed
        {
            assert_int_equal(test_mesh_euler(mesh), 4);
            test_assert_near(test_mesh_volume(mesh), 12.566 * (double)thickness, 0.02);
        }
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shell);
    }
    abut_shape_destroy(sphere);
}

// -----------------------------------------------------------------------------------------------------------
// Sides of the box
// -----------------------------------------------------------------------------------------------------------

static void assert_within(const AbutMesh* mesh, AbutBox box)
{
    const AbutBox bounds = abut_mesh_bounds(mesh);
    assert_true(bounds.min.x >= box.min.x && bounds.min.y >= box.min.y && bounds.min.z >= box.min.z);
    assert_true(bounds.max.x <= box.max.x && bounds.max.y <= box.max.y && bounds.max.z <= box.max.z);
}

static void test_half_spaces_are_closed_by_the_box(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int i = 0; i < 30; ++i)
    {
        AbutShape* plane = NULL;
        test_assert_result(abut_shape_create_plane(test_random_direction(&random), 0.0f, NULL, &plane),
                           ABUT_OK);
        AbutSurfaceDef def = abut_surface_def();
        def.resolution = 2 + (uint32_t)i;
        def.box = abut_box(abut_vec3(-1.0f, -0.7f, -0.37f), abut_vec3(1.0f, 0.7f, 0.37f));
        AbutMesh* mesh = mesh_of(plane, &def);
        test_check_manifold(mesh, "surface");
        assert_int_equal(test_mesh_euler(mesh), 2);
        assert_within(mesh, def.box);
        // Half of the box, less the bevel of 2.5e-5 of a cell at its edges.
        test_assert_near(test_mesh_volume(mesh), 0.5 * 2.0 * 1.4 * 0.74, 1e-3);
        abut_mesh_destroy(mesh);
        abut_shape_destroy(plane);
    }
}

static void test_a_box_of_solid_is_a_box(void** state)
{
    (void)state;
    AbutShape* sphere = test_make_sphere(10.0f);
    AbutSurfaceDef def = abut_surface_def();
    def.box = abut_box(abut_vec3(1.0f, 2.0f, 3.0f), abut_vec3(2.0f, 2.1f, 5.0f));
    for (def.resolution = 2; def.resolution < 50; def.resolution += 7)
    {
        AbutMesh* mesh = mesh_of(sphere, &def);
        test_check_manifold(mesh, "surface");
        test_assert_near(test_mesh_volume(mesh), 0.2, 1e-6);
        test_assert_near(test_mesh_area(mesh), 4.6, 2e-4);
        const AbutBox bounds = abut_mesh_bounds(mesh);
        assert_memory_equal(&bounds, &def.box, sizeof(bounds));
        // Every vertex is exactly on a side.
        for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
        {
            const AbutVec3 v = abut_mesh_vertices(mesh)[i];
            assert_true(v.x == 1.0f || v.x == 2.0f || v.y == 2.0f || v.y == 2.1f || v.z == 3.0f ||
                        v.z == 5.0f);
        }
        abut_mesh_destroy(mesh);
    }
    abut_shape_destroy(sphere);
}

// -----------------------------------------------------------------------------------------------------------
// Random signs
// -----------------------------------------------------------------------------------------------------------

/// Trilinear interpolation of random values at whole coordinates; `density` is the part that is inside.
typedef struct Noise
{
    uint64_t seed;
    double density;
} Noise;

static double noise_node(const Noise* noise, int x, int y, int z)
{
    const int32_t node[3] = { x, y, z };
    const uint64_t bits = abut_hash(node, sizeof(node), noise->seed);
    const double unit = (double)(bits >> 11) * 0x1p-53;
    if (bits % 16 == 0)
    {
        return 0.0; // exactly on the level
    }
    return unit - noise->density;
}

static void sample_noise(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const Noise* noise = user;
    for (size_t i = 0; i < count; ++i)
    {
        const float p[3] = { points.x[i], points.y[i], points.z[i] };
        int low[3];
        double fraction[3], sum = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            low[k] = (int)floorf(p[k]);
            fraction[k] = (double)p[k] - low[k];
        }
        for (int corner = 0; corner < 8; ++corner)
        {
            double weight = 1.0;
            int node[3];
            for (int k = 0; k < 3; ++k)
            {
                weight *= corner >> k & 1 ? fraction[k] : 1.0 - fraction[k];
                node[k] = low[k] + (corner >> k & 1);
            }
            sum += weight > 0.0 ? weight * noise_node(noise, node[0], node[1], node[2]) : 0.0;
        }
        out.distance[i] = (float)sum;
    }
}

static AbutShape* make_noise(Noise* noise)
{
    AbutCallbackDef def = abut_callback_def();
    def.function = sample_noise;
    def.user = noise;
    def.lipschitz = 4.0f;
    AbutShape* shape = NULL;
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK);
    return shape;
}

static void test_random_signs_make_a_manifold_without_crossings(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        Noise noise = { seed, 0.1 + 0.8 * (double)(seed % 9) / 8.0 };
        AbutShape* shape = make_noise(&noise);
        AbutSurfaceDef def = abut_surface_def();
        const float x = (float)(1 + seed % 20), y = (float)(1 + seed / 3 % 20), z = 20.0f;
        def.box = abut_box(abut_vec3(0.0f, -y, 0.0f), abut_vec3(x, 0.0f, z));
        def.cell_size = 1.0f;
        AbutMesh* mesh = mesh_of(shape, &def);
        assert_true(abut_mesh_triangle_count(mesh) > 0);
        test_check_manifold(mesh, "surface");
        assert_int_equal(test_mesh_crossings(mesh), 0);
        assert_within(mesh, def.box);
        abut_mesh_destroy(mesh);
        abut_shape_destroy(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices_stand_on_the_surface),
        cmocka_unit_test(test_volume_and_area_converge),
        cmocka_unit_test(test_levels_are_offsets),
        cmocka_unit_test(test_thin_shells_have_two_sides),
        cmocka_unit_test(test_half_spaces_are_closed_by_the_box),
        cmocka_unit_test(test_a_box_of_solid_is_a_box),
        cmocka_unit_test(test_random_signs_make_a_manifold_without_crossings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
