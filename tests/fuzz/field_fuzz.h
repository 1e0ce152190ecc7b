/// @file field_fuzz.h
/// What the fuzz targets of fields share: a host that has little memory, and a look at all that a field
/// answers.
#ifndef ABUT_FUZZ_FIELD_H
#define ABUT_FUZZ_FIELD_H

#include <abut/bake.h>
#include <abut/field.h>
#include <abut/io.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct FuzzHost
{
    AbutHost host;
    size_t live, limit;
} FuzzHost;

static void* fuzz_allocate(void* user, size_t size, size_t alignment)
{
    FuzzHost* self = user;
    if (size > self->limit - self->live)
    {
        return NULL;
    }
    self->live += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void fuzz_free(void* user, void* memory, size_t size)
{
    FuzzHost* self = user;
    self->live -= size;
    free(memory);
}

/// All on one thread: a fuzzer starts enough of them itself.
static inline void fuzz_host_init(FuzzHost* self, size_t limit)
{
    *self = (FuzzHost){ .host = abut_host_default(), .limit = limit };
    self->host.user = self;
    self->host.allocate = fuzz_allocate;
    self->host.free = fuzz_free;
    self->host.worker_count = 1;
}

static inline void fuzz_use_field(const AbutShape* field)
{
    AbutFieldInfo info = abut_field_info(field);
    const uint32_t begin[3] = { info.cell_count[0] / 2, info.cell_count[1] / 2, info.cell_count[2] / 2 };
    const uint32_t count[3] = { 2, 2, 2 };
    float values[8];
    abut_field_read_nodes(field, begin, count, values);
    for (int i = 0; i < 32; ++i)
    {
        AbutVec3 p = abut_vec3(0.1f * (float)(i % 7) - 0.3f, 0.13f * (float)(i % 5) - 0.3f,
                               0.17f * (float)(i % 4) - 0.3f);
        p = i % 8 == 0 ? abut_vec3_scale(p, 1e9f) : p;
        AbutVec3 gradient;
        abut_shape_distance(field, p, &gradient);
        abut_field_point_bounds(field, p);
        abut_field_box_bounds(field, abut_box(p, abut_vec3_add(p, abut_vec3(0.1f, 0.2f, 0.3f))));
    }
}

#endif
