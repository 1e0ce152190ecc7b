/// @file field.h (internal)
/// A field as a shape over its block.
#ifndef ABUT_FIELD_FIELD_H
#define ABUT_FIELD_FIELD_H

#include "field/bounds/distance_octree.h"
#include "field/bounds/half_spaces.h"
#include "field/bounds/lower_planes.h"
#include "field/kernels.h"
#include "shape/shape.h"

typedef struct AbutField
{
    AbutShape base;
    void* block;
    size_t block_bytes;
    size_t allocated_bytes;      // of a block that came from the host
    AbutFieldReleaseFn* release; // NULL: the block came from the host
    void* release_user;
    AbutFieldView view;
    AbutDistanceOctree octree;
    AbutHalfSpaces half_spaces;
    const uint8_t* lower_planes; // NULL: the field has none
} AbutField;

/// The field of a shape, which must be one.
static inline const AbutField* abut_field_of(const AbutShape* shape)
{
    ABUT_ASSERT(shape->info.kind == ABUT_SHAPE_FIELD);
    return (const AbutField*)shape;
}

/// A field that owns `block` (`allocated` bytes from `host`, which may be more than it uses) from now on,
/// also on failure.
AbutResult abut_field_create(void* block, size_t allocated, const AbutHost* host, AbutShape** out);

/// A field over a checked block; on failure the block stays the caller's.
AbutResult abut_field_create_with(void* block, AbutFieldReleaseFn* release, void* release_user,
                                  const AbutHost* host, AbutShape** out);

/// The box of the grid.
AbutBox abut_field_grid_box(const void* block);

/// Volume, centre and inertia as in the header.
void abut_field_pack_mass(const AbutMassData* mass, double packed[13]);
AbutMassData abut_field_unpack_mass(const double packed[13]);

#endif
