// Reduction: fewer contacts with the support of all.
//
// The support of a set of contacts is wide when its positions and the directions of its normals are spread.
// With φ = (1, normal, tangential offset) of a contact, the simplices between points φ measure that: the sum
// of the squares of their volumes is the determinant of Σ φ φᵀ (Cauchy and Binet), and grows by the factor 1
// + φᵀ M⁻¹ φ with each contact added. On a flat patch these are the triangles between contacts; opposite
// normals and several patches need no special case. Contacts are added one by one where the factor, divided
// by a penalty for the change of the wrench, is largest, and then exchanged one by one where that increases
// it.
#include <abut/contact.h>

#include "contact/contact_order.h"
#include "contact/contact_set.h"
#include "contact/kernels.h"

#include "base/assert.h"
#include "base/fp_env.h"

#include <math.h>

enum
{
    FEATURES = ABUT_REDUCE_FEATURES,
    WRENCH_SIZE = ABUT_REDUCE_WRENCH,
    LANES = ABUT_REDUCE_LANES,
    CACHED_BLOCKS =
        16 // of LANES contacts stored side by side; blocks of larger sets are loaded again each time
};

typedef AbutReduceLanes Lanes;
typedef AbutReduceSelection Selection;

/// Start of the sum of φ φᵀ: the spread that is too little to count. For offsets, relative to the spread of
/// all contacts, so that a narrow patch is used to its full width; down to a hundredth of its length.
#define UNIT_RESOLUTION 0.02
#define NORMAL_RESOLUTION 0.3 // a difference of 55 degrees counts as one more corner of a patch
#define POSITION_RESOLUTION 0.05
#define MIN_SPREAD 1e-4

/// Contacts shallower than this fraction of the deepest count less, down to this weight at depth 0: rims that
/// just graze (the caps of two gears) should not replace contacts that carry the bodies.
#define SHALLOW 0.125
#define MIN_WEIGHT 0.3

/// Wide support comes first: a change of the wrench by its own size costs as much as half of the squared
/// volumes.
#define WRENCH_PENALTY 1.0

/// A gain of an exchange under this is rounding.
#define MIN_GAIN 1e-9

static void selection_init(Selection* selection, const AbutContactSet* set)
{
    *selection = (Selection){ .size = 0.0 };
    selection->inverse[0][0] = 1.0 / UNIT_RESOLUTION;
    AbutDMat3 start;
    for (int i = 0; i < 9; ++i)
    {
        double least = i % 4 == 0 ? MIN_SPREAD : 0.0;
        start.m[i / 3][i % 3] = POSITION_RESOLUTION * (set->spread.m[i / 3][i % 3] + least);
    }
    AbutDMat3 block = abut_dmat3_inverse_symmetric(&start);
    for (int i = 0; i < 9; ++i)
    {
        selection->inverse[1 + i / 3][1 + i % 3] = i % 4 == 0 ? 1.0 / NORMAL_RESOLUTION : 0.0;
        selection->inverse[4 + i / 3][4 + i % 3] = block.m[i / 3][i % 3];
    }
}

/// The contacts of a set in blocks of lanes.
typedef struct Table
{
    const AbutContactSet* set;
    AbutContact* contacts;
    double mean[WRENCH_SIZE]; // wrench of all contacts, scaled to size 1
    bool is_cached;
    Lanes blocks[CACHED_BLOCKS];
} Table;

static void force_torque_of(const AbutWrench* wrench, double out[WRENCH_SIZE])
{
    abut_dvec3_to_array(wrench->force, out);
    abut_dvec3_to_array(wrench->torque, out + 3);
}

static double weight_of(const AbutContactSet* set, double force)
{
    double factor = force * set->inverse_max_force * (1.0 / SHALLOW);
    return MIN_WEIGHT + (1.0 - MIN_WEIGHT) * (factor < 1.0 ? factor : 1.0);
}

static void load_lane(const Table* table, const AbutContact* contact, Lanes* lanes, int i)
{
    const AbutContactSet* set = table->set;
    double features[FEATURES] = { 1.0 }, force_torque[WRENCH_SIZE];
    AbutWrench wrench = { .size = 0.0 };
    AbutDVec3 offset = abut_contact_set_offset(set, contact);
    abut_dvec3_to_array(abut_dvec3_from_vec3(contact->normal), features + 1);
    abut_dvec3_to_array(abut_contact_set_tangential(set, offset), features + 4);
    abut_contact_set_add_wrench(set, contact, offset, &wrench);
    force_torque_of(&wrench, force_torque);
    lanes->size[i] = wrench.size;
    lanes->weight[i] = weight_of(set, wrench.size);
    lanes->along[i] = lanes->square[i] = 0.0;
    for (int row = 0; row < FEATURES; ++row)
    {
        lanes->feature[row][i] = features[row];
    }
    for (int row = 0; row < WRENCH_SIZE; ++row)
    {
        lanes->force_torque[row][i] = force_torque[row];
        lanes->along[i] += force_torque[row] * table->mean[row];
        lanes->square[i] += force_torque[row] * force_torque[row];
    }
}

/// Lanes past the last contact are copies of the first one of the block.
static void load_lanes(const Table* table, int block, Lanes* lanes)
{
    const AbutContact* contacts = table->contacts + block * LANES;
    int count = table->set->usable - block * LANES;
    for (int i = 0; i < LANES; ++i)
    {
        load_lane(table, &contacts[i < count ? i : 0], lanes, i);
    }
}

static void table_init(Table* table, const AbutContactSet* set, AbutContact* contacts)
{
    table->set = set;
    table->contacts = contacts;
    force_torque_of(&set->total, table->mean);
    for (int row = 0; row < WRENCH_SIZE; ++row)
    {
        table->mean[row] *= set->inverse_size;
    }
    table->is_cached = set->usable <= CACHED_BLOCKS * LANES;
    for (int block = 0; table->is_cached && block * LANES < set->usable; ++block)
    {
        load_lanes(table, block, &table->blocks[block]);
    }
}

static const Lanes* table_lanes(const Table* table, int block, Lanes* scratch)
{
    if (table->is_cached)
    {
        return &table->blocks[block];
    }
    load_lanes(table, block, scratch);
    return scratch;
}

static void table_swap(Table* table, int i, int j)
{
    AbutContact old = table->contacts[i];
    table->contacts[i] = table->contacts[j];
    table->contacts[j] = old;
    if (!table->is_cached)
    {
        return;
    }
    double *a = (double*)&table->blocks[i / LANES] + i % LANES,
           *b = (double*)&table->blocks[j / LANES] + j % LANES;
    for (size_t k = 0; k < sizeof(Lanes) / sizeof(double) && i != j; k += LANES)
    {
        double number = a[k];
        a[k] = b[k];
        b[k] = number;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Selection and scores
// -----------------------------------------------------------------------------------------------------------

/// M⁻¹ φ; returns φᵀ M⁻¹ φ.
static double multiply(const Selection* selection, const Lanes* lanes, int lane, double out[FEATURES])
{
    double square = 0.0;
    for (int i = 0; i < FEATURES; ++i)
    {
        out[i] = 0.0;
    }
    for (int j = 0; j < FEATURES; ++j)
    {
        for (int i = 0; i < FEATURES; ++i)
        {
            out[i] += selection->inverse[j][i] * lanes->feature[j][lane];
        }
    }
    for (int i = 0; i < FEATURES; ++i)
    {
        square += lanes->feature[i][lane] * out[i];
    }
    return square;
}

/// M + sign · weight · φ φᵀ (Sherman and Morrison); the wrench stays.
static void selection_change(Selection* selection, const Table* table, int contact, double sign)
{
    Lanes scratch;
    const Lanes* lanes = table_lanes(table, contact / LANES, &scratch);
    int lane = contact % LANES;
    double product[FEATURES], square = multiply(selection, lanes, lane, product);
    double weight = sign * lanes->weight[lane], share = weight / (1.0 + weight * square);
    for (int i = 0; i < FEATURES; ++i)
    {
        double factor = product[i] * share;
        for (int j = 0; j < FEATURES; ++j)
        {
            selection->inverse[i][j] -= factor * product[j];
        }
    }
}

static void add_wrench(Selection* selection, const Lanes* lanes, int lane)
{
    for (int row = 0; row < WRENCH_SIZE; ++row)
    {
        selection->force_torque[row] += lanes->force_torque[row][lane];
    }
    selection->size += lanes->size[lane];
}

/// The wrench of the first `count` contacts but one: summed again, since the difference may be far smaller
/// than the terms.
static void selection_sum(Selection* selection, const Table* table, int count, int without)
{
    for (int row = 0; row < WRENCH_SIZE; ++row)
    {
        selection->force_torque[row] = 0.0;
    }
    selection->size = 0.0;
    Lanes scratch;
    const Lanes* lanes = NULL;
    for (int i = 0; i < count; ++i)
    {
        lanes = i % LANES == 0 ? table_lanes(table, i / LANES, &scratch) : lanes;
        if (i != without)
        {
            add_wrench(selection, lanes, i % LANES);
        }
    }
}

/// The best contact of [first, usable) to add, the first of equal ones. Also the score of contact `asked`, if
/// that comes before.
static int find_best(const Selection* selection, const Table* table, int first, int asked, double* best_score,
                     double* asked_score)
{
    int best = first, start = (asked < first ? asked : first) / LANES;
    *best_score = -1.0;
    for (int block = start; block * LANES < table->set->usable; ++block)
    {
        Lanes scratch;
        double score[LANES];
        const Lanes* lanes = table_lanes(table, block, &scratch);
        abut_reduce_kernels()->score(lanes, selection, table->mean, WRENCH_PENALTY, score);
        for (int i = 0; i < LANES && block * LANES + i < table->set->usable; ++i)
        {
            int contact = block * LANES + i;
            *asked_score = contact == asked ? score[i] : *asked_score;
            if (contact >= first && score[i] > *best_score)
            {
                *best_score = score[i];
                best = contact;
            }
        }
    }
    return best;
}

/// Replaces kept contacts, but not the deepest, by better ones. One pass is enough: further passes hardly
/// find any.
static void exchange(Selection* selection, Table* table, int keep)
{
    for (int slot = 1; slot < keep; ++slot)
    {
        Selection others = *selection;
        selection_change(&others, table, slot, -1.0);
        selection_sum(&others, table, keep, slot);
        double score, old = 0.0;
        int best = find_best(&others, table, keep, slot, &score, &old);
        if (score > old * (1.0 + MIN_GAIN))
        {
            table_swap(table, slot, best);
            selection_change(&others, table, slot, 1.0);
            *selection = others;
        }
    }
}

static int find_deepest(const AbutContact* contacts, int count)
{
    int max_force = 0;
    for (int i = 1; i < count; ++i)
    {
        max_force = contacts[i].separation < contacts[max_force].separation ? i : max_force;
    }
    return max_force;
}

static void selection_add(Selection* selection, const Table* table, int contact)
{
    Lanes scratch;
    selection_change(selection, table, contact, 1.0);
    add_wrench(selection, table_lanes(table, contact / LANES, &scratch), contact % LANES);
}

/// Moves the `keep` best of the usable contacts to the front.
static void choose(const AbutContactSet* set, AbutContact* contacts, int keep)
{
    Selection selection;
    Table table;
    selection_init(&selection, set);
    table_init(&table, set, contacts);
    table_swap(&table, 0, find_deepest(contacts, set->usable));
    selection_add(&selection, &table, 0);
    for (int kept = 1; kept < keep; ++kept)
    {
        double score, unused;
        table_swap(&table, kept, find_best(&selection, &table, kept, kept, &score, &unused));
        selection_add(&selection, &table, kept);
    }
    exchange(&selection, &table, keep);
}

/// Fills in the changes for the first `count` contacts.
static void measure_change(const AbutContactSet* set, const AbutContact* contacts, int count,
                           AbutReduction* reduction)
{
    AbutWrench kept = { .size = 0.0 };
    for (int i = 0; i < count; ++i)
    {
        abut_contact_set_add_wrench(set, &contacts[i], abut_contact_set_offset(set, &contacts[i]), &kept);
    }
    double force, torque;
    abut_contact_set_change(set, &kept, &force, &torque);
    reduction->force_change = (float)sqrt(force);
    reduction->torque_change = (float)sqrt(torque);
}

static void sort(AbutContact* contacts, int count)
{
    abut_contacts_sort_by(contacts, (size_t)count, abut_contact_before);
}

AbutReduction abut_contacts_reduce(AbutContact* contacts, uint32_t contact_count, uint32_t keep)
{
    ABUT_FP_CALL(abut_contacts_reduce, contacts, contact_count, keep);
    ABUT_ASSERT(contact_count <= INT32_MAX);
    int count = (int)contact_count, kept = (int)(keep < contact_count ? keep : contact_count);
    AbutReduction reduction = { .kept_count = (uint32_t)kept, .dropped_count = (uint32_t)(count - kept) };
    sort(contacts, count);
    if (reduction.dropped_count == 0)
    {
        return reduction;
    }
    AbutContactSet set = abut_contact_set_make(contacts, count);
    sort(contacts + set.usable, count - set.usable);
    if (kept > 0 && kept < set.usable)
    {
        choose(&set, contacts, kept);
    }
    measure_change(&set, contacts, kept < set.usable ? kept : set.usable, &reduction);
    sort(contacts, kept);
    return reduction;
}
