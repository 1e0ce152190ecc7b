// Overshoot of fields of order 1. Their blend takes half of the gradient of each node, which is exact on
// planes. Close to a convex edge, and in wedges and walls as thin as some cells, corners of a cell belong to
// another face: with D the difference of the distances from both planes, such a corner xᵢ of weight w adds
// w (D(xᵢ) + D(x)) / 2 at x, and D(x) < 0 on the face: ridges of 0.1 to 0.2 cells, in the rhythm of the grid.
// A body that slides along them without friction is held between two, on slopes up to some 10°.
//
// The tangent plane of each corner is that of its own face, without any blend, and the distance from convex
// faces is the largest of the distances from their planes.
#include "dynamics/contacts/edge_overshoot.h"

#include "field/field.h"
#include "field/nodes/brick_nodes.h"
#include "math/dvec3.h"

#include <math.h>

/// Depth of the plane of another face under the point, in cells.
#define DROP_CELLS 0.1

/// Largest overshoot, in cells.
#define MAX_CELLS 0.3

/// Least cosine between the normal of the face and that of the field.
#define SAME_FACE 0.7

bool abut_overshoot_is_possible(const AbutBody* body)
{
    const AbutFieldHeader* header =
        abut_shape_is_field(body->shape) ? abut_field_of(body->shape)->block : NULL;
    return header != NULL && header->format == ABUT_FIELD_FIRST_ORDER;
}

/// The cell of a point, and the point in it, in cells. False outside of the grid.
static bool locate(const AbutFieldHeader* header, AbutDVec3 at, uint32_t cell[3], double inside[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        double cells = (abut_dvec3_get(at, axis) - header->origin[axis]) / header->cell_size;
        double count = (double)header->brick_count[axis] * ABUT_BRICK_CELLS;
        if (!(cells >= 0.0) || !(cells < count))
        {
            return false;
        }
        cell[axis] = (uint32_t)cells;
        inside[axis] = cells - (double)cell[axis];
    }
    return true;
}

double abut_overshoot_at(const AbutBody* body, AbutDVec3 local, double distance, AbutDVec3* normal)
{
    void* block = abut_field_of(body->shape)->block;
    const AbutFieldHeader* header = block;
    double scale = (double)body->scale, size = header->cell_size * scale, lowest = 0.0, most = 0.0;
    AbutDVec3 face = *normal;
    AbutFieldNode nodes[8];
    uint32_t cell[3];
    double inside[3];
    if (!locate(header, abut_dvec3_add(abut_dvec3_div(local, scale), body->center), cell, inside) ||
        !abut_field_cell_nodes(block, cell, nodes))
    {
        return 0.0;
    }
    for (int i = 0; i < 8; ++i)
    {
        AbutDVec3 gradient = abut_dvec3(nodes[i].gradient[0], nodes[i].gradient[1], nodes[i].gradient[2]);
        AbutDVec3 offset = abut_dvec3(inside[0] - (i & 1), inside[1] - (i >> 1 & 1), inside[2] - (i >> 2));
        double excess = (double)nodes[i].value + abut_dvec3_dot(gradient, offset) - distance / size;
        lowest = fmin(lowest, excess);
        if (excess > most && excess < MAX_CELLS && abut_dvec3_dot(gradient, *normal) > SAME_FACE)
        {
            most = excess;
            face = gradient;
        }
    }
    if (!(lowest < -DROP_CELLS))
    {
        return 0.0;
    }
    *normal = abut_dvec3_normalize(face);
    return most * size;
}
