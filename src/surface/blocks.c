#include "surface/blocks.h"

#include "base/assert.h"
#include "base/memory.h"

struct BlockSlot
{
    uint32_t key;
    uint32_t number; // of the block, plus 1; 0 for a free slot
};

/// Multiplying by a large odd number and keeping the top bits spreads neighbouring keys (Knuth's
/// multiplicative hash).
static size_t first_slot(const AbutSurfaceBlocks* blocks, uint32_t key)
{
    return (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) & (blocks->slot_count - 1);
}

static void insert_slot(AbutSurfaceBlocks* blocks, uint32_t key, size_t number)
{
    ABUT_ASSERT(blocks->slot_count > blocks->count && (blocks->slot_count & (blocks->slot_count - 1)) == 0);
    size_t i = first_slot(blocks, key);
    while (blocks->slots[i].number != 0)
    {
        i = (i + 1) & (blocks->slot_count - 1);
    }
    blocks->slots[i] = (BlockSlot){ key, (uint32_t)(number + 1) };
}

static bool grow_slots(AbutSurfaceBlocks* blocks, const AbutHost* host)
{
    const size_t slot_count = blocks->slot_count == 0 ? 1024 : 2 * blocks->slot_count;
    BlockSlot* slots = abut_memory_allocate_zero(host, slot_count, sizeof(BlockSlot));
    if (slots == NULL)
    {
        return false;
    }
    abut_memory_free(host, blocks->slots, blocks->slot_count, sizeof(BlockSlot));
    blocks->slots = slots;
    blocks->slot_count = slot_count;
    for (size_t i = 0; i < blocks->count; ++i)
    {
        insert_slot(blocks, blocks->items[i].key, i);
    }
    return true;
}

AbutResult abut_surface_blocks_add(AbutSurfaceBlocks* blocks, const AbutSurfaceBlock* block,
                                   const AbutHost* host)
{
    void* items = blocks->items;
    const bool grown =
        abut_memory_grow(host, &items, &blocks->capacity, blocks->count + 1, sizeof(AbutSurfaceBlock));
    blocks->items = items;
    if (!grown || (2 * (blocks->count + 1) > blocks->slot_count && !grow_slots(blocks, host)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    blocks->items[blocks->count] = *block;
    insert_slot(blocks, block->key, blocks->count);
    blocks->count += 1;
    return ABUT_OK;
}

int64_t abut_surface_blocks_find(const AbutSurfaceBlocks* blocks, uint32_t key)
{
    for (size_t i = first_slot(blocks, key); blocks->slots[i].number != 0;
         i = (i + 1) & (blocks->slot_count - 1))
    {
        if (blocks->slots[i].key == key)
        {
            return (int64_t)blocks->slots[i].number - 1;
        }
    }
    return ABUT_BLOCK_NONE;
}

void abut_surface_blocks_destroy(AbutSurfaceBlocks* blocks, const AbutHost* host)
{
    abut_memory_free(host, blocks->items, blocks->capacity, sizeof(AbutSurfaceBlock));
    abut_memory_free(host, blocks->slots, blocks->slot_count, sizeof(BlockSlot));
    *blocks = (AbutSurfaceBlocks){ 0 };
}
