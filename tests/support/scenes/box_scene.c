#include "support/scenes/box_scene.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

const char* box_scene_name(BoxSceneKind kind)
{
    static const char* const names[BOX_SCENE_KIND_COUNT] = { "even",   "grid", "infinite", "sizes", "crowds",
                                                             "points", "line", "same",     "huge" };
    return names[kind];
}

BoxScene box_scene_make(BoxSceneKind kind, uint32_t capacity, bool filtered, uint64_t seed)
{
    BoxScene scene = { .kind = kind, .random = { seed }, .capacity = capacity, .filtered = filtered };
    scene.boxes = calloc(capacity, sizeof(AbutBox));
    scene.velocity = calloc(capacity, sizeof(AbutVec3));
    scene.group = calloc(capacity, sizeof(uint32_t));
    scene.mask = calloc(capacity, sizeof(uint32_t));
    scene.alive = calloc(capacity, sizeof(bool));
    assert_true(scene.boxes != NULL && scene.velocity != NULL && scene.group != NULL && scene.mask != NULL &&
                scene.alive != NULL);
    return scene;
}

void box_scene_free(BoxScene* scene)
{
    free(scene->boxes);
    free(scene->velocity);
    free(scene->group);
    free(scene->mask);
    free(scene->alive);
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 random_vec(TestRandom* random, double low, double high)
{
    float x = (float)test_random_range(random, low, high), y = (float)test_random_range(random, low, high);
    return abut_vec3(x, y, (float)test_random_range(random, low, high));
}

static bool one_in(TestRandom* random, uint64_t n)
{
    return test_random_bits(random) % n == 0;
}

static AbutBox box_at(AbutVec3 corner, AbutVec3 size)
{
    return abut_box(corner, abut_vec3_add(corner, size));
}

/// Where boxes of about size 1 have a few neighbours each.
static double world_side(const BoxScene* scene)
{
    return cbrt(1.5 * scene->capacity);
}

static AbutBox even_box(BoxScene* scene)
{
    AbutVec3 corner = random_vec(&scene->random, 0.0, world_side(scene));
    return box_at(corner, random_vec(&scene->random, 0.5, 1.5));
}

static AbutVec3 rounded(AbutVec3 v)
{
    return abut_vec3(rintf(v.x), rintf(v.y), rintf(v.z));
}

static AbutBox infinite_box(BoxScene* scene)
{
    AbutBox box = even_box(scene);
    if (one_in(&scene->random, 4))
    {
        float* const sides[6] = { &box.min.x, &box.min.y, &box.min.z, &box.max.x, &box.max.y, &box.max.z };
        for (int i = 0; i < 6; ++i)
        {
            if (one_in(&scene->random, 3))
            {
                *sides[i] = i < 3 ? -INFINITY : INFINITY;
            }
        }
        box = one_in(&scene->random, 8) ? abut_box_infinite() : box;
        box = one_in(&scene->random, 16) ? abut_box(box.min, abut_vec3(-INFINITY, -INFINITY, -INFINITY))
                                         : box; // empty, or at −∞ alone
    }
    return box;
}

static AbutBox crowd_box(BoxScene* scene)
{
    TestRandom* random = &scene->random;
    AbutVec3 corner = random_vec(random, 0.0, world_side(scene) / 2);
    double apart = test_random_bits(random) % 3 == 0 ? 0.0 : 1000.0;
    corner = abut_vec3_add(corner, abut_vec3((float)apart, 0.0f, (float)(one_in(random, 2) ? apart : 0.0)));
    corner = one_in(random, 50) ? abut_vec3_scale(corner, 1e7f) : corner;
    return box_at(corner, random_vec(random, 0.5, 1.5));
}

static AbutBox huge_box(BoxScene* scene)
{
    TestRandom* random = &scene->random;
    AbutVec3 a = random_vec(random, -1.0, 1.0), b = random_vec(random, -1.0, 1.0);
    static const float scales[] = { FLT_MAX, 1e30f, 1e18f, 1e12f, 1.0f, 1e-20f, FLT_MIN, 1e-44f };
    float scale = scales[test_random_bits(random) % 8];
    return abut_box(abut_vec3_scale(abut_vec3_min(a, b), scale), abut_vec3_scale(abut_vec3_max(a, b), scale));
}

static AbutBox flat_box(BoxScene* scene)
{
    AbutBox box = even_box(scene);
    box.min = rounded(box.min);
    box.max = rounded(box.max);
    box.max.x = one_in(&scene->random, 2) ? box.min.x : box.max.x;
    box.max.y = one_in(&scene->random, 2) ? box.min.y : box.max.y;
    box.max.z = one_in(&scene->random, 2) ? box.min.z : box.max.z;
    return box;
}

static AbutBox sized_box(BoxScene* scene)
{
    double size = pow(10.0, test_random_range(&scene->random, 0.0, 5.0));
    AbutVec3 corner = random_vec(&scene->random, 0.0, 3e5);
    return box_at(corner, random_vec(&scene->random, 0.5 * size, size));
}

AbutBox box_scene_random_box(BoxScene* scene)
{
    AbutBox box = even_box(scene);
    switch (scene->kind)
    {
    case BOX_SCENE_GRID:
        box = abut_box(rounded(box.min), rounded(box.max));
        break;
    case BOX_SCENE_INFINITE:
        box = infinite_box(scene);
        break;
    case BOX_SCENE_SIZES:
        box = sized_box(scene);
        break;
    case BOX_SCENE_CROWDS:
        box = crowd_box(scene);
        break;
    case BOX_SCENE_POINTS:
        box = flat_box(scene);
        break;
    case BOX_SCENE_LINE:
        box.min.x *= 100.0f;
        box.max.x = box.min.x + 50.0f;
        break;
    case BOX_SCENE_SAME:
        box = box_at(abut_vec3(1.0f, 2.0f, 3.0f),
                     abut_vec3(1.0f, 1.0f, one_in(&scene->random, 2) ? 1.0f : 2.0f));
        break;
    case BOX_SCENE_HUGE:
        box = huge_box(scene);
        break;
    default:
        break;
    }
    if (one_in(&scene->random, 40))
    {
        float swap = box.min.y; // empty, unless it has no height
        box.min.y = box.max.y;
        box.max.y = swap;
    }
    return box;
}

// -----------------------------------------------------------------------------------------------------------
// Changes
// -----------------------------------------------------------------------------------------------------------

static uint32_t random_bits_of(BoxScene* scene)
{
    return scene->filtered ? (uint32_t)(test_random_bits(&scene->random) & 0xF) : UINT32_MAX;
}

static uint32_t free_id(const BoxScene* scene)
{
    uint32_t id = 0;
    while (id < scene->count && scene->alive[id])
    {
        id += 1;
    }
    return id;
}

void box_scene_add(BoxScene* scene, AbutBroad* const* sets, int set_count)
{
    if (free_id(scene) == scene->capacity)
    {
        return;
    }
    AbutBox box = box_scene_random_box(scene);
    uint32_t group = random_bits_of(scene), mask = random_bits_of(scene), id = UINT32_MAX;
    for (int i = 0; i < set_count; ++i)
    {
        uint32_t given;
        test_assert_result(abut_broad_add(sets[i], box, group, mask, &given), ABUT_OK);
        assert_true(i == 0 || given == id);
        id = given;
    }
    assert_true(id < scene->capacity && !scene->alive[id]);
    scene->count = id >= scene->count ? id + 1 : scene->count;
    scene->boxes[id] = box;
    scene->group[id] = group;
    scene->mask[id] = mask;
    scene->alive[id] = true;
    scene->velocity[id] = abut_vec3_scale(test_random_direction(&scene->random), 0.05f);
}

static AbutBox shifted(AbutBox box, AbutVec3 offset)
{
    return abut_box(abut_vec3_add(box.min, offset), abut_vec3_add(box.max, offset));
}

static void move_some(BoxScene* scene, AbutBroad* const* sets, int set_count, double fraction, bool coherent)
{
    uint32_t* ids = calloc(scene->capacity, sizeof(uint32_t));
    AbutBox* boxes = calloc(scene->capacity, sizeof(AbutBox));
    uint32_t count = 0;
    for (uint32_t id = 0; id < scene->count; ++id)
    {
        if (scene->alive[id] && test_random_unit(&scene->random) < fraction)
        {
            bool anywhere = !coherent || one_in(&scene->random, 60);
            AbutVec3 offset = scene->kind == BOX_SCENE_GRID
                                  ? rounded(abut_vec3_scale(scene->velocity[id], 15.0f))
                                  : scene->velocity[id];
            scene->boxes[id] = anywhere ? box_scene_random_box(scene) : shifted(scene->boxes[id], offset);
            ids[count] = id;
            boxes[count++] = scene->boxes[id];
        }
    }
    for (int i = 0; i < set_count; ++i)
    {
        test_assert_result(abut_broad_move_many(sets[i], ids, boxes, count), ABUT_OK);
    }
    free(ids);
    free(boxes);
}

static void filter_some(BoxScene* scene, AbutBroad* const* sets, int set_count)
{
    for (uint32_t id = 0; id < scene->count && scene->filtered; ++id)
    {
        if (scene->alive[id] && one_in(&scene->random, 30))
        {
            scene->group[id] = random_bits_of(scene);
            scene->mask[id] = random_bits_of(scene);
            for (int i = 0; i < set_count; ++i)
            {
                test_assert_result(abut_broad_set_filter(sets[i], id, scene->group[id], scene->mask[id]),
                                   ABUT_OK);
            }
        }
    }
}

void box_scene_step(BoxScene* scene, AbutBroad* const* sets, int set_count, double fraction, bool coherent)
{
    move_some(scene, sets, set_count, fraction, coherent);
    filter_some(scene, sets, set_count);
    for (uint32_t id = 0; id < scene->count; ++id)
    {
        if (scene->alive[id] && one_in(&scene->random, 50))
        {
            scene->alive[id] = false;
            for (int i = 0; i < set_count; ++i)
            {
                test_assert_result(abut_broad_remove(sets[i], id), ABUT_OK);
            }
        }
    }
    for (uint32_t i = 0; i < scene->capacity / 60 + 1; ++i)
    {
        box_scene_add(scene, sets, set_count);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Truth
// -----------------------------------------------------------------------------------------------------------

static bool is_pair(const BoxScene* scene, uint32_t a, uint32_t b)
{
    const AbutBox *p = &scene->boxes[a], *q = &scene->boxes[b];
    const float p_low[3] = { p->min.x, p->min.y, p->min.z }, p_high[3] = { p->max.x, p->max.y, p->max.z };
    const float q_low[3] = { q->min.x, q->min.y, q->min.z }, q_high[3] = { q->max.x, q->max.y, q->max.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        // They share a point when the higher of the low ends is not above the lower of the high ones.
        float low = p_low[axis] > q_low[axis] ? p_low[axis] : q_low[axis];
        float high = p_high[axis] < q_high[axis] ? p_high[axis] : q_high[axis];
        if (low > high)
        {
            return false;
        }
    }
    return (scene->group[a] & scene->mask[b]) != 0 && (scene->group[b] & scene->mask[a]) != 0;
}

/// All pairs; the caller frees them.
static AbutBodyPair* true_pairs(const BoxScene* scene, size_t* count)
{
    AbutBodyPair* pairs = malloc(sizeof(AbutBodyPair));
    size_t capacity = 1;
    *count = 0;
    for (uint32_t a = 0; a < scene->count; ++a)
    {
        for (uint32_t b = a + 1; b < scene->count && scene->alive[a]; ++b)
        {
            if (!scene->alive[b] || !is_pair(scene, a, b))
            {
                continue;
            }
            if (*count == capacity)
            {
                capacity *= 2;
                pairs = realloc(pairs, capacity * sizeof(AbutBodyPair));
            }
            assert_non_null(pairs);
            pairs[(*count)++] = (AbutBodyPair){ a, b };
        }
    }
    return pairs;
}

void box_scene_check(const BoxScene* scene, AbutBroad* const* sets, int set_count)
{
    size_t expected_count;
    AbutBodyPair* expected = true_pairs(scene, &expected_count);
    for (int i = 0; i < set_count; ++i)
    {
        const AbutBodyPair* pairs;
        size_t count;
        test_assert_result(abut_broad_update_pairs(sets[i], &pairs, &count), ABUT_OK);
        for (size_t k = 0; k < count && k < expected_count; ++k)
        {
            if (pairs[k].a != expected[k].a || pairs[k].b != expected[k].b)
            {
                fail_msg("scene %s, set %d of %d: pair %zu of %zu is (%u, %u) instead of (%u, %u)",
                         box_scene_name(scene->kind), i, set_count, k, count, pairs[k].a, pairs[k].b,
                         expected[k].a, expected[k].b);
            }
        }
        if (count != expected_count)
        {
            fail_msg("scene %s, set %d of %d: %zu pairs instead of %zu", box_scene_name(scene->kind), i,
                     set_count, count, expected_count);
        }
    }
    free(expected);
}
