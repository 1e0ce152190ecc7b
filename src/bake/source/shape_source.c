#include "bake/source/shape_source.h"

#include "base/scratch.h"

#include <string.h>

static void fill_points(const AbutNodeGrid* block, float* x, float* y, float* z)
{
    size_t i = 0;
    for (uint32_t k = 0; k < block->node_count[2]; ++k)
    {
        for (uint32_t j = 0; j < block->node_count[1]; ++j)
        {
            for (uint32_t l = 0; l < block->node_count[0]; ++l, ++i)
            {
                x[i] = abut_node_coordinate(block, 0, l);
                y[i] = abut_node_coordinate(block, 1, j);
                z[i] = abut_node_coordinate(block, 2, k);
            }
        }
    }
}

static AbutResult sample_shape(void* context, uint32_t worker, const AbutNodeGrid* block, bool gradient,
                               AbutNodeValues* out)
{
    (void)worker;
    float* x = abut_scratch_acquire(3 * ABUT_NODE_BLOCK_TOTAL * sizeof(float));
    if (x == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    float *y = x + ABUT_NODE_BLOCK_TOTAL, *z = y + ABUT_NODE_BLOCK_TOTAL;
    fill_points(block, x, y, z);
    AbutSamples samples = { .distance = out->distance };
    if (gradient)
    {
        samples = (AbutSamples){ out->distance, out->gradient[0], out->gradient[1], out->gradient[2] };
    }
    memset(out->origin, 0, abut_node_total(block));
    abut_shape_sample((const AbutShape*)context, NULL, (AbutPoints){ x, y, z }, abut_node_total(block),
                      samples);
    abut_scratch_release(x);
    return ABUT_OK;
}

AbutNodeSource abut_shape_source(const AbutShape* shape)
{
    return (
        AbutNodeSource){ .context = (void*)(uintptr_t)shape, .sample = sample_shape, .is_continuous = true };
}
