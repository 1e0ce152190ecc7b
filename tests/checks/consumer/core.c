// A program of somebody else that uses the core.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    AbutShape* sphere = NULL;
    if (abut_shape_create_sphere(0.5f, NULL, &sphere) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return EXIT_FAILURE;
    }
    float distance = abut_shape_distance(sphere, abut_vec3(0.0f, 2.0f, 0.0f), NULL);
    printf("abut %s: a point 2 from the centre of a ball of radius 0.5 is %g outside\n", abut_version(),
           (double)distance);
    abut_shape_destroy(sphere);
    return distance == 1.5f ? EXIT_SUCCESS : EXIT_FAILURE;
}
