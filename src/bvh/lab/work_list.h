/// @file work_list.h
/// Pairs of nodes that wait for a traversal: a stack, a first-in first-out queue or a priority queue.
#ifndef ABUT_BVH_LAB_WORK_LIST_H
#define ABUT_BVH_LAB_WORK_LIST_H

#include <abut/bvh.h>

typedef struct AbutNodePair
{
    double priority; // the largest first
    uint32_t a, b;
} AbutNodePair;

typedef struct AbutWorkList
{
    AbutBvhQueue kind;
    AbutNodePair* pairs; // scratch of the thread
    size_t capacity;     // a power of two
    size_t first, count; // the queue is a ring
    size_t largest;      // count so far
} AbutWorkList;

/// False without memory.
bool abut_work_list_create(AbutWorkList* list, AbutBvhQueue kind);
void abut_work_list_destroy(AbutWorkList* list);

/// False without memory.
bool abut_work_list_push(AbutWorkList* list, AbutNodePair pair);

/// The list is not empty.
AbutNodePair abut_work_list_pop(AbutWorkList* list);

#endif
