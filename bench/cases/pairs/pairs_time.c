#include "pairs_time.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    CACHE_BYTES = 64 << 20 // more than any level of cache holds
};

static double run_once(PairContender* contender, PairPoses poses)
{
    long long found = 0;
    double start = bench_cpu_seconds();
    for (int i = 0; i < poses.count; ++i)
    {
        found += contender->run(contender->context, &poses.all[poses.chosen[i]]);
    }
    double seconds = bench_cpu_seconds() - start;
    contender->found = (double)found / poses.count;
    return 1e6 * seconds / poses.count;
}

void pairs_time_warm(PairContender* contenders, int count, PairPoses poses, int repeats)
{
    double times[PAIRS_MOST_CONTENDERS][PAIRS_MOST_REPEATS];
    for (int k = 0; k < repeats; ++k)
    {
        for (int c = 0; c < count; ++c)
        {
            run_once(&contenders[c], poses); // fills the caches, which the last one had for itself
            times[c][k] = run_once(&contenders[c], poses);
        }
    }
    for (int c = 0; c < count; ++c)
    {
        contenders[c].microseconds = bench_median(times[c], repeats);
    }
}

static void clear_caches(unsigned char* buffer)
{
    for (size_t i = 0; i < CACHE_BYTES; i += 64)
    {
        buffer[i] = (unsigned char)(buffer[i] + 1);
    }
    bench_consume(buffer, CACHE_BYTES);
}

bool pairs_time_cold(PairContender* contenders, int count, PairPoses poses, int repeats)
{
    unsigned char* buffer = calloc(1, CACHE_BYTES);
    if (buffer == NULL)
    {
        fprintf(stderr, "abut: bench pairs: no memory to clear the caches with\n");
        return false;
    }
    for (int c = 0; c < count; ++c)
    {
        contenders[c].microseconds = 0.0;
    }
    for (int i = 0; i < poses.count; ++i)
    {
        double times[PAIRS_MOST_CONTENDERS][PAIRS_MOST_REPEATS];
        for (int k = 0; k < repeats; ++k)
        {
            for (int c = 0; c < count; ++c)
            {
                clear_caches(buffer);
                double start = bench_seconds();
                contenders[c].run(contenders[c].context, &poses.all[poses.chosen[i]]);
                times[c][k] = bench_seconds() - start;
            }
        }
        for (int c = 0; c < count; ++c)
        {
            contenders[c].microseconds += 1e6 * bench_median(times[c], repeats) / poses.count;
        }
    }
    free(buffer);
    return true;
}
