// STL, binary and text. Corners with equal coordinates become one vertex; normals are passed over.
#include "io/mesh/bytes.h"
#include "io/mesh/joiner.h"
#include "io/text/text.h"

enum
{
    HEADER_SIZE = 84, // 80 bytes of anything, then the number of triangles
    FACET_SIZE = 50,  // normal, three corners, two bytes of attributes
    NORMAL_SIZE = 12,
    CORNER_SIZE = 12
};

// -----------------------------------------------------------------------------------------------------------
// Binary
// -----------------------------------------------------------------------------------------------------------

static uint32_t declared_count(const AbutIoLoad* load)
{
    return abut_io_u32(load->data + HEADER_SIZE - 4, false);
}

static uint64_t binary_size(uint32_t triangle_count)
{
    return HEADER_SIZE + (uint64_t)FACET_SIZE * triangle_count;
}

static AbutResult read_binary_corner(const AbutIoLoad* load, size_t offset, AbutVec3* out)
{
    const char* bytes = load->data + offset;
    AbutVec3 p = { abut_io_f32(bytes, false), abut_io_f32(bytes + 4, false), abut_io_f32(bytes + 8, false) };
    if (!abut_vec3_is_finite(p))
    {
        return abut_io_fail_byte(load, offset, "corner (%g, %g, %g) of triangle %zu is not finite",
                                 (double)p.x, (double)p.y, (double)p.z, (offset - HEADER_SIZE) / FACET_SIZE);
    }
    *out = p;
    return ABUT_OK;
}

/// Reads `count` facets at once; the room for their triangles must be there.
static AbutResult read_binary_batch(const AbutIoLoad* load, AbutIoJoiner* joiner, size_t first, size_t count)
{
    AbutVec3 points[ABUT_IO_JOINER_BATCH];
    size_t offset = HEADER_SIZE + FACET_SIZE * first + NORMAL_SIZE;
    for (size_t i = 0; i < count; ++i, offset += FACET_SIZE)
    {
        AbutResult result = read_binary_corner(load, offset, &points[3 * i]);
        result =
            result == ABUT_OK ? read_binary_corner(load, offset + CORNER_SIZE, &points[3 * i + 1]) : result;
        result = result == ABUT_OK ? read_binary_corner(load, offset + 2 * CORNER_SIZE, &points[3 * i + 2])
                                   : result;
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    AbutIoArray* indices = &joiner->builder->indices;
    uint32_t* corners = (uint32_t*)indices->items + indices->count;
    indices->count += 3 * count;
    return abut_io_joiner_add(joiner, points, 3 * count, corners);
}

static AbutResult read_binary(AbutIoLoad* load, AbutIoJoiner* joiner)
{
    size_t triangle_count = declared_count(load);
    const size_t batch = ABUT_IO_JOINER_BATCH / 3;
    AbutResult result = abut_io_builder_reserve_triangles(joiner->builder, triangle_count);
    // Closed surfaces have half as many vertices as triangles.
    result = result == ABUT_OK ? abut_io_joiner_reserve(joiner, triangle_count / 2) : result;
    for (size_t i = 0; i < triangle_count && result == ABUT_OK; i += batch)
    {
        size_t left = triangle_count - i;
        result = read_binary_batch(load, joiner, i, left < batch ? left : batch);
        result = result == ABUT_OK ? abut_io_progress(load, HEADER_SIZE + FACET_SIZE * i) : result;
    }
    return result;
}

static AbutResult fail_broken(const AbutIoLoad* load)
{
    if (load->size < HEADER_SIZE)
    {
        return abut_io_fail_byte(
            load, load->size,
            "the file ends here: a binary STL has at least %d bytes, a text STL starts with 'solid'",
            HEADER_SIZE);
    }
    return abut_io_fail_byte(
        load, HEADER_SIZE - 4,
        "a binary STL with the declared %u triangles has %llu bytes, but the file has %zu; "
        "a text STL starts with 'solid'",
        declared_count(load), (unsigned long long)binary_size(declared_count(load)), load->size);
}

// -----------------------------------------------------------------------------------------------------------
// Text
// -----------------------------------------------------------------------------------------------------------

static bool is_space(char c)
{
    return abut_io_is_blank(c) || abut_io_is_line_end(c);
}

static void skip_spaces_and_lines(AbutIoText* text)
{
    const char* p = text->at;
    for (; p < text->end && is_space(*p); ++p)
    {
        if (*p == ' ')
        {
            continue;
        }
        bool first_of_pair = *p == '\r' && text->end - p > 1 && p[1] == '\n';
        text->line += abut_io_is_line_end(*p) && !first_of_pair;
    }
    text->at = p;
}

/// To the next word, over any number of lines; false at the end of the text.
static inline bool next_word(AbutIoText* text)
{
    while (text->at < text->end && *text->at == ' ')
    {
        ++text->at;
    }
    if (text->at < text->end && is_space(*text->at))
    {
        skip_spaces_and_lines(text);
    }
    return text->at < text->end;
}

static bool same_letters(const char* a, const char* lower, size_t length)
{
    for (size_t i = 0; i < length; ++i)
    {
        if ((a[i] | 0x20) != lower[i])
        {
            return false;
        }
    }
    return true;
}

/// Moves over the word when it is `word`, in any case.
static inline bool take_word(AbutIoText* text, const char* word)
{
    next_word(text);
    size_t length = strlen(word);
    const char* p = text->at;
    if ((size_t)(text->end - p) < length || (memcmp(p, word, length) != 0 && !same_letters(p, word, length)))
    {
        return false;
    }
    if ((size_t)(text->end - p) > length && !is_space(p[length]))
    {
        return false;
    }
    text->at = p + length;
    return true;
}

static inline AbutResult expect_word(AbutIoText* text, const char* word)
{
    if (take_word(text, word))
    {
        return ABUT_OK;
    }
    char found[ABUT_IO_EXCERPT_SIZE];
    return abut_io_fail_line(text->load, text->line, "expected '%s', found %s", word,
                             abut_io_text_excerpt(text, found));
}

static AbutResult read_text_coordinate(AbutIoText* text, float* out)
{
    next_word(text);
    const char* start = text->at;
    AbutResult result = abut_io_text_read_float(text, out);
    if (result == ABUT_OK && text->at < text->end && !is_space(*text->at))
    {
        text->at = start;
        return abut_io_text_fail_float(text, ABUT_IO_FLOAT_NO_NUMBER);
    }
    return result;
}

static AbutResult read_text_corner(AbutIoText* text, AbutVec3* out)
{
    AbutResult result = expect_word(text, "vertex");
    result = result == ABUT_OK ? read_text_coordinate(text, &out->x) : result;
    result = result == ABUT_OK ? read_text_coordinate(text, &out->y) : result;
    return result == ABUT_OK ? read_text_coordinate(text, &out->z) : result;
}

/// Everything of a facet that stands behind the word "facet". Normals are not looked at: many programs write
/// "nan" there.
static AbutResult read_facet(AbutIoText* text, AbutIoJoiner* joiner)
{
    AbutResult result = expect_word(text, "normal");
    for (int i = 0; result == ABUT_OK && i < 3 && next_word(text); ++i)
    {
        abut_io_text_skip_word(text);
    }
    result = result == ABUT_OK ? expect_word(text, "outer") : result;
    result = result == ABUT_OK ? expect_word(text, "loop") : result;
    AbutVec3 points[3];
    for (int i = 0; i < 3 && result == ABUT_OK; ++i)
    {
        result = read_text_corner(text, &points[i]);
    }
    result = result == ABUT_OK ? expect_word(text, "endloop") : result;
    result = result == ABUT_OK ? expect_word(text, "endfacet") : result;
    uint32_t corners[3];
    result = result == ABUT_OK ? abut_io_builder_reserve_triangles(joiner->builder, 1) : result;
    result = result == ABUT_OK ? abut_io_joiner_add(joiner, points, 3, corners) : result;
    if (result == ABUT_OK)
    {
        abut_io_builder_put_triangle(joiner->builder, corners[0], corners[1], corners[2]);
    }
    return result;
}

/// Everything of a solid that stands behind the word "solid".
static AbutResult read_solid(AbutIoText* text, AbutIoJoiner* joiner)
{
    abut_io_text_skip_line(text); // its name
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && take_word(text, "facet"))
    {
        result = read_facet(text, joiner);
        result = result == ABUT_OK ? abut_io_progress(text->load, abut_io_text_offset(text)) : result;
    }
    if (result == ABUT_OK && !take_word(text, "endsolid"))
    {
        char found[ABUT_IO_EXCERPT_SIZE];
        return abut_io_fail_line(text->load, text->line, "expected 'facet' or 'endsolid', found %s",
                                 abut_io_text_excerpt(text, found));
    }
    abut_io_text_skip_line(text); // its name again
    return result;
}

static AbutResult read_text(AbutIoLoad* load, AbutIoJoiner* joiner)
{
    AbutIoText text = abut_io_text_make(load);
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && next_word(&text))
    {
        result = expect_word(&text, "solid");
        result = result == ABUT_OK ? read_solid(&text, joiner) : result;
    }
    return result;
}

typedef enum StlKind
{
    STL_BINARY,
    STL_TEXT,
    STL_BROKEN
} StlKind;

/// Binary headers may start with "solid" too, but a size that fits the count, or a zero byte up to the end of
/// the count, is never found in a text.
static StlKind classify(AbutIoLoad* load)
{
    if (load->size >= HEADER_SIZE && binary_size(declared_count(load)) == load->size)
    {
        return STL_BINARY;
    }
    AbutIoText text = abut_io_text_make(load);
    size_t header_size = load->size < HEADER_SIZE ? load->size : HEADER_SIZE;
    bool has_zero = memchr(load->data, 0, header_size) != NULL;
    return take_word(&text, "solid") && !has_zero ? STL_TEXT : STL_BROKEN;
}

AbutResult abut_io_stl_read(AbutIoLoad* load, AbutIoBuilder* builder)
{
    AbutIoJoiner joiner = abut_io_joiner_make(builder, abut_hash(load->data, load->size, 0));
    AbutResult result = ABUT_OK;
    switch (classify(load))
    {
    case STL_BINARY:
        result = read_binary(load, &joiner);
        break;
    case STL_TEXT:
        result = read_text(load, &joiner);
        break;
    case STL_BROKEN:
        result = fail_broken(load);
        break;
    }
    abut_io_joiner_free(&joiner);
    return result;
}
