/// @file sampled_loop.h
/// A parallel loop over items of unknown cost that may stop early with a fair sample.
///
/// Work on pairs of triangles is in proportion to a usual mesh, but crafted input makes it quadratic. So
/// items are visited in levels: a few, spread evenly, then the items halfway between, and so on, each level
/// as large as all before it. The loop stops when the next level would exceed the work limit, by the work so
/// far: the visited items are an even sample that does not depend on workers or time.
#ifndef ABUT_MESH_INSPECT_SAMPLED_LOOP_H
#define ABUT_MESH_INSPECT_SAMPLED_LOOP_H

#include <abut/base.h>

typedef struct AbutLoopTally
{
    uint64_t found; // number of matches
    uint64_t work;  // in a unit of the caller's
} AbutLoopTally;

/// Adds the matches of an item and its work to the tally. Called from several threads.
typedef void AbutSampledLoopFn(void* context, uint32_t item, AbutLoopTally* tally);

typedef struct AbutSampledLoopDef
{
    uint32_t item_count;
    uint32_t item_limit; // visit at most this many
    uint64_t work_limit; // stop before a level that would take the work above this
    AbutSampledLoopFn* visit;
    void* context;
    AbutProgressFn* progress; // never NULL; false stops
    void* progress_user;
} AbutSampledLoopDef;

typedef struct AbutSampledLoop
{
    uint32_t visited; // item_count when all were
    AbutLoopTally tally;
} AbutSampledLoop;

/// @return ABUT_CANCELLED when progress says so.
AbutResult abut_sampled_loop_visit(const AbutHost* host, const AbutSampledLoopDef* def, AbutSampledLoop* out);

/// The count found among all items if the rest is like the sample, rounded. Whole samples are counted
/// first, so that the product fits: one item finds at most as many as there are items.
static inline uint64_t abut_sampled_loop_estimate(const AbutSampledLoop* sample, uint32_t item_count)
{
    uint64_t found = sample->tally.found, visited = sample->visited;
    return visited == 0
               ? 0
               : found / visited * item_count + (found % visited * item_count + visited / 2) / visited;
}

#endif
