// Stiffness and damping of pairs, and the stability of the step.
#include "dynamics/penalty/contact_law.h"

#include <math.h>
#include <stdio.h>

/// Largest phase of an automatic spring per substep (ω·dt). Beyond it, balanced forces are still stable but
/// far from the motion of a spring. The other schemes need it for all points of a contact together, with a
/// reserve for bodies of small inertia.
#define BALANCED_ANGLE 2.0
#define EXPLICIT_ANGLE 0.25

/// Automatic depth at rest, as a fraction of the smaller radius.
#define DEFAULT_DEPTH 0.01

/// Tangential spring relative to the normal one. Well damped: sticking contacts must not oscillate.
#define TANGENTIAL_STIFFNESS_RATIO 0.5
#define TANGENTIAL_DAMPING_RATIO 0.7

/// exp(−2): restitution of a critically damped spring.
#define MIN_RESTITUTION 0.1353352832366127

/// Inverse of e = exp(−2 ζ acos(ζ) / √(1 − ζ²)), derived in docs/penalty.md, within 6e-5: functions of C
/// libraries differ in bits.
double abut_penalty_damping_ratio(double e)
{
    if (e >= 1.0 || e <= MIN_RESTITUTION)
    {
        return e >= 1.0 ? 0.0 : 1.0;
    }
    double above = 4.77162312 + e * (29.50353807 + e * 3.54414018);
    double below = 1.0 + e * (38.28937026 + e * 79.32875544);
    return fmin((1.0 - e) * above / below, 1.0);
}

/// Geometric mean of two materials; the other one where one is 0.
static double mix(float a, float b)
{
    return a > 0.0f && b > 0.0f ? sqrt((double)a * (double)b) : (double)fmaxf(a, b);
}

static double smaller_radius(const AbutBody* a, const AbutBody* b)
{
    return fmin((double)a->radius, (double)b->radius);
}

/// Stiffness for the target depth under the weight of the heavier body, and the largest one that the step
/// resolves.
static void choose_stiffness(const AbutWorld* world, const AbutBody* a, const AbutBody* b, double seconds,
                             AbutPenaltyLaw* law)
{
    const AbutPenaltySettings* settings = &world->def.penalty;
    double heavier = fmax(a->inverse_mass > 0.0 ? 1.0 / a->inverse_mass : 0.0,
                          b->inverse_mass > 0.0 ? 1.0 / b->inverse_mass : 0.0);
    double depth = settings->depth > 0.0f ? (double)settings->depth : DEFAULT_DEPTH * smaller_radius(a, b);
    double angle = settings->scheme == ABUT_PENALTY_BALANCED ? BALANCED_ANGLE : EXPLICIT_ANGLE;
    double stiffest = law->reduced_mass * angle * angle / (seconds * seconds);
    law->target_stiffness = heavier * (double)abut_vec3_length(world->def.gravity) / depth;
    law->stiffness = law->target_stiffness > 0.0 ? fmin(law->target_stiffness, stiffest) : stiffest;
    law->max_total_stiffness = settings->scheme == ABUT_PENALTY_BALANCED ? INFINITY : stiffest;
}

AbutPenaltyLaw abut_penalty_law(const AbutWorld* world, const AbutBody* a, const AbutBody* b, double seconds)
{
    AbutPenaltyLaw law = { 0 };
    double inverse_mass_sum = a->inverse_mass + b->inverse_mass;
    law.reduced_mass = inverse_mass_sum > 0.0 ? 1.0 / inverse_mass_sum : 0.0;
    law.stiffness = mix(a->material.stiffness, b->material.stiffness);
    law.max_total_stiffness = INFINITY;
    if (law.stiffness == 0.0)
    {
        choose_stiffness(world, a, b, seconds, &law);
    }
    law.friction = sqrt((double)a->material.friction * (double)b->material.friction);
    return law;
}

/// Mean count of points inside, over the time in contact. Not the count of points that touch: in large steps
/// those are many more, and springs with too little damping each would sink deeper the larger the step.
static double count_inside(const AbutPenalty* penalty, const AbutPenaltyPair* pair)
{
    double sum = 0.0, longest = 0.0;
    for (size_t i = 0; i < pair->response_count; ++i)
    {
        double inside = penalty->responses[pair->first + i].inside;
        sum += inside;
        longest = fmax(longest, inside);
    }
    return longest > 0.0 ? sum / longest : 1.0;
}

/// Damping per point for the restitution of all points together. `seconds`: of a substep of balanced forces,
/// which damp springs of a large phase less; a larger damping compensates (docs/penalty.md).
static void share(const AbutBody* a, const AbutBody* b, double points, double seconds, AbutPenaltyLaw* law)
{
    double each = law->reduced_mass / points;
    law->stiffness = fmin(law->stiffness, law->max_total_stiffness / points);
    law->tangential_stiffness = TANGENTIAL_STIFFNESS_RATIO * law->stiffness;
    law->damping = mix(a->material.damping, b->material.damping);
    if (law->damping == 0.0)
    {
        double e = fmax((double)a->material.restitution, (double)b->material.restitution);
        double lost = 0.25 * law->stiffness * seconds * seconds / each; // (ω·dt/2)²
        law->damping = 2.0 * abut_penalty_damping_ratio(e) * sqrt(law->stiffness * each * (1.0 + lost));
    }
    law->tangential_damping = 2.0 * TANGENTIAL_DAMPING_RATIO * sqrt(law->tangential_stiffness * each);
}

void abut_penalty_share(AbutWorld* world, size_t index, double seconds)
{
    AbutPenaltyPair* pair = &abut_penalty(world)->pairs[index];
    bool balanced = world->def.penalty.scheme == ABUT_PENALTY_BALANCED;
    share(&world->bodies[pair->a], &world->bodies[pair->b], count_inside(abut_penalty(world), pair),
          balanced ? seconds : 0.0, &pair->law);
}

// -----------------------------------------------------------------------------------------------------------
// Warnings
// -----------------------------------------------------------------------------------------------------------

/// Whether the step is stable for a spring with a = (ω·dt)² and d = 2ζ·ω·dt (docs/penalty.md).
static bool is_stable(AbutPenaltyScheme scheme, double a, double d)
{
    switch (scheme)
    {
    case ABUT_PENALTY_SAMPLED:
        return a + 2.0 * d < 4.0;
    case ABUT_PENALTY_DELAYED:
        return a < 2.0 * d && d < 2.0;
    default:
        return true;
    }
}

void abut_penalty_check_stability(AbutWorld* world, double seconds)
{
    AbutPenalty* penalty = abut_penalty(world);
    AbutPenaltyScheme scheme = world->def.penalty.scheme;
    uint32_t stiff = 0, soft = 0;
    double angle = 0.0, depth = 0.0;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        double count = (double)pair->response_count;
        double a = count * pair->law.stiffness * seconds * seconds / pair->law.reduced_mass;
        double d = count * pair->law.damping * seconds / pair->law.reduced_mass;
        bool bad = count > 0.0 && (!is_stable(scheme, a, d) || penalty->is_unconverged);
        stiff += bad ? 1u : 0u;
        angle = bad ? fmax(angle, sqrt(a)) : angle;
        if (count > 0.0 && pair->law.target_stiffness > count * pair->law.stiffness)
        {
            ++soft;
            depth = fmax(depth, pair->law.target_stiffness / (count * pair->law.stiffness));
        }
    }
    penalty->stiff_count = stiff > penalty->stiff_count ? stiff : penalty->stiff_count;
    if (stiff > 0)
    {
        snprintf(
            penalty->warning, sizeof(penalty->warning),
            "%u pairs are too stiff for substeps of %g s (spring angle %.3g per substep, scheme %s): take "
            "smaller steps, more substeps or less stiffness",
            stiff, seconds, angle, abut_penalty_scheme_name(scheme));
    }
    else if (soft > 0 && penalty->warning[0] == '\0')
    {
        snprintf(penalty->warning, sizeof(penalty->warning),
                 "%u pairs sink in up to %.3g times as deep as AbutPenaltySettings.depth: substeps of %g s "
                 "are too "
                 "large for stiffer springs",
                 soft, depth, seconds);
    }
}
