#include "point_hull_output.h"

#include "ball_mesh.h"
#include "canvas.h"
#include "output.h"
#include "render.h"

#include <abut/io.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    FINE_DIVISIONS = 6,
    COARSE_DIVISIONS = 3,
    MANY_BALLS = 2000,
    TITLE_HEIGHT = 56
};

/// Distance of the camera, in diagonals of the hull.
static const double CAMERA_DISTANCE = 1.25;

static bool has_ending(const char* path, const char* ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool point_hull_is_block(const char* path)
{
    return has_ending(path, ".points");
}

static uint32_t divisions_of(uint32_t count)
{
    return count > MANY_BALLS ? COARSE_DIVISIONS : FINE_DIVISIONS;
}

// -----------------------------------------------------------------------------------------------------------
// Files
// -----------------------------------------------------------------------------------------------------------

/// A ball for every center, each closed.
static bool write_mesh(const AbutPointHull* hull, const RecordedMesh* ball, const char* path)
{
    AbutPointHullData data = abut_point_hull_data(hull);
    size_t vertex_count = (size_t)data.count * ball->vertex_count,
           triangle_count = (size_t)data.count * ball->triangle_count;
    AbutVec3* vertices = malloc((vertex_count + 1) * sizeof(*vertices));
    uint32_t* indices = malloc((3 * triangle_count + 1) * sizeof(*indices));
    bool good = vertices != NULL && indices != NULL && vertex_count < UINT32_MAX;
    for (size_t i = 0; good && i < data.count; ++i)
    {
        AbutVec3 center = abut_vec3(data.centers.x[i], data.centers.y[i], data.centers.z[i]);
        for (size_t k = 0; k < ball->vertex_count; ++k)
        {
            vertices[i * ball->vertex_count + k] =
                abut_vec3_add(center, abut_vec3_scale(ball->positions[k], data.radii[i]));
        }
        for (size_t k = 0; k < 3 * (size_t)ball->triangle_count; ++k)
        {
            indices[3 * i * ball->triangle_count + k] = ball->indices[k] + (uint32_t)(i * ball->vertex_count);
        }
    }
    AbutMeshDef def = abut_mesh_def();
    AbutMesh* mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = (uint32_t)vertex_count;
    def.indices = indices;
    def.triangle_count = (uint32_t)triangle_count;
    bool saved = good && abut_mesh_create(&def, &mesh) == ABUT_OK && abut_mesh_save(mesh, path) == ABUT_OK;
    if (!saved)
    {
        message_error("%s", good ? abut_last_error() : "no memory for the balls as triangles");
    }
    abut_mesh_destroy(mesh);
    free(vertices);
    free(indices);
    return saved;
}

static bool write_table(const AbutPointHull* hull, const char* path)
{
    AbutPointHullData data = abut_point_hull_data(hull);
    OutputFile file;
    if (!output_file_open(&file, path))
    {
        return false;
    }
    fprintf(file.stream, "x,y,z,radius\n");
    for (uint32_t i = 0; i < data.count; ++i)
    {
        fprintf(file.stream, "%.9g,%.9g,%.9g,%.9g\n", (double)data.centers.x[i], (double)data.centers.y[i],
                (double)data.centers.z[i], (double)data.radii[i]);
    }
    return output_file_commit(&file);
}

bool point_hull_write(const AbutPointHull* hull, const char* path)
{
    if (has_ending(path, ".csv"))
    {
        return write_table(hull, path);
    }
    if (point_hull_is_block(path))
    {
        bool saved = abut_point_hull_save(hull, path) == ABUT_OK;
        if (!saved)
        {
            message_error("%s", abut_last_error());
        }
        return saved;
    }
    RecordedMesh ball;
    bool good = ball_mesh_create(divisions_of(abut_point_hull_info(hull).count), &ball);
    if (!good)
    {
        message_error("%s: no memory for the balls as triangles", path);
    }
    good = good && write_mesh(hull, &ball, path);
    ball_mesh_destroy(&ball);
    return good;
}

// -----------------------------------------------------------------------------------------------------------
// The picture
// -----------------------------------------------------------------------------------------------------------

/// From the smallest radius to the largest, by their logarithms.
static void color_of(const AbutPointHullInfo* info, float radius, float color[3])
{
    static const float small[3] = { 0.93f, 0.47f, 0.16f }, middle[3] = { 0.90f, 0.86f, 0.78f },
                       large[3] = { 0.16f, 0.42f, 0.72f };
    float least = fmaxf(info->min_radius, 1e-3f * info->max_radius), span = logf(info->max_radius / least);
    float at = span > 1e-3f ? logf(fmaxf(radius, least) / least) / span : 0.5f;
    const float *low = at < 0.5f ? small : middle, *high = at < 0.5f ? middle : large;
    float fraction = at < 0.5f ? 2.0f * at : 2.0f * at - 1.0f;
    for (int i = 0; i < 3; ++i)
    {
        color[i] = low[i] + fraction * (high[i] - low[i]);
    }
}

static void draw_balls(const AbutPointHull* hull, const ShadedMesh* ball, RenderItem* items,
                       Renderer* renderer, Picture* picture)
{
    AbutPointHullInfo info = abut_point_hull_info(hull);
    AbutPointHullData data = abut_point_hull_data(hull);
    for (uint32_t i = 0; i < data.count; ++i)
    {
        items[i].mesh = ball;
        items[i].pose =
            abut_pose_at((double)data.centers.x[i], (double)data.centers.y[i], (double)data.centers.z[i]);
        items[i].pose.scale = data.radii[i];
        color_of(&info, data.radii[i], items[i].color);
    }
    AbutVec3 extents = abut_box_extents(info.bounds),
             middle = abut_vec3_scale(abut_vec3_add(info.bounds.min, info.bounds.max), 0.5f);
    RenderScene scene = { .items = items,
                          .item_count = data.count,
                          .target = { (double)middle.x, (double)middle.y, (double)middle.z },
                          .distance = CAMERA_DISTANCE * (double)abut_vec3_length(extents),
                          .yaw = 25.0,
                          .pitch = 18.0 };
    RenderTarget target = { picture, 0, TITLE_HEIGHT, picture->width, picture->height - TITLE_HEIGHT };
    renderer_draw(renderer, &scene, &target);
}

static void draw_title(const AbutPointHull* hull, const char* title, Picture* picture)
{
    AbutPointHullInfo info = abut_point_hull_info(hull);
    char text[160];
    picture_text(picture, 12.0f, 0.64f * TITLE_HEIGHT, title, 16.0f, TEXT_BOLD, ink);
    snprintf(text, sizeof(text), "%u balls, error %.3g, radii %.3g to %.3g", info.count, (double)info.error,
             (double)info.min_radius, (double)info.max_radius);
    float width = picture_text_width(text, 11.0f);
    picture_text(picture, (float)picture->width - width - 12.0f, 0.64f * TITLE_HEIGHT, text, 11.0f,
                 TEXT_REGULAR, faint);
}

bool point_hull_draw(const AbutPointHull* hull, const char* title, const char* path, uint32_t width,
                     uint32_t height)
{
    uint32_t count = abut_point_hull_info(hull).count;
    RecordedMesh ball = { 0 };
    ShadedMesh shaded = { 0 };
    Renderer renderer = { 0 };
    Picture picture = { 0 };
    RenderItem* items = calloc((size_t)count + 1, sizeof(*items));
    bool good = items != NULL && ball_mesh_create(divisions_of(count), &ball) &&
                shaded_mesh_create(&ball, &shaded) && picture_create(&picture, width, height, white) &&
                renderer_create(&renderer, width, height - TITLE_HEIGHT);
    if (!good)
    {
        message_error("%s: no memory for the picture", path);
    }
    else
    {
        draw_balls(hull, &shaded, items, &renderer, &picture);
        draw_title(hull, title, &picture);
        good = picture_save(&picture, path, title);
    }
    renderer_destroy(&renderer);
    picture_destroy(&picture);
    shaded_mesh_destroy(&shaded);
    ball_mesh_destroy(&ball);
    free(items);
    return good;
}

// -----------------------------------------------------------------------------------------------------------
// Reports
// -----------------------------------------------------------------------------------------------------------

void point_hull_print(const AbutPointHull* hull)
{
    AbutPointHullInfo info = abut_point_hull_info(hull);
    printf("%" PRIu32 " balls\n"
           "  error      %.6g: no point of the surface is further from them, none sticks out further\n"
           "  radii      %.6g to %.6g\n"
           "  memory     %zu bytes, %" PRIu32 " nodes\n",
           info.count, (double)info.error, (double)info.min_radius, (double)info.max_radius, info.bytes,
           info.node_count);
}

void point_hull_add_json(cJSON* document, const AbutPointHull* hull)
{
    AbutPointHullInfo info = abut_point_hull_info(hull);
    cJSON_AddNumberToObject(document, "points", info.count);
    json_add_float(document, "error", info.error);
    json_add_float(document, "min_radius", info.min_radius);
    json_add_float(document, "max_radius", info.max_radius);
    json_add_box(document, "bounds", info.bounds);
    cJSON_AddNumberToObject(document, "nodes", info.node_count);
    cJSON_AddNumberToObject(document, "bytes", (double)info.bytes);
}
