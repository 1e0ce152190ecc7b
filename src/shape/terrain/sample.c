// Samples of a terrain: the closest feature within the band, and a cheap bound beyond it.
#include "shape/terrain/closest.h"
#include "shape/terrain/heightfield.h"

static AbutTerrainFrame make_frame(const AbutHeightfield* self, const AbutTransform* frame)
{
    AbutTransform identity = abut_transform_identity();
    const AbutTransform* used = frame != NULL ? frame : &identity;
    AbutTerrainFrame made = { .scale = used->scale };
    double per_scale = 1.0 / used->scale;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            made.matrix[i][j] = used->rotation.m[j][i] * per_scale;
            made.rotation[i][j] = used->rotation.m[i][j];
        }
    }
    made.translation = used->translation;
    made.origin = self->origin;
    return made;
}

/// Copies points up to a multiple of four; the last one is repeated.
static void copy_points(AbutPoints from, size_t count, AbutTerrainPoints* points)
{
    const float* const given[3] = { from.x, from.y, from.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        for (size_t i = 0; i < count; ++i)
        {
            points->given[axis][i] = given[axis][i];
        }
        for (size_t i = count; i % 4 != 0; ++i)
        {
            points->given[axis][i] = given[axis][count - 1];
        }
    }
}

/// Away from the bounds of a terrain beyond the band, or up.
static AbutDVec3 far_direction(const AbutHeightfield* self, const AbutTerrainPoints* points, size_t i)
{
    const AbutTerrainLengths* l = &self->lengths;
    double x = points->x[i], y = points->cells.y[i], z = points->z[i];
    AbutDVec3 from_box =
        abut_dvec3(x - abut_heightfield_clamp(x, 0.0, l->width), y > l->highest ? y - l->highest : 0.0,
                   z - abut_heightfield_clamp(z, 0.0, l->depth));
    double to_box = abut_dvec3_length(from_box);
    bool by_box = points->inside[i] > 0.0 && to_box > 0.0 && to_box >= points->far[i];
    return by_box && isfinite(to_box) ? from_box : abut_dvec3(0.0, 1.0, 0.0);
}

/// Out of the solid through a wall, or away from its nearest point.
static AbutDVec3 wall_direction(const AbutHeightfield* self, const AbutTerrainPoints* points, size_t i)
{
    const AbutTerrainLengths* l = &self->lengths;
    double x = points->x[i], z = points->z[i];
    AbutDVec3 away = abut_dvec3(x - abut_heightfield_clamp(x, 0.0, l->width), 0.0,
                                z - abut_heightfield_clamp(z, 0.0, l->depth));
    if (points->inside[i] > 0.0 && points->cells.squared[i] > 0.0)
    {
        return away;
    }
    switch ((AbutTerrainFeature)points->cells.feature[i])
    {
    case ABUT_TERRAIN_WALL_X0:
        return abut_dvec3(-1.0, 0.0, 0.0);
    case ABUT_TERRAIN_WALL_X1:
        return abut_dvec3(1.0, 0.0, 0.0);
    case ABUT_TERRAIN_WALL_Z0:
        return abut_dvec3(0.0, 0.0, -1.0);
    default:
        return abut_dvec3(0.0, 0.0, 1.0);
    }
}

void abut_terrain_find_directions(const AbutHeightfield* self, AbutTerrainPoints* points, size_t count)
{
    abut_terrain_kernels()->directions(self->lengths.spacing, points, count);
    for (size_t i = 0; i < count; ++i)
    {
        double feature = points->cells.feature[i];
        if (feature >= (double)ABUT_TERRAIN_WALL_X0)
        {
            AbutDVec3 direction = feature < (double)ABUT_TERRAIN_NO_FEATURE ? wall_direction(self, points, i)
                                                                            : far_direction(self, points, i);
            points->direction[0][i] = direction.x;
            points->direction[1][i] = direction.y;
            points->direction[2][i] = direction.z;
        }
    }
}

/// Points in the frame of the terrain, with the heights of the cells under them.
static void locate(const AbutHeightfield* self, AbutHeightReader* reader, const AbutTerrainFrame* frame,
                   AbutPoints given, size_t count, AbutTerrainPoints* points)
{
    size_t padded = (count + 3) / 4 * 4;
    copy_points(given, count, points);
    abut_terrain_kernels()->locate(&self->lengths, frame, points, padded);
    for (size_t i = 0; i < padded; ++i)
    {
        uint32_t x = (uint32_t)points->cell_x[i], z = (uint32_t)points->cell_z[i];
        abut_terrain_load_cell(reader, x, z, &points->cells, i);
        points->cosine[i] = abut_height_cosine(reader, x, z);
    }
}

static void sample_points(const AbutHeightfield* self, const AbutTerrainFrame* frame, AbutPoints given,
                          size_t count, AbutSamples out)
{
    const AbutTerrainKernels* kernels = abut_terrain_kernels();
    AbutTerrainPoints points;
    AbutHeightReader reader = abut_height_reader(&self->tiles);
    locate(self, &reader, frame, given, count, &points);
    kernels->start(&self->lengths, &points, count);
    abut_terrain_find_closest(self, &reader, self->lengths.band, &points, count);
    abut_height_reader_end(&reader);
    if (out.gradient_x != NULL)
    {
        abut_terrain_find_directions(self, &points, count);
    }
    kernels->finish(frame, &points, count, out);
}

void abut_heightfield_sample(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out)
{
    const AbutHeightfield* self = (const AbutHeightfield*)shape;
    AbutTerrainFrame own = make_frame(self, frame);
    for (size_t i = 0; i < count; i += ABUT_TERRAIN_BATCH)
    {
        size_t n = count - i < ABUT_TERRAIN_BATCH ? count - i : ABUT_TERRAIN_BATCH;
        bool gradient = out.gradient_x != NULL;
        AbutSamples chunk = { out.distance + i, gradient ? out.gradient_x + i : NULL,
                              gradient ? out.gradient_y + i : NULL, gradient ? out.gradient_z + i : NULL };
        sample_points(self, &own, (AbutPoints){ points.x + i, points.y + i, points.z + i }, n, chunk);
    }
}

static void bound_points(const AbutHeightfield* self, const AbutTerrainFrame* frame, AbutPoints given,
                         size_t count, float* out)
{
    AbutTerrainPoints points;
    AbutHeightReader reader = abut_height_reader(&self->tiles);
    locate(self, &reader, frame, given, count, &points);
    abut_height_reader_end(&reader);
    abut_terrain_kernels()->bound(&self->lengths, &points, count);
    for (size_t i = 0; i < count; ++i)
    {
        bool number = !isnan(given.x[i]) && !isnan(given.y[i]) && !isnan(given.z[i]);
        out[i] = number ? (float)(points.bound[i] * points.inside[i] * frame->scale) : NAN;
    }
}

void abut_heightfield_bound(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                            size_t count, float* out)
{
    const AbutHeightfield* self = (const AbutHeightfield*)shape;
    AbutTerrainFrame own = make_frame(self, frame);
    for (size_t i = 0; i < count; i += ABUT_TERRAIN_BATCH)
    {
        size_t n = count - i < ABUT_TERRAIN_BATCH ? count - i : ABUT_TERRAIN_BATCH;
        bound_points(self, &own, (AbutPoints){ points.x + i, points.y + i, points.z + i }, n, out + i);
    }
}

// -----------------------------------------------------------------------------------------------------------
// One point in double
// -----------------------------------------------------------------------------------------------------------

static void locate_one(const AbutHeightfield* self, AbutHeightReader* reader, AbutDVec3 p,
                       AbutTerrainPoints* points)
{
    AbutTerrainFrame frame = { .matrix = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
                               .translation = { -p.x, -p.y, -p.z } };
    const float none = 0.0f;
    locate(self, reader, &frame, (AbutPoints){ &none, &none, &none }, 1, points);
}

AbutTerrainClosestPoint abut_terrain_closest_point(const AbutHeightfield* self, AbutDVec3 p)
{
    AbutTerrainPoints points;
    AbutTerrainLengths lengths = self->lengths;
    AbutHeightReader reader = abut_height_reader(&self->tiles);
    lengths.band = INFINITY;
    locate_one(self, &reader, p, &points);
    abut_terrain_kernels()->start(&lengths, &points, 1);
    abut_terrain_find_closest(self, &reader, INFINITY, &points, 1);
    abut_height_reader_end(&reader);
    abut_terrain_find_directions(self, &points, 1);
    AbutDVec3 direction = abut_dvec3(points.direction[0][0], points.direction[1][0], points.direction[2][0]);
    return (AbutTerrainClosestPoint){ .distance = points.inside[0] * sqrt(points.cells.squared[0]),
                                      .gradient = abut_dvec3_div(direction, abut_dvec3_length(direction)),
                                      .feature = (AbutTerrainFeature)points.cells.feature[0],
                                      .from_corner_x = points.cells.x[0],
                                      .from_corner_z = points.cells.z[0] };
}

double abut_terrain_distance_bound(const AbutHeightfield* self, AbutDVec3 p)
{
    AbutTerrainPoints points;
    AbutHeightReader reader = abut_height_reader(&self->tiles);
    locate_one(self, &reader, p, &points);
    abut_height_reader_end(&reader);
    abut_terrain_kernels()->bound(&self->lengths, &points, 1);
    return points.inside[0] * points.bound[0];
}
