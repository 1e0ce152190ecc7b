// The nodes of a field as plain distances, for files and other programs.
#include "base/assert.h"
#include "base/fp_env.h"
#include "field/field.h"
#include "field/nodes/node.h"

#include <string.h>

const void* abut_field_nodes(const AbutShape* field, size_t* size)
{
    void* block = abut_field_of(field)->block;
    *size = (size_t)((const AbutFieldHeader*)block)->sections[ABUT_FIELD_NODES].size;
    return abut_field_section(block, ABUT_FIELD_NODES);
}

static float node_distance(const AbutField* self, size_t node)
{
    const AbutFieldHeader* h = self->block;
    const void* nodes = abut_field_section(self->block, ABUT_FIELD_NODES);
    if (h->format == ABUT_FIELD_F32)
    {
        return ((const float*)nodes)[node]; // bit for bit, without conversion to cells
    }
    double value = abut_field_node(nodes, (AbutFieldFormat)h->format, h->cell_size, node).value;
    return (float)(value * h->cell_size);
}

/// The brick `back` steps (0 or 1 along each axis) before the one that begins at or before a node, when it
/// has the node.
static bool brick_before(const AbutFieldHeader* h, const uint32_t at[3], int back, uint32_t brick[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t step = (uint32_t)(back >> axis & 1);
        uint32_t position = at[axis] / ABUT_BRICK_CELLS;
        bool begins = at[axis] % ABUT_BRICK_CELLS == 0;
        if (position < step || (step != 0 && !begins) || position - step >= h->brick_count[axis])
        {
            return false;
        }
        brick[axis] = position - step;
    }
    return true;
}

/// The distance that a stored brick of a sparse field keeps for a node; bricks that share the node keep the
/// same.
static bool stored_distance(const AbutField* self, const uint32_t at[3], float* out)
{
    const AbutFieldHeader* h = self->block;
    const uint32_t* slots = abut_field_section(self->block, ABUT_FIELD_SLOTS);
    for (int back = 0; back < 8; ++back)
    {
        uint32_t brick[3];
        if (!brick_before(h, at, back, brick))
        {
            continue;
        }
        uint32_t slot = slots[abut_brick_number(h->brick_count, brick)];
        if (slot != ABUT_FIELD_NO_SLOT)
        {
            const uint32_t x = at[0] - brick[0] * ABUT_BRICK_CELLS, y = at[1] - brick[1] * ABUT_BRICK_CELLS,
                           z = at[2] - brick[2] * ABUT_BRICK_CELLS;
            size_t inside = (z * ABUT_BRICK_NODES + y) * ABUT_BRICK_NODES + x;
            *out = node_distance(self, self->view.fine_start + (size_t)slot * ABUT_BRICK_NODE_TOTAL + inside);
            return true;
        }
    }
    return false;
}

/// What the coarse level answers at nodes of a row.
static void sample_row(const AbutField* self, const uint32_t at[3], uint32_t count, float* out)
{
    enum
    {
        BATCH = 128
    };
    const AbutFieldHeader* h = self->block;
    float x[BATCH], y[BATCH], z[BATCH];
    for (uint32_t begin = 0; begin < count; begin += BATCH)
    {
        uint32_t n = count - begin < BATCH ? count - begin : BATCH;
        for (uint32_t i = 0; i < n; ++i)
        {
            x[i] = (float)(h->origin[0] + h->cell_size * (double)(at[0] + begin + i));
            y[i] = (float)(h->origin[1] + h->cell_size * (double)at[1]);
            z[i] = (float)(h->origin[2] + h->cell_size * (double)at[2]);
        }
        abut_shape_sample(&self->base, NULL, (AbutPoints){ x, y, z }, n,
                          (AbutSamples){ .distance = out + begin });
    }
}

static void read_row(const AbutField* self, const uint32_t at[3], uint32_t count, float* out)
{
    const AbutFieldHeader* h = self->block;
    if (h->sparse == 0)
    {
        size_t first =
            ((size_t)at[2] * abut_field_level_nodes(h, 1) + at[1]) * abut_field_level_nodes(h, 0) + at[0];
        for (uint32_t i = 0; i < count; ++i)
        {
            out[i] = node_distance(self, first + i);
        }
        return;
    }
    sample_row(self, at, count, out);
    for (uint32_t i = 0; i < count; ++i)
    {
        stored_distance(self, (const uint32_t[3]){ at[0] + i, at[1], at[2] }, &out[i]);
    }
}

void abut_field_read_nodes(const AbutShape* field, const uint32_t begin[3], const uint32_t count[3],
                           float* out)
{
    ABUT_FP_CALL_VOID(abut_field_read_nodes, field, begin, count, out);
    const AbutField* self = abut_field_of(field);
    ABUT_ASSERT((uint64_t)begin[0] + count[0] <= (uint64_t)self->view.cell_count[0] + 1);
    ABUT_ASSERT((uint64_t)begin[1] + count[1] <= (uint64_t)self->view.cell_count[1] + 1);
    ABUT_ASSERT((uint64_t)begin[2] + count[2] <= (uint64_t)self->view.cell_count[2] + 1);
    for (uint32_t z = 0; z < count[2]; ++z)
    {
        for (uint32_t y = 0; y < count[1]; ++y)
        {
            const uint32_t at[3] = { begin[0], begin[1] + y, begin[2] + z };
            read_row(self, at, count[0], out + ((size_t)z * count[1] + y) * count[0]);
        }
    }
}
