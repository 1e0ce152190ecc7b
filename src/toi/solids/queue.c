// A binary heap of boxes.
#include "toi/solids/queue.h"

#include "base/assert.h"

/// Small boxes first at equal times: they may end the search.
static bool is_before(const AbutToiBox* a, const AbutToiBox* b)
{
    return a->time < b->time || (a->time == b->time && a->level > b->level);
}

void abut_toi_queue_push(AbutToiQueue* queue, const AbutToiBox* box)
{
    ABUT_ASSERT(queue->count < ABUT_TOI_QUEUE);
    uint32_t at = queue->count++;
    while (at > 0 && is_before(box, &queue->boxes[(at - 1) / 2]))
    {
        queue->boxes[at] = queue->boxes[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->boxes[at] = *box;
}

bool abut_toi_queue_pop(AbutToiQueue* queue, AbutToiBox* box)
{
    if (queue->count == 0)
    {
        return false;
    }
    *box = queue->boxes[0];
    AbutToiBox last = queue->boxes[--queue->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < queue->count; at = child)
    {
        child += child + 1 < queue->count && is_before(&queue->boxes[child + 1], &queue->boxes[child]);
        if (!is_before(&queue->boxes[child], &last))
        {
            break;
        }
        queue->boxes[at] = queue->boxes[child];
    }
    queue->boxes[at] = last;
    return true;
}

void abut_toi_queue_keep(AbutToiQueue* queue, double limit)
{
    uint32_t count = queue->count;
    queue->count = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutToiBox box = queue->boxes[i]; // a copy: pushes overwrite the array from its beginning
        if (box.time < limit)
        {
            abut_toi_queue_push(queue, &box);
        }
    }
}
