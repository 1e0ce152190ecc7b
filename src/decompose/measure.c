// Error that convex pieces leave: volumes by samples, distance of their surface by branch and bound.
#include "base/fp_env.h"
#include "base/memory.h"
#include "decompose/decomposition.h"
#include "decompose/piece_hull.h"
#include "hull/hull.h"

enum
{
    MAX_SAMPLES = 10000000,
    /// Samples of the distance at most, over all pieces; the bound is larger after that.
    MAX_DISTANCES = 100000,
    STACK_CAPACITY = 128
};

/// Of the branch and bound, in diagonals of the bounds: passes from the first to the last, each four times
/// finer, until the samples are used up. The bound is that of the last complete pass.
static const double FIRST_TOLERANCE = 6.4e-2;
static const double LAST_TOLERANCE = 1e-3;

typedef struct Measuring
{
    const AbutDecomposition* source;
    const uint32_t* nodes;
    uint32_t node_count;
    double tolerance; // of the pass
    double bound;     // of the pass
    uint32_t distances_left;
    AbutDecompositionError* out;
} Measuring;

// -----------------------------------------------------------------------------------------------------------
// Distance: over a triangle of a face, two bounds. That of the middle plus the farthest corner, since the
// slope is 1; and the largest distance of a corner from the triangle of the mesh that is closest to the
// middle, since the distance from a convex set is a convex function. The second one is 0 where a face lies on
// the mesh.
// -----------------------------------------------------------------------------------------------------------

typedef struct FaceTriangle
{
    AbutDVec3 corners[3];
} FaceTriangle;

static double radius_of(const FaceTriangle* triangle, AbutDVec3 middle)
{
    double radius = 0.0;
    for (int corner = 0; corner < 3; ++corner)
    {
        radius = abut_larger(abut_dvec3_distance(middle, triangle->corners[corner]), radius);
    }
    return radius;
}

static double bound_of(const AbutSolid* solid, const FaceTriangle* triangle, double slope_bound,
                       uint32_t closest)
{
    double largest = 0.0;
    for (int i = 0; i < 3 && largest < slope_bound; ++i)
    {
        double distance = abut_solid_triangle_distance(solid, closest, triangle->corners[i]);
        largest = abut_larger(distance, largest);
    }
    return abut_smaller(largest, slope_bound);
}

/// Halves at the middle of the longest edge.
static void halve(const FaceTriangle* triangle, FaceTriangle halves[2])
{
    int longest = 0;
    double squared = -1.0;
    for (int i = 0; i < 3; ++i)
    {
        AbutDVec3 edge = abut_dvec3_sub(triangle->corners[(i + 1) % 3], triangle->corners[i]);
        if (abut_dvec3_squared_length(edge) > squared)
        {
            squared = abut_dvec3_squared_length(edge);
            longest = i;
        }
    }
    AbutDVec3 a = triangle->corners[longest], b = triangle->corners[(longest + 1) % 3];
    AbutDVec3 c = triangle->corners[(longest + 2) % 3], middle = abut_dvec3_lerp(a, b, 0.5);
    halves[0] = (FaceTriangle){ { a, middle, c } };
    halves[1] = (FaceTriangle){ { middle, b, c } };
}

/// False when the samples are used up.
static bool measure_triangle(Measuring* measuring, const FaceTriangle* triangle)
{
    AbutDecompositionError* out = measuring->out;
    FaceTriangle stack[STACK_CAPACITY] = { *triangle };
    for (uint32_t count = 1; count > 0;)
    {
        FaceTriangle top = stack[--count];
        AbutDVec3 sum = abut_dvec3_add(abut_dvec3_add(top.corners[0], top.corners[1]), top.corners[2]);
        AbutDVec3 middle = abut_dvec3_div(sum, 3.0);
        uint32_t closest;
        double distance = abut_solid_closest(&measuring->source->solid, middle, &closest);
        double bound = bound_of(&measuring->source->solid, &top, distance + radius_of(&top, middle), closest);
        out->distance = abut_larger(distance, out->distance);
        if (bound <= abut_larger(out->distance + measuring->tolerance, measuring->bound))
        {
            measuring->bound = abut_larger(bound, measuring->bound);
            continue;
        }
        if (measuring->distances_left == 0 || count + 2 > STACK_CAPACITY)
        {
            return false;
        }
        measuring->distances_left -= 1;
        halve(&top, stack + count);
        count += 2;
    }
    return true;
}

static bool measure_hull(Measuring* measuring, const AbutHull* hull)
{
    for (uint32_t face = 0; face < hull->face_count; ++face)
    {
        const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
        for (uint32_t k = 1; k + 1 < polygon->count; ++k)
        {
            FaceTriangle triangle = { {
                abut_hull_position(hull, abut_hull_tail(hull, polygon->first)),
                abut_hull_position(hull, abut_hull_tail(hull, polygon->first + k)),
                abut_hull_position(hull, abut_hull_tail(hull, polygon->first + k + 1)),
            } };
            if (!measure_triangle(measuring, &triangle))
            {
                return false;
            }
        }
    }
    return true;
}

/// Before the first pass the bound is the diagonal: pieces are in the bounds of the mesh.
static void measure_distance(Measuring* measuring)
{
    double diagonal = measuring->source->solid.diagonal;
    measuring->out->distance_bound = diagonal;
    for (double tolerance = FIRST_TOLERANCE; tolerance >= LAST_TOLERANCE; tolerance *= 0.25)
    {
        measuring->tolerance = tolerance * diagonal;
        measuring->bound = 0.0;
        for (uint32_t i = 0; i < measuring->node_count; ++i)
        {
            if (!measure_hull(measuring, measuring->source->nodes[measuring->nodes[i]].hull))
            {
                return;
            }
        }
        measuring->out->distance_bound = abut_smaller(measuring->bound, measuring->out->distance_bound);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Volumes: points of a low-discrepancy sequence in the bounds of the mesh, which has all pieces
// -----------------------------------------------------------------------------------------------------------

static double fraction_of(double x)
{
    return x - floor(x);
}

/// Point i of the sequence of M. Roberts in three dimensions: multiples of the powers of a root of x⁴ = x +
/// 1.
static AbutDVec3 sample_point(AbutBox box, uint32_t i)
{
    double root = 1.2207440846057594754, n = i + 0.5;
    AbutDVec3 low = abut_dvec3_from_vec3(box.min);
    AbutDVec3 size = abut_dvec3_sub(abut_dvec3_from_vec3(box.max), low);
    AbutDVec3 unit = abut_dvec3(fraction_of(n / root), fraction_of(n / (root * root)),
                                fraction_of(n / (root * root * root)));
    return abut_dvec3_add(low, abut_dvec3_mul(size, unit));
}

static bool is_in_box(AbutBox box, AbutDVec3 point)
{
    return point.x >= box.min.x && point.x <= box.max.x && point.y >= box.min.y && point.y <= box.max.y &&
           point.z >= box.min.z && point.z <= box.max.z;
}

static bool is_in_piece(const Measuring* measuring, AbutDVec3 point)
{
    for (uint32_t i = 0; i < measuring->node_count; ++i)
    {
        const AbutHull* hull = measuring->source->nodes[measuring->nodes[i]].hull;
        if (hull->dimension == 3 && is_in_box(hull->bounds, point) &&
            abut_piece_hull_height(hull, point) <= 0.0)
        {
            return true;
        }
    }
    return false;
}

static void measure_volumes(Measuring* measuring, uint32_t sample_count)
{
    AbutDecompositionError* out = measuring->out;
    AbutBox box = measuring->source->mesh->bounds;
    AbutDVec3 size = abut_dvec3_sub(abut_dvec3_from_vec3(box.max), abut_dvec3_from_vec3(box.min));
    uint32_t outside = 0, uncovered = 0;
    for (uint32_t i = 0; i < sample_count; ++i)
    {
        AbutDVec3 point = sample_point(box, i);
        bool is_in_solid = abut_solid_distance(&measuring->source->solid, point) < 0.0;
        bool is_covered = is_in_piece(measuring, point);
        outside += is_covered && !is_in_solid;
        uncovered += is_in_solid && !is_covered;
    }
    out->volume_step = size.x * size.y * size.z / sample_count;
    out->outside_volume = outside * out->volume_step;
    out->uncovered_volume = uncovered * out->volume_step;
    for (uint32_t i = 0; i < measuring->node_count; ++i)
    {
        out->pieces_volume += abut_piece_hull_volume(measuring->source->nodes[measuring->nodes[i]].hull);
    }
}

AbutResult abut_decomposition_measure(const AbutDecomposition* decomposition, const uint32_t* nodes,
                                      uint32_t node_count, uint32_t sample_count, AbutDecompositionError* out)
{
    ABUT_FP_CALL(abut_decomposition_measure, decomposition, nodes, node_count, sample_count, out);
    if (node_count == 0 || sample_count == 0 || sample_count > MAX_SAMPLES)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "decompose: measure needs nodes, and 1 to %u samples (not %u)",
                         (unsigned)MAX_SAMPLES, sample_count);
    }
    for (uint32_t i = 0; i < node_count; ++i)
    {
        if (nodes[i] >= decomposition->node_count)
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "decompose: node %u of %u", nodes[i],
                             decomposition->node_count);
        }
    }
    AbutDecompositionError error = { .solid_volume = decomposition->solid.volume };
    Measuring measuring = { .source = decomposition,
                            .nodes = nodes,
                            .node_count = node_count,
                            .distances_left = MAX_DISTANCES,
                            .out = &error };
    measure_distance(&measuring);
    error.distance_bound = abut_larger(error.distance, error.distance_bound);
    measure_volumes(&measuring, sample_count);
    *out = error;
    return ABUT_OK;
}
