// Soft contacts in substeps (Box2D v3, Box3D: "soft step"). A substep integrates forces, solves contacts with
// a bias by springs as stiff as the substep allows, integrates positions, and relaxes: contacts are solved
// without the bias, so that penetration is resolved without bounce. Friction is limited by friction times the
// normal impulse. Springs press harder than the load, so friction comes before them, with the impulses of the
// last relaxation.
//
// Velocities are in the table of AbutConstraints meanwhile. Each substep starts from the impulses of the one
// before.
#include "dynamics/impulse/solver.h"

#include "base/tasks.h"
#include "dynamics/impulse/energy.h"
#include "dynamics/impulse/impulse.h"
#include "dynamics/impulse/restitution.h"
#include "dynamics/impulse/rolling_resistance.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/world.h"

#include <math.h>
#include <string.h>

static AbutSoftness make_soft(double frequency, double damping, double seconds)
{
    double omega = 2.0 * 3.141592653589793 * frequency;
    double a1 = 2.0 * damping + seconds * omega;
    double a2 = seconds * omega * a1;
    double a3 = 1.0 / (1.0 + a2);
    return (AbutSoftness){ omega / a1, a2 * a3, a3 };
}

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

enum
{
    BODY_BLOCK = 256, // bodies of a task
    ITERATIONS = 4    // over all contacts before positions: impacts propagate from body to body
};

typedef void BodyFn(const AbutStepContext* step, uint32_t index, double seconds);

typedef struct BodyTask
{
    const AbutStepContext* step;
    BodyFn* visit;
    double seconds;
} BodyTask;

static void body_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const BodyTask* task = context;
    const AbutWorld* world = task->step->world;
    uint32_t first = block * BODY_BLOCK, end = first + BODY_BLOCK;
    end = end < world->body_count ? end : world->body_count;
    for (uint32_t i = first; i < end; ++i)
    {
        if (abut_body_is_alive(&world->bodies[i]))
        {
            task->visit(task->step, i, task->seconds);
        }
    }
}

static void visit_bodies(const AbutStepContext* step, BodyFn* visit, double seconds)
{
    const AbutWorld* world = step->world;
    BodyTask task = { step, visit, seconds };
    abut_parallel_for(&world->host, abut_block_count(world->body_count, BODY_BLOCK), body_block, &task);
}

static void load_velocity(const AbutSolveVelocity* velocity, AbutBody* body)
{
    body->velocity = abut_dvec3_from_array(velocity->linear);
    body->angular_velocity = abut_dvec3_from_array(velocity->angular);
}

static void store_velocity(const AbutBody* body, AbutSolveVelocity* velocity)
{
    abut_dvec3_to_array(body->velocity, velocity->linear);
    abut_dvec3_to_array(body->angular_velocity, velocity->angular);
}

static void store_pose(const AbutBody* body, AbutSolvePose* pose)
{
    abut_dvec3_to_array(body->position, pose->position);
    memcpy(pose->rotation, body->matrix.m, sizeof(body->matrix.m));
}

static void begin(const AbutStepContext* step, uint32_t index, double seconds)
{
    (void)seconds;
    AbutBody* body = &step->world->bodies[index];
    AbutConstraints* constraints = &abut_impulse(step)->constraints;
    body->start = body->position;
    body->contact_free = true;
    store_velocity(body, &constraints->velocities[index]);
    abut_dvec3_to_array(body->axis_inverse_mass, constraints->masses[index].axis_inverse_mass);
    memcpy(constraints->masses[index].inverse_inertia, body->world_inverse_inertia.m,
           sizeof(body->world_inverse_inertia.m));
    store_pose(body, &constraints->poses[index]);
}

/// Velocities by gravity and applied forces.
static void apply_forces(const AbutStepContext* step, uint32_t index, double seconds)
{
    AbutBody* body = &step->world->bodies[index];
    AbutSolveVelocity* velocity = &abut_impulse(step)->constraints.velocities[index];
    if (!abut_body_moves(body))
    {
        return;
    }
    load_velocity(velocity, body);
    abut_body_integrate_velocity(body, step->world->def.gravity, seconds);
    store_velocity(body, velocity);
}

static void move(const AbutStepContext* step, uint32_t index, double seconds)
{
    AbutBody* body = &step->world->bodies[index];
    AbutSolveVelocity* velocity = &abut_impulse(step)->constraints.velocities[index];
    if (!abut_body_moves(body) && body->kind != ABUT_BODY_KINEMATIC)
    {
        return;
    }
    load_velocity(velocity, body);
    abut_body_integrate_position(body, step->world->def.gravity, seconds);
    store_velocity(body, velocity);
    store_pose(body, &abut_impulse(step)->constraints.poses[index]);
}

static void end(const AbutStepContext* step, uint32_t index, double seconds)
{
    (void)seconds;
    AbutBody* body = &step->world->bodies[index];
    if (abut_body_moves(body))
    {
        load_velocity(&abut_impulse(step)->constraints.velocities[index], body);
    }
    if (abut_step_is_last_pass(step))
    {
        body->force = body->torque = abut_dvec3_zero();
    }
}

// -----------------------------------------------------------------------------------------------------------
// The substeps
// -----------------------------------------------------------------------------------------------------------

static bool any_restitution(const AbutWorld* world)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        if (store->manifolds[i].solved && store->manifolds[i].restitution > 0.0)
        {
            return true;
        }
    }
    return false;
}

static AbutSolveContext make_context(const AbutStepContext* step)
{
    const AbutConstraints* constraints = &abut_impulse(step)->constraints;
    return (AbutSolveContext){
        .velocities = constraints->velocities,
        .masses = constraints->masses,
        .poses = constraints->poses,
        .wide_constraints = constraints->wide_constraints,
        .contact_constraints = constraints->contact_constraints,
        .per_second = (double)step->substeps / step->seconds,
        .slow = 2.0 * (double)abut_vec3_length(step->world->def.gravity) * step->seconds,
    };
}

/// Frequency of contacts of convex solids, as a fraction of that of the others. Their corners leave and meet
/// faces as a stack sways: stiffer springs drive it on, softer ones sink.
#define CONVEX_FREQUENCY 0.5

static void fill(const AbutStepContext* step, const AbutSolveContext* context, double seconds)
{
    const AbutWorldDef* def = &step->world->def;
    double most = 0.5 / seconds, damping = (double)def->contact_damping_ratio;
    double frequency = fmin((double)def->contact_frequency, most);
    double convex = fmin(CONVEX_FREQUENCY * (double)def->contact_frequency, most);
    // Contacts with fixed bodies are twice as stiff.
    const AbutContactSprings springs = { make_soft(frequency, damping, seconds),
                                         make_soft(2.0 * frequency, damping, seconds),
                                         make_soft(convex, damping, seconds),
                                         make_soft(2.0 * convex, damping, seconds) };
    abut_constraints_make(step, context, &springs);
}

static void substep(AbutStepContext* step, const AbutSolveContext* context, double seconds,
                    bool has_restitution)
{
    const AbutSolveKernels* kernels = abut_solve_kernels();
    if (has_restitution)
    {
        abut_constraints_solve(step, context, abut_restitution_record_velocity);
    }
    abut_conserve_begin(step, context);
    visit_bodies(step, apply_forces, seconds);
    if (has_restitution)
    {
        abut_constraints_solve(step, context, abut_restitution_record_approach);
    }
    abut_constraints_solve(step, context, kernels->warm_start);
    for (int i = 0; i < ITERATIONS; ++i)
    {
        abut_constraints_solve(step, context, kernels->solve_biased);
    }
    abut_conserve_solved(step, context);
    visit_bodies(step, move, seconds);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SOLVE);
    abut_constraints_update(step, context);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_UPDATE);
    abut_conserve_moved(step, context);
    abut_constraints_solve(step, context, kernels->relax);
    abut_conserve_relaxed(step, context, seconds);
    abut_constraints_solve(step, context, abut_rolling_resistance_apply);
    if (has_restitution)
    {
        abut_constraints_solve(step, context, abut_restitution_apply);
    }
}

void abut_step_solve(AbutStepContext* step)
{
    AbutSolveContext context = make_context(step);
    double substep_seconds = step->seconds / (double)step->substeps;
    visit_bodies(step, begin, step->seconds);
    fill(step, &context, substep_seconds);
    abut_conserve_collect(step, &context);
    bool has_restitution = any_restitution(step->world);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_CONSTRAINTS);
    for (uint32_t i = 0; i < step->substeps; ++i)
    {
        substep(step, &context, substep_seconds, has_restitution);
    }
    abut_constraints_store_impulses(step, &context);
    visit_bodies(step, end, step->seconds);
    abut_profiler_lap(&step->profiler, ABUT_PHASE_SOLVE);
}
