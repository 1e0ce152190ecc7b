// Boxes and rays against sets of boxes, by every method, with changes that no collection has seen yet.
#include "support/scenes/box_scene.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CAPACITY = 300
};

typedef struct Hits
{
    bool hit[CAPACITY];
    float enter[CAPACITY];
    int count;
    int most; ///< after which it stops
} Hits;

static void create_sets(AbutBroad* sets[ABUT_BROAD_METHOD_COUNT])
{
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        AbutBroadDef def = abut_broad_def();
        def.method = (AbutBroadMethod)method;
        test_assert_result(abut_broad_create(&def, &sets[method]), ABUT_OK);
    }
}

static void destroy_sets(AbutBroad* sets[ABUT_BROAD_METHOD_COUNT])
{
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        abut_broad_destroy(sets[method]);
    }
}

static bool note_box(void* user, uint32_t id)
{
    Hits* hits = user;
    assert_true(id < CAPACITY && !hits->hit[id]);
    hits->hit[id] = true;
    hits->count += 1;
    return hits->count != hits->most;
}

static float note_ray(void* user, uint32_t id, float enter, float limit)
{
    Hits* hits = user;
    assert_true(enter >= 0.0f && enter <= limit);
    hits->enter[id < CAPACITY ? id : 0] = enter;
    return note_box(user, id) ? limit : -1.0f;
}

typedef void CheckFn(BoxScene* scene, AbutBroad* const* sets);

/// Changes scenes of all kinds, and calls `check` before, between and after collections.
static void run_scenes(CheckFn* check)
{
    for (int i = 0; i < 4 * BOX_SCENE_KIND_COUNT; ++i)
    {
        AbutBroad* sets[ABUT_BROAD_METHOD_COUNT];
        create_sets(sets);
        uint32_t capacity = i % 4 == 0 ? 5 : CAPACITY;
        BoxScene scene = box_scene_make((BoxSceneKind)(i / 4), capacity, i % 2 == 0, 77u + (unsigned)i);
        check(&scene, sets);
        for (uint32_t k = 0; k < capacity * 4 / 5; ++k)
        {
            box_scene_add(&scene, sets, ABUT_BROAD_METHOD_COUNT);
        }
        for (int step = 0; step < 8; ++step)
        {
            check(&scene, sets);
            if (step % 3 != 1)
            {
                box_scene_check(&scene, sets, ABUT_BROAD_METHOD_COUNT);
                check(&scene, sets);
            }
            box_scene_step(&scene, sets, ABUT_BROAD_METHOD_COUNT, 0.1 * step, step % 2 == 0);
        }
        box_scene_free(&scene);
        destroy_sets(sets);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

static bool meets(const AbutBox* p, const AbutBox* q)
{
    const AbutBox both = abut_box(abut_vec3_max(p->min, q->min), abut_vec3_min(p->max, q->max));
    return !abut_box_is_empty(both);
}

static void check_boxes(BoxScene* scene, AbutBroad* const* sets)
{
    for (int i = 0; i < 12; ++i)
    {
        AbutBox box = i == 0 ? abut_box_infinite() : box_scene_random_box(scene);
        uint32_t mask = i % 3 == 0 ? UINT32_MAX : (uint32_t)test_random_bits(&scene->random) & 0xF;
        for (int set = 0; set < ABUT_BROAD_METHOD_COUNT; ++set)
        {
            Hits hits = { .count = 0 };
            abut_broad_query_box(sets[set], box, mask, note_box, &hits);
            for (uint32_t id = 0; id < scene->count; ++id)
            {
                bool expected =
                    scene->alive[id] && meets(&scene->boxes[id], &box) && (scene->group[id] & mask) != 0;
                if (hits.hit[id] != expected)
                {
                    fail_msg("scene %s, %s: box %u %s", box_scene_name(scene->kind),
                             abut_broad_method_name((AbutBroadMethod)set), id,
                             expected ? "is missing" : "does not meet the query");
                }
            }
        }
    }
}

static void test_box_queries_find_what_brute_force_does(void** state)
{
    (void)state;
    run_scenes(check_boxes);
}

static void check_stops(BoxScene* scene, AbutBroad* const* sets)
{
    for (int set = 0; set < ABUT_BROAD_METHOD_COUNT; ++set)
    {
        Hits all = { .count = 0 };
        abut_broad_query_box(sets[set], abut_box_infinite(), UINT32_MAX, note_box, &all);
        for (int most = 1; most <= all.count && most < 4; ++most)
        {
            Hits some = { .most = most };
            abut_broad_query_box(sets[set], abut_box_infinite(), UINT32_MAX, note_box, &some);
            assert_int_equal(some.count, most);
            Hits along = { .most = most };
            AbutBroadRay ray = { .limit = INFINITY, .mask = UINT32_MAX };
            ray.origin = scene->kind == BOX_SCENE_SAME ? abut_vec3(1.5f, 2.5f, 3.5f) : ray.origin;
            test_assert_result(abut_broad_query_ray(sets[set], &ray, note_ray, &along), ABUT_OK);
            assert_true(along.count <= most);
        }
    }
}

static void test_queries_stop_when_told(void** state)
{
    (void)state;
    run_scenes(check_stops);
}

// -----------------------------------------------------------------------------------------------------------
// Rays
// -----------------------------------------------------------------------------------------------------------

/// Where a ray is inside of a box, in double; nowhere when *from > *to.
static void inside_of(const AbutBroadRay* ray, const AbutBox* box, double* from, double* to)
{
    const double o[3] = { (double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z };
    const double d[3] = { (double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z };
    const double low[3] = { (double)box->min.x, (double)box->min.y, (double)box->min.z };
    const double high[3] = { (double)box->max.x, (double)box->max.y, (double)box->max.z };
    *from = 0.0;
    *to = (double)ray->limit;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (d[axis] == 0.0)
        {
            *to = low[axis] <= o[axis] && o[axis] <= high[axis] ? *to : -INFINITY;
            continue;
        }
        double a = (low[axis] - o[axis]) / d[axis], b = (high[axis] - o[axis]) / d[axis];
        *from = fmax(*from, fmin(a, b));
        *to = fmin(*to, fmax(a, b));
    }
}

static AbutBroadRay random_ray(BoxScene* scene)
{
    TestRandom* random = &scene->random;
    AbutBox box = box_scene_random_box(scene), target = box_scene_random_box(scene);
    AbutBroadRay ray = { .origin = box.min, .direction = abut_vec3_sub(target.max, box.min) };
    ray.direction.x = test_random_bits(random) % 4 == 0 ? 0.0f : ray.direction.x;
    ray.direction.y = test_random_bits(random) % 4 == 0 ? 0.0f : ray.direction.y;
    ray.direction.z = test_random_bits(random) % 4 == 0 ? 0.0f : ray.direction.z;
    if (!abut_vec3_is_finite(ray.origin) || !abut_vec3_is_finite(ray.direction))
    {
        ray.origin = test_random_point(random, 5.0);
        ray.direction = test_random_direction(random);
    }
    ray.limit = test_random_bits(random) % 3 == 0 ? INFINITY : (float)test_random_range(random, 0.0, 3.0);
    ray.mask = test_random_bits(random) % 2 == 0 ? UINT32_MAX : 0x5;
    ray.margin = test_random_bits(random) % 2 == 0 ? 0.0f : (float)test_random_range(random, 0.0, 0.5);
    return ray;
}

/// Rounding decides what the ray only grazes.
static void check_against_double(const BoxScene* scene, const AbutBroadRay* ray, const Hits* hits)
{
    for (uint32_t id = 0; id < scene->count; ++id)
    {
        double from, to;
        AbutBox grown = abut_box_expand(scene->boxes[id], ray->margin);
        inside_of(ray, &grown, &from, &to);
        const bool there =
            scene->alive[id] && (scene->group[id] & ray->mask) != 0 && !abut_box_is_empty(scene->boxes[id]);
        const double slack = 1e-5 * (1.0 + fabs(from));
        if ((there && from + slack < to && !hits->hit[id]) ||
            ((!there || from - slack > to) && hits->hit[id]))
        {
            fail_msg("scene %s: the ray is in box %u from %g to %g, which is %s", box_scene_name(scene->kind),
                     id, from, to, hits->hit[id] ? "a hit" : "no hit");
        }
        if (hits->hit[id])
        {
            test_assert_near(hits->enter[id], from, slack);
        }
    }
}

static void check_rays(BoxScene* scene, AbutBroad* const* sets)
{
    for (int i = 0; i < 20; ++i)
    {
        const AbutBroadRay ray = random_ray(scene);
        Hits hits[ABUT_BROAD_METHOD_COUNT];
        memset(hits, 0, sizeof(hits));
        for (int set = 0; set < ABUT_BROAD_METHOD_COUNT; ++set)
        {
            test_assert_result(abut_broad_query_ray(sets[set], &ray, note_ray, &hits[set]), ABUT_OK);
            assert_memory_equal(&hits[set], &hits[0], sizeof(Hits));
        }
        if (scene->kind != BOX_SCENE_HUGE) // there the float overflows long before the double
        {
            check_against_double(scene, &ray, &hits[0]);
        }
    }
}

static void test_rays_hit_the_same_boxes_in_every_method_and_in_double(void** state)
{
    (void)state;
    run_scenes(check_rays);
}

typedef struct Nearest
{
    float enter;
    int visits;
} Nearest;

static float keep_nearest(void* user, uint32_t id, float enter, float limit)
{
    (void)id;
    (void)limit;
    Nearest* nearest = user;
    nearest->enter = enter < nearest->enter ? enter : nearest->enter;
    nearest->visits += 1;
    return nearest->enter;
}

static void check_nearest(BoxScene* scene, AbutBroad* const* sets)
{
    for (int i = 0; i < 10; ++i)
    {
        const AbutBroadRay ray = random_ray(scene);
        for (int set = 0; set < ABUT_BROAD_METHOD_COUNT; ++set)
        {
            Hits all = { .count = 0 };
            Nearest nearest = { INFINITY, 0 };
            float least = INFINITY;
            test_assert_result(abut_broad_query_ray(sets[set], &ray, note_ray, &all), ABUT_OK);
            test_assert_result(abut_broad_query_ray(sets[set], &ray, keep_nearest, &nearest), ABUT_OK);
            for (uint32_t id = 0; id < scene->count; ++id)
            {
                least = all.hit[id] && all.enter[id] < least ? all.enter[id] : least;
            }
            assert_true(nearest.enter == least && nearest.visits <= all.count);
        }
    }
}

static void test_the_nearest_box_is_found_though_the_limit_shrinks(void** state)
{
    (void)state;
    run_scenes(check_nearest);
}

static void test_rays_without_numbers_are_refused(void** state)
{
    (void)state;
    AbutBroad* sets[ABUT_BROAD_METHOD_COUNT];
    create_sets(sets);
    Hits hits = { .count = 0 };
    AbutBroadRay ray = { .direction = { 1.0f, 0.0f, 0.0f }, .limit = 1.0f, .mask = UINT32_MAX };
    AbutBroadRay bad[5] = { ray, ray, ray, ray, ray };
    bad[0].origin.y = NAN;
    bad[1].direction.z = INFINITY;
    bad[2].limit = -1.0f;
    bad[3].limit = NAN;
    bad[4].origin.x = -INFINITY;
    for (int i = 0; i < 5; ++i)
    {
        test_assert_result(abut_broad_query_ray(sets[i % 4], &bad[i], note_ray, &hits),
                           ABUT_INVALID_ARGUMENT);
    }
    uint32_t id;
    test_assert_result(abut_broad_add(sets[0], abut_box_infinite(), 1, 1, &id), ABUT_OK);
    AbutBox nan = abut_box(abut_vec3(NAN, 0.0f, 0.0f), abut_vec3(1.0f, 1.0f, 1.0f));
    abut_broad_query_box(sets[0], nan, UINT32_MAX, note_box, &hits);
    abut_broad_query_box(sets[0], abut_box_empty(), UINT32_MAX, note_box, &hits);
    assert_int_equal(hits.count, 0);
    destroy_sets(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_queries_find_what_brute_force_does),
        cmocka_unit_test(test_queries_stop_when_told),
        cmocka_unit_test(test_rays_hit_the_same_boxes_in_every_method_and_in_double),
        cmocka_unit_test(test_the_nearest_box_is_found_though_the_limit_shrinks),
        cmocka_unit_test(test_rays_without_numbers_are_refused),
    };
    return cmocka_run_group_tests_name("broad_queries", tests, NULL, NULL);
}
