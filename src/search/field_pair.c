#include "search/field_pair.h"
#include "base/assert.h"
#include "search/kernels.h"

#include "field/field.h"
#include "shape/shape.h"

bool abut_field_pair_init(AbutFieldPair* fields, const AbutPair* pair)
{
    if (!pair->sides[0].is_field || !pair->sides[1].is_field)
    {
        return false;
    }
    for (int i = 0; i < 2; ++i)
    {
        const AbutPairSide* side = &pair->sides[i];
        const AbutField* field = abut_field_of(side->shape);
        const AbutFieldHeader* header = field->block;
        fields->sides[i] =
            (AbutFieldSide){ .view = &field->view, .format = header->format, .inflate = side->inflate };
        if (side->has_transform)
        {
            fields->transforms[i] = abut_shape_kernel_transform(&side->frame);
            fields->sides[i].transform = &fields->transforms[i];
        }
    }
    return true;
}

AbutFieldPairBatch abut_field_pair_batch(const AbutFieldPair* fields, AbutPairBatch* batch)
{
    ABUT_ASSERT(batch->count > 0 && batch->count <= ABUT_PAIR_BATCH);
    AbutFieldPairBatch walk = { .sides = fields->sides, .count = batch->count };
    for (int side = 0; side < 2; ++side)
    {
        walk.distance[side] = batch->distance[side];
        for (int axis = 0; axis < 3; ++axis)
        {
            walk.at[axis] = batch->at[axis];
            walk.gradient[side][axis] = batch->gradient[side][axis];
        }
    }
    return walk;
}

_Static_assert(ABUT_PAIR_BATCH % 8 == 0, "whole groups of eight are read and written");

void abut_field_pair_sample(AbutPair* pair, const AbutFieldPair* fields, AbutPairBatch* batch)
{
    if (fields == NULL)
    {
        abut_pair_sample(pair, batch, true);
        return;
    }
    for (size_t i = batch->count; i % 8 != 0; ++i) // unused lanes
    {
        batch->at[0][i] = batch->at[0][0];
        batch->at[1][i] = batch->at[1][0];
        batch->at[2][i] = batch->at[2][0];
    }
    AbutFieldPairBatch walk = abut_field_pair_batch(fields, batch);
    abut_search_kernels()->sample(&walk);
    pair->evaluations += batch->count;
}
