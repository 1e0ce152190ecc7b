/// @file traverse.h
/// The traversal of two trees, down to pairs of packs.
#ifndef ABUT_BVH_TRAVERSE_H
#define ABUT_BVH_TRAVERSE_H

#include "bvh/frame.h"
#include "bvh/kernels.h"

/// A pair of packs whose boxes hit each other. False ends the traversal.
typedef bool AbutPackPairFn(void* context, uint32_t pack_a, uint32_t pack_b);

/// Visits all pairs of packs whose boxes hit each other in the frame, depth first, both trees together. No
/// recursion: a stack from the thread's scratch. False without memory for it.
bool abut_tree_traverse(const AbutMeshTree* a, const AbutMeshTree* b, const AbutTreeFrame* frame,
                        AbutPackPairFn* visit, void* context);

/// The frame of two packs for AbutTreeKernels.pack_hits, with pairs within `margin`.
AbutPackFrame abut_pack_frame(const AbutTreeFrame* frame, const AbutTrianglePack* a,
                              const AbutTrianglePack* b, double margin);

#endif
