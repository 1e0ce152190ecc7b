/// @file pairs_time.h (internal to bench pairs)
/// Queries of several libraries at the same poses, timed in alternation.
#ifndef ABUT_BENCH_PAIRS_TIME_H
#define ABUT_BENCH_PAIRS_TIME_H

#include <abut/math.h>

enum
{
    PAIRS_MOST_CONTENDERS = 5,
    PAIRS_MOST_REPEATS = 9
};

/// Somebody who answers for one pose.
typedef struct PairContender
{
    const char* name;
    int (*run)(void* context, const AbutPose* pose);
    void* context;
    double microseconds; ///< per pose, the median of all repeats
    double found;        ///< what `run` returned, per pose
} PairContender;

typedef struct PairPoses
{
    const AbutPose* all;
    const int* chosen;
    int count;
} PairPoses;

/// Contenders take turns, so that whatever else the machine does hits all of them. Processor time; the first
/// turn, which fills the caches, does not count.
void pairs_time_warm(PairContender* contenders, int count, PairPoses poses, int repeats);

/// One query at a time with nothing in the caches; the median of the repeats for each pose, since one
/// interruption would outweigh hundreds of queries. False, with a message on stderr, when there is no memory.
bool pairs_time_cold(PairContender* contenders, int count, PairPoses poses, int repeats);

#endif
