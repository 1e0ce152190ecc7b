#include "field_report.h"

#include "close_mesh.h"
#include "json.h"
#include "report_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/// Bytes of the file that a SHAPE names; 0 when it names none.
static double file_bytes(const char* name)
{
    struct stat status;
    return stat(name, &status) == 0 ? (double)status.st_size : 0.0;
}

static void print_error(const AbutFieldInfo* info)
{
    if (!isfinite(info->measured_max))
    {
        print_row("error", "not known: the distances were computed elsewhere");
        return;
    }
    print_row("error", "measured: %.3g at most, %.3g RMS near the surface; proved: %.3g",
              (double)info->measured_max, (double)info->measured_rms, (double)info->error_bound);
}

static void print_sign(const AbutFieldInfo* info)
{
    const AbutSignReport* sign = &info->sign;
    if (info->mesh_mass.volume == 0.0)
    {
        return; // not baked from a mesh with an inside
    }
    print_row("surface", "%s%s", sign->closed ? "closed" : "open", sign->inverted ? ", was inside out" : "");
    print_row("sign in doubt", "%" PRIu64 " nodes (volume %.4g)", sign->doubtful_nodes,
              sign->doubtful_volume);
}

ExitCode field_report_text(const char* name, const AbutShape* field, FieldStory story)
{
    const AbutBakeUpdate* update = story.update;
    AbutFieldInfo info = abut_field_info(field);
    print_text(name);
    putchar('\n');
    print_row("kind", "field, %s, order %" PRIu32 ", %s", info.sparse ? "sparse" : "dense", info.order,
              abut_field_format_name(info.format));
    print_row("cells", "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " of size %.7g", info.cell_count[0],
              info.cell_count[1], info.cell_count[2], info.cell_size);
    print_row("bricks", "%" PRIu32 " of %" PRIu32 " stored", info.stored_brick_count, info.brick_count);
    if (update != NULL)
    {
        print_row("redone", "%" PRIu32 " of %" PRIu32 " bricks%s%s", update->redone_brick_count,
                  update->brick_count, update->reason != NULL ? ": " : "",
                  update->reason != NULL ? update->reason : "");
    }
    print_row("memory", "%zu bytes, %zu of them bounds, %zu octree for collisions", info.bytes,
              info.bounds_bytes, info.center_bytes);
    if (file_bytes(name) > 0.0)
    {
        print_row("file", "%.0f bytes", file_bytes(name));
    }
    print_error(&info);
    print_row("slope at most", "%.4g", (double)abut_shape_info(field).lipschitz);
    close_mesh_print(story.close);
    print_sign(&info);
    print_bounds(abut_shape_info(field).bounds);
    print_mass(&info.mass);
    if (info.mesh_mass.volume != 0.0)
    {
        print_row("volume of the mesh", "%.9g", info.mesh_mass.volume);
    }
    return EXIT_DONE;
}

ExitCode field_report_json(const char* name, const AbutShape* field, FieldStory story)
{
    const AbutBakeUpdate* update = story.update;
    AbutFieldInfo info = abut_field_info(field);
    cJSON* document = cJSON_CreateObject();
    const double resolution[3] = { info.cell_count[0], info.cell_count[1], info.cell_count[2] };
    cJSON_AddStringToObject(document, "type", "field");
    cJSON_AddStringToObject(document, "text", name);
    json_add_doubles(document, "resolution", resolution, 3);
    cJSON_AddNumberToObject(document, "cell_size", info.cell_size);
    const double origin[3] = { info.origin.x, info.origin.y, info.origin.z };
    json_add_doubles(document, "origin", origin, 3);
    cJSON_AddNumberToObject(document, "order", info.order);
    cJSON_AddStringToObject(document, "format", abut_field_format_name(info.format));
    cJSON_AddBoolToObject(document, "sparse", info.sparse);
    cJSON_AddNumberToObject(document, "bricks", info.brick_count);
    cJSON_AddNumberToObject(document, "stored_bricks", info.stored_brick_count);
    if (update != NULL)
    {
        cJSON_AddNumberToObject(document, "redone_bricks", update->redone_brick_count);
    }
    cJSON_AddNumberToObject(document, "bytes", (double)info.bytes);
    cJSON_AddNumberToObject(document, "bounds_bytes", (double)info.bounds_bytes);
    cJSON_AddNumberToObject(document, "center_bytes", (double)info.center_bytes);
    cJSON_AddNumberToObject(document, "file_bytes", file_bytes(name));
    json_add_float(document, "error_bound", info.error_bound);
    json_add_float(document, "error_max", info.measured_max);
    json_add_float(document, "error_rms", info.measured_rms);
    json_add_float(document, "lipschitz", abut_shape_info(field).lipschitz);
    json_add_box(document, "bounds", abut_shape_info(field).bounds);
    cJSON_AddNumberToObject(document, "volume", info.mass.volume);
    json_add_mass(document, "mass", &info.mass);
    cJSON_AddNumberToObject(document, "mesh_volume", info.mesh_mass.volume);
    cJSON* sign = cJSON_AddObjectToObject(document, "sign");
    cJSON_AddBoolToObject(sign, "closed", info.sign.closed);
    cJSON_AddBoolToObject(sign, "inverted", info.sign.inverted);
    cJSON_AddNumberToObject(sign, "winding_nodes", (double)info.sign.winding_nodes);
    cJSON_AddNumberToObject(sign, "doubtful_nodes", (double)info.sign.doubtful_nodes);
    cJSON_AddNumberToObject(sign, "doubtful_volume", info.sign.doubtful_volume);
    close_mesh_add_json(document, story.close);
    return json_print(document);
}
