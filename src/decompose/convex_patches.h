/// @file convex_patches.h
/// Convex surface patches: sets of triangles that all lie on the border of their own convex hull.
///
/// A patch grows from a triangle over edges that are convex or flat. A neighbour joins when no vertex of the
/// patch is above its plane and its corners are above no plane of the patch: exact decisions, so that every
/// plane of a patch has the whole patch on one side. A patch may be convex though its hull is not inside of
/// the solid, as the outer half of a torus is; then it is divided until the faces of its hull that are no
/// triangles of the mesh are inside of the solid, within a tolerance, at a few points of each face.
#ifndef ABUT_DECOMPOSE_CONVEX_PATCHES_H
#define ABUT_DECOMPOSE_CONVEX_PATCHES_H

#include "decompose/solid.h"

enum
{
    /// Triangles of a patch at most: the test of a triangle takes as many signs. Larger convex surfaces are
    /// merged again by the hierarchy.
    ABUT_CONVEX_PATCH_TRIANGLES = 1024
};

typedef struct AbutConvexPatches
{
    uint32_t* triangles; // by patch: those of patch i are [offsets[i], offsets[i + 1])
    uint32_t* offsets;   // patch_count + 1
    uint32_t* patch_of;  // by triangle
    uint32_t patch_count;
    uint32_t triangle_count; // those with three corners after joining
    uint32_t capacity;       // of the arrays
} AbutConvexPatches;

/// @param error largest distance of a face of a patch's hull outside of the solid, where it is tested
AbutResult abut_convex_patches_create(const AbutSolid* solid, double error, AbutConvexPatches* out);

/// A zeroed object is ignored.
void abut_convex_patches_destroy(const AbutHost* host, AbutConvexPatches* patches);

#endif
