#include "narrow/particles/particles.h"
#include "base/assert.h"
#include "narrow/particles/kernels.h"

#include "narrow/prove/overlap.h"
#include "search/field_pair.h"

#include <math.h>
#include <string.h>

#define ABUT_WIDE_SCALAR
#include "simd/lanes.inl"

#include "narrow/particles/start_math.inl"

// -----------------------------------------------------------------------------------------------------------
// Algorithm 1
// -----------------------------------------------------------------------------------------------------------

/// By Newton's method, so that every C library gives the same bits; x > 0.
static double cube_root(double x)
{
    int exponent;
    frexp(x, &exponent);
    double y = ldexp(1.0, exponent / 3 + 1); // above the root, from where it only falls
    for (int i = 0; i < 16; ++i)
    {
        double next = y - (y - x / (y * y)) / 3.0;
        if (!(next < y))
        {
            break;
        }
        y = next;
    }
    return y;
}

static double at_least_one(double r)
{
    double rounded = floor(r + 0.5);
    return rounded > 1.0 ? rounded : 1.0;
}

/// Lines 6 to 10 of the paper for sides over 0: `rest` is n³ over the product of the finished sides, r the
/// continuous resolutions of one or two others, the longer first. The rounding of the last one is distributed
/// to those before it.
static void resolve_sheet(double rest, AbutDVec3* r)
{
    double q = sqrt(r->x * r->y / rest);
    r->y = at_least_one(r->y / q);
    r->x = at_least_one(rest / r->y);
}

/// Of sorted sides, the longest first.
static AbutDVec3 resolve(AbutDVec3 sides, double grid_cell, double n)
{
    AbutDVec3 r = abut_dvec3(1.0, 1.0, 1.0);
    if (sides.z > 0.0)
    {
        double a2 = sides.y / sides.x, a3 = sides.z / sides.x;
        r.x = n / cube_root(a2 * a3);
        r.y = r.x * a2;
        r.z = at_least_one(r.x * a3);
        resolve_sheet(grid_cell / r.z, &r);
    }
    else if (sides.y > 0.0) // the limit of a third side towards 0
    {
        double a2 = sides.y / sides.x;
        r.x = sqrt(grid_cell / a2);
        r.y = r.x * a2;
        resolve_sheet(grid_cell, &r);
    }
    else if (sides.x > 0.0)
    {
        r.x = grid_cell;
    }
    return r;
}

void abut_particle_resolution(AbutDVec3 sides, uint32_t n, uint32_t resolution[3])
{
    int order[3] = { 0, 1, 2 };
    for (int i = 0; i < 3; ++i) // the longest first; of equal sides, the first
    {
        for (int j = 2; j > 0; --j)
        {
            if (abut_dvec3_get(sides, order[j]) > abut_dvec3_get(sides, order[j - 1]))
            {
                int axis = order[j];
                order[j] = order[j - 1];
                order[j - 1] = axis;
            }
        }
    }
    AbutDVec3 sorted = abut_dvec3(abut_dvec3_get(sides, order[0]), abut_dvec3_get(sides, order[1]),
                                  abut_dvec3_get(sides, order[2]));
    AbutDVec3 r = resolve(sorted, (double)n * n * n, n);
    resolution[order[0]] = (uint32_t)r.x;
    resolution[order[1]] = (uint32_t)r.y;
    resolution[order[2]] = (uint32_t)r.z;
}

// -----------------------------------------------------------------------------------------------------------
// Starts
// -----------------------------------------------------------------------------------------------------------

AbutResult abut_particles_check(const AbutParticleSettings* settings)
{
    if (settings->resolution < 1 || settings->resolution > ABUT_PARTICLE_RESOLUTION_MAX)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: %u particles along a side; it must be 1 to %d",
                         settings->resolution, ABUT_PARTICLE_RESOLUTION_MAX);
    }
    if (settings->steps < 1 || settings->steps > ABUT_PARTICLE_STEPS_MAX)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: %u steps of particles; it must be 1 to %d",
                         settings->steps, ABUT_PARTICLE_STEPS_MAX);
    }
    if (!(settings->relaxation > 0.0f && settings->relaxation < 2.0f))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "collide: relaxation of particles is %g; it must be over 0 and under 2",
                         (double)settings->relaxation);
    }
    if (settings->starts == NULL && settings->start_count > 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: the contacts to start from are NULL");
    }
    return ABUT_OK;
}

/// The box that both may occupy, as in the paper, and half of the margin around it.
static AbutBox common_box(const AbutPair* pair, float margin)
{
    AbutBox boxes[2];
    for (int i = 0; i < 2; ++i)
    {
        AbutTransform frame = i == 0 ? abut_transform_identity() : pair->relative;
        frame.translation = abut_dvec3_sub(frame.translation, pair->origin);
        boxes[i] = abut_transform_box(&frame, abut_shape_info(pair->sides[i].shape).bounds);
    }
    return abut_box_intersection(abut_box_expand(boxes[0], 0.5f * margin),
                                 abut_box_expand(boxes[1], 0.5f * margin));
}

AbutParticles abut_particles_make(const AbutPair* pair, const AbutCollideSettings* settings, float tolerance,
                                  float spacing)
{
    AbutBox box = common_box(pair, settings->margin);
    AbutVec3 extents = abut_vec3_max(abut_box_extents(box), abut_vec3(0.0f, 0.0f, 0.0f));
    AbutParticles particles = {
        .low = { box.min.x, box.min.y, box.min.z },
        .sides = { extents.x, extents.y, extents.z },
        .epsilon = tolerance + 0.5f * settings->margin,
        .relaxation = settings->particles.relaxation,
        .spacing = spacing,
        .lattice = abut_contact_lattice(spacing, pair->origin),
        .steps = settings->particles.steps,
        .quasi_random = settings->particles.quasi_random,
        .across_gaps = settings->margin > 0.0f,
        .starts = settings->particles.starts,
        .origin = pair->origin,
    };
    abut_particle_resolution(abut_dvec3_from_vec3(extents), settings->particles.resolution,
                             particles.resolution);
    const uint32_t* resolution = particles.resolution;
    particles.inverse[0] = 1.0f / (float)resolution[0];
    particles.inverse[1] = 1.0f / (float)resolution[1];
    particles.inverse[2] = 1.0f / (float)resolution[2];
    particles.grid_count = resolution[0] * resolution[1] * resolution[2];
    // No more than the grid has, so that starts do not multiply from step to step.
    uint32_t starts = settings->particles.start_count;
    particles.count = particles.grid_count + (starts < particles.grid_count ? starts : particles.grid_count);
    return particles;
}

/// The next particle becomes number `i` of the batch.
static void start_particle(const AbutParticles* particles, AbutParticleTask* task, size_t i)
{
    uint32_t number = task->next++;
    task->left[i] = (float)particles->steps;
    if (number >= particles->grid_count)
    {
        AbutDVec3 at = abut_dvec3_from_vec3(particles->starts[number - particles->grid_count].position);
        abut_pair_batch_set(&task->batch, i, abut_dvec3_to_vec3(abut_dvec3_sub(at, particles->origin)));
        return;
    }
    WideVec fraction = particles->quasi_random
                           ? quasi_random_fractions(number)
                           : WideVec(grid_fraction(task->grid_index[0], particles->inverse[0]),
                                     grid_fraction(task->grid_index[1], particles->inverse[1]),
                                     grid_fraction(task->grid_index[2], particles->inverse[2]));
    const float *low = particles->low, *sides = particles->sides;
    task->batch.at[0][i] = start_position(low[0], sides[0], fraction.x);
    task->batch.at[1][i] = start_position(low[1], sides[1], fraction.y);
    task->batch.at[2][i] = start_position(low[2], sides[2], fraction.z);
    for (int axis = 0; axis < 3 && ++task->grid_index[axis] == particles->resolution[axis]; ++axis)
    {
        task->grid_index[axis] = 0;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Algorithm 2
// -----------------------------------------------------------------------------------------------------------

void abut_particles_begin_task(AbutParticleTask* task)
{
    task->proved_depth = -1.0f;
    task->depth = -INFINITY;
    task->arrived_count = 0;
    task->batch.count = 0;
}

void abut_particles_store(const AbutParticles* particles, const AbutPair* pair, size_t i,
                          AbutParticleTask* task)
{
    const AbutPairBatch* batch = &task->batch;
    float smaller = fminf(batch->distance[0][i], batch->distance[1][i]);
    float depth = -smaller - fmaxf(fmaxf(batch->distance[0][i], batch->distance[1][i]), 0.0f);
    if (depth > task->depth) // proofs take time, and the deepest is the likeliest
    {
        task->depth = depth;
        task->proved_depth = fmaxf(task->proved_depth, abut_prove_depth(pair, batch, i));
    }
    AbutContact* contact = &task->arrived[task->arrived_count++];
    AbutContactCandidate candidate = abut_contact_candidate_at(batch, i);
    abut_contact_make(pair, &candidate, abut_contact_cell_id(&particles->lattice, candidate.at), contact);
    contact->separation = particles->across_gaps ? contact->separation : smaller;
    task->arrived_count -= abut_contact_is_finite(contact) ? 0 : 1;
}

/// Particle `i` is done and replaced by the next one, or by the last one of the batch.
static void replace(const AbutParticles* particles, AbutParticleTask* task, size_t i)
{
    AbutPairBatch* batch = &task->batch;
    if (task->next < task->end)
    {
        start_particle(particles, task, i);
        return;
    }
    size_t last = --batch->count;
    batch->at[0][i] = batch->at[0][last];
    batch->at[1][i] = batch->at[1][last];
    batch->at[2][i] = batch->at[2][last];
    task->left[i] = task->left[last];
}

/// One step of all particles of the batch.
static void step(const AbutParticles* particles, AbutPair* pair, AbutParticleTask* task)
{
    AbutPairBatch* batch = &task->batch;
    float(*a)[ABUT_PAIR_BATCH] = batch->gradient[0], (*b)[ABUT_PAIR_BATCH] = batch->gradient[1];
    AbutParticleStep all = {
        .at = { batch->at[0], batch->at[1], batch->at[2] },
        .a = { batch->distance[0], a[0], a[1], a[2] },
        .b = { batch->distance[1], b[0], b[1], b[2] },
        .left = task->left,
        .epsilon = particles->epsilon,
        .relaxation = particles->relaxation,
    };
    uint32_t arrived[ABUT_PAIR_BATCH / 32], done[ABUT_PAIR_BATCH / 32];
    abut_pair_sample(pair, batch, true);
    abut_particle_kernels()->step(&all, batch->count, arrived, done);
    // From the end, so that the last one of the batch is never a finished one.
    for (size_t word = (batch->count + 31) / 32; word-- > 0;)
    {
        for (uint32_t bit = 32; done[word] != 0 && bit-- > 0;)
        {
            if ((arrived[word] >> bit & 1) != 0)
            {
                abut_particles_store(particles, pair, 32 * word + bit, task);
            }
            if ((done[word] >> bit & 1) != 0)
            {
                replace(particles, task, 32 * word + bit);
            }
        }
    }
}

/// Fills the batch with the next particles.
static void fill_batch(const AbutParticles* particles, AbutParticleTask* task)
{
    while (task->batch.count < ABUT_PAIR_BATCH && task->next < task->end)
    {
        start_particle(particles, task, task->batch.count++);
    }
}

/// All steps of all particles of the batch, between two fields.
static void walk(const AbutParticles* particles, const AbutFieldPair* fields, AbutPair* pair,
                 AbutParticleTask* task)
{
    uint32_t arrived[ABUT_PAIR_BATCH / 32];
    AbutFieldPairBatch all = abut_field_pair_batch(fields, &task->batch);
    pair->evaluations += abut_particle_kernels()->walk(&all, particles->steps, particles->epsilon,
                                                       particles->relaxation, arrived);
    for (size_t i = 0; i < task->batch.count; ++i)
    {
        if ((arrived[i / 32] >> i % 32 & 1u) != 0)
        {
            abut_particles_store(particles, pair, i, task);
        }
    }
    task->batch.count = 0;
}

void abut_particles_project(const AbutParticles* particles, AbutPair* pair, uint32_t first, uint32_t count,
                            AbutParticleTask* task)
{
    ABUT_ASSERT(count > 0 && count <= ABUT_PARTICLE_TASK_SIZE && first + count <= particles->count);
    const uint32_t* r = particles->resolution;
    AbutFieldPair fields;
    bool both_fields = abut_field_pair_init(&fields, pair);
    task->next = first;
    task->end = first + count;
    task->grid_index[0] = first % r[0];
    task->grid_index[1] = first / r[0] % r[1];
    task->grid_index[2] = first / r[0] / r[1];
    abut_particles_begin_task(task);
    fill_batch(particles, task);
    while (task->batch.count > 0)
    {
        if (both_fields)
        {
            walk(particles, &fields, pair, task);
            fill_batch(particles, task);
        }
        else
        {
            step(particles, pair, task);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// One pair
// -----------------------------------------------------------------------------------------------------------

AbutCollideState abut_particles_state(float gap, size_t arrived, float proved_depth)
{
    if (gap > 0.0f)
    {
        return ABUT_COLLIDE_SEPARATED;
    }
    return proved_depth >= 0.0f ? ABUT_COLLIDE_CONTACT
                                : (arrived > 0 ? ABUT_COLLIDE_CLOSE : ABUT_COLLIDE_NONE_FOUND);
}

size_t abut_particles_join(AbutContact* contacts, size_t count, uint32_t* doublings)
{
    count = abut_contacts_join(contacts, count);
    while (count > ABUT_PARTICLE_VOXELS_MAX)
    {
        *doublings += 1;
        for (size_t i = 0; i < count; ++i)
        {
            contacts[i].id = abut_contact_cell_coarsen(contacts[i].id, 1);
        }
        count = abut_contacts_join(contacts, count);
    }
    return count;
}

/// Adds the contacts of a task to the list, one per cell.
static void add_to_cells(AbutParticleTask* task, AbutContactList* list, uint32_t* doublings)
{
    for (uint32_t i = 0; i < task->arrived_count; ++i)
    {
        if (list->count == ABUT_CONTACT_LIST_CAPACITY)
        {
            list->count = (int)abut_particles_join(list->items, (size_t)list->count, doublings);
        }
        list->items[list->count] = task->arrived[i];
        list->items[list->count].id = abut_contact_cell_coarsen(task->arrived[i].id, *doublings);
        list->count += 1;
    }
}

/// All tasks; the deepest contacts stay in the caller's array, or all are in the list when there is one per
/// cell. Returns the count of arrived particles.
static size_t project_all(const AbutParticles* particles, bool one_per_cell, AbutPair* pair,
                          AbutParticleTask* task, AbutContactList* list, AbutContact* contacts, size_t most,
                          AbutCollideOutput* output, uint32_t* doublings, float* proved_depth)
{
    size_t total = 0, count = 0;
    for (uint32_t first = 0; first < particles->count; first += ABUT_PARTICLE_TASK_SIZE)
    {
        uint32_t rest = particles->count - first;
        abut_particles_project(particles, pair, first,
                               rest < ABUT_PARTICLE_TASK_SIZE ? rest : ABUT_PARTICLE_TASK_SIZE, task);
        total += task->arrived_count;
        *proved_depth = fmaxf(*proved_depth, task->proved_depth);
        if (one_per_cell)
        {
            add_to_cells(task, list, doublings);
            continue;
        }
        for (uint32_t i = 0; i < task->arrived_count; ++i)
        {
            abut_contacts_offer(contacts, &count, most, &task->arrived[i]);
        }
    }
    output->contact_count = (uint32_t)count;
    return total;
}

void abut_particles_collide(const AbutParticles* particles, const AbutParticleSettings* settings,
                            AbutPair* pair, AbutParticleTask* task, AbutContactList* list,
                            AbutContact* contacts, uint32_t capacity, AbutCollideOutput* output)
{
    size_t most = capacity;
    most = settings->max_contacts > 0 && settings->max_contacts < most ? settings->max_contacts : most;
    float proved_depth = -1.0f;
    uint32_t doublings = 0;
    list->count = 0;
    size_t total = project_all(particles, settings->one_per_voxel, pair, task, list, contacts, most, output,
                               &doublings, &proved_depth);
    output->state = abut_particles_state(output->gap, total, proved_depth);
    if (settings->one_per_voxel)
    {
        total = abut_particles_join(list->items, (size_t)list->count, &doublings);
        size_t count = abut_contacts_keep_deepest(list->items, total, most);
        if (count > 0)
        {
            memcpy(contacts, list->items, count * sizeof(contacts[0]));
        }
        output->contact_count = (uint32_t)count;
        output->spacing = ldexpf(particles->spacing, (int)doublings);
    }
    else
    {
        abut_contacts_sort(contacts, output->contact_count);
    }
    output->contact_total = (uint32_t)total;
}
