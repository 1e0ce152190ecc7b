// Points of contacts where bodies will meet: along the surface to the place that will be deepest in the other solid at the end of the step, as both move now.
// The narrow phase finds a contact in every region, but no more than one per cube of its spacing, and where bodies are now.
#include "dynamics/contacts/update.h"

#include "math/dvec3.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

enum
{
    BATCH = 64,
    TRIES = 4
};

/// How far ahead the bend of surfaces is looked for, and the largest that counts, as parts of the smaller body's radius.
#define AHEAD_PART 0.25
#define MOST_BEND 2.0

/// Radius of a body that rocks, in heights of its centre of mass.
#define ROCKING 1.25

/// Slope under which there is no direction to it, and under which a point has come to the bottom.
#define LEAST_SLOPE 1e-6
#define LEVEL 0.1

/// A try that was no better is followed by one of this length.
#define SHORTER 0.4

/// How the frame of one body lies in that of the other at the end of the step.
typedef struct Way
{
    double turn[3][3], place[3];
} Way;

typedef struct Samples
{
    float at[3][BATCH];
    float distance[BATCH];
    float gradient[3][BATCH];
} Samples;

/// What the solids say at a place.
typedef struct Look
{
    double gap;
    double height; // over the surface that it should be on, which the gap has been made larger by
    double uphill[3], normal[3]; // away from the other solid, out of its own
} Look;

/// Points of a body, in its frame (metres from its centre of mass), and what the solids say there.
typedef struct Walk
{
    const AbutBody *own, *other;
    Way way;
    uint32_t count;
    uint32_t which[BATCH];
    double at[BATCH][3], step[BATCH];
    Look looks[BATCH];
    double bend[BATCH]; // AbutContactPoint.bend
} Walk;

static void matrix_at_end(const AbutBody* body, double seconds, double out[3][3])
{
    double angle = abut_length(body->spin) * seconds, q[4];
    abut_turn_by(body->rotation, body->spin, angle > 1.0 ? seconds / angle : seconds, q);
    abut_body_matrix(q, out);
}

static Way way_at_end(const AbutBody* own, const AbutBody* other, double seconds)
{
    Way way;
    double mine[3][3], theirs[3][3], apart[3];
    matrix_at_end(own, abut_body_moves(own) ? seconds : 0.0, mine);
    matrix_at_end(other, abut_body_moves(other) ? seconds : 0.0, theirs);
    for (int i = 0; i < 3; ++i)
    {
        apart[i] = own->position[i] - other->position[i] + (own->velocity[i] - other->velocity[i]) * seconds;
    }
    for (int i = 0; i < 3; ++i)
    {
        way.place[i] = theirs[0][i] * apart[0] + theirs[1][i] * apart[1] + theirs[2][i] * apart[2];
        for (int k = 0; k < 3; ++k)
        {
            way.turn[i][k] =
                theirs[0][i] * mine[0][k] + theirs[1][i] * mine[1][k] + theirs[2][i] * mine[2][k];
        }
    }
    return way;
}

static void sample(const AbutBody* body, Samples* samples, uint32_t count)
{
    AbutPoints points = { samples->at[0], samples->at[1], samples->at[2] };
    AbutSamples out = { samples->distance, samples->gradient[0], samples->gradient[1], samples->gradient[2] };
    abut_shape_sample(body->shape, NULL, points, count, out);
}

static void put(const AbutBody* body, Samples* samples, uint32_t i, const double at[3])
{
    for (int k = 0; k < 3; ++k)
    {
        samples->at[k][i] = (float)(at[k] / (double)body->scale + body->center[k]);
    }
}

/// The unit gradient at a sample; zero where there is none.
static void unit(const Samples* samples, uint32_t i, double out[3])
{
    double g[3] = { samples->gradient[0][i], samples->gradient[1][i], samples->gradient[2][i] };
    double length = abut_length(g);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = length > 0.0 ? g[k] / length : 0.0;
    }
}

/// Puts places on the surface of their own body, if not quite: near edges of fields, a distance does not say where the surface is.
static void project(const Walk* walk, double at[][3])
{
    Samples own;
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        put(walk->own, &own, i, at[i]);
    }
    sample(walk->own, &own, walk->count);
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        double normal[3];
        unit(&own, i, normal);
        for (int k = 0; k < 3; ++k)
        {
            at[i][k] -= (double)own.distance[i] * (double)walk->own->scale * normal[k];
        }
    }
}

/// Puts places on the surface of their own body and tells what is there.
static void look(const Walk* walk, double at[][3], Look* out)
{
    Samples own, other;
    project(walk, at);
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        double there[3];
        for (int k = 0; k < 3; ++k)
        {
            there[k] = abut_dot(walk->way.turn[k], at[i]) + walk->way.place[k];
        }
        put(walk->own, &own, i, at[i]);
        put(walk->other, &other, i, there);
    }
    sample(walk->own, &own, walk->count);
    sample(walk->other, &other, walk->count);
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        double g[3];
        unit(&own, i, out[i].normal);
        unit(&other, i, g);
        out[i].height = (double)own.distance[i] * (double)walk->own->scale;
        out[i].gap = (double)other.distance[i] * (double)walk->other->scale + out[i].height;
        for (int k = 0; k < 3; ++k)
        {
            out[i].uphill[k] =
                walk->way.turn[0][k] * g[0] + walk->way.turn[1][k] * g[1] + walk->way.turn[2][k] * g[2];
        }
    }
}

/// The slope along the surface: of what uphill is, the part that the surface does not take.
static void slope_of(const Look* look, double out[3])
{
    double up = abut_dot(look->uphill, look->normal);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = look->uphill[k] - up * look->normal[k];
    }
}

/// Down the slope; where there is none, along the surface.
static void down_of(const Look* look, double steep, double out[3])
{
    const double *n = look->normal,
                 axis[3] = { fabs(n[0]) < 0.6 ? 1.0 : 0.0, fabs(n[0]) < 0.6 ? 0.0 : 1.0, 0.0 };
    if (steep > LEAST_SLOPE)
    {
        slope_of(look, out);
    }
    else
    {
        abut_cross(n, axis, out);
    }
    double length = abut_length(out);
    for (int k = 0; k < 3; ++k)
    {
        out[k] = length > 0.0 ? -out[k] / length : 0.0;
    }
}

/// Whether a body rocks there: it is round about a place that is over its centre of mass, as a bowl is. That place moves as it rocks, and a single contact that
/// follows it is late, lets the body sink and lifts it again, which drives it on.
static bool rocks(const double from[3], const double normal[3], const double to[3], const double end[3])
{
    const double way[3] = { to[0] - from[0], to[1] - from[1], to[2] - from[2] },
                 bent[3] = { end[0] - normal[0], end[1] - normal[1], end[2] - normal[2] };
    return abut_length(way) > ROCKING * abut_dot(from, normal) * abut_length(bent);
}

/// Radius of the surfaces against each other between two places: a round body's own one on a plane, however far apart they are. Normals turn by the way between
/// them over the radius; the slope, which is the sine of an angle, changes by less. 0 where there is none.
static double bend_of(const double from[3], const Look* start, const double to[3], const Look* end)
{
    double way = 0.0, turn = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double step = to[k] - from[k];
        way += step * step;
        turn += step * (end->normal[k] + end->uphill[k] - start->normal[k] - start->uphill[k]);
    }
    return turn > 0.0 ? way / turn : 0.0;
}

/// How round the surfaces are against each other: where it goes up again within a part of the smaller body, way over change of slope. That is how far it
/// is to the bottom, per slope. A look that far ahead does not see the cells of fields.
static void find_bends(Walk* walk)
{
    double at[BATCH][3], down[BATCH][3], steep[BATCH], slope[3];
    double radius = fmin((double)walk->own->radius, (double)walk->other->radius), way = AHEAD_PART * radius;
    Look looks[BATCH];
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        slope_of(&walk->looks[i], slope);
        steep[i] = abut_length(slope);
        down_of(&walk->looks[i], steep[i], down[i]);
        for (int k = 0; k < 3; ++k)
        {
            at[i][k] = walk->at[i][k] + way * down[i][k];
        }
    }
    look(walk, at, looks);
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        slope_of(&looks[i], slope);
        double bend =
            abut_dot(slope, down[i]) > 0.0 ? bend_of(walk->at[i], &walk->looks[i], at[i], &looks[i]) : 0.0;
        bool rolls =
            bend < MOST_BEND * radius && !rocks(walk->at[i], walk->looks[i].normal, at[i], looks[i].normal);
        walk->bend[i] = rolls ? bend : 0.0;
        walk->step[i] = walk->bend[i] > 0.0 ? walk->bend[i] : walk->step[i];
    }
}

/// One try of each point, along its surface to where the other solid is deeper.
static void step(Walk* walk)
{
    double at[BATCH][3];
    Look looks[BATCH];
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        double slope[3];
        slope_of(&walk->looks[i], slope);
        for (int k = 0; k < 3; ++k)
        {
            at[i][k] = walk->at[i][k] - walk->step[i] * slope[k];
        }
    }
    look(walk, at, looks);
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        if (!(looks[i].gap < walk->looks[i].gap))
        {
            walk->step[i] *= SHORTER;
            continue;
        }
        walk->looks[i] = looks[i];
        memcpy(walk->at[i], at[i], sizeof(at[i]));
    }
}

static void settle(Walk* walk, bool on_b, AbutContactPoint* points, double length, bool rolls)
{
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        const AbutContactPoint* point = &points[walk->which[i]];
        memcpy(walk->at[i], on_b ? point->local_b : point->local_a, sizeof(walk->at[i]));
        walk->step[i] = length;
    }
    look(walk, walk->at, walk->looks);
    if (rolls)
    {
        find_bends(walk);
    }
    for (int i = 0; i < TRIES; ++i)
    {
        step(walk);
    }
    for (uint32_t i = 0; i < walk->count; ++i)
    {
        AbutContactPoint* point = &points[walk->which[i]];
        memcpy(on_b ? point->local_b : point->local_a, walk->at[i], sizeof(walk->at[i]));
        point->height = walk->looks[i].height;
        memcpy(point->own_normal, walk->looks[i].normal, sizeof(point->own_normal));
        double slope[3];
        slope_of(&walk->looks[i], slope);
        point->bend = rolls && abut_length(slope) < LEVEL ? walk->bend[i] : 0.0;
    }
}

void abut_contacts_settle(const AbutBody* a, const AbutBody* b, double seconds, double length, bool rolls,
                          AbutContactPoint* points, uint32_t count)
{
    for (int side = 0; side < 2; ++side)
    {
        Walk walk = { .own = side == 0 ? a : b, .other = side == 0 ? b : a };
        walk.way = way_at_end(walk.own, walk.other, seconds);
        for (uint32_t i = 0; i < count; ++i)
        {
            if (points[i].on_b == (side == 1))
            {
                walk.which[walk.count++] = i;
            }
            if (walk.count == BATCH || (i + 1 == count && walk.count > 0))
            {
                settle(&walk, side == 1, points, length, rolls);
                walk.count = 0;
            }
        }
    }
}
