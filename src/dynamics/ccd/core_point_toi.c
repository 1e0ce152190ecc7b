// Guards of one body against the solid of another: how far they are from it, and how far both may go until one is too near.
//
// Both go down the tree of spheres around the guards, many spheres at a time. Distances are trusted to be no steeper than STEEPEST: a proof would have to give up
// where sparse fields change from bricks to their coarse level, far from any surface, and hold bodies there for nothing.
//
// Along a way, a step of the search is a part of the time and a list of spheres (guards are spheres without radius). All are sampled in the middle of the part.
// A sphere keeps its distance during all of it when the sample there reaches further than its radius and its way in half the time. Of the others, those that are large
// for their way are replaced by what they are made of; the rest goes on to the first half of the part and then to the second. A guard that is too near
// in the middle ends the search there: only what is before it matters from then on.
#include "dynamics/ccd/core_points.h"

#include "base/assert.h"
#include "base/scratch.h"
#include "points/points.h"
#include "shape/shape.h"
#include "toi/points/trajectory.h"

#include <math.h>
#include <string.h>

/// Slope of distances, about: interpolated ones are a little steeper than 1.
#define STEEPEST 1.1f

/// A sphere this many times larger than its way in half a part is opened before time is halved.
#define RADIUS_PER_WAY 1.5f

/// A guard that is too near, or may be, within a way of this part of the distance that it has to keep, or of what floats can tell of the solid's size, is.
#define FINE_PART 0.1
#define FINE_SIZE 2e-6

enum
{
    BATCH = 128,
    MOST_PENDING = 1408,
    MOST_KEPT = 256,
    DEEPEST = 20, // parts of a way have at least 2⁻²⁰ of it
    BUDGET = 1 << 20,

    /// Pending spheres beyond which they are opened one by one, so that a way down the whole tree fits.
    DESCENT_ROOM = ABUT_POINT_MAX_DEPTH * ABUT_POINT_CHILDREN
};

_Static_assert(BATCH <= ABUT_SHAPE_BATCH, "a batch is sampled in one piece");

/// A sphere of the tree by its number, or a guard by its number and this bit.
#define IS_GUARD 0x80000000u

/// Spheres that wait to be looked at; the last comes first.
typedef struct Pending
{
    uint32_t count;
    uint32_t refs[MOST_PENDING];
} Pending;

/// Spheres that are looked at together, in the frame and the units of the solid.
typedef struct Spheres
{
    uint32_t count;
    uint32_t refs[BATCH];
    float x[BATCH], y[BATCH], z[BATCH], radius[BATCH]; // before they are placed
    float at[3][BATCH];
    float distance[BATCH];
} Spheres;

/// An affine map in float.
typedef struct Map
{
    float m[3][4];
} Map;

// ---------------------------------------------------------------------------------------------------------------------
// Spheres
// ---------------------------------------------------------------------------------------------------------------------

static void load(const AbutPointSet* set, uint32_t ref, Spheres* out, uint32_t i)
{
    uint32_t number = ref & ~IS_GUARD;
    out->refs[i] = ref;
    if ((ref & IS_GUARD) != 0)
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

/// Takes as many as what they are made of has room for.
static void take(const AbutPointSet* set, Pending* pending, Spheres* out)
{
    uint32_t room = MOST_PENDING - DESCENT_ROOM, used = pending->count;
    uint32_t fitting = used < room ? (room - used) / ABUT_POINT_CHILDREN : 0;
    uint32_t count = used < BATCH ? used : BATCH;
    count = count < fitting ? count : fitting;
    count = count > 0 ? count : 1;
    pending->count -= count;
    out->count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        load(set, pending->refs[pending->count + i], out, i);
    }
}

static void sample(const AbutShape* shape, const Map* map, float stretch, Spheres* spheres)
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
        spheres->radius[i] *= stretch;
    }
    abut_shape_sample_batch(shape, NULL, (AbutPoints){ spheres->at[0], spheres->at[1], spheres->at[2] },
                            spheres->count, (AbutSamples){ .distance = spheres->distance });
}

static void open(const AbutPointSet* set, uint32_t ref, Pending* pending)
{
    const AbutPointNode* node = &set->nodes[ref];
    uint32_t count = node->child_count > 0 ? node->child_count : node->point_count;
    uint32_t first = node->child_count > 0 ? node->first_child : node->first_point | IS_GUARD;
    for (uint32_t k = count; k-- > 0;)
    {
        pending->refs[pending->count++] = first + k;
    }
}

static Map to_float(double map[3][4])
{
    Map out;
    for (int i = 0; i < 12; ++i)
    {
        out.m[i / 4][i % 4] = (float)map[i / 4][i % 4];
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------------------------
// Where bodies stand
// ---------------------------------------------------------------------------------------------------------------------

/// From the guarded body's frame to that of the other.
static Map map_between(const AbutPose* pose, const AbutPose* other_pose)
{
    AbutPose there = abut_pose_relative(other_pose, pose);
    AbutFrame frame = abut_frame_from_pose(&there);
    Map map;
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 3; ++column)
        {
            map.m[row][column] = (float)(frame.scale * frame.rotation[row][column]);
        }
        map.m[row][3] = (float)frame.translation[row];
    }
    return map;
}

double abut_guards_clearance(const AbutBody* guarded, const AbutPose* pose, const AbutBody* other,
                             const AbutPose* other_pose, double most, uint32_t* nearest)
{
    const AbutPointSet* set = guarded->guards;
    Map map = map_between(pose, other_pose);
    float stretch = guarded->scale / other->scale, least = (float)(most / (double)other->scale);
    Pending pending;
    pending.count = 1;
    pending.refs[0] = 0;
    *nearest = UINT32_MAX;
    while (pending.count > 0)
    {
        Spheres spheres;
        take(set, &pending, &spheres);
        sample(other->shape, &map, stretch, &spheres);
        for (uint32_t i = 0; i < spheres.count; ++i)
        {
            if ((spheres.refs[i] & IS_GUARD) != 0 && spheres.distance[i] < least)
            {
                least = spheres.distance[i];
                *nearest = spheres.refs[i] & ~IS_GUARD;
            }
        }
        uint32_t first = UINT32_MAX; // the one that may be nearest is opened last, and so looked into first
        for (uint32_t i = 0; i < spheres.count; ++i)
        {
            float low = spheres.distance[i] - spheres.radius[i];
            if ((spheres.refs[i] & IS_GUARD) != 0 || !(low < least))
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

// ---------------------------------------------------------------------------------------------------------------------
// Along their ways
// ---------------------------------------------------------------------------------------------------------------------

/// A part of the time and what is not known to be free in it.
typedef struct Part
{
    int level;
    uint32_t index;
    double begin, half;
    Map at, rate;
    Pending pending;
    uint32_t kept_count;
    uint32_t kept[MOST_KEPT];
} Part;

typedef struct Search
{
    const AbutPointSet* set;
    const AbutShape* shape;
    AbutPath path;
    float gap, fine;
    double limit; // what happens from here on does not matter
    uint32_t guard;
    uint32_t evaluations;
    Spheres spheres;
    float way[BATCH];
    Part parts[DEEPEST + 1]; // by level: the one that is being dealt with
} Search;

/// Samples in the middle of the part, and how far spheres get in half of it.
static void look(Search* self, Part* part)
{
    Spheres* spheres = &self->spheres;
    take(self->set, &part->pending, spheres);
    const AbutPath* path = &self->path;
    float half = (float)part->half * (1.0f + 1e-5f), spread = (float)path->spread;
    float bend = (float)(0.5 * part->half * path->most_bend);
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        float x = spheres->x[i], y = spheres->y[i], z = spheres->z[i], squared = 0.0f;
        for (int axis = 0; axis < 3; ++axis)
        {
            const float* m = part->rate.m[axis];
            float rate = m[0] * x + m[1] * y + (m[2] * z + m[3]);
            squared += rate * rate;
        }
        self->way[i] = half * (sqrtf(squared) + spread * spheres->radius[i] + bend);
    }
    sample(self->shape, &part->at, (float)path->stretch, spheres);
    self->evaluations += spheres->count;
}

/// Decides about sphere i. False when nothing else in this part matters.
static bool judge(Search* self, uint32_t i, Part* part)
{
    const Spheres* spheres = &self->spheres;
    uint32_t ref = spheres->refs[i];
    float way = self->way[i], radius = spheres->radius[i], room = spheres->distance[i] - self->gap;
    bool is_guard = (ref & IS_GUARD) != 0;
    if (room > STEEPEST * (radius + way))
    {
        return true;
    }
    if (!is_guard && (radius > RADIUS_PER_WAY * way || part->level == DEEPEST ||
                      (room <= 0.0f && part->begin + part->half < self->limit)))
    {
        open(self->set, ref, &part->pending);
        return true;
    }
    if (is_guard && room <= 0.0f && part->begin + part->half < self->limit)
    {
        self->limit = part->begin + part->half;
        self->guard = ref & ~IS_GUARD;
    }
    if (is_guard && (part->level == DEEPEST || way <= self->fine))
    {
        self->limit = part->begin;
        self->guard = ref & ~IS_GUARD;
        return false;
    }
    part->kept[part->kept_count++] = ref;
    return true;
}

static void visit(Search* self, int level, uint32_t index, const uint32_t* refs, uint32_t count);

static void visit_halves(Search* self, Part* part)
{
    if (part->kept_count > 0)
    {
        visit(self, part->level + 1, 2 * part->index, part->kept, part->kept_count);
        visit(self, part->level + 1, 2 * part->index + 1, part->kept, part->kept_count);
        part->kept_count = 0;
    }
}

/// Deals with a part of the time: afterwards all is known of it, or the search has ended before it.
static void visit(Search* self, int level, uint32_t index, const uint32_t* refs, uint32_t count)
{
    ABUT_ASSERT(level <= DEEPEST);
    Part* part = &self->parts[level]; // most of it stays empty
    part->level = level;
    part->index = index;
    part->begin = ldexp((double)index, -level);
    part->half = ldexp(0.5, -level);
    if (part->begin >= self->limit)
    {
        return;
    }
    AbutPathAt at;
    abut_path_at(&self->path, part->begin + part->half, &at);
    part->at = to_float(at.at);
    part->rate = to_float(at.rate);
    memcpy(part->pending.refs, refs, count * sizeof(refs[0]));
    part->pending.count = count;
    part->kept_count = 0;
    while (part->pending.count > 0 && part->begin < self->limit)
    {
        if (self->evaluations >= BUDGET) // nothing is known from here on
        {
            self->guard = self->guard == UINT32_MAX ? 0 : self->guard;
            self->limit = part->begin;
            return;
        }
        look(self, part);
        for (uint32_t i = 0; i < self->spheres.count && part->begin < self->limit; ++i)
        {
            if (!judge(self, i, part))
            {
                return;
            }
        }
        if (part->kept_count > MOST_KEPT - BATCH)
        {
            visit_halves(self, part);
        }
    }
    visit_halves(self, part);
}

/// False for places that are not finite.
static bool make_path(const AbutGuardMotion* motion, AbutPath* out)
{
    AbutRelativeMotion relative;
    if (abut_relative_motion_init(&motion->starts[0], &motion->motions[0], &motion->starts[1],
                                  &motion->motions[1], &relative) != ABUT_OK)
    {
        return false;
    }
    AbutRelativeMotion seen = abut_relative_motion_swap(&relative);
    const AbutPointNode* root = &motion->guarded->guards->nodes[0];
    *out = abut_path_make(&seen, false);
    abut_path_set_reach(out, root->center, root->radius);
    return true;
}

static double size_of(const AbutShape* shape)
{
    AbutVec3 size = abut_box_extents(shape->info.bounds);
    double longest = fmax((double)size.x, fmax((double)size.y, (double)size.z));
    return isfinite(longest) ? longest : 0.0;
}

/// As abut_guards_free().
static double search_way(Search* search, const AbutGuardMotion* motion, double gap)
{
    search->set = motion->guarded->guards;
    search->shape = motion->other->shape;
    search->limit = 1.0;
    search->guard = UINT32_MAX;
    search->evaluations = 0;
    if (!make_path(motion, &search->path))
    {
        return 1.0;
    }
    double scale = (double)motion->other->scale;
    double size = fmax(size_of(search->shape), search->path.stretch * size_of(motion->guarded->shape));
    search->gap = (float)(gap / scale);
    search->fine = (float)fmax(FINE_PART * gap / scale, FINE_SIZE * size);
    const uint32_t root = 0;
    visit(search, 0, 0, &root, 1);
    return search->guard == UINT32_MAX ? 1.0 : search->limit;
}

double abut_guards_free(const AbutGuardMotion* motion, double gap, uint32_t* guard)
{
    Search* search = abut_scratch_take(sizeof(*search));
    if (search == NULL)
    {
        *guard = 0; // nothing is known of the way
        return 0.0;
    }
    double free = search_way(search, motion, gap);
    *guard = search->guard;
    abut_scratch_give(search);
    return free;
}

void abut_guards_describe(const AbutGuardMotion* motion, uint32_t guard, double time, AbutVec3* place,
                          AbutVec3* normal)
{
    const AbutPointSet* set = motion->guarded->guards;
    AbutPose pose = abut_motion_pose(&motion->starts[0], &motion->motions[0], (float)time),
             there = abut_motion_pose(&motion->starts[1], &motion->motions[1], (float)time);
    *place = abut_vec3(set->at[0][guard], set->at[1][guard], set->at[2][guard]);
    AbutVec3 gradient;
    abut_shape_distance_at(motion->other->shape, &there, abut_pose_to_outer(&pose, *place), &gradient);
    float length = abut_vec3_length(gradient);
    gradient = length > 0.0f ? abut_vec3_scale(gradient, 1.0f / length) : abut_vec3(1.0f, 0.0f, 0.0f);
    *normal = abut_quat_rotate(abut_pose_inverse(&pose).rotation, gradient);
}
