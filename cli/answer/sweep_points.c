// Points on the surfaces of the two solids.
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

/// The mesh that "part.obj@64" or "gear@96" was baked from; NULL when there is none.
static AbutMesh* find_mesh(const Session* session, const char* text)
{
    const char* at = strrchr(text, '@');
    char name[1024];
    size_t length = at != NULL ? (size_t)(at - text) : 0;
    if (length == 0 || length >= sizeof(name) || strchr(text, '(') != NULL)
    {
        return NULL;
    }
    memcpy(name, text, length);
    name[length] = '\0';
    AbutParsedShape loaded;
    if (abut_shape_parse(name, &session->host, &loaded) != ABUT_OK)
    {
        return NULL;
    }
    abut_shape_destroy(loaded.shape);
    return loaded.mesh;
}

/// About how many points cover a surface at least, by the area of a coarse one: discs of this radius do not
/// cover it with fewer.
static double least_points(const AbutShape* shape, double spacing)
{
    AbutSurfaceDef def = abut_surface_def();
    AbutMeshInspectDef inspect = abut_mesh_inspect_def();
    AbutMeshReport report = { 0 };
    AbutMesh* mesh = NULL;
    def.resolution = 32;
    inspect.self_intersection_limit = 0;
    if (abut_surface_create(&def, shape, &mesh) != ABUT_OK ||
        abut_mesh_inspect(&inspect, mesh, &report) != ABUT_OK)
    {
        report.area = 0.0; // the sampling itself says what is wrong
    }
    abut_mesh_destroy(mesh);
    return report.area / (2.0 * 3.14159 * spacing * spacing); // a half, for what is coarse
}

static AbutResult sample(const Session* session, const SweepSettings* settings, const AbutMesh* mesh,
                         const AbutShape* shape, AbutPointSet** out)
{
    if (settings->vertices)
    {
        return abut_points_create_from_vertices(mesh, &session->host, out);
    }
    AbutPointsDef def = abut_points_def();
    double least = settings->spacing > 0.0 && mesh == NULL ? least_points(shape, settings->spacing) : 0.0;
    if (least > (double)def.count_limit)
    {
        return abut_fail(
            ABUT_LIMIT_EXCEEDED,
            "sweep: --spacing %g takes about %.2g points or more; the limit is %u: use a larger one",
            settings->spacing, least, def.count_limit);
    }
    Progress progress = progress_start("sampling surfaces");
    def.spacing = (float)settings->spacing;
    def.count = settings->points > 0 ? settings->points : def.count;
    def.host = &session->host;
    def.progress = progress_show;
    def.progress_user = &progress;
    AbutResult result = mesh != NULL ? abut_points_create_from_mesh(&def, mesh, out)
                                     : abut_points_create_from_shape(&def, shape, out);
    progress_end();
    return result;
}

static bool make_side(const Session* session, const SweepSettings* settings, const char* text,
                      const AbutShape* shape, AbutPointSet** out)
{
    AbutMesh* mesh = find_mesh(session, text);
    bool possible =
        mesh != NULL || (!settings->vertices && abut_box_is_finite(abut_shape_info(shape).bounds));
    AbutResult result = possible ? sample(session, settings, mesh, shape, out) : ABUT_OK;
    abut_mesh_destroy(mesh);
    if (result != ABUT_OK)
    {
        message_error("points of %s: %s", text, abut_last_error());
    }
    return result == ABUT_OK;
}

bool sweep_points_make(const Session* session, const SweepSettings* settings, AbutShape* const shapes[2],
                       SweepPoints* out)
{
    for (int i = 0; i < 2; ++i)
    {
        bool wanted =
            settings->side == NULL || strcmp(settings->side, "both") == 0 || settings->side[0] == "ab"[i];
        if (wanted && !make_side(session, settings, session->positionals->items[i], shapes[i], &out->of[i]))
        {
            return false;
        }
    }
    if (out->of[0] == NULL && out->of[1] == NULL)
    {
        message_error(settings->vertices
                          ? "sweep: --vertices are those of a mesh: one of the SHAPEs must be a mesh with a "
                            "resolution, such as part.obj@64; --points N samples any surface"
                          : "sweep: a surface without end cannot be sampled; --side names the other one, "
                            "--method solids needs no points");
        return false;
    }
    return true;
}

void sweep_points_free(SweepPoints* points)
{
    abut_points_destroy(points->of[0]);
    abut_points_destroy(points->of[1]);
}
