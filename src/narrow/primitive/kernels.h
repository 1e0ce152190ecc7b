/// @file kernels.h
/// Pairs of spheres and capsules in lanes, separating axes of boxes, and boxes of fields against a point.
#ifndef ABUT_NARROW_PRIMITIVE_KERNELS_H
#define ABUT_NARROW_PRIMITIVE_KERNELS_H

#include <abut/narrow.h>

#include "simd/dispatch.h"

#include <stdint.h>

enum
{
    ABUT_ROUND_LANES = 64
};

/// Pairs of spheres, of a capsule and a sphere or capsule, or of boxes and rounded boxes, neither placed nor
/// offset: body by body, A first. Lanes beyond the count, up to a multiple of four, have valid pointers and
/// numbers.
typedef struct AbutRoundPairs
{
    uint32_t count;
    double margin;
    const AbutPose* poses[2][ABUT_ROUND_LANES];
    const double* sizes[2][ABUT_ROUND_LANES]; // abut_shape_parameters()
    double half_length[2][ABUT_ROUND_LANES];  // of the segment; 0 of a sphere; of pairs with a capsule only
} AbutRoundPairs;

/// Numbers of a pair as abut_primitive_round() and the method "primitives" have them, with the same bits.
typedef struct AbutRoundAnswers
{
    int32_t state[ABUT_ROUND_LANES]; // AbutCollideState
    float gap[ABUT_ROUND_LANES];
    float uncertainty[ABUT_ROUND_LANES];
    /// −1: invalid poses, or numbers that the formula of lanes does not serve (a common point of both cores,
    /// parallel segments, lengths beyond those of float); the rest is undefined then. Else 0.
    int32_t unserved[ABUT_ROUND_LANES];
    int32_t within[ABUT_ROUND_LANES];   // −1: the contact is within the margin; else 0
    float separation[ABUT_ROUND_LANES]; // of the contact
    // Of spheres and capsules alone:
    float position[3][ABUT_ROUND_LANES]; // of the contact
    float normal[3][ABUT_ROUND_LANES];
    float anchor_a[3][ABUT_ROUND_LANES];
    float anchor_b[3][ABUT_ROUND_LANES];
} AbutRoundAnswers;

/// Boxes of pairs, and their separating axes (AbutBoxAxes): indices 0 to 2 are faces of A, 3 to 5 of B, and
/// 6 + 3·i + j the edges i of A and j of B.
typedef struct AbutBoxLanes
{
    double rotation[3][3][ABUT_ROUND_LANES]; // of B in the frame of A, with the two below
    double at[3][ABUT_ROUND_LANES];
    double scale[ABUT_ROUND_LANES];
    double rounding[ABUT_ROUND_LANES];
    double toward_b[3][ABUT_ROUND_LANES]; // centre of B from that of A along the axes of B
    double size[ABUT_ROUND_LANES];
    double low[ABUT_ROUND_LANES];
    double face[ABUT_ROUND_LANES], face_separation[ABUT_ROUND_LANES];
    double best[ABUT_ROUND_LANES], best_separation[ABUT_ROUND_LANES];
    int32_t overlap[ABUT_ROUND_LANES]; // −1: proved, else 0
} AbutBoxLanes;

/// The eight children of a box of a surface octree, and a point. Lengths are in cells.
typedef struct AbutPointChildren
{
    const int16_t* numbers; // of the distance octree
    float limits[2];        // children with numbers beyond these are empty
    // As stored (field/bounds/half_spaces.h), offsets in units of half_space_unit; NULL: that of the box
    // holds.
    const uint8_t* half_spaces;
    float half_space_unit;
    const float* half_space; // of the box
    float to_point[3];       // from the middle of the box
    float half;              // half side of a child
    float rounding;          // subtracted from bounds
    float limit;
} AbutPointChildren;

typedef struct AbutRoundKernels
{
    void (*spheres)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);
    void (*capsules)(const AbutRoundPairs* pairs, AbutRoundAnswers* out);

    /// `within` is −1 of pairs that an axis does not prove to be farther apart than the margin: these have
    /// `boxes`, and the others a state.
    void (*boxes)(const AbutRoundPairs* pairs, AbutRoundAnswers* out, AbutBoxLanes* boxes);

    /// Lower bounds of the distance of the point from the surface in each child. Returns a bit for each that
    /// may be within the limit; `least` has eight running minima of the bounds of the others.
    unsigned (*point_children)(const AbutPointChildren* children, float low[8], float least[8]);
} AbutRoundKernels;

ABUT_KERNELS(AbutRoundKernels, abut_round_kernels)

#endif
