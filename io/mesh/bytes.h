/// @file bytes.h
/// Numbers of binary formats, at any alignment and in either byte order. Compilers turn these into single
/// loads.
#ifndef ABUT_IO_BYTES_H
#define ABUT_IO_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t abut_io_u16(const char* bytes, bool big_endian)
{
    const uint8_t* b = (const uint8_t*)bytes;
    return (uint16_t)(big_endian ? b[0] << 8 | b[1] : b[1] << 8 | b[0]);
}

static inline uint32_t abut_io_u32(const char* bytes, bool big_endian)
{
    const uint8_t* b = (const uint8_t*)bytes;
    return big_endian ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                      : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static inline uint64_t abut_io_u64(const char* bytes, bool big_endian)
{
    uint64_t first = abut_io_u32(bytes, big_endian);
    uint64_t second = abut_io_u32(bytes + 4, big_endian);
    return big_endian ? first << 32 | second : second << 32 | first;
}

static inline float abut_io_f32(const char* bytes, bool big_endian)
{
    uint32_t bits = abut_io_u32(bytes, big_endian);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline double abut_io_f64(const char* bytes, bool big_endian)
{
    uint64_t bits = abut_io_u64(bytes, big_endian);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline void abut_io_put_u32(char* bytes, uint32_t value)
{
    bytes[0] = (char)(value & 0xFF);
    bytes[1] = (char)(value >> 8 & 0xFF);
    bytes[2] = (char)(value >> 16 & 0xFF);
    bytes[3] = (char)(value >> 24);
}

static inline void abut_io_put_u64(char* bytes, uint64_t value)
{
    abut_io_put_u32(bytes, (uint32_t)value);
    abut_io_put_u32(bytes + 4, (uint32_t)(value >> 32));
}

static inline void abut_io_put_f32(char* bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    abut_io_put_u32(bytes, bits);
}

#endif
