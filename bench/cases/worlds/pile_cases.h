/// @file pile_cases.h (internal to bench pile)
/// What is piled up, where it falls from, and the truth about how it lies.
#ifndef ABUT_BENCH_PILE_CASES_H
#define ABUT_BENCH_PILE_CASES_H

#include "pile_peers.h"

#include <abut/abut.h>

/// Length of a body, in metres.
#define PILE_SIZE 0.1

/// Seconds of a step.
#define PILE_STEP (1.0 / 60.0)

#define PILE_FRICTION 0.6

typedef struct PileModel
{
    char name[16];
    AbutMesh* mesh;   ///< PILE_SIZE long, with its centre of mass at the origin
    AbutShape* field; ///< what is simulated
    bool thin;
    AbutShape* fine;  ///< a finer field, to measure with
    AbutMesh* middle; ///< of a thin body: the sheet in the middle of its wall
} PileModel;

/// Bunnies of the folder in ABUT_SHARED_MESHES, or statues where there are none; bowls with walls of 0.02 of
/// their size.
bool pile_model_create(bool thin, PileModel* out);
void pile_model_destroy(PileModel* model);

/// Layers of bodies, turned at random, in columns that stand close together: others for each `start`, from 0.
void pile_make_poses(uint32_t start, uint32_t count, AbutPose* poses);

/// The bodies over the plane y = 0 in a world of abut; `ids`: of the bodies. *out may be a world after a
/// failure, too.
AbutResult pile_world_create(const PileModel* model, const AbutPose* poses, uint32_t count,
                             const AbutHost* host, AbutBodyId* ids, AbutWorld** out);

/// How bodies lie in each other.
typedef struct PileTruth
{
    double max_penetration; ///< overlap, in body sizes; a wall has no more than half of its thickness
    uint32_t close_pairs;   ///< pairs that are no further apart than a hundredth of their size
    uint32_t through;       ///< thin bodies: pairs whose walls have gone through each other
    uint32_t lost;          ///< bodies under the ground
} PileTruth;

typedef struct PileJudge PileJudge;

/// NULL, with a message on stderr, when there is no memory.
PileJudge* pile_judge_create(const PileModel* model, uint32_t count);
void pile_judge_destroy(PileJudge* judge);
PileTruth pile_judge_measure(PileJudge* judge, const AbutPose* poses);

#endif
