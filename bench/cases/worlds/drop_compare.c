// The fourth experiment of Xu & Barbič 2014: how large steps may be with forces that are integrated over the
// step, beside forces that are sampled at its end, at the same stiffness; and how much deeper the latter let
// a body sink in when they are made soft enough for the larger step.
#include "drop.h"

#include <math.h>
#include <stdio.h>

/// A drop counts as stable while its energy stays under that of the start, measured from the ground, and a
/// tenth.
#define MOST_GAIN 1.1

/// Steps and stiffnesses are tried in this ratio.
#define RATIO 1.15

/// Of the largest step of sampled forces: no larger steps are tried.
#define MOST_TIMES 8.0

enum
{
    STARTS = 7, // all of a turn
    CHUNK = 256
};

double drop_time(const DropBody* body)
{
    return sqrt(2.0 * body->size / 9.81);
}

/// Where the body falls from: over the middle of its copy, turned by `start` sevenths of a turn.
static AbutPose start_pose(const DropDef* def)
{
    double height = 1.3 * def->body->size;
    AbutPose pose = abut_pose_at(0.02 * height, height, 0.01 * height);
    pose.rotation =
        abut_quat_from_axis_angle(abut_vec3(0.3f, 1.0f, 0.2f), (float)(0.8975979 * (double)def->start));
    return pose;
}

static AbutResult add(AbutWorld* world, const DropDef* def, AbutBodyKind kind, AbutBodyId* out)
{
    AbutBodyDef body = abut_body_def();
    body.shape = def->body->field;
    body.points = def->points;
    body.kind = kind;
    body.mass = 1.0f;
    body.pose = kind == ABUT_BODY_DYNAMIC ? start_pose(def) : abut_pose_identity();
    body.material = (AbutMaterial){ .friction = 0.3f, .restitution = 0.3f, .stiffness = def->stiffness };
    body.never_sleeps = true;
    return abut_body_create(world, &body, out);
}

static AbutResult add_ground(AbutWorld* world, const DropBody* body)
{
    AbutShape* plane = NULL;
    AbutBodyId id;
    AbutBodyDef ground = abut_body_def();
    float height = abut_shape_info(body->field).bounds.min.y;
    AbutResult result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), height, NULL, &plane);
    ground.shape = plane;
    ground.kind = ABUT_BODY_STATIC;
    ground.material = (AbutMaterial){ .friction = 0.3f, .restitution = 0.3f };
    result = result == ABUT_OK ? abut_body_create(world, &ground, &id) : result;
    abut_shape_destroy(plane);
    return result;
}

AbutWorld* drop_create(const DropDef* def, AbutBodyId* body)
{
    AbutWorldDef world_def = abut_world_def();
    world_def.response = ABUT_RESPONSE_PENALTY;
    world_def.penalty.scheme = def->scheme;
    world_def.substep_count = 1;
    AbutWorld* world = NULL;
    AbutBodyId fixed;
    AbutResult result = abut_world_create(&world_def, &world);
    result = result == ABUT_OK ? add_ground(world, def->body) : result;
    result = result == ABUT_OK ? add(world, def, ABUT_BODY_STATIC, &fixed) : result;
    result = result == ABUT_OK ? add(world, def, ABUT_BODY_DYNAMIC, body) : result;
    if (result != ABUT_OK)
    {
        abut_world_destroy(world);
        return NULL;
    }
    return world;
}

/// How deep the deepest point is in a shape that stands somewhere in the frame of the points.
static double depth_in(const AbutShape* shape, const AbutPose* pose, const AbutPointSet* points)
{
    AbutPointData data = abut_points_data(points);
    float distance[CHUNK];
    double max_depth = 0.0;
    for (uint32_t first = 0; first < data.count; first += CHUNK)
    {
        uint32_t count = data.count - first < CHUNK ? data.count - first : CHUNK;
        AbutPoints at = { data.positions.x + first, data.positions.y + first, data.positions.z + first };
        AbutSamples samples = { distance, NULL, NULL, NULL };
        abut_shape_sample(shape, pose, at, count, samples);
        for (uint32_t i = 0; i < count; ++i)
        {
            max_depth = fmax(max_depth, -(double)distance[i]);
        }
    }
    return max_depth;
}

/// How deep the body and its copy are in each other at this moment.
static double depth_of(const DropDef* def, const AbutPose* pose)
{
    AbutPose back = abut_pose_inverse(pose);
    return fmax(depth_in(def->body->field, pose, def->points),
                depth_in(def->body->field, &back, def->points));
}

typedef struct Fall
{
    bool good, stable;
    double max_depth; // at the ends of steps
} Fall;

static Fall fall_once(const DropDef* def, double step)
{
    AbutBodyId id;
    AbutWorld* world = drop_create(def, &id);
    Fall result = { .good = world != NULL, .stable = true };
    double ground = 9.81 * (double)abut_shape_info(def->body->field).bounds.min.y, most = INFINITY;
    double end = 2.5 * drop_time(def->body);
    for (double time = 0.0; time < end && result.good && result.stable; time += step)
    {
        AbutStepReport report;
        result.good = abut_world_step(world, (float)step, &report) == ABUT_OK;
        double energy = report.kinetic_energy + report.potential_energy + report.elastic_energy - ground;
        most = isinf(most) ? energy : most;
        result.stable = energy <= MOST_GAIN * most;
        AbutPose pose = abut_body_state(world, id).pose;
        result.max_depth = fmax(result.max_depth, depth_of(def, &pose));
    }
    abut_world_destroy(world);
    return result;
}

/// From several starts: stable when all are; the deepest of all.
static Fall fall(const DropDef* def, double step)
{
    Fall result = { true, true, 0.0 };
    DropDef each = *def;
    for (each.start = 0; each.start < STARTS && result.good && result.stable; ++each.start)
    {
        Fall one = fall_once(&each, step);
        result = (Fall){ one.good, one.stable, fmax(result.max_depth, one.max_depth) };
    }
    return result;
}

/// The largest step before the first that is not stable, from `least` on, or `most`. 0 when a world cannot be
/// made or stepped.
static double largest_step(const DropDef* def, double least, double most)
{
    double step = least;
    for (; step * RATIO < most; step *= RATIO)
    {
        Fall next = fall(def, step * RATIO);
        if (!next.good || !next.stable)
        {
            return next.good ? step : 0.0;
        }
    }
    return most;
}

/// The stiffest of sampled springs, from `stiffness` down, that is stable in a step.
static Fall soften(DropDef def, double step, float* stiffness)
{
    Fall result = fall(&def, step);
    while (result.good && !result.stable && def.stiffness > 1e-6f)
    {
        def.stiffness /= (float)RATIO;
        result = fall(&def, step);
    }
    *stiffness = def.stiffness;
    return result;
}

/// At a step that balanced forces take, sampled ones with as much stiffness as they can have.
static bool compare_depths(BenchReport* report, const DropDef defs[ABUT_PENALTY_SCHEME_COUNT], double step)
{
    char name[64];
    float softer;
    double size = defs[0].body->size;
    Fall balanced = fall(&defs[ABUT_PENALTY_BALANCED], step);
    Fall soft = soften(defs[ABUT_PENALTY_SAMPLED], step, &softer);
    if (!balanced.good || !soft.good)
    {
        return false;
    }
    printf("at steps of %.3g ms sampled forces are stable with %.3g of the stiffness\n", 1e3 * step,
           (double)(softer / defs[0].stiffness));
    snprintf(name, sizeof(name), "deepest at steps of %.3g ms", 1e3 * step);
    bench_report_row(report, name, balanced.max_depth / size, "sizes", "sampled, softer",
                     soft.max_depth / size, false);
    return true;
}

bool drop_compare(BenchReport* report, const DropBody* body, bool quick)
{
    // A point that carries the body's weight sinks in by a thousandth of its size (quick: two).
    const float stiffness = (float)(9.81 / ((quick ? 2e-3 : 1e-3) * body->size));
    DropDef defs[ABUT_PENALTY_SCHEME_COUNT];
    double steps[ABUT_PENALTY_SCHEME_COUNT], single = 1.0 / sqrt((double)stiffness), sampled = 0.0;
    for (int i = ABUT_PENALTY_SCHEME_COUNT - 1; i >= 0; --i) // sampled forces first
    {
        bool first = i == ABUT_PENALTY_SAMPLED;
        defs[i] = (DropDef){ body, body->sampled, (AbutPenaltyScheme)i, stiffness, 0 };
        steps[i] = largest_step(&defs[i], first ? 0.1 * single : 0.5 * sampled,
                                first ? single : MOST_TIMES * sampled);
        sampled = first ? steps[i] : sampled;
        printf("%s forces: stable up to steps of %.3g ms (spring angle of one point %.3g)\n",
               abut_penalty_scheme_name((AbutPenaltyScheme)i), 1e3 * steps[i], steps[i] / single);
        fflush(stdout);
    }
    if (!(sampled > 0.0) || !(steps[0] > 0.0) || !(steps[1] > 0.0))
    {
        return false;
    }
    bench_report_row(report, "largest stable step", steps[ABUT_PENALTY_BALANCED] / sampled, "times sampled",
                     "paper", 3.0, true);
    bench_report_row(report, "largest stable step, delayed", steps[ABUT_PENALTY_DELAYED] / sampled,
                     "times sampled", "paper", 3.0, true);
    return compare_depths(report, defs, 3.0 * sampled) && compare_depths(report, defs, 6.0 * sampled) &&
           compare_depths(report, defs, steps[ABUT_PENALTY_BALANCED]);
}
