// Impulses: soft contacts in substeps. Each substep lets forces act, pushes contacts apart with springs that are as stiff as the
// substep allows, moves the bodies, and takes the speed out again that the springs have put in, so that overlaps go away without
// bouncing. Friction holds against sliding with at most friction times the normal impulse.
#include "dynamics/world.h"

#include <math.h>

typedef struct Softness
{
    double bias_rate, mass_scale, impulse_scale;
} Softness;

/// A damped spring, integrated implicitly over a substep (the constraint form of it).
static Softness make_soft(double frequency, double damping, double seconds)
{
    double omega = 2.0 * 3.141592653589793 * frequency;
    double a1 = 2.0 * damping + seconds * omega;
    double a2 = seconds * omega * a1;
    double a3 = 1.0 / (1.0 + a2);
    return (Softness){ omega / a1, a2 * a3, a3 };
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void push(AbutBody* body, const double arm[3], const double direction[3], double impulse)
{
    double turn[3];
    cross(arm, direction, turn);
    for (int i = 0; i < 3; ++i)
    {
        body->velocity[i] += body->give[i] * impulse * direction[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        body->spin[i] += impulse * dot(body->world_inverse[i], turn);
    }
}

static void push_both(AbutBody* a, AbutBody* b, const AbutContactPoint* point, const double direction[3],
                      double impulse)
{
    push(a, point->arm_a, direction, impulse);
    push(b, point->arm_b, direction, -impulse);
}

static void relative_velocity(const AbutBody* a, const AbutBody* b, const AbutContactPoint* point,
                              double out[3])
{
    double turn_a[3], turn_b[3];
    cross(a->spin, point->arm_a, turn_a);
    cross(b->spin, point->arm_b, turn_b);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a->velocity[i] + turn_a[i] - b->velocity[i] - turn_b[i];
    }
}

/// How far a point that is fixed to a body has moved along `normal` since the step began.
static double moved_along(const AbutBody* body, const double start_arm[3], const double local[3],
                          const double normal[3])
{
    double r[3][3], sum = 0.0;
    abut_body_matrix(body->rotation, r);
    for (int i = 0; i < 3; ++i)
    {
        sum += normal[i] * (body->position[i] - body->start[i] + dot(r[i], local) - start_arm[i]);
    }
    return sum;
}

static double separation_now(const AbutBody* a, const AbutBody* b, const AbutContactPoint* point)
{
    return point->separation + moved_along(a, point->arm_a, point->local_a, point->normal) -
           moved_along(b, point->arm_b, point->local_b, point->normal);
}

typedef struct SubstepRule
{
    Softness soft, soft_static; // against what cannot move contacts are twice as stiff
    double seconds, push_speed;
    bool use_bias;
} SubstepRule;

static void solve_normal(AbutBody* a, AbutBody* b, const SubstepRule* rule, AbutContactPoint* point)
{
    bool fixed = a->inverse_mass == 0.0 || b->inverse_mass == 0.0;
    Softness soft = fixed ? rule->soft_static : rule->soft;
    double gap = separation_now(a, b, point), bias = 0.0, mass_scale = 1.0, impulse_scale = 0.0;
    if (gap > 0.0)
    {
        bias = gap / rule->seconds; // may close it, no more
    }
    else if (rule->use_bias)
    {
        bias = fmax(soft.bias_rate * gap, -rule->push_speed);
        mass_scale = soft.mass_scale;
        impulse_scale = soft.impulse_scale;
    }
    double v[3];
    relative_velocity(a, b, point, v);
    double impulse = -point->normal_mass * mass_scale * (dot(v, point->normal) + bias) -
                     impulse_scale * point->normal_impulse;
    double total = fmax(point->normal_impulse + impulse, 0.0);
    impulse = total - point->normal_impulse;
    point->normal_impulse = total;
    push_both(a, b, point, point->normal, impulse);
}

static void solve_friction(AbutBody* a, AbutBody* b, double friction, AbutContactPoint* point)
{
    double v[3], wanted[2];
    relative_velocity(a, b, point, v);
    for (int k = 0; k < 2; ++k)
    {
        wanted[k] = point->tangent_impulse[k] - point->tangent_mass[k] * dot(v, point->tangent[k]);
    }
    double most = friction * point->normal_impulse,
           size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1]);
    double scale = size > most ? most / size : 1.0;
    for (int k = 0; k < 2; ++k)
    {
        double impulse = scale * wanted[k] - point->tangent_impulse[k];
        point->tangent_impulse[k] = scale * wanted[k];
        push_both(a, b, point, point->tangent[k], impulse);
    }
}

static void solve_all(AbutWorld* world, const SubstepRule* rule)
{
    AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        AbutContactPoint* points = store->points + m->first;
        for (uint32_t k = 0; k < m->count && m->solved; ++k)
        {
            solve_normal(a, b, rule, &points[k]);
        }
        // Springs that push press harder than the load: friction is for the load alone.
        for (uint32_t k = 0; k < m->count && m->solved && !rule->use_bias; ++k)
        {
            solve_friction(a, b, m->friction, &points[k]);
        }
    }
}

static void warm_start(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        for (uint32_t k = 0; k < m->count && m->solved; ++k)
        {
            AbutContactPoint* point = &store->points[m->first + k];
            push_both(a, b, point, point->normal, point->normal_impulse);
            push_both(a, b, point, point->tangent[0], point->tangent_impulse[0]);
            push_both(a, b, point, point->tangent[1], point->tangent_impulse[1]);
        }
    }
}

static void add_impulses(AbutWorld* world)
{
    AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->point_count; ++i)
    {
        store->points[i].total_impulse += store->points[i].normal_impulse;
    }
}

/// Contacts that came in fast go out with the part of the speed that the materials give back.
static void give_back(AbutWorld* world, double seconds)
{
    AbutContactStore* store = &world->stores[world->current];
    double slow = 2.0 * (double)abut_vec3_length(world->def.gravity) * seconds;
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        for (uint32_t k = 0; k < m->count && m->solved && m->restitution > 0.0; ++k)
        {
            AbutContactPoint* point = &store->points[m->first + k];
            if (point->approach > -slow || point->total_impulse == 0.0)
            {
                continue;
            }
            double v[3];
            relative_velocity(a, b, point, v);
            double impulse = -point->normal_mass * (dot(v, point->normal) + m->restitution * point->approach);
            double total = fmax(point->normal_impulse + impulse, 0.0);
            impulse = total - point->normal_impulse;
            point->normal_impulse = total;
            point->total_impulse += impulse;
            push_both(a, b, point, point->normal, impulse);
        }
    }
}

static void integrate_velocities(AbutWorld* world, double seconds)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && abut_body_moves(body))
        {
            abut_body_integrate_velocity(body, world->def.gravity, seconds);
        }
    }
}

static void integrate_positions(AbutWorld* world, double seconds)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && (abut_body_moves(body) || body->kind == ABUT_BODY_KINEMATIC))
        {
            abut_body_integrate_position(body, seconds);
        }
    }
}

static void begin(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        for (int k = 0; k < 3; ++k)
        {
            body->start[k] = body->position[k];
        }
    }
}

static void end(AbutWorld* world)
{
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        for (int k = 0; k < 3; ++k)
        {
            body->force[k] = body->torque[k] = 0.0;
        }
    }
}

void abut_world_solve(AbutWorld* world, double seconds)
{
    double part = seconds / (double)world->def.substep_count;
    double frequency = fmin((double)world->def.contact_frequency, 0.25 / part);
    SubstepRule rule = { .seconds = part, .push_speed = (double)world->def.push_speed };
    rule.soft = make_soft(frequency, (double)world->def.contact_damping, part);
    rule.soft_static = make_soft(2.0 * frequency, (double)world->def.contact_damping, part);
    begin(world);
    for (uint32_t i = 0; i < world->def.substep_count; ++i)
    {
        integrate_velocities(world, part);
        warm_start(world);
        rule.use_bias = true;
        solve_all(world, &rule);
        integrate_positions(world, part);
        rule.use_bias = false;
        solve_all(world, &rule);
        add_impulses(world);
    }
    give_back(world, seconds);
    end(world);
}
