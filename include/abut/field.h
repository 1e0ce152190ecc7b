/// @file field.h
/// Baked fields: grids of samples with proved bounds, as shapes.
///
/// A field is an AbutShape (ABUT_SHAPE_FIELD): it samples, combines, moves and is destroyed like any other.
/// The functions here are for such shapes alone. Bakes are in bake.h, files in io.h.
///
/// Cells are cubes of one size, grouped in bricks of 8³. A dense field keeps every node; a sparse one keeps
/// the bricks near the surface, and samples a coarse level (one node per brick corner) elsewhere.
///
/// - Order 0 keeps the distance per node and blends it linearly along each axis (trilinear).
/// - Order 1 keeps distance and gradient per node and blends Σ wᵢ (fᵢ + ½ gᵢ·(x − xᵢ)): exact for
///   quadratics. In cells with details thinner than a cell the ½ becomes 1, which keeps them.
///
/// Outside of its box a field is √(d² + f²) from the distance d to the box and the value f at the nearest
/// point of the box (f + d where f is negative): a lower bound of the distance when the solid is inside of
/// the box.
#ifndef ABUT_FIELD_H
#define ABUT_FIELD_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutFieldFormat
{
    ABUT_FIELD_F32,         ///< order 0, 4 bytes per node: the distance
    ABUT_FIELD_F16,         ///< order 0, 2 bytes per node: distance / cell size as a half
    ABUT_FIELD_FIRST_ORDER, ///< order 1, 8 bytes per node: distance / cell size in 23 bits, gradient in 40
    ABUT_FIELD_FORMAT_COUNT
} AbutFieldFormat;

/// "f32", "f16", "first order"; never NULL.
ABUT_API const char* abut_field_format_name(AbutFieldFormat format);

/// Report of the bake about the sign.
typedef struct AbutSignReport
{
    bool closed;            ///< sign by pseudo-normals alone: the surface is closed and oriented
    bool inverted;          ///< the faces pointed inward and were flipped
    bool sheets;            ///< open components that enclose nothing have no inside: a shell has one
    uint64_t winding_nodes; ///< stored nodes near gaps of the surface, whose own winding number was computed
    uint64_t uncertain_nodes; ///< stored nodes of the bricks (8³ each) with the sign in doubt, by a hole
    double uncertain_volume;  ///< of these bricks; over 0 exactly when holes make the proved error infinite

    /// Distance from the mesh of the surface that closes its seams, slits and holes up to a cell wide; 0 for
    /// none. The proved error includes it.
    float gap_width;
} AbutSignReport;

/// Source of the volume, centre and inertia of a solid.
typedef enum AbutMassSource
{
    ABUT_MASS_FROM_CELLS, ///< AbutFieldInfo.mass
    ABUT_MASS_FROM_MESH,  ///< AbutFieldInfo.mesh_mass, exact: the mesh is closed, without self-intersections
    ABUT_MASS_UNKNOWN,    ///< thinner than a cell, on average, and the mesh is open or intersects itself
} AbutMassSource;

typedef struct AbutFieldInfo
{
    AbutFieldFormat format;
    uint32_t order;
    bool sparse;
    AbutPosition origin; ///< of the first node, in the shape's frame
    double cell_size;
    uint32_t cell_count[3]; ///< multiples of 8
    uint32_t brick_count;
    uint32_t stored_brick_count; ///< equal to brick_count for a dense field
    size_t bytes;                ///< of the block
    size_t bounds_bytes;         ///< of it, bounds and pyramid
    size_t octree_bytes;         ///< of it, the octree that makes collision queries fast
    float error_bound;  ///< proved: |sample − distance| ≤ this in fine cells within a cell of the surface
    float measured_max; ///< sampled near the surface
    float measured_rms;
    AbutMassData mass;          ///< integrated over the cells
    AbutMassData mesh_mass;     ///< by surface integral of the source mesh; volume 0 without a mesh
    AbutMassSource mass_source; ///< which of the two holds
    AbutSignReport sign;
} AbutFieldInfo;

/// The shape must be a field.
ABUT_API AbutFieldInfo abut_field_info(const AbutShape* field);

/// True for shapes of kind ABUT_SHAPE_FIELD.
ABUT_API bool abut_shape_is_field(const AbutShape* shape);

// -----------------------------------------------------------------------------------------------------------
// The block
// -----------------------------------------------------------------------------------------------------------

/// The bytes of the field and of its file. Valid as long as the shape. docs/field_format.md has the format.
ABUT_API const void* abut_field_data(const AbutShape* field, size_t* size);

/// The part of the block that holds the nodes.
ABUT_API const void* abut_field_nodes(const AbutShape* field, size_t* size);

/// Distances at the nodes [begin, begin + count) of the grid, which has cell_count + 1 of them along each
/// axis, x fastest: the stored distances; in a sparse field, those of the coarse level for the other nodes.
/// The range must be in the grid. Never allocates; any thread.
ABUT_API void abut_field_read_nodes(const AbutShape* field, const uint32_t begin[3], const uint32_t count[3],
                                    float* out);

/// Called once when a field made from borrowed memory goes.
typedef void AbutFieldReleaseFn(void* user, void* data, size_t size);

typedef struct AbutFieldDataDef
{
    void* data; ///< aligned to 64 bytes; read only from now on
    size_t size;
    AbutFieldReleaseFn* release; ///< NULL: the bytes are copied
    void* release_user;
    bool skip_checksum; ///< no test of the checksum (of a file that was checked before)
    const char* name;   ///< stands for the block in messages; may be NULL
    const AbutHost* host;
} AbutFieldDataDef;

ABUT_API AbutFieldDataDef abut_field_data_def(void);

/// A field over a block of untrusted bytes: every number of the header, every offset, brick slot, node, bound
/// and box of the octree is checked before use, and so are the bytes between sections. A block that passes is
/// read within its bytes and has finite distances. Bounds and octree are not checked against the nodes, which
/// would be a bake: a checksum detects damage, not forgery, and proofs about a forged field are false. On
/// failure `release` is not called.
/// @return ABUT_INVALID_DATA with the byte and the reason.
ABUT_API AbutResult abut_field_create_from_data(const AbutFieldDataDef* def, AbutShape** out);

// -----------------------------------------------------------------------------------------------------------
// Bounds
// -----------------------------------------------------------------------------------------------------------

/// An interval that contains the true distance.
typedef struct AbutDistanceBounds
{
    float low, high;
    bool sign_uncertain; ///< the mesh is open here: either sign is possible, and the interval covers both
} AbutDistanceBounds;

/// Bounds of the true distance at a point of the field's frame, in or out of its box.
ABUT_API AbutDistanceBounds abut_field_point_bounds(const AbutShape* field, AbutVec3 point);

/// Bounds of the true distance over all points of a box.
ABUT_API AbutDistanceBounds abut_field_box_bounds(const AbutShape* field, AbutBox box);

#ifdef __cplusplus
}
#endif

#endif
