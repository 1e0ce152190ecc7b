// The first contact of moving points, by bisection of time and subdivision of space.
//
// A step of the search has an interval [begin, end] of time and a list of spheres of the tree (points have
// radius 0). All are sampled at the middle of the interval, with one map for their positions. A sphere is
// free of the solid during the whole interval when the safe radius of its sample exceeds its radius plus its
// displacement in half the interval. Of the others, those with a radius large for their displacement are
// replaced by their children; the rest goes to the first half of the interval, and then to the second. A
// point in the solid at the middle limits the search to the time before it. So time advances in order, and
// the spheres left in an interval of the finest level are the first contact.
//
// Lists have a fixed length. The spheres of a full list are searched to the end of the interval before the
// others: slower, but nothing is lost.
#include "toi/points/first_touch.h"

#include "base/assert.h"
#include "base/scratch.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_PENDING = 1408,
    MAX_KEPT = 256,
    LAST_LEVEL = 23, // intervals of 2⁻²³, the precision of times in float

    /// Reserve of the pending list: spheres are opened one by one beyond it, so that a descent of the whole
    /// tree fits.
    CHILD_CAPACITY = ABUT_POINT_MAX_DEPTH * ABUT_POINT_CHILDREN,

    /// Samples of points closer than the tolerance with less displacement, to tell a contact from a miss.
    /// From then on they count as touching.
    FINE_BUDGET = 1 << 13,
};

/// Radius per displacement in half an interval from which a sphere is opened before time is bisected.
static const double RADIUS_PER_DISPLACEMENT = 1.5;

/// An interval of time and the spheres that are not proved to be free in it.
typedef struct TimeRange
{
    int level;
    uint32_t index;
    double begin, half;
    AbutTrajectorySample middle;
    uint32_t pending_count, kept_count;
    uint32_t pending[MAX_PENDING], kept[MAX_KEPT];
} TimeRange;

typedef struct Search
{
    const AbutToiPointSide* side;
    AbutFirstTouch touch;
    double limit; // times from here on do not matter
    bool is_stopped;
    uint32_t fine_count;
    uint64_t budget;
    uint64_t* evaluations;
    AbutToiPointBatch batch;
    uint32_t refs[ABUT_TOI_POINT_BATCH];
    double radius[ABUT_TOI_POINT_BATCH], displacement[ABUT_TOI_POINT_BATCH];
    TimeRange ranges[LAST_LEVEL + 1]; // by level: the present one
} Search;

/// Takes spheres from the end of the pending list and samples their centres.
static void sample_pending(Search* self, TimeRange* range)
{
    const AbutToiPointSide* side = self->side;
    uint32_t capacity = MAX_PENDING - CHILD_CAPACITY, used = range->pending_count;
    uint32_t fitting = used < capacity ? (capacity - used) / ABUT_POINT_CHILDREN : 0;
    uint32_t count = used < ABUT_TOI_POINT_BATCH ? used : ABUT_TOI_POINT_BATCH;
    count = count < fitting ? count : fitting;
    count = count > 0 ? count : 1;
    range->pending_count -= count;
    self->batch.count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        self->refs[i] = range->pending[range->pending_count + i];
        AbutDVec3 center = abut_sphere_load(side->points, self->refs[i], &self->radius[i]);
        AbutDVec3 velocity = abut_daffine_apply(&range->middle.velocity, center);
        self->displacement[i] = abut_trajectory_distance(&side->path, velocity, self->radius[i], range->half);
        self->radius[i] *= side->path.scale_ratio;
        abut_toi_point_batch_set(&self->batch, i, abut_daffine_apply(&range->middle.position, center));
    }
    abut_toi_point_batch_sample(side, &self->batch);
    *self->evaluations += count;
}

static void open_node(const AbutPointSet* points, uint32_t ref, TimeRange* range)
{
    const AbutPointNode* node = &points->nodes[ref];
    uint32_t count = node->child_count > 0 ? node->child_count : node->point_count;
    uint32_t first = node->child_count > 0 ? node->first_child : node->first_point | ABUT_SPHERE_IS_POINT;
    for (uint32_t k = count; k-- > 0;) // the first on top
    {
        ABUT_ASSERT(range->pending_count < MAX_PENDING);
        range->pending[range->pending_count++] = first + k;
    }
}

static void touch_at(Search* self, uint32_t point, double time)
{
    if (!self->touch.is_proved || time < self->touch.touch_time)
    {
        self->touch.is_proved = true;
        self->touch.touch_time = time;
        self->touch.point = point;
    }
    self->limit = fmin(self->limit, time);
}

/// The result for a point that is free until the interval begins, and in contact in it within the tolerance.
static void set_result(Search* self, uint32_t point, const TimeRange* range, double gap)
{
    self->touch.free_until = range->begin;
    self->touch.point = point;
    self->touch.gap = gap;
    self->limit = range->begin;
}

/// True when a point that is not free in an interval is at the finest resolution.
static bool is_resolved(Search* self, uint32_t i, const TimeRange* range)
{
    double rounding = abut_safe_radius_rounding(&self->side->safe_radius, 0.0, self->batch.distance[i]);
    return range->level == LAST_LEVEL || self->displacement[i] <= rounding;
}

/// True for a point that counts as touching although it may be free: FINE_BUDGET is spent.
static bool is_within_tolerance(Search* self, uint32_t i)
{
    double tolerance = self->side->tolerance + self->side->error;
    return self->displacement[i] <= tolerance && !(self->batch.distance[i] > tolerance) &&
           self->fine_count++ >= FINE_BUDGET;
}

/// Classifies sample i of the batch. False when nothing else in this interval matters.
static bool classify(Search* self, uint32_t i, TimeRange* range)
{
    uint32_t ref = self->refs[i], number = ref & ~ABUT_SPHERE_IS_POINT;
    bool is_point = (ref & ABUT_SPHERE_IS_POINT) != 0;
    float f = self->batch.distance[i];
    const float at[3] = { self->batch.at[0][i], self->batch.at[1][i], self->batch.at[2][i] };
    double need = self->radius[i] + self->displacement[i],
           free = abut_safe_radius_outside(&self->side->safe_radius, at, f);
    bool counts = is_point && is_within_tolerance(self, i);
    if (free > need && !counts)
    {
        self->touch.clearance = fmin(self->touch.clearance, free - need);
        return true;
    }
    // A sphere in the solid is opened for a point that ends the search here.
    if (!is_point && (self->radius[i] > RADIUS_PER_DISPLACEMENT * self->displacement[i] ||
                      range->level == LAST_LEVEL || (f <= 0.0f && range->begin + range->half < self->limit)))
    {
        open_node(self->side->points, ref, range);
        return true;
    }
    if (is_point && f <= 0.0f)
    {
        touch_at(self, number, range->begin + range->half);
    }
    if (is_point && (counts || is_resolved(self, i, range)))
    {
        set_result(self, number, range, fmax(0.0, f) + self->displacement[i]);
        return false;
    }
    ABUT_ASSERT(range->kept_count < MAX_KEPT);
    range->kept[range->kept_count++] = ref;
    return true;
}

static void visit(Search* self, int level, uint32_t index, const uint32_t* refs, uint32_t count);

static void visit_halves(Search* self, TimeRange* range)
{
    if (range->kept_count > 0)
    {
        visit(self, range->level + 1, 2 * range->index, range->kept, range->kept_count);
        visit(self, range->level + 1, 2 * range->index + 1, range->kept, range->kept_count);
        range->kept_count = 0;
    }
}

/// Searches an interval: afterwards it is decided, or the search has stopped or is limited to times before
/// it.
static void visit(Search* self, int level, uint32_t index, const uint32_t* refs, uint32_t count)
{
    ABUT_ASSERT(level <= LAST_LEVEL);
    TimeRange* range = &self->ranges[level]; // mostly unused memory
    range->level = level;
    range->index = index;
    range->begin = ldexp((double)index, -level);
    range->half = ldexp(0.5, -level);
    if (self->is_stopped || range->begin >= self->limit)
    {
        return;
    }
    abut_trajectory_at(&self->side->path, range->begin + range->half, &range->middle);
    memcpy(range->pending, refs, count * sizeof(refs[0]));
    range->pending_count = count;
    range->kept_count = 0;
    while (range->pending_count > 0 && range->begin < self->limit)
    {
        if (self->is_stopped || *self->evaluations >= self->budget)
        {
            self->is_stopped = true;
            self->touch.free_until = fmin(self->touch.free_until, range->begin);
            return;
        }
        sample_pending(self, range);
        for (uint32_t i = 0; i < self->batch.count && range->begin < self->limit; ++i)
        {
            if (!classify(self, i, range))
            {
                return;
            }
        }
        if (range->kept_count > MAX_KEPT - ABUT_TOI_POINT_BATCH)
        {
            visit_halves(self, range);
        }
    }
    visit_halves(self, range);
}

/// True when a point is in the solid at the start. Close ones are left to the search.
static bool starts_inside(Search* self)
{
    TimeRange* range = &self->ranges[0];
    range->half = 0.0;
    range->pending[0] = 0;
    range->pending_count = 1;
    abut_trajectory_at(&self->side->path, 0.0, &range->middle);
    while (range->pending_count > 0 && *self->evaluations < self->budget)
    {
        sample_pending(self, range);
        for (uint32_t i = 0; i < self->batch.count; ++i)
        {
            uint32_t ref = self->refs[i];
            float f = self->batch.distance[i];
            const float at[3] = { self->batch.at[0][i], self->batch.at[1][i], self->batch.at[2][i] };
            if ((ref & ABUT_SPHERE_IS_POINT) != 0)
            {
                if (f <= 0.0f)
                {
                    touch_at(self, ref & ~ABUT_SPHERE_IS_POINT, 0.0);
                    return true;
                }
            }
            else if (!(abut_safe_radius_outside(&self->side->safe_radius, at, f) > self->radius[i]))
            {
                open_node(self->side->points, ref, range);
            }
        }
    }
    return false;
}

/// Searches for a proved contact of the point at free_until, at times after it that double.
static void search_ahead(Search* self)
{
    const AbutToiPointSide* side = self->side;
    AbutToiPointBatch* batch = &self->batch;
    double radius, times[LAST_LEVEL + 1];
    AbutDVec3 x = abut_sphere_load(side->points, self->touch.point | ABUT_SPHERE_IS_POINT, &radius);
    batch->count = LAST_LEVEL + 1;
    for (uint32_t i = 0; i < batch->count; ++i)
    {
        AbutTrajectorySample sample;
        times[i] = fmin(1.0, self->touch.free_until + ldexp(1.0, (int)i - LAST_LEVEL));
        abut_trajectory_at(&side->path, times[i], &sample);
        abut_toi_point_batch_set(batch, i, abut_daffine_apply(&sample.position, x));
    }
    abut_toi_point_batch_sample(side, batch);
    *self->evaluations += batch->count;
    for (uint32_t i = 0; i < batch->count && !self->touch.is_proved; ++i)
    {
        if (batch->distance[i] <= 0.0f)
        {
            touch_at(self, self->touch.point, (float)times[i]);
        }
    }
}

static AbutFirstTouch finish(Search* search)
{
    AbutFirstTouch touch = search->touch;
    abut_scratch_release(search);
    return touch;
}

AbutFirstTouch abut_toi_point_side_first(const AbutToiPointSide* side, double limit, uint64_t budget,
                                         uint64_t* evaluations)
{
    Search* search = abut_scratch_acquire(sizeof(*search)); // filled on use
    if (search == NULL)
    {
        return (AbutFirstTouch){ .free_until = 0.0, .is_spent = true };
    }
    search->side = side;
    search->touch = (AbutFirstTouch){ .free_until = INFINITY, .clearance = INFINITY };
    search->limit = limit;
    search->is_stopped = false;
    search->fine_count = 0;
    search->budget = budget;
    search->evaluations = evaluations;
    if (side->points->count == 0)
    {
        return finish(search);
    }
    if (starts_inside(search))
    {
        search->touch.is_touching = true;
        search->touch.free_until = 0.0;
        return finish(search);
    }
    const uint32_t root = 0;
    visit(search, 0, 0, &root, 1);
    search->touch.is_spent = search->is_stopped;
    if (!search->is_stopped && search->touch.free_until <= 1.0 && !search->touch.is_proved)
    {
        search_ahead(search);
    }
    return finish(search);
}
