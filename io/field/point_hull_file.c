// Point hull files: the block of a hull as it is in memory.
#include "io/input.h"
#include "io/memory.h"
#include "io/output.h"
#include "models/fp_env.h"

#include <abut/io.h>

AbutResult abut_point_hull_save(const AbutPointHull* hull, const char* path)
{
    ABUT_FP_CALL(abut_point_hull_save, hull, path);
    AbutIoOutput output;
    size_t size;
    const void* block = abut_point_hull_block(hull, &size);
    AbutResult result = abut_io_output_open(&output, path);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_io_output_write(&output, block, size);
    return abut_io_output_close(&output);
}

AbutResult abut_point_hull_load(const char* path, const AbutHost* host, AbutPointHull** out)
{
    ABUT_FP_CALL(abut_point_hull_load, path, host, out);
    *out = NULL;
    AbutIoLoad load = { .host = abut_io_host(host), .name = path };
    AbutIoInput input;
    AbutResult result = abut_io_input_read(&load, SIZE_MAX, &input);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = abut_point_hull_create_from_block(input.data, input.size, path, &load.host, out);
    abut_io_input_free(&load.host, &input);
    return result;
}
