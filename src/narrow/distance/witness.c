#include "narrow/distance/witness.h"

#include "base/assert.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>

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

static double sample(AbutPair* pair, int number, AbutDVec3 at, AbutDVec3* gradient)
{
    const AbutPairSide* side = &pair->sides[number];
    AbutVec3 p = abut_dvec3_to_vec3(at), g;
    float distance;
    abut_pair_side_sample(side, (AbutPoints){ &p.x, &p.y, &p.z }, 1,
                          (AbutSamples){ &distance, &g.x, &g.y, &g.z });
    pair->evaluations += 1;
    *gradient = abut_dvec3_from_vec3(g);
    return (double)distance;
}

// -----------------------------------------------------------------------------------------------------------
// Approach
// -----------------------------------------------------------------------------------------------------------

/// A point moved by `by` along a vector of any length; not moved along 0.
static AbutDVec3 move_along(AbutDVec3 at, double by, AbutDVec3 along)
{
    double length = abut_dvec3_length(along);
    return length > 0.0 ? abut_dvec3_add(at, abut_dvec3_div(abut_dvec3_scale(along, by), length)) : at;
}

/// Distance from a point in a direction to the border of the grid of a field.
static double offset_in_grid(const AbutPairSide* side, AbutDVec3 from, AbutDVec3 direction)
{
    const AbutFieldHeader* h = abut_field_of(side->shape)->block;
    AbutDVec3 grid = abut_pair_to_grid(side, from);
    AbutDVec3 steps = abut_dvec3_sub(abut_pair_to_grid(side, abut_dvec3_add(from, direction)), grid);
    double most = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        double step = abut_dvec3_get(steps, axis);
        double end = step > 0.0 ? h->brick_count[axis] * (double)ABUT_BRICK_CELLS : 0.0;
        most = step != 0.0 ? fmin(most, fmax(0.0, (end - abut_dvec3_get(grid, axis)) / step)) : most;
    }
    return most;
}

/// The point between the two that is sampled for a side: half way, or nearer to where a field is sharper.
static AbutDVec3 point_on_line(const AbutPair* pair, int number, const AbutWitness* w, double cells)
{
    const AbutPairSide* side = &pair->sides[number];
    AbutDVec3 from = w->at[number], offset = abut_dvec3_sub(w->at[1 - number], from);
    AbutDVec3 direction = abut_dvec3_normalize(offset);
    double by = 0.5 * abut_dvec3_length(offset);
    if (side->is_field)
    {
        by = fmin(by, cells * (double)side->cell_size);
        by = fmin(by, 0.9999 * offset_in_grid(side, from, direction));
    }
    return abut_dvec3_mul_add(from, by, direction);
}

/// Moves both to the feet of points between them. Returns an upper bound of the distance of the surfaces, by
/// samples.
static double step_closer(AbutPair* pair, AbutWitness* w)
{
    const AbutDVec3 points[2] = { point_on_line(pair, 0, w, FOOT_CELLS),
                                  point_on_line(pair, 1, w, FOOT_CELLS) };
    double sum = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        AbutDVec3 g;
        double distance = sample(pair, side, points[side], &g);
        sum += fmax(0.0, distance);
        w->at[side] = move_along(points[side], -distance, g);
    }
    return sum + abut_dvec3_distance(points[0], points[1]);
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
    AbutDVec3 at;
    double radius, far;
} Anchor;

static void try_anchor(Anchor* best, AbutDVec3 at, double radius, AbutDVec3 from)
{
    double far = abut_dvec3_distance(at, from) + radius;
    if (far < best->far)
    {
        *best = (Anchor){ at, radius, far };
    }
}

/// Where nodes are distances, and not only lower bounds, the solid is as near to each as its value.
static void try_nodes(const AbutPairSide* side, AbutDVec3 from_point, AbutDVec3 from, Anchor* best)
{
    AbutFieldHeader* h = abut_field_of(side->shape)->block;
    AbutDVec3 grid = abut_pair_to_grid(side, from_point);
    uint32_t cell[3];
    abut_pair_cell_at(side, grid, cell);
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        const uint32_t node[3] = { cell[0] + (corner & 1u), cell[1] + (corner >> 1 & 1u),
                                   cell[2] + (corner >> 2) };
        double value = (double)abut_field_value_at(h, node);
        value = side->uncertain ? fabs(value) : value; // only the sign is uncertain
        double radius = value + abut_field_value_error(h, fabs(value), h->cell_size);
        AbutDVec3 offset = abut_dvec3_sub(abut_dvec3(node[0], node[1], node[2]), grid);
        AbutDVec3 at = abut_dvec3_mul_add(from_point, (double)side->cell_size,
                                          abut_transform_rotate(&side->frame, offset));
        if (!isnan(value))
        {
            try_anchor(best, at, fmax(0.0, radius) * (double)side->cell_size + (double)side->rounding, from);
        }
    }
}

/// Upper bound of the distance at a point, which for fields is sharp.
static double high_at(AbutPair* pair, int number, AbutDVec3 at, AbutDVec3* gradient)
{
    const AbutPairSide* side = &pair->sides[number];
    double distance = sample(pair, number, at, gradient);
    if (!side->is_field)
    {
        return distance + (double)side->error;
    }
    AbutVec3 point = abut_dvec3_to_vec3(abut_transform_inverse_point(&side->frame, at));
    return (double)abut_field_point_bounds(side->shape, point).high * side->frame.scale +
           (double)side->rounding;
}

/// Searches a point of the solid from one near it.
static void try_inside(AbutPair* pair, int number, AbutDVec3 start, bool exact, AbutDVec3 from, Anchor* best)
{
    AbutDVec3 at = start, gradient;
    for (int i = 0; i < INSIDE_TRIES; ++i)
    {
        double high = high_at(pair, number, at, &gradient);
        if (high <= 0.0 || exact)
        {
            try_anchor(best, at, fmax(0.0, high), from);
            return;
        }
        at = move_along(at, -1.05 * high, gradient);
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
static Anchor find_anchor(AbutPair* pair, int number, const AbutWitness* w, AbutDVec3 from)
{
    const AbutPairSide* side = &pair->sides[number];
    Anchor best = { .far = INFINITY };
    bool exact = is_exact(side);
    for (int i = 0; i < 2 && exact; ++i)
    {
        AbutDVec3 from_point = point_on_line(pair, number, w, PROOF_CELLS[i]), gradient;
        if (side->is_field)
        {
            try_nodes(side, from_point, from, &best);
        }
        else
        {
            try_anchor(&best, from_point, fmax(0.0, high_at(pair, number, from_point, &gradient)), from);
        }
    }
    // Far nodes suffice, unless there are none.
    double separation = abut_dvec3_distance(w->at[0], w->at[1]);
    if (!exact || !side->is_field || !(separation > CLOSE_CELLS * (double)side->cell_size))
    {
        try_inside(pair, number, w->at[number], exact, from, &best);
    }
    return best;
}

/// Moves a point to the surface as accurately as samples allow: at the zero of a field they may have larger
/// errors than where a foot was found from.
static AbutDVec3 project_to_surface(AbutPair* pair, int number, AbutDVec3 at)
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
        AbutDVec3 g;
        double distance = sample(pair, number, at, &g), over = fabs(distance) - good;
        if (!(over > 0.0))
        {
            break;
        }
        at = move_along(at, -copysign(over, distance), g);
    }
    return at;
}

void abut_witness_prove(AbutPair* pair, AbutWitness* witness)
{
    witness->at[0] = project_to_surface(pair, 0, witness->at[0]);
    witness->at[1] = project_to_surface(pair, 1, witness->at[1]);
    Anchor a = find_anchor(pair, 0, witness, witness->at[1]);
    Anchor b = find_anchor(pair, 1, witness, a.at);
    // Never less than the distance of the reported points.
    double separation = abut_dvec3_distance(witness->at[0], witness->at[1]);
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
