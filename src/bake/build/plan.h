/// @file plan.h
/// The plan of a bake: grid and memory.
#ifndef ABUT_BAKE_BUILD_PLAN_H
#define ABUT_BAKE_BUILD_PLAN_H

#include "bake/build/build.h"

/// ABUT_INVALID_ARGUMENT for a def that is invalid for any source.
AbutResult abut_bake_check_def(const AbutBakeDef* def);

/// Sets the grid, the format and the kind of a header from the bounds of the source.
AbutResult abut_bake_plan(const AbutBakeDef* def, AbutBox bounds, AbutFieldHeader* header);

/// Refuses a plan that exceeds the memory limit, before any work: for the whole of a dense field, or for the
/// choice of bricks and the least size of a sparse one. `source_bytes` is the memory of the source of
/// distances.
AbutResult abut_bake_check_plan(const AbutBakeDef* def, const AbutFieldHeader* plan, size_t source_bytes);

/// The least peak memory of a bake by this plan, without the source.
uint64_t abut_bake_min_bytes(const AbutFieldHeader* plan);

/// Bytes that a bake may take.
size_t abut_bake_memory_limit(const AbutBakeDef* def);

/// Refuses a number of bytes that exceeds the limit together with the source.
AbutResult abut_bake_check_bytes(const AbutBakeDef* def, uint64_t bytes, size_t source_bytes);

/// Bytes that choosing the bricks of a sparse field takes: probes and slots.
uint64_t abut_bake_choice_bytes(const AbutFieldHeader* plan);

/// Bytes for filling a block, besides the block: the slots and the list of corners of a sparse field; and the
/// measurement of the error.
uint64_t abut_bake_filling_bytes(const AbutFieldHeader* plan);

/// The box of the solid of a mesh: its own, and half the thickness of a shell around it.
AbutBox abut_bake_mesh_box(const AbutBakeDef* def, const AbutMesh* mesh);

/// Upper bound of the memory of the tree over a mesh, its sign classifier and the workers' scratch.
size_t abut_bake_mesh_bytes(const AbutMesh* mesh, const AbutHost* host);

#endif
