// Islands: bodies that touch, directly or through others, fall asleep together when all of them have been
// slow for a while.
#include "dynamics/state/islands.h"

#include "base/union_find.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"

#include <math.h>

/// Seconds below the sleep speed.
#define TIME_TO_SLEEP 0.5

static double speed_of(const AbutBody* body)
{
    double v = abut_dvec3_length(body->velocity), w = abut_dvec3_length(body->angular_velocity);
    return v + w * (w > 0.0 ? (double)body->radius : 0.0);
}

static void update_sleep_time(const AbutWorld* world, AbutBody* body, double seconds)
{
    double least = (double)world->def.sleep_speed * abut_world_speed_unit(world, (double)body->radius);
    bool slow = !body->never_sleeps && speed_of(body) < least;
    body->sleep_time = slow ? body->sleep_time + seconds : 0.0;
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
    body->sleep_time = 0.0;
}

AbutResult abut_step_reserve_islands(AbutStepContext* step)
{
    step->parents = abut_step_allocate(step, step->world->body_count, sizeof(uint32_t));
    step->sleep_times = abut_step_allocate(step, step->world->body_count, sizeof(double));
    return step->parents != NULL && step->sleep_times != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static void make_islands(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* store = &world->stores[world->current];
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        step->parents[i] = i;
        step->sleep_times[i] = INFINITY;
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
            abut_union_find_join(step->parents, m->a, m->b);
        }
        else if ((a->kind == ABUT_BODY_KINEMATIC && speed_of(a) > 0.0) ||
                 (b->kind == ABUT_BODY_KINEMATIC && speed_of(b) > 0.0))
        {
            AbutBody* driven = a->kind == ABUT_BODY_DYNAMIC ? a : b;
            driven->sleep_time = 0.0;
        }
    }
}

void abut_step_wake_islands(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    make_islands(step);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            step->sleep_times[abut_union_find_root(step->parents, i)] = 0.0;
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        bool sleeps = abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC && body->asleep;
        body->asleep = sleeps && step->sleep_times[abut_union_find_root(step->parents, i)] > 0.0;
    }
}

/// Penetration, as a fraction of the radius of the smaller body, that keeps bodies awake: they are still
/// separating.
#define DEEP_FRACTION 0.1

static void keep_deep_awake(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        double depth = DEEP_FRACTION * fmin((double)a->radius, (double)b->radius);
        if (m->solved && abut_manifold_is_current(world, m) &&
            abut_contacts_are_deep(store->points + m->first, m->count, depth))
        {
            a->sleep_time = b->sleep_time = 0.0;
        }
    }
}

static void set_asleep(AbutBody* body, bool sleeps)
{
    body->asleep = sleeps;
    if (sleeps)
    {
        body->velocity = body->angular_velocity = abut_dvec3_zero();
    }
}

void abut_step_put_to_sleep(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            update_sleep_time(world, body, step->total_seconds);
        }
    }
    keep_deep_awake(world);
    make_islands(step);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC)
        {
            double* least = &step->sleep_times[abut_union_find_root(step->parents, i)];
            *least = fmin(*least, body->sleep_time);
        }
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC)
        {
            set_asleep(body, step->sleep_times[abut_union_find_root(step->parents, i)] >= TIME_TO_SLEEP);
        }
    }
}
