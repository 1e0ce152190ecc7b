/// @file extraction.h
/// One call of abut_surface_create() and its stages, in order:
///
///   grid.c       the box, cut into cells, and the cells into blocks of 8³
///  find_blocks.c blocks that the slope bound cannot rule out are sampled; those with nodes on both sides are
///  kept
///   close_blocks.c    blocks that the surface leads into are kept too, whatever the slope bound said
///   surface.c    vertices and triangles are numbered, block by block, and the mesh gets its memory
///   edge_vertices.c   the place of each vertex on its edge
///   cell_triangles.c  the pieces of each cell
///
/// Each stage is a loop over blocks that writes to the block's own part of the result, so the number of
/// workers leaves no trace. Nodes on the border of blocks are sampled once per block: a shape gives the same
/// bits each time, and a shape that does not is reported.
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

/// What went wrong in a loop. Each worker keeps the trouble of the lowest number, so that the report is
/// always the same.
typedef struct AbutSurfaceError
{
    AbutSurfaceErrorKind kind;
    uint32_t number; // of the loop's item
    AbutVec3 position;
} AbutSurfaceError;

/// A vertex on the way to its place: the edge's line, and the part of it that is known to hold the surface.
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
    uint16_t open[ABUT_BLOCK_MAX_VERTICES]; // roots that are not narrowed down yet
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

/// Parts of the work done when a stage ends, as progress is told.
#define ABUT_SURFACE_FIND_END 0.5
#define ABUT_SURFACE_CLOSE_END 0.55
#define ABUT_SURFACE_VERTICES_END 0.9

AbutResult abut_surface_find_blocks(AbutSurfaceExtraction* extraction);
AbutResult abut_surface_close_blocks(AbutSurfaceExtraction* extraction);
AbutResult abut_surface_compute_vertices(AbutSurfaceExtraction* extraction);
AbutResult abut_surface_emit_triangles(AbutSurfaceExtraction* extraction);

/// Samples the nodes of the block with the given key and counts what it will hold. False when no edge of it
/// is crossed, or when there is trouble, which goes to `scratch` under `number`.
bool abut_surface_sample_block(const AbutSurfaceExtraction* extraction, uint32_t key, uint32_t number,
                               AbutSurfaceScratch* scratch, AbutSurfaceBlock* block);

/// Samples the first `count` points of the scratch memory. False when a value is NaN, which goes to its
/// trouble.
bool abut_surface_sample(const AbutSurfaceExtraction* extraction, size_t count, uint32_t number,
                         AbutSurfaceScratch* scratch);

/// Keeps the trouble of the lowest number.
void abut_surface_record_error(AbutSurfaceScratch* scratch, AbutSurfaceErrorKind kind, uint32_t number,
                               AbutVec3 position);

/// ABUT_OK when no worker met trouble, else the message.
AbutResult abut_surface_report(const AbutSurfaceExtraction* extraction);

/// Tells the caller's progress function; ABUT_CANCELLED when it wants to stop.
AbutResult abut_surface_progress(const AbutSurfaceExtraction* extraction, double done);

/// One item of a loop.
typedef void AbutSurfaceBlockFn(AbutSurfaceExtraction* extraction, uint32_t number,
                                AbutSurfaceScratch* scratch);

/// Runs over the blocks from `first` on, and tells progress from `done_before` to `done_after`. Stops early
/// for trouble and cancellation.
AbutResult abut_surface_for_blocks(AbutSurfaceExtraction* extraction, AbutSurfaceBlockFn* function,
                                   size_t first, double done_before, double done_after);

#endif
