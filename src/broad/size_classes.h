/// @file size_classes.h
/// Size classes: levels of boxes of similar size, for grids and trees over boxes of very different sizes.
///
/// Classes are factors of four. A class so sparse that a cell of the next one holds hardly more than one of
/// its boxes joins the next: searching two levels would cost more than it saves.
#ifndef ABUT_BROAD_SIZE_CLASSES_H
#define ABUT_BROAD_SIZE_CLASSES_H

#include "broad/key_sort.h"
#include "broad/method.h"

enum
{
    ABUT_SIZE_CLASSES_MAX = 12,
    ABUT_AXIS_CELLS = 1 << 20 ///< the most cells along an axis; coordinates beyond count to the last
};

/// Zero-initialise it.
typedef struct AbutSizeClasses
{
    // Measured on a sample, and kept for some builds.
    uint32_t count;
    float limit[ABUT_SIZE_CLASSES_MAX];   // longest side of boxes of each level; infinite for the last
    float spacing[ABUT_SIZE_CLASSES_MAX]; // mean spacing of boxes of each level in the region of most boxes
    float low[3], side[3];                // region of most boxes
    uint32_t measured_count;              // of boxes, then
    uint32_t age;                         // in builds

    // Of the boxes of this build.
    uint32_t first[ABUT_SIZE_CLASSES_MAX + 1]; // item of each level
    float longest[ABUT_SIZE_CLASSES_MAX];      // side of a box of each level, never rounded down
} AbutSizeClasses;

/// Sorts the ids by level into order->items (keys are left undefined), each level in the order of the input.
/// False when there is no memory.
bool abut_size_classes_divide(AbutSizeClasses* levels, const AbutBroadInput* input, const AbutHost* host,
                              AbutKeySort* order);

/// The cell of a coordinate, monotonic under rounding.
static inline uint32_t abut_axis_cell(double value, double low, double inverse_cell)
{
    double cell = (value - low) * inverse_cell;
    return !(cell > 0.0) ? 0 : (cell < ABUT_AXIS_CELLS ? (uint32_t)cell : ABUT_AXIS_CELLS - 1);
}

#endif
