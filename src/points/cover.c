// The proof that no place is too far from a sample, triangle by triangle. A triangle whose three corners are near one sample is near it
// all over, since a ball is convex. Others are cut at their longest side, until they are covered or so small that they get a sample of
// their own.
#include "points/sampler.h"

#include "mesh/corners.h"

#include <string.h>

enum
{
    HOLE_STEPS = 4,
    MOST_CUTS = 128 // deeper than any triangle goes: sides halve with every second or third cut
};

/// Longest side of a triangle that gets a sample, in spacings: the sample is that near to the hole's border.
static const double SMALLEST = 0.1;

typedef struct Part
{
    double corners[3][3];
} Part;

typedef struct Cover
{
    const Part* part;
    double squared; // of the spacing
} Cover;

static double squared_between(const double a[3], const double b[3])
{
    double d[3];
    abut_subtract(a, b, d);
    return abut_dot(d, d);
}

static bool is_covering(void* context, const AbutSample3* sample)
{
    const Cover* cover = context;
    double at[3];
    abut_load_vertex(sample->at, at);
    return squared_between(cover->part->corners[0], at) <= cover->squared &&
           squared_between(cover->part->corners[1], at) <= cover->squared &&
           squared_between(cover->part->corners[2], at) <= cover->squared;
}

/// Square of the longest side, which runs from corner *k to the next.
static double longest_side(const Part* part, int* k)
{
    double longest = -1.0;
    for (int i = 0; i < 3; ++i)
    {
        double squared = squared_between(part->corners[i], part->corners[(i + 1) % 3]);
        if (squared > longest)
        {
            longest = squared;
            *k = i;
        }
    }
    return longest;
}

static void cut(const Part* part, int k, Part halves[2])
{
    halves[0] = *part;
    halves[1] = *part;
    for (int axis = 0; axis < 3; ++axis)
    {
        double middle = 0.5 * (part->corners[k][axis] + part->corners[(k + 1) % 3][axis]);
        halves[0].corners[(k + 1) % 3][axis] = middle;
        halves[1].corners[k][axis] = middle;
    }
}

static void middle_of(const Part* part, double at[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        at[axis] = (part->corners[0][axis] + part->corners[1][axis] + part->corners[2][axis]) / 3.0;
    }
}

/// A part that is not covered is at the edge of a hole. Its sample goes further in as long as it covers the part.
static AbutSample3 place_in_hole(const AbutSampler* sampler, const Part* part, const double at[3],
                                 uint32_t triangle, double squared)
{
    AbutSample3 sample = { .at = abut_vec3((float)at[0], (float)at[1], (float)at[2]),
                           .normal = sampler->normals[triangle],
                           .triangle = triangle };
    Cover cover = { part, squared };
    for (int i = 0; i < HOLE_STEPS; ++i)
    {
        AbutSample3 next = abut_sampler_pushed(sampler, &sample);
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
    // A hair less, for what rounding does to distances here and in places.
    const double reach = sampler->spacing * (1.0 - 1e-6), squared = reach * reach;
    Part stack[MOST_CUTS];
    uint32_t count = 1;
    AbutResult result = ABUT_OK;
    abut_load_triangle(sampler->mesh, triangle, stack[0].corners);
    while (count > 0 && result == ABUT_OK)
    {
        Part part = stack[--count];
        Cover cover = { &part, squared };
        double at[3];
        int k = 0;
        double longest = longest_side(&part, &k);
        middle_of(&part, at);
        if (longest <= 4.0 * squared && abut_sampler_visit(sampler, at, is_covering, &cover))
        {
            continue;
        }
        if (longest > SMALLEST * SMALLEST * squared && count + 2 <= MOST_CUTS)
        {
            cut(&part, k, &stack[count]);
            count += 2;
            continue;
        }
        AbutSample3 sample = place_in_hole(sampler, &part, at, triangle, squared);
        result = abut_sampler_add(sampler, sample.at, sample.triangle);
    }
    return result;
}

AbutResult abut_sampler_cover(AbutSampler* sampler)
{
    AbutResult result = abut_sampler_file(sampler, ABUT_SAMPLE_PUSH_REACH * sampler->spacing);
    for (uint32_t i = 0; i < sampler->mesh->triangle_count && result == ABUT_OK; ++i)
    {
        result = cover_triangle(sampler, i);
    }
    return result;
}
