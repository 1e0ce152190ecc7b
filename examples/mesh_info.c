// Loads a mesh file, tells what is in it and closes its holes: mesh_info [FILE]
// Without an argument it writes a gear to a file first.
#include <abut/abut.h>
#include <abut/io.h>
#include <abut/models.h>
#include <stdio.h>

static AbutResult write_gear(const char* path)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    AbutMesh* gear = NULL;
    AbutResult result = abut_mesh_create_gear(&def, &gear);
    if (result == ABUT_OK)
    {
        result = abut_mesh_save(gear, path);
    }
    abut_mesh_destroy(gear);
    return result;
}

int main(int argument_count, char** arguments)
{
    const char* path = argument_count > 1 ? arguments[1] : "mesh_info_gear.ply";
    AbutMesh* mesh = NULL;
    if ((argument_count < 2 && write_gear(path) != ABUT_OK) || abut_mesh_load(path, &mesh) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error()); // names the file, the place in it and the reason
        return 3;
    }
    AbutBox box = abut_mesh_bounds(mesh);
    printf("%s: %u triangles, %u vertices\n", path, abut_mesh_triangle_count(mesh),
           abut_mesh_vertex_count(mesh));
    printf("from (%g, %g, %g) to (%g, %g, %g)\n", (double)box.min.x, (double)box.min.y, (double)box.min.z,
           (double)box.max.x, (double)box.max.y, (double)box.max.z);
    printf("volume %g\n", abut_mesh_mass(mesh).volume);
    AbutMeshCloseDef def = abut_mesh_close_def();
    AbutMeshCloseReport report;
    AbutMesh* solid = NULL;
    if (abut_mesh_close(&def, mesh, &solid, &report) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return 3;
    }
    printf("%u holes closed by %u triangles, volume %g; %u edges are open\n", report.loop_count,
           report.triangle_count, abut_mesh_mass(solid).volume, report.open_edge_count);
    abut_mesh_destroy(solid);
    abut_mesh_destroy(mesh);
    if (argument_count < 2)
    {
        remove(path);
    }
    return 0;
}
