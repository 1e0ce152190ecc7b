// Which reader gets a file, and the two ways in: a path, or bytes in memory.
#include "io/input.h"
#include "io/mesh/load.h"
#include "io/path.h"
#include "io/process/assimp.h"
#include "models/fp_env.h"

#include <abut/io.h>
#include <string.h>

/// The part of the progress that reading the bytes of a file stands for.
static const float READ_FRACTION = 0.1f;

AbutMeshLoadDef abut_mesh_load_def(void)
{
    const uint64_t most = UINT64_C(16) << 30;
    AbutMeshLoadDef def = { .format = ABUT_MESH_FORMAT_UNKNOWN,
                            .max_bytes = most < SIZE_MAX ? (size_t)most : SIZE_MAX };
    return def;
}

AbutMeshFormat abut_mesh_format_from_path(const char* path)
{
    if (abut_io_path_ends_with(path, ".obj"))
    {
        return ABUT_MESH_FORMAT_OBJ;
    }
    if (abut_io_path_ends_with(path, ".stl"))
    {
        return ABUT_MESH_FORMAT_STL;
    }
    return abut_io_path_ends_with(path, ".ply") ? ABUT_MESH_FORMAT_PLY : ABUT_MESH_FORMAT_UNKNOWN;
}

static AbutIoLoad make_load(const AbutMeshLoadDef* def, const char* name)
{
    AbutIoLoad load = { .host = abut_io_host(def->host),
                        .name = name,
                        .progress = def->progress,
                        .progress_user = def->progress_user,
                        .progress_span = 1.0f };
    return load;
}

static AbutResult read_format(AbutIoLoad* load, AbutMeshFormat format, AbutIoBuilder* builder)
{
    switch (format)
    {
    case ABUT_MESH_FORMAT_OBJ:
        return abut_io_obj_read(load, builder);
    case ABUT_MESH_FORMAT_STL:
        return abut_io_stl_read(load, builder);
    case ABUT_MESH_FORMAT_PLY:
        return abut_io_ply_read(load, builder);
    default:
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: the format to parse must be OBJ, STL or PLY",
                         load->name);
    }
}

/// Readers speak of a limit or of memory without the name of the file; everything else has it already.
static AbutResult add_name(const AbutIoLoad* load, AbutResult result)
{
    bool unnamed = result == ABUT_OUT_OF_MEMORY || result == ABUT_LIMIT_EXCEEDED;
    return unnamed ? abut_fail(result, "%s: %s", load->name, abut_last_error()) : result;
}

static AbutResult parse(AbutIoLoad* load, AbutMeshFormat format, AbutMesh** out)
{
    AbutIoBuilder builder = abut_io_builder_make(&load->host);
    AbutResult result = read_format(load, format, &builder);
    result = result == ABUT_OK ? abut_io_finish(load, &builder, out) : result;
    abut_io_builder_free(&builder);
    return add_name(load, result);
}

AbutResult abut_mesh_parse(const AbutMeshLoadDef* def, AbutMeshFormat format, const void* data, size_t size,
                           const char* name, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_parse, def, format, data, size, name, out);
    *out = NULL;
    AbutIoLoad load = make_load(def, name);
    if (size == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: the file is empty", name);
    }
    if (size > def->max_bytes)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: the file has %zu bytes, more than the limit of %zu", name,
                         size, def->max_bytes);
    }
    load.data = data;
    load.size = size;
    return parse(&load, format, out);
}

static AbutResult load_own(const AbutMeshLoadDef* def, AbutMeshFormat format, const char* path,
                           AbutMesh** out)
{
    AbutIoLoad load = make_load(def, path);
    load.progress_start = READ_FRACTION;
    load.progress_span = 1.0f - READ_FRACTION;
    AbutIoInput input;
    AbutResult result = abut_io_input_read(&load, def->max_bytes, &input);
    if (result != ABUT_OK)
    {
        return result == ABUT_OUT_OF_MEMORY ? add_name(&load, result) : result;
    }
    load.data = input.data;
    load.size = input.size;
    result = parse(&load, format, out);
    abut_io_input_free(&load.host, &input);
    return result;
}

static AbutResult load_with_assimp(const AbutMeshLoadDef* def, const char* path, AbutMesh** out)
{
    AbutIoLoad load = make_load(def, path);
    AbutIoBuilder builder = abut_io_builder_make(&load.host);
    AbutResult result = abut_io_assimp_read(&load, def, &builder);
    result = result == ABUT_OK ? abut_io_finish(&load, &builder, out) : result;
    abut_io_builder_free(&builder);
    return result == ABUT_OUT_OF_MEMORY ? add_name(&load, result) : result;
}

AbutResult abut_mesh_load_with(const AbutMeshLoadDef* def, const char* path, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_load_with, def, path, out);
    *out = NULL;
    AbutMeshFormat format =
        def->format != ABUT_MESH_FORMAT_UNKNOWN ? def->format : abut_mesh_format_from_path(path);
    return format == ABUT_MESH_FORMAT_UNKNOWN || def->use_assimp ? load_with_assimp(def, path, out)
                                                                 : load_own(def, format, path, out);
}

AbutResult abut_mesh_load(const char* path, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_load, path, out);
    AbutMeshLoadDef def = abut_mesh_load_def();
    return abut_mesh_load_with(&def, path, out);
}
