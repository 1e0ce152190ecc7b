// Which plane shows a touch best, and how much of it.
#include "pair_picture.h"

#include <math.h>

/// Part of the picture that the common box takes.
#define COMMON_FRACTION 0.6

/// Room around the two solids when all of them is shown.
#define AROUND 1.12

/// Part that the contacts take at most, and part of the common box that is shown at least.
#define CONTACT_FRACTION 0.45
#define COMMON_LEAST 0.4

/// A common box that is flatter than this part of the picture is looked at more closely, up to so many times.
#define FLAT_FRACTION 0.04
#define CLOSEST 12.0

/// Sine of the angle by which a normal may stand out of a plane that is square to an axis: such planes are
/// easier to read.
#define ALIGNED 0.2f

static AbutVec3 middle_of(AbutBox box)
{
    return abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
}

static float largest_side(AbutBox box)
{
    AbutVec3 sides = abut_box_extents(box);
    return fmaxf(sides.x, fmaxf(sides.y, sides.z));
}

/// An end in order, and finite.
static void order_ends(float* low, float* high, float fallback, bool* apart)
{
    *low = isfinite(*low) ? *low : (isfinite(*high) ? *high - fallback : -fallback);
    *high = isfinite(*high) ? *high : *low + fallback;
    if (*low > *high)
    {
        float old = *low;
        *low = *high;
        *high = old;
        *apart = true;
    }
}

/// Where both boxes are; along axes where they are apart, what lies between them.
static AbutBox common_box(AbutBox a, AbutBox b, bool* apart)
{
    float size_a = largest_side(a), size_b = largest_side(b);
    float fallback = fminf(isfinite(size_a) ? size_a : 2.0f, isfinite(size_b) ? size_b : 2.0f);
    AbutBox box = abut_box_intersection(a, b);
    order_ends(&box.min.x, &box.max.x, fallback, apart);
    order_ends(&box.min.y, &box.max.y, fallback, apart);
    order_ends(&box.min.z, &box.max.z, fallback, apart);
    return box;
}

static const AbutContact* find_deepest(const PairScene* scene)
{
    const AbutContact* deepest = scene->contacts;
    for (uint32_t i = 1; i < scene->output.contact_count; ++i)
    {
        deepest = scene->contacts[i].separation < deepest->separation ? &scene->contacts[i] : deepest;
    }
    return deepest;
}

/// Where the contacts push, the deeper the more; the deepest one's normal where they do not agree.
static AbutVec3 main_normal(const PairScene* scene, const AbutContact* deepest)
{
    AbutVec3 sum = abut_vec3(0.0f, 0.0f, 0.0f);
    float total = 0.0f;
    for (uint32_t i = 0; i < scene->output.contact_count; ++i)
    {
        float depth = fmaxf(-scene->contacts[i].separation, 0.0f);
        sum = abut_vec3_add(sum, abut_vec3_scale(scene->contacts[i].normal, depth));
        total += depth;
    }
    return abut_vec3_length(sum) > 0.7f * total ? sum : deepest->normal;
}

/// What the picture is about: the deepest contact, or the middle between the solids.
static void find_subject(const PairScene* scene, const PairView* view, AbutVec3* at, AbutVec3* normal)
{
    if (scene->output.contact_count > 0)
    {
        const AbutContact* deepest = find_deepest(scene);
        *at = deepest->position;
        *normal = main_normal(scene, deepest);
    }
    else if (scene->distance != NULL)
    {
        AbutVec3 a = scene->distance->point_a, b = scene->distance->point_b;
        *at = abut_vec3_scale(abut_vec3_add(a, b), 0.5f);
        *normal = abut_vec3_sub(a, b);
    }
    else
    {
        *at = middle_of(view->common);
        AbutPosition point = { (double)at->x, (double)at->y, (double)at->z };
        abut_shape_distance_at(scene->shapes[1], &scene->pose_b, point, normal);
    }
    bool good = abut_vec3_is_finite(*normal) && abut_vec3_length(*normal) > 0.0f;
    *normal = good ? plane_normalize(*normal) : plane_axis(1);
}

/// The axis to look along: the one that is most square to the normal; of equal ones the shortest side of the
/// common box, so that the plane shows the long ones.
static int find_axis(const PairView* view, AbutVec3 normal)
{
    AbutVec3 sides = abut_box_extents(view->common);
    int best = 2;
    for (int axis = 1; axis >= 0; --axis)
    {
        float here = fabsf(plane_coordinate(normal, axis)), there = fabsf(plane_coordinate(normal, best));
        bool equal = fabsf(here - there) < 1e-3f;
        bool shorter = plane_coordinate(sides, axis) < 0.99f * plane_coordinate(sides, best);
        best = equal ? (shorter ? axis : best) : (here < there ? axis : best);
    }
    return best;
}

/// Which way to look at a plane that the normal lies in, or nearly, where that makes it square to an axis.
static AbutVec3 choose_direction(const PairScene* scene, const PairView* view, AbutVec3 normal)
{
    AbutVec3 square = plane_axis(find_axis(view, normal));
    float lean = abut_vec3_dot(square, normal);
    bool aligned = fabsf(lean) < (scene->distance == NULL ? ALIGNED : 1e-3f); // nearest points are in it
    return aligned ? square : plane_normalize(abut_vec3_sub(square, abut_vec3_scale(normal, lean)));
}

/// What must be seen: the contacts, or else the nearest points, or else the common box.
static AbutBox subject_box(const PairScene* scene, const PairView* view)
{
    AbutBox box = abut_box_empty();
    for (uint32_t i = 0; i < scene->output.contact_count; ++i)
    {
        box = abut_box_add_point(box, scene->contacts[i].position);
    }
    if (scene->output.contact_count == 0 && scene->distance != NULL)
    {
        box = abut_box_add_point(box, scene->distance->point_a);
        box = abut_box_add_point(box, scene->distance->point_b);
    }
    return abut_box_is_empty(box) ? view->common : box;
}

/// Size of pixels: most of the picture is the common box, or the contacts in it; never more than both solids,
/// nor so little that nothing of them can be told.
static double choose_size(const PairScene* scene, const PairView* view, AbutBox a, AbutBox b)
{
    double common = plane_view_fit(&view->plane, view->common), size = common / COMMON_FRACTION;
    double subject = plane_view_fit(&view->plane, subject_box(scene, view));
    if (scene->distance != NULL && scene->output.contact_count == 0)
    {
        size = subject / CONTACT_FRACTION;
    }
    else if (scene->output.contact_count > 0)
    {
        size = fmin(size,
                    fmax(subject < PLANE_FURTHEST ? subject / CONTACT_FRACTION : 0.0, COMMON_LEAST * common));
    }
    double smaller = fmin(plane_view_fit(&view->plane, a), plane_view_fit(&view->plane, b));
    double all = plane_view_fit(&view->plane, abut_box_union(a, b)) * AROUND;
    size = fmax(size < PLANE_FURTHEST ? size : 0.0, smaller < PLANE_FURTHEST ? 0.2 * smaller : 0.0);
    return fmin(size > 0.0 ? size : 2.0 / (double)view->plane.slice.width, all);
}

/// How much closer to look at a common box that is flat.
static double close_up(const PairView* view, double size)
{
    double low[2], high[2];
    plane_view_ranges(&view->plane, view->common, low, high);
    double thickness = fmin(high[0] - low[0], high[1] - low[1]) / (size * (double)view->plane.slice.height);
    return thickness < FLAT_FRACTION ? fmin(FLAT_FRACTION / fmax(thickness, 1e-9), CLOSEST) : 1.0;
}

/// Puts the contacts, or else the common box, in the middle; from close by, what the picture is about.
static void choose_window(const PairScene* scene, PairView* view, AbutVec3 at, AbutBox a, AbutBox b)
{
    double size = choose_size(scene, view, a, b);
    double closer = scene->distance == NULL ? close_up(view, size) : 1.0;
    AbutBox shown = subject_box(scene, view);
    plane_view_center(&view->plane, at, closer == 1.0 ? &shown : NULL, size / closer);
}

PairView pair_view_make(const PairScene* scene, uint32_t width, uint32_t height)
{
    AbutBox a = abut_shape_info(scene->shapes[0]).bounds;
    AbutBox b = abut_pose_transform_box(&scene->pose_b, abut_shape_info(scene->shapes[1]).bounds);
    PairView view = { .apart = false };
    view.common = common_box(a, b, &view.apart);
    AbutVec3 at, normal;
    find_subject(scene, &view, &at, &normal);
    view.plane = plane_view_make(at, choose_direction(scene, &view, normal), width, height);
    choose_window(scene, &view, at, a, b);
    view.poses[0] = abut_pose_inverse(&view.plane.frame);
    view.poses[1] = abut_pose_relative(&view.plane.frame, &scene->pose_b);
    return view;
}

// -----------------------------------------------------------------------------------------------------------
// The cut through a box
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 corner_of(AbutBox box, int i)
{
    return abut_vec3((i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                     (i & 4) != 0 ? box.max.z : box.min.z);
}

/// Sorts points by their direction from the middle, as seen in the picture.
static void sort_around(const PairView* view, AbutVec3* points, int count)
{
    AbutVec3 sum = abut_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < count; ++i)
    {
        sum = abut_vec3_add(sum, abut_vec3_scale(points[i], 1.0f / (float)count));
    }
    float off;
    PicturePoint middle = plane_view_pixel(&view->plane, sum, &off);
    for (int i = 1; i < count; ++i)
    {
        for (int j = i; j > 0; --j)
        {
            PicturePoint p = plane_view_pixel(&view->plane, points[j - 1], &off);
            PicturePoint q = plane_view_pixel(&view->plane, points[j], &off);
            if (atan2f(p.y - middle.y, p.x - middle.x) <= atan2f(q.y - middle.y, q.x - middle.x))
            {
                break;
            }
            AbutVec3 old = points[j];
            points[j] = points[j - 1];
            points[j - 1] = old;
        }
    }
}

int pair_view_cut(const PairView* view, AbutVec3 out[12])
{
    int count = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            int other = corner | 1 << axis;
            float from, to;
            AbutVec3 a = corner_of(view->common, corner), b = corner_of(view->common, other);
            plane_view_pixel(&view->plane, a, &from);
            plane_view_pixel(&view->plane, b, &to);
            if (other != corner && from != to && (from <= 0.0f) != (to <= 0.0f))
            {
                float share = from / (from - to);
                out[count++] = abut_vec3_add(a, abut_vec3_scale(abut_vec3_sub(b, a), share));
            }
        }
    }
    sort_around(view, out, count);
    return count;
}
