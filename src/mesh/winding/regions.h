/// @file regions.h
/// Regions in which the winding number of a surface with holes is nearly an integer.
///
/// A cap for every hole makes the surface closed, with integer winding numbers; so the winding number of the
/// surface alone is an integer minus the winding number of the caps. Far from the caps that is nearly zero.
/// Close to them its slope is bounded by the border: off the faces, the gradient of the winding number is the
/// field of a current along the border (Biot and Savart).
#ifndef ABUT_MESH_WINDING_REGIONS_H
#define ABUT_MESH_WINDING_REGIONS_H

#include "mesh/border.h"
#include "mesh/winding/gap_hulls.h"
#include "mesh/winding/winding.h"

typedef struct AbutWindingRegions
{
    const AbutWinding* surface;
    double tolerance; // of the border
    // one fan per loop of the border; NULL for a surface that has none, or is little but border
    AbutMesh* caps;
    AbutBoxTree cap_tree;
    AbutWinding cap_winding;
    AbutGapHulls hulls; // around the loops, caps included
    bool has_hulls;     // else the sign is from the winding number of the surface everywhere
    // by node of the cap tree: of the border below it, as often as triangles are too many there
    double* lengths;
} AbutWindingRegions;

typedef struct AbutWindingRegionsDef
{
    const AbutBorder* border;
    const AbutWinding* surface; // must outlive the gaps; the rest need not
    const uint8_t* flipped;     // not zero for triangles with reversed orientation; may be NULL
    bool surrounds;             // loose sheets together surround a volume: no hulls
} AbutWindingRegionsDef;

AbutResult abut_winding_regions_create(const AbutHost* host, const AbutWindingRegionsDef* def,
                                       AbutWindingRegions* out);

/// Gives the memory back to the host it came from. Zeroed gaps are ignored.
void abut_winding_regions_destroy(const AbutHost* host, AbutWindingRegions* gaps);

/// The winding number that gives the sign of a point: in a hull of a gap, and without caps, the winding
/// number of the surface, `number`; elsewhere that of surface and caps together, an integer that is the same
/// for all caps within the hulls.
double abut_winding_regions_effective_winding(const AbutWindingRegions* gaps, AbutDVec3 point, double number);

/// True when the effective winding number provably passes ½ at faces alone within `radius` of a point: no
/// hull is within the radius, or the winding number of the surface stays within ¼ of integers, with steps of
/// one at faces.
bool abut_winding_regions_is_certain(const AbutWindingRegions* gaps, AbutDVec3 center, double radius);

/// A bound of the slope of the winding number, off the faces, within `radius` of a point; infinite when it is
/// over `limit`. There must be caps.
double abut_winding_regions_slope(const AbutWindingRegions* gaps, AbutDVec3 center, double radius,
                                  double limit);

#endif
