// A user function as a shape.
#include "shape/formula/callback.h"

#include "shape/shape.h"

#include "base/fp_env.h"

typedef struct Callback
{
    AbutShape base;
    AbutDistanceFn* function;
    void* user;
    bool has_gradient;
    float step; // half-width of central differences
} Callback;

static void call(const Callback* self, AbutPoints points, size_t count, AbutSamples out)
{
    self->function(self->user, points, count, out);
    abut_fp_reset();
}

/// Distances with one coordinate of all points moved by `step`; the moved coordinates, rounded, go to
/// `moved`.
static void sample_moved(const Callback* self, AbutPoints points, int axis, float step, size_t count,
                         float* moved, float* distance)
{
    const float* coordinates[3] = { points.x, points.y, points.z };
    for (size_t i = 0; i < count; ++i)
    {
        moved[i] = coordinates[axis][i] + step;
    }
    coordinates[axis] = moved;
    call(self, (AbutPoints){ coordinates[0], coordinates[1], coordinates[2] }, count,
         (AbutSamples){ .distance = distance });
}

/// One component of the gradient by central differences over the step that rounding left.
static void difference_axis(const Callback* self, AbutPoints points, int axis, size_t count, float* gradient)
{
    float ahead[2][ABUT_SHAPE_BATCH], behind[2][ABUT_SHAPE_BATCH];
    sample_moved(self, points, axis, self->step, count, ahead[0], ahead[1]);
    sample_moved(self, points, axis, -self->step, count, behind[0], behind[1]);
    for (size_t i = 0; i < count; ++i)
    {
        float width = ahead[0][i] - behind[0][i];
        // A step below the rounding of a huge coordinate has no slope.
        gradient[i] = width > 0.0f ? (ahead[1][i] - behind[1][i]) / width : 0.0f;
    }
}

/// Set while infinite results are kept, since they have a sign. Functions run on the thread of the caller.
static _Thread_local bool keep_infinite;

/// Longer gradients are invalid: their squares would not be finite.
static const float LONGEST_GRADIENT = 1e15f;

/// False for NaN.
static bool is_gradient_component(float g)
{
    return fabsf(g) <= LONGEST_GRADIENT;
}

/// Results that are not finite, and those for points with a NaN, become NaN; invalid gradients become 0. So
/// no query sees an infinite distance or an invalid gradient.
static void poison_nan_points(AbutPoints points, size_t count, AbutSamples out)
{
    for (size_t i = 0; i < count; ++i)
    {
        bool known = (isfinite(out.distance[i]) || (keep_infinite && isinf(out.distance[i]))) &&
                     !isnan(points.x[i]) && !isnan(points.y[i]) && !isnan(points.z[i]);
        out.distance[i] = known ? out.distance[i] : NAN;
        if (out.gradient_x != NULL &&
            !(known && is_gradient_component(out.gradient_x[i]) && is_gradient_component(out.gradient_y[i]) &&
              is_gradient_component(out.gradient_z[i])))
        {
            out.gradient_x[i] = out.gradient_y[i] = out.gradient_z[i] = known ? 0.0f : NAN;
        }
    }
}

static void sample_local(const AbutShape* shape, AbutPoints points, size_t count, AbutSamples out)
{
    const Callback* self = (const Callback*)shape;
    if (out.gradient_x == NULL || self->has_gradient)
    {
        call(self, points, count, out);
    }
    else
    {
        call(self, points, count, (AbutSamples){ .distance = out.distance });
        difference_axis(self, points, 0, count, out.gradient_x);
        difference_axis(self, points, 1, count, out.gradient_y);
        difference_axis(self, points, 2, count, out.gradient_z);
    }
    poison_nan_points(points, count, out);
}

void abut_shape_sample_signs(const AbutShape* shape, AbutPoints points, size_t count, float* distance)
{
    keep_infinite = true;
    abut_shape_sample(shape, NULL, points, count, (AbutSamples){ .distance = distance });
    keep_infinite = false;
}

static void sample_callback(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                            size_t count, AbutSamples out)
{
    abut_shape_sample_local(shape, sample_local, frame, points, count, out);
}

static const AbutShapeClass callback_class = { .sample = sample_callback };

AbutCallbackDef abut_callback_def(void)
{
    return (AbutCallbackDef){
        .lipschitz = 1.0f,
        .bounds = abut_box_infinite(),
        .distance_kind = ABUT_DISTANCE_BOUND,
    };
}

static AbutResult check_def(const AbutCallbackDef* def)
{
    if (def->function == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "callback shape: the function is NULL");
    }
    if (!(def->lipschitz > 0.0f) || !isfinite(def->lipschitz))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "callback shape: lipschitz is %g; it must be finite and over 0",
                         (double)def->lipschitz);
    }
    if (!(def->gradient_step >= 0.0f) || !isfinite(def->gradient_step))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "callback shape: gradient_step is %g; it must be finite and at least 0",
                         (double)def->gradient_step);
    }
    if ((unsigned)def->distance_kind > ABUT_DISTANCE_BOUND)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "callback shape: %d is no kind of distance",
                         (int)def->distance_kind);
    }
    if (abut_box_is_empty(def->bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "callback shape: the bounds are empty or NaN; start from abut_callback_def()");
    }
    return ABUT_OK;
}

static float default_step(AbutBox bounds)
{
    AbutVec3 extents = abut_box_extents(bounds);
    float largest = isfinite(extents.x) ? fmaxf(0.0f, extents.x) : 0.0f;
    largest = isfinite(extents.y) ? fmaxf(largest, extents.y) : largest;
    largest = isfinite(extents.z) ? fmaxf(largest, extents.z) : largest;
    return largest > 0.0f ? 1e-3f * largest : 1e-3f;
}

AbutResult abut_shape_create_callback(const AbutCallbackDef* def, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_callback, def, out);
    *out = NULL;
    AbutResult result = check_def(def);
    if (result != ABUT_OK)
    {
        return result;
    }
    Callback* self = abut_shape_allocate(sizeof(Callback), ABUT_SHAPE_CALLBACK, &callback_class, def->host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->function = def->function;
    self->user = def->user;
    self->has_gradient = def->has_gradient;
    self->step = def->gradient_step > 0.0f ? def->gradient_step : default_step(def->bounds);
    self->base.info.lipschitz = def->lipschitz;
    self->base.rounding.float_only = true;
    self->base.info.bounds = def->bounds;
    self->base.info.distance_kind = def->distance_kind;
    bool grows =
        def->distance_kind == ABUT_DISTANCE_EXACT || def->distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    self->base.lower_lipschitz = grows ? abut_lipschitz_exact() : abut_lipschitz_unknown();
    *out = &self->base;
    return ABUT_OK;
}
