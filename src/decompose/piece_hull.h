/// @file piece_hull.h
/// Hulls of triangles and of other hulls, and measures of them.
#ifndef ABUT_DECOMPOSE_PIECE_HULL_H
#define ABUT_DECOMPOSE_PIECE_HULL_H

#include "decompose/solid.h"
#include "hull/hull.h"

/// The hull of the corners of triangles, at most 21,845 of them.
AbutResult abut_piece_hull_of_triangles(const AbutSolid* solid, const uint32_t* triangles, uint32_t count,
                                        AbutHull** out);

/// The hull of two hulls. Where both have more vertices than a hull may have, ABUT_LIMIT_EXCEEDED.
AbutResult abut_piece_hull_of_hulls(const AbutHost* host, const AbutHull* a, const AbutHull* b,
                                    AbutHull** out);

/// Mean of the vertices of a face.
AbutDVec3 abut_piece_face_middle(const AbutHull* hull, uint32_t face);

/// Greatest signed distance of a point from the planes of the faces: at most 0 inside, minus the distance
/// from the surface there. Infinite for a hull without faces.
double abut_piece_hull_height(const AbutHull* hull, AbutDVec3 point);

/// Volume; 0 for a flat hull.
double abut_piece_hull_volume(const AbutHull* hull);

#endif
