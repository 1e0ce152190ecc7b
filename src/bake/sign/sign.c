#include "bake/sign/sign.h"

#include "bake/sign/classifier.h"
#include "base/memory.h"
#include "mesh/corners.h"
#include "mesh/triangle/triangle.h"
#include "mesh/vertex_keys.h"

static AbutBox triangle_box(void* context, uint32_t triangle)
{
    const AbutMesh* mesh = context;
    AbutTriangle t = abut_triangle_of(mesh->vertices, mesh->indices + 3 * (size_t)triangle);
    return abut_triangle_box(&t);
}

static void measure(AbutSignClassifier* self)
{
    AbutBox box = abut_sign_classifier_mesh(self)->bounds;
    double low[3], high[3];
    abut_dvec3_from_vec3(box.min, low);
    abut_dvec3_from_vec3(box.max, high);
    for (int i = 0; i < 3; ++i)
    {
        self->largest_coordinate =
            abut_larger(self->largest_coordinate, abut_larger(fabs(low[i]), fabs(high[i])));
    }
    self->crack = abut_border_crack(box);
}

static AbutResult find_gaps(AbutSignClassifier* self)
{
    AbutBorder border;
    AbutResult result = abut_border_create(&self->host, &self->half_edges, self->crack, &border);
    if (result != ABUT_OK)
    {
        return result;
    }
    self->info.gapless = border.edge_count == 0;
    result = abut_sign_classifier_orient(self, &border);
    if (result == ABUT_OK)
    {
        const AbutWindingRegionsDef def = { &border, &self->winding, self->flipped, self->surrounds };
        result = abut_winding_regions_create(&self->host, &def, &self->gaps);
    }
    abut_border_destroy(&self->host, &border);
    return result;
}

static AbutResult build(AbutSignClassifier* self, const AbutMesh* mesh)
{
    AbutResult result = abut_half_edges_create(&self->host, mesh, &self->half_edges);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutMesh* joined = self->half_edges.mesh;
    measure(self);
    self->info.closed = self->half_edges.closed;
    result = abut_box_tree_create(&self->host, joined->triangle_count, triangle_box, joined, &self->tree);
    if (result == ABUT_OK)
    {
        result = abut_winding_create(&self->host, joined, &self->tree, NULL, &self->winding);
    }
    if (result == ABUT_OK)
    {
        result = find_gaps(self);
    }
    if (result == ABUT_OK && self->method != ABUT_SIGN_WINDING)
    {
        result = abut_pseudo_normals_create(&self->host, &self->half_edges, &self->normals);
    }
    if (result == ABUT_OK && self->method == ABUT_SIGN_AUTO)
    {
        result = abut_sign_classifier_find_sides(self);
    }
    return result;
}

AbutResult abut_sign_classifier_create(const AbutMesh* mesh, AbutSignMethod method, const AbutHost* host,
                                       AbutSignClassifier** out)
{
    *out = NULL;
    if (mesh->triangle_count > ABUT_VERTEX_KEYS_MAX_TRIANGLES)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "mesh: %u triangles; signs are found for at most %u",
                         mesh->triangle_count, ABUT_VERTEX_KEYS_MAX_TRIANGLES);
    }
    AbutHost resolved = abut_host_resolve(host);
    AbutSignClassifier* self = abut_memory_allocate_zero(&resolved, 1, sizeof(AbutSignClassifier));
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    self->host = resolved;
    self->method = method;
    AbutResult result = build(self, mesh);
    if (result != ABUT_OK)
    {
        abut_sign_classifier_destroy(self);
        return result;
    }
    *out = self;
    return ABUT_OK;
}

void abut_sign_classifier_destroy(AbutSignClassifier* self)
{
    if (self == NULL)
    {
        return;
    }
    AbutHost host = self->host;
    uint32_t triangle_count = self->half_edges.mesh != NULL ? self->half_edges.mesh->triangle_count : 0;
    abut_memory_free(&host, self->sides, triangle_count, sizeof(uint8_t));
    abut_memory_free(&host, self->flipped, triangle_count, sizeof(uint8_t));
    abut_pseudo_normals_destroy(&host, &self->normals);
    abut_winding_destroy(&host, &self->winding);
    abut_winding_regions_destroy(&host, &self->gaps);
    abut_box_tree_destroy(&host, &self->tree);
    abut_half_edges_destroy(&host, &self->half_edges);
    abut_memory_free(&host, self, 1, sizeof(AbutSignClassifier));
}

AbutSignClassifierInfo abut_sign_classifier_info(const AbutSignClassifier* classifier)
{
    return classifier->info;
}

uint32_t abut_sign_classifier_border_count(const AbutSignClassifier* classifier)
{
    return classifier->half_edges.border_count;
}

AbutBox abut_sign_classifier_border_box(const AbutSignClassifier* classifier, uint32_t edge)
{
    const AbutBorderEdge* border = &classifier->half_edges.border[edge];
    const AbutVec3* vertices = abut_sign_classifier_mesh(classifier)->vertices;
    return abut_box_add_point(abut_box(vertices[border->from], vertices[border->from]), vertices[border->to]);
}

// -----------------------------------------------------------------------------------------------------------
// Gaps
// -----------------------------------------------------------------------------------------------------------

/// Error up to which a number that is known to be whole can be rounded, with room to spare.
static const double ROUNDABLE = 0.45;

/// Bound of the error of numbers that are nowhere whole; the error itself is a fiftieth of it, as a rule.
static const double SOUP_ERROR = 0.1;

static AbutWindingValue winding_to(const AbutSignClassifier* self, const double point[3], double error,
                                   uint32_t skip)
{
    AbutWindingValue value = abut_winding_at(&self->winding, point, 1.0, skip);
    for (double tightness = 1.4; value.error > error; tightness *= 1.4)
    {
        value = abut_winding_at(&self->winding, point, tightness, skip);
    }
    return value;
}

// What the number lacks to a whole one is known better than the number itself.
double abut_sign_classifier_winding_beside(const AbutSignClassifier* self, const double point[3],
                                           uint32_t skip, double beside)
{
    if (!self->info.gapless && self->gaps.caps == NULL)
    {
        return winding_to(self, point, SOUP_ERROR, skip).number + beside;
    }
    double number = winding_to(self, point, ROUNDABLE, skip).number + beside;
    double lacking = self->info.gapless ? 0.0 : abut_winding_to(&self->gaps.cap_winding, point, 1e-3).number;
    return floor(number + lacking + 0.5) - lacking;
}

double abut_sign_classifier_effective_winding(const AbutSignClassifier* self, const double point[3],
                                              double number)
{
    return self->info.gapless ? number : abut_winding_regions_effective_winding(&self->gaps, point, number);
}

double abut_sign_classifier_winding(const AbutSignClassifier* classifier, const double point[3])
{
    return abut_sign_classifier_winding_beside(classifier, point, ABUT_WINDING_NO_SKIP, 0.0);
}

bool abut_sign_classifier_is_certain(const AbutSignClassifier* classifier, const double center[3],
                                     double radius)
{
    return classifier->info.gapless || abut_winding_regions_is_certain(&classifier->gaps, center, radius);
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

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
    abut_dvec3_from_vec3(node->min, low);
    abut_dvec3_from_vec3(node->max, high);
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
    abut_dvec3_sub(point, foot->at, offset);
    double height = abut_dvec3_dot(normal, offset),
           least = GRAZING * abut_dvec3_length(normal) * abut_dvec3_length(offset);
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
