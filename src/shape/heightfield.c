// Terrain: checks of the definition, the pyramid of heights, creation. See heightfield.h.
#include "shape/heightfield.h"

#include "base/fp_env.h"
#include "base/memory.h"

#include <string.h>

static void release_heightfield(AbutShape* shape)
{
    AbutHeightfield* self = (AbutHeightfield*)shape;
    abut_memory_free(&shape->host, self->heights, (size_t)self->x_count * self->z_count, sizeof(float));
    for (uint32_t i = 0; i < self->level_count; ++i)
    {
        AbutHeightLevel* level = &self->levels[i];
        abut_memory_free(&shape->host, level->blocks, (size_t)level->x_count * level->z_count,
                         sizeof(AbutHeightRange));
    }
}

static const AbutShapeClass heightfield_class = { .sample = abut_heightfield_sample,
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

static AbutHeightRange merge_ranges(AbutHeightRange a, AbutHeightRange b)
{
    return (AbutHeightRange){ fminf(a.low, b.low), fmaxf(a.high, b.high) };
}

static const AbutHeightRange EMPTY_RANGE = { INFINITY, -INFINITY };

static AbutHeightRange leaf_range(const AbutHeightfield* self, uint32_t x, uint32_t z)
{
    AbutHeightRange range = EMPTY_RANGE;
    for (uint32_t k = z * ABUT_HEIGHTFIELD_LEAF_CELLS;
         k <= z * ABUT_HEIGHTFIELD_LEAF_CELLS + ABUT_HEIGHTFIELD_LEAF_CELLS && k < self->z_count; ++k)
    {
        for (uint32_t i = x * ABUT_HEIGHTFIELD_LEAF_CELLS;
             i <= x * ABUT_HEIGHTFIELD_LEAF_CELLS + ABUT_HEIGHTFIELD_LEAF_CELLS && i < self->x_count; ++i)
        {
            float height = self->heights[(size_t)k * self->x_count + i];
            range = merge_ranges(range, (AbutHeightRange){ height, height });
        }
    }
    return range;
}

static AbutHeightRange parent_range(const AbutHeightLevel* below, uint32_t x, uint32_t z)
{
    AbutHeightRange range = EMPTY_RANGE;
    for (uint32_t k = 2 * z; k < 2 * z + 2 && k < below->z_count; ++k)
    {
        for (uint32_t i = 2 * x; i < 2 * x + 2 && i < below->x_count; ++i)
        {
            range = merge_ranges(range, below->blocks[(size_t)k * below->x_count + i]);
        }
    }
    return range;
}

static bool build_level(AbutHeightfield* self, uint32_t x_count, uint32_t z_count)
{
    AbutHeightRange* blocks =
        abut_memory_allocate(&self->base.host, (size_t)x_count * z_count, sizeof(AbutHeightRange));
    if (blocks == NULL)
    {
        return false;
    }
    const AbutHeightLevel* below = self->level_count > 0 ? &self->levels[self->level_count - 1] : NULL;
    for (uint32_t z = 0; z < z_count; ++z)
    {
        for (uint32_t x = 0; x < x_count; ++x)
        {
            blocks[(size_t)z * x_count + x] =
                below != NULL ? parent_range(below, x, z) : leaf_range(self, x, z);
        }
    }
    self->levels[self->level_count++] = (AbutHeightLevel){ blocks, x_count, z_count };
    self->base.info.bytes += (size_t)x_count * z_count * sizeof(AbutHeightRange);
    return true;
}

static bool build_pyramid(AbutHeightfield* self)
{
    uint32_t x_count = (self->x_count - 2) / ABUT_HEIGHTFIELD_LEAF_CELLS + 1,
             z_count = (self->z_count - 2) / ABUT_HEIGHTFIELD_LEAF_CELLS + 1;
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

static double find_steepest_cosine(const AbutHeightfield* self)
{
    double steepest = 0.0;
    for (uint32_t k = 0; k + 1 < self->z_count; ++k)
    {
        for (uint32_t i = 0; i + 1 < self->x_count; ++i)
        {
            double h00 = abut_heightfield_height(self, i, k), h10 = abut_heightfield_height(self, i + 1, k);
            double h01 = abut_heightfield_height(self, i, k + 1),
                   h11 = abut_heightfield_height(self, i + 1, k + 1);
            steepest = fmax(steepest, squared_slope(h10 - h00, h11 - h10));
            steepest = fmax(steepest, squared_slope(h11 - h01, h01 - h00));
        }
    }
    return 1.0 / sqrt(1.0 + steepest / (self->spacing * self->spacing));
}

static void fill_info(AbutHeightfield* self, const AbutHeightfieldDef* def)
{
    AbutHeightRange range = self->levels[self->level_count - 1].blocks[0];
    AbutBox local =
        abut_box(abut_vec3(0.0f, -INFINITY, 0.0f), abut_vec3((float)(self->width * (1.0 + 1e-7)), range.high,
                                                             (float)(self->depth * (1.0 + 1e-7))));
    AbutPose at_origin = abut_pose_at(def->origin.x, def->origin.y, def->origin.z);
    self->highest = range.high;
    self->steepest_cosine = find_steepest_cosine(self);
    self->base.info.bounds = abut_pose_transform_box(&at_origin, local);
    AbutDVec3 offset = abut_dvec3_abs(self->origin);
    self->base.rounding.length = (float)(offset.x + offset.y + offset.z + self->width + self->depth) +
                                 fmaxf(fabsf(range.low), fabsf(range.high));
    self->base.info.band = def->band > 0.0f ? def->band : (float)(8.0 * self->spacing);
}

AbutResult abut_shape_create_heightfield(const AbutHeightfieldDef* def, AbutShape** out)
{
    ABUT_FP_CALL(abut_shape_create_heightfield, def, out);
    *out = NULL;
    AbutResult result = check_def(def);
    result = result == ABUT_OK ? check_heights(def) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHeightfield* self =
        abut_shape_allocate(sizeof(AbutHeightfield), ABUT_SHAPE_HEIGHTFIELD, &heightfield_class, def->host);
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
    self->origin = abut_dvec3_from_position(def->origin);
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
