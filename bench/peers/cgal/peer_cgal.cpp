// CGAL's AABB tree: the closest point, with that of the point before as the hint.
#include "peers.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

namespace
{

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using AabbTree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

struct Tree
{
    Triangles triangles;
    AabbTree tree;
};

Kernel::Point_3 point_of(AbutVec3 v)
{
    return Kernel::Point_3(v.x, v.y, v.z);
}

void* create(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    try
    {
        Tree* tree = new Tree;
        tree->triangles.reserve(abut_mesh_triangle_count(mesh));
        for (size_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
        {
            Kernel::Triangle_3 triangle(point_of(vertices[indices[3 * i]]),
                                        point_of(vertices[indices[3 * i + 1]]),
                                        point_of(vertices[indices[3 * i + 2]]));
            if (!triangle.is_degenerate()) // which its tests do not allow
            {
                tree->triangles.push_back(triangle);
            }
        }
        tree->tree.insert(tree->triangles.begin(), tree->triangles.end());
        tree->tree.build();
        return tree;
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "abut: bench: CGAL: %s\n", error.what());
        return nullptr;
    }
}

void destroy(void* pointer)
{
    delete static_cast<Tree*>(pointer);
}

void measure(void* pointer, const AbutVec3* points, size_t count, float* distances)
{
    Tree* tree = static_cast<Tree*>(pointer);
    Kernel::Point_3 hint = tree->triangles.front().vertex(0);
    for (size_t i = 0; i < count; ++i)
    {
        const Kernel::Point_3 p = point_of(points[i]);
        hint = tree->tree.closest_point(p, hint);
        distances[i] = static_cast<float>(std::sqrt(CGAL::squared_distance(p, hint)));
    }
}

} // namespace

extern "C" const BenchTree bench_tree_cgal = { "CGAL", create, destroy, measure };
