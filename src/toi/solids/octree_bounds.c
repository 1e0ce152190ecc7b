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
    double value;  // V
    double way[3]; // e
    double curve;  // c
} Known;

/// A cube.
typedef struct View
{
    const AbutFieldSearch* search;
    const AbutImpactCube* cube;
    const AbutPairSide* standing;
    double middle[3], gradient[3]; // of length 1, or 0
    double low;                    // of the distance at the middle
    double radius, rounding;
    double velocity[3], speed, acceleration;
    double way[3], reach; // along the last direction that was asked for
} View;

// ---------------------------------------------------------------------------------------------------------------------
// The moving field
// ---------------------------------------------------------------------------------------------------------------------

/// How far the surface in a cube reaches along a direction, which is no further than the solid as a whole does. −INFINITY: there is none.
static double reach_along(const View* view, const double way[3])
{
    const AbutFieldSearch* search = view->search;
    double(*r)[3] = (double(*)[3])search->moment.frame.rotation;
    float n[3], middle[3], half = 0.5f * abut_shell_size(view->cube->box.level), whole = 0.0f;
    abut_shell_middle(&view->cube->box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        n[axis] = (float)(r[0][axis] * way[0] + r[1][axis] * way[1] + r[2][axis] * way[2]);
        float end =
            n[axis] > 0.0f ? search->solid[1][axis] - middle[axis] : middle[axis] - search->solid[0][axis];
        whole += fabsf(n[axis]) * fminf(half, end);
    }
    float reach = abut_gap_reach(&search->side, &view->cube->box, view->cube->plate, n);
    return (double)fminf(whole, reach) * search->cell;
}

/// A cube is free for a time, and what is in it is apart at its beginning.
static void take_free(AbutImpactCube* cube, double free, double apart)
{
    if (free > cube->free)
    {
        cube->free = free;
        cube->apart = apart;
    }
}

/// The same, found anew for other directions than the last alone.
static double last_reach(View* view, const double way[3])
{
    if (view->way[0] != way[0] || view->way[1] != way[1] || view->way[2] != way[2])
    {
        view->reach = reach_along(view, way);
        memcpy(view->way, way, sizeof(view->way));
    }
    return view->reach;
}

/// Lets a cube be free for as long as something that is known keeps it free.
static void keep_free(View* view, const Known* known, AbutImpactCube* cube)
{
    double r = view->radius, sway[3];
    double gap = known->value - last_reach(view, known->way) - 0.5 * r * r * known->curve -
                 DIRECTION_ERROR * r - view->rounding;
    if (!(gap > 0.0))
    {
        return;
    }
    abut_cross(known->way, view->search->moment.turn, sway);
    double v = view->speed, u = abut_dot(view->velocity, known->way) + sqrt(abut_dot(sway, sway)) * r;
    u += (r * known->curve + DIRECTION_ERROR) * v;
    double a = view->acceleration + v * v * known->curve, root = sqrt(u * u + 2.0 * a * gap);
    double by = u > 0.0 ? 2.0 * gap / (u + root) : a > 0.0 ? (root - u) / a : INFINITY;
    take_free(cube, fmax(by, gap / v) * (1.0 - 1e-9), gap);
}

// ---------------------------------------------------------------------------------------------------------------------
// The standing shape
// ---------------------------------------------------------------------------------------------------------------------

/// The plane under the distance of a convex shape.
static bool plane_under(const View* view, Known* out)
{
    const AbutShapeInfo* info = &view->standing->shape->info;
    *out =
        (Known){ .value = view->low, .way = { -view->gradient[0], -view->gradient[1], -view->gradient[2] } };
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
            out->way[axis] = above > below ? -1.0 : 1.0;
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
        out->way[axis] = view->middle[axis] - point[axis];
        length += out->way[axis] * out->way[axis];
    }
    length = sqrt(length);
    for (int axis = 0; axis < 3 && length > 0.0; ++axis)
    {
        out->way[axis] /= length;
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
    uint32_t place[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        place[axis] = (uint32_t)(grid[axis] / (float)ABUT_BRICK_CELLS + 0.5f) * ABUT_BRICK_CELLS;
        at[axis] = h->origin[axis] + h->cell_size * place[axis];
    }
    double value = (double)abut_field_coarse_value_at(h, place);
    double error = abut_field_value_error(h, value, cell);
    return ball(view, at, (value - error) * cell / (double)view->standing->growth, out);
}

/// A ball around a point, or where that is beyond the grid, around the nearest place of it.
static bool ball_of_field(const View* view, const double point[3], Known* out)
{
    const AbutFarField* nodes = &view->search->standing;
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
    double radius = (double)abut_far_node_kernels()->empty(nodes, grid);
    if (radius == 0.0)
    {
        return h->sparse != 0 && ball_of_coarse(view, grid, out);
    }
    bool found = ball(view, at, radius * h->cell_size, out);
    for (int axis = 0; axis < 3 && within; ++axis)
    {
        out->way[axis] = -view->gradient[axis]; // but for rounding; so the reach along it is found once
    }
    return found;
}

static bool ball_of_sample(const View* view, const double point[3], Known* out)
{
    const AbutPairSide* side = view->standing;
    float x = (float)point[0], y = (float)point[1], z = (float)point[2], distance;
    abut_pair_side_sample(side, (AbutPoints){ &x, &y, &z }, 1, (AbutSamples){ .distance = &distance });
    const double at[3] = { x, y, z };
    view->search->impact->evaluations += 1;
    double rounding = (double)ABUT_IMPACT_ROUNDING * sqrt(abut_dot(at, at));
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
    return side->in_doubt ? fmin(step, CERTAIN_CELLS * cell) : step;
}

/// True when nodes say that there is nothing in a cube that octrees have no number for.
static bool is_empty(const View* view)
{
    const AbutGapSide* side = &view->search->side;
    const AbutShellBox* box = &view->cube->box;
    float middle[3];
    abut_shell_middle(box, middle);
    return box->level < ABUT_SHELL_FINEST && abut_shell_is_certain(&side->shell, box) &&
           abut_far_node_kernels()->away(&side->nodes, middle) > abut_shell_radius(box->level);
}

/// Lets a cube be free for longer.
static void bound(View* view, AbutImpactCube* cube)
{
    Known known;
    double limit = view->search->limit, apart = view->low - view->radius - view->rounding;
    if (apart > 0.0)
    {
        take_free(cube, apart / view->speed * (1.0 - 1e-9), apart);
    }
    if (cube->free < limit && is_empty(view))
    {
        take_free(cube, INFINITY, INFINITY);
        return;
    }
    bool has_gradient = abut_dot(view->gradient, view->gradient) > 0.0,
         has_plane = plane_under(view, &known) && has_gradient;
    if (cube->free < limit && (has_plane || side_of_box(view, &known)) && known.value > -view->radius)
    {
        keep_free(view, &known, cube);
    }
    if (cube->free >= limit || has_plane || !has_gradient)
    {
        return;
    }
    bool is_field = view->standing->is_field;
    for (int i = 0; i < (is_field ? BALLS : SHAPE_BALLS) && cube->free < limit; ++i)
    {
        double point[3], step = step_of(view, i);
        for (int axis = 0; axis < 3; ++axis)
        {
            point[axis] = view->middle[axis] + step * view->gradient[axis];
        }
        if ((is_field ? ball_of_field : ball_of_sample)(view, point, &known) && known.value > -view->radius)
        {
            keep_free(view, &known, cube);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Cubes
// ---------------------------------------------------------------------------------------------------------------------

static void place_middles(const AbutFieldSearch* self, AbutImpactCubes* cubes)
{
    const AbutFieldHeader* h = self->side.shell.block;
    const AbutFrame* frame = &self->moment.frame;
    for (size_t i = 0; i < cubes->seen.count; ++i)
    {
        float middle[3];
        double own[3], turned[3];
        abut_shell_middle(&cubes->cube[i].box, middle);
        for (int axis = 0; axis < 3; ++axis)
        {
            own[axis] = h->origin[axis] + h->cell_size * (double)middle[axis];
        }
        abut_frame_rotate(frame, own, turned);
        for (int axis = 0; axis < 3; ++axis)
        {
            cubes->seen.at[axis][i] = (float)(frame->scale * turned[axis] + frame->translation[axis]);
        }
    }
}

static View view_of(const AbutFieldSearch* self, const AbutImpactCubes* cubes, size_t i)
{
    const AbutPairBatch* seen = &cubes->seen;
    View view = { .search = self, .cube = &cubes->cube[i], .standing = &self->impact->pair.sides[1] };
    double arm[3], squared = 0.0, size = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        view.middle[axis] = (double)seen->at[axis][i];
        view.gradient[axis] = (double)seen->gradient[1][axis][i];
        squared += view.gradient[axis] * view.gradient[axis];
        size += fabs(view.middle[axis]);
        arm[axis] = view.middle[axis] - self->moment.center[axis];
    }
    bool certain = squared > 0.0 && isfinite(squared) &&
                   (!view.standing->in_doubt || isfinite(abut_pair_field_error(view.standing, seen, i)));
    abut_cross(self->moment.turn, arm, view.velocity);
    for (int axis = 0; axis < 3; ++axis)
    {
        view.gradient[axis] = certain ? view.gradient[axis] / sqrt(squared) : 0.0;
        view.velocity[axis] += self->moment.velocity[axis];
    }
    view.radius = self->cell * (double)abut_shell_radius(view.cube->box.level);
    view.rounding = (double)ABUT_IMPACT_ROUNDING * size +
                    self->impact->unit * (double)self->impact->pair.sides[0].rounding +
                    (double)view.standing->rounding;
    double reach = sqrt(abut_dot(arm, arm)) + view.radius;
    view.speed = self->bounds.carried + self->bounds.turning * reach;
    view.acceleration = self->bounds.pull + self->bounds.swing * reach;
    view.low = (double)abut_pair_low(&self->impact->pair, 1, seen, i, (float)view.radius);
    return view;
}

void abut_impact_bound_cubes(AbutFieldSearch* self, AbutImpactCubes* cubes)
{
    AbutPairBatch* seen = &cubes->seen;
    float(*g)[ABUT_PAIR_BATCH] = seen->gradient[1];
    place_middles(self, cubes);
    abut_pair_side_sample(&self->impact->pair.sides[1], (AbutPoints){ seen->at[0], seen->at[1], seen->at[2] },
                          seen->count, (AbutSamples){ seen->distance[1], g[0], g[1], g[2] });
    self->impact->evaluations += seen->count;
    for (size_t i = 0; i < seen->count; ++i)
    {
        View view = view_of(self, cubes, i);
        bound(&view, &cubes->cube[i]);
        cubes->good[i] = cubes->cube[i].apart > GOOD * view.radius;
    }
}
