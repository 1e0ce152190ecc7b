/// @file sampler.h
/// Samples spread over the triangles of a mesh: thrown, relaxed, and added to until they cover the surface.
#ifndef ABUT_POINTS_SAMPLER_H
#define ABUT_POINTS_SAMPLER_H

#include <abut/points.h>

#include "base/arena.h"
#include "math/dvec3.h"
#include "mesh/box_tree.h"

/// A cell of the grid. Spacings that make its coordinates too large are refused.
typedef struct AbutSampleCell
{
    int32_t at[3];
} AbutSampleCell;

typedef struct AbutSurfaceSample
{
    AbutVec3 at;
    AbutVec3 normal; // of its face; zero on one without
    uint32_t triangle;
    uint32_t next; // in the list of its cell
    AbutSampleCell cell;
} AbutSurfaceSample;

/// Samples by cell of a grid, in a hash table.
typedef struct AbutSampleGrid
{
    double cell_size;
    uint32_t head_count; // a power of two
    size_t head_capacity;
    uint32_t* heads;
} AbutSampleGrid;

typedef struct AbutSampler
{
    AbutHost host;
    AbutArena arena; // of data that depends on the mesh alone
    const AbutMesh* mesh;
    AbutPointsDef def;
    double spacing;    // wanted
    double* area_ends; // prefix sums of the areas of triangles
    double area;
    AbutVec3* normals; // of the triangles
    AbutBoxTree tree;
    uint64_t random;
    AbutSurfaceSample* samples;
    size_t count, capacity;
    AbutSampleGrid grid;
    AbutSurfaceSample* moved; // scratch of an iteration of relaxation
    size_t moved_capacity;
} AbutSampler;

#define ABUT_SAMPLE_NONE UINT32_MAX

/// Least spacing, relative to the largest coordinate, above the rounding of positions to float.
#define ABUT_SAMPLE_MIN_SPACING 8e-6

/// Distance up to which samples repel each other, in spacings; cells must be as large for that.
#define ABUT_SAMPLE_REPULSION_RADIUS 2.0

/// True when two samples are on opposite sides of a thin wall, where they do not affect each other.
static inline bool abut_samples_are_opposite(AbutVec3 normal, const AbutSurfaceSample* other)
{
    return abut_vec3_dot(normal, other->normal) < -0.5f;
}

/// Takes a mesh with triangles. On failure the sampler is to be destroyed all the same.
AbutResult abut_sampler_init(AbutSampler* sampler, const AbutPointsDef* def, const AbutMesh* mesh);
void abut_sampler_destroy(AbutSampler* sampler);

/// A random number in [0, 1).
double abut_sampler_random(AbutSampler* sampler);

/// Adds a sample, to the grid too. ABUT_LIMIT_EXCEEDED when there are too many.
AbutResult abut_sampler_add(AbutSampler* sampler, AbutVec3 at, uint32_t triangle);

/// Distributes all samples to cells of a size, at least the spacing.
AbutResult abut_sampler_fill_grid(AbutSampler* sampler, double cell_size);

/// Calls visit for the samples of the 27 cells around a point until it returns true; then so does this.
typedef bool AbutSampleVisitFn(void* context, const AbutSurfaceSample* sample);
bool abut_sampler_visit(const AbutSampler* sampler, AbutDVec3 at, AbutSampleVisitFn* visit, void* context);

/// Reports progress to the function of the def. ABUT_CANCELLED when it returns false.
AbutResult abut_sampler_progress(const AbutSampler* sampler, float done);

#endif
