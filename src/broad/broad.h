/// @file broad.h (internal)
/// The set of boxes: arrays by id, structures, candidates and pairs.
#ifndef ABUT_BROAD_BROAD_H
#define ABUT_BROAD_BROAD_H

#include "broad/method.h"

enum
{
    ABUT_BROAD_ALIVE = 1,
    ABUT_BROAD_CHANGED = 2 ///< in `changed`
};

/// Set in indices of boxes that are in `loose`.
#define ABUT_BROAD_LOOSE 0x80000000u

struct AbutBroad
{
    AbutHost host;
    const AbutBroadTable* table;
    uint32_t pair_limit;

    // By id. An empty box, or one of an id not in use, is NaN throughout: it overlaps nothing.
    AbutBox* boxes;
    AbutBox* last;      // before the last move
    AbutBox* fat_boxes; // larger by the predicted motion: the boxes of structures and candidates
    AbutBroadFilter* filters;
    uint8_t* flags;
    uint32_t* pack_indices; // in the packs of the structure or of `loose`, or ABUT_BROAD_NONE
    uint32_t id_count, live_count;
    size_t box_capacity, last_capacity, fat_box_capacity, filter_capacity, flag_capacity, pack_index_capacity;

    uint32_t* free_ids;
    // ids of boxes that left their fat boxes, were created or destroyed since the last update
    uint32_t* changed;
    uint32_t free_count, changed_count;
    size_t free_capacity, changed_capacity;
    bool filtered; // some box has a filter
    bool moved;    // some box has changed since the last update

    AbutBroadStructure* structure;
    bool structure_valid;
    uint32_t structure_count; // of boxes in it
    AbutBoxPacks loose;       // boxes outside of the structure: infinite ones, and some that have changed
    uint32_t loose_count;     // their indices come first

    AbutPairSink* sinks; // one per worker
    AbutPairSorter sorter;
    AbutPairList candidates;    // pairs whose fat boxes overlap
    AbutPairList changed_pairs; // scratch: candidates of changed boxes
    AbutPairList merged;        // scratch
    AbutPairList pairs;         // of the last update
    bool candidates_are_fat;    // some candidates may not overlap without the fat

    uint32_t* ids; // scratch: boxes of the structure to build
    size_t ids_capacity;
};

/// NaN throughout.
AbutBox abut_broad_nan_box(void);

/// The fat box of a box that has moved.
AbutBox abut_broad_fat_box(const AbutBox* last, const AbutBox* box);

/// True for boxes of the structure: all sides finite, within ABUT_BROAD_MAX_COORDINATE.
bool abut_broad_is_bounded(const AbutBox* box);

void abut_broad_mark_changed(AbutBroad* broad, uint32_t id);

#endif
