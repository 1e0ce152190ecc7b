/// @file tour_mix.h
/// Hashes of what functions answer, and other helpers of the stops.
#ifndef ABUT_TEST_TOUR_MIX_H
#define ABUT_TEST_TOUR_MIX_H

#include "support/tour/tour_calls.h"

#include <string.h>

/// Hashes values; not structures, whose padding is anything.
#define MIX(hash, value) ((hash) = abut_hash(&(value), sizeof(value), (hash)))

static inline void need(AbutResult result)
{
    test_assert_result(result, ABUT_OK);
}

static inline uint64_t mix_vector(uint64_t hash, AbutVec3 v)
{
    const float numbers[3] = { v.x, v.y, v.z };
    return abut_hash(numbers, sizeof(numbers), hash);
}

static inline uint64_t mix_pose(uint64_t hash, AbutPose p)
{
    const double at[3] = { p.position.x, p.position.y, p.position.z };
    const float numbers[5] = { p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w, p.scale };
    return abut_hash(numbers, sizeof(numbers), abut_hash(at, sizeof(at), hash));
}

static inline uint64_t mix_box(uint64_t hash, AbutBox box)
{
    return mix_vector(mix_vector(hash, box.min), box.max);
}

static inline uint64_t mix_mesh(uint64_t hash, AbutMesh* mesh)
{
    hash = abut_hash(abut_mesh_vertices(mesh), abut_mesh_vertex_count(mesh) * sizeof(AbutVec3), hash);
    AbutMassData mass = abut_mesh_mass(mesh);
    MIX(hash, mass.volume);
    MIX(hash, mass.inertia);
    return mix_box(hash, abut_mesh_bounds(mesh));
}

/// The mesh goes.
static inline uint64_t take_mesh(uint64_t hash, AbutResult result, AbutMesh** mesh)
{
    need(result);
    hash = mix_mesh(hash, *mesh);
    abut_mesh_destroy(*mesh);
    *mesh = NULL;
    return hash;
}

static inline uint64_t mix_field(uint64_t hash, const AbutShape* field)
{
    size_t size;
    const void* data = abut_field_data(field, &size);
    return abut_hash(data, size, hash);
}

static inline uint64_t mix_shape(uint64_t hash, const AbutShape* shape)
{
    AbutShapeInfo info = abut_shape_info(shape);
    MIX(hash, info.lipschitz);
    MIX(hash, info.error);
    return mix_box(hash, info.bounds);
}

static inline AbutPose tilted(double x, double y, double z)
{
    AbutPose pose = abut_pose_at(x, y, z);
    pose.rotation = (AbutQuat){ 0.1f, 0.7f, 0.1f, 0.7f };
    return pose;
}

#endif
