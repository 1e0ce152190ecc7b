#include "mesh/repair/edge_set.h"

#include "base/assert.h"
#include "base/memory.h"

enum
{
    FEWEST_SLOTS = 64
};

static uint64_t edge_of(uint32_t a, uint32_t b)
{
    return (uint64_t)(a > b ? a : b) << 32 | (a > b ? b : a);
}

/// Where the edge is, or the free slot where it would be. At least half of the slots are free.
static size_t find_slot(const AbutEdgeSet* self, uint64_t edge)
{
    ABUT_ASSERT(self->slot_count > 0 && 2 * self->edge_count <= self->slot_count);
    size_t slot = (size_t)abut_hash(&edge, sizeof(edge), 0) & (self->slot_count - 1);
    while (self->slots[slot] != 0 && self->slots[slot] != edge)
    {
        slot = (slot + 1) & (self->slot_count - 1);
    }
    return slot;
}

bool abut_edge_set_has(const AbutEdgeSet* self, uint32_t a, uint32_t b)
{
    return self->edge_count > 0 && self->slots[find_slot(self, edge_of(a, b))] != 0;
}

static bool grow(AbutEdgeSet* self)
{
    AbutEdgeSet grown = { .host = self->host };
    grown.slot_count = self->slot_count > 0 ? 2 * self->slot_count : FEWEST_SLOTS;
    grown.edge_count = self->edge_count;
    grown.slots = abut_memory_allocate_zero(&self->host, grown.slot_count, sizeof(uint64_t));
    if (grown.slots == NULL)
    {
        return false;
    }
    for (size_t i = 0; i < self->slot_count; ++i)
    {
        if (self->slots[i] != 0)
        {
            grown.slots[find_slot(&grown, self->slots[i])] = self->slots[i];
        }
    }
    abut_edge_set_destroy(self);
    *self = grown;
    return true;
}

bool abut_edge_set_add(AbutEdgeSet* self, uint32_t a, uint32_t b)
{
    ABUT_ASSERT(a != b);
    if (2 * (self->edge_count + 1) > self->slot_count && !grow(self))
    {
        return false;
    }
    size_t slot = find_slot(self, edge_of(a, b));
    self->edge_count += self->slots[slot] == 0;
    self->slots[slot] = edge_of(a, b);
    return true;
}

void abut_edge_set_destroy(AbutEdgeSet* self)
{
    abut_memory_free(&self->host, self->slots, self->slot_count, sizeof(uint64_t));
    self->slots = NULL;
    self->slot_count = self->edge_count = 0;
}
