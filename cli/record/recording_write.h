/// @file recording_write.h
/// Files that recordings become: one row per ending of a name.
#ifndef ABUT_CLI_RECORDING_WRITE_H
#define ABUT_CLI_RECORDING_WRITE_H

#include "recording.h"

typedef struct RecordingFormat
{
    const char* ending; ///< ".csv"
    const char* what;   ///< one line for --help
    /// Writes the file, whole or not at all. @return false after a message.
    bool (*write)(const Recording* recording, const char* path);
    const char* missing; ///< why this program cannot, and what to do; NULL when it can
} RecordingFormat;

/// All of them; ends with a row without an ending.
const RecordingFormat* recording_formats(void);

/// By the ending of the name, in any case. @return NULL after a message that lists the endings there are.
const RecordingFormat* recording_format_of(const char* path);

bool write_glb(const Recording* recording, const char* path);
bool write_sheet(const Recording* recording, const char* path);
bool write_csv(const Recording* recording, const char* path);
bool write_html(const Recording* recording, const char* path);

#endif
