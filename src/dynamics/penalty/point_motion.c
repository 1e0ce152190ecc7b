// What the spring of one point does on its way: while it is inside, and with which force.
#include "dynamics/penalty/point_motion.h"

#include "math/dvec3.h"

#include <math.h>

enum
{
    INTERVALS = 16, // of one point in one step
    KNOTS = 8,      // looks at a way that three do not tell enough of
    SAMPLES = 1024  // at most, to find the times of a way that these do not tell
};

/// The depth counts as linear in time when its middle is this part of the deepest away from that, and normals differ by this.
#define LINEAR_DEPTH 1e-4
#define LINEAR_NORMAL 1e-3

/// ... and as good as a parabola, which Simpson's rule takes from three looks, up to these.
#define SMOOTH_DEPTH 0.02
#define SMOOTH_NORMAL 0.02

/// Of the smaller body's radius, about.
#define TOLERANCE 1e-4
#define NEAR 0x1p-12
#define LATTICE 0x1p-15

// ---------------------------------------------------------------------------------------------------------------------
// Looks
// ---------------------------------------------------------------------------------------------------------------------

void abut_way_set_radius(AbutWaySolid* solid, double radius)
{
    int exponent = 0;
    bool known = isfinite(radius) && radius > 0.0;
    frexp(known ? radius : 0.0, &exponent);
    solid->tolerance = TOLERANCE * radius;
    solid->near = known ? NEAR * radius : 0.0;
    solid->spread = known ? ldexp(LATTICE, exponent) : 0.0; // more than half of the diagonal
    // The sum of this and a coordinate is rounded to units of its last place.
    solid->lattice = known ? ldexp(1.5 * 0x1p52 * LATTICE, exponent) : 0.0;
}

static void place_at(const AbutWay* way, double time, double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = way->from[i] + time * way->move[i];
    }
}

void abut_way_place(const AbutWay* way, double time, float at[3])
{
    const AbutWaySolid* solid = way->solid;
    double x[3];
    place_at(way, time, x);
    for (int i = 0; i < 3; ++i)
    {
        double nearest = (x[i] + solid->lattice) - solid->lattice;
        at[i] = (float)(solid->center[i] + nearest * solid->unit);
    }
}

AbutWayState abut_way_state(const AbutWay* way, double time, const AbutPenaltyLook* look)
{
    const AbutWaySolid* solid = way->solid;
    AbutWayState state = { .time = time };
    const double g[3] = { look->gradient[0], look->gradient[1], look->gradient[2] };
    double x[3], distance = (double)look->distance * solid->scale;
    place_at(way, time, x);
    for (int i = 0; i < 3; ++i)
    {
        distance += g[i] * (x[i] - ((double)look->at[i] - solid->center[i]) * solid->scale);
    }
    state.depth = -distance;
    state.slope = abut_length(g);
    double per_slope = state.slope > 0.0 ? 1.0 / state.slope : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        state.normal[i] = g[i] * per_slope;
    }
    double speed = abut_dot(way->slide, state.normal) / solid->seconds;
    state.force = solid->law->stiffness * state.depth * state.slope - solid->law->damping * speed;
    return state;
}

/// The spring at the times that states have.
static void look(const AbutWay* way, AbutWayState* states, uint32_t count)
{
    float at[3][ABUT_PENALTY_MIDPOINTS], distance[ABUT_PENALTY_MIDPOINTS];
    float gradient[3][ABUT_PENALTY_MIDPOINTS];
    for (uint32_t i = 0; i < count; ++i)
    {
        float place[3];
        abut_way_place(way, states[i].time, place);
        at[0][i] = place[0];
        at[1][i] = place[1];
        at[2][i] = place[2];
    }
    AbutPoints points = { at[0], at[1], at[2] };
    AbutSamples samples = { distance, gradient[0], gradient[1], gradient[2] };
    abut_shape_sample(way->solid->shape, NULL, points, count, samples);
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutPenaltyLook seen = { { at[0][i], at[1][i], at[2][i] },
                                       distance[i],
                                       { gradient[0][i], gradient[1][i], gradient[2][i] } };
        states[i] = abut_way_state(way, states[i].time, &seen);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Sums
// ---------------------------------------------------------------------------------------------------------------------

/// How far the states at the ends and in the middle of a time are from a depth that is linear, as a part of the deepest, and from one
/// normal.
typedef struct Bend
{
    double depth, normal;
} Bend;

static Bend bend_of(const AbutWayState states[3])
{
    double deepest = abut_larger(fabs(states[0].depth), fabs(states[2].depth));
    double bend = fabs(states[1].depth - 0.5 * (states[0].depth + states[2].depth)), turn = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        turn = abut_larger(turn, fabs(states[2].normal[k] - states[0].normal[k]));
        turn = abut_larger(turn, fabs(states[2].normal[k] - states[1].normal[k]));
    }
    return (Bend){ bend > 0.0 ? bend / deepest : 0.0, turn };
}

static bool is_linear(Bend bend)
{
    return bend.depth <= LINEAR_DEPTH && bend.normal <= LINEAR_NORMAL;
}

static bool is_smooth(Bend bend, const AbutWayState states[3])
{
    return bend.depth <= SMOOTH_DEPTH && bend.normal <= SMOOTH_NORMAL && states[0].force > 0.0 &&
           states[1].force > 0.0 && states[2].force > 0.0;
}

static void add_push(const AbutWay* way, const double normal[3], double time, double strength,
                     AbutWaySums* sums)
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
static void add_linear(const AbutWay* way, const AbutWayState* begin, const AbutWayState* end,
                       AbutWaySums* sums)
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
static void add_midpoints(const AbutWay* way, AbutTimeInterval times, AbutWaySums* sums)
{
    AbutWayState states[ABUT_PENALTY_MIDPOINTS];
    uint32_t count = way->solid->midpoint_count;
    double part = ((double)times.end - (double)times.begin) / (double)count;
    for (uint32_t i = 0; i < count; ++i)
    {
        states[i].time = (double)times.begin + ((double)i + 0.5) * part;
    }
    look(way, states, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutWayState* state = &states[i];
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

/// Simpson's rule, where the force pushes all the time.
static void add_smooth(const AbutWay* way, const AbutWayState states[3], AbutWaySums* sums)
{
    double time = states[2].time - states[0].time;
    for (int i = 0; i < 3; ++i)
    {
        double part = time * (i == 1 ? 4.0 / 6.0 : 1.0 / 6.0);
        add_push(way, states[i].normal, states[i].time, part * states[i].force, sums);
        sums->active += part;
        sums->active_lag += part * states[i].time;
        sums->slope += part * states[i].slope * states[i].slope;
    }
    sums->inside += time;
}

/// A time inside, with the states at its ends and in its middle.
static void add_states(const AbutWay* way, const AbutWayState states[3], AbutWaySums* sums)
{
    for (int i = 0; i < 3; ++i)
    {
        sums->deepest = abut_larger(sums->deepest, states[i].depth);
    }
    Bend bend = bend_of(states);
    if (is_linear(bend))
    {
        add_linear(way, &states[0], &states[2], sums);
    }
    else if (is_smooth(bend, states))
    {
        add_smooth(way, states, sums);
    }
    else
    {
        AbutTimeInterval times = { (float)states[0].time, (float)states[2].time };
        add_midpoints(way, times, sums);
    }
}

static void add_interval(const AbutWay* way, AbutTimeInterval times, AbutWaySums* sums)
{
    AbutWayState states[3] = { { .time = times.begin },
                               { .time = 0.5 * ((double)times.begin + (double)times.end) },
                               { .time = times.end } };
    look(way, states, 3);
    add_states(way, states, sums);
}

// ---------------------------------------------------------------------------------------------------------------------
// Times inside
// ---------------------------------------------------------------------------------------------------------------------

/// All times that the point is inside, however short. Negative when that takes too long to find out.
static int find_exact_intervals(const AbutWay* way, AbutTimeInterval out[INTERVALS])
{
    const AbutWaySolid* solid = way->solid;
    AbutVec3 ends[2];
    for (int i = 0; i < 2; ++i)
    {
        double x[3];
        place_at(way, (double)i, x);
        ends[i] = abut_vec3((float)(solid->center[0] + x[0] * solid->unit),
                            (float)(solid->center[1] + x[1] * solid->unit),
                            (float)(solid->center[2] + x[2] * solid->unit));
    }
    AbutSegmentSettings settings = abut_segment_settings();
    settings.budget = SAMPLES;
    settings.tolerance = (float)(0.5 * solid->tolerance * solid->unit);
    AbutSegmentOutput output =
        abut_segment_intervals(solid->shape, &settings, ends[0], ends[1], out, INTERVALS);
    bool complete = output.state != ABUT_SEGMENT_BUDGET && output.state != ABUT_SEGMENT_INVALID &&
                    output.interval_total <= INTERVALS;
    return complete ? output.interval_count : -1;
}

/// Whether the point may be on the other side of the surface, and not just so, between two places on the same side of it.
static bool may_cross(const AbutWay* way, const AbutWayState* a, const AbutWayState* b)
{
    double apart = (b->time - a->time) * way->length;
    return !way->solid->is_flat && (a->depth <= 0.0) == (b->depth <= 0.0) &&
           way->solid->steepest * apart - fabs(a->depth) - fabs(b->depth) > 2.0 * way->solid->tolerance;
}

/// Times inside by straight lines between looks.
static int join_knots(const AbutWayState knots[KNOTS], AbutTimeInterval out[INTERVALS])
{
    int count = 0;
    bool inside = knots[0].depth > 0.0;
    out[0].begin = 0.0f;
    for (int i = 1; i < KNOTS; ++i)
    {
        const AbutWayState *a = &knots[i - 1], *b = &knots[i];
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

/// Whether looks prove that the point is on the same side of the surface all the time.
static bool stays(const AbutWay* way, const AbutWayState knots[KNOTS])
{
    bool same = true;
    for (int i = 1; i < KNOTS && same; ++i)
    {
        same = (knots[i].depth > 0.0) == (knots[0].depth > 0.0) && !may_cross(way, &knots[i - 1], &knots[i]);
    }
    return same;
}

/// The times that the point is inside.
static int find_intervals(const AbutWay* way, AbutTimeInterval out[INTERVALS])
{
    AbutWayState knots[KNOTS];
    for (int i = 0; i < KNOTS; ++i)
    {
        knots[i].time = (double)i / (KNOTS - 1);
    }
    look(way, knots, KNOTS);
    int count = stays(way, knots) ? -1 : find_exact_intervals(way, out);
    return count >= 0 ? count : join_knots(knots, out);
}

/// When a depth that is nearly linear goes through 0 between the first and the last of three looks: that of the parabola through them.
static double crossing(const AbutWayState states[ABUT_WAY_LOOKS])
{
    double d0 = states[0].depth, d1 = states[1].depth, d2 = states[2].depth;
    double a = 2.0 * (d0 + d2 - 2.0 * d1), b = 4.0 * d1 - 3.0 * d0 - d2;
    double root = sqrt(abut_larger(b * b - 4.0 * a * d0, 0.0));
    double time = 2.0 * d0 / (copysign(root, d0) - b);
    return time >= 0.0 && time <= 1.0 ? time : d0 / (d0 - d2);
}

/// A way that enters or leaves once.
static void add_crossing(const AbutWay* way, const AbutWayState states[ABUT_WAY_LOOKS], Bend bend,
                         AbutWaySums* sums)
{
    double time = crossing(states);
    bool enters = states[2].depth > 0.0;
    if (!is_linear(bend))
    {
        AbutTimeInterval times = { enters ? (float)time : 0.0f, enters ? 1.0f : (float)time };
        add_interval(way, times, sums);
        return;
    }
    AbutWayState at = enters ? states[2] : states[0];
    sums->deepest = abut_larger(sums->deepest, at.depth);
    at.force -= way->solid->law->stiffness * at.depth * at.slope;
    at.depth = 0.0;
    at.time = time;
    add_linear(way, enters ? &at : &states[0], enters ? &states[2] : &at, sums);
}

bool abut_way_add(const AbutWay* way, const AbutWayState states[ABUT_WAY_LOOKS], AbutWaySums* sums)
{
    bool in[ABUT_WAY_LOOKS] = { states[0].depth > 0.0, states[1].depth > 0.0, states[2].depth > 0.0 };
    if (!may_cross(way, &states[0], &states[1]) && !may_cross(way, &states[1], &states[2]))
    {
        Bend bend = bend_of(states);
        bool all = in[0] && in[1] && in[2], none = !in[0] && !in[1] && !in[2];
        if (all)
        {
            add_states(way, states, sums);
        }
        else if (!none && in[0] != in[2] && bend.depth <= SMOOTH_DEPTH)
        {
            add_crossing(way, states, bend, sums);
        }
        if (all || none || (in[0] != in[2] && bend.depth <= SMOOTH_DEPTH))
        {
            return in[0];
        }
    }
    AbutTimeInterval times[INTERVALS];
    int count = find_intervals(way, times);
    for (int i = 0; i < count; ++i)
    {
        add_interval(way, times[i], sums);
    }
    return count > 0 && times[0].begin == 0.0f;
}
