/// @file method.h
/// What a method of finding pairs is: a structure over boxes that is built at once, and asked.
///
/// Boxes that a method sees are neither empty nor larger than ABUT_BROAD_MAX_COORDINATE; the set looks after
/// the others, and after boxes that have come or moved since the last build, itself.
#ifndef ABUT_BROAD_METHOD_H
#define ABUT_BROAD_METHOD_H

#include "broad/box_packs.h"
#include "broad/pair_list.h"

/// Coordinates past this count as infinite, so that differences, sums and volumes of the others are finite.
#define ABUT_BROAD_MAX_COORDINATE 1e12f

/// What every structure begins with. Boxes may be taken out of the packs between builds
/// (abut_box_packs_clear).
typedef struct AbutBroadStructure
{
    AbutHost host;
    AbutBoxPacks items;
} AbutBroadStructure;

typedef struct AbutBroadInput
{
    const AbutBox* boxes; // by id
    const uint32_t* ids;  // of the boxes to take
    uint32_t count;
    uint32_t* pack_indices; // by id: where in the packs they went
} AbutBroadInput;

/// Receives a box that a ray meets at t = enter; may lower the ray's limit.
typedef void AbutBroadRayHitFn(void* context, AbutBoxRay* ray, uint32_t id);

typedef struct AbutBroadTable
{
    const char* name;
    size_t size; // of the structure; zero bytes and a host are a structure of nothing

    /// Frees what the structure has got, without the structure itself.
    void (*clear)(AbutBroadStructure* structure);

    /// Over other boxes. False when there is no memory: then the structure may not be asked.
    bool (*build)(AbutBroadStructure* structure, const AbutBroadInput* input);

    /// Over the same boxes that have moved, or a single one. False when it would make the structure too
    /// loose: then nothing is promised for all, and nothing has changed for one. NULL where the method has no
    /// such thing.
    bool (*refit)(AbutBroadStructure* structure, const AbutBox* boxes);
    bool (*refit_one)(AbutBroadStructure* structure, uint32_t index, const AbutBox* box);

    /// The work of finding all pairs in blocks that may run at once.
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

// -----------------------------------------------------------------------------------------------------------
// What methods share, in pack_scan.c
// -----------------------------------------------------------------------------------------------------------

/// The boxes of packs [begin, end) against one.
bool abut_pack_scan_box(const AbutBoxPacks* items, uint32_t begin, uint32_t end, const AbutBox* box,
                        AbutBroadBoxFn* visit, void* context);

/// The boxes of all packs.
void abut_pack_scan_ray(const AbutBoxPacks* items, AbutBoxRay* ray, AbutBroadRayHitFn* visit, void* context);

/// For a table of methods that have nothing better.
void abut_pack_scan_query_ray(const AbutBroadStructure* structure, AbutBoxRay* ray, AbutBroadRayHitFn* visit,
                              void* context);

/// Pairs of one box, at `index`, and those of packs [begin, end).
void abut_pack_scan_pairs(const AbutBoxPacks* items, uint32_t index, uint32_t begin, uint32_t end,
                          AbutPairSink* sink);

/// Pairs within one pack.
void abut_pack_scan_own_pairs(const AbutBoxPacks* items, uint32_t pack, AbutPairSink* sink);

/// Hits of the kernels as pairs: those of `pack` with packs counted from `base`.
void abut_pair_sink_add_hits(const AbutBoxPacks* items, uint32_t pack, uint32_t base, const uint32_t* hits,
                             uint32_t hit_count, AbutPairSink* sink);

#endif
