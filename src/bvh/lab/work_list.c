#include "bvh/lab/work_list.h"

#include "base/assert.h"
#include "base/scratch.h"

#include <string.h>

enum
{
    FIRST_CAPACITY = 4096,
};

bool abut_work_list_create(AbutWorkList* list, AbutBvhQueue kind)
{
    *list = (AbutWorkList){ .kind = kind, .capacity = FIRST_CAPACITY };
    list->pairs = abut_scratch_acquire(list->capacity * sizeof(AbutNodePair));
    return list->pairs != NULL;
}

void abut_work_list_destroy(AbutWorkList* list)
{
    abut_scratch_release(list->pairs);
    list->pairs = NULL;
}

static bool grow(AbutWorkList* list)
{
    AbutNodePair* pairs = abut_scratch_acquire(2 * list->capacity * sizeof(AbutNodePair));
    if (pairs == NULL)
    {
        return false;
    }
    // The ring from its first pair on.
    size_t behind = list->capacity - list->first;
    memcpy(pairs, list->pairs + list->first, behind * sizeof(AbutNodePair));
    memcpy(pairs + behind, list->pairs, list->first * sizeof(AbutNodePair));
    abut_scratch_release(list->pairs);
    list->pairs = pairs;
    list->capacity *= 2;
    list->first = 0;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// The heap: a pair has at least the priority of those at twice its number, plus one and two
// -----------------------------------------------------------------------------------------------------------

static void sift_up(AbutNodePair* heap, size_t i, AbutNodePair pair)
{
    while (i > 0 && heap[(i - 1) / 2].priority < pair.priority)
    {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = pair;
}

static void sift_down(AbutNodePair* heap, size_t count, AbutNodePair pair)
{
    size_t i = 0;
    for (;;)
    {
        size_t child = 2 * i + 1;
        if (child >= count)
        {
            break;
        }
        child += child + 1 < count && heap[child + 1].priority > heap[child].priority;
        if (heap[child].priority <= pair.priority)
        {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = pair;
}

bool abut_work_list_push(AbutWorkList* list, AbutNodePair pair)
{
    if (list->count == list->capacity && !grow(list))
    {
        return false;
    }
    if (list->kind == ABUT_BVH_PRIORITY)
    {
        sift_up(list->pairs, list->count, pair);
    }
    else
    {
        list->pairs[(list->first + list->count) & (list->capacity - 1)] = pair;
    }
    list->count += 1;
    list->largest = list->count > list->largest ? list->count : list->largest;
    return true;
}

AbutNodePair abut_work_list_pop(AbutWorkList* list)
{
    ABUT_ASSERT(list->count > 0);
    list->count -= 1;
    if (list->kind == ABUT_BVH_STACK)
    {
        return list->pairs[list->count];
    }
    AbutNodePair pair = list->pairs[list->first];
    if (list->kind == ABUT_BVH_FIFO)
    {
        list->first = (list->first + 1) & (list->capacity - 1);
    }
    else
    {
        sift_down(list->pairs, list->count, list->pairs[list->count]);
    }
    return pair;
}
