/// @file gaps.h
/// Where the winding number of a surface with holes is nearly whole.
///
/// Close every hole with a cap. The whole is closed and has whole winding numbers; so what the winding number of the surface
/// alone lacks to a whole number is that of the caps. Far from them that is next to nothing. Near them it changes only as
/// fast as the border lets it: off the faces, the gradient of the winding number is the field of a current along the border
/// (Biot and Savart).
#ifndef ABUT_MESH_GAPS_H
#define ABUT_MESH_GAPS_H

#include "mesh/border.h"
#include "mesh/winding.h"

typedef struct AbutGaps
{
    const AbutWinding* surface;
    double tolerance; // as in the border
    AbutMesh*
        caps; // one fan per loop of the border; NULL for a surface that has none, or is little but border
    AbutBoxTree cap_tree;
    AbutWinding cap_winding;
    double*
        lengths; // by node of the cap tree: of the border below it, as often as triangles are too many there
} AbutGaps;

/// Edges of triangles t with flipped[t] not zero run the other way; `flipped` may be NULL. The surface must outlive the
/// gaps, the border need not.
AbutResult abut_gaps_create(const AbutHost* host, const AbutBorder* border, const AbutWinding* surface,
                            const uint8_t* flipped, AbutGaps* out);

/// Gives the memory back to the host it came from. Zeroed gaps are ignored.
void abut_gaps_destroy(const AbutHost* host, AbutGaps* gaps);

/// True when the winding number provably stays within ¼ of whole numbers, with steps of one at faces, within `radius` of a
/// point.
bool abut_gaps_are_far(const AbutGaps* gaps, const double center[3], double radius);

/// A bound of the slope of the winding number, off the faces, within `radius` of a point; infinite when it is over `limit`.
/// There must be caps.
double abut_gaps_slope(const AbutGaps* gaps, const double center[3], double radius, double limit);

#endif
