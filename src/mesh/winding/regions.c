#include "mesh/winding/regions.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/corners.h"

#include <string.h>

/// Distance of winding numbers from integers that still counts as certain.
static const double MARGIN = 0.25;

/// With more border edges than this fraction of the triangles hardly any winding number is an integer, and
/// there are as many caps as triangles.
static const uint32_t MAX_FRACTION = 4, FEW_EDGES = 1024;

// -----------------------------------------------------------------------------------------------------------
// Caps
// -----------------------------------------------------------------------------------------------------------

typedef struct Capping
{
    const AbutBorder* border;
    const uint8_t* flipped;
    uint32_t* loops;    // by point: union-find forest of the points that edges connect
    AbutDVec3* middles; // by root: sum of the edges' middles
    uint32_t* counts;   // by root: edges
    uint32_t* apexes;   // by root: vertex of the caps
} Capping;

static void join_loops(Capping* self)
{
    const AbutBorder* border = self->border;
    abut_union_find_init(self->loops, border->points->vertex_count);
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        abut_union_find_join(self->loops, border->edges[i].from, border->edges[i].to);
    }
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        uint32_t loop = abut_union_find_root(self->loops, border->edges[i].from);
        AbutDVec3 from = abut_mesh_dvertex(border->points, border->edges[i].from);
        AbutDVec3 to = abut_mesh_dvertex(border->points, border->edges[i].to);
        self->counts[loop] += 1;
        self->middles[loop] = abut_dvec3_mul_add(self->middles[loop], 0.5, abut_dvec3_add(from, to));
    }
}

/// Points, then the middles of the loops.
static uint32_t write_vertices(Capping* self, AbutVec3* vertices)
{
    const AbutMesh* points = self->border->points;
    uint32_t count = points->vertex_count;
    if (vertices != NULL)
    {
        memcpy(vertices, points->vertices, count * sizeof(AbutVec3));
    }
    for (uint32_t v = 0; v < points->vertex_count; ++v)
    {
        if (self->counts[v] == 0)
        {
            continue;
        }
        if (vertices != NULL)
        {
            vertices[count] = abut_dvec3_to_vec3(abut_dvec3_div(self->middles[v], self->counts[v]));
        }
        self->apexes[v] = count++;
    }
    return count;
}

/// A cap has border edges in the direction opposite to the surface, once for each excess triangle.
static uint64_t write_triangles(const Capping* self, uint32_t* indices)
{
    const AbutBorder* border = self->border;
    uint64_t count = 0;
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        const AbutBorderEdge* edge = &border->edges[i];
        bool flipped = self->flipped != NULL && self->flipped[edge->triangle] != 0;
        for (uint32_t k = 0; indices != NULL && k < edge->count; ++k)
        {
            uint32_t* corners = indices + 3 * (size_t)(count + k);
            corners[0] = flipped ? edge->from : edge->to;
            corners[1] = flipped ? edge->to : edge->from;
            corners[2] = self->apexes[abut_union_find_root(self->loops, edge->from)];
        }
        count += edge->count;
    }
    return count;
}

static AbutResult make_caps(const AbutHost* host, Capping* self, AbutMesh** out)
{
    join_loops(self);
    uint32_t vertex_count = write_vertices(self, NULL);
    uint64_t triangle_count =
        write_triangles(self, NULL); // at most three per triangle of the mesh, whose number is limited
    AbutResult result = abut_mesh_create_uninitialized(vertex_count, (uint32_t)triangle_count, host, out);
    ABUT_ASSERT(triangle_count <= UINT32_MAX);
    if (result == ABUT_OK)
    {
        write_vertices(self, (*out)->vertices);
        write_triangles(self, (*out)->indices);
        abut_mesh_finish(*out);
    }
    return result;
}

static AbutResult create_caps(const AbutHost* host, const AbutBorder* border, const uint8_t* flipped,
                              AbutMesh** out)
{
    uint32_t count = border->points->vertex_count;
    Capping self = { .border = border, .flipped = flipped };
    self.loops = abut_memory_allocate(host, count, sizeof(uint32_t));
    self.middles = abut_memory_allocate_zero(host, count, sizeof(*self.middles));
    self.counts = abut_memory_allocate_zero(host, count, sizeof(uint32_t));
    self.apexes = abut_memory_allocate(host, count, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (self.loops != NULL && self.middles != NULL && self.counts != NULL && self.apexes != NULL)
    {
        result = make_caps(host, &self, out);
    }
    abut_memory_free(host, self.apexes, count, sizeof(uint32_t));
    abut_memory_free(host, self.counts, count, sizeof(uint32_t));
    abut_memory_free(host, self.middles, count, sizeof(*self.middles));
    abut_memory_free(host, self.loops, count, sizeof(uint32_t));
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutBox cap_box(void* context, uint32_t triangle)
{
    const AbutMesh* mesh = context;
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    AbutBox box = abut_box(mesh->vertices[index[0]], mesh->vertices[index[0]]);
    return abut_box_add_point(abut_box_add_point(box, mesh->vertices[index[1]]), mesh->vertices[index[2]]);
}

/// The border edge of a cap triangle is its first.
static double border_length(const AbutMesh* caps, uint32_t triangle)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(caps, triangle, corners);
    return abut_dvec3_distance(corners[1], corners[0]);
}

static AbutResult add_lengths(const AbutHost* host, AbutWindingRegions* self)
{
    const AbutBoxTree* tree = &self->cap_tree;
    self->lengths = abut_memory_allocate_zero(host, tree->node_count, sizeof(double));
    if (self->lengths == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = tree->node_count; i-- > 0;) // children come after their parent
    {
        const AbutBoxNode* node = &tree->nodes[i];
        if (node->size > 1)
        {
            self->lengths[i] = self->lengths[i + 1] + self->lengths[i + 1 + tree->nodes[i + 1].size];
            continue;
        }
        for (uint32_t slot = node[0].first; slot < node[1].first; ++slot)
        {
            self->lengths[i] += border_length(self->caps, tree->items[slot]);
        }
    }
    return ABUT_OK;
}

static AbutResult build(const AbutHost* host, const AbutWindingRegionsDef* def, AbutWindingRegions* self)
{
    AbutResult result = create_caps(host, def->border, def->flipped, &self->caps);
    if (result == ABUT_OK && !def->surrounds)
    {
        self->has_hulls = true;
        result = abut_gap_hulls_create(host, def->border, &self->hulls);
    }
    if (result == ABUT_OK)
    {
        result = abut_box_tree_create(host, self->caps->triangle_count, cap_box, self->caps, &self->cap_tree);
    }
    if (result == ABUT_OK)
    {
        result = abut_winding_create(host, self->caps, &self->cap_tree, NULL, &self->cap_winding);
    }
    return result == ABUT_OK ? add_lengths(host, self) : result;
}

AbutResult abut_winding_regions_create(const AbutHost* host, const AbutWindingRegionsDef* def,
                                       AbutWindingRegions* out)
{
    const AbutBorder* border = def->border;
    *out = (AbutWindingRegions){ .surface = def->surface, .tolerance = border->tolerance };
    uint32_t most = def->surface->mesh->triangle_count / MAX_FRACTION;
    if (border->edge_count == 0 || (border->edge_count > most && border->edge_count > FEW_EDGES))
    {
        return ABUT_OK;
    }
    AbutResult result = build(host, def, out);
    if (result != ABUT_OK)
    {
        abut_winding_regions_destroy(host, out);
    }
    return result;
}

void abut_winding_regions_destroy(const AbutHost* host, AbutWindingRegions* self)
{
    abut_memory_free(host, self->lengths, self->cap_tree.node_count, sizeof(double));
    abut_gap_hulls_destroy(host, &self->hulls);
    abut_winding_destroy(host, &self->cap_winding);
    abut_box_tree_destroy(host, &self->cap_tree);
    abut_mesh_destroy(self->caps);
    memset(self, 0, sizeof(*self));
}

// -----------------------------------------------------------------------------------------------------------
// How fast the winding number changes
// -----------------------------------------------------------------------------------------------------------

/// 4π times the contribution of one border edge to the slope of the winding number in a ball. ∫ |dl × r|/r³
/// is at most the length over the squared distance, and at most that of an infinite line, two over the
/// distance.
static double edge_slope(const AbutMesh* caps, uint32_t triangle, AbutDVec3 center, double ball_radius)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(caps, triangle, corners);
    AbutDVec3 along = abut_dvec3_sub(corners[1], corners[0]), offset = abut_dvec3_sub(center, corners[0]);
    double squared = abut_dvec3_dot(along, along),
           t = squared > 0.0 ? abut_dvec3_dot(offset, along) / squared : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    double gap = abut_dvec3_length(abut_dvec3_mul_sub(offset, t, along)) - ball_radius;
    return gap > 0.0 ? abut_smaller(sqrt(squared) / (gap * gap), 2.0 / gap) : INFINITY;
}

static const double FOUR_PI = 12.566370614359172;

double abut_winding_regions_slope(const AbutWindingRegions* self, AbutDVec3 center, double radius,
                                  double limit)
{
    ABUT_ASSERT(self->caps != NULL && radius >= 0.0);
    const AbutBoxTree* tree = &self->cap_tree;
    // The ends of edges were moved by up to the tolerance when cracks were closed.
    double sum = 0.0, ball_radius = radius + self->tolerance;
    for (uint32_t i = 0; i < tree->node_count && sum <= FOUR_PI * limit;)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        double gap = sqrt(abut_box_node_squared_distance(node, center)) - ball_radius;
        if (gap > abut_vec3_length(abut_box_extents(abut_box_node_box(node))))
        {
            sum += self->lengths[i] / (gap * gap);
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            sum += edge_slope(self->caps, tree->items[slot], center, ball_radius);
        }
        i += 1;
    }
    return sum <= FOUR_PI * limit ? sum / FOUR_PI : INFINITY;
}

/// True when no cap comes within `radius` of a point.
static bool caps_are_far(const AbutWindingRegions* self, AbutDVec3 center, double radius)
{
    for (uint32_t i = 0; i < self->cap_tree.node_count;)
    {
        const AbutBoxNode* node = &self->cap_tree.nodes[i];
        bool far = sqrt(abut_box_node_squared_distance(node, center)) > radius;
        if (!far && node->size == 1)
        {
            return false;
        }
        i += far ? node->size : 1;
    }
    return true;
}

double abut_winding_regions_effective_winding(const AbutWindingRegions* self, AbutDVec3 point, double number)
{
    if (!self->has_hulls || abut_gap_hulls_overlap(&self->hulls, point, 0.0))
    {
        return number;
    }
    return floor(number + abut_winding_to(&self->cap_winding, point, 1e-3).number + 0.5);
}

/// True when the surface's own number stays within ¼ of whole numbers; and, unless all is in one hull, within
/// ¼ of that of surface and caps together.
static bool changes_little(const AbutWindingRegions* self, AbutDVec3 center, double radius)
{
    // Off the centre, which may lie on an edge of a cap, where the winding number has no value.
    AbutDVec3 point = abut_dvec3_add(center, abut_dvec3(0.0053 * radius, 0.0021 * radius, 0.0067 * radius));
    double grown = 1.01 * radius;
    double change = grown * abut_winding_regions_slope(self, point, grown, MARGIN / grown);
    if (!(change < MARGIN))
    {
        return false;
    }
    AbutWindingValue value = abut_winding_to(&self->cap_winding, point, 0.02);
    double whole = floor(value.number + 0.5);
    if (!(fabs(value.number - whole) + value.error + change < MARGIN))
    {
        return false;
    }
    return !self->has_hulls || abut_gap_hulls_contain(&self->hulls, point, grown) ||
           (whole == 0.0 && caps_are_far(self, point, grown + self->tolerance));
}

bool abut_winding_regions_is_certain(const AbutWindingRegions* self, AbutDVec3 center, double radius)
{
    ABUT_ASSERT(radius >= 0.0);
    const AbutWinding* lacking = self->caps != NULL ? &self->cap_winding : self->surface;
    if (self->has_hulls && !abut_gap_hulls_overlap(&self->hulls, center, radius))
    {
        return true;
    }
    // Where the caps' number is small all over the ball, no cap is in it, and both numbers give the same
    // sign.
    return abut_winding_bound(lacking, center, radius + self->tolerance, MARGIN) < MARGIN ||
           (self->caps != NULL && changes_little(self, center, radius));
}
