// Core points of one body against the solid of another: least distance, and time of impact.
//
// Both traverse the tree of spheres around the core points, many spheres at a time. Distances are trusted to
// be no steeper than STEEPEST: a proof would fail where sparse fields change from bricks to their coarse
// level, far from any surface, and clamp bodies there for nothing.
//
// The time of impact is a search over time intervals, each with a list of spheres (core points are spheres
// without radius). All are sampled at the middle of the interval. A sphere is free for the whole interval
// when its distance exceeds its radius and its displacement in half of the interval. Of the others, spheres
// that are large for their displacement are replaced by their children; the rest goes on to the first half of
// the interval and then to the second. A core point that is too near at the middle limits the search to
// earlier times.
#include "dynamics/ccd/core_point_toi.h"

#include "base/assert.h"
#include "base/scratch.h"
#include "points/points.h"
#include "shape/shape.h"
#include "toi/points/trajectory.h"

#include <math.h>
#include <string.h>

/// Slope of distances: interpolated ones are slightly steeper than 1.
#define STEEPEST 1.1f

/// Radius over displacement in half of an interval from which a sphere is opened before time is halved.
#define RADIUS_PER_TRAVEL 1.5f

/// Displacement in half of an interval at which a core point that may be too near counts as too near: a
/// fraction of the required gap, or of the size of the solid as floats resolve it.
#define FINE_FRACTION 0.1
#define FINE_SIZE 2e-6

enum
{
    BATCH = 128,
    MAX_PENDING = 1408,
    MAX_KEPT = 256,
    MAX_LEVEL = 20, // of halvings: intervals of at least 2⁻²⁰
    BUDGET = 1 << 20,

    /// Capacity below which spheres are opened one by one, so that a descent through the whole tree fits.
    TREE_RESERVE = ABUT_POINT_MAX_DEPTH * ABUT_POINT_CHILDREN
};

_Static_assert(BATCH <= ABUT_SHAPE_BATCH, "a batch is sampled in one piece");

/// A sphere of the tree by its index, or a core point by its index and this bit.
#define IS_CORE_POINT 0x80000000u

/// Stack of spheres to test.
typedef struct Pending
{
    uint32_t count;
    uint32_t refs[MAX_PENDING];
} Pending;

/// A batch of spheres, in the frame and units of the solid.
typedef struct Spheres
{
    uint32_t count;
    uint32_t refs[BATCH];
    float x[BATCH], y[BATCH], z[BATCH], radius[BATCH]; // in the frame of the core points
    float at[3][BATCH];
    float distance[BATCH];
} Spheres;

/// An affine map in float.
typedef struct Map
{
    float m[3][4];
} Map;

// -----------------------------------------------------------------------------------------------------------
// Spheres
// -----------------------------------------------------------------------------------------------------------

static void load(const AbutPointSet* set, uint32_t ref, Spheres* out, uint32_t i)
{
    uint32_t number = ref & ~IS_CORE_POINT;
    out->refs[i] = ref;
    if ((ref & IS_CORE_POINT) != 0)
    {
        out->x[i] = set->at[0][number];
        out->y[i] = set->at[1][number];
        out->z[i] = set->at[2][number];
        out->radius[i] = 0.0f;
        return;
    }
    const AbutPointNode* node = &set->nodes[number];
    out->x[i] = node->center.x;
    out->y[i] = node->center.y;
    out->z[i] = node->center.z;
    out->radius[i] = node->radius;
}

/// Pops as many spheres as the children of all of them have capacity for.
static void take_batch(const AbutPointSet* set, Pending* pending, Spheres* out)
{
    uint32_t capacity = MAX_PENDING - TREE_RESERVE, used = pending->count;
    uint32_t fitting = used < capacity ? (capacity - used) / ABUT_POINT_CHILDREN : 0;
    uint32_t count = used < BATCH ? used : BATCH;
    count = count < fitting ? count : fitting;
    count = count > 0 ? count : 1;
    ABUT_ASSERT(count <= used);
    pending->count -= count;
    out->count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        load(set, pending->refs[pending->count + i], out, i);
    }
}

static void sample(const AbutShape* shape, const Map* map, float scale, Spheres* spheres)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        const float* m = map->m[axis];
        for (uint32_t i = 0; i < spheres->count; ++i)
        {
            spheres->at[axis][i] =
                m[0] * spheres->x[i] + m[1] * spheres->y[i] + (m[2] * spheres->z[i] + m[3]);
        }
    }
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        spheres->radius[i] *= scale;
    }
    abut_shape_sample_batch(shape, NULL, (AbutPoints){ spheres->at[0], spheres->at[1], spheres->at[2] },
                            spheres->count, (AbutSamples){ .distance = spheres->distance });
}

static void open(const AbutPointSet* set, uint32_t ref, Pending* pending)
{
    const AbutPointNode* node = &set->nodes[ref];
    uint32_t count = node->child_count > 0 ? node->child_count : node->point_count;
    uint32_t first = node->child_count > 0 ? node->first_child : node->first_point | IS_CORE_POINT;
    ABUT_ASSERT(pending->count + count <= MAX_PENDING);
    for (uint32_t k = count; k-- > 0;)
    {
        pending->refs[pending->count++] = first + k;
    }
}

static Map to_float(const AbutDAffine* map)
{
    Map out;
    for (int i = 0; i < 12; ++i)
    {
        out.m[i / 4][i % 4] = (float)map->m[i / 4][i % 4];
    }
    return out;
}

// -----------------------------------------------------------------------------------------------------------
// Clearance
// -----------------------------------------------------------------------------------------------------------

/// Map from the frame of the core points to that of the other solid.
static Map relative_map(const AbutPose* pose, const AbutPose* other_pose)
{
    AbutPose there = abut_pose_relative(other_pose, pose);
    AbutTransform frame = abut_transform_from_pose(&there);
    Map map;
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 3; ++column)
        {
            map.m[row][column] = (float)(frame.scale * frame.rotation.m[row][column]);
        }
        map.m[row][3] = (float)abut_dvec3_get(frame.translation, row);
    }
    return map;
}

double abut_core_points_clearance(const AbutBody* core_body, const AbutPose* pose, const AbutBody* other,
                                  const AbutPose* other_pose, double most, uint32_t* nearest)
{
    const AbutPointSet* set = core_body->core_points;
    Map map = relative_map(pose, other_pose);
    float scale = core_body->scale / other->scale, least = (float)(most / (double)other->scale);
    Pending pending;
    pending.count = 1;
    pending.refs[0] = 0;
    *nearest = UINT32_MAX;
    while (pending.count > 0)
    {
        Spheres spheres;
        take_batch(set, &pending, &spheres);
        sample(other->shape, &map, scale, &spheres);
        for (uint32_t i = 0; i < spheres.count; ++i)
        {
            if ((spheres.refs[i] & IS_CORE_POINT) != 0 && spheres.distance[i] < least)
            {
                least = spheres.distance[i];
                *nearest = spheres.refs[i] & ~IS_CORE_POINT;
            }
        }
        uint32_t first = UINT32_MAX; // the best one is opened last, and so popped first
        for (uint32_t i = 0; i < spheres.count; ++i)
        {
            float low = spheres.distance[i] - spheres.radius[i];
            if ((spheres.refs[i] & IS_CORE_POINT) != 0 || !(low < least))
            {
                continue;
            }
            bool best = first == UINT32_MAX || low < spheres.distance[first] - spheres.radius[first];
            uint32_t now = best ? first : i;
            first = best ? i : first;
            if (now != UINT32_MAX)
            {
                open(set, spheres.refs[now], &pending);
            }
        }
        if (first != UINT32_MAX)
        {
            open(set, spheres.refs[first], &pending);
        }
    }
    return (double)least * (double)other->scale;
}

// -----------------------------------------------------------------------------------------------------------
// Time of impact
// -----------------------------------------------------------------------------------------------------------

/// A time interval and the spheres that are not proved free in it.
typedef struct Interval
{
    int level;
    uint32_t index;
    double begin, half;
    Map at, rate;
    Pending pending;
    uint32_t kept_count;
    uint32_t kept[MAX_KEPT];
} Interval;

typedef struct Search
{
    const AbutPointSet* set;
    const AbutShape* shape;
    AbutTrajectory path;
    float gap, fine;
    double limit; // later times do not matter
    uint32_t core_point;
    uint32_t evaluations;
    Spheres spheres;
    float travel[BATCH];
    Interval intervals[MAX_LEVEL + 1]; // the open interval of each level
} Search;

/// Samples at the middle of the interval, and displacements in half of it.
static void sample_interval(Search* self, Interval* interval)
{
    Spheres* spheres = &self->spheres;
    take_batch(self->set, &interval->pending, spheres);
    const AbutTrajectory* path = &self->path;
    float half = (float)interval->half * (1.0f + 1e-5f), angular_speed = (float)path->angular_speed;
    float quadratic = (float)(0.5 * interval->half * path->max_acceleration);
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        float x = spheres->x[i], y = spheres->y[i], z = spheres->z[i], squared = 0.0f;
        for (int axis = 0; axis < 3; ++axis)
        {
            const float* m = interval->rate.m[axis];
            float rate = m[0] * x + m[1] * y + (m[2] * z + m[3]);
            squared += rate * rate;
        }
        self->travel[i] = half * (sqrtf(squared) + angular_speed * spheres->radius[i] + quadratic);
    }
    sample(self->shape, &interval->at, (float)path->scale_ratio, spheres);
    self->evaluations += spheres->count;
}

/// Tests sphere i. False when the rest of the interval does not matter.
static bool test_sphere(Search* self, uint32_t i, Interval* interval)
{
    const Spheres* spheres = &self->spheres;
    uint32_t ref = spheres->refs[i];
    float travel = self->travel[i], radius = spheres->radius[i], clearance = spheres->distance[i] - self->gap;
    bool is_core_point = (ref & IS_CORE_POINT) != 0;
    if (clearance > STEEPEST * (radius + travel))
    {
        return true;
    }
    if (!is_core_point && (radius > RADIUS_PER_TRAVEL * travel || interval->level == MAX_LEVEL ||
                           (clearance <= 0.0f && interval->begin + interval->half < self->limit)))
    {
        open(self->set, ref, &interval->pending);
        return true;
    }
    if (is_core_point && clearance <= 0.0f && interval->begin + interval->half < self->limit)
    {
        self->limit = interval->begin + interval->half;
        self->core_point = ref & ~IS_CORE_POINT;
    }
    if (is_core_point && (interval->level == MAX_LEVEL || travel <= self->fine))
    {
        self->limit = interval->begin;
        self->core_point = ref & ~IS_CORE_POINT;
        return false;
    }
    ABUT_ASSERT(interval->kept_count < MAX_KEPT);
    interval->kept[interval->kept_count++] = ref;
    return true;
}

static void visit(Search* self, int level, uint32_t index, const uint32_t* refs, uint32_t count);

static void visit_halves(Search* self, Interval* interval)
{
    if (interval->kept_count > 0)
    {
        visit(self, interval->level + 1, 2 * interval->index, interval->kept, interval->kept_count);
        visit(self, interval->level + 1, 2 * interval->index + 1, interval->kept, interval->kept_count);
        interval->kept_count = 0;
    }
}

/// Searches an interval: afterwards it is free, or the limit is before its end.
static void visit(Search* self, int level, uint32_t index, const uint32_t* refs, uint32_t count)
{
    ABUT_ASSERT(level <= MAX_LEVEL);
    Interval* interval = &self->intervals[level]; // mostly unused
    interval->level = level;
    interval->index = index;
    interval->begin = ldexp((double)index, -level);
    interval->half = ldexp(0.5, -level);
    if (interval->begin >= self->limit)
    {
        return;
    }
    AbutTrajectorySample at;
    abut_trajectory_at(&self->path, interval->begin + interval->half, &at);
    interval->at = to_float(&at.position);
    interval->rate = to_float(&at.velocity);
    memcpy(interval->pending.refs, refs, count * sizeof(refs[0]));
    interval->pending.count = count;
    interval->kept_count = 0;
    while (interval->pending.count > 0 && interval->begin < self->limit)
    {
        if (self->evaluations >= BUDGET) // out of budget: not proved free from here on
        {
            self->core_point = self->core_point == UINT32_MAX ? 0 : self->core_point;
            self->limit = interval->begin;
            return;
        }
        sample_interval(self, interval);
        for (uint32_t i = 0; i < self->spheres.count && interval->begin < self->limit; ++i)
        {
            if (!test_sphere(self, i, interval))
            {
                return;
            }
        }
        if (interval->kept_count > MAX_KEPT - BATCH)
        {
            visit_halves(self, interval);
        }
    }
    visit_halves(self, interval);
}

/// False for poses that are not finite.
static bool make_path(const AbutCorePointMotion* motion, AbutTrajectory* out)
{
    AbutRelativeMotion relative;
    if (abut_relative_motion_init(&motion->starts[0], &motion->motions[0], &motion->starts[1],
                                  &motion->motions[1], &relative) != ABUT_OK)
    {
        return false;
    }
    AbutRelativeMotion seen = abut_relative_motion_swap(&relative);
    const AbutPointNode* root = &motion->core_body->core_points->nodes[0];
    *out = abut_trajectory_make(&seen, false);
    abut_trajectory_set_bounds(out, root->center, root->radius);
    return true;
}

static double size_of(const AbutShape* shape)
{
    AbutVec3 size = abut_box_extents(shape->info.bounds);
    double longest = fmax((double)size.x, fmax((double)size.y, (double)size.z));
    return isfinite(longest) ? longest : 0.0;
}

/// As abut_core_points_toi().
static double find_toi(Search* search, const AbutCorePointMotion* motion, double gap)
{
    search->set = motion->core_body->core_points;
    search->shape = motion->other->shape;
    search->limit = 1.0;
    search->core_point = UINT32_MAX;
    search->evaluations = 0;
    if (!make_path(motion, &search->path))
    {
        return 1.0;
    }
    double scale = (double)motion->other->scale;
    double size = fmax(size_of(search->shape), search->path.scale_ratio * size_of(motion->core_body->shape));
    search->gap = (float)(gap / scale);
    search->fine = (float)fmax(FINE_FRACTION * gap / scale, FINE_SIZE * size);
    const uint32_t root = 0;
    visit(search, 0, 0, &root, 1);
    return search->core_point == UINT32_MAX ? 1.0 : search->limit;
}

double abut_core_points_toi(const AbutCorePointMotion* motion, double gap, uint32_t* core_point)
{
    Search* search = abut_scratch_acquire(sizeof(*search));
    if (search == NULL)
    {
        *core_point = 0; // out of memory: nothing is proved free
        return 0.0;
    }
    double free = find_toi(search, motion, gap);
    *core_point = search->core_point;
    abut_scratch_release(search);
    return free;
}

void abut_core_points_normal(const AbutCorePointMotion* motion, uint32_t core_point, double time,
                             AbutVec3* position, AbutVec3* normal)
{
    const AbutPointSet* set = motion->core_body->core_points;
    AbutPose pose = abut_motion_pose(&motion->starts[0], &motion->motions[0], (float)time),
             there = abut_motion_pose(&motion->starts[1], &motion->motions[1], (float)time);
    *position = abut_vec3(set->at[0][core_point], set->at[1][core_point], set->at[2][core_point]);
    AbutVec3 gradient;
    abut_shape_distance_at(motion->other->shape, &there, abut_pose_transform_point(&pose, *position),
                           &gradient);
    float length = abut_vec3_length(gradient);
    gradient = length > 0.0f ? abut_vec3_scale(gradient, 1.0f / length) : abut_vec3(1.0f, 0.0f, 0.0f);
    *normal = abut_quat_rotate(abut_pose_inverse(&pose).rotation, gradient);
}
