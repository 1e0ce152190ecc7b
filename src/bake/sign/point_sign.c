#include "bake/sign/point_sign.h"

#include "mesh/corners.h"

/// A point of the surface.
typedef struct Foot
{
    uint32_t triangle;
    AbutTriangleFeature feature;
    double at[3];
    double squared; // distance
} Foot;

static Foot find_foot(const AbutMesh* mesh, const double point[3], uint32_t triangle)
{
    double c[3][3];
    Foot foot = { .triangle = triangle };
    abut_load_triangle(mesh, triangle, c);
    foot.squared = abut_triangle_closest_feature(c[0], c[1], c[2], point, foot.at, &foot.feature);
    return foot;
}

static double squared_to_box(const AbutBoxNode* node, const double p[3])
{
    double low[3], high[3], squared = 0.0;
    abut_array3_from_vec3(node->min, low);
    abut_array3_from_vec3(node->max, high);
    for (int i = 0; i < 3; ++i)
    {
        double d = p[i] < low[i] ? low[i] - p[i] : (p[i] > high[i] ? p[i] - high[i] : 0.0);
        squared += d * d;
    }
    return squared;
}

/// Moves the foot to a nearer point on one of the triangles that come within `slack` of it. True when there
/// was one.
static bool improve_foot(const AbutSignClassifier* self, const double point[3], double slack, Foot* foot)
{
    const AbutBoxTree* tree = &self->tree;
    const Foot start = *foot;
    for (uint32_t i = 0; i < tree->node_count;)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        if (squared_to_box(node, start.at) > slack * slack || squared_to_box(node, point) >= foot->squared)
        {
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            Foot other = find_foot(abut_sign_classifier_mesh(self), point, tree->items[slot]);
            *foot = other.squared < foot->squared ? other : *foot;
        }
        i += 1;
    }
    return foot->squared < (1.0 - 1e-14) * start.squared; // triangles with a common edge differ by rounding
}

enum
{
    FOOT_STEPS = 16, // nearly always one is enough
};

/// Error of distances in float, in parts of the largest coordinate.
static const double FLOAT_ERROR = 2e-6;

/// Finds a foot such that nothing lies between it and the point. The nearest triangle was found with floats:
/// the surface may be nearer, by their error, and behind an acute edge or a thin wall that is enough to be on
/// the wrong side of it. But whatever is in between is then within that error of the foot. So the foot goes
/// on to what is nearer there, until there is nothing.
static bool refine_foot(const AbutSignClassifier* self, const double point[3], Foot* foot)
{
    double largest = abut_larger(fabs(point[0]), abut_larger(fabs(point[1]), fabs(point[2])));
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
    if ((self->sides[foot->triangle] & ABUT_SIDES_KNOWN) == 0)
    {
        return false;
    }
    if (foot->feature >= ABUT_FEATURE_CORNER_0)
    {
        corner += (uint32_t)(foot->feature - ABUT_FEATURE_CORNER_0);
        return self->normals.regular[abut_sign_classifier_mesh(self)->indices[corner]] != 0;
    }
    if (foot->feature >= ABUT_FEATURE_EDGE_0)
    {
        corner += (uint32_t)(foot->feature - ABUT_FEATURE_EDGE_0);
        return (self->sides[self->half_edges.twins[corner] / 3] & ABUT_SIDES_KNOWN) != 0;
    }
    return true;
}

/// Sine of the angle to the surface's tangent under which a point counts as on neither side.
static const double GRAZING = 1e-9;

/// 1 in front of the foot, −1 behind it, 0 where rounding leaves it open.
static int side_of_foot(const AbutSignClassifier* self, const double point[3], const Foot* foot)
{
    double normal[3], offset[3];
    abut_pseudo_normal(&self->normals, foot->triangle, foot->feature, normal);
    abut_array3_sub(point, foot->at, offset);
    double height = abut_array3_dot(normal, offset),
           least = GRAZING * abut_array3_length(normal) * abut_array3_length(offset);
    return height > least ? 1 : (height < -least ? -1 : 0);
}

/// Distance from the surface, in parts of the largest coordinate, at which there is no side to be on. Such
/// points are outside.
static const double ON_SURFACE = 1e-13;

static bool find_side(const AbutSignClassifier* self, const double point[3], uint32_t nearest, bool* inside)
{
    Foot foot = find_foot(abut_sign_classifier_mesh(self), point, nearest);
    bool refined = refine_foot(self, point, &foot);
    *inside = false;
    if (foot.squared <= ON_SURFACE * ON_SURFACE * self->largest_coordinate * self->largest_coordinate)
    {
        return true;
    }
    int side = side_of_foot(self, point, &foot);
    if (self->method == ABUT_SIGN_PSEUDO_NORMALS)
    {
        bool flipped = self->flipped != NULL && self->flipped[foot.triangle] != 0;
        *inside = flipped ? side > 0 : side < 0;
        return true;
    }
    *inside = (self->sides[foot.triangle] & (side > 0 ? ABUT_FRONT_INSIDE : ABUT_BACK_INSIDE)) != 0;
    return refined && side != 0 && sides_are_known(self, &foot);
}

AbutPointSign abut_sign_classifier_point(const AbutSignClassifier* self, const double point[3],
                                         uint32_t nearest, bool use_sides)
{
    AbutPointSign sign = { 0 };
    if (self->method != ABUT_SIGN_WINDING && (use_sides || self->method == ABUT_SIGN_PSEUDO_NORMALS) &&
        find_side(self, point, nearest, &sign.inside))
    {
        return sign;
    }
    sign.by_winding = true;
    sign.inside =
        abut_sign_classifier_effective_winding(self, point, abut_sign_classifier_winding(self, point)) > 0.5;
    return sign;
}
