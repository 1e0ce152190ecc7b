/// @file block_check.h
/// Checks of a block before it is used.
#ifndef ABUT_FIELD_BLOCK_CHECK_H
#define ABUT_FIELD_BLOCK_CHECK_H

#include "field/block.h"

/// The fault of origin, cell size or size of a grid; NULL for none.
const char* abut_field_grid_fault(const AbutFieldHeader* header);

/// ABUT_OK for a usable block: no index leads out of it, and no number that is read is NaN. Bounds are not
/// verified: false bounds make false proofs. `name` is for the message.
AbutResult abut_field_block_check(const void* data, size_t size, bool skip_checksum, const char* name);

#endif
