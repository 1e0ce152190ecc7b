// Where the time of a run went: phases of the steps, kinds of pairs.
#include "json.h"
#include "simulate.h"

#include <inttypes.h>
#include <stdio.h>

void simulate_add_profile(AbutStepProfile* sum, const AbutStepProfile* step)
{
    for (int i = 0; i < ABUT_PHASE_COUNT; ++i)
    {
        sum->seconds[i] += step->seconds[i];
    }
    sum->pass_count += step->pass_count;
    sum->substep_count += step->substep_count;
    for (int i = 0; i < ABUT_PAIR_KIND_COUNT; ++i)
    {
        AbutPairProfile* to = &sum->pairs[i];
        const AbutPairProfile* from = &step->pairs[i];
        to->search_count += from->search_count;
        to->empty_count += from->empty_count;
        to->recycled_count += from->recycled_count;
        to->contact_count += from->contact_count;
        to->samples += from->samples;
        to->search_seconds += from->search_seconds;
        to->manifold_seconds += from->manifold_seconds;
    }
}

static double total_of(const AbutStepProfile* sum)
{
    double total = 0.0;
    for (int i = 0; i < ABUT_PHASE_COUNT; ++i)
    {
        total += sum->seconds[i];
    }
    return total;
}

void simulate_print_profile(const AbutStepProfile* sum, uint64_t steps)
{
    const double count = steps > 0 ? (double)steps : 1.0, total = total_of(sum);
    printf("%-12s %12s %7s\n", "phase", "ms per step", "share");
    for (int i = 0; i < ABUT_PHASE_COUNT; ++i)
    {
        printf("%-12s %12.4f %6.1f%%\n", abut_step_phase_name((AbutStepPhase)i),
               1e3 * sum->seconds[i] / count, total > 0.0 ? 100.0 * sum->seconds[i] / total : 0.0);
    }
    printf("%-12s %12.4f, in %.3g passes and %.3g substeps per step\n", "all", 1e3 * total / count,
           sum->pass_count / count, sum->substep_count / count);
    for (int i = 0; i < ABUT_PAIR_KIND_COUNT; ++i)
    {
        const AbutPairProfile* pairs = &sum->pairs[i];
        if (pairs->search_count + pairs->recycled_count == 0)
        {
            continue;
        }
        double searches = pairs->search_count > 0 ? pairs->search_count : 1.0;
        printf(
            "pairs, %s: %.4g searches per step, %.1f%% empty, %.4g recycled; per search %.3g contacts, %.4g "
            "samples, %.4g us and %.4g us for the manifold\n",
            abut_pair_kind_name((AbutPairKind)i), pairs->search_count / count,
            100.0 * pairs->empty_count / searches, pairs->recycled_count / count,
            (double)pairs->contact_count / searches, (double)pairs->samples / searches,
            1e6 * pairs->search_seconds / searches, 1e6 * pairs->manifold_seconds / searches);
    }
}

cJSON* simulate_profile_json(const AbutStepProfile* sum)
{
    cJSON *document = cJSON_CreateObject(), *phases = cJSON_AddObjectToObject(document, "seconds");
    for (int i = 0; i < ABUT_PHASE_COUNT; ++i)
    {
        cJSON_AddNumberToObject(phases, abut_step_phase_name((AbutStepPhase)i), sum->seconds[i]);
    }
    cJSON_AddNumberToObject(document, "passes", sum->pass_count);
    cJSON_AddNumberToObject(document, "substeps", sum->substep_count);
    cJSON* kinds = cJSON_AddObjectToObject(document, "pairs");
    for (int i = 0; i < ABUT_PAIR_KIND_COUNT; ++i)
    {
        const AbutPairProfile* pairs = &sum->pairs[i];
        cJSON* kind = cJSON_AddObjectToObject(kinds, abut_pair_kind_name((AbutPairKind)i));
        cJSON_AddNumberToObject(kind, "searches", pairs->search_count);
        cJSON_AddNumberToObject(kind, "empty", pairs->empty_count);
        cJSON_AddNumberToObject(kind, "recycled", pairs->recycled_count);
        cJSON_AddNumberToObject(kind, "contacts", (double)pairs->contact_count);
        cJSON_AddNumberToObject(kind, "samples", (double)pairs->samples);
        cJSON_AddNumberToObject(kind, "search_seconds", pairs->search_seconds);
        cJSON_AddNumberToObject(kind, "manifold_seconds", pairs->manifold_seconds);
    }
    return document;
}
