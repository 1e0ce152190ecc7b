#include "support/proofs.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_COMPLAINTS = 3
};

uint64_t proof_case_count(uint64_t usual)
{
    const char* text = getenv("ABUT_TEST_PROOFS");
    if (text != NULL)
    {
        return strtoull(text, NULL, 10);
    }
    return TEST_IS_SANITIZED ? usual / 10 + 1 : usual;
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

uint64_t proof_false_count(const ProofTally* tally)
{
    return tally->false_separated + tally->false_contact + tally->false_gap + tally->false_high;
}

void proof_print(const ProofTally* t, const char* what)
{
    const uint64_t* s = t->states;
    print_message(
        "%-36s %7llu: separated %6llu contact %6llu close %6llu budget %5llu other %4llu; false %5llu: "
        "separated %4llu contact %4llu gap %4llu high %4llu, worst %.2g; samples %.0f, at most %llu\n",
        what, (unsigned long long)t->count, (unsigned long long)s[ABUT_COLLIDE_SEPARATED],
        (unsigned long long)s[ABUT_COLLIDE_CONTACT], (unsigned long long)s[ABUT_COLLIDE_CLOSE],
        (unsigned long long)s[ABUT_COLLIDE_BUDGET],
        (unsigned long long)(s[ABUT_COLLIDE_INVALID] + s[ABUT_COLLIDE_NONE_FOUND] +
                             s[ABUT_COLLIDE_UNDECIDED]),
        (unsigned long long)proof_false_count(t), (unsigned long long)t->false_separated,
        (unsigned long long)t->false_contact, (unsigned long long)t->false_gap,
        (unsigned long long)t->false_high, t->worst, t->evaluations / (double)(t->count > 0 ? t->count : 1),
        (unsigned long long)t->most_evaluations);
}
