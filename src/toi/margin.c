// Speculative margin: upper bound of the distance of two bodies that may touch in the step.
#include <abut/toi.h>

#include "math/motion.h"
#include "math/rounding.h"
#include "shape/shape.h"

#include "base/fp_env.h"

#include <math.h>

/// Upper bound of the displacement of points of B's box in A's frame; infinite for an infinite box.
static double displacement_seen(const AbutRelativeMotion* motion, AbutBox box)
{
    if (!abut_box_is_finite(box))
    {
        return INFINITY;
    }
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    double radius = 0.5 * (double)abut_vec3_length(abut_box_extents(box)) * (1.0 + 1e-6);
    return abut_relative_motion_speed(motion, abut_dvec3_from_vec3(middle), radius, 0.0, 1.0);
}

AbutResult abut_toi_speculative_margin(const AbutToiInput* input, float* margin)
{
    ABUT_FP_CALL(abut_toi_speculative_margin, input, margin);
    AbutRelativeMotion motion;
    if (input->shape_a == NULL || input->shape_b == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "sweep: a shape is NULL");
    }
    AbutResult result = abut_relative_motion_init(&input->pose_a, &input->motion_a, &input->pose_b,
                                                  &input->motion_b, &motion);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutBox a = input->shape_a->info.bounds, b = input->shape_b->info.bounds;
    if (abut_box_is_empty(a) || abut_box_is_empty(b))
    {
        *margin = 0.0f;
        return ABUT_OK;
    }
    // Three bounds: the displacements of both in the world, that of B seen from A, and that of A seen from B.
    AbutRelativeMotion swapped = abut_relative_motion_swap(&motion);
    double world = (double)abut_motion_max_displacement(&input->pose_a, &input->motion_a, a) +
                   (double)abut_motion_max_displacement(&input->pose_b, &input->motion_b, b);
    double least = fmin(world / motion.scale_a, displacement_seen(&motion, b));
    least = fmin(least, displacement_seen(&swapped, a) * motion.scale_b / motion.scale_a);
    *margin = abut_round_up(least * (1.0 + 1e-6));
    return ABUT_OK;
}
