// What abut-import may answer over its pipe: any bytes are a mesh or a message, and memory stays in
// proportion.
#include "mesh_fuzz.h"

#include "io/process/import_scene.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    enum
    {
        CORNER_LIMIT = 1 << 12
    };
    FuzzMemory memory = { 0, ((size_t)1 << 19) + 64 * size };
    AbutIoLoad load = {
        .host = fuzz_host(&memory), .name = "input.off", .size = size, .progress_span = 1.0f
    };
    AbutIoBuilder builder = abut_io_builder_make(&load.host);
    AbutMesh* mesh = NULL;
    AbutResult result = abut_io_import_parse(&load, data, size, CORNER_LIMIT, &builder);
    if (result == ABUT_OK && abut_io_finish(&load, &builder, &mesh) == ABUT_OK)
    {
        fuzz_check_mesh(mesh);
    }
    else if (strncmp(abut_last_error(), "input.off: ", 11) != 0 && result != ABUT_LIMIT_EXCEEDED)
    {
        abort();
    }
    abut_mesh_destroy(mesh);
    abut_io_builder_free(&builder);
    if (memory.live != 0)
    {
        abort();
    }
    return 0;
}
