// Scenes for bench krayer.
#include "krayer_scenes.h"

#include "bake_cases.h"

#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    OBJECT_COUNT = 400,
    BOWL_BALLS = 120,
    MOST_DROP_STEPS = 400
};

#define TAU 6.28318530717958648

/// The same numbers on every machine (splitmix64); in [0, 1).
static double next_unit(uint64_t* state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static AbutQuat next_rotation(uint64_t* state)
{
    AbutVec3 axis;
    axis.x = (float)next_unit(state) - 0.5f;
    axis.y = (float)next_unit(state) - 0.5f;
    axis.z = (float)next_unit(state) - 0.5f;
    return abut_quat_from_axis_angle(axis, (float)(TAU * next_unit(state)));
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

/// Bakes the mesh, which is taken over once it is made, into the next shape of the scene.
static bool add_field(const KrayerFields* fields, uint32_t resolution, AbutResult made, AbutMesh** mesh,
                      KrayerScene* scene)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = fields->format;
    bool ok = made == ABUT_OK && abut_bake_mesh(&def, *mesh, &scene->shapes[scene->shape_count]) == ABUT_OK;
    abut_mesh_destroy(*mesh);
    scene->shape_count += ok ? 1 : 0;
    return ok;
}

/// A mesh of the folder in ABUT_SHARED_MESHES, or a statue where there is none.
static bool add_statue(const KrayerFields* fields, uint32_t resolution, const char* file, KrayerScene* scene)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", folder != NULL ? folder : ".", file);
    AbutMesh* mesh = NULL;
    AbutResult result = folder != NULL ? abut_mesh_load(path, &mesh) : ABUT_NOT_FOUND;
    if (result == ABUT_NOT_FOUND)
    {
        result = bake_mesh_create_statue(20000, &mesh);
    }
    return add_field(fields, resolution, result, &mesh, scene);
}

static bool add_terrain(const KrayerFields* fields, float size, KrayerScene* scene)
{
    AbutTerrainDef def = abut_terrain_def();
    def.size = size;
    def.height = 0.15f * size;
    def.depth = 0.05f * size;
    def.divisions = 32; // a simple one, as the paper's
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_create_terrain(&def, &mesh);
    return add_field(fields, 2 * fields->resolution, result, &mesh, scene);
}

/// What a heap is made of; each of these is about as large as the others once it is scaled.
static bool add_objects(const KrayerFields* fields, KrayerScene* scene)
{
    uint32_t resolution = fields->resolution / 2;
    AbutMesh *gear = NULL, *bolt = NULL, *link = NULL, *ring = NULL, *nut = NULL;
    AbutGearMeshDef gear_def = abut_gear_mesh_def();
    AbutThreadMeshDef thread_def = abut_thread_mesh_def();
    AbutTorusMeshDef ring_def = abut_torus_mesh_def();
    return add_statue(fields, resolution, "bunny4k.obj", scene) &&
           add_field(fields, resolution, abut_mesh_create_gear(&gear_def, &gear), &gear, scene) &&
           add_field(fields, resolution, abut_mesh_create_bolt(&thread_def, &bolt), &bolt, scene) &&
           add_field(fields, resolution, abut_mesh_create_chain_link(0.6f, 0.25f, 0.09f, 32, NULL, &link),
                     &link, scene) &&
           add_field(fields, resolution, abut_mesh_create_torus(&ring_def, &ring), &ring, scene) &&
           add_field(fields, resolution, abut_mesh_create_nut(&thread_def, &nut), &nut, scene);
}

// -----------------------------------------------------------------------------------------------------------
// Places
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 extents_of(const AbutShape* shape)
{
    return abut_box_extents(abut_shape_info(shape).bounds);
}

static float longest(AbutVec3 v)
{
    return fmaxf(v.x, fmaxf(v.y, v.z));
}

static AbutBox box_of(const AbutCollideBody* body)
{
    return abut_pose_transform_box(&body->pose, abut_shape_info(body->shape).bounds);
}

static void add_body(KrayerScene* scene, const AbutShape* shape, AbutPose pose)
{
    scene->bodies[scene->body_count++] = (AbutCollideBody){ shape, pose };
}

/// How far the body can go down before it may touch another one; 0 when it does.
static double clearance(const KrayerScene* scene, const AbutCollideBody* body)
{
    AbutBox box = box_of(body);
    box.min.y = -INFINITY; // whatever is below
    double least = INFINITY;
    for (uint32_t i = 0; i < scene->body_count && least > 0.0; ++i)
    {
        if (abut_box_overlap(box, box_of(&scene->bodies[i])))
        {
            AbutCollideInput input = abut_collide_input(scene->bodies[i].shape, body->shape);
            input.pose_a = scene->bodies[i].pose;
            input.pose_b = body->pose;
            AbutCollideOutput output = abut_collide(&input, NULL, 0);
            bool apart = output.state == ABUT_COLLIDE_SEPARATED;
            double gap = (double)(output.gap * input.pose_a.scale);
            least = fmin(least, apart ? gap : 0.0);
        }
    }
    return least;
}

/// Lets a body fall until it touches something, and a fortieth of its size deeper, as bodies are that rest on
/// each other in a simulation of contacts.
static void drop(KrayerScene* scene, const AbutShape* shape, AbutPose pose)
{
    AbutCollideBody body = { shape, pose };
    double size = (double)(longest(extents_of(shape)) * pose.scale);
    for (int i = 0; i < MOST_DROP_STEPS; ++i)
    {
        double distance = clearance(scene, &body);
        if (distance == 0.0 || !isfinite(distance))
        {
            break;
        }
        body.pose.position.y -= fmax(distance, 0.002 * size);
    }
    body.pose.position.y -= 0.025 * size;
    add_body(scene, shape, body.pose);
}

/// Pairs of bodies whose boxes meet; those that do not move make none among themselves.
static bool find_pairs(KrayerScene* scene)
{
    AbutBroadDef def = abut_broad_def();
    bool ok = abut_broad_create(&def, &scene->broad) == ABUT_OK;
    for (uint32_t i = 0; ok && i < scene->body_count; ++i)
    {
        uint32_t id, group = i < scene->fixed_count ? 1 : 2;
        ok = abut_broad_add(scene->broad, box_of(&scene->bodies[i]), group, group == 1 ? 2 : 3, &id) ==
             ABUT_OK;
    }
    return ok && abut_broad_update_pairs(scene->broad, &scene->pairs, &scene->pair_count) == ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Scenes
// -----------------------------------------------------------------------------------------------------------

bool krayer_scene_statues(const KrayerFields* fields, KrayerScene* scene)
{
    *scene = (KrayerScene){ .fixed_count = 1 };
    if (!add_terrain(fields, 6.0f, scene) || !add_statue(fields, fields->resolution, "bunny69k.obj", scene) ||
        !add_statue(fields, fields->resolution, "dragon48k.obj", scene))
    {
        return false;
    }
    add_body(scene, scene->shapes[0], abut_pose_identity());
    for (int i = 0; i < 2; ++i)
    {
        AbutPose pose = abut_pose_at(0.66 * i, 4.0, 0.46 * i);
        pose.scale = 1.0f / longest(extents_of(scene->shapes[1 + i]));
        pose.rotation = abut_quat_from_axis_angle(abut_vec3(0.2f, 1.0f, 0.1f), 1.0f + (float)i);
        drop(scene, scene->shapes[1 + i], pose);
    }
    return find_pairs(scene);
}

bool krayer_scene_objects(const KrayerFields* fields, KrayerScene* scene)
{
    *scene = (KrayerScene){ .fixed_count = 1 };
    if (!add_terrain(fields, 14.0f, scene) || !add_objects(fields, scene))
    {
        return false;
    }
    add_body(scene, scene->shapes[0], abut_pose_identity());
    uint64_t random = 1;
    for (int i = 0; i < OBJECT_COUNT; ++i)
    {
        const AbutShape* shape = scene->shapes[1 + i % (scene->shape_count - 1)];
        double x = 12.0 * (next_unit(&random) - 0.5), z = 12.0 * (next_unit(&random) - 0.5);
        AbutPose pose = abut_pose_at(x, 20.0, z);
        pose.rotation = next_rotation(&random);
        pose.scale = (float)(0.8 + 0.4 * next_unit(&random)) / longest(extents_of(shape));
        drop(scene, shape, pose);
    }
    return find_pairs(scene);
}

/// Balls one behind the other on the floor of the pipe.
static void fill_pipe(const AbutPipeMeshDef* pipe, const AbutShape* ball, float radius, KrayerScene* scene)
{
    double slope = (double)pipe->pitch / TAU, around = (double)pipe->coil_radius;
    double step = 2.0 * (double)radius * 1.01 / sqrt(around * around + slope * slope);
    for (double angle = 0.3; angle < TAU * (double)pipe->turns - 0.3; angle += step)
    {
        double y = slope * (TAU * (double)pipe->turns - angle) - 1.02 * (double)(pipe->inner_radius - radius);
        add_body(scene, ball, abut_pose_at(around * cos(angle), y, -around * sin(angle)));
    }
}

bool krayer_scene_balls(const KrayerFields* fields, KrayerScene* scene)
{
    const float bowl_radius = 1.2f, radius = 0.17f;
    *scene = (KrayerScene){ .fixed_count = 2 };
    AbutPipeMeshDef pipe_def = abut_pipe_mesh_def();
    pipe_def.turns = 3.0f;
    AbutMesh *pipe = NULL, *bowl = NULL, *ball = NULL;
    if (!add_field(fields, fields->resolution, abut_mesh_create_pipe(&pipe_def, &pipe), &pipe, scene) ||
        !add_field(fields, fields->resolution, abut_mesh_create_bowl(bowl_radius, 0.1f, 96, NULL, &bowl),
                   &bowl, scene) ||
        !add_field(fields, fields->resolution / 2, abut_mesh_create_sphere(radius, 24, NULL, &ball), &ball,
                   scene))
    {
        return false;
    }
    const double bowl_y = -6.0; // so far below the pipe that the heap does not reach where balls start
    add_body(scene, scene->shapes[0], abut_pose_identity());
    add_body(scene, scene->shapes[1], abut_pose_at(0.0, bowl_y, 0.0));
    uint64_t random = 2;
    for (int i = 0; i < BOWL_BALLS; ++i)
    {
        double angle = TAU * next_unit(&random), away = 0.75 * (double)bowl_radius * sqrt(next_unit(&random));
        AbutPose pose = abut_pose_at(away * cos(angle), -0.8, away * sin(angle));
        pose.rotation = next_rotation(&random);
        drop(scene, scene->shapes[2], pose);
    }
    fill_pipe(&pipe_def, scene->shapes[2], radius, scene);
    return find_pairs(scene);
}

void krayer_scene_destroy(KrayerScene* scene)
{
    abut_broad_destroy(scene->broad);
    for (int i = 0; i < scene->shape_count; ++i)
    {
        abut_shape_destroy(scene->shapes[i]);
    }
    *scene = (KrayerScene){ 0 };
}
