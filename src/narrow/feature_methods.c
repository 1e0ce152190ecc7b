// The methods "v-clip" and "lin-canny": two convex hulls by a walk over their features, from those of the
// last query. The state is proved from the features (narrow/convex/feature_proof.h), by GJK and EPA where
// they prove nothing; depths and contacts are those of gjk.
#include "narrow/convex/feature_proof.h"
#include "narrow/convex/gjk.h"
#include "narrow/convex/lin_canny.h"
#include "narrow/convex/manifold.h"
#include "narrow/convex/v_clip.h"
#include "narrow/convex_contacts.h"
#include "narrow/method.h"
#include "shape/resolve.h"

#include <string.h>

typedef AbutFeatureResult WalkFn(const AbutHullPair* pair, const AbutFeature start[2]);

typedef struct FeatureMethod
{
    AbutCollideMethod method;
    WalkFn* walk;
} FeatureMethod;

static bool is_hull(const AbutShape* shape)
{
    return abut_shape_leaf(shape)->info.kind == ABUT_SHAPE_CONVEX && abut_convex_has_core(shape);
}

static bool serves(const AbutShape* a, const AbutShape* b)
{
    return is_hull(a) && is_hull(b);
}

static AbutHullPair hull_pair_of(const AbutConvexPair* pair)
{
    AbutTransform b_in_a = abut_transform_identity();
    b_in_a.rotation = pair->rotation;
    b_in_a.translation = pair->translation;
    b_in_a.scale = pair->scale;
    return abut_features_pair(pair->a.hull, pair->b.hull, &b_in_a);
}

// -----------------------------------------------------------------------------------------------------------
// Cache: words are kind and index of both features
// -----------------------------------------------------------------------------------------------------------

static AbutFeature cached_feature(const AbutCollideCache* cache, int side)
{
    uint32_t kind = cache->words[2 * side];
    return (AbutFeature){ kind <= ABUT_FEATURE_IS_FACE ? (AbutFeatureKind)kind : ABUT_FEATURE_IS_VERTEX,
                          cache->words[2 * side + 1] };
}

/// The features of the last query, or the vertices towards the other hull.
static void start_features(const FeatureMethod* method, const AbutCollideCache* cache,
                           const AbutHullPair* pair, AbutFeature start[2])
{
    if (cache != NULL && cache->method == (uint32_t)method->method)
    {
        start[0] = cached_feature(cache, 0);
        start[1] = cached_feature(cache, 1);
        if (abut_feature_is_valid(pair->hulls[0], start[0]) &&
            abut_feature_is_valid(pair->hulls[1], start[1]))
        {
            return;
        }
    }
    AbutDVec3 in_a = abut_dvec3_sub(abut_daffine_apply(&pair->maps[1], pair->hulls[1]->interior),
                                    pair->hulls[0]->interior);
    AbutDVec3 in_b = abut_dvec3_sub(abut_daffine_apply(&pair->maps[0], pair->hulls[0]->interior),
                                    pair->hulls[1]->interior);
    uint32_t a = abut_hull_start(pair->hulls[0], in_a), b = abut_hull_start(pair->hulls[1], in_b);
    start[0] = abut_feature_vertex(abut_hull_support(pair->hulls[0], in_a, a));
    start[1] = abut_feature_vertex(abut_hull_support(pair->hulls[1], in_b, b));
}

static void write_cache(const FeatureMethod* method, AbutCollideCache* cache, const AbutFeature features[2])
{
    if (cache != NULL)
    {
        *cache = (AbutCollideCache){ .method = (uint32_t)method->method };
        for (int side = 0; side < 2; ++side)
        {
            cache->words[2 * side] = (uint32_t)features[side].kind;
            cache->words[2 * side + 1] = features[side].index;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// State
// -----------------------------------------------------------------------------------------------------------

/// A penetration has no closest features, and Lin-Canny walks in a cycle: then V-Clip answers.
static AbutFeatureResult find_features(const FeatureMethod* method, const AbutHullPair* hulls,
                                       const AbutFeature start[2])
{
    AbutFeatureResult result = method->walk(hulls, start);
    if (result.state == ABUT_FEATURES_CYCLE && method->walk != abut_v_clip)
    {
        uint32_t steps = result.step_count;
        result = abut_v_clip(hulls, result.features);
        result.step_count += steps;
    }
    return result;
}

/// Points of the closest features, on the surfaces of the enlarged hulls.
static void set_points(const AbutConvexPair* pair, const AbutFeatureDistance* distance, AbutDVec3 normal,
                       AbutConvexProof* proof)
{
    proof->has_points = true;
    proof->normal = normal;
    proof->separation = sqrt(distance->squared) - pair->radius;
    proof->point_a = abut_dvec3_mul_sub(distance->points[0], pair->a.radius, normal);
    proof->point_b = abut_dvec3_mul_add(distance->points[1], pair->scale * pair->b.radius, normal);
}

/// From the features alone; close where they prove nothing.
static AbutConvexProof prove(const AbutConvexPair* pair, const AbutHullPair* hulls,
                             const AbutFeatureResult* result)
{
    AbutConvexProof proof = { .state = ABUT_COLLIDE_CLOSE, .steps = result->step_count };
    if (result->state == ABUT_FEATURES_PENETRATION)
    {
        bool is_inside = abut_features_depth(hulls, result->features, pair->rounding) > 0.0;
        proof.state = is_inside ? ABUT_COLLIDE_CONTACT : ABUT_COLLIDE_CLOSE;
        return proof;
    }
    AbutFeatureDistance distance = abut_features_distance(hulls, result->features);
    AbutSeparatingPlane plane = abut_features_plane(hulls, result->features, pair->rounding);
    double gap = plane.side_a - plane.side_b - pair->radius * (1.0 + 0x1p-50);
    if (gap > 0.0)
    {
        proof.state = ABUT_COLLIDE_SEPARATED;
        proof.gap = gap;
        proof.ids[0] = result->features[0].index;
        proof.ids[1] = result->features[1].index;
        set_points(pair, &distance, plane.normal, &proof);
    }
    else if (sqrt(distance.squared) + pair->rounding < pair->radius * (1.0 - 0x1p-50))
    {
        proof.state = ABUT_COLLIDE_CONTACT;
    }
    return proof;
}

static void collide_hulls(const FeatureMethod* method, const AbutNarrowQuery* query)
{
    AbutConvexPair pair;
    AbutTransform frame;
    abut_convex_pair_init(query->shape_a, query->shape_b, query->relative, query->length, &pair, &frame);
    pair.margin = query->settings->margin / pair.unit;
    AbutHullPair hulls = hull_pair_of(&pair);
    AbutFeature start[2];
    start_features(method, query->cache, &hulls, start);
    AbutFeatureResult result = find_features(method, &hulls, start);
    write_cache(method, query->cache, result.features);
    AbutConvexProof proof = prove(&pair, &hulls, &result);
    bool wants_contacts =
        query->capacity > 0 && !(proof.state == ABUT_COLLIDE_SEPARATED && proof.separation > pair.margin);
    if (proof.state == ABUT_COLLIDE_CLOSE || (wants_contacts && !proof.has_points))
    {
        AbutConvexWork work = wants_contacts ? ABUT_CONVEX_DEPTH : ABUT_CONVEX_STATE;
        AbutConvexProof other = abut_convex_solve(&pair, work, NULL);
        other.state = proof.state == ABUT_COLLIDE_CONTACT ? ABUT_COLLIDE_CONTACT : other.state;
        other.steps += proof.steps;
        proof = other;
    }
    abut_narrow_store_convex(query, &pair, &frame, &proof);
}

// -----------------------------------------------------------------------------------------------------------
// Rows
// -----------------------------------------------------------------------------------------------------------

static const FeatureMethod v_clip = { ABUT_COLLIDE_V_CLIP, abut_v_clip };
static const FeatureMethod lin_canny = { ABUT_COLLIDE_LIN_CANNY, abut_lin_canny };

static void collide_v_clip(const AbutNarrowQuery* query)
{
    collide_hulls(&v_clip, query);
}

static void collide_lin_canny(const AbutNarrowQuery* query)
{
    collide_hulls(&lin_canny, query);
}

static void speculate_v_clip(const AbutNarrowQuery* query)
{
    collide_hulls(&v_clip, query);
    abut_narrow_to_speculative(query->settings, query->output);
}

static void speculate_lin_canny(const AbutNarrowQuery* query)
{
    collide_hulls(&lin_canny, query);
    abut_narrow_to_speculative(query->settings, query->output);
}

const AbutNarrowMethod abut_narrow_v_clip = {
    .name = "v-clip",
    .serves = serves,
    .needs = "two convex hulls",
    .collide = collide_v_clip,
    .speculative = speculate_v_clip,
};

const AbutNarrowMethod abut_narrow_lin_canny = {
    .name = "lin-canny",
    .serves = serves,
    .needs = "two convex hulls",
    .collide = collide_lin_canny,
    .speculative = speculate_lin_canny,
};
