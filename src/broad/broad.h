/// @file broad.h (internal)
/// The set of boxes: what it keeps by id, and what it has found.
#ifndef ABUT_BROAD_BROAD_H
#define ABUT_BROAD_BROAD_H

#include "broad/method.h"

enum
{
    ABUT_BROAD_ALIVE = 1,
    ABUT_BROAD_CHANGED = 2 ///< in `changed`
};

/// Set in places of boxes that are in `loose`.
#define ABUT_BROAD_LOOSE 0x80000000u

struct AbutBroad
{
    AbutHost host;
    const AbutBroadTable* table;
    uint32_t pair_limit;

    // By id. A box that is empty, or of an id not in use, is NaN throughout: it meets nothing.
    AbutBox* boxes;
    AbutBox* last;      // before the last move
    AbutBox* fat_boxes; // the box with room for its motion: what the structures and the candidates know
    AbutBroadFilter* filters;
    uint8_t* flags;
    uint32_t* pack_indices; // in the packs of the structure or of `loose`, or ABUT_BROAD_NONE
    uint32_t id_count, live_count;
    size_t box_capacity, last_capacity, fat_box_capacity, filter_capacity, flag_capacity, pack_index_capacity;

    uint32_t* free_ids;
    uint32_t* changed; // ids whose boxes have left their room, come or gone since the last collection
    uint32_t free_count, changed_count;
    size_t free_capacity, changed_capacity;
    bool filtered; // some box has other filters than all
    bool moved;    // some box is another one than at the last collection

    AbutBroadStructure* structure;
    bool structure_valid;
    uint32_t structure_count; // of boxes in it
    AbutBoxPacks loose;       // boxes outside of the structure: infinite ones, and some that have changed
    uint32_t loose_count;     // the first places are theirs

    AbutPairSink* sinks; // one per worker
    AbutPairSorter sorter;
    AbutPairList candidates;    // pairs that meet with their room
    AbutPairList changed_pairs; // scratch: those of boxes that have changed
    AbutPairList merged;        // scratch
    AbutPairList pairs;         // of the last collection
    bool candidates_are_fat;    // some candidate may not meet without its room

    uint32_t* ids; // scratch: what is built
    size_t ids_capacity;
};

/// NaN throughout.
AbutBox abut_broad_nan_box(void);

/// The room that a box gets which has moved.
AbutBox abut_broad_fat_box(const AbutBox* last, const AbutBox* box);

/// Whether it goes into the structure: all sides finite, and not too far out.
bool abut_broad_is_bounded(const AbutBox* box);

void abut_broad_mark_changed(AbutBroad* broad, uint32_t id);

#endif
