/// @file bake.h
/// The steps of a bake, and bakes that reuse an earlier field.
#ifndef ABUT_BAKE_BAKE_H
#define ABUT_BAKE_BAKE_H

#include "bake/build/build.h"
#include "bake/source/mesh_source.h"

/// All steps up to a block without its final header. On failure the block may be incomplete.
AbutResult abut_build_fill(AbutBuild* build);

/// The last step: the header and checksum of the block, and a shape of it; on failure the block is freed.
AbutResult abut_build_finish(AbutBuild* build, AbutResult result, AbutShape** out);

/// An earlier field. Its grid and format replace the grid and format of the def.
typedef struct AbutEarlierField
{
    void* block; // only read
    void* context;

    /// Sets build->reuse, or leaves it NULL to bake everything again. `mesh` is NULL in the bake of a shape.
    AbutResult (*find)(void* context, AbutBuild* build, const AbutMeshSource* mesh);
} AbutEarlierField;

/// abut_bake_mesh() and abut_bake_shape() on the grid of an earlier field. The def's target error is of no
/// effect.
AbutResult abut_bake_mesh_incremental(const AbutBakeDef* def, const AbutMesh* mesh,
                                      const AbutEarlierField* earlier, AbutShape** out);
AbutResult abut_bake_shape_incremental(const AbutBakeDef* def, const AbutShape* shape,
                                       const AbutEarlierField* earlier, AbutShape** out);

#endif
