// Creation of trackers.
#include "narrow/triangles/swift_tracker.h"

#include "base/memory.h"

_Static_assert(ABUT_SWIFT_TRACKER_SIZE == 1 << (64 - 52), "positions are the highest bits of a product");

AbutResult abut_swift_tracker_create(const AbutHost* host, AbutSwiftTracker** out)
{
    AbutHost resolved = abut_host_resolve(host);
    *out = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutSwiftTracker));
    if (*out == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    (*out)->host = resolved;
    return ABUT_OK;
}

void abut_swift_tracker_destroy(AbutSwiftTracker* tracker)
{
    if (tracker != NULL)
    {
        AbutHost host = tracker->host;
        abut_memory_free(&host, tracker, 1, sizeof(*tracker));
    }
}
