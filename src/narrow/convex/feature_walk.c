// Moves across violated planes of Voronoi regions.
#include "narrow/convex/feature_walk.h"

AbutFeatureWalk abut_feature_walk(const AbutHullPair* pair, const AbutFeature start[2])
{
    AbutFeatureWalk walk = { pair, { start[0], start[1] } };
    if (start[0].kind == ABUT_FEATURE_IS_FACE && start[1].kind == ABUT_FEATURE_IS_FACE)
    {
        const AbutHull* hull = pair->hulls[0];
        walk.features[0] = abut_feature_edge(hull, abut_hull_faces(hull)[start[0].index].first);
    }
    return walk;
}

bool abut_feature_leave_vertex(AbutFeatureWalk* walk, int side, AbutDVec3 point)
{
    const AbutHull* hull = walk->pair->hulls[side];
    uint32_t vertex = walk->features[side].index;
    AbutDVec3 from_vertex = abut_dvec3_sub(point, abut_hull_position(hull, vertex));
    double product = 0.0, squared = 1.0; // of the steepest edge so far: product²/squared is the descent
    uint32_t steepest = UINT32_MAX;
    for (AbutVertexFan fan = abut_vertex_fan(hull, vertex); fan.left > 0; abut_vertex_fan_next(&fan))
    {
        AbutDVec3 along = abut_features_direction(hull, fan.half_edge);
        double next_product = abut_dvec3_dot(along, from_vertex);
        if (next_product > 0.0)
        {
            double next_squared = abut_dvec3_squared_length(along);
            if (steepest == UINT32_MAX ||
                next_product * next_product * squared > product * product * next_squared)
            {
                product = next_product;
                squared = next_squared;
                steepest = fan.half_edge;
            }
        }
    }
    if (steepest != UINT32_MAX)
    {
        walk->features[side] = abut_feature_edge(hull, steepest);
    }
    return steepest != UINT32_MAX;
}

bool abut_feature_leave_edge(AbutFeatureWalk* walk, int side, AbutDVec3 point)
{
    AbutEdgeRegion region = abut_edge_region(walk->pair->hulls[side], walk->features[side].index);
    for (uint32_t plane = 0; plane < abut_edge_region_plane_count(&region); ++plane)
    {
        if (abut_edge_region_product(&region, plane, point) < 0.0)
        {
            walk->features[side] = region.neighbors[plane];
            return true;
        }
    }
    return false;
}

bool abut_feature_leave_face(AbutFeatureWalk* walk, int side, AbutDVec3 point)
{
    const AbutHull* hull = walk->pair->hulls[side];
    const AbutHullFace* face = &abut_hull_faces(hull)[walk->features[side].index];
    double farthest = 0.0;
    for (uint32_t edge = face->first; edge < face->first + face->count; ++edge)
    {
        AbutDVec3 inward = abut_features_inward(hull, edge);
        AbutDVec3 tail = abut_hull_position(hull, abut_hull_tail(hull, edge));
        double product = abut_dvec3_dot(inward, abut_dvec3_sub(point, tail));
        double squared = product < 0.0 ? product * (product / abut_dvec3_squared_length(inward)) : 0.0;
        if (squared > farthest)
        {
            farthest = squared;
            walk->features[side] = abut_feature_edge(hull, edge);
        }
    }
    return farthest > 0.0;
}

// -----------------------------------------------------------------------------------------------------------
// Clipping
// -----------------------------------------------------------------------------------------------------------

AbutEdgeClip abut_edge_clip(const AbutFeatureWalk* walk, int side)
{
    AbutEdgeClip clip = { .low = 0.0, .high = 1.0 };
    abut_pair_ends(walk->pair, side, walk->features[side].index, clip.ends);
    return clip;
}

bool abut_edge_clip_by(AbutEdgeClip* clip, double first, double second, AbutFeature neighbor)
{
    if (first >= 0.0 && second >= 0.0)
    {
        return true;
    }
    if (first < 0.0 && second < 0.0)
    {
        clip->low_neighbor = clip->high_neighbor = neighbor;
        clip->low_is_clipped = clip->high_is_clipped = true;
        clip->is_excluded = clip->is_simply_excluded = true;
        return false;
    }
    double fraction = first / (first - second);
    if (first < 0.0 && fraction >= clip->low)
    {
        clip->low = fraction;
        clip->low_neighbor = neighbor;
        clip->low_is_clipped = true;
    }
    else if (second < 0.0 && fraction <= clip->high)
    {
        clip->high = fraction;
        clip->high_neighbor = neighbor;
        clip->high_is_clipped = true;
    }
    clip->is_excluded = clip->low > clip->high;
    return !clip->is_excluded;
}

void abut_edge_clip_by_face(AbutEdgeClip* clip, const AbutHull* hull, uint32_t face)
{
    const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
    for (uint32_t edge = polygon->first; edge < polygon->first + polygon->count; ++edge)
    {
        AbutDVec3 inward = abut_features_inward(hull, edge);
        AbutDVec3 at = abut_hull_position(hull, abut_hull_tail(hull, edge));
        double first = abut_dvec3_dot(inward, abut_dvec3_sub(clip->ends[0], at));
        double second = abut_dvec3_dot(inward, abut_dvec3_sub(clip->ends[1], at));
        if (!abut_edge_clip_by(clip, first, second, abut_feature_edge(hull, edge)))
        {
            return;
        }
    }
}

bool abut_feature_step_edge_face(AbutFeatureWalk* walk, int edge_side)
{
    int face_side = !edge_side;
    const AbutHull* hull = walk->pair->hulls[face_side];
    uint32_t face = walk->features[face_side].index;
    AbutEdgeClip clip = abut_edge_clip(walk, edge_side);
    abut_edge_clip_by_face(&clip, hull, face);
    if (clip.is_excluded)
    {
        walk->features[face_side] = abut_features_closest_of_border(hull, face, clip.ends);
        return true;
    }
    double first = abut_features_height(hull, face, clip.ends[0]);
    double second = abut_features_height(hull, face, clip.ends[1]);
    double low = first + clip.low * (second - first);
    double high = first + clip.high * (second - first);
    bool is_above = low > 0.0 && high > 0.0, is_below = low < 0.0 && high < 0.0;
    bool low_is_closer = is_below ? first >= second : first <= second;
    if (low_is_closer ? clip.low_is_clipped : clip.high_is_clipped)
    {
        walk->features[face_side] = low_is_closer ? clip.low_neighbor : clip.high_neighbor;
    }
    else
    {
        const AbutHull* edge_hull = walk->pair->hulls[edge_side];
        uint32_t edge = walk->features[edge_side].index;
        uint32_t end = low_is_closer ? abut_hull_tail(edge_hull, edge) : abut_hull_head(edge_hull, edge);
        walk->features[edge_side] = abut_feature_vertex(end);
    }
    return is_above || is_below;
}
