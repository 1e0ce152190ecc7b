// The line through a contact along its normal, and its chords in A and in B.
#include "narrow/contacts/depth.h"

#include "narrow/contacts/chord.h"

#include <math.h>

enum
{
    COMMON_STEPS = 8, // to a common point
    RAYS = 4          // of a contact: along the normal and against it, in each solid
};

/// A contact may be outside of a solid by its tolerance. A common point is searched up to this many times as
/// far away.
static const float FURTHEST = 16.0f;

/// Steps to a common point end inside by this fraction of the coordinates, so that rounding does not leave
/// them outside.
static const float INWARD = 1e-6f;

// -----------------------------------------------------------------------------------------------------------
// Common points
// -----------------------------------------------------------------------------------------------------------

typedef enum PointState
{
    NOWHERE,
    ON_LINE, // through the contact, along its normal
    BESIDE   // the line, which misses the intersection
} PointState;

/// For each of a batch of contacts, the iterate of the search for a point of both solids.
typedef struct CommonPoints
{
    AbutPairBatch batch;
    float outside[ABUT_PAIR_BATCH]; // distance of the contact from the further solid
    PointState state[ABUT_PAIR_BATCH];
} CommonPoints;

/// Newton's step to `inward` in the further solid: along the normal, or along the gradient. 0 where the
/// surface is parallel to the line.
static AbutVec3 step_inward(const AbutPairBatch* batch, size_t i, const AbutContact* c, bool straight,
                            float inward)
{
    int side = batch->distance[0][i] > batch->distance[1][i] ? 0 : 1;
    const float(*g)[ABUT_PAIR_BATCH] = batch->gradient[side];
    AbutVec3 gradient = abut_vec3(g[0][i], g[1][i], g[2][i]);
    AbutVec3 direction = straight ? gradient : c->normal;
    float slope = abut_vec3_dot(gradient, direction);
    float wanted = batch->distance[side][i] + inward;
    return abut_vec3_scale(direction, fabsf(slope) > 0.05f ? -wanted / slope : 0.0f);
}

/// Moves points that are not in both solids yet. Returns whether one moved.
static bool step_points(AbutPair* pair, const AbutContact* contacts, CommonPoints* points, bool straight)
{
    AbutPairBatch* batch = &points->batch;
    bool moving = false;
    abut_pair_sample(pair, batch, true);
    for (size_t i = 0; i < batch->count; ++i)
    {
        float f = fmaxf(batch->distance[0][i], batch->distance[1][i]);
        if (points->state[i] == NOWHERE && f <= 0.0f)
        {
            points->state[i] = straight ? BESIDE : ON_LINE;
        }
        // Beside the line as deep as the contact was outside: a line that grazes a surface proves little.
        float rounding =
            INWARD * (pair->size + abut_vec3_length(abut_pair_position(pair, contacts[i].position)));
        float inward = straight ? fmaxf(points->outside[i], rounding) : rounding;
        AbutVec3 step = step_inward(batch, i, &contacts[i], straight, inward);
        AbutVec3 next = abut_vec3_add(abut_pair_batch_point(batch, i), step);
        float from_contact =
            abut_vec3_length(abut_vec3_sub(next, abut_pair_position(pair, contacts[i].position)));
        if (points->state[i] == NOWHERE && abut_vec3_length(step) > 0.0f &&
            from_contact <= FURTHEST * (fmaxf(points->outside[i], 0.0f) + rounding))
        {
            abut_pair_batch_set(batch, i, next);
            moving = true;
        }
    }
    return moving;
}

/// A point of both solids on the line of each contact, or else beside it.
static void find_common(AbutPair* pair, const AbutContact* contacts, size_t count, CommonPoints* points)
{
    points->batch.count = count;
    for (size_t i = 0; i < count; ++i)
    {
        abut_pair_batch_set(&points->batch, i, abut_pair_position(pair, contacts[i].position));
        points->state[i] = NOWHERE;
    }
    abut_pair_sample(pair, &points->batch, false);
    for (size_t i = 0; i < count; ++i)
    {
        points->outside[i] = fmaxf(points->batch.distance[0][i], points->batch.distance[1][i]);
    }
    for (int straight = 0; straight < 2; ++straight)
    {
        for (int step = 0; step < COMMON_STEPS && step_points(pair, contacts, points, straight != 0); ++step)
        {
        }
        for (size_t i = 0; i < count; ++i)
        {
            if (points->state[i] == NOWHERE)
            {
                abut_pair_batch_set(&points->batch, i, abut_pair_position(pair, contacts[i].position));
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Depths
// -----------------------------------------------------------------------------------------------------------

/// A length and its bounds.
typedef struct Bracket
{
    float low, value, high;
} Bracket;

static Bracket end_of(const AbutChord* chord)
{
    return (Bracket){ chord->low, chord->end, chord->high };
}

static Bracket sum(Bracket a, Bracket b)
{
    return (Bracket){ a.low + b.low, a.value + b.value, a.high + b.high };
}

static Bracket smaller(Bracket a, Bracket b)
{
    return (Bracket){ fminf(a.low, b.low), fminf(a.value, b.value), fminf(a.high, b.high) };
}

/// Error of the value, rounded up.
static float error_of(Bracket b)
{
    return fmaxf(b.high - b.value, b.value - b.low) + 1e-6f * b.value;
}

/// Along the normal out of A and of B, then against it.
static void set_depth(const AbutChord* along_a, const AbutChord* along_b, const AbutChord* against_a,
                      const AbutChord* against_b, AbutContact* out)
{
    Bracket depth = sum(end_of(along_b), end_of(against_a));
    Bracket shared =
        sum(smaller(end_of(along_a), end_of(along_b)), smaller(end_of(against_a), end_of(against_b)));
    // Where a solid is not proved to hold the point, the chords may be of another interval of the line.
    bool in_a = along_a->low > 0.0f || against_a->low > 0.0f;
    bool in_b = along_b->low > 0.0f || against_b->low > 0.0f;
    out->depth = depth.value;
    out->shared_length = shared.value;
    out->depth_error = in_a && in_b ? fmaxf(error_of(depth), error_of(shared)) : INFINITY;
}

/// The rays of a batch of contacts.
typedef struct Rays
{
    AbutVec3 origins[ABUT_PAIR_BATCH];
    AbutChord chords[RAYS][ABUT_PAIR_BATCH];
} Rays;

static void measure_rays(AbutPair* pair, const AbutContact* contacts, size_t count, bool prove, Rays* rays)
{
    void (*fill)(AbutPair*, int, AbutChord*, size_t) = prove ? abut_chords_prove : abut_chords_measure;
    for (int ray = 0; ray < RAYS; ++ray)
    {
        float sign = ray < 2 ? 1.0f : -1.0f;
        for (size_t i = 0; i < count; ++i)
        {
            rays->chords[ray][i].origin = rays->origins[i];
            rays->chords[ray][i].direction = abut_vec3_scale(contacts[i].normal, sign);
        }
        fill(pair, ray % 2, rays->chords[ray], count);
    }
}

/// Moves the origins to the middle of the shared interval, where more is proved than at a surface.
static void move_to_middle(const AbutContact* contacts, size_t count, Rays* rays)
{
    for (size_t i = 0; i < count; ++i)
    {
        float up = fminf(rays->chords[0][i].end, rays->chords[1][i].end);
        float down = fminf(rays->chords[2][i].end, rays->chords[3][i].end);
        float by = up + down < INFINITY ? 0.5f * (up - down) : 0.0f;
        rays->origins[i] = abut_vec3_add(rays->origins[i], abut_vec3_scale(contacts[i].normal, by));
    }
}

/// No depth without a common point, or across a gap. Beside the line nothing is proved.
static void set_contact(const Rays* rays, size_t i, PointState state, AbutContact* out)
{
    out->depth = 0.0f;
    out->shared_length = 0.0f;
    out->depth_error = 0.0f;
    if (out->separation > 0.0f)
    {
        return;
    }
    if (state != NOWHERE)
    {
        set_depth(&rays->chords[0][i], &rays->chords[1][i], &rays->chords[2][i], &rays->chords[3][i], out);
    }
    out->depth_error = state == ON_LINE ? out->depth_error : INFINITY;
}

static void measure(AbutPair* pair, AbutContact* contacts, size_t count)
{
    CommonPoints points;
    Rays rays;
    find_common(pair, contacts, count, &points);
    for (size_t i = 0; i < count; ++i)
    {
        rays.origins[i] = abut_pair_batch_point(&points.batch, i);
    }
    measure_rays(pair, contacts, count, false, &rays);
    move_to_middle(contacts, count, &rays);
    measure_rays(pair, contacts, count, true, &rays);
    for (size_t i = 0; i < count; ++i)
    {
        set_contact(&rays, i, points.state[i], &contacts[i]);
    }
}

void abut_narrow_measure_depth(AbutPair* pair, AbutContact* contacts, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += ABUT_PAIR_BATCH)
    {
        uint32_t n = count - first < ABUT_PAIR_BATCH ? count - first : ABUT_PAIR_BATCH;
        measure(pair, contacts + first, n);
    }
}
