// The block of a point hull: the same hull from its bytes and from a file; every cut and every changed byte
// is refused or harmless.
#include "support/support.h"

#include "points/hull/point_hull.h"

#include <abut/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AbutPointHull* make_hull(const char* text, float error)
{
    AbutParsedShape parsed = { NULL, NULL };
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = error;
    test_assert_result(abut_shape_parse(text, NULL, &parsed), ABUT_OK);
    test_assert_result(abut_point_hull_create(&def, parsed.shape, &hull), ABUT_OK);
    abut_shape_destroy(parsed.shape);
    return hull;
}

static void check_equal(const AbutPointHull* a, const AbutPointHull* b)
{
    size_t size_a, size_b;
    const void *bytes_a = abut_point_hull_block(a, &size_a), *bytes_b = abut_point_hull_block(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    AbutPointHullInfo info_a = abut_point_hull_info(a), info_b = abut_point_hull_info(b);
    assert_int_equal(info_a.count, info_b.count);
    assert_true(info_a.error == info_b.error && info_a.max_radius == info_b.max_radius);
    AbutPointHullData data_a = abut_point_hull_data(a), data_b = abut_point_hull_data(b);
    assert_memory_equal(data_a.radii, data_b.radii, data_a.count * sizeof(float));
}

static void test_a_hull_comes_back_from_its_bytes_and_from_a_file(void** state)
{
    (void)state;
    const char* path = "test_point_hull_block.points";
    AbutPointHull *hull = make_hull("cone:0.4,1", 0.03f), *copy = NULL, *loaded = NULL;
    size_t size;
    const void* bytes = abut_point_hull_block(hull, &size);
    test_assert_result(abut_point_hull_create_from_block(bytes, size, NULL, NULL, &copy), ABUT_OK);
    check_equal(hull, copy);
    test_assert_result(abut_point_hull_save(hull, path), ABUT_OK);
    test_assert_result(abut_point_hull_load(path, NULL, &loaded), ABUT_OK);
    check_equal(hull, loaded);
    abut_point_hull_destroy(loaded);
    remove(path);
    test_assert_result(abut_point_hull_load(path, NULL, &loaded), ABUT_NOT_FOUND);
    assert_non_null(strstr(abut_last_error(), path));
    assert_null(loaded);
    abut_point_hull_destroy(copy);
    abut_point_hull_destroy(hull);
}

/// A changed block with a checksum that fits, as one who forges would make it.
static void sign(unsigned char* bytes, size_t size)
{
    uint64_t zero = 0, checksum;
    memcpy(bytes + offsetof(AbutPointHullHeader, checksum), &zero, sizeof(zero));
    checksum = abut_point_hull_checksum(bytes, size);
    memcpy(bytes + offsetof(AbutPointHullHeader, checksum), &checksum, sizeof(checksum));
}

static void test_every_cut_is_refused(void** state)
{
    (void)state;
    AbutPointHull *hull = make_hull("cone:0.4,1", 0.1f), *copy = NULL;
    size_t size;
    const unsigned char* bytes = abut_point_hull_block(hull, &size);
    unsigned char* cut = malloc(size + 1);
    memcpy(cut, bytes, size);
    cut[size] = 0;
    for (size_t length = 0; length <= size + 1; ++length)
    {
        if (length != size)
        {
            test_assert_result(abut_point_hull_create_from_block(cut, length, "cut", NULL, &copy),
                               ABUT_INVALID_DATA);
            assert_null(copy);
            assert_non_null(strstr(abut_last_error(), "cut"));
        }
    }
    free(cut);
    abut_point_hull_destroy(hull);
}

static void use(AbutPointHull* hull)
{
    AbutPointHullData data = abut_point_hull_data(hull);
    for (uint32_t i = 0; i < data.count; ++i)
    {
        assert_true(data.radii[i] >= 0.0f);
    }
    abut_point_hull_destroy(hull);
}

/// Each byte changed to three other values: by the checksum all are refused; with a new checksum what passes
/// is a hull that can be used.
static void test_every_changed_byte_is_refused_or_harmless(void** state)
{
    (void)state;
    static const unsigned char changes[3] = { 0x01, 0x80, 0xff };
    AbutPointHull *hull = make_hull("cone:0.4,1", 0.1f), *copy = NULL;
    size_t size;
    const unsigned char* bytes = abut_point_hull_block(hull, &size);
    unsigned char* other = malloc(size);
    uint32_t passed = 0;
    for (size_t i = 0; i < 3 * size; ++i)
    {
        memcpy(other, bytes, size);
        other[i / 3] ^= changes[i % 3];
        test_assert_result(abut_point_hull_create_from_block(other, size, NULL, NULL, &copy),
                           ABUT_INVALID_DATA);
        sign(other, size);
        if (abut_point_hull_create_from_block(other, size, NULL, NULL, &copy) == ABUT_OK)
        {
            ++passed;
            use(copy);
        }
    }
    print_message("%u of %zu forged blocks are hulls\n", passed, 3 * size);
    assert_true(passed < size); // most are last bits of coordinates
    free(other);
    abut_point_hull_destroy(hull);
}

/// A chain of nodes would be deeper than any stack.
static void test_trees_that_are_too_deep_are_refused(void** state)
{
    (void)state;
    enum
    {
        BALLS = 64
    };
    AbutPointHullHeader header = { .count = BALLS, .node_count = 2 * 29 + 1, .error = 0.1f };
    abut_point_hull_layout(&header);
    unsigned char* bytes = calloc(1, header.total_bytes);
    memcpy(bytes, &header, sizeof(header));
    AbutPointHullNode* nodes = (AbutPointHullNode*)(void*)(bytes + header.offsets[ABUT_POINT_HULL_NODES]);
    uint32_t first = 0, left = BALLS, parent = 0, count = 1;
    nodes[0] = (AbutPointHullNode){ .point_count = BALLS };
    for (int level = 0; level < 29; ++level)
    {
        nodes[parent].first_child = count;
        nodes[parent].child_count = 2;
        nodes[count] = (AbutPointHullNode){ .first_point = first, .point_count = 2 };
        nodes[count + 1] = (AbutPointHullNode){ .first_point = first + 2, .point_count = left - 2 };
        parent = count + 1;
        count += 2;
        first += 2;
        left -= 2;
    }
    sign(bytes, header.total_bytes);
    AbutPointHull* hull = NULL;
    test_assert_result(abut_point_hull_create_from_block(bytes, header.total_bytes, NULL, NULL, &hull),
                       ABUT_INVALID_DATA);
    assert_non_null(strstr(abut_last_error(), "node"));
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hull_comes_back_from_its_bytes_and_from_a_file),
        cmocka_unit_test(test_every_cut_is_refused),
        cmocka_unit_test(test_every_changed_byte_is_refused_or_harmless),
        cmocka_unit_test(test_trees_that_are_too_deep_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
