// Triangles of Bullet's concave shapes as solids: collected, welded, and closed where they are open.
#include "solid/triangles.hpp"

#include "solid/solid.hpp"

#include <cmath>
#include <cstring>
#include <map>
#include <unordered_map>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Thickness behind an open surface, relative to the diagonal of its box. Deeper bodies are beyond it.
constexpr float OPEN_THICKNESS = 0.05f;

/// Depth of terrain under its lowest point, relative to the same.
constexpr float TERRAIN_DEPTH = 0.25f;

struct VertexHash
{
    size_t operator()(const AbutVec3& v) const
    {
        return static_cast<size_t>(abut_hash(&v, sizeof(v), 0));
    }
};

struct VertexEqual
{
    bool operator()(const AbutVec3& a, const AbutVec3& b) const
    {
        return std::memcmp(&a, &b, sizeof(a)) == 0;
    }
};

/// Without negative zeros, so that equal corners have equal bits.
AbutVec3 corner_of(const btVector3& v)
{
    AbutVec3 c = to_abut(v);
    return abut_vec3(c.x + 0.0f, c.y + 0.0f, c.z + 0.0f);
}

class Collector : public btTriangleCallback
{
  public:
    Triangles triangles;

    void processTriangle(btVector3* triangle, int, int) override
    {
        uint32_t corners[3];
        for (int i = 0; i < 3; ++i)
        {
            AbutVec3 v = corner_of(triangle[i]);
            auto found = known_.emplace(v, static_cast<uint32_t>(triangles.vertices.size()));
            if (found.second)
            {
                triangles.vertices.push_back(v);
            }
            corners[i] = found.first->second;
        }
        if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        {
            triangles.indices.insert(triangles.indices.end(), corners, corners + 3);
        }
    }

  private:
    std::unordered_map<AbutVec3, uint32_t, VertexHash, VertexEqual> known_;
};

class Hasher : public btTriangleCallback
{
  public:
    uint64_t hash = 0;

    void processTriangle(btVector3* triangle, int, int) override
    {
        AbutVec3 corners[3] = { corner_of(triangle[0]), corner_of(triangle[1]), corner_of(triangle[2]) };
        hash = abut_hash(corners, sizeof(corners), hash);
    }
};

void process_all(const btConcaveShape& shape, btTriangleCallback* callback)
{
    btVector3 low, high;
    shape.getAabb(btTransform::getIdentity(), low, high);
    shape.processAllTriangles(callback, low, high);
}

/// Directed edges without a partner in the opposite direction.
std::vector<std::pair<uint32_t, uint32_t>> open_edges(const std::vector<uint32_t>& indices)
{
    std::map<std::pair<uint32_t, uint32_t>, int> balance; // from the lower index to the higher one: +1
    for (size_t i = 0; i < indices.size(); i += 3)
    {
        for (size_t k = 0; k < 3; ++k)
        {
            uint32_t a = indices[i + k], b = indices[i + (k + 1) % 3];
            balance[{ a < b ? a : b, a < b ? b : a }] += a < b ? 1 : -1;
        }
    }
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (const auto& [edge, sum] : balance)
    {
        for (int i = 0; i < sum; ++i)
        {
            edges.push_back(edge);
        }
        for (int i = 0; i < -sum; ++i)
        {
            edges.emplace_back(edge.second, edge.first);
        }
    }
    return edges;
}

AbutBox bounds_of(const std::vector<AbutVec3>& vertices)
{
    AbutBox box = abut_box_empty();
    for (const AbutVec3& v : vertices)
    {
        box = abut_box_add_point(box, v);
    }
    return box;
}

AbutVec3 area_normal(const Triangles& t, size_t triangle)
{
    AbutVec3 a = t.vertices[t.indices[triangle]];
    return abut_vec3_cross(abut_vec3_sub(t.vertices[t.indices[triangle + 1]], a),
                           abut_vec3_sub(t.vertices[t.indices[triangle + 2]], a));
}

/// The bottom of an open surface, a vertex for each of its own.
std::vector<AbutVec3> make_bottom(const Triangles& t, AbutVec3 down)
{
    float size = size_of(bounds_of(t.vertices));
    std::vector<AbutVec3> bottom(t.vertices.size(), down);
    float lowest = -INFINITY;
    for (size_t i = 0; i < t.indices.size(); i += 3)
    {
        for (size_t k = 0; k < 3; ++k)
        {
            AbutVec3& sum = bottom[t.indices[i + k]];
            sum = abut_vec3_length(down) > 0.0f ? down : abut_vec3_sub(sum, area_normal(t, i));
            lowest = std::fmax(lowest, abut_vec3_dot(down, t.vertices[t.indices[i + k]]));
        }
    }
    for (size_t i = 0; i < bottom.size(); ++i)
    {
        float length = abut_vec3_length(bottom[i]);
        float depth = OPEN_THICKNESS * size;
        if (abut_vec3_length(down) > 0.0f) // a flat bottom
        {
            depth = lowest - abut_vec3_dot(down, t.vertices[i]) + TERRAIN_DEPTH * size;
        }
        bottom[i] =
            abut_vec3_add(t.vertices[i], abut_vec3_scale(bottom[i], length > 0.0f ? depth / length : 0));
    }
    return bottom;
}

/// The faces, their copies on the bottom the other way round, and walls along the open edges.
Triangles close(const Triangles& open, const std::vector<std::pair<uint32_t, uint32_t>>& edges, AbutVec3 down)
{
    Triangles closed = open;
    std::vector<AbutVec3> bottom = make_bottom(open, down);
    uint32_t first = static_cast<uint32_t>(open.vertices.size());
    closed.vertices.insert(closed.vertices.end(), bottom.begin(), bottom.end());
    for (size_t i = 0; i < open.indices.size(); i += 3)
    {
        closed.indices.insert(closed.indices.end(), { first + open.indices[i], first + open.indices[i + 2],
                                                      first + open.indices[i + 1] });
    }
    for (const auto& [a, b] : edges)
    {
        closed.indices.insert(closed.indices.end(), { b, a, first + b, a, first + a, first + b });
    }
    return closed;
}

AbutResult create_shape(const Triangles& triangles, AbutShape** out)
{
    AbutMeshDef def = abut_mesh_def();
    def.vertices = triangles.vertices.data();
    def.vertex_count = static_cast<uint32_t>(triangles.vertices.size());
    def.indices = triangles.indices.data();
    def.triangle_count = static_cast<uint32_t>(triangles.indices.size() / 3);
    AbutMesh* mesh = nullptr;
    AbutResult result = abut_mesh_create(&def, &mesh);
    if (result == ABUT_OK)
    {
        result = abut_shape_create_mesh(mesh, nullptr, out);
        abut_mesh_destroy(mesh);
    }
    return result;
}

/// Faces of terrain look up, whatever the order of their corners.
void orient_up(Triangles* t, AbutVec3 down)
{
    for (size_t i = 0; i < t->indices.size(); i += 3)
    {
        if (abut_vec3_dot(area_normal(*t, i), down) > 0.0f)
        {
            std::swap(t->indices[i + 1], t->indices[i + 2]);
        }
    }
}

} // namespace

Triangles collect_triangles(const btConcaveShape& shape)
{
    Collector collector;
    process_all(shape, &collector);
    return std::move(collector.triangles);
}

uint64_t hash_triangles(const btConcaveShape& shape)
{
    Hasher hasher;
    process_all(shape, &hasher);
    return hasher.hash;
}

AbutResult create_solid(const Triangles& triangles, const btVector3& down, AbutShape** out)
{
    AbutVec3 direction = to_abut(down);
    AbutResult result = create_shape(triangles, out);
    if (result == ABUT_INVALID_DATA && !triangles.indices.empty()) // open
    {
        Triangles open = triangles;
        orient_up(&open, direction);
        result = create_shape(close(open, open_edges(open.indices), direction), out);
    }
    return result;
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
