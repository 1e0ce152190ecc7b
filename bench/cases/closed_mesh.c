#include "closed_mesh.h"

#include <abut/io.h>

AbutResult bench_load_closed(const char* path, AbutMesh** out)
{
    AbutMesh *loaded = NULL, *welded = NULL;
    AbutMeshCloseDef def = abut_mesh_close_def();
    AbutResult result = abut_mesh_load(path, &loaded);
    result = result == ABUT_OK ? abut_mesh_weld(loaded, 0.0f, NULL, &welded) : result;
    result = result == ABUT_OK ? abut_mesh_close(&def, welded, out, NULL) : result;
    abut_mesh_destroy(loaded);
    abut_mesh_destroy(welded);
    return result;
}
