// The span of a particle. The includer has spans[] and launch.span_count.
#ifndef ABUT_GPU_SPAN_GLSL
#define ABUT_GPU_SPAN_GLSL

/// The last span that does not begin after a particle (the paper's lower bound).
uint find_span(uint particle)
{
    uint low = 0u, high = launch.span_count;
    while (high - low > 1u)
    {
        uint middle = (low + high) >> 1;
        if (spans[middle].first <= particle)
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

#endif
