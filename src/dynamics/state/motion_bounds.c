// Where bodies may be during the step, and which pairs of them may meet.
#include "dynamics/contacts/contacts.h"

#include "base/memory.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// How far any point of a body may get by the turn of `seconds`, and the centre by forces all through the step.
static double rotation_travel_of(const AbutBody* body, double seconds, double step)
{
    double angular_speed = length(body->angular_velocity);
    double rotation_travel =
        fmin(angular_speed * seconds, 2.0) * (angular_speed > 0.0 ? (double)body->radius : 0.0);
    return rotation_travel + length(body->force) * body->inverse_mass * step * step;
}

/// Where contacts of a body are looked for: a part of its way ahead. Half way, nothing that it meets on all of its way is further from it than it goes in half of
/// the round.
static void predict_pose(AbutBody* body, double fraction, double seconds)
{
    for (int i = 0; i < 3; ++i)
    {
        body->predicted_position[i] = body->position[i] + fraction * seconds * body->velocity[i];
        body->predicted_rotation_vector[i] = fraction * seconds * body->angular_velocity[i];
    }
    abut_rotation_integrate(body->rotation, body->predicted_rotation_vector, 1.0, body->predicted_rotation);
}

static AbutResult move_box(AbutWorld* world, AbutBody* body, double seconds)
{
    bool rests = body->kind == ABUT_BODY_STATIC || body->asleep;
    body->was_asleep = body->asleep;
    memcpy(body->start, body->position, sizeof(body->start));
    memcpy(body->start_rotation, body->rotation, sizeof(body->start_rotation));
    body->rotation_travel = rests ? 0.0 : rotation_travel_of(body, seconds, seconds);
    body->remaining_rotation_travel =
        rests ? 0.0 : rotation_travel_of(body, (1.0 - world->prediction_fraction) * seconds, seconds);
    predict_pose(body, rests ? 0.0 : world->prediction_fraction, seconds);
    body->travel = rests ? 0.0 : body->rotation_travel + length(body->velocity) * seconds;
    double padding = body->travel + abut_pair_speculative_distance(world, body, body) +
                     (rests ? 0.0 : world->fall_distance);
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

/// Those that have to be looked at; the manifolds of the others are marked.
static void select_pairs(AbutWorld* world, const AbutBodyPair* boxes, size_t count)
{
    AbutContactStore* last = &world->stores[world->current];
    for (size_t i = 0; i < last->manifold_count; ++i)
    {
        last->manifolds[i].recycled = false;
    }
    world->pair_count = world->broad_pair_count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t x = world->body_of_box[boxes[i].a], y = world->body_of_box[boxes[i].b];
        uint32_t a = x < y ? x : y, b = x < y ? y : x;
        if (!may_react(&world->bodies[a], &world->bodies[b]))
        {
            continue;
        }
        world->broad_pair_count += 1;
        AbutManifold* m = abut_world_last_manifold(world, a, b);
        if (m != NULL && world->penalty == NULL && abut_manifold_can_recycle(world, m))
        {
            m->recycled = true;
            continue;
        }
        world->pairs[world->pair_count++] = (AbutBodyPair){ a, b };
    }
}

/// From rest, in as many substeps as there are.
static double fall_distance_of(const AbutWorld* world, double seconds)
{
    double n = world->substeps;
    return (double)abut_vec3_length(world->def.gravity) * seconds * seconds * (n + 1.0) / (2.0 * n);
}

AbutResult abut_world_predict(AbutWorld* world, double seconds)
{
    world->fall_distance = fall_distance_of(world, seconds);
    world->seconds = seconds;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        AbutBody* body = &world->bodies[i];
        AbutResult result = abut_body_is_alive(body) ? move_box(world, body, seconds) : ABUT_OK;
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
    if (!abut_memory_grow(&world->host, (void**)&world->pairs, &world->pair_capacity, count,
                          sizeof(AbutBodyPair)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    select_pairs(world, boxes, count);
    return ABUT_OK;
}

static float pair_margin(void* user, uint32_t a, uint32_t b)
{
    const AbutWorld* world = user;
    return (float)(abut_pair_margin(world, a, b) / (double)world->bodies[a].scale);
}

/// Where one body is held in the other, contacts are looked for in cubes of this part of the smaller one's largest extent, however fast they move:
/// what holds it there is small.
#define TIGHT_CONTACTS 16.0

static double extent_of(const AbutBody* body)
{
    AbutVec3 size = abut_box_extents(abut_shape_info(body->shape).bounds);
    return (double)body->scale * fmax((double)size.x, fmax((double)size.y, (double)size.z));
}

static float pair_spacing(void* user, uint32_t a, uint32_t b)
{
    AbutWorld* world = user;
    const AbutManifold* m = abut_world_last_manifold(world, a, b);
    if (m == NULL || !m->is_tight)
    {
        return 0.0f;
    }
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    double spacing = fmin(extent_of(body_a), extent_of(body_b)) / TIGHT_CONTACTS;
    return (float)(spacing / (double)body_a->scale);
}

AbutResult abut_world_find_contacts(AbutWorld* world, AbutCollideResults* results)
{
    if (!abut_memory_grow(&world->host, (void**)&world->posed, &world->posed_capacity, world->body_count,
                          sizeof(AbutCollideBody)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        world->posed[i].shape = abut_body_is_alive(body) ? body->shape : NULL;
        world->posed[i].pose = abut_body_is_alive(body) ? abut_body_pose_at(body, body->predicted_position,
                                                                            body->predicted_rotation)
                                                        : abut_pose_identity();
    }
    AbutSpeculativeSettings settings = world->def.speculative;
    settings.margin = 0.0f;
    settings.pair_margin = pair_margin;
    settings.pair_margin_user = world;
    settings.pair_spacing = pair_spacing;
    settings.pair_spacing_user = world;
    const AbutPairsInput input = { world->posed, world->body_count, world->pairs, world->pair_count };
    return abut_speculative_pairs(world->collider, &input, &settings, results);
}
