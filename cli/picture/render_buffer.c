// The depth buffer: triangles are clipped at the eye, projected, and filled pixel by pixel.
#include "render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Of the view: right, down, into the picture; and the normal of the world.
typedef struct ViewVertex
{
    float at[3];
    AbutVec3 normal;
} ViewVertex;

typedef struct PixelVertex
{
    float x, y;
    float nearness;  // linear over the picture: 1/depth with perspective, −depth without
    AbutVec3 normal; // times 1/depth, so that it is linear over the picture, too
} PixelVertex;

bool render_buffer_create(RenderBuffer* buffer, uint32_t width, uint32_t height, bool with_normals)
{
    size_t count = (size_t)width * height;
    buffer->width = width;
    buffer->height = height;
    buffer->nearness = malloc(count * sizeof(float));
    buffer->items = malloc(count * sizeof(uint32_t));
    buffer->normals = with_normals ? malloc(count * sizeof(AbutVec3)) : NULL;
    return buffer->nearness != NULL && buffer->items != NULL && (!with_normals || buffer->normals != NULL);
}

void render_buffer_destroy(RenderBuffer* buffer)
{
    free(buffer->nearness);
    free(buffer->items);
    free(buffer->normals);
    memset(buffer, 0, sizeof(*buffer));
}

void render_buffer_clear(RenderBuffer* buffer)
{
    size_t count = (size_t)buffer->width * buffer->height;
    for (size_t i = 0; i < count; ++i)
    {
        buffer->nearness[i] = -INFINITY;
    }
    memset(buffer->items, 0, count * sizeof(uint32_t));
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

typedef struct PixelRange
{
    int x0, y0, x1, y1;
} PixelRange;

static PixelRange range_of(const RenderBuffer* buffer, const PixelVertex v[3])
{
    float width = (float)buffer->width, height = (float)buffer->height;
    float x0 = fminf(v[0].x, fminf(v[1].x, v[2].x)), x1 = fmaxf(v[0].x, fmaxf(v[1].x, v[2].x));
    float y0 = fminf(v[0].y, fminf(v[1].y, v[2].y)), y1 = fmaxf(v[0].y, fmaxf(v[1].y, v[2].y));
    return (
        PixelRange){ (int)fminf(fmaxf(floorf(x0), 0.0f), width), (int)fminf(fmaxf(floorf(y0), 0.0f), height),
                     (int)fminf(fmaxf(ceilf(x1), 0.0f), width), (int)fminf(fmaxf(ceilf(y1), 0.0f), height) };
}

static void put_pixel(RenderBuffer* buffer, size_t index, const PixelVertex v[3], const float weights[3],
                      uint32_t number)
{
    float nearness = weights[0] * v[0].nearness + weights[1] * v[1].nearness + weights[2] * v[2].nearness;
    if (!(nearness > buffer->nearness[index]))
    {
        return;
    }
    buffer->nearness[index] = nearness;
    buffer->items[index] = number;
    if (buffer->normals != NULL)
    {
        AbutVec3 n = abut_vec3_scale(v[0].normal, weights[0]);
        n = abut_vec3_add(n, abut_vec3_scale(v[1].normal, weights[1]));
        buffer->normals[index] = abut_vec3_add(n, abut_vec3_scale(v[2].normal, weights[2]));
    }
}

/// Twice the area of the triangle a, b, p: positive when they turn as the front sides of the picture do,
/// whose y goes down.
static double edge(const PixelVertex* a, const PixelVertex* b, double x, double y)
{
    return ((double)b->y - (double)a->y) * (x - (double)a->x) -
           ((double)b->x - (double)a->x) * (y - (double)a->y);
}

static void fill_triangle(RenderBuffer* buffer, const PixelVertex v[3], uint32_t number)
{
    double area = edge(&v[0], &v[1], (double)v[2].x, (double)v[2].y);
    if (!(area > 0.0))
    {
        return;
    }
    PixelRange range = range_of(buffer, v);
    for (int y = range.y0; y < range.y1; ++y)
    {
        for (int x = range.x0; x < range.x1; ++x)
        {
            double px = x + 0.5, py = y + 0.5;
            double w0 = edge(&v[1], &v[2], px, py), w1 = edge(&v[2], &v[0], px, py),
                   w2 = edge(&v[0], &v[1], px, py);
            if (w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0)
            {
                const float weights[3] = { (float)(w0 / area), (float)(w1 / area), (float)(w2 / area) };
                put_pixel(buffer, (size_t)y * buffer->width + (size_t)x, v, weights, number);
            }
        }
    }
}

static PixelVertex project(const RenderBuffer* buffer, const RenderView* view, const ViewVertex* v)
{
    float inverse = view->perspective ? 1.0f / v->at[2] : 1.0f;
    float scale = (float)view->scale * inverse;
    return (PixelVertex){ .x = 0.5f * (float)buffer->width + scale * v->at[0],
                          .y = 0.5f * (float)buffer->height + scale * v->at[1],
                          .nearness = view->perspective ? inverse : -v->at[2],
                          .normal = abut_vec3_scale(v->normal, inverse) };
}

static ViewVertex between(const ViewVertex* a, const ViewVertex* b, float t)
{
    ViewVertex v;
    for (int i = 0; i < 3; ++i)
    {
        v.at[i] = a->at[i] + t * (b->at[i] - a->at[i]);
    }
    v.normal = abut_vec3_add(a->normal, abut_vec3_scale(abut_vec3_sub(b->normal, a->normal), t));
    return v;
}

/// Cuts off what is behind the eye: up to four corners are left.
static int clip_near(const ViewVertex in[3], float nearest, ViewVertex out[4])
{
    int count = 0;
    for (int i = 0; i < 3; ++i)
    {
        const ViewVertex *a = &in[i], *b = &in[(i + 1) % 3];
        bool a_in = a->at[2] > nearest, b_in = b->at[2] > nearest;
        if (a_in)
        {
            out[count++] = *a;
        }
        if (a_in != b_in)
        {
            out[count++] = between(a, b, (nearest - a->at[2]) / (b->at[2] - a->at[2]));
        }
    }
    return count;
}

static void draw_triangle(RenderBuffer* buffer, const RenderView* view, const ViewVertex corners[3],
                          uint32_t number)
{
    ViewVertex clipped[4];
    int count = 3;
    memcpy(clipped, corners, 3 * sizeof(ViewVertex));
    if (view->perspective)
    {
        count = clip_near(corners, (float)view->nearest, clipped);
    }
    for (int i = 2; i < count; ++i)
    {
        const PixelVertex v[3] = { project(buffer, view, &clipped[0]), project(buffer, view, &clipped[i - 1]),
                                   project(buffer, view, &clipped[i]) };
        fill_triangle(buffer, v, number);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Items
// -----------------------------------------------------------------------------------------------------------

/// From the frame of an item to the world about the eye, and on to the view.
typedef struct ItemMatrix
{
    double rotation[3][3];
    float view[3][4];
} ItemMatrix;

static ItemMatrix matrix_of(const RenderView* view, const AbutPose* pose)
{
    ItemMatrix matrix;
    abut_quat_to_matrix(pose->rotation, matrix.rotation);
    const double offset[3] = { pose->position.x - view->eye.x, pose->position.y - view->eye.y,
                               pose->position.z - view->eye.z };
    for (int i = 0; i < 3; ++i)
    {
        const double* row = view->rows[i];
        for (int j = 0; j < 3; ++j)
        {
            double product = row[0] * matrix.rotation[0][j] + row[1] * matrix.rotation[1][j] +
                             row[2] * matrix.rotation[2][j];
            matrix.view[i][j] = (float)(product * (double)pose->scale);
        }
        matrix.view[i][3] = (float)(row[0] * offset[0] + row[1] * offset[1] + row[2] * offset[2]);
    }
    return matrix;
}

static AbutVec3 rotated(const ItemMatrix* matrix, AbutVec3 n)
{
    const double(*m)[3] = matrix->rotation;
    const double x = (double)n.x, y = (double)n.y, z = (double)n.z;
    return abut_vec3((float)(m[0][0] * x + m[0][1] * y + m[0][2] * z),
                     (float)(m[1][0] * x + m[1][1] * y + m[1][2] * z),
                     (float)(m[2][0] * x + m[2][1] * y + m[2][2] * z));
}

static ViewVertex view_vertex(const ItemMatrix* matrix, const ShadedMesh* mesh, uint32_t index)
{
    const AbutVec3 p = mesh->positions[index];
    ViewVertex v;
    for (int i = 0; i < 3; ++i)
    {
        const float* row = matrix->view[i];
        v.at[i] = row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3];
    }
    v.normal = rotated(matrix, mesh->normals[index]);
    return v;
}

void render_item(RenderBuffer* buffer, const RenderView* view, const RenderItem* item, uint32_t number)
{
    const ShadedMesh* mesh = item->mesh;
    ItemMatrix matrix = matrix_of(view, &item->pose);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    {
        const uint32_t* index = &mesh->indices[3 * (size_t)i];
        const ViewVertex corners[3] = { view_vertex(&matrix, mesh, index[0]),
                                        view_vertex(&matrix, mesh, index[1]),
                                        view_vertex(&matrix, mesh, index[2]) };
        draw_triangle(buffer, view, corners, number);
    }
}
