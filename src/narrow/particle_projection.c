// The method "particles": a grid of particles projected onto the intersection (Krayer et al.), in tasks of
// ABUT_PARTICLE_TASK_SIZE as in the paper's Algorithm 3.
#include "base/assert.h"
#include "narrow/method.h"
#include "narrow/particles/emptiness_proof.h"
#include "narrow/particles/on_device.h"

#include <math.h>

static AbutResult check(const AbutCollideSettings* settings)
{
    return abut_particles_check(&settings->particles);
}

static bool settings_equal(const AbutCollideSettings* first, const AbutCollideSettings* second)
{
    const AbutParticleSettings *a = &first->particles, *b = &second->particles;
    return a->resolution == b->resolution && a->steps == b->steps && a->relaxation == b->relaxation &&
           a->quasi_random == b->quasi_random && a->one_per_voxel == b->one_per_voxel &&
           a->max_contacts == b->max_contacts && a->starts == b->starts && a->start_count == b->start_count &&
           a->reuse == b->reuse;
}

static AbutParticles make_particles(const AbutNarrowQuery* query)
{
    float tolerance = abut_pair_tolerance(query->pair->size, query->settings->tolerance);
    return abut_particles_make(query->pair, query->settings, tolerance, query->output->spacing);
}

static void collide(const AbutNarrowQuery* query)
{
    ABUT_ASSERT(query->scratch != NULL && query->output->spacing >= 0.0f);
    AbutParticles particles = make_particles(query);
    query->output->state = abut_particles_state(query->output->gap, 0, -1.0f);
    if (abut_particles_prove_empty(&particles, query->pair))
    {
        return;
    }
    abut_particles_collide(&particles, &query->settings->particles, query->pair, &query->scratch->task,
                           &query->scratch->list, query->contacts, query->capacity, query->output);
}

/// None where it is proved that no particle arrives.
static uint32_t count_tasks(const AbutNarrowQuery* query)
{
    AbutParticles particles = make_particles(query);
    query->output->state = abut_particles_state(query->output->gap, 0, -1.0f);
    return abut_particles_prove_empty(&particles, query->pair)
               ? 0
               : (particles.count + ABUT_PARTICLE_TASK_SIZE - 1) / ABUT_PARTICLE_TASK_SIZE;
}

static AbutNarrowTask run_task(const AbutNarrowQuery* query, uint32_t task)
{
    ABUT_ASSERT(query->scratch != NULL);
    AbutParticles particles = make_particles(query);
    AbutParticleTask* scratch = &query->scratch->task;
    uint32_t first = task * ABUT_PARTICLE_TASK_SIZE, rest = particles.count - first;
    abut_particles_project(&particles, query->pair, first,
                           rest < ABUT_PARTICLE_TASK_SIZE ? rest : ABUT_PARTICLE_TASK_SIZE, scratch);
    return (AbutNarrowTask){ scratch->arrived, scratch->arrived_count, scratch->proved_depth };
}

static void finish_tasks(const AbutCollideSettings* settings, AbutContact* contacts, size_t count,
                         float proved_depth, AbutCollideOutput* output)
{
    const AbutParticleSettings* own = &settings->particles;
    size_t total = count + output->contact_total;
    output->state = abut_particles_state(output->gap, count, proved_depth);
    if (own->one_per_voxel)
    {
        uint32_t doublings = 0;
        total = count = abut_particles_join(contacts, count, &doublings);
        output->spacing = ldexpf(output->spacing, (int)doublings);
    }
    size_t kept =
        abut_contacts_keep_deepest(contacts, count, own->max_contacts > 0 ? own->max_contacts : count);
    output->contact_total = (uint32_t)total;
    output->contact_count = (uint32_t)kept;
}

static uint32_t record_on_device(const AbutNarrowQuery* query, GpuPair* out, const AbutShape* fields[2])
{
    fields[0] = query->pair->sides[0].shape;
    fields[1] = query->pair->sides[1].shape;
    AbutParticles particles = make_particles(query);
    return abut_particles_record(&particles, &query->settings->particles, query->pair, out) ? particles.count
                                                                                            : 0;
}

static AbutNarrowTask finish_on_device(const AbutNarrowQuery* query, const GpuHit* hits, uint32_t count)
{
    AbutParticles particles = make_particles(query);
    AbutParticleTask* scratch = &query->scratch->task;
    abut_particles_arrive(&particles, query->pair, hits, count, scratch);
    return (AbutNarrowTask){ scratch->arrived, scratch->arrived_count, scratch->proved_depth };
}

const AbutNarrowMethod abut_narrow_particles = {
    .name = "particles",
    .needs_pair = true,
    .needs_scratch = true,
    .check = check,
    .settings_equal = settings_equal,
    .collide = collide,
    .count_tasks = count_tasks,
    .run_task = run_task,
    .finish_tasks = finish_tasks,
    .task_particles = ABUT_PARTICLE_TASK_SIZE,
    .record_on_device = record_on_device,
    .finish_on_device = finish_on_device,
};
