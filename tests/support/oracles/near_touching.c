#include "support/oracles/near_touching.h"

#include <math.h>

const char* near_style_name(NearStyle style)
{
    static const char* const names[NEAR_STYLE_COUNT] = { "equal",   "scales", "far",
                                                         "extreme", "apart",  "lattice" };
    return names[style];
}

static double power_of_ten(TestRandom* random, double low, double high)
{
    return pow(10.0, test_random_range(random, low, high));
}

static bool chance(TestRandom* random, double probability)
{
    return test_random_unit(random) < probability;
}

/// One of the 24 rotations that map axes to axes, with the digits of a float.
static AbutQuat quarter_rotations(TestRandom* random)
{
    static const AbutQuat rotations[4] = {
        { 0.0f, 0.0f, 0.0f, 1.0f },
        { 1.0f, 0.0f, 0.0f, 1.0f },
        { 0.0f, 1.0f, 0.0f, 1.0f },
        { 0.0f, 0.0f, 1.0f, 1.0f },
    };
    AbutQuat q = { 0.0f, 0.0f, 0.0f, 1.0f };
    for (int i = 0; i < 3; ++i)
    {
        AbutQuat t = rotations[test_random_bits(random) % 4];
        AbutQuat r = {
            q.w * t.x + q.x * t.w + q.y * t.z - q.z * t.y,
            q.w * t.y - q.x * t.z + q.y * t.w + q.z * t.x,
            q.w * t.z + q.x * t.y - q.y * t.x + q.z * t.w,
            q.w * t.w - q.x * t.x - q.y * t.y - q.z * t.z,
        };
        q = r;
    }
    return abut_quat_normalize(q);
}

static AbutQuat random_orientation(TestRandom* random, NearStyle style)
{
    double pick = test_random_unit(random);
    if (style == NEAR_LATTICE || pick < 0.15)
    {
        return quarter_rotations(random);
    }
    return pick < 0.25 ? abut_quat_identity() : test_random_rotation(random);
}

/// A shape with lengths of about `size`, and 1:1000 to each other at most.
static ExactShape random_shape(TestRandom* random, AbutShapeKind kind, double size)
{
    ExactShape shape = { .kind = kind };
    float* p = shape.parameters;
    double slim = chance(random, 0.3) ? -3.0 : -0.7;
    for (int i = 0; i < 3; ++i)
    {
        p[i] = (float)(size * power_of_ten(random, slim, 0.0));
    }
    if (kind == ABUT_SHAPE_ROUNDED_BOX)
    {
        p[3] = (float)(0.49 * test_random_unit(random)) * fminf(p[0], fminf(p[1], p[2]));
    }
    else if (kind == ABUT_SHAPE_TORUS && p[1] > p[0])
    {
        float major = p[1];
        p[1] = p[0];
        p[0] = major;
    }
    else if (kind == ABUT_SHAPE_CONE && chance(random, 0.3))
    {
        p[1] = 0.0f;
    }
    else if (kind == ABUT_SHAPE_PLANE)
    {
        AbutVec3 n = test_random_direction(random);
        bool upright = chance(random, 0.5);
        p[0] = upright ? 0.0f : n.x;
        p[1] = upright ? 1.0f : n.y;
        p[2] = upright ? 0.0f : n.z;
        p[3] = chance(random, 0.5) ? 0.0f : (float)(size * test_random_range(random, -1.0, 1.0));
    }
    return shape;
}

/// Lengths that are whole numbers, and even where they are halved.
static ExactShape lattice_shape(TestRandom* random, AbutShapeKind kind)
{
    ExactShape shape = { .kind = kind };
    float* p = shape.parameters;
    for (int i = 0; i < 3; ++i)
    {
        p[i] = 4.0f * (float)(1 + test_random_bits(random) % 8);
    }
    if (kind == ABUT_SHAPE_ROUNDED_BOX)
    {
        p[3] = 1.0f;
    }
    else if (kind == ABUT_SHAPE_TORUS && p[1] > p[0])
    {
        p[1] = p[0];
    }
    else if (kind == ABUT_SHAPE_PLANE)
    {
        p[0] = p[2] = 0.0f;
        p[1] = 1.0f;
        p[3] = (float)(test_random_bits(random) % 16);
    }
    return shape;
}

/// A point of the shape's frame, on its surface or near it, and the direction out of the solid there.
static void random_feature(TestRandom* random, const ExactShape* shape, double far, AbutVec3* out,
                           AbutVec3* normal)
{
    const float* p = shape->parameters;
    AbutVec3 d = test_random_direction(random);
    *normal = d;
    if (shape->kind == ABUT_SHAPE_PLANE)
    {
        AbutVec3 n = abut_vec3(p[0], p[1], p[2]);
        AbutVec3 along = abut_vec3_sub(d, abut_vec3_scale(n, abut_vec3_dot(d, n)));
        *out = abut_vec3_add(abut_vec3_scale(along, (float)far), abut_vec3_scale(n, p[3]));
        *normal = n;
        return;
    }
    if (shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_ROUNDED_BOX)
    {
        AbutVec3 at = test_random_point(random, 1.0);
        float* c[3] = { &at.x, &at.y, &at.z };
        int moved_axes = 1 + (int)(test_random_bits(random) % 3); // to a face, an edge or a corner
        for (int i = 0; i < moved_axes; ++i)
        {
            float* chosen = c[test_random_bits(random) % 3];
            *chosen = *chosen < 0.0f ? -1.0f : 1.0f;
        }
        *out = abut_vec3(0.5f * p[0] * at.x, 0.5f * p[1] * at.y, 0.5f * p[2] * at.z);
        *normal = abut_vec3(fabsf(at.x) == 1.0f ? at.x : 0.0f, fabsf(at.y) == 1.0f ? at.y : 0.0f,
                            fabsf(at.z) == 1.0f ? at.z : 0.0f);
        return;
    }
    *out = abut_vec3_scale(d, 0.5f * (float)exact_shape_size(shape));
}

static AbutPosition random_origin(TestRandom* random, NearStyle style)
{
    bool is_far = (style == NEAR_FAR || style == NEAR_EXTREME) && chance(random, 0.7);
    double far = is_far ? power_of_ten(random, 0.0, style == NEAR_FAR ? 7.0 : 15.0) : 1.0;
    AbutVec3 d = test_random_direction(random);
    double step = style == NEAR_LATTICE ? 1.0 : 0.0;
    AbutPosition p = { far * (double)d.x, far * (double)d.y, far * (double)d.z };
    if (step > 0.0)
    {
        double range = chance(random, 0.3) ? power_of_ten(random, 1.0, 7.0) : 100.0;
        p = (AbutPosition){ floor(range * (double)d.x), floor(range * (double)d.y),
                            floor(range * (double)d.z) };
    }
    return p;
}

static void move_pose(AbutPose* pose, ExactVec by)
{
    pose->position.x = (double)((Exact)pose->position.x + by.x[0]);
    pose->position.y = (double)((Exact)pose->position.y + by.x[1]);
    pose->position.z = (double)((Exact)pose->position.z + by.x[2]);
}

static Exact pair_gap(const NearPair* pair, int host, ExactVec* direction)
{
    ExactFrame frames[2] = { exact_frame(&pair->poses[host]), exact_frame(&pair->poses[1 - host]) };
    return exact_gap(&pair->shapes[host], &frames[0], &pair->shapes[1 - host], &frames[1], direction);
}

/// Puts the guest beside a feature of the host, and then along the direction between them until the gap is
/// `target`.
static void approach(NearPair* pair, int host, AbutVec3 feature, AbutVec3 normal, double guest_size,
                     double target)
{
    AbutPose* guest = &pair->poses[1 - host];
    ExactFrame frame = exact_frame(&pair->poses[host]);
    ExactVec at = exact_vec((Exact)feature.x, (Exact)feature.y, (Exact)feature.z);
    ExactVec out = exact_vec((Exact)normal.x, (Exact)normal.y, (Exact)normal.z), direction;
    guest->position = (AbutPosition){ 0.0, 0.0, 0.0 };
    move_pose(guest, exact_add(exact_frame_apply(&frame, at),
                               exact_scale(exact_frame_rotate(&frame, out), (Exact)guest_size)));
    for (int i = 0; i < 4; ++i)
    {
        Exact gap = pair_gap(pair, host, &direction);
        Exact step = (Exact)target - gap;
        move_pose(guest, exact_scale(direction, step));
        if (gap > 0)
        {
            break; // one step is exact from where they are apart
        }
    }
}

/// Rounds the guest's position to whole and half numbers.
static void snap(AbutPose* pose)
{
    pose->position.x = floor(2.0 * pose->position.x + 0.5) / 2.0;
    pose->position.y = floor(2.0 * pose->position.y + 0.5) / 2.0;
    pose->position.z = floor(2.0 * pose->position.z + 0.5) / 2.0;
}

static void choose_shapes(TestRandom* random, AbutShapeKind kinds[2], NearStyle style, NearPair* pair)
{
    bool extreme = style == NEAR_EXTREME;
    double base = extreme ? power_of_ten(random, -7.0, 7.0) : power_of_ten(random, -3.0, 3.0);
    double ratio = style == NEAR_EQUAL ? power_of_ten(random, -0.3, 0.3) : power_of_ten(random, -6.0, 6.0);
    for (int i = 0; i < 2; ++i)
    {
        AbutPose* pose = &pair->poses[i];
        *pose = abut_pose_identity();
        pose->rotation = random_orientation(random, style);
        if (style == NEAR_LATTICE)
        {
            pair->shapes[i] = lattice_shape(random, kinds[i]);
            pose->scale = chance(random, 0.5) ? 1.0f : 2.0f;
        }
        else
        {
            double size = base * sqrt(i == 0 ? ratio : 1.0 / ratio);
            double own = extreme ? power_of_ten(random, -8.5, 11.0) : size * power_of_ten(random, -3.0, 3.0);
            own = extreme ? fmin(fmax(own, 1e-11 * size), 1e11 * size) : own; // scales that worlds take, too
            own = !extreme && chance(random, 0.5) ? size : own;
            pose->scale = (float)(size / own);
            pair->shapes[i] = random_shape(random, kinds[i], own);
        }
    }
}

/// The shapes, scales and rotations have been chosen; `least` is the exponent of the smallest gaps.
static void pose_pair(TestRandom* random, NearStyle style, double least, NearPair* pair)
{
    double sizes[2];
    bool planes[2];
    for (int i = 0; i < 2; ++i)
    {
        planes[i] = pair->shapes[i].kind == ABUT_SHAPE_PLANE;
        sizes[i] = exact_shape_size(&pair->shapes[i]) * (double)pair->poses[i].scale;
    }
    int host = planes[0] || (!planes[1] && sizes[0] > sizes[1]) ? 0 : 1;
    pair->size = planes[host] ? sizes[1 - host] : fmin(sizes[0], sizes[1]);
    pair->poses[host].position = random_origin(random, style);
    double far =
        style == NEAR_FAR ? power_of_ten(random, 0.0, 7.0) : pair->size * power_of_ten(random, -1.0, 2.0);
    far =
        style == NEAR_LATTICE ? floor(power_of_ten(random, 0.0, 6.0)) : far / (double)pair->poses[host].scale;
    double target = pair->size * power_of_ten(random, least, -1.0);
    target = chance(random, 0.5) ? target : -target;
    target = style == NEAR_APART ? pair->size * power_of_ten(random, -1.0, 4.0) : target;
    AbutVec3 feature, normal;
    random_feature(random, &pair->shapes[host], far, &feature, &normal);
    approach(pair, host, feature, normal, 2.0 * pair->size, style == NEAR_LATTICE ? 0.0 : target);
    if (style == NEAR_LATTICE)
    {
        snap(&pair->poses[1 - host]);
    }
    pair->gap = pair_gap(pair, 0, NULL);
}

NearPair near_pair_make(TestRandom* random, AbutShapeKind a, AbutShapeKind b, NearStyle style)
{
    NearPair pair;
    AbutShapeKind kinds[2] = { a, b };
    choose_shapes(random, kinds, style, &pair);
    pose_pair(random, style, -9.0, &pair);
    return pair;
}

NearPair near_pair_pose(TestRandom* random, const ExactShape* a, const ExactShape* b, NearStyle style)
{
    NearPair pair = { .shapes = { *a, *b } };
    double base = power_of_ten(random, -3.0, 3.0);
    double ratio = style == NEAR_EQUAL ? power_of_ten(random, -0.3, 0.3) : power_of_ten(random, -6.0, 6.0);
    for (int i = 0; i < 2; ++i)
    {
        double own = exact_shape_size(&pair.shapes[i]);
        pair.poses[i] = abut_pose_identity();
        pair.poses[i].rotation = random_orientation(random, style);
        pair.poses[i].scale = (float)(base * sqrt(i == 0 ? ratio : 1.0 / ratio) / (own > 0.0 ? own : 1.0));
    }
    pose_pair(random, style, -6.0, &pair);
    return pair;
}

void near_pair_print(const NearPair* pair)
{
    for (int i = 0; i < 2; ++i)
    {
        const float* p = pair->shapes[i].parameters;
        const AbutPose* pose = &pair->poses[i];
        print_message("  %c: %s %a %a %a %a; at %a %a %a; rotation %a %a %a %a; scale %a\n", 'a' + i,
                      abut_shape_kind_name(pair->shapes[i].kind), (double)p[0], (double)p[1], (double)p[2],
                      (double)p[3], pose->position.x, pose->position.y, pose->position.z,
                      (double)pose->rotation.x, (double)pose->rotation.y, (double)pose->rotation.z,
                      (double)pose->rotation.w, (double)pose->scale);
    }
    print_message("  gap %.9g, size %.6g\n", (double)pair->gap, pair->size);
}
