// The rasteriser misses no common point of two triangles: whatever the resolution, the axis and the region,
// two triangles that touch share a pixel at which their intervals of depth overlap. And it is not wasteful:
// the pixels of a large triangle are those that it touches, up to its slack.
#include "support/support.h"

#include "image/raster/depth_image.h"
#include "mesh/triangle/touch.h"

#include <string.h>

enum
{
    MAX_RESOLUTION = 24
};

/// A triangle alone in its chunk.
typedef struct Single
{
    AbutImageChunk chunk;
    AbutChunkBoxes boxes;
    float coordinates[3][ABUT_CHUNK_PADDING];
    AbutTransformedChunk transformed;
    AbutVec3 corners[3];
} Single;

static void single_init(Single* s, const AbutVec3 corners[3], float margin)
{
    memset(s, 0, sizeof(*s));
    s->chunk.triangle_count = 1;
    s->chunk.vertex_count = ABUT_CHUNK_PADDING;
    for (int i = 0; i < ABUT_CHUNK_PADDING; ++i)
    {
        AbutVec3 v = corners[i < 3 ? i : 0];
        s->coordinates[0][i] = v.x;
        s->coordinates[1][i] = v.y;
        s->coordinates[2][i] = v.z;
    }
    for (uint8_t i = 0; i < 3; ++i)
    {
        s->chunk.corners[i][0] = i;
        s->corners[i] = corners[i];
    }
    AbutChunkVertices vertices = { { s->coordinates[0], s->coordinates[1], s->coordinates[2] } };
    AbutBox everything = abut_box_infinite();
    abut_image_kernels()->boxes(&s->chunk, vertices, margin, &everything, &s->boxes);
    s->transformed = (AbutTransformedChunk){ &s->chunk, &s->boxes, vertices };
}

static AbutDTriangle dtriangle(const AbutVec3 corners[3])
{
    return (AbutDTriangle){ { abut_dvec3_from_vec3(corners[0]), abut_dvec3_from_vec3(corners[1]),
                              abut_dvec3_from_vec3(corners[2]) } };
}

/// Points of a coarse grid make corners, edges and planes coincide; others are anywhere, on any scale.
static AbutVec3 random_corner(TestRandom* random, int style)
{
    if (style == 0)
    {
        uint64_t bits = test_random_bits(random);
        return abut_vec3((float)(bits % 5), (float)(bits / 5 % 5), (float)(bits / 25 % 5));
    }
    double scale = style == 1 ? 2.0 : style == 2 ? 1e-6 : style == 3 ? 1e6 : 1e-38;
    return test_random_point(random, scale);
}

static void random_triangle(TestRandom* random, int style, AbutVec3 corners[3])
{
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = random_corner(random, style);
    }
    uint64_t kind = test_random_bits(random) % 8;
    if (kind == 0) // a segment, or a sliver
    {
        corners[2] = abut_vec3_scale(abut_vec3_add(corners[0], corners[1]), 0.5f);
    }
    else if (kind == 1) // long
    {
        corners[2] = abut_vec3_scale(corners[2], 100.0f);
    }
}

/// The box that the view is made for contains the common points; parts of the triangles are beyond it.
static AbutImageView random_view(TestRandom* random, const AbutVec3 a[3], const AbutVec3 b[3])
{
    AbutBox box_a = abut_box_empty(), box_b = abut_box_empty();
    for (int i = 0; i < 3; ++i)
    {
        box_a = abut_box_add_point(box_a, a[i]);
        box_b = abut_box_add_point(box_b, b[i]);
    }
    AbutBox box = abut_box_intersection(box_a, box_b);
    box = abut_box_is_empty(box) || test_random_bits(random) % 4 == 0 ? abut_box_union(box_a, box_b) : box;
    uint32_t resolution = 1 + (uint32_t)(test_random_bits(random) % MAX_RESOLUTION);
    int axis = (int)(test_random_bits(random) % 3);
    return abut_image_view(box, axis, resolution, test_random_bits(random) % 2 == 0);
}

static bool images_overlap(const AbutImageView* view, const Single* a, const Single* b)
{
    AbutDepthPixel pixels[MAX_RESOLUTION * MAX_RESOLUTION];
    abut_depth_image_clear(view, pixels, 0, view->resolution - 1);
    abut_depth_image_draw(view, pixels, &a->transformed, 1, 0, view->resolution - 1);
    return abut_depth_image_test(view, pixels, &b->transformed, 1) != 0;
}

static void test_triangles_that_touch_share_a_pixel(void** state)
{
    (void)state;
    TestRandom random = { 1 };
    int rounds = test_heavy_count(1000000), touching = 0, missed = 0, separated = 0;
    for (int i = 0; i < rounds; ++i)
    {
        AbutVec3 a[3], b[3];
        int style = i % 5;
        random_triangle(&random, style, a);
        random_triangle(&random, style, b);
        AbutImageView view = random_view(&random, a, b);
        Single single_a, single_b;
        single_init(&single_a, a, 0.0f);
        single_init(&single_b, b, 0.0f);
        AbutDTriangle da = dtriangle(a), db = dtriangle(b);
        bool overlap = images_overlap(&view, &single_a, &single_b);
        bool touch = abut_triangles_touch(&da, &db);
        touching += touch;
        missed += touch && !overlap;
        separated += !overlap;
    }
    print_message("%d pairs, %d touch, %d of them missed; %d separated by the images\n", rounds, touching,
                  missed, separated);
    assert_int_equal(missed, 0);
    assert_true(touching > rounds / 20 && separated > rounds / 4);
}

/// Triangles that are moved until they just touch or just do not: the last float where they touch is drawn.
static void test_bisected_triangles_share_a_pixel(void** state)
{
    (void)state;
    TestRandom random = { 2 };
    int rounds = test_heavy_count(100000), missed = 0, cases = 0;
    for (int i = 0; i < rounds; ++i)
    {
        AbutVec3 a[3], b[3], direction = test_random_direction(&random);
        random_triangle(&random, 1, a);
        random_triangle(&random, 1, b);
        AbutDTriangle da = dtriangle(a);
        float low = 0.0f, high = 8.0f; // they touch at low
        AbutVec3 last[3];
        bool found = false;
        for (int step = 0; step < 40; ++step)
        {
            float at = step == 0 ? 0.0f : 0.5f * (low + high);
            AbutVec3 moved[3];
            for (int k = 0; k < 3; ++k)
            {
                moved[k] = abut_vec3_add(b[k], abut_vec3_scale(direction, at));
            }
            AbutDTriangle db = dtriangle(moved);
            bool touch = abut_triangles_touch(&da, &db);
            if (step == 0 && !touch)
            {
                break;
            }
            if (touch)
            {
                memcpy(last, moved, sizeof(last));
                found = true;
                low = at;
            }
            else
            {
                high = at;
            }
        }
        if (found)
        {
            AbutImageView view = random_view(&random, a, last);
            Single single_a, single_b;
            single_init(&single_a, a, 0.0f);
            single_init(&single_b, last, 0.0f);
            cases += 1;
            missed += !images_overlap(&view, &single_a, &single_b);
        }
    }
    print_message("%d bisected pairs, %d missed\n", cases, missed);
    assert_int_equal(missed, 0);
    assert_true(cases > rounds / 100);
}

/// With a margin, triangles within it count as touching.
static void test_margin_is_drawn(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    int rounds = TEST_ROUNDS(50000), missed = 0, cases = 0;
    for (int i = 0; i < rounds; ++i)
    {
        AbutVec3 a[3], b[3], c[3];
        random_triangle(&random, 1, a);
        random_triangle(&random, 1, b);
        double margin = test_random_range(&random, 0.0, 0.5);
        AbutImageView view = random_view(&random, a, b);
        view.margin = margin;
        for (int k = 0; k < 3; ++k) // within the margin in every coordinate
        {
            c[k] = abut_vec3_add(b[k], test_random_point(&random, 0.99 * margin));
        }
        AbutDTriangle da = dtriangle(a), dc = dtriangle(c);
        if (abut_triangles_touch(&da, &dc))
        {
            Single single_a, single_b;
            single_init(&single_a, a, (float)margin);
            single_init(&single_b, b, (float)margin);
            cases += 1;
            missed += !images_overlap(&view, &single_a, &single_b);
        }
    }
    assert_int_equal(missed, 0);
    assert_true(cases > rounds / 20);
}

typedef struct Coverage
{
    uint32_t count;
    double depth;
} Coverage;

static bool cover_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    (void)pixel;
    (void)slabs;
    Coverage* coverage = context;
    coverage->count += 1;
    coverage->depth += (double)farthest - nearest;
    return false;
}

/// Half of the box of a right triangle, and intervals of depth of one pixel's slope.
static void test_large_triangles_are_tight(void** state)
{
    (void)state;
    AbutVec3 corners[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 1.0f }, { 0.0f, 1.0f, 1.0f } };
    Single single;
    single_init(&single, corners, 0.0f);
    AbutBox box = abut_box(abut_vec3(0.0f, 0.0f, 0.0f), abut_vec3(1.0f, 1.0f, 1.0f));
    AbutImageView view = abut_image_view(box, 2, 100, true);
    AbutChunkRanges ranges;
    abut_image_kernels()->ranges(&view, &single.boxes, 1, &ranges);
    AbutPixelBox pixels = abut_chunk_pixel_box(&view, &single.transformed, &ranges, 0);
    Coverage coverage = { 0 };
    abut_raster_visit_large(&view, &pixels, corners, 0, 99, cover_pixel, &coverage);
    assert_in_range(coverage.count, 5050, 5200);         // 100 · 101 / 2, and touched corners
    assert_true(coverage.depth / coverage.count < 0.06); // 0.02, and the border of the image
}

static void test_tiles_draw_what_one_image_has(void** state)
{
    (void)state;
    TestRandom random = { 4 };
    for (int i = 0; i < TEST_ROUNDS(2000); ++i)
    {
        AbutVec3 a[3], b[3];
        random_triangle(&random, i % 5, a);
        random_triangle(&random, i % 5, b);
        AbutImageView view = random_view(&random, a, b);
        Single single;
        single_init(&single, a, 0.0f);
        AbutDepthPixel whole[MAX_RESOLUTION * MAX_RESOLUTION], tiled[MAX_RESOLUTION * MAX_RESOLUTION];
        uint32_t last = view.resolution - 1, middle = last / 2;
        abut_depth_image_clear(&view, whole, 0, last);
        abut_depth_image_clear(&view, tiled, 0, last);
        abut_depth_image_draw(&view, whole, &single.transformed, 1, 0, last);
        abut_depth_image_draw(&view, tiled, &single.transformed, 1, middle + 1, last);
        abut_depth_image_draw(&view, tiled, &single.transformed, 1, 0, middle);
        assert_memory_equal(whole, tiled, view.resolution * view.resolution * sizeof(AbutDepthPixel));
    }
}

static void test_kernels_agree_with_the_scalar_ones(void** state)
{
    (void)state;
    TestRandom random = { 5 };
    float in[3][32], out[2][3][32];
    AbutImageChunk chunk = { .triangle_count = 32, .vertex_count = 32 };
    for (int round = 0; round < TEST_ROUNDS(2000); ++round)
    {
        AbutDAffine map;
        for (int i = 0; i < 12; ++i)
        {
            map.m[i / 4][i % 4] = test_random_range(&random, -2.0, 2.0);
        }
        for (int i = 0; i < 32; ++i)
        {
            AbutVec3 v = random_corner(&random, round % 5);
            in[0][i] = v.x;
            in[1][i] = v.y;
            in[2][i] = v.z;
            for (int k = 0; k < 3; ++k)
            {
                chunk.corners[k][i] = (uint8_t)(test_random_bits(&random) % 32);
            }
        }
        AbutBox region = abut_box(abut_vec3(-1.0f, -1.0f, -1.0f), test_random_point(&random, 2.0));
        region.max = abut_vec3_max(region.max, region.min);
        AbutImageView view = abut_image_view(region, round % 3, 200, true);
        const AbutImageKernels* scalar = abut_image_kernels_of(ABUT_SIMD_SCALAR);
        AbutChunkVertices vin = { { in[0], in[1], in[2] } };
        AbutChunkVertices vout = { { out[0][0], out[0][1], out[0][2] } };
        AbutChunkBoxes boxes, other_boxes;
        AbutChunkRanges ranges, other_ranges;
        scalar->transform(&map, vin, 32, vout);
        uint32_t mask = scalar->boxes(&chunk, vout, 0.125f, &region, &boxes);
        scalar->ranges(&view, &boxes, 32, &ranges);
        for (int set = 0; set < ABUT_SIMD_SET_COUNT; ++set)
        {
            const AbutImageKernels* kernels = abut_image_kernels_of((AbutSimdSet)set);
            if (kernels == NULL || !abut_simd_runs((AbutSimdSet)set))
            {
                continue;
            }
            AbutChunkVertices other = { { out[1][0], out[1][1], out[1][2] } };
            kernels->transform(&map, vin, 32, other);
            assert_memory_equal(out[0], out[1], sizeof(out[0]));
            assert_int_equal(kernels->boxes(&chunk, other, 0.125f, &region, &other_boxes), mask);
            assert_memory_equal(&boxes, &other_boxes, sizeof(boxes));
            kernels->ranges(&view, &boxes, 32, &other_ranges);
            assert_memory_equal(&ranges, &other_ranges, sizeof(ranges));
            for (int i = 0; i < 32; ++i)
            {
                assert_int_equal(ranges.first[1][i], abut_pixel_of(view.maps[1], boxes.low[view.axes[1]][i]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles_that_touch_share_a_pixel),
        cmocka_unit_test(test_bisected_triangles_share_a_pixel),
        cmocka_unit_test(test_margin_is_drawn),
        cmocka_unit_test(test_large_triangles_are_tight),
        cmocka_unit_test(test_tiles_draw_what_one_image_has),
        cmocka_unit_test(test_kernels_agree_with_the_scalar_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
