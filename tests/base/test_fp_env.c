// Whatever floating-point environment the host has in which of its threads: the same bytes, no trap, and the
// environment stays.
#include "support/tour/tour.h"

#include "base/fp_env.h"
#include "support/worlds.h"

#include <abut/io.h>
#include <abut/models.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Environment
{
    const char* name;
    uint64_t bits;
} Environment;

#if defined(__x86_64__)
static const Environment environments[] = {
    { "up", 0x5f80 },           { "down", 0x3f80 },
    { "towards zero", 0x7f80 }, { "flush to zero", 0x9fc0 },
    { "traps", 0x0000 },        { "traps, up and flush to zero", 0xc040 },
};
#elif defined(__aarch64__)
static const Environment environments[] = {
    { "up", 1u << 22 },           { "down", 2u << 22 },
    { "towards zero", 3u << 22 }, { "flush to zero", 1u << 24 },
    { "default NaN", 1u << 25 },  { "traps, up and flush to zero", 1u << 22 | 1u << 24 | 0x1f00u },
};
#else
#include <fenv.h>
static const Environment environments[] = { { "up", FE_UPWARD }, { "down", FE_DOWNWARD } };
#endif

enum
{
    ENVIRONMENTS = sizeof(environments) / sizeof(environments[0]),
    STOPS = 32
};

static uint64_t host_bits = ABUT_FP_DEFAULT;
static uint64_t call_count, changed_count;

static void enter_host(void)
{
    abut_fp_write(host_bits);
}

/// The call has left the environment as it was.
static void leave_host(void)
{
    uint64_t now = abut_fp_read();
    abut_fp_write(ABUT_FP_DEFAULT);
    call_count += 1;
    changed_count += (now & ABUT_FP_CONTROL) != (host_bits & ABUT_FP_CONTROL) ? 1 : 0;
}

// -----------------------------------------------------------------------------------------------------------
// A host whose threads differ
// -----------------------------------------------------------------------------------------------------------

typedef struct Share
{
    AbutBlockFn* block;
    void* context;
    uint32_t first, count, worker;
} Share;

static void* run_share(void* argument)
{
    const Share* share = argument;
    abut_fp_write(environments[share->worker % ENVIRONMENTS].bits);
    for (uint32_t i = share->first; i < share->count; i += 3)
    {
        share->block(share->context, i, share->worker);
    }
    abut_fp_write(ABUT_FP_DEFAULT);
    return NULL;
}

static void run_on_three(void* user, uint32_t block_count, AbutBlockFn* block, void* context)
{
    (void)user;
    pthread_t threads[3];
    Share shares[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        shares[i] = (Share){ block, context, i, block_count, i };
        assert_int_equal(pthread_create(&threads[i], NULL, run_share, &shares[i]), 0);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        pthread_join(threads[i], NULL);
    }
}

// -----------------------------------------------------------------------------------------------------------
// The tour in all environments
// -----------------------------------------------------------------------------------------------------------

static void take_tour(const AbutHost* host, uint64_t hashes[STOPS])
{
    Tour tour;
    tour_begin(&tour, host);
    hashes[0] = tour.made;
    for (int i = 0; tour_stops[i].name != NULL; ++i)
    {
        hashes[1 + i] = tour_stops[i].run(&tour);
    }
    tour_end(&tour);
}

/// In the usual environment, on one thread.
static const uint64_t* usual_hashes(void)
{
    static uint64_t hashes[STOPS];
    if (hashes[0] == 0)
    {
        AbutHost alone = abut_host_default();
        alone.worker_count = 1;
        uint64_t before = host_bits;
        host_bits = ABUT_FP_DEFAULT;
        take_tour(&alone, hashes);
        host_bits = before;
    }
    return hashes;
}

static void compare(const char* name, const uint64_t* hashes)
{
    const uint64_t* expected = usual_hashes();
    for (int i = 0; i == 0 || tour_stops[i - 1].name != NULL; ++i)
    {
        if (hashes[i] != expected[i])
        {
            fail_msg("%s: other bytes at \"%s\"", name, i == 0 ? "made" : tour_stops[i - 1].name);
        }
    }
}

static void test_the_environment_of_the_caller_changes_no_byte_and_stays(void** state)
{
    (void)state;
    uint64_t hashes[STOPS] = { 0 };
    AbutHost alone = abut_host_default();
    alone.worker_count = 1;
    tour_before_call = enter_host;
    tour_after_call = leave_host;
    call_count = changed_count = 0;
    for (int i = 0; i < ENVIRONMENTS; ++i)
    {
        host_bits = environments[i].bits;
        take_tour(&alone, hashes);
        compare(environments[i].name, hashes);
    }
    assert_int_equal(changed_count, 0);
    assert_true(call_count > 1000);
    host_bits = ABUT_FP_DEFAULT;
}

static void test_threads_may_differ_from_each_other_and_from_the_caller(void** state)
{
    (void)state;
    uint64_t hashes[STOPS] = { 0 };
    AbutHost three = abut_host_default();
    three.worker_count = 3;
    three.parallel_for = run_on_three;
    host_bits = environments[0].bits;
    take_tour(&three, hashes);
    compare("threads of the host", hashes);
    host_bits = ABUT_FP_DEFAULT;
}

/// Threads inherit the environment of the one that starts them.
static void test_workers_that_start_in_another_environment_compute_the_same(void** state)
{
    (void)state;
    uint64_t hashes[STOPS] = { 0 };
    AbutWorkers* workers = NULL;
    abut_fp_write(environments[0].bits);
    AbutResult result = abut_workers_create(3, NULL, &workers);
    abut_fp_write(ABUT_FP_DEFAULT);
    test_assert_result(result, ABUT_OK);
    AbutHost host = abut_workers_host(workers);
    take_tour(&host, hashes);
    compare("workers", hashes);
    abut_workers_destroy(workers);
}

// -----------------------------------------------------------------------------------------------------------
// Callbacks, and enter and leave
// -----------------------------------------------------------------------------------------------------------

typedef struct Meddler
{
    bool leaves_other, finds_other;
} Meddler;

static void sample_and_meddle(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    Meddler* meddler = user;
    meddler->finds_other = meddler->finds_other || !abut_fp_is_default();
    for (size_t i = 0; i < count; ++i)
    {
        float x = points.x[i], y = points.y[i], z = points.z[i];
        out.distance[i] = sqrtf(x * x + y * y + z * z) - 0.3f;
    }
    if (meddler->leaves_other)
    {
        abut_fp_write(environments[0].bits);
    }
}

static uint64_t drop_meddler(Meddler* meddler)
{
    AbutCallbackDef def = abut_callback_def();
    AbutShape* shape = NULL;
    def.function = sample_and_meddle;
    def.user = meddler;
    def.bounds = abut_box(abut_vec3(-0.3f, -0.3f, -0.3f), abut_vec3(0.3f, 0.3f, 0.3f));
    test_assert_result(abut_shape_create_callback(&def, &shape), ABUT_OK);
    AbutHost alone = abut_host_default();
    alone.worker_count = 1;
    AbutWorld* world = test_make_world(&alone);
    test_add_ground(world, 0.1, test_plain);
    test_add_body(world, shape, ABUT_BODY_DYNAMIC, abut_pose_at(0.0, 0.31, 0.0), test_plain);
    test_steps(world, 20);
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    return hash;
}

static void test_a_callback_finds_the_usual_environment_and_cannot_leave_another(void** state)
{
    (void)state;
    Meddler honest = { false, false }, meddler = { true, false };
    uint64_t expected = drop_meddler(&honest);
    assert_int_equal(drop_meddler(&meddler), expected);
    assert_false(honest.finds_other || meddler.finds_other);
    assert_true(abut_fp_is_default());
}

static void test_enter_and_leave_are_for_hosts_too(void** state)
{
    (void)state;
    for (int i = 0; i < ENVIRONMENTS; ++i)
    {
        abut_fp_write(environments[i].bits);
        AbutFpState outer = abut_fp_enter();
        bool usual = abut_fp_is_default();
        AbutFpState inner = abut_fp_enter();
        abut_fp_leave(inner);
        bool still = abut_fp_is_default();
        abut_fp_leave(outer);
        uint64_t after = abut_fp_read();
        abut_fp_write(ABUT_FP_DEFAULT);
        assert_true(usual && still && outer.changed && !inner.changed);
        assert_int_equal(after & ABUT_FP_CONTROL, environments[i].bits & ABUT_FP_CONTROL);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Files and texts
// -----------------------------------------------------------------------------------------------------------

#define HOST(call)                                                                                           \
    do                                                                                                       \
    {                                                                                                        \
        enter_host();                                                                                        \
        AbutResult result_ = call;                                                                           \
        leave_host();                                                                                        \
        test_assert_result(result_, ABUT_OK);                                                                \
    } while (0)

static uint64_t hash_mesh(uint64_t hash, AbutMesh* mesh)
{
    hash = abut_hash(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3), hash);
    abut_mesh_destroy(mesh);
    return hash;
}

static uint64_t hash_field(uint64_t hash, AbutShape* field)
{
    size_t size;
    const void* data = abut_field_data(field, &size);
    hash = abut_hash(data, size, hash);
    abut_shape_destroy(field);
    return hash;
}

static uint64_t read_texts(void)
{
    static const char obj[] =
        "v 0.1 0.2 0.3333333333333\nv 1e-3 2.7182818284 0\nv -0.7 1 0.123456789\nf 1 2 3\n";
    const char* number = "0.1234567890123456789e-7";
    double value = 0.0;
    enter_host();
    abut_number_parse(number, number + strlen(number), &value);
    leave_host();
    uint64_t hash = abut_hash(&value, sizeof(value), 1);
    AbutPose pose;
    HOST(abut_pose_parse("0.1,0.2,1e-7,0.1,0.7,0.1,0.7,1.3", &pose));
    hash = abut_hash(&pose.rotation, sizeof(pose.rotation), hash);
    AbutParsedShape text = { 0 };
    HOST(abut_shape_parse("torus:0.2,0.07@16", NULL, &text));
    hash = hash_field(hash, text.shape);
    AbutMesh* mesh = NULL;
    AbutMeshLoadDef def = abut_mesh_load_def();
    HOST(abut_mesh_parse(&def, ABUT_MESH_FORMAT_OBJ, obj, sizeof(obj) - 1, "text", &mesh));
    hash = hash_mesh(hash, mesh);
    static const char sdf[] = "2 2 2\n0.1 0.2 0.3\n0.1\n0.11 0.12\n-0.13 0.07\n1e-3 0.1\n0.33333333 0.7\n";
    AbutVolumeLoadDef volume = abut_volume_load_def();
    AbutShape* field = NULL;
    HOST(abut_volume_parse(&volume, sdf, sizeof(sdf) - 1, "text", &field));
    return hash_field(hash, field);
}

static uint64_t hash_file(uint64_t hash, const char* path)
{
    char data[256];
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t size = fread(data, 1, sizeof(data), file); size > 0;
         size = fread(data, 1, sizeof(data), file))
    {
        hash = abut_hash(data, size, hash);
    }
    fclose(file);
    return hash;
}

static uint64_t read_files(const char* folder)
{
    char path[3][4096];
    const char* const names[3] = { "ring.obj", "ring.abut", "ring.nrrd" };
    for (int i = 0; i < 3; ++i)
    {
        snprintf(path[i], sizeof(path[i]), "%s/%s", folder, names[i]);
    }
    AbutTorusMeshDef ring = abut_torus_mesh_def();
    AbutMesh *made = NULL, *mesh = NULL;
    test_assert_result(abut_mesh_create_torus(&ring, &made), ABUT_OK);
    HOST(abut_mesh_save(made, path[0]));
    HOST(abut_mesh_load(path[0], &mesh));
    uint64_t hash = hash_mesh(2, mesh);
    AbutMeshLoadDef load = abut_mesh_load_def();
    HOST(abut_mesh_load_with(&load, path[0], &mesh));
    hash = hash_mesh(hash, mesh);
    AbutBakeDef bake = abut_bake_def();
    AbutShape *field = NULL, *loaded = NULL;
    bake.resolution = 12;
    test_assert_result(abut_bake_mesh(&bake, made, &field), ABUT_OK);
    HOST(abut_field_save(field, path[1]));
    HOST(abut_field_load(path[1], NULL, &loaded));
    hash = hash_field(hash, loaded);
    AbutVolumeSaveDef save = abut_volume_save_def();
    HOST(abut_volume_save(&save, field, path[2]));
    hash = hash_file(hash, path[2]);
    for (int i = 0; i < 3; ++i)
    {
        remove(path[i]);
    }
    abut_shape_destroy(field);
    abut_mesh_destroy(made);
    return hash;
}

static void test_files_and_texts_are_read_and_written_alike(void** state)
{
    (void)state;
    char folder[] = "/tmp/abut_fp_env_XXXXXX";
    assert_non_null(mkdtemp(folder));
    host_bits = ABUT_FP_DEFAULT;
    uint64_t texts = read_texts(), files = read_files(folder);
    for (int i = 0; i < ENVIRONMENTS; ++i)
    {
        host_bits = environments[i].bits;
        changed_count = 0;
        assert_int_equal(read_texts(), texts);
        assert_int_equal(read_files(folder), files);
        assert_int_equal(changed_count, 0);
    }
    host_bits = ABUT_FP_DEFAULT;
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_environment_of_the_caller_changes_no_byte_and_stays),
        cmocka_unit_test(test_threads_may_differ_from_each_other_and_from_the_caller),
        cmocka_unit_test(test_workers_that_start_in_another_environment_compute_the_same),
        cmocka_unit_test(test_a_callback_finds_the_usual_environment_and_cannot_leave_another),
        cmocka_unit_test(test_enter_and_leave_are_for_hosts_too),
        cmocka_unit_test(test_files_and_texts_are_read_and_written_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
