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
        double at[3], normal[3];
        abut_contact_doubles(contacts[i].position, at);
        abut_contact_doubles(contacts[i].normal, normal);
        for (int axis = 0; axis < 3; ++axis)
        {
            set->middle[axis] += at[axis] * share;
            set->facing[axis] += normal[axis] * share;
        }
        set->any_depth = set->any_depth || contacts[i].separation < 0.0f;
    }
}

static void find_scale(AbutContactSet* set, const AbutContact* contacts)
{
    double furthest = 0.0;
    set->scale = 1.0;
    for (int i = 0; i < set->usable; ++i)
    {
        double offset[3];
        abut_contact_set_offset(set, &contacts[i], offset);
        furthest = fmax(furthest, abut_contact_dot(offset, offset));
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
        double offset[3], tangential[3];
        abut_contact_set_offset(set, &contacts[i], offset);
        abut_contact_set_add_wrench(set, &contacts[i], offset, &set->total);
        max_force = fmax(max_force, abut_contact_set_force(set, &contacts[i]));
        abut_contact_set_tangential(set, offset, tangential);
        for (int row = 0; row < 3; ++row)
        {
            for (int column = 0; column < 3; ++column)
            {
                set->spread[row][column] += tangential[row] * tangential[column] * share;
            }
        }
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

void abut_contact_set_change(const AbutContactSet* set, const AbutWrench* subset, double out[2])
{
    double growth = subset->size > 0.0 ? 1.0 / subset->size : 0.0;
    out[0] = out[1] = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double force = set->total.force[i] * set->inverse_size - subset->force[i] * growth;
        double torque = set->total.torque[i] * set->inverse_size - subset->torque[i] * growth;
        out[0] += force * force;
        out[1] += torque * torque;
    }
}
