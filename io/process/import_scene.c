#include "io/process/import_scene.h"

#include "io/mesh/joiner.h"
#include "io/process/import_format.h"
#include "io/text/float_text.h"

#include <string.h>

enum
{
    NAME_SHOWN = 100,    // bytes of a mesh's name in messages
    MESSAGE_SHOWN = 3000 // bytes of what assimp says
};

/// x, y and z of the world for a point of a node: three rows of a matrix.
typedef struct Transform
{
    double rows[3][4];
} Transform;

/// A mesh in the answer. Its arrays need not be aligned.
typedef struct SceneMesh
{
    const char* name;
    const char* vertices;
    const char* face_sizes;
    const char* corners;
    uint32_t name_length, vertex_count, face_count;
} SceneMesh;

typedef struct SceneReader
{
    AbutIoLoad* load;
    const char* start;
    const char* at;
    const char* end;
    AbutIoJoiner joiner;
    AbutIoArray meshes;     // SceneMesh
    AbutIoArray transforms; // Transform, from each node to the world
    AbutIoArray corners;    // uint32_t; of the face that is being read
    Transform to_world;     // of the node that is being read
    bool mirrored;          // by it
    uint64_t corner_count;  // and faces, of all copies
    uint64_t corner_limit;
} SceneReader;

// -----------------------------------------------------------------------------------------------------------
// Bytes
// -----------------------------------------------------------------------------------------------------------

static AbutResult fail_reply(const SceneReader* reader, const char* what)
{
    return abut_fail(ABUT_INVALID_DATA, "%s: the answer of abut-import is broken at byte %zu: %s",
                     reader->load->name, (size_t)(reader->at - reader->start), what);
}

static size_t bytes_left(const SceneReader* reader)
{
    return (size_t)(reader->end - reader->at);
}

static uint32_t u32_at(const char* bytes, size_t index)
{
    uint32_t value;
    memcpy(&value, bytes + index * sizeof(value), sizeof(value));
    return value;
}

static AbutResult read_u32(SceneReader* reader, uint32_t* out)
{
    if (bytes_left(reader) < sizeof(*out))
    {
        return fail_reply(reader, "it ends too early");
    }
    *out = u32_at(reader->at, 0);
    reader->at += sizeof(*out);
    return ABUT_OK;
}

/// `count` items that are there as a whole.
static AbutResult read_items(SceneReader* reader, uint64_t count, size_t item_size, const char** out)
{
    if (count > bytes_left(reader) / item_size)
    {
        return fail_reply(reader, "it ends too early");
    }
    *out = reader->at;
    reader->at += (size_t)count * item_size;
    return ABUT_OK;
}

static AbutResult read_text(SceneReader* reader, const char** text, uint32_t* length)
{
    AbutResult result = read_u32(reader, length);
    return result == ABUT_OK ? read_items(reader, *length, 1, text) : result;
}

// -----------------------------------------------------------------------------------------------------------
// Transforms
// -----------------------------------------------------------------------------------------------------------

static Transform identity(void)
{
    Transform t = { { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } } };
    return t;
}

/// First the node's own matrix, then `outer`. A projective last row has no meaning here and is not part of
/// the answer.
static Transform compose(const Transform* outer, const float matrix[12])
{
    Transform result;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            result.rows[i][j] =
                outer->rows[i][0] * (double)matrix[j] + outer->rows[i][1] * (double)matrix[4 + j] +
                outer->rows[i][2] * (double)matrix[8 + j] + (j == 3 ? outer->rows[i][3] : 0.0);
        }
    }
    return result;
}

/// A mirrored mesh would show its inside: the order of its corners is reversed.
static bool mirrors(const Transform* t)
{
    const double(*m)[4] = t->rows;
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return determinant < 0.0;
}

static double transform_row(const double row[4], const float v[3])
{
    return row[0] * (double)v[0] + row[1] * (double)v[1] + row[2] * (double)v[2] + row[3];
}

static bool transform_point(const Transform* t, const float v[3], AbutVec3* out)
{
    return abut_io_float_from_double(transform_row(t->rows[0], v), &out->x) &&
           abut_io_float_from_double(transform_row(t->rows[1], v), &out->y) &&
           abut_io_float_from_double(transform_row(t->rows[2], v), &out->z);
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

/// Where the parts of a mesh are, each of them whole; what is in them is checked when a node refers to the
/// mesh.
static AbutResult read_mesh(SceneReader* reader, SceneMesh* mesh)
{
    uint32_t corner_count = 0;
    AbutResult result = read_text(reader, &mesh->name, &mesh->name_length);
    result = result == ABUT_OK ? read_u32(reader, &mesh->vertex_count) : result;
    result = result == ABUT_OK ? read_u32(reader, &mesh->face_count) : result;
    result = result == ABUT_OK ? read_u32(reader, &corner_count) : result;
    result = result == ABUT_OK ? read_items(reader, mesh->vertex_count, 3 * sizeof(float), &mesh->vertices)
                               : result;
    result = result == ABUT_OK ? read_items(reader, mesh->face_count, sizeof(uint32_t), &mesh->face_sizes)
                               : result;
    result = result == ABUT_OK ? read_items(reader, corner_count, sizeof(uint32_t), &mesh->corners) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < mesh->face_count; ++i)
    {
        sum += u32_at(mesh->face_sizes, i);
    }
    return sum == corner_count ? ABUT_OK : fail_reply(reader, "its faces have other corners than it says");
}

static AbutResult read_meshes(SceneReader* reader)
{
    uint32_t count = 0;
    AbutResult result = read_u32(reader, &count);
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i)
    {
        if (!abut_io_array_reserve(&reader->load->host, &reader->meshes, 1))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        result = read_mesh(reader, (SceneMesh*)reader->meshes.items + reader->meshes.count++);
    }
    return result;
}

static AbutResult fail_corner(const SceneReader* reader, const SceneMesh* mesh, uint32_t face,
                              const char* what)
{
    int shown = mesh->name_length < NAME_SHOWN ? (int)mesh->name_length : NAME_SHOWN;
    return abut_fail(ABUT_INVALID_DATA, "%s: face %u of mesh '%.*s': %s", reader->load->name, face, shown,
                     mesh->name, what);
}

static AbutResult add_corner(SceneReader* reader, const SceneMesh* mesh, uint32_t face, uint32_t index)
{
    if (index >= mesh->vertex_count)
    {
        return fail_corner(reader, mesh, face, "a vertex index is out of range");
    }
    float v[3];
    memcpy(v, mesh->vertices + (size_t)index * sizeof(v), sizeof(v));
    AbutVec3 p;
    if (!transform_point(&reader->to_world, v, &p))
    {
        return fail_corner(reader, mesh, face, "a coordinate is not finite, or too large for a float");
    }
    uint32_t* corner = (uint32_t*)reader->corners.items + reader->corners.count++;
    return abut_io_joiner_add(&reader->joiner, &p, 1, corner);
}

/// `first` is the number of corners of the faces before it.
static AbutResult add_face(SceneReader* reader, const SceneMesh* mesh, uint32_t number, size_t first)
{
    uint32_t size = u32_at(mesh->face_sizes, number);
    reader->corners.count = 0;
    reader->corner_count += (uint64_t)size + (size < 3 ? 1 : 0);
    if (reader->corner_count > reader->corner_limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: copies of its meshes have more than %llu corners together",
                         reader->load->name, (unsigned long long)reader->corner_limit);
    }
    if (!abut_io_array_reserve(&reader->load->host, &reader->corners, size))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < size; ++i)
    {
        uint32_t index = u32_at(mesh->corners, first + (reader->mirrored ? size - 1 - i : i));
        AbutResult result = add_corner(reader, mesh, number, index);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    return abut_io_builder_add_polygon(reader->joiner.builder, reader->corners.items, reader->corners.count);
}

static AbutResult add_mesh(SceneReader* reader, uint32_t number)
{
    if (number >= reader->meshes.count)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: a node refers to mesh %u of %zu", reader->load->name, number,
                         reader->meshes.count);
    }
    const SceneMesh* mesh = (const SceneMesh*)reader->meshes.items + number;
    AbutResult result = ABUT_OK;
    size_t first = 0;
    for (uint32_t i = 0; i < mesh->face_count && result == ABUT_OK; ++i)
    {
        result = add_face(reader, mesh, i, first);
        first += u32_at(mesh->face_sizes, i);
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

static AbutResult read_transform(SceneReader* reader)
{
    uint32_t parent = 0;
    const char* matrix_bytes = NULL;
    float matrix[12];
    AbutResult result = read_u32(reader, &parent);
    result = result == ABUT_OK ? read_items(reader, 1, sizeof(matrix), &matrix_bytes) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    bool root = reader->transforms.count == 0 && parent == ABUT_IMPORT_ROOT;
    if (!root && parent >= reader->transforms.count)
    {
        return fail_reply(reader, "a node comes before its parent");
    }
    memcpy(matrix, matrix_bytes, sizeof(matrix));
    Transform outer = root ? identity() : ((const Transform*)reader->transforms.items)[parent];
    reader->to_world = compose(&outer, matrix);
    reader->mirrored = mirrors(&reader->to_world);
    ((Transform*)reader->transforms.items)[reader->transforms.count++] = reader->to_world;
    return ABUT_OK;
}

static AbutResult read_node(SceneReader* reader)
{
    if (!abut_io_array_reserve(&reader->load->host, &reader->transforms, 1))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    uint32_t count = 0;
    const char* numbers = NULL;
    AbutResult result = read_transform(reader);
    result = result == ABUT_OK ? read_u32(reader, &count) : result;
    result = result == ABUT_OK ? read_items(reader, count, sizeof(uint32_t), &numbers) : result;
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i)
    {
        result = add_mesh(reader, u32_at(numbers, i));
    }
    return result;
}

static AbutResult read_nodes(SceneReader* reader)
{
    uint32_t count = 0;
    AbutResult result = read_u32(reader, &count);
    if (result == ABUT_OK && (count == 0 || reader->meshes.count == 0))
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: assimp found no mesh in it", reader->load->name);
    }
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i)
    {
        result = read_node(reader);
    }
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// The answer
// -----------------------------------------------------------------------------------------------------------

/// The ending of the name with its dot, or "" without one.
static const char* ending_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? dot : "";
}

static AbutResult read_message(SceneReader* reader, uint32_t status)
{
    const char* text = NULL;
    uint32_t length = 0;
    AbutResult result = read_text(reader, &text, &length);
    if (result != ABUT_OK)
    {
        return result;
    }
    const char* name = reader->load->name;
    int shown = length < MESSAGE_SHOWN ? (int)length : MESSAGE_SHOWN;
    return status == ABUT_IMPORT_UNSUPPORTED
               ? abut_fail(ABUT_UNSUPPORTED,
                           "%s: cannot tell the format from the ending '%.32s'; read are obj, stl, ply, and "
                           "through assimp %.*s",
                           name, ending_of(name), shown, text)
               : abut_fail(ABUT_INVALID_DATA, "%s: assimp cannot read it: %.*s", name, shown, text);
}

static AbutResult read_end(SceneReader* reader)
{
    uint32_t mark = 0;
    AbutResult result = read_u32(reader, &mark);
    bool whole = result == ABUT_OK && mark == ABUT_IMPORT_END && reader->at == reader->end;
    return result != ABUT_OK || whole ? result : fail_reply(reader, "it does not end where it should");
}

static AbutResult read_reply(SceneReader* reader)
{
    const char* magic = NULL;
    uint32_t status = 0;
    AbutResult result = read_items(reader, 1, sizeof(ABUT_IMPORT_MAGIC) - 1, &magic);
    if (result == ABUT_OK && memcmp(magic, ABUT_IMPORT_MAGIC, sizeof(ABUT_IMPORT_MAGIC) - 1) != 0)
    {
        return fail_reply(reader, "it is of another version, or of another program");
    }
    result = result == ABUT_OK ? read_u32(reader, &status) : result;
    if (result == ABUT_OK && status != ABUT_IMPORT_SCENE)
    {
        return status < ABUT_IMPORT_STATUS_COUNT ? read_message(reader, status)
                                                 : fail_reply(reader, "an unknown status");
    }
    result = result == ABUT_OK ? read_meshes(reader) : result;
    result = result == ABUT_OK ? read_nodes(reader) : result;
    return result == ABUT_OK ? read_end(reader) : result;
}

AbutResult abut_io_import_parse(AbutIoLoad* load, const void* bytes, size_t size, uint64_t corner_limit,
                                AbutIoBuilder* builder)
{
    SceneReader reader = { .load = load,
                           .start = bytes,
                           .at = bytes,
                           .end = (const char*)bytes + size,
                           .joiner = abut_io_joiner_make(builder, abut_hash(bytes, size, 0)),
                           .meshes.item_size = sizeof(SceneMesh),
                           .transforms.item_size = sizeof(Transform),
                           .corners.item_size = sizeof(uint32_t),
                           .corner_limit = corner_limit };
    AbutResult result = read_reply(&reader);
    abut_io_joiner_free(&reader.joiner);
    abut_io_array_free(&load->host, &reader.meshes);
    abut_io_array_free(&load->host, &reader.transforms);
    abut_io_array_free(&load->host, &reader.corners);
    return result;
}
