#include "support/meshes/generated_solids.h"

#include <abut/models.h>
#include <math.h>

#define PI 3.14159265358979323846

static uint32_t at_least(uint32_t n, uint32_t least)
{
    return n < least ? least : n;
}

static double hypot3(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

/// Distance of a point of the plane from a segment.
static double segment_distance(double x, double y, const double a[2], const double b[2])
{
    double u[2] = { b[0] - a[0], b[1] - a[1] };
    double t = ((x - a[0]) * u[0] + (y - a[1]) * u[1]) / (u[0] * u[0] + u[1] * u[1]);
    t = fmin(1.0, fmax(0.0, t));
    return hypot(x - a[0] - t * u[0], y - a[1] - t * u[1]);
}

// -----------------------------------------------------------------------------------------------------------
// Sphere, box, torus, twisted ring
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_sphere(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_sphere(0.7f, n, host, out);
}

static double off_sphere(const double p[3])
{
    return fabs(hypot3(p[0], p[1], p[2]) - (double)0.7f);
}

static AbutResult create_box(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_box(abut_vec3(1.0f, 2.0f, 0.5f), n, host, out);
}

static double off_box(const double p[3])
{
    double outside = fmax(fabs(p[0]) - 0.5, fmax(fabs(p[1]) - 1.0, fabs(p[2]) - 0.25));
    return fabs(outside);
}

static AbutResult create_torus(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.major_radius = 1.0f;
    def.minor_radius = 0.25f;
    def.major_divisions = n;
    def.minor_divisions = at_least(n / 2, 3);
    def.host = host;
    return abut_mesh_create_torus(&def, out);
}

static double off_torus(const double p[3])
{
    return fabs(hypot(hypot(p[0], p[2]) - 1.0, p[1]) - 0.25);
}

enum
{
    CORNERS = 5,
    STEPS = 2
};

static AbutResult create_twisted(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutTorusMeshDef def = abut_torus_mesh_def();
    def.minor_radius = 0.5f;
    def.major_divisions = n;
    def.minor_divisions = CORNERS * at_least(n / 8, 1);
    def.twist_corners = CORNERS;
    def.twist_steps = STEPS;
    def.host = host;
    return abut_mesh_create_torus(&def, out);
}

/// The pentagon of the section, with a corner away from the axis at angle 0, turns from the way out towards
/// the way down.
static double off_twisted(const double p[3])
{
    double around = atan2(-p[2], p[0]);
    double twist = around * STEPS / CORNERS;
    double out = hypot(p[0], p[2]) - 1.0;
    double least = INFINITY;
    for (int i = 0; i < CORNERS; ++i)
    {
        double a = 2.0 * PI * i / CORNERS + twist;
        double b = 2.0 * PI * (i + 1) / CORNERS + twist;
        double corners[2][2] = { { 0.5 * cos(a), 0.5 * sin(a) }, { 0.5 * cos(b), 0.5 * sin(b) } };
        least = fmin(least, segment_distance(out, -p[1], corners[0], corners[1]));
    }
    return least;
}

// -----------------------------------------------------------------------------------------------------------
// Capsule, bowl, surfaces of revolution
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_capsule(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_capsule(0.5f, 1.25f, n, host, out);
}

static double off_capsule(const double p[3])
{
    double beyond = fmax(0.0, fabs(p[1]) - 0.625);
    return fabs(hypot3(p[0], beyond, p[2]) - 0.5);
}

static AbutResult create_ball(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_capsule(0.5f, 0.0f, n, host, out);
}

static double off_ball(const double p[3])
{
    return fabs(hypot3(p[0], p[1], p[2]) - 0.5);
}

static AbutResult create_bowl(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_bowl(0.75f, 0.125f, n, host, out);
}

static double off_bowl(const double p[3])
{
    double radius = hypot(p[0], p[2]);
    if (p[1] > 0.0)
    {
        return fabs(hypot(radius - 0.6875, p[1]) - 0.0625);
    }
    double far = hypot(radius, p[1]);
    return fmin(fabs(far - 0.75), fabs(far - 0.625));
}

static const float VASE[][2] = { { 0, 0 },      { 1, 0 },      { 0.5f, 1 },    { 0.75f, 2 },
                                 { 0.625f, 2 }, { 0.375f, 1 }, { 0.5f, 0.5f }, { 0, 0.25f } };
static const float COLLAR[][2] = { { 1, -0.5f }, { 1.5f, 0 }, { 1, 0.25f }, { 1.25f, 0 } };

static double off_profile(const double p[3], const float (*profile)[2], int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i)
    {
        double a[2] = { profile[i][0], profile[i][1] };
        double b[2] = { profile[(i + 1) % count][0], profile[(i + 1) % count][1] };
        least = fmin(least, segment_distance(hypot(p[0], p[2]), p[1], a, b));
    }
    return least;
}

/// Sum of cut cones below the edges, by y.
static double profile_volume(const float (*profile)[2], int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        double r = profile[i][0];
        double s = profile[(i + 1) % count][0];
        sum += PI / 3.0 * (r * r + r * s + s * s) * ((double)profile[(i + 1) % count][1] - profile[i][1]);
    }
    return sum;
}

static AbutResult create_vase(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_revolution(VASE, 8, n, host, out);
}

static double off_vase(const double p[3])
{
    return off_profile(p, VASE, 8);
}

static AbutResult create_collar(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_revolution(COLLAR, 4, n, host, out);
}

static double off_collar(const double p[3])
{
    return off_profile(p, COLLAR, 4);
}

// -----------------------------------------------------------------------------------------------------------
// Chain link, pipe
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_link(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_chain_link(1.0f, 0.5f, 0.125f, n, host, out);
}

static double off_link(const double p[3])
{
    double beyond = fmax(0.0, fabs(p[0]) - 0.5);
    return fabs(hypot(hypot(beyond, p[1]) - 0.5, p[2]) - 0.125);
}

static AbutResult create_ring_link(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    return abut_mesh_create_chain_link(0.0f, 0.5f, 0.125f, n, host, out);
}

static double off_ring_link(const double p[3])
{
    return fabs(hypot(hypot(p[0], p[1]) - 0.5, p[2]) - 0.125);
}

// A pipe of inner radius 0.25 and wall 0.125 on a coil of radius 1, falling 1.5 per turn for 1.25 turns.
static const double COIL = 1.0;
static const double PITCH = 1.5;
static const double REVOLUTIONS = 1.25;
static const double END = 0.5;

static AbutResult create_pipe(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutPipeMeshDef def = abut_pipe_mesh_def();
    def.inner_radius = 0.25f;
    def.thickness = 0.125f;
    def.coil_radius = (float)COIL;
    def.pitch = (float)PITCH;
    def.turns = (float)REVOLUTIONS;
    def.end_length = (float)END;
    def.section_divisions = at_least(n / 2, 3);
    def.divisions_per_turn = n;
    def.host = host;
    return abut_mesh_create_pipe(&def, out);
}

static double slope_angle(void)
{
    return atan2(PITCH, 2.0 * PI * COIL);
}

static void helix(double angle, double q[3])
{
    q[0] = COIL * cos(angle);
    q[1] = PITCH * (REVOLUTIONS - angle / (2.0 * PI));
    q[2] = -COIL * sin(angle);
}

static double helix_distance(const double p[3], double angle)
{
    double q[3];
    helix(angle, q);
    return hypot3(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/// Scan and then thirds: slow, but with nothing to go wrong.
static double distance_to_helix(const double p[3])
{
    enum
    {
        SCAN = 256
    };
    double whole = 2.0 * PI * REVOLUTIONS;
    int best = 0;
    for (int i = 1; i <= SCAN; ++i)
    {
        best = helix_distance(p, whole * i / SCAN) < helix_distance(p, whole * best / SCAN) ? i : best;
    }
    double low = fmax(0.0, whole * (best - 1) / SCAN);
    double high = fmin(whole, whole * (best + 1) / SCAN);
    for (int i = 0; i < 60; ++i)
    {
        double a = low + (high - low) / 3.0;
        double b = high - (high - low) / 3.0;
        bool lower = helix_distance(p, a) < helix_distance(p, b);
        high = lower ? b : high;
        low = lower ? low : a;
    }
    return helix_distance(p, low);
}

/// Distance from the ray from `from` along the unit vector `along`, up to END.
static double distance_to_end(const double p[3], const double from[3], const double along[3])
{
    double d[3] = { p[0] - from[0], p[1] - from[1], p[2] - from[2] };
    double t = fmin(END, fmax(0.0, d[0] * along[0] + d[1] * along[1] + d[2] * along[2]));
    return hypot3(d[0] - t * along[0], d[1] - t * along[1], d[2] - t * along[2]);
}

/// The bend is an arc in the plane x = COIL. Its centre is COIL above the helix's start, across its slope.
static double distance_to_inlet(const double p[3])
{
    double slope = slope_angle();
    double start[3];
    helix(0.0, start);
    double centre[2] = { start[1] + COIL * cos(slope), start[2] - COIL * sin(slope) }; // y, z
    double top[3] = { COIL, centre[0], centre[1] + COIL };
    double best = distance_to_end(p, top, (const double[3]){ 0.0, 1.0, 0.0 });
    double direction =
        atan2(-(p[1] - centre[0]), p[2] - centre[1]); // 0 at the top of the bend, down is positive
    if (direction >= 0.0 && direction <= 0.5 * PI - slope)
    {
        double in_plane = hypot(p[1] - centre[0], p[2] - centre[1]) - COIL;
        best = fmin(best, hypot(in_plane, p[0] - COIL));
    }
    return best;
}

static double off_pipe(const double p[3])
{
    double end = 2.0 * PI * REVOLUTIONS;
    double slope = slope_angle();
    double last[3];
    helix(end, last);
    double along[3] = { -sin(end) * cos(slope), -sin(slope), -cos(end) * cos(slope) };
    double far = fmin(distance_to_end(p, last, along), fmin(distance_to_inlet(p), distance_to_helix(p)));
    return fmin(fabs(far - 0.25), fabs(far - 0.375));
}

static double pipe_volume(void)
{
    double length =
        2.0 * END + (0.5 * PI - slope_angle()) * COIL + REVOLUTIONS * hypot(2.0 * PI * COIL, PITCH);
    return PI * (0.375 * 0.375 - 0.25 * 0.25) * length;
}

// -----------------------------------------------------------------------------------------------------------
// Terrain, gear, bolt and nut: more about them in tests of their own
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_terrain(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutTerrainDef def = abut_terrain_def();
    def.divisions = n;
    def.host = host;
    return abut_mesh_create_terrain(&def, out);
}

static AbutResult create_gear(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.flank_divisions = n;
    def.bore_divisions = at_least(2 * n, 3);
    def.host = host;
    return abut_mesh_create_gear(&def, out);
}

static AbutResult create_pinion(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = 7;
    def.bore_radius = 0.0f;
    def.flank_divisions = n;
    def.host = host;
    return abut_mesh_create_gear(&def, out);
}

static AbutThreadMeshDef thread_def(uint32_t n, const AbutHost* host)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.length = 0.93f;
    def.divisions_per_turn = n;
    def.host = host;
    return def;
}

static AbutResult create_bolt(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutThreadMeshDef def = thread_def(n, host);
    return abut_mesh_create_bolt(&def, out);
}

static AbutResult create_nut(uint32_t n, const AbutHost* host, AbutMesh** out)
{
    AbutThreadMeshDef def = thread_def(n, host);
    def.left_handed = true;
    return abut_mesh_create_nut(&def, out);
}

static double hexagon_area(double radius)
{
    return 1.5 * sqrt(3.0) * radius * radius;
}

/// The section of a thread has the same area at every height: π times the mean of the radius squared over a
/// pitch.
static double thread_section_area(const AbutThreadMeshDef* def, double clearance)
{
    double high = def->major_radius + clearance;
    double low = high - def->depth;
    double flank = def->depth * tan(def->flank_angle) / def->pitch; // each, as a part of the pitch
    double flat = 0.5 - flank;
    return PI *
           (flat * (high * high + low * low) + 2.0 * flank * (high * high + high * low + low * low) / 3.0);
}

static double bolt_volume(void)
{
    AbutThreadMeshDef def = thread_def(8, NULL);
    return def.length * thread_section_area(&def, 0.0) + def.head_height * hexagon_area(def.head_radius);
}

static double nut_volume(void)
{
    AbutThreadMeshDef def = thread_def(8, NULL);
    return def.length * (hexagon_area(def.head_radius) - thread_section_area(&def, def.clearance));
}

// -----------------------------------------------------------------------------------------------------------
// The table
// -----------------------------------------------------------------------------------------------------------

static double sphere_volume(void)
{
    return 4.0 / 3.0 * PI * pow((double)0.7f, 3.0);
}

static double box_volume(void)
{
    return 1.0;
}

static double torus_volume(void)
{
    return 2.0 * PI * PI * 0.0625;
}

/// The area of the section times the way of its middle.
static double twisted_volume(void)
{
    return 0.5 * CORNERS * 0.25 * sin(2.0 * PI / CORNERS) * 2.0 * PI;
}

static double capsule_volume(void)
{
    return PI * 0.25 * 1.25 + PI / 6.0;
}

static double ball_volume(void)
{
    return PI / 6.0;
}

static double bowl_volume(void)
{
    double shell = 2.0 / 3.0 * PI * (0.75 * 0.75 * 0.75 - 0.625 * 0.625 * 0.625);
    return shell + PI * PI * 0.0625 * 0.0625 * 0.6875;
}

static double vase_volume(void)
{
    return profile_volume(VASE, 8);
}

static double collar_volume(void)
{
    return profile_volume(COLLAR, 4);
}

static double link_volume(void)
{
    return PI / 64.0 * (2.0 + PI);
}

static double ring_link_volume(void)
{
    return PI / 64.0 * PI;
}

const GeneratedSolid* generated_solids(void)
{
    static const GeneratedSolid solids[] = {
        { "sphere", create_sphere, 1, 7, 92, 2, off_sphere, sphere_volume },
        { "box", create_box, 1, 5, 92, 2, off_box, box_volume },
        { "torus", create_torus, 3, 13, 320, 0, off_torus, torus_volume },
        { "twisted ring", create_twisted, 6, 15, 300, 0, off_twisted, twisted_volume },
        { "capsule", create_capsule, 3, 7, 320, 2, off_capsule, capsule_volume },
        { "capsule without length", create_ball, 3, 9, 320, 2, off_ball, ball_volume },
        { "bowl", create_bowl, 3, 11, 300, 2, off_bowl, bowl_volume },
        { "vase", create_vase, 3, 7, 2000, 2, off_vase, vase_volume },
        { "collar", create_collar, 3, 7, 3000, 0, off_collar, collar_volume },
        { "chain link", create_link, 3, 7, 160, 0, off_link, link_volume },
        { "round chain link", create_ring_link, 3, 7, 160, 0, off_ring_link, ring_link_volume },
        { "pipe", create_pipe, 8, 13, 192, 0, off_pipe, pipe_volume },
        { "terrain", create_terrain, 1, 7, 220, 2, NULL, NULL },
        { "gear", create_gear, 1, 3, 256, 0, NULL, NULL },
        { "pinion", create_pinion, 1, 3, 256, 2, NULL, NULL },
        { "bolt", create_bolt, 8, 13, 512, 2, NULL, bolt_volume },
        { "nut", create_nut, 8, 13, 512, 0, NULL, nut_volume },
        { 0 },
    };
    return solids;
}
