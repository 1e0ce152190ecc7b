// Where bodies may be during the step, and which pairs of them may meet.
#include "dynamics/world.h"

#include "base/memory.h"

#include <math.h>

/// The automatic margin of a body, as a part of its radius.
#define MARGIN_PART 0.02

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// How far any point of a body may get in the step as its velocities and forces are now.
static double travel(const AbutBody* body, AbutVec3 gravity, double seconds)
{
    double spin = length(body->spin);
    double turn = fmin(spin * seconds, 2.0) * (spin > 0.0 ? (double)body->radius : 0.0);
    double pull = (double)abut_vec3_length(gravity) + length(body->force) * body->inverse_mass;
    double fall = body->kind == ABUT_BODY_DYNAMIC ? pull * seconds * seconds : 0.0;
    return length(body->velocity) * seconds + turn + fall;
}

double abut_body_margin(const AbutWorld* world, const AbutBody* body)
{
    bool automatic = world->def.margin == 0.0f && body->kind == ABUT_BODY_DYNAMIC;
    return automatic ? MARGIN_PART * (double)body->radius : 0.0;
}

static AbutResult move_box(AbutWorld* world, AbutBody* body, double seconds)
{
    bool rests = body->kind == ABUT_BODY_STATIC || body->asleep;
    body->travel = rests ? 0.0 : travel(body, world->def.gravity, seconds);
    double room = body->travel + abut_body_margin(world, body) + (rests ? 0.0 : (double)world->def.margin);
    AbutPose pose = abut_body_pose(body);
    AbutBox box = abut_pose_box(&pose, abut_shape_info(body->shape).bounds);
    return abut_broad_move(world->broad, body->broad_id, abut_box_expand(box, (float)room));
}

static bool may_react(const AbutBody* a, const AbutBody* b)
{
    bool kinematic = (a->kind == ABUT_BODY_KINEMATIC && b->kind == ABUT_BODY_DYNAMIC) ||
                     (b->kind == ABUT_BODY_KINEMATIC && a->kind == ABUT_BODY_DYNAMIC);
    return abut_body_moves(a) || abut_body_moves(b) || kinematic;
}

AbutResult abut_world_predict(AbutWorld* world, double seconds)
{
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
    AbutResult result = abut_broad_collect(world->broad, &boxes, &count);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!abut_memory_grow(&world->host, (void**)&world->pairs, &world->pair_capacity, count,
                          sizeof(AbutBodyPair)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    world->pair_count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t a = world->body_of_box[boxes[i].a], b = world->body_of_box[boxes[i].b];
        if (may_react(&world->bodies[a], &world->bodies[b]))
        {
            world->pairs[world->pair_count++] = (AbutBodyPair){ a < b ? a : b, a < b ? b : a };
        }
    }
    return ABUT_OK;
}

AbutResult abut_world_find_contacts(AbutWorld* world, AbutCollideResults* results)
{
    if (!abut_memory_grow(&world->host, (void**)&world->posed, &world->posed_capacity, world->body_count,
                          sizeof(AbutCollideBody)) ||
        !abut_memory_grow(&world->host, (void**)&world->reaches, &world->reach_capacity, world->body_count,
                          sizeof(float)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        world->posed[i].shape = abut_body_is_alive(body) ? body->shape : NULL;
        world->posed[i].pose = abut_body_is_alive(body) ? abut_body_pose(body) : abut_pose_identity();
        world->reaches[i] = (float)(abut_body_margin(world, body) + body->travel);
    }
    AbutCollideSettings settings = world->def.collide;
    settings.margin = world->def.margin;
    settings.contacts_only = true;
    settings.reaches = world->reaches;
    return abut_collide_pairs(world->collider, world->posed, world->body_count, world->pairs,
                              world->pair_count, &settings, results);
}
