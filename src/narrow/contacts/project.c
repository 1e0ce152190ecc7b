#include "narrow/contacts/project.h"
#include "base/assert.h"
#include "narrow/contacts/kernels.h"
#include "search/kernels.h"

#include "search/field_pair.h"

/// The points of a batch that have not arrived, side by side.
typedef struct MovingPoints
{
    AbutPairBatch batch;
    size_t origin[ABUT_PAIR_BATCH]; // in the batch they came from
} MovingPoints;

/// Takes a step and keeps the points that moved; `origin` is NULL for points at their own indices.
static void take_step(AbutPairBatch* from, const size_t* origin, float target, MovingPoints* to)
{
    AbutPairPoints points = abut_pair_points(from);
    uint8_t moved[ABUT_PAIR_BATCH];
    size_t count = from->count, kept = 0;
    abut_search_kernels()->approach(&points, count, target, moved);
    for (size_t i = 0; i < count; ++i)
    {
        if (moved[i] != 0)
        {
            abut_pair_batch_set(&to->batch, kept, abut_pair_batch_point(from, i));
            to->origin[kept++] = origin != NULL ? origin[i] : i;
        }
    }
    to->batch.count = kept;
}

/// Writes points and samples back to their indices.
static void put_back(const MovingPoints* from, AbutPairBatch* to)
{
    for (size_t i = 0; i < from->batch.count; ++i)
    {
        size_t index = from->origin[i];
        for (int axis = 0; axis < 3; ++axis)
        {
            to->at[axis][index] = from->batch.at[axis][i];
            to->gradient[0][axis][index] = from->batch.gradient[0][axis][i];
            to->gradient[1][axis][index] = from->batch.gradient[1][axis][i];
        }
        to->distance[0][index] = from->batch.distance[0][i];
        to->distance[1][index] = from->batch.distance[1][i];
    }
}

void abut_narrow_project(AbutPair* pair, AbutPairBatch* batch, int steps, float target)
{
    ABUT_ASSERT(steps >= 0 && batch->count <= ABUT_PAIR_BATCH);
    AbutFieldPair fields;
    if (batch->count > 0 && abut_field_pair_init(&fields, pair))
    {
        AbutFieldPairBatch walk = abut_field_pair_batch(&fields, batch);
        pair->evaluations += abut_project_kernels()->project(&walk, (uint32_t)steps, target);
        return;
    }
    MovingPoints moving;
    abut_pair_sample(pair, batch, true);
    for (int iteration = 0; iteration < steps; ++iteration)
    {
        take_step(iteration == 0 ? batch : &moving.batch, iteration == 0 ? NULL : moving.origin, target,
                  &moving);
        if (moving.batch.count == 0)
        {
            return;
        }
        abut_pair_sample(pair, &moving.batch, true);
        put_back(&moving, batch);
    }
}
