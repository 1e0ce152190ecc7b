/// @file sign.h
/// The sign of the distance to a mesh: inside or outside.
///
/// One definition: a point is inside where the generalised winding number of the mesh is over ½. On a surface
/// without gaps it is an integer that changes by one across every face, so that most signs follow without
/// computing it:
///
/// - *Sides.* Where the surface is closed, oriented and nothing else touches it, the numbers in front of and
///   behind a connected patch of triangles are the same all over the patch. They are computed once per patch.
///   Then the angle-weighted pseudo-normal of the closest face, edge or vertex gives the side of a point.
/// - *Chain.* Where d(a) + d(b) > |ab| no surface lies between two nodes, and both have the same sign. So one
///   node of each connected set of nodes is evaluated, in tiles of 16³ nodes.
/// - *Gaps.* With holes the number changes in free space too, with a slope bounded by the borders of the
///   holes. Tiles in which it provably stays away from ½ are treated as above; in the others it is computed
///   at every node.
///
/// docs/signs.md has the results for every kind of broken mesh.
#ifndef ABUT_BAKE_SIGN_SIGN_H
#define ABUT_BAKE_SIGN_SIGN_H

#include "bake/distance/distance.h"
#include "math/dvec3.h"

typedef enum AbutSignMethod
{
    ABUT_SIGN_AUTO, // known sides, else the winding number
    // pseudo-normals everywhere: the sign of the closest feature
    ABUT_SIGN_PSEUDO_NORMALS,
    ABUT_SIGN_WINDING, // the winding number for all evaluated nodes
} AbutSignMethod;

/// Data for the signs of a mesh. Immutable once created; may be used from many threads at once.
typedef struct AbutSignClassifier AbutSignClassifier;

typedef struct AbutSignClassifierInfo
{
    // every edge has two triangles, in opposite directions, after joining equal vertices
    bool closed;
    // edges cancel, T-junctions and cracks of a few millionths of the size included: all signs are certain
    bool gapless;
    bool inverted;                 // some components faced inward and were flipped
    uint32_t sided_triangle_count; // triangles with known sides
    // they are most triangles, all with the outside in front and the inside behind: no overlaps
    bool simple;
} AbutSignClassifierInfo;

/// The mesh must have triangles. The classifier does not refer to it afterwards.
/// @return ABUT_OUT_OF_MEMORY, ABUT_LIMIT_EXCEEDED above 1,431,655,765 triangles.
AbutResult abut_sign_classifier_create(const AbutMesh* mesh, AbutSignMethod method, const AbutHost* host,
                                       AbutSignClassifier** out);

/// NULL is ignored.
void abut_sign_classifier_destroy(AbutSignClassifier* classifier);

AbutSignClassifierInfo abut_sign_classifier_info(const AbutSignClassifier* classifier);

/// Edges with more triangles in one direction than in the other, cracks and T-junctions included, and the box
/// of one.
uint32_t abut_sign_classifier_border_count(const AbutSignClassifier* classifier);
AbutBox abut_sign_classifier_border_box(const AbutSignClassifier* classifier, uint32_t edge);

/// True when the winding number stays out of (¼, ¾) within `radius` of a point, so that the signed distance
/// is continuous there. Always true for a mesh without gaps; false may also mean unproved.
bool abut_sign_classifier_is_certain(const AbutSignClassifier* classifier, AbutDVec3 center, double radius);

/// Lower bound of the distance from a point to where signs are uncertain (the hulls of gaps; without hulls,
/// what abut_sign_classifier_is_certain() cannot prove), at most `limit`; 0 where they are. For all surfaces
/// that close the gaps within their hulls signs are the same elsewhere, and so are distances up to that of
/// the hulls.
double abut_sign_classifier_doubt_distance(const AbutSignClassifier* classifier, AbutDVec3 point,
                                           double limit);

/// Regions of uncertain signs.
typedef struct AbutSignDoubt
{
    uint32_t region_count; // hulls; 1 for the whole mesh where gaps have none
    double size;           // the largest diameter of one
    double volume;         // at most, of all together
} AbutSignDoubt;

AbutSignDoubt abut_sign_classifier_doubt(const AbutSignClassifier* classifier);

/// A ball around region `i`.
AbutDVec3 abut_sign_classifier_doubt_ball(const AbutSignClassifier* classifier, uint32_t i, double* radius);

/// The generalised winding number of a point, to ±0.001, or to ±0.1 for a mesh that is little but border.
double abut_sign_classifier_winding(const AbutSignClassifier* classifier, AbutDVec3 point);

#endif
