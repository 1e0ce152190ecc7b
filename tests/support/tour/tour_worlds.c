// Stops of the tour: worlds.
#include "support/tour/tour_mix.h"

#include <stdlib.h>

static void fill_world(const Tour* tour, AbutWorld* world, AbutBodyId* last)
{
    AbutShape* const shapes[] = { tour->box, tour->ring, tour->sparse, tour->field, tour->ball };
    AbutBodyDef def = abut_body_def();
    def.kind = ABUT_BODY_STATIC;
    def.shape = tour->plane;
    need(abut_body_create(world, &def, last));
    def.kind = ABUT_BODY_KINEMATIC;
    def.shape = tour->box;
    def.pose = tilted(0.5, 0.2, 0.0);
    def.angular_velocity = abut_vec3(0.0f, 1.0f, 0.3f);
    need(abut_body_create(world, &def, last));
    def.kind = ABUT_BODY_DYNAMIC;
    for (int i = 0; i < 6; ++i)
    {
        def.shape = shapes[i % 5];
        def.material.restitution = i % 3 == 0 ? 0.3f : 0.0f;
        def.pose = tilted(0.07 * (i % 3), 0.35 + 0.22 * i, 0.04 * (i % 2));
        need(abut_body_create(world, &def, last));
    }
}

static uint64_t mix_world(uint64_t hash, const AbutWorld* world, AbutBodyId body,
                          const AbutStepReport* report)
{
    uint64_t own = abut_world_hash(world);
    AbutBodyState state = abut_body_state(world, body);
    MIX(hash, own);
    hash = mix_vector(mix_pose(hash, state.pose), state.linear_velocity);
    MIX(hash, report->kinetic_energy);
    MIX(hash, report->max_penetration);
    return hash;
}

static uint64_t ask_mass(const Tour* tour, uint64_t hash)
{
    AbutMassData mass;
    need(abut_shape_mass(tour->sparse, tour->host, &mass));
    MIX(hash, mass.volume);
    MIX(hash, mass.inertia[1][1]);
    return hash;
}

static uint64_t ask_world(const Tour* tour, const AbutWorld* world, uint64_t hash)
{
    AbutRayInput ray = abut_ray_input((AbutPosition){ 0.1, 3.0, 0.05 }, abut_vec3(0.01f, -1.0f, 0.0f));
    AbutRayOutput hit;
    need(abut_world_cast_ray(world, &ray, &hit));
    MIX(hash, hit.time);
    hash = mix_vector(hash, hit.normal);
    AbutOverlapInput overlap = abut_overlap_input(tour->sparse, tilted(0.1, 0.4, 0.0));
    AbutOverlap overlaps[16];
    uint32_t count;
    need(abut_world_overlap(world, &overlap, overlaps, 16, &count));
    MIX(hash, count);
    AbutNearestOutput min_distance;
    need(abut_world_nearest(world, (AbutPosition){ 0.3, 0.7, 0.2 }, 3.0f, UINT32_MAX, &min_distance));
    MIX(hash, min_distance.distance);
    return mix_vector(ask_mass(tour, hash), min_distance.normal);
}

static uint64_t run_world(const Tour* tour, AbutResponse response, AbutPenaltyScheme scheme)
{
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = NULL;
    AbutBodyId body;
    AbutStepReport report;
    uint64_t hash = 15;
    def.response = response;
    def.penalty.scheme = scheme;
    def.penalty.point_count = 40;
    def.host = tour->host;
    need(abut_world_create(&def, &world));
    fill_world(tour, world, &body);
    AbutPose pose = tilted(0.1, 2.5, 0.1);
    AbutMaterial material = { .friction = 0.3f };
    need(abut_body_set_pose(world, body, &pose));
    need(abut_body_set_velocity(world, body, abut_vec3(0.1f, -3.0f, 0.0f), abut_vec3(0.3f, 0.1f, 7.0f)));
    need(abut_body_set_material(world, body, &material));
    size_t size = 0;
    unsigned char* data = NULL;
    for (int i = 0; i < 8; ++i)
    {
        need(abut_body_apply_force(world, body, abut_vec3(0.1f, 0.3f, 0.0f), abut_vec3(0.01f, 0.0f, 0.0f)));
        need(abut_world_step(world, 1.0f / 60.0f, &report));
        hash = mix_world(hash, world, body, &report);
        if (i == 5)
        {
            size = abut_world_snapshot_size(world);
            data = malloc(size);
            assert_non_null(data);
            need(abut_world_save(world, data, size));
        }
    }
    hash = ask_world(tour, world, hash);
    need(abut_world_restore(world, data, size));
    hash = mix_world(hash, world, body, &report);
    free(data);
    abut_world_destroy(world);
    return hash;
}

uint64_t tour_visit_impulses(const Tour* tour)
{
    return run_world(tour, ABUT_RESPONSE_IMPULSE, ABUT_PENALTY_BALANCED);
}

uint64_t tour_visit_springs(const Tour* tour)
{
    return run_world(tour, ABUT_RESPONSE_PENALTY, ABUT_PENALTY_BALANCED);
}

uint64_t tour_visit_delayed_springs(const Tour* tour)
{
    return run_world(tour, ABUT_RESPONSE_PENALTY, ABUT_PENALTY_DELAYED);
}

/// Plates that meet fast are looked after all along their ways.
uint64_t tour_visit_plates(const Tour* tour)
{
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = NULL;
    AbutShape* plate = NULL;
    uint64_t hash = 16;
    def.host = tour->host;
    need(abut_world_create(&def, &world));
    need(abut_shape_create_box(abut_vec3(0.4f, 0.004f, 0.3f), tour->host, &plate));
    AbutBodyDef body = abut_body_def();
    AbutBodyId id = { 0, 0 };
    body.shape = plate;
    for (int i = 0; i < 4; ++i)
    {
        body.pose = tilted(0.02 * i, 0.25 * i, 0.01 * i);
        body.linear_velocity = abut_vec3(0.0f, i % 2 == 0 ? 15.0f : -15.0f, 0.0f);
        body.angular_velocity = abut_vec3((float)i, 9.0f, 20.0f);
        need(abut_body_create(world, &body, &id));
    }
    for (int i = 0; i < 4; ++i)
    {
        AbutStepReport report;
        need(abut_world_step(world, 1.0f / 60.0f, &report));
        hash = mix_world(hash, world, id, &report);
    }
    abut_shape_destroy(plate);
    abut_world_destroy(world);
    return hash;
}
