// Grids of distances as SDFGen writes them:
//
//     ni nj nk
//     origin_x origin_y origin_z
//     dx
//     values, one after the other, i fastest
//
// Blanks and line ends separate the numbers and mean nothing else.
#include "io/input.h"
#include "io/path.h"
#include "io/text/text.h"
#include "models/fp_env.h"

#include <abut/bake.h>
#include <abut/io.h>
#include <math.h>

AbutVolumeLoadDef abut_volume_load_def(void)
{
    const uint64_t most = UINT64_C(16) << 30;
    return (AbutVolumeLoadDef){ .max_bytes = most < SIZE_MAX ? (size_t)most : SIZE_MAX, .error = INFINITY };
}

static void skip_space(AbutIoText* text)
{
    for (;;)
    {
        abut_io_text_skip_blanks(text);
        if (text->at == text->end || !abut_io_is_line_end(*text->at))
        {
            return;
        }
        abut_io_text_pass_line_end(text);
    }
}

/// Nothing but a blank, a line end or the end may follow a number.
static AbutResult check_number_end(const AbutIoText* text, const char* what)
{
    if (text->at == text->end || abut_io_is_blank(*text->at) || abut_io_is_line_end(*text->at))
    {
        return ABUT_OK;
    }
    char found[ABUT_IO_EXCERPT_SIZE];
    return abut_io_fail_line(text->load, text->line, "%s is followed by %s, not by a blank", what,
                             abut_io_text_excerpt(text, found));
}

static AbutResult read_double(AbutIoText* text, const char* what, double* out)
{
    skip_space(text);
    const char* after = abut_number_parse(text->at, text->end, out);
    if (after == NULL)
    {
        char found[ABUT_IO_EXCERPT_SIZE];
        return abut_io_fail_line(text->load, text->line, "expected %s, found %s", what,
                                 abut_io_text_excerpt(text, found));
    }
    text->at = after;
    return check_number_end(text, what);
}

static AbutResult read_counts(AbutIoText* text, AbutBakeValuesDef* grid)
{
    // A value takes a digit and a blank, so there are no more values than half of the bytes.
    uint64_t total = 1, most = text->load->size / 2 + 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        int64_t count;
        char found[ABUT_IO_EXCERPT_SIZE];
        skip_space(text);
        if (!abut_io_text_read_integer(text, &count))
        {
            return abut_io_fail_line(text->load, text->line,
                                     "expected the number of nodes along %c, found %s", "xyz"[axis],
                                     abut_io_text_excerpt(text, found));
        }
        AbutResult result = check_number_end(text, "the number of nodes");
        if (result != ABUT_OK)
        {
            return result;
        }
        if (count < 2)
        {
            return abut_io_fail_line(text->load, text->line,
                                     "there are %lld nodes along %c; it takes at least 2", (long long)count,
                                     "xyz"[axis]);
        }
        if ((uint64_t)count > most / total || count > UINT32_MAX)
        {
            return abut_io_fail_line(text->load, text->line,
                                     "more nodes are announced than the %zu bytes of the file can hold",
                                     text->load->size);
        }
        grid->node_count[axis] = (uint32_t)count;
        total *= (uint64_t)count;
    }
    return ABUT_OK;
}

static AbutResult read_position(AbutIoText* text, AbutBakeValuesDef* grid)
{
    double* const origin[3] = { &grid->origin.x, &grid->origin.y, &grid->origin.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        AbutResult result = read_double(text, "a coordinate of the origin", origin[axis]);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    AbutResult result = read_double(text, "the size of a cell", &grid->cell_size);
    if (result == ABUT_OK && !(grid->cell_size > 0.0))
    {
        return abut_io_fail_line(text->load, text->line, "the size of a cell is %g; it must be over 0",
                                 grid->cell_size);
    }
    return result;
}

static AbutResult fail_value(const AbutIoText* text, size_t i, size_t total, AbutIoFloatStatus status)
{
    char found[ABUT_IO_EXCERPT_SIZE];
    const char* problem = status == ABUT_IO_FLOAT_NOT_FINITE ? "it is not finite"
                          : status == ABUT_IO_FLOAT_OVERFLOW ? "it is too large for a float"
                                                             : "it is not a number";
    return abut_io_fail_line(text->load, text->line, "distance %zu of %zu is %s: %s", i + 1, total,
                             abut_io_text_excerpt(text, found), problem);
}

static AbutResult read_values(AbutIoText* text, float* values, size_t total)
{
    for (size_t i = 0; i < total; ++i)
    {
        skip_space(text);
        AbutIoFloatStatus status = abut_io_float_parse(&text->at, text->end, &values[i]);
        AbutResult result = status != ABUT_IO_FLOAT_OK ? fail_value(text, i, total, status)
                                                       : check_number_end(text, "a distance");
        result = result == ABUT_OK ? abut_io_progress(text->load, abut_io_text_offset(text)) : result;
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    skip_space(text);
    if (text->at != text->end)
    {
        return abut_io_fail_line(text->load, text->line,
                                 "there is something behind the last of %zu distances", total);
    }
    return ABUT_OK;
}

static AbutResult parse(AbutIoLoad* load, float error, AbutShape** out)
{
    AbutIoText text = abut_io_text_make(load);
    AbutBakeValuesDef grid = abut_bake_values_def();
    grid.error = error;
    grid.host = &load->host;
    AbutResult result = read_counts(&text, &grid);
    result = result == ABUT_OK ? read_position(&text, &grid) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    size_t total = (size_t)grid.node_count[0] * grid.node_count[1] * grid.node_count[2];
    float* values = abut_io_allocate(&load->host, total * sizeof(float));
    if (values == NULL)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "%s: %s", load->name, abut_last_error());
    }
    grid.values = values;
    result = read_values(&text, values, total);
    if (result == ABUT_OK)
    {
        result = abut_bake_values(&grid, out);
        // The core does not know the name of the file, nor that a bad grid came from one.
        result = result == ABUT_OK ? result
                                   : abut_fail(result == ABUT_INVALID_ARGUMENT ? ABUT_INVALID_DATA : result,
                                               "%s: %s", load->name, abut_last_error());
    }
    abut_io_free(&load->host, values, total * sizeof(float));
    return result;
}

static AbutIoLoad make_load(const AbutVolumeLoadDef* def, const char* name)
{
    return (AbutIoLoad){ .host = abut_io_host(def->host),
                         .name = name,
                         .progress = def->progress,
                         .progress_user = def->progress_user,
                         .progress_span = 1.0f };
}

AbutResult abut_volume_parse(const AbutVolumeLoadDef* def, const void* data, size_t size, const char* name,
                             AbutShape** out)
{
    ABUT_FP_CALL(abut_volume_parse, def, data, size, name, out);
    *out = NULL;
    AbutIoLoad load = make_load(def, name);
    load.data = data;
    load.size = size;
    if (size > def->max_bytes)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: the file has %zu bytes, more than the limit of %zu", name,
                         size, def->max_bytes);
    }
    return parse(&load, def->error, out);
}

AbutResult abut_volume_load(const AbutVolumeLoadDef* def, const char* path, AbutShape** out)
{
    ABUT_FP_CALL(abut_volume_load, def, path, out);
    *out = NULL;
    if (abut_volume_format_from_path(path) != ABUT_VOLUME_FORMAT_SDF)
    {
        return abut_fail(ABUT_UNSUPPORTED,
                         "%s: this kind of volume is only written; SDFGen's .sdf is the one that is read",
                         path);
    }
    AbutIoLoad load = make_load(def, path);
    AbutIoInput input;
    AbutResult result = abut_io_input_read(&load, def->max_bytes, &input);
    if (result != ABUT_OK)
    {
        return result;
    }
    load.data = input.data;
    load.size = input.size;
    result = parse(&load, def->error, out);
    abut_io_input_free(&load.host, &input);
    return result;
}
