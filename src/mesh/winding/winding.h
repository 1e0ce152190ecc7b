/// @file winding.h
/// The generalised winding number: the part of a full view that the surface takes up seen from a point, faces
/// seen from behind counting positive and faces seen from the front negative. One inside of a closed surface,
/// zero outside, and something between near holes (A. Jacobson, L. Kavan, O. Sorkine-Hornung, "Robust
/// inside-outside segmentation using generalized winding numbers", 2013).
///
/// Triangles near the point are summed one by one in double. Distant ones are summed per node of a box tree
/// by two terms of their expansion about its centre, as proposed by G. Barill et al., "Fast winding numbers
/// for soups and clouds" (2018), but with a bound for what the rest of the expansion can add, which decides
/// how far is distant.
#ifndef ABUT_MESH_WINDING_WINDING_H
#define ABUT_MESH_WINDING_WINDING_H

#include "mesh/box_tree.h"
#include "mesh/mesh.h"

/// What the terms that are left out may add, in parts of the solid angle that the triangles would fill face
/// on.
#define ABUT_WINDING_ERROR 0.2

/// So many sizes of the mesh away it is a dot, and powers of the distance no longer fit a float.
#define ABUT_WINDING_VANISHING 1e9

/// All that lies below a node of the box tree, seen from afar; one cache line. Lengths are in units of the
/// whole mesh.
typedef struct AbutWindingNode
{
    float center[3];
    float far_radius; // from here on the expansion is good enough
    float normal[3];  // ∫ n dA / 4π
    float area;       // ∫ dA / 4π
    // xx, yy, yz, zx, xy of ∫ (s·n − 3 s nᵀ) dA / 4π, symmetric, with s from the centre; it has no trace
    float second[5];
    float spread;  // ∫ |s|² dA / 4π
    float radius;  // of a ball about the centre that holds all
    uint32_t size; // as in the box tree
} AbutWindingNode;

typedef struct AbutWinding
{
    const AbutMesh* mesh;
    const AbutBoxTree* tree;
    const uint8_t* flipped; // by triangle: not zero where it counts the other way round; NULL for none
    AbutWindingNode* nodes;
    double origin[3];
    double scale; // to units of the mesh; a power of two
} AbutWinding;

/// The tree holds the triangles of the mesh. All that is handed in must outlive the winding.
AbutResult abut_winding_create(const AbutHost* host, const AbutMesh* mesh, const AbutBoxTree* tree,
                               const uint8_t* flipped, AbutWinding* out);

/// Computes the nodes anew after `flipped` has changed.
void abut_winding_update(const AbutHost* host, AbutWinding* winding);

/// Gives the memory back to the host it came from. A zeroed winding is ignored.
void abut_winding_destroy(const AbutHost* host, AbutWinding* winding);

typedef struct AbutWindingValue
{
    double number;
    double error; // at most, apart from rounding
} AbutWindingValue;

#define ABUT_WINDING_NO_SKIP UINT32_MAX

/// The winding number of a point without triangle `skip`. A tightness of k ≥ 1 opens nodes at k times the
/// distance, which makes the error at least k² times smaller.
AbutWindingValue abut_winding_at(const AbutWinding* winding, const double point[3], double tightness,
                                 uint32_t skip);

/// The winding number to ±`error`.
AbutWindingValue abut_winding_to(const AbutWinding* winding, const double point[3], double error);

/// A bound of the magnitude of the winding number within `radius` of a point; infinite when it is over
/// `limit`.
double abut_winding_bound(const AbutWinding* winding, const double center[3], double radius, double limit);

#endif
