// Creation of sets, and the poses of a query.
#include "image/set.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "math/rounding.h"
#include "mesh/mesh.h"
#include "mesh/triangle/touch.h"

#include <float.h>
#include <stdatomic.h>

enum
{
    MAX_OBJECTS = 65536,
    MAX_TRIANGLES = 1 << 30, // under the limit of edges by vertex
    CHUNK_ARRAYS = 9,
};

/// Transformed vertices in float: rounding of the products and of the result, relative to the largest
/// coordinate; the same again for the addition of the margin.
#define TRANSFORM_ROUNDING 0x1p-22

AbutImageSettings abut_image_settings(void)
{
    return (
        AbutImageSettings){ .resolution = 128, .axes = ABUT_IMAGE_Z, .slabs = ABUT_IMAGE_SLABS, .rounds = 1 };
}

AbutImageSetDef abut_image_set_def(void)
{
    return (AbutImageSetDef){ 0 };
}

AbutResult abut_image_array_reserve(const AbutHost* host, AbutImageArray* array, size_t count)
{
    count = count > 0 ? count : 1; // so that items are never NULL
    if (count <= array->capacity)
    {
        return ABUT_OK;
    }
    size_t capacity = count + count / 4;
    void* items = abut_memory_allocate(host, capacity, array->size);
    if (items == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    abut_memory_free(host, array->items, array->capacity, array->size);
    array->items = items;
    array->capacity = capacity;
    return ABUT_OK;
}

static void array_free(const AbutHost* host, AbutImageArray* array)
{
    abut_memory_free(host, array->items, array->capacity, array->size);
}

AbutResult abut_image_check_settings(const AbutImageSettings* settings, const char* method)
{
    if (settings->resolution < 1 || settings->resolution > ABUT_IMAGE_MAX_RESOLUTION)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: a resolution of %u is not in [1, %d]", method,
                         settings->resolution, ABUT_IMAGE_MAX_RESOLUTION);
    }
    if (settings->axes < 1 || settings->axes > ABUT_IMAGE_XYZ)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: axes %u are not a sum of ABUT_IMAGE_X, _Y and _Z",
                         method, settings->axes);
    }
    if (settings->slabs != 0 && settings->slabs != ABUT_IMAGE_SLABS)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: %u slabs; only 0 and %d are possible", method,
                         settings->slabs, ABUT_IMAGE_SLABS);
    }
    if (settings->rounds < 1 || settings->rounds > 16)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: %u rounds are not in [1, 16]", method, settings->rounds);
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_def(const AbutImageSetDef* def)
{
    if (def->mesh_count > MAX_OBJECTS)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "image set: %u meshes, more than %d", def->mesh_count,
                         MAX_OBJECTS);
    }
    uint64_t triangle_count = 0;
    for (uint32_t i = 0; i < def->mesh_count; ++i)
    {
        if (def->meshes == NULL || def->meshes[i] == NULL)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "image set: mesh %u is NULL", i);
        }
        triangle_count += def->meshes[i]->triangle_count;
    }
    if (triangle_count > MAX_TRIANGLES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "image set: %llu triangles, more than %d",
                         (unsigned long long)triangle_count, MAX_TRIANGLES);
    }
    return ABUT_OK;
}

/// Appends an object with its mesh.
static void count_object(AbutImageSet* set, AbutImageObject* object)
{
    object->first_chunk = set->chunk_count;
    object->first_vertex = set->vertex_count;
    object->first_triangle = set->triangle_count;
    set->chunk_count += object->mesh.chunk_count;
    set->vertex_count += object->mesh.vertex_count;
    set->triangle_count += object->mesh.triangle_count;
}

static AbutResult create_objects(AbutImageSet* set, const AbutImageSetDef* def)
{
    set->objects = abut_memory_allocate_zero(&set->host, def->mesh_count, sizeof(AbutImageObject));
    if (set->objects == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    set->object_count = def->mesh_count;
    for (uint32_t i = 0; i < def->mesh_count; ++i)
    {
        AbutImageObject* object = &set->objects[i];
        AbutResult result = abut_image_mesh_create(&set->host, def->meshes[i], &object->mesh);
        if (result == ABUT_OK)
        {
            result = abut_image_topology_create(&set->host, def->meshes[i], &object->topology);
        }
        if (result != ABUT_OK)
        {
            return result;
        }
        count_object(set, object);
    }
    return ABUT_OK;
}

/// The arrays by chunk, with their sizes.
static uint32_t list_chunk_arrays(AbutImageSet* set, void*** arrays, size_t* sizes)
{
    void** list[] = { (void**)&set->chunk_boxes, (void**)&set->triangle_boxes, (void**)&set->chunk_objects,
                      (void**)&set->live,        (void**)&set->hits[0],        (void**)&set->hits[1],
                      (void**)&set->live_chunks, (void**)&set->chunk_records,  (void**)&set->chunk_rows };
    const size_t item_sizes[] = { sizeof(AbutBox),  sizeof(AbutChunkBoxes), sizeof(uint32_t),
                                  sizeof(uint32_t), sizeof(uint32_t),       sizeof(uint32_t),
                                  sizeof(uint32_t), sizeof(uint32_t),       sizeof(AbutImageRows) };
    const uint32_t count = sizeof(list) / sizeof(list[0]);
    for (uint32_t i = 0; i < count; ++i)
    {
        arrays[i] = list[i];
        sizes[i] = item_sizes[i];
    }
    return count;
}

/// Arrays of the set's counts; those of a failed call are freed with the set.
static AbutResult allocate_arrays(AbutImageSet* set)
{
    void** arrays[CHUNK_ARRAYS];
    size_t sizes[CHUNK_ARRAYS];
    uint32_t count = list_chunk_arrays(set, arrays, sizes);
    set->chunk_capacity = set->chunk_count;
    set->vertex_capacity = set->vertex_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        *arrays[i] = abut_memory_allocate(&set->host, set->chunk_count, sizes[i]);
        if (*arrays[i] == NULL)
        {
            return ABUT_OUT_OF_MEMORY;
        }
    }
    return abut_image_coordinates_allocate(&set->host, set->transformed, set->vertex_count);
}

static void free_chunk_arrays(AbutImageSet* set)
{
    void** arrays[CHUNK_ARRAYS];
    size_t sizes[CHUNK_ARRAYS];
    uint32_t count = list_chunk_arrays(set, arrays, sizes);
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_memory_free(&set->host, *arrays[i], set->chunk_capacity, sizes[i]);
        *arrays[i] = NULL;
    }
    abut_image_coordinates_free(&set->host, set->transformed, set->vertex_capacity);
    set->transformed[0] = set->transformed[1] = set->transformed[2] = NULL;
}

static void number_chunks(AbutImageSet* set)
{
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        for (uint32_t c = 0; c < set->objects[i].mesh.chunk_count; ++c)
        {
            set->chunk_objects[set->objects[i].first_chunk + c] = i;
        }
    }
}

static void set_array_sizes(AbutImageSet* set)
{
    set->pixels.size = sizeof(AbutDepthPixel);
    set->records.size = sizeof(AbutImageRecord);
    set->triangles.size = sizeof(AbutDTriangle);
    set->offsets.size = sizeof(uint32_t);
    set->entries.size = sizeof(AbutPixelEntry);
    set->stamps.size = sizeof(uint32_t);
    set->keys.size = sizeof(uint64_t);
    set->pairs.size = sizeof(AbutImagePair);
    set->known.size = sizeof(atomic_uchar);
    set->verdicts.size = sizeof(AbutCinderVerdict);
}

/// An empty set.
static AbutImageSet* allocate_set(const AbutHost* host)
{
    AbutHost resolved = abut_host_resolve(host);
    AbutImageSet* set = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutImageSet));
    if (set == NULL)
    {
        return NULL;
    }
    set->host = resolved;
    set_array_sizes(set);
    set->findings = abut_memory_allocate_zero(&set->host, set->host.worker_count, sizeof(AbutImageFindings));
    if (set->findings == NULL)
    {
        abut_memory_free(&resolved, set, 1, sizeof(AbutImageSet));
        return NULL;
    }
    return set;
}

AbutResult abut_image_set_create(const AbutImageSetDef* def, AbutImageSet** out)
{
    ABUT_FP_CALL(abut_image_set_create, def, out);
    *out = NULL;
    AbutResult result = check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutImageSet* set = allocate_set(def->host);
    if (set == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    result = create_objects(set, def);
    if (result == ABUT_OK)
    {
        result = allocate_arrays(set);
    }
    if (result != ABUT_OK)
    {
        abut_image_set_destroy(set);
        return result;
    }
    number_chunks(set);
    *out = set;
    return ABUT_OK;
}

AbutResult abut_image_set_create_borrowing(const AbutHost* host, AbutImageSet** out)
{
    *out = NULL;
    AbutImageSet* set = allocate_set(host);
    if (set == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    set->borrows = true;
    set->objects = abut_memory_allocate_zero(&set->host, 2, sizeof(AbutImageObject));
    if (set->objects == NULL)
    {
        abut_image_set_destroy(set);
        return ABUT_OUT_OF_MEMORY;
    }
    set->object_count = 2;
    *out = set;
    return ABUT_OK;
}

AbutResult abut_image_set_bind(AbutImageSet* set, const AbutImageObject* a, const AbutImageObject* b)
{
    set->chunk_count = set->vertex_count = set->triangle_count = 0;
    for (int i = 0; i < 2; ++i)
    {
        set->objects[i] = i == 0 ? *a : *b;
        count_object(set, &set->objects[i]);
    }
    if (set->chunk_count > set->chunk_capacity || set->vertex_count > set->vertex_capacity)
    {
        free_chunk_arrays(set);
        AbutResult result = allocate_arrays(set);
        if (result != ABUT_OK)
        {
            free_chunk_arrays(set);
            set->chunk_capacity = set->vertex_capacity = 0;
            return result;
        }
    }
    number_chunks(set);
    return ABUT_OK;
}

static void free_arrays(AbutImageSet* set)
{
    free_chunk_arrays(set);
    AbutImageArray* grown[] = { &set->pixels, &set->records, &set->triangles, &set->offsets, &set->entries,
                                &set->stamps, &set->keys,    &set->pairs,     &set->known,   &set->verdicts };
    for (uint32_t i = 0; i < sizeof(grown) / sizeof(grown[0]); ++i)
    {
        array_free(&set->host, grown[i]);
    }
    for (uint32_t i = 0; set->findings != NULL && i < set->host.worker_count; ++i)
    {
        abut_memory_free(&set->host, set->findings[i].keys, set->findings[i].capacity, sizeof(uint64_t));
    }
    abut_memory_free(&set->host, set->findings, set->host.worker_count, sizeof(AbutImageFindings));
}

void abut_image_set_destroy(AbutImageSet* set)
{
    if (set == NULL)
    {
        return;
    }
    AbutHost host = set->host;
    free_arrays(set);
    for (uint32_t i = 0; i < set->object_count && !set->borrows; ++i)
    {
        abut_image_mesh_destroy(&host, &set->objects[i].mesh);
        abut_image_topology_destroy(&host, &set->objects[i].topology);
    }
    abut_memory_free(&host, set->objects, set->object_count, sizeof(AbutImageObject));
    abut_memory_free(&host, set, 1, sizeof(AbutImageSet));
}

// -----------------------------------------------------------------------------------------------------------
// Poses of a query
// -----------------------------------------------------------------------------------------------------------

static double box_magnitude(AbutBox box)
{
    AbutDVec3 low = abut_dvec3_abs(abut_dvec3_from_vec3(box.min));
    AbutDVec3 high = abut_dvec3_abs(abut_dvec3_from_vec3(box.max));
    AbutDVec3 most = abut_dvec3_max(low, high);
    return abut_larger(abut_larger(most.x, most.y), most.z);
}

/// Lengths in the sum of a transformed coordinate.
static double transformed_magnitude(const AbutTransform* frame, AbutBox box)
{
    AbutDVec3 t = abut_dvec3_abs(frame->translation);
    double offset = abut_larger(abut_larger(t.x, t.y), t.z);
    return 3.0 * frame->scale * box_magnitude(box) + offset;
}

/// Coordinates with margins and differences that stay finite.
static AbutResult check_magnitude(double magnitude, const char* method)
{
    return magnitude < (double)FLT_MAX / 8.0
               ? ABUT_OK
               : abut_fail(ABUT_LIMIT_EXCEEDED, "%s: a mesh is transformed at %g, beyond the range of float",
                           method, magnitude);
}

/// Places an object; returns its largest coordinate.
static double transform_object(AbutImageObject* object, AbutTransform frame)
{
    object->frame = frame;
    object->map = abut_transform_affine(&object->frame);
    object->box = abut_transform_box(&object->frame, object->mesh.box);
    return object->mesh.triangle_count > 0 ? transformed_magnitude(&object->frame, object->mesh.box) : 0.0;
}

static void set_margin(AbutImageSet* set, double margin)
{
    set->margin = abut_round_up(margin);
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        set->objects[i].box = abut_box_expand(set->objects[i].box, set->margin);
    }
}

AbutResult abut_image_set_transform(AbutImageSet* set, const AbutPose* poses, const char* method)
{
    double magnitude = 0.0;
    set->uncertainty = 0.0;
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        if (!abut_pose_is_valid(&poses[i]))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "%s: pose %u is not valid", method, i);
        }
        double own = transform_object(&set->objects[i], abut_transform_relative(&poses[0], &poses[i]));
        magnitude = abut_larger(magnitude, own);
        set->uncertainty = i == 0 ? 0.0 : abut_larger(set->uncertainty, ABUT_TRANSFORM_ROUNDING * own);
    }
    if (check_magnitude(magnitude, method) != ABUT_OK)
    {
        return ABUT_LIMIT_EXCEEDED;
    }
    set_margin(set, TRANSFORM_ROUNDING * magnitude);
    return ABUT_OK;
}

AbutResult abut_image_set_transform_pair(AbutImageSet* set, const AbutTransform* b_in_a, double length,
                                         const char* method)
{
    double own = transform_object(&set->objects[0], abut_transform_identity());
    double other = transform_object(&set->objects[1], *b_in_a), magnitude = abut_larger(own, other);
    if (check_magnitude(magnitude, method) != ABUT_OK)
    {
        return ABUT_LIMIT_EXCEEDED;
    }
    set->uncertainty = length > 0.0 ? ABUT_TRANSFORM_ROUNDING * (other + length) : 0.0;
    set_margin(set, TRANSFORM_ROUNDING * magnitude + 2.0 * set->uncertainty);
    return ABUT_OK;
}

AbutResult abut_image_set_transform_alone(AbutImageSet* set, uint32_t object, const char* method)
{
    AbutImageObject* own = &set->objects[object];
    double magnitude = own->mesh.triangle_count > 0 ? box_magnitude(own->mesh.box) : 0.0;
    if (check_magnitude(magnitude, method) != ABUT_OK)
    {
        return ABUT_LIMIT_EXCEEDED;
    }
    own->frame = abut_transform_identity();
    own->map = abut_transform_affine(&own->frame);
    set->uncertainty = 0.0;
    set->margin = magnitude > 0.0 ? abut_round_up(TRANSFORM_ROUNDING * magnitude) : 0.0f;
    own->box = abut_box_expand(own->mesh.box, set->margin);
    return ABUT_OK;
}

void abut_image_transform_chunk(AbutImageSet* set, uint32_t c, const AbutBox* region)
{
    const AbutImageObject* object = abut_image_object_of(set, c);
    const AbutImageChunk* chunk = abut_image_chunk_of(set, c);
    set->live[c] = 0;
    AbutBox loose = abut_box_expand(abut_transform_box(&object->frame, chunk->box), set->margin);
    if (abut_box_overlap(loose, *region))
    {
        float* const* in = object->mesh.coordinates;
        AbutChunkVertices vertices = { { in[0] + chunk->first_vertex, in[1] + chunk->first_vertex,
                                         in[2] + chunk->first_vertex } };
        AbutBox box = abut_image_kernels()->transform(&object->map, vertices, chunk->vertex_count,
                                                      abut_image_transformed(set, c));
        set->chunk_boxes[c] = abut_box_expand(box, set->margin);
        set->live[c] = abut_box_overlap(set->chunk_boxes[c], *region) ? abut_chunk_mask(chunk) : 0;
    }
}
