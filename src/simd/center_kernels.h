/// @file center_kernels.h
/// One step of a search through the octree of one field with the octree of another (field/centers.h).
#ifndef ABUT_SIMD_CENTER_KERNELS_H
#define ABUT_SIMD_CENTER_KERNELS_H

#include <stdint.h>

/// Two fields A and B. Lengths are in cells of A unless said otherwise.
typedef struct AbutCenterPair
{
    float a_step, b_step;           // what a number stands for; the second in cells of B
    float ratio;                    // length of a cell of B
    float rounding;                 // of a place in B, in cells of B
    float inflate;                  // B is taken to be larger by this all round
    float to_b[3][4];               // a point in cells of A's grid to cells of B's
    const int16_t* leaves;          // of B: all numbers
    uint32_t first_brick;           // of B: where those of its level 0 begin
    const uint32_t* slots;          // of B when it is sparse, else NULL
    float cells[3];                 // of B
    float last[3];                  // of B: boxes of two cells before the last one
    uint32_t brick_row, brick_slab; // of B
    uint32_t group_row, group_slab; // of B: boxes of two bricks
} AbutCenterPair;

/// What is known of the eight parts of a box, each a bit of the masks.
typedef struct AbutCenterParts
{
    uint32_t open; // neither solid is proved to be out of reach
    uint32_t hit;  // the middle is proved to be in both solids
    uint32_t deep; // the whole part is
    uint32_t best; // not a mask: the open part where the larger of both centers is least
} AbutCenterParts;

typedef struct AbutCenterKernels
{
    /// Eight numbers of A, for parts whose middles are `half` along each axis from `middle`. A part is open when the solids may both come nearer than `reach` to its middle. `least` has eight
    /// running minima of how much further the nearer solid is in parts that are not open, with `radius` taken off.
    AbutCenterParts (*divide)(const AbutCenterPair* pair, const int16_t numbers[8], const float middle[3],
                              float half, float reach, float radius, float least[8]);
} AbutCenterKernels;

#endif
