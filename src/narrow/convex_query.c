// abut_convex(): state, distance and depth of two convex shapes without contacts.
#include "base/fp_env.h"
#include "narrow/convex/gjk.h"
#include "search/pair.h"
#include "shape/resolve.h"

AbutConvexInput abut_convex_input(const AbutShape* shape_a, const AbutShape* shape_b)
{
    return (AbutConvexInput){
        .shape_a = shape_a,
        .shape_b = shape_b,
        .pose_a = abut_pose_identity(),
        .pose_b = abut_pose_identity(),
    };
}

static bool check(const AbutConvexInput* input)
{
    const AbutPairDef def = { input->shape_a, input->shape_b, input->pose_a, input->pose_b, 0.0f, 0.0f };
    if (abut_pair_check(&def) != ABUT_OK)
    {
        return false;
    }
    bool known_a = abut_convex_has_core(input->shape_a);
    if (!known_a || !abut_convex_has_core(input->shape_b))
    {
        const AbutShape* other = abut_shape_leaf(known_a ? input->shape_b : input->shape_a);
        abut_fail(ABUT_INVALID_ARGUMENT,
                  "convex: a %s is no convex shape with corners or a radius, or has an offset inwards",
                  abut_shape_kind_name(other->info.kind));
        return false;
    }
    return true;
}

static AbutPosition to_shape(const AbutTransform* frame, AbutDVec3 p)
{
    return abut_dvec3_to_position(abut_transform_point(frame, p));
}

AbutConvexOutput abut_convex(const AbutConvexInput* input)
{
    ABUT_FP_CALL(abut_convex, input);
    AbutConvexOutput output = { .state = ABUT_COLLIDE_INVALID };
    if (!check(input))
    {
        return output;
    }
    AbutTransform relative = abut_transform_relative_quick(&input->pose_a, &input->pose_b), frame;
    AbutConvexPair pair;
    abut_convex_pair_init(input->shape_a, input->shape_b, &relative, abut_dvec3_length(relative.translation),
                          &pair, &frame);
    AbutConvexProof proof = abut_convex_solve(&pair, input->work, input->cache);
    output.state = proof.state;
    output.gap = proof.gap * pair.unit;
    output.uncertainty = ABUT_CONVEX_UNCERTAINTY * pair.rounding * pair.unit;
    output.has_points = proof.has_points;
    if (proof.has_points)
    {
        output.separation = proof.separation * pair.unit;
        output.normal = abut_dvec3_to_vec3(abut_transform_rotate(&frame, proof.normal));
        output.point_a = to_shape(&frame, proof.point_a);
        output.point_b = to_shape(&frame, proof.point_b);
    }
    return output;
}
