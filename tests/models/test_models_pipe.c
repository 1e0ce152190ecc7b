// Pipes: a ball that is put into the mouth finds its way open and downhill to the other end.
#include "mesh/triangle/closest_point.h"
#include "support/meshes/mesh_check.h"

#include <abut/models.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/// The centre line as documented, by the length `s` from the mouth. Returns the whole length.
static double centre_line(const AbutPipeMeshDef* def, double s, double p[3])
{
    double coil = def->coil_radius;
    double end = def->end_length;
    double slope = atan2(def->pitch, 2.0 * PI * coil);
    double bend = coil * (0.5 * PI - slope);
    double helix = def->turns * hypot(2.0 * PI * coil, def->pitch);
    double top = (double)def->pitch * def->turns;
    if (s < end + bend)
    {
        // In the plane x = coil: down, then along an arc whose centre is at the height of the end of the
        // straight part.
        double turned = fmax(0.0, s - end) / coil;
        double centre_y = top + coil * cos(slope);
        double centre_z = -coil * sin(slope);
        p[0] = coil;
        p[1] = centre_y - coil * sin(turned) + fmax(0.0, end - s);
        p[2] = centre_z + coil * cos(turned);
        return 2.0 * end + bend + helix;
    }
    double along = fmin(helix, s - end - bend);
    double angle = 2.0 * PI * def->turns * along / helix;
    double beyond = fmax(0.0, s - end - bend - helix);
    p[0] = coil * cos(angle) - beyond * cos(slope) * sin(angle);
    p[1] = top * (1.0 - along / helix) - beyond * sin(slope);
    p[2] = -coil * sin(angle) - beyond * cos(slope) * cos(angle);
    return 2.0 * end + bend + helix;
}

static double distance_to_mesh(const AbutMesh* mesh, const double p[3])
{
    const AbutVec3* v = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double least = INFINITY;
    for (size_t t = 0; t < abut_mesh_triangle_count(mesh); ++t)
    {
        AbutDVec3 corners[3];
        for (int k = 0; k < 3; ++k)
        {
            corners[k] = abut_dvec3_from_vec3(v[indices[t * 3 + (size_t)k]]);
        }
        least = fmin(least, abut_triangle_closest_feature(corners, abut_dvec3_from_array(p)).squared);
    }
    return sqrt(least);
}

static void test_a_ball_passes_from_end_to_end_and_always_falls(void** state)
{
    (void)state;
    const float pitches[] = { 0.8f, 2.5f };
    for (int i = 0; i < 2; ++i)
    {
        AbutPipeMeshDef def = abut_pipe_mesh_def();
        def.pitch = pitches[i];
        AbutMesh* mesh = NULL;
        test_assert_result(abut_mesh_create_pipe(&def, &mesh), ABUT_OK);
        enum
        {
            STEPS = 150
        };
        double p[3];
        double length = centre_line(&def, 0.0, p);
        double last_height = INFINITY;
        // Facets lie inside of the circle across the pipe and, on the outside of a bend, inside of the arc
        // along it.
        double step = 2.0 * PI / def.divisions_per_turn;
        double ball = def.inner_radius * cos(PI / def.section_divisions) -
                      (def.coil_radius + def.inner_radius) * (1.0 - cos(0.5 * step));
        for (int k = 0; k <= STEPS; ++k)
        {
            centre_line(&def, length * k / STEPS, p);
            double gap = distance_to_mesh(mesh, p);
            if (!(gap >= 0.999 * ball && gap <= 1.001 * def.inner_radius && p[1] < last_height))
            {
                fail_msg("step %d at (%g, %g, %g): gap %g for a ball of %g", k, p[0], p[1], p[2], gap, ball);
            }
            last_height = p[1];
        }
        abut_mesh_destroy(mesh);
    }
}

static void test_the_mouth_is_level_and_on_top(void** state)
{
    (void)state;
    AbutPipeMeshDef def = abut_pipe_mesh_def();
    AbutMesh* mesh = NULL;
    test_assert_result(abut_mesh_create_pipe(&def, &mesh), ABUT_OK);
    double mouth[3];
    centre_line(&def, 0.0, mouth);
    float top = abut_mesh_bounds(mesh).max.y;
    test_assert_near(top, mouth[1], 1e-6);
    double outer = (double)def.inner_radius + def.thickness;
    uint32_t rims[2] = { 0, 0 };
    for (uint32_t k = 0; k < abut_mesh_vertex_count(mesh); ++k)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[k];
        double radius = hypot(v.x - mouth[0], v.z - mouth[2]);
        if (v.y == top)
        {
            rims[0] += fabs(radius - def.inner_radius) < 1e-6;
            rims[1] += fabs(radius - outer) < 1e-6;
        }
    }
    assert_int_equal(rims[0], def.section_divisions);
    assert_int_equal(rims[1], def.section_divisions);
    abut_mesh_destroy(mesh);
}

/// The pitch at which pipes of the given tessellation start to be made.
static double least_pitch(const AbutPipeMeshDef* start)
{
    AbutPipeMeshDef def = *start;
    double low = 0.0, high = 10.0;
    for (int i = 0; i < 30; ++i)
    {
        def.pitch = (float)(0.5 * (low + high));
        AbutMesh* mesh = NULL;
        bool made = abut_mesh_create_pipe(&def, &mesh) == ABUT_OK;
        abut_mesh_destroy(mesh);
        low = made ? low : def.pitch;
        high = made ? def.pitch : high;
    }
    return high;
}

/// The least pitch at which points of a helix that are about a turn apart are two radii apart.
static double touching_pitch(double coil, double radius)
{
    double pitch = 2.0 * radius;
    for (; pitch < 10.0; pitch += 1e-4)
    {
        double least = INFINITY;
        for (double angle = PI; angle <= 2.0 * PI; angle += 1e-3)
        {
            least = fmin(least, hypot(2.0 * coil * sin(0.5 * angle), pitch * angle / (2.0 * PI)));
        }
        if (least > 2.0 * radius)
        {
            break;
        }
    }
    return pitch;
}

static void test_pipes_are_refused_only_when_their_turns_touch(void** state)
{
    (void)state;
    const float coils[] = { 0.26f, 0.4f, 1.0f };
    for (int i = 0; i < 3; ++i)
    {
        AbutPipeMeshDef def = abut_pipe_mesh_def();
        def.coil_radius = coils[i];
        def.divisions_per_turn = 256;
        def.section_divisions = 3;
        test_assert_near(least_pitch(&def), touching_pitch(coils[i], 0.25), 2e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_passes_from_end_to_end_and_always_falls),
        cmocka_unit_test(test_the_mouth_is_level_and_on_top),
        cmocka_unit_test(test_pipes_are_refused_only_when_their_turns_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
