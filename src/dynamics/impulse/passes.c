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

/// Substeps of a pass, at least: a detection for each substep finds nothing that one for two does not. Pairs
/// without friction, and those that guide each other, have one for each: their play is small. So have those
/// that bounce: the contact must be known at the time of impact.
#define PASS_SUBSTEPS 2

/// Whether a pair needs a detection for each substep.
static bool is_precise(const AbutStepContext* step, const AbutBodyPair* pair)
{
    const AbutWorld* world = step->world;
    const AbutBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (a->material.friction == 0.0f || b->material.friction == 0.0f || a->material.restitution > 0.0f ||
        b->material.restitution > 0.0f)
    {
        return true;
    }
    const AbutManifold* m = step->has_tight ? abut_world_last_manifold(world, pair->a, pair->b) : NULL;
    return m != NULL && m->is_tight;
}

/// Largest relative travels in the step, as fractions of the smaller radius: of all pairs, of precise ones.
typedef struct Travels
{
    double all, precise;
} Travels;

static Travels largest_travels(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    Travels largest = { 0.0, 0.0 };
    for (size_t i = 0; i < step->pair_count; ++i)
    {
        const AbutBody *a = &world->bodies[step->pairs[i].a], *b = &world->bodies[step->pairs[i].b];
        double travel = abut_pair_travel(step, a, b); // for small bodies, free fall is far
        double share = abut_pair_is_convex(world, a, b) ? CONVEX_SHARE : 1.0;
        double fraction = share * travel / fmin((double)a->radius, (double)b->radius);
        largest.all = fmax(largest.all, fraction);
        if (fraction > largest.precise && fraction > FAR_FRACTION && is_precise(step, &step->pairs[i]))
        {
            largest.precise = fraction;
        }
    }
    return largest; // bodies of recycled manifolds hardly move
}

/// Largest subdivision of a step, as a fraction of √(radius / gravity) of the smallest body.
#define SHORT_FRACTION 0.5

/// Subdivisions, at most.
#define MAX_SUBDIVISIONS 64

/// Smallest radius of awake dynamic bodies in proximity to others.
static double smallest_radius(const AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutContactStore* last = &world->stores[world->current];
    double smallest = INFINITY;
    for (size_t i = 0; i < step->pair_count + last->manifold_count; ++i)
    {
        bool is_pair = i < step->pair_count;
        const AbutManifold* m = is_pair ? NULL : &last->manifolds[i - step->pair_count];
        if (!is_pair && (!m->recycled || m->count == 0))
        {
            continue;
        }
        const AbutBody* a = &world->bodies[is_pair ? step->pairs[i].a : m->a];
        const AbutBody* b = &world->bodies[is_pair ? step->pairs[i].b : m->b];
        smallest = abut_body_moves(a) ? fmin(smallest, (double)a->radius) : smallest;
        smallest = abut_body_moves(b) ? fmin(smallest, (double)b->radius) : smallest;
    }
    return smallest;
}

uint32_t abut_passes_subdivisions(const AbutStepContext* step)
{
    double seconds = step->seconds, gravity = (double)abut_vec3_length(step->world->def.gravity);
    double ratio = gravity * seconds * seconds / smallest_radius(step);
    uint32_t subdivisions = 1;
    while (subdivisions < MAX_SUBDIVISIONS &&
           ratio > SHORT_FRACTION * SHORT_FRACTION * (double)subdivisions * (double)subdivisions)
    {
        subdivisions *= 2;
    }
    return subdivisions;
}

uint32_t abut_passes_count(const AbutStepContext* step, uint32_t subdivisions)
{
    Travels largest = largest_travels(step);
    uint32_t passes = subdivisions,
             substeps = ABUT_FAST_SUBSTEPS * step->world->def.substep_count * subdivisions;
    while (substeps % (2 * passes) == 0)
    {
        bool is_fine = substeps < 2 * passes * PASS_SUBSTEPS;
        if (!((is_fine ? largest.precise : largest.all) > FAR_FRACTION * passes))
        {
            break;
        }
        passes *= 2;
    }
    return passes;
}
