/// @file api_queries.h
/// Queries of shapes for the fuzz target of the public API, and the case that they read.
#ifndef ABUT_FUZZ_API_QUERIES_H
#define ABUT_FUZZ_API_QUERIES_H

#include "api_fuzz.h"

enum
{
    SHAPES = 6,
    WORLDS = 2,
    BODIES = 6,
    SNAPSHOTS = 2,
    CALL_LIMIT = 48,
    STEP_LIMIT = 8, // of a case: a step is the slowest of the calls
    BAKE_LIMIT = 2,
    BUDGET = 256
};

typedef struct Snapshot
{
    unsigned char* data;
    size_t size;
} Snapshot;

typedef struct Case
{
    Bytes bytes;
    ApiHost host;
    AbutShape* shapes[SHAPES];
    AbutPointSet* points;
    AbutWorld* worlds[WORLDS];
    AbutBodyId bodies[WORLDS][BODIES];
    Snapshot snapshots[SNAPSHOTS];
    int steps, bakes;
} Case;

static inline AbutShape** pick_shape(Case* c)
{
    return &c->shapes[read_byte(&c->bytes) % SHAPES];
}

static inline void collide(Case* c)
{
    const AbutShape* a = *pick_shape(c);
    const AbutShape* b = *pick_shape(c);
    AbutCollideInput input = abut_collide_input(a, b);
    unsigned options = read_byte(&c->bytes);
    input.pose_b = read_pose(&c->bytes);
    input.settings.budget = BUDGET;
    input.settings.measure_depth = (options & 1u) != 0;
    if ((options & 4u) != 0)
    {
        input.settings.tolerance = read_number(&c->bytes);
        input.settings.margin = read_number(&c->bytes);
        input.settings.spacing = read_number(&c->bytes);
        input.pose_a = read_pose(&c->bytes);
    }
    if ((options & 8u) != 0)
    {
        input.settings.method = ABUT_COLLIDE_PARTICLES;
        input.settings.particles.resolution = options >> 4;
        input.settings.particles.relaxation = read_number(&c->bytes);
    }
    AbutContact contacts[16];
    AbutSpeculativeInput speculative = abut_speculative_input(a, b);
    speculative.pose_a = input.pose_a;
    speculative.pose_b = input.pose_b;
    speculative.settings.tolerance = input.settings.tolerance;
    speculative.settings.margin = input.settings.margin;
    speculative.settings.spacing = input.settings.spacing;
    speculative.settings.budget = input.settings.budget;
    speculative.settings.measure_depth = input.settings.measure_depth;
    AbutCollideOutput output = (options & 2u) != 0 ? abut_speculative_contacts(&speculative, contacts, 16)
                                                   : abut_collide(&input, contacts, 16);
    require((unsigned)output.state < ABUT_COLLIDE_STATE_COUNT, "a state that is none");
    require(output.contact_count <= 16, "more contacts than fit");
    require(!isnan(output.gap) && output.gap >= 0.0f, "a gap that is no number");
    abut_contacts_reduce(contacts, output.contact_count, 4);
}

static inline void measure_distance(Case* c)
{
    const AbutShape* a = *pick_shape(c);
    const AbutShape* b = *pick_shape(c);
    AbutDistanceInput input = abut_distance_input(a, b);
    input.pose_b = read_pose(&c->bytes);
    input.tolerance = read_number(&c->bytes);
    input.budget = BUDGET;
    AbutDistanceOutput output = abut_distance(&input);
    require((unsigned)output.state < ABUT_COLLIDE_STATE_COUNT, "a state of a distance that is none");
    require(!isnan(output.low) && !isnan(output.high), "a distance that is no number");
}

static inline void sweep(Case* c)
{
    const AbutShape* a = *pick_shape(c);
    const AbutShape* b = *pick_shape(c);
    AbutToiInput input = abut_toi_input(a, b);
    unsigned options = read_byte(&c->bytes);
    input.pose_b = read_pose(&c->bytes);
    input.motion_b.linear = read_vector(&c->bytes);
    input.motion_b.angular = read_vector(&c->bytes);
    input.settings.budget = BUDGET;
    if ((options & 1u) != 0)
    {
        input.motion_a.angular = read_vector(&c->bytes);
        input.motion_a.center = read_vector(&c->bytes);
        input.settings.tolerance = read_number(&c->bytes);
    }
    AbutPointInterval intervals[8];
    input.settings.method = (options & 2u) != 0 ? ABUT_TOI_POINTS : ABUT_TOI_SOLIDS;
    input.points_b = c->points;
    AbutToiOutput output =
        (options & 4u) != 0 ? abut_toi_intervals(&input, intervals, 8) : abut_time_of_impact(&input);
    require((unsigned)output.state < ABUT_TOI_STATE_COUNT, "a state of a sweep that is none");
    require(output.time >= 0.0f && output.time <= 1.0f, "a time that is none");
    float margin;
    abut_toi_speculative_margin(&input, &margin);
    if (abut_pose_is_valid(&input.pose_b))
    {
        abut_motion_max_displacement(&input.pose_b, &input.motion_b,
                                     abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1)));
    }
}

static inline void query_segments(Case* c)
{
    const AbutShape* shape = *pick_shape(c);
    AbutCastSettings settings = abut_cast_settings();
    unsigned options = read_byte(&c->bytes);
    settings.method = (AbutCastMethod)(options & 3u);
    settings.budget = BUDGET;
    settings.host = &c->host.memory.host;
    settings.iso = (options & 4u) != 0 ? read_number(&c->bytes) : 0.0f;
    settings.tolerance = (options & 8u) != 0 ? read_number(&c->bytes) : 0.0f;
    AbutVec3 from = read_vector(&c->bytes), to = read_vector(&c->bytes);
    AbutTimeInterval intervals[4];
    if (shape != NULL)
    {
        AbutCastOutput output = abut_cast_intervals(shape, &settings, from, to, intervals, 4);
        require((unsigned)output.state < ABUT_CAST_STATE_COUNT, "a state of a segment that is none");
        float time = 0.0f;
        uint8_t state = 0;
        AbutSegments segments = { { &from.x, &from.y, &from.z }, { &to.x, &to.y, &to.z } };
        if (abut_cast_segments(shape, &settings, segments, 1, (AbutCastHits){ &time, &state }) == ABUT_OK)
        {
            require(state < ABUT_CAST_STATE_COUNT && !isnan(time), "a segment without an answer");
        }
    }
}

static inline void sample(Case* c)
{
    const AbutShape* shape = *pick_shape(c);
    AbutPose pose = read_pose(&c->bytes);
    AbutVec3 p = read_vector(&c->bytes), q = read_vector(&c->bytes), gradient;
    if (shape == NULL)
    {
        return;
    }
    abut_shape_distance(shape, p, &gradient);
    if (abut_pose_is_valid(&pose))
    {
        abut_shape_distance_at(shape, &pose, (AbutPosition){ (double)q.x, (double)q.y, (double)q.z },
                               &gradient);
        abut_pose_transform_box(&pose, abut_shape_info(shape).bounds);
    }
    float slope;
    abut_shape_measure_slope(shape, abut_box(p, q), 1 + read_byte(&c->bytes) % 4, &slope);
    if (abut_shape_is_field(shape))
    {
        fuzz_use_field(shape);
        abut_field_point_bounds(shape, p);
        abut_field_box_bounds(shape, abut_box(p, q));
    }
}

static inline void collide_pairs(Case* c)
{
    AbutCollider* collider = NULL;
    AbutCollideBody bodies[3];
    const AbutBodyPair pairs[4] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 1, read_byte(&c->bytes) & 3u } };
    AbutCollideSettings settings = abut_collide_settings();
    settings.budget = BUDGET;
    settings.reuse = read_number(&c->bytes);
    for (int i = 0; i < 3; ++i)
    {
        bodies[i].shape = *pick_shape(c);
        bodies[i].pose = read_pose(&c->bytes);
    }
    if (c->bakes++ < BAKE_LIMIT && abut_collider_create(&c->host.memory.host, &collider) == ABUT_OK)
    {
        AbutCollideResults results;
        const AbutPairsInput input = { bodies, 3, pairs, 4 };
        for (int i = 0; i < 2 && abut_collide_pairs(collider, &input, &settings, &results) == ABUT_OK; ++i)
        {
            require(results.pair_count <= 4, "more pairs than were asked for");
            bodies[1].pose.position.x += 1e-3;
        }
    }
    abut_collider_destroy(collider);
}

#endif
