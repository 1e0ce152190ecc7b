// A bounding volume hierarchy with eight children per node over boxes in Morton order: lane l of pack p on
// one level is the box around pack 8p + l of the level below, so there are no pointers. Boxes of very
// different sizes have trees of their own (size_classes.h).
//
// All pairs are found pack by pack: the eight boxes of a pack are neighbours, and traverse the trees
// together. Of two packs of a tree the first one does; of two trees, that of the smaller boxes.
#include "base/memory.h"
#include "base/tasks.h"
#include "broad/kernels.h"
#include "broad/pack_scan.h"
#include "broad/size_classes.h"

enum
{
    ITEMS_PER_BLOCK = 4096, // a multiple of ABUT_BOX_PACK_SIZE
    PACKS_PER_BLOCK = 64,
    REFIT_LEVEL = 2 // a box that leaves its node of this level is removed from the tree
};

/// A tree is rebuilt when the surface of its packs has grown by this factor.
static const double loosest = 1.5;

typedef struct Subtree
{
    uint32_t first, count; // packs of boxes
    uint32_t top;          // level with one pack
    const AbutBoxPack* levels[ABUT_BOX_PACK_LEVELS];
} Subtree;

typedef struct Tree
{
    AbutBroadStructure base;
    AbutSizeClasses levels;
    AbutKeySort order;
    Subtree subtrees[ABUT_SIZE_CLASSES_MAX]; // small boxes first
    uint32_t subtree_count;
    AbutBoxPack* nodes; // packs of all levels but the lowest, tree by tree
    size_t node_capacity;
    double built_surface, surface; // of the packs of boxes
} Tree;

static void clear(AbutBroadStructure* structure)
{
    Tree* tree = (Tree*)structure;
    abut_key_sort_free(&tree->order, &structure->host);
    abut_box_packs_free(&structure->items, &structure->host);
    abut_memory_free(&structure->host, tree->nodes, tree->node_capacity, sizeof(AbutBoxPack));
}

// -----------------------------------------------------------------------------------------------------------
// Building
// -----------------------------------------------------------------------------------------------------------

/// A level of boxes to be packed.
typedef struct LevelJob
{
    Tree* tree;
    const AbutBroadInput* input;
    uint32_t begin, end;         // items
    uint32_t index;              // of the first
    double low[3], inverse_cell; // of sums of two ends
} LevelJob;

static uint32_t block_end(uint32_t begin, uint32_t end)
{
    return end - begin < ITEMS_PER_BLOCK ? end : begin + ITEMS_PER_BLOCK;
}

static void make_keys(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const LevelJob* job = context;
    AbutKeyedId* items = job->tree->order.items;
    const uint32_t begin = job->begin + block * ITEMS_PER_BLOCK, end = block_end(begin, job->end);
    for (uint32_t i = begin; i < end; ++i)
    {
        const AbutBox* box = &job->input->boxes[items[i].id];
        uint32_t x = abut_axis_cell((double)box->min.x + (double)box->max.x, job->low[0], job->inverse_cell);
        uint32_t y = abut_axis_cell((double)box->min.y + (double)box->max.y, job->low[1], job->inverse_cell);
        uint32_t z = abut_axis_cell((double)box->min.z + (double)box->max.z, job->low[2], job->inverse_cell);
        items[i].key = abut_morton_spread(x) | abut_morton_spread(y) << 1 | abut_morton_spread(z) << 2;
    }
}

static void fill_items(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const LevelJob* job = context;
    const uint32_t begin = job->begin + block * ITEMS_PER_BLOCK, end = block_end(begin, job->end);
    for (uint32_t i = begin; i < end; ++i)
    {
        const uint32_t id = job->tree->order.items[i].id, index = job->index + (i - job->begin);
        abut_box_packs_set(&job->tree->base.items, index, id, &job->input->boxes[id]);
        job->input->pack_indices[id] = index;
    }
}

/// Fills packs with the boxes of a level in the Morton order of their middles.
static void fill_level(Tree* tree, const AbutBroadInput* input, uint32_t level, uint32_t first_pack)
{
    const AbutSizeClasses* levels = &tree->levels;
    LevelJob job = { .tree = tree,
                     .input = input,
                     .begin = levels->first[level],
                     .end = levels->first[level + 1],
                     .index = first_pack * ABUT_BOX_PACK_SIZE };
    // Cubic cells, for compact packs in flat or long worlds.
    double side = fmax((double)levels->side[0], fmax((double)levels->side[1], (double)levels->side[2]));
    side = side > 0.0 ? side : 1.0;
    job.inverse_cell = ABUT_AXIS_CELLS / (4.0 * side);
    job.low[0] = 2.0 * ((double)levels->low[0] - 0.5 * side);
    job.low[1] = 2.0 * ((double)levels->low[1] - 0.5 * side);
    job.low[2] = 2.0 * ((double)levels->low[2] - 0.5 * side);
    const uint32_t blocks = abut_block_count(job.end - job.begin, ITEMS_PER_BLOCK);
    abut_parallel_for(&tree->base.host, blocks, make_keys, &job);
    abut_key_sort_range(&tree->order, job.begin, job.end - job.begin);
    abut_parallel_for(&tree->base.host, blocks, fill_items, &job);
    for (uint32_t index = job.index + (job.end - job.begin); index % ABUT_BOX_PACK_SIZE != 0; ++index)
    {
        abut_box_packs_clear(&tree->base.items, index);
    }
}

static uint32_t packs_over(uint32_t count)
{
    return count / ABUT_BOX_PACK_SIZE + (count % ABUT_BOX_PACK_SIZE != 0 ? 1 : 0);
}

static uint32_t nodes_over(uint32_t count)
{
    uint32_t nodes = 0;
    while (count > 1)
    {
        count = packs_over(count);
        nodes += count;
    }
    return nodes;
}

/// Counts of packs and nodes, and memory for them.
static bool lay_out(Tree* tree)
{
    const AbutSizeClasses* levels = &tree->levels;
    uint32_t pack_count = 0, node_count = 0;
    tree->subtree_count = 0;
    for (uint32_t level = 0; level < levels->count; ++level)
    {
        uint32_t count = packs_over(levels->first[level + 1] - levels->first[level]);
        if (count > 0)
        {
            tree->subtrees[tree->subtree_count++] = (Subtree){ .first = pack_count, .count = count };
            pack_count += count;
            node_count += nodes_over(count);
        }
    }
    return abut_box_packs_resize(&tree->base.items, &tree->base.host, pack_count) &&
           abut_memory_grow(&tree->base.host, (void**)&tree->nodes, &tree->node_capacity, node_count,
                            sizeof(AbutBoxPack));
}

static double half_surface(const AbutBox* box)
{
    double x = (double)box->max.x - (double)box->min.x, y = (double)box->max.y - (double)box->min.y;
    double z = (double)box->max.z - (double)box->min.z;
    return x >= 0.0 ? x * y + y * z + z * x : 0.0;
}

static void set_lane(AbutBoxPack* pack, uint32_t lane, const AbutBox* box)
{
    const bool empty = !(box->min.x <= box->max.x);
    pack->low[0][lane] = empty ? NAN : box->min.x;
    pack->low[1][lane] = empty ? NAN : box->min.y;
    pack->low[2][lane] = empty ? NAN : box->min.z;
    pack->high[0][lane] = empty ? NAN : box->max.x;
    pack->high[1][lane] = empty ? NAN : box->max.y;
    pack->high[2][lane] = empty ? NAN : box->max.z;
}

/// Boxes around `count` packs, in packs; the sum of their surfaces.
static double surround(const AbutBoxPack* packs, uint32_t count, AbutBoxPack* out)
{
    const AbutBox empty = abut_box_empty();
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutBox bounds = abut_box_pack_bounds(&packs[i]);
        set_lane(&out[i / ABUT_BOX_PACK_SIZE], i % ABUT_BOX_PACK_SIZE, &bounds);
        sum += half_surface(&bounds);
    }
    for (uint32_t i = count; i % ABUT_BOX_PACK_SIZE != 0; ++i)
    {
        set_lane(&out[i / ABUT_BOX_PACK_SIZE], i % ABUT_BOX_PACK_SIZE, &empty);
    }
    return sum;
}

/// All levels above the boxes, from what is in their packs.
static void build_nodes(Tree* tree)
{
    AbutBoxPack* next = tree->nodes;
    tree->surface = 0.0;
    for (uint32_t t = 0; t < tree->subtree_count; ++t)
    {
        Subtree* subtree = &tree->subtrees[t];
        uint32_t level = 0, count = subtree->count;
        subtree->levels[0] = tree->base.items.packs + subtree->first;
        while (count > 1)
        {
            double surface = surround(subtree->levels[level], count, next);
            tree->surface += level == 0 ? surface : 0.0;
            count = packs_over(count);
            level += 1;
            subtree->levels[level] = next;
            next += count;
        }
        subtree->top = level;
    }
}

static bool build(AbutBroadStructure* structure, const AbutBroadInput* input)
{
    Tree* tree = (Tree*)structure;
    if (!abut_size_classes_divide(&tree->levels, input, &structure->host, &tree->order) || !lay_out(tree))
    {
        return false;
    }
    uint32_t subtree = 0;
    for (uint32_t level = 0; level < tree->levels.count; ++level)
    {
        if (tree->levels.first[level] < tree->levels.first[level + 1])
        {
            fill_level(tree, input, level, tree->subtrees[subtree++].first);
        }
    }
    build_nodes(tree);
    tree->built_surface = tree->surface;
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Refitting
// -----------------------------------------------------------------------------------------------------------

typedef struct RefitJob
{
    AbutBoxPacks* items;
    const AbutBox* boxes;
} RefitJob;

static void refit_items(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const RefitJob* job = context;
    const uint32_t begin = block * ITEMS_PER_BLOCK;
    const uint32_t end = block_end(begin, job->items->count * ABUT_BOX_PACK_SIZE);
    for (uint32_t index = begin; index < end; ++index)
    {
        const uint32_t id = job->items->ids[index];
        if (id != ABUT_BROAD_NONE)
        {
            abut_box_packs_set(job->items, index, id, &job->boxes[id]);
        }
    }
}

static bool refit(AbutBroadStructure* structure, const AbutBox* boxes)
{
    Tree* tree = (Tree*)structure;
    RefitJob job = { &structure->items, boxes };
    abut_parallel_for(&structure->host,
                      abut_block_count(structure->items.count * ABUT_BOX_PACK_SIZE, ITEMS_PER_BLOCK),
                      refit_items, &job);
    build_nodes(tree);
    return tree->surface <= loosest * tree->built_surface;
}

static const Subtree* subtree_of(const Tree* tree, uint32_t pack)
{
    const Subtree* subtree = tree->subtrees;
    while (pack >= subtree->first + subtree->count)
    {
        subtree += 1;
    }
    return subtree;
}

static bool refit_one(AbutBroadStructure* structure, uint32_t index, const AbutBox* box)
{
    Tree* tree = (Tree*)structure;
    const Subtree* subtree = subtree_of(tree, index / ABUT_BOX_PACK_SIZE);
    const uint32_t pack = index / ABUT_BOX_PACK_SIZE - subtree->first;
    if (subtree->top >= REFIT_LEVEL)
    {
        const uint32_t node = pack / ABUT_BOX_PACK_SIZE; // a lane of REFIT_LEVEL
        AbutBox around = abut_box_pack_lane(&subtree->levels[REFIT_LEVEL][node / ABUT_BOX_PACK_SIZE],
                                            node % ABUT_BOX_PACK_SIZE);
        if (!abut_box_contains(&around, box))
        {
            return false;
        }
    }
    abut_box_packs_set(&structure->items, index, structure->items.ids[index], box);
    for (uint32_t level = 1, child = pack; level <= subtree->top; ++level, child /= ABUT_BOX_PACK_SIZE)
    {
        AbutBoxPack* node = tree->nodes + (subtree->levels[level] - tree->nodes) + child / ABUT_BOX_PACK_SIZE;
        AbutBox around = abut_box_pack_lane(node, child % ABUT_BOX_PACK_SIZE);
        around = around.min.x <= around.max.x ? abut_box_union(around, *box) : *box;
        set_lane(node, child % ABUT_BOX_PACK_SIZE, &around);
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Queries
// -----------------------------------------------------------------------------------------------------------

static uint32_t block_count(const AbutBroadStructure* structure)
{
    return abut_block_count(structure->items.count, PACKS_PER_BLOCK);
}

/// Pairs of the boxes of a pack with those of a tree from its pack `first` on.
static void walk(const Tree* tree, uint32_t pack, const AbutBox* bounds, const Subtree* subtree,
                 uint32_t first, AbutPairSink* sink)
{
    const AbutBoxPacks* items = &tree->base.items;
    const AbutBoxKernels* kernels = abut_box_kernels();
    uint32_t hits[ABUT_BOX_PACK_WALK_HITS];
    AbutBoxPackWalk walk =
        abut_box_pack_walk(&items->packs[pack], *bounds, subtree->levels, subtree->top, first);
    while (walk.depth > 0 && !sink->failed)
    {
        uint32_t hit_count = kernels->walk_hits(&walk, hits);
        abut_pair_sink_add_hits(items, pack, subtree->first, hits, hit_count, sink);
    }
}

static void find_pairs(const AbutBroadStructure* structure, uint32_t block, AbutPairSink* sink)
{
    const Tree* tree = (const Tree*)structure;
    const AbutBoxPacks* items = &structure->items;
    const uint32_t begin = block * PACKS_PER_BLOCK;
    const uint32_t end = begin + PACKS_PER_BLOCK < items->count ? begin + PACKS_PER_BLOCK : items->count;
    for (uint32_t pack = begin; pack < end; ++pack)
    {
        const Subtree* own = subtree_of(tree, pack);
        const AbutBox bounds = abut_box_pack_bounds(&items->packs[pack]);
        abut_pack_scan_own_pairs(items, pack, sink);
        if (pack + 1 < own->first + own->count)
        {
            walk(tree, pack, &bounds, own, pack + 1 - own->first, sink);
        }
        for (const Subtree* other = own + 1; other < tree->subtrees + tree->subtree_count; ++other)
        {
            walk(tree, pack, &bounds, other, 0, sink);
        }
    }
}

typedef struct Visit
{
    uint32_t level, pack;
} Visit;

static bool query_subtree(const AbutBoxPacks* items, const Subtree* subtree, const AbutBox* box,
                          AbutBroadBoxFn* visit, void* context)
{
    const AbutBoxKernels* kernels = abut_box_kernels();
    Visit stack[ABUT_BOX_PACK_LEVELS * ABUT_BOX_PACK_SIZE];
    uint32_t depth = 1;
    stack[0] = (Visit){ subtree->top, 0 };
    while (depth > 0)
    {
        const Visit at = stack[--depth];
        unsigned bits = kernels->overlaps(&subtree->levels[at.level][at.pack], box);
        for (; bits != 0; bits &= bits - 1)
        {
            const uint32_t child = ABUT_BOX_PACK_SIZE * at.pack + (uint32_t)__builtin_ctz(bits);
            if (at.level > 0)
            {
                stack[depth++] = (Visit){ at.level - 1, child };
            }
            else if (!visit(context, items->ids[ABUT_BOX_PACK_SIZE * subtree->first + child]))
            {
                return false;
            }
        }
    }
    return true;
}

static bool query_box(const AbutBroadStructure* structure, const AbutBox* box, AbutBroadBoxFn* visit,
                      void* context)
{
    const Tree* tree = (const Tree*)structure;
    for (uint32_t t = 0; t < tree->subtree_count; ++t)
    {
        if (!query_subtree(&structure->items, &tree->subtrees[t], box, visit, context))
        {
            return false;
        }
    }
    return true;
}

typedef struct RayVisit
{
    uint32_t level, pack;
    float enter;
} RayVisit;

/// Pushes the children that the ray hits, the nearest on top.
static uint32_t push_nearest_last(RayVisit* stack, uint32_t depth, RayVisit at, unsigned bits,
                                  const float* enter)
{
    const uint32_t bottom = depth;
    for (; bits != 0; bits &= bits - 1)
    {
        const uint32_t lane = (uint32_t)__builtin_ctz(bits);
        const RayVisit child = { at.level - 1, ABUT_BOX_PACK_SIZE * at.pack + lane, enter[lane] };
        uint32_t k = depth++;
        for (; k > bottom && stack[k - 1].enter < child.enter; --k)
        {
            stack[k] = stack[k - 1];
        }
        stack[k] = child;
    }
    return depth;
}

static void query_subtree_ray(const AbutBoxPacks* items, const Subtree* subtree, AbutBoxRay* ray,
                              AbutBroadRayHitFn* visit, void* context)
{
    const AbutBoxKernels* kernels = abut_box_kernels();
    RayVisit stack[ABUT_BOX_PACK_LEVELS * ABUT_BOX_PACK_SIZE];
    uint32_t depth = 1;
    stack[0] = (RayVisit){ subtree->top, 0, 0.0f };
    while (depth > 0)
    {
        const RayVisit at = stack[--depth];
        float enter[ABUT_BOX_PACK_SIZE];
        unsigned bits =
            at.enter <= ray->limit ? kernels->ray_enters(&subtree->levels[at.level][at.pack], ray, enter) : 0;
        if (at.level > 0)
        {
            depth = push_nearest_last(stack, depth, at, bits, enter);
            continue;
        }
        for (; bits != 0; bits &= bits - 1)
        {
            const uint32_t index = ABUT_BOX_PACK_SIZE * at.pack + (uint32_t)__builtin_ctz(bits);
            visit(context, ray, items->ids[ABUT_BOX_PACK_SIZE * subtree->first + index]);
        }
    }
}

static void query_ray(const AbutBroadStructure* structure, AbutBoxRay* ray, AbutBroadRayHitFn* visit,
                      void* context)
{
    const Tree* tree = (const Tree*)structure;
    for (uint32_t t = 0; t < tree->subtree_count; ++t)
    {
        query_subtree_ray(&structure->items, &tree->subtrees[t], ray, visit, context);
    }
}

const AbutBroadTable abut_broad_tree = {
    .name = "tree",
    .size = sizeof(Tree),
    .clear = clear,
    .build = build,
    .refit = refit,
    .refit_one = refit_one,
    .block_count = block_count,
    .find_pairs = find_pairs,
    .query_box = query_box,
    .query_ray = query_ray,
};
