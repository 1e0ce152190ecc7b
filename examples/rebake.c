// Digging: balls are cut out of a block one after the other, and its field is brought up to date after each
// of them. Only the bricks that are near to the cut are baked again; the bytes are those of a field that is
// baked anew.
#include <abut/abut.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(AbutResult result)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        exit(EXIT_FAILURE);
    }
}

/// Takes a ball out of the ground and out of its field, which are replaced.
static void dig(const AbutBakeDef* def, double x, double z, AbutShape** ground, AbutShape** field)
{
    AbutShape *ball = NULL, *bite = NULL, *dug = NULL, *updated = NULL;
    AbutPose pose = abut_pose_at(x, 0.5, z);
    check(abut_shape_create_sphere(0.3f, NULL, &ball));
    check(abut_shape_create_transformed(ball, &pose, NULL, &bite));
    check(abut_shape_create_difference(*ground, bite, NULL, &dug));
    const AbutShape* operands[] = { bite };
    AbutBakeShapeChange change = { .field = *field, .after = dug, .operands = operands, .operand_count = 1 };
    AbutBakeUpdate update;
    check(abut_bake_update_shape(def, &change, &update, &updated));
    printf("dug at (%g, %g): %u of %u bricks, volume %.4f\n", x, z, update.redone_brick_count,
           update.brick_count, abut_field_info(updated).mass.volume);
    abut_shape_destroy(ball);
    abut_shape_destroy(bite);
    abut_shape_destroy(*ground);
    abut_shape_destroy(*field);
    *ground = dug;
    *field = updated;
}

int main(void)
{
    AbutShape *ground = NULL, *field = NULL, *anew = NULL;
    AbutBakeDef def = abut_bake_def();
    def.resolution = 96;
    check(abut_shape_create_box(abut_vec3(4.0f, 1.0f, 2.0f), NULL, &ground));
    check(abut_bake_shape(&def, ground, &field));
    for (int i = 0; i < 4; ++i)
    {
        dig(&def, -1.5 + i, i % 2 == 0 ? -0.4 : 0.3, &ground, &field);
    }

    check(abut_bake_shape(&def, ground, &anew));
    size_t size, size_anew;
    const void *data = abut_field_data(field, &size), *data_anew = abut_field_data(anew, &size_anew);
    bool same = size == size_anew && memcmp(data, data_anew, size) == 0;
    printf("baked anew: %s\n", same ? "the same bytes" : "other bytes");
    abut_shape_destroy(ground);
    abut_shape_destroy(field);
    abut_shape_destroy(anew);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
