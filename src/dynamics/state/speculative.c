// Distances at which contacts are detected before surfaces touch.
#include "dynamics/state/speculative.h"

#include "dynamics/state/world.h"

#include <math.h>

/// Automatic speculative distance, as a fraction of the sum of the radii of the dynamic bodies.
#define MARGIN_FRACTION 0.02

/// Fall of the speed unit, as a fraction of the radius.
#define FALL_FRACTION 0.2

/// Radii per second.
#define SPEED_WITHOUT_GRAVITY 0.1

double abut_pair_speculative_distance(const AbutWorld* world, const AbutBody* a, const AbutBody* b)
{
    bool automatic = world->def.margin == 0.0f;
    double radius = (a->kind == ABUT_BODY_DYNAMIC ? (double)a->radius : 0.0) +
                    (b->kind == ABUT_BODY_DYNAMIC ? (double)b->radius : 0.0);
    return automatic ? MARGIN_FRACTION * radius : (double)world->def.margin;
}

double abut_world_speed_unit(const AbutWorld* world, double radius)
{
    double slow = SPEED_WITHOUT_GRAVITY * radius;
    return sqrt(FALL_FRACTION * 2.0 * (double)abut_vec3_length(world->def.gravity) * radius + slow * slow);
}

double abut_pair_speed_unit(const AbutWorld* world, const AbutBody* a, const AbutBody* b)
{
    double radius_a = a->kind == ABUT_BODY_DYNAMIC ? (double)a->radius : INFINITY;
    double radius_b = b->kind == ABUT_BODY_DYNAMIC ? (double)b->radius : INFINITY;
    return abut_world_speed_unit(world, fmin(radius_a, radius_b));
}

/// Relative displacement of the centres of mass; that of either alone where others may stop its partner.
static double linear_travel(const AbutStepContext* step, const AbutBody* a, const AbutBody* b)
{
    double speed = abut_dvec3_length(abut_dvec3_sub(a->velocity, b->velocity));
    double either = fmax(a->travel - a->rotation_travel, b->travel - b->rotation_travel);
    return fmax(speed * step->seconds, either);
}

double abut_pair_travel(const AbutStepContext* step, const AbutBody* a, const AbutBody* b)
{
    return linear_travel(step, a, b) + a->rotation_travel + b->rotation_travel + step->fall_distance;
}

double abut_pair_remaining_travel(const AbutStepContext* step, const AbutBody* a, const AbutBody* b)
{
    return (1.0 - step->prediction_fraction) * linear_travel(step, a, b) + a->remaining_rotation_travel +
           b->remaining_rotation_travel + step->fall_distance;
}
