// Nobody gets to where nobody has looked. After a step is solved each body has a way from its start to its end, and a part of it, from 0 to 1, that it may
// go. Three things make that part smaller:
//  - it must stay in the box that the broad phase was told;
//  - two bodies that are near each other may not move against each other by more than the gap that contacts were looked for across;
//  - no contact may close further than a little overlap, or than it was.
// At part 0 all three hold, since that is where the step began. So whatever the solver has left open, nothing passes through what it could meet: it is late by
// a part of a step instead.
#include "dynamics/near.h"

#include <math.h>
#include <string.h>

enum
{
    SWEEPS = 24
};

/// Overlap that a contact may come to in a step, as a part of how thick the thinner solid is and of the pair's margin at rest, and how much it may grow
/// when it is there already, as a part of that.
#define ALLOWED_OF_THICKNESS 0.2
#define ALLOWED_OF_MARGIN 2.0
#define CREEP_PART 0.02

/// A body that is held back goes a little less far than it may: others are looked at with what is left.
#define CARE 0.98

typedef struct Way
{
    double center[3];
    double turn; // at most, of any point
    double start[3][3], end[3][3];
    double part;
    bool moves;
    bool leads; // moves as it is told, and cannot be held back
} Way;

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// |q − q₀| is 2 sin(φ/4) for the nearer of q and −q; points move by at most 2 sin(φ/2) of their distance from the centre.
static double turn_way(const AbutBody* body)
{
    double same = 0.0, other = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        double d = body->rotation[i] - body->start_turn[i], s = body->rotation[i] + body->start_turn[i];
        same += d * d;
        other += s * s;
    }
    double least = fmin(same, other);
    return least > 0.0 ? 2.0 * sqrt(least) * (double)body->radius : 0.0;
}

static Way way_of(const AbutBody* body)
{
    Way way = { .part = body->part, .turn = turn_way(body), .moves = abut_body_moves(body) };
    way.leads = body->kind == ABUT_BODY_KINEMATIC;
    for (int i = 0; i < 3; ++i)
    {
        way.center[i] = body->position[i] - body->start[i];
    }
    abut_body_matrix(body->start_turn, way.start);
    memcpy(way.end, body->matrix, sizeof(way.end));
    return way;
}

/// How far a point that is fixed to the body goes along a direction.
static double way_along(const Way* way, const double local[3], const double direction[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double to = way->center[i];
        for (int k = 0; k < 3; ++k)
        {
            to += (way->end[i][k] - way->start[i][k]) * local[k];
        }
        sum += direction[i] * to;
    }
    return way->part * sum;
}

/// The factor that the parts of both have to shrink by so that they stay within the room of the manifold. One that is pushed by a body that moves as it is
/// told has to go along with it: its own way counts alone.
static double fit_room(const AbutManifold* m, const Way* a, const Way* b)
{
    double apart[3], part_a = a->leads ? 0.0 : a->part, part_b = b->leads ? 0.0 : b->part;
    for (int i = 0; i < 3; ++i)
    {
        apart[i] = part_a * a->center[i] - part_b * b->center[i];
    }
    double way = length(apart) + part_a * a->turn + part_b * b->turn;
    return way > m->room ? m->room / way : 1.0;
}

/// The same so that no contact closes too far.
static double fit_contacts(const AbutManifold* m, const AbutContactPoint* points, double allowed,
                           const Way* a, const Way* b)
{
    double least = 1.0;
    for (uint32_t i = 0; i < m->count; ++i)
    {
        const AbutContactPoint* point = &points[m->first + i];
        double by_a = -way_along(a, point->local_a, point->normal);
        double by_b = way_along(b, point->local_b, point->normal);
        double may = fmax(point->separation + allowed, CREEP_PART * allowed);
        // What a body closes that moves as it is told cannot be helped, and one that gets out of its way must not be held back.
        double told = (a->leads ? by_a : 0.0) + (b->leads ? by_b : 0.0), own = by_a + by_b - told;
        if (told + own > may && own > 0.0)
        {
            least = fmin(least, fmax(may - told, 0.0) / own);
        }
    }
    return least;
}

/// True when one of the two is held back further.
static bool fit_pair(AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    if (!abut_body_moves(a) && !abut_body_moves(b))
    {
        return false;
    }
    Way way_a = way_of(a), way_b = way_of(b);
    double allowed = fmin(ALLOWED_OF_MARGIN * abut_pair_rest_margin(world, a, b),
                          ALLOWED_OF_THICKNESS * 2.0 * fmin(a->inner, b->inner));
    double factor = fit_room(m, &way_a, &way_b);
    factor = fmin(factor, fit_contacts(m, world->stores[world->current].points, allowed, &way_a, &way_b));
    if (factor >= 1.0)
    {
        return false;
    }
    a->part *= way_a.moves ? CARE * factor : 1.0;
    b->part *= way_b.moves ? CARE * factor : 1.0;
    return way_a.moves || way_b.moves;
}

static void fit_box(const AbutWorld* world, AbutBody* body)
{
    Way way = way_of(body);
    double most = body->travel + world->fall + abut_pair_rest_margin(world, body, body);
    double total = length(way.center) + way.turn;
    body->part = abut_body_moves(body) && total > most ? most / total : 1.0;
}

/// Goes back to the part of the way that it may go. It keeps its speed: momentum is not for taking.
static void go_back(AbutBody* body)
{
    double sign = 0.0, squared = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        body->position[i] = body->start[i] + body->part * (body->position[i] - body->start[i]);
    }
    for (int i = 0; i < 4; ++i)
    {
        sign += body->rotation[i] * body->start_turn[i];
    }
    for (int i = 0; i < 4; ++i)
    {
        double end = sign < 0.0 ? -body->rotation[i] : body->rotation[i];
        body->rotation[i] = body->start_turn[i] + body->part * (end - body->start_turn[i]);
        squared += body->rotation[i] * body->rotation[i];
    }
    for (int i = 0; i < 4; ++i)
    {
        body->rotation[i] /= sqrt(squared);
    }
    abut_body_refresh(body);
}

void abut_world_hold_back(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].part = 1.0;
        if (abut_body_is_alive(&world->bodies[i]))
        {
            fit_box(world, &world->bodies[i]);
        }
    }
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS && changed; ++sweep)
    {
        changed = false;
        for (size_t i = 0; i < store->manifold_count; ++i)
        {
            if (fit_pair(world, &store->manifolds[i]))
            {
                changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (world->bodies[i].part < 1.0)
        {
            go_back(&world->bodies[i]);
        }
    }
}
