/// @file solid_angle.h
/// The solid angles of triangles seen from the origin, eight at a time.
#ifndef ABUT_MESH_WINDING_SOLID_ANGLE_H
#define ABUT_MESH_WINDING_SOLID_ANGLE_H

enum
{
    ABUT_SOLID_ANGLE_LANES = 8
};

typedef struct AbutSolidAngles
{
    double corners[3][3][ABUT_SOLID_ANGLE_LANES]; // [corner][axis][triangle]
    double sign[ABUT_SOLID_ANGLE_LANES];          // 1, −1 for reversed triangles, 0 for none
} AbutSolidAngles;

/// The sum of the signed solid angles over 4π: positive for a triangle that runs clockwise seen from the
/// origin. Exact to 1e-10 per triangle. Uses nothing but + − · / √, so that it is the same number on every
/// machine.
double abut_solid_angle_sum(const AbutSolidAngles* triangles);

/// Adds each solid angle to its own sum.
void abut_solid_angles_add(const AbutSolidAngles* triangles, double sums[ABUT_SOLID_ANGLE_LANES]);

#endif
