// Which answers of the last step still hold. narrow.h has the argument.
#include "narrow/batch/batch.h"

#include <math.h>

/// x → matrix · x + offset
typedef struct Affine
{
    double matrix[3][3];
    double offset[3];
} Affine;

/// T − T₀
static Affine way_of_b(const AbutFrame* now, const AbutFrame* then)
{
    Affine way;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            way.matrix[i][j] = now->scale * now->rotation[i][j] - then->scale * then->rotation[i][j];
        }
        way.offset[i] = now->translation[i] - then->translation[i];
    }
    return way;
}

/// (T⁻¹ − T₀⁻¹) in lengths of the outer frame; for equal scales.
static Affine way_of_a(const AbutFrame* now, const AbutFrame* then)
{
    Affine way;
    for (int i = 0; i < 3; ++i)
    {
        way.offset[i] = 0.0;
        for (int j = 0; j < 3; ++j)
        {
            way.matrix[i][j] = now->rotation[j][i] - then->rotation[j][i];
            way.offset[i] +=
                then->rotation[j][i] * then->translation[j] - now->rotation[j][i] * now->translation[j];
        }
    }
    return way;
}

/// The furthest that a point of the box goes.
static double longest_way(const Affine* way, AbutBox box)
{
    double longest = 0.0;
    for (int corner = 0; corner < 8; ++corner)
    {
        const double at[3] = { (corner & 1) != 0 ? box.max.x : box.min.x,
                               (corner & 2) != 0 ? box.max.y : box.min.y,
                               (corner & 4) != 0 ? box.max.z : box.min.z };
        double squared = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            double d = way->matrix[i][0] * at[0] + way->matrix[i][1] * at[1] + way->matrix[i][2] * at[2] +
                       way->offset[i];
            squared += d * d;
        }
        longest = fmax(longest, squared);
    }
    return sqrt(longest);
}

/// Rounded up to float. The terms of a way are differences of numbers of the size of the box and its place, which are
/// known to 1e-15 of it.
static float round_up(double way, AbutBox box, const AbutFrame* frame)
{
    double size = fmax(abut_vec3_length(box.min), abut_vec3_length(box.max)) * fmax(1.0, frame->scale) +
                  fabs(frame->translation[0]) + fabs(frame->translation[1]) + fabs(frame->translation[2]);
    return (float)((way + 1e-14 * size) * (1.0 + 1e-6));
}

/// δ: how far a point of B may have moved, seen from A, when the pose was `then` and is `now`; infinite when unknown.
static float bound_motion(const AbutShape* const shapes[2], const AbutFrame* now, const AbutFrame* then)
{
    AbutBox a = abut_shape_info(shapes[0]).bounds, b = abut_shape_info(shapes[1]).bounds;
    if (abut_box_is_finite(b))
    {
        Affine way = way_of_b(now, then);
        return round_up(longest_way(&way, b), b, now);
    }
    if (abut_box_is_finite(a) && now->scale == then->scale)
    {
        Affine way = way_of_a(now, then);
        return round_up(longest_way(&way, a), a, now);
    }
    return INFINITY;
}

static bool frames_equal(const AbutFrame* a, const AbutFrame* b)
{
    bool equal = a->scale == b->scale;
    for (int i = 0; i < 3; ++i)
    {
        equal = equal && a->translation[i] == b->translation[i];
        for (int j = 0; j < 3; ++j)
        {
            equal = equal && a->rotation[i][j] == b->rotation[i][j];
        }
    }
    return equal;
}

/// True when the answer that was computed before a motion by δ is proved for after it.
static bool still_holds(const AbutCollideSettings* settings, const AbutPairJob* last, float margin,
                        float moved)
{
    switch (last->output.state)
    {
    case ABUT_COLLIDE_SEPARATED:
        // Contacts within the margin were looked for when the gap was no larger.
        return last->gap - moved > margin || (last->margin == margin && last->gap <= margin &&
                                              moved < last->gap && moved <= settings->reuse);
    case ABUT_COLLIDE_CONTACT:
        return last->margin == margin && moved < last->overlap && moved <= settings->reuse;
    default:
        return false;
    }
}

bool abut_pairs_reuse(const AbutCollideSettings* settings, const AbutPairJob* last, const AbutFrame* relative,
                      AbutPairJob* job)
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
        if (!still_holds(settings, last, job->margin, moved))
        {
            return false;
        }
    }
    job->reused = true;
    job->moved = moved;
    job->relative = last->relative;
    job->gap = last->gap;
    job->overlap = last->overlap;
    job->output = last->output;
    job->output.evaluations = 0;
    if (job->output.state == ABUT_COLLIDE_SEPARATED && moved > 0.0f)
    {
        job->output.gap = nextafterf(last->gap - moved, 0.0f);
    }
    return true;
}
