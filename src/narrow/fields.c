#include "narrow/fields.h"

#include "field/field.h"

bool abut_pair_fields_init(AbutPairFields* fields, const AbutPair* pair)
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
        if (side->pose != NULL)
        {
            fields->transforms[i] = abut_shape_transform(&side->frame);
            fields->sides[i].transform = &fields->transforms[i];
        }
    }
    return true;
}

AbutWalk abut_pair_walk(const AbutPairFields* fields, AbutPairBatch* batch)
{
    AbutWalk walk = { .sides = fields->sides, .count = batch->count };
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
