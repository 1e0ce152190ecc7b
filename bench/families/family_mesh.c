#include "family_mesh.h"

#include <abut/io.h>
#include <abut/models.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

AbutMesh* family_mesh_recenter(AbutMesh* mesh)
{
    AbutBox box = abut_mesh_bounds(mesh);
    AbutVec3 size = abut_box_extents(box), middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    float scale = 1.0f / fmaxf(size.x, fmaxf(size.y, size.z));
    uint32_t count = abut_mesh_vertex_count(mesh);
    AbutVec3* vertices = malloc(count * sizeof(AbutVec3));
    AbutMesh* out = NULL;
    for (uint32_t i = 0; vertices != NULL && i < count; ++i)
    {
        vertices[i] = abut_vec3_scale(abut_vec3_sub(abut_mesh_vertices(mesh)[i], middle), scale);
    }
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = count;
    def.indices = abut_mesh_indices(mesh);
    def.triangle_count = abut_mesh_triangle_count(mesh);
    if (vertices != NULL && abut_mesh_create(&def, &out) != ABUT_OK)
    {
        out = NULL;
    }
    free(vertices);
    abut_mesh_destroy(mesh);
    return out;
}

AbutMesh* family_mesh_load(const char* file)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    char path[1024];
    AbutMesh* mesh = NULL;
    if (folder != NULL)
    {
        snprintf(path, sizeof(path), "%s/%s", folder, file);
        if (abut_mesh_load(path, &mesh) == ABUT_OK)
        {
            return family_mesh_recenter(mesh);
        }
    }
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.major_divisions = 256;
    def.minor_divisions = 128;
    return abut_mesh_create_torus(&def, &mesh) == ABUT_OK ? family_mesh_recenter(mesh) : NULL;
}
