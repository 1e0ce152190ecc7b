/// @file extraction.h
/// One call of abut_surface_create() and its stages, in order:
///
///   grid.c            the box, divided into cells, and the cells into blocks of 8³
///   find_blocks.c     blocks that the slope bound does not rule out, sampled; those with nodes on both sides
///   close_blocks.c    neighbours that the surface continues into, whatever the slope bound
///   surface.c         numbers of vertices and triangles, block by block, and the memory of the mesh
///   edge_vertices.c   the position of each vertex on its edge
///   cell_triangles.c  the triangles of each cell
///
/// Each stage is a loop over blocks that writes to the block's own share of the result, so that it is
/// independent of the count of workers. Nodes on the border of blocks are sampled once per block: a shape
/// returns the same bits each time, and a shape that does not is reported.
#ifndef ABUT_SURFACE_EXTRACTION_H
#define ABUT_SURFACE_EXTRACTION_H

#include "surface/blocks.h"
#include "surface/cases.h"

enum
{
    ABUT_BLOCK_NODE_COUNT = ABUT_BLOCK_NODES * ABUT_BLOCK_NODES * ABUT_BLOCK_NODES,
    ABUT_BLOCK_MAX_VERTICES = 3 * ABUT_BLOCK_CELLS * ABUT_BLOCK_CELLS * ABUT_BLOCK_CELLS,
};

typedef enum AbutSurfaceErrorKind
{
    ABUT_SURFACE_NO_ERROR,
    ABUT_SURFACE_ERROR_NAN,          // the shape returned NaN
    ABUT_SURFACE_ERROR_INCONSISTENT, // the shape returned two numbers for one point
} AbutSurfaceErrorKind;

/// An error in a loop. Each worker keeps that of the lowest number, so that the report is always the same.
typedef struct AbutSurfaceError
{
    AbutSurfaceErrorKind kind;
    uint32_t number; // of the loop's item
    AbutVec3 position;
} AbutSurfaceError;

/// The root of a vertex: the line of the edge, and the interval of it that is known to hold the surface.
typedef struct AbutSurfaceRoot
{
    float start[3]; // the node where the edge begins
    float end;      // the edge's axis at the other node
    float low, high;
    double low_value, high_value; // f − iso, of different sides
    uint16_t vertex;              // number in the block
    uint8_t axis;
    bool low_inside;
} AbutSurfaceRoot;

/// Memory of one worker.
typedef struct AbutSurfaceScratch
{
    AbutSurfaceError error;
    float x[ABUT_BLOCK_MAX_VERTICES], y[ABUT_BLOCK_MAX_VERTICES], z[ABUT_BLOCK_MAX_VERTICES];
    float value[ABUT_BLOCK_MAX_VERTICES];
    AbutSurfaceRoot roots[ABUT_BLOCK_MAX_VERTICES];
    uint16_t open[ABUT_BLOCK_MAX_VERTICES]; // roots that are not narrowed yet
} AbutSurfaceScratch;

typedef struct AbutSurfaceExtraction
{
    AbutHost host;
    const AbutSurfaceDef* def;
    const AbutShape* shape;
    float iso;
    double slope; // Lipschitz bound of the shape
    AbutSurfaceCase cases[ABUT_CASE_COUNT];
    AbutSurfaceGrid grid;
    AbutSurfaceScratch* scratch; // one per worker
    AbutSurfaceBlocks blocks;
    AbutMesh* mesh;
} AbutSurfaceExtraction;

/// Fractions of the work at the end of each stage, for progress.
#define ABUT_SURFACE_FIND_END 0.5
#define ABUT_SURFACE_CLOSE_END 0.55
#define ABUT_SURFACE_VERTICES_END 0.9

/// ABUT_OK when no worker had an error, else the message.
AbutResult abut_surface_report(const AbutSurfaceExtraction* extraction);

/// Reports progress to the caller's function; ABUT_CANCELLED when it returns false.
AbutResult abut_surface_progress(const AbutSurfaceExtraction* extraction, double done);

/// One item of a loop.
typedef void AbutSurfaceBlockFn(AbutSurfaceExtraction* extraction, uint32_t number,
                                AbutSurfaceScratch* scratch);

/// Loops over the blocks from `first` on, with progress from `done_before` to `done_after`. Stops early for
/// errors and cancellation.
AbutResult abut_surface_for_blocks(AbutSurfaceExtraction* extraction, AbutSurfaceBlockFn* function,
                                   size_t first, double done_before, double done_after);

#endif
