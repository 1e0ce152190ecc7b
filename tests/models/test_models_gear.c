// Gears: the outline against the rack that cuts it, and pairs of gears turning without overlap. Everything is
// looked at in the plane of the gear, from the outline that the mesh has.
#include "support/meshes/mesh_check.h"

#include <abut/models.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct Outline
{
    double (*points)[2]; // counter-clockwise, in x and −z
    uint32_t count;
} Outline;

static AbutMesh* make_gear(const AbutGearMeshDef* def)
{
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_gear(def, &mesh), ABUT_OK);
    return mesh;
}

/// For each vertex of the upper end, the one that follows it along the rim of that end; UINT32_MAX elsewhere.
/// Walls have their upper edges from right to left, so the rim runs against them.
static uint32_t* rim_successors(const AbutMesh* mesh, float top)
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    uint32_t* next = malloc(abut_mesh_vertex_count(mesh) * sizeof(uint32_t));
    assert_non_null(next);
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        next[i] = UINT32_MAX;
    }
    for (size_t i = 0; i < (size_t)abut_mesh_triangle_count(mesh) * 3; ++i)
    {
        const uint32_t* t = indices + i / 3 * 3;
        uint32_t a = t[i % 3], b = t[(i + 1) % 3], c = t[(i + 2) % 3];
        if (v[a].y == top && v[b].y == top && v[c].y != top)
        {
            assert_int_equal(next[b], UINT32_MAX);
            next[b] = a;
        }
    }
    return next;
}

static Outline outline_of(const AbutMesh* mesh, const AbutGearMeshDef* def)
{
    float top = 0.5f * def->width;
    const AbutVec3* v = abut_mesh_vertices(mesh);
    uint32_t* next = rim_successors(mesh, top);
    uint32_t start = UINT32_MAX; // furthest from the axis: not on the bore
    double furthest = 0.0;
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        double far = hypot(v[i].x, v[i].z);
        if (v[i].y == top && far > furthest)
        {
            furthest = far;
            start = i;
        }
    }
    Outline outline = { malloc(abut_mesh_vertex_count(mesh) * sizeof(double[2])), 0 };
    assert_non_null(outline.points);
    uint32_t at = start;
    do
    {
        assert_true(at != UINT32_MAX && outline.count < abut_mesh_vertex_count(mesh));
        outline.points[outline.count][0] = v[at].x;
        outline.points[outline.count++][1] = -(double)v[at].z;
        at = next[at];
    } while (at != start);
    free(next);
    return outline;
}

static Outline make_outline(const AbutGearMeshDef* def)
{
    AbutMesh* mesh = make_gear(def);
    Outline outline = outline_of(mesh, def);
    abut_mesh_destroy(mesh);
    return outline;
}

// -----------------------------------------------------------------------------------------------------------
// The rack as an oracle
// -----------------------------------------------------------------------------------------------------------

/// How deep a point of the gear (in polar coordinates about the middle of a gap) is inside of the rack's
/// tooth when the gear has rolled by `roll`; negative outside.
static double depth_in_rack(const AbutGearMeshDef* def, double radius, double angle, double roll)
{
    double module = def->module;
    double pitch_radius = 0.5 * module * def->teeth;
    double across = radius * sin(angle + roll) - pitch_radius * roll;
    double below = pitch_radius - radius * cos(angle + roll); // the rack's pitch line
    double half_width = 0.25 * PI * module + 0.5 * def->backlash - below * tan(def->pressure_angle);
    return fmin(1.25 * module - below, (half_width - fabs(across)) * cos(def->pressure_angle));
}

static double deepest_in_rack(const AbutGearMeshDef* def, double radius, double angle)
{
    enum
    {
        SCAN = 2000
    };
    double range = 2.0; // radians of roll to each side; flanks of four teeth are done within one
    double best = -INFINITY;
    double best_roll = 0.0;
    for (int i = -SCAN; i <= SCAN; ++i)
    {
        double roll = range * i / SCAN;
        double depth = depth_in_rack(def, radius, angle, roll);
        best_roll = depth > best ? roll : best_roll;
        best = fmax(best, depth);
    }
    double low = best_roll - range / SCAN;
    double high = best_roll + range / SCAN;
    for (int i = 0; i < 60; ++i)
    {
        double a = low + (high - low) / 3.0;
        double b = high - (high - low) / 3.0;
        bool left = depth_in_rack(def, radius, angle, a) > depth_in_rack(def, radius, angle, b);
        low = left ? low : a;
        high = left ? b : high;
    }
    return depth_in_rack(def, radius, angle, 0.5 * (low + high));
}

/// Every point lies on the tip circle or is just touched by the rack, and none is cut away by it.
static void check_against_rack(const AbutGearMeshDef* def)
{
    Outline outline = make_outline(def);
    double tip = 0.5 * (double)def->module * def->teeth + def->module;
    double tolerance = 1e-6 * 2.0 * tip;
    for (uint32_t i = 0; i < outline.count; ++i)
    {
        double radius = hypot(outline.points[i][0], outline.points[i][1]);
        double gap = 2.0 * PI / def->teeth;
        double angle = atan2(outline.points[i][1], outline.points[i][0]) / gap - 0.5;
        angle = (angle - floor(angle + 0.5)) * gap; // from the middle of the nearest gap
        if (fabs(angle) > 0.5 * gap - 1e-9 && fabs(radius - tip) <= tolerance)
        {
            continue;
        }
        double depth = deepest_in_rack(def, radius, angle);
        bool on_tip = fabs(radius - tip) <= tolerance && depth <= tolerance;
        if (!on_tip && !(fabs(depth) <= tolerance))
        {
            fail_msg("%u teeth, pressure angle %g: point %u at radius %g, angle %g is %g inside of the rack",
                     def->teeth, (double)def->pressure_angle, i, radius, angle, depth);
        }
    }
    free(outline.points);
}

static void test_outlines_are_what_a_rack_cuts(void** state)
{
    (void)state;
    const uint32_t teeth[] = { 4, 7, 12, 17, 22, 43, 100 };
    const float angles[] = { 0.25f, 0.34906585f, 0.45f };
    for (int i = 0; i < 7; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            AbutGearMeshDef def = abut_gear_mesh_def();
            def.teeth = teeth[i];
            def.pressure_angle = angles[k];
            def.bore_radius = 0.0f;
            def.flank_divisions = teeth[i] > 40 ? 1 : 4;
            check_against_rack(&def);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Pairs
// -----------------------------------------------------------------------------------------------------------

static double edge_distance(const double p[2], const double a[2], const double b[2])
{
    double u[2] = { b[0] - a[0], b[1] - a[1] };
    double t = ((p[0] - a[0]) * u[0] + (p[1] - a[1]) * u[1]) / (u[0] * u[0] + u[1] * u[1]);
    t = fmin(1.0, fmax(0.0, t));
    return hypot(p[0] - a[0] - t * u[0], p[1] - a[1] - t * u[1]);
}

/// Signed distance from a polygon, negative inside; by crossing number.
static double outline_distance(const Outline* outline, const double p[2])
{
    double least = INFINITY;
    bool inside = false;
    for (uint32_t i = 0; i < outline->count; ++i)
    {
        const double* a = outline->points[i];
        const double* b = outline->points[(i + 1) % outline->count];
        least = fmin(least, edge_distance(p, a, b));
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
        {
            inside = !inside;
        }
    }
    return inside ? -least : least;
}

/// A point of gear `from`, turned by from_turn, in the frame of the gear `distance` further along x, turned
/// by to_turn.
static void carry(const double p[2], double from_turn, double distance, double to_turn, double q[2])
{
    double x = p[0] * cos(from_turn) - p[1] * sin(from_turn) - distance;
    double y = p[0] * sin(from_turn) + p[1] * cos(from_turn);
    q[0] = x * cos(to_turn) + y * sin(to_turn);
    q[1] = -x * sin(to_turn) + y * cos(to_turn);
}

/// The least signed distance of the points of `a` from `b`. Only those near b's tip circle are looked at.
static double least_distance(const Outline* a, double turn_a, const Outline* b, double turn_b,
                             double distance, double reach)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < a->count; ++i)
    {
        double q[2];
        carry(a->points[i], turn_a, distance, turn_b, q);
        if (hypot(q[0], q[1]) <= reach)
        {
            least = fmin(least, outline_distance(b, q));
        }
    }
    return least;
}

typedef struct PairGaps
{
    double least;  // over all turns; negative when the gears overlap
    double widest; // the largest of the least distances at each turn
} PairGaps;

/// Turns two gears over one pitch of the first, by the rule of the documentation.
static PairGaps turn_pair(const AbutGearMeshDef* def_a, const AbutGearMeshDef* def_b)
{
    enum
    {
        STEPS = 24
    };
    Outline a = make_outline(def_a);
    Outline b = make_outline(def_b);
    double teeth_a = def_a->teeth;
    double teeth_b = def_b->teeth;
    double distance = 0.5 * def_a->module * (teeth_a + teeth_b);
    double tip_a = def_a->module * (0.5 * teeth_a + 1.0);
    double tip_b = def_b->module * (0.5 * teeth_b + 1.0);
    PairGaps gaps = { INFINITY, -INFINITY };
    for (int i = 0; i < STEPS; ++i)
    {
        double turn_a = 2.0 * PI / teeth_a * i / STEPS;
        double turn_b = PI + PI / teeth_b - turn_a * teeth_a / teeth_b;
        double gap = fmin(least_distance(&a, turn_a, &b, turn_b, distance, tip_b),
                          least_distance(&b, turn_b, &a, turn_a, -distance, tip_a));
        gaps.least = fmin(gaps.least, gap);
        gaps.widest = fmax(gaps.widest, gap);
    }
    free(a.points);
    free(b.points);
    return gaps;
}

static AbutGearMeshDef pair_def(uint32_t teeth, float pressure_angle, float backlash)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = teeth;
    def.pressure_angle = pressure_angle;
    def.backlash = backlash;
    def.bore_radius = 0.0f;
    def.flank_divisions = 12;
    return def;
}

static void test_gears_turn_without_overlap(void** state)
{
    (void)state;
    const uint32_t pairs[][2] = { { 4, 4 },   { 4, 30 }, { 5, 9 },   { 8, 40 },  { 12, 12 },
                                  { 13, 57 }, { 20, 7 }, { 20, 20 }, { 25, 60 }, { 90, 17 } };
    const float angles[] = { 0.3f, 0.34906585f, 0.42f };
    for (int i = 0; i < 10; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            AbutGearMeshDef a = pair_def(pairs[i][0], angles[k], 0.0f);
            AbutGearMeshDef b = pair_def(pairs[i][1], angles[k], 0.0f);
            PairGaps gaps = turn_pair(&a, &b);
            // Flanks bulge, so their chords lie inside of them; the rest has a quarter of a module to spare.
            // What remains is the rounding of vertices.
            double tolerance = 1e-6 * a.module * (pairs[i][0] + pairs[i][1]);
            if (!(gaps.least >= -tolerance))
            {
                fail_msg("%u and %u teeth at %g overlap by %g modules", pairs[i][0], pairs[i][1],
                         (double)angles[k], -gaps.least / a.module);
            }
        }
    }
}

static void test_gears_without_backlash_touch_all_the_time(void** state)
{
    (void)state;
    const uint32_t pairs[][2] = { { 9, 9 }, { 9, 40 }, { 20, 20 }, { 18, 45 }, { 30, 61 } };
    for (int i = 0; i < 5; ++i)
    {
        AbutGearMeshDef a = pair_def(pairs[i][0], 0.34906585f, 0.0f);
        AbutGearMeshDef b = pair_def(pairs[i][1], 0.34906585f, 0.0f);
        PairGaps gaps = turn_pair(&a, &b);
        // Off by the height of the flanks over their chords alone: twelve of them on two modules.
        test_assert_near(gaps.widest / a.module, 0.0, 2e-3);
    }
}

static void test_backlash_opens_the_gap_by_its_component_across_the_flank(void** state)
{
    (void)state;
    AbutGearMeshDef a = pair_def(24, 0.34906585f, 0.006f);
    AbutGearMeshDef b = pair_def(31, 0.34906585f, 0.002f);
    PairGaps gaps = turn_pair(&a, &b);
    // Half of it on each side, measured along the line of action.
    double expected = 0.5 * (0.006 + 0.002) * cos(0.34906585);
    test_assert_near(gaps.least / a.module, expected / a.module, 2e-3);
    test_assert_near(gaps.widest / a.module, expected / a.module, 4e-3);
}

static double gear_volume(uint32_t teeth, uint32_t divisions)
{
    AbutGearMeshDef def = abut_gear_mesh_def();
    def.teeth = teeth;
    def.flank_divisions = divisions;
    def.bore_divisions = 16 * divisions;
    def.bore_radius = 0.01f;
    AbutMesh* mesh = make_gear(&def);
    double volume = test_mesh_volume(mesh);
    abut_mesh_destroy(mesh);
    return volume;
}

static void test_volume_converges_at_second_order(void** state)
{
    (void)state;
    const uint32_t teeth[] = { 6, 20, 50 };
    for (int i = 0; i < 3; ++i)
    {
        double ideal = gear_volume(teeth[i], 256);
        for (uint32_t divisions = 4; divisions <= 64; divisions *= 2)
        {
            // Chords lose on the flanks and gain in the roots, so the errors need not fall evenly.
            test_assert_near(gear_volume(teeth[i], divisions) / ideal, 1.0, 0.25 / (divisions * divisions));
        }
    }
}

static void test_every_number_of_teeth_works_at_twenty_degrees(void** state)
{
    (void)state;
    for (uint32_t teeth = 4; teeth <= 1024; teeth += teeth < 64 ? 1 : 96)
    {
        AbutGearMeshDef def = abut_gear_mesh_def();
        def.teeth = teeth;
        def.bore_radius = 0.05f;
        def.flank_divisions = teeth % 3 == 0 ? 256 : teeth % 16 + 1;
        AbutMesh* mesh = make_gear(&def);
        test_check_solid(mesh, 0, "gear");
        test_check_flat_faces(mesh, "gear");
        abut_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlines_are_what_a_rack_cuts),
        cmocka_unit_test(test_gears_turn_without_overlap),
        cmocka_unit_test(test_gears_without_backlash_touch_all_the_time),
        cmocka_unit_test(test_backlash_opens_the_gap_by_its_component_across_the_flank),
        cmocka_unit_test(test_volume_converges_at_second_order),
        cmocka_unit_test(test_every_number_of_teeth_works_at_twenty_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
