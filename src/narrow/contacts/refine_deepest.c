#include "narrow/contacts/refine_deepest.h"

#include "search/field_pair.h"

#include <math.h>

enum
{
    MAX_ITERATIONS = 64,
    MAX_CELLS = ABUT_PAIR_BATCH / 2, // cells that are refined
    RETURNS = 2                      // steps back to the solid that a step has left
};

/// Slopes along the surface under this are level.
static const float LEVEL = 1e-3f;

/// Fractions of the spacing: displacements that count as 0, and distances that count as inside.
static const float MIN_DISPLACEMENT = 1e-3f, SLACK = 5e-4f;

/// Mode of descent. Along the surface is quick where that is round; straight down and back to the solid
/// follows edges.
typedef enum Mode
{
    ALONG,
    STRAIGHT,
    DONE
} Mode;

/// A candidate in descent.
typedef struct Slider
{
    AbutContactCandidate now;
    size_t grid_cell;
    // the solid that the point gets deeper into, while it stays in the other; −1: towards the least gap
    int deeper_in;
    Mode mode;
    float step;         // length for a slope of 1
    float progress;     // in this mode
    AbutVec3 direction; // uphill, from `now`
} Slider;

// -----------------------------------------------------------------------------------------------------------
// Cells to refine
// -----------------------------------------------------------------------------------------------------------

/// Of equal candidates the one with the lower id is deeper.
static bool is_deeper(const AbutContactGridCell* a, const AbutContactGridCell* b)
{
    return a->separation < b->separation || (a->separation == b->separation && a->id < b->id);
}

/// Difference of ids of a cell and a neighbour: −1, 0 or 1 along each axis.
#define BESIDE(x, y, z)                                                                                      \
    (uint64_t)((int64_t)(x) + (int64_t)(y) * (INT64_C(1) << ABUT_CONTACT_CELL_BITS) +                        \
               (int64_t)(z) * (INT64_C(1) << (2 * ABUT_CONTACT_CELL_BITS)))

static bool is_deeper_at(const AbutContactGrid* contact_grid, const AbutContactGridCell* self,
                         uint64_t beside)
{
    const AbutContactGridCell* other = abut_contact_grid_find(contact_grid, self->id + beside);
    return other != NULL && is_deeper(other, self);
}

/// True when the candidate of the next cell downhill is deeper, which rules out most cells.
static bool is_on_a_slope(const AbutContactGrid* contact_grid, const AbutContactGridCell* self)
{
    const AbutContactCandidate* candidate = &self->candidate;
    int deeper_in = candidate->distance[0] < candidate->distance[1] ? 0 : 1;
    const float *up = candidate->gradient[deeper_in], *normal = candidate->gradient[1 - deeper_in];
    float along = up[0] * normal[0] + up[1] * normal[1] + up[2] * normal[2];
    float direction[3], most = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        direction[axis] = along * normal[axis] - up[axis];
        most = fabsf(direction[axis]) > most ? fabsf(direction[axis]) : most;
    }
    const float least = 0.4f * most;
    const int step_x = (direction[0] > least) - (direction[0] < -least);
    const int step_y = (direction[1] > least) - (direction[1] < -least);
    const int step_z = (direction[2] > least) - (direction[2] < -least);
    return most > 0.0f && is_deeper_at(contact_grid, self, BESIDE(step_x, step_y, step_z));
}

/// True when no candidate of the neighbours is deeper.
static bool is_deepest_around(const AbutContactGrid* contact_grid, const AbutContactGridCell* self)
{
    if (is_on_a_slope(contact_grid, self))
    {
        return false;
    }
    // Across faces first: these end the search soonest.
    static const uint64_t beside[26] = {
        BESIDE(-1, 0, 0),  BESIDE(1, 0, 0),   BESIDE(0, -1, 0),  BESIDE(0, 1, 0),    BESIDE(0, 0, -1),
        BESIDE(0, 0, 1),   BESIDE(-1, -1, 0), BESIDE(1, -1, 0),  BESIDE(-1, 1, 0),   BESIDE(1, 1, 0),
        BESIDE(-1, 0, -1), BESIDE(1, 0, -1),  BESIDE(-1, 0, 1),  BESIDE(1, 0, 1),    BESIDE(0, -1, -1),
        BESIDE(0, 1, -1),  BESIDE(0, -1, 1),  BESIDE(0, 1, 1),   BESIDE(-1, -1, -1), BESIDE(1, -1, -1),
        BESIDE(-1, 1, -1), BESIDE(1, 1, -1),  BESIDE(-1, -1, 1), BESIDE(1, -1, 1),   BESIDE(-1, 1, 1),
        BESIDE(1, 1, 1),
    };
    for (int k = 0; k < 26; ++k)
    {
        if (is_deeper_at(contact_grid, self, beside[k]))
        {
            return false;
        }
    }
    return true;
}

/// The local maxima of depth, deepest first.
static size_t choose_cells(const AbutContactGrid* contact_grid, int chosen[MAX_CELLS])
{
    size_t count = 0;
    for (int i = 0; i < contact_grid->count; ++i)
    {
        const AbutContactGridCell* grid_cell = &contact_grid->items[i];
        bool full = count == MAX_CELLS;
        if ((full && !is_deeper(grid_cell, &contact_grid->items[chosen[MAX_CELLS - 1]])) ||
            !is_deepest_around(contact_grid, grid_cell))
        {
            continue;
        }
        size_t to = full ? MAX_CELLS - 1 : count++;
        for (; to > 0 && is_deeper(grid_cell, &contact_grid->items[chosen[to - 1]]); --to)
        {
            chosen[to] = chosen[to - 1];
        }
        chosen[to] = i;
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// Descent
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 vec_of(const float v[3])
{
    return abut_vec3(v[0], v[1], v[2]);
}

/// The value to minimise.
static float height(const Slider* self, const AbutContactCandidate* candidate)
{
    return self->deeper_in < 0 ? candidate->distance[0] + candidate->distance[1]
                               : candidate->distance[self->deeper_in];
}

/// Gradient of the height: along the surface of the solid to stay in, for points at it.
static AbutVec3 uphill(const Slider* self, const AbutContactCandidate* candidate, float skin)
{
    AbutVec3 a = vec_of(candidate->gradient[0]), b = vec_of(candidate->gradient[1]);
    if (self->deeper_in < 0)
    {
        return abut_vec3_add(a, b);
    }
    AbutVec3 up = self->deeper_in == 0 ? a : b, normal = self->deeper_in == 0 ? b : a;
    float squared = abut_vec3_dot(normal, normal);
    if (self->mode == STRAIGHT || candidate->distance[1 - self->deeper_in] < -skin || !(squared > 0.0f))
    {
        return up;
    }
    return abut_vec3_sub(up, abut_vec3_scale(normal, abut_vec3_dot(up, normal) / squared));
}

static void begin_mode(Slider* self, Mode mode, float step, float spacing)
{
    self->mode = mode;
    self->step = step;
    self->progress = 0.0f;
    self->direction = uphill(self, &self->now, 0.01f * spacing);
}

/// The mode makes no more progress: switches to the other one, as long as one of the two does.
static void give_up(Slider* self, float spacing)
{
    if (self->deeper_in < 0 ||
        (self->mode == STRAIGHT && self->progress <= 2.0f * MIN_DISPLACEMENT * spacing))
    {
        self->mode = DONE;
        return;
    }
    begin_mode(self, self->mode == ALONG ? STRAIGHT : ALONG, 0.25f * spacing, spacing);
}

/// Descent ends on level ground. Steps are no longer than the spacing: longer ones might lead to another
/// region, and leave this one without a contact.
static void prepare_step(Slider* self, float spacing)
{
    float slope = abut_vec3_length(self->direction);
    if (!(slope > LEVEL))
    {
        self->mode = DONE;
        return;
    }
    self->step = fminf(self->step, spacing / slope);
}

/// A step down to `next`: the length of the next one follows from the change of the slope (Barzilai and
/// Borwein), which ends where a round surface is level.
static void accept(Slider* self, const AbutContactCandidate* next, float moved, float spacing)
{
    AbutVec3 s = abut_vec3_sub(vec_of(next->at), vec_of(self->now.at)), before = self->direction;
    self->now = *next;
    self->progress += moved;
    self->direction = uphill(self, next, 0.01f * spacing);
    float curvature = abut_vec3_dot(s, abut_vec3_sub(self->direction, before));
    float step = curvature > 0.0f && self->mode == ALONG ? moved * moved / curvature : 2.0f * self->step;
    self->step = fminf(fmaxf(step, 0.2f * self->step), 8.0f * self->step);
}

/// A step up: a shorter one, by the parabola through both heights and the slope.
static void shorten(Slider* self, float rise, float spacing)
{
    float expected = self->step * abut_vec3_dot(self->direction, self->direction);
    float fraction = rise + expected > 0.0f ? 0.5f * expected / (rise + expected) : 0.5f;
    self->step *= fraction > 0.1f ? fminf(fraction, 0.5f) : 0.1f;
    if (self->step * abut_vec3_length(self->direction) < MIN_DISPLACEMENT * spacing)
    {
        give_up(self, spacing);
    }
}

/// A point between two solids must not get further from either: deep in one of them, a distance that is a
/// little too small would lead it ever further from the other.
static bool stays_in(const Slider* self, const AbutContactCandidate* next, float spacing)
{
    const float *now = self->now.distance, *then = next->distance;
    return self->deeper_in < 0 ? fmaxf(then[0], then[1]) <= fmaxf(now[0], now[1]) + SLACK * spacing
                               : then[1 - self->deeper_in] <= 2.0f * SLACK * spacing;
}

static void accept_or_shorten(Slider* self, const AbutContactCandidate* next, float spacing)
{
    bool stays = stays_in(self, next, spacing);
    float moved = abut_vec3_length(abut_vec3_sub(vec_of(next->at), vec_of(self->now.at)));
    float rise = height(self, next) - height(self, &self->now);
    if (stays && rise < 0.0f && moved <= spacing)
    {
        accept(self, next, moved, spacing);
    }
    else if (self->mode == STRAIGHT && stays && moved <= 2.0f * LEVEL * self->step)
    {
        give_up(self, spacing); // back at the start, as from any length
    }
    else
    {
        shorten(self, stays ? rise : INFINITY, spacing);
    }
}

// -----------------------------------------------------------------------------------------------------------
// All candidates
// -----------------------------------------------------------------------------------------------------------

typedef struct Refinement
{
    Slider sliders[ABUT_PAIR_BATCH];
    size_t count;
    AbutPair* pair;
    const AbutFieldPair* fields; // or NULL
    AbutPairBatch batch;
} Refinement;

/// Descends into either solid from each cell: the better one is not known before.
static void begin(Refinement* self, const AbutContactGrid* contact_grid, float spacing)
{
    int chosen[MAX_CELLS];
    size_t count = choose_cells(contact_grid, chosen);
    self->count = 0;
    for (size_t i = 0; i < 2 * count; ++i)
    {
        const AbutContactCandidate* candidate = &contact_grid->items[chosen[i / 2]].candidate;
        float a = candidate->distance[0], b = candidate->distance[1];
        bool separated = (a > 0.0f || b > 0.0f) && a + b > 0.0f;
        if (separated && i % 2 == 1)
        {
            continue; // the same descent as the first
        }
        Slider* slider = &self->sliders[self->count++];
        *slider = (Slider){ .now = *candidate,
                            .grid_cell = (size_t)chosen[i / 2],
                            .deeper_in = separated ? -1 : (int)(i % 2) };
        begin_mode(slider, ALONG, 0.5f * spacing, spacing);
    }
}

/// Stores a point that has arrived in its cell, when it is deeper.
static void finish(const Slider* self, AbutContactGrid* contact_grid)
{
    float separation = abut_contact_candidate_separation(&self->now);
    AbutContactGridCell* grid_cell = &contact_grid->items[self->grid_cell];
    if (separation < grid_cell->separation)
    {
        grid_cell->candidate =
            self->now; // in the cell of its start: deepest points move faster than the bodies
        grid_cell->separation = separation;
    }
}

/// Removes those that are done (or all).
static void drop_done(Refinement* self, AbutContactGrid* contact_grid, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->count; ++i)
    {
        if (all || self->sliders[i].mode == DONE)
        {
            finish(&self->sliders[i], contact_grid);
        }
        else
        {
            self->sliders[kept++] = self->sliders[i];
        }
    }
    self->count = kept;
}

/// Projects steps that have left the solid to stay in back to its surface.
static void bring_back(const Refinement* self, AbutContactCandidate* next, float slack)
{
    size_t which[ABUT_PAIR_BATCH];
    AbutPairBatch batch;
    batch.count = 0;
    for (size_t i = 0; i < self->count; ++i)
    {
        int stay = 1 - self->sliders[i].deeper_in;
        if (stay > 1 || !(next[i].distance[stay] > slack))
        {
            continue;
        }
        AbutVec3 g = vec_of(next[i].gradient[stay]);
        float squared = abut_vec3_dot(g, g), by = squared > 0.0f ? next[i].distance[stay] / squared : 0.0f;
        which[batch.count] = i;
        abut_pair_batch_set(&batch, batch.count++, abut_vec3_sub(vec_of(next[i].at), abut_vec3_scale(g, by)));
    }
    if (batch.count > 0)
    {
        abut_field_pair_sample(self->pair, self->fields, &batch);
    }
    for (size_t k = 0; k < batch.count; ++k)
    {
        next[which[k]] = abut_contact_candidate_at(&batch, k);
    }
}

static void iterate(Refinement* self, float spacing)
{
    AbutContactCandidate next[ABUT_PAIR_BATCH];
    self->batch.count = self->count;
    for (size_t i = 0; i < self->count; ++i)
    {
        Slider* slider = &self->sliders[i];
        abut_pair_batch_set(
            &self->batch, i,
            abut_vec3_sub(vec_of(slider->now.at), abut_vec3_scale(slider->direction, slider->step)));
    }
    abut_field_pair_sample(self->pair, self->fields, &self->batch);
    for (size_t i = 0; i < self->count; ++i)
    {
        next[i] = abut_contact_candidate_at(&self->batch, i);
    }
    for (int i = 0; i < RETURNS; ++i)
    {
        bring_back(self, next, SLACK * spacing);
    }
    for (size_t i = 0; i < self->count; ++i)
    {
        accept_or_shorten(&self->sliders[i], &next[i], spacing);
    }
}

/// Candidates may be the tolerance away from the solid to stay in.
static void store_result(Refinement* self, float spacing)
{
    AbutContactCandidate now[ABUT_PAIR_BATCH];
    for (size_t i = 0; i < self->count; ++i)
    {
        now[i] = self->sliders[i].now;
    }
    for (int i = 0; i < RETURNS; ++i)
    {
        bring_back(self, now, SLACK * spacing);
    }
    for (size_t i = 0; i < self->count; ++i)
    {
        // Where a gradient is nearly 0, the step back is 0.
        AbutVec3 direction = abut_vec3_sub(vec_of(now[i].at), vec_of(self->sliders[i].now.at));
        self->sliders[i].now = abut_vec3_length(direction) <= spacing ? now[i] : self->sliders[i].now;
        begin_mode(&self->sliders[i], ALONG, 0.5f * spacing, spacing);
    }
}

void abut_narrow_refine_deepest(AbutPair* pair, AbutContactGrid* contact_grid, float spacing)
{
    AbutFieldPair fields;
    Refinement self;
    self.pair = pair;
    self.fields = abut_field_pair_init(&fields, pair) ? &fields : NULL;
    begin(&self, contact_grid, spacing);
    store_result(&self, spacing);
    for (int iteration = 0; iteration < MAX_ITERATIONS && self.count > 0; ++iteration)
    {
        for (size_t i = 0; i < self.count; ++i)
        {
            prepare_step(&self.sliders[i], spacing);
        }
        drop_done(&self, contact_grid, false);
        if (self.count > 0)
        {
            iterate(&self, spacing);
        }
    }
    drop_done(&self, contact_grid, true);
}
