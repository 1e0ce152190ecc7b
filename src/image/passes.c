// First to last, each object is tested against those before it and then drawn; last to first, against those
// behind it. A member that collides with one of an object before it is not fully visible in the first pass.
// So the second pass draws the members that the first has found, and no others, and none is missed.
#include "image/passes.h"

#include "base/tasks.h"

enum
{
    TEST_BLOCK = 8, // chunks
};

typedef struct Pass
{
    AbutImageSet* set;
    const AbutImageView* view;
    AbutImageLevel level;
    const AbutImageObject* object;
    const uint32_t* drawn; // by chunk: mask of members to draw
    uint32_t* hits;        // by chunk: mask of members that are not fully visible
    bool is_first;         // the image has to be cleared
} Pass;

static AbutDepthPixel* pixels_of(const AbutImageSet* set)
{
    return set->pixels.items;
}

static void test_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Pass* pass = context;
    AbutImageSet* set = pass->set;
    uint32_t end = (block + 1) * TEST_BLOCK;
    end = end < pass->object->live_count ? end : pass->object->live_count;
    for (uint32_t i = block * TEST_BLOCK; i < end; ++i)
    {
        uint32_t c = set->live_chunks[pass->object->first_live + i];
        if (pass->level == ABUT_IMAGE_CHUNKS)
        {
            bool hit = abut_depth_image_test_box(pass->view, pixels_of(set), &set->chunk_boxes[c]);
            pass->hits[c] = hit ? set->live[c] : 0;
        }
        else
        {
            AbutTransformedChunk chunk = abut_image_transformed_chunk(set, c);
            pass->hits[c] = abut_depth_image_test(pass->view, pixels_of(set), &chunk, set->live[c]);
        }
    }
}

static void draw_chunk(const Pass* pass, uint32_t c, uint32_t first_row, uint32_t last_row)
{
    AbutImageSet* set = pass->set;
    AbutImageRows rows = set->chunk_rows[c];
    if (pass->drawn[c] == 0 || rows.first > last_row || rows.last < first_row)
    {
        return;
    }
    if (pass->level == ABUT_IMAGE_CHUNKS)
    {
        abut_depth_image_draw_box(pass->view, pixels_of(set), &set->chunk_boxes[c], first_row, last_row);
    }
    else
    {
        AbutTransformedChunk chunk = abut_image_transformed_chunk(set, c);
        abut_depth_image_draw(pass->view, pixels_of(set), &chunk, pass->drawn[c], first_row, last_row);
    }
}

static void draw_tile(void* context, uint32_t tile, uint32_t worker)
{
    (void)worker;
    const Pass* pass = context;
    uint32_t first_row = tile * ABUT_IMAGE_TILE_ROWS, last_row = first_row + ABUT_IMAGE_TILE_ROWS - 1;
    last_row = last_row < pass->view->resolution ? last_row : pass->view->resolution - 1;
    if (pass->is_first)
    {
        abut_depth_image_clear(pass->view, pixels_of(pass->set), first_row, last_row);
    }
    for (uint32_t i = 0; i < pass->object->live_count; ++i)
    {
        draw_chunk(pass, pass->set->live_chunks[pass->object->first_live + i], first_row, last_row);
    }
}

static void clear_hits(const Pass* pass)
{
    for (uint32_t i = 0; i < pass->object->live_count; ++i)
    {
        pass->hits[pass->set->live_chunks[pass->object->first_live + i]] = 0;
    }
}

/// One object of a pass: tested against what is drawn, then drawn.
static void pass_object(Pass* pass, const AbutImageObject* object, bool is_last)
{
    const AbutHost* host = &pass->set->host;
    if (object->live_count == 0)
    {
        return;
    }
    pass->object = object;
    if (pass->is_first)
    {
        clear_hits(pass);
    }
    else
    {
        abut_parallel_for(host, abut_block_count(object->live_count, TEST_BLOCK), test_block, pass);
    }
    if (!is_last)
    {
        uint32_t tile_count = abut_block_count(pass->view->resolution, ABUT_IMAGE_TILE_ROWS);
        abut_parallel_for(host, tile_count, draw_tile, pass);
        pass->is_first = false;
    }
}

void abut_image_find_rows(AbutImageSet* set, const AbutImageView* view)
{
    for (uint32_t i = 0; i < set->live_chunk_count; ++i)
    {
        uint32_t c = set->live_chunks[i];
        AbutPixelBox box = abut_pixel_box(view, &set->chunk_boxes[c]);
        set->chunk_rows[c] = (AbutImageRows){ (uint16_t)box.first[1], (uint16_t)box.last[1] };
    }
}

void abut_image_passes(AbutImageSet* set, const AbutImageView* view, AbutImageLevel level)
{
    uint32_t count = set->object_count;
    abut_image_find_rows(set, view);
    Pass forward = { .set = set, .view = view, .level = level, .is_first = true };
    forward.drawn = set->live;
    forward.hits = set->hits[0];
    for (uint32_t i = 0; i < count; ++i)
    {
        pass_object(&forward, &set->objects[i], i + 1 == count);
    }
    Pass backward = { .set = set, .view = view, .level = level, .is_first = true };
    backward.drawn = set->hits[0];
    backward.hits = set->hits[1];
    for (uint32_t i = count; i-- > 0;)
    {
        pass_object(&backward, &set->objects[i], i == 0);
    }
    for (uint32_t i = 0; i < set->live_chunk_count; ++i)
    {
        uint32_t c = set->live_chunks[i];
        set->live[c] = set->hits[0][c] | set->hits[1][c];
    }
    set->report.pass_count += 2;
    abut_image_list_live(set);
}

void abut_image_list_live(AbutImageSet* set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        AbutImageObject* object = &set->objects[i];
        object->first_live = count;
        if (object->live)
        {
            for (uint32_t c = object->first_chunk; c < object->first_chunk + object->mesh.chunk_count; ++c)
            {
                if (set->live[c] != 0)
                {
                    set->live_chunks[count++] = c;
                }
            }
        }
        object->live_count = count - object->first_live;
        object->live = object->live_count > 0;
    }
    set->live_chunk_count = count;
}
