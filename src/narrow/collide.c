// Two shapes to an answer and contacts.
#include "narrow/collide.h"

#include "narrow/contacts.h"
#include "narrow/decide.h"

#include <math.h>

const char* abut_collide_state_name(AbutCollideState state)
{
    static const char* const names[ABUT_COLLIDE_STATE_COUNT] = {
        [ABUT_COLLIDE_SEPARATED] = "separated", [ABUT_COLLIDE_CONTACT] = "contact",
        [ABUT_COLLIDE_CLOSE] = "close",         [ABUT_COLLIDE_BUDGET] = "budget",
        [ABUT_COLLIDE_INVALID] = "invalid",     [ABUT_COLLIDE_NONE_FOUND] = "none found",
    };
    return (unsigned)state < ABUT_COLLIDE_STATE_COUNT ? names[state] : "unknown state";
}

const char* abut_collide_method_name(AbutCollideMethod method)
{
    static const char* const names[ABUT_COLLIDE_METHOD_COUNT] = {
        [ABUT_COLLIDE_ADAPTIVE] = "adaptive",
        [ABUT_COLLIDE_PARTICLES] = "particles",
    };
    return (unsigned)method < ABUT_COLLIDE_METHOD_COUNT ? names[method] : "unknown method";
}

AbutCollideSettings abut_collide_settings(void)
{
    return (AbutCollideSettings){
        .method = ABUT_COLLIDE_ADAPTIVE,
        .budget = 1u << 20,
        .particles = { .resolution = 10, .steps = 8, .relaxation = 1.0f },
    };
}

AbutCollideInput abut_collide_input(const AbutShape* shape_a, const AbutShape* shape_b)
{
    return (AbutCollideInput){
        .shape_a = shape_a,
        .shape_b = shape_b,
        .pose_a = abut_pose_identity(),
        .pose_b = abut_pose_identity(),
        .settings = abut_collide_settings(),
    };
}

static float resolve_tolerance(const AbutPair* pair, const AbutCollideSettings* settings)
{
    return settings->tolerance > 0.0f ? settings->tolerance : 1e-3f * pair->size;
}

static void collide_adaptive(const AbutCollideSettings* settings, AbutPair* pair, AbutCollideScratch* scratch,
                             AbutContact* contacts, int capacity, AbutCollideOutput* output)
{
    float tolerance = resolve_tolerance(pair, settings);
    if (output->gap == 0.0f)
    {
        output->state = abut_pair_decide(pair, &scratch->search, tolerance, settings->budget, &output->gap);
    }
    bool near = output->state != ABUT_COLLIDE_SEPARATED || output->gap <= settings->margin;
    if (near && capacity > 0 && output->state != ABUT_COLLIDE_BUDGET)
    {
        output->contact_count =
            abut_pair_contacts(pair, &scratch->search, &scratch->list, settings->margin, 0.5f * tolerance,
                               &output->spacing, contacts, capacity, &output->contact_total);
    }
}

static void collide_particles(const AbutCollideSettings* settings, AbutPair* pair,
                              AbutCollideScratch* scratch, AbutContact* contacts, int capacity,
                              AbutCollideOutput* output)
{
    AbutParticles particles =
        abut_particles_make(pair, settings, resolve_tolerance(pair, settings), output->spacing);
    abut_particles_collide(&particles, &settings->particles, pair, &scratch->run, &scratch->list, contacts,
                           capacity, output);
}

/// Fills in what a method finds out of a pair whose boxes are no further apart than the margin.
typedef void CollideFn(const AbutCollideSettings* settings, AbutPair* pair, AbutCollideScratch* scratch,
                       AbutContact* contacts, int capacity, AbutCollideOutput* output);

static CollideFn* const methods[ABUT_COLLIDE_METHOD_COUNT] = {
    [ABUT_COLLIDE_ADAPTIVE] = collide_adaptive,
    [ABUT_COLLIDE_PARTICLES] = collide_particles,
};

AbutResult abut_collide_check(const AbutCollideSettings* settings)
{
    if ((unsigned)settings->method >= ABUT_COLLIDE_METHOD_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: there is no method %d", (int)settings->method);
    }
    return settings->method == ABUT_COLLIDE_PARTICLES ? abut_particles_check(&settings->particles) : ABUT_OK;
}

AbutCollideOutput abut_collide_with(const AbutCollideInput* input, AbutCollideScratch* scratch,
                                    AbutContact* contacts, int capacity)
{
    AbutPair pair;
    AbutCollideOutput output = { .state = ABUT_COLLIDE_INVALID };
    if (abut_collide_check(&input->settings) != ABUT_OK ||
        abut_pair_init(input, &pair, &output.gap) != ABUT_OK)
    {
        return output;
    }
    output.state = ABUT_COLLIDE_SEPARATED;
    if (output.gap > input->settings.margin)
    {
        return output;
    }
    output.spacing = input->settings.spacing > 0.0f ? input->settings.spacing : pair.size / 24.0f;
    methods[input->settings.method](&input->settings, &pair, scratch, contacts, capacity, &output);
    output.evaluations = pair.evaluations;
    return output;
}

AbutCollideOutput abut_collide(const AbutCollideInput* input, AbutContact* contacts, int capacity)
{
    AbutCollideScratch scratch;
    return abut_collide_with(input, &scratch, contacts, capacity);
}
