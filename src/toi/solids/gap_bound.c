// Sums of lower bounds of two far points.
#include "toi/solids/gap_bound.h"

#include "shape/shape.h"

enum
{
    TRIES = 3
};

/// Distances of candidates for far points, the best first: in radii of the box, and at least in sizes of the
/// moving shape.
static const double RADII[TRIES] = { 4.0, 32.0, 6.0 }, SIZES[TRIES] = { 1.0, 0.0, 0.0 };

/// Loss of distance at the middle, as a fraction of the radius, that a far point may have to be good enough.
static const double GOOD = 0.1;

/// Progress, as a fraction of the radius, below which boxes get a gap bound.
static const double GAIN = 0.5;

/// Error of directions in float.
static const double DIRECTION_ERROR = 1e-6;

/// The lower bound of the distance by a far point, in the shape's own frame and units. The distance of a
/// convex solid has supporting planes: there the point is infinitely far away.
typedef struct FarPoint
{
    double low;          // distance at the far point, lower bound
    double value;        // lower bound of the distance at the middle of the box
    AbutDVec3 direction; // from the far point to the middle, of length 1
    double curve;        // 1 / (their distance)
} FarPoint;

/// A box in the frame of one of the shapes.
typedef struct View
{
    const AbutPairSide* side;
    AbutDVec3 middle, gradient; // the gradient of length 1
    double distance, radius, size;
} View;

static bool normalize(AbutDVec3* v)
{
    double length = abut_dvec3_length(*v);
    *v = abut_dvec3_normalize(*v);
    return length > 0.0 && isfinite(length);
}

static bool at_point(const View* view, AbutDVec3 point, FarPoint* out)
{
    const AbutPairSide* side = view->side;
    AbutVec3 p = abut_dvec3_to_vec3(point);
    float distance;
    abut_pair_side_sample(side, (AbutPoints){ &p.x, &p.y, &p.z }, 1, (AbutSamples){ .distance = &distance });
    AbutDVec3 at = abut_dvec3_from_vec3(p);
    out->direction = abut_dvec3_sub(view->middle, at);
    double rounding = (double)ABUT_TOI_ROUNDING * abut_dvec3_length(at);
    out->low = ((double)distance - (double)side->error - rounding) / (double)side->growth;
    return distance > 0.0f;
}

/// The supporting plane of the distance of a convex solid.
static bool support(const View* view, FarPoint* out)
{
    const AbutShapeInfo* info = &view->side->shape->info;
    double rounding = (double)ABUT_TOI_ROUNDING * abut_dvec3_length(view->middle);
    *out = (FarPoint){ .value = view->distance - (double)view->side->error - rounding,
                       .direction = abut_dvec3_neg(view->gradient) };
    return info->convex && info->distance_kind == ABUT_DISTANCE_EXACT;
}

/// The far point in a direction with the best bound.
static bool best_point(const View* view, AbutDVec3 direction, FarPoint* best)
{
    double most = -INFINITY;
    for (int k = 0; k < TRIES; ++k)
    {
        double step = fmax(RADII[k] * view->radius, SIZES[k] * view->size);
        FarPoint far;
        if (!at_point(view, abut_dvec3_mul_add(view->middle, step, direction), &far))
        {
            continue;
        }
        double length = abut_dvec3_length(far.direction), loss = 0.5 * view->radius * view->radius / length;
        far.value = far.low - length;
        far.curve = 1.0 / length;
        if (far.value - loss > most && normalize(&far.direction))
        {
            most = far.value - loss;
            *best = far;
        }
        if (view->distance - far.value < GOOD * view->radius)
        {
            break;
        }
    }
    return most > -INFINITY;
}

/// Time for which the sum of the bounds of two far points is positive. `m` is of the moving shape, `n` of the
/// standing one.
static double free_by_gap_bound(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i,
                                const FarPoint* m, const FarPoint* n)
{
    const AbutMotionSample* sample = &batch->samples[batch->sample_of[i]];
    double radius = abut_toi_radius(toi, batch->boxes[i].level), unit = toi->unit;
    double sum = n->value + unit * m->value - 0.5 * radius * radius * (n->curve + m->curve / unit) -
                 2.0 * DIRECTION_ERROR * radius - (double)toi->pair.sides[0].rounding * unit -
                 (double)(toi->pair.sides[1].rounding + abut_toi_rounding(batch, i));
    double half = unit * (1.0 + 1e-5) / (double)(1u << batch->boxes[i].level);
    AbutDVec3 in_moving = abut_transform_inverse_rotate(&sample->frame, n->direction);
    AbutDVec3 miss = abut_dvec3_abs(abut_dvec3_add(in_moving, m->direction));
    sum -= half * (double)toi->half.x * miss.x;
    sum -= half * (double)toi->half.y * miss.y;
    sum -= half * (double)toi->half.z * miss.z;
    if (!(sum > 0.0))
    {
        return -1.0;
    }
    AbutDVec3 middle = abut_dvec3_from_vec3(abut_pair_batch_point(&batch->in_standing, i));
    double towards = abut_dvec3_dot(abut_motion_sample_velocity(sample, middle), n->direction);
    const AbutToiBound* box_bound = &batch->box_bounds[i];
    double b = towards + abut_dvec3_length(sample->angular_velocity) * radius +
               (radius * n->curve + DIRECTION_ERROR) * box_bound->speed;
    double a = 0.5 * (box_bound->acceleration + box_bound->speed * box_bound->speed * n->curve);
    double root = sqrt(b * b + 4.0 * a * sum);
    double free_time = b > 0.0 ? 2.0 * sum / (b + root) : a > 0.0 ? (root - b) / (2.0 * a) : INFINITY;
    return free_time * (1.0 - 1e-9);
}

static bool make_view(const AbutToiSearch* toi, int number, const AbutPairBatch* batch, size_t k,
                      double radius, View* view)
{
    view->side = &toi->pair.sides[number];
    double unit = number == 0 ? toi->unit : 1.0;
    view->radius = radius / unit;
    view->size = toi->size / unit;
    view->distance = batch->distance[number][k];
    view->middle = abut_dvec3_from_vec3(abut_pair_batch_point(batch, k));
    view->gradient = abut_dvec3(batch->gradient[number][0][k], batch->gradient[number][1][k],
                                batch->gradient[number][2][k]);
    return normalize(&view->gradient);
}

/// The far point along the shape's own gradient.
static bool point_along(const View* view, FarPoint* out)
{
    return support(view, out) || best_point(view, view->gradient, out);
}

/// Far points on opposite sides, along the gradient of the one or the other shape, and each along its own,
/// until the free time is long enough.
static double free_box(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i, const View views[2])
{
    const AbutTransform* frame = &batch->samples[batch->sample_of[i]].frame;
    AbutDVec3 against_standing = abut_dvec3_neg(abut_transform_inverse_rotate(frame, views[1].gradient));
    AbutDVec3 against_moving = abut_dvec3_neg(abut_transform_rotate(frame, views[0].gradient));
    double free_time = -1.0;
    double enough = fmin(toi->limit - batch->boxes[i].time,
                         GAIN * abut_toi_radius(toi, batch->boxes[i].level) / batch->box_bounds[i].speed);
    FarPoint m, n, other;
    bool has_n = point_along(&views[1], &n);
    if (has_n && best_point(&views[0], against_standing, &m))
    {
        free_time = free_by_gap_bound(toi, batch, i, &m, &n);
    }
    bool has_m = free_time < enough && point_along(&views[0], &m);
    if (has_m && has_n)
    {
        free_time = fmax(free_time, free_by_gap_bound(toi, batch, i, &m, &n));
    }
    if (has_m && free_time < enough && best_point(&views[1], against_moving, &other))
    {
        free_time = fmax(free_time, free_by_gap_bound(toi, batch, i, &m, &other));
    }
    return free_time;
}

static void sample_gradients(AbutToiSearch* toi, int number, AbutPairBatch* batch)
{
    float(*g)[ABUT_PAIR_BATCH] = batch->gradient[number];
    abut_pair_side_sample(&toi->pair.sides[number], (AbutPoints){ batch->at[0], batch->at[1], batch->at[2] },
                          batch->count, (AbutSamples){ batch->distance[number], g[0], g[1], g[2] });
    toi->evaluations += batch->count;
}

void abut_toi_gap_bound(AbutToiSearch* toi, AbutToiBatch* batch)
{
    AbutPairBatch in_moving, in_standing;
    size_t which[ABUT_TOI_BATCH];
    if (toi->pair.sides[0].is_field || toi->pair.sides[1].is_field)
    {
        return; // fields with proved bounds are searched by their octrees
    }
    in_moving.count = 0;
    for (size_t i = 0; i < batch->count; ++i)
    {
        double radius = abut_toi_radius(toi, batch->boxes[i].level);
        const AbutToiBound* box_bound = &batch->box_bounds[i];
        bool late = batch->boxes[i].time + box_bound->free_time >= toi->limit;
        if (late || batch->boxes[i].inside || radius > toi->gap_bound_radius ||
            box_bound->free_time * box_bound->speed > GAIN * radius)
        {
            continue;
        }
        abut_pair_batch_set(&in_moving, in_moving.count, abut_pair_batch_point(&batch->in_moving, i));
        abut_pair_batch_set(&in_standing, in_moving.count, abut_pair_batch_point(&batch->in_standing, i));
        which[in_moving.count++] = i;
    }
    in_standing.count = in_moving.count;
    if (in_moving.count == 0)
    {
        return;
    }
    sample_gradients(toi, 0, &in_moving);
    sample_gradients(toi, 1, &in_standing);
    for (size_t k = 0; k < in_moving.count; ++k)
    {
        size_t i = which[k];
        double radius = abut_toi_radius(toi, batch->boxes[i].level);
        View views[2];
        if (make_view(toi, 0, &in_moving, k, radius, &views[0]) &&
            make_view(toi, 1, &in_standing, k, radius, &views[1]))
        {
            toi->evaluations += 4 * TRIES;
            double free_time = free_box(toi, batch, i, views);
            batch->box_bounds[i].low = free_time > batch->box_bounds[i].free_time
                                           ? 0.0
                                           : batch->box_bounds[i].low; // no bound of the separation
            batch->box_bounds[i].free_time = fmax(batch->box_bounds[i].free_time, free_time);
        }
    }
}
