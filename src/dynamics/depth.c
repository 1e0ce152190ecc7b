// A field is eroded at convex edges and corners by a part of a cell, and by more where they are sharp:
// contacts are points of the fields' surfaces, and the solids overlap by more than these. The depth of solids
// is bounded on the contact's line: where A goes no further than s from the contact against the normal, and
// the contact is no deeper in B than d, no point of A there is deeper in B than s + d; and the same for B.
// That is proved; what is added for places between contacts is measured.
#include "dynamics/depth.h"

#include "dynamics/state/speculative.h"

#include "field/distance_bounds.h"
#include "field/field.h"
#include "math/dvec3.h"

#include <math.h>

enum
{
    MOST_SAMPLES = 64
};

/// Length of the steps along a line: of a field's cells, or of the radius of a body that is no field. They
/// become longer, so that every line ends.
#define CELL_PART 0.5
#define RADIUS_PART 1e-3
#define LONGER 1.2

/// What solids may be deeper beside the line of a contact than on it. Fields show nothing smaller than a
/// cell, and contacts within half of the margin stand for each other (contacts/pair_contacts.c): parts of the
/// larger cell and of the margin. Not proved: a third of the heaps tried by hand needed it, up to 0.2 cells, and 0.04 margins
/// between formulas. test_dynamics_depth holds exact depths under the sum.
#define BETWEEN_CELLS 0.5
#define BETWEEN_MARGIN 0.1

/// A lower bound of the true distance; -∞ where nothing is known.
static double lowest(const AbutBody* body, const AbutShapeInfo* info, const double at[3])
{
    AbutVec3 p = abut_vec3((float)at[0], (float)at[1], (float)at[2]);
    if (info->kind == ABUT_SHAPE_FIELD)
    {
        return abut_field_distance_low(body->shape, p);
    }
    double low = (double)abut_shape_distance(body->shape, p, NULL) - (double)info->error;
    return low > 0.0 ? low / (double)info->lipschitz : low;
}

/// A line in the frame of a body's shape.
typedef struct Line
{
    double from[3], along[3];
} Line;

static Line line_in(const AbutBody* body, const double from[3], const double direction[3])
{
    Line line;
    const double arm[3] = { from[0] - body->position[0], from[1] - body->position[1],
                            from[2] - body->position[2] };
    for (int i = 0; i < 3; ++i)
    {
        const double axis[3] = { body->matrix[0][i], body->matrix[1][i], body->matrix[2][i] };
        line.from[i] = abut_array3_dot(axis, arm) / (double)body->scale + body->center[i];
        line.along[i] = abut_array3_dot(axis, direction);
    }
    return line;
}

/// A cell of a body's field, in its frame; 0 for shapes that are not fields.
static double cell_of(const AbutBody* body)
{
    bool is_field = abut_shape_is_field(body->shape);
    return is_field ? ((const AbutFieldHeader*)abut_field_of(body->shape)->block)->cell_size : 0.0;
}

/// How far a solid goes on a line, at most: negative where it ends before the point. Parts beyond a gap count
/// where samples do not show the gap.
static double extent(const AbutBody* body, double size, const double from[3], const double direction[3])
{
    const AbutShapeInfo* info = &body->shape->info;
    Line line = line_in(body, from, direction);
    const double *at = line.from, *along = line.along;
    double scale = (double)body->scale, length = 0.0;
    double step = fmax(CELL_PART * cell_of(body), RADIUS_PART * size / scale);
    for (int i = 0; i < MOST_SAMPLES && isfinite(length); ++i)
    {
        const double p[3] = { at[0] + length * along[0], at[1] + length * along[1],
                              at[2] + length * along[2] };
        double low = lowest(body, info, p);
        if (low > 0.0)
        {
            return (length - low) * scale;
        }
        length += fmax(-low, step);
        step *= LONGER;
    }
    return INFINITY;
}

/// How deep a point is in a solid, at most: negative outside. Where distances say too little, the way out in
/// a direction.
static double depth_in(const AbutBody* body, double size, const double from[3], const double direction[3])
{
    const AbutShapeInfo* info = &body->shape->info;
    bool is_exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_INSIDE;
    Line line = line_in(body, from, direction);
    return is_exact ? -lowest(body, info, line.from) * (double)body->scale
                    : extent(body, size, from, direction);
}

/// What the errors of both bodies' distances leave open at a contact itself, wherever that is on them.
static double rough_bound(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* point)
{
    return a->surface_error + b->surface_error - point->separation;
}

/// The contact is a point of one surface, and at about its depth along the normal is one of the other. Where
/// surfaces do not face each other, or are deeper in each other than the errors, the normal may lead along a
/// wall and not out of it.
static double bound_of(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* point)
{
    double rough = rough_bound(a, b, point);
    if (a->surface_error == 0.0 && b->surface_error == 0.0)
    {
        return rough;
    }
    const AbutBody *own = point->on_b ? b : a, *other = point->on_b ? a : b;
    const double* local = point->on_b ? point->local_anchor_b : point->local_anchor_a;
    double at[3], there[3], out[3], in[3], size = fmin((double)a->radius, (double)b->radius);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = point->on_b ? -point->normal[i] : point->normal[i]; // of the other solid
        in[i] = -out[i];
        at[i] = own->position[i] + abut_array3_dot(own->matrix[i], local);
        there[i] = at[i] - point->separation * out[i];
    }
    double bound = fmax(extent(own, size, at, in) + depth_in(other, size, at, out),
                        extent(other, size, there, out) + depth_in(own, size, there, in));
    bool leads_out = point->faces && rough > -2.0 * point->separation;
    return leads_out ? bound : fmin(bound, rough);
}

/// Of the contacts of a pair, if it is more than `least`.
static double bound_of_all(const AbutWorld* world, const AbutManifold* m, double least)
{
    const AbutManifoldPoint* points = world->stores[world->current].points + m->first;
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    double cells = fmax(cell_of(a) * (double)a->scale, cell_of(b) * (double)b->scale);
    double between = BETWEEN_CELLS * cells + BETWEEN_MARGIN * abut_pair_speculative_distance(world, a, b);
    for (uint32_t i = 0; i < m->count; ++i)
    {
        // Sharp edges are eroded by more than the error of their distances: they are not left out too early.
        bool counts = 2.0 * rough_bound(a, b, &points[i]) > least - between;
        least = counts ? fmax(least, bound_of(a, b, &points[i]) + between) : least;
    }
    return least;
}

/// Says which pairs sleep; not 0.
static uint64_t key_of_sleepers(const AbutContactStore* store)
{
    uint64_t key = 1;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        const uint64_t parts[5] = { m->a, m->b, m->generation_a, m->generation_b, m->step };
        for (int k = 0; k < 5 && !m->solved; ++k)
        {
            key = (key ^ parts[k]) * 0x100000001b3u;
        }
    }
    return key != 0 ? key : 1;
}

void abut_world_measure_depth(AbutWorld* world, AbutStepReport* report)
{
    const AbutContactStore* store = &world->stores[world->current];
    uint64_t key = key_of_sleepers(store);
    bool same = key == world->sleeping_key; // pairs that sleep are as deep as in the last step
    double deepest = 0.0, bounds[2] = { same ? world->sleeping_depth : 0.0, 0.0 };
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        double* bound = &bounds[m->solved ? 1 : 0];
        *bound = m->solved || !same ? bound_of_all(world, m, *bound) : *bound;
        for (uint32_t k = 0; k < m->count; ++k)
        {
            deepest = fmax(deepest, -store->points[m->first + k].separation);
        }
    }
    world->sleeping_key = key;
    world->sleeping_depth = bounds[0];
    report->max_penetration = (float)deepest;
    report->max_penetration_bound = (float)fmax(deepest, fmax(bounds[0], bounds[1]));
}
