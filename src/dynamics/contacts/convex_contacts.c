// Contacts of convex solids: anchors on both bodies, a fixed normal, impulses matched by feature ids.
#include "dynamics/contacts/convex_contacts.h"

#include "dynamics/contacts/tangents.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"
#include "narrow/method.h"

#include <string.h>

/// Cosine of the angle between normals of the same contact in two steps.
#define SAME_DIRECTION 0.9

/// Difference of the roundness of two bodies: one is a ball or capsule, the other has faces.
#define ROUNDER 0.2

/// Roundness of a ball, up to the rounding of its bound.
#define BALL 0.9999

/// Radius of the rounding over that of the body: 1 for a ball.
static double roundness_of(const AbutBody* body)
{
    return body->core_radius / (double)body->radius;
}

bool abut_pair_is_convex(const AbutWorld* world, const AbutBody* a, const AbutBody* b)
{
    return abut_narrow_has_convex_manifold(world->def.speculative.method, a->shape, b->shape);
}

bool abut_pair_is_central(const AbutBody* a, const AbutBody* b)
{
    return roundness_of(a) > BALL && roundness_of(b) > BALL;
}

// -----------------------------------------------------------------------------------------------------------
// From the narrow phase
// -----------------------------------------------------------------------------------------------------------

/// A body at the pose of the detection.
typedef struct DetectionPose
{
    AbutDVec3 position;
    AbutDMat3 rotation;
} DetectionPose;

static DetectionPose pose_of(const AbutBody* body)
{
    return (DetectionPose){ body->predicted_position, abut_body_matrix(body->predicted_rotation) };
}

static AbutDVec3 to_world(const AbutBody* body, const DetectionPose* pose, AbutVec3 at)
{
    AbutDVec3 r =
        abut_dvec3_scale(abut_dvec3_sub(abut_dvec3_from_vec3(at), body->center), (double)body->scale);
    return abut_dvec3_add(pose->position, abut_dmat3_transform(&pose->rotation, r));
}

static AbutDVec3 to_body(const DetectionPose* pose, AbutDVec3 at)
{
    return abut_dmat3_transform_transposed(&pose->rotation, abut_dvec3_sub(at, pose->position));
}

/// Whether the normal is fixed to A: to the less round body, whose surface it is the normal of; else to the
/// body that rotates less.
static bool owns_normal(const AbutBody* a, const AbutBody* b)
{
    double rounder = roundness_of(a) - roundness_of(b);
    if (fabs(rounder) > ROUNDER)
    {
        return rounder < 0.0;
    }
    double rotation_a = a->kind == ABUT_BODY_STATIC ? -1.0 : abut_dvec3_squared_length(a->angular_velocity);
    double rotation_b = b->kind == ABUT_BODY_STATIC ? -1.0 : abut_dvec3_squared_length(b->angular_velocity);
    return rotation_a < rotation_b;
}

/// Both anchors from that of the smaller body: coordinates of the other may be large, and floats.
static void make_point(const AbutBody* a, const AbutBody* b, const DetectionPose poses[2],
                       const AbutContact* contact, AbutManifoldPoint* out)
{
    double separation = (double)contact->separation * (double)a->scale;
    AbutDVec3 normal =
        abut_dvec3_normalize(abut_dmat3_transform(&poses[0].rotation, abut_dvec3_from_vec3(contact->normal)));
    bool small_a = a->radius <= b->radius;
    AbutDVec3 surface =
        small_a ? to_world(a, &poses[0], contact->anchor_a) : to_world(b, &poses[1], contact->anchor_b);
    AbutDVec3 on_a = small_a ? surface : abut_dvec3_mul_add(surface, separation, normal);
    AbutDVec3 on_b = small_a ? abut_dvec3_mul_sub(surface, separation, normal) : surface;
    memset(out, 0, sizeof(*out));
    out->id = contact->id;
    out->is_convex = out->is_known = out->faces = true;
    out->radius_a = a->core_radius;
    out->radius_b = b->core_radius;
    out->local_anchor_a = to_body(&poses[0], abut_dvec3_mul_add(on_a, out->radius_a, normal));
    out->local_anchor_b = to_body(&poses[1], abut_dvec3_mul_sub(on_b, out->radius_b, normal));
    out->on_b = owns_normal(a, b);
    AbutDVec3 outward = out->on_b ? abut_dvec3_neg(normal) : normal;
    out->field_normal = abut_dmat3_transform_transposed(&poses[out->on_b ? 0 : 1].rotation, outward);
    out->faced_normal = out->field_normal;
}

// -----------------------------------------------------------------------------------------------------------
// Impulses of the last step
// -----------------------------------------------------------------------------------------------------------

static double squared_distance(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3_squared_length(abut_dvec3_sub(a, b));
}

static void add_impulses(const AbutManifoldPoint* old, AbutManifoldPoint* point)
{
    AbutDVec3 friction_impulse = abut_contacts_friction_impulse(old);
    point->normal_impulse += old->normal_impulse;
    point->load += old->load;
    point->tangent_impulse[0] += abut_dvec3_dot(friction_impulse, point->tangent[0]);
    point->tangent_impulse[1] += abut_dvec3_dot(friction_impulse, point->tangent[1]);
}

/// The point of the same features; else the nearest one, so that no load is lost when features change.
static AbutManifoldPoint* find_heir(const AbutManifoldPoint* old, AbutManifoldPoint* points, uint32_t count)
{
    AbutManifoldPoint* heir = NULL;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!(abut_dvec3_dot(points[i].normal, old->normal) > SAME_DIRECTION))
        {
            continue;
        }
        if (points[i].id == old->id)
        {
            return &points[i];
        }
        double squared = fmin(squared_distance(points[i].local_anchor_a, old->local_anchor_a),
                              squared_distance(points[i].local_anchor_b, old->local_anchor_b));
        heir = squared < least ? &points[i] : heir;
        least = fmin(least, squared);
    }
    return heir;
}

static void inherit_impulses(const AbutWorld* world, const AbutManifold* before, AbutManifoldPoint* points,
                             uint32_t count)
{
    for (uint32_t i = 0; before != NULL && i < before->count; ++i)
    {
        const AbutManifoldPoint* old = &world->stores[world->current].points[before->first + i];
        AbutManifoldPoint* heir = old->normal_impulse > 0.0 ? find_heir(old, points, count) : NULL;
        if (heir != NULL)
        {
            add_impulses(old, heir);
        }
    }
}

void abut_contacts_to_convex(const AbutWorld* world, const AbutPairResult* pair, const AbutContact* contacts,
                             const AbutManifold* before, AbutManifoldPoint* out)
{
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    uint32_t count = pair->output.contact_count;
    if (count == 0)
    {
        return;
    }
    const DetectionPose poses[2] = { pose_of(a), pose_of(b) };
    for (uint32_t i = 0; i < count; ++i)
    {
        make_point(a, b, poses, &contacts[i], &out[i]);
    }
    abut_contacts_update_convex(a, b, out, count);
    inherit_impulses(world, before, out, count);
}

// -----------------------------------------------------------------------------------------------------------
// Present poses
// -----------------------------------------------------------------------------------------------------------

/// From B to A. Between two balls it is the line of the centres.
static AbutDVec3 normal_of(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* point,
                           AbutDVec3 between)
{
    double squared = abut_dvec3_squared_length(between);
    if (abut_pair_is_central(a, b) && squared > 0.0)
    {
        return abut_dvec3_div(between, sqrt(squared));
    }
    return point->on_b ? abut_dvec3_neg(abut_dmat3_transform(&a->matrix, point->field_normal))
                       : abut_dmat3_transform(&b->matrix, point->field_normal);
}

uint32_t abut_contacts_update_convex(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points,
                                     uint32_t count)
{
    AbutDVec3 between = abut_dvec3_sub(a->position, b->position);
    uint32_t i = 0;
    for (; i < count && points[i].is_convex; ++i)
    {
        AbutManifoldPoint* point = &points[i];
        AbutDVec3 on_a = abut_dmat3_transform(&a->matrix, point->local_anchor_a);
        AbutDVec3 on_b = abut_dmat3_transform(&b->matrix, point->local_anchor_b);
        AbutDVec3 apart = abut_dvec3_add(between, abut_dvec3_sub(on_a, on_b));
        AbutDVec3 n = normal_of(a, b, point, apart);
        point->normal = n;
        point->gap = abut_dvec3_dot(n, apart) - point->radius_a - point->radius_b;
        if (point->on_b) // the anchor on B, on the surface whose normal is fixed to A
        {
            point->r_b = abut_dvec3_mul_add(on_b, point->radius_b, n);
            point->r_a = abut_dvec3_sub(point->r_b, between);
        }
        else
        {
            point->r_a = abut_dvec3_mul_sub(on_a, point->radius_a, n);
            point->r_b = abut_dvec3_add(point->r_a, between);
        }
        abut_contacts_rotate_tangents(point);
    }
    return i;
}
