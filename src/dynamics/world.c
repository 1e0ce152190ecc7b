// The public functions of worlds: defaults, creation, destruction.
#include "dynamics/state/world.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "dynamics/ccd/core_points.h"
#include "narrow/batch/batch.h"
#include "narrow/collide.h"

#include <math.h>
#include <string.h>

/// Bytes of a block of the arena of steps, at least: little for a world of few bodies.
#define ARENA_BLOCK 16384

static const AbutResponseTable* const responses[] = {
    [ABUT_RESPONSE_IMPULSE] = &abut_impulse_response,
    [ABUT_RESPONSE_PENALTY] = &abut_penalty_response,
};
_Static_assert(sizeof(responses) / sizeof(responses[0]) == ABUT_RESPONSE_COUNT, "a response has no row");

const char* abut_response_name(AbutResponse response)
{
    return (unsigned)response < ABUT_RESPONSE_COUNT ? responses[response]->name : "unknown response";
}

AbutWorldDef abut_world_def(void)
{
    AbutWorldDef def = { 0 };
    def.gravity = abut_vec3(0.0f, -9.81f, 0.0f);
    def.response = ABUT_RESPONSE_IMPULSE;
    def.substep_count = 4;
    def.sleep_speed = 0.05f;
    def.contact_frequency = 90.0f;
    def.contact_damping_ratio = 10.0f;
    def.max_depenetration_speed = 0.45f;
    def.contacts_per_pair = 16;
    def.body_limit = 1u << 20;
    def.broad = ABUT_BROAD_TREE;
    def.speculative = abut_speculative_settings();
    for (int i = 0; i < ABUT_RESPONSE_COUNT; ++i)
    {
        if (responses[i]->init_settings != NULL)
        {
            responses[i]->init_settings(&def);
        }
    }
    return def;
}

static bool in_range(float value, float low, float high)
{
    return value >= low && value <= high;
}

static AbutResult check_def(const AbutWorldDef* def)
{
    if (!abut_vec3_within(def->gravity, ABUT_SPEED_LIMIT))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "world: gravity must be finite, and at most %g along each axis", ABUT_SPEED_LIMIT);
    }
    if (def->substep_count < 1 || def->substep_count > 64)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: %u substeps; there are from 1 to 64",
                         def->substep_count);
    }
    if (def->contacts_per_pair < 1 || def->contacts_per_pair > 64)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: %u contacts per pair; there are from 1 to 64",
                         def->contacts_per_pair);
    }
    const struct
    {
        const char* name;
        float value, low;
    } numbers[] = { { "sleep_speed", def->sleep_speed, 0.0f },
                    { "margin", def->margin, 0.0f },
                    { "contact_frequency", def->contact_frequency, 1e-3f },
                    { "contact_damping_ratio", def->contact_damping_ratio, 0.0f },
                    { "max_depenetration_speed", def->max_depenetration_speed, 0.0f } };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i)
    {
        if (!in_range(numbers[i].value, numbers[i].low, 1e12f))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "world: %s is %g; it must be at least %g",
                             numbers[i].name, (double)numbers[i].value, (double)numbers[i].low);
        }
    }
    if ((unsigned)def->response >= ABUT_RESPONSE_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: there is no response %d", (int)def->response);
    }
    AbutNarrowSettings narrow = abut_narrow_speculative_settings(&def->speculative);
    AbutResult result = abut_collide_check(&narrow);
    for (int i = 0; i < ABUT_RESPONSE_COUNT && result == ABUT_OK; ++i)
    {
        result = responses[i]->check_settings != NULL ? responses[i]->check_settings(def) : ABUT_OK;
    }
    return result;
}

AbutResult abut_world_create(const AbutWorldDef* def, AbutWorld** out)
{
    ABUT_FP_CALL(abut_world_create, def, out);
    *out = NULL;
    AbutResult result = check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost host = abut_host_resolve(def->host);
    AbutWorld* world = abut_memory_allocate_zero(&host, 1, sizeof(AbutWorld));
    if (world == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    world->host = host;
    world->def = *def;
    world->def.host = NULL;
    world->def.device = NULL;
    world->arena = abut_arena_make(&host);
    world->arena.block_size = ARENA_BLOCK;
    world->response = responses[def->response];
    AbutBroadDef broad = abut_broad_def();
    broad.method = def->broad;
    broad.host = &host;
    result = abut_broad_create(&broad, &world->broad);
    result = result == ABUT_OK ? abut_collider_create(&host, &world->collider) : result;
    if (result == ABUT_OK)
    {
        abut_collider_measure_time(world->collider);
        abut_collider_set_device(world->collider, def->device);
        result = world->response->create != NULL ? world->response->create(world) : ABUT_OK;
    }
    result = result == ABUT_OK ? abut_shape_create_sphere(1.0f, &host, &world->probe) : result;
    if (result != ABUT_OK)
    {
        abut_world_destroy(world);
        return result;
    }
    *out = world;
    return ABUT_OK;
}

static void free_store(const AbutHost* host, AbutContactStore* store)
{
    abut_memory_free(host, store->manifolds, store->manifold_capacity, sizeof(AbutManifold));
    abut_memory_free(host, store->points, store->point_capacity, sizeof(AbutManifoldPoint));
}

void abut_world_destroy(AbutWorld* world)
{
    if (world == NULL)
    {
        return;
    }
    AbutHost host = world->host;
    if (world->response->destroy != NULL)
    {
        world->response->destroy(world);
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (abut_body_is_alive(&world->bodies[i]))
        {
            abut_core_points_release(&world->bodies[i]);
            abut_shape_destroy(world->bodies[i].shape);
        }
    }
    abut_broad_destroy(world->broad);
    abut_collider_destroy(world->collider);
    abut_shape_destroy(world->probe);
    abut_shape_destroy(world->mass_shape);
    for (size_t i = 0; i < sizeof(world->stores) / sizeof(world->stores[0]); ++i)
    {
        free_store(&host, &world->stores[i]);
    }
    abut_arena_clear(&world->arena);
    abut_memory_free(&host, world->bodies, world->body_capacity, sizeof(AbutBody));
    abut_memory_free(&host, world->free_slots, world->free_capacity, sizeof(uint32_t));
    abut_memory_free(&host, world->body_of_box, world->box_capacity, sizeof(uint32_t));
    abut_memory_free(&host, world->published, world->published_capacity, sizeof(AbutWorldContact));
    abut_memory_free(&host, world->events, world->event_capacity, sizeof(AbutTouchEvent));
    abut_memory_free(&host, world, 1, sizeof(AbutWorld));
}

const AbutWorldContact* abut_world_contacts(const AbutWorld* world, size_t* count)
{
    *count = world->published_count;
    return world->published;
}

const AbutTouchEvent* abut_world_events(const AbutWorld* world, size_t* count)
{
    *count = world->event_count;
    return world->events;
}

const char* abut_world_warning(const AbutWorld* world)
{
    return world->response->warning != NULL ? world->response->warning(world) : "";
}
