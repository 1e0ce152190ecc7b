#include "narrow/contacts/contacts.h"

#include "contact/contact_list.h"
#include "narrow/contacts/deep_normals.h"
#include "narrow/contacts/project.h"
#include "narrow/contacts/refine_deepest.h"
#include "search/dual_octree.h"

#include <math.h>

enum
{
    PROJECTION_STEPS = 8,
    LEAST_BUDGET = 4096 // samples, which suffice for cubes of the size of the pair
};

/// Projects the points and keeps those that arrive.
static void add_projected(AbutPair* pair, AbutPairBatch* points, float reach, AbutCubes* cubes)
{
    abut_pair_project(pair, points, PROJECTION_STEPS, reach);
    for (size_t i = 0; i < points->count; ++i)
    {
        if (points->distance[0][i] <= reach && points->distance[1][i] <= reach)
        {
            abut_cubes_offer(cubes, points, i);
        }
    }
    points->count = 0;
}

/// What is on its way to become contacts.
typedef struct Collection
{
    AbutPair* pair;
    float reach, spacing;
    uint64_t limit;       // of samples
    AbutPairBatch points; // not projected yet
    AbutCubes* cubes;
} Collection;

/// With the budget spent, larger cubes have to do, as when there are too many.
static bool goes_on(const Collection* self, uint64_t evaluations)
{
    self->cubes->full = self->cubes->full || evaluations > self->limit;
    return !self->cubes->full;
}

static void add_point(Collection* self, const float at[3])
{
    AbutPairBatch* points = &self->points;
    for (int axis = 0; axis < 3; ++axis)
    {
        points->at[axis][points->count] = at[axis];
    }
    points->count += 1;
    if (points->count == ABUT_PAIR_BATCH)
    {
        add_projected(self->pair, points, self->reach, self->cubes);
    }
}

/// Boxes of an octree of at most the spacing.
static void collect_by_octree(Collection* self, AbutDescent* descent)
{
    AbutOctreeBox boxes[8];
    bool hit;
    descent->surface_only = true;
    for (uint32_t count; goes_on(self, self->pair->evaluations + descent->evaluations) &&
                         (count = abut_descent_next(descent, boxes, &hit)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            float middle[3];
            abut_descent_middle(descent, &boxes[i], middle);
            add_point(self, middle);
        }
    }
    self->pair->evaluations += descent->evaluations;
}

/// True when child `i` of the last step is inside of both solids altogether.
static bool is_deep(const AbutSearch* search, size_t i)
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

static void collect_by_samples(Collection* self, AbutSearch* search)
{
    bool open[ABUT_PAIR_BATCH];
    abut_search_init(search, self->pair, self->reach, 0.866f * self->spacing); // half of a cube's diagonal
    for (size_t count;
         goes_on(self, self->pair->evaluations) && (count = abut_search_step(search, open)) > 0;)
    {
        for (size_t i = 0; i < count; ++i)
        {
            if (open[i] && is_deep(search, i))
            {
                continue;
            }
            if (open[i] && search->children[i].level < search->last_level)
            {
                abut_search_push(search, &search->children[i]);
            }
            else if (open[i])
            {
                add_point(self, search->children[i].center);
            }
        }
    }
}

/// All cubes that the surface of what both have in common may pass through, and `reach` around it.
static void collect(AbutPair* pair, AbutSearch* search, float reach, float spacing, uint32_t budget,
                    AbutCubes* cubes)
{
    Collection self;
    AbutDescent descent;
    self.pair = pair;
    self.reach = reach;
    self.spacing = spacing;
    self.limit = abut_contact_limit(pair, budget);
    self.cubes = cubes;
    self.points.count = 0;
    abut_cubes_reset(cubes, spacing, pair->origin);
    if (abut_descent_init(&descent, pair, reach, spacing))
    {
        collect_by_octree(&self, &descent);
    }
    else
    {
        collect_by_samples(&self, search);
    }
    if (pair->has_witness)
    {
        add_point(&self, pair->witness); // what is smaller than a cube may be missed, and this is not
    }
    add_projected(pair, &self.points, reach, cubes);
}

uint64_t abut_contact_limit(const AbutPair* pair, uint32_t budget)
{
    return pair->evaluations + (budget > LEAST_BUDGET ? budget : LEAST_BUDGET);
}

float abut_pair_usable_spacing(const AbutPair* pair, float spacing)
{
    AbutVec3 extents = abut_box_extents(pair->box);
    float least = 1e-5f * (extents.x + extents.y + extents.z);
    return spacing > least ? spacing : least;
}

int abut_pair_write_contacts(const AbutPair* pair, const AbutCubes* cubes, AbutContact* contacts,
                             int capacity)
{
    uint16_t order[ABUT_CUBES_MOST];
    size_t count = abut_cubes_order(cubes, (size_t)capacity, order);
    for (size_t i = 0; i < count; ++i)
    {
        const AbutCube* cube = &cubes->items[order[i]];
        abut_contact_make(pair, &cube->touch, cube->id, &contacts[i]);
    }
    return (int)count;
}

int abut_pair_contacts(AbutPair* pair, AbutSearch* search, AbutCubes* cubes,
                       const AbutCollideSettings* settings, float tolerance, float* spacing,
                       AbutContact* contacts, int capacity, int* total)
{
    float reach = 0.5f * settings->margin + tolerance;
    *spacing = abut_pair_usable_spacing(pair, *spacing);
    collect(pair, search, reach, *spacing, settings->budget, cubes);
    for (int i = 0; i < 24 && cubes->full; ++i)
    {
        *spacing *= 2.0f;
        collect(pair, search, reach, *spacing, settings->budget, cubes);
    }
    abut_cubes_refine(pair, cubes, *spacing);
    *total = cubes->count;
    int count = abut_pair_write_contacts(pair, cubes, contacts, capacity);
    abut_contacts_mend_normals(pair, cubes, contacts, count);
    return count;
}
