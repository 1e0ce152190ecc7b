// Quaternions, boxes and poses against matrices in double, written from the definitions.
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct Matrix
{
    double m[3][3];
} Matrix;

/// Rodrigues' formula.
static Matrix rotation_matrix(const double axis[3], double angle)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
    double c = cos(angle), s = sin(angle), t = 1.0 - c;
    return (Matrix){ { { c + x * x * t, x * y * t - z * s, x * z * t + y * s },
                       { y * x * t + z * s, c + y * y * t, y * z * t - x * s },
                       { z * x * t - y * s, z * y * t + x * s, c + z * z * t } } };
}

static Matrix product(const Matrix* a, const Matrix* b)
{
    Matrix r;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return r;
}

static Matrix matrix_of(AbutQuat q)
{
    Matrix r;
    abut_quat_to_matrix(q, r.m);
    return r;
}

static void assert_matrices_near(const Matrix* a, const Matrix* b, double tolerance)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            test_assert_near(a->m[i][j], b->m[i][j], tolerance);
        }
    }
}

static double squared_length(AbutQuat q)
{
    return (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
}

// -----------------------------------------------------------------------------------------------------------
// Quaternions
// -----------------------------------------------------------------------------------------------------------

static void test_rotations_follow_rodrigues(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    for (int i = 0; i < 20000; ++i)
    {
        float length = (float)pow(10.0, test_random_range(&random, -20.0, 20.0));
        AbutVec3 axis = abut_vec3_scale(test_random_direction(&random), length);
        float angle = (float)test_random_range(&random, -10.0, 10.0);
        AbutQuat q = abut_quat_from_axis_angle(axis, angle);
        test_assert_near(squared_length(q), 1.0, 3e-7);
        Matrix m = matrix_of(q),
               expected = rotation_matrix((const double[3]){ axis.x, axis.y, axis.z }, angle);
        assert_matrices_near(&m, &expected, 3e-7);
        AbutVec3 v = test_random_point(&random, 2.0), r = abut_quat_rotate(q, v);
        const double exact[3] = { expected.m[0][0] * v.x + expected.m[0][1] * v.y + expected.m[0][2] * v.z,
                                  expected.m[1][0] * v.x + expected.m[1][1] * v.y + expected.m[1][2] * v.z,
                                  expected.m[2][0] * v.x + expected.m[2][1] * v.y + expected.m[2][2] * v.z };
        test_assert_near(r.x, exact[0], 2e-6);
        test_assert_near(r.y, exact[1], 2e-6);
        test_assert_near(r.z, exact[2], 2e-6);
    }
}

static void test_products_rotate_by_the_right_factor_first(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutQuat a = test_random_rotation(&random), b = test_random_rotation(&random);
        Matrix ma = matrix_of(a), mb = matrix_of(b), expected = product(&ma, &mb);
        Matrix m = matrix_of(abut_quat_multiply(a, b));
        assert_matrices_near(&m, &expected, 3e-7);
        AbutQuat same = abut_quat_multiply(a, abut_quat_conjugate(a));
        test_assert_near(fabs((double)same.w), 1.0, 1e-7);
        test_assert_near(same.x, 0.0, 1e-7);
    }
}

static void test_matrices_are_rotations_whatever_the_length(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    const Matrix identity = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (int i = 0; i < 20000; ++i)
    {
        AbutQuat q = test_random_rotation(&random);
        float scale = (float)pow(10.0, test_random_range(&random, -30.0, 30.0));
        AbutQuat scaled = { q.x * scale, q.y * scale, q.z * scale, q.w * scale };
        Matrix m = matrix_of(q), same = matrix_of(scaled), transposed;
        assert_matrices_near(&same, &m, 3e-7);
        for (int k = 0; k < 9; ++k)
        {
            transposed.m[k / 3][k % 3] = same.m[k % 3][k / 3];
        }
        Matrix one = product(&same, &transposed);
        assert_matrices_near(&one, &identity, 1e-14);
    }
}

/// Zeros and ones without dust, or an infinite plane laid on its side would look infinite along all axes.
static void test_quarter_rotations_are_exact(void** state)
{
    (void)state;
    const AbutVec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int quarters = -8; quarters <= 8; ++quarters)
        {
            AbutQuat one = abut_quat_from_axis_angle(axes[axis], 1.57079633f), q = abut_quat_identity();
            for (int i = 0; i < abs(quarters); ++i)
            {
                q = abut_quat_multiply(q, quarters < 0 ? abut_quat_conjugate(one) : one);
            }
            Matrix m = matrix_of(q);
            const double unit[3] = { axis == 0, axis == 1, axis == 2 };
            Matrix expected = rotation_matrix(unit, 1.5707963267948966 * quarters);
            for (int k = 0; k < 9; ++k)
            {
                double entry = m.m[k / 3][k % 3];
                if (entry != round(expected.m[k / 3][k % 3]))
                {
                    fail_msg("%d quarter turns about axis %d: entry %d is %.17g", quarters, axis, k, entry);
                }
            }
        }
    }
}

static void test_quaternions_without_a_direction_are_the_identity(void** state)
{
    (void)state;
    const AbutQuat bad[] = { { 0, 0, 0, 0 },   { -0.0f, 0, -0.0f, 0 }, { NAN, 0, 0, 1 },
                             { 0, 0, 0, NAN }, { INFINITY, 0, 0, 1 },  { 1, -INFINITY, INFINITY, 0 } };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        AbutQuat q = abut_quat_normalize(bad[i]);
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
        q = abut_quat_multiply(bad[i], abut_quat_identity());
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
        Matrix m = matrix_of(bad[i]);
        for (int k = 0; k < 9; ++k)
        {
            assert_true(m.m[k / 3][k % 3] == (k % 4 == 0 ? 1.0 : 0.0));
        }
        AbutPose pose = abut_pose_identity();
        pose.rotation = bad[i];
        assert_false(abut_pose_is_valid(&pose));
    }
    const AbutVec3 no_axis[] = { { 0, 0, 0 }, { NAN, 0, 1 }, { INFINITY, 0, 0 } };
    for (size_t i = 0; i < 3; ++i)
    {
        AbutQuat q = abut_quat_from_axis_angle(no_axis[i], 1.0f);
        assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
    }
    AbutQuat q = abut_quat_from_axis_angle(abut_vec3(0, 1, 0), NAN);
    assert_true(q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 1.0f);
}

static void test_denormal_and_huge_quaternions_keep_their_direction(void** state)
{
    (void)state;
    const float sizes[] = { FLT_TRUE_MIN, FLT_MIN, FLT_MAX };
    for (size_t i = 0; i < 3; ++i)
    {
        float s = sizes[i];
        AbutQuat q = abut_quat_normalize((AbutQuat){ s, -s, s, s });
        assert_true(q.x == 0.5f && q.y == -0.5f && q.z == 0.5f && q.w == 0.5f);
        q = abut_quat_multiply((AbutQuat){ 0, 0, 0, s }, (AbutQuat){ s, -s, s, s });
        assert_true(q.x == 0.5f && q.y == -0.5f && q.z == 0.5f && q.w == 0.5f);
        q = abut_quat_from_axis_angle(abut_vec3(0.0f, s, 0.0f), 3.14159265f);
        test_assert_near(q.y, 1.0, 1e-7);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Poses
// -----------------------------------------------------------------------------------------------------------

static AbutPose random_pose(TestRandom* random, double reach)
{
    AbutPose pose;
    pose.position = test_random_position(random, reach);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)pow(10.0, test_random_range(random, -1.0, 1.0));
    return pose;
}

static void assert_positions_near(AbutPosition a, AbutPosition b, double tolerance)
{
    test_assert_near(a.x, b.x, tolerance);
    test_assert_near(a.y, b.y, tolerance);
    test_assert_near(a.z, b.z, tolerance);
}

static AbutPosition position_of(AbutVec3 v)
{
    return (AbutPosition){ v.x, v.y, v.z };
}

/// By the definition: scale · R · p + position.
static AbutPosition transform_point(const AbutPose* pose, AbutPosition p)
{
    Matrix r = matrix_of(pose->rotation);
    double a = pose->scale;
    return (AbutPosition){ a * (r.m[0][0] * p.x + r.m[0][1] * p.y + r.m[0][2] * p.z) + pose->position.x,
                           a * (r.m[1][0] * p.x + r.m[1][1] * p.y + r.m[1][2] * p.z) + pose->position.y,
                           a * (r.m[2][0] * p.x + r.m[2][1] * p.y + r.m[2][2] * p.z) + pose->position.z };
}

static void test_poses_transform_points_and_take_them_back(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutPose pose = random_pose(&random, 100.0);
        assert_true(abut_pose_is_valid(&pose));
        AbutVec3 p = test_random_point(&random, 10.0);
        AbutPosition outer = abut_pose_transform_point(&pose, p);
        assert_positions_near(outer, transform_point(&pose, position_of(p)), 1e-12 * 300.0);
        assert_positions_near(position_of(abut_pose_inverse_transform_point(&pose, outer)), position_of(p),
                              1e-6);
    }
}

static void test_products_of_poses_apply_the_inner_one_first(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutPose outer = random_pose(&random, 10.0), inner = random_pose(&random, 10.0);
        AbutPose both = abut_pose_multiply(&outer, &inner);
        assert_true(abut_pose_is_valid(&both));
        AbutPosition p = position_of(test_random_point(&random, 1.0));
        // The product has a rotation and a scale of 24 bits.
        assert_positions_near(transform_point(&both, p), transform_point(&outer, transform_point(&inner, p)),
                              1e-6 * 100.0 * 2.0);
        AbutPosition origin = { 0.0, 0.0, 0.0 };
        assert_positions_near(transform_point(&both, origin),
                              transform_point(&outer, transform_point(&inner, origin)), 1e-12);
    }
}

static void test_inverse_undoes_a_pose_from_both_sides(void** state)
{
    (void)state;
    TestRandom random = { 6 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutPose pose = random_pose(&random, 10.0), inverse = abut_pose_inverse(&pose);
        AbutPose left = abut_pose_multiply(&inverse, &pose), right = abut_pose_multiply(&pose, &inverse);
        const AbutPose* both[2] = { &left, &right };
        for (int k = 0; k < 2; ++k)
        {
            // Scale and rotation of the inverse are rounded to 24 bits; positions up to 170 long are turned
            // and scaled by them.
            AbutPosition origin = { 0.0, 0.0, 0.0 };
            assert_positions_near(both[k]->position, origin,
                                  2e-5 * (k == 0 ? 1.0 / (double)pose.scale : 1.0));
            test_assert_near(both[k]->scale, 1.0, 2e-7);
            test_assert_near(fabs((double)both[k]->rotation.w), 1.0, 2e-7);
        }
        AbutPose again = abut_pose_inverse(&inverse);
        assert_positions_near(again.position, pose.position, 3e-6 * 17.0);
    }
}

static void test_relative_poses_are_the_inverse_times_the_other(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutPose a = random_pose(&random, 10.0), b = random_pose(&random, 10.0);
        AbutPose relative = abut_pose_relative(&a, &b);
        AbutPose back = abut_pose_multiply(&a, &relative);
        assert_positions_near(back.position, b.position, 1e-12);
        test_assert_near(back.scale, b.scale, 3e-7 * (double)b.scale);
        Matrix mb = matrix_of(back.rotation), expected = matrix_of(b.rotation);
        assert_matrices_near(&mb, &expected, 5e-7);
        AbutPose self = abut_pose_relative(&a, &a);
        assert_positions_near(self.position, (AbutPosition){ 0.0, 0.0, 0.0 }, 0.0);
        test_assert_near(self.scale, 1.0, 1e-7);
    }
}

static void test_relative_poses_ten_kilometres_away_have_the_bits_of_those_here(void** state)
{
    (void)state;
    TestRandom random = { 8 };
    for (int i = 0; i < 20000; ++i)
    {
        AbutPose a = random_pose(&random, 1.0), b = random_pose(&random, 1.0);
        double* coordinates[6] = { &a.position.x, &a.position.y, &a.position.z,
                                   &b.position.x, &b.position.y, &b.position.z };
        for (int k = 0; k < 6; ++k) // a grid of 2⁻³⁶, so that 10 km can be added without rounding
        {
            *coordinates[k] = round(*coordinates[k] * 0x1p36) * 0x1p-36;
        }
        AbutPose here = abut_pose_relative(&a, &b);
        const double shift[3] = { 10000.0, -7071.0625, 12345.5 };
        for (int k = 0; k < 6; ++k)
        {
            *coordinates[k] += shift[k % 3];
        }
        AbutPose there = abut_pose_relative(&a, &b);
        assert_memory_equal(&here.position, &there.position, sizeof(here.position));
        assert_memory_equal(&here.rotation, &there.rotation, sizeof(here.rotation));
        assert_true(here.scale == there.scale);
        AbutVec3 near_point = test_random_point(&random, 1.0);
        AbutPosition far_point = { (double)near_point.x + shift[0], (double)near_point.y + shift[1],
                                   (double)near_point.z + shift[2] };
        AbutVec3 inner = abut_pose_inverse_transform_point(&a, far_point);
        AbutPosition again = abut_pose_transform_point(&a, inner);
        assert_positions_near(again, far_point, 1e-6);
    }
}

static void test_poses_that_are_not_are_found(void** state)
{
    (void)state;
    AbutPose good = abut_pose_identity();
    assert_true(abut_pose_is_valid(&good));
    const double bad_numbers[] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; ++i)
    {
        AbutPose pose = good;
        pose.position.x = bad_numbers[i];
        assert_false(abut_pose_is_valid(&pose));
        pose = good;
        pose.position.z = bad_numbers[i];
        assert_false(abut_pose_is_valid(&pose));
        pose = good;
        pose.scale = (float)bad_numbers[i];
        assert_false(abut_pose_is_valid(&pose));
    }
    const float bad_scales[] = { 0.0f, -0.0f, -1.0f };
    for (int i = 0; i < 3; ++i)
    {
        AbutPose pose = good;
        pose.scale = bad_scales[i];
        assert_false(abut_pose_is_valid(&pose));
    }
    const float lengths[] = { 0.998f, 1.002f, FLT_MAX, FLT_TRUE_MIN };
    for (int i = 0; i < 4; ++i)
    {
        AbutPose pose = good;
        pose.rotation.w = lengths[i];
        assert_false(abut_pose_is_valid(&pose));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

static bool contains(AbutBox box, AbutPosition p)
{
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
           p.z <= box.max.z;
}

static AbutVec3 corner_of(AbutBox box, int corner)
{
    return abut_vec3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                     corner & 4 ? box.max.z : box.min.z);
}

static AbutBox random_box(TestRandom* random)
{
    double reach = pow(10.0, test_random_range(random, -6.0, 6.0));
    AbutBox box = abut_box_add_point(abut_box_empty(), test_random_point(random, reach));
    return abut_box_add_point(box, test_random_point(random, reach));
}

/// Corners in long double, so that the oracle does not round with the library.
static void corner_long(const AbutPose* pose, AbutVec3 p, long double out[3])
{
    Matrix r = matrix_of(pose->rotation);
    const long double t[3] = { pose->position.x, pose->position.y, pose->position.z };
    for (int i = 0; i < 3; ++i)
    {
        out[i] = (long double)pose->scale * ((long double)r.m[i][0] * p.x + (long double)r.m[i][1] * p.y +
                                             (long double)r.m[i][2] * p.z) +
                 t[i];
    }
}

static void test_posed_boxes_hold_every_corner(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    for (int i = 0; i < 100000; ++i)
    {
        AbutPose pose = random_pose(&random, pow(10.0, test_random_range(&random, -6.0, 7.0)));
        if (i % 3 == 0) // quarter turns and round numbers, where the corners are floats
        {
            pose.rotation = (AbutQuat){ 0.5f, 0.5f, i % 2 == 0 ? 0.5f : -0.5f, 0.5f };
            pose.scale = 3.0f;
        }
        AbutBox box = random_box(&random), posed = abut_pose_transform_box(&pose, box);
        long double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
        for (int corner = 0; corner < 8; ++corner)
        {
            AbutVec3 p = corner_of(box, corner);
            assert_true(contains(posed, abut_pose_transform_point(&pose, p)));
            long double q[3];
            corner_long(&pose, p, q);
            for (int k = 0; k < 3; ++k)
            {
                low[k] = fminl(low[k], q[k]);
                high[k] = fmaxl(high[k], q[k]);
            }
        }
        const float got_low[3] = { posed.min.x, posed.min.y, posed.min.z };
        const float got_high[3] = { posed.max.x, posed.max.y, posed.max.z };
        for (int k = 0; k < 3; ++k)
        {
            assert_true((long double)got_low[k] <= low[k] && (long double)got_high[k] >= high[k]);
            // And not larger than two steps of a float.
            assert_true((long double)nextafterf(nextafterf(got_low[k], INFINITY), INFINITY) >= low[k]);
            assert_true((long double)nextafterf(nextafterf(got_high[k], -INFINITY), -INFINITY) <= high[k]);
        }
    }
}

static void test_posed_boxes_with_infinite_sides_have_no_nan(void** state)
{
    (void)state;
    TestRandom random = { 10 };
    for (int i = 0; i < 100000; ++i)
    {
        AbutPose pose = random_pose(&random, 1e6);
        AbutBox box = random_box(&random), finite = box;
        uint64_t bits = test_random_bits(&random);
        float* sides[6] = { &box.min.x, &box.min.y, &box.min.z, &box.max.x, &box.max.y, &box.max.z };
        for (int k = 0; k < 6; ++k)
        {
            *sides[k] = (bits >> k & 1) != 0 ? (k < 3 ? -INFINITY : INFINITY) : *sides[k];
        }
        if (i % 2 == 0)
        {
            pose.rotation = (AbutQuat){ 0.5f, -0.5f, 0.5f, 0.5f };
        }
        AbutBox posed = abut_pose_transform_box(&pose, box), smaller = abut_pose_transform_box(&pose, finite);
        assert_false(abut_box_is_empty(posed)); // NaN would be empty
        assert_true(posed.min.x <= smaller.min.x && posed.min.y <= smaller.min.y &&
                    posed.min.z <= smaller.min.z);
        assert_true(posed.max.x >= smaller.max.x && posed.max.y >= smaller.max.y &&
                    posed.max.z >= smaller.max.z);
        const AbutVec3 corners[2] = { posed.min, posed.max };
        int infinite = 0, expected = 0;
        for (int k = 0; k < 6; ++k)
        {
            infinite += isinf(k < 3 ? (&corners[0].x)[k] : (&corners[1].x)[k - 3]) != 0;
            expected += (int)(bits >> k & 1);
        }
        // Turned onto other axes, the infinite sides stay as many; turned by any angle, they spread over all
        // three.
        assert_int_equal(i % 2 == 0 ? expected : infinite, infinite);
    }
    AbutPose quarter = abut_pose_at(1.0, 2.0, 3.0);
    quarter.rotation = abut_quat_from_axis_angle(abut_vec3(1, 0, 0), 1.57079633f);
    AbutBox half_space = abut_box_infinite();
    half_space.max.y = 5.0f;
    AbutBox rotated = abut_pose_transform_box(&quarter, half_space);
    assert_true(rotated.max.z == 8.0f && isinf(rotated.min.z) && isinf(rotated.max.y) &&
                isinf(rotated.min.y));
}

static void test_boxes_too_large_for_floats_become_infinite_outwards(void** state)
{
    (void)state;
    AbutPose pose = abut_pose_at(1e300, -1e300, 0.0);
    pose.scale = 1e30f;
    AbutBox box = abut_pose_transform_box(&pose, abut_box(abut_vec3(-1e30f, -1, -1), abut_vec3(1, 1, 1e30f)));
    assert_true(box.max.x == INFINITY && box.min.x >= FLT_MAX);
    assert_true(box.min.y == -INFINITY && box.max.y <= -FLT_MAX);
    assert_true(box.max.z == INFINITY && box.min.z == -1e30f);
    AbutBox empty = abut_pose_transform_box(&pose, abut_box_empty());
    assert_true(abut_box_is_empty(empty));
}

static void test_box_arithmetic_treats_empty_and_infinite_boxes(void** state)
{
    (void)state;
    AbutBox unit = abut_box(abut_vec3(0, 0, 0), abut_vec3(1, 1, 1));
    AbutBox empty = abut_box_empty(), all = abut_box_infinite();
    AbutBox joined = abut_box_union(empty, unit), cut = abut_box_intersection(all, unit);
    assert_memory_equal(&joined, &unit, sizeof(unit));
    assert_memory_equal(&cut, &unit, sizeof(unit));
    assert_true(abut_box_is_empty(empty) && !abut_box_is_empty(unit) && !abut_box_is_empty(all));
    assert_true(abut_box_is_empty(abut_box_intersection(empty, unit)));
    assert_false(abut_box_is_finite(all));
    assert_true(abut_box_overlap(unit, all) && !abut_box_overlap(unit, empty));
    AbutBox touching = abut_box(abut_vec3(1, 0, 0), abut_vec3(2, 1, 1));
    assert_true(abut_box_overlap(unit, touching) && abut_box_overlap(touching, unit));
    AbutBox apart = abut_box(abut_vec3(nextafterf(1.0f, 2.0f), 0, 0), abut_vec3(2, 1, 1));
    assert_false(abut_box_overlap(unit, apart) || abut_box_overlap(apart, unit));
    assert_true(abut_box_is_empty(abut_box(abut_vec3(NAN, 0, 0), abut_vec3(1, 1, 1))));
    AbutBox grown = abut_box_expand(all, 1.0f);
    assert_memory_equal(&grown, &all, sizeof(all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotations_follow_rodrigues),
        cmocka_unit_test(test_products_rotate_by_the_right_factor_first),
        cmocka_unit_test(test_matrices_are_rotations_whatever_the_length),
        cmocka_unit_test(test_quarter_rotations_are_exact),
        cmocka_unit_test(test_quaternions_without_a_direction_are_the_identity),
        cmocka_unit_test(test_denormal_and_huge_quaternions_keep_their_direction),
        cmocka_unit_test(test_poses_transform_points_and_take_them_back),
        cmocka_unit_test(test_products_of_poses_apply_the_inner_one_first),
        cmocka_unit_test(test_inverse_undoes_a_pose_from_both_sides),
        cmocka_unit_test(test_relative_poses_are_the_inverse_times_the_other),
        cmocka_unit_test(test_relative_poses_ten_kilometres_away_have_the_bits_of_those_here),
        cmocka_unit_test(test_poses_that_are_not_are_found),
        cmocka_unit_test(test_posed_boxes_hold_every_corner),
        cmocka_unit_test(test_posed_boxes_with_infinite_sides_have_no_nan),
        cmocka_unit_test(test_boxes_too_large_for_floats_become_infinite_outwards),
        cmocka_unit_test(test_box_arithmetic_treats_empty_and_infinite_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
