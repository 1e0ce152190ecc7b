/// @file edge_vertices.h
/// Stage: the position of each vertex on its edge.
#ifndef ABUT_SURFACE_EDGE_VERTICES_H
#define ABUT_SURFACE_EDGE_VERTICES_H

#include "surface/extraction.h"

AbutResult abut_surface_compute_vertices(AbutSurfaceExtraction* extraction);

#endif
