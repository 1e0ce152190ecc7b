// An open interval of the parent is sampled at its middle, which decides a range around it, and then the rest
// before and after, until the displacement in a range is as small as the sphere. Every interval has a sample,
// however short it is: in small steps of a simulation that keeps most of the tree closed. All spheres take
// one sample per pass.
#include "toi/points/open_intervals.h"

#include "base/assert.h"

#include <math.h>

/// Displacement in radii below which a range stays open.
static const double LENGTH_PER_RADIUS = 1.5;

/// Displacement in radii between intervals below which they are joined.
static const double GAP_PER_RADIUS = 4.0;

/// Factor of both for straight trajectories: points pass long intervals in few steps.
static const double STRAIGHT_TIMES = 4.0;

// -----------------------------------------------------------------------------------------------------------
// Ranges
// -----------------------------------------------------------------------------------------------------------

static void add_open(AbutSphereQuery* query, uint32_t begin, uint32_t end)
{
    AbutOpenIntervals* out = &query->task.open_intervals;
    uint32_t n = out->count;
    // Close intervals are faster as one; and their number is limited.
    if (n > 0 && (n == ABUT_OPEN_INTERVALS_MAX || query->speed * (begin - out->end[n - 1]) <= query->gap))
    {
        out->end[n - 1] = (uint16_t)end;
        return;
    }
    out->begin[n] = (uint16_t)begin;
    out->end[n] = (uint16_t)end;
    out->inside |= (uint8_t)((query->is_inside ? 1u : 0u) << n);
    out->count += 1;
}

static void push_range(AbutSphereQuery* query, uint32_t begin, uint32_t end, uint8_t before)
{
    ABUT_ASSERT(query->depth < ABUT_SPHERE_QUERY_DEPTH);
    query->ranges[query->depth++] = (AbutTickRange){ (uint16_t)begin, (uint16_t)end, before };
}

static bool is_short(const AbutSphereQuery* query, uint32_t begin, uint32_t end)
{
    return end - begin < 2 || query->speed * (end - begin) <= query->path_length ||
           query->depth == ABUT_SPHERE_QUERY_DEPTH;
}

/// The next range in time: true when it needs a sample, false when it is decided.
static bool take_range(AbutSphereQuery* query, uint32_t begin, uint32_t end, uint8_t before)
{
    query->is_inside = before == ABUT_NOT_KNOWN ? query->is_inside : before != 0;
    if (begin == end)
    {
        return false;
    }
    if (is_short(query, begin, end))
    {
        add_open(query, begin, end);
        return false;
    }
    query->range = (AbutTickRange){ (uint16_t)begin, (uint16_t)end, before };
    return true;
}

static void finish_query(AbutSphereQuery* query)
{
    AbutOpenIntervals* out = &query->task.open_intervals;
    out->inside |= (uint8_t)((query->is_inside ? 1u : 0u) << out->count);
    query->is_done = true;
}

/// Advances to the next range that needs a sample.
static void find_next(AbutSphereQuery* query)
{
    while (query->depth > 0)
    {
        const AbutTickRange range = query->ranges[--query->depth];
        if (take_range(query, range.begin, range.end, range.before))
        {
            return;
        }
    }
    uint32_t k = query->open_interval++;
    bool is_end = k == query->parent.count;
    if (!is_end || query->parent.end[k - 1] < ABUT_TRAJECTORY_TICKS)
    {
        query->is_inside = abut_open_intervals_inside(&query->parent, k);
    }
    if (is_end)
    {
        finish_query(query);
        return;
    }
    query->range = (AbutTickRange){ query->parent.begin[k], query->parent.end[k], ABUT_NOT_KNOWN };
}

/// A straight trajectory for all samples of a query.
static void locate_straight(const AbutSphereQueue* queries, AbutSphereQuery* query)
{
    const AbutTrajectory* path = &queries->side->path;
    const AbutTrajectorySample* start = abut_trajectory_samples_at(queries->trajectory_samples, 0);
    AbutDVec3 velocity = abut_daffine_apply(&start->velocity, query->center);
    query->start = abut_daffine_apply(&start->position, query->center);
    query->velocity = abut_dvec3_div(velocity, ABUT_TRAJECTORY_TICKS);
    query->speed = abut_trajectory_distance(path, velocity, query->radius / path->scale_ratio,
                                            1.0 / ABUT_TRAJECTORY_TICKS);
}

void abut_sphere_queue_add(AbutSphereQueue* queries, uint32_t node, const AbutOpenIntervals* parent)
{
    ABUT_ASSERT(queries->count < ABUT_TOI_POINT_BATCH);
    AbutSphereQuery* query = &queries->queries[queries->count++];
    query->task = (AbutOpenNode){ .node = node };
    query->parent = *parent;
    query->speed = INFINITY; // unknown before the first sample
    query->open_interval = 0;
    query->depth = 0;
    query->is_done = false;
    query->center = abut_sphere_load(queries->side->points, node, &query->radius);
    query->radius *= queries->side->path.scale_ratio;
    double times = queries->trajectory_samples->is_straight ? STRAIGHT_TIMES : 1.0;
    query->path_length = times * LENGTH_PER_RADIUS * query->radius;
    query->gap = times * GAP_PER_RADIUS * query->radius;
    if (queries->trajectory_samples->is_straight)
    {
        locate_straight(queries, query);
    }
    find_next(query);
}

// -----------------------------------------------------------------------------------------------------------
// Samples
// -----------------------------------------------------------------------------------------------------------

static uint32_t middle_of(const AbutTickRange* range)
{
    return (range->begin + range->end + 1u) / 2u;
}

/// Position of a sphere at the middle of its range; sets its speed in the range.
static AbutDVec3 locate_query(const AbutSphereQueue* self, AbutSphereQuery* query)
{
    const AbutTrajectory* path = &self->side->path;
    const AbutTickRange* range = &query->range;
    uint32_t middle = middle_of(range);
    if (self->trajectory_samples->is_straight)
    {
        return abut_dvec3_mul_add(query->start, middle, query->velocity);
    }
    const AbutTrajectorySample* sample = abut_trajectory_samples_at(self->trajectory_samples, middle);
    AbutDVec3 velocity = abut_daffine_apply(&sample->velocity, query->center);
    double half = (double)(middle - range->begin) / ABUT_TRAJECTORY_TICKS;
    double path_length = abut_trajectory_distance(path, velocity, query->radius / path->scale_ratio, half);
    query->speed = path_length / (middle - range->begin);
    return abut_daffine_apply(&sample->position, query->center);
}

/// Divides the range by a sample, whose sign is proved within `safe_radius` of the sphere's centre.
static void classify_query(AbutSphereQuery* query, double safe_radius, bool is_inside)
{
    const AbutTickRange range = query->range;
    uint32_t middle = middle_of(&range), begin = middle, end = middle;
    uint8_t known = ABUT_NOT_KNOWN;
    safe_radius -= query->radius;
    if (safe_radius > 0.0)
    {
        // Ticks for a displacement of less than the safe radius.
        double ticks = safe_radius < query->speed * ABUT_TRAJECTORY_TICKS
                           ? safe_radius / query->speed * (1.0 - 1e-9)
                           : (double)ABUT_TRAJECTORY_TICKS;
        uint32_t whole = (uint32_t)ticks;
        begin = middle - range.begin > whole ? middle - whole : range.begin;
        end = range.end - middle > whole ? middle + whole : range.end;
        known = is_inside ? 1 : 0;
    }
    if (take_range(query, range.begin, begin, ABUT_NOT_KNOWN))
    {
        push_range(query, end, range.end, known);
    }
    else if (!take_range(query, end, range.end, known))
    {
        find_next(query);
    }
}

void abut_sphere_queue_flush(AbutSphereQueue* queries)
{
    AbutToiPointBatch batch;
    double safe_radius[ABUT_TOI_POINT_BATCH];
    uint8_t list[ABUT_TOI_POINT_BATCH];
    uint32_t count = 0;
    for (uint32_t i = 0; i < queries->count; ++i)
    {
        list[count] = (uint8_t)i;
        count += queries->queries[i].is_done ? 0 : 1;
    }
    while (count > 0)
    {
        for (uint32_t k = 0; k < count; ++k)
        {
            abut_toi_point_batch_set(&batch, k, locate_query(queries, &queries->queries[list[k]]));
        }
        batch.count = count;
        abut_toi_point_batch_sample(queries->side, &batch);
        const AbutPoints positions = { batch.at[0], batch.at[1], batch.at[2] };
        abut_safe_radius_same_sign_all(&queries->side->safe_radius, positions, batch.distance, count,
                                       safe_radius);
        *queries->evaluations += count;
        uint32_t left = 0;
        for (uint32_t k = 0; k < count; ++k)
        {
            AbutSphereQuery* query = &queries->queries[list[k]];
            classify_query(query, safe_radius[k], batch.distance[k] <= 0.0f);
            list[left] = list[k];
            left += query->is_done ? 0 : 1;
        }
        count = left;
    }
}
