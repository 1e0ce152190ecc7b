#include "toi/solids/gap_bound.h"

#include "shape/shape.h"

enum
{
    TRIES = 3
};

/// How far away points are looked for, the best first: in radii of the box, and at least so many sizes of the moving shape.
static const double RADII[TRIES] = { 4.0, 32.0, 6.0 }, SIZES[TRIES] = { 1.0, 0.0, 0.0 };

/// A far point that takes less than this part of the radius off the distance of the middle is good enough.
static const double GOOD = 0.1;

/// Boxes that gain less than this part of their radius are looked at.
static const double GAIN = 0.5;

/// Of gradients in float.
static const double DIRECTION_ERROR = 1e-6;

/// What a far point says of the distance, in the shape's own frame and units. The distance of a convex solid has planes under it: there the
/// point is as good as infinitely far away.
typedef struct FarPoint
{
    double low;    // there
    double value;  // at the middle of the box
    double way[3]; // from it to the middle, of length 1
    double curve;  // 1/|way|
} FarPoint;

/// A box seen from one of the shapes.
typedef struct View
{
    const AbutPairSide* side;
    double middle[3], distance, gradient[3]; // of length 1
    double radius, size;
} View;

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool normalize(double v[3])
{
    double length = length3(v);
    for (int axis = 0; axis < 3; ++axis)
    {
        v[axis] = length > 0.0 ? v[axis] / length : 0.0;
    }
    return length > 0.0 && isfinite(length);
}

static bool at_point(const View* view, const double point[3], FarPoint* out)
{
    const AbutPairSide* side = view->side;
    float x = (float)point[0], y = (float)point[1], z = (float)point[2], distance;
    abut_pair_side_sample(side, (AbutPoints){ &x, &y, &z }, 1, (AbutSamples){ .distance = &distance });
    const double at[3] = { x, y, z };
    for (int axis = 0; axis < 3; ++axis)
    {
        out->way[axis] = view->middle[axis] - at[axis];
    }
    double rounding = (double)ABUT_IMPACT_ROUNDING * length3(at);
    out->low = ((double)distance - (double)side->error - rounding) / (double)side->growth;
    return distance > 0.0f;
}

/// The plane under the distance of a convex solid.
static bool support(const View* view, FarPoint* out)
{
    const AbutShapeInfo* info = &view->side->shape->info;
    double rounding = (double)ABUT_IMPACT_ROUNDING * length3(view->middle);
    *out = (FarPoint){ .value = view->distance - (double)view->side->error - rounding };
    for (int axis = 0; axis < 3; ++axis)
    {
        out->way[axis] = -view->gradient[axis];
    }
    return info->convex && info->distance_kind == ABUT_DISTANCE_EXACT;
}

/// The far point in a direction that says most.
static bool best_point(const View* view, const double direction[3], FarPoint* best)
{
    double most = -INFINITY;
    for (int k = 0; k < TRIES; ++k)
    {
        double step = fmax(RADII[k] * view->radius, SIZES[k] * view->size), point[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            point[axis] = view->middle[axis] + step * direction[axis];
        }
        FarPoint far;
        if (!at_point(view, point, &far))
        {
            continue;
        }
        double length = length3(far.way), loss = 0.5 * view->radius * view->radius / length;
        far.value = far.low - length;
        far.curve = 1.0 / length;
        if (far.value - loss > most && normalize(far.way))
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

/// How long the sum of what two far points say stays over 0. `m` is of the moving shape, `n` of the standing one.
static double free_between(const AbutImpact* impact, const AbutImpactLook* look, size_t i, const FarPoint* m,
                           const FarPoint* n)
{
    const AbutMotionMoment* moment = &look->moments[look->moment[i]];
    double radius = abut_impact_radius(impact, look->boxes[i].level), unit = impact->unit;
    double sum = n->value + unit * m->value - 0.5 * radius * radius * (n->curve + m->curve / unit) -
                 2.0 * DIRECTION_ERROR * radius - (double)impact->pair.sides[0].rounding * unit -
                 (double)(impact->pair.sides[1].rounding + abut_impact_rounding(look, i));
    double towards = 0.0, arm[3], half = unit * (1.0 + 1e-5) / (double)(1u << look->boxes[i].level);
    for (int axis = 0; axis < 3; ++axis)
    {
        double(*r)[3] = (double(*)[3])moment->frame.rotation;
        double turned = r[0][axis] * n->way[0] + r[1][axis] * n->way[1] + r[2][axis] * n->way[2];
        sum -= half * (double)impact->half[axis] * fabs(turned + m->way[axis]);
        arm[axis] = (double)look->seen.at[axis][i] - moment->center[axis];
    }
    if (!(sum > 0.0))
    {
        return -1.0;
    }
    const double* t = moment->turn;
    const double velocity[3] = { moment->velocity[0] + t[1] * arm[2] - t[2] * arm[1],
                                 moment->velocity[1] + t[2] * arm[0] - t[0] * arm[2],
                                 moment->velocity[2] + t[0] * arm[1] - t[1] * arm[0] };
    towards = velocity[0] * n->way[0] + velocity[1] * n->way[1] + velocity[2] * n->way[2];
    const AbutImpactGain* gain = &look->gains[i];
    double b = towards + length3(t) * radius + (radius * n->curve + DIRECTION_ERROR) * gain->speed;
    double a = 0.5 * (gain->acceleration + gain->speed * gain->speed * n->curve);
    double root = sqrt(b * b + 4.0 * a * sum);
    double by = b > 0.0 ? 2.0 * sum / (b + root) : a > 0.0 ? (root - b) / (2.0 * a) : INFINITY;
    return by * (1.0 - 1e-9);
}

static bool make_view(const AbutImpact* impact, int number, const AbutPairBatch* batch, size_t k,
                      double radius, View* view)
{
    view->side = &impact->pair.sides[number];
    double unit = number == 0 ? impact->unit : 1.0;
    view->radius = radius / unit;
    view->size = impact->size / unit;
    view->distance = batch->distance[number][k];
    for (int axis = 0; axis < 3; ++axis)
    {
        view->middle[axis] = batch->at[axis][k];
        view->gradient[axis] = batch->gradient[number][axis][k];
    }
    return normalize(view->gradient);
}

/// The far point along the shape's own gradient.
static bool point_along(const View* view, FarPoint* out)
{
    return support(view, out) || best_point(view, view->gradient, out);
}

/// Far points opposite to each other, along the gradient of the one or of the other shape, and each along its own: until a box has gained
/// enough.
static double free_box(const AbutImpact* impact, const AbutImpactLook* look, size_t i, const View views[2])
{
    double(*r)[3] = (double(*)[3])look->moments[look->moment[i]].frame.rotation;
    const double *own = views[0].gradient, *seen = views[1].gradient;
    double against_seen[3], against_own[3], by = -1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        against_seen[axis] = -(r[0][axis] * seen[0] + r[1][axis] * seen[1] + r[2][axis] * seen[2]);
        against_own[axis] = -(r[axis][0] * own[0] + r[axis][1] * own[1] + r[axis][2] * own[2]);
    }
    double enough = fmin(impact->limit - look->boxes[i].time,
                         GAIN * abut_impact_radius(impact, look->boxes[i].level) / look->gains[i].speed);
    FarPoint m, n, other;
    bool has_n = point_along(&views[1], &n);
    if (has_n && best_point(&views[0], against_seen, &m))
    {
        by = free_between(impact, look, i, &m, &n);
    }
    bool has_m = by < enough && point_along(&views[0], &m);
    if (has_m && has_n)
    {
        by = fmax(by, free_between(impact, look, i, &m, &n));
    }
    if (has_m && by < enough && best_point(&views[1], against_own, &other))
    {
        by = fmax(by, free_between(impact, look, i, &m, &other));
    }
    return by;
}

static void sample_gradients(AbutImpact* impact, int number, AbutPairBatch* batch)
{
    float(*g)[ABUT_PAIR_BATCH] = batch->gradient[number];
    abut_pair_side_sample(&impact->pair.sides[number],
                          (AbutPoints){ batch->at[0], batch->at[1], batch->at[2] }, batch->count,
                          (AbutSamples){ batch->distance[number], g[0], g[1], g[2] });
    impact->evaluations += batch->count;
}

void abut_impact_look_between(AbutImpact* impact, AbutImpactLook* look)
{
    AbutPairBatch own, seen;
    size_t which[ABUT_IMPACT_BATCH];
    if (impact->pair.sides[0].is_field || impact->pair.sides[1].is_field)
    {
        return; // those of which something is proved are told apart by their octrees
    }
    own.count = 0;
    for (size_t i = 0; i < look->count; ++i)
    {
        double radius = abut_impact_radius(impact, look->boxes[i].level);
        const AbutImpactGain* gain = &look->gains[i];
        bool late = look->boxes[i].time + gain->by >= impact->limit;
        if (late || look->boxes[i].inside || radius > impact->between ||
            gain->by * gain->speed > GAIN * radius)
        {
            continue;
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            own.at[axis][own.count] = look->own.at[axis][i];
            seen.at[axis][own.count] = look->seen.at[axis][i];
        }
        which[own.count++] = i;
    }
    seen.count = own.count;
    if (own.count == 0)
    {
        return;
    }
    sample_gradients(impact, 0, &own);
    sample_gradients(impact, 1, &seen);
    for (size_t k = 0; k < own.count; ++k)
    {
        size_t i = which[k];
        double radius = abut_impact_radius(impact, look->boxes[i].level);
        View views[2];
        if (make_view(impact, 0, &own, k, radius, &views[0]) &&
            make_view(impact, 1, &seen, k, radius, &views[1]))
        {
            impact->evaluations += 4 * TRIES;
            double by = free_box(impact, look, i, views);
            look->gains[i].low = by > look->gains[i].by ? 0.0 : look->gains[i].low; // these do not tell
            look->gains[i].by = fmax(look->gains[i].by, by);
        }
    }
}
