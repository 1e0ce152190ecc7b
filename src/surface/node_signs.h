/// @file node_signs.h
/// Samples of the nodes of a block.
#ifndef ABUT_SURFACE_NODE_SIGNS_H
#define ABUT_SURFACE_NODE_SIGNS_H

#include "surface/extraction.h"

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

#endif
