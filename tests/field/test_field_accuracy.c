// How good fields are at distances: convergence, equal memory, edges, and things thinner than a cell. Every
// true distance is a formula in double, written here.
#include "support/support.h"

#include <abut/bake.h>
#include <math.h>

// -----------------------------------------------------------------------------------------------------------
// Shapes with their formulas
// -----------------------------------------------------------------------------------------------------------

typedef enum Form
{
    FORM_SPHERE,
    FORM_TORUS,
    FORM_BOX, // also plates
    FORM_ROD  // a capsule: straight along y
} Form;

/// A form in a pose: parameters are radii (sphere, torus), half extents (box), or radius and half length
/// (rod).
typedef struct Solid
{
    Form form;
    double parameter[3];
    AbutPose pose;
    bool hollow;       // what is solid and what is not, swapped
    double axes[3][3]; // of the pose; set by bake()
} Solid;

static double form_distance(const Solid* solid, const double p[3])
{
    const double* a = solid->parameter;
    double q[3] = { p[0], p[1], p[2] }, out = 0.0, in = -INFINITY;
    switch (solid->form)
    {
    case FORM_SPHERE:
        return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - a[0];
    case FORM_TORUS:
        return hypot(hypot(p[0], p[2]) - a[0], p[1]) - a[1];
    case FORM_ROD:
        q[1] -= fmin(fmax(p[1], -a[1]), a[1]);
        return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - a[0];
    default:
        for (int axis = 0; axis < 3; ++axis)
        {
            q[axis] = fabs(p[axis]) - a[axis];
            out += q[axis] > 0.0 ? q[axis] * q[axis] : 0.0;
            in = fmax(in, q[axis]);
        }
        return sqrt(out) + fmin(in, 0.0);
    }
}

/// Columns are the axes of the solid in the world; from the quaternion, in double.
static void pose_axes(const AbutPose* pose, double axes[3][3])
{
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z, w = pose->rotation.w;
    double n = 1.0 / sqrt(x * x + y * y + z * z + w * w);
    x *= n, y *= n, z *= n, w *= n;
    const double m[3][3] = { { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) },
                             { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x) },
                             { 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) } };
    for (int i = 0; i < 9; ++i)
    {
        axes[i / 3][i % 3] = m[i / 3][i % 3];
    }
}

static double true_distance(const Solid* solid, const double p[3])
{
    const double(*axes)[3] = solid->axes;
    double local[3];
    const double d[3] = { p[0] - solid->pose.position.x, p[1] - solid->pose.position.y,
                          p[2] - solid->pose.position.z };
    for (int i = 0; i < 3; ++i)
    {
        local[i] = axes[i][0] * d[0] + axes[i][1] * d[1] + axes[i][2] * d[2];
    }
    double distance = form_distance(solid, local);
    return solid->hollow ? -distance : distance;
}

static void answer(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    const Solid* solid = user;
    for (size_t i = 0; i < count; ++i)
    {
        const double p[3] = { points.x[i], points.y[i], points.z[i] };
        out.distance[i] = (float)true_distance(solid, p);
        if (out.gradient_x != NULL) // by differences: exact up to the cube of the step
        {
            double g[3];
            for (int axis = 0; axis < 3; ++axis)
            {
                double a[3] = { p[0], p[1], p[2] }, b[3] = { p[0], p[1], p[2] };
                a[axis] += 1e-5;
                b[axis] -= 1e-5;
                g[axis] = (true_distance(solid, a) - true_distance(solid, b)) / 2e-5;
            }
            out.gradient_x[i] = (float)g[0];
            out.gradient_y[i] = (float)g[1];
            out.gradient_z[i] = (float)g[2];
        }
    }
}

static Solid make_solid(Form form, double a, double b, double c)
{
    return (Solid){ .form = form, .parameter = { a, b, c }, .pose = abut_pose_identity() };
}

static AbutShape* bake(Solid* solid, uint32_t resolution, AbutFieldFormat format, bool sparse)
{
    AbutCallbackDef callback = abut_callback_def();
    pose_axes(&solid->pose, solid->axes);
    callback.function = answer;
    callback.user = solid;
    callback.has_gradient = true;
    callback.distance_kind = ABUT_DISTANCE_EXACT;
    AbutBakeDef def = abut_bake_def();
    def.resolution = resolution;
    def.format = format;
    def.sparse = sparse;
    def.box = abut_box(abut_vec3(-0.75f, -0.75f, -0.75f), abut_vec3(0.75f, 0.75f, 0.75f));
    AbutShape *shape = NULL, *field = NULL;
    test_assert_result(abut_shape_create_callback(&callback, &shape), ABUT_OK);
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

typedef struct Errors
{
    double rms, max;
} Errors;

/// Over random points within `band` of the surface.
static Errors measure(const Solid* solid, const AbutShape* field, double band)
{
    TestRandom random = { 41 };
    Errors errors = { 0 };
    size_t count = 0;
    for (int i = 0; i < 150000; ++i)
    {
        AbutVec3 v = test_random_point(&random, 0.75);
        const double p[3] = { v.x, v.y, v.z };
        double truth = true_distance(solid, p);
        if (fabs(truth) < band)
        {
            double error = fabs(truth - (double)abut_shape_distance(field, v, NULL));
            errors.rms += error * error;
            errors.max = fmax(errors.max, error);
            count += 1;
        }
    }
    errors.rms = sqrt(errors.rms / (double)count);
    return errors;
}

static Errors bake_and_measure(Solid* solid, uint32_t resolution, AbutFieldFormat format)
{
    AbutShape* field = bake(solid, resolution, format, false);
    Errors errors = measure(solid, field, 0.03);
    abut_shape_destroy(field);
    return errors;
}

// -----------------------------------------------------------------------------------------------------------
// Smooth shapes and edges
// -----------------------------------------------------------------------------------------------------------

static void test_order_0_converges_with_order_2_and_order_1_with_order_3(void** state)
{
    (void)state;
    Solid solids[2] = { make_solid(FORM_SPHERE, 0.5, 0, 0), make_solid(FORM_TORUS, 0.45, 0.2, 0) };
    for (int i = 0; i < 2; ++i)
    {
        for (uint32_t n = 12; n <= 24; n *= 2) // finer, the rounding of nodes shows
        {
            double zero = bake_and_measure(&solids[i], n, ABUT_FIELD_F32).rms;
            zero /= bake_and_measure(&solids[i], 2 * n, ABUT_FIELD_F32).rms;
            double one = bake_and_measure(&solids[i], n, ABUT_FIELD_FIRST_ORDER).rms;
            one /= bake_and_measure(&solids[i], 2 * n, ABUT_FIELD_FIRST_ORDER).rms;
            print_message("%s, %u to %u cells: order 0 converges with %.2f, order 1 with %.2f\n",
                          i == 0 ? "sphere" : "torus", n, 2 * n, log2(zero), log2(one));
            assert_true(log2(zero) > 1.9);
            assert_true(log2(one) > 2.8);
        }
    }
}

static void test_order_1_is_30_times_better_in_the_same_memory_on_smooth_shapes(void** state)
{
    (void)state;
    Solid solids[2] = { make_solid(FORM_SPHERE, 0.5, 0, 0), make_solid(FORM_TORUS, 0.45, 0.2, 0) };
    // Eight bytes per node against four: cells along a side are as the cube root of 2 to 1, rounded to whole
    // bricks.
    const uint32_t zero[2] = { 64, 104 }, one[2] = { 48, 80 };
    for (int i = 0; i < 4; ++i)
    {
        Errors a = bake_and_measure(&solids[i % 2], zero[i / 2], ABUT_FIELD_F32);
        Errors b = bake_and_measure(&solids[i % 2], one[i / 2], ABUT_FIELD_FIRST_ORDER);
        print_message(
            "%s: order 0 at %u cells rms %.3g max %.3g, order 1 at %u cells %.3g %.3g: %.0f and %.0f times\n",
            i % 2 == 0 ? "sphere" : "torus", zero[i / 2], a.rms, a.max, one[i / 2], b.rms, b.max,
            a.rms / b.rms, a.max / b.max);
        assert_true(a.rms > 30.0 * b.rms);
    }
}

static void test_order_1_never_loses_on_a_rotated_box(void** state)
{
    (void)state;
    TestRandom random = { 42 };
    for (int i = 0; i < 8; ++i)
    {
        Solid box = make_solid(FORM_BOX, 0.4, 0.3, 0.25);
        box.pose.rotation = i == 0 ? abut_quat_identity() : test_random_rotation(&random);
        Errors zero = bake_and_measure(&box, i % 2 == 0 ? 40 : 64, ABUT_FIELD_F32);
        Errors one = bake_and_measure(&box, i % 2 == 0 ? 32 : 48, ABUT_FIELD_FIRST_ORDER);
        print_message("box %d: order 0 rms %.3g max %.3g, order 1 %.3g %.3g\n", i, zero.rms, zero.max,
                      one.rms, one.max);
        assert_true(one.rms < zero.rms);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Things thinner than a cell
// -----------------------------------------------------------------------------------------------------------

/// Kept: all along its middle a thin thing is solid, and a cell away from it, on either side, there is none
/// of it. Returns how many of the points along the middle are lost.
static int count_lost(const Solid* solid, const AbutShape* field, double cell, TestRandom* random)
{
    const double(*axes)[3] = solid->axes;
    int lost = 0;
    for (int i = 0; i < 1000; ++i)
    {
        // In the frame of the solid: anywhere in the plate, or along the rod; and a cell away from the
        // middle.
        double at[3] = { 0.0, test_random_range(random, -0.3, 0.3), 0.0 },
               displacement[3] = { 0.0, 0.0, 0.0 };
        double angle = test_random_range(random, 0.0, 6.28);
        at[2] = solid->form == FORM_BOX ? test_random_range(random, -0.3, 0.3) : 0.0;
        displacement[0] = solid->form == FORM_BOX ? 1.0 : cos(angle);
        displacement[2] = solid->form == FORM_BOX ? 0.0 : sin(angle);
        AbutVec3 middle, side[2];
        double m[3], s[2][3];
        for (int axis = 0; axis < 3; ++axis)
        {
            double along = axes[0][axis] * displacement[0] + axes[2][axis] * displacement[2];
            m[axis] = axes[0][axis] * at[0] + axes[1][axis] * at[1] + axes[2][axis] * at[2];
            m[axis] += axis == 0   ? solid->pose.position.x
                       : axis == 1 ? solid->pose.position.y
                                   : solid->pose.position.z;
            s[0][axis] = m[axis] + cell * along;
            s[1][axis] = m[axis] - cell * along;
        }
        middle = abut_vec3((float)m[0], (float)m[1], (float)m[2]);
        float sign = solid->hollow ? -1.0f : 1.0f;
        lost += sign * abut_shape_distance(field, middle, NULL) < 0.0f ? 0 : 1;
        for (int k = 0; k < 2; ++k)
        {
            side[k] = abut_vec3((float)s[k][0], (float)s[k][1], (float)s[k][2]);
            assert_true(sign * abut_shape_distance(field, side[k], NULL) > 0.0f);
        }
    }
    return lost;
}

static void check_thin_things(Form form, bool hollow)
{
    TestRandom random = { 43 };
    const double cell = 1.5 / 32.0;
    int lost = 0, lost_by_order_0 = 0;
    for (int i = 0; i < 16; ++i)
    {
        double half = 0.5 * cell * (i % 2 == 0 ? 0.5 : 0.75);
        Solid thin =
            form == FORM_BOX ? make_solid(FORM_BOX, half, 0.45, 0.45) : make_solid(FORM_ROD, half, 0.45, 0);
        thin.hollow = hollow;
        // Some along the axes of the grid and just between nodes, where they are hardest to keep; others
        // anyhow.
        thin.pose.rotation = i < 4 ? abut_quat_identity() : test_random_rotation(&random);
        AbutVec3 by = i < 2 ? abut_vec3((float)(0.5 * cell), (float)(0.5 * cell), (float)(0.5 * cell))
                            : test_random_point(&random, cell);
        thin.pose.position = (AbutPosition){ by.x, by.y, by.z };
        for (int sparse = 0; sparse < 2; ++sparse)
        {
            AbutShape* field = bake(&thin, 32, ABUT_FIELD_FIRST_ORDER, sparse != 0);
            lost += count_lost(&thin, field, cell, &random);
            abut_shape_destroy(field);
        }
        AbutShape* field = bake(&thin, 32, ABUT_FIELD_F32, false);
        lost_by_order_0 += count_lost(&thin, field, cell, &random);
        abut_shape_destroy(field);
    }
    print_message("%d of 32000 points along the middle lost; by order 0, %d of 16000\n", lost,
                  lost_by_order_0);
    assert_int_equal(lost, 0);
    assert_true(lost_by_order_0 > 5000);
}

static void test_plates_of_half_a_cell_are_kept(void** state)
{
    (void)state;
    check_thin_things(FORM_BOX, false);
}

static void test_rods_of_half_a_cell_are_kept(void** state)
{
    (void)state;
    check_thin_things(FORM_ROD, false);
}

static void test_gaps_of_half_a_cell_are_kept(void** state)
{
    (void)state;
    check_thin_things(FORM_BOX, true);
    check_thin_things(FORM_ROD, true);
}

static void check_promises(Solid* thin, bool sparse, TestRandom* random)
{
    AbutShape* field = bake(thin, 32, ABUT_FIELD_FIRST_ORDER, sparse);
    double slope = abut_shape_info(field).lipschitz, cell = abut_field_info(field).cell_size;
    for (int i = 0; i < 20000; ++i)
    {
        // Around the middle, where nodes are thin, and short steps, which are the steepest.
        AbutVec3 p = test_random_point(random, 0.5);
        p.x = (float)(thin->pose.position.x + test_random_range(random, -2.0 * cell, 2.0 * cell));
        AbutVec3 q = abut_vec3_add(p, test_random_point(random, i % 2 == 0 ? 0.02 * cell : cell));
        const double a[3] = { p.x, p.y, p.z };
        double truth = true_distance(thin, a), here = abut_shape_distance(field, p, NULL);
        AbutDistanceBounds bounds = abut_field_point_bounds(field, p);
        double rise = fabs(here - (double)abut_shape_distance(field, q, NULL));
        double displacement = abut_vec3_length(abut_vec3_sub(p, q));
        if (!((double)bounds.low <= truth && truth <= (double)bounds.high) ||
            (!sparse && rise > slope * displacement + 1e-6))
        {
            fail_msg("distance %g outside of [%g, %g], or a rise of %g over %g with a slope of %g", truth,
                     (double)bounds.low, (double)bounds.high, rise, displacement, slope);
        }
    }
    abut_shape_destroy(field);
}

static void test_bounds_and_slopes_hold_around_thin_things(void** state)
{
    (void)state;
    TestRandom random = { 44 };
    for (int i = 0; i < 8; ++i)
    {
        double half = 0.5 * (1.5 / 32.0) * (i % 2 == 0 ? 0.5 : 0.3);
        Solid thin = i < 4 ? make_solid(FORM_BOX, half, 0.45, 0.45) : make_solid(FORM_ROD, half, 0.45, 0);
        thin.pose.position.x = test_random_range(&random, 0.0, 1.5 / 32.0);
        thin.pose.rotation =
            abut_quat_from_axis_angle(test_random_direction(&random), i % 4 < 2 ? 0.0f : 0.1f);
        check_promises(&thin, false, &random);
        check_promises(&thin, true, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_0_converges_with_order_2_and_order_1_with_order_3),
        cmocka_unit_test(test_order_1_is_30_times_better_in_the_same_memory_on_smooth_shapes),
        cmocka_unit_test(test_order_1_never_loses_on_a_rotated_box),
        cmocka_unit_test(test_plates_of_half_a_cell_are_kept),
        cmocka_unit_test(test_rods_of_half_a_cell_are_kept),
        cmocka_unit_test(test_gaps_of_half_a_cell_are_kept),
        cmocka_unit_test(test_bounds_and_slopes_hold_around_thin_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
