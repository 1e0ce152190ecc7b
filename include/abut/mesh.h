/// @file mesh.h
/// Triangle meshes: storage, inspection, welding, closing of holes, mass by surface integral.
///
/// A mesh is the source of a field. It is immutable once created and may be shared between threads.
/// Nothing is assumed of it beyond finite coordinates and indices in range: holes, duplicate faces, flipped
/// shells and soup are all legal, and abut_mesh_inspect() reports them.
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutMesh AbutMesh;

/// The arrays of a new mesh. They are copied.
typedef struct AbutMeshDef
{
    const AbutVec3* vertices; ///< finite
    uint32_t vertex_count;
    /// Three per triangle, counter-clockwise seen from outside, each under vertex_count.
    const uint32_t* indices;
    uint32_t triangle_count;
    const AbutHost* host; ///< NULL for the default
} AbutMeshDef;

ABUT_API AbutMeshDef abut_mesh_def(void);

/// @return ABUT_INVALID_DATA with the number of the first vertex that is not finite or triangle with an index
/// out of range. A mesh without triangles is legal (inspection says so; a bake refuses it).
ABUT_API AbutResult abut_mesh_create(const AbutMeshDef* def, AbutMesh** out);

/// NULL is ignored.
ABUT_API void abut_mesh_destroy(AbutMesh* mesh);

ABUT_API uint32_t abut_mesh_vertex_count(const AbutMesh* mesh);
ABUT_API uint32_t abut_mesh_triangle_count(const AbutMesh* mesh);
ABUT_API const AbutVec3* abut_mesh_vertices(const AbutMesh* mesh); ///< owned by the mesh
ABUT_API const uint32_t* abut_mesh_indices(const AbutMesh* mesh);  ///< owned by the mesh; three per triangle

/// The box of all vertices that a triangle uses; empty without triangles.
ABUT_API AbutBox abut_mesh_bounds(const AbutMesh* mesh);

/// Joins vertices at most `tolerance` apart (0 joins only those that are equal, −0 and 0 being equal) and
/// drops vertices that no triangle uses. Vertices are taken in the order of first use, which is their order
/// in the result: each joins the earliest kept vertex within the tolerance and takes its position, or is kept
/// itself; so kept vertices are further than the tolerance apart, and none moves further than that. Triangles
/// keep their order and number, degenerate ones too.
/// @return ABUT_INVALID_ARGUMENT when the tolerance is negative or not finite.
ABUT_API AbutResult abut_mesh_weld(const AbutMesh* mesh, float tolerance, const AbutHost* host,
                                   AbutMesh** out);

// -----------------------------------------------------------------------------------------------------------
// Inspection
// -----------------------------------------------------------------------------------------------------------

/// Report of a mesh; docs/mesh_report.md has the exact definitions. Edges, components, duplicates
/// and orientation are counted after joining equal vertices, so seams of unwelded files are not boundaries,
/// and without the triangles that have two equal corners then, which have no edges of their own. All counts
/// are exact decisions about the coordinates as given, unless marked as sampled.
typedef struct AbutMeshReport
{
    uint32_t triangle_count;
    uint32_t vertex_count;
    uint32_t welded_vertex_count;    ///< distinct positions among the vertices that triangles use
    uint32_t component_count;        ///< sets of triangles connected through shared edges
    uint32_t boundary_edge_count;    ///< edges with one triangle
    uint32_t nonmanifold_edge_count; ///< edges with three or more triangles
    /// Ends of boundary edges that lie on the inside of another boundary edge: within 1e-5 of its length, and
    /// at least that far from both its ends.
    uint32_t t_junction_count;
    bool t_junction_sampled;   ///< true when that count is an estimate from a sample of the boundary edges
    uint32_t degenerate_count; ///< triangles with two equal corners or all three in line
    uint32_t duplicate_count;  ///< triangles with the same three corners as an earlier one, in any order
    uint32_t inconsistent_edge_count; ///< edges of two triangles that run through them in the same direction
    /// Pairs of triangles that cross: that have a point in common on the border of neither. Triangles that
    /// cut through each other count, and those that overlap in one plane. Those that touch with a border do
    /// not: shared corners and edges, T-junctions, a corner or edge that stands on a face. Degenerate
    /// triangles are left out.
    uint64_t self_intersection_count;
    bool self_intersection_sampled; ///< true when the count is an estimate from a sample of the triangles
    bool closed;                    ///< no boundary edge, no non-manifold edge
    bool oriented;                  ///< no inconsistent edge
    AbutBox bounds;
    double area;
    AbutMassData mass; ///< as abut_mesh_mass() gives it
} AbutMeshReport;

typedef struct AbutMeshInspectDef
{
    bool skip_self_intersections; ///< no count of self-intersections; default false
    /// Meshes with more triangles than this have their self-intersections estimated from a fixed sample of
    /// that many triangles, spread evenly; so have meshes of any size with out of proportion many pairs of
    /// overlapping boxes. ≥ 1; default 10,000,000.
    uint32_t self_intersection_limit;
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host; ///< NULL for the default
} AbutMeshInspectDef;

ABUT_API AbutMeshInspectDef abut_mesh_inspect_def(void);

/// Same report for any worker count. Takes about a microsecond and 80 bytes per triangle.
/// @return ABUT_INVALID_ARGUMENT for a self_intersection_limit of 0, ABUT_LIMIT_EXCEEDED above 1,431,655,765
/// triangles, ABUT_CANCELLED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_mesh_inspect(const AbutMeshInspectDef* def, const AbutMesh* mesh,
                                      AbutMeshReport* report);

/// Volume, centre and inertia by the divergence theorem, summed in double about the centre of the bounds, so
/// that a mesh far from the origin loses nothing. All are signed: negative volume and inertia when the faces
/// look inward. Meaningful for closed, oriented meshes. For surfaces with holes the integrals depend on the
/// point of reference, which is the origin then: the volume is ⅓ ∮ x·n dA. When the volume is zero, or
/// rounding, the centre is the point of reference; without triangles everything is zero.
ABUT_API AbutMassData abut_mesh_mass(const AbutMesh* mesh);

// -----------------------------------------------------------------------------------------------------------
// Closing holes
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutMeshCloseDef
{
    /// Ends of boundary edges at most this far apart become one vertex first: unwelded seams and cracks. 0
    /// joins those that are equal. Negative, the default, is what signs of fields take as closed: 2⁻¹⁸ of the
    /// size of the mesh, or 2⁻²² of its largest coordinate.
    float tolerance;
    /// Holes whose box has a longer diagonal than this are left open; default infinite, 0 only with a
    /// tolerance.
    float max_hole_size;
    const AbutHost* host; ///< NULL for the default
} AbutMeshCloseDef;

ABUT_API AbutMeshCloseDef abut_mesh_close_def(void);

/// Report of closed and open loops. A loop is a closed line of boundary edges that passes through each of its
/// vertices once; a chain is a line of them that ends without coming back.
typedef struct AbutMeshCloseReport
{
    uint32_t loop_count;     ///< loops that were closed
    uint32_t triangle_count; ///< triangles that were added; they follow those of the mesh
    uint32_t vertex_count;   ///< vertices that were added, in the middle of caps where needed
    uint32_t joined_count;   ///< positions that were moved onto another one within the tolerance
    uint32_t seam_count; ///< boundary edges that were split at T-junctions, by triangles of hardly any height
    double area;         ///< of the caps
    double largest_size; ///< diagonal of the box of the largest loop that was closed
    AbutBox largest_box; ///< where that is; empty when none was closed
    uint32_t largest_edge_count; ///< its edges

    uint32_t flat_count;         ///< loops left open: with them, the surface around would enclose nothing
    uint32_t wide_count;         ///< loops left open: wider than the def allows
    uint32_t tangled_count;      ///< chains left open: they end at an edge with three or more triangles
    uint32_t inconsistent_count; ///< chains left open: they end at neighbours of opposite orientation
    uint32_t open_edge_count; ///< edges of the result with more triangles in one direction than in the other
    bool closed;              ///< every edge of the result has two triangles, in opposite directions
} AbutMeshCloseReport;

/// Fills holes: the result is the mesh with triangles added that close the loops of its boundary edges,
/// facing as the triangles around the hole do. Vertices and triangles keep their numbers. Vertices keep their
/// positions; but triangles on both sides of a crack no wider than the tolerance share the vertices of one of
/// them afterwards.
///
/// The triangles of a cap have the vertices of its loop and the least area of all triangulations. They do not
/// cross each other when the loop is a simple polygon seen along its mean normal. They may cross the rest of
/// the mesh: abut_mesh_inspect() reports it. Loops of over 320 edges are cut by chords into shorter ones
/// first, and may cross themselves where every chord crosses the loop (hundreds of narrow spikes). Seams
/// whose sides are split at different points (T-junctions) are closed too, by triangles of hardly any height.
///
/// Edges with two triangles that disagree or with three and more are left as they are, and so is a part that
/// would enclose nothing when closed (a flat sheet, a loose triangle). A mesh without boundary edges comes
/// out equal. The result depends on the positions alone: with triangles in another order, the same triangles
/// are added. Takes a few microseconds and 200 bytes per triangle. `report` may be NULL.
/// @return ABUT_INVALID_ARGUMENT when the tolerance is NaN or infinite or `max_hole_size` is NaN or negative,
/// ABUT_LIMIT_EXCEEDED when the result had more than 1,431,655,765 triangles, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_mesh_close(const AbutMeshCloseDef* def, const AbutMesh* mesh, AbutMesh** out,
                                    AbutMeshCloseReport* report);

#ifdef __cplusplus
}
#endif

#endif
