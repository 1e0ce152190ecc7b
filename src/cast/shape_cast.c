// Shapes other than fields: f changes by at most its slope bound times the displacement, so a sample proves a
// safe step.
#include "cast/shape_cast.h"

#include "math/dvec3.h"
#include "math/rounding.h"
#include "shape/shape.h"

#include <math.h>

/// Rounding of samples beyond the shape's stated error, relative to the coordinates and the size of the shape
/// (shape.h).
static const double SAMPLE_ROUNDING = 2e-6;

/// Parameters that all segments against a shape share.
typedef struct ShapeSteps
{
    const AbutShape* shape;
    double iso, slope;
    double tolerance; // of the settings
    double size;      // largest finite coordinate of the shape's bounds
    uint32_t budget;
} ShapeSteps;

/// One segment in progress.
typedef struct Stepper
{
    size_t number; // of the segment
    AbutDVec3 from, displacement;
    double length;
    double rounding, tolerance;
    double time;
    uint32_t samples;
} Stepper;

static double shape_size(const AbutShape* shape)
{
    const AbutBox box = shape->info.bounds;
    const float ends[6] = { box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z };
    double size = 0.0;
    for (int i = 0; i < 6; ++i)
    {
        size = isfinite(ends[i]) ? fmax(size, fabs((double)ends[i])) : size;
    }
    return size;
}

static ShapeSteps make_steps(const AbutShape* shape, const AbutCastSettings* settings)
{
    return (ShapeSteps){
        .shape = shape,
        .iso = (double)settings->iso,
        .slope = (double)shape->info.lipschitz,
        .tolerance = (double)settings->tolerance,
        .size = shape_size(shape),
        .budget = settings->budget,
    };
}

static Stepper make_stepper(const ShapeSteps* steps, size_t number, AbutVec3 from, AbutVec3 to)
{
    AbutDVec3 a = abut_dvec3_from_vec3(from), b = abut_dvec3_from_vec3(to);
    Stepper self = { .number = number, .from = a, .displacement = abut_dvec3_sub(b, a) };
    AbutDVec3 largest = abut_dvec3_max(abut_dvec3_abs(a), abut_dvec3_abs(b));
    double far = fmax(largest.x, fmax(largest.y, largest.z));
    self.length = abut_dvec3_length(self.displacement);
    self.rounding = SAMPLE_ROUNDING * (far + steps->size) * fmax(1.0, steps->slope);
    self.tolerance = fmax(steps->tolerance, 2.0 * self.rounding);
    return self;
}

static AbutVec3 position_of(const Stepper* self)
{
    return abut_dvec3_to_vec3(abut_dvec3_mul_add(self->from, self->time, self->displacement));
}

/// Advances the time, to 1 at most, by the step that a change of f permits.
static void advance(Stepper* self, const ShapeSteps* steps, double change)
{
    double displacement = change / steps->slope, rest = self->length * (1.0 - self->time);
    self->time = displacement < rest ? self->time + displacement / self->length : 1.0;
}

// -----------------------------------------------------------------------------------------------------------
// First crossings
// -----------------------------------------------------------------------------------------------------------

/// Segments in progress, one per lane, and the segments that follow.
typedef struct StepBatch
{
    ShapeSteps steps;
    AbutSegments segments;
    size_t next, count;
    AbutCastHits out;
    Stepper lanes[ABUT_SHAPE_BATCH];
    size_t lane_count;
} StepBatch;

static void store_result(StepBatch* batch, size_t segment, AbutCastState state, double time)
{
    batch->out.state[segment] = (uint8_t)state;
    batch->out.time[segment] = abut_round_down(time);
}

static void fill_lanes(StepBatch* batch)
{
    const AbutPoints a = batch->segments.from, b = batch->segments.to;
    for (; batch->lane_count < ABUT_SHAPE_BATCH && batch->next < batch->count; ++batch->next)
    {
        size_t i = batch->next;
        AbutVec3 from = abut_vec3(a.x[i], a.y[i], a.z[i]), to = abut_vec3(b.x[i], b.y[i], b.z[i]);
        if (!abut_vec3_is_finite(from) || !abut_vec3_is_finite(to))
        {
            store_result(batch, i, ABUT_CAST_INVALID, 0.0);
            continue;
        }
        batch->lanes[batch->lane_count++] = make_stepper(&batch->steps, i, from, to);
    }
}

/// True when the segment goes on.
static bool step_first(StepBatch* batch, Stepper* self, float f)
{
    double gap = (double)f - batch->steps.iso;
    ++self->samples;
    if (!(gap > self->tolerance))
    {
        store_result(batch, self->number, self->time > 0.0 ? ABUT_CAST_HIT : ABUT_CAST_INSIDE, self->time);
        return false;
    }
    advance(self, &batch->steps, gap - self->rounding);
    if (self->time >= 1.0)
    {
        store_result(batch, self->number, ABUT_CAST_MISS, 1.0);
        return false;
    }
    if (self->samples >= batch->steps.budget)
    {
        store_result(batch, self->number, ABUT_CAST_BUDGET, self->time);
        return false;
    }
    return true;
}

void abut_cast_shape_batch(const AbutShape* shape, const AbutCastSettings* settings, AbutSegments segments,
                           size_t count, AbutCastHits out)
{
    StepBatch batch = {
        .steps = make_steps(shape, settings), .segments = segments, .count = count, .out = out
    };
    float x[ABUT_SHAPE_BATCH], y[ABUT_SHAPE_BATCH], z[ABUT_SHAPE_BATCH], f[ABUT_SHAPE_BATCH];
    for (fill_lanes(&batch); batch.lane_count > 0; fill_lanes(&batch))
    {
        for (size_t i = 0; i < batch.lane_count; ++i)
        {
            AbutVec3 at = position_of(&batch.lanes[i]);
            x[i] = at.x;
            y[i] = at.y;
            z[i] = at.z;
        }
        abut_shape_sample_batch(shape, NULL, (AbutPoints){ x, y, z }, batch.lane_count,
                                (AbutSamples){ .distance = f });
        size_t kept = 0;
        for (size_t i = 0; i < batch.lane_count; ++i)
        {
            if (step_first(&batch, &batch.lanes[i], f[i]))
            {
                batch.lanes[kept++] = batch.lanes[i];
            }
        }
        batch.lane_count = kept;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Intervals
// -----------------------------------------------------------------------------------------------------------

double abut_cast_shape_intervals(const AbutShape* shape, const AbutCastSettings* settings, AbutVec3 from,
                                 AbutVec3 to, const AbutCastVisitor* visitor, uint64_t* samples)
{
    ShapeSteps steps = make_steps(shape, settings);
    Stepper self = make_stepper(&steps, 0, from, to);
    bool inside = false;
    double begin = 0.0;
    for (; self.samples < steps.budget; ++self.samples)
    {
        AbutVec3 at = position_of(&self);
        float f;
        abut_shape_sample_batch(shape, NULL, (AbutPoints){ &at.x, &at.y, &at.z }, 1,
                                (AbutSamples){ .distance = &f });
        ++*samples;
        double gap = (double)f - steps.iso;
        bool now = !(gap > self.tolerance);
        if (inside && !now)
        {
            visitor->visit(visitor->user, begin, self.time);
        }
        begin = now && !inside ? self.time : begin;
        inside = now;
        if (self.time >= 1.0)
        {
            break;
        }
        // Inside, near the surface, a lower limit keeps steps from dwindling: skipped gaps are below the
        // tolerance.
        double safe =
            now ? fmax(self.tolerance - gap - self.rounding, 0.5 * self.tolerance) : gap - self.rounding;
        advance(&self, &steps, safe == safe ? safe : self.tolerance);
    }
    if (inside)
    {
        visitor->visit(visitor->user, begin, self.time);
    }
    return self.time;
}
