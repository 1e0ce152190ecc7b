/// @file write_html.h
/// Pages with limits of one's own; write_html() of recording_write.h has those that fit into the memory of a
/// browser.
#ifndef ABUT_CLI_WRITE_HTML_H
#define ABUT_CLI_WRITE_HTML_H

#include "recording.h"

typedef struct PageLimits
{
    size_t poses;    ///< more: every second, third, ... frame is kept
    size_t contacts; ///< more: fewer of each frame
} PageLimits;

/// Writes the page, whole or not at all. @return false after a message.
bool write_html_within(const Recording* recording, const char* path, const PageLimits* limits);

#endif
