// Core points are the nodes of a lattice that are deep in a wall. The middle of a wall of thickness 2h is h
// deep, and no point is further than √3/2 s from a node of a lattice of spacing s. So with s = 0.7 h every
// point in the middle of a wall has a node within 0.61 h, at least 0.39 h deep: these nodes are kept. While
// no core point is inside of another solid as thick or thicker, the middles of both walls are at least 0.39 h
// apart.
#include "ccd/core_points.hpp"

#include "message.hpp"

#include <cmath>
#include <vector>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

/// Inscribed radius of thin solids, as a fraction of half of the diagonal.
constexpr float THIN = 0.15f;

/// In units of the inscribed radius: spacing of the lattice, least depth of core points.
constexpr float SPACING = 0.7f;
constexpr float DEPTH = 1.0f - 0.5f * 1.7320508f * SPACING;

constexpr int MOST_LEVELS = 12; // a lattice has at most 2¹² nodes along a side
constexpr size_t MOST_POINTS = 1u << 18;

/// Samples along an axis of shapes that are no fields: odd, with one at the centre.
constexpr int GRID = 9;

/// Projections of a sample onto the surface; then depths are those at steps into the solid, from a fraction
/// of the size on, each a factor further.
constexpr int PROJECTIONS = 4;
constexpr float LEAST_WALL = 1e-3f, WALL_STEP = 1.25f;

/// Nodes of a field per read, and the largest count of rows along an axis.
constexpr uint32_t ROW = 256, ROWS = 128;

/// Largest depth under a point of the surface, which is the nearest one of `at` after some projections.
float depth_under(const AbutShape* shape, AbutVec3 at, float size)
{
    AbutVec3 gradient;
    for (int i = 0; i < PROJECTIONS; ++i)
    {
        float distance = abut_shape_distance(shape, at, &gradient);
        at = abut_vec3_sub(at, abut_vec3_scale(gradient, distance));
    }
    float most = -abut_shape_distance(shape, at, &gradient);
    for (float t = LEAST_WALL * size; t < 0.5f * size; t *= WALL_STEP)
    {
        AbutVec3 inside = abut_vec3_sub(at, abut_vec3_scale(gradient, t));
        most = std::fmax(most, -abut_shape_distance(shape, inside, nullptr));
    }
    return most;
}

float max_sample_depth(const AbutShape* shape, AbutBox box)
{
    AbutVec3 size = abut_box_extents(box);
    float most = 0.0f;
    for (int i = 0; i < GRID * GRID * GRID; ++i)
    {
        int x = i % GRID, y = i / GRID % GRID, z = i / (GRID * GRID);
        AbutVec3 at = abut_vec3(box.min.x + size.x * (static_cast<float>(x) + 0.5f) / GRID,
                                box.min.y + size.y * (static_cast<float>(y) + 0.5f) / GRID,
                                box.min.z + size.z * (static_cast<float>(z) + 0.5f) / GRID);
        most = std::fmax(most, depth_under(shape, at, abut_vec3_length(size)));
    }
    return most;
}

float max_node_depth(const AbutShape* field)
{
    AbutFieldInfo info = abut_field_info(field);
    uint32_t step_y = info.cell_count[1] / ROWS + 1, step_z = info.cell_count[2] / ROWS + 1;
    float values[ROW], most = 0.0f;
    for (uint32_t z = 0; z <= info.cell_count[2]; z += step_z)
    {
        for (uint32_t y = 0; y <= info.cell_count[1]; y += step_y)
        {
            for (uint32_t x = 0; x <= info.cell_count[0]; x += ROW)
            {
                uint32_t left = info.cell_count[0] + 1 - x;
                const uint32_t begin[3] = { x, y, z }, count[3] = { left < ROW ? left : ROW, 1, 1 };
                abut_field_read_nodes(field, begin, count, values);
                for (uint32_t i = 0; i < count[0]; ++i)
                {
                    most = std::fmax(most, -values[i]);
                }
            }
        }
    }
    return most;
}

struct Lattice
{
    const AbutShape* shape;
    AbutVec3 origin;
    float spacing, depth;
    uint32_t nodes[3];
    std::vector<float> positions;

    /// Adds the deep nodes of a cube of 2^level nodes along its sides. False for too many.
    bool visit(uint32_t x, uint32_t y, uint32_t z, int level)
    {
        if (x >= nodes[0] || y >= nodes[1] || z >= nodes[2])
        {
            return true;
        }
        float half = 0.5f * static_cast<float>((1u << level) - 1u) * spacing;
        AbutVec3 middle = abut_vec3(origin.x + spacing * static_cast<float>(x) + half,
                                    origin.y + spacing * static_cast<float>(y) + half,
                                    origin.z + spacing * static_cast<float>(z) + half);
        float distance = abut_shape_distance(shape, middle, nullptr);
        if (!(distance <= CORE_STEEPEST * 1.7320508f * half - depth))
        {
            return true;
        }
        if (level == 0)
        {
            positions.insert(positions.end(), { middle.x, middle.y, middle.z });
            return positions.size() <= 3 * MOST_POINTS;
        }
        uint32_t step = 1u << (level - 1);
        bool good = true;
        for (uint32_t corner = 0; corner < 8 && good; ++corner)
        {
            good = visit(x + (corner & 1u) * step, y + (corner >> 1 & 1u) * step, z + (corner >> 2) * step,
                         level - 1);
        }
        return good;
    }
};

/// The lattice of a shape, symmetric about the centre of its box, so with nodes in the middle of a plate.
/// False where it would be too fine.
bool init_lattice(const AbutShape* shape, AbutBox box, float inscribed_radius, Lattice* out)
{
    AbutVec3 size = abut_box_extents(box);
    const float sizes[3] = { size.x, size.y, size.z };
    out->shape = shape;
    out->spacing = SPACING * inscribed_radius;
    out->depth = DEPTH * inscribed_radius;
    for (int axis = 0; axis < 3; ++axis)
    {
        float count = std::ceil(sizes[axis] / out->spacing) + 1.0f;
        if (!(count <= static_cast<float>(1u << MOST_LEVELS)))
        {
            return false;
        }
        out->nodes[axis] = static_cast<uint32_t>(count);
    }
    out->origin =
        abut_vec3(0.5f * (box.min.x + box.max.x - out->spacing * static_cast<float>(out->nodes[0] - 1)),
                  0.5f * (box.min.y + box.max.y - out->spacing * static_cast<float>(out->nodes[1] - 1)),
                  0.5f * (box.min.z + box.max.z - out->spacing * static_cast<float>(out->nodes[2] - 1)));
    return true;
}

} // namespace

CorePoints::CorePoints(const AbutShape* shape)
{
    AbutBox box = abut_shape_info(shape).bounds;
    if (!abut_box_is_finite(box) || abut_box_is_empty(box))
    {
        inscribed_radius_ = INFINITY;
        return;
    }
    inscribed_radius_ = abut_shape_is_field(shape) ? max_node_depth(shape) : max_sample_depth(shape, box);
    float radius = 0.5f * abut_vec3_length(abut_box_extents(box));
    Lattice lattice;
    if (!(inscribed_radius_ > 0.0f) || !(inscribed_radius_ < THIN * radius) ||
        !init_lattice(shape, box, inscribed_radius_, &lattice))
    {
        return;
    }
    if (!lattice.visit(0, 0, 0, MOST_LEVELS) || lattice.positions.empty())
    {
        return;
    }
    depth_ = lattice.depth;
    if (abut_points_create(lattice.positions.data(), nullptr,
                           static_cast<uint32_t>(lattice.positions.size() / 3), nullptr, &set_) != ABUT_OK)
    {
        say("thin walls go without continuous collision: %s", abut_last_error());
    }
}

CorePoints::~CorePoints()
{
    abut_points_destroy(set_);
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
