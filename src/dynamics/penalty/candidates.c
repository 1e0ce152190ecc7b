// Candidates of a pair: points in spheres of the tree that are nearer to the other solid than a margin. A
// list stays complete as long as no point moves by more than the margin relative to the solid, over the
// iterations of a substep.
#include "dynamics/penalty/candidates.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "math/dvec3.h"
#include "points/points.h"
#include "shape/shape.h"
#include "toi/points/safe_radius.h"

#include <math.h>

enum
{
    FIRST_CAPACITY = 64
};

/// Motion beyond that of the collection, as a fraction of the smaller radius.
#define SKIN 0.004

// -----------------------------------------------------------------------------------------------------------
// Frames
// -----------------------------------------------------------------------------------------------------------

AbutPenaltyFrame abut_penalty_relative_frame(const AbutPenaltyFrame* body, const AbutPenaltyFrame* solid)
{
    AbutDVec3 offset = abut_dvec3_sub(body->position, solid->position);
    AbutDVec3 position = abut_dmat3_transform_transposed(&solid->matrix, offset);
    return (AbutPenaltyFrame){ abut_dvec3_add(abut_dvec3_zero(), position), // for the sign of zeros
                               abut_dmat3_multiply_transposed(&solid->matrix, &body->matrix) };
}

/// Bound of the displacement, between two frames, of a point at most `points_radius` from the centre of mass.
static double displacement_bound(const AbutPenaltyFrame* a, const AbutPenaltyFrame* b, double points_radius)
{
    double rotated = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        double e = a->matrix.m[i / 3][i % 3] - b->matrix.m[i / 3][i % 3];
        rotated += e * e;
    }
    return abut_dvec3_distance(a->position, b->position) + sqrt(rotated) * points_radius;
}

/// Radius of the points about the centre of mass; negative without points.
static double points_radius_of(const AbutBody* body)
{
    if (body->points == NULL || body->points->count == 0)
    {
        return -1.0;
    }
    const AbutPointNode* root = &body->points->nodes[0];
    double offset = abut_dvec3_distance(abut_dvec3_from_vec3(root->center), body->center);
    return (double)body->scale * (offset + (double)root->radius) * (1.0 + 1e-6);
}

/// Relative motion of one side of a pair.
typedef struct SideMotion
{
    const AbutBody *carrier, *solid;
    AbutPenaltyFrame start, middle, end;
    double points_radius;
} SideMotion;

static SideMotion side_motion(const AbutWorld* world, const AbutPenaltyPair* pair, int side)
{
    uint32_t carrier = side == 0 ? pair->a : pair->b, solid = side == 0 ? pair->b : pair->a;
    const AbutPenaltyBody *a = &abut_penalty(world)->bodies[carrier],
                          *b = &abut_penalty(world)->bodies[solid];
    SideMotion motion = { .carrier = &world->bodies[carrier], .solid = &world->bodies[solid] };
    motion.points_radius = points_radius_of(motion.carrier);
    motion.start = pair->start[side];
    motion.end = abut_penalty_relative_frame(&a->end, &b->end);
    motion.middle = abut_penalty_relative_frame(&a->middle, &b->middle);
    return motion;
}

/// Whether all points stay within the margin of their reference positions: motions are straight, so both ends
/// suffice.
static bool covers(const AbutPenaltyCandidates* candidates, const SideMotion motions[2])
{
    for (int side = 0; side < 2 && candidates->is_known; ++side)
    {
        const SideMotion* motion = &motions[side];
        if (motion->points_radius >= 0.0 &&
            !(displacement_bound(&motion->start, &candidates->reference[side], motion->points_radius) <=
                  candidates->margin &&
              displacement_bound(&motion->end, &candidates->reference[side], motion->points_radius) <=
                  candidates->margin))
        {
            return false;
        }
    }
    return candidates->is_known;
}

/// Reference at the middle of the motion; the margin covers both ends, and a skin.
static void set_range(const SideMotion motions[2], double skin, AbutPenaltyCandidates* candidates)
{
    candidates->margin = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        const SideMotion* motion = &motions[side];
        candidates->reference[side] = motion->middle;
        if (motion->points_radius >= 0.0)
        {
            candidates->margin = fmax(candidates->margin, displacement_bound(&motion->start, &motion->middle,
                                                                             motion->points_radius));
            candidates->margin = fmax(
                candidates->margin, displacement_bound(&motion->end, &motion->middle, motion->points_radius));
        }
    }
    candidates->margin = 1.1 * candidates->margin + skin;
}

bool abut_penalty_is_collected(const AbutWorld* world)
{
    const AbutPenalty* penalty = abut_penalty(world);
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        const SideMotion motions[2] = { side_motion(world, pair, 0), side_motion(world, pair, 1) };
        if (!covers(&penalty->candidates[i], motions))
        {
            return false;
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// The tree
// -----------------------------------------------------------------------------------------------------------

/// Collection of one side of a pair. `margin` and `reference` are in world units.
typedef struct Search
{
    const AbutPointSet* points;
    const AbutBody *carrier, *solid;
    AbutSafeRadius safe_radius;
    AbutPenaltyFrame reference;
    double margin;
    uint32_t mark;
    AbutPenaltyCandidates* out;
} Search;

/// A batch of spheres: the children of a node, or the points of a leaf.
typedef struct Spheres
{
    uint32_t count;
    AbutDVec3 at[ABUT_POINT_CHILDREN]; // in the points' frame
    double radius[ABUT_POINT_CHILDREN];
    bool may_touch[ABUT_POINT_CHILDREN];
} Spheres;

_Static_assert((int)ABUT_POINT_LEAF <= (int)ABUT_POINT_CHILDREN, "points of a leaf are a batch");

/// Whether the spheres are nearer to the solid than the margin.
static void test_spheres(const Search* self, Spheres* spheres)
{
    float at[3][ABUT_POINT_CHILDREN], distance[ABUT_POINT_CHILDREN];
    double scale = self->carrier->scale, unit = 1.0 / (double)self->solid->scale;
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        AbutDVec3 r = abut_dvec3_scale(abut_dvec3_sub(spheres->at[i], self->carrier->center), scale);
        AbutDVec3 x =
            abut_dvec3_add(abut_dmat3_transform(&self->reference.matrix, r), self->reference.position);
        AbutVec3 p = abut_dvec3_to_vec3(abut_dvec3_mul_add(self->solid->center, unit, x));
        at[0][i] = p.x;
        at[1][i] = p.y;
        at[2][i] = p.z;
    }
    AbutPoints points = { at[0], at[1], at[2] };
    abut_shape_sample_batch(self->solid->shape, NULL, points, spheres->count,
                            (AbutSamples){ .distance = distance });
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        const float position[3] = { at[0][i], at[1][i], at[2][i] };
        double needed = (scale * spheres->radius[i] + self->margin) * unit;
        spheres->may_touch[i] =
            !(abut_safe_radius_outside(&self->safe_radius, position, distance[i]) > needed);
    }
}

static void emit(const Search* self, uint32_t point)
{
    AbutPenaltyCandidates* out = self->out;
    if (out->count < out->capacity)
    {
        out->points[out->count] = point | self->mark;
    }
    out->count += 1;
}

static void collect_leaf(const Search* self, const AbutPointNode* node)
{
    Spheres spheres = { .count = node->point_count };
    for (uint32_t i = 0; i < node->point_count; ++i)
    {
        uint32_t point = node->first_point + i;
        spheres.at[i] =
            abut_dvec3(self->points->at[0][point], self->points->at[1][point], self->points->at[2][point]);
    }
    test_spheres(self, &spheres);
    for (uint32_t i = 0; i < node->point_count; ++i)
    {
        if (spheres.may_touch[i])
        {
            emit(self, node->first_point + i);
        }
    }
}

/// Depth first, for sorted points; no deeper than ABUT_POINT_MAX_DEPTH.
static void collect_node(const Search* self, const AbutPointNode* node)
{
    if (node->child_count == 0)
    {
        collect_leaf(self, node);
        return;
    }
    Spheres spheres = { .count = node->child_count };
    const AbutPointNode* children = &self->points->nodes[node->first_child];
    for (uint32_t i = 0; i < node->child_count; ++i)
    {
        spheres.at[i] = abut_dvec3_from_vec3(children[i].center);
        spheres.radius[i] = (double)children[i].radius;
    }
    test_spheres(self, &spheres);
    for (uint32_t i = 0; i < node->child_count; ++i)
    {
        if (spheres.may_touch[i])
        {
            collect_node(self, &children[i]);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Pairs
// -----------------------------------------------------------------------------------------------------------

static void collect_pair(const SideMotion motions[2], AbutPenaltyCandidates* candidates)
{
    candidates->count = 0;
    for (int side = 0; side < 2; ++side)
    {
        const SideMotion* motion = &motions[side];
        if (motion->points_radius >= 0.0)
        {
            const Search search = { .points = motion->carrier->points,
                                    .carrier = motion->carrier,
                                    .solid = motion->solid,
                                    .safe_radius = abut_safe_radius_make(motion->solid->shape),
                                    .reference = candidates->reference[side],
                                    .margin = candidates->margin,
                                    .mark = side == 0 ? 0 : ABUT_PENALTY_SIDE_B,
                                    .out = candidates };
            collect_node(&search, &search.points->nodes[0]);
        }
    }
    candidates->is_known = candidates->count <= candidates->capacity;
}

static void collect_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const AbutWorld* world = context;
    const AbutPenaltyPair* pair = &abut_penalty(world)->pairs[block];
    AbutPenaltyCandidates* candidates = &abut_penalty(world)->candidates[block];
    const SideMotion motions[2] = { side_motion(world, pair, 0), side_motion(world, pair, 1) };
    if (!covers(candidates, motions))
    {
        double radius = fmin((double)world->bodies[pair->a].radius, (double)world->bodies[pair->b].radius);
        set_range(motions, SKIN * radius, candidates);
        collect_pair(motions, candidates);
    }
}

/// Capacity of every incomplete list for its count. False without memory.
static bool reserve_lists(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AbutPenaltyCandidates* candidates = &penalty->candidates[i];
        size_t needed = candidates->count > FIRST_CAPACITY ? candidates->count : FIRST_CAPACITY;
        if (!candidates->is_known &&
            !abut_memory_grow(&world->host, (void**)&candidates->points, &candidates->capacity, needed,
                              sizeof(*candidates->points)))
        {
            return false;
        }
    }
    return true;
}

/// Two attempts suffice: the first finds the count, the second has the capacity for it.
AbutResult abut_penalty_collect_candidates(AbutWorld* world)
{
    for (int attempt = 0; attempt < 2; ++attempt)
    {
        if (!reserve_lists(world))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        abut_parallel_for(&world->host, (uint32_t)abut_penalty(world)->pairs_count, collect_block, world);
    }
    return ABUT_OK;
}

AbutResult abut_penalty_reserve_candidates(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    if (!ABUT_PENALTY_GROW(world, candidates, penalty->pairs_count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (; penalty->candidates_count < penalty->pairs_count; ++penalty->candidates_count)
    {
        penalty->candidates[penalty->candidates_count] = (AbutPenaltyCandidates){ .points = NULL };
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        penalty->candidates[i].is_known = false;
        penalty->candidates[i].count = 0;
    }
    return ABUT_OK;
}

void abut_penalty_free_candidates(AbutWorld* world)
{
    for (size_t i = 0; i < abut_penalty(world)->candidates_count; ++i)
    {
        AbutPenaltyCandidates* candidates = &abut_penalty(world)->candidates[i];
        abut_memory_free(&world->host, candidates->points, candidates->capacity, sizeof(*candidates->points));
    }
    abut_penalty(world)->candidates_count = 0;
}
