// Energy of tight pairs. Normals of sampled surfaces vary from cell to cell, and each change of a normal
// removes the relative velocity along the new one, as a plastic impact does: in every substep a share of the
// energy equal to the square of the angle. A nut that slides on its thread by a radian per step would lose
// half of the energy from gravity. Exact contacts without friction are perpendicular to the sliding motion
// and do no work, so the pair regains the work of its normal impulses, as a larger relative velocity, in a
// direction that all contacts allow.
//
// The work of an impulse p is p · (v₀ + v₁) / 2, with the velocities at its point before and after the
// substep: the sum over all impulses is the change of the kinetic energy. Positions are integrated with the
// velocity of the biased solution, which is neither, and potential energy changes with that motion: the
// difference counts too, so that the sum of both energies stays. Where contacts sink under their load, or are
// lifted by their springs, that is work on the springs, and not on the relative motion.
//
// The loss of an impact stays lost. An impact follows on a flight, without impulses and apart by more than
// the error of the surfaces, and ends when the bodies have slid along each other: within a fraction of a cell
// normals hardly change, and the loss is that of bodies that come to rest against each other. And an impact
// is more than a small fraction of the energy at once.
#include "dynamics/impulse/energy.h"

#include "dynamics/impulse/impulse.h"
#include "dynamics/state/world.h"
#include "field/field.h"

#include <math.h>

/// Largest fraction of the energy of the relative motion that a substep restores: the square of the sine of
/// about 33° between normals. More is an impact.
#define GRAZING_FRACTION 0.3

/// The same without friction, for 45°: fields round off the sharp edges between the faces of a nut and its
/// thread cell by cell, and normals of fields of order 1 rotate by 40° within half a cell along them.
#define SMOOTH_GRAZING_FRACTION 0.5

/// Gap of a flight, and slide after it until an impact is over, in cells of the coarser field.
#define FLIGHT_CELLS 0.1
#define IMPACT_CELLS 0.25

/// Length for shapes that are no fields instead of a cell, as a fraction of the radius of the smaller body.
#define CELL_FRACTION 0.01

/// Rate at which the sink of a pair follows the mean depth of its contacts, per substep. Up to a slide of
/// LANDING_CELLS after an impact, and beyond NEW_DEPTH_CELLS, in cells of the coarser field, the difference
/// is due to contacts that are new, and not to a motion.
#define SINK_RATE 0.05
#define LANDING_CELLS 1.5
#define NEW_DEPTH_CELLS 0.03

// -----------------------------------------------------------------------------------------------------------
// The list of guided pairs
// -----------------------------------------------------------------------------------------------------------

/// Sine of the least angle between a contact and the plane of the mean normal that opposes a motion.
#define LEAN 0.2

/// True when some contact opposes the component of a direction across the mean normal; true too for a
/// direction along it.
static bool opposes(const AbutManifoldPoint* points, uint32_t count, AbutDVec3 mean, AbutDVec3 direction)
{
    double along = abut_dvec3_dot(direction, mean) / abut_dvec3_dot(mean, mean), least = 0.0;
    AbutDVec3 across = abut_dvec3_mul_sub(direction, along, mean);
    for (uint32_t i = 0; i < count; ++i)
    {
        least = fmin(least, abut_dvec3_dot(points[i].normal, across));
    }
    double length = abut_dvec3_length(across);
    return length < 0.5 * abut_dvec3_length(direction) || least < -LEAN * length;
}

/// True when contacts oppose motions to all sides of their mean normal: contacts of a thread with play are on
/// one flank, all around its axis.
static bool opposes_all_around(const AbutManifoldPoint* points, uint32_t count)
{
    AbutDVec3 mean = abut_dvec3_zero();
    for (uint32_t i = 0; i < count; ++i)
    {
        mean = abut_dvec3_add(mean, points[i].normal);
    }
    bool opposed = count > 2 && abut_dvec3_dot(mean, mean) > 0.0;
    for (int i = 0; opposed && i < 27; ++i) // centres of faces and edges, and corners of a cube
    {
        AbutDVec3 direction = abut_dvec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        opposed = i == 13 || opposes(points, count, mean, direction);
    }
    return opposed;
}

/// Tight pairs, and frictionless pairs with more play and contacts all around: their loss is the error of
/// normals alone.
static bool is_guided(const AbutWorld* world, const AbutManifold* m)
{
    const AbutContactStore* store = &world->stores[world->current];
    bool free = m->friction == 0.0 && m->restitution == 0.0 && m->touching && m->bears_load;
    return m->is_tight || (free && opposes_all_around(&store->points[m->first], m->count));
}

/// Locked axes take momentum and energy.
static bool is_conserved(const AbutWorld* world, const AbutManifold* m)
{
    bool free = world->bodies[m->a].locked == 0 && world->bodies[m->b].locked == 0;
    return m->solved && is_guided(world, m) && !m->is_jammed && free;
}

AbutResult abut_conserve_reserve(const AbutStepContext* step)
{
    const AbutContactStore* store = &step->world->stores[step->world->current];
    AbutConstraints* constraints = &abut_impulse(step)->constraints;
    size_t count = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        count += store->manifolds[i].is_tight || store->manifolds[i].friction == 0.0 ? 1u : 0u;
    }
    constraints->tight_pairs = abut_step_allocate(step, count, sizeof(AbutTightPair));
    return constraints->tight_pairs != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

/// Cell size of the field of a body, in world units; 0 for other shapes.
static double cell_of(const AbutBody* body)
{
    bool is_field = abut_shape_is_field(body->shape);
    double cell = is_field ? ((const AbutFieldHeader*)abut_field_of(body->shape)->block)->cell_size : 0.0;
    return cell * (double)body->scale;
}

/// The length over which surfaces of a pair are known no better.
static double detail_of(const AbutBody* a, const AbutBody* b)
{
    double cell = fmax(cell_of(a), cell_of(b));
    return cell > 0.0 ? cell : CELL_FRACTION * fmin((double)a->radius, (double)b->radius);
}

void abut_conserve_collect(const AbutStepContext* step, const AbutSolveContext* context)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* store = &world->stores[world->current];
    AbutConstraints* constraints = &abut_impulse(step)->constraints;
    constraints->tight_pair_count = 0;
    for (uint32_t i = 0; i < constraints->first[ABUT_COLOR_COUNT]; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            uint32_t manifold = context->wide_constraints[i].manifold[lane];
            if (manifold != UINT32_MAX && is_conserved(world, &store->manifolds[manifold]))
            {
                const AbutManifold* m = &store->manifolds[manifold];
                double detail = detail_of(&world->bodies[m->a], &world->bodies[m->b]);
                constraints->tight_pairs[constraints->tight_pair_count++] =
                    (AbutTightPair){ .wide = i, .lane = lane, .detail = detail };
            }
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Normal impulses
// -----------------------------------------------------------------------------------------------------------

/// Adds the present normal impulses times `sign`.
static void add_impulses(const AbutSolveContext* context, AbutTightPair* pair, double sign)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    int lane = pair->lane;
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double size = sign * constraint->impulse[0][lane];
        if (size == 0.0)
        {
            continue;
        }
        AbutDVec3 impulse = abut_dvec3_scale(abut_solve_load(constraint->axis[0], lane), size);
        AbutDVec3 torque_a = abut_dvec3_cross(abut_solve_load(constraint->r_a, lane), impulse);
        AbutDVec3 torque_b = abut_dvec3_cross(abut_solve_load(constraint->r_b, lane), impulse);
        pair->impulse = abut_dvec3_add(pair->impulse, impulse);
        pair->torque[0] = abut_dvec3_add(pair->torque[0], torque_a);
        pair->torque[1] = abut_dvec3_add(pair->torque[1], torque_b);
    }
}

static double depth_of(const AbutContactConstraint* constraint, int lane)
{
    return fmax(-constraint->gap[lane], 0.0);
}

void abut_conserve_begin(const AbutStepContext* step, const AbutSolveContext* context)
{
    for (size_t i = 0; i < abut_impulse(step)->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &abut_impulse(step)->constraints.tight_pairs[i];
        const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
        pair->before[0] = context->velocities[wide->a[pair->lane]];
        pair->before[1] = context->velocities[wide->b[pair->lane]];
        pair->impulse = pair->torque[0] = pair->torque[1] = abut_dvec3_zero();
        for (uint32_t k = 0; k < wide->count; ++k)
        {
            const AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
            pair->depth[k] = depth_of(constraint, pair->lane);
            pair->last_impulse[k] = constraint->impulse[0][pair->lane];
        }
    }
}

void abut_conserve_solved(const AbutStepContext* step, const AbutSolveContext* context)
{
    for (size_t i = 0; i < abut_impulse(step)->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &abut_impulse(step)->constraints.tight_pairs[i];
        add_impulses(context, pair, 1.0);
    }
}

/// The relaxation starts from these impulses: its own is the difference.
void abut_conserve_moved(const AbutStepContext* step, const AbutSolveContext* context)
{
    for (size_t i = 0; i < abut_impulse(step)->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &abut_impulse(step)->constraints.tight_pairs[i];
        const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
        pair->moved[0] = context->velocities[wide->a[pair->lane]];
        pair->moved[1] = context->velocities[wide->b[pair->lane]];
        add_impulses(context, pair, -1.0);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Energy
// -----------------------------------------------------------------------------------------------------------

/// Linear and angular velocity.
typedef struct Velocity
{
    AbutDVec3 linear, angular;
} Velocity;

static Velocity velocity_of(const AbutSolveVelocity* v)
{
    return (Velocity){ abut_dvec3_from_array(v->linear), abut_dvec3_from_array(v->angular) };
}

static Velocity mean_of(Velocity a, Velocity b)
{
    return (Velocity){ abut_dvec3_scale(abut_dvec3_add(a.linear, b.linear), 0.5),
                       abut_dvec3_scale(abut_dvec3_add(a.angular, b.angular), 0.5) };
}

static Velocity difference_of(Velocity a, Velocity b)
{
    return (Velocity){ abut_dvec3_sub(a.linear, b.linear), abut_dvec3_sub(a.angular, b.angular) };
}

static double force_along(double inverse_mass, float gravity, double force)
{
    return inverse_mass > 0.0 ? (double)gravity / inverse_mass + force : 0.0;
}

/// Work of forces over the motion of a substep beyond their work at the mean velocity.
static double work_of_forces(const AbutWorld* world, const AbutBody* body, Velocity moved, Velocity mean,
                             double seconds)
{
    if (!abut_body_moves(body))
    {
        return 0.0;
    }
    AbutVec3 g = world->def.gravity;
    AbutDVec3 m = body->axis_inverse_mass, f = body->force;
    Velocity beyond = difference_of(moved, mean);
    double sum = abut_dvec3_dot(body->torque, beyond.angular) + force_along(m.x, g.x, f.x) * beyond.linear.x +
                 force_along(m.y, g.y, f.y) * beyond.linear.y + force_along(m.z, g.z, f.z) * beyond.linear.z;
    return sum * seconds;
}

/// The sink of a pair after the substep, from that before: the mean depth of its contacts, weighted by their
/// impulses. The changes of all depths add up the noise of surfaces, since impulses are larger where a
/// contact gets deeper, and mean depths change with the distribution of the load. So the sink follows the
/// changes, and the mean slowly. `change`: the motion into the springs.
static double measure_sink(const AbutSolveContext* context, AbutTightPair* pair, double last, double slide,
                           double* change)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    double changes = 0.0, depths = 0.0, impulses = 0.0;
    pair->load = 0.0;
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        const AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double impulse = constraint->impulse[0][pair->lane], mean = 0.5 * (pair->last_impulse[k] + impulse);
        double depth = depth_of(constraint, pair->lane);
        changes += mean * (depth - pair->depth[k]);
        pair->load += mean;
        depths += impulse * depth;
        impulses += impulse;
    }
    *change = pair->load > 0.0 ? changes / pair->load : 0.0;
    double depth = impulses > 0.0 ? depths / impulses : 0.0, difference = depth - (last + *change);
    if (slide < LANDING_CELLS * pair->detail || fabs(difference) > NEW_DEPTH_CELLS * pair->detail)
    {
        return depth;
    }
    *change += SINK_RATE * difference;
    return last + *change;
}

/// Largest work on springs, as a multiple of that of the forces: contacts that press against each other have
/// more load than the weight. Without forces, springs would add the energy that an impact has lost.
#define SPRINGS_LIMIT 10.0

static double limit_springs(double springs, double forces)
{
    double limit = SPRINGS_LIMIT * fabs(forces);
    return fmin(fmax(springs, -limit), limit);
}

/// Energy that the pair has lost in the substep, in which its contacts sank by `sink`.
static double missing_energy(const AbutWorld* world, const AbutSolveContext* context,
                             const AbutTightPair* pair, double sink, double seconds)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    const uint32_t index[2] = { wide->a[pair->lane], wide->b[pair->lane] };
    double sum = 0.0, forces = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        Velocity mean =
            mean_of(velocity_of(&pair->before[side]), velocity_of(&context->velocities[index[side]]));
        double work =
            abut_dvec3_dot(pair->impulse, mean.linear) + abut_dvec3_dot(pair->torque[side], mean.angular);
        sum -= side == 0 ? work : -work;
        forces += work_of_forces(world, &world->bodies[index[side]], velocity_of(&pair->moved[side]), mean,
                                 seconds);
    }
    return sum + forces - limit_springs(pair->load * context->per_second * sink, forces);
}

static AbutDMat3 world_inertia(const AbutBody* body)
{
    AbutDMat3 half = abut_dmat3_multiply(&body->matrix, &body->inertia),
              transposed = abut_dmat3_transpose(&body->matrix);
    return abut_dmat3_multiply(&half, &transposed);
}

static double kinetic_energy(const AbutBody* body, Velocity v)
{
    AbutDMat3 inertia = world_inertia(body);
    AbutDVec3 linear = abut_dvec3_div(abut_dvec3_mul(v.linear, v.linear), body->inverse_mass);
    AbutDVec3 angular = abut_dvec3_mul(v.angular, abut_dmat3_transform(&inertia, v.angular));
    AbutDVec3 terms = abut_dvec3_add(linear, angular);
    return 0.5 * (0.0 + terms.x + terms.y + terms.z);
}

// -----------------------------------------------------------------------------------------------------------
// Common motion of two bodies
// -----------------------------------------------------------------------------------------------------------

/// A rigid velocity field about a centre.
typedef struct RigidMotion
{
    AbutDVec3 center;
    Velocity velocity; // of the centre
} RigidMotion;

static Velocity velocity_at(const RigidMotion* motion, AbutDVec3 position)
{
    AbutDVec3 r = abut_dvec3_sub(position, motion->center);
    AbutDVec3 cross = abut_dvec3_cross(motion->velocity.angular, r);
    return (Velocity){ abut_dvec3_add(motion->velocity.linear, cross), motion->velocity.angular };
}

/// Adds the angular momentum and the inertia of a body about the centre.
static void add_body(const AbutBody* body, Velocity velocity, const RigidMotion* motion, AbutDVec3* momentum,
                     AbutDMat3* inertia)
{
    double mass = 1.0 / body->inverse_mass;
    AbutDMat3 own = world_inertia(body);
    AbutDVec3 r = abut_dvec3_sub(body->position, motion->center);
    AbutDVec3 cross = abut_dvec3_cross(r, abut_dvec3_sub(velocity.linear, motion->velocity.linear));
    AbutDVec3 own_momentum = abut_dmat3_transform(&own, velocity.angular);
    *momentum = abut_dvec3_add(*momentum, abut_dvec3_add(abut_dvec3_scale(cross, mass), own_momentum));
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            double product = abut_dvec3_get(r, i) * abut_dvec3_get(r, k);
            inertia->m[i][k] += own.m[i][k] + mass * ((i == k ? abut_dvec3_dot(r, r) : 0.0) - product);
        }
    }
}

/// The motion of two free bodies, joined: the same momentum and angular momentum.
static RigidMotion join_free(const AbutBody* a, Velocity velocity_a, const AbutBody* b, Velocity velocity_b)
{
    double fraction_a = b->inverse_mass / (a->inverse_mass + b->inverse_mass); // share of A in the mass
    RigidMotion motion = { .center = abut_dvec3_lerp(b->position, a->position, fraction_a) };
    motion.velocity.linear = abut_dvec3_lerp(velocity_b.linear, velocity_a.linear, fraction_a);
    AbutDVec3 momentum = abut_dvec3_zero();
    AbutDMat3 inertia = { { { 0.0 } } };
    add_body(a, velocity_a, &motion, &momentum, &inertia);
    add_body(b, velocity_b, &motion, &momentum, &inertia);
    AbutDMat3 inverse = abut_matrix_invert(&inertia);
    motion.velocity.angular = abut_dmat3_transform(&inverse, momentum);
    return motion;
}

/// The common motion of a pair: that of its fixed body, or of both joined.
static RigidMotion common_motion(const AbutBody* a, Velocity velocity_a, const AbutBody* b,
                                 Velocity velocity_b)
{
    bool moves_a = abut_body_moves(a);
    if (moves_a && abut_body_moves(b))
    {
        return join_free(a, velocity_a, b, velocity_b);
    }
    return (RigidMotion){ moves_a ? b->position : a->position, moves_a ? velocity_b : velocity_a };
}

static void conserve(const AbutWorld* world, const AbutSolveContext* context, const AbutTightPair* pair,
                     double sink, double seconds)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    const uint32_t index[2] = { wide->a[pair->lane], wide->b[pair->lane] };
    const AbutBody* bodies[2] = { &world->bodies[index[0]], &world->bodies[index[1]] };
    Velocity velocities[2] = { velocity_of(&context->velocities[index[0]]),
                               velocity_of(&context->velocities[index[1]]) };
    RigidMotion motion = common_motion(bodies[0], velocities[0], bodies[1], velocities[1]);
    Velocity relative[2];
    double energy = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        relative[side] = difference_of(velocities[side], velocity_at(&motion, bodies[side]->position));
        energy += abut_body_moves(bodies[side]) ? kinetic_energy(bodies[side], relative[side]) : 0.0;
    }
    double missing = missing_energy(world, context, pair, sink, seconds);
    double grazing = wide->friction[pair->lane] > 0.0 ? GRAZING_FRACTION : SMOOTH_GRAZING_FRACTION;
    if (!(fabs(missing) <= grazing * energy) || !(energy > 0.0))
    {
        return;
    }
    double growth = sqrt(1.0 + missing / energy) - 1.0;
    for (int side = 0; side < 2; ++side)
    {
        if (abut_body_moves(bodies[side]))
        {
            AbutSolveVelocity* out = &context->velocities[index[side]];
            abut_dvec3_to_array(abut_dvec3_mul_add(velocities[side].linear, growth, relative[side].linear),
                                out->linear);
            abut_dvec3_to_array(abut_dvec3_mul_add(velocities[side].angular, growth, relative[side].angular),
                                out->angular);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Flights and impacts
// -----------------------------------------------------------------------------------------------------------

/// Relative speed of both bodies at a contact.
static double speed_at(const AbutSolveContext* context, const AbutTightPair* pair,
                       AbutContactConstraint* constraint)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    Velocity a = velocity_of(&context->velocities[wide->a[pair->lane]]),
             b = velocity_of(&context->velocities[wide->b[pair->lane]]);
    AbutDVec3 at_a =
        abut_dvec3_add(a.linear, abut_dvec3_cross(a.angular, abut_solve_load(constraint->r_a, pair->lane)));
    AbutDVec3 at_b =
        abut_dvec3_add(b.linear, abut_dvec3_cross(b.angular, abut_solve_load(constraint->r_b, pair->lane)));
    return abut_dvec3_length(abut_dvec3_sub(at_a, at_b));
}

/// The slide of the pair after the substep: 0 again in a flight.
static void measure_slide(const AbutWorld* world, const AbutSolveContext* context, const AbutTightPair* pair,
                          double seconds)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    AbutManifold* m = &world->stores[world->current].manifolds[wide->manifold[pair->lane]];
    double least = INFINITY, fastest = 0.0, loaded = 0.0;
    for (uint32_t k = 0; k < m->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double impulse = constraint->impulse[0][pair->lane];
        least = fmin(least, constraint->gap[pair->lane]);
        loaded = fmax(loaded, impulse);
        fastest = impulse > 0.0 ? fmax(fastest, speed_at(context, pair, constraint)) : fastest;
    }
    m->slide = loaded > 0.0 || !(least > FLIGHT_CELLS * pair->detail) ? m->slide + fastest * seconds : 0.0;
}

void abut_conserve_relaxed(const AbutStepContext* step, const AbutSolveContext* context, double seconds)
{
    const AbutWorld* world = step->world;
    for (size_t i = 0; i < abut_impulse(step)->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &abut_impulse(step)->constraints.tight_pairs[i];
        const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
        AbutManifold* m = &world->stores[world->current].manifolds[wide->manifold[pair->lane]];
        add_impulses(context, pair, 1.0);
        double change;
        m->sink = measure_sink(context, pair, m->sink, m->slide, &change);
        if (m->slide >= IMPACT_CELLS * pair->detail)
        {
            conserve(world, context, pair, change, seconds);
        }
        measure_slide(world, context, pair, seconds);
    }
}
