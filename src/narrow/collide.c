// A query from begin to end: checks, the pair, the method, depths.
#include "narrow/collide.h"

#include "base/fp_env.h"
#include "base/scratch.h"
#include "narrow/contacts/depth.h"
#include "shape/shape.h"

#include <math.h>

const char* abut_collide_state_name(AbutCollideState state)
{
    static const char* const names[ABUT_COLLIDE_STATE_COUNT] = {
        [ABUT_COLLIDE_SEPARATED] = "separated", [ABUT_COLLIDE_CONTACT] = "contact",
        [ABUT_COLLIDE_CLOSE] = "close",         [ABUT_COLLIDE_BUDGET] = "budget",
        [ABUT_COLLIDE_INVALID] = "invalid",     [ABUT_COLLIDE_NONE_FOUND] = "none found",
        [ABUT_COLLIDE_UNDECIDED] = "undecided",
    };
    return (unsigned)state < ABUT_COLLIDE_STATE_COUNT ? names[state] : "unknown state";
}

AbutCollideSettings abut_collide_settings(void)
{
    return (AbutCollideSettings){
        .method = ABUT_COLLIDE_AUTOMATIC,
        .budget = 1u << 20,
        .particles = { .resolution = 10, .steps = 8, .relaxation = 1.0f },
        .hull = { .corners = true, .tree = true, .correct = true },
    };
}

AbutSpeculativeSettings abut_speculative_settings(void)
{
    return (AbutSpeculativeSettings){ .budget = 1u << 20 };
}

AbutSpeculativeInput abut_speculative_input(const AbutShape* shape_a, const AbutShape* shape_b)
{
    return (AbutSpeculativeInput){
        .shape_a = shape_a,
        .shape_b = shape_b,
        .pose_a = abut_pose_identity(),
        .pose_b = abut_pose_identity(),
        .settings = abut_speculative_settings(),
    };
}

AbutNarrowSettings abut_narrow_proof_settings(const AbutCollideSettings* settings)
{
    return (AbutNarrowSettings){ .collide = *settings };
}

AbutNarrowSettings abut_narrow_speculative_settings(const AbutSpeculativeSettings* settings)
{
    return (AbutNarrowSettings){
        .collide = { .method = settings->method,
                     .tolerance = settings->tolerance,
                     .margin = settings->margin,
                     .spacing = settings->spacing,
                     .budget = settings->budget,
                     .measure_depth = settings->measure_depth,
                     .reuse = settings->reuse,
                     .hull = abut_collide_settings().hull },
        .speculative = true,
        .pair_margin = settings->pair_margin,
        .pair_margin_user = settings->pair_margin_user,
        .pair_spacing = settings->pair_spacing,
        .pair_spacing_user = settings->pair_spacing_user,
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

AbutResult abut_collide_check(const AbutNarrowSettings* narrow)
{
    const AbutCollideSettings* settings = &narrow->collide;
    const AbutNarrowMethod* method = abut_narrow_method(settings->method);
    if (method == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: there is no method %d", (int)settings->method);
    }
    if (narrow->speculative && settings->method != ABUT_COLLIDE_AUTOMATIC && method->speculative == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: the method %s has no speculative contacts",
                         method->name);
    }
    if (settings->budget == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: the budget is 0; start from %s(), and it is at least 1",
                         narrow->speculative ? "abut_speculative_settings" : "abut_collide_settings");
    }
    const float lengths[4] = { settings->tolerance, settings->margin, settings->spacing, settings->reuse };
    for (int i = 0; i < 4; ++i)
    {
        if (!(lengths[i] >= 0.0f && isfinite(lengths[i])))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT,
                             "collide: tolerance, margin, spacing and reuse must be finite and at least 0");
        }
    }
    return method->check != NULL ? method->check(settings) : ABUT_OK;
}

/// Of speculative contacts a 12th, doubled until it is half of the margin: in powers of two, so that ids last
/// when the margin varies a little, and of a size that does not change with rotations.
static float automatic_spacing(float size, float own_size, const AbutNarrowSettings* settings)
{
    if (!settings->speculative)
    {
        return size / 24.0f;
    }
    float spacing = own_size / 12.0f;
    while (spacing > 0.0f && spacing < 0.5f * settings->collide.margin)
    {
        spacing *= 2.0f;
    }
    return spacing;
}

/// The pair of a method that samples both shapes. True when its boxes are within the margin.
static bool begin_pair(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutCollideOutput* output)
{
    const AbutCollideSettings* settings = &input->settings.collide;
    AbutPair* pair = &begun->pair;
    float margin = settings->margin;
    if (begun->method->margin_beyond != NULL)
    {
        margin += begun->method->margin_beyond(settings, &begun->relative, input->shape_b);
    }
    const AbutPairDef def = { input->shape_a, input->shape_b,      input->pose_a,
                              input->pose_b,  settings->tolerance, margin };
    if (abut_pair_init_relative(&def, &begun->relative, begun->length, pair, &output->gap) != ABUT_OK)
    {
        output->state = ABUT_COLLIDE_INVALID;
        return false;
    }
    output->uncertainty = output->gap < INFINITY ? abut_pair_uncertainty(pair) : 0.0f;
    if (output->gap > margin)
    {
        return false;
    }
    output->spacing = settings->spacing > 0.0f
                          ? settings->spacing
                          : automatic_spacing(pair->size, pair->own_size, &input->settings);
    return true;
}

/// Shapes, poses and lengths. The settings of a batch have margins and spacings of its pairs.
static AbutResult check_input(const AbutNarrowInput* input)
{
    const AbutCollideSettings* settings = &input->settings.collide;
    const AbutPairDef def = { input->shape_a, input->shape_b,      input->pose_a,
                              input->pose_b,  settings->tolerance, settings->margin };
    if (!(settings->spacing >= 0.0f) || !isfinite(settings->spacing))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: spacing must be finite and at least 0");
    }
    return abut_pair_check(&def);
}

static float largest_extent(const AbutShape* shape)
{
    AbutVec3 e = abut_box_extents(shape->info.bounds);
    float wide = e.x > e.y ? e.x : e.y;
    return wide > e.z ? wide : e.z;
}

float abut_collide_spacing(const AbutNarrowSettings* settings, const AbutShape* a, const AbutShape* b,
                           double scale)
{
    if (settings->collide.spacing > 0.0f)
    {
        return settings->collide.spacing;
    }
    float size_a = largest_extent(a), size_b = (float)scale * largest_extent(b);
    float size = abut_pair_smaller_size(size_a, size_b);
    return automatic_spacing(size, size, settings);
}

bool abut_collide_begin(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutCollideOutput* output)
{
    *output = (AbutCollideOutput){ .state = ABUT_COLLIDE_INVALID };
    if (check_input(input) != ABUT_OK)
    {
        return false;
    }
    const AbutShape *a = input->shape_a, *b = input->shape_b;
    begun->method = abut_narrow_choose(&input->settings.collide, input->settings.speculative, a, b);
    if (begun->method == NULL)
    {
        return false;
    }
    // Pairs without a record, whose frames are compared with no earlier ones.
    bool quick = !input->settings.speculative && !input->settings.collide.measure_depth &&
                 begun->method->is_cheap != NULL;
    begun->relative =
        (quick ? abut_transform_relative_quick : abut_transform_relative)(&input->pose_a, &input->pose_b);
    begun->length = abut_dvec3_taxicab(begun->relative.translation);
    output->state = ABUT_COLLIDE_SEPARATED;
    if (begun->method->needs_pair)
    {
        return begin_pair(input, begun, output);
    }
    if (abut_box_is_empty(a->info.bounds) || abut_box_is_empty(b->info.bounds))
    {
        output->gap = INFINITY;
        return false;
    }
    output->spacing = abut_collide_spacing(&input->settings, a, b, begun->relative.scale);
    return true;
}

AbutPair* abut_collide_pair(const AbutNarrowInput* input, AbutNarrowBegun* begun)
{
    if (!begun->method->needs_pair)
    {
        AbutCollideOutput output = { .state = ABUT_COLLIDE_SEPARATED };
        return begin_pair(input, begun, &output) ? &begun->pair : NULL;
    }
    return &begun->pair;
}

uint32_t abut_collide_keep_finite(AbutContact* contacts, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (abut_contact_is_finite(&contacts[i]))
        {
            contacts[kept] = kept < i ? contacts[i] : contacts[kept];
            ++kept;
        }
    }
    return kept;
}

/// Depths of a method that has none of its own.
static void measure_depth(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutContact* contacts,
                          AbutCollideOutput* output)
{
    AbutPair* pair = abut_collide_pair(input, begun);
    if (pair != NULL)
    {
        uint64_t before = pair->evaluations;
        abut_narrow_measure_depth(pair, contacts, output->contact_count);
        output->evaluations += pair->evaluations - before;
    }
}

/// The method of the pair by `adaptive`, where its own has no answer.
static void search_instead(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutCollideScratch* scratch,
                           AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output)
{
    AbutCollideScratch* own = scratch == NULL ? abut_scratch_acquire(sizeof(*own)) : NULL;
    *output = (AbutCollideOutput){ .state = ABUT_COLLIDE_SEPARATED };
    begun->method = &abut_narrow_adaptive;
    if (own == NULL && scratch == NULL)
    {
        output->state = ABUT_COLLIDE_INVALID;
    }
    else if (begin_pair(input, begun, output))
    {
        abut_collide_finish(input, begun, own != NULL ? own : scratch, contacts, capacity, output);
    }
    abut_scratch_release(own);
}

void abut_collide_finish(const AbutNarrowInput* input, AbutNarrowBegun* begun, AbutCollideScratch* scratch,
                         AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output)
{
    const AbutNarrowMethod* method = begun->method;
    const AbutCollideSettings* settings = &input->settings.collide;
    const AbutNarrowQuery query = {
        .settings = settings,
        .shape_a = input->shape_a,
        .shape_b = input->shape_b,
        .relative = &begun->relative,
        .length = begun->length,
        .cache = input->cache,
        .pair = method->needs_pair ? &begun->pair : NULL,
        .scratch = method->needs_scratch ? scratch : NULL,
        .contacts = contacts,
        .capacity = capacity,
        .output = output,
    };
    (input->settings.speculative ? method->speculative : method->collide)(&query);
    if (!input->settings.speculative && output->state == ABUT_COLLIDE_UNDECIDED)
    {
        search_instead(input, begun, scratch, contacts, capacity, output);
        return;
    }
    uint32_t finite = abut_collide_keep_finite(contacts, output->contact_count);
    output->contact_total -= output->contact_count - finite;
    output->contact_count = finite;
    output->evaluations = method->needs_pair ? begun->pair.evaluations : output->evaluations;
    if (settings->measure_depth && finite > 0)
    {
        if (abut_narrow_measures_depth(method, input->shape_a, input->shape_b))
        {
            method->measure_depth(&query);
        }
        else
        {
            measure_depth(input, begun, contacts, output);
        }
    }
}

static AbutCollideOutput collide_pair(const AbutNarrowInput* input, AbutContact* contacts, uint32_t capacity)
{
    AbutNarrowBegun begun;
    AbutCollideOutput output = { .state = ABUT_COLLIDE_INVALID };
    if (abut_collide_check(&input->settings) != ABUT_OK || !abut_collide_begin(input, &begun, &output))
    {
        return output;
    }
    AbutCollideScratch* scratch = NULL;
    if (begun.method->needs_scratch)
    {
        scratch = abut_scratch_acquire(sizeof(*scratch));
        if (scratch == NULL)
        {
            return (AbutCollideOutput){ .state = ABUT_COLLIDE_INVALID };
        }
    }
    abut_collide_finish(input, &begun, scratch, contacts, capacity, &output);
    abut_scratch_release(scratch);
    return output;
}

AbutCollideOutput abut_collide(const AbutCollideInput* input, AbutContact* contacts, uint32_t capacity)
{
    ABUT_FP_CALL(abut_collide, input, contacts, capacity);
    if (input->settings.hull.counts != NULL)
    {
        *input->settings.hull.counts = (AbutHullCounts){ 0 };
    }
    const AbutNarrowInput own = { input->shape_a,
                                  input->shape_b,
                                  input->pose_a,
                                  input->pose_b,
                                  abut_narrow_proof_settings(&input->settings),
                                  input->cache };
    return collide_pair(&own, contacts, capacity);
}

AbutCollideOutput abut_speculative_contacts(const AbutSpeculativeInput* input, AbutContact* contacts,
                                            uint32_t capacity)
{
    ABUT_FP_CALL(abut_speculative_contacts, input, contacts, capacity);
    const AbutNarrowInput own = { input->shape_a,
                                  input->shape_b,
                                  input->pose_a,
                                  input->pose_b,
                                  abut_narrow_speculative_settings(&input->settings),
                                  NULL };
    return collide_pair(&own, contacts, capacity);
}

static bool collide_settings_equal(const AbutCollideSettings* a, const AbutCollideSettings* b)
{
    bool equal = a->method == b->method && a->tolerance == b->tolerance && a->margin == b->margin &&
                 a->spacing == b->spacing && a->budget == b->budget && a->measure_depth == b->measure_depth &&
                 a->reuse == b->reuse;
    for (int i = 0; i < ABUT_COLLIDE_METHOD_COUNT && equal; ++i)
    {
        const AbutNarrowMethod* method = abut_narrow_method((AbutCollideMethod)i);
        equal = method->settings_equal == NULL || method->settings_equal(a, b);
    }
    return equal;
}

bool abut_narrow_settings_equal(const AbutNarrowSettings* a, const AbutNarrowSettings* b)
{
    return a->speculative == b->speculative && collide_settings_equal(&a->collide, &b->collide);
}
