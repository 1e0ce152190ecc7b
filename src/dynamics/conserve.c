// Contacts of tight pairs that last do no work. Normals of sampled surfaces are off by a little from cell to cell, and each change of a normal takes away the
// part of the relative velocity along the new one, as a plastic impact does: a share of the energy that is the square of the angle, in every substep. A nut that
// slides on its thread by a radian per step would lose half of what gravity gives it. Contacts without friction are perpendicular to the motion along them
// in truth, so the pair gets back what its normal impulses took, as a larger relative motion: its direction is one that all contacts have agreed to.
//
// The work of an impulse p is p · (v₀ + v₁) / 2, with the velocities at its point before and after all that happened in the substep: the sum over all impulses
// is the change of the kinetic energy. Bodies move as springs push, with another velocity than either, and the energy that they have in the field of forces
// changes with that motion: the difference counts too, so that the sum of both energies stays.
//
// What is lost in an impact stays lost: it takes more than a small part of the energy at once.
#include "dynamics/conserve.h"

#include "base/memory.h"
#include "vec/double3.h"

#include <math.h>
#include <string.h>

/// The largest part of the energy of the relative motion that a substep gives back: the square of the sine of about 33° between normals. More is an impact.
#define GRAZING_PART 0.3

/// The same without friction, for 45°: the knife edges where the faces of a nut cut its thread are rounded off cell by cell, and normals of fields of order 1
/// turn by 40° within half a cell along them.
#define SMOOTH_GRAZING_PART 0.5

// ---------------------------------------------------------------------------------------------------------------------
// The list of guided pairs
// ---------------------------------------------------------------------------------------------------------------------

/// Sine of the least angle at which contacts lean against a motion across their mean normal.
#define LEAN 0.2

/// True when some contact leans against the part of a direction across the mean normal; true too for a direction along it.
static bool is_held_against(const AbutContactPoint* points, uint32_t count, const double mean[3],
                            const double direction[3])
{
    double along = abut_dot(direction, mean) / abut_dot(mean, mean), across[3], least = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        across[k] = direction[k] - along * mean[k];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        least = fmin(least, abut_dot(points[i].normal, across));
    }
    double length = abut_length(across);
    return length < 0.5 * abut_length(direction) || least < -LEAN * length;
}

/// True when contacts lean against motions to all sides of their mean normal: those of a thread with play are on one flank, all around its axis.
static bool is_held_around(const AbutContactPoint* points, uint32_t count)
{
    double mean[3] = { 0.0, 0.0, 0.0 };
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            mean[k] += points[i].normal[k];
        }
    }
    bool held = count > 2 && abut_dot(mean, mean) > 0.0;
    for (int i = 0; held && i < 27; ++i) // to the middles of faces and edges and to the corners of a cube
    {
        const double direction[3] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
        held = i == 13 || is_held_against(points, count, mean, direction);
    }
    return held;
}

/// Tight pairs, and pairs with more play that touch all around and have no friction: what these lose is the error of normals alone.
static bool is_guided(const AbutWorld* world, const AbutManifold* m)
{
    const AbutContactStore* store = &world->stores[world->current];
    bool free = m->friction == 0.0 && m->restitution == 0.0 && m->touching && m->bears_load;
    return m->is_tight || (free && is_held_around(&store->points[m->first], m->count));
}

/// Axles take a part of the motion of bodies with locked axes, and of its energy.
static bool is_sliding(const AbutWorld* world, const AbutManifold* m)
{
    bool free = world->bodies[m->a].locked == 0 && world->bodies[m->b].locked == 0;
    return m->solved && is_guided(world, m) && !m->is_jammed && free;
}

AbutResult abut_conserve_plan(AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    AbutRows* rows = &world->rows;
    size_t count = 0;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        count += store->manifolds[i].is_tight || store->manifolds[i].friction == 0.0 ? 1u : 0u;
    }
    bool good = abut_memory_grow(&world->host, (void**)&rows->slides, &rows->slide_capacity, count,
                                 sizeof(AbutSlide));
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_conserve_fill(AbutWorld* world, const AbutSolveRun* run)
{
    const AbutContactStore* store = &world->stores[world->current];
    AbutRows* rows = &world->rows;
    rows->slide_count = 0;
    for (uint32_t i = 0; i < rows->first[ABUT_COLOR_COUNT]; ++i)
    {
        for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
        {
            uint32_t manifold = run->bundles[i].manifold[lane];
            if (manifold != UINT32_MAX && is_sliding(world, &store->manifolds[manifold]))
            {
                rows->slides[rows->slide_count++] = (AbutSlide){ .bundle = i, .lane = lane };
            }
        }
    }
}

void abut_conserve_free(const AbutHost* host, AbutRows* rows)
{
    abut_memory_free(host, rows->slides, rows->slide_capacity, sizeof(AbutSlide));
}

// ---------------------------------------------------------------------------------------------------------------------
// Impulses along normals
// ---------------------------------------------------------------------------------------------------------------------

/// Adds the impulses along normals as they are now, times `sign`.
static void add_impulses(const AbutSolveRun* run, AbutSlide* slide, double sign)
{
    const AbutSolveBundle* bundle = &run->bundles[slide->bundle];
    int lane = slide->lane;
    for (uint32_t k = 0; k < bundle->count; ++k)
    {
        const AbutSolveRow* row = &run->rows[bundle->first + k];
        double size = sign * row->impulse[0][lane], push[3], arm_a[3], arm_b[3], torque[3];
        if (size == 0.0)
        {
            continue;
        }
        for (int i = 0; i < 3; ++i)
        {
            push[i] = size * row->axis[0][i][lane];
            arm_a[i] = row->arm_a[i][lane];
            arm_b[i] = row->arm_b[i][lane];
            slide->push[i] += push[i];
        }
        abut_cross(arm_a, push, torque);
        for (int i = 0; i < 3; ++i)
        {
            slide->torque[0][i] += torque[i];
        }
        abut_cross(arm_b, push, torque);
        for (int i = 0; i < 3; ++i)
        {
            slide->torque[1][i] += torque[i];
        }
    }
}

void abut_conserve_begin(AbutWorld* world, const AbutSolveRun* run)
{
    for (size_t i = 0; i < world->rows.slide_count; ++i)
    {
        AbutSlide* slide = &world->rows.slides[i];
        const AbutSolveBundle* bundle = &run->bundles[slide->bundle];
        slide->before[0] = run->speeds[bundle->a[slide->lane]];
        slide->before[1] = run->speeds[bundle->b[slide->lane]];
        memset(slide->push, 0, sizeof(slide->push));
        memset(slide->torque, 0, sizeof(slide->torque));
    }
}

void abut_conserve_pushed(AbutWorld* world, const AbutSolveRun* run)
{
    for (size_t i = 0; i < world->rows.slide_count; ++i)
    {
        add_impulses(run, &world->rows.slides[i], 1.0);
    }
}

/// The relaxation begins with these: what it adds is the difference.
void abut_conserve_moved(AbutWorld* world, const AbutSolveRun* run)
{
    for (size_t i = 0; i < world->rows.slide_count; ++i)
    {
        AbutSlide* slide = &world->rows.slides[i];
        const AbutSolveBundle* bundle = &run->bundles[slide->bundle];
        slide->moved[0] = run->speeds[bundle->a[slide->lane]];
        slide->moved[1] = run->speeds[bundle->b[slide->lane]];
        add_impulses(run, slide, -1.0);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Energy
// ---------------------------------------------------------------------------------------------------------------------

static AbutSolveSpeed mean_of(const AbutSolveSpeed* a, const AbutSolveSpeed* b)
{
    AbutSolveSpeed out = { 0 };
    for (int i = 0; i < 3; ++i)
    {
        out.linear[i] = 0.5 * (a->linear[i] + b->linear[i]);
        out.angular[i] = 0.5 * (a->angular[i] + b->angular[i]);
    }
    return out;
}

static AbutSolveSpeed difference_of(const AbutSolveSpeed* a, const AbutSolveSpeed* b)
{
    AbutSolveSpeed out = { 0 };
    abut_subtract(a->linear, b->linear, out.linear);
    abut_subtract(a->angular, b->angular, out.angular);
    return out;
}

/// What forces do on the motion of a substep beyond what they do at the mean velocity.
static double work_of_forces(const AbutWorld* world, const AbutBody* body, const AbutSolveSpeed* moved,
                             const AbutSolveSpeed* mean, double seconds)
{
    if (!abut_body_moves(body))
    {
        return 0.0;
    }
    const double g[3] = { world->def.gravity.x, world->def.gravity.y, world->def.gravity.z };
    AbutSolveSpeed beyond = difference_of(moved, mean);
    double sum = abut_dot(body->torque, beyond.angular);
    for (int i = 0; i < 3; ++i)
    {
        double pull = body->give[i] > 0.0 ? g[i] / body->give[i] + body->force[i] : 0.0;
        sum += pull * beyond.linear[i];
    }
    return sum * seconds;
}

/// What the energy of the pair lacks after the substep.
static double missing_energy(const AbutWorld* world, const AbutSolveRun* run, const AbutSlide* slide,
                             double seconds)
{
    const AbutSolveBundle* bundle = &run->bundles[slide->bundle];
    const uint32_t index[2] = { bundle->a[slide->lane], bundle->b[slide->lane] };
    double sum = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        AbutSolveSpeed mean = mean_of(&slide->before[side], &run->speeds[index[side]]);
        double work = abut_dot(slide->push, mean.linear) + abut_dot(slide->torque[side], mean.angular);
        sum -= side == 0 ? work : -work;
        sum += work_of_forces(world, &world->bodies[index[side]], &slide->moved[side], &mean, seconds);
    }
    return sum;
}

static void turned_inertia(const AbutBody* body, double out[3][3])
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
            out[i][k] = abut_dot(half[i], body->matrix[k]);
        }
    }
}

static double kinetic_energy(const AbutBody* body, const AbutSolveSpeed* speed)
{
    double inertia[3][3], sum = 0.0;
    turned_inertia(body, inertia);
    for (int i = 0; i < 3; ++i)
    {
        sum += speed->linear[i] * speed->linear[i] / body->inverse_mass +
               speed->angular[i] * abut_dot(inertia[i], speed->angular);
    }
    return 0.5 * sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// The motion of two bodies as one
// ---------------------------------------------------------------------------------------------------------------------

/// A rigid motion about a center.
typedef struct Joint
{
    double center[3];
    AbutSolveSpeed speed; // of the center
} Joint;

static AbutSolveSpeed speed_at(const Joint* joint, const double position[3])
{
    AbutSolveSpeed out = joint->speed;
    double arm[3], turn[3];
    abut_subtract(position, joint->center, arm);
    abut_cross(joint->speed.angular, arm, turn);
    for (int i = 0; i < 3; ++i)
    {
        out.linear[i] += turn[i];
    }
    return out;
}

/// Adds the angular momentum and the inertia of a body about the center.
static void add_body(const AbutBody* body, const AbutSolveSpeed* speed, const Joint* joint,
                     double momentum[3], double inertia[3][3])
{
    double own[3][3], arm[3], relative[3], turn[3], mass = 1.0 / body->inverse_mass;
    turned_inertia(body, own);
    abut_subtract(body->position, joint->center, arm);
    abut_subtract(speed->linear, joint->speed.linear, relative);
    abut_cross(arm, relative, turn);
    for (int i = 0; i < 3; ++i)
    {
        momentum[i] += mass * turn[i] + abut_dot(own[i], speed->angular);
        for (int k = 0; k < 3; ++k)
        {
            inertia[i][k] += own[i][k] + mass * ((i == k ? abut_dot(arm, arm) : 0.0) - arm[i] * arm[k]);
        }
    }
}

/// The motion of two bodies that both move freely, had they become one: with the same momentum and angular momentum.
static Joint join_free(const AbutBody* a, const AbutSolveSpeed* speed_a, const AbutBody* b,
                       const AbutSolveSpeed* speed_b)
{
    Joint joint = { 0 };
    double inertia[3][3] = { 0 }, inverse[3][3], momentum[3] = { 0.0, 0.0, 0.0 };
    double part = b->inverse_mass / (a->inverse_mass + b->inverse_mass); // of the mass that is A's
    for (int i = 0; i < 3; ++i)
    {
        joint.center[i] = b->position[i] + part * (a->position[i] - b->position[i]);
        joint.speed.linear[i] = speed_b->linear[i] + part * (speed_a->linear[i] - speed_b->linear[i]);
    }
    add_body(a, speed_a, &joint, momentum, inertia);
    add_body(b, speed_b, &joint, momentum, inertia);
    abut_matrix_invert(inertia, inverse);
    for (int i = 0; i < 3; ++i)
    {
        joint.speed.angular[i] = abut_dot(inverse[i], momentum);
    }
    return joint;
}

/// The motion that the two have in common: that of the body that nothing moves, or of both as one.
static Joint common_motion(const AbutBody* a, const AbutSolveSpeed* speed_a, const AbutBody* b,
                           const AbutSolveSpeed* speed_b)
{
    bool moves_a = abut_body_moves(a);
    if (moves_a && abut_body_moves(b))
    {
        return join_free(a, speed_a, b, speed_b);
    }
    Joint joint;
    memcpy(joint.center, moves_a ? b->position : a->position, sizeof(joint.center));
    joint.speed = moves_a ? *speed_b : *speed_a;
    return joint;
}

static void conserve(AbutWorld* world, const AbutSolveRun* run, const AbutSlide* slide, double seconds)
{
    const AbutSolveBundle* bundle = &run->bundles[slide->bundle];
    const uint32_t index[2] = { bundle->a[slide->lane], bundle->b[slide->lane] };
    const AbutBody* bodies[2] = { &world->bodies[index[0]], &world->bodies[index[1]] };
    AbutSolveSpeed* speeds[2] = { &run->speeds[index[0]], &run->speeds[index[1]] };
    Joint joint = common_motion(bodies[0], speeds[0], bodies[1], speeds[1]);
    AbutSolveSpeed relative[2];
    double energy = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        AbutSolveSpeed common = speed_at(&joint, bodies[side]->position);
        relative[side] = difference_of(speeds[side], &common);
        energy += abut_body_moves(bodies[side]) ? kinetic_energy(bodies[side], &relative[side]) : 0.0;
    }
    double missing = missing_energy(world, run, slide, seconds);
    double part = bundle->friction[slide->lane] > 0.0 ? GRAZING_PART : SMOOTH_GRAZING_PART;
    if (!(fabs(missing) <= part * energy) || !(energy > 0.0))
    {
        return;
    }
    double more = sqrt(1.0 + missing / energy) - 1.0;
    for (int side = 0; side < 2; ++side)
    {
        for (int i = 0; i < 3 && abut_body_moves(bodies[side]); ++i)
        {
            speeds[side]->linear[i] += more * relative[side].linear[i];
            speeds[side]->angular[i] += more * relative[side].angular[i];
        }
    }
}

void abut_conserve_relaxed(AbutWorld* world, const AbutSolveRun* run, double seconds)
{
    for (size_t i = 0; i < world->rows.slide_count; ++i)
    {
        AbutSlide* slide = &world->rows.slides[i];
        add_impulses(run, slide, 1.0);
        conserve(world, run, slide, seconds);
    }
}
