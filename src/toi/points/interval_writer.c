#include "toi/points/interval_writer.h"

void abut_interval_writer_put(AbutIntervalWriter* sink, uint32_t point, float begin, float end)
{
    AbutPointInterval* last = &sink->last;
    if (sink->has_last && last->point == point && begin <= last->times.end)
    {
        last->times.end = last->times.end > end ? last->times.end : end;
        if (sink->total <= sink->capacity)
        {
            sink->intervals[sink->count - 1] = *last;
        }
        return;
    }
    *last = (AbutPointInterval){ point, sink->side, { begin, end } };
    sink->has_last = true;
    sink->first = sink->total == 0 || begin < sink->first.times.begin ? *last : sink->first;
    if (sink->count < sink->capacity)
    {
        sink->intervals[sink->count++] = *last;
    }
    sink->total += sink->total < UINT32_MAX ? 1 : 0;
}
