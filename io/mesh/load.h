/// @file load.h
/// What every reader works on: bytes in memory, the name to use in messages, the host and the progress
/// callback.
#ifndef ABUT_IO_LOAD_H
#define ABUT_IO_LOAD_H

#include "io/mesh/builder.h"

#include <abut/io.h>

typedef struct AbutIoLoad
{
    AbutHost host;
    const char* name;
    const char* data;
    size_t size;
    AbutProgressFn* progress;
    void* progress_user;
    float progress_start; ///< the part of the work that was over before the first byte was looked at
    float progress_span;  ///< the part that is over when the last one was, less progress_start
    float progress_done;  ///< what was reported last; a second pass over the file does not go back
    size_t progress_next; ///< the offset at which to report again
} AbutIoLoad;

/// Sets "name:line: ..." or "name: byte offset: ..." as the message and returns ABUT_INVALID_DATA.
AbutResult abut_io_fail_line(const AbutIoLoad* load, size_t line, const char* format, ...) ABUT_PRINTF(3, 4);
AbutResult abut_io_fail_byte(const AbutIoLoad* load, size_t offset, const char* format, ...)
    ABUT_PRINTF(3, 4);

/// Sends a warning that starts with the name to the host's log.
void abut_io_warn(const AbutIoLoad* load, const char* format, ...) ABUT_PRINTF(2, 3);

/// Tells the progress callback that all before `offset` is done; ABUT_CANCELLED when it asks to stop.
AbutResult abut_io_report_progress(AbutIoLoad* load, size_t offset);

/// The same, when enough has been done since the last report.
static inline AbutResult abut_io_progress(AbutIoLoad* load, size_t offset)
{
    return offset < load->progress_next ? ABUT_OK : abut_io_report_progress(load, offset);
}

/// The readers. They fill the builder; the caller makes the mesh and gives the builder's memory back in any
/// case.
AbutResult abut_io_obj_read(AbutIoLoad* load, AbutIoBuilder* builder);
AbutResult abut_io_stl_read(AbutIoLoad* load, AbutIoBuilder* builder);
AbutResult abut_io_ply_read(AbutIoLoad* load, AbutIoBuilder* builder);

/// Logs what the builder left out or could not cut well, and makes the mesh.
AbutResult abut_io_finish(AbutIoLoad* load, AbutIoBuilder* builder, AbutMesh** out);

#endif
