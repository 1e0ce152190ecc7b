// XXH64 after its public specification (four lanes of 8 bytes, little endian).
#include <abut/base.h>
#include <string.h>

static const uint64_t PRIME_1 = 0x9E3779B185EBCA87u;
static const uint64_t PRIME_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t PRIME_3 = 0x165667B19E3779F9u;
static const uint64_t PRIME_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t PRIME_5 = 0x27D4EB2F165667C5u;

static uint64_t rotate_left(uint64_t value, unsigned bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static uint64_t read_64(const uint8_t* p)
{
    uint64_t value;
    memcpy(&value, p, sizeof(value));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static uint64_t read_32(const uint8_t* p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static uint64_t mix_lane(uint64_t lane, uint64_t input)
{
    return rotate_left(lane + input * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge_lane(uint64_t hash, uint64_t lane)
{
    return (hash ^ mix_lane(0, lane)) * PRIME_1 + PRIME_4;
}

static uint64_t hash_stripes(const uint8_t** cursor, const uint8_t* end, uint64_t seed)
{
    uint64_t lanes[4] = { seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1 };
    const uint8_t* p = *cursor;
    for (; end - p >= 32; p += 32)
    {
        for (int i = 0; i < 4; ++i)
        {
            lanes[i] = mix_lane(lanes[i], read_64(p + 8 * i));
        }
    }
    *cursor = p;
    uint64_t hash = rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) + rotate_left(lanes[2], 12) +
                    rotate_left(lanes[3], 18);
    for (int i = 0; i < 4; ++i)
    {
        hash = merge_lane(hash, lanes[i]);
    }
    return hash;
}

static uint64_t avalanche(uint64_t hash)
{
    hash = (hash ^ (hash >> 33)) * PRIME_2;
    hash = (hash ^ (hash >> 29)) * PRIME_3;
    return hash ^ (hash >> 32);
}

uint64_t abut_hash(const void* data, size_t size, uint64_t seed)
{
    if (size == 0)
    {
        return avalanche(seed + PRIME_5);
    }
    const uint8_t* p = data;
    const uint8_t* end = p + size;
    uint64_t hash = size >= 32 ? hash_stripes(&p, end, seed) : seed + PRIME_5;
    hash += size;
    for (; end - p >= 8; p += 8)
    {
        hash = rotate_left(hash ^ mix_lane(0, read_64(p)), 27) * PRIME_1 + PRIME_4;
    }
    if (end - p >= 4)
    {
        hash = rotate_left(hash ^ (read_32(p) * PRIME_1), 23) * PRIME_2 + PRIME_3;
        p += 4;
    }
    for (; p < end; ++p)
    {
        hash = rotate_left(hash ^ (*p * PRIME_5), 11) * PRIME_1;
    }
    return avalanche(hash);
}
