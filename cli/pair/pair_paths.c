// Ways of particles, for the picture of a pair.
#include "pair_picture.h"

#include <math.h>
#include <stdlib.h>

/// How near to both a particle must come, as a part of the smaller solid, when no tolerance is given.
#define TOLERANCE 1e-3f

static bool in_box(AbutBox box, AbutVec3 p)
{
    return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
           p.z <= box.max.z;
}

/// Columns and rows of about n² even cells, as Algorithm 1 shares out the sides of a box.
static void share_out(const double sides[2], uint32_t n, int out[2])
{
    double total = (double)n * (double)n;
    double most = fmax(sides[0], sides[1]), least = fmin(sides[0], sides[1]);
    double columns = least > most / total ? sqrt(total * most / least) : (double)n;
    int longer = (int)fmin(fmax(rint(columns), 1.0), 64.0);
    int shorter = least > most / total ? (int)fmax(rint(total / columns), 1.0) : 1;
    out[0] = sides[0] >= sides[1] ? longer : shorter;
    out[1] = sides[0] >= sides[1] ? shorter : longer;
}

static int draw_particles(const PairScene* scene, const PairView* view, PairPath* out)
{
    double low[2], high[2];
    int cells[2], count = 0;
    plane_view_ranges(&view->plane, view->common, low, high);
    double sides[2] = { high[0] - low[0], high[1] - low[1] };
    uint32_t n = scene->settings.particles.resolution;
    share_out(sides, n < 24 ? n : 24, cells);
    float slack = 1e-5f * (float)fmax(sides[0], sides[1]);
    for (int i = 0; i < cells[0] * cells[1] && count < PAIR_PATH_MOST; ++i)
    {
        double u = low[0] + sides[0] * (i % cells[0] + 0.5) / cells[0];
        double v = low[1] + sides[1] * (i / cells[0] + 0.5) / cells[1];
        AbutVec3 at = plane_view_point(&view->plane, u, v);
        if (in_box(abut_box_expand(view->common, slack), at))
        {
            out[count].at[0] = at;
            out[count].count = 1;
            out[count++].arrived = false;
        }
    }
    return count;
}

static float epsilon_of(const PairScene* scene)
{
    float size = INFINITY;
    for (int i = 0; i < 2; ++i)
    {
        AbutVec3 sides = abut_box_extents(abut_shape_info(scene->shapes[i]).bounds);
        float side = fmaxf(sides.x, fmaxf(sides.y, sides.z)) * (i == 1 ? scene->pose_b.scale : 1.0f);
        size = fminf(size, side);
    }
    float tolerance = scene->settings.tolerance;
    tolerance = tolerance > 0.0f ? tolerance : TOLERANCE * (isfinite(size) ? size : 1.0f);
    return tolerance + 0.5f * scene->settings.margin;
}

/// One particle to where it stays.
static void follow(const PairScene* scene, float epsilon, PairPath* path)
{
    uint32_t steps = scene->settings.particles.steps;
    for (uint32_t step = 0; step < steps && step < PAIR_PATH_STEPS; ++step)
    {
        AbutVec3 at = path->at[path->count - 1], gradients[2];
        AbutPosition point = { (double)at.x, (double)at.y, (double)at.z };
        float a = abut_shape_distance(scene->shapes[0], at, &gradients[0]);
        float b = abut_shape_distance_at(scene->shapes[1], &scene->pose_b, point, &gradients[1]);
        float larger = fmaxf(a, b);
        path->arrived = larger < epsilon;
        AbutVec3 offset =
            abut_vec3_scale(gradients[a >= b ? 0 : 1], -larger * scene->settings.particles.relaxation);
        if (path->arrived || !abut_vec3_is_finite(offset))
        {
            return;
        }
        path->at[path->count++] = abut_vec3_add(at, offset);
    }
}

int pair_paths_make(const PairScene* scene, const PairView* view, PairPath* out)
{
    int count = draw_particles(scene, view, out);
    float epsilon = epsilon_of(scene);
    for (int i = 0; i < count; ++i)
    {
        follow(scene, epsilon, &out[i]);
    }
    return count;
}
