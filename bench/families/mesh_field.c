// A mesh against the field of another, states alone: triangles in the distance of the field beside the search
// by distances of both. The triangles of both meshes must not contradict a proof.
#include "mesh_field.h"
#include "family_mesh.h"
#include "pairs_cases.h"

#include <abut/abut.h>
#include <stdio.h>

enum
{
    POSES = 100,
    RESOLUTION = 64,
};

typedef struct MeshFieldCase
{
    AbutShape *mesh, *field;
    AbutPose poses[POSES];
} MeshFieldCase;

static AbutCollideState ask(const MeshFieldCase* set, AbutCollideMethod method, int pose)
{
    AbutCollideInput input =
        abut_collide_input(set->mesh, method == ABUT_COLLIDE_BVH ? set->mesh : set->field);
    input.settings.method = method;
    input.pose_b = set->poses[pose];
    return abut_collide(&input, NULL, 0).state;
}

static double time_all(const MeshFieldCase* set, AbutCollideMethod method)
{
    double start = bench_cpu_seconds();
    for (int i = 0; i < POSES; ++i)
    {
        ask(set, method, i);
    }
    return 1e6 * (bench_cpu_seconds() - start) / POSES;
}

static int count_contradictions(const MeshFieldCase* set)
{
    int wrong = 0;
    for (int i = 0; i < POSES; ++i)
    {
        AbutCollideState found = ask(set, ABUT_COLLIDE_MESH_FIELD, i), exact = ask(set, ABUT_COLLIDE_BVH, i);
        wrong += (found == ABUT_COLLIDE_SEPARATED && exact == ABUT_COLLIDE_CONTACT) ||
                 (found == ABUT_COLLIDE_CONTACT && exact == ABUT_COLLIDE_SEPARATED);
    }
    return wrong;
}

bool mesh_field_run(BenchReport* report, const char* name, const char* file)
{
    AbutMesh* mesh = family_mesh_load(file);
    MeshFieldCase set = { .mesh = NULL };
    AbutBakeDef def = abut_bake_def();
    def.resolution = RESOLUTION;
    if (mesh == NULL || abut_shape_create_mesh(mesh, NULL, &set.mesh) != ABUT_OK ||
        abut_bake_mesh(&def, mesh, &set.field) != ABUT_OK)
    {
        // A scan with holes is no solid of triangles.
        fprintf(stderr, "abut: bench families: meshes: %s against its field left out: %s\n", name,
                abut_last_error());
        abut_shape_destroy(set.mesh);
        abut_mesh_destroy(mesh);
        return true;
    }
    PairModel model = { .mesh_a = mesh, .mesh_b = mesh };
    pair_model_make_poses(&model, set.poses, POSES);
    int wrong = count_contradictions(&set);
    char row[64];
    snprintf(row, sizeof(row), "%.16s: mesh against field, states", name);
    double own = time_all(&set, ABUT_COLLIDE_MESH_FIELD);
    bench_report_row(report, row, own, "us", "adaptive", time_all(&set, ABUT_COLLIDE_ADAPTIVE), false);
    if (wrong > 0)
    {
        fprintf(stderr, "abut: bench families: meshes: %d states of %s are not those of the triangles\n",
                wrong, name);
    }
    abut_shape_destroy(set.mesh);
    abut_shape_destroy(set.field);
    abut_mesh_destroy(mesh);
    return wrong == 0;
}
