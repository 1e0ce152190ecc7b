// One answer everywhere: all instruction sets, any number of workers, any compiler and setting give the bits
// written down here. tests/digests/digest_shapes.c takes the same list to other processors.
#include "support/digest.h"
#include "support/support.h"

#include <inttypes.h>
#include <string.h>

typedef struct Golden
{
    const char* name;
    uint64_t hash;
} Golden;

/// What digest_shapes prints. A change of these is a change of results: say so in CHANGELOG.md.
static const Golden GOLDEN[] = {
    { "sphere", 0x0114695a1dbe5c1b },
    { "sphere posed", 0x731bd417f08334df },
    { "box", 0x5ef613115cf23a9a },
    { "box posed", 0x488f258697041299 },
    { "rounded box", 0x504c3d7432a794e7 },
    { "rounded box posed", 0x62130958dbcd3e58 },
    { "capsule", 0x1d92d5288a18e585 },
    { "capsule posed", 0x51dcfdfb40f7de52 },
    { "cylinder", 0x7b6d75fd1f5f690b },
    { "cylinder posed", 0x6843ca8a07281d73 },
    { "cone", 0xb7d6de794a36c595 },
    { "cone posed", 0x3743a55eef072fa3 },
    { "cut cone", 0xb176d6759e481b29 },
    { "torus", 0xb3a1910fa098c410 },
    { "torus posed", 0x8a1a6fd67b1198f2 },
    { "plane", 0x856fad2d6a5b0584 },
    { "plane posed", 0x61e1b6ea6cde3a90 },
    { "union", 0x4ff1671f6f651841 },
    { "intersection", 0x405f9ef6695db4d3 },
    { "difference", 0x4b1193793e43e532 },
    { "smooth union", 0x8e4abec6b80a908c },
    { "smooth union posed", 0x3cb6ec0f5dc97e67 },
    { "offset", 0x4d2c4f95d635f88a },
    { "offset posed", 0xf75764cd5e1b6beb },
    { "shell", 0x6265e0a1e4479d20 },
    { "shell posed", 0x88320d774cb5c345 },
    { "corrected", 0x5e269143b49d3be1 },
    { "placed", 0x8a1a6fd67b1198f2 },
    { "placed posed", 0xf258036c37c256d8 },
    { "placed far away", 0xa5d316c7d383fbd4 },
    { "placed and posed back", 0xe0cf5cbd97479157 },
    { "boss", 0x06a39fda886d819e },
    { "body", 0x20ef839436711d0e },
    { "skin", 0xe430a4a553d7972a },
    { "grown", 0x3c0a9da5f084bc98 },
    { "bore", 0x51dcfdfb40f7de52 },
    { "part", 0x16585e5cdde4f5e0 },
    { "part posed", 0x7d15791767a06dd5 },
    { "heightfield", 0xfad87b074bc45f42 },
    { "heightfield posed", 0xf25e82bb47a9185c },
    { "heightfield, thin band", 0x6f11845ef5750515 },
    { "heightfield less a torus", 0xb18264444ac43d62 },
    { "function", 0xb9f01e0e6c0fb96b },
    { "function posed", 0x6d38ca3d5349dd93 },
    { "function with gradient", 0xf6201a9d12d6aeb3 },
    { "blended function", 0x1fb6af90488f7c60 },
    { "hull", 0x3d46f8fdaf73d945 },
    { "hull posed", 0x4e7149df47a06397 },
    { "large hull", 0x386a83d3773f7482 },
    { "flat hull", 0xc8423a9c4e8f1c37 },
};

enum
{
    GOLDEN_COUNT = sizeof(GOLDEN) / sizeof(GOLDEN[0])
};

typedef struct Shapes
{
    DigestShape list[DIGEST_MOST_SHAPES];
    size_t count;
} Shapes;

static int create_shapes(void** state)
{
    static Shapes shapes;
    shapes.count = digest_create_shapes(shapes.list);
    *state = &shapes;
    return 0;
}

static int destroy_shapes(void** state)
{
    Shapes* shapes = *state;
    digest_destroy_shapes(shapes->list, shapes->count);
    return 0;
}

/// Compares all shapes and reports every one that differs.
static void expect_golden(const Shapes* shapes, const AbutHost* host, const char* what)
{
    assert_int_equal(shapes->count, GOLDEN_COUNT);
    int different = 0;
    for (size_t i = 0; i < shapes->count; ++i)
    {
        assert_string_equal(shapes->list[i].name, GOLDEN[i].name);
        uint64_t hash = digest_of_shape(&shapes->list[i], host);
        if (hash != GOLDEN[i].hash)
        {
            different += 1;
            print_error("%s, %s: 0x%016" PRIx64 ", expected 0x%016" PRIx64 "\n", what, GOLDEN[i].name, hash,
                        GOLDEN[i].hash);
        }
    }
    assert_int_equal(different, 0);
}

static void test_all_instruction_sets_give_the_golden_bits(void** state)
{
    char best[16];
    strncpy(best, abut_simd_name(), sizeof(best) - 1);
    best[sizeof(best) - 1] = '\0';
    const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); ++i)
    {
        AbutResult result = abut_simd_force(sets[i]);
        if (result != ABUT_OK)
        {
            test_assert_result(result, ABUT_UNSUPPORTED);
            print_message("%s is skipped: %s\n", sets[i], abut_last_error());
            continue;
        }
        assert_string_equal(abut_simd_name(), sets[i]);
        expect_golden(*state, NULL, sets[i]);
    }
    test_assert_result(abut_simd_force(best), ABUT_OK);
}

static void test_any_number_of_workers_gives_the_golden_bits(void** state)
{
    const uint32_t counts[] = { 1, 2, 7 };
    for (int i = 0; i < 3; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        expect_golden(*state, &host, "workers");
        abut_workers_destroy(workers);
    }
    AbutHost host = abut_host_default();
    expect_golden(*state, &host, "default host");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_instruction_sets_give_the_golden_bits),
        cmocka_unit_test(test_any_number_of_workers_gives_the_golden_bits),
    };
    return cmocka_run_group_tests(tests, create_shapes, destroy_shapes);
}
