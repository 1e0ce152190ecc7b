/// @file step_context.h
/// The context of a step: all that its phases share, and all of its scratch. It begins and ends with the
/// step; nothing of it is in the world.
#ifndef ABUT_DYNAMICS_STATE_STEP_CONTEXT_H
#define ABUT_DYNAMICS_STATE_STEP_CONTEXT_H

#include "base/arena.h"
#include "dynamics/state/body.h"
#include "dynamics/state/manifold.h"
#include "dynamics/state/profile.h"

typedef struct AbutStepContext
{
    AbutWorld* world;
    AbutArena* arena; // scratch of the step, and of the pass from `pass_mark` on
    AbutProfiler profiler;
    double total_seconds; // of the step
    void* response_step;  // of the response, for this step

    // The passes. The response plans them at the start of the step, with the pairs of the first one.
    uint32_t pass, pass_count;  // `pass` from 0
    uint32_t substeps;          // of a pass
    double seconds;             // of a pass
    double prediction_fraction; // of the motion of the pass, at which contacts are detected: 0 or 0.5
    double fall_distance;       // free fall from rest in the pass
    bool has_pairs;             // the plan has updated the pairs of the pass
    AbutArenaMark pass_mark;

    // Pairs of the pass
    AbutBodyPair* pairs; // for the narrow phase
    size_t pair_count;
    size_t broad_pair_count;      // of the broad phase, recycled ones included
    bool has_tight;               // some manifold of the last pass is tight
    const AbutCollideBody* posed; // bodies at their predicted poses

    uint32_t* parents;   // union-find of islands
    double* sleep_times; // of islands, by their roots

    // The start of the step, for abut_step_undo()
    int first_store;      // index of the manifolds of the last step
    AbutBody* bodies;     // copies; NULL before there are any
    void* response_state; // bytes of AbutResponseTable.save()
    size_t response_state_size;
} AbutStepContext;

/// Memory until the end of the pass; NULL with abut_last_error() set.
static inline void* abut_step_allocate(const AbutStepContext* step, size_t count, size_t size)
{
    return abut_arena_allocate(step->arena, count, size);
}

static inline bool abut_step_is_last_pass(const AbutStepContext* step)
{
    return step->pass + 1 == step->pass_count;
}

/// Manifolds of the pass in the making: neither the current ones nor those of the last step.
AbutContactStore* abut_step_next_store(const AbutStepContext* step);

/// They become the current ones.
void abut_step_commit_store(const AbutStepContext* step);

#endif
