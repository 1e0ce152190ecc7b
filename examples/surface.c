// A block with rounded corners and a bore, as a formula, becomes a mesh that any program for solid models
// takes.
#include <abut/abut.h>
#include <abut/io.h>
#include <stdio.h>

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

int main(void)
{
    AbutShape *block = NULL, *bore = NULL, *bracket = NULL;
    if (abut_shape_create_rounded_box(abut_vec3(2.0f, 1.0f, 1.0f), 0.2f, NULL, &block) != ABUT_OK ||
        abut_shape_create_cylinder(0.3f, 2.0f, NULL, &bore) != ABUT_OK ||
        abut_shape_create_difference(block, bore, NULL, &bracket) != ABUT_OK)
    {
        return fail();
    }

    AbutSurfaceDef def = abut_surface_def();
    def.resolution = 100;
    AbutMeshInspectDef inspect_def = abut_mesh_inspect_def();
    AbutMesh* mesh = NULL;
    AbutMeshReport report;
    if (abut_surface_create(&def, bracket, &mesh) != ABUT_OK ||
        abut_mesh_inspect(&inspect_def, mesh, &report) != ABUT_OK ||
        abut_mesh_save(mesh, "part.stl") != ABUT_OK)
    {
        return fail();
    }
    printf("part.stl: %u triangles, %s, %llu crossings, volume %.4f\n", report.triangle_count,
           report.closed && report.oriented ? "closed and oriented" : "not closed",
           (unsigned long long)report.self_intersection_count, report.mass.volume);

    abut_mesh_destroy(mesh);
    abut_shape_destroy(bracket);
    abut_shape_destroy(bore);
    abut_shape_destroy(block);
    return 0;
}
