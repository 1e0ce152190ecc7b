/// @file bake.h
/// From a mesh or any shape to a field: exact distances at every stored node, robust signs for
/// real meshes, and the measured error.
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
    ABUT_BAKE_SIGN_AUTO, ///< pseudo-normals where the surface is closed and oriented, else winding numbers
    ABUT_BAKE_SIGN_PSEUDO_NORMALS, ///< angle-weighted pseudo-normals everywhere
    ABUT_BAKE_SIGN_WINDING,        ///< generalised winding number everywhere: inside where it is over ½
    ABUT_BAKE_SIGN_SHELL,          ///< no inside: the surface itself, `thickness` thick
} AbutBakeSign;

typedef struct AbutBakeDef
{
    uint32_t resolution; ///< cells along the longest side of the box, in [1, 8192]; default 64
    float cell_size;     ///< > 0 overrides resolution
    /// > 0 overrides both: bakes with finer and finer cells, from 32 along the longest side, until the
    /// field's measured_max (sampled within two cells of the surface) is at most this. Over memory_limit or
    /// 8192 cells, or without a further decrease of the error, the bake fails with the smallest error found.
    /// The error falls with the square of the cell (order 0) or its cube (order 1) on smooth surfaces, with
    /// the cell at sharp edges: a target too small for sharp edges is refused before the first bake of a
    /// mesh, or after the first bakes of a shape, with the cells and bytes needed and the error to expect
    /// within the limit.
    float target_error;
    AbutFieldFormat format; ///< default ABUT_FIELD_F32
    bool sparse;            ///< default false
    /// Largest error of the coarse level, in cells, where it replaces the fine one near the surface; further
    /// away an eighth of the distance is added. Default 0.05.
    float sparse_error;
    /// No distance octree, which makes collision queries fast (4 to 16 % of the bytes).
    bool without_octree;
    float margin; ///< around the mesh's box, in cells; default 2
    AbutBox box;  ///< not empty: the box to bake instead; required for infinite shapes
    AbutBakeSign sign;
    float thickness;          ///< of a shell
    size_t memory_limit;      ///< refuse to use more bytes than this; 0 means 3/4 of the machine's memory
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host;
} AbutBakeDef;

ABUT_API AbutBakeDef abut_bake_def(void);

/// @return ABUT_INVALID_DATA for a mesh without triangles, without area (but for a shell) or of a size out of
/// [1e-15, 1e15]; ABUT_LIMIT_EXCEEDED with the bytes needed when the limit is too small: before any work when
/// that is known, else once the bricks of a sparse field are counted; ABUT_LIMIT_EXCEEDED when target_error
/// is not possible; ABUT_CANCELLED, ABUT_OUT_OF_MEMORY. Same bytes for any worker count and instruction set.
ABUT_API AbutResult abut_bake_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutShape** out);

/// Any shape, sampled at the nodes of a field. Shapes that are not exact are baked unchanged.
/// @return also ABUT_INVALID_DATA with the point where the shape is not finite, is too many cells for the
/// format, or changes by more between two neighbouring nodes than its `lipschitz` says.
ABUT_API AbutResult abut_bake_shape(const AbutBakeDef* def, const AbutShape* shape, AbutShape** out);

/// Distances from elsewhere.
typedef struct AbutBakeValuesDef
{
    const float* values;    ///< node_count[0] · node_count[1] · node_count[2] distances, x fastest; finite
    uint32_t node_count[3]; ///< at least 2 along each axis
    AbutPosition origin;    ///< of the first node
    double cell_size;       ///< from node to node, > 0
    /// Upper bound of |value − distance| at the nodes, > 0. The default, infinite, is for values without a
    /// proof: bounds of the field are then infinite too.
    float error;
    size_t memory_limit; ///< as above
    const AbutHost* host;
} AbutBakeValuesDef;

ABUT_API AbutBakeValuesDef abut_bake_values_def(void);

/// A dense field (f32) with the given values. Its grid is rounded up to whole bricks at the far sides, where
/// nodes have the distances of a field outside of its box. Errors between nodes cannot be measured:
/// measured_max and measured_rms are infinite.
/// @return ABUT_INVALID_ARGUMENT for a bad grid, ABUT_INVALID_DATA with the index of a value that is not
/// finite, ABUT_LIMIT_EXCEEDED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_bake_values(const AbutBakeValuesDef* def, AbutShape** out);

// -----------------------------------------------------------------------------------------------------------
// Updates
// -----------------------------------------------------------------------------------------------------------

/// Report of an update.
typedef struct AbutBakeUpdate
{
    uint32_t brick_count;        ///< of the field
    uint32_t redone_brick_count; ///< bricks baked again; the others are copies
    const char* reason;          ///< of a full bake; NULL for a partial one
} AbutBakeUpdate;

typedef struct AbutBakeMeshChange
{
    const AbutShape* field; ///< baked from `before`
    const AbutMesh* before;
    const AbutMesh* after;
} AbutBakeMeshChange;

/// The field of the mesh `after`: bricks that are nearer to their surface than to any changed triangle are
/// copied, and the others are baked again. The bytes are those of a bake of `after` on the same grid. Grid
/// and format are those of the field; sign, thickness and sparse_error are those of the def and must be those
/// of the first bake. Triangles in both meshes, corner for corner and in the same order, are unchanged; all
/// others were changed, moved, added or removed.
///
/// The bake is a full one where a sign may depend on the whole mesh: after a change of the border of an open
/// surface, with components that face inward, and for signs by normals or winding numbers alone. `report` may
/// be NULL.
/// @return ABUT_INVALID_ARGUMENT when the field is not that of `before`, or when `after` is larger than its
/// box; the results of abut_bake_mesh().
ABUT_API AbutResult abut_bake_update_mesh(const AbutBakeDef* def, const AbutBakeMeshChange* change,
                                          AbutBakeUpdate* report, AbutShape** out);

typedef struct AbutBakeShapeChange
{
    const AbutShape* field; ///< baked from a shape that differs from `after` in the operands alone
    const AbutShape* after;
    const AbutShape* const* operands; ///< each is in one of the two shapes, in their frame
    uint32_t operand_count;
} AbutBakeShapeChange;

/// The same for the shape `after`. Operands are sharp unions or differences with the rest: not inside of an
/// intersection, a smooth union, an offset or a shell. To stamp S into A, `after` is the union or the
/// difference of A and S, and the operand is S; to move S, the operands are S at its old and at its new pose.
/// The bytes are those of a bake of `after` on the same grid. Grid and format are those of the field;
/// sparse_error must be that of the first bake. `report` may be NULL.
ABUT_API AbutResult abut_bake_update_shape(const AbutBakeDef* def, const AbutBakeShapeChange* change,
                                           AbutBakeUpdate* report, AbutShape** out);

typedef struct AbutBakeEstimate
{
    uint32_t cell_count[3];
    double cell_size;
    size_t field_bytes; ///< of a dense field; an upper bound for a sparse one: that with every brick stored
    size_t peak_bytes;  ///< while baking, with the field, without the mesh or shape itself; an upper bound
} AbutBakeEstimate;

/// Cost of a bake of a mesh, before any work. The target error does not count.
ABUT_API AbutResult abut_bake_estimate_mesh(const AbutBakeDef* def, const AbutMesh* mesh,
                                            AbutBakeEstimate* out);

/// The same for a shape with these bounds.
ABUT_API AbutResult abut_bake_estimate(const AbutBakeDef* def, AbutBox bounds, AbutBakeEstimate* out);

/// A grid of nodes for distances without a field.
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

// -----------------------------------------------------------------------------------------------------------
// Meshes without a field
// -----------------------------------------------------------------------------------------------------------

/// A shape (ABUT_SHAPE_MESH) of the triangles as they are: exact distance by a tree, sign by the rules of a
/// bake; no resolution, no error. A sample takes a microsecond or two where that of a field takes ten
/// nanoseconds. The mesh is copied.
///
/// Where the surface is open (cracks of a few millionths of the size are closed), signs are in doubt in the
/// hulls of its holes, as in a bake: abut_mesh_shape_report(). Proofs hold for every surface that closes the
/// holes within their hulls; where these would differ, the state of a pair is ABUT_COLLIDE_CLOSE.
/// AbutShapeInfo.error bounds what is in doubt anywhere, and queries use the bound at each point.
/// @return ABUT_INVALID_DATA for a mesh without triangles, ABUT_LIMIT_EXCEEDED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_shape_create_mesh(const AbutMesh* mesh, const AbutHost* host, AbutShape** out);

/// The mesh of a shape of kind ABUT_SHAPE_MESH, owned by it; NULL for other shapes.
ABUT_API const AbutMesh* abut_shape_mesh(const AbutShape* shape);

/// Signs of a shape of kind ABUT_SHAPE_MESH, as of a bake (docs/signs.md).
typedef struct AbutMeshShapeReport
{
    bool closed;   ///< every edge has two triangles in opposite directions; else it has cracks or T-junctions
    bool inverted; ///< components that faced inward were flipped
    bool simple;   ///< no overlaps: the outside is in front of all triangles with known sides
    uint32_t sided_triangle_count; ///< triangles whose sides are known; the others take winding numbers
    uint32_t component_count;      ///< sets of triangles connected through vertices
    bool certain;                  ///< no hole is left open: no sign is in doubt
    uint32_t open_edge_count;      ///< edges without a partner in the opposite direction; 0 where `certain`
    uint32_t
        uncertain_region_count; ///< hulls of holes; 1 for the whole box where the surface is little but holes
    double uncertain_volume;    ///< at most, of these regions together, within the box
} AbutMeshShapeReport;

/// All zero for other shapes.
ABUT_API AbutMeshShapeReport abut_mesh_shape_report(const AbutShape* shape);

#ifdef __cplusplus
}
#endif

#endif
