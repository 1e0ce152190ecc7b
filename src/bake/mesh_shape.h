/// @file mesh_shape.h
/// The triangles of a mesh as a shape.
#ifndef ABUT_BAKE_MESH_SHAPE_H
#define ABUT_BAKE_MESH_SHAPE_H

#include "bake/sign/sign.h"
#include "bvh/tree.h"
#include "image/set.h"
#include "shape/shape.h"

#include <abut/decompose.h>
#include <stdatomic.h>

/// What methods of the narrow phase prepare (mesh_prepared.c), each NULL or zero before. Immutable then, but
/// for the sets: memory of queries, one for each that runs at the same time.
typedef struct AbutMeshPrepared
{
    AbutDecomposition* pieces; // SWIFT
    AbutImageObject* image;    // CInDeR and CULLIDE
    AbutImageSet* sets;
    atomic_flag lock; // of `sets`
} AbutMeshPrepared;

typedef struct AbutMeshShape
{
    AbutShape base;
    AbutMeshTree* tree;
    AbutSignClassifier* classifier;
    AbutMesh* mesh;
    AbutSignDoubt doubt; // regions of uncertain signs; none for a closed surface
    uint32_t* seeds;     // a vertex of each connected component of the surface
    uint32_t seed_count, seed_capacity;
    AbutMeshPrepared prepared;
} AbutMeshShape;

/// The shape as one of kind ABUT_SHAPE_MESH.
static inline const AbutMeshShape* abut_mesh_shape(const AbutShape* shape)
{
    ABUT_ASSERT(shape->info.kind == ABUT_SHAPE_MESH);
    return (const AbutMeshShape*)shape;
}

/// Signed distance in double, with the closest triangle and the point of it.
typedef struct AbutMeshShapeSample
{
    double distance;
    AbutDVec3 at;
    uint32_t triangle;
} AbutMeshShapeSample;

AbutMeshShapeSample abut_mesh_shape_sample(const AbutMeshShape* self, AbutDVec3 point);

/// Bounds of the signed distance to the solid of any surface that closes the gaps within their regions: equal
/// ones where no region is nearer than the surface.
typedef struct AbutMeshShapeBounds
{
    double low, high;
} AbutMeshShapeBounds;

AbutMeshShapeBounds abut_mesh_shape_bounds(const AbutMeshShape* self, AbutDVec3 point);

/// The shape's own decomposition, or its chunks for queries in image space; nothing where it has them. Not
/// while other threads use the shape.
AbutResult abut_mesh_shape_prepare_pieces(AbutMeshShape* self);
AbutResult abut_mesh_shape_prepare_image(AbutMeshShape* self);

void abut_mesh_shape_release_prepared(AbutMeshShape* self);

/// Memory of a query in image space, with both meshes bound; both are prepared. NULL without memory.
AbutImageSet* abut_mesh_shape_take_set(const AbutMeshShape* self, const AbutMeshShape* other);

/// Gives it back, for the next query.
void abut_mesh_shape_return_set(const AbutMeshShape* self, AbutImageSet* set);

#endif
