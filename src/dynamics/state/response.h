/// @file response.h
/// Interface of contact responses: from the bodies of a world at the start of a pass to moved bodies and
/// stored manifolds at its end. A response is a folder that defines an AbutResponseTable, a line below, a row
/// of the table in world.c and a constant of AbutResponse. Everything else of a world (bodies, sleep, events,
/// queries, snapshots, reports) is the same for all responses, and does not ask which one it has.
///
/// Members that may be NULL: those marked so; the world then does nothing.
#ifndef ABUT_DYNAMICS_STATE_RESPONSE_H
#define ABUT_DYNAMICS_STATE_RESPONSE_H

#include "dynamics/state/body.h"
#include "dynamics/state/step_context.h"

typedef struct AbutResponseTable
{
    const char* name;

    /// Whether dynamic bodies have core points (ccd/core_points.h).
    bool has_core_points;
    /// Points of a manifold, at most: a snapshot with more is refused.
    uint32_t manifold_points;

    /// Settings of the response in a def, whichever response the def names: defaults, validity, and a hash of
    /// them for the identity of the world. May be NULL, all three.
    void (*init_settings)(AbutWorldDef* def);
    AbutResult (*check_settings)(const AbutWorldDef* def);
    uint64_t (*hash_settings)(const AbutWorldDef* def, uint64_t hash);

    /// AbutWorld.response_state of a world without bodies. destroy() frees it, what create() could not
    /// finish included, and whatever bodies still have of the response. May be NULL, both.
    AbutResult (*create)(AbutWorld* world);
    void (*destroy)(AbutWorld* world);

    /// State of a new body with shape, mass, kind and scale, which will have the index; it is not yet in
    /// AbutWorld.bodies. remove_body() is its inverse, also after a failure of add_body(). May be NULL, both.
    AbutResult (*add_body)(AbutWorld* world, uint32_t index, const AbutBodyDef* def, AbutBody* body);
    void (*remove_body)(AbutWorld* world, uint32_t index, AbutBody* body);
    /// After a new pose that is not a motion. May be NULL.
    void (*move_body)(AbutWorld* world, uint32_t index);

    /// The phases of a step, in the order of step.c. They move the bodies, store the manifolds, sorted by
    /// bodies, in abut_step_next_store() and commit that, and lap the profiler. After a failure of any the
    /// world returns to the start of the step.
    ///
    /// plan(): AbutStepContext.pass_count, and `seconds`, `substeps` and `prediction_fraction` of each pass;
    /// `has_pairs` if it has called abut_step_update_pairs() for the first one.
    AbutResult (*plan)(AbutStepContext* step);
    /// After abut_step_update_pairs().
    AbutResult (*update_contacts)(AbutStepContext* step);
    AbutResult (*solve)(AbutStepContext* step);
    /// May be NULL.
    void (*clamp_motions)(const AbutStepContext* step);
    /// After the last pass. May be NULL.
    AbutResult (*finish)(AbutStepContext* step);

    /// State beside bodies and manifolds that later steps depend on: size in bytes, bytes, and hash. May be
    /// NULL, all five: no such state.
    size_t (*state_size)(const AbutWorld* world);
    void (*save)(const AbutWorld* world, void* data);
    uint64_t (*hash)(const AbutWorld* world, uint64_t hash);
    /// Validity of saved bytes from anywhere, and memory for them; changes no state. Then restore() cannot
    /// fail.
    AbutResult (*check)(AbutWorld* world, const void* data, size_t size);
    void (*restore)(AbutWorld* world, const void* data, size_t size);

    /// Members of the report that only this response has. May be NULL.
    void (*report)(const AbutWorld* world, AbutStepReport* report);
    /// Warning about the last step, or "". May be NULL.
    const char* (*warning)(const AbutWorld* world);
} AbutResponseTable;

extern const AbutResponseTable abut_impulse_response;
extern const AbutResponseTable abut_penalty_response;

#endif
