/// @file kernels.h
/// Kernels of branch and bound between two shapes: octree boxes, boxes of space, points between solids.
#ifndef ABUT_SEARCH_KERNELS_H
#define ABUT_SEARCH_KERNELS_H

#include "field/bounds/far_nodes.h"
#include "search/dual_octree_kernels.h"
#include "search/pair_kernels.h"
#include "simd/dispatch.h"

/// Boxes between two fields. Arrays have a capacity of whole groups of eight, with values in all.
typedef struct AbutBoxSearchBounds
{
    const AbutFieldSide* sides; // two; NULL: `distance` and `gradient` have the samples already
    const AbutFarNodes* far;    // two
    const float* at[3];         // middles
    const float* radius;        // half-diagonals
    const float* scale;         // of half sides, relative to `half`
    float half[3];
    float gap_bound_radius; // largest radius of boxes with a gap bound
    float threshold;    // boxes are open unless max(distance of A, distance of B) is over this all over them
    float error[2];     // of samples
    float* distance[2]; // out: at the middles
    float* gradient[2][3]; // out: the same; all NULL when not needed
    float* low;            // out: lower bound of max(distance of A, distance of B) over the box
    size_t count;
} AbutBoxSearchBounds;

typedef struct AbutSearchKernels
{
    /// Divides one box or two, which share the latency of memory. `least` has eight running minima, over
    /// children that are not open, of the bound of the further solid less `radius`.
    void (*divide)(const AbutDualOctreePair* pair, const AbutDualOctreeBox* boxes, size_t count,
                   float least[8], AbutDualOctreeChildren* children);

    /// Moves each point that is further than `target` from a solid: to the surface of the further one, or by
    /// the shortest displacement to both, to first order. moved[i] is 1 or 0.
    void (*approach)(const AbutPairPoints* points, size_t count, float target, uint8_t* moved);

    /// Lower bounds of the larger of both distances over boxes around the wanted points (and perhaps others),
    /// of half sides half · scale[i]; see search/gap_bound.h. NaN or −INFINITY where nothing is known.
    void (*gap_bound)(const AbutFarNodes fields[2], const AbutPairPoints* points, size_t count,
                      const uint8_t* wanted, const float half[3], const float* scale, float* low);

    /// Samples of both fields at the points. Arrays have a capacity of whole groups of eight.
    void (*sample)(const AbutFieldPairBatch* batch);

    void (*bound)(const AbutBoxSearchBounds* boxes);

    /// At most `steps` steps of approach, with samples between them, until each point has the depth `depth`
    /// in each solid. at, distance and gradient become those of the last sample. Returns the count of samples
    /// of each field.
    size_t (*enter)(const AbutFieldPairBatch* batch, const float* const depth[2], uint32_t steps);
} AbutSearchKernels;

ABUT_KERNELS(AbutSearchKernels, abut_search_kernels)

#endif
