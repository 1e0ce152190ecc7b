/// @file sample_limit.h
/// What sampling is measured against: a plain loop over a bare grid of floats, and OpenVDB where it is
/// installed. Both get the points that abut gets and fill the same arrays.
#ifndef ABUT_BENCH_SAMPLE_LIMIT_H
#define ABUT_BENCH_SAMPLE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Nodes of a cube, x fastest.
typedef struct SampleGrid
{
    const float* values;
    int cells; // along a side; nodes are one more
    float origin[3];
    float inverse_cell;
} SampleGrid;

/// Points in the units of the world.
typedef struct SamplePoints
{
    const float *x, *y, *z;
    size_t count; // a multiple of 8
} SamplePoints;

typedef struct SampleOutput
{
    float* distance;
    float* gradient[3]; // NULL: distance alone
} SampleOutput;

/// Gathers, clamped to the grid and nothing else: what the processor's own way to read a grid gives without
/// any layer above it. Eight gathers of one value for eight points or, with `pairs`, eight of two values for
/// four; which is faster depends on the processor. False where it has no AVX2.
bool sample_limit_run(const SampleGrid* grid, SamplePoints points, SampleOutput out, bool pairs);

/// A tree of OpenVDB with the nodes of the grid, every one of them stored; NULL where OpenVDB is not built
/// in.
typedef struct VdbSampler VdbSampler;
VdbSampler* vdb_sampler_create(const SampleGrid* grid);
void vdb_sampler_destroy(VdbSampler* sampler);

/// BoxSampler through one accessor for all points, its fastest use.
void vdb_sampler_run(const VdbSampler* sampler, const SampleGrid* grid, SamplePoints points, float* distance);

#ifdef __cplusplus
}
#endif

#endif
