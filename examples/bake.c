// Bakes a mesh into a field, saves it, maps it again and asks it for distances and bounds: bake [MESH]
// Without an argument it bakes a gear.
#include <abut/abut.h>
#include <abut/io.h>
#include <abut/models.h>
#include <stdio.h>

static AbutResult load_mesh(const char* path, AbutMesh** mesh)
{
    AbutGearMeshDef gear = abut_gear_mesh_def();
    return path != NULL ? abut_mesh_load(path, mesh) : abut_mesh_create_gear(&gear, mesh);
}

static AbutResult bake_and_save(const AbutMesh* mesh, const char* path)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 96;                 // cells along the longest side
    def.format = ABUT_FIELD_FIRST_ORDER; // distance and gradient per node
    def.sparse = true;                   // fine cells only where they are needed
    def.memory_limit = (size_t)1 << 30;  // refuse rather than swap
    AbutBakeEstimate estimate;
    AbutShape* field = NULL;
    AbutResult result = abut_bake_estimate_mesh(&def, mesh, &estimate);
    result = result == ABUT_OK ? abut_bake_mesh(&def, mesh, &field) : result;
    if (result == ABUT_OK)
    {
        printf("%u x %u x %u cells: %zu bytes (estimated: at most %zu)\n", estimate.cell_count[0],
               estimate.cell_count[1], estimate.cell_count[2], abut_field_info(field).bytes,
               estimate.field_bytes);
        AbutFieldSaveDef save = abut_field_save_def();
        save.compress = false; // a plain file is mapped, not read
        result = abut_field_save_with(&save, field, path);
    }
    abut_shape_destroy(field);
    return result;
}

int main(int argument_count, char** arguments)
{
    const char* path = "bake_example.abut";
    AbutMesh* mesh = NULL;
    AbutShape* field = NULL;
    AbutResult result = load_mesh(argument_count > 1 ? arguments[1] : NULL, &mesh);
    result = result == ABUT_OK ? bake_and_save(mesh, path) : result;
    result = result == ABUT_OK ? abut_field_load(path, NULL, &field) : result;
    if (result == ABUT_OK)
    {
        AbutFieldInfo info = abut_field_info(field);
        printf("error near the surface: %g measured, %g proved; volume %g (mesh: %g)\n",
               (double)info.measured_max, (double)info.error_bound, info.mass.volume, info.mesh_mass.volume);
        AbutVec3 gradient, point = abut_vec3((float)info.mass.center[0], (float)info.mass.center[1],
                                             (float)info.mass.center[2]);
        float distance = abut_shape_distance(field, point, &gradient);
        AbutDistanceBounds bounds = abut_field_point_bounds(field, point);
        printf("at its centre of mass: %g, for certain from %g to %g\n", (double)distance, (double)bounds.low,
               (double)bounds.high);
    }
    else
    {
        fprintf(stderr, "%s\n", abut_last_error());
    }
    abut_shape_destroy(field); // also unmaps the file
    abut_mesh_destroy(mesh);
    remove(path);
    return result == ABUT_OK ? 0 : 1;
}
