#include "narrow/prove/prove.h"

#include "narrow/prove/node_proof.h"
#include "search/dual_octree.h"
#include "search/kernels.h"

#include <math.h>
#include <string.h>

enum
{
    STEPS = 6,                   // of a point in search of a hit
    PROMISING = 8,               // points in search of a hit at a time
    MANY_BOXES = 1024,           // of an octree, sampled together
    SAMPLES_WHEN_CLOSE = 1 << 13 // in search of a hit once the pair cannot be proved separated
};

/// A point is a start of the search for a hit when its estimate is nearer to both solids than earlier points
/// came, or within this many tolerances.
static const float PROMISING_TOLERANCES = 2.0f;

static bool take_witness(AbutPair* pair, const AbutPairBatch* points, size_t i)
{
    pair->witness[0] = points->at[0][i];
    pair->witness[1] = points->at[1][i];
    pair->witness[2] = points->at[2][i];
    return true;
}

/// True when one of the points is proved to be in both solids by the samples there.
static bool has_hit(AbutPair* pair, const AbutPairBatch* points)
{
    for (size_t i = 0; i < points->count; ++i)
    {
        if (abut_pair_is_hit(pair, points, i))
        {
            return take_witness(pair, points, i);
        }
    }
    return false;
}

/// Distance of a point from the further solid.
static float further_distance(const AbutPairBatch* points, size_t i)
{
    return points->distance[0][i] > points->distance[1][i] ? points->distance[0][i] : points->distance[1][i];
}

/// The same by all nodes around them.
static bool has_sharp_hit(AbutPair* pair, AbutPairBatch* points)
{
    size_t best = 0;
    if (has_hit(pair, points))
    {
        return true;
    }
    if (abut_prove_find_hit_node(pair, points, 0.5f * pair->sides[0].cell_size, &best))
    {
        return take_witness(pair, points, best);
    }
    for (size_t i = 1; i < points->count; ++i)
    {
        best = further_distance(points, i) < further_distance(points, best) ? i : best;
    }
    return further_distance(points, best) <= 0.0f && abut_prove_is_sharp_hit(pair, points, best) &&
           take_witness(pair, points, best);
}

/// Starts of the search for a hit: points of least gap, best first. Between surfaces the sum of both
/// distances is the gap.
typedef struct Starts
{
    size_t count;
    float sum[PROMISING];
    AbutVec3 at[PROMISING];
} Starts;

static void add_start(Starts* self, const AbutPairBatch* batch, size_t i, float sum)
{
    size_t to = self->count < PROMISING ? self->count++ : PROMISING - 1;
    for (; to > 0 && sum < self->sum[to - 1]; --to)
    {
        self->sum[to] = self->sum[to - 1];
        self->at[to] = self->at[to - 1];
    }
    self->sum[to] = sum;
    self->at[to] = abut_pair_batch_point(batch, i);
}

/// State of the proof.
typedef struct Proof
{
    AbutPair* pair;
    AbutBoxSearch* search;
    float tolerance;
    Starts starts;
    float reached;  // least distance from both solids of all points so far
    bool close;     // separation cannot be proved: only a hit would change the state
    uint64_t limit; // of samples; lower for a close pair
} Proof;

/// Depths in each solid at which points are proved to be inside.
typedef struct Depths
{
    float at[2][PROMISING];
} Depths;

/// Their errors, where finite, and a little more.
static Depths depths_to_prove(const AbutPair* pair, const AbutPairBatch* points)
{
    Depths depths = { { { 0.0f } } };
    for (size_t i = 0; i < points->count; ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            float error = abut_pair_error(pair, side, points, i, 0.0f);
            depths.at[side][i] = isfinite(error) ? 1.01f * error : 0.0f;
        }
    }
    return depths;
}

/// Moves points to these depths in both solids, as near as a few steps lead, and samples them there.
static void enter_both(Proof* self, AbutPairBatch* points, const Depths* depths)
{
    const AbutFieldPair* fields = abut_box_search_fields(self->search);
    if (fields != NULL)
    {
        AbutFieldPairBatch walk = abut_field_pair_batch(fields, points);
        const float* const depth[2] = { depths->at[0], depths->at[1] };
        self->pair->evaluations += abut_search_kernels()->enter(&walk, depth, STEPS);
        return;
    }
    AbutPairPoints arrays = abut_pair_points(points);
    uint8_t moved[PROMISING] = { 0 };
    abut_pair_sample(self->pair, points, true);
    for (int step = 0; step < STEPS; ++step)
    {
        for (size_t i = 0; i < points->count; ++i)
        {
            points->distance[0][i] += depths->at[0][i];
            points->distance[1][i] += depths->at[1][i];
        }
        abut_search_kernels()->approach(&arrays, points->count, 0.0f, moved);
        abut_pair_sample(self->pair, points, true);
        if (memchr(moved, 1, points->count) == NULL)
        {
            return;
        }
    }
}

/// Least distance of the points from the further solid.
static float least_distance_to_both(const AbutPairBatch* points)
{
    float least = INFINITY;
    for (size_t i = 0; i < points->count; ++i)
    {
        float further = further_distance(points, i);
        least = further < least ? further : least;
    }
    return least;
}

/// Depth of points to search for in a pair that is not close: the tolerance, and the likely errors of fields,
/// a quarter of the stated ones.
static float depth_of_interest(const Proof* self)
{
    float errors[2];
    for (int i = 0; i < 2; ++i)
    {
        const AbutPairSide* side = &self->pair->sides[i];
        float error = side->local_error ? side->rounding : side->error;
        errors[i] = side->is_field && !(error < side->cell_size) ? side->cell_size : error;
    }
    return self->tolerance + 0.25f * 0.5f * (errors[0] + errors[1]);
}

/// From now on only boxes that may hold points deep in both solids are open, and a limited count of samples
/// searches for a hit, breadth first.
static void set_close(Proof* self)
{
    if (!self->close)
    {
        uint64_t limit = self->pair->evaluations + SAMPLES_WHEN_CLOSE;
        self->limit = limit < self->limit ? limit : self->limit;
        self->close = true;
        abut_box_search_by_level(self->search, -depth_of_interest(self));
    }
}

/// Tests the children of a step: true when one is a hit. Open ones are pushed, and those with a better
/// estimate than reached so far become starts. Open children of the last level make the pair close.
static bool test_children(Proof* self, const bool* open, size_t count)
{
    AbutBoxSearch* search = self->search;
    const AbutPairBatch* batch = &search->batch;
    bool last_open = false;
    for (size_t i = 0; i < count; ++i)
    {
        if (!open[i])
        {
            continue;
        }
        float sum = batch->distance[0][i] + batch->distance[1][i];
        bool more = 0.5f * sum < self->reached || 0.5f * sum < PROMISING_TOLERANCES * self->tolerance;
        if (more && (self->starts.count < PROMISING || sum < self->starts.sum[PROMISING - 1]))
        {
            if (abut_pair_is_hit(search->pair, batch, i))
            {
                return take_witness(search->pair, batch, i);
            }
            add_start(&self->starts, batch, i, sum);
        }
        bool last = search->children[i].level >= search->last_level;
        last_open = last_open || last;
        if (!last)
        {
            abut_box_search_push(search, &search->children[i]);
        }
    }
    if (last_open)
    {
        set_close(self);
    }
    return false;
}

static AbutPairBatch take_starts(Starts* starts)
{
    AbutPairBatch points;
    points.count = starts->count;
    for (size_t i = 0; i < PROMISING; ++i) // all lanes of kernels have points
    {
        abut_pair_batch_set(&points, i, starts->at[i < starts->count ? i : 0]);
    }
    starts->count = 0;
    return points;
}

/// True when a start leads to a point proved to be in both solids. The pair is close when one comes so near
/// to both that even the smallest box around it could not be proved separated.
static bool follow_starts(Proof* self)
{
    if (self->starts.count == 0)
    {
        return false;
    }
    AbutPair* pair = self->pair;
    AbutPairBatch points = take_starts(&self->starts);
    Depths depths = { { { 0.0f } } };
    enter_both(self, &points, &depths);
    if (has_hit(pair, &points))
    {
        return true;
    }
    float least = least_distance_to_both(&points);
    self->reached = least < self->reached ? least : self->reached;
    bool close =
        !self->close && (least <= 0.5f * self->tolerance || abut_box_search_ends_open(self->search, &points));
    if (least <= pair->sides[0].error + pair->sides[1].error) // further points cannot be hits
    {
        depths = depths_to_prove(pair, &points);
        enter_both(self, &points, &depths);
        if (has_sharp_hit(pair, &points))
        {
            return true;
        }
    }
    if (close)
    {
        set_close(self);
    }
    return false;
}

/// Searches all boxes on the stack; fresh boxes are sampled as a whole first. ABUT_COLLIDE_SEPARATED means
/// that nothing ended the search.
static AbutCollideState search_boxes(Proof* self, bool fresh)
{
    AbutBoxSearch* search = self->search;
    bool open[ABUT_PAIR_BATCH];
    search->breadth_first = fresh || search->by_level;
    for (size_t count; (count = abut_box_search_step(search, open)) > 0;)
    {
        if (test_children(self, open, count))
        {
            return ABUT_COLLIDE_CONTACT;
        }
        fresh = fresh && search->stack_count > 0;
        search->breadth_first = fresh || search->by_level;
        if (!fresh && follow_starts(self))
        {
            return ABUT_COLLIDE_CONTACT;
        }
        if (self->pair->evaluations > self->limit && search->stack_count + search->next_count > 0)
        {
            return self->close ? ABUT_COLLIDE_CLOSE : ABUT_COLLIDE_BUDGET;
        }
    }
    return ABUT_COLLIDE_SEPARATED;
}

/// Pushes boxes of the octree to the box search, which has bricks at level 0.
static void push_octree_boxes(AbutBoxSearch* search, const AbutDualOctree* dual_octree,
                              const AbutOctreeBox* boxes, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;)
    {
        AbutSearchBox box = { .level = (uint32_t)(ABUT_SURFACE_OCTREE_BRICK - boxes[i].level),
                              .low = -INFINITY,
                              .fresh = true,
                              .sample = abut_dual_octree_sample(dual_octree, i) };
        abut_dual_octree_middle(dual_octree, &boxes[i], box.center);
        abut_box_search_push(search, &box);
    }
}

/// Boxes of the octrees first; samples only in boxes that these leave open.
static AbutCollideState prove_by_octree(Proof* self, AbutDualOctree* dual_octree, float finest,
                                        uint32_t budget)
{
    AbutOctreeBox boxes[8];
    AbutCollideState state = ABUT_COLLIDE_SEPARATED;
    bool hit;
    abut_box_search_init_empty(self->search, self->pair, 4.0f * (float)dual_octree->cell_size, 0.0f, finest);
    for (uint32_t count;
         state == ABUT_COLLIDE_SEPARATED && (count = abut_dual_octree_next(dual_octree, boxes, &hit)) > 0;)
    {
        push_octree_boxes(self->search, dual_octree, boxes, count);
        if (self->search->stack_count >= MANY_BOXES)
        {
            state = search_boxes(self, true);
        }
        if (state == ABUT_COLLIDE_SEPARATED && self->pair->evaluations + dual_octree->evaluations > budget)
        {
            state = ABUT_COLLIDE_BUDGET;
        }
    }
    self->pair->evaluations += dual_octree->evaluations;
    self->limit += self->close ? dual_octree->evaluations : 0; // of a close pair only samples for a hit count
    self->search->least = fminf(self->search->least, abut_dual_octree_lower_bound(dual_octree));
    if (state == ABUT_COLLIDE_SEPARATED)
    {
        state = hit ? ABUT_COLLIDE_CONTACT : search_boxes(self, true);
        if (hit)
        {
            abut_dual_octree_middle(dual_octree, &boxes[0], self->pair->witness);
        }
    }
    return state;
}

bool abut_prove_octree(const AbutPair* pair, AbutDualOctree* out)
{
    return abut_dual_octree_init(out, pair, 0.0f, 0.0f);
}

AbutCollideState abut_prove_state(AbutPair* pair, AbutBoxSearch* search, float tolerance, uint32_t budget,
                                  float* gap)
{
    Proof self = {
        .pair = pair, .search = search, .tolerance = tolerance, .reached = INFINITY, .limit = budget
    };
    AbutDualOctree dual_octree;
    AbutCollideState state;
    *gap = 0.0f;
    if (!(pair->sides[0].rounding + pair->sides[1].rounding < pair->size))
    {
        return ABUT_COLLIDE_CLOSE; // poses so far away, or sizes so different, that samples prove nothing
    }
    if (abut_prove_octree(pair, &dual_octree))
    {
        state = prove_by_octree(&self, &dual_octree, 0.5f * tolerance, budget);
    }
    else
    {
        abut_box_search_init(search, pair, 0.0f, 0.5f * tolerance);
        state = search_boxes(&self, false);
    }
    if (state == ABUT_COLLIDE_SEPARATED && self.close)
    {
        return ABUT_COLLIDE_CLOSE;
    }
    pair->has_witness = state == ABUT_COLLIDE_CONTACT;
    // Half way between the closest points, both distances are half of the gap.
    *gap = state == ABUT_COLLIDE_SEPARATED ? 2.0f * search->least : 0.0f;
    return state;
}
