/// @file bake.h
/// The steps of a bake, and bakes that reuse an earlier field.
#ifndef ABUT_BAKE_BAKE_H
#define ABUT_BAKE_BAKE_H

#include "bake/build/build.h"
#include "bake/source/mesh_source.h"

/// All steps up to a block that lacks nothing but its final header. On failure the block may be there in
/// part.
AbutResult abut_build_fill(AbutBuild* build);

/// The last step: header and checksum go into the block, and the block into a shape, or away.
AbutResult abut_build_finish(AbutBuild* build, AbutResult result, AbutShape** out);

/// The field before. Its grid and format replace those of the def.
typedef struct AbutEarlierField
{
    void* block; // only read
    void* context;

    /// Sets build->reuse, or leaves it NULL to redo everything. `mesh` is NULL in the bake of a shape.
    AbutResult (*find)(void* context, AbutBuild* build, const AbutMeshSource* mesh);
} AbutEarlierField;

/// abut_bake_mesh() and abut_bake_shape() on the grid of an earlier field. The def's target error is of no
/// effect.
AbutResult abut_bake_mesh_incremental(const AbutBakeDef* def, const AbutMesh* mesh,
                                      const AbutEarlierField* earlier, AbutShape** out);
AbutResult abut_bake_shape_incremental(const AbutBakeDef* def, const AbutShape* shape,
                                       const AbutEarlierField* earlier, AbutShape** out);

#endif
