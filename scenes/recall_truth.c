#include "scenes/recall_truth.h"

#include "scenes/closed_forms.h"

static const double TAU = 6.283185307179586;

/// Full sizes as floats, as the shapes have them.
static const Double3 PLATE = { 0.5, 0.5 * (double)0.01f, 0.5 * (double)0.8f };
static const Double3 BLOCK = { 0.5 * (double)0.8f, 0.25, 0.5 * (double)0.6f };

// -----------------------------------------------------------------------------------------------------------
// Gaps
// -----------------------------------------------------------------------------------------------------------

/// Columns of the rotation, of a quaternion that is of unit length but for rounding.
static void axes_of(AbutQuat q, Double3 axes[3])
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    axes[0] = double3(1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w));
    axes[1] = double3(s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w));
    axes[2] = double3(s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y));
}

SceneRigid recall_truth_relative(const AbutPose* pose_a, const AbutPose* pose_b)
{
    SceneRigid a, b;
    axes_of(pose_a->rotation, a.axes);
    a.origin = double3(0.0, 0.0, 0.0);
    axes_of(pose_b->rotation, b.axes);
    Double3 between =
        double3(pose_b->position.x - pose_a->position.x, pose_b->position.y - pose_a->position.y,
                pose_b->position.z - pose_a->position.z);
    SceneRigid relative;
    relative.origin = double3_scale(scene_rigid_inverse_point(&a, between), 1.0 / (double)pose_a->scale);
    for (int k = 0; k < 3; ++k)
    {
        relative.axes[k] = scene_rigid_inverse_point(&a, b.axes[k]);
    }
    return relative;
}

double recall_truth_gap(const RecallTruth* truth, const SceneRigid* b)
{
    switch (truth->kind)
    {
    case RECALL_TORUS_LINK:
        return scene_circle_circle_distance(0.5, b) - 2.0 * (double)0.02f;
    case RECALL_GRAZING_SPHERES:
        return double3_length(b->origin) - 0.5 - (double)0.4f;
    case RECALL_PARALLEL_PLATES:
        return scene_box_box_gap(PLATE, PLATE, b);
    case RECALL_NEEDLE_AND_PLATE:
        return scene_box_capsule_gap(PLATE, (double)0.004f, 1.0, b);
    case RECALL_BOX_AND_SPHERE:
        return scene_box_distance(BLOCK, b->origin) - (double)0.3f;
    default:
        return scene_surface_gap(truth->surfaces[0], truth->surfaces[1], b, INFINITY);
    }
}

bool recall_truth_is_shallow(const RecallTruth* truth, const SceneRigid* b, double limit)
{
    enum
    {
        DIRECTIONS = 400
    };
    for (int i = 0; i < DIRECTIONS; ++i)
    {
        // A spiral from pole to pole.
        double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, angle = 2.399963229728653 * i, r = sqrt(1.0 - z * z);
        SceneRigid moved = *b;
        Double3 step = double3(limit * r * cos(angle), limit * r * sin(angle), limit * z);
        moved.origin = double3_add(b->origin, step);
        if (recall_truth_gap(truth, &moved) > 0.0)
        {
            return true;
        }
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Poses
// -----------------------------------------------------------------------------------------------------------

/// A way for B from where it overlaps A to where it does not.
typedef struct Path
{
    AbutPose start;
    Double3 move;
    double axial_angle; // about B's own axis y
} Path;

static AbutPose path_pose(const Path* path, double s)
{
    AbutPose pose = path->start;
    pose.position.x += s * path->move.x;
    pose.position.y += s * path->move.y;
    pose.position.z += s * path->move.z;
    if (path->axial_angle != 0.0)
    {
        AbutQuat axial_angle =
            abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)(s * path->axial_angle));
        pose.rotation = abut_quat_multiply(pose.rotation, axial_angle);
    }
    return pose;
}

static AbutPose posed_at(Double3 p, AbutQuat rotation)
{
    AbutPose pose = abut_pose_at(p.x, p.y, p.z);
    pose.rotation = rotation;
    return pose;
}

/// A small tilt about a level axis after a turn about y.
static AbutQuat tilted(SceneRandom* random, double axial_angle, double most)
{
    double angle = scene_random_range(random, 0.0, TAU);
    AbutVec3 level = abut_vec3((float)cos(angle), 0.0f, (float)sin(angle));
    AbutQuat tilt = abut_quat_from_axis_angle(level, (float)scene_random_range(random, -most, most));
    return abut_quat_multiply(tilt,
                              abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), (float)axial_angle));
}

/// Two points, one of each centre line, in the same place.
static Path torus_path(SceneRandom* random)
{
    AbutQuat rotation = scene_random_rotation(random);
    double a = scene_random_range(random, 0.0, TAU), b = scene_random_range(random, 0.0, TAU);
    AbutVec3 own = abut_quat_rotate(rotation, abut_vec3((float)(0.5 * cos(b)), 0.0f, (float)(0.5 * sin(b))));
    Double3 offset = double3_sub(double3(0.5 * cos(a), 0.0, 0.5 * sin(a)), double3_of(own));
    return (Path){ posed_at(offset, rotation), double3_scale(scene_random_direction(random), 0.2), 0.0 };
}

static Path plate_path(SceneRandom* random)
{
    AbutQuat rotation = tilted(random, scene_random_range(random, 0.0, TAU), 0.02);
    double x = scene_random_range(random, -0.6, 0.6), z = scene_random_range(random, -0.5, 0.5);
    double side = scene_random_unit(random) < 0.5 ? 0.1 : -0.1;
    double dx = scene_random_range(random, -0.02, 0.02), dz = scene_random_range(random, -0.02, 0.02);
    return (Path){ posed_at(double3(x, 0.0, z), rotation), double3(dx, side, dz), 0.0 };
}

/// Some point of the needle in some point of the plate.
static Path needle_path(SceneRandom* random)
{
    AbutQuat rotation = scene_random_rotation(random);
    AbutVec3 own =
        abut_quat_rotate(rotation, abut_vec3(0.0f, (float)scene_random_range(random, -0.5, 0.5), 0.0f));
    double x = scene_random_range(random, -0.5, 0.5), z = scene_random_range(random, -0.4, 0.4);
    Double3 offset = double3_sub(double3(x, 0.0, z), double3_of(own));
    return (Path){ posed_at(offset, rotation), double3_scale(scene_random_direction(random), 1.5), 0.0 };
}

/// Pulled apart, or turned from meshing into the other's teeth, backwards.
static Path gear_path(const RecallTruth* truth, SceneRandom* random)
{
    double phase = scene_random_range(random, 0.0, TAU), axial = scene_random_range(random, -0.2, 0.2);
    if (scene_random_unit(random) < 0.5)
    {
        AbutPose start =
            posed_at(double3(0.85 * truth->gear_distance, axial, 0.0), tilted(random, phase, 0.03));
        Double3 move = double3(0.5, 0.0, scene_random_range(random, -0.2, 0.2));
        return (Path){ start, move, 0.0 };
    }
    // A has a tooth towards B, which must have a gap there; half a pitch further their teeth are in each
    // other.
    double meshing = 0.5 * TAU + 0.5 * truth->gear_pitch;
    double half = scene_random_unit(random) < 0.5 ? 0.5 * truth->gear_pitch : -0.5 * truth->gear_pitch;
    AbutPose start =
        posed_at(double3(truth->gear_distance, axial, 0.0), tilted(random, meshing - half, 0.002));
    return (Path){ start, double3(0.0, 0.0, 0.0), half };
}

static Path make_path(const RecallTruth* truth, SceneRandom* random)
{
    switch (truth->kind)
    {
    case RECALL_TORUS_LINK:
        return torus_path(random);
    case RECALL_PARALLEL_PLATES:
        return plate_path(random);
    case RECALL_NEEDLE_AND_PLATE:
        return needle_path(random);
    case RECALL_GEARS:
        return gear_path(truth, random);
    default:
    {
        AbutQuat rotation = scene_random_rotation(random);
        AbutPose start = posed_at(double3_scale(scene_random_direction(random), 0.1), rotation);
        return (Path){ start, double3_scale(scene_random_direction(random), 1.5), 0.0 };
    }
    }
}

/// How far along the path B touches A; negative when B overlaps A at its end, too.
static double touching_offset(const RecallTruth* truth, const Path* path)
{
    const AbutPose rest = abut_pose_identity();
    double in = 0.0, out = 1.0;
    for (int i = -1; i < 12; ++i) // first the end; then to 1/4096 of the way
    {
        double middle = i < 0 ? 1.0 : 0.5 * (in + out);
        AbutPose pose = path_pose(path, middle);
        SceneRigid b = recall_truth_relative(&rest, &pose);
        bool overlap = recall_truth_gap(truth, &b) <= 0.0;
        if (i < 0 && overlap)
        {
            return -1.0;
        }
        in = overlap ? middle : in;
        out = overlap ? out : middle;
    }
    return 0.5 * (in + out);
}

AbutPose recall_truth_pose(const RecallTruth* truth, SceneRandom* random)
{
    double kind = scene_random_unit(random);
    double spread = kind < 0.5 ? 0.004 : 0.04; // of the gap, either way
    Path path = make_path(truth, random);
    if (kind > 0.8) // anywhere
    {
        AbutQuat rotation = scene_random_rotation(random);
        return posed_at(scene_random_vector(random, 0.0, 1.0), rotation);
    }
    if (truth->kind == RECALL_GRAZING_SPHERES)
    {
        double apart = 0.5 + (double)0.4f + scene_random_range(random, -0.004, 0.004);
        AbutQuat rotation = scene_random_rotation(random);
        return posed_at(double3_scale(scene_random_direction(random), apart), rotation);
    }
    double offset = touching_offset(truth, &path);
    for (int i = 0; offset < 0.0 && i < 100; ++i)
    {
        path = make_path(truth, random);
        offset = touching_offset(truth, &path);
    }
    double length = double3_length(path.move) + fabs(path.axial_angle) * 0.5 * truth->gear_distance;
    return path_pose(&path, offset + scene_random_range(random, -spread, spread) / length);
}
