// Impulses: soft contacts in substeps. Each substep lets forces act, pushes contacts apart with springs that are as stiff as the
// substep allows, moves the bodies, and takes the speed out again that the springs have put in, so that overlaps go away without
// bouncing. Friction holds against sliding with at most friction times the normal impulse.
#include "dynamics/world.h"

#include "base/tasks.h"
#include "vec/double3.h"

#include <math.h>
#include <string.h>

typedef struct Softness
{
    double bias_rate, mass_scale, impulse_scale;
} Softness;

typedef struct SubstepRule
{
    AbutWorld* world;
    Softness soft, soft_static; // against what cannot move contacts are twice as stiff
    double seconds, push_speed;
    double slow; // speeds under this are not given back
    bool use_bias;
} SubstepRule;

/// A damped spring, integrated implicitly over a substep (the constraint form of it).
static Softness make_soft(double frequency, double damping, double seconds)
{
    double omega = 2.0 * 3.141592653589793 * frequency;
    double a1 = 2.0 * damping + seconds * omega;
    double a2 = seconds * omega * a1;
    double a3 = 1.0 / (1.0 + a2);
    return (Softness){ omega / a1, a2 * a3, a3 };
}

static inline void push(AbutBody* body, const double arm[3], const double impulse[3], double sign)
{
    double turn[3];
    if (body->inverse_mass == 0.0)
    {
        return; // others may be looking at it
    }
    abut_cross(arm, impulse, turn);
    for (int i = 0; i < 3; ++i)
    {
        body->velocity[i] += sign * body->give[i] * impulse[i];
        body->spin[i] += sign * abut_dot(body->world_inverse[i], turn);
    }
}

static inline void push_both(AbutBody* a, AbutBody* b, const AbutContactPoint* point, const double impulse[3])
{
    push(a, point->arm_a, impulse, 1.0);
    push(b, point->arm_b, impulse, -1.0);
}

static inline void push_along(AbutBody* a, AbutBody* b, const AbutContactPoint* point, double size)
{
    const double impulse[3] = { size * point->normal[0], size * point->normal[1], size * point->normal[2] };
    push_both(a, b, point, impulse);
}

static inline void relative_velocity(const AbutBody* a, const AbutBody* b, const AbutContactPoint* point,
                                     double out[3])
{
    double turn_a[3], turn_b[3];
    abut_cross(a->spin, point->arm_a, turn_a);
    abut_cross(b->spin, point->arm_b, turn_b);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a->velocity[i] + turn_a[i] - b->velocity[i] - turn_b[i];
    }
}

static double normal_speed(const AbutBody* a, const AbutBody* b, const AbutContactPoint* point)
{
    double v[3];
    relative_velocity(a, b, point, v);
    return abut_dot(v, point->normal);
}

/// How far a point that is fixed to a body has moved along `normal` since the step began.
static double moved_along(const AbutBody* body, const double start_arm[3], const double local[3],
                          const double normal[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        sum += normal[i] *
               (body->position[i] - body->start[i] + abut_dot(body->matrix[i], local) - start_arm[i]);
    }
    return sum;
}

static void refresh_gap(const AbutBody* a, const AbutBody* b, AbutContactPoint* point)
{
    point->gap = point->separation + moved_along(a, point->arm_a, point->local_a, point->normal) -
                 moved_along(b, point->arm_b, point->local_b, point->normal);
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

static void warm_start(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                       AbutContactPoint* points)
{
    (void)context;
    for (uint32_t k = 0; k < m->count; ++k)
    {
        const AbutContactPoint* p = &points[k];
        double impulse[3];
        for (int i = 0; i < 3; ++i)
        {
            impulse[i] = p->normal_impulse * p->normal[i] + p->tangent_impulse[0] * p->tangent[0][i] +
                         p->tangent_impulse[1] * p->tangent[1][i];
        }
        push_both(a, b, p, impulse);
    }
}

static void solve_normal(AbutBody* a, AbutBody* b, const SubstepRule* rule, const Softness* soft,
                         AbutContactPoint* point)
{
    double bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
    if (point->gap > 0.0)
    {
        bias = point->gap / rule->seconds; // may close it, no more
    }
    else if (rule->use_bias)
    {
        bias = fmax(soft->bias_rate * point->gap, -rule->push_speed);
        mass_scale = soft->mass_scale;
        impulse_scale = soft->impulse_scale;
    }
    double impulse = -point->normal_mass * mass_scale * (normal_speed(a, b, point) + bias) -
                     impulse_scale * point->normal_impulse;
    double total = fmax(point->normal_impulse + impulse, 0.0);
    impulse = total - point->normal_impulse;
    point->normal_impulse = total;
    push_along(a, b, point, impulse);
}

static void solve_friction(AbutBody* a, AbutBody* b, double most, AbutContactPoint* point)
{
    double v[3], wanted[2], change[2], impulse[3];
    relative_velocity(a, b, point, v);
    for (int k = 0; k < 2; ++k)
    {
        wanted[k] = point->tangent_impulse[k] - point->tangent_mass[k] * abut_dot(v, point->tangent[k]);
    }
    double size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
    double scale = size > most ? most / size : 1.0;
    for (int k = 0; k < 2; ++k)
    {
        change[k] = scale * wanted[k] - point->tangent_impulse[k];
        point->tangent_impulse[k] = scale * wanted[k];
    }
    for (int i = 0; i < 3; ++i)
    {
        impulse[i] = change[0] * point->tangent[0][i] + change[1] * point->tangent[1][i];
    }
    push_both(a, b, point, impulse);
}

/// Springs push. Friction is limited by the load, and springs press harder than that: it comes before them, with the impulses that the
/// last relaxation left.
static void solve_biased(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                         AbutContactPoint* points)
{
    const SubstepRule* rule = context;
    bool fixed = a->inverse_mass == 0.0 || b->inverse_mass == 0.0;
    for (uint32_t k = 0; k < m->count; ++k)
    {
        solve_friction(a, b, m->friction * points[k].normal_impulse, &points[k]);
    }
    for (uint32_t k = 0; k < m->count; ++k)
    {
        solve_normal(a, b, rule, fixed ? &rule->soft_static : &rule->soft, &points[k]);
    }
}

/// Bodies have moved: contacts take out the speed that springs gave them.
static void solve_relaxed(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                          AbutContactPoint* points)
{
    const SubstepRule* rule = context;
    for (uint32_t k = 0; k < m->count; ++k)
    {
        refresh_gap(a, b, &points[k]);
        // What is open is for the next substep: slowed down here, a blow would fall into two.
        if (points[k].gap <= 0.0 || points[k].normal_impulse > 0.0)
        {
            solve_normal(a, b, rule, NULL, &points[k]);
        }
    }
    for (uint32_t k = 0; k < m->count; ++k)
    {
        solve_friction(a, b, m->friction * points[k].normal_impulse, &points[k]);
        points[k].total_impulse += points[k].normal_impulse;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Restitution
// ---------------------------------------------------------------------------------------------------------------------

/// Speeds before forces act.
static void note_speed(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                       AbutContactPoint* points)
{
    (void)context;
    for (uint32_t k = 0; k < m->count && m->restitution > 0.0; ++k)
    {
        points[k].approach = normal_speed(a, b, &points[k]);
    }
}

/// And how much of the speed after that a contact has when it closes in this substep: a body that gave back the speed of the end of
/// the substep would gain energy by what it did not fall. 0 where it does not come in fast.
static void note_approach(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                          AbutContactPoint* points)
{
    const SubstepRule* rule = context;
    for (uint32_t k = 0; k < m->count && m->restitution > 0.0; ++k)
    {
        double before = points[k].approach, after = normal_speed(a, b, &points[k]);
        double way = -0.5 * (before + after) * rule->seconds, gap = fmax(points[k].gap, 0.0);
        double part = way > gap ? gap / way : 1.0;
        double speed = before + part * (after - before);
        points[k].approach = speed < -rule->slow ? fmin(speed / after, 1.0) : 0.0;
    }
}

/// Contacts that came in fast push once more, with the part of their impulse that the materials give back (Poisson's restitution: it does
/// not ask which of many contacts has to have which speed, and gives no energy to two bodies that meet without friction).
static void give_back(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                      AbutContactPoint* points)
{
    (void)context;
    bool bounces = false;
    for (uint32_t k = 0; k < m->count && m->restitution > 0.0; ++k)
    {
        bounces = bounces || (points[k].approach > 0.0 && points[k].normal_impulse > 0.0);
    }
    for (uint32_t k = 0; k < m->count && bounces; ++k)
    {
        double impulse = m->restitution * points[k].approach * points[k].normal_impulse;
        push_along(a, b, &points[k], impulse);
        points[k].total_impulse += impulse;
        // The blow is over: the next substep does not begin with it.
        points[k].normal_impulse = points[k].tangent_impulse[0] = points[k].tangent_impulse[1] = 0.0;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

enum
{
    BODY_BLOCK = 256 // bodies of a task
};

typedef struct BodyRun
{
    AbutWorld* world;
    void (*visit)(AbutWorld* world, AbutBody* body, double seconds);
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
            run->visit(run->world, &run->world->bodies[i], run->seconds);
        }
    }
}

static void visit_bodies(AbutWorld* world, void (*visit)(AbutWorld*, AbutBody*, double), double seconds)
{
    BodyRun run = { world, visit, seconds };
    abut_parallel_for(&world->host, abut_block_count(world->body_count, BODY_BLOCK), run_bodies, &run);
}

static void begin(AbutWorld* world, AbutBody* body, double seconds)
{
    (void)world;
    (void)seconds;
    for (int k = 0; k < 3; ++k)
    {
        body->start[k] = body->position[k];
    }
    body->falls = true;
}

static void speed_up(AbutWorld* world, AbutBody* body, double seconds)
{
    if (abut_body_moves(body))
    {
        abut_body_integrate_velocity(body, world->def.gravity, seconds);
    }
}

static void move(AbutWorld* world, AbutBody* body, double seconds)
{
    if (abut_body_moves(body) || body->kind == ABUT_BODY_KINEMATIC)
    {
        abut_body_integrate_position(body, world->def.gravity, seconds);
    }
}

static void end(AbutWorld* world, AbutBody* body, double seconds)
{
    (void)world;
    (void)seconds;
    for (int k = 0; k < 3; ++k)
    {
        body->force[k] = body->torque[k] = 0.0;
    }
}

/// The deepest first: what closes first has the word, and those beside it find nothing to do. In any other order a contact that is
/// still open takes the blow, at a place where nothing touches.
static void sort_points(AbutContactPoint* points, uint32_t count)
{
    for (uint32_t k = 1; k < count; ++k)
    {
        uint32_t to = k;
        while (to > 0 && points[to - 1].separation > points[k].separation)
        {
            --to;
        }
        if (to < k)
        {
            AbutContactPoint self = points[k];
            memmove(points + to + 1, points + to, (k - to) * sizeof(self));
            points[to] = self;
        }
    }
}

static void begin_contact(const void* context, AbutManifold* m, AbutBody* a, AbutBody* b,
                          AbutContactPoint* points)
{
    (void)context;
    sort_points(points, m->count);
    for (uint32_t k = 0; k < m->count; ++k)
    {
        points[k].gap = points[k].separation;
        points[k].approach = 0.0;
    }
    // Bodies that do not move may be in several manifolds of a group.
    if (a->inverse_mass > 0.0)
    {
        a->falls = false;
    }
    if (b->inverse_mass > 0.0)
    {
        b->falls = false;
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

static SubstepRule make_rule(AbutWorld* world, double seconds)
{
    const AbutWorldDef* def = &world->def;
    double part = seconds / (double)world->substeps;
    double frequency = fmin((double)def->contact_frequency, 0.25 / part);
    SubstepRule rule = { .world = world, .seconds = part, .push_speed = (double)def->push_speed };
    rule.soft = make_soft(frequency, (double)def->contact_damping, part);
    rule.soft_static = make_soft(2.0 * frequency, (double)def->contact_damping, part);
    rule.slow = 2.0 * (double)abut_vec3_length(def->gravity) * seconds;
    return rule;
}

static void substep(AbutWorld* world, SubstepRule* rule, bool bounces)
{
    if (bounces)
    {
        abut_world_visit_manifolds(world, note_speed, rule);
    }
    visit_bodies(world, speed_up, rule->seconds);
    if (bounces)
    {
        abut_world_visit_manifolds(world, note_approach, rule);
    }
    abut_world_visit_manifolds(world, warm_start, rule);
    rule->use_bias = true;
    abut_world_visit_manifolds(world, solve_biased, rule);
    visit_bodies(world, move, rule->seconds);
    rule->use_bias = false;
    abut_world_visit_manifolds(world, solve_relaxed, rule);
    if (bounces)
    {
        abut_world_visit_manifolds(world, give_back, rule);
    }
}

void abut_world_solve(AbutWorld* world, double seconds)
{
    SubstepRule rule = make_rule(world, seconds);
    abut_world_make_colors(world);
    visit_bodies(world, begin, seconds);
    abut_world_visit_manifolds(world, begin_contact, &rule);
    bool bounces = any_bounces(world);
    for (uint32_t i = 0; i < world->substeps; ++i)
    {
        substep(world, &rule, bounces);
    }
    if (world->last_round)
    {
        visit_bodies(world, end, seconds);
    }
}
