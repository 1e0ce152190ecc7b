#include "message.h"
#include "output.h"
#include "picture.h"

#include <abut/base.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TITLE_SIZE = 1024 // longer ones are cut
};

static void on_error(png_structp png, png_const_charp message)
{
    const char** reason = png_get_error_ptr(png);
    *reason = message;
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/// `title` is UTF-8.
static void set_texts(png_structp png, png_infop info, const char* title)
{
    char software[64] = "abut ";
    strncat(software, abut_version(), sizeof(software) - 6);
    png_text texts[2] = {
        { .compression = PNG_TEXT_COMPRESSION_NONE, .key = "Software", .text = software },
        { .compression = PNG_ITXT_COMPRESSION_NONE, .key = "Title", .text = (char*)title }
    };
    png_set_text(png, info, texts, 2);
}

/// libpng jumps back here on errors, so that nothing that must survive the jump lives in registers.
static bool write_png(png_structp png, png_infop info, const Picture* picture, FILE* stream,
                      const char* title)
{
    if (setjmp(png_jmpbuf(png)) != 0)
    {
        return false;
    }
    png_init_io(png, stream);
    png_set_user_limits(png, UINT32_MAX >> 1, UINT32_MAX >> 1);
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    set_texts(png, info, title);
    png_write_info(png, info);
    for (uint32_t y = 0; y < picture->height; ++y)
    {
        png_write_row(png, picture->pixels + 3 * (size_t)y * picture->width);
    }
    png_write_end(png, info);
    return true;
}

bool picture_save(const Picture* picture, const char* path, const char* title)
{
    OutputFile file;
    if (!output_file_open(&file, path))
    {
        return false;
    }
    const char* reason = "no memory for a PNG writer";
    char shown[TITLE_SIZE];
    snprintf(shown, sizeof(shown), "%s", title);
    abut_text_sanitize(shown);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &reason, on_error, on_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool good = info != NULL && write_png(png, info, picture, file.stream, shown);
    png_destroy_write_struct(&png, &info);
    if (!good && file.error == 0) // else what the system said is better than what libpng says
    {
        message_error("%s: cannot write: %s", path, reason);
        output_file_abandon(&file);
        return false;
    }
    return output_file_commit(&file);
}
