// Hulls, triangle meshes and everything that is made of them: shapes, trees, the laboratory, images,
// decompositions, worlds. Meshes are small, with corners on a coarse grid or hostile ones, closed or any
// soup. Methods that answer one question must agree.
//
// The first byte says which allocation fails (0: none); then two meshes and the poses of queries.
#include "api_fuzz.h"

enum
{
    VERTICES = 12,
    TRIANGLES = 24,
    QUERIES = 2,
    STEPS = 2,
    SHAPES = 4
};

typedef struct Case
{
    Bytes bytes;
    ApiHost host;
    AbutMesh* meshes[2];
    AbutShape* shapes[SHAPES]; // the hull and the solid of each mesh, where there is one
} Case;

// -----------------------------------------------------------------------------------------------------------
// Meshes and shapes
// -----------------------------------------------------------------------------------------------------------

/// Corners on a grid of five, so that they coincide, or any numbers.
static AbutVec3 read_corner(Bytes* bytes, bool is_on_grid)
{
    if (!is_on_grid)
    {
        return read_vector(bytes);
    }
    unsigned key = read_byte(bytes) % 125;
    return abut_vec3(0.5f * (float)(key % 5) - 1.0f, 0.5f * (float)(key / 5 % 5) - 1.0f,
                     0.5f * (float)(key / 25) - 1.0f);
}

/// An octahedron, so that closed meshes are not rare.
static const AbutVec3 closed_vertices[6] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                             { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
static const uint32_t closed_indices[24] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                             2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };

static AbutMesh* read_mesh(Case* c)
{
    AbutVec3 vertices[VERTICES];
    uint32_t indices[3 * TRIANGLES];
    unsigned options = read_byte(&c->bytes);
    bool is_closed = (options & 1u) != 0;
    AbutMeshDef def = abut_mesh_def();
    def.vertex_count = is_closed ? 6 : 1 + read_byte(&c->bytes) % VERTICES;
    def.triangle_count = is_closed ? 8 : read_byte(&c->bytes) % (TRIANGLES + 1);
    for (uint32_t i = 0; i < def.vertex_count; ++i)
    {
        AbutVec3 corner = read_corner(&c->bytes, (options & 2u) != 0);
        vertices[i] = is_closed ? abut_vec3_add(closed_vertices[i], abut_vec3_scale(corner, 0.4f)) : corner;
    }
    for (uint32_t i = 0; i < 3 * def.triangle_count; ++i)
    {
        indices[i] = is_closed ? closed_indices[i] : read_byte(&c->bytes) % def.vertex_count;
    }
    def.vertices = vertices;
    def.indices = indices;
    def.host = &c->host.memory.host;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_create(&def, &mesh);
    require((result == ABUT_OK) == (mesh != NULL), "a mesh without a result, or a result without a mesh");
    return mesh;
}

static void check_hull(const AbutMesh* mesh, const AbutHost* host)
{
    AbutHull* hull = NULL;
    if (abut_hull_create(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh), host, &hull) == ABUT_OK)
    {
        AbutHullInfo info = abut_hull_info(hull);
        require(info.vertex_count >= 1 && info.vertex_count <= abut_mesh_vertex_count(mesh),
                "a hull with other vertices than the points");
        require(info.dimension < 3 || info.vertex_count + info.face_count == info.edge_count + 2,
                "a hull that is not Euler's");
        require(abut_hull_farthest(hull, abut_vec3(1.0f, NAN, 0.0f)) < info.vertex_count, "a vertex of none");
    }
    abut_hull_destroy(hull, host);
}

static void create_shapes(Case* c)
{
    const AbutHost* host = &c->host.memory.host;
    for (int i = 0; i < 2; ++i)
    {
        const AbutMesh* mesh = c->meshes[i];
        if (mesh == NULL)
        {
            continue;
        }
        check_hull(mesh, host);
        AbutResult result = abut_shape_create_convex(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh),
                                                     host, &c->shapes[2 * i]);
        require((result == ABUT_OK) == (c->shapes[2 * i] != NULL), "a hull without a result");
        result = abut_shape_create_mesh(mesh, host, &c->shapes[2 * i + 1]);
        require((result == ABUT_OK) == (c->shapes[2 * i + 1] != NULL), "a solid without a result");
    }
}

// -----------------------------------------------------------------------------------------------------------
// Queries of two
// -----------------------------------------------------------------------------------------------------------

/// Every method that serves a pair: none may contradict another.
static void collide_shapes(Case* c, const AbutPose* pose)
{
    AbutShape* a = c->shapes[read_byte(&c->bytes) % SHAPES];
    AbutShape* b = c->shapes[read_byte(&c->bytes) % SHAPES];
    bool is_separated = false, is_contact = false;
    for (int method = 0; method < ABUT_COLLIDE_METHOD_COUNT && a != NULL && b != NULL; ++method)
    {
        AbutContact contacts[16];
        if (method != ABUT_COLLIDE_HULL) // seconds; fuzz_point_hull has hulls
        {
            abut_collide_prepare((AbutCollideMethod)method, a, b); // refused where it cannot serve
        }
        AbutCollideInput input = abut_collide_input(a, b);
        input.pose_b = *pose;
        input.settings.method = (AbutCollideMethod)method;
        input.settings.budget = 64;
        if (method != ABUT_COLLIDE_PARTICLES)
        {
            AbutCollideOutput output = abut_collide(&input, contacts, method % 2 == 0 ? 16 : 0);
            is_separated = is_separated || output.state == ABUT_COLLIDE_SEPARATED;
            is_contact = is_contact || output.state == ABUT_COLLIDE_CONTACT;
        }
    }
    require(!is_separated || !is_contact, "two methods contradict each other");
}

/// The laboratory of one kind against the product.
static void compare_laboratory(Case* c, const AbutPose* pose, AbutMeshTreePairs expected)
{
    AbutBvhDef def = abut_bvh_def();
    unsigned kind = read_byte(&c->bytes), traversal = read_byte(&c->bytes);
    def.volume = (AbutBvhVolume)(kind % ABUT_BVH_VOLUME_COUNT);
    def.axis = (AbutBvhAxis)(kind / 8 % ABUT_BVH_AXIS_COUNT);
    def.split = (AbutBvhSplit)(kind / 32 % ABUT_BVH_SPLIT_COUNT);
    def.children = 2u << traversal % 3;
    def.leaf_size = 1 + traversal / 4 % 8;
    def.host = &c->host.memory.host;
    AbutBvhPair pair = { .pose_a = abut_pose_identity(), .pose_b = *pose };
    AbutBvh* trees[2] = { NULL, NULL };
    if (abut_bvh_create(&def, c->meshes[0], &trees[0]) == ABUT_OK &&
        abut_bvh_create(&def, c->meshes[1], &trees[1]) == ABUT_OK)
    {
        AbutBvhTraversal how = abut_bvh_traversal();
        how.rule = (AbutBvhRule)(traversal / 32 % ABUT_BVH_RULE_COUNT);
        how.queue = (AbutBvhQueue)(traversal / 16 % ABUT_BVH_QUEUE_COUNT);
        how.leaf_test = (AbutBvhLeafTest)(traversal / 64 % ABUT_BVH_LEAF_TEST_COUNT);
        pair.a = trees[0];
        pair.b = trees[1];
        AbutBvhOutput output = abut_bvh_pairs(&pair, &how, NULL, 0);
        require(output.state == ABUT_MESH_TREE_INVALID || expected.state == ABUT_MESH_TREE_INVALID ||
                    output.pair_count == expected.pair_count,
                "a tree of the laboratory has other pairs");
    }
    abut_bvh_destroy(trees[0]);
    abut_bvh_destroy(trees[1]);
}

static void query_trees(Case* c, const AbutPose* pose)
{
    AbutMeshTree* trees[2] = { NULL, NULL };
    const AbutHost* host = &c->host.memory.host;
    if (abut_mesh_tree_create(c->meshes[0], host, &trees[0]) == ABUT_OK &&
        abut_mesh_tree_create(c->meshes[1], host, &trees[1]) == ABUT_OK)
    {
        AbutMeshTreePair pair = { trees[0], trees[1], abut_pose_identity(), *pose };
        AbutMeshTreeTouch touch = abut_mesh_tree_collide(&pair);
        AbutMeshTreePairs all = abut_mesh_tree_pairs(&pair, NULL, 0);
        AbutMeshTreeDistance distance = abut_mesh_tree_distance(&pair, INFINITY);
        AbutMeshTreeState within = abut_mesh_tree_within(&pair, (double)read_number(&c->bytes));
        require((unsigned)within < ABUT_MESH_TREE_STATE_COUNT, "a state of none");
        require(touch.state == ABUT_MESH_TREE_INVALID || all.state == ABUT_MESH_TREE_INVALID ||
                    touch.touching == (all.pair_count > 0),
                "touching, and no pair that touches");
        require(!(distance.state == ABUT_MESH_TREE_SEPARATED && touch.state == ABUT_MESH_TREE_CONTACT),
                "a distance of meshes in contact");
        abut_mesh_tree_self_pairs(trees[0], NULL, 0);
        compare_laboratory(c, pose, all);
        abut_mesh_tree_update(trees[0], abut_mesh_vertices(c->meshes[0]),
                              abut_mesh_vertex_count(c->meshes[0]), (double)read_size(&c->bytes), NULL);
    }
    abut_mesh_tree_destroy(trees[0]);
    abut_mesh_tree_destroy(trees[1]);
}

static void query_images(Case* c, const AbutPose* pose)
{
    const AbutMesh* meshes[2] = { c->meshes[0], c->meshes[1] };
    AbutImageSetDef def = abut_image_set_def();
    AbutImageSettings settings = abut_image_settings();
    AbutPose poses[2] = { abut_pose_identity(), *pose };
    AbutImageSet* set = NULL;
    def.meshes = meshes;
    def.mesh_count = 2;
    def.host = &c->host.memory.host;
    settings.resolution = 1 + read_byte(&c->bytes) % 64;
    settings.axes = 1 + read_byte(&c->bytes) % 7;
    settings.slabs = settings.resolution % 2 * 64;
    if (abut_image_set_create(&def, &set) == ABUT_OK)
    {
        AbutCullideOutput pairs;
        AbutCinderOutput state;
        abut_cullide(set, &settings, poses, &pairs);
        abut_cullide_self(set, &settings, 1, &pairs);
        abut_cinder(set, &settings, poses, 0, 1, &state);
    }
    abut_image_set_destroy(set);
}

static void query_pieces(Case* c, const AbutPose* pose)
{
    AbutDecomposeDef def = abut_decompose_def();
    AbutDecomposition* pieces[2] = { NULL, NULL };
    def.host = &c->host.memory.host;
    def.patch_error = read_size(&c->bytes);
    if (abut_decompose(&def, c->meshes[0], &pieces[0]) == ABUT_OK &&
        abut_decompose(&def, c->meshes[1], &pieces[1]) == ABUT_OK)
    {
        AbutSwiftInput input = abut_swift_input(pieces[0], pieces[1]);
        input.pose_b = *pose;
        AbutSwiftOutput output = abut_swift_query(&input);
        require((unsigned)output.state < ABUT_SWIFT_STATE_COUNT, "a state of none");
    }
    abut_decomposition_destroy(pieces[0]);
    abut_decomposition_destroy(pieces[1]);
}

// -----------------------------------------------------------------------------------------------------------
// Worlds
// -----------------------------------------------------------------------------------------------------------

static void step_world(Case* c)
{
    AbutWorld* world = NULL;
    AbutWorldDef def = abut_world_def();
    def.host = &c->host.memory.host;
    def.speculative.budget = 256;
    if (abut_world_create(&def, &world) != ABUT_OK)
    {
        return;
    }
    AbutBodyId ids[SHAPES];
    int count = 0;
    for (int i = 0; i < SHAPES; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = c->shapes[i];
        body.kind =
            i % 2 == 0 ? ABUT_BODY_DYNAMIC : ABUT_BODY_STATIC; // a soup is weighed by a bake, which is slow
        body.pose = read_pose(&c->bytes);
        count += body.shape != NULL && abut_body_create(world, &body, &ids[count]) == ABUT_OK ? 1 : 0;
    }
    for (int i = 0; i < STEPS && abut_world_step(world, 1.0f / 60.0f, NULL) == ABUT_OK; ++i)
    {
        for (int k = 0; k < count; ++k)
        {
            AbutBodyState state = abut_body_state(world, ids[k]);
            require(abut_pose_is_valid(&state.pose) && abut_vec3_is_finite(state.linear_velocity),
                    "a body that is not finite");
        }
    }
    abut_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    Case c = { .bytes = { data, size } };
    api_host_init(&c.host, (size_t)64 << 20, read_byte(&c.bytes));
    c.meshes[0] = read_mesh(&c);
    c.meshes[1] = read_mesh(&c);
    create_shapes(&c);
    for (int i = 0; i < QUERIES && c.bytes.left > 0; ++i)
    {
        AbutPose pose = read_pose(&c.bytes);
        collide_shapes(&c, &pose);
        if (c.meshes[0] != NULL && c.meshes[1] != NULL)
        {
            query_trees(&c, &pose);
            query_images(&c, &pose);
            query_pieces(&c, &pose);
        }
    }
    step_world(&c);
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(c.shapes[i]);
    }
    abut_mesh_destroy(c.meshes[0]);
    abut_mesh_destroy(c.meshes[1]);
    require(c.host.memory.live == 0, "memory is lost");
    return 0;
}
