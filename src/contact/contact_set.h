/// @file contact_set.h
/// Properties of a set of contacts: middle, radius, spread, and the wrench of its forces.
#ifndef ABUT_CONTACT_CONTACT_SET_H
#define ABUT_CONTACT_CONTACT_SET_H

#include <abut/contact.h>
#include <float.h>

/// Forces along the normals, their torques about the middle in units of the radius, and the sum of their
/// sizes.
typedef struct AbutWrench
{
    double force[3], torque[3], size;
} AbutWrench;

/// Properties of all contacts, and the frame of the reduction.
typedef struct AbutContactSet
{
    int usable;               // contacts with finite numbers
    bool any_depth;           // forces are in proportion to depths; else all are 1
    double inverse_max_force; // 1 / the largest force
    double middle[3];
    double scale;        // 1 / distance of the furthest contact from the middle
    double facing[3];    // mean of the normals: of length 1 when all agree, 0 when they surround a body
    double spread[3][3]; // mean of tangential offset · tangential offsetᵀ
    AbutWrench total;
    double inverse_size; // 1 / total.size
} AbutContactSet;

/// Moves the contacts with finite numbers to the front, in their order, and measures them. Sums are in the
/// order of the contacts, which are to be sorted.
AbutContactSet abut_contact_set_make(AbutContact* contacts, int count);

/// Squared changes of force and torque, relative to the total, when `subset` is scaled to the size of the
/// total.
void abut_contact_set_change(const AbutContactSet* set, const AbutWrench* subset, double out[2]);

// The rest is inline: the reduction calls it for every contact many times.

static inline void abut_contact_doubles(AbutVec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static inline double abut_contact_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double abut_contact_set_force(const AbutContactSet* set, const AbutContact* contact)
{
    double depth = -(double)contact->separation;
    return !set->any_depth ? 1.0 : (depth > 0.0 ? (depth < (double)FLT_MAX ? depth : (double)FLT_MAX) : 0.0);
}

/// From the middle to the contact, in units of the radius.
static inline void abut_contact_set_offset(const AbutContactSet* set, const AbutContact* contact,
                                           double out[3])
{
    abut_contact_doubles(contact->position, out);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = (out[i] - set->middle[i]) * set->scale;
    }
}

static inline void abut_contact_set_add_wrench(const AbutContactSet* set, const AbutContact* contact,
                                               const double offset[3], AbutWrench* out)
{
    double force[3], size = abut_contact_set_force(set, contact);
    abut_contact_doubles(contact->normal, force);
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out->force[i] += force[i] * size;
        out->torque[i] += (offset[j] * force[k] - offset[k] * force[j]) * size;
    }
    out->size += size;
}

/// The offset in the plane of the mean normal, so that a curved patch is as good as a flat one.
static inline void abut_contact_set_tangential(const AbutContactSet* set, const double offset[3],
                                               double out[3])
{
    double along = abut_contact_dot(offset, set->facing);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = offset[i] - along * set->facing[i];
    }
}

#endif
