// Closed forms of springs: a ball of mass 1 whose lowest point meets a plane. What elastic bounces gain in
// energy with forces that are integrated over the step, beside forces that are sampled at its end; how long
// they take; how deep the ball rests.
#include "drop.h"

#include <math.h>
#include <stdio.h>

enum
{
    PHASES = 8, // of the step at which the ball touches
    MOST_STEPS = 2000
};

#define RADIUS 0.1f
#define STIFFNESS 1e4f
#define OMEGA 100.0

/// Gains under this, in percent, are rounding of poses that are float at the interface.
#define LEAST_PERCENT 1e-5

typedef struct BallDef
{
    AbutPenaltyScheme scheme;
    float gravity, height, speed, restitution;
} BallDef;

static AbutResult add_plane(AbutWorld* world)
{
    AbutBodyDef ground = abut_body_def();
    AbutBodyId id;
    ground.kind = ABUT_BODY_STATIC;
    ground.material = (AbutMaterial){ .friction = 0.0f };
    AbutResult result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground.shape);
    result = result == ABUT_OK ? abut_body_create(world, &ground, &id) : result;
    abut_shape_destroy(ground.shape);
    return result;
}

/// A ball that one point of is felt, and that does not turn.
static AbutResult add_ball(AbutWorld* world, const BallDef* def, AbutBodyId* out)
{
    const float lowest[3] = { 0.0f, -RADIUS, 0.0f };
    AbutBodyDef ball = abut_body_def();
    ball.mass = 1.0f;
    ball.pose = abut_pose_at(0.0, (double)(RADIUS + def->height), 0.0);
    ball.linear_velocity = abut_vec3(0.0f, -def->speed, 0.0f);
    ball.material = (AbutMaterial){ .restitution = def->restitution, .stiffness = STIFFNESS };
    ball.locked = ABUT_LOCK_ANGULAR;
    AbutResult result = abut_shape_create_sphere(RADIUS, NULL, &ball.shape);
    result = result == ABUT_OK ? abut_points_create(lowest, NULL, 1, NULL, &ball.points) : result;
    result = result == ABUT_OK ? abut_body_create(world, &ball, out) : result;
    abut_points_destroy(ball.points);
    abut_shape_destroy(ball.shape);
    return result;
}

static AbutWorld* make_world(const BallDef* ball, AbutBodyId* id)
{
    AbutWorldDef def = abut_world_def();
    def.response = ABUT_RESPONSE_PENALTY;
    def.penalty.scheme = ball->scheme;
    def.gravity = abut_vec3(0.0f, -ball->gravity, 0.0f);
    def.substep_count = 1;
    def.sleep_speed = 0.0f;
    AbutWorld* world = NULL;
    AbutResult result = abut_world_create(&def, &world);
    result = result == ABUT_OK ? add_plane(world) : result;
    result = result == ABUT_OK ? add_ball(world, ball, id) : result;
    if (result != ABUT_OK)
    {
        abut_world_destroy(world);
        return NULL;
    }
    return world;
}

typedef struct Bounce
{
    bool good;
    double gain;    // of energy, in percent
    double seconds; // of contact
} Bounce;

/// One bounce at 1 m/s in free space, which begins `phase` of a step after the first step.
static Bounce bounce_once(AbutPenaltyScheme scheme, double step, double phase)
{
    Bounce bounce = { false, 0.0, 0.0 };
    AbutBodyId id;
    const BallDef def = { scheme, 0.0f, (float)((1.0 + phase) * step), 1.0f, 1.0f };
    AbutWorld* world = make_world(&def, &id);
    double last = (double)def.height, times[2] = { 0.0, 0.0 };
    for (int i = 0; i < MOST_STEPS && world != NULL; ++i)
    {
        AbutStepReport report;
        if (abut_world_step(world, (float)step, &report) != ABUT_OK)
        {
            break;
        }
        double height = abut_body_state(world, id).center.y - (double)RADIUS;
        if ((last < 0.0) != (height < 0.0))
        {
            times[last < 0.0 ? 1 : 0] = step * (i + last / (last - height));
        }
        last = height;
        bounce.gain = 100.0 * (2.0 * report.kinetic_energy - 1.0);
        bounce.good = times[1] > times[0] && (i - 2) * step > times[1];
        if (bounce.good)
        {
            break;
        }
    }
    abut_world_destroy(world);
    bounce.seconds = times[1] - times[0];
    return bounce;
}

/// The largest gain and the longest contact over phases.
static Bounce bounce(AbutPenaltyScheme scheme, double angle)
{
    Bounce most = { true, LEAST_PERCENT, 0.0 };
    for (int i = 0; i < PHASES && most.good; ++i)
    {
        Bounce one = bounce_once(scheme, angle / OMEGA, (double)i / PHASES);
        most = (Bounce){ one.good, fmax(most.gain, one.gain), fmax(most.seconds, one.seconds) };
    }
    return most;
}

/// Depth of a ball that has come to rest.
static double rest_depth(void)
{
    AbutBodyId id;
    const BallDef def = { ABUT_PENALTY_BALANCED, 9.81f, 0.01f, 0.0f, 0.3f };
    AbutWorld* world = make_world(&def, &id);
    double depth = 0.0;
    for (int i = 0; i < 400 && world != NULL; ++i)
    {
        if (abut_world_step(world, 0.005f, NULL) != ABUT_OK)
        {
            break;
        }
        depth = (double)RADIUS - abut_body_state(world, id).center.y;
    }
    abut_world_destroy(world);
    return depth;
}

bool drop_bounce(BenchReport* report)
{
    const double pi = 3.141592653589793;
    for (double angle = 0.125; angle <= 0.5; angle *= 2.0)
    {
        char name[64];
        Bounce balanced = bounce(ABUT_PENALTY_BALANCED, angle), sampled = bounce(ABUT_PENALTY_SAMPLED, angle);
        if (!balanced.good || !sampled.good)
        {
            return false;
        }
        snprintf(name, sizeof(name), "bounce at w*dt = %g, energy gained", angle);
        bench_report_row(report, name, balanced.gain, "percent", "sampled", sampled.gain, false);
    }
    Bounce slow = bounce(ABUT_PENALTY_BALANCED, 0.05);
    double depth = rest_depth();
    bench_report_row(report, "contact of a bounce", 1e3 * slow.seconds, "ms", "pi/w", 1e3 * pi / OMEGA,
                     false);
    bench_report_row(report, "depth at rest", 1e3 * depth, "mm", "m*g/k", 9.81e3 / (double)STIFFNESS, false);
    return slow.good && depth > 0.0;
}
