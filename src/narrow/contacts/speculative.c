// Contacts without a decision. Boxes that may hold a contact are found as ever: by the octrees of two fields, then by one sample in the middle of
// each. That sample also tells where between the surfaces a contact would be. Of all that would be in the same small cube only the
// closest goes on, so that a handful of points are projected instead of hundreds.
#include "narrow/contacts/speculative.h"

#include "narrow/contacts/contacts.h"
#include "narrow/contacts/project.h"
#include "narrow/contacts/refine_deepest.h"
#include "search/dual_octree.h"

#include <math.h>

enum
{
    FIRST_STEPS = 2, // of a projection, after which it is seen whether more are worth it
    MORE_STEPS = 6,
    MANY_BOXES = 512, // of an octree, to look at before the next ones
    FIRST_CUBES = 27,
    DOUBLINGS = 24
};

/// Cubes that keep one start each, as a part of the spacing: two regions of touch are rarely that close.
static const float START_SPACING = 0.5f;

/// Points at which surfaces are further apart than this, in reaches (of which a contact has two), do not come to one.
static const float TOO_FAR = 2.1f;

/// Boxes of an octree that are not divided, as a part of the spacing.
static const float BOX_SPACING = 1.5f;

typedef struct Seek
{
    AbutPair* pair;
    AbutSearch* search;
    AbutCubes* cubes;
    AbutPairBatch starts; // where contacts would be, and about what samples would say there
    float reach;
    float gap;      // of solids that are proved to be apart
    bool any;       // a box was open: they may be nearer than the margin
    uint64_t limit; // of samples
} Seek;

/// The place half way between the surfaces, as seen from sample `i`, and no further away than `most`.
static void add_start(Seek* self, const AbutPairBatch* batch, size_t i, float most)
{
    AbutPairBatch* starts = &self->starts;
    size_t to = starts->count++;
    float a = batch->distance[0][i], b = batch->distance[1][i], way[3], squared = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        way[axis] = -0.5f * (a * batch->gradient[0][axis][i] + b * batch->gradient[1][axis][i]);
        squared += way[axis] * way[axis];
    }
    float part = squared > most * most ? most / sqrtf(squared) : 1.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        starts->at[axis][to] = batch->at[axis][i] + part * way[axis];
        starts->gradient[0][axis][to] = starts->gradient[1][axis][to] = 0.0f;
    }
    starts->distance[0][to] = starts->distance[1][to] = 0.5f * (a + b);
    abut_cubes_offer(self->cubes, starts, to);
    starts->count = 0;
}

static bool is_deep(const AbutSearch* search, size_t i, float radius)
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

/// With the budget spent nothing is proved, and larger cubes have to do, as when there are too many.
static bool goes_on(Seek* self, uint64_t evaluations)
{
    if (evaluations > self->limit)
    {
        self->any = true;
        self->cubes->full = true;
    }
    return !self->cubes->full;
}

/// Looks at all boxes on the stack, and divides those that are not of the last level.
static void look_at_boxes(Seek* self)
{
    AbutSearch* search = self->search;
    bool open[ABUT_PAIR_BATCH];
    for (size_t count;
         goes_on(self, self->pair->evaluations) && (count = abut_search_step(search, open)) > 0;)
    {
        for (size_t i = 0; i < count; ++i)
        {
            if (!open[i])
            {
                continue;
            }
            float radius = ldexpf(search->radius, -(int)search->children[i].level);
            self->any = true;
            if (is_deep(search, i, radius))
            {
                continue;
            }
            if (search->children[i].level < search->last_level)
            {
                abut_search_push(search, &search->children[i]);
            }
            else
            {
                add_start(self, &search->batch, i, 2.0f * radius);
            }
        }
    }
}

/// Boxes that octrees leave open go to the search, which looks at each once.
static void seek_by_octree(Seek* self, AbutDescent* descent)
{
    AbutSearch* search = self->search;
    AbutOctreeBox boxes[8];
    bool hit;
    descent->surface_only = true;
    float cell = (float)descent->cell_size;
    abut_search_init_empty(search, self->pair, 4.0f * cell, descent->clear * cell, INFINITY);
    search->last_level = 3 - descent->last_level;
    search->gradients = true;
    for (uint32_t count; goes_on(self, self->pair->evaluations + descent->evaluations) &&
                         (count = abut_descent_next(descent, boxes, &hit)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            AbutSearchBox box = { .level = 3 - boxes[i].level, .low = -INFINITY, .fresh = true };
            abut_descent_middle(descent, &boxes[i], box.center);
            abut_search_push(search, &box);
        }
        if (search->stack_count >= MANY_BOXES)
        {
            look_at_boxes(self);
        }
    }
    look_at_boxes(self);
    self->pair->evaluations += descent->evaluations;
    self->gap = abut_descent_gap(descent, search->least);
}

/// Cubes of the spacing, or so many times as large as it takes to cover the pair's box with few of them.
static void push_cubes(Seek* self, float spacing)
{
    AbutVec3 extents = abut_box_extents(self->pair->box);
    const float sides[3] = { extents.x, extents.y, extents.z };
    const float low[3] = { self->pair->box.min.x, self->pair->box.min.y, self->pair->box.min.z };
    uint32_t counts[3], level = 0;
    float side = spacing;
    for (uint32_t total = FIRST_CUBES + 1; total > FIRST_CUBES; side *= total > FIRST_CUBES ? 2.0f : 1.0f)
    {
        total = 1;
        for (int axis = 0; axis < 3; ++axis)
        {
            float count = fminf(ceilf(sides[axis] / side), FIRST_CUBES + 1);
            counts[axis] = count >= 1.0f ? (uint32_t)count : 1u;
            total *= counts[axis];
        }
        level += total > FIRST_CUBES ? 1u : 0u;
    }
    abut_search_init_empty(self->search, self->pair, 0.5f * side, self->reach, INFINITY);
    self->search->least = self->pair->apart; // of what is outside of the box
    self->search->last_level = level;
    self->search->gradients = true;
    for (uint32_t i = 0; i < counts[0] * counts[1] * counts[2]; ++i)
    {
        const uint32_t place[3] = { i % counts[0], i / counts[0] % counts[1], i / counts[0] / counts[1] };
        AbutSearchBox box = { .level = 0, .low = -INFINITY, .fresh = true };
        for (int axis = 0; axis < 3; ++axis)
        {
            // About the middle of the pair's box.
            box.center[axis] = low[axis] + 0.5f * sides[axis] +
                               side * ((float)place[axis] - 0.5f * (float)(counts[axis] - 1));
        }
        abut_search_push(self->search, &box);
    }
}

/// A start in each cube of half the spacing that may hold a contact.
static void find_starts(Seek* self, float spacing, uint32_t budget)
{
    AbutDescent descent;
    self->any = false;
    self->limit = abut_contact_limit(self->pair, budget);
    self->starts.count = 0;
    abut_cubes_reset(self->cubes, START_SPACING * spacing, self->pair->origin);
    if (abut_descent_init_between(&descent, self->pair, self->reach, BOX_SPACING * spacing))
    {
        seek_by_octree(self, &descent);
        return;
    }
    push_cubes(self, spacing);
    look_at_boxes(self);
    self->gap = 2.0f * self->search->least;
}

/// Offers those of the points that have arrived. The others stay, unless surfaces are too far apart where they are.
static void sort_out(Seek* self, AbutCubes* cubes, AbutPairBatch* points)
{
    size_t kept = 0;
    for (size_t i = 0; i < points->count; ++i)
    {
        float a = points->distance[0][i], b = points->distance[1][i];
        if (a <= self->reach && b <= self->reach)
        {
            abut_cubes_offer(cubes, points, i);
        }
        else if (a + b <= TOO_FAR * self->reach)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                points->at[axis][kept] = points->at[axis][i];
            }
            ++kept;
        }
    }
    points->count = kept;
}

/// Projects the points and offers those that arrive.
static void project(Seek* self, AbutCubes* cubes, AbutPairBatch* points)
{
    abut_pair_project(self->pair, points, FIRST_STEPS, self->reach);
    sort_out(self, cubes, points);
    if (points->count > 0)
    {
        abut_pair_project(self->pair, points, MORE_STEPS, self->reach);
        sort_out(self, cubes, points);
    }
    points->count = 0;
}

/// Starts become touches, in cubes of the spacing.
static void follow_starts(Seek* self, float spacing)
{
    float at[3][ABUT_CUBES_MOST];
    size_t count = (size_t)self->cubes->count;
    for (size_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            at[axis][i] = self->cubes->items[i].touch.at[axis];
        }
    }
    abut_cubes_reset(self->cubes, spacing, self->pair->origin);
    AbutPairBatch* points = &self->starts;
    points->count = 0;
    for (size_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            points->at[axis][points->count] = at[axis][i];
        }
        points->count += 1;
        if (points->count == ABUT_PAIR_BATCH)
        {
            project(self, self->cubes, points);
        }
    }
    project(self, self->cubes, points);
}

void abut_pair_seek(AbutPair* pair, AbutSearch* search, AbutCubes* cubes, const AbutCollideSettings* settings,
                    float tolerance, AbutContact* contacts, int capacity, AbutCollideOutput* output)
{
    Seek self;
    self.pair = pair;
    self.search = search;
    self.cubes = cubes;
    self.reach = 0.5f * settings->margin + tolerance;
    output->spacing = abut_pair_usable_spacing(pair, output->spacing);
    find_starts(&self, output->spacing, settings->budget);
    for (int i = 0; i < DOUBLINGS && cubes->full; ++i)
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
        abut_cubes_refine(pair, cubes, output->spacing);
        output->contact_total = cubes->count;
        output->contact_count = abut_pair_write_contacts(pair, cubes, contacts, capacity);
    }
}
