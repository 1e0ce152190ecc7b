#include "dynamics/penalty.h"

#include "base/memory.h"

#include <math.h>

const char* abut_response_name(AbutResponse response)
{
    static const char* const names[ABUT_RESPONSE_COUNT] = { "impulse", "penalty" };
    return (unsigned)response < ABUT_RESPONSE_COUNT ? names[response] : "unknown response";
}

const char* abut_penalty_scheme_name(AbutPenaltyScheme scheme)
{
    static const char* const names[ABUT_PENALTY_SCHEME_COUNT] = { "balanced", "delayed", "sampled" };
    return (unsigned)scheme < ABUT_PENALTY_SCHEME_COUNT ? names[scheme] : "unknown scheme";
}

AbutPenaltySettings abut_penalty_settings(void)
{
    AbutPenaltySettings settings = { 0 };
    settings.scheme = ABUT_PENALTY_BALANCED;
    settings.midpoint_count = 20;
    settings.point_count = 1024;
    settings.iteration_limit = 24;
    return settings;
}

AbutResult abut_penalty_check(const AbutPenaltySettings* settings)
{
    if ((unsigned)settings->scheme >= ABUT_PENALTY_SCHEME_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "world: there is no penalty scheme %d",
                         (int)settings->scheme);
    }
    const struct
    {
        const char* name;
        uint32_t value, most;
    } counts[] = { { "midpoints", settings->midpoint_count, ABUT_PENALTY_MIDPOINTS },
                   { "points", settings->point_count, 1u << 20 },
                   { "iterations", settings->iteration_limit, 1000 } };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i)
    {
        if (counts[i].value < 1 || counts[i].value > counts[i].most)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "world: %u penalty %s; there are from 1 to %u",
                             counts[i].value, counts[i].name, counts[i].most);
        }
    }
    if (!(settings->depth >= 0.0f) || !isfinite(settings->depth) || !(settings->point_spacing >= 0.0f) ||
        !isfinite(settings->point_spacing))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "world: penalty depth %g and point spacing %g; both are 0 or more, and finite",
                         (double)settings->depth, (double)settings->point_spacing);
    }
    return ABUT_OK;
}

AbutResult abut_penalty_create(AbutWorld* world)
{
    world->penalty = abut_memory_allocate_zero(&world->host, 1, sizeof(AbutPenalty));
    return world->penalty != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_penalty_destroy(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    if (penalty == NULL)
    {
        return;
    }
    abut_memory_free(&world->host, penalty->caches, penalty->cache_capacity, sizeof(AbutPointCache));
    abut_memory_free(&world->host, penalty, 1, sizeof(AbutPenalty));
}

const char* abut_world_warning(const AbutWorld* world)
{
    return world->penalty != NULL ? world->penalty->warning : "";
}
