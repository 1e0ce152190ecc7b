#include "field/bounds/far_nodes.h"

#include "field/nodes/brick_nodes.h"

AbutFarNodes abut_far_nodes_make(void* block)
{
    const AbutFieldHeader* h = block;
    double error = abut_field_value_error(h, 0.0, h->cell_size);
    AbutFarNodes far = {
        .nodes = abut_field_section(block, ABUT_FIELD_NODES),
        .slots = h->sparse != 0 ? abut_field_section(block, ABUT_FIELD_SLOTS) : NULL,
        .format = h->format,
        .row = abut_field_level_nodes(h, 0),
        .slab = abut_field_level_nodes(h, 0) * abut_field_level_nodes(h, 1),
        .fine_start =
            abut_field_level_nodes(h, 0) * abut_field_level_nodes(h, 1) * abut_field_level_nodes(h, 2),
        .value_scale = h->format == ABUT_FIELD_F32 ? (float)(1.0 / h->cell_size) : 1.0f,
        // Rounding of the products comes on top.
        .relative_error = (float)(abut_field_value_error(h, 1.0, h->cell_size) - error) + 1e-6f,
        .absolute_error = (float)(error * (1.0 + 1e-6)),
        .inverse_slope = (1.0f - 1e-6f) / h->source_slope,
    };
    for (int axis = 0; axis < 3; ++axis)
    {
        far.cells[axis] = (float)(h->brick_count[axis] * ABUT_BRICK_CELLS);
        far.bricks[axis] = h->brick_count[axis];
    }
    return far;
}
