#include "narrow/contacts/contacts.h"

#include "contact/contact_list.h"
#include "narrow/contacts/deep_normals.h"
#include "narrow/contacts/project.h"
#include "narrow/contacts/refine_deepest.h"
#include <math.h>

enum
{
    MIN_BUDGET = 4096 // samples, enough for cells of the size of the pair
};

/// Points that are projected together.
typedef struct Points
{
    AbutPairBatch batch;
    const AbutRecordedSample* recorded[ABUT_PAIR_BATCH]; // where a device has projected them, or NULL
} Points;

/// Writes the projections of a device to the batch; false where one is missing.
static bool take_recorded(AbutPair* pair, Points* self)
{
    AbutPairBatch* batch = &self->batch;
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (self->recorded[i] == NULL)
        {
            return false;
        }
    }
    for (size_t i = 0; i < batch->count; ++i)
    {
        const AbutRecordedSample* sample = self->recorded[i];
        pair->evaluations += sample->samples;
        for (int axis = 0; axis < 3; ++axis)
        {
            batch->at[axis][i] = sample->at[axis];
            batch->gradient[0][axis][i] = sample->gradient[0][axis];
            batch->gradient[1][axis][i] = sample->gradient[1][axis];
        }
        batch->distance[0][i] = sample->distance[0];
        batch->distance[1][i] = sample->distance[1];
    }
    return true;
}

/// Projects the points and keeps those that arrive.
static void add_projected(AbutPair* pair, Points* all, float speculative_distance,
                          AbutContactGrid* contact_grid)
{
    AbutPairBatch* points = &all->batch;
    if (!take_recorded(pair, all))
    {
        abut_narrow_project(pair, points, ABUT_CONTACT_PROJECTION_STEPS, speculative_distance);
    }
    for (size_t i = 0; i < points->count; ++i)
    {
        if (points->distance[0][i] <= speculative_distance && points->distance[1][i] <= speculative_distance)
        {
            abut_contact_grid_offer(contact_grid, points, i);
        }
    }
    points->count = 0;
}

/// State of a search for contacts.
typedef struct Collection
{
    AbutPair* pair;
    float speculative_distance, spacing;
    uint64_t limit; // of samples
    Points points;  // not projected yet
    AbutContactGrid* contact_grid;
} Collection;

/// With the budget spent, the cells become larger, as with too many contacts.
static bool is_within_budget(const Collection* self, uint64_t evaluations)
{
    self->contact_grid->full = self->contact_grid->full || evaluations > self->limit;
    return !self->contact_grid->full;
}

static void add_point(Collection* self, const float at[3], const AbutRecordedSample* recorded)
{
    AbutPairBatch* points = &self->points.batch;
    self->points.recorded[points->count] = recorded;
    abut_pair_batch_set(points, points->count++, abut_vec3(at[0], at[1], at[2]));
    if (points->count == ABUT_PAIR_BATCH)
    {
        add_projected(self->pair, &self->points, self->speculative_distance, self->contact_grid);
    }
}

/// The projection of box `i` by a device, or NULL.
static const AbutRecordedSample* recorded_of(const Collection* self, const AbutDualOctree* dual_octree,
                                             uint32_t i)
{
    const AbutRecordedOctree* recorded = dual_octree->recorded;
    bool same = recorded != NULL && recorded->steps == ABUT_CONTACT_PROJECTION_STEPS &&
                recorded->target == self->speculative_distance;
    return same ? dual_octree->samples[i] : NULL;
}

/// Boxes of an octree of at most the spacing.
static void collect_by_octree(Collection* self, AbutDualOctree* dual_octree)
{
    AbutOctreeBox boxes[8];
    bool hit;
    dual_octree->surface_only = true;
    for (uint32_t count; is_within_budget(self, self->pair->evaluations + dual_octree->evaluations) &&
                         (count = abut_dual_octree_next(dual_octree, boxes, &hit)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            float middle[3];
            abut_dual_octree_middle(dual_octree, &boxes[i], middle);
            add_point(self, middle, recorded_of(self, dual_octree, i));
        }
    }
    self->pair->evaluations += dual_octree->evaluations;
}

/// True when child `i` of the last step is inside of both solids altogether.
static bool is_inside_both(const AbutBoxSearch* search, size_t i)
{
    float radius = ldexpf(search->radius, -(int)search->children[i].level);
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

static void collect_by_samples(Collection* self, AbutBoxSearch* search)
{
    bool open[ABUT_PAIR_BATCH];
    abut_box_search_init(search, self->pair, self->speculative_distance,
                         0.866f * self->spacing); // half-diagonal of a cell
    for (size_t count;
         is_within_budget(self, self->pair->evaluations) && (count = abut_box_search_step(search, open)) > 0;)
    {
        for (size_t i = 0; i < count; ++i)
        {
            if (open[i] && is_inside_both(search, i))
            {
                continue;
            }
            if (open[i] && search->children[i].level < search->last_level)
            {
                abut_box_search_push(search, &search->children[i]);
            }
            else if (open[i])
            {
                add_point(self, search->children[i].center, NULL);
            }
        }
    }
}

bool abut_narrow_contact_octree(const AbutPair* pair, float speculative_distance, float spacing,
                                AbutDualOctree* out)
{
    return abut_dual_octree_init(out, pair, speculative_distance, spacing);
}

/// All cells that the surface of the intersection may pass through, and `speculative_distance` around it.
static void collect(AbutPair* pair, AbutBoxSearch* search, float speculative_distance, float spacing,
                    uint32_t budget, AbutContactGrid* contact_grid)
{
    Collection self;
    AbutDualOctree dual_octree;
    self.pair = pair;
    self.speculative_distance = speculative_distance;
    self.spacing = spacing;
    self.limit = abut_narrow_contact_budget(pair, budget);
    self.contact_grid = contact_grid;
    self.points.batch.count = 0;
    abut_contact_grid_reset(contact_grid, spacing, pair->origin);
    if (abut_narrow_contact_octree(pair, speculative_distance, spacing, &dual_octree))
    {
        collect_by_octree(&self, &dual_octree);
    }
    else
    {
        collect_by_samples(&self, search);
    }
    if (pair->has_witness)
    {
        // an intersection smaller than a cell may be missed; this point is not
        add_point(&self, pair->witness, NULL);
    }
    add_projected(pair, &self.points, speculative_distance, contact_grid);
}

uint64_t abut_narrow_contact_budget(const AbutPair* pair, uint32_t budget)
{
    return pair->evaluations + (budget > MIN_BUDGET ? budget : MIN_BUDGET);
}

float abut_narrow_usable_spacing(const AbutPair* pair, float spacing)
{
    AbutVec3 extents = abut_box_extents(pair->box);
    float least = 1e-5f * (extents.x + extents.y + extents.z);
    return spacing > least ? spacing : least;
}

uint32_t abut_narrow_write_contacts(const AbutPair* pair, const AbutContactGrid* contact_grid,
                                    AbutContact* contacts, uint32_t capacity)
{
    uint16_t order[ABUT_CONTACT_GRID_CAPACITY];
    size_t count = abut_contact_grid_order(contact_grid, capacity, order);
    for (size_t i = 0; i < count; ++i)
    {
        const AbutContactGridCell* grid_cell = &contact_grid->items[order[i]];
        abut_contact_make(pair, &grid_cell->candidate, grid_cell->id, &contacts[i]);
    }
    return (uint32_t)count;
}

uint32_t abut_narrow_contacts(AbutPair* pair, AbutBoxSearch* search, AbutContactGrid* contact_grid,
                              const AbutCollideSettings* settings, float tolerance, float* spacing,
                              AbutContact* contacts, uint32_t capacity, uint32_t* total)
{
    float speculative_distance = 0.5f * settings->margin + tolerance;
    *spacing = abut_narrow_usable_spacing(pair, *spacing);
    collect(pair, search, speculative_distance, *spacing, settings->budget, contact_grid);
    for (int i = 0; i < 24 && contact_grid->full; ++i)
    {
        *spacing *= 2.0f;
        collect(pair, search, speculative_distance, *spacing, settings->budget, contact_grid);
    }
    abut_narrow_refine_deepest(pair, contact_grid, *spacing);
    *total = (uint32_t)contact_grid->count;
    uint32_t count = abut_narrow_write_contacts(pair, contact_grid, contacts, capacity);
    abut_narrow_correct_normals(pair, contact_grid, contacts, count);
    return count;
}
