/// @file features.h (internal)
/// Feet of perpendiculars on a terrain: local minima of the distance from a point or a segment, for closed
/// forms of balls and capsules.
///
/// A face has a foot where the perpendicular from the point meets it. An edge or corner has one where it is
/// the closest feature of all triangles around it. The closest foot is always among those found.
#ifndef ABUT_SHAPE_TERRAIN_FEATURES_H
#define ABUT_SHAPE_TERRAIN_FEATURES_H

#include "shape/terrain/heightfield.h"

enum
{
    ABUT_TERRAIN_FEET = 64
};

/// Points are relative to the origin of the heightfield.
typedef struct AbutTerrainFoot
{
    AbutDVec3 at;     // on the surface
    AbutDVec3 from;   // the point, or the point of the segment
    AbutDVec3 normal; // unit, out of the solid
    double distance;  // negative inside of the solid
    uint64_t id;      // of the feature
} AbutTerrainFoot;

/// The closest feature of a point, at any distance.
AbutTerrainFoot abut_terrain_nearest(const AbutHeightfield* self, AbutDVec3 p);

/// A lower bound of the distance of a point outside of the solid; under 0 inside.
double abut_terrain_bound(const AbutHeightfield* self, AbutDVec3 p);

/// Feet of a point within `radius`, in the order of ids; at most ABUT_TERRAIN_FEET, of more the closest.
/// Inside of the solid only the closest feature. *missing: heights around it could not be loaded. Returns
/// their count.
uint32_t abut_terrain_point_feet(const AbutHeightfield* self, AbutDVec3 p, double radius,
                                 AbutTerrainFoot feet[ABUT_TERRAIN_FEET], bool* missing);

/// The same for a segment: feet of its ends, of its points nearest to edges and corners, and of the middles
/// of its intervals inside of the solid.
uint32_t abut_terrain_segment_feet(const AbutHeightfield* self, AbutDVec3 a, AbutDVec3 b, double radius,
                                   AbutTerrainFoot feet[ABUT_TERRAIN_FEET], bool* missing);

#endif
