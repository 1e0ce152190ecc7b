#include "narrow/decide.h"

#include "narrow/project.h"

#include <math.h>

enum
{
    PROJECTION_STEPS = 6,
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

AbutCollideState abut_pair_decide(AbutPair* pair, AbutSearch* search, float tolerance, uint32_t budget,
                                  float* gap)
{
    bool open[ABUT_PAIR_BATCH];
    uint32_t undecided = 0;
    bool close = false;
    uint64_t limit = budget; // falls when the pair turns out to be close
    *gap = 0.0f;
    abut_search_init(search, pair, 0.0f, 0.5f * tolerance);
    for (size_t count; (count = abut_search_step(search, open)) > 0;)
    {
        if (look_at_children(search, open, count, &undecided))
        {
            return ABUT_COLLIDE_CONTACT;
        }
        if (undecided > 0 && limit > pair->evaluations + SAMPLES_WHEN_CLOSE && !close)
        {
            limit = pair->evaluations + SAMPLES_WHEN_CLOSE;
        }
        close = undecided > 0;
        if (pair->evaluations > limit && search->stack_count > 0)
        {
            return undecided > 0 ? ABUT_COLLIDE_CLOSE : ABUT_COLLIDE_BUDGET;
        }
    }
    if (undecided > 0)
    {
        return ABUT_COLLIDE_CLOSE;
    }
    // Half way between the nearest points of the two, both are half of the gap away.
    *gap = 2.0f * search->least;
    return ABUT_COLLIDE_SEPARATED;
}
