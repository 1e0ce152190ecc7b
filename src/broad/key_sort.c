// Radix sort with digits of eleven bits. The three highest digits that differ at all come first; they order
// most sets of boxes completely, and only runs of equal ones (crowds far smaller than the world) are sorted
// by the rest.
#include "broad/key_sort.h"

#include "base/memory.h"

#include <string.h>

enum
{
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    TOP_DIGITS = 3,
    SHORT_RUN = 64 // items for which insertion sort is faster
};

bool abut_key_sort_reserve(AbutKeySort* order, const AbutHost* host, size_t count)
{
    return abut_memory_grow(host, (void**)&order->items, &order->item_capacity, count, sizeof(AbutKeyedId)) &&
           abut_memory_grow(host, (void**)&order->scratch, &order->scratch_capacity, count,
                            sizeof(AbutKeyedId));
}

void abut_key_sort_free(AbutKeySort* order, const AbutHost* host)
{
    abut_memory_free(host, order->items, order->item_capacity, sizeof(AbutKeyedId));
    abut_memory_free(host, order->scratch, order->scratch_capacity, sizeof(AbutKeyedId));
}

static void insert_items(AbutKeyedId* items, size_t count)
{
    for (size_t i = 1; i < count; ++i)
    {
        AbutKeyedId item = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1].key > item.key; --k)
        {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

static void scatter(const AbutKeyedId* from, size_t count, unsigned shift, AbutKeyedId* to)
{
    uint32_t starts[DIGITS] = { 0 };
    for (size_t i = 0; i < count; ++i)
    {
        starts[from[i].key >> shift & (DIGITS - 1)] += 1;
    }
    uint32_t sum = 0;
    for (int digit = 0; digit < DIGITS; ++digit)
    {
        uint32_t digit_count = starts[digit];
        starts[digit] = sum;
        sum += digit_count;
    }
    for (size_t i = 0; i < count; ++i)
    {
        to[starts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
    }
}

/// The bits in which keys differ.
static uint64_t differing_bits(const AbutKeyedId* items, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < count; ++i)
    {
        bits |= items[i].key ^ items[0].key;
    }
    return bits;
}

static unsigned bit_length(uint64_t bits)
{
    return bits == 0 ? 0 : 64u - (unsigned)__builtin_clzll(bits);
}

/// By the three digits from bit `shift` on.
static void sort_digits(AbutKeyedId* items, AbutKeyedId* scratch, size_t count, unsigned shift,
                        uint64_t differing)
{
    AbutKeyedId *from = items, *to = scratch;
    for (unsigned digit = 0; digit < TOP_DIGITS; ++digit)
    {
        unsigned at = shift + digit * DIGIT_BITS;
        if (at < 64 && (differing >> at & (DIGITS - 1)) != 0)
        {
            scatter(from, count, at, to);
            AbutKeyedId* swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != items)
    {
        memcpy(items, from, count * sizeof(AbutKeyedId));
    }
}

static void sort_items(AbutKeyedId* items, AbutKeyedId* scratch, size_t count);

/// Sorts runs that are equal in the bits from `shift` on.
static void sort_runs(AbutKeyedId* items, AbutKeyedId* scratch, size_t count, unsigned shift)
{
    for (size_t begin = 0, end; begin < count; begin = end)
    {
        end = begin + 1;
        while (end < count && items[end].key >> shift == items[begin].key >> shift)
        {
            end += 1;
        }
        sort_items(items + begin, scratch + begin, end - begin);
    }
}

/// Recurses for runs that differ in fewer bits than this, so at most once.
static void sort_items(AbutKeyedId* items, AbutKeyedId* scratch, size_t count)
{
    if (count <= SHORT_RUN)
    {
        insert_items(items, count);
        return;
    }
    uint64_t differing = differing_bits(items, count);
    unsigned length = bit_length(differing), all = TOP_DIGITS * DIGIT_BITS;
    unsigned shift = length > all ? length - all : 0;
    sort_digits(items, scratch, count, shift, differing);
    if (shift > 0)
    {
        sort_runs(items, scratch, count, shift);
    }
}

void abut_key_sort_range(AbutKeySort* order, size_t first, size_t count)
{
    if (count > 1) // without items there may be no memory
    {
        sort_items(order->items + first, order->scratch + first, count);
    }
}
