/// @file cap.h
/// Triangles that close loops: caps.
///
/// Short loops are planned as a whole (cap_plan.h), long ones are cut by chords into short ones first. A cap
/// has the vertices of its loop alone, unless every triangulation has a side that is an edge of the surface
/// already; then a vertex in the middle joins all sides.
#ifndef ABUT_MESH_REPAIR_CAP_H
#define ABUT_MESH_REPAIR_CAP_H

#include "base/assert.h"
#include "mesh/mesh.h"
#include "mesh/repair/cap_plan.h"
#include "mesh/repair/edge_set.h"
#include "mesh/vertex_keys.h"

typedef struct AbutOutlinePoint
{
    double at[2];
    double area;   // twice that of the fan from the first point up to here
    double length; // of the sides up to here
} AbutOutlinePoint;

typedef struct AbutCaps
{
    AbutHost host;
    const AbutMesh* mesh;
    const AbutVertexKeys* edges; // of the mesh, by abut_file_edges()
    AbutEdgeSet sides;           // that caps have added
    AbutCapPlan plan;
    uint32_t plan_limit;
    double thin; // as in AbutPlanView

    uint32_t* indices; // result: three per triangle
    size_t index_count, index_capacity;
    AbutVec3* centers; // added vertices; their numbers follow the vertices of the mesh
    size_t center_count, center_capacity;

    uint32_t* pieces; // of the loop at hand, one after another; the last is the next to be filled
    size_t piece_capacity;
    uint32_t* piece_ends;
    size_t piece_end_count, piece_end_capacity;
    AbutOutlinePoint* outline; // the piece at hand seen along the loop's direction
    size_t outline_capacity;
    uint64_t chord_work; // sides that chords of the loop at hand may still be compared with
} AbutCaps;

/// `border_count` is the number of edges of all loops; the mesh and its edges must outlive the caps.
AbutCaps abut_caps_make(const AbutHost* host, const AbutMesh* mesh, const AbutVertexKeys* edges,
                        uint32_t border_count, double thin);

/// Gives the memory back.
void abut_caps_destroy(AbutCaps* caps);

/// Adds the triangles of the cap that runs through the `count` ≥ 3 vertices in this order, each once.
/// @return ABUT_OUT_OF_MEMORY.
AbutResult abut_caps_add(AbutCaps* caps, const uint32_t* loop, uint32_t count);

/// True when the mesh or a cap has an edge between the two.
bool abut_caps_have_edge(const AbutCaps* caps, uint32_t a, uint32_t b);

/// The position of a vertex of the mesh or of the middle of a cap.
static inline AbutVec3 abut_caps_vertex(const AbutCaps* caps, uint32_t vertex)
{
    uint32_t count = caps->mesh->vertex_count;
    ABUT_ASSERT(vertex < count + caps->center_count);
    return vertex < count ? caps->mesh->vertices[vertex] : caps->centers[vertex - count];
}

/// The same in double.
static inline AbutDVec3 abut_caps_dvertex(const AbutCaps* caps, uint32_t vertex)
{
    return abut_dvec3_from_vec3(abut_caps_vertex(caps, vertex));
}

/// The corners of a triangle, from their vertices.
static inline void abut_caps_corners(const AbutCaps* caps, const uint32_t vertices[3], AbutDVec3 corners[3])
{
    corners[0] = abut_caps_dvertex(caps, vertices[0]);
    corners[1] = abut_caps_dvertex(caps, vertices[1]);
    corners[2] = abut_caps_dvertex(caps, vertices[2]);
}

#endif
