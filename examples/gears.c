// Two gears that mesh: makes them, puts the second one where it belongs, and writes both for a viewer.
#include <abut/io.h>
#include <abut/models.h>

#include <stdio.h>
#include <stdlib.h>

/// A copy of a mesh, turned about y by `angle` and then moved along x.
static AbutResult make_posed(const AbutMesh* mesh, float angle, float x, AbutMesh** out)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertex_count = abut_mesh_vertex_count(mesh);
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    AbutVec3* vertices = malloc(def.vertex_count * sizeof(AbutVec3));
    if (vertices == NULL)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %u vertices", def.vertex_count);
    }
    AbutQuat rotation = abut_quat_from_axis_angle(abut_vec3(0.0f, 1.0f, 0.0f), angle);
    for (uint32_t i = 0; i < def.vertex_count; ++i)
    {
        AbutVec3 rotated = abut_quat_rotate(rotation, abut_mesh_vertices(mesh)[i]);
        vertices[i] = abut_vec3_add(rotated, abut_vec3(x, 0.0f, 0.0f));
    }
    def.vertices = vertices;
    AbutResult result = abut_mesh_create(&def, out);
    free(vertices);
    return result;
}

int main(void)
{
    const float pi = 3.14159265f;
    AbutGearMeshDef def_a = abut_gear_mesh_def(); // 20 teeth of module 0.1
    AbutGearMeshDef def_b = abut_gear_mesh_def();
    def_b.teeth = 31;

    // The axes stand half the sum of the pitch diameters apart. A tooth of a looks along x; b shows it a gap.
    float distance = 0.5f * def_a.module * (float)(def_a.teeth + def_b.teeth);
    float angle_a = 0.1f;
    float angle_b = pi + pi / (float)def_b.teeth - angle_a * (float)def_a.teeth / (float)def_b.teeth;

    AbutMesh* a = NULL;
    AbutMesh* b = NULL;
    AbutMesh* mesh_a = NULL;
    AbutMesh* mesh_b = NULL;
    int status = 1;
    if (abut_mesh_create_gear(&def_a, &a) != ABUT_OK || abut_mesh_create_gear(&def_b, &b) != ABUT_OK ||
        make_posed(a, angle_a, 0.0f, &mesh_a) != ABUT_OK ||
        make_posed(b, angle_b, distance, &mesh_b) != ABUT_OK ||
        abut_mesh_save(mesh_a, "gear_a.obj") != ABUT_OK || abut_mesh_save(mesh_b, "gear_b.obj") != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
    }
    else
    {
        printf("gear_a.obj: %u teeth, %u triangles, volume %g\n", def_a.teeth, abut_mesh_triangle_count(a),
               abut_mesh_mass(a).volume);
        printf("gear_b.obj: %u teeth, %u triangles, volume %g\n", def_b.teeth, abut_mesh_triangle_count(b),
               abut_mesh_mass(b).volume);
        status = 0;
    }
    abut_mesh_destroy(mesh_b);
    abut_mesh_destroy(mesh_a);
    abut_mesh_destroy(b);
    abut_mesh_destroy(a);
    return status;
}
