#include "field/bounds/half_spaces.h"

#include "base/tasks.h"
#include "field/bounds/kernels.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"

#include <math.h>
#include <string.h>

enum
{
    LEAF_CELLS = 4, // along the side of the smallest box with a plate
    TRIES = 3
};

/// How far away nodes are looked for, in cells: the further, the more even a ball; but it has to be empty.
static const float FAR[TRIES] = { 12.0f, 4.0f, 1.5f };

static const double HALF_DIAGONAL = 0.8660254037844386;

typedef struct PlateBuild
{
    void* block;
    AbutCenters centers;
    AbutPlates plates;
    AbutFarField nodes;
    bool in_doubt, inside_counts;
} PlateBuild;

/// n · d ≤ offset, in cells; no normal where nothing is known.
typedef struct Plate
{
    double normal[3];
    double offset; // −INFINITY: the box is empty
} Plate;

// ---------------------------------------------------------------------------------------------------------------------
// Layout
// ---------------------------------------------------------------------------------------------------------------------

static uint64_t leaf_total(const AbutFieldHeader* h)
{
    return h->sparse != 0 ? h->stored_brick_count
                          : (uint64_t)h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

uint64_t abut_field_plate_bytes(const AbutFieldHeader* header)
{
    // A center per part of a group over bricks, and a plate for each of these.
    uint64_t leaves = leaf_total(header), centers = abut_field_center_count(header);
    return centers == 0
               ? 0
               : leaves * ABUT_PLATE_GROUP + (centers - leaves * ABUT_CENTER_LEAF) / 8 * ABUT_PLATE_GROUP;
}

AbutPlates abut_field_plates(void* block)
{
    const AbutFieldHeader* h = block;
    AbutPlates plates = { .leaves = NULL };
    if (h->has_centers == 0)
    {
        return plates;
    }
    AbutCenters centers = abut_field_centers(block);
    plates.leaves = abut_field_section(block, ABUT_FIELD_PLATES);
    const uint8_t* next = plates.leaves + leaf_total(h) * ABUT_PLATE_GROUP;
    for (uint32_t level = 0; level < centers.level_count; ++level)
    {
        const uint32_t* groups = centers.group_count[level];
        plates.levels[level] = next;
        next += (size_t)groups[0] * groups[1] * groups[2] * ABUT_PLATE_GROUP;
    }
    return plates;
}

bool abut_field_inside_counts(void* block)
{
    const AbutFieldHeader* h = block;
    bool counts = isinf(abut_field_root_bounds(block).error);
    for (int axis = 0; axis < 3; ++axis)
    {
        double end = h->origin[axis] + h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
        counts = counts || !((double)h->solid[axis] > h->origin[axis] && (double)h->solid[axis + 3] < end);
    }
    return counts;
}

AbutFarField abut_field_far_nodes(void* block)
{
    const AbutFieldHeader* h = block;
    double error = abut_field_value_error(h, 0.0, h->cell_size);
    AbutFarField far = {
        .nodes = abut_field_section(block, ABUT_FIELD_NODES),
        .slots = h->sparse != 0 ? abut_field_section(block, ABUT_FIELD_SLOTS) : NULL,
        .format = h->format,
        .row = abut_field_level_nodes(h, 0),
        .slab = abut_field_level_nodes(h, 0) * abut_field_level_nodes(h, 1),
        .fine_start =
            abut_field_level_nodes(h, 0) * abut_field_level_nodes(h, 1) * abut_field_level_nodes(h, 2),
        .value_scale = h->format == ABUT_FIELD_F32 ? (float)(1.0 / h->cell_size) : 1.0f,
        // Rounding of the products comes on top.
        .relative_error = (float)(abut_field_value_error(h, 1.0, h->cell_size) - error) + 1e-6f,
        .absolute_error = (float)(error * (1.0 + 1e-6)),
        .inverse_growth = (1.0f - 1e-6f) / h->source_slope,
    };
    for (int axis = 0; axis < 3; ++axis)
    {
        far.cells[axis] = (float)(h->brick_count[axis] * ABUT_BRICK_CELLS);
        far.bricks[axis] = h->brick_count[axis];
    }
    return far;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bytes
// ---------------------------------------------------------------------------------------------------------------------

/// Rounds the normal to what bytes hold, which the offset is then found for.
static void round_normal(double normal[3])
{
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int axis = 0; axis < 3; ++axis)
    {
        normal[axis] = length > 1e-6 ? floor(127.0 * normal[axis] / length + 0.5) / 127.0 : 0.0;
    }
}

static void store(uint8_t* group, uint32_t part, const Plate* plate, double radius)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        group[8 * axis + (int)part] =
            (uint8_t)(ABUT_PLATE_ZERO + (int)floor(127.0 * plate->normal[axis] + 0.5));
    }
    // A little more, because readers multiply in float.
    double steps = isfinite(plate->offset) ? ceil(127.0 * plate->offset / radius + 1e-3) : -128.0;
    steps = isfinite(plate->offset) && steps < -127.0 ? -127.0 : (steps < 127.0 ? steps : 127.0);
    group[24 + part] = (uint8_t)(ABUT_PLATE_ZERO + (int)steps);
}

static Plate load(const uint8_t* group, uint32_t part, double radius)
{
    Plate plate;
    for (int axis = 0; axis < 3; ++axis)
    {
        plate.normal[axis] = (group[8 * axis + (int)part] - ABUT_PLATE_ZERO) / 127.0;
    }
    plate.offset = group[24 + part] == 0 ? -INFINITY : (group[24 + part] - ABUT_PLATE_ZERO) / 127.0 * radius;
    return plate;
}

// ---------------------------------------------------------------------------------------------------------------------
// Plates of the smallest boxes
// ---------------------------------------------------------------------------------------------------------------------

static size_t node_in_brick(uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * ABUT_BRICK_NODES + y) * ABUT_BRICK_NODES + x;
}

/// Where the distance grows to on the whole: the differences between opposite sides of the box.
static void mean_gradient(const AbutBrickNodes* nodes, const uint32_t first[3], double out[3])
{
    for (int axis = 0; axis < 3; ++axis)
    {
        out[axis] = 0.0;
        for (uint32_t i = 0; i < (LEAF_CELLS + 1) * (LEAF_CELLS + 1); ++i)
        {
            uint32_t at[3] = { first[0], first[1], first[2] };
            at[(axis + 1) % 3] += i % (LEAF_CELLS + 1);
            at[(axis + 2) % 3] += i / (LEAF_CELLS + 1);
            double low = nodes->value[node_in_brick(at[0], at[1], at[2])];
            at[axis] += LEAF_CELLS;
            out[axis] += (double)nodes->value[node_in_brick(at[0], at[1], at[2])] - low;
        }
    }
}

/// False when a corner of a cell is too far from the surface for the cell to hold any.
static bool may_hold_surface(const PlateBuild* self, const AbutBrickNodes* nodes, const uint32_t cell[3])
{
    const AbutFieldHeader* h = self->block;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        double value = nodes->value[node_in_brick(cell[0] + (corner & 1u), cell[1] + (corner >> 1 & 1u),
                                                  cell[2] + (corner >> 2))];
        double error = abut_field_value_error(h, fabs(value), h->cell_size);
        if ((self->inside_counts ? value : fabs(value)) - error >
            2.0 * HALF_DIAGONAL * (double)h->source_slope)
        {
            return false;
        }
    }
    return true;
}

/// How far the surface in a cell reaches along the normal from its middle, in lengths of the normal.
static double reach_of_cell(const PlateBuild* self, const float middle[3], const double normal[3])
{
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    float direction[3], exit = INFINITY;
    double support = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        direction[axis] = (float)(normal[axis] / length);
        support += 0.5 * fabs((double)direction[axis]);
        float end = direction[axis] > 0.0f ? self->nodes.cells[axis] - middle[axis] : middle[axis];
        exit = direction[axis] != 0.0f ? fminf(exit, end / fabsf(direction[axis])) : exit;
    }
    double best = support;
    for (int i = 0; i < TRIES; ++i)
    {
        float far = fminf(FAR[i], 0.9999f * exit);
        if (far > 0.25f && (i == 0 || exit > FAR[i]))
        {
            best = fmin(best, (double)abut_far_node_kernels()->reach(&self->nodes, middle, direction, far,
                                                                     (float)(HALF_DIAGONAL * (1.0 + 1e-6))));
        }
    }
    return best < -support ? -INFINITY : (best + 1e-5) * length;
}

static Plate plate_of_leaf(const PlateBuild* self, const AbutBrickNodes* nodes, const uint32_t brick[3],
                           const uint32_t first[3])
{
    Plate plate = { .offset = -INFINITY };
    mean_gradient(nodes, first, plate.normal);
    round_normal(plate.normal);
    if (plate.normal[0] == 0.0 && plate.normal[1] == 0.0 && plate.normal[2] == 0.0)
    {
        plate.offset = 0.0;
        return plate;
    }
    for (uint32_t i = 0; i < LEAF_CELLS * LEAF_CELLS * LEAF_CELLS; ++i)
    {
        const uint32_t in_box[3] = { i % LEAF_CELLS, i / LEAF_CELLS % LEAF_CELLS,
                                     i / LEAF_CELLS / LEAF_CELLS };
        const uint32_t cell[3] = { first[0] + in_box[0], first[1] + in_box[1], first[2] + in_box[2] };
        if (!may_hold_surface(self, nodes, cell))
        {
            continue;
        }
        float middle[3];
        double along = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            middle[axis] = (float)(brick[axis] * ABUT_BRICK_CELLS + cell[axis]) + 0.5f;
            along += plate.normal[axis] * (in_box[axis] + 0.5 - 0.5 * LEAF_CELLS);
        }
        plate.offset = fmax(plate.offset, along + reach_of_cell(self, middle, plate.normal));
    }
    return plate;
}

static void fill_leaf(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const PlateBuild* self = context;
    const AbutFieldHeader* h = self->block;
    uint32_t leaf = self->centers.slots != NULL ? self->centers.slots[brick] : brick;
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        return;
    }
    uint8_t* group = (uint8_t*)self->plates.leaves + (size_t)leaf * ABUT_PLATE_GROUP;
    const int16_t* numbers = self->centers.leaves + (size_t)leaf * ABUT_CENTER_LEAF;
    memset(group, ABUT_PLATE_ZERO, ABUT_PLATE_GROUP);
    if (self->in_doubt && !abut_field_is_certain_around(self->block, brick))
    {
        return;
    }
    const uint32_t place[3] = { brick % h->brick_count[0], brick / h->brick_count[0] % h->brick_count[1],
                                brick / h->brick_count[0] / h->brick_count[1] };
    double radius = LEAF_CELLS * HALF_DIAGONAL;
    AbutBrickNodes nodes;
    bool loaded = false;
    for (uint32_t part = 0; part < 8; ++part)
    {
        if (!self->inside_counts && fabs((double)numbers[part]) * (double)self->centers.step > radius)
        {
            continue;
        }
        if (!loaded)
        {
            abut_field_load_values(self->block, brick, &nodes);
            loaded = true;
        }
        const uint32_t first[3] = { (part & 1u) * LEAF_CELLS, (part >> 1 & 1u) * LEAF_CELLS,
                                    (part >> 2) * LEAF_CELLS };
        Plate plate = plate_of_leaf(self, &nodes, place, first);
        store(group, part, &plate, radius);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Plates of larger boxes
// ---------------------------------------------------------------------------------------------------------------------

/// The eight parts of a box: their plates and numbers; NULL where there are none.
typedef struct Parts
{
    const uint8_t* plates;
    const int16_t* numbers;
    double half; // side, in cells
} Parts;

/// How far what is in a part reaches along a normal from the middle of the part. With λ ≥ 0, n·d = λ m·d + (n − λm)·d.
static double reach_of_part(const Parts* parts, uint32_t part, const double normal[3])
{
    Plate plate = load(parts->plates, part, 2.0 * HALF_DIAGONAL * parts->half);
    double along = 0.0, whole = 0.0, rest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        along += normal[axis] * plate.normal[axis];
        whole += fabs(normal[axis]) * parts->half;
    }
    if (plate.offset == -INFINITY || !(along > 0.0))
    {
        return plate.offset == -INFINITY ? -INFINITY : whole;
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        rest += fabs(normal[axis] - along * plate.normal[axis]) * parts->half;
    }
    return fmin(whole, along * plate.offset + rest);
}

static Plate join(const PlateBuild* self, const Parts* parts)
{
    Plate plate = { .offset = -INFINITY };
    double radius = 2.0 * HALF_DIAGONAL * parts->half;
    bool holds[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        Plate part = load(parts->plates, i, radius);
        holds[i] = fabs((double)parts->numbers[i]) * (double)self->centers.step <= radius ||
                   (self->inside_counts && parts->numbers[i] < 0);
        for (int axis = 0; axis < 3 && holds[i]; ++axis)
        {
            plate.normal[axis] += part.normal[axis];
        }
    }
    round_normal(plate.normal);
    for (uint32_t i = 0; i < 8; ++i)
    {
        double along = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            along += plate.normal[axis] * ((i >> axis & 1u) != 0 ? parts->half : -parts->half);
        }
        plate.offset =
            holds[i] ? fmax(plate.offset, along + reach_of_part(parts, i, plate.normal)) : plate.offset;
    }
    return plate;
}

/// The parts of box `place` of a level of groups; false for a brick without nodes of its own, and beyond the grid.
static bool parts_below(const PlateBuild* self, uint32_t level, const uint32_t place[3], Parts* parts)
{
    const AbutCenters* c = &self->centers;
    if (level > 0)
    {
        const uint32_t* groups = c->group_count[level - 1];
        size_t number = ((size_t)place[2] * groups[1] + place[1]) * groups[0] + place[0];
        *parts =
            (Parts){ self->plates.levels[level - 1] + number * ABUT_PLATE_GROUP,
                     c->levels[level - 1] + 8 * number, 0.5 * (double)(ABUT_BRICK_CELLS << (level - 1)) };
        return place[0] < groups[0] && place[1] < groups[1] && place[2] < groups[2];
    }
    uint32_t leaf = ABUT_FIELD_NO_SLOT;
    if (place[0] < c->brick_count[0] && place[1] < c->brick_count[1] && place[2] < c->brick_count[2])
    {
        uint32_t brick = (place[2] * c->brick_count[1] + place[1]) * c->brick_count[0] + place[0];
        leaf = c->slots != NULL ? c->slots[brick] : brick;
    }
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        return false;
    }
    *parts = (Parts){ self->plates.leaves + (size_t)leaf * ABUT_PLATE_GROUP,
                      c->leaves + (size_t)leaf * ABUT_CENTER_LEAF, 0.5 * LEAF_CELLS };
    return true;
}

static void fill_level(const PlateBuild* self, uint32_t level)
{
    const uint32_t* groups = self->centers.group_count[level];
    for (uint32_t group = 0; group < groups[0] * groups[1] * groups[2]; ++group)
    {
        uint8_t* out = (uint8_t*)self->plates.levels[level] + (size_t)group * ABUT_PLATE_GROUP;
        memset(out, ABUT_PLATE_ZERO, ABUT_PLATE_GROUP);
        for (uint32_t i = 0; i < 8; ++i)
        {
            const uint32_t place[3] = { 2 * (group % groups[0]) + (i & 1u),
                                        2 * (group / groups[0] % groups[1]) + (i >> 1 & 1u),
                                        2 * (group / groups[0] / groups[1]) + (i >> 2) };
            Parts parts;
            if (parts_below(self, level, place, &parts))
            {
                Plate plate = join(self, &parts);
                store(out, i, &plate, HALF_DIAGONAL * (double)(ABUT_BRICK_CELLS << level));
            }
        }
    }
}

void abut_field_fill_plates(void* block, const AbutHost* host)
{
    const AbutFieldHeader* h = block;
    if (h->has_centers == 0)
    {
        return;
    }
    PlateBuild self = { .block = block,
                        .centers = abut_field_centers(block),
                        .plates = abut_field_plates(block),
                        .nodes = abut_field_far_nodes(block),
                        .in_doubt = isinf(abut_field_root_bounds(block).error),
                        .inside_counts = abut_field_inside_counts(block) };
    abut_parallel_for(host, h->brick_count[0] * h->brick_count[1] * h->brick_count[2], fill_leaf, &self);
    for (uint32_t level = 0; level < self.centers.level_count; ++level)
    {
        fill_level(&self, level);
    }
}
