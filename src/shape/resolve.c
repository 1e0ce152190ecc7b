// Shapes behind placed, scaled and offset ones.
#include "shape/resolve.h"

AbutResolvedShape abut_shape_resolve(const AbutShape* shape)
{
    AbutResolvedShape resolved = { .frame = abut_transform_identity() };
    double length = 0.0;
    for (; abut_shape_is_wrapper(shape); ++resolved.levels)
    {
        const AbutModifiedShape* self = (const AbutModifiedShape*)shape;
        if (shape->info.kind == ABUT_SHAPE_OFFSET)
        {
            double distance = (double)self->amount * resolved.frame.scale;
            resolved.offset += distance;
            length += fabs(distance);
        }
        else
        {
            AbutDVec3 by = self->frame.translation;
            length += (fabs(by.x) + fabs(by.y) + fabs(by.z)) * resolved.frame.scale;
            resolved.frame = abut_transform_multiply(&resolved.frame, &self->frame);
        }
        shape = self->child;
    }
    resolved.leaf = shape;
    resolved.length = length * resolved.levels;
    return resolved;
}
