/// @file reuse.h
/// Which bricks of an earlier field still hold after a change.
///
/// A node keeps its distance, its nearest point and its sign when its surface is nearer than anything that
/// was changed. Both that distance and the way to the change vary slowly, so that one node in the middle
/// speaks for a cube around it; cubes where it cannot are divided.
#ifndef ABUT_BAKE_BUILD_REUSE_H
#define ABUT_BAKE_BUILD_REUSE_H

#include "bake/build/build.h"
#include "field/bounds/pyramid.h"

/// What was changed, as a bake of meshes or of shapes sees it.
typedef struct AbutChange
{
    const void* context;

    /// A node whose |distance| is less than this, by the tolerance, is as it was. Called from many threads.
    double (*clearance)(const void* context, const double point[3]);

    /// True when other things than distances may have changed in a box. May be NULL.
    bool (*overlaps)(const void* context, AbutBox box);

    double slope;     // the most that |distance| and the clearance change per way, together
    double offset;    // |value + offset| is the distance: half the thickness of a shell
    double tolerance; // of rounding: how much further than its surface a node must be from the change
    double touching;  // nodes nearer than this to their surface are redone; 0 for none
} AbutChange;

struct AbutReuse
{
    AbutHost host;
    void* block; // only read: of the earlier field, on the same grid and in the same format
    AbutChange change;
    uint8_t* dirty;     // by brick: 1 where it must be redone
    uint8_t* unchanged; // by brick: 1 where bounds and cell errors hold, too, which depend on bricks around
    uint32_t brick_count, dirty_count;
};

/// Finds the bricks that are touched. The build has its grid and source. @return ABUT_OUT_OF_MEMORY.
AbutResult abut_reuse_create(const AbutBuild* build, void* block, const AbutChange* change, AbutReuse* out);

/// A zeroed one is ignored.
void abut_reuse_destroy(AbutReuse* reuse);

/// True when a block of a grid of nodes, every `step` cells, has nodes that no brick vouches for; always
/// without reuse.
bool abut_reuse_is_dirty(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step);

/// True when it has nodes of a touched brick, others' or not; always without reuse.
bool abut_reuse_is_needed(const AbutBuild* build, const AbutNodeGrid* subgrid, uint32_t step);

/// True when the bounds and cell errors of a brick are those of the earlier field; never without reuse.
static inline bool abut_reuse_is_unchanged(const AbutBuild* build, uint32_t brick)
{
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
