/// @file builder.h
/// Collects the vertices and triangles that a reader finds. Limits of a mesh (32-bit counts) are checked
/// here.
#ifndef ABUT_IO_BUILDER_H
#define ABUT_IO_BUILDER_H

#include "io/memory.h"
#include "io/mesh/polygon.h"

#include <abut/math.h>

typedef struct AbutIoBuilder
{
    const AbutHost* host;
    AbutIoArray vertices; ///< AbutVec3
    AbutIoArray indices;  ///< uint32_t, three per triangle, each under vertices.count
    AbutIoPolygonCutter cutter;
    size_t small_face_count; ///< faces with one or two corners, left out
} AbutIoBuilder;

AbutIoBuilder abut_io_builder_make(const AbutHost* host);
void abut_io_builder_free(AbutIoBuilder* builder);

/// Room for more vertices or triangles: ABUT_OUT_OF_MEMORY, or ABUT_LIMIT_EXCEEDED past 2^32 − 1 of them.
AbutResult abut_io_builder_reserve_vertices(AbutIoBuilder* builder, size_t extra);
AbutResult abut_io_builder_reserve_triangles(AbutIoBuilder* builder, size_t extra);

static inline const AbutVec3* abut_io_builder_vertices(const AbutIoBuilder* builder)
{
    return builder->vertices.items;
}

/// The room must be there.
static inline void abut_io_builder_put_vertex(AbutIoBuilder* builder, AbutVec3 vertex)
{
    AbutVec3* vertices = builder->vertices.items;
    vertices[builder->vertices.count++] = vertex;
}

/// The room must be there.
static inline void abut_io_builder_put_triangle(AbutIoBuilder* builder, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t* triangle = (uint32_t*)builder->indices.items + builder->indices.count;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    builder->indices.count += 3;
}

/// Adds a polygon of `count` corners, each under vertices.count, as count − 2 triangles. Fewer than 3 are
/// only counted.
AbutResult abut_io_builder_add_polygon(AbutIoBuilder* builder, const uint32_t* corners, size_t count);

#endif
