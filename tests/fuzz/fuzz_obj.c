#include "mesh_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz_mesh(ABUT_MESH_FORMAT_OBJ, data, size);
    return 0;
}
