// SWIFT: a traversal of two trees of hulls with walks over features, then triangles.
#include "narrow/triangles/swift.h"
#include "base/fp_env.h"
#include "base/scratch.h"
#include "decompose/convex_patches.h"
#include "decompose/decomposition.h"
#include "mesh/corners.h"
#include "mesh/triangle/distance.h"
#include "narrow/convex/feature_proof.h"
#include "narrow/convex/v_clip.h"
#include "narrow/triangles/swift_tracker.h"

#include <math.h>

enum
{
    LEAF_CAPACITY = ABUT_CONVEX_PATCH_TRIANGLES
};

/// Rounding of a vertex of B in the frame of A and of its product with a unit vector, relative to all lengths
/// in the sums: ABUT_TRANSFORM_ROUNDING for each coordinate, and what is left for products and normals.
static const double PRODUCT_ROUNDING = 8.0 * ABUT_TRANSFORM_ROUNDING;

/// A pair of nodes that is not pruned yet.
typedef struct NodePair
{
    uint32_t a, b;
    double low;                // proved bound of the distance of the hulls
    AbutSeparatingPlane plane; // where the bound is over 0
} NodePair;

typedef struct Scratch
{
    uint32_t close_a[LEAF_CAPACITY], close_b[LEAF_CAPACITY];
    AbutDTriangle moved[LEAF_CAPACITY]; // triangles close_b in the frame of A
    NodePair stack[];
} Scratch;

typedef struct Traversal
{
    const AbutSwiftInput* input;
    AbutTransform b_in_a;
    AbutHullPair frames; // maps; the hulls are those of the pair at hand
    double length;       // of a translation, for rounding
    double radius;       // rounding of the coordinates of a vertex of B in the frame of A
    double rounding;     // of products of any vertices with a unit vector
    Scratch* scratch;
    uint32_t count; // of the stack
    bool hulls_are_apart;
    bool is_uncertain; // triangles in touch or apart by no more than rounding
    AbutSwiftOutput* out;
} Traversal;

static const AbutDecompositionNode* node_a(const Traversal* traversal, uint32_t node)
{
    return &traversal->input->a->nodes[node];
}

static const AbutDecompositionNode* node_b(const Traversal* traversal, uint32_t node)
{
    return &traversal->input->b->nodes[node];
}

// -----------------------------------------------------------------------------------------------------------
// Hulls
// -----------------------------------------------------------------------------------------------------------

/// Where a walk starts: the features of the last query, or the vertices towards the other hull, along the
/// plane of the pair above.
static void start_features(const Traversal* traversal, const AbutHullPair* pair, uint32_t a, uint32_t b,
                           AbutDVec3 normal, AbutFeature start[2])
{
    AbutSwiftTracker* tracker = traversal->input->tracker;
    if (tracker != NULL && abut_swift_tracker_find(tracker, a, b, pair, start))
    {
        return;
    }
    if (abut_dvec3_squared_length(normal) == 0.0)
    {
        AbutDVec3 to_a = abut_transform_point(&traversal->b_in_a, pair->hulls[1]->interior);
        normal = abut_dvec3_sub(pair->hulls[0]->interior, to_a);
    }
    AbutDVec3 in_a = abut_dvec3_neg(normal);
    AbutDVec3 in_b = abut_transform_inverse_rotate(&traversal->b_in_a, normal);
    const AbutHull *hull_a = pair->hulls[0], *hull_b = pair->hulls[1];
    start[0] = abut_feature_vertex(abut_hull_support(hull_a, in_a, abut_hull_start(hull_a, in_a)));
    start[1] = abut_feature_vertex(abut_hull_support(hull_b, in_b, abut_hull_start(hull_b, in_b)));
}

/// The distance of the hulls of two nodes: a walk and its proof. Without one, the bound of the pair above.
static NodePair make_pair(Traversal* traversal, uint32_t a, uint32_t b, const NodePair* above)
{
    AbutHullPair pair = traversal->frames;
    pair.hulls[0] = node_a(traversal, a)->hull;
    pair.hulls[1] = node_b(traversal, b)->hull;
    AbutFeature start[2];
    start_features(traversal, &pair, a, b, above->plane.normal, start);
    AbutFeatureResult result = abut_v_clip(&pair, start);
    traversal->out->hull_pairs += 1;
    traversal->out->walk_steps += result.step_count;
    if (traversal->input->tracker != NULL)
    {
        abut_swift_tracker_store(traversal->input->tracker, a, b, result.features);
    }
    NodePair out = { .a = a, .b = b, .low = above->low, .plane = above->plane };
    if (result.state != ABUT_FEATURES_PENETRATION)
    {
        double radii = pair.hulls[0]->radius + traversal->b_in_a.scale * pair.hulls[1]->radius;
        double rounding = PRODUCT_ROUNDING * (traversal->length + radii);
        AbutSeparatingPlane plane = abut_features_plane(&pair, result.features, rounding);
        if (plane.side_a - plane.side_b > out.low)
        {
            out.low = plane.side_a - plane.side_b;
            out.plane = plane;
        }
    }
    return out;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

static AbutDTriangle triangle_of(const AbutDecomposition* source, uint32_t triangle)
{
    AbutDTriangle out;
    abut_mesh_corners(source->mesh, triangle, out.corners);
    return out;
}

static AbutDTriangle triangle_in_a(const Traversal* traversal, uint32_t triangle)
{
    AbutDTriangle out = triangle_of(traversal->input->b, triangle);
    for (int corner = 0; corner < 3; ++corner)
    {
        out.corners[corner] = abut_daffine_apply(&traversal->frames.maps[1], out.corners[corner]);
    }
    return out;
}

/// The distance that still matters: a pair of nodes or triangles further apart is pruned.
static double limit_of(const Traversal* traversal)
{
    double tolerance = traversal->input->tolerance;
    return traversal->input->question == ABUT_SWIFT_YES_NO
               ? tolerance
               : abut_larger(traversal->out->high - tolerance, 0.0);
}

/// Bounds the distance of everything that is left out; true when that is over the limit.
static bool leave_out(Traversal* traversal, double low)
{
    if (!(low > 0.0 && low > limit_of(traversal)))
    {
        return false;
    }
    traversal->out->low = abut_smaller(low, traversal->out->low);
    return true;
}

static double least_product(const AbutDTriangle* t, AbutDVec3 normal)
{
    double first = abut_dvec3_dot(normal, t->corners[0]), second = abut_dvec3_dot(normal, t->corners[1]);
    return abut_smaller(abut_smaller(first, second), abut_dvec3_dot(normal, t->corners[2]));
}

/// Triangles of the leaves that the plane between the hulls does not leave out, those of B in the frame of A.
static void find_close_triangles(Traversal* traversal, const NodePair* pair, uint32_t counts[2])
{
    const AbutDecompositionNode *a = node_a(traversal, pair->a), *b = node_b(traversal, pair->b);
    Scratch* scratch = traversal->scratch;
    AbutDVec3 back = abut_dvec3_neg(pair->plane.normal);
    bool has_plane = pair->low > 0.0;
    counts[0] = counts[1] = 0;
    for (uint32_t t = a->first_triangle; t < a->first_triangle + a->triangle_count; ++t)
    {
        AbutDTriangle corners = triangle_of(traversal->input->a, t);
        double low = least_product(&corners, pair->plane.normal) - pair->plane.side_b - traversal->rounding;
        if (!has_plane || !leave_out(traversal, low))
        {
            scratch->close_a[counts[0]++] = t;
        }
    }
    for (uint32_t t = b->first_triangle; t < b->first_triangle + b->triangle_count; ++t)
    {
        AbutDTriangle corners = triangle_in_a(traversal, t);
        double low = least_product(&corners, back) + pair->plane.side_a - traversal->rounding;
        if (!has_plane || !leave_out(traversal, low))
        {
            scratch->moved[counts[1]] = corners;
            scratch->close_b[counts[1]++] = t;
        }
    }
}

/// Lower bound of the distance of two triangles by their boxes.
static double box_gap(const AbutDTriangle* s, const AbutDTriangle* t)
{
    AbutDVec3 s_low = abut_dvec3_min(abut_dvec3_min(s->corners[0], s->corners[1]), s->corners[2]);
    AbutDVec3 s_high = abut_dvec3_max(abut_dvec3_max(s->corners[0], s->corners[1]), s->corners[2]);
    AbutDVec3 t_low = abut_dvec3_min(abut_dvec3_min(t->corners[0], t->corners[1]), t->corners[2]);
    AbutDVec3 t_high = abut_dvec3_max(abut_dvec3_max(t->corners[0], t->corners[1]), t->corners[2]);
    AbutDVec3 gap = abut_dvec3_max(abut_dvec3_sub(s_low, t_high), abut_dvec3_sub(t_low, s_high));
    return abut_dvec3_length(abut_dvec3_max(gap, abut_dvec3_zero()));
}

static void set_contact(Traversal* traversal, uint32_t a, uint32_t b)
{
    traversal->out->state = ABUT_SWIFT_CONTACT;
    traversal->out->triangle_a = a;
    traversal->out->triangle_b = b;
}

static void take_distance(Traversal* traversal, const AbutTriangleDistance* distance, uint32_t a, uint32_t b)
{
    AbutSwiftOutput* out = traversal->out;
    out->low = abut_smaller(distance->lower, out->low);
    if (distance->distance < out->high)
    {
        out->high = distance->distance;
        out->point_a = abut_dvec3_to_position(distance->point_a);
        out->point_b = abut_dvec3_to_position(distance->point_b);
        out->triangle_a = a;
        out->triangle_b = b;
    }
}

static void test_triangles(Traversal* traversal, uint32_t a, uint32_t slot)
{
    const AbutDTriangle* moved = &traversal->scratch->moved[slot];
    uint32_t b = traversal->scratch->close_b[slot];
    AbutDTriangle corners = triangle_of(traversal->input->a, a);
    if (leave_out(traversal, box_gap(&corners, moved) - traversal->rounding))
    {
        return;
    }
    traversal->out->triangle_pairs += 1;
    AbutTriangleDistance distance = abut_triangles_distance(&corners, moved, traversal->radius);
    if (distance.lower > 0.0)
    {
        take_distance(traversal, &distance, a, b);
        return;
    }
    switch (abut_triangles_touch_within(&corners, moved, traversal->radius))
    {
    case ABUT_TRIANGLES_TOUCH:
        set_contact(traversal, a, b);
        break;
    case ABUT_TRIANGLES_CLOSE:
        traversal->is_uncertain = true;
        break;
    case ABUT_TRIANGLES_APART:
        traversal->out->low = 0.0; // by less than rounding
        break;
    }
}

static void visit_leaves(Traversal* traversal, const NodePair* pair)
{
    uint32_t counts[2];
    find_close_triangles(traversal, pair, counts);
    for (uint32_t i = 0; i < counts[0]; ++i)
    {
        for (uint32_t k = 0; k < counts[1] && traversal->out->state != ABUT_SWIFT_CONTACT; ++k)
        {
            test_triangles(traversal, traversal->scratch->close_a[i], k);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Traversal
// -----------------------------------------------------------------------------------------------------------

static void push(Traversal* traversal, const NodePair* pair)
{
    if (!leave_out(traversal, pair->low))
    {
        traversal->scratch->stack[traversal->count++] = *pair;
    }
}

static bool is_leaf(const AbutDecompositionNode* node)
{
    return node->children[0] == ABUT_DECOMPOSITION_NONE;
}

/// The larger hull is divided; the closer pair comes first.
static void divide(Traversal* traversal, const NodePair* pair)
{
    const AbutDecompositionNode *a = node_a(traversal, pair->a), *b = node_b(traversal, pair->b);
    bool divides_a =
        is_leaf(b) || (!is_leaf(a) && a->hull->diameter >= traversal->b_in_a.scale * b->hull->diameter);
    NodePair children[2];
    for (int i = 0; i < 2; ++i)
    {
        children[i] = make_pair(traversal, divides_a ? a->children[i] : pair->a,
                                divides_a ? pair->b : b->children[i], pair);
    }
    int closer = children[1].low < children[0].low;
    push(traversal, &children[!closer]);
    push(traversal, &children[closer]);
}

static void traverse(Traversal* traversal)
{
    NodePair none = { 0 };
    NodePair root = make_pair(traversal, 0, 0, &none);
    traversal->hulls_are_apart = root.low > 0.0;
    for (push(traversal, &root); traversal->count > 0 && traversal->out->state != ABUT_SWIFT_CONTACT;)
    {
        NodePair pair = traversal->scratch->stack[--traversal->count];
        if (leave_out(traversal, pair.low))
        {
            continue;
        }
        if (is_leaf(node_a(traversal, pair.a)) && is_leaf(node_b(traversal, pair.b)))
        {
            visit_leaves(traversal, &pair);
        }
        else
        {
            divide(traversal, &pair);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Solids inside of each other
// -----------------------------------------------------------------------------------------------------------

/// Whether a component of one solid is inside of the other: the surfaces are apart, so that one vertex tells.
static bool is_inside(const AbutDecomposition* inner, const AbutDecomposition* outer, const AbutDAffine* map)
{
    for (uint32_t i = 0; i < inner->component_count; ++i)
    {
        AbutDVec3 vertex = abut_mesh_dvertex(inner->solid.half_edges.mesh, inner->components[i]);
        if (abut_solid_distance(&outer->solid, abut_daffine_apply(map, vertex)) < 0.0)
        {
            return true;
        }
    }
    return false;
}

/// The state from the bounds of the surfaces.
static void conclude(Traversal* traversal)
{
    AbutSwiftOutput* out = traversal->out;
    const AbutSwiftInput* input = traversal->input;
    if (out->state != ABUT_SWIFT_CONTACT)
    {
        bool are_apart = !traversal->is_uncertain && out->low > 0.0;
        bool is_within = input->question == ABUT_SWIFT_YES_NO && out->low <= input->tolerance;
        out->state = !are_apart || is_within ? ABUT_SWIFT_CLOSE : ABUT_SWIFT_SEPARATED;
        if (are_apart && !traversal->hulls_are_apart &&
            (is_inside(input->a, input->b, &traversal->frames.maps[0]) ||
             is_inside(input->b, input->a, &traversal->frames.maps[1])))
        {
            out->state = ABUT_SWIFT_CONTACT;
        }
        out->low = are_apart ? abut_smaller(out->low, out->high) : 0.0;
    }
    if (out->state == ABUT_SWIFT_CONTACT)
    {
        out->low = out->high = 0.0;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Query
// -----------------------------------------------------------------------------------------------------------

const char* abut_swift_state_name(AbutSwiftState state)
{
    static const char* const names[ABUT_SWIFT_STATE_COUNT] = {
        [ABUT_SWIFT_SEPARATED] = "separated",
        [ABUT_SWIFT_CONTACT] = "contact",
        [ABUT_SWIFT_CLOSE] = "close",
        [ABUT_SWIFT_INVALID] = "invalid",
    };
    return (unsigned)state < ABUT_SWIFT_STATE_COUNT ? names[state] : "unknown state";
}

AbutSwiftInput abut_swift_input(const AbutDecomposition* a, const AbutDecomposition* b)
{
    return (AbutSwiftInput){ .a = a,
                             .b = b,
                             .pose_a = abut_pose_identity(),
                             .pose_b = abut_pose_identity(),
                             .question = ABUT_SWIFT_DISTANCE };
}

static bool check_input(const AbutSwiftInput* input)
{
    if (input->a == NULL || input->b == NULL)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "swift: a decomposition is NULL");
        return false;
    }
    if (!abut_pose_is_valid(&input->pose_a) || !abut_pose_is_valid(&input->pose_b))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "swift: a pose has NaN, infinity, a rotation that is no unit "
                                         "quaternion or a scale that is not positive");
        return false;
    }
    if (!(input->tolerance >= 0.0 && input->tolerance < INFINITY) || input->question > ABUT_SWIFT_DISTANCE)
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "swift: the tolerance must be finite and not negative");
        return false;
    }
    return true;
}

/// B in the frame of A, computed from `length`.
static void begin(Traversal* traversal, const AbutTransform* b_in_a, double length)
{
    const AbutSwiftInput* input = traversal->input;
    traversal->b_in_a = *b_in_a;
    traversal->frames = abut_features_pair(NULL, NULL, &traversal->b_in_a);
    traversal->length = length;
    double radii = traversal->b_in_a.scale * input->b->nodes[0].hull->radius;
    traversal->radius = ABUT_TRANSFORM_ROUNDING * (traversal->length + 2.0 * radii);
    traversal->rounding = PRODUCT_ROUNDING * (input->a->nodes[0].hull->radius + traversal->length + radii);
}

static AbutSwiftOutput run(const AbutSwiftInput* input, const AbutTransform* b_in_a, double length,
                           bool surfaces)
{
    AbutSwiftOutput out = { .state = ABUT_SWIFT_INVALID, .high = INFINITY };
    size_t capacity = (size_t)input->a->depth + input->b->depth + 2;
    Scratch* scratch = abut_scratch_acquire(sizeof(Scratch) + capacity * sizeof(NodePair));
    if (scratch == NULL)
    {
        return out;
    }
    out.state = ABUT_SWIFT_SEPARATED;
    out.low = INFINITY;
    Traversal traversal = { .input = input, .scratch = scratch, .out = &out };
    begin(&traversal, b_in_a, length);
    traverse(&traversal);
    traversal.hulls_are_apart = traversal.hulls_are_apart || surfaces; // then no containment
    conclude(&traversal);
    abut_scratch_release(scratch);
    return out;
}

AbutSwiftOutput abut_swift_query(const AbutSwiftInput* input)
{
    ABUT_FP_CALL(abut_swift_query, input);
    if (!check_input(input))
    {
        return (AbutSwiftOutput){ .state = ABUT_SWIFT_INVALID, .high = INFINITY };
    }
    AbutTransform b_in_a = abut_transform_relative(&input->pose_a, &input->pose_b);
    return run(input, &b_in_a, abut_dvec3_taxicab(b_in_a.translation), false);
}

AbutSwiftOutput abut_swift_surfaces(const AbutDecomposition* a, const AbutDecomposition* b,
                                    const AbutTransform* b_in_a, double length)
{
    AbutSwiftInput input = abut_swift_input(a, b);
    return run(&input, b_in_a, length + abut_dvec3_taxicab(b_in_a->translation), true);
}
