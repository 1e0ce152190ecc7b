#include "mesh/repair/position_order.h"

#include "base/assert.h"

typedef struct Sorting
{
    uint32_t* items;
    AbutBeforeFn* before;
    const void* context;
} Sorting;

static void sift_down(const Sorting* self, size_t i, size_t count)
{
    uint32_t item = self->items[i];
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1)
    {
        if (child + 1 < count && self->before(self->context, self->items[child], self->items[child + 1]))
        {
            child += 1;
        }
        if (!self->before(self->context, item, self->items[child]))
        {
            break;
        }
        self->items[i] = self->items[child];
        i = child;
    }
    self->items[i] = item;
}

#if defined(ABUT_ENABLE_ASSERTS)
static bool is_sorted(const Sorting* self, size_t count)
{
    for (size_t i = 1; i < count; ++i)
    {
        if (self->before(self->context, self->items[i], self->items[i - 1]))
        {
            return false;
        }
    }
    return true;
}
#endif

void abut_sort_items(uint32_t* items, size_t count, AbutBeforeFn* before, const void* context)
{
    const Sorting sorting = { items, before, context };
    for (size_t i = count / 2; i-- > 0;)
    {
        sift_down(&sorting, i, count);
    }
    for (size_t end = count; end-- > 1;)
    {
        uint32_t last = items[0];
        items[0] = items[end];
        items[end] = last;
        sift_down(&sorting, 0, end);
    }
    ABUT_ASSERT(is_sorted(&sorting, count));
}
