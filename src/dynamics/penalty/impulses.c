// What the springs of all points do over the step: the way of each through the solid of the other body, friction, and both in the world,
// by the frame of the middle of the step.
#include "dynamics/penalty/point_motion.h"

#include "base/tasks.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    CHUNK = 64 // points that are looked at together
};

// ---------------------------------------------------------------------------------------------------------------------
// Friction
// ---------------------------------------------------------------------------------------------------------------------

/// A spring along the surface from where the point would be without load. It holds up to friction times the normal impulse;
/// beyond, its end is dragged along.
static void add_friction(const AbutWay* way, const double stretch[3], const AbutWaySums* sums,
                         const double normal[3], double normal_impulse, AbutPenaltyPush* push,
                         double impulse[3])
{
    const AbutPenaltyLaw* law = way->solid->law;
    double inside = sums->inside, along = abut_dot(way->slide, normal), held = abut_dot(stretch, normal);
    double rest[3], slide[3], trial[3];
    for (int k = 0; k < 3; ++k)
    {
        rest[k] = stretch[k] - held * normal[k];
        slide[k] = inside * (way->slide[k] - along * normal[k]);
        trial[k] = -way->solid->seconds * inside * law->grip * (rest[k] + 0.5 * slide[k]) -
                   law->grip_damping * slide[k];
    }
    double size = sqrt(abut_dot(trial, trial)), most = law->friction * normal_impulse;
    double part = size > most ? most / size : 1.0;
    for (int k = 0; k < 3; ++k)
    {
        impulse[k] = part * trial[k];
        push->stretch[k] =
            part < 1.0 ? -impulse[k] / (way->solid->seconds * inside * law->grip) : rest[k] + slide[k];
    }
    push->resist[1] = part * 0.5 * way->solid->seconds * inside *
                      (0.5 * way->solid->seconds * inside * law->grip + law->grip_damping);
}

// ---------------------------------------------------------------------------------------------------------------------
// In the world
// ---------------------------------------------------------------------------------------------------------------------

static void to_world(const AbutPenaltyFrame* frame, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_dot(frame->matrix[i], v);
    }
}

/// Where a point is in the solid's axes.
static void see(const AbutPenaltyFrame* frame, const double arm[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_dot(frame->matrix[i], arm) + frame->position[i];
    }
}

static void set_resistance(const AbutWay* way, const AbutWaySums* sums, AbutPenaltyPush* push)
{
    double slope = sums->active > 0.0 ? sums->slope / sums->active : 0.0;
    push->resist[0] = 0.5 * way->solid->seconds *
                      (way->solid->seconds * way->solid->law->stiffness * slope * sums->active_lag +
                       way->solid->law->damping * sums->active);
}

/// From sums in the solid's frame to the push in the world.
static void finish(const AbutWay* way, const AbutPenaltyFrame* frame, const double stretch[3],
                   const AbutWaySums* sums, AbutPenaltyPush* push)
{
    double length = sqrt(abut_dot(sums->force, sums->force));
    if (!(sums->strength > 0.0) || !(length > 0.0))
    {
        return;
    }
    double normal[3], place[3], impulse[3], moment[3], slide[3], turn[3];
    for (int k = 0; k < 3; ++k)
    {
        normal[k] = sums->force[k] / length;
        place[k] = sums->place[k] / sums->strength;
    }
    push->normal_impulse = length * way->solid->seconds;
    set_resistance(way, sums, push);
    add_friction(way, stretch, sums, normal, push->normal_impulse, push, slide);
    abut_cross(place, slide, turn);
    for (int k = 0; k < 3; ++k)
    {
        impulse[k] = way->solid->seconds * sums->force[k] + slide[k];
        moment[k] = way->solid->seconds * sums->torque[k] + turn[k];
    }
    to_world(frame, impulse, push->impulse);
    to_world(frame, moment, push->moment);
    to_world(frame, normal, push->normal);
    to_world(frame, place, push->place);
    for (int k = 0; k < 3; ++k)
    {
        push->place[k] += frame->position[k];
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of a pair
// ---------------------------------------------------------------------------------------------------------------------

/// One side of a pair.
typedef struct Side
{
    AbutPenalty* penalty;
    AbutPenaltyPair* pair;
    const AbutPenaltyFrame* middle; // of the solid's body
    AbutPenaltyFrame start, end;    // of the points' body, in the axes of the solid's
    double* sum;
    AbutWaySolid solid;
    bool sampled;
} Side;

static AbutWaySolid make_solid(const AbutWorld* world, const AbutPenaltyPair* pair, const AbutBody* body,
                               double seconds)
{
    AbutShapeInfo info = abut_shape_info(body->shape);
    AbutWaySolid solid = { .shape = body->shape,
                           .law = &pair->law,
                           .scale = body->scale,
                           .unit = 1.0 / (double)body->scale,
                           .steepest = (double)info.lipschitz,
                           .is_flat = info.kind == ABUT_SHAPE_PLANE,
                           .seconds = seconds,
                           .midpoint_count = world->def.penalty.midpoint_count };
    memcpy(solid.center, body->center, sizeof(solid.center));
    abut_way_set_radius(&solid,
                        fmin((double)world->bodies[pair->a].radius, (double)world->bodies[pair->b].radius));
    return solid;
}

static Side make_side(const AbutWorld* world, AbutPenaltyPair* pair, uint32_t side, double seconds)
{
    AbutPenalty* penalty = world->penalty;
    uint32_t carrier = side == 0 ? pair->a : pair->b, solid = side == 0 ? pair->b : pair->a;
    Side self = { .penalty = penalty,
                  .pair = pair,
                  .middle = &penalty->bodies[solid].middle,
                  .start = pair->start[side],
                  .end = abut_penalty_see(&penalty->bodies[carrier].end, &penalty->bodies[solid].end),
                  .sum = pair->sum[side],
                  .solid = make_solid(world, pair, &world->bodies[solid], seconds),
                  .sampled = world->def.penalty.scheme == ABUT_PENALTY_SAMPLED };
    return self;
}

static AbutWay make_way(const Side* self, const AbutPenaltyContact* contact)
{
    AbutWay way;
    double to[3];
    way.solid = &self->solid;
    see(&self->start, contact->arm, way.from);
    see(&self->end, contact->arm, to);
    for (int i = 0; i < 3; ++i)
    {
        way.slide[i] = to[i] - way.from[i];
        way.move[i] = self->sampled ? 0.0 : way.slide[i];
        way.from[i] = self->sampled ? to[i] : way.from[i];
    }
    way.length = abut_length(way.move);
    return way;
}

/// Looks that are waiting.
typedef struct Batch
{
    size_t count;
    float at[3][2 * CHUNK];
    AbutPenaltyLook* to[2 * CHUNK];
} Batch;

static void add_look(Batch* batch, const float at[3], AbutPenaltyLook* to)
{
    size_t i = batch->count++;
    for (int k = 0; k < 3; ++k)
    {
        to->at[k] = batch->at[k][i] = at[k];
    }
    batch->to[i] = to;
}

static void run(Batch* batch, const AbutShape* shape)
{
    float distance[2 * CHUNK], gradient[3][2 * CHUNK];
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    AbutSamples samples = { distance, gradient[0], gradient[1], gradient[2] };
    abut_shape_sample(shape, NULL, points, batch->count, samples);
    for (size_t i = 0; i < batch->count; ++i)
    {
        AbutPenaltyLook* look = batch->to[i];
        look->distance = distance[i];
        look->gradient[0] = gradient[0][i];
        look->gradient[1] = gradient[1][i];
        look->gradient[2] = gradient[2][i];
    }
    batch->count = 0;
}

/// Points that may touch, with their ways and what is seen at both ends of those that are long.
typedef struct Chosen
{
    size_t count;
    size_t contacts[CHUNK];
    AbutWay ways[CHUNK];
    AbutPenaltyLook ends[CHUNK][2];
} Chosen;

/// Looks at the middle of the ways of some points, unless that is known from the last time.
static void look_at_middles(const Side* self, size_t first, size_t count, AbutWay* ways)
{
    Batch batch;
    batch.count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        AbutPenaltyContact* contact = &self->penalty->contacts[first + i];
        float at[3];
        ways[i] = make_way(self, contact);
        abut_way_place(&ways[i], 0.5, at);
        const float* known = contact->look.at;
        if (!contact->is_seen || known[0] != at[0] || known[1] != at[1] || known[2] != at[2])
        {
            add_look(&batch, at, &contact->look);
            contact->is_seen = true;
        }
    }
    run(&batch, self->solid.shape);
}

static void choose(const Side* self, size_t first, size_t count, Chosen* chosen)
{
    Batch batch;
    batch.count = 0;
    chosen->count = 0;
    look_at_middles(self, first, count, chosen->ways);
    for (size_t i = 0; i < count; ++i)
    {
        const AbutPenaltyContact* contact = &self->penalty->contacts[first + i];
        const AbutWay* way = &chosen->ways[i];
        double gap = (double)contact->look.distance * self->solid.scale;
        if (gap > self->solid.steepest * (0.5 * way->length + self->solid.spread))
        {
            continue;
        }
        size_t k = chosen->count++;
        chosen->ways[k] = *way;
        chosen->contacts[k] = first + i;
        for (int end = 0; end < 2 && chosen->ways[k].length > self->solid.near; ++end)
        {
            float at[3];
            abut_way_place(&chosen->ways[k], (double)end, at);
            add_look(&batch, at, &chosen->ends[k][end]);
        }
    }
    run(&batch, self->solid.shape);
}

static bool push_one(const Side* self, const Chosen* chosen, size_t i, AbutPenaltyPush* push)
{
    const AbutPenaltyContact* contact = &self->penalty->contacts[chosen->contacts[i]];
    const AbutWay* way = &chosen->ways[i];
    bool is_long = way->length > self->solid.near;
    const AbutPenaltyLook* middle = &contact->look;
    const AbutWayState states[ABUT_WAY_LOOKS] = {
        abut_way_state(way, 0.0, is_long ? &chosen->ends[i][0] : middle), abut_way_state(way, 0.5, middle),
        abut_way_state(way, 1.0, is_long ? &chosen->ends[i][1] : middle)
    };
    AbutWaySums sums = { .deepest = 0.0 };
    bool from_start = abut_way_add(way, states, &sums);
    if (!(sums.deepest > 0.0))
    {
        return false;
    }
    const double none[3] = { 0.0, 0.0, 0.0 };
    memset(push, 0, sizeof(*push));
    push->contact = chosen->contacts[i];
    finish(way, self->middle, contact->is_old && from_start ? contact->stretch : none, &sums, push);
    double depth = states[ABUT_WAY_LOOKS - 1].depth;
    push->deepest = sums.deepest;
    push->inside = sums.inside;
    push->lasts = depth > 0.0;
    push->energy = depth > 0.0 ? 0.5 * self->solid.law->stiffness * depth * depth : 0.0;
    return true;
}

/// Adds what the springs of some points do to the pair.
static void push_chunk(const Side* self, size_t first, size_t count)
{
    Chosen chosen;
    choose(self, first, count, &chosen);
    for (size_t i = 0; i < chosen.count; ++i)
    {
        AbutPenaltyPush* push = &self->penalty->pushes[self->pair->first + self->pair->push_count];
        if (push_one(self, &chosen, i, push))
        {
            self->pair->push_count += 1;
            for (int k = 0; k < 3; ++k)
            {
                self->sum[k] += push->impulse[k];
                self->sum[3 + k] += push->moment[k];
            }
        }
    }
}

/// Whether nothing has changed since the last time.
static bool is_pushed(const AbutPenalty* penalty, const AbutPenaltyPair* pair)
{
    return pair->is_pushed && pair->damping == pair->law.damping && pair->stiffness == pair->law.stiffness &&
           memcmp(&pair->ends[0], &penalty->bodies[pair->a].end, sizeof(AbutPenaltyFrame)) == 0 &&
           memcmp(&pair->ends[1], &penalty->bodies[pair->b].end, sizeof(AbutPenaltyFrame)) == 0;
}

static void note_pushed(const AbutPenalty* penalty, AbutPenaltyPair* pair)
{
    pair->is_pushed = true;
    pair->damping = pair->law.damping;
    pair->stiffness = pair->law.stiffness;
    pair->ends[0] = penalty->bodies[pair->a].end;
    pair->ends[1] = penalty->bodies[pair->b].end;
    pair->push_count = 0;
    memset(pair->sum, 0, sizeof(pair->sum));
}

/// The contacts of one side come after those of the other.
void abut_penalty_push(const AbutWorld* world, size_t index, double seconds)
{
    const AbutPenalty* penalty = world->penalty;
    AbutPenaltyPair* pair = &world->penalty->pairs[index];
    size_t at = pair->first, end = pair->first + pair->count;
    if (is_pushed(penalty, pair))
    {
        return;
    }
    note_pushed(penalty, pair);
    for (uint32_t side = 0; side < 2 && at < end; ++side)
    {
        Side self = make_side(world, pair, side, seconds);
        while (at < end && penalty->contacts[at].side == side)
        {
            size_t count = 0;
            while (count < CHUNK && at + count < end && penalty->contacts[at + count].side == side)
            {
                ++count;
            }
            push_chunk(&self, at, count);
            at += count;
        }
    }
}

typedef struct PushContext
{
    const AbutWorld* world;
    double seconds;
} PushContext;

static void push_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const PushContext* self = context;
    abut_penalty_push(self->world, block, self->seconds);
}

void abut_penalty_push_all(AbutWorld* world, double seconds)
{
    PushContext context = { world, seconds };
    abut_parallel_for(&world->host, (uint32_t)world->penalty->pairs_count, push_block, &context);
}
