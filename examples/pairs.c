// A world of rings and capsules that settle on a plane: each step a broad phase finds pairs of boxes, and one
// call answers all of them on all cores. What has hardly moved is answered from the step before, with a proof
// that it still holds.
#include <abut/abut.h>
#include <stdio.h>

enum
{
    BODIES = 200,
    STEPS = 6
};

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

/// Rows of bodies above the plane, each turned another way.
static AbutPose start_pose(int i)
{
    AbutPose pose = abut_pose_at(0.55 * (i % 10), 0.3 + 0.5 * (i / 100), 0.55 * (i / 10 % 10));
    pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 0.3f * (float)(i % 7), 0.5f), 0.4f * (float)i);
    return pose;
}

int main(void)
{
    AbutShape *plane = NULL, *ring = NULL, *capsule = NULL;
    AbutWorkers* workers = NULL;
    AbutBroad* broad = NULL;
    AbutCollider* collider = NULL;
    AbutBroadDef broad_def = abut_broad_def();
    if (abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane) != ABUT_OK ||
        abut_shape_create_torus(0.25f, 0.06f, NULL, &ring) != ABUT_OK ||
        abut_shape_create_capsule(0.1f, 0.4f, NULL, &capsule) != ABUT_OK ||
        abut_workers_create(0, NULL, &workers) != ABUT_OK || abut_broad_create(&broad_def, &broad) != ABUT_OK)
    {
        return fail();
    }
    AbutHost host = abut_workers_host(workers); // threads that wait between steps
    if (abut_collider_create(&host, &collider) != ABUT_OK)
    {
        return fail();
    }

    AbutCollideBody bodies[BODIES];
    for (int i = 0; i < BODIES; ++i)
    {
        uint32_t id;
        bodies[i] = (AbutCollideBody){ i % 2 == 0 ? ring : capsule, start_pose(i) };
        if (i == 0)
        {
            bodies[i] = (AbutCollideBody){ plane, abut_pose_identity() }; // its box has no end
        }
        AbutBox box = abut_pose_transform_box(&bodies[i].pose, abut_shape_info(bodies[i].shape).bounds);
        if (abut_broad_add(broad, box, 1, 1, &id) != ABUT_OK)
        {
            return fail();
        }
    }

    AbutCollideSettings settings = abut_collide_settings();
    settings.reuse = 0.002f; // contacts may be used again until something has moved so far
    for (int step = 0; step < STEPS; ++step)
    {
        const AbutBodyPair* pairs;
        size_t pair_count;
        AbutCollideResults results;
        if (abut_broad_update_pairs(broad, &pairs, &pair_count) != ABUT_OK ||
            abut_collide_pairs(collider, &(AbutPairsInput){ bodies, BODIES, pairs, pair_count }, &settings,
                               &results) != ABUT_OK)
        {
            return fail();
        }
        size_t touching = 0;
        for (size_t i = 0; i < results.pair_count; ++i)
        {
            touching += results.pairs[i].output.state == ABUT_COLLIDE_CONTACT ? 1 : 0;
        }
        printf("step %d: %zu pairs, %zu touch in %zu contacts, %zu answered from the step before\n", step,
               results.pair_count, touching, results.contact_count, results.reused_count);

        // A solver would move bodies by their contacts; here those of the upper layer sink a little, ever
        // less.
        for (int i = 1; i < BODIES; ++i)
        {
            bodies[i].pose.position.y -= i >= 100 ? 0.05 / (1 << 2 * step) : 0.0;
            AbutBox box = abut_pose_transform_box(&bodies[i].pose, abut_shape_info(bodies[i].shape).bounds);
            abut_broad_move(broad, (uint32_t)i, box);
        }
    }
    abut_collider_destroy(collider);
    abut_broad_destroy(broad);
    abut_workers_destroy(workers);
    abut_shape_destroy(capsule);
    abut_shape_destroy(ring);
    abut_shape_destroy(plane);
    return 0;
}
