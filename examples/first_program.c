#include <abut/abut.h>
#include <stdio.h>

int main(void)
{
    AbutShape *plate = NULL, *hole = NULL, *bracket = NULL;
    if (abut_shape_create_rounded_box(abut_vec3(2.0f, 0.5f, 1.0f), 0.1f, NULL, &plate) != ABUT_OK ||
        abut_shape_create_cylinder(0.25f, 1.0f, NULL, &hole) != ABUT_OK ||
        abut_shape_create_difference(plate, hole, NULL, &bracket) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return 1;
    }
    AbutVec3 out;
    float distance = abut_shape_distance(bracket, abut_vec3(0.1f, 0.0f, 0.0f), &out);
    printf("%s: distance %g, the surface is towards (%g, %g, %g)\n",
           abut_distance_kind_name(abut_shape_info(bracket).distance_kind), distance, -out.x, -out.y, -out.z);
    abut_shape_destroy(bracket);
    abut_shape_destroy(hole);
    abut_shape_destroy(plate);
    return 0;
}
