// The measured slope of a formula: its values at the eight corners of a box, all pairs compared with the
// distances between the corners.
#include "shape/shape.h"

#include "base/fp_env.h"

enum
{
    CORNERS = 8,
    CELLS_PER_BATCH = ABUT_SHAPE_BATCH / CORNERS
};

typedef struct CornerBatch
{
    float x[ABUT_SHAPE_BATCH], y[ABUT_SHAPE_BATCH], z[ABUT_SHAPE_BATCH], distance[ABUT_SHAPE_BATCH];
} CornerBatch;

/// Node `i` of `divisions` along one side; both ends exact.
static float node(float low, float high, uint32_t i, uint32_t divisions)
{
    return i == divisions ? high : low + (high - low) * ((float)i / (float)divisions);
}

static void set_corners(CornerBatch* batch, size_t cell_in_batch, AbutBox box, uint64_t cell,
                        uint32_t divisions)
{
    uint32_t i = (uint32_t)(cell % divisions);
    uint32_t j = (uint32_t)(cell / divisions % divisions);
    uint32_t k = (uint32_t)(cell / divisions / divisions);
    for (uint32_t corner = 0; corner < CORNERS; ++corner)
    {
        size_t n = cell_in_batch * CORNERS + corner;
        batch->x[n] = node(box.min.x, box.max.x, i + (corner & 1), divisions);
        batch->y[n] = node(box.min.y, box.max.y, j + (corner >> 1 & 1), divisions);
        batch->z[n] = node(box.min.z, box.max.z, k + (corner >> 2), divisions);
    }
}

/// The largest ratio over the 28 pairs of corners of one box, or `slope` if that is larger. NaN stays.
static float steepest_pair(const CornerBatch* batch, size_t first, float slope)
{
    for (size_t a = first; a < first + CORNERS; ++a)
    {
        for (size_t b = first; b < a; ++b)
        {
            AbutVec3 apart =
                abut_vec3(batch->x[a] - batch->x[b], batch->y[a] - batch->y[b], batch->z[a] - batch->z[b]);
            float length = abut_vec3_length(apart);
            float ratio = fabsf(batch->distance[a] - batch->distance[b]) / length;
            if (length > 0.0f && !(ratio <= slope) && !isnan(slope))
            {
                slope = ratio;
            }
        }
    }
    return slope;
}

AbutResult abut_shape_measure_slope(const AbutShape* shape, AbutBox box, uint32_t divisions, float* out)
{
    ABUT_FP_CALL(abut_shape_measure_slope, shape, box, divisions, out);
    if (!abut_box_is_finite(box) || abut_box_is_empty(box) || divisions < 1 || divisions > 256)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "slope: the box is infinite or empty, or the %u divisions are not from 1 to 256",
                         divisions);
    }
    CornerBatch batch;
    float slope = 0.0f;
    uint64_t cell_count = (uint64_t)divisions * divisions * divisions;
    for (uint64_t cell = 0; cell < cell_count; cell += CELLS_PER_BATCH)
    {
        size_t cells = cell_count - cell < CELLS_PER_BATCH ? (size_t)(cell_count - cell) : CELLS_PER_BATCH;
        for (size_t i = 0; i < cells; ++i)
        {
            set_corners(&batch, i, box, cell + i, divisions);
        }
        AbutPoints points = { batch.x, batch.y, batch.z };
        abut_shape_sample_batch(shape, NULL, points, cells * CORNERS,
                                (AbutSamples){ .distance = batch.distance });
        for (size_t i = 0; i < cells; ++i)
        {
            slope = steepest_pair(&batch, i * CORNERS, slope);
        }
    }
    if (isnan(slope))
    {
        return abut_fail(ABUT_INVALID_DATA, "slope: the shape is NaN at a corner in the box");
    }
    *out = slope;
    return ABUT_OK;
}
