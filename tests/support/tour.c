#include "support/tour_calls.h"

#include <abut/models.h>
#include <stdlib.h>
#include <string.h>

static void do_nothing(void)
{
}

void (*tour_before_call)(void) = do_nothing;
void (*tour_after_call)(void) = do_nothing;

/// Hashes values; not structures, whose padding is anything.
#define MIX(hash, value) ((hash) = abut_hash(&(value), sizeof(value), (hash)))

static void need(AbutResult result)
{
    test_assert_result(result, ABUT_OK);
}

static uint64_t mix_vector(uint64_t hash, AbutVec3 v)
{
    const float numbers[3] = { v.x, v.y, v.z };
    return abut_hash(numbers, sizeof(numbers), hash);
}

static uint64_t mix_pose(uint64_t hash, AbutPose p)
{
    const double at[3] = { p.position.x, p.position.y, p.position.z };
    const float numbers[5] = { p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w, p.scale };
    return abut_hash(numbers, sizeof(numbers), abut_hash(at, sizeof(at), hash));
}

static uint64_t mix_box(uint64_t hash, AbutBox box)
{
    return mix_vector(mix_vector(hash, box.min), box.max);
}

static uint64_t mix_mesh(uint64_t hash, AbutMesh* mesh)
{
    hash = abut_hash(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3), hash);
    AbutMassData mass = abut_mesh_mass(mesh);
    MIX(hash, mass.volume);
    MIX(hash, mass.inertia);
    return mix_box(hash, abut_mesh_bounds(mesh));
}

/// The mesh goes.
static uint64_t take_mesh(uint64_t hash, AbutResult result, AbutMesh** mesh)
{
    need(result);
    hash = mix_mesh(hash, *mesh);
    abut_mesh_destroy(*mesh);
    *mesh = NULL;
    return hash;
}

static uint64_t mix_field(uint64_t hash, const AbutShape* field)
{
    size_t size;
    const void* data = abut_field_data(field, &size);
    return abut_hash(data, size, hash);
}

static uint64_t mix_shape(uint64_t hash, const AbutShape* shape)
{
    AbutShapeInfo info = abut_shape_info(shape);
    MIX(hash, info.lipschitz);
    MIX(hash, info.error);
    return mix_box(hash, info.bounds);
}

static void sample_ball(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        float x = points.x[i], y = points.y[i] / 3.0f, z = points.z[i];
        out.distance[i] = sqrtf(x * x + y * y + z * z) - 0.4f;
    }
}

static AbutPose tilted(double x, double y, double z)
{
    AbutPose pose = abut_pose_at(x, y, z);
    pose.rotation = (AbutQuat){ 0.1f, 0.7f, 0.1f, 0.7f };
    return pose;
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

// -----------------------------------------------------------------------------------------------------------
// Meshes, bakes, points
// -----------------------------------------------------------------------------------------------------------

static uint64_t visit_generators(const Tour* tour)
{
    uint64_t hash = 5;
    const AbutHost* host = tour->host;
    AbutMesh* mesh = NULL;
    const float profile[4][2] = { { 0.0f, 0.0f }, { 0.3f, 0.1f }, { 0.2f, 0.4f }, { 0.0f, 0.5f } };
    hash = take_mesh(hash, abut_mesh_create_sphere(0.3f, 5, host, &mesh), &mesh);
    hash = take_mesh(hash, abut_mesh_create_box(abut_vec3(0.3f, 0.1f, 0.2f), 3, host, &mesh), &mesh);
    hash = take_mesh(hash, abut_mesh_create_capsule(0.1f, 0.3f, 9, host, &mesh), &mesh);
    hash = take_mesh(hash, abut_mesh_create_revolution(profile, 4, 9, host, &mesh), &mesh);
    hash = take_mesh(hash, abut_mesh_create_bowl(0.3f, 0.03f, 12, host, &mesh), &mesh);
    hash = take_mesh(hash, abut_mesh_create_chain_link(0.3f, 0.2f, 0.05f, 8, host, &mesh), &mesh);
    AbutPipeMeshDef pipe = abut_pipe_mesh_def();
    pipe.host = host;
    hash = take_mesh(hash, abut_mesh_create_pipe(&pipe, &mesh), &mesh);
    AbutTerrainDef terrain = abut_terrain_def();
    terrain.divisions = 9;
    terrain.host = host;
    hash = take_mesh(hash, abut_mesh_create_terrain(&terrain, &mesh), &mesh);
    AbutGearMeshDef gear = abut_gear_mesh_def();
    gear.host = host;
    hash = take_mesh(hash, abut_mesh_create_gear(&gear, &mesh), &mesh);
    AbutThreadMeshDef thread = abut_thread_mesh_def();
    thread.divisions_per_turn = 16;
    thread.host = host;
    hash = take_mesh(hash, abut_mesh_create_bolt(&thread, &mesh), &mesh);
    return take_mesh(hash, abut_mesh_create_nut(&thread, &mesh), &mesh);
}

static uint64_t mix_hull(uint64_t hash, const AbutHull* hull)
{
    AbutHullInfo info = abut_hull_info(hull);
    uint32_t vertices[8] = { 0 };
    for (uint32_t i = 0; i < info.face_count; ++i)
    {
        uint32_t count = abut_hull_face_vertices(hull, i, vertices, 8);
        hash = mix_vector(hash, abut_hull_face_normal(hull, i));
        MIX(hash, count);
        MIX(hash, vertices);
    }
    uint32_t farthest = abut_hull_farthest(hull, abut_vec3(0.3f, -0.2f, 0.1f));
    MIX(hash, farthest);
    return abut_hash(abut_hull_points(hull), info.vertex_count * sizeof(AbutVec3),
                     mix_box(hash, info.bounds));
}

static uint64_t visit_hulls(const Tour* tour)
{
    AbutHull* hull = NULL;
    need(abut_hull_create(abut_mesh_vertices(tour->mesh), abut_mesh_vertex_count(tour->mesh), tour->host,
                          &hull));
    uint64_t hash = mix_hull(15, hull);
    AbutShape* shape = NULL;
    AbutVec3 gradient;
    need(abut_shape_create_convex(abut_hull_points(hull), abut_hull_info(hull).vertex_count, tour->host,
                                  &shape));
    hash = mix_hull(hash, abut_shape_hull(shape));
    float distance = abut_shape_distance(shape, abut_vec3(0.3f, 0.4f, -0.1f), &gradient);
    MIX(hash, distance);
    hash = mix_vector(hash, gradient);
    AbutConvexInput convex = abut_convex_input(shape, shape);
    convex.pose_b.position.x = 0.1;
    convex.work = ABUT_CONVEX_DEPTH;
    AbutConvexOutput output = abut_convex(&convex);
    MIX(hash, output.separation);
    hash = mix_vector(hash, output.normal);
    AbutContact contacts[8];
    AbutCollideInput collide = abut_collide_input(shape, shape);
    collide.pose_b = convex.pose_b;
    uint32_t contact_count = abut_collide(&collide, contacts, 8).contact_count;
    MIX(hash, contact_count);
    abut_shape_destroy(shape);
    abut_hull_destroy(hull, tour->host);
    return hash;
}

static uint64_t visit_pieces(const Tour* tour)
{
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* decomposition = NULL;
    def.host = tour->host;
    need(abut_decompose(&def, tour->mesh, &decomposition));
    uint32_t nodes[4];
    uint32_t count = abut_decomposition_cut(decomposition, 4, 0.0f, nodes, 4);
    AbutDecompositionError error;
    need(abut_decomposition_measure(decomposition, nodes, count, 100, &error));
    uint64_t hash = mix_mesh(17, (AbutMesh*)abut_decomposition_mesh(decomposition));
    MIX(hash, error.outside_volume);
    MIX(hash, error.distance_bound);
    for (uint32_t i = 0; i < abut_decomposition_node_count(decomposition); ++i)
    {
        AbutDecompositionNode node = abut_decomposition_node(decomposition, i);
        MIX(hash, node.concavity);
        MIX(hash, node.children);
    }
    AbutSwiftInput swift = abut_swift_input(decomposition, decomposition);
    swift.pose_b = tilted(0.1, 3.0, 0.2);
    AbutSwiftOutput distance = abut_swift_query(&swift);
    MIX(hash, distance.low);
    MIX(hash, distance.high);
    abut_decomposition_destroy(decomposition);
    return hash;
}

static uint64_t visit_meshes(const Tour* tour)
{
    uint64_t hash = 6;
    AbutMeshDef def = abut_mesh_def();
    def.vertices = abut_mesh_vertices(tour->mesh);
    def.vertex_count = abut_mesh_vertex_count(tour->mesh);
    def.indices = abut_mesh_indices(tour->mesh);
    def.triangle_count = abut_mesh_triangle_count(tour->mesh) - 2; // with a hole
    def.host = tour->host;
    AbutMesh *open = NULL, *mesh = NULL;
    need(abut_mesh_create(&def, &open));
    hash = take_mesh(hash, abut_mesh_weld(open, 0.001f, tour->host, &mesh), &mesh);
    AbutMeshInspectDef inspect = abut_mesh_inspect_def();
    AbutMeshReport report;
    inspect.host = tour->host;
    need(abut_mesh_inspect(&inspect, open, &report));
    MIX(hash, report.boundary_edge_count);
    AbutMeshCloseDef close = abut_mesh_close_def();
    AbutMeshCloseReport closed;
    close.host = tour->host;
    hash = take_mesh(hash, abut_mesh_close(&close, open, &mesh, &closed), &mesh);
    MIX(hash, closed.area);
    abut_mesh_destroy(open);
    AbutSurfaceDef surface = abut_surface_def();
    surface.host = tour->host;
    surface.cell_size = 0.05f;
    return take_mesh(hash, abut_surface_create(&surface, tour->solid, &mesh), &mesh);
}

static uint64_t mix_points(uint64_t hash, AbutResult result, AbutPointSet* points)
{
    need(result);
    AbutPointData data = abut_points_data(points);
    AbutPointsInfo info = abut_points_info(points);
    hash = abut_hash(data.positions.y, data.count * sizeof(float), hash);
    MIX(hash, info.spacing);
    MIX(hash, info.min_distance);
    abut_points_destroy(points);
    return hash;
}

static uint64_t visit_images(const Tour* tour)
{
    uint64_t hash = 21;
    const AbutMesh* meshes[2] = { tour->mesh, tour->mesh };
    const AbutPose poses[2] = { abut_pose_identity(), abut_pose_at(0.1, 0.05, 0.02) };
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = meshes;
    def.mesh_count = 2;
    def.host = tour->host;
    AbutImageSet* set = NULL;
    need(abut_image_set_create(&def, &set));
    AbutImageSettings settings = abut_image_settings();
    AbutCullideOutput out;
    need(abut_cullide(set, &settings, poses, &out));
    hash = abut_hash(out.pairs, out.pair_count * sizeof(AbutImagePair), hash);
    MIX(hash, out.uncertainty);
    need(abut_cullide_self(set, &settings, 1, &out));
    MIX(hash, out.pair_count);
    AbutCinderOutput cinder;
    need(abut_cinder(set, &settings, poses, 0, 1, &cinder));
    MIX(hash, cinder.state);
    MIX(hash, cinder.triangle);
    float nearest[16 * 16], farthest[16 * 16];
    AbutImageDrawing drawing = { 1, abut_mesh_bounds(tour->mesh), nearest, farthest };
    settings.resolution = 16;
    need(abut_image_draw(set, &settings, poses, &drawing));
    hash = abut_hash(nearest, sizeof(nearest), hash);
    abut_image_set_destroy(set);
    return hash;
}

static uint64_t visit_points(const Tour* tour)
{
    const float positions[6] = { 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f },
                normals[6] = { 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f };
    AbutPointsDef def = abut_points_def();
    AbutPointSet* points = NULL;
    def.count = 50;
    def.host = tour->host;
    AbutResult result = abut_points_create_from_mesh(&def, tour->mesh, &points);
    uint64_t hash = mix_points(7, result, points);
    result = abut_points_create_from_shape(&def, tour->field, &points);
    hash = mix_points(hash, result, points);
    result = abut_points_create_from_vertices(tour->mesh, tour->host, &points);
    hash = mix_points(hash, result, points);
    result = abut_points_create(positions, normals, 2, tour->host, &points);
    return mix_points(hash, result, points);
}

static uint64_t visit_point_hull(const Tour* tour)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = 0.1f;
    def.host = tour->host;
    need(abut_point_hull_create(&def, tour->box, &hull));
    AbutPointHullData data = abut_point_hull_data(hull);
    uint64_t hash = abut_hash(data.radii, data.count * sizeof(float), abut_point_hull_info(hull).count);
    abut_point_hull_destroy(abut_point_hull_retain(hull));
    abut_point_hull_destroy(hull);
    return hash;
}

static uint64_t take_field(uint64_t hash, AbutResult result, AbutShape* field)
{
    need(result);
    hash = mix_field(hash, field);
    abut_shape_destroy(field);
    return hash;
}

static uint64_t visit_bakes(const Tour* tour)
{
    AbutBakeDef def = abut_bake_def();
    AbutBakeEstimate estimate;
    AbutShape* field = NULL;
    def.resolution = 16;
    def.host = tour->host;
    AbutResult result = abut_bake_mesh(&def, tour->mesh, &field);
    uint64_t hash = take_field(8, result, field);
    need(abut_bake_estimate_mesh(&def, tour->mesh, &estimate));
    MIX(hash, estimate.cell_size);
    need(abut_bake_estimate(&def, abut_mesh_bounds(tour->mesh), &estimate));
    MIX(hash, estimate.cell_count);
    AbutBakeUpdate report;
    AbutBakeMeshChange change = { tour->field, tour->mesh, tour->mesh };
    result = abut_bake_update_mesh(&def, &change, &report, &field);
    hash = take_field(hash, result, field);
    AbutBakeDef sparse = def;
    sparse.sparse = true;
    sparse.resolution = 24;
    sparse.format = ABUT_FIELD_FIRST_ORDER;
    const AbutShape* operands[1] = { tour->ring };
    AbutBakeShapeChange shapes = { tour->sparse, tour->ring, operands, 1 };
    result = abut_bake_update_shape(&sparse, &shapes, &report, &field);
    hash = take_field(hash, result, field);
    float distances[5 * 5 * 5];
    AbutBakeDistancesDef grid = abut_bake_distances_def();
    grid.origin = (AbutPosition){ -0.3, -0.1, -0.3 };
    grid.cell_size = 0.1;
    grid.node_count[0] = grid.node_count[1] = grid.node_count[2] = 5;
    grid.host = tour->host;
    need(abut_bake_distances(&grid, tour->mesh, distances));
    MIX(hash, distances);
    AbutBakeValuesDef values = abut_bake_values_def();
    values.values = distances;
    values.node_count[0] = values.node_count[1] = values.node_count[2] = 5;
    values.cell_size = 0.1;
    values.error = 0.01f;
    values.host = tour->host;
    result = abut_bake_values(&values, &field);
    return take_field(hash, result, field);
}

// -----------------------------------------------------------------------------------------------------------
// Pairs and motions
// -----------------------------------------------------------------------------------------------------------

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

static uint64_t visit_collisions(const Tour* tour)
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
        AbutCollideMethod chosen = abut_collide_method_of(a, b);
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

static uint64_t visit_distances(const Tour* tour)
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

static uint64_t visit_sweeps(const Tour* tour)
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

static uint64_t visit_segments(const Tour* tour)
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

static uint64_t visit_pairs(const Tour* tour)
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

static uint64_t visit_broad(const Tour* tour)
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

// -----------------------------------------------------------------------------------------------------------
// Worlds
// -----------------------------------------------------------------------------------------------------------

static void fill_world(const Tour* tour, AbutWorld* world, AbutBodyId* last)
{
    AbutShape* const shapes[] = { tour->box, tour->ring, tour->sparse, tour->field, tour->ball };
    AbutBodyDef def = abut_body_def();
    def.kind = ABUT_BODY_STATIC;
    def.shape = tour->plane;
    need(abut_body_create(world, &def, last));
    def.kind = ABUT_BODY_KINEMATIC;
    def.shape = tour->box;
    def.pose = tilted(0.5, 0.2, 0.0);
    def.angular_velocity = abut_vec3(0.0f, 1.0f, 0.3f);
    need(abut_body_create(world, &def, last));
    def.kind = ABUT_BODY_DYNAMIC;
    for (int i = 0; i < 6; ++i)
    {
        def.shape = shapes[i % 5];
        def.material.restitution = i % 3 == 0 ? 0.3f : 0.0f;
        def.pose = tilted(0.07 * (i % 3), 0.35 + 0.22 * i, 0.04 * (i % 2));
        need(abut_body_create(world, &def, last));
    }
}

static uint64_t mix_world(uint64_t hash, const AbutWorld* world, AbutBodyId body,
                          const AbutStepReport* report)
{
    uint64_t own = abut_world_hash(world);
    AbutBodyState state = abut_body_state(world, body);
    MIX(hash, own);
    hash = mix_vector(mix_pose(hash, state.pose), state.linear_velocity);
    MIX(hash, report->kinetic_energy);
    MIX(hash, report->max_penetration);
    return hash;
}

static uint64_t ask_world(const Tour* tour, const AbutWorld* world, uint64_t hash)
{
    AbutRayInput ray = abut_ray_input((AbutPosition){ 0.1, 3.0, 0.05 }, abut_vec3(0.01f, -1.0f, 0.0f));
    AbutRayOutput hit;
    need(abut_world_cast_ray(world, &ray, &hit));
    MIX(hash, hit.time);
    hash = mix_vector(hash, hit.normal);
    AbutOverlapInput overlap = abut_overlap_input(tour->sparse, tilted(0.1, 0.4, 0.0));
    AbutOverlap overlaps[16];
    uint32_t count;
    need(abut_world_overlap(world, &overlap, overlaps, 16, &count));
    MIX(hash, count);
    AbutNearestOutput min_distance;
    need(abut_world_nearest(world, (AbutPosition){ 0.3, 0.7, 0.2 }, 3.0f, UINT32_MAX, &min_distance));
    MIX(hash, min_distance.distance);
    return mix_vector(hash, min_distance.normal);
}

static uint64_t run_world(const Tour* tour, AbutResponse response, AbutPenaltyScheme scheme)
{
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = NULL;
    AbutBodyId body;
    AbutStepReport report;
    uint64_t hash = 15;
    def.response = response;
    def.penalty.scheme = scheme;
    def.penalty.point_count = 40;
    def.host = tour->host;
    need(abut_world_create(&def, &world));
    fill_world(tour, world, &body);
    AbutPose pose = tilted(0.1, 2.5, 0.1);
    AbutMaterial material = { .friction = 0.3f };
    need(abut_body_set_pose(world, body, &pose));
    need(abut_body_set_velocity(world, body, abut_vec3(0.1f, -3.0f, 0.0f), abut_vec3(0.3f, 0.1f, 7.0f)));
    need(abut_body_set_material(world, body, &material));
    size_t size = 0;
    unsigned char* data = NULL;
    for (int i = 0; i < 8; ++i)
    {
        need(abut_body_apply_force(world, body, abut_vec3(0.1f, 0.3f, 0.0f), abut_vec3(0.01f, 0.0f, 0.0f)));
        need(abut_world_step(world, 1.0f / 60.0f, &report));
        hash = mix_world(hash, world, body, &report);
        if (i == 5)
        {
            size = abut_world_snapshot_size(world);
            data = malloc(size);
            assert_non_null(data);
            need(abut_world_save(world, data, size));
        }
    }
    hash = ask_world(tour, world, hash);
    need(abut_world_restore(world, data, size));
    hash = mix_world(hash, world, body, &report);
    free(data);
    abut_world_destroy(world);
    return hash;
}

static uint64_t visit_impulses(const Tour* tour)
{
    return run_world(tour, ABUT_RESPONSE_IMPULSE, ABUT_PENALTY_BALANCED);
}

static uint64_t visit_springs(const Tour* tour)
{
    return run_world(tour, ABUT_RESPONSE_PENALTY, ABUT_PENALTY_BALANCED);
}

static uint64_t visit_delayed_springs(const Tour* tour)
{
    return run_world(tour, ABUT_RESPONSE_PENALTY, ABUT_PENALTY_DELAYED);
}

/// Plates that meet fast are looked after all along their ways.
static uint64_t visit_plates(const Tour* tour)
{
    AbutWorldDef def = abut_world_def();
    AbutWorld* world = NULL;
    AbutShape* plate = NULL;
    uint64_t hash = 16;
    def.host = tour->host;
    need(abut_world_create(&def, &world));
    need(abut_shape_create_box(abut_vec3(0.4f, 0.004f, 0.3f), tour->host, &plate));
    AbutBodyDef body = abut_body_def();
    AbutBodyId id = { 0, 0 };
    body.shape = plate;
    for (int i = 0; i < 4; ++i)
    {
        body.pose = tilted(0.02 * i, 0.25 * i, 0.01 * i);
        body.linear_velocity = abut_vec3(0.0f, i % 2 == 0 ? 15.0f : -15.0f, 0.0f);
        body.angular_velocity = abut_vec3((float)i, 9.0f, 20.0f);
        need(abut_body_create(world, &body, &id));
    }
    for (int i = 0; i < 4; ++i)
    {
        AbutStepReport report;
        need(abut_world_step(world, 1.0f / 60.0f, &report));
        hash = mix_world(hash, world, id, &report);
    }
    abut_shape_destroy(plate);
    abut_world_destroy(world);
    return hash;
}

const TourStop tour_stops[] = {
    { "poses", visit_poses },
    { "creations", visit_creations },
    { "samples", visit_samples },
    { "fields", visit_fields },
    { "generators", visit_generators },
    { "hulls", visit_hulls },
    { "pieces", visit_pieces },
    { "meshes", visit_meshes },
    { "images", visit_images },
    { "points", visit_points },
    { "point hull", visit_point_hull },
    { "bakes", visit_bakes },
    { "collide", visit_collisions },
    { "distance", visit_distances },
    { "sweep", visit_sweeps },
    { "segments", visit_segments },
    { "pairs", visit_pairs },
    { "broad", visit_broad },
    { "impulses", visit_impulses },
    { "springs", visit_springs },
    { "delayed springs", visit_delayed_springs },
    { "plates", visit_plates },
    { "mesh trees", tour_visit_mesh_trees },
    { NULL, NULL },
};
