// Self-collision of one object: every triangle against those that share a pixel with it.
#include "base/fp_env.h"
#include "base/tasks.h"
#include "image/find_pairs.h"
#include "image/passes.h"
#include "image/pixel_lists.h"

enum
{
    CHUNK_BLOCK = 8, // chunks
};

typedef struct Placement
{
    AbutImageSet* set;
    const AbutImageObject* object;
} Placement;

static void transform_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Placement* placement = context;
    AbutImageSet* set = placement->set;
    uint32_t count = placement->object->mesh.chunk_count, end = (block + 1) * CHUNK_BLOCK;
    end = end < count ? end : count;
    for (uint32_t i = block * CHUNK_BLOCK; i < end; ++i)
    {
        uint32_t c = placement->object->first_chunk + i;
        abut_image_transform_chunk(set, c, &set->region);
        abut_image_kernels()->boxes(abut_image_chunk_of(set, c), abut_image_transformed(set, c), set->margin,
                                    &set->region, &set->triangle_boxes[c]);
    }
}

static AbutResult collide(AbutImageSet* set, uint32_t object, AbutCullideOutput* out)
{
    if (abut_image_set_transform_alone(set, object, "cullide") != ABUT_OK)
    {
        return ABUT_LIMIT_EXCEEDED;
    }
    set->region = set->objects[object].box;
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        set->objects[i].live = i == object;
    }
    if (abut_box_is_empty(set->region))
    {
        return ABUT_OK;
    }
    Placement placement = { set, &set->objects[object] };
    uint32_t chunk_count = set->objects[object].mesh.chunk_count;
    abut_parallel_for(&set->host, abut_block_count(chunk_count, CHUNK_BLOCK), transform_block, &placement);
    abut_image_list_live(set);
    uint32_t axes = set->settings.axes;
    int axis = (axes & ABUT_IMAGE_X) != 0 ? 0 : (axes & ABUT_IMAGE_Y) != 0 ? 1 : 2;
    AbutImageView view = abut_image_view(set->region, axis, set->settings.resolution, false);
    view.margin = set->margin;
    AbutPixelListDef def = { .live_count = set->live_chunk_count };
    AbutResult result = abut_pixel_lists_build(set, &view, def);
    return result == ABUT_OK ? abut_image_find_own_pairs(set, &view, &out->pair_count) : result;
}

AbutResult abut_cullide_self(AbutImageSet* set, const AbutImageSettings* settings, uint32_t object,
                             AbutCullideOutput* out)
{
    ABUT_FP_CALL(abut_cullide_self, set, settings, object, out);
    AbutResult result = abut_image_check_settings(settings, "cullide");
    if (result == ABUT_OK && object >= set->object_count)
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "cullide: object %u of %u", object, set->object_count);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    set->settings = *settings;
    set->report = (AbutCullideReport){ 0 };
    AbutCullideOutput found = { 0 };
    result = collide(set, object, &found);
    if (result == ABUT_OK)
    {
        found.pairs = set->pairs.items;
        found.report = set->report;
        *out = found;
    }
    return result;
}
