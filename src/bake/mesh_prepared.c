// What the shape of a mesh keeps for methods that need more than its triangles.
#include "bake/mesh_shape.h"
#include "base/memory.h"

AbutResult abut_mesh_shape_prepare_pieces(AbutMeshShape* self)
{
    if (self->prepared.pieces != NULL)
    {
        return ABUT_OK;
    }
    AbutDecomposeDef def = abut_decompose_def();
    def.host = &self->base.host;
    return abut_decompose(&def, self->mesh, &self->prepared.pieces);
}

static AbutResult create_image(const AbutHost* host, const AbutMesh* mesh, AbutImageObject* out)
{
    AbutResult result = abut_image_mesh_create(host, mesh, &out->mesh);
    return result == ABUT_OK ? abut_image_topology_create(host, mesh, &out->topology) : result;
}

static void destroy_image(const AbutHost* host, AbutImageObject* image)
{
    abut_image_mesh_destroy(host, &image->mesh);
    abut_image_topology_destroy(host, &image->topology);
    abut_memory_free(host, image, 1, sizeof(AbutImageObject));
}

AbutResult abut_mesh_shape_prepare_image(AbutMeshShape* self)
{
    if (self->prepared.image != NULL)
    {
        return ABUT_OK;
    }
    const AbutHost* host = &self->base.host;
    AbutImageObject* image = abut_memory_allocate_zero(host, 1, sizeof(AbutImageObject));
    AbutResult result = image != NULL ? create_image(host, self->mesh, image) : ABUT_OUT_OF_MEMORY;
    if (result != ABUT_OK)
    {
        if (image != NULL)
        {
            destroy_image(host, image);
        }
        return result;
    }
    self->prepared.image = image;
    return ABUT_OK;
}

void abut_mesh_shape_release_prepared(AbutMeshShape* self)
{
    const AbutHost* host = &self->base.host;
    abut_decomposition_destroy(self->prepared.pieces);
    if (self->prepared.image != NULL)
    {
        destroy_image(host, self->prepared.image);
    }
    while (self->prepared.sets != NULL)
    {
        AbutImageSet* next = self->prepared.sets->next;
        abut_image_set_destroy(self->prepared.sets);
        self->prepared.sets = next;
    }
}

/// The list of sets is memory, not data: a query finds the same with any of them.
static AbutMeshPrepared* lock(const AbutMeshShape* self)
{
    AbutMeshPrepared* prepared = &((AbutMeshShape*)(uintptr_t)self)->prepared;
    while (atomic_flag_test_and_set_explicit(&prepared->lock, memory_order_acquire))
    {
    }
    return prepared;
}

static void unlock(AbutMeshPrepared* prepared)
{
    atomic_flag_clear_explicit(&prepared->lock, memory_order_release);
}

/// A free set, or a new one; on the calling thread alone.
static AbutImageSet* take_set(const AbutMeshShape* self)
{
    AbutMeshPrepared* prepared = lock(self);
    AbutImageSet* set = prepared->sets;
    prepared->sets = set != NULL ? set->next : NULL;
    unlock(prepared);
    if (set == NULL)
    {
        AbutHost host = self->base.host;
        host.worker_count = 1;
        abut_image_set_create_borrowing(&host, &set);
    }
    return set;
}

AbutImageSet* abut_mesh_shape_take_set(const AbutMeshShape* self, const AbutMeshShape* other)
{
    ABUT_ASSERT(self->prepared.image != NULL && other->prepared.image != NULL);
    AbutImageSet* set = take_set(self);
    if (set != NULL && abut_image_set_bind(set, self->prepared.image, other->prepared.image) != ABUT_OK)
    {
        abut_image_set_destroy(set);
        return NULL;
    }
    return set;
}

void abut_mesh_shape_return_set(const AbutMeshShape* self, AbutImageSet* set)
{
    AbutMeshPrepared* prepared = lock(self);
    set->next = prepared->sets;
    prepared->sets = set;
    unlock(prepared);
}
