#include "io/mesh/joiner.h"

#include <string.h>

enum
{
    FIRST_SLOT_COUNT = 1024 // a power of two; at most half of the slots are ever in use
};

AbutIoJoiner abut_io_joiner_make(AbutIoBuilder* builder, uint64_t seed)
{
    AbutIoJoiner joiner = { .builder = builder, .seed = seed };
    return joiner;
}

void abut_io_joiner_free(AbutIoJoiner* joiner)
{
    abut_io_free(joiner->builder->host, joiner->slots, joiner->slot_count * sizeof(uint32_t));
    joiner->slots = NULL;
    joiner->slot_count = 0;
}

/// Bits that are the same for equal numbers: adding 0 turns −0 into 0.
static uint64_t key_bits(float value)
{
    float key = value + 0.0f;
    uint32_t bits;
    memcpy(&bits, &key, sizeof(bits));
    return bits;
}

/// Two rounds of multiply and fold; coordinates often differ in a few bits only.
static uint64_t hash_point(AbutVec3 p, uint64_t seed)
{
    uint64_t hash = (key_bits(p.x) | key_bits(p.y) << 32) ^ seed;
    hash *= 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    hash += key_bits(p.z) * 0xC2B2AE3D27D4EB4Fu;
    hash *= 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

static bool same_point(AbutVec3 a, AbutVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// The slot of the vertex at `point`, or the free one where it belongs.
static inline size_t find_slot(const uint32_t* slots, size_t mask, uint64_t hash, const AbutVec3* vertices,
                               AbutVec3 point)
{
    size_t slot = (size_t)hash & mask;
    while (slots[slot] != 0 && !same_point(vertices[slots[slot] - 1], point))
    {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool grow_slots(AbutIoJoiner* joiner, size_t slot_count)
{
    uint32_t* slots = abut_io_allocate(joiner->builder->host, slot_count * sizeof(uint32_t));
    if (slots == NULL)
    {
        return false;
    }
    abut_io_joiner_free(joiner);
    memset(slots, 0, slot_count * sizeof(uint32_t));
    joiner->slots = slots;
    joiner->slot_count = slot_count;
    const AbutVec3* vertices = abut_io_builder_vertices(joiner->builder);
    for (size_t i = 0; i < joiner->builder->vertices.count; ++i)
    {
        uint64_t hash = hash_point(vertices[i], joiner->seed);
        slots[find_slot(slots, slot_count - 1, hash, vertices, vertices[i])] = (uint32_t)i + 1;
    }
    return true;
}

AbutResult abut_io_joiner_reserve(AbutIoJoiner* joiner, size_t extra)
{
    AbutResult result = abut_io_builder_reserve_vertices(joiner->builder, extra);
    size_t needed = 2 * (joiner->builder->vertices.count + extra);
    if (result != ABUT_OK || needed <= joiner->slot_count)
    {
        return result;
    }
    size_t slot_count = joiner->slot_count > 0 ? joiner->slot_count : FIRST_SLOT_COUNT;
    while (slot_count < needed)
    {
        slot_count *= 2;
    }
    return grow_slots(joiner, slot_count) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

static void prefetch(const void* memory)
{
#if defined(__GNUC__)
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

AbutResult abut_io_joiner_add(AbutIoJoiner* joiner, const AbutVec3* points, size_t count, uint32_t* indices)
{
    AbutResult result = abut_io_joiner_reserve(joiner, count);
    if (result != ABUT_OK)
    {
        return result;
    }
    // The room is there, so nothing moves below.
    uint32_t* slots = joiner->slots;
    size_t mask = joiner->slot_count - 1;
    AbutVec3* vertices = joiner->builder->vertices.items;
    size_t vertex_count = joiner->builder->vertices.count;
    uint64_t hashes[ABUT_IO_JOINER_BATCH];
    for (size_t i = 0; i < count; ++i)
    {
        hashes[i] = hash_point(points[i], joiner->seed);
        prefetch(&slots[hashes[i] & mask]);
    }
    for (size_t i = 0; i < count; ++i)
    {
        size_t slot = find_slot(slots, mask, hashes[i], vertices, points[i]);
        if (slots[slot] == 0)
        {
            vertices[vertex_count] = points[i];
            slots[slot] = (uint32_t)++vertex_count; // at most 2^32 − 1, so never 0
        }
        indices[i] = slots[slot] - 1;
    }
    joiner->builder->vertices.count = vertex_count;
    return ABUT_OK;
}
