#include "mesh/closure/closure.h"

#include "base/memory.h"
#include "mesh/border.h"
#include "mesh/closure/duplicate_faces.h"
#include "mesh/closure/open_sheets.h"
#include "mesh/closure/patches.h"
#include "mesh/corners.h"
#include "mesh/edges.h"

/// From one tolerance to the next, when loose triangles are joined; and the fraction of the area that may
/// vanish.
static const double JOIN_STEP = 4.0, MAX_COLLAPSED = 0.1;

typedef struct Closing
{
    const AbutHost* host;
    const AbutMesh* mesh; // as it came
    AbutMesh* made;       // the latest; NULL while that is `mesh`
    double widest, width;
    uint32_t border_count; // of the latest
    bool soup;             // it is
} Closing;

static const AbutMesh* latest(const Closing* self)
{
    return self->made != NULL ? self->made : self->mesh;
}

/// Takes a mesh over as the latest; NULL is ignored.
static void take(Closing* self, AbutMesh* mesh)
{
    if (mesh != NULL)
    {
        abut_mesh_destroy(self->made);
        self->made = mesh;
    }
}

static AbutResult remove_duplicate_faces(Closing* self)
{
    AbutHalfEdges half_edges;
    AbutMesh* fewer = NULL;
    AbutResult result = abut_half_edges_create(self->host, self->mesh, &half_edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->border_count = half_edges.border_count;
    self->soup = !abut_patches_suit(&half_edges);
    if (half_edges.border_count > 0)
    {
        result = abut_duplicate_faces_remove(self->host, self->mesh, &half_edges, &fewer);
    }
    abut_half_edges_destroy(self->host, &half_edges);
    take(self, fewer);
    return result;
}

/// The fraction of a mesh's area that is in triangles collapsed by welding.
static double collapsed_fraction(const AbutMesh* mesh, const AbutMesh* welded)
{
    double all = 0.0, collapsed = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        AbutDVec3 p[3];
        abut_mesh_corners(mesh, t, p);
        double area = abut_dvec3_length(abut_corners_normal(p));
        all += area;
        collapsed += abut_is_collapsed(welded->indices + 3 * (size_t)t) ? area : 0.0;
    }
    return all > 0.0 ? collapsed / all : 1.0;
}

/// Joins the corners of a soup that are at most `tolerance` apart. Keeps it when it is none afterwards.
static AbutResult join_soup(Closing* self, double tolerance)
{
    AbutMesh* welded = NULL;
    AbutHalfEdges half_edges;
    AbutResult result = abut_mesh_weld(latest(self), (float)tolerance, self->host, &welded);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = abut_half_edges_create(self->host, welded, &half_edges);
    if (result != ABUT_OK)
    {
        abut_mesh_destroy(welded);
        return result;
    }
    if (abut_patches_suit(&half_edges) && collapsed_fraction(latest(self), welded) <= MAX_COLLAPSED)
    {
        self->soup = false;
        self->border_count = half_edges.border_count;
        self->width = (double)(float)tolerance;
        take(self, welded);
        welded = NULL;
    }
    abut_mesh_destroy(welded);
    abut_half_edges_destroy(self->host, &half_edges);
    return ABUT_OK;
}

static AbutResult join_corners(Closing* self)
{
    AbutResult result = ABUT_OK;
    double tolerance = abut_border_crack(self->mesh->bounds);
    const double most = 0.5 * self->widest;
    for (bool last = false; result == ABUT_OK && self->soup && !last; tolerance *= JOIN_STEP)
    {
        last = tolerance >= most;
        result = join_soup(self, last ? most : tolerance);
    }
    return result;
}

static AbutResult patch(Closing* self)
{
    AbutPatches patches;
    AbutResult result = abut_patches_create(self->host, latest(self), self->widest, &patches);
    if (result == ABUT_OK)
    {
        self->width += patches.width;
        self->border_count = patches.open_edge_count;
        take(self, patches.mesh);
    }
    return result;
}

static AbutResult back_sheets(Closing* self, AbutClosure* out)
{
    AbutOpenSheets sheets;
    AbutResult result = abut_open_sheets_create(self->host, latest(self), &sheets);
    if (result == ABUT_OK)
    {
        self->border_count = sheets.open_edge_count;
        out->only_sheets = sheets.triangle_count == latest(self)->triangle_count;
        take(self, sheets.mesh);
        out->sheet_flags = sheets.flags;
    }
    return result;
}

AbutResult abut_closure_create(const AbutHost* host, const AbutMesh* mesh, double widest, AbutClosure* out)
{
    *out = (AbutClosure){ 0 };
    Closing self = { .host = host, .mesh = mesh, .widest = widest };
    AbutResult result = remove_duplicate_faces(&self);
    result = result == ABUT_OK ? join_corners(&self) : result;
    result = result == ABUT_OK && self.border_count > 0 ? patch(&self) : result;
    result = result == ABUT_OK && self.border_count > 0 ? back_sheets(&self, out) : result;
    if (result != ABUT_OK)
    {
        abut_mesh_destroy(self.made);
        return result;
    }
    out->mesh = self.made;
    out->width = self.width;
    out->open_edge_count = self.border_count;
    return ABUT_OK;
}

void abut_closure_destroy(const AbutHost* host, AbutClosure* self)
{
    if (self->mesh != NULL)
    {
        abut_memory_free(host, self->sheet_flags, self->mesh->triangle_count, sizeof(uint8_t));
    }
    abut_mesh_destroy(self->mesh);
    *self = (AbutClosure){ 0 };
}
