#include "support/tour/tour_mix.h"

#include <abut/models.h>
#include <stdlib.h>
#include <string.h>

static void do_nothing(void)
{
}

void (*tour_before_call)(void) = do_nothing;
void (*tour_after_call)(void) = do_nothing;

static void sample_ball(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        float x = points.x[i], y = points.y[i] / 3.0f, z = points.z[i];
        out.distance[i] = sqrtf(x * x + y * y + z * z) - 0.4f;
    }
}

// -----------------------------------------------------------------------------------------------------------
// What the tour is about
// -----------------------------------------------------------------------------------------------------------

static void make_primitives(Tour* tour)
{
    need(abut_shape_create_sphere(0.3f, tour->host, &tour->ball));
    need(abut_shape_create_box(abut_vec3(0.3f, 0.2f, 0.25f), tour->host, &tour->box));
    need(abut_shape_create_torus(0.2f, 0.07f, tour->host, &tour->ring));
    need(abut_shape_create_plane(abut_vec3(0.1f, 1.0f, 0.2f), 0.1f, tour->host, &tour->plane));
    AbutCallbackDef callback = abut_callback_def();
    callback.function = sample_ball;
    callback.bounds = abut_box(abut_vec3(-0.4f, -1.2f, -0.4f), abut_vec3(0.4f, 1.2f, 0.4f));
    callback.host = tour->host;
    need(abut_shape_create_callback(&callback, &tour->callback));
}

static void make_solid(Tour* tour)
{
    AbutShape *a = NULL, *b = NULL, *c = NULL, *d = NULL;
    AbutPose pose = tilted(0.1, 0.2, 0.3);
    need(abut_shape_create_smooth_union(tour->ball, tour->box, 0.1f, tour->host, &a));
    need(abut_shape_create_transformed(tour->ring, &pose, tour->host, &b));
    need(abut_shape_create_difference(a, b, tour->host, &c));
    need(abut_shape_create_offset(c, 0.013f, tour->host, &d));
    AbutShape* children[2] = { d, tour->ring };
    need(abut_shape_create_union(children, 2, tour->host, &tour->solid));
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    abut_shape_destroy(c);
    abut_shape_destroy(d);
}

static void make_terrain(Tour* tour)
{
    enum
    {
        DIVISIONS = 16
    };
    float heights[(DIVISIONS + 1) * (DIVISIONS + 1)];
    AbutTerrainDef terrain = abut_terrain_def();
    terrain.size = 4.0f;
    terrain.height = 0.5f;
    terrain.divisions = DIVISIONS;
    terrain.host = tour->host;
    need(abut_terrain_heights(&terrain, heights));
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = def.z_count = DIVISIONS + 1;
    def.origin = (AbutPosition){ -2.0, 0.0, -2.0 };
    def.spacing = 0.25;
    def.host = tour->host;
    need(abut_shape_create_heightfield(&def, &tour->terrain));
}

static void bake_fields(Tour* tour)
{
    AbutTorusMeshDef ring = abut_torus_mesh_def();
    ring.major_radius = 0.2f;
    ring.minor_radius = 0.07f;
    ring.major_divisions = 24;
    ring.minor_divisions = 12;
    ring.host = tour->host;
    need(abut_mesh_create_torus(&ring, &tour->mesh));
    AbutBakeDef bake = abut_bake_def();
    bake.resolution = 16;
    bake.host = tour->host;
    need(abut_bake_mesh(&bake, tour->mesh, &tour->field));
    bake.sparse = true;
    bake.resolution = 24;
    bake.format = ABUT_FIELD_FIRST_ORDER;
    need(abut_bake_shape(&bake, tour->ring, &tour->sparse));
    AbutPointsDef points = abut_points_def();
    points.count = 60;
    points.host = tour->host;
    need(abut_points_create_from_shape(&points, tour->box, &tour->points));
}

void tour_begin(Tour* tour, const AbutHost* host)
{
    memset(tour, 0, sizeof(*tour));
    tour->host = host;
    make_primitives(tour);
    make_solid(tour);
    make_terrain(tour);
    bake_fields(tour);
    AbutShape* const shapes[] = { tour->ball,     tour->box,     tour->ring,  tour->plane,
                                  tour->callback, tour->terrain, tour->solid, tour->field };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
    {
        tour->made = mix_shape(tour->made, shapes[i]);
    }
    tour->made = mix_field(mix_field(tour->made, tour->field), tour->sparse);
    tour->made = mix_mesh(tour->made, tour->mesh);
    AbutPointData data = abut_points_data(tour->points);
    tour->made = abut_hash(data.positions.x, data.count * sizeof(float), tour->made);
}

void tour_end(Tour* tour)
{
    AbutShape* const shapes[] = { tour->ball,    tour->box,   tour->ring,  tour->plane, tour->callback,
                                  tour->terrain, tour->solid, tour->field, tour->sparse };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
    {
        abut_shape_destroy(shapes[i]);
    }
    abut_mesh_destroy(tour->mesh);
    abut_points_destroy(tour->points);
}

// -----------------------------------------------------------------------------------------------------------
// Vectors, shapes and fields
// -----------------------------------------------------------------------------------------------------------

static uint64_t visit_poses(const Tour* tour)
{
    (void)tour;
    uint64_t hash = 1;
    AbutPose a = tilted(0.1, 10.3, -7.0 / 3.0), b = abut_pose_at(1.0 / 3.0, 2.0, 0.7);
    b.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 3.0f), 0.7f);
    a.rotation = abut_quat_normalize(a.rotation);
    b.scale = 1.7f;
    hash = mix_pose(hash, a);
    hash = mix_pose(hash, abut_pose_multiply(&a, &b));
    hash = mix_pose(hash, abut_pose_relative(&a, &b));
    hash = mix_pose(hash, abut_pose_inverse(&b));
    b.rotation = abut_quat_multiply(a.rotation, b.rotation);
    hash = mix_pose(hash, b);
    AbutPosition p = abut_pose_transform_point(&b, abut_vec3(0.1f, 0.2f, 0.3f));
    hash = mix_vector(hash, abut_pose_inverse_transform_point(&b, p));
    hash = mix_vector(hash, abut_quat_rotate(b.rotation, abut_vec3(0.1f, 0.2f, 0.3f)));
    hash = mix_box(hash, abut_pose_transform_box(
                             &b, abut_box(abut_vec3(-1.0f, -0.1f, 0.0f), abut_vec3(1.0f, 0.1f, 0.3f))));
    double matrix[3][3];
    abut_quat_to_matrix(b.rotation, matrix);
    MIX(hash, matrix);
    MIX(hash, p.x);
    bool valid = abut_pose_is_valid(&b);
    MIX(hash, valid);
    AbutMotion motion = abut_motion_between(&a, &b);
    hash = mix_vector(hash, motion.angular);
    hash = mix_pose(hash, abut_motion_pose(&a, &motion, 0.3f));
    float travel = abut_motion_max_displacement(
        &a, &motion, abut_box(abut_vec3(-1.0f, -1.0f, -1.0f), abut_vec3(1.0f, 1.0f, 1.0f)));
    MIX(hash, travel);
    return hash;
}

static uint64_t visit_creations(const Tour* tour)
{
    uint64_t hash = 2;
    AbutShape* shape = NULL;
    AbutShape* pair[2] = { tour->ball, tour->ring };
    for (int i = 0; i < 7; ++i)
    {
        const AbutHost* host = tour->host;
        AbutResult result =
            i == 0   ? abut_shape_create_rounded_box(abut_vec3(0.3f, 0.2f, 0.1f), 0.03f, host, &shape)
            : i == 1 ? abut_shape_create_capsule(0.1f, 0.3f, host, &shape)
            : i == 2 ? abut_shape_create_cylinder(0.1f, 0.3f, host, &shape)
            : i == 3 ? abut_shape_create_cone(0.1f, 0.03f, 0.3f, host, &shape)
            : i == 4 ? abut_shape_create_intersection(pair, 2, host, &shape)
            : i == 5 ? abut_shape_create_shell(tour->ring, 0.013f, host, &shape)
                     : abut_shape_create_corrected(tour->solid, 1.3f, host, &shape);
        need(result);
        AbutVec3 gradient;
        float distance = abut_shape_distance(shape, abut_vec3(0.1f, 0.02f, 0.3f), &gradient);
        MIX(hash, distance);
        hash = mix_vector(mix_shape(hash, shape), gradient);
        abut_shape_destroy(shape);
    }
    return hash;
}

static uint64_t visit_samples(const Tour* tour)
{
    enum
    {
        COUNT = 300
    };
    AbutShape* const shapes[] = { tour->ball,    tour->box,   tour->ring,  tour->plane, tour->callback,
                                  tour->terrain, tour->solid, tour->field, tour->sparse };
    float points[3][COUNT], out[4][COUNT];
    uint64_t hash = 3;
    for (int i = 0; i < COUNT; ++i)
    {
        points[0][i] = 0.001f * (float)(i - 150);
        points[1][i] = 0.0007f * (float)(i % 71);
        points[2][i] = 0.003f * (float)(i % 37) - 1e-40f;
    }
    AbutPoints at = { points[0], points[1], points[2] };
    AbutSamples samples = { out[0], out[1], out[2], out[3] };
    AbutPose pose = tilted(0.01, 0.02, 0.03);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
    {
        abut_shape_sample(shapes[i], &pose, at, COUNT, samples);
        MIX(hash, out);
        abut_shape_sample_parallel(shapes[i], &pose, at, COUNT, samples, tour->host);
        MIX(hash, out);
        float d = abut_shape_distance_at(shapes[i], &pose, (AbutPosition){ 0.1, 0.2, 1.0 / 3.0 }, NULL);
        MIX(hash, d);
        float slope;
        AbutBox box = abut_box(abut_vec3(-0.3f, -0.3f, -0.3f), abut_vec3(0.3f, 0.31f, 0.3f));
        need(abut_shape_measure_slope(shapes[i], box, 3, &slope));
        MIX(hash, slope);
    }
    return hash;
}

static uint64_t visit_fields(const Tour* tour)
{
    uint64_t hash = 4;
    const AbutShape* const fields[2] = { tour->field, tour->sparse };
    for (int i = 0; i < 2; ++i)
    {
        AbutDistanceBounds point = abut_field_point_bounds(fields[i], abut_vec3(0.21f, 0.03f, 0.01f));
        AbutDistanceBounds box = abut_field_box_bounds(
            fields[i], abut_box(abut_vec3(0.1f, 0.0f, 0.0f), abut_vec3(0.21f, 0.03f, 0.01f)));
        MIX(hash, point.low);
        MIX(hash, point.high);
        MIX(hash, box.low);
        MIX(hash, box.high);
        const uint32_t begin[3] = { 3, 1, 2 }, count[3] = { 3, 2, 4 };
        float nodes[24];
        abut_field_read_nodes(fields[i], begin, count, nodes);
        MIX(hash, nodes);
        AbutFieldDataDef def = abut_field_data_def();
        AbutShape* copy = NULL;
        def.data = (void*)(uintptr_t)abut_field_data(fields[i], &def.size);
        def.host = tour->host;
        need(abut_field_create_from_data(&def, &copy));
        hash = mix_shape(hash, copy);
        abut_shape_destroy(copy);
    }
    return hash;
}

const TourStop tour_stops[] = {
    { "poses", visit_poses },
    { "creations", visit_creations },
    { "samples", visit_samples },
    { "fields", visit_fields },
    { "generators", tour_visit_generators },
    { "hulls", tour_visit_hulls },
    { "pieces", tour_visit_pieces },
    { "meshes", tour_visit_meshes },
    { "images", tour_visit_images },
    { "points", tour_visit_points },
    { "point hull", tour_visit_point_hull },
    { "bakes", tour_visit_bakes },
    { "collide", tour_visit_collisions },
    { "distance", tour_visit_distances },
    { "sweep", tour_visit_sweeps },
    { "segments", tour_visit_segments },
    { "pairs", tour_visit_pairs },
    { "broad", tour_visit_broad },
    { "impulses", tour_visit_impulses },
    { "springs", tour_visit_springs },
    { "delayed springs", tour_visit_delayed_springs },
    { "plates", tour_visit_plates },
    { "mesh trees", tour_visit_mesh_trees },
    { NULL, NULL },
};
