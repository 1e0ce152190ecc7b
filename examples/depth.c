// How deep two solids are in each other, along the normals of their contacts, and the way out.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char* what)
{
    fprintf(stderr, "%s: %s\n", what, abut_last_error());
    return EXIT_FAILURE;
}

static const AbutContact* deepest_of(const AbutContact* contacts, uint32_t count)
{
    const AbutContact* deepest = &contacts[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        deepest = contacts[i].separation < deepest->separation ? &contacts[i] : deepest;
    }
    return deepest;
}

int main(void)
{
    AbutShape *plate = NULL, *block = NULL;
    if (abut_shape_create_box(abut_vec3(1.0f, 0.1f, 1.0f), NULL, &plate) != ABUT_OK ||
        abut_shape_create_box(abut_vec3(4.0f, 4.0f, 4.0f), NULL, &block) != ABUT_OK)
    {
        return fail("a shape");
    }
    // The plate is inside of the block, half a unit from its lower face.
    AbutCollideInput input = abut_collide_input(plate, block);
    input.pose_b = abut_pose_at(0.0, 1.5, 0.0);
    input.settings.measure_depth = true;
    AbutContact contacts[512];
    AbutCollideOutput output = abut_collide(&input, contacts, 512);
    if (output.contact_count == 0)
    {
        return fail("no contacts");
    }
    const AbutContact* c = deepest_of(contacts, output.contact_count);
    printf("%s: %.4f deep along (%g, %g, %g), where both share %.4f; proved to %.0e\n",
           abut_collide_state_name(output.state), (double)c->depth, (double)c->normal.x, (double)c->normal.y,
           (double)c->normal.z, (double)c->shared_length, (double)c->depth_error);

    // Moved by so much along the normal, and a little more than the error, the plate is out: here both are
    // convex.
    double by = (double)c->depth + (double)c->depth_error + 0.002;
    input.pose_a = abut_pose_at(by * (double)c->normal.x, by * (double)c->normal.y, by * (double)c->normal.z);
    output = abut_collide(&input, NULL, 0);
    printf("moved by %.4f: %s\n", by, abut_collide_state_name(output.state));
    abut_shape_destroy(plate);
    abut_shape_destroy(block);
    return output.state == ABUT_COLLIDE_SEPARATED ? EXIT_SUCCESS : EXIT_FAILURE;
}
