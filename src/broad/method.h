/// @file method.h
/// Interface of broad-phase methods: a structure over boxes that is built at once, and queried. A method is a
/// file that defines an AbutBroadTable, a line below, a row of the table in broad.c and a constant of
/// AbutBroadMethod.
///
/// Methods see finite, non-empty boxes within ABUT_BROAD_MAX_COORDINATE; the set handles all others, and
/// boxes created or moved since the last build.
#ifndef ABUT_BROAD_METHOD_H
#define ABUT_BROAD_METHOD_H

#include "broad/box_packs.h"
#include "broad/pair_list.h"

/// Coordinates past this count as infinite, so that differences, sums and volumes of others are finite.
#define ABUT_BROAD_MAX_COORDINATE 1e12f

/// The first member of every structure. Boxes may be removed from the packs between builds
/// (abut_box_packs_clear).
typedef struct AbutBroadStructure
{
    AbutHost host;
    AbutBoxPacks items;
} AbutBroadStructure;

typedef struct AbutBroadInput
{
    const AbutBox* boxes; // by id
    const uint32_t* ids;  // of the boxes to build from
    uint32_t count;
    uint32_t* pack_indices; // out, by id: index in the packs
} AbutBroadInput;

/// Receives a box that a ray hits at t = enter; may lower the ray's limit.
typedef void AbutBroadRayHitFn(void* context, AbutBoxRay* ray, uint32_t id);

typedef struct AbutBroadTable
{
    const char* name;
    size_t size; // of the structure; zero bytes and a host are an empty structure

    /// Frees the memory of the structure, but not the structure itself.
    void (*clear)(AbutBroadStructure* structure);

    /// Over other boxes. False when there is no memory: then the structure is unusable.
    bool (*build)(AbutBroadStructure* structure, const AbutBroadInput* input);

    /// Over the same boxes, moved, or a single one of them. False when the structure would become too loose:
    /// then the whole structure is unusable, but unchanged for a single one. NULL where a method cannot
    /// refit.
    bool (*refit)(AbutBroadStructure* structure, const AbutBox* boxes);
    bool (*refit_one)(AbutBroadStructure* structure, uint32_t index, const AbutBox* box);

    /// All pairs, in blocks that may run in parallel.
    uint32_t (*block_count)(const AbutBroadStructure* structure);
    void (*find_pairs)(const AbutBroadStructure* structure, uint32_t block, AbutPairSink* sink);

    /// False when visit() returned false.
    bool (*query_box)(const AbutBroadStructure* structure, const AbutBox* box, AbutBroadBoxFn* visit,
                      void* context);
    void (*query_ray)(const AbutBroadStructure* structure, AbutBoxRay* ray, AbutBroadRayHitFn* visit,
                      void* context);
} AbutBroadTable;

extern const AbutBroadTable abut_broad_all_pairs;
extern const AbutBroadTable abut_broad_sweep_and_prune;
extern const AbutBroadTable abut_broad_grid;
extern const AbutBroadTable abut_broad_tree;

#endif
