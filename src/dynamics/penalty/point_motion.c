// The spring of one point over its motion: the times inside, and the force.
#include "dynamics/penalty/point_motion.h"

#include "base/assert.h"
#include "math/dvec3.h"

#include <math.h>

enum
{
    INTERVALS = 16, // times inside of a motion, at most
    NODES = 8,      // samples of a motion for which three do not suffice
    SAMPLES = 1024  // budget of a cast where these do not suffice
};

/// Deviations of a depth that is linear in time: of the middle, relative to the largest depth, and of the
/// normals.
#define LINEAR_DEPTH 1e-4
#define LINEAR_NORMAL 1e-3

/// The same for a parabola, integrated by Simpson's rule over three samples.
#define SMOOTH_DEPTH 0.02
#define SMOOTH_NORMAL 0.02

/// In units of the smaller radius.
#define TOLERANCE 1e-4
#define SHORT_FRACTION 0x1p-12
#define LATTICE 0x1p-15

// -----------------------------------------------------------------------------------------------------------
// Samples
// -----------------------------------------------------------------------------------------------------------

void abut_point_motion_set_radius(AbutPointMotionSolid* solid, double radius)
{
    int exponent = 0;
    bool known = isfinite(radius) && radius > 0.0;
    frexp(known ? radius : 0.0, &exponent);
    solid->tolerance = TOLERANCE * radius;
    solid->short_length = known ? SHORT_FRACTION * radius : 0.0;
    solid->sample_offset = known ? ldexp(LATTICE, exponent) : 0.0; // more than half of the diagonal
    // A coordinate plus this is rounded to units in its last place.
    solid->lattice = known ? ldexp(1.5 * 0x1p52 * LATTICE, exponent) : 0.0;
}

static AbutDVec3 position_at(const AbutPointMotion* motion, double time)
{
    return abut_dvec3_mul_add(motion->from, time, motion->displacement);
}

static float sample_coordinate(const AbutPointMotionSolid* solid, double center, double x)
{
    double nearest = (x + solid->lattice) - solid->lattice;
    return (float)(center + nearest * solid->inverse_scale);
}

void abut_point_motion_sample_position(const AbutPointMotion* motion, double time, float at[3])
{
    const AbutPointMotionSolid* solid = motion->solid;
    AbutDVec3 x = position_at(motion, time);
    at[0] = sample_coordinate(solid, solid->center.x, x.x);
    at[1] = sample_coordinate(solid, solid->center.y, x.y);
    at[2] = sample_coordinate(solid, solid->center.z, x.z);
}

AbutSpringState abut_point_motion_state(const AbutPointMotion* motion, double time,
                                        const AbutPenaltySample* sample)
{
    const AbutPointMotionSolid* solid = motion->solid;
    AbutSpringState state = { .time = time };
    AbutDVec3 g = abut_dvec3(sample->gradient[0], sample->gradient[1], sample->gradient[2]);
    AbutDVec3 sampled =
        abut_dvec3_sub(abut_dvec3(sample->at[0], sample->at[1], sample->at[2]), solid->center);
    AbutDVec3 offset = abut_dvec3_sub(position_at(motion, time), abut_dvec3_scale(sampled, solid->scale));
    double distance =
        (double)sample->distance * solid->scale + g.x * offset.x + g.y * offset.y + g.z * offset.z;
    state.depth = -distance;
    state.slope = abut_dvec3_length(g);
    state.normal = abut_dvec3_scale(g, state.slope > 0.0 ? 1.0 / state.slope : 0.0);
    double speed = abut_dvec3_dot(motion->step_displacement, state.normal) / solid->seconds;
    state.force = solid->law->stiffness * state.depth * state.slope - solid->law->damping * speed;
    return state;
}

/// Samples the spring at the times of `states`.
static void sample(const AbutPointMotion* motion, AbutSpringState* states, uint32_t count)
{
    float at[3][ABUT_PENALTY_MIDPOINTS], distance[ABUT_PENALTY_MIDPOINTS];
    float gradient[3][ABUT_PENALTY_MIDPOINTS];
    ABUT_ASSERT(count <= ABUT_PENALTY_MIDPOINTS);
    for (uint32_t i = 0; i < count; ++i)
    {
        float position[3];
        abut_point_motion_sample_position(motion, states[i].time, position);
        at[0][i] = position[0];
        at[1][i] = position[1];
        at[2][i] = position[2];
    }
    AbutPoints points = { at[0], at[1], at[2] };
    AbutSamples samples = { distance, gradient[0], gradient[1], gradient[2] };
    abut_shape_sample(motion->solid->shape, NULL, points, count, samples);
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutPenaltySample sampled = { { at[0][i], at[1][i], at[2][i] },
                                            distance[i],
                                            { gradient[0][i], gradient[1][i], gradient[2][i] } };
        states[i] = abut_point_motion_state(motion, states[i].time, &sampled);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Integration
// -----------------------------------------------------------------------------------------------------------

/// Deviation of three states from a linear depth, relative to the largest depth, and from a constant normal.
typedef struct Nonlinearity
{
    double depth, normal;
} Nonlinearity;

static double largest_component(AbutDVec3 v)
{
    return abut_larger(abut_larger(fabs(v.x), fabs(v.y)), fabs(v.z));
}

static Nonlinearity nonlinearity_of(const AbutSpringState states[3])
{
    double max_depth = abut_larger(fabs(states[0].depth), fabs(states[2].depth));
    double nonlinearity = fabs(states[1].depth - 0.5 * (states[0].depth + states[2].depth));
    double normal_change = abut_larger(largest_component(abut_dvec3_sub(states[2].normal, states[0].normal)),
                                       largest_component(abut_dvec3_sub(states[2].normal, states[1].normal)));
    return (Nonlinearity){ nonlinearity > 0.0 ? nonlinearity / max_depth : 0.0, normal_change };
}

static bool is_linear(Nonlinearity nonlinearity)
{
    return nonlinearity.depth <= LINEAR_DEPTH && nonlinearity.normal <= LINEAR_NORMAL;
}

static bool is_smooth(Nonlinearity nonlinearity, const AbutSpringState states[3])
{
    return nonlinearity.depth <= SMOOTH_DEPTH && nonlinearity.normal <= SMOOTH_NORMAL &&
           states[0].force > 0.0 && states[1].force > 0.0 && states[2].force > 0.0;
}

static void add_force(const AbutPointMotion* motion, AbutDVec3 normal, double time, double strength,
                      AbutSpringSums* sums)
{
    AbutDVec3 x = position_at(motion, time), force = abut_dvec3_scale(normal, strength);
    sums->force = abut_dvec3_add(sums->force, force);
    sums->position = abut_dvec3_mul_add(sums->position, strength, x);
    sums->torque = abut_dvec3_add(sums->torque, abut_dvec3_cross(x, force));
    sums->strength += strength;
}

/// Closed form: a force that is linear in time acts as its integral at its centroid. Negative forces are cut
/// off.
static void add_linear(const AbutPointMotion* motion, const AbutSpringState* begin,
                       const AbutSpringState* end, AbutSpringSums* sums)
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
        add_force(motion, end->normal, moment / sum, sum, sums);
    }
    sums->active += e - b;
    sums->active_lag += 0.5 * (e * e - b * b);
    sums->slope += end->slope * end->slope * (e - b);
}

/// Midpoint rule, as in the paper (Xu & Barbič).
static void add_midpoints(const AbutPointMotion* motion, AbutTimeInterval times, AbutSpringSums* sums)
{
    AbutSpringState states[ABUT_PENALTY_MIDPOINTS];
    uint32_t count = motion->solid->midpoint_count;
    double weight = ((double)times.end - (double)times.begin) / (double)count;
    for (uint32_t i = 0; i < count; ++i)
    {
        states[i].time = (double)times.begin + ((double)i + 0.5) * weight;
    }
    sample(motion, states, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutSpringState* state = &states[i];
        sums->max_depth = fmax(sums->max_depth, state->depth);
        sums->inside += weight;
        if (state->depth > 0.0 && state->force > 0.0)
        {
            add_force(motion, state->normal, state->time, weight * state->force, sums);
            sums->active += weight;
            sums->active_lag += weight * state->time;
            sums->slope += weight * state->slope * state->slope;
        }
    }
}

/// Simpson's rule, for a force that is positive throughout.
static void add_smooth(const AbutPointMotion* motion, const AbutSpringState states[3], AbutSpringSums* sums)
{
    double time = states[2].time - states[0].time;
    for (int i = 0; i < 3; ++i)
    {
        double weight = time * (i == 1 ? 4.0 / 6.0 : 1.0 / 6.0);
        add_force(motion, states[i].normal, states[i].time, weight * states[i].force, sums);
        sums->active += weight;
        sums->active_lag += weight * states[i].time;
        sums->slope += weight * states[i].slope * states[i].slope;
    }
    sums->inside += time;
}

/// An interval inside, with the states at its ends and middle.
static void add_states(const AbutPointMotion* motion, const AbutSpringState states[3], AbutSpringSums* sums)
{
    sums->max_depth = abut_larger(sums->max_depth, states[0].depth);
    sums->max_depth = abut_larger(sums->max_depth, states[1].depth);
    sums->max_depth = abut_larger(sums->max_depth, states[2].depth);
    Nonlinearity nonlinearity = nonlinearity_of(states);
    if (is_linear(nonlinearity))
    {
        add_linear(motion, &states[0], &states[2], sums);
    }
    else if (is_smooth(nonlinearity, states))
    {
        add_smooth(motion, states, sums);
    }
    else
    {
        AbutTimeInterval times = { (float)states[0].time, (float)states[2].time };
        add_midpoints(motion, times, sums);
    }
}

static void add_interval(const AbutPointMotion* motion, AbutTimeInterval times, AbutSpringSums* sums)
{
    AbutSpringState states[3] = { { .time = times.begin },
                                  { .time = 0.5 * ((double)times.begin + (double)times.end) },
                                  { .time = times.end } };
    sample(motion, states, 3);
    add_states(motion, states, sums);
}

// -----------------------------------------------------------------------------------------------------------
// Times inside
// -----------------------------------------------------------------------------------------------------------

/// All intervals inside, however short. Negative when the budget does not suffice.
static int find_exact_intervals(const AbutPointMotion* motion, AbutTimeInterval out[INTERVALS])
{
    const AbutPointMotionSolid* solid = motion->solid;
    AbutVec3 ends[2];
    for (int i = 0; i < 2; ++i)
    {
        AbutDVec3 x = position_at(motion, (double)i);
        ends[i] = abut_dvec3_to_vec3(abut_dvec3_mul_add(solid->center, solid->inverse_scale, x));
    }
    AbutCastSettings settings = abut_cast_settings();
    settings.budget = SAMPLES;
    settings.tolerance = (float)(0.5 * solid->tolerance * solid->inverse_scale);
    AbutCastOutput output = abut_cast_intervals(solid->shape, &settings, ends[0], ends[1], out, INTERVALS);
    bool complete = output.state != ABUT_CAST_BUDGET && output.state != ABUT_CAST_INVALID &&
                    output.interval_total <= INTERVALS;
    return complete ? (int)output.interval_count : -1;
}

/// Whether the point may be on the other side of the surface, by more than the tolerance, between two samples
/// of the same side.
static bool may_cross(const AbutPointMotion* motion, const AbutSpringState* a, const AbutSpringState* b)
{
    double distance_apart = (b->time - a->time) * motion->length;
    return !motion->solid->is_flat && (a->depth <= 0.0) == (b->depth <= 0.0) &&
           motion->solid->lipschitz * distance_apart - fabs(a->depth) - fabs(b->depth) >
               2.0 * motion->solid->tolerance;
}

/// Intervals inside, by linear interpolation of samples.
static int join_nodes(const AbutSpringState nodes[NODES], AbutTimeInterval out[INTERVALS])
{
    int count = 0;
    bool inside = nodes[0].depth > 0.0;
    out[0].begin = 0.0f;
    for (int i = 1; i < NODES; ++i)
    {
        const AbutSpringState *a = &nodes[i - 1], *b = &nodes[i];
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
    ABUT_ASSERT(count <= NODES / 2);
    return count;
}

/// Whether samples prove that the point stays on one side of the surface.
static bool stays_on_side(const AbutPointMotion* motion, const AbutSpringState nodes[NODES])
{
    bool same = true;
    for (int i = 1; i < NODES && same; ++i)
    {
        same =
            (nodes[i].depth > 0.0) == (nodes[0].depth > 0.0) && !may_cross(motion, &nodes[i - 1], &nodes[i]);
    }
    return same;
}

/// The intervals inside.
static int find_intervals(const AbutPointMotion* motion, AbutTimeInterval out[INTERVALS])
{
    AbutSpringState nodes[NODES];
    for (int i = 0; i < NODES; ++i)
    {
        nodes[i].time = (double)i / (NODES - 1);
    }
    sample(motion, nodes, NODES);
    int count = stays_on_side(motion, nodes) ? -1 : find_exact_intervals(motion, out);
    return count >= 0 ? count : join_nodes(nodes, out);
}

/// Zero of the parabola through three samples of a nearly linear depth, between the first and the last.
static double crossing(const AbutSpringState states[ABUT_POINT_MOTION_SAMPLES])
{
    double d0 = states[0].depth, d1 = states[1].depth, d2 = states[2].depth;
    double a = 2.0 * (d0 + d2 - 2.0 * d1), b = 4.0 * d1 - 3.0 * d0 - d2;
    double root = sqrt(abut_larger(b * b - 4.0 * a * d0, 0.0));
    double time = 2.0 * d0 / (copysign(root, d0) - b);
    return time >= 0.0 && time <= 1.0 ? time : d0 / (d0 - d2);
}

/// A motion that crosses the surface once.
static void add_crossing(const AbutPointMotion* motion,
                         const AbutSpringState states[ABUT_POINT_MOTION_SAMPLES], Nonlinearity nonlinearity,
                         AbutSpringSums* sums)
{
    double time = crossing(states);
    bool enters = states[2].depth > 0.0;
    if (!is_linear(nonlinearity))
    {
        AbutTimeInterval times = { enters ? (float)time : 0.0f, enters ? 1.0f : (float)time };
        add_interval(motion, times, sums);
        return;
    }
    AbutSpringState at = enters ? states[2] : states[0];
    sums->max_depth = abut_larger(sums->max_depth, at.depth);
    at.force -= motion->solid->law->stiffness * at.depth * at.slope;
    at.depth = 0.0;
    at.time = time;
    add_linear(motion, enters ? &at : &states[0], enters ? &states[2] : &at, sums);
}

bool abut_point_motion_integrate(const AbutPointMotion* motion,
                                 const AbutSpringState states[ABUT_POINT_MOTION_SAMPLES],
                                 AbutSpringSums* sums)
{
    bool in[ABUT_POINT_MOTION_SAMPLES] = { states[0].depth > 0.0, states[1].depth > 0.0,
                                           states[2].depth > 0.0 };
    if (!may_cross(motion, &states[0], &states[1]) && !may_cross(motion, &states[1], &states[2]))
    {
        Nonlinearity nonlinearity = nonlinearity_of(states);
        bool all = in[0] && in[1] && in[2], none = !in[0] && !in[1] && !in[2];
        if (all)
        {
            add_states(motion, states, sums);
        }
        else if (!none && in[0] != in[2] && nonlinearity.depth <= SMOOTH_DEPTH)
        {
            add_crossing(motion, states, nonlinearity, sums);
        }
        if (all || none || (in[0] != in[2] && nonlinearity.depth <= SMOOTH_DEPTH))
        {
            return in[0];
        }
    }
    AbutTimeInterval times[INTERVALS];
    int count = find_intervals(motion, times);
    for (int i = 0; i < count; ++i)
    {
        add_interval(motion, times[i], sums);
    }
    return count > 0 && times[0].begin == 0.0f;
}
