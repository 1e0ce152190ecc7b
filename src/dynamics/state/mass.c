// Mass properties: closed forms of primitives and hulls, baked properties of fields, a baked field for all
// other shapes.
#include "dynamics/state/mass.h"

#include "base/fp_env.h"
#include "dynamics/state/inscribed_radius.h"
#include "dynamics/state/world.h"
#include "field/mass.h"
#include "hull/mass.h"

#include <abut/bake.h>
#include <abut/field.h>
#include <math.h>

enum
{
    RESOLUTION = 64 // of the field of other shapes
};

#define PI 3.141592653589793

/// With the centre at the origin and principal axes along x, y, z.
static AbutMassData make_mass(double volume, double x, double y, double z)
{
    AbutMassData mass = { .volume = volume };
    mass.inertia[0][0] = x;
    mass.inertia[1][1] = y;
    mass.inertia[2][2] = z;
    return mass;
}

static AbutMassData cylinder_mass(double r, double length)
{
    double volume = PI * r * r * length, across = volume * (3.0 * r * r + length * length) / 12.0;
    return make_mass(volume, across, 0.5 * volume * r * r, across);
}

/// A cylinder of `length` and two half balls, whose centres of mass are 3/8 r outside of their discs.
static AbutMassData capsule_mass(double r, double length)
{
    AbutMassData middle = cylinder_mass(r, length);
    double balls = 4.0 / 3.0 * PI * r * r * r;
    double out = 0.5 * length + 0.375 * r;
    double across = balls * (0.4 - 0.375 * 0.375) * r * r + balls * out * out;
    return make_mass(middle.volume + balls, middle.inertia[0][0] + across,
                     middle.inertia[1][1] + 0.4 * balls * r * r, middle.inertia[2][2] + across);
}

static AbutMassData torus_mass(double major, double minor)
{
    double volume = 2.0 * PI * PI * major * minor * minor;
    double across = volume * (0.5 * major * major + 0.625 * minor * minor);
    return make_mass(volume, across, volume * (major * major + 0.75 * minor * minor), across);
}

/// Closed forms by kind and bounds.
static bool closed_form(const AbutShapeInfo* info, AbutMassData* out)
{
    double x = info->bounds.max.x, y = info->bounds.max.y, z = info->bounds.max.z;
    double box = 8.0 * x * y * z;
    switch (info->kind)
    {
    case ABUT_SHAPE_SPHERE:
        *out = capsule_mass(x, 0.0);
        return true;
    case ABUT_SHAPE_BOX:
        *out = make_mass(box, box * (y * y + z * z) / 3.0, box * (z * z + x * x) / 3.0,
                         box * (x * x + y * y) / 3.0);
        return true;
    case ABUT_SHAPE_CAPSULE:
        *out = capsule_mass(x, 2.0 * fmax(y - x, 0.0));
        return true;
    case ABUT_SHAPE_CYLINDER:
        *out = cylinder_mass(x, 2.0 * y);
        return true;
    case ABUT_SHAPE_TORUS:
        *out = torus_mass(x - y, y);
        return true;
    default:
        return false;
    }
}

static AbutResult integrate(const AbutShape* shape, const AbutHost* host, AbutMassData* out)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = RESOLUTION;
    def.without_octree = true;
    def.host = host;
    AbutShape* field = NULL;
    AbutResult result = abut_bake_shape(&def, shape, &field);
    if (result == ABUT_OK)
    {
        *out = abut_field_info(field).mass;
        abut_shape_destroy(field);
    }
    return result;
}

AbutResult abut_shape_mass(const AbutShape* shape, const AbutHost* host, AbutMassData* out)
{
    ABUT_FP_CALL(abut_shape_mass, shape, host, out);
    AbutShapeInfo info = abut_shape_info(shape);
    if (!abut_box_is_finite(info.bounds) || abut_box_is_empty(info.bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "body: a %s without end has no mass; make it static",
                         abut_shape_kind_name(info.kind));
    }
    AbutMassData mass;
    if (abut_shape_is_field(shape))
    {
        AbutFieldInfo field = abut_field_info(shape);
        if (field.mass_source == ABUT_MASS_UNKNOWN)
        {
            return abut_fail(
                ABUT_INVALID_ARGUMENT,
                "body: the volume of the field is not known: it is thinner than a cell, and the mesh "
                "has holes or crosses itself; use finer cells, close it or make the body static");
        }
        bool from_mesh =
            field.mass_source == ABUT_MASS_FROM_MESH && abut_field_mass_is_solid(&field.mesh_mass);
        mass = from_mesh ? field.mesh_mass : field.mass;
    }
    else if (info.kind == ABUT_SHAPE_CONVEX)
    {
        mass = abut_hull_mass(abut_shape_hull(shape));
    }
    else if (info.kind == ABUT_SHAPE_MESH && abut_mesh_shape_report(shape).simple &&
             abut_mesh_shape_report(shape).certain && !abut_mesh_shape_report(shape).inverted)
    {
        mass = abut_mesh_mass(abut_shape_mesh(shape));
    }
    else if (!closed_form(&info, &mass))
    {
        AbutResult result = integrate(shape, host, &mass);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    if (!(mass.volume > 0.0) || !isfinite(mass.volume))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "body: the shape has no volume, so it cannot be dynamic; make it static");
    }
    if (!abut_field_mass_is_solid(&mass))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "body: centre or inertia of the shape are not those of a solid; make it static");
    }
    *out = mass;
    return ABUT_OK;
}

AbutResult abut_world_mass(AbutWorld* world, AbutShape* shape, AbutMassData* out)
{
    if (world->mass_shape == shape)
    {
        *out = world->mass_properties;
        return ABUT_OK;
    }
    AbutResult result = abut_shape_mass(shape, &world->host, out);
    if (result == ABUT_OK)
    {
        abut_shape_retain(shape);
        abut_shape_destroy(world->mass_shape);
        world->mass_shape = shape;
        world->inscribed_radius = abut_shape_inscribed_radius(shape);
        world->mass_properties = *out;
    }
    return result;
}
