// A ring is thrown at a fractal by its point hull: contacts ahead of the motion, four per step, then a file.
#include <abut/abut.h>
#include <abut/io.h>
#include <math.h>
#include <stdio.h>

/// A Menger sponge of one level and size 1: the size of its numbers is not the distance everywhere.
static void sponge(void* user, AbutPoints points, size_t count, AbutSamples out)
{
    (void)user;
    for (size_t i = 0; i < count; ++i)
    {
        float x = fabsf(points.x[i]), y = fabsf(points.y[i]), z = fabsf(points.z[i]);
        float box = fmaxf(x, fmaxf(y, z)) - 0.5f;
        float cross = 1.0f / 6.0f - fminf(fmaxf(x, y), fminf(fmaxf(y, z), fmaxf(z, x)));
        out.distance[i] = fmaxf(box, cross);
    }
}

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

int main(void)
{
    AbutShape *ring = NULL, *fractal = NULL;
    AbutPointHull* hull = NULL;
    AbutCallbackDef callback = abut_callback_def();
    callback.function = sponge;
    callback.bounds = abut_box(abut_vec3(-0.5f, -0.5f, -0.5f), abut_vec3(0.5f, 0.5f, 0.5f));
    AbutPointHullDef def = abut_point_hull_def();
    def.error = 0.005f;
    if (abut_shape_create_torus(0.35f, 0.12f, NULL, &ring) != ABUT_OK ||
        abut_shape_create_callback(&callback, &fractal) != ABUT_OK ||
        abut_point_hull_create(&def, ring, &hull) != ABUT_OK || abut_point_hull_attach(hull, ring) != ABUT_OK)
    {
        return fail();
    }
    AbutPointHullInfo info = abut_point_hull_info(hull);
    printf("%u balls, error %g, %zu bytes\n", info.count, (double)info.error, info.bytes);

    AbutHullCounts counts;
    AbutContact contacts[64];
    AbutCollideInput input = abut_collide_input(fractal, ring);
    input.settings.method = ABUT_COLLIDE_HULL;
    input.settings.hull.keep = 4;
    input.settings.hull.counts = &counts;
    input.settings.hull.linear = abut_vec3(0.0f, -0.1f, 0.0f); // of the ring, per step
    for (int step = 0; step < 5; ++step)
    {
        input.pose_b = abut_pose_at(0.02, 1.0 - 0.1 * step, 0.01);
        AbutCollideOutput output = abut_collide(&input, contacts, 64);
        printf("ring at %.1f: %s, %u of %u contacts, %u of %u balls removed without a sample\n",
               input.pose_b.position.y, abut_collide_state_name(output.state), output.contact_count,
               output.contact_total, counts.removed_by_corners + counts.removed_by_tree, counts.points);
    }

    // The hull is a block of bytes, the same in memory and in a file.
    AbutPointHull* loaded = NULL;
    if (abut_point_hull_save(hull, "ring.points") != ABUT_OK ||
        abut_point_hull_load("ring.points", NULL, &loaded) != ABUT_OK)
    {
        return fail();
    }
    printf("ring.points has %u balls\n", abut_point_hull_info(loaded).count);
    remove("ring.points");
    abut_point_hull_destroy(loaded);
    abut_point_hull_destroy(hull);
    abut_shape_destroy(ring);
    abut_shape_destroy(fractal);
    return 0;
}
