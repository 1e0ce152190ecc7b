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

static double box_volume(const AbutFieldInfo* info)
{
    return (double)info->cell_count[0] * info->cell_count[1] * info->cell_count[2] * info->cell_size *
           info->cell_size * info->cell_size;
}

static void print_sign(const AbutFieldInfo* info)
{
    const AbutSignReport* sign = &info->sign;
    if (info->mesh_mass.volume == 0.0 && !sign->sheets && sign->uncertain_nodes == 0)
    {
        return; // not baked from a mesh with an inside
    }
    bool holes = sign->uncertain_nodes > 0;
    print_row("surface", "%s%s", sign->closed ? "closed" : (holes ? "open" : "closed across gaps"),
              sign->inverted ? ", was inside out" : "");
    if ((double)sign->gap_width > 1e-6 * info->cell_size)
    {
        print_row("gaps closed", "by what is within %.3g of the mesh, which the proved error includes",
                  (double)sign->gap_width);
    }
    if (sign->sheets)
    {
        print_row("sheets", "open parts that enclose nothing have no inside (--sign shell gives them one)");
    }
    if (!holes)
    {
        print_row("sign in doubt", "nowhere");
        return;
    }
    print_row("sign in doubt", "%.3g %% of the box (%" PRIu64 " nodes): use --close, or --sign shell",
              100.0 * sign->uncertain_volume / box_volume(info), sign->uncertain_nodes);
}

/// Of the two that a field has, the mass that holds.
static const AbutMassData* best_mass(const AbutFieldInfo* info)
{
    return info->mass_source == ABUT_MASS_FROM_MESH ? &info->mesh_mass : &info->mass;
}

static void print_volume(const AbutFieldInfo* info)
{
    if (info->mass_source == ABUT_MASS_UNKNOWN)
    {
        print_row("volume", "not known: thinner than a cell, and the mesh is open or crosses itself");
    }
    else
    {
        print_mass(best_mass(info));
    }
    if (info->mesh_mass.volume != 0.0)
    {
        print_row("volume of the mesh", "%.9g", info->mesh_mass.volume);
        print_row("volume of cells", "%.9g", info->mass.volume);
    }
}

static const char* mass_source_name(AbutMassSource source)
{
    return source == ABUT_MASS_FROM_MESH ? "mesh" : (source == ABUT_MASS_UNKNOWN ? "unknown" : "cells");
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
              info.bounds_bytes, info.octree_bytes);
    if (file_bytes(name) > 0.0)
    {
        print_row("file", "%.0f bytes", file_bytes(name));
    }
    print_error(&info);
    print_row("slope at most", "%.4g", (double)abut_shape_info(field).lipschitz);
    close_mesh_print(story.close);
    print_sign(&info);
    print_bounds(abut_shape_info(field).bounds);
    print_volume(&info);
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
    cJSON_AddNumberToObject(document, "octree_bytes", (double)info.octree_bytes);
    cJSON_AddNumberToObject(document, "file_bytes", file_bytes(name));
    json_add_float(document, "error_bound", info.error_bound);
    json_add_float(document, "error_max", info.measured_max);
    json_add_float(document, "error_rms", info.measured_rms);
    json_add_float(document, "lipschitz", abut_shape_info(field).lipschitz);
    json_add_box(document, "bounds", abut_shape_info(field).bounds);
    if (info.mass_source == ABUT_MASS_UNKNOWN)
    {
        cJSON_AddNullToObject(document, "volume");
        cJSON_AddNullToObject(document, "mass");
    }
    else
    {
        cJSON_AddNumberToObject(document, "volume", best_mass(&info)->volume);
        json_add_mass(document, "mass", best_mass(&info));
    }
    cJSON_AddNumberToObject(document, "cell_volume", info.mass.volume);
    cJSON_AddNumberToObject(document, "mesh_volume", info.mesh_mass.volume);
    cJSON_AddStringToObject(document, "mass_source", mass_source_name(info.mass_source));
    cJSON* sign = cJSON_AddObjectToObject(document, "sign");
    cJSON_AddBoolToObject(sign, "closed", info.sign.closed);
    cJSON_AddBoolToObject(sign, "inverted", info.sign.inverted);
    cJSON_AddNumberToObject(sign, "winding_nodes", (double)info.sign.winding_nodes);
    cJSON_AddNumberToObject(sign, "uncertain_nodes", (double)info.sign.uncertain_nodes);
    cJSON_AddNumberToObject(sign, "uncertain_volume", info.sign.uncertain_volume);
    cJSON_AddNumberToObject(sign, "uncertain_part", info.sign.uncertain_volume / box_volume(&info));
    cJSON_AddBoolToObject(sign, "sheets", info.sign.sheets);
    json_add_float(sign, "gap_width", info.sign.gap_width);
    close_mesh_add_json(document, story.close);
    return json_print(document);
}
