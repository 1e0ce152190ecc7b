/// @file cell_triangles.h
/// Stage: the triangles of each cell.
#ifndef ABUT_SURFACE_CELL_TRIANGLES_H
#define ABUT_SURFACE_CELL_TRIANGLES_H

#include "surface/extraction.h"

AbutResult abut_surface_emit_triangles(AbutSurfaceExtraction* extraction);

#endif
