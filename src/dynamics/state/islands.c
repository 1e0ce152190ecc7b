// Bodies that touch, directly or through others, sleep together when all of them have been slow for a while.
#include "dynamics/contacts/contacts.h"

#include <math.h>

/// Seconds of being slow before sleep.
#define QUIET_BEFORE_SLEEP 0.5

static uint32_t root_of(uint32_t* parents, uint32_t i)
{
    while (parents[i] != i)
    {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/// The smaller index becomes the root, so that islands do not depend on the order of joining.
static void join(uint32_t* parents, uint32_t a, uint32_t b)
{
    a = root_of(parents, a);
    b = root_of(parents, b);
    parents[a > b ? a : b] = a < b ? a : b;
}

static double speed_of(const AbutBody* body)
{
    double v = sqrt(body->velocity[0] * body->velocity[0] + body->velocity[1] * body->velocity[1] +
                    body->velocity[2] * body->velocity[2]);
    double w =
        sqrt(body->spin[0] * body->spin[0] + body->spin[1] * body->spin[1] + body->spin[2] * body->spin[2]);
    return v + w * (w > 0.0 ? (double)body->radius : 0.0);
}

static void count_quiet(const AbutWorld* world, AbutBody* body, double seconds)
{
    double least = (double)world->def.sleep_speed * abut_world_speed_unit(world, (double)body->radius);
    bool slow = !body->never_sleeps && speed_of(body) < least;
    body->quiet = slow ? body->quiet + seconds : 0.0;
}

void abut_world_wake_touching(AbutWorld* world, uint32_t index)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        if ((m->a == index || m->b == index) && abut_manifold_is_current(world, m))
        {
            abut_body_wake(&world->bodies[m->a == index ? m->b : m->a]);
        }
    }
}

void abut_body_wake(AbutBody* body)
{
    body->asleep = false;
    body->quiet = 0.0;
}

static void make_islands(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->parents[i] = i;
        world->quiets[i] = INFINITY;
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        if (m->count == 0 || !abut_manifold_is_current(world, m))
        {
            continue;
        }
        if (a->kind == ABUT_BODY_DYNAMIC && b->kind == ABUT_BODY_DYNAMIC)
        {
            join(world->parents, m->a, m->b);
        }
        else if ((a->kind == ABUT_BODY_KINEMATIC && speed_of(a) > 0.0) ||
                 (b->kind == ABUT_BODY_KINEMATIC && speed_of(b) > 0.0))
        {
            AbutBody* carried = a->kind == ABUT_BODY_DYNAMIC ? a : b;
            carried->quiet = 0.0;
        }
    }
}

void abut_world_wake_islands(AbutWorld* world)
{
    make_islands(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            world->quiets[root_of(world->parents, i)] = 0.0;
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        bool sleeps = abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC && body->asleep;
        body->asleep = sleeps && world->quiets[root_of(world->parents, i)] > 0.0;
    }
}

/// Bodies that are deeper in each other than this part of the smaller one's radius do not sleep: they are still parting.
#define DEEP_PART 0.1

static void keep_deep_awake(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        double depth = DEEP_PART * fmin((double)a->radius, (double)b->radius);
        if (m->solved && abut_manifold_is_current(world, m) &&
            abut_contacts_are_deep(store->points + m->first, m->count, depth))
        {
            a->quiet = b->quiet = 0.0;
        }
    }
}

static void settle(AbutBody* body, bool sleeps)
{
    body->asleep = sleeps;
    for (int k = 0; k < 3 && sleeps; ++k)
    {
        body->velocity[k] = body->spin[k] = 0.0;
    }
}

void abut_world_put_to_sleep(AbutWorld* world, double seconds)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            count_quiet(world, body, seconds);
        }
    }
    keep_deep_awake(world);
    make_islands(world);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC)
        {
            double* least = &world->quiets[root_of(world->parents, i)];
            *least = fmin(*least, body->quiet);
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC)
        {
            settle(body, world->quiets[root_of(world->parents, i)] >= QUIET_BEFORE_SLEEP);
        }
    }
}
