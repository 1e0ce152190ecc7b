/// @file volume.h
/// The volume of a bounded shape from its distances, with bounds that are proved.
#ifndef ABUT_CLI_VOLUME_H
#define ABUT_CLI_VOLUME_H

#include <abut/abut.h>

typedef struct VolumeEstimate
{
    double volume;    ///< best estimate
    double low, high; ///< the true volume lies between them
    double cell_size; ///< of the finest cells
} VolumeEstimate;

/// Splits the shape's bounds, which must be finite, into ever smaller cubes. A cube of half-diagonal r is all
/// inside or all outside when the distance at its centre is over lipschitz · r + error; what stays undecided
/// at the finest level counts by the part that a plane at that distance cuts off, and its whole volume is the
/// width of the bounds.
/// @return ABUT_OUT_OF_MEMORY, or ABUT_INVALID_ARGUMENT when the bounds are infinite.
AbutResult volume_of_shape(const AbutShape* shape, const AbutHost* host, VolumeEstimate* out);

#endif
