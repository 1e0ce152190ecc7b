/// @file grid.h
/// The grid of nodes: the box of the extraction, divided into cells, and the cells into blocks.
///
/// The cells of the box have one more layer around them, so that the surface closes along the faces of the
/// box: its outer nodes are outside of the solid by definition, with the coordinates of the face. Nodes are
/// numbered from 0 along each axis with the outer ones included; blocks may overhang at the far end, by nodes
/// of the same kind.
#ifndef ABUT_SURFACE_GRID_H
#define ABUT_SURFACE_GRID_H

#include <abut/surface.h>

enum
{
    ABUT_BLOCK_CELLS = 8, // along each axis
    ABUT_BLOCK_NODES = ABUT_BLOCK_CELLS + 1,
    ABUT_SURFACE_MAX_CELLS = 4096,
};

typedef struct AbutSurfaceAxis
{
    float* nodes; // block_count · ABUT_BLOCK_CELLS + 1 coordinates
    uint32_t cell_count;
    uint32_t block_count;
    float nudge; // a quarter of the least distance of a vertex from a node
} AbutSurfaceAxis;

typedef struct AbutSurfaceGrid
{
    AbutSurfaceAxis axes[3]; // all zero when there is nothing to look at
} AbutSurfaceGrid;

/// Least distance of a vertex from the nodes at the ends of its edge and greatest distance from the surface,
/// along the edge, as a part of the cell. Floats are too coarse for it in fine grids far from the origin;
/// there it is four steps from one float to the next, of which a cell has at least ABUT_SURFACE_MIN_STEPS.
#define ABUT_SURFACE_CLEARANCE 1e-4
#define ABUT_SURFACE_MIN_STEPS 64

/// Checks the def and lays the nodes. Free with abut_surface_grid_destroy(), whatever came back.
AbutResult abut_surface_grid_create(const AbutSurfaceDef* def, const AbutShape* shape, const AbutHost* host,
                                    AbutSurfaceGrid* grid);

void abut_surface_grid_destroy(AbutSurfaceGrid* grid, const AbutHost* host);

/// True for nodes of the box, false for those around it.
static inline bool abut_surface_axis_has(const AbutSurfaceAxis* axis, uint32_t node)
{
    return node >= 1 && node <= axis->cell_count + 1;
}

#endif
