// Depth images of objects, for pictures.
#include "base/fp_env.h"
#include "base/tasks.h"
#include "image/passes.h"

typedef struct Drawing
{
    AbutImageSet* set;
    const AbutImageObject* object;
    AbutImageView view;
    float *nearest, *farthest;
} Drawing;

static void draw_rows(const Drawing* drawing, uint32_t first_row, uint32_t last_row)
{
    AbutImageSet* set = drawing->set;
    AbutDepthPixel* pixels = set->pixels.items;
    abut_depth_image_clear(&drawing->view, pixels, first_row, last_row);
    for (uint32_t i = 0; i < drawing->object->live_count; ++i)
    {
        uint32_t c = set->live_chunks[drawing->object->first_live + i];
        if (set->chunk_rows[c].first <= last_row && first_row <= set->chunk_rows[c].last)
        {
            AbutTransformedChunk chunk = abut_image_transformed_chunk(set, c);
            abut_depth_image_draw(&drawing->view, pixels, &chunk, set->live[c], first_row, last_row);
        }
    }
}

static void draw_tile(void* context, uint32_t tile, uint32_t worker)
{
    (void)worker;
    const Drawing* drawing = context;
    uint32_t resolution = drawing->view.resolution;
    uint32_t first_row = tile * ABUT_IMAGE_TILE_ROWS, last_row = first_row + ABUT_IMAGE_TILE_ROWS - 1;
    last_row = last_row < resolution ? last_row : resolution - 1;
    draw_rows(drawing, first_row, last_row);
    const AbutDepthPixel* pixels = drawing->set->pixels.items;
    for (size_t i = (size_t)first_row * resolution; i < ((size_t)last_row + 1) * resolution; ++i)
    {
        drawing->nearest[i] = pixels[i].nearest;
        drawing->farthest[i] = pixels[i].farthest;
    }
}

/// Triangles of the object in the region become live.
static void transform_object(AbutImageSet* set, uint32_t object)
{
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        set->objects[i].live = i == object;
    }
    const AbutImageObject* own = &set->objects[object];
    for (uint32_t c = own->first_chunk; c < own->first_chunk + own->mesh.chunk_count; ++c)
    {
        abut_image_transform_chunk(set, c, &set->region);
        if (set->live[c] != 0)
        {
            set->live[c] &=
                abut_image_kernels()->boxes(abut_image_chunk_of(set, c), abut_image_transformed(set, c),
                                            set->margin, &set->region, &set->triangle_boxes[c]);
        }
    }
    abut_image_list_live(set);
}

static AbutResult check(const AbutImageSet* set, const AbutImageSettings* settings, uint32_t object,
                        AbutBox box)
{
    AbutResult result = abut_image_check_settings(settings, "image");
    if (result == ABUT_OK && object >= set->object_count)
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "image: object %u of %u", object, set->object_count);
    }
    if (result == ABUT_OK && (abut_box_is_empty(box) || !abut_box_is_finite(box)))
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "image: the box is empty or not finite");
    }
    return result;
}

AbutResult abut_image_draw(AbutImageSet* set, const AbutImageSettings* settings, const AbutPose* poses,
                           const AbutImageDrawing* drawing)
{
    ABUT_FP_CALL(abut_image_draw, set, settings, poses, drawing);
    AbutResult result = check(set, settings, drawing->object, drawing->box);
    if (result == ABUT_OK)
    {
        result = abut_image_set_transform(set, poses, "image");
    }
    size_t pixel_count = (size_t)settings->resolution * settings->resolution;
    if (result == ABUT_OK)
    {
        result = abut_image_array_reserve(&set->host, &set->pixels, pixel_count);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    set->region = drawing->box;
    transform_object(set, drawing->object);
    int axis = (settings->axes & ABUT_IMAGE_X) != 0 ? 0 : (settings->axes & ABUT_IMAGE_Y) != 0 ? 1 : 2;
    Drawing task = { .set = set, .object = &set->objects[drawing->object] };
    task.view = abut_image_view(set->region, axis, settings->resolution, false);
    task.view.margin = set->margin;
    task.nearest = drawing->nearest;
    task.farthest = drawing->farthest;
    abut_image_find_rows(set, &task.view);
    abut_parallel_for(&set->host, abut_block_count(settings->resolution, ABUT_IMAGE_TILE_ROWS), draw_tile,
                      &task);
    return ABUT_OK;
}
