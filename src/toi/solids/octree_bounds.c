// Free times of cubes from lower bounds of the distance to the standing shape.
//
// A lower bound of the distance of the standing shape is V at the middle of the cube and decreases by at most
// d·e + |d|² c/2 at an offset d from there, e a direction of length 1. An empty ball around a point q is such
// a bound with e from q to the middle and c = 1/|q − middle|; the supporting plane of a convex shape, or a
// side of the box around it, one with c = 0. The surface in the cube has the support k along e from the
// middle, by the half space of the cube or by nodes; r is the cube's radius, v bounds speeds, a
// accelerations, and u the velocity of points along e. Then the cube is free for a time τ with
//
//     V − k − r²c/2 > τ (u + r c v) + τ²/2 (a + v²c).
//
// So only the velocity towards the shape counts, and sliding threads are free for long.
#include "toi/solids/octree_bounds.h"

#include "field/bounds/kernels.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"
#include "math/dvec3.h"
#include "shape/shape.h"

enum
{
    BALLS = 5,
    SHAPE_BALLS = 3
};

/// Distances of the centres of balls: for fields in cells, and at least in radii of the cube; for other
/// shapes in radii. In a narrow gap an empty ball is at most half as wide as the gap.
static const double CELLS[BALLS] = { 8.0, 4.0, 2.5, 1.6, 1.0 }, RADII[BALLS] = { 4.0, 2.0, 0.0, 0.0, 0.0 },
                    SHAPE_RADII[SHAPE_BALLS] = { 8.0, 32.0, 3.0 };

/// Distance in cells from a point with certain signs beyond which signs of a field may be in doubt.
static const double CERTAIN_CELLS = 6.0;

/// Error of directions in float.
static const double DIRECTION_ERROR = 1e-6;

/// Separation in radii from which cubes are not divided: it would gain little.
static const double GOOD = 4.0;

/// A lower bound of the distance of the standing shape around the middle of a cube.
typedef struct Known
{
    double value;        // V
    AbutDVec3 direction; // e
    double curve;        // c
} Known;

/// A cube and its motion.
typedef struct View
{
    const AbutToiOctreeSearch* search;
    const AbutToiOctant* octant;
    const AbutPairSide* standing;
    AbutDVec3 middle, gradient; // the gradient of length 1, or 0
    double low;                 // lower bound of the distance at the middle
    double radius, rounding;
    AbutDVec3 velocity; // of the middle
    double speed, acceleration;
    AbutDVec3 direction; // of the last support
    double support;
} View;

// -----------------------------------------------------------------------------------------------------------
// The moving field
// -----------------------------------------------------------------------------------------------------------

/// Support of the surface in a cube along a direction, at most that of the whole solid. −INFINITY: there is
/// none.
static double support_along(const View* view, AbutDVec3 direction)
{
    const AbutToiOctreeSearch* search = view->search;
    AbutVec3 in_moving = abut_dvec3_to_vec3(abut_transform_inverse_rotate(&search->sample.frame, direction));
    float n[3] = { in_moving.x, in_moving.y, in_moving.z }, middle[3],
          half = 0.5f * abut_surface_octree_size(view->octant->box.level), whole = 0.0f;
    abut_surface_octree_middle(&view->octant->box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        float end =
            n[axis] > 0.0f ? search->solid[1][axis] - middle[axis] : middle[axis] - search->solid[0][axis];
        whole += fabsf(n[axis]) * fminf(half, end);
    }
    float support = abut_octree_side_support(&search->side, &view->octant->box, view->octant->half_space, n);
    return (double)fminf(whole, support) * search->cell;
}

/// Takes a longer free time, with the separation at its beginning.
static void take_free(AbutToiOctant* octant, double free, double separation)
{
    if (free > octant->free)
    {
        octant->free = free;
        octant->separation = separation;
    }
}

/// The same, computed again for a new direction only.
static double last_support(View* view, AbutDVec3 direction)
{
    if (view->direction.x != direction.x || view->direction.y != direction.y ||
        view->direction.z != direction.z)
    {
        view->support = support_along(view, direction);
        view->direction = direction;
    }
    return view->support;
}

/// Extends the free time of a cube by one bound.
static void keep_free(View* view, const Known* known, AbutToiOctant* octant)
{
    double r = view->radius;
    double gap = known->value - last_support(view, known->direction) - 0.5 * r * r * known->curve -
                 DIRECTION_ERROR * r - view->rounding;
    if (!(gap > 0.0))
    {
        return;
    }
    AbutDVec3 sway = abut_dvec3_cross(known->direction, view->search->sample.angular_velocity);
    double v = view->speed,
           u = abut_dvec3_dot(view->velocity, known->direction) + abut_dvec3_length(sway) * r;
    u += (r * known->curve + DIRECTION_ERROR) * v;
    double a = view->acceleration + v * v * known->curve, root = sqrt(u * u + 2.0 * a * gap);
    double free_time = u > 0.0 ? 2.0 * gap / (u + root) : a > 0.0 ? (root - u) / a : INFINITY;
    take_free(octant, fmax(free_time, gap / v) * (1.0 - 1e-9), gap);
}

// -----------------------------------------------------------------------------------------------------------
// The standing shape
// -----------------------------------------------------------------------------------------------------------

/// The supporting plane of the distance of a convex shape.
static bool plane_under(const View* view, Known* out)
{
    const AbutShapeInfo* info = &view->standing->shape->info;
    *out = (Known){ .value = view->low, .direction = abut_dvec3_neg(view->gradient) };
    return info->convex && info->distance_kind == ABUT_DISTANCE_EXACT && !view->standing->is_field;
}

/// The side of the box around a solid with the largest distance.
static bool side_of_box(const View* view, Known* out)
{
    const double* box = view->search->far_solid;
    *out = (Known){ .value = -INFINITY };
    for (int axis = 0; axis < 3; ++axis)
    {
        double middle = abut_dvec3_get(view->middle, axis);
        double below = box[axis] - middle, above = middle - box[axis + 3];
        if (fmax(below, above) > out->value)
        {
            *out = (Known){ .value = fmax(below, above) };
            out->direction = abut_dvec3_with(abut_dvec3_zero(), axis, above > below ? -1.0 : 1.0);
        }
    }
    return out->value > -view->radius;
}

/// An empty ball around a point.
static bool ball(const View* view, AbutDVec3 point, double radius, Known* out)
{
    double length = abut_dvec3_distance(view->middle, point);
    out->direction = abut_dvec3_normalize(abut_dvec3_sub(view->middle, point));
    out->value = radius - length;
    out->curve = length > 0.0 ? 1.0 / length : 0.0;
    return radius > 0.0 && length > 0.0;
}

/// The same around the closest node of the coarse level of a sparse field, for a position in cells.
static bool ball_of_coarse(const View* view, const float grid[3], Known* out)
{
    AbutFieldHeader* h = abut_field_of(view->standing->shape)->block;
    double cell = h->cell_size * ABUT_BRICK_CELLS;
    const uint32_t corner[3] = { (uint32_t)(grid[0] / (float)ABUT_BRICK_CELLS + 0.5f) * ABUT_BRICK_CELLS,
                                 (uint32_t)(grid[1] / (float)ABUT_BRICK_CELLS + 0.5f) * ABUT_BRICK_CELLS,
                                 (uint32_t)(grid[2] / (float)ABUT_BRICK_CELLS + 0.5f) * ABUT_BRICK_CELLS };
    AbutDVec3 at = abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size,
                                      abut_dvec3(corner[0], corner[1], corner[2]));
    double value = (double)abut_field_coarse_value_at(h, corner);
    double error = abut_field_value_error(h, value, cell);
    return ball(view, at, (value - error) * cell / (double)view->standing->growth, out);
}

/// An empty ball around a point, or beyond the grid around the closest point of the grid.
static bool ball_of_field(const View* view, AbutDVec3 point, Known* out)
{
    const AbutFarNodes* nodes = &view->search->standing;
    const AbutFieldHeader* h = abut_field_of(view->standing->shape)->block;
    float grid[3];
    bool within = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        float cells = (float)((abut_dvec3_get(point, axis) - h->origin[axis]) / h->cell_size);
        grid[axis] = fmaxf(0.0f, fminf(cells, nodes->cells[axis]));
        within = within && grid[axis] == cells;
    }
    double radius = (double)abut_far_node_kernels()->empty_radius(nodes, grid);
    if (radius == 0.0)
    {
        return h->sparse != 0 && ball_of_coarse(view, grid, out);
    }
    AbutDVec3 at = abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size,
                                      abut_dvec3(grid[0], grid[1], grid[2]));
    bool is_known = ball(view, at, radius * h->cell_size, out);
    if (within)
    {
        out->direction = abut_dvec3_neg(view->gradient); // but for rounding; so its support is computed once
    }
    return is_known;
}

static bool ball_of_sample(const View* view, AbutDVec3 point, Known* out)
{
    const AbutPairSide* side = view->standing;
    AbutVec3 p = abut_dvec3_to_vec3(point);
    float distance;
    abut_pair_side_sample(side, (AbutPoints){ &p.x, &p.y, &p.z }, 1, (AbutSamples){ .distance = &distance });
    AbutDVec3 at = abut_dvec3_from_vec3(p);
    view->search->toi->evaluations += 1;
    double rounding = (double)ABUT_TOI_ROUNDING * abut_dvec3_length(at);
    return distance > 0.0f &&
           ball(view, at, ((double)distance - (double)side->error - rounding) / (double)side->growth, out);
}

/// Distance of the centre of a ball.
static double step_of(const View* view, int number)
{
    const AbutPairSide* side = view->standing;
    double cell = (double)side->cell_size;
    if (!side->is_field)
    {
        return SHAPE_RADII[number] * view->radius;
    }
    double step = fmax(RADII[number] * view->radius, CELLS[number] * cell);
    return side->uncertain ? fmin(step, CERTAIN_CELLS * cell) : step;
}

/// True when nodes prove a cube empty that is too small for the octree.
static bool is_empty(const View* view)
{
    const AbutOctreeSide* side = &view->search->side;
    const AbutOctreeBox* box = &view->octant->box;
    float middle[3];
    abut_surface_octree_middle(box, middle);
    return box->level < ABUT_SURFACE_OCTREE_FINEST &&
           abut_surface_octree_is_certain(&side->surface_octree, box) &&
           abut_far_node_kernels()->distance_bound(&side->nodes, middle) >
               abut_surface_octree_radius(box->level);
}

/// Extends the free time of a cube by all bounds.
static void bound(View* view, AbutToiOctant* octant)
{
    Known known;
    double limit = view->search->limit, separation = view->low - view->radius - view->rounding;
    if (separation > 0.0)
    {
        take_free(octant, separation / view->speed * (1.0 - 1e-9), separation);
    }
    if (octant->free < limit && is_empty(view))
    {
        take_free(octant, INFINITY, INFINITY);
        return;
    }
    bool has_gradient = abut_dvec3_squared_length(view->gradient) > 0.0,
         has_plane = plane_under(view, &known) && has_gradient;
    if (octant->free < limit && (has_plane || side_of_box(view, &known)) && known.value > -view->radius)
    {
        keep_free(view, &known, octant);
    }
    if (octant->free >= limit || has_plane || !has_gradient)
    {
        return;
    }
    bool is_field = view->standing->is_field;
    for (int i = 0; i < (is_field ? BALLS : SHAPE_BALLS) && octant->free < limit; ++i)
    {
        AbutDVec3 point = abut_dvec3_mul_add(view->middle, step_of(view, i), view->gradient);
        if ((is_field ? ball_of_field : ball_of_sample)(view, point, &known) && known.value > -view->radius)
        {
            keep_free(view, &known, octant);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Cubes
// -----------------------------------------------------------------------------------------------------------

static void locate_middles(const AbutToiOctreeSearch* self, AbutToiOctants* octants)
{
    const AbutFieldHeader* h = self->side.surface_octree.block;
    const AbutTransform* frame = &self->sample.frame;
    for (size_t i = 0; i < octants->in_standing.count; ++i)
    {
        float middle[3];
        abut_surface_octree_middle(&octants->octant[i].box, middle);
        AbutDVec3 in_moving = abut_dvec3_mul_add(abut_dvec3_from_array(h->origin), h->cell_size,
                                                 abut_dvec3(middle[0], middle[1], middle[2]));
        AbutVec3 in_standing = abut_dvec3_to_vec3(abut_transform_point(frame, in_moving));
        abut_pair_batch_set(&octants->in_standing, i, in_standing);
    }
}

static View view_of(const AbutToiOctreeSearch* self, const AbutToiOctants* octants, size_t i)
{
    const AbutPairBatch* in_standing = &octants->in_standing;
    View view = { .search = self, .octant = &octants->octant[i], .standing = &self->toi->pair.sides[1] };
    view.middle = abut_dvec3_from_vec3(abut_pair_batch_point(in_standing, i));
    AbutDVec3 gradient = abut_dvec3(in_standing->gradient[1][0][i], in_standing->gradient[1][1][i],
                                    in_standing->gradient[1][2][i]);
    AbutDVec3 from_center = abut_dvec3_sub(view.middle, self->sample.center);
    double squared = abut_dvec3_squared_length(gradient);
    double size = fabs(view.middle.x) + fabs(view.middle.y) + fabs(view.middle.z);
    bool certain =
        squared > 0.0 && isfinite(squared) &&
        (!view.standing->uncertain || isfinite(abut_pair_field_error(view.standing, in_standing, i)));
    view.gradient = certain ? abut_dvec3_div(gradient, sqrt(squared)) : abut_dvec3_zero();
    // The order of the sum differs from abut_motion_sample_velocity().
    view.velocity =
        abut_dvec3_add(abut_dvec3_cross(self->sample.angular_velocity, from_center), self->sample.velocity);
    view.radius = self->cell * (double)abut_surface_octree_radius(view.octant->box.level);
    view.rounding = (double)ABUT_TOI_ROUNDING * size +
                    self->toi->unit * (double)self->toi->pair.sides[0].rounding +
                    (double)view.standing->rounding;
    double max_radius = abut_dvec3_length(from_center) + view.radius;
    view.speed = abut_motion_bounds_speed(&self->bounds, max_radius);
    view.acceleration = abut_motion_bounds_acceleration(&self->bounds, max_radius);
    view.low = (double)abut_pair_low(&self->toi->pair, 1, in_standing, i, (float)view.radius);
    return view;
}

void abut_toi_octree_bound(AbutToiOctreeSearch* self, AbutToiOctants* octants)
{
    AbutPairBatch* in_standing = &octants->in_standing;
    float(*g)[ABUT_PAIR_BATCH] = in_standing->gradient[1];
    locate_middles(self, octants);
    abut_pair_side_sample(&self->toi->pair.sides[1],
                          (AbutPoints){ in_standing->at[0], in_standing->at[1], in_standing->at[2] },
                          in_standing->count, (AbutSamples){ in_standing->distance[1], g[0], g[1], g[2] });
    self->toi->evaluations += in_standing->count;
    for (size_t i = 0; i < in_standing->count; ++i)
    {
        View view = view_of(self, octants, i);
        bound(&view, &octants->octant[i]);
        octants->good[i] = octants->octant[i].separation > GOOD * view.radius;
    }
}
