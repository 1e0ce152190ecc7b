/// @file sign.h
/// Which nodes are inside of a mesh.
///
/// There is one definition: a point is inside where the generalised winding number of the mesh is over ½. On
/// a surface without gaps it is a whole number that changes by one across every face, so that almost all of
/// it is known without computing it:
///
/// - *Sides.* Where the surface is closed, oriented and nothing else touches it, the numbers in front of and
///   behind a connected patch of triangles are the same all over the patch. They are found once per patch.
///   After that the angle-weighted pseudo-normal of the nearest face, edge or vertex says on which side of it
///   a point is.
/// - *Chain.* Where d(a) + d(b) > |ab| no surface lies between two nodes, and both have the same sign. So one
///   node of each connected set of nodes is looked at, in tiles of 16³ nodes.
/// - *Gaps.* With holes the number changes in free space too, but never faster than the holes' borders allow.
///   Tiles in which it provably stays away from ½ are treated as above; in the others it is computed at every
///   node.
///
/// docs/signs.md has the answers for every kind of broken mesh.
#ifndef ABUT_BAKE_SIGN_SIGN_H
#define ABUT_BAKE_SIGN_SIGN_H

#include "bake/distance/distance.h"

typedef enum AbutSignMethod
{
    ABUT_SIGN_AUTO, // sides where they are known, the winding number elsewhere
    // pseudo-normals everywhere: the nearest feature decides, whatever the rest of the mesh says
    ABUT_SIGN_PSEUDO_NORMALS,
    ABUT_SIGN_WINDING, // the winding number for all nodes that are looked at
} AbutSignMethod;

/// What is known about the signs of a mesh. Immutable once created; may be used from many threads at once.
typedef struct AbutSignClassifier AbutSignClassifier;

typedef struct AbutSignClassifierInfo
{
    // every edge has two triangles that run through it in opposite directions, after joining equal vertices
    bool closed;
    // edges cancel, T-junctions and cracks of a few millionths of the size included: no sign is in doubt
    bool gapless;
    bool inverted;                 // some parts looked inward and were taken the other way round
    uint32_t sided_triangle_count; // triangles whose sides are known
    // all those have the outside in front and the inside behind, and they are most: nothing overlaps
    bool simple;
} AbutSignClassifierInfo;

/// The mesh must have triangles. The signer does not refer to it afterwards.
/// @return ABUT_OUT_OF_MEMORY, ABUT_LIMIT_EXCEEDED above 1,431,655,765 triangles.
AbutResult abut_sign_classifier_create(const AbutMesh* mesh, AbutSignMethod method, const AbutHost* host,
                                       AbutSignClassifier** out);

/// NULL is ignored.
void abut_sign_classifier_destroy(AbutSignClassifier* classifier);

AbutSignClassifierInfo abut_sign_classifier_info(const AbutSignClassifier* classifier);

/// Edges that more triangles run through one way than the other, cracks and T-junctions included, and the box
/// of one.
uint32_t abut_sign_classifier_border_count(const AbutSignClassifier* classifier);
AbutBox abut_sign_classifier_border_box(const AbutSignClassifier* classifier, uint32_t edge);

/// True when the winding number stays out of (¼, ¾) within `radius` of a point, so that the signed distance
/// jumps nowhere there. Always true for a mesh without gaps; false may also mean that it could not be proved.
bool abut_sign_classifier_is_certain(const AbutSignClassifier* classifier, const double center[3],
                                     double radius);

/// The generalised winding number of a point, to ±0.001, or to ±0.1 for a mesh that is little but border.
double abut_sign_classifier_winding(const AbutSignClassifier* classifier, const double point[3]);

#endif
