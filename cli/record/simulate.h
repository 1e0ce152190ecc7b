/// @file simulate.h
/// Parts of `abut simulate`: the scene, the run that fills a recording, and the interrupt that ends it early.
#ifndef ABUT_CLI_SIMULATE_H
#define ABUT_CLI_SIMULATE_H

#include "command.h"
#include "recording.h"
#include "scenes/simulate/scene_world.h"
#include "simulate_engine.h"

typedef struct SimulateSettings
{
    CommonSettings common;
    TextList outputs;
    const char* response; ///< NULL: as the scene says
    const char* method;   ///< "automatic" or "hull"
    const char* mesh;
    const char* device;   ///< NULL: "cpu"
    const char* save;     ///< where the scene itself goes
    const char* record;   ///< where the scene and its hashes go
    const char* replay;   ///< what `record` has written
    double seconds, step; ///< NaN: as the scene says
    double fps;
    uint32_t substeps; ///< 0: as the scene says
    uint32_t points;   ///< of hulls
    uint32_t bodies;   ///< 0: as the scene has
    uint32_t seed;
    uint32_t megabytes;      ///< of memory, for bodies
    uint32_t disk_megabytes; ///< of the recording
    uint32_t size[2];        ///< of pictures
    bool list;
    bool profile; ///< print where the time went
} SimulateSettings;

// -----------------------------------------------------------------------------------------------------------
// Scenes
// -----------------------------------------------------------------------------------------------------------

/// The scene that the settings ask for: by its name, from its file, or from a record. @return not EXIT_DONE
/// after a message; then there is nothing to destroy.
ExitCode simulate_load_scene(const char* text, const SimulateSettings* settings, Scene* out);

/// The word of --response for Bullet's solver; all others are those of worlds.
bool simulate_is_bullet(const SimulateSettings* settings);

/// Prints the names of the scenes that come with abut.
ExitCode simulate_list_scenes(bool json);

/// Writes the scene as a file, whole or not at all. @return false after a message.
bool simulate_save_scene(const Scene* scene, const char* path);

// -----------------------------------------------------------------------------------------------------------
// Runs
// -----------------------------------------------------------------------------------------------------------

/// What a run did.
typedef struct SimulateSummary
{
    uint64_t steps;
    double seconds;      ///< simulated
    double wall_seconds; ///< that it took
    uint64_t hash;
    float max_penetration, max_penetration_bound; ///< of all steps
    double kinetic, potential, elastic;
    uint32_t asleep, dynamic; ///< bodies at the end
    bool interrupted;
    AbutStepProfile profile;   ///< sums over the steps
    uint64_t first_difference; ///< the step, counted from 1, whose hash is not the expected one; 0: none
} SimulateSummary;

typedef struct SimulateJob
{
    const Scene* scene;
    SceneWorld* world;
    const SimulateEngine* engine; ///< that moves the bodies; NULL: the world itself
    uint64_t step_count;
    double fps;
    Recording* recording;     ///< NULL: nothing is recorded
    uint64_t* hashes;         ///< step_count; NULL: not kept
    const uint64_t* expected; ///< step_count; the run stops at the first that differs; NULL: nothing is
} SimulateJob;

/// Catches SIGINT until simulate_release_interrupt(); a second one ends the program.
void simulate_catch_interrupt(void);
void simulate_release_interrupt(void);
bool simulate_interrupted(void);

/// Empty, with the bodies and surfaces of the world, to be kept beside the first of the outputs.
/// @return false after a message.
bool simulate_begin_recording(const Scene* scene, const SceneWorld* world, const SimulateSettings* settings,
                              Recording* recording);

/// Steps the world to the end, to a difference or to the interrupt, and records it. @return false after a
/// message.
bool simulate_run(const SimulateJob* job, SimulateSummary* summary);

/// Adds the profile of a step to a sum.
void simulate_add_profile(AbutStepProfile* sum, const AbutStepProfile* step);

/// Prints where the time of `steps` steps went: per phase, and per kind of pair.
void simulate_print_profile(const AbutStepProfile* sum, uint64_t steps);

/// The same as a JSON object.
struct cJSON* simulate_profile_json(const AbutStepProfile* sum);

#endif
