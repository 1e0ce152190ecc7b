/// @file simulate.h
/// Parts of `abut simulate`: the run that fills a recording, and the interrupt that ends it early.
#ifndef ABUT_CLI_SIMULATE_H
#define ABUT_CLI_SIMULATE_H

#include "command.h"
#include "recording.h"
#include "scenes/simulate/scene_world.h"

typedef struct SimulateSettings
{
    CommonSettings common;
    TextList outputs;
    const char* response;
    const char* mesh;
    double seconds, step; ///< NaN: as the scene says
    double fps;
    uint32_t substeps; ///< 0: as the scene says
    uint32_t bodies;   ///< 0: as the scene has
    uint32_t seed;
    uint32_t megabytes; ///< of the recording
    bool list;
} SimulateSettings;

/// What a run did.
typedef struct SimulateSummary
{
    uint64_t steps;
    double seconds;      ///< simulated
    double wall_seconds; ///< that it took
    uint64_t hash;
    float deepest; ///< of all steps
    double kinetic, potential;
    uint32_t asleep, dynamic; ///< bodies at the end
    bool interrupted;
} SimulateSummary;

/// Catches SIGINT until simulate_release_interrupt(); a second one ends the program.
void simulate_catch_interrupt(void);
void simulate_release_interrupt(void);
bool simulate_interrupted(void);

/// Steps the world through the scene's seconds, or to the interrupt, and records it. @return false after a message.
bool simulate_run(const Scene* scene, SceneWorld* world, double fps, Recording* recording,
                  SimulateSummary* summary);

/// Empty, with the bodies and surfaces of the world. @return false after a message.
bool simulate_begin_recording(const Scene* scene, const SceneWorld* world, size_t byte_limit,
                              Recording* recording);

#endif
