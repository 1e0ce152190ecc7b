// Stops of the tour: meshes, images, points, bakes.
#include "support/tour/tour_mix.h"

#include <abut/models.h>

uint64_t tour_visit_generators(const Tour* tour)
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

uint64_t tour_visit_hulls(const Tour* tour)
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

uint64_t tour_visit_pieces(const Tour* tour)
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

uint64_t tour_visit_meshes(const Tour* tour)
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

uint64_t tour_visit_images(const Tour* tour)
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

uint64_t tour_visit_points(const Tour* tour)
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

uint64_t tour_visit_point_hull(const Tour* tour)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    def.error = 0.1f;
    def.host = tour->host;
    need(abut_point_hull_create(&def, tour->box, &hull));
    AbutPointHullData data = abut_point_hull_data(hull);
    uint64_t hash = abut_hash(data.radii, data.count * sizeof(float), abut_point_hull_info(hull).count);
    size_t size;
    const void* block = abut_point_hull_block(hull, &size);
    AbutPointHull* copy = NULL;
    AbutShape* box = NULL;
    need(abut_point_hull_create_from_block(block, size, NULL, NULL, &copy));
    need(abut_shape_create_transformed(tour->box, &(AbutPose){ .rotation = { 0, 0, 0, 1 }, .scale = 1 }, NULL,
                                       &box));
    need(abut_point_hull_attach(copy, box));
    hash = abut_hash(block, size, hash + (abut_point_hull_of(box) == copy));
    AbutCollideInput input = abut_collide_input(box, tour->box);
    AbutContact contacts[64];
    input.pose_b.position.x = 0.3;
    input.settings.method = ABUT_COLLIDE_HULL;
    AbutCollideOutput output = abut_collide(&input, contacts, 64);
    hash = abut_hash(contacts, output.contact_count * sizeof(contacts[0]), hash + output.contact_total);
    abut_shape_destroy(box);
    abut_point_hull_destroy(abut_point_hull_retain(copy));
    abut_point_hull_destroy(copy);
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

uint64_t tour_visit_bakes(const Tour* tour)
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
