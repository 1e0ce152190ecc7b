#include "narrow/decide.h"

#include "narrow/descend.h"
#include "narrow/nodes.h"
#include "narrow/project.h"

#include <math.h>

enum
{
    PROJECTION_STEPS = 6,
    PROMISING = 8,               // children that points are sent from
    ENOUGH_BOXES = 120,          // of an octree, to look at their samples
    SAMPLES_WHEN_CLOSE = 1 << 13 // that look for a hit once a pair cannot be proved to be apart
};

static bool take_witness(AbutPair* pair, const AbutPairBatch* points, size_t i)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        pair->witness[axis] = points->at[axis][i];
    }
    return true;
}

/// True when one of the points is proved to be in both solids; with `sharp` the nodes around them are looked at, too.
static bool has_hit(AbutPair* pair, AbutPairBatch* points, bool sharp)
{
    for (size_t i = 0; i < points->count; ++i)
    {
        if (abut_pair_is_hit(pair, points, i))
        {
            return take_witness(pair, points, i);
        }
    }
    size_t best = 0;
    float least = INFINITY;
    for (size_t i = 0; i < points->count && sharp; ++i)
    {
        float value =
            points->distance[0][i] > points->distance[1][i] ? points->distance[0][i] : points->distance[1][i];
        if (value <= 0.5f * pair->sides[0].cell_size && abut_pair_find_hit_node(pair, points, i))
        {
            return take_witness(pair, points, i);
        }
        best = value < least ? i : best;
        least = value < least ? value : least;
    }
    return least <= 0.0f && abut_pair_is_sharp_hit(pair, points, best) && take_witness(pair, points, best);
}

/// True when one of the points can be brought to where both shapes are proved to be. *least is how near they come to both
/// solids.
static bool project_to_hit(AbutPair* pair, AbutPairBatch* points, float* least)
{
    abut_pair_project(pair, points, PROJECTION_STEPS, 0.0f);
    if (has_hit(pair, points, false))
    {
        return true;
    }
    // As deep as it takes to be beyond the errors of both.
    float deepest = 0.0f;
    for (size_t i = 0; i < points->count; ++i)
    {
        float error =
            fmaxf(abut_pair_error(pair, 0, points, i, 0.0f), abut_pair_error(pair, 1, points, i, 0.0f));
        deepest = isfinite(error) ? fmaxf(deepest, error) : deepest;
        *least = fminf(*least, fmaxf(points->distance[0][i], points->distance[1][i]));
    }
    if (*least > 2.0f * deepest)
    {
        return false; // too far from touching
    }
    abut_pair_project(pair, points, PROJECTION_STEPS, -1.01f * deepest);
    return has_hit(pair, points, true);
}

/// The open children where the solids are least apart, best first: between surfaces the sum of both distances is the gap.
static size_t most_promising(const AbutPairBatch* batch, const bool* open, size_t count,
                             size_t best[PROMISING])
{
    float value[PROMISING];
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
    {
        float here = batch->distance[0][i] + batch->distance[1][i];
        if (!open[i] || (kept == PROMISING && !(here < value[kept - 1])))
        {
            continue;
        }
        size_t to = kept < PROMISING ? kept++ : kept - 1;
        for (; to > 0 && here < value[to - 1]; --to)
        {
            value[to] = value[to - 1];
            best[to] = best[to - 1];
        }
        value[to] = here;
        best[to] = i;
    }
    return kept;
}

/// What is known so far.
typedef struct Decision
{
    AbutPair* pair;
    AbutSearch* search;
    float tolerance;
    bool close;     // they cannot be proved to be apart: only a hit would be news
    uint64_t limit; // of samples; falls when the pair turns out to be close
} Decision;

/// From now on only parts that may hold points deeper than the tolerance are open, and only so many more samples look for a
/// hit, everywhere alike.
static void set_close(Decision* self)
{
    if (!self->close)
    {
        uint64_t limit = self->pair->evaluations + SAMPLES_WHEN_CLOSE;
        self->limit = limit < self->limit ? limit : self->limit;
        self->search->clear = -self->tolerance;
        self->close = true;
        abut_search_by_level(self->search);
    }
}

/// Puts open children back, the promising ones on top; there are none of the last level.
static void put_back(AbutSearch* search, bool* open, size_t count, const size_t* best, size_t kept)
{
    bool is_best[ABUT_PAIR_BATCH] = { false };
    for (size_t i = 0; i < kept; ++i)
    {
        is_best[best[i]] = true;
    }
    for (size_t i = 0; i < count; ++i)
    {
        if (open[i] && !is_best[i])
        {
            abut_search_push(search, &search->children[i]);
        }
    }
    for (size_t i = kept; i-- > 0;)
    {
        if (open[best[i]])
        {
            abut_search_push(search, &search->children[best[i]]);
        }
    }
}

/// Looks at the children of a step: true when one is a hit, or leads to one. Those that are open are put back; at the last
/// level they make the pair a close one instead.
static bool look_at_children(Decision* self, bool* open, size_t count)
{
    AbutSearch* search = self->search;
    AbutPairBatch *batch = &search->batch, points;
    size_t best[PROMISING], kept = most_promising(batch, open, count, best);
    points.count = kept;
    for (size_t i = 0; i < kept; ++i)
    {
        if (abut_pair_is_hit(search->pair, batch, best[i]))
        {
            return take_witness(search->pair, batch, best[i]);
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            points.at[axis][i] = batch->at[axis][best[i]];
        }
    }
    float least = INFINITY;
    if (kept > 0 && project_to_hit(search->pair, &points, &least))
    {
        return true;
    }
    bool last_open = false;
    for (size_t i = 0; i < count; ++i)
    {
        bool last = search->children[i].level >= search->last_level;
        last_open = last_open || (open[i] && last);
        open[i] = open[i] && !last;
    }
    put_back(search, open, count, best, kept);
    if (last_open || least <= 0.5f * self->tolerance)
    {
        set_close(self);
    }
    return false;
}

/// Looks at all boxes on the stack. ABUT_COLLIDE_SEPARATED means that nothing was found that ends the search.
static AbutCollideState look_at_boxes(Decision* self)
{
    bool open[ABUT_PAIR_BATCH];
    for (size_t count; (count = abut_search_step(self->search, open)) > 0;)
    {
        if (look_at_children(self, open, count))
        {
            return ABUT_COLLIDE_CONTACT;
        }
        if (self->pair->evaluations > self->limit && self->search->stack_count + self->search->next_count > 0)
        {
            return self->close ? ABUT_COLLIDE_CLOSE : ABUT_COLLIDE_BUDGET;
        }
    }
    return ABUT_COLLIDE_SEPARATED;
}

/// Puts boxes of the octree on the stack of the search, which has bricks at level 0.
static void push_octree_boxes(AbutSearch* search, const AbutDescent* descent, const AbutOctreeBox* boxes,
                              uint32_t count)
{
    for (uint32_t i = count; i-- > 0;)
    {
        AbutSearchBox box = { .level = 3 - boxes[i].level, .fresh = true };
        abut_descent_middle(descent, &boxes[i], box.center);
        abut_search_push(search, &box);
    }
}

/// Bricks and boxes of the octrees first; samples only where these leave it open.
static AbutCollideState decide_by_octree(Decision* self, AbutDescent* descent, float finest)
{
    AbutOctreeBox boxes[8];
    AbutCollideState state = ABUT_COLLIDE_SEPARATED;
    bool hit;
    abut_search_init_empty(self->search, self->pair, 4.0f * (float)descent->cell_size, 0.0f, finest);
    for (uint32_t count;
         state == ABUT_COLLIDE_SEPARATED && (count = abut_descent_next(descent, boxes, &hit)) > 0;)
    {
        push_octree_boxes(self->search, descent, boxes, count);
        if (self->search->stack_count >= ENOUGH_BOXES)
        {
            state = look_at_boxes(self);
        }
    }
    self->pair->evaluations += descent->evaluations;
    self->limit += self->close ? descent->evaluations : 0; // it counts samples that look for a hit
    self->search->least = fminf(self->search->least, abut_descent_least(descent));
    if (state == ABUT_COLLIDE_SEPARATED)
    {
        state = hit ? ABUT_COLLIDE_CONTACT : look_at_boxes(self);
        if (hit)
        {
            abut_descent_middle(descent, &boxes[0], self->pair->witness);
        }
    }
    return state;
}

AbutCollideState abut_pair_decide(AbutPair* pair, AbutSearch* search, float tolerance, uint32_t budget,
                                  float* gap)
{
    Decision self = { .pair = pair, .search = search, .tolerance = tolerance, .limit = budget };
    AbutDescent descent;
    AbutCollideState state;
    *gap = 0.0f;
    if (abut_descent_init(&descent, pair, 0.0f, 0.0f))
    {
        state = decide_by_octree(&self, &descent, 0.5f * tolerance);
    }
    else
    {
        abut_search_init(search, pair, 0.0f, 0.5f * tolerance);
        state = look_at_boxes(&self);
    }
    if (state == ABUT_COLLIDE_SEPARATED && self.close)
    {
        return ABUT_COLLIDE_CLOSE;
    }
    pair->has_witness = state == ABUT_COLLIDE_CONTACT;
    // Half way between the nearest points of the two, both are half of the gap away.
    *gap = state == ABUT_COLLIDE_SEPARATED ? 2.0f * search->least : 0.0f;
    return state;
}
