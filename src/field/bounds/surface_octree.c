#include "field/bounds/surface_octree.h"

#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <stdlib.h>

enum
{
    LARGEST = 32767
};

AbutShell abut_shell_make(void* block, const AbutCenters* centers, const AbutPlates* plates)
{
    const AbutFieldHeader* h = block;
    AbutShell self = { .block = block,
                       .centers = centers->leaves != NULL ? centers : NULL,
                       .top = ABUT_SHELL_BRICK + 1,
                       .plates = plates->leaves != NULL ? plates : NULL,
                       .in_doubt = isinf(abut_field_root_bounds(block).error),
                       .inside_counts = abut_field_inside_counts(block),
                       .step = centers->leaves != NULL ? centers->step : 1.0f };
    for (int axis = 0; axis < 3; ++axis)
    {
        while (h->brick_count[axis] > 1u << (self.top - ABUT_SHELL_BRICK))
        {
            self.top += 1;
        }
    }
    return self;
}

void abut_shell_limits(const AbutShell* self, int32_t level, int limits[2])
{
    float most = ceilf(abut_shell_radius(level) / self->step);
    limits[1] = most < (float)LARGEST ? (int)most : LARGEST - 1; // what is beyond the grid has the largest
    limits[0] = self->inside_counts ? -LARGEST - 1 : -limits[1];
}

// ---------------------------------------------------------------------------------------------------------------------
// With an octree
// ---------------------------------------------------------------------------------------------------------------------

static void fill8(int16_t made[8], int number)
{
    for (int i = 0; i < 8; ++i)
    {
        made[i] = (int16_t)number;
    }
}

static void brick_of(const AbutShellBox* box, uint32_t brick[3])
{
    int32_t down = ABUT_SHELL_BRICK - box->level; // 0: a brick, 1: an eighth of one
    for (int axis = 0; axis < 3; ++axis)
    {
        brick[axis] = box->place[axis] >> down;
    }
}

static AbutShellParts kept_parts(const AbutShell* self, const AbutShellBox* box, int16_t made[8])
{
    const AbutCenters* c = self->centers;
    const uint32_t* at = box->place;
    if (box->level > ABUT_SHELL_BRICK)
    {
        int32_t level = box->level - ABUT_SHELL_BRICK - 1;
        const uint32_t* groups = c->group_count[level];
        size_t group = ((size_t)at[2] * groups[1] + at[1]) * groups[0] + at[0];
        return (AbutShellParts){ c->levels[level] + 8 * group,
                                 self->plates->levels[level] + ABUT_PLATE_GROUP * group };
    }
    uint32_t brick[3];
    brick_of(box, brick);
    uint32_t number = (brick[2] * c->brick_count[1] + brick[1]) * c->brick_count[0] + brick[0];
    uint32_t leaf = c->slots != NULL ? c->slots[number] : number;
    if (leaf != ABUT_FIELD_NO_SLOT)
    {
        const int16_t* numbers = c->leaves + (size_t)leaf * ABUT_CENTER_LEAF;
        uint32_t part = (at[2] & 1u) * 4 + (at[1] & 1u) * 2 + (at[0] & 1u);
        return box->level == ABUT_SHELL_BRICK
                   ? (AbutShellParts){ numbers, self->plates->leaves + (size_t)leaf * ABUT_PLATE_GROUP }
                   : (AbutShellParts){ numbers + 8 + 8 * part, NULL };
    }
    // From the middle of the brick to those of parts: √3 · 2 and at most √3 · 3 cells.
    float way = box->level == ABUT_SHELL_BRICK ? 3.4641018f : 5.1961527f;
    int of_brick = c->levels[0][abut_center_of_brick(c, brick[0], brick[1], brick[2])];
    int less = (int)ceilf(way / c->step), size = abs(of_brick) > less ? abs(of_brick) - less : 0;
    fill8(made, of_brick > 0 ? size : -size);
    return (AbutShellParts){ made, NULL };
}

// ---------------------------------------------------------------------------------------------------------------------
// Without
// ---------------------------------------------------------------------------------------------------------------------

/// 0 where the surface may pass, else the largest number.
static int16_t number_of_bounds(const AbutShell* self, AbutFieldBounds bounds)
{
    bool apart = bounds.low > 0.0f || (bounds.high < 0.0f && !self->inside_counts);
    return isfinite(bounds.error) && apart ? LARGEST : 0;
}

static int16_t number_of_box(const AbutShell* self, const uint32_t place[3], int32_t level)
{
    const AbutFieldHeader* h = self->block;
    uint32_t count[3];
    const AbutPackedBounds* entries =
        abut_field_level(self->block, (uint32_t)(level - ABUT_SHELL_BRICK), count);
    if (place[0] >= count[0] || place[1] >= count[1] || place[2] >= count[2])
    {
        return LARGEST;
    }
    uint32_t number = (place[2] * count[1] + place[1]) * count[0] + place[0];
    if (level > ABUT_SHELL_BRICK)
    {
        return number_of_bounds(self, abut_field_unpack_bounds(entries[number], h->cell_size));
    }
    AbutFieldBounds bounds = abut_field_brick_bounds(self->block, number);
    int side =
        abut_field_coarse_side(self->block, number); // the surface passes through bricks with nodes alone
    bool apart = isfinite(bounds.error) && (side > 0 || (side < 0 && !self->inside_counts));
    return apart ? LARGEST : number_of_bounds(self, bounds);
}

/// From the node in the middle of a box of two or four cells.
static int16_t number_of_node(const AbutShell* self, const uint32_t place[3], int32_t level)
{
    const AbutFieldHeader* h = self->block;
    uint32_t node[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        node[axis] = (2 * place[axis] + 1) << (level - 1);
    }
    double value = (double)abut_field_value_at(self->block, node);
    value = self->inside_counts ? value : fabs(value);
    double away = (value - abut_field_value_error(h, fabs(value), h->cell_size)) / (double)h->source_slope;
    return away > (double)abut_shell_radius(level) ? LARGEST : 0; // a node that is not kept is NaN
}

static void make_parts(const AbutShell* self, const AbutShellBox* box, int16_t made[8])
{
    int32_t level = box->level - 1;
    bool fine = level < ABUT_SHELL_BRICK;
    if (fine && self->in_doubt && !abut_shell_is_certain(self, box))
    {
        fill8(made, 0);
        return;
    }
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint32_t part[3] = { 2 * box->place[0] + (i & 1u), 2 * box->place[1] + (i >> 1 & 1u),
                                   2 * box->place[2] + (i >> 2) };
        made[i] = fine ? number_of_node(self, part, level) : number_of_box(self, part, level);
    }
}

AbutShellParts abut_shell_parts(const AbutShell* self, const AbutShellBox* box, int16_t made[8])
{
    if (box->level <= ABUT_SHELL_FINEST)
    {
        fill8(made, 0);
        return (AbutShellParts){ made, NULL };
    }
    if (self->centers != NULL)
    {
        return kept_parts(self, box, made);
    }
    make_parts(self, box, made);
    return (AbutShellParts){ made, NULL };
}

bool abut_shell_is_certain(const AbutShell* self, const AbutShellBox* box)
{
    if (!self->in_doubt)
    {
        return true;
    }
    const AbutFieldHeader* h = self->block;
    uint32_t brick[3];
    brick_of(box, brick);
    return abut_field_is_certain_around(
        self->block, (brick[2] * h->brick_count[1] + brick[1]) * h->brick_count[0] + brick[0]);
}
