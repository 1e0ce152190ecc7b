/// @file pairs_cases.h (internal to bench pairs)
/// Two meshes, their fields, and poses of the second: what `abut bench pairs` measures on.
#ifndef ABUT_BENCH_PAIRS_CASES_H
#define ABUT_BENCH_PAIRS_CASES_H

#include "bench.h"
#include "peers.h"

#include <abut/abut.h>

enum
{
    PAIRS_MOST_POSES = 1000,
    PAIRS_CELLS = 128 ///< of a field, along its longest side
};

/// The longer of the two is 1 long, and both have the middle of their box at the origin.
typedef struct PairModel
{
    char name[24];
    AbutMesh* mesh_a;
    AbutMesh* mesh_b; ///< may be the same mesh
    AbutShape* field_a;
    AbutShape* field_b;
    float cell_size; ///< the larger one of the fields
    float error;     ///< sum of the fields' stated errors near the surface
} PairModel;

/// How a model is made of meshes.
typedef struct PairModelDef
{
    const char* name;
    AbutFieldFormat format;
    bool sparse;
    bool open; ///< holes of a mesh stay open; else they are closed, for the peers too
} PairModelDef;

/// Takes over the meshes, also when it fails. Both may be the same.
bool pair_model_create(const PairModelDef* def, AbutMesh* mesh_a, AbutMesh* mesh_b, PairModel* out);
void pair_model_destroy(PairModel* model);

/// Poses of B, turned at random and moved evenly over all places where the box of its turned mesh meets the
/// box of A.
void pair_model_make_poses(const PairModel* model, AbutPose* poses, int count);

/// Moves the pose along a line, away from A, until the surfaces touch within `step`: the last place where
/// `touches` says so.
AbutPose pair_model_touching(const PairModel* model, const BenchCollider* collider, void* pair, AbutPose pose,
                             int number, double step);

/// What became of the answers for the poses.
typedef struct PairTally
{
    int contact, separated, close, budget;
    int missed; ///< said to be apart, and they are not
    int wrong;  ///< said to touch, and no common point can be shown; or a gap or "close" that is not so
} PairTally;

/// Holds every answer against the peer's surfaces and against winding numbers, which know solids. `states`
/// gets what abut said.
PairTally pair_model_check(const PairModel* model, const BenchCollider* collider, void* pair,
                           const AbutPose* poses, int count, AbutCollideState* states);

/// How many times the surface goes around the point, summed over all triangles in double: over ½ inside.
double pair_winding(const AbutMesh* mesh, const double point[3]);

#endif
