// Forms that make triangles. Their defaults are bodies about one unit across.
#include "io/text/shape_forms.h"

#include <abut/models.h>
#include <math.h>

AbutResult abut_form_sphere_mesh(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_mesh_create_sphere(abut_form_number(n, 0, 0.0f), abut_form_count(n, 1, 16), host, &out->mesh);
}

AbutResult abut_form_box_mesh(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutVec3 extents =
        abut_vec3(abut_form_number(n, 0, 0.0f), abut_form_number(n, 1, 0.0f), abut_form_number(n, 2, 0.0f));
    return abut_mesh_create_box(extents, abut_form_count(n, 3, 1), host, &out->mesh);
}

AbutResult abut_form_torus_mesh(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.major_radius = abut_form_number(n, 0, 0.0f);
    def.minor_radius = abut_form_number(n, 1, 0.0f);
    def.major_divisions = abut_form_count(n, 2, 64);
    def.minor_divisions = def.major_divisions < 6 ? 3 : def.major_divisions / 2;
    def.host = host;
    return abut_mesh_create_torus(&def, &out->mesh);
}

AbutResult abut_form_ring(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.major_radius = abut_form_number(n, 0, 0.5f);
    def.minor_radius = abut_form_number(n, 1, 0.2f);
    def.twist_corners = abut_form_count(n, 2, 3);
    def.twist_steps = (int32_t)abut_form_count(n, 3, 1);
    def.major_divisions = abut_form_count(n, 4, 96);
    // The section's corners fall on vertices when their number divides the tube's.
    enum
    {
        QUADS_PER_SIDE = 4,
        MAX_CORNERS = 65536 / QUADS_PER_SIDE
    };
    def.minor_divisions =
        def.twist_corners <= MAX_CORNERS ? def.twist_corners * QUADS_PER_SIDE : def.twist_corners;
    def.host = host;
    return abut_mesh_create_torus(&def, &out->mesh);
}

AbutResult abut_form_capsule_mesh(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_mesh_create_capsule(abut_form_number(n, 0, 0.0f), abut_form_number(n, 1, 0.0f),
                                    abut_form_count(n, 2, 32), host, &out->mesh);
}

AbutResult abut_form_bowl(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_mesh_create_bowl(abut_form_number(n, 0, 0.5f), abut_form_number(n, 1, 0.05f),
                                 abut_form_count(n, 2, 32), host, &out->mesh);
}

AbutResult abut_form_pipe(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutPipeMeshDef def = abut_pipe_mesh_def();
    def.inner_radius = abut_form_number(n, 0, 0.1f);
    def.thickness = abut_form_number(n, 1, 0.02f);
    def.coil_radius = abut_form_number(n, 2, 0.5f);
    def.pitch = abut_form_number(n, 3, 0.4f);
    def.turns = abut_form_number(n, 4, 2.0f);
    def.divisions_per_turn = abut_form_count(n, 5, 64);
    def.section_divisions = def.divisions_per_turn < 6 ? 3 : def.divisions_per_turn / 2;
    def.host = host;
    return abut_mesh_create_pipe(&def, &out->mesh);
}

AbutResult abut_form_gear(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = abut_form_count(n, 0, 20);
    def.module = abut_form_number(n, 1, 0.05f);
    def.width = abut_form_number(n, 2, 0.2f);
    def.bore_radius = abut_form_number(n, 3, n->count == 0 ? 0.1f : 0.0f);
    def.backlash = abut_form_number(n, 4, 0.0f);
    def.host = host;
    return abut_mesh_create_gear(&def, &out->mesh);
}

AbutResult abut_form_link(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    return abut_mesh_create_chain_link(abut_form_number(n, 0, 0.5f), abut_form_number(n, 1, 0.25f),
                                       abut_form_number(n, 2, 0.1f), abut_form_count(n, 3, 32), host,
                                       &out->mesh);
}

/// A metric thread: everything but radius, pitch and length follows from them, so that a bolt and a nut with
/// the same first two numbers fit.
static AbutThreadMeshDef thread_def(const FormNumbers* n, const AbutHost* host, float default_length)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.major_radius = abut_form_number(n, 0, 0.4f);
    def.pitch = abut_form_number(n, 1, 0.15f);
    def.length = abut_form_number(n, 2, default_length);
    def.depth = 0.6134f * def.pitch;                 // 17/24 of the sharp V's height, ISO 68-1
    def.clearance = 0.05f * def.pitch;               // about a free running fit
    def.head_radius = 1.7320508f * def.major_radius; // across flats 1.5 diameters, ISO 4014
    def.head_height = 1.25f * def.major_radius;
    def.host = host;
    return def;
}

AbutResult abut_form_bolt(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutThreadMeshDef def = thread_def(n, host, 1.0f);
    def.divisions_per_turn = abut_form_count(n, 3, 48);
    return abut_mesh_create_bolt(&def, &out->mesh);
}

AbutResult abut_form_nut(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    AbutThreadMeshDef def = thread_def(n, host, 0.4f);
    def.clearance = abut_form_number(n, 3, def.clearance);
    def.divisions_per_turn = abut_form_count(n, 4, 48);
    return abut_mesh_create_nut(&def, &out->mesh);
}

AbutResult abut_form_revolution(const FormNumbers* n, const AbutHost* host, AbutParsedShape* out)
{
    float profile[FORM_NUMBER_LIMIT / 2][2];
    uint32_t point_count = (n->count - 1) / 2;
    if (n->count % 2 == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "the last point of the profile has a radius but no height");
    }
    for (uint32_t i = 0; i < point_count; ++i)
    {
        profile[i][0] = abut_form_number(n, 1 + 2 * i, 0.0f);
        profile[i][1] = abut_form_number(n, 2 + 2 * i, 0.0f);
    }
    return abut_mesh_create_revolution((const float(*)[2])profile, point_count, abut_form_count(n, 0, 3),
                                       host, &out->mesh);
}
