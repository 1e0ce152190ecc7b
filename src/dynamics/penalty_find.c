// Which points touch on the ways of their bodies.
#include "dynamics/penalty.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"

#include <math.h>
#include <string.h>

enum
{
    FIRST_CAPACITY = 128 // intervals of a pair that was not swept before
};

/// Of the smaller body's radius: contacts less deep than this may go unseen (AbutSweepSettings.tolerance).
#define SWEEP_TOLERANCE 1e-4

/// Of a body's radius: ways that end so near to each other touch the same.
#define SWEPT_TOLERANCE 1e-4

static uint32_t count_points(const AbutBody* body)
{
    return body->points != NULL ? abut_points_info(body->points).count : 0;
}

AbutResult abut_penalty_take_pairs(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    penalty->pairs_count = penalty->contacts_count = 0;
    if (!ABUT_PENALTY_GROW(world, keys, 2 * world->pair_count) ||
        !ABUT_PENALTY_GROW(world, pairs, world->pair_count) ||
        !ABUT_PENALTY_GROW(world, sweeps, world->pair_count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < world->pair_count; ++i)
    {
        AbutBodyPair pair = world->pairs[i];
        if (count_points(&world->bodies[pair.a]) + count_points(&world->bodies[pair.b]) > 0)
        {
            penalty->keys[count++] = (uint64_t)pair.a << 32 | pair.b;
        }
    }
    if (count > 0)
    {
        abut_sort_keys(penalty->keys, penalty->keys + count, count, 0);
    }
    for (size_t i = 0; i < count; ++i)
    {
        AbutPenaltyPair* pair = &penalty->pairs[i];
        memset(pair, 0, sizeof(*pair));
        pair->a = (uint32_t)(penalty->keys[i] >> 32);
        pair->b = (uint32_t)penalty->keys[i];
        pair->law =
            abut_penalty_law(world, &world->bodies[pair->a], &world->bodies[pair->b], penalty->seconds);
        penalty->sweeps[i] = (AbutPenaltySweep){ .count = FIRST_CAPACITY };
    }
    penalty->pairs_count = count;
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sweeps
// ---------------------------------------------------------------------------------------------------------------------

/// atan(x) for x ≥ 0, with the same bits everywhere; far better than a sweep for candidates needs.
static double arc_tangent(double x)
{
    int halvings = 0;
    for (; x > 0.1; ++halvings)
    {
        x = isfinite(x) ? x / (1.0 + sqrt(1.0 + x * x)) : 1.0;
    }
    double s = x * x;
    return (double)(1 << halvings) * x * (1.0 - s * (1.0 / 3.0 - s * (0.2 - s * (1.0 / 7.0 - s / 9.0))));
}

/// Axis times angle of the turn from one rotation to another, the short way.
static AbutVec3 turn_between(const double p[4], const double q[4])
{
    double x = q[0] * p[3] - q[3] * p[0] - q[1] * p[2] + q[2] * p[1];
    double y = q[1] * p[3] - q[3] * p[1] - q[2] * p[0] + q[0] * p[2];
    double z = q[2] * p[3] - q[3] * p[2] - q[0] * p[1] + q[1] * p[0];
    double w = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
    double sine = sqrt(x * x + y * y + z * z), sign = w < 0.0 ? -1.0 : 1.0;
    double factor = sine > 0.0 ? 2.0 * sign * arc_tangent(sine / fabs(w)) / sine : 0.0;
    return abut_vec3((float)(factor * x), (float)(factor * y), (float)(factor * z));
}

static AbutMotion motion_of(const AbutBody* body, const AbutBody* end)
{
    AbutMotion motion = abut_motion_none();
    motion.center = abut_vec3((float)body->center[0], (float)body->center[1], (float)body->center[2]);
    motion.linear = abut_vec3((float)(end->position[0] - body->position[0]),
                              (float)(end->position[1] - body->position[1]),
                              (float)(end->position[2] - body->position[2]));
    motion.angular = turn_between(body->rotation, end->rotation);
    return motion;
}

typedef struct SweepContext
{
    const AbutWorld* world;
    bool at_end;
} SweepContext;

static void sweep_pair(const SweepContext* self, const AbutPenaltyPair* pair, AbutPenaltySweep* sweep)
{
    const AbutWorld* world = self->world;
    const AbutPenalty* penalty = world->penalty;
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    const AbutBody *end_a = &penalty->ends[pair->a], *end_b = &penalty->ends[pair->b];
    AbutSweepInput input = abut_sweep_input(a->shape, b->shape);
    input.settings.method = ABUT_SWEEP_POINTS;
    input.settings.linear = true;
    input.settings.tolerance =
        (float)(SWEEP_TOLERANCE * fmin((double)a->radius, (double)b->radius) / (double)a->scale);
    input.points_a = a->points;
    input.points_b = b->points;
    input.pose_a = abut_body_pose(self->at_end ? end_a : a);
    input.pose_b = abut_body_pose(self->at_end ? end_b : b);
    if (!self->at_end)
    {
        input.motion_a = motion_of(a, end_a);
        input.motion_b = motion_of(b, end_b);
    }
    AbutSweepOutput output = abut_sweep_intervals(&input, penalty->intervals + sweep->first, sweep->capacity);
    sweep->state = output.state;
    sweep->count = output.interval_total;
    sweep->is_done = output.interval_total <= sweep->capacity;
}

static void sweep_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const SweepContext* self = context;
    AbutPenaltySweep* sweep = &self->world->penalty->sweeps[block];
    if (!sweep->is_done)
    {
        sweep_pair(self, &self->world->penalty->pairs[block], sweep);
    }
}

/// Gives every sweep that is not done room for what it is known to need. False without memory.
static bool make_room(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    size_t total = penalty->intervals_count;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AbutPenaltySweep* sweep = &penalty->sweeps[i];
        if (!sweep->is_done)
        {
            sweep->first = total;
            sweep->capacity = sweep->count > FIRST_CAPACITY ? sweep->count : FIRST_CAPACITY;
            total += (size_t)sweep->capacity;
        }
    }
    penalty->intervals_count = total;
    return ABUT_PENALTY_GROW(world, intervals, total);
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Whether a body ends where it was swept to.
static bool is_swept(const AbutWorld* world, uint32_t index)
{
    const AbutPenaltyFrame *swept = &world->penalty->swept[index], *end = &world->penalty->bodies[index].end;
    double away[3], turn = 0.0, radius = world->bodies[index].radius;
    for (int i = 0; i < 3; ++i)
    {
        away[i] = end->position[i] - swept->position[i];
        for (int k = 0; k < 3; ++k)
        {
            turn = fmax(turn, fabs(end->matrix[i][k] - swept->matrix[i][k]));
        }
    }
    double moved = length(away);
    return (moved == 0.0 && turn == 0.0) || moved + turn * radius <= SWEPT_TOLERANCE * radius;
}

bool abut_penalty_is_swept(const AbutWorld* world)
{
    for (size_t i = 0; i < world->penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &world->penalty->pairs[i];
        if (!is_swept(world, pair->a) || !is_swept(world, pair->b))
        {
            return false;
        }
    }
    return true;
}

/// A pair finds the same for the same input, so two rounds do: the second has the room that the first found out.
static AbutResult sweep_all(AbutWorld* world, bool at_end)
{
    AbutPenalty* penalty = world->penalty;
    SweepContext context = { world, at_end };
    penalty->intervals_count = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AbutPenaltySweep* sweep = &penalty->sweeps[i];
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        sweep->is_done = sweep->is_done && is_swept(world, pair->a) && is_swept(world, pair->b);
        sweep->count = sweep->is_done ? 0 : sweep->count; // nothing new
    }
    for (int round = 0; round < 2; ++round)
    {
        if (!make_room(world))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        abut_parallel_for(&world->host, (uint32_t)penalty->pairs_count, sweep_block, &context);
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        if (penalty->sweeps[i].state == ABUT_SWEEP_INVALID)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT,
                             "world: bodies %u and %u move too far in a step to be swept; take smaller steps",
                             penalty->pairs[i].a + 1, penalty->pairs[i].b + 1);
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        penalty->swept[i] = penalty->bodies[i].end;
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

static uint64_t order(uint32_t side, uint32_t point)
{
    return (uint64_t)side << 32 | point;
}

/// What the last step knows of a pair: first and end of its anchors. `from` moves on.
typedef struct AnchorRange
{
    size_t first, end;
} AnchorRange;

static AnchorRange find_anchors(const AbutPenalty* penalty, size_t from, const AbutPenaltyPair* pair)
{
    AnchorRange range = { from, from };
    for (; range.first < penalty->anchors_count; ++range.first)
    {
        const AbutPenaltyAnchor* anchor = &penalty->anchors[range.first];
        if (anchor->a != pair->a ? anchor->a > pair->a : anchor->b >= pair->b)
        {
            break;
        }
    }
    for (range.end = range.first; range.end < penalty->anchors_count; ++range.end)
    {
        const AbutPenaltyAnchor* anchor = &penalty->anchors[range.end];
        if (anchor->a != pair->a || anchor->b != pair->b)
        {
            break;
        }
    }
    return range;
}

/// The contacts of a pair to the end of more_contacts: those of the last step, those that are known, and those that were found.
static void merge_pair(AbutPenalty* penalty, uint32_t index, AnchorRange anchors)
{
    AbutPenaltyPair* pair = &penalty->pairs[index];
    const AbutPenaltySweep* sweep = &penalty->sweeps[index];
    const AbutPointInterval* found = penalty->intervals + sweep->first;
    const AbutPenaltyContact* known = pair->count > 0 ? penalty->contacts + pair->first : NULL;
    size_t i = 0, k = 0, last = anchors.first, first = penalty->more_contacts_count,
           count = (size_t)sweep->count;
    while (i < count || k < pair->count || last < anchors.end)
    {
        uint64_t next = i < count ? order(found[i].side, found[i].point) : UINT64_MAX;
        uint64_t old = k < pair->count ? order(known[k].side, known[k].point) : UINT64_MAX;
        const AbutPenaltyAnchor* anchor = last < anchors.end ? &penalty->anchors[last] : NULL;
        uint64_t kept = anchor != NULL ? order(anchor->side, anchor->point) : UINT64_MAX;
        uint64_t least = next < old ? next : old;
        least = kept < least ? kept : least;
        while (i < count && order(found[i].side, found[i].point) == least)
        {
            ++i; // a point may be inside more than once
        }
        last += kept == least ? 1 : 0;
        AbutPenaltyContact* out = &penalty->more_contacts[penalty->more_contacts_count++];
        if (old == least)
        {
            *out = known[k++];
            continue;
        }
        *out = (AbutPenaltyContact){
            .pair = index, .side = (uint32_t)(least >> 32), .point = (uint32_t)least, .is_old = kept == least
        };
        if (out->is_old)
        {
            memcpy(out->stretch, anchor->stretch, sizeof(out->stretch));
        }
    }
    pair->first = first;
    pair->count = penalty->more_contacts_count - first;
}

static AbutResult merge(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    size_t needed = penalty->contacts_count + penalty->anchors_count, anchor = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        needed += (size_t)penalty->sweeps[i].count;
    }
    if (!ABUT_PENALTY_GROW(world, more_contacts, needed))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    penalty->more_contacts_count = 0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AnchorRange anchors = find_anchors(penalty, anchor, &penalty->pairs[i]);
        anchor = anchors.end;
        merge_pair(penalty, (uint32_t)i, anchors);
    }
    AbutPenaltyContact* contacts = penalty->contacts;
    size_t capacity = penalty->contacts_capacity;
    penalty->contacts = penalty->more_contacts;
    penalty->contacts_capacity = penalty->more_contacts_capacity;
    penalty->contacts_count = penalty->more_contacts_count;
    penalty->more_contacts = contacts;
    penalty->more_contacts_capacity = capacity;
    return ABUT_OK;
}

/// A body that is met wakes. What it slept on holds it for this step as it did: those pairs were not looked at.
static void wake(AbutWorld* world, uint32_t index, double seconds)
{
    AbutBody* body = &world->bodies[index];
    AbutPenaltyBody* extra = &world->penalty->bodies[index];
    if (body->asleep)
    {
        body->asleep = false;
        body->quiet = 0.0;
        extra->woken = true;
        for (int i = 0; i < 6; ++i)
        {
            extra->held[i] = extra->force[i] * seconds;
        }
    }
}

AbutResult abut_penalty_find(AbutWorld* world, double seconds, bool at_end)
{
    AbutPenalty* penalty = world->penalty;
    AbutResult result = sweep_all(world, at_end);
    result = result == ABUT_OK ? merge(world) : result;
    for (size_t i = 0; i < penalty->pairs_count && result == ABUT_OK; ++i)
    {
        AbutPenaltyPair* pair = &penalty->pairs[i];
        if (pair->count > 0)
        {
            wake(world, pair->a, seconds);
            wake(world, pair->b, seconds);
        }
    }
    return result;
}
