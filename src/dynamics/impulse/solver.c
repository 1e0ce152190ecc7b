// Impulses: soft contacts in substeps. Each substep lets forces act, pushes contacts apart with springs that are as stiff as the
// substep allows, moves the bodies, and takes the speed out again that the springs have put in, so that overlaps go away without
// bouncing. Friction holds against sliding with at most friction times the normal impulse; springs press harder than the load, so it comes before
// them, with the impulses that the last relaxation left.
//
// While it runs, velocities are in the table of speeds (contact_constraint.h). Each substep begins with the impulses of the one before.
#include "dynamics/impulse/energy.h"
#include "dynamics/state/world.h"

#include "base/tasks.h"
#include "dynamics/impulse/kernels.h"
#include "math/dvec3.h"

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

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

enum
{
    BODY_BLOCK = 256, // bodies of a task
    SWEEPS = 4        // over all contacts before bodies move: blows go from body to body
};

typedef void BodyFn(AbutWorld* world, uint32_t index, double seconds);

typedef struct BodyRun
{
    AbutWorld* world;
    BodyFn* visit;
    double seconds;
} BodyRun;

static void run_bodies(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const BodyRun* run = context;
    uint32_t first = block * BODY_BLOCK, end = first + BODY_BLOCK;
    end = end < run->world->body_count ? end : run->world->body_count;
    for (uint32_t i = first; i < end; ++i)
    {
        if (abut_body_is_alive(&run->world->bodies[i]))
        {
            run->visit(run->world, i, run->seconds);
        }
    }
}

static void visit_bodies(AbutWorld* world, BodyFn* visit, double seconds)
{
    BodyRun run = { world, visit, seconds };
    abut_parallel_for(&world->host, abut_block_count(world->body_count, BODY_BLOCK), run_bodies, &run);
}

static void read_speed(const AbutSolveSpeed* speed, AbutBody* body)
{
    memcpy(body->velocity, speed->linear, sizeof(body->velocity));
    memcpy(body->spin, speed->angular, sizeof(body->spin));
}

static void write_speed(const AbutBody* body, AbutSolveSpeed* speed)
{
    memcpy(speed->linear, body->velocity, sizeof(speed->linear));
    memcpy(speed->angular, body->spin, sizeof(speed->angular));
}

static void begin(AbutWorld* world, uint32_t index, double seconds)
{
    (void)seconds;
    AbutBody* body = &world->bodies[index];
    AbutRows* rows = &world->rows;
    memcpy(body->start, body->position, sizeof(body->start));
    body->falls = true;
    write_speed(body, &rows->speeds[index]);
    memcpy(rows->masses[index].give, body->give, sizeof(body->give));
    memcpy(rows->masses[index].inverse, body->world_inverse, sizeof(body->world_inverse));
}

/// Forces act.
static void speed_up(AbutWorld* world, uint32_t index, double seconds)
{
    AbutBody* body = &world->bodies[index];
    AbutSolveSpeed* speed = &world->rows.speeds[index];
    if (!abut_body_moves(body))
    {
        return;
    }
    read_speed(speed, body);
    abut_body_integrate_velocity(body, world->def.gravity, seconds);
    write_speed(body, speed);
}

static void move(AbutWorld* world, uint32_t index, double seconds)
{
    AbutBody* body = &world->bodies[index];
    AbutSolveSpeed* speed = &world->rows.speeds[index];
    if (!abut_body_moves(body) && body->kind != ABUT_BODY_KINEMATIC)
    {
        return;
    }
    read_speed(speed, body);
    abut_body_integrate_position(body, world->def.gravity, seconds);
    write_speed(body, speed);
}

static void end(AbutWorld* world, uint32_t index, double seconds)
{
    (void)seconds;
    AbutBody* body = &world->bodies[index];
    if (abut_body_moves(body))
    {
        read_speed(&world->rows.speeds[index], body);
    }
    for (int k = 0; k < 3 && world->last_round; ++k)
    {
        body->force[k] = body->torque[k] = 0.0;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The substeps
// ---------------------------------------------------------------------------------------------------------------------

static bool any_bounces(const AbutWorld* world)
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

static AbutSolveRun make_run(const AbutWorld* world, double seconds)
{
    const AbutRows* rows = &world->rows;
    return (AbutSolveRun){
        .speeds = rows->speeds,
        .masses = rows->masses,
        .bundles = rows->bundles,
        .rows = rows->rows,
        .per_second = (double)world->substeps / seconds,
        .slow = 2.0 * (double)abut_vec3_length(world->def.gravity) * seconds,
    };
}

static void fill(AbutWorld* world, const AbutSolveRun* run, double seconds)
{
    const AbutWorldDef* def = &world->def;
    double frequency = fmin((double)def->contact_frequency, 0.5 / seconds);
    // Against what cannot move contacts are twice as stiff.
    abut_rows_fill(world, run, make_soft(frequency, (double)def->contact_damping, seconds),
                   make_soft(2.0 * frequency, (double)def->contact_damping, seconds));
}

static void substep(AbutWorld* world, const AbutSolveRun* run, double seconds, bool bounces)
{
    const AbutSolveKernels* kernels = abut_solve_kernels();
    if (bounces)
    {
        abut_rows_visit(world, run, abut_bounce_note_speed);
    }
    abut_conserve_begin(world, run);
    visit_bodies(world, speed_up, seconds);
    if (bounces)
    {
        abut_rows_visit(world, run, abut_bounce_note_approach);
    }
    abut_rows_visit(world, run, kernels->warm);
    for (int i = 0; i < SWEEPS; ++i)
    {
        abut_rows_visit(world, run, kernels->push);
    }
    abut_conserve_pushed(world, run);
    visit_bodies(world, move, seconds);
    abut_rows_track(world, run);
    abut_conserve_moved(world, run);
    abut_rows_visit(world, run, kernels->relax);
    abut_conserve_relaxed(world, run, seconds);
    abut_rows_visit(world, run, abut_roll_resist);
    if (bounces)
    {
        abut_rows_visit(world, run, abut_bounce_give_back);
    }
}

void abut_world_solve(AbutWorld* world, double seconds)
{
    AbutSolveRun run = make_run(world, seconds);
    double part = seconds / (double)world->substeps;
    visit_bodies(world, begin, seconds);
    fill(world, &run, part);
    abut_conserve_fill(world, &run);
    bool bounces = any_bounces(world);
    for (uint32_t i = 0; i < world->substeps; ++i)
    {
        substep(world, &run, part, bounces);
    }
    abut_rows_finish(world, &run);
    visit_bodies(world, end, seconds);
}
