// abut bench accuracy: how far fields are from the true distance. Errors of order 1 against order 0 in no
// more memory, how they fall with the cell, and what is left of things thinner than a cell. Truth is a
// formula in double; points are random and within two cells of the coarser grid from the surface.
#include "bench.h"

#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double HALF_BOX = 0.75;

enum
{
    POINTS = 200000,
    THIN_POINTS = 4000,
    THIN_POSES = 12
};

typedef enum Form
{
    FORM_SPHERE, // radius
    FORM_TORUS,  // radii
    FORM_BOX,    // half extents
    FORM_ROD     // radius, half length along y
} Form;

typedef struct Solid
{
    const char* name;
    Form form;
    double size[3];
    AbutPose pose;
} Solid;

// -----------------------------------------------------------------------------------------------------------
// Truth
// -----------------------------------------------------------------------------------------------------------

static double form_distance(const Solid* solid, const double p[3])
{
    const double* a = solid->size;
    double out = 0.0, in = -INFINITY, y;
    switch (solid->form)
    {
    case FORM_SPHERE:
        return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - a[0];
    case FORM_TORUS:
        return hypot(hypot(p[0], p[2]) - a[0], p[1]) - a[1];
    case FORM_ROD:
        y = p[1] - fmin(fmax(p[1], -a[1]), a[1]);
        return sqrt(p[0] * p[0] + y * y + p[2] * p[2]) - a[0];
    default:
        for (int axis = 0; axis < 3; ++axis)
        {
            double q = fabs(p[axis]) - a[axis];
            out += q > 0.0 ? q * q : 0.0;
            in = fmax(in, q);
        }
        return sqrt(out) + fmin(in, 0.0);
    }
}

/// Rows are the axes of the solid.
static void solid_axes(const Solid* solid, double axes[3][3])
{
    const AbutQuat q = solid->pose.rotation;
    double x = q.x, y = q.y, z = q.z, w = q.w, n = 1.0 / sqrt(x * x + y * y + z * z + w * w);
    x *= n, y *= n, z *= n, w *= n;
    axes[0][0] = 1 - 2 * (y * y + z * z), axes[0][1] = 2 * (x * y + w * z), axes[0][2] = 2 * (x * z - w * y);
    axes[1][0] = 2 * (x * y - w * z), axes[1][1] = 1 - 2 * (x * x + z * z), axes[1][2] = 2 * (y * z + w * x);
    axes[2][0] = 2 * (x * z + w * y), axes[2][1] = 2 * (y * z - w * x), axes[2][2] = 1 - 2 * (x * x + y * y);
}

static double true_distance(const Solid* solid, const double axes[3][3], const double p[3])
{
    const double d[3] = { p[0] - solid->pose.position.x, p[1] - solid->pose.position.y,
                          p[2] - solid->pose.position.z };
    double local[3];
    for (int i = 0; i < 3; ++i)
    {
        local[i] = axes[i][0] * d[0] + axes[i][1] * d[1] + axes[i][2] * d[2];
    }
    return form_distance(solid, local);
}

// -----------------------------------------------------------------------------------------------------------
// Fields
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_shape(const Solid* solid, AbutShape** out)
{
    const float a = (float)solid->size[0], b = (float)solid->size[1], c = (float)solid->size[2];
    AbutShape* form = NULL;
    AbutResult result;
    switch (solid->form)
    {
    case FORM_SPHERE:
        result = abut_shape_create_sphere(a, NULL, &form);
        break;
    case FORM_TORUS:
        result = abut_shape_create_torus(a, b, NULL, &form);
        break;
    case FORM_ROD:
        result = abut_shape_create_capsule(a, 2.0f * b, NULL, &form);
        break;
    default:
        result = abut_shape_create_box(abut_vec3(2.0f * a, 2.0f * b, 2.0f * c), NULL, &form);
        break;
    }
    result = result == ABUT_OK ? abut_shape_create_transformed(form, &solid->pose, NULL, out) : result;
    abut_shape_destroy(form);
    return result;
}

static AbutShape* bake(const Solid* solid, uint32_t cells, AbutFieldFormat format)
{
    AbutShape *shape = NULL, *field = NULL;
    AbutBakeDef def = abut_bake_def();
    const float half = (float)HALF_BOX;
    def.resolution = cells;
    def.format = format;
    def.box = abut_box(abut_vec3(-half, -half, -half), abut_vec3(half, half, half));
    if (create_shape(solid, &shape) != ABUT_OK || abut_bake_shape(&def, shape, &field) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench accuracy: %s\n", abut_last_error());
    }
    abut_shape_destroy(shape);
    return field;
}

static double random_unit(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

typedef struct Errors
{
    double rms, max; // 0 when the field could not be baked
} Errors;

static Errors measure(const Solid* solid, uint32_t cells, AbutFieldFormat format, double band)
{
    Errors errors = { 0 };
    AbutShape* field = bake(solid, cells, format);
    double axes[3][3];
    uint64_t state = 1;
    size_t count = 0;
    solid_axes(solid, axes);
    while (field != NULL && count < POINTS)
    {
        float v[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            v[axis] = (float)((2.0 * random_unit(&state) - 1.0) * HALF_BOX);
        }
        const double p[3] = { v[0], v[1], v[2] };
        double truth = true_distance(solid, axes, p);
        if (fabs(truth) < band)
        {
            double error =
                fabs(truth - (double)abut_shape_distance(field, abut_vec3(v[0], v[1], v[2]), NULL));
            errors.max = fmax(errors.max, error);
            errors.rms += error * error;
            count += 1;
        }
    }
    errors.rms = sqrt(errors.rms / (double)POINTS);
    abut_shape_destroy(field);
    return errors;
}

// -----------------------------------------------------------------------------------------------------------
// Tables
// -----------------------------------------------------------------------------------------------------------

/// A node of order 1 takes twice the bytes, so cells along a side are at most as 1 to the cube root of 2, in
/// whole bricks.
static uint32_t cells_of_order_1(uint32_t cells)
{
    return (uint32_t)((double)cells / cbrt(2.0) / 8.0) * 8u;
}

static void report_equal_memory(BenchReport* report, const Solid* solid, uint32_t cells)
{
    const uint32_t less = cells_of_order_1(cells);
    const double band = 2.0 * 2.0 * HALF_BOX / less;
    char name[64], peer[48];
    Errors zero = measure(solid, cells, ABUT_FIELD_F32, band);
    Errors one = measure(solid, less, ABUT_FIELD_FIRST_ORDER, band);
    snprintf(peer, sizeof(peer), "order 0 at %u^3", cells);
    snprintf(name, sizeof(name), "%s, order 1 at %u^3, rms error", solid->name, less);
    bench_report_row(report, name, one.rms, "of size 1.5", peer, zero.rms, false);
    snprintf(name, sizeof(name), "%s, order 1 at %u^3, max error", solid->name, less);
    bench_report_row(report, name, one.max, "of size 1.5", peer, zero.max, false);
}

static void report_convergence(BenchReport* report, const Solid* solid, AbutFieldFormat format,
                               uint32_t cells)
{
    const double band = 2.0 * HALF_BOX / 24.0;
    char name[64];
    double coarse = measure(solid, cells, format, band).rms,
           fine = measure(solid, 2 * cells, format, band).rms;
    snprintf(name, sizeof(name), "%s, order %d, %u to %u cells", solid->name,
             format == ABUT_FIELD_FIRST_ORDER ? 1 : 0, cells, 2 * cells);
    bench_report_row(report, name, log2(coarse / fine), "converges with", NULL, 0.0, true);
}

/// Part of the points along the middle of a plate or a rod that the field still has inside, in percent.
static double percent_kept(const Solid* solid, uint32_t cells, AbutFieldFormat format)
{
    AbutShape* field = bake(solid, cells, format);
    double axes[3][3];
    uint64_t state = 2;
    int kept = 0;
    solid_axes(solid, axes);
    for (int i = 0; i < THIN_POINTS && field != NULL; ++i)
    {
        double y = 0.6 * random_unit(&state) - 0.3,
               z = solid->form == FORM_ROD ? 0.0 : 0.6 * random_unit(&state) - 0.3;
        const double at[3] = { solid->pose.position.x, solid->pose.position.y, solid->pose.position.z };
        float p[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            p[axis] = (float)(at[axis] + axes[1][axis] * y + axes[2][axis] * z);
        }
        kept += abut_shape_distance(field, abut_vec3(p[0], p[1], p[2]), NULL) < 0.0f ? 1 : 0;
    }
    abut_shape_destroy(field);
    return 100.0 * kept / THIN_POINTS;
}

/// In several poses; the first lies along the grid with its middle as far from nodes as can be.
static void report_thin(BenchReport* report, Form form, double cells_thick)
{
    enum
    {
        CELLS = 48
    };
    const double cell = 2.0 * HALF_BOX / CELLS;
    uint64_t state = 3;
    double kept[2] = { 0.0, 0.0 };
    for (int i = 0; i < THIN_POSES; ++i)
    {
        Solid thin = { .form = form,
                       .size = { 0.5 * cells_thick * cell, 0.45, 0.45 },
                       .pose = abut_pose_identity() };
        double by[3], axis[3];
        for (int k = 0; k < 3; ++k)
        {
            by[k] = i == 0 ? 0.5 * cell : cell * random_unit(&state);
            axis[k] = random_unit(&state) - 0.5;
        }
        thin.pose.position = (AbutPosition){ by[0], by[1], by[2] };
        if (i > 0)
        {
            thin.pose.rotation =
                abut_quat_from_axis_angle(abut_vec3((float)axis[0], (float)axis[1], (float)axis[2]),
                                          (float)(6.0 * random_unit(&state)));
        }
        kept[0] += percent_kept(&thin, CELLS, ABUT_FIELD_F32) / THIN_POSES;
        kept[1] += percent_kept(&thin, CELLS, ABUT_FIELD_FIRST_ORDER) / THIN_POSES;
    }
    char name[64];
    snprintf(name, sizeof(name), "%s of %g cells, order 1", form == FORM_ROD ? "rods" : "plates",
             cells_thick);
    bench_report_row(report, name, kept[1], "% kept", kept[0] > 0.0 ? "order 0" : NULL, kept[0], true);
}

bool bench_accuracy_run(BenchReport* report, int argument_count, char** arguments)
{
    (void)argument_count;
    (void)arguments;
    Solid solids[] = {
        { "sphere", FORM_SPHERE, { 0.5, 0, 0 }, abut_pose_identity() },
        { "torus", FORM_TORUS, { 0.45, 0.2, 0 }, abut_pose_identity() },
        { "turned box", FORM_BOX, { 0.4, 0.3, 0.25 }, abut_pose_identity() },
    };
    solids[2].pose.rotation = abut_quat_from_axis_angle(abut_vec3(1.0f, 2.0f, 3.0f), 0.7f);
    for (int i = 0; i < 2; ++i)
    {
        for (uint32_t cells = 12; cells <= 24; cells *= 2)
        {
            report_convergence(report, &solids[i], ABUT_FIELD_F32, cells);
            report_convergence(report, &solids[i], ABUT_FIELD_FIRST_ORDER, cells);
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (uint32_t cells = 64; cells <= 256; cells *= 2)
        {
            report_equal_memory(report, &solids[i], cells);
        }
    }
    static const double thick[] = { 1.0, 0.75, 0.5, 0.25 };
    for (int i = 0; i < 8; ++i)
    {
        report_thin(report, i < 4 ? FORM_BOX : FORM_ROD, thick[i % 4]);
    }
    return true;
}
