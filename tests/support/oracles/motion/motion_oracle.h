/// @file motion_oracle.h
/// Moving bodies in double by the C library's sine and cosine: what sweeps are judged by.
#ifndef ABUT_TEST_MOTION_ORACLE_H
#define ABUT_TEST_MOTION_ORACLE_H

#include "support/support.h"

#include <abut/toi.h>

/// Where a body stands at a time.
typedef struct TestTransform
{
    double rotation[3][3];
    double position[3];
    double scale;
} TestTransform;

TestTransform test_transform_at(const AbutPose* pose, const AbutMotion* motion, double time);
void test_transform_to_world(const TestTransform* transform, const double local[3], double outer[3]);
void test_transform_to_local(const TestTransform* transform, const double outer[3], double local[3]);

/// Points of one body in the frame of the other's shape: side 0 has points_a against shape_b.
typedef struct TestMovingPoints
{
    const AbutToiInput* input;
    int side;
    const AbutShape* shape;
    AbutPointData points;
} TestMovingPoints;

/// False when that side has no points.
bool test_moving_points(const AbutToiInput* input, int side, TestMovingPoints* out);

/// Place of a point in the shape's frame at a time; on the straight line where the settings say so.
void test_moving_point_at(const TestMovingPoints* moving, uint32_t point, double time, double out[3]);

/// What the shape answers there.
double test_moving_point_distance(const TestMovingPoints* moving, uint32_t point, double time);

/// The least distance of all points at a time, and whose it is.
double test_moving_points_least(const TestMovingPoints* moving, double time, uint32_t* point);

/// A motion by up to `distance` per axis that turns by up to `angle`.
AbutMotion test_random_motion(TestRandom* random, double distance, double angle);

#endif
