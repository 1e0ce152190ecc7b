// PLY in text, binary little endian and binary big endian: vertices, faces and triangle strips. Elements and
// properties that a mesh does not need are passed over.
#include "io/mesh/ply.h"

#include "io/mesh/ply_values.h"

enum
{
    STRIP_RESTART = -1,
    SMALLEST_TRIANGLE = 4 // bytes: a length and three numbers
};

typedef struct PlyReader
{
    AbutIoPlyHeader header;
    AbutIoPlyValues values;
    AbutIoBuilder* builder;
    AbutIoArray corners; // uint32_t; of the face or strip that is being read
} PlyReader;

typedef AbutResult ReadItemFn(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item);

// -----------------------------------------------------------------------------------------------------------
// Vertices
// -----------------------------------------------------------------------------------------------------------

static AbutResult read_vertex(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item)
{
    (void)item;
    const AbutIoPlyProperty* properties = abut_io_ply_properties(&reader->header, element);
    float coordinates[3] = { 0.0f, 0.0f, 0.0f };
    for (size_t i = 0; i < element->property_count; ++i)
    {
        AbutIoPlyRole role = properties[i].role;
        AbutResult result = role == ABUT_IO_PLY_OTHER
                                ? abut_io_ply_skip_property(&reader->values, &properties[i])
                                : abut_io_ply_read_coordinate(&reader->values, properties[i].type,
                                                              &coordinates[role - ABUT_IO_PLY_X]);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    abut_io_builder_put_vertex(reader->builder, abut_vec3(coordinates[0], coordinates[1], coordinates[2]));
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Faces and strips
// -----------------------------------------------------------------------------------------------------------

/// The number of a corner that is no vertex's: in strips −1 starts a new one.
static AbutResult check_restart(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item,
                                int64_t corner, const char* start)
{
    bool strips = element->kind == ABUT_IO_PLY_ELEMENT_STRIPS;
    if (strips && corner == STRIP_RESTART)
    {
        return ABUT_OK;
    }
    reader->values.text.at = start;
    return abut_io_ply_fail(&reader->values, "%s %llu refers to vertex %lld of %zu, which count from 0",
                            strips ? "strip" : "face", (unsigned long long)item, (long long)corner,
                            reader->builder->vertices.count);
}

/// Restarts of strips become UINT32_MAX, which is no vertex's number.
static AbutResult read_corners(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item,
                               const AbutIoPlyProperty* list)
{
    size_t count = 0;
    AbutResult result = abut_io_ply_read_length(&reader->values, list, &count);
    reader->corners.count = 0;
    if (result == ABUT_OK && !abut_io_array_reserve(reader->builder->host, &reader->corners, count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    uint32_t* corners = reader->corners.items;
    reader->corners.count = count;
    for (size_t i = 0; i < count && result == ABUT_OK; ++i)
    {
        const char* start = reader->values.text.at;
        int64_t corner = 0;
        result = abut_io_ply_read_integer(&reader->values, list->type, &corner);
        if (result == ABUT_OK && (uint64_t)corner >= reader->builder->vertices.count)
        {
            result = check_restart(reader, element, item, corner, start);
        }
        corners[i] = (uint32_t)corner;
    }
    return result;
}

/// Reads all properties of a face or strip and leaves its corners in reader->corners.
static AbutResult read_item_corners(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item)
{
    const AbutIoPlyProperty* properties = abut_io_ply_properties(&reader->header, element);
    AbutResult result = ABUT_OK;
    for (size_t i = 0; i < element->property_count && result == ABUT_OK; ++i)
    {
        result = properties[i].role == ABUT_IO_PLY_CORNERS
                     ? read_corners(reader, element, item, &properties[i])
                     : abut_io_ply_skip_property(&reader->values, &properties[i]);
    }
    return result;
}

/// What nearly all faces of text files are: a line with a 3 and three numbers of vertices, one blank before
/// each. Anything else is left to the general way, which knows all forms and all complaints.
static bool read_plain_triangle(PlyReader* reader, uint32_t corners[3])
{
    const char* p = reader->values.text.at;
    const char* end = reader->values.text.end;
    if (end - p < 2 || *p++ != '3')
    {
        return false;
    }
    for (int i = 0; i < 3; ++i)
    {
        if (p == NULL || p == end || *p != ' ')
        {
            return false;
        }
        p = abut_io_read_digits(p + 1, end, &corners[i]);
        if (corners[i] >= reader->builder->vertices.count)
        {
            return false;
        }
    }
    if (p == NULL || p == end || !abut_io_is_line_end(*p))
    {
        return false;
    }
    reader->values.text.at = p;
    return true;
}

static AbutResult read_face(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item)
{
    uint32_t triangle[3];
    bool is_text = reader->values.encoding == ABUT_IO_PLY_TEXT;
    if (is_text && element->property_count == 1 && read_plain_triangle(reader, triangle))
    {
        return abut_io_builder_add_polygon(reader->builder, triangle, 3);
    }
    AbutResult result = read_item_corners(reader, element, item);
    return result == ABUT_OK
               ? abut_io_builder_add_polygon(reader->builder, reader->corners.items, reader->corners.count)
               : result;
}

/// Every corner after the second since the last restart makes a triangle with the two before it, every other
/// one turned round. Triangles with two equal corners only serve to join strips and are left out.
static AbutResult read_strip(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item)
{
    AbutResult result = read_item_corners(reader, element, item);
    size_t count = reader->corners.count;
    result = result == ABUT_OK ? abut_io_builder_reserve_triangles(reader->builder, count) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    const uint32_t* corners = reader->corners.items;
    size_t start = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (corners[i] == UINT32_MAX)
        {
            start = i + 1;
            continue;
        }
        if (i < start + 2)
        {
            continue;
        }
        bool odd = (i - start) % 2 != 0;
        uint32_t a = corners[odd ? i - 1 : i - 2];
        uint32_t b = corners[odd ? i - 2 : i - 1];
        uint32_t c = corners[i];
        if (a != b && b != c && c != a)
        {
            abut_io_builder_put_triangle(reader->builder, a, b, c);
        }
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Elements
// -----------------------------------------------------------------------------------------------------------

static AbutResult skip_item(PlyReader* reader, const AbutIoPlyElement* element, uint64_t item)
{
    (void)item;
    const AbutIoPlyProperty* properties = abut_io_ply_properties(&reader->header, element);
    AbutResult result = ABUT_OK;
    for (size_t i = 0; i < element->property_count && result == ABUT_OK; ++i)
    {
        result = abut_io_ply_skip_property(&reader->values, &properties[i]);
    }
    return result;
}

/// Room for all vertices, or for as many triangles as there can be when every face is one.
static AbutResult reserve(PlyReader* reader, const AbutIoPlyElement* element)
{
    if (element->kind == ABUT_IO_PLY_ELEMENT_VERTEX)
    {
        return abut_io_builder_reserve_vertices(reader->builder, (size_t)element->count);
    }
    size_t most = abut_io_ply_bytes_left(&reader->values) / SMALLEST_TRIANGLE;
    size_t count = element->count < most ? (size_t)element->count : most;
    return element->kind == ABUT_IO_PLY_ELEMENT_FACE
               ? abut_io_builder_reserve_triangles(reader->builder, count)
               : ABUT_OK;
}

static AbutResult read_items(PlyReader* reader, const AbutIoPlyElement* element, ReadItemFn* read_item)
{
    // Earlier lists may have used up bytes that the check of the header still counted on.
    AbutIoPlyValues* values = &reader->values;
    bool is_text = values->encoding == ABUT_IO_PLY_TEXT;
    uint64_t left = abut_io_ply_bytes_left(values) + is_text; // the last line needs no end
    if (element->item_size == 0)
    {
        return ABUT_OK;
    }
    if (element->count > left / element->item_size)
    {
        return abut_io_ply_fail(
            values, "%llu more items of at least %llu bytes were declared, but only %zu bytes follow",
            (unsigned long long)element->count, (unsigned long long)element->item_size,
            abut_io_ply_bytes_left(values));
    }
    AbutResult result = reserve(reader, element);
    for (uint64_t item = 0; item < element->count && result == ABUT_OK; ++item)
    {
        result = is_text ? abut_io_ply_begin_item(values) : ABUT_OK;
        result = result == ABUT_OK ? read_item(reader, element, item) : result;
        result = result == ABUT_OK && is_text ? abut_io_ply_end_item(values) : result;
        result = result == ABUT_OK ? abut_io_progress(values->text.load, abut_io_text_offset(&values->text))
                                   : result;
    }
    return result;
}

static AbutResult read_element(PlyReader* reader, const AbutIoPlyElement* element)
{
    switch (element->kind)
    {
    case ABUT_IO_PLY_ELEMENT_VERTEX:
        return read_items(reader, element, read_vertex);
    case ABUT_IO_PLY_ELEMENT_FACE:
        return read_items(reader, element, read_face);
    case ABUT_IO_PLY_ELEMENT_STRIPS:
        return read_items(reader, element, read_strip);
    default:
        return read_items(reader, element, skip_item);
    }
}

static bool needs_vertices(const AbutIoPlyElement* element)
{
    return element->kind == ABUT_IO_PLY_ELEMENT_FACE || element->kind == ABUT_IO_PLY_ELEMENT_STRIPS;
}

/// Elements may come in any order, but faces can only be read when the vertices are there: those that stand
/// before the vertices are passed over at first and read afterwards.
static AbutResult read_elements(PlyReader* reader)
{
    const AbutIoPlyElement* elements = reader->header.elements.items;
    size_t element_count = reader->header.elements.count;
    AbutIoPlyValues start = reader->values;
    AbutResult result = ABUT_OK;
    size_t early_count = 0; // elements up to the vertices
    bool early_faces = false;
    bool has_vertices = false;
    for (size_t i = 0; i < element_count && result == ABUT_OK; ++i)
    {
        bool early = needs_vertices(&elements[i]) && !has_vertices;
        result = early ? read_items(reader, &elements[i], skip_item) : read_element(reader, &elements[i]);
        early_faces = early_faces || early;
        has_vertices = has_vertices || elements[i].kind == ABUT_IO_PLY_ELEMENT_VERTEX;
        early_count += has_vertices ? 0 : 1;
    }
    AbutIoPlyValues end = reader->values;
    reader->values = start;
    for (size_t i = 0; early_faces && i < early_count && result == ABUT_OK; ++i)
    {
        result = needs_vertices(&elements[i]) ? read_element(reader, &elements[i])
                                              : read_items(reader, &elements[i], skip_item);
    }
    reader->values = result == ABUT_OK ? end : reader->values;
    return result;
}

static void warn_of_rest(const PlyReader* reader)
{
    AbutIoText rest = reader->values.text;
    while (rest.at < rest.end && reader->header.encoding == ABUT_IO_PLY_TEXT &&
           (abut_io_is_blank(*rest.at) || abut_io_is_line_end(*rest.at)))
    {
        ++rest.at;
    }
    if (rest.at < rest.end)
    {
        abut_io_warn(rest.load, "%zu bytes behind the last element were left out",
                     (size_t)(rest.end - rest.at));
    }
}

AbutResult abut_io_ply_read(AbutIoLoad* load, AbutIoBuilder* builder)
{
    PlyReader reader = { .header.elements.item_size = sizeof(AbutIoPlyElement),
                         .header.properties.item_size = sizeof(AbutIoPlyProperty),
                         .values.text = abut_io_text_make(load),
                         .builder = builder,
                         .corners.item_size = sizeof(uint32_t) };
    AbutResult result = abut_io_ply_read_header(&reader.values.text, &reader.header);
    if (result == ABUT_OK)
    {
        reader.values.encoding = reader.header.encoding;
        result = read_elements(&reader);
    }
    if (result == ABUT_OK)
    {
        warn_of_rest(&reader);
    }
    abut_io_array_free(builder->host, &reader.corners);
    abut_io_array_free(builder->host, &reader.header.elements);
    abut_io_array_free(builder->host, &reader.header.properties);
    return result;
}
