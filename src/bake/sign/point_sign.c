#include "bake/sign/point_sign.h"

#include "base/assert.h"
#include "mesh/corners.h"

/// The point of a triangle that is closest to the query.
typedef struct Foot
{
    uint32_t triangle;
    AbutClosestPoint point;
} Foot;

static Foot find_foot(const AbutMesh* mesh, AbutDVec3 point, uint32_t triangle)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(mesh, triangle, corners);
    return (Foot){ triangle, abut_triangle_closest_feature(corners, point) };
}

/// Moves the foot to a nearer point on one of the triangles that come within `slack` of it. True when there
/// was one.
static bool improve_foot(const AbutSignClassifier* self, AbutDVec3 point, double slack, Foot* foot)
{
    const AbutBoxTree* tree = &self->tree;
    const Foot start = *foot;
    for (uint32_t i = 0; i < tree->node_count;)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        if (abut_box_node_squared_distance(node, start.point.at) > slack * slack ||
            abut_box_node_squared_distance(node, point) >= foot->point.squared)
        {
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            Foot other = find_foot(abut_sign_classifier_mesh(self), point, tree->items[slot]);
            *foot = other.point.squared < foot->point.squared ? other : *foot;
        }
        i += 1;
    }
    // Triangles with a common edge differ by rounding.
    return foot->point.squared < (1.0 - 1e-14) * start.point.squared;
}

enum
{
    FOOT_STEPS = 16, // nearly always one is enough
};

/// Error of distances in float, relative to the largest coordinate.
static const double FLOAT_ERROR = 2e-6;

/// Finds a foot without surface between it and the point. The nearest triangle was found in float: the
/// surface may be closer, by the rounding error, and behind an acute edge or a thin wall the sign would be
/// wrong. But any surface in between is then within that error of the foot. So the foot moves to closer
/// triangles there until there are none.
static bool refine_foot(const AbutSignClassifier* self, AbutDVec3 point, Foot* foot)
{
    double largest = abut_larger(fabs(point.x), abut_larger(fabs(point.y), fabs(point.z)));
    double slack = FLOAT_ERROR * (largest + self->largest_coordinate);
    int steps = 0;
    while (steps < FOOT_STEPS && improve_foot(self, point, slack, foot))
    {
        steps += 1;
    }
    return steps < FOOT_STEPS;
}

static bool sides_are_known(const AbutSignClassifier* self, const Foot* foot)
{
    uint32_t corner = 3 * foot->triangle;
    AbutTriangleFeature feature = foot->point.feature;
    if ((self->sides[foot->triangle] & ABUT_SIDES_KNOWN) == 0)
    {
        return false;
    }
    if (feature >= ABUT_FEATURE_CORNER_0)
    {
        corner += (uint32_t)(feature - ABUT_FEATURE_CORNER_0);
        return self->normals.regular[abut_sign_classifier_mesh(self)->indices[corner]] != 0;
    }
    if (feature >= ABUT_FEATURE_EDGE_0)
    {
        corner += (uint32_t)(feature - ABUT_FEATURE_EDGE_0);
        return (self->sides[self->half_edges.twins[corner] / 3] & ABUT_SIDES_KNOWN) != 0;
    }
    return true;
}

/// Sine of the angle to the surface's tangent under which a point counts as on neither side.
static const double GRAZING = 1e-9;

/// 1 in front of the foot, −1 behind it, 0 where rounding leaves the side open.
static int side_of_foot(const AbutSignClassifier* self, AbutDVec3 point, const Foot* foot)
{
    AbutDVec3 normal = abut_pseudo_normal(&self->normals, foot->triangle, foot->point.feature);
    AbutDVec3 offset = abut_dvec3_sub(point, foot->point.at);
    double height = abut_dvec3_dot(normal, offset),
           least = GRAZING * abut_dvec3_length(normal) * abut_dvec3_length(offset);
    return height > least ? 1 : (height < -least ? -1 : 0);
}

/// Distance from the surface, relative to the largest coordinate, up to which a point is on the surface. Such
/// points are outside.
static const double ON_SURFACE = 1e-13;

static bool find_side(const AbutSignClassifier* self, const AbutSignPoint* point, bool* inside)
{
    Foot foot = find_foot(abut_sign_classifier_mesh(self), point->position, point->nearest);
    bool refined = point->is_exact || refine_foot(self, point->position, &foot);
    *inside = false;
    if (foot.point.squared <= ON_SURFACE * ON_SURFACE * self->largest_coordinate * self->largest_coordinate)
    {
        return true;
    }
    int side = side_of_foot(self, point->position, &foot);
    if (self->method == ABUT_SIGN_PSEUDO_NORMALS)
    {
        bool flipped = self->flipped != NULL && self->flipped[foot.triangle] != 0;
        *inside = flipped ? side > 0 : side < 0;
        return true;
    }
    *inside = (self->sides[foot.triangle] & (side > 0 ? ABUT_FRONT_INSIDE : ABUT_BACK_INSIDE)) != 0;
    return refined && side != 0 && sides_are_known(self, &foot);
}

AbutPointSign abut_sign_classifier_point(const AbutSignClassifier* self, const AbutSignPoint* point)
{
    ABUT_ASSERT(point->nearest < abut_sign_classifier_mesh(self)->triangle_count);
    AbutPointSign sign = { 0 };
    if (self->method != ABUT_SIGN_WINDING && (point->use_sides || self->method == ABUT_SIGN_PSEUDO_NORMALS) &&
        find_side(self, point, &sign.inside))
    {
        return sign;
    }
    double winding = abut_sign_classifier_winding(self, point->position);
    sign.by_winding = true;
    sign.inside = abut_sign_classifier_effective_winding(self, point->position, winding) > 0.5;
    return sign;
}
