// Closing the holes of a mesh: cracks are joined (join_vertices.h), seams are sewn (seams.h), boundary edges
// become loops (boundary_loops.h), loops get caps (cap.h), and components that would enclose no volume lose
// their caps (components.h).
#include "base/fp_env.h"
#include "base/memory.h"
#include "mesh/border.h"
#include "mesh/corners.h"
#include "mesh/edges.h"
#include "mesh/repair/components.h"
#include "mesh/repair/join_vertices.h"
#include "mesh/repair/seams.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct Closing
{
    AbutHost host;
    const AbutMeshCloseDef* def;
    const AbutMesh* mesh;
    double crack; // width of cracks that count as closed, at any tolerance
    float tolerance;
    AbutMesh* changed;        // the mesh with cracks joined and seams sewn; NULL when it has none
    const AbutMesh* source;   // that, or the mesh
    AbutHalfEdges half_edges; // of the source
    AbutVertexKeys edges;
    AbutBoundaryLoops loops;
    AbutCaps caps;
    AbutLoopCap* loop_caps; // by loop
    uint32_t* origins;      // by vertex of the half edges: one of the mesh
    AbutMeshCloseReport report;
} Closing;

AbutMeshCloseDef abut_mesh_close_def(void)
{
    AbutMeshCloseDef def = { .tolerance = -1.0f, .max_hole_size = INFINITY };
    return def;
}

// -----------------------------------------------------------------------------------------------------------
// Loops
// -----------------------------------------------------------------------------------------------------------

static AbutResult fail_too_many(const Closing* self, size_t added)
{
    return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh close: %u triangles and %zu to close holes; at most %u",
                     self->mesh->triangle_count, added, ABUT_VERTEX_KEYS_MAX_TRIANGLES);
}

static AbutResult find_edges(Closing* self)
{
    AbutResult result = abut_half_edges_create(&self->host, self->source, &self->half_edges);
    return result == ABUT_OK
               ? abut_vertex_keys_create(&self->host, self->half_edges.mesh, abut_file_edges, &self->edges)
               : result;
}

static void drop_edges(Closing* self)
{
    abut_vertex_keys_destroy(&self->host, &self->edges);
    abut_half_edges_destroy(&self->host, &self->half_edges);
}

/// Replaces the source by another mesh, which is destroyed at the end.
static AbutResult replace_source(Closing* self, AbutMesh* mesh)
{
    drop_edges(self);
    abut_mesh_destroy(self->changed);
    self->source = self->changed = mesh;
    return find_edges(self);
}

static AbutResult join_cracks(Closing* self)
{
    AbutMesh* joined = NULL;
    AbutResult result = abut_join_vertices(&self->host, self->source, &self->half_edges, self->tolerance,
                                           &joined, &self->report.joined_count);
    return result == ABUT_OK && joined != NULL ? replace_source(self, joined) : result;
}

static AbutResult add_seams(Closing* self, const AbutSeams* seams, const uint32_t* origins, AbutMesh** out)
{
    const AbutMesh* source = self->source;
    AbutResult result = abut_mesh_create_uninitialized(
        source->vertex_count, source->triangle_count + (uint32_t)(seams->index_count / 3), &self->host, out);
    if (result != ABUT_OK)
    {
        return result;
    }
    size_t index_count = 3 * (size_t)source->triangle_count;
    memcpy((*out)->vertices, source->vertices, source->vertex_count * sizeof(AbutVec3));
    memcpy((*out)->indices, source->indices, index_count * sizeof(uint32_t));
    for (size_t i = 0; i < seams->index_count; ++i)
    {
        (*out)->indices[index_count + i] = origins[seams->indices[i]];
    }
    abut_mesh_finish(*out);
    return ABUT_OK;
}

static AbutResult sew(Closing* self, const AbutSeams* seams)
{
    AbutMesh* sewn = NULL;
    uint32_t vertex_count = self->half_edges.mesh->vertex_count;
    if (seams->index_count / 3 > ABUT_VERTEX_KEYS_MAX_TRIANGLES - self->source->triangle_count)
    {
        return fail_too_many(self, seams->index_count / 3);
    }
    uint32_t* origins = abut_memory_allocate(&self->host, vertex_count, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (origins != NULL)
    {
        abut_find_origins(self->source, &self->half_edges, origins);
        result = add_seams(self, seams, origins, &sewn);
    }
    abut_memory_free(&self->host, origins, vertex_count, sizeof(uint32_t));
    self->report.seam_count = seams->edge_count;
    return result == ABUT_OK ? replace_source(self, sewn) : result;
}

static AbutResult sew_seams(Closing* self)
{
    AbutSeams seams = { 0 };
    AbutResult result =
        abut_seams_create(&self->host, &self->half_edges, &self->edges, (double)self->tolerance, &seams);
    if (result == ABUT_OK && seams.index_count > 0)
    {
        result = sew(self, &seams);
    }
    abut_seams_destroy(&self->host, &seams);
    return result;
}

static AbutResult find_loops(Closing* self)
{
    AbutResult result =
        abut_boundary_loops_create(&self->host, &self->half_edges, &self->edges, &self->loops);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->loop_caps =
        abut_memory_allocate_zero(&self->host, self->loops.loop_count, sizeof(*self->loop_caps));
    return self->loop_caps != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static AbutBox loop_box(const Closing* self, const AbutBoundaryLoop* loop)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = 0; i < loop->count; ++i)
    {
        box = abut_box_add_point(box, self->half_edges.mesh->vertices[self->loops.vertices[loop->first + i]]);
    }
    return box;
}

static double box_diagonal(AbutBox box)
{
    return abut_dvec3_distance(abut_dvec3_from_vec3(box.max), abut_dvec3_from_vec3(box.min));
}

// -----------------------------------------------------------------------------------------------------------
// Caps
// -----------------------------------------------------------------------------------------------------------

static AbutResult cap_loops(Closing* self)
{
    AbutResult result = ABUT_OK;
    for (size_t i = 0; result == ABUT_OK && i < self->loops.loop_count; ++i)
    {
        const AbutBoundaryLoop* loop = &self->loops.loops[i];
        AbutLoopCap* cap = &self->loop_caps[i];
        bool wide = box_diagonal(loop_box(self, loop)) > (double)self->def->max_hole_size;
        cap->status = loop->kind != ABUT_BOUNDARY_LOOP_CLOSED ? ABUT_LOOP_CHAIN
                      : wide                                  ? ABUT_LOOP_WIDE
                                                              : ABUT_LOOP_CAPPED;
        cap->begin = self->caps.index_count;
        if (cap->status == ABUT_LOOP_CAPPED)
        {
            result = abut_caps_add(&self->caps, self->loops.vertices + loop->first, loop->count);
        }
        cap->end = self->caps.index_count;
    }
    return result == ABUT_OK ? abut_find_flat_components(&self->caps, &self->half_edges, &self->loops,
                                                         self->crack, self->loop_caps)
                             : result;
}

static double cap_area(const Closing* self, const AbutLoopCap* cap)
{
    double sum = 0.0;
    for (size_t i = cap->begin; i < cap->end; i += 3)
    {
        AbutDVec3 p[3];
        abut_caps_corners(&self->caps, self->caps.indices + i, p);
        sum += 0.5 * abut_dvec3_length(abut_corners_normal(p));
    }
    return sum;
}

static void count_capped(Closing* self, size_t i)
{
    AbutMeshCloseReport* report = &self->report;
    AbutBox box = loop_box(self, &self->loops.loops[i]);
    double size = box_diagonal(box);
    report->loop_count += 1;
    report->area += cap_area(self, &self->loop_caps[i]);
    if (report->loop_count == 1 || size > report->largest_size)
    {
        report->largest_size = size;
        report->largest_box = box;
        report->largest_edge_count = self->loops.loops[i].count;
    }
}

static size_t count_loops(Closing* self)
{
    AbutMeshCloseReport* report = &self->report;
    size_t index_count = 0;
    report->largest_box = abut_box_empty();
    for (size_t i = 0; i < self->loops.loop_count; ++i)
    {
        AbutLoopStatus status = self->loop_caps[i].status;
        report->flat_count += status == ABUT_LOOP_FLAT;
        report->wide_count += status == ABUT_LOOP_WIDE;
        report->tangled_count += self->loops.loops[i].kind == ABUT_BOUNDARY_LOOP_TANGLED;
        report->inconsistent_count += self->loops.loops[i].kind == ABUT_BOUNDARY_LOOP_INCONSISTENT;
        if (status == ABUT_LOOP_CAPPED)
        {
            count_capped(self, i);
            index_count += self->loop_caps[i].end - self->loop_caps[i].begin;
        }
    }
    return index_count;
}

// -----------------------------------------------------------------------------------------------------------
// The result
// -----------------------------------------------------------------------------------------------------------

/// Middles of caps are numbered in order of use, since caps of flat components are left out.
static void number_centers(Closing* self, uint32_t* centers)
{
    uint32_t known = self->half_edges.mesh->vertex_count;
    memset(centers, 0xFF, self->caps.center_count * sizeof(uint32_t));
    for (size_t i = 0; i < self->loops.loop_count; ++i)
    {
        const AbutLoopCap* cap = &self->loop_caps[i];
        for (size_t k = cap->begin; cap->status == ABUT_LOOP_CAPPED && k < cap->end; ++k)
        {
            uint32_t vertex = self->caps.indices[k];
            if (vertex >= known && centers[vertex - known] == NONE)
            {
                centers[vertex - known] = self->mesh->vertex_count + self->report.vertex_count++;
            }
        }
    }
}

static void write_caps(const Closing* self, const uint32_t* centers, AbutMesh* out)
{
    uint32_t* indices = out->indices + 3 * (size_t)self->source->triangle_count;
    uint32_t known = self->half_edges.mesh->vertex_count;
    for (size_t i = 0; i < self->loops.loop_count; ++i)
    {
        const AbutLoopCap* cap = &self->loop_caps[i];
        for (size_t k = cap->begin; cap->status == ABUT_LOOP_CAPPED && k < cap->end; ++k)
        {
            uint32_t vertex = self->caps.indices[k];
            *indices++ = vertex < known ? self->origins[vertex] : centers[vertex - known];
        }
    }
    for (size_t i = 0; i < self->caps.center_count; ++i)
    {
        if (centers[i] != NONE)
        {
            out->vertices[centers[i]] = self->caps.centers[i];
        }
    }
}

static AbutResult write_mesh(Closing* self, uint32_t* centers, AbutMesh** out)
{
    const AbutMesh* source = self->source;
    number_centers(self, centers);
    AbutResult result = abut_mesh_create_uninitialized(
        source->vertex_count + self->report.vertex_count,
        self->mesh->triangle_count + self->report.triangle_count, &self->host, out);
    if (result == ABUT_OK)
    {
        memcpy((*out)->vertices, source->vertices, source->vertex_count * sizeof(AbutVec3));
        memcpy((*out)->indices, source->indices, (size_t)source->triangle_count * 3 * sizeof(uint32_t));
        write_caps(self, centers, *out);
        abut_mesh_finish(*out);
    }
    return result;
}

static AbutResult make_mesh(Closing* self, AbutMesh** out)
{
    size_t center_count = self->caps.center_count;
    size_t added = count_loops(self) / 3 + self->source->triangle_count - self->mesh->triangle_count;
    if (added > ABUT_VERTEX_KEYS_MAX_TRIANGLES - self->mesh->triangle_count ||
        center_count > UINT32_MAX - self->mesh->vertex_count)
    {
        return fail_too_many(self, added);
    }
    self->report.triangle_count = (uint32_t)added;
    uint32_t* centers = abut_memory_allocate(&self->host, center_count, sizeof(uint32_t));
    AbutResult result = centers != NULL ? write_mesh(self, centers, out) : ABUT_OUT_OF_MEMORY;
    abut_memory_free(&self->host, centers, center_count, sizeof(uint32_t));
    return result;
}

/// The report is measured on the result.
static AbutResult inspect_result(Closing* self, const AbutMesh* out)
{
    AbutHalfEdges half_edges;
    AbutResult result = abut_half_edges_create(&self->host, out, &half_edges);
    if (result == ABUT_OK)
    {
        self->report.closed = half_edges.closed;
        self->report.open_edge_count = half_edges.border_count;
        abut_half_edges_destroy(&self->host, &half_edges);
    }
    return result;
}

static AbutResult cap_and_make(Closing* self, AbutMesh** out)
{
    uint32_t vertex_count = self->half_edges.mesh->vertex_count;
    self->caps =
        abut_caps_make(&self->host, self->half_edges.mesh, &self->edges, self->loops.edge_count, self->crack);
    self->origins = abut_memory_allocate(&self->host, vertex_count, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (self->origins != NULL)
    {
        abut_find_origins(self->source, &self->half_edges, self->origins);
        result = cap_loops(self);
    }
    if (result == ABUT_OK)
    {
        result = make_mesh(self, out);
    }
    abut_memory_free(&self->host, self->origins, vertex_count, sizeof(uint32_t));
    abut_caps_destroy(&self->caps);
    return result;
}

static AbutResult run(Closing* self, AbutMesh** out)
{
    AbutResult (*const steps[])(Closing*) = { find_edges, join_cracks, sew_seams, find_loops };
    AbutResult result = ABUT_OK;
    for (size_t i = 0; result == ABUT_OK && i < sizeof(steps) / sizeof(steps[0]); ++i)
    {
        result = steps[i](self);
    }
    if (result == ABUT_OK)
    {
        result = cap_and_make(self, out);
    }
    abut_memory_free(&self->host, self->loop_caps, self->loops.loop_count, sizeof(*self->loop_caps));
    abut_boundary_loops_destroy(&self->host, &self->loops);
    drop_edges(self);
    abut_mesh_destroy(self->changed);
    return result == ABUT_OK ? inspect_result(self, *out) : result;
}

static AbutResult check_def(const AbutMeshCloseDef* def, const AbutMesh* mesh)
{
    if (!isfinite(def->tolerance))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "mesh close: the tolerance is %g; it must be finite",
                         (double)def->tolerance);
    }
    if (!(def->max_hole_size >= 0.0f))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "mesh close: the widest hole is %g; it must not be negative",
                         (double)def->max_hole_size);
    }
    if (def->tolerance == 0.0f && def->max_hole_size == 0.0f)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "mesh close: tolerance and widest hole are 0; start from abut_mesh_close_def()");
    }
    if (mesh->triangle_count > ABUT_VERTEX_KEYS_MAX_TRIANGLES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh close: %u triangles; at most %u", mesh->triangle_count,
                         ABUT_VERTEX_KEYS_MAX_TRIANGLES);
    }
    return ABUT_OK;
}

AbutResult abut_mesh_close(const AbutMeshCloseDef* def, const AbutMesh* mesh, AbutMesh** out,
                           AbutMeshCloseReport* report)
{
    ABUT_FP_CALL(abut_mesh_close, def, mesh, out, report);
    *out = NULL;
    AbutResult result = check_def(def, mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    Closing self = { .host = abut_host_resolve(def->host), .def = def, .mesh = mesh, .source = mesh };
    self.crack = abut_border_crack(mesh->bounds);
    self.tolerance = def->tolerance >= 0.0f ? def->tolerance : (float)self.crack;
    AbutMesh* closed = NULL;
    result = run(&self, &closed);
    if (result != ABUT_OK)
    {
        abut_mesh_destroy(closed);
        return result;
    }
    *out = closed;
    if (report != NULL)
    {
        *report = self.report;
    }
    return ABUT_OK;
}
