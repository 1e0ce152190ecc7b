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
// difference counts too, so that the sum of both energies stays.
//
// The loss of an impact stays lost: it is more than a small fraction of the energy at once.
#include "dynamics/impulse/energy.h"

#include "base/memory.h"
#include "dynamics/impulse/impulse.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

/// Largest fraction of the energy of the relative motion that a substep restores: the square of the sine of
/// about 33° between normals. More is an impact.
#define GRAZING_FRACTION 0.3

/// The same without friction, for 45°: fields round off the sharp edges between the faces of a nut and its
/// thread cell by cell, and normals of fields of order 1 rotate by 40° within half a cell along them.
#define SMOOTH_GRAZING_FRACTION 0.5

// -----------------------------------------------------------------------------------------------------------
// The list of guided pairs
// -----------------------------------------------------------------------------------------------------------

/// Sine of the least angle between a contact and the plane of the mean normal that opposes a motion.
#define LEAN 0.2

/// True when some contact opposes the component of a direction across the mean normal; true too for a
/// direction along it.
static bool opposes(const AbutManifoldPoint* points, uint32_t count, const double mean[3],
                    const double direction[3])
{
    double along = abut_array3_dot(direction, mean) / abut_array3_dot(mean, mean), across[3], least = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        across[k] = direction[k] - along * mean[k];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        least = fmin(least, abut_array3_dot(points[i].normal, across));
    }
    double length = abut_array3_length(across);
    return length < 0.5 * abut_array3_length(direction) || least < -LEAN * length;
}

/// True when contacts oppose motions to all sides of their mean normal: contacts of a thread with play are on
/// one flank, all around its axis.
static bool opposes_all_around(const AbutManifoldPoint* points, uint32_t count)
{
    double mean[3] = { 0.0, 0.0, 0.0 };
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            mean[k] += points[i].normal[k];
        }
    }
    bool opposed = count > 2 && abut_array3_dot(mean, mean) > 0.0;
    for (int i = 0; opposed && i < 27; ++i) // centres of faces and edges, and corners of a cube
    {
        const double direction[3] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
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

AbutResult abut_conserve_reserve(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    AbutConstraints* constraints = &world->impulse->constraints;
    size_t count = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        count += store->manifolds[i].is_tight || store->manifolds[i].friction == 0.0 ? 1u : 0u;
    }
    bool good = abut_memory_grow(&world->host, (void**)&constraints->tight_pairs,
                                 &constraints->tight_pair_capacity, count, sizeof(AbutTightPair));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_conserve_collect(AbutWorld* world, const AbutSolveContext* context)
{
    const AbutContactStore* store = &world->stores[world->current];
    AbutConstraints* constraints = &world->impulse->constraints;
    constraints->tight_pair_count = 0;
    for (uint32_t i = 0; i < constraints->first[ABUT_COLOR_COUNT]; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            uint32_t manifold = context->wide_constraints[i].manifold[lane];
            if (manifold != UINT32_MAX && is_conserved(world, &store->manifolds[manifold]))
            {
                constraints->tight_pairs[constraints->tight_pair_count++] =
                    (AbutTightPair){ .wide = i, .lane = lane };
            }
        }
    }
}

void abut_conserve_free(const AbutHost* host, AbutConstraints* constraints)
{
    abut_memory_free(host, constraints->tight_pairs, constraints->tight_pair_capacity, sizeof(AbutTightPair));
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
        const AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        double size = sign * constraint->impulse[0][lane], impulse[3], r_a[3], r_b[3], torque[3];
        if (size == 0.0)
        {
            continue;
        }
        for (int i = 0; i < 3; ++i)
        {
            impulse[i] = size * constraint->axis[0][i][lane];
            r_a[i] = constraint->r_a[i][lane];
            r_b[i] = constraint->r_b[i][lane];
            pair->impulse[i] += impulse[i];
        }
        abut_array3_cross(r_a, impulse, torque);
        for (int i = 0; i < 3; ++i)
        {
            pair->torque[0][i] += torque[i];
        }
        abut_array3_cross(r_b, impulse, torque);
        for (int i = 0; i < 3; ++i)
        {
            pair->torque[1][i] += torque[i];
        }
    }
}

void abut_conserve_begin(AbutWorld* world, const AbutSolveContext* context)
{
    for (size_t i = 0; i < world->impulse->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &world->impulse->constraints.tight_pairs[i];
        const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
        pair->before[0] = context->velocities[wide->a[pair->lane]];
        pair->before[1] = context->velocities[wide->b[pair->lane]];
        memset(pair->impulse, 0, sizeof(pair->impulse));
        memset(pair->torque, 0, sizeof(pair->torque));
    }
}

void abut_conserve_solved(AbutWorld* world, const AbutSolveContext* context)
{
    for (size_t i = 0; i < world->impulse->constraints.tight_pair_count; ++i)
    {
        add_impulses(context, &world->impulse->constraints.tight_pairs[i], 1.0);
    }
}

/// The relaxation starts from these impulses: its own is the difference.
void abut_conserve_moved(AbutWorld* world, const AbutSolveContext* context)
{
    for (size_t i = 0; i < world->impulse->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &world->impulse->constraints.tight_pairs[i];
        const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
        pair->moved[0] = context->velocities[wide->a[pair->lane]];
        pair->moved[1] = context->velocities[wide->b[pair->lane]];
        add_impulses(context, pair, -1.0);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Energy
// -----------------------------------------------------------------------------------------------------------

static AbutSolveVelocity mean_of(const AbutSolveVelocity* a, const AbutSolveVelocity* b)
{
    AbutSolveVelocity out = { 0 };
    for (int i = 0; i < 3; ++i)
    {
        out.linear[i] = 0.5 * (a->linear[i] + b->linear[i]);
        out.angular[i] = 0.5 * (a->angular[i] + b->angular[i]);
    }
    return out;
}

static AbutSolveVelocity difference_of(const AbutSolveVelocity* a, const AbutSolveVelocity* b)
{
    AbutSolveVelocity out = { 0 };
    abut_array3_sub(a->linear, b->linear, out.linear);
    abut_array3_sub(a->angular, b->angular, out.angular);
    return out;
}

/// Work of forces over the motion of a substep beyond their work at the mean velocity.
static double work_of_forces(const AbutWorld* world, const AbutBody* body, const AbutSolveVelocity* moved,
                             const AbutSolveVelocity* mean, double seconds)
{
    if (!abut_body_moves(body))
    {
        return 0.0;
    }
    const double g[3] = { world->def.gravity.x, world->def.gravity.y, world->def.gravity.z };
    AbutSolveVelocity beyond = difference_of(moved, mean);
    double sum = abut_array3_dot(body->torque, beyond.angular);
    for (int i = 0; i < 3; ++i)
    {
        double force =
            body->axis_inverse_mass[i] > 0.0 ? g[i] / body->axis_inverse_mass[i] + body->force[i] : 0.0;
        sum += force * beyond.linear[i];
    }
    return sum * seconds;
}

/// Energy that the pair has lost in the substep.
static double missing_energy(const AbutWorld* world, const AbutSolveContext* context,
                             const AbutTightPair* pair, double seconds)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    const uint32_t index[2] = { wide->a[pair->lane], wide->b[pair->lane] };
    double sum = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        AbutSolveVelocity mean = mean_of(&pair->before[side], &context->velocities[index[side]]);
        double work =
            abut_array3_dot(pair->impulse, mean.linear) + abut_array3_dot(pair->torque[side], mean.angular);
        sum -= side == 0 ? work : -work;
        sum += work_of_forces(world, &world->bodies[index[side]], &pair->moved[side], &mean, seconds);
    }
    return sum;
}

static void world_inertia(const AbutBody* body, double out[3][3])
{
    double half[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            half[i][k] = body->matrix[i][0] * body->inertia[0][k] + body->matrix[i][1] * body->inertia[1][k] +
                         body->matrix[i][2] * body->inertia[2][k];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            out[i][k] = abut_array3_dot(half[i], body->matrix[k]);
        }
    }
}

static double kinetic_energy(const AbutBody* body, const AbutSolveVelocity* velocity)
{
    double inertia[3][3], sum = 0.0;
    world_inertia(body, inertia);
    for (int i = 0; i < 3; ++i)
    {
        sum += velocity->linear[i] * velocity->linear[i] / body->inverse_mass +
               velocity->angular[i] * abut_array3_dot(inertia[i], velocity->angular);
    }
    return 0.5 * sum;
}

// -----------------------------------------------------------------------------------------------------------
// Common motion of two bodies
// -----------------------------------------------------------------------------------------------------------

/// A rigid velocity field about a centre.
typedef struct RigidMotion
{
    double center[3];
    AbutSolveVelocity velocity; // of the center
} RigidMotion;

static AbutSolveVelocity velocity_at(const RigidMotion* motion, const double position[3])
{
    AbutSolveVelocity out = motion->velocity;
    double r[3], cross[3];
    abut_array3_sub(position, motion->center, r);
    abut_array3_cross(motion->velocity.angular, r, cross);
    for (int i = 0; i < 3; ++i)
    {
        out.linear[i] += cross[i];
    }
    return out;
}

/// Adds the angular momentum and the inertia of a body about the centre.
static void add_body(const AbutBody* body, const AbutSolveVelocity* velocity, const RigidMotion* motion,
                     double momentum[3], double inertia[3][3])
{
    double own[3][3], r[3], relative[3], cross[3], mass = 1.0 / body->inverse_mass;
    world_inertia(body, own);
    abut_array3_sub(body->position, motion->center, r);
    abut_array3_sub(velocity->linear, motion->velocity.linear, relative);
    abut_array3_cross(r, relative, cross);
    for (int i = 0; i < 3; ++i)
    {
        momentum[i] += mass * cross[i] + abut_array3_dot(own[i], velocity->angular);
        for (int k = 0; k < 3; ++k)
        {
            inertia[i][k] += own[i][k] + mass * ((i == k ? abut_array3_dot(r, r) : 0.0) - r[i] * r[k]);
        }
    }
}

/// The motion of two free bodies, joined: the same momentum and angular momentum.
static RigidMotion join_free(const AbutBody* a, const AbutSolveVelocity* velocity_a, const AbutBody* b,
                             const AbutSolveVelocity* velocity_b)
{
    RigidMotion motion = { 0 };
    double inertia[3][3] = { 0 }, inverse[3][3], momentum[3] = { 0.0, 0.0, 0.0 };
    double fraction_a = b->inverse_mass / (a->inverse_mass + b->inverse_mass); // share of A in the mass
    for (int i = 0; i < 3; ++i)
    {
        motion.center[i] = b->position[i] + fraction_a * (a->position[i] - b->position[i]);
        motion.velocity.linear[i] =
            velocity_b->linear[i] + fraction_a * (velocity_a->linear[i] - velocity_b->linear[i]);
    }
    add_body(a, velocity_a, &motion, momentum, inertia);
    add_body(b, velocity_b, &motion, momentum, inertia);
    abut_matrix_invert(inertia, inverse);
    for (int i = 0; i < 3; ++i)
    {
        motion.velocity.angular[i] = abut_array3_dot(inverse[i], momentum);
    }
    return motion;
}

/// The common motion of a pair: that of its fixed body, or of both joined.
static RigidMotion common_motion(const AbutBody* a, const AbutSolveVelocity* velocity_a, const AbutBody* b,
                                 const AbutSolveVelocity* velocity_b)
{
    bool moves_a = abut_body_moves(a);
    if (moves_a && abut_body_moves(b))
    {
        return join_free(a, velocity_a, b, velocity_b);
    }
    RigidMotion motion;
    memcpy(motion.center, moves_a ? b->position : a->position, sizeof(motion.center));
    motion.velocity = moves_a ? *velocity_b : *velocity_a;
    return motion;
}

static void conserve(AbutWorld* world, const AbutSolveContext* context, const AbutTightPair* pair,
                     double seconds)
{
    const AbutWideConstraint* wide = &context->wide_constraints[pair->wide];
    const uint32_t index[2] = { wide->a[pair->lane], wide->b[pair->lane] };
    const AbutBody* bodies[2] = { &world->bodies[index[0]], &world->bodies[index[1]] };
    AbutSolveVelocity* velocities[2] = { &context->velocities[index[0]], &context->velocities[index[1]] };
    RigidMotion motion = common_motion(bodies[0], velocities[0], bodies[1], velocities[1]);
    AbutSolveVelocity relative[2];
    double energy = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        AbutSolveVelocity common = velocity_at(&motion, bodies[side]->position);
        relative[side] = difference_of(velocities[side], &common);
        energy += abut_body_moves(bodies[side]) ? kinetic_energy(bodies[side], &relative[side]) : 0.0;
    }
    double missing = missing_energy(world, context, pair, seconds);
    double grazing = wide->friction[pair->lane] > 0.0 ? GRAZING_FRACTION : SMOOTH_GRAZING_FRACTION;
    if (!(fabs(missing) <= grazing * energy) || !(energy > 0.0))
    {
        return;
    }
    double growth = sqrt(1.0 + missing / energy) - 1.0;
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < 3 && abut_body_moves(bodies[side]); ++i)
        {
            velocities[side]->linear[i] += growth * relative[side].linear[i];
            velocities[side]->angular[i] += growth * relative[side].angular[i];
        }
    }
}

void abut_conserve_relaxed(AbutWorld* world, const AbutSolveContext* context, double seconds)
{
    for (size_t i = 0; i < world->impulse->constraints.tight_pair_count; ++i)
    {
        AbutTightPair* pair = &world->impulse->constraints.tight_pairs[i];
        add_impulses(context, pair, 1.0);
        conserve(world, context, pair, seconds);
    }
}
