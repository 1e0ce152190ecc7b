// Contacts of the narrow phase to what is solved: few per pair, in the world, with the impulses of the last step.
#include "dynamics/guard.h"
#include "dynamics/near.h"

#include "base/memory.h"
#include "vec/double3.h"

#include <math.h>
#include <string.h>

/// Two directions square to the normal, the same for the same normal.
static void make_tangents(const double n[3], double tangent[2][3])
{
    int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
    double axis[3] = { 0.0, 0.0, 0.0 };
    axis[least] = 1.0;
    abut_cross(n, axis, tangent[0]);
    double length = sqrt(abut_dot(tangent[0], tangent[0]));
    for (int i = 0; i < 3; ++i)
    {
        tangent[0][i] /= length;
    }
    abut_cross(n, tangent[0], tangent[1]);
}

static void fix_to_body(const AbutBody* body, const double arm[3], double local[3])
{
    for (int i = 0; i < 3; ++i)
    {
        local[i] = body->matrix[0][i] * arm[0] + body->matrix[1][i] * arm[1] + body->matrix[2][i] * arm[2];
    }
}

static void make_point(const AbutBody* a, const AbutBody* b, const AbutPose* frame,
                       const AbutContact* contact, AbutContactPoint* out)
{
    AbutPosition at = abut_pose_to_outer(frame, contact->position);
    const double place[3] = { at.x, at.y, at.z };
    AbutVec3 n = abut_quat_rotate(frame->rotation, contact->normal);
    memset(out, 0, sizeof(*out));
    out->id = contact->id;
    double normal[3] = { n.x, n.y, n.z }, length = sqrt(abut_dot(normal, normal));
    if (!(length > 0.0)) // in the middle of a field no way leads out; up is as good as any
    {
        normal[1] = length = 1.0;
    }
    for (int i = 0; i < 3; ++i)
    {
        out->normal[i] = normal[i] / length;
        out->arm_a[i] = place[i] - a->position[i];
        out->arm_b[i] = place[i] - b->position[i];
    }
    out->separation = out->found_separation = (double)contact->separation * (double)frame->scale;
    fix_to_body(a, out->arm_a, out->local_a);
    fix_to_body(b, out->arm_b, out->local_b);
    fix_to_body(b, out->normal, out->local_normal);
    make_tangents(out->normal, out->tangent);
}

static void turn_with(const AbutBody* body, const double local[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_dot(body->matrix[i], local);
    }
}

/// A contact of the last step where its bodies have taken it.
static void follow_point(const AbutBody* a, const AbutBody* b, const AbutContactPoint* old,
                         AbutContactPoint* out)
{
    *out = *old;
    turn_with(a, old->local_a, out->arm_a);
    turn_with(b, old->local_b, out->arm_b);
    turn_with(b, old->local_normal, out->normal);
    out->separation = old->found_separation;
    for (int i = 0; i < 3; ++i)
    {
        out->separation += out->normal[i] * (a->position[i] + out->arm_a[i] - b->position[i] - out->arm_b[i]);
    }
    out->total_impulse = 0.0;
    make_tangents(out->normal, out->tangent);
    double slide[3];
    for (int k = 0; k < 3; ++k)
    {
        slide[k] =
            old->tangent_impulse[0] * old->tangent[0][k] + old->tangent_impulse[1] * old->tangent[1][k];
    }
    out->tangent_impulse[0] = abut_dot(slide, out->tangent[0]);
    out->tangent_impulse[1] = abut_dot(slide, out->tangent[1]);
}

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
    m->clear = before != NULL ? before->clear : 0.0;
    m->guard_count = before != NULL ? before->guard_count : 0;
    memcpy(m->guards, before != NULL ? before->guards : m->guards, sizeof(m->guards));
    bool carries = before != NULL && world->round > 0;
    m->touched = carries && before->touched;
    m->impulse = carries ? before->impulse : 0.0;
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

/// A manifold that holds: its contacts where the bodies have taken them.
static void add_again(const AbutWorld* world, const AbutContactStore* last, const AbutManifold* m,
                      AbutContactStore* store)
{
    AbutManifold* again = &store->manifolds[store->manifold_count++];
    *again = *m;
    again->first = (uint32_t)store->point_count;
    again->solved = m->count > 0;
    carry_touch(world, m, again);
    for (uint32_t i = 0; i < m->count; ++i)
    {
        follow_point(&world->bodies[m->a], &world->bodies[m->b], &last->points[m->first + i],
                     &store->points[store->point_count++]);
    }
}

/// As those that were looked at: what touches a body that is awake is awake.
static void wake_held(AbutWorld* world, const AbutContactStore* last)
{
    for (size_t i = 0; i < last->manifold_count; ++i)
    {
        const AbutManifold* m = &last->manifolds[i];
        if (m->holds && m->count > 0)
        {
            world->bodies[m->a].asleep = world->bodies[m->b].asleep = false;
        }
    }
}

enum
{
    FACING_BATCH = 64
};

/// Angle in radians by which the surfaces at a contact of bodies at rest may fail to face each other, and the cosine of that where they overlap by more
/// than a tenth of the margin: overlaps must go away.
#define FACING 0.25
#define FACING_DEEP 0.5f

/// How far two bodies may turn against each other in the step, also by what they do to each other.
static double turn_between(const AbutWorld* world, const AbutBody* a, const AbutBody* b)
{
    double spin[2] = { sqrt(abut_dot(a->spin, a->spin)), sqrt(abut_dot(b->spin, b->spin)) };
    double way[3];
    for (int i = 0; i < 3; ++i)
    {
        way[i] = a->velocity[i] - b->velocity[i];
    }
    double radius = fmin((double)a->radius, (double)b->radius);
    return (spin[0] + spin[1] + sqrt(abut_dot(way, way)) / radius) * world->seconds;
}

/// Cosine of the angle that still counts as facing: what does not face each other now may, when bodies have turned.
static float least_facing(const AbutWorld* world, const AbutBody* a, const AbutBody* b)
{
    double angle = FACING + turn_between(world, a, b), half = 0.5 * fmin(angle, 3.0);
    double squared = half * half, sine = half * (1.0 - squared / 6.0 * (1.0 - squared / 20.0));
    return (float)(1.0 - 2.0 * sine * sine);
}

/// Moves contacts whose surfaces face each other to the front and returns how many there are. Beside an edge the nearest points of
/// two solids are not where they will touch: contacts there would hold up what slides past. Where none face each other (two
/// edges that cross) all stay.
static int keep_facing(const AbutShape* a, AbutContact* contacts, int count, float facing, float deep)
{
    float at[3][FACING_BATCH], distance[FACING_BATCH], gradient[3][FACING_BATCH];
    int kept = 0;
    for (int first = 0; first < count; first += FACING_BATCH)
    {
        int n = count - first < FACING_BATCH ? count - first : FACING_BATCH;
        for (int i = 0; i < n; ++i)
        {
            at[0][i] = contacts[first + i].position.x;
            at[1][i] = contacts[first + i].position.y;
            at[2][i] = contacts[first + i].position.z;
        }
        AbutPoints points = { at[0], at[1], at[2] };
        AbutSamples samples = { distance, gradient[0], gradient[1], gradient[2] };
        abut_shape_sample(a, NULL, points, (size_t)n, samples);
        for (int i = 0; i < n; ++i)
        {
            AbutVec3 outward = abut_vec3(gradient[0][i], gradient[1][i], gradient[2][i]);
            float apart = contacts[first + i].separation;
            float least = apart < -deep ? fminf(FACING_DEEP, facing) : facing;
            bool sound =
                apart >= 0.0f || distance[i] >= apart - deep; // no point is deeper than its contact says
            if (sound &&
                abut_vec3_dot(outward, contacts[first + i].normal) <= -least * abut_vec3_length(outward))
            {
                AbutContact swap = contacts[kept];
                contacts[kept++] = contacts[first + i];
                contacts[first + i] = swap;
            }
        }
    }
    return kept > 0 ? kept : count;
}

static bool was_there(const AbutContactStore* last, const AbutManifold* before, uint64_t id)
{
    for (uint32_t i = 0; i < before->count; ++i)
    {
        if (last->points[before->first + i].id == id)
        {
            return true;
        }
    }
    return false;
}

/// Moves those that were chosen in the last step to the front, when they can still stand for all: each is there, and none of the
/// others is deeper than the deepest of them by more than `slack`. A choice that changed from step to step would lose the impulses
/// that hold a body at rest.
static bool choose_again(const AbutContactStore* last, const AbutManifold* before, AbutContact* contacts,
                         int count, float slack)
{
    uint32_t kept = 0;
    float deepest[2] = { INFINITY, INFINITY }; // of those that were there, of the others
    for (int i = 0; i < count; ++i)
    {
        bool there = was_there(last, before, contacts[i].id);
        deepest[there ? 0 : 1] = fminf(deepest[there ? 0 : 1], contacts[i].separation);
        if (there)
        {
            AbutContact swap = contacts[kept];
            contacts[kept++] = contacts[i];
            contacts[i] = swap;
        }
    }
    return kept == before->count && deepest[1] > deepest[0] - slack;
}

static int choose(AbutWorld* world, const AbutManifold* before, int count, float margin)
{
    const AbutContactStore* last = &world->stores[world->current];
    int most = (int)world->def.contacts_per_pair;
    if (before != NULL && (before->count == (uint32_t)most || before->count == (uint32_t)count) &&
        choose_again(last, before, world->contacts, count, 0.02f * margin))
    {
        return (int)before->count;
    }
    return abut_contacts_reduce(world->contacts, count, most).kept;
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

/// How far contacts go to where surfaces are nearest, as a part of the smaller body's radius.
#define REACH_PART 0.25f

static void add(AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                const AbutManifold* before, AbutContactStore* store)
{
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    int count = pair->output.contact_count;
    AbutManifold* m = begin_manifold(world, pair, store);
    m->touching = before != NULL && before->touching; // as the last step told
    carry_touch(world, before, m);
    AbutContact guards[ABUT_GUARD_CONTACTS];
    int guard_count =
        abut_guards_contacts(a, b, &world->posed[pair->a].pose, &world->posed[pair->b].pose, m, guards);
    if (count + guard_count == 0)
    {
        return;
    }
    memcpy(world->contacts, contacts, (size_t)count * sizeof(AbutContact));
    float margin = (float)abut_pair_rest_margin(world, a, b) / world->posed[pair->a].pose.scale;
    AbutPose b_in_a = abut_pose_relative(&world->posed[pair->a].pose, &world->posed[pair->b].pose);
    float reach = REACH_PART * fminf(a->radius, b->radius) / world->posed[pair->a].pose.scale;
    count = abut_contacts_lower(a->shape, b->shape, &b_in_a, world->contacts, count, reach);
    abut_contacts_aim(a->shape, b->shape, &b_in_a, world->contacts, count);
    count = keep_facing(a->shape, world->contacts, count, least_facing(world, a, b), 0.1f * margin);
    abut_contacts_foresee(world, pair->a, pair->b, world->contacts, count);
    int kept = choose(world, before, count, margin);
    if (kept < count)
    {
        abut_contacts_mend(world, a, b, &world->posed[pair->a].pose, count, kept);
    }
    kept = kept + guard_count > ABUT_MANIFOLD_POINTS ? ABUT_MANIFOLD_POINTS - guard_count : kept;
    memcpy(world->contacts + kept, guards, (size_t)guard_count * sizeof(AbutContact));
    kept += guard_count;
    m->count = (uint32_t)kept;
    m->solved = true;
    m->friction = sqrt((double)a->material.friction * (double)b->material.friction);
    m->restitution = fmax((double)a->material.restitution, (double)b->material.restitution);
    for (int i = 0; i < kept; ++i)
    {
        AbutContactPoint* point = &store->points[store->point_count++];
        make_point(a, b, &world->posed[pair->a].pose, &world->contacts[i], point);
    }
    m->is_tight =
        abut_contacts_are_tight(store->points + m->first, m->count, abut_pair_rest_margin(world, a, b));
    if (before != NULL && before->count > 0)
    {
        abut_contacts_take_over(world->stores[world->current].points + before->first, before->count,
                                store->points + m->first, m->count);
        if (m->is_tight)
        {
            abut_contacts_ease(store->points + m->first, m->count);
        }
    }
}

AbutResult abut_world_reserve_constraints(AbutWorld* world, const AbutCollideResults* results)
{
    const AbutContactStore* last = &world->stores[world->current];
    size_t most = 0, points = last->point_count;
    for (size_t i = 0; i < results->pair_count; ++i)
    {
        size_t count = (size_t)results->pairs[i].output.contact_count;
        most = count > most ? count : most;
        points += count < world->def.contacts_per_pair ? count : world->def.contacts_per_pair;
        points += ABUT_GUARD_CONTACTS;
    }
    bool good = reserve(world, &world->stores[1 - world->current], results->pair_count + last->manifold_count,
                        points) &&
                abut_memory_grow(&world->host, (void**)&world->contacts, &world->contact_capacity,
                                 most + ABUT_GUARD_CONTACTS, sizeof(AbutContact)) &&
                abut_memory_grow(&world->host, (void**)&world->choices, &world->choice_capacity, most,
                                 sizeof(AbutContactChoice));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_world_make_constraints(AbutWorld* world, const AbutCollideResults* results)
{
    AbutContactStore* last = &world->stores[world->current];
    AbutContactStore* store = &world->stores[1 - world->current];
    store->manifold_count = store->point_count = 0;
    wake_held(world, last);
    size_t old = 0; // both lists are sorted by a, then b
    for (size_t i = 0; i <= results->pair_count; ++i)
    {
        const AbutPairResult* pair = i < results->pair_count ? &results->pairs[i] : NULL;
        while (old < last->manifold_count &&
               (pair == NULL || compare(&last->manifolds[old], pair->a, pair->b) < 0))
        {
            if (last->manifolds[old].holds)
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
