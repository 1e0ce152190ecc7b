/// @file block.h
/// Layout, checks and checksum of a field's block (field/nodes/format.h).
#ifndef ABUT_FIELD_BLOCK_H
#define ABUT_FIELD_BLOCK_H

#include "field/nodes/format.h"

/// Completes a header whose origin, cell size, brick counts, format and flags are set: sizes and places of
/// all sections. There is one layout for given counts, so a block can be checked by making its layout again.
/// @return ABUT_LIMIT_EXCEEDED when numbers of nodes do not fit the kernels.
AbutResult abut_field_block_layout(AbutFieldHeader* header);

/// What is wrong with origin, cell size and size of a grid; NULL when nothing is.
const char* abut_field_grid_fault(const AbutFieldHeader* header);

/// ABUT_OK when the block can be used: no index in it leads out of it, and no number that is read is NaN.
/// What the numbers say is not checked: bounds that lie make proofs that lie. `name` is for the message.
AbutResult abut_field_block_check(const void* data, size_t size, bool skip_checksum, const char* name);

/// The checksum that the block should carry.
uint64_t abut_field_block_checksum(const void* data, size_t size);

/// A field that owns `block` (`allocated` bytes from `host`, which may be more than it uses) from now on,
/// also on failure.
AbutResult abut_field_create(void* block, size_t allocated, const AbutHost* host, AbutShape** out);

#endif
