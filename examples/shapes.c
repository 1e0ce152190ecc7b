// A machine part out of simple shapes: a plate with four holes and a boss that flows into it. Then a surface
// of our own.
#include <abut/abut.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(AbutResult result)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        exit(EXIT_FAILURE);
    }
}

/// A shape owns its children, so each step can give up what it was made of.
static AbutShape* without_hole(AbutShape* part, AbutShape* drill, double x, double z)
{
    AbutShape *hole = NULL, *drilled = NULL;
    AbutPose pose = abut_pose_at(x, 0.0, z);
    check(abut_shape_create_transformed(drill, &pose, NULL, &hole));
    check(abut_shape_create_difference(part, hole, NULL, &drilled));
    abut_shape_destroy(hole);
    abut_shape_destroy(part);
    return drilled;
}

static AbutShape* make_part(void)
{
    AbutShape *plate = NULL, *boss = NULL, *drill = NULL, *part = NULL;
    check(abut_shape_create_rounded_box(abut_vec3(4.0f, 0.5f, 2.0f), 0.05f, NULL, &plate));
    check(abut_shape_create_cylinder(0.5f, 2.0f, NULL, &boss));
    check(abut_shape_create_cylinder(0.2f, 1.0f, NULL, &drill));
    check(abut_shape_create_smooth_union(plate, boss, 0.3f, NULL, &part));
    for (int i = 0; i < 4; ++i)
    {
        part = without_hole(part, drill, i % 2 == 0 ? -1.5 : 1.5, i < 2 ? -0.6 : 0.6);
    }
    abut_shape_destroy(plate);
    abut_shape_destroy(boss);
    abut_shape_destroy(drill);
    return part;
}

/// Water with waves. y − 0.2·sin 2x has the right sign but is no distance: it rises up to √(1 + 0.4²) times
/// as fast as one.
static void waves(void* user, AbutPoints p, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        out.distance[i] = p.y[i] - 0.2f * sinf(2.0f * p.x[i]);
    }
}

int main(void)
{
    AbutShape *part = make_part(), *water = NULL;
    AbutCallbackDef def = abut_callback_def();
    def.function = waves;
    def.lipschitz = 1.08f;
    check(abut_shape_create_callback(&def, &water));

    enum
    {
        COUNT = 4
    };
    const float x[COUNT] = { 0.0f, 0.7f, 1.5f, 2.5f }, y[COUNT] = { 0.0f, 0.3f, 0.0f, 0.0f };
    const float z[COUNT] = { 0.0f, 0.0f, 0.6f, 0.0f };
    float to_part[COUNT], to_water[COUNT];
    abut_shape_sample(part, NULL, (AbutPoints){ x, y, z }, COUNT, (AbutSamples){ .distance = to_part });
    abut_shape_sample(water, NULL, (AbutPoints){ x, y, z }, COUNT, (AbutSamples){ .distance = to_water });
    printf("%8s %8s %8s   %8s   %s\n", "x", "y", "z", "part", "water is at least so far away");
    for (int i = 0; i < COUNT; ++i)
    {
        printf("%8.2f %8.2f %8.2f   %8.3f   %8.3f\n", x[i], y[i], z[i], to_part[i],
               to_water[i] / def.lipschitz);
    }
    abut_shape_destroy(part);
    abut_shape_destroy(water);
    return 0;
}
