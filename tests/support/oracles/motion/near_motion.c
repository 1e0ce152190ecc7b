#include "support/oracles/motion/near_motion.h"

#include <math.h>

enum
{
    SCAN = 24,
    REFINE = 40
};

Exact near_motion_gap(const NearMotion* motion, Exact time, ExactVec* direction)
{
    ExactFrame frames[2];
    for (int i = 0; i < 2; ++i)
    {
        ExactFrame start = exact_frame(&motion->pair.poses[i]);
        frames[i] = exact_frame_move(&start, &motion->motions[i], time);
    }
    return exact_gap(&motion->pair.shapes[0], &frames[0], &motion->pair.shapes[1], &frames[1], direction);
}

/// Golden section between two times: down to the least gap where there is but one.
static Exact refine(const NearMotion* motion, Exact low, Exact high, Exact* time)
{
    const Exact golden = (Exact)0.6180339887498949;
    Exact t0 = high - golden * (high - low), t1 = low + golden * (high - low);
    Exact g0 = near_motion_gap(motion, t0, NULL), g1 = near_motion_gap(motion, t1, NULL);
    for (int i = 0; i < REFINE && g0 > 0 && g1 > 0; ++i)
    {
        if (g0 < g1)
        {
            high = t1;
            t1 = t0;
            g1 = g0;
            t0 = high - golden * (high - low);
            g0 = near_motion_gap(motion, t0, NULL);
        }
        else
        {
            low = t0;
            t0 = t1;
            g0 = g1;
            t1 = low + golden * (high - low);
            g1 = near_motion_gap(motion, t1, NULL);
        }
    }
    *time = g0 < g1 ? t0 : t1;
    return g0 < g1 ? g0 : g1;
}

Exact near_motion_least(const NearMotion* motion, Exact end, Exact* time)
{
    Exact gaps[SCAN + 1];
    int best = 0;
    for (int i = 0; i <= SCAN; ++i)
    {
        gaps[i] = near_motion_gap(motion, end * i / SCAN, NULL);
        best = gaps[i] < gaps[best] ? i : best;
    }
    *time = end * best / SCAN;
    Exact least = gaps[best];
    for (int i = 0; i <= SCAN && least > 0; ++i)
    {
        bool lowest = (i == 0 || gaps[i - 1] >= gaps[i]) && (i == SCAN || gaps[i + 1] >= gaps[i]);
        if (lowest && end > 0)
        {
            Exact at, gap = refine(motion, end * (i > 0 ? i - 1 : 0) / SCAN,
                                   end * (i < SCAN ? i + 1 : SCAN) / SCAN, &at);
            *time = gap < least ? at : *time;
            least = gap < least ? gap : least;
        }
    }
    return least;
}

static AbutVec3 random_length(TestRandom* random, double size, double low, double high)
{
    AbutVec3 direction = test_random_direction(random);
    return abut_vec3_scale(direction, (float)(size * pow(10.0, test_random_range(random, low, high))));
}

static AbutMotion random_motion(TestRandom* random, const ExactShape* shape, double size)
{
    AbutMotion motion = abut_motion_none();
    double pick = test_random_unit(random);
    motion.linear = random_length(random, size, -2.0, 4.0);
    if (pick > 0.4)
    {
        motion.angular = random_length(random, 1.0, -2.0, 1.2);
    }
    if (pick > 0.6)
    {
        double own = exact_shape_size(shape);
        motion.center = random_length(random, own > 0.0 ? own : size, -1.0, 1.0);
    }
    return motion;
}

/// The linear motion without (`grazing`) or along the direction between the shapes alone.
static void direct(AbutMotion* motion, ExactVec direction, bool grazing)
{
    AbutVec3 n = abut_vec3((float)direction.x[0], (float)direction.x[1], (float)direction.x[2]),
             *v = &motion->linear;
    AbutVec3 along = abut_vec3_scale(n, abut_vec3_dot(*v, n));
    *v = grazing ? abut_vec3_sub(*v, along) : along;
}

static AbutQuat to_quat(Exact m[3][3])
{
    double x = sqrt(fmax(0.0, 1.0 + (double)(m[0][0] - m[1][1] - m[2][2]))) / 2.0;
    double y = sqrt(fmax(0.0, 1.0 + (double)(m[1][1] - m[0][0] - m[2][2]))) / 2.0;
    double z = sqrt(fmax(0.0, 1.0 + (double)(m[2][2] - m[0][0] - m[1][1]))) / 2.0;
    double w = sqrt(fmax(0.0, 1.0 + (double)(m[0][0] + m[1][1] + m[2][2]))) / 2.0;
    AbutQuat q = { (float)copysign(x, (double)(m[2][1] - m[1][2])),
                   (float)copysign(y, (double)(m[0][2] - m[2][0])),
                   (float)copysign(z, (double)(m[1][0] - m[0][1])), (float)w };
    return abut_quat_normalize(q);
}

/// The pose at time 0 of a motion that leads through `pose` at time t, but for rounding.
static AbutPose rewind(const AbutPose* pose, const AbutMotion* motion, double t)
{
    ExactFrame there = exact_frame(pose), start = exact_frame_move(&there, motion, -(Exact)t);
    ExactVec center = exact_vec((Exact)motion->center.x, (Exact)motion->center.y, (Exact)motion->center.z);
    ExactVec at = exact_frame_apply(&start, center);
    AbutPose out = *pose;
    if (motion->angular.x != 0.0f || motion->angular.y != 0.0f || motion->angular.z != 0.0f)
    {
        out.rotation = to_quat(start.rotation);
    }
    ExactFrame rounded = exact_frame(&out);
    at = exact_subtract(at, exact_scale(exact_frame_rotate(&rounded, center), rounded.scale));
    out.position = (AbutPosition){ (double)at.x[0], (double)at.x[1], (double)at.x[2] };
    return out;
}

static void shift(AbutPose* pose, ExactVec by)
{
    pose->position.x = (double)((Exact)pose->position.x + by.x[0]);
    pose->position.y = (double)((Exact)pose->position.y + by.x[1]);
    pose->position.z = (double)((Exact)pose->position.z + by.x[2]);
}

NearMotion near_motion_make(TestRandom* random, AbutShapeKind a, AbutShapeKind b, NearStyle style)
{
    NearPair pair = near_pair_make(random, a, b, style);
    return near_motion_through(random, &pair);
}

NearMotion near_motion_through(TestRandom* random, const NearPair* pair)
{
    NearMotion out = { .pair = *pair };
    Exact target = out.pair.gap, time;
    ExactVec direction;
    near_motion_gap(&out, 0, &direction); // nothing moves yet
    double pick = test_random_unit(random), t = pick < 0.15  ? 0.0
                                                : pick < 0.3 ? 1.0
                                                             : test_random_unit(random);
    double manner = test_random_unit(random);
    int mover = manner < 0.5 ? 1 : 0;
    for (int i = 0; i < 2; ++i)
    {
        if (i == mover || test_random_unit(random) < 0.3)
        {
            out.motions[i] = random_motion(random, &out.pair.shapes[i], out.pair.size);
            double style_of = test_random_unit(random);
            if (style_of < 0.75)
            {
                direct(&out.motions[i], direction, style_of < 0.5);
            }
            out.pair.poses[i] = rewind(&out.pair.poses[i], &out.motions[i], t);
        }
    }
    Exact gap = near_motion_gap(&out, (Exact)t, &direction);
    shift(&out.pair.poses[1], exact_scale(direction, target - gap));
    for (int i = 0; i < 2 && test_random_unit(random) < 0.7; ++i)
    {
        gap = near_motion_least(&out, 1, &time);
        near_motion_gap(&out, time, &direction);
        shift(&out.pair.poses[1], exact_scale(direction, (target > 0 ? target : -target) - gap));
    }
    out.pair.gap = near_motion_gap(&out, 0, NULL);
    return out;
}

void near_motion_print(const NearMotion* motion)
{
    near_pair_print(&motion->pair);
    for (int i = 0; i < 2; ++i)
    {
        const AbutMotion* m = &motion->motions[i];
        print_message("  motion %c: linear %a %a %a; angular %a %a %a; center %a %a %a\n", 'a' + i,
                      (double)m->linear.x, (double)m->linear.y, (double)m->linear.z, (double)m->angular.x,
                      (double)m->angular.y, (double)m->angular.z, (double)m->center.x, (double)m->center.y,
                      (double)m->center.z);
    }
}
