// Fields in device memory: what field/cell_math.inl and shape/frame_math.inl read.
#ifndef ABUT_GPU_FIELD_GLSL
#define ABUT_GPU_FIELD_GLSL

#include "gpu/records.inl"

#define FORMAT_F32 0
#define FORMAT_FIRST_ORDER 2

layout(std430, set = 0, binding = 0) readonly buffer Fields
{
    GpuField fields[];
};

// By value, so that a loop of samples reads the record of a field from memory once.
#define FieldRef GpuField
#define FIELD(view) view
#define CellRef WideCell
#define CELL(cell) cell
#define REF(cell) cell

struct WideCell
{
    uint offset[4];
    uint index[4];
    WideVec fraction;
    Wide size, inverse_size;
};

#define set_offsets(cell, row, slab)                                                                         \
    cell.offset[0] = 0u;                                                                                     \
    cell.offset[1] = (row);                                                                                  \
    cell.offset[2] = (slab);                                                                                 \
    cell.offset[3] = (row) + (slab)

struct WidePair
{
    Wide first, second;
};

struct WideRow
{
    Wide value, slope;
};

struct WideWords
{
    WideInt a, b, c, d;
};

#ifdef GPU_ADDRESSES

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words
{
    uint words[];
};

uint load_node_word(GpuField view, uint i)
{
    return Words(uvec2(view.nodes_low, view.nodes_high)).words[i];
}

uint load_slot(GpuField view, uint brick)
{
    return Words(uvec2(view.slots_low, view.slots_high)).words[brick];
}

uint load_number_word(GpuField view, uint i)
{
    return Words(uvec2(view.numbers_low, view.numbers_high)).words[i];
}

uint load_middle_word(GpuField view, uint i)
{
    return Words(uvec2(view.middles_low, view.middles_high)).words[i];
}

#else

layout(std430, set = 0, binding = 8) readonly buffer Page0 { uint page_0[]; };
layout(std430, set = 0, binding = 9) readonly buffer Page1 { uint page_1[]; };
layout(std430, set = 0, binding = 10) readonly buffer Page2 { uint page_2[]; };
layout(std430, set = 0, binding = 11) readonly buffer Page3 { uint page_3[]; };
layout(std430, set = 0, binding = 12) readonly buffer Page4 { uint page_4[]; };
layout(std430, set = 0, binding = 13) readonly buffer Page5 { uint page_5[]; };
layout(std430, set = 0, binding = 14) readonly buffer Page6 { uint page_6[]; };
layout(std430, set = 0, binding = 15) readonly buffer Page7 { uint page_7[]; };

uint load_word(uint i)
{
    uint at = i & ((1u << GPU_PAGE_BITS) - 1u);
    switch (i >> GPU_PAGE_BITS)
    {
    case 0u:
        return page_0[at];
    case 1u:
        return page_1[at];
    case 2u:
        return page_2[at];
    case 3u:
        return page_3[at];
    case 4u:
        return page_4[at];
    case 5u:
        return page_5[at];
    case 6u:
        return page_6[at];
    default:
        return page_7[at];
    }
}

uint load_node_word(GpuField view, uint i)
{
    return load_word(view.nodes_low + i);
}

uint load_slot(GpuField view, uint brick)
{
    return load_word(view.slots_low + brick);
}

uint load_number_word(GpuField view, uint i)
{
    return load_word(view.numbers_low + i);
}

uint load_middle_word(GpuField view, uint i)
{
    return load_word(view.middles_low + i);
}

#endif

uint first_node(WideCell cell, int row, bool sparse)
{
    return cell.offset[row] + cell.index[sparse ? row : 0];
}

uint load_half(GpuField view, uint i)
{
    return (load_node_word(view, i >> 1) >> ((i & 1u) * 16u)) & 0xFFFFu;
}

WidePair load_pair(GpuField view, int format, bool sparse, WideCell cell, int row)
{
    uint i = first_node(cell, row, sparse);
    if (format == FORMAT_F32)
    {
        return WidePair(uintBitsToFloat(load_node_word(view, i)),
                        uintBitsToFloat(load_node_word(view, i + 1u)));
    }
    return WidePair(half_to_float(load_half(view, i)), half_to_float(load_half(view, i + 1u)));
}

WideWords load_words(GpuField view, WideCell cell, int row, bool sparse)
{
    uint i = 2u * first_node(cell, row, sparse);
    return WideWords(load_node_word(view, i), load_node_word(view, i + 1u), load_node_word(view, i + 2u),
                     load_node_word(view, i + 3u));
}

#include "field/cell_math.inl"

/// The one kind of all fields of a launch, 2 · format + sparse, or GPU_ANY_FIELD: drivers compile the sampler
/// of that kind alone.
layout(constant_id = 0) const uint field_kind = GPU_ANY_FIELD;

WideSample sample_any_field(GpuField view, WideVec p)
{
    uint kind = field_kind == GPU_ANY_FIELD ? 2u * view.format + view.sparse : field_kind;
    return sample_field(view, int(kind >> 1), (kind & 1u) != 0u, p);
}

#endif
