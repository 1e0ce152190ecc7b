#include "bvh/frame.h"

/// Rounding of a box's coordinates by its subtraction from the centre, by the product with a rounded matrix
/// and by the sums: under 14 half units in the last place of all lengths in the sum.
static const double BOX_ROUNDING = 0x1p-20;

/// In the unit of A; squares of distances are floats.
static const double LARGEST_OFFSET = 1e16;

static const double SMALLEST_SCALE = 1e-6, LARGEST_SCALE = 1e6;

/// Under this a coordinate is zero for exact signs (mesh/triangle/dorient.h).
static const double SMALLEST_LENGTH = 0x1p-290;

static AbutTreeView view_of(const AbutDMat3* rotation, double scale, AbutDVec3 offset)
{
    AbutTreeView view = { .slack = 0.0f };
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            view.linear[i][k] = (float)(scale * rotation->m[i][k]);
            view.magnitude[i][k] = fabsf(view.linear[i][k]);
        }
        view.offset[i] = (float)abut_dvec3_get(offset, i);
    }
    return view;
}

static bool is_identity(const AbutTransform* t)
{
    AbutDVec3 x = abut_dmat3_row(&t->rotation, 0), y = abut_dmat3_row(&t->rotation, 1),
              z = abut_dmat3_row(&t->rotation, 2);
    return t->scale == 1.0 && x.x == 1.0 && y.y == 1.0 && z.z == 1.0 && x.y == 0.0 && x.z == 0.0 &&
           y.x == 0.0 && y.z == 0.0 && z.x == 0.0 && z.y == 0.0 && t->translation.x == 0.0 &&
           t->translation.y == 0.0 && t->translation.z == 0.0;
}

static double largest_of(AbutDVec3 v)
{
    AbutDVec3 m = abut_dvec3_abs(v);
    return abut_larger(abut_larger(m.x, m.y), m.z);
}

bool abut_tree_boxes_are_apart(const AbutTransform* transform, double length, AbutBox a, AbutBox b,
                               double margin)
{
    AbutDVec3 low, high;
    abut_transform_box_ends(transform, b, &low, &high);
    AbutDVec3 extent = abut_dvec3_max(abut_dvec3_abs(low), abut_dvec3_abs(high));
    double slack = margin + ABUT_TRANSFORM_ROUNDING * (extent.x + extent.y + extent.z +
                                                       2.0 * largest_of(transform->translation) + length);
    AbutDVec3 a_low = abut_dvec3_from_vec3(a.min), a_high = abut_dvec3_from_vec3(a.max);
    AbutDVec3 gap = abut_dvec3_max(abut_dvec3_sub(low, a_high), abut_dvec3_sub(a_low, high));
    return gap.x > slack || gap.y > slack || gap.z > slack;
}

/// Coordinates of moved corners are sums of their frame's translation and of three products.
double abut_tree_corner_rounding(const AbutTransform* transform, double largest, double length)
{
    if (is_identity(transform) && length == 0.0)
    {
        return 0.0;
    }
    double sum = largest_of(transform->translation) + 2.0 * transform->scale * largest + length;
    return ABUT_TRANSFORM_ROUNDING * sum + SMALLEST_LENGTH;
}

bool abut_tree_scale_is_valid(double scale)
{
    if (!(scale >= SMALLEST_SCALE && scale <= LARGEST_SCALE))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "mesh tree: the scale of B in A is %g; from 1e-6 to 1e6 is possible",
                  scale);
        return false;
    }
    return true;
}

bool abut_tree_pair(const AbutMeshTreePair* input, AbutTreePair* out)
{
    if (!abut_pose_is_valid(&input->pose_a) || !abut_pose_is_valid(&input->pose_b))
    {
        abut_fail(ABUT_INVALID_ARGUMENT, "mesh tree: a pose has NaN, infinity, a rotation that is no unit "
                                         "quaternion or a scale that is not positive");
        return false;
    }
    *out = (AbutTreePair){ .a = input->a, .b = input->b };
    out->transform = abut_transform_relative(&input->pose_a, &input->pose_b);
    return true;
}

bool abut_tree_frame(const AbutTreePair* pair, double margin, AbutTreeFrame* frame, bool* apart)
{
    AbutTransform* t = &frame->transform;
    *t = pair->transform;
    if (!abut_tree_scale_is_valid(t->scale))
    {
        return false;
    }
    if (apart != NULL)
    {
        *apart = abut_tree_boxes_are_apart(t, pair->length, pair->a->bounds, pair->b->bounds, margin);
        if (*apart)
        {
            return true;
        }
    }
    AbutDVec3 center_a = abut_dvec3_from_vec3(pair->a->center),
              center_b = abut_dvec3_from_vec3(pair->b->center);
    AbutDVec3 b_offset = abut_dvec3_sub(abut_transform_point(t, center_b), center_a);
    if (!(largest_of(b_offset) <= LARGEST_OFFSET))
    {
        abut_fail(ABUT_LIMIT_EXCEEDED, "mesh tree: B is %g away from A; at most 1e16 is possible",
                  largest_of(b_offset));
        return false;
    }
    AbutDVec3 a_offset = abut_dvec3_sub(abut_transform_inverse_point(t, center_a), center_b);
    AbutDMat3 inverse = abut_dmat3_transpose(&t->rotation);
    frame->b_in_a = view_of(&t->rotation, t->scale, b_offset);
    frame->a_in_b = view_of(&inverse, 1.0 / t->scale, a_offset);
    frame->squared_scale = (float)(t->scale * t->scale * (1.0 - 0x1p-22));
    frame->radius = abut_tree_corner_rounding(t, pair->b->largest, pair->length);
    double length = (double)pair->a->radius + t->scale * (double)pair->b->radius + largest_of(b_offset);
    double slack = (margin + 2.0 * frame->radius + BOX_ROUNDING * length) * (1.0 + 0x1p-20);
    frame->b_in_a.slack = (float)slack;
    frame->a_in_b.slack = (float)(slack / t->scale);
    return true;
}
