// Wavefront OBJ: v and f statements, everything else is passed over.
//
// One pass does for nearly every file. Faces may name vertices that stand further down, though, and polygons
// cannot be cut before the places of their corners are known. When that is met, the file is read again in two
// passes: first the vertices, then the faces. So an index is always checked where it is read, and the message
// has its line.
#include "io/text/text.h"

typedef enum ObjPass
{
    PASS_BOTH,
    PASS_VERTICES,
    PASS_FACES
} ObjPass;

typedef struct ObjReader
{
    AbutIoText text;
    AbutIoBuilder* builder;
    AbutIoArray corners; // uint32_t; of the face that is being read
    ObjPass pass;
    size_t vertex_count;        // v statements seen in this pass: what relative indices count from
    size_t face_count;          // f statements seen in this pass
    bool has_forward_reference; // a face of PASS_BOTH names a vertex that is not there yet
} ObjReader;

/// What a byte means between words.
enum
{
    BLANK = 1,
    LINE_END = 2,
    COMMENT = 4,
    BACKSLASH = 8 // in front of a line end it makes the next line part of this one
};

static const uint8_t byte_classes[256] = {
    [' '] = BLANK,     ['\t'] = BLANK,    ['\v'] = BLANK,  ['\f'] = BLANK,
    ['\n'] = LINE_END, ['\r'] = LINE_END, ['#'] = COMMENT, ['\\'] = BACKSLASH,
};

/// The class of the byte that stands here; the end of the text ends a line.
static unsigned class_here(const AbutIoText* text)
{
    return text->at < text->end ? byte_classes[(uint8_t)*text->at] : LINE_END;
}

/// A backslash and the line end behind it; false when that is not what stands here.
static bool pass_continuation(AbutIoText* text)
{
    if (text->end - text->at < 2 || *text->at != '\\' || !abut_io_is_line_end(text->at[1]))
    {
        return false;
    }
    ++text->at;
    abut_io_text_pass_line_end(text);
    return true;
}

/// Blanks, and line ends with a backslash before them.
static inline void skip_blanks(AbutIoText* text)
{
    do
    {
        const char* p = text->at;
        while (p < text->end && byte_classes[(uint8_t)*p] == BLANK)
        {
            ++p;
        }
        text->at = p;
    } while (class_here(text) == BACKSLASH && pass_continuation(text));
}

static bool at_statement_end(const AbutIoText* text)
{
    return (class_here(text) & (LINE_END | COMMENT)) != 0;
}

/// To the next statement, over lines that a backslash continues; comments are never continued.
static void skip_statement(AbutIoText* text)
{
    abut_io_text_skip_blanks(text);
    const char* start = text->at;
    bool comment = class_here(text) == COMMENT;
    abut_io_text_skip_to_line_end(text);
    while (!comment && text->at < text->end && text->at > start && text->at[-1] == '\\')
    {
        abut_io_text_pass_line_end(text);
        start = text->at;
        abut_io_text_skip_to_line_end(text);
    }
    abut_io_text_pass_line_end(text);
}

static AbutResult read_coordinate(AbutIoText* text, float* out)
{
    skip_blanks(text);
    const char* start = text->at;
    AbutResult result = abut_io_text_read_float(text, out);
    if (result == ABUT_OK && class_here(text) == 0)
    {
        text->at = start;
        return abut_io_text_fail_float(text, ABUT_IO_FLOAT_NO_NUMBER);
    }
    return result;
}

/// What follows the third coordinate (a weight, a colour) is passed over.
static AbutResult read_vertex(ObjReader* reader)
{
    AbutVec3 v;
    AbutResult result = read_coordinate(&reader->text, &v.x);
    result = result == ABUT_OK ? read_coordinate(&reader->text, &v.y) : result;
    result = result == ABUT_OK ? read_coordinate(&reader->text, &v.z) : result;
    result = result == ABUT_OK ? abut_io_builder_reserve_vertices(reader->builder, 1) : result;
    if (result == ABUT_OK)
    {
        abut_io_builder_put_vertex(reader->builder, v);
    }
    return result;
}

/// The number of a vertex, from 0, for an index of the file: from 1, or relative to the vertices so far when
/// negative.
static AbutResult resolve_index(ObjReader* reader, int64_t index, uint32_t* out)
{
    const AbutIoText* text = &reader->text;
    if (index == 0)
    {
        return abut_io_fail_line(text->load, text->line, "face has the vertex index 0; indices count from 1");
    }
    size_t total = reader->builder->vertices.count;
    if (index < 0 && (uint64_t)-index > reader->vertex_count)
    {
        return abut_io_fail_line(text->load, text->line,
                                 "face has the vertex index %lld, but only %zu vertices precede it",
                                 (long long)index, reader->vertex_count);
    }
    if (index > 0 && (uint64_t)index > total)
    {
        if (reader->pass == PASS_BOTH)
        {
            reader->has_forward_reference = true;
            *out = 0;
            return ABUT_OK;
        }
        return abut_io_fail_line(text->load, text->line,
                                 "face has the vertex index %lld, but the file has %zu vertices",
                                 (long long)index, total);
    }
    *out = (uint32_t)(index < 0 ? (int64_t)reader->vertex_count + index : index - 1);
    return ABUT_OK;
}

/// v, v/t, v//n or v/t/n. Texture and normal indices need only look like integers.
static AbutResult read_corner(ObjReader* reader, uint32_t* out)
{
    AbutIoText* text = &reader->text;
    const char* start = text->at;
    int64_t index;
    int64_t ignored;
    bool valid = abut_io_text_read_integer(text, &index);
    for (int i = 0; valid && i < 2 && text->at < text->end && *text->at == '/'; ++i)
    {
        ++text->at;
        bool has_number = class_here(text) == 0 && *text->at != '/';
        valid = !has_number || abut_io_text_read_integer(text, &ignored);
    }
    if (!valid || class_here(text) == 0)
    {
        text->at = start;
        char found[ABUT_IO_EXCERPT_SIZE];
        return abut_io_fail_line(text->load, text->line,
                                 "expected a corner as v, v/t, v//n or v/t/n, found %s",
                                 abut_io_text_excerpt(text, found));
    }
    return resolve_index(reader, index, out);
}

/// Over the texture and normal index of a corner, or over one of them; returns NULL unless they are plain
/// digits.
static inline const char* pass_references(const char* p, const char* end)
{
    uint32_t ignored;
    const char* second = end - p > 1 && p[1] == '/' ? p + 1 : abut_io_read_digits(p + 1, end, &ignored);
    return second != NULL && second < end && *second == '/' ? abut_io_read_digits(second + 1, end, &ignored)
                                                            : second;
}

/// What nearly all faces are: three positive indices of vertices that are there, with one kind of blank
/// between them. Anything else is left to read_corner(), which knows all forms and all complaints.
static bool read_plain_triangle(ObjReader* reader, uint32_t corners[3])
{
    const char* p = reader->text.at;
    const char* end = reader->text.end;
    size_t vertex_count = reader->builder->vertices.count;
    for (int i = 0; i < 3; ++i)
    {
        while (p < end && *p == ' ')
        {
            ++p;
        }
        uint32_t index;
        p = abut_io_read_digits(p, end, &index);
        p = p != NULL && p < end && *p == '/' ? pass_references(p, end) : p;
        if (p == NULL || p == end || index - 1 >= vertex_count || byte_classes[(uint8_t)*p] == 0)
        {
            return false;
        }
        corners[i] = index - 1;
    }
    reader->text.at = byte_classes[(uint8_t)*p] == LINE_END ? p : reader->text.at;
    return byte_classes[(uint8_t)*p] == LINE_END;
}

static AbutResult read_face(ObjReader* reader)
{
    uint32_t triangle[3];
    if (read_plain_triangle(reader, triangle))
    {
        return abut_io_builder_add_polygon(reader->builder, triangle, 3);
    }
    AbutIoText* text = &reader->text;
    AbutIoArray* corners = &reader->corners;
    corners->count = 0;
    for (skip_blanks(text); !at_statement_end(text); skip_blanks(text))
    {
        if (!abut_io_array_reserve(reader->builder->host, corners, 1))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        AbutResult result = read_corner(reader, (uint32_t*)corners->items + corners->count);
        if (result != ABUT_OK || reader->has_forward_reference)
        {
            return result;
        }
        corners->count += 1;
    }
    return abut_io_builder_add_polygon(reader->builder, corners->items, corners->count);
}

static bool starts_statement(const AbutIoText* text, char letter)
{
    if (text->at == text->end || *text->at != letter)
    {
        return false;
    }
    return text->end - text->at == 1 || byte_classes[(uint8_t)text->at[1]] != 0;
}

static AbutResult read_statement(ObjReader* reader)
{
    AbutIoText* text = &reader->text;
    AbutResult result = ABUT_OK;
    abut_io_text_skip_blanks(text);
    if (starts_statement(text, 'v'))
    {
        if (reader->pass != PASS_FACES)
        {
            ++text->at;
            result = read_vertex(reader);
        }
        reader->vertex_count += 1;
    }
    else if (starts_statement(text, 'f'))
    {
        if (reader->pass != PASS_VERTICES)
        {
            ++text->at;
            result = read_face(reader);
        }
        reader->face_count += 1;
    }
    return result;
}

static AbutResult read_pass(ObjReader* reader, ObjPass pass)
{
    reader->text = abut_io_text_make(reader->text.load);
    reader->pass = pass;
    reader->vertex_count = 0;
    reader->face_count = 0;
    AbutIoText* text = &reader->text;
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && !reader->has_forward_reference && text->at < text->end)
    {
        result = read_statement(reader);
        if (result == ABUT_OK)
        {
            skip_statement(text);
            result = abut_io_progress(text->load, abut_io_text_offset(text));
        }
    }
    return result;
}

/// What a usual file of this size holds (two triangles per vertex, 70 bytes for the three), so that arrays
/// seldom move.
static AbutResult reserve_usual(ObjReader* reader)
{
    size_t vertex_count = reader->text.load->size / 70;
    vertex_count = vertex_count < UINT32_MAX / 2 ? vertex_count : UINT32_MAX / 2;
    AbutResult result = abut_io_builder_reserve_vertices(reader->builder, vertex_count);
    return result == ABUT_OK ? abut_io_builder_reserve_triangles(reader->builder, 2 * vertex_count) : result;
}

static AbutResult read_passes(ObjReader* reader)
{
    AbutResult result = reserve_usual(reader);
    result = result == ABUT_OK ? read_pass(reader, PASS_BOTH) : result;
    if (result != ABUT_OK || !reader->has_forward_reference)
    {
        return result;
    }
    reader->has_forward_reference = false;
    reader->builder->vertices.count = 0;
    reader->builder->indices.count = 0;
    reader->builder->small_face_count = 0;
    reader->builder->cutter.uncut_count = 0;
    AbutIoLoad* load = reader->text.load;
    load->progress_span /= 2.0f;
    load->progress_next = 0;
    result = read_pass(reader, PASS_VERTICES);
    load->progress_start += load->progress_span;
    load->progress_next = 0;
    return result == ABUT_OK ? read_pass(reader, PASS_FACES) : result;
}

AbutResult abut_io_obj_read(AbutIoLoad* load, AbutIoBuilder* builder)
{
    ObjReader reader = { .text = abut_io_text_make(load),
                         .builder = builder,
                         .corners.item_size = sizeof(uint32_t) };
    AbutResult result = read_passes(&reader);
    abut_io_array_free(builder->host, &reader.corners);
    if (result == ABUT_OK && reader.vertex_count == 0 && reader.face_count == 0)
    {
        return abut_io_fail_line(load, reader.text.line,
                                 "the file ends without a v or f statement: is it an OBJ file?");
    }
    return result;
}
