// Distances at the nodes of a field in the formats of others: a header in text, then the numbers as float32,
// x fastest.
#include "io/memory.h"
#include "io/output.h"
#include "io/path.h"
#include "models/fp_env.h"

#include <abut/field.h>
#include <abut/io.h>
#include <stdio.h>
#include <string.h>

enum
{
    HEADER_SIZE = 2048, // of the longest header
    NUMBER_SIZE = 40
};

AbutVolumeFormat abut_volume_format_from_path(const char* path)
{
    static const struct
    {
        const char* ending;
        AbutVolumeFormat format;
    } known[] = {
        { ".vti", ABUT_VOLUME_FORMAT_VTI },
        { ".nrrd", ABUT_VOLUME_FORMAT_NRRD },
        { ".npy", ABUT_VOLUME_FORMAT_NPY },
        { ".sdf", ABUT_VOLUME_FORMAT_SDF },
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i)
    {
        if (abut_io_path_ends_with(path, known[i].ending))
        {
            return known[i].format;
        }
    }
    return ABUT_VOLUME_FORMAT_UNKNOWN;
}

AbutVolumeSaveDef abut_volume_save_def(void)
{
    return (AbutVolumeSaveDef){ .max_bytes = UINT64_C(16) << 30 };
}

// -----------------------------------------------------------------------------------------------------------
// Headers
// -----------------------------------------------------------------------------------------------------------

/// The grid as numbers and as text that brings the same doubles back, whatever the locale.
typedef struct Grid
{
    uint32_t node_count[3];
    uint64_t data_bytes;
    char origin[3][NUMBER_SIZE];
    char spacing[NUMBER_SIZE];
} Grid;

static void print_double(double value, char text[NUMBER_SIZE])
{
    char local[NUMBER_SIZE];
    snprintf(local, sizeof(local), "%.17g", value);
    size_t length = 0;
    for (const char* p = local; *p != '\0'; ++p)
    {
        // A locale's decimal point may be any one or more bytes.
        bool plain = strchr("0123456789+-e", *p) != NULL;
        if (plain || length == 0 || text[length - 1] != '.')
        {
            text[length++] = plain ? *p : '.';
        }
    }
    text[length] = '\0';
}

static Grid make_grid(const AbutShape* field)
{
    AbutFieldInfo info = abut_field_info(field);
    Grid grid = { .data_bytes = sizeof(float) };
    for (int axis = 0; axis < 3; ++axis)
    {
        grid.node_count[axis] = info.cell_count[axis] + 1;
        grid.data_bytes *= grid.node_count[axis];
    }
    print_double(info.origin.x, grid.origin[0]);
    print_double(info.origin.y, grid.origin[1]);
    print_double(info.origin.z, grid.origin[2]);
    print_double(info.cell_size, grid.spacing);
    return grid;
}

/// The size of the data stands in front of it, as VTK wants with header_type UInt64.
static size_t write_vti_header(const Grid* grid, char out[HEADER_SIZE])
{
    char extent[64];
    snprintf(extent, sizeof(extent), "0 %u 0 %u 0 %u", grid->node_count[0] - 1, grid->node_count[1] - 1,
             grid->node_count[2] - 1);
    int length = snprintf(
        out, HEADER_SIZE,
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "  <ImageData WholeExtent=\"%s\" Origin=\"%s %s %s\" Spacing=\"%s %s %s\">\n"
        "    <Piece Extent=\"%s\">\n"
        "      <PointData Scalars=\"distance\">\n"
        "        <DataArray type=\"Float32\" Name=\"distance\" NumberOfComponents=\"1\" format=\"appended\" "
        "offset=\"0\"/>\n"
        "      </PointData>\n"
        "    </Piece>\n"
        "  </ImageData>\n"
        "  <AppendedData encoding=\"raw\">\n"
        "   _",
        extent, grid->origin[0], grid->origin[1], grid->origin[2], grid->spacing, grid->spacing,
        grid->spacing, extent);
    for (int i = 0; i < 8; ++i)
    {
        out[length++] = (char)(grid->data_bytes >> (8 * i) & 0xFF);
    }
    return (size_t)length;
}

static const char vti_end[] = "\n  </AppendedData>\n</VTKFile>\n";

static size_t write_nrrd_header(const Grid* grid, char out[HEADER_SIZE])
{
    int length = snprintf(out, HEADER_SIZE,
                          "NRRD0004\n"
                          "# signed distances, negative inside\n"
                          "type: float\n"
                          "dimension: 3\n"
                          "space dimension: 3\n"
                          "sizes: %u %u %u\n"
                          "space directions: (%s,0,0) (0,%s,0) (0,0,%s)\n"
                          "centers: node node node\n"
                          "kinds: space space space\n"
                          "endian: little\n"
                          "encoding: raw\n"
                          "space origin: (%s,%s,%s)\n"
                          "\n",
                          grid->node_count[0], grid->node_count[1], grid->node_count[2], grid->spacing,
                          grid->spacing, grid->spacing, grid->origin[0], grid->origin[1], grid->origin[2]);
    return (size_t)length;
}

/// Padded with spaces so that the data starts at a multiple of 64, as the format asks.
static size_t write_npy_header(const Grid* grid, char out[HEADER_SIZE])
{
    enum
    {
        PREFIX = 10, // magic, version and length
        ALIGNMENT = 64
    };
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    int length = snprintf(out + PREFIX, HEADER_SIZE - PREFIX,
                          "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u, %u), }",
                          grid->node_count[2], grid->node_count[1], grid->node_count[0]);
    size_t end = (PREFIX + (size_t)length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(out + PREFIX + length, ' ', end - PREFIX - (size_t)length);
    out[end - 1] = '\n';
    out[8] = (char)((end - PREFIX) & 0xFF);
    out[9] = (char)((end - PREFIX) >> 8);
    return end;
}

static size_t write_header(AbutVolumeFormat format, const Grid* grid, char out[HEADER_SIZE])
{
    return format == ABUT_VOLUME_FORMAT_VTI    ? write_vti_header(grid, out)
           : format == ABUT_VOLUME_FORMAT_NRRD ? write_nrrd_header(grid, out)
                                               : write_npy_header(grid, out);
}

// -----------------------------------------------------------------------------------------------------------
// Data
// -----------------------------------------------------------------------------------------------------------

/// One slice of constant z, whose rows are read on all workers.
typedef struct Slice
{
    const AbutShape* field;
    const Grid* grid;
    uint32_t z;
    float* values;
} Slice;

static void read_row(void* context, uint32_t y, uint32_t worker)
{
    (void)worker;
    const Slice* slice = context;
    uint32_t row = slice->grid->node_count[0];
    abut_field_read_nodes(slice->field, (const uint32_t[3]){ 0, y, slice->z },
                          (const uint32_t[3]){ row, 1, 1 }, slice->values + (size_t)y * row);
}

static AbutResult write_slices(const AbutVolumeSaveDef* def, const AbutHost* host, Slice* slice,
                               AbutIoOutput* output)
{
    const uint32_t* count = slice->grid->node_count;
    for (slice->z = 0; slice->z < count[2] && output->error == 0; ++slice->z)
    {
        if (def->progress != NULL && !def->progress(def->progress_user, (float)slice->z / (float)count[2]))
        {
            return abut_fail(ABUT_CANCELLED, "%s: saving was cancelled", output->path);
        }
        host->parallel_for(host->user, count[1], read_row, slice);
        abut_io_output_write(output, slice->values, sizeof(float) * count[0] * count[1]);
    }
    return ABUT_OK;
}

static AbutResult write_volume(const AbutVolumeSaveDef* def, AbutVolumeFormat format, Slice* slice,
                               const char* path)
{
    AbutHost host = abut_io_host(def->host);
    const Grid* grid = slice->grid;
    AbutIoOutput output;
    AbutResult result = abut_io_output_open(&output, path);
    if (result != ABUT_OK)
    {
        return result;
    }
    char header[HEADER_SIZE];
    abut_io_output_write(&output, header, write_header(format, grid, header));
    size_t slice_bytes = sizeof(float) * grid->node_count[0] * grid->node_count[1];
    slice->values = abut_io_allocate(&host, slice_bytes);
    result = slice->values != NULL ? write_slices(def, &host, slice, &output) : ABUT_OUT_OF_MEMORY;
    abut_io_free(&host, slice->values, slice_bytes);
    if (result != ABUT_OK)
    {
        abut_io_output_cancel(&output);
        return result;
    }
    if (format == ABUT_VOLUME_FORMAT_VTI)
    {
        abut_io_output_write(&output, vti_end, sizeof(vti_end) - 1);
    }
    return abut_io_output_close(&output);
}

AbutResult abut_volume_save(const AbutVolumeSaveDef* def, const AbutShape* field, const char* path)
{
    ABUT_FP_CALL(abut_volume_save, def, field, path);
    AbutVolumeFormat format =
        def->format != ABUT_VOLUME_FORMAT_UNKNOWN ? def->format : abut_volume_format_from_path(path);
    if (format != ABUT_VOLUME_FORMAT_VTI && format != ABUT_VOLUME_FORMAT_NRRD &&
        format != ABUT_VOLUME_FORMAT_NPY)
    {
        return abut_fail(ABUT_UNSUPPORTED,
                         "%s: volumes are written as .vti, .nrrd or .npy, by the ending of the name", path);
    }
    if (!abut_shape_is_field(field))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "%s: only a field has nodes to write; bake this %s into one first", path,
                         abut_shape_kind_name(abut_shape_info(field).kind));
    }
    Grid grid = make_grid(field);
    if (grid.data_bytes + HEADER_SIZE > def->max_bytes)
    {
        return abut_fail(
            ABUT_LIMIT_EXCEEDED,
            "%s: all %u x %u x %u nodes take %llu bytes, and the limit is %llu; use larger cells", path,
            grid.node_count[0], grid.node_count[1], grid.node_count[2], (unsigned long long)grid.data_bytes,
            (unsigned long long)def->max_bytes);
    }
    Slice slice = { .field = field, .grid = &grid };
    return write_volume(def, format, &slice, path);
}
