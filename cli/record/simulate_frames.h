/// @file simulate_frames.h
/// The frames of a recording, made while a world steps.
#ifndef ABUT_CLI_SIMULATE_FRAMES_H
#define ABUT_CLI_SIMULATE_FRAMES_H

#include "simulate.h"

/// What the steps since the last frame add up to, and room for a frame.
typedef struct FrameMaker
{
    const SceneWorld* world;
    const SimulateEngine* engine; ///< NULL: the world itself
    Recording* recording;         ///< NULL: no frames are made
    RecordedPose* poses;
    RecordedContact* contacts;
    size_t contact_capacity;
    uint32_t* body_of_index; ///< the number of a body by the index of its handle
    uint32_t index_count;
    double step;         ///< seconds
    uint32_t step_count; ///< since the last frame
    double seconds[RECORDED_TIMES];
    float max_penetration;
} FrameMaker;

/// @return false after a message, without memory; to be freed then, too.
bool frame_maker_init(FrameMaker* maker, const SceneWorld* world, double step, Recording* recording);

void frame_maker_free(FrameMaker* maker);

/// What a step did counts for the next frame.
void frame_maker_add_step(FrameMaker* maker, const AbutStepReport* report);

/// Adds the frame of the world as it is now. @return false after a message.
bool frame_maker_finish(FrameMaker* maker, const AbutStepReport* report);

#endif
