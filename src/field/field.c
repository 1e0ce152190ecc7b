// A field as a shape, and its information.
#include "field/field.h"
#include "base/assert.h"
#include "base/fp_env.h"
#include "base/memory.h"
#include "field/block.h"
#include "field/block_check.h"
#include "field/bounds/pyramid.h"
#include "field/kernels.h"
#include "shape/shape.h"

#include <string.h>

enum
{
    SCALAR_POINTS = 2
};

static void sample_local(const AbutShape* shape, AbutPoints points, size_t count, AbutSamples out)
{
    const AbutField* self = (const AbutField*)shape;
    const AbutFieldHeader* header = self->block;
    // Lanes that are not used cost as much as others, and the scalar kernels have the same bits.
    const AbutFieldKernels* kernels =
        count <= SCALAR_POINTS ? abut_field_kernels_of(ABUT_SIMD_SCALAR) : abut_field_kernels();
    AbutFieldKernel* const* table = header->sparse != 0 ? kernels->sparse : kernels->dense;
    table[header->format](&self->view, points, count, out);
}

static void sample_field(const AbutShape* shape, const AbutTransform* frame, AbutPoints points, size_t count,
                         AbutSamples out)
{
    abut_shape_sample_local(shape, sample_local, frame, points, count, out);
}

static void release_field(AbutShape* shape)
{
    AbutField* self = (AbutField*)shape;
    if (self->release != NULL)
    {
        self->release(self->release_user, self->block, self->block_bytes);
    }
    else
    {
        abut_memory_free(&shape->host, self->block, 1, self->allocated_bytes);
    }
}

static const AbutShapeClass field_class = { .sample = sample_field, .release = release_field };

static AbutFieldView make_view(void* block)
{
    const AbutFieldHeader* h = block;
    AbutFieldView view = {
        .nodes = abut_field_section(block, ABUT_FIELD_NODES),
        .slots = h->sparse != 0 ? abut_field_section(block, ABUT_FIELD_SLOTS) : NULL,
        .cell_size = (float)h->cell_size,
        .inverse_cell_size = (float)(1.0 / h->cell_size),
        .brick_row = h->brick_count[0],
        .brick_slab = h->brick_count[0] * h->brick_count[1],
        .row = abut_field_level_nodes(h, 0),
        .slab = abut_field_level_nodes(h, 0) * abut_field_level_nodes(h, 1),
        .fine_start =
            abut_field_level_nodes(h, 0) * abut_field_level_nodes(h, 1) * abut_field_level_nodes(h, 2),
    };
    for (int axis = 0; axis < 3; ++axis)
    {
        view.origin_high[axis] = (float)h->origin[axis];
        view.origin_low[axis] = (float)(h->origin[axis] - (double)view.origin_high[axis]);
        view.cell_count[axis] = h->brick_count[axis] * ABUT_BRICK_CELLS;
    }
    return view;
}

AbutBox abut_field_grid_box(const void* block)
{
    const AbutFieldHeader* h = block;
    float low[3], high[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
        low[axis] = nextafterf((float)h->origin[axis], -INFINITY);
        high[axis] = nextafterf((float)(h->origin[axis] + size), INFINITY);
    }
    return abut_box(abut_vec3(low[0], low[1], low[2]), abut_vec3(high[0], high[1], high[2]));
}

/// Half a cell around the solid, because the interpolant may be a little larger.
static AbutBox solid_box(const AbutFieldHeader* h)
{
    AbutBox solid = abut_box(abut_vec3(h->solid[0], h->solid[1], h->solid[2]),
                             abut_vec3(h->solid[3], h->solid[4], h->solid[5]));
    return abut_box_intersection(abut_box_expand(solid, (float)(0.5 * h->cell_size)), abut_field_grid_box(h));
}

AbutResult abut_field_create_with(void* block, AbutFieldReleaseFn* release, void* release_user,
                                  const AbutHost* host, AbutShape** out)
{
    *out = NULL;
    AbutField* self = abut_shape_allocate(sizeof(AbutField), ABUT_SHAPE_FIELD, &field_class, host);
    if (self == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    const AbutFieldHeader* header = block;
    self->block = block;
    self->block_bytes = (size_t)header->total_bytes;
    self->release = release;
    self->release_user = release_user;
    self->view = make_view(block);
    self->octree = abut_distance_octree_make(block);
    self->half_spaces = abut_half_spaces_make(block);
    self->lower_planes = abut_lower_planes_data(block);
    AbutShapeInfo* info = &self->base.info;
    info->bounds = solid_box(header);
    info->lipschitz = fmaxf(1.0f, header->slope);
    info->error = abut_field_root_bounds(block).error;
    self->base.rounding.length = abut_shape_box_radius(abut_field_grid_box(header));
    self->base.rounding.float_only = true;
    info->bytes += self->block_bytes;
    self->base.lower_lipschitz = abut_lipschitz_unknown(); // because of the errors
    *out = &self->base;
    return ABUT_OK;
}

AbutResult abut_field_create(void* block, size_t allocated, const AbutHost* host, AbutShape** out)
{
    AbutHost resolved = abut_host_resolve(host);
    AbutResult result = abut_field_create_with(block, NULL, NULL, host, out);
    if (result != ABUT_OK)
    {
        abut_memory_free(&resolved, block, 1, allocated);
        return result;
    }
    ((AbutField*)*out)->allocated_bytes = allocated;
    return ABUT_OK;
}

AbutFieldDataDef abut_field_data_def(void)
{
    return (AbutFieldDataDef){ 0 };
}

AbutResult abut_field_create_from_data(const AbutFieldDataDef* def, AbutShape** out)
{
    ABUT_FP_CALL(abut_field_create_from_data, def, out);
    *out = NULL;
    const char* name = def->name != NULL ? def->name : "field";
    if (def->data == NULL || (def->release != NULL && (uintptr_t)def->data % ABUT_FIELD_ALIGNMENT != 0))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "%s: the data is NULL or not aligned to %d bytes", name,
                         ABUT_FIELD_ALIGNMENT);
    }
    if (def->release != NULL)
    {
        AbutResult result = abut_field_block_check(def->data, def->size, def->skip_checksum, name);
        return result == ABUT_OK
                   ? abut_field_create_with(def->data, def->release, def->release_user, def->host, out)
                   : result;
    }
    // A copy is checked, so that bytes that change meanwhile cannot pass the check.
    AbutHost host = abut_host_resolve(def->host);
    void* block = abut_memory_allocate(&host, 1, def->size);
    if (block == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(block, def->data, def->size);
    AbutResult result = abut_field_block_check(block, def->size, def->skip_checksum, name);
    if (result != ABUT_OK)
    {
        abut_memory_free(&host, block, 1, def->size);
        return result;
    }
    return abut_field_create(block, def->size, def->host, out);
}

bool abut_shape_is_field(const AbutShape* shape)
{
    return shape->info.kind == ABUT_SHAPE_FIELD;
}

const void* abut_field_data(const AbutShape* field, size_t* size)
{
    const AbutField* self = abut_field_of(field);
    *size = self->block_bytes;
    return self->block;
}

AbutMassData abut_field_unpack_mass(const double packed[13])
{
    AbutMassData mass = { .volume = packed[0], .center = { packed[1], packed[2], packed[3] } };
    memcpy(mass.inertia, packed + 4, sizeof(mass.inertia));
    return mass;
}

void abut_field_pack_mass(const AbutMassData* mass, double packed[13])
{
    packed[0] = mass->volume;
    memcpy(packed + 1, mass->center, sizeof(mass->center));
    memcpy(packed + 4, mass->inertia, sizeof(mass->inertia));
}

AbutFieldInfo abut_field_info(const AbutShape* field)
{
    const AbutFieldHeader* h = abut_field_of(field)->block;
    return (AbutFieldInfo){
        .format = (AbutFieldFormat)h->format,
        .order = h->format == ABUT_FIELD_FIRST_ORDER ? 1 : 0,
        .sparse = h->sparse != 0,
        .origin = { h->origin[0], h->origin[1], h->origin[2] },
        .cell_size = h->cell_size,
        .cell_count = { h->brick_count[0] * ABUT_BRICK_CELLS, h->brick_count[1] * ABUT_BRICK_CELLS,
                        h->brick_count[2] * ABUT_BRICK_CELLS },
        .brick_count = h->brick_count[0] * h->brick_count[1] * h->brick_count[2],
        .stored_brick_count = h->stored_brick_count,
        .bytes = (size_t)h->total_bytes,
        .bounds_bytes =
            (size_t)(h->sections[ABUT_FIELD_PYRAMID].size + h->sections[ABUT_FIELD_CELL_ERRORS].size +
                     (h->sparse != 0 ? 0 : h->sections[ABUT_FIELD_SLOTS].size)),
        .octree_bytes =
            (size_t)(h->sections[ABUT_FIELD_DISTANCE_OCTREE].size + h->sections[ABUT_FIELD_HALF_SPACES].size +
                     h->sections[ABUT_FIELD_LOWER_PLANES].size),
        .error_bound = h->error_bound,
        .measured_max = h->measured_max,
        .measured_rms = h->measured_rms,
        .mass = abut_field_unpack_mass(h->mass),
        .mesh_mass = abut_field_unpack_mass(h->mesh_mass),
        .mass_source = (AbutMassSource)(h->sign_flags >> ABUT_FIELD_SIGN_MASS_SHIFT),
        .sign = { .closed = (h->sign_flags & ABUT_FIELD_SIGN_CLOSED) != 0,
                  .inverted = (h->sign_flags & ABUT_FIELD_SIGN_INVERTED) != 0,
                  .sheets = (h->sign_flags & ABUT_FIELD_SIGN_SHEETS) != 0,
                  .winding_nodes = h->winding_nodes,
                  .uncertain_nodes = h->uncertain_nodes,
                  .uncertain_volume = h->uncertain_volume,
                  .gap_width = h->gap_width },
    };
}
