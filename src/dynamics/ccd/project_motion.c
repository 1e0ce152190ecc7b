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
    double r[3], r_cross_n[3];
    double displacement; // along the normal
    double inverse_mass;
} Side;

static Side side_of(AbutBody* body, double sign, const double position[3], const double normal[3])
{
    Side side = { .body = body, .sign = sign };
    double w_cross_r[3];
    for (int i = 0; i < 3; ++i)
    {
        side.r[i] = position[i] - body->start[i];
    }
    abut_array3_cross(body->rotation_vector, side.r, w_cross_r);
    abut_array3_cross(side.r, normal, side.r_cross_n);
    for (int i = 0; i < 3; ++i)
    {
        side.displacement += normal[i] * (body->position[i] - body->start[i] + w_cross_r[i]);
        side.inverse_mass +=
            body->axis_inverse_mass[i] * normal[i] * normal[i] +
            side.r_cross_n[i] * abut_array3_dot(body->world_inverse_inertia[i], side.r_cross_n);
    }
    side.inverse_mass = abut_body_moves(body) ? side.inverse_mass : 0.0;
    return side;
}

static void rotate_end(AbutBody* body, const double by[3])
{
    const double w[3] = { 0.5 * by[0], 0.5 * by[1], 0.5 * by[2] };
    double* q = body->rotation;
    double r[4] = { q[0] + w[0] * q[3] + w[1] * q[2] - w[2] * q[1],
                    q[1] + w[1] * q[3] + w[2] * q[0] - w[0] * q[2],
                    q[2] + w[2] * q[3] + w[0] * q[1] - w[1] * q[0],
                    q[3] - w[0] * q[0] - w[1] * q[1] - w[2] * q[2] };
    double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int i = 0; i < 4; ++i)
    {
        q[i] = r[i] / size;
    }
}

/// Moves the end of the motion of a body.
static void move_end(const AbutWorld* world, const Side* side, const double normal[3], double by)
{
    AbutBody* body = side->body;
    double rotation[3];
    for (int i = 0; i < 3; ++i)
    {
        body->position[i] += side->sign * by * body->axis_inverse_mass[i] * normal[i];
        rotation[i] = side->sign * by * abut_array3_dot(body->world_inverse_inertia[i], side->r_cross_n);
    }
    rotate_end(body, rotation);
    abut_body_refresh(body);
    abut_ccd_motion_begin(world, body);
    body->motion_projected = true;
}

static bool project_pair(const AbutWorld* world, const AbutManifold* m)
{
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bool of_a = abut_core_points_tested_body(a, b) == 0;
    AbutPose pose = abut_ccd_motion_pose(of_a ? a : b, 0.0);
    AbutPosition at = abut_pose_transform_point(&pose, m->core_point);
    AbutVec3 n = abut_quat_rotate(pose.rotation, m->core_normal);
    const double position[3] = { at.x, at.y, at.z }, normal[3] = { n.x, n.y, n.z };
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
            move_end(world, &pair[i], normal, closing / inverse_mass);
        }
    }
    return true;
}

bool abut_ccd_project_motions(AbutWorld* world)
{
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
        any = (is_early && project_pair(world, m)) || any;
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
