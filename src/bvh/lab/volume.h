/// @file volume.h
/// Bounding volumes of the laboratory, one table each. A volume is an array of doubles in the frame of its
/// mesh.
///
/// Tests are conservative: what they call apart has no point in common, with the rounding of volumes, frames
/// and moved corners counted in the slack of the frame.
#ifndef ABUT_BVH_LAB_VOLUME_H
#define ABUT_BVH_LAB_VOLUME_H

#include <abut/bvh.h>

#include "math/transform.h"
#include "mesh/triangle/touch.h"

enum
{
    ABUT_DOP_MAX_HALF = 13, ///< pairs of opposite directions of a k-DOP
};

/// A triangle in the order of leaves.
typedef struct AbutBvhItem
{
    AbutVec3 corners[3];
    uint32_t triangle;
} AbutBvhItem;

/// A direction as a sum of three directions of a k-DOP with weights ≥ 0: the extent of the k-DOP along it is
/// at most the sum of its extents along these.
typedef struct AbutDopCone
{
    uint32_t index[3];
    uint32_t opposite[3];
    double weight[3];
} AbutDopCone;

/// Directions of one k-DOP in the frame of the other.
typedef struct AbutDopView
{
    AbutDopCone cones[ABUT_DOP_MAX_HALF];
    double offset[ABUT_DOP_MAX_HALF]; // of the other's origin along the direction
} AbutDopView;

/// Two trees of a query.
typedef struct AbutBvhFrame
{
    AbutTransform transform; // of B in A
    double radius;           // rounding of a moved corner's coordinates; 0 where nothing moves
    double slack;            // of all tests, in the unit of A
    AbutDopView b_in_a, a_in_b;
} AbutBvhFrame;

typedef struct AbutVolumeTable
{
    const char* name;
    uint32_t size; // doubles
    uint32_t half; // of k-DOPs: pairs of directions

    /// The volume of `count` ≥ 1 triangles.
    void (*fit)(uint32_t half, const AbutBvhItem* items, uint32_t count, double* out);

    /// A volume of `count` ≥ 1 volumes one after the other. Oriented boxes keep the axes that `out` has.
    void (*merge)(uint32_t half, const double* children, uint32_t count, double* out);

    /// What tests need of the frame, from its transform; NULL for nothing.
    void (*prepare)(uint32_t half, AbutBvhFrame* frame);

    /// Depth of the overlap along the axes that are tested; under −slack for volumes that are apart.
    double (*overlap)(uint32_t half, const AbutBvhFrame* frame, const double* a, const double* b);

    /// Whether a triangle in the frame of the volume is apart from it by more than the slack.
    bool (*is_apart)(uint32_t half, const double* volume, const AbutDTriangle* triangle, double slack);

    double (*area)(uint32_t half, const double* volume); // half of the surface's, or of that of its box
} AbutVolumeTable;

extern const AbutVolumeTable abut_bvh_box, abut_bvh_oriented_box, abut_bvh_sphere, abut_bvh_dop_14,
    abut_bvh_dop_18, abut_bvh_dop_26;

const AbutVolumeTable* abut_bvh_volume_table(AbutBvhVolume volume);

/// Axes of largest to smallest extent of the triangles' areas: perpendicular, of length 1.
AbutDMat3 abut_bvh_principal_axes(const AbutBvhItem* items, uint32_t count);

#endif
