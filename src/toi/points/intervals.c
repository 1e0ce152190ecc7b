// All intervals of moving points, in the order of the tree, which is that of the points.
//
// A sphere of the tree carries the windows of the time in which it meets the surface; between them all of its points are known to be
// outside, or inside. Its children look again at these windows only. The points of the last spheres are followed through theirs in lanes.
#include "shape/shape.h"
#include "toi/points/cell_tracer.h"
#include "toi/points/open_intervals.h"
#include "toi/points/root_isolation.h"

#include "base/scratch.h"

#include <math.h>

enum
{
    PARENTS = ABUT_SWEEP_BATCH / ABUT_POINT_CHILDREN, // whose children are looked at together

    /// A level of the tree has no more tasks waiting than the children of PARENTS: they are opened from the top.
    STACK = ABUT_POINT_MAX_DEPTH * ABUT_SWEEP_BATCH
};

typedef struct Walk
{
    const AbutPointSide* side;
    AbutKnots knots;
    AbutLooks looks;
    uint64_t budget;
    uint64_t* evaluations;
    bool is_traced; // else points are followed in lanes
    union
    {
        AbutTraceRun traces;
        AbutLaneRun lanes;
    };
    uint32_t stack_count;
    AbutWindowTask stack[STACK];
} Walk;

static const AbutPointNode* node_of(const Walk* self, const AbutWindowTask* task)
{
    return &self->side->points->nodes[task->node];
}

/// True when nothing is gained by opening the sphere.
static bool is_last(const Walk* self, const AbutWindowTask* task)
{
    return node_of(self, task)->child_count == 0 || task->windows.count == 0;
}

/// False when the budget is spent.
static bool follow_points(Walk* self, const AbutWindowTask* task)
{
    const AbutPointNode* node = node_of(self, task);
    if (self->is_traced)
    {
        return abut_traces_add(&self->traces, node, &task->windows);
    }
    bool goes_on = true;
    for (uint32_t k = 0; k < node->point_count && goes_on; ++k)
    {
        goes_on = abut_lanes_add(&self->lanes, node->first_point + k, &task->windows);
    }
    return goes_on;
}

static void add_children(Walk* self, const AbutWindowTask* task)
{
    const AbutPointNode* node = node_of(self, task);
    for (uint32_t k = 0; k < node->child_count; ++k)
    {
        abut_looks_add(&self->looks, node->first_child + k, &task->windows);
    }
}

/// Puts what has been found out of looks on the stack: the first comes out first.
static void take_looks(Walk* self)
{
    abut_looks_run(&self->looks);
    for (uint32_t i = self->looks.count; i-- > 0;)
    {
        const AbutWindowTask* task = &self->looks.looks[i].task;
        if (task->windows.count > 0 || task->windows.inside != 0)
        {
            self->stack[self->stack_count++] = *task;
        }
    }
    self->looks.count = 0;
}

/// Replaces the uppermost spheres that are not the last by those in them.
static void open_tasks(Walk* self)
{
    for (uint32_t i = 0; i < PARENTS && self->stack_count > 0; ++i)
    {
        const AbutWindowTask* task = &self->stack[self->stack_count - 1];
        if (is_last(self, task))
        {
            break;
        }
        add_children(self, task);
        self->stack_count -= 1;
    }
    take_looks(self);
}

/// False when the budget is spent: the intervals of the points before are there. All points are free until a time.
static bool walk_side(Walk* self, double free_until)
{
    double first = fmin(floor(free_until * ABUT_KNOT_TICKS), ABUT_KNOT_TICKS - 1.0);
    AbutWindows all = { .count = 1, .begin = { (uint16_t)first }, .end = { ABUT_KNOT_TICKS } };
    self->stack_count = 0;
    if (self->side->points->count > 0)
    {
        abut_looks_add(&self->looks, 0, &all);
        take_looks(self);
    }
    while (self->stack_count > 0)
    {
        AbutWindowTask task = self->stack[self->stack_count - 1];
        if (*self->evaluations >= self->budget)
        {
            return false;
        }
        if (!is_last(self, &task))
        {
            open_tasks(self);
            continue;
        }
        self->stack_count -= 1;
        if (!follow_points(self, &task))
        {
            return false;
        }
    }
    return self->is_traced ? abut_traces_flush(&self->traces) : abut_lanes_flush(&self->lanes);
}

static uint64_t budget_of(const AbutSweepInput* input, const AbutPointSide* side)
{
    return (uint64_t)input->settings.budget * (1u + side->points->count / 1024u);
}

/// Fields are traced from cell to cell where that is possible, all else is sampled.
static void prepare_points(Walk* self, uint64_t share, AbutIntervalSink* sink)
{
    self->is_traced = abut_traces_init(&self->traces, self->side, &self->knots, sink, self->budget);
    if (self->is_traced)
    {
        self->traces.evaluations = self->evaluations;
        return;
    }
    abut_lanes_init(&self->lanes, self->side, &self->knots, sink, share);
    self->lanes.budget = self->budget;
    self->lanes.evaluations = self->evaluations;
}

static bool collect_side(const AbutSweepInput* input, const AbutPointSide* side, AbutIntervalSink* sink,
                         Walk* self, AbutSweepOutput* output)
{
    self->side = side;
    self->budget = budget_of(input, side) + output->evaluations;
    self->evaluations = &output->evaluations;
    abut_knots_init(&self->knots, &side->path);
    self->looks.side = side;
    self->looks.knots = &self->knots;
    self->looks.evaluations = &output->evaluations;
    self->looks.count = 0;
    sink->side = (uint8_t)side->side;
    sink->has_last = false;
    sink->earliest = output->time;
    prepare_points(self, budget_of(input, side), sink);
    bool is_complete = walk_side(self, output->time);
    double slope = fmax(1.0, side->shape->info.lipschitz);
    double coarsest = self->is_traced ? 0.0 : self->lanes.coarsest;
    output->slack = fmaxf(output->slack, (float)(slope * coarsest * side->unit));
    return is_complete;
}

/// The first touch was not found within the budget, but what there is of intervals is complete.
static void describe_first(const AbutPointSide* side, const AbutIntervalSink* sink, AbutSweepOutput* output)
{
    output->state = ABUT_SWEEP_HIT;
    output->gap = output->slack;
    abut_point_side_describe(side, sink->first.point, (double)sink->first.times.begin, output);
}

AbutSweepOutput abut_sweep_points_intervals(const AbutSweepInput* input, const AbutRelativeMotion* motion,
                                            AbutPointInterval* intervals, int capacity)
{
    AbutSweepOutput output = abut_sweep_points_first(input, motion);
    if (output.state == ABUT_SWEEP_INVALID || output.state == ABUT_SWEEP_MISS)
    {
        return output;
    }
    Walk* walk = abut_scratch_take(sizeof(*walk)); // filled as it is used
    if (walk == NULL)
    {
        return (AbutSweepOutput){ .state = ABUT_SWEEP_INVALID };
    }
    AbutPointSide sides[2];
    AbutIntervalSink sink = { .intervals = intervals, .capacity = capacity };
    int count;
    bool is_complete = true;
    abut_point_sides(input, motion, sides, &count);
    for (int i = 0; i < count && is_complete; ++i)
    {
        is_complete = collect_side(input, &sides[i], &sink, walk, &output);
    }
    abut_scratch_give(walk);
    if (!is_complete)
    {
        output.state = ABUT_SWEEP_BUDGET;
    }
    else if (output.state == ABUT_SWEEP_BUDGET && sink.total > 0)
    {
        describe_first(&sides[count == 2 && sink.first.side == sides[1].side ? 1 : 0], &sink, &output);
    }
    output.interval_count = sink.count;
    output.interval_total = sink.total;
    return output;
}
