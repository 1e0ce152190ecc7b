// Rays through a solid: safe steps inside, then samples until the outside is proved.
#include "narrow/contacts/chord.h"

#include "base/assert.h"
#include "field/field.h"
#include "shape/shape.h"

#include <math.h>

enum
{
    INSIDE_STEPS = 192, // after which the end is a lower bound
    NARROW_STEPS = 32,
    LEAVING_STEPS = ABUT_CHORD_STEPS - INSIDE_STEPS - NARROW_STEPS - 1
};

/// Least step, as a fraction of the smaller shape: the resolution of ends.
static const float MIN_STEP = 1e-6f;

/// Rounding of a point of a ray in float, relative to its coordinates: two roundings on each of three axes.
static const float POINT_ROUNDING = 4e-7f;

/// Fraction of a distance that the stated error of a field must prove; else its nodes are read.
static const float WIDE = 0.75f;

/// Growth of steps once the samples have left the solid and only the proof is missing.
static const float GROWTH = 1.25f;

/// Fraction of the longest step allowed by the last two samples.
static const float RELAXATION = 0.95f;

typedef enum Phase
{
    INSIDE,  // the sample at `t` bounds how far the ray stays inside
    NARROW,  // samples at `covered` and `past` differ in sign
    LEAVING, // the end is known, the proof that the ray has left is not
    DONE
} Phase;

typedef struct Walk
{
    AbutChord* chord;
    Phase phase;
    float t;
    float limit;     // end of the bounds of the solid; may be infinite
    bool proved;     // balls cover the ray from its origin to `covered`
    float covered;   // end of the part covered by balls: proved ones, or those of samples
    float last_t;    // of the last accepted sample,
    float last;      // its radius
    float f_covered; // sample of the last point inside; NARROW
    float past, f_past;
    float step; // LEAVING
    int count;  // samples in this phase
} Walk;

/// A sample with its proved bounds.
typedef struct Sample
{
    float f;
    float low, high; // proved bounds of the true value of f
    float slope;
    float least; // step
} Sample;

// -----------------------------------------------------------------------------------------------------------
// One sample
// -----------------------------------------------------------------------------------------------------------

static void begin_leaving(Walk* self, float end, float least)
{
    self->chord->end = end;
    self->phase = LEAVING;
    self->step = least;
    self->count = 0;
}

static void begin_narrow(Walk* self, const Sample* sample)
{
    self->phase = NARROW;
    self->past = self->t;
    self->f_past = sample->f;
    self->count = 0;
}

static void aim(Walk* self)
{
    float width = self->past - self->last_t;
    float fraction = self->f_covered / (self->f_covered - self->f_past);
    self->t = self->last_t + width * (fraction > 0.1f ? (fraction < 0.9f ? fraction : 0.9f) : 0.1f);
}

/// The ball of the sample covers the ray from `covered` on. The next step is as long as the balls of both its
/// ends would cover if the radius changed as over the last step.
static void accept(Walk* self, float radius, const Sample* sample)
{
    float moved = self->t - self->last_t;
    float change = moved > 0.0f ? (radius - self->last) / moved : -1.0f;
    float longest = change < 0.9f ? 2.0f * radius / (1.0f - change) : 2.0f * radius;
    self->last_t = self->t;
    self->last = radius;
    self->f_covered = sample->f;
    self->covered = fmaxf(self->covered, self->t + radius);
    if (self->proved)
    {
        self->chord->low = self->covered;
    }
    float next = self->t + fmaxf(RELAXATION * fminf(longest, 2.0f * radius), radius);
    self->t = fmaxf(next, self->t + sample->least);
}

static void step_inside(Walk* self, const Sample* sample)
{
    float proved = -sample->high / sample->slope, sampled = -sample->f / sample->slope;
    bool jumped = self->t > self->covered;
    if (self->proved && proved >= sample->least && self->t - proved <= self->covered)
    {
        accept(self, proved, sample);
    }
    else if (self->proved && jumped)
    {
        self->t = self->covered;
        self->last = INFINITY; // the next step is that of one ball
    }
    else if (sampled > 0.0f ? self->t - sampled <= self->covered || self->t - self->covered <= sample->least
                            : self->t == 0.0f && sampled >= 0.0f)
    {
        self->proved = false;
        accept(self, sampled, sample);
    }
    else if (jumped && self->t - self->covered > sample->least)
    {
        self->proved = false;
        self->t = self->covered;
        self->last = INFINITY;
    }
    else if (self->t > 0.0f)
    {
        begin_narrow(self, sample);
        aim(self);
    }
    else
    {
        begin_leaving(self, 0.0f, sample->least);
    }
}

static void step_narrow(Walk* self, const Sample* sample)
{
    if (sample->f < 0.0f)
    {
        self->last_t = self->t;
        self->f_covered = sample->f;
    }
    else
    {
        self->past = self->t;
        self->f_past = sample->f;
    }
    aim(self);
    if (!(self->past - self->last_t > sample->least) || self->count > NARROW_STEPS)
    {
        begin_leaving(self, fmaxf(self->t, self->chord->low), sample->least);
    }
}

static void step_leaving(Walk* self, const Sample* sample)
{
    if (sample->low > 0.0f)
    {
        self->chord->high = fmaxf(self->t, self->chord->end);
        self->phase = DONE;
        return;
    }
    float missing = -(sample->f > 0.0f ? sample->low : sample->f) / sample->slope;
    self->t += missing > self->step && missing < INFINITY ? missing : self->step;
    self->step *= GROWTH;
}

static void finish(Walk* self, float end, float high)
{
    self->chord->end = end;
    self->chord->high = high;
    self->phase = DONE;
}

static void advance(Walk* self, const Sample* sample)
{
    self->count += 1;
    switch (self->phase)
    {
    case INSIDE:
        step_inside(self, sample);
        if (self->phase == INSIDE && self->covered >= self->limit)
        {
            finish(self, self->limit, self->limit);
        }
        else if (self->phase == INSIDE && self->count >= INSIDE_STEPS)
        {
            begin_leaving(self, self->covered, sample->least);
        }
        break;
    case NARROW:
        step_narrow(self, sample);
        break;
    case LEAVING:
        step_leaving(self, sample);
        if (self->phase == LEAVING && (self->t >= self->limit || self->count >= LEAVING_STEPS))
        {
            finish(self, self->chord->end, INFINITY); // finish() takes the limit, where there is one
        }
        break;
    case DONE:
        break;
    }
}

// -----------------------------------------------------------------------------------------------------------
// All rays
// -----------------------------------------------------------------------------------------------------------

/// Exit distance of a ray that begins in a box, or hardly outside.
static float box_end(AbutBox box, const AbutChord* chord)
{
    const float low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
    const float at[3] = { chord->origin.x, chord->origin.y, chord->origin.z };
    const float d[3] = { chord->direction.x, chord->direction.y, chord->direction.z };
    float end = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        float distance = d[axis] > 0.0f ? high[axis] - at[axis] : at[axis] - low[axis];
        float size = fabsf(d[axis]);
        float t = size > 0.0f ? distance / size : INFINITY;
        end = t < end ? t : end;
    }
    return end > 0.0f ? end : 0.0f;
}

static float largest_coordinate(AbutVec3 v)
{
    return fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
}

static Walk begin(const AbutPair* pair, int side, AbutChord* chord)
{
    float far = largest_coordinate(chord->origin);
    AbutBox box = abut_box_expand(pair->boxes[side], pair->sides[side].rounding + POINT_ROUNDING * far);
    chord->low = 0.0f;
    chord->end = 0.0f;
    chord->high = INFINITY;
    return (Walk){ .chord = chord, .phase = INSIDE, .limit = box_end(box, chord), .proved = true };
}

/// Samples the unfinished rays, side by side, in one solid. Returns their count.
static size_t sample_rays(AbutPair* pair, int side, const Walk* walks, size_t count, AbutPairBatch* batch,
                          size_t* which)
{
    size_t n = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (walks[i].phase != DONE)
        {
            const AbutChord* chord = walks[i].chord;
            batch->at[0][n] = chord->origin.x + walks[i].t * chord->direction.x;
            batch->at[1][n] = chord->origin.y + walks[i].t * chord->direction.y;
            batch->at[2][n] = chord->origin.z + walks[i].t * chord->direction.z;
            which[n++] = i;
        }
    }
    batch->count = n;
    abut_pair_sample_side(pair, side, batch, false);
    return n;
}

/// Bounds from nodes of a field, where these are sharper than the stated error.
static void bound_by_field(const AbutPairSide* self, const AbutPairBatch* batch, size_t i, Sample* sample)
{
    AbutDVec3 outer = abut_dvec3_from_vec3(abut_pair_batch_point(batch, i));
    AbutVec3 own = abut_dvec3_to_vec3(abut_transform_inverse_point(&self->frame, outer));
    AbutDistanceBounds bounds = abut_field_point_bounds(self->shape, own);
    float scale = (float)self->frame.scale;
    float low = scale * bounds.low, high = scale * bounds.high;
    float slack = self->rounding + 1e-6f * (fabsf(low) + fabsf(high));
    sample->low = low - slack > sample->low ? low - slack : sample->low;
    sample->high = high + slack < sample->high ? high + slack : sample->high;
}

/// True where the stated error is too large for a sample, and nodes may be sharper.
static bool asks_nodes(const Walk* walk, const Sample* sample)
{
    switch (walk->phase)
    {
    case INSIDE:
        return walk->proved && sample->f < 0.0f && !(sample->high <= WIDE * sample->f);
    case LEAVING:
        return sample->f > 0.0f && !(sample->low > 0.0f);
    default:
        return false;
    }
}

static Sample read_sample(const AbutPair* pair, int side, const AbutPairBatch* batch, size_t i,
                          const Walk* walk)
{
    const AbutPairSide* self = &pair->sides[side];
    bool proves = self->growth < INFINITY;
    float f = batch->distance[side][i], slope = proves ? fmaxf(self->growth, self->slope) : self->slope;
    float rounding = POINT_ROUNDING * (largest_coordinate(walk->chord->origin) + walk->t);
    float error = proves && self->error < INFINITY ? self->error : INFINITY;
    Sample sample = { f, f - error, f + error, slope, MIN_STEP * pair->size + rounding };
    if (self->is_field && proves && asks_nodes(walk, &sample))
    {
        bound_by_field(self, batch, i, &sample);
    }
    sample.low -= slope * rounding;
    sample.high += slope * rounding;
    return sample;
}

/// Rounds bounds outward, by the rounding of sums of steps and of the length of the direction.
static void round_out(const Walk* walk)
{
    AbutChord* chord = walk->chord;
    chord->high = fminf(chord->high * (1.0f + 1e-6f), walk->limit * (1.0f + 1e-6f));
    chord->end = fminf(chord->end, chord->high);
    chord->low = fminf(chord->low * (1.0f - 1e-6f), chord->end);
}

static void measure(AbutPair* pair, int side, AbutChord* chords, size_t count, bool proves)
{
    Walk walks[ABUT_PAIR_BATCH];
    AbutPairBatch batch;
    size_t which[ABUT_PAIR_BATCH];
    for (size_t i = 0; i < count; ++i)
    {
        walks[i] = begin(pair, side, &chords[i]);
        walks[i].proved = proves;
    }
    for (size_t n; (n = sample_rays(pair, side, walks, count, &batch, which)) > 0;)
    {
        for (size_t i = 0; i < n; ++i)
        {
            Walk* walk = &walks[which[i]];
            Sample sample = read_sample(pair, side, &batch, i, walk);
            advance(walk, &sample);
            walk->phase = walk->phase == LEAVING && !proves ? DONE : walk->phase;
        }
    }
    for (size_t i = 0; i < count; ++i)
    {
        round_out(&walks[i]);
    }
}

void abut_chords_prove(AbutPair* pair, int side, AbutChord* chords, size_t count)
{
    ABUT_ASSERT(count <= ABUT_PAIR_BATCH && (side == 0 || side == 1));
    measure(pair, side, chords, count, true);
}

void abut_chords_measure(AbutPair* pair, int side, AbutChord* chords, size_t count)
{
    ABUT_ASSERT(count <= ABUT_PAIR_BATCH && (side == 0 || side == 1));
    measure(pair, side, chords, count, false);
}
