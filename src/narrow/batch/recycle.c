// Results of the last step that still hold. narrow.h has the argument.
#include "narrow/batch/recycle.h"

#include "math/daffine.h"

#include <math.h>

/// T − T₀
static AbutDAffine motion_of_b(const AbutTransform* now, const AbutTransform* then)
{
    AbutDMat3 linear_now = abut_dmat3_scale(now->scale, &now->rotation);
    AbutDMat3 linear_then = abut_dmat3_scale(then->scale, &then->rotation);
    AbutDMat3 linear = abut_dmat3_sub(&linear_now, &linear_then);
    return abut_daffine(&linear, abut_dvec3_sub(now->translation, then->translation));
}

/// (T⁻¹ − T₀⁻¹) in lengths of the outer frame; for equal scales.
static AbutDAffine motion_of_a(const AbutTransform* now, const AbutTransform* then)
{
    AbutDAffine motion;
    for (int i = 0; i < 3; ++i)
    {
        motion.m[i][3] = 0.0;
        for (int j = 0; j < 3; ++j)
        {
            motion.m[i][j] = now->rotation.m[j][i] - then->rotation.m[j][i];
            motion.m[i][3] += then->rotation.m[j][i] * abut_dvec3_get(then->translation, j) -
                              now->rotation.m[j][i] * abut_dvec3_get(now->translation, j);
        }
    }
    return motion;
}

/// Largest displacement of a point of the box.
static double max_displacement(const AbutDAffine* motion, AbutBox box)
{
    double longest = 0.0;
    for (int corner = 0; corner < 8; ++corner)
    {
        AbutDVec3 at =
            abut_dvec3((corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                       (corner & 4) != 0 ? box.max.z : box.min.z);
        longest = fmax(longest, abut_dvec3_squared_length(abut_daffine_apply(motion, at)));
    }
    return sqrt(longest);
}

/// Rounded up to float. The terms of a displacement are differences of numbers of the size of the box and of
/// its translation, with relative errors of 1e-15.
static float round_up(double motion, AbutBox box, const AbutTransform* frame)
{
    double size = fmax(abut_vec3_length(box.min), abut_vec3_length(box.max)) * fmax(1.0, frame->scale) +
                  fabs(frame->translation.x) + fabs(frame->translation.y) + fabs(frame->translation.z);
    return (float)((motion + 1e-14 * size) * (1.0 + 1e-6));
}

/// δ: upper bound of the displacement of points of B in the frame of A, from the pose `then` to `now`;
/// infinite when unknown.
static float bound_motion(const AbutShape* const shapes[2], const AbutTransform* now,
                          const AbutTransform* then)
{
    AbutBox a = abut_shape_info(shapes[0]).bounds, b = abut_shape_info(shapes[1]).bounds;
    if (abut_box_is_finite(b))
    {
        AbutDAffine motion = motion_of_b(now, then);
        return round_up(max_displacement(&motion, b), b, now);
    }
    if (abut_box_is_finite(a) && now->scale == then->scale)
    {
        AbutDAffine motion = motion_of_a(now, then);
        return round_up(max_displacement(&motion, a), a, now);
    }
    return INFINITY;
}

static bool frames_equal(const AbutTransform* a, const AbutTransform* b)
{
    return a->scale == b->scale && abut_dvec3_equal(a->translation, b->translation) &&
           abut_dmat3_equal(&a->rotation, &b->rotation);
}

/// True when the result from before a displacement of δ is proved for after it.
static bool is_still_valid(const AbutCollideSettings* settings, const AbutBatchJob* last, float margin,
                           float moved)
{
    switch (last->output.state)
    {
    case ABUT_COLLIDE_SEPARATED:
        // Contacts within the margin were searched when the gap was no larger.
        return last->gap - moved > margin || (last->margin == margin && last->gap <= margin &&
                                              moved < last->gap && moved <= settings->reuse);
    case ABUT_COLLIDE_CONTACT:
        return last->margin == margin && moved < last->proved_depth && moved <= settings->reuse;
    default:
        return false;
    }
}

bool abut_batch_recycle(const AbutCollideSettings* settings, const AbutBatchJob* last,
                        const AbutTransform* relative, AbutBatchJob* job)
{
    float moved = 0.0f;
    if (job->spacing != last->spacing)
    {
        return false;
    }
    if (!frames_equal(relative, &last->relative) || job->margin != last->margin)
    {
        if (!(settings->reuse > 0.0f))
        {
            return false;
        }
        moved = bound_motion(last->shapes, relative, &last->relative);
        if (!is_still_valid(settings, last, job->margin, moved))
        {
            return false;
        }
    }
    job->reused = true;
    job->moved = moved;
    job->relative = last->relative;
    job->gap = last->gap;
    job->proved_depth = last->proved_depth;
    job->output = last->output;
    job->output.evaluations = 0;
    if (job->output.state == ABUT_COLLIDE_SEPARATED && moved > 0.0f)
    {
        job->output.gap = nextafterf(last->gap - moved, 0.0f);
    }
    return true;
}
