// Wide constraints from manifolds, and their parallel solution by colours.
#include "dynamics/impulse/contact_constraint.h"

#include "base/assert.h"
#include "base/tasks.h"
#include "dynamics/contacts/convex_contacts.h"
#include "dynamics/contacts/reselect.h"
#include "dynamics/contacts/update.h"
#include "dynamics/impulse/energy.h"
#include "dynamics/impulse/impulse.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    BLOCK = 16,          // wide constraints of a task
    WORTH_SHARING = 512, // contact constraints of a colour worth waking other threads
    // Biased iterations of a tight pair, and of the other lanes of its wide constraint, before positions: an
    // impulse at one contact closes the opposing one, and play is small.
    TIGHT_ITERATIONS = 4
};

// -----------------------------------------------------------------------------------------------------------
// Planning
// -----------------------------------------------------------------------------------------------------------

/// Colours in the order of the solver: the overflow first, one by one; the other colours correct its errors.
static int color_at_index(int index)
{
    return index == 0 ? ABUT_COLOR_OVERFLOW : index - 1;
}

/// Manifolds of a colour per wide constraint.
static uint32_t lanes_of(int color)
{
    return color == ABUT_COLOR_OVERFLOW ? 1 : ABUT_SOLVE_LANES;
}

static const AbutManifold* manifold_at(const AbutStepContext* step, uint32_t index)
{
    const AbutWorld* world = step->world;
    return &world->stores[world->current].manifolds[abut_impulse(step)->order[index]];
}

/// Manifolds of a colour are sorted by falling count of points, so that few lanes are empty.
static size_t count_constraints(const AbutStepContext* step)
{
    size_t sum = 0;
    for (int color = 0; color < ABUT_COLOR_COUNT; ++color)
    {
        for (uint32_t i = abut_impulse(step)->color_first[color];
             i < abut_impulse(step)->color_first[color + 1]; i += lanes_of(color))
        {
            sum += manifold_at(step, i)->count;
        }
    }
    return sum;
}

static void count_wide(const AbutStepContext* step, AbutConstraints* constraints)
{
    constraints->first[0] = 0;
    for (int index = 0; index < ABUT_COLOR_COUNT; ++index)
    {
        int color = color_at_index(index);
        uint32_t manifolds =
            abut_impulse(step)->color_first[color + 1] - abut_impulse(step)->color_first[color];
        constraints->first[index + 1] =
            constraints->first[index] + abut_block_count(manifolds, lanes_of(color));
    }
}

AbutResult abut_constraints_reserve(const AbutStepContext* step)
{
    AbutConstraints* constraints = &abut_impulse(step)->constraints;
    size_t bodies = step->world->body_count;
    count_wide(step, constraints);
    constraints->contact_count = count_constraints(step);
    constraints->wide_constraints =
        abut_step_allocate(step, constraints->first[ABUT_COLOR_COUNT], sizeof(AbutWideConstraint));
    constraints->contact_constraints =
        abut_step_allocate(step, constraints->contact_count, sizeof(AbutContactConstraint));
    constraints->velocities = abut_step_allocate(step, bodies, sizeof(AbutSolveVelocity));
    constraints->masses = abut_step_allocate(step, bodies, sizeof(AbutSolveMass));
    constraints->poses = abut_step_allocate(step, bodies, sizeof(AbutSolvePose));
    bool good = constraints->wide_constraints != NULL && constraints->contact_constraints != NULL &&
                constraints->velocities != NULL && constraints->masses != NULL && constraints->poses != NULL;
    return good ? abut_conserve_reserve(step) : ABUT_OUT_OF_MEMORY;
}

/// Springs that yield to their load let bodies sink by gravity / frequency², for every body above, however
/// small. So they yield to changes of the load alone: this is the share of the difference by which the load
/// follows the relaxed impulse in a substep. With 1, springs would not be soft, and stacks would tremble.
/// Loads of tight and of deep pairs do not last.
#define LOAD_RATE 0.1

/// Contacts of convex solids share the load of their manifold equally, but for those deeper than this
/// fraction of the radius of the smaller body.
#define LOAD_DEPTH_FRACTION 0.01

/// Slop: penetration without a bias, as a fraction of the radius of the smaller body. Bodies pushed out of
/// every small penetration are lifted and rock forever. Tight pairs have none: pressure from both sides would
/// stay.
#define SLOP_FRACTION 0.0015

// -----------------------------------------------------------------------------------------------------------
// Filling
// -----------------------------------------------------------------------------------------------------------

/// Contacts of core points, if any, come last.
static void fill_convex_lane(const AbutWorld* world, AbutWideConstraint* wide, int lane,
                             const AbutManifold* m)
{
    const AbutManifoldPoint* points = world->stores[world->current].points + m->first;
    wide->is_convex = wide->is_convex && m->count > 0 && points[m->count - 1].is_convex;
    wide->on_b[lane] = m->count > 0 && points[0].on_b ? 1.0 : 0.0;
    wide->is_central[lane] = abut_pair_is_central(&world->bodies[m->a], &world->bodies[m->b]) ? 1.0 : 0.0;
}

static void fill_lane(AbutWorld* world, AbutWideConstraint* wide, int lane, uint32_t manifold,
                      const AbutContactSprings* springs)
{
    const AbutManifold* m = &world->stores[world->current].manifolds[manifold];
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    wide->manifold[lane] = manifold;
    wide->a[lane] = m->a;
    wide->b[lane] = m->b;
    wide->moves_a[lane] = a->inverse_mass > 0.0;
    wide->moves_b[lane] = b->inverse_mass > 0.0;
    a->contact_free = a->contact_free && !wide->moves_a[lane];
    b->contact_free = b->contact_free && !wide->moves_b[lane];
    wide->friction[lane] = m->friction;
    wide->restitution[lane] = m->restitution;
    wide->rolling_resistance[lane] =
        m->is_tight ? 0.0
                    : sqrt((double)a->material.rolling_resistance * (double)b->material.rolling_resistance);
    wide->slop[lane] = m->is_tight ? 0.0 : SLOP_FRACTION * fmin((double)a->radius, (double)b->radius);
    wide->max_depenetration_speed[lane] =
        (double)world->def.max_depenetration_speed * abut_pair_speed_unit(world, a, b);
    wide->extra_iterations = m->is_tight ? TIGHT_ITERATIONS - 1 : wide->extra_iterations;
    bool is_soft = wide->moves_a[lane] && wide->moves_b[lane] && !m->is_tight;
    const AbutSoftness* soft = m->is_convex ? (is_soft ? &springs->convex_soft : &springs->convex_hard)
                                            : (is_soft ? &springs->soft : &springs->hard);
    wide->bias_rate[lane] = soft->bias_rate;
    wide->mass_scale[lane] = soft->mass_scale;
    wide->impulse_scale[lane] = soft->impulse_scale;
    wide->load_rate[lane] = m->bears_load ? LOAD_RATE : 0.0;
    wide->load_depth[lane] =
        m->is_convex ? LOAD_DEPTH_FRACTION * fmin((double)a->radius, (double)b->radius) : -INFINITY;
    abut_solve_store(a->axis_inverse_mass, wide->inverse_mass_a, lane);
    abut_solve_store(b->axis_inverse_mass, wide->inverse_mass_b, lane);
    fill_convex_lane(world, wide, lane, m);
}

/// An empty lane has the bodies of the first one, and moves neither.
static void empty_lane(AbutWideConstraint* wide, int lane)
{
    wide->manifold[lane] = UINT32_MAX;
    wide->a[lane] = wide->a[0];
    wide->b[lane] = wide->b[0];
}

static void fill_wide(const AbutStepContext* step, const AbutContactSprings* springs)
{
    AbutWideConstraint* wide = abut_impulse(step)->constraints.wide_constraints;
    uint32_t constraint = 0;
    for (int index = 0; index < ABUT_COLOR_COUNT; ++index)
    {
        int color = color_at_index(index);
        uint32_t end = abut_impulse(step)->color_first[color + 1], lanes = lanes_of(color);
        for (uint32_t i = abut_impulse(step)->color_first[color]; i < end; i += lanes)
        {
            memset(wide, 0, sizeof(*wide));
            wide->first = constraint;
            wide->count = manifold_at(step, i)->count; // the largest of its lanes
            wide->is_convex = true;
            constraint += wide->count;
            ABUT_ASSERT(constraint <= abut_impulse(step)->constraints.contact_count);
            for (uint32_t lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
            {
                if (lane < lanes && i + lane < end)
                {
                    fill_lane(step->world, wide, (int)lane, abut_impulse(step)->order[i + lane], springs);
                }
                else
                {
                    empty_lane(wide, (int)lane);
                }
            }
            ++wide;
        }
    }
}

/// The order of separation: the first contact to close takes the impulse. In any other order a contact that
/// is still open takes it, at a point without touch.
static void sort_points(const AbutManifoldPoint* points, uint32_t count, uint8_t order[ABUT_MANIFOLD_POINTS])
{
    for (uint32_t k = 0; k < count; ++k)
    {
        uint32_t to = k;
        for (; to > 0 && points[order[to - 1]].separation > points[k].separation; --to)
        {
            order[to] = order[to - 1];
        }
        order[to] = (uint8_t)k;
    }
}

/// Axes, r and gap of a contact.
static void set_geometry(const AbutManifoldPoint* point, AbutContactConstraint* constraint, int lane)
{
    abut_solve_store(point->normal, constraint->axis[0], lane);
    abut_solve_store(point->tangent[0], constraint->axis[1], lane);
    abut_solve_store(point->tangent[1], constraint->axis[2], lane);
    abut_solve_store(point->r_a, constraint->r_a, lane);
    abut_solve_store(point->r_b, constraint->r_b, lane);
    constraint->gap[lane] = point->gap;
}

static void read_impulses(AbutManifoldPoint* point, const AbutContactConstraint* constraint, int lane)
{
    point->normal_impulse = constraint->impulse[0][lane];
    point->tangent_impulse[0] = constraint->impulse[1][lane];
    point->tangent_impulse[1] = constraint->impulse[2][lane];
}

static void write_impulses(const AbutManifoldPoint* point, AbutContactConstraint* constraint, int lane)
{
    constraint->impulse[0][lane] = point->normal_impulse;
    constraint->impulse[1][lane] = point->tangent_impulse[0];
    constraint->impulse[2][lane] = point->tangent_impulse[1];
}

static void fill_constraint(AbutManifoldPoint* point, AbutContactConstraint* constraint, int lane)
{
    set_geometry(point, constraint, lane);
    write_impulses(point, constraint, lane);
    constraint->load[lane] = point->load;
    if (point->is_convex)
    {
        abut_solve_store(point->local_anchor_a, constraint->anchor_a, lane);
        abut_solve_store(point->local_anchor_b, constraint->anchor_b, lane);
        abut_solve_store(point->on_b ? abut_dvec3_neg(point->field_normal) : point->field_normal,
                         constraint->local_normal, lane);
        constraint->radius_a[lane] = point->radius_a;
        constraint->radius_b[lane] = point->radius_b;
    }
}

/// Impulses along the new axes.
static void update_constraint(AbutManifoldPoint* point, AbutContactConstraint* constraint, int lane)
{
    const double(*axis)[3][ABUT_SOLVE_LANES] = (const double(*)[3][ABUT_SOLVE_LANES])constraint->axis;
    AbutDVec3 friction_impulse =
        abut_dvec3_mul_add(abut_dvec3_scale(abut_solve_load(axis[1], lane), constraint->impulse[1][lane]),
                           constraint->impulse[2][lane], abut_solve_load(axis[2], lane));
    double same =
        0.0 + abut_dvec3_dot(abut_solve_load(axis[0], lane), point->normal); // cosine of the rotation
    set_geometry(point, constraint, lane);
    constraint->impulse[0][lane] *= same > 0.0 ? same : 0.0;
    constraint->impulse[1][lane] = abut_dvec3_dot(friction_impulse, point->tangent[0]);
    constraint->impulse[2][lane] = abut_dvec3_dot(friction_impulse, point->tangent[1]);
}

typedef struct FillTask
{
    const AbutStepContext* step;
    const AbutSolveContext* context;
} FillTask;

/// The points of a lane in the order of its contact constraints; their count.
static uint32_t points_of(const FillTask* fill, const AbutWideConstraint* wide, int lane,
                          AbutManifoldPoint** points, uint8_t order[ABUT_MANIFOLD_POINTS])
{
    if (wide->manifold[lane] == UINT32_MAX)
    {
        return 0;
    }
    const AbutWorld* world = fill->step->world;
    const AbutContactStore* store = &world->stores[world->current];
    const AbutManifold* m = &store->manifolds[wide->manifold[lane]];
    ABUT_ASSERT(m->count <= wide->count);
    *points = store->points + m->first;
    sort_points(*points, m->count, order);
    return m->count;
}

static uint32_t block_end(const AbutConstraints* constraints, uint32_t block)
{
    uint32_t end = (block + 1) * BLOCK, all = constraints->first[ABUT_COLOR_COUNT];
    return end < all ? end : all;
}

/// Contacts of interpenetrating solids have no common direction out: they press against each other, and once
/// one of them is lost the others would eject the body. So no substep starts with internal impulses.
static void damp_lane(const FillTask* fill, const AbutWideConstraint* wide, int lane,
                      AbutManifoldPoint* points, const uint8_t order[ABUT_MANIFOLD_POINTS], uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k)
    {
        read_impulses(&points[order[k]], &fill->context->contact_constraints[wide->first + k], lane);
    }
    abut_contacts_damp_internal_impulses(points, count);
    for (uint32_t k = 0; k < count; ++k)
    {
        write_impulses(&points[order[k]], &fill->context->contact_constraints[wide->first + k], lane);
    }
}

static bool is_jammed(const AbutWorld* world, uint32_t manifold)
{
    return manifold != UINT32_MAX && world->stores[world->current].manifolds[manifold].is_jammed;
}

typedef void ConstraintFn(AbutManifoldPoint* point, AbutContactConstraint* constraint, int lane);

/// Calls `visit` for every contact of a wide constraint; if it `updates`, with contacts at the present poses.
static void visit_constraints(const FillTask* fill, const AbutWideConstraint* wide, bool updates,
                              ConstraintFn* visit)
{
    const AbutBody* bodies = fill->step->world->bodies;
    for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
    {
        uint8_t order[ABUT_MANIFOLD_POINTS];
        AbutManifoldPoint* points = NULL;
        uint32_t count = points_of(fill, wide, lane, &points, order);
        if (updates && is_jammed(fill->step->world, wide->manifold[lane]))
        {
            damp_lane(fill, wide, lane, points, order, count);
        }
        if (updates)
        {
            abut_contacts_update(&bodies[wide->a[lane]], &bodies[wide->b[lane]], points, count);
        }
        for (uint32_t k = 0; k < count; ++k)
        {
            visit(&points[order[k]], &fill->context->contact_constraints[wide->first + k], lane);
        }
    }
}

static void fill_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FillTask* fill = context;
    uint32_t first = block * BLOCK, end = block_end(&abut_impulse(fill->step)->constraints, block);
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &fill->context->wide_constraints[i];
        memset(fill->context->contact_constraints + wide->first, 0,
               wide->count * sizeof(AbutContactConstraint));
        visit_constraints(fill, wide, false, fill_constraint);
    }
    abut_solve_kernels()->prepare(fill->context, first, end);
}

static void update_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FillTask* fill = context;
    uint32_t first = block * BLOCK, end = block_end(&abut_impulse(fill->step)->constraints, block);
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &fill->context->wide_constraints[i];
        if (!wide->is_convex)
        {
            visit_constraints(fill, wide, true, update_constraint);
        }
    }
    abut_solve_kernels()->update_convex(fill->context, first, end);
    abut_solve_kernels()->prepare(fill->context, first, end);
}

/// Impulses for the next step, and the axes that they are along.
static void store_constraint(AbutManifoldPoint* point, AbutContactConstraint* constraint, int lane)
{
    const double(*axis)[3][ABUT_SOLVE_LANES] = (const double(*)[3][ABUT_SOLVE_LANES])constraint->axis;
    point->normal = abut_solve_load(axis[0], lane);
    point->tangent[0] = abut_solve_load(axis[1], lane);
    point->tangent[1] = abut_solve_load(axis[2], lane);
    read_impulses(point, constraint, lane);
    point->load = constraint->load[lane];
    point->total_impulse = constraint->total_impulse[lane];
}

static void store_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FillTask* fill = context;
    uint32_t end = block_end(&abut_impulse(fill->step)->constraints, block);
    for (uint32_t i = block * BLOCK; i < end; ++i)
    {
        visit_constraints(fill, &fill->context->wide_constraints[i], false, store_constraint);
    }
}

void abut_constraints_make(const AbutStepContext* step, const AbutSolveContext* context,
                           const AbutContactSprings* springs)
{
    FillTask fill = { step, context };
    fill_wide(step, springs);
    abut_parallel_for(&step->world->host,
                      abut_block_count(abut_impulse(step)->constraints.first[ABUT_COLOR_COUNT], BLOCK),
                      fill_block, &fill);
}

void abut_constraints_update(const AbutStepContext* step, const AbutSolveContext* context)
{
    FillTask fill = { step, context };
    abut_parallel_for(&step->world->host,
                      abut_block_count(abut_impulse(step)->constraints.first[ABUT_COLOR_COUNT], BLOCK),
                      update_block, &fill);
}

void abut_constraints_store_impulses(const AbutStepContext* step, const AbutSolveContext* context)
{
    FillTask fill = { step, context };
    abut_parallel_for(&step->world->host,
                      abut_block_count(abut_impulse(step)->constraints.first[ABUT_COLOR_COUNT], BLOCK),
                      store_block, &fill);
}

// -----------------------------------------------------------------------------------------------------------
// Colours
// -----------------------------------------------------------------------------------------------------------

typedef struct GroupTask
{
    const AbutSolveContext* context;
    AbutSolveKernel* kernel;
    uint32_t first, end;
} GroupTask;

static void kernel_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const GroupTask* group = context;
    uint32_t first = group->first + block * BLOCK, end = first + BLOCK;
    group->kernel(group->context, first, end < group->end ? end : group->end);
}

void abut_constraints_solve(const AbutStepContext* step, const AbutSolveContext* context,
                            AbutSolveKernel* kernel)
{
    const AbutConstraints* constraints = &abut_impulse(step)->constraints;
    bool alone = step->world->host.worker_count <= 1;
    for (int index = 0; index < ABUT_COLOR_COUNT; ++index)
    {
        GroupTask group = { context, kernel, constraints->first[index], constraints->first[index + 1] };
        if (group.first == group.end)
        {
            continue;
        }
        const AbutWideConstraint* last = &context->wide_constraints[group.end - 1];
        uint32_t size = last->first + last->count - context->wide_constraints[group.first].first;
        if (alone || size < WORTH_SHARING || color_at_index(index) == ABUT_COLOR_OVERFLOW)
        {
            kernel(context, group.first, group.end);
            continue;
        }
        abut_parallel_for(&step->world->host, abut_block_count(group.end - group.first, BLOCK), kernel_block,
                          &group);
    }
}
