/// @file response.h
/// Interface of contact responses: from the bodies of a world at the start of a step to moved bodies and
/// stored manifolds at its end. A response is a folder that defines an AbutResponseTable, a line below, a row
/// of the table in world.c and a constant of AbutResponse. Everything else of a world (bodies, sleep, events,
/// queries, snapshots, reports) is the same for all responses, and does not ask which one it has.
///
/// Members that may be NULL: those marked so; the world then does nothing.
#ifndef ABUT_DYNAMICS_STATE_RESPONSE_H
#define ABUT_DYNAMICS_STATE_RESPONSE_H

#include "dynamics/state/body.h"
#include "dynamics/state/profile.h"

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
    /// finish included, and whatever bodies still have of the response.
    AbutResult (*create)(AbutWorld* world);
    void (*destroy)(AbutWorld* world);

    /// State of a new body with shape, mass, kind and scale, which will have the index; it is not yet in
    /// AbutWorld.bodies. remove_body() is its inverse, also after a failure of add_body(). May be NULL, both.
    AbutResult (*add_body)(AbutWorld* world, uint32_t index, const AbutBodyDef* def, AbutBody* body);
    void (*remove_body)(AbutWorld* world, uint32_t index, AbutBody* body);
    /// After a new pose that is not a motion. May be NULL.
    void (*move_body)(AbutWorld* world, uint32_t index);

    /// Moves the bodies by `seconds`, clears their forces, stores the manifolds of the step, sorted by
    /// bodies, in the other AbutWorld.stores, which becomes the current one, and calls
    /// abut_world_reserve_events().
    /// Laps of its phases go to the profiler. On failure the world is as before.
    AbutResult (*step)(AbutWorld* world, double seconds, AbutProfiler* profiler);

    /// State beside bodies and manifolds that later steps depend on: size in bytes, bytes, hash, and the
    /// state from bytes; restore() changes nothing unless it succeeds. May be NULL, all four: no such state.
    size_t (*state_size)(const AbutWorld* world);
    void (*save)(const AbutWorld* world, void* data);
    uint64_t (*hash)(const AbutWorld* world, uint64_t hash);
    AbutResult (*restore)(AbutWorld* world, const void* data, size_t size);

    /// Members of the report that only this response has. May be NULL.
    void (*report)(const AbutWorld* world, AbutStepReport* report);
    /// Warning about the last step, or "". May be NULL.
    const char* (*warning)(const AbutWorld* world);
} AbutResponseTable;

extern const AbutResponseTable abut_impulse_response;
extern const AbutResponseTable abut_penalty_response;

#endif
