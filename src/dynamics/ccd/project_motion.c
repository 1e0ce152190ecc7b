// Projection of motions. A body pressed from several pair would hang forever if each approach of a core
// point stopped it: each way out leads a little into another solid. So motions that are blocked from the
// start lose the component into the blocking solid, as an inelastic impact removes it from velocities. The
// rest is tested again.
#include "dynamics/ccd/project_motion.h"

#include "dynamics/ccd/clamp_core_points.h"
#include "dynamics/ccd/core_points.h"
#include "dynamics/state/world.h"
#include "math/dvec3.h"

#include <math.h>

/// Fraction below which a motion counts as blocked from the start.
#define EARLY_FRACTION 0.05

/// One of the two bodies at a blocked core point.
typedef struct Side
{
    AbutBody* body;
    double sign; // of the normal, for its impulse
    AbutDVec3 r_cross_n;
    double displacement; // along the normal
    double inverse_mass;
} Side;

static Side side_of(AbutBody* body, double sign, AbutDVec3 position, AbutDVec3 normal)
{
    AbutDVec3 r = abut_dvec3_sub(position, body->start);
    Side side = { .body = body, .sign = sign, .r_cross_n = abut_dvec3_cross(r, normal) };
    AbutDVec3 displacement = abut_dvec3_add(abut_dvec3_sub(body->position, body->start),
                                            abut_dvec3_cross(body->rotation_vector, r));
    side.displacement = 0.0 + abut_dvec3_dot(normal, displacement);
    AbutDVec3 linear = abut_dvec3_mul(abut_dvec3_mul(body->axis_inverse_mass, normal), normal);
    AbutDVec3 angular =
        abut_dvec3_mul(side.r_cross_n, abut_dmat3_transform(&body->world_inverse_inertia, side.r_cross_n));
    AbutDVec3 terms = abut_dvec3_add(linear, angular);
    side.inverse_mass = abut_body_moves(body) ? 0.0 + terms.x + terms.y + terms.z : 0.0;
    return side;
}

static void rotate_end(AbutBody* body, AbutDVec3 by)
{
    AbutDVec3 w = abut_dvec3_scale(by, 0.5);
    AbutDQuat q = body->rotation;
    AbutDQuat r = abut_dquat(q.x + w.x * q.w + w.y * q.z - w.z * q.y, // ½ w q added
                             q.y + w.y * q.w + w.z * q.x - w.x * q.z, // ...
                             q.z + w.z * q.w + w.x * q.y - w.y * q.x, // ...
                             q.w - w.x * q.x - w.y * q.y - w.z * q.z);
    body->rotation = abut_dquat_div(r, sqrt(abut_dquat_squared_length(r)));
}

/// Moves the end of the motion of a body.
static void move_end(const AbutStepContext* step, const Side* side, AbutDVec3 normal, double by)
{
    AbutBody* body = side->body;
    double signed_by = side->sign * by;
    AbutDVec3 change = abut_dvec3_mul(abut_dvec3_scale(body->axis_inverse_mass, signed_by), normal);
    AbutDVec3 rotation = abut_dmat3_transform(&body->world_inverse_inertia, side->r_cross_n);
    body->position = abut_dvec3_add(body->position, change);
    rotate_end(body, abut_dvec3_scale(rotation, signed_by));
    abut_body_refresh(body);
    abut_ccd_motion_begin(step, body);
    body->motion_projected = true;
}

static bool project_pair(const AbutStepContext* step, const AbutManifold* m)
{
    const AbutWorld* world = step->world;
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_core_points_tested_body(a, b) == 0;
    AbutPose pose = abut_ccd_motion_pose(of_a ? a : b, 0.0);
    AbutPosition at = abut_pose_transform_point(&pose, m->core_point);
    AbutDVec3 position = abut_dvec3_from_position(at),
              normal = abut_dvec3_from_vec3(abut_quat_rotate(pose.rotation, m->core_normal));
    Side pair[2] = { side_of(of_a ? a : b, 1.0, position, normal),
                     side_of(of_a ? b : a, -1.0, position, normal) };
    double closing = pair[1].displacement - pair[0].displacement,
           inverse_mass = pair[0].inverse_mass + pair[1].inverse_mass;
    if (!(closing > 0.0) || !(inverse_mass > 0.0))
    {
        return false;
    }
    for (int i = 0; i < 2; ++i)
    {
        if (pair[i].inverse_mass > 0.0)
        {
            move_end(step, &pair[i], normal, closing / inverse_mass);
        }
    }
    return true;
}

bool abut_ccd_project_motions(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    AbutContactStore* store = &world->stores[world->current];
    bool any = false;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        world->bodies[i].motion_projected = false;
    }
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        const AbutManifold* m = &store->manifolds[i];
        bool is_early = m->blocked && m->toi >= 0.0 && m->toi < EARLY_FRACTION;
        any = (is_early && project_pair(step, m)) || any;
    }
    for (size_t i = 0; i < store->manifold_count && any; ++i)
    {
        AbutManifold* m = &store->manifolds[i];
        if (world->bodies[m->a].motion_projected || world->bodies[m->b].motion_projected)
        {
            abut_ccd_reset_pair(m);
        }
    }
    return any;
}
