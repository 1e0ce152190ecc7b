/// @file reuse.h
/// Bricks of an earlier field that are valid after a change.
///
/// A node keeps its distance, its closest point and its sign when its surface is closer than any change. Both
/// that distance and the distance to the change have a bounded slope, so that one node in the middle proves
/// it for a cube around it; cubes without a proof are divided.
#ifndef ABUT_BAKE_BUILD_REUSE_H
#define ABUT_BAKE_BUILD_REUSE_H

#include "bake/build/build.h"
#include "base/assert.h"
#include "field/bounds/pyramid.h"

/// A change of a mesh or a shape.
typedef struct AbutChange
{
    const void* context;

    /// Lower bound of the distance to the change: a node with a |distance| under it, by the tolerance, is
    /// unchanged. Called from many threads.
    double (*clearance)(const void* context, AbutDVec3 point);

    /// True when signs may have changed in a box. May be NULL.
    bool (*overlaps)(const void* context, AbutBox box);

    double slope;     // sum of the slopes of |distance| and clearance
    double offset;    // |value + offset| is the distance: half the thickness of a shell
    double tolerance; // of rounding: how much further than the surface the change must be
    double touching;  // nodes closer than this to their surface are sampled again; 0 for none
} AbutChange;

struct AbutReuse
{
    AbutHost host;
    void* block; // only read: of the earlier field, on the same grid and in the same format
    AbutChange change;
    uint8_t* dirty; // by brick: 1 where it must be sampled again
    // by brick: 1 where bounds and cell errors, which depend on the bricks around, are valid too
    uint8_t* unchanged;
    uint32_t brick_count, dirty_count;
};

/// Finds the changed bricks. The build has its grid and source. @return ABUT_OUT_OF_MEMORY.
AbutResult abut_reuse_create(const AbutBuild* build, void* block, const AbutChange* change, AbutReuse* out);

/// A zeroed reuse is ignored.
void abut_reuse_destroy(AbutReuse* reuse);

/// True when a block of a grid of nodes, every `step` cells, has nodes without an unchanged brick; always
/// without reuse.
bool abut_reuse_is_dirty(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step);

/// True when it has nodes of a changed brick, shared or not; always without reuse.
bool abut_reuse_is_needed(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step);

/// True when the bounds and cell errors of the earlier field are valid for a brick; never without reuse.
static inline bool abut_reuse_is_unchanged(const AbutBuild* build, uint32_t brick)
{
    ABUT_ASSERT(build->reuse == NULL || brick < build->reuse->brick_count);
    return build->reuse != NULL && build->reuse->unchanged[brick] != 0;
}

/// The bounds of a stored brick in the earlier field.
AbutPackedBounds abut_reuse_bounds(const AbutReuse* reuse, uint32_t brick);

/// The cell errors of a brick in the earlier field, ABUT_CELL_ERROR_BYTES, which has a slot there.
const uint8_t* abut_reuse_cell_errors(const AbutReuse* reuse, uint32_t brick);

/// Node 0 of the earlier field.
const void* abut_reuse_nodes(const AbutReuse* reuse);

/// The slots of the earlier field.
const uint32_t* abut_reuse_slots(const AbutReuse* reuse);

#endif
