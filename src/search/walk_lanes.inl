// Points that move between two fields, step by step, until each has arrived.
#ifndef ABUT_SEARCH_WALK_LANES_INL
#define ABUT_SEARCH_WALK_LANES_INL

#include "search/field_pair_lanes.inl"

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

#endif
