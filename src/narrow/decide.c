#include "narrow/decide.h"

#include "narrow/descend.h"
#include "narrow/project.h"

#include <math.h>

enum
{
    PROJECTION_STEPS = 6,
    ENOUGH_BOXES = 120, // of an octree, to look at their samples
    /// Once parts too small to divide are neither clear nor hit, only so many more samples look for a hit elsewhere:
    /// surfaces side by side have no end of such parts.
    SAMPLES_WHEN_CLOSE = 1 << 15
};

/// True when the point of the batch can be brought to where both shapes are proved to be.
static bool project_to_hit(AbutPair* pair, const AbutSearchBox* box)
{
    AbutPairBatch batch;
    batch.count = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        batch.at[axis][0] = box->center[axis];
    }
    abut_pair_project(pair, &batch, PROJECTION_STEPS, 0.0f);
    if (abut_pair_is_hit(pair, &batch, 0))
    {
        return true;
    }
    // As deep as it takes to be beyond the errors of both.
    float a = abut_pair_error(pair, 0, &batch, 0, 0.0f), b = abut_pair_error(pair, 1, &batch, 0, 0.0f);
    if (!isfinite(a + b))
    {
        return false;
    }
    abut_pair_project(pair, &batch, PROJECTION_STEPS, -1.01f * fmaxf(a, b));
    return abut_pair_is_hit(pair, &batch, 0);
}

/// Looks at the children of a step: true when one is a hit. Those that are open are put back, the most promising on
/// top; at the last level they are counted in *undecided instead.
static bool look_at_children(AbutSearch* search, const bool* open, size_t count, uint32_t* undecided)
{
    AbutPairBatch* batch = &search->batch;
    size_t best = count;
    float least = INFINITY;
    for (size_t i = 0; i < count; ++i)
    {
        float value = fmaxf(batch->distance[0][i], batch->distance[1][i]);
        if (open[i] && abut_pair_is_hit(search->pair, batch, i))
        {
            return true;
        }
        if (open[i] && value < least)
        {
            least = value;
            best = i;
        }
    }
    for (size_t i = 0; i < count; ++i)
    {
        bool last = search->children[i].level >= search->last_level;
        *undecided += open[i] && last ? 1u : 0u;
        if (open[i] && !last && i != best)
        {
            abut_search_push(search, &search->children[i]);
        }
    }
    if (best == count)
    {
        return false;
    }
    AbutSearchBox promising = search->children[best];
    if (promising.level < search->last_level)
    {
        abut_search_push(search, &promising);
    }
    return project_to_hit(search->pair, &promising);
}

/// What is known so far.
typedef struct Decision
{
    AbutPair* pair;
    AbutSearch* search;
    uint32_t undecided; // parts of the last level that are neither clear nor hit
    uint64_t limit;     // of samples; falls when the pair turns out to be close
} Decision;

/// Looks at all boxes on the stack. ABUT_COLLIDE_SEPARATED means that nothing was found that ends the search.
static AbutCollideState look_at_boxes(Decision* self)
{
    bool open[ABUT_PAIR_BATCH];
    bool close = self->undecided > 0;
    for (size_t count; (count = abut_search_step(self->search, open)) > 0;)
    {
        if (look_at_children(self->search, open, count, &self->undecided))
        {
            return ABUT_COLLIDE_CONTACT;
        }
        if (self->undecided > 0 && self->limit > self->pair->evaluations + SAMPLES_WHEN_CLOSE && !close)
        {
            self->limit = self->pair->evaluations + SAMPLES_WHEN_CLOSE;
        }
        close = self->undecided > 0;
        if (self->pair->evaluations > self->limit && self->search->stack_count > 0)
        {
            return close ? ABUT_COLLIDE_CLOSE : ABUT_COLLIDE_BUDGET;
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
    self->search->least = fminf(self->search->least, abut_descent_least(descent));
    if (state == ABUT_COLLIDE_SEPARATED)
    {
        state = hit ? ABUT_COLLIDE_CONTACT : look_at_boxes(self);
    }
    return state;
}

AbutCollideState abut_pair_decide(AbutPair* pair, AbutSearch* search, float tolerance, uint32_t budget,
                                  float* gap)
{
    Decision self = { .pair = pair, .search = search, .limit = budget };
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
    if (state == ABUT_COLLIDE_SEPARATED && self.undecided > 0)
    {
        return ABUT_COLLIDE_CLOSE;
    }
    // Half way between the nearest points of the two, both are half of the gap away.
    *gap = state == ABUT_COLLIDE_SEPARATED ? 2.0f * search->least : 0.0f;
    return state;
}
