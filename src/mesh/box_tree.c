// Top-down construction with binned splits, in three steps:
//
//   1. one thread splits the items into subtrees of at most TASK_SIZE;
//   2. workers split the subtrees down to leaves, noting for each node where its items begin and whether it
//      is a leaf;
//   3. the number of nodes is known now: workers write the subtrees, bottom up, at their final indices.
//
// A subtree over the slots [first, end) has at most 2(end − first) − 1 nodes, so its notes fit between
// 2·first and 2·end: no worker waits for another, and the outcome depends on the items alone.
#include "mesh/box_tree.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    LEAF_SIZE = 4, // of abut_box_tree_create()
    BIN_COUNT = 16,
    SMALL_BIN_COUNT = 8, // of ranges of few leaves, where the sweep over bins costs more than their items
    SMALL_RANGE = 8,     // leaves
    BOX_BLOCK = 16384,   // items whose boxes are computed in one block

    /// Small enough to give every worker many subtrees, large enough that the first step, which is serial,
    /// stays short.
    TASK_SIZE = 1 << 15,

    /// Deeper nodes are split in halves of equal number, which take 31 more levels at most: a bound for
    /// crafted input.
    BINNED_DEPTH = 48,
    MAX_DEPTH = BINNED_DEPTH + 32,
};

/// A node's note: the first slot, with the top bit set for leaves.
#define NOTE_LEAF 0x80000000u

typedef struct BuildItem
{
    AbutVec3 min;
    uint32_t item;
    AbutVec3 max;
    uint32_t bin; // of the range that is being split
} BuildItem;

typedef struct Range
{
    uint32_t first, end; // slots
    uint32_t depth;
} Range;

/// Ranges still to be split, the next one last.
typedef struct Pending
{
    Range ranges[MAX_DEPTH];
    uint32_t count;
} Pending;

/// The subtree of a task, and the result of its splits.
typedef struct Task
{
    Range range;
    uint32_t node_count;
    uint32_t first_node; // its index in the finished tree
} Task;

typedef struct Build
{
    AbutHost host;
    AbutItemBoxFn* box;
    void* context;
    uint32_t input_count;
    uint32_t item_count; // with a box
    uint32_t leaf_size;  // items, at most
    BuildItem* items;
    uint32_t* notes;     // 2 · item_count: see the top of the file
    uint32_t* top_notes; // of the first step, where the leaves are the tasks
    size_t top_count, top_capacity;
    Task* tasks; // in order of slots
    size_t task_count, task_capacity;
    AbutBoxTree tree;
} Build;

// -----------------------------------------------------------------------------------------------------------
// Splitting
// -----------------------------------------------------------------------------------------------------------

static float axis_of(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Halved before they are added: the sum of two coordinates may be infinite.
static AbutVec3 item_center(const BuildItem* item)
{
    return abut_vec3_add(abut_vec3_scale(item->min, 0.5f), abut_vec3_scale(item->max, 0.5f));
}

/// How centres fall into bins along the axis in which they are spread widest.
typedef struct Binning
{
    int axis;
    int count;
    double low, scale; // bin = (center − low) · scale
} Binning;

/// False when all centres coincide.
static bool make_binning(const BuildItem* items, Range range, int bin_count, Binning* binning)
{
    AbutBox centers = abut_box_empty();
    for (uint32_t i = range.first; i < range.end; ++i)
    {
        centers = abut_box_add_point(centers, item_center(&items[i]));
    }
    double widest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double width = (double)axis_of(centers.max, axis) - axis_of(centers.min, axis);
        if (width > widest)
        {
            widest = width;
            *binning = (Binning){ axis, bin_count, axis_of(centers.min, axis), bin_count / width };
        }
    }
    return widest > 0.0;
}

static int bin_of(const Binning* binning, const BuildItem* item)
{
    float center = 0.5f * axis_of(item->min, binning->axis) + 0.5f * axis_of(item->max, binning->axis);
    int bin = (int)((center - binning->low) * binning->scale);
    return bin < binning->count ? bin : binning->count - 1;
}

typedef struct Bin
{
    AbutBox box;
    uint32_t count;
} Bin;

/// In double: the product of two extents of a huge mesh overflows a float, of a tiny one vanishes.
static double half_area(AbutBox box)
{
    double x = (double)box.max.x - box.min.x, y = (double)box.max.y - box.min.y,
           z = (double)box.max.z - box.min.z;
    return x * y + y * z + z * x;
}

/// The bin at which the upper side begins, in [1, bin_count), with the least expected number of tests. The
/// first and last bin have items, so both sides do.
static int best_split(const Bin bins[BIN_COUNT], int bin_count)
{
    double upper_cost[BIN_COUNT];
    Bin upper = { abut_box_empty(), 0 };
    for (int i = bin_count - 1; i > 0; --i)
    {
        upper.box = abut_box_union(upper.box, bins[i].box);
        upper.count += bins[i].count;
        upper_cost[i] = half_area(upper.box) * upper.count;
    }
    int best = 1;
    double best_cost = INFINITY;
    Bin lower = { abut_box_empty(), 0 };
    for (int i = 1; i < bin_count; ++i)
    {
        lower.box = abut_box_union(lower.box, bins[i - 1].box);
        lower.count += bins[i - 1].count;
        double cost = half_area(lower.box) * lower.count + upper_cost[i];
        if (cost < best_cost)
        {
            best_cost = cost;
            best = i;
        }
    }
    return best;
}

static void swap_items(BuildItem* a, BuildItem* b)
{
    BuildItem t = *a;
    *a = *b;
    *b = t;
}

/// Moves the items of the bins before `split` to the front; returns where the others begin.
static uint32_t partition(BuildItem* items, Range range, uint32_t split)
{
    uint32_t i = range.first, j = range.end;
    for (;;)
    {
        while (i < j && items[i].bin < split)
        {
            i += 1;
        }
        while (i < j && items[j - 1].bin >= split)
        {
            j -= 1;
        }
        if (i == j)
        {
            return i;
        }
        swap_items(&items[i], &items[j - 1]);
    }
}

/// The trees of other callers are as they are: 16 bins everywhere.
static int bin_count_of(Range range, uint32_t leaf_size)
{
    bool small = leaf_size > LEAF_SIZE && range.end - range.first <= SMALL_RANGE * leaf_size;
    return small ? SMALL_BIN_COUNT : BIN_COUNT;
}

static uint32_t split_range(BuildItem* items, Range range, uint32_t leaf_size)
{
    Binning binning = { 0 };
    int bin_count = bin_count_of(range, leaf_size);
    if (range.depth >= BINNED_DEPTH || !make_binning(items, range, bin_count, &binning))
    {
        return range.first + (range.end - range.first) / 2;
    }
    Bin bins[BIN_COUNT];
    for (int i = 0; i < bin_count; ++i)
    {
        bins[i] = (Bin){ abut_box_empty(), 0 };
    }
    for (uint32_t i = range.first; i < range.end; ++i)
    {
        items[i].bin = (uint32_t)bin_of(&binning, &items[i]);
        Bin* bin = &bins[items[i].bin];
        bin->box = abut_box_union(bin->box, abut_box(items[i].min, items[i].max));
        bin->count += 1;
    }
    return partition(items, range, (uint32_t)best_split(bins, bin_count));
}

/// Puts the two sides of the range on the list, so that the lower one comes next.
static void push_children(const Build* build, Range range, Pending* pending)
{
    uint32_t middle = split_range(build->items, range, build->leaf_size);
    ABUT_ASSERT(range.first < middle && middle < range.end);
    ABUT_ASSERT(pending->count + 2 <= MAX_DEPTH);
    pending->ranges[pending->count++] = (Range){ middle, range.end, range.depth + 1 };
    pending->ranges[pending->count++] = (Range){ range.first, middle, range.depth + 1 };
}

// -----------------------------------------------------------------------------------------------------------
// Steps
// -----------------------------------------------------------------------------------------------------------

static void compute_boxes(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Build* build = context;
    size_t end = (size_t)(block + 1) * BOX_BLOCK;
    for (size_t i = (size_t)block * BOX_BLOCK; i < end && i < build->input_count; ++i)
    {
        AbutBox box = build->box(build->context, (uint32_t)i);
        ABUT_ASSERT(abut_box_is_empty(box) || abut_box_is_finite(box));
        build->items[i] = (BuildItem){ box.min, (uint32_t)i, box.max, 0 };
    }
}

static void drop_empty_boxes(Build* build)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < build->input_count; ++i)
    {
        if (!abut_box_is_empty(abut_box(build->items[i].min, build->items[i].max)))
        {
            build->items[count++] = build->items[i];
        }
    }
    build->item_count = count;
    ABUT_ASSERT(build->item_count <= build->input_count);
}

static bool add_top_note(Build* build, uint32_t note)
{
    if (!abut_memory_grow(&build->host, (void**)&build->top_notes, &build->top_capacity, build->top_count + 1,
                          sizeof(uint32_t)))
    {
        return false;
    }
    build->top_notes[build->top_count++] = note;
    return true;
}

static bool add_task(Build* build, Range range)
{
    if (!abut_memory_grow(&build->host, (void**)&build->tasks, &build->task_capacity, build->task_count + 1,
                          sizeof(Task)))
    {
        return false;
    }
    build->tasks[build->task_count++] = (Task){ .range = range };
    return true;
}

static bool split_top(Build* build)
{
    Pending pending = { .ranges = { { 0, build->item_count, 0 } }, .count = 1 };
    while (pending.count > 0)
    {
        Range range = pending.ranges[--pending.count];
        if (range.end - range.first <= TASK_SIZE)
        {
            if (!add_top_note(build, range.first | NOTE_LEAF) || !add_task(build, range))
            {
                return false;
            }
        }
        else
        {
            if (!add_top_note(build, range.first))
            {
                return false;
            }
            push_children(build, range, &pending);
        }
    }
    return true;
}

static void split_task(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Build* build = context;
    Task* task = &build->tasks[block];
    uint32_t* notes = build->notes + 2 * (size_t)task->range.first;
    Pending pending = { .ranges = { task->range }, .count = 1 };
    while (pending.count > 0)
    {
        Range range = pending.ranges[--pending.count];
        bool leaf = range.end - range.first <= build->leaf_size;
        notes[task->node_count++] = leaf ? range.first | NOTE_LEAF : range.first;
        if (!leaf)
        {
            push_children(build, range, &pending);
        }
    }
}

/// Size and box of a node from those of its two children.
static void join_children(AbutBoxNode* node)
{
    const AbutBoxNode* lower = node + 1;
    const AbutBoxNode* upper = lower + lower->size;
    node->size = 1 + lower->size + upper->size;
    node->min = abut_vec3_min(lower->min, upper->min);
    node->max = abut_vec3_max(lower->max, upper->max);
}

static void write_leaf(const Build* build, AbutBoxNode* node, uint32_t end)
{
    AbutBox box = abut_box_empty();
    for (uint32_t slot = node->first; slot < end; ++slot)
    {
        box = abut_box_union(box, abut_box(build->items[slot].min, build->items[slot].max));
        build->tree.items[slot] = build->items[slot].item;
    }
    node->min = box.min;
    node->max = box.max;
    node->size = 1;
}

static void write_task(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Build* build = context;
    const Task* task = &build->tasks[block];
    const uint32_t* notes = build->notes + 2 * (size_t)task->range.first;
    AbutBoxNode* nodes = build->tree.nodes + task->first_node;
    uint32_t end = task->range.end;
    ABUT_ASSERT(task->node_count < 2 * (task->range.end - task->range.first));
    for (uint32_t i = task->node_count; i-- > 0;) // children before parents
    {
        nodes[i].first = notes[i] & ~NOTE_LEAF;
        if (notes[i] & NOTE_LEAF)
        {
            write_leaf(build, &nodes[i], end);
            end = nodes[i].first;
        }
        else
        {
            join_children(&nodes[i]);
        }
    }
}

/// Assigns the first node of every task; returns the number of nodes.
static uint32_t write_nodes(Build* build)
{
    uint32_t node_count = 0;
    size_t task = 0;
    for (size_t i = 0; i < build->top_count; ++i)
    {
        if (build->top_notes[i] & NOTE_LEAF)
        {
            build->tasks[task].first_node = node_count;
            node_count += build->tasks[task].node_count;
            task += 1;
        }
        else
        {
            node_count += 1;
        }
    }
    return node_count;
}

static void write_top(Build* build)
{
    AbutBoxNode* nodes = build->tree.nodes;
    uint32_t index = build->tree.node_count;
    nodes[index].first = build->item_count;
    size_t task = build->task_count;
    for (size_t i = build->top_count; i-- > 0;)
    {
        if (build->top_notes[i] & NOTE_LEAF)
        {
            index = build->tasks[--task].first_node;
        }
        else
        {
            index -= 1;
            nodes[index].first = build->top_notes[i];
            join_children(&nodes[index]);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static bool collect_items(Build* build)
{
    build->items = abut_memory_allocate(&build->host, build->input_count, sizeof(BuildItem));
    if (build->items == NULL)
    {
        return false;
    }
    abut_parallel_for(&build->host, abut_block_count(build->input_count, BOX_BLOCK), compute_boxes, build);
    drop_empty_boxes(build);
    return true;
}

static bool split_items(Build* build)
{
    build->notes = abut_memory_allocate(&build->host, build->item_count, 2 * sizeof(uint32_t));
    if (build->notes == NULL || !split_top(build))
    {
        return false;
    }
    abut_parallel_for(&build->host, (uint32_t)build->task_count, split_task, build);
    return true;
}

static bool write_tree(Build* build)
{
    AbutBoxTree* tree = &build->tree;
    tree->item_count = build->item_count;
    tree->node_count = write_nodes(build);
    tree->nodes = abut_memory_allocate(&build->host, (size_t)tree->node_count + 1, sizeof(AbutBoxNode));
    tree->items = abut_memory_allocate(&build->host, tree->item_count, sizeof(uint32_t));
    if (tree->nodes == NULL || tree->items == NULL)
    {
        return false;
    }
    abut_parallel_for(&build->host, (uint32_t)build->task_count, write_task, build);
    write_top(build);
    ABUT_ASSERT(tree->nodes[0].size == tree->node_count && tree->nodes[0].first == 0);
    return true;
}

static void free_scratch(Build* build)
{
    abut_memory_free(&build->host, build->items, build->input_count, sizeof(BuildItem));
    abut_memory_free(&build->host, build->notes, build->item_count, 2 * sizeof(uint32_t));
    abut_memory_free(&build->host, build->top_notes, build->top_capacity, sizeof(uint32_t));
    abut_memory_free(&build->host, build->tasks, build->task_capacity, sizeof(Task));
}

AbutResult abut_box_tree_create(const AbutHost* host, uint32_t item_count, AbutItemBoxFn* box, void* context,
                                AbutBoxTree* out)
{
    return abut_box_tree_create_leaves(host, item_count, LEAF_SIZE, box, context, out);
}

AbutResult abut_box_tree_create_leaves(const AbutHost* host, uint32_t item_count, uint32_t leaf_size,
                                       AbutItemBoxFn* box, void* context, AbutBoxTree* out)
{
    ABUT_ASSERT(item_count <= ABUT_BOX_TREE_MAX_ITEMS && leaf_size > 0);
    memset(out, 0, sizeof(*out));
    Build build = {
        .host = *host, .box = box, .context = context, .input_count = item_count, .leaf_size = leaf_size
    };
    AbutResult result = ABUT_OK;
    if (!collect_items(&build) || (build.item_count > 0 && (!split_items(&build) || !write_tree(&build))))
    {
        abut_box_tree_destroy(host, &build.tree);
        result = ABUT_OUT_OF_MEMORY;
    }
    free_scratch(&build);
    *out = build.tree;
    return result;
}

void abut_box_tree_destroy(const AbutHost* host, AbutBoxTree* tree)
{
    abut_memory_free(host, tree->nodes, (size_t)tree->node_count + 1, sizeof(AbutBoxNode));
    abut_memory_free(host, tree->items, tree->item_count, sizeof(uint32_t));
    memset(tree, 0, sizeof(*tree));
}
