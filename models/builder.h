/// @file builder.h
/// A mesh under construction by a generator: counts known beforehand, vertices in double rounded once, and a
/// check at the end that the rounding left every triangle standing.
///
/// Angles around y grow from x towards −z, so that "counter-clockwise" below means seen from above (against
/// y).
#ifndef ABUT_MODELS_BUILDER_H
#define ABUT_MODELS_BUILDER_H

#include "arena.h"

#include <abut/models.h>

typedef struct AbutMeshBuilder
{
    const char* name;     // of the generator, for messages
    AbutModelArena arena; // of the arrays
    AbutVec3* vertices;
    uint32_t* indices;
    uint32_t vertex_capacity, triangle_capacity; // announced
    uint32_t vertex_count, triangle_count;       // so far
    bool folded;                                 // a tube that folds over itself
} AbutMeshBuilder;

/// Gets the memory, or says ABUT_LIMIT_EXCEEDED when the counts are beyond a mesh; `divisions` names the
/// arguments to blame.
AbutResult abut_builder_begin(AbutMeshBuilder* builder, const char* name, const char* divisions,
                              uint64_t vertex_count, uint64_t triangle_count, const AbutHost* host);

/// Hands over the mesh when every triangle is sound, and frees it otherwise. All announced vertices and
/// triangles must be there.
AbutResult abut_builder_finish(AbutMeshBuilder* builder, AbutMesh** out);

/// Turns the solid into its mirror image in the xy plane, still facing outward.
void abut_builder_mirror(AbutMeshBuilder* builder);

/// Returns the vertex's number.
uint32_t abut_builder_vertex(AbutMeshBuilder* builder, double x, double y, double z);

void abut_builder_triangle(AbutMeshBuilder* builder, uint32_t a, uint32_t b, uint32_t c);

/// Two triangles, split from a to c.
void abut_builder_quad(AbutMeshBuilder* builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/// Triangles from a centre to a ring of `count` consecutive vertices, counter-clockwise; `flipped` looks
/// down.
void abut_builder_fan(AbutMeshBuilder* builder, uint32_t centre, uint32_t ring, uint32_t count, bool flipped);

/// Quads between two counter-clockwise rings of `count` consecutive vertices; looks outward when `upper` lies
/// further along the axis that they turn about.
void abut_builder_band(AbutMeshBuilder* builder, uint32_t lower, uint32_t upper, uint32_t count);

/// A counter-clockwise loop of vertices around the y axis. Angles increase, by less than a whole turn in all.
typedef struct AbutVertexLoop
{
    const uint32_t* vertices;
    const double* angles;
    uint32_t count;
} AbutVertexLoop;

/// Fills the flat ring between two convex loops. Sound when the circle around the inner loop lies inside of
/// the outer loop. `flipped` looks down.
void abut_builder_annulus(AbutMeshBuilder* builder, AbutVertexLoop outer, AbutVertexLoop inner, bool flipped);

// -----------------------------------------------------------------------------------------------------------
// Tubes along a curve
// -----------------------------------------------------------------------------------------------------------

/// A plane across a tube; u × v points along the tube.
typedef struct AbutTubeSection
{
    AbutPosition centre;
    AbutPosition u, v; // unit, orthogonal
} AbutTubeSection;

typedef struct AbutTubeRing
{
    AbutPosition centre;
    uint32_t first;
    uint32_t count;
} AbutTubeRing;

/// One vertex per profile point p, at centre + radius · (p.u u + p.v v).
AbutTubeRing abut_builder_tube_ring(AbutMeshBuilder* builder, const AbutTubeSection* section,
                                    const double (*profile)[2], uint32_t count, double radius);

/// Joins point j of `a` with point j + shift of `b`, which lies further along the tube. `inward` makes the
/// wall of a cavity. Marks the builder as folded unless the line between the centres lies strictly behind
/// every triangle: then every cut between the rings is a polygon that goes around that line once without
/// turning back, so it cannot cross itself.
void abut_builder_tube(AbutMeshBuilder* builder, AbutTubeRing a, AbutTubeRing b, uint32_t shift, bool inward);

#endif
