// The public functions of bodies.
#include "dynamics/ccd/core_points.h"
#include "dynamics/snapshot_check.h"
#include "dynamics/state/inscribed_radius.h"
#include "dynamics/state/islands.h"
#include "dynamics/state/mass.h"
#include "dynamics/state/motion_bounds.h"
#include "dynamics/state/world.h"

#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "shape/resolve.h"

#include <math.h>

const char* abut_body_kind_name(AbutBodyKind kind)
{
    static const char* const names[ABUT_BODY_KIND_COUNT] = { "static", "kinematic", "dynamic" };
    return (unsigned)kind < ABUT_BODY_KIND_COUNT ? names[kind] : "unknown kind";
}

AbutBodyDef abut_body_def(void)
{
    AbutBodyDef def = { 0 };
    def.kind = ABUT_BODY_DYNAMIC;
    def.pose = abut_pose_identity();
    def.density = 1000.0f;
    def.material = (AbutMaterial){ .friction = 0.6f, .rolling_resistance = 0.01f };
    def.group = UINT32_MAX;
    def.mask = UINT32_MAX;
    return def;
}

// -----------------------------------------------------------------------------------------------------------
// Ids
// -----------------------------------------------------------------------------------------------------------

bool abut_body_is_valid(const AbutWorld* world, AbutBodyId id)
{
    return abut_world_body(world, id) != NULL;
}

static AbutResult find(const AbutWorld* world, AbutBodyId id, AbutBody** out)
{
    *out = abut_world_body(world, id);
    return *out != NULL ? ABUT_OK
                        : abut_fail(ABUT_INVALID_ARGUMENT, "body: there is no body %u (generation %u)",
                                    id.index, id.generation);
}

// -----------------------------------------------------------------------------------------------------------
// Creation and destruction
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_material(const AbutMaterial* m)
{
    if (!(m->friction >= 0.0f) || !isfinite(m->friction) || !(m->restitution >= 0.0f) ||
        !(m->restitution <= 1.0f))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "body: friction %g and restitution %g; friction is 0 or more, restitution from 0 to 1",
            (double)m->friction, (double)m->restitution);
    }
    if (!(m->rolling_resistance >= 0.0f) || !isfinite(m->rolling_resistance))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: rolling resistance %g; it is 0 or more, and finite",
                         (double)m->rolling_resistance);
    }
    if (!(m->stiffness >= 0.0f) || !isfinite(m->stiffness) || !(m->damping >= 0.0f) || !isfinite(m->damping))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "body: stiffness %g and damping %g; both are 0 or more, and finite",
                         (double)m->stiffness, (double)m->damping);
    }
    return ABUT_OK;
}

/// Range of the scale of bodies, as of shapes (abut_shape_create_transformed).
#define MIN_SCALE 1e-12f
#define MAX_SCALE 1e12f

static AbutResult check_pose(const AbutPose* pose)
{
    if (!abut_pose_is_valid(pose) || !(pose->scale >= MIN_SCALE) || !(pose->scale <= MAX_SCALE))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "body: a pose needs finite numbers, a scale from %g to %g and a quaternion of length 1",
            (double)MIN_SCALE, (double)MAX_SCALE);
    }
    AbutDVec3 at = abut_dvec3_from_position(pose->position);
    double largest = fmax(fabs(at.x), fmax(fabs(at.y), fabs(at.z)));
    if (!(largest <= ABUT_POSITION_LIMIT))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: a position of %g, %g, %g; coordinates are at most %g",
                         at.x, at.y, at.z, ABUT_POSITION_LIMIT);
    }
    return ABUT_OK;
}

static AbutResult check_velocity(AbutVec3 linear, AbutVec3 angular)
{
    if (!abut_vec3_within(linear, ABUT_SPEED_LIMIT))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "body: a velocity of %g, %g, %g; it must be finite, and at most %g along each axis",
                         (double)linear.x, (double)linear.y, (double)linear.z, ABUT_SPEED_LIMIT);
    }
    if (!abut_vec3_within(angular, ABUT_ANGULAR_SPEED_LIMIT))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "body: an angular velocity of %g, %g, %g; it must be finite, and at most %g about each axis",
            (double)angular.x, (double)angular.y, (double)angular.z, ABUT_ANGULAR_SPEED_LIMIT);
    }
    return ABUT_OK;
}

static AbutResult check_def(const AbutBodyDef* def)
{
    if (def->shape == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: it has no shape");
    }
    if ((unsigned)def->kind >= ABUT_BODY_KIND_COUNT)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: there is no kind %d", (int)def->kind);
    }
    if (def->locked > (ABUT_LOCK_LINEAR | ABUT_LOCK_ANGULAR))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: locked axes %#x; they are bits of AbutMotionLock",
                         (unsigned)def->locked);
    }
    AbutResult result = check_pose(&def->pose);
    result = result == ABUT_OK ? check_velocity(def->linear_velocity, def->angular_velocity) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!(def->density > 0.0f) || !isfinite(def->density) || !(def->mass >= 0.0f) || !isfinite(def->mass))
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "body: density %g and mass %g; the density must be over 0, and so must the mass where "
            "one is given",
            (double)def->density, (double)def->mass);
    }
    return check_material(&def->material);
}

static bool is_usable_inertia(const AbutDMat3* inertia)
{
    return inertia->m[0][0] > 0.0 && inertia->m[1][1] > 0.0 && inertia->m[2][2] > 0.0 &&
           abut_dvec3_is_finite(abut_dmat3_row(inertia, 0)) &&
           abut_dvec3_is_finite(abut_dmat3_row(inertia, 1)) &&
           abut_dvec3_is_finite(abut_dmat3_row(inertia, 2));
}

/// Whether mass and inertia and their inverses are positive and finite.
static bool is_usable_mass(const AbutBody* body)
{
    return body->inverse_mass > 0.0 && isfinite(body->inverse_mass) && is_usable_inertia(&body->inertia) &&
           is_usable_inertia(&body->inverse_inertia);
}

/// Mass, centre, inertia, radius and inscribed radius.
static AbutResult set_mass(AbutWorld* world, const AbutBodyDef* def, AbutBody* body)
{
    AbutMassData mass = { 0 };
    AbutBox box = abut_shape_info(def->shape).bounds;
    double s = def->pose.scale;
    if (def->kind == ABUT_BODY_DYNAMIC)
    {
        AbutResult result = abut_world_mass(world, def->shape, &mass);
        if (result != ABUT_OK)
        {
            return result;
        }
        double total = def->mass > 0.0f ? (double)def->mass : (double)def->density * mass.volume * s * s * s;
        double per_volume = total / mass.volume * s * s; // the inertia is that of density 1 and scale 1
        for (int i = 0; i < 9; ++i)
        {
            body->inertia.m[i / 3][i % 3] = mass.inertia[i / 3][i % 3] * per_volume;
        }
        body->inverse_inertia = abut_matrix_invert(&body->inertia);
        body->inverse_mass = 1.0 / total;
        if (!is_usable_mass(body))
        {
            return abut_fail(ABUT_INVALID_ARGUMENT, "body: a mass of %g is too small or too large", total);
        }
    }
    body->center = abut_dvec3_from_array(mass.center);
    AbutDVec3 below = abut_dvec3_abs(abut_dvec3_sub(abut_dvec3_from_vec3(box.min), body->center));
    AbutDVec3 above = abut_dvec3_abs(abut_dvec3_sub(abut_dvec3_from_vec3(box.max), body->center));
    AbutDVec3 extent = abut_dvec3(fmax(below.x, above.x), fmax(below.y, above.y), fmax(below.z, above.z));
    body->radius = (float)(s * abut_dvec3_length(extent) * (1.0 + 1e-6));
    bool known = def->kind == ABUT_BODY_DYNAMIC;
    body->inscribed_radius = s * (known ? world->inscribed_radius : abut_shape_inscribed_radius(def->shape));
    return ABUT_OK;
}

/// Velocity along the free axes.
static void set_velocity(AbutBody* body, AbutVec3 linear, AbutVec3 angular)
{
    if (body->kind != ABUT_BODY_STATIC)
    {
        uint32_t l = body->locked;
        body->velocity = abut_dvec3((l & ABUT_LOCK_LINEAR_X) != 0 ? 0.0 : (double)linear.x,
                                    (l & ABUT_LOCK_LINEAR_Y) != 0 ? 0.0 : (double)linear.y,
                                    (l & ABUT_LOCK_LINEAR_Z) != 0 ? 0.0 : (double)linear.z);
        body->angular_velocity = abut_dvec3((l & ABUT_LOCK_ANGULAR_X) != 0 ? 0.0 : (double)angular.x,
                                            (l & ABUT_LOCK_ANGULAR_Y) != 0 ? 0.0 : (double)angular.y,
                                            (l & ABUT_LOCK_ANGULAR_Z) != 0 ? 0.0 : (double)angular.z);
    }
}

static void detach(AbutWorld* world, uint32_t slot, AbutBody* body)
{
    if (world->response->remove_body != NULL)
    {
        world->response->remove_body(world, slot, body);
    }
    abut_core_points_release(body);
}

/// The slot of the next body, and memory for it and its box.
static AbutResult reserve_slot(AbutWorld* world, uint32_t* out)
{
    if (world->free_count > 0)
    {
        *out = world->free_slots[world->free_count - 1];
        return ABUT_OK;
    }
    size_t needed = (size_t)world->body_count + 1;
    if (needed > world->def.body_limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED,
                         "world: it may have %u bodies, no more (AbutWorldDef.body_limit)",
                         world->def.body_limit);
    }
    if (!abut_memory_grow(&world->host, (void**)&world->bodies, &world->body_capacity, needed,
                          sizeof(AbutBody)) ||
        !abut_memory_grow(&world->host, (void**)&world->free_slots, &world->free_capacity, needed,
                          sizeof(uint32_t)) ||
        !abut_memory_grow(&world->host, (void**)&world->body_of_box, &world->box_capacity, needed,
                          sizeof(uint32_t)))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    *out = world->body_count;
    world->bodies[*out] = (AbutBody){ .generation = 0 };
    return ABUT_OK;
}

static void take_slot(AbutWorld* world, uint32_t slot)
{
    if (slot < world->body_count)
    {
        ABUT_ASSERT(world->free_count > 0 && world->free_slots[world->free_count - 1] == slot);
        world->free_count -= 1;
        return;
    }
    world->body_count += 1;
}

/// State of the response and core points. On failure the body has neither.
static AbutResult attach(AbutWorld* world, uint32_t slot, const AbutBodyDef* def, AbutBody* body)
{
    const AbutResponseTable* response = world->response;
    AbutResult result = response->add_body != NULL ? response->add_body(world, slot, def, body) : ABUT_OK;
    result = result == ABUT_OK ? abut_core_points_attach(world, body) : result;
    if (result != ABUT_OK)
    {
        detach(world, slot, body);
    }
    return result;
}

/// The radius of the rounding of a convex solid, in its frame; 0 for sharp ones and all others.
static double core_radius_of(const AbutShape* shape)
{
    AbutResolvedShape resolved = abut_shape_resolve(shape);
    AbutShapeKind kind = resolved.leaf->info.kind;
    bool is_round = kind == ABUT_SHAPE_SPHERE || kind == ABUT_SHAPE_CAPSULE;
    bool is_box = kind == ABUT_SHAPE_BOX || kind == ABUT_SHAPE_ROUNDED_BOX;
    double radius = is_round || is_box ? abut_shape_parameters(resolved.leaf)[is_round ? 0 : 3] : 0.0;
    return fmax(radius * resolved.frame.scale + resolved.offset, 0.0);
}

AbutResult abut_body_create(AbutWorld* world, const AbutBodyDef* def, AbutBodyId* out)
{
    ABUT_FP_CALL(abut_body_create, world, def, out);
    *out = (AbutBodyId){ 0, 0 };
    AbutBody body = { .shape = def->shape };
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? set_mass(world, def, &body) : result;
    uint32_t slot = 0;
    body.kind = def->kind;
    body.scale = def->pose.scale;
    result = result == ABUT_OK ? reserve_slot(world, &slot) : result;
    result = result == ABUT_OK ? attach(world, slot, def, &body) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    body.surface_error = (double)abut_shape_info(def->shape).error * (double)def->pose.scale;
    body.core_radius = core_radius_of(def->shape) * (double)def->pose.scale;
    body.material = def->material;
    body.locked = def->kind == ABUT_BODY_DYNAMIC ? def->locked : 0;
    body.never_sleeps = def->never_sleeps;
    body.user = def->user;
    body.generation = world->bodies[slot].generation + 1;
    body.axis_inverse_mass = abut_dvec3((body.locked & ABUT_LOCK_LINEAR_X) != 0 ? 0.0 : body.inverse_mass,
                                        (body.locked & ABUT_LOCK_LINEAR_Y) != 0 ? 0.0 : body.inverse_mass,
                                        (body.locked & ABUT_LOCK_LINEAR_Z) != 0 ? 0.0 : body.inverse_mass);
    abut_body_set_transform(&body, &def->pose);
    set_velocity(&body, def->linear_velocity, def->angular_velocity);
    AbutPose pose = abut_body_pose(&body);
    AbutBox box = abut_pose_transform_box(&pose, abut_shape_info(def->shape).bounds);
    result = abut_broad_add(world->broad, box, def->group, def->mask, &body.broad_id);
    if (result != ABUT_OK)
    {
        detach(world, slot, &body);
        return result;
    }
    take_slot(world, slot);
    abut_shape_retain(body.shape);
    body.identity = abut_body_identity(&body);
    ABUT_ASSERT(abut_body_is_alive(&body) && body.broad_id < world->box_capacity);
    world->bodies[slot] = body;
    world->body_of_box[body.broad_id] = slot;
    abut_world_fit_box(world, slot);
    *out = abut_world_id(world, slot);
    return ABUT_OK;
}

void abut_body_destroy(AbutWorld* world, AbutBodyId id)
{
    AbutBody* body = abut_world_body(world, id);
    if (body == NULL)
    {
        return;
    }
    abut_world_wake_touching(world, id.index - 1);
    abut_broad_remove(world->broad, body->broad_id);
    detach(world, id.index - 1, body);
    abut_shape_destroy(body->shape);
    body->shape = NULL;
    body->generation += 1;
    ABUT_ASSERT(!abut_body_is_alive(body) && world->free_count < world->free_capacity);
    world->free_slots[world->free_count++] = id.index - 1;
}

// -----------------------------------------------------------------------------------------------------------
// State
// -----------------------------------------------------------------------------------------------------------

AbutBodyState abut_body_state(const AbutWorld* world, AbutBodyId id)
{
    ABUT_FP_CALL(abut_body_state, world, id);
    AbutBodyState state = { 0 };
    const AbutBody* body = abut_world_body(world, id);
    if (body == NULL)
    {
        return state;
    }
    state.pose = abut_body_pose(body);
    state.center = abut_dvec3_to_position(body->position);
    state.linear_velocity = abut_dvec3_to_vec3(body->velocity);
    state.angular_velocity = abut_dvec3_to_vec3(body->angular_velocity);
    state.mass = body->kind == ABUT_BODY_DYNAMIC ? 1.0 / body->inverse_mass : INFINITY;
    state.kind = body->kind;
    state.asleep = body->asleep;
    state.user = body->user;
    return state;
}

AbutResult abut_body_set_pose(AbutWorld* world, AbutBodyId id, const AbutPose* pose)
{
    ABUT_FP_CALL(abut_body_set_pose, world, id, pose);
    AbutBody* body;
    AbutResult result = find(world, id, &body);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutPose scaled = *pose;
    scaled.scale = body->scale;
    result = check_pose(&scaled);
    if (result != ABUT_OK)
    {
        return result;
    }
    abut_world_wake_touching(world, id.index - 1);
    abut_body_set_transform(body, &scaled);
    if (world->response->move_body != NULL)
    {
        world->response->move_body(world, id.index - 1);
    }
    abut_core_points_reset(world, id.index - 1);
    abut_world_fit_box(world, id.index - 1);
    abut_body_wake(body);
    return ABUT_OK;
}

AbutResult abut_body_set_velocity(AbutWorld* world, AbutBodyId id, AbutVec3 linear, AbutVec3 angular)
{
    ABUT_FP_CALL(abut_body_set_velocity, world, id, linear, angular);
    AbutBody* body;
    AbutResult result = find(world, id, &body);
    if (result != ABUT_OK)
    {
        return result;
    }
    result = check_velocity(linear, angular);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (body->kind == ABUT_BODY_STATIC)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: a static body has no velocity; make it kinematic");
    }
    set_velocity(body, linear, angular);
    abut_body_wake(body);
    return ABUT_OK;
}

AbutResult abut_body_set_filter(AbutWorld* world, AbutBodyId id, uint32_t group, uint32_t mask)
{
    AbutBody* body;
    AbutResult result = find(world, id, &body);
    if (result == ABUT_OK)
    {
        abut_world_wake_touching(world, id.index - 1);
        abut_body_wake(body);
        result = abut_broad_set_filter(world->broad, body->broad_id, group, mask);
    }
    return result;
}

AbutResult abut_body_set_material(AbutWorld* world, AbutBodyId id, const AbutMaterial* material)
{
    ABUT_FP_CALL(abut_body_set_material, world, id, material);
    AbutBody* body;
    AbutResult result = find(world, id, &body);
    result = result == ABUT_OK ? check_material(material) : result;
    if (result == ABUT_OK)
    {
        abut_world_wake_touching(world, id.index - 1);
        abut_body_wake(body);
        body->material = *material;
    }
    return result;
}

AbutResult abut_body_apply_force(AbutWorld* world, AbutBodyId id, AbutVec3 force, AbutVec3 torque)
{
    ABUT_FP_CALL(abut_body_apply_force, world, id, force, torque);
    AbutBody* body;
    AbutResult result = find(world, id, &body);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (!abut_vec3_is_finite(force) || !abut_vec3_is_finite(torque))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: a force must be finite");
    }
    body->force = abut_dvec3_add(body->force, abut_dvec3_from_vec3(force));
    body->torque = abut_dvec3_add(body->torque, abut_dvec3_from_vec3(torque));
    abut_body_wake(body);
    return ABUT_OK;
}

uint32_t abut_world_bodies(const AbutWorld* world, AbutBodyId* out, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        if (abut_body_is_alive(&world->bodies[i]))
        {
            if (count < capacity)
            {
                out[count] = abut_world_id(world, i);
            }
            ++count;
        }
    }
    return count;
}
