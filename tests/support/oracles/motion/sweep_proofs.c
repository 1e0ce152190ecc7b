#include "support/oracles/motion/sweep_proofs.h"

#include <math.h>

enum
{
    MOST_COMPLAINTS = 3
};

static void complain(SweepTally* tally, uint64_t* kind, const NearMotion* motion, const char* what,
                     double off, const AbutToiOutput* output)
{
    ++*kind;
    tally->worst = fmax(tally->worst, off / motion->pair.size);
    if (tally->complaints++ < MOST_COMPLAINTS)
    {
        print_message("sweep: %s by %.6g (%.3g of the size); state %s, time %a, touch time %a, gap %a\n",
                      what, off, off / motion->pair.size, abut_toi_state_name(output->state),
                      (double)output->time, (double)output->touch_time, (double)output->gap);
        near_motion_print(motion);
    }
}

/// What rounds away in quad.
static double slack(const NearMotion* motion)
{
    double far = 0.0;
    for (int i = 0; i < 2; ++i)
    {
        const AbutPosition* p = &motion->pair.poses[i].position;
        const AbutMotion* m = &motion->motions[i];
        far += fabs(p->x) + fabs(p->y) + fabs(p->z) + (double)abut_vec3_length(m->linear);
        far += (double)motion->pair.poses[i].scale *
               (exact_shape_size(&motion->pair.shapes[i]) + (double)abut_vec3_length(m->center) +
                fabs((double)motion->pair.shapes[i].parameters[3]));
    }
    return 1e-25 * far;
}

static void judge_miss(SweepTally* tally, const NearMotion* motion, float scale_a,
                       const AbutToiOutput* output)
{
    Exact at, least = near_motion_least(motion, 1, &at);
    double over = (double)((Exact)output->gap * (Exact)scale_a - least);
    if ((double)least < -slack(motion))
    {
        complain(tally, &tally->false_miss, motion, "miss, but touches", -(double)least, output);
    }
    else if (over > slack(motion))
    {
        complain(tally, &tally->false_gap, motion, "the gap of a miss is too large", over, output);
    }
}

/// A time of 0 says nothing of what was before.
static void judge_free_until(SweepTally* tally, const NearMotion* motion, float scale_a,
                             const AbutToiOutput* output)
{
    Exact at, least = near_motion_least(motion, (Exact)output->time, &at);
    if ((double)least < -slack(motion) && output->time > 0.0f)
    {
        complain(tally, &tally->late, motion, "late: touches before", -(double)least, output);
    }
    Exact gap = near_motion_gap(motion, (Exact)output->time, NULL);
    double over = (double)(gap - (Exact)output->gap * (Exact)scale_a);
    if (output->state == ABUT_TOI_HIT && over > slack(motion))
    {
        complain(tally, &tally->false_gap, motion, "the gap of a hit is too small", over, output);
    }
}

void sweep_proof_judge(SweepTally* tally, const NearMotion* motion, AbutToiInput* input)
{
    input->pose_a = motion->pair.poses[0];
    input->pose_b = motion->pair.poses[1];
    input->motion_a = motion->motions[0];
    input->motion_b = motion->motions[1];
    AbutToiOutput output = abut_time_of_impact(input);
    ++tally->count;
    ++tally->states[output.state];
    tally->evaluations += (double)output.evaluations;
    tally->most_evaluations =
        output.evaluations > tally->most_evaluations ? output.evaluations : tally->most_evaluations;
    if (output.state == ABUT_TOI_MISS)
    {
        judge_miss(tally, motion, input->pose_a.scale, &output);
    }
    else if (output.state == ABUT_TOI_HIT || output.state == ABUT_TOI_BUDGET)
    {
        judge_free_until(tally, motion, input->pose_a.scale, &output);
    }
    if ((output.state == ABUT_TOI_HIT || output.state == ABUT_TOI_OVERLAP) && output.touch_proved)
    {
        Exact time = output.state == ABUT_TOI_HIT ? (Exact)output.touch_time : 0;
        double gap = (double)near_motion_gap(motion, time, NULL);
        ++tally->proved;
        if (gap > slack(motion))
        {
            complain(tally, &tally->false_touch, motion, "the touch is called proved, but apart", gap,
                     &output);
        }
    }
}

uint64_t sweep_proof_false_count(const SweepTally* tally)
{
    return tally->false_miss + tally->late + tally->false_gap + tally->false_touch;
}

void sweep_proof_print(const SweepTally* t, const char* what)
{
    const uint64_t* s = t->states;
    print_message(
        "%-36s %6llu: miss %5llu hit %5llu overlap %5llu budget %5llu invalid %2llu, proved %5llu; false "
        "%5llu: miss %4llu late %4llu gap %4llu touch %4llu, worst %.2g; samples %.0f, at most %llu\n",
        what, (unsigned long long)t->count, (unsigned long long)s[ABUT_TOI_MISS],
        (unsigned long long)s[ABUT_TOI_HIT], (unsigned long long)s[ABUT_TOI_OVERLAP],
        (unsigned long long)s[ABUT_TOI_BUDGET], (unsigned long long)s[ABUT_TOI_INVALID],
        (unsigned long long)t->proved, (unsigned long long)sweep_proof_false_count(t),
        (unsigned long long)t->false_miss, (unsigned long long)t->late, (unsigned long long)t->false_gap,
        (unsigned long long)t->false_touch, t->worst, t->evaluations / (double)(t->count > 0 ? t->count : 1),
        (unsigned long long)t->most_evaluations);
}
