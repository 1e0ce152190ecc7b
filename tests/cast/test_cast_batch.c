// Many segments in one call: the same bytes as cell by cell and one by one, for any number of workers and any
// instruction set.
#include "support/meshes/meshes.h"
#include "support/meshes/segments.h"
#include "support/shapes.h"

#include <abut/bake.h>
#include <math.h>
#include <string.h>

enum
{
    SEGMENTS = 3000
};

typedef struct Batch
{
    float ends[6][SEGMENTS];
    float time[SEGMENTS];
    uint8_t state[SEGMENTS];
} Batch;

static Batch batch, expected;

static AbutSegments segments_of(const Batch* self, size_t first)
{
    return (AbutSegments){ { self->ends[0] + first, self->ends[1] + first, self->ends[2] + first },
                           { self->ends[3] + first, self->ends[4] + first, self->ends[5] + first } };
}

static void set_segment(Batch* self, int i, TestSegment s)
{
    const float ends[6] = { s.from.x, s.from.y, s.from.z, s.to.x, s.to.y, s.to.z };
    for (int axis = 0; axis < 6; ++axis)
    {
        self->ends[axis][i] = ends[axis];
    }
}

/// All kinds, and now and then one of no length, one with a number that is none, and one from the end of the
/// world.
static void fill_segments(const AbutShape* field, float iso, Batch* self)
{
    AbutFieldInfo info = abut_field_info(field);
    AbutVec3 low = abut_vec3((float)info.origin.x, (float)info.origin.y, (float)info.origin.z);
    float cell = (float)info.cell_size;
    AbutVec3 size = abut_vec3(cell * (float)info.cell_count[0], cell * (float)info.cell_count[1],
                              cell * (float)info.cell_count[2]);
    AbutBox box = abut_box(low, abut_vec3_add(low, size));
    TestRandom random = { 11 };
    for (int i = 0; i < SEGMENTS; ++i)
    {
        TestSegment s = test_make_segment(&random, (TestSegmentKind)(i % TEST_SEGMENT_KINDS),
                                          test_sampled_function(field), iso, box, info.cell_size);
        s.to = i % 50 == 7 ? s.from : s.to;
        s.to.y = i % 97 == 3 ? NAN : s.to.y;
        s.from.z = i % 89 == 5 ? INFINITY : s.from.z;
        s.from.x = i % 83 == 2 ? -3e38f : s.from.x;
        s.to.x = i % 79 == 2 ? 1e9f : s.to.x;
        set_segment(self, i, s);
    }
}

static void run(const AbutShape* field, AbutCastMethod method, float iso, const AbutHost* host, Batch* self)
{
    AbutCastSettings settings = abut_cast_settings();
    settings.method = method;
    settings.iso = iso;
    settings.host = host;
    memset(self->time, 0xFF, sizeof(self->time));
    memset(self->state, 0xFF, sizeof(self->state));
    test_assert_result(abut_cast_segments(field, &settings, segments_of(self, 0), SEGMENTS,
                                          (AbutCastHits){ self->time, self->state }),
                       ABUT_OK);
}

/// One call per segment, cell by cell.
static void run_slowly(const AbutShape* field, float iso, Batch* self)
{
    AbutCastSettings settings = abut_cast_settings();
    settings.method = ABUT_CAST_CELLS;
    settings.iso = iso;
    for (size_t i = 0; i < SEGMENTS; ++i)
    {
        test_assert_result(abut_cast_segments(field, &settings, segments_of(self, i), 1,
                                              (AbutCastHits){ self->time + i, self->state + i }),
                           ABUT_OK);
    }
}

static void check_same(const char* what)
{
    for (int i = 0; i < SEGMENTS; ++i)
    {
        if (batch.state[i] != expected.state[i] ||
            memcmp(&batch.time[i], &expected.time[i], sizeof(float)) != 0)
        {
            fail_msg("%s, segment %d (%s): %s at %.9g, cell by cell %s at %.9g", what, i,
                     test_segment_kind_names[i % TEST_SEGMENT_KINDS],
                     abut_cast_state_name((AbutCastState)batch.state[i]), (double)batch.time[i],
                     abut_cast_state_name((AbutCastState)expected.state[i]), (double)expected.time[i]);
        }
    }
}

static void check_counts(void)
{
    int counts[ABUT_CAST_STATE_COUNT] = { 0 };
    for (int i = 0; i < SEGMENTS; ++i)
    {
        assert_in_range(expected.state[i], 0, ABUT_CAST_STATE_COUNT - 1);
        ++counts[expected.state[i]];
    }
    assert_true(counts[ABUT_CAST_MISS] > SEGMENTS / 20);
    assert_true(counts[ABUT_CAST_HIT] > SEGMENTS / 20);
    assert_true(counts[ABUT_CAST_INSIDE] > 0);
    assert_true(counts[ABUT_CAST_INVALID] > 50);
    assert_int_equal(counts[ABUT_CAST_BUDGET], 0);
}

/// The field goes.
static void check_field(AbutShape* field, float iso)
{
    static const char* const sets[] = { "scalar", "sse2", "neon", "avx2" }; // the best last: it stays
    fill_segments(field, iso, &batch);
    expected = batch;
    run_slowly(field, iso, &expected);
    check_counts();
    for (int i = 0; i < 4; ++i)
    {
        if (abut_simd_force(sets[i]) == ABUT_OK)
        {
            run(field, ABUT_CAST_SPHERE_TRACING, iso, NULL, &batch);
            check_same(sets[i]);
        }
    }
    run(field, ABUT_CAST_PYRAMID, iso, NULL, &batch);
    check_same("pyramid");
    AbutHost host = abut_host_default();
    for (uint32_t count = 1; count <= 3; ++count)
    {
        AbutWorkers* workers = NULL;
        test_assert_result(abut_workers_create(count, NULL, &workers), ABUT_OK);
        host = abut_workers_host(workers);
        run(field, ABUT_CAST_SPHERE_TRACING, iso, &host, &batch);
        check_same("workers");
        abut_workers_destroy(workers);
    }
    abut_shape_destroy(field);
}

static AbutShape* bake(AbutFieldFormat format, bool sparse, uint32_t resolution, double far)
{
    TestRandom random = { 5 };
    AbutShape *ring = test_make_torus(0.7f, 0.25f), *some = test_make_random_solid(&random), *both = NULL,
              *field = NULL;
    AbutShape* both_shapes[2] = { ring, some };
    test_assert_result(abut_shape_create_union(both_shapes, 2, NULL, &both), ABUT_OK);
    AbutPose pose = abut_pose_at(far, -far, 0.0);
    both = test_transformed(both, &pose);
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = format;
    def.sparse = sparse;
    test_assert_result(abut_bake_shape(&def, both, &field), ABUT_OK);
    abut_shape_destroy(ring);
    abut_shape_destroy(some);
    abut_shape_destroy(both);
    return field;
}

static void test_dense_fields_have_the_same_hits_by_every_method(void** state)
{
    (void)state;
    check_field(bake(ABUT_FIELD_F32, false, 64, 0.0), 0.0f);
    check_field(bake(ABUT_FIELD_F32, false, 40, 20.0), 0.05f);
    check_field(bake(ABUT_FIELD_F16, false, 56, 0.0), -0.02f);
}

static void test_sparse_fields_have_the_same_hits_by_every_method(void** state)
{
    (void)state;
    check_field(bake(ABUT_FIELD_F32, true, 96, 0.0), 0.0f);
    check_field(bake(ABUT_FIELD_F16, true, 96, 0.0), 0.02f);
    check_field(bake(ABUT_FIELD_F16, true, 96, 3.0), -0.02f);
}

static void test_fields_of_order_1_have_the_same_hits_by_every_method(void** state)
{
    (void)state;
    check_field(bake(ABUT_FIELD_FIRST_ORDER, false, 32, 0.0), 0.0f);
    check_field(bake(ABUT_FIELD_FIRST_ORDER, true, 64, 0.0), 0.01f);
}

/// A ball that lacks a part of its skin: the sign is in doubt there, and the field jumps.
static AbutShape* bake_open_ball(bool sparse)
{
    TestSoup soup = { 0 }, open = { 0 };
    test_soup_sphere(&soup, 6);
    for (uint32_t i = 0; i < soup.vertex_count; ++i)
    {
        test_soup_vertex(&open, soup.vertices[i].x, soup.vertices[i].y, soup.vertices[i].z);
    }
    for (uint32_t i = 0; i < soup.triangle_count; ++i)
    {
        const uint32_t* t = soup.indices + 3 * i;
        if (!(soup.vertices[t[0]].x > 0.6f && soup.vertices[t[1]].x > 0.6f))
        {
            test_soup_triangle(&open, t[0], t[1], t[2]);
        }
    }
    AbutMesh* mesh = test_soup_mesh(&open, NULL);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 48;
    def.sparse = sparse;
    AbutShape* field = NULL;
    test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
    assert_true(abut_field_info(field).sign.uncertain_nodes > 0);
    abut_mesh_destroy(mesh);
    test_soup_free(&soup);
    test_soup_free(&open);
    return field;
}

static void test_fields_of_open_meshes_have_the_same_hits_by_every_method(void** state)
{
    (void)state;
    check_field(bake_open_ball(false), 0.0f);
    check_field(bake_open_ball(true), 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_fields_have_the_same_hits_by_every_method),
        cmocka_unit_test(test_sparse_fields_have_the_same_hits_by_every_method),
        cmocka_unit_test(test_fields_of_order_1_have_the_same_hits_by_every_method),
        cmocka_unit_test(test_fields_of_open_meshes_have_the_same_hits_by_every_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
