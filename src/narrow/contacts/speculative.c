// Speculative contacts, without a proof. Boxes that may hold a contact come from the octrees of two fields,
// then from one sample in the middle of each. That sample also estimates the position of the contact between
// the surfaces. Of all estimates in the same small cell only the closest is projected: a handful of points
// instead of hundreds.
#include "narrow/contacts/speculative.h"

#include "narrow/contacts/contacts.h"
#include "narrow/contacts/project.h"
#include "narrow/contacts/refine_deepest.h"
#include "search/dual_octree.h"

#include <math.h>

enum
{
    FIRST_STEPS = 2, // of a projection, before points that will not arrive are dropped
    MORE_STEPS = 6,
    MANY_BOXES = 512, // of an octree, sampled together
    FIRST_CELLS = 27,
    DOUBLINGS = 24
};

/// Cells with one start each, as a fraction of the spacing: two contact regions are rarely that close.
static const float START_SPACING = 0.5f;

/// Gap at a point beyond which its projection does not arrive, in speculative distances (a contact has two at
/// most).
static const float TOO_FAR = 2.1f;

/// Size of octree boxes that are not divided, as a fraction of the spacing.
static const float BOX_SPACING = 1.5f;

typedef struct SpeculativeSearch
{
    AbutPair* pair;
    AbutBoxSearch* search;
    AbutContactGrid* contact_grid;
    AbutPairBatch starts; // estimated positions of contacts, with estimated samples
    float speculative_distance;
    float gap;      // of solids that are proved separated
    bool any;       // a box was open: the solids may be within the margin
    uint64_t limit; // of samples
} SpeculativeSearch;

/// The point half way between the surfaces, as estimated from sample `i`, within `most` of it.
static void add_start(SpeculativeSearch* self, const AbutPairBatch* batch, size_t i, float most)
{
    AbutPairBatch* starts = &self->starts;
    size_t to = starts->count++;
    float a = batch->distance[0][i], b = batch->distance[1][i], offset[3], squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        offset[axis] = -0.5f * (a * batch->gradient[0][axis][i] + b * batch->gradient[1][axis][i]);
        squared += offset[axis] * offset[axis];
    }
    float fraction = squared > most * most ? most / sqrtf(squared) : 1.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        starts->at[axis][to] = batch->at[axis][i] + fraction * offset[axis];
        starts->gradient[0][axis][to] = starts->gradient[1][axis][to] = 0.0f;
    }
    starts->distance[0][to] = starts->distance[1][to] = 0.5f * (a + b);
    abut_contact_grid_offer(self->contact_grid, starts, to);
    starts->count = 0;
}

static bool is_inside_both(const AbutBoxSearch* search, size_t i, float radius)
{
    for (int side = 0; side < 2; ++side)
    {
        const AbutPairSide* self = &search->pair->sides[side];
        if (!(search->batch.distance[side][i] + self->error < -radius * self->slope))
        {
            return false;
        }
    }
    return true;
}

/// With the budget spent nothing is proved, and the cells become larger, as with too many contacts.
static bool is_within_budget(SpeculativeSearch* self, uint64_t evaluations)
{
    if (evaluations > self->limit)
    {
        self->any = true;
        self->contact_grid->full = true;
    }
    return !self->contact_grid->full;
}

/// Samples all boxes on the stack, and divides those above the last level.
static void search_boxes(SpeculativeSearch* self)
{
    AbutBoxSearch* search = self->search;
    bool open[ABUT_PAIR_BATCH];
    for (size_t count;
         is_within_budget(self, self->pair->evaluations) && (count = abut_box_search_step(search, open)) > 0;)
    {
        for (size_t i = 0; i < count; ++i)
        {
            if (!open[i])
            {
                continue;
            }
            float radius = ldexpf(search->radius, -(int)search->children[i].level);
            self->any = true;
            if (is_inside_both(search, i, radius))
            {
                continue;
            }
            if (search->children[i].level < search->last_level)
            {
                abut_box_search_push(search, &search->children[i]);
            }
            else
            {
                add_start(self, &search->batch, i, 2.0f * radius);
            }
        }
    }
}

/// Boxes that the octrees leave open go to the box search, which samples each once.
static void search_by_octree(SpeculativeSearch* self, AbutDualOctree* dual_octree)
{
    AbutBoxSearch* search = self->search;
    AbutOctreeBox boxes[8];
    bool hit;
    dual_octree->surface_only = true;
    float cell = (float)dual_octree->cell_size;
    abut_box_search_init_empty(search, self->pair, 4.0f * cell, dual_octree->threshold * cell, INFINITY);
    search->last_level = (uint32_t)(ABUT_SURFACE_OCTREE_BRICK - dual_octree->last_level);
    search->gradients = true;
    for (uint32_t count; is_within_budget(self, self->pair->evaluations + dual_octree->evaluations) &&
                         (count = abut_dual_octree_next(dual_octree, boxes, &hit)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            AbutSearchBox box = { .level = (uint32_t)(ABUT_SURFACE_OCTREE_BRICK - boxes[i].level),
                                  .low = -INFINITY,
                                  .fresh = true,
                                  .sample = abut_dual_octree_sample(dual_octree, i) };
            abut_dual_octree_middle(dual_octree, &boxes[i], box.center);
            abut_box_search_push(search, &box);
        }
        if (search->stack_count >= MANY_BOXES)
        {
            search_boxes(self);
        }
    }
    search_boxes(self);
    self->pair->evaluations += dual_octree->evaluations;
    self->gap = abut_dual_octree_gap(dual_octree, search->least);
}

/// Cells of the spacing, or multiples of it such that few cover the box of the pair.
static void push_cells(SpeculativeSearch* self, float spacing)
{
    AbutVec3 extents = abut_box_extents(self->pair->box);
    const float sides[3] = { extents.x, extents.y, extents.z };
    const float low[3] = { self->pair->box.min.x, self->pair->box.min.y, self->pair->box.min.z };
    uint32_t counts[3], level = 0;
    float side = spacing;
    for (uint32_t total = FIRST_CELLS + 1; total > FIRST_CELLS; side *= total > FIRST_CELLS ? 2.0f : 1.0f)
    {
        total = 1;
        for (int axis = 0; axis < 3; ++axis)
        {
            float count = fminf(ceilf(sides[axis] / side), FIRST_CELLS + 1);
            counts[axis] = count >= 1.0f ? (uint32_t)count : 1u;
            total *= counts[axis];
        }
        level += total > FIRST_CELLS ? 1u : 0u;
    }
    abut_box_search_init_empty(self->search, self->pair, 0.5f * side, self->speculative_distance, INFINITY);
    self->search->least = self->pair->box_margin; // bound outside of the box
    self->search->last_level = level;
    self->search->gradients = true;
    self->search->by_bounds = true;
    for (uint32_t i = 0; i < counts[0] * counts[1] * counts[2]; ++i)
    {
        const uint32_t corner[3] = { i % counts[0], i / counts[0] % counts[1], i / counts[0] / counts[1] };
        AbutSearchBox box = { .level = 0, .low = -INFINITY, .fresh = true };
        for (int axis = 0; axis < 3; ++axis)
        {
            // Around the middle of the pair's box.
            box.center[axis] = low[axis] + 0.5f * sides[axis] +
                               side * ((float)corner[axis] - 0.5f * (float)(counts[axis] - 1));
        }
        abut_box_search_push(self->search, &box);
    }
}

bool abut_speculative_octree(const AbutPair* pair, float speculative_distance, float spacing,
                             AbutDualOctree* out)
{
    return abut_dual_octree_init_speculative(out, pair, speculative_distance, BOX_SPACING * spacing);
}

/// A start in each cell of half the spacing that may hold a contact.
static void find_starts(SpeculativeSearch* self, float spacing, uint32_t budget)
{
    AbutDualOctree dual_octree;
    self->any = false;
    self->limit = abut_narrow_contact_budget(self->pair, budget);
    self->starts.count = 0;
    abut_contact_grid_reset(self->contact_grid, START_SPACING * spacing, self->pair->origin);
    if (abut_speculative_octree(self->pair, self->speculative_distance, spacing, &dual_octree))
    {
        search_by_octree(self, &dual_octree);
        return;
    }
    push_cells(self, spacing);
    search_boxes(self);
    self->gap = 2.0f * self->search->least;
}

/// Offers the points that have arrived to the grid. The others stay, unless the surfaces are too far apart
/// there.
static void sort_points(SpeculativeSearch* self, AbutContactGrid* contact_grid, AbutPairBatch* points)
{
    size_t kept = 0;
    for (size_t i = 0; i < points->count; ++i)
    {
        float a = points->distance[0][i], b = points->distance[1][i];
        if (a <= self->speculative_distance && b <= self->speculative_distance)
        {
            abut_contact_grid_offer(contact_grid, points, i);
        }
        else if (a + b <= TOO_FAR * self->speculative_distance)
        {
            abut_pair_batch_set(points, kept++, abut_pair_batch_point(points, i));
        }
    }
    points->count = kept;
}

/// Projects the points and offers those that arrive to the grid.
static void project(SpeculativeSearch* self, AbutContactGrid* contact_grid, AbutPairBatch* points)
{
    abut_narrow_project(self->pair, points, FIRST_STEPS, self->speculative_distance);
    sort_points(self, contact_grid, points);
    if (points->count > 0)
    {
        abut_narrow_project(self->pair, points, MORE_STEPS, self->speculative_distance);
        sort_points(self, contact_grid, points);
    }
    points->count = 0;
}

/// Projects starts to candidates, in cells of the spacing.
static void follow_starts(SpeculativeSearch* self, float spacing)
{
    AbutVec3 at[ABUT_CONTACT_GRID_CAPACITY];
    size_t count = (size_t)self->contact_grid->count;
    for (size_t i = 0; i < count; ++i)
    {
        const float* start = self->contact_grid->items[i].candidate.at;
        at[i] = abut_vec3(start[0], start[1], start[2]);
    }
    abut_contact_grid_reset(self->contact_grid, spacing, self->pair->origin);
    AbutPairBatch* points = &self->starts;
    points->count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        abut_pair_batch_set(points, points->count++, at[i]);
        if (points->count == ABUT_PAIR_BATCH)
        {
            project(self, self->contact_grid, points);
        }
    }
    project(self, self->contact_grid, points);
}

void abut_narrow_speculative_contacts(AbutPair* pair, AbutBoxSearch* search, AbutContactGrid* contact_grid,
                                      const AbutCollideSettings* settings, float tolerance,
                                      AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output)
{
    SpeculativeSearch self;
    self.pair = pair;
    self.search = search;
    self.contact_grid = contact_grid;
    self.speculative_distance = 0.5f * settings->margin + tolerance;
    output->spacing = abut_narrow_usable_spacing(pair, output->spacing);
    find_starts(&self, output->spacing, settings->budget);
    for (int i = 0; i < DOUBLINGS && contact_grid->full; ++i)
    {
        output->spacing *= 2.0f;
        find_starts(&self, output->spacing, settings->budget);
    }
    if (!self.any)
    {
        output->state = ABUT_COLLIDE_SEPARATED;
        output->gap = self.gap;
        return;
    }
    output->state = ABUT_COLLIDE_UNDECIDED;
    output->gap = 0.0f;
    if (capacity > 0)
    {
        follow_starts(&self, output->spacing);
        abut_narrow_refine_deepest(pair, contact_grid, output->spacing);
        output->contact_total = (uint32_t)contact_grid->count;
        output->contact_count = abut_narrow_write_contacts(pair, contact_grid, contacts, capacity);
    }
}
