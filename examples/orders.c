// What order 1 is good for, as a picture: a goblet as a mesh, as a field of order 0 and as one of order 1 in
// no more memory, and below them a detail of each. Usage: example_orders [FILE.png [PIXELS]]
//
// The mesh is drawn triangle by triangle into a depth buffer; fields are walked along the rays of sight, as
// far at a time as their distance allows, and lit by their gradients.
#include <abut/abut.h>
#include <abut/models.h>

#include <math.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    FINE = 3, // samples per pixel along a side
    COLUMNS = 3,
    ROWS = 2
};

/// Parallel rays along `forward`; `width` of the world is as wide as a panel.
typedef struct Camera
{
    AbutVec3 right, up, forward, center;
    float width;
} Camera;

/// Normals of what is seen, per sample; zero for nothing.
typedef struct Panel
{
    uint32_t side; // samples
    AbutVec3* normals;
    float* depths;
} Panel;

static AbutVec3 along(AbutVec3 a, AbutVec3 direction, float t)
{
    return abut_vec3_add(a, abut_vec3_scale(direction, t));
}

/// Of length 1; zero stays.
static AbutVec3 unit(AbutVec3 v)
{
    float length = abut_vec3_length(v);
    return length > 0.0f ? abut_vec3_scale(v, 1.0f / length) : v;
}

static Camera make_camera(AbutVec3 from, AbutVec3 center, float width)
{
    Camera camera = { .center = center, .width = width };
    camera.forward = unit(abut_vec3_scale(from, -1.0f));
    camera.right = unit(abut_vec3_cross(camera.forward, abut_vec3(0.0f, 1.0f, 0.0f)));
    camera.up = abut_vec3_cross(camera.right, camera.forward);
    return camera;
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

/// In samples, with the depth behind.
static AbutVec3 project(const Camera* camera, uint32_t side, AbutVec3 p)
{
    AbutVec3 d = abut_vec3_sub(p, camera->center);
    float scale = (float)side / camera->width;
    return abut_vec3(0.5f * (float)side + scale * abut_vec3_dot(d, camera->right),
                     0.5f * (float)side - scale * abut_vec3_dot(d, camera->up),
                     abut_vec3_dot(d, camera->forward));
}

static float edge(AbutVec3 a, AbutVec3 b, float x, float y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static uint32_t clamp_sample(float value, uint32_t side)
{
    return value > 0.0f ? (value < (float)side ? (uint32_t)value : side) : 0u;
}

static void draw_triangle(Panel* panel, const AbutVec3 p[3], AbutVec3 normal)
{
    uint32_t x0 = clamp_sample(fminf(p[0].x, fminf(p[1].x, p[2].x)), panel->side);
    uint32_t x1 = clamp_sample(fmaxf(p[0].x, fmaxf(p[1].x, p[2].x)) + 1.0f, panel->side);
    uint32_t y0 = clamp_sample(fminf(p[0].y, fminf(p[1].y, p[2].y)), panel->side);
    uint32_t y1 = clamp_sample(fmaxf(p[0].y, fmaxf(p[1].y, p[2].y)) + 1.0f, panel->side);
    float area = edge(p[0], p[1], p[2].x, p[2].y);
    for (uint32_t y = y0; y < y1 && area != 0.0f; ++y)
    {
        for (uint32_t x = x0; x < x1; ++x)
        {
            float sx = (float)x + 0.5f, sy = (float)y + 0.5f;
            float a = edge(p[1], p[2], sx, sy) / area, b = edge(p[2], p[0], sx, sy) / area, c = 1.0f - a - b;
            float depth = a * p[0].z + b * p[1].z + c * p[2].z;
            size_t i = (size_t)y * panel->side + x;
            if (a >= 0.0f && b >= 0.0f && c >= 0.0f && depth < panel->depths[i])
            {
                panel->depths[i] = depth;
                panel->normals[i] = normal;
            }
        }
    }
}

static void draw_mesh(Panel* panel, const Camera* camera, const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    for (uint32_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutVec3 p[3], seen[3];
        for (int k = 0; k < 3; ++k)
        {
            p[k] = vertices[indices[3 * t + (uint32_t)k]];
            seen[k] = project(camera, panel->side, p[k]);
        }
        AbutVec3 normal = abut_vec3_cross(abut_vec3_sub(p[1], p[0]), abut_vec3_sub(p[2], p[0]));
        draw_triangle(panel, seen, unit(normal));
    }
}

// -----------------------------------------------------------------------------------------------------------
// Fields
// -----------------------------------------------------------------------------------------------------------

/// The rays of one row of samples that are still on their way.
typedef struct Rays
{
    float *x, *y, *z, *distance, *gradient[3], *travelled;
    uint32_t* sample;
    uint32_t count;
} Rays;

enum
{
    RAY_ARRAYS = 8,
    MOST_STEPS = 400
};

static bool rays_create(Rays* rays, uint32_t side)
{
    float* memory = calloc((size_t)side * (RAY_ARRAYS + 1), sizeof(float));
    float** const arrays[RAY_ARRAYS] = { &rays->x,           &rays->y,           &rays->z,
                                         &rays->distance,    &rays->gradient[0], &rays->gradient[1],
                                         &rays->gradient[2], &rays->travelled };
    for (uint32_t i = 0; i < RAY_ARRAYS && memory != NULL; ++i)
    {
        *arrays[i] = memory + (size_t)i * side;
    }
    rays->sample = malloc(side * sizeof(uint32_t));
    return memory != NULL && rays->sample != NULL;
}

static void rays_destroy(Rays* rays)
{
    free(rays->x);
    free(rays->sample);
}

static void keep_ray(Rays* rays, uint32_t to, uint32_t from)
{
    rays->x[to] = rays->x[from];
    rays->y[to] = rays->y[from];
    rays->z[to] = rays->z[from];
    rays->travelled[to] = rays->travelled[from];
    rays->sample[to] = rays->sample[from];
}

/// One step of all rays; those that arrive leave a normal, those that have passed the shape are dropped.
static void step_rays(Rays* rays, const AbutShape* shape, const Camera* camera, float end, AbutVec3* normals)
{
    const float near_enough = 2e-5f * end;
    uint32_t kept = 0;
    abut_shape_sample(
        shape, NULL, (AbutPoints){ rays->x, rays->y, rays->z }, rays->count,
        (AbutSamples){ rays->distance, rays->gradient[0], rays->gradient[1], rays->gradient[2] });
    for (uint32_t i = 0; i < rays->count; ++i)
    {
        float step = 0.6f * rays->distance[i]; // what lies between nodes may be steeper than a distance
        if (fabsf(step) < near_enough)
        {
            normals[rays->sample[i]] =
                unit(abut_vec3(rays->gradient[0][i], rays->gradient[1][i], rays->gradient[2][i]));
        }
        else if (rays->travelled[i] + step < end)
        {
            AbutVec3 p = along(abut_vec3(rays->x[i], rays->y[i], rays->z[i]), camera->forward, step);
            keep_ray(rays, kept, i);
            rays->x[kept] = p.x;
            rays->y[kept] = p.y;
            rays->z[kept] = p.z;
            rays->travelled[kept++] += step;
        }
    }
    rays->count = kept;
}

static bool draw_field(Panel* panel, const Camera* camera, const AbutShape* shape)
{
    const float extent = abut_vec3_length(abut_box_extents(abut_shape_info(shape).bounds));
    Rays rays = { 0 };
    bool ok = rays_create(&rays, panel->side);
    for (uint32_t y = 0; y < panel->side && ok; ++y)
    {
        float v = (0.5f - ((float)y + 0.5f) / (float)panel->side) * camera->width;
        rays.count = panel->side;
        for (uint32_t x = 0; x < panel->side; ++x)
        {
            float u = (((float)x + 0.5f) / (float)panel->side - 0.5f) * camera->width;
            AbutVec3 p = along(along(camera->center, camera->right, u), camera->up, v);
            p = along(p, camera->forward, -extent);
            rays.x[x] = p.x;
            rays.y[x] = p.y;
            rays.z[x] = p.z;
            rays.travelled[x] = 0.0f;
            rays.sample[x] = x;
        }
        for (int i = 0; i < MOST_STEPS && rays.count > 0; ++i)
        {
            step_rays(&rays, shape, camera, 2.0f * extent, panel->normals + (size_t)y * panel->side);
        }
    }
    rays_destroy(&rays);
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Light and pixels
// -----------------------------------------------------------------------------------------------------------

/// Linear light of a sample: a key light from the upper left, a weak one from the right, and the sky.
static void shade(const Camera* camera, AbutVec3 normal, float light[3])
{
    static const float metal[3] = { 0.42f, 0.50f, 0.60f };
    AbutVec3 n = abut_vec3(abut_vec3_dot(normal, camera->right), abut_vec3_dot(normal, camera->up),
                           -abut_vec3_dot(normal, camera->forward));
    if (abut_vec3_dot(normal, normal) < 0.5f)
    {
        light[0] = light[1] = light[2] = 1.0f;
        return;
    }
    AbutVec3 key = unit(abut_vec3(-0.6f, 0.7f, 0.6f));
    AbutVec3 half = unit(abut_vec3_add(key, abut_vec3(0.0f, 0.0f, 1.0f)));
    float diffuse = fmaxf(0.0f, abut_vec3_dot(n, key));
    float side = fmaxf(0.0f, abut_vec3_dot(n, abut_vec3(0.9f, -0.1f, 0.4f)));
    float shine = powf(fmaxf(0.0f, abut_vec3_dot(n, half)), 40.0f);
    for (int i = 0; i < 3; ++i)
    {
        light[i] = metal[i] * (0.10f + 0.08f * n.y + 1.0f * diffuse + 0.25f * side) + 0.35f * shine;
    }
}

static uint8_t to_srgb(float linear)
{
    float bounded = fminf(fmaxf(linear, 0.0f), 1.0f);
    float encoded = bounded < 0.0031308f ? 12.92f * bounded : 1.055f * powf(bounded, 1.0f / 2.4f) - 0.055f;
    return (uint8_t)(255.0f * encoded + 0.5f);
}

typedef struct Picture
{
    uint32_t side, width, height; // of a panel, and of all
    uint8_t* pixels;
} Picture;

static void put_panel(Picture* picture, const Panel* panel, const Camera* camera, uint32_t column,
                      uint32_t row)
{
    for (uint32_t i = 0; i < picture->side * picture->side; ++i)
    {
        uint32_t x = i % picture->side, y = i / picture->side;
        float sum[3] = { 0.0f, 0.0f, 0.0f };
        for (uint32_t k = 0; k < FINE * FINE; ++k)
        {
            float light[3];
            size_t sample = (size_t)(y * FINE + k / FINE) * panel->side + x * FINE + k % FINE;
            shade(camera, panel->normals[sample], light);
            for (int c = 0; c < 3; ++c)
            {
                sum[c] += light[c] / (FINE * FINE);
            }
        }
        size_t pixel = (size_t)(row * picture->side + y) * picture->width + column * picture->side + x;
        for (int c = 0; c < 3; ++c)
        {
            picture->pixels[3 * pixel + (size_t)c] = to_srgb(sum[c]);
        }
    }
}

static bool save_png(const Picture* picture, const char* path)
{
    png_image image = { .version = PNG_IMAGE_VERSION, .width = picture->width, .height = picture->height };
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL) == 0)
    {
        fprintf(stderr, "%s: %s\n", path, image.message);
        return false;
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// The figure
// -----------------------------------------------------------------------------------------------------------

typedef struct Figure
{
    AbutMesh* mesh;
    AbutShape* fields[2]; // by their order
} Figure;

enum
{
    MOST_POINTS = 256
};

/// The outline of a goblet, radius and height, from the axis below to the axis above.
typedef struct Profile
{
    float points[MOST_POINTS][2];
    uint32_t count;
} Profile;

static void add_point(Profile* profile, float radius, float height)
{
    profile->points[profile->count][0] = radius;
    profile->points[profile->count++][1] = height;
}

/// An arc about a centre, half axes given, from one angle to another; its first point is left out.
static void add_arc(Profile* profile, const float center[2], const float axes[2], float from, float to)
{
    enum
    {
        STEPS = 40
    };
    for (int i = 1; i <= STEPS; ++i)
    {
        float angle = from + (to - from) * (float)i / STEPS;
        float radius = center[0] + axes[0] * cosf(angle);
        add_point(profile, i == STEPS && fabsf(radius) < 1e-5f ? 0.0f : radius,
                  center[1] + axes[1] * sinf(angle));
    }
}

/// A foot with an edge, a stem with a ball, and a bowl with a thin wall.
static AbutResult create_goblet(AbutMesh** out)
{
    const float quarter = 1.57079633f, wall = 0.015f, stem = 0.045f, rim = 1.10f, bowl = 0.80f,
                bottom = 0.47f;
    Profile profile = { .count = 0 };
    add_point(&profile, 0.0f, 0.0f);
    add_point(&profile, 0.33f, 0.0f);
    add_point(&profile, 0.33f, 0.03f);
    add_arc(&profile, (const float[2]){ 0.33f, 0.20f }, (const float[2]){ 0.33f - stem, 0.17f }, -quarter,
            -2.0f * quarter);
    const float ball = 0.09f, meet = acosf(stem / ball);
    add_point(&profile, stem, 0.335f - ball * sinf(meet));
    add_arc(&profile, (const float[2]){ 0.0f, 0.335f }, (const float[2]){ ball, ball }, -meet, meet);
    add_point(&profile, stem, bottom + 0.002f);
    const float start = -acosf(stem / 0.36f);
    add_arc(&profile, (const float[2]){ 0.0f, bowl }, (const float[2]){ 0.36f, bowl - bottom }, start, 0.0f);
    add_arc(&profile, (const float[2]){ 0.0f, bowl }, (const float[2]){ 0.36f, 0.50f }, 0.0f,
            asinf((rim - bowl) / 0.50f));
    add_arc(&profile, (const float[2]){ 0.0f, bowl }, (const float[2]){ 0.36f - wall, 0.50f },
            asinf((rim - bowl) / 0.50f), 0.0f);
    add_arc(&profile, (const float[2]){ 0.0f, bowl }, (const float[2]){ 0.36f - wall, bowl - bottom - wall },
            0.0f, -quarter);
    return abut_mesh_create_revolution((const float(*)[2])profile.points, profile.count, 256, NULL, out);
}

static AbutResult create_figure(Figure* figure)
{
    AbutResult result = create_goblet(&figure->mesh);
    for (int order = 0; order < 2 && result == ABUT_OK; ++order)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = order == 0 ? 72 : 56; // a node of order 1 takes twice the bytes
        def.format = order == 0 ? ABUT_FIELD_F32 : ABUT_FIELD_FIRST_ORDER;
        result = abut_bake_mesh(&def, figure->mesh, &figure->fields[order]);
    }
    return result;
}

static bool draw_figure(const Figure* figure, Picture* picture)
{
    Panel panel = { .side = picture->side * FINE };
    const size_t samples = (size_t)panel.side * panel.side;
    panel.normals = malloc(samples * sizeof(AbutVec3));
    panel.depths = malloc(samples * sizeof(float));
    bool ok = panel.normals != NULL && panel.depths != NULL;
    AbutBox box = abut_mesh_bounds(figure->mesh);
    AbutVec3 center = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f), extents = abut_box_extents(box);
    for (uint32_t i = 0; i < COLUMNS * ROWS && ok; ++i)
    {
        const bool detail = i / COLUMNS == 1;
        AbutVec3 at = detail ? abut_vec3(center.x, box.min.y + 0.33f * extents.y, center.z) : center;
        Camera camera = make_camera(abut_vec3(0.55f, 0.35f, 0.9f), at, (detail ? 0.36f : 1.22f) * extents.y);
        memset(panel.normals, 0, samples * sizeof(AbutVec3));
        for (size_t k = 0; k < samples; ++k)
        {
            panel.depths[k] = INFINITY;
        }
        if (i % COLUMNS == 0)
        {
            draw_mesh(&panel, &camera, figure->mesh);
        }
        else
        {
            ok = draw_field(&panel, &camera, figure->fields[i % COLUMNS - 1]);
        }
        put_panel(picture, &panel, &camera, i % COLUMNS, i / COLUMNS);
    }
    free(panel.normals);
    free(panel.depths);
    return ok;
}

static void describe(const Figure* figure)
{
    printf("mesh: %u triangles\n", abut_mesh_triangle_count(figure->mesh));
    for (int order = 0; order < 2; ++order)
    {
        AbutFieldInfo info = abut_field_info(figure->fields[order]);
        printf("order %d: %u x %u x %u cells, %.2f MB, rms error %.2g, max %.2g of a cell of order 0\n",
               order, info.cell_count[0], info.cell_count[1], info.cell_count[2], (double)info.bytes * 1e-6,
               (double)info.measured_rms / abut_field_info(figure->fields[0]).cell_size,
               (double)info.measured_max / abut_field_info(figure->fields[0]).cell_size);
    }
}

int main(int argument_count, char** arguments)
{
    const char* path = argument_count > 1 ? arguments[1] : "orders.png";
    long side = argument_count > 2 ? strtol(arguments[2], NULL, 10) : 120;
    if (side < 16 || side > 2048)
    {
        fprintf(stderr, "usage: example_orders [FILE.png [PIXELS]], with 16 to 2048 pixels along a panel\n");
        return 2;
    }
    Figure figure = { 0 };
    Picture picture = { .side = (uint32_t)side,
                        .width = COLUMNS * (uint32_t)side,
                        .height = ROWS * (uint32_t)side };
    picture.pixels = malloc((size_t)3 * picture.width * picture.height);
    bool ok = picture.pixels != NULL && create_figure(&figure) == ABUT_OK;
    if (!ok)
    {
        fprintf(stderr, "%s\n", abut_last_error());
    }
    ok = ok && draw_figure(&figure, &picture) && save_png(&picture, path);
    if (ok)
    {
        describe(&figure);
    }
    for (int order = 0; order < 2; ++order)
    {
        abut_shape_destroy(figure.fields[order]);
    }
    abut_mesh_destroy(figure.mesh);
    free(picture.pixels);
    return ok ? 0 : 1;
}
