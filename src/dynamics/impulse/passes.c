// The number of passes of a step, by the travel and the size of its bodies.
#include "dynamics/impulse/passes.h"

#include "dynamics/contacts/convex_contacts.h"
#include "dynamics/state/speculative.h"
#include "dynamics/state/world.h"

#include <math.h>

/// Relative travel of a pass, as a fraction of the smaller radius, beyond which contacts are detected again
/// during the step: those of the start are not where bodies touch.
#define FAR_FRACTION 0.12

/// Share of the travel of convex solids that counts. Beyond the planes of their contacts nothing is missed,
/// however far they move; only rotations change which features meet.
#define CONVEX_SHARE 0.18

/// Largest relative travel of a pair in the step, as a fraction of the smaller radius.
static double largest_travel(const AbutWorld* world)
{
    double largest = 0.0;
    for (size_t i = 0; i < world->pair_count; ++i)
    {
        const AbutBody *a = &world->bodies[world->pairs[i].a], *b = &world->bodies[world->pairs[i].b];
        double travel = abut_pair_travel(world, a, b); // for small bodies, free fall is far
        double share = abut_pair_is_convex(world, a, b) ? CONVEX_SHARE : 1.0;
        largest = fmax(largest, share * travel / fmin((double)a->radius, (double)b->radius));
    }
    return largest; // bodies of recycled manifolds hardly move
}

/// Largest subdivision of a step, as a fraction of √(radius / gravity) of the smallest body.
#define SHORT_FRACTION 0.5

/// Subdivisions, at most.
#define MAX_SUBDIVISIONS 64

/// Smallest radius of awake dynamic bodies in proximity to others.
static double smallest_radius(const AbutWorld* world)
{
    const AbutContactStore* last = &world->stores[world->current];
    double smallest = INFINITY;
    for (size_t i = 0; i < world->pair_count + last->manifold_count; ++i)
    {
        bool is_pair = i < world->pair_count;
        const AbutManifold* m = is_pair ? NULL : &last->manifolds[i - world->pair_count];
        if (!is_pair && (!m->recycled || m->count == 0))
        {
            continue;
        }
        const AbutBody* a = &world->bodies[is_pair ? world->pairs[i].a : m->a];
        const AbutBody* b = &world->bodies[is_pair ? world->pairs[i].b : m->b];
        smallest = abut_body_moves(a) ? fmin(smallest, (double)a->radius) : smallest;
        smallest = abut_body_moves(b) ? fmin(smallest, (double)b->radius) : smallest;
    }
    return smallest;
}

uint32_t abut_passes_subdivisions(const AbutWorld* world, double seconds)
{
    double ratio = (double)abut_vec3_length(world->def.gravity) * seconds * seconds / smallest_radius(world);
    uint32_t subdivisions = 1;
    while (subdivisions < MAX_SUBDIVISIONS &&
           ratio > SHORT_FRACTION * SHORT_FRACTION * (double)subdivisions * (double)subdivisions)
    {
        subdivisions *= 2;
    }
    return subdivisions;
}

uint32_t abut_passes_count(const AbutWorld* world, uint32_t subdivisions)
{
    double largest = largest_travel(world);
    uint32_t passes = subdivisions, most = ABUT_FAST_SUBSTEPS * world->def.substep_count * subdivisions;
    while (most % (2 * passes) == 0 && largest > FAR_FRACTION * passes)
    {
        passes *= 2;
    }
    return passes;
}
