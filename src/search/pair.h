/// @file pair.h
/// Two shapes in the frame of the first, sampled together with what is proved of the samples.
#ifndef ABUT_SEARCH_PAIR_H
#define ABUT_SEARCH_PAIR_H

#include <abut/shape.h>

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
    float slope;         // of the samples of a distance
    float growth;        // of what it is a field of, or of the distance itself, where that is sampled
    float error;         // of every sample; for a field, of those far from its surface
    float rounding;      // of poses, points and distances
    float inflate;       // the solid is taken to be larger by this all round
    bool is_field;
    bool uncertain;       // a field with places where the sign is not certain
    float cell_size;      // of a field
    double to_grid[3][4]; // of a field: a point of the pair's frame to cells of the grid
} AbutPairSide;

/// What a pair is made of: two shapes, where they stand, and how near they must be to matter. In A's units.
typedef struct AbutPairDef
{
    const AbutShape *shape_a, *shape_b;
    AbutPose pose_a, pose_b;
    float tolerance; // 0: abut_pair_tolerance()
    float margin;    // surfaces that are no further apart than this count
} AbutPairDef;

/// The frame of a pair has the axes and the unit of A. Its origin is that of A, or, where that is so far away that float would lose
/// what is asked for, the middle of the box that both may occupy.
typedef struct AbutPair
{
    AbutPairSide sides[2];
    AbutTransform relative; // B in the frame of A
    double length;          // of the numbers that it was made from
    double origin[3];       // of the pair's frame, in that of A
    AbutBox boxes[2];       // of the shapes, in the pair's frame
    AbutBox box;            // all that both may occupy, and `box_margin` around it
    float box_margin;       // points outside of the box are further than this from one of the two
    float size;             // of the smaller shape
    float own_size;         // the same of each in its own frame: it does not change as they turn
    bool has_witness;       // a decision has found a hit
    float witness[3];       // in both solids then
    uint64_t evaluations;
} AbutPair;

/// Points and what the two shapes say there.
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

/// A shape in its own frame, where nothing that is sampled is further from the origin than `size`.
AbutPairSide abut_pair_make_side(const AbutShape* shape, float size);

/// The same about `origin`, where nothing that is sampled is further away than `size`: in double wherever the shape can be.
/// `length` is of the numbers that the frame of points was made from.
AbutPairSide abut_pair_make_side_about(const AbutShape* shape, const double origin[3], double size,
                                       double length);

/// What a side in its own frame loses to rounding at points that are no further away than `size`.
double abut_pair_float_rounding(const AbutShape* shape, double size);

/// The length within which a state cannot be told: the errors of both shapes and what poses, points and distances are rounded by.
float abut_pair_uncertainty(const AbutPair* pair);

/// A point of the pair's frame in that of A.
static inline AbutVec3 abut_pair_to_a(const AbutPair* pair, const float at[3])
{
    return abut_vec3((float)((double)at[0] + pair->origin[0]), (float)((double)at[1] + pair->origin[1]),
                     (float)((double)at[2] + pair->origin[2]));
}

/// A point of A's frame in that of the pair.
static inline AbutVec3 abut_pair_position(const AbutPair* pair, AbutVec3 at)
{
    return abut_vec3((float)((double)at.x - pair->origin[0]), (float)((double)at.y - pair->origin[1]),
                     (float)((double)at.z - pair->origin[2]));
}

/// Samples the shape of a side at points of the pair's frame; any count.
void abut_pair_side_sample(const AbutPairSide* side, AbutPoints points, size_t count, AbutSamples out);

/// The tolerance that a query of a pair of this size has, in the unit of A.
static inline float abut_pair_tolerance(float size, float tolerance)
{
    return tolerance > 0.0f ? tolerance : 1e-3f * size;
}

/// @return ABUT_INVALID_ARGUMENT with a message for poses and shapes that make no pair. *gap is over 0 when the boxes
/// alone prove that the shapes are so far apart.
AbutResult abut_pair_init(const AbutPairDef* def, AbutPair* pair, float* gap);

/// The same for B standing in the frame of A as given, within ABUT_TRANSFORM_ROUNDING of `length` and of the sizes of both. Poses of the
/// def do not count, and it has been checked.
AbutResult abut_pair_init_relative(const AbutPairDef* def, const AbutTransform* relative, double length,
                                   AbutPair* pair, float* gap);

/// The errors of both sides become those of samples in `box`, which has an end and need not be in that of the pair: solids that are apart are nearest to
/// each other elsewhere.
void abut_pair_set_region(AbutPair* pair, AbutBox box);

void abut_pair_sample(AbutPair* pair, AbutPairBatch* batch, bool gradient);

/// Samples one of the two, which counts as an evaluation all the same.
void abut_pair_sample_side(AbutPair* pair, int side, AbutPairBatch* batch, bool gradient);

/// A point of the pair's frame in cells from the first node of a field.
static inline void abut_pair_to_grid(const AbutPairSide* side, const double outer[3], double grid[3])
{
    for (int row = 0; row < 3; ++row)
    {
        const double* m = side->to_grid[row];
        grid[row] = m[0] * outer[0] + m[1] * outer[1] + m[2] * outer[2] + m[3];
    }
}

/// Proved error of a field where sample `i` is, or is nearest; infinite where a step of a brick may lead to where the sign
/// is in doubt.
float abut_pair_field_error(const AbutPairSide* side, const AbutPairBatch* batch, size_t i);

/// How far sample `i` of a shape may be from its distance, where it matters: `limit` is a distance that the answer is
/// compared with, and a coarser error is good enough when it tells the two apart.
float abut_pair_error(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit);

/// Lower bound of the distance from sample `i` to the solid, as sharp as it takes to compare it with `limit`.
float abut_pair_low(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i, float limit);

/// True when sample `i` is proved to be in both solids.
bool abut_pair_is_hit(const AbutPair* pair, const AbutPairBatch* batch, size_t i);

#endif
