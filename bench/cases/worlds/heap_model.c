// Forms of the bodies of bench heap, and the poses that they fall from.
#include "heap_cases.h"
#include "scenes/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    LAYERS = 8
};

static AbutVec3 sub(AbutVec3 a, AbutVec3 b)
{
    return abut_vec3_sub(a, b);
}

/// Volume of the tetrahedron of four points, times six.
static double six_volumes(AbutVec3 a, AbutVec3 b, AbutVec3 c, AbutVec3 d)
{
    return (double)abut_vec3_dot(abut_vec3_cross(sub(b, a), sub(c, a)), sub(d, a));
}

/// Triangles with all points on one side: brute force over the triples, for points in general position.
static uint32_t find_faces(HeapForms* forms)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < HEAP_HULL_POINTS; ++i)
    {
        for (uint32_t j = i + 1; j < HEAP_HULL_POINTS; ++j)
        {
            for (uint32_t k = j + 1; k < HEAP_HULL_POINTS; ++k)
            {
                uint32_t above = 0, below = 0;
                for (uint32_t l = 0; l < HEAP_HULL_POINTS; ++l)
                {
                    double v = l == i || l == j || l == k ? 0.0
                                                          : six_volumes(forms->points[i], forms->points[j],
                                                                        forms->points[k], forms->points[l]);
                    above += v > 0.0 ? 1u : 0u;
                    below += v < 0.0 ? 1u : 0u;
                }
                if ((above == 0 || below == 0) && count < HEAP_HULL_FACES)
                {
                    const uint32_t face[3] = { i, above == 0 ? j : k, above == 0 ? k : j };
                    memcpy(forms->faces[count++], face, sizeof(face));
                }
            }
        }
    }
    return count;
}

/// Points of an ellipsoid, moved so that the centre of mass of their hull is the origin.
static AbutResult make_hull(HeapForms* forms)
{
    const double radii[3] = { 0.07, 0.055, 0.045 };
    SceneRandom random = { 11 };
    for (uint32_t i = 0; i < HEAP_HULL_POINTS; ++i)
    {
        Double3 at = scene_random_direction(&random);
        forms->points[i] =
            abut_vec3((float)(radii[0] * at.x), (float)(radii[1] * at.y), (float)(radii[2] * at.z));
    }
    AbutMesh* mesh = NULL;
    AbutMeshDef def = abut_mesh_def();
    def.vertices = forms->points;
    def.vertex_count = HEAP_HULL_POINTS;
    def.indices = forms->faces[0];
    def.triangle_count = find_faces(forms);
    AbutResult result = def.triangle_count == HEAP_HULL_FACES
                            ? abut_mesh_create(&def, &mesh)
                            : abut_fail(ABUT_INVALID_ARGUMENT, "points of the hull are in one plane");
    if (result == ABUT_OK)
    {
        AbutMassData mass = abut_mesh_mass(mesh);
        AbutVec3 center = abut_vec3((float)mass.center[0], (float)mass.center[1], (float)mass.center[2]);
        for (uint32_t i = 0; i < HEAP_HULL_POINTS; ++i)
        {
            forms->points[i] = sub(forms->points[i], center);
        }
        forms->mass[HEAP_HULL] = mass;
    }
    abut_mesh_destroy(mesh);
    return result;
}

static AbutMassData box_mass(AbutVec3 extents)
{
    double x = (double)extents.x, y = (double)extents.y, z = (double)extents.z, volume = x * y * z;
    AbutMassData mass = { .volume = volume };
    mass.inertia[0][0] = volume * (y * y + z * z) / 12.0;
    mass.inertia[1][1] = volume * (z * z + x * x) / 12.0;
    mass.inertia[2][2] = volume * (x * x + y * y) / 12.0;
    return mass;
}

/// A cylinder and two half balls, along y.
static AbutMassData capsule_mass(double radius, double length)
{
    const double pi = 3.14159265358979323846;
    double square = radius * radius, tube = pi * square * length, ball = 4.0 / 3.0 * pi * square * radius;
    AbutMassData mass = { .volume = tube + ball };
    mass.inertia[1][1] = 0.5 * tube * square + 0.4 * ball * square;
    mass.inertia[0][0] = tube * (length * length / 12.0 + square / 4.0) +
                         ball * (0.4 * square + length * length / 4.0 + 3.0 / 8.0 * length * radius);
    mass.inertia[2][2] = mass.inertia[0][0];
    return mass;
}

bool heap_forms_create(HeapForms* out)
{
    *out = (HeapForms){ .box = { 0.12f, 0.1f, 0.08f }, .radius = 0.035f, .length = 0.07f };
    AbutResult result = make_hull(out);
    out->mass[HEAP_BOX] = box_mass(out->box);
    out->mass[HEAP_CAPSULE] = capsule_mass((double)out->radius, (double)out->length);
    result = result == ABUT_OK ? abut_shape_create_box(out->box, NULL, &out->shapes[HEAP_BOX]) : result;
    result = result == ABUT_OK
                 ? abut_shape_create_capsule(out->radius, out->length, NULL, &out->shapes[HEAP_CAPSULE])
                 : result;
    result = result == ABUT_OK
                 ? abut_shape_create_convex(out->points, HEAP_HULL_POINTS, NULL, &out->shapes[HEAP_HULL])
                 : result;
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench heap: %s\n", abut_last_error());
        heap_forms_destroy(out);
    }
    return result == ABUT_OK;
}

void heap_forms_destroy(HeapForms* forms)
{
    for (int kind = 0; kind < HEAP_KIND_COUNT; ++kind)
    {
        abut_shape_destroy(forms->shapes[kind]);
        forms->shapes[kind] = NULL;
    }
}

void heap_make_poses(uint32_t count, AbutPose* poses)
{
    const double spacing = 1.1 * HEAP_SIZE;
    SceneRandom random = { 7 };
    uint32_t columns = (uint32_t)lround(sqrt(count / (double)LAYERS));
    columns = columns > 0 ? columns : 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t layer = i / (columns * columns), in_layer = i % (columns * columns);
        double x = (double)(in_layer % columns) - 0.5 * (columns - 1);
        double z = (double)(in_layer / columns) - 0.5 * (columns - 1);
        x += scene_random_range(&random, -0.03, 0.03);
        z += scene_random_range(&random, -0.03, 0.03);
        poses[i] = abut_pose_at(spacing * x, spacing * (layer + 0.8), spacing * z);
        poses[i].rotation = scene_random_rotation(&random);
    }
}

#if defined(BENCH_HAS_ODE)
extern const HeapPeer heap_ode;
#endif
#if defined(BENCH_HAS_BULLET)
extern const HeapPeer heap_bullet;
#endif

const HeapPeer* const* heap_peers(void)
{
    static const HeapPeer* const peers[] = {
#if defined(BENCH_HAS_BULLET)
        &heap_bullet,
#endif
#if defined(BENCH_HAS_ODE)
        &heap_ode,
#endif
        NULL,
    };
    return peers;
}
