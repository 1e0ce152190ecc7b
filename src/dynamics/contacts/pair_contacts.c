// The manifold of one pair: loaded points of the last step, detected ones beside them, reduced to the
// capacity.
#include "dynamics/contacts/pair_contacts.h"

#include "base/assert.h"
#include "dynamics/ccd/core_points.h"
#include "dynamics/contacts/anchors.h"
#include "dynamics/contacts/convex_contacts.h"
#include "dynamics/contacts/recycle.h"
#include "dynamics/contacts/refine_deepest.h"
#include "dynamics/contacts/tangents.h"
#include "dynamics/contacts/update.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

void abut_manifold_copy_history(const AbutStepContext* step, const AbutManifold* before, AbutManifold* m)
{
    bool same_step = before != NULL && step->pass > 0;
    m->touched = same_step && before->touched;
    m->impulse = same_step ? before->impulse : 0.0;
    m->slide = before != NULL ? before->slide : 0.0;
    m->sink = before != NULL ? before->sink : 0.0;
    m->clearance = before != NULL ? before->clearance : 0.0;
    m->was_separated = before != NULL && before->was_separated;
    m->core_point_count = before != NULL ? before->core_point_count : 0;
    memcpy(m->core_points, before != NULL ? before->core_points : m->core_points, sizeof(m->core_points));
}

void abut_contacts_recycle(const AbutWorld* world, const AbutManifold* m, AbutManifoldPoint* out)
{
    memcpy(out, world->stores[world->current].points + m->first, m->count * sizeof(AbutManifoldPoint));
    abut_contacts_update(&world->bodies[m->a], &world->bodies[m->b], out, m->count);
    for (uint32_t i = 0; i < m->count; ++i)
    {
        out[i].separation = out[i].gap;
        out[i].total_impulse = 0.0;
    }
}

/// Points with an impulse or a penetration, first. They stay while loaded: a selection that changed from step
/// to step would lose the impulses of a body at rest.
static uint32_t recycle_loaded(const AbutWorld* world, const AbutManifold* before, AbutManifoldPoint* out)
{
    uint32_t kept = 0, count = before != NULL ? before->count : 0;
    if (count > 0)
    {
        abut_contacts_recycle(world, before, out);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!out[i].is_plane && (out[i].normal_impulse > 0.0 || out[i].gap <= 0.0))
        {
            out[kept++] = out[i];
        }
    }
    return kept;
}

static double squared_distance(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3_squared_length(abut_dvec3_sub(a, b));
}

/// Cosine of the angle between normals of duplicates.
#define SAME_DIRECTION 0.9

/// Depth, as a fraction of the merge distance, by which a point is deeper than its neighbour and no
/// duplicate.
#define DEEPER_FRACTION 0.1

/// Merge distance of detected points, as a fraction of the speculative distance.
#define SAME_FRACTION 0.5

/// Whether a detected point is a duplicate, or on the far side of the wall of another point.
static bool is_duplicate(const AbutManifoldPoint* points, uint32_t count, const AbutManifoldPoint* detected,
                         double merge_distance)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        double same = abut_dvec3_dot(detected->normal, points[i].normal);
        bool opposed = detected->gap < 0.0 && points[i].gap < 0.0 && same < 0.0;
        bool deeper = detected->gap < points[i].gap - DEEPER_FRACTION * merge_distance;
        if (!deeper && (opposed || same > SAME_DIRECTION) &&
            squared_distance(points[i].r_a, detected->r_a) < merge_distance * merge_distance)
        {
            return true;
        }
    }
    return false;
}

/// Present speed of separation along the normal; negative on approach.
static double separation_speed(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* point)
{
    AbutDVec3 velocity_a = abut_dvec3_add(a->velocity, abut_dvec3_cross(a->angular_velocity, point->r_a));
    AbutDVec3 w_cross_r_b = abut_dvec3_cross(b->angular_velocity, point->r_b);
    AbutDVec3 relative = abut_dvec3_sub(abut_dvec3_sub(velocity_a, b->velocity), w_cross_r_b);
    return 0.0 + abut_dvec3_dot(point->normal, relative);
}

/// Gap at the end of the pass at the present velocities, if less than now.
static double predict_gap(const AbutStepContext* step, const AbutBody* a, const AbutBody* b,
                          const AbutManifoldPoint* point)
{
    return point->gap + fmin(separation_speed(a, b, point), 0.0) * step->seconds;
}

/// Reduces the points to the first ones, and returns their count.
static uint32_t select_points(const AbutStepContext* step, const AbutBody* a, const AbutBody* b,
                              AbutPairScratch* scratch, uint32_t count)
{
    AbutManifoldPoint* points = scratch->points;
    uint32_t most = step->world->def.contacts_per_pair;
    if (count <= most)
    {
        return count;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutManifoldPoint* p = &points[i];
        scratch->contacts[i] = (AbutContact){ .id = i, .separation = (float)predict_gap(step, a, b, p) };
        scratch->contacts[i].position = abut_dvec3_to_vec3(p->r_a);
        scratch->contacts[i].normal = abut_dvec3_to_vec3(p->normal);
    }
    uint32_t kept = abut_contacts_reduce(scratch->contacts, count, most).kept_count;
    for (uint32_t i = 0; i < kept; ++i) // sorted by id, so none is overwritten before it is read
    {
        AbutManifoldPoint point = points[i];
        points[i] = points[scratch->contacts[i].id];
        points[scratch->contacts[i].id] = point;
    }
    abut_contacts_reselect(step, a, b, scratch, (int)count, (int)kept);
    return kept;
}

/// The manifold of a pair of the narrow phase, without points.
static void begin_manifold(const AbutStepContext* step, const AbutPairResult* pair, AbutManifold* m)
{
    const AbutWorld* world = step->world;
    *m = (AbutManifold){ .a = pair->a, .b = pair->b, .is_new = true, .step = world->step };
    double margin = abut_pair_margin(step, pair->a, pair->b);
    double gap = (double)pair->output.gap * (double)step->posed[pair->a].pose.scale;
    abut_manifold_record_pose(world, m, fmax(margin, gap));
}

/// Without any facing point, as in deep penetration, all points count as facing.
static void assume_facing(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        any = any || points[i].faces;
    }
    for (uint32_t i = 0; i < count && !any; ++i)
    {
        points[i].faces = true;
    }
    if (!any)
    {
        abut_contacts_update(a, b, points, count);
    }
}

/// Adds the impulses of a point of the last step to the nearest new one.
static void inherit_impulses(const AbutManifoldPoint* old, AbutManifoldPoint* points, uint32_t count)
{
    AbutManifoldPoint* heir = NULL;
    double least = INFINITY;
    AbutDVec3 friction_impulse = abut_contacts_friction_impulse(old);
    for (uint32_t i = 0; i < count; ++i)
    {
        double squared = fmin(squared_distance(points[i].local_anchor_a, old->local_anchor_a),
                              squared_distance(points[i].local_anchor_b, old->local_anchor_b));
        if (squared < least && abut_dvec3_dot(points[i].normal, old->normal) > SAME_DIRECTION)
        {
            least = squared;
            heir = &points[i];
        }
    }
    if (heir != NULL && old->normal_impulse > 0.0)
    {
        heir->normal_impulse += old->normal_impulse;
        heir->load += old->load;
        heir->tangent_impulse[0] += abut_dvec3_dot(friction_impulse, heir->tangent[0]);
        heir->tangent_impulse[1] += abut_dvec3_dot(friction_impulse, heir->tangent[1]);
    }
}

/// Input of the narrow phase for a pair.
typedef struct PairInput
{
    const AbutBody *a, *b;
    double merge_distance; // closer points are duplicates
    double spacing;
    uint32_t count; // of detected contacts
    AbutRefinementKind refinement;
} PairInput;

/// Edges count for all pairs but tight ones, whose play is a fraction of a cell, and those without friction,
/// which have the distances from faces (contacts/edge_overshoot.h).
static AbutRefinementKind refinement_of(const AbutBody* a, const AbutBody* b, const AbutManifold* before)
{
    bool is_smooth = a->material.friction == 0.0f || b->material.friction == 0.0f;
    bool is_tight = before != NULL && before->is_tight;
    return is_smooth || is_tight ? ABUT_REFINE_FACES : ABUT_REFINE_EDGES;
}

/// Largest count of rolling points, after refinement to the closest points of round bodies.
#define MAX_ROLLING_POINTS 2

/// Least gap of other points beyond the rolling ones, as a fraction of the merge distance.
#define ROLLING_FRACTION 0.25

/// Points of round bodies all refine to the closest point, which rolls on with the bodies. Returns their
/// count, or 0 for bodies that are not round.
static uint32_t find_rolling_points(const PairInput* input, AbutManifoldPoint* points)
{
    uint32_t kept = 0;
    abut_contacts_refine(input->a, input->b, 0.0, 0.5 * input->spacing, ABUT_REFINE_ROLLING, points,
                         input->count);
    abut_contacts_update(input->a, input->b, points, input->count);
    double least[2] = { INFINITY, INFINITY }; // least gaps: of fixed points, of rolling ones
    for (uint32_t i = 0; i < input->count; ++i)
    {
        int rolling = points[i].curvature_radius > 0.0 ? 1 : 0;
        least[rolling] = fmin(least[rolling], points[i].gap);
    }
    for (uint32_t i = 0; i < input->count && kept <= MAX_ROLLING_POINTS; ++i)
    {
        if (points[i].curvature_radius > 0.0 &&
            !is_duplicate(points, kept, &points[i], input->merge_distance))
        {
            points[kept++] = points[i];
        }
    }
    return kept <= MAX_ROLLING_POINTS && least[0] > least[1] + ROLLING_FRACTION * input->merge_distance ? kept
                                                                                                        : 0;
}

/// Adds detected points to the recycled ones. Returns the count.
static uint32_t add_detected(const AbutStepContext* step, const PairInput* input, AbutManifold* m,
                             AbutManifoldPoint* points, uint32_t count)
{
    AbutManifoldPoint* detected = points + count;
    abut_contacts_refine(input->a, input->b, step->seconds, 0.5 * input->spacing, input->refinement, detected,
                         input->count);
    abut_contacts_update(input->a, input->b, detected, input->count);
    assume_facing(input->a, input->b, detected, input->count);
    for (uint32_t i = 0; i < input->count; ++i)
    {
        bool late = predict_gap(step, input->a, input->b, &detected[i]) > input->merge_distance;
        m->margin = late ? input->merge_distance : m->margin; // later steps do not know it
        if (!late && !is_duplicate(points, count, &detected[i], SAME_FRACTION * input->merge_distance))
        {
            points[count++] = detected[i];
        }
    }
    return count;
}

/// All points of a pair, before reduction. Returns their count.
static uint32_t collect_points(const AbutStepContext* step, const AbutPairResult* pair,
                               const AbutContact* contacts, const AbutManifold* before, AbutManifold* m,
                               AbutManifoldPoint* out)
{
    const AbutWorld* world = step->world;
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    PairInput input = { a,
                        b,
                        abut_pair_speculative_distance(world, a, b),
                        (double)pair->output.spacing * (double)a->scale,
                        pair->output.contact_count,
                        refinement_of(a, b, before) };
    AbutPose b_in_a = abut_pose_relative(&step->posed[pair->a].pose, &step->posed[pair->b].pose);
    AbutManifoldPoint* points = out + ABUT_MANIFOLD_POINTS + input.count; // beyond the recycled ones
    abut_contacts_to_points(a, b, &b_in_a, contacts, input.count, out);
    memcpy(points, out, input.count * sizeof(AbutManifoldPoint));
    // Bodies that were not round in an earlier pass of the step are not tested again.
    bool may_be = before == NULL || before->step != world->step || before->is_rolling;
    uint32_t rolling = input.count > 0 && may_be ? find_rolling_points(&input, out) : 0;
    m->is_rolling = rolling > 0;
    for (uint32_t i = 0; rolling > 0 && before != NULL && i < before->count; ++i)
    {
        inherit_impulses(&world->stores[world->current].points[before->first + i], out, rolling);
    }
    uint32_t count = rolling;
    if (rolling == 0)
    {
        count = recycle_loaded(world, before, out);
        memmove(out + count, points, input.count * sizeof(AbutManifoldPoint));
        count = add_detected(step, &input, m, out, count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].separation = out[i].gap;
    }
    return count;
}

/// Points of two convex solids, but for those that stay apart in the pass. Returns their count.
static uint32_t collect_convex(const AbutStepContext* step, const AbutPairResult* pair,
                               const AbutContact* contacts, const AbutManifold* before, AbutManifold* m,
                               AbutManifoldPoint* out)
{
    const AbutWorld* world = step->world;
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double distance = abut_pair_speculative_distance(world, a, b);
    uint32_t kept = 0;
    abut_contacts_to_convex(world, pair, contacts, before, out);
    for (uint32_t i = 0; i < pair->output.contact_count; ++i)
    {
        bool late = predict_gap(step, a, b, &out[i]) > distance;
        m->margin = late ? fmin(m->margin, distance) : m->margin; // later steps do not know it
        out[i].separation = out[i].gap;
        if (!late)
        {
            out[kept++] = out[i];
        }
    }
    return kept;
}

/// Contacts of blocked core points are planes: the field would send them to the far side of the wall.
static uint32_t add_core_contacts(const AbutWorld* world, AbutManifold* m, AbutManifoldPoint* out)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    AbutPose pose_a = abut_body_pose(a), pose_b = abut_body_pose(b);
    AbutContact core_contacts[ABUT_CORE_CONTACTS];
    int count = abut_core_points_contacts(a, b, &pose_a, &pose_b, m, core_contacts);
    int left = ABUT_MANIFOLD_POINTS - (int)m->count;
    count = count < left ? count : left;
    abut_contacts_to_planes(a, b, &pose_a, core_contacts, (uint32_t)count, out);
    return (uint32_t)count;
}

/// Approach or separation of a pair at rest, as a fraction of its speed unit.
#define REST_FRACTION 0.05

/// Whether the load of a deep pair lasts: no contact of it moves along its normal, as in an impact.
static bool pair_is_slow(const AbutWorld* world, const AbutBody* a, const AbutBody* b,
                         const AbutManifoldPoint* points, uint32_t count)
{
    double most = REST_FRACTION * abut_pair_speed_unit(world, a, b);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (points[i].gap < 0.0 && fabs(separation_speed(a, b, &points[i])) > most)
        {
            return false;
        }
    }
    return true;
}

void abut_pair_make_manifold(const AbutStepContext* step, const AbutPairResult* pair,
                             const AbutContact* contacts, const AbutManifold* before,
                             AbutPairScratch* scratch, AbutManifold* m)
{
    const AbutWorld* world = step->world;
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    begin_manifold(step, pair, m);
    m->touching = before != NULL && before->touching; // of the last step
    abut_manifold_copy_history(step, before, m);
    m->is_convex = abut_pair_is_convex(world, a, b);
    uint32_t count = m->is_convex ? collect_convex(step, pair, contacts, before, m, scratch->points)
                                  : collect_points(step, pair, contacts, before, m, scratch->points);
    m->count = select_points(step, a, b, scratch, count);
    m->count += add_core_contacts(world, m, scratch->points + m->count);
    ABUT_ASSERT(m->count <= ABUT_MANIFOLD_POINTS);
    ABUT_ASSERT(m->count <= world->def.contacts_per_pair + ABUT_CORE_CONTACTS);
    m->solved = m->count > 0;
    double margin = abut_pair_speculative_distance(world, a, b);
    m->is_tight = !m->is_convex && abut_contacts_are_tight(scratch->points, m->count, margin);
    bool is_deep = abut_contacts_are_deep(scratch->points, m->count, margin);
    m->is_jammed = m->is_tight && is_deep;
    m->bears_load = !m->is_tight && (!is_deep || pair_is_slow(world, a, b, scratch->points, m->count));
    if (m->is_tight)
    {
        abut_contacts_damp_internal_impulses(scratch->points, m->count);
    }
    if (!m->bears_load)
    {
        abut_contacts_reset_load(scratch->points, m->count);
    }
    m->friction = sqrt((double)a->material.friction * (double)b->material.friction);
    m->restitution = fmax((double)a->material.restitution, (double)b->material.restitution);
}
