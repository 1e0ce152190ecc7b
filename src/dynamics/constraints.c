// Contacts of the narrow phase to what is solved: few per pair, in the world, with the impulses of the last step.
#include "dynamics/guard.h"
#include "dynamics/near.h"
#include "dynamics/track.h"

#include "base/memory.h"
#include "vec/double3.h"

#include <math.h>
#include <string.h>

static int compare(const AbutManifold* m, uint32_t a, uint32_t b)
{
    return m->a != a ? (m->a < a ? -1 : 1) : m->b != b ? (m->b < b ? -1 : 1) : 0;
}

/// Both asleep, or gone: a manifold that was not looked at in this step. It stays as it was while both are there.
static bool keeps(const AbutWorld* world, const AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    return abut_manifold_is_current(world, m) && (a->asleep || b->asleep) && !abut_body_moves(a) &&
           !abut_body_moves(b) && a->kind != ABUT_BODY_KINEMATIC && b->kind != ABUT_BODY_KINEMATIC;
}

/// Of bodies that slept when pairs were collected, and have been woken since: nothing has moved, so contacts are where they were.
static bool was_woken(const AbutWorld* world, const AbutManifold* m)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool slept = a->was_asleep || b->was_asleep;
    return slept && abut_manifold_is_current(world, m) && (a->kind != ABUT_BODY_DYNAMIC || a->was_asleep) &&
           (b->kind != ABUT_BODY_DYNAMIC || b->was_asleep) && (abut_body_moves(a) || abut_body_moves(b));
}

static bool reserve(AbutWorld* world, AbutContactStore* store, size_t manifolds, size_t points)
{
    return abut_memory_grow(&world->host, (void**)&store->manifolds, &store->manifold_capacity, manifolds,
                            sizeof(AbutManifold)) &&
           abut_memory_grow(&world->host, (void**)&store->points, &store->point_capacity, points,
                            sizeof(AbutContactPoint));
}

/// What a manifold was told in earlier rounds counts in those of the same step alone; what is known of guards does in all.
static void carry_touch(const AbutWorld* world, const AbutManifold* before, AbutManifold* m)
{
    bool carries = before != NULL && world->round > 0;
    m->touched = carries && before->touched;
    m->impulse = carries ? before->impulse : 0.0;
    m->clear = before != NULL ? before->clear : 0.0;
    m->was_clear = before != NULL && before->was_clear;
    m->guard_count = before != NULL ? before->guard_count : 0;
    memcpy(m->guards, before != NULL ? before->guards : m->guards, sizeof(m->guards));
}

static void keep(const AbutWorld* world, const AbutContactStore* last, const AbutManifold* m,
                 AbutContactStore* store)
{
    AbutManifold* kept = &store->manifolds[store->manifold_count++];
    *kept = *m;
    kept->first = (uint32_t)store->point_count;
    kept->solved = false;
    carry_touch(world, m, kept);
    if (m->count > 0)
    {
        memcpy(store->points + store->point_count, last->points + m->first,
               m->count * sizeof(AbutContactPoint));
    }
    store->point_count += m->count;
}

/// Contacts of the last step where their bodies have taken them.
static void bring_along(const AbutWorld* world, const AbutContactStore* last, const AbutManifold* m,
                        AbutContactPoint* out)
{
    memcpy(out, last->points + m->first, m->count * sizeof(AbutContactPoint));
    abut_contacts_track(&world->bodies[m->a], &world->bodies[m->b], out, m->count);
    for (uint32_t i = 0; i < m->count; ++i)
    {
        out[i].separation = out[i].gap;
        out[i].total_impulse = 0.0;
    }
}

/// A manifold that holds: its contacts where the bodies have taken them.
static void add_again(const AbutWorld* world, const AbutContactStore* last, const AbutManifold* m,
                      AbutContactStore* store)
{
    AbutManifold* again = &store->manifolds[store->manifold_count++];
    *again = *m;
    again->first = (uint32_t)store->point_count;
    again->solved = m->count > 0;
    carry_touch(world, m, again);
    if (m->count > 0)
    {
        bring_along(world, last, m, store->points + store->point_count);
    }
    store->point_count += m->count;
}

/// Contacts that still carry something, first. They stay while they do: a choice that changed from step to step would lose the impulses that hold a body at rest.
static uint32_t bring_loaded(const AbutWorld* world, const AbutManifold* before, AbutContactPoint* out)
{
    uint32_t kept = 0, count = before != NULL ? before->count : 0;
    if (count > 0)
    {
        bring_along(world, &world->stores[world->current], before, out);
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
static uint32_t choose(AbutWorld* world, const AbutBody* a, const AbutBody* b, AbutContactPoint* points,
                       uint32_t count)
{
    uint32_t most = world->def.contacts_per_pair;
    if (count <= most)
    {
        return count;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutContactPoint* p = &points[i];
        world->contacts[i] = (AbutContact){ .id = i, .separation = (float)predict_gap(world, a, b, p) };
        world->contacts[i].position = abut_vec3((float)p->arm_a[0], (float)p->arm_a[1], (float)p->arm_a[2]);
        world->contacts[i].normal = abut_vec3((float)p->normal[0], (float)p->normal[1], (float)p->normal[2]);
    }
    uint32_t kept = (uint32_t)abut_contacts_reduce(world->contacts, (int)count, (int)most).kept;
    for (uint32_t i = 0; i < kept; ++i) // sorted by id, so none is overwritten before it is read
    {
        AbutContactPoint point = points[i];
        points[i] = points[world->contacts[i].id];
        points[world->contacts[i].id] = point;
    }
    abut_contacts_mend(world, a, b, points, (int)count, (int)kept);
    return kept;
}

/// The manifold of a pair that was looked at, without contacts yet.
static AbutManifold* begin_manifold(AbutWorld* world, const AbutPairResult* pair, AbutContactStore* store)
{
    AbutManifold* m = &store->manifolds[store->manifold_count++];
    *m = (AbutManifold){ .a = pair->a, .b = pair->b, .first = (uint32_t)store->point_count };
    double margin = abut_pair_margin(world, pair->a, pair->b);
    double gap = (double)pair->output.gap * (double)world->posed[pair->a].pose.scale;
    abut_manifold_remember(world, m, fmax(margin, gap));
    return m;
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
static uint32_t collect(AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
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
    uint32_t round = finding.count > 0 ? find_round(&finding, out) : 0;
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
    const AbutPose* pose_a = &world->posed[m->a].pose;
    AbutContact guards[ABUT_GUARD_CONTACTS];
    int count = abut_guards_contacts(&world->bodies[m->a], &world->bodies[m->b], pose_a,
                                     &world->posed[m->b].pose, m, guards);
    int room = ABUT_MANIFOLD_POINTS - (int)m->count;
    count = count < room ? count : room;
    abut_contacts_to_planes(&world->bodies[m->a], &world->bodies[m->b], pose_a, guards, (uint32_t)count, out);
    return (uint32_t)count;
}

static void add(AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                const AbutManifold* before, AbutContactStore* store)
{
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    AbutManifold* m = begin_manifold(world, pair, store);
    m->touching = before != NULL && before->touching; // as the last step told
    carry_touch(world, before, m);
    uint32_t count = collect(world, pair, contacts, before, m, world->found);
    m->count = choose(world, a, b, world->found, count);
    m->count += add_guards(world, m, world->found + m->count);
    m->solved = m->count > 0;
    m->is_tight = abut_contacts_are_tight(world->found, m->count, abut_pair_rest_margin(world, a, b));
    if (m->is_tight)
    {
        abut_contacts_ease(world->found, m->count);
    }
    m->friction = sqrt((double)a->material.friction * (double)b->material.friction);
    m->restitution = fmax((double)a->material.restitution, (double)b->material.restitution);
    if (m->count > 0)
    {
        memcpy(store->points + store->point_count, world->found, m->count * sizeof(AbutContactPoint));
    }
    store->point_count += m->count;
}

AbutResult abut_world_reserve_constraints(AbutWorld* world, const AbutCollideResults* results)
{
    const AbutContactStore* last = &world->stores[world->current];
    size_t most = 0, points = last->point_count;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        size_t count = (size_t)results->pairs[i].output.contact_count;
        most = count > most ? count : most;
        points += world->def.contacts_per_pair + ABUT_GUARD_CONTACTS;
    }
    most = 2 * most + ABUT_MANIFOLD_POINTS; // twice what was found, and that of the last step, or of guards
    bool good = reserve(world, &world->stores[1 - world->current], results->pair_count + last->manifold_count,
                        points) &&
                abut_memory_grow(&world->host, (void**)&world->contacts, &world->contact_capacity, most,
                                 sizeof(AbutContact)) &&
                abut_memory_grow(&world->host, (void**)&world->choices, &world->choice_capacity, most,
                                 sizeof(AbutContactChoice)) &&
                abut_memory_grow(&world->host, (void**)&world->found, &world->found_capacity, most,
                                 sizeof(AbutContactPoint));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_world_make_constraints(AbutWorld* world, const AbutCollideResults* results)
{
    AbutContactStore* last = &world->stores[world->current];
    AbutContactStore* store = &world->stores[1 - world->current];
    store->manifold_count = store->point_count = 0;
    abut_world_wake_islands(world);
    size_t old = 0; // both lists are sorted by a, then b
    for (size_t i = 0; i <= results->pair_count; ++i)
    {
        const AbutPairResult* pair = i < results->pair_count ? &results->pairs[i] : NULL;
        while (old < last->manifold_count &&
               (pair == NULL || compare(&last->manifolds[old], pair->a, pair->b) < 0))
        {
            if (last->manifolds[old].holds || was_woken(world, &last->manifolds[old]))
            {
                add_again(world, last, &last->manifolds[old], store);
            }
            else if (keeps(world, &last->manifolds[old]))
            {
                keep(world, last, &last->manifolds[old], store);
            }
            ++old;
        }
        if (pair == NULL)
        {
            break;
        }
        bool same = old < last->manifold_count && compare(&last->manifolds[old], pair->a, pair->b) == 0;
        if (pair->output.state != ABUT_COLLIDE_INVALID)
        {
            bool known = same && abut_manifold_is_current(world, &last->manifolds[old]);
            add(world, pair, results->contacts + pair->first_contact, known ? &last->manifolds[old] : NULL,
                store);
        }
        old += same ? 1 : 0;
    }
    world->current = 1 - world->current;
}
