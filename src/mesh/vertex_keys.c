#include "mesh/vertex_keys.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/mesh.h"

#include <string.h>

enum
{
    VERTEX_BLOCK = 4096, // vertices whose keys are sorted in one block

    /// Up to here insertion beats a heap; a vertex of a usual mesh has three keys or so.
    INSERTION_LIMIT = 24,
};

// -----------------------------------------------------------------------------------------------------------
// Sorting
// -----------------------------------------------------------------------------------------------------------

static void insertion_sort(uint64_t* keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        uint64_t key = keys[i];
        uint32_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j)
        {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
    }
}

static void sift_down(uint64_t* keys, size_t i, size_t count)
{
    uint64_t key = keys[i];
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1)
    {
        if (child + 1 < count && keys[child + 1] > keys[child])
        {
            child += 1;
        }
        if (keys[child] <= key)
        {
            break;
        }
        keys[i] = keys[child];
        i = child;
    }
    keys[i] = key;
}

/// For the hub of a fan of millions of triangles: in place, and n log n at worst.
static void heap_sort(uint64_t* keys, uint32_t count)
{
    for (size_t i = count / 2; i-- > 0;)
    {
        sift_down(keys, i, count);
    }
    for (size_t end = count; end-- > 1;)
    {
        uint64_t largest = keys[0];
        keys[0] = keys[end];
        keys[end] = largest;
        sift_down(keys, 0, end);
    }
}

#if defined(ABUT_ENABLE_ASSERTS)
static bool is_ascending(const uint64_t* keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        if (keys[i - 1] > keys[i])
        {
            return false;
        }
    }
    return true;
}
#endif

static void sort_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const AbutVertexKeys* self = context;
    size_t end = (size_t)(block + 1) * VERTEX_BLOCK;
    for (size_t v = (size_t)block * VERTEX_BLOCK; v < end && v < self->vertex_count; ++v)
    {
        uint64_t* keys = self->keys + self->offsets[v];
        uint32_t count = self->offsets[v + 1] - self->offsets[v];
        if (count <= INSERTION_LIMIT)
        {
            insertion_sort(keys, count);
        }
        else
        {
            heap_sort(keys, count);
        }
        ABUT_ASSERT(is_ascending(keys, count));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Filing
// -----------------------------------------------------------------------------------------------------------

/// Counts the keys of each vertex v into offsets[v + 1], then adds up, so that offsets[v] is where v begins.
static void count_keys(const AbutMesh* mesh, AbutVertexKeyFn* file, AbutVertexKeys* out)
{
    AbutVertexKey keys[3];
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        uint32_t count = file(mesh->indices + 3 * (size_t)t, t, keys);
        ABUT_ASSERT(count <= 3);
        for (uint32_t i = 0; i < count; ++i)
        {
            ABUT_ASSERT(keys[i].vertex < out->vertex_count);
            out->offsets[keys[i].vertex + 1] += 1;
        }
    }
    for (uint32_t v = 0; v < out->vertex_count; ++v)
    {
        out->offsets[v + 1] += out->offsets[v];
    }
    out->key_count = out->offsets[out->vertex_count];
}

/// Uses offsets[v] as the next free index of v, after which it is where v ends: one index on from where it
/// belongs.
static void file_keys(const AbutMesh* mesh, AbutVertexKeyFn* file, AbutVertexKeys* out)
{
    AbutVertexKey keys[3];
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        uint32_t count = file(mesh->indices + 3 * (size_t)t, t, keys);
        for (uint32_t i = 0; i < count; ++i)
        {
            ABUT_ASSERT(out->offsets[keys[i].vertex] < out->key_count);
            out->keys[out->offsets[keys[i].vertex]++] = keys[i].key;
        }
    }
    memmove(out->offsets + 1, out->offsets, (size_t)out->vertex_count * sizeof(uint32_t));
    out->offsets[0] = 0;
}

AbutResult abut_vertex_keys_create(const AbutHost* host, const AbutMesh* mesh, AbutVertexKeyFn* file,
                                   AbutVertexKeys* out)
{
    ABUT_ASSERT(mesh->triangle_count <= ABUT_VERTEX_KEYS_MAX_TRIANGLES);
    memset(out, 0, sizeof(*out));
    AbutVertexKeys keys = { .vertex_count = mesh->vertex_count };
    keys.offsets = abut_memory_allocate_zero(host, (size_t)keys.vertex_count + 1, sizeof(uint32_t));
    if (keys.offsets == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    count_keys(mesh, file, &keys);
    keys.keys = abut_memory_allocate(host, keys.key_count, sizeof(uint64_t));
    if (keys.keys == NULL)
    {
        abut_vertex_keys_destroy(host, &keys);
        return ABUT_OUT_OF_MEMORY;
    }
    file_keys(mesh, file, &keys);
    abut_parallel_for(host, abut_block_count(keys.vertex_count, VERTEX_BLOCK), sort_block, &keys);
    *out = keys;
    return ABUT_OK;
}

void abut_vertex_keys_destroy(const AbutHost* host, AbutVertexKeys* keys)
{
    if (keys->offsets != NULL)
    {
        abut_memory_free(host, keys->offsets, (size_t)keys->vertex_count + 1, sizeof(uint32_t));
        abut_memory_free(host, keys->keys, keys->key_count, sizeof(uint64_t));
    }
    memset(keys, 0, sizeof(*keys));
}
