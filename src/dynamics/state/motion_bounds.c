// Swept boxes of bodies over a pass, and the pairs that may meet.
#include "dynamics/state/motion_bounds.h"

#include "base/assert.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

/// Bound of the displacement of a point by the rotation of `seconds`, and of the centre by the applied force
/// over the whole `step`.
static double rotation_travel_of(const AbutBody* body, double seconds, double step)
{
    double angular_speed = abut_dvec3_length(body->angular_velocity);
    double rotation_travel =
        fmin(angular_speed * seconds, 2.0) * (angular_speed > 0.0 ? (double)body->radius : 0.0);
    return rotation_travel + abut_dvec3_length(body->force) * body->inverse_mass * step * step;
}

/// Predicted pose: the pose after a fraction of the motion, where contacts are detected. At one half, every
/// obstacle of the motion is within half of its length.
static void predict_pose(AbutBody* body, double fraction, double seconds)
{
    body->predicted_position = abut_dvec3_mul_add(body->position, fraction * seconds, body->velocity);
    body->predicted_rotation_vector = abut_dvec3_scale(body->angular_velocity, fraction * seconds);
    body->predicted_rotation = abut_dquat_integrate(body->rotation, body->predicted_rotation_vector, 1.0);
}

static AbutResult move_box(const AbutStepContext* step, AbutBody* body)
{
    const AbutWorld* world = step->world;
    double seconds = step->seconds, fraction = step->prediction_fraction;
    bool rests = body->kind == ABUT_BODY_STATIC || body->asleep;
    body->was_asleep = body->asleep;
    body->start = body->position;
    body->start_rotation = body->rotation;
    body->rotation_travel = rests ? 0.0 : rotation_travel_of(body, seconds, seconds);
    body->remaining_rotation_travel =
        rests ? 0.0 : rotation_travel_of(body, (1.0 - fraction) * seconds, seconds);
    predict_pose(body, rests ? 0.0 : fraction, seconds);
    body->travel = rests ? 0.0 : body->rotation_travel + abut_dvec3_length(body->velocity) * seconds;
    double padding = body->travel + abut_pair_speculative_distance(world, body, body) +
                     (rests ? 0.0 : step->fall_distance);
    AbutPose pose = abut_body_pose(body);
    AbutBox box = abut_pose_transform_box(&pose, abut_shape_info(body->shape).bounds);
    return abut_broad_move(world->broad, body->broad_id, abut_box_expand(box, (float)padding));
}

static bool may_react(const AbutBody* a, const AbutBody* b)
{
    bool kinematic = (a->kind == ABUT_BODY_KINEMATIC && b->kind == ABUT_BODY_DYNAMIC) ||
                     (b->kind == ABUT_BODY_KINEMATIC && a->kind == ABUT_BODY_DYNAMIC);
    return abut_body_moves(a) || abut_body_moves(b) || kinematic;
}

/// Pairs of bodies, a < b, of which one can react.
static void collect_pairs(AbutStepContext* step, const AbutBodyPair* boxes, size_t count)
{
    const AbutWorld* world = step->world;
    step->pair_count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t x = world->body_of_box[boxes[i].a], y = world->body_of_box[boxes[i].b];
        uint32_t a = x < y ? x : y, b = x < y ? y : x;
        ABUT_ASSERT(b < world->body_count && a != b);
        if (may_react(&world->bodies[a], &world->bodies[b]))
        {
            step->pairs[step->pair_count++] = (AbutBodyPair){ a, b };
        }
    }
    step->broad_pair_count = step->pair_count;
}

/// Free fall from rest, as substeps integrate it.
static double fall_distance_of(const AbutStepContext* step)
{
    double n = step->substeps, seconds = step->seconds;
    double gravity = (double)abut_vec3_length(step->world->def.gravity);
    return gravity * seconds * seconds * (n + 1.0) / (2.0 * n);
}

AbutResult abut_step_update_pairs(AbutStepContext* step)
{
    AbutWorld* world = step->world;
    step->fall_distance = fall_distance_of(step);
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        AbutResult result = abut_body_is_alive(body) ? move_box(step, body) : ABUT_OK;
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    const AbutBodyPair* boxes;
    size_t count;
    AbutResult result = abut_broad_update_pairs(world->broad, &boxes, &count);
    if (result != ABUT_OK)
    {
        return result;
    }
    step->pairs = abut_step_allocate(step, count, sizeof(AbutBodyPair));
    if (step->pairs == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    collect_pairs(step, boxes, count);
    return ABUT_OK;
}

void abut_world_fit_box(AbutWorld* world, uint32_t index)
{
    const AbutBody* body = &world->bodies[index];
    AbutPose pose = abut_body_pose(body);
    AbutBox now = abut_pose_transform_box(&pose, abut_shape_info(body->shape).bounds);
    AbutBox known = abut_broad_box(world->broad, body->broad_id);
    AbutBox both = abut_box_union(known, now);
    if (memcmp(&both, &known, sizeof(both)) != 0)
    {
        abut_broad_move(world->broad, body->broad_id, now);
    }
    const float coordinates[6] = { now.min.x, now.min.y, now.min.z, now.max.x, now.max.y, now.max.z };
    for (int i = 0; i < 6; ++i)
    {
        world->coordinate_bound = isfinite(coordinates[i])
                                      ? fmax(world->coordinate_bound, fabs((double)coordinates[i]))
                                      : world->coordinate_bound;
    }
}
