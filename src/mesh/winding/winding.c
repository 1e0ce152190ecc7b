#include "mesh/winding/winding.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/corners.h"
#include "mesh/winding/solid_angle.h"

#include <string.h>

enum
{
    LANES = ABUT_SOLID_ANGLE_LANES,
    NODE_BLOCK = 8192, // nodes that are filled in one block
};

static const double FOUR_PI = 12.566370614359172;

// -----------------------------------------------------------------------------------------------------------
// Nodes
// -----------------------------------------------------------------------------------------------------------

/// The moments of a node, in double.
typedef struct Moments
{
    AbutDVec3 center, normal;
    double area, second[6], spread;
} Moments;

static AbutDVec3 to_unit(const AbutWinding* self, AbutVec3 v)
{
    return abut_winding_to_unit(self, abut_dvec3_from_vec3(v));
}

/// About its own centre a triangle has no second moment: n is the same everywhere, and ∫ s dA is zero.
static Moments triangle_moments(const AbutWinding* self, uint32_t triangle)
{
    const uint32_t* index = self->mesh->indices + 3 * (size_t)triangle;
    double sign = self->flipped != NULL && self->flipped[triangle] != 0 ? -0.5 : 0.5;
    const AbutVec3* vertices = self->mesh->vertices;
    AbutDVec3 a = to_unit(self, vertices[index[0]]), b = to_unit(self, vertices[index[1]]),
              c = to_unit(self, vertices[index[2]]);
    AbutDVec3 u = abut_dvec3_sub(b, a), v = abut_dvec3_sub(c, a), w = abut_dvec3_sub(u, v);
    AbutDVec3 n = abut_dvec3_cross(u, v);
    Moments m = { .area = 0.5 * abut_dvec3_length(n) / FOUR_PI };
    m.center = abut_dvec3_div(abut_dvec3_add(abut_dvec3_add(a, b), c), 3.0);
    m.normal = abut_dvec3_div(abut_dvec3_scale(n, sign), FOUR_PI);
    // By components: another order of the sum would have other bits.
    m.spread = (u.x * u.x + v.x * v.x + w.x * w.x) + (u.y * u.y + v.y * v.y + w.y * w.y) +
               (u.z * u.z + v.z * v.z + w.z * w.z);
    m.spread *= m.area / 36.0;
    return m;
}

static Moments node_moments(const AbutWindingNode* node)
{
    Moments m = { .area = node->area, .spread = node->spread };
    m.center = abut_dvec3(node->center[0], node->center[1], node->center[2]);
    m.normal = abut_dvec3(node->normal[0], node->normal[1], node->normal[2]);
    m.second[0] = node->second[0];
    m.second[1] = node->second[1];
    m.second[2] = -m.second[0] - m.second[1];
    m.second[3] = node->second[2];
    m.second[4] = node->second[3];
    m.second[5] = node->second[4];
    return m;
}

/// Adds `m` to `sum`, measured from the centre of `sum`.
static void add_moments(Moments* sum, const Moments* m)
{
    AbutDVec3 n = m->normal, s = abut_dvec3_sub(m->center, sum->center);
    double along = abut_dvec3_dot(s, n);
    sum->normal = abut_dvec3_add(sum->normal, n);
    sum->second[0] += m->second[0] + along - 3.0 * s.x * n.x;
    sum->second[1] += m->second[1] + along - 3.0 * s.y * n.y;
    sum->second[2] += m->second[2] + along - 3.0 * s.z * n.z;
    sum->second[3] += m->second[3] - 1.5 * (s.y * n.z + s.z * n.y);
    sum->second[4] += m->second[4] - 1.5 * (s.z * n.x + s.x * n.z);
    sum->second[5] += m->second[5] - 1.5 * (s.x * n.y + s.y * n.x);
    // The centre was rounded to float, in units of the mesh: the last term bounds the effect on ∫ |s|² dA.
    double squared = abut_dvec3_dot(s, s);
    sum->area += m->area;
    sum->spread += m->spread + m->area * (squared + 1e-6 * sqrt(squared));
}

/// The moments about the centre of area, rounded to float as the node stores it.
static Moments sum_moments(const Moments* blocks, uint32_t count)
{
    Moments sum = { 0 };
    double area = 0.0;
    for (uint32_t c = 0; c < count; ++c)
    {
        double weight = blocks[c].area > 0.0 ? blocks[c].area : 1e-300; // without area any centre is right
        area += weight;
        sum.center = abut_dvec3_mul_add(sum.center, weight, blocks[c].center);
    }
    sum.center = abut_dvec3_from_vec3(abut_dvec3_to_vec3(abut_dvec3_div(sum.center, area)));
    for (uint32_t c = 0; c < count; ++c)
    {
        add_moments(&sum, &blocks[c]);
    }
    return sum;
}

/// The radius of a ball about a point that holds a box of the tree, in units of the mesh.
static double radius_about(const AbutWinding* self, const AbutBoxNode* box, AbutDVec3 center)
{
    AbutDVec3 low = to_unit(self, box->min), high = to_unit(self, box->max);
    return abut_dvec3_length(abut_dvec3_max(abut_dvec3_sub(center, low), abut_dvec3_sub(high, center)));
}

/// The distance from which on two terms are accurate enough. The term of order k of the kernel (y − p)/|y −
/// p|³ about the centre, at the distance r, is at most (k + 1) |s|ᵏ/rᵏ⁺²: it is the gradient of a solid
/// harmonic. With |s|ᵏ ≤ |s|² ρᵏ⁻² the terms from k = 2 on are together at most spread/r⁴ · (3 − 2x)/(1 −
/// x)², x = ρ/r, which is to be at most ABUT_WINDING_ERROR · area/r². Solved for r from above: x is smaller
/// there than at the end, so that every step stays on the safe side.
static double far_radius_of(double area, double spread, double radius)
{
    double sigma = area > 0.0 ? sqrt(spread / area) : 0.0;
    double far_radius = radius + sigma * sqrt(3.0 / ABUT_WINDING_ERROR);
    for (int i = 0; i < 3 && far_radius > 0.0; ++i)
    {
        far_radius = radius + sigma * sqrt((3.0 - 2.0 * radius / far_radius) / ABUT_WINDING_ERROR);
    }
    return far_radius;
}

static void store_node(const AbutWinding* self, uint32_t i, const Moments* m)
{
    const double rounding = 1.0 + 1e-5; // of floats, here and in queries
    AbutWindingNode* node = &self->nodes[i];
    double radius = radius_about(self, &self->tree->nodes[i], m->center);
    node->radius = (float)(radius * rounding);
    node->far_radius = (float)(far_radius_of(m->area, m->spread, radius) * rounding);
    node->area = (float)m->area;
    node->spread = (float)m->spread;
    node->size = self->tree->nodes[i].size;
    AbutVec3 center = abut_dvec3_to_vec3(m->center), normal = abut_dvec3_to_vec3(m->normal);
    memcpy(node->center, &center, sizeof(node->center));
    memcpy(node->normal, &normal, sizeof(node->normal));
    node->second[0] = (float)m->second[0];
    node->second[1] = (float)m->second[1];
    node->second[2] = (float)m->second[3];
    node->second[3] = (float)m->second[4];
    node->second[4] = (float)m->second[5];
}

static void fill_leaf(const AbutWinding* self, uint32_t i)
{
    const AbutBoxNode* box = &self->tree->nodes[i];
    Moments sum = { 0 };
    for (uint32_t slot = box[0].first; slot < box[1].first; ++slot)
    {
        Moments m = triangle_moments(self, self->tree->items[slot]);
        sum = slot == box[0].first ? m : sum_moments((const Moments[2]){ sum, m }, 2);
    }
    sum = sum_moments(&sum, 1); // rounds the centre of a single one
    store_node(self, i, &sum);
}

static void fill_leaves(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const AbutWinding* self = context;
    uint64_t end = (uint64_t)(block + 1) * NODE_BLOCK;
    for (uint64_t i = (uint64_t)block * NODE_BLOCK; i < end && i < self->tree->node_count; ++i)
    {
        if (self->tree->nodes[i].size == 1)
        {
            fill_leaf(self, (uint32_t)i);
        }
    }
}

void abut_winding_update(const AbutHost* host, AbutWinding* self)
{
    uint32_t node_count = self->tree->node_count;
    abut_parallel_for(host, abut_block_count(node_count, NODE_BLOCK), fill_leaves, self);
    for (uint32_t i = node_count; i-- > 0;) // children come after their parent
    {
        if (self->tree->nodes[i].size > 1)
        {
            const AbutWindingNode* child = &self->nodes[i + 1];
            const Moments blocks[2] = { node_moments(child), node_moments(child + child->size) };
            Moments sum = sum_moments(blocks, 2);
            store_node(self, i, &sum);
        }
    }
}

/// Units in which the mesh is about 1 large, so that cubes of lengths fit a float.
static void choose_unit(AbutWinding* self)
{
    AbutBox box = self->mesh->bounds;
    AbutDVec3 sides = abut_dvec3_sub(abut_dvec3_from_vec3(box.max), abut_dvec3_from_vec3(box.min));
    double extent = abut_larger(abut_larger(abut_larger(0.0, sides.x), sides.y), sides.z);
    self->origin = abut_box_dcenter(box);
    int exponent = 0;
    if (extent > 0.0)
    {
        frexp(extent, &exponent);
    }
    self->scale = ldexp(1.0, -exponent);
}

AbutResult abut_winding_create(const AbutHost* host, const AbutMesh* mesh, const AbutBoxTree* tree,
                               const uint8_t* flipped, AbutWinding* out)
{
    ABUT_ASSERT(tree->item_count <= mesh->triangle_count);
    memset(out, 0, sizeof(*out));
    AbutWinding self = { .mesh = mesh, .tree = tree, .flipped = flipped };
    self.nodes = abut_memory_allocate(host, tree->node_count, sizeof(AbutWindingNode));
    if (self.nodes == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    choose_unit(&self);
    abut_winding_update(host, &self);
    *out = self;
    return ABUT_OK;
}

void abut_winding_destroy(const AbutHost* host, AbutWinding* self)
{
    if (self->nodes != NULL)
    {
        abut_memory_free(host, self->nodes, self->tree->node_count, sizeof(AbutWindingNode));
    }
    memset(self, 0, sizeof(*self));
}

// -----------------------------------------------------------------------------------------------------------
// Queries
// -----------------------------------------------------------------------------------------------------------

/// The state of a query.
typedef struct Query
{
    const AbutWinding* winding;
    AbutDVec3 point;
    uint32_t skip;
    double number;
    AbutSolidAngles near; // triangles not yet summed
    uint32_t near_count;
} Query;

static void flush(Query* query)
{
    for (uint32_t lane = query->near_count; lane < LANES; ++lane)
    {
        query->near.sign[lane] = 0.0;
    }
    query->number += abut_solid_angle_sum(&query->near);
    query->near_count = 0;
}

static void add_triangle(Query* query, uint32_t triangle)
{
    const AbutWinding* self = query->winding;
    const uint32_t* index = self->mesh->indices + 3 * (size_t)triangle;
    ABUT_ASSERT(query->near_count < LANES);
    uint32_t lane = query->near_count++;
    for (int k = 0; k < 3; ++k)
    {
        AbutDVec3 offset = abut_dvec3_sub(abut_mesh_dvertex(self->mesh, index[k]), query->point);
        query->near.corners[k][0][lane] = offset.x * self->scale;
        query->near.corners[k][1][lane] = offset.y * self->scale;
        query->near.corners[k][2][lane] = offset.z * self->scale;
    }
    query->near.sign[lane] = self->flipped != NULL && self->flipped[triangle] != 0 ? -1.0 : 1.0;
    if (query->near_count == LANES)
    {
        flush(query);
    }
}

static void add_leaf(Query* query, uint32_t node)
{
    const AbutBoxTree* tree = query->winding->tree;
    for (uint32_t slot = tree->nodes[node].first; slot < tree->nodes[node + 1].first; ++slot)
    {
        if (tree->items[slot] != query->skip)
        {
            add_triangle(query, tree->items[slot]);
        }
    }
}

/// Two terms of the expansion of a node, `r` away.
static float far_value(const AbutWindingNode* node, const float r[3], float squared)
{
    const float* t = node->second;
    float inverse = 1.0f / squared, zz = r[2] * r[2];
    float dipole = node->normal[0] * r[0] + node->normal[1] * r[1] + node->normal[2] * r[2];
    float squares = t[0] * (r[0] * r[0] - zz) + t[1] * (r[1] * r[1] - zz);
    float products = t[2] * r[1] * r[2] + t[3] * r[2] * r[0] + t[4] * r[0] * r[1];
    return (dipole + (squares + 2.0f * products) * inverse) * inverse * sqrtf(inverse);
}

AbutWindingValue abut_winding_at(const AbutWinding* self, AbutDVec3 point, double tightness, uint32_t skip)
{
    ABUT_ASSERT(tightness >= 1.0);
    Query query = { .winding = self, .point = point, .skip = skip };
    memset(&query.near, 0, sizeof(query.near));
    float opening = (float)(tightness * tightness);
    double error = 0.0;
    if (abut_winding_is_vanishing(self, point))
    {
        return (AbutWindingValue){ 0.0, 0.0 };
    }
    AbutDVec3 unit = abut_winding_to_unit(self, point);
    const float at[3] = { (float)unit.x, (float)unit.y, (float)unit.z };
    for (uint32_t i = 0; i < self->tree->node_count;)
    {
        const AbutWindingNode* node = &self->nodes[i];
        const float r[3] = { node->center[0] - at[0], node->center[1] - at[1], node->center[2] - at[2] };
        float squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        if (squared > node->far_radius * node->far_radius * opening)
        {
            query.number += far_value(node, r, squared);
            error += node->area / squared;
            i += node->size;
            continue;
        }
        if (node->size == 1)
        {
            add_leaf(&query, i);
        }
        i += 1;
    }
    flush(&query);
    return (AbutWindingValue){ query.number, error * ABUT_WINDING_ERROR / (tightness * tightness) };
}

AbutWindingValue abut_winding_to(const AbutWinding* self, AbutDVec3 point, double error)
{
    ABUT_ASSERT(error > 0.0);
    double tightness = 1.0;
    AbutWindingValue value = abut_winding_at(self, point, tightness, ABUT_WINDING_NO_SKIP);
    while (value.error > error)
    {
        tightness *= sqrt(value.error / error) + 0.01;
        value = abut_winding_at(self, point, tightness, ABUT_WINDING_NO_SKIP);
    }
    return value;
}

double abut_winding_bound(const AbutWinding* self, AbutDVec3 center, double radius, double limit)
{
    ABUT_ASSERT(radius >= 0.0);
    AbutDVec3 at = abut_winding_to_unit(self, center);
    double sum = 0.0, far_radius = radius * self->scale * (1.0 + 1e-6);
    for (uint32_t i = 0; i < self->tree->node_count && sum <= limit;)
    {
        const AbutWindingNode* node = &self->nodes[i];
        double gap = abut_dvec3_length(abut_winding_node_offset(node, at)) - far_radius - node->radius;
        if (gap > node->radius || (gap > 0.0 && node->size == 1))
        {
            sum += node->area / (gap * gap);
            i += node->size;
            continue;
        }
        sum += node->size == 1 ? INFINITY : 0.0;
        i += 1;
    }
    return sum <= limit ? sum : INFINITY;
}
