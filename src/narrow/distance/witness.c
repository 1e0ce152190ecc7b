#include "narrow/distance/witness.h"

#include "base/assert.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <string.h>

enum
{
    INSIDE_TRIES = 3,
    PROJECTION_STEPS = 6
};

/// Distance from the surface of the points whose feet are used, in cells of a field.
static const double FOOT_CELLS = 6.0;

/// The same for proofs.
static const double PROOF_CELLS[2] = { 2.5, 6.0 };

/// At separations under this, in cells, points of the surface prove more than nodes between the two.
static const double CLOSE_CELLS = 8.0;

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance_of(const double a[3], const double b[3])
{
    const double offset[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
    return length_of(offset);
}

static double sample(AbutPair* pair, int number, const double at[3], double gradient[3])
{
    const AbutPairSide* side = &pair->sides[number];
    float x = (float)at[0], y = (float)at[1], z = (float)at[2], distance, g[3];
    abut_pair_side_sample(side, (AbutPoints){ &x, &y, &z }, 1,
                          (AbutSamples){ &distance, &g[0], &g[1], &g[2] });
    pair->evaluations += 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        gradient[axis] = (double)g[axis];
    }
    return (double)distance;
}

// -----------------------------------------------------------------------------------------------------------
// Approach
// -----------------------------------------------------------------------------------------------------------

/// Distance from a point in a direction to the border of the grid of a field.
static double offset_in_grid(const AbutPairSide* side, const double from[3], const double direction[3])
{
    const AbutFieldHeader* h = abut_field_of(side->shape)->block;
    double grid[3], to[3], most = INFINITY;
    const double there[3] = { from[0] + direction[0], from[1] + direction[1], from[2] + direction[2] };
    abut_pair_to_grid(side, from, grid);
    abut_pair_to_grid(side, there, to);
    for (int axis = 0; axis < 3; ++axis)
    {
        double step = to[axis] - grid[axis];
        double end = step > 0.0 ? h->brick_count[axis] * (double)ABUT_BRICK_CELLS : 0.0;
        most = step != 0.0 ? fmin(most, fmax(0.0, (end - grid[axis]) / step)) : most;
    }
    return most;
}

/// The point between the two that is sampled for a side: half way, or nearer to where a field is sharper.
static double point_on_line(const AbutPair* pair, int number, const AbutWitness* w, double cells,
                            double out[3])
{
    const AbutPairSide* side = &pair->sides[number];
    const double *from = w->at[number], *to = w->at[1 - number];
    double length = distance_of(from, to), direction[3], by = 0.5 * length;
    for (int axis = 0; axis < 3; ++axis)
    {
        direction[axis] = length > 0.0 ? (to[axis] - from[axis]) / length : 0.0;
    }
    if (side->is_field)
    {
        by = fmin(by, cells * (double)side->cell_size);
        by = fmin(by, 0.9999 * offset_in_grid(side, from, direction));
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = from[axis] + by * direction[axis];
    }
    return by;
}

/// Moves both to the feet of points between them. Returns an upper bound of the distance of the surfaces, by
/// samples.
static double step_closer(AbutPair* pair, AbutWitness* w)
{
    double sample_point[2][3], g[3], sum = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        point_on_line(pair, side, w, FOOT_CELLS, sample_point[side]);
    }
    for (int side = 0; side < 2; ++side)
    {
        double distance = sample(pair, side, sample_point[side], g), length = length_of(g);
        sum += fmax(0.0, distance);
        for (int axis = 0; axis < 3; ++axis)
        {
            double offset = length > 0.0 ? distance * g[axis] / length : 0.0;
            w->at[side][axis] = sample_point[side][axis] - offset;
        }
    }
    return sum + distance_of(sample_point[0], sample_point[1]);
}

void abut_witness_approach(AbutPair* pair, AbutWitness* witness, int iterations, double gain)
{
    ABUT_ASSERT(iterations > 0);
    AbutWitness next = *witness;
    witness->distance = INFINITY;
    for (int i = 0; i < iterations; ++i)
    {
        double distance = step_closer(pair, &next);
        if (!(distance < witness->distance))
        {
            return;
        }
        double gained = witness->distance - distance;
        *witness = next;
        witness->distance = distance;
        if (gained < gain)
        {
            return;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Proof
// -----------------------------------------------------------------------------------------------------------

/// A point of the solid within `radius` of a position, so that the solid is within `far` of the point of
/// view.
typedef struct Anchor
{
    double at[3], radius, far;
} Anchor;

static void try_anchor(Anchor* best, const double at[3], double radius, const double from[3])
{
    double far = distance_of(at, from) + radius;
    if (far < best->far)
    {
        memcpy(best->at, at, sizeof(best->at));
        best->radius = radius;
        best->far = far;
    }
}

/// Where nodes are distances, and not only lower bounds, the solid is as near to each as its value.
static void try_nodes(const AbutPairSide* side, const double from_point[3], const double from[3],
                      Anchor* best)
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    double grid[3];
    uint32_t cell[3];
    abut_pair_to_grid(side, from_point, grid);
    for (int axis = 0; axis < 3; ++axis)
    {
        double most = h->brick_count[axis] * (double)ABUT_BRICK_CELLS - 1.0;
        cell[axis] = (uint32_t)(grid[axis] > 0.0 ? (grid[axis] < most ? grid[axis] : most) : 0.0);
    }
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        const uint32_t node[3] = { cell[0] + (corner & 1u), cell[1] + (corner >> 1 & 1u),
                                   cell[2] + (corner >> 2) };
        double value = (double)abut_field_value_at(h, node), offset[3], rotated[3], at[3];
        value = side->uncertain ? fabs(value) : value; // only the sign is uncertain
        double radius = value + abut_field_value_error(h, fabs(value), h->cell_size);
        for (int axis = 0; axis < 3; ++axis)
        {
            offset[axis] = node[axis] - grid[axis];
        }
        abut_dvec3_to_array(abut_transform_rotate(&side->frame, abut_dvec3_from_array(offset)), rotated);
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis] = from_point[axis] + rotated[axis] * (double)side->cell_size;
        }
        if (!isnan(value))
        {
            try_anchor(best, at, fmax(0.0, radius) * (double)side->cell_size + (double)side->rounding, from);
        }
    }
}

/// Upper bound of the distance at a point, which for fields is sharp.
static double high_at(AbutPair* pair, int number, const double at[3], double gradient[3])
{
    const AbutPairSide* side = &pair->sides[number];
    double distance = sample(pair, number, at, gradient);
    if (!side->is_field)
    {
        return distance + (double)side->error;
    }
    AbutVec3 point =
        abut_dvec3_to_vec3(abut_transform_inverse_point(&side->frame, abut_dvec3_from_array(at)));
    return (double)abut_field_point_bounds(side->shape, point).high * side->frame.scale +
           (double)side->rounding;
}

/// Searches a point of the solid from one near it.
static void try_inside(AbutPair* pair, int number, const double start[3], bool exact, const double from[3],
                       Anchor* best)
{
    double at[3] = { start[0], start[1], start[2] }, gradient[3];
    for (int i = 0; i < INSIDE_TRIES; ++i)
    {
        double high = high_at(pair, number, at, gradient), length = length_of(gradient);
        if (high <= 0.0 || exact)
        {
            try_anchor(best, at, fmax(0.0, high), from);
            return;
        }
        for (int axis = 0; axis < 3 && length > 0.0; ++axis)
        {
            at[axis] -= 1.05 * high * gradient[axis] / length;
        }
    }
}

/// True when distances outside of a solid are no lower than the true ones.
static bool is_exact(const AbutPairSide* side)
{
    if (side->is_field)
    {
        return ((const AbutFieldHeader*)abut_field_of(side->shape)->block)->exact != 0;
    }
    AbutShapeInfo info = abut_shape_info(side->shape);
    return isinf(info.band) && info.distance_kind != ABUT_DISTANCE_BOUND &&
           info.distance_kind != ABUT_DISTANCE_EXACT_INSIDE;
}

/// The anchor of a side closest to a point.
static Anchor find_anchor(AbutPair* pair, int number, const AbutWitness* w, const double from[3])
{
    const AbutPairSide* side = &pair->sides[number];
    Anchor best = { .far = INFINITY };
    bool exact = is_exact(side);
    for (int i = 0; i < 2 && exact; ++i)
    {
        double from_point[3], gradient[3];
        point_on_line(pair, number, w, PROOF_CELLS[i], from_point);
        if (side->is_field)
        {
            try_nodes(side, from_point, from, &best);
        }
        else
        {
            try_anchor(&best, from_point, fmax(0.0, high_at(pair, number, from_point, gradient)), from);
        }
    }
    // Far nodes suffice, unless there are none.
    double separation = distance_of(w->at[0], w->at[1]);
    if (!exact || !side->is_field || !(separation > CLOSE_CELLS * (double)side->cell_size))
    {
        try_inside(pair, number, w->at[number], exact, from, &best);
    }
    return best;
}

/// Moves a point to the surface as accurately as samples allow: at the zero of a field they may have larger
/// errors than where a foot was found from.
static void project_to_surface(AbutPair* pair, int number, double at[3])
{
    const AbutPairSide* side = &pair->sides[number];
    double good = 1e-5 * (double)pair->size;
    if (side->is_field)
    {
        const AbutFieldHeader* h = abut_field_of(side->shape)->block;
        good = fmax(good, 0.5 * (double)h->error_bound * side->frame.scale);
    }
    for (int i = 0; i < PROJECTION_STEPS; ++i)
    {
        double g[3], distance = sample(pair, number, at, g), length = length_of(g);
        double over = fabs(distance) - good;
        for (int axis = 0; axis < 3 && over > 0.0 && length > 0.0; ++axis)
        {
            at[axis] -= copysign(over, distance) * g[axis] / length;
        }
        if (!(over > 0.0))
        {
            return;
        }
    }
}

void abut_witness_prove(AbutPair* pair, AbutWitness* witness)
{
    project_to_surface(pair, 0, witness->at[0]);
    project_to_surface(pair, 1, witness->at[1]);
    Anchor a = find_anchor(pair, 0, witness, witness->at[1]);
    Anchor b = find_anchor(pair, 1, witness, a.at);
    // Never less than the distance of the reported points.
    double separation = distance_of(witness->at[0], witness->at[1]);
    witness->high = fmax(a.radius + b.far, separation) * (1.0 + 1e-7);
}

void abut_witness_improve(AbutPair* pair, AbutWitness* witness, AbutWitness* other)
{
    abut_witness_prove(pair, other);
    if (other->high < witness->high)
    {
        *witness = *other;
    }
    witness->distance = other->distance;
}
