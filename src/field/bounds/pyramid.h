/// @file pyramid.h
/// Pyramid: bounds of bricks and of the boxes above them, and errors of cells.
#ifndef ABUT_FIELD_BOUNDS_PYRAMID_H
#define ABUT_FIELD_BOUNDS_PYRAMID_H

#include "field/nodes/format.h"

enum
{
    ABUT_ERROR_LEVELS = 15 // codes from 0 on; the next code: only the error of the brick holds
};

/// Errors in cells of the codes of 2³ cells, in steps of 2^⅓.
extern const float abut_field_error_levels[ABUT_ERROR_LEVELS];

AbutPackedBounds abut_field_pack_bounds(AbutFieldBounds bounds, double cell_size);
AbutFieldBounds abut_field_unpack_bounds(AbutPackedBounds packed, double cell_size);
AbutFieldBounds abut_field_join_bounds(AbutFieldBounds a, AbutFieldBounds b);

/// Boxes of the next level along each axis.
static inline void abut_pyramid_halve(uint64_t count[3])
{
    count[0] = (count[0] + 1) / 2;
    count[1] = (count[1] + 1) / 2;
    count[2] = (count[2] + 1) / 2;
}

static inline void abut_pyramid_halve_count(uint32_t count[3])
{
    uint64_t wide[3] = { count[0], count[1], count[2] };
    abut_pyramid_halve(wide);
    count[0] = (uint32_t)wide[0];
    count[1] = (uint32_t)wide[1];
    count[2] = (uint32_t)wide[2];
}

/// The boxes of a level, and their count along each axis. Level 0 of a sparse field is in the order of slots.
AbutPackedBounds* abut_field_level(void* block, uint32_t level, uint32_t count[3]);

/// Bounds of a brick: as stored, or of the coarse level (uncertain when the box above is).
AbutFieldBounds abut_field_brick_bounds(void* block, uint32_t brick);

/// Bounds over the whole grid.
AbutFieldBounds abut_field_root_bounds(void* block);

/// True when the sign is certain in a brick and in all its neighbours, so that the distance is continuous
/// from one to another.
bool abut_field_is_certain_around(void* block, uint32_t brick);

/// Error at a cell, counted from the first of the brick: that of its 2³ cells, or that of the brick.
float abut_field_cell_error(void* block, uint32_t brick, const uint32_t cell[3]);

/// Index of the first invalid entry of `count`: NaN, a lower bound over the upper one, a negative error or
/// slope; `count` when there is none.
size_t abut_field_find_invalid_bounds(const AbutPackedBounds* entries, size_t count);

/// Code for an error in cells, rounded up.
uint8_t abut_field_error_code(float error);

#endif
