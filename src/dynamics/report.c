// Counts, energies and penetration depths of a step.
#include "dynamics/report.h"

#include "dynamics/depth.h"
#include "dynamics/state/integrate.h"
#include "dynamics/state/world.h"

void abut_report_measure(AbutWorld* world, AbutStepReport* report)
{
    const AbutContactStore* store = &world->stores[world->current];
    for (size_t i = 0; i < store->manifold_count; ++i)
    {
        report->touching_pair_count += store->manifolds[i].touching ? 1u : 0u;
    }
    if (world->response->report != NULL)
    {
        world->response->report(world, report);
    }
    report->contact_count = (uint32_t)store->point_count;
    report->max_penetration = (float)abut_world_max_penetration(world);
    const AbutVec3 g = world->def.gravity;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        if (abut_body_is_alive(body) && body->kind == ABUT_BODY_DYNAMIC)
        {
            double height = abut_dvec3_dot(abut_dvec3_from_vec3(g), body->position);
            report->kinetic_energy += abut_body_energy(body);
            report->potential_energy -= height / body->inverse_mass;
            report->awake_count += body->asleep ? 0u : 1u;
        }
    }
}
