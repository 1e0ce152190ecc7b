/// @file close_blocks.h
/// Stage: blocks that the surface continues into.
#ifndef ABUT_SURFACE_CLOSE_BLOCKS_H
#define ABUT_SURFACE_CLOSE_BLOCKS_H

#include "surface/extraction.h"

AbutResult abut_surface_close_blocks(AbutSurfaceExtraction* extraction);

#endif
