/// @file ply_values.h
/// The values behind a PLY header, one after the other, in any of the three encodings.
#ifndef ABUT_IO_PLY_VALUES_H
#define ABUT_IO_PLY_VALUES_H

#include "io/mesh/bytes.h"
#include "io/mesh/ply.h"
#include "io/text/float_text.h"

typedef struct AbutIoPlyValues
{
    AbutIoText text; ///< the place; its line counts in text files only
    AbutIoPlyEncoding encoding;
} AbutIoPlyValues;

static inline size_t abut_io_ply_bytes_left(const AbutIoPlyValues* values)
{
    return (size_t)(values->text.end - values->text.at);
}

/// Fails with the line in text files and with the byte in binary ones.
AbutResult abut_io_ply_fail(const AbutIoPlyValues* values, const char* format, ...) ABUT_PRINTF(2, 3);

/// Around every item of a text file, which is a line. Blank lines are passed over.
AbutResult abut_io_ply_begin_item(AbutIoPlyValues* values);
AbutResult abut_io_ply_end_item(AbutIoPlyValues* values);

static inline int64_t abut_io_ply_integer(const char* bytes, AbutIoPlyType type, bool big_endian)
{
    switch (type)
    {
    case ABUT_IO_PLY_INT8:
        return (int8_t)*bytes;
    case ABUT_IO_PLY_UINT8:
        return (uint8_t)*bytes;
    case ABUT_IO_PLY_INT16:
        return (int16_t)abut_io_u16(bytes, big_endian);
    case ABUT_IO_PLY_UINT16:
        return abut_io_u16(bytes, big_endian);
    case ABUT_IO_PLY_INT32:
        return (int32_t)abut_io_u32(bytes, big_endian);
    default:
        return abut_io_u32(bytes, big_endian);
    }
}

static inline double abut_io_ply_number(const char* bytes, AbutIoPlyType type, bool big_endian)
{
    switch (type)
    {
    case ABUT_IO_PLY_FLOAT32:
        return (double)abut_io_f32(bytes, big_endian);
    case ABUT_IO_PLY_FLOAT64:
        return abut_io_f64(bytes, big_endian);
    default:
        return (double)abut_io_ply_integer(bytes, type, big_endian);
    }
}

/// The same as below for text, and for binary files that end too early or hold no good number.
AbutResult abut_io_ply_read_other_integer(AbutIoPlyValues* values, AbutIoPlyType type, int64_t* out);
AbutResult abut_io_ply_read_other_coordinate(AbutIoPlyValues* values, AbutIoPlyType type, float* out);

/// A number of an integer type.
static inline AbutResult abut_io_ply_read_integer(AbutIoPlyValues* values, AbutIoPlyType type, int64_t* out)
{
    size_t size = abut_io_ply_type_size(type);
    if (values->encoding == ABUT_IO_PLY_TEXT || abut_io_ply_bytes_left(values) < size)
    {
        return abut_io_ply_read_other_integer(values, type, out);
    }
    *out = abut_io_ply_integer(values->text.at, type, values->encoding == ABUT_IO_PLY_BIG_ENDIAN);
    values->text.at += size;
    return ABUT_OK;
}

/// A number of any type as a finite float.
static inline AbutResult abut_io_ply_read_coordinate(AbutIoPlyValues* values, AbutIoPlyType type, float* out)
{
    size_t size = abut_io_ply_type_size(type);
    if (values->encoding == ABUT_IO_PLY_TEXT || abut_io_ply_bytes_left(values) < size)
    {
        return abut_io_ply_read_other_coordinate(values, type, out);
    }
    double number = abut_io_ply_number(values->text.at, type, values->encoding == ABUT_IO_PLY_BIG_ENDIAN);
    if (!abut_io_float_from_double(number, out))
    {
        return abut_io_ply_read_other_coordinate(values, type, out);
    }
    values->text.at += size;
    return ABUT_OK;
}

/// The length of a list of which all items can still be there.
AbutResult abut_io_ply_read_length(AbutIoPlyValues* values, const AbutIoPlyProperty* list, size_t* out);

AbutResult abut_io_ply_skip_values(AbutIoPlyValues* values, AbutIoPlyType type, size_t count);

/// Over a property with all of its values.
AbutResult abut_io_ply_skip_property(AbutIoPlyValues* values, const AbutIoPlyProperty* property);

#endif
