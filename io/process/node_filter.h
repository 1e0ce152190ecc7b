/// @file node_filter.h
/// Nodes as differences from the node before, with the bytes of like weight side by side: what zstd packs
/// well. Neither direction allocates.
#ifndef ABUT_IO_NODE_FILTER_H
#define ABUT_IO_NODE_FILTER_H

#include <stddef.h>
#include <stdint.h>

enum
{
    ABUT_IO_FILTER_NODES = 4096,                    ///< nodes of a chunk; the last one may have fewer
    ABUT_IO_FILTER_BYTES = 8 * ABUT_IO_FILTER_NODES ///< of the largest chunk
};

/// How nodes are made up, and where the filter stands in the run of chunks.
typedef struct AbutIoNodeFilter
{
    uint32_t node_bytes;      ///< 2, 4 or 8
    uint32_t component_bytes; ///< 2 or 4, at most node_bytes
    uint8_t previous[8];      ///< the node before the next chunk; zero at the start
} AbutIoNodeFilter;

/// Writes the filtered form of `count` nodes, at most a chunk.
void abut_io_filter_nodes(AbutIoNodeFilter* filter, const uint8_t* nodes, size_t count, uint8_t* out);

/// The way back, in place.
void abut_io_unfilter_nodes(AbutIoNodeFilter* filter, uint8_t* nodes, size_t count);

#endif
