#include "dynamics/world.h"

#include <abut/bake.h>
#include <abut/field.h>
#include <math.h>

enum
{
    RESOLUTION = 64 // of formulas, which are integrated over a field of their own
};

AbutResult abut_dynamics_mass(const AbutShape* shape, const AbutHost* host, AbutMass* out)
{
    AbutBox bounds = abut_shape_info(shape).bounds;
    if (!abut_box_is_finite(bounds) || abut_box_is_empty(bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: a %s without end has no mass; make it static",
                         abut_shape_kind_name(abut_shape_info(shape).kind));
    }
    AbutMass mass;
    if (abut_shape_is_field(shape))
    {
        AbutFieldInfo info = abut_field_info(shape);
        mass = info.mesh_mass.volume > 0.0 ? info.mesh_mass : info.mass;
    }
    else
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = RESOLUTION;
        def.without_centers = true;
        def.host = host;
        AbutShape* field = NULL;
        AbutResult result = abut_bake_shape(&def, shape, &field);
        if (result != ABUT_OK)
        {
            return result;
        }
        mass = abut_field_info(field).mass;
        abut_shape_destroy(field);
    }
    if (!(mass.volume > 0.0) || !isfinite(mass.volume))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "body: the shape has no volume, so it cannot be dynamic; make it static");
    }
    *out = mass;
    return ABUT_OK;
}
