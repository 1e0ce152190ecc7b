/// @file dynamics.h
/// Worlds of rigid bodies: gravity and contacts move them, step by step. docs/dynamics.md has more.
///
/// A step predicts the motion of the bodies, finds pairs (broad phase), finds their contacts (narrow phase),
/// solves them and integrates the bodies (src/dynamics/step.c reads in this order). The same calls give the
/// same bytes for any number of workers, any instruction set, gcc and clang.
#ifndef ABUT_DYNAMICS_H
#define ABUT_DYNAMICS_H

#include <abut/base.h>
#include <abut/broad.h>
#include <abut/contact.h>
#include <abut/gpu.h>
#include <abut/math.h>
#include <abut/narrow.h>
#include <abut/points.h>
#include <abut/shape.h>
#include <abut/toi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutWorld AbutWorld;

/// Handle of a body. Zero is null; the id of a destroyed body is never used again.
typedef struct AbutBodyId
{
    uint32_t index; ///< counted from 1
    uint32_t generation;
} AbutBodyId;

// -----------------------------------------------------------------------------------------------------------
// Worlds
// -----------------------------------------------------------------------------------------------------------

/// Limits of numbers, so that all results are finite. Larger numbers are refused with a message, and steps
/// stay within the limits: a body stops at ABUT_POSITION_LIMIT, velocities are clamped to ABUT_SPEED_LIMIT,
/// and dynamic bodies rotate by at most 50 radians in a substep. Positions are in double: their resolution is
/// 2e-9 at a distance of 10⁷ from the origin, 0.125 at the limit.
#define ABUT_POSITION_LIMIT 1e15     ///< of each coordinate of a body, in units of length
#define ABUT_SPEED_LIMIT 1e12        ///< of velocities along each axis, and of gravity
#define ABUT_ANGULAR_SPEED_LIMIT 1e9 ///< of angular velocities about each axis, in radians per second
#define ABUT_STEP_MIN 1e-9f          ///< seconds of a step
#define ABUT_STEP_MAX 1e6f           ///< seconds of a step

/// Contact response.
typedef enum AbutResponse
{
    ABUT_RESPONSE_IMPULSE, ///< warm-started impulses with soft constraints: for heaps; the default
    ABUT_RESPONSE_PENALTY, ///< penalty forces on points, integrated over their contact intervals
    ABUT_RESPONSE_COUNT
} AbutResponse;

/// "impulse", "penalty"; never NULL.
ABUT_API const char* abut_response_name(AbutResponse response);

/// Time integration of penalty forces.
typedef enum AbutPenaltyScheme
{
    /// The mean force over the contact intervals of the step, half of it applied in the step itself and half
    /// in the next. Conserves the energy of elastic contacts for steps of any length; solved by iteration.
    /// The default.
    ABUT_PENALTY_BALANCED,
    /// The mean force over the contact intervals of the step, all of it applied in the next step (Xu & Barbič
    /// as printed). Needs damping.
    ABUT_PENALTY_DELAYED,
    /// The force at the end of the step, applied in the next (symplectic Euler): the common scheme, for
    /// comparison.
    ABUT_PENALTY_SAMPLED,
    ABUT_PENALTY_SCHEME_COUNT
} AbutPenaltyScheme;

/// "balanced", "delayed", "sampled"; never NULL.
ABUT_API const char* abut_penalty_scheme_name(AbutPenaltyScheme scheme);

/// Settings of ABUT_RESPONSE_PENALTY. docs/penalty.md derives the schemes and the automatic stiffness.
typedef struct AbutPenaltySettings
{
    AbutPenaltyScheme scheme;
    /// Samples per contact interval where the depth is not linear; default 20, up to 64.
    uint32_t midpoint_count;
    /// Penetration depth of a point under the weight of the heavier body, for the automatic stiffness, if the
    /// step allows. 0, the default: 0.01 of the radius of the smaller body.
    float depth;
    uint32_t point_count;     ///< approximate count for bodies without points; default 1024, from 1 to 2²⁰
    float point_spacing;      ///< as AbutPointsDef, instead of point_count; default 0
    uint32_t iteration_limit; ///< of the balanced scheme; default 24, from 1 to 1000
} AbutPenaltySettings;

typedef struct AbutWorldDef
{
    AbutVec3 gravity; ///< default (0, −9.81, 0); at most ABUT_SPEED_LIMIT along each axis
    AbutResponse response;
    AbutPenaltySettings penalty;
    /// Substeps of a step: each integrates and solves. Contacts are detected once per step (impulse) or per
    /// substep (penalty). Default 4. Impulse: a step with large motions has twice as many substeps, and
    /// contacts are detected in several passes, each of at least one substep; a step that is long for small
    /// bodies (gravity · step² / radius) is divided into up to 64 passes (docs/dynamics.md).
    uint32_t substep_count;
    /// An island sleeps when all points of its bodies were slower than this for half a second. In units of
    /// √(0.4 · gravity · radius), so that sleep does not depend on the unit of length (docs/dynamics.md). 0:
    /// never; default 0.05.
    float sleep_speed;
    /// Speculative margin beyond the motion of the two bodies in the step. 0, the default: a hundredth of the
    /// size of each dynamic body of a pair.
    float margin;
    /// Of the soft contact constraints, in Hz; default 90, at most half the substep rate. Twice that for
    /// tight pairs and for contacts with static and kinematic bodies.
    float contact_frequency;
    float contact_damping_ratio; ///< 1 is critical; default 10
    /// Largest speed of depenetration, in units of √(0.4 · gravity · radius) of the smaller dynamic body, as
    /// sleep_speed; default 0.45.
    float max_depenetration_speed;
    uint32_t contacts_per_pair; ///< contacts kept of a manifold; default 16, from 1 to 64
    uint32_t body_limit;        ///< more bodies are ABUT_LIMIT_EXCEEDED; default 2²⁰
    AbutBroadMethod broad;
    /// Narrow phase of all pairs. The world sets `margin`, `pair_margin` and `pair_spacing`.
    AbutSpeculativeSettings speculative;
    const AbutHost* host; ///< memory and workers; use AbutWorkers for simulations
    /// Does a part of the narrow phase of pairs of fields (docs/gpu.md); the steps have the same bytes. Must
    /// outlive the world, and serves one world at a time. NULL, the default: none.
    AbutDevice* device;
} AbutWorldDef;

ABUT_API AbutWorldDef abut_world_def(void);
ABUT_API AbutResult abut_world_create(const AbutWorldDef* def, AbutWorld** out);

/// NULL is ignored.
ABUT_API void abut_world_destroy(AbutWorld* world);

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

typedef enum AbutBodyKind
{
    ABUT_BODY_STATIC,    ///< never moves; of infinite mass
    ABUT_BODY_KINEMATIC, ///< moves by its velocities alone
    ABUT_BODY_DYNAMIC,   ///< moves by forces and contacts
    ABUT_BODY_KIND_COUNT
} AbutBodyKind;

/// "static", "kinematic", "dynamic"; never NULL.
ABUT_API const char* abut_body_kind_name(AbutBodyKind kind);

/// Volume, centre and inertia of a solid for density 1, as dynamic bodies have them: closed forms of
/// primitives, hulls and closed meshes, the integral of a field, and of a field of 64 cells for all other
/// shapes. `host` is that of the field; NULL for the default.
/// @return ABUT_INVALID_ARGUMENT for infinite shapes and for those without a volume, ABUT_INVALID_DATA for a
/// shape that cannot be baked, ABUT_OUT_OF_MEMORY; then *out is unchanged.
ABUT_API AbutResult abut_shape_mass(const AbutShape* shape, const AbutHost* host, AbutMassData* out);

/// Surface properties. A pair has the geometric mean of friction and of rolling resistance, and the larger
/// restitution.
typedef struct AbutMaterial
{
    float friction;    ///< Coulomb; ≥ 0; default 0.6
    float restitution; ///< fraction of the normal speed after a bounce, 0 to 1; default 0
    /// Of the impulse response: a torque against rolling of up to this fraction of the normal force times the
    /// distance of the contact from the centre of mass. ≥ 0; default 0.01: rolling and rocking bodies come to
    /// rest.
    float rolling_resistance;
    /// Of the penalty response: force per penetration depth of a point. 0, the default: automatic, from mass,
    /// step and AbutPenaltySettings.depth. A pair has the geometric mean where both are over 0, else the
    /// larger; the same for damping.
    float stiffness;
    /// Of the penalty response: force per speed of a point along the normal. 0, the default: from the
    /// restitution.
    float damping;
} AbutMaterial;

/// Flags of locked world axes of dynamic bodies: no motion along them, no rotation about them. A gear on its
/// axle has five of six locked.
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
    /// Penalty: points of the surface, in the shape's frame; the world becomes an owner. NULL: sampled from
    /// the shape, once for all bodies with the same shape; infinite shapes have none.
    AbutPointSet* points;
    AbutBodyKind kind;
    /// Of the shape's frame in the world. The rotation is normalised in float: AbutBodyState.pose is the pose
    /// of all results.
    AbutPose pose;
    AbutVec3 linear_velocity;  ///< of the centre of mass
    AbutVec3 angular_velocity; ///< radians per second, world axes
    float density;             ///< > 0; default 1000
    float mass;                ///< > 0 overrides the density; 0: by density
    AbutMaterial material;
    /// Two bodies collide when the group of each has a bit in common with the mask of the other; default all
    /// bits.
    uint32_t group, mask;
    uint32_t locked; ///< of dynamic bodies: AbutMotionLock flags; default 0
    bool never_sleeps;
    void* user;
} AbutBodyDef;

/// A dynamic body at the origin, at rest.
ABUT_API AbutBodyDef abut_body_def(void);

/// @return ABUT_INVALID_ARGUMENT for numbers that are not finite or beyond the limits above, a scale out of
/// [1e-12, 1e12], a dynamic body that is infinite or without volume, an invalid kind; ABUT_LIMIT_EXCEEDED
/// past the world's limit.
ABUT_API AbutResult abut_body_create(AbutWorld* world, const AbutBodyDef* def, AbutBodyId* out);

/// Wakes all bodies that touched it. An invalid id is ignored.
ABUT_API void abut_body_destroy(AbutWorld* world, AbutBodyId body);

ABUT_API bool abut_body_is_valid(const AbutWorld* world, AbutBodyId body);

/// Current state of a body. All zero for an invalid id.
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

/// Teleports a body, and wakes it and all bodies that touched it. The scale stays.
/// @return ABUT_INVALID_ARGUMENT for numbers that are not finite or beyond the limits above, and for an
/// invalid id.
ABUT_API AbutResult abut_body_set_pose(AbutWorld* world, AbutBodyId body, const AbutPose* pose);

/// As abut_body_set_pose().
ABUT_API AbutResult abut_body_set_velocity(AbutWorld* world, AbutBodyId body, AbutVec3 linear,
                                           AbutVec3 angular);

/// Group and mask from the next step on, as AbutBodyDef. Wakes the body and all bodies that touch it.
ABUT_API AbutResult abut_body_set_filter(AbutWorld* world, AbutBodyId body, uint32_t group, uint32_t mask);

/// As AbutBodyDef. Wakes the body and all bodies that touch it.
ABUT_API AbutResult abut_body_set_material(AbutWorld* world, AbutBodyId body, const AbutMaterial* material);

/// A force on the centre of mass and a torque, for the next step alone; forces add up. Wakes the body.
ABUT_API AbutResult abut_body_apply_force(AbutWorld* world, AbutBodyId body, AbutVec3 force, AbutVec3 torque);

/// All bodies, in the order of their indices: writes up to `capacity` ids and returns the count of all.
ABUT_API uint32_t abut_world_bodies(const AbutWorld* world, AbutBodyId* out, uint32_t capacity);

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

/// Phases of a step, in their order; each may run several times. The penalty response has no constraints and
/// no clamping: its forces and motions are ABUT_PHASE_SOLVE.
typedef enum AbutStepPhase
{
    ABUT_PHASE_PAIRS,       ///< bounds of the motions, broad phase, manifolds that are still valid
    ABUT_PHASE_SEARCH,      ///< narrow phase of the other pairs
    ABUT_PHASE_MANIFOLDS,   ///< contacts as anchors on the bodies, refined and reduced
    ABUT_PHASE_CONSTRAINTS, ///< graph colouring, contact constraints
    ABUT_PHASE_SOLVE,       ///< impulses and motions of the substeps
    ABUT_PHASE_UPDATE,      ///< contacts at the new poses, in the substeps
    ABUT_PHASE_CLAMP,       ///< continuous collision
    ABUT_PHASE_FINISH,      ///< sleep, events, boxes of the broad phase
    ABUT_PHASE_REPORT,      ///< energies and depths of the report
    ABUT_PHASE_COUNT
} AbutStepPhase;

/// Kinds of pairs, by the origin of their contacts.
typedef enum AbutPairKind
{
    ABUT_PAIR_CONVEX,      ///< two convex solids: closed forms and GJK
    ABUT_PAIR_FIELDS,      ///< two baked fields
    ABUT_PAIR_FIELD_SHAPE, ///< a baked field and a shape of another kind
    ABUT_PAIR_SHAPES,      ///< two shapes of other kinds
    ABUT_PAIR_KIND_COUNT
} AbutPairKind;

/// The pairs of a kind in a step of the impulse response. Times are sums over workers: with several they may
/// exceed the time of the phase.
typedef struct AbutPairProfile
{
    uint32_t search_count;   ///< queries of the narrow phase, in all passes
    uint32_t empty_count;    ///< of them without a contact
    uint32_t recycled_count; ///< manifolds that needed no query
    uint64_t contact_count;  ///< contacts of the queries
    uint64_t samples;        ///< of each shape, in the queries
    double search_seconds, manifold_seconds;
} AbutPairProfile;

/// Where the wall time of a step went. The phases add up to the time of the call.
typedef struct AbutStepProfile
{
    double seconds[ABUT_PHASE_COUNT];
    uint32_t pass_count, substep_count; ///< of the step
    AbutPairProfile pairs[ABUT_PAIR_KIND_COUNT];
} AbutStepProfile;

/// "pairs", "search", ...; "" for any other value.
ABUT_API const char* abut_step_phase_name(AbutStepPhase phase);

/// "convex", "fields", ...; "" for any other value.
ABUT_API const char* abut_pair_kind_name(AbutPairKind kind);

/// Summary of a step.
typedef struct AbutStepReport
{
    uint64_t step;                ///< counted from 1
    double time;                  ///< of the world after it
    uint32_t pair_count;          ///< of the broad phase
    uint32_t touching_pair_count; ///< pairs with contacts
    uint32_t contact_count;
    uint32_t awake_count;  ///< dynamic bodies that moved
    float max_penetration; ///< largest penetration depth of all contacts by the distances of the shapes, ≥ 0
    double kinetic_energy;   ///< after the step
    double potential_energy; ///< of gravity, 0 at the world's origin
    double elastic_energy;   ///< penalty: in the springs
    /// Penalty: pairs whose springs are too stiff for the step; abut_world_warning() has more.
    uint32_t stiff_count;
    AbutStepProfile profile;
} AbutStepReport;

/// Advances the world by `seconds` (from ABUT_STEP_MIN to ABUT_STEP_MAX). Bodies stay finite for any shapes
/// and forces: one whose position or rotation would not be finite stays at its pose, at rest. Needs 80 KiB of
/// stack on the calling thread and on each worker of the host.
/// @return ABUT_INVALID_ARGUMENT, ABUT_OUT_OF_MEMORY; then the world is unchanged.
ABUT_API AbutResult abut_world_step(AbutWorld* world, float seconds, AbutStepReport* report);

/// Upper bound of the penetration depth of the solids behind the shapes, at the contacts of the last step.
/// Contacts lie on the surfaces of fields, which are eroded at convex edges by a fraction of a cell: the
/// solids penetrate deeper than AbutStepReport.max_penetration, at rest by up to half a cell. On the line
/// along the normal of each contact whose surfaces face each other the bound is proved, by the lower bounds
/// of fields; half a cell and a tenth of the margin are an allowance for overlaps beside these lines
/// (docs/dynamics.md). Infinite where the sign of a field is uncertain. Takes about as long as a seventh of a
/// step.
ABUT_API float abut_world_penetration_bound(AbutWorld* world);

/// Advice in one sentence when the last step was too large: for springs that are too stiff to be stable, or
/// for penetrations over AbutPenaltySettings.depth. Empty without a problem; never NULL; valid until the next
/// step of the world.
ABUT_API const char* abut_world_warning(const AbutWorld* world);

/// Hash of the state that later steps depend on: poses, velocities, manifolds, sleep.
ABUT_API uint64_t abut_world_hash(const AbutWorld* world);

/// Size of a snapshot in bytes.
ABUT_API size_t abut_world_snapshot_size(const AbutWorld* world);

/// Writes a snapshot of the state of all bodies and contacts. Step, rewind, step gives the same bytes.
/// @return ABUT_INVALID_ARGUMENT when `size` is too small.
ABUT_API AbutResult abut_world_save(const AbutWorld* world, void* data, size_t size);

/// Restores a snapshot of the same world with the same bodies. The identity of a world is the data that no
/// step changes: the settings of AbutWorldDef, and ids, kinds, shapes, scales, masses and locked axes of
/// bodies; a world that another process created by the same calls is the same. A hash over all of it, step
/// and time included, detects changed bytes.
/// @return ABUT_INVALID_DATA for bytes that are not a snapshot of this world; then it is unchanged.
ABUT_API AbutResult abut_world_restore(AbutWorld* world, const void* data, size_t size);

// -----------------------------------------------------------------------------------------------------------
// Contacts and events
// -----------------------------------------------------------------------------------------------------------

/// A contact of the last step, in the world.
typedef struct AbutWorldContact
{
    AbutBodyId a, b;
    AbutPosition position;
    AbutVec3 normal;      ///< from B to A
    float separation;     ///< at the beginning of the step; penalty: the smallest of the step
    float normal_impulse; ///< of the step, or of the collision pass of the contact
    uint64_t id;
} AbutWorldContact;

/// All contacts of the last step. Valid until the next step of the world.
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

/// Touch events of the last step, sorted by a, then b. Valid until the next step of the world.
ABUT_API const AbutTouchEvent* abut_world_events(const AbutWorld* world, size_t* count);

// -----------------------------------------------------------------------------------------------------------
// Queries of the bodies at their current poses. Thread safe while the world does not change.
// -----------------------------------------------------------------------------------------------------------

/// A ray in the world: points origin + t · direction with t from 0 to limit.
typedef struct AbutRayInput
{
    AbutPosition origin;
    AbutVec3 direction; ///< of any length but 0
    float limit;        ///< ≥ 0; default infinite
    uint32_t mask;      ///< bodies whose group has a bit in common with it; not 0; default all
} AbutRayInput;

ABUT_API AbutRayInput abut_ray_input(AbutPosition origin, AbutVec3 direction);

typedef struct AbutRayOutput
{
    AbutCastState state; ///< miss, hit, inside (the origin is in the body), or budget (free until `time`)
    AbutBodyId body;     ///< of several at the same time, the body with the smallest index
    double time;         ///< t of the first hit: never late, and early by the rounding of float
    AbutPosition position;
    AbutVec3 normal; ///< outward, of unit length
} AbutRayOutput;

/// First hit of a ray.
/// @return ABUT_INVALID_ARGUMENT for numbers that are not finite, a direction that is zero or a negative
/// limit.
ABUT_API AbutResult abut_world_cast_ray(const AbutWorld* world, const AbutRayInput* input,
                                        AbutRayOutput* out);

typedef struct AbutOverlapInput
{
    const AbutShape* shape;
    AbutPose pose;
    uint32_t mask; ///< as AbutRayInput; default all
} AbutOverlapInput;

ABUT_API AbutOverlapInput abut_overlap_input(const AbutShape* shape, AbutPose pose);

/// A body that is not proved to be separated from the shape, and its state: contact (proved), close, budget,
/// invalid.
typedef struct AbutOverlap
{
    AbutBodyId body;
    AbutCollideState state;
} AbutOverlap;

/// The bodies that overlap a shape. Writes the first `capacity` of them in the order of their indices; *count
/// is the count of all. `out` may be NULL when the capacity is 0. Needs 80 KiB of stack.
/// @return ABUT_INVALID_ARGUMENT without a shape or for an invalid pose.
ABUT_API AbutResult abut_world_overlap(const AbutWorld* world, const AbutOverlapInput* input,
                                       AbutOverlap* out, uint32_t capacity, uint32_t* count);

typedef struct AbutNearestOutput
{
    bool found;
    AbutBodyId body;
    AbutPosition position; ///< on its surface
    AbutVec3 normal;       ///< outward there, of unit length
    double distance;       ///< from the point to the surface; negative in the body
} AbutNearestOutput;

/// The point of all bodies' surfaces that is nearest to the point `from`, up to `max_distance` (may be
/// infinite) away. For a point inside several bodies, the body in which it is deepest counts. Inside of a
/// body whose distances are bounds alone (AbutDistanceKind) the result is a point of the surface, but may not
/// be the nearest. A body whose distance is NaN there is left out. Needs 80 KiB of stack.
/// @return ABUT_INVALID_ARGUMENT for a point that is not finite or a negative max_distance.
ABUT_API AbutResult abut_world_nearest(const AbutWorld* world, AbutPosition from, float max_distance,
                                       uint32_t mask, AbutNearestOutput* out);

#ifdef __cplusplus
}
#endif

#endif
