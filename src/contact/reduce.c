// Fewer contacts that do the work of all.
//
// What a set of contacts can hold is wide when it is spread far, in places and in the directions of its normals. With φ = (1, normal,
// place) for a contact, the simplices between points φ measure that: the sum of the squares of the volumes of all of them is the
// determinant of Σ φ φᵀ (Cauchy and Binet), and it grows by the factor 1 + φᵀ M⁻¹ φ with each contact added. On a flat patch
// these are the triangles between contacts; opposite normals and several patches need no case of their own. Contacts are
// added one by one where the factor, divided by a penalty for the change of the wrench, is largest, and then
// exchanged one by one where that makes it better.
#include <abut/contact.h>

#include "contact/order.h"

#include <float.h>
#include <math.h>

enum
{
    FEATURES = 7, // 1, normal, place
    LANES = 16    // contacts that are looked at together, so that the compiler can use vectors
};

/// What the sum of φ φᵀ starts with: how little is too little to count. Of the place, it is a part of the spread of
/// all contacts, so that a narrow patch is used to its full width; down to a hundredth of its length.
#define UNIT_RESOLUTION 0.02
#define NORMAL_RESOLUTION 0.1 // a difference of 18 degrees is worth one more corner of a patch
#define PLACE_RESOLUTION 0.05
#define LEAST_SPREAD 1e-4

/// Wide support comes first: a wrench that changes by all of its size is as bad as half of the squared volumes.
#define WRENCH_PENALTY 1.0

/// An exchange that is better by less is rounding.
#define LEAST_GAIN 1e-9

/// Forces along the normals, their torques about the middle in units of the radius, and the sum of their sizes.
typedef struct Wrench
{
    double force[3], torque[3], size;
} Wrench;

/// What all contacts have together, and the frame that they are seen in.
typedef struct ContactSet
{
    int usable;     // contacts with finite numbers
    bool any_depth; // forces are as large as depths; else all are 1
    double middle[3];
    double scale;        // 1 / distance of the furthest contact from the middle
    double facing[3];    // mean of the normals: of length 1 when all agree, 0 when they surround a body
    double spread[3][3]; // mean of place · placeᵀ
    Wrench total;
    double inverse_size; // 1 / total.size
} ContactSet;

static bool is_usable(const AbutContact* contact)
{
    return abut_vec3_is_finite(contact->position) && abut_vec3_is_finite(contact->normal) &&
           !isnan(contact->separation);
}

static void to_doubles(AbutVec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double force_size(const ContactSet* set, const AbutContact* contact)
{
    double depth = -(double)contact->separation;
    return !set->any_depth ? 1.0 : (depth > 0.0 ? (depth < (double)FLT_MAX ? depth : (double)FLT_MAX) : 0.0);
}

/// From the middle to the contact, in units of the radius.
static void arm_of(const ContactSet* set, const AbutContact* contact, double out[3])
{
    to_doubles(contact->position, out);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = (out[i] - set->middle[i]) * set->scale;
    }
}

static void add_push(const ContactSet* set, const AbutContact* contact, const double arm[3], Wrench* out)
{
    double force[3], size = force_size(set, contact);
    to_doubles(contact->normal, force);
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out->force[i] += force[i] * size;
        out->torque[i] += (arm[j] * force[k] - arm[k] * force[j]) * size;
    }
    out->size += size;
}

/// The place is the arm as seen along the mean normal, so that a patch that bulges is as good as a flat one.
static void place_of(const ContactSet* set, const double arm[3], double out[3])
{
    double along = dot(arm, set->facing);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = arm[i] - along * set->facing[i];
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole set. Sums run in the order of the contacts, which are sorted.
// ---------------------------------------------------------------------------------------------------------------------

/// Brings the usable ones to the front, in their order.
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

static void find_middle(ContactSet* set, const AbutContact* contacts, double share)
{
    for (int i = 0; i < set->usable; ++i)
    {
        double at[3], normal[3];
        to_doubles(contacts[i].position, at);
        to_doubles(contacts[i].normal, normal);
        for (int axis = 0; axis < 3; ++axis)
        {
            set->middle[axis] += at[axis] * share;
            set->facing[axis] += normal[axis] * share;
        }
        set->any_depth = set->any_depth || contacts[i].separation < 0.0f;
    }
}

static void find_scale(ContactSet* set, const AbutContact* contacts)
{
    double furthest = 0.0;
    set->scale = 1.0;
    for (int i = 0; i < set->usable; ++i)
    {
        double arm[3];
        arm_of(set, &contacts[i], arm);
        furthest = fmax(furthest, dot(arm, arm));
    }
    set->scale = furthest > 0.0 ? 1.0 / sqrt(furthest) : 0.0;
}

static void survey(ContactSet* set, const AbutContact* contacts)
{
    double share = set->usable > 0 ? 1.0 / (double)set->usable : 0.0;
    find_middle(set, contacts, share);
    find_scale(set, contacts);
    for (int i = 0; i < set->usable; ++i)
    {
        double arm[3], place[3];
        arm_of(set, &contacts[i], arm);
        add_push(set, &contacts[i], arm, &set->total);
        place_of(set, arm, place);
        for (int row = 0; row < 3; ++row)
        {
            for (int column = 0; column < 3; ++column)
            {
                set->spread[row][column] += place[row] * place[column] * share;
            }
        }
    }
    set->inverse_size = set->total.size > 0.0 ? 1.0 / set->total.size : 0.0;
}

/// Squared changes of force and torque when `part` grows to the size of the total.
static void wrench_change(const ContactSet* set, const Wrench* part, double out[2])
{
    double growth = part->size > 0.0 ? 1.0 / part->size : 0.0;
    out[0] = out[1] = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double force = set->total.force[i] * set->inverse_size - part->force[i] * growth;
        double torque = set->total.torque[i] * set->inverse_size - part->torque[i] * growth;
        out[0] += force * force;
        out[1] += torque * torque;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What is kept
// ---------------------------------------------------------------------------------------------------------------------

/// The wrench of the kept contacts, and M⁻¹.
typedef struct Choice
{
    double inverse[FEATURES][FEATURES];
    Wrench wrench;
} Choice;

/// The inverse of a symmetric matrix that has one.
static void invert(double m[3][3], double out[3][3])
{
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
    double determinant = dot(m[0], out[0]);
    for (int i = 0; i < 9; ++i)
    {
        out[i / 3][i % 3] /= determinant;
    }
}

static void choice_init(Choice* choice, const ContactSet* set)
{
    *choice = (Choice){ .wrench = { .size = 0.0 } };
    choice->inverse[0][0] = 1.0 / UNIT_RESOLUTION;
    double start[3][3], block[3][3];
    for (int i = 0; i < 9; ++i)
    {
        double least = i % 4 == 0 ? LEAST_SPREAD : 0.0;
        start[i / 3][i % 3] = PLACE_RESOLUTION * (set->spread[i / 3][i % 3] + least);
    }
    invert(start, block);
    for (int i = 0; i < 9; ++i)
    {
        choice->inverse[1 + i / 3][1 + i % 3] = i % 4 == 0 ? 1.0 / NORMAL_RESOLUTION : 0.0;
        choice->inverse[4 + i / 3][4 + i % 3] = block[i / 3][i % 3];
    }
}

static void features_of(const ContactSet* set, const AbutContact* contact, const double arm[3],
                        double out[FEATURES])
{
    out[0] = 1.0;
    to_doubles(contact->normal, out + 1);
    place_of(set, arm, out + 4);
}

/// M⁻¹ φ; returns φᵀ M⁻¹ φ.
static double multiply(const Choice* choice, const double features[FEATURES], double out[FEATURES])
{
    double square = 0.0;
    for (int i = 0; i < FEATURES; ++i)
    {
        double sum = 0.0;
        for (int j = 0; j < FEATURES; ++j)
        {
            sum += choice->inverse[i][j] * features[j];
        }
        out[i] = sum;
        square += features[i] * sum;
    }
    return square;
}

/// M + φ φᵀ (Sherman and Morrison).
static void choice_add(Choice* choice, const ContactSet* set, const AbutContact* contact)
{
    double arm[3], features[FEATURES], product[FEATURES];
    arm_of(set, contact, arm);
    features_of(set, contact, arm, features);
    double square = multiply(choice, features, product);
    for (int i = 0; i < FEATURES; ++i)
    {
        for (int j = 0; j < FEATURES; ++j)
        {
            choice->inverse[i][j] -= product[i] * product[j] / (1.0 + square);
        }
    }
    add_push(set, contact, arm, &choice->wrench);
}

/// Contacts side by side.
typedef struct Lanes
{
    double arm[3][LANES], size[LANES];
    double feature[FEATURES][LANES];
    double score[LANES];
} Lanes;

static void lanes_load(Lanes* lanes, const ContactSet* set, const AbutContact* contacts, int count)
{
    for (int i = 0; i < LANES; ++i)
    {
        const AbutContact* contact = &contacts[i < count ? i : 0];
        double arm[3], features[FEATURES];
        arm_of(set, contact, arm);
        features_of(set, contact, arm, features);
        for (int row = 0; row < FEATURES; ++row)
        {
            lanes->feature[row][i] = features[row];
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            lanes->arm[axis][i] = arm[axis];
        }
        lanes->size[i] = force_size(set, contact);
    }
}

/// score = 1 + φᵀ M⁻¹ φ
static void lanes_widen(Lanes* lanes, const Choice* choice)
{
    for (int i = 0; i < LANES; ++i)
    {
        lanes->score[i] = 1.0;
    }
    for (int row = 0; row < FEATURES; ++row)
    {
        double product[LANES] = { 0.0 };
        for (int column = row + 1; column < FEATURES; ++column)
        {
            for (int i = 0; i < LANES; ++i)
            {
                product[i] += choice->inverse[row][column] * lanes->feature[column][i];
            }
        }
        for (int i = 0; i < LANES; ++i)
        {
            double f = lanes->feature[row][i];
            lanes->score[i] += f * (choice->inverse[row][row] * f + 2.0 * product[i]);
        }
    }
}

/// Divides the score by 1 + penalty · change².
static void lanes_penalize(Lanes* lanes, const Choice* choice, const ContactSet* set)
{
    double change[LANES] = { 0.0 }, growth[LANES];
    for (int i = 0; i < LANES; ++i)
    {
        growth[i] = 1.0 / (choice->wrench.size + lanes->size[i]);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        const double *n = lanes->feature[1 + axis], *n1 = lanes->feature[1 + (axis + 1) % 3],
                     *n2 = lanes->feature[1 + (axis + 2) % 3];
        const double *a1 = lanes->arm[(axis + 1) % 3], *a2 = lanes->arm[(axis + 2) % 3];
        double force = choice->wrench.force[axis], torque = choice->wrench.torque[axis];
        double all_force = set->total.force[axis] * set->inverse_size;
        double all_torque = set->total.torque[axis] * set->inverse_size;
        for (int i = 0; i < LANES; ++i)
        {
            double size = lanes->size[i];
            double f = all_force - (force + n[i] * size) * growth[i];
            double t = all_torque - (torque + (a1[i] * n2[i] - a2[i] * n1[i]) * size) * growth[i];
            change[i] += f * f + t * t;
        }
    }
    for (int i = 0; i < LANES; ++i)
    {
        lanes->score[i] /= 1.0 + WRENCH_PENALTY * change[i];
    }
}

/// How much better the choice becomes by each of up to LANES contacts.
static void score_contacts(Lanes* lanes, const Choice* choice, const ContactSet* set,
                           const AbutContact* contacts, int count)
{
    lanes_load(lanes, set, contacts, count);
    lanes_widen(lanes, choice);
    lanes_penalize(lanes, choice, set);
}

/// The best contact of [first, count) to add, the first of equal ones.
static int find_best(const Choice* choice, const ContactSet* set, const AbutContact* contacts, int first,
                     int count, double* score)
{
    int best = first;
    *score = -1.0;
    for (int start = first; start < count; start += LANES)
    {
        Lanes lanes;
        int rest = count - start < LANES ? count - start : LANES;
        score_contacts(&lanes, choice, set, contacts + start, rest);
        for (int i = 0; i < rest; ++i)
        {
            if (lanes.score[i] > *score)
            {
                *score = lanes.score[i];
                best = start + i;
            }
        }
    }
    return best;
}

static void swap(AbutContact* contacts, int i, int j)
{
    AbutContact old = contacts[i];
    contacts[i] = contacts[j];
    contacts[j] = old;
}

/// Replaces kept contacts, but not the deepest, by better ones. Once around is enough: further rounds hardly find any.
static void exchange(const ContactSet* set, AbutContact* contacts, int keep)
{
    for (int slot = 1; slot < keep; ++slot)
    {
        Choice others;
        choice_init(&others, set);
        for (int i = 0; i < keep; ++i)
        {
            if (i != slot)
            {
                choice_add(&others, set, &contacts[i]);
            }
        }
        double score, old;
        int best = find_best(&others, set, contacts, keep, set->usable, &score);
        find_best(&others, set, contacts, slot, slot + 1, &old);
        if (score > old * (1.0 + LEAST_GAIN))
        {
            swap(contacts, slot, best);
        }
    }
}

static int find_deepest(const AbutContact* contacts, int count)
{
    int deepest = 0;
    for (int i = 1; i < count; ++i)
    {
        deepest = contacts[i].separation < contacts[deepest].separation ? i : deepest;
    }
    return deepest;
}

/// Brings the `keep` best of the usable contacts to the front.
static void choose(const ContactSet* set, AbutContact* contacts, int keep)
{
    Choice choice;
    choice_init(&choice, set);
    swap(contacts, 0, find_deepest(contacts, set->usable));
    choice_add(&choice, set, &contacts[0]);
    for (int kept = 1; kept < keep; ++kept)
    {
        double score;
        swap(contacts, kept, find_best(&choice, set, contacts, kept, set->usable, &score));
        choice_add(&choice, set, &contacts[kept]);
    }
    exchange(set, contacts, keep);
}

static void measure_change(const ContactSet* set, const AbutContact* contacts, AbutReduction* reduction)
{
    Wrench kept = { .size = 0.0 };
    for (int i = 0; i < reduction->kept; ++i)
    {
        if (is_usable(&contacts[i]))
        {
            double arm[3];
            arm_of(set, &contacts[i], arm);
            add_push(set, &contacts[i], arm, &kept);
        }
    }
    double change[2];
    wrench_change(set, &kept, change);
    reduction->force_change = (float)sqrt(change[0]);
    reduction->torque_change = (float)sqrt(change[1]);
}

AbutReduction abut_contacts_reduce(AbutContact* contacts, int count, int keep)
{
    count = count > 0 ? count : 0;
    keep = keep > 0 ? keep : 0;
    AbutReduction reduction = { .kept = keep < count ? keep : count };
    reduction.left_out = count - reduction.kept;
    abut_contacts_sort_bytes(contacts, count);
    if (reduction.left_out == 0)
    {
        return reduction;
    }
    ContactSet set = { .usable = gather_usable(contacts, count) };
    abut_contacts_sort_bytes(contacts + set.usable, count - set.usable);
    survey(&set, contacts);
    if (reduction.kept > 0 && reduction.kept < set.usable)
    {
        choose(&set, contacts, reduction.kept);
    }
    abut_contacts_sort_bytes(contacts, reduction.kept);
    measure_change(&set, contacts, &reduction);
    return reduction;
}
