/// @file contact_grid.h
/// Contact grid: cells of the contact spacing, fixed to A. Each is an id of contacts, and keeps the deepest
/// candidate in it; candidates become contacts.
#ifndef ABUT_CONTACT_CONTACT_GRID_H
#define ABUT_CONTACT_CONTACT_GRID_H

#include <abut/contact.h>

#include "search/pair.h"

enum
{
    ABUT_CONTACT_CELL_BITS = 21, // of an id, per axis
    ABUT_CONTACT_GRID_CAPACITY = 2048,
    ABUT_CONTACT_GRID_SLOTS = 2 * ABUT_CONTACT_GRID_CAPACITY
};

/// Cells of one size.
typedef struct AbutContactLattice
{
    double per_length;
    double shift[3]; // of the first cell, in cells
} AbutContactLattice;

/// `origin` is that of the points, in the frame of the cells.
AbutContactLattice abut_contact_lattice(float spacing, AbutDVec3 origin);

/// The cell of a point. Ids repeat only after more cells than a pair has.
static inline uint64_t abut_contact_cell_id(const AbutContactLattice* grid, const float at[3])
{
    const double most = 0x1p62;
    uint64_t id = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double grid_cell = (double)at[axis] * grid->per_length + grid->shift[axis];
        grid_cell = grid_cell > -most ? (grid_cell < most ? grid_cell : most) : -most; // also NaN
        int64_t whole = (int64_t)grid_cell;
        whole -= (double)whole > grid_cell ? 1 : 0;
        id |= ((uint64_t)whole & ((1u << ABUT_CONTACT_CELL_BITS) - 1)) << (ABUT_CONTACT_CELL_BITS * axis);
    }
    return id;
}

/// The cell of 2ⁿ times the size around a cell.
uint64_t abut_contact_cell_coarsen(uint64_t id, uint32_t n);

/// A point with samples of both shapes, not yet a contact.
typedef struct AbutContactCandidate
{
    float at[3];
    float distance[2];
    float gradient[2][3];
} AbutContactCandidate;

/// Sample `i` of a batch with gradients.
static inline AbutContactCandidate abut_contact_candidate_at(const AbutPairBatch* batch, size_t i)
{
    AbutContactCandidate candidate;
    for (int axis = 0; axis < 3; ++axis)
    {
        candidate.at[axis] =
            batch->at[axis][i] + 0.0f; // −0 becomes 0, so that equal contacts have equal bytes
        candidate.gradient[0][axis] = batch->gradient[0][axis][i];
        candidate.gradient[1][axis] = batch->gradient[1][axis][i];
    }
    candidate.distance[0] = batch->distance[0][i];
    candidate.distance[1] = batch->distance[1][i];
    return candidate;
}

/// The smaller distance inside of both; outside of one, the sum, which is at most the gap.
static inline float abut_contact_separation(float a, float b)
{
    return a > 0.0f || b > 0.0f ? a + b : (a < b ? a : b);
}

static inline float abut_contact_candidate_separation(const AbutContactCandidate* candidate)
{
    return abut_contact_separation(candidate->distance[0], candidate->distance[1]);
}

typedef struct AbutContactGridCell
{
    uint64_t id;
    AbutContactCandidate candidate; // the deepest
    float separation;
} AbutContactGridCell;

/// Scratch of a query: occupied cells, in the order of their first candidates.
typedef struct AbutContactGrid
{
    AbutContactLattice grid;
    int count;
    bool full;                               // further cells were left out
    uint16_t slots[ABUT_CONTACT_GRID_SLOTS]; // hash table: index of a cell plus 1, or 0
    AbutContactGridCell items[ABUT_CONTACT_GRID_CAPACITY];
} AbutContactGrid;

void abut_contact_grid_reset(AbutContactGrid* contact_grid, float spacing, AbutDVec3 origin);

/// Keeps sample `i` of a batch with gradients when it is the deepest of its cell; of equals the first by
/// position, in any order of arrival.
void abut_contact_grid_offer(AbutContactGrid* contact_grid, const AbutPairBatch* batch, size_t i);

/// NULL for an empty cell.
const AbutContactGridCell* abut_contact_grid_find(const AbutContactGrid* contact_grid, uint64_t id);

/// Indices of the deepest `most` cells (or of all), by id. Returns their count.
size_t abut_contact_grid_order(const AbutContactGrid* contact_grid, size_t most,
                               uint16_t order[ABUT_CONTACT_GRID_CAPACITY]);

/// The contact of a candidate, in the frame of A.
void abut_contact_make(const AbutPair* pair, const AbutContactCandidate* candidate, uint64_t id,
                       AbutContact* out);

#endif
