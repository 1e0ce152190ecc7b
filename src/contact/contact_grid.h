/// @file contact_grid.h
/// Cubes of space, fixed to A: each is an id of contacts, and keeps the deepest touch in it.
#ifndef ABUT_CONTACT_CONTACT_GRID_H
#define ABUT_CONTACT_CONTACT_GRID_H

#include "search/pair.h"

enum
{
    ABUT_CUBE_BITS = 21, // of an id, per axis
    ABUT_CUBES_MOST = 2048,
    ABUT_CUBE_SLOTS = 2 * ABUT_CUBES_MOST
};

/// Cubes of one size.
typedef struct AbutCubeGrid
{
    double per_length;
    double shift[3]; // of the first cube, in cubes
} AbutCubeGrid;

/// `origin` is that of the points, in the frame that the cubes are fixed to.
AbutCubeGrid abut_cube_grid(float spacing, const double origin[3]);

/// The cube that a point is in. Ids begin again after so many cubes that two of one pair never have the same.
static inline uint64_t abut_cube_at(const AbutCubeGrid* grid, const float at[3])
{
    const double most = 0x1p62;
    uint64_t id = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double cube = (double)at[axis] * grid->per_length + grid->shift[axis];
        cube = cube > -most ? (cube < most ? cube : most) : -most; // also what is not a number
        int64_t whole = (int64_t)cube;
        whole -= (double)whole > cube ? 1 : 0;
        id |= ((uint64_t)whole & ((1u << ABUT_CUBE_BITS) - 1)) << (ABUT_CUBE_BITS * axis);
    }
    return id;
}

/// The cube of 2ⁿ times the size that a cube is part of.
uint64_t abut_cube_larger(uint64_t id, uint32_t n);

/// A point, and what the two shapes say there.
typedef struct AbutTouch
{
    float at[3];
    float distance[2];
    float gradient[2][3];
} AbutTouch;

/// Sample `i` of a batch with gradients.
static inline AbutTouch abut_touch_of(const AbutPairBatch* batch, size_t i)
{
    AbutTouch touch;
    for (int axis = 0; axis < 3; ++axis)
    {
        touch.at[axis] = batch->at[axis][i] + 0.0f; // −0 becomes 0, so that equal contacts have equal bytes
        touch.gradient[0][axis] = batch->gradient[0][axis][i];
        touch.gradient[1][axis] = batch->gradient[1][axis][i];
    }
    touch.distance[0] = batch->distance[0][i];
    touch.distance[1] = batch->distance[1][i];
    return touch;
}

/// The smaller distance inside of both; outside of one, the sum, which is at most the gap.
static inline float abut_separation(float a, float b)
{
    return a > 0.0f || b > 0.0f ? a + b : (a < b ? a : b);
}

static inline float abut_touch_separation(const AbutTouch* touch)
{
    return abut_separation(touch->distance[0], touch->distance[1]);
}

typedef struct AbutCube
{
    uint64_t id;
    AbutTouch touch; // the deepest
    float separation;
} AbutCube;

/// Scratch of a query: cubes that touches were found in, in the order in which they were found.
typedef struct AbutCubes
{
    AbutCubeGrid grid;
    int count;
    bool full;                       // there were more, which are not here
    uint16_t slots[ABUT_CUBE_SLOTS]; // a hash table of their numbers; 0 for none, and counted from 1
    AbutCube items[ABUT_CUBES_MOST];
} AbutCubes;

void abut_cubes_reset(AbutCubes* cubes, float spacing, const double origin[3]);

/// Keeps sample `i` of a batch with gradients when it is the deepest of its cube; of equals the first by place, whatever the
/// order they come in.
void abut_cubes_offer(AbutCubes* cubes, const AbutPairBatch* batch, size_t i);

/// NULL when nothing was found in it.
const AbutCube* abut_cubes_find(const AbutCubes* cubes, uint64_t id);

/// Numbers of the deepest `most` cubes (or of all), by id. Returns how many.
size_t abut_cubes_order(const AbutCubes* cubes, size_t most, uint16_t order[ABUT_CUBES_MOST]);

#endif
