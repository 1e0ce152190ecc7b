// Contacts of many pairs by particles on a GPU, with the bytes of the processor.
#include <abut/abut.h>

#include <stdio.h>
#include <string.h>

enum
{
    BODIES = 27
};

/// A row of tori, each through its neighbours.
static void make_bodies(const AbutShape* field, AbutCollideBody bodies[BODIES],
                        AbutBodyPair pairs[BODIES - 1])
{
    for (uint32_t i = 0; i < BODIES; ++i)
    {
        bodies[i] = (AbutCollideBody){ field, abut_pose_identity() };
        bodies[i].pose.position.x = 1.5 * i;
        if (i % 2 != 0)
        {
            bodies[i].pose.rotation = (AbutQuat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f };
        }
        if (i > 0)
        {
            pairs[i - 1] = (AbutBodyPair){ i - 1, i };
        }
    }
}

static AbutShape* bake_torus(void)
{
    AbutShape *torus = NULL, *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 64;
    def.format = ABUT_FIELD_FIRST_ORDER;
    if (abut_shape_create_torus(1.0f, 0.3f, NULL, &torus) == ABUT_OK)
    {
        abut_bake_shape(&def, torus, &field);
    }
    abut_shape_destroy(torus);
    return field;
}

/// One step; returns a hash of its contacts.
static uint64_t collide(const AbutPairsInput* input, AbutDevice* device)
{
    AbutCollider* collider;
    AbutCollideResults results = { 0 };
    AbutCollideSettings settings = abut_collide_settings();
    settings.method = ABUT_COLLIDE_PARTICLES;
    if (abut_collider_create(NULL, &collider) != ABUT_OK)
    {
        return 0;
    }
    abut_collider_set_device(collider, device);
    abut_collide_pairs(collider, input, &settings, &results);
    printf("%zu contacts of %zu pairs\n", results.contact_count, results.pair_count);
    uint64_t hash = abut_hash(results.contacts, results.contact_count * sizeof(AbutContact), 0);
    abut_collider_destroy(collider);
    return hash;
}

int main(void)
{
    AbutDevice* device = NULL;
    AbutDeviceDef def = abut_device_def();
    if (abut_device_create(&def, &device) != ABUT_OK)
    {
        printf("%s\n", abut_last_error());
        return 0; // the processor has the same answers
    }
    AbutShape* field = bake_torus();
    AbutCollideBody bodies[BODIES];
    AbutBodyPair pairs[BODIES - 1];
    make_bodies(field, bodies, pairs);
    const AbutPairsInput input = { bodies, BODIES, pairs, BODIES - 1 };
    AbutDeviceInfo info = abut_device_info(device);
    bool same = field != NULL && collide(&input, NULL) == collide(&input, device);
    AbutDeviceStats stats = abut_device_stats(device);
    printf("%s, %s: %s; %llu particles, %.3f ms on the device\n", info.name, info.verdict,
           same ? "the same bytes" : "other bytes", (unsigned long long)stats.particles,
           1e3 * stats.device_seconds);
    abut_shape_destroy(field);
    abut_device_destroy(device);
    return same ? 0 : 1;
}
