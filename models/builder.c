#include "builder.h"

#include <assert.h>
#include <float.h>

#define TRIANGLE_LIMIT (UINT64_C(1) << 31)

AbutResult abut_builder_begin(AbutMeshBuilder* builder, const char* name, const char* divisions,
                              uint64_t vertex_count, uint64_t triangle_count, const AbutHost* host)
{
    *builder = (AbutMeshBuilder){ .name = name, .arena = abut_model_arena_make(host) };
    if (triangle_count > TRIANGLE_LIMIT || vertex_count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: %llu triangles are over the limit of %llu; lower %s", name,
                         (unsigned long long)triangle_count, (unsigned long long)TRIANGLE_LIMIT, divisions);
    }
    builder->vertex_capacity = (uint32_t)vertex_count;
    builder->triangle_capacity = (uint32_t)triangle_count;
    builder->vertices = abut_model_arena_allocate(&builder->arena, (size_t)vertex_count, sizeof(AbutVec3));
    builder->indices =
        abut_model_arena_allocate(&builder->arena, (size_t)triangle_count, 3 * sizeof(uint32_t));
    if (builder->vertices == NULL || builder->indices == NULL)
    {
        abut_model_arena_clear(&builder->arena);
        return ABUT_OUT_OF_MEMORY;
    }
    return ABUT_OK;
}

uint32_t abut_builder_vertex(AbutMeshBuilder* builder, double x, double y, double z)
{
    assert(builder->vertex_count < builder->vertex_capacity);
    // Adding zero turns −0 into 0, so that equal positions are equal bytes.
    builder->vertices[builder->vertex_count] = abut_vec3((float)x + 0.0f, (float)y + 0.0f, (float)z + 0.0f);
    return builder->vertex_count++;
}

void abut_builder_triangle(AbutMeshBuilder* builder, uint32_t a, uint32_t b, uint32_t c)
{
    assert(builder->triangle_count < builder->triangle_capacity);
    uint32_t* corners = builder->indices + (size_t)builder->triangle_count * 3;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    builder->triangle_count += 1;
}

void abut_builder_quad(AbutMeshBuilder* builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    abut_builder_triangle(builder, a, b, c);
    abut_builder_triangle(builder, a, c, d);
}

void abut_builder_fan(AbutMeshBuilder* builder, uint32_t centre, uint32_t ring, uint32_t count, bool flipped)
{
    for (uint32_t j = 0; j < count; ++j)
    {
        uint32_t here = ring + j;
        uint32_t next = ring + (j + 1) % count;
        abut_builder_triangle(builder, centre, flipped ? next : here, flipped ? here : next);
    }
}

void abut_builder_band(AbutMeshBuilder* builder, uint32_t lower, uint32_t upper, uint32_t count)
{
    for (uint32_t j = 0; j < count; ++j)
    {
        uint32_t next = (j + 1) % count;
        abut_builder_quad(builder, lower + j, lower + next, upper + next, upper + j);
    }
}

void abut_builder_mirror(AbutMeshBuilder* builder)
{
    for (uint32_t i = 0; i < builder->vertex_count; ++i)
    {
        builder->vertices[i].z = -builder->vertices[i].z + 0.0f;
    }
    for (uint32_t t = 0; t < builder->triangle_count; ++t)
    {
        uint32_t* corners = builder->indices + (size_t)t * 3;
        uint32_t second = corners[1];
        corners[1] = corners[2];
        corners[2] = second;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Flat rings
// -----------------------------------------------------------------------------------------------------------

static const double TWO_PI = 6.283185307179586476925;

/// The angle in the middle of edge `i` of the loop; i may go past the end, the angle grows on.
static double edge_middle(AbutVertexLoop loop, uint32_t i)
{
    uint32_t here = i % loop.count;
    double next = here + 1 < loop.count ? loop.angles[here + 1] : loop.angles[0] + TWO_PI;
    return 0.5 * (loop.angles[here] + next) + TWO_PI * (double)(i / loop.count);
}

/// How far `angle` is ahead of `start`, in [0, TURN).
static double angle_ahead(double angle, double start)
{
    double ahead = fmod(angle - start, TWO_PI);
    return ahead < 0.0 ? ahead + TWO_PI : ahead;
}

static uint32_t first_edge_after(AbutVertexLoop loop, double start)
{
    uint32_t first = 0;
    for (uint32_t j = 1; j < loop.count; ++j)
    {
        if (angle_ahead(edge_middle(loop, j), start) < angle_ahead(edge_middle(loop, first), start))
        {
            first = j;
        }
    }
    return first;
}

/// Edges of both loops are taken in the order of the angles of their middles. Each triangle joins an edge
/// with the vertex that is current on the other loop, which is then within half an edge's angle of that
/// middle: an outer vertex is thus beyond the line of the inner edge, and an inner vertex before the line of
/// the outer edge.
void abut_builder_annulus(AbutMeshBuilder* builder, AbutVertexLoop outer, AbutVertexLoop inner, bool flipped)
{
    double start = edge_middle(outer, 0);
    uint32_t first = first_edge_after(inner, start);
    double lag = edge_middle(inner, first) - start - angle_ahead(edge_middle(inner, first), start);
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < outer.count || j < inner.count)
    {
        uint32_t here = outer.vertices[i % outer.count];
        uint32_t across = inner.vertices[(first + j) % inner.count];
        bool take_outer = j == inner.count ||
                          (i < outer.count && edge_middle(outer, i) <= edge_middle(inner, first + j) - lag);
        uint32_t next = take_outer ? outer.vertices[(i + 1) % outer.count]
                                   : inner.vertices[(first + j + 1) % inner.count];
        abut_builder_triangle(builder, here, flipped ? across : next, flipped ? next : across);
        i += take_outer ? 1 : 0;
        j += take_outer ? 0 : 1;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Tubes
// -----------------------------------------------------------------------------------------------------------

AbutTubeRing abut_builder_tube_ring(AbutMeshBuilder* builder, const AbutTubeSection* section,
                                    const double (*profile)[2], uint32_t count, double radius)
{
    AbutTubeRing ring = { section->centre, builder->vertex_count, count };
    for (uint32_t j = 0; j < count; ++j)
    {
        double a = radius * profile[j][0];
        double b = radius * profile[j][1];
        abut_builder_vertex(builder, section->centre.x + a * section->u.x + b * section->v.x,
                            section->centre.y + a * section->u.y + b * section->v.y,
                            section->centre.z + a * section->u.z + b * section->v.z);
    }
    return ring;
}

/// Six times the volume between a point and a triangle: positive when the triangle faces away from the point.
static double volume_from(AbutPosition point, AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    double ax = a.x - point.x, ay = a.y - point.y, az = a.z - point.z;
    double bx = b.x - point.x, by = b.y - point.y, bz = b.z - point.z;
    double cx = c.x - point.x, cy = c.y - point.y, cz = c.z - point.z;
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

static void tube_triangle(AbutMeshBuilder* builder, const AbutPosition centres[2], const uint32_t corners[3],
                          bool inward)
{
    const AbutVec3* vertices = builder->vertices;
    for (int end = 0; end < 2; ++end)
    {
        builder->folded |= !(volume_from(centres[end], vertices[corners[0]], vertices[corners[1]],
                                         vertices[corners[2]]) > 0.0);
    }
    abut_builder_triangle(builder, corners[0], corners[inward ? 2 : 1], corners[inward ? 1 : 2]);
}

void abut_builder_tube(AbutMeshBuilder* builder, AbutTubeRing a, AbutTubeRing b, uint32_t shift, bool inward)
{
    const AbutPosition centres[2] = { a.centre, b.centre };
    for (uint32_t j = 0; j < a.count; ++j)
    {
        uint32_t next = (j + 1) % a.count;
        uint32_t a0 = a.first + j;
        uint32_t a1 = a.first + next;
        uint32_t b0 = b.first + (j + shift) % a.count;
        uint32_t b1 = b.first + (next + shift) % a.count;
        tube_triangle(builder, centres, (const uint32_t[3]){ a0, a1, b1 }, inward);
        tube_triangle(builder, centres, (const uint32_t[3]){ a0, b1, b0 }, inward);
    }
}

// -----------------------------------------------------------------------------------------------------------
// The check at the end
// -----------------------------------------------------------------------------------------------------------

/// How far the difference of two coordinates of that size may be off by their rounding to float.
static double rounding(float a, float b, float c)
{
    return (double)fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c))) * FLT_EPSILON;
}

/// Whether a triangle in a coordinate plane is so large that moving its corners by their rounding cannot turn
/// it over.
static bool keeps_its_side(const double x[2], const double y[2], double ex, double ey)
{
    double area = x[0] * y[1] - x[1] * y[0];
    double uncertainty = (fabs(x[0]) + fabs(x[1])) * ey + (fabs(y[0]) + fabs(y[1])) * ex + 2.0 * ex * ey;
    return fabs(area) > uncertainty;
}

static bool triangle_is_sound(AbutVec3 a, AbutVec3 b, AbutVec3 c)
{
    const double x[2] = { (double)b.x - a.x, (double)c.x - a.x };
    const double y[2] = { (double)b.y - a.y, (double)c.y - a.y };
    const double z[2] = { (double)b.z - a.z, (double)c.z - a.z };
    double ex = rounding(a.x, b.x, c.x);
    double ey = rounding(a.y, b.y, c.y);
    double ez = rounding(a.z, b.z, c.z);
    return keeps_its_side(x, y, ex, ey) || keeps_its_side(y, z, ey, ez) || keeps_its_side(z, x, ez, ex);
}

static AbutResult check_triangles(const AbutMeshBuilder* builder)
{
    const AbutVec3* vertices = builder->vertices;
    for (uint32_t t = 0; t < builder->triangle_count; ++t)
    {
        const uint32_t* corners = builder->indices + (size_t)t * 3;
        AbutVec3 a = vertices[corners[0]];
        if (!triangle_is_sound(a, vertices[corners[1]], vertices[corners[2]]))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT,
                             "%s: a triangle at (%g, %g, %g) is too thin for float coordinates; use fewer "
                             "divisions or less extreme proportions",
                             builder->name, (double)a.x, (double)a.y, (double)a.z);
        }
    }
    return ABUT_OK;
}

AbutResult abut_builder_finish(AbutMeshBuilder* builder, AbutMesh** out)
{
    assert(builder->vertex_count == builder->vertex_capacity);
    assert(builder->triangle_count == builder->triangle_capacity);
    AbutResult result = check_triangles(builder);
    if (result == ABUT_OK && builder->folded)
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT,
                           "%s: neighbouring sections bend or twist so far that the surface folds; use more "
                           "divisions along the tube, or less bend and twist",
                           builder->name);
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = builder->vertices;
    def.vertex_count = builder->vertex_count;
    def.indices = builder->indices;
    def.triangle_count = builder->triangle_count;
    def.host = &builder->arena.host;
    if (result == ABUT_OK)
    {
        result = abut_mesh_create(&def, out);
    }
    abut_model_arena_clear(&builder->arena);
    return result;
}
