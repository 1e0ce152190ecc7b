// Snapshots: the state that later steps depend on, as bytes, and its hash.
#include "dynamics/snapshot.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "dynamics/snapshot_check.h"
#include "dynamics/state/world.h"

#include <stddef.h>
#include <string.h>

typedef AbutSnapshotHeader Header;
typedef AbutSnapshotMotion Motion;

size_t abut_snapshot_size(const Header* header)
{
    return sizeof(Header) + header->body_count * sizeof(Motion) +
           header->manifold_count * sizeof(AbutManifold) + header->point_count * sizeof(AbutManifoldPoint) +
           header->response_size;
}

static Header make_header(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    return (Header){ .tag = ABUT_SNAPSHOT_TAG,
                     .identity = abut_snapshot_identity(world),
                     .step = world->step,
                     .time = world->time,
                     .body_count = world->body_count,
                     .manifold_count = store->manifold_count,
                     .point_count = store->point_count,
                     .response_size =
                         world->response->state_size != NULL ? world->response->state_size(world) : 0 };
}

static Motion motion_of(const AbutBody* body)
{
    Motion motion;
    memset(&motion, 0, sizeof(motion));
    motion.generation = body->generation;
    if (abut_body_is_alive(body))
    {
        motion.asleep = body->asleep ? 1u : 0u;
        motion.position = body->position;
        motion.rotation = body->rotation;
        motion.velocity = body->velocity;
        motion.angular_velocity = body->angular_velocity;
        motion.force = body->force;
        motion.torque = body->torque;
        motion.sleep_time = body->sleep_time;
    }
    return motion;
}

uint64_t abut_world_hash(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    uint64_t hash = world->step;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        Motion motion = motion_of(&world->bodies[i]);
        hash = abut_hash(&motion, sizeof(motion), hash);
    }
    for (size_t i = 0; i < store->point_count; ++i)
    {
        const AbutManifoldPoint* p = &store->points[i];
        const double impulses[4] = { p->separation, p->normal_impulse, p->tangent_impulse[0],
                                     p->tangent_impulse[1] };
        hash = abut_hash(&p->id, sizeof(p->id), hash);
        hash = abut_hash(impulses, sizeof(impulses), hash);
    }
    return world->response->hash != NULL ? world->response->hash(world, hash) : hash;
}

size_t abut_world_snapshot_size(const AbutWorld* world)
{
    Header header = make_header(world);
    return abut_snapshot_size(&header);
}

AbutResult abut_world_save(const AbutWorld* world, void* data, size_t size)
{
    const AbutContactStore* store = &world->stores[world->current];
    Header header = make_header(world);
    if (size < abut_snapshot_size(&header))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "world: a snapshot takes %zu bytes, and there is room for %zu",
                         abut_snapshot_size(&header), size);
    }
    unsigned char* at = (unsigned char*)data + sizeof(Header);
    for (uint32_t i = 0; i < world->body_count; ++i, at += sizeof(Motion))
    {
        Motion motion = motion_of(&world->bodies[i]);
        memcpy(at, &motion, sizeof(motion));
    }
    if (store->manifold_count > 0)
    {
        memcpy(at, store->manifolds, store->manifold_count * sizeof(AbutManifold));
        at += store->manifold_count * sizeof(AbutManifold);
    }
    if (store->point_count > 0)
    {
        memcpy(at, store->points, store->point_count * sizeof(AbutManifoldPoint));
        at += store->point_count * sizeof(AbutManifoldPoint);
    }
    if (world->response->save != NULL)
    {
        world->response->save(world, at);
    }
    memcpy(data, &header, sizeof(header));
    const size_t begin = offsetof(Header, identity);
    header.hash = abut_hash((unsigned char*)data + begin, abut_snapshot_size(&header) - begin, 0);
    memcpy(data, &header, sizeof(header));
    return ABUT_OK;
}

/// The bytes at the end.
static const unsigned char* response_state(const Header* header, const void* data)
{
    return (const unsigned char*)data + abut_snapshot_size(header) - header->response_size;
}

static AbutResult check_response(AbutWorld* world, const Header* header, const void* data)
{
    if (world->response->check != NULL)
    {
        return world->response->check(world, response_state(header, data), (size_t)header->response_size);
    }
    return header->response_size == 0
               ? ABUT_OK
               : abut_fail(ABUT_INVALID_DATA, "world: the snapshot is one of another response");
}

AbutResult abut_world_restore(AbutWorld* world, const void* data, size_t size)
{
    ABUT_FP_CALL(abut_world_restore, world, data, size);
    Header header;
    AbutResult result = abut_snapshot_check(world, data, size, &header);
    AbutContactStore* store = &world->stores[world->current];
    if (result == ABUT_OK &&
        (!abut_memory_grow(&world->host, (void**)&store->manifolds, &store->manifold_capacity,
                           header.manifold_count, sizeof(AbutManifold)) ||
         !abut_memory_grow(&world->host, (void**)&store->points, &store->point_capacity,
                           header.point_count + (header.manifold_count > 0 ? 1 : 0),
                           sizeof(AbutManifoldPoint))))
    {
        result = ABUT_OUT_OF_MEMORY;
    }
    result = result == ABUT_OK ? check_response(world, &header, data) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    const unsigned char* at = (const unsigned char*)data + sizeof(Header);
    for (uint32_t i = 0; i < world->body_count; ++i, at += sizeof(Motion))
    {
        AbutBody* body = &world->bodies[i];
        Motion motion;
        memcpy(&motion, at, sizeof(motion));
        body->asleep = motion.asleep != 0;
        body->position = motion.position;
        body->rotation = motion.rotation;
        body->velocity = motion.velocity;
        body->angular_velocity = motion.angular_velocity;
        body->force = motion.force;
        body->torque = motion.torque;
        body->sleep_time = motion.sleep_time;
        abut_body_refresh(body);
    }
    store->manifold_count = header.manifold_count;
    store->point_count = header.point_count;
    if (header.manifold_count > 0)
    {
        memcpy(store->manifolds, at, header.manifold_count * sizeof(AbutManifold));
        at += header.manifold_count * sizeof(AbutManifold);
    }
    if (header.point_count > 0)
    {
        memcpy(store->points, at, header.point_count * sizeof(AbutManifoldPoint));
    }
    if (world->response->restore != NULL)
    {
        world->response->restore(world, response_state(&header, data), (size_t)header.response_size);
    }
    world->step = header.step;
    world->time = header.time;
    return ABUT_OK;
}
