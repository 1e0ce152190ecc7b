// V-Clip: one function per pair of kinds of features, each a step of the walk.
#include "narrow/convex/v_clip.h"

#include "narrow/convex/feature_walk.h"

typedef enum Step
{
    STEP_MOVED,
    STEP_CLOSEST,
    STEP_PENETRATION,
} Step;

// -----------------------------------------------------------------------------------------------------------
// Clipping of edges by regions of vertices and edges
// -----------------------------------------------------------------------------------------------------------

/// By the planes of a vertex across its edges.
static void clip_by_vertex(AbutEdgeClip* clip, const AbutHull* hull, uint32_t vertex)
{
    AbutDVec3 at = abut_hull_position(hull, vertex);
    AbutDVec3 from_first = abut_dvec3_sub(at, clip->ends[0]), from_second = abut_dvec3_sub(at, clip->ends[1]);
    for (AbutVertexFan fan = abut_vertex_fan(hull, vertex); fan.left > 0; abut_vertex_fan_next(&fan))
    {
        AbutDVec3 along = abut_features_direction(hull, fan.half_edge);
        double first = abut_dvec3_dot(along, from_first);
        double second = abut_dvec3_dot(along, from_second);
        if (!abut_edge_clip_by(clip, first, second, abut_feature_edge(hull, fan.half_edge)))
        {
            return;
        }
    }
}

/// By the planes [begin, end) of an edge.
static void clip_by_edge(AbutEdgeClip* clip, const AbutEdgeRegion* region, uint32_t begin, uint32_t end)
{
    for (uint32_t plane = begin; plane < end; ++plane)
    {
        double first = abut_edge_region_product(region, plane, clip->ends[0]);
        double second = abut_edge_region_product(region, plane, clip->ends[1]);
        if (!abut_edge_clip_by(clip, first, second, region->neighbors[plane]))
        {
            return;
        }
    }
}

/// Derivative along the edge of the squared distance from a vertex, of any positive scale.
static double vertex_slope(const AbutEdgeClip* clip, AbutDVec3 vertex, double fraction)
{
    AbutDVec3 along = abut_dvec3_sub(clip->ends[1], clip->ends[0]);
    AbutDVec3 at = abut_dvec3_mul_add(clip->ends[0], fraction, along);
    return abut_dvec3_dot(along, abut_dvec3_sub(at, vertex));
}

/// Derivative along the edge of the distance from the plane of a face.
static double face_slope(const AbutEdgeClip* clip, const AbutHull* hull, uint32_t face, double fraction)
{
    double first = abut_features_height(hull, face, clip->ends[0]);
    double second = abut_features_height(hull, face, clip->ends[1]);
    return first + fraction * (second - first) < 0.0 ? first - second : second - first;
}

/// At a plane of a region, its feature and the neighbour are at the same distance, and so are the slopes of
/// both distances along the edge: the simpler one is used.
static double neighbor_slope(const AbutEdgeClip* clip, const AbutHull* hull, AbutFeature neighbor,
                             double fraction)
{
    return neighbor.kind == ABUT_FEATURE_IS_VERTEX
               ? vertex_slope(clip, abut_hull_position(hull, neighbor.index), fraction)
               : face_slope(clip, hull, neighbor.index, fraction);
}

/// Moves an edge to the vertex or face across a plane beyond which the clipped edge comes closer.
static bool leave_clip(AbutFeatureWalk* walk, int side, const AbutEdgeClip* clip)
{
    const AbutHull* hull = walk->pair->hulls[side];
    if (clip->is_simply_excluded ||
        (clip->low_is_clipped && neighbor_slope(clip, hull, clip->low_neighbor, clip->low) > 0.0))
    {
        walk->features[side] = clip->low_neighbor;
        return true;
    }
    if (clip->high_is_clipped && neighbor_slope(clip, hull, clip->high_neighbor, clip->high) < 0.0)
    {
        walk->features[side] = clip->high_neighbor;
        return true;
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

static Step step_vertex_vertex(AbutFeatureWalk* walk)
{
    AbutDVec3 in_b = abut_pair_vertex(walk->pair, 0, walk->features[0].index);
    AbutDVec3 in_a = abut_pair_vertex(walk->pair, 1, walk->features[1].index);
    bool moved = abut_feature_leave_vertex(walk, 0, in_a) || abut_feature_leave_vertex(walk, 1, in_b);
    return moved ? STEP_MOVED : STEP_CLOSEST;
}

static Step step_vertex_edge(AbutFeatureWalk* walk, int vertex_side)
{
    uint32_t vertex = walk->features[vertex_side].index;
    if (abut_feature_leave_edge(walk, !vertex_side, abut_pair_vertex(walk->pair, vertex_side, vertex)))
    {
        return STEP_MOVED;
    }
    const AbutHull* hull = walk->pair->hulls[vertex_side];
    AbutEdgeClip clip = abut_edge_clip(walk, !vertex_side);
    clip_by_vertex(&clip, hull, vertex);
    AbutDVec3 at = abut_hull_position(hull, vertex);
    if (clip.is_simply_excluded || (clip.low_is_clipped && vertex_slope(&clip, at, clip.low) > 0.0))
    {
        walk->features[vertex_side] = clip.low_neighbor;
        return STEP_MOVED;
    }
    if (clip.high_is_clipped && vertex_slope(&clip, at, clip.high) < 0.0)
    {
        walk->features[vertex_side] = clip.high_neighbor;
        return STEP_MOVED;
    }
    return STEP_CLOSEST;
}

static Step step_edge_edge(AbutFeatureWalk* walk)
{
    for (int side = 0; side < 2; ++side)
    {
        AbutEdgeRegion region = abut_edge_region(walk->pair->hulls[side], walk->features[side].index);
        AbutEdgeClip clip = abut_edge_clip(walk, !side);
        clip_by_edge(&clip, &region, 0, 2);
        if (leave_clip(walk, side, &clip))
        {
            return STEP_MOVED;
        }
        if (!clip.is_excluded)
        {
            clip_by_edge(&clip, &region, 2, abut_edge_region_plane_count(&region));
        }
        if (leave_clip(walk, side, &clip))
        {
            return STEP_MOVED;
        }
    }
    return STEP_CLOSEST;
}

/// Moves a vertex to the first of its edges that comes closer to the plane of a face.
static bool leave_towards_plane(AbutFeatureWalk* walk, int vertex_side, double height)
{
    const AbutHull* hull = walk->pair->hulls[vertex_side];
    const AbutHull* face_hull = walk->pair->hulls[!vertex_side];
    uint32_t face = walk->features[!vertex_side].index;
    uint32_t vertex = walk->features[vertex_side].index;
    for (AbutVertexFan fan = abut_vertex_fan(hull, vertex); fan.left > 0; abut_vertex_fan_next(&fan))
    {
        uint32_t head = abut_hull_head(hull, fan.half_edge);
        double next = abut_features_height(face_hull, face, abut_pair_vertex(walk->pair, vertex_side, head));
        if (height > 0.0 ? next < height : next > height)
        {
            walk->features[vertex_side] = abut_feature_edge(hull, fan.half_edge);
            return true;
        }
    }
    return false;
}

static Step step_vertex_face(AbutFeatureWalk* walk, int vertex_side)
{
    const AbutHull* hull = walk->pair->hulls[!vertex_side];
    AbutDVec3 at = abut_pair_vertex(walk->pair, vertex_side, walk->features[vertex_side].index);
    if (abut_feature_leave_face(walk, !vertex_side, at))
    {
        return STEP_MOVED;
    }
    double height = abut_features_height(hull, walk->features[!vertex_side].index, at);
    if (height == 0.0)
    {
        return STEP_PENETRATION;
    }
    if (leave_towards_plane(walk, vertex_side, height))
    {
        return STEP_MOVED;
    }
    if (height > 0.0)
    {
        return STEP_CLOSEST;
    }
    uint32_t greatest = abut_features_greatest_face(hull, at);
    walk->features[!vertex_side] = abut_feature_face(greatest);
    return abut_features_height(hull, greatest, at) > 0.0 ? STEP_MOVED : STEP_PENETRATION;
}

static Step step_edge_face(AbutFeatureWalk* walk, int edge_side)
{
    AbutFeature before[2] = { walk->features[0], walk->features[1] };
    if (abut_feature_step_edge_face(walk, edge_side))
    {
        return STEP_MOVED;
    }
    walk->features[0] = before[0];
    walk->features[1] = before[1];
    return STEP_PENETRATION;
}

static Step step(AbutFeatureWalk* walk)
{
    AbutFeatureKind a = walk->features[0].kind, b = walk->features[1].kind;
    int low = a <= b ? 0 : 1; // the side of the feature of lower dimension
    AbutFeatureKind low_kind = low == 0 ? a : b, high_kind = low == 0 ? b : a;
    if (high_kind == ABUT_FEATURE_IS_FACE)
    {
        return low_kind == ABUT_FEATURE_IS_VERTEX ? step_vertex_face(walk, low) : step_edge_face(walk, low);
    }
    if (high_kind == ABUT_FEATURE_IS_VERTEX)
    {
        return step_vertex_vertex(walk);
    }
    return low_kind == ABUT_FEATURE_IS_VERTEX ? step_vertex_edge(walk, low) : step_edge_edge(walk);
}

AbutFeatureResult abut_v_clip(const AbutHullPair* pair, const AbutFeature start[2])
{
    AbutFeatureWalk walk = abut_feature_walk(pair, start);
    AbutCycleDetector cycles = abut_cycle_detector(walk.features);
    AbutFeatureResult result = { .state = ABUT_FEATURES_CYCLE };
    for (bool is_done = false; !is_done;)
    {
        Step outcome = step(&walk);
        result.step_count += 1;
        if (outcome == STEP_MOVED)
        {
            is_done = abut_cycle_detector_step(&cycles, walk.features);
        }
        else
        {
            result.state = outcome == STEP_CLOSEST ? ABUT_FEATURES_CLOSEST : ABUT_FEATURES_PENETRATION;
            is_done = true;
        }
    }
    result.features[0] = walk.features[0];
    result.features[1] = walk.features[1];
    if (result.state == ABUT_FEATURES_CLOSEST && abut_features_distance(pair, walk.features).squared == 0.0)
    {
        result.state = ABUT_FEATURES_PENETRATION; // a vertex on the other hull, or edges that cross
    }
    return result;
}
