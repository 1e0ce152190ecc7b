/// @file shape_queries.h
/// Every question that can be asked of a shape, with small budgets: for shapes that lie. Whatever a shape
/// answers, no question may crash or run on, and numbers of contacts and bodies are finite.
#ifndef ABUT_TEST_SHAPE_QUERIES_H
#define ABUT_TEST_SHAPE_QUERIES_H

#include <abut/abut.h>
#include <math.h>
#include <stddef.h>

enum
{
    SHAPE_QUERY_SAMPLE,
    SHAPE_QUERY_COLLIDE,
    SHAPE_QUERY_CONTACTS,
    SHAPE_QUERY_DISTANCE,
    SHAPE_QUERY_SWEEP,
    SHAPE_QUERY_SEGMENTS,
    SHAPE_QUERY_SURFACE,
    SHAPE_QUERY_BAKE,
    SHAPE_QUERY_IMPULSE,
    SHAPE_QUERY_PENALTY,
    SHAPE_QUERY_POINTS, ///< takes longest
    SHAPE_QUERY_COUNT,
    SHAPE_QUERY_BUDGET = 400
};

typedef struct ShapeQueries
{
    AbutShape *shape, *other;
    const AbutHost* host;
    uint32_t seed;
    const char* fault; ///< what came back that may not; NULL so far
} ShapeQueries;

static inline float shape_query_number(ShapeQueries* self, float low, float high)
{
    self->seed = self->seed * 1664525u + 1013904223u;
    return low + (high - low) * (float)(self->seed >> 8) * 0x1p-24f;
}

static inline AbutVec3 shape_query_point(ShapeQueries* self, float range)
{
    float x = shape_query_number(self, -range, range);
    float y = shape_query_number(self, -range, range);
    return abut_vec3(x, y, shape_query_number(self, -range, range));
}

static inline AbutPose shape_query_pose(ShapeQueries* self, float range)
{
    AbutVec3 p = shape_query_point(self, range), axis = shape_query_point(self, 1.0f);
    float w = shape_query_number(self, 0.1f, 1.0f);
    AbutPose pose = abut_pose_at((double)p.x, (double)p.y, (double)p.z);
    pose.rotation = abut_quat_normalize((AbutQuat){ axis.x, axis.y, axis.z, w });
    return pose;
}

static inline void shape_query_check(ShapeQueries* self, bool holds, const char* fault)
{
    self->fault = holds ? self->fault : fault;
}

static inline void shape_query_samples(ShapeQueries* self)
{
    for (int i = 0; i < 32; ++i)
    {
        AbutVec3 gradient, p = shape_query_point(self, i % 8 == 0 ? 1e9f : 1.0f);
        abut_shape_distance(self->shape, p, &gradient);
        if (abut_shape_is_field(self->shape))
        {
            abut_field_point_bounds(self->shape, p);
            abut_field_box_bounds(self->shape, abut_box(p, abut_vec3_add(p, abut_vec3(0.1f, 0.2f, 0.3f))));
        }
    }
    float slope;
    abut_shape_measure_slope(self->shape, abut_box(abut_vec3(-1, -1, -1), abut_vec3(1, 1, 1)), 2, &slope);
}

static inline void shape_query_contacts(ShapeQueries* self, const AbutContact* contacts, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutContact* c = &contacts[i];
        bool finite = abut_vec3_is_finite(c->position) && abut_vec3_is_finite(c->normal) &&
                      abut_vec3_is_finite(c->anchor_a) && abut_vec3_is_finite(c->anchor_b) &&
                      isfinite(c->separation) && isfinite(c->depth);
        shape_query_check(self, finite, "a contact is not finite");
    }
}

/// The same pair for the other question.
static inline AbutSpeculativeInput shape_query_speculative(const AbutCollideInput* input)
{
    AbutSpeculativeInput other = abut_speculative_input(input->shape_a, input->shape_b);
    other.pose_a = input->pose_a;
    other.pose_b = input->pose_b;
    other.settings.budget = input->settings.budget;
    other.settings.margin = input->settings.margin;
    other.settings.tolerance = input->settings.tolerance;
    other.settings.measure_depth = input->settings.measure_depth;
    return other;
}

/// The same of a shape beside a ball, a plane or itself, with the shape first or last.
static inline void shape_query_collide(ShapeQueries* self, bool speculative)
{
    AbutContact contacts[16];
    for (int repeat = 0; repeat < 4; ++repeat)
    {
        const AbutShape* second = repeat % 2 == 0 ? self->shape : self->other;
        AbutCollideInput input =
            repeat == 3 ? abut_collide_input(second, self->shape) : abut_collide_input(self->shape, second);
        input.pose_a = shape_query_pose(self, 0.5f);
        input.pose_b = shape_query_pose(self, 0.5f);
        input.pose_a.scale = shape_query_number(self, 0.5f, 2.0f);
        input.settings.budget = SHAPE_QUERY_BUDGET;
        input.settings.margin = shape_query_number(self, 0.0f, 0.2f);
        input.settings.tolerance = repeat == 2 ? shape_query_number(self, 0.0f, 6.0f) : 0.0f;
        input.settings.measure_depth = repeat == 1;
        AbutSpeculativeInput other = shape_query_speculative(&input);
        AbutCollideOutput output = speculative
                                       ? abut_speculative_contacts(&other, contacts, repeat == 3 ? 0 : 16)
                                       : abut_collide(&input, contacts, repeat == 3 ? 0 : 16);
        shape_query_contacts(self, contacts, output.contact_count);
        shape_query_check(self, !isnan(output.gap), "a gap is NaN");
    }
}

static inline void shape_query_distance(ShapeQueries* self)
{
    for (int repeat = 0; repeat < 3; ++repeat)
    {
        const AbutShape* second = repeat == 0 ? self->shape : self->other;
        AbutDistanceInput input =
            repeat == 2 ? abut_distance_input(second, self->shape) : abut_distance_input(self->shape, second);
        input.pose_a = shape_query_pose(self, 0.2f);
        input.pose_b = shape_query_pose(self, 2.0f);
        input.budget = SHAPE_QUERY_BUDGET;
        AbutDistanceOutput output = abut_distance(&input);
        shape_query_check(self, !isnan(output.low) && !isnan(output.high), "a distance is NaN");
    }
}

/// NULL without memory.
static inline AbutPointSet* shape_query_few_points(const ShapeQueries* self)
{
    static const float positions[15] = { 0.1f, 0.2f, 0.3f, -0.1f, 0.0f, 0.2f, 0.0f, -0.4f,
                                         0.1f, 0.5f, 0.0f, 0.0f,  0.0f, 0.0f, -0.3f };
    AbutPointSet* points = NULL;
    return abut_points_create(positions, NULL, 5, self->host, &points) == ABUT_OK ? points : NULL;
}

static inline void shape_query_sweep(ShapeQueries* self)
{
    AbutPointSet* points = shape_query_few_points(self);
    if (points == NULL)
    {
        return;
    }
    for (int repeat = 0; repeat < 4; ++repeat)
    {
        const AbutShape* second = repeat == 0 ? self->shape : self->other;
        AbutToiInput input =
            repeat == 1 ? abut_toi_input(second, self->shape) : abut_toi_input(self->shape, second);
        input.pose_a = shape_query_pose(self, 0.2f);
        input.pose_b = shape_query_pose(self, 2.0f);
        input.motion_b.linear = shape_query_point(self, 3.0f);
        input.motion_b.angular = shape_query_point(self, 2.0f);
        input.settings.budget = SHAPE_QUERY_BUDGET;
        input.settings.method = repeat == 3 ? ABUT_TOI_POINTS : ABUT_TOI_SOLIDS;
        input.points_b = repeat == 3 ? points : NULL;
        AbutPointInterval intervals[8];
        AbutToiOutput output =
            repeat == 3 ? abut_toi_intervals(&input, intervals, 8) : abut_time_of_impact(&input);
        shape_query_check(self, output.time >= 0.0f && output.time <= 1.0f,
                          "a time of touch is out of [0, 1]");
        shape_query_check(self, output.touch_time >= 0.0f && output.touch_time <= 1.0f,
                          "a proved time of touch is out of [0, 1]");
        float margin;
        abut_toi_speculative_margin(&input, &margin);
    }
    abut_points_destroy(points);
}

static inline void shape_query_segments(ShapeQueries* self)
{
    enum
    {
        COUNT = 19
    };
    float ends[6][COUNT], time[COUNT];
    uint8_t state[COUNT];
    for (int method = 0; method < ABUT_CAST_METHOD_COUNT; ++method)
    {
        AbutCastSettings settings = abut_cast_settings();
        settings.method = (AbutCastMethod)method;
        settings.budget = 500;
        settings.iso = method == 1 ? 0.05f : 0.0f;
        settings.host = self->host;
        for (int i = 0; i < 6 * COUNT; ++i)
        {
            ends[i / COUNT][i % COUNT] = shape_query_number(self, -1.0f, 1.0f) * (i % 7 == 0 ? 100.0f : 1.0f);
        }
        AbutSegments segments = { { ends[0], ends[1], ends[2] }, { ends[3], ends[4], ends[5] } };
        abut_cast_segments(self->shape, &settings, segments, COUNT, (AbutCastHits){ time, state });
        for (int i = 0; i < COUNT; ++i)
        {
            shape_query_check(self, time[i] >= 0.0f && time[i] <= 1.0f,
                              "a time of a segment is out of [0, 1]");
        }
        AbutTimeInterval intervals[8];
        AbutVec3 from = shape_query_point(self, 1.0f);
        AbutVec3 to = shape_query_point(self, 1.0f);
        abut_cast_intervals(self->shape, &settings, from, to, intervals, 8);
    }
}

static inline void shape_query_surface(ShapeQueries* self)
{
    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 10;
    def.box = abut_box(abut_vec3(-0.7f, -0.7f, -0.7f), abut_vec3(0.7f, 0.7f, 0.7f));
    def.host = self->host;
    AbutMesh* mesh = NULL;
    abut_surface_create(&def, self->shape, &mesh);
    abut_mesh_destroy(mesh);
}

static inline void shape_query_points(ShapeQueries* self)
{
    AbutPointsDef def = abut_points_def();
    def.count = 24;
    def.relaxations = 1;
    def.host = self->host;
    AbutPointSet* points = NULL;
    if (abut_points_create_from_shape(&def, self->shape, &points) == ABUT_OK)
    {
        AbutPointData data = abut_points_data(points);
        for (uint32_t i = 0; i < data.count; ++i)
        {
            bool finite = isfinite(data.positions.x[i]) && isfinite(data.positions.y[i]) &&
                          isfinite(data.positions.z[i]);
            shape_query_check(self, finite, "a point of the surface is not finite");
        }
    }
    abut_points_destroy(points);
}

/// A bake of the shape, of order 1 and sparse; and an update of it when it is a field.
static inline void shape_query_bake(ShapeQueries* self)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 14;
    def.format = ABUT_FIELD_FIRST_ORDER;
    def.sparse = self->seed % 2 == 0;
    def.host = self->host;
    AbutShape* field = NULL;
    if (abut_bake_shape(&def, self->shape, &field) == ABUT_OK)
    {
        AbutFieldDataDef again = abut_field_data_def();
        again.data = (void*)(uintptr_t)abut_field_data(field, &again.size);
        again.host = self->host;
        AbutShape* loaded = NULL;
        shape_query_check(self, abut_field_create_from_data(&again, &loaded) == ABUT_OK,
                          "a field that was baked is refused");
        abut_shape_destroy(loaded);
    }
    abut_shape_destroy(field);
    if (abut_shape_is_field(self->shape))
    {
        const AbutShape* shapes[1] = { self->other };
        AbutBakeShapeChange change = { self->shape, self->other, shapes, 1 };
        AbutShape* updated = NULL;
        abut_bake_update_shape(&def, &change, NULL, &updated);
        abut_shape_destroy(updated);
    }
}

static inline void shape_query_body(ShapeQueries* self, AbutWorld* world, AbutShape* shape, AbutBodyKind kind,
                                    AbutPose pose)
{
    AbutBodyDef def = abut_body_def();
    def.shape = shape;
    def.kind = kind;
    def.pose = pose;
    def.linear_velocity = kind == ABUT_BODY_DYNAMIC ? shape_query_point(self, 2.0f) : abut_vec3(0, 0, 0);
    def.points = shape_query_few_points(self); // samples of the surface are asked for elsewhere
    AbutBodyId id;
    abut_body_create(world, &def, &id); // may be refused
    abut_points_destroy(def.points);
}

static inline void shape_query_world(ShapeQueries* self, AbutResponse response)
{
    AbutWorldDef def = abut_world_def();
    def.response = response;
    def.penalty.point_count = 24;
    def.penalty.midpoint_count = 4;
    def.penalty.iteration_limit = 4;
    def.speculative.budget = SHAPE_QUERY_BUDGET;
    def.host = self->host;
    AbutWorld* world = NULL;
    if (abut_world_create(&def, &world) != ABUT_OK)
    {
        return;
    }
    shape_query_body(self, world, self->shape, ABUT_BODY_STATIC, abut_pose_at(0.0, 0.0, 0.0));
    shape_query_body(self, world, self->shape, ABUT_BODY_DYNAMIC, shape_query_pose(self, 0.5f));
    shape_query_body(self, world, self->other, ABUT_BODY_DYNAMIC, shape_query_pose(self, 0.6f));
    AbutBodyId ids[3];
    uint32_t count = abut_world_bodies(world, ids, 3);
    for (int step = 0; step < 3; ++step)
    {
        abut_world_step(world, 1.0f / 60.0f, NULL);
        for (uint32_t i = 0; i < count; ++i)
        {
            AbutBodyState state = abut_body_state(world, ids[i]);
            bool finite = abut_pose_is_valid(&state.pose) && abut_vec3_is_finite(state.linear_velocity) &&
                          abut_vec3_is_finite(state.angular_velocity);
            shape_query_check(self, finite, "a body is not finite");
        }
    }
    AbutRayInput ray = abut_ray_input((AbutPosition){ 0.0, 3.0, 0.0 }, abut_vec3(0.0f, -6.0f, 0.0f));
    AbutRayOutput hit;
    abut_world_cast_ray(world, &ray, &hit);
    abut_world_destroy(world);
}

static inline void shape_query_run(ShapeQueries* self, unsigned query)
{
    switch (query)
    {
    case SHAPE_QUERY_SAMPLE:
        shape_query_samples(self);
        break;
    case SHAPE_QUERY_COLLIDE:
    case SHAPE_QUERY_CONTACTS:
        shape_query_collide(self, query == SHAPE_QUERY_CONTACTS);
        break;
    case SHAPE_QUERY_DISTANCE:
        shape_query_distance(self);
        break;
    case SHAPE_QUERY_SWEEP:
        shape_query_sweep(self);
        break;
    case SHAPE_QUERY_SEGMENTS:
        shape_query_segments(self);
        break;
    case SHAPE_QUERY_SURFACE:
        shape_query_surface(self);
        break;
    case SHAPE_QUERY_POINTS:
        shape_query_points(self);
        break;
    case SHAPE_QUERY_BAKE:
        shape_query_bake(self);
        break;
    default:
        shape_query_world(self, query == SHAPE_QUERY_IMPULSE ? ABUT_RESPONSE_IMPULSE : ABUT_RESPONSE_PENALTY);
        break;
    }
}

#endif
