#include "io/mesh/builder.h"

AbutIoBuilder abut_io_builder_make(const AbutHost* host)
{
    AbutIoBuilder builder = { .host = host,
                              .vertices.item_size = sizeof(AbutVec3),
                              .indices.item_size = sizeof(uint32_t),
                              .cutter = abut_io_polygon_cutter_make(host) };
    return builder;
}

void abut_io_builder_free(AbutIoBuilder* builder)
{
    abut_io_array_free(builder->host, &builder->vertices);
    abut_io_array_free(builder->host, &builder->indices);
    abut_io_polygon_cutter_free(&builder->cutter);
}

AbutResult abut_io_builder_reserve_vertices(AbutIoBuilder* builder, size_t extra)
{
    AbutIoArray* vertices = &builder->vertices;
    if (extra > UINT32_MAX - vertices->count)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "more than %u vertices, the most that a mesh can have",
                         UINT32_MAX);
    }
    return abut_io_array_reserve(builder->host, vertices, extra) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

AbutResult abut_io_builder_reserve_triangles(AbutIoBuilder* builder, size_t extra)
{
    AbutIoArray* indices = &builder->indices;
    if (extra > UINT32_MAX - indices->count / 3)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "more than %u triangles, the most that a mesh can have",
                         UINT32_MAX);
    }
    return abut_io_array_reserve(builder->host, indices, extra * 3) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

AbutResult abut_io_builder_add_polygon(AbutIoBuilder* builder, const uint32_t* corners, size_t count)
{
    if (count < 3)
    {
        builder->small_face_count += 1;
        return ABUT_OK;
    }
    if (count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "a polygon of %zu corners; %u is the most", count, UINT32_MAX);
    }
    AbutResult result = abut_io_builder_reserve_triangles(builder, count - 2);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (count == 3)
    {
        abut_io_builder_put_triangle(builder, corners[0], corners[1], corners[2]);
        return ABUT_OK;
    }
    uint32_t* triangles = (uint32_t*)builder->indices.items + builder->indices.count;
    result = abut_io_polygon_cut(&builder->cutter, builder->vertices.items, corners, count, triangles);
    builder->indices.count += result == ABUT_OK ? 3 * (count - 2) : 0;
    return result;
}
