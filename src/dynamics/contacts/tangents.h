/// @file tangents.h
/// Tangents of a contact, and the friction impulse along them.
#ifndef ABUT_DYNAMICS_CONTACTS_TANGENTS_H
#define ABUT_DYNAMICS_CONTACTS_TANGENTS_H

#include "dynamics/state/manifold.h"
#include "math/dvec3.h"

/// Two perpendicular tangents, a function of the normal alone.
static inline void abut_contacts_make_tangents(AbutDVec3 n, AbutDVec3 tangent[2])
{
    bool is_x = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z), is_y = !is_x && fabs(n.y) <= fabs(n.z);
    AbutDVec3 axis = abut_dvec3(is_x ? 1.0 : 0.0, is_y ? 1.0 : 0.0, is_x || is_y ? 0.0 : 1.0);
    AbutDVec3 across = abut_dvec3_cross(n, axis);
    tangent[0] = abut_dvec3_div(across, abut_dvec3_length(across));
    tangent[1] = abut_dvec3_cross(n, tangent[0]);
}

/// The friction impulse of a point, in the world.
static inline AbutDVec3 abut_contacts_friction_impulse(const AbutManifoldPoint* point)
{
    return abut_dvec3_mul_add(abut_dvec3_scale(point->tangent[0], point->tangent_impulse[0]),
                              point->tangent_impulse[1], point->tangent[1]);
}

/// Tangents of the normal; the friction impulse is projected to them.
static inline void abut_contacts_rotate_tangents(AbutManifoldPoint* point)
{
    AbutDVec3 friction_impulse = abut_contacts_friction_impulse(point);
    abut_contacts_make_tangents(point->normal, point->tangent);
    for (int k = 0; k < 2; ++k)
    {
        point->tangent_impulse[k] = abut_dvec3_dot(friction_impulse, point->tangent[k]);
    }
}

#endif
