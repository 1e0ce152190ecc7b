// abut info: what a shape promises, or what is in a mesh.
#include "close_mesh.h"
#include "command.h"
#include "device_report.h"
#include "field_report.h"
#include "json.h"
#include "point_hull_output.h"
#include "report_rows.h"
#include "volume.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct InfoSettings
{
    CommonSettings common;
    const char* require;
    uint32_t self_intersection_limit;
    bool close;
    bool devices;
} InfoSettings;

static void set_defaults(void* settings)
{
    ((InfoSettings*)settings)->self_intersection_limit = abut_mesh_inspect_def().self_intersection_limit;
}

static const char* yes_or_no(bool value)
{
    return value ? "yes" : "no";
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

typedef struct ShapeFacts
{
    AbutShapeInfo info;
    AbutMeshShapeReport sign; // of triangles as they are
    bool has_volume;          // shapes without end have none
    VolumeEstimate volume;
} ShapeFacts;

/// The part of the box of a mesh in which its sign is in doubt.
static double uncertain_fraction(const ShapeFacts* facts)
{
    AbutVec3 sides = abut_box_extents(facts->info.bounds);
    double box = (double)sides.x * (double)sides.y * (double)sides.z;
    return box > 0.0 ? facts->sign.uncertain_volume / box : 0.0;
}

static void print_sign(const ShapeFacts* facts)
{
    const AbutMeshShapeReport* sign = &facts->sign;
    print_row("surface", "%s%s", sign->closed ? "closed" : (sign->certain ? "closed across gaps" : "open"),
              sign->inverted ? ", was inside out" : "");
    if (sign->certain)
    {
        print_row("sign in doubt", "nowhere");
        return;
    }
    print_row("sign in doubt",
              "%.3g %% of the box (%" PRIu32 " holes, %" PRIu32 " open edges): use mesh(MESH@N,close)",
              100.0 * uncertain_fraction(facts), sign->uncertain_region_count, sign->open_edge_count);
}

static void add_sign(cJSON* document, const ShapeFacts* facts)
{
    const AbutMeshShapeReport* report = &facts->sign;
    cJSON* sign = cJSON_AddObjectToObject(document, "sign");
    cJSON_AddBoolToObject(sign, "closed", report->closed);
    cJSON_AddBoolToObject(sign, "inverted", report->inverted);
    cJSON_AddNumberToObject(sign, "open_edges", report->open_edge_count);
    cJSON_AddNumberToObject(sign, "uncertain_regions", report->uncertain_region_count);
    cJSON_AddNumberToObject(sign, "uncertain_volume", report->uncertain_volume);
    cJSON_AddNumberToObject(sign, "uncertain_part", uncertain_fraction(facts));
}

static ExitCode print_shape_json(const char* text, const ShapeFacts* facts)
{
    const AbutShapeInfo* info = &facts->info;
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "type", "shape");
    cJSON_AddStringToObject(document, "text", text);
    cJSON_AddStringToObject(document, "kind", abut_shape_kind_name(info->kind));
    cJSON_AddStringToObject(document, "distance", abut_distance_kind_name(info->distance_kind));
    json_add_float(document, "lipschitz", info->lipschitz);
    json_add_float(document, "error", info->error);
    json_add_float(document, "band", info->band);
    cJSON_AddBoolToObject(document, "convex", info->convex);
    json_add_box(document, "bounds", info->bounds);
    if (facts->has_volume)
    {
        cJSON_AddNumberToObject(document, "volume", facts->volume.volume);
        double range[2] = { facts->volume.low, facts->volume.high };
        json_add_doubles(document, "volume_range", range, 2);
    }
    else
    {
        cJSON_AddNullToObject(document, "volume");
        cJSON_AddNullToObject(document, "volume_range");
    }
    cJSON_AddNumberToObject(document, "bytes", (double)info->bytes);
    if (info->kind == ABUT_SHAPE_MESH)
    {
        add_sign(document, facts);
    }
    return json_print(document);
}

static ExitCode print_shape_text(const char* text, const ShapeFacts* facts)
{
    const AbutShapeInfo* info = &facts->info;
    print_text(text);
    putchar('\n');
    print_row("kind", "%s", abut_shape_kind_name(info->kind));
    print_row("distance", "%s", abut_distance_kind_name(info->distance_kind));
    print_row("slope at most", "%.7g", (double)info->lipschitz);
    print_row("error at most", "%.7g", (double)info->error);
    if (isfinite(info->band))
    {
        print_row("exact within", "%.7g of the surface", (double)info->band);
    }
    print_row("convex", "%s", info->convex ? "yes" : "not known to be");
    if (info->kind == ABUT_SHAPE_MESH)
    {
        print_sign(facts);
    }
    print_bounds(info->bounds);
    if (facts->has_volume)
    {
        print_row("volume", "%.6g (proved: %.6g to %.6g)", facts->volume.volume, facts->volume.low,
                  facts->volume.high);
    }
    else
    {
        print_row("volume", "none: without end");
    }
    print_row("memory", "%zu bytes", info->bytes);
    return EXIT_DONE;
}

static bool is_volume_of_triangles(const AbutMeshShapeReport* sign)
{
    return sign->certain && sign->simple && !sign->inverted;
}

/// Volume of triangles with holes: that of the mesh with caps. Any other surface that closes the holes within
/// their hulls has the same solid outside of these. False where caps are not in the hulls, or cross anything.
static bool volume_of_capped(const AbutShape* shape, const AbutHost* host, ShapeFacts* facts)
{
    AbutMesh* capped = NULL;
    AbutShape* solid = NULL;
    AbutMeshCloseReport closed;
    AbutMeshCloseDef def = abut_mesh_close_def();
    def.host = host;
    bool good = abut_mesh_close(&def, abut_shape_mesh(shape), &capped, &closed) == ABUT_OK && closed.closed &&
                closed.joined_count == 0 && closed.seam_count == 0 &&
                abut_shape_create_mesh(capped, host, &solid) == ABUT_OK;
    AbutMeshShapeReport sign = good ? abut_mesh_shape_report(solid) : (AbutMeshShapeReport){ 0 };
    good = good && is_volume_of_triangles(&sign);
    if (good)
    {
        double volume = abut_mesh_mass(capped).volume, doubt = facts->sign.uncertain_volume * (1.0 + 1e-9);
        facts->volume =
            (VolumeEstimate){ .volume = volume, .low = fmax(volume - doubt, 0.0), .high = volume + doubt };
    }
    abut_shape_destroy(solid);
    abut_mesh_destroy(capped);
    return good;
}

/// Volume by surface integral where that holds, else by samples.
static AbutResult measure_volume(const AbutShape* shape, const AbutHost* host, ShapeFacts* facts)
{
    const AbutMeshShapeReport* sign = &facts->sign;
    AbutMassData mass = { 0 };
    bool known = facts->info.kind == ABUT_SHAPE_CONVEX && abut_shape_mass(shape, host, &mass) == ABUT_OK;
    if (facts->info.kind == ABUT_SHAPE_MESH && is_volume_of_triangles(sign))
    {
        mass = abut_mesh_mass(abut_shape_mesh(shape));
        known = true;
    }
    if (known)
    {
        facts->volume = (VolumeEstimate){ .volume = mass.volume, .low = mass.volume, .high = mass.volume };
        return ABUT_OK;
    }
    if (facts->info.kind == ABUT_SHAPE_MESH && !sign->certain && volume_of_capped(shape, host, facts))
    {
        return ABUT_OK;
    }
    return volume_of_shape(shape, host, &facts->volume);
}

static ExitCode describe_shape(const Session* session, const InfoSettings* settings, const AbutShape* shape)
{
    if (abut_shape_is_field(shape))
    {
        const char* name = session->positionals->items[0];
        return settings->common.json ? field_report_json(name, shape, (FieldStory){ 0 })
                                     : field_report_text(name, shape, (FieldStory){ 0 });
    }
    ShapeFacts facts = { .info = abut_shape_info(shape), .sign = abut_mesh_shape_report(shape) };
    facts.has_volume = abut_box_is_empty(facts.info.bounds) || abut_box_is_finite(facts.info.bounds);
    if (facts.has_volume && measure_volume(shape, &session->host, &facts) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    const char* text = session->positionals->items[0];
    return settings->common.json ? print_shape_json(text, &facts) : print_shape_text(text, &facts);
}

// -----------------------------------------------------------------------------------------------------------
// Meshes
// -----------------------------------------------------------------------------------------------------------

static ExitCode print_mesh_json(const char* text, const AbutMeshReport* report,
                                const AbutMeshCloseReport* close)
{
    cJSON* document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "type", "mesh");
    cJSON_AddStringToObject(document, "text", text);
    cJSON_AddNumberToObject(document, "triangles", report->triangle_count);
    cJSON_AddNumberToObject(document, "vertices", report->vertex_count);
    cJSON_AddNumberToObject(document, "welded_vertices", report->welded_vertex_count);
    cJSON_AddNumberToObject(document, "components", report->component_count);
    cJSON_AddNumberToObject(document, "boundary_edges", report->boundary_edge_count);
    cJSON_AddNumberToObject(document, "nonmanifold_edges", report->nonmanifold_edge_count);
    cJSON_AddNumberToObject(document, "inconsistent_edges", report->inconsistent_edge_count);
    cJSON_AddNumberToObject(document, "t_junctions", report->t_junction_count);
    cJSON_AddBoolToObject(document, "t_junctions_sampled", report->t_junction_sampled);
    cJSON_AddNumberToObject(document, "degenerate_triangles", report->degenerate_count);
    cJSON_AddNumberToObject(document, "duplicate_triangles", report->duplicate_count);
    cJSON_AddNumberToObject(document, "self_intersections", (double)report->self_intersection_count);
    cJSON_AddBoolToObject(document, "self_intersections_sampled", report->self_intersection_sampled);
    cJSON_AddBoolToObject(document, "closed", report->closed);
    cJSON_AddBoolToObject(document, "oriented", report->oriented);
    json_add_box(document, "bounds", report->bounds);
    cJSON_AddNumberToObject(document, "area", report->area);
    cJSON_AddNumberToObject(document, "volume", report->mass.volume);
    json_add_mass(document, "mass", &report->mass);
    close_mesh_add_json(document, close);
    return json_print(document);
}

static ExitCode print_mesh_text(const char* text, const AbutMeshReport* report,
                                const AbutMeshCloseReport* close)
{
    print_text(text);
    putchar('\n');
    print_row("triangles", "%" PRIu32, report->triangle_count);
    print_row("vertices", "%" PRIu32 " (%" PRIu32 " distinct)", report->vertex_count,
              report->welded_vertex_count);
    print_row("components", "%" PRIu32, report->component_count);
    print_row("closed", "%s (%" PRIu32 " boundary, %" PRIu32 " non-manifold edges)",
              yes_or_no(report->closed), report->boundary_edge_count, report->nonmanifold_edge_count);
    print_row("oriented", "%s (%" PRIu32 " inconsistent edges)", yes_or_no(report->oriented),
              report->inconsistent_edge_count);
    close_mesh_print(close);
    print_row("T-junctions", "%s%" PRIu32, report->t_junction_sampled ? "about " : "",
              report->t_junction_count);
    print_row("degenerate", "%" PRIu32 " triangles", report->degenerate_count);
    print_row("duplicate", "%" PRIu32 " triangles", report->duplicate_count);
    print_row("self-intersections", "%s%" PRIu64 " pairs", report->self_intersection_sampled ? "about " : "",
              report->self_intersection_count);
    print_bounds(report->bounds);
    print_row("area", "%.9g", report->area);
    print_mass(&report->mass);
    return EXIT_DONE;
}

static bool satisfies(const AbutMeshReport* report, const char* requirement)
{
    if (requirement == NULL)
    {
        return true;
    }
    bool solid = report->closed && report->oriented;
    bool clean = solid && report->degenerate_count == 0 && report->duplicate_count == 0 &&
                 report->self_intersection_count == 0;
    return strcmp(requirement, "closed") == 0     ? report->closed
           : strcmp(requirement, "oriented") == 0 ? report->oriented
           : strcmp(requirement, "solid") == 0    ? solid
                                                  : clean;
}

static ExitCode describe_mesh(const Session* session, const InfoSettings* settings, const AbutMesh* mesh,
                              const AbutMeshCloseReport* close)
{
    Progress progress = progress_start("inspecting");
    AbutMeshInspectDef def = abut_mesh_inspect_def();
    def.skip_self_intersections = settings->self_intersection_limit == 0;
    def.self_intersection_limit = def.skip_self_intersections ? 1 : settings->self_intersection_limit;
    def.progress = progress_show;
    def.progress_user = &progress;
    def.host = &session->host;
    AbutMeshReport report;
    AbutResult result = abut_mesh_inspect(&def, mesh, &report);
    progress_end();
    if (result != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    const char* text = session->positionals->items[0];
    ExitCode code =
        settings->common.json ? print_mesh_json(text, &report, close) : print_mesh_text(text, &report, close);
    return code == EXIT_DONE && !satisfies(&report, settings->require) ? EXIT_ANSWER : code;
}

// -----------------------------------------------------------------------------------------------------------
// Point hulls
// -----------------------------------------------------------------------------------------------------------

static ExitCode describe_hull(const Session* session, const InfoSettings* settings, const char* path)
{
    AbutPointHull* hull = NULL;
    if (settings->close || settings->require != NULL)
    {
        message_error("info: --%s is for meshes", settings->close ? "close" : "require");
        return EXIT_USAGE;
    }
    if (abut_point_hull_load(path, &session->host, &hull) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    ExitCode code = EXIT_DONE;
    if (settings->common.json)
    {
        cJSON* document = cJSON_CreateObject();
        cJSON_AddStringToObject(document, "type", "point hull");
        cJSON_AddStringToObject(document, "text", path);
        point_hull_add_json(document, hull);
        code = json_print(document);
    }
    else
    {
        point_hull_print(hull);
    }
    abut_point_hull_destroy(hull);
    return code;
}

static ExitCode describe(const Session* session, const InfoSettings* settings, const char* text)
{
    AbutParsedShape loaded;
    if (!command_load_shape(session, text, &loaded))
    {
        return EXIT_INPUT;
    }
    AbutMeshCloseReport closed;
    ExitCode code = settings->close ? close_mesh(session, "info", &loaded, &closed) : EXIT_DONE;
    if (code == EXIT_DONE)
    {
        code = loaded.shape != NULL
                   ? describe_shape(session, settings, loaded.shape)
                   : describe_mesh(session, settings, loaded.mesh, settings->close ? &closed : NULL);
    }
    abut_shape_destroy(loaded.shape);
    abut_mesh_destroy(loaded.mesh);
    return code;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const InfoSettings* settings = settings_pointer;
    if (settings->devices != (session->positionals->count == 0))
    {
        message_error(settings->devices ? "info: --devices takes no SHAPE"
                                        : "info: an argument is missing; usage: abut info SHAPE | --devices");
        return EXIT_USAGE;
    }
    if (settings->devices)
    {
        return device_report(settings->common.json);
    }
    const char* text = session->positionals->items[0];
    return point_hull_is_block(text) ? describe_hull(session, settings, text)
                                     : describe(session, settings, text);
}

static const Option options[] = {
    { "require", 0, OPTION_CHOICE, offsetof(InfoSettings, require), "closed|oriented|solid|clean",
      "end with status 1 when a mesh is not (solid: closed and oriented; clean: solid,\n"
      "no degenerate, duplicate or crossing triangles)",
      0, 0, 0 },
    { "self-intersections", 0, OPTION_COUNT, offsetof(InfoSettings, self_intersection_limit), "N",
      "count crossing triangles exactly up to N triangles, from a sample above (1000000);\n"
      "0 leaves them out",
      0, UINT32_MAX, 0 },
    { "close", 0, OPTION_FLAG, offsetof(InfoSettings, close), NULL, CLOSE_HELP, 0, 0, 0 },
    { "devices", 0, OPTION_FLAG, offsetof(InfoSettings, devices), NULL,
      "list devices (GPUs) instead, with their limits and the verdicts of their self-tests", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_info = {
    .name = "info",
    .usage = "SHAPE | --devices [options]",
    .summary = "bounds, volume and promises of a shape; what is in a mesh",
    .description = "Prints what is known of SHAPE. A shape with a distance: its kind, what its distances are "
                   "(exact or a\n"
                   "bound), their slope and error, bounds, volume (an estimate, and a range that is proved). "
                   "A mesh: counts,\n"
                   "holes, non-manifold edges, T-junctions, degenerate and duplicate triangles, "
                   "self-intersections, area, and\n"
                   "volume, centre and inertia by surface integral. A point hull (.points): balls, error, "
                   "radii. In JSON, what\n"
                   "is infinite is null.",
    .examples = "  abut info torus:1,0.25\n"
                "  abut info part.obj --json\n"
                "  abut info part.stl --require solid && echo can be printed\n"
                "  abut info scan.ply --close\n"
                "  abut info 'difference(box:1,1,1;sphere:0.6)'\n"
                "  abut info --devices\n",
    .options = options,
    .least_arguments = 0,
    .most_arguments = 1,
    .lists_shapes = true,
    .set_defaults = set_defaults,
    .run = run,
};
