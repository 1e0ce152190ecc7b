// Fewer contacts that do the work of all.
//
// What a set of contacts can hold is wide when it is spread far, in places and in the directions of its normals. With φ = (1, normal,
// place) for a contact, the simplices between points φ measure that: the sum of the squares of the volumes of all of them is the
// determinant of Σ φ φᵀ (Cauchy and Binet), and it grows by the factor 1 + φᵀ M⁻¹ φ with each contact added. On a flat patch
// these are the triangles between contacts; opposite normals and several patches need no case of their own. Contacts are
// added one by one where the factor, divided by a penalty for the change of the wrench, is largest, and then
// exchanged one by one where that makes it better.
#include <abut/contact.h>

#include "contact/contact_set.h"
#include "contact/order.h"

#include <math.h>

enum
{
    FEATURES = 7, // 1, normal, place
    LANES = 16    // contacts that are looked at together, so that the compiler can use vectors
};

/// What the sum of φ φᵀ starts with: how little is too little to count. Of the place, it is a part of the spread of
/// all contacts, so that a narrow patch is used to its full width; down to a hundredth of its length.
#define UNIT_RESOLUTION 0.02
#define NORMAL_RESOLUTION 0.3 // a difference of 55 degrees is worth one more corner of a patch
#define PLACE_RESOLUTION 0.05
#define LEAST_SPREAD 1e-4

/// Contacts that are shallower than this part of the deepest count less, down to this weight at no depth: rims that just graze
/// (the caps of two gears) should not take the place of what carries the bodies.
#define SHALLOW 0.125
#define LEAST_WEIGHT 0.3

/// Wide support comes first: a wrench that changes by all of its size is as bad as half of the squared volumes.
#define WRENCH_PENALTY 1.0

/// An exchange that is better by less is rounding.
#define LEAST_GAIN 1e-9

/// The wrench of the kept contacts, and M⁻¹.
typedef struct Choice
{
    double inverse[FEATURES][FEATURES];
    AbutWrench wrench;
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
    double determinant = abut_contact_dot(m[0], out[0]);
    for (int i = 0; i < 9; ++i)
    {
        out[i / 3][i % 3] /= determinant;
    }
}

static void choice_init(Choice* choice, const AbutContactSet* set)
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

/// Weight of φ φᵀ.
static double weight_of(const AbutContactSet* set, const AbutContact* contact)
{
    double part = abut_contact_set_force(set, contact) * set->inverse_deepest * (1.0 / SHALLOW);
    return LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * (part < 1.0 ? part : 1.0);
}

static void features_of(const AbutContactSet* set, const AbutContact* contact, const double arm[3],
                        double out[FEATURES])
{
    out[0] = 1.0;
    abut_contact_doubles(contact->normal, out + 1);
    abut_contact_set_place(set, arm, out + 4);
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

/// M + weight · φ φᵀ (Sherman and Morrison).
static void choice_add(Choice* choice, const AbutContactSet* set, const AbutContact* contact)
{
    double arm[3], features[FEATURES], product[FEATURES];
    abut_contact_set_arm(set, contact, arm);
    features_of(set, contact, arm, features);
    double square = multiply(choice, features, product), weight = weight_of(set, contact);
    double share = weight / (1.0 + weight * square);
    for (int i = 0; i < FEATURES; ++i)
    {
        for (int j = 0; j < FEATURES; ++j)
        {
            choice->inverse[i][j] -= product[i] * product[j] * share;
        }
    }
    abut_contact_set_push(set, contact, arm, &choice->wrench);
}

/// Contacts side by side.
typedef struct Lanes
{
    double arm[3][LANES], size[LANES], weight[LANES];
    double feature[FEATURES][LANES];
    double score[LANES];
} Lanes;

static void lanes_load(Lanes* lanes, const AbutContactSet* set, const AbutContact* contacts, int count)
{
    for (int i = 0; i < LANES; ++i)
    {
        const AbutContact* contact = &contacts[i < count ? i : 0];
        double arm[3], features[FEATURES];
        abut_contact_set_arm(set, contact, arm);
        features_of(set, contact, arm, features);
        for (int row = 0; row < FEATURES; ++row)
        {
            lanes->feature[row][i] = features[row];
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            lanes->arm[axis][i] = arm[axis];
        }
        lanes->size[i] = abut_contact_set_force(set, contact);
        lanes->weight[i] = weight_of(set, contact);
    }
}

/// score = 1 + weight · φᵀ M⁻¹ φ
static void lanes_widen(Lanes* lanes, const Choice* choice)
{
    double square[LANES] = { 0.0 };
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
            square[i] += f * (choice->inverse[row][row] * f + 2.0 * product[i]);
        }
    }
    for (int i = 0; i < LANES; ++i)
    {
        lanes->score[i] = 1.0 + lanes->weight[i] * square[i];
    }
}

/// Divides the score by 1 + penalty · change².
static void lanes_penalize(Lanes* lanes, const Choice* choice, const AbutContactSet* set)
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
static void score_contacts(Lanes* lanes, const Choice* choice, const AbutContactSet* set,
                           const AbutContact* contacts, int count)
{
    lanes_load(lanes, set, contacts, count);
    lanes_widen(lanes, choice);
    lanes_penalize(lanes, choice, set);
}

/// The best contact of [first, count) to add, the first of equal ones.
static int find_best(const Choice* choice, const AbutContactSet* set, const AbutContact* contacts, int first,
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
static void exchange(const AbutContactSet* set, AbutContact* contacts, int keep)
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
static void choose(const AbutContactSet* set, AbutContact* contacts, int keep)
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

/// Fills in the changes for the first `count` contacts.
static void measure_change(const AbutContactSet* set, const AbutContact* contacts, int count,
                           AbutReduction* reduction)
{
    AbutWrench kept = { .size = 0.0 };
    for (int i = 0; i < count; ++i)
    {
        double arm[3];
        abut_contact_set_arm(set, &contacts[i], arm);
        abut_contact_set_push(set, &contacts[i], arm, &kept);
    }
    double change[2];
    abut_contact_set_change(set, &kept, change);
    reduction->force_change = (float)sqrt(change[0]);
    reduction->torque_change = (float)sqrt(change[1]);
}

static void sort(AbutContact* contacts, int count)
{
    abut_contacts_sort_by(contacts, (size_t)count, abut_contact_before);
}

AbutReduction abut_contacts_reduce(AbutContact* contacts, int count, int keep)
{
    count = count > 0 ? count : 0;
    keep = keep > 0 ? keep : 0;
    AbutReduction reduction = { .kept = keep < count ? keep : count };
    reduction.left_out = count - reduction.kept;
    sort(contacts, count);
    if (reduction.left_out == 0)
    {
        return reduction;
    }
    AbutContactSet set = abut_contact_set_make(contacts, count);
    sort(contacts + set.usable, count - set.usable);
    if (reduction.kept > 0 && reduction.kept < set.usable)
    {
        choose(&set, contacts, reduction.kept);
    }
    measure_change(&set, contacts, reduction.kept < set.usable ? reduction.kept : set.usable, &reduction);
    sort(contacts, reduction.kept);
    return reduction;
}
