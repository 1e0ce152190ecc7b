// Lists are built tile by tile, each in the order of the records.
#include "image/pixel_lists.h"

#include "base/tasks.h"
#include "image/passes.h"
#include "mesh/triangle/dorient.h"

#include <string.h>

enum
{
    RECORD_BLOCK = 16, // chunks
};

typedef struct Lists
{
    AbutImageSet* set;
    const AbutImageView* view;
    uint32_t* offsets;       // of set->offsets, behind the leading 0
    AbutPixelEntry* entries; // NULL while they are counted
    AbutPixelListDef def;
    uint32_t record;        // in the visit
    AbutDTriangle triangle; // the same, when centres are tested
} Lists;

// -----------------------------------------------------------------------------------------------------------
// Records
// -----------------------------------------------------------------------------------------------------------

static void number_records(AbutImageSet* set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        AbutImageObject* object = &set->objects[i];
        object->first_record = count;
        for (uint32_t k = 0; k < object->live_count; ++k)
        {
            uint32_t c = set->live_chunks[object->first_live + k];
            set->chunk_records[c] = count;
            count += (uint32_t)__builtin_popcount(set->live[c]);
        }
    }
    set->record_count = count;
}

static AbutBox triangle_box(const AbutChunkBoxes* boxes, uint32_t i)
{
    return abut_box(abut_vec3(boxes->low[0][i], boxes->low[1][i], boxes->low[2][i]),
                    abut_vec3(boxes->high[0][i], boxes->high[1][i], boxes->high[2][i]));
}

AbutDTriangle abut_image_triangle(const AbutImageSet* set, uint32_t c, uint32_t slot)
{
    const AbutImageObject* object = abut_image_object_of(set, c);
    const AbutImageChunk* chunk = abut_image_chunk_of(set, c);
    AbutDTriangle t;
    for (int k = 0; k < 3; ++k)
    {
        uint32_t v = chunk->first_vertex + chunk->corners[k][slot];
        AbutDVec3 local = abut_dvec3(object->mesh.coordinates[0][v], object->mesh.coordinates[1][v],
                                     object->mesh.coordinates[2][v]);
        t.corners[k] = abut_transform_point(&object->frame, local);
    }
    return t;
}

static void make_records(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    AbutImageSet* set = context;
    uint32_t end = (block + 1) * RECORD_BLOCK;
    end = end < set->live_chunk_count ? end : set->live_chunk_count;
    for (uint32_t k = block * RECORD_BLOCK; k < end; ++k)
    {
        uint32_t c = set->live_chunks[k];
        AbutImageRecord* record = (AbutImageRecord*)set->records.items + set->chunk_records[c];
        AbutDTriangle* triangle = (AbutDTriangle*)set->triangles.items + set->chunk_records[c];
        for (uint32_t mask = set->live[c]; mask != 0; mask &= mask - 1)
        {
            uint32_t slot = (uint32_t)__builtin_ctz(mask);
            *record++ = (AbutImageRecord){ triangle_box(&set->triangle_boxes[c], slot), c, slot };
            *triangle++ = abut_image_triangle(set, c, slot);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Lists
// -----------------------------------------------------------------------------------------------------------

static bool count_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    (void)nearest;
    (void)farthest;
    (void)slabs;
    ((Lists*)context)->offsets[pixel] += 1;
    return false;
}

/// True when an edge passes the point on its right side: a ray from the point along columns crosses it. Each
/// edge has one answer for all its triangles; a point on the edge counts as right of it, one at the row of an
/// end as above that end, as if moved by (ε, ε²).
static bool edge_crosses(AbutDVec3 a, AbutDVec3 b, AbutDVec3 point, int axis)
{
    int row = (axis + 2) % 3;
    double at = abut_dvec3_get(point, row);
    bool is_above_a = abut_dvec3_get(a, row) > at, is_above_b = abut_dvec3_get(b, row) > at;
    return is_above_a != is_above_b &&
           abut_dorient_2d(is_above_b ? a : b, is_above_b ? b : a, point, axis) > 0;
}

bool abut_image_covers(const AbutDTriangle* t, AbutDVec3 point, int axis)
{
    bool crossing = edge_crosses(t->corners[0], t->corners[1], point, axis);
    crossing ^= edge_crosses(t->corners[1], t->corners[2], point, axis);
    return crossing ^ edge_crosses(t->corners[2], t->corners[0], point, axis);
}

AbutDVec3 abut_image_pixel_center(const AbutImageView* view, uint32_t pixel)
{
    const AbutPixelMap *columns = &view->maps[0], *rows = &view->maps[1];
    double column = columns->low + (pixel % view->resolution + 0.5) / (double)columns->scale;
    double row = rows->low + (pixel / view->resolution + 0.5) / (double)rows->scale;
    return abut_dvec3_with(abut_dvec3_with(abut_dvec3_zero(), view->axes[0], column), view->axes[1], row);
}

bool abut_image_pixel_has_center(const AbutImageView* view, uint32_t pixel)
{
    // Offsets of centres from the low end are half pixels, far from where rounding decides.
    AbutDVec3 center = abut_image_pixel_center(view, pixel);
    float column = (float)(abut_dvec3_get(center, view->axes[0]) - view->maps[0].low);
    float row = (float)(abut_dvec3_get(center, view->axes[1]) - view->maps[1].low);
    AbutPixelMap columns = view->maps[0], rows = view->maps[1];
    columns.low = rows.low = 0.0f;
    return abut_pixel_of(columns, column) == pixel % view->resolution &&
           abut_pixel_of(rows, row) == pixel / view->resolution;
}

static bool covers_center(const Lists* lists, uint32_t pixel)
{
    return abut_image_covers(&lists->triangle, abut_image_pixel_center(lists->view, pixel),
                             lists->view->axes[2]);
}

static bool fill_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    (void)slabs;
    Lists* lists = context;
    uint32_t covers = lists->def.has_centers && covers_center(lists, pixel) ? ABUT_ENTRY_COVERS : 0;
    lists->entries[lists->offsets[pixel]++] = (AbutPixelEntry){ lists->record | covers, nearest, farthest };
    return false;
}

static void visit_chunk(Lists* lists, uint32_t c, uint32_t first_row, uint32_t last_row)
{
    const AbutImageSet* set = lists->set;
    AbutImageRows rows = set->chunk_rows[c];
    if (rows.first > last_row || rows.last < first_row)
    {
        return;
    }
    AbutTransformedChunk chunk = abut_image_transformed_chunk(set, c);
    AbutChunkRanges ranges;
    abut_image_kernels()->ranges(lists->view, chunk.boxes, chunk.chunk->triangle_count, &ranges);
    lists->record = set->chunk_records[c];
    for (uint32_t mask = set->live[c]; mask != 0; mask &= mask - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        AbutPixelBox box = abut_chunk_pixel_box(lists->view, &chunk, &ranges, i);
        if (lists->entries == NULL)
        {
            abut_raster_visit(lists->view, &chunk, &box, i, first_row, last_row, count_pixel, lists);
        }
        else
        {
            if (lists->def.has_centers)
            {
                lists->triangle = ((const AbutDTriangle*)set->triangles.items)[lists->record];
            }
            abut_raster_visit(lists->view, &chunk, &box, i, first_row, last_row, fill_pixel, lists);
        }
        lists->record += 1;
    }
}

/// Counts of the pixels of a tile, or their entries from the offsets on.
static void list_tile(void* context, uint32_t tile, uint32_t worker)
{
    (void)worker;
    Lists lists = *(const Lists*)context;
    uint32_t resolution = lists.view->resolution;
    uint32_t first_row = tile * ABUT_IMAGE_TILE_ROWS, last_row = first_row + ABUT_IMAGE_TILE_ROWS - 1;
    last_row = last_row < resolution ? last_row : resolution - 1;
    if (lists.entries == NULL)
    {
        size_t pixel_count = (size_t)(last_row - first_row + 1) * resolution;
        memset(lists.offsets + (size_t)first_row * resolution, 0, pixel_count * sizeof(uint32_t));
    }
    for (uint32_t k = 0; k < lists.def.live_count; ++k)
    {
        visit_chunk(&lists, lists.set->live_chunks[lists.def.first_live + k], first_row, last_row);
    }
}

/// Counts become the positions of the first entries.
static uint64_t sum_counts(uint32_t* counts, size_t pixel_count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pixel_count; ++i)
    {
        uint32_t count = counts[i];
        counts[i] = (uint32_t)sum;
        sum += count;
    }
    return sum;
}

AbutResult abut_pixel_lists_build(AbutImageSet* set, const AbutImageView* view, AbutPixelListDef def)
{
    number_records(set);
    abut_image_find_rows(set, view);
    size_t pixel_count = (size_t)view->resolution * view->resolution;
    AbutResult result = abut_image_array_reserve(&set->host, &set->records, set->record_count);
    if (result == ABUT_OK)
    {
        result = abut_image_array_reserve(&set->host, &set->triangles, set->record_count);
    }
    if (result == ABUT_OK)
    {
        result = abut_image_array_reserve(&set->host, &set->offsets, pixel_count + 1);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_parallel_for(&set->host, abut_block_count(set->live_chunk_count, RECORD_BLOCK), make_records, set);
    uint32_t* offsets = set->offsets.items;
    offsets[0] = 0;
    Lists lists = { .set = set, .view = view, .offsets = offsets + 1, .def = def };
    uint32_t tile_count = abut_block_count(view->resolution, ABUT_IMAGE_TILE_ROWS);
    abut_parallel_for(&set->host, tile_count, list_tile, &lists);
    uint64_t entry_count = sum_counts(offsets + 1, pixel_count);
    if (entry_count > UINT32_MAX)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "image: %llu pixels of triangles; take a lower resolution than %u",
                         (unsigned long long)entry_count, view->resolution);
    }
    result = abut_image_array_reserve(&set->host, &set->entries, (size_t)entry_count);
    if (result == ABUT_OK)
    {
        lists.entries = set->entries.items;
        abut_parallel_for(&set->host, tile_count, list_tile, &lists);
    }
    return result;
}
