// Points that move between two fields, step by step, until each has arrived.
#ifndef ABUT_SEARCH_WALK_LANES_INL
#define ABUT_SEARCH_WALK_LANES_INL

#include "search/field_pair_lanes.inl"

enum
{
    BATCH_CAPACITY = ABUT_FIELD_PAIR_BATCH_MAX + 8 // whole groups of lanes are written
};

/// Particles that have not arrived, side by side, and a step of theirs. All groups of lanes are sampled
/// before any of them is compacted: a branch on the result of a group would stall the next one.
typedef struct ActiveParticles
{
    size_t count;
    float at[3][BATCH_CAPACITY];
    uint32_t particle[BATCH_CAPACITY];
    float to[3][BATCH_CAPACITY];
    float sample[2][4][BATCH_CAPACITY]; // distance and gradient of both fields at `at`
    uint8_t stays[BATCH_CAPACITY];      // one per group: bits of lanes that go on
} ActiveParticles;

static void start_particles(const AbutFieldPairBatch* walk, ActiveParticles* particles)
{
    particles->count = walk->count;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(particles->at[axis], walk->at[axis], walk->count * sizeof(float));
        for (int i = 0; i < WIDE_LANES; ++i)
        {
            particles->at[axis][walk->count + (size_t)i] = walk->at[axis][0]; // unused lanes
        }
    }
    for (uint32_t i = 0; i < (uint32_t)walk->count; ++i)
    {
        particles->particle[i] = i;
    }
}

KERNEL_INLINE void store_columns(float (*to)[BATCH_CAPACITY], size_t i, WideVec v)
{
    wide_store(to[0] + i, v.x);
    wide_store(to[1] + i, v.y);
    wide_store(to[2] + i, v.z);
}

/// Samples of the two fields at a group of particles.
typedef struct FieldPairSamples
{
    WideVec at;
    WideSample a, b;
} FieldPairSamples;

KERNEL_INLINE FieldPairSamples sample_particles(const AbutFieldPairBatch* walk,
                                                SampleFieldFn* const samplers[2], ActiveParticles* particles,
                                                size_t i)
{
    FieldPairSamples s;
    s.at = (WideVec){ wide_load(particles->at[0] + i), wide_load(particles->at[1] + i),
                      wide_load(particles->at[2] + i) };
    s.a = sample_side(&walk->sides[0], samplers[0], s.at);
    s.b = sample_side(&walk->sides[1], samplers[1], s.at);
    wide_store(particles->sample[0][0] + i, s.a.distance);
    wide_store(particles->sample[1][0] + i, s.b.distance);
    store_columns(particles->sample[0] + 1, i, s.a.gradient);
    store_columns(particles->sample[1] + 1, i, s.b.gradient);
    return s;
}

/// Writes the last samples of active particle `i` to the arrays of the batch.
KERNEL_INLINE void finish_particle(const AbutFieldPairBatch* walk, const ActiveParticles* particles, size_t i)
{
    size_t particle = particles->particle[i];
    for (int axis = 0; axis < 3; ++axis)
    {
        walk->at[axis][particle] = particles->at[axis][i];
        walk->gradient[0][axis][particle] = particles->sample[0][1 + axis][i];
        walk->gradient[1][axis][particle] = particles->sample[1][1 + axis][i];
    }
    walk->distance[0][particle] = particles->sample[0][0][i];
    walk->distance[1][particle] = particles->sample[1][0][i];
}

/// Moves active particles, and compacts the arrays. Bits of arrived particles are set in `done`, unless it is
/// NULL.
static void compact_particles(const AbutFieldPairBatch* walk, uint32_t* done, ActiveParticles* particles)
{
    const unsigned all = (1u << WIDE_LANES) - 1u;
    size_t kept = 0, count = particles->count;
    for (size_t i = 0; i < count; i += WIDE_LANES)
    {
        unsigned stays = particles->stays[i / WIDE_LANES];
        if (stays == all && i + WIDE_LANES <= count)
        {
            wide_store(particles->at[0] + kept, wide_load(particles->to[0] + i));
            wide_store(particles->at[1] + kept, wide_load(particles->to[1] + i));
            wide_store(particles->at[2] + kept, wide_load(particles->to[2] + i));
            wide_int_store(particles->particle + kept, wide_int_load(particles->particle + i));
            kept += WIDE_LANES;
            continue;
        }
        for (size_t k = i; k < count && k < i + WIDE_LANES; ++k)
        {
            if ((stays >> (k - i) & 1u) == 0)
            {
                finish_particle(walk, particles, k);
                if (done != NULL)
                {
                    done[particles->particle[k] / 32] |= 1u << particles->particle[k] % 32;
                }
                continue;
            }
            particles->at[0][kept] = particles->to[0][k];
            particles->at[1][kept] = particles->to[1][k];
            particles->at[2][kept] = particles->to[2][k];
            particles->particle[kept++] = particles->particle[k];
        }
    }
    particles->count = kept;
}

#endif
