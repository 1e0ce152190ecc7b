// Two fields sampled at the same points.
#ifndef ABUT_SEARCH_FIELD_PAIR_LANES_INL
#define ABUT_SEARCH_FIELD_PAIR_LANES_INL

#include "field/cell_lanes.inl"
#include "search/pair_kernels.h"
#include "shape/frame_lanes.inl"

typedef void SampleFieldFn(const AbutFieldView* view, const WideVec* at, WideSample* out);

/// Not inlined: six formats on either side would be thirty-six loops.
#define FIELD_SAMPLER(name, format, sparse)                                                                  \
    static __attribute__((noinline)) void name(const AbutFieldView* view, const WideVec* at,                 \
                                               WideSample* out)                                              \
    {                                                                                                        \
        *out = sample_field(view, format, sparse, *at);                                                      \
    }

FIELD_SAMPLER(sample_dense_f32, ABUT_FIELD_F32, false)
FIELD_SAMPLER(sample_dense_f16, ABUT_FIELD_F16, false)
FIELD_SAMPLER(sample_dense_first_order, ABUT_FIELD_FIRST_ORDER, false)
FIELD_SAMPLER(sample_sparse_f32, ABUT_FIELD_F32, true)
FIELD_SAMPLER(sample_sparse_f16, ABUT_FIELD_F16, true)
FIELD_SAMPLER(sample_sparse_first_order, ABUT_FIELD_FIRST_ORDER, true)

static SampleFieldFn* sampler_of(const AbutFieldSide* side)
{
    static SampleFieldFn* const samplers[2][ABUT_FIELD_KERNEL_FORMATS] = {
        { sample_dense_f32, sample_dense_f16, sample_dense_first_order },
        { sample_sparse_f32, sample_sparse_f16, sample_sparse_first_order },
    };
    return samplers[side->view->slots != NULL][side->format];
}

KERNEL_INLINE WideSample sample_side(const AbutFieldSide* side, SampleFieldFn* sampler, WideVec at)
{
    WideSample sample;
    if (side->transform == NULL)
    {
        sampler(side->view, &at, &sample);
    }
    else
    {
        at = into_frame(side->transform, at);
        sampler(side->view, &at, &sample);
        sample = out_of_frame(side->transform, sample);
    }
    sample.distance = wide_sub(sample.distance, wide_splat(side->inflate));
    return sample;
}

#endif
