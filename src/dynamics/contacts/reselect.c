// Reselection of contacts. A reduction that spreads points wide ignores the motion of the bodies: a nut is
// guided by flanks a tenth of a millimetre away, on both sides, and the widest contacts are at the ends of
// its thread. So the pair is moved over the pass with the kept contacts alone; while a dropped contact
// closes, it replaces the kept one that is furthest from closing. And where nothing but contacts damps a
// motion, contacts at the surfaces spread: a nut that falls through its play on three points in a row tilts
// between them, and costs its start a part of the fall.
#include "dynamics/contacts/reselect.h"

#include "base/assert.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>

enum
{
    ITERATIONS = 8, // over the kept contacts, per exchange
    EXCHANGES = 24,
    SPREADS = 6 // exchanges that spread the contacts at the surfaces; the others stay on guard all around
};

/// Share of a penetration to resolve in the pass, and closing allowed to dropped contacts, as a fraction of
/// the speculative distance.
#define DEPENETRATION_FRACTION 0.2
#define CLOSING_FRACTION 0.02

/// Least distance of spread contacts, as a fraction of the radius of the smaller body.
#define SPREAD_FRACTION 0.3

/// Motion of a body in the pass.
typedef struct BodyMotion
{
    AbutDVec3 displacement, rotation_vector; // of the centre of mass, and about it
} BodyMotion;

typedef struct PairMotion
{
    BodyMotion a, b;
} PairMotion;

/// Motion without contacts.
static BodyMotion free_motion(const AbutStepContext* step, const AbutBody* body)
{
    double t = step->seconds, n = step->substeps, late = t * t * (n + 1.0) / (2.0 * n);
    AbutDVec3 acceleration = abut_dvec3_zero(), angular_acceleration = abut_dvec3_zero();
    if (abut_body_moves(body))
    {
        acceleration = abut_body_acceleration(body, step->world->def.gravity);
        angular_acceleration = abut_dmat3_transform(&body->world_inverse_inertia, body->torque);
    }
    return (BodyMotion){ abut_dvec3_mul_add(abut_dvec3_scale(body->velocity, t), late, acceleration),
                         abut_dvec3_mul_add(abut_dvec3_scale(body->angular_velocity, t), late,
                                            angular_acceleration) };
}

static void make_constraint(const AbutManifoldPoint* point, AbutReselectConstraint* constraint)
{
    constraint->normal = point->normal;
    constraint->r_cross_n_a = abut_dvec3_cross(point->r_a, point->normal);
    constraint->r_cross_n_b = abut_dvec3_cross(point->r_b, point->normal);
    constraint->target_gap = point->gap < 0.0 ? DEPENETRATION_FRACTION * point->gap : point->gap;
    constraint->impulse = 0.0;
    constraint->is_new = false;
}

/// Gap after the motion.
static double gap_after(const AbutReselectConstraint* constraint, const PairMotion* m)
{
    AbutDVec3 linear =
        abut_dvec3_mul(constraint->normal, abut_dvec3_sub(m->a.displacement, m->b.displacement));
    AbutDVec3 angular_a = abut_dvec3_mul(constraint->r_cross_n_a, m->a.rotation_vector);
    AbutDVec3 angular_b = abut_dvec3_mul(constraint->r_cross_n_b, m->b.rotation_vector);
    AbutDVec3 terms = abut_dvec3_sub(abut_dvec3_add(linear, angular_a), angular_b);
    return constraint->target_gap + terms.x + terms.y + terms.z;
}

static double effective_mass_of(const AbutBody* a, const AbutBody* b,
                                const AbutReselectConstraint* constraint)
{
    AbutDVec3 n = constraint->normal, rn_a = constraint->r_cross_n_a, rn_b = constraint->r_cross_n_b;
    AbutDVec3 inverse_mass = abut_dvec3_add(a->axis_inverse_mass, b->axis_inverse_mass);
    AbutDVec3 linear = abut_dvec3_mul(abut_dvec3_mul(inverse_mass, n), n);
    AbutDVec3 angular_a = abut_dvec3_mul(rn_a, abut_dmat3_transform(&a->world_inverse_inertia, rn_a));
    AbutDVec3 angular_b = abut_dvec3_mul(rn_b, abut_dmat3_transform(&b->world_inverse_inertia, rn_b));
    AbutDVec3 terms = abut_dvec3_add(abut_dvec3_add(linear, angular_a), angular_b);
    double sum = terms.x + terms.y + terms.z;
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

static void apply_impulse(const AbutBody* a, const AbutBody* b, const AbutReselectConstraint* constraint,
                          double size, PairMotion* m)
{
    AbutDVec3 n = constraint->normal;
    AbutDVec3 linear_a = abut_dvec3_mul(abut_dvec3_scale(a->axis_inverse_mass, size), n);
    AbutDVec3 linear_b = abut_dvec3_mul(abut_dvec3_scale(b->axis_inverse_mass, size), n);
    AbutDVec3 angular_a = abut_dmat3_transform(&a->world_inverse_inertia, constraint->r_cross_n_a);
    AbutDVec3 angular_b = abut_dmat3_transform(&b->world_inverse_inertia, constraint->r_cross_n_b);
    m->a.displacement = abut_dvec3_add(m->a.displacement, linear_a);
    m->b.displacement = abut_dvec3_sub(m->b.displacement, linear_b);
    m->a.rotation_vector = abut_dvec3_mul_add(m->a.rotation_vector, size, angular_a);
    m->b.rotation_vector = abut_dvec3_mul_sub(m->b.rotation_vector, size, angular_b);
}

static void solve(const AbutBody* a, const AbutBody* b, AbutReselectConstraint* constraints, int kept,
                  double enough, PairMotion* m)
{
    double worst = INFINITY;
    for (int iteration = 0; iteration < ITERATIONS && worst > enough; ++iteration)
    {
        worst = 0.0;
        for (int i = 0; i < kept; ++i)
        {
            double gap = gap_after(&constraints[i], m);
            double total = fmax(constraints[i].impulse - constraints[i].effective_mass * gap, 0.0);
            double change = total - constraints[i].impulse;
            constraints[i].impulse = total;
            apply_impulse(a, b, &constraints[i], change, m);
            worst = change != 0.0 ? fmax(worst, fabs(gap)) : worst;
        }
    }
}

/// The dropped contact that closes most, or −1.
static int find_closing(const AbutReselectConstraint* constraints, int kept, int count, double allowed,
                        const PairMotion* m)
{
    int best = -1;
    double least = -allowed;
    for (int i = kept; i < count; ++i)
    {
        double gap = gap_after(&constraints[i], m);
        if (gap < least)
        {
            least = gap;
            best = i;
        }
    }
    return best;
}

/// The kept contact without an impulse that is furthest from closing, by more than `most`, or −1.
static int find_idle(const AbutReselectConstraint* constraints, int kept, double most, const PairMotion* m)
{
    int best = -1;
    for (int i = 0; i < kept; ++i)
    {
        double gap =
            constraints[i].impulse == 0.0 && !constraints[i].is_new ? gap_after(&constraints[i], m) : -1.0;
        if (gap > most)
        {
            most = gap;
            best = i;
        }
    }
    return best;
}

static void swap_points(AbutManifoldPoint* points, AbutReselectConstraint* constraints, int kept, int dropped)
{
    AbutManifoldPoint point = points[kept];
    AbutReselectConstraint constraint = constraints[kept];
    points[kept] = points[dropped];
    constraints[kept] = constraints[dropped];
    points[dropped] = point;
    constraints[dropped] = constraint;
}

typedef struct Spread
{
    double closed;   // gaps under this are at the surfaces
    double distance; // least distance of two contacts there
    const PairMotion* motion;
} Spread;

/// The dropped contact at the surfaces after the motion that is furthest from all kept ones there, or -1.
static int find_furthest(const AbutManifoldPoint* points, const AbutReselectConstraint* constraints, int kept,
                         int count, const Spread* by)
{
    bool is_closed[ABUT_MANIFOLD_POINTS];
    double most = by->distance * by->distance;
    int best = -1;
    for (int k = 0; k < kept; ++k)
    {
        is_closed[k] = gap_after(&constraints[k], by->motion) < by->closed;
    }
    for (int i = kept; i < count; ++i)
    {
        double least = gap_after(&constraints[i], by->motion) < by->closed ? INFINITY : 0.0;
        for (int k = 0; k < kept && least > most; ++k)
        {
            AbutDVec3 offset = abut_dvec3_sub(points[i].r_a, points[k].r_a);
            least = is_closed[k] ? fmin(least, abut_dvec3_squared_length(offset)) : least;
        }
        if (least > most)
        {
            most = least;
            best = i;
        }
    }
    return best;
}

/// Exchanges contacts that are apart for dropped ones at the surfaces, far from each other.
static void spread(AbutManifoldPoint* points, AbutReselectConstraint* constraints, int kept, int count,
                   const Spread* by)
{
    for (int i = 0; i < SPREADS; ++i)
    {
        int dropped = find_furthest(points, constraints, kept, count, by);
        int idle = dropped >= 0 ? find_idle(constraints, kept, by->closed, by->motion) : -1;
        if (idle < 0)
        {
            break;
        }
        swap_points(points, constraints, idle, dropped);
        constraints[idle].is_new = true;
    }
}

void abut_contacts_reselect(const AbutStepContext* step, const AbutBody* a, const AbutBody* b,
                            AbutPairScratch* scratch, int count, int kept)
{
    AbutReselectConstraint* constraints = scratch->reselect_constraints;
    AbutManifoldPoint* points = scratch->points;
    ABUT_ASSERT(0 < kept && kept <= count && (size_t)count <= scratch->capacity);
    double allowed = CLOSING_FRACTION * abut_pair_speculative_distance(step->world, a, b);
    PairMotion motion = { free_motion(step, a), free_motion(step, b) };
    for (int i = 0; i < count; ++i)
    {
        make_constraint(&points[i], &constraints[i]);
    }
    for (int i = 0; i < kept; ++i)
    {
        constraints[i].effective_mass = effective_mass_of(a, b, &constraints[i]);
    }
    for (int exchange = 0; exchange < EXCHANGES; ++exchange)
    {
        solve(a, b, constraints, kept, 0.5 * allowed, &motion);
        int closing = find_closing(constraints, kept, count, allowed, &motion);
        int idle = closing >= 0 ? find_idle(constraints, kept, 0.0, &motion) : -1;
        if (idle < 0)
        {
            break;
        }
        swap_points(points, constraints, idle, closing);
        constraints[idle].is_new = true;
        constraints[idle].effective_mass = effective_mass_of(a, b, &constraints[idle]);
    }
    if (a->material.friction == 0.0f || b->material.friction == 0.0f)
    {
        double distance = SPREAD_FRACTION * fmin((double)a->radius, (double)b->radius);
        spread(points, constraints, kept, count, &(Spread){ allowed, distance, &motion });
    }
}

/// Cosine of the angle between opposing normals.
#define OPPOSED (-0.5)

bool abut_contacts_are_tight(const AbutManifoldPoint* points, uint32_t count, double distance)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < i && points[i].separation < distance; ++k)
        {
            if (points[k].separation < distance &&
                abut_dvec3_dot(points[i].normal, points[k].normal) < OPPOSED)
            {
                return true;
            }
        }
    }
    return false;
}

/// Net share of the impulses: norm of the net force, and of the net torque about the mean point over the
/// spread of the points, over the sum of the impulses.
static double net_fraction(const AbutManifoldPoint* points, uint32_t count)
{
    AbutDVec3 middle = abut_dvec3_zero(), force = abut_dvec3_zero(), torque = abut_dvec3_zero();
    double sizes = 0.0, spread = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        middle = abut_dvec3_add(middle, abut_dvec3_div(points[i].r_a, (double)count));
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDVec3 r = abut_dvec3_sub(points[i].r_a, middle);
        sizes += points[i].normal_impulse;
        spread = fmax(spread, abut_dvec3_length(r));
        force = abut_dvec3_mul_add(force, points[i].normal_impulse, points[i].normal);
        torque = abut_dvec3_mul_add(torque, points[i].normal_impulse, abut_dvec3_cross(r, points[i].normal));
    }
    double net = abut_dvec3_length(force) + (spread > 0.0 ? abut_dvec3_length(torque) / spread : 0.0);
    return sizes > 0.0 ? fmin(net / sizes, 1.0) : 1.0;
}

// Opposing impulses can grow without bound, and once one of the contacts is lost, the other would act alone.
void abut_contacts_damp_internal_impulses(AbutManifoldPoint* points, uint32_t count)
{
    double fraction = net_fraction(points, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i].normal_impulse *= fraction;
        points[i].tangent_impulse[0] *= fraction;
        points[i].tangent_impulse[1] *= fraction;
    }
}

void abut_contacts_reset_load(AbutManifoldPoint* points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        points[i].load = 0.0;
    }
}
