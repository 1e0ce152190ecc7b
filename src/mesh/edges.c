#include "mesh/edges.h"

/// By the higher vertex and the corner that the edge runs from.
uint32_t abut_file_edges(const uint32_t corners[3], uint32_t triangle, AbutVertexKey keys[3])
{
    if (abut_is_collapsed(corners))
    {
        return 0;
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t from = corners[i], to = corners[(i + 1) % 3];
        uint32_t low = from < to ? from : to, high = from < to ? to : from;
        keys[i] = (AbutVertexKey){ low, (uint64_t)high << 32 | (3 * triangle + i) };
    }
    return 3;
}
