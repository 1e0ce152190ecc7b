/// @file render.h
/// Draws solids: a depth buffer with normals, a shadow, soft light from the sky, and outlines between bodies.
#ifndef ABUT_CLI_RENDER_H
#define ABUT_CLI_RENDER_H

#include "mesh_shading.h"
#include "picture.h"

/// What is nearest in each pixel.
typedef struct RenderBuffer
{
    uint32_t width, height;
    float* nearness;   ///< over 0 where something is; larger is nearer
    uint32_t* items;   ///< which item, counted from 1
    AbutVec3* normals; ///< of the world, of any length; NULL: not kept
} RenderBuffer;

/// A view of the world, about a point: rows of a rotation lead right, down and into the picture.
typedef struct RenderView
{
    AbutPosition eye;
    double rows[3][3];
    double scale; ///< pixels per unit, at the distance 1 (perspective) or everywhere
    bool perspective;
    double nearest; ///< what is nearer to the eye than this is not drawn, with perspective
} RenderView;

/// Something to draw.
typedef struct RenderItem
{
    const ShadedMesh* mesh;
    AbutPose pose;
    float color[3]; ///< sRGB, 0 to 1
    bool fixed;     ///< stands still
} RenderItem;

typedef struct RenderScene
{
    const RenderItem* items;
    uint32_t item_count;
    AbutPosition target;
    double distance;   ///< from the eye to the target
    double yaw, pitch; ///< degrees about y, from z towards x, and above the horizon
} RenderScene;

/// @return false without memory.
bool render_buffer_create(RenderBuffer* buffer, uint32_t width, uint32_t height, bool with_normals);
void render_buffer_destroy(RenderBuffer* buffer);
void render_buffer_clear(RenderBuffer* buffer);

/// Draws an item into the buffer; back sides are left out.
void render_item(RenderBuffer* buffer, const RenderView* view, const RenderItem* item, uint32_t number);

/// Where to draw.
typedef struct RenderTarget
{
    Picture* picture;
    uint32_t x, y, width, height;
} RenderTarget;

/// Buffers that are used again from picture to picture.
typedef struct Renderer
{
    RenderBuffer view, shadow;
    RenderBuffer moving; ///< what does not stand still, as if nothing else were there
} Renderer;

/// For pictures of that size. @return false without memory; to be destroyed then, too.
bool renderer_create(Renderer* renderer, uint32_t width, uint32_t height);
void renderer_destroy(Renderer* renderer);

/// Draws the scene into a rectangle of the size that the renderer was made for. Where most of what moves is
/// hidden by what stands still, as in a pipe, it shines through.
void renderer_draw(Renderer* renderer, const RenderScene* scene, const RenderTarget* target);

#endif
