// See walk.h. TEST_WALK is the name of the function; with TEST_HOSTILE it is compiled with contraction, and
// quotients and roots are two units in the last place off.
#include "gpu/hostile/walk.h"

#define ABUT_WIDE_SCALAR
#include "simd/wide.h"

#ifdef TEST_HOSTILE
static inline float two_off(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof(bits));
    bits += (bits & 0x7FFFFFFFu) != 0 ? 2u : 0u;
    memcpy(&a, &bits, sizeof(a));
    return a;
}
#define wide_div(a, b) two_off((a) / (b))
#define wide_sqrt(a) two_off(sqrtf(a))
#endif

#include "field/cell_lanes.inl"
#include "shape/frame_lanes.inl"

#include "narrow/particles/particle_math.inl"
#include "narrow/particles/start_math.inl"

static WideSample sample_side(const GpuSide* side, const AbutFieldView* view, WideVec at)
{
    AbutKernelTransform frame;
    memcpy(frame.matrix, side->frame.matrix, sizeof(frame.matrix));
    memcpy(frame.high, side->frame.high, sizeof(frame.high));
    memcpy(frame.low, side->frame.low, sizeof(frame.low));
    memcpy(frame.rotation, side->frame.rotation, sizeof(frame.rotation));
    frame.scale = side->frame.scale;
    WideSample s = sample_field(view, ABUT_FIELD_F32, false, side->has_frame ? into_frame(&frame, at) : at);
    s = side->has_frame ? out_of_frame(&frame, s) : s;
    s.distance = wide_sub(s.distance, side->inflate);
    return s;
}

static WideVec start_of(const GpuPair* pair, uint32_t number)
{
    const uint32_t* r = pair->resolution;
    return WideVec(
        start_position(pair->low[0], pair->lengths[0], grid_fraction(number % r[0], pair->inverse[0])),
        start_position(pair->low[1], pair->lengths[1], grid_fraction(number / r[0] % r[1], pair->inverse[1])),
        start_position(pair->low[2], pair->lengths[2],
                       grid_fraction(number / r[0] / r[1], pair->inverse[2])));
}

bool TEST_WALK(const GpuPair* pair, const HostileFields* fields, uint32_t number, GpuHit* hit)
{
    WideVec at = start_of(pair, number);
    for (uint32_t step = 0; step < pair->steps; ++step)
    {
        WideSample a = sample_side(&pair->sides[0], fields->views[0], at);
        WideSample b = sample_side(&pair->sides[1], fields->views[1], at);
        WideParticle next = particle_step(at, a, b, pair->epsilon, pair->relaxation);
        if (next.arrived)
        {
            *hit = (GpuHit){ number,
                             { at.x, at.y, at.z },
                             { a.distance, b.distance },
                             { { a.gradient.x, a.gradient.y, a.gradient.z },
                               { b.gradient.x, b.gradient.y, b.gradient.z } } };
            return true;
        }
        at = next.at;
    }
    return false;
}
