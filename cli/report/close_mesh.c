#include "close_mesh.h"

#include "report_rows.h"

#include <inttypes.h>
#include <stdio.h>

ExitCode close_mesh(const Session* session, const char* verb, AbutParsedShape* loaded,
                    AbutMeshCloseReport* report)
{
    if (loaded->mesh == NULL)
    {
        message_error("%s: --close is for meshes; a shape has no holes", verb);
        return EXIT_USAGE;
    }
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.host = &session->host;
    AbutMesh* closed = NULL;
    progress_start("closing holes");
    AbutResult result = abut_mesh_close(&def, loaded->mesh, &closed, report);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    abut_mesh_destroy(loaded->mesh);
    loaded->mesh = closed;
    return EXIT_DONE;
}

/// Why loops and chains were left open.
typedef struct Reason
{
    uint32_t count;
    const char* words;
} Reason;

static void print_left_open(const AbutMeshCloseReport* report)
{
    const Reason reasons[] = {
        { report->flat_count, "around what would enclose nothing (flat sheets, loose triangles)" },
        { report->tangled_count, "ending at edges with three or more triangles" },
        { report->inconsistent_count, "ending where neighbours disagree on the way round" },
    };
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); ++i)
    {
        if (reasons[i].count > 0)
        {
            print_row("left open", "%" PRIu32 " %s", reasons[i].count, reasons[i].words);
        }
    }
    if (report->open_edge_count > 0)
    {
        print_row("", "%" PRIu32 " edges in all", report->open_edge_count);
    }
}

void close_mesh_print(const AbutMeshCloseReport* report)
{
    if (report == NULL)
    {
        return;
    }
    if (report->loop_count > 0)
    {
        print_row("holes closed",
                  "%" PRIu32 " by %" PRIu32 " triangles of area %.4g; the largest %.4g across, %" PRIu32
                  " edges",
                  report->loop_count, report->triangle_count, report->area, report->largest_size,
                  report->largest_edge_count);
    }
    else
    {
        print_row("holes closed", "none");
    }
    if (report->joined_count > 0 || report->seam_count > 0)
    {
        print_row("seams", "%" PRIu32 " vertices joined, %" PRIu32 " edges split at T-junctions",
                  report->joined_count, report->seam_count);
    }
    print_left_open(report);
}

void close_mesh_add_json(cJSON* document, const AbutMeshCloseReport* report)
{
    if (report == NULL)
    {
        return;
    }
    cJSON* close = cJSON_AddObjectToObject(document, "close");
    cJSON_AddBoolToObject(close, "closed", report->closed);
    cJSON_AddNumberToObject(close, "loops", report->loop_count);
    cJSON_AddNumberToObject(close, "triangles", report->triangle_count);
    cJSON_AddNumberToObject(close, "vertices", report->vertex_count);
    cJSON_AddNumberToObject(close, "joined", report->joined_count);
    cJSON_AddNumberToObject(close, "seams", report->seam_count);
    cJSON_AddNumberToObject(close, "area", report->area);
    cJSON_AddNumberToObject(close, "largest_size", report->largest_size);
    cJSON_AddNumberToObject(close, "largest_edges", report->largest_edge_count);
    json_add_box(close, "largest_box", report->largest_box);
    cJSON_AddNumberToObject(close, "flat", report->flat_count);
    cJSON_AddNumberToObject(close, "tangled", report->tangled_count);
    cJSON_AddNumberToObject(close, "inconsistent", report->inconsistent_count);
    cJSON_AddNumberToObject(close, "open_edges", report->open_edge_count);
}
