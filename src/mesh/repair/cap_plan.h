/// @file cap_plan.h
/// The best way to fill a loop with triangles between its points: by trying all of them, as dynamic
/// programming can (G. Barequet and M. Sharir, "Filling gaps in the boundary of a polyhedron", 1995; P.
/// Liepa, "Filling holes in meshes", 2003).
///
/// First of all triangles face the way the loop as a whole does and are not thinner than rounding; of what is
/// left the total area, the lengths of sides and how sharply the cap turns back at the surface decide. So a
/// loop that is a simple polygon when seen along its direction gets a cap that does not cross itself: such a
/// polygon can be cut into triangles that all face the viewer, and triangles that all do cannot overlap.
#ifndef ABUT_MESH_REPAIR_CAP_PLAN_H
#define ABUT_MESH_REPAIR_CAP_PLAN_H

#include <abut/base.h>

enum
{
    /// n points take n³/6 looks at a triangle (a tenth of a second here) and 11 n² bytes.
    ABUT_CAP_PLAN_MAX_POINTS = 320
};

/// Room for loops of up to `capacity` points; by pair of points (i, j): i · capacity + j.
typedef struct AbutCapPlan
{
    AbutHost host;
    uint32_t capacity;
    double (*points)[3];
    double (*normals)
        [3]; // by point: of the surface at the side from it to the next; zero where that is not known
    uint8_t* blocked; // by pair i < j: not 0 where there must be no side between them
    double* costs;    // by pair: of filling the loop from i over all points between to j
    uint16_t* apexes; // by pair: the point that the triangle on the side from i to j has
    uint16_t (*stack)[2];
    uint16_t (*triangles)[3]; // what comes out: count − 2 of them, each running as the loop does
} AbutCapPlan;

/// What thin and facing mean.
typedef struct AbutPlanView
{
    double direction[3]; // that the loop faces, of unit length; zero when it faces none
    double thin;         // height under which a triangle is no better than one of no height
} AbutPlanView;

/// Room for at least `count` points, which is at most ABUT_CAP_PLAN_MAX_POINTS. A zeroed plan with its host
/// set has none.
AbutResult abut_cap_plan_reserve(AbutCapPlan* plan, uint32_t count);

/// Gives the memory back. A zeroed plan is ignored.
void abut_cap_plan_destroy(AbutCapPlan* plan);

/// Fills `triangles` for the first `count` ≥ 3 points. False when every way has a blocked side.
bool abut_cap_plan_solve(AbutCapPlan* plan, uint32_t count, const AbutPlanView* view);

#endif
