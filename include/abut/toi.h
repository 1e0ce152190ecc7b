/// @file toi.h
/// Time of impact: the first touch of moving bodies, and their contact intervals. docs/sweep.md has more.
///
/// Two methods: solid against solid (conservative advancement), and points of one body against the shape of
/// the other (Xu & Barbič). Both bodies may move and rotate. Times are from 0 to 1 over the step. No time is
/// late: the motion before it is proved to be free.
#ifndef ABUT_TOI_H
#define ABUT_TOI_H

#include <abut/base.h>
#include <abut/cast.h>
#include <abut/math.h>
#include <abut/points.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

typedef enum AbutToiState
{
    ABUT_TOI_MISS, ///< proved: no touch during the step
    /// Proved: no touch before `time`; at `time` the distance is less than the tolerance and the errors of
    /// fields.
    ABUT_TOI_HIT,
    ABUT_TOI_OVERLAP, ///< touch at the start
    ABUT_TOI_BUDGET,  ///< the budget was spent; proved: no touch before `time`; unknown after it
    ABUT_TOI_INVALID, ///< invalid input; abut_last_error() has the reason
    ABUT_TOI_STATE_COUNT
} AbutToiState;

/// "miss", "hit", "overlap", "budget", "invalid"; never NULL.
ABUT_API const char* abut_toi_state_name(AbutToiState state);

typedef enum AbutToiMethod
{
    ABUT_TOI_SOLIDS, ///< solid against solid: no feature is missed, no points needed
    ABUT_TOI_POINTS, ///< points of one against the shape of the other, in both roles where both have points
    ABUT_TOI_METHOD_COUNT
} AbutToiMethod;

/// "solids", "points"; never NULL.
ABUT_API const char* abut_toi_method_name(AbutToiMethod method);

typedef struct AbutToiSettings
{
    AbutToiMethod method;
    /// In units of A. Smaller distances may count as touching (fields: plus their error); 0: 1e-3 of the
    /// smaller shape. Points nearer than this are resolved to the precision of float for some thousand
    /// samples, then they count as touching.
    float tolerance;
    /// ABUT_TOI_POINTS: points move on straight lines from start to end, as in the paper, instead of their
    /// true trajectories.
    bool linear;
    uint32_t budget; ///< maximum samples, ≥ 1; abut_toi_intervals(): per 1024 points; default 2²⁰
} AbutToiSettings;

ABUT_API AbutToiSettings abut_toi_settings(void);

typedef struct AbutToiInput
{
    const AbutShape* shape_a;
    const AbutShape* shape_b;
    const AbutPointSet* points_a; ///< ABUT_TOI_POINTS: against shape_b; may be NULL
    const AbutPointSet* points_b; ///< ABUT_TOI_POINTS: against shape_a; may be NULL, but not both
    AbutPose pose_a, pose_b;      ///< at time 0
    AbutMotion motion_a, motion_b;
    AbutToiSettings settings;
} AbutToiInput;

/// Identity poses, bodies at rest, default settings.
ABUT_API AbutToiInput abut_toi_input(const AbutShape* shape_a, const AbutShape* shape_b);

typedef struct AbutToiOutput
{
    AbutToiState state;
    float time;        ///< proved: no touch before it. 1 for a miss.
    bool touch_proved; ///< hit: a point is in both (of points: has f ≤ 0) at `touch_time`; overlap: at 0
    float touch_time;  ///< the first touch is in [time, touch_time] where touch_proved; else 1
    AbutVec3 position; ///< of the touch at `time`, in A's frame at that time
    AbutVec3 normal;   ///< outward of B there, unit
    /// Hit: upper bound of the distance at `time`. Miss: lower bound of the distance over the step, as far as
    /// the search gives one; 0 for close passes.
    float gap;
    uint32_t interval_count; ///< abut_toi_intervals(): intervals in the caller's array
    uint32_t interval_total; ///< abut_toi_intervals(): intervals found
    /// abut_toi_intervals(), in units of A: points whose share of the budget is spent (sliding along a
    /// surface) count as inside where they are nearer to it than this; 0 where no share was spent.
    float slack;
    uint64_t evaluations; ///< samples
} AbutToiOutput;

/// First touch of two moving shapes. Needs 45 KiB of stack and the scratch of its thread (AbutHost); never
/// allocates once that is there.
ABUT_API AbutToiOutput abut_time_of_impact(const AbutToiInput* input);

/// A time interval of a point inside of the other solid.
typedef struct AbutPointInterval
{
    uint32_t point; ///< index into AbutPointData of its set
    uint8_t side;   ///< 0: of points_a, 1: of points_b
    AbutTimeInterval times;
} AbutPointInterval;

/// ABUT_TOI_POINTS: the contact intervals of all points, sorted by side, point and time, and merged where
/// they touch. The first `capacity` intervals are written; interval_total is the count of all. The rest of
/// the output is that of abut_time_of_impact().
///
/// A point is in the solid where its sample is 0 or less. Intervals end outside of the solid, to the
/// precision of float. Penetrations shallower than the tolerance (fields: and their error_bound) may be left
/// out, and gaps lower than it may be closed: a point that slides along a wall within the tolerance has one
/// interval, not hundreds. Each point has an equal share of the budget; once that is spent, all times that
/// are not proved to be outside count as inside: see `slack`. Deeper penetrations are never left out.
///
/// A hit without `touch_proved` may have no interval: points came nearer than the tolerance, and none was
/// inside. With ABUT_TOI_BUDGET, the intervals are complete for all points before the one at which the budget
/// was spent. Where only the search for the first touch has spent its budget, the state is ABUT_TOI_HIT:
/// `time` is proved, and position and normal are those of the interval that begins first.
ABUT_API AbutToiOutput abut_toi_intervals(const AbutToiInput* input, AbutPointInterval* intervals,
                                          uint32_t capacity);

// -----------------------------------------------------------------------------------------------------------
// Margins
// -----------------------------------------------------------------------------------------------------------

/// Speculative margin: an upper bound of the decrease of the distance of two bodies during the step,
/// rotations included, in units of shape_a. Bodies with a larger distance at the start do not touch during
/// the step. With this margin one call of abut_collide() or abut_speculative_contacts() reports the contacts
/// of the whole step (the pseudo-continuous detection of the report "Adding SDF collision to Bullet Physics",
/// here with rotations); for abut_collide_pairs() use the largest margin of the pairs. Never too small, but
/// not tight: near misses are reported, too. Infinite where both shapes are infinite and one of them rotates.
/// @return ABUT_INVALID_ARGUMENT where abut_time_of_impact() is ABUT_TOI_INVALID; then *margin is unchanged.
ABUT_API AbutResult abut_toi_speculative_margin(const AbutToiInput* input, float* margin);

#ifdef __cplusplus
}
#endif

#endif
