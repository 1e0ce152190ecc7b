// Which plane shows a touch best, and how much of it.
#include "pair_picture.h"

#include <math.h>

/// Part of the picture that the common box takes.
#define COMMON_PART 0.6

/// Room around the two solids when all of them is shown.
#define AROUND 1.12

/// Part that the contacts take at most, and part of the common box that is shown at least.
#define CONTACT_PART 0.45
#define COMMON_LEAST 0.4

/// A common box that is flatter than this part of the picture is looked at more closely, up to so many times.
#define FLAT_PART 0.04
#define CLOSEST 12.0

/// Sine of the angle by which a normal may stand out of a plane that is square to an axis: such planes are easier to read.
#define ALIGNED 0.2f

/// Length that stands for "no end".
#define FURTHEST 1e15

static float coordinate(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static AbutVec3 unit_axis(int axis)
{
    return abut_vec3(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
}

static AbutVec3 normalize(AbutVec3 v)
{
    float length = abut_vec3_length(v);
    return abut_vec3_scale(v, length > 0.0f ? 1.0f / length : 0.0f);
}

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
    for (int i = 1; i < scene->output.contact_count; ++i)
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
    for (int i = 0; i < scene->output.contact_count; ++i)
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
    *normal = good ? normalize(*normal) : unit_axis(1);
}

/// The axis to look along: the one that is most square to the normal; of equal ones the shortest side of the common box, so that
/// the plane shows the long ones.
static int find_axis(const PairView* view, AbutVec3 normal)
{
    AbutVec3 sides = abut_box_extents(view->common);
    int best = 2;
    for (int axis = 1; axis >= 0; --axis)
    {
        float here = fabsf(coordinate(normal, axis)), there = fabsf(coordinate(normal, best));
        bool equal = fabsf(here - there) < 1e-3f;
        bool shorter = coordinate(sides, axis) < 0.99f * coordinate(sides, best);
        best = equal ? (shorter ? axis : best) : (here < there ? axis : best);
    }
    return best;
}

/// Turns the picture so that one looks against `toward` and y, or −z where y is hidden, points up.
static AbutQuat look_against(AbutVec3 toward)
{
    AbutVec3 z = unit_axis(2);
    AbutVec3 turn = abut_vec3_cross(z, toward);
    AbutQuat lean = abut_quat_from_axis_angle(turn, atan2f(abut_vec3_length(turn), abut_vec3_dot(z, toward)));
    AbutVec3 up = fabsf(toward.y) < 0.9f ? unit_axis(1) : abut_vec3(0.0f, 0.0f, -1.0f);
    AbutVec3 seen = abut_quat_rotate(abut_quat_conjugate(lean), up);
    return abut_quat_multiply(lean, abut_quat_from_axis_angle(z, atan2f(-seen.x, seen.y)));
}

/// A plane that the normal lies in, or nearly, where that makes it square to an axis.
static void choose_plane(const PairScene* scene, PairView* view, AbutVec3 at, AbutVec3 normal, uint32_t width,
                         uint32_t height)
{
    int axis = find_axis(view, normal);
    AbutVec3 square = unit_axis(axis);
    float lean = abut_vec3_dot(square, normal);
    view->aligned = fabsf(lean) < (scene->distance == NULL ? ALIGNED : 1e-3f); // nearest points are in it
    view->frame = abut_pose_identity();
    view->slice = slice_view_along(view->aligned ? axis : 2, width, height);
    if (!view->aligned)
    {
        AbutVec3 toward = normalize(abut_vec3_sub(square, abut_vec3_scale(normal, lean)));
        view->frame = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
        view->frame.rotation = look_against(toward);
        view->slice.u_name = 'u';
        view->slice.v_name = 'v';
    }
}

void pair_view_ranges(const PairView* view, double low[2], double high[2])
{
    AbutPose to_picture = abut_pose_inverse(&view->frame);
    AbutBox box = abut_pose_box(&to_picture, view->common);
    low[0] = (double)coordinate(box.min, view->slice.u_axis);
    low[1] = (double)coordinate(box.min, view->slice.v_axis);
    high[0] = (double)coordinate(box.max, view->slice.u_axis);
    high[1] = (double)coordinate(box.max, view->slice.v_axis);
}

/// Pixels as large as it takes to show `box` (in the frame of A).
static double fit_box(const PairView* view, AbutBox box)
{
    PairView other = *view;
    double low[2], high[2];
    other.common = box;
    pair_view_ranges(&other, low, high);
    double size =
        fmax((high[0] - low[0]) / (double)view->slice.width, (high[1] - low[1]) / (double)view->slice.height);
    return isfinite(size) && size > 0.0 ? size : FURTHEST;
}

/// What must be seen: the contacts, or else the nearest points, or else the common box.
static AbutBox subject_box(const PairScene* scene, const PairView* view)
{
    AbutBox box = abut_box_empty();
    for (int i = 0; i < scene->output.contact_count; ++i)
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

/// Size of pixels: most of the picture is the common box, or the contacts in it; never more than both solids, nor so
/// little that nothing of them can be told.
static double choose_size(const PairScene* scene, const PairView* view, AbutBox a, AbutBox b)
{
    double common = fit_box(view, view->common), size = common / COMMON_PART;
    double subject = fit_box(view, subject_box(scene, view));
    if (scene->distance != NULL && scene->output.contact_count == 0)
    {
        size = subject / CONTACT_PART;
    }
    else if (scene->output.contact_count > 0)
    {
        size = fmin(size, fmax(subject < FURTHEST ? subject / CONTACT_PART : 0.0, COMMON_LEAST * common));
    }
    double smaller = fmin(fit_box(view, a), fit_box(view, b));
    double all = fit_box(view, abut_box_union(a, b)) * AROUND;
    size = fmax(size < FURTHEST ? size : 0.0, smaller < FURTHEST ? 0.2 * smaller : 0.0);
    return fmin(size > 0.0 ? size : 2.0 / (double)view->slice.width, all);
}

/// How much closer to look at a common box that is flat.
static double closer_look(const PairView* view, double size)
{
    double low[2], high[2];
    pair_view_ranges(view, low, high);
    double thickness = fmin(high[0] - low[0], high[1] - low[1]) / (size * (double)view->slice.height);
    return thickness < FLAT_PART ? fmin(FLAT_PART / fmax(thickness, 1e-9), CLOSEST) : 1.0;
}

/// Puts the contacts, or else the common box, in the middle; from close by, what the picture is about.
static void choose_window(const PairScene* scene, PairView* view, AbutVec3 at, AbutBox a, AbutBox b)
{
    double low[2], high[2];
    double size = choose_size(scene, view, a, b);
    double closer = scene->distance == NULL ? closer_look(view, size) : 1.0;
    PairView middle = *view;
    middle.common = subject_box(scene, view);
    pair_view_ranges(&middle, low, high);
    AbutVec3 inner =
        abut_pose_to_inner(&view->frame, (AbutPosition){ (double)at.x, (double)at.y, (double)at.z });
    double center[3] = { (double)inner.x, (double)inner.y, (double)inner.z };
    if (closer == 1.0)
    {
        center[view->slice.u_axis] = 0.5 * (low[0] + high[0]);
        center[view->slice.v_axis] = 0.5 * (low[1] + high[1]);
    }
    view->slice.center = (AbutPosition){ center[0], center[1], center[2] };
    view->slice.pixel_size = size / closer;
}

PairView pair_view_make(const PairScene* scene, uint32_t width, uint32_t height)
{
    AbutBox a = abut_shape_info(scene->shapes[0]).bounds;
    AbutBox b = abut_pose_box(&scene->pose_b, abut_shape_info(scene->shapes[1]).bounds);
    PairView view = { .apart = false };
    view.common = common_box(a, b, &view.apart);
    AbutVec3 at, normal;
    find_subject(scene, &view, &at, &normal);
    choose_plane(scene, &view, at, normal, width, height);
    choose_window(scene, &view, at, a, b);
    view.poses[0] = abut_pose_inverse(&view.frame);
    view.poses[1] = abut_pose_relative(&view.frame, &scene->pose_b);
    return view;
}

PicturePoint pair_view_pixel(const PairView* view, AbutVec3 point, float* off)
{
    const SliceView* slice = &view->slice;
    AbutPosition outer = { (double)point.x, (double)point.y, (double)point.z };
    AbutVec3 inner = abut_pose_to_inner(&view->frame, outer);
    double u = (double)coordinate(inner, slice->u_axis) - slice_coordinate(slice->center, slice->u_axis);
    double v = (double)coordinate(inner, slice->v_axis) - slice_coordinate(slice->center, slice->v_axis);
    *off = coordinate(inner, slice->axis) - (float)slice_coordinate(slice->center, slice->axis);
    return (PicturePoint){ (float)(slice->left + 0.5 * slice->width + u / slice->pixel_size),
                           (float)(slice->top + 0.5 * slice->height +
                                   (slice->v_down ? v : -v) / slice->pixel_size) };
}

AbutVec3 pair_view_point(const PairView* view, double u, double v)
{
    float inner[3];
    inner[view->slice.axis] = (float)slice_coordinate(view->slice.center, view->slice.axis);
    inner[view->slice.u_axis] = (float)u;
    inner[view->slice.v_axis] = (float)v;
    AbutPosition outer = abut_pose_to_outer(&view->frame, abut_vec3(inner[0], inner[1], inner[2]));
    return abut_vec3((float)outer.x, (float)outer.y, (float)outer.z);
}

// ---------------------------------------------------------------------------------------------------------------------
// The cut through a box
// ---------------------------------------------------------------------------------------------------------------------

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
    PicturePoint middle = pair_view_pixel(view, sum, &off);
    for (int i = 1; i < count; ++i)
    {
        for (int j = i; j > 0; --j)
        {
            PicturePoint p = pair_view_pixel(view, points[j - 1], &off);
            PicturePoint q = pair_view_pixel(view, points[j], &off);
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
            pair_view_pixel(view, a, &from);
            pair_view_pixel(view, b, &to);
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
