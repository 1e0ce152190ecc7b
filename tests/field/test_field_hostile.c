// Field files that somebody damaged, made up or stopped writing: a clear error or a usable field, never
// anything else.
#include "support/meshes/mesh_files.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// -----------------------------------------------------------------------------------------------------------
// Files in memory
// -----------------------------------------------------------------------------------------------------------

typedef struct File
{
    char* bytes;
    size_t size;
} File;

enum
{
    KINDS = 8,           // of files: formats, dense and sparse, then compressed ones
    PLAIN_CHECKSUM = 24, // offsets, from docs/field_format.md
    PACKED_CHECKSUM = 56,
    PACKED_HEADER = 64
};

static AbutShape* bake_torus(float major_radius, AbutFieldFormat format, bool sparse, uint32_t resolution)
{
    AbutShape *shape = NULL, *field = NULL;
    test_assert_result(abut_shape_create_torus(major_radius, 0.15f, NULL, &shape), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = format;
    def.sparse = sparse;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

/// A file of one of the kinds; without bytes when this build cannot compress.
static File make_file(int kind)
{
    bool packed = kind >= 6;
    AbutShape* field = bake_torus(0.4f, (AbutFieldFormat)(kind % 3), packed ? kind == 7 : kind >= 3, 24);
    const char* path = test_temporary_path("make.abut");
    AbutFieldSaveDef def = abut_field_save_def();
    def.compress = packed;
    File file = { NULL, 0 };
    AbutResult result = abut_field_save_with(&def, field, path);
    if (result == ABUT_OK)
    {
        file.bytes = test_read_file(path, &file.size);
        unlink(path);
    }
    else
    {
        test_assert_result(result, packed ? ABUT_UNSUPPORTED : ABUT_OK);
    }
    abut_shape_destroy(field);
    return file;
}

static uint64_t get(const char* bytes, size_t offset, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; ++i)
    {
        value |= (uint64_t)(unsigned char)bytes[offset + (size_t)i] << (8 * i);
    }
    return value;
}

static void put(char* bytes, size_t offset, int count, uint64_t value)
{
    for (int i = 0; i < count; ++i)
    {
        bytes[offset + (size_t)i] = (char)(value >> (8 * i) & 0xFF);
    }
}

/// Gives a changed file the checksum that belongs to it, as an attacker would.
static void seal(File* file, bool packed)
{
    size_t header = packed ? PACKED_HEADER : get(file->bytes, 12, 4);
    size_t at = packed ? PACKED_CHECKSUM : PLAIN_CHECKSUM;
    if (header > file->size)
    {
        return;
    }
    put(file->bytes, at, 8, 0);
    uint64_t seed = abut_hash(file->bytes, header, 0);
    put(file->bytes, at, 8, abut_hash(file->bytes + header, file->size - header, seed));
}

/// Uses everything that a field answers. Whatever its numbers are, nothing outside of its bytes may be read.
static void use_field(const AbutShape* field, TestRandom* random)
{
    AbutFieldInfo info = abut_field_info(field);
    float values[27];
    for (int i = 0; i < 20; ++i)
    {
        AbutVec3 p = test_random_point(random, i % 4 == 0 ? 1e6 : 1.0), g;
        abut_shape_distance(field, p, &g);
        abut_field_point_bounds(field, p);
        AbutVec3 half = abut_vec3(0.1f, 0.2f, 0.3f);
        abut_field_box_bounds(field, abut_box(abut_vec3_sub(p, half), abut_vec3_add(p, half)));
    }
    uint32_t begin[3];
    const uint32_t count[3] = { 3, 3, 3 };
    for (int axis = 0; axis < 3; ++axis)
    {
        begin[axis] = (uint32_t)(test_random_bits(random) % (info.cell_count[axis] - 1));
    }
    abut_field_read_nodes(field, begin, count, values);
}

/// Parses with a host that counts. A field that comes out is used; nothing may leak.
static AbutResult parse(const File* file, TestRandom* random)
{
    TestHost host;
    test_host_init(&host);
    AbutShape* field = NULL;
    AbutResult result = abut_field_parse(file->bytes, file->size, "input", &host.host, &field);
    assert_true((result == ABUT_OK) == (field != NULL));
    if (field != NULL)
    {
        use_field(field, random);
        abut_shape_destroy(field);
    }
    else
    {
        assert_true(strncmp(abut_last_error(), "input: ", 7) == 0);
    }
    assert_int_equal(host.live_count, 0);
    return result;
}

/// The same for a block without its checksum.
static void parse_trusted(const File* file, TestRandom* random)
{
    AbutFieldDataDef def = abut_field_data_def();
    def.data = file->bytes;
    def.size = file->size;
    def.skip_checksum = true;
    AbutShape* field = NULL;
    if (abut_field_create_from_data(&def, &field) == ABUT_OK)
    {
        use_field(field, random);
    }
    abut_shape_destroy(field);
}

// -----------------------------------------------------------------------------------------------------------
// Damage
// -----------------------------------------------------------------------------------------------------------

static void test_every_cut_is_refused(void** state)
{
    (void)state;
    TestRandom random = { 71 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        File file = make_file(kind);
        for (size_t i = 0; i < 1200 && file.bytes != NULL; ++i)
        {
            // Every byte of the header and the next ones, random places, and the last bytes.
            size_t size = i < 600    ? i
                          : i < 1100 ? test_random_bits(&random) % file.size
                                     : file.size - 1 - (i - 1100);
            char* exact = malloc(size + 1); // so that a sanitizer sees a read behind it
            assert_non_null(exact);
            memcpy(exact, file.bytes, size);
            File cut = { exact, size };
            test_assert_result(parse(&cut, &random), ABUT_INVALID_DATA);
            free(exact);
        }
        free(file.bytes);
    }
}

static void test_bytes_behind_the_end_are_refused(void** state)
{
    (void)state;
    TestRandom random = { 72 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        File file = make_file(kind);
        if (file.bytes != NULL)
        {
            file.bytes = realloc(file.bytes, file.size + 64);
            assert_non_null(file.bytes);
            memset(file.bytes + file.size, 0, 64);
            file.size += 1;
            test_assert_result(parse(&file, &random), ABUT_INVALID_DATA);
            file.size += 63;
            test_assert_result(parse(&file, &random), ABUT_INVALID_DATA);
        }
        free(file.bytes);
    }
}

static void flip(File* file, size_t bit)
{
    file->bytes[bit / 8] = (char)(file->bytes[bit / 8] ^ (1 << (bit % 8)));
}

static void test_every_flipped_bit_is_refused(void** state)
{
    (void)state;
    TestRandom random = { 73 };
    size_t flips = 0;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        File file = make_file(kind);
        size_t header = kind >= 6 ? PACKED_HEADER : 512;
        for (size_t i = 0; file.bytes != NULL && i < 8 * header + 3000; ++i, ++flips)
        {
            size_t bit = i < 8 * header ? i : test_random_bits(&random) % (8 * file.size);
            flip(&file, bit);
            AbutResult result = parse(&file, &random);
            if (result != ABUT_INVALID_DATA)
            {
                fail_msg("kind %d: bit %zu flipped: %s", kind, bit, abut_result_name(result));
            }
            if (kind < 6)
            {
                parse_trusted(&file, &random);
            }
            flip(&file, bit);
        }
        if (file.bytes != NULL)
        {
            test_assert_result(parse(&file, &random), ABUT_OK);
        }
        free(file.bytes);
    }
    assert_true(flips > 30000);
}

/// Numbers that are wrong in interesting ways, as 4 or 8 bytes.
static uint64_t bad_number(TestRandom* random, int bytes)
{
    static const uint64_t small[] = {
        0,          1,          2,          7,          0x7F800000, 0xFF800000,
        0x7FC00000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x00000001, 0x7F7FFFFF
    };
    static const uint64_t large[] = { UINT64_MAX,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX / 2,
                                      UINT64_MAX - 63,
                                      UINT64_C(1) << 32,
                                      (UINT64_C(1) << 32) - 1,
                                      UINT64_C(0x7FF0000000000000),
                                      UINT64_C(0x7FF8000000000000),
                                      UINT64_C(0x7FEFFFFFFFFFFFFF),
                                      UINT64_C(0x0000000000000001) };
    uint64_t bits = test_random_bits(random);
    return bytes == 4 ? small[bits % (sizeof(small) / sizeof(small[0]))]
                      : large[bits % (sizeof(large) / sizeof(large[0]))];
}

static void test_made_up_headers_with_right_checksums_are_survived(void** state)
{
    (void)state;
    TestRandom random = { 74 };
    size_t refused = 0, accepted = 0;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        File file = make_file(kind);
        char* original = malloc(file.size + 1);
        assert_non_null(original);
        memcpy(original, file.bytes != NULL ? file.bytes : "", file.size);
        size_t header = kind >= 6 ? PACKED_HEADER : 512;
        for (int i = 0; i < 4000 && file.bytes != NULL; ++i)
        {
            memcpy(file.bytes, original, file.size);
            for (uint64_t n = 1 + test_random_bits(&random) % 2; n > 0; --n)
            {
                int bytes = test_random_bits(&random) % 2 == 0 ? 4 : 8;
                size_t offset = 8 + test_random_bits(&random) % ((header - 8) / 4 - 1) * 4;
                put(file.bytes, offset, bytes, bad_number(&random, bytes));
            }
            seal(&file, kind >= 6);
            AbutResult result = parse(&file, &random);
            assert_true(result == ABUT_OK || result == ABUT_INVALID_DATA);
            *(result == ABUT_OK ? &accepted : &refused) += 1;
        }
        free(original);
        free(file.bytes);
    }
    print_message("%zu refused, %zu accepted\n", refused, accepted);
    assert_true(refused > 8000);
}

static void test_made_up_bodies_with_right_checksums_are_survived(void** state)
{
    (void)state;
    TestRandom random = { 75 };
    for (int kind = 0; kind < 6; ++kind)
    {
        File file = make_file(kind);
        for (int i = 0; i < 400; ++i)
        {
            for (int n = 0; n < 50; ++n)
            {
                size_t offset = 512 + test_random_bits(&random) % (file.size - 512);
                file.bytes[offset] = (char)test_random_bits(&random);
            }
            seal(&file, false);
            AbutResult result = parse(&file, &random);
            assert_true(result == ABUT_OK || result == ABUT_INVALID_DATA);
        }
        free(file.bytes);
    }
}

static void assert_refused(const File* file, const char* phrase)
{
    TestRandom random = { 76 };
    test_assert_result(parse(file, &random), ABUT_INVALID_DATA);
    if (strstr(abut_last_error(), phrase) == NULL)
    {
        fail_msg("the message is '%s', without '%s'", abut_last_error(), phrase);
    }
}

static void test_messages_name_what_is_wrong(void** state)
{
    (void)state;
    File file = make_file(3); // sparse, f32
    uint64_t version = get(file.bytes, 8, 4), slots = get(file.bytes, 368, 8),
             stored = get(file.bytes, 84, 4);
    put(file.bytes, 8, 4, 99);
    seal(&file, false);
    assert_refused(&file, "byte 8: format version 99");
    put(file.bytes, 8, 4, version);
    seal(&file, false);
    flip(&file, 8 * file.size - 1);
    assert_refused(&file, "byte 24: the checksum does not match");
    flip(&file, 8 * file.size - 1);
    put(file.bytes, slots + 4 * 3, 4, stored);
    seal(&file, false);
    assert_refused(&file, "brick 3 refers to stored brick ");
    put(file.bytes, 0, 1, 'A');
    assert_refused(&file, "this is not an abut field");
    free(file.bytes);
    file = make_file(6);
    if (file.bytes == NULL)
    {
        return;
    }
    put(file.bytes, 8, 4, 2);
    seal(&file, true);
    assert_refused(&file, "byte 8: version 2 of compressed fields");
    put(file.bytes, 8, 4, 1);
    seal(&file, true);
    flip(&file, 8 * PACKED_HEADER + 100);
    assert_refused(&file, "byte 56: the checksum does not match");
    seal(&file, true);
    assert_refused(&file, ""); // by zstd, or by the checksum of the block
    free(file.bytes);
}

static void test_what_a_compressed_file_claims_is_checked_before_memory_is_asked_for(void** state)
{
    (void)state;
    File file = make_file(6);
    if (file.bytes == NULL)
    {
        return;
    }
    uint64_t size = get(file.bytes, 16, 8);
    const uint64_t claims[] = { UINT64_MAX, UINT64_C(1) << 62, UINT64_C(1) << 40, (uint64_t)file.size << 16 };
    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); ++i)
    {
        put(file.bytes, 16, 8, claims[i]);
        seal(&file, true);
        TestHost host;
        test_host_init(&host);
        AbutShape* field = NULL;
        test_assert_result(abut_field_parse(file.bytes, file.size, "input", &host.host, &field),
                           ABUT_INVALID_DATA);
        assert_non_null(strstr(abut_last_error(), "byte 16"));
        assert_int_equal(host.allocation_count, 0);
    }
    put(file.bytes, 16, 8, size + 1); // in proportion, but not what the frame says
    seal(&file, true);
    assert_refused(&file, "the compressed bytes are damaged");
    put(file.bytes, 16, 8, size);
    put(file.bytes, 32, 8, size - 3); // nodes that pass the end
    seal(&file, true);
    assert_refused(&file, "byte 32: the nodes are not inside of the field");
    free(file.bytes);
}

// -----------------------------------------------------------------------------------------------------------
// Saves that fail or are killed
// -----------------------------------------------------------------------------------------------------------

static const char* const save_names[] = { "full.abut", "packed.abut", "full.vti", "full.nrrd", "full.npy" };

static AbutResult save_as(int kind, const AbutShape* field, const char* path)
{
    if (kind < 2)
    {
        AbutFieldSaveDef def = abut_field_save_def();
        def.compress = kind == 1;
        return abut_field_save_with(&def, field, path);
    }
    AbutVolumeSaveDef def = abut_volume_save_def();
    return abut_volume_save(&def, field, path);
}

/// In a child, with a limit on the size of files in place of a full disk. Exit status: 0 when the save failed
/// as it should.
static int save_on_full_disk(int kind, const AbutShape* field, const char* path)
{
    struct rlimit limit = { 20000, 20000 };
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
    {
        return 2;
    }
    bool refused = save_as(kind, field, path) == ABUT_IO_ERROR &&
                   strncmp(abut_last_error(), path, strlen(path)) == 0 &&
                   strstr(abut_last_error(), "cannot be written: File too large") != NULL;
    return refused ? 0 : 1;
}

static void test_full_disk_leaves_the_old_file_whole_and_nothing_else(void** state)
{
    (void)state;
    AbutShape* field = bake_torus(0.4f, ABUT_FIELD_F32, false, 40);
    for (int kind = 0; kind < 5; ++kind)
    {
        const char* path = test_temporary_path(save_names[kind]);
        test_write_file(path, "old", 3);
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
        {
            _exit(save_on_full_disk(kind, field, path));
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        if (kind != 1 || save_as(1, field, test_temporary_path("probe.abut")) != ABUT_UNSUPPORTED)
        {
            assert_int_equal(WEXITSTATUS(status), 0);
        }
        unlink(test_temporary_path("probe.abut"));
        assert_int_equal(test_temporary_file_count(), 1);
        size_t size;
        char* bytes = test_read_file(path, &size);
        assert_string_equal(bytes, "old");
        free(bytes);
        unlink(path);
    }
    test_assert_result(abut_field_save(field, "/dev/full"), ABUT_IO_ERROR);
    assert_non_null(
        strstr(abut_last_error(), "/dev/full: cannot be written: it exists and is not a regular file"));
    test_assert_result(abut_field_save(field, test_temporary_path("no/such/folder.abut")), ABUT_IO_ERROR);
    assert_int_equal(test_temporary_file_count(), 0);
    abut_shape_destroy(field);
}

/// Saves one field and the other in turn until it is killed.
static void save_forever(AbutShape* const fields[2], const char* path, bool compress)
{
    AbutFieldSaveDef def = abut_field_save_def();
    def.compress = compress;
    for (unsigned i = 0;; ++i)
    {
        if (abut_field_save_with(&def, fields[i % 2], path) != ABUT_OK)
        {
            _exit(1);
        }
    }
}

static bool is_one_of(const AbutShape* loaded, AbutShape* const fields[2])
{
    size_t size;
    const void* bytes = abut_field_data(loaded, &size);
    for (int i = 0; i < 2; ++i)
    {
        size_t other_size;
        const void* other = abut_field_data(fields[i], &other_size);
        if (size == other_size && memcmp(bytes, other, size) == 0)
        {
            return true;
        }
    }
    return false;
}

static void test_saves_that_are_killed_leave_a_whole_file(void** state)
{
    (void)state;
    AbutShape* const fields[2] = { bake_torus(0.4f, ABUT_FIELD_F32, false, 48),
                                   bake_torus(0.3f, ABUT_FIELD_F16, true, 64) };
    const char* path = test_temporary_path("killed.abut");
    TestRandom random = { 77 };
    size_t leftovers = 0;
    for (int i = 0; i < (TEST_IS_SANITIZED ? 30 : 100); ++i)
    {
        bool compress = i % 4 == 3;
        AbutFieldSaveDef def = abut_field_save_def();
        def.compress = compress;
        if (abut_field_save_with(&def, fields[0], path) == ABUT_UNSUPPORTED)
        {
            continue;
        }
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
        {
            save_forever(fields, path, compress);
        }
        struct timespec wait = { 0, (long)(test_random_unit(&random) * 6e6) };
        nanosleep(&wait, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        AbutShape* loaded = NULL;
        test_assert_result(abut_field_load(path, NULL, &loaded), ABUT_OK);
        assert_true(is_one_of(loaded, fields));
        abut_shape_destroy(loaded);
        // What a killed save was writing has a name of its own and is in nobody's way.
        char temporary[300];
        snprintf(temporary, sizeof(temporary), "%s.%ld-0.tmp", path, (long)child);
        leftovers += unlink(temporary) == 0 ? 1 : 0;
        assert_int_equal(test_temporary_file_count(), 1);
    }
    print_message("%zu were killed in the middle of a file\n", leftovers);
    assert_true(leftovers > 0);
    unlink(path);
    abut_shape_destroy(fields[0]);
    abut_shape_destroy(fields[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut_is_refused),
        cmocka_unit_test(test_bytes_behind_the_end_are_refused),
        cmocka_unit_test(test_every_flipped_bit_is_refused),
        cmocka_unit_test(test_made_up_headers_with_right_checksums_are_survived),
        cmocka_unit_test(test_made_up_bodies_with_right_checksums_are_survived),
        cmocka_unit_test(test_messages_name_what_is_wrong),
        cmocka_unit_test(test_what_a_compressed_file_claims_is_checked_before_memory_is_asked_for),
        cmocka_unit_test(test_full_disk_leaves_the_old_file_whole_and_nothing_else),
        cmocka_unit_test(test_saves_that_are_killed_leave_a_whole_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
