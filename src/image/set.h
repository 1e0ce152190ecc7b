/// @file set.h
/// A set of meshes with the memory of its queries.
#ifndef ABUT_IMAGE_SET_H
#define ABUT_IMAGE_SET_H

#include <abut/image.h>

#include "image/raster/depth_image.h"
#include "image/topology.h"
#include "math/transform.h"

/// An array that grows and is reused.
typedef struct AbutImageArray
{
    void* items;
    size_t capacity; // items
    size_t size;     // bytes of an item
} AbutImageArray;

/// A triangle of the potentially colliding set.
typedef struct AbutImageRecord
{
    AbutBox box;
    uint32_t chunk; // of the set
    uint32_t slot;  // of the chunk
} AbutImageRecord;

/// Rows of an image that a chunk touches.
typedef struct AbutImageRows
{
    uint16_t first, last;
} AbutImageRows;

/// A triangle above a pixel.
typedef struct AbutPixelEntry
{
    uint32_t record;
    float nearest, farthest;
} AbutPixelEntry;

/// What the edges of a block of chunks show.
typedef struct AbutCinderVerdict
{
    AbutImageState state;
    bool is_inside;
    uint32_t triangle, edge; // of the mesh: the edge that shows it
    uint32_t exact_count;
} AbutCinderVerdict;

/// What one worker finds.
typedef struct AbutImageFindings
{
    uint64_t* keys; // of pairs of triangles: numbers in the set of the first (upper 32 bits) and the second
    size_t count, capacity;
    uint64_t candidate_count;
    bool is_full;                               // no memory for a key
    bool is_contact, is_close;                  // of a query for the state alone
    uint8_t padding[64 - 5 * sizeof(uint64_t)]; // a cache line each
} AbutImageFindings;

typedef struct AbutImageObject
{
    AbutImageMesh mesh;
    AbutImageTopology topology;
    uint32_t first_chunk;    // in the set
    uint32_t first_vertex;   // in `transformed`
    uint32_t first_triangle; // number in the set

    // of a query
    AbutTransform frame; // in the frame of the set
    AbutDAffine map;     // the same
    AbutBox box;         // of the transformed vertices, larger by the margin
    bool live;
    uint32_t first_live; // of its chunks, in `live_chunks`
    uint32_t live_count;
    uint32_t first_record; // of its triangles
} AbutImageObject;

struct AbutImageSet
{
    AbutHost host;
    AbutImageObject* objects;
    uint32_t object_count;
    uint32_t chunk_count, vertex_count, triangle_count;
    uint32_t chunk_capacity, vertex_capacity; // of the arrays by chunk and vertex
    bool borrows;       // meshes and topologies are those of others: abut_image_set_bind()
    AbutImageSet* next; // of a list of its owner
    bool state_only;    // no list of pairs: whether some touch, with the rounding counted

    // of a query, by chunk or vertex of the set
    AbutImageSettings settings;
    AbutBox region;     // contains all common points
    float margin;       // transformed vertices in float are within this of those in double
    double uncertainty; // transformed vertices in double are within this of exact ones
    float* transformed[3];
    AbutBox* chunk_boxes; // of transformed vertices, larger by the margin
    AbutChunkBoxes* triangle_boxes;
    uint32_t* chunk_objects;
    uint32_t* live;    // by chunk: mask of the triangles that may collide
    uint32_t* hits[2]; // by chunk: those that are not fully visible in a pass
    AbutImageRows* chunk_rows;
    uint32_t* live_chunks;
    uint32_t* chunk_records; // by chunk: record of its first live triangle
    uint32_t live_chunk_count;
    uint32_t record_count;
    AbutCullideReport report;

    // grown as needed
    AbutImageArray pixels;       // AbutDepthPixel
    AbutImageArray records;      // AbutImageRecord
    AbutImageArray triangles;    // AbutDTriangle: by record
    AbutImageArray offsets;      // uint32_t: ends of the lists of pixels, behind a 0
    AbutImageArray entries;      // AbutPixelEntry
    AbutImageArray stamps;       // uint32_t: by worker and record
    AbutImageArray keys;         // uint64_t, twice as many as there are pairs
    AbutImageArray pairs;        // AbutImagePair
    AbutImageArray known;        // atomic_uchar: by component of the object whose edges are tested
    AbutImageArray verdicts;     // AbutCinderVerdict: by block of chunks
    AbutImageFindings* findings; // by worker
};

/// Capacity for `count` items, whose content is undefined.
AbutResult abut_image_array_reserve(const AbutHost* host, AbutImageArray* array, size_t count);

AbutResult abut_image_check_settings(const AbutImageSettings* settings, const char* method);

/// Frames, boxes and margins of all objects.
AbutResult abut_image_set_transform(AbutImageSet* set, const AbutPose* poses, const char* method);

/// A set for two meshes that others own, which abut_image_set_bind() gives it for each query; its memory
/// grows and is used again.
AbutResult abut_image_set_create_borrowing(const AbutHost* host, AbutImageSet** out);

/// Mesh and topology of both are borrowed until the next call.
AbutResult abut_image_set_bind(AbutImageSet* set, const AbutImageObject* a, const AbutImageObject* b);

/// As abut_image_set_transform(), with the second object in the frame of the first, computed from `length`.
/// Without one, and in the same frame, nothing is moved, and positions are exact.
AbutResult abut_image_set_transform_pair(AbutImageSet* set, const AbutTransform* b_in_a, double length,
                                         const char* method);

/// One object in its own frame.
AbutResult abut_image_set_transform_alone(AbutImageSet* set, uint32_t object, const char* method);

/// Transforms a chunk whose box may be in the region: its vertices, its box, and in set->live all its
/// triangles, or none.
void abut_image_transform_chunk(AbutImageSet* set, uint32_t chunk, const AbutBox* region);

/// The object of a chunk of the set, and the chunk.
static inline AbutImageObject* abut_image_object_of(const AbutImageSet* set, uint32_t chunk)
{
    return &set->objects[set->chunk_objects[chunk]];
}

static inline const AbutImageChunk* abut_image_chunk_of(const AbutImageSet* set, uint32_t chunk)
{
    const AbutImageObject* object = abut_image_object_of(set, chunk);
    return &object->mesh.chunks[chunk - object->first_chunk];
}

/// Transformed vertices of a chunk.
static inline AbutChunkVertices abut_image_transformed(const AbutImageSet* set, uint32_t chunk)
{
    uint32_t first =
        abut_image_object_of(set, chunk)->first_vertex + abut_image_chunk_of(set, chunk)->first_vertex;
    return (AbutChunkVertices){ { set->transformed[0] + first, set->transformed[1] + first,
                                  set->transformed[2] + first } };
}

static inline AbutTransformedChunk abut_image_transformed_chunk(const AbutImageSet* set, uint32_t chunk)
{
    return (AbutTransformedChunk){ abut_image_chunk_of(set, chunk), &set->triangle_boxes[chunk],
                                   abut_image_transformed(set, chunk) };
}

#endif
