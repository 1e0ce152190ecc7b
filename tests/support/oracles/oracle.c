#include "support/oracles/oracle.h"

#include <math.h>

// -----------------------------------------------------------------------------------------------------------
// Distances in double
// -----------------------------------------------------------------------------------------------------------

static double clamp(double v, double low, double high)
{
    return v < low ? low : (v > high ? high : v);
}

static double sphere_distance(const OraclePrimitive* self, const double p[3])
{
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - self->parameters[0];
}

/// Nearest of the six face rectangles, sign by containment.
static double box_faces(const double half[3], const double p[3])
{
    double best = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            double squared = 0.0;
            for (int i = 0; i < 3; ++i)
            {
                double q = i == axis ? side * half[i] : clamp(p[i], -half[i], half[i]);
                squared += (p[i] - q) * (p[i] - q);
            }
            best = fmin(best, sqrt(squared));
        }
    }
    bool inside = fabs(p[0]) <= half[0] && fabs(p[1]) <= half[1] && fabs(p[2]) <= half[2];
    return inside ? -best : best;
}

static double box_distance(const OraclePrimitive* self, const double p[3])
{
    const double* e = self->parameters;
    return box_faces((const double[3]){ 0.5 * e[0], 0.5 * e[1], 0.5 * e[2] }, p);
}

/// Outside of the inner box: its distance less the radius. Inside of it the nearest point is on a flat of the
/// outer box.
static double rounded_box_distance(const OraclePrimitive* self, const double p[3])
{
    double r = self->parameters[3];
    double outer[3], inner[3];
    for (int i = 0; i < 3; ++i)
    {
        outer[i] = 0.5 * self->parameters[i];
        inner[i] = outer[i] - r;
    }
    double to_inner = box_faces(inner, p);
    return to_inner > 0.0 ? to_inner - r : box_faces(outer, p);
}

static double capsule_distance(const OraclePrimitive* self, const double p[3])
{
    double y = p[1] - clamp(p[1], -0.5 * self->parameters[1], 0.5 * self->parameters[1]);
    return sqrt(p[0] * p[0] + y * y + p[2] * p[2]) - self->parameters[0];
}

static double segment_distance(double px, double py, double ax, double ay, double bx, double by)
{
    double dx = bx - ax, dy = by - ay;
    double t = clamp(((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return hypot(px - ax - t * dx, py - ay - t * dy);
}

/// A trapezium turned about y: nearest of its three outer edges, sign by the radius at the height of the
/// point.
static double frustum_distance(double bottom, double top, double length, const double p[3])
{
    double h = 0.5 * length, r = hypot(p[0], p[2]), y = p[1];
    double best = segment_distance(r, y, bottom, -h, top, h);
    if (bottom > 0.0)
    {
        best = fmin(best, segment_distance(r, y, 0.0, -h, bottom, -h));
    }
    if (top > 0.0)
    {
        best = fmin(best, segment_distance(r, y, 0.0, h, top, h));
    }
    bool inside = fabs(y) <= h && r <= bottom + (top - bottom) * (y + h) / length;
    return inside ? -best : best;
}

static double cylinder_distance(const OraclePrimitive* self, const double p[3])
{
    return frustum_distance(self->parameters[0], self->parameters[0], self->parameters[1], p);
}

static double cone_distance(const OraclePrimitive* self, const double p[3])
{
    return frustum_distance(self->parameters[0], self->parameters[1], self->parameters[2], p);
}

static double torus_distance(const OraclePrimitive* self, const double p[3])
{
    return hypot(hypot(p[0], p[2]) - self->parameters[0], p[1]) - self->parameters[1];
}

static double plane_distance(const OraclePrimitive* self, const double p[3])
{
    const double* n = self->parameters;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]) / length - n[3];
}

// -----------------------------------------------------------------------------------------------------------
// The library's shapes
// -----------------------------------------------------------------------------------------------------------

static float parameter(const OraclePrimitive* self, int i)
{
    return (float)self->parameters[i];
}

static AbutVec3 parameters_3(const OraclePrimitive* self)
{
    return abut_vec3(parameter(self, 0), parameter(self, 1), parameter(self, 2));
}

static AbutResult create_sphere(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_sphere(parameter(self, 0), host, out);
}

static AbutResult create_box(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_box(parameters_3(self), host, out);
}

static AbutResult create_rounded_box(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_rounded_box(parameters_3(self), parameter(self, 3), host, out);
}

static AbutResult create_capsule(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_capsule(parameter(self, 0), parameter(self, 1), host, out);
}

static AbutResult create_cylinder(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_cylinder(parameter(self, 0), parameter(self, 1), host, out);
}

static AbutResult create_cone(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_cone(parameter(self, 0), parameter(self, 1), parameter(self, 2), host, out);
}

static AbutResult create_torus(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_torus(parameter(self, 0), parameter(self, 1), host, out);
}

static AbutResult create_plane(const OraclePrimitive* self, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_plane(parameters_3(self), parameter(self, 3), host, out);
}

// Parameters are floats, so that library and oracle mean the same solid.
static const OraclePrimitive primitives[] = {
    { "sphere", { 0.5 }, 1.0, create_sphere, sphere_distance },
    { "tiny sphere", { 0x1p-20 }, 0x1p-19, create_sphere, sphere_distance },
    { "huge sphere", { 4096.0 }, 8192.0, create_sphere, sphere_distance },
    { "box", { 1.0, 0.75, 0.5 }, 1.0, create_box, box_distance },
    { "flat box", { 1.0, 0x1p-7, 0.75 }, 1.0, create_box, box_distance },
    { "needle box", { 0x1p-7, 1.0, 0x1p-7 }, 1.0, create_box, box_distance },
    { "cube", { 2.0, 2.0, 2.0 }, 2.0, create_box, box_distance },
    { "rounded box", { 1.0, 0.75, 0.5, 0.125 }, 1.0, create_rounded_box, rounded_box_distance },
    { "fully rounded box", { 1.0, 0.5, 0.5, 0.25 }, 1.0, create_rounded_box, rounded_box_distance },
    { "rounded box without rounding", { 1.0, 0.5, 0.5, 0.0 }, 1.0, create_rounded_box, rounded_box_distance },
    { "capsule", { 0.25, 0.5 }, 1.0, create_capsule, capsule_distance },
    { "thin capsule", { 0x1p-6, 1.0 }, 1.03125, create_capsule, capsule_distance },
    { "capsule without length", { 0.5, 0.0 }, 1.0, create_capsule, capsule_distance },
    { "cylinder", { 0.375, 1.0 }, 1.0, create_cylinder, cylinder_distance },
    { "disc", { 0.5, 0x1p-6 }, 1.0, create_cylinder, cylinder_distance },
    { "cone", { 0.5, 0.0, 1.0 }, 1.0, create_cone, cone_distance },
    { "cut cone", { 0.5, 0.25, 1.0 }, 1.0, create_cone, cone_distance },
    { "upside-down cone", { 0.0, 0.5, 0.75 }, 1.0, create_cone, cone_distance },
    { "funnel", { 0.125, 0.5, 0.25 }, 1.0, create_cone, cone_distance },
    { "cone that is a cylinder", { 0.5, 0.5, 1.0 }, 1.0, create_cone, cone_distance },
    { "spike", { 0x1p-5, 0.0, 1.0 }, 1.0, create_cone, cone_distance },
    { "torus", { 0.375, 0.125 }, 1.0, create_torus, torus_distance },
    { "thin torus", { 0.5, 0x1p-6 }, 1.03125, create_torus, torus_distance },
    { "torus without a hole", { 0.25, 0.25 }, 1.0, create_torus, torus_distance },
    { "plane", { 0.0, 1.0, 0.0, 0.25 }, 1.0, create_plane, plane_distance },
    { "tilted plane", { 1.0, -2.0, 0.5, -0.125 }, 1.0, create_plane, plane_distance },
    { NULL, { 0.0 }, 0.0, NULL, NULL },
};

const OraclePrimitive* oracle_primitives(void)
{
    return primitives;
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 nudge(AbutVec3 p, TestRandom* random)
{
    uint64_t bits = test_random_bits(random);
    p.x = (bits & 3) == 1 ? nextafterf(p.x, INFINITY) : ((bits & 3) == 2 ? nextafterf(p.x, -INFINITY) : p.x);
    p.y =
        (bits & 12) == 4 ? nextafterf(p.y, INFINITY) : ((bits & 12) == 8 ? nextafterf(p.y, -INFINITY) : p.y);
    p.z = (bits & 48) == 16 ? nextafterf(p.z, INFINITY)
                            : ((bits & 48) == 32 ? nextafterf(p.z, -INFINITY) : p.z);
    return p;
}

static AbutVec3 grid_point(const OraclePrimitive* primitive, TestRandom* random)
{
    // Eighths of the size, from −1 to 1: planes of symmetry, faces and corners of most primitives are among
    // them.
    double step = primitive->size / 8.0;
    double c[3];
    for (int i = 0; i < 3; ++i)
    {
        c[i] = step * (double)((int)(test_random_bits(random) % 17) - 8);
    }
    return abut_vec3((float)c[0], (float)c[1], (float)c[2]);
}

/// Walks to the surface by the oracle's own distance and slope.
static AbutVec3 surface_point(const OraclePrimitive* primitive, TestRandom* random)
{
    AbutVec3 start = test_random_point(random, 0.75 * primitive->size);
    double p[3] = { start.x, start.y, start.z };
    double step = 1e-6 * primitive->size;
    for (int iteration = 0; iteration < 4; ++iteration)
    {
        double d = primitive->distance(primitive, p), g[3];
        for (int i = 0; i < 3; ++i)
        {
            double q[3] = { p[0], p[1], p[2] };
            q[i] += step;
            g[i] = (primitive->distance(primitive, q) - d) / step;
        }
        for (int i = 0; i < 3; ++i)
        {
            p[i] -= d * g[i];
        }
    }
    double off = primitive->size * pow(10.0, test_random_range(random, -8.0, -2.0));
    AbutVec3 direction = test_random_direction(random);
    return abut_vec3((float)(p[0] + off * direction.x), (float)(p[1] + off * direction.y),
                     (float)(p[2] + off * direction.z));
}

void oracle_points(const OraclePrimitive* primitive, TestRandom* random, size_t count, float* x, float* y,
                   float* z)
{
    for (size_t i = 0; i < count; ++i)
    {
        AbutVec3 p;
        switch (i % 4)
        {
        case 0:
            p = test_random_point(random, 1.5 * primitive->size);
            break;
        case 1:
            p = surface_point(primitive, random);
            break;
        case 2:
            p = grid_point(primitive, random);
            break;
        default:
            p = nudge(grid_point(primitive, random), random);
            break;
        }
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
    }
}
