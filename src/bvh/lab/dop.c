// k-DOPs: extents along k directions with coordinates −1, 0 and 1. The box is the one of six.
//
// A k-DOP in another frame would have other directions. Its extent along a direction of the first is bounded
// by those along three of its own whose cone contains the direction (Klosowski et al. solve this as a linear
// program over the corners of the k-DOP; here the cones are fixed, and found by comparisons).
#include "bvh/lab/volume.h"

#include "base/assert.h"

#include <float.h>
#include <math.h>

/// Faces, edges, corners of a cube; of each pair of opposite ones the first.
static const int8_t directions[ABUT_DOP_MAX_HALF][3] = {
    { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 },  { 1, -1, 0 }, { 1, 0, 1 },   { 1, 0, -1 },
    { 0, 1, 1 }, { 0, 1, -1 }, { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, 1 }, { 1, -1, -1 },
};

enum
{
    FACE_COUNT = 3,
    EDGE_COUNT = 6,
    BOX_HALF = 3,
    DOP_14_HALF = 7,
    DOP_18_HALF = 9,
    DOP_26_HALF = 13,
};

/// The k-DOP of 14 has faces and corners, that of 18 faces and edges.
static const int8_t* direction_of(uint32_t half, uint32_t i)
{
    return directions[half == DOP_14_HALF && i >= FACE_COUNT ? i + EDGE_COUNT : i];
}

static AbutDVec3 direction_vector(uint32_t half, uint32_t i)
{
    const int8_t* d = direction_of(half, i);
    return abut_dvec3(d[0], d[1], d[2]);
}

// -----------------------------------------------------------------------------------------------------------
// Extents
// -----------------------------------------------------------------------------------------------------------

/// Extents along the directions, then along the opposite ones.
static void add_point(uint32_t half, double* dop, AbutDVec3 p)
{
    for (uint32_t i = 0; i < half; ++i)
    {
        double along = abut_dvec3_dot(direction_vector(half, i), p);
        dop[i] = abut_larger(dop[i], along);
        dop[half + i] = abut_larger(dop[half + i], -along);
    }
}

static void fit(uint32_t half, const AbutBvhItem* items, uint32_t count, double* out)
{
    for (uint32_t i = 0; i < 2 * half; ++i)
    {
        out[i] = -DBL_MAX;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            add_point(half, out, abut_dvec3_from_vec3(items[i].corners[corner]));
        }
    }
}

static void merge(uint32_t half, const double* children, uint32_t count, double* out)
{
    for (uint32_t i = 0; i < 2 * half; ++i)
    {
        double largest = children[i];
        for (uint32_t k = 1; k < count; ++k)
        {
            largest = abut_larger(largest, children[(size_t)k * 2 * half + i]);
        }
        out[i] = largest;
    }
}

static double area(uint32_t half, const double* dop)
{
    double x = dop[0] + dop[half], y = dop[1] + dop[half + 1], z = dop[2] + dop[half + 2];
    return x * y + y * z + z * x;
}

// -----------------------------------------------------------------------------------------------------------
// Directions in another frame
// -----------------------------------------------------------------------------------------------------------

/// Three directions of the octant x ≥ y ≥ z ≥ 0 with weights; those of 18 in two cones.
typedef struct Cone
{
    int8_t directions[3][3];
    double weights[3];
} Cone;

static Cone sorted_cone(uint32_t half, double x, double y, double z)
{
    switch (half)
    {
    case BOX_HALF:
        return (Cone){ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { x, y, z } };
    case DOP_14_HALF:
        return (Cone){ { { 1, 0, 0 }, { 1, 1, 1 }, { 1, 1, -1 } }, { x - y, 0.5 * (y + z), 0.5 * (y - z) } };
    case DOP_18_HALF:
        if (x >= y + z)
        {
            return (Cone){ { { 1, 0, 0 }, { 1, 1, 0 }, { 1, 0, 1 } }, { x - y - z, y, z } };
        }
        return (Cone){ { { 1, 1, 0 }, { 1, 0, 1 }, { 0, 1, 1 } },
                       { 0.5 * (x + y - z), 0.5 * (x + z - y), 0.5 * (y + z - x) } };
    default:
        return (Cone){ { { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 } }, { x - y, y - z, z } };
    }
}

/// Number of a direction among the extents.
static uint32_t index_of(uint32_t half, const int8_t d[3])
{
    for (uint32_t i = 0; i < half; ++i)
    {
        const int8_t* e = direction_of(half, i);
        if (d[0] == e[0] && d[1] == e[1] && d[2] == e[2])
        {
            return i;
        }
        if (d[0] == -e[0] && d[1] == -e[1] && d[2] == -e[2])
        {
            return half + i;
        }
    }
    ABUT_ASSERT(false);
    return 0;
}

static AbutDopCone cone_of(uint32_t half, AbutDVec3 v)
{
    double coordinates[3] = { v.x, v.y, v.z };
    int order[3] = { 0, 1, 2 }; // of magnitudes, largest first
    for (int pass = 0; pass < 3; ++pass)
    {
        int i = pass == 1 ? 1 : 0;
        if (fabs(coordinates[order[i + 1]]) > fabs(coordinates[order[i]]))
        {
            int swap = order[i];
            order[i] = order[i + 1];
            order[i + 1] = swap;
        }
    }
    Cone cone = sorted_cone(half, fabs(coordinates[order[0]]), fabs(coordinates[order[1]]),
                            fabs(coordinates[order[2]]));
    AbutDopCone out;
    for (int i = 0; i < 3; ++i)
    {
        int8_t d[3];
        for (int k = 0; k < 3; ++k)
        {
            int8_t c = cone.directions[i][k];
            d[order[k]] = (int8_t)(coordinates[order[k]] < 0.0 ? -c : c);
        }
        out.index[i] = index_of(half, d);
        out.opposite[i] = out.index[i] < half ? out.index[i] + half : out.index[i] - half;
        out.weight[i] = cone.weights[i];
    }
    return out;
}

static void prepare(uint32_t half, AbutBvhFrame* frame)
{
    const AbutTransform* t = &frame->transform;
    AbutDVec3 origin = abut_transform_inverse_point(t, abut_dvec3_zero()); // of A in B
    for (uint32_t i = 0; i < half; ++i)
    {
        AbutDVec3 d = direction_vector(half, i);
        AbutDVec3 in_b = abut_dvec3_scale(abut_transform_inverse_rotate(t, d), t->scale);
        AbutDVec3 in_a = abut_dvec3_div(abut_transform_rotate(t, d), t->scale);
        frame->b_in_a.cones[i] = cone_of(half, in_b);
        frame->b_in_a.offset[i] = abut_dvec3_dot(d, t->translation);
        frame->a_in_b.cones[i] = cone_of(half, in_a);
        frame->a_in_b.offset[i] = abut_dvec3_dot(d, origin);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Tests
// -----------------------------------------------------------------------------------------------------------

/// Least overlap along the directions of the first; ends under `enough`.
static double overlap_along(uint32_t half, const AbutDopView* view, const double* first, const double* other,
                            double enough)
{
    double depth = DBL_MAX;
    for (uint32_t i = 0; i < half && depth >= enough; ++i)
    {
        const AbutDopCone* c = &view->cones[i];
        double up = c->weight[0] * other[c->index[0]] + c->weight[1] * other[c->index[1]] +
                    c->weight[2] * other[c->index[2]];
        double down = c->weight[0] * other[c->opposite[0]] + c->weight[1] * other[c->opposite[1]] +
                      c->weight[2] * other[c->opposite[2]];
        depth = abut_smaller(depth, first[i] + down - view->offset[i]);
        depth = abut_smaller(depth, first[half + i] + up + view->offset[i]);
    }
    return depth;
}

static double overlap(uint32_t half, const AbutBvhFrame* frame, const double* a, const double* b)
{
    double depth = overlap_along(half, &frame->b_in_a, a, b, -frame->slack);
    if (depth < -frame->slack)
    {
        return depth;
    }
    double scale = frame->transform.scale;
    return abut_smaller(depth, scale * overlap_along(half, &frame->a_in_b, b, a, -frame->slack / scale));
}

static bool is_apart(uint32_t half, const double* dop, const AbutDTriangle* triangle, double slack)
{
    for (uint32_t i = 0; i < half; ++i)
    {
        AbutDVec3 d = direction_vector(half, i);
        double x = abut_dvec3_dot(d, triangle->corners[0]), y = abut_dvec3_dot(d, triangle->corners[1]),
               z = abut_dvec3_dot(d, triangle->corners[2]);
        double low = abut_smaller(x, abut_smaller(y, z)), high = abut_larger(x, abut_larger(y, z));
        if (low - dop[i] > slack || -dop[half + i] - high > slack)
        {
            return true;
        }
    }
    return false;
}

#define DOP(text, pairs)                                                                                     \
    {                                                                                                        \
        .name = text, .size = 2 * (pairs), .half = (pairs), .fit = fit, .merge = merge, .prepare = prepare,  \
        .overlap = overlap, .is_apart = is_apart, .area = area                                               \
    }

const AbutVolumeTable abut_bvh_box = DOP("box", BOX_HALF);
const AbutVolumeTable abut_bvh_dop_14 = DOP("14-DOP", DOP_14_HALF);
const AbutVolumeTable abut_bvh_dop_18 = DOP("18-DOP", DOP_18_HALF);
const AbutVolumeTable abut_bvh_dop_26 = DOP("26-DOP", DOP_26_HALF);
