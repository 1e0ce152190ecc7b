/// @file body.h
/// A rigid body: mass, pose, velocity, and the bounds of its motion in a step.
#ifndef ABUT_DYNAMICS_STATE_BODY_H
#define ABUT_DYNAMICS_STATE_BODY_H

#include <abut/dynamics.h>

#include "math/dmat3.h"

/// A rigid body. Double precision: a pile is many small differences of large numbers.
typedef struct AbutBody
{
    uint32_t generation; // odd while the body is alive
    uint32_t broad_id;
    AbutBodyKind kind;
    bool asleep, never_sleeps;
    uint32_t locked; // AbutMotionLock
    AbutShape* shape;
    AbutPointSet* points;      // surface points of the penalty response; may be NULL
    AbutPointSet* core_points; // ccd/core_points.h; may be NULL
    double core_depth;         // least depth of the core points under the surface
    bool is_thin;              // thin walls: its core points block other solids
    AbutMaterial material;
    void* user;
    uint64_t identity; // hash of the constant properties, see snapshot_check.h
    float scale;
    float radius;            // bound of the distance from the centre of mass; infinite for infinite shapes
    double surface_error;    // proved error of the distances of the shape
    double inscribed_radius; // radius of the largest ball inside, approximate
    double core_radius;      // a ball of this radius rolls inside of a convex solid along all of its surface
    AbutDVec3 center;        // centre of mass, in the shape's frame
    double inverse_mass;
    AbutDVec3 axis_inverse_mass;        // inverse mass along each world axis; 0 for a locked axis
    AbutDMat3 inertia, inverse_inertia; // about the centre of mass, in the shape's axes

    AbutDVec3 position; // centre of mass, in the world
    AbutDQuat rotation;
    AbutDVec3 velocity, angular_velocity;
    AbutDVec3 force, torque;         // accumulated for the next step
    AbutDMat3 world_inverse_inertia; // in the world's axes
    AbutDMat3 matrix;                // the rotation

    // Motion of the pass. Displacements of points are upper bounds over the body.
    AbutDVec3 start;                     // pose at the start of the pass
    AbutDQuat start_rotation;            // ...
    double travel;                       // displacement bound at the present velocity, without gravity
    double rotation_travel;              // the share of rotation and applied forces in it
    AbutDVec3 predicted_position;        // predicted pose: the pose of contact detection
    AbutDQuat predicted_rotation;        // ...
    AbutDVec3 predicted_rotation_vector; // from the start rotation to the predicted one
    double remaining_rotation_travel;    // rotation_travel from the predicted pose to the end of the pass
    double pass_travel;                  // displacement bound in the pass, after the solver
    double fraction;                     // of the motion of the pass, after clamping (ccd/clamp.h)
    AbutDVec3 rotation_vector;           // of the motion of the pass, in the world
    bool stuck;                          // no fraction of the motion was free
    bool motion_projected;               // the motion was projected (ccd/project_motion.h)
    bool core_hit;                       // hit by a core point at the end of the motion
    bool contact_free;                   // no contact in this step: exact motion under constant forces
    double sleep_time;                   // seconds below the sleep speed
    bool was_asleep;                     // at the start of the pass
} AbutBody;

static inline bool abut_body_is_alive(const AbutBody* body)
{
    return (body->generation & 1u) != 0;
}

static inline bool abut_body_moves(const AbutBody* body)
{
    return body->kind == ABUT_BODY_DYNAMIC && !body->asleep;
}

/// NULL for an invalid id.
AbutBody* abut_world_body(const AbutWorld* world, AbutBodyId id);

AbutBodyId abut_world_id(const AbutWorld* world, uint32_t index);

/// The rotation of a quaternion as a matrix.
AbutDMat3 abut_body_matrix(AbutDQuat rotation);

/// Inverse of a symmetric matrix.
AbutDMat3 abut_matrix_invert(const AbutDMat3* m);

/// Rotation matrix and inverse inertia in the world's axes from the rotation; locked axes respected.
void abut_body_refresh(AbutBody* body);

/// The pose of the shape's frame, for the present or another position and rotation of the centre of mass.
AbutPose abut_body_pose(const AbutBody* body);
AbutPose abut_body_pose_at(const AbutBody* body, AbutDVec3 position, AbutDQuat rotation);

/// Position, rotation and all that depends on them from the pose of the shape's frame.
void abut_body_set_transform(AbutBody* body, const AbutPose* pose);

#endif
