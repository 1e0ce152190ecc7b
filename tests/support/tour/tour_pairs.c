// Stops of the tour: pairs, motions, rays, broad phase.
#include "support/tour/tour_mix.h"

enum
{
    CONTACTS = 16,
    PAIRS = 6
};

static void pair_of(const Tour* tour, int i, const AbutShape** a, const AbutShape** b)
{
    const AbutShape* const pairs[PAIRS][2] = {
        { tour->box, tour->ball },    { tour->sparse, tour->field }, { tour->plane, tour->sparse },
        { tour->terrain, tour->box }, { tour->solid, tour->field },  { tour->callback, tour->ring },
    };
    *a = pairs[i][0];
    *b = pairs[i][1];
}

static uint64_t mix_collide(uint64_t hash, AbutCollideOutput output, const AbutContact* contacts)
{
    MIX(hash, output.state);
    MIX(hash, output.gap);
    MIX(hash, output.contact_total);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        hash = mix_vector(mix_vector(hash, contacts[i].position), contacts[i].normal);
        MIX(hash, contacts[i].separation);
        MIX(hash, contacts[i].depth);
        MIX(hash, contacts[i].id);
    }
    return hash;
}

uint64_t tour_visit_collisions(const Tour* tour)
{
    uint64_t hash = 9;
    AbutContact contacts[CONTACTS];
    for (int i = 0; i < 4 * PAIRS; ++i)
    {
        const AbutShape *a, *b;
        pair_of(tour, i % PAIRS, &a, &b);
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_b = tilted(0.1 + 0.03 * i, 0.1, 0.05);
        input.settings.budget = 4096;
        input.settings.measure_depth = i % 2 == 0;
        input.settings.margin = i % 3 == 0 ? 0.05f : 0.0f;
        input.settings.method = i / PAIRS == 3   ? ABUT_COLLIDE_PARTICLES
                                : i / PAIRS == 1 ? ABUT_COLLIDE_ADAPTIVE
                                                 : ABUT_COLLIDE_AUTOMATIC;
        AbutCollideCache cache = { 0 };
        input.cache = &cache;
        AbutCollideMethod chosen =
            i % 2 == 0 ? abut_collide_method_of(a, b) : abut_collide_depth_method_of(a, b);
        MIX(hash, chosen);
        bool serves = abut_collide_method_serves(chosen, a, b);
        MIX(hash, serves);
        AbutSpeculativeInput speculative = test_speculative_input(&input);
        AbutCollideOutput output = i / PAIRS == 2
                                       ? abut_speculative_contacts(&speculative, contacts, CONTACTS)
                                       : abut_collide(&input, contacts, CONTACTS);
        hash = mix_collide(hash, output, contacts);
        AbutReduction reduction = abut_contacts_reduce(contacts, output.contact_count, 3);
        MIX(hash, reduction.kept_count);
        MIX(hash, reduction.force_change);
    }
    return hash;
}

uint64_t tour_visit_distances(const Tour* tour)
{
    uint64_t hash = 10;
    for (int i = 0; i < 2 * PAIRS; ++i)
    {
        const AbutShape *a, *b;
        pair_of(tour, i % PAIRS, &a, &b);
        AbutDistanceInput input = abut_distance_input(a, b);
        input.pose_b = tilted(0.5, 0.6 + 0.1 * i, 0.05);
        input.budget = 4096;
        AbutDistanceOutput output = abut_distance(&input);
        MIX(hash, output.state);
        MIX(hash, output.low);
        MIX(hash, output.high);
        hash = mix_vector(hash, output.point_a);
    }
    return hash;
}

uint64_t tour_visit_sweeps(const Tour* tour)
{
    uint64_t hash = 11;
    AbutPointInterval intervals[CONTACTS];
    for (int i = 0; i < 3 * PAIRS; ++i)
    {
        const AbutShape *a, *b;
        pair_of(tour, i % PAIRS, &a, &b);
        AbutToiInput input = abut_toi_input(a, b);
        input.pose_b = tilted(1.0, 0.8, 0.05);
        input.motion_b.linear = abut_vec3(-1.3f, -1.0f, 0.1f);
        input.motion_b.angular = abut_vec3(0.0f, 1.0f, 2.0f);
        input.motion_a.angular = abut_vec3(0.1f, 0.3f, 0.0f);
        input.settings.budget = 4096;
        input.settings.method = i < PAIRS ? ABUT_TOI_SOLIDS : ABUT_TOI_POINTS;
        input.settings.linear = i % 4 == 3;
        input.points_b = tour->points;
        AbutToiOutput output =
            i < 2 * PAIRS ? abut_time_of_impact(&input) : abut_toi_intervals(&input, intervals, CONTACTS);
        MIX(hash, output.state);
        MIX(hash, output.time);
        MIX(hash, output.gap);
        float margin;
        need(abut_toi_speculative_margin(&input, &margin));
        MIX(hash, margin);
        for (uint32_t k = 0; k < output.interval_count; ++k)
        {
            MIX(hash, intervals[k].times.begin);
            MIX(hash, intervals[k].times.end);
        }
    }
    return hash;
}

uint64_t tour_visit_segments(const Tour* tour)
{
    enum
    {
        COUNT = 40
    };
    uint64_t hash = 12;
    AbutShape* const shapes[] = { tour->ball, tour->terrain, tour->solid, tour->field, tour->sparse };
    float from[3][COUNT], to[3][COUNT], times[COUNT];
    uint8_t states[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        from[0][i] = -1.0f + 0.01f * (float)i;
        from[1][i] = 0.01f * (float)(i % 7);
        from[2][i] = 0.02f * (float)(i % 13);
        to[0][i] = 1.0f;
        to[1][i] = -0.3f;
        to[2][i] = 0.01f * (float)i;
    }
    AbutSegments segments = { { from[0], from[1], from[2] }, { to[0], to[1], to[2] } };
    for (size_t i = 0; i < 3 * sizeof(shapes) / sizeof(shapes[0]); ++i)
    {
        AbutCastSettings settings = abut_cast_settings();
        AbutTimeInterval operands[4];
        settings.method = (AbutCastMethod)(i % 3);
        settings.host = tour->host;
        need(abut_cast_segments(shapes[i / 3], &settings, segments, COUNT, (AbutCastHits){ times, states }));
        MIX(hash, times);
        MIX(hash, states);
        AbutCastOutput output = abut_cast_intervals(shapes[i / 3], &settings, abut_vec3(-1.0f, 0.01f, 0.02f),
                                                    abut_vec3(1.0f, 0.03f, 0.01f), operands, 4);
        MIX(hash, output.time);
        hash = abut_hash(operands, (size_t)output.interval_count * sizeof(operands[0]), hash);
        AbutRay ray = { abut_vec3(-1.0f, 0.01f, 0.02f), abut_vec3(1.0f, 0.01f, -0.005f), INFINITY };
        AbutRayHit hit;
        need(abut_cast_ray(shapes[i / 3], &settings, &ray, &hit));
        MIX(hash, hit.distance);
        hash = mix_vector(mix_vector(hash, hit.position), hit.normal);
    }
    return hash;
}

uint64_t tour_visit_pairs(const Tour* tour)
{
    uint64_t hash = 13;
    AbutCollider* collider = NULL;
    need(abut_collider_create(tour->host, &collider));
    AbutCollideBody bodies[4] = { { tour->plane, abut_pose_identity() },
                                  { tour->box, tilted(0.0, 0.2, 0.0) },
                                  { tour->sparse, tilted(0.2, 0.3, 0.0) },
                                  { tour->field, tilted(0.2, 0.35, 0.1) } };
    const AbutBodyPair pairs[5] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 2, 3 }, { 1, 3 } };
    AbutCollideSettings settings = abut_collide_settings();
    settings.margin = 0.02f;
    for (int i = 0; i < 6; ++i)
    {
        AbutCollideResults results;
        settings.reuse = i < 2 ? 0.01f : 0.0f;
        settings.method = i == 5 ? ABUT_COLLIDE_PARTICLES : ABUT_COLLIDE_ADAPTIVE;
        bodies[1].pose.position.y -= 0.003;
        AbutSpeculativeSettings speculative = test_speculative_settings(&settings);
        const AbutPairsInput input = { bodies, 4, pairs, 5 };
        need(i == 4 ? abut_speculative_pairs(collider, &input, &speculative, &results)
                    : abut_collide_pairs(collider, &input, &settings, &results));
        for (size_t k = 0; k < results.pair_count; ++k)
        {
            hash =
                mix_collide(hash, results.pairs[k].output, results.contacts + results.pairs[k].first_contact);
        }
    }
    abut_collider_destroy(collider);
    return hash;
}

static bool count_box(void* user, uint32_t id)
{
    uint64_t* hash = user;
    MIX(*hash, id);
    return true;
}

static float count_ray(void* user, uint32_t id, float enter, float limit)
{
    uint64_t* hash = user;
    MIX(*hash, id);
    MIX(*hash, enter);
    return limit;
}

uint64_t tour_visit_broad(const Tour* tour)
{
    uint64_t hash = 14;
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        AbutBroadDef def = abut_broad_def();
        AbutBroad* broad = NULL;
        def.method = (AbutBroadMethod)method;
        def.host = tour->host;
        need(abut_broad_create(&def, &broad));
        uint32_t ids[40];
        AbutBox boxes[40];
        for (int i = 0; i < 40; ++i)
        {
            AbutVec3 at = abut_vec3(0.3f * (float)(i % 5), 0.1f * (float)i, 0.7f * (float)(i % 3));
            boxes[i] = abut_box(at, abut_vec3_add(at, abut_vec3(0.31f, 0.4f, 0.5f)));
            need(abut_broad_add(broad, boxes[i], 1, 1, &ids[i]));
        }
        need(abut_broad_move(broad, ids[3], boxes[7]));
        need(abut_broad_move_many(broad, ids, boxes, 40));
        const AbutBodyPair* pairs;
        size_t count;
        need(abut_broad_update_pairs(broad, &pairs, &count));
        hash = abut_hash(pairs, count * sizeof(pairs[0]), hash);
        abut_broad_query_box(broad, boxes[11], 1, count_box, &hash);
        AbutBroadRay ray = {
            .origin = { 0.1f, -1.0f, 0.2f }, .direction = { 0.1f, 1.0f, 0.1f }, .limit = 9.0f, .mask = 1
        };
        need(abut_broad_query_ray(broad, &ray, count_ray, &hash));
        abut_broad_destroy(broad);
    }
    return hash;
}
