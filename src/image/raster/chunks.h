/// @file chunks.h
/// A mesh as chunks of at most 32 neighbouring triangles: the sub-objects of CULLIDE, and the batches of the
/// kernels. Each chunk has its own vertices, so that it is transformed and drawn without a look at the mesh.
#ifndef ABUT_IMAGE_RASTER_CHUNKS_H
#define ABUT_IMAGE_RASTER_CHUNKS_H

#include <abut/mesh.h>

enum
{
    ABUT_CHUNK_TRIANGLES = 32,                      ///< bits of a mask
    ABUT_CHUNK_VERTICES = 3 * ABUT_CHUNK_TRIANGLES, ///< at most
    ABUT_CHUNK_PADDING = 8,                         ///< vertices of a chunk are padded to a multiple of this
};

typedef struct AbutImageChunk
{
    AbutBox box; // in the frame of the mesh
    uint32_t first_vertex;
    uint32_t vertex_count;                    // padded with copies of a vertex of the chunk
    uint32_t triangle_count;                  // 1 to 32
    uint32_t triangles[ABUT_CHUNK_TRIANGLES]; // numbers in the mesh
    uint8_t corners[3][ABUT_CHUNK_TRIANGLES]; // vertices of the chunk; padded with zeros
} AbutImageChunk;

typedef struct AbutImageMesh
{
    AbutImageChunk* chunks;
    uint32_t chunk_count;
    uint32_t triangle_count;
    float* coordinates[3]; // vertex_count each
    uint32_t vertex_count; // of all chunks, with padding
    AbutBox box;
} AbutImageMesh;

AbutResult abut_image_mesh_create(const AbutHost* host, const AbutMesh* mesh, AbutImageMesh* out);

/// Gives the memory back to the host it came from. A zeroed mesh is ignored.
void abut_image_mesh_destroy(const AbutHost* host, AbutImageMesh* mesh);

/// Three arrays of `count` floats. Those of a failed call are freed by the caller, like those of a good one.
AbutResult abut_image_coordinates_allocate(const AbutHost* host, float* coordinates[3], uint32_t count);

void abut_image_coordinates_free(const AbutHost* host, float* coordinates[3], uint32_t count);

/// A bit for each triangle of a chunk.
static inline uint32_t abut_chunk_mask(const AbutImageChunk* chunk)
{
    return UINT32_MAX >> (ABUT_CHUNK_TRIANGLES - chunk->triangle_count);
}

#endif
