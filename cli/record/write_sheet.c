// OUT.png: frames of the recording side by side, at even times from the first to the last.
#include "canvas.h"
#include "message.h"
#include "recording_write.h"
#include "render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    COLUMNS = 4,
    ROWS = 3,
    TITLE_HEIGHT = 56,
    LABEL_HEIGHT = 30,
    GAP = 8
};

typedef struct Sheet
{
    const Recording* recording;
    Picture picture;
    Renderer renderer;
    ShadedMesh* meshes;
    RenderItem* items;
    RecordedPose* poses; // of a frame
    uint32_t columns, rows;
    uint32_t tile_width, tile_height;
} Sheet;

/// Few frames make a smaller grid.
static void lay_out(Sheet* sheet)
{
    const Recording* recording = sheet->recording;
    uint32_t frames = recording->frame_count;
    sheet->columns = frames < COLUMNS ? (frames > 0 ? frames : 1) : COLUMNS;
    sheet->rows = (frames + COLUMNS - 1) / COLUMNS;
    sheet->rows = sheet->rows < 1 ? 1 : sheet->rows > ROWS ? ROWS : sheet->rows;
    uint32_t width = recording->sheet_size[0], height = recording->sheet_size[1];
    uint32_t side = GAP * (sheet->columns + 1),
             above = TITLE_HEIGHT + GAP + sheet->rows * (LABEL_HEIGHT + GAP);
    sheet->tile_width = (width - side) / sheet->columns;
    sheet->tile_height = (height - above) / sheet->rows;
}

static bool prepare(Sheet* sheet)
{
    const Recording* recording = sheet->recording;
    lay_out(sheet);
    sheet->meshes = calloc((size_t)recording->mesh_count + 1, sizeof(ShadedMesh));
    sheet->items = calloc((size_t)recording->body_count + 1, sizeof(RenderItem));
    sheet->poses = calloc((size_t)recording->body_count + 1, sizeof(RecordedPose));
    bool good = sheet->meshes != NULL && sheet->items != NULL && sheet->poses != NULL &&
                picture_create(&sheet->picture, recording->sheet_size[0], recording->sheet_size[1], white) &&
                renderer_create(&sheet->renderer, sheet->tile_width, sheet->tile_height);
    for (uint32_t i = 0; good && i < recording->mesh_count; ++i)
    {
        good = shaded_mesh_create(&recording->meshes[i], &sheet->meshes[i]);
    }
    for (uint32_t i = 0; good && i < recording->body_count; ++i)
    {
        sheet->items[i].mesh = &sheet->meshes[recording->bodies[i].mesh];
        sheet->items[i].fixed = recording->bodies[i].kind != ABUT_BODY_DYNAMIC;
        memcpy(sheet->items[i].color, recording->bodies[i].color, sizeof(sheet->items[i].color));
    }
    return good;
}

static void free_sheet(Sheet* sheet)
{
    for (uint32_t i = 0; sheet->meshes != NULL && i < sheet->recording->mesh_count; ++i)
    {
        shaded_mesh_destroy(&sheet->meshes[i]);
    }
    free(sheet->meshes);
    free(sheet->items);
    free(sheet->poses);
    renderer_destroy(&sheet->renderer);
    picture_destroy(&sheet->picture);
}

static void draw_label(Sheet* sheet, const RenderTarget* tile, const RecordedFrame* frame, uint32_t number)
{
    char text[96];
    snprintf(text, sizeof(text), "%.2f s", frame->time);
    float base = (float)(tile->y + tile->height) + 0.68f * LABEL_HEIGHT;
    picture_text(&sheet->picture, (float)tile->x + 2.0f, base, text, 11.0f, TEXT_BOLD, ink);
    snprintf(text, sizeof(text), "frame %u, %u contacts", number, frame->contact_count);
    float width = picture_text_width(text, 10.0f);
    picture_text(&sheet->picture, (float)(tile->x + tile->width) - width - 2.0f, base, text, 10.0f,
                 TEXT_REGULAR, faint);
}

static bool draw_tile(Sheet* sheet, uint32_t tile, uint32_t number)
{
    const Recording* recording = sheet->recording;
    if (!recording_read_poses(recording, number, 0, recording->body_count, sheet->poses))
    {
        return false;
    }
    for (uint32_t i = 0; i < recording->body_count; ++i)
    {
        const RecordedPose* pose = &sheet->poses[i];
        sheet->items[i].pose = (AbutPose){ pose->position, pose->rotation, recording->bodies[i].scale };
    }
    RenderScene scene = { .items = sheet->items,
                          .item_count = recording->body_count,
                          .target = recording->camera_target,
                          .distance = recording->camera_distance,
                          .yaw = recording->camera_yaw,
                          .pitch = recording->camera_pitch };
    uint32_t column = tile % sheet->columns, row = tile / sheet->columns;
    RenderTarget target = { .picture = &sheet->picture,
                            .x = GAP + column * (sheet->tile_width + GAP),
                            .y = TITLE_HEIGHT + row * (sheet->tile_height + LABEL_HEIGHT + GAP),
                            .width = sheet->tile_width,
                            .height = sheet->tile_height };
    renderer_draw(&sheet->renderer, &scene, &target);
    draw_label(sheet, &target, &recording->frames[number], number);
    return true;
}

static void draw_title(Sheet* sheet)
{
    const Recording* recording = sheet->recording;
    char text[160];
    picture_text(&sheet->picture, GAP + 2.0f, 0.64f * TITLE_HEIGHT, recording->title, 18.0f, TEXT_BOLD, ink);
    uint32_t last = recording->frame_count > 0 ? recording->frame_count - 1 : 0;
    snprintf(text, sizeof(text), "%u bodies, %.3g s, %s", recording->body_count,
             recording->frame_count > 0 ? recording->frames[last].time : 0.0, recording->response);
    float width = picture_text_width(text, 12.0f);
    picture_text(&sheet->picture, (float)sheet->picture.width - width - GAP - 2.0f, 0.64f * TITLE_HEIGHT,
                 text, 12.0f, TEXT_REGULAR, faint);
}

bool write_sheet(const Recording* recording, const char* path)
{
    Sheet sheet = { .recording = recording };
    bool good = prepare(&sheet);
    if (!good)
    {
        message_error("%s: no memory for the picture", path);
    }
    if (good)
    {
        draw_title(&sheet);
        uint32_t count = sheet.columns * sheet.rows;
        count = count < recording->frame_count ? count : recording->frame_count;
        for (uint32_t i = 0; i < count && good; ++i)
        {
            uint64_t last = recording->frame_count - 1;
            good = draw_tile(&sheet, i, count > 1 ? (uint32_t)(i * last / (count - 1)) : 0);
        }
        good = good && picture_save(&sheet.picture, path, recording->title);
    }
    free_sheet(&sheet);
    return good;
}
