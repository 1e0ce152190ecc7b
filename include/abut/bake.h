/// @file bake.h
/// From a mesh or any shape to a field: exact distances at every node that is stored, signs that survive real
/// meshes, and the error that was made.
#ifndef ABUT_BAKE_H
#define ABUT_BAKE_H

#include <abut/base.h>
#include <abut/field.h>
#include <abut/math.h>
#include <abut/mesh.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutBakeSign
{
    ABUT_BAKE_SIGN_AUTO, ///< pseudo-normals where the surface is closed and oriented, winding number
                         ///< elsewhere
    ABUT_BAKE_SIGN_PSEUDO_NORMALS, ///< angle-weighted pseudo-normals everywhere
    ABUT_BAKE_SIGN_WINDING,        ///< generalised winding number everywhere: inside where it is over ½
    ABUT_BAKE_SIGN_SHELL,          ///< no inside: the surface itself, `thickness` thick
} AbutBakeSign;

typedef struct AbutBakeDef
{
    uint32_t resolution; ///< cells along the longest side of the box, in [1, 8192]; default 64
    float cell_size;     ///< > 0 overrides resolution
    /// > 0 overrides both: bakes with ever finer cells, from 32 along the longest side on, until the field's measured_max
    /// (sampled within two cells of the surface) is at most this. Where that passes memory_limit or 8192 cells, or the
    /// error no longer falls, the bake fails with what was reached. Smooth surfaces gain by the square of the cell (order 0) or
    /// its cube (order 1), sharp edges by the cell alone: what edges put out of reach is refused before the first bake of a mesh,
    /// or after the first bakes of a shape, with the cells and bytes that it takes and what error to expect of what the limit allows.
    float target_error;
    AbutFieldFormat format; ///< default ABUT_FIELD_F32
    bool sparse;            ///< default false
    float sparse_error; ///< of the coarse level, in cells, where it stands for the fine one near the surface;
                        ///< further away an eighth of the distance is added. Default 0.05.
    bool
        without_octree; ///< leave out the octree of proved distances that makes collision queries fast (4 to 16 % of
                        ///< the bytes)
    float margin; ///< around the mesh's box, in cells; default 2
    AbutBox box;  ///< not empty: bake this box instead; required for shapes without end
    AbutBakeSign sign;
    float thickness;          ///< of a shell
    size_t memory_limit;      ///< refuse to use more bytes than this; 0 means 3/4 of the machine's memory
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host;
} AbutBakeDef;

ABUT_API AbutBakeDef abut_bake_def(void);

/// @return ABUT_INVALID_DATA for a mesh without triangles, without area (unless a shell is baked) or of a size that is
/// not from 1e-15 to 1e15; ABUT_LIMIT_EXCEEDED with the bytes needed when the limit is too small: before any work when
/// that is known, for a sparse field else when its bricks are counted; ABUT_LIMIT_EXCEEDED when target_error is not reached;
/// ABUT_CANCELLED, ABUT_OUT_OF_MEMORY. Same bytes for any worker count and instruction set.
ABUT_API AbutResult abut_bake_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutShape** out);

/// Any shape, sampled where a field keeps nodes. Shapes that are not exact are baked as they are.
/// @return also ABUT_INVALID_DATA with the point where the shape is not finite, is too many cells for the format, or changes by
/// more between two neighbouring nodes than its `lipschitz` says.
ABUT_API AbutResult abut_bake_shape(const AbutBakeDef* def, const AbutShape* shape, AbutShape** out);

/// Distances that were computed elsewhere.
typedef struct AbutBakeValuesDef
{
    const float* values;    ///< node_count[0] · node_count[1] · node_count[2] distances, x fastest; finite
    uint32_t node_count[3]; ///< at least 2 along each axis
    AbutPosition origin;    ///< of the first node
    double cell_size;       ///< from node to node, > 0
    /// How far a value may be from the distance of its node. The default, infinite, is for values of which nothing is
    /// proved: bounds of the field are then infinite too.
    float error;
    size_t memory_limit; ///< as above
    const AbutHost* host;
} AbutBakeValuesDef;

ABUT_API AbutBakeValuesDef abut_bake_values_def(void);

/// A dense field (f32) that keeps the values as they are. Its grid is rounded up to whole bricks at the far sides, where
/// nodes get what a field answers outside of its box. Between its nodes nothing can be measured: measured_max and
/// measured_rms are infinite.
/// @return ABUT_INVALID_ARGUMENT for a bad grid, ABUT_INVALID_DATA with the place of a value that is not finite,
/// ABUT_LIMIT_EXCEEDED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_bake_values(const AbutBakeValuesDef* def, AbutShape** out);

// ---------------------------------------------------------------------------------------------------------------------
// Again, after a change
// ---------------------------------------------------------------------------------------------------------------------

/// What an update did.
typedef struct AbutBakeUpdate
{
    uint32_t brick_count;        ///< of the field
    uint32_t redone_brick_count; ///< of them; the others were taken from the field before
    const char* reason;          ///< why all of them had to be redone; NULL when they had not
} AbutBakeUpdate;

typedef struct AbutBakeMeshChange
{
    const AbutShape* field; ///< baked from `before`
    const AbutMesh* before;
    const AbutMesh* after;
} AbutBakeMeshChange;

/// The field of the mesh `after`: bricks of the field before that are nearer to their surface than to any triangle that was
/// changed are taken over, and the others are baked again. The bytes are those of a bake of `after` on the same grid. Grid
/// and format are those of the field; sign, thickness and sparse_error are those of the def and must be as they were.
/// Triangles that are in both meshes, corner for corner and in the same order, count as unchanged; whatever is in only
/// one of them was changed, moved, added or removed.
///
/// Everything is redone, correctly, where a sign may depend on the whole mesh: when the border of an open surface was
/// changed, when parts look inward, and for signs by normals or winding numbers alone. `report` may be NULL.
/// @return ABUT_INVALID_ARGUMENT when the field is not that of `before`, or when `after` has outgrown its box; the
/// results of abut_bake_mesh().
ABUT_API AbutResult abut_bake_update_mesh(const AbutBakeDef* def, const AbutBakeMeshChange* change,
                                          AbutBakeUpdate* report, AbutShape** out);

typedef struct AbutBakeShapeChange
{
    const AbutShape* field; ///< baked from a shape that differs from `after` in the parts alone
    const AbutShape* after;
    const AbutShape* const* operands; ///< each is in one of the two shapes, in their frame
    uint32_t operand_count;
} AbutBakeShapeChange;

/// The field of the shape `after`, in the same way. Parts are united with the rest or taken away from it, sharply: they
/// are not inside of an intersection, a smooth union, an offset or a shell. So to stamp S into A, `after` is the union or
/// the difference of A and S, and the part is S; to move S, the parts are S where it was and S where it is. The bytes are
/// those of a bake of `after` on the same grid. Grid and format are those of the field; sparse_error must be as it was.
/// `report` may be NULL.
ABUT_API AbutResult abut_bake_update_shape(const AbutBakeDef* def, const AbutBakeShapeChange* change,
                                           AbutBakeUpdate* report, AbutShape** out);

typedef struct AbutBakeEstimate
{
    uint32_t cell_count[3];
    double cell_size;
    size_t field_bytes; ///< of a dense field; an upper bound for a sparse one: that with every brick stored
    size_t peak_bytes;  ///< while baking, with the field, without the mesh or shape itself; an upper bound
} AbutBakeEstimate;

/// What a bake of a mesh would take, before any work. The target error does not count.
ABUT_API AbutResult abut_bake_estimate_mesh(const AbutBakeDef* def, const AbutMesh* mesh,
                                            AbutBakeEstimate* out);

/// The same for a shape with these bounds.
ABUT_API AbutResult abut_bake_estimate(const AbutBakeDef* def, AbutBox bounds, AbutBakeEstimate* out);

/// Nodes that want distances and no field.
typedef struct AbutBakeDistancesDef
{
    AbutPosition origin;    ///< of the first node
    double cell_size;       ///< from node to node, > 0
    uint32_t node_count[3]; ///< along each axis, at least 1; at most 2³² · 4096 in all
    const AbutHost* host;
} AbutBakeDistancesDef;

ABUT_API AbutBakeDistancesDef abut_bake_distances_def(void);

/// Distances alone: fills distances[node_count[0] · node_count[1] · node_count[2]], x fastest, with the exact
/// distance from each node to the mesh, without sign, as a bake starts from it. Nodes stand at the floats
/// nearest to origin + cell_size · i.
/// @return ABUT_INVALID_ARGUMENT for a grid that is empty or a grid or mesh too large for squares of floats,
/// ABUT_INVALID_DATA for a mesh without triangles. Same bytes for any worker count and instruction set.
ABUT_API AbutResult abut_bake_distances(const AbutBakeDistancesDef* def, const AbutMesh* mesh,
                                        float* distances);

#ifdef __cplusplus
}
#endif

#endif
