// Terrain: two triangles per cell, solid below, with vertical walls around the rectangle that go down without end.
//
// A query looks for the nearest triangle through a pyramid of lowest and highest heights over blocks of cells, no further
// than the band. Beyond the band the answer is the larger of the band and a bound that costs nothing: the height above
// the column, divided by the steepest slope's stretch, or the distance to the box of everything. All work is in double and
// relative to the heightfield's own origin, so kilometres of terrain keep millimetres.
#include "base/memory.h"
#include "mesh/closest_point.h"
#include "shape/shape.h"

#include <string.h>

enum
{
    LEAF_CELLS = 4, // cells along one side of a block of level 0
    MAX_LEVELS = 33
};

typedef struct Range
{
    float low, high;
} Range;

typedef struct Level
{
    Range* blocks; // x runs fastest
    uint32_t x_count, z_count;
} Level;

typedef struct Heightfield
{
    AbutShape base;
    float* heights;
    uint32_t x_count, z_count; // samples
    double origin[3];
    double spacing;
    double width, depth; // of the rectangle, along x and z
    double highest;
    double stretch; // 1/√(1 + steepest slope²): height above a column times this is at most the distance
    Level levels[MAX_LEVELS];
    uint32_t level_count;
} Heightfield;

/// The nearest feature so far.
typedef struct Nearest
{
    double squared;
    double point[3];
    double normal[3]; // upward normal of the triangle or outward normal of the wall; not of unit length
} Nearest;

// ---------------------------------------------------------------------------------------------------------------------
// Heights
// ---------------------------------------------------------------------------------------------------------------------

static double height_at(const Heightfield* self, uint32_t x, uint32_t z)
{
    return self->heights[(size_t)z * self->x_count + x];
}

static double clamp(double value, double low, double high)
{
    return value > low ? (value < high ? value : high) : low;
}

/// The cell along one axis that holds a coordinate, which is clamped to the rectangle first.
static uint32_t cell_of(double coordinate, double spacing, uint32_t sample_count)
{
    double cell = floor(coordinate / spacing);
    return (uint32_t)clamp(cell, 0.0, (double)(sample_count - 2));
}

/// Height of the surface in the column nearest to (x, z).
static double column_height(const Heightfield* self, double x, double z)
{
    double cx = clamp(x, 0.0, self->width), cz = clamp(z, 0.0, self->depth);
    uint32_t i = cell_of(cx, self->spacing, self->x_count), k = cell_of(cz, self->spacing, self->z_count);
    double fx = clamp(cx / self->spacing - i, 0.0, 1.0), fz = clamp(cz / self->spacing - k, 0.0, 1.0);
    double h00 = height_at(self, i, k), h11 = height_at(self, i + 1, k + 1);
    if (fx >= fz)
    {
        double h10 = height_at(self, i + 1, k);
        return h00 + fx * (h10 - h00) + fz * (h11 - h10);
    }
    double h01 = height_at(self, i, k + 1);
    return h00 + fz * (h01 - h00) + fx * (h11 - h01);
}

// ---------------------------------------------------------------------------------------------------------------------
// Search
// ---------------------------------------------------------------------------------------------------------------------

static void keep_nearer(Nearest* nearest, double squared, const double point[3], double nx, double ny,
                        double nz)
{
    if (squared < nearest->squared)
    {
        nearest->squared = squared;
        memcpy(nearest->point, point, sizeof(nearest->point));
        nearest->normal[0] = nx;
        nearest->normal[1] = ny;
        nearest->normal[2] = nz;
    }
}

static void test_cell(const Heightfield* self, uint32_t i, uint32_t k, const double p[3], Nearest* nearest)
{
    double s = self->spacing, x0 = i * s, x1 = (i + 1) * s, z0 = k * s, z1 = (k + 1) * s;
    const double a[3] = { x0, height_at(self, i, k), z0 }, b[3] = { x1, height_at(self, i + 1, k), z0 };
    const double c[3] = { x1, height_at(self, i + 1, k + 1), z1 },
                 d[3] = { x0, height_at(self, i, k + 1), z1 };
    double point[3];
    double squared = abut_triangle_closest_point(a, c, b, p, point);
    keep_nearer(nearest, squared, point, a[1] - b[1], s, b[1] - c[1]);
    squared = abut_triangle_closest_point(a, d, c, p, point);
    keep_nearer(nearest, squared, point, d[1] - c[1], s, a[1] - d[1]);
}

static double outside_of(double value, double low, double high)
{
    return value < low ? low - value : (value > high ? value - high : 0.0);
}

static double squared_distance_to_block(const Heightfield* self, uint32_t level, uint32_t x, uint32_t z,
                                        const double p[3])
{
    const Level* blocks = &self->levels[level];
    Range range = blocks->blocks[(size_t)z * blocks->x_count + x];
    double size = self->spacing * LEAF_CELLS * (double)(UINT64_C(1) << level);
    double dx = outside_of(p[0], x * size, fmin((x + 1) * size, self->width));
    double dy = outside_of(p[1], range.low, range.high);
    double dz = outside_of(p[2], z * size, fmin((z + 1) * size, self->depth));
    return dx * dx + dy * dy + dz * dz;
}

static void test_leaf(const Heightfield* self, uint32_t x, uint32_t z, const double p[3], Nearest* nearest)
{
    uint32_t x_end =
        x * LEAF_CELLS + LEAF_CELLS < self->x_count - 1 ? x * LEAF_CELLS + LEAF_CELLS : self->x_count - 1;
    uint32_t z_end =
        z * LEAF_CELLS + LEAF_CELLS < self->z_count - 1 ? z * LEAF_CELLS + LEAF_CELLS : self->z_count - 1;
    for (uint32_t k = z * LEAF_CELLS; k < z_end; ++k)
    {
        for (uint32_t i = x * LEAF_CELLS; i < x_end; ++i)
        {
            double dx = outside_of(p[0], i * self->spacing, (i + 1) * self->spacing);
            double dz = outside_of(p[2], k * self->spacing, (k + 1) * self->spacing);
            if (dx * dx + dz * dz < nearest->squared)
            {
                test_cell(self, i, k, p, nearest);
            }
        }
    }
}

typedef struct Child
{
    double squared;
    uint32_t x, z;
} Child;

/// Children of a block, nearest first; equal ones in the order of z, then x.
static int sorted_children(const Heightfield* self, uint32_t level, uint32_t x, uint32_t z, const double p[3],
                           Child children[4])
{
    const Level* below = &self->levels[level - 1];
    int count = 0;
    for (uint32_t corner = 0; corner < 4; ++corner)
    {
        Child child = { .x = 2 * x + (corner & 1), .z = 2 * z + (corner >> 1) };
        if (child.x >= below->x_count || child.z >= below->z_count)
        {
            continue;
        }
        child.squared = squared_distance_to_block(self, level - 1, child.x, child.z, p);
        int place = count++;
        for (; place > 0 && children[place - 1].squared > child.squared; --place)
        {
            children[place] = children[place - 1];
        }
        children[place] = child;
    }
    return count;
}

static void search_block(const Heightfield* self, uint32_t level, uint32_t x, uint32_t z, const double p[3],
                         Nearest* nearest)
{
    if (level == 0)
    {
        test_leaf(self, x, z, p, nearest);
        return;
    }
    Child children[4];
    int count = sorted_children(self, level, x, z, p, children);
    for (int i = 0; i < count && children[i].squared < nearest->squared; ++i)
    {
        search_block(self, level - 1, children[i].x, children[i].z, p, nearest);
    }
}

/// The walls below the border of the surface. Above it, the surface's own edges are nearer.
static void test_walls(const Heightfield* self, const double p[3], Nearest* nearest)
{
    double cx = clamp(p[0], 0.0, self->width), cz = clamp(p[2], 0.0, self->depth);
    const double walls[4][4] = { // x and z of the nearest point of the wall's plane, outward normal
                                 { 0.0, cz, -1.0, 0.0 },
                                 { self->width, cz, 1.0, 0.0 },
                                 { cx, 0.0, 0.0, -1.0 },
                                 { cx, self->depth, 0.0, 1.0 }
    };
    for (int i = 0; i < 4; ++i)
    {
        double dx = p[0] - walls[i][0], dz = p[2] - walls[i][1];
        const double point[3] = { walls[i][0], p[1], walls[i][1] };
        if (dx * dx + dz * dz < nearest->squared && p[1] <= column_height(self, walls[i][0], walls[i][1]))
        {
            keep_nearer(nearest, dx * dx + dz * dz, point, walls[i][2], 0.0, walls[i][3]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// One point
// ---------------------------------------------------------------------------------------------------------------------

typedef struct Answer
{
    double distance;
    double gradient[3];
} Answer;

/// At most the distance, at no cost, and a direction that leads out of the solid or away from it.
static Answer far_answer(const Heightfield* self, const double p[3], double above, bool inside)
{
    Answer answer = { .gradient = { 0.0, 1.0, 0.0 } };
    if (inside)
    {
        double to_wall = fmin(fmin(p[0], self->width - p[0]), fmin(p[2], self->depth - p[2]));
        answer.distance = fmin(-above * self->stretch, to_wall);
        return answer;
    }
    double dx = p[0] - clamp(p[0], 0.0, self->width), dz = p[2] - clamp(p[2], 0.0, self->depth);
    double dy = p[1] > self->highest ? p[1] - self->highest : 0.0;
    double to_box = sqrt(dx * dx + dy * dy + dz * dz);
    answer.distance = fmax(above * self->stretch, to_box);
    if (to_box >= above * self->stretch && to_box > 0.0)
    {
        answer.gradient[0] = dx / to_box;
        answer.gradient[1] = dy / to_box;
        answer.gradient[2] = dz / to_box;
    }
    return answer;
}

/// Closer than this part of a spacing, the direction to the nearest point is rounding, and the face's normal is taken.
static const double NEAR_SURFACE = 1e-9;

static Answer near_answer(const Heightfield* self, const double p[3], const Nearest* nearest, bool inside)
{
    double sign = inside ? -1.0 : 1.0;
    double distance = sqrt(nearest->squared);
    Answer answer = { .distance = distance };
    double direction[3];
    for (int i = 0; i < 3; ++i)
    {
        direction[i] = sign * (p[i] - nearest->point[i]);
    }
    const double* chosen = distance > NEAR_SURFACE * self->spacing ? direction : nearest->normal;
    double length = sqrt(chosen[0] * chosen[0] + chosen[1] * chosen[1] + chosen[2] * chosen[2]);
    for (int i = 0; i < 3; ++i)
    {
        answer.gradient[i] = chosen[i] / length;
    }
    return answer;
}

static Answer sample_point(const Heightfield* self, const double p[3])
{
    double above = p[1] - column_height(self, p[0], p[2]);
    bool over_rectangle = p[0] >= 0.0 && p[0] <= self->width && p[2] >= 0.0 && p[2] <= self->depth;
    bool inside = over_rectangle && above < 0.0;
    double band = self->base.info.band;
    Answer answer = far_answer(self, p, above, inside);
    if (answer.distance < band)
    {
        // The column itself is a way to the surface; the slack keeps its own triangle in spite of rounding.
        double slack = NEAR_SURFACE * self->spacing + 1e-14 * (fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
        double limit = over_rectangle ? fmin(band, fabs(above) * (1.0 + 1e-6) + slack) : band;
        Nearest nearest = { .squared = limit * limit };
        test_walls(self, p, &nearest);
        search_block(self, self->level_count - 1, 0, 0, p, &nearest);
        bool found = nearest.squared < limit * limit;
        answer = found ? near_answer(self, p, &nearest, inside) : answer;
        answer.distance = found ? answer.distance : band;
    }
    answer.distance = inside ? -answer.distance : answer.distance;
    return answer;
}

static void sample_heightfield(const AbutShape* shape, const AbutFrame* frame, AbutPoints points,
                               size_t count, AbutSamples out)
{
    const Heightfield* self = (const Heightfield*)shape;
    for (size_t i = 0; i < count; ++i)
    {
        double p[3] = { points.x[i], points.y[i], points.z[i] };
        Answer answer = { NAN, { NAN, NAN, NAN } };
        if (!isnan(p[0]) && !isnan(p[1]) && !isnan(p[2]))
        {
            if (frame != NULL)
            {
                abut_frame_to_inner(frame, (const double[3]){ p[0], p[1], p[2] }, p);
            }
            for (int axis = 0; axis < 3; ++axis)
            {
                p[axis] -= self->origin[axis];
            }
            answer = sample_point(self, p);
        }
        out.distance[i] = (float)(frame != NULL ? answer.distance * frame->scale : answer.distance);
        if (out.gradient_x != NULL)
        {
            double g[3] = { answer.gradient[0], answer.gradient[1], answer.gradient[2] };
            if (frame != NULL)
            {
                abut_frame_rotate(frame, answer.gradient, g);
            }
            out.gradient_x[i] = (float)g[0];
            out.gradient_y[i] = (float)g[1];
            out.gradient_z[i] = (float)g[2];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static void release_heightfield(AbutShape* shape)
{
    Heightfield* self = (Heightfield*)shape;
    abut_memory_free(&shape->host, self->heights, (size_t)self->x_count * self->z_count, sizeof(float));
    for (uint32_t i = 0; i < self->level_count; ++i)
    {
        Level* level = &self->levels[i];
        abut_memory_free(&shape->host, level->blocks, (size_t)level->x_count * level->z_count, sizeof(Range));
    }
}

static const AbutShapeClass heightfield_class = { .sample = sample_heightfield,
                                                  .release = release_heightfield };

AbutHeightfieldDef abut_heightfield_def(void)
{
    return (AbutHeightfieldDef){ .spacing = 1.0 };
}

static AbutResult check_def(const AbutHeightfieldDef* def)
{
    if (def->heights == NULL || def->x_count < 2 || def->z_count < 2)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "heightfield: %u by %u heights; at least 2 by 2 are needed",
                         def->x_count, def->z_count);
    }
    AbutResult result = abut_shape_check_length((float)def->spacing, "heightfield", "spacing");
    double side = (double)(def->x_count > def->z_count ? def->x_count : def->z_count) * def->spacing;
    if (result == ABUT_OK)
    {
        result = abut_shape_check_length((float)side, "heightfield", "longer side");
    }
    if (result == ABUT_OK && def->band != 0.0f)
    {
        result = abut_shape_check_length(def->band, "heightfield", "band");
    }
    if (result == ABUT_OK && !(isfinite(def->origin.x) && isfinite(def->origin.y) && isfinite(def->origin.z)))
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "heightfield: the origin is not finite");
    }
    return result;
}

static AbutResult check_heights(const AbutHeightfieldDef* def)
{
    size_t count = (size_t)def->x_count * def->z_count;
    for (size_t i = 0; i < count; ++i)
    {
        if (!(fabsf(def->heights[i]) <= ABUT_SHAPE_MAX_LENGTH))
        {
            return abut_fail(ABUT_INVALID_DATA,
                             "heightfield: height %zu (x %zu, z %zu) is %g; its size must be at most %g", i,
                             i % def->x_count, i / def->x_count, (double)def->heights[i],
                             (double)ABUT_SHAPE_MAX_LENGTH);
        }
    }
    return ABUT_OK;
}

static Range merge_ranges(Range a, Range b)
{
    return (Range){ fminf(a.low, b.low), fmaxf(a.high, b.high) };
}

static const Range EMPTY_RANGE = { INFINITY, -INFINITY };

static Range leaf_range(const Heightfield* self, uint32_t x, uint32_t z)
{
    Range range = EMPTY_RANGE;
    for (uint32_t k = z * LEAF_CELLS; k <= z * LEAF_CELLS + LEAF_CELLS && k < self->z_count; ++k)
    {
        for (uint32_t i = x * LEAF_CELLS; i <= x * LEAF_CELLS + LEAF_CELLS && i < self->x_count; ++i)
        {
            float height = self->heights[(size_t)k * self->x_count + i];
            range = merge_ranges(range, (Range){ height, height });
        }
    }
    return range;
}

static Range parent_range(const Level* below, uint32_t x, uint32_t z)
{
    Range range = EMPTY_RANGE;
    for (uint32_t k = 2 * z; k < 2 * z + 2 && k < below->z_count; ++k)
    {
        for (uint32_t i = 2 * x; i < 2 * x + 2 && i < below->x_count; ++i)
        {
            range = merge_ranges(range, below->blocks[(size_t)k * below->x_count + i]);
        }
    }
    return range;
}

static bool build_level(Heightfield* self, uint32_t x_count, uint32_t z_count)
{
    Range* blocks = abut_memory_allocate(&self->base.host, (size_t)x_count * z_count, sizeof(Range));
    if (blocks == NULL)
    {
        return false;
    }
    const Level* below = self->level_count > 0 ? &self->levels[self->level_count - 1] : NULL;
    for (uint32_t z = 0; z < z_count; ++z)
    {
        for (uint32_t x = 0; x < x_count; ++x)
        {
            blocks[(size_t)z * x_count + x] =
                below != NULL ? parent_range(below, x, z) : leaf_range(self, x, z);
        }
    }
    self->levels[self->level_count++] = (Level){ blocks, x_count, z_count };
    self->base.info.bytes += (size_t)x_count * z_count * sizeof(Range);
    return true;
}

static bool build_pyramid(Heightfield* self)
{
    uint32_t x_count = (self->x_count - 2) / LEAF_CELLS + 1, z_count = (self->z_count - 2) / LEAF_CELLS + 1;
    while (build_level(self, x_count, z_count))
    {
        if (x_count == 1 && z_count == 1)
        {
            return true;
        }
        x_count = (x_count + 1) / 2;
        z_count = (z_count + 1) / 2;
    }
    return false;
}

static double squared_slope(double rise_x, double rise_z)
{
    return rise_x * rise_x + rise_z * rise_z;
}

static double steepest_stretch(const Heightfield* self)
{
    double steepest = 0.0;
    for (uint32_t k = 0; k + 1 < self->z_count; ++k)
    {
        for (uint32_t i = 0; i + 1 < self->x_count; ++i)
        {
            double h00 = height_at(self, i, k), h10 = height_at(self, i + 1, k);
            double h01 = height_at(self, i, k + 1), h11 = height_at(self, i + 1, k + 1);
            steepest = fmax(steepest, squared_slope(h10 - h00, h11 - h10));
            steepest = fmax(steepest, squared_slope(h11 - h01, h01 - h00));
        }
    }
    return 1.0 / sqrt(1.0 + steepest / (self->spacing * self->spacing));
}

static void fill_info(Heightfield* self, const AbutHeightfieldDef* def)
{
    Range range = self->levels[self->level_count - 1].blocks[0];
    AbutBox local =
        abut_box(abut_vec3(0.0f, -INFINITY, 0.0f), abut_vec3((float)(self->width * (1.0 + 1e-7)), range.high,
                                                             (float)(self->depth * (1.0 + 1e-7))));
    AbutPose at_origin = abut_pose_at(def->origin.x, def->origin.y, def->origin.z);
    self->highest = range.high;
    self->stretch = steepest_stretch(self);
    self->base.info.bounds = abut_pose_box(&at_origin, local);
    self->base.info.band = def->band > 0.0f ? def->band : (float)(8.0 * self->spacing);
}

AbutResult abut_shape_create_heightfield(const AbutHeightfieldDef* def, AbutShape** out)
{
    *out = NULL;
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? check_heights(def) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    Heightfield* self =
        abut_shape_allocate(sizeof(Heightfield), ABUT_SHAPE_HEIGHTFIELD, &heightfield_class, def->host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    size_t count = (size_t)def->x_count * def->z_count;
    self->x_count = def->x_count;
    self->z_count = def->z_count;
    self->spacing = def->spacing;
    self->width = (def->x_count - 1) * def->spacing;
    self->depth = (def->z_count - 1) * def->spacing;
    self->origin[0] = def->origin.x;
    self->origin[1] = def->origin.y;
    self->origin[2] = def->origin.z;
    self->heights = abut_memory_allocate(&self->base.host, count, sizeof(float));
    if (self->heights == NULL)
    {
        abut_shape_destroy(&self->base);
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(self->heights, def->heights, count * sizeof(float));
    self->base.info.bytes += count * sizeof(float);
    if (!build_pyramid(self))
    {
        abut_shape_destroy(&self->base);
        return ABUT_OUT_OF_MEMORY;
    }
    fill_info(self, def);
    *out = &self->base;
    return ABUT_OK;
}
