/// @file kernels.h
/// Kernels of the branch and bound between two shapes: boxes of octrees, boxes of space, points between solids.
#ifndef ABUT_SEARCH_KERNELS_H
#define ABUT_SEARCH_KERNELS_H

#include "field/bounds/far_nodes.h"
#include "search/dual_octree_kernels.h"
#include "search/pair_kernels.h"
#include "simd/dispatch.h"

/// Boxes of one shape. Arrays have room for whole groups of eight, with numbers in them.
typedef struct AbutBoxSearchBounds
{
    const AbutFieldSide* sides; // two
    const AbutFarNodes* far;    // the same
    const float* at[3];         // middles
    const float* radius;        // half-diagonals
    const float* scale;         // half sides are so many times `half`
    float half[3];
    float gap_bound_radius; // parts of at most this radius are looked at as what lies between two surfaces
    float threshold;    // parts are open unless max(distance of A, distance of B) is over this all over them
    float error[2];     // of samples
    float* distance[2]; // out: at the middles
    float* gradient[2][3]; // out: the same; all NULL when not wanted
    float* low;            // out: lower bound of max(distance of A, distance of B) over the part
    size_t count;
} AbutBoxSearchBounds;

typedef struct AbutSearchKernels
{
    /// Divides one box or two: what they wait for in memory, they wait for together. `least` has eight running minima of how much
    /// further the nearer solid is in parts that are not open, with `radius` taken off.
    void (*divide)(const AbutDualOctreePair* pair, const AbutDualOctreeBox* boxes, size_t count,
                   float least[8], AbutDualOctreeChildren* children);

    /// Moves each point that is further than `target` from a solid: to the surface of the one that is further away, or the shortest way
    /// to both when that takes both, as far as the gradients tell. moved[i] is 1 or 0.
    void (*approach)(const AbutPairPoints* points, size_t count, float target, uint8_t* moved);

    /// Lower bounds of the larger of both distances over boxes around the points that are wanted (and perhaps others), of half sides
    /// half · scale[i]; see search/gap_bound.h. NaN or −INFINITY where nothing is known.
    void (*gap_bound)(const AbutFarNodes fields[2], const AbutPairPoints* points, size_t count,
                      const uint8_t* wanted, const float half[3], const float* scale, float* low);

    /// Samples of both fields where the points are. Arrays have room for whole groups of eight.
    void (*sample)(const AbutFieldPairBatch* batch);

    void (*bound)(const AbutBoxSearchBounds* boxes);

    /// approach for at most `steps` steps, with the samples between them, to where each point is as deep in each
    /// solid as `depth` says. at, distance and gradient become those of the last sample. Returns how many of each field
    /// it took.
    size_t (*enter)(const AbutFieldPairBatch* batch, const float* const depth[2], uint32_t steps);
} AbutSearchKernels;

ABUT_KERNELS(AbutSearchKernels, abut_search_kernels)

#endif
