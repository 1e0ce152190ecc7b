#include "io/text/text_cursor.h"
#include "models/fp_env.h"

#include <abut/io.h>
#include <math.h>

enum
{
    POSITION_COUNT = 3,
    ROTATION_COUNT = 7, // position and quaternion
    POSE_COUNT = 8      // and scale
};

/// The range of lengths that shapes have; what is beyond would leave the range of float once squared.
#define LARGEST_LENGTH 1e12
#define SMALLEST_SCALE 1e-12

/// Quaternions are typed by hand with a few digits; what is further from unit length than this is a mistake.
#define QUATERNION_TOLERANCE 1e-2

static AbutResult read_numbers(TextCursor* cursor, double values[POSE_COUNT], int* count)
{
    static const char* const names[POSE_COUNT] = { "x", "y", "z", "qx", "qy", "qz", "qw", "the scale" };
    *count = 0;
    do
    {
        if (*count == POSE_COUNT)
        {
            return abut_text_fail_at(cursor, cursor->at,
                                     "a pose has at most %d numbers: "
                                     "x,y,z[,qx,qy,qz,qw[,scale]]",
                                     POSE_COUNT);
        }
        const char* position = cursor->at;
        if (!abut_text_number(cursor, &values[*count]) || fabs(values[*count]) > LARGEST_LENGTH)
        {
            return abut_text_fail_at(cursor, position,
                                     "expected a number of at most 1e12 for %s of a pose "
                                     "x,y,z[,qx,qy,qz,qw[,scale]]",
                                     names[*count]);
        }
        *count += 1;
    } while (abut_text_accept(cursor, ','));
    if (*count != POSITION_COUNT && *count != ROTATION_COUNT && *count != POSE_COUNT)
    {
        return abut_text_fail_at(cursor, cursor->at,
                                 "a pose has 3, 7 or 8 numbers, not %d: "
                                 "x,y,z[,qx,qy,qz,qw[,scale]]",
                                 *count);
    }
    return ABUT_OK;
}

static AbutResult set_rotation(const TextCursor* cursor, const char* position, const double q[4],
                               AbutQuat* out)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= QUATERNION_TOLERANCE))
    {
        return abut_text_fail_at(cursor, position,
                                 "the quaternion has length %.6g; a rotation has length 1 "
                                 "(0,0,0,1 is no turn)",
                                 length);
    }
    out->x = (float)(q[0] / length);
    out->y = (float)(q[1] / length);
    out->z = (float)(q[2] / length);
    out->w = (float)(q[3] / length);
    return ABUT_OK;
}

AbutResult abut_text_pose(TextCursor* cursor, AbutPose* out)
{
    abut_text_skip_spaces(cursor);
    const char* position = cursor->at;
    double values[POSE_COUNT];
    int count;
    AbutResult result = read_numbers(cursor, values, &count);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutPose pose = abut_pose_at(values[0], values[1], values[2]);
    if (count >= ROTATION_COUNT)
    {
        result = set_rotation(cursor, position, values + POSITION_COUNT, &pose.rotation);
    }
    if (result == ABUT_OK && count == POSE_COUNT)
    {
        double scale = values[ROTATION_COUNT];
        if (!(scale >= SMALLEST_SCALE))
        {
            return abut_text_fail_at(cursor, position, "the scale is %.6g; it must be positive, at least %g",
                                     scale, SMALLEST_SCALE);
        }
        pose.scale = (float)scale;
    }
    if (result == ABUT_OK)
    {
        *out = pose;
    }
    return result;
}

AbutResult abut_pose_parse(const char* text, AbutPose* out)
{
    ABUT_FP_CALL(abut_pose_parse, text, out);
    TextCursor cursor = abut_text_cursor("pose", text);
    AbutPose pose;
    AbutResult result = abut_text_pose(&cursor, &pose);
    if (result == ABUT_OK && cursor.at != cursor.end)
    {
        result = abut_text_fail_at(&cursor, cursor.at, "expected ',' or the end of the pose");
    }
    if (result == ABUT_OK)
    {
        *out = pose;
    }
    return result;
}
