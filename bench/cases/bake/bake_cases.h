/// @file bake_cases.h (internal to bench bake)
/// The parts of `abut bench bake`.
#ifndef ABUT_BENCH_BAKE_CASES_H
#define ABUT_BENCH_BAKE_CASES_H

#include "bench.h"

#include <abut/abut.h>

typedef struct BakeBench
{
    BenchReport* report;
    bool quick;
    AbutHost alone; ///< the default host with one worker
} BakeBench;

typedef struct BakeMesh
{
    char name[24];
    AbutMesh* mesh;
} BakeMesh;

/// A closed, bumpy, star-shaped body of about `triangle_count` triangles, less than 1 across: what scans look
/// like to a tree.
AbutResult bake_mesh_create_statue(uint32_t triangle_count, AbutMesh** out);

/// A box of 12 triangles with a statue inside.
AbutResult bake_mesh_create_mixed(uint32_t triangle_count, AbutMesh** out);

/// A cube around the mesh's box with `margin` of its longest side on either side.
AbutBox bake_mesh_cube(const AbutMesh* mesh, double margin);

/// Exact distances of all nodes of a grid of `side`³, and complete bakes of `side`³ cells, against the trees
/// of others.
bool bake_bench_dense(const BakeBench* bench, const BakeMesh* mesh, const uint32_t* sides, int side_count);

/// All workers against one.
bool bake_bench_workers(const BakeBench* bench, const BakeMesh* mesh, uint32_t side);

/// Complete sparse bakes against OpenVDB's narrow band: time per stored node, and error.
bool bake_bench_sparse(const BakeBench* bench, const BakeMesh* mesh, uint32_t side);

/// Complete sparse bakes of `side`³ cells, in 16 and 32 bits: seconds, memory, size.
bool bake_bench_fine(const BakeBench* bench, const BakeMesh* mesh, uint32_t side);

#endif
