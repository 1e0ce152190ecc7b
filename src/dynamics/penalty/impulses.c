// Responses of all points over a substep: the motion of each through the solid of the other body, friction,
// and both in the world, by the frame of the middle of the substep.
#include "dynamics/penalty/impulses.h"

#include "base/assert.h"
#include "base/tasks.h"
#include "dynamics/penalty/candidates.h"
#include "dynamics/penalty/point_motion.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    CHUNK = 64 // points of a batch
};

// -----------------------------------------------------------------------------------------------------------
// Friction
// -----------------------------------------------------------------------------------------------------------

/// Tangential spring from the stress-free position of the point. It sticks up to friction times the normal
/// impulse; beyond, its end slides.
static AbutDVec3 add_friction(const AbutPointMotion* motion, AbutDVec3 tangential_spring,
                              const AbutSpringSums* sums, AbutDVec3 normal, double normal_impulse,
                              AbutPenaltyResponse* response)
{
    const AbutPenaltyLaw* law = motion->solid->law;
    double inside = sums->inside, seconds = motion->solid->seconds;
    double along = abut_dvec3_dot(motion->step_displacement, normal);
    AbutDVec3 spring =
        abut_dvec3_mul_sub(tangential_spring, abut_dvec3_dot(tangential_spring, normal), normal);
    AbutDVec3 slip = abut_dvec3_scale(abut_dvec3_mul_sub(motion->step_displacement, along, normal), inside);
    AbutDVec3 stretched = abut_dvec3_mul_add(spring, 0.5, slip);
    AbutDVec3 trial =
        abut_dvec3_mul_sub(abut_dvec3_scale(stretched, -seconds * inside * law->tangential_stiffness),
                           law->tangential_damping, slip);
    double size = abut_dvec3_length(trial), most = law->friction * normal_impulse;
    double fraction = size > most ? most / size : 1.0;
    AbutDVec3 impulse = abut_dvec3_scale(trial, fraction);
    response->tangential_spring =
        fraction < 1.0 ? abut_dvec3_div(abut_dvec3_neg(impulse), seconds * inside * law->tangential_stiffness)
                       : abut_dvec3_add(spring, slip);
    response->impulse_derivative[1] =
        fraction * 0.5 * seconds * inside *
        (0.5 * seconds * inside * law->tangential_stiffness + law->tangential_damping);
    return impulse;
}

// -----------------------------------------------------------------------------------------------------------
// World frame
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 to_world(const AbutPenaltyFrame* frame, AbutDVec3 v)
{
    return abut_dmat3_transform(&frame->matrix, v);
}

/// Position of a point in the solid's axes.
static AbutDVec3 to_solid(const AbutPenaltyFrame* frame, AbutDVec3 r)
{
    return abut_dvec3_add(abut_dmat3_transform(&frame->matrix, r), frame->position);
}

static void set_derivative(const AbutPointMotion* motion, const AbutSpringSums* sums,
                           AbutPenaltyResponse* response)
{
    double slope = sums->active > 0.0 ? sums->slope / sums->active : 0.0;
    response->impulse_derivative[0] =
        0.5 * motion->solid->seconds *
        (motion->solid->seconds * motion->solid->law->stiffness * slope * sums->active_lag +
         motion->solid->law->damping * sums->active);
}

/// Response in the world from sums in the solid's frame.
static void finish(const AbutPointMotion* motion, const AbutPenaltyFrame* frame, AbutDVec3 tangential_spring,
                   const AbutSpringSums* sums, AbutPenaltyResponse* response)
{
    double length = abut_dvec3_length(sums->force), seconds = motion->solid->seconds;
    if (!(sums->strength > 0.0) || !(length > 0.0))
    {
        return;
    }
    AbutDVec3 normal = abut_dvec3_div(sums->force, length),
              position = abut_dvec3_div(sums->position, sums->strength);
    response->normal_impulse = length * seconds;
    set_derivative(motion, sums, response);
    AbutDVec3 friction =
        add_friction(motion, tangential_spring, sums, normal, response->normal_impulse, response);
    AbutDVec3 impulse = abut_dvec3_add(abut_dvec3_scale(sums->force, seconds), friction);
    AbutDVec3 moment =
        abut_dvec3_add(abut_dvec3_scale(sums->torque, seconds), abut_dvec3_cross(position, friction));
    response->impulse = to_world(frame, impulse);
    response->moment = to_world(frame, moment);
    response->normal = to_world(frame, normal);
    response->position = to_solid(frame, position);
}

// -----------------------------------------------------------------------------------------------------------
// Points of a pair
// -----------------------------------------------------------------------------------------------------------

/// One side of a pair.
typedef struct Side
{
    AbutPenalty* penalty;
    AbutPenaltyPair* pair;
    const AbutPenaltyFrame* middle; // of the solid's body
    AbutPenaltyFrame start, end;    // of the points' body, in the axes of the solid's
    double* sum;
    AbutPointMotionSolid solid;
    bool sampled;
} Side;

static AbutPointMotionSolid make_solid(const AbutWorld* world, const AbutPenaltyPair* pair,
                                       const AbutBody* body, double seconds)
{
    AbutShapeInfo info = abut_shape_info(body->shape);
    AbutPointMotionSolid solid = { .shape = body->shape,
                                   .law = &pair->law,
                                   .scale = body->scale,
                                   .inverse_scale = 1.0 / (double)body->scale,
                                   .lipschitz = (double)info.lipschitz,
                                   .is_flat = info.kind == ABUT_SHAPE_PLANE,
                                   .seconds = seconds,
                                   .midpoint_count = world->def.penalty.midpoint_count };
    solid.center = body->center;
    abut_point_motion_set_radius(
        &solid, fmin((double)world->bodies[pair->a].radius, (double)world->bodies[pair->b].radius));
    return solid;
}

static Side make_side(const AbutWorld* world, AbutPenaltyPair* pair, uint32_t side, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    uint32_t carrier = side == 0 ? pair->a : pair->b, solid = side == 0 ? pair->b : pair->a;
    Side self = { .penalty = penalty,
                  .pair = pair,
                  .middle = &penalty->bodies[solid].middle,
                  .start = pair->start[side],
                  .end =
                      abut_penalty_relative_frame(&penalty->bodies[carrier].end, &penalty->bodies[solid].end),
                  .sum = pair->sum[side],
                  .solid = make_solid(world, pair, &world->bodies[solid], seconds),
                  .sampled = world->def.penalty.scheme == ABUT_PENALTY_SAMPLED };
    return self;
}

static AbutPointMotion make_motion(const Side* self, const AbutPenaltyContact* contact)
{
    AbutDVec3 from = to_solid(&self->start, contact->r), to = to_solid(&self->end, contact->r);
    AbutDVec3 displacement = abut_dvec3_sub(to, from);
    AbutPointMotion motion = { .solid = &self->solid,
                               .from = self->sampled ? to : from,
                               .displacement = self->sampled ? abut_dvec3_zero() : displacement,
                               .step_displacement = displacement };
    motion.length = abut_dvec3_length(motion.displacement);
    return motion;
}

/// Samples to take.
typedef struct Batch
{
    size_t count;
    float at[3][2 * CHUNK];
    AbutPenaltySample* to[2 * CHUNK];
} Batch;

static void add_sample(Batch* batch, const float at[3], AbutPenaltySample* to)
{
    size_t i = batch->count++;
    ABUT_ASSERT(i < 2 * CHUNK);
    to->at[0] = batch->at[0][i] = at[0];
    to->at[1] = batch->at[1][i] = at[1];
    to->at[2] = batch->at[2][i] = at[2];
    batch->to[i] = to;
}

static void sample_batch(Batch* batch, const AbutShape* shape)
{
    float distance[2 * CHUNK], gradient[3][2 * CHUNK];
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    AbutSamples samples = { distance, gradient[0], gradient[1], gradient[2] };
    abut_shape_sample(shape, NULL, points, batch->count, samples);
    for (size_t i = 0; i < batch->count; ++i)
    {
        AbutPenaltySample* sample = batch->to[i];
        sample->distance = distance[i];
        sample->gradient[0] = gradient[0][i];
        sample->gradient[1] = gradient[1][i];
        sample->gradient[2] = gradient[2][i];
    }
    batch->count = 0;
}

/// Points that may touch, with their motions and the samples at both ends of long ones.
typedef struct Selected
{
    size_t count;
    size_t contacts[CHUNK];
    AbutPointMotion motions[CHUNK];
    AbutPenaltySample ends[CHUNK][2];
} Selected;

/// Samples at the middle of the motions, unless known from the last evaluation.
static void sample_middles(const Side* self, size_t first, size_t count, AbutPointMotion* motions)
{
    Batch batch;
    batch.count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        AbutPenaltyContact* contact = &self->penalty->contacts[first + i];
        float at[3];
        motions[i] = make_motion(self, contact);
        abut_point_motion_sample_position(&motions[i], 0.5, at);
        const float* known = contact->sample.at;
        if (!contact->is_sampled || known[0] != at[0] || known[1] != at[1] || known[2] != at[2])
        {
            add_sample(&batch, at, &contact->sample);
            contact->is_sampled = true;
        }
    }
    sample_batch(&batch, self->solid.shape);
}

static void select_points(const Side* self, size_t first, size_t count, Selected* selected)
{
    Batch batch;
    batch.count = 0;
    selected->count = 0;
    sample_middles(self, first, count, selected->motions);
    for (size_t i = 0; i < count; ++i)
    {
        const AbutPenaltyContact* contact = &self->penalty->contacts[first + i];
        const AbutPointMotion* motion = &selected->motions[i];
        double gap = (double)contact->sample.distance * self->solid.scale;
        if (gap > self->solid.lipschitz * (0.5 * motion->length + self->solid.sample_offset))
        {
            continue;
        }
        size_t k = selected->count++;
        selected->motions[k] = *motion;
        selected->contacts[k] = first + i;
        for (int end = 0; end < 2 && selected->motions[k].length > self->solid.short_length; ++end)
        {
            float at[3];
            abut_point_motion_sample_position(&selected->motions[k], (double)end, at);
            add_sample(&batch, at, &selected->ends[k][end]);
        }
    }
    sample_batch(&batch, self->solid.shape);
}

static bool integrate_point(const Side* self, const Selected* selected, size_t i,
                            AbutPenaltyResponse* response)
{
    const AbutPenaltyContact* contact = &self->penalty->contacts[selected->contacts[i]];
    const AbutPointMotion* motion = &selected->motions[i];
    bool is_long = motion->length > self->solid.short_length;
    const AbutPenaltySample* middle = &contact->sample;
    const AbutSpringState states[ABUT_POINT_MOTION_SAMPLES] = {
        abut_point_motion_state(motion, 0.0, is_long ? &selected->ends[i][0] : middle),
        abut_point_motion_state(motion, 0.5, middle),
        abut_point_motion_state(motion, 1.0, is_long ? &selected->ends[i][1] : middle)
    };
    AbutSpringSums sums = { .max_depth = 0.0 };
    bool from_start = abut_point_motion_integrate(motion, states, &sums);
    if (!(sums.max_depth > 0.0))
    {
        return false;
    }
    memset(response, 0, sizeof(*response));
    response->contact = selected->contacts[i];
    finish(motion, self->middle,
           contact->is_old && from_start ? contact->tangential_spring : abut_dvec3_zero(), &sums, response);
    double depth = states[ABUT_POINT_MOTION_SAMPLES - 1].depth;
    response->max_depth = sums.max_depth;
    response->inside = sums.inside;
    response->persists = depth > 0.0;
    response->energy = depth > 0.0 ? 0.5 * self->solid.law->stiffness * depth * depth : 0.0;
    return true;
}

static void add3(AbutDVec3 v, double out[])
{
    out[0] += v.x;
    out[1] += v.y;
    out[2] += v.z;
}

/// Adds the responses of some points to the pair.
static void integrate_chunk(const Side* self, size_t first, size_t count)
{
    Selected selected;
    select_points(self, first, count, &selected);
    for (size_t i = 0; i < selected.count; ++i)
    {
        AbutPenaltyResponse* response =
            &self->penalty->responses[self->pair->first + self->pair->response_count];
        if (integrate_point(self, &selected, i, response))
        {
            self->pair->response_count += 1;
            ABUT_ASSERT(self->pair->response_count <= self->pair->count);
            add3(response->impulse, self->sum);
            add3(response->moment, self->sum + 3);
        }
    }
}

/// Whether nothing has changed since the last evaluation.
static bool is_evaluated(const AbutPenalty* penalty, const AbutPenaltyPair* pair)
{
    return pair->is_evaluated && pair->damping == pair->law.damping &&
           pair->stiffness == pair->law.stiffness &&
           memcmp(&pair->ends[0], &penalty->bodies[pair->a].end, sizeof(AbutPenaltyFrame)) == 0 &&
           memcmp(&pair->ends[1], &penalty->bodies[pair->b].end, sizeof(AbutPenaltyFrame)) == 0;
}

static void mark_evaluated(const AbutPenalty* penalty, AbutPenaltyPair* pair)
{
    pair->is_evaluated = true;
    pair->damping = pair->law.damping;
    pair->stiffness = pair->law.stiffness;
    pair->ends[0] = penalty->bodies[pair->a].end;
    pair->ends[1] = penalty->bodies[pair->b].end;
    pair->response_count = 0;
    memset(pair->sum, 0, sizeof(pair->sum));
}

/// Contacts are sorted by side.
void abut_penalty_integrate_pair(const AbutWorld* world, size_t index, double seconds)
{
    const AbutPenalty* penalty = abut_penalty(world);
    AbutPenaltyPair* pair = &abut_penalty(world)->pairs[index];
    size_t at = pair->first, end = pair->first + pair->count;
    if (is_evaluated(penalty, pair))
    {
        return;
    }
    mark_evaluated(penalty, pair);
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
            integrate_chunk(&self, at, count);
            at += count;
        }
    }
    ABUT_ASSERT(at == end);
}

typedef struct IntegrateContext
{
    const AbutWorld* world;
    double seconds;
} IntegrateContext;

static void integrate_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const IntegrateContext* self = context;
    abut_penalty_integrate_pair(self->world, block, self->seconds);
}

void abut_penalty_integrate(AbutWorld* world, double seconds)
{
    IntegrateContext context = { world, seconds };
    abut_parallel_for(&world->host, (uint32_t)abut_penalty(world)->pairs_count, integrate_block, &context);
}
