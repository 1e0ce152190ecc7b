#include "base/sort.h"

#include "base/assert.h"

#include <string.h>

/// One pass of a radix sort, by the byte at `shift`.
static void sort_by_byte(const uint64_t* from, uint64_t* to, size_t count, int shift)
{
    size_t starts[256] = { 0 };
    for (size_t i = 0; i < count; ++i)
    {
        starts[from[i] >> shift & 255] += 1;
    }
    size_t sum = 0;
    for (int byte = 0; byte < 256; ++byte)
    {
        size_t n = starts[byte];
        starts[byte] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; ++i)
    {
        to[starts[from[i] >> shift & 255]++] = from[i];
    }
}

#if defined(ABUT_ENABLE_ASSERTS)
static bool is_sorted(const uint64_t* keys, size_t count, int first_bit)
{
    for (size_t i = 1; i < count; ++i)
    {
        if (keys[i - 1] >> first_bit > keys[i] >> first_bit)
        {
            return false;
        }
    }
    return true;
}
#endif

void abut_sort_keys(uint64_t* keys, uint64_t* scratch, size_t count, int first_bit)
{
    ABUT_ASSERT(first_bit >= 0 && first_bit < 64 && first_bit % 8 == 0);
    ABUT_ASSERT(count == 0 || keys != scratch);
    uint64_t *from = keys, *to = scratch, differs = 0;
    for (size_t i = 1; i < count; ++i)
    {
        differs |= keys[i] ^ keys[0];
    }
    for (int shift = first_bit; shift < 64; shift += 8)
    {
        if ((differs >> shift & 255) != 0)
        {
            sort_by_byte(from, to, count, shift);
            uint64_t* other = from;
            from = to;
            to = other;
        }
    }
    if (from != keys)
    {
        memcpy(keys, from, count * sizeof(keys[0]));
    }
    ABUT_ASSERT(is_sorted(keys, count, first_bit));
}
