#include "support/oracles/exact_triangles.h"

#include <stdlib.h>

ExactTriangle exact_triangle(const AbutMesh* mesh, uint32_t triangle, const ExactFrame* frame)
{
    ExactTriangle t;
    for (int i = 0; i < 3; ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * (size_t)triangle + (size_t)i]];
        t.corners[i] = exact_frame_apply(frame, exact_vec(v.x, v.y, v.z));
    }
    return t;
}

static Exact magnitude(Exact x)
{
    return x < 0 ? -x : x;
}

static Exact size_of(ExactVec v)
{
    return magnitude(v.x[0]) + magnitude(v.x[1]) + magnitude(v.x[2]);
}

static bool separates(ExactVec d, const ExactTriangle* a, const ExactTriangle* b)
{
    Exact a_min = 0, a_max = 0, b_min = 0, b_max = 0, size = 0;
    ExactVec origin = a->corners[0];
    for (int i = 0; i < 3; ++i)
    {
        ExactVec p = exact_subtract(a->corners[i], origin), q = exact_subtract(b->corners[i], origin);
        Exact pa = exact_dot(d, p), pb = exact_dot(d, q);
        a_min = i == 0 || pa < a_min ? pa : a_min;
        a_max = i == 0 || pa > a_max ? pa : a_max;
        b_min = i == 0 || pb < b_min ? pb : b_min;
        b_max = i == 0 || pb > b_max ? pb : b_max;
        size = size_of(p) > size ? size_of(p) : size;
        size = size_of(q) > size ? size_of(q) : size;
    }
    Exact gap = b_min - a_max > a_min - b_max ? b_min - a_max : a_min - b_max;
    return gap > size * size_of(d) * (Exact)1e-28;
}

static ExactVec edge(const ExactTriangle* t, int i)
{
    return exact_subtract(t->corners[(i + 1) % 3], t->corners[i]);
}

bool exact_triangles_touch(const ExactTriangle* a, const ExactTriangle* b)
{
    ExactVec edges[6];
    for (int i = 0; i < 3; ++i)
    {
        edges[i] = edge(a, i);
        edges[3 + i] = edge(b, i);
    }
    for (int i = 0; i < 6; ++i)
    {
        for (int k = 0; k < i; ++k)
        {
            if (separates(exact_cross(edges[i], edges[k]), a, b))
            {
                return false;
            }
        }
    }
    for (int pair = 0; pair < 9; ++pair)
    {
        ExactVec d = exact_subtract(b->corners[pair % 3], a->corners[pair / 3]);
        bool separated = separates(d, a, b);
        for (int i = 0; i < 6 && !separated; ++i)
        {
            separated = separates(exact_cross(edges[i], exact_cross(edges[i], d)), a, b);
        }
        if (separated)
        {
            return false;
        }
    }
    return true;
}

/// Boxes in double with a margin, so that quad precision is for few pairs.
static bool boxes_overlap(const ExactTriangle* a, const ExactTriangle* b)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        Exact a_min = a->corners[0].x[axis], a_max = a_min, b_min = b->corners[0].x[axis], b_max = b_min;
        for (int i = 1; i < 3; ++i)
        {
            Exact p = a->corners[i].x[axis], q = b->corners[i].x[axis];
            a_min = p < a_min ? p : a_min;
            a_max = p > a_max ? p : a_max;
            b_min = q < b_min ? q : b_min;
            b_max = q > b_max ? q : b_max;
        }
        if (a_max < b_min || b_max < a_min)
        {
            return false;
        }
    }
    return true;
}

static ExactTriangle* exact_mesh(const AbutMesh* mesh, const AbutPose* pose)
{
    ExactFrame frame = exact_frame(pose);
    uint32_t count = abut_mesh_triangle_count(mesh);
    ExactTriangle* triangles = malloc(count * sizeof(ExactTriangle));
    assert_non_null(triangles);
    for (uint32_t i = 0; i < count; ++i)
    {
        triangles[i] = exact_triangle(mesh, i, &frame);
    }
    return triangles;
}

bool exact_meshes_touch(const AbutMesh* a, const AbutPose* pose_a, const AbutMesh* b, const AbutPose* pose_b)
{
    ExactTriangle *all_a = exact_mesh(a, pose_a), *all_b = exact_mesh(b, pose_b);
    bool touch = false;
    for (uint32_t i = 0; i < abut_mesh_triangle_count(a) && !touch; ++i)
    {
        for (uint32_t k = 0; k < abut_mesh_triangle_count(b) && !touch; ++k)
        {
            touch = boxes_overlap(&all_a[i], &all_b[k]) && exact_triangles_touch(&all_a[i], &all_b[k]);
        }
    }
    free(all_a);
    free(all_b);
    return touch;
}
