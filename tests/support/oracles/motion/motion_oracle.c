#include "support/oracles/motion/motion_oracle.h"

#include <math.h>

static void quaternion_matrix(AbutQuat q, double m[3][3])
{
    double x = q.x, y = q.y, z = q.z, w = q.w, n = 2.0 / (x * x + y * y + z * z + w * w);
    double rows[3][3] = { { 1.0 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w) },
                          { n * (x * y + z * w), 1.0 - n * (x * x + z * z), n * (y * z - x * w) },
                          { n * (x * z - y * w), n * (y * z + x * w), 1.0 - n * (x * x + y * y) } };
    for (int i = 0; i < 9; ++i)
    {
        m[i / 3][i % 3] = rows[i / 3][i % 3];
    }
}

/// exp of the cross-product matrix of v.
static void rotation_matrix(const double v[3], double m[3][3])
{
    double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double s = angle > 1e-12 ? sin(angle) / angle : 1.0;
    double c = angle > 1e-12 ? (1.0 - cos(angle)) / (angle * angle) : 0.5;
    double k[3][3] = { { 0.0, -v[2], v[1] }, { v[2], 0.0, -v[0] }, { -v[1], v[0], 0.0 } };
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            double square = k[i][0] * k[0][j] + k[i][1] * k[1][j] + k[i][2] * k[2][j];
            m[i][j] = (i == j ? 1.0 : 0.0) + s * k[i][j] + c * square;
        }
    }
}

TestTransform test_transform_at(const AbutPose* pose, const AbutMotion* motion, double time)
{
    double start[3][3], rotation[3][3];
    const double v[3] = { time * (double)motion->angular.x, time * (double)motion->angular.y,
                          time * (double)motion->angular.z };
    const double linear[3] = { motion->linear.x, motion->linear.y, motion->linear.z };
    const double center[3] = { motion->center.x, motion->center.y, motion->center.z };
    const double position[3] = { pose->position.x, pose->position.y, pose->position.z };
    TestTransform transform = { .scale = pose->scale };
    quaternion_matrix(pose->rotation, start);
    rotation_matrix(v, rotation);
    for (int i = 0; i < 3; ++i)
    {
        double moved = position[i] + time * linear[i];
        for (int j = 0; j < 3; ++j)
        {
            transform.rotation[i][j] =
                rotation[i][0] * start[0][j] + rotation[i][1] * start[1][j] + rotation[i][2] * start[2][j];
            moved += transform.scale * (start[i][j] - transform.rotation[i][j]) * center[j];
        }
        transform.position[i] = moved;
    }
    return transform;
}

void test_transform_to_world(const TestTransform* transform, const double local[3], double outer[3])
{
    for (int i = 0; i < 3; ++i)
    {
        const double* r = transform->rotation[i];
        outer[i] =
            transform->position[i] + transform->scale * (r[0] * local[0] + r[1] * local[1] + r[2] * local[2]);
    }
}

void test_transform_to_local(const TestTransform* transform, const double outer[3], double local[3])
{
    const double d[3] = { outer[0] - transform->position[0], outer[1] - transform->position[1],
                          outer[2] - transform->position[2] };
    for (int i = 0; i < 3; ++i)
    {
        local[i] = (transform->rotation[0][i] * d[0] + transform->rotation[1][i] * d[1] +
                    transform->rotation[2][i] * d[2]) /
                   transform->scale;
    }
}

bool test_moving_points(const AbutToiInput* input, int side, TestMovingPoints* out)
{
    const AbutPointSet* points = side == 0 ? input->points_a : input->points_b;
    if (points == NULL)
    {
        return false;
    }
    *out = (TestMovingPoints){ input, side, side == 0 ? input->shape_b : input->shape_a,
                               abut_points_data(points) };
    return true;
}

/// Where the body of the points and that of the shape stand.
static void two_transforms(const TestMovingPoints* moving, double time, TestTransform* of_points,
                           TestTransform* of_shape)
{
    const AbutToiInput* input = moving->input;
    TestTransform a = test_transform_at(&input->pose_a, &input->motion_a, time);
    TestTransform b = test_transform_at(&input->pose_b, &input->motion_b, time);
    *of_points = moving->side == 0 ? a : b;
    *of_shape = moving->side == 0 ? b : a;
}

static void locate_point(const TestMovingPoints* moving, uint32_t point, const TestTransform* of_points,
                         const TestTransform* of_shape, double out[3])
{
    AbutPoints p = moving->points.positions;
    const double local[3] = { p.x[point], p.y[point], p.z[point] };
    double outer[3];
    test_transform_to_world(of_points, local, outer);
    test_transform_to_local(of_shape, outer, out);
}

static void straight_point(const TestMovingPoints* moving, uint32_t point, double time, double out[3])
{
    TestTransform of_points, of_shape;
    double ends[2][3];
    for (int end = 0; end < 2; ++end)
    {
        two_transforms(moving, end, &of_points, &of_shape);
        locate_point(moving, point, &of_points, &of_shape, ends[end]);
    }
    for (int i = 0; i < 3; ++i)
    {
        out[i] = ends[0][i] + time * (ends[1][i] - ends[0][i]);
    }
}

void test_moving_point_at(const TestMovingPoints* moving, uint32_t point, double time, double out[3])
{
    TestTransform of_points, of_shape;
    if (moving->input->settings.linear)
    {
        straight_point(moving, point, time, out);
        return;
    }
    two_transforms(moving, time, &of_points, &of_shape);
    locate_point(moving, point, &of_points, &of_shape, out);
}

double test_moving_point_distance(const TestMovingPoints* moving, uint32_t point, double time)
{
    double at[3];
    test_moving_point_at(moving, point, time, at);
    return abut_shape_distance(moving->shape, abut_vec3((float)at[0], (float)at[1], (float)at[2]), NULL);
}

double test_moving_points_least(const TestMovingPoints* moving, double time, uint32_t* point)
{
    enum
    {
        BATCH = 256
    };
    static float x[BATCH], y[BATCH], z[BATCH], distance[BATCH];
    TestTransform of_points, of_shape;
    double least = INFINITY;
    two_transforms(moving, time, &of_points, &of_shape);
    for (uint32_t first = 0; first < moving->points.count; first += BATCH)
    {
        uint32_t count = moving->points.count - first < BATCH ? moving->points.count - first : BATCH;
        for (uint32_t i = 0; i < count; ++i)
        {
            double at[3];
            if (moving->input->settings.linear)
            {
                straight_point(moving, first + i, time, at);
            }
            else
            {
                locate_point(moving, first + i, &of_points, &of_shape, at);
            }
            x[i] = (float)at[0];
            y[i] = (float)at[1];
            z[i] = (float)at[2];
        }
        abut_shape_sample(moving->shape, NULL, (AbutPoints){ x, y, z }, count,
                          (AbutSamples){ .distance = distance });
        for (uint32_t i = 0; i < count; ++i)
        {
            if (distance[i] < least)
            {
                least = distance[i];
                *point = first + i;
            }
        }
    }
    return least;
}

AbutMotion test_random_motion(TestRandom* random, double distance, double angle)
{
    AbutMotion motion;
    motion.linear = test_random_point(random, distance);
    motion.angular = test_random_vector(random, 0.0, angle);
    motion.center = test_random_point(random, 0.5);
    return motion;
}
