#include "bake/sign/sign.h"

#include "bake/sign/classifier.h"
#include "bake/sign/known_sides.h"
#include "bake/sign/orientation.h"
#include "base/assert.h"
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
    AbutDVec3 low = abut_dvec3_abs(abut_dvec3_from_vec3(box.min)),
              high = abut_dvec3_abs(abut_dvec3_from_vec3(box.max));
    AbutDVec3 largest = abut_dvec3_max(low, high);
    self->largest_coordinate = abut_larger(abut_larger(largest.x, largest.y), largest.z);
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
    ABUT_ASSERT(edge < classifier->half_edges.border_count);
    const AbutBorderEdge* border = &classifier->half_edges.border[edge];
    const AbutVec3* vertices = abut_sign_classifier_mesh(classifier)->vertices;
    return abut_box_add_point(abut_box(vertices[border->from], vertices[border->from]), vertices[border->to]);
}

// -----------------------------------------------------------------------------------------------------------
// Gaps
// -----------------------------------------------------------------------------------------------------------

double abut_sign_classifier_winding(const AbutSignClassifier* classifier, AbutDVec3 point)
{
    return abut_sign_classifier_winding_beside(classifier, point, ABUT_WINDING_NO_SKIP, 0.0);
}

bool abut_sign_classifier_is_certain(const AbutSignClassifier* classifier, AbutDVec3 center, double radius)
{
    return classifier->info.gapless || abut_winding_regions_is_certain(&classifier->gaps, center, radius);
}

double abut_sign_classifier_doubt_distance(const AbutSignClassifier* self, AbutDVec3 point, double limit)
{
    if (self->info.gapless)
    {
        return limit;
    }
    if (self->gaps.has_hulls)
    {
        return abut_gap_hulls_distance(&self->gaps.hulls, point, limit);
    }
    return isfinite(limit) && abut_sign_classifier_is_certain(self, point, limit) ? limit : 0.0;
}

/// A ball around the whole mesh.
static AbutDVec3 mesh_ball(const AbutSignClassifier* self, double* radius)
{
    AbutBox box = abut_sign_classifier_mesh(self)->bounds;
    AbutDVec3 low = abut_dvec3_from_vec3(box.min), high = abut_dvec3_from_vec3(box.max);
    *radius = 0.5 * abut_dvec3_distance(low, high) * (1.0 + 1e-12);
    return abut_dvec3_lerp(low, high, 0.5);
}

AbutDVec3 abut_sign_classifier_doubt_ball(const AbutSignClassifier* self, uint32_t i, double* radius)
{
    if (!self->gaps.has_hulls)
    {
        return mesh_ball(self, radius);
    }
    ABUT_ASSERT(i < self->gaps.hulls.count);
    AbutGapHullBox box = abut_gap_hull_box(&self->gaps.hulls.hulls[i]);
    *radius = box.radius;
    return box.center;
}

AbutSignDoubt abut_sign_classifier_doubt(const AbutSignClassifier* self)
{
    AbutSignDoubt doubt = { 0 };
    if (self->info.gapless)
    {
        return doubt;
    }
    AbutBox bounds = abut_sign_classifier_mesh(self)->bounds;
    AbutDVec3 sides = abut_dvec3_from_vec3(abut_vec3_sub(bounds.max, bounds.min));
    double whole = sides.x * sides.y * sides.z, radius;
    doubt.region_count = self->gaps.has_hulls ? self->gaps.hulls.count : 1;
    doubt.volume = self->gaps.has_hulls ? 0.0 : whole;
    for (uint32_t i = 0; i < doubt.region_count; ++i)
    {
        abut_sign_classifier_doubt_ball(self, i, &radius);
        doubt.size = abut_larger(doubt.size, 2.0 * radius);
        doubt.volume += self->gaps.has_hulls ? abut_gap_hull_box(&self->gaps.hulls.hulls[i]).volume : 0.0;
    }
    doubt.volume = abut_smaller(doubt.volume, whole);
    return doubt;
}
