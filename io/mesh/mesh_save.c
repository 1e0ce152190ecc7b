// Writers of OBJ, binary little-endian PLY and binary STL.
#include "io/mesh/bytes.h"
#include "io/output.h"
#include "io/text/float_text.h"
#include "models/fp_env.h"

#include <abut/io.h>
#include <math.h>
#include <stdio.h>

enum
{
    STL_HEADER_SIZE = 80,
    STL_FACET_SIZE = 50,
    PLY_VERTEX_SIZE = 12,
    PLY_FACE_SIZE = 13,
    OBJ_VERTEX_SIZE = 8 + 3 * ABUT_IO_FLOAT_TEXT_SIZE, // at most
    OBJ_FACE_SIZE = 48                                 // at most
};

static const char origin[] = "written by abut "; // and the version

// -----------------------------------------------------------------------------------------------------------
// OBJ
// -----------------------------------------------------------------------------------------------------------

static void write_obj_vertex(AbutIoOutput* output, AbutVec3 v)
{
    char* line = abut_io_output_reserve(output, OBJ_VERTEX_SIZE);
    const float coordinates[3] = { v.x, v.y, v.z };
    size_t length = 0;
    line[length++] = 'v';
    for (int i = 0; i < 3; ++i)
    {
        line[length++] = ' ';
        length += abut_io_float_print(coordinates[i], line + length);
    }
    line[length++] = '\n';
    output->used += length;
}

static size_t print_integer(uint64_t value, char* text)
{
    char reversed[20];
    size_t count = 0;
    do
    {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; ++i)
    {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

static void write_obj_face(AbutIoOutput* output, const uint32_t* corners)
{
    char* line = abut_io_output_reserve(output, OBJ_FACE_SIZE);
    size_t length = 0;
    line[length++] = 'f';
    for (int i = 0; i < 3; ++i)
    {
        line[length++] = ' ';
        length += print_integer((uint64_t)corners[i] + 1, line + length);
    }
    line[length++] = '\n';
    output->used += length;
}

static void write_header(AbutIoOutput* output, const char* text, size_t length)
{
    memcpy(abut_io_output_reserve(output, length), text, length);
    output->used += length;
}

static void write_obj(AbutIoOutput* output, const AbutMesh* mesh)
{
    char header[128];
    int length = snprintf(header, sizeof(header), "# %s%s\n", origin, abut_version());
    write_header(output, header, (size_t)length);
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        write_obj_vertex(output, vertices[i]);
    }
    const uint32_t* indices = abut_mesh_indices(mesh);
    for (uint32_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        write_obj_face(output, indices + (size_t)i * 3);
    }
}

// -----------------------------------------------------------------------------------------------------------
// PLY
// -----------------------------------------------------------------------------------------------------------

static void put_vertex(char* bytes, AbutVec3 v)
{
    abut_io_put_f32(bytes, v.x);
    abut_io_put_f32(bytes + 4, v.y);
    abut_io_put_f32(bytes + 8, v.z);
}

static void write_ply(AbutIoOutput* output, const AbutMesh* mesh)
{
    uint32_t vertex_count = abut_mesh_vertex_count(mesh);
    uint32_t triangle_count = abut_mesh_triangle_count(mesh);
    char header[512];
    int length = snprintf(header, sizeof(header),
                          "ply\nformat binary_little_endian 1.0\ncomment %s%s\nelement vertex %u\n"
                          "property float x\nproperty float y\nproperty float z\nelement face %u\n"
                          "property list uchar %s vertex_indices\nend_header\n",
                          origin, abut_version(), vertex_count, triangle_count,
                          vertex_count <= INT32_MAX ? "int" : "uint"); // some readers know only "int"
    write_header(output, header, (size_t)length);
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    for (uint32_t i = 0; i < vertex_count; ++i)
    {
        put_vertex(abut_io_output_reserve(output, PLY_VERTEX_SIZE), vertices[i]);
        output->used += PLY_VERTEX_SIZE;
    }
    const uint32_t* indices = abut_mesh_indices(mesh);
    for (size_t i = 0; i < triangle_count; ++i)
    {
        char* bytes = abut_io_output_reserve(output, PLY_FACE_SIZE);
        bytes[0] = 3;
        abut_io_put_u32(bytes + 1, indices[3 * i]);
        abut_io_put_u32(bytes + 5, indices[3 * i + 1]);
        abut_io_put_u32(bytes + 9, indices[3 * i + 2]);
        output->used += PLY_FACE_SIZE;
    }
}

// -----------------------------------------------------------------------------------------------------------
// STL
// -----------------------------------------------------------------------------------------------------------

/// Unit normal of a triangle; zero when it has no area.
static AbutVec3 facet_normal(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    AbutPosition u = { (double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z };
    AbutPosition v = { (double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z };
    AbutPosition n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (!(length > 0.0))
    {
        return abut_vec3(0.0f, 0.0f, 0.0f);
    }
    return abut_vec3((float)(n.x / length), (float)(n.y / length), (float)(n.z / length));
}

static void write_stl(AbutIoOutput* output, const AbutMesh* mesh)
{
    // Must not start with "solid", which some readers take for a text file.
    char header[STL_HEADER_SIZE + 4] = { 0 };
    snprintf(header, STL_HEADER_SIZE, "binary STL %s%s", origin, abut_version());
    uint32_t triangle_count = abut_mesh_triangle_count(mesh);
    abut_io_put_u32(header + STL_HEADER_SIZE, triangle_count);
    write_header(output, header, sizeof(header));
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    for (size_t i = 0; i < triangle_count; ++i)
    {
        AbutVec3 a = vertices[indices[i * 3]];
        AbutVec3 b = vertices[indices[i * 3 + 1]];
        AbutVec3 c = vertices[indices[i * 3 + 2]];
        char* bytes = abut_io_output_reserve(output, STL_FACET_SIZE);
        put_vertex(bytes, facet_normal(a, b, c));
        put_vertex(bytes + 12, a);
        put_vertex(bytes + 24, b);
        put_vertex(bytes + 36, c);
        bytes[48] = 0;
        bytes[49] = 0;
        output->used += STL_FACET_SIZE;
    }
}

AbutResult abut_mesh_save(const AbutMesh* mesh, const char* path)
{
    ABUT_FP_CALL(abut_mesh_save, mesh, path);
    AbutMeshFormat format = abut_mesh_format_from_path(path);
    if (format == ABUT_MESH_FORMAT_UNKNOWN)
    {
        return abut_fail(ABUT_UNSUPPORTED,
                         "%s: meshes are written as .obj, .ply or .stl, by the ending of the name", path);
    }
    AbutIoOutput output;
    AbutResult result = abut_io_output_open(&output, path);
    if (result != ABUT_OK)
    {
        return result;
    }
    switch (format)
    {
    case ABUT_MESH_FORMAT_OBJ:
        write_obj(&output, mesh);
        break;
    case ABUT_MESH_FORMAT_PLY:
        write_ply(&output, mesh);
        break;
    default:
        write_stl(&output, mesh);
        break;
    }
    return abut_io_output_close(&output);
}
