/// @file contact_set.h
/// Properties of a set of contacts: middle, radius, spread, and the wrench of its forces.
#ifndef ABUT_CONTACT_CONTACT_SET_H
#define ABUT_CONTACT_CONTACT_SET_H

#include <abut/contact.h>

#include "math/dmat3.h"

#include <float.h>

/// Forces along the normals, their torques about the middle in units of the radius, and the sum of their
/// sizes.
typedef struct AbutWrench
{
    AbutDVec3 force, torque;
    double size;
} AbutWrench;

/// Properties of all contacts, and the frame of the reduction.
typedef struct AbutContactSet
{
    int usable;               // contacts with finite numbers
    bool any_depth;           // forces are in proportion to depths; else all are 1
    double inverse_max_force; // 1 / the largest force
    AbutDVec3 middle;
    double scale;     // 1 / distance of the furthest contact from the middle
    AbutDVec3 facing; // mean of the normals: of length 1 when all agree, 0 when they surround a body
    AbutDMat3 spread; // mean of tangential offset · tangential offsetᵀ
    AbutWrench total;
    double inverse_size; // 1 / total.size
} AbutContactSet;

/// Moves the contacts with finite numbers to the front, in their order, and measures them. Sums are in the
/// order of the contacts, which are to be sorted.
AbutContactSet abut_contact_set_make(AbutContact* contacts, int count);

/// Squared changes of force and torque, relative to the total, when `subset` is scaled to the size of the
/// total.
void abut_contact_set_change(const AbutContactSet* set, const AbutWrench* subset, double* force,
                             double* torque);

// The rest is inline: the reduction calls it for every contact many times.

static inline double abut_contact_set_force(const AbutContactSet* set, const AbutContact* contact)
{
    double depth = -(double)contact->separation;
    return !set->any_depth ? 1.0 : (depth > 0.0 ? (depth < (double)FLT_MAX ? depth : (double)FLT_MAX) : 0.0);
}

/// From the middle to the contact, in units of the radius.
static inline AbutDVec3 abut_contact_set_offset(const AbutContactSet* set, const AbutContact* contact)
{
    return abut_dvec3_scale(abut_dvec3_sub(abut_dvec3_from_vec3(contact->position), set->middle), set->scale);
}

static inline void abut_contact_set_add_wrench(const AbutContactSet* set, const AbutContact* contact,
                                               AbutDVec3 offset, AbutWrench* out)
{
    AbutDVec3 normal = abut_dvec3_from_vec3(contact->normal);
    double size = abut_contact_set_force(set, contact);
    out->force = abut_dvec3_mul_add(out->force, size, normal);
    out->torque = abut_dvec3_mul_add(out->torque, size, abut_dvec3_cross(offset, normal));
    out->size += size;
}

/// The offset in the plane of the mean normal, so that a curved patch is as good as a flat one.
static inline AbutDVec3 abut_contact_set_tangential(const AbutContactSet* set, AbutDVec3 offset)
{
    return abut_dvec3_mul_sub(offset, abut_dvec3_dot(offset, set->facing), set->facing);
}

#endif
