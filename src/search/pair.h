/// @file pair.h
/// A pair: two shapes in one frame, sampled together, with the proved errors of the samples.
#ifndef ABUT_SEARCH_PAIR_H
#define ABUT_SEARCH_PAIR_H

#include <abut/shape.h>

#include "math/daffine.h"
#include "math/transform.h"
#include "search/pair_kernels.h"

enum
{
    ABUT_PAIR_BATCH = 128
};

typedef struct AbutPairSide
{
    const AbutShape* shape;
    bool has_transform;  // its frame is not that of the pair
    AbutTransform frame; // in that of the pair
    float slope;         // Lipschitz bound of the samples
    float growth;        // Lipschitz bound of the distance that was baked, or of the shape itself
    float error;         // of every sample; for a field, of samples far from its surface
    float rounding;      // of poses, points and distances
    float inflate;       // offset of the surface outwards
    bool is_field;
    bool uncertain;      // a field whose sign is uncertain somewhere
    bool local_error;    // not a field; the shape has errors that differ from place to place
    float cell_size;     // of a field
    AbutDAffine to_grid; // of a field: a point of the pair's frame to cells of the grid
} AbutPairSide;

/// Definition of a pair: two shapes with poses, tolerance and margin, in the units of A.
typedef struct AbutPairDef
{
    const AbutShape *shape_a, *shape_b;
    AbutPose pose_a, pose_b;
    float tolerance; // 0: abut_pair_tolerance()
    float margin;    // largest distance of surfaces that matters
} AbutPairDef;

/// The frame of a pair has the axes and the unit of A. Its origin is that of A or, where float would lose the
/// tolerance there, the middle of the box that both may occupy.
typedef struct AbutPair
{
    AbutPairSide sides[2];
    AbutTransform relative; // B in the frame of A
    double length;          // of the poses that it was computed from
    AbutDVec3 origin;       // of the pair's frame, in that of A
    AbutBox boxes[2];       // of the shapes, in the pair's frame
    AbutBox box;            // of the space that both may occupy, larger by `box_margin` all round
    float box_margin;       // points outside of the box are further than this from one of the two
    float size;             // of the smaller shape
    float own_size;         // the same in the shapes' own frames: independent of rotation
    bool has_witness;       // the proof has found a hit
    float witness[3];       // the hit: a point in both solids
    uint64_t evaluations;
    const struct AbutRecordedOctree* recorded; // traversals by a device (search/dual_octree.h), or NULL
    uint32_t recorded_count;
} AbutPair;

/// Points with samples of both shapes.
typedef struct AbutPairBatch
{
    size_t count;
    float at[3][ABUT_PAIR_BATCH];
    float distance[2][ABUT_PAIR_BATCH];
    float gradient[2][3][ABUT_PAIR_BATCH];
} AbutPairBatch;

static inline AbutVec3 abut_pair_batch_point(const AbutPairBatch* batch, size_t i)
{
    return abut_vec3(batch->at[0][i], batch->at[1][i], batch->at[2][i]);
}

static inline void abut_pair_batch_set(AbutPairBatch* batch, size_t i, AbutVec3 at)
{
    batch->at[0][i] = at.x;
    batch->at[1][i] = at.y;
    batch->at[2][i] = at.z;
}

/// The batch as kernels read it.
static inline AbutPairPoints abut_pair_points(AbutPairBatch* batch)
{
    AbutPairPoints points;
    for (int side = 0; side < 2; ++side)
    {
        points.distance[side] = batch->distance[side];
        for (int axis = 0; axis < 3; ++axis)
        {
            points.at[axis] = batch->at[axis];
            points.gradient[side][axis] = batch->gradient[side][axis];
        }
    }
    return points;
}

/// A shape in its own frame, sampled at points within `size` of the origin.
AbutPairSide abut_pair_make_side(const AbutShape* shape, float size);

/// The same for points within another size.
void abut_pair_side_set_size(AbutPairSide* side, float size);

/// The same about `origin`, sampled at points within `size` of it: in double wherever the shape can be.
/// `length` is of the poses that the frame of points was computed from.
AbutPairSide abut_pair_make_side_about(const AbutShape* shape, AbutDVec3 origin, double size, double length);

/// Rounding of samples of a side in its own frame at points within `size` of the origin.
double abut_pair_float_rounding(const AbutShape* shape, double size);

/// The length within which the state is undecidable: the errors of both shapes and the rounding of poses,
/// points and distances.
float abut_pair_uncertainty(const AbutPair* pair);

/// A point of the pair's frame in that of A.
static inline AbutVec3 abut_pair_to_a(const AbutPair* pair, const float at[3])
{
    return abut_dvec3_to_vec3(abut_dvec3_add(abut_dvec3(at[0], at[1], at[2]), pair->origin));
}

/// A point of A's frame in that of the pair.
static inline AbutVec3 abut_pair_position(const AbutPair* pair, AbutVec3 at)
{
    return abut_dvec3_to_vec3(abut_dvec3_sub(abut_dvec3_from_vec3(at), pair->origin));
}

/// Samples the shape of a side at points of the pair's frame; any count.
void abut_pair_side_sample(const AbutPairSide* side, AbutPoints points, size_t count, AbutSamples out);

/// True when the shape of a side has bounds that are cheaper than samples.
bool abut_pair_side_has_bound(const AbutPairSide* side);

/// Bounds of distances of such a side at points of the pair's frame, with its offset; count ≤
/// ABUT_PAIR_BATCH. With the errors of samples.
void abut_pair_side_bound(const AbutPairSide* side, AbutPoints points, size_t count, float* out);

/// The smaller of two sizes, by which lengths of a pair are chosen; a point has none of its own, and two of
/// them, or one and a half-space, have any.
static inline float abut_pair_smaller_size(float a, float b)
{
    float smaller = a < b ? a : b, larger = a < b ? b : a;
    return smaller > 0.0f ? smaller : larger > 0.0f && isfinite(larger) ? larger : 1e-20f;
}

/// The tolerance of a query of a pair of this size, in the unit of A.
static inline float abut_pair_tolerance(float size, float tolerance)
{
    return tolerance > 0.0f ? tolerance : 1e-3f * size;
}

/// @return ABUT_INVALID_ARGUMENT with a message for a NULL shape, an invalid pose, tolerance or margin.
AbutResult abut_pair_check(const AbutPairDef* def);

/// @return ABUT_INVALID_ARGUMENT with a message for invalid poses and shapes. *gap is over 0 when the boxes
/// of the shapes alone prove this gap.
AbutResult abut_pair_init(const AbutPairDef* def, AbutPair* pair, float* gap);

/// The same with B in the frame of A as given, within ABUT_TRANSFORM_ROUNDING of `length` and of the sizes of
/// both. The poses of the def are ignored; the def has been checked.
AbutResult abut_pair_init_relative(const AbutPairDef* def, const AbutTransform* relative, double length,
                                   AbutPair* pair, float* gap);

/// Restricts the errors of both sides to samples in `box`, which is finite and need not be within that of the
/// pair: the closest points of separated solids lie elsewhere.
void abut_pair_set_region(AbutPair* pair, AbutBox box);

void abut_pair_sample(AbutPair* pair, AbutPairBatch* batch, bool gradient);

/// Samples one of the two; counts as one evaluation.
void abut_pair_sample_side(AbutPair* pair, int side, AbutPairBatch* batch, bool gradient);

/// A point of the pair's frame in cells from the first node of a field.
static inline AbutDVec3 abut_pair_to_grid(const AbutPairSide* side, AbutDVec3 outer)
{
    return abut_daffine_apply(&side->to_grid, outer);
}

/// The cell of a field at a point in cells, or the nearest one.
void abut_pair_cell_at(const AbutPairSide* side, AbutDVec3 grid, uint32_t cell[3]);

/// Proved error of a field at sample `i`, or at the nearest point of its grid; infinite where the sign is
/// uncertain within a brick.
float abut_pair_field_error(const AbutPairSide* side, const AbutPairBatch* batch, size_t i);

/// Error of a sample at a point, of a side with `local_error`.
float abut_pair_local_error(const AbutPairSide* side, AbutVec3 at);

/// Error of sample `i` of a shape as needed for a comparison with the distance `limit`: a coarser error is
/// good enough when it decides the comparison.
float abut_pair_error(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit);

/// Lower bound of the distance from sample `i` to the solid, as sharp as a comparison with `limit` needs.
float abut_pair_low(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit);

/// True when sample `i` is proved to be in both solids.
bool abut_pair_is_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i);

#endif
