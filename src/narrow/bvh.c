// The method "bvh": two solids of triangles. The state is that of their triangles, exact but for the rounding
// of poses; contacts are those of the search by distances, which the trees of the meshes measure.
#include "math/rounding.h"
#include "narrow/contacts/contacts.h"
#include "narrow/contacts/speculative.h"
#include "narrow/method.h"
#include "narrow/triangles/mesh_pair.h"

static void collide(const AbutNarrowQuery* query)
{
    const AbutCollideSettings* settings = query->settings;
    AbutCollideOutput* output = query->output;
    float tolerance = abut_pair_tolerance(query->pair->size, settings->tolerance);
    if (output->gap == 0.0f)
    {
        double limit = (double)settings->margin + (double)tolerance;
        AbutMeshPairState found =
            abut_mesh_pair_state(query->shape_a, query->shape_b, query->relative, query->length, limit);
        output->state = found.state;
        output->gap = abut_round_down(found.gap);
        output->uncertainty = abut_round_up(found.uncertainty);
    }
    bool within_margin = output->state != ABUT_COLLIDE_SEPARATED || output->gap <= settings->margin;
    bool has_state = output->state != ABUT_COLLIDE_INVALID && output->state != ABUT_COLLIDE_UNDECIDED;
    if (within_margin && query->capacity > 0 && has_state)
    {
        output->contact_count = abut_narrow_contacts(
            query->pair, &query->scratch->search, &query->scratch->contact_grid, settings, 0.5f * tolerance,
            &output->spacing, query->contacts, query->capacity, &output->contact_total);
    }
}

static void find_speculative(const AbutNarrowQuery* query)
{
    float tolerance = abut_pair_tolerance(query->pair->size, query->settings->tolerance);
    abut_narrow_speculative_contacts(query->pair, &query->scratch->search, &query->scratch->contact_grid,
                                     query->settings, 0.5f * tolerance, query->contacts, query->capacity,
                                     query->output);
}

const AbutNarrowMethod abut_narrow_bvh = {
    .name = "bvh",
    .serves = abut_mesh_pair_serves,
    .needs = "two meshes",
    .needs_pair = true,
    .needs_scratch = true,
    .collide = collide,
    .speculative = find_speculative,
};
