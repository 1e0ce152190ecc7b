/// @file npm_cases.h (internal to bench npm)
/// Tori and nuts that fall on each other, engines of others under Node.js that let them, and how they lie.
#ifndef ABUT_BENCH_NPM_CASES_H
#define ABUT_BENCH_NPM_CASES_H

#include <abut/abut.h>

#include <stdio.h>

enum
{
    NPM_BODIES = 64,
    NPM_STEPS = 300,
    NPM_REST_STEPS = 1200, ///< 20 s: abut goes on until all bodies are asleep, without a clock
    NPM_CELLS = 64 ///< of a field, along the longest side of the body; peers have cells of the same size
};

/// Seconds of a step, friction of all bodies, density in kg/m³.
#define NPM_STEP (1.0 / 60.0)
#define NPM_FRICTION 0.6
#define NPM_DENSITY 1000.0

typedef struct NpmModel
{
    const char* name;
    AbutMesh* mesh;    ///< with its centre of mass at the origin, in metres
    AbutMassData mass; ///< of density 1
    double size;       ///< the longest side
    double cell;       ///< size / NPM_CELLS
} NpmModel;

/// Tori (0.825 m, 4,096 triangles) or nuts of a thread M16, ten times as large (0.277 m).
/// @return false after a message on stderr.
bool npm_model_create(bool nuts, NpmModel* out);
void npm_model_destroy(NpmModel* model);

/// Four layers of bodies with random rotations, in columns that do not touch.
void npm_make_poses(const NpmModel* model, uint32_t seed, AbutPose poses[NPM_BODIES]);

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

/// What an engine did with a heap.
typedef struct NpmRun
{
    double bake;               ///< seconds
    double seconds[NPM_STEPS]; ///< of each step, of the processor
    int steps;
    AbutPose poses[NPM_BODIES]; ///< at the end
    double fastest;             ///< speed of a centre of mass at the end, m/s
    uint32_t asleep;            ///< bodies at the end
    double rest;                ///< seconds after which all are asleep; infinite when that was not seen
} NpmRun;

typedef struct NpmEngine
{
    const char* name;     ///< for people
    const char* argument; ///< of run.js
    bool sleeps;          ///< puts bodies to sleep by default
} NpmEngine;

/// Engines that run.js knows, ended by a row without a name.
const NpmEngine* npm_engines(void);

/// Whether their packages are installed. @return false after a message on stderr.
bool npm_engines_available(void);

/// Lets the engine run in a process of its own for `steps` steps, or until it has used `limit` seconds.
/// @return false after a message on stderr.
bool npm_engine_run(const NpmEngine* engine, const NpmModel* model, const AbutPose* poses, int steps,
                    double limit, NpmRun* out);

// -----------------------------------------------------------------------------------------------------------
// The judge
// -----------------------------------------------------------------------------------------------------------

/// How bodies lie, in metres.
typedef struct NpmTruth
{
    double deepest, median; ///< overlaps of pairs that overlap, bodies in the ground included
    uint32_t overlapping;   ///< pairs
    uint32_t lost;          ///< bodies with their centre under the ground
} NpmTruth;

/// Points all over the surface of each body against the exact triangles of the others, and vertices against
/// the ground.
/// @return false after a message on stderr.
bool npm_measure(const NpmModel* model, const AbutPose poses[NPM_BODIES], NpmTruth* out);

#endif
