// Which plane shows a motion best, and how much of it.
#include "sweep_picture.h"

#include <math.h>

enum
{
    STEPS = 32,         // along the way
    CANDIDATE_COUNT = 8 // of planes
};

/// Room around what must be seen.
#define AROUND 1.14

/// How much of the size of B's way is shown of A around it; of an A without end less will do.
#define BESIDE 0.35f
#define BESIDE_ENDLESS 0.06f

/// Of B's size: how far B goes between two outlines.
#define GHOST_STEP 0.55f

/// Of the size of B: how far from the touch the plane may be.
#define GRAZE 0.03f

/// Of the side of the inset: a body under the first is shown in one, and takes the second of it.
#define INSET_FRACTION 0.14
#define INSET_BODY 0.4

/// What a plane that is square to an axis is better by: it is easier to read.
#define ALIGNED_BONUS 0.3f

AbutPose sweep_scene_pose(const SweepScene* scene, float time)
{
    return abut_motion_pose(&scene->input.pose_b, &scene->input.motion_b, time);
}

AbutVec3 sweep_scene_center(const SweepScene* scene, float time)
{
    AbutBox box = abut_shape_info(scene->input.shape_b).bounds;
    AbutVec3 center = abut_box_is_finite(box) ? abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f)
                                              : scene->input.motion_b.center;
    AbutPose pose = sweep_scene_pose(scene, time);
    AbutPosition at = abut_pose_transform_point(&pose, center);
    return abut_vec3((float)at.x, (float)at.y, (float)at.z);
}

bool sweep_scene_touches(const SweepScene* scene)
{
    return scene->output.state == ABUT_TOI_HIT || scene->output.state == ABUT_TOI_OVERLAP;
}

// -----------------------------------------------------------------------------------------------------------
// What must be seen
// -----------------------------------------------------------------------------------------------------------

static float diagonal(AbutBox box)
{
    return abut_vec3_length(abut_box_extents(box));
}

/// Of B, about the length of a side; 0 where it has no end.
static float body_size(const SweepScene* scene)
{
    AbutBox bounds = abut_shape_info(scene->input.shape_b).bounds;
    return abut_box_is_finite(bounds) ? 0.577f * diagonal(bounds) * scene->input.pose_b.scale : 0.0f;
}

/// Around B on its whole way, in the picture's frame.
static AbutBox swept_box(const SweepScene* scene, const PlaneView* plane)
{
    AbutBox bounds = abut_shape_info(scene->input.shape_b).bounds, box = abut_box_empty();
    bool finite = abut_box_is_finite(bounds);
    for (int i = 0; i <= STEPS; ++i)
    {
        float time = (float)i / (float)STEPS;
        AbutPose pose = sweep_scene_pose(scene, time), seen = abut_pose_relative(&plane->frame, &pose);
        AbutVec3 center = sweep_scene_center(scene, time);
        AbutVec3 local = abut_pose_inverse_transform_point(
            &plane->frame, (AbutPosition){ (double)center.x, (double)center.y, (double)center.z });
        box = abut_box_union(box, finite ? abut_pose_transform_box(&seen, bounds) : abut_box(local, local));
    }
    return box;
}

/// A box around the way, and A as far as it is near; all of A where it is not. In the picture's frame.
static AbutBox shown_box(const SweepScene* scene, const PlaneView* plane)
{
    AbutPose to_picture = abut_pose_inverse(&plane->frame);
    AbutBox a = abut_pose_transform_box(&to_picture, abut_shape_info(scene->input.shape_a).bounds);
    AbutBox swept = swept_box(scene, plane);
    float size = diagonal(swept) > 0.0f ? diagonal(swept) : 1.0f;
    if (!abut_box_is_finite(abut_shape_info(scene->input.shape_b).bounds))
    {
        return abut_box_is_finite(a) ? abut_box_expand(a, 0.25f * diagonal(a)) : abut_box_expand(swept, size);
    }
    bool finite = abut_box_is_finite(a);
    AbutBox nearby =
        abut_box_intersection(a, abut_box_expand(swept, (finite ? BESIDE : BESIDE_ENDLESS) * size));
    bool far = abut_box_is_empty(nearby) && finite;
    return abut_box_union(swept, far ? a : (abut_box_is_empty(nearby) ? swept : nearby));
}

// -----------------------------------------------------------------------------------------------------------
// The plane
// -----------------------------------------------------------------------------------------------------------

/// What decides between planes.
typedef struct Subject
{
    AbutVec3 at;      // in the plane
    AbutVec3 normal;  // zero where they do not touch
    AbutVec3 axis;    // that B turns about, as long as it matters, at most 1
    AbutVec3 middle;  // should be near the plane: B at the touch, or A
    AbutVec3 path[5]; // of B's middle
    float size;       // of B and its path
    float body;       // of B alone; 0 without end
    bool touches;
} Subject;

static AbutVec3 middle_of_a(const SweepScene* scene, AbutVec3 otherwise)
{
    AbutBox box = abut_shape_info(scene->input.shape_a).bounds;
    return abut_box_is_finite(box) ? abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f) : otherwise;
}

static Subject find_subject(const SweepScene* scene)
{
    Subject subject = { .at = sweep_scene_center(scene, 0.5f) };
    subject.middle = middle_of_a(scene, subject.at);
    if (sweep_scene_touches(scene) && abut_vec3_is_finite(scene->output.position))
    {
        subject.touches = true;
        subject.at = scene->output.position;
        subject.normal = plane_normalize(scene->output.normal);
        subject.middle = sweep_scene_center(scene, scene->output.time);
    }
    AbutVec3 rotation = scene->input.motion_b.angular;
    float angle = abut_vec3_length(rotation);
    subject.axis = angle > 1.0f ? plane_normalize(rotation) : rotation;
    AbutBox box = abut_box_empty();
    for (int i = 0; i < 5; ++i)
    {
        subject.path[i] = sweep_scene_center(scene, 0.25f * (float)i);
        box = abut_box_add_point(box, subject.path[i]);
    }
    subject.body = body_size(scene);
    subject.size = fmaxf(diagonal(box), subject.body);
    subject.size = subject.size > 0.0f ? subject.size : 1.0f;
    return subject;
}

/// The higher the better: the way lies in the plane, B turns about its normal, and touch, normal and both
/// solids are cut.
static float plane_score(const Subject* subject, AbutVec3 toward)
{
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 5; ++i)
    {
        float off = abut_vec3_dot(toward, abut_vec3_sub(subject->path[i], subject->at));
        low = fminf(low, off);
        high = fmaxf(high, off);
    }
    float lean = abut_vec3_dot(toward, subject->normal);
    float aside = fabsf(abut_vec3_dot(toward, abut_vec3_sub(subject->middle, subject->at)));
    float axis = fmaxf(fabsf(toward.x), fmaxf(fabsf(toward.y), fabsf(toward.z)));
    return fabsf(abut_vec3_dot(toward, subject->axis)) - 4.0f * (high - low) / subject->size - lean * lean -
           fminf(aside / subject->size, 1.0f) + (axis == 1.0f ? ALIGNED_BONUS : 0.0f);
}

/// Of two opposite directions the one whose largest part is positive.
static AbutVec3 upright(AbutVec3 v)
{
    AbutVec3 unit = plane_normalize(v);
    float large = fabsf(unit.x) > fabsf(unit.y) ? unit.x : unit.y;
    large = fabsf(large) > fabsf(unit.z) ? large : unit.z;
    return large < 0.0f ? abut_vec3_scale(unit, -1.0f) : unit;
}

static AbutVec3 choose_direction(const Subject* subject)
{
    AbutVec3 path = abut_vec3_sub(subject->path[4], subject->path[0]);
    AbutVec3 candidates[CANDIDATE_COUNT] = {
        plane_axis(2),
        plane_axis(0),
        plane_axis(1),
        subject->axis,
        abut_vec3_cross(path, subject->normal),
        abut_vec3_cross(path, abut_vec3_sub(subject->middle, subject->at)),
        abut_vec3_cross(path, abut_vec3_cross(subject->axis, path)), // what of the axis is square to the way
        abut_vec3_cross(subject->normal, abut_vec3_sub(subject->middle, subject->at)),
    };
    AbutVec3 best = candidates[0];
    float best_score = plane_score(subject, best);
    for (int i = 1; i < CANDIDATE_COUNT; ++i)
    {
        AbutVec3 toward = upright(candidates[i]);
        bool usable = abut_vec3_length(toward) > 0.5f && abut_vec3_is_finite(toward);
        float score = usable ? plane_score(subject, toward) : -INFINITY;
        if (score > best_score + 1e-3f)
        {
            best = toward;
            best_score = score;
        }
    }
    return best;
}

// -----------------------------------------------------------------------------------------------------------
// All of it
// -----------------------------------------------------------------------------------------------------------

/// As many outlines as can be told apart, at even times.
static void choose_ghosts(const SweepScene* scene, SweepView* view)
{
    float size = body_size(scene);
    float length = 0.5f * size * abut_vec3_length(scene->input.motion_b.angular);
    for (int i = 0; i < STEPS; ++i)
    {
        length += abut_vec3_length(abut_vec3_sub(sweep_scene_center(scene, (float)(i + 1) / (float)STEPS),
                                                 sweep_scene_center(scene, (float)i / (float)STEPS)));
    }
    float count = size > 0.0f ? rintf(length / (GHOST_STEP * size)) - 1.0f : 0.0f;
    view->ghost_count = (int)fminf(fmaxf(count, 1.0f), (float)SWEEP_MOST_GHOSTS);
    for (int i = 0; i < view->ghost_count; ++i)
    {
        view->ghosts[i] = (float)(i + 1) / (float)(view->ghost_count + 1);
    }
}

/// How far the way of B's middle keeps from a point of the picture.
static float keeps_from(const SweepScene* scene, const SweepView* view, PicturePoint at)
{
    float least = INFINITY;
    for (int i = 0; i <= STEPS; ++i)
    {
        float off;
        AbutVec3 center = sweep_scene_center(scene, (float)i / (float)STEPS);
        PicturePoint p = plane_view_pixel(&view->plane, center, &off);
        least = fminf(least, hypotf(p.x - at.x, p.y - at.y));
    }
    return least;
}

/// The touch from close by, in the corner that is furthest from the way; the lower right one has the scale.
static void choose_inset(const SweepScene* scene, SweepView* view, AbutVec3 at)
{
    const SliceView* slice = &view->plane.slice;
    uint32_t side = (slice->width < slice->height ? slice->width : slice->height) * 2 / 5, rim = side / 20;
    double size = (double)body_size(scene);
    view->has_inset =
        sweep_scene_touches(scene) && size > 0.0 && size < INSET_FRACTION * slice->pixel_size * (double)side;
    view->inset = view->plane;
    view->inset.slice.width = view->inset.slice.height = side;
    plane_view_center(&view->inset, at, NULL, size / (INSET_BODY * (double)side));
    float best = -1.0f;
    for (int corner = 0; corner < 3; ++corner)
    {
        uint32_t left = corner == 1 ? slice->width - side - rim : rim;
        uint32_t top = corner == 2 ? slice->height - side - rim : rim;
        PicturePoint middle = { (float)(left + side / 2), (float)(top + side / 2) };
        float distance = keeps_from(scene, view, middle);
        if (distance > best)
        {
            best = distance;
            view->inset.slice.left = left;
            view->inset.slice.top = top;
        }
    }
}

/// A little from the touch towards the middle of B: a solid that touches with a face or an edge is cut then,
/// not grazed.
static AbutVec3 plane_point(const Subject* subject, AbutVec3 toward)
{
    float aside = abut_vec3_dot(toward, abut_vec3_sub(subject->middle, subject->at));
    float most = GRAZE * subject->body;
    float step = subject->touches ? fminf(fmaxf(aside, -most), most) : 0.0f;
    return abut_vec3_add(subject->at, abut_vec3_scale(toward, step));
}

SweepView sweep_view_make(const SweepScene* scene, uint32_t width, uint32_t height)
{
    Subject subject = find_subject(scene);
    SweepView view = { .ghost_count = 0 };
    AbutVec3 toward = choose_direction(&subject), at = plane_point(&subject, toward);
    view.plane = plane_view_make(at, toward, width, height);
    plane_view_show(&view.plane, at, shown_box(scene, &view.plane), AROUND);
    choose_ghosts(scene, &view);
    choose_inset(scene, &view, at);
    return view;
}
