/// @file winding.h
/// The generalised winding number: the fraction of the full solid angle that the surface covers seen from a
/// point, faces seen from behind positive and faces seen from the front negative. One inside of a closed
/// surface, zero outside, and fractions close to holes (A. Jacobson, L. Kavan, O. Sorkine-Hornung, "Robust
/// inside-outside segmentation using generalized winding numbers", 2013).
///
/// Triangles near the point are summed one by one in double. Distant ones are summed per node of a box tree
/// by two terms of their expansion about its centre, as proposed by G. Barill et al., "Fast winding numbers
/// for soups and clouds" (2018), with a bound for the rest of the expansion, which determines from which
/// distance on it is used.
#ifndef ABUT_MESH_WINDING_WINDING_H
#define ABUT_MESH_WINDING_WINDING_H

#include "mesh/box_tree.h"
#include "mesh/mesh.h"

/// Bound of the omitted terms, relative to the solid angle of the triangles seen face on.
#define ABUT_WINDING_ERROR 0.2

/// At so many sizes of the mesh the winding number is zero, and powers of the distance no longer fit a float.
#define ABUT_WINDING_VANISHING 1e9

/// The triangles below a node of the box tree as two terms of an expansion; one cache line. Lengths are in
/// units of the whole mesh.
typedef struct AbutWindingNode
{
    float center[3];
    float far_radius; // distance from which on the expansion is accurate enough
    float normal[3];  // ∫ n dA / 4π
    float area;       // ∫ dA / 4π
    // xx, yy, yz, zx, xy of ∫ (s·n − 3 s nᵀ) dA / 4π, symmetric, with s from the centre; it has no trace
    float second[5];
    float spread;  // ∫ |s|² dA / 4π
    float radius;  // of a ball about the centre that contains the triangles
    uint32_t size; // as in the box tree
} AbutWindingNode;

typedef struct AbutWinding
{
    const AbutMesh* mesh;
    const AbutBoxTree* tree;
    const uint8_t* flipped; // by triangle: not zero where its orientation is reversed; NULL for none
    AbutWindingNode* nodes;
    AbutDVec3 origin;
    double scale; // to units of the mesh; a power of two
} AbutWinding;

/// A point in units of the mesh, from its origin.
static inline AbutDVec3 abut_winding_to_unit(const AbutWinding* winding, AbutDVec3 point)
{
    return abut_dvec3_scale(abut_dvec3_sub(point, winding->origin), winding->scale);
}

/// From a point, in units of the mesh, to the centre of a node.
static inline AbutDVec3 abut_winding_node_offset(const AbutWindingNode* node, AbutDVec3 at)
{
    return abut_dvec3(node->center[0] - at.x, node->center[1] - at.y, node->center[2] - at.z);
}

/// True for a point so far away that the winding number is zero.
static inline bool abut_winding_is_vanishing(const AbutWinding* winding, AbutDVec3 point)
{
    AbutDVec3 at = abut_dvec3_abs(abut_winding_to_unit(winding, point));
    return at.x > ABUT_WINDING_VANISHING || at.y > ABUT_WINDING_VANISHING || at.z > ABUT_WINDING_VANISHING;
}

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
AbutWindingValue abut_winding_at(const AbutWinding* winding, AbutDVec3 point, double tightness,
                                 uint32_t skip);

/// The winding number to ±`error`.
AbutWindingValue abut_winding_to(const AbutWinding* winding, AbutDVec3 point, double error);

/// A bound of the magnitude of the winding number within `radius` of a point; infinite when it is over
/// `limit`.
double abut_winding_bound(const AbutWinding* winding, AbutDVec3 center, double radius, double limit);

#endif
