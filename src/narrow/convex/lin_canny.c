// Lin-Canny: closest points of two features against the Voronoi regions of both.
#include "narrow/convex/lin_canny.h"

#include "narrow/convex/feature_walk.h"

/// A point of the frame of hull 0 in that of hull `side`.
static AbutDVec3 in_frame(const AbutFeatureWalk* walk, int side, AbutDVec3 point)
{
    return side == 0 ? point : abut_daffine_apply(&walk->pair->maps[0], point);
}

/// Moves a vertex or edge away from a point outside of its region.
static bool leave(AbutFeatureWalk* walk, int side, AbutDVec3 point)
{
    return walk->features[side].kind == ABUT_FEATURE_IS_VERTEX
               ? abut_feature_leave_vertex(walk, side, in_frame(walk, side, point))
               : abut_feature_leave_edge(walk, side, in_frame(walk, side, point));
}

/// Vertices and edges: each closest point against the region of the other feature.
static bool step_points(AbutFeatureWalk* walk)
{
    AbutFeatureDistance distance = abut_features_distance(walk->pair, walk->features);
    return leave(walk, 0, distance.points[1]) || leave(walk, 1, distance.points[0]);
}

/// A vertex over a face: the vertex against the planes of the face, its projection against those of the
/// vertex. A vertex under the face: to the face of the greatest signed distance, which may be the same one.
static bool step_vertex_face(AbutFeatureWalk* walk, int vertex_side)
{
    int face_side = !vertex_side;
    const AbutHull* hull = walk->pair->hulls[face_side];
    AbutDVec3 at = abut_pair_vertex(walk->pair, vertex_side, walk->features[vertex_side].index);
    if (abut_feature_leave_face(walk, face_side, at))
    {
        return true;
    }
    if (abut_features_height(hull, walk->features[face_side].index, at) <= 0.0)
    {
        walk->features[face_side] = abut_feature_face(abut_features_greatest_face(hull, at));
        return true;
    }
    AbutFeatureDistance distance = abut_features_distance(walk->pair, walk->features);
    return abut_feature_leave_vertex(walk, vertex_side,
                                     in_frame(walk, vertex_side, distance.points[face_side]));
}

/// False when no plane is violated.
static bool step(AbutFeatureWalk* walk)
{
    int face_side = walk->features[0].kind == ABUT_FEATURE_IS_FACE ? 0 : 1;
    if (walk->features[face_side].kind != ABUT_FEATURE_IS_FACE)
    {
        return step_points(walk);
    }
    if (walk->features[!face_side].kind == ABUT_FEATURE_IS_VERTEX)
    {
        return step_vertex_face(walk, !face_side);
    }
    abut_feature_step_edge_face(walk, !face_side); // passing through a face is no answer of this walk
    return true;
}

AbutFeatureResult abut_lin_canny(const AbutHullPair* pair, const AbutFeature start[2])
{
    AbutFeatureWalk walk = abut_feature_walk(pair, start);
    AbutCycleDetector cycles = abut_cycle_detector(walk.features);
    AbutFeatureResult result = { .state = ABUT_FEATURES_CLOSEST };
    for (; step(&walk); result.step_count += 1)
    {
        if (abut_cycle_detector_step(&cycles, walk.features))
        {
            result.state = ABUT_FEATURES_CYCLE;
            break;
        }
    }
    result.features[0] = walk.features[0];
    result.features[1] = walk.features[1];
    return result;
}
