// Poses in double: conversion, products and boxes.
#include "math/transform.h"

#include <string.h>

#include "math/rounding.h"

AbutTransform abut_transform_from_pose(const AbutPose* pose)
{
    return (AbutTransform){ abut_dmat3_from_quat(pose->rotation), abut_dvec3_from_position(pose->position),
                            pose->scale, false };
}

AbutTransform abut_transform_relative(const AbutPose* a, const AbutPose* b)
{
    AbutTransform frame_a = abut_transform_from_pose(a), frame_b = abut_transform_from_pose(b);
    return abut_transform_between(&frame_a, &frame_b,
                                  memcmp(&a->rotation, &b->rotation, sizeof(a->rotation)) == 0);
}

AbutTransform abut_transform_from_pose_quick(const AbutPose* pose)
{
    return (AbutTransform){ abut_dmat3_from_dquat_quick(abut_dquat_from_quat(pose->rotation)),
                            abut_dvec3_from_position(pose->position), pose->scale, false };
}

AbutTransform abut_transform_relative_quick(const AbutPose* a, const AbutPose* b)
{
    AbutTransform frame_a = abut_transform_from_pose_quick(a), frame_b = abut_transform_from_pose_quick(b);
    return abut_transform_between(&frame_a, &frame_b, abut_transform_same_rotation(a, b));
}

AbutTransform abut_transform_between(const AbutTransform* a, const AbutTransform* b, bool same_rotation)
{
    return (AbutTransform){
        .rotation = same_rotation ? abut_dmat3_identity() // exactly
                                  : abut_dmat3_multiply_transposed(&a->rotation, &b->rotation),
        .translation = abut_transform_inverse_point(a, b->translation),
        .scale = b->scale / a->scale,
    };
}

AbutTransform abut_transform_multiply(const AbutTransform* parent, const AbutTransform* local)
{
    return (AbutTransform){
        .rotation = abut_dmat3_multiply(&parent->rotation, &local->rotation),
        .translation = abut_transform_point(parent, local->translation),
        .scale = parent->scale * local->scale,
        .precise = parent->precise || local->precise,
    };
}

/// Both ends of a rotated box along one axis: Σ over the axes of the box of (entry of the matrix) · (the end
/// that goes furthest). A zero entry of the matrix keeps an infinite side out of this axis (0 · ∞ would be
/// NaN).
static void project_box(AbutDVec3 row, AbutBox box, double* low, double* high)
{
    AbutDVec3 min = abut_dvec3_from_vec3(box.min), max = abut_dvec3_from_vec3(box.max);
    *low = *high = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double entry = abut_dvec3_get(row, i);
        if (entry != 0.0)
        {
            double a = entry * abut_dvec3_get(min, i), b = entry * abut_dvec3_get(max, i);
            *low += a < b ? a : b;
            *high += a < b ? b : a;
        }
    }
}

void abut_transform_box_ends(const AbutTransform* frame, AbutBox box, AbutDVec3* low, AbutDVec3* high)
{
    AbutDVec3 least, most;
    project_box(abut_dmat3_row(&frame->rotation, 0), box, &least.x, &most.x);
    project_box(abut_dmat3_row(&frame->rotation, 1), box, &least.y, &most.y);
    project_box(abut_dmat3_row(&frame->rotation, 2), box, &least.z, &most.z);
    *low = abut_dvec3_mul_add(frame->translation, frame->scale, least);
    *high = abut_dvec3_mul_add(frame->translation, frame->scale, most);
}

AbutBox abut_transform_box(const AbutTransform* frame, AbutBox box)
{
    if (abut_box_is_empty(box))
    {
        return box;
    }
    AbutDVec3 low, high;
    abut_transform_box_ends(frame, box, &low, &high);
    return abut_box(abut_vec3(abut_round_down(low.x), abut_round_down(low.y), abut_round_down(low.z)),
                    abut_vec3(abut_round_up(high.x), abut_round_up(high.y), abut_round_up(high.z)));
}
