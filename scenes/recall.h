/// @file recall.h
/// Scenes in which collisions are easy to miss, poses near touching, and the truth about each of them by
/// closed forms and brute force in double that share nothing with the library.
#ifndef ABUT_SCENES_RECALL_H
#define ABUT_SCENES_RECALL_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RecallKind
{
    RECALL_TORUS_LINK,       ///< two rings of radius 0.5, tube 0.02
    RECALL_GRAZING_SPHERES,  ///< gaps and depths up to 0.004
    RECALL_PARALLEL_PLATES,  ///< 0.01 thick
    RECALL_GEARS,            ///< in mesh, a little tilted
    RECALL_NEEDLE_AND_PLATE, ///< 0.008 and 0.01 thick
    RECALL_BOX_AND_SPHERE,
    RECALL_KIND_COUNT
} RecallKind;

const char* recall_kind_name(RecallKind kind);

/// What the shapes of a scene are.
typedef struct RecallDef
{
    RecallKind kind;
    uint32_t cells;         ///< along the longest side of fields; 0: formulas
    AbutFieldFormat format; ///< of fields
    bool sparse;
} RecallDef;

typedef struct RecallScene RecallScene;

AbutResult recall_scene_create(const RecallDef* def, RecallScene** out);
void recall_scene_destroy(RecallScene* scene); ///< NULL is ignored

const AbutShape* recall_scene_shape(const RecallScene* scene, int side);

/// What two shapes may be called too close to call up to: RECALL_TOLERANCE, and what the fields state as
/// their errors.
double recall_scene_tolerance(const RecallScene* scene);

/// The tolerance that queries are asked with.
#define RECALL_TOLERANCE 1e-3f

/// A pose of the scene and what is true of it.
typedef struct RecallCase
{
    AbutPose pose_a, pose_b;
    bool overlap;
    double
        /// distance when they do not overlap; else minus the shortest way apart, or 0 where that is not known
        gap;
    bool unsure; ///< so near to touching that rounding of the poses decides
} RecallCase;

/// Case `number` of a scene, the same on every machine up to rounding. Half of the cases are within 0.004 of
/// touching.
RecallCase recall_scene_case(const RecallScene* scene, uint64_t number);

/// The query for a case, with RECALL_TOLERANCE.
AbutCollideInput recall_scene_input(const RecallScene* scene, const RecallCase* item);

/// NULL when the answer is right, else what is wrong with it. Cases that are unsure have no wrong answer.
const char* recall_scene_judge(const RecallScene* scene, const RecallCase* item,
                               const AbutCollideOutput* output);

#ifdef __cplusplus
}
#endif

#endif
