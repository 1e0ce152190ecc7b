// Volumes of any bytes: a field or a message, in memory that goes with the size of the file.
#include "field_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    FuzzHost host;
    fuzz_host_init(&host, ((size_t)1 << 20) + 256 * size);
    AbutVolumeLoadDef def = abut_volume_load_def();
    def.host = &host.host;
    AbutShape* field = NULL;
    AbutResult result = abut_volume_parse(&def, data, size, "input", &field);
    if (result == ABUT_OK)
    {
        fuzz_use_field(field);
    }
    abut_shape_destroy(field);
    if (host.live != 0 || result == ABUT_OUT_OF_MEMORY)
    {
        abort();
    }
    return 0;
}
