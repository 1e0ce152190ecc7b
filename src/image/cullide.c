// CULLIDE: objects, chunks, triangles, then exact tests of the triangles that share a pixel.
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "image/find_pairs.h"
#include "image/mesh_pair.h"
#include "image/passes.h"
#include "image/pixel_lists.h"

#include <string.h>

enum
{
    CHUNK_BLOCK = 8,          // chunks
    CHUNK_RATIO = 2,          // pixels of an image of triangles per pixel of one of chunks
    MAX_PAIRED_OBJECTS = 256, // up to so many, all pairs of objects are compared
};

static AbutImageView view_of(const AbutImageSet* set, int axis, uint32_t resolution)
{
    AbutImageView view = abut_image_view(set->region, axis, resolution, set->settings.slabs > 0);
    view.margin = set->margin;
    return view;
}

static int first_axis(uint32_t axes)
{
    return (axes & ABUT_IMAGE_X) != 0 ? 0 : (axes & ABUT_IMAGE_Y) != 0 ? 1 : 2;
}

// -----------------------------------------------------------------------------------------------------------
// Objects
// -----------------------------------------------------------------------------------------------------------

/// Few objects: those whose boxes overlap, and the box of all common points.
static void pair_objects(AbutImageSet* set)
{
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        for (uint32_t j = i + 1; j < set->object_count; ++j)
        {
            AbutBox common = abut_box_intersection(set->objects[i].box, set->objects[j].box);
            if (!abut_box_is_empty(common))
            {
                set->objects[i].live = set->objects[j].live = true;
                set->region = abut_box_union(set->region, common);
            }
        }
    }
}

/// Many: one pass over their boxes in each direction, as for chunks.
static void pass_objects(AbutImageSet* set)
{
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        if (!abut_box_is_empty(set->objects[i].box))
        {
            set->region = abut_box_union(set->region, set->objects[i].box);
        }
    }
    if (abut_box_is_empty(set->region))
    {
        return;
    }
    uint32_t resolution = set->settings.resolution;
    AbutImageView view = view_of(set, first_axis(set->settings.axes), resolution);
    AbutDepthPixel* pixels = set->pixels.items;
    for (int pass = 0; pass < 2; ++pass)
    {
        abut_depth_image_clear(&view, pixels, 0, resolution - 1);
        for (uint32_t k = 0; k < set->object_count; ++k)
        {
            AbutImageObject* object = &set->objects[pass == 0 ? k : set->object_count - 1 - k];
            if (!abut_box_is_empty(object->box))
            {
                object->live = abut_depth_image_test_box(&view, pixels, &object->box) || object->live;
                abut_depth_image_draw_box(&view, pixels, &object->box, 0, resolution - 1);
            }
        }
    }
    set->report.pass_count += 2;
}

static void cull_objects(AbutImageSet* set)
{
    set->region = abut_box_empty();
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        set->objects[i].live = false;
    }
    if (set->object_count <= MAX_PAIRED_OBJECTS)
    {
        pair_objects(set);
    }
    else
    {
        pass_objects(set);
    }
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        set->report.object_count += set->objects[i].live;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Chunks
// -----------------------------------------------------------------------------------------------------------

static void transform_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutImageSet* set = context;
    uint32_t end = (block + 1) * CHUNK_BLOCK;
    end = end < set->chunk_count ? end : set->chunk_count;
    for (uint32_t c = block * CHUNK_BLOCK; c < end; ++c)
    {
        if (abut_image_object_of(set, c)->live)
        {
            abut_image_transform_chunk(set, c, &set->region);
        }
    }
}

/// The part of the region that chunks of two objects have in common.
static void shrink_region(AbutImageSet* set)
{
    AbutBox seen = abut_box_empty(), common = abut_box_empty();
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        AbutBox own = abut_box_empty();
        for (uint32_t k = 0; k < set->objects[i].live_count; ++k)
        {
            own = abut_box_union(own, set->chunk_boxes[set->live_chunks[set->objects[i].first_live + k]]);
        }
        AbutBox both = abut_box_intersection(own, seen);
        common = abut_box_is_empty(both) ? common : abut_box_union(common, both);
        seen = abut_box_union(seen, own);
    }
    set->region = abut_box_intersection(set->region, common);
}

static void cull_chunks(AbutImageSet* set)
{
    abut_parallel_for(&set->host, abut_block_count(set->chunk_count, CHUNK_BLOCK), transform_block, set);
    abut_image_list_live(set);
    shrink_region(set);
    if (!abut_box_is_empty(set->region))
    {
        uint32_t resolution = (set->settings.resolution + CHUNK_RATIO - 1) / CHUNK_RATIO;
        AbutImageView view = view_of(set, first_axis(set->settings.axes), resolution);
        abut_image_passes(set, &view, ABUT_IMAGE_CHUNKS);
        shrink_region(set);
    }
    set->report.chunk_count = set->live_chunk_count;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

static void box_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutImageSet* set = context;
    uint32_t end = (block + 1) * CHUNK_BLOCK;
    end = end < set->live_chunk_count ? end : set->live_chunk_count;
    for (uint32_t k = block * CHUNK_BLOCK; k < end; ++k)
    {
        uint32_t c = set->live_chunks[k];
        set->live[c] &=
            abut_image_kernels()->boxes(abut_image_chunk_of(set, c), abut_image_transformed(set, c),
                                        set->margin, &set->region, &set->triangle_boxes[c]);
    }
}

static void cull_triangles(AbutImageSet* set)
{
    abut_parallel_for(&set->host, abut_block_count(set->live_chunk_count, CHUNK_BLOCK), box_block, set);
    abut_image_list_live(set);
    for (uint32_t round = 0; round < set->settings.rounds; ++round)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            if ((set->settings.axes & 1u << axis) != 0)
            {
                AbutImageView view = view_of(set, axis, set->settings.resolution);
                abut_image_passes(set, &view, ABUT_IMAGE_TRIANGLES);
            }
        }
    }
    for (uint32_t k = 0; k < set->live_chunk_count; ++k)
    {
        set->report.triangle_count += (uint32_t)__builtin_popcount(set->live[set->live_chunks[k]]);
    }
}

/// The last object with live triangles looks for others and is not looked for.
static uint32_t listed_chunk_count(const AbutImageSet* set)
{
    uint32_t i = set->object_count;
    while (i > 0 && set->objects[i - 1].live_count == 0)
    {
        i -= 1;
    }
    return i > 0 ? set->objects[i - 1].first_live : 0;
}

static AbutResult find_pairs(AbutImageSet* set, AbutCullideOutput* out)
{
    AbutImageView view = view_of(set, first_axis(set->settings.axes), set->settings.resolution);
    AbutPixelListDef def = { .live_count = listed_chunk_count(set) };
    AbutResult result = abut_pixel_lists_build(set, &view, def);
    return result == ABUT_OK ? abut_image_find_pairs(set, &view, &out->pair_count) : result;
}

static AbutResult collide(AbutImageSet* set, AbutCullideOutput* out)
{
    size_t pixel_count = (size_t)set->settings.resolution * set->settings.resolution;
    AbutResult result = abut_image_array_reserve(&set->host, &set->pixels, pixel_count);
    if (result != ABUT_OK)
    {
        return result;
    }
    cull_objects(set);
    if (!abut_box_is_empty(set->region))
    {
        cull_chunks(set);
    }
    if (!abut_box_is_empty(set->region) && set->live_chunk_count > 0)
    {
        cull_triangles(set);
        result = find_pairs(set, out);
    }
    return result;
}

AbutResult abut_cullide_state(AbutImageSet* set, const AbutImageSettings* settings, AbutImageState* out)
{
    set->settings = *settings;
    set->live_chunk_count = 0;
    set->report = (AbutCullideReport){ 0 };
    set->state_only = true;
    for (uint32_t i = 0; i < set->host.worker_count; ++i)
    {
        set->findings[i].is_contact = set->findings[i].is_close = false;
    }
    AbutCullideOutput found = { 0 };
    AbutResult result = collide(set, &found);
    set->state_only = false;
    *out = ABUT_IMAGE_SEPARATED;
    for (uint32_t i = 0; i < set->host.worker_count && *out != ABUT_IMAGE_CONTACT; ++i)
    {
        *out = set->findings[i].is_contact ? ABUT_IMAGE_CONTACT
               : set->findings[i].is_close ? ABUT_IMAGE_CLOSE
                                           : *out;
    }
    return result;
}

AbutResult abut_cullide(AbutImageSet* set, const AbutImageSettings* settings, const AbutPose* poses,
                        AbutCullideOutput* out)
{
    ABUT_FP_CALL(abut_cullide, set, settings, poses, out);
    AbutResult result = abut_image_check_settings(settings, "cullide");
    if (result == ABUT_OK)
    {
        result = abut_image_set_transform(set, poses, "cullide");
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    set->settings = *settings;
    set->live_chunk_count = 0;
    set->report = (AbutCullideReport){ 0 };
    AbutCullideOutput found = { .uncertainty = set->uncertainty };
    result = collide(set, &found);
    if (result == ABUT_OK)
    {
        found.pairs = set->pairs.items;
        found.report = set->report;
        *out = found;
    }
    return result;
}
