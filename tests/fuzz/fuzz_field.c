// Field files of any bytes, and fields that somebody changed: whatever is accepted answers from its own bytes
// alone.
//
// The first byte picks: 0, the rest is a file; 1 to 6, the rest is changes to a field of some kind, six bytes
// each (a place and a number), made behind its checksum's back. So that the inner checks are reached whatever
// the version of the format.
#include "field_fuzz.h"

#include <string.h>

enum
{
    CHANGE = 6,
    KINDS = 6
};

static void parse_file(const uint8_t* data, size_t size)
{
    FuzzHost host;
    fuzz_host_init(&host, (size_t)64 << 20);
    AbutShape* field = NULL;
    if (abut_field_parse(data, size, "input", &host.host, &field) == ABUT_OK)
    {
        fuzz_use_field(field);
    }
    abut_shape_destroy(field);
    if (host.live != 0)
    {
        abort();
    }
}

/// A small field of each kind, baked once.
static const AbutShape* kind_of_field(unsigned kind)
{
    static AbutShape* fields[KINDS];
    if (fields[kind] == NULL)
    {
        AbutShape* shape = NULL;
        AbutBakeDef def = abut_bake_def();
        def.resolution = 24;
        def.format = (AbutFieldFormat)(kind % 3);
        def.sparse = kind >= 3;
        if (abut_shape_create_torus(0.4f, 0.15f, NULL, &shape) != ABUT_OK ||
            abut_bake_shape(&def, shape, &fields[kind]) != ABUT_OK)
        {
            abort();
        }
        abut_shape_destroy(shape);
    }
    return fields[kind];
}

static void change_field(unsigned kind, const uint8_t* data, size_t size)
{
    AbutFieldDataDef def = abut_field_data_def();
    const char* block = abut_field_data(kind_of_field(kind), &def.size);
    char* changed = malloc(def.size);
    if (changed == NULL)
    {
        return;
    }
    memcpy(changed, block, def.size);
    for (size_t i = 0; i + CHANGE <= size; i += CHANGE)
    {
        size_t offset = (size_t)(data[i] | data[i + 1] << 8) % (def.size - 4);
        memcpy(changed + offset, data + i + 2, 4);
    }
    def.data = changed;
    def.skip_checksum = true;
    AbutShape* field = NULL;
    if (abut_field_create_from_data(&def, &field) == ABUT_OK)
    {
        fuzz_use_field(field);
    }
    abut_shape_destroy(field);
    free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0 || data[0] > KINDS)
    {
        return 0;
    }
    if (data[0] == 0)
    {
        parse_file(data + 1, size - 1);
    }
    else
    {
        change_field(data[0] - 1u, data + 1, size - 1);
    }
    return 0;
}
