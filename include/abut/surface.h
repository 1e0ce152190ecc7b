/// @file surface.h
/// From a shape back to a mesh: the isosurface of any signed distance as a closed, manifold, oriented mesh.
#ifndef ABUT_SURFACE_H
#define ABUT_SURFACE_H

#include <abut/base.h>
#include <abut/mesh.h>
#include <abut/shape.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct AbutSurfaceDef
    {
        uint32_t resolution; ///< cells along the longest side of the box, in [2, 4096]; default 64
        float cell_size;     ///< > 0 overrides resolution
        float iso;           ///< level of the surface; default 0
        AbutBox
            box; ///< where to look; empty (the default) means the shape's bounds and one cell around them.
                 ///< Required for shapes without end. The surface is closed along its sides: what is outside
                 ///< of the box counts as empty space.
        AbutProgressFn* progress; ///< may be NULL
        void* progress_user;
        const AbutHost* host;
    } AbutSurfaceDef;

    ABUT_API AbutSurfaceDef abut_surface_def(void);

    /// Meshes { f = iso }. Blocks of cells that the shape's Lipschitz bound proves empty are never sampled, so time and memory
    /// go with the area of the surface, not with the volume of the box. Vertices stand on cell edges where f = iso to within
    /// 1e-4 of a cell along the edge. Every edge of the mesh has exactly two triangles, in opposite directions, and every vertex one fan.
    /// Same bytes for any worker count. A level that does not occur in the box gives a mesh without triangles.
    ABUT_API AbutResult abut_surface_create(const AbutSurfaceDef* def, const AbutShape* shape,
                                            AbutMesh** out);

#ifdef __cplusplus
}
#endif

#endif
