#include "mesh/winding/winding.h"

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

/// What a node keeps, in double.
typedef struct Moments
{
    double center[3];
    double area, normal[3], second[6], spread;
} Moments;

static void to_unit(const AbutWinding* self, AbutVec3 v, double out[3])
{
    abut_array3_from_vec3(v, out);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = (out[i] - self->origin[i]) * self->scale;
    }
}

/// About its own centre a triangle has no second moment: n is the same everywhere, and ∫ s dA is zero.
static Moments triangle_moments(const AbutWinding* self, uint32_t triangle)
{
    const uint32_t* index = self->mesh->indices + 3 * (size_t)triangle;
    double sign = self->flipped != NULL && self->flipped[triangle] != 0 ? -0.5 : 0.5;
    double p[3][3], u[3], v[3], n[3];
    for (int k = 0; k < 3; ++k)
    {
        to_unit(self, self->mesh->vertices[index[k]], p[k]);
    }
    abut_array3_sub(p[1], p[0], u);
    abut_array3_sub(p[2], p[0], v);
    abut_array3_cross(u, v, n);
    Moments m = { .area = 0.5 * abut_array3_length(n) / FOUR_PI };
    for (int i = 0; i < 3; ++i)
    {
        m.center[i] = (p[0][i] + p[1][i] + p[2][i]) / 3.0;
        m.normal[i] = sign * n[i] / FOUR_PI;
        m.spread += u[i] * u[i] + v[i] * v[i] + (u[i] - v[i]) * (u[i] - v[i]);
    }
    m.spread *= m.area / 36.0;
    return m;
}

static Moments node_moments(const AbutWindingNode* node)
{
    Moments m = { .area = node->area, .spread = node->spread };
    for (int i = 0; i < 3; ++i)
    {
        m.center[i] = node->center[i];
        m.normal[i] = node->normal[i];
    }
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
    const double* n = m->normal;
    double s[3];
    abut_array3_sub(m->center, sum->center, s);
    double along = abut_array3_dot(s, n);
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum->normal[i] += n[i];
        sum->second[i] += m->second[i] + along - 3.0 * s[i] * n[i];
        sum->second[3 + i] += m->second[3 + i] - 1.5 * (s[j] * n[k] + s[k] * n[j]);
    }
    // The centre was rounded to float, in units of the mesh: what that may add to ∫ |s|² dA is the last term.
    double squared = abut_array3_dot(s, s);
    sum->area += m->area;
    sum->spread += m->spread + m->area * (squared + 1e-6 * sqrt(squared));
}

/// The centre of area of some triangles, rounded to float: the moments are measured from where the node says
/// it is.
static Moments sum_moments(const Moments* blocks, uint32_t count)
{
    Moments sum = { 0 };
    double area = 0.0;
    for (uint32_t c = 0; c < count; ++c)
    {
        double weight = blocks[c].area > 0.0 ? blocks[c].area : 1e-300; // without area any centre will do
        area += weight;
        for (int i = 0; i < 3; ++i)
        {
            sum.center[i] += weight * blocks[c].center[i];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        sum.center[i] = (double)(float)(sum.center[i] / area);
    }
    for (uint32_t c = 0; c < count; ++c)
    {
        add_moments(&sum, &blocks[c]);
    }
    return sum;
}

/// The radius of a ball about a point that holds a box of the tree, in units of the mesh.
static double radius_about(const AbutWinding* self, const AbutBoxNode* box, const double center[3])
{
    double low[3], high[3], squared = 0.0;
    to_unit(self, box->min, low);
    to_unit(self, box->max, high);
    for (int i = 0; i < 3; ++i)
    {
        double far = abut_larger(center[i] - low[i], high[i] - center[i]);
        squared += far * far;
    }
    return sqrt(squared);
}

/// From where on two terms are good enough. The term of order k of the kernel (y − p)/|y − p|³ about the
/// centre, at the distance r, is at most (k + 1) |s|ᵏ/rᵏ⁺²: it is the gradient of a solid harmonic. With |s|ᵏ
/// ≤ |s|² ρᵏ⁻² the terms from k = 2 on are together at most spread/r⁴ · (3 − 2x)/(1 − x)², x = ρ/r, which is
/// to be at most ABUT_WINDING_ERROR · area/r². Solved for r from above: x is smaller there than at the end,
/// so that every step stays on the safe side.
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
    for (int k = 0; k < 3; ++k)
    {
        node->center[k] = (float)m->center[k];
        node->normal[k] = (float)m->normal[k];
        node->second[2 + k] = (float)m->second[3 + k];
    }
    node->second[0] = (float)m->second[0];
    node->second[1] = (float)m->second[1];
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
    const double low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
    double extent = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        self->origin[i] = 0.5 * (low[i] + high[i]);
        extent = abut_larger(extent, high[i] - low[i]);
    }
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

/// A query on its way through the tree.
typedef struct Query
{
    const AbutWinding* winding;
    double point[3];
    uint32_t skip;
    double number;
    AbutSolidAngles near; // triangles that wait to be summed
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
    uint32_t lane = query->near_count++;
    for (int k = 0; k < 3; ++k)
    {
        double corner[3];
        abut_array3_from_vec3(self->mesh->vertices[index[k]], corner);
        for (int i = 0; i < 3; ++i)
        {
            query->near.corners[k][i][lane] = (corner[i] - query->point[i]) * self->scale;
        }
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

AbutWindingValue abut_winding_at(const AbutWinding* self, const double point[3], double tightness,
                                 uint32_t skip)
{
    Query query = { .winding = self, .point = { point[0], point[1], point[2] }, .skip = skip };
    memset(&query.near, 0, sizeof(query.near));
    float at[3], opening = (float)(tightness * tightness);
    double error = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double coordinate = (point[i] - self->origin[i]) * self->scale;
        if (fabs(coordinate) > ABUT_WINDING_VANISHING)
        {
            return (AbutWindingValue){ 0.0, 0.0 };
        }
        at[i] = (float)coordinate;
    }
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

AbutWindingValue abut_winding_to(const AbutWinding* self, const double point[3], double error)
{
    double tightness = 1.0;
    AbutWindingValue value = abut_winding_at(self, point, tightness, ABUT_WINDING_NO_SKIP);
    while (value.error > error)
    {
        tightness *= sqrt(value.error / error) + 0.01;
        value = abut_winding_at(self, point, tightness, ABUT_WINDING_NO_SKIP);
    }
    return value;
}

double abut_winding_bound(const AbutWinding* self, const double center[3], double radius, double limit)
{
    double at[3], sum = 0.0, far_radius = radius * self->scale * (1.0 + 1e-6);
    for (int i = 0; i < 3; ++i)
    {
        at[i] = (center[i] - self->origin[i]) * self->scale;
    }
    for (uint32_t i = 0; i < self->tree->node_count && sum <= limit;)
    {
        const AbutWindingNode* node = &self->nodes[i];
        const double r[3] = { node->center[0] - at[0], node->center[1] - at[1], node->center[2] - at[2] };
        double gap = abut_array3_length(r) - far_radius - node->radius;
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
