// Terrain: exact samples per second around its surface beside a scalar loop over triangles, and balls and
// capsules in closed form beside branch and bound.
#include "families.h"

#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SIDE = 257, // heights
    POINTS = 1 << 14,
    POSES = 2048,
    REPEATS = 9,
    MOST_CONTACTS = 64
};

typedef struct TerrainBench
{
    float heights[SIDE * SIDE];
    float x[POINTS], y[POINTS], z[POINTS], distance[POINTS], gradient[3][POINTS];
    double plain[POINTS];
    AbutShape* shape;
    uint64_t random;
} TerrainBench;

static double random_unit(TerrainBench* bench)
{
    bench->random = bench->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(bench->random >> 11) * 0x1p-53;
}

/// Hills with slopes of about a half, and some roughness.
static bool make_terrain(TerrainBench* bench)
{
    for (int z = 0; z < SIDE; ++z)
    {
        for (int x = 0; x < SIDE; ++x)
        {
            double height = 8.0 * sin(0.05 * x) * cos(0.04 * z) + sin(0.31 * x + 0.23 * z);
            bench->heights[z * SIDE + x] = (float)(height + 0.2 * random_unit(bench));
        }
    }
    AbutHeightfieldDef def = abut_heightfield_def();
    def.heights = bench->heights;
    def.x_count = def.z_count = SIDE;
    return abut_shape_create_heightfield(&def, &bench->shape) == ABUT_OK;
}

static double height_at(const TerrainBench* bench, double x, double z)
{
    int i = (int)x, k = (int)z;
    double fx = x - i, fz = z - k;
    const float* h = &bench->heights[k * SIDE + i];
    double h00 = h[0], h10 = h[1], h01 = h[SIDE], h11 = h[SIDE + 1];
    return fx >= fz ? h00 + fx * (h10 - h00) + fz * (h11 - h10) : h00 + fz * (h01 - h00) + fx * (h11 - h01);
}

// -----------------------------------------------------------------------------------------------------------
// The plain way: one triangle at a time
// -----------------------------------------------------------------------------------------------------------

typedef struct Vec
{
    double x, y, z;
} Vec;

static Vec sub(Vec a, Vec b)
{
    return (Vec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static double dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double segment_squared(Vec p, Vec a, Vec b)
{
    Vec ab = sub(b, a), ap = sub(p, a);
    double t = dot(ap, ab) / dot(ab, ab);
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    Vec r = { ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z };
    return dot(r, r);
}

static double triangle_squared(Vec p, Vec a, Vec b, Vec c)
{
    Vec u = sub(b, a), v = sub(c, a), w = sub(p, a);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
    double area = uu * vv - uv * uv, s = (vv * wu - uv * wv) / area, t = (uu * wv - uv * wu) / area;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0)
    {
        Vec r = { w.x - s * u.x - t * v.x, w.y - s * u.y - t * v.y, w.z - s * u.z - t * v.z };
        return dot(r, r);
    }
    double ab = segment_squared(p, a, b), bc = segment_squared(p, b, c), ca = segment_squared(p, c, a);
    return fmin(ab, fmin(bc, ca));
}

static double cell_squared(const TerrainBench* bench, Vec p, int i, int k)
{
    const float* h = &bench->heights[k * SIDE + i];
    Vec a = { i, h[0], k }, b = { i + 1, h[1], k }, c = { i + 1, h[SIDE + 1], k + 1 },
        d = { i, h[SIDE], k + 1 };
    return fmin(triangle_squared(p, a, b, c), triangle_squared(p, a, c, d));
}

/// The cell under the point, then all cells within that distance.
static double plain_distance(const TerrainBench* bench, Vec p)
{
    double best = cell_squared(bench, p, (int)p.x, (int)p.z), radius = sqrt(best);
    for (int k = (int)(p.z - radius); k <= (int)(p.z + radius); ++k)
    {
        for (int i = (int)(p.x - radius); i <= (int)(p.x + radius); ++i)
        {
            best = fmin(best, cell_squared(bench, p, i, k));
        }
    }
    return p.y < height_at(bench, p.x, p.z) ? -sqrt(best) : sqrt(best);
}

// -----------------------------------------------------------------------------------------------------------
// Samples
// -----------------------------------------------------------------------------------------------------------

/// Points within `distance` spacings of the surface, in clusters of 64 as a narrow phase has them.
static void fill_points(TerrainBench* bench, double distance)
{
    double at_x = 0.0, at_z = 0.0;
    for (int i = 0; i < POINTS; ++i)
    {
        if (i % 64 == 0)
        {
            at_x = 20.0 + (SIDE - 42) * random_unit(bench);
            at_z = 20.0 + (SIDE - 42) * random_unit(bench);
        }
        double x = at_x + 2.0 * random_unit(bench), z = at_z + 0.0;
        z += 2.0 * random_unit(bench);
        bench->x[i] = (float)x;
        bench->z[i] = (float)z;
        bench->y[i] = (float)(height_at(bench, x, z) + distance * (2.0 * random_unit(bench) - 1.0));
    }
}

static double time_samples(TerrainBench* bench, bool gradient, int repeats)
{
    double times[REPEATS];
    AbutPose pose = abut_pose_identity();
    AbutSamples out = { .distance = bench->distance };
    if (gradient)
    {
        out = (AbutSamples){ bench->distance, bench->gradient[0], bench->gradient[1], bench->gradient[2] };
    }
    for (int r = 0; r < repeats; ++r)
    {
        double start = bench_cpu_seconds();
        abut_shape_sample(bench->shape, &pose, (AbutPoints){ bench->x, bench->y, bench->z }, POINTS, out);
        times[r] = bench_cpu_seconds() - start;
    }
    return POINTS / bench_median(times, repeats) * 1e-6;
}

static double time_plain(TerrainBench* bench)
{
    double start = bench_cpu_seconds();
    for (int i = 0; i < POINTS; ++i)
    {
        bench->plain[i] = plain_distance(bench, (Vec){ bench->x[i], bench->y[i], bench->z[i] });
    }
    return POINTS / (bench_cpu_seconds() - start) * 1e-6;
}

static bool run_samples(BenchReport* report, TerrainBench* bench, double distance, int repeats)
{
    char name[64];
    fill_points(bench, distance);
    double plain = time_plain(bench), without = time_samples(bench, false, repeats);
    double with = time_samples(bench, true, repeats);
    for (int i = 0; i < POINTS; ++i)
    {
        if (fabs((double)bench->distance[i] - bench->plain[i]) > 1e-6)
        {
            fprintf(stderr, "abut: bench families: terrain at %g %g %g: %g, expected %g\n",
                    (double)bench->x[i], (double)bench->y[i], (double)bench->z[i], (double)bench->distance[i],
                    bench->plain[i]);
            return false;
        }
    }
    snprintf(name, sizeof(name), "samples within %.2g spacings", distance);
    bench_report_row(report, name, without, "million/s", "a triangle at a time", plain, true);
    snprintf(name, sizeof(name), "the same with gradients");
    bench_report_row(report, name, with, "million/s", "a triangle at a time", plain, true);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Balls and capsules
// -----------------------------------------------------------------------------------------------------------

static double time_method(TerrainBench* bench, const AbutShape* body, const AbutPose* poses, int step,
                          AbutCollideMethod method, int repeats, int* touching)
{
    double times[REPEATS];
    AbutContact contacts[MOST_CONTACTS];
    AbutCollideInput input = abut_collide_input(body, bench->shape);
    input.settings.method = method;
    for (int r = 0; r < repeats; ++r)
    {
        *touching = 0;
        double start = bench_cpu_seconds();
        for (int i = 0; i < POSES; i += step)
        {
            input.pose_a = poses[i];
            AbutCollideOutput output = abut_collide(&input, contacts, MOST_CONTACTS);
            *touching += output.state == ABUT_COLLIDE_CONTACT;
        }
        times[r] = (bench_cpu_seconds() - start) / (POSES / step);
    }
    return 1e9 * bench_median(times, repeats);
}

static void run_body(BenchReport* report, TerrainBench* bench, const char* name, const AbutShape* body,
                     int repeats)
{
    static AbutPose poses[POSES];
    for (int i = 0; i < POSES; ++i)
    {
        double x = 20.0 + (SIDE - 42) * random_unit(bench), z = 20.0;
        z += (SIDE - 42) * random_unit(bench);
        poses[i] = abut_pose_at(x, height_at(bench, x, z) + random_unit(bench), z);
        AbutVec3 axis = abut_vec3((float)random_unit(bench), 1.0f, 0.5f);
        poses[i].rotation = abut_quat_from_axis_angle(axis, (float)(6.0 * random_unit(bench)));
    }
    int touching, touching_adaptive;
    double closed = time_method(bench, body, poses, 1, ABUT_COLLIDE_AUTOMATIC, repeats, &touching);
    double adaptive = time_method(bench, body, poses, 64, ABUT_COLLIDE_ADAPTIVE, 1, &touching_adaptive);
    bench_report_row(report, name, closed, "ns per pair", "abut's adaptive", adaptive, false);
}

bool family_terrain_run(BenchReport* report, const FamilyOptions* options)
{
    TerrainBench* bench = calloc(1, sizeof(*bench));
    AbutShape *ball = NULL, *capsule = NULL;
    int repeats = options->quick ? 3 : REPEATS;
    if (bench == NULL)
    {
        fprintf(stderr, "abut: bench families: no memory\n");
        return false;
    }
    bench->random = 18;
    bool good = make_terrain(bench) && abut_shape_create_sphere(0.5f, NULL, &ball) == ABUT_OK &&
                abut_shape_create_capsule(0.25f, 1.0f, NULL, &capsule) == ABUT_OK;
    if (!good)
    {
        fprintf(stderr, "abut: bench families: %s\n", abut_last_error());
    }
    good = good && run_samples(report, bench, 0.25, repeats) && run_samples(report, bench, 0.5, repeats) &&
           run_samples(report, bench, 1.0, repeats);
    if (good)
    {
        run_body(report, bench, "ball on terrain", ball, repeats);
        run_body(report, bench, "capsule on terrain", capsule, repeats);
    }
    abut_shape_destroy(ball);
    abut_shape_destroy(capsule);
    abut_shape_destroy(bench->shape);
    free(bench);
    return good;
}
