/// @file node_range.h
/// Numbers that every device computes with as the processor does: neither flushed nor overflown.
///
/// Devices may flush numbers under 2⁻¹²⁶ to 0. The bits of a result show that only where the result itself is
/// about as small: next to a number over 2⁻¹⁰⁰ a flushed one is lost in rounding. With cells of 2⁻³⁰ to 2³⁰,
/// nodes that are 0 or between 2⁻⁶⁰ and 2³⁰ cells, fractions of cells that are 0 or over 2⁻³⁰
/// (LEAST_DISPLACEMENT) and positions within 2⁶⁰, all products of one or two factors are normal numbers, and
/// so are squares of displacements.
#ifndef ABUT_GPU_NODE_RANGE_H
#define ABUT_GPU_NODE_RANGE_H

#include "field/field.h"

#include <string.h>

/// 0, or of a size from 2^low to 2^high; not NaN.
static inline bool abut_gpu_in_range(float value, int low, int high)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    return magnitude == 0 ||
           (magnitude >= (uint32_t)(127 + low) << 23 && magnitude < (uint32_t)(127 + high) << 23);
}

/// Cell size, origin and all nodes of a field are in range.
bool abut_gpu_node_range_fits(const AbutField* field);

#endif
