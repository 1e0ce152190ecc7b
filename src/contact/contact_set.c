#include "contact/contact_set.h"

#include <math.h>

static bool is_usable(const AbutContact* contact)
{
    return abut_vec3_is_finite(contact->position) && abut_vec3_is_finite(contact->normal) &&
           !isnan(contact->separation);
}

/// Moves the usable ones to the front, in their order.
static int gather_usable(AbutContact* contacts, int count)
{
    int front = 0;
    for (int i = 0; i < count; ++i)
    {
        if (is_usable(&contacts[i]))
        {
            AbutContact usable = contacts[i];
            contacts[i] = contacts[front];
            contacts[front++] = usable;
        }
    }
    return front;
}

static void find_middle(AbutContactSet* set, const AbutContact* contacts, double share)
{
    for (int i = 0; i < set->usable; ++i)
    {
        set->middle = abut_dvec3_mul_add(set->middle, share, abut_dvec3_from_vec3(contacts[i].position));
        set->facing = abut_dvec3_mul_add(set->facing, share, abut_dvec3_from_vec3(contacts[i].normal));
        set->any_depth = set->any_depth || contacts[i].separation < 0.0f;
    }
}

static void find_scale(AbutContactSet* set, const AbutContact* contacts)
{
    double furthest = 0.0;
    set->scale = 1.0;
    for (int i = 0; i < set->usable; ++i)
    {
        furthest = fmax(furthest, abut_dvec3_squared_length(abut_contact_set_offset(set, &contacts[i])));
    }
    set->scale = furthest > 0.0 ? 1.0 / sqrt(furthest) : 0.0;
}

static void measure(AbutContactSet* set, const AbutContact* contacts)
{
    double share = set->usable > 0 ? 1.0 / (double)set->usable : 0.0, max_force = 0.0;
    find_middle(set, contacts, share);
    find_scale(set, contacts);
    for (int i = 0; i < set->usable; ++i)
    {
        AbutDVec3 offset = abut_contact_set_offset(set, &contacts[i]);
        abut_contact_set_add_wrench(set, &contacts[i], offset, &set->total);
        max_force = fmax(max_force, abut_contact_set_force(set, &contacts[i]));
        abut_dmat3_add_outer(&set->spread, abut_contact_set_tangential(set, offset), share);
    }
    set->inverse_max_force = max_force > 0.0 ? 1.0 / max_force : 0.0;
    set->inverse_size = set->total.size > 0.0 ? 1.0 / set->total.size : 0.0;
}

AbutContactSet abut_contact_set_make(AbutContact* contacts, int count)
{
    AbutContactSet set = { .usable = gather_usable(contacts, count) };
    measure(&set, contacts);
    return set;
}

void abut_contact_set_change(const AbutContactSet* set, const AbutWrench* subset, double* force,
                             double* torque)
{
    double share = set->inverse_size, growth = subset->size > 0.0 ? 1.0 / subset->size : 0.0;
    *force = abut_dvec3_squared_length(
        abut_dvec3_mul_sub(abut_dvec3_scale(set->total.force, share), growth, subset->force));
    *torque = abut_dvec3_squared_length(
        abut_dvec3_mul_sub(abut_dvec3_scale(set->total.torque, share), growth, subset->torque));
}
