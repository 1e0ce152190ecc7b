// A terrain of ten kilometres at a metre, loaded in tiles while it is used: a ball and a capsule at its far
// end.
#include <abut/abut.h>
#include <stdio.h>

/// Hills of integers: every call has the same heights.
static bool load(void* user, uint32_t x, uint32_t z, uint32_t x_count, uint32_t z_count, float* out)
{
    (void)user;
    for (uint32_t k = 0; k < z_count; ++k)
    {
        for (uint32_t i = 0; i < x_count; ++i)
        {
            int east = (int)((x + i) % 64) - 32, north = (int)((z + k) % 48) - 24;
            out[(size_t)k * x_count + i] = 0.01f * (float)(east * east - north * north);
        }
    }
    return true;
}

static void print_contacts(const char* name, const AbutShape* body, const AbutShape* ground,
                           const AbutPose* pose)
{
    AbutContact contacts[16];
    AbutCollideInput input = abut_collide_input(body, ground);
    input.pose_a = *pose;
    AbutCollideOutput output = abut_collide(&input, contacts, 16);
    printf("%s by %s: %s\n", name, abut_collide_method_name(abut_collide_method_of(body, ground)),
           abut_collide_state_name(output.state));
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        printf("  separation %.6f, normal %.3f %.3f %.3f\n", (double)contacts[i].separation,
               (double)contacts[i].normal.x, (double)contacts[i].normal.y, (double)contacts[i].normal.z);
    }
}

int main(void)
{
    AbutHeightfieldDef def = abut_heightfield_def();
    AbutShape *ground = NULL, *ball = NULL, *capsule = NULL;
    def.x_count = 10001;
    def.z_count = 1001;
    def.load = load;
    def.cache_bytes = 1 << 20;
    if (abut_shape_create_heightfield(&def, &ground) != ABUT_OK ||
        abut_shape_create_sphere(0.5f, NULL, &ball) != ABUT_OK ||
        abut_shape_create_capsule(0.25f, 2.0f, NULL, &capsule) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return 1;
    }
    printf("%u by %u heights in %.1f MB\n", def.x_count, def.z_count,
           (double)abut_shape_info(ground).bytes * 1e-6);
    AbutPose pose = abut_pose_at(9952.0, 0.48, 984.5); // the bottom of a valley, at the top of a pass
    print_contacts("ball", ball, ground, &pose);
    pose = abut_pose_at(9952.5, 0.24, 984.5);
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 0.0f, 1.0f), 1.57079633f);
    print_contacts("capsule", capsule, ground, &pose);
    abut_shape_destroy(ball);
    abut_shape_destroy(capsule);
    abut_shape_destroy(ground);
    return 0;
}
