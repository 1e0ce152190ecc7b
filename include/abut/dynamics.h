/// @file dynamics.h
/// Worlds of rigid bodies: gravity and contacts move them, step by step. docs/dynamics.md has more.
///
/// A step predicts where bodies will be, finds the pairs that may meet, finds their contacts, answers them, and moves the
/// bodies on (src/dynamics/step.c reads in this order). The same calls give the same bytes for any number of workers, any
/// instruction set and any compiler.
#ifndef ABUT_DYNAMICS_H
#define ABUT_DYNAMICS_H

#include <abut/base.h>
#include <abut/broad.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/narrow.h>
#include <abut/points.h>
#include <abut/shape.h>
#include <abut/toi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutWorld AbutWorld;

/// A body of a world. Zero is no body; an id of a body that was destroyed is never one again.
typedef struct AbutBodyId
{
    uint32_t index; ///< counted from 1
    uint32_t generation;
} AbutBodyId;

// ---------------------------------------------------------------------------------------------------------------------
// Worlds
// ---------------------------------------------------------------------------------------------------------------------

/// Limits of numbers, so that everything that is computed from them is finite. What is beyond is refused with a message, and steps
/// keep to them: a body that gets to ABUT_POSITION_LIMIT stops there, no force makes one faster than ABUT_SPEED_LIMIT, and dynamic
/// bodies turn by at most 50 radians in a substep. Positions are in double, so a body 10⁷ lengths away moves in steps of 2e-9, one at
/// the limit in steps of 0.125.
#define ABUT_POSITION_LIMIT 1e15     ///< of each coordinate of a body, in lengths
#define ABUT_SPEED_LIMIT 1e12        ///< of velocities along each axis, and of gravity
#define ABUT_ANGULAR_SPEED_LIMIT 1e9 ///< of angular velocities about each axis, in radians per second
#define ABUT_STEP_MIN 1e-9f          ///< seconds of a step
#define ABUT_STEP_MAX 1e6f           ///< seconds of a step

/// How contacts are answered.
typedef enum AbutResponse
{
    ABUT_RESPONSE_IMPULSE, ///< impulses keep contacts from closing: for piles; the default
    ABUT_RESPONSE_PENALTY, ///< springs push points out of solids, integrated over the time that they are inside
    ABUT_RESPONSE_COUNT
} AbutResponse;

/// "impulse", "penalty"; never NULL.
ABUT_API const char* abut_response_name(AbutResponse response);

/// Which force of the springs acts when.
typedef enum AbutPenaltyScheme
{
    /// The mean over the contact intervals of the step, half of it in the step itself and half in the next. Keeps the energy of
    /// elastic contacts for steps of any length; solved by iteration. The default.
    ABUT_PENALTY_BALANCED,
    /// The mean over the contact intervals of the step, all of it in the next (Xu & Barbič as printed). Needs damping.
    ABUT_PENALTY_DELAYED,
    /// The force at the end of the step, in the next: what others do, for comparison.
    ABUT_PENALTY_SAMPLED,
    ABUT_PENALTY_SCHEME_COUNT
} AbutPenaltyScheme;

/// "balanced", "delayed", "sampled"; never NULL.
ABUT_API const char* abut_penalty_scheme_name(AbutPenaltyScheme scheme);

/// Of ABUT_RESPONSE_PENALTY. docs/penalty.md derives the schemes and the automatic stiffness.
typedef struct AbutPenaltySettings
{
    AbutPenaltyScheme scheme;
    uint32_t
        midpoint_count; ///< samples per contact interval where the depth is not linear; default 20, up to 64
    /// Automatic stiffness lets a point sink in by this under the weight of the body, if the step allows. 0, the default: 0.01 of
    /// the radius of the smaller body.
    float depth;
    uint32_t point_count;     ///< about so many for bodies that bring none; default 1024, from 1 to 2²⁰
    float point_spacing;      ///< as AbutPointsDef, instead of point_count; default 0
    uint32_t iteration_limit; ///< of the balanced scheme; default 24, from 1 to 1000
} AbutPenaltySettings;

typedef struct AbutWorldDef
{
    AbutVec3 gravity; ///< default (0, −9.81, 0); at most ABUT_SPEED_LIMIT along each axis
    AbutResponse response;
    AbutPenaltySettings penalty;
    /// Substeps of a step: each moves and solves; contacts are found once (impulse) or in each (penalty). Default 4.
    /// Impulse: steps in which bodies move far have twice as many, and find contacts up to that often. Steps that are long for small bodies,
    /// gravity · step² over their radius, are divided into up to 64 parts.
    uint32_t substep_count;
    /// A body slower than this everywhere for half a second may sleep: in parts of √(0.4 · gravity · radius), so that rest does not depend
    /// on the unit of length (docs/dynamics.md). 0: never; default 0.05.
    float sleep_speed;
    /// Contacts are found across gaps of up to this and what the two bodies may move in the step. 0, the default: a hundredth of the size of
    /// each dynamic body of a pair.
    float margin;
    float
        contact_frequency; ///< in Hz, of the springs that push overlaps out; default 90, at most half the substep rate
    float contact_damping_ratio; ///< ratio, 1 is critical; default 10
    float
        max_depenetration_speed; ///< overlaps part no faster than this, as sleep_speed, of the smaller body; default 0.45
    uint32_t contacts_per_pair; ///< that are solved; default 16, from 1 to 64
    uint32_t body_limit;        ///< more bodies are ABUT_LIMIT_EXCEEDED; default 2²⁰
    AbutBroadMethod broad;
    /// Of all pairs. The world has its own `margin`, `pair_margin` and `pair_spacing`.
    AbutSpeculativeSettings speculative;
    const AbutHost* host; ///< memory and workers; a simulation takes AbutWorkers
} AbutWorldDef;

ABUT_API AbutWorldDef abut_world_def(void);
ABUT_API AbutResult abut_world_create(const AbutWorldDef* def, AbutWorld** out);

/// NULL is ignored.
ABUT_API void abut_world_destroy(AbutWorld* world);

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

typedef enum AbutBodyKind
{
    ABUT_BODY_STATIC,    ///< never moves; of infinite mass
    ABUT_BODY_KINEMATIC, ///< moves as its velocities say, whatever it meets
    ABUT_BODY_DYNAMIC,   ///< moves as forces and contacts make it
    ABUT_BODY_KIND_COUNT
} AbutBodyKind;

/// "static", "kinematic", "dynamic"; never NULL.
ABUT_API const char* abut_body_kind_name(AbutBodyKind kind);

/// How a surface touches. Of two, friction and rolling are the geometric mean, and restitution the larger.
typedef struct AbutMaterial
{
    float friction;    ///< Coulomb; ≥ 0; default 0.6
    float restitution; ///< part of the speed that comes back, 0 to 1; default 0
    /// Rolling resistance of the impulse response: a torque against rolling of up to this part of the load times the distance of the contact from
    /// the centre of mass. ≥ 0; default 0.01: what rolls or rocks comes to rest.
    float rolling_resistance;
    /// Of the penalty response: force per depth of a point. 0, the default: chosen from mass, step and AbutPenaltySettings.depth.
    /// Of two that are given the geometric mean counts, else the one that is given; damping alike.
    float stiffness;
    /// Of the penalty response: force per speed of a point along the normal. 0, the default: what leads to the restitution.
    float damping;
} AbutMaterial;

/// Axes of the world that a dynamic body does not move along or turn about, whatever pushes it: a gear on its axle has all but one.
typedef enum AbutMotionLock
{
    ABUT_LOCK_LINEAR_X = 1,
    ABUT_LOCK_LINEAR_Y = 2,
    ABUT_LOCK_LINEAR_Z = 4,
    ABUT_LOCK_ANGULAR_X = 8,
    ABUT_LOCK_ANGULAR_Y = 16,
    ABUT_LOCK_ANGULAR_Z = 32,
    ABUT_LOCK_LINEAR = 7,
    ABUT_LOCK_ANGULAR = 56
} AbutMotionLock;

typedef struct AbutBodyDef
{
    AbutShape* shape; ///< the world becomes an owner
    /// Penalty: points of the surface, in the shape's frame, which are pushed out of other solids; the world becomes an owner.
    /// NULL: sampled from the shape, once for all bodies with the same; shapes without end have none.
    AbutPointSet* points;
    AbutBodyKind kind;
    /// Of the shape's frame in the world. The rotation is normalised to float: AbutBodyState.pose is what all answers are about.
    AbutPose pose;
    AbutVec3 linear_velocity;  ///< of the centre of mass
    AbutVec3 angular_velocity; ///< radians per second, world axes
    float density;             ///< > 0; default 1000
    float mass;                ///< > 0: instead of what the density gives; 0: by density
    AbutMaterial material;
    uint32_t group,
        mask; ///< two bodies meet when each one's group has a bit in common with the other's mask; all bits
    uint32_t locked; ///< of dynamic bodies: AbutMotionLock, added up; default 0
    bool never_sleeps;
    void* user;
} AbutBodyDef;

/// A dynamic body at the origin, at rest.
ABUT_API AbutBodyDef abut_body_def(void);

/// @return ABUT_INVALID_ARGUMENT for numbers that are not finite or beyond the limits above, a scale that is not from 1e-12 to 1e12, a
/// dynamic body without volume or end, a kind that is none;
/// ABUT_LIMIT_EXCEEDED past the world's limit.
ABUT_API AbutResult abut_body_create(AbutWorld* world, const AbutBodyDef* def, AbutBodyId* out);

/// Wakes all that touched it. An id that is no body's is ignored.
ABUT_API void abut_body_destroy(AbutWorld* world, AbutBodyId body);

ABUT_API bool abut_body_is_valid(const AbutWorld* world, AbutBodyId body);

/// What is known of a body now. Everything is zero for an id that is no body's.
typedef struct AbutBodyState
{
    AbutPose pose;
    AbutPosition center; ///< of mass
    AbutVec3 linear_velocity, angular_velocity;
    double mass; ///< infinite for bodies that are not dynamic
    AbutBodyKind kind;
    bool asleep;
    void* user;
} AbutBodyState;

ABUT_API AbutBodyState abut_body_state(const AbutWorld* world, AbutBodyId body);

/// Puts a body elsewhere, at once, and wakes it and all that touched it. The scale stays. @return ABUT_INVALID_ARGUMENT for numbers that are not finite or
/// beyond the limits above, or an id that is no body's.
ABUT_API AbutResult abut_body_set_pose(AbutWorld* world, AbutBodyId body, const AbutPose* pose);

/// As abut_body_set_pose().
ABUT_API AbutResult abut_body_set_velocity(AbutWorld* world, AbutBodyId body, AbutVec3 linear,
                                           AbutVec3 angular);

/// Who it meets from the next step on, as AbutBodyDef. Wakes it, and all that touch it.
ABUT_API AbutResult abut_body_set_filter(AbutWorld* world, AbutBodyId body, uint32_t group, uint32_t mask);

/// As AbutBodyDef. Wakes it, and all that touch it.
ABUT_API AbutResult abut_body_set_material(AbutWorld* world, AbutBodyId body, const AbutMaterial* material);

/// A force on the centre of mass and a torque, for the next step alone; forces add up. Wakes the body.
ABUT_API AbutResult abut_body_apply_force(AbutWorld* world, AbutBodyId body, AbutVec3 force, AbutVec3 torque);

/// All bodies, in the order of their indices: writes up to `capacity` ids and returns how many there are.
ABUT_API uint32_t abut_world_bodies(const AbutWorld* world, AbutBodyId* out, uint32_t capacity);

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

/// What a step did.
typedef struct AbutStepReport
{
    uint64_t step;                ///< counted from 1
    double time;                  ///< of the world after it
    uint32_t pair_count;          ///< with boxes that meet
    uint32_t touching_pair_count; ///< pairs with contacts
    uint32_t contact_count;
    uint32_t awake_count;  ///< dynamic bodies that moved
    float max_penetration; ///< largest penetration depth of all contacts, as the shapes' distances say, ≥ 0
    /// What the solids behind the shapes are deep in each other, at most. Contacts are where fields meet,
    /// which are eroded at convex edges by a part of a cell: solids at rest lie up to half a cell deeper than
    /// `max_penetration` says. On the line of each contact that surfaces face each other at, the bound is proved by
    /// the distances that fields guarantee there; half a cell and a tenth of the margin are added for places
    /// beside these lines (docs/dynamics.md). Infinite where the sign of a field is in doubt.
    float max_penetration_bound;
    double kinetic_energy;   ///< after the step
    double potential_energy; ///< in the gravity, about the world's origin
    double elastic_energy;   ///< penalty: in the springs
    uint32_t
        stiff_count; ///< penalty: pairs whose springs are too stiff for the step; abut_world_warning() says more
    double seconds[4]; ///< wall time: broad phase, narrow phase, solver, the rest
} AbutStepReport;

/// Moves the world on by `seconds` (from ABUT_STEP_MIN to ABUT_STEP_MAX). Bodies are finite after it, whatever shapes and forces say:
/// one whose position or rotation would not be stays where it was, at rest. Needs 80 KiB of stack on the calling thread and on
/// each that runs blocks of the host's loops.
/// @return ABUT_INVALID_ARGUMENT, ABUT_OUT_OF_MEMORY; the world is as it was.
ABUT_API AbutResult abut_world_step(AbutWorld* world, float seconds, AbutStepReport* report);

/// What to do about the last step in one sentence when it was too large: for springs that are too stiff to be stable, or to keep
/// overlaps under AbutPenaltySettings.depth. Empty when all is well; never NULL; belongs to the world until its next step.
ABUT_API const char* abut_world_warning(const AbutWorld* world);

/// Of the state that later steps depend on: poses, velocities, contacts kept, sleep.
ABUT_API uint64_t abut_world_hash(const AbutWorld* world);

/// Bytes of a snapshot now.
ABUT_API size_t abut_world_snapshot_size(const AbutWorld* world);

/// Writes a snapshot of the bodies' motion. Step, rewind, step gives the same bytes.
/// @return ABUT_INVALID_ARGUMENT when `size` is too small.
ABUT_API AbutResult abut_world_save(const AbutWorld* world, void* data, size_t size);

/// Goes back to a snapshot of the same world, which must have the same bodies still. "The same" is what no step changes: the settings of
/// AbutWorldDef, and ids, kinds, shapes, scales, masses and locked axes of bodies, so that a world which another process has made by the same calls
/// counts, too. A hash over all of it, step and time included, tells bytes that changed.
/// @return ABUT_INVALID_DATA for bytes that are no snapshot of this world; then it is as it was.
ABUT_API AbutResult abut_world_restore(AbutWorld* world, const void* data, size_t size);

// ---------------------------------------------------------------------------------------------------------------------
// Contacts and events
// ---------------------------------------------------------------------------------------------------------------------

/// A contact of the last step, in the world.
typedef struct AbutWorldContact
{
    AbutBodyId a, b;
    AbutPosition position;
    AbutVec3 normal;      ///< from B to A
    float separation;     ///< as found, at the beginning of the step; penalty: the deepest of the step
    float normal_impulse; ///< of the step, or of the part of it that it was found for, where bodies were fast
    uint64_t id;
} AbutWorldContact;

/// Belong to the world until its next step.
ABUT_API const AbutWorldContact* abut_world_contacts(const AbutWorld* world, size_t* count);

typedef enum AbutTouchChange
{
    ABUT_TOUCH_BEGINS,
    ABUT_TOUCH_PERSISTS,
    ABUT_TOUCH_ENDS,
    ABUT_TOUCH_CHANGE_COUNT
} AbutTouchChange;

typedef struct AbutTouchEvent
{
    AbutBodyId a, b;
    AbutTouchChange change;
    float impulse; ///< of the step, along the normals
} AbutTouchEvent;

/// Of the last step, sorted by a, then b. Belong to the world until its next step.
ABUT_API const AbutTouchEvent* abut_world_events(const AbutWorld* world, size_t* count);

// ---------------------------------------------------------------------------------------------------------------------
// Queries: about the bodies as they stand now. Any number of threads may ask at once while nobody changes the world.
// ---------------------------------------------------------------------------------------------------------------------

/// Points origin + t · direction with t from 0 to limit.
typedef struct AbutRayInput
{
    AbutPosition origin;
    AbutVec3 direction; ///< of any length but 0
    float limit;        ///< ≥ 0; default infinite
    uint32_t mask;      ///< bodies with a group that has a bit in common with it; not 0; default all
} AbutRayInput;

ABUT_API AbutRayInput abut_ray_input(AbutPosition origin, AbutVec3 direction);

typedef struct AbutRayOutput
{
    AbutCastState state; ///< miss, hit, inside (the origin is in the body), or budget (free until `time`)
    AbutBodyId body;     ///< of several at the same time, the one with the smallest index
    double time;         ///< t of the first touch: never late, and early by what float rounds
    AbutPosition position;
    AbutVec3 normal; ///< outward, of unit length
} AbutRayOutput;

/// The first body that a ray meets.
/// @return ABUT_INVALID_ARGUMENT for numbers that are not finite, a direction that is zero or a negative limit.
ABUT_API AbutResult abut_world_cast_ray(const AbutWorld* world, const AbutRayInput* input,
                                        AbutRayOutput* out);

typedef struct AbutOverlapInput
{
    const AbutShape* shape;
    AbutPose pose;
    uint32_t mask; ///< as AbutRayInput; default all
} AbutOverlapInput;

ABUT_API AbutOverlapInput abut_overlap_input(const AbutShape* shape, AbutPose pose);

/// A body that is not proved to be apart from what was asked about, and what is known: contact (proved), close, budget, invalid.
typedef struct AbutOverlap
{
    AbutBodyId body;
    AbutCollideState state;
} AbutOverlap;

/// The bodies that a shape touches where it stands. Writes the first `capacity` of them in the order of their indices; *count is how
/// many there are. `out` may be NULL when the capacity is 0. Needs 80 KiB of stack.
/// @return ABUT_INVALID_ARGUMENT for no shape or a pose that is none.
ABUT_API AbutResult abut_world_overlap(const AbutWorld* world, const AbutOverlapInput* input,
                                       AbutOverlap* out, uint32_t capacity, uint32_t* count);

typedef struct AbutNearestOutput
{
    bool found;
    AbutBodyId body;
    AbutPosition position; ///< on its surface
    AbutVec3 normal;       ///< outward there, of unit length
    double distance;       ///< from the place to the surface; negative in the body
} AbutNearestOutput;

/// The point of all bodies' surfaces that is nearest to a place, up to `max_distance` (may be infinite) away. A place in several bodies is
/// nearest to that in which it is deepest. Inside of a body whose distances are bounds alone (AbutDistanceKind) the point is one of the
/// surface, but maybe not the nearest. A body whose shape is NaN there is left out. Needs 80 KiB of stack.
/// @return ABUT_INVALID_ARGUMENT for a place that is not finite or a negative reach.
ABUT_API AbutResult abut_world_nearest(const AbutWorld* world, AbutPosition from, float max_distance,
                                       uint32_t mask, AbutNearestOutput* out);

#ifdef __cplusplus
}
#endif

#endif
