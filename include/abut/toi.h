/// @file toi.h
/// Time of impact: when moving bodies first touch, and while they do. docs/sweep.md has more.
///
/// Two questions: the points of one body against the shape of another, both moving and turning (Xu & Barbič); one shape against
/// another, both moving and turning, without points. Times run from 0 to 1 over the step. None of the answers is late: what is
/// called free is proved to be free.
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

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

typedef enum AbutToiState
{
    ABUT_TOI_MISS, ///< proved: they do not touch during the step
    ABUT_TOI_HIT, ///< proved not to touch before `time`; at `time` they are nearer than the tolerance can tell from touching
    ABUT_TOI_OVERLAP, ///< they touch at the start already
    ABUT_TOI_BUDGET,  ///< the budget was spent: proved not to touch before `time`, not known from there on
    ABUT_TOI_INVALID, ///< the input makes no sense; abut_last_error() says why
    ABUT_TOI_STATE_COUNT
} AbutToiState;

/// "miss", "hit", "overlap", "budget", "invalid"; never NULL.
ABUT_API const char* abut_toi_state_name(AbutToiState state);

/// Who is swept against whom.
typedef enum AbutToiMethod
{
    ABUT_TOI_SOLIDS, ///< solid against solid: certified, needs no points
    ABUT_TOI_POINTS, ///< points of one against the field of the other, in both roles where both have points
    ABUT_TOI_METHOD_COUNT
} AbutToiMethod;

/// "shape", "points"; never NULL.
ABUT_API const char* abut_toi_method_name(AbutToiMethod method);

typedef struct AbutToiSettings
{
    AbutToiMethod method;
    /// In A's units. Nearer than this may count as touching (fields: their error comes on top); 0: 1e-3 of the smaller shape.
    /// Points are told from touching to the precision of float, unless thousands of samples do not settle it.
    float tolerance;
    bool
        linear; ///< points go straight from where they start to where they end, as in the paper, instead of the true way
    uint32_t
        budget; ///< samples before giving up, ≥ 1; of intervals, so many for every 1024 points; default 2²⁰
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

/// Poses are identities, nothing moves, settings are the defaults.
ABUT_API AbutToiInput abut_toi_input(const AbutShape* shape_a, const AbutShape* shape_b);

typedef struct AbutToiOutput
{
    AbutToiState state;
    float time;        ///< no touch before it: proved. 1 for a miss.
    bool touch_proved; ///< a hit: a point is in both (for points: has f ≤ 0) at `touch_time`; overlap: at 0
    float touch_time;  ///< the first touch lies in [time, touch_time] where touch_proved; else 1
    AbutVec3 position; ///< of the touch at `time`, in A's frame at that time
    AbutVec3 normal;   ///< outward of B there, unit
    float
        gap; ///< a hit: they are at most this far apart at `time`; a miss: at least this far all along, as far as that is known at no cost: 0 for what passes closely
    int interval_count; ///< abut_toi_intervals(): written
    int interval_total; ///< and found
    float
        slack; ///< of intervals: where points slide along a surface for so long that samples run short, those that are nearer to it
               ///< than this were counted as inside; else 0. In A's units.
    uint64_t evaluations;
} AbutToiOutput;

/// First touch of two moving shapes, by the settings' method. Needs 45 KiB of stack and the scratch of its thread (AbutHost); never allocates once
/// that is there.
ABUT_API AbutToiOutput abut_time_of_impact(const AbutToiInput* input);

/// While a point is in the other solid.
typedef struct AbutPointInterval
{
    uint32_t point; ///< index into AbutPointData of its set
    uint8_t side;   ///< 0: of points_a, 1: of points_b
    AbutTimeInterval times;
} AbutPointInterval;

/// ABUT_TOI_POINTS: the contact intervals of all points, sorted by side, point and time, and merged where they meet. At most
/// `capacity` are written, the first ones; interval_total says how many there are. The rest of the answer is that of abut_time_of_impact().
///
/// A point is in the solid where its sample is 0 or less. Ends of intervals are those of what is inside to the precision of float,
/// never within it. What is less deep than the tolerance (fields: and their error_bound) may be left out, and a way out that is less high is
/// taken for none: a point that slides along a wall within the tolerance has one interval, not hundreds. Where it slides for so long that samples run short
/// (each point has an equal share of the budget), what is not proved to be outside counts as inside: see `slack`. Nothing deeper is ever
/// left out. A hit need not have an interval: one whose `touch_proved` is false says that points come nearer than the tolerance can tell from touching, and
/// when none of them is ever inside, there is nothing to list. With ABUT_TOI_BUDGET, the intervals are those of the points before the one where it ended; a budget that is spent on the first touch
/// alone leaves ABUT_TOI_HIT, with `time` as far as it was proved and the place of the interval that begins first.
ABUT_API AbutToiOutput abut_toi_intervals(const AbutToiInput* input, AbutPointInterval* intervals,
                                          int capacity);

// ---------------------------------------------------------------------------------------------------------------------
// Margins
// ---------------------------------------------------------------------------------------------------------------------

/// Pseudo-continuous collision (Krayer et al., with turning): two bodies that are further apart than this at the start do not touch during the step. As
/// AbutCollideSettings.margin it makes abut_collide() report the contacts of the whole step ahead of time, at the cost of one
/// query; for abut_collide_pairs() take the largest one of the pairs. Upper bound of how far the two come nearer to each other, including
/// their turning, in units of shape_a. Never late, but not sharp: what passes by is reported, too.
///
/// Infinite where both shapes have no end and one of them turns. NaN, with a message, where abut_time_of_impact() would say
/// ABUT_TOI_INVALID.
ABUT_API float abut_toi_speculative_margin(const AbutToiInput* input);

#ifdef __cplusplus
}
#endif

#endif
