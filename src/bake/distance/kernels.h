/// @file kernels.h
/// Data and functions of the exact distance between many nodes and many triangles.
///
/// A tile is a box of grid nodes. For a tile and a point q of the surface, a triangle can be dropped when
/// every node of the tile is nearer to q than to the triangle: |x − t|² − |x − q|² is linear in x, so its
/// least value over the tile separates into the two ends of each axis.
#ifndef ABUT_BAKE_DISTANCE_KERNELS_H
#define ABUT_BAKE_DISTANCE_KERNELS_H

#include "simd/dispatch.h"

#include <stdint.h>

/// Eight boxes, coordinate by coordinate. An empty box has low > high and is never near.
typedef struct AbutBoxGroup
{
    float low[3][8];
    float high[3][8];
} AbutBoxGroup;

/// The corners of eight triangles and the squared radii of their smallest enclosing balls: a point is never
/// nearer to a triangle than √(|x − nearest corner|² − ball²).
typedef struct AbutCornerGroup
{
    float corner[3][3][8]; // [corner][axis][triangle]
    float squared_ball[8];
} AbutCornerGroup;

/// A triangle in a frame of its own: origin in the middle of its longest edge, u along that edge, v towards
/// the third corner, w along the normal. The other two edges are lines n·p = offset with n pointing outwards.
typedef struct AbutTriangleFrame
{
    float origin[3];
    float u[3], v[3], w[3];
    float half_length; // of the edge along u
    struct AbutTriangleEdge
    {
        float normal[2];   // outward, unit
        float offset;      // of the line along the normal
        float middle;      // of the edge along its direction (−normal[1], normal[0])
        float half_length; //
    } edges[2];
    uint32_t number; // of the triangle in the mesh, under 2³¹ − 1
} AbutTriangleFrame;

/// A box of nodes and a point of the surface near it.
typedef struct AbutTile
{
    float low[3], high[3]; // of the nodes
    float q[3];
    float slack; // squared length by which rounding may err
} AbutTile;

/// Eight tiles of the same size side by side, coordinate by coordinate, each with its point of the surface.
typedef struct AbutTileGroup
{
    float center[3][8];
    float q[3][8];
    float squared[8]; // distance from the centre to q
    float slack[8];
    float half_size[3]; // of each tile
} AbutTileGroup;

typedef struct AbutTriangleKernels
{
    /// Bit i is set when box i may hold the nearest point of some node of the tile.
    unsigned (*candidate_boxes)(const AbutTile* tile, const AbutBoxGroup* boxes);

    /// Bit i is set when triangle i may, judged by its corners.
    unsigned (*candidate_triangles)(const AbutTile* tile, const AbutCornerGroup* triangles);

    /// The corner nearest to a point among the corners of the triangles in `mask`; updates *squared and
    /// corner when one is nearer.
    void (*nearest_corner)(const float point[3], const AbutCornerGroup* triangles, unsigned mask,
                           float* squared, float corner[3]);

    /// Moves each q to the nearest first corner of the listed triangles, where one is nearer.
    void (*nearest_first_corners)(const AbutCornerGroup* groups, const uint32_t* list, uint32_t count,
                                  AbutTileGroup* tiles);

    /// Bit k of masks[i] is set when triangle list[i] may hold the nearest point of some node of tile k,
    /// judged by its corners.
    void (*candidate_tiles)(const AbutTileGroup* tiles, const AbutCornerGroup* groups, const uint32_t* list,
                            uint32_t count, uint8_t* masks);

    /// Squared distances of eight nodes to `count` triangles, numbered in `list`: lowers squared[i] and sets
    /// nearest[i] where a triangle is nearer. Of equally near ones that with the lowest number in the mesh
    /// wins, so that the result does not depend on the groups; squared[i] starts above all distances.
    void (*lower_distances)(const AbutTriangleFrame* frames, const uint32_t* list, uint32_t count,
                            const float x[8], const float y[8], const float z[8], float squared[8],
                            uint32_t nearest[8]);

    /// Unit vectors to eight nodes from the nearest point of triangle nearest[i] each; zero where rounding
    /// may have rotated them noticeably, close to the triangle.
    void (*directions)(const AbutTriangleFrame* frames, const uint32_t nearest[8], const float x[8],
                       const float y[8], const float z[8], float dx[8], float dy[8], float dz[8]);
} AbutTriangleKernels;

ABUT_KERNELS(AbutTriangleKernels, abut_triangle_kernels)

#endif
