/// @file block.h
/// Layout, checks and checksum of a field's block (field/nodes/format.h).
#ifndef ABUT_FIELD_BLOCK_H
#define ABUT_FIELD_BLOCK_H

#include "field/nodes/format.h"

/// Completes a header whose origin, cell size, brick counts, format and flags are set: sizes and offsets of
/// all sections. The layout is a function of the counts, so that checks compute it again.
/// @return ABUT_LIMIT_EXCEEDED for more nodes than the kernels can index.
AbutResult abut_field_block_layout(AbutFieldHeader* header);

/// The fault of origin, cell size or size of a grid; NULL for none.
const char* abut_field_grid_fault(const AbutFieldHeader* header);

/// ABUT_OK for a usable block: no index leads out of it, and no number that is read is NaN. Bounds are not
/// verified: false bounds make false proofs. `name` is for the message.
AbutResult abut_field_block_check(const void* data, size_t size, bool skip_checksum, const char* name);

/// The checksum of the block.
uint64_t abut_field_block_checksum(const void* data, size_t size);

/// A field that owns `block` (`allocated` bytes from `host`, which may be more than it uses) from now on,
/// also on failure.
AbutResult abut_field_create(void* block, size_t allocated, const AbutHost* host, AbutShape** out);

#endif
