/// @file pyramid.h
/// Bounds of bricks, the boxes above them, and the errors of cells, as the block keeps them.
#ifndef ABUT_FIELD_PYRAMID_H
#define ABUT_FIELD_PYRAMID_H

#include "field/block.h"

/// What is proved over a brick or a box of bricks.
typedef struct AbutFieldBounds
{
    float low, high; // of the true distance
    float error;     // |sample − distance| ≤ error; infinite where the sign is in doubt
    float slope;     // of the interpolant
} AbutFieldBounds;

/// The same as halves, rounded outward: distances in cells.
typedef struct AbutPackedBounds
{
    uint16_t low, high, error, slope;
} AbutPackedBounds;

enum
{
    ABUT_ERROR_LEVELS = 15 // codes from 0 on; the next one means that only the brick's own error holds
};

/// Errors in cells that the codes of 2³ cells stand for, in steps of 2^⅓.
extern const float abut_field_error_levels[ABUT_ERROR_LEVELS];

AbutPackedBounds abut_field_pack_bounds(AbutFieldBounds bounds, double cell_size);
AbutFieldBounds abut_field_unpack_bounds(AbutPackedBounds packed, double cell_size);
AbutFieldBounds abut_field_join_bounds(AbutFieldBounds a, AbutFieldBounds b);

/// The boxes of a level, and how many there are along each axis. Level 0 of a sparse field is in the order of slots.
AbutPackedBounds* abut_field_level(void* block, uint32_t level, uint32_t count[3]);

/// Bounds of a brick: as stored, or of the coarse level that stands for it (in doubt when the box above is).
AbutFieldBounds abut_field_brick_bounds(void* block, uint32_t brick);

/// Bounds over the whole box.
AbutFieldBounds abut_field_root_bounds(void* block);

/// Bounds over the part of the grid that is nearest to a finite box: that inside of it, or the border next to it.
AbutFieldBounds abut_field_bounds_over(void* block, AbutBox box);

/// True when the sign is beyond doubt in a brick and all that touch it, so that the distance does not jump on the way
/// from one to another.
bool abut_field_is_certain_around(void* block, uint32_t brick);

/// Error at a cell, counted from the first of the brick: that of its 2³ cells, or the brick's.
float abut_field_cell_error(void* block, uint32_t brick, const uint32_t cell[3]);

/// A lower bound of the true distance at a point of the field's frame: that of abut_field_point_bounds(), or
/// a looser one in a tenth of its time where the surface is smooth.
double abut_field_distance_low(const AbutShape* field, AbutVec3 point);

/// The first of `count` entries that are not bounds: NaN, a lower bound over the upper one, a negative error or slope; `count`
/// when there is none.
size_t abut_field_find_bad_bounds(const AbutPackedBounds* entries, size_t count);

/// Code for an error in cells, rounded up.
uint8_t abut_field_error_code(float error);

#endif
