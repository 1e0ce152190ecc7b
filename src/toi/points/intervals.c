// All intervals of moving points, in the order of the tree, which is that of the points.
//
// A sphere of the tree has open intervals of time, in which it may cross the surface; between them all of its
// points are known to be outside, or inside. Its children are sampled in these intervals only. The points of
// the leaves are followed through theirs, many at once.
#include "toi/points/intervals.h"

#include "base/assert.h"
#include "shape/shape.h"
#include "toi/points/cell_tracer.h"
#include "toi/points/open_intervals.h"
#include "toi/points/root_isolation.h"

#include "base/scratch.h"

#include <math.h>

enum
{
    PARENTS = ABUT_TOI_POINT_BATCH / ABUT_POINT_CHILDREN, // nodes whose children are sampled together

    /// A level of the tree has at most the children of PARENTS on the stack: nodes are opened from the top.
    STACK = ABUT_POINT_MAX_DEPTH * ABUT_TOI_POINT_BATCH
};

typedef struct Walk
{
    const AbutToiPointSide* side;
    AbutTrajectorySamples trajectory_samples;
    AbutSphereQueue queries;
    uint64_t budget;
    uint64_t* evaluations;
    bool uses_tracer; // else points are sampled
    union
    {
        AbutCellTracer tracer;
        AbutRootIsolation searches;
    };
    uint32_t stack_count;
    AbutOpenNode stack[STACK];
} Walk;

static const AbutPointNode* node_of(const Walk* self, const AbutOpenNode* task)
{
    return &self->side->points->nodes[task->node];
}

/// True for a leaf, or a sphere without open intervals.
static bool is_last(const Walk* self, const AbutOpenNode* task)
{
    return node_of(self, task)->child_count == 0 || task->open_intervals.count == 0;
}

/// False when the budget is spent.
static bool follow_points(Walk* self, const AbutOpenNode* task)
{
    const AbutPointNode* node = node_of(self, task);
    if (self->uses_tracer)
    {
        return abut_cell_tracer_add(&self->tracer, node, &task->open_intervals);
    }
    bool goes_on = true;
    for (uint32_t k = 0; k < node->point_count && goes_on; ++k)
    {
        goes_on = abut_root_isolation_add(&self->searches, node->first_point + k, &task->open_intervals);
    }
    return goes_on;
}

static void add_children(Walk* self, const AbutOpenNode* task)
{
    const AbutPointNode* node = node_of(self, task);
    for (uint32_t k = 0; k < node->child_count; ++k)
    {
        abut_sphere_queue_add(&self->queries, node->first_child + k, &task->open_intervals);
    }
}

/// Pushes the nodes of the queries, the first on top.
static void flush_queries(Walk* self)
{
    abut_sphere_queue_flush(&self->queries);
    for (uint32_t i = self->queries.count; i-- > 0;)
    {
        const AbutOpenNode* task = &self->queries.queries[i].task;
        if (task->open_intervals.count > 0 || task->open_intervals.inside != 0)
        {
            ABUT_ASSERT(self->stack_count < STACK);
            self->stack[self->stack_count++] = *task;
        }
    }
    self->queries.count = 0;
}

/// Replaces the uppermost spheres by their children, up to the first leaf.
static void open_tasks(Walk* self)
{
    for (uint32_t i = 0; i < PARENTS && self->stack_count > 0; ++i)
    {
        const AbutOpenNode* task = &self->stack[self->stack_count - 1];
        if (is_last(self, task))
        {
            break;
        }
        add_children(self, task);
        self->stack_count -= 1;
    }
    flush_queries(self);
}

/// False when the budget is spent: the intervals of earlier points are complete. All points are free until a
/// time.
static bool walk_side(Walk* self, double free_until)
{
    double first = fmin(floor(free_until * ABUT_TRAJECTORY_TICKS), ABUT_TRAJECTORY_TICKS - 1.0);
    AbutOpenIntervals all = { .count = 1, .begin = { (uint16_t)first }, .end = { ABUT_TRAJECTORY_TICKS } };
    self->stack_count = 0;
    if (self->side->points->count > 0)
    {
        abut_sphere_queue_add(&self->queries, 0, &all);
        flush_queries(self);
    }
    while (self->stack_count > 0)
    {
        AbutOpenNode task = self->stack[self->stack_count - 1];
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
    return self->uses_tracer ? abut_cell_tracer_flush(&self->tracer)
                             : abut_root_isolation_flush(&self->searches);
}

static uint64_t budget_of(const AbutToiInput* input, const AbutToiPointSide* side)
{
    return (uint64_t)input->settings.budget * (1u + side->points->count / 1024u);
}

/// Points in fields are traced from cell to cell where possible, all others are sampled.
static void prepare_points(Walk* self, uint64_t share, AbutIntervalWriter* writer)
{
    self->uses_tracer =
        abut_cell_tracer_init(&self->tracer, self->side, &self->trajectory_samples, writer, self->budget);
    if (self->uses_tracer)
    {
        self->tracer.evaluations = self->evaluations;
        return;
    }
    abut_root_isolation_init(&self->searches, self->side, &self->trajectory_samples, writer, share);
    self->searches.budget = self->budget;
    self->searches.evaluations = self->evaluations;
}

static bool collect_side(const AbutToiInput* input, const AbutToiPointSide* side, AbutIntervalWriter* writer,
                         Walk* self, AbutToiOutput* output)
{
    self->side = side;
    self->budget = budget_of(input, side) + output->evaluations;
    self->evaluations = &output->evaluations;
    abut_trajectory_samples_init(&self->trajectory_samples, &side->path);
    self->queries.side = side;
    self->queries.trajectory_samples = &self->trajectory_samples;
    self->queries.evaluations = &output->evaluations;
    self->queries.count = 0;
    writer->side = (uint8_t)side->side;
    writer->has_last = false;
    writer->earliest = output->time;
    prepare_points(self, budget_of(input, side), writer);
    bool is_complete = walk_side(self, output->time);
    double slope = fmax(1.0, side->shape->info.lipschitz);
    double coarsest = self->uses_tracer ? 0.0 : self->searches.coarsest;
    output->slack = fmaxf(output->slack, (float)(slope * coarsest * side->unit));
    return is_complete;
}

/// The first contact from the intervals, which are complete where the search for it had spent its budget.
static void describe_first(const AbutToiPointSide* side, const AbutIntervalWriter* writer,
                           AbutToiOutput* output)
{
    output->state = ABUT_TOI_HIT;
    output->gap = output->slack;
    abut_toi_point_side_describe(side, writer->first.point, (double)writer->first.times.begin, output);
}

AbutToiOutput abut_toi_points_intervals(const AbutToiInput* input, const AbutRelativeMotion* motion,
                                        AbutPointInterval* intervals, uint32_t capacity)
{
    AbutToiOutput output = abut_toi_points_first(input, motion);
    if (output.state == ABUT_TOI_INVALID || output.state == ABUT_TOI_MISS)
    {
        return output;
    }
    Walk* walk = abut_scratch_acquire(sizeof(*walk)); // filled on use
    if (walk == NULL)
    {
        return (AbutToiOutput){ .state = ABUT_TOI_INVALID };
    }
    AbutToiPointSide sides[2];
    AbutIntervalWriter writer = { .intervals = intervals, .capacity = capacity };
    int count;
    bool is_complete = true;
    abut_toi_point_sides(input, motion, sides, &count);
    for (int i = 0; i < count && is_complete; ++i)
    {
        is_complete = collect_side(input, &sides[i], &writer, walk, &output);
    }
    abut_scratch_release(walk);
    if (!is_complete)
    {
        output.state = ABUT_TOI_BUDGET;
    }
    else if (output.state == ABUT_TOI_BUDGET && writer.total > 0)
    {
        describe_first(&sides[count == 2 && writer.first.side == sides[1].side ? 1 : 0], &writer, &output);
    }
    output.interval_count = writer.count;
    output.interval_total = writer.total;
    return output;
}
