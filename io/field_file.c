// Field files: the block of a field as it is in memory, mapped when it is read.
#include "input.h"
#include "output.h"

#include <abut/field.h>
#include <abut/io.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

AbutResult abut_field_save(const AbutShape* field, const char* path)
{
    if (!abut_shape_is_field(field))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: only a field can be saved; this shape is a %s", path,
                         abut_shape_kind_name(abut_shape_info(field).kind));
    }
    AbutIoOutput output;
    AbutResult result = abut_io_output_open(&output, path);
    if (result != ABUT_OK)
    {
        return result;
    }
    size_t size;
    const char* data = abut_field_data(field, &size);
    for (size_t done = 0; done < size;)
    {
        size_t part = size - done < ABUT_IO_OUTPUT_BUFFER ? size - done : ABUT_IO_OUTPUT_BUFFER;
        memcpy(abut_io_output_room(&output, part), data + done, part);
        output.used += part;
        done += part;
    }
    return abut_io_output_close(&output);
}

static void unmap(void* user, void* data, size_t size)
{
    (void)user;
    munmap(data, size);
}

AbutResult abut_field_load(const char* path, const AbutHost* host, AbutShape** out)
{
    *out = NULL;
    size_t size;
    AbutResult result = abut_io_input_check(path, SIZE_MAX, &size);
    if (result != ABUT_OK)
    {
        return result;
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void* data = file >= 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    int error = errno;
    if (file >= 0)
    {
        close(file);
    }
    if (data == MAP_FAILED)
    {
        return abut_fail(ABUT_IO_ERROR, "%s: cannot be mapped: %s", path, strerror(error));
    }
    AbutFieldDataDef def = abut_field_data_def();
    def.data = data;
    def.size = size;
    def.release = unmap;
    def.name = path;
    def.host = host;
    result = abut_field_create_from_data(&def, out);
    if (result != ABUT_OK)
    {
        munmap(data, size);
    }
    return result;
}
