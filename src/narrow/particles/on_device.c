#include "narrow/particles/on_device.h"

#include "base/assert.h"
#include "gpu/node_range.h"
#include "search/field_pair.h"

#include <math.h>
#include <string.h>

enum
{
    SMALLEST = -60, // exponents of lengths, unless they are 0
    LARGEST = 50
};

/// In cells: the rounding of larger sums is not under CELL_ROUNDING of gpu/shaders/thin.comp.
#define MOST_SHIFT 0x1p26

static bool copy(const float from[3], float to[3])
{
    memcpy(to, from, 3 * sizeof(float));
    return abut_gpu_in_range(from[0], SMALLEST, LARGEST) && abut_gpu_in_range(from[1], SMALLEST, LARGEST) &&
           abut_gpu_in_range(from[2], SMALLEST, LARGEST);
}

/// What a device needs to leave out particles that are not selected; nothing where the cells have numbers too
/// large for its rounding.
static void record_thinning(const AbutParticles* particles, const AbutParticleSettings* settings,
                            GpuPair* out)
{
    const AbutContactLattice* lattice = &particles->lattice;
    bool fits = abut_gpu_in_range((float)lattice->per_length, SMALLEST, LARGEST);
    for (int axis = 0; axis < 3; ++axis)
    {
        double whole = floor(lattice->shift[axis]);
        fits = fits && fabs(lattice->shift[axis]) < MOST_SHIFT;
        out->cell_shift[axis] = fits ? (float)(lattice->shift[axis] - whole) : 0.0f;
    }
    out->cells_per_length = (float)lattice->per_length;
    out->across_gaps = particles->across_gaps ? 1 : 0;
    out->keep = settings->max_contacts;
    out->thin =
        settings->one_per_voxel ? GPU_THIN_CELLS : (settings->max_contacts > 0 ? GPU_THIN_DEEPEST : 0);
    out->thin = fits ? out->thin : 0;
}

bool abut_particles_record(const AbutParticles* particles, const AbutParticleSettings* settings,
                           const AbutPair* pair, GpuPair* out)
{
    AbutFieldPair fields;
    if (!abut_field_pair_init(&fields, pair))
    {
        return false;
    }
    *out = (GpuPair){
        .grid_count = particles->grid_count,
        .steps = particles->steps,
        .quasi_random = particles->quasi_random ? 1 : 0,
        .epsilon = particles->epsilon,
        .relaxation = particles->relaxation,
    };
    memcpy(out->resolution, particles->resolution, sizeof(out->resolution));
    record_thinning(particles, settings, out);
    bool good = copy(particles->low, out->low) && copy(particles->sides, out->lengths) &&
                copy(particles->inverse, out->inverse) &&
                abut_gpu_in_range(particles->epsilon, SMALLEST, LARGEST) &&
                abut_gpu_in_range(particles->relaxation, SMALLEST, 1);
    for (int side = 0; side < 2; ++side)
    {
        good =
            abut_gpu_walk_side(fields.sides[side].transform, fields.sides[side].inflate, &out->sides[side]) &&
            good;
    }
    return good;
}

static void set_sample(const GpuHit* hit, AbutPairBatch* batch, size_t i)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        batch->at[axis][i] = hit->at[axis];
        batch->gradient[0][axis][i] = hit->gradient[0][axis];
        batch->gradient[1][axis][i] = hit->gradient[1][axis];
    }
    batch->distance[0][i] = hit->distance[0];
    batch->distance[1][i] = hit->distance[1];
}

void abut_particles_arrive(const AbutParticles* particles, const AbutPair* pair, const GpuHit* hits,
                           uint32_t count, AbutParticleTask* task)
{
    ABUT_ASSERT(count <= ABUT_PARTICLE_TASK_SIZE);
    abut_particles_begin_task(task);
    for (uint32_t first = 0; first < count; first += ABUT_PAIR_BATCH)
    {
        uint32_t rest = count - first;
        task->batch.count = rest < ABUT_PAIR_BATCH ? rest : ABUT_PAIR_BATCH;
        for (size_t i = 0; i < task->batch.count; ++i)
        {
            set_sample(&hits[first + i], &task->batch, i);
        }
        for (size_t i = 0; i < task->batch.count; ++i)
        {
            abut_particles_store(particles, pair, i, task);
        }
    }
    task->batch.count = 0;
}
