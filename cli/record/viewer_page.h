/// @file viewer_page.h
/// The page that plays recordings, as viewer/build.js makes it. In the program only when it was built with
/// ABUT_WITH_VIEWER.
#ifndef ABUT_CLI_VIEWER_PAGE_H
#define ABUT_CLI_VIEWER_PAGE_H

#include <stddef.h>

/// Where the recording goes; the page has it once.
#define VIEWER_PAGE_MARKER "<!-- recording -->"

extern const unsigned char viewer_page[];
extern const size_t viewer_page_size;

#endif
