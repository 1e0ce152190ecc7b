#include "gpu/node_range.h"

#include "field/nodes/format.h"

enum
{
    CELL_EXPONENT = 30,
    LARGEST_NODE = 30, // exponents, in cells
    SMALLEST_NODE = -60,
    LARGEST_ORIGIN = 50,
    SMALLEST_ORIGIN = -100
};

#define MAX_AXIS_CELLS (1u << 24) // whole numbers of floats

static bool axis_fits(const AbutFieldView* view, int axis)
{
    return view->cell_count[axis] <= MAX_AXIS_CELLS &&
           abut_gpu_in_range(view->origin_high[axis], SMALLEST_ORIGIN, LARGEST_ORIGIN) &&
           abut_gpu_in_range(view->origin_low[axis], SMALLEST_ORIGIN, LARGEST_ORIGIN);
}

static bool grid_fits(const AbutFieldView* view)
{
    return abut_gpu_in_range(view->cell_size, -CELL_EXPONENT, CELL_EXPONENT) && axis_fits(view, 0) &&
           axis_fits(view, 1) && axis_fits(view, 2);
}

/// Nodes of f32 are in units of length.
static bool lengths_fit(const float* nodes, size_t count, float inverse_cell_size)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i)
    {
        float cells = nodes[i] * inverse_cell_size;
        good = good &&
               (nodes[i] == 0.0f || (cells != 0.0f && abut_gpu_in_range(cells, SMALLEST_NODE, LARGEST_NODE)));
    }
    return good;
}

/// All halves but infinities and NaN are in range as floats.
static bool halves_fit(const uint16_t* nodes, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i)
    {
        good = good && (nodes[i] & 0x7C00u) != 0x7C00u;
    }
    return good;
}

static bool first_order_fits(const uint32_t* words, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i)
    {
        float value;
        memcpy(&value, &words[2 * i], sizeof(value));
        good = good && abut_gpu_in_range(value, SMALLEST_NODE, LARGEST_NODE);
    }
    return good;
}

bool abut_gpu_node_range_fits(const AbutField* field)
{
    const AbutFieldHeader* header = field->block;
    const void* nodes = field->view.nodes;
    uint64_t bytes = header->sections[ABUT_FIELD_NODES].size;
    if (!grid_fits(&field->view))
    {
        return false;
    }
    switch ((AbutFieldFormat)header->format)
    {
    case ABUT_FIELD_F32:
        return lengths_fit(nodes, (size_t)(bytes / 4), field->view.inverse_cell_size);
    case ABUT_FIELD_F16:
        return halves_fit(nodes, (size_t)(bytes / 2));
    default:
        return first_order_fits(nodes, (size_t)(bytes / 8));
    }
}
