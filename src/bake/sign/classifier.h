/// @file classifier.h (internal to the signs)
/// The data of a classifier, and its winding numbers.
#ifndef ABUT_BAKE_SIGN_CLASSIFIER_H
#define ABUT_BAKE_SIGN_CLASSIFIER_H

#include "bake/sign/sign.h"
#include "mesh/pseudo_normal.h"
#include "mesh/winding/regions.h"
#include "mesh/winding/winding.h"

/// Flags of a triangle.
enum
{
    ABUT_SIDES_KNOWN = 1,
    ABUT_FRONT_INSIDE = 2, // the winding number in front of it is over ½
    ABUT_BACK_INSIDE = 4,  // and behind it
};

struct AbutSignClassifier
{
    AbutHost host;
    AbutSignMethod method;
    AbutSignClassifierInfo info;
    AbutHalfEdges half_edges;
    AbutBoxTree tree; // of the triangles
    AbutWindingRegions gaps;
    double crack;              // width of the cracks that count as closed
    AbutPseudoNormals normals; // `regular` is cleared for vertices of triangles with unknown sides
    AbutWinding winding;
    uint8_t* sides;            // by triangle, see above
    uint8_t* flipped;          // by triangle: 1 where its orientation is reversed; NULL for none
    double largest_coordinate; // largest coordinate
    bool surrounds;            // there are loose sheets, which together may surround a volume
};

static inline const AbutMesh* abut_sign_classifier_mesh(const AbutSignClassifier* classifier)
{
    return classifier->half_edges.mesh;
}

/// The winding number beside a point of triangle `skip`: that of the other triangles, plus `beside`, ½ or −½,
/// for the triangle itself.
double abut_sign_classifier_winding_beside(const AbutSignClassifier* classifier, AbutDVec3 point,
                                           uint32_t skip, double beside);

/// The number that is over ½ for points inside, given the winding number of the surface.
double abut_sign_classifier_effective_winding(const AbutSignClassifier* classifier, AbutDVec3 point,
                                              double number);

#endif
