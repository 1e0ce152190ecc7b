/// @file whole.h
/// Vectors of whole numbers of 128 bits: exact dot and cross products for oracles of signs.
#ifndef ABUT_TEST_WHOLE_H
#define ABUT_TEST_WHOLE_H

#include "support/support.h"

__extension__ typedef __int128 Wide;

typedef struct Whole
{
    Wide x, y, z;
} Whole;

static inline Whole whole_sub(Whole a, Whole b)
{
    return (Whole){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline Whole whole_cross(Whole a, Whole b)
{
    return (Whole){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline Wide whole_dot(Whole a, Whole b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline bool whole_is_zero(Whole a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static inline int wide_sign(Wide x)
{
    return (x > 0) - (x < 0);
}

static inline int64_t random_whole_number(TestRandom* random, int64_t half)
{
    return (int64_t)(test_random_bits(random) % (2 * (uint64_t)half + 1)) - half;
}

/// Coordinates from −half to half.
static inline Whole random_whole(TestRandom* random, int64_t half)
{
    int64_t x = random_whole_number(random, half);
    int64_t y = random_whole_number(random, half);
    int64_t z = random_whole_number(random, half);
    return (Whole){ x, y, z };
}

/// Sign of the volume of a tetrahedron.
static inline int whole_orient(const Whole p[4])
{
    return wide_sign(
        whole_dot(whole_cross(whole_sub(p[1], p[0]), whole_sub(p[2], p[0])), whole_sub(p[3], p[0])));
}

#endif
