#include "narrow/contacts/deep_normals.h"

#include <math.h>

enum
{
    STARTS = 4, // of the search for a foot: on both sides of any plane through the contact
    JOBS = ABUT_PAIR_BATCH / STARTS // contacts at a time
};

/// Squared lengths of gradients. A distance has 1; between SHORT and STEEP a gradient counts as that of a
/// distance. From LONG on it leads to the surface, and under LEAST it has no direction.
static const float SHORT = 0.97f, STEEP = 1.01f, LONG = 0.8f, LEAST = 0.01f;

/// In cells. Shallower contacts keep the gradient, which is that of an edge. A gradient counts as that of the
/// surface when the step along it misses the surface by at most MISS, and is longer than the distance by at
/// most EXTRA.
static const float MIN_DEPTH = 1.0f, MISS = 0.2f, EXTRA = 0.5f;

/// Further miss, as a fraction of the distance: 1 − cos of 14 degrees.
static const float ANGLE = 0.03f;

/// Contacts with a search for their foot on one solid.
typedef struct Search
{
    AbutPair* pair;
    int side;
    size_t count;
    AbutContact* contacts[JOBS];
    float most[JOBS]; // largest distance of the foot
    AbutPairBatch batch;
    bool lost[ABUT_PAIR_BATCH]; // points without a usable gradient
} Search;

static AbutVec3 gradient_of(const Search* self, size_t i)
{
    const float(*g)[ABUT_PAIR_BATCH] = self->batch.gradient[self->side];
    return abut_vec3(g[0][i], g[1][i], g[2][i]);
}

/// Newton's step to the surface. Points with a shorter gradient than `least` are lost.
static void step_to_surface(Search* self, float least)
{
    AbutPairBatch* batch = &self->batch;
    abut_pair_sample_side(self->pair, self->side, batch, true);
    for (size_t i = 0; i < batch->count; ++i)
    {
        AbutVec3 g = gradient_of(self, i);
        float squared = abut_vec3_dot(g, g);
        self->lost[i] = self->lost[i] || !(squared >= least);
        float by = self->lost[i] ? 0.0f : batch->distance[self->side][i] / squared;
        abut_pair_batch_set(batch, i, abut_vec3_sub(abut_pair_batch_point(batch, i), abut_vec3_scale(g, by)));
    }
}

/// The corners of a tetrahedron around each contact, a cell away from it.
static void set_starts(Search* self)
{
    float by = 0.577f * self->pair->sides[self->side].cell_size;
    self->batch.count = STARTS * self->count;
    for (size_t i = 0; i < self->batch.count; ++i)
    {
        AbutVec3 at = abut_pair_position(self->pair, self->contacts[i / STARTS]->position);
        size_t corner = i % STARTS;
        at.x += corner == 0 || corner == 3 ? by : -by;
        at.y += corner == 1 || corner == 3 ? by : -by;
        at.z += corner == 2 || corner == 3 ? by : -by;
        abut_pair_batch_set(&self->batch, i, at);
        self->lost[i] = false;
    }
}

/// Keeps the nearest foot of each contact in the batch; of equals the first.
static void choose_closest(Search* self)
{
    for (size_t job = 0; job < self->count; ++job)
    {
        AbutVec3 position = abut_pair_position(self->pair, self->contacts[job]->position), best = position;
        float least_squared = INFINITY;
        for (size_t i = STARTS * job; i < STARTS * (job + 1); ++i)
        {
            AbutVec3 foot = abut_pair_batch_point(&self->batch, i), to_foot = abut_vec3_sub(foot, position);
            float squared = abut_vec3_dot(to_foot, to_foot);
            if (!self->lost[i] && squared < least_squared)
            {
                best = foot;
                least_squared = squared;
            }
        }
        // Starts of later contacts have higher indices.
        abut_pair_batch_set(&self->batch, job, best);
        self->lost[job] = !(least_squared < INFINITY);
    }
    self->batch.count = self->count;
}

/// The foot is the anchor, and on B its gradient the normal.
static void set_contact(const Search* self, size_t job)
{
    const AbutPairSide* side = &self->pair->sides[self->side];
    AbutContact* contact = self->contacts[job];
    AbutVec3 foot = abut_pair_batch_point(&self->batch, job), g = gradient_of(self, job);
    float length = abut_vec3_length(g);
    float from_contact =
        abut_vec3_length(abut_vec3_sub(foot, abut_pair_position(self->pair, contact->position)));
    if (self->lost[job] || !(fabsf(self->batch.distance[self->side][job]) <= MISS * side->cell_size) ||
        !(length > 0.0f) || !(from_contact <= self->most[job]))
    {
        return;
    }
    AbutDVec3 own = abut_transform_inverse_point(&side->frame, abut_dvec3_from_vec3(foot));
    // −0 becomes 0, so that equal contacts have equal bytes.
    AbutVec3 anchor = abut_vec3((float)own.x + 0.0f, (float)own.y + 0.0f, (float)own.z + 0.0f);
    if (self->side == 0)
    {
        contact->anchor_a = anchor;
        return;
    }
    contact->anchor_b = anchor;
    contact->normal = abut_vec3(g.x / length + 0.0f, g.y / length + 0.0f, g.z / length + 0.0f);
}

static void flush_search(Search* self)
{
    if (self->count == 0)
    {
        return;
    }
    set_starts(self);
    step_to_surface(self, LONG);
    step_to_surface(self, LEAST);
    choose_closest(self);
    step_to_surface(self, LEAST);
    abut_pair_sample_side(self->pair, self->side, &self->batch, true);
    for (size_t job = 0; job < self->count; ++job)
    {
        set_contact(self, job);
    }
    self->count = 0;
}

// -----------------------------------------------------------------------------------------------------------
// Which contacts
// -----------------------------------------------------------------------------------------------------------

/// Contacts deep in one solid, and the ends of the steps along their gradients.
typedef struct Check
{
    AbutContact* contacts[ABUT_PAIR_BATCH];
    float distance[ABUT_PAIR_BATCH]; // of the field
    float length[ABUT_PAIR_BATCH];   // of the step
    AbutPairBatch feet;
} Check;

static void add_contact(Check* self, int side, const AbutContactCandidate* candidate, AbutContact* contact)
{
    const float *g = candidate->gradient[side], distance = candidate->distance[side];
    float squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    if (squared >= SHORT && squared <= STEEP)
    {
        return;
    }
    float by = squared > LEAST ? distance / squared : 0.0f;
    size_t i = self->feet.count++;
    self->contacts[i] = contact;
    self->distance[i] = distance;
    self->length[i] = -by * sqrtf(squared);
    self->feet.at[0][i] = candidate->at[0] - by * g[0];
    self->feet.at[1][i] = candidate->at[1] - by * g[1];
    self->feet.at[2][i] = candidate->at[2] - by * g[2];
}

/// Searches the feet of contacts whose gradients do not lead to the surface.
static void flush_check(Check* self, Search* search)
{
    float cell = search->pair->sides[search->side].cell_size;
    abut_pair_sample_side(search->pair, search->side, &self->feet, false);
    for (size_t i = 0; i < self->feet.count; ++i)
    {
        float miss = MISS * cell - ANGLE * self->distance[i];
        bool misses = !(fabsf(self->feet.distance[search->side][i]) <= miss);
        if (misses || !(self->length[i] <= EXTRA * cell - self->distance[i]))
        {
            search->most[search->count] = 2.0f * EXTRA * cell - self->distance[i];
            search->contacts[search->count++] = self->contacts[i];
        }
        if (search->count == JOBS)
        {
            flush_search(search);
        }
    }
    self->feet.count = 0;
}

void abut_narrow_correct_normals(AbutPair* pair, const AbutContactGrid* contact_grid, AbutContact* contacts,
                                 uint32_t count)
{
    Check check;
    Search search;
    for (int side = 0; side < 2; ++side)
    {
        float least = MIN_DEPTH * pair->sides[side].cell_size;
        check.feet.count = 0;
        search.pair = pair;
        search.side = side;
        search.count = 0;
        for (uint32_t i = 0; i < count && pair->sides[side].is_field; ++i)
        {
            // A negative separation is no more than either distance.
            const AbutContactGridCell* grid_cell =
                contacts[i].separation < -least ? abut_contact_grid_find(contact_grid, contacts[i].id) : NULL;
            if (grid_cell != NULL && grid_cell->candidate.distance[side] < -least)
            {
                add_contact(&check, side, &grid_cell->candidate, &contacts[i]);
            }
            if (check.feet.count == ABUT_PAIR_BATCH)
            {
                flush_check(&check, &search);
            }
        }
        flush_check(&check, &search);
        flush_search(&search);
    }
}
