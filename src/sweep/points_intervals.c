// All intervals of moving points, in the order of the tree, which is that of the points.
//
// The time is cut into slots, and a sphere of the tree carries two sets of them: those in which all of its points are in the solid,
// and those in which that is open; in the rest they are outside. The children of a sphere look again at what is open, from long
// parts of the time to short ones until their way is in proportion to their radius. The points of the last spheres are followed in
// lanes.
#include "sweep/lanes.h"

#include <math.h>

enum
{
    SLOT_LEVEL = 5, // 2⁵ slots
    MOST_ITEMS = 1024,
    STACK = ABUT_POINT_MAX_DEPTH * ABUT_POINT_CHILDREN,
};

_Static_assert(1 << SLOT_LEVEL == ABUT_KNOT_SLOTS, "slots are the shortest parts");
_Static_assert((ABUT_POINT_CHILDREN << (SLOT_LEVEL + 1)) <= MOST_ITEMS, "all parts of all siblings fit");

/// Time is halved while the way is longer than this many radii.
static const double WAY_PER_RADIUS = 2.0;

/// A sphere and its slots.
typedef struct Task
{
    uint32_t ref; // node
    uint32_t inside, open;
} Task;

/// A part of the time to look at for a sibling: 2^-level, counted from the start.
typedef struct Item
{
    uint8_t sibling, level, index;
} Item;

typedef struct Walk
{
    const AbutPointSide* side;
    AbutKnots knots;
    AbutLaneRun lanes;
    AbutIntervalSink* sink;
    uint64_t budget;
    uint64_t* evaluations;
    uint32_t stack_count, lane_count;
    Task stack[STACK];
    AbutLaneTask lane_tasks[ABUT_SWEEP_BATCH];

    uint32_t item_count;
    Item items[MOST_ITEMS];
    AbutPointBatch batch;
    Item taken[ABUT_SWEEP_BATCH];
    double radius[ABUT_SWEEP_BATCH], way[ABUT_SWEEP_BATCH];
} Walk;

static uint32_t slots_of(uint32_t level, uint32_t index)
{
    uint32_t width = (uint32_t)ABUT_KNOT_SLOTS >> level;
    return (width == 32 ? UINT32_MAX : (1u << width) - 1u) << index * width;
}

static void push_item(Walk* self, const Task* tasks, Item item)
{
    if ((tasks[item.sibling].open & slots_of(item.level, item.index)) != 0)
    {
        self->items[self->item_count++] = item;
    }
}

static void sample_items(Walk* self, const Task* tasks)
{
    const AbutPath* path = &self->side->path;
    uint32_t count = self->item_count < ABUT_SWEEP_BATCH ? self->item_count : ABUT_SWEEP_BATCH;
    self->item_count -= count;
    self->batch.count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        Item item = self->items[self->item_count + i];
        double center[3], at[3], rate[3], radius;
        AbutPathAt* knot = abut_knots_at(&self->knots, 2u * item.index + 1u, 2u << item.level);
        abut_sphere_load(self->side->points, tasks[item.sibling].ref, center, &radius);
        abut_path_apply(knot->at, center, at);
        abut_path_apply(knot->rate, center, rate);
        self->taken[i] = item;
        self->way[i] = abut_path_way(path, rate, radius, ldexp(0.5, -item.level));
        self->radius[i] = radius * path->stretch;
        for (int axis = 0; axis < 3; ++axis)
        {
            self->batch.at[axis][i] = (float)at[axis];
        }
    }
    abut_point_batch_sample(self->side, &self->batch);
    *self->evaluations += count;
}

static void judge_item(Walk* self, Task* tasks, uint32_t i)
{
    Item item = self->taken[i];
    Task* task = &tasks[item.sibling];
    float f = self->batch.distance[i];
    const float at[3] = { self->batch.at[0][i], self->batch.at[1][i], self->batch.at[2][i] };
    uint32_t slots = task->open & slots_of(item.level, item.index);
    if (abut_reach_same(&self->side->reach, at, f) > self->radius[i] + self->way[i])
    {
        task->open &= ~slots;
        task->inside |= f <= 0.0f ? slots : 0;
    }
    else if (item.level < SLOT_LEVEL && self->way[i] > WAY_PER_RADIUS * self->radius[i])
    {
        uint8_t level = (uint8_t)(item.level + 1), index = (uint8_t)(2 * item.index);
        push_item(self, tasks, (Item){ item.sibling, level, index });
        push_item(self, tasks, (Item){ item.sibling, level, (uint8_t)(index + 1) });
    }
}

/// Finds out what it can about siblings.
static void look_at(Walk* self, Task* tasks, uint32_t count)
{
    self->item_count = 0;
    for (uint32_t k = 0; k < count; ++k)
    {
        push_item(self, tasks, (Item){ (uint8_t)k, 0, 0 });
    }
    while (self->item_count > 0)
    {
        sample_items(self, tasks);
        for (uint32_t i = 0; i < self->batch.count; ++i)
        {
            judge_item(self, tasks, i);
        }
    }
}

static bool flush_lanes(Walk* self)
{
    uint32_t count = self->lane_count;
    self->lane_count = 0;
    return count == 0 || abut_lanes_run(&self->lanes, self->lane_tasks, count);
}

/// Hands the points of a leaf to lanes. False when the budget is spent.
static bool follow_points(Walk* self, const AbutPointNode* leaf, const Task* parent)
{
    for (uint32_t k = 0; k < leaf->point_count; ++k)
    {
        self->lane_tasks[self->lane_count++] =
            (AbutLaneTask){ leaf->first_point + k, parent->inside, parent->open };
        if (self->lane_count == ABUT_SWEEP_BATCH && !flush_lanes(self))
        {
            return false;
        }
    }
    return true;
}

/// Replaces a task by those of the spheres in it. False when the budget is spent.
static bool open_task(Walk* self, Task parent)
{
    const AbutPointNode* node = &self->side->points->nodes[parent.ref];
    if (node->child_count == 0)
    {
        return follow_points(self, node, &parent);
    }
    Task tasks[ABUT_POINT_CHILDREN];
    for (uint32_t k = 0; k < node->child_count; ++k)
    {
        tasks[k] = (Task){ node->first_child + k, parent.inside, parent.open };
    }
    look_at(self, tasks, node->child_count);
    for (uint32_t k = node->child_count; k-- > 0;) // the first comes out first
    {
        if ((tasks[k].open | tasks[k].inside) != 0)
        {
            self->stack[self->stack_count++] = tasks[k];
        }
    }
    return *self->evaluations < self->budget;
}

/// False when the budget is spent: the intervals of the points before are there. All points are free until a time.
static bool walk_side(Walk* self, double free_until)
{
    Task root = { .open = UINT32_MAX << (uint32_t)fmin(free_until * ABUT_KNOT_SLOTS, ABUT_KNOT_SLOTS - 1.0) };
    self->stack_count = 0;
    self->lane_count = 0;
    if (self->side->points->count == 0)
    {
        return true;
    }
    look_at(self, &root, 1);
    if ((root.open | root.inside) != 0)
    {
        self->stack[self->stack_count++] = root;
    }
    while (self->stack_count > 0)
    {
        if (!open_task(self, self->stack[--self->stack_count]))
        {
            return false;
        }
    }
    return flush_lanes(self);
}

static uint64_t budget_of(const AbutSweepInput* input, const AbutPointSide* side)
{
    return (uint64_t)input->settings.budget * (1u + side->points->count / 1024u);
}

static bool collect_side(const AbutSweepInput* input, const AbutPointSide* side, AbutIntervalSink* sink,
                         AbutSweepOutput* output)
{
    Walk self; // filled as it is used
    self.side = side;
    self.sink = sink;
    self.evaluations = &output->evaluations;
    self.budget = output->evaluations + budget_of(input, side);
    abut_knots_init(&self.knots, &side->path);
    self.lanes = (AbutLaneRun){ side, &self.knots, sink, self.budget, &output->evaluations };
    sink->side = (uint8_t)side->side;
    sink->has_last = false;
    return walk_side(&self, output->time);
}

AbutSweepOutput abut_sweep_points_intervals(const AbutSweepInput* input, const AbutRelativeMotion* motion,
                                            AbutPointInterval* intervals, int capacity)
{
    AbutSweepOutput output = abut_sweep_points_first(input, motion);
    if (output.state == ABUT_SWEEP_INVALID || output.state == ABUT_SWEEP_MISS)
    {
        return output;
    }
    AbutPointSide sides[2];
    AbutIntervalSink sink = { .intervals = intervals, .capacity = capacity };
    int count;
    bool is_complete = true;
    abut_point_sides(input, motion, sides, &count);
    for (int i = 0; i < count && is_complete; ++i)
    {
        is_complete = collect_side(input, &sides[i], &sink, &output);
    }
    output.state = is_complete ? output.state : ABUT_SWEEP_BUDGET;
    output.interval_count = sink.count;
    output.interval_total = sink.total;
    return output;
}
