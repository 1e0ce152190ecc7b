// Nobody gets to where nobody has looked. After a step is solved each body has a way from its start to its end, and a part of it, from 0 to 1, that it may
// go. Four things make that part smaller:
//  - it must stay in the box that the broad phase was told;
//  - two bodies that are near each other may not move against each other by more than the gap that contacts were looked for across;
//  - no contact may close further than a little overlap, or than it was;
//  - no guard of a thin solid may get into another one on the way (core_points.h).
// At part 0 all of them hold, since that is where the step began. So whatever the solver has left open, nothing passes through what it could meet: it is late by
// a part of a step instead.
#include "dynamics/ccd/clamp.h"

#include "dynamics/ccd/core_points.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    SWEEPS = 24,
    SLIDES = 4 // ways are turned aside at most so often
};

/// Overlap that a contact may come to in a step, as a part of how thick the thinner solid is and of the pair's margin at rest, and how much it may grow
/// when it is there already, as a part of that.
#define ALLOWED_OF_THICKNESS 0.2
#define ALLOWED_OF_MARGIN 2.0
#define CREEP_PART 0.02

/// Contacts that are deeper than so many times that are those of solids that were put into each other: what leads one of them out may lead another one in.
#define DEEP 3.0

/// To the part of its way that it may go. It keeps its speed: momentum is not for taking.
static void go_back(AbutBody* body)
{
    double position[3], rotation[4];
    abut_hold_way_place(body, body->part, position, rotation);
    memcpy(body->position, position, sizeof(position));
    memcpy(body->rotation, rotation, sizeof(rotation));
    abut_body_refresh(body);
}

/// How far a point that is fixed to the body goes along a direction.
static double way_along(const AbutHoldWay* way, const double local[3], const double direction[3])
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

/// How far points of two bodies may be, against each other, from where contacts were looked for: earlier, or in this round, part of the way ahead.
static double way_from_look(const AbutManifold* m, const AbutHoldWay* a, const AbutHoldWay* b)
{
    return m->is_new ? abut_hold_way_from_look(a, b) : abut_hold_way_between(a, b);
}

/// The factor that the parts of both have to shrink by so that they stay within the room of the manifold. One that is pushed by a body that moves as it is
/// told has to go along with it: its own way counts alone, if that is less.
static double fit_room(const AbutManifold* m, const AbutHoldWay* a, const AbutHoldWay* b)
{
    AbutHoldWay start[2] = { *a, *b };
    start[0].part = start[1].part = 0.0;
    double way = way_from_look(m, a, b), begin = way_from_look(m, &start[0], &start[1]);
    if ((a->leads || b->leads) && way > m->room)
    {
        AbutHoldWay still = { .radius = 0.0 };
        const AbutHoldWay* own[2] = { a->leads ? &still : a, b->leads ? &still : b };
        const AbutHoldWay* own_start[2] = { a->leads ? &still : &start[0], b->leads ? &still : &start[1] };
        way = way_from_look(m, own[0], own[1]);
        begin = way_from_look(m, own_start[0], own_start[1]);
    }
    // It grows at most linearly with the parts from where it begins: it is convex.
    return way > m->room ? fmax(m->room - begin, 0.0) / (way - begin) : 1.0;
}

/// The same so that no contact closes too far.
static double fit_contacts(const AbutManifold* m, const AbutContactPoint* points, double allowed,
                           const AbutHoldWay* a, const AbutHoldWay* b)
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
        if (told + own > may && own > 0.0 && point->separation > -DEEP * allowed)
        {
            least = fmin(least, fmax(may - told, 0.0) / own);
        }
    }
    return least;
}

/// True when one of the two is held back further.
static bool fit_pair(AbutWorld* world, AbutManifold* m, double care)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool moves[2] = { abut_body_moves(a) && a->part > 0.0, abut_body_moves(b) && b->part > 0.0 };
    if (!moves[0] && !moves[1])
    {
        return false;
    }
    AbutHoldWay way_a = abut_hold_way_of(a), way_b = abut_hold_way_of(b);
    double allowed = fmin(ALLOWED_OF_MARGIN * abut_pair_rest_margin(world, a, b),
                          ALLOWED_OF_THICKNESS * 2.0 * fmin(a->inner, b->inner));
    if (abut_pair_guarded_by(a, b) >= 0)
    {
        return abut_hold_guards(m, a, b, &way_a, &way_b, care);
    }
    double factor = fit_room(m, &way_a, &way_b);
    factor = fmin(factor, fit_contacts(m, world->stores[world->current].points, allowed, &way_a, &way_b));
    if (factor >= 1.0)
    {
        return abut_pair_watched_by(a, b) >= 0 && abut_hold_guards(m, a, b, &way_a, &way_b, care);
    }
    a->part *= moves[0] ? care * factor : 1.0;
    b->part *= moves[1] ? care * factor : 1.0;
    return true;
}

/// True when a body is held back further.
static bool fit_all(AbutWorld* world, double care)
{
    const AbutContactStore* store = &world->stores[world->current];
    bool changed = false;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        changed = fit_pair(world, &store->manifolds[i], care) || changed;
    }
    return changed;
}

/// Makes parts smaller until all is as it should be.
static void fit_ways(AbutWorld* world)
{
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS && changed; ++sweep)
    {
        changed = fit_all(world, ABUT_HOLD_CARE);
    }
    // What is not settled by then stays where it is, and so do those that are in its way: in each round at least one.
    while (changed)
    {
        changed = fit_all(world, 0.0);
    }
}

void abut_world_hold_back(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].part = 1.0;
        world->bodies[i].stuck = world->bodies[i].struck = false;
        if (abut_body_is_alive(&world->bodies[i]))
        {
            abut_hold_way_begin(world, &world->bodies[i]);
        }
    }
    abut_hold_guards_begin(world);
    abut_hold_guards_look(world);
    for (int i = 0; i < SLIDES && abut_hold_slide(world); ++i)
    {
        abut_hold_guards_look(world);
    }
    fit_ways(world);
    if (abut_hold_guards_part(world))
    {
        fit_ways(world);
    }
    abut_hold_guards_end(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (world->bodies[i].part < 1.0)
        {
            go_back(&world->bodies[i]);
        }
    }
    abut_hold_guards_stop(world);
}
