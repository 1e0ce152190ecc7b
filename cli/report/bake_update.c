#include "bake_update.h"

#include "close_mesh.h"

bool bake_update_check(const BakeUpdateNames* names)
{
    if (names->field == NULL && (names->before != NULL || names->changed_shape != NULL))
    {
        message_error("bake: --before and --part go with --update FIELD");
        return false;
    }
    if (names->field != NULL && (names->before != NULL) == (names->changed_shape != NULL))
    {
        message_error(
            "bake: --update wants to know what was changed: --before MESH for a mesh, or --part SHAPE");
        return false;
    }
    return true;
}

static AbutResult update(const AbutBakeDef* def, const AbutShape* field, const AbutParsedShape* changed,
                         const AbutParsedShape* source, AbutBakeUpdate* report, AbutShape** out)
{
    if (source->mesh != NULL)
    {
        AbutBakeMeshChange change = { field, changed->mesh, source->mesh };
        return abut_bake_update_mesh(def, &change, report, out);
    }
    const AbutShape* shapes[1] = { changed->shape };
    AbutBakeShapeChange change = { field, source->shape, shapes, 1 };
    return abut_bake_update_shape(def, &change, report, out);
}

ExitCode bake_update_run(const Session* session, const AbutBakeDef* def, const BakeUpdateNames* names,
                         const AbutParsedShape* source, AbutBakeUpdate* report, AbutShape** out)
{
    AbutShape* field = NULL;
    AbutParsedShape changed = { 0 };
    if (abut_field_load(names->field, &session->host, &field) != ABUT_OK)
    {
        message_error("%s", abut_last_error());
        return EXIT_INPUT;
    }
    ExitCode code = EXIT_INPUT;
    if (command_load_shape(session, names->before != NULL ? names->before : names->changed_shape, &changed))
    {
        if ((source->mesh != NULL) != (names->before != NULL) ||
            (changed.mesh != NULL) != (names->before != NULL))
        {
            message_error(
                "bake: --before MESH is for the update of a mesh, and --part SHAPE for that of a shape");
        }
        else if (names->close && close_mesh(session, "bake", &changed, NULL) != EXIT_DONE)
        {
            code = EXIT_INPUT;
        }
        else if (update(def, field, &changed, source, report, out) != ABUT_OK)
        {
            message_error("%s", abut_last_error());
        }
        else
        {
            code = EXIT_DONE;
        }
    }
    abut_shape_destroy(changed.shape);
    abut_mesh_destroy(changed.mesh);
    abut_shape_destroy(field);
    return code;
}
