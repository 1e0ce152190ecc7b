/// @file vertex_keys.h
/// Numbers sorted by vertex: a search for equal edges and equal triangles without hashing, in memory
/// proportional to the mesh and time that no input can make quadratic.
#ifndef ABUT_MESH_VERTEX_KEYS_H
#define ABUT_MESH_VERTEX_KEYS_H

#include <abut/mesh.h>

typedef struct AbutVertexKey
{
    uint32_t vertex;
    uint64_t key;
} AbutVertexKey;

/// Writes the keys of one triangle and returns how many, at most three. Must be deterministic.
typedef uint32_t AbutVertexKeyFn(const uint32_t corners[3], uint32_t triangle, AbutVertexKey keys[3]);

typedef struct AbutVertexKeys
{
    uint32_t vertex_count;
    uint32_t key_count;
    uint32_t* offsets; // vertex_count + 1: the keys of vertex v are at [offsets[v], offsets[v + 1])
    uint64_t* keys;    // ascending within a vertex
} AbutVertexKeys;

/// The mesh has at most ABUT_VERTEX_KEYS_MAX_TRIANGLES triangles.
AbutResult abut_vertex_keys_create(const AbutHost* host, const AbutMesh* mesh, AbutVertexKeyFn* file,
                                   AbutVertexKeys* out);

/// Gives the memory back to the host it came from. Zeroed keys are ignored.
void abut_vertex_keys_destroy(const AbutHost* host, AbutVertexKeys* keys);

/// So that three keys each have 32-bit numbers.
#define ABUT_VERTEX_KEYS_MAX_TRIANGLES (UINT32_MAX / 3)

#endif
