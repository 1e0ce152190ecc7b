// Fields on a device: which are there, where, and which make room.
//
// With addresses of device memory each field has a buffer of its own. Otherwise shaders see pages of 64 MiB,
// bound side by side, as one range of words; a field is the first range that is free, across pages or not.
#include "gpu/fields.h"

#include "base/assert.h"
#include "base/memory.h"
#include "field/bounds/distance_octree.h"
#include "field/field.h"
#include "field/nodes/format.h"
#include "gpu/memory.h"
#include "gpu/node_range.h"
#include "gpu/records.h"

#include <math.h>
#include <string.h>

typedef enum EntryState
{
    ENTRY_FREE,
    ENTRY_RESIDENT,
    ENTRY_REFUSED // by its numbers
} EntryState;

typedef struct Entry
{
    EntryState state;
    const AbutShape* shape; // kept alive
    uint64_t last_use;      // number of a begin
    uint64_t words;
    uint32_t kind;        // 2 · format + sparse
    uint32_t first_word;  // in the pages
    AbutGpuBuffer buffer; // with addresses
} Entry;

typedef struct AbutGpuFields
{
    Entry* entries;
    size_t count, capacity;
    uint64_t use; // number of the last begin
    uint64_t budget;
    size_t last_entry;
    AbutGpuBuffer table; // of GpuField, by entry
    AbutGpuBuffer pages[GPU_PAGE_COUNT];
    AbutGpuBuffer dummy; // for pages that do not exist
} AbutGpuFields;

AbutResult abut_gpu_fields_create(AbutDevice* device)
{
    AbutGpuFields* fields = abut_memory_allocate_zero(&device->host, 1, sizeof(AbutGpuFields));
    if (fields == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    uint64_t budget = device->def.memory_budget;
    fields->budget = budget > 0 ? budget : device->info.memory_bytes / 2;
    device->fields = fields;
    AbutResult result = abut_gpu_reserve(device, 256, &fields->dummy);
    return result == ABUT_OK ? abut_gpu_reserve(device, 256, &fields->table) : result;
}

static void remove_entry(AbutDevice* device, Entry* entry)
{
    if (entry->state == ENTRY_RESIDENT)
    {
        device->stats.field_bytes -= 4 * entry->words;
        device->stats.scratch_bytes += entry->buffer.size;
        abut_gpu_free(device, &entry->buffer);
    }
    if (entry->state != ENTRY_FREE)
    {
        abut_shape_destroy((AbutShape*)entry->shape); // the reference of the device
    }
    *entry = (Entry){ 0 };
}

void abut_gpu_fields_destroy(AbutDevice* device)
{
    AbutGpuFields* fields = device->fields;
    if (fields == NULL)
    {
        return;
    }
    for (size_t i = 0; i < fields->count; ++i)
    {
        remove_entry(device, &fields->entries[i]);
    }
    for (uint32_t i = 0; i < GPU_PAGE_COUNT; ++i)
    {
        abut_gpu_free(device, &fields->pages[i]);
    }
    abut_gpu_free(device, &fields->table);
    abut_gpu_free(device, &fields->dummy);
    abut_memory_free(&device->host, fields->entries, fields->capacity, sizeof(Entry));
    abut_memory_free(&device->host, fields, 1, sizeof(AbutGpuFields));
    device->fields = NULL;
}

void abut_gpu_fields_begin(AbutDevice* device)
{
    device->fields->use += 1;
}

void abut_gpu_fields_bind(const AbutDevice* device, const AbutGpuBuffer* buffers[ABUT_GPU_BINDINGS])
{
    const AbutGpuFields* fields = device->fields;
    buffers[ABUT_GPU_FIELDS_BINDING] = &fields->table;
    for (uint32_t i = 0; i < GPU_PAGE_COUNT; ++i)
    {
        buffers[ABUT_GPU_FIRST_PAGE + i] = fields->pages[i].size > 0 ? &fields->pages[i] : &fields->dummy;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Room
// -----------------------------------------------------------------------------------------------------------

/// The first range of free words of the pages that is long enough, or UINT64_MAX.
static uint64_t find_range(const AbutGpuFields* fields, uint64_t words)
{
    uint64_t first = 0, end = (uint64_t)GPU_PAGE_COUNT << GPU_PAGE_BITS;
    for (bool moved = true; moved && first + words <= end;)
    {
        moved = false;
        for (size_t i = 0; i < fields->count; ++i)
        {
            const Entry* entry = &fields->entries[i];
            if (entry->state == ENTRY_RESIDENT && entry->first_word < first + words &&
                first < entry->first_word + entry->words)
            {
                first = entry->first_word + entry->words;
                moved = true;
            }
        }
    }
    return first + words <= end ? first : UINT64_MAX;
}

static bool fits(const AbutDevice* device, uint64_t words)
{
    const AbutGpuFields* fields = device->fields;
    return device->stats.field_bytes + 4 * words <= fields->budget &&
           (device->addresses || find_range(fields, words) != UINT64_MAX);
}

/// Drops the least recently used field that this use does not need; false for none.
static bool evict(AbutDevice* device)
{
    AbutGpuFields* fields = device->fields;
    Entry* oldest = NULL;
    for (size_t i = 0; i < fields->count; ++i)
    {
        Entry* entry = &fields->entries[i];
        if (entry->state == ENTRY_RESIDENT && entry->last_use < fields->use &&
            (oldest == NULL || entry->last_use < oldest->last_use))
        {
            oldest = entry;
        }
    }
    if (oldest == NULL)
    {
        return false;
    }
    remove_entry(device, oldest);
    device->stats.evicted_fields += 1;
    return true;
}

/// A free entry, or NULL with a message; the table of the device has room for it.
static Entry* new_entry(AbutDevice* device)
{
    AbutGpuFields* fields = device->fields;
    for (size_t i = 0; i < fields->count; ++i)
    {
        if (fields->entries[i].state == ENTRY_FREE)
        {
            return &fields->entries[i];
        }
    }
    if (!abut_memory_grow(&device->host, (void**)&fields->entries, &fields->capacity, fields->count + 1,
                          sizeof(Entry)))
    {
        return NULL;
    }
    fields->entries[fields->count] = (Entry){ 0 };
    return &fields->entries[fields->count++];
}

// -----------------------------------------------------------------------------------------------------------
// Copies
// -----------------------------------------------------------------------------------------------------------

/// Words to the pages from `first` on.
static AbutResult write_pages(AbutDevice* device, uint64_t first, const void* data, uint64_t words)
{
    const uint64_t page_words = UINT64_C(1) << GPU_PAGE_BITS;
    AbutResult result = ABUT_OK;
    for (uint64_t done = 0; result == ABUT_OK && done < words;)
    {
        uint64_t at = first + done, offset = at % page_words;
        uint64_t piece = page_words - offset < words - done ? page_words - offset : words - done;
        AbutGpuBuffer* page = &device->fields->pages[at / page_words];
        result = abut_gpu_reserve(device, 4 * page_words, page);
        result = result == ABUT_OK
                     ? abut_gpu_write(device, page, 4 * offset, (const char*)data + 4 * done, 4 * piece)
                     : result;
        done += piece;
    }
    return result;
}

/// What is copied of a field, in words: nodes, slots of a sparse one, and of one with a distance octree the
/// numbers of that, and middles of its boxes. Sections are padded to ABUT_FIELD_ALIGNMENT, so the last word
/// may be read whole.
typedef enum Upload
{
    UPLOAD_NODES,
    UPLOAD_SLOTS,
    UPLOAD_NUMBERS,
    UPLOAD_MIDDLES,
    UPLOAD_COUNT
} Upload;

static uint64_t count_words(const AbutField* field, uint64_t words[UPLOAD_COUNT])
{
    const AbutFieldHeader* header = field->block;
    words[UPLOAD_NODES] = (header->sections[ABUT_FIELD_NODES].size + 3) / 4;
    words[UPLOAD_SLOTS] = header->sparse != 0 ? header->sections[ABUT_FIELD_SLOTS].size / 4 : 0;
    words[UPLOAD_NUMBERS] = words[UPLOAD_MIDDLES] = 0;
    if (field->octree.leaves != NULL)
    {
        words[UPLOAD_NUMBERS] = (header->sections[ABUT_FIELD_DISTANCE_OCTREE].size + 3) / 4;
        uint32_t top = abut_gpu_octree_top(field);
        words[UPLOAD_MIDDLES] = abut_gpu_first_middle(field, 2, top) + abut_gpu_boxes_along(field, 2, top);
    }
    return words[UPLOAD_NODES] + words[UPLOAD_SLOTS] + words[UPLOAD_NUMBERS] + words[UPLOAD_MIDDLES];
}

uint32_t abut_gpu_octree_top(const AbutField* field)
{
    return field->octree.level_count + ABUT_SURFACE_OCTREE_BRICK;
}

uint32_t abut_gpu_boxes_along(const AbutField* field, int axis, uint32_t level)
{
    uint32_t cells = field->octree.brick_count[axis] * ABUT_BRICK_CELLS;
    return (cells + (1u << level) - 1) >> level;
}

uint32_t abut_gpu_first_middle(const AbutField* field, int axis, uint32_t level)
{
    uint32_t first = 0;
    for (int before = 0; before <= axis; ++before)
    {
        uint32_t end = before < axis ? abut_gpu_octree_top(field) + 1 : level;
        for (uint32_t i = ABUT_SURFACE_OCTREE_FINEST; i < end; ++i)
        {
            first += abut_gpu_boxes_along(field, before, i);
        }
    }
    return first;
}

static void fill_middles(const AbutField* field, float* out)
{
    const AbutFieldHeader* header = field->block;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (uint32_t level = ABUT_SURFACE_OCTREE_FINEST; level <= abut_gpu_octree_top(field); ++level)
        {
            for (uint32_t i = 0; i < abut_gpu_boxes_along(field, axis, level); ++i)
            {
                *out++ = abut_distance_octree_middle(header->origin[axis], header->cell_size, i, level);
            }
        }
    }
}

/// Memory for the words of a field: its address, or the number of the first word in the pages.
static AbutResult reserve_words(AbutDevice* device, uint64_t words, Entry* entry, uint64_t* first)
{
    if (!device->addresses)
    {
        *first = find_range(device->fields, words);
        ABUT_ASSERT(*first != UINT64_MAX);
        entry->first_word = (uint32_t)*first;
        return ABUT_OK;
    }
    AbutResult result = abut_gpu_reserve(device, 4 * words, &entry->buffer);
    if (result == ABUT_OK)
    {
        device->stats.scratch_bytes -= entry->buffer.size; // counted as a field
        *first = abut_gpu_address(device, &entry->buffer);
    }
    return result;
}

/// Copies the words of a field, and puts their positions into the record.
static AbutResult copy_words(AbutDevice* device, const AbutField* field, Entry* entry, GpuField* record)
{
    uint64_t words[UPLOAD_COUNT], first = 0, done = 0, total = count_words(field, words);
    const AbutHost* host = &device->host;
    uint32_t* const positions[UPLOAD_COUNT][2] = {
        { &record->nodes_low, &record->nodes_high },
        { &record->slots_low, &record->slots_high },
        { &record->numbers_low, &record->numbers_high },
        { &record->middles_low, &record->middles_high },
    };
    float* middles = abut_memory_allocate(host, words[UPLOAD_MIDDLES] + 1, sizeof(float));
    if (middles == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    if (words[UPLOAD_MIDDLES] > 0)
    {
        fill_middles(field, middles);
    }
    const void* const sources[UPLOAD_COUNT] = {
        abut_field_section(field->block, ABUT_FIELD_NODES),
        words[UPLOAD_SLOTS] > 0 ? abut_field_section(field->block, ABUT_FIELD_SLOTS) : NULL,
        field->octree.leaves,
        middles,
    };
    AbutResult result = reserve_words(device, total, entry, &first);
    for (int i = 0; result == ABUT_OK && i < UPLOAD_COUNT; ++i)
    {
        uint64_t position = first + (device->addresses ? 4 * done : done);
        *positions[i][0] = (uint32_t)position;
        *positions[i][1] = (uint32_t)(position >> 32);
        result = device->addresses
                     ? abut_gpu_write(device, &entry->buffer, 4 * done, sources[i], 4 * words[i])
                     : write_pages(device, position, sources[i], words[i]);
        done += words[i];
    }
    abut_memory_free(host, middles, words[UPLOAD_MIDDLES] + 1, sizeof(float));
    return result;
}

static GpuField make_record(const AbutField* field)
{
    const AbutFieldHeader* header = field->block;
    const AbutFieldView* view = &field->view;
    GpuField record = {
        .format = header->format,
        .sparse = header->sparse,
        .cell_size = view->cell_size,
        .inverse_cell_size = view->inverse_cell_size,
        .brick_row = view->brick_row,
        .brick_slab = view->brick_slab,
        .row = view->row,
        .slab = view->slab,
        .fine_start = view->fine_start,
    };
    memcpy(record.origin_high, view->origin_high, sizeof(record.origin_high));
    memcpy(record.origin_low, view->origin_low, sizeof(record.origin_low));
    memcpy(record.cell_count, view->cell_count, sizeof(record.cell_count));
    return record;
}

/// The table is larger by now: all records again. Entries never move, so numbers stay. When memory ends, the
/// old table stays.
static AbutResult grow_table(AbutDevice* device)
{
    AbutGpuFields* fields = device->fields;
    uint64_t needed = fields->capacity * sizeof(GpuField);
    if (fields->table.size >= needed)
    {
        return ABUT_OK;
    }
    uint64_t used = fields->table.size;
    void* records = abut_memory_allocate_zero(&device->host, 1, used);
    if (records == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutGpuBuffer larger = { 0 };
    AbutResult result = abut_gpu_read(device, &fields->table, 0, records, used);
    result = result == ABUT_OK ? abut_gpu_reserve(device, needed, &larger) : result;
    result = result == ABUT_OK ? abut_gpu_write(device, &larger, 0, records, used) : result;
    abut_gpu_free(device, result == ABUT_OK ? &fields->table : &larger);
    fields->table = result == ABUT_OK ? larger : fields->table;
    abut_memory_free(&device->host, records, 1, used);
    return result;
}

static AbutResult upload(AbutDevice* device, const AbutField* field, Entry* entry)
{
    GpuField record = make_record(field);
    size_t number = (size_t)(entry - device->fields->entries);
    AbutResult result = grow_table(device);
    result = result == ABUT_OK ? copy_words(device, field, entry, &record) : result;
    result = result == ABUT_OK ? abut_gpu_write(device, &device->fields->table, number * sizeof(record),
                                                &record, sizeof(record))
                               : result;
    if (result != ABUT_OK)
    {
        device->stats.scratch_bytes += entry->buffer.size > 0 ? entry->buffer.size : 0;
        abut_gpu_free(device, &entry->buffer);
        return result;
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Use
// -----------------------------------------------------------------------------------------------------------

static Entry* find_entry(AbutGpuFields* fields, const AbutShape* shape)
{
    if (fields->last_entry < fields->count && fields->entries[fields->last_entry].shape == shape)
    {
        return &fields->entries[fields->last_entry];
    }
    for (size_t i = 0; i < fields->count; ++i)
    {
        if (fields->entries[i].shape == shape)
        {
            fields->last_entry = i;
            return &fields->entries[i];
        }
    }
    return NULL;
}

/// Makes room for the words of a field.
static AbutResult make_space(AbutDevice* device, uint64_t words)
{
    while (!fits(device, words))
    {
        if (!evict(device))
        {
            return abut_fail(ABUT_LIMIT_EXCEEDED,
                             "gpu: a field of %llu bytes does not fit beside the %llu in use; the device has "
                             "room for %llu",
                             (unsigned long long)(4 * words), (unsigned long long)device->stats.field_bytes,
                             (unsigned long long)device->fields->budget);
        }
    }
    return ABUT_OK;
}

static AbutResult add(AbutDevice* device, const AbutShape* shape, uint32_t* number)
{
    const AbutField* field = abut_field_of(shape);
    uint64_t counts[UPLOAD_COUNT], words = count_words(field, counts);
    AbutResult result = make_space(device, words);
    Entry* entry = result == ABUT_OK ? new_entry(device) : NULL;
    if (entry == NULL)
    {
        return result == ABUT_OK ? ABUT_OUT_OF_MEMORY : result;
    }
    bool usable = abut_gpu_node_range_fits(field);
    result = usable ? upload(device, field, entry) : ABUT_OK;
    if (result != ABUT_OK)
    {
        return result;
    }
    entry->state = usable ? ENTRY_RESIDENT : ENTRY_REFUSED;
    entry->shape = shape;
    entry->words = words;
    const AbutFieldHeader* header = field->block;
    entry->kind = 2 * header->format + header->sparse;
    entry->last_use = device->fields->use;
    abut_shape_retain((AbutShape*)shape); // a reference does not change a shape
    if (!usable)
    {
        return abut_fail(ABUT_UNSUPPORTED,
                         "gpu: a field has numbers that a device might flush or overflow (docs/gpu.md)");
    }
    device->stats.field_bytes += 4 * entry->words;
    device->stats.uploaded_fields += 1;
    *number = (uint32_t)(entry - device->fields->entries);
    return ABUT_OK;
}

AbutResult abut_gpu_field(AbutDevice* device, const AbutShape* field, uint32_t* number)
{
    Entry* entry = find_entry(device->fields, field);
    if (entry == NULL)
    {
        return add(device, field, number);
    }
    entry->last_use = device->fields->use;
    *number = (uint32_t)(entry - device->fields->entries);
    return entry->state == ENTRY_RESIDENT ? ABUT_OK : ABUT_UNSUPPORTED;
}

void abut_gpu_use_kinds(AbutDevice* device, const GpuSide sides[2], uint32_t* kind)
{
    for (int side = 0; side < 2; ++side)
    {
        ABUT_ASSERT(sides[side].field < device->fields->count);
        uint32_t own = device->fields->entries[sides[side].field].kind;
        *kind = *kind == ABUT_GPU_NO_KIND || *kind == own ? own : ABUT_GPU_ANY_KIND;
    }
}
