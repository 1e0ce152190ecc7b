#include "toi/solids/octree_search.h"

#include "field/field.h"
#include "toi/solids/containment.h"

#include <string.h>

enum
{
    CELL_LEVEL = 0,     // cubes of a cell are divided further only when nothing is gained without
    FINE_MOST = 1 << 15 // evaluations of a stride that smaller ones may take
};

/// Strides of small cubes are at most so many times the shortest one long at first, and so many times the last one.
static const double FINE_FIRST = 8.0, FINE_GROWTH = 4.0;

/// The part of a stride that may be lost for having it sooner.
static const double HASTE = 0.25;

/// Of a cell: nodes and plates tell distances hardly better than this.
static const double PRECISION = 0.05;

// ---------------------------------------------------------------------------------------------------------------------
// Start
// ---------------------------------------------------------------------------------------------------------------------

bool abut_impact_field_applies(const AbutImpact* impact)
{
    return impact->pair.sides[0].is_field && abut_gap_applies(&impact->pair);
}

static void init(AbutFieldSearch* self, AbutImpact* impact)
{
    const AbutPairSide* side = &impact->pair.sides[0];
    AbutBox box = impact->pair.sides[1].shape->info.bounds;
    const float sides[6] = { box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z };
    self->impact = impact;
    abut_gap_side_init(&self->side, side);
    self->side.unit = 1.0f;
    self->cell = impact->unit * (double)side->cell_size;
    self->fine_stride = 0.0;
    const AbutFieldHeader *h = self->side.shell.block, *other = NULL;
    if (impact->pair.sides[1].is_field)
    {
        other = abut_field_of(impact->pair.sides[1].shape)->block;
        self->standing = abut_field_far_nodes(abut_field_of(impact->pair.sides[1].shape)->block);
    }
    for (int i = 0; i < 6; ++i)
    {
        self->solid[i / 3][i % 3] = (float)(((double)h->solid[i] - h->origin[i % 3]) / h->cell_size);
        self->far_solid[i] =
            other != NULL ? (double)other->solid[i] : (double)sides[i] - impact->origin[i % 3];
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Strides
// ---------------------------------------------------------------------------------------------------------------------

/// A cube is done with. What it is apart by falls no faster than to 0 at the end of what it is free for, at an even pace: the bound that
/// tells so is concave in time.
static void drop(AbutFieldSearch* self, const AbutImpactCube* cube)
{
    double left = cube->free < INFINITY ? cube->apart * (1.0 - self->limit / cube->free) : cube->apart;
    self->least = fmin(self->least, cube->free);
    self->left = fmin(self->left, fmax(0.0, left));
}

/// Nothing after this cube matters, and little before it.
static void take_limit(AbutFieldSearch* self, const AbutImpactCube* cube)
{
    drop(self, cube);
    self->last = *cube;
    self->limit = fmax(0.0, fmin(self->limit, cube->free - fmax(self->slack, HASTE * cube->free)));
}

/// True when nothing is in a cube: it is beyond its plate.
static bool is_beyond(const AbutImpactCube* cube)
{
    const float* plate = cube->plate;
    float half = 0.5f * abut_shell_size(cube->box.level);
    return plate[3] + half * (fabsf(plate[0]) + fabsf(plate[1]) + fabsf(plate[2])) < 0.0f;
}

static void list_parts(const AbutFieldSearch* self, const AbutImpactCube* cube, AbutImpactCubes* parts)
{
    const int* limits = self->side.limits[cube->box.level - 1 - ABUT_GAP_FINEST];
    int16_t made[8];
    AbutShellParts kept = abut_shell_parts(&self->side.shell, &cube->box, made);
    AbutGapParts how = { .plates = kept.plates,
                         .plate_unit = abut_shell_radius(cube->box.level - 1) * (1.0f / 127.0f),
                         .step = 0.25f * abut_shell_size(cube->box.level) };
    parts->seen.count = 0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        AbutImpactCube* part = &parts->cube[parts->seen.count];
        *part = *cube;
        part->box = abut_shell_part(&cube->box, corner);
        abut_gap_take_plate(&how, corner, 1.0f, part->plate);
        bool holds = kept.numbers[corner] >= limits[0] && kept.numbers[corner] <= limits[1];
        parts->seen.count += holds && !is_beyond(part) ? 1 : 0;
    }
}

/// Puts parts that are not done with on the stack, the one that is free for the shortest time on top.
static void push_parts(AbutFieldSearch* self, const AbutImpactCubes* parts)
{
    uint32_t first = self->count;
    int32_t finest = self->fine_stride > 0.0 && self->fine < FINE_MOST ? ABUT_GAP_FINEST : CELL_LEVEL;
    for (size_t i = 0; i < parts->seen.count; ++i)
    {
        const AbutImpactCube* part = &parts->cube[i];
        if (part->free >= self->limit)
        {
            drop(self, part);
        }
        else if (parts->good[i] || part->box.level <= finest)
        {
            take_limit(self, part);
        }
        else
        {
            uint32_t to = self->count++;
            for (; to > first && self->stack[to - 1].free < part->free; --to)
            {
                self->stack[to] = self->stack[to - 1];
            }
            self->stack[to] = *part;
        }
    }
}

/// Looks at everything at a time, for a stride of no more than `most`. False when the budget was spent; else self->least is for how long all is free.
static bool make_stride(AbutFieldSearch* self, double time, double most)
{
    AbutImpact* impact = self->impact;
    self->moment = abut_relative_motion_at(&impact->motion, time);
    self->bounds = abut_relative_motion_bounds(&impact->motion, time, 1.0);
    self->limit = most;
    self->least = self->left = INFINITY;
    self->fine = 0;
    self->stack[0] = (AbutImpactCube){ .box = { .level = self->side.shell.top } };
    self->count = 1;
    while (self->count > 0)
    {
        AbutImpactCube cube = self->stack[--self->count];
        if (cube.free >= self->limit)
        {
            drop(self, &cube);
            continue;
        }
        if (impact->evaluations > impact->budget)
        {
            return false;
        }
        AbutImpactCubes parts;
        list_parts(self, &cube, &parts);
        if (parts.seen.count > 0)
        {
            abut_impact_bound_cubes(self, &parts);
            self->fine += parts.cube[0].box.level < CELL_LEVEL ? parts.seen.count : 0;
            push_parts(self, &parts);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------------------------

static void meet(AbutFieldSearch* self, double time)
{
    const AbutFieldHeader* h = self->side.shell.block;
    float middle[3];
    abut_shell_middle(&self->last.box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = (float)(h->origin[axis] + h->cell_size * (double)middle[axis]);
    }
    abut_impact_meet(self->impact, time, middle);
}

/// Solids that overlap at the start although their surfaces are apart.
static bool is_inside(AbutImpact* impact, float point[3])
{
    AbutFrame frame = abut_relative_motion_frame(&impact->motion, 0.0);
    AbutFrame standing = abut_frame_identity();
    for (int axis = 0; axis < 3; ++axis)
    {
        standing.translation[axis] = -impact->origin[axis];
    }
    AbutBox moving_box = abut_frame_box(&frame, impact->pair.sides[0].shape->info.bounds);
    AbutBox standing_box = abut_frame_box(&standing, impact->pair.sides[1].shape->info.bounds);
    return abut_box_overlap(moving_box, standing_box) && abut_impact_inside(impact, point);
}

/// The shortest stride that is worth it.
static double shortest_stride(const AbutFieldSearch* self, double time)
{
    const AbutImpact* impact = self->impact;
    AbutMotionBounds bounds = abut_relative_motion_bounds(&impact->motion, time, 1.0);
    double speed = bounds.carried + bounds.turning * impact->reach;
    double way = fmax(impact->stop, PRECISION * (self->cell + (double)impact->pair.sides[1].cell_size));
    return speed > 0.0 ? way / speed : 1.0;
}

/// Goes on from a time for as long as can be told; false when the budget was spent. With self->least under `shortest` nothing is gained any more.
static bool go_on(AbutFieldSearch* self, double time, double shortest)
{
    double rest = 1.0 - time;
    self->slack = 0.5 * shortest;
    if (self->fine_stride == 0.0)
    {
        if (!make_stride(self, time, rest))
        {
            return false;
        }
        if (self->least >= shortest)
        {
            return true;
        }
        self->fine_stride = FINE_FIRST * shortest;
    }
    bool done = make_stride(self, time, fmin(rest, self->fine_stride));
    self->fine_stride =
        self->least < FINE_GROWTH * shortest ? FINE_FIRST * shortest : FINE_GROWTH * self->least;
    return done;
}

bool abut_impact_field_search(AbutImpact* impact, double* until)
{
    AbutFieldSearch self;
    init(&self, impact);
    impact->met = impact->touched = false;
    impact->gap = INFINITY;
    for (double time = 0.0; time < 1.0; time += self.least)
    {
        float point[3];
        double shortest = shortest_stride(&self, time);
        if (!go_on(&self, time, shortest))
        {
            *until = time;
            return false;
        }
        if (self.least < shortest && time + self.least < 1.0)
        {
            *until = time + self.least;
            meet(&self, *until);
            return true;
        }
        if (time == 0.0 && is_inside(impact, point))
        {
            *until = 0.0;
            abut_impact_meet(impact, 0.0, point);
            return true;
        }
        // What has set the length of a stride may have come as near as can be at its end.
        impact->gap = time == 0.0 && self.least >= 1.0 ? self.left : 0.0;
    }
    return true;
}
