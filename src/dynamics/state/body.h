/// @file body.h
/// A rigid body: mass, pose, velocity, and the bounds of its motion in a step.
#ifndef ABUT_DYNAMICS_STATE_BODY_H
#define ABUT_DYNAMICS_STATE_BODY_H

#include <abut/dynamics.h>

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
    double center[3];        // centre of mass, in the shape's frame
    double inverse_mass;
    double axis_inverse_mass[3];                 // inverse mass along each world axis; 0 for a locked axis
    double inertia[3][3], inverse_inertia[3][3]; // about the centre of mass, in the shape's axes

    double position[3]; // centre of mass, in the world
    double rotation[4]; // x, y, z, w
    double velocity[3], angular_velocity[3];
    double force[3], torque[3];         // accumulated for the next step
    double world_inverse_inertia[3][3]; // in the world's axes
    double matrix[3][3];                // the rotation

    // Motion of the pass. Displacements of points are upper bounds over the body.
    double start[3], start_rotation[4];  // pose at the start of the pass
    double travel;                       // displacement bound at the present velocity, without gravity
    double rotation_travel;              // the share of rotation and applied forces in it
    double predicted_position[3];        // predicted pose: the pose of contact detection
    double predicted_rotation[4];        // ...
    double predicted_rotation_vector[3]; // from the start rotation to the predicted one
    double remaining_rotation_travel;    // rotation_travel from the predicted pose to the end of the pass
    double fraction;                     // of the motion of the pass, after clamping (ccd/clamp.h)
    double rotation_vector[3];           // of the motion of the pass, in the world
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
void abut_body_matrix(const double rotation[4], double matrix[3][3]);

/// Inverse of a symmetric matrix.
void abut_matrix_invert(double m[3][3], double out[3][3]);

/// Rotation matrix and inverse inertia in the world's axes from the rotation; locked axes respected.
void abut_body_refresh(AbutBody* body);

/// The pose of the shape's frame, for the present or another position and rotation of the centre of mass.
AbutPose abut_body_pose(const AbutBody* body);
AbutPose abut_body_pose_at(const AbutBody* body, const double position[3], const double rotation[4]);

/// Position, rotation and all that depends on them from the pose of the shape's frame.
void abut_body_set_transform(AbutBody* body, const AbutPose* pose);

#endif
