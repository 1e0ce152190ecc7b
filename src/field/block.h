/// @file block.h
/// Layout, checks and checksum of a field's block (field/nodes/format.h).
#ifndef ABUT_FIELD_BLOCK_H
#define ABUT_FIELD_BLOCK_H

#include "field/nodes/format.h"

/// Completes a header whose origin, cell size, brick counts, format and flags are set: sizes and offsets of
/// all sections. The layout is a function of the counts, so that checks compute it again.
/// @return ABUT_LIMIT_EXCEEDED for more nodes than the kernels can index.
AbutResult abut_field_block_layout(AbutFieldHeader* header);

/// The checksum of the block.
uint64_t abut_field_block_checksum(const void* data, size_t size);

#endif
