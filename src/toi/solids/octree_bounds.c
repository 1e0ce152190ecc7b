// For how long the surface of a moving field in a cube is free of the standing shape.
//
// What is known of the standing shape is that it is at least V away from the middle of the cube, and how that changes with a way d from there: by at
// most d·e + |d|² c/2, e a direction of length 1. A ball around a point q with nothing of the shape in it says so with e from q to the middle and
// c = 1/|q − middle|; the plane under a convex shape, or a side of the box around it, with c = 0. The surface in the cube reaches k along e from the
// middle, which the plate of the cube, or nodes, tell; r is the cube's radius, v bounds speeds, a accelerations, and u is how fast points
// move along e. Then nothing of it is touched for a time τ with
//
//     V − k − r²c/2 > τ (u + r c v) + τ²/2 (a + v²c).
//
// So only the part of the velocity counts that leads to the shape, and threads that slide along each other are free for long.
#include "toi/solids/octree_search.h"

#include "field/bounds/kernels.h"
#include "field/field.h"
#include "field/nodes/brick_nodes.h"
#include "math/dvec3.h"
#include "shape/shape.h"

#include <string.h>

enum
{
    BALLS = 5,
    SHAPE_BALLS = 3
};

/// How far away the middles of balls are looked for: of fields in cells, and at least so many radii of the cube; of other shapes in radii. In narrow
/// places balls are empty only as far as half of the way to the other side.
static const double CELLS[BALLS] = { 8.0, 4.0, 2.5, 1.6, 1.0 }, RADII[BALLS] = { 4.0, 2.0, 0.0, 0.0, 0.0 },
                    SHAPE_RADII[SHAPE_BALLS] = { 8.0, 32.0, 3.0 };

/// Beyond so many cells from a place, signs of a field may be in doubt that are not in doubt there.
static const double CERTAIN_CELLS = 6.0;

/// Of directions in float.
static const double DIRECTION_ERROR = 1e-6;

/// Cubes that are apart by so many radii are not divided: it would gain little.
static const double GOOD = 4.0;

/// What is known of the standing shape around the middle of a cube.
typedef struct Known
{
    double value;        // V
    double direction[3]; // e
    double curve;        // c
} Known;

/// A cube.
typedef struct View
{
    const AbutToiOctreeSearch* search;
    const AbutToiOctant* octant;
    const AbutPairSide* standing;
    double middle[3], gradient[3]; // of length 1, or 0
    double low;                    // of the distance at the middle
    double radius, rounding;
    double velocity[3], speed, acceleration;
    double direction[3], support; // along the last direction that was asked for
} View;

// ---------------------------------------------------------------------------------------------------------------------
// The moving field
// ---------------------------------------------------------------------------------------------------------------------

/// How far the surface in a cube reaches along a direction, which is no further than the solid as a whole does. −INFINITY: there is none.
static double support_along(const View* view, const double direction[3])
{
    const AbutToiOctreeSearch* search = view->search;
    double(*r)[3] = (double(*)[3])search->moment.frame.rotation;
    float n[3], middle[3], half = 0.5f * abut_surface_octree_size(view->octant->box.level), whole = 0.0f;
    abut_surface_octree_middle(&view->octant->box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        n[axis] = (float)(r[0][axis] * direction[0] + r[1][axis] * direction[1] + r[2][axis] * direction[2]);
        float end =
            n[axis] > 0.0f ? search->solid[1][axis] - middle[axis] : middle[axis] - search->solid[0][axis];
        whole += fabsf(n[axis]) * fminf(half, end);
    }
    float support = abut_octree_side_support(&search->side, &view->octant->box, view->octant->half_space, n);
    return (double)fminf(whole, support) * search->cell;
}

/// A cube is free for a time, and what is in it is apart at its beginning.
static void take_free(AbutToiOctant* octant, double free, double separation)
{
    if (free > octant->free)
    {
        octant->free = free;
        octant->separation = separation;
    }
}

/// The same, found anew for other directions than the last alone.
static double last_support(View* view, const double direction[3])
{
    if (view->direction[0] != direction[0] || view->direction[1] != direction[1] ||
        view->direction[2] != direction[2])
    {
        view->support = support_along(view, direction);
        memcpy(view->direction, direction, sizeof(view->direction));
    }
    return view->support;
}

/// Lets a cube be free for as long as something that is known keeps it free.
static void keep_free(View* view, const Known* known, AbutToiOctant* octant)
{
    double r = view->radius, sway[3];
    double gap = known->value - last_support(view, known->direction) - 0.5 * r * r * known->curve -
                 DIRECTION_ERROR * r - view->rounding;
    if (!(gap > 0.0))
    {
        return;
    }
    abut_array3_cross(known->direction, view->search->moment.angular_velocity, sway);
    double v = view->speed,
           u = abut_array3_dot(view->velocity, known->direction) + sqrt(abut_array3_dot(sway, sway)) * r;
    u += (r * known->curve + DIRECTION_ERROR) * v;
    double a = view->acceleration + v * v * known->curve, root = sqrt(u * u + 2.0 * a * gap);
    double free_time = u > 0.0 ? 2.0 * gap / (u + root) : a > 0.0 ? (root - u) / a : INFINITY;
    take_free(octant, fmax(free_time, gap / v) * (1.0 - 1e-9), gap);
}

// ---------------------------------------------------------------------------------------------------------------------
// The standing shape
// ---------------------------------------------------------------------------------------------------------------------

/// The plane under the distance of a convex shape.
static bool plane_under(const View* view, Known* out)
{
    const AbutShapeInfo* info = &view->standing->shape->info;
    *out = (Known){ .value = view->low,
                    .direction = { -view->gradient[0], -view->gradient[1], -view->gradient[2] } };
    return info->convex && info->distance_kind == ABUT_DISTANCE_EXACT && !view->standing->is_field;
}

/// The side of the box around a solid that a cube is furthest beyond.
static bool side_of_box(const View* view, Known* out)
{
    const double* box = view->search->far_solid;
    *out = (Known){ .value = -INFINITY };
    for (int axis = 0; axis < 3; ++axis)
    {
        double below = box[axis] - view->middle[axis], above = view->middle[axis] - box[axis + 3];
        if (fmax(below, above) > out->value)
        {
            *out = (Known){ .value = fmax(below, above) };
            out->direction[axis] = above > below ? -1.0 : 1.0;
        }
    }
    return out->value > -view->radius;
}

/// A ball around a point with nothing of the shape in it.
static bool ball(const View* view, const double point[3], double radius, Known* out)
{
    double length = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        out->direction[axis] = view->middle[axis] - point[axis];
        length += out->direction[axis] * out->direction[axis];
    }
    length = sqrt(length);
    for (int axis = 0; axis < 3 && length > 0.0; ++axis)
    {
        out->direction[axis] /= length;
    }
    out->value = radius - length;
    out->curve = length > 0.0 ? 1.0 / length : 0.0;
    return radius > 0.0 && length > 0.0;
}

/// The same around the node of the coarse level of a sparse field that is nearest to a place in cells.
static bool ball_of_coarse(const View* view, const float grid[3], Known* out)
{
    AbutFieldHeader* h = abut_field_of(view->standing->shape)->block;
    double cell = h->cell_size * ABUT_BRICK_CELLS, at[3];
    uint32_t corner[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        corner[axis] = (uint32_t)(grid[axis] / (float)ABUT_BRICK_CELLS + 0.5f) * ABUT_BRICK_CELLS;
        at[axis] = h->origin[axis] + h->cell_size * corner[axis];
    }
    double value = (double)abut_field_coarse_value_at(h, corner);
    double error = abut_field_value_error(h, value, cell);
    return ball(view, at, (value - error) * cell / (double)view->standing->growth, out);
}

/// A ball around a point, or where that is beyond the grid, around the nearest place of it.
static bool ball_of_field(const View* view, const double point[3], Known* out)
{
    const AbutFarNodes* nodes = &view->search->standing;
    const AbutFieldHeader* h = abut_field_of(view->standing->shape)->block;
    float grid[3];
    double at[3];
    bool within = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        float cells = (float)((point[axis] - h->origin[axis]) / h->cell_size);
        grid[axis] = fmaxf(0.0f, fminf(cells, nodes->cells[axis]));
        within = within && grid[axis] == cells;
        at[axis] = h->origin[axis] + h->cell_size * (double)grid[axis];
    }
    double radius = (double)abut_far_node_kernels()->empty_radius(nodes, grid);
    if (radius == 0.0)
    {
        return h->sparse != 0 && ball_of_coarse(view, grid, out);
    }
    bool is_known = ball(view, at, radius * h->cell_size, out);
    for (int axis = 0; axis < 3 && within; ++axis)
    {
        out->direction[axis] = -view->gradient[axis]; // but for rounding; so the reach along it is found once
    }
    return is_known;
}

static bool ball_of_sample(const View* view, const double point[3], Known* out)
{
    const AbutPairSide* side = view->standing;
    float x = (float)point[0], y = (float)point[1], z = (float)point[2], distance;
    abut_pair_side_sample(side, (AbutPoints){ &x, &y, &z }, 1, (AbutSamples){ .distance = &distance });
    const double at[3] = { x, y, z };
    view->search->toi->evaluations += 1;
    double rounding = (double)ABUT_TOI_ROUNDING * sqrt(abut_array3_dot(at, at));
    return distance > 0.0f &&
           ball(view, at, ((double)distance - (double)side->error - rounding) / (double)side->growth, out);
}

/// How far off the middle of a ball is looked for.
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

/// True when nodes say that there is nothing in a cube that octrees have no number for.
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

/// Lets a cube be free for longer.
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
    bool has_gradient = abut_array3_dot(view->gradient, view->gradient) > 0.0,
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
        double point[3], step = step_of(view, i);
        for (int axis = 0; axis < 3; ++axis)
        {
            point[axis] = view->middle[axis] + step * view->gradient[axis];
        }
        if ((is_field ? ball_of_field : ball_of_sample)(view, point, &known) && known.value > -view->radius)
        {
            keep_free(view, &known, octant);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Cubes
// ---------------------------------------------------------------------------------------------------------------------

static void locate_middles(const AbutToiOctreeSearch* self, AbutToiOctants* octants)
{
    const AbutFieldHeader* h = self->side.surface_octree.block;
    const AbutTransform* frame = &self->moment.frame;
    for (size_t i = 0; i < octants->in_standing.count; ++i)
    {
        float middle[3];
        double in_moving[3], rotated[3];
        abut_surface_octree_middle(&octants->octant[i].box, middle);
        for (int axis = 0; axis < 3; ++axis)
        {
            in_moving[axis] = h->origin[axis] + h->cell_size * (double)middle[axis];
        }
        abut_transform_rotate(frame, in_moving, rotated);
        for (int axis = 0; axis < 3; ++axis)
        {
            octants->in_standing.at[axis][i] =
                (float)(frame->scale * rotated[axis] + frame->translation[axis]);
        }
    }
}

static View view_of(const AbutToiOctreeSearch* self, const AbutToiOctants* octants, size_t i)
{
    const AbutPairBatch* in_standing = &octants->in_standing;
    View view = { .search = self, .octant = &octants->octant[i], .standing = &self->toi->pair.sides[1] };
    double from_center[3], squared = 0.0, size = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        view.middle[axis] = (double)in_standing->at[axis][i];
        view.gradient[axis] = (double)in_standing->gradient[1][axis][i];
        squared += view.gradient[axis] * view.gradient[axis];
        size += fabs(view.middle[axis]);
        from_center[axis] = view.middle[axis] - self->moment.center[axis];
    }
    bool certain =
        squared > 0.0 && isfinite(squared) &&
        (!view.standing->uncertain || isfinite(abut_pair_field_error(view.standing, in_standing, i)));
    abut_array3_cross(self->moment.angular_velocity, from_center, view.velocity);
    for (int axis = 0; axis < 3; ++axis)
    {
        view.gradient[axis] = certain ? view.gradient[axis] / sqrt(squared) : 0.0;
        view.velocity[axis] += self->moment.velocity[axis];
    }
    view.radius = self->cell * (double)abut_surface_octree_radius(view.octant->box.level);
    view.rounding = (double)ABUT_TOI_ROUNDING * size +
                    self->toi->unit * (double)self->toi->pair.sides[0].rounding +
                    (double)view.standing->rounding;
    double support = sqrt(abut_array3_dot(from_center, from_center)) + view.radius;
    view.speed = self->bounds.linear_speed + self->bounds.angular_speed * support;
    view.acceleration = self->bounds.linear_acceleration + self->bounds.angular_acceleration * support;
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
