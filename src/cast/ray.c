// One ray against a shape: the part of it within the bounds as a segment, or as segments of doubling length.
#include <abut/cast.h>

#include "base/fp_env.h"
#include "cast/cast.h"
#include "math/dvec3.h"

#include <float.h>
#include <math.h>

enum
{
    MAX_SEGMENTS = 256 // each twice as long as the last: beyond the range of float
};

/// Padding of the bounds, as a fraction of their size and of the origin's coordinates, for rounding.
#define BOUNDS_PADDING 1e-5

/// Shortest first segment of an unbounded ray, as a fraction of the distance from the origin.
#define MIN_SEGMENT 1e-6

/// Distances along a unit direction, in double.
typedef struct Ray
{
    const AbutShape* shape;
    const AbutCastSettings* settings;
    AbutDVec3 origin, direction;
    double begin, end; // the part to search
    bool bounded;      // it is within finite bounds
} Ray;

static AbutVec3 position_at(const Ray* ray, double distance)
{
    return abut_dvec3_to_vec3(abut_dvec3_mul_add(ray->origin, distance, ray->direction));
}

static AbutResult check(const AbutRay* ray)
{
    AbutVec3 d = ray->direction;
    bool is_zero = d.x == 0.0f && d.y == 0.0f && d.z == 0.0f;
    if (!abut_vec3_is_finite(ray->origin) || !abut_vec3_is_finite(d) || is_zero ||
        !(ray->max_distance >= 0.0f))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "ray: the origin must be finite, the direction finite and not "
                         "zero, and max_distance 0 or more");
    }
    return ABUT_OK;
}

static Ray make_ray(const AbutShape* shape, const AbutCastSettings* settings, const AbutRay* ray)
{
    AbutDVec3 direction = abut_dvec3_from_vec3(ray->direction);
    double length = abut_dvec3_length(direction); // squares of floats are normal in double
    return (Ray){ .shape = shape,
                  .settings = settings,
                  .origin = abut_dvec3_from_vec3(ray->origin),
                  .direction = abut_dvec3_div(direction, length),
                  .end = ray->max_distance };
}

/// Cuts the part to search down to the bounds, which contain { f ≤ σ } for σ ≤ 0.
static void clip(Ray* ray)
{
    AbutBox box = abut_shape_info(ray->shape).bounds;
    AbutDVec3 low = abut_dvec3_from_vec3(box.min), high = abut_dvec3_from_vec3(box.max);
    ray->bounded = ray->settings->iso <= 0.0f && abut_box_is_finite(box);
    for (int i = 0; i < 3 && ray->settings->iso <= 0.0f; ++i)
    {
        double min = abut_dvec3_get(low, i), max = abut_dvec3_get(high, i);
        double origin = abut_dvec3_get(ray->origin, i), direction = abut_dvec3_get(ray->direction, i);
        double size = isfinite(max - min) ? max - min : 0.0;
        double padding = BOUNDS_PADDING * (size + fabs(origin));
        if (direction == 0.0)
        {
            bool outside = origin < min - padding || origin > max + padding;
            ray->end = outside ? -INFINITY : ray->end;
            continue;
        }
        double one = (min - padding - origin) / direction;
        double other = (max + padding - origin) / direction;
        ray->begin = fmax(ray->begin, fmin(one, other));
        ray->end = fmin(ray->end, fmax(one, other));
    }
}

/// First hit of the part between two distances.
static AbutResult cast_segment(const Ray* ray, double begin, double end, AbutCastState* state,
                               double* distance)
{
    AbutVec3 from = position_at(ray, begin), to = position_at(ray, end);
    AbutSegments segment = { { &from.x, &from.y, &from.z }, { &to.x, &to.y, &to.z } };
    float time;
    uint8_t code;
    AbutResult result =
        abut_cast_segments(ray->shape, ray->settings, segment, 1, (AbutCastHits){ &time, &code });
    if (result == ABUT_OK)
    {
        *state = code == ABUT_CAST_INSIDE && begin > 0.0 ? ABUT_CAST_HIT : (AbutCastState)code;
        *distance = begin + (double)time * (end - begin);
    }
    return result;
}

/// One segment within finite bounds; else segments of doubling length, so that rounding stays small beside
/// the distance from the origin.
static AbutResult search(const Ray* ray, AbutCastState* state, double* distance)
{
    double gap =
        (double)(abut_shape_distance(ray->shape, position_at(ray, ray->begin), NULL) - ray->settings->iso);
    double first = fmax(fabs(gap), MIN_SEGMENT * fmax(ray->begin, (double)FLT_MIN));
    double length = ray->bounded ? ray->end - ray->begin : 4.0 * first, begin = ray->begin;
    AbutResult result = ABUT_OK;
    bool last = false;
    *state = ABUT_CAST_MISS;
    for (int i = 0; i < MAX_SEGMENTS && !last && result == ABUT_OK && *state == ABUT_CAST_MISS; ++i)
    {
        double end = fmin(begin + length, ray->end);
        if (!abut_vec3_is_finite(position_at(ray, end)))
        {
            break;
        }
        result = cast_segment(ray, begin, end, state, distance);
        last = end >= ray->end;
        begin = end;
        length *= 2.0;
    }
    return result;
}

static AbutVec3 unit(AbutVec3 v)
{
    float length = abut_vec3_length(v);
    return length > 0.0f ? abut_vec3_scale(v, 1.0f / length) : abut_vec3(1.0f, 0.0f, 0.0f);
}

AbutResult abut_cast_ray(const AbutShape* shape, const AbutCastSettings* settings, const AbutRay* ray,
                         AbutRayHit* out)
{
    ABUT_FP_CALL(abut_cast_ray, shape, settings, ray, out);
    AbutCastState state = ABUT_CAST_MISS;
    double distance = 0.0;
    AbutResult result = abut_cast_check(settings);
    result = result == ABUT_OK ? check(ray) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    Ray self = make_ray(shape, settings, ray);
    clip(&self);
    result = self.begin <= self.end ? search(&self, &state, &distance) : ABUT_OK;
    if (result != ABUT_OK)
    {
        return result;
    }
    *out = (AbutRayHit){ .state = state, .distance = ray->max_distance };
    if (state != ABUT_CAST_MISS)
    {
        AbutVec3 gradient;
        out->distance = (float)distance;
        out->position = position_at(&self, distance);
        abut_shape_distance(shape, out->position, &gradient);
        out->normal = unit(gradient);
    }
    return ABUT_OK;
}
