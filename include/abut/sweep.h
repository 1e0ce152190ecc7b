/// @file sweep.h
/// Motion: when a moving thing first touches a solid, and while it does. docs/sweep.md has more.
///
/// Three questions, from the simple to the general: a segment against a shape; the points of one body against the shape of
/// another, both moving and turning (Xu & Barbič); one shape against another, both moving and turning, without points. Times
/// run from 0 to 1 over the step. None of the answers is late: what is called free is proved to be free.
#ifndef ABUT_SWEEP_H
#define ABUT_SWEEP_H

#include <abut/base.h>
#include <abut/points.h>
#include <abut/shape.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A part of the step.
typedef struct AbutTimeInterval
{
    float begin, end; ///< 0 ≤ begin ≤ end ≤ 1
} AbutTimeInterval;

// ---------------------------------------------------------------------------------------------------------------------
// Segments
// ---------------------------------------------------------------------------------------------------------------------

/// How a segment goes through a field. All of them find the same crossings, to the bit.
typedef enum AbutSegmentMethod
{
    ABUT_SEGMENT_STEPS, ///< the field itself says how far is safe; default, and the fastest
    ABUT_SEGMENT_PYRAMID, ///< blocks of cells are left out by the smallest and largest value in them (the paper's octree)
    ABUT_SEGMENT_CELLS, ///< cell by cell (the paper's baseline)
    ABUT_SEGMENT_METHOD_COUNT
} AbutSegmentMethod;

/// "steps", "pyramid", "cells"; never NULL.
ABUT_API const char* abut_segment_method_name(AbutSegmentMethod method);

/// What is asked of segments; abut_segment_settings() has the defaults.
typedef struct AbutSegmentSettings
{
    AbutSegmentMethod method; ///< of fields; other shapes are stepped through by their slope bound
    float iso;                ///< σ: the segment is inside where f ≤ σ; any finite number
    float
        tolerance; ///< of shapes that are no field: nearer to σ than this counts as inside; at least 4e-6 of the
                   ///< coordinates and the shape, which rounding needs. Default 0.
    uint32_t budget;      ///< samples per segment of shapes that are no field, ≥ 1; default 4096
    const AbutHost* host; ///< workers of batches
} AbutSegmentSettings;

ABUT_API AbutSegmentSettings abut_segment_settings(void);

typedef enum AbutSegmentState
{
    ABUT_SEGMENT_MISS,    ///< f > σ all along
    ABUT_SEGMENT_HIT,     ///< `time` is the first with f ≤ σ
    ABUT_SEGMENT_INSIDE,  ///< f ≤ σ at the start already; time is 0
    ABUT_SEGMENT_BUDGET,  ///< the budget was spent: free until `time`, not known from there on
    ABUT_SEGMENT_INVALID, ///< a coordinate that is not finite
    ABUT_SEGMENT_STATE_COUNT
} AbutSegmentState;

/// "miss", "hit", "inside", "budget", "invalid"; never NULL.
ABUT_API const char* abut_segment_state_name(AbutSegmentState state);

/// Segments in the shape's own frame, as six arrays: x(t) = from + t·(to − from).
typedef struct AbutSegments
{
    AbutPoints from, to;
} AbutSegments;

/// Where the answers for n segments go.
typedef struct AbutSegmentHits
{
    float* time;    ///< of the first touch; 1 for a miss
    uint8_t* state; ///< AbutSegmentState
} AbutSegmentHits;

/// First touch of each segment, eight at once and on all workers of the settings' host. The same bytes for any of them. What is
/// crossed is what abut_shape_sample() answers, inside of a field's grid and outside. Crossings of a field are found to the
/// precision of float, dips into a cell that is entered and left outside too; a touch is never late, and early by what float rounds. At the
/// seams of a sparse field, where it jumps, either side counts.
/// @return ABUT_INVALID_ARGUMENT for settings that make no sense, ABUT_LIMIT_EXCEEDED for more than 2⁴⁴ segments.
ABUT_API AbutResult abut_segments_first(const AbutShape* shape, const AbutSegmentSettings* settings,
                                        AbutSegments segments, size_t count, AbutSegmentHits out);

typedef struct AbutSegmentOutput
{
    AbutSegmentState state;
    float time;         ///< as AbutSegmentHits
    int interval_count; ///< written
    int interval_total; ///< found; when more than were written, the first were
    uint64_t steps;     ///< cells, blocks or samples that were looked at
} AbutSegmentOutput;

/// All parts of one segment with f ≤ σ, in order, none touching the next, as wide as they are or wider by what float rounds.
/// ABUT_SEGMENT_BUDGET: the parts are those before `time`. ABUT_SEGMENT_INVALID leaves a message. Never allocates.
ABUT_API AbutSegmentOutput abut_segment_intervals(const AbutShape* shape, const AbutSegmentSettings* settings,
                                                  AbutVec3 from, AbutVec3 to, AbutTimeInterval* intervals,
                                                  int capacity);

// ---------------------------------------------------------------------------------------------------------------------
// Motions
// ---------------------------------------------------------------------------------------------------------------------

/// A rigid motion over the step at constant rates: `center` (a point of the body, in its own frame) moves straight by `linear`, and
/// the body turns about it by `angular`: a rotation vector (axis times angle in radians), fixed in the frame that the pose is
/// given in. Any angle is allowed; half a turn and more, too.
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

/// The pose after the part `time` of the motion.
ABUT_API AbutPose abut_motion_pose(const AbutPose* start, const AbutMotion* motion, float time);

/// The motion that leads from one pose to another, the shortest way round, about the frame's origin. The scales must be
/// equal. Within rounding: a motion is in float.
ABUT_API AbutMotion abut_motion_between(const AbutPose* from, const AbutPose* to);

/// Upper bound of the way that any point of `box` (in the body's frame) travels over the step, in the outer frame; infinite
/// for an infinite box that turns. What pseudo-continuous collision grows margins by.
ABUT_API float abut_motion_travel(const AbutPose* start, const AbutMotion* motion, AbutBox box);

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

typedef enum AbutSweepState
{
    ABUT_SWEEP_MISS, ///< proved: they do not touch during the step
    ABUT_SWEEP_HIT, ///< proved not to touch before `time`; at `time` they are nearer than the tolerance can tell from touching
    ABUT_SWEEP_OVERLAP, ///< they touch at the start already
    ABUT_SWEEP_BUDGET,  ///< the budget was spent: proved not to touch before `time`, not known from there on
    ABUT_SWEEP_INVALID, ///< the input makes no sense; abut_last_error() says why
    ABUT_SWEEP_STATE_COUNT
} AbutSweepState;

/// "miss", "hit", "overlap", "budget", "invalid"; never NULL.
ABUT_API const char* abut_sweep_state_name(AbutSweepState state);

/// Who is swept against whom.
typedef enum AbutSweepMethod
{
    ABUT_SWEEP_SHAPES, ///< solid against solid: certified, needs no points
    ABUT_SWEEP_POINTS, ///< points of one against the field of the other, in both roles where both have points
    ABUT_SWEEP_METHOD_COUNT
} AbutSweepMethod;

/// "shape", "points"; never NULL.
ABUT_API const char* abut_sweep_method_name(AbutSweepMethod method);

typedef struct AbutSweepSettings
{
    AbutSweepMethod method;
    /// In A's units. Nearer than this may count as touching (fields: their error comes on top); 0: 1e-3 of the smaller shape.
    /// Points are told from touching to the precision of float, unless thousands of samples do not settle it.
    float tolerance;
    bool
        linear; ///< points go straight from where they start to where they end, as in the paper, instead of the true way
    uint32_t
        budget; ///< samples before giving up, ≥ 1; of intervals, so many for every 1024 points; default 2²⁰
} AbutSweepSettings;

ABUT_API AbutSweepSettings abut_sweep_settings(void);

typedef struct AbutSweepInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    const AbutPointSet* points_a; ///< ABUT_SWEEP_POINTS: against shape_b; may be NULL
    const AbutPointSet* points_b; ///< ABUT_SWEEP_POINTS: against shape_a; may be NULL, but not both
    AbutPose pose_a, pose_b;      ///< at time 0
    AbutMotion motion_a, motion_b;
    AbutSweepSettings settings;
} AbutSweepInput;

/// Poses are identities, nothing moves, settings are the defaults.
ABUT_API AbutSweepInput abut_sweep_input(const AbutShape* shape_a, const AbutShape* shape_b);

typedef struct AbutSweepOutput
{
    AbutSweepState state;
    float time;        ///< no touch before it: proved. 1 for a miss.
    bool touch_proved; ///< a hit: a point is in both (for points: has f ≤ 0) at `touch_time`; overlap: at 0
    float touch_time;  ///< the first touch lies in [time, touch_time] where touch_proved; else 1
    AbutVec3 position; ///< of the touch at `time`, in A's frame at that time
    AbutVec3 normal;   ///< outward of B there, unit
    float
        gap; ///< a hit: they are at most this far apart at `time`; a miss: at least this far all along, as far as that is known at no cost: 0 for what passes closely
    int interval_count; ///< abut_sweep_intervals(): written
    int interval_total; ///< and found
    float
        slack; ///< of intervals: where points slide along a surface for so long that samples run short, those that are nearer to it
               ///< than this were counted as inside; else 0. In A's units.
    uint64_t evaluations;
} AbutSweepOutput;

/// First touch of two moving shapes, by the settings' method. Needs 45 KiB of stack and the scratch of its thread (AbutHost); never allocates once
/// that is there.
ABUT_API AbutSweepOutput abut_sweep(const AbutSweepInput* input);

/// While a point is in the other solid.
typedef struct AbutPointInterval
{
    uint32_t point; ///< index into AbutPointData of its set
    uint8_t side;   ///< 0: of points_a, 1: of points_b
    AbutTimeInterval times;
} AbutPointInterval;

/// ABUT_SWEEP_POINTS: the contact intervals of all points, sorted by side, point and time, and merged where they meet. At most
/// `capacity` are written, the first ones; interval_total says how many there are. The rest of the answer is that of abut_sweep().
///
/// A point is in the solid where its sample is 0 or less. Ends of intervals are those of what is inside to the precision of float,
/// never within it. What is less deep than the tolerance (fields: and their error_bound) may be left out, and a way out that is less high is
/// taken for none: a point that slides along a wall within the tolerance has one interval, not hundreds. Where it slides for so long that samples run short
/// (each point has an equal share of the budget), what is not proved to be outside counts as inside: see `slack`. Nothing deeper is ever
/// left out. A hit need not have an interval: one whose `touch_proved` is false says that points come nearer than the tolerance can tell from touching, and
/// when none of them is ever inside, there is nothing to list. With ABUT_SWEEP_BUDGET, the intervals are those of the points before the one where it ended; a budget that is spent on the first touch
/// alone leaves ABUT_SWEEP_HIT, with `time` as far as it was proved and the place of the interval that begins first.
ABUT_API AbutSweepOutput abut_sweep_intervals(const AbutSweepInput* input, AbutPointInterval* intervals,
                                              int capacity);

// ---------------------------------------------------------------------------------------------------------------------
// Margins
// ---------------------------------------------------------------------------------------------------------------------

/// Pseudo-continuous collision (Krayer et al., with turning): two bodies that are further apart than this at the start do not touch during the step. As
/// AbutCollideSettings.margin it makes abut_collide() report the contacts of the whole step ahead of time, at the cost of one
/// query; for abut_collide_pairs() take the largest one of the pairs. Upper bound of how far the two come nearer to each other, including
/// their turning, in units of shape_a. Never late, but not sharp: what passes by is reported, too.
///
/// Infinite where both shapes have no end and one of them turns. NaN, with a message, where abut_sweep() would say
/// ABUT_SWEEP_INVALID.
ABUT_API float abut_sweep_margin(const AbutSweepInput* input);

#ifdef __cplusplus
}
#endif

#endif
