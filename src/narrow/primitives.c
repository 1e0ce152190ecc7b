// The method "primitives": spheres, capsules, boxes, rounded boxes and planes in closed form, few contacts.
#include "contact/contact_list.h"
#include "math/rounding.h"
#include "narrow/method.h"
#include "narrow/primitive/manifold.h"

#include <math.h>
#include <string.h>

static bool serves(const AbutShape* a, const AbutShape* b)
{
    return abut_core_pair_is_known(a, b);
}

/// Round pairs and planes. Points of two boxes are on edges of both, where the distance has the normal of
/// either face.
static bool suits_worlds(const AbutShape* a, const AbutShape* b)
{
    AbutShapeKind kind_a = abut_shape_leaf(a)->info.kind, kind_b = abut_shape_leaf(b)->info.kind;
    return kind_a == ABUT_SHAPE_SPHERE || kind_b == ABUT_SHAPE_SPHERE || kind_a == ABUT_SHAPE_PLANE ||
           kind_b == ABUT_SHAPE_PLANE || (kind_a == ABUT_SHAPE_CAPSULE && kind_b == ABUT_SHAPE_CAPSULE);
}

/// Across a gap the position is half way; in contact it is on B, as deep in A as the separation says.
static AbutContact make_contact(const AbutPrimitivePoint* point, const AbutTransform* relative)
{
    bool gap = point->separation > 0.0;
    AbutDVec3 middle = abut_dvec3_scale(abut_dvec3_add(point->on_a, point->on_b), 0.5);
    return (AbutContact){
        .position = abut_dvec3_to_vec3(gap ? middle : point->on_b),
        .normal = abut_dvec3_to_vec3(point->normal),
        .separation = (float)point->separation,
        .anchor_a = abut_dvec3_to_vec3(point->on_a),
        .anchor_b = abut_dvec3_to_vec3(abut_transform_inverse_point(relative, point->on_b)),
        .id = point->id,
    };
}

static void store_contacts(const AbutNarrowQuery* query, const AbutPrimitiveManifold* manifold)
{
    AbutContact contacts[ABUT_PRIMITIVE_POINTS];
    uint32_t count = manifold->count;
    AbutContact* out = count <= query->capacity ? query->contacts : contacts;
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = make_contact(&manifold->points[i], query->relative);
    }
    query->output->contact_total = count;
    query->output->contact_count = count;
    if (out == contacts)
    {
        uint32_t kept = (uint32_t)abut_contacts_keep_deepest(contacts, count, query->capacity);
        memcpy(query->contacts, contacts, kept * sizeof(contacts[0]));
        query->output->contact_count = kept;
    }
}

/// Gap and contacts; the state is left to the caller.
static void answer(const AbutNarrowQuery* query, AbutPrimitiveManifold* manifold)
{
    AbutCorePair pair;
    abut_core_pair_make(query->shape_a, query->shape_b, query->relative, query->length, &pair);
    abut_primitive_collide(&pair, query->settings->margin, query->capacity > 0, manifold);
    query->output->uncertainty = abut_round_up(4.0 * pair.rounding);
    query->output->gap = manifold->low > 0.0 ? abut_round_down(manifold->low) : 0.0f;
    query->output->evaluations = 1;
    if (query->capacity > 0 && manifold->count > 0)
    {
        store_contacts(query, manifold);
    }
}

static void collide(const AbutNarrowQuery* query)
{
    AbutPrimitiveManifold manifold;
    answer(query, &manifold);
    query->output->state = manifold.low > 0.0  ? ABUT_COLLIDE_SEPARATED
                           : manifold.touching ? ABUT_COLLIDE_CONTACT
                                               : ABUT_COLLIDE_CLOSE;
}

static void find_speculative(const AbutNarrowQuery* query)
{
    AbutPrimitiveManifold manifold;
    answer(query, &manifold);
    bool apart = query->output->gap > query->settings->margin;
    query->output->state = apart ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_UNDECIDED;
    query->output->gap = apart ? query->output->gap : 0.0f;
}

const AbutNarrowMethod abut_narrow_primitives = {
    .name = "primitives",
    .serves = serves,
    .needs = "two primitives: spheres, capsules, boxes, rounded boxes, planes (not two)",
    .collide = collide,
    .speculative = find_speculative,
    .suits_worlds = suits_worlds,
};
