// The methods of solids of triangles: "bvh", "swift", "cinder" and "cullide" of two meshes, "mesh-field" of a
// mesh and a field. Each has its own answer about the surfaces; for two meshes, containment and holes of open
// ones are those of mesh_pair.h. Contacts are those of the search by distances, which the trees of the meshes
// measure.
#include "bvh/query.h"
#include "image/mesh_pair.h"
#include "math/rounding.h"
#include "narrow/contacts/contacts.h"
#include "narrow/contacts/speculative.h"
#include "narrow/method.h"
#include "narrow/triangles/mesh_field.h"
#include "narrow/triangles/mesh_pair.h"
#include "narrow/triangles/swift.h"
#include "shape/resolve.h"

/// A gap up to `limit` is measured, where the method has one.
typedef AbutMeshSurfaces SurfaceFn(const AbutMeshPairView* view, double limit);

/// Contacts of a pair within the margin whose state is known.
static void find_contacts(const AbutNarrowQuery* query, float tolerance)
{
    const AbutCollideSettings* settings = query->settings;
    AbutCollideOutput* output = query->output;
    bool within_margin = output->state != ABUT_COLLIDE_SEPARATED || output->gap <= settings->margin;
    bool has_state = output->state != ABUT_COLLIDE_INVALID && output->state != ABUT_COLLIDE_UNDECIDED;
    if (within_margin && query->capacity > 0 && has_state)
    {
        output->contact_count = abut_narrow_contacts(
            query->pair, &query->scratch->search, &query->scratch->contact_grid, settings, 0.5f * tolerance,
            &output->spacing, query->contacts, query->capacity, &output->contact_total);
    }
}

/// State, then contacts.
static void collide(const AbutNarrowQuery* query, SurfaceFn* surfaces)
{
    const AbutCollideSettings* settings = query->settings;
    AbutCollideOutput* output = query->output;
    float tolerance = abut_pair_tolerance(query->pair->size, settings->tolerance);
    if (output->gap == 0.0f)
    {
        double limit = (double)settings->margin + (double)tolerance;
        AbutMeshPairView view =
            abut_mesh_pair_view(query->shape_a, query->shape_b, query->relative, query->length);
        AbutMeshSurfaces found = surfaces(&view, limit / view.scale);
        AbutMeshPairState state = abut_mesh_pair_solids(&view, &found);
        output->state = state.state;
        output->gap = abut_round_down(state.gap);
        output->uncertainty = abut_round_up(state.uncertainty);
    }
    find_contacts(query, tolerance);
}

static void find_speculative(const AbutNarrowQuery* query)
{
    float tolerance = abut_pair_tolerance(query->pair->size, query->settings->tolerance);
    abut_narrow_speculative_contacts(query->pair, &query->scratch->search, &query->scratch->contact_grid,
                                     query->settings, 0.5f * tolerance, query->contacts, query->capacity,
                                     query->output);
}

// -----------------------------------------------------------------------------------------------------------
// A mesh and a field
// -----------------------------------------------------------------------------------------------------------

/// The state comes from the triangles in the distance of the field.
static void collide_mesh_field(const AbutNarrowQuery* query)
{
    const AbutCollideSettings* settings = query->settings;
    AbutCollideOutput* output = query->output;
    float tolerance = abut_pair_tolerance(query->pair->size, settings->tolerance);
    if (output->gap == 0.0f)
    {
        AbutMeshPairState found =
            abut_mesh_field_state(query->shape_a, query->shape_b, query->relative, query->length,
                                  0.5 * (double)tolerance, settings->budget);
        output->state = found.state;
        output->gap = abut_round_down(found.gap);
        query->pair->evaluations += found.samples;
    }
    find_contacts(query, tolerance);
}

const AbutNarrowMethod abut_narrow_mesh_field = {
    .name = "mesh-field",
    .serves = abut_mesh_field_serves,
    .needs = "a mesh and a field",
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide_mesh_field,
    .speculative = find_speculative,
};

// -----------------------------------------------------------------------------------------------------------
// Trees of boxes
// -----------------------------------------------------------------------------------------------------------

static AbutCollideState state_of_trees(AbutMeshTreeState state)
{
    return state == ABUT_MESH_TREE_SEPARATED ? ABUT_COLLIDE_SEPARATED
           : state == ABUT_MESH_TREE_CONTACT ? ABUT_COLLIDE_CONTACT
           : state == ABUT_MESH_TREE_CLOSE   ? ABUT_COLLIDE_CLOSE
                                             : ABUT_COLLIDE_INVALID;
}

static AbutMeshSurfaces bvh_surfaces(const AbutMeshPairView* view, double limit)
{
    AbutTreePair pair = {
        .a = view->a->tree, .b = view->b->tree, .transform = view->b_in_a, .length = view->length
    };
    AbutMeshTreeTouch touch = abut_tree_collide(&pair);
    AbutMeshSurfaces out = { state_of_trees(touch.state), 0.0, touch.uncertainty };
    if (out.state == ABUT_COLLIDE_SEPARATED)
    {
        AbutMeshTreeDistance distance = abut_tree_distance(&pair, limit, 0.0);
        out.state =
            distance.state == ABUT_MESH_TREE_CONTACT ? ABUT_COLLIDE_CLOSE : state_of_trees(distance.state);
        out.gap = distance.lower;
    }
    return out;
}

static void collide_bvh(const AbutNarrowQuery* query)
{
    collide(query, bvh_surfaces);
}

const AbutNarrowMethod abut_narrow_bvh = {
    .name = "bvh",
    .serves = abut_mesh_pair_serves,
    .needs = "two meshes",
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide_bvh,
    .speculative = find_speculative,
};

// -----------------------------------------------------------------------------------------------------------
// SWIFT
// -----------------------------------------------------------------------------------------------------------

static AbutMeshShape* prepared_leaf(AbutShape* shape)
{
    // The data that methods prepare is the one part of a shape that is not fixed at its creation.
    return (AbutMeshShape*)(uintptr_t)abut_mesh_shape(abut_shape_leaf(shape));
}

static bool serves_swift(const AbutShape* a, const AbutShape* b)
{
    return abut_mesh_pair_serves(a, b) && abut_mesh_shape(abut_shape_leaf(a))->prepared.pieces != NULL &&
           abut_mesh_shape(abut_shape_leaf(b))->prepared.pieces != NULL;
}

static AbutResult prepare_swift(AbutShape* a, AbutShape* b)
{
    AbutResult result = abut_mesh_shape_prepare_pieces(prepared_leaf(a));
    return result == ABUT_OK ? abut_mesh_shape_prepare_pieces(prepared_leaf(b)) : result;
}

static AbutMeshSurfaces swift_surfaces(const AbutMeshPairView* view, double limit)
{
    (void)limit;
    AbutSwiftOutput found =
        abut_swift_surfaces(view->a->prepared.pieces, view->b->prepared.pieces, &view->b_in_a, view->length);
    double lengths = view->length + abut_dvec3_taxicab(view->b_in_a.translation) +
                     view->b_in_a.scale * (double)view->b->base.rounding.length;
    AbutMeshSurfaces out = { ABUT_COLLIDE_CLOSE, 0.0, 4.0 * ABUT_TRANSFORM_ROUNDING * lengths };
    out.state = found.state == ABUT_SWIFT_SEPARATED ? ABUT_COLLIDE_SEPARATED
                : found.state == ABUT_SWIFT_CONTACT ? ABUT_COLLIDE_CONTACT
                : found.state == ABUT_SWIFT_INVALID ? ABUT_COLLIDE_INVALID
                                                    : ABUT_COLLIDE_CLOSE;
    out.gap = out.state == ABUT_COLLIDE_SEPARATED ? found.low : 0.0;
    return out;
}

static void collide_swift(const AbutNarrowQuery* query)
{
    collide(query, swift_surfaces);
}

const AbutNarrowMethod abut_narrow_swift = {
    .name = "swift",
    .serves = serves_swift,
    .needs = "two meshes with decompositions (abut_collide_prepare())",
    .could_serve = abut_mesh_pair_serves,
    .prepare = prepare_swift,
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide_swift,
    .speculative = find_speculative,
};

// -----------------------------------------------------------------------------------------------------------
// Image space
// -----------------------------------------------------------------------------------------------------------

static const AbutImageObject* image_of(const AbutShape* shape)
{
    return abut_mesh_shape(abut_shape_leaf(shape))->prepared.image;
}

static bool serves_cullide(const AbutShape* a, const AbutShape* b)
{
    return abut_mesh_pair_serves(a, b) && image_of(a) != NULL && image_of(b) != NULL;
}

static bool serves_cinder(const AbutShape* a, const AbutShape* b)
{
    return serves_cullide(a, b) && image_of(a)->topology.odd_edge_count == 0 &&
           image_of(b)->topology.odd_edge_count == 0;
}

static AbutResult prepare_cullide(AbutShape* a, AbutShape* b)
{
    AbutResult result = abut_mesh_shape_prepare_image(prepared_leaf(a));
    return result == ABUT_OK ? abut_mesh_shape_prepare_image(prepared_leaf(b)) : result;
}

static AbutResult check_closed(const AbutShape* shape)
{
    uint32_t odd = image_of(shape)->topology.odd_edge_count;
    return odd == 0
               ? ABUT_OK
               : abut_fail(ABUT_INVALID_DATA,
                           "cinder: the mesh is not closed: %u edges have an odd number of triangles; take "
                           "cullide or bvh, or close it first",
                           odd);
}

static AbutResult prepare_cinder(AbutShape* a, AbutShape* b)
{
    AbutResult result = prepare_cullide(a, b);
    result = result == ABUT_OK ? check_closed(a) : result;
    return result == ABUT_OK ? check_closed(b) : result;
}

static AbutCollideState state_of_image(AbutResult result, AbutImageState state)
{
    return result != ABUT_OK               ? ABUT_COLLIDE_INVALID
           : state == ABUT_IMAGE_SEPARATED ? ABUT_COLLIDE_SEPARATED
           : state == ABUT_IMAGE_CONTACT   ? ABUT_COLLIDE_CONTACT
                                           : ABUT_COLLIDE_CLOSE;
}

static AbutMeshSurfaces cullide_surfaces(const AbutMeshPairView* view, double limit)
{
    (void)limit;
    AbutMeshSurfaces out = { .state = ABUT_COLLIDE_INVALID };
    AbutImageSet* set = abut_mesh_shape_take_set(view->a, view->b);
    if (set != NULL)
    {
        AbutImageSettings settings = abut_image_settings();
        AbutImageState state = ABUT_IMAGE_SEPARATED;
        AbutResult result = abut_image_set_transform_pair(set, &view->b_in_a, view->length, "cullide");
        result = result == ABUT_OK ? abut_cullide_state(set, &settings, &state) : result;
        out = (AbutMeshSurfaces){ state_of_image(result, state), 0.0, set->uncertainty };
        abut_mesh_shape_return_set(view->a, set);
    }
    return out;
}

static void collide_cullide(const AbutNarrowQuery* query)
{
    collide(query, cullide_surfaces);
}

const AbutNarrowMethod abut_narrow_cullide = {
    .name = "cullide",
    .serves = serves_cullide,
    .needs = "two meshes with chunks (abut_collide_prepare())",
    .could_serve = abut_mesh_pair_serves,
    .prepare = prepare_cullide,
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide_cullide,
    .speculative = find_speculative,
};

/// Parity says "inside" of the edge of a contact. The solid is that of the signs, which may differ where
/// components overlap: of a point of the edge that is in neither, `adaptive` decides.
static AbutCollideState confirm_inside(const AbutMeshPairView* view, const AbutCinderOutput* found)
{
    const AbutMesh* mesh = found->object == 0 ? view->a->mesh : view->b->mesh;
    const uint32_t* corners = abut_mesh_indices(mesh) + 3 * (size_t)found->triangle;
    AbutDVec3 from = abut_dvec3_from_vec3(abut_mesh_vertices(mesh)[corners[found->edge]]);
    AbutDVec3 to = abut_dvec3_from_vec3(abut_mesh_vertices(mesh)[corners[(found->edge + 1) % 3]]);
    AbutDVec3 points[2] = { from, abut_dvec3_lerp(from, to, 0.5) };
    for (int i = 0; i < 2; ++i)
    {
        double rounding = abut_mesh_pair_rounding(view, (int)found->object, found->uncertainty);
        if (abut_mesh_pair_bounds(view, (int)found->object, points[i]).high < -rounding)
        {
            return ABUT_COLLIDE_CONTACT;
        }
    }
    return ABUT_COLLIDE_UNDECIDED;
}

static AbutMeshSurfaces cinder_surfaces(const AbutMeshPairView* view, double limit)
{
    (void)limit;
    AbutMeshSurfaces out = { .state = ABUT_COLLIDE_INVALID };
    AbutImageSet* set = abut_mesh_shape_take_set(view->a, view->b);
    if (set != NULL)
    {
        AbutImageSettings settings = abut_image_settings();
        AbutCinderOutput found = { .state = ABUT_IMAGE_SEPARATED };
        AbutResult result = abut_image_set_transform_pair(set, &view->b_in_a, view->length, "cinder");
        result = result == ABUT_OK ? abut_cinder_state(set, &settings, &found) : result;
        out = (AbutMeshSurfaces){ state_of_image(result, found.state), 0.0, set->uncertainty };
        out.state =
            out.state == ABUT_COLLIDE_CONTACT && found.is_inside ? confirm_inside(view, &found) : out.state;
        abut_mesh_shape_return_set(view->a, set);
    }
    return out;
}

static void collide_cinder(const AbutNarrowQuery* query)
{
    collide(query, cinder_surfaces);
}

const AbutNarrowMethod abut_narrow_cinder = {
    .name = "cinder",
    .serves = serves_cinder,
    .needs = "two closed meshes with chunks (abut_collide_prepare())",
    .could_serve = abut_mesh_pair_serves,
    .prepare = prepare_cinder,
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide_cinder,
    .speculative = find_speculative,
};
