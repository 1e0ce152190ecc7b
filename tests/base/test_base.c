// Results, memory, workers, arena and hash.
#include "support/support.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <stdatomic.h>
#include <string.h>

static void test_every_result_has_a_name(void** state)
{
    (void)state;
    for (int i = 0; i < ABUT_RESULT_COUNT; ++i)
    {
        assert_string_not_equal(abut_result_name((AbutResult)i), "unknown result");
    }
    assert_string_equal(abut_result_name((AbutResult)-1), "unknown result");
    assert_string_equal(abut_result_name(ABUT_RESULT_COUNT), "unknown result");
}

static void test_fail_may_quote_the_message_before_it(void** state)
{
    (void)state;
    assert_int_equal(abut_fail(ABUT_INVALID_DATA, "line %d", 7), ABUT_INVALID_DATA);
    abut_fail(ABUT_INVALID_DATA, "part.obj: %s", abut_last_error());
    assert_string_equal(abut_last_error(), "part.obj: line 7");
}

/// The definition itself, by the first and last code of each length.
static void test_utf8_is_decoded_by_the_table_of_the_standard(void** state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code += code < 0x900 || (code & 0x7FF) > 0x7F0 ? 1 : 7)
    {
        char text[4];
        size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        static const unsigned char heads[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
        for (size_t i = 0; i < length; ++i)
        {
            uint32_t bits = code >> (6 * (length - 1 - i));
            text[i] = (char)(i == 0 ? heads[length] | bits : 0x80 | (bits & 0x3F));
        }
        uint32_t found = 0;
        bool surrogate = code >= 0xD800 && code < 0xE000;
        assert_int_equal(abut_utf8_decode(text, length, &found), surrogate ? 0 : length);
        assert_int_equal(found, surrogate ? 0 : code);
        assert_int_equal(abut_utf8_decode(text, length - 1, &found), 0);
    }
    static const char* const bad[] = { "\x80",
                                       "\xBF",
                                       "\xC0\x80",
                                       "\xC1\xBF",
                                       "\xE0\x9F\xBF",
                                       "\xF0\x8F\xBF\xBF",
                                       "\xF4\x90\x80\x80",
                                       "\xF5\x80\x80\x80",
                                       "\xFF",
                                       "\xC3(",
                                       "\xE2\x82(" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
    {
        uint32_t found = 0;
        assert_int_equal(abut_utf8_decode(bad[i], strlen(bad[i]), &found), 0);
    }
}

static void test_messages_hold_no_control_characters(void** state)
{
    (void)state;
    abut_fail(ABUT_INVALID_DATA, "mesh '%s'", "a\x1b]0;b\x07\nc\x7f\xc2\x9b\xff\xe2\x80\xae\xc3\xbc");
    assert_string_equal(abut_last_error(), "mesh 'a?]0;b??c???????\xc3\xbc'");
    char all[256];
    for (size_t i = 0; i < 255; ++i)
    {
        all[i] = (char)(i + 1);
    }
    all[255] = '\0';
    abut_text_sanitize(all);
    for (size_t i = 0; i < 255; ++i)
    {
        assert_int_equal(all[i], i + 1 >= 0x20 && i + 1 < 0x7F ? (char)(i + 1) : '?');
    }
}

static void test_hash_matches_the_published_vectors(void** state)
{
    (void)state;
    // The sanity sequence of the specification: byte i is the top byte of a generator seeded with PRIME32_1.
    uint8_t data[222];
    uint64_t generator = 2654435761u;
    for (size_t i = 0; i < sizeof(data); ++i)
    {
        data[i] = (uint8_t)(generator >> 56);
        generator *= 11400714785074694797u;
    }
    const uint64_t prime = 2654435761u;
    assert_int_equal(abut_hash(NULL, 0, 0), 0xEF46DB3751D8E999u);
    assert_int_equal(abut_hash(NULL, 0, prime), 0xAC75FDA2929B17EFu);
    assert_int_equal(abut_hash(data, 1, 0), 0xE934A84ADB052768u);
    assert_int_equal(abut_hash(data, 1, prime), 0x5014607643A9B4C3u);
    assert_int_equal(abut_hash(data, 4, 0), 0x9136A0DCA57457EEu);
    assert_int_equal(abut_hash(data, 14, 0), 0x8282DCC4994E35C8u);
    assert_int_equal(abut_hash(data, 14, prime), 0xC3BD6BF63DEB6DF0u);
    assert_int_equal(abut_hash(data, 222, 0), 0xB641AE8CB691C174u);
    assert_int_equal(abut_hash(data, 222, prime), 0x20CB8AB7AE10C14Au);
}

typedef struct CountContext
{
    atomic_uint calls[1000];
    uint32_t worker_count;
    AbutHost host;
} CountContext;

static void count_block(void* context, uint32_t block, uint32_t worker)
{
    CountContext* self = context;
    atomic_fetch_add(&self->calls[block], worker < self->worker_count ? 1 : 1000);
}

static void nested_block(void* context, uint32_t block, uint32_t worker)
{
    (void)block;
    (void)worker;
    CountContext* self = context;
    abut_parallel_for(&self->host, 1000, count_block, self);
}

static void check_loops(const AbutHost* host)
{
    static CountContext context;
    memset(&context, 0, sizeof(context));
    context.worker_count = host->worker_count;
    context.host = *host;
    for (int repeat = 0; repeat < 50; ++repeat)
    {
        abut_parallel_for(host, 1000, count_block, &context);
    }
    abut_parallel_for(host, 0, count_block, &context);
    abut_parallel_for(host, 1, count_block, &context);
    abut_parallel_for(host, 5, nested_block, &context);
    for (int i = 0; i < 1000; ++i)
    {
        assert_int_equal(atomic_load(&context.calls[i]), i == 0 ? 56 : 55);
    }
}

static void test_loops_run_every_block_once_for_any_worker_count(void** state)
{
    (void)state;
    AbutHost host = abut_host_default();
    check_loops(&host);
    for (uint32_t count = 1; count <= 7; ++count)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(count, NULL, &workers), ABUT_OK);
        host = abut_workers_host(workers);
        assert_int_equal(host.worker_count, count);
        check_loops(&host);
        abut_workers_destroy(workers);
    }
    AbutWorkers* workers = NULL;
    test_assert_result(abut_workers_create(257, NULL, &workers), ABUT_LIMIT_EXCEEDED);
    assert_null(workers);
    abut_workers_destroy(NULL);
}

static AbutResult create_workers(void* context, const AbutHost* host)
{
    (void)context;
    AbutWorkers* workers = NULL;
    AbutResult result = abut_workers_create(3, host, &workers);
    abut_workers_destroy(workers);
    return result;
}

static AbutResult fill_arena(void* context, const AbutHost* host)
{
    (void)context;
    AbutArena arena = abut_arena_make(host);
    AbutResult result = ABUT_OK;
    for (size_t i = 0; i < 40 && result == ABUT_OK; ++i)
    {
        uint8_t* memory = abut_arena_allocate(&arena, i * 10000, 3);
        if (memory == NULL)
        {
            result = ABUT_OUT_OF_MEMORY;
        }
        else
        {
            assert_int_equal((uintptr_t)memory % ABUT_MEMORY_ALIGNMENT, 0);
            memset(memory, (int)i, i * 30000);
        }
    }
    abut_arena_clear(&arena);
    return result;
}

static AbutResult grow_array(void* context, const AbutHost* host)
{
    (void)context;
    void* array = NULL;
    size_t capacity = 0;
    AbutResult result = ABUT_OK;
    for (size_t needed = 1; needed < 5000 && result == ABUT_OK; needed += 1)
    {
        if (abut_memory_grow(host, &array, &capacity, needed, sizeof(size_t)))
        {
            ((size_t*)array)[needed - 1] = needed;
        }
        else
        {
            result = ABUT_OUT_OF_MEMORY;
        }
        assert_int_equal(needed < 2 || capacity < 1 ? 1 : ((size_t*)array)[0], 1);
    }
    abut_memory_free(host, array, capacity, sizeof(size_t));
    return result;
}

static void test_base_survives_every_failing_allocation(void** state)
{
    (void)state;
    test_fail_every_allocation(create_workers, NULL);
    test_fail_every_allocation(fill_arena, NULL);
    test_fail_every_allocation(grow_array, NULL);
}

static void test_sizes_that_wrap_are_refused(void** state)
{
    (void)state;
    AbutHost host = abut_host_default();
    assert_null(abut_memory_allocate(&host, SIZE_MAX / 2, 16));
    assert_null(abut_memory_allocate(&host, SIZE_MAX, 1));
    AbutArena arena = abut_arena_make(&host);
    assert_null(abut_arena_allocate(&arena, SIZE_MAX / 4, 8));
    assert_null(abut_arena_allocate(&arena, SIZE_MAX, 1));
    assert_non_null(abut_arena_allocate(&arena, 0, 0));
    abut_arena_clear(&arena);
}

/// Memory of a step, of its passes, and of the next step.
static void test_a_rewound_arena_asks_for_no_more_memory(void** state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    AbutArena arena = abut_arena_make(&host.host);
    arena.block_size = 1000;
    unsigned warm = 0;
    for (int step = 0; step < 6; ++step)
    {
        uint8_t* kept = abut_arena_allocate(&arena, 700, 1);
        memset(kept, step, 700);
        AbutArenaMark mark = abut_arena_mark(&arena);
        for (int pass = 0; pass < 4; ++pass)
        {
            for (int i = 0; i < 5; ++i)
            {
                uint8_t* memory = abut_arena_allocate(&arena, 900, 1);
                assert_int_equal((uintptr_t)memory % ABUT_MEMORY_ALIGNMENT, 0);
                memset(memory, 0xff, 900);
            }
            abut_arena_rewind(&arena, mark);
        }
        assert_int_equal(kept[0], step);
        assert_int_equal(kept[699], step);
        abut_arena_reset(&arena);
        warm = step == 2 ? (unsigned)host.allocation_count : warm;
    }
    assert_int_equal(host.allocation_count, warm);
    abut_arena_allocate(&arena, 1, 1);
    for (int step = 0; step < 2; ++step) // a block far too large is replaced
    {
        abut_arena_reset(&arena);
        abut_arena_allocate(&arena, 1, 1);
    }
    assert_true(host.allocation_count > warm);
    abut_arena_clear(&arena);
    assert_int_equal(host.live_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_result_has_a_name),
        cmocka_unit_test(test_fail_may_quote_the_message_before_it),
        cmocka_unit_test(test_utf8_is_decoded_by_the_table_of_the_standard),
        cmocka_unit_test(test_messages_hold_no_control_characters),
        cmocka_unit_test(test_hash_matches_the_published_vectors),
        cmocka_unit_test(test_loops_run_every_block_once_for_any_worker_count),
        cmocka_unit_test(test_base_survives_every_failing_allocation),
        cmocka_unit_test(test_a_rewound_arena_asks_for_no_more_memory),
        cmocka_unit_test(test_sizes_that_wrap_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
