/// @file bake.h
/// From a mesh or any shape to a field: exact distances at every node that is stored, signs that survive real
/// meshes, and the error that was made.
#ifndef ABUT_BAKE_H
#define ABUT_BAKE_H

#include <abut/base.h>
#include <abut/field.h>
#include <abut/mesh.h>
#include <abut/shape.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutBakeSign
{
    ABUT_BAKE_SIGN_AUTO,    ///< pseudo-normals where the surface is closed and oriented, winding number
                            ///< elsewhere
    ABUT_BAKE_SIGN_NORMALS, ///< angle-weighted pseudo-normals everywhere
    ABUT_BAKE_SIGN_WINDING, ///< generalised winding number everywhere: inside where it is over ½
    ABUT_BAKE_SIGN_SHELL,   ///< no inside: the surface itself, `thickness` thick
} AbutBakeSign;

typedef struct AbutBakeDef
{
    uint32_t resolution;    ///< cells along the longest side of the box, in [1, 8192]; default 64
    float cell_size;        ///< > 0 overrides resolution
    AbutFieldFormat format; ///< default ABUT_FIELD_F32
    bool sparse;            ///< default false
    float sparse_error; ///< of the coarse level, in cells, where it stands for the fine one near the surface;
                        ///< further away an eighth of the distance is added. Default 0.05.
    float margin;       ///< around the mesh's box, in cells; default 2
    AbutBox box;        ///< not empty: bake this box instead; required for shapes without end
    AbutBakeSign sign;
    float thickness;          ///< of a shell
    size_t memory_limit;      ///< refuse to use more bytes than this; 0 means 3/4 of the machine's memory
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host;
} AbutBakeDef;

ABUT_API AbutBakeDef abut_bake_def(void);

/// @return ABUT_INVALID_DATA for a mesh without area, ABUT_LIMIT_EXCEEDED with the bytes needed when the
/// limit is too small, ABUT_CANCELLED. Same bytes for any worker count and instruction set.
ABUT_API AbutResult abut_bake_mesh(const AbutBakeDef* def, const AbutMesh* mesh, AbutShape** out);

/// Any shape, sampled where a field keeps nodes. Shapes that are not exact are baked as they are.
ABUT_API AbutResult abut_bake_shape(const AbutBakeDef* def, const AbutShape* shape, AbutShape** out);

typedef struct AbutBakeEstimate
{
    uint32_t cell_count[3];
    double cell_size;
    size_t field_bytes; ///< of a dense field; an upper bound for a sparse one
    size_t peak_bytes;  ///< while baking
} AbutBakeEstimate;

/// What a bake of this box would take, before any work.
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
