// Terrain: checks of the definition, creation. See heightfield.h.
#include "shape/terrain/heightfield.h"

#include "base/fp_env.h"
#include "shape/terrain/tile_cache.h"

static void release_heightfield(AbutShape* shape)
{
    abut_height_tiles_free(&((AbutHeightfield*)shape)->tiles);
}

static const AbutShapeClass heightfield_class = { .sample = abut_heightfield_sample,
                                                  .bound = abut_heightfield_bound,
                                                  .release = release_heightfield };

/// Heights along a side: indices of cells are 32 bits with a sign.
static const uint32_t MAX_COUNT = UINT32_C(1) << 30;

AbutHeightfieldDef abut_heightfield_def(void)
{
    return (AbutHeightfieldDef){ .spacing = 1.0 };
}

static AbutResult check_def(const AbutHeightfieldDef* def)
{
    if ((def->heights == NULL) == (def->load == NULL))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "heightfield: either heights or load must be given");
    }
    if (def->x_count < 2 || def->z_count < 2)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "heightfield: %u by %u heights; at least 2 by 2 are needed",
                         def->x_count, def->z_count);
    }
    if (def->x_count > MAX_COUNT || def->z_count > MAX_COUNT)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "heightfield: %u by %u heights; at most 2^30 along a side",
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
    size_t count = def->heights != NULL ? (size_t)def->x_count * def->z_count : 0;
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

static void fill_info(AbutHeightfield* self, const AbutHeightfieldDef* def, double steepest)
{
    AbutHeightRange range = abut_height_tiles_range(&self->tiles);
    AbutTerrainLengths* lengths = &self->lengths;
    AbutBox local = abut_box(abut_vec3(0.0f, -INFINITY, 0.0f),
                             abut_vec3((float)(lengths->width * (1.0 + 1e-7)), range.high,
                                       (float)(lengths->depth * (1.0 + 1e-7))));
    AbutPose at_origin = abut_pose_at(def->origin.x, def->origin.y, def->origin.z);
    lengths->highest = range.high;
    lengths->steepest_cosine = 1.0 / sqrt(1.0 + steepest);
    self->base.info.bounds = abut_pose_transform_box(&at_origin, local);
    self->base.info.bytes += abut_height_tiles_bytes(&self->tiles);
    AbutDVec3 offset = abut_dvec3_abs(self->origin);
    self->base.rounding.length = (float)(offset.x + offset.y + offset.z + lengths->width + lengths->depth) +
                                 fmaxf(fabsf(range.low), fabsf(range.high));
    self->base.info.band = def->band > 0.0f ? def->band : (float)(8.0 * lengths->spacing);
    lengths->band = self->base.info.band;
}

static AbutResult build_tiles(AbutHeightfield* self, const AbutHeightfieldDef* def, double* steepest)
{
    if (def->load != NULL)
    {
        return abut_tile_cache_create(&self->tiles, def, steepest);
    }
    bool built = abut_height_tiles_build(&self->tiles, def->heights, def->spacing, steepest);
    return built ? ABUT_OK : ABUT_OUT_OF_MEMORY;
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
    abut_height_tiles_plan(&self->tiles, def->x_count, def->z_count, &self->base.host);
    self->origin = abut_dvec3_from_position(def->origin);
    self->lengths = (AbutTerrainLengths){ .spacing = def->spacing,
                                          .width = (def->x_count - 1) * def->spacing,
                                          .depth = (def->z_count - 1) * def->spacing,
                                          .last_cell = { def->x_count - 2, def->z_count - 2 } };
    double steepest;
    result = build_tiles(self, def, &steepest);
    if (result != ABUT_OK)
    {
        abut_shape_destroy(&self->base);
        return result;
    }
    fill_info(self, def, steepest);
    *out = &self->base;
    return ABUT_OK;
}
