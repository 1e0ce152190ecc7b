/// @file mesh_fuzz.h
/// What the fuzz targets of the mesh readers share: a host that stops the program when memory goes out of
/// proportion, and one run.
#ifndef ABUT_FUZZ_MESH_H
#define ABUT_FUZZ_MESH_H

#include <abut/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct FuzzMemory
{
    size_t live;
    size_t limit;
} FuzzMemory;

static void* fuzz_allocate(void* user, size_t size, size_t alignment)
{
    FuzzMemory* memory = user;
    memory->live += size;
    if (memory->live > memory->limit)
    {
        fprintf(stderr, "%zu bytes are alive, more than %zu\n", memory->live, memory->limit);
        abort();
    }
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void fuzz_free(void* user, void* block, size_t size)
{
    FuzzMemory* memory = user;
    memory->live -= size;
    free(block);
}

/// Whatever was accepted must be a mesh: finite, with indices in range.
static inline void fuzz_check_mesh(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    uint32_t vertex_count = abut_mesh_vertex_count(mesh);
    for (uint32_t i = 0; i < vertex_count; ++i)
    {
        if (!abut_vec3_is_finite(vertices[i]))
        {
            abort();
        }
    }
    for (size_t i = 0; i < (size_t)abut_mesh_triangle_count(mesh) * 3; ++i)
    {
        if (indices[i] >= vertex_count)
        {
            abort();
        }
    }
}

static inline AbutHost fuzz_host(FuzzMemory* memory)
{
    AbutHost host = abut_host_default();
    host.user = memory;
    host.allocate = fuzz_allocate;
    host.free = fuzz_free;
    return host;
}

static inline void fuzz_mesh(AbutMeshFormat format, const uint8_t* data, size_t size)
{
    FuzzMemory memory = { 0, ((size_t)1 << 16) + 64 * size };
    AbutHost host = fuzz_host(&memory);
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.host = &host;
    AbutMesh* mesh = NULL;
    if (abut_mesh_parse(&def, format, data, size, "input", &mesh) == ABUT_OK)
    {
        fuzz_check_mesh(mesh);
    }
    abut_mesh_destroy(mesh);
    if (memory.live != 0)
    {
        abort();
    }
}

#endif
