// Queries at the present poses: ray casts, overlaps, nearest points.
#include "dynamics/state/world.h"

#include "base/fp_env.h"
#include "math/transform.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// Rounding of float coordinates of size 1, with some reserve: boxes of the broad phase and rays are in
/// float.
#define POSITION_ROUNDING 5e-7

static double largest(AbutPosition p)
{
    return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
}

static AbutVec3 unit(AbutVec3 v)
{
    float length = abut_vec3_length(v);
    return length > 0.0f ? abut_vec3_scale(v, 1.0f / length) : abut_vec3(1.0f, 0.0f, 0.0f);
}

// -----------------------------------------------------------------------------------------------------------
// Rays
// -----------------------------------------------------------------------------------------------------------

AbutRayInput abut_ray_input(AbutPosition origin, AbutVec3 direction)
{
    return (AbutRayInput){ origin, direction, INFINITY, UINT32_MAX };
}

typedef struct RayQuery
{
    const AbutWorld* world;
    const AbutRayInput* input;
    uint32_t body; // of the best so far
    AbutRayOutput best;
} RayQuery;

/// The ray in the frame of a body.
typedef struct LocalRay
{
    const AbutShape* shape;
    AbutDVec3 from, direction;             // displacement to t = 1
    AbutDVec3 from_error, direction_error; // upper bounds of their rounding
    double length;                         // of the direction
} LocalRay;

/// Rounding of the coordinates of a vector in a frame (docs/proofs.md). Off the diagonal an entry of a
/// rotation has its own rounding alone; on it two sums may cancel.
static AbutDVec3 local_error(const AbutTransform* frame, AbutDVec3 parent)
{
    const AbutDMat3* r = &frame->rotation;
    AbutDMat3 sizes = { { { 1.0, fabs(r->m[0][1]), fabs(r->m[0][2]) },
                          { fabs(r->m[1][0]), 1.0, fabs(r->m[1][2]) },
                          { fabs(r->m[2][0]), fabs(r->m[2][1]), 1.0 } } };
    AbutDVec3 sum = abut_dmat3_transform_transposed(&sizes, abut_dvec3_abs(parent));
    return abut_dvec3_div(abut_dvec3_scale(sum, ABUT_TRANSFORM_ROUNDING), frame->scale);
}

static LocalRay make_local(const AbutBody* body, const AbutPose* pose, const AbutRayInput* input)
{
    AbutTransform frame = abut_transform_from_pose(pose);
    // In double: the error of float is relative to the distance of the body.
    AbutDVec3 origin = abut_dvec3_from_position(input->origin);
    AbutDVec3 direction = abut_dvec3_from_vec3(input->direction);
    LocalRay ray = { .shape = body->shape };
    ray.from = abut_transform_inverse_point(&frame, origin);
    ray.direction = abut_dvec3_div(abut_transform_inverse_rotate(&frame, direction), frame.scale);
    ray.from_error = local_error(&frame, abut_dvec3_sub(origin, frame.translation));
    ray.direction_error = local_error(&frame, direction);
    ray.length = abut_dvec3_length(ray.direction);
    return ray;
}

static AbutVec3 position_at(const LocalRay* ray, double t)
{
    return abut_dvec3_to_vec3(abut_dvec3_mul_add(ray->from, t, ray->direction));
}

/// Level of the surface for a piece of the ray up to t: the rounding of its positions, or 0 where samples
/// count more for their own.
static float level_of(const LocalRay* ray, double t, AbutVec3 from, AbutVec3 to)
{
    AbutDVec3 errors = abut_dvec3_mul_add(ray->from_error, t, ray->direction_error);
    double error = errors.x + errors.y + errors.z;
    double size = fmax(abut_vec3_length(from), abut_vec3_length(to));
    double slope = fmax(1.0, (double)abut_shape_info(ray->shape).lipschitz);
    return error > 0x1p-24 * size ? (float)fmin(1.001 * slope * error, 1e30) : 0.0f;
}

/// Clips [*begin, *end] to the times with t·slope ≥ least.
static void cut(double slope, double least, double* begin, double* end)
{
    if (slope > 0.0)
    {
        *begin = fmax(*begin, least / slope);
    }
    else if (slope < 0.0)
    {
        *end = fmin(*end, least / slope);
    }
    else if (least > 0.0)
    {
        *end = -1.0;
    }
}

/// Clips [*begin, *end] to the bounds, with a margin for rounding.
static void clip(const LocalRay* ray, double* begin, double* end)
{
    AbutBox box = abut_shape_info(ray->shape).bounds;
    AbutDVec3 low = abut_dvec3_from_vec3(box.min), high = abut_dvec3_from_vec3(box.max);
    for (int i = 0; i < 3; ++i)
    {
        double least = abut_dvec3_get(low, i), most = abut_dvec3_get(high, i);
        double from = abut_dvec3_get(ray->from, i), direction = abut_dvec3_get(ray->direction, i);
        double slack = abut_dvec3_get(ray->direction_error, i);
        double size = isfinite(most - least) ? most - least : 0.0;
        double margin = fmax(1e-5 * (size + fabs(from)), 2.0 * abut_dvec3_get(ray->from_error, i));
        cut(slack + direction, least - margin - from, begin, end);
        cut(slack - direction, from - margin - most, begin, end);
    }
}

enum
{
    MAX_PIECES = 256 // doubling each time, past the range of float
};

/// First hit between two times; infinite rays in pieces, each as long as all before it, so that rounding
/// stays small relative to the distance.
static AbutCastState first_touch(const LocalRay* ray, double begin, double end, double* t)
{
    AbutCastSettings settings = abut_cast_settings();
    double gap = (double)abut_shape_distance(ray->shape, position_at(ray, begin), NULL);
    double start = fmax(fabs(gap), 1e-6 * fmax(ray->length * begin, (double)FLT_MIN));
    double piece = isfinite(end) ? end - begin : 4.0 * start / ray->length;
    for (int i = 0; i < MAX_PIECES && begin < end; ++i)
    {
        double stop = fmin(begin + piece, end);
        AbutVec3 from = position_at(ray, begin), to = position_at(ray, stop);
        if (!abut_vec3_is_finite(to))
        {
            return ABUT_CAST_MISS;
        }
        settings.iso = level_of(ray, stop, from, to);
        AbutPoints points[2] = { { &from.x, &from.y, &from.z }, { &to.x, &to.y, &to.z } };
        float time;
        uint8_t state;
        abut_cast_segments(ray->shape, &settings, (AbutSegments){ points[0], points[1] }, 1,
                           (AbutCastHits){ &time, &state });
        if (state != ABUT_CAST_MISS)
        {
            *t = begin + (double)time * (stop - begin);
            return (AbutCastState)state;
        }
        begin = stop;
        piece *= 2.0;
    }
    return ABUT_CAST_MISS;
}

static float ray_hit(void* user, uint32_t id, float enter, float limit)
{
    RayQuery* query = user;
    (void)enter;
    uint32_t index = query->world->body_of_box[id];
    const AbutBody* body = &query->world->bodies[index];
    AbutPose pose = abut_body_pose(body);
    LocalRay ray = make_local(body, &pose, query->input);
    double begin = 0.0,
           end = query->best.state == ABUT_CAST_MISS ? (double)query->input->limit : query->best.time,
           t = 0.0;
    clip(&ray, &begin, &end);
    AbutCastState state = begin <= end ? first_touch(&ray, begin, end, &t) : ABUT_CAST_MISS;
    bool better = state != ABUT_CAST_MISS && (query->best.state == ABUT_CAST_MISS || t < query->best.time ||
                                              (t == query->best.time && index < query->body));
    if (!better)
    {
        return limit;
    }
    AbutVec3 gradient, at = position_at(&ray, t);
    abut_shape_distance(body->shape, at, &gradient);
    query->body = index;
    query->best.state = state == ABUT_CAST_INSIDE && begin > 0.0 ? ABUT_CAST_HIT : state;
    query->best.body = abut_world_id(query->world, index);
    query->best.time = t;
    query->best.normal = unit(abut_quat_rotate(pose.rotation, gradient));
    float next = (float)t;
    return fminf(limit, next + 1e-6f * fabsf(next)); // ties
}

AbutResult abut_world_cast_ray(const AbutWorld* world, const AbutRayInput* input, AbutRayOutput* out)
{
    ABUT_FP_CALL(abut_world_cast_ray, world, input, out);
    double size = (double)abut_vec3_length(input->direction);
    if (!abut_dvec3_is_finite(abut_dvec3_from_position(input->origin)) || !(size > 0.0) || !isfinite(size) ||
        !(input->limit >= 0.0f))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "world: a ray needs a finite origin, a direction that is not zero, and a limit of 0 or more");
    }
    if (input->mask == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "world: the mask of a ray is 0, which no body is in; start from abut_ray_input()");
    }
    RayQuery query = { .world = world, .input = input };
    query.best.state = ABUT_CAST_MISS;
    double padding = POSITION_ROUNDING * (largest(input->origin) + world->coordinate_bound);
    AbutBroadRay ray = { .origin = abut_vec3((float)input->origin.x, (float)input->origin.y,
                                             (float)input->origin.z),
                         .direction = input->direction,
                         .limit = input->limit,
                         .mask = input->mask,
                         .margin = (float)padding };
    AbutResult result = abut_broad_query_ray(world->broad, &ray, ray_hit, &query);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (query.best.state != ABUT_CAST_MISS)
    {
        AbutDVec3 origin = abut_dvec3_from_position(input->origin);
        AbutDVec3 direction = abut_dvec3_from_vec3(input->direction);
        query.best.position = abut_dvec3_to_position(abut_dvec3_mul_add(origin, query.best.time, direction));
    }
    *out = query.best;
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Overlaps
// -----------------------------------------------------------------------------------------------------------

typedef struct OverlapQuery
{
    const AbutWorld* world;
    AbutCollideInput input;
    AbutOverlap* out;
    uint32_t capacity, written, count;
} OverlapQuery;

/// Keeps the list sorted by index; the largest index beyond the capacity is dropped.
static void insert(OverlapQuery* query, AbutOverlap found)
{
    query->count += 1;
    uint32_t at = query->written;
    while (at > 0 && query->out[at - 1].body.index > found.body.index)
    {
        --at;
    }
    if (at >= query->capacity)
    {
        return;
    }
    query->written += query->written < query->capacity ? 1 : 0;
    memmove(query->out + at + 1, query->out + at, (query->written - at - 1) * sizeof(AbutOverlap));
    query->out[at] = found;
}

static bool overlap_hit(void* user, uint32_t id)
{
    OverlapQuery* query = user;
    uint32_t index = query->world->body_of_box[id];
    const AbutBody* body = &query->world->bodies[index];
    query->input.shape_b = body->shape;
    query->input.pose_b = abut_body_pose(body);
    AbutCollideState state = abut_collide(&query->input, NULL, 0).state;
    if (state != ABUT_COLLIDE_SEPARATED)
    {
        insert(query, (AbutOverlap){ abut_world_id(query->world, index), state });
    }
    return true;
}

AbutResult abut_world_overlap(const AbutWorld* world, const AbutOverlapInput* input, AbutOverlap* out,
                              uint32_t capacity, uint32_t* count)
{
    ABUT_FP_CALL(abut_world_overlap, world, input, out, capacity, count);
    if (input->shape == NULL || !abut_pose_is_valid(&input->pose))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "world: what overlaps needs a shape and a pose of finite numbers, a "
                         "positive scale and a quaternion of length 1");
    }
    if (input->mask == 0)
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "world: the mask of what overlaps is 0, which no body is in; start from abut_overlap_input()");
    }
    OverlapQuery query = { .world = world, .out = out, .capacity = capacity };
    query.input = abut_collide_input(input->shape, input->shape);
    query.input.pose_a = input->pose;
    AbutBox box = abut_pose_transform_box(&input->pose, abut_shape_info(input->shape).bounds);
    abut_broad_query_box(world->broad, box, input->mask, overlap_hit, &query);
    *count = query.count;
    return ABUT_OK;
}

AbutOverlapInput abut_overlap_input(const AbutShape* shape, AbutPose pose)
{
    return (AbutOverlapInput){ shape, pose, UINT32_MAX };
}

// -----------------------------------------------------------------------------------------------------------
// Nearest points
// -----------------------------------------------------------------------------------------------------------

/// Relative error of the distance of a nearest point.
#define NEAREST_TOLERANCE 1e-3f

typedef struct NearestQuery
{
    const AbutWorld* world;
    AbutPosition from;
    uint32_t body;
    AbutNearestOutput best;
} NearestQuery;

enum
{
    MAX_STEPS_DOWN = 256 // the descent zigzags at sharp edges of combinations
};

/// Bisection of a change of sign between two points.
static AbutVec3 bisect(const AbutShape* shape, AbutVec3 at, AbutVec3 other)
{
    bool inside = abut_shape_distance(shape, at, NULL) < 0.0f;
    for (int i = 0; i < 40; ++i)
    {
        AbutVec3 middle = abut_vec3_scale(abut_vec3_add(at, other), 0.5f);
        bool same = (abut_shape_distance(shape, middle, NULL) < 0.0f) == inside;
        at = same ? middle : at;
        other = same ? other : middle;
    }
    return other;
}

/// Descent along the gradient to the surface: one step for an exact distance. Where gradients disagree (nodes
/// of a coarse field) it alternates, but a change of sign brackets the surface.
static AbutVec3 project(const AbutShape* shape, AbutVec3 at)
{
    float slope = fmaxf(abut_shape_info(shape).lipschitz, 1.0f);
    AbutVec3 gradient;
    float gap = abut_shape_distance(shape, at, &gradient);
    for (int i = 0; i < MAX_STEPS_DOWN && gap != 0.0f; ++i)
    {
        AbutVec3 next = abut_vec3_sub(at, abut_vec3_scale(unit(gradient), gap / slope));
        float left = abut_shape_distance(shape, next, &gradient);
        if ((left < 0.0f) != (gap < 0.0f))
        {
            return bisect(shape, at, next);
        }
        at = next;
        gap = left;
    }
    return at;
}

/// Nearest surface point of a body, in its frame. The value of a shape never exceeds the distance: a surface
/// point at that distance is the nearest. Elsewhere (combinations, beyond the grid of a field) it is searched
/// for with a small ball in place of the point.
static AbutVec3 nearest_point(const NearestQuery* query, const AbutBody* body, const AbutPose* pose)
{
    AbutVec3 at = abut_pose_inverse_transform_point(pose, query->from);
    AbutShapeInfo info = abut_shape_info(body->shape);
    float gap = abut_shape_distance(body->shape, at, NULL) / info.lipschitz;
    AbutVec3 down = project(body->shape, at);
    float length = abut_vec3_length(abut_vec3_sub(down, at));
    if (gap <= 0.0f || length <= (1.0f + NEAREST_TOLERANCE) * gap + info.error)
    {
        return down;
    }
    AbutDistanceInput input = abut_distance_input(query->world->probe, body->shape);
    input.pose_a.position = (AbutPosition){ at.x, at.y, at.z };
    input.pose_a.scale = fmaxf(NEAREST_TOLERANCE * gap, 1e-12f);
    input.tolerance = 0.1f; // of the ball's radius
    AbutVec3 offset = abut_vec3_scale(abut_distance(&input).point_b, input.pose_a.scale);
    AbutVec3 found = project(body->shape, abut_vec3_add(at, offset));
    return abut_vec3_length(abut_vec3_sub(found, at)) < length ? found : down;
}

static void consider(NearestQuery* query, uint32_t index)
{
    const AbutBody* body = &query->world->bodies[index];
    AbutPose pose = abut_body_pose(body);
    AbutVec3 local = nearest_point(query, body, &pose), gradient;
    AbutPosition at = abut_pose_transform_point(&pose, local);
    double length = abut_dvec3_distance(abut_dvec3_from_position(at), abut_dvec3_from_position(query->from));
    bool inside = abut_shape_distance_at(body->shape, &pose, query->from, NULL) < 0.0f;
    double distance = inside ? -length : length;
    AbutNearestOutput* best = &query->best;
    if (!isfinite(distance))
    {
        return; // no finite distance, no surface point
    }
    if (best->found && (distance > best->distance || (distance == best->distance && index > query->body)))
    {
        return;
    }
    abut_shape_distance(body->shape, local, &gradient);
    query->body = index;
    *best = (AbutNearestOutput){ .found = true,
                                 .body = abut_world_id(query->world, index),
                                 .position = at,
                                 .normal = unit(abut_quat_rotate(pose.rotation, gradient)),
                                 .distance = distance };
}

/// Distance of a coordinate to an interval.
static double distance_to_interval(double low, double high, double at)
{
    return fmax(0.0, fmax(low - at, at - high));
}

static double squared_distance_to_box(AbutBox box, AbutPosition p)
{
    return abut_dvec3_squared_length(abut_dvec3(distance_to_interval(box.min.x, box.max.x, p.x),
                                                distance_to_interval(box.min.y, box.max.y, p.y),
                                                distance_to_interval(box.min.z, box.max.z, p.z)));
}

static bool nearest_hit(void* user, uint32_t id)
{
    NearestQuery* query = user;
    double best = query->best.found ? fmax(query->best.distance, 0.0) : INFINITY;
    if (squared_distance_to_box(abut_broad_box(query->world->broad, id), query->from) <=
        best * best * (1.0 + 1e-6))
    {
        consider(query, query->world->body_of_box[id]);
    }
    return true;
}

static AbutBox box_around(AbutPosition p, double max_distance)
{
    AbutPose pose = abut_pose_at(p.x, p.y, p.z);
    float r = (float)fmin(max_distance, 1e37);
    AbutBox box = abut_box(abut_vec3(-r, -r, -r), abut_vec3(r, r, r));
    return abut_pose_transform_box(&pose, box);
}

AbutResult abut_world_nearest(const AbutWorld* world, AbutPosition from, float max_distance, uint32_t mask,
                              AbutNearestOutput* out)
{
    ABUT_FP_CALL(abut_world_nearest, world, from, max_distance, mask, out);
    if (!abut_dvec3_is_finite(abut_dvec3_from_position(from)) || !(max_distance >= 0.0f))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "world: what is nearest needs a finite place and a distance of 0 or more");
    }
    NearestQuery query = { .world = world, .from = from };
    // Growing boxes, until a hit is nearer than everything outside.
    double all = 2.0 * (largest(from) + world->coordinate_bound),
           wide = fmin((double)max_distance, 1e-3 * all);
    for (bool last = false; !last; wide = fmin((double)max_distance, 2.0 * wide))
    {
        last = wide >= (double)max_distance || wide >= all;
        AbutBox box = last && !isfinite(max_distance) ? abut_box_infinite() : box_around(from, wide);
        abut_broad_query_box(world->broad, box, mask, nearest_hit, &query);
        last = last || (query.best.found && query.best.distance <= wide);
    }
    bool in_range = query.best.found && query.best.distance <= (double)max_distance;
    *out = in_range ? query.best : (AbutNearestOutput){ 0 };
    return ABUT_OK;
}
