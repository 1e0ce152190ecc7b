/// @file plan.h
/// What a bake is going to be: where the grid stands, and what it takes.
#ifndef ABUT_BAKE_BUILD_PLAN_H
#define ABUT_BAKE_BUILD_PLAN_H

#include "bake/build/build.h"

/// ABUT_INVALID_ARGUMENT for a def that makes no sense, whatever is baked.
AbutResult abut_bake_check_def(const AbutBakeDef* def);

/// Sets the grid, the format and the kind of a header from the box of what is baked.
AbutResult abut_bake_plan(const AbutBakeDef* def, AbutBox bounds, AbutFieldHeader* header);

/// Refuses a plan that is known to pass the limit before any work: all of a dense field, or what choosing the
/// bricks of a sparse one takes and the least that becomes of it. `source_bytes` is what the source of
/// distances takes.
AbutResult abut_bake_check_plan(const AbutBakeDef* def, const AbutFieldHeader* plan, size_t source_bytes);

/// The least bytes that a bake by this plan takes at once, beside those of the source.
uint64_t abut_bake_min_bytes(const AbutFieldHeader* plan);

/// Bytes that a bake may take.
size_t abut_bake_memory_limit(const AbutBakeDef* def);

/// Refuses a number of bytes, beside those that the source of distances takes, that passes the limit.
AbutResult abut_bake_check_bytes(const AbutBakeDef* def, uint64_t bytes, size_t source_bytes);

/// Bytes that choosing the bricks of a sparse field takes: probes and slots.
uint64_t abut_bake_choice_bytes(const AbutFieldHeader* plan);

/// Bytes that filling a block takes beside it: of a sparse field the slots and the list of corners; and what
/// measuring the error takes of any.
uint64_t abut_bake_filling_bytes(const AbutFieldHeader* plan);

/// The box of what is baked from a mesh: its own, and half the thickness of a shell around it.
AbutBox abut_bake_mesh_box(const AbutBakeDef* def, const AbutMesh* mesh);

/// An upper bound of what the tree over a mesh, its sign and the workers' scratch take.
size_t abut_bake_mesh_bytes(const AbutMesh* mesh, const AbutHost* host);

#endif
