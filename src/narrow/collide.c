// Two shapes to an answer and contacts.
#include <abut/narrow.h>

#include "narrow/contacts.h"
#include "narrow/decide.h"

#include <math.h>

const char* abut_collide_state_name(AbutCollideState state)
{
    static const char* const names[ABUT_COLLIDE_STATE_COUNT] = {
        [ABUT_COLLIDE_SEPARATED] = "separated", [ABUT_COLLIDE_CONTACT] = "contact",
        [ABUT_COLLIDE_CLOSE] = "close",         [ABUT_COLLIDE_BUDGET] = "budget",
        [ABUT_COLLIDE_INVALID] = "invalid",
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

AbutCollideOutput abut_collide(const AbutCollideInput* input, AbutContact* contacts, int capacity)
{
    AbutPair pair;
    AbutCollideOutput output = { .state = ABUT_COLLIDE_INVALID };
    if (abut_pair_init(input, &pair, &output.gap) != ABUT_OK)
    {
        return output;
    }
    output.state = ABUT_COLLIDE_SEPARATED;
    if (output.gap > input->settings.margin)
    {
        return output;
    }
    AbutSearch search;
    float tolerance = input->settings.tolerance > 0.0f ? input->settings.tolerance : 1e-3f * pair.size;
    output.spacing = input->settings.spacing > 0.0f ? input->settings.spacing : pair.size / 24.0f;
    float box_gap = output.gap;
    if (box_gap == 0.0f)
    {
        output.state = abut_pair_decide(&pair, &search, tolerance, input->settings.budget, &output.gap);
    }
    bool near = output.state != ABUT_COLLIDE_SEPARATED || output.gap <= input->settings.margin;
    if (near && capacity > 0 && output.state != ABUT_COLLIDE_BUDGET)
    {
        output.contact_count = abut_pair_contacts(&pair, &search, input->settings.margin, 0.5f * tolerance,
                                                  &output.spacing, contacts, capacity, &output.contact_total);
    }
    output.evaluations = pair.evaluations;
    return output;
}
