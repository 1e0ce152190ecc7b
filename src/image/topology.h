/// @file topology.h Edges and components of a mesh after equal vertices are joined: what CInDeR draws, and
/// whether parity has a meaning.
#ifndef ABUT_IMAGE_TOPOLOGY_H
#define ABUT_IMAGE_TOPOLOGY_H

#include <abut/mesh.h>

typedef struct AbutImageTopology
{
    uint8_t* edges; // by triangle: bit k for the edge from corner k, each edge of the mesh in one triangle
    uint32_t* components;    // by triangle: triangles connected through edges, numbered from 0
    uint32_t triangle_count; // of both arrays
    uint32_t component_count;
    uint32_t odd_edge_count; // edges with an odd number of triangles; a closed mesh has none
} AbutImageTopology;

AbutResult abut_image_topology_create(const AbutHost* host, const AbutMesh* mesh, AbutImageTopology* out);

/// Gives the memory back to the host it came from. A zeroed topology is ignored.
void abut_image_topology_destroy(const AbutHost* host, AbutImageTopology* topology);

#endif
