// Undoing a step that fails.
#include "dynamics/state/undo.h"

#include "base/assert.h"
#include "dynamics/state/world.h"

#include <string.h>

AbutResult abut_step_save_start(AbutStepContext* step)
{
    const AbutWorld* world = step->world;
    const AbutResponseTable* response = world->response;
    size_t size = response->state_size != NULL ? response->state_size(world) : 0;
    AbutBody* bodies = abut_step_allocate(step, world->body_count, sizeof(AbutBody));
    step->response_state = abut_step_allocate(step, 1, size);
    if (bodies == NULL || step->response_state == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    if (world->body_count > 0)
    {
        memcpy(bodies, world->bodies, world->body_count * sizeof(AbutBody));
    }
    if (size > 0)
    {
        response->save(world, step->response_state);
    }
    step->response_state_size = size;
    step->bodies = bodies;
    return ABUT_OK;
}

void abut_step_undo(const AbutStepContext* step)
{
    AbutWorld* world = step->world;
    if (step->bodies == NULL)
    {
        return;
    }
    world->current = step->first_store;
    if (world->body_count > 0)
    {
        memcpy(world->bodies, step->bodies, world->body_count * sizeof(AbutBody));
    }
    if (step->response_state_size > 0)
    {
        world->response->restore(world, step->response_state, step->response_state_size);
    }
}
