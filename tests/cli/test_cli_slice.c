// `abut slice`: pictures.
#include "support/program_json.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Image
{
    png_image png;
    png_bytep pixels;
} Image;

static Image read_image(const char* path)
{
    Image image = { .png = { .version = PNG_IMAGE_VERSION } };
    assert_true(png_image_begin_read_from_file(&image.png, path));
    image.png.format = PNG_FORMAT_RGB;
    image.pixels = malloc(PNG_IMAGE_SIZE(image.png));
    assert_true(png_image_finish_read(&image.png, NULL, image.pixels, 0, NULL));
    return image;
}

static const png_byte* pixel_at(const Image* image, double x, double y)
{
    size_t column = (size_t)(x * image->png.width), row = (size_t)(y * image->png.height);
    return image->pixels + 3 * (row * image->png.width + column);
}

/// Inside is blue, outside is orange, the surface is dark.
static void check_colors(const Image* image, double x, double y, char expected)
{
    const png_byte* p = pixel_at(image, x, y);
    bool inside = p[2] > p[0] + 20, outside = p[0] > p[2] + 20, dark = p[0] + p[1] + p[2] < 200;
    bool good = expected == 'i' ? inside : (expected == 'o' ? outside : dark);
    if (!good)
    {
        fail_msg("pixel (%g, %g) is (%d, %d, %d), expected %c", x, y, p[0], p[1], p[2], expected);
    }
}

static void test_slice_has_the_right_size_and_colors(void** state)
{
    (void)state;
    test_check_run("abut slice sphere:1 -o sphere.png --plain --size 300x200 --width 6", 0, "", "");
    Image image = read_image("sphere.png");
    assert_int_equal(image.png.width, 300);
    assert_int_equal(image.png.height, 200);
    check_colors(&image, 0.5, 0.5, 'i');
    check_colors(&image, 0.03, 0.5, 'o');
    check_colors(&image, 0.97, 0.97, 'o');
    check_colors(&image, 0.5 + 1.0 / 6.0, 0.5, 's');
    free(image.pixels);

    test_check_run("abut slice plane -o plane.png --size 200x200 --plain", 0, "", ""); // solid below
    image = read_image("plane.png");
    check_colors(&image, 0.5, 0.9, 'i');
    check_colors(&image, 0.5, 0.1, 'o');
    free(image.pixels);
}

/// A sphere at (2, 3, 4) seen along each axis: a small one on its +u side tells left from right, one on its
/// +v side up from down.
static void test_slice_shows_the_axes_as_documented(void** state)
{
    (void)state;
    static const struct
    {
        const char* axis;
        const char* beside; // centre of a small sphere on the right
        const char* above;  // and of one above
    } cases[] = { { "z", "3,3,4", "2,4,4" }, { "x", "2,3,5", "2,4,4" }, { "y", "3,3,4", "2,3,3" } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        char line[512];
        snprintf(line, sizeof(line),
                 "abut slice 'union(at(sphere:0.3;%s);at(sphere:0.3;%s))' --axis %s --center 2,3,4 --width 4 "
                 "--size 200x200 --plain -o axes.png",
                 cases[i].beside, cases[i].above, cases[i].axis);
        test_check_run(line, 0, "", "");
        Image image = read_image("axes.png");
        check_colors(&image, 0.75, 0.5, 'i');
        check_colors(&image, 0.5, 0.25, 'i');
        check_colors(&image, 0.25, 0.5, 'o');
        check_colors(&image, 0.5, 0.75, 'o');
        free(image.pixels);
    }
}

static void test_slice_with_frame_is_written_for_every_size(void** state)
{
    (void)state;
    static const char* const sizes[] = { "16x16", "64x300", "160x160", "300x161", "400x300", "700x200" };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i)
    {
        char line[256];
        snprintf(line, sizeof(line),
                 "abut slice 'smooth(torus:1,0.25;terrain:4,1,16;0.5)' -o frame.png --size %s", sizes[i]);
        test_check_run(line, 0, "", "");
        Image image = read_image("frame.png");
        assert_int_equal(image.png.width, atoi(sizes[i]));
        free(image.pixels);
    }
}

static void test_slice_takes_extreme_shapes(void** state)
{
    (void)state;
    static const char* const lines[] = {
        "abut slice sphere:1e-9 -o x.png --size 200x200",
        "abut slice sphere:1e12 -o x.png --size 200x200",
        "abut slice sphere:1 -o x.png --size 200x200 --pose 1e12,1e12,1e12",
        "abut slice sphere:1 -o x.png --size 200x200 --width 1e-20",
        "abut slice sphere:1 -o x.png --size 200x200 --width 1e20",
        "abut slice sphere:1 -o x.png --size 200x200 --isolines 1e-20",
        "abut slice sphere:1 -o x.png --size 200x200 --isolines 1e20",
        "abut slice sphere:1 -o x.png --size 200x200 --at 1e15",
        "abut slice sphere:1 -o x.png --size 200x200 --center 1e15,0,0",
        "abut slice 'intersection(sphere:1;at(sphere:1;5,0,0))' -o x.png --size 200x200",
        "abut slice box:1,1,0.2 -o x.png --size 200x200 --isolines 0.1",
        "abut slice \"at(sphere:1;0,0,0)\" -o x.png --size 200x200 --axis=y --at=-0.5",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i)
    {
        test_check_run(lines[i], 0, "", "");
    }
}

static void test_slice_is_the_same_for_any_number_of_threads_and_to_stdout(void** state)
{
    (void)state;
    test_check_run("for t in 1 2 7; do abut slice torus:1,0.25 --size 320x240 --threads $t -o t$t.png; done; "
                   "cmp t1.png t2.png && cmp t1.png t7.png",
                   0, "", "");
    test_check_run("abut slice torus:1,0.25 --size 320x240 -o - | cmp - t1.png", 0, "", "");
}

static void test_slice_json_tells_what_is_shown(void** state)
{
    (void)state;
    cJSON* document = test_run_json(
        "abut slice sphere:1 -o a.png --axis y --at 0.5 --width 4 --plain --size 400x200 --json");
    assert_int_equal((int)test_json_number(document, "width"), 400);
    test_assert_near(test_json_number(document, "at"), 0.5, 0.0);
    test_assert_near(test_json_number(document, "pixel_size"), 0.01, 1e-12);
    const cJSON* window = cJSON_GetObjectItem(document, "window");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(window, "axes")), "xz");
    test_assert_near(cJSON_GetArrayItem(cJSON_GetObjectItem(window, "min"), 0)->valuedouble, -2.0, 1e-9);
    const cJSON* range = cJSON_GetObjectItem(document, "distance");
    test_assert_near(test_json_number(range, "min"), -0.5, 1e-2);
    cJSON_Delete(document);
    remove("a.png");
}

/// A write that fails half way leaves the old file, and nothing else.
static void test_old_picture_survives_a_failed_write(void** state)
{
    (void)state;
    mkdir("keep", 0777);
    test_write_text("keep/a.png", "old");
    test_check_run("trap '' XFSZ; ulimit -f 8; abut slice sphere:1 -o keep/a.png --size 300x300", 3, "",
                   "keep/a.png");
    test_check_run("cat keep/a.png; ls keep | wc -l", 0, "old1", "");
    test_check_run("ln -s a.png keep/link.png; abut slice sphere:1 -o keep/link.png --size 64x64; test -L "
                   "keep/link.png && "
                   "head -c 4 keep/a.png",
                   0, "PNG", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_has_the_right_size_and_colors),
        cmocka_unit_test(test_slice_shows_the_axes_as_documented),
        cmocka_unit_test(test_slice_with_frame_is_written_for_every_size),
        cmocka_unit_test(test_slice_takes_extreme_shapes),
        cmocka_unit_test(test_slice_is_the_same_for_any_number_of_threads_and_to_stdout),
        cmocka_unit_test(test_slice_json_tells_what_is_shown),
        cmocka_unit_test(test_old_picture_survives_a_failed_write),
    };
    return cmocka_run_group_tests(tests, test_program_enter_folder, test_program_leave_folder);
}
