// Nobody gets to where nobody has looked. After a step is solved each body has a way from its start to its
// end, and a part of it, from 0 to 1, that it may go. Four things make that part smaller:
//  - it must stay in the box that the broad phase was told;
//  - two bodies that are near each other may not move against each other by more than the gap that contacts
//    were looked for across;
//  - no contact may close further than a little overlap, or than it was;
//  - no guard of a thin solid may get into another one on the way (core_points.h). At part 0 all of them
//    hold, since that is where the step began. So whatever the solver has left open, nothing passes through
//    what it could meet: it is late by a part of a step instead.
#include "dynamics/ccd/clamp.h"

#include "dynamics/ccd/clamp_core_points.h"
#include "dynamics/ccd/core_points.h"
#include "dynamics/ccd/project_motion.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"

#include <math.h>
#include <string.h>

enum
{
    ITERATIONS = 24,
    PROJECTIONS = 4 // ways are turned aside at most so often
};

/// Overlap that a contact may come to in a step, as a part of how thick the thinner solid is and of the
/// pair's margin at rest, and how much it may grow when it is there already, as a part of that.
#define ALLOWED_OF_THICKNESS 0.2
#define ALLOWED_OF_MARGIN 2.0
#define CREEP_FRACTION 0.02

/// Contacts that are deeper than so many times that are those of solids that were put into each other: what
/// leads one of them out may lead another one in.
#define DEEP 3.0

/// To the part of its way that it may go. It keeps its speed: momentum is not for taking.
static void apply_fraction(AbutBody* body)
{
    double position[3], rotation[4];
    abut_ccd_motion_at(body, body->fraction, position, rotation);
    memcpy(body->position, position, sizeof(position));
    memcpy(body->rotation, rotation, sizeof(rotation));
    abut_body_refresh(body);
}

/// How far a point that is fixed to the body goes along a direction.
static double displacement_along(const AbutCcdMotion* motion, const double local[3],
                                 const double direction[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double displacement = motion->displacement[i];
        for (int k = 0; k < 3; ++k)
        {
            displacement += (motion->end[i][k] - motion->start[i][k]) * local[k];
        }
        sum += direction[i] * displacement;
    }
    return motion->fraction * sum;
}

/// How far points of two bodies may be, against each other, from where contacts were looked for: earlier, or
/// in this round, part of the way ahead.
static double travel_from_prediction(const AbutManifold* m, const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    return m->is_new ? abut_ccd_motion_from_prediction(a, b) : abut_ccd_motion_relative(a, b);
}

/// The factor that the parts of both have to shrink by so that they stay within the room of the manifold. One
/// that is pushed by a body that moves as it is told has to go along with it: its own way counts alone, if
/// that is less.
static double fit_margin(const AbutManifold* m, const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    AbutCcdMotion start[2] = { *a, *b };
    start[0].fraction = start[1].fraction = 0.0;
    double travel = travel_from_prediction(m, a, b), begin = travel_from_prediction(m, &start[0], &start[1]);
    if ((a->is_kinematic || b->is_kinematic) && travel > m->allowed_motion)
    {
        AbutCcdMotion at_rest = { .radius = 0.0 };
        const AbutCcdMotion* own[2] = { a->is_kinematic ? &at_rest : a, b->is_kinematic ? &at_rest : b };
        const AbutCcdMotion* own_start[2] = { a->is_kinematic ? &at_rest : &start[0],
                                              b->is_kinematic ? &at_rest : &start[1] };
        travel = travel_from_prediction(m, own[0], own[1]);
        begin = travel_from_prediction(m, own_start[0], own_start[1]);
    }
    // It grows at most linearly with the parts from where it begins: it is convex.
    return travel > m->allowed_motion ? fmax(m->allowed_motion - begin, 0.0) / (travel - begin) : 1.0;
}

/// The same so that no contact closes too far.
static double fit_contacts(const AbutManifold* m, const AbutManifoldPoint* points, double allowed,
                           const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    double least = 1.0;
    for (uint32_t i = 0; i < m->count; ++i)
    {
        const AbutManifoldPoint* point = &points[m->first + i];
        double by_a = -displacement_along(a, point->local_anchor_a, point->normal);
        double by_b = displacement_along(b, point->local_anchor_b, point->normal);
        double allowed_closing = fmax(point->separation + allowed, CREEP_FRACTION * allowed);
        // What a body closes that moves as it is told cannot be helped, and one that gets out of its way must
        // not be held back.
        double prescribed = (a->is_kinematic ? by_a : 0.0) + (b->is_kinematic ? by_b : 0.0),
               own = by_a + by_b - prescribed;
        if (prescribed + own > allowed_closing && own > 0.0 && point->separation > -DEEP * allowed)
        {
            least = fmin(least, fmax(allowed_closing - prescribed, 0.0) / own);
        }
    }
    return least;
}

/// True when one of the two is held back further.
static bool fit_pair(AbutWorld* world, AbutManifold* m, double safety)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool moves[2] = { abut_body_moves(a) && a->fraction > 0.0, abut_body_moves(b) && b->fraction > 0.0 };
    if (!moves[0] && !moves[1])
    {
        return false;
    }
    AbutCcdMotion motion_a = abut_ccd_motion_of(a), motion_b = abut_ccd_motion_of(b);
    double allowed = fmin(ALLOWED_OF_MARGIN * abut_pair_speculative_distance(world, a, b),
                          ALLOWED_OF_THICKNESS * 2.0 * fmin(a->inscribed_radius, b->inscribed_radius));
    if (abut_core_points_blocking_body(a, b) >= 0)
    {
        return abut_ccd_clamp_pair(m, a, b, &motion_a, &motion_b, safety);
    }
    double factor = fit_margin(m, &motion_a, &motion_b);
    factor =
        fmin(factor, fit_contacts(m, world->stores[world->current].points, allowed, &motion_a, &motion_b));
    if (factor >= 1.0)
    {
        return abut_core_points_tested_body(a, b) >= 0 &&
               abut_ccd_clamp_pair(m, a, b, &motion_a, &motion_b, safety);
    }
    a->fraction *= moves[0] ? safety * factor : 1.0;
    b->fraction *= moves[1] ? safety * factor : 1.0;
    return true;
}

/// True when a body is held back further.
static bool fit_all(AbutWorld* world, double safety)
{
    const AbutContactStore* store = &world->stores[world->current];
    bool changed = false;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        changed = fit_pair(world, &store->manifolds[i], safety) || changed;
    }
    return changed;
}

/// Makes parts smaller until all is as it should be.
static void fit_motions(AbutWorld* world)
{
    bool changed = true;
    for (int iteration = 0; iteration < ITERATIONS && changed; ++iteration)
    {
        changed = fit_all(world, ABUT_CCD_SAFETY);
    }
    // What is not settled by then stays where it is, and so do those that are in its way: in each round at
    // least one.
    while (changed)
    {
        changed = fit_all(world, 0.0);
    }
}

void abut_ccd_clamp_motions(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].fraction = 1.0;
        world->bodies[i].stuck = world->bodies[i].core_hit = false;
        if (abut_body_is_alive(&world->bodies[i]))
        {
            abut_ccd_motion_begin(world, &world->bodies[i]);
        }
    }
    abut_ccd_begin(world);
    abut_ccd_find_toi(world);
    for (int i = 0; i < PROJECTIONS && abut_ccd_project_motions(world); ++i)
    {
        abut_ccd_find_toi(world);
    }
    fit_motions(world);
    if (abut_ccd_separate_stuck(world))
    {
        fit_motions(world);
    }
    abut_ccd_end(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (world->bodies[i].fraction < 1.0)
        {
            apply_fraction(&world->bodies[i]);
        }
    }
    abut_ccd_stop_approach(world);
}
