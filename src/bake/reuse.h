/// @file reuse.h
/// Which bricks of an earlier field still hold after a change.
///
/// A node keeps its distance, its nearest point and its sign when its surface is nearer than anything that was changed.
/// Both that distance and the way to the change vary slowly, so that one node in the middle speaks for a cube around it;
/// cubes where it cannot are divided.
#ifndef ABUT_BAKE_REUSE_H
#define ABUT_BAKE_REUSE_H

#include "bake/build.h"

/// What was changed, as a bake of meshes or of shapes sees it.
typedef struct AbutChange
{
    const void* context;

    /// A node whose |distance| is less than this, by the tolerance, is as it was. Called from many threads.
    double (*clearance)(const void* context, const double point[3]);

    /// True when other things than distances may have changed in a box. May be NULL.
    bool (*meets)(const void* context, AbutBox box);

    double slope;     // the most that |distance| and the clearance change per way, together
    double offset;    // |value + offset| is the distance: half the thickness of a shell
    double tolerance; // of rounding: how much further than its surface a node must be from the change
    double touching;  // nodes nearer than this to their surface are redone; 0 for none
} AbutChange;

struct AbutReuse
{
    AbutHost host;
    const void* block; // of the earlier field, on the same grid and in the same format
    AbutChange change;
    uint8_t* touched; // by brick: 1 where it must be redone
    uint32_t brick_count, touched_count;
};

/// Finds the bricks that are touched. The build has its grid and source. @return ABUT_OUT_OF_MEMORY.
AbutResult abut_reuse_create(const AbutBuild* build, const void* block, const AbutChange* change,
                             AbutReuse* out);

/// A zeroed one is ignored.
void abut_reuse_destroy(AbutReuse* reuse);

/// True when a block of a grid of nodes, every `step` cells, has nodes that no brick vouches for; always without reuse.
bool abut_reuse_is_touched(const AbutBuild* build, const AbutNodeGrid* part, uint32_t step);

/// True when it has nodes of a touched brick, others' or not; always without reuse.
bool abut_reuse_is_needed(const AbutBuild* build, const AbutNodeGrid* part, uint32_t step);

/// Node 0 of the earlier field.
const void* abut_reuse_nodes(const AbutReuse* reuse);

/// The slots of the earlier field, which is sparse.
const uint32_t* abut_reuse_slots(const AbutReuse* reuse);

#endif
