// Distances of features, and searches over all features of a face or hull.
#include "narrow/convex/features.h"

static AbutDAffine forward_map(const AbutTransform* t)
{
    AbutDAffine map;
    for (int axis = 0; axis < 3; ++axis)
    {
        AbutDVec3 unit = abut_dvec3_with(abut_dvec3_zero(), axis, 1.0);
        abut_daffine_set_column(&map, axis, abut_dvec3_scale(abut_transform_rotate(t, unit), t->scale));
    }
    abut_daffine_set_column(&map, 3, t->translation);
    return map;
}

static AbutDAffine inverse_map(const AbutTransform* t)
{
    AbutDAffine map;
    for (int axis = 0; axis < 3; ++axis)
    {
        AbutDVec3 unit = abut_dvec3_with(abut_dvec3_zero(), axis, 1.0);
        abut_daffine_set_column(&map, axis, abut_dvec3_div(abut_transform_inverse_rotate(t, unit), t->scale));
    }
    abut_daffine_set_column(&map, 3, abut_transform_inverse_point(t, abut_dvec3_zero()));
    return map;
}

AbutHullPair abut_features_pair(const AbutHull* a, const AbutHull* b, const AbutTransform* b_in_a)
{
    return (AbutHullPair){ { a, b }, { inverse_map(b_in_a), forward_map(b_in_a) } };
}

bool abut_feature_is_valid(const AbutHull* hull, AbutFeature feature)
{
    switch (feature.kind)
    {
    case ABUT_FEATURE_IS_VERTEX:
        return feature.index < hull->vertex_count;
    case ABUT_FEATURE_IS_EDGE:
        return feature.index < hull->half_edge_count;
    case ABUT_FEATURE_IS_FACE:
        return feature.index < hull->face_count;
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Closest points
// -----------------------------------------------------------------------------------------------------------

static double clamp_fraction(double x)
{
    return x > 0.0 ? abut_smaller(x, 1.0) : 0.0;
}

static double closest_fraction(const AbutDVec3 segment[2], AbutDVec3 point)
{
    AbutDVec3 along = abut_dvec3_sub(segment[1], segment[0]);
    double squared = abut_dvec3_squared_length(along);
    double product = abut_dvec3_dot(along, abut_dvec3_sub(point, segment[0]));
    return squared > 0.0 ? clamp_fraction(product / squared) : 0.0;
}

static AbutDVec3 segment_point(const AbutDVec3 segment[2], double fraction)
{
    return fraction < 1.0 ? abut_dvec3_lerp(segment[0], segment[1], fraction) : segment[1];
}

void abut_features_segments(const AbutDVec3 a[2], const AbutDVec3 b[2], double fractions[2])
{
    AbutDVec3 u = abut_dvec3_sub(a[1], a[0]), v = abut_dvec3_sub(b[1], b[0]), w = abut_dvec3_sub(a[0], b[0]);
    // The determinant uu·vv − uv² as the squared length of a product, which does not cancel.
    double determinant = abut_dvec3_squared_length(abut_dvec3_cross(u, v));
    double uv = abut_dvec3_dot(u, v), vv = abut_dvec3_squared_length(v);
    double s = 0.0;
    if (determinant > 0.0)
    {
        s = clamp_fraction((uv * abut_dvec3_dot(v, w) - vv * abut_dvec3_dot(u, w)) / determinant);
    }
    // Alternating projections end in at most two rounds after a clamp.
    double t = closest_fraction(b, segment_point(a, s));
    s = closest_fraction(a, segment_point(b, t));
    t = closest_fraction(b, segment_point(a, s));
    fractions[0] = s;
    fractions[1] = t;
}

static double segments_squared_distance(const AbutDVec3 a[2], const AbutDVec3 b[2], double fractions[2])
{
    abut_features_segments(a, b, fractions);
    AbutDVec3 difference = abut_dvec3_sub(segment_point(a, fractions[0]), segment_point(b, fractions[1]));
    return abut_dvec3_squared_length(difference);
}

AbutFeature abut_features_closest_of_border(const AbutHull* hull, uint32_t face, const AbutDVec3 segment[2])
{
    const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
    AbutFeature closest = abut_feature_edge(hull, polygon->first);
    double least = INFINITY;
    for (uint32_t edge = polygon->first; edge < polygon->first + polygon->count; ++edge)
    {
        AbutDVec3 ends[2];
        double fractions[2];
        abut_features_ends(hull, edge, ends);
        double squared = segments_squared_distance(ends, segment, fractions);
        if (squared < least)
        {
            least = squared;
            closest = fractions[0] <= 0.0   ? abut_feature_vertex(abut_hull_tail(hull, edge))
                      : fractions[0] >= 1.0 ? abut_feature_vertex(abut_hull_head(hull, edge))
                                            : abut_feature_edge(hull, edge);
        }
    }
    return closest;
}

uint32_t abut_features_greatest_face(const AbutHull* hull, AbutDVec3 point)
{
    ABUT_ASSERT(hull->face_count > 0);
    uint32_t greatest = 0;
    double height = abut_features_height(hull, 0, point);
    for (uint32_t face = 1; face < hull->face_count; ++face)
    {
        double next = abut_features_height(hull, face, point);
        if (next > height)
        {
            height = next;
            greatest = face;
        }
    }
    return greatest;
}

// -----------------------------------------------------------------------------------------------------------
// Distance of two features, in the frame of hull 0
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 in_frame_0(const AbutHullPair* pair, int side, AbutDVec3 point)
{
    return side == 0 ? point : abut_daffine_apply(&pair->maps[1], point);
}

static AbutDVec3 vertex_in_frame_0(const AbutHullPair* pair, int side, uint32_t vertex)
{
    return in_frame_0(pair, side, abut_hull_position(pair->hulls[side], vertex));
}

static void ends_in_frame_0(const AbutHullPair* pair, int side, uint32_t half_edge, AbutDVec3 ends[2])
{
    abut_features_ends(pair->hulls[side], half_edge, ends);
    ends[0] = in_frame_0(pair, side, ends[0]);
    ends[1] = in_frame_0(pair, side, ends[1]);
}

/// The point of the plane of a face below or above a point.
static AbutDVec3 face_projection(const AbutHullPair* pair, int side, uint32_t face, AbutDVec3 point)
{
    const AbutHull* hull = pair->hulls[side];
    const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
    AbutDVec3 on_face = vertex_in_frame_0(pair, side, abut_hull_tail(hull, polygon->first));
    AbutDVec3 normal = polygon->normal;
    if (side == 1)
    {
        AbutDVec3 base = in_frame_0(pair, 1, abut_dvec3_zero());
        normal = abut_dvec3_normalize(abut_dvec3_sub(in_frame_0(pair, 1, normal), base));
    }
    return abut_dvec3_mul_sub(point, abut_dvec3_dot(normal, abut_dvec3_sub(point, on_face)), normal);
}

/// The point where an edge passes through the plane of a face, or its end closer to it.
static AbutDVec3 edge_face_point(const AbutHullPair* pair, const AbutFeature features[2], int edge_side)
{
    AbutDVec3 ends[2], local[2];
    ends_in_frame_0(pair, edge_side, features[edge_side].index, ends);
    abut_pair_ends(pair, edge_side, features[edge_side].index, local);
    const AbutHull* hull = pair->hulls[!edge_side];
    double tail = abut_features_height(hull, features[!edge_side].index, local[0]);
    double head = abut_features_height(hull, features[!edge_side].index, local[1]);
    return segment_point(ends, tail != head ? clamp_fraction(tail / (tail - head)) : 0.0);
}

AbutFeatureDistance abut_features_distance(const AbutHullPair* pair, const AbutFeature features[2])
{
    AbutFeatureDistance out = { 0 };
    int low = features[0].kind <= features[1].kind ? 0 : 1; // the side of the feature of lower dimension
    int high = !low;
    AbutFeatureKind low_kind = features[low].kind, high_kind = features[high].kind;
    if (low_kind == ABUT_FEATURE_IS_VERTEX)
    {
        out.points[low] = vertex_in_frame_0(pair, low, features[low].index);
    }
    else if (high_kind == ABUT_FEATURE_IS_FACE)
    {
        out.points[low] = edge_face_point(pair, features, low);
    }
    AbutDVec3 ends[2], other[2];
    if (high_kind == ABUT_FEATURE_IS_FACE)
    {
        out.points[high] = face_projection(pair, high, features[high].index, out.points[low]);
    }
    else if (high_kind == ABUT_FEATURE_IS_VERTEX)
    {
        out.points[high] = vertex_in_frame_0(pair, high, features[high].index);
    }
    else if (low_kind == ABUT_FEATURE_IS_VERTEX)
    {
        ends_in_frame_0(pair, high, features[high].index, ends);
        out.points[high] = segment_point(ends, closest_fraction(ends, out.points[low]));
    }
    else
    {
        double fractions[2];
        ends_in_frame_0(pair, low, features[low].index, other);
        ends_in_frame_0(pair, high, features[high].index, ends);
        abut_features_segments(other, ends, fractions);
        out.points[low] = segment_point(other, fractions[0]);
        out.points[high] = segment_point(ends, fractions[1]);
    }
    out.squared = abut_dvec3_squared_length(abut_dvec3_sub(out.points[0], out.points[1]));
    return out;
}
