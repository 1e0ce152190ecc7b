// abut bench rebake: a few triangles of a large mesh move, or a hole is drilled, and the field is brought up
// to date; against baking it anew. The bytes must be the same.
#include "bench.h"

#include <abut/abut.h>
#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    REPEATS = 3
};

typedef struct Rebake
{
    AbutBakeDef def;
    AbutBakeMeshChange mesh;   // of this,
    AbutBakeShapeChange shape; // or of this when its field is not NULL
    AbutBakeUpdate update;
    AbutShape* out;
    bool failed;
} Rebake;

static void run_update(void* context)
{
    Rebake* run = context;
    abut_shape_destroy(run->out);
    run->out = NULL;
    run->failed |= (run->shape.field != NULL
                        ? abut_bake_update_shape(&run->def, &run->shape, &run->update, &run->out)
                        : abut_bake_update_mesh(&run->def, &run->mesh, &run->update, &run->out)) != ABUT_OK;
}

static void run_full(void* context)
{
    Rebake* run = context;
    abut_shape_destroy(run->out);
    run->out = NULL;
    run->failed |=
        (run->shape.field != NULL ? abut_bake_shape(&run->def, run->shape.after, &run->out)
                                  : abut_bake_mesh(&run->def, run->mesh.after, &run->out)) != ABUT_OK;
}

static bool same_bytes(const AbutShape* a, const AbutShape* b)
{
    size_t size_a, size_b;
    const void *data_a = abut_field_data(a, &size_a), *data_b = abut_field_data(b, &size_b);
    return size_a == size_b && memcmp(data_a, data_b, size_a) == 0;
}

static bool measure(BenchReport* report, const char* name, Rebake* run)
{
    double update = bench_median_seconds(run_update, run, REPEATS);
    AbutShape* updated = run->out;
    run->out = NULL;
    double full = bench_median_seconds(run_full, run, REPEATS);
    bool ok = !run->failed;
    if (ok && !same_bytes(updated, run->out))
    {
        fprintf(stderr, "abut: bench rebake: the bytes of the update are not those of the full bake\n");
        ok = false;
    }
    char text[96];
    snprintf(text, sizeof(text), "%s, %.1f %% of bricks", name,
             100.0 * run->update.redone_brick_count / run->update.brick_count);
    bench_report_row(report, text, 1e3 * update, "ms", "full bake", 1e3 * full, false);
    abut_shape_destroy(updated);
    abut_shape_destroy(run->out);
    run->out = NULL;
    return ok;
}

/// The mesh with a dent of about a hundredth of its size.
static AbutResult dented(const AbutMesh* mesh, AbutMesh** out)
{
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    if (vertices == NULL)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %u vertices", count);
    }
    memcpy(vertices, abut_mesh_vertices(mesh), count * sizeof(AbutVec3));
    const AbutVec3 center = vertices[count / 3];
    const float radius = 0.01f * abut_vec3_length(abut_box_extents(abut_mesh_bounds(mesh)));
    for (uint32_t i = 0; i < count; ++i)
    {
        float weight = 1.0f - abut_vec3_length(abut_vec3_sub(vertices[i], center)) / radius;
        if (weight > 0.0f)
        {
            vertices[i] = abut_vec3_scale(vertices[i], 1.0f - 0.01f * weight);
        }
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    AbutResult result = abut_mesh_create(&def, out);
    free(vertices);
    return result;
}

static AbutBakeDef variant(int i, uint32_t resolution, const char** name)
{
    static const char* const names[] = { "dense f32", "dense order 1", "sparse f32", "sparse order 1" };
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = i % 2 != 0 ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32;
    def.sparse = i >= 2;
    def.box = abut_box(abut_vec3(-1.6f, -1.6f, -1.6f), abut_vec3(1.6f, 1.6f, 1.6f));
    *name = names[i];
    return def;
}

static bool measure_mesh(BenchReport* report, const AbutMesh* before, const AbutMesh* after,
                         uint32_t resolution)
{
    bool ok = true;
    for (int i = 0; i < 4 && ok; ++i)
    {
        const char* name;
        char text[64];
        AbutShape* field = NULL;
        Rebake run = { .def = variant(i, resolution, &name) };
        ok = abut_bake_mesh(&run.def, before, &field) == ABUT_OK;
        run.mesh = (AbutBakeMeshChange){ field, before, after };
        snprintf(text, sizeof(text), "dent, %u³ %s", resolution, name);
        ok = ok && measure(report, text, &run);
        abut_shape_destroy(field);
    }
    return ok;
}

static bool measure_hole(BenchReport* report, uint32_t resolution)
{
    AbutShape *plate = NULL, *drill = NULL, *moved = NULL, *drilled = NULL;
    AbutPose pose = abut_pose_at(0.7, 0.0, 0.4);
    bool ok = abut_shape_create_rounded_box(abut_vec3(3.0f, 1.0f, 2.0f), 0.1f, NULL, &plate) == ABUT_OK &&
              abut_shape_create_cylinder(0.1f, 2.0f, NULL, &drill) == ABUT_OK &&
              abut_shape_create_transformed(drill, &pose, NULL, &moved) == ABUT_OK &&
              abut_shape_create_difference(plate, moved, NULL, &drilled) == ABUT_OK;
    for (int i = 0; i < 4 && ok; ++i)
    {
        const char* name;
        char text[64];
        AbutShape* field = NULL;
        const AbutShape* operands[1] = { moved };
        Rebake run = { .def = variant(i, resolution, &name) };
        ok = abut_bake_shape(&run.def, plate, &field) == ABUT_OK;
        run.shape = (AbutBakeShapeChange){ field, drilled, operands, 1 };
        snprintf(text, sizeof(text), "hole, %u³ %s", resolution, name);
        ok = ok && measure(report, text, &run);
        abut_shape_destroy(field);
    }
    abut_shape_destroy(plate);
    abut_shape_destroy(drill);
    abut_shape_destroy(moved);
    abut_shape_destroy(drilled);
    return ok;
}

bool bench_rebake_run(BenchReport* report, int argument_count, char** arguments)
{
    bool quick = argument_count > 0 && strcmp(arguments[0], "quick") == 0;
    uint32_t resolution = quick ? 96 : 256;
    AbutMesh *mesh = NULL, *after = NULL;
    // 6 · 2 · 76² = 69,312 triangles
    bool ok = abut_mesh_create_sphere(1.5f, 76, NULL, &mesh) == ABUT_OK && dented(mesh, &after) == ABUT_OK &&
              measure_mesh(report, mesh, after, resolution) && measure_hole(report, resolution);
    if (!ok)
    {
        fprintf(stderr, "abut: bench rebake: %s\n", abut_last_error());
    }
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(after);
    return ok;
}
