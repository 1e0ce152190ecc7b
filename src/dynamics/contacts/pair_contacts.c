// The contacts of one pair of bodies: those of the last step that still carry something, and what was found beside them, few enough to be solved.
#include "dynamics/ccd/core_points.h"
#include "dynamics/contacts/contacts.h"
#include "dynamics/contacts/update.h"

#include "math/dvec3.h"

#include <math.h>
#include <string.h>

void abut_manifold_carry(const AbutWorld* world, const AbutManifold* before, AbutManifold* m)
{
    bool carries = before != NULL && world->round > 0;
    m->touched = carries && before->touched;
    m->impulse = carries ? before->impulse : 0.0;
    m->clear = before != NULL ? before->clear : 0.0;
    m->was_clear = before != NULL && before->was_clear;
    m->guard_count = before != NULL ? before->guard_count : 0;
    memcpy(m->guards, before != NULL ? before->guards : m->guards, sizeof(m->guards));
}

void abut_contacts_bring_along(const AbutWorld* world, const AbutManifold* m, AbutContactPoint* out)
{
    memcpy(out, world->stores[world->current].points + m->first, m->count * sizeof(AbutContactPoint));
    abut_contacts_track(&world->bodies[m->a], &world->bodies[m->b], out, m->count);
    for (uint32_t i = 0; i < m->count; ++i)
    {
        out[i].separation = out[i].gap;
        out[i].total_impulse = 0.0;
    }
}

/// Contacts that still carry something, first. They stay while they do: a choice that changed from step to step would lose the impulses that hold a body at rest.
static uint32_t bring_loaded(const AbutWorld* world, const AbutManifold* before, AbutContactPoint* out)
{
    uint32_t kept = 0, count = before != NULL ? before->count : 0;
    if (count > 0)
    {
        abut_contacts_bring_along(world, before, out);
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

static double squared_way(const double a[3], const double b[3])
{
    const double way[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
    return abut_dot(way, way);
}

/// Cosine of the angle between normals of contacts that may stand for each other.
#define SAME_WAY 0.9

/// A contact that is deeper than one near it by this part of what is near is one of its own.
#define DEEPER_PART 0.1

/// What is near at rest, as a part of the pair's margin.
#define SAME_PART 0.5

/// Whether what was found is one of those that are there already, or the other side of the wall that one of them is in.
static bool is_there(const AbutContactPoint* points, uint32_t count, const AbutContactPoint* found,
                     double near)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        double same = abut_dot(found->normal, points[i].normal);
        bool turned = found->gap < 0.0 && points[i].gap < 0.0 && same < 0.0;
        bool deeper = found->gap < points[i].gap - DEEPER_PART * near;
        if (!deeper && (turned || same > SAME_WAY) &&
            squared_way(points[i].arm_a, found->arm_a) < near * near)
        {
            return true;
        }
    }
    return false;
}

/// How far apart a contact will be at the end of the step, as its bodies move now, if that is less than now.
static double predict_gap(const AbutWorld* world, const AbutBody* a, const AbutBody* b,
                          const AbutContactPoint* point)
{
    double turn_a[3], turn_b[3], speed = 0.0;
    abut_cross(a->spin, point->arm_a, turn_a);
    abut_cross(b->spin, point->arm_b, turn_b);
    for (int i = 0; i < 3; ++i)
    {
        speed += point->normal[i] * (a->velocity[i] + turn_a[i] - b->velocity[i] - turn_b[i]);
    }
    return point->gap + fmin(speed, 0.0) * world->seconds;
}

/// Moves those to the front that stand for all of them, and returns how many there are.
static uint32_t choose(const AbutWorld* world, const AbutBody* a, const AbutBody* b, AbutPairRoom* room,
                       uint32_t count)
{
    AbutContactPoint* points = room->points;
    uint32_t most = world->def.contacts_per_pair;
    if (count <= most)
    {
        return count;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutContactPoint* p = &points[i];
        room->contacts[i] = (AbutContact){ .id = i, .separation = (float)predict_gap(world, a, b, p) };
        room->contacts[i].position = abut_vec3((float)p->arm_a[0], (float)p->arm_a[1], (float)p->arm_a[2]);
        room->contacts[i].normal = abut_vec3((float)p->normal[0], (float)p->normal[1], (float)p->normal[2]);
    }
    uint32_t kept = (uint32_t)abut_contacts_reduce(room->contacts, (int)count, (int)most).kept;
    for (uint32_t i = 0; i < kept; ++i) // sorted by id, so none is overwritten before it is read
    {
        AbutContactPoint point = points[i];
        points[i] = points[room->contacts[i].id];
        points[room->contacts[i].id] = point;
    }
    abut_contacts_mend(world, a, b, room, (int)count, (int)kept);
    return kept;
}

/// The manifold of a pair that was looked at, without contacts yet.
static void begin_manifold(const AbutWorld* world, const AbutPairResult* pair, AbutManifold* m)
{
    *m = (AbutManifold){ .a = pair->a, .b = pair->b, .is_new = true, .step = world->step };
    double margin = abut_pair_margin(world, pair->a, pair->b);
    double gap = (double)pair->output.gap * (double)world->posed[pair->a].pose.scale;
    abut_manifold_remember(world, m, fmax(margin, gap));
}

/// Where no surfaces face each other at all, as deep in one another, contacts do what they can.
static void insist(const AbutBody* a, const AbutBody* b, AbutContactPoint* points, uint32_t count)
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
        abut_contacts_track(a, b, points, count);
    }
}

/// Hands the load of a contact of the last step on to the nearest one.
static void take_over(const AbutContactPoint* old, AbutContactPoint* points, uint32_t count)
{
    AbutContactPoint* heir = NULL;
    double least = INFINITY, slide[3];
    for (uint32_t i = 0; i < count; ++i)
    {
        double way =
            fmin(squared_way(points[i].local_a, old->local_a), squared_way(points[i].local_b, old->local_b));
        if (way < least && abut_dot(points[i].normal, old->normal) > SAME_WAY)
        {
            least = way;
            heir = &points[i];
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        slide[k] =
            old->tangent_impulse[0] * old->tangent[0][k] + old->tangent_impulse[1] * old->tangent[1][k];
    }
    if (heir != NULL && old->normal_impulse > 0.0)
    {
        heir->normal_impulse += old->normal_impulse;
        heir->load += old->load;
        heir->tangent_impulse[0] += abut_dot(slide, heir->tangent[0]);
        heir->tangent_impulse[1] += abut_dot(slide, heir->tangent[1]);
    }
}

/// A pair whose contacts are made points of.
typedef struct Finding
{
    const AbutBody *a, *b;
    double near; // distance within which contacts are one
    double spacing;
    uint32_t count; // that were found
} Finding;

/// Contacts of which there are no more than this when all have gone to where surfaces are nearest are those of round bodies.
#define ROUND_MOST 2

/// As a part of the distance within which contacts are one: by so much those must be further apart that have not got there.
#define ROUND_PART 0.25

/// Where bodies are round all contacts lead to the one place where they are nearest, which rolls on as they move. Returns how many are left, or 0 where
/// bodies are not round.
static uint32_t find_round(const Finding* finding, AbutContactPoint* points)
{
    uint32_t kept = 0;
    abut_contacts_settle(finding->a, finding->b, 0.0, 0.5 * finding->spacing, true, points, finding->count);
    abut_contacts_track(finding->a, finding->b, points, finding->count);
    double least[2] = { INFINITY, INFINITY }; // gaps of those that are not round, and of those that are
    for (uint32_t i = 0; i < finding->count; ++i)
    {
        int round = points[i].bend > 0.0 ? 1 : 0;
        least[round] = fmin(least[round], points[i].gap);
    }
    for (uint32_t i = 0; i < finding->count && kept <= ROUND_MOST; ++i)
    {
        if (points[i].bend > 0.0 && !is_there(points, kept, &points[i], finding->near))
        {
            points[kept++] = points[i];
        }
    }
    return kept <= ROUND_MOST && least[0] > least[1] + ROUND_PART * finding->near ? kept : 0;
}

/// Those of the last step that still carry something are there already; adds what was found beside them. Returns how many there are.
static uint32_t add_found(const AbutWorld* world, const Finding* finding, AbutManifold* m,
                          AbutContactPoint* points, uint32_t count)
{
    AbutContactPoint* found = points + count;
    abut_contacts_settle(finding->a, finding->b, world->seconds, 0.5 * finding->spacing, false, found,
                         finding->count);
    abut_contacts_track(finding->a, finding->b, found, finding->count);
    insist(finding->a, finding->b, found, finding->count);
    for (uint32_t i = 0; i < finding->count; ++i)
    {
        bool late = predict_gap(world, finding->a, finding->b, &found[i]) > finding->near;
        m->margin = late ? finding->near : m->margin; // it is not known to later steps
        if (!late && !is_there(points, count, &found[i], SAME_PART * finding->near))
        {
            points[count++] = found[i];
        }
    }
    return count;
}

/// The contacts of a pair that may be solved. Returns how many there are.
static uint32_t collect(const AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                        const AbutManifold* before, AbutManifold* m, AbutContactPoint* out)
{
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    Finding finding = { a, b, abut_pair_rest_margin(world, a, b),
                        (double)pair->output.spacing * (double)a->scale,
                        (uint32_t)pair->output.contact_count };
    AbutPose b_in_a = abut_pose_relative(&world->posed[pair->a].pose, &world->posed[pair->b].pose);
    AbutContactPoint* points = out + ABUT_MANIFOLD_POINTS + finding.count; // clear of those of the last step
    abut_contacts_to_points(a, b, &b_in_a, contacts, finding.count, out);
    memcpy(points, out, finding.count * sizeof(AbutContactPoint));
    // What was not round in an earlier round of the step is not looked at for that again.
    bool may_be = before == NULL || before->step != world->step || before->is_round;
    uint32_t round = finding.count > 0 && may_be ? find_round(&finding, out) : 0;
    m->is_round = round > 0;
    for (uint32_t i = 0; round > 0 && before != NULL && i < before->count; ++i)
    {
        take_over(&world->stores[world->current].points[before->first + i], out, round);
    }
    uint32_t count = round;
    if (round == 0)
    {
        count = bring_loaded(world, before, out);
        memmove(out + count, points, finding.count * sizeof(AbutContactPoint));
        count = add_found(world, &finding, m, out, count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].separation = out[i].gap;
    }
    return count;
}

/// Guards that were in the way push as planes do: fields would send them to the other side of the wall.
static uint32_t add_guards(const AbutWorld* world, AbutManifold* m, AbutContactPoint* out)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    AbutPose pose_a = abut_body_pose(a), pose_b = abut_body_pose(b);
    AbutContact guards[ABUT_GUARD_CONTACTS];
    int count = abut_guards_contacts(a, b, &pose_a, &pose_b, m, guards);
    int room = ABUT_MANIFOLD_POINTS - (int)m->count;
    count = count < room ? count : room;
    abut_contacts_to_planes(a, b, &pose_a, guards, (uint32_t)count, out);
    return (uint32_t)count;
}

void abut_pair_collect(const AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                       const AbutManifold* before, AbutPairRoom* room, AbutManifold* m)
{
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    begin_manifold(world, pair, m);
    m->touching = before != NULL && before->touching; // as the last step told
    abut_manifold_carry(world, before, m);
    uint32_t count = collect(world, pair, contacts, before, m, room->points);
    m->count = choose(world, a, b, room, count);
    m->count += add_guards(world, m, room->points + m->count);
    m->solved = m->count > 0;
    double margin = abut_pair_rest_margin(world, a, b);
    m->is_tight = abut_contacts_are_tight(room->points, m->count, margin);
    bool is_deep = abut_contacts_are_deep(room->points, m->count, margin);
    m->is_jammed = m->is_tight && is_deep;
    m->bears_load = !m->is_tight && !is_deep;
    if (m->is_tight)
    {
        abut_contacts_ease(room->points, m->count);
    }
    if (!m->bears_load)
    {
        abut_contacts_forget_load(room->points, m->count);
    }
    m->friction = sqrt((double)a->material.friction * (double)b->material.friction);
    m->restitution = fmax((double)a->material.restitution, (double)b->material.restitution);
}
