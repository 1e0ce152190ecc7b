// Two gears on their axes: do they mesh without touching, and where do they touch when one is turned?
#include <abut/abut.h>
#include <stdio.h>

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

int main(void)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.backlash = 0.01f;
    AbutMesh* mesh = NULL;
    AbutShape* gear = NULL;
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 96;
    bake.format = ABUT_FIELD_FIRST_ORDER;
    if (abut_mesh_create_gear(&def, &mesh) != ABUT_OK || abut_bake_mesh(&bake, mesh, &gear) != ABUT_OK)
    {
        return fail();
    }

    AbutCollideInput input = abut_collide_input(gear, gear);
    float pitch = def.module * (float)def.teeth;
    for (int i = 0; i <= 4; ++i)
    {
        // Half a tooth further, the teeth of one stand in the gaps of the other.
        float turn = 3.14159265f / (float)def.teeth * (1.0f - 0.05f * (float)i);
        input.pose_b = abut_pose_at(pitch, 0.0, 0.0);
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), turn);
        AbutContact contacts[64];
        AbutCollideOutput output = abut_collide(&input, contacts, 64);
        printf("turned by %.4f: %s, %d contacts, gap at least %g\n", (double)turn,
               abut_collide_state_name(output.state), output.contact_total, (double)output.gap);
    }
    abut_shape_destroy(gear);
    abut_mesh_destroy(mesh);
    return 0;
}
