// The penalty response: settings, memory, state of bodies.
#include "dynamics/penalty/penalty.h"

#include "base/memory.h"
#include "dynamics/penalty/anchors.h"
#include "dynamics/penalty/candidates.h"
#include "dynamics/penalty/points.h"
#include "dynamics/penalty/step.h"

#include <math.h>
#include <string.h>

const char* abut_penalty_scheme_name(AbutPenaltyScheme scheme)
{
    static const char* const names[ABUT_PENALTY_SCHEME_COUNT] = { "balanced", "delayed", "sampled" };
    return (unsigned)scheme < ABUT_PENALTY_SCHEME_COUNT ? names[scheme] : "unknown scheme";
}

static void init_settings(AbutWorldDef* def)
{
    def->penalty = (AbutPenaltySettings){
        .scheme = ABUT_PENALTY_BALANCED, .midpoint_count = 20, .point_count = 1024, .iteration_limit = 24
    };
}

static AbutResult check_settings(const AbutWorldDef* def)
{
    const AbutPenaltySettings* settings = &def->penalty;
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

static uint64_t hash_settings(const AbutWorldDef* def, uint64_t hash)
{
    const AbutPenaltySettings* settings = &def->penalty;
    const float numbers[] = { settings->depth, settings->point_spacing };
    const uint32_t words[] = { (uint32_t)settings->scheme, settings->midpoint_count, settings->point_count,
                               settings->iteration_limit };
    return abut_hash(words, sizeof(words), abut_hash(numbers, sizeof(numbers), hash));
}

static AbutResult create(AbutWorld* world)
{
    world->response_state = abut_memory_allocate_zero(&world->host, 1, sizeof(AbutPenalty));
    return world->response_state != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

#define FREE(name) abut_memory_free(&host, penalty->name, penalty->name##_capacity, sizeof(*penalty->name))

static void destroy(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    AbutHost host = world->host;
    if (penalty == NULL)
    {
        return;
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (abut_body_is_alive(&world->bodies[i]))
        {
            abut_penalty_release_points(world, &world->bodies[i]);
        }
    }
    abut_penalty_free_candidates(world);
    FREE(candidates);
    FREE(caches);
    FREE(bodies);
    FREE(anchors);
    FREE(records);
    FREE(next_records);
    FREE(ends);
    FREE(pairs);
    FREE(keys);
    FREE(contacts);
    FREE(responses);
    FREE(next_anchors);
    FREE(islands);
    FREE(island_pairs);
    FREE(row_bodies);
    FREE(rows);
    FREE(marks);
    FREE(vectors);
    abut_memory_free(&host, penalty, 1, sizeof(AbutPenalty));
    world->response_state = NULL;
}

#undef FREE

static AbutResult add_body(AbutWorld* world, uint32_t index, const AbutBodyDef* def, AbutBody* body)
{
    (void)index;
    return abut_penalty_attach_points(world, def, body);
}

static void remove_body(AbutWorld* world, uint32_t index, AbutBody* body)
{
    abut_penalty_reset_body(world, index);
    abut_penalty_release_points(world, body);
}

bool abut_penalty_reserve_bodies(AbutWorld* world)
{
    AbutPenalty* penalty = abut_penalty(world);
    if (!ABUT_PENALTY_GROW(world, bodies, world->body_count))
    {
        return false;
    }
    if (penalty->bodies_count < world->body_count)
    {
        size_t count = world->body_count - penalty->bodies_count;
        memset(penalty->bodies + penalty->bodies_count, 0, count * sizeof(AbutPenaltyBody));
    }
    penalty->bodies_count = world->body_count;
    return true;
}

static void report(const AbutWorld* world, AbutStepReport* out)
{
    out->elastic_energy = abut_penalty(world)->energy;
    out->stiff_count = abut_penalty(world)->stiff_count;
}

static const char* warning(const AbutWorld* world)
{
    return abut_penalty(world)->warning;
}

const AbutResponseTable abut_penalty_response = {
    .name = "penalty",
    .manifold_points = UINT32_MAX,
    .init_settings = init_settings,
    .check_settings = check_settings,
    .hash_settings = hash_settings,
    .create = create,
    .destroy = destroy,
    .add_body = add_body,
    .remove_body = remove_body,
    .move_body = abut_penalty_reset_body,
    .plan = abut_penalty_plan,
    .update_contacts = abut_penalty_update_contacts,
    .solve = abut_penalty_solve_pass,
    .finish = abut_penalty_finish,
    .state_size = abut_penalty_state_size,
    .save = abut_penalty_save,
    .hash = abut_penalty_hash,
    .check = abut_penalty_check,
    .restore = abut_penalty_restore,
    .report = report,
    .warning = warning,
};
