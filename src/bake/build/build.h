/// @file build.h
/// Filling the block of a field from a source of nodes: the steps of a bake.
#ifndef ABUT_BAKE_BUILD_BUILD_H
#define ABUT_BAKE_BUILD_BUILD_H

#include "bake/source/source.h"
#include "field/block.h"

#include <stdatomic.h>

typedef struct AbutReuse AbutReuse;

/// The state of a bake.
typedef struct AbutBuild
{
    const AbutBakeDef* def;
    AbutHost host;
    const AbutNodeSource* source;
    // becomes the header of the block; its layout is final once the stored bricks are counted
    AbutFieldHeader header;
    void* block;         // NULL until then
    size_t block_bytes;  // allocated; the layout of the finished field may use less
    atomic_int result;   // AbutResult of the first failure
    double slope;        // of the source: 1 for a distance
    double node_error;   // error of a node's distance before it is rounded to the format
    size_t source_bytes; // upper bound of the memory of the source
    float* middles; // distance at the middle of each brick of a sparse field, in cells; NULL for a dense one
    const AbutReuse* reuse; // of an earlier field; NULL when everything is new
    _Atomic uint64_t tally; // number of stored nodes with a computed winding number
    _Atomic uint64_t fault; // of the first bad node (node_fault.h); 0 for none
} AbutBuild;

/// Grid of all nodes at `step` cells apart (1, 4 or 8).
AbutNodeGrid abut_build_grid(const AbutBuild* build, uint32_t step);

/// Keeps the first failure of a worker; true without one.
bool abut_build_record_result(AbutBuild* build, AbutResult result);

/// Calls the def's progress function; false when it asks to stop.
bool abut_build_progress(AbutBuild* build, float done);

/// Allocates the block for the header and copies it there.
AbutResult abut_build_allocate(AbutBuild* build);

/// Writes values [first, first + count) of a source's block to nodes [node, node + count) of the field.
/// `cell_size` is the unit of 16-bit formats.
void abut_build_encode(const AbutBuild* build, const AbutNodeValues* values, size_t first, size_t count,
                       double cell_size, size_t node);

/// Values at a grid of nodes, with gradients where the format has them, in scratch memory that the caller
/// gives back (base/scratch.h). NULL when that fails or something has failed before.
AbutNodeValues* abut_build_sample(AbutBuild* build, uint32_t worker, const AbutNodeGrid* grid);

/// The same of any source, distances alone.
AbutNodeValues* abut_build_sample_distances(AbutBuild* build, const AbutNodeSource* source, uint32_t worker,
                                            const AbutNodeGrid* grid);

/// Samples block number `block` of a grid of nodes and writes it to the nodes of the field from 0 on: the
/// dense grid, or the coarse level.
void abut_build_node_block(AbutBuild* build, const AbutNodeGrid* grid, uint32_t block, uint32_t worker);

/// Counts node `i` of a source's block.
void abut_build_tally(AbutBuild* build, const AbutNodeValues* values, size_t i);

/// Slot of the brick `back` steps (0 or 1 along x, y and z in bits 0 to 2) before a brick corner of a sparse
/// field; ABUT_FIELD_NO_SLOT when there is none.
uint32_t abut_build_slot_before(const AbutBuild* build, const uint32_t* slots, const uint32_t corner[3],
                                int back);

#endif
