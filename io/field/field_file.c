// Field files: the block of a field as it is in memory, mapped when it is read, or compressed.
#include "io/field/field_pack.h"
#include "io/input.h"
#include "io/output.h"
#include "models/fp_env.h"

#include <abut/field.h>
#include <abut/io.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// -----------------------------------------------------------------------------------------------------------
// Saving
// -----------------------------------------------------------------------------------------------------------

AbutFieldSaveDef abut_field_save_def(void)
{
    return (AbutFieldSaveDef){ .level = 3 };
}

static AbutResult write_file(const char* path, const void* bytes, size_t size)
{
    AbutIoOutput output;
    AbutResult result = abut_io_output_open(&output, path);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_io_output_write(&output, bytes, size);
    return abut_io_output_close(&output);
}

static AbutResult save_packed(const AbutFieldSaveDef* def, const AbutShape* field, const char* path)
{
    AbutHost host = abut_io_host(def->host);
    AbutIoPacked packed;
    AbutResult result = abut_io_field_pack(field, def->level, &host, &packed);
    if (result != ABUT_OK)
    {
        return abut_fail(result, "%s: %s", path, abut_last_error());
    }
    result = write_file(path, packed.bytes, packed.size);
    abut_io_free(&host, packed.bytes, packed.capacity);
    return result;
}

AbutResult abut_field_save_with(const AbutFieldSaveDef* def, const AbutShape* field, const char* path)
{
    if (!abut_shape_is_field(field))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: only a field can be saved; this shape is a %s", path,
                         abut_shape_kind_name(abut_shape_info(field).kind));
    }
    if (def->level < 1 || def->level > 19)
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "%s: the level of compression is %d; start from abut_field_save_def(), and it is from 1 to 19",
            path, def->level);
    }
    if (def->compress)
    {
        return save_packed(def, field, path);
    }
    size_t size;
    const void* data = abut_field_data(field, &size);
    return write_file(path, data, size);
}

AbutResult abut_field_save(const AbutShape* field, const char* path)
{
    AbutFieldSaveDef def = abut_field_save_def();
    return abut_field_save_with(&def, field, path);
}

// -----------------------------------------------------------------------------------------------------------
// Loading
// -----------------------------------------------------------------------------------------------------------

static void unmap(void* user, void* data, size_t size)
{
    (void)user;
    munmap(data, size);
}

AbutResult abut_field_parse(const void* data, size_t size, const char* name, const AbutHost* host,
                            AbutShape** out)
{
    ABUT_FP_CALL(abut_field_parse, data, size, name, host, out);
    AbutHost own_host = abut_io_host(host);
    if (abut_io_field_is_packed(data, size))
    {
        return abut_io_field_unpack(data, size, name, &own_host, out);
    }
    AbutFieldDataDef def = abut_field_data_def();
    def.data = (void*)(uintptr_t)data; // copied, not written to
    def.size = size;
    def.name = name;
    def.host = &own_host;
    return abut_field_create_from_data(&def, out);
}

/// A compressed file is read: were it mapped, it could change between its check and its use.
static AbutResult load_packed(const char* path, const AbutHost* host, AbutShape** out)
{
    AbutIoLoad load = { .host = abut_io_host(host), .name = path };
    AbutIoInput input;
    AbutResult result = abut_io_input_read(&load, SIZE_MAX, &input);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = abut_field_parse(input.data, input.size, path, &load.host, out);
    abut_io_input_free(&load.host, &input);
    return result;
}

/// Maps the file and looks at its first bytes. @return ABUT_OK with `*packed` set and nothing mapped, or with
/// the map.
static AbutResult map_file(const char* path, size_t size, void** map, bool* packed)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char start[8];
    ssize_t count = file >= 0 ? pread(file, start, sizeof(start), 0) : -1;
    *packed = count > 0 && abut_io_field_is_packed(start, (size_t)count);
    *map = count >= 0 && !*packed ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    int error = errno;
    if (file >= 0)
    {
        close(file);
    }
    if (*map == MAP_FAILED && !*packed)
    {
        return abut_fail(ABUT_IO_ERROR, "%s: cannot be mapped: %s", path, strerror(error));
    }
    return ABUT_OK;
}

AbutResult abut_field_load(const char* path, const AbutHost* host, AbutShape** out)
{
    ABUT_FP_CALL(abut_field_load, path, host, out);
    *out = NULL;
    size_t size;
    void* map = NULL;
    bool packed = false;
    AbutResult result = abut_io_input_check(path, SIZE_MAX, &size);
    result = result == ABUT_OK ? map_file(path, size, &map, &packed) : result;
    if (result != ABUT_OK || packed)
    {
        return result == ABUT_OK ? load_packed(path, host, out) : result;
    }
    AbutFieldDataDef def = abut_field_data_def();
    def.data = map;
    def.size = size;
    def.release = unmap;
    def.name = path;
    def.host = host;
    result = abut_field_create_from_data(&def, out);
    if (result != ABUT_OK)
    {
        munmap(map, size);
    }
    return result;
}
