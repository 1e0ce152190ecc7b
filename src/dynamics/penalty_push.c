// What the spring of one point does over the step. Everything happens in the frame of the solid, through which the point goes
// straight; the sums are turned into the world by the frame of the middle of the step.
#include "dynamics/penalty.h"

#include "base/tasks.h"
#include "vec/double3.h"

#include <math.h>
#include <string.h>

enum
{
    CONTACTS_PER_BLOCK = 128,
    INTERVALS = 16, // of one point in one step
    KNOTS = 9,      // looks at the way of a point
    SAMPLES = 256   // at most, to find what slips between them
};

/// The depth counts as linear in time when its middle is this part of the deepest away from that, and normals differ by this.
#define LINEAR_DEPTH 1e-4
#define LINEAR_NORMAL 1e-3

/// The way of a point through a solid, and the law of its spring. Lengths are those of the world, axes those of the solid, and the
/// origin is the centre of mass of the solid's body.
typedef struct Way
{
    const AbutShape* shape;
    const AbutPenaltyLaw* law;
    double scale;     // of the shape
    double center[3]; // of mass, in the shape
    double from[3], move[3];
    double slide[3]; // what the point moves over the step; `move`, unless the force is sampled at the end
    double seconds;
    uint32_t midpoint_count;
} Way;

/// The spring at a time of the step.
typedef struct State
{
    double time;
    double depth;     // under 0 outside
    double normal[3]; // unit
    double slope;     // of the field
    double force;     // along the normal; under 0 where damping would pull
} State;

/// Sums over the time inside, as parts of the step.
typedef struct Sums
{
    double force[3], torque[3];
    double strength;           // of the force, without direction
    double place[3];           // times strength
    double active, active_lag; // time that it pushes, and its first moment
    double inside;             // time
    double slope;              // squared, times active
    double deepest;
} Sums;

static void place_at(const Way* way, double time, double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = way->from[i] + time * way->move[i];
    }
}

static void look(const Way* way, State* states, uint32_t count)
{
    float at[3][ABUT_PENALTY_MIDPOINTS], distance[ABUT_PENALTY_MIDPOINTS];
    float gradient[3][ABUT_PENALTY_MIDPOINTS];
    for (uint32_t i = 0; i < count; ++i)
    {
        double x[3];
        place_at(way, states[i].time, x);
        for (int k = 0; k < 3; ++k)
        {
            at[k][i] = (float)(way->center[k] + x[k] / way->scale);
        }
    }
    AbutPoints points = { at[0], at[1], at[2] };
    AbutSamples samples = { distance, gradient[0], gradient[1], gradient[2] };
    abut_shape_sample(way->shape, NULL, points, count, samples);
    for (uint32_t i = 0; i < count; ++i)
    {
        State* state = &states[i];
        double g[3] = { gradient[0][i], gradient[1][i], gradient[2][i] };
        state->slope = sqrt(abut_dot(g, g));
        state->depth = -(double)distance[i] * way->scale;
        for (int k = 0; k < 3; ++k)
        {
            state->normal[k] = state->slope > 0.0 ? g[k] / state->slope : 0.0;
        }
        double speed = abut_dot(way->slide, state->normal) / way->seconds;
        state->force = way->law->stiffness * state->depth * state->slope - way->law->damping * speed;
    }
}

static bool is_linear(const State states[3])
{
    double deepest = fmax(states[0].depth, states[2].depth);
    double bend = states[1].depth - 0.5 * (states[0].depth + states[2].depth);
    double turn = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        turn = fmax(turn, fabs(states[2].normal[k] - states[0].normal[k]));
        turn = fmax(turn, fabs(states[2].normal[k] - states[1].normal[k]));
    }
    return fabs(bend) <= LINEAR_DEPTH * deepest && turn <= LINEAR_NORMAL;
}

static void add_push(const Way* way, const double normal[3], double time, double strength, Sums* sums)
{
    double x[3], force[3], torque[3];
    place_at(way, time, x);
    for (int k = 0; k < 3; ++k)
    {
        force[k] = strength * normal[k];
        sums->force[k] += force[k];
        sums->place[k] += strength * x[k];
    }
    abut_cross(x, force, torque);
    for (int k = 0; k < 3; ++k)
    {
        sums->torque[k] += torque[k];
    }
    sums->strength += strength;
}

/// Closed form: a force that is linear in time acts like its sum at the first moment of it. Where it would pull, it is nothing.
static void add_linear(const Way* way, const State* begin, const State* end, Sums* sums)
{
    double b = begin->time, e = end->time, f0 = begin->force, f1 = end->force;
    sums->inside += e - b;
    if ((f0 <= 0.0 && f1 <= 0.0) || e <= b)
    {
        return;
    }
    double zero = b + (e - b) * (f0 / (f0 - f1)); // not used where both push
    b = f0 < 0.0 ? zero : b;
    e = f1 < 0.0 ? zero : e;
    f0 = fmax(f0, 0.0);
    f1 = fmax(f1, 0.0);
    double sum = 0.5 * (f0 + f1) * (e - b);
    double moment = (e - b) * (b * (2.0 * f0 + f1) + e * (f0 + 2.0 * f1)) / 6.0;
    if (sum > 0.0)
    {
        add_push(way, end->normal, moment / sum, sum, sums);
    }
    sums->active += e - b;
    sums->active_lag += 0.5 * (e * e - b * b);
    sums->slope += end->slope * end->slope * (e - b);
}

/// Midpoint rule, as in the paper.
static void add_midpoints(const Way* way, AbutTimeInterval times, Sums* sums)
{
    State states[ABUT_PENALTY_MIDPOINTS];
    uint32_t count = way->midpoint_count;
    double part = ((double)times.end - (double)times.begin) / (double)count;
    for (uint32_t i = 0; i < count; ++i)
    {
        states[i].time = (double)times.begin + ((double)i + 0.5) * part;
    }
    look(way, states, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        const State* state = &states[i];
        sums->deepest = fmax(sums->deepest, state->depth);
        sums->inside += part;
        if (state->depth > 0.0 && state->force > 0.0)
        {
            add_push(way, state->normal, state->time, part * state->force, sums);
            sums->active += part;
            sums->active_lag += part * state->time;
            sums->slope += part * state->slope * state->slope;
        }
    }
}

static void add_interval(const Way* way, AbutTimeInterval times, Sums* sums)
{
    State states[3] = { { .time = times.begin },
                        { .time = 0.5 * ((double)times.begin + (double)times.end) },
                        { .time = times.end } };
    look(way, states, 3);
    for (int i = 0; i < 3; ++i)
    {
        sums->deepest = fmax(sums->deepest, states[i].depth);
    }
    if (is_linear(states))
    {
        add_linear(way, &states[0], &states[2], sums);
        return;
    }
    add_midpoints(way, times, sums);
}

/// All times that the point is inside, however short.
static int find_exact_intervals(const Way* way, AbutTimeInterval out[INTERVALS])
{
    AbutVec3 ends[2];
    for (int i = 0; i < 2; ++i)
    {
        double x[3];
        place_at(way, (double)i, x);
        ends[i] = abut_vec3((float)(way->center[0] + x[0] / way->scale),
                            (float)(way->center[1] + x[1] / way->scale),
                            (float)(way->center[2] + x[2] / way->scale));
    }
    AbutSegmentSettings settings = abut_segment_settings();
    settings.budget = SAMPLES;
    return abut_segment_intervals(way->shape, &settings, ends[0], ends[1], out, INTERVALS).interval_count;
}

/// Whether the point may dip into the solid and out again between two places outside of it.
static bool may_dip(const Way* way, const State* a, const State* b)
{
    double steepest = (double)abut_shape_info(way->shape).lipschitz;
    double apart = (b->time - a->time) * sqrt(abut_dot(way->move, way->move));
    return a->depth <= 0.0 && b->depth <= 0.0 && -a->depth - b->depth <= steepest * apart &&
           a->depth + b->depth < 0.0;
}

/// The times that the point is inside, as seen at a few times of the step: the sweep has said that it touches, and where it
/// enters it has no force yet, so that a straight line between two looks is good enough. What could slip between two looks is
/// found exactly.
static int find_intervals(const Way* way, AbutTimeInterval out[INTERVALS])
{
    State knots[KNOTS];
    int count = 0;
    for (int i = 0; i < KNOTS; ++i)
    {
        knots[i].time = (double)i / (KNOTS - 1);
    }
    look(way, knots, KNOTS);
    bool inside = knots[0].depth > 0.0;
    out[0].begin = 0.0f;
    for (int i = 1; i < KNOTS; ++i)
    {
        const State *a = &knots[i - 1], *b = &knots[i];
        if (may_dip(way, a, b))
        {
            return find_exact_intervals(way, out);
        }
        if (inside != (b->depth > 0.0))
        {
            double cross_time = a->time + (b->time - a->time) * (a->depth / (a->depth - b->depth));
            *(inside ? &out[count++].end : &out[count].begin) = (float)cross_time;
            inside = !inside;
        }
    }
    if (inside)
    {
        out[count++].end = 1.0f;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// Friction
// ---------------------------------------------------------------------------------------------------------------------

/// A spring along the surface from where the point would be without load. It holds up to friction times the normal impulse;
/// beyond, its end is dragged along.
static void add_friction(const Way* way, const double stretch[3], const Sums* sums, const double normal[3],
                         double normal_impulse, AbutPenaltyPush* push, double impulse[3])
{
    const AbutPenaltyLaw* law = way->law;
    double inside = sums->inside, along = abut_dot(way->slide, normal), held = abut_dot(stretch, normal);
    double rest[3], slide[3], trial[3];
    for (int k = 0; k < 3; ++k)
    {
        rest[k] = stretch[k] - held * normal[k];
        slide[k] = inside * (way->slide[k] - along * normal[k]);
        trial[k] =
            -way->seconds * inside * law->grip * (rest[k] + 0.5 * slide[k]) - law->grip_damping * slide[k];
    }
    double size = sqrt(abut_dot(trial, trial)), most = law->friction * normal_impulse;
    double part = size > most ? most / size : 1.0;
    for (int k = 0; k < 3; ++k)
    {
        impulse[k] = part * trial[k];
        push->stretch[k] =
            part < 1.0 ? -impulse[k] / (way->seconds * inside * law->grip) : rest[k] + slide[k];
    }
    push->resist[1] =
        part * 0.5 * way->seconds * inside * (0.5 * way->seconds * inside * law->grip + law->grip_damping);
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

static void to_local(const AbutPenaltyFrame* frame, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = frame->matrix[0][i] * v[0] + frame->matrix[1][i] * v[1] + frame->matrix[2][i] * v[2];
    }
}

/// Where a point of one body is in the frame of another.
static void see(const AbutPenaltyFrame* body, const double arm[3], const AbutPenaltyFrame* solid,
                double out[3])
{
    double x[3];
    to_world(body, arm, x);
    for (int i = 0; i < 3; ++i)
    {
        x[i] += body->position[i] - solid->position[i];
    }
    to_local(solid, x, out);
}

static Way make_way(const AbutWorld* world, const AbutPenaltyContact* contact, double seconds)
{
    const AbutPenalty* penalty = world->penalty;
    const AbutPenaltyPair* pair = &penalty->pairs[contact->pair];
    uint32_t carrier = contact->side == 0 ? pair->a : pair->b, solid = contact->side == 0 ? pair->b : pair->a;
    const AbutBody *body = &world->bodies[carrier], *other = &world->bodies[solid];
    const AbutPenaltyBody *frames = &penalty->bodies[carrier], *others = &penalty->bodies[solid];
    AbutPoints at = abut_points_data(body->points).positions;
    const double p[3] = { at.x[contact->point], at.y[contact->point], at.z[contact->point] };
    double arm[3], to[3];
    Way way = { .shape = other->shape, .law = &pair->law, .scale = other->scale, .seconds = seconds };
    way.midpoint_count = world->def.penalty.midpoint_count;
    for (int i = 0; i < 3; ++i)
    {
        arm[i] = (double)body->scale * (p[i] - body->center[i]);
        way.center[i] = other->center[i];
    }
    see(&frames->start, arm, &others->start, way.from);
    see(&frames->end, arm, &others->end, to);
    bool sampled = world->def.penalty.scheme == ABUT_PENALTY_SAMPLED;
    for (int i = 0; i < 3; ++i)
    {
        way.slide[i] = to[i] - way.from[i];
        way.move[i] = sampled ? 0.0 : way.slide[i];
        way.from[i] = sampled ? to[i] : way.from[i];
    }
    return way;
}

static void set_resistance(const Way* way, const Sums* sums, AbutPenaltyPush* push)
{
    double slope = sums->active > 0.0 ? sums->slope / sums->active : 0.0;
    push->resist[0] =
        0.5 * way->seconds *
        (way->seconds * way->law->stiffness * slope * sums->active_lag + way->law->damping * sums->active);
}

/// From sums in the solid's frame to the push in the world.
static void finish(const Way* way, const AbutPenaltyFrame* frame, const double stretch[3], const Sums* sums,
                   AbutPenaltyPush* push)
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
    push->normal_impulse = length * way->seconds;
    set_resistance(way, sums, push);
    add_friction(way, stretch, sums, normal, push->normal_impulse, push, slide);
    abut_cross(place, slide, turn);
    for (int k = 0; k < 3; ++k)
    {
        impulse[k] = way->seconds * sums->force[k] + slide[k];
        moment[k] = way->seconds * sums->torque[k] + turn[k];
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

static void push_one(const AbutWorld* world, AbutPenaltyContact* contact, double seconds)
{
    Way way = make_way(world, contact, seconds);
    AbutTimeInterval times[INTERVALS];
    int count = find_intervals(&way, times);
    Sums sums = { .deepest = 0.0 };
    memset(&contact->push, 0, sizeof(contact->push));
    for (int i = 0; i < count; ++i)
    {
        add_interval(&way, times[i], &sums);
    }
    State last = { .time = 1.0 };
    look(&way, &last, 1);
    const double none[3] = { 0.0, 0.0, 0.0 };
    bool goes_on = contact->is_old && count > 0 && times[0].begin == 0.0f;
    const AbutPenaltyPair* pair = &world->penalty->pairs[contact->pair];
    const AbutPenaltyBody* solid = &world->penalty->bodies[contact->side == 0 ? pair->b : pair->a];
    finish(&way, &solid->middle, goes_on ? contact->stretch : none, &sums, &contact->push);
    contact->push.touches = sums.deepest > 0.0;
    contact->push.deepest = sums.deepest;
    contact->push.inside = sums.inside;
    contact->push.lasts = last.depth > 0.0;
    contact->push.energy = last.depth > 0.0 ? 0.5 * way.law->stiffness * last.depth * last.depth : 0.0;
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
    AbutPenalty* penalty = self->world->penalty;
    size_t first = (size_t)block * CONTACTS_PER_BLOCK, end = first + CONTACTS_PER_BLOCK;
    for (size_t i = first; i < end && i < penalty->contacts_count; ++i)
    {
        push_one(self->world, &penalty->contacts[i], self->seconds);
    }
}

void abut_penalty_push_all(AbutWorld* world, double seconds)
{
    PushContext context = { world, seconds };
    uint32_t blocks = abut_block_count(world->penalty->contacts_count, CONTACTS_PER_BLOCK);
    abut_parallel_for(&world->host, blocks, push_block, &context);
}
