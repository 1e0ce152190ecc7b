// Proofs from the features of a walk.
#include "narrow/convex/feature_proof.h"

/// A vertex of a feature.
static uint32_t vertex_of(const AbutHull* hull, AbutFeature feature)
{
    switch (feature.kind)
    {
    case ABUT_FEATURE_IS_EDGE:
        return abut_hull_tail(hull, feature.index);
    case ABUT_FEATURE_IS_FACE:
        return abut_hull_tail(hull, abut_hull_faces(hull)[feature.index].first);
    default:
        return feature.index;
    }
}

/// A direction of frame 0 in frame 1, of any length: the map of directions is a multiple of a rotation, so
/// its transpose is a multiple of its inverse.
static AbutDVec3 direction_in_b(const AbutHullPair* pair, AbutDVec3 direction)
{
    const AbutDAffine* map = &pair->maps[1];
    return abut_dvec3(abut_dvec3_dot(abut_daffine_column(map, 0), direction),
                      abut_dvec3_dot(abut_daffine_column(map, 1), direction),
                      abut_dvec3_dot(abut_daffine_column(map, 2), direction));
}

AbutSeparatingPlane abut_features_plane(const AbutHullPair* pair, const AbutFeature features[2],
                                        double rounding)
{
    AbutFeatureDistance distance = abut_features_distance(pair, features);
    AbutDVec3 normal = abut_dvec3_normalize(abut_dvec3_sub(distance.points[0], distance.points[1]));
    const AbutHull *a = pair->hulls[0], *b = pair->hulls[1];
    uint32_t low = abut_hull_support(a, abut_dvec3_neg(normal), vertex_of(a, features[0]));
    uint32_t high = abut_hull_support(b, direction_in_b(pair, normal), vertex_of(b, features[1]));
    return (AbutSeparatingPlane){
        .normal = normal,
        .side_a = abut_dvec3_dot(normal, abut_hull_position(a, low)) - rounding,
        .side_b = abut_dvec3_dot(normal, abut_pair_vertex(pair, 1, high)) + rounding,
    };
}

/// Depth of a point below all faces, less the errors of planes. 0 for flat hulls, which have no inside.
static double depth_in_hull(const AbutHull* hull, AbutDVec3 point)
{
    if (hull->dimension < 3)
    {
        return 0.0;
    }
    double height = abut_features_height(hull, abut_features_greatest_face(hull, point), point);
    return -height - hull->plane_error - 0x1p-48 * hull->diameter;
}

/// The middle of an edge's interval inside of a hull, or its first end.
static AbutDVec3 middle_inside(const AbutHull* hull, const AbutDVec3 ends[2])
{
    double low = 0.0, high = 1.0;
    for (uint32_t face = 0; face < hull->face_count; ++face)
    {
        double first = abut_features_height(hull, face, ends[0]);
        double second = abut_features_height(hull, face, ends[1]);
        if (first > 0.0 && second < 0.0)
        {
            low = abut_larger(first / (first - second), low);
        }
        else if (first < 0.0 && second > 0.0)
        {
            high = abut_smaller(first / (first - second), high);
        }
    }
    return low <= high ? abut_dvec3_lerp(ends[0], ends[1], 0.5 * (low + high)) : ends[0];
}

/// A point of a vertex or edge of `side` in the other hull.
static double depth_of(const AbutHullPair* pair, int side, AbutFeature feature)
{
    const AbutHull* other = pair->hulls[!side];
    if (feature.kind == ABUT_FEATURE_IS_VERTEX)
    {
        return depth_in_hull(other, abut_pair_vertex(pair, side, feature.index));
    }
    AbutDVec3 ends[2];
    abut_pair_ends(pair, side, feature.index, ends);
    return depth_in_hull(other, middle_inside(other, ends));
}

double abut_features_depth(const AbutHullPair* pair, const AbutFeature features[2], double rounding)
{
    double scale = abut_dvec3_length(abut_daffine_column(&pair->maps[1], 0));
    double largest = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        if (features[side].kind != ABUT_FEATURE_IS_FACE)
        {
            double depth = depth_of(pair, side, features[side]) * (side == 0 ? scale : 1.0) - rounding;
            largest = abut_larger(depth, largest);
        }
    }
    return largest;
}
