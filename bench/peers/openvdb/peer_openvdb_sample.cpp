// OpenVDB as a peer of bench sample.
#include "sample_limit.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/Dense.h>
#include <openvdb/tools/Interpolation.h>

struct VdbSampler
{
    openvdb::FloatGrid::Ptr grid;
};

VdbSampler* vdb_sampler_create(const SampleGrid* grid)
{
    openvdb::initialize();
    const openvdb::CoordBBox box(openvdb::Coord(0), openvdb::Coord(grid->cells));
    const openvdb::tools::Dense<const float, openvdb::tools::LayoutXYZ> dense(box, grid->values);
    auto* sampler = new VdbSampler{ openvdb::FloatGrid::create(1e9f) };
    openvdb::tools::copyFromDense(dense, *sampler->grid, 0.0f);
    return sampler;
}

void vdb_sampler_destroy(VdbSampler* sampler)
{
    delete sampler;
}

void vdb_sampler_run(const VdbSampler* sampler, const SampleGrid* grid, SamplePoints points, float* distance)
{
    const openvdb::FloatGrid::ConstAccessor accessor = sampler->grid->getConstAccessor();
    const double ox = grid->origin[0], oy = grid->origin[1], oz = grid->origin[2],
                 inverse = grid->inverse_cell;
    for (size_t i = 0; i < points.count; ++i)
    {
        const openvdb::Vec3d at((points.x[i] - ox) * inverse, (points.y[i] - oy) * inverse,
                                (points.z[i] - oz) * inverse);
        distance[i] = openvdb::tools::BoxSampler::sample(accessor, at);
    }
}
