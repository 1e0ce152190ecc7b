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
static void add_friction(const AbutPointMotion* motion, const double tangential_spring[3],
                         const AbutSpringSums* sums, const double normal[3], double normal_impulse,
                         AbutPenaltyResponse* response, double impulse[3])
{
    const AbutPenaltyLaw* law = motion->solid->law;
    double inside = sums->inside, along = abut_array3_dot(motion->step_displacement, normal),
           along_normal = abut_array3_dot(tangential_spring, normal);
    double spring[3], slip[3], trial[3];
    for (int k = 0; k < 3; ++k)
    {
        spring[k] = tangential_spring[k] - along_normal * normal[k];
        slip[k] = inside * (motion->step_displacement[k] - along * normal[k]);
        trial[k] =
            -motion->solid->seconds * inside * law->tangential_stiffness * (spring[k] + 0.5 * slip[k]) -
            law->tangential_damping * slip[k];
    }
    double size = sqrt(abut_array3_dot(trial, trial)), most = law->friction * normal_impulse;
    double fraction = size > most ? most / size : 1.0;
    for (int k = 0; k < 3; ++k)
    {
        impulse[k] = fraction * trial[k];
        response->tangential_spring[k] =
            fraction < 1.0 ? -impulse[k] / (motion->solid->seconds * inside * law->tangential_stiffness)
                           : spring[k] + slip[k];
    }
    response->impulse_derivative[1] =
        fraction * 0.5 * motion->solid->seconds * inside *
        (0.5 * motion->solid->seconds * inside * law->tangential_stiffness + law->tangential_damping);
}

// -----------------------------------------------------------------------------------------------------------
// World frame
// -----------------------------------------------------------------------------------------------------------

static void to_world(const AbutPenaltyFrame* frame, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_array3_dot(frame->matrix[i], v);
    }
}

/// Position of a point in the solid's axes.
static void to_solid(const AbutPenaltyFrame* frame, const double r[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_array3_dot(frame->matrix[i], r) + frame->position[i];
    }
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
static void finish(const AbutPointMotion* motion, const AbutPenaltyFrame* frame,
                   const double tangential_spring[3], const AbutSpringSums* sums,
                   AbutPenaltyResponse* response)
{
    double length = sqrt(abut_array3_dot(sums->force, sums->force));
    if (!(sums->strength > 0.0) || !(length > 0.0))
    {
        return;
    }
    double normal[3], position[3], impulse[3], moment[3], friction[3], friction_moment[3];
    for (int k = 0; k < 3; ++k)
    {
        normal[k] = sums->force[k] / length;
        position[k] = sums->position[k] / sums->strength;
    }
    response->normal_impulse = length * motion->solid->seconds;
    set_derivative(motion, sums, response);
    add_friction(motion, tangential_spring, sums, normal, response->normal_impulse, response, friction);
    abut_array3_cross(position, friction, friction_moment);
    for (int k = 0; k < 3; ++k)
    {
        impulse[k] = motion->solid->seconds * sums->force[k] + friction[k];
        moment[k] = motion->solid->seconds * sums->torque[k] + friction_moment[k];
    }
    to_world(frame, impulse, response->impulse);
    to_world(frame, moment, response->moment);
    to_world(frame, normal, response->normal);
    to_world(frame, position, response->position);
    for (int k = 0; k < 3; ++k)
    {
        response->position[k] += frame->position[k];
    }
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
    memcpy(solid.center, body->center, sizeof(solid.center));
    abut_point_motion_set_radius(
        &solid, fmin((double)world->bodies[pair->a].radius, (double)world->bodies[pair->b].radius));
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
                  .end =
                      abut_penalty_relative_frame(&penalty->bodies[carrier].end, &penalty->bodies[solid].end),
                  .sum = pair->sum[side],
                  .solid = make_solid(world, pair, &world->bodies[solid], seconds),
                  .sampled = world->def.penalty.scheme == ABUT_PENALTY_SAMPLED };
    return self;
}

static AbutPointMotion make_motion(const Side* self, const AbutPenaltyContact* contact)
{
    AbutPointMotion motion;
    double to[3];
    motion.solid = &self->solid;
    to_solid(&self->start, contact->r, motion.from);
    to_solid(&self->end, contact->r, to);
    for (int i = 0; i < 3; ++i)
    {
        motion.step_displacement[i] = to[i] - motion.from[i];
        motion.displacement[i] = self->sampled ? 0.0 : motion.step_displacement[i];
        motion.from[i] = self->sampled ? to[i] : motion.from[i];
    }
    motion.length = abut_array3_length(motion.displacement);
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
    for (int k = 0; k < 3; ++k)
    {
        to->at[k] = batch->at[k][i] = at[k];
    }
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
    const double none[3] = { 0.0, 0.0, 0.0 };
    memset(response, 0, sizeof(*response));
    response->contact = selected->contacts[i];
    finish(motion, self->middle, contact->is_old && from_start ? contact->tangential_spring : none, &sums,
           response);
    double depth = states[ABUT_POINT_MOTION_SAMPLES - 1].depth;
    response->max_depth = sums.max_depth;
    response->inside = sums.inside;
    response->persists = depth > 0.0;
    response->energy = depth > 0.0 ? 0.5 * self->solid.law->stiffness * depth * depth : 0.0;
    return true;
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
            for (int k = 0; k < 3; ++k)
            {
                self->sum[k] += response->impulse[k];
                self->sum[3 + k] += response->moment[k];
            }
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
    const AbutPenalty* penalty = world->penalty;
    AbutPenaltyPair* pair = &world->penalty->pairs[index];
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
    abut_parallel_for(&world->host, (uint32_t)world->penalty->pairs_count, integrate_block, &context);
}
