// Bodies of the particle kernels; see kernels.inl for how they are compiled.

#include "simd/particle_kernels.h"

KERNEL_INLINE void store_bits(uint32_t* words, size_t i, size_t n, WideMask mask)
{
    uint32_t bits = (uint32_t)wide_bits(mask) & (uint32_t)((1ull << n) - 1);
    words[i / 32] |= bits << i % 32;
}

/// Where particles go; `here` where they have arrived.
KERNEL_INLINE WideVec particle_step(WideVec at, WideSample a, WideSample b, Wide epsilon, Wide relaxation,
                                    WideMask* here)
{
    *here = wide_and(wide_less(a.distance, epsilon), wide_less(b.distance, epsilon));
    WideSample larger = choose_sample(wide_less(a.distance, b.distance), b, a);
    Wide way = wide_mul(relaxation, larger.distance);
    return select3(*here, at, sub3(at, scale3(larger.gradient, way)));
}

KERNEL_INLINE void step_lanes(const AbutParticleStep* step, size_t i, size_t n, uint32_t* arrived,
                              uint32_t* done)
{
    WideSample a = load_samples(step->a, i, n, true), b = load_samples(step->b, i, n, true);
    WideVec at = load_points((AbutPoints){ step->at[0], step->at[1], step->at[2] }, i, n);
    WideMask here;
    at = particle_step(at, a, b, wide_splat(step->epsilon), wide_splat(step->relaxation), &here);
    Wide left = wide_sub(load_lanes(step->left + i, n), wide_splat(1.0f));
    Wide over = wide_select(here, wide_zero(), left);
    store_lanes(step->at[0] + i, n, at.x);
    store_lanes(step->at[1] + i, n, at.y);
    store_lanes(step->at[2] + i, n, at.z);
    store_lanes(step->left + i, n, left);
    store_bits(arrived, i, n, here);
    store_bits(done, i, n, wide_less_equal(over, wide_zero()));
}

static void particle_step_kernel(const AbutParticleStep* step, size_t count, uint32_t* arrived,
                                 uint32_t* done)
{
    for (size_t i = 0; i < count; i += 32)
    {
        arrived[i / 32] = done[i / 32] = 0;
    }
    FOR_LANES(count, step_lanes(step, i, n, arrived, done));
}

// ---------------------------------------------------------------------------------------------------------------------
// Between two fields
// ---------------------------------------------------------------------------------------------------------------------

typedef void SampleFieldFn(const AbutFieldView* view, const WideVec* at, WideSample* out);

/// Not inlined: six formats on either side would be thirty-six loops.
#define FIELD_SAMPLER(name, format, sparse)                                                                  \
    static __attribute__((noinline)) void name(const AbutFieldView* view, const WideVec* at,                 \
                                               WideSample* out)                                              \
    {                                                                                                        \
        *out = sample_field(view, format, sparse, *at);                                                      \
    }

FIELD_SAMPLER(sample_dense_f32, FORMAT_F32, false)
FIELD_SAMPLER(sample_dense_f16, FORMAT_F16, false)
FIELD_SAMPLER(sample_dense_first_order, FORMAT_FIRST_ORDER, false)
FIELD_SAMPLER(sample_sparse_f32, FORMAT_F32, true)
FIELD_SAMPLER(sample_sparse_f16, FORMAT_F16, true)
FIELD_SAMPLER(sample_sparse_first_order, FORMAT_FIRST_ORDER, true)

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

static void sample_both_kernel(const AbutWalk* walk)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    for (size_t i = 0; i < walk->count; i += WIDE_LANES)
    {
        WideVec at = { wide_load(walk->at[0] + i), wide_load(walk->at[1] + i), wide_load(walk->at[2] + i) };
        for (int side = 0; side < 2; ++side)
        {
            WideSample s = sample_side(&walk->sides[side], samplers[side], at);
            wide_store(walk->distance[side] + i, s.distance);
            wide_store(walk->gradient[side][0] + i, s.gradient.x);
            wide_store(walk->gradient[side][1] + i, s.gradient.y);
            wide_store(walk->gradient[side][2] + i, s.gradient.z);
        }
    }
}

enum
{
    WALK_ROOM = ABUT_WALK_MOST + 8 // whole groups of lanes are written
};

/// Particles that are still on their way, side by side, and a step of theirs. All groups of lanes are sampled before any of
/// them is sorted out: a branch on what a group found would keep the next one waiting for it.
typedef struct Walkers
{
    size_t count;
    float at[3][WALK_ROOM];
    uint32_t particle[WALK_ROOM];
    float to[3][WALK_ROOM];
    float sample[2][4][WALK_ROOM]; // distance and gradient of both fields at `at`
    uint8_t stays[WALK_ROOM];      // one per group: bits of lanes that go on
} Walkers;

static void start_walk(const AbutWalk* walk, Walkers* walkers)
{
    walkers->count = walk->count;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(walkers->at[axis], walk->at[axis], walk->count * sizeof(float));
        for (int i = 0; i < WIDE_LANES; ++i)
        {
            walkers->at[axis][walk->count + (size_t)i] = walk->at[axis][0]; // of lanes that nobody looks at
        }
    }
    for (uint32_t i = 0; i < (uint32_t)walk->count; ++i)
    {
        walkers->particle[i] = i;
    }
}

KERNEL_INLINE void store_walk(float (*to)[WALK_ROOM], size_t i, WideVec v)
{
    wide_store(to[0] + i, v.x);
    wide_store(to[1] + i, v.y);
    wide_store(to[2] + i, v.z);
}

/// What the two fields say where a group of walkers is.
typedef struct WalkSamples
{
    WideVec at;
    WideSample a, b;
} WalkSamples;

KERNEL_INLINE WalkSamples sample_walkers(const AbutWalk* walk, SampleFieldFn* const samplers[2],
                                         Walkers* walkers, size_t i)
{
    WalkSamples s;
    s.at = (WideVec){ wide_load(walkers->at[0] + i), wide_load(walkers->at[1] + i),
                      wide_load(walkers->at[2] + i) };
    s.a = sample_side(&walk->sides[0], samplers[0], s.at);
    s.b = sample_side(&walk->sides[1], samplers[1], s.at);
    wide_store(walkers->sample[0][0] + i, s.a.distance);
    wide_store(walkers->sample[1][0] + i, s.b.distance);
    store_walk(walkers->sample[0] + 1, i, s.a.gradient);
    store_walk(walkers->sample[1] + 1, i, s.b.gradient);
    return s;
}

/// The last samples of walker `i` to where its particle is.
KERNEL_INLINE void finish_walker(const AbutWalk* walk, const Walkers* walkers, size_t i)
{
    size_t particle = walkers->particle[i];
    for (int axis = 0; axis < 3; ++axis)
    {
        walk->at[axis][particle] = walkers->at[axis][i];
        walk->gradient[0][axis][particle] = walkers->sample[0][1 + axis][i];
        walk->gradient[1][axis][particle] = walkers->sample[1][1 + axis][i];
    }
    walk->distance[0][particle] = walkers->sample[0][0][i];
    walk->distance[1][particle] = walkers->sample[1][0][i];
}

/// Moves walkers that go on, and makes room of those that do not. Their particles' bits are set in `done`, unless it is NULL.
static void sort_out(const AbutWalk* walk, uint32_t* done, Walkers* walkers)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    size_t kept = 0, count = walkers->count;
    for (size_t i = 0; i < count; i += WIDE_LANES)
    {
        unsigned stays = walkers->stays[i / WIDE_LANES];
        if (stays == all && i + WIDE_LANES <= count)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                wide_store(walkers->at[axis] + kept, wide_load(walkers->to[axis] + i));
            }
            wide_int_store(walkers->particle + kept, wide_int_load(walkers->particle + i));
            kept += WIDE_LANES;
            continue;
        }
        for (size_t k = i; k < count && k < i + WIDE_LANES; ++k)
        {
            if ((stays >> (k - i) & 1u) == 0)
            {
                finish_walker(walk, walkers, k);
                if (done != NULL)
                {
                    done[walkers->particle[k] / 32] |= 1u << walkers->particle[k] % 32;
                }
                continue;
            }
            for (int axis = 0; axis < 3; ++axis)
            {
                walkers->at[axis][kept] = walkers->to[axis][k];
            }
            walkers->particle[kept++] = walkers->particle[k];
        }
    }
    walkers->count = kept;
}

static size_t walk_kernel(const AbutWalk* walk, uint32_t steps, float epsilon, float relaxation,
                          uint32_t* arrived)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    Walkers walkers;
    size_t samples = 0;
    start_walk(walk, &walkers);
    memset(arrived, 0, (walk->count + 31) / 32 * sizeof(arrived[0]));
    for (uint32_t step = 0; step < steps && walkers.count > 0; ++step)
    {
        samples += walkers.count;
        for (size_t i = 0; i < walkers.count; i += WIDE_LANES)
        {
            WalkSamples s = sample_walkers(walk, samplers, &walkers, i);
            WideMask here;
            store_walk(walkers.to, i,
                       particle_step(s.at, s.a, s.b, wide_splat(epsilon), wide_splat(relaxation), &here));
            walkers.stays[i / WIDE_LANES] = (uint8_t)(~wide_bits(here) & all);
        }
        sort_out(walk, arrived, &walkers);
    }
    return samples;
}

static size_t project_kernel(const AbutWalk* walk, uint32_t steps, float target)
{
    SampleFieldFn* const samplers[2] = { sampler_of(&walk->sides[0]), sampler_of(&walk->sides[1]) };
    Walkers walkers;
    size_t samples = 0;
    start_walk(walk, &walkers);
    for (uint32_t step = 0; walkers.count > 0; ++step)
    {
        samples += walkers.count;
        for (size_t i = 0; i < walkers.count; i += WIDE_LANES)
        {
            WalkSamples s = sample_walkers(walk, samplers, &walkers, i);
            WideMask active;
            store_walk(walkers.to, i, approach_from(s.at, s.a, s.b, wide_splat(target), &active));
            walkers.stays[i / WIDE_LANES] = (uint8_t)(step < steps ? wide_bits(active) : 0);
        }
        sort_out(walk, NULL, &walkers);
    }
    return samples;
}

#define PARTICLE_KERNEL_TABLE                                                                                \
    {                                                                                                        \
        .step = particle_step_kernel, .walk = walk_kernel, .sample = sample_both_kernel,                     \
        .project = project_kernel                                                                            \
    }
