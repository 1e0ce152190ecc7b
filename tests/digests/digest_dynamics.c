// Prints hashes of a world after every sixty of 600 steps. Equal text means equal bits, whatever the
// processor, the compiler and the instruction set. They must be the same for 1, 2 and 7 workers, or it ends
// with an error.
#include "support/digest.h"
#include "support/sanitized.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 12,
    STEPS = 600,
    HASHES = 10
};

// That the number of workers does not matter is for plain builds.
#if TEST_IS_SANITIZED
static const uint32_t worker_counts[] = { 2 };
#else
static const uint32_t worker_counts[] = { 1, 2, 7 };
#endif

enum
{
    RUNS = sizeof(worker_counts) / sizeof(worker_counts[0])
};

static void add(AbutWorld* world, AbutShape* shape, AbutBodyKind kind, AbutPose pose)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.kind = kind;
    def.pose = pose;
    def.material.restitution = 0.25f;
    AbutBodyId id;
    digest_check(abut_body_create(world, &def, &id), "body");
}

/// Numbers of few bits: nothing that a C library may round in its own way.
static AbutWorld* create_world(const AbutHost* host, AbutShape* const shapes[4], AbutShape* plane)
{
    static const AbutQuat turns[] = { { 0.0f, 0.0f, 0.0f, 1.0f },
                                      { 0.5f, 0.5f, 0.5f, 0.5f },
                                      { 0.48f, 0.36f, 0.0f, 0.8f } };
    AbutWorldDef def = abut_world_def();
    def.host = host;
    AbutWorld* world = NULL;
    digest_check(abut_world_create(&def, &world), "world");
    add(world, plane, ABUT_BODY_STATIC, abut_pose_identity());
    for (int i = 0; i < BODIES; ++i)
    {
        AbutPose pose = abut_pose_at(0.25 * (i % 3), 0.5 + 0.375 * i, 0.125 * (i % 4));
        pose.rotation = turns[i % 3];
        add(world, shapes[i % 4], ABUT_BODY_DYNAMIC, pose);
    }
    return world;
}

static void run_world(uint32_t worker_count, AbutShape* const shapes[4], AbutShape* plane,
                      uint64_t hashes[HASHES])
{
    AbutWorkers* workers = NULL;
    digest_check(abut_workers_create(worker_count, NULL, &workers), "workers");
    AbutHost host = abut_workers_host(workers);
    AbutWorld* world = create_world(&host, shapes, plane);
    for (int i = 0; i < STEPS; ++i)
    {
        digest_check(abut_world_step(world, 1.0f / 64.0f, NULL), "step");
        if ((i + 1) % (STEPS / HASHES) == 0)
        {
            hashes[i / (STEPS / HASHES)] = abut_world_hash(world);
        }
    }
    abut_world_destroy(world);
    abut_workers_destroy(workers);
}

int main(void)
{
    fprintf(stderr, "digest_dynamics: %s\n", abut_simd_name());
    AbutShape *shapes[4] = { NULL }, *plane = NULL;
    AbutMesh* gear = digest_create_gear();
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 32;
    digest_check(abut_shape_create_sphere(0.25f, NULL, &shapes[0]), "sphere");
    digest_check(abut_shape_create_box(abut_vec3(0.5f, 0.25f, 0.375f), NULL, &shapes[1]), "box");
    digest_check(abut_shape_create_torus(0.25f, 0.125f, NULL, &shapes[2]), "torus");
    digest_check(abut_bake_mesh(&bake, gear, &shapes[3]), "gear");
    digest_check(abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &plane), "plane");
    uint64_t hashes[RUNS][HASHES];
    for (int i = 0; i < RUNS; ++i)
    {
        run_world(worker_counts[i], shapes, plane, hashes[i]);
        bool same = memcmp(hashes[i], hashes[0], sizeof(hashes[0])) == 0;
        digest_check(same ? ABUT_OK : ABUT_INVALID_DATA, "the same state for another number of workers");
    }
    for (int i = 0; i < HASHES; ++i)
    {
        printf("pile %4d %016" PRIx64 "\n", (i + 1) * (STEPS / HASHES), hashes[0][i]);
    }
    for (int i = 0; i < 4; ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
    abut_shape_destroy(plane);
    abut_mesh_destroy(gear);
    return EXIT_SUCCESS;
}
