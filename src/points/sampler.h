/// @file sampler.h
/// Points that spread over the triangles of a mesh: thrown, evened out, and added to until no place is too
/// far from one.
#ifndef ABUT_POINTS_SAMPLER_H
#define ABUT_POINTS_SAMPLER_H

#include <abut/points.h>

#include "base/arena.h"
#include "mesh/box_tree.h"

/// A cell of the grid. Spacings that make these numbers large are refused.
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

/// Samples by the cell of a grid that they are in, in a hash table.
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
    AbutArena arena; // of what depends on the mesh alone
    const AbutMesh* mesh;
    AbutPointsDef def;
    double spacing;    // to be reached
    double* area_ends; // of the triangles up to each
    double area;
    AbutVec3* normals; // of the triangles
    AbutBoxTree tree;
    uint64_t random;
    AbutSurfaceSample* samples;
    size_t count, capacity;
    AbutSampleGrid grid;
    AbutSurfaceSample* moved; // room for the next round of relaxation
    size_t moved_capacity;
} AbutSampler;

#define ABUT_SAMPLE_NONE UINT32_MAX

/// Least spacing, in parts of the largest coordinate: rounding of places to float must not matter.
#define ABUT_SAMPLE_MIN_SPACING 8e-6

/// Samples up to so many spacings away push each other; cells must be as large for that.
#define ABUT_SAMPLE_REPULSION_RADIUS 2.0

/// True when two samples are on opposite sides of something thin, where they do not see each other.
static inline bool abut_samples_are_opposite(AbutVec3 normal, const AbutSurfaceSample* other)
{
    return abut_vec3_dot(normal, other->normal) < -0.5f;
}

/// Takes a mesh with triangles. On failure the sampler is to be destroyed all the same.
AbutResult abut_sampler_init(AbutSampler* sampler, const AbutPointsDef* def, const AbutMesh* mesh);
void abut_sampler_destroy(AbutSampler* sampler);

/// A random number in [0, 1).
double abut_sampler_random(AbutSampler* sampler);

/// Adds a sample and files it. ABUT_LIMIT_EXCEEDED when there are too many.
AbutResult abut_sampler_add(AbutSampler* sampler, AbutVec3 at, uint32_t triangle);

/// Files all samples by cells of a size, at least the spacing.
AbutResult abut_sampler_fill_grid(AbutSampler* sampler, double cell_size);

/// Calls visit for the samples of the 27 cells around a place until it returns true; then so does this.
typedef bool AbutSampleVisitFn(void* context, const AbutSurfaceSample* sample);
bool abut_sampler_visit(const AbutSampler* sampler, const double at[3], AbutSampleVisitFn* visit,
                        void* context);

/// Throws samples at random that keep a distance from those on the same side.
AbutResult abut_sampler_throw_darts(AbutSampler* sampler);

/// Where its neighbours push a sample that is on the surface.
AbutSurfaceSample abut_sampler_repel(const AbutSampler* sampler, const AbutSurfaceSample* sample);

/// A round of repulsion along the surface.
AbutResult abut_sampler_relax(AbutSampler* sampler);

/// Adds samples until every place of every triangle is within the spacing of one.
AbutResult abut_sampler_cover(AbutSampler* sampler);

/// All of it, for the sampler's spacing. Samples before are forgotten.
AbutResult abut_sampler_generate(AbutSampler* sampler);

/// What the def asks for: its spacing, or one that gives its count.
AbutResult abut_sampler_sample(AbutSampler* sampler);

/// A spacing that gives about so many samples: by area, or by length where there is none.
double abut_sampler_spacing_for(const AbutSampler* sampler, double count);

/// The samples as a set.
AbutResult abut_sampler_create_points(AbutSampler* sampler, AbutPointSet** out);

/// ABUT_OK when the numbers of a def make sense.
AbutResult abut_points_check_def(const AbutPointsDef* def);

/// Progress, as the def's function sees it. ABUT_CANCELLED when that says so.
AbutResult abut_sampler_progress(const AbutSampler* sampler, float done);

#endif
