// The proof that no point of the surface is too far from a sample, triangle by triangle. A triangle whose
// three corners are near one sample is near it all over, since a ball is convex. Others are cut at their
// longest side, until they are covered or so small that they get a sample of their own.
#include "points/cover.h"

#include "mesh/corners.h"
#include "points/relaxation.h"

enum
{
    HOLE_STEPS = 4,
    MAX_CUTS = 128 // deeper than any triangle: sides halve with every second or third cut
};

/// Longest side of a triangle that gets a sample, in spacings: the distance of the sample from the border of
/// the hole.
static const double SMALLEST = 0.1;

typedef struct Subtriangle
{
    AbutDVec3 corners[3];
} Subtriangle;

typedef struct Cover
{
    const Subtriangle* subtriangle;
    double squared; // of the spacing
} Cover;

static double squared_distance(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3_squared_length(abut_dvec3_sub(a, b));
}

static bool is_covering(void* context, const AbutSurfaceSample* sample)
{
    const Cover* cover = context;
    AbutDVec3 at = abut_dvec3_from_vec3(sample->at);
    return squared_distance(cover->subtriangle->corners[0], at) <= cover->squared &&
           squared_distance(cover->subtriangle->corners[1], at) <= cover->squared &&
           squared_distance(cover->subtriangle->corners[2], at) <= cover->squared;
}

/// Square of the longest side, which runs from corner *k to the next.
static double longest_side(const Subtriangle* subtriangle, int* k)
{
    double longest = -1.0;
    for (int i = 0; i < 3; ++i)
    {
        double squared = squared_distance(subtriangle->corners[i], subtriangle->corners[(i + 1) % 3]);
        if (squared > longest)
        {
            longest = squared;
            *k = i;
        }
    }
    return longest;
}

static void cut(const Subtriangle* subtriangle, int k, Subtriangle halves[2])
{
    halves[0] = *subtriangle;
    halves[1] = *subtriangle;
    AbutDVec3 sum = abut_dvec3_add(subtriangle->corners[k], subtriangle->corners[(k + 1) % 3]);
    halves[0].corners[(k + 1) % 3] = halves[1].corners[k] = abut_dvec3_scale(sum, 0.5);
}

/// A triangle that is not covered is at the border of a hole. Its sample moves into the hole as far as it
/// still covers the triangle.
static AbutSurfaceSample sample_in_hole(const AbutSampler* sampler, const Subtriangle* subtriangle,
                                        AbutDVec3 at, uint32_t triangle, double squared)
{
    AbutSurfaceSample sample = { .at = abut_dvec3_to_vec3(at),
                                 .normal = sampler->normals[triangle],
                                 .triangle = triangle };
    Cover cover = { subtriangle, squared };
    for (int i = 0; i < HOLE_STEPS; ++i)
    {
        AbutSurfaceSample next = abut_sampler_repel(sampler, &sample);
        if (!is_covering(&cover, &next))
        {
            break;
        }
        sample = next;
    }
    return sample;
}

static AbutResult cover_triangle(AbutSampler* sampler, uint32_t triangle)
{
    // A little less, for the rounding of distances here and of positions.
    const double radius = sampler->spacing * (1.0 - 1e-6), squared = radius * radius;
    Subtriangle stack[MAX_CUTS];
    uint32_t count = 1;
    AbutResult result = ABUT_OK;
    abut_mesh_corners(sampler->mesh, triangle, stack[0].corners);
    while (count > 0 && result == ABUT_OK)
    {
        Subtriangle subtriangle = stack[--count];
        Cover cover = { &subtriangle, squared };
        AbutDVec3 at = abut_corners_middle(subtriangle.corners);
        int k = 0;
        double longest = longest_side(&subtriangle, &k);
        if (longest <= 4.0 * squared && abut_sampler_visit(sampler, at, is_covering, &cover))
        {
            continue;
        }
        if (longest > SMALLEST * SMALLEST * squared && count + 2 <= MAX_CUTS)
        {
            cut(&subtriangle, k, &stack[count]);
            count += 2;
            continue;
        }
        AbutSurfaceSample sample = sample_in_hole(sampler, &subtriangle, at, triangle, squared);
        result = abut_sampler_add(sampler, sample.at, sample.triangle);
    }
    return result;
}

AbutResult abut_sampler_cover(AbutSampler* sampler)
{
    AbutResult result = abut_sampler_fill_grid(sampler, ABUT_SAMPLE_REPULSION_RADIUS * sampler->spacing);
    for (uint32_t i = 0; i < sampler->mesh->triangle_count && result == ABUT_OK; ++i)
    {
        result = cover_triangle(sampler, i);
    }
    return result;
}
