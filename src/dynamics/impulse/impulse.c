// Memory of the impulse response.
#include "dynamics/impulse/impulse.h"

#include "base/memory.h"
#include "dynamics/state/world.h"

AbutResult abut_impulse_create(AbutWorld* world)
{
    world->impulse = abut_memory_allocate_zero(&world->host, 1, sizeof(AbutImpulse));
    return world->impulse != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

void abut_impulse_destroy(AbutWorld* world)
{
    AbutImpulse* impulse = world->impulse;
    const AbutHost* host = &world->host;
    if (impulse == NULL)
    {
        return;
    }
    abut_memory_free(host, impulse->order, impulse->order_capacity, sizeof(uint32_t));
    abut_memory_free(host, impulse->by_count, impulse->by_count_capacity, sizeof(uint32_t));
    abut_constraints_free(host, &impulse->constraints);
    abut_memory_free(host, impulse->colors, impulse->color_capacity, sizeof(uint8_t));
    abut_memory_free(host, impulse->taken, impulse->taken_capacity, sizeof(uint64_t));
    abut_memory_free(host, impulse, 1, sizeof(AbutImpulse));
    world->impulse = NULL;
}
