#include "mesh/winding/winding_tile.h"

#include "base/assert.h"
#include "mesh/corners.h"
#include "mesh/winding/solid_angle.h"

enum
{
    POINTS = ABUT_WINDING_TILE_POINTS,
};

_Static_assert((int)POINTS == (int)ABUT_SOLID_ANGLE_LANES, "points are summed side by side");

/// Radii of the ball from which on a node is distant: where a linear function is good enough for the whole
/// ball.
static const double DISTANT = 8.0;

// -----------------------------------------------------------------------------------------------------------
// The ball
// -----------------------------------------------------------------------------------------------------------

/// Adds a distant node's value at the centre, `r` away, and its slope there: the two terms n·r/r³ + r·T·r/r⁵,
/// derived.
static void add_distant(AbutWindingTile* tile, const AbutWindingNode* node, AbutDVec3 r, double squared)
{
    const float *t = node->second, *n = node->normal;
    double inverse = 1.0 / squared, cube = inverse * sqrt(inverse);
    AbutDVec3 tr = abut_dvec3(t[0] * r.x + t[4] * r.y + t[3] * r.z, t[4] * r.x + t[1] * r.y + t[2] * r.z,
                              t[3] * r.x + t[2] * r.y - ((double)t[0] + t[1]) * r.z);
    AbutDVec3 normal = abut_dvec3(n[0], n[1], n[2]);
    double dipole = abut_dvec3_dot(normal, r);
    double second = abut_dvec3_dot(r, tr) * inverse;
    tile->value += (dipole + second) * cube;
    // The point moves against r.
    AbutDVec3 change = abut_dvec3_mul_sub(abut_dvec3_scale(tr, 2.0), 3.0 * dipole + 5.0 * second, r);
    change = abut_dvec3_scale(abut_dvec3_mul_add(normal, inverse, change), cube);
    tile->slope = abut_dvec3_sub(tile->slope, change);
}

typedef enum Kind
{
    KIND_DISTANT,
    KIND_FAR,
    KIND_NEAR,
} Kind;

static Kind kind_of(const AbutWindingTile* tile, const AbutWindingNode* node, double distance)
{
    if (distance - tile->radius <= tile->tightness * node->far_radius)
    {
        return KIND_NEAR;
    }
    bool distant = distance - node->radius > tile->tightness * DISTANT * tile->radius;
    return distant ? KIND_DISTANT : KIND_FAR;
}

/// Error of the two terms of a node, relative to its area over the squared distance.
static double term_error(const AbutWindingTile* tile)
{
    return ABUT_WINDING_ERROR / (tile->tightness * tile->tightness);
}

/// The expansion of the kernel in the point's distance t from the centre has the same terms as in the
/// source's distance from its own (see winding.c): the first that is left out and all after it are at most
/// t²/δ⁴ · (3 − 2x)/(1 − x)² with x = t/δ ≤ 1/8, δ the distance to the nearest part of the node. The two
/// terms of the node are off by their share, and their slope adds half of that at most.
static double distant_error(const AbutWindingTile* tile, const AbutWindingNode* node, double distance)
{
    double gap = distance - node->radius, ratio = tile->radius / gap;
    return node->area * (1.5 * term_error(tile) / (distance * distance) + 3.6 * ratio * ratio / (gap * gap));
}

/// Adds the node; returns the number of nodes to advance, 0 when a list is full.
static uint32_t take_node(AbutWindingTile* tile, uint32_t i, AbutDVec3 center)
{
    const AbutWindingNode* node = &tile->winding->nodes[i];
    AbutDVec3 r = abut_winding_node_offset(node, center);
    double squared = abut_dvec3_dot(r, r), distance = sqrt(squared), least = distance - tile->radius;
    Kind kind = kind_of(tile, node, distance);
    if (kind == KIND_NEAR && node->size > 1)
    {
        return 1;
    }
    if (tile->near_count == ABUT_WINDING_TILE_NODES || tile->far_count == ABUT_WINDING_TILE_NODES)
    {
        return 0;
    }
    if (kind == KIND_NEAR)
    {
        tile->near_leaves[tile->near_count++] = i;
    }
    else if (kind == KIND_FAR)
    {
        tile->far_nodes[tile->far_count++] = i;
        tile->error += term_error(tile) * node->area / (least * least);
    }
    else
    {
        add_distant(tile, node, r, squared);
        tile->error += distant_error(tile, node, distance);
    }
    return node->size;
}

/// False when a list is full.
static bool fill_tile(AbutWindingTile* tile)
{
    const AbutWinding* winding = tile->winding;
    AbutDVec3 at = abut_winding_to_unit(winding, tile->center);
    tile->value = tile->error = 0.0;
    tile->slope = abut_dvec3_zero();
    tile->far_count = tile->near_count = 0;
    for (uint32_t i = 0; i < winding->tree->node_count;)
    {
        uint32_t step = take_node(tile, i, at);
        if (step == 0)
        {
            return false;
        }
        i += step;
    }
    return true;
}

bool abut_winding_tile_begin(const AbutWinding* winding, AbutDVec3 center, double radius, double error,
                             AbutWindingTile* tile)
{
    ABUT_ASSERT(radius >= 0.0 && error > 0.0);
    tile->winding = winding;
    tile->radius = radius * winding->scale;
    tile->tightness = 1.0;
    tile->center = center;
    if (abut_winding_is_vanishing(winding, center))
    {
        return false;
    }
    bool complete = fill_tile(tile);
    while (complete && tile->error > error)
    {
        tile->tightness *= sqrt(tile->error / error) + 0.01;
        complete = fill_tile(tile);
    }
    return complete;
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

/// The two terms of a node for eight points, as in abut_winding_at().
static void add_far(const AbutWindingNode* restrict node, float at[3][POINTS], float* restrict sums)
{
    const float *t = node->second, *n = node->normal, *c = node->center;
    for (int k = 0; k < POINTS; ++k)
    {
        float x = c[0] - at[0][k], y = c[1] - at[1][k], z = c[2] - at[2][k];
        float inverse = 1.0f / (x * x + y * y + z * z), zz = z * z;
        float dipole = n[0] * x + n[1] * y + n[2] * z;
        float squares = t[0] * (x * x - zz) + t[1] * (y * y - zz);
        float products = t[2] * y * z + t[3] * z * x + t[4] * x * y;
        sums[k] += (dipole + (squares + 2.0f * products) * inverse) * inverse * sqrtf(inverse);
    }
}

static void add_triangle(const AbutWinding* winding, uint32_t triangle, double points[3][POINTS],
                         double numbers[POINTS])
{
    const uint32_t* index = winding->mesh->indices + 3 * (size_t)triangle;
    AbutSolidAngles angles;
    double sign = winding->flipped != NULL && winding->flipped[triangle] != 0 ? -1.0 : 1.0;
    for (int c = 0; c < 3; ++c)
    {
        AbutDVec3 corner = abut_mesh_dvertex(winding->mesh, index[c]);
        for (int i = 0; i < 3; ++i)
        {
            double coordinate = abut_dvec3_get(corner, i);
            for (int k = 0; k < POINTS; ++k)
            {
                angles.corners[c][i][k] = (coordinate - points[i][k]) * winding->scale;
            }
        }
    }
    for (int k = 0; k < POINTS; ++k)
    {
        angles.sign[k] = sign;
    }
    abut_solid_angles_add(&angles, numbers);
}

void abut_winding_tile_at(const AbutWindingTile* tile, double points[3][POINTS], double numbers[POINTS])
{
    ABUT_ASSERT(tile->far_count <= ABUT_WINDING_TILE_NODES && tile->near_count <= ABUT_WINDING_TILE_NODES);
    const AbutWinding* winding = tile->winding;
    const AbutBoxTree* tree = winding->tree;
    float at[3][POINTS], sums[POINTS];
    for (int k = 0; k < POINTS; ++k)
    {
        sums[k] = 0.0f;
        numbers[k] = tile->value;
        AbutDVec3 point = abut_dvec3(points[0][k], points[1][k], points[2][k]);
        AbutDVec3 unit = abut_winding_to_unit(winding, point), offset = abut_dvec3_sub(point, tile->center);
        at[0][k] = (float)unit.x;
        at[1][k] = (float)unit.y;
        at[2][k] = (float)unit.z;
        numbers[k] += tile->slope.x * offset.x * winding->scale;
        numbers[k] += tile->slope.y * offset.y * winding->scale;
        numbers[k] += tile->slope.z * offset.z * winding->scale;
    }
    for (uint32_t i = 0; i < tile->far_count; ++i)
    {
        add_far(&winding->nodes[tile->far_nodes[i]], at, sums);
    }
    for (int k = 0; k < POINTS; ++k)
    {
        numbers[k] += (double)sums[k];
    }
    for (uint32_t i = 0; i < tile->near_count; ++i)
    {
        const AbutBoxNode* leaf = &tree->nodes[tile->near_leaves[i]];
        for (uint32_t slot = leaf[0].first; slot < leaf[1].first; ++slot)
        {
            add_triangle(winding, tree->items[slot], points, numbers);
        }
    }
}
