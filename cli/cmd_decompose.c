// abut decompose: convex pieces of a closed mesh, as files, and the error that they leave.
#include "close_mesh.h"
#include "command.h"
#include "json.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DEFAULT_PIECES = 16,
    DEFAULT_SAMPLES = 20000,
    PATH_SIZE = 1024
};

typedef struct DecomposeSettings
{
    CommonSettings common;
    const char* output;
    double error;
    double patch_error;
    uint32_t pieces;
    uint32_t samples;
    bool all;
    bool together;
    bool close;
} DecomposeSettings;

/// The cut, its meshes and its error.
typedef struct Pieces
{
    AbutDecomposition* decomposition;
    uint32_t* nodes;
    uint32_t count;
    AbutDecompositionError error;
} Pieces;

static void set_defaults(void* settings_pointer)
{
    DecomposeSettings* settings = settings_pointer;
    settings->pieces = DEFAULT_PIECES;
    settings->samples = DEFAULT_SAMPLES;
}

static ExitCode check_settings(const DecomposeSettings* settings)
{
    if (!command_check_length("--error", settings->error) ||
        !command_check_length("--patch-error", settings->patch_error))
    {
        return EXIT_USAGE;
    }
    if (settings->output == NULL)
    {
        return EXIT_DONE;
    }
    if (abut_mesh_format_from_path(settings->output) == ABUT_MESH_FORMAT_UNKNOWN)
    {
        message_error("%s: meshes are written as .obj, .ply or .stl", settings->output);
        return EXIT_USAGE;
    }
    return output_file_check("decompose: -o", settings->output, NULL);
}

// -----------------------------------------------------------------------------------------------------------
// Files
// -----------------------------------------------------------------------------------------------------------

/// Appends the faces of a hull as fans of triangles.
static void add_hull(const AbutHull* hull, AbutVec3* vertices, uint32_t* indices, AbutMeshDef* def)
{
    AbutHullInfo info = abut_hull_info(hull);
    uint32_t base = def->vertex_count;
    memcpy(vertices + base, abut_hull_points(hull), info.vertex_count * sizeof(AbutVec3));
    def->vertex_count += info.vertex_count;
    for (uint32_t face = 0; face < info.face_count; ++face)
    {
        uint32_t corners[3];
        uint32_t count = abut_hull_face_vertices(hull, face, corners, 3);
        uint32_t* polygon = malloc(count * sizeof(uint32_t));
        if (polygon == NULL)
        {
            return;
        }
        abut_hull_face_vertices(hull, face, polygon, count);
        for (uint32_t i = 1; i + 1 < count; ++i)
        {
            uint32_t* triangle = indices + 3 * (size_t)def->triangle_count++;
            triangle[0] = base + polygon[0];
            triangle[1] = base + polygon[i];
            triangle[2] = base + polygon[i + 1];
        }
        free(polygon);
    }
}

/// A hull of V vertices has at most 2 V − 4 triangles, two back to back when it is flat.
static ExitCode save_nodes(const Pieces* pieces, uint32_t first, uint32_t end, const char* path)
{
    size_t vertex_count = 0;
    for (uint32_t i = first; i < end; ++i)
    {
        vertex_count += abut_hull_info(abut_decomposition_node(pieces->decomposition, pieces->nodes[i]).hull)
                            .vertex_count;
    }
    AbutVec3* vertices = malloc(vertex_count * sizeof(AbutVec3));
    uint32_t* indices = malloc(vertex_count * 6 * sizeof(uint32_t));
    AbutMeshDef def = abut_mesh_def();
    AbutMesh* mesh = NULL;
    bool is_saved = false;
    if (vertices != NULL && indices != NULL)
    {
        for (uint32_t i = first; i < end; ++i)
        {
            add_hull(abut_decomposition_node(pieces->decomposition, pieces->nodes[i]).hull, vertices, indices,
                     &def);
        }
        def.vertices = vertices;
        def.indices = indices;
        is_saved = abut_mesh_create(&def, &mesh) == ABUT_OK && abut_mesh_save(mesh, path) == ABUT_OK;
    }
    if (!is_saved)
    {
        message_error("%s", vertices != NULL && indices != NULL ? abut_last_error() : "out of memory");
    }
    abut_mesh_destroy(mesh);
    free(vertices);
    free(indices);
    return is_saved ? EXIT_DONE : EXIT_INPUT;
}

/// "pieces.obj" and 7: "pieces_007.obj". @return false when it is too long.
static bool piece_path(const char* output, uint32_t piece, char path[PATH_SIZE])
{
    const char* dot = strrchr(output, '.');
    int length = snprintf(path, PATH_SIZE, "%.*s_%03" PRIu32 "%s", (int)(dot - output), output, piece, dot);
    return length > 0 && length < PATH_SIZE;
}

static ExitCode save_pieces(const DecomposeSettings* settings, const Pieces* pieces)
{
    ExitCode code = save_nodes(pieces, 0, pieces->count, settings->output);
    for (uint32_t i = 0; code == EXIT_DONE && !settings->together && i < pieces->count; ++i)
    {
        char path[PATH_SIZE];
        if (!piece_path(settings->output, i + 1, path))
        {
            message_error("%s: the name is too long", settings->output);
            return EXIT_INPUT;
        }
        code = save_nodes(pieces, i, i + 1, path);
    }
    return code;
}

// -----------------------------------------------------------------------------------------------------------
// Report
// -----------------------------------------------------------------------------------------------------------

static void print_report(const DecomposeSettings* settings, const Pieces* pieces)
{
    const AbutDecompositionError* error = &pieces->error;
    printf("%" PRIu32 " pieces of %" PRIu32 " convex patches\n", pieces->count,
           abut_decomposition_leaf_count(pieces->decomposition));
    printf("  outside of the solid  %.4g of its volume (%.6g of %.6g)\n",
           error->outside_volume / error->solid_volume, error->outside_volume, error->solid_volume);
    printf("  not covered           %.4g of its volume (%.6g)\n",
           error->uncovered_volume / error->solid_volume, error->uncovered_volume);
    printf("  largest distance      %.6g outside of the solid (at most %.6g)\n", error->distance,
           error->distance_bound);
    if (settings->output != NULL)
    {
        print_text(settings->output);
        printf(settings->together ? ": all pieces\n" : ": all pieces; a file for each beside it\n");
    }
}

static void add_piece(cJSON* list, const DecomposeSettings* settings, const Pieces* pieces, uint32_t i)
{
    AbutDecompositionNode node = abut_decomposition_node(pieces->decomposition, pieces->nodes[i]);
    AbutHullInfo info = abut_hull_info(node.hull);
    cJSON* piece = cJSON_CreateObject();
    char path[PATH_SIZE];
    if (settings->output != NULL && !settings->together && piece_path(settings->output, i + 1, path))
    {
        cJSON_AddStringToObject(piece, "output", path);
    }
    cJSON_AddNumberToObject(piece, "vertices", info.vertex_count);
    cJSON_AddNumberToObject(piece, "faces", info.face_count);
    cJSON_AddNumberToObject(piece, "triangles", node.triangle_count);
    cJSON_AddNumberToObject(piece, "concavity", (double)node.concavity);
    json_add_box(piece, "bounds", info.bounds);
    cJSON_AddItemToArray(list, piece);
}

static ExitCode print_json(const DecomposeSettings* settings, const Pieces* pieces,
                           const AbutMeshCloseReport* closed)
{
    const AbutDecompositionError* error = &pieces->error;
    cJSON* document = cJSON_CreateObject();
    if (settings->output != NULL)
    {
        cJSON_AddStringToObject(document, "output", settings->output);
    }
    cJSON_AddNumberToObject(document, "patches", abut_decomposition_leaf_count(pieces->decomposition));
    cJSON* list = cJSON_AddArrayToObject(document, "pieces");
    for (uint32_t i = 0; i < pieces->count; ++i)
    {
        add_piece(list, settings, pieces, i);
    }
    cJSON* measured = cJSON_AddObjectToObject(document, "error");
    cJSON_AddNumberToObject(measured, "solid_volume", error->solid_volume);
    cJSON_AddNumberToObject(measured, "pieces_volume", error->pieces_volume);
    cJSON_AddNumberToObject(measured, "outside_volume", error->outside_volume);
    cJSON_AddNumberToObject(measured, "uncovered_volume", error->uncovered_volume);
    cJSON_AddNumberToObject(measured, "volume_step", error->volume_step);
    cJSON_AddNumberToObject(measured, "distance", error->distance);
    cJSON_AddNumberToObject(measured, "distance_bound", error->distance_bound);
    close_mesh_add_json(document, closed);
    return json_print(document);
}

// -----------------------------------------------------------------------------------------------------------
// The verb
// -----------------------------------------------------------------------------------------------------------

static ExitCode report_failure(const char* text)
{
    progress_end();
    message_error("%s", text);
    return EXIT_INPUT;
}

/// Patches, tree, cut and error.
static ExitCode decompose(const Session* session, const DecomposeSettings* settings, const AbutMesh* mesh,
                          Pieces* out)
{
    AbutDecomposeDef def = abut_decompose_def();
    def.patch_error = (float)settings->patch_error;
    def.host = &session->host;
    progress_start("decomposing");
    if (abut_decompose(&def, mesh, &out->decomposition) != ABUT_OK)
    {
        return report_failure(abut_last_error());
    }
    uint32_t most = settings->all ? 0 : settings->pieces;
    float error = (float)settings->error;
    out->count = abut_decomposition_cut(out->decomposition, most, error, NULL, 0);
    out->nodes = malloc(out->count * sizeof(uint32_t));
    if (out->nodes == NULL)
    {
        return report_failure("out of memory");
    }
    abut_decomposition_cut(out->decomposition, most, error, out->nodes, out->count);
    progress_start("measuring");
    if (abut_decomposition_measure(out->decomposition, out->nodes, out->count, settings->samples,
                                   &out->error) != ABUT_OK)
    {
        return report_failure(abut_last_error());
    }
    progress_end();
    return EXIT_DONE;
}

static ExitCode run_on_mesh(const Session* session, const DecomposeSettings* settings, const AbutMesh* mesh,
                            const AbutMeshCloseReport* closed)
{
    Pieces pieces = { 0 };
    ExitCode code = decompose(session, settings, mesh, &pieces);
    if (code == EXIT_DONE && settings->output != NULL)
    {
        code = save_pieces(settings, &pieces);
    }
    if (code == EXIT_DONE && settings->common.json)
    {
        code = print_json(settings, &pieces, closed);
    }
    else if (code == EXIT_DONE)
    {
        print_report(settings, &pieces);
        close_mesh_print(closed);
    }
    free(pieces.nodes);
    abut_decomposition_destroy(pieces.decomposition);
    return code;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const DecomposeSettings* settings = settings_pointer;
    ExitCode code = check_settings(settings);
    AbutParsedShape loaded;
    if (code != EXIT_DONE)
    {
        return code;
    }
    if (!command_load_shape(session, session->positionals->items[0], &loaded))
    {
        return EXIT_INPUT;
    }
    AbutMeshCloseReport closed;
    code = settings->close ? close_mesh(session, "decompose", &loaded, &closed) : EXIT_DONE;
    if (code == EXIT_DONE && loaded.mesh == NULL)
    {
        message_error("decompose: %s is no mesh; abut surface makes one of a shape",
                      session->positionals->items[0]);
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE)
    {
        code = run_on_mesh(session, settings, loaded.mesh, settings->close ? &closed : NULL);
    }
    abut_mesh_destroy(loaded.mesh);
    abut_shape_destroy(loaded.shape);
    return code;
}

static const Option options[] = {
    { "output", 'o', OPTION_TEXT, offsetof(DecomposeSettings, output), "OUT",
      "mesh file of all pieces (.obj, .ply or .stl); OUT_001, OUT_002, ... are the pieces", 0, 0, 0 },
    { "together", 0, OPTION_FLAG, offsetof(DecomposeSettings, together), NULL, "no file for each piece", 0, 0,
      0 },
    { "pieces", 'n', OPTION_COUNT, offsetof(DecomposeSettings, pieces), "N", "pieces at most (16)", 1,
      1000000, 0 },
    { "error", 0, OPTION_NUMBER, offsetof(DecomposeSettings, error), "E",
      "pieces whose concavity is at most E are not divided further (0)", 0, 0, 0 },
    { "all", 0, OPTION_FLAG, offsetof(DecomposeSettings, all), NULL,
      "as many pieces as --error needs, instead of --pieces", 0, 0, 0 },
    { "patch-error", 0, OPTION_NUMBER, offsetof(DecomposeSettings, patch_error), "E",
      "distance of a patch's hull outside of the solid (1/1000 of the diagonal)", 0, 0, 0 },
    { "samples", 0, OPTION_COUNT, offsetof(DecomposeSettings, samples), "N",
      "points that measure the volumes (20000)", 1, 10000000, 0 },
    { "close", 0, OPTION_FLAG, offsetof(DecomposeSettings, close), NULL, CLOSE_HELP, 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_decompose = {
    .name = "decompose",
    .usage = "MESH -o OUT [options]",
    .summary = "convex pieces of a closed mesh, as files",
    .description = "Divides the surface of a closed MESH into convex patches, merges their hulls to a tree, "
                   "and cuts it at a\n"
                   "number of pieces or at an error. The pieces cover the surface. The report has the error "
                   "that they leave:\n"
                   "the volume outside of the solid, the volume of the solid that no piece covers, and the "
                   "largest distance\n"
                   "of a piece's surface outside of the solid.",
    .examples = "  abut decompose part.obj -o pieces.obj\n"
                "  abut decompose bunny.obj -n 32 --together -o hulls.ply\n"
                "  abut decompose gear:24,0.05,0.2 --error 0.01 --all --json\n"
                "  abut decompose scan.ply --close -o convex.stl\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = 1,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
