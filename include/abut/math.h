/// @file math.h
/// Vectors, quaternions, boxes, poses and motions. Right-handed; any length unit, but one.
/// Shapes with an axis have it along y.
#ifndef ABUT_MATH_H
#define ABUT_MATH_H

#include <abut/base.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A point or direction in a body's own frame or in the local frame of a pair.
typedef struct AbutVec3
{
    float x, y, z;
} AbutVec3;

/// A point of the world. Double, so that a terrain of many kilometres and a millimetre screw work together.
typedef struct AbutPosition
{
    double x, y, z;
} AbutPosition;

/// A rotation as a unit quaternion.
typedef struct AbutQuat
{
    float x, y, z, w;
} AbutQuat;

/// An axis-aligned box. Sides may be infinite; it is empty when min > max on any axis.
typedef struct AbutBox
{
    AbutVec3 min, max;
} AbutBox;

/// Position, rotation and scale of a frame: x_outer = scale · rotate(rotation, x_inner) + position. The scale
/// is uniform and positive.
typedef struct AbutPose
{
    AbutPosition position;
    AbutQuat rotation;
    float scale;
} AbutPose;

/// Volume, centre of volume and inertia about that centre for density 1 (multiply by the density for mass and
/// inertia). Inertia is the symmetric tensor ∫ (|r|² I − r rᵀ) dV, row by row.
typedef struct AbutMassData
{
    double volume;
    double center[3];
    double inertia[3][3];
} AbutMassData;

/// n points as three arrays.
typedef struct AbutPoints
{
    const float* x;
    const float* y;
    const float* z;
} AbutPoints;

/// Output arrays for n points. The gradient arrays are all given or all NULL. They may not overlap the
/// points.
typedef struct AbutSamples
{
    float* distance;
    float* gradient_x;
    float* gradient_y;
    float* gradient_z;
} AbutSamples;

// -----------------------------------------------------------------------------------------------------------
// Vectors
// -----------------------------------------------------------------------------------------------------------

static inline AbutVec3 abut_vec3(float x, float y, float z)
{
    AbutVec3 v = { x, y, z };
    return v;
}

static inline AbutVec3 abut_vec3_add(AbutVec3 a, AbutVec3 b)
{
    return abut_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline AbutVec3 abut_vec3_sub(AbutVec3 a, AbutVec3 b)
{
    return abut_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline AbutVec3 abut_vec3_scale(AbutVec3 v, float s)
{
    return abut_vec3(v.x * s, v.y * s, v.z * s);
}

static inline AbutVec3 abut_vec3_min(AbutVec3 a, AbutVec3 b)
{
    return abut_vec3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline AbutVec3 abut_vec3_max(AbutVec3 a, AbutVec3 b)
{
    return abut_vec3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static inline float abut_vec3_dot(AbutVec3 a, AbutVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline AbutVec3 abut_vec3_cross(AbutVec3 a, AbutVec3 b)
{
    return abut_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float abut_vec3_length(AbutVec3 v)
{
    return sqrtf(abut_vec3_dot(v, v));
}

/// True when no component is NaN or infinite.
static inline bool abut_vec3_is_finite(AbutVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// -----------------------------------------------------------------------------------------------------------
// Quaternions
// -----------------------------------------------------------------------------------------------------------

static inline AbutQuat abut_quat_identity(void)
{
    AbutQuat q = { 0.0f, 0.0f, 0.0f, 1.0f };
    return q;
}

static inline AbutQuat abut_quat_conjugate(AbutQuat q)
{
    AbutQuat r = { -q.x, -q.y, -q.z, q.w };
    return r;
}

/// Rotation by `angle` radians about `axis` of any length. The identity when the axis is zero or something is
/// not finite.
ABUT_API AbutQuat abut_quat_from_axis_angle(AbutVec3 axis, float angle);

/// First b, then a. Computed in double and normalised.
ABUT_API AbutQuat abut_quat_multiply(AbutQuat a, AbutQuat b);

/// `q` scaled to unit length; the identity when its length is zero or not finite.
ABUT_API AbutQuat abut_quat_normalize(AbutQuat q);

ABUT_API AbutVec3 abut_quat_rotate(AbutQuat q, AbutVec3 v);

/// The rotation as a matrix, row by row, computed in double; q may be of any length, and the matrix is the
/// identity where abut_quat_normalize() is. Rotations by multiples of 90° about the axes have exact zeros and
/// ones.
ABUT_API void abut_quat_to_matrix(AbutQuat q, double matrix[3][3]);

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

static inline AbutBox abut_box(AbutVec3 min, AbutVec3 max)
{
    AbutBox box = { min, max };
    return box;
}

/// Contains nothing; growing it by a point or box gives that point or box.
static inline AbutBox abut_box_empty(void)
{
    return abut_box(abut_vec3(INFINITY, INFINITY, INFINITY), abut_vec3(-INFINITY, -INFINITY, -INFINITY));
}

/// Contains everything.
static inline AbutBox abut_box_infinite(void)
{
    return abut_box(abut_vec3(-INFINITY, -INFINITY, -INFINITY), abut_vec3(INFINITY, INFINITY, INFINITY));
}

static inline AbutBox abut_box_add_point(AbutBox box, AbutVec3 p)
{
    return abut_box(abut_vec3_min(box.min, p), abut_vec3_max(box.max, p));
}

static inline AbutBox abut_box_union(AbutBox a, AbutBox b)
{
    return abut_box(abut_vec3_min(a.min, b.min), abut_vec3_max(a.max, b.max));
}

static inline AbutBox abut_box_intersection(AbutBox a, AbutBox b)
{
    return abut_box(abut_vec3_max(a.min, b.min), abut_vec3_min(a.max, b.max));
}

static inline bool abut_box_is_empty(AbutBox box)
{
    return !(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
}

static inline bool abut_box_is_finite(AbutBox box)
{
    return abut_vec3_is_finite(box.min) && abut_vec3_is_finite(box.max);
}

/// True when the boxes share a point; touching counts.
static inline bool abut_box_overlap(AbutBox a, AbutBox b)
{
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

static inline AbutVec3 abut_box_extents(AbutBox box)
{
    return abut_vec3_sub(box.max, box.min);
}

/// Grown by `margin` on every side.
static inline AbutBox abut_box_expand(AbutBox box, float margin)
{
    AbutVec3 m = abut_vec3(margin, margin, margin);
    return abut_box(abut_vec3_sub(box.min, m), abut_vec3_add(box.max, m));
}

// -----------------------------------------------------------------------------------------------------------
// Poses
// -----------------------------------------------------------------------------------------------------------

static inline AbutPose abut_pose_identity(void)
{
    AbutPose pose = { { 0.0, 0.0, 0.0 }, { 0.0f, 0.0f, 0.0f, 1.0f }, 1.0f };
    return pose;
}

static inline AbutPose abut_pose_at(double x, double y, double z)
{
    AbutPose pose = { { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f }, 1.0f };
    return pose;
}

/// True when everything is finite, the scale is positive and the quaternion is of unit length within 1e-3.
ABUT_API bool abut_pose_is_valid(const AbutPose* pose);

/// The product of two poses: x → parent(local(x)).
ABUT_API AbutPose abut_pose_multiply(const AbutPose* parent, const AbutPose* local);

ABUT_API AbutPose abut_pose_inverse(const AbutPose* pose);

/// The pose of b as seen from a's frame: inverse(a) · b. The difference of the positions is taken in double
/// before any rounding, so two bodies 10 km from the origin have the same result as at the origin.
ABUT_API AbutPose abut_pose_relative(const AbutPose* a, const AbutPose* b);

/// A point of the inner frame in the outer one.
ABUT_API AbutPosition abut_pose_transform_point(const AbutPose* pose, AbutVec3 point);

/// A point of the outer frame in the inner one.
ABUT_API AbutVec3 abut_pose_inverse_transform_point(const AbutPose* pose, AbutPosition point);

/// A box around the posed `box`, computed in double and rounded outwards. Infinite sides stay where the
/// rotation keeps axes apart and become infinite on all axes that they touch where it does not. An empty box
/// stays as it is.
ABUT_API AbutBox abut_pose_transform_box(const AbutPose* pose, AbutBox box);

// -----------------------------------------------------------------------------------------------------------
// Motions
// -----------------------------------------------------------------------------------------------------------

/// A rigid motion over the step at constant velocities: `center` (a point of the body, in its own frame)
/// moves straight by `linear`, and the body rotates about it by `angular`: a rotation vector (axis times
/// angle in radians), fixed in the frame of the pose. Any angle is allowed, over π too.
typedef struct AbutMotion
{
    AbutVec3 linear;
    AbutVec3 angular;
    AbutVec3 center;
} AbutMotion;

/// At rest.
static inline AbutMotion abut_motion_none(void)
{
    AbutMotion motion = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
    return motion;
}

/// The pose at the fraction `time` of the motion.
ABUT_API AbutPose abut_motion_pose(const AbutPose* start, const AbutMotion* motion, float time);

/// The motion from one pose to another by the smallest rotation, about the frame's origin. The scales must be
/// equal. Within rounding: a motion is in float.
ABUT_API AbutMotion abut_motion_between(const AbutPose* from, const AbutPose* to);

/// Upper bound of the displacement of any point of `box` (in the body's frame) over the step, in the outer
/// frame; infinite for an infinite box that rotates. The growth of boxes for speculative contacts.
ABUT_API float abut_motion_max_displacement(const AbutPose* start, const AbutMotion* motion, AbutBox box);

#ifdef __cplusplus
}
#endif

#endif
