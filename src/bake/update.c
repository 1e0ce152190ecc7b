// Incremental bakes: bricks far from the change are taken from the field before.
#include <abut/bake.h>

#include "bake/bake.h"
#include "bake/build/reuse.h"
#include "bake/mesh_changes.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "field/field.h"

#include <math.h>
#include <string.h>

/// Error of distances in float, relative to the largest coordinate of the grid and of the mesh or shape.
static const double FLOAT_ERROR = 8e-6;

typedef struct Update
{
    const AbutBakeDef* def;
    AbutFieldHeader* field; // before; only read
    AbutReuse reuse;
    AbutBakeUpdate* report;

    const AbutMesh *before, *after;
    AbutMeshChanges changes;
    const AbutSignClassifier* classifier; // of the mesh after; NULL for a shell
    AbutBoxTree border;

    const AbutShape* const* operands;
    uint32_t operand_count;
} Update;

static double largest_box_coordinate(AbutBox box)
{
    double low = fmax(fabs((double)box.min.x), fmax(fabs((double)box.min.y), fabs((double)box.min.z)));
    double high = fmax(fabs((double)box.max.x), fmax(fabs((double)box.max.y), fabs((double)box.max.z)));
    return fmax(low, high);
}

static double largest_grid_coordinate(const AbutFieldHeader* h)
{
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
        largest = fmax(largest, fmax(fabs(h->origin[axis]), fabs(h->origin[axis] + size)));
    }
    return largest;
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
        *self->report = (AbutBakeUpdate){ self->reuse.brick_count, self->reuse.dirty_count, NULL };
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

static bool same_bounds(const Update* self)
{
    AbutBox a = self->before->bounds, b = self->after->bounds;
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/// The reason why signs of the field before are not valid; NULL when they are.
static const char* why_all_signs(const Update* self)
{
    AbutSignClassifierInfo info = abut_sign_classifier_info(self->classifier);
    if (self->def->sign == ABUT_BAKE_SIGN_PSEUDO_NORMALS || self->def->sign == ABUT_BAKE_SIGN_WINDING)
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

static double mesh_clearance(const void* context, AbutDVec3 point)
{
    return abut_mesh_changes_distance(&((const Update*)context)->changes, point);
}

/// Winding numbers may have changed in the box, or a crack, which has no side, crosses it.
static bool mesh_overlaps(const void* context, AbutBox box)
{
    const Update* self = context;
    uint32_t cursor = 0;
    AbutBoxLeaf leaf;
    return abut_mesh_changes_overlap(&self->changes, box) ||
           abut_box_tree_next_overlap(&self->border, &box, 0, &cursor, &leaf);
}

static AbutBox border_box(void* context, uint32_t edge)
{
    return abut_sign_classifier_border_box(context, edge);
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
    self->classifier = abut_mesh_source_classifier(mesh);
    const char* reason = self->classifier != NULL ? why_all_signs(self) : NULL;
    if (reason != NULL)
    {
        report_all(self, build, reason);
        return ABUT_OK;
    }
    double largest = largest_grid_coordinate(&build->header) + largest_box_coordinate(self->before->bounds) +
                     largest_box_coordinate(self->after->bounds);
    AbutChange change = {
        .context = self, .clearance = mesh_clearance, .slope = 2.0, .tolerance = FLOAT_ERROR * largest
    };
    if (self->classifier == NULL)
    {
        change.offset = 0.5 * (double)self->def->thickness;
        return use(self, build, &change);
    }
    change.overlaps = mesh_overlaps;
    change.touching = same_bounds(self) ? 0.0 : change.tolerance;
    result = abut_box_tree_create(&build->host, abut_sign_classifier_border_count(self->classifier),
                                  border_box, (void*)(uintptr_t)self->classifier, &self->border);
    return result == ABUT_OK ? use(self, build, &change) : result;
}

static bool is_inside(AbutBox inner, AbutBox outer)
{
    AbutBox both = abut_box_union(inner, outer);
    return memcmp(&both, &outer, sizeof(both)) == 0;
}

/// Checks, as far as possible, that the field was baked from `before`, and that its box is still large
/// enough.
static AbutResult check_meshes(const Update* self, const AbutShape* field)
{
    AbutMassData mass = abut_mesh_mass(self->before);
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
    AbutEarlierField earlier = { self->field, self, find_for_mesh };
    result = abut_bake_mesh_incremental(self->def, change->after, &earlier, out);
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

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

/// An operand of a union or difference does not change the distance of points that are closer to the surface
/// than to the operand.
static double operand_clearance(const void* context, AbutDVec3 point)
{
    const Update* self = context;
    AbutVec3 at = abut_dvec3_to_vec3(point);
    double least = INFINITY;
    for (uint32_t i = 0; i < self->operand_count; ++i)
    {
        double value = abut_shape_distance(self->operands[i], at, NULL);
        least = value < least || isnan(value) ? value : least;
    }
    return least;
}

static AbutResult find_for_shape(void* context, AbutBuild* build, const AbutMeshSource* mesh)
{
    (void)mesh;
    Update* self = context;
    double steepest = 0.0;
    for (uint32_t i = 0; i < self->operand_count; ++i)
    {
        steepest = fmax(steepest, (double)abut_shape_info(self->operands[i]).lipschitz);
    }
    if (!isfinite(steepest) || !isfinite(build->slope))
    {
        report_all(self, build, "the slope of a shape is not known");
        return ABUT_OK;
    }
    // The field before may have been as steep as the removed operands.
    double slope = steepest + fmax(steepest, build->slope);
    AbutChange change = { .context = self,
                          .clearance = operand_clearance,
                          .slope = slope,
                          .tolerance = FLOAT_ERROR * slope * largest_grid_coordinate(&build->header) };
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
                    .operands = change->operands,
                    .operand_count = change->operand_count };
    AbutEarlierField earlier = { self.field, &self, find_for_shape };
    AbutResult result = abut_bake_shape_incremental(def, change->after, &earlier, out);
    abut_reuse_destroy(&self.reuse);
    return result;
}
