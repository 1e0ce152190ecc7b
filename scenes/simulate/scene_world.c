#include "scenes/simulate/scene_world.h"

#include "scenes/simulate/scene_visual.h"

#include <abut/bake.h>
#include <abut/io.h>
#include <abut/points.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MESSAGE_SIZE = 1024,
    USUAL_RESOLUTION = 64
};

/// Puts the place in the file, or the title, before the message of what failed.
static AbutResult fail_named(AbutResult result, const Scene* scene, uint32_t line, const char* kind,
                             const char* name)
{
    char message[MESSAGE_SIZE];
    snprintf(message, sizeof(message), "%s", abut_last_error());
    if (scene->file != NULL && line > 0)
    {
        return abut_fail(result, "%s:%u: %s \"%s\": %s", scene->file, line, kind, name, message);
    }
    return abut_fail(result, "%s: %s \"%s\": %s", scene->title, kind, name, message);
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutResult close_mesh(AbutParsedShape* loaded, const AbutHost* host)
{
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.host = host;
    AbutMesh* closed = NULL;
    AbutResult result = abut_mesh_close(&def, loaded->mesh, &closed, NULL);
    if (result == ABUT_OK)
    {
        abut_mesh_destroy(loaded->mesh);
        loaded->mesh = closed;
    }
    return result;
}

static AbutResult bake(const SceneShape* shape, const AbutParsedShape* loaded, const AbutHost* host,
                       AbutShape** out)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = shape->resolution > 0 ? shape->resolution : USUAL_RESOLUTION;
    def.sparse = shape->sparse;
    def.format = shape->first_order ? ABUT_FIELD_FIRST_ORDER : ABUT_FIELD_F32;
    def.host = host;
    return loaded->mesh != NULL ? abut_bake_mesh(&def, loaded->mesh, out)
                                : abut_bake_shape(&def, loaded->shape, out);
}

/// A shape is as its text says; a mesh is baked, and so is a shape for which a resolution is given. *mesh is
/// what was baked, or NULL.
static AbutResult load_shape(const SceneShape* shape, const AbutHost* host, AbutShape** out, AbutMesh** mesh)
{
    AbutParsedShape loaded;
    *out = NULL;
    *mesh = NULL;
    AbutResult result = abut_shape_parse(shape->text, host, &loaded);
    if (result != ABUT_OK)
    {
        return result;
    }
    if (loaded.mesh != NULL && shape->closes)
    {
        result = close_mesh(&loaded, host);
    }
    if (result == ABUT_OK && loaded.mesh == NULL && shape->resolution == 0)
    {
        *out = loaded.shape;
        return ABUT_OK;
    }
    result = result == ABUT_OK ? bake(shape, &loaded, host, out) : result;
    abut_shape_destroy(loaded.shape);
    if (result == ABUT_OK)
    {
        *mesh = loaded.mesh;
        return ABUT_OK;
    }
    abut_mesh_destroy(loaded.mesh);
    return result;
}

/// How far bodies are spread.
static float scene_extent(const Scene* scene)
{
    double extent = 1.0;
    for (uint32_t i = 0; i < scene->body_count; ++i)
    {
        const AbutPosition* at = &scene->bodies[i].pose.position;
        extent = fmax(extent, fmax(fabs(at->x), fabs(at->z)));
    }
    return (float)(2.0 * extent + 8.0 * scene->camera_distance);
}

/// Floors and terrain without an end never play the points.
static AbutResult attach_hull(const SceneWorldDef* def, uint32_t points, AbutShape* shape)
{
    AbutPointHullDef hull_def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    if (points == 0 || !abut_box_is_finite(abut_shape_info(shape).bounds))
    {
        return ABUT_OK;
    }
    hull_def.count = points;
    hull_def.host = def->host;
    AbutResult result = abut_point_hull_create(&hull_def, shape, &hull);
    result = result == ABUT_OK ? abut_point_hull_attach(hull, shape) : result;
    abut_point_hull_destroy(hull);
    return result;
}

static AbutResult make_shape(const SceneWorldDef* def, const Scene* scene, uint32_t index, SceneWorld* out)
{
    const SceneShape* shape = &scene->shapes[index];
    AbutMesh* mesh = NULL;
    AbutResult result = load_shape(shape, def->host, &out->shapes[index], &mesh);
    result = result == ABUT_OK ? attach_hull(def, scene->hull_points, out->shapes[index]) : result;
    if (result == ABUT_OK && def->visuals)
    {
        SceneVisualInput input = { .text = shape->text,
                                   .visual = shape->visual,
                                   .shape = out->shapes[index],
                                   .mesh = mesh,
                                   .extent = scene_extent(scene),
                                   .host = def->host };
        result = scene_visual_create(&input, &out->visuals[index]);
    }
    abut_mesh_destroy(mesh);
    return result == ABUT_OK ? ABUT_OK : fail_named(result, scene, shape->line, "shape", shape->name);
}

// -----------------------------------------------------------------------------------------------------------
// Bodies
// -----------------------------------------------------------------------------------------------------------

static AbutResult make_body(const Scene* scene, uint32_t index, SceneWorld* out)
{
    const SceneBody* body = &scene->bodies[index];
    AbutBodyDef def = abut_body_def();
    def.shape = out->shapes[body->shape];
    def.kind = body->kind;
    def.pose = body->pose;
    def.linear_velocity = body->linear_velocity;
    def.angular_velocity = body->angular_velocity;
    def.density = body->density;
    def.mass = body->mass;
    def.material = body->material;
    def.group = body->group;
    def.mask = body->mask;
    def.locked = body->locked;
    def.never_sleeps = body->never_sleeps;
    AbutResult result = abut_body_create(out->world, &def, &out->bodies[index]);
    return result == ABUT_OK ? ABUT_OK : fail_named(result, scene, body->line, "body", body->name);
}

static AbutResult make_world(const SceneWorldDef* def, const Scene* scene, SceneWorld* out)
{
    AbutWorldDef world = abut_world_def();
    world.response = scene->response;
    world.gravity = scene->gravity;
    world.substep_count = scene->substeps;
    world.margin = scene->margin;
    world.sleep_speed = scene->sleep_speed;
    world.speculative.method = scene->hull_points > 0 ? ABUT_COLLIDE_HULL : world.speculative.method;
    world.host = def->host;
    world.device = def->device;
    return abut_world_create(&world, &out->world);
}

static bool report_progress(const SceneWorldDef* def, uint32_t done, uint32_t all)
{
    return def->progress == NULL || def->progress(def->progress_user, (float)done / (float)all);
}

AbutResult scene_world_create(const SceneWorldDef* def, const Scene* scene, SceneWorld* out)
{
    memset(out, 0, sizeof(*out));
    AbutResult result = scene_check(scene);
    result = result == ABUT_OK ? make_world(def, scene, out) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    out->shapes = calloc((size_t)scene->shape_count + 1, sizeof(AbutShape*));
    out->visuals = calloc((size_t)scene->shape_count + 1, sizeof(AbutMesh*));
    out->bodies = calloc((size_t)scene->body_count + 1, sizeof(AbutBodyId));
    if (out->shapes == NULL || out->visuals == NULL || out->bodies == NULL)
    {
        result = abut_fail(ABUT_OUT_OF_MEMORY, "%s: no memory for its bodies", scene->title);
    }
    out->shape_count = result == ABUT_OK ? scene->shape_count : 0;
    out->body_count = result == ABUT_OK ? scene->body_count : 0;
    uint32_t all = out->shape_count + out->body_count;
    for (uint32_t i = 0; result == ABUT_OK && i < all; ++i)
    {
        result = i < out->shape_count ? make_shape(def, scene, i, out)
                                      : make_body(scene, i - out->shape_count, out);
        if (result == ABUT_OK && !report_progress(def, i + 1, all))
        {
            result = abut_fail(ABUT_CANCELLED, "%s: cancelled", scene->title);
        }
    }
    if (result != ABUT_OK)
    {
        scene_world_destroy(out);
    }
    return result;
}

void scene_world_destroy(SceneWorld* world)
{
    abut_world_destroy(world->world);
    for (uint32_t i = 0; i < world->shape_count; ++i)
    {
        abut_shape_destroy(world->shapes[i]);
        abut_mesh_destroy(world->visuals[i]);
    }
    free(world->shapes);
    free(world->visuals);
    free(world->bodies);
    memset(world, 0, sizeof(*world));
}
