// Answers about convex pairs as outputs of queries.
#include "narrow/convex_contacts.h"

#include "contact/contact_order.h"
#include "math/rounding.h"

/// Most contacts of a pair: those of a manifold of two boxes.
enum
{
    MOST_CONTACTS = 8
};

/// From the frame of a core to that of the shape of A.
static AbutContact make_contact(const AbutNarrowQuery* query, const AbutTransform* frame, AbutDVec3 normal,
                                const AbutConvexContact* c)
{
    AbutDVec3 a = abut_transform_point(frame, c->on_a), b = abut_transform_point(frame, c->on_b);
    AbutDVec3 middle = abut_dvec3_scale(abut_dvec3_add(a, b), 0.5);
    return (AbutContact){
        .position = abut_dvec3_to_vec3(middle),
        .normal = abut_dvec3_to_vec3(abut_transform_rotate(frame, normal)),
        .separation = (float)(c->separation * frame->scale),
        .anchor_a = abut_dvec3_to_vec3(a),
        .anchor_b = abut_dvec3_to_vec3(abut_transform_inverse_point(query->relative, b)),
        .id = c->id,
    };
}

static bool is_deeper(const AbutContact* a, const AbutContact* b)
{
    return a->separation != b->separation ? a->separation < b->separation : a->id < b->id;
}

void abut_narrow_store_manifold(const AbutNarrowQuery* query, const AbutTransform* frame,
                                const AbutConvexManifold* manifold)
{
    AbutContact contacts[ABUT_CONVEX_CONTACTS];
    uint32_t count = manifold->count;
    for (uint32_t i = 0; i < count; ++i)
    {
        contacts[i] = make_contact(query, frame, manifold->normal, &manifold->contacts[i]);
    }
    abut_contacts_sort_by(contacts, count, abut_contact_before);
    for (uint32_t i = 1; i < count; ++i)
    {
        contacts[i].id = contacts[i].id > contacts[i - 1].id ? contacts[i].id : contacts[i - 1].id + 1;
    }
    if (count > MOST_CONTACTS)
    {
        count = abut_contacts_reduce(contacts, count, MOST_CONTACTS).kept_count;
    }
    query->output->contact_total = count;
    if (count > query->capacity)
    {
        abut_contacts_sort_by(contacts, count, is_deeper);
        count = query->capacity;
        abut_contacts_sort_by(contacts, count, abut_contact_before);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        query->contacts[i] = contacts[i];
    }
    query->output->contact_count = count;
}

float abut_narrow_rounded_gap(double gap)
{
    float below = abut_round_down(gap * (1.0 - 0x1p-50));
    return below > 0.0f ? below : 0.0f;
}

void abut_narrow_store_convex(const AbutNarrowQuery* query, const AbutConvexPair* pair,
                              const AbutTransform* frame, const AbutConvexProof* proof)
{
    AbutCollideOutput* output = query->output;
    output->state = proof->state;
    output->gap = abut_narrow_rounded_gap(proof->gap * pair->unit);
    output->uncertainty = abut_round_up(ABUT_CONVEX_UNCERTAINTY * pair->rounding * pair->unit);
    output->evaluations = proof->steps;
    if (query->capacity > 0 && proof->has_points && proof->separation <= pair->margin)
    {
        AbutConvexManifold manifold;
        abut_convex_manifold(pair, proof, pair->margin, &manifold);
        abut_narrow_store_manifold(query, frame, &manifold);
    }
}

void abut_narrow_to_speculative(const AbutCollideSettings* settings, AbutCollideOutput* output)
{
    if (output->state != ABUT_COLLIDE_SEPARATED || !(output->gap > settings->margin))
    {
        output->state = ABUT_COLLIDE_UNDECIDED;
        output->gap = 0.0f;
    }
}
