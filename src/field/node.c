#include "field/node.h"

#include "simd/kernels.h"

AbutFieldNode abut_field_node(const void* nodes, AbutFieldFormat format, double cell_size, size_t node)
{
    AbutFieldNode out = { 0 };
    float halves[4];
    switch (format)
    {
    case ABUT_FIELD_F32:
        out.value = (float)((double)((const float*)nodes)[node] / cell_size);
        break;
    case ABUT_FIELD_F16:
        abut_kernels()->half_to_float((const uint16_t*)nodes + node, 1, &out.value);
        break;
    default:
        abut_kernels()->half_to_float((const uint16_t*)nodes + 4 * node, 4, halves);
        out.value = halves[0];
        for (int axis = 0; axis < 3; ++axis)
        {
            out.gradient[axis] = halves[1 + axis];
        }
        break;
    }
    return out;
}
