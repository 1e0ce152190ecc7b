#include "io/mesh/load.h"

#include <stdarg.h>
#include <stdio.h>

enum
{
    MESSAGE_SIZE = 512,          // of the part behind the name and place
    PROGRESS_INTERVAL = 1 << 20, // bytes between two reports
};

AbutResult abut_io_fail_line(const AbutIoLoad* load, size_t line, const char* format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return abut_fail(ABUT_INVALID_DATA, "%s:%zu: %s", load->name, line, message);
}

AbutResult abut_io_fail_byte(const AbutIoLoad* load, size_t offset, const char* format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return abut_fail(ABUT_INVALID_DATA, "%s: byte %zu: %s", load->name, offset, message);
}

void abut_io_warn(const AbutIoLoad* load, const char* format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    char line[MESSAGE_SIZE + 4096];
    snprintf(line, sizeof(line), "%s: %s", load->name, message);
    abut_text_sanitize(line);
    load->host.log(load->host.user, ABUT_LOG_WARNING, line);
}

AbutResult abut_io_report_progress(AbutIoLoad* load, size_t offset)
{
    load->progress_next = offset + PROGRESS_INTERVAL;
    if (load->progress == NULL)
    {
        return ABUT_OK;
    }
    double fraction = load->size > 0 ? (double)offset / (double)load->size : 1.0;
    float done = load->progress_start + load->progress_span * (float)fraction;
    done = done > load->progress_done ? done : load->progress_done;
    load->progress_done = done < 1.0f ? done : 1.0f;
    if (load->progress(load->progress_user, load->progress_done))
    {
        return ABUT_OK;
    }
    return abut_fail(ABUT_CANCELLED, "%s: loading was cancelled", load->name);
}

static void warn_of_faces(const AbutIoLoad* load, const AbutIoBuilder* builder)
{
    if (builder->small_face_count > 0)
    {
        abut_io_warn(load, "%zu faces with fewer than 3 corners were left out", builder->small_face_count);
    }
    if (builder->cutter.uncut_count > 0)
    {
        abut_io_warn(load,
                     "%zu concave polygons could not be cut without overlaps (they cross themselves, or are "
                     "too large): fans were used",
                     builder->cutter.uncut_count);
    }
    if (builder->indices.count == 0)
    {
        abut_io_warn(load, "there are no triangles");
    }
}

AbutResult abut_io_finish(AbutIoLoad* load, AbutIoBuilder* builder, AbutMesh** out)
{
    warn_of_faces(load, builder);
    abut_io_polygon_cutter_free(&builder->cutter);
    AbutMeshDef def = abut_mesh_def();
    def.vertices = builder->vertices.items;
    def.vertex_count = (uint32_t)builder->vertices.count;
    def.indices = builder->indices.items;
    def.triangle_count = (uint32_t)(builder->indices.count / 3);
    def.host = &load->host;
    AbutResult result = abut_io_report_progress(load, load->size);
    return result == ABUT_OK ? abut_mesh_create(&def, out) : result;
}
