#include "mesh/inspect/inspect.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "mesh/inspect/crossings.h"
#include "mesh/inspect/edges.h"
#include "mesh/inspect/faces.h"
#include "mesh/inspect/t_junctions.h"
#include "mesh/mass.h"

#include <string.h>

AbutMeshInspectDef abut_mesh_inspect_def(void)
{
    AbutMeshInspectDef def = { .self_intersection_limit = 10000000 };
    return def;
}

bool abut_inspect_progress(void* user, float stage_fraction)
{
    AbutInspection* self = user;
    const AbutMeshInspectDef* def = self->def;
    float done = self->stage_begin + stage_fraction * (self->stage_end - self->stage_begin);
    return def->progress == NULL || def->progress(def->progress_user, done);
}

static AbutResult inspect_mass(AbutInspection* self)
{
    self->report.mass = abut_mesh_mass_on(&self->host, self->mesh);
    return ABUT_OK;
}

/// The edges are half of the memory, and the stages after this one do not use them.
static AbutResult drop_edges(AbutInspection* self)
{
    abut_vertex_keys_destroy(&self->host, &self->edges);
    return ABUT_OK;
}

typedef struct Stage
{
    AbutResult (*run)(AbutInspection* self);
    float cost; // relative time on a closed mesh of a million triangles
} Stage;

static const Stage stages[] = {
    { inspect_mass, 2.0f },        { abut_inspect_faces, 4.0f },       { abut_inspect_duplicates, 10.0f },
    { abut_inspect_edges, 20.0f }, { abut_inspect_components, 10.0f }, { abut_inspect_t_junctions, 2.0f },
    { drop_edges, 0.0f },          { abut_inspect_crossings, 100.0f },
};

enum
{
    STAGE_COUNT = sizeof(stages) / sizeof(stages[0])
};

static const float WELD_COST = 12.0f;

static AbutResult run_stages(AbutInspection* self)
{
    float total = WELD_COST, done = WELD_COST;
    for (int i = 0; i < STAGE_COUNT; ++i)
    {
        total += stages[i].cost;
    }
    for (int i = 0; i < STAGE_COUNT; ++i)
    {
        self->stage_begin = done / total;
        done += stages[i].cost;
        self->stage_end = done / total;
        if (!abut_inspect_progress(self, 0.0f))
        {
            return ABUT_CANCELLED;
        }
        AbutResult result = stages[i].run(self);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    return abut_inspect_progress(self, 1.0f) ? ABUT_OK : ABUT_CANCELLED;
}

static void sum_up(AbutInspection* self, const AbutMesh* mesh)
{
    AbutMeshReport* report = &self->report;
    report->triangle_count = mesh->triangle_count;
    report->vertex_count = mesh->vertex_count;
    report->welded_vertex_count = self->mesh->vertex_count;
    report->bounds = mesh->bounds;
    report->closed = report->boundary_edge_count == 0 && report->nonmanifold_edge_count == 0;
    report->oriented = report->inconsistent_edge_count == 0;
}

static AbutResult inspect_welded(AbutInspection* self, const AbutMesh* mesh)
{
    AbutMesh* welded = NULL;
    AbutResult result = abut_mesh_weld(mesh, 0.0f, &self->host, &welded);
    if (result == ABUT_OK)
    {
        self->mesh = welded;
        result = run_stages(self);
        sum_up(self, mesh);
    }
    abut_vertex_keys_destroy(&self->host, &self->edges);
    abut_mesh_destroy(welded);
    return result;
}

AbutResult abut_mesh_inspect(const AbutMeshInspectDef* def, const AbutMesh* mesh, AbutMeshReport* report)
{
    ABUT_FP_CALL(abut_mesh_inspect, def, mesh, report);
    if (def->self_intersection_limit == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "mesh inspection: the self_intersection_limit is 0; start from "
                         "abut_mesh_inspect_def(), and it is at least 1");
    }
    if (mesh->triangle_count > ABUT_VERTEX_KEYS_MAX_TRIANGLES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh inspection: %u triangles; at most %u",
                         mesh->triangle_count, ABUT_VERTEX_KEYS_MAX_TRIANGLES);
    }
    AbutInspection inspection = { .host = abut_host_resolve(def->host), .def = def };
    AbutResult result = inspect_welded(&inspection, mesh);
    if (result == ABUT_CANCELLED)
    {
        abut_fail(ABUT_CANCELLED, "mesh inspection: cancelled");
    }
    if (result == ABUT_OK)
    {
        *report = inspection.report;
    }
    return result;
}
