// Baking again after a change: what was far from it is taken from the field before.
#include <abut/bake.h>

#include "bake/build/reuse.h"
#include "bake/incremental.h"
#include "bake/mesh_changes.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "field/field.h"

#include <math.h>
#include <string.h>

/// Of distances in float, in parts of the largest coordinate of the grid and of the mesh or shape.
static const double FLOAT_ERROR = 8e-6;

typedef struct Update
{
    const AbutBakeDef* def;
    AbutFieldHeader* field; // before; only read
    AbutReuse reuse;
    AbutBakeUpdate* report;

    const AbutMesh *before, *after;
    AbutMeshChanges changes;
    const AbutSigner* signer; // of the mesh after; NULL for a shell
    AbutBoxTree border;

    const AbutShape* const* parts;
    uint32_t part_count;
} Update;

static double box_reach(AbutBox box)
{
    double low = fmax(fabs((double)box.min.x), fmax(fabs((double)box.min.y), fabs((double)box.min.z)));
    double high = fmax(fabs((double)box.max.x), fmax(fabs((double)box.max.y), fabs((double)box.max.z)));
    return fmax(low, high);
}

static double grid_reach(const AbutFieldHeader* h)
{
    double reach = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
        reach = fmax(reach, fmax(fabs(h->origin[axis]), fabs(h->origin[axis] + size)));
    }
    return reach;
}

static void report_all(const Update* self, const AbutBuild* build, const char* reason)
{
    uint32_t total =
        build->header.brick_count[0] * build->header.brick_count[1] * build->header.brick_count[2];
    *self->report = (AbutBakeUpdate){ total, total, reason };
}

static AbutResult use(Update* self, AbutBuild* build, const AbutChange* change)
{
    AbutResult result = abut_reuse_create(build, self->field, change, &self->reuse);
    if (result == ABUT_OK)
    {
        build->reuse = &self->reuse;
        *self->report = (AbutBakeUpdate){ self->reuse.brick_count, self->reuse.touched_count, NULL };
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes
// ---------------------------------------------------------------------------------------------------------------------

static bool same_bounds(const Update* self)
{
    AbutBox a = self->before->bounds, b = self->after->bounds;
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/// Why no sign of the field before can be taken over; NULL when they can.
static const char* why_all_signs(const Update* self)
{
    AbutSignerInfo info = abut_signer_info(self->signer);
    if (self->def->sign == ABUT_BAKE_SIGN_NORMALS || self->def->sign == ABUT_BAKE_SIGN_WINDING)
    {
        return "signs by normals or winding numbers alone depend on the whole mesh";
    }
    if (info.inverted || (self->field->sign_flags & ABUT_FIELD_SIGN_INVERTED) != 0)
    {
        return "parts of the mesh look inward";
    }
    if (!self->changes.same_border)
    {
        return "the border of the surface was changed";
    }
    if (!info.closed && !same_bounds(self))
    {
        return "the size of an open mesh was changed";
    }
    return NULL;
}

static double mesh_clearance(const void* context, const double point[3])
{
    return abut_mesh_changes_distance(&((const Update*)context)->changes, point);
}

/// Winding numbers may have changed in the box, or a crack, which has no side, crosses it.
static bool mesh_meets(const void* context, AbutBox box)
{
    const Update* self = context;
    uint32_t cursor = 0;
    AbutBoxLeaf leaf;
    return abut_mesh_changes_meet(&self->changes, box) ||
           abut_box_tree_next_overlap(&self->border, &box, 0, &cursor, &leaf);
}

static AbutBox border_box(void* context, uint32_t edge)
{
    return abut_signer_border_box(context, edge);
}

static AbutResult find_for_mesh(void* context, AbutBuild* build, const AbutMeshSource* mesh)
{
    Update* self = context;
    self->after = abut_mesh_source_mesh(mesh); // its closure, as the mesh before
    AbutResult result = abut_mesh_changes_create(&build->host, self->before, self->after, &self->changes);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->signer = abut_mesh_source_signer(mesh);
    const char* reason = self->signer != NULL ? why_all_signs(self) : NULL;
    if (reason != NULL)
    {
        report_all(self, build, reason);
        return ABUT_OK;
    }
    double reach =
        grid_reach(&build->header) + box_reach(self->before->bounds) + box_reach(self->after->bounds);
    AbutChange change = {
        .context = self, .clearance = mesh_clearance, .slope = 2.0, .tolerance = FLOAT_ERROR * reach
    };
    if (self->signer == NULL)
    {
        change.offset = 0.5 * (double)self->def->thickness;
        return use(self, build, &change);
    }
    change.meets = mesh_meets;
    change.touching = same_bounds(self) ? 0.0 : change.tolerance;
    result = abut_box_tree_create(&build->host, abut_signer_border_count(self->signer), border_box,
                                  (void*)(uintptr_t)self->signer, &self->border);
    return result == ABUT_OK ? use(self, build, &change) : result;
}

static bool is_inside(AbutBox inner, AbutBox outer)
{
    AbutBox both = abut_box_union(inner, outer);
    return memcmp(&both, &outer, sizeof(both)) == 0;
}

/// The field must be what `before` was baked to, as far as can be seen, and its box still large enough.
static AbutResult check_meshes(const Update* self, const AbutShape* field)
{
    AbutMass mass = abut_mesh_mass(self->before);
    double packed[13];
    abut_field_pack_mass(&mass, packed);
    if (memcmp(packed, self->field->mesh_mass, sizeof(packed)) != 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: the field was not baked from the mesh that is given as the one before");
    }
    AbutBox box = abut_field_grid_box(abut_field_of(field)->block);
    if (is_inside(self->before->bounds, box) && !is_inside(self->after->bounds, box))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "bake: the mesh has outgrown the box of the field; bake it anew, in a larger box");
    }
    return ABUT_OK;
}

static AbutResult update_mesh(Update* self, const AbutBakeMeshChange* change, const AbutHost* host,
                              AbutShape** out)
{
    AbutResult result = check_meshes(self, change->field);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutEarlier earlier = { self->field, self, find_for_mesh };
    result = abut_bake_mesh_again(self->def, change->after, &earlier, out);
    abut_box_tree_destroy(host, &self->border);
    abut_mesh_changes_destroy(&self->changes);
    abut_reuse_destroy(&self->reuse);
    return result;
}

AbutResult abut_bake_update_mesh(const AbutBakeDef* def, const AbutBakeMeshChange* change,
                                 AbutBakeUpdate* report, AbutShape** out)
{
    ABUT_FP_CALL(abut_bake_update_mesh, def, change, report, out);
    *out = NULL;
    AbutBakeUpdate unused;
    Update self = { .def = def,
                    .field = abut_field_of(change->field)->block,
                    .report = report != NULL ? report : &unused,
                    .after = change->after };
    AbutHost host = abut_host_resolve(def->host);
    AbutClosure closure;
    AbutResult result = abut_bake_closure(def, change->before, self.field->cell_size, &host, &closure);
    if (result != ABUT_OK)
    {
        return result;
    }
    self.before = closure.mesh != NULL ? closure.mesh : change->before;
    result = update_mesh(&self, change, &host, out);
    abut_closure_destroy(&host, &closure);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

/// A part that is united with the rest, or taken away from it, leaves alone what is nearer to its surface than to the part.
static double part_clearance(const void* context, const double point[3])
{
    const Update* self = context;
    AbutVec3 at = abut_vec3((float)point[0], (float)point[1], (float)point[2]);
    double least = INFINITY;
    for (uint32_t i = 0; i < self->part_count; ++i)
    {
        double value = abut_shape_distance(self->parts[i], at, NULL);
        least = value < least || isnan(value) ? value : least;
    }
    return least;
}

static AbutResult find_for_shape(void* context, AbutBuild* build, const AbutMeshSource* mesh)
{
    (void)mesh;
    Update* self = context;
    double steepest = 0.0;
    for (uint32_t i = 0; i < self->part_count; ++i)
    {
        steepest = fmax(steepest, (double)abut_shape_info(self->parts[i]).lipschitz);
    }
    if (!isfinite(steepest) || !isfinite(build->slope))
    {
        report_all(self, build, "the slope of a shape is not known");
        return ABUT_OK;
    }
    // What was before may have been as steep as the parts that were taken out of it.
    double slope = steepest + fmax(steepest, build->slope);
    AbutChange change = { .context = self,
                          .clearance = part_clearance,
                          .slope = slope,
                          .tolerance = FLOAT_ERROR * slope * grid_reach(&build->header) };
    return use(self, build, &change);
}

AbutResult abut_bake_update_shape(const AbutBakeDef* def, const AbutBakeShapeChange* change,
                                  AbutBakeUpdate* report, AbutShape** out)
{
    ABUT_FP_CALL(abut_bake_update_shape, def, change, report, out);
    AbutBakeUpdate unused;
    Update self = { .def = def,
                    .field = abut_field_of(change->field)->block,
                    .report = report != NULL ? report : &unused,
                    .parts = change->parts,
                    .part_count = change->part_count };
    AbutEarlier earlier = { self.field, &self, find_for_shape };
    AbutResult result = abut_bake_shape_again(def, change->after, &earlier, out);
    abut_reuse_destroy(&self.reuse);
    return result;
}
