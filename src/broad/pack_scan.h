/// @file pack_scan.h
/// Scans of packs of boxes, shared by broad-phase methods.
#ifndef ABUT_BROAD_PACK_SCAN_H
#define ABUT_BROAD_PACK_SCAN_H

#include "broad/method.h"

/// Boxes of packs [begin, end) that overlap a box.
bool abut_pack_scan_box(const AbutBoxPacks* items, uint32_t begin, uint32_t end, const AbutBox* box,
                        AbutBroadBoxFn* visit, void* context);

/// Boxes of all packs that a ray hits.
void abut_pack_scan_ray(const AbutBoxPacks* items, AbutBoxRay* ray, AbutBroadRayHitFn* visit, void* context);

/// The same as a row of a method without a better one.
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
