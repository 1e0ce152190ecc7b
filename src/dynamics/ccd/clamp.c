// Clamping of motions (conservative advancement of a pass). After the solver each body has a motion from its
// start to its end, and a fraction of it, from 0 to 1, that it completes. Four bounds limit the fraction:
//  - the swept box of the broad phase;
//  - for two bodies in proximity, the relative motion that the margin of detection covers;
//  - for each contact, a small penetration, or little more than it had;
//  - for core points, the time of impact (core_points.h).
// All of them hold at fraction 0, the start of the pass. So nothing passes through a solid, whatever the
// error of the solver: it is late by a fraction of a pass instead.
#include "dynamics/ccd/clamp.h"

#include "base/assert.h"
#include "dynamics/ccd/clamp_core_points.h"
#include "dynamics/ccd/core_points.h"
#include "dynamics/ccd/project_motion.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"

#include <math.h>

enum
{
    ITERATIONS = 24,
    PROJECTIONS = 4 // at most
};

/// Allowed penetration of a contact, as a fraction of the thickness of the thinner solid and of the
/// speculative distance, and its allowed growth beyond, as a fraction of it.
#define ALLOWED_OF_THICKNESS 0.2
#define ALLOWED_OF_MARGIN 2.0
#define CREEP_FRACTION 0.02

/// Contacts deeper than this multiple of it belong to solids created in overlap: the motion that separates
/// one of them may deepen another.
#define DEEP 3.0

/// Moves a body to its fraction. Its velocity stays: momentum is conserved.
static void apply_fraction(AbutBody* body)
{
    AbutDVec3 position;
    AbutDQuat rotation;
    abut_ccd_motion_at(body, body->fraction, &position, &rotation);
    body->position = position;
    body->rotation = rotation;
    abut_body_refresh(body);
}

/// Displacement of a point fixed to the body along a direction.
static double displacement_along(const AbutCcdMotion* motion, AbutDVec3 local, AbutDVec3 direction)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 change = abut_dvec3_sub(abut_dmat3_row(&motion->end, i), abut_dmat3_row(&motion->start, i));
        double displacement = abut_dvec3_get(motion->displacement, i) + change.x * local.x +
                              change.y * local.y + change.z * local.z;
        sum += abut_dvec3_get(direction, i) * displacement;
    }
    return motion->fraction * sum;
}

/// Bound of the relative displacement since the detection: from the start poses, or in this pass from the
/// predicted ones.
static double travel_from_prediction(const AbutManifold* m, const AbutCcdMotion* a, const AbutCcdMotion* b)
{
    return m->is_new ? abut_ccd_motion_from_prediction(a, b) : abut_ccd_motion_relative(a, b);
}

/// Factor of both fractions for the allowed motion of the manifold. A body that is pushed by a kinematic one
/// must be able to go along with it: its own motion counts alone, if less.
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
    // Convex in the fraction, so at most linear from its start.
    return travel > m->allowed_motion ? fmax(m->allowed_motion - begin, 0.0) / (travel - begin) : 1.0;
}

/// The same for the allowed penetration of contacts.
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
        // Closing by a kinematic body cannot be prevented, and a body that recedes from it must not be
        // clamped.
        double prescribed = (a->is_kinematic ? by_a : 0.0) + (b->is_kinematic ? by_b : 0.0),
               own = by_a + by_b - prescribed;
        if (prescribed + own > allowed_closing && own > 0.0 && point->separation > -DEEP * allowed)
        {
            least = fmin(least, fmax(allowed_closing - prescribed, 0.0) / own);
        }
    }
    return least;
}

/// Travel of convex solids that needs no test of core points, as a fraction of the thinner inscribed radius:
/// none passes the middle of the other, and contacts limit penetration.
#define SHORT_TRAVEL 0.25

/// Whether the bounds of both motions alone show that two convex solids need no clamping.
static bool is_free(const AbutStepContext* step, const AbutManifold* m, double allowed)
{
    const AbutWorld* world = step->world;
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    const AbutManifoldPoint* points = world->stores[world->current].points + m->first;
    double travel = a->pass_travel + b->pass_travel;
    double motion = m->is_new && step->prediction_fraction > 0.0 ? travel + a->travel + b->travel : travel;
    bool is_short = motion <= m->allowed_motion &&
                    travel <= SHORT_TRAVEL * fmin(a->inscribed_radius, b->inscribed_radius);
    for (uint32_t i = 0; i < m->count && is_short; ++i)
    {
        is_short = travel <= fmax(points[i].separation + allowed, CREEP_FRACTION * allowed);
    }
    return is_short;
}

/// True when a fraction of the two fell.
static bool fit_pair(const AbutStepContext* step, AbutManifold* m, double safety)
{
    const AbutWorld* world = step->world;
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool moves[2] = { abut_body_moves(a) && a->fraction > 0.0, abut_body_moves(b) && b->fraction > 0.0 };
    if (!moves[0] && !moves[1])
    {
        return false;
    }
    double allowed = fmin(ALLOWED_OF_MARGIN * abut_pair_speculative_distance(world, a, b),
                          ALLOWED_OF_THICKNESS * 2.0 * fmin(a->inscribed_radius, b->inscribed_radius));
    bool is_blocking = abut_core_points_blocking_body(a, b) >= 0;
    if (m->is_convex && !is_blocking && is_free(step, m, allowed))
    {
        return false;
    }
    AbutCcdMotion motion_a = abut_ccd_motion_of(a), motion_b = abut_ccd_motion_of(b);
    if (is_blocking)
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

/// True when a fraction fell.
static bool fit_all(const AbutStepContext* step, double safety)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* store = &world->stores[world->current];
    bool changed = false;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        changed = fit_pair(step, &store->manifolds[i], safety) || changed;
    }
    return changed;
}

/// Clamps until all bounds hold.
static void fit_motions(const AbutStepContext* step)
{
    bool changed = true;
    for (int iteration = 0; iteration < ITERATIONS && changed; ++iteration)
    {
        changed = fit_all(step, ABUT_CCD_SAFETY);
    }
    // Bodies that are still clamped then stay at the start, and so do those they block: at least one per
    // iteration.
    while (changed)
    {
        changed = fit_all(step, 0.0);
    }
}

void abut_ccd_clamp_motions(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].fraction = 1.0;
        world->bodies[i].stuck = world->bodies[i].core_hit = false;
        if (abut_body_is_alive(&world->bodies[i]))
        {
            abut_ccd_motion_begin(step, &world->bodies[i]);
        }
    }
    abut_ccd_begin(world);
    abut_ccd_find_toi(world);
    for (int i = 0; i < PROJECTIONS && abut_ccd_project_motions(step); ++i)
    {
        abut_ccd_find_toi(world);
    }
    fit_motions(step);
    if (abut_ccd_separate_stuck(world))
    {
        fit_motions(step);
    }
    abut_ccd_end(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        ABUT_ASSERT(0.0 <= world->bodies[i].fraction && world->bodies[i].fraction <= 1.0);
        if (world->bodies[i].fraction < 1.0)
        {
            apply_fraction(&world->bodies[i]);
        }
    }
    abut_ccd_stop_approach(step);
}
