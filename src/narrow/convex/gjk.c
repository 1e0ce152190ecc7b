// From the iterations to proved answers: planes of separated solids are checked by exact supports where hulls
// are climbed, simplices without a proof go to EPA, radii are added, the cache is read and written.
#include "narrow/convex/gjk.h"

#include "hull/simplex.h"
#include "narrow/convex/kernels.h"

#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// The cache: words[0] count of vertices + 8 where there is a direction, words[1..3] the direction as floats,
// words[4..7] vertices of A in the lower and of B in the upper half
// -----------------------------------------------------------------------------------------------------------

enum
{
    HAS_DIRECTION = 8
};

static AbutGjkStart read_cache(const AbutCollideCache* cache)
{
    AbutGjkStart start = { .has_direction = false };
    if (cache == NULL || cache->method != ABUT_COLLIDE_GJK)
    {
        return start;
    }
    float d[3];
    memcpy(d, &cache->words[1], sizeof(d));
    AbutDVec3 direction = abut_dvec3(d[0], d[1], d[2]);
    double squared = abut_dvec3_squared_length(direction);
    start.has_direction = (cache->words[0] & HAS_DIRECTION) != 0 && squared > 0.25 && squared < 4.0;
    start.direction = direction;
    uint32_t count = cache->words[0] & 7u;
    start.count = count <= 4 ? count : 0;
    for (uint32_t i = 0; i < start.count; ++i)
    {
        start.ids[i][0] = cache->words[4 + i] & 0xffffu;
        start.ids[i][1] = cache->words[4 + i] >> 16;
    }
    return start;
}

static void write_cache(AbutCollideCache* cache, const AbutGjkResult* gjk)
{
    memset(cache, 0, sizeof(*cache));
    cache->method = ABUT_COLLIDE_GJK;
    bool numbered = gjk->count > 0;
    for (uint32_t i = 0; i < gjk->count; ++i)
    {
        const AbutConvexVertex* v = &gjk->simplex[i];
        numbered = numbered && v->id_a < ABUT_HULL_MAX_POINTS && v->id_b < ABUT_HULL_MAX_POINTS;
        cache->words[4 + i] = (v->id_a & 0xffffu) | v->id_b << 16;
    }
    cache->words[0] = numbered ? gjk->count : 0;
    AbutDVec3 direction = gjk->low > -INFINITY ? gjk->normal : abut_dvec3_normalize(gjk->v);
    if (abut_dvec3_squared_length(direction) > 0.0)
    {
        const float d[3] = { (float)direction.x, (float)direction.y, (float)direction.z };
        memcpy(&cache->words[1], d, sizeof(d));
        cache->words[0] |= HAS_DIRECTION;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Proofs
// -----------------------------------------------------------------------------------------------------------

static bool is_climbed(const AbutConvexCore* core)
{
    return core->kind == ABUT_CONVEX_HULL && core->lanes == NULL;
}

/// The plane of the cores with this normal by exact supports: n·w ≥ the result for all w of C.
static double exact_plane(const AbutConvexPair* pair, AbutDVec3 n)
{
    AbutDVec3 in_b = abut_dmat3_transform_transposed(&pair->rotation, n);
    double low_a = -abut_convex_support_distance(&pair->a, abut_dvec3_neg(n));
    double high_b =
        pair->scale * abut_convex_support_distance(&pair->b, in_b) + abut_dvec3_dot(n, pair->translation);
    return low_a - high_b;
}

/// The proved gap of the solids by a plane; 0 or less: none.
static double proved_gap(const AbutConvexPair* pair, AbutDVec3 normal, double low)
{
    if (is_climbed(&pair->a) || is_climbed(&pair->b))
    {
        low = abut_smaller(low, exact_plane(pair, normal));
    }
    return low - pair->radius - 2.0 * pair->rounding;
}

static void set_separated(AbutConvexProof* proof, double gap)
{
    proof->state = ABUT_COLLIDE_SEPARATED;
    proof->gap = gap;
}

/// Points of the solids from points of the cores, whose separation is known.
static void set_points(const AbutConvexPair* pair, AbutDVec3 core_a, AbutDVec3 core_b, AbutDVec3 normal,
                       double separation, AbutConvexProof* proof)
{
    proof->has_points = true;
    proof->normal = normal;
    proof->separation = separation - pair->radius;
    proof->point_a = abut_dvec3_mul_sub(core_a, pair->a.radius, normal);
    proof->point_b = abut_dvec3_mul_add(core_b, pair->scale * pair->b.radius, normal);
}

/// Closest points of cores that are apart.
static void set_closest(const AbutConvexPair* pair, const AbutGjkResult* gjk, AbutConvexProof* proof)
{
    AbutDVec3 a = abut_dvec3_zero();
    for (uint32_t i = 0; i < gjk->count; ++i)
    {
        a = abut_dvec3_mul_add(a, gjk->weights[i], gjk->simplex[i].a);
    }
    proof->ids[0] = gjk->simplex[0].id_a;
    proof->ids[1] = gjk->simplex[0].id_b;
    set_points(pair, a, abut_dvec3_sub(a, gjk->v), abut_dvec3_div(gjk->v, gjk->distance), gjk->distance,
               proof);
}

/// A point is in both cores, whatever the rounding.
static bool is_common(const AbutConvexPair* pair, AbutDVec3 p)
{
    AbutDVec3 from = abut_dvec3_sub(p, pair->translation);
    AbutDVec3 in_b = abut_dvec3_div(abut_dmat3_transform_transposed(&pair->rotation, from), pair->scale);
    return abut_convex_depth_at(&pair->a, p) > pair->rounding &&
           pair->scale * abut_convex_depth_at(&pair->b, in_b) > pair->rounding;
}

/// Upper bound of the distance of the cores: of two points, one of each. A flat tetrahedron may seem to have
/// the origin in it that is beside it: then it is the distance of its faces.
static double distance_of(const AbutGjkResult* gjk)
{
    if (gjk->count < 4)
    {
        return gjk->distance;
    }
    AbutDVec3 points[4];
    for (uint32_t i = 0; i < 4; ++i)
    {
        points[i] = gjk->simplex[i].w;
    }
    return abut_dvec3_length(abut_simplex_closest_of_all(points, 4).point);
}

/// Depth, or the state alone, of cores that GJK could not part.
static void solve_overlap(const AbutConvexPair* pair, const AbutGjkResult* gjk, AbutConvexProof* proof)
{
    AbutEpaResult epa;
    abut_convex_kernels()->epa(pair, gjk, &epa);
    proof->steps += epa.steps;
    if (epa.state == ABUT_EPA_SEPARATED)
    {
        double gap = proved_gap(pair, epa.normal, epa.plane);
        if (gap > 0.0)
        {
            set_separated(proof, gap);
        }
    }
    bool proved = gjk->state == ABUT_GJK_CONTACT || epa.state == ABUT_EPA_CONTACT ||
                  (epa.state == ABUT_EPA_CLOSE && epa.depth > 0.0 && epa.depth < INFINITY &&
                   is_common(pair, abut_dvec3_lerp(epa.point_a, epa.point_b, 0.5)));
    if (proved || (proof->state == ABUT_COLLIDE_CLOSE && pair->radius > 4.0 * pair->rounding &&
                   distance_of(gjk) < pair->radius - 4.0 * pair->rounding))
    {
        proof->state = ABUT_COLLIDE_CONTACT;
    }
    if (epa.depth < INFINITY)
    {
        proof->ids[0] = epa.ids[0][0];
        proof->ids[1] = epa.ids[0][1];
        set_points(pair, epa.point_a, epa.point_b, epa.normal, -epa.depth, proof);
    }
}

/// Separated by GJK: the plane is proved, or false.
static bool finish_separated(const AbutConvexPair* pair, const AbutGjkResult* gjk, AbutConvexWork work,
                             AbutConvexProof* proof)
{
    double gap = proved_gap(pair, gjk->normal, gjk->low);
    if (!(gap > 0.0))
    {
        return false;
    }
    set_separated(proof, gap);
    if (work != ABUT_CONVEX_STATE && gjk->count > 0 && gjk->distance > 0.0)
    {
        set_closest(pair, gjk, proof);
    }
    return true;
}

static void finish(const AbutConvexPair* pair, const AbutGjkResult* gjk, AbutConvexWork work,
                   AbutConvexProof* proof)
{
    proof->state = ABUT_COLLIDE_CLOSE;
    proof->steps += gjk->steps;
    if (gjk->state == ABUT_GJK_SEPARATED && finish_separated(pair, gjk, work, proof))
    {
        return;
    }
    bool apart = gjk->count > 0 && gjk->count < 4 && gjk->distance > 4.0 * pair->rounding;
    if (gjk->state == ABUT_GJK_CONTACT && work != ABUT_CONVEX_DEPTH)
    {
        proof->state = ABUT_COLLIDE_CONTACT;
    }
    else if (apart && pair->radius > 0.0)
    {
        // Two points, one of each core, closer than the radius.
        bool within = gjk->distance < pair->radius - 4.0 * pair->rounding;
        proof->state = within ? ABUT_COLLIDE_CONTACT : ABUT_COLLIDE_CLOSE;
        if (work == ABUT_CONVEX_DEPTH)
        {
            set_closest(pair, gjk, proof);
        }
    }
    else
    {
        solve_overlap(pair, gjk, proof);
    }
}

AbutConvexProof abut_convex_solve(const AbutConvexPair* pair, AbutConvexWork work, AbutCollideCache* cache)
{
    AbutGjkStart start = read_cache(cache);
    AbutConvexQuestion question =
        work == ABUT_CONVEX_STATE ? ABUT_CONVEX_ASK_STATE : ABUT_CONVEX_ASK_DISTANCE;
    AbutConvexProof proof = { .state = ABUT_COLLIDE_CLOSE };
    AbutGjkResult gjk;
    abut_convex_kernels()->gjk(pair, question, &start, &gjk);
    finish(pair, &gjk, work, &proof);
    if (proof.state == ABUT_COLLIDE_CLOSE && (is_climbed(&pair->a) || is_climbed(&pair->b)))
    {
        // Next to slivers climbing stops early; once more, with exact signs and without the cache.
        AbutConvexPair exact = *pair;
        exact.exact = true;
        start = (AbutGjkStart){ .has_direction = false };
        abut_convex_kernels()->gjk(&exact, question, &start, &gjk);
        proof = (AbutConvexProof){ .state = ABUT_COLLIDE_CLOSE, .steps = proof.steps };
        finish(&exact, &gjk, work, &proof);
    }
    bool asked =
        work == ABUT_CONVEX_DEPTH || (work == ABUT_CONVEX_DISTANCE && proof.state == ABUT_COLLIDE_SEPARATED);
    proof.has_points = proof.has_points && asked;
    if (cache != NULL)
    {
        write_cache(cache, &gjk);
    }
    return proof;
}
