// OpenVDB's meshToVolume: a narrow band of distances.
#include "bench.h"
#include "peers.h"

#include <cstdio>
#include <exception>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/MeshToVolume.h>
#include <tbb/global_control.h>
#include <vector>

namespace
{

/// Voxels to either side of the surface, as OpenVDB's own level sets have them.
constexpr float HALF_BAND = 3.0f;

openvdb::FloatGrid::Ptr convert(const AbutMesh* mesh, double cell_size,
                                const openvdb::math::Transform& transform)
{
    std::vector<openvdb::Vec3s> points(abut_mesh_vertex_count(mesh));
    std::vector<openvdb::Vec3I> triangles(abut_mesh_triangle_count(mesh));
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    const float scale = static_cast<float>(1.0 / cell_size);
    for (size_t i = 0; i < points.size(); ++i) // its adapter wants coordinates of the grid
    {
        points[i] = openvdb::Vec3s(vertices[i].x * scale, vertices[i].y * scale, vertices[i].z * scale);
    }
    for (size_t i = 0; i < triangles.size(); ++i)
    {
        triangles[i] = openvdb::Vec3I(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    }
    openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(points, triangles);
    return openvdb::tools::meshToVolume<openvdb::FloatGrid>(adapter, transform, HALF_BAND, HALF_BAND,
                                                            openvdb::tools::DISABLE_RENORMALIZATION);
}

} // namespace

bool bench_band_create(const AbutMesh* mesh, double cell_size, uint32_t worker_count, BenchBand* out)
{
    try
    {
        openvdb::initialize();
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, worker_count);
        const double start = bench_seconds();
        openvdb::math::Transform::Ptr transform = openvdb::math::Transform::createLinearTransform(cell_size);
        openvdb::FloatGrid::Ptr grid = convert(mesh, cell_size, *transform);
        out->seconds = bench_seconds() - start;
        out->node_count = grid->activeVoxelCount();
        out->bytes = grid->memUsage();
        out->grid = new openvdb::FloatGrid::Ptr(grid);
        return true;
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "abut: bench: OpenVDB: %s\n", error.what());
        return false;
    }
}

void bench_band_destroy(BenchBand* band)
{
    delete static_cast<openvdb::FloatGrid::Ptr*>(band->grid);
    band->grid = nullptr;
}

void bench_band_sample(const BenchBand* band, const AbutVec3* points, size_t count, float* distances)
{
    const openvdb::FloatGrid& grid = **static_cast<openvdb::FloatGrid::Ptr*>(band->grid);
    openvdb::FloatGrid::ConstAccessor accessor = grid.getConstAccessor();
    for (size_t i = 0; i < count; ++i)
    {
        const openvdb::Vec3R at = grid.worldToIndex(openvdb::Vec3R(points[i].x, points[i].y, points[i].z));
        distances[i] = openvdb::tools::BoxSampler::sample(accessor, at);
    }
}
