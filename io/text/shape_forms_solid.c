// Forms with a distance: primitives and terrain.
#include "io/text/shape_forms.h"

#include <abut/models.h>
#include <string.h>

AbutResult abut_form_sphere(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_sphere(abut_form_number(n, 0, 0.0f), host, &out->shape);
}

static AbutVec3 extents_of(const FormNumbers* n)
{
    return abut_vec3(abut_form_number(n, 0, 0.0f), abut_form_number(n, 1, 0.0f),
                     abut_form_number(n, 2, 0.0f));
}

AbutResult abut_form_box(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_box(extents_of(n), host, &out->shape);
}

AbutResult abut_form_rounded_box(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_rounded_box(extents_of(n), abut_form_number(n, 3, 0.0f), host, &out->shape);
}

AbutResult abut_form_capsule(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_capsule(abut_form_number(n, 0, 0.0f), abut_form_number(n, 1, 0.0f), host,
                                     &out->shape);
}

AbutResult abut_form_cylinder(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_cylinder(abut_form_number(n, 0, 0.0f), abut_form_number(n, 1, 0.0f), host,
                                      &out->shape);
}

AbutResult abut_form_cone(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_cone(abut_form_number(n, 0, 0.0f), abut_form_number(n, 2, 0.0f),
                                  abut_form_number(n, 1, 0.0f), host, &out->shape);
}

AbutResult abut_form_torus(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_shape_create_torus(abut_form_number(n, 0, 0.0f), abut_form_number(n, 1, 0.0f), host,
                                   &out->shape);
}

AbutResult abut_form_plane(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutVec3 normal = n->count == 0 ? abut_vec3(0.0f, 1.0f, 0.0f) : extents_of(n);
    return abut_shape_create_plane(normal, abut_form_number(n, 3, 0.0f), host, &out->shape);
}

static AbutTerrainDef terrain_def(const FormNumbers* n, const AbutHost* host)
{
    AbutTerrainDef def = abut_terrain_def();
    def.size = abut_form_number(n, 0, 10.0f);
    def.height = abut_form_number(n, 1, 1.0f);
    def.depth = def.height;
    def.divisions = abut_form_count(n, 2, 128);
    def.seed = abut_form_count(n, 3, 0);
    def.host = host;
    return def;
}

static AbutResult create_heightfield(const AbutTerrainDef* def, const float* heights, float band,
                                     AbutShape** out)
{
    AbutHeightfieldDef field = abut_heightfield_def();
    field.heights = heights;
    field.x_count = def->divisions + 1;
    field.z_count = def->divisions + 1;
    field.origin = (AbutPosition){ -0.5 * (double)def->size, 0.0, -0.5 * (double)def->size };
    field.spacing = (double)def->size / (double)def->divisions;
    field.host = def->host;
    field.band = band;
    return abut_shape_create_heightfield(&field, out);
}

AbutResult abut_form_terrain(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    enum
    {
        MAX_DIVISIONS = 16384 // as AbutTerrainDef has it; checked here because it sizes the memory
    };
    AbutTerrainDef def = terrain_def(n, host);
    if (def.divisions < 1 || def.divisions > MAX_DIVISIONS)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "DIVISIONS of a terrain must lie in [1, %d]", MAX_DIVISIONS);
    }
    size_t side = (size_t)def.divisions + 1;
    size_t bytes = side * side * sizeof(float);
    float* heights = host->allocate(host->user, bytes, sizeof(float));
    if (heights == NULL)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for %zu bytes of heights", bytes);
    }
    AbutResult result = abut_terrain_heights(&def, heights);
    if (result == ABUT_OK)
    {
        result = create_heightfield(&def, heights, abut_form_number(n, 4, 0.0f), &out->shape);
    }
    host->free(host->user, heights, bytes);
    return result;
}

AbutResult abut_form_terrain_mesh(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutTerrainDef def = terrain_def(n, host);
    return abut_mesh_create_terrain(&def, &out->mesh);
}
