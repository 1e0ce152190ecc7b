/// @file regions.h
/// Where the winding number of a surface with holes is nearly whole.
///
/// Close every hole with a cap. The whole is closed and has whole winding numbers; so what the winding number
/// of the surface alone lacks to a whole number is that of the caps. Far from them that is next to nothing.
/// Near them it changes only as fast as the border lets it: off the faces, the gradient of the winding number
/// is the field of a current along the border (Biot and Savart).
#ifndef ABUT_MESH_WINDING_REGIONS_H
#define ABUT_MESH_WINDING_REGIONS_H

#include "mesh/border.h"
#include "mesh/winding/gap_hulls.h"
#include "mesh/winding/winding.h"

typedef struct AbutWindingRegions
{
    const AbutWinding* surface;
    double tolerance; // as in the border
    // one fan per loop of the border; NULL for a surface that has none, or is little but border
    AbutMesh* caps;
    AbutBoxTree cap_tree;
    AbutWinding cap_winding;
    AbutGapHulls hulls; // around the loops, caps included
    bool has_hulls;     // else the winding number of the surface decides everywhere
    // by node of the cap tree: of the border below it, as often as triangles are too many there
    double* lengths;
} AbutWindingRegions;

typedef struct AbutWindingRegionsDef
{
    const AbutBorder* border;
    const AbutWinding* surface; // must outlive the gaps; the rest need not
    const uint8_t* flipped; // edges of triangles t with flipped[t] not zero run the other way; may be NULL
    bool surrounds; // loose sheets surround something, so that closing each by itself would lose it: no hulls
} AbutWindingRegionsDef;

AbutResult abut_winding_regions_create(const AbutHost* host, const AbutWindingRegionsDef* def,
                                       AbutWindingRegions* out);

/// Gives the memory back to the host it came from. Zeroed gaps are ignored.
void abut_winding_regions_destroy(const AbutHost* host, AbutWindingRegions* gaps);

/// The number that decides the sign of a point: in a hull of a gap, and where there are no caps, the winding
/// number of the surface, `number`; elsewhere that of surface and caps together, which is whole and the same
/// for all caps that stay in the hulls.
double abut_winding_regions_effective_winding(const AbutWindingRegions* gaps, const double point[3],
                                              double number);

/// True when the number that decides provably does not pass ½ within `radius` of a point but at faces: no
/// hull comes near, or the winding number of the surface stays within ¼ of whole numbers, with steps of one
/// at faces.
bool abut_winding_regions_is_certain(const AbutWindingRegions* gaps, const double center[3], double radius);

/// A bound of the slope of the winding number, off the faces, within `radius` of a point; infinite when it is
/// over `limit`. There must be caps.
double abut_winding_regions_slope(const AbutWindingRegions* gaps, const double center[3], double radius,
                                  double limit);

#endif
