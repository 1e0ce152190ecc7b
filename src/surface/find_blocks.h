/// @file find_blocks.h
/// Stage: blocks with nodes on both sides of the surface.
#ifndef ABUT_SURFACE_FIND_BLOCKS_H
#define ABUT_SURFACE_FIND_BLOCKS_H

#include "surface/extraction.h"

AbutResult abut_surface_find_blocks(AbutSurfaceExtraction* extraction);

#endif
