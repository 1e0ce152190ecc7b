#include "narrow/distance/closed_form.h"

#include "math/rounding.h"
#include "math/transform.h"
#include "narrow/method.h"
#include "narrow/primitive/core.h"

enum
{
    MOST_CONTACTS = ABUT_NARROW_CHEAP_CONTACTS
};

/// All contacts count: the closest points are among them.
static const float ANY_DISTANCE = 1e30f;

static bool applies(const AbutDistanceInput* input)
{
    const AbutShape *a = input->shape_a, *b = input->shape_b;
    AbutCollideMethod method = abut_collide_method_of(a, b);
    return method == ABUT_COLLIDE_GJK || (method == ABUT_COLLIDE_PRIMITIVES && abut_core_pair_is_known(a, b));
}

bool abut_distance_closed_form(const AbutDistanceInput* input, float tolerance, AbutDistanceOutput* output)
{
    AbutContact contacts[MOST_CONTACTS];
    AbutCollideInput query = abut_collide_input(input->shape_a, input->shape_b);
    if (!applies(input))
    {
        return false;
    }
    query.pose_a = input->pose_a;
    query.pose_b = input->pose_b;
    query.settings.margin = ANY_DISTANCE;
    AbutCollideOutput found = abut_collide(&query, contacts, MOST_CONTACTS);
    if (found.state != ABUT_COLLIDE_SEPARATED || found.contact_count == 0)
    {
        return false;
    }
    const AbutContact* closest = &contacts[0];
    for (uint32_t i = 1; i < found.contact_count; ++i)
    {
        closest = contacts[i].separation < closest->separation ? &contacts[i] : closest;
    }
    // Two points, one of each solid, within the rounding of coordinates in float.
    AbutTransform relative = abut_transform_relative(&input->pose_a, &input->pose_b);
    AbutDVec3 a = abut_dvec3_from_vec3(closest->anchor_a);
    AbutDVec3 b = abut_transform_point(&relative, abut_dvec3_from_vec3(closest->anchor_b));
    AbutVec3 point_b = abut_dvec3_to_vec3(b);
    double lengths = abut_dvec3_taxicab(a) + abut_dvec3_taxicab(b) +
                     relative.scale * abut_dvec3_taxicab(abut_dvec3_from_vec3(closest->anchor_b));
    double apart = abut_dvec3_distance(a, abut_dvec3_from_vec3(point_b));
    double high =
        abut_larger((double)closest->separation * (1.0 + 0x1p-23) + (double)found.uncertainty, apart) +
        0x1p-22 * lengths;
    if (!(high - (double)found.gap <= (double)tolerance))
    {
        return false;
    }
    *output = (AbutDistanceOutput){ .state = ABUT_COLLIDE_SEPARATED,
                                    .low = found.gap,
                                    .high = abut_round_up(high),
                                    .uncertainty = found.uncertainty,
                                    .point_a = closest->anchor_a,
                                    .point_b = point_b,
                                    .evaluations = found.evaluations };
    return true;
}
