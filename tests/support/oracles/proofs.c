#include "support/oracles/proofs.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_COMPLAINTS = 3,
    ENOUGH_BUDGET = 4096 // of samples, for most pairs to be told apart as far as rounding lets them
};

/// Of the size of the smaller shape, where the settings say 0.
static const double AUTOMATIC_TOLERANCE = 1e-3;

uint64_t proof_case_count(uint64_t usual)
{
    return (uint64_t)test_count("ABUT_TEST_PROOFS", (int)(TEST_IS_SANITIZED ? usual / 10 + 1 : usual));
}

TestRandom proof_random(uint64_t number)
{
    const char* text = getenv("ABUT_TEST_SEED");
    uint64_t seed = text != NULL ? strtoull(text, NULL, 10) : 0;
    return (TestRandom){ number + (seed << 32) };
}

static void complain(ProofTally* tally, uint64_t* kind, const NearPair* pair, const char* what,
                     const char* wrong, double off)
{
    ++*kind;
    tally->worst = fmax(tally->worst, off / pair->size);
    if (tally->complaints++ < MOST_COMPLAINTS)
    {
        print_message("%s: %s, by %.6g (%.3g of the size)\n", what, wrong, off, off / pair->size);
        near_pair_print(pair);
    }
}

/// What rounds away in quad.
static double slack(const NearPair* pair)
{
    double far = 0.0;
    for (int i = 0; i < 2; ++i)
    {
        const AbutPose* pose = &pair->poses[i];
        const ExactShape* shape = &pair->shapes[i];
        far += fabs(pose->position.x) + fabs(pose->position.y) + fabs(pose->position.z);
        far += (double)pose->scale * (exact_shape_size(shape) + fabs((double)shape->parameters[3]));
    }
    return 1e-27 * far;
}

static void count_answer(ProofTally* tally, AbutCollideState state, uint64_t evaluations)
{
    ++tally->count;
    ++tally->states[state];
    tally->evaluations += (double)evaluations;
    tally->most_evaluations = tally->most_evaluations > evaluations ? tally->most_evaluations : evaluations;
}

/// `uncertainty` in units of a.
static void count_close(ProofTally* tally, const NearPair* pair, const AbutCollideSettings* settings,
                        AbutCollideState state, float uncertainty)
{
    double scale = (double)pair->poses[0].scale, tolerance = (double)settings->tolerance * scale;
    bool fine = tolerance > 0.0 && tolerance < 1e-5 * pair->size;
    if (settings->budget < ENOUGH_BUDGET || (tolerance > 0.0 && !fine))
    {
        return;
    }
    double unsure = (double)uncertainty * scale + (fine ? tolerance : AUTOMATIC_TOLERANCE * pair->size);
    ++tally->asked[fine];
    tally->close[fine] += state == ABUT_COLLIDE_CLOSE ? 1 : 0;
    tally->within[fine] += fabs((double)pair->gap) <= unsure ? 1 : 0;
    tally->largest_uncertainty =
        fine ? fmax(tally->largest_uncertainty, unsure / pair->size) : tally->largest_uncertainty;
}

static void judge_state(ProofTally* tally, const NearPair* pair, AbutCollideState state, const char* what)
{
    double gap = (double)pair->gap, unsure = slack(pair);
    if (state == ABUT_COLLIDE_SEPARATED && gap < -unsure)
    {
        complain(tally, &tally->false_separated, pair, what, "separated, but in contact", -gap);
    }
    if (state == ABUT_COLLIDE_CONTACT && gap > unsure)
    {
        complain(tally, &tally->false_contact, pair, what, "contact, but apart", gap);
    }
}

/// `low` in units of a, stated to be no more than the distance of solids that are apart.
static void judge_low(ProofTally* tally, const NearPair* pair, float scale_a, float low, const char* what)
{
    double over = (double)((Exact)low * (Exact)scale_a - pair->gap);
    if (pair->gap > 0 && over > slack(pair))
    {
        complain(tally, &tally->false_gap, pair, what, "the gap is too large", over);
    }
}

void proof_judge_output(ProofTally* tally, const NearPair* pair, float scale_a,
                        const AbutCollideOutput* output, const char* what)
{
    count_answer(tally, output->state, output->evaluations);
    judge_state(tally, pair, output->state, what);
    if (output->state == ABUT_COLLIDE_SEPARATED)
    {
        judge_low(tally, pair, scale_a, output->gap, what);
    }
}

void proof_judge_collide(ProofTally* tally, const NearPair* pair, const AbutCollideInput* input)
{
    AbutCollideOutput output = abut_collide(input, NULL, 0);
    proof_judge_output(tally, pair, input->pose_a.scale, &output, "collide");
    count_close(tally, pair, &input->settings, output.state, output.uncertainty);
}

void proof_judge_distance(ProofTally* tally, const NearPair* pair, const AbutDistanceInput* input)
{
    AbutDistanceOutput output = abut_distance(input);
    count_answer(tally, output.state, output.evaluations);
    judge_state(tally, pair, output.state, "distance");
    bool separated = output.state == ABUT_COLLIDE_SEPARATED;
    if (separated)
    {
        judge_low(tally, pair, input->pose_a.scale, output.low, "distance");
    }
    double under = (double)(pair->gap - (Exact)output.high * (Exact)input->pose_a.scale);
    if ((separated || output.high > 0.0f) && under > slack(pair))
    {
        complain(tally, &tally->false_high, pair, "distance", "the upper bound is too small", under);
    }
}

void proof_add(ProofTally* tally, const ProofTally* more)
{
    tally->count += more->count;
    for (int i = 0; i < ABUT_COLLIDE_STATE_COUNT; ++i)
    {
        tally->states[i] += more->states[i];
    }
    tally->false_separated += more->false_separated;
    tally->false_contact += more->false_contact;
    tally->false_gap += more->false_gap;
    tally->false_high += more->false_high;
    for (int i = 0; i < 2; ++i)
    {
        tally->asked[i] += more->asked[i];
        tally->close[i] += more->close[i];
        tally->within[i] += more->within[i];
    }
    tally->largest_uncertainty = fmax(tally->largest_uncertainty, more->largest_uncertainty);
    tally->worst = fmax(tally->worst, more->worst);
    tally->evaluations += more->evaluations;
    tally->most_evaluations =
        more->most_evaluations > tally->most_evaluations ? more->most_evaluations : tally->most_evaluations;
}

void proof_check_close(const ProofTally* tally, const char* what)
{
    static const char* const tolerances[2] = { "automatic", "fine" };
    for (int i = 0; i < 2; ++i)
    {
        print_message("%s, %s tolerance: of %llu, close %llu, truth within the uncertainty %llu\n", what,
                      tolerances[i], (unsigned long long)tally->asked[i], (unsigned long long)tally->close[i],
                      (unsigned long long)tally->within[i]);
        assert_true(tally->close[i] <= 2 * tally->within[i]);
    }
    print_message("%s: largest uncertainty %.2g of the smaller size\n", what, tally->largest_uncertainty);
}

uint64_t proof_false_count(const ProofTally* tally)
{
    return tally->false_separated + tally->false_contact + tally->false_gap + tally->false_high;
}

void proof_print(const ProofTally* t, const char* what)
{
    const uint64_t* s = t->states;
    uint64_t others = s[ABUT_COLLIDE_INVALID] + s[ABUT_COLLIDE_NONE_FOUND] + s[ABUT_COLLIDE_UNDECIDED];
    print_message(
        "%-36s %7llu: separated %6llu contact %6llu close %6llu budget %5llu other %4llu; false %5llu: "
        "separated %4llu contact %4llu gap %4llu high %4llu, worst %.2g; samples %.0f, at most %llu\n",
        what, (unsigned long long)t->count, (unsigned long long)s[ABUT_COLLIDE_SEPARATED],
        (unsigned long long)s[ABUT_COLLIDE_CONTACT], (unsigned long long)s[ABUT_COLLIDE_CLOSE],
        (unsigned long long)s[ABUT_COLLIDE_BUDGET], (unsigned long long)others,
        (unsigned long long)proof_false_count(t), (unsigned long long)t->false_separated,
        (unsigned long long)t->false_contact, (unsigned long long)t->false_gap,
        (unsigned long long)t->false_high, t->worst, t->evaluations / (double)(t->count > 0 ? t->count : 1),
        (unsigned long long)t->most_evaluations);
}

AbutWorld* proof_world(NearPair* pair, AbutShape* shape)
{
    AbutWorldDef def = abut_world_def();
    AbutBodyDef body = abut_body_def();
    AbutWorld* world = NULL;
    AbutBodyId id;
    test_assert_result(abut_world_create(&def, &world), ABUT_OK);
    body.shape = shape;
    body.kind = ABUT_BODY_STATIC;
    body.pose = pair->poses[0];
    test_assert_result(abut_body_create(world, &body, &id), ABUT_OK);
    pair->poses[0] = abut_body_state(world, id).pose;
    ExactFrame frames[2] = { exact_frame(&pair->poses[0]), exact_frame(&pair->poses[1]) };
    pair->gap = exact_gap(&pair->shapes[0], &frames[0], &pair->shapes[1], &frames[1], NULL);
    return world;
}
