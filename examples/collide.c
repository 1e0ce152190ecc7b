// Two gears on their axes: do they mesh without touching, and where do they touch when one is turned?
#include <abut/abut.h>
#include <abut/models.h>
#include <stdio.h>

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

/// What a solver with manifolds of four contacts would be given.
static void print_manifold(AbutContact* contacts, uint32_t count)
{
    AbutReduction reduction = abut_contacts_reduce(contacts, count, 4);
    printf("  %u of %u contacts stand for all; the force changes by %.0f %%, the torque by %.0f %%\n",
           reduction.kept_count, reduction.kept_count + reduction.dropped_count,
           100.0 * (double)reduction.force_change, 100.0 * (double)reduction.torque_change);
    for (uint32_t i = 0; i < reduction.kept_count; ++i)
    {
        const AbutContact* c = &contacts[i];
        printf("  %016llx: separation %.4f, on A at (%.3f %.3f %.3f), on B at (%.3f %.3f %.3f)\n",
               (unsigned long long)c->id, (double)c->separation, (double)c->anchor_a.x, (double)c->anchor_a.y,
               (double)c->anchor_a.z, (double)c->anchor_b.x, (double)c->anchor_b.y, (double)c->anchor_b.z);
    }
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
        float angle = 3.14159265f / (float)def.teeth * (1.0f - 0.05f * (float)i);
        input.pose_b = abut_pose_at(pitch, 0.0, 0.0);
        input.pose_b.rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), angle);
        AbutContact contacts[256];
        AbutCollideOutput output = abut_collide(&input, contacts, 256);
        printf("turned by %.4f: %s, %u contacts, gap at least %g\n", (double)angle,
               abut_collide_state_name(output.state), output.contact_total, (double)output.gap);
        if (output.contact_count > 0)
        {
            print_manifold(contacts, output.contact_count);
        }
    }
    abut_shape_destroy(gear);
    abut_mesh_destroy(mesh);
    return 0;
}
