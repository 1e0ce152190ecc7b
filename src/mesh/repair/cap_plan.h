/// @file cap_plan.h
/// The optimal triangulation of a loop without new points, by dynamic programming (G. Barequet and M. Sharir,
/// "Filling gaps in the boundary of a polyhedron", 1995; P. Liepa, "Filling holes in meshes", 2003).
///
/// Costs in order of weight: triangles that face against the direction of the loop or are thinner than
/// rounding; then the total area, the lengths of sides and the angle between cap and surface. So a loop that
/// is a simple polygon seen along its direction gets a cap that does not intersect itself: such a polygon has
/// a triangulation that faces the viewer everywhere, and triangles that all face the viewer cannot overlap.
#ifndef ABUT_MESH_REPAIR_CAP_PLAN_H
#define ABUT_MESH_REPAIR_CAP_PLAN_H

#include "math/dvec3.h"

enum
{
    /// n points take n³/6 costs of triangles (a tenth of a second here) and 11 n² bytes.
    ABUT_CAP_PLAN_MAX_POINTS = 320
};

/// Tables for loops of up to `capacity` points; by pair of points (i, j): i · capacity + j.
typedef struct AbutCapPlan
{
    AbutHost host;
    uint32_t capacity;
    AbutDVec3* points;
    AbutDVec3* normals; // by point: of the surface at the side from it to the next; zero where unknown
    uint8_t* blocked;   // by pair i < j: not 0 where there must be no side between them
    double* costs;      // by pair: of filling the loop from i over all points between to j
    uint16_t* apexes;   // by pair: the point that the triangle on the side from i to j has
    uint16_t (*stack)[2];
    uint16_t (*triangles)[3]; // result: count − 2 triangles, each in the direction of the loop
} AbutCapPlan;

/// Criteria for thin and facing triangles.
typedef struct AbutPlanView
{
    AbutDVec3 direction; // that the loop faces, of unit length; zero when it faces none
    double thin;         // height under which a triangle is no better than one of no height
} AbutPlanView;

/// Grows the tables to at least `count` points, at most ABUT_CAP_PLAN_MAX_POINTS. A zeroed plan with its host
/// set is empty.
AbutResult abut_cap_plan_reserve(AbutCapPlan* plan, uint32_t count);

/// Gives the memory back. A zeroed plan is ignored.
void abut_cap_plan_destroy(AbutCapPlan* plan);

/// Fills `triangles` for the first `count` ≥ 3 points. False when every triangulation has a blocked side.
bool abut_cap_plan_solve(AbutCapPlan* plan, uint32_t count, const AbutPlanView* view);

#endif
