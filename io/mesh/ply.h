/// @file ply.h
/// The header of a PLY file: elements with counts, and the properties that each item of an element has.
#ifndef ABUT_IO_PLY_H
#define ABUT_IO_PLY_H

#include "io/text/text.h"

typedef enum AbutIoPlyEncoding
{
    ABUT_IO_PLY_TEXT,
    ABUT_IO_PLY_LITTLE_ENDIAN,
    ABUT_IO_PLY_BIG_ENDIAN
} AbutIoPlyEncoding;

typedef enum AbutIoPlyType
{
    ABUT_IO_PLY_INT8,
    ABUT_IO_PLY_UINT8,
    ABUT_IO_PLY_INT16,
    ABUT_IO_PLY_UINT16,
    ABUT_IO_PLY_INT32,
    ABUT_IO_PLY_UINT32,
    ABUT_IO_PLY_FLOAT32,
    ABUT_IO_PLY_FLOAT64,
    ABUT_IO_PLY_TYPE_COUNT
} AbutIoPlyType;

/// What a property means to a mesh.
typedef enum AbutIoPlyRole
{
    ABUT_IO_PLY_OTHER,
    ABUT_IO_PLY_X,
    ABUT_IO_PLY_Y,
    ABUT_IO_PLY_Z,
    ABUT_IO_PLY_CORNERS ///< a list of vertex numbers
} AbutIoPlyRole;

typedef struct AbutIoPlyProperty
{
    AbutIoPlyRole role;
    bool is_list;
    AbutIoPlyType count_type; ///< of a list
    AbutIoPlyType type;
} AbutIoPlyProperty;

typedef enum AbutIoPlyKind
{
    ABUT_IO_PLY_ELEMENT_OTHER,
    ABUT_IO_PLY_ELEMENT_VERTEX,
    ABUT_IO_PLY_ELEMENT_FACE,
    ABUT_IO_PLY_ELEMENT_STRIPS
} AbutIoPlyKind;

typedef struct AbutIoPlyElement
{
    AbutIoPlyKind kind;
    size_t line; ///< of its declaration
    uint64_t count;
    size_t first_property;
    size_t property_count;
    uint64_t item_size; ///< fewest bytes of an item: lists empty; in text, one digit and one blank per value
} AbutIoPlyElement;

typedef struct AbutIoPlyHeader
{
    AbutIoPlyEncoding encoding;
    bool lone_returns;      ///< lines end with CR alone
    AbutIoArray elements;   ///< AbutIoPlyElement
    AbutIoArray properties; ///< AbutIoPlyProperty
} AbutIoPlyHeader;

/// Reads the header and leaves `text` on the first byte behind it. Refuses counts that cannot fit into the
/// bytes that follow, and elements without the properties that a mesh needs. The arrays must be freed in any
/// case.
AbutResult abut_io_ply_read_header(AbutIoText* text, AbutIoPlyHeader* header);

/// Bytes of a number.
static inline size_t abut_io_ply_type_size(AbutIoPlyType type)
{
    static const uint8_t sizes[ABUT_IO_PLY_TYPE_COUNT] = { 1, 1, 2, 2, 4, 4, 4, 8 };
    return sizes[type];
}

/// The properties of an element; NULL without any.
static inline const AbutIoPlyProperty* abut_io_ply_properties(const AbutIoPlyHeader* header,
                                                              const AbutIoPlyElement* element)
{
    const AbutIoPlyProperty* properties = header->properties.items;
    return element->property_count > 0 ? properties + element->first_property : NULL;
}

#endif
