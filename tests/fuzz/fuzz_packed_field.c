// Compressed fields with a right checksum: the input is a header and a frame; the checksum is put in before
// they are read.
#include "field_fuzz.h"

#include <string.h>

enum
{
    HEADER = 64, // as docs/field_format.md has it
    CHECKSUM = 56
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < HEADER)
    {
        return 0;
    }
    uint8_t* file = malloc(size);
    if (file == NULL)
    {
        return 0;
    }
    memcpy(file, data, size);
    uint64_t frame = size - HEADER;
    memcpy(file + 24, &frame, 8);
    memset(file + CHECKSUM, 0, 8);
    uint64_t checksum = abut_hash(file + HEADER, size - HEADER, abut_hash(file, HEADER, 0));
    memcpy(file + CHECKSUM, &checksum, 8);
    FuzzHost host;
    fuzz_host_init(&host, (size_t)64 << 20);
    AbutShape* field = NULL;
    if (abut_field_parse(file, size, "input", &host.host, &field) == ABUT_OK)
    {
        fuzz_use_field(field);
    }
    abut_shape_destroy(field);
    free(file);
    if (host.live != 0)
    {
        abort();
    }
    return 0;
}
