// Two convex hulls: distance as one passes the other, with a cache, then the manifold of a box on a table.
#include <abut/abut.h>
#include <stdio.h>

/// A hull of points on a grid; duplicate, collinear and coplanar points are fine.
static AbutShape* create_block(float x, float y, float z)
{
    AbutVec3 points[27];
    for (int i = 0; i < 27; ++i)
    {
        points[i] = abut_vec3(x * (float)(i % 3 - 1), y * (float)(i / 3 % 3 - 1), z * (float)(i / 9 - 1));
    }
    AbutShape* shape = NULL;
    if (abut_shape_create_convex(points, 27, NULL, &shape) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
    }
    return shape;
}

int main(void)
{
    AbutShape *table = create_block(2.0f, 0.5f, 2.0f), *box = create_block(0.3f, 0.3f, 0.3f);
    if (table == NULL || box == NULL)
    {
        return 1;
    }
    AbutHullInfo info = abut_hull_info(abut_shape_hull(box));
    printf("the box has %u vertices, %u faces and %u edges\n", info.vertex_count, info.face_count,
           info.edge_count);

    AbutCollideCache cache = { 0 }; // one per pair; faster from the second query on
    AbutConvexInput input = abut_convex_input(box, table);
    input.work = ABUT_CONVEX_DEPTH;
    input.cache = &cache;
    for (int i = 0; i < 4; ++i)
    {
        input.pose_a.position.y = 1.1 - 0.15 * i;
        AbutConvexOutput output = abut_convex(&input);
        printf("height %.2f: %s, separation %.3f\n", input.pose_a.position.y,
               abut_collide_state_name(output.state), output.separation);
    }

    AbutCollideInput collide = abut_collide_input(box, table);
    collide.pose_a.position.y = 0.79;
    AbutContact contacts[8];
    AbutCollideOutput output = abut_collide(&collide, contacts, 8);
    printf("%s, %u contacts\n", abut_collide_state_name(output.state), output.contact_count);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        printf("  (%.2f, %.2f) %.3f deep\n", contacts[i].position.x, contacts[i].position.z,
               -contacts[i].separation);
    }
    abut_shape_destroy(box);
    abut_shape_destroy(table);
    return output.contact_count == 4 ? 0 : 1;
}
