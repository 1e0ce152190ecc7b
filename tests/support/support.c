#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t test_random_bits(TestRandom* random)
{
    random->state += 0x9E3779B97F4A7C15u;
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double test_random_unit(TestRandom* random)
{
    return (double)(test_random_bits(random) >> 11) * 0x1p-53;
}

double test_random_range(TestRandom* random, double low, double high)
{
    return low + (high - low) * test_random_unit(random);
}

AbutVec3 test_random_point(TestRandom* random, double half_extent)
{
    float x = (float)test_random_range(random, -half_extent, half_extent);
    float y = (float)test_random_range(random, -half_extent, half_extent);
    float z = (float)test_random_range(random, -half_extent, half_extent);
    return abut_vec3(x, y, z);
}

AbutVec3 test_random_direction(TestRandom* random)
{
    for (;;)
    {
        AbutVec3 v = test_random_point(random, 1.0);
        float length = abut_vec3_length(v);
        if (length > 0.1f && length < 1.0f)
        {
            return abut_vec3_scale(v, 1.0f / length);
        }
    }
}

AbutPosition test_random_position(TestRandom* random, double half_extent)
{
    AbutPosition p;
    p.x = test_random_range(random, -half_extent, half_extent);
    p.y = test_random_range(random, -half_extent, half_extent);
    p.z = test_random_range(random, -half_extent, half_extent);
    return p;
}

AbutVec3 test_random_vector(TestRandom* random, double low, double high)
{
    AbutVec3 direction = test_random_direction(random);
    return abut_vec3_scale(direction, (float)test_random_range(random, low, high));
}

AbutQuat test_random_rotation(TestRandom* random)
{
    // One after the other: the order in which arguments are computed is the compiler's.
    AbutVec3 axis = test_random_direction(random);
    return abut_quat_from_axis_angle(axis, (float)test_random_range(random, -3.1415, 3.1415));
}

int test_count(const char* variable, int usual)
{
    const char* text = getenv(variable);
    int count = text != NULL ? atoi(text) : 0;
    return count > 0 ? count : usual;
}

int test_heavy_count(int count)
{
    return getenv("ABUT_TEST_HEAVY") != NULL ? count : TEST_IS_SANITIZED ? count / 10 : count / 4;
}

static void* host_allocate(void* user, size_t size, size_t alignment)
{
    TestHost* self = user;
    self->allocation_count += 1;
    bool over = self->byte_limit > 0 && self->live_bytes + size > self->byte_limit;
    if (self->allocation_count == self->fail_at || over)
    {
        return NULL;
    }
    void* memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory != NULL)
    {
        memset(memory, 0xA5, size); // so that code that counts on zeros shows
        self->live_count += 1;
        self->live_bytes += size;
        if (self->live_bytes > self->peak_bytes)
        {
            self->peak_bytes = self->live_bytes;
        }
    }
    return memory;
}

static void host_free(void* user, void* memory, size_t size)
{
    TestHost* self = user;
    assert_non_null(memory);
    assert_true(self->live_count > 0);
    assert_true(self->live_bytes >= size);
    self->live_count -= 1;
    self->live_bytes -= size;
    free(memory);
}

static void host_parallel_for(void* user, uint32_t block_count, AbutBlockFn* block, void* context)
{
    (void)user;
    for (uint32_t i = block_count; i-- > 0;) // backwards, so that code that counts on the order shows
    {
        block(context, i, 0);
    }
}

void test_host_init(TestHost* test_host)
{
    memset(test_host, 0, sizeof(*test_host));
    test_host->host = abut_host_default();
    test_host->host.user = test_host;
    test_host->host.allocate = host_allocate;
    test_host->host.free = host_free;
    test_host->host.parallel_for = host_parallel_for;
    test_host->host.worker_count = 2; // more than one, or loops never reach the host
}

uint64_t test_fail_every_allocation(AbutResult (*create)(void* context, const AbutHost* host), void* context)
{
    enum
    {
        MOST = 100000
    };
    for (uint64_t n = 1; n < MOST; ++n)
    {
        TestHost test_host;
        test_host_init(&test_host);
        test_host.fail_at = n;
        AbutResult result = create(context, &test_host.host);
        if (test_host.live_count != 0)
        {
            fail_msg("allocation %llu failing leaks %llu blocks", (unsigned long long)n,
                     (unsigned long long)test_host.live_count);
        }
        if (test_host.allocation_count < n)
        {
            test_assert_result(result, ABUT_OK);
            assert_true(n > 1);
            return n - 1;
        }
        test_assert_result(result, ABUT_OUT_OF_MEMORY);
        assert_true(strlen(abut_last_error()) > 0);
    }
    fail_msg("still allocating after %d allocations", MOST);
    return 0;
}

void test_check_near(double actual, double expected, double tolerance, const char* what, const char* file,
                     int line)
{
    if (!(fabs(actual - expected) <= tolerance))
    {
        print_error("%s = %.17g, expected %.17g within %g\n", what, actual, expected, tolerance);
        _fail(file, line);
    }
}

void test_check_result(AbutResult actual, AbutResult expected, const char* what, const char* file, int line)
{
    if (actual != expected)
    {
        print_error("%s: %s (%s), expected %s\n", what, abut_result_name(actual), abut_last_error(),
                    abut_result_name(expected));
        _fail(file, line);
    }
}

const char* test_shared_mesh(const char* name)
{
    static char path[4096];
    const char* folder = getenv("ABUT_SHARED_MESHES");
    if (folder == NULL || snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
    {
        return NULL;
    }
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return NULL;
    }
    fclose(file);
    return path;
}

AbutSpeculativeSettings test_speculative_settings(const AbutCollideSettings* settings)
{
    AbutSpeculativeSettings other = abut_speculative_settings();
    other.method = settings->method != ABUT_COLLIDE_PARTICLES ? settings->method : ABUT_COLLIDE_ADAPTIVE;
    other.margin = settings->margin;
    other.tolerance = settings->tolerance;
    other.spacing = settings->spacing;
    other.budget = settings->budget;
    other.measure_depth = settings->measure_depth;
    other.reuse = settings->reuse;
    return other;
}

AbutSpeculativeInput test_speculative_input(const AbutCollideInput* input)
{
    return (AbutSpeculativeInput){
        .shape_a = input->shape_a,
        .shape_b = input->shape_b,
        .pose_a = input->pose_a,
        .pose_b = input->pose_b,
        .settings = test_speculative_settings(&input->settings),
    };
}

void test_assert_same_bytes(TestHashFn* hash, void* context)
{
    static const char* const sets[] = { "scalar", "sse2", "avx2", "neon" };
    static const uint32_t counts[] = { 1, 2, 7 };
    const char* const before = abut_simd_name();
    const uint64_t expected = hash(context, NULL);
    for (int i = 0; i < 3; ++i)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(counts[i], NULL, &workers), ABUT_OK);
        AbutHost host = abut_workers_host(workers);
        assert_int_equal(hash(context, &host), expected);
        abut_workers_destroy(workers);
    }
    for (int i = 0; i < 4; ++i)
    {
        if (abut_simd_force(sets[i]) == ABUT_OK && hash(context, NULL) != expected)
        {
            fail_msg("other bytes by %s than by %s", sets[i], before);
        }
    }
    test_assert_result(abut_simd_force(before), ABUT_OK);
}
