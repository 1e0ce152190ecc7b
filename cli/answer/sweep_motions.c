// Start and end of B's way to a motion.
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static AbutVec3 vec3_of(const double numbers[3])
{
    return abut_vec3((float)numbers[0], (float)numbers[1], (float)numbers[2]);
}

static bool has_rotation(const SweepSettings* settings)
{
    return !isnan(settings->rotation[0]);
}

/// `center`, a point of B, moves straight from where the first pose has it to where the second one does.
static SweepMotion make_motion(const SweepSettings* settings, const AbutPose* from, const AbutPose* to)
{
    SweepMotion out = { *from, abut_motion_between(from, to) };
    AbutPose end = *to;
    if (has_rotation(settings))
    {
        AbutVec3 rotation = vec3_of(settings->rotation);
        out.motion.angular = rotation;
        end.rotation = abut_quat_multiply(abut_quat_from_axis_angle(rotation, abut_vec3_length(rotation)),
                                          from->rotation);
    }
    out.motion.center = vec3_of(settings->center);
    AbutPosition a = abut_pose_transform_point(from, out.motion.center);
    AbutPosition b = abut_pose_transform_point(&end, out.motion.center);
    out.motion.linear = abut_vec3((float)(b.x - a.x), (float)(b.y - a.y), (float)(b.z - a.z));
    return out;
}

static ExitCode read_ends(const SweepSettings* settings, PoseList* ends)
{
    if (settings->motions != NULL)
    {
        return poses_read(settings->motions, 2, ends) ? EXIT_DONE : EXIT_INPUT;
    }
    AbutPose from, to;
    if (!command_parse_pose("from", settings->from, &from) || !command_parse_pose("to", settings->to, &to))
    {
        return EXIT_USAGE;
    }
    to = settings->to != NULL ? to : from;
    return poses_add(ends, &from) && poses_add(ends, &to) ? EXIT_DONE : EXIT_INPUT;
}

static ExitCode make_motions(const SweepSettings* settings, const PoseList* ends, MotionList* list)
{
    list->count = ends->count / 2;
    list->items = malloc(list->count * sizeof(*list->items));
    if (list->items == NULL)
    {
        message_error("no memory for %zu motions", list->count);
        return EXIT_INPUT;
    }
    for (size_t i = 0; i < list->count; ++i)
    {
        const AbutPose *from = &ends->items[2 * i], *to = &ends->items[2 * i + 1];
        if (from->scale != to->scale)
        {
            message_error("motion %zu: its scale is %g at the start and %g at the end; a solid does not grow",
                          i + 1, (double)from->scale, (double)to->scale);
            return settings->motions != NULL ? EXIT_INPUT : EXIT_USAGE;
        }
        list->items[i] = make_motion(settings, from, to);
    }
    return EXIT_DONE;
}

ExitCode sweep_motions_load(const SweepSettings* settings, MotionList* list)
{
    PoseList ends = { 0 };
    ExitCode code = read_ends(settings, &ends);
    if (code == EXIT_DONE)
    {
        code = make_motions(settings, &ends, list);
    }
    free(ends.items);
    return code;
}
