#include "io/mesh/ply.h"

typedef struct TypeName
{
    const char* name;
    AbutIoPlyType type;
} TypeName;

/// A word of the header, in place.
typedef struct Word
{
    const char* start;
    size_t length;
} Word;

static bool is_word(Word word, const char* expected)
{
    return word.length == strlen(expected) && memcmp(word.start, expected, word.length) == 0;
}

/// The next word of this line; empty when there is none.
static Word take_word(AbutIoText* text)
{
    abut_io_text_skip_blanks(text);
    Word word = { text->at, 0 };
    word.length = abut_io_text_skip_word(text);
    return word;
}

static AbutResult fail_at_word(const AbutIoText* text, Word word, const char* expected)
{
    AbutIoText position = *text;
    position.at = word.start;
    char found[ABUT_IO_EXCERPT_SIZE];
    return abut_io_fail_line(text->load, text->line, "expected %s, found %s", expected,
                             abut_io_text_excerpt(&position, found));
}

static AbutResult expect_line_end(AbutIoText* text)
{
    Word word = take_word(text);
    return word.length == 0 ? ABUT_OK : fail_at_word(text, word, "the end of the line");
}

// -----------------------------------------------------------------------------------------------------------
// Statements
// -----------------------------------------------------------------------------------------------------------

static AbutResult read_format(AbutIoText* text, AbutIoPlyHeader* header)
{
    Word encoding = take_word(text);
    if (is_word(encoding, "ascii"))
    {
        header->encoding = ABUT_IO_PLY_TEXT;
    }
    else if (is_word(encoding, "binary_little_endian"))
    {
        header->encoding = ABUT_IO_PLY_LITTLE_ENDIAN;
    }
    else if (is_word(encoding, "binary_big_endian"))
    {
        header->encoding = ABUT_IO_PLY_BIG_ENDIAN;
    }
    else
    {
        return fail_at_word(text, encoding, "'ascii', 'binary_little_endian' or 'binary_big_endian'");
    }
    Word version = take_word(text);
    return is_word(version, "1.0") ? expect_line_end(text) : fail_at_word(text, version, "the version '1.0'");
}

static AbutIoPlyKind kind_of_element(Word name)
{
    if (is_word(name, "vertex"))
    {
        return ABUT_IO_PLY_ELEMENT_VERTEX;
    }
    if (is_word(name, "face"))
    {
        return ABUT_IO_PLY_ELEMENT_FACE;
    }
    return is_word(name, "tristrips") ? ABUT_IO_PLY_ELEMENT_STRIPS : ABUT_IO_PLY_ELEMENT_OTHER;
}

static AbutResult check_element_is_new(const AbutIoText* text, const AbutIoPlyHeader* header,
                                       AbutIoPlyKind kind)
{
    const AbutIoPlyElement* elements = header->elements.items;
    for (size_t i = 0; kind != ABUT_IO_PLY_ELEMENT_OTHER && i < header->elements.count; ++i)
    {
        if (elements[i].kind == kind)
        {
            return abut_io_fail_line(text->load, text->line, "element was declared in line %zu already",
                                     elements[i].line);
        }
    }
    return ABUT_OK;
}

static AbutResult read_element(AbutIoText* text, AbutIoPlyHeader* header)
{
    Word name = take_word(text);
    if (name.length == 0)
    {
        return fail_at_word(text, name, "the name of an element");
    }
    abut_io_text_skip_blanks(text);
    Word position = { text->at, 0 };
    int64_t count = -1;
    if (!abut_io_text_read_integer(text, &count) || count < 0)
    {
        return fail_at_word(text, position, "the number of items of the element");
    }
    AbutIoPlyElement element = { .kind = kind_of_element(name),
                                 .line = text->line,
                                 .count = (uint64_t)count,
                                 .first_property = header->properties.count };
    AbutResult result = check_element_is_new(text, header, element.kind);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!abut_io_array_reserve(&text->load->host, &header->elements, 1))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    ((AbutIoPlyElement*)header->elements.items)[header->elements.count++] = element;
    return expect_line_end(text);
}

static AbutResult read_type(AbutIoText* text, AbutIoPlyType* type)
{
    static const TypeName names[] = {
        { "char", ABUT_IO_PLY_INT8 },       { "uchar", ABUT_IO_PLY_UINT8 },
        { "short", ABUT_IO_PLY_INT16 },     { "ushort", ABUT_IO_PLY_UINT16 },
        { "int", ABUT_IO_PLY_INT32 },       { "uint", ABUT_IO_PLY_UINT32 },
        { "float", ABUT_IO_PLY_FLOAT32 },   { "double", ABUT_IO_PLY_FLOAT64 },
        { "int8", ABUT_IO_PLY_INT8 },       { "uint8", ABUT_IO_PLY_UINT8 },
        { "int16", ABUT_IO_PLY_INT16 },     { "uint16", ABUT_IO_PLY_UINT16 },
        { "int32", ABUT_IO_PLY_INT32 },     { "uint32", ABUT_IO_PLY_UINT32 },
        { "float32", ABUT_IO_PLY_FLOAT32 }, { "float64", ABUT_IO_PLY_FLOAT64 },
    };
    Word word = take_word(text);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (is_word(word, names[i].name))
        {
            *type = names[i].type;
            return ABUT_OK;
        }
    }
    return fail_at_word(text, word,
                        "a type (char, uchar, short, ushort, int, uint, float, double or int8 ... float64)");
}

static bool is_integer(AbutIoPlyType type)
{
    return type < ABUT_IO_PLY_FLOAT32;
}

static AbutResult read_list_types(AbutIoText* text, AbutIoPlyProperty* property)
{
    AbutIoText before = *text;
    AbutResult result = read_type(text, &property->count_type);
    if (result == ABUT_OK && !is_integer(property->count_type))
    {
        return fail_at_word(text, take_word(&before), "an integer type for the length of the list");
    }
    return result == ABUT_OK ? read_type(text, &property->type) : result;
}

static AbutIoPlyRole role_of_property(AbutIoPlyKind kind, Word name)
{
    if (kind == ABUT_IO_PLY_ELEMENT_VERTEX && name.length == 1 && *name.start >= 'x' && *name.start <= 'z')
    {
        return (AbutIoPlyRole)(ABUT_IO_PLY_X + (*name.start - 'x'));
    }
    bool has_corners = kind == ABUT_IO_PLY_ELEMENT_FACE || kind == ABUT_IO_PLY_ELEMENT_STRIPS;
    bool is_corners = is_word(name, "vertex_indices") || is_word(name, "vertex_index");
    return has_corners && is_corners ? ABUT_IO_PLY_CORNERS : ABUT_IO_PLY_OTHER;
}

/// A property that a mesh is made of must be of the right shape and there only once.
static AbutResult check_property(const AbutIoText* text, const AbutIoPlyHeader* header,
                                 const AbutIoPlyElement* element, const AbutIoPlyProperty* property)
{
    if (property->role == ABUT_IO_PLY_OTHER)
    {
        return ABUT_OK;
    }
    bool corners = property->role == ABUT_IO_PLY_CORNERS;
    if (corners && (!property->is_list || !is_integer(property->type)))
    {
        return abut_io_fail_line(text->load, text->line, "the corners of a face must be a list of integers");
    }
    if (!corners && property->is_list)
    {
        return abut_io_fail_line(text->load, text->line, "the coordinates of a vertex must not be lists");
    }
    const AbutIoPlyProperty* properties = abut_io_ply_properties(header, element);
    for (size_t i = 0; i < element->property_count; ++i)
    {
        if (properties[i].role == property->role)
        {
            return abut_io_fail_line(text->load, text->line, "the element has this property already");
        }
    }
    return ABUT_OK;
}

static AbutResult add_property(AbutIoText* text, AbutIoPlyHeader* header, AbutIoPlyElement* element,
                               const AbutIoPlyProperty* property)
{
    AbutResult result = check_property(text, header, element, property);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!abut_io_array_reserve(&text->load->host, &header->properties, 1))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    ((AbutIoPlyProperty*)header->properties.items)[header->properties.count++] = *property;
    element->property_count += 1;
    element->item_size +=
        header->encoding == ABUT_IO_PLY_TEXT
            ? 2
            : abut_io_ply_type_size(property->is_list ? property->count_type : property->type);
    return expect_line_end(text);
}

static AbutResult read_property(AbutIoText* text, AbutIoPlyHeader* header)
{
    if (header->elements.count == 0)
    {
        return abut_io_fail_line(text->load, text->line, "a property stands before the first element");
    }
    AbutIoPlyElement* element = (AbutIoPlyElement*)header->elements.items + header->elements.count - 1;
    AbutIoPlyProperty property = { 0 };
    AbutIoText before = *text;
    property.is_list = is_word(take_word(text), "list");
    if (!property.is_list)
    {
        *text = before;
    }
    AbutResult result = property.is_list ? read_list_types(text, &property) : read_type(text, &property.type);
    if (result != ABUT_OK)
    {
        return result;
    }
    Word name = take_word(text);
    if (name.length == 0)
    {
        return fail_at_word(text, name, "the name of the property");
    }
    property.role = role_of_property(element->kind, name);
    return add_property(text, header, element, &property);
}

// -----------------------------------------------------------------------------------------------------------
// The header as a whole
// -----------------------------------------------------------------------------------------------------------

static bool has_property(const AbutIoPlyHeader* header, const AbutIoPlyElement* element, AbutIoPlyRole role)
{
    const AbutIoPlyProperty* properties = abut_io_ply_properties(header, element);
    for (size_t i = 0; i < element->property_count; ++i)
    {
        if (properties[i].role == role)
        {
            return true;
        }
    }
    return false;
}

static AbutResult check_mesh_properties(const AbutIoLoad* load, const AbutIoPlyHeader* header,
                                        const AbutIoPlyElement* element)
{
    if (element->kind == ABUT_IO_PLY_ELEMENT_OTHER)
    {
        return ABUT_OK;
    }
    if (element->kind != ABUT_IO_PLY_ELEMENT_VERTEX)
    {
        return has_property(header, element, ABUT_IO_PLY_CORNERS)
                   ? ABUT_OK
                   : abut_io_fail_line(load, element->line,
                                       "the element has no list property vertex_indices or vertex_index");
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!has_property(header, element, (AbutIoPlyRole)(ABUT_IO_PLY_X + axis)))
        {
            return abut_io_fail_line(load, element->line, "the vertices have no property %c", "xyz"[axis]);
        }
    }
    return ABUT_OK;
}

/// Before anything is allocated: all declared items, at their smallest, must fit into the bytes behind the
/// header.
static AbutResult check_counts(const AbutIoText* text, const AbutIoPlyHeader* header)
{
    const AbutIoPlyElement* elements = header->elements.items;
    uint64_t available = (uint64_t)(text->end - text->at);
    uint64_t left = available + (header->encoding == ABUT_IO_PLY_TEXT); // the last line needs no end
    for (size_t i = 0; i < header->elements.count; ++i)
    {
        if (elements[i].item_size > 0 && elements[i].count > left / elements[i].item_size)
        {
            return abut_io_fail_line(
                text->load, elements[i].line,
                "the header declares %llu items of at least %llu bytes, but only %llu bytes follow",
                (unsigned long long)elements[i].count, (unsigned long long)elements[i].item_size,
                (unsigned long long)available);
        }
        left -= elements[i].item_size * elements[i].count;
    }
    return ABUT_OK;
}

static AbutResult check_header(const AbutIoText* text, const AbutIoPlyHeader* header)
{
    const AbutIoPlyElement* elements = header->elements.items;
    bool has_vertices = false;
    for (size_t i = 0; i < header->elements.count; ++i)
    {
        AbutResult result = check_mesh_properties(text->load, header, &elements[i]);
        if (result != ABUT_OK)
        {
            return result;
        }
        has_vertices = has_vertices || elements[i].kind == ABUT_IO_PLY_ELEMENT_VERTEX;
    }
    if (!has_vertices)
    {
        return abut_io_fail_line(text->load, text->line, "the header ends without an element 'vertex'");
    }
    return check_counts(text, header);
}

/// "ply" and the format, in the first two lines (but for comments, which may stand anywhere).
static AbutResult read_start(AbutIoText* text, AbutIoPlyHeader* header)
{
    Word magic = take_word(text);
    if (!is_word(magic, "ply"))
    {
        return fail_at_word(text, magic, "'ply' at the start of a PLY file");
    }
    AbutResult result = expect_line_end(text);
    header->lone_returns =
        text->at < text->end && *text->at == '\r' && text->at + 1 < text->end && text->at[1] != '\n';
    abut_io_text_pass_line_end(text);
    while (result == ABUT_OK)
    {
        Word word = take_word(text);
        if (is_word(word, "format"))
        {
            return read_format(text, header);
        }
        if (!is_word(word, "comment") && !is_word(word, "obj_info"))
        {
            return fail_at_word(text, word, "'format'");
        }
        abut_io_text_skip_line(text);
    }
    return result;
}

/// Where lines end with CR alone, an LF behind the last one is the first byte of the data.
static void pass_last_line_end(AbutIoText* text, const AbutIoPlyHeader* header)
{
    AbutIoText line_end = *text;
    abut_io_text_pass_line_end(text);
    if (header->lone_returns && text->at - line_end.at > 1)
    {
        text->at = line_end.at + 1;
    }
}

AbutResult abut_io_ply_read_header(AbutIoText* text, AbutIoPlyHeader* header)
{
    AbutResult result = read_start(text, header);
    while (result == ABUT_OK)
    {
        abut_io_text_pass_line_end(text);
        Word word = take_word(text);
        if (is_word(word, "end_header"))
        {
            break;
        }
        if (is_word(word, "element"))
        {
            result = read_element(text, header);
        }
        else if (is_word(word, "property"))
        {
            result = read_property(text, header);
        }
        else if (is_word(word, "comment") || is_word(word, "obj_info"))
        {
            abut_io_text_skip_to_line_end(text);
        }
        else
        {
            return fail_at_word(text, word, "'element', 'property', 'comment' or 'end_header'");
        }
    }
    result = result == ABUT_OK ? expect_line_end(text) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    pass_last_line_end(text, header);
    return check_header(text, header);
}
