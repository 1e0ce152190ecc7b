#include "field/bounds/half_spaces.h"

#include "base/tasks.h"
#include "field/bounds/far_nodes.h"
#include "field/bounds/kernels.h"
#include "field/bounds/pyramid.h"
#include "field/nodes/brick_nodes.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    LEAF_CELLS = 4, // along the side of the smallest box with a half space
    TRIES = 3
};

/// Distances of far nodes, in cells: the further, the flatter the ball around one; but it has to be empty.
static const float FAR[TRIES] = { 12.0f, 4.0f, 1.5f };

static const double HALF_DIAGONAL = 0.8660254037844386;

typedef struct HalfSpaceBuild
{
    void* block;
    AbutDistanceOctree octree;
    AbutHalfSpaces half_spaces;
    AbutFarNodes nodes;
    bool uncertain, inside_counts;
} HalfSpaceBuild;

/// n · d ≤ offset, in cells; a normal of 0 where nothing is known.
typedef struct HalfSpace
{
    AbutDVec3 normal;
    double offset; // −INFINITY: the box is empty
} HalfSpace;

// -----------------------------------------------------------------------------------------------------------
// Layout
// -----------------------------------------------------------------------------------------------------------

static uint64_t leaf_total(const AbutFieldHeader* h)
{
    return h->sparse != 0 ? h->stored_brick_count
                          : (uint64_t)h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
}

uint64_t abut_half_spaces_bytes(const AbutFieldHeader* header)
{
    // Above bricks a number per child of a group, and a half space for each.
    uint64_t leaves = leaf_total(header), octree = abut_distance_octree_count(header);
    return octree == 0 ? 0
                       : leaves * ABUT_HALF_SPACE_GROUP +
                             (octree - leaves * ABUT_DISTANCE_OCTREE_LEAF) / 8 * ABUT_HALF_SPACE_GROUP;
}

AbutHalfSpaces abut_half_spaces_make(void* block)
{
    const AbutFieldHeader* h = block;
    AbutHalfSpaces half_spaces = { .leaves = NULL };
    if (h->has_octree == 0)
    {
        return half_spaces;
    }
    AbutDistanceOctree octree = abut_distance_octree_make(block);
    half_spaces.leaves = abut_field_section(block, ABUT_FIELD_HALF_SPACES);
    const uint8_t* next = half_spaces.leaves + leaf_total(h) * ABUT_HALF_SPACE_GROUP;
    for (uint32_t level = 0; level < octree.level_count; ++level)
    {
        const uint32_t* groups = octree.group_count[level];
        half_spaces.levels[level] = next;
        next += (size_t)groups[0] * groups[1] * groups[2] * ABUT_HALF_SPACE_GROUP;
    }
    return half_spaces;
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

// -----------------------------------------------------------------------------------------------------------
// Bytes
// -----------------------------------------------------------------------------------------------------------

static double round_coordinate(double x, double length)
{
    return floor(127.0 * x / length + 0.5) / 127.0;
}

/// The unit normal, rounded to bytes; the offset is then computed for the rounded one.
static AbutDVec3 round_normal(AbutDVec3 normal)
{
    double length = abut_dvec3_length(normal);
    return length > 1e-6 ? abut_dvec3(round_coordinate(normal.x, length), round_coordinate(normal.y, length),
                                      round_coordinate(normal.z, length))
                         : abut_dvec3_zero();
}

static uint8_t to_byte(double x)
{
    return (uint8_t)(ABUT_HALF_SPACE_ZERO + (int)floor(127.0 * x + 0.5));
}

static double from_byte(uint8_t byte)
{
    return (byte - ABUT_HALF_SPACE_ZERO) / 127.0;
}

static void store(uint8_t* group, uint32_t child, const HalfSpace* half_space, double radius)
{
    group[child] = to_byte(half_space->normal.x);
    group[8 + child] = to_byte(half_space->normal.y);
    group[16 + child] = to_byte(half_space->normal.z);
    // Rounded up a little, because readers multiply in float.
    double steps = isfinite(half_space->offset) ? ceil(127.0 * half_space->offset / radius + 1e-3) : -128.0;
    steps = isfinite(half_space->offset) && steps < -127.0 ? -127.0 : (steps < 127.0 ? steps : 127.0);
    group[24 + child] = (uint8_t)(ABUT_HALF_SPACE_ZERO + (int)steps);
}

static HalfSpace load(const uint8_t* group, uint32_t child, double radius)
{
    HalfSpace half_space = {
        .normal =
            abut_dvec3(from_byte(group[child]), from_byte(group[8 + child]), from_byte(group[16 + child])),
        .offset = group[24 + child] == 0 ? -INFINITY : from_byte(group[24 + child]) * radius,
    };
    return half_space;
}

// -----------------------------------------------------------------------------------------------------------
// Half spaces of the smallest boxes
// -----------------------------------------------------------------------------------------------------------

static size_t node_in_brick(uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * ABUT_BRICK_NODES + y) * ABUT_BRICK_NODES + x;
}

/// Sum of the differences between opposite nodes of two faces of the box.
static double face_difference(const AbutBrickNodes* nodes, const uint32_t first[3], int axis)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < (LEAF_CELLS + 1) * (LEAF_CELLS + 1); ++i)
    {
        uint32_t at[3] = { first[0], first[1], first[2] };
        at[(axis + 1) % 3] += i % (LEAF_CELLS + 1);
        at[(axis + 2) % 3] += i / (LEAF_CELLS + 1);
        double low = nodes->value[node_in_brick(at[0], at[1], at[2])];
        at[axis] += LEAF_CELLS;
        sum += (double)nodes->value[node_in_brick(at[0], at[1], at[2])] - low;
    }
    return sum;
}

/// The direction of the mean gradient.
static AbutDVec3 mean_gradient(const AbutBrickNodes* nodes, const uint32_t first[3])
{
    return abut_dvec3(face_difference(nodes, first, 0), face_difference(nodes, first, 1),
                      face_difference(nodes, first, 2));
}

/// False when a corner of a cell is further from the surface than the cell is large.
static bool may_contain_surface(const HalfSpaceBuild* self, const AbutBrickNodes* nodes,
                                const uint32_t cell[3])
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

/// Support of the surface in a cell along the normal, from the middle of the cell, in lengths of the normal.
static double support_of_cell(const HalfSpaceBuild* self, const float middle[3], AbutDVec3 normal)
{
    double length = abut_dvec3_length(normal);
    AbutVec3 unit = abut_dvec3_to_vec3(abut_dvec3_div(normal, length));
    const float direction[3] = { unit.x, unit.y, unit.z };
    float exit = INFINITY;
    double half_support = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        half_support += 0.5 * fabs((double)direction[axis]);
        float end = direction[axis] > 0.0f ? self->nodes.cells[axis] - middle[axis] : middle[axis];
        exit = direction[axis] != 0.0f ? fminf(exit, end / fabsf(direction[axis])) : exit;
    }
    double best = half_support;
    for (int i = 0; i < TRIES; ++i)
    {
        float far = fminf(FAR[i], 0.9999f * exit);
        if (far > 0.25f && (i == 0 || exit > FAR[i]))
        {
            best =
                fmin(best, (double)abut_far_node_kernels()->support(&self->nodes, middle, direction, far,
                                                                    (float)(HALF_DIAGONAL * (1.0 + 1e-6))));
        }
    }
    return best < -half_support ? -INFINITY : (best + 1e-5) * length;
}

static HalfSpace half_space_of_leaf(const HalfSpaceBuild* self, const AbutBrickNodes* nodes,
                                    const uint32_t brick[3], const uint32_t first[3])
{
    AbutDVec3 normal = round_normal(mean_gradient(nodes, first));
    HalfSpace half_space = { .normal = normal, .offset = -INFINITY };
    if (normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0)
    {
        half_space.offset = 0.0;
        return half_space;
    }
    for (uint32_t i = 0; i < LEAF_CELLS * LEAF_CELLS * LEAF_CELLS; ++i)
    {
        const uint32_t x = i % LEAF_CELLS, y = i / LEAF_CELLS % LEAF_CELLS, z = i / LEAF_CELLS / LEAF_CELLS;
        const uint32_t cell[3] = { first[0] + x, first[1] + y, first[2] + z };
        if (!may_contain_surface(self, nodes, cell))
        {
            continue;
        }
        const float middle[3] = { (float)(brick[0] * ABUT_BRICK_CELLS + cell[0]) + 0.5f,
                                  (float)(brick[1] * ABUT_BRICK_CELLS + cell[1]) + 0.5f,
                                  (float)(brick[2] * ABUT_BRICK_CELLS + cell[2]) + 0.5f };
        const double half = 0.5 * LEAF_CELLS;
        double along = abut_dvec3_dot(normal, abut_dvec3(x + 0.5 - half, y + 0.5 - half, z + 0.5 - half));
        half_space.offset = fmax(half_space.offset, along + support_of_cell(self, middle, normal));
    }
    return half_space;
}

static void fill_leaf(void* context, uint32_t brick, uint32_t worker)
{
    (void)worker;
    const HalfSpaceBuild* self = context;
    const AbutFieldHeader* h = self->block;
    uint32_t leaf = self->octree.slots != NULL ? self->octree.slots[brick] : brick;
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        return;
    }
    uint8_t* group = (uint8_t*)self->half_spaces.leaves + (size_t)leaf * ABUT_HALF_SPACE_GROUP;
    const int16_t* numbers = self->octree.leaves + (size_t)leaf * ABUT_DISTANCE_OCTREE_LEAF;
    memset(group, ABUT_HALF_SPACE_ZERO, ABUT_HALF_SPACE_GROUP);
    if (self->uncertain && !abut_field_is_certain_around(self->block, brick))
    {
        return;
    }
    uint32_t position[3];
    abut_brick_position(h->brick_count, brick, position);
    double radius = LEAF_CELLS * HALF_DIAGONAL;
    AbutBrickNodes nodes;
    bool loaded = false;
    for (uint32_t child = 0; child < 8; ++child)
    {
        if (!self->inside_counts && fabs((double)numbers[child]) * (double)self->octree.step > radius)
        {
            continue;
        }
        if (!loaded)
        {
            abut_field_load_values(self->block, brick, &nodes);
            loaded = true;
        }
        const uint32_t first[3] = { (child & 1u) * LEAF_CELLS, (child >> 1 & 1u) * LEAF_CELLS,
                                    (child >> 2) * LEAF_CELLS };
        HalfSpace half_space = half_space_of_leaf(self, &nodes, position, first);
        store(group, child, &half_space, radius);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Half spaces of larger boxes
// -----------------------------------------------------------------------------------------------------------

/// The eight children of a box: their half spaces and numbers; NULL where there are none.
typedef struct Children
{
    const uint8_t* half_spaces;
    const int16_t* numbers;
    double half; // side, in cells
} Children;

/// Support of a cube along a normal, from its middle.
static double support_of_cube(AbutDVec3 normal, double half)
{
    AbutDVec3 supports = abut_dvec3_scale(abut_dvec3_abs(normal), half);
    return supports.x + supports.y + supports.z;
}

/// Support of the surface in a child along a normal n, from the middle of the child. With its half space m
/// and λ ≥ 0, n·d = λ m·d + (n − λm)·d.
static double support_of_child(const Children* children, uint32_t child, AbutDVec3 normal)
{
    HalfSpace half_space = load(children->half_spaces, child, 2.0 * HALF_DIAGONAL * children->half);
    if (half_space.offset == -INFINITY)
    {
        return -INFINITY;
    }
    double along = abut_dvec3_dot(normal, half_space.normal), whole = support_of_cube(normal, children->half);
    if (!(along > 0.0))
    {
        return whole;
    }
    AbutDVec3 remainder = abut_dvec3_mul_sub(normal, along, half_space.normal);
    return fmin(whole, along * half_space.offset + support_of_cube(remainder, children->half));
}

static HalfSpace join(const HalfSpaceBuild* self, const Children* children)
{
    HalfSpace half_space = { .offset = -INFINITY };
    double radius = 2.0 * HALF_DIAGONAL * children->half;
    bool occupied[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        HalfSpace child = load(children->half_spaces, i, radius);
        occupied[i] = fabs((double)children->numbers[i]) * (double)self->octree.step <= radius ||
                      (self->inside_counts && children->numbers[i] < 0);
        half_space.normal = occupied[i] ? abut_dvec3_add(half_space.normal, child.normal) : half_space.normal;
    }
    half_space.normal = round_normal(half_space.normal);
    for (uint32_t i = 0; i < 8; ++i)
    {
        const double half = children->half;
        AbutDVec3 middle = abut_dvec3((i & 1u) != 0 ? half : -half, (i & 2u) != 0 ? half : -half,
                                      (i & 4u) != 0 ? half : -half);
        double along = abut_dvec3_dot(half_space.normal, middle);
        half_space.offset =
            occupied[i] ? fmax(half_space.offset, along + support_of_child(children, i, half_space.normal))
                        : half_space.offset;
    }
    return half_space;
}

/// The children of box `position` of a level; false for a brick without nodes of its own, and beyond the
/// grid.
static bool load_children(const HalfSpaceBuild* self, uint32_t level, const uint32_t position[3],
                          Children* children)
{
    const AbutDistanceOctree* c = &self->octree;
    if (level > 0)
    {
        const uint32_t* groups = c->group_count[level - 1];
        size_t number = ((size_t)position[2] * groups[1] + position[1]) * groups[0] + position[0];
        *children =
            (Children){ self->half_spaces.levels[level - 1] + number * ABUT_HALF_SPACE_GROUP,
                        c->levels[level - 1] + 8 * number, 0.5 * (double)(ABUT_BRICK_CELLS << (level - 1)) };
        return position[0] < groups[0] && position[1] < groups[1] && position[2] < groups[2];
    }
    uint32_t leaf = ABUT_FIELD_NO_SLOT;
    if (position[0] < c->brick_count[0] && position[1] < c->brick_count[1] && position[2] < c->brick_count[2])
    {
        uint32_t brick = abut_brick_number(c->brick_count, position);
        leaf = c->slots != NULL ? c->slots[brick] : brick;
    }
    if (leaf == ABUT_FIELD_NO_SLOT)
    {
        return false;
    }
    *children = (Children){ self->half_spaces.leaves + (size_t)leaf * ABUT_HALF_SPACE_GROUP,
                            c->leaves + (size_t)leaf * ABUT_DISTANCE_OCTREE_LEAF, 0.5 * LEAF_CELLS };
    return true;
}

static void fill_level(const HalfSpaceBuild* self, uint32_t level)
{
    const uint32_t* groups = self->octree.group_count[level];
    for (uint32_t group = 0; group < groups[0] * groups[1] * groups[2]; ++group)
    {
        uint8_t* out = (uint8_t*)self->half_spaces.levels[level] + (size_t)group * ABUT_HALF_SPACE_GROUP;
        memset(out, ABUT_HALF_SPACE_ZERO, ABUT_HALF_SPACE_GROUP);
        for (uint32_t i = 0; i < 8; ++i)
        {
            const uint32_t position[3] = { 2 * (group % groups[0]) + (i & 1u),
                                           2 * (group / groups[0] % groups[1]) + (i >> 1 & 1u),
                                           2 * (group / groups[0] / groups[1]) + (i >> 2) };
            Children children;
            if (load_children(self, level, position, &children))
            {
                HalfSpace half_space = join(self, &children);
                store(out, i, &half_space, HALF_DIAGONAL * (double)(ABUT_BRICK_CELLS << level));
            }
        }
    }
}

void abut_half_spaces_build(void* block, const AbutHost* host)
{
    const AbutFieldHeader* h = block;
    if (h->has_octree == 0)
    {
        return;
    }
    HalfSpaceBuild self = { .block = block,
                            .octree = abut_distance_octree_make(block),
                            .half_spaces = abut_half_spaces_make(block),
                            .nodes = abut_far_nodes_make(block),
                            .uncertain = isinf(abut_field_root_bounds(block).error),
                            .inside_counts = abut_field_inside_counts(block) };
    abut_parallel_for(host, h->brick_count[0] * h->brick_count[1] * h->brick_count[2], fill_leaf, &self);
    for (uint32_t level = 0; level < self.octree.level_count; ++level)
    {
        fill_level(&self, level);
    }
}
