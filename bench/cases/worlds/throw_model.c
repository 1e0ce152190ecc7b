// Bodies that are thrown at a plate.
#include "bake_cases.h"
#include "throw_cases.h"

#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    TIMES = 500 // at which the truth is looked at
};

/// Of the plate.
static const float THICKNESS = 0.01f, WIDTH = 4.0f;

AbutMesh* throw_load_shared(const char* file)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[1024];
    AbutMesh* mesh = NULL;
    if (folder == NULL || snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
    {
        return NULL;
    }
    return abut_mesh_load(path, &mesh) == ABUT_OK ? mesh : NULL;
}

/// A plate whose upper side is y = 0.
static AbutResult make_plate(ThrowModel* model)
{
    AbutVec3 extents = abut_vec3(WIDTH, THICKNESS, WIDTH);
    AbutPose down = abut_pose_at(0.0, -0.5 * (double)THICKNESS, 0.0);
    AbutShape* box = NULL;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_shape_create_box(extents, NULL, &box);
    result = result == ABUT_OK ? abut_shape_create_transformed(box, &down, NULL, &model->plate) : result;
    abut_shape_destroy(box);
    result = result == ABUT_OK ? abut_mesh_create_box(extents, 1, NULL, &mesh) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    AbutMeshDef def = abut_mesh_def();
    for (uint32_t i = 0; i < count && vertices != NULL; ++i)
    {
        vertices[i] = abut_vec3_add(abut_mesh_vertices(mesh)[i], abut_vec3(0.0f, -0.5f * THICKNESS, 0.0f));
    }
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    result = vertices != NULL ? abut_mesh_create(&def, &model->plate_mesh)
                              : abut_fail(ABUT_OUT_OF_MEMORY, "no memory for a plate");
    free(vertices);
    abut_mesh_destroy(mesh);
    return result;
}

bool throw_model_create(ThrowModel* out)
{
    *out = (ThrowModel){ 0 };
    AbutMesh* mesh = throw_load_shared("bunny4k.obj");
    PairModelDef def = { .name = mesh != NULL ? "bunny" : "statue", .format = ABUT_FIELD_F32 };
    AbutResult result = mesh != NULL ? ABUT_OK : bake_mesh_create_statue(4000, &mesh);
    if (result == ABUT_OK && !pair_model_create(&def, mesh, mesh, &out->body))
    {
        return false;
    }
    result = result == ABUT_OK ? make_plate(out) : result;
    result =
        result == ABUT_OK ? abut_points_create_from_vertices(out->body.mesh_a, NULL, &out->points) : result;
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench throw: %s\n", abut_last_error());
        throw_model_destroy(out);
    }
    return result == ABUT_OK;
}

void throw_model_destroy(ThrowModel* model)
{
    pair_model_destroy(&model->body);
    abut_mesh_destroy(model->plate_mesh);
    abut_shape_destroy(model->plate);
    abut_points_destroy(model->points);
    *model = (ThrowModel){ 0 };
}

// -----------------------------------------------------------------------------------------------------------
// Throws
// -----------------------------------------------------------------------------------------------------------

/// The same numbers on every machine (splitmix64).
static double next_unit(uint64_t* state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static AbutVec3 next_direction(uint64_t* state)
{
    double z = 2.0 * next_unit(state) - 1.0, angle = 6.283185307179586 * next_unit(state);
    double r = sqrt(1.0 - z * z);
    return abut_vec3((float)(r * cos(angle)), (float)(r * sin(angle)), (float)z);
}

/// Height of the lowest vertex.
static double lowest(const AbutMesh* mesh, const AbutPose* pose)
{
    double m[3][3], low = INFINITY;
    abut_quat_to_matrix(pose->rotation, m);
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        double y = m[1][0] * (double)vertices[i].x + m[1][1] * (double)vertices[i].y +
                   m[1][2] * (double)vertices[i].z;
        low = y < low ? y : low;
    }
    return low + pose->position.y;
}

/// The plate is wider than the way, so that a vertex below its upper side has been in it.
static double touch_time(const ThrowModel* model, const Throw* item, bool rotates, double height,
                         double lengths)
{
    if (!rotates)
    {
        return height / lengths;
    }
    for (int i = 0; i <= TIMES; ++i)
    {
        AbutPose pose = abut_motion_pose(&item->pose, &item->motion, (float)i / TIMES);
        if (lowest(model->body.mesh_a, &pose) < 0.0)
        {
            return (double)i / TIMES;
        }
    }
    return 2.0;
}

void throw_model_make(const ThrowModel* model, double lengths, bool rotates, Throw* throws, int count)
{
    uint64_t state = (uint64_t)(10.0 * lengths) + (rotates ? 1000 : 0);
    for (int i = 0; i < count; ++i)
    {
        Throw* item = &throws[i];
        AbutVec3 axis = next_direction(&state);
        double angle = 3.141592653589793 * next_unit(&state),
               height = lengths * (0.02 + 0.9 * next_unit(&state));
        AbutQuat rotation = { axis.x * (float)sin(0.5 * angle), axis.y * (float)sin(0.5 * angle),
                              axis.z * (float)sin(0.5 * angle), (float)cos(0.5 * angle) };
        double x = next_unit(&state) - 0.5, z = next_unit(&state) - 0.5;
        item->pose = abut_pose_at(x, 0.0, z);
        item->pose.rotation = abut_quat_normalize(rotation);
        item->pose.position.y = height - lowest(model->body.mesh_a, &item->pose);
        item->motion = abut_motion_none();
        item->motion.linear = abut_vec3((float)(0.3 * next_unit(&state)), (float)-lengths, 0.0f);
        item->motion.angular = next_direction(&state);
        float speed = rotates ? (float)(3.0 * next_unit(&state)) : 0.0f;
        item->motion.angular = abut_vec3_scale(item->motion.angular, speed);
        item->touch = touch_time(model, item, rotates, height, lengths);
    }
}
