// Meshes, fields and poses for bench pairs.
#include "pairs_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// -----------------------------------------------------------------------------------------------------------
// Meshes and fields
// -----------------------------------------------------------------------------------------------------------

static float longest_side(const AbutMesh* mesh)
{
    AbutVec3 size = abut_box_extents(abut_mesh_bounds(mesh));
    return fmaxf(size.x, fmaxf(size.y, size.z));
}

/// Equal vertices are joined, as all peers like it best, and holes are closed unless they are to stay.
static AbutResult clean(const AbutMesh* mesh, bool open, AbutMesh** out)
{
    AbutMesh* welded = NULL;
    AbutResult result = abut_mesh_weld(mesh, 0.0f, NULL, &welded);
    if (result != ABUT_OK || open)
    {
        *out = welded;
        return result;
    }
    AbutMeshCloseDef def = abut_mesh_close_def();
    result = abut_mesh_close(&def, welded, out, NULL);
    abut_mesh_destroy(welded);
    return result;
}

/// The mesh about the origin, `scale` times as large.
static AbutResult recenter(const AbutMesh* mesh, double scale, bool open, AbutMesh** out)
{
    AbutMesh* welded = NULL;
    AbutResult result = clean(mesh, open, &welded);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutBox box = abut_mesh_bounds(welded);
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    uint32_t count = abut_mesh_vertex_count(welded);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    result = abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %u vertices", count);
    if (vertices != NULL)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            AbutVec3 v = abut_vec3_sub(abut_mesh_vertices(welded)[i], middle);
            vertices[i] = abut_vec3_scale(v, (float)scale);
        }
        AbutMeshDef def = abut_mesh_def();
        def.vertices = vertices;
        def.vertex_count = count;
        def.indices = abut_mesh_indices(welded);
        def.triangle_count = abut_mesh_triangle_count(welded);
        result = abut_mesh_create(&def, out);
    }
    free(vertices);
    abut_mesh_destroy(welded);
    return result;
}

static AbutResult bake(const AbutMesh* mesh, const PairModelDef* how, AbutShape** out)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = PAIRS_CELLS;
    def.format = how->format;
    def.sparse = how->sparse;
    return abut_bake_mesh(&def, mesh, out);
}

static AbutResult fill(const PairModelDef* def, const AbutMesh* mesh_a, const AbutMesh* mesh_b,
                       PairModel* model)
{
    double scale = 1.0 / (double)fmaxf(longest_side(mesh_a), longest_side(mesh_b));
    AbutResult result = recenter(mesh_a, scale, def->open, &model->mesh_a);
    result = result == ABUT_OK ? bake(model->mesh_a, def, &model->field_a) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    if (mesh_a == mesh_b)
    {
        model->mesh_b = model->mesh_a;
        model->field_b = abut_shape_retain(model->field_a);
        return ABUT_OK;
    }
    result = recenter(mesh_b, scale, def->open, &model->mesh_b);
    return result == ABUT_OK ? bake(model->mesh_b, def, &model->field_b) : result;
}

bool pair_model_create(const PairModelDef* def, AbutMesh* mesh_a, AbutMesh* mesh_b, PairModel* out)
{
    *out = (PairModel){ 0 };
    snprintf(out->name, sizeof(out->name), "%s%s", def->name, def->open ? ", open" : "");
    AbutResult result = fill(def, mesh_a, mesh_b, out);
    if (mesh_b != mesh_a)
    {
        abut_mesh_destroy(mesh_b);
    }
    abut_mesh_destroy(mesh_a);
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench pairs: %s: %s\n", def->name, abut_last_error());
        pair_model_destroy(out);
        return false;
    }
    AbutFieldInfo a = abut_field_info(out->field_a), b = abut_field_info(out->field_b);
    out->cell_size = (float)fmax(a.cell_size, b.cell_size);
    out->error = a.error_bound + b.error_bound;
    return true;
}

void pair_model_destroy(PairModel* model)
{
    abut_shape_destroy(model->field_a);
    abut_shape_destroy(model->field_b);
    if (model->mesh_b != model->mesh_a)
    {
        abut_mesh_destroy(model->mesh_b);
    }
    abut_mesh_destroy(model->mesh_a);
    *model = (PairModel){ 0 };
}

// -----------------------------------------------------------------------------------------------------------
// Poses
// -----------------------------------------------------------------------------------------------------------

/// The same numbers on every machine (splitmix64).
static double next_unit(uint64_t* state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Even over all rotations (Shoemake).
static AbutQuat next_rotation(uint64_t* state)
{
    const double tau = 6.283185307179586;
    double u = next_unit(state), v = tau * next_unit(state), w = tau * next_unit(state);
    AbutQuat q = { (float)(sqrt(1.0 - u) * sin(v)), (float)(sqrt(1.0 - u) * cos(v)),
                   (float)(sqrt(u) * sin(w)), (float)(sqrt(u) * cos(w)) };
    return abut_quat_normalize(q);
}

/// The box of the turned vertices, which is smaller than the turned box.
static AbutBox rotated_bounds(const AbutMesh* mesh, AbutQuat rotation)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        box = abut_box_add_point(box, abut_quat_rotate(rotation, abut_mesh_vertices(mesh)[i]));
    }
    return box;
}

void pair_model_make_poses(const PairModel* model, AbutPose* poses, int count)
{
    uint64_t state = 4;
    AbutBox a = abut_mesh_bounds(model->mesh_a);
    for (int i = 0; i < count; ++i)
    {
        AbutQuat rotation = next_rotation(&state);
        AbutBox b = rotated_bounds(model->mesh_b, rotation);
        AbutVec3 low = abut_vec3_sub(a.min, b.max), size = abut_vec3_sub(abut_vec3_sub(a.max, b.min), low);
        double x = next_unit(&state), y = next_unit(&state), z = next_unit(&state);
        poses[i] = abut_pose_at((double)low.x + x * (double)size.x, (double)low.y + y * (double)size.y,
                                (double)low.z + z * (double)size.z);
        poses[i].rotation = rotation;
    }
}

static AbutPose moved(AbutPose pose, AbutVec3 along, double by)
{
    pose.position.x += by * (double)along.x;
    pose.position.y += by * (double)along.y;
    pose.position.z += by * (double)along.z;
    return pose;
}

AbutPose pair_model_touching(const PairModel* model, const BenchCollider* collider, void* pair, AbutPose pose,
                             int number, double step)
{
    uint64_t state = 1000 + (uint64_t)number;
    AbutQuat tau = next_rotation(&state);
    AbutVec3 along = abut_quat_rotate(tau, abut_vec3(1.0f, 0.0f, 0.0f));
    float extent = abut_vec3_length(abut_box_extents(abut_mesh_bounds(model->mesh_a))) +
                   abut_vec3_length(abut_box_extents(abut_mesh_bounds(model->mesh_b)));
    double in = 0.0, out = (double)extent;
    while (out - in > step)
    {
        double middle = 0.5 * (in + out);
        AbutPose there = moved(pose, along, middle);
        bool touching = collider->touches(pair, &there);
        in = touching ? middle : in;
        out = touching ? out : middle;
    }
    return moved(pose, along, in);
}
