/// @file surface.h
/// From a shape back to a mesh: the isosurface of any signed distance as a closed, manifold, oriented mesh.
#ifndef ABUT_SURFACE_H
#define ABUT_SURFACE_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/mesh.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Level and resolution of an isosurface. abut_surface_def() has the defaults.
typedef struct AbutSurfaceDef
{
    /// Cells along the longest side of the box, or of the level's bounds without one; in [2, 4096].
    /// Default 64.
    uint32_t resolution;

    /// > 0 overrides resolution, and may not ask for more than 4096 cells either. Default 0.
    float cell_size;

    /// Level of the surface; finite. Points with f ≤ iso are solid. Default 0.
    float iso;

    /// Region of the surface, which is closed along the sides of the box: the outside counts as empty space.
    /// The box keeps its sides, so cells are cubes up to fitting a whole number of them, none larger than
    /// asked. Empty (the default) means the bounds of the level (the shape's, grown or shrunk by iso) with a
    /// cell and a half around them. Required for infinite shapes, and for levels above 0 of shapes with
    /// unknown bounds of that level (callbacks that are not distances).
    AbutBox box;

    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host; ///< NULL for the default
} AbutSurfaceDef;

ABUT_API AbutSurfaceDef abut_surface_def(void);

/// Meshes { f = iso }. Every edge of the mesh has exactly two triangles, in opposite directions, and every
/// vertex one fan; no triangle is degenerate, and no two cross or touch but in what they share. This holds
/// for any shape and box, even when a callback breaks its slope bound.
///
/// Vertices stand on cell edges, where f = iso to within 1e-4 of a cell along the edge, or four ulps
/// where that is more. Details smaller than a cell can fall between the nodes; sharp edges are bevelled
/// by up to a cell. Blocks of cells that the shape's slope bound proves empty are never sampled, so time and
/// memory go with the area of the surface, not with the volume of the box. Same bytes for any worker count
/// and instruction set. A level that does not occur in the box gives a mesh without triangles.
///
/// @return ABUT_INVALID_ARGUMENT for numbers out of range and where a box is missing; ABUT_LIMIT_EXCEEDED for
/// more than 4096 cells along a side, cells too small for float coordinates (under 64 ulps), or more than
/// 2³² − 1 vertices or triangles; ABUT_INVALID_DATA with the position where the shape returned NaN, or two
/// numbers for one point; ABUT_CANCELLED.
ABUT_API AbutResult abut_surface_create(const AbutSurfaceDef* def, const AbutShape* shape, AbutMesh** out);

#ifdef __cplusplus
}
#endif

#endif
