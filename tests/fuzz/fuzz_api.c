// Sequences of calls of the public API: shapes, bakes, points, worlds, snapshots and queries, with numbers
// that are not finite, subnormal or huge, callbacks that are NaN or break their slope bound, and memory that
// ends. Whatever is accepted: bodies stay finite, states are those of the headers, nothing leaks, and each
// case ends soon.
//
// The first byte says which allocation fails (0: none); then each call is a byte and its arguments.
#include "api_queries.h"

static Liar liars[LIAR_COUNT];

static void keep_shape(Case* c, AbutResult result, AbutShape* shape)
{
    require((result == ABUT_OK) == (shape != NULL), "a shape without a result, or a result without a shape");
    if (shape != NULL)
    {
        AbutShape** slot = pick_shape(c);
        abut_shape_destroy(*slot);
        *slot = shape;
    }
}

static void create_primitive(Case* c)
{
    const AbutHost* host = &c->host.memory.host;
    AbutShape* shape = NULL;
    AbutResult result = ABUT_OK;
    unsigned kind = read_byte(&c->bytes) % 8;
    AbutVec3 v = read_vector(&c->bytes);
    switch (kind)
    {
    case 0:
        result = abut_shape_create_sphere(v.x, host, &shape);
        break;
    case 1:
        result = abut_shape_create_box(v, host, &shape);
        break;
    case 2:
        result = abut_shape_create_rounded_box(v, read_number(&c->bytes), host, &shape);
        break;
    case 3:
        result = abut_shape_create_capsule(v.x, v.y, host, &shape);
        break;
    case 4:
        result = abut_shape_create_cylinder(v.x, v.y, host, &shape);
        break;
    case 5:
        result = abut_shape_create_cone(v.x, v.y, v.z, host, &shape);
        break;
    case 6:
        result = abut_shape_create_torus(v.x, v.y, host, &shape);
        break;
    default:
        result = abut_shape_create_plane(v, read_number(&c->bytes), host, &shape);
        break;
    }
    keep_shape(c, result, shape);
}

static AbutResult combine(Case* c, AbutShape* a, AbutShape* b, AbutShape** out)
{
    const AbutHost* host = &c->host.memory.host;
    AbutShape* children[2] = { a, b };
    AbutPose pose;
    switch (read_byte(&c->bytes) % 8)
    {
    case 0:
        return abut_shape_create_union(children, 2, host, out);
    case 1:
        return abut_shape_create_intersection(children, 2, host, out);
    case 2:
        return abut_shape_create_difference(a, b, host, out);
    case 3:
        return abut_shape_create_smooth_union(a, b, read_number(&c->bytes), host, out);
    case 4:
        return abut_shape_create_offset(a, read_number(&c->bytes), host, out);
    case 5:
        return abut_shape_create_shell(a, read_number(&c->bytes), host, out);
    case 6:
        pose = read_pose(&c->bytes);
        return abut_shape_create_transformed(a, &pose, host, out);
    default:
        return abut_shape_create_corrected(a, read_number(&c->bytes), host, out);
    }
}

static void create_combination(Case* c)
{
    AbutShape *a = *pick_shape(c), *b = *pick_shape(c), *shape = NULL;
    if (a != NULL && b != NULL && abut_shape_info(a).bytes + abut_shape_info(b).bytes < (1u << 16))
    {
        AbutResult result = combine(c, a, b, &shape);
        keep_shape(c, result, shape);
    }
}

static void create_callback(Case* c)
{
    AbutCallbackDef def = abut_callback_def();
    unsigned options = read_byte(&c->bytes);
    def.function = sample_liar;
    def.user = &liars[options % LIAR_COUNT];
    def.has_gradient = (options & 8u) != 0;
    def.distance_kind = (AbutDistanceKind)(options >> 4 & 3u);
    def.bounds = abut_box(abut_vec3(-0.6f, -0.6f, -0.6f), abut_vec3(0.6f, 0.6f, 0.6f));
    if ((options & 64u) != 0)
    {
        def.bounds.min = read_vector(&c->bytes);
        def.bounds.max = read_vector(&c->bytes);
        def.lipschitz = read_number(&c->bytes);
        def.gradient_step = read_number(&c->bytes);
    }
    def.host = &c->host.memory.host;
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_callback(&def, &shape);
    keep_shape(c, result, shape);
}

static void create_heightfield(Case* c)
{
    float heights[9];
    for (int i = 0; i < 9; ++i)
    {
        heights[i] = read_number(&c->bytes);
    }
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = heights;
    def.x_count = def.z_count = 3;
    def.spacing = (double)read_number(&c->bytes);
    def.origin.y = (double)read_number(&c->bytes);
    def.band = read_number(&c->bytes);
    def.host = &c->host.memory.host;
    AbutShape* shape = NULL;
    AbutResult result = abut_shape_create_heightfield(&def, &shape);
    keep_shape(c, result, shape);
}

static void bake(Case* c)
{
    AbutShape *source = *pick_shape(c), *field = NULL;
    unsigned options = read_byte(&c->bytes);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 1 + options % 12;
    def.format = (AbutFieldFormat)(options >> 4 & 3u);
    def.sparse = (options & 64u) != 0;
    def.memory_limit = (size_t)8 << 20;
    def.host = &c->host.memory.host;
    if ((options & 128u) != 0)
    {
        def.box.min = read_vector(&c->bytes);
        def.box.max = read_vector(&c->bytes);
        def.margin = read_number(&c->bytes);
    }
    if (source != NULL && c->bakes++ < BAKE_LIMIT)
    {
        AbutResult result = abut_bake_shape(&def, source, &field);
        keep_shape(c, result, field);
    }
}

static void create_points(Case* c)
{
    const AbutShape* shape = *pick_shape(c);
    AbutPointsDef def = abut_points_def();
    def.count = 1 + read_byte(&c->bytes) % 48;
    def.relaxations = 1;
    def.host = &c->host.memory.host;
    AbutPointSet* points = NULL;
    if (shape != NULL && c->bakes++ < BAKE_LIMIT &&
        abut_points_create_from_shape(&def, shape, &points) == ABUT_OK)
    {
        abut_points_destroy(c->points);
        c->points = points;
    }
}

static void create_surface(Case* c)
{
    const AbutShape* shape = *pick_shape(c);
    AbutSurfaceDef def = abut_surface_def();
    def.cell_size = read_number(&c->bytes);
    def.iso = read_number(&c->bytes);
    def.box.min = read_vector(&c->bytes);
    def.box.max = abut_vec3_add(def.box.min, read_vector(&c->bytes));
    def.host = &c->host.memory.host;
    AbutVec3 extents = abut_box_extents(def.box);
    float most = fmaxf(extents.x, fmaxf(extents.y, extents.z));
    if (!(def.cell_size > most / 12.0f))
    {
        def.cell_size = most / 12.0f;
    }
    AbutMesh* mesh = NULL;
    if (shape != NULL && c->bakes++ < BAKE_LIMIT && abut_surface_create(&def, shape, &mesh) == ABUT_OK)
    {
        abut_mesh_mass(mesh);
    }
    abut_mesh_destroy(mesh);
}

// -----------------------------------------------------------------------------------------------------------
// Worlds
// -----------------------------------------------------------------------------------------------------------

static void create_world(Case* c)
{
    unsigned slot = read_byte(&c->bytes) % WORLDS, options = read_byte(&c->bytes);
    AbutWorldDef def = abut_world_def();
    def.response = (AbutResponse)(options & 1u);
    def.penalty.scheme = (AbutPenaltyScheme)(options >> 1 & 3u);
    def.penalty.point_count = 24;
    def.penalty.iteration_limit = 4;
    def.substep_count = 1 + (options >> 3 & 3u);
    def.broad = (AbutBroadMethod)(options >> 5 & 3u);
    def.body_limit = BODIES;
    def.speculative.budget = BUDGET;
    def.host = &c->host.memory.host;
    if ((options & 128u) != 0)
    {
        def.gravity = read_vector(&c->bytes);
        def.margin = read_number(&c->bytes);
        def.sleep_speed = read_number(&c->bytes);
        def.contact_frequency = read_number(&c->bytes);
        def.contact_damping_ratio = read_number(&c->bytes);
        def.max_depenetration_speed = read_number(&c->bytes);
        def.penalty.depth = read_number(&c->bytes);
    }
    AbutWorld* world = NULL;
    if (abut_world_create(&def, &world) == ABUT_OK)
    {
        abut_world_destroy(c->worlds[slot]);
        c->worlds[slot] = world;
        memset(c->bodies[slot], 0, sizeof(c->bodies[slot]));
    }
}

static AbutMaterial read_material(Bytes* bytes)
{
    AbutMaterial material = { .friction = read_size(bytes) };
    material.restitution = read_number(bytes);
    material.rolling_resistance = read_number(bytes);
    material.stiffness = read_number(bytes);
    material.damping = read_number(bytes);
    return material;
}

static void create_body(Case* c, unsigned world)
{
    unsigned slot = read_byte(&c->bytes) % BODIES, options = read_byte(&c->bytes);
    AbutBodyDef def = abut_body_def();
    def.shape = *pick_shape(c);
    def.kind = (AbutBodyKind)(options & 3u);
    def.pose = read_pose(&c->bytes);
    def.never_sleeps = (options & 4u) != 0;
    if ((options & 8u) != 0)
    {
        def.linear_velocity = read_vector(&c->bytes);
        def.angular_velocity = read_vector(&c->bytes);
    }
    if ((options & 16u) != 0)
    {
        def.density = read_number(&c->bytes);
        def.mass = read_number(&c->bytes);
    }
    if ((options & 32u) != 0)
    {
        def.material = read_material(&c->bytes);
    }
    if ((options & 64u) != 0)
    {
        def.locked = read_byte(&c->bytes) & 63u;
        def.group = read_byte(&c->bytes);
        def.mask = read_byte(&c->bytes);
    }
    def.points = (options & 128u) != 0 ? c->points : NULL;
    AbutBodyId id;
    if (abut_body_create(c->worlds[world], &def, &id) == ABUT_OK)
    {
        abut_body_destroy(c->worlds[world], c->bodies[world][slot]);
        c->bodies[world][slot] = id;
    }
}

static void check_world(const AbutWorld* world)
{
    AbutBodyId ids[BODIES];
    uint32_t count = abut_world_bodies(world, ids, BODIES);
    require(count <= BODIES, "more bodies than the limit");
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutBodyState s = abut_body_state(world, ids[i]);
        AbutQuat q = s.pose.rotation;
        require(abut_pose_is_valid(&s.pose), "a pose that is none");
        require(isfinite(s.center.x) && isfinite(s.center.y) && isfinite(s.center.z),
                "a centre of mass at infinity");
        require(abut_vec3_is_finite(s.linear_velocity), "a velocity that is not finite");
        require(abut_vec3_is_finite(s.angular_velocity), "an angular velocity that is not finite");
        require(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0f) < 1e-3f,
                "a rotation that is none");
    }
}

static void check_contacts(const AbutWorld* world)
{
    size_t count;
    const AbutWorldContact* contacts = abut_world_contacts(world, &count);
    for (size_t i = 0; i < count; ++i)
    {
        const AbutWorldContact* contact = &contacts[i];
        require(abut_body_is_valid(world, contact->a) && abut_body_is_valid(world, contact->b),
                "a contact of a body that is not there");
        require(abut_vec3_is_finite(contact->normal) && isfinite(contact->separation) &&
                    isfinite(contact->normal_impulse),
                "a contact that is not finite");
    }
    const AbutTouchEvent* events = abut_world_events(world, &count);
    for (size_t i = 0; i < count; ++i)
    {
        require((unsigned)events[i].change < ABUT_TOUCH_CHANGE_COUNT, "an event that is none");
    }
}

static void step(Case* c, unsigned world)
{
    float seconds = (read_byte(&c->bytes) & 3u) != 0 ? 1.0f / 60.0f : read_number(&c->bytes);
    AbutStepReport report;
    if (c->steps++ < STEP_LIMIT && abut_world_step(c->worlds[world], seconds, &report) == ABUT_OK)
    {
        require(isfinite(report.time) && report.max_penetration >= 0.0f, "a report that is not finite");
        require(!isnan(report.kinetic_energy) && !isnan(report.potential_energy),
                "an energy that is no number");
        check_world(c->worlds[world]);
        check_contacts(c->worlds[world]);
    }
}

static void change_body(Case* c, unsigned world)
{
    AbutWorld* w = c->worlds[world];
    AbutBodyId* id = &c->bodies[world][read_byte(&c->bytes) % BODIES];
    AbutVec3 u, v;
    AbutPose pose;
    AbutMaterial material;
    switch (read_byte(&c->bytes) % 6)
    {
    case 0:
        pose = read_pose(&c->bytes);
        abut_body_set_pose(w, *id, &pose);
        break;
    case 1:
        u = read_vector(&c->bytes);
        v = read_vector(&c->bytes);
        abut_body_set_velocity(w, *id, u, v);
        break;
    case 2:
        u = read_vector(&c->bytes);
        v = read_vector(&c->bytes);
        abut_body_apply_force(w, *id, u, v);
        break;
    case 3:
        material = read_material(&c->bytes);
        abut_body_set_material(w, *id, &material);
        break;
    case 4:
        abut_body_set_filter(w, *id, read_byte(&c->bytes), UINT32_MAX);
        break;
    default:
        abut_body_destroy(w, *id);
        break;
    }
    check_world(w);
}

static void save(Case* c, unsigned world)
{
    Snapshot* snapshot = &c->snapshots[read_byte(&c->bytes) % SNAPSHOTS];
    free(snapshot->data);
    snapshot->size = abut_world_snapshot_size(c->worlds[world]);
    snapshot->data = calloc(1, snapshot->size);
    require(snapshot->data != NULL, "no memory for a snapshot");
    require(abut_world_save(c->worlds[world], snapshot->data, snapshot->size) == ABUT_OK,
            "a snapshot cannot be saved");
}

/// Changes bytes, and mends the hash (bytes 8 to 15, of all after them) half of the time.
static void change_snapshot(Case* c)
{
    Snapshot* snapshot = &c->snapshots[read_byte(&c->bytes) % SNAPSHOTS];
    unsigned count = read_byte(&c->bytes) % 5;
    if (snapshot->size < 16)
    {
        return;
    }
    for (unsigned i = 0; i < count; ++i)
    {
        size_t at = read_byte(&c->bytes) << 8;
        at = (at | read_byte(&c->bytes)) % snapshot->size;
        snapshot->data[at] = (unsigned char)read_byte(&c->bytes);
    }
    if ((read_byte(&c->bytes) & 1u) != 0)
    {
        uint64_t hash = abut_hash(snapshot->data + 16, snapshot->size - 16, 0);
        memcpy(snapshot->data + 8, &hash, sizeof(hash));
    }
}

static void restore(Case* c, unsigned world)
{
    const Snapshot* snapshot = &c->snapshots[read_byte(&c->bytes) % SNAPSHOTS];
    unsigned cut = read_byte(&c->bytes);
    size_t size = cut < snapshot->size ? snapshot->size - cut : 0;
    uint64_t before = abut_world_hash(c->worlds[world]);
    if (abut_world_restore(c->worlds[world], snapshot->data, size) != ABUT_OK)
    {
        require(abut_world_hash(c->worlds[world]) == before, "a snapshot that is refused changes the world");
    }
    check_world(c->worlds[world]);
}

static void query_world(Case* c, unsigned world)
{
    const AbutWorld* w = c->worlds[world];
    AbutVec3 p = read_vector(&c->bytes);
    AbutPosition from = { (double)p.x, (double)p.y, (double)p.z };
    AbutRayInput ray = abut_ray_input(from, read_vector(&c->bytes));
    AbutRayOutput hit;
    ray.limit = read_number(&c->bytes);
    if (abut_world_cast_ray(w, &ray, &hit) == ABUT_OK)
    {
        require((unsigned)hit.state < ABUT_CAST_STATE_COUNT && !isnan(hit.time), "a ray without an answer");
    }
    const AbutShape* shape = *pick_shape(c);
    if (shape != NULL)
    {
        AbutOverlapInput input = abut_overlap_input(shape, read_pose(&c->bytes));
        AbutOverlap overlaps[BODIES];
        uint32_t count = 0;
        if (abut_world_overlap(w, &input, overlaps, BODIES, &count) == ABUT_OK)
        {
            require(count <= BODIES, "more overlaps than bodies");
        }
    }
    AbutNearestOutput nearest;
    if (abut_world_nearest(w, from, read_number(&c->bytes), UINT32_MAX, &nearest) == ABUT_OK && nearest.found)
    {
        require(!isnan(nearest.distance), "a distance that is no number");
    }
}

// -----------------------------------------------------------------------------------------------------------
// Cases
// -----------------------------------------------------------------------------------------------------------

static void call_world(Case* c, unsigned call)
{
    unsigned world = read_byte(&c->bytes) % WORLDS;
    static void (*const calls[])(Case*, unsigned) = { create_body, create_body, create_body, step,
                                                      step,        step,        change_body, save,
                                                      restore,     query_world };
    if (c->worlds[world] != NULL)
    {
        calls[call % (sizeof(calls) / sizeof(calls[0]))](c, world);
    }
}

static void call_one(Case* c)
{
    static void (*const calls[])(Case*) = { create_primitive,
                                            create_primitive,
                                            create_combination,
                                            create_callback,
                                            create_heightfield,
                                            bake,
                                            create_points,
                                            create_surface,
                                            create_world,
                                            change_snapshot,
                                            collide,
                                            measure_distance,
                                            sweep,
                                            query_segments,
                                            sample,
                                            collide_pairs };
    unsigned call = read_byte(&c->bytes);
    if (call < 16 * 8)
    {
        calls[call % 16](c);
    }
    else
    {
        call_world(c, call - 16 * 8);
    }
}

static void free_case(Case* c)
{
    for (int i = 0; i < SHAPES; ++i)
    {
        abut_shape_destroy(c->shapes[i]);
    }
    for (int i = 0; i < WORLDS; ++i)
    {
        abut_world_destroy(c->worlds[i]);
    }
    for (int i = 0; i < SNAPSHOTS; ++i)
    {
        free(c->snapshots[i].data);
    }
    abut_points_destroy(c->points);
    require(c->host.memory.live == 0, "memory is lost");
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static Case c;
    c = (Case){ .bytes = { data, size } };
    for (int i = 0; i < LIAR_COUNT; ++i)
    {
        liars[i] = (Liar)i;
    }
    api_host_init(&c.host, (size_t)64 << 20, read_byte(&c.bytes));
    if (abut_shape_create_sphere(0.5f, NULL, &c.shapes[0]) != ABUT_OK ||
        abut_shape_create_plane(abut_vec3(0, 1, 0), 0, NULL, &c.shapes[1]) != ABUT_OK)
    {
        return 0;
    }
    for (int i = 0; i < CALL_LIMIT && c.bytes.left > 0; ++i)
    {
        call_one(&c);
    }
    free_case(&c);
    return 0;
}
