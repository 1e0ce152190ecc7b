/// @file classifier.h (internal to the signs)
/// What a signer keeps, and the stages that fill it.
#ifndef ABUT_BAKE_SIGN_CLASSIFIER_H
#define ABUT_BAKE_SIGN_CLASSIFIER_H

#include "bake/sign/sign.h"
#include "mesh/pseudo_normal.h"
#include "mesh/winding/regions.h"
#include "mesh/winding/winding.h"

/// What is known of a triangle.
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
    AbutPseudoNormals normals; // `regular` is cleared for vertices with a triangle whose sides are unknown
    AbutWinding winding;
    uint8_t* sides;            // by triangle, see above
    uint8_t* flipped;          // by triangle: 1 where it is taken the other way round; NULL when none is
    double largest_coordinate; // largest coordinate
    bool surrounds;            // there are loose sheets, which may surround something together
};

static inline const AbutMesh* abut_sign_classifier_mesh(const AbutSignClassifier* classifier)
{
    return classifier->half_edges.mesh;
}

/// The winding number beside a point of triangle `skip`: that of all others, and ½ or −½ for the triangle
/// itself, which is `beside`.
double abut_sign_classifier_winding_beside(const AbutSignClassifier* classifier, const double point[3],
                                           uint32_t skip, double beside);

/// The number whose being over ½ makes a point an inner one, given its winding number.
double abut_sign_classifier_effective_winding(const AbutSignClassifier* classifier, const double point[3],
                                              double number);

#endif
