// Prints hashes of every scene that comes with abut: of its text, with all bodies, and of its world after
// some steps, with few bodies where a scene lets one choose. Equal text means equal bits, whatever the
// compiler and the instruction set. The worlds run twice, on memory full of different bytes and on one and
// two workers, and must be the same, or it ends with an error. Scalar code, which takes three times as long,
// runs once, with one worker: the comparison with the other sets is one of workers and memory, too.
//
// `digest_scenes rounding [SCENE...]` runs worlds in other floating-point environments of the host, all
// threads included, and compares their hashes with those of the usual one.
#include "base/fp_env.h"
#include "scenes/simulate/builders.h"
#include "scenes/simulate/scene_file.h"
#include "scenes/simulate/scene_world.h"
#include "support/digest.h"
#include "support/sanitized.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 20,
    FEW_BODIES = 14
};

typedef struct Environment
{
    const char* name;
    uint64_t bits;
} Environment;

#if defined(__x86_64__)
static const Environment environments[] = {
    { "up", 0x5f80 },
    { "down", 0x3f80 },
    { "towards zero", 0x7f80 },
    { "flush to zero", 0x9fc0 },
};
#elif defined(__aarch64__)
static const Environment environments[] = {
    { "up", 1u << 22 },
    { "down", 2u << 22 },
    { "towards zero", 3u << 22 },
    { "flush to zero", 1u << 24 },
};
#else
static const Environment environments[] = { { "up", FE_UPWARD }, { "down", FE_DOWNWARD } };
#endif

static int dirt; // what memory is full of before it is used

static void* allocate_dirty(void* user, size_t size, size_t alignment)
{
    (void)user;
    alignment = alignment < sizeof(void*) ? sizeof(void*) : alignment;
    void* memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    return memory != NULL ? memset(memory, dirt, size) : NULL;
}

static void free_dirty(void* user, void* memory, size_t size)
{
    (void)user;
    memset(memory, dirt, size);
    free(memory);
}

static Scene build(const SceneBuilder* builder, uint32_t bodies)
{
    Scene scene;
    const SceneOptions options = { .bodies = bodies, .seed = 1 };
    digest_check(scene_build(builder, &options, &scene), builder->name);
    return scene;
}

/// Every bit of a scene is in its text (scene_write).
static uint64_t hash_of_text(const SceneBuilder* builder)
{
    Scene scene = build(builder, 0);
    FILE* stream = tmpfile();
    if (stream == NULL || !scene_write(&scene, stream))
    {
        digest_check(ABUT_IO_ERROR, builder->name);
    }
    rewind(stream);
    uint64_t hash = 0;
    char line[4096];
    while (fgets(line, sizeof(line), stream) != NULL)
    {
        hash = abut_hash(line, strlen(line), hash);
    }
    fclose(stream);
    scene_destroy(&scene);
    return hash;
}

/// The world is made and stepped in the environment `bits`, its scene in the usual one.
static uint64_t hash_of_world_in(const SceneBuilder* builder, uint32_t worker_count, int bytes, uint64_t bits)
{
    dirt = bytes;
    Scene scene = build(builder, builder->takes_bodies ? FEW_BODIES : 0);
    // Rounded here, before the environment changes: compilers know of no environment and may move it.
    volatile float step = (float)scene.step;
    abut_fp_write(bits);
    AbutWorkers* workers = NULL;
    digest_check(abut_workers_create(worker_count, NULL, &workers), "workers");
    AbutHost host = abut_workers_host(workers);
    host.allocate = allocate_dirty;
    host.free = free_dirty;
    SceneWorld world;
    const SceneWorldDef def = { .host = &host };
    digest_check(scene_world_create(&def, &scene, &world), builder->name);
    for (int i = 0; i < STEPS; ++i)
    {
        digest_check(abut_world_step(world.world, step, NULL), builder->name);
    }
    uint64_t hash = abut_world_hash(world.world);
    scene_world_destroy(&world);
    abut_workers_destroy(workers);
    abut_fp_write(ABUT_FP_DEFAULT);
    scene_destroy(&scene);
    return hash;
}

static uint64_t hash_of_world(const SceneBuilder* builder, uint32_t worker_count, int bytes)
{
    return hash_of_world_in(builder, worker_count, bytes, ABUT_FP_DEFAULT);
}

static bool is_named(const SceneBuilder* builder, int count, char** names)
{
    bool named = count == 0;
    for (int i = 0; i < count; ++i)
    {
        named = named || strcmp(names[i], builder->name) == 0;
    }
    return named;
}

/// The exit status: 1 where a hash differs.
static int compare_environments(int count, char** names)
{
    int status = 0, done = 0;
    for (const SceneBuilder* builder = scene_builders(); builder->name != NULL; ++builder)
    {
        if (!is_named(builder, count, names))
        {
            continue;
        }
        done += 1;
        uint64_t usual = hash_of_world(builder, 2, 0x3F);
        printf("%-10s world %016" PRIx64, builder->name, usual);
        for (size_t i = 0; i < sizeof(environments) / sizeof(environments[0]); ++i)
        {
            uint64_t hash = hash_of_world_in(builder, 2, 0x3F, environments[i].bits);
            printf(", %s %s", environments[i].name, hash == usual ? "equal" : "DIFFERENT");
            status = hash == usual ? status : 1;
        }
        printf("\n");
    }
    return done >= count && done > 0 ? status : 1;
}

int main(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "rounding") == 0)
    {
        return compare_environments(argc - 2, argv + 2);
    }
    bool is_scalar = strcmp(abut_simd_name(), "scalar") == 0;
    for (const SceneBuilder* builder = scene_builders(); builder->name != NULL; ++builder)
    {
        // That neither the workers nor what is in memory matters is for plain builds.
        uint64_t hash = is_scalar ? hash_of_world(builder, 1, 0xA5) : hash_of_world(builder, 2, 0x3F);
        uint64_t again = is_scalar || TEST_IS_SANITIZED ? hash : hash_of_world(builder, 1, 0xA5);
        printf("%-10s text %016" PRIx64 " world %016" PRIx64 "\n", builder->name, hash_of_text(builder),
               hash);
        if (again != hash)
        {
            fprintf(stderr, "digest_scenes: %s: one worker on other memory gives %016" PRIx64 "\n",
                    builder->name, again);
            return 1;
        }
    }
    return 0;
}
