#include "render.h"

#include <math.h>
#include <string.h>

enum
{
    SAMPLES = 2, // along each side of a pixel
    SHADOW_SIZE = 1024
};

/// Half the angle of the picture's height, as a tangent.
#define HALF_VIEW 0.36

static const double light[3] = { 0.42, 0.82, 0.39 }; // where it comes from, of unit length

bool renderer_create(Renderer* renderer, uint32_t width, uint32_t height)
{
    memset(renderer, 0, sizeof(*renderer));
    return render_buffer_create(&renderer->view, SAMPLES * width, SAMPLES * height, true) &&
           render_buffer_create(&renderer->moving, SAMPLES * width, SAMPLES * height, true) &&
           render_buffer_create(&renderer->shadow, SHADOW_SIZE, SHADOW_SIZE, false);
}

void renderer_destroy(Renderer* renderer)
{
    render_buffer_destroy(&renderer->view);
    render_buffer_destroy(&renderer->moving);
    render_buffer_destroy(&renderer->shadow);
}

// -----------------------------------------------------------------------------------------------------------
// Views
// -----------------------------------------------------------------------------------------------------------

/// Looks along `forward` with y up.
static void set_rows(RenderView* view, const double forward[3])
{
    double right[3] = { -forward[2], 0.0, forward[0] };
    double length = hypot(right[0], right[2]);
    for (int i = 0; i < 3; ++i)
    {
        view->rows[0][i] = length > 1e-9 ? right[i] / length : (i == 0 ? 1.0 : 0.0);
        view->rows[2][i] = forward[i];
    }
    const double *f = view->rows[2], *r = view->rows[0];
    view->rows[1][0] = f[1] * r[2] - f[2] * r[1];
    view->rows[1][1] = f[2] * r[0] - f[0] * r[2];
    view->rows[1][2] = f[0] * r[1] - f[1] * r[0];
}

static RenderView camera_view(const RenderScene* scene, const RenderBuffer* buffer)
{
    const double degree = 3.14159265358979323846 / 180.0;
    double yaw = scene->yaw * degree, pitch = scene->pitch * degree;
    const double back[3] = { cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw) };
    const double forward[3] = { -back[0], -back[1], -back[2] };
    RenderView view = { .perspective = true,
                        .scale = 0.5 * buffer->height / HALF_VIEW,
                        .nearest = 0.01 * scene->distance };
    view.eye = (AbutPosition){ scene->target.x + scene->distance * back[0],
                               scene->target.y + scene->distance * back[1],
                               scene->target.z + scene->distance * back[2] };
    set_rows(&view, forward);
    return view;
}

static RenderView light_view(const RenderScene* scene, const RenderBuffer* buffer)
{
    const double forward[3] = { -light[0], -light[1], -light[2] };
    RenderView view = { .eye = scene->target,
                        .perspective = false,
                        .scale = 0.5 * buffer->width / (0.9 * scene->distance) };
    set_rows(&view, forward);
    return view;
}

// -----------------------------------------------------------------------------------------------------------
// Light
// -----------------------------------------------------------------------------------------------------------

/// What a pixel is coloured by.
typedef struct Shader
{
    const RenderScene* scene;
    const Renderer* renderer;
    RenderView camera, sun;
    double bias;         ///< of shadows
    bool shines_through; ///< moving items through fixed ones
} Shader;

/// The point of a pixel, about the eye.
static void point_of(const Shader* shader, uint32_t x, uint32_t y, float nearness, double out[3])
{
    const RenderView* camera = &shader->camera;
    const RenderBuffer* buffer = &shader->renderer->view;
    double depth = 1.0 / (double)nearness;
    double u = (x + 0.5 - 0.5 * buffer->width) / camera->scale * depth;
    double v = (y + 0.5 - 0.5 * buffer->height) / camera->scale * depth;
    for (int i = 0; i < 3; ++i)
    {
        out[i] = camera->rows[0][i] * u + camera->rows[1][i] * v + camera->rows[2][i] * depth;
    }
}

/// Part of the light that arrives, from sixteen places of the shadow buffer.
static double lit_fraction(const Shader* shader, const double point[3])
{
    const RenderView* sun = &shader->sun;
    const RenderBuffer* buffer = &shader->renderer->shadow;
    const double from_sun[3] = { point[0] + shader->camera.eye.x - sun->eye.x,
                                 point[1] + shader->camera.eye.y - sun->eye.y,
                                 point[2] + shader->camera.eye.z - sun->eye.z };
    double at[3];
    for (int i = 0; i < 3; ++i)
    {
        at[i] = sun->rows[i][0] * from_sun[0] + sun->rows[i][1] * from_sun[1] + sun->rows[i][2] * from_sun[2];
    }
    double x = 0.5 * buffer->width + sun->scale * at[0] - 2.0,
           y = 0.5 * buffer->height + sun->scale * at[1] - 2.0;
    if (!(x >= 0.0 && y >= 0.0 && x < buffer->width - 4.0 && y < buffer->height - 4.0))
    {
        return 1.0;
    }
    int lit = 0;
    for (int k = 0; k < 16; ++k)
    {
        size_t index = ((size_t)y + (size_t)(k / 4)) * buffer->width + (size_t)x + (size_t)(k % 4);
        lit += -at[2] + shader->bias >= (double)buffer->nearness[index] ? 1 : 0;
    }
    return lit / 16.0;
}

static bool is_outline(const RenderBuffer* buffer, uint32_t x, uint32_t y)
{
    size_t at = (size_t)y * buffer->width + x;
    uint32_t item = buffer->items[at];
    return (x + 1 < buffer->width && buffer->items[at + 1] != item) ||
           (y + 1 < buffer->height && buffer->items[at + buffer->width] != item);
}

/// Light from the sky, paler towards the bottom.
static void background(const RenderBuffer* buffer, uint32_t y, double out[3])
{
    double t = (double)y / buffer->height;
    out[0] = 0.80 + 0.08 * t;
    out[1] = 0.85 + 0.06 * t;
    out[2] = 0.92 + 0.01 * t;
}

/// What is seen in a buffer. Colours are squared to be about linear, and rooted at the end.
static void shade_item(const Shader* shader, const RenderBuffer* buffer, uint32_t x, uint32_t y,
                       double out[3])
{
    size_t index = (size_t)y * buffer->width + x;
    uint32_t item = buffer->items[index];
    if (item == 0)
    {
        background(buffer, y, out);
        return;
    }
    AbutVec3 n = buffer->normals[index];
    double length = fmax(1e-30, (double)abut_vec3_length(n));
    double toward = ((double)n.x * light[0] + (double)n.y * light[1] + (double)n.z * light[2]) / length;
    double up = 0.5 + 0.5 * (double)n.y / length;
    double point[3];
    point_of(shader, x, y, buffer->nearness[index], point);
    double sun = toward > 0.0 ? 0.78 * toward * lit_fraction(shader, point) : 0.0;
    double sky = 0.16 + 0.22 * up;
    double edge = is_outline(buffer, x, y) ? 0.45 : 1.0;
    const float* color = shader->scene->items[item - 1].color;
    const double tints[3] = { 1.02 * sun + 0.95 * sky, sun + sky, 0.95 * sun + 1.1 * sky };
    for (int i = 0; i < 3; ++i)
    {
        double base = (double)color[i] * (double)color[i];
        out[i] = edge * fmin(1.0, sqrt(base * tints[i]));
    }
}

static void shade(const Shader* shader, uint32_t x, uint32_t y, double out[3])
{
    const Renderer* renderer = shader->renderer;
    size_t index = (size_t)y * renderer->view.width + x;
    shade_item(shader, &renderer->view, x, y, out);
    uint32_t hidden = renderer->moving.items[index];
    if (shader->shines_through && hidden != 0 && hidden != renderer->view.items[index])
    {
        double through[3];
        shade_item(shader, &renderer->moving, x, y, through);
        for (int i = 0; i < 3; ++i)
        {
            out[i] += 0.6 * (through[i] - out[i]);
        }
    }
}

static void draw_pixel(const Shader* shader, uint32_t x, uint32_t y, const RenderTarget* target)
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (uint32_t k = 0; k < SAMPLES * SAMPLES; ++k)
    {
        double color[3];
        shade(shader, SAMPLES * x + k % SAMPLES, SAMPLES * y + k / SAMPLES, color);
        for (int i = 0; i < 3; ++i)
        {
            sum[i] += color[i] / (SAMPLES * SAMPLES);
        }
    }
    const Color color = { (uint8_t)(255.0 * sum[0] + 0.5), (uint8_t)(255.0 * sum[1] + 0.5),
                          (uint8_t)(255.0 * sum[2] + 0.5) };
    picture_blend(target->picture, (int)(target->x + x), (int)(target->y + y), color, 1.0f);
}

/// Whether more than half of what moves is hidden.
static bool is_mostly_hidden(const Renderer* renderer)
{
    size_t count = (size_t)renderer->view.width * renderer->view.height, all = 0, seen = 0;
    for (size_t i = 0; i < count; ++i)
    {
        all += renderer->moving.items[i] != 0 ? 1 : 0;
        seen +=
            renderer->moving.items[i] != 0 && renderer->moving.items[i] == renderer->view.items[i] ? 1 : 0;
    }
    return 2 * seen < all;
}

void renderer_draw(Renderer* renderer, const RenderScene* scene, const RenderTarget* target)
{
    Shader shader = { .scene = scene,
                      .renderer = renderer,
                      .camera = camera_view(scene, &renderer->view),
                      .sun = light_view(scene, &renderer->shadow) };
    shader.bias = 4.0 / shader.sun.scale;
    render_buffer_clear(&renderer->view);
    render_buffer_clear(&renderer->shadow);
    render_buffer_clear(&renderer->moving);
    for (uint32_t i = 0; i < scene->item_count; ++i)
    {
        render_item(&renderer->view, &shader.camera, &scene->items[i], i + 1);
        render_item(&renderer->shadow, &shader.sun, &scene->items[i], i + 1);
        if (!scene->items[i].fixed)
        {
            render_item(&renderer->moving, &shader.camera, &scene->items[i], i + 1);
        }
    }
    shader.shines_through = is_mostly_hidden(renderer);
    for (uint32_t y = 0; y < target->height; ++y)
    {
        for (uint32_t x = 0; x < target->width; ++x)
        {
            draw_pixel(&shader, x, y, target);
        }
    }
}
