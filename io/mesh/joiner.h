/// @file joiner.h
/// Joins corners with equal coordinates (−0 equals 0) while a file without shared vertices is read.
#ifndef ABUT_IO_JOINER_H
#define ABUT_IO_JOINER_H

#include "io/mesh/builder.h"

/// An open hash table of vertex numbers. Vertices come in the order of first use, with the bits of their
/// first use.
typedef struct AbutIoJoiner
{
    AbutIoBuilder* builder;
    uint32_t* slots; ///< number of the vertex plus one; 0 where free
    size_t slot_count;
    uint64_t seed;
} AbutIoJoiner;

/// `seed` moves every vertex to another slot. Take the hash of the file, so that no file can be prepared
/// whose corners all meet in one slot without solving for its own hash. The result does not depend on it.
AbutIoJoiner abut_io_joiner_make(AbutIoBuilder* builder, uint64_t seed);
void abut_io_joiner_free(AbutIoJoiner* joiner);

/// Room for that many more vertices, however many corners they have.
AbutResult abut_io_joiner_reserve(AbutIoJoiner* joiner, size_t extra);

enum
{
    ABUT_IO_JOINER_BATCH = 48
};

/// The numbers of the vertices at `points`, which are added where there are none, in order. At most
/// ABUT_IO_JOINER_BATCH at a time; many at once let the processor fetch their slots together.
AbutResult abut_io_joiner_add(AbutIoJoiner* joiner, const AbutVec3* points, size_t count, uint32_t* indices);

#endif
