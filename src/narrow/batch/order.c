#include "narrow/batch/order.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sort.h"
#include "narrow/batch/cheap.h"

#include <string.h>

static uint64_t key_of(AbutBodyPair pair)
{
    return (uint64_t)pair.a << 32 | pair.b;
}

/// Fills the keys; *sorted: they are in order already.
static AbutResult read_pairs(AbutCollider* collider, const AbutBodyPair* pairs, size_t count,
                             size_t body_count, bool* sorted)
{
    *sorted = true;
    for (size_t i = 0; i < count; ++i)
    {
        if (pairs[i].a >= body_count || pairs[i].b >= body_count)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT,
                             "collide: pair %zu is of bodies %u and %u, but there are %zu bodies", i,
                             pairs[i].a, pairs[i].b, body_count);
        }
        collider->keys[i] = key_of(pairs[i]);
        *sorted = *sorted && (i == 0 || collider->keys[i - 1] < collider->keys[i]);
    }
    return ABUT_OK;
}

static float margin_of(const AbutNarrowSettings* settings, uint32_t a, uint32_t b)
{
    return settings->pair_margin == NULL
               ? settings->collide.margin
               : settings->collide.margin + settings->pair_margin(settings->pair_margin_user, a, b);
}

static float spacing_of(const AbutNarrowSettings* settings, uint32_t a, uint32_t b)
{
    float own =
        settings->pair_spacing != NULL ? settings->pair_spacing(settings->pair_spacing_user, a, b) : 0.0f;
    return own > 0.0f ? own : settings->collide.spacing;
}

static AbutBatchJob make_job(const AbutCollider* collider, uint32_t a, uint32_t b, uint32_t result)
{
    return (AbutBatchJob){
        .a = a,
        .b = b,
        .result = result,
        .last = ABUT_BATCH_JOB_NONE,
        .proved_depth = -1.0f,
        .margin = margin_of(&collider->settings, a, b),
        .spacing = spacing_of(&collider->settings, a, b),
        .shapes = { collider->bodies[a].shape, collider->bodies[b].shape },
    };
}

/// Divides the pairs into jobs and cheap pairs, each once.
static void divide_pairs(AbutCollider* collider, const uint64_t* keys, size_t count)
{
    AbutBatchStep* step = abut_collider_step(collider);
    AbutCheapChoice choice = abut_batch_cheap_choice(collider);
    uint32_t results = 0;
    size_t jobs = 0, cheap = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (i > 0 && keys[i] == keys[i - 1])
        {
            continue;
        }
        uint32_t a = (uint32_t)(keys[i] >> 32), b = (uint32_t)keys[i];
        AbutPairResult* result = &collider->results[results];
        memset(result, 0, sizeof(*result)); // padding included, so that equal results have equal bytes
        result->a = a;
        result->b = b;
        if (a != b && abut_batch_is_cheap(collider, &choice, a, b))
        {
            collider->cheap[cheap++] = results;
        }
        else
        {
            step->jobs[jobs++] = make_job(collider, a, b, results);
        }
        ++results;
    }
    collider->result_count = results;
    collider->cheap_count = cheap;
    step->job_count = jobs;
}

#if defined(ABUT_ENABLE_ASSERTS)
/// Pairs by (a, b), each once.
static bool is_sorted(const AbutBatchStep* step)
{
    for (size_t i = 1; i < step->job_count; ++i)
    {
        const AbutBatchJob *x = &step->jobs[i - 1], *y = &step->jobs[i];
        if (!(x->a < y->a || (x->a == y->a && x->b < y->b)))
        {
            return false;
        }
    }
    return true;
}
#endif

/// Both are sorted.
static void match_jobs(AbutBatchStep* step, const AbutBatchStep* last)
{
    ABUT_ASSERT(is_sorted(step) && is_sorted(last));
    size_t k = 0;
    for (size_t i = 0; i < step->job_count; ++i)
    {
        AbutBatchJob* job = &step->jobs[i];
        uint64_t key = key_of((AbutBodyPair){ job->a, job->b });
        while (k < last->job_count && key_of((AbutBodyPair){ last->jobs[k].a, last->jobs[k].b }) < key)
        {
            ++k;
        }
        if (k < last->job_count && last->jobs[k].a == job->a && last->jobs[k].b == job->b &&
            last->jobs[k].owns_shapes && last->jobs[k].shapes[0] == job->shapes[0] &&
            last->jobs[k].shapes[1] == job->shapes[1])
        {
            job->last = (uint32_t)k;
        }
    }
}

AbutResult abut_batch_order(AbutCollider* collider, const AbutBodyPair* pairs, size_t pair_count,
                            size_t body_count)
{
    if (pair_count >= ABUT_BATCH_JOB_NONE)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "collide: %zu pairs; at most 2^32 - 2 are possible",
                         pair_count);
    }
    AbutBatchStep* step = abut_collider_step(collider);
    if (!abut_memory_grow(&collider->host, (void**)&collider->keys, &collider->key_capacity, 2 * pair_count,
                          sizeof(collider->keys[0])) ||
        !abut_memory_grow(&collider->host, (void**)&step->jobs, &step->job_capacity, pair_count,
                          sizeof(step->jobs[0])) ||
        !abut_memory_grow(&collider->host, (void**)&collider->cheap, &collider->cheap_capacity, pair_count,
                          sizeof(collider->cheap[0])) ||
        !abut_memory_grow(&collider->host, (void**)&collider->results, &collider->result_capacity, pair_count,
                          sizeof(collider->results[0])))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    bool sorted;
    AbutResult result = read_pairs(collider, pairs, pair_count, body_count, &sorted);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!sorted)
    {
        abut_sort_keys(collider->keys, collider->keys + pair_count, pair_count, 0);
    }
    divide_pairs(collider, collider->keys, pair_count);
    match_jobs(step, abut_collider_last(collider));
    return ABUT_OK;
}
