// Bounds of the penetration depth. A field is eroded at convex edges and corners by a fraction of a cell, and
// by more at sharp ones: contacts are points of the surfaces of fields, and the solids overlap by more. The
// depth of the solids is bounded on the line of a contact: if A extends by at most s from the contact against
// the normal, and the contact is at most d deep in B, then no point of A on the line is deeper in B than s +
// d; and the same for B. What both share on the line ends where either does: a normal may lead along a wall
// of A, out of B. That is proved; the term for points between contacts is measured.
#include "dynamics/depth.h"

#include "base/fp_env.h"
#include "base/tasks.h"
#include "dynamics/state/speculative.h"
#include "field/distance_bounds.h"
#include "field/field.h"
#include "math/dvec3.h"

#include <math.h>

enum
{
    MAX_SAMPLES = 64
};

/// First step along a line: a fraction of a cell of the field, or of the radius for other shapes. Steps grow,
/// so that every line ends.
#define CELL_FRACTION 0.5
#define RADIUS_FRACTION 1e-3
#define STEP_GROWTH 1.2

/// Depth beside the line of a contact beyond that on it. Fields resolve nothing smaller than a cell, and
/// contacts within half of the margin are duplicates (contacts/pair_contacts.c): fractions of the larger cell
/// and of the margin. Not proved: a third of the heaps tried by hand needed it, up to 0.2 cells, and 0.04
/// margins between primitives. test_dynamics_depth checks exact depths against the sum.
#define BESIDE_CELLS 0.5
#define BESIDE_MARGIN 0.1

/// Lower bound of the true distance; −∞ if unknown.
static double distance_low(const AbutBody* body, const AbutShapeInfo* info, AbutDVec3 at)
{
    AbutVec3 p = abut_dvec3_to_vec3(at);
    if (info->kind == ABUT_SHAPE_FIELD)
    {
        return abut_field_distance_low(body->shape, p);
    }
    double low = (double)abut_shape_distance(body->shape, p, NULL) - (double)info->error;
    return low > 0.0 ? low / (double)info->lipschitz : low;
}

/// A line in the frame of a shape.
typedef struct Line
{
    AbutDVec3 from, along;
} Line;

static Line line_in(const AbutBody* body, AbutDVec3 from, AbutDVec3 direction)
{
    AbutDVec3 r = abut_dmat3_transform_transposed(&body->matrix, abut_dvec3_sub(from, body->position));
    return (Line){ abut_dvec3_add(abut_dvec3_div(r, (double)body->scale), body->center),
                   abut_dmat3_transform_transposed(&body->matrix, direction) };
}

/// Cell size of the field of a body, in its frame; 0 for other shapes.
static double cell_of(const AbutBody* body)
{
    bool is_field = abut_shape_is_field(body->shape);
    return is_field ? ((const AbutFieldHeader*)abut_field_of(body->shape)->block)->cell_size : 0.0;
}

/// Upper bound of the extent of a solid on a line: negative if it ends before the point. Solid beyond a gap
/// counts if no sample is in the gap.
static double extent(const AbutBody* body, double size, AbutDVec3 from, AbutDVec3 direction)
{
    const AbutShapeInfo* info = &body->shape->info;
    Line line = line_in(body, from, direction);
    double scale = (double)body->scale, length = 0.0;
    double step = fmax(CELL_FRACTION * cell_of(body), RADIUS_FRACTION * size / scale);
    for (int i = 0; i < MAX_SAMPLES && isfinite(length); ++i)
    {
        double low = distance_low(body, info, abut_dvec3_mul_add(line.from, length, line.along));
        if (low > 0.0)
        {
            return (length - low) * scale;
        }
        length += fmax(-low, step);
        step *= STEP_GROWTH;
    }
    return INFINITY;
}

/// Upper bound of the depth of a point in a solid: negative outside. Without an exact distance, the extent in
/// a direction.
static double depth_in(const AbutBody* body, double size, AbutDVec3 from, AbutDVec3 direction)
{
    const AbutShapeInfo* info = &body->shape->info;
    bool is_exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_INSIDE;
    Line line = line_in(body, from, direction);
    return is_exact ? -distance_low(body, info, line.from) * (double)body->scale
                    : extent(body, size, from, direction);
}

/// Upper bound of the depth in `other` of the points that both solids share on the line from a point: against
/// `out`, an outward normal of the other solid.
static double depth_on_line(const AbutBody* own, const AbutBody* other, double size, AbutDVec3 from,
                            AbutDVec3 out)
{
    AbutDVec3 in = abut_dvec3_neg(out);
    double length = extent(own, size, from, in);
    length = length > 0.0 ? fmin(length, extent(other, size, from, in)) : length;
    return length + depth_in(other, size, from, out);
}

/// Bound at the contact itself, by the errors of both distances.
static double rough_bound(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* point)
{
    return a->surface_error + b->surface_error - point->separation;
}

/// The contact is a point of one surface, and one of the other is at about its depth along the normal. Where
/// surfaces do not face each other, or are deeper than the errors, the normal may lead along a wall and not
/// out of it.
static double bound_of(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* point)
{
    double rough = rough_bound(a, b, point);
    if (a->surface_error == 0.0 && b->surface_error == 0.0)
    {
        return rough;
    }
    const AbutBody *own = point->on_b ? b : a, *other = point->on_b ? a : b;
    AbutDVec3 local = point->on_b ? point->local_anchor_b : point->local_anchor_a;
    AbutDVec3 out = point->on_b ? abut_dvec3_neg(point->normal) : point->normal; // of the other solid
    AbutDVec3 core = abut_dvec3_add(own->position, abut_dmat3_transform(&own->matrix, local));
    AbutDVec3 at = abut_dvec3_mul_sub(core, point->on_b ? point->radius_b : point->radius_a, out);
    AbutDVec3 there = abut_dvec3_mul_sub(at, point->separation, out);
    double size = fmin((double)a->radius, (double)b->radius);
    double bound = fmax(depth_on_line(own, other, size, at, out),
                        depth_on_line(other, own, size, there, abut_dvec3_neg(out)));
    bool leads_out = point->faces && rough > -2.0 * point->separation;
    return leads_out ? bound : fmin(bound, rough);
}

/// The bound of a contact with what may be beside its line.
static double bound_beside(const AbutWorld* world, const AbutManifold* m, const AbutManifoldPoint* point,
                           double least)
{
    const AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    double cells = fmax(cell_of(a) * (double)a->scale, cell_of(b) * (double)b->scale);
    double beside = BESIDE_CELLS * cells + BESIDE_MARGIN * abut_pair_speculative_distance(world, a, b);
    // Sharp edges are eroded by more than the error of their distances: a factor of 2 before a contact is
    // skipped.
    bool counts = 2.0 * rough_bound(a, b, point) > least - beside;
    return counts ? fmax(least, bound_of(a, b, point) + beside) : least;
}

/// Bound of the contacts of a pair, if more than `least`.
static double bound_of_all(const AbutWorld* world, const AbutManifold* m, double least)
{
    const AbutManifoldPoint* points = world->stores[world->current].points + m->first;
    for (uint32_t i = 0; i < m->count; ++i)
    {
        least = bound_beside(world, m, &points[i], least);
    }
    return least;
}

enum
{
    BLOCKS = 32 // of manifolds: each begins with the bound of the deepest contact, so that few others count
};

typedef struct DepthTask
{
    const AbutWorld* world;
    bool with_sleepers;
    double seeds[2];          // of sleeping pairs, of the others
    double bounds[BLOCKS][2]; // ...
} DepthTask;

static void depth_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    DepthTask* task = context;
    const AbutContactStore* store = &task->world->stores[task->world->current];
    double* bounds = task->bounds[block];
    size_t first = store->manifold_count * block / BLOCKS, end = store->manifold_count * (block + 1) / BLOCKS;
    bounds[0] = task->seeds[0];
    bounds[1] = task->seeds[1];
    for (size_t i = first; i < end; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        int side = m->solved ? 1 : 0;
        bounds[side] =
            m->solved || task->with_sleepers ? bound_of_all(task->world, m, bounds[side]) : bounds[side];
    }
}

/// The largest depth of the contacts, and the bounds of the deepest ones as seeds.
static double find_deepest(const AbutWorld* world, DepthTask* task)
{
    const AbutContactStore* store = &world->stores[world->current];
    const AbutManifold* owners[2] = { NULL, NULL };
    const AbutManifoldPoint* extreme[2] = { NULL, NULL };
    double depth = 0.0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        int side = m->solved ? 1 : 0;
        for (uint32_t k = 0; k < m->count; ++k)
        {
            const AbutManifoldPoint* point = &store->points[m->first + k];
            depth = fmax(depth, -point->separation);
            if (extreme[side] == NULL || point->separation < extreme[side]->separation)
            {
                extreme[side] = point;
                owners[side] = m;
            }
        }
    }
    for (int side = task->with_sleepers ? 0 : 1; side < 2; ++side)
    {
        task->seeds[side] =
            extreme[side] != NULL ? bound_beside(world, owners[side], extreme[side], task->seeds[side]) : 0.0;
    }
    return depth;
}

/// Key of the sleeping pairs; not 0.
static uint64_t key_of_sleepers(const AbutContactStore* store)
{
    uint64_t key = 1;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        const uint64_t words[5] = { m->a, m->b, m->generation_a, m->generation_b, m->step };
        for (int k = 0; k < 5 && !m->solved; ++k)
        {
            key = (key ^ words[k]) * 0x100000001b3u;
        }
    }
    return key != 0 ? key : 1;
}

double abut_world_max_penetration(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    double depth = 0.0;
    for (size_t i = 0; i < store->point_count; ++i)
    {
        depth = fmax(depth, -store->points[i].separation);
    }
    return depth;
}

float abut_world_penetration_bound(AbutWorld* world)
{
    ABUT_FP_CALL(abut_world_penetration_bound, world);
    uint64_t key = key_of_sleepers(&world->stores[world->current]);
    bool same = key == world->sleeping_key; // depths of sleeping pairs are cached
    DepthTask task = { .world = world,
                       .with_sleepers = !same,
                       .seeds = { same ? world->sleeping_depth : 0.0, 0.0 } };
    double depth = find_deepest(world, &task), bounds[2] = { task.seeds[0], task.seeds[1] };
    abut_parallel_for(&world->host, BLOCKS, depth_block, &task);
    for (int i = 0; i < BLOCKS; ++i)
    {
        bounds[0] = fmax(bounds[0], task.bounds[i][0]);
        bounds[1] = fmax(bounds[1], task.bounds[i][1]);
    }
    world->sleeping_key = key;
    world->sleeping_depth = bounds[0];
    return (float)fmax(depth, fmax(bounds[0], bounds[1]));
}
