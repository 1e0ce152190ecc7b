/// @file fcl_model.hpp
/// Meshes as FCL's trees, for the peers that use them.
#ifndef ABUT_BENCH_FCL_MODEL_HPP
#define ABUT_BENCH_FCL_MODEL_HPP

#include "peers.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

inline std::shared_ptr<FclModel> make_fcl_model(const AbutMesh* mesh)
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        points.emplace_back(vertices[i].x, vertices[i].y, vertices[i].z);
    }
    for (size_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        triangles.emplace_back(indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]);
    }
    auto model = std::make_shared<FclModel>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

#endif
