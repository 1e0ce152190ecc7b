/// @file mesh.h Triangle meshes: storage, inspection, welding, closing of holes, mass by surface integral,
/// and generators of closed test shapes.
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

// -----------------------------------------------------------------------------------------------------------
// Generators: closed, oriented, manifold meshes without self-intersections, at any tessellation.
//
// Lengths are in [1e-18, 1e18] unless said otherwise, so that products of two of them fit a float. Everything
// is computed in double and rounded once. A number out of its range is ABUT_INVALID_ARGUMENT with its name,
// value and range; so are numbers whose triangles would be too thin for the coordinates of a float. More than
// 2³¹ triangles are ABUT_LIMIT_EXCEEDED. Angles around y grow from x towards −z, as rotations about y do.
// docs/generators.md shows them all.
// -----------------------------------------------------------------------------------------------------------

/// UV-free sphere: a cube of `divisions`² quads per side, projected onto the sphere. divisions in [1, 4096].
ABUT_API AbutResult abut_mesh_create_sphere(float radius, uint32_t divisions, const AbutHost* host,
                                            AbutMesh** out);

/// Full extents; each side has divisions² quads, divisions in [1, 4096].
ABUT_API AbutResult abut_mesh_create_box(AbutVec3 extents, uint32_t divisions, const AbutHost* host,
                                         AbutMesh** out);

/// A ring around y: `major_divisions` around it, `minor_divisions` around the tube; minor_radius <
/// major_radius.
typedef struct AbutTorusMeshDef
{
    float major_radius; ///< to the centre of the tube
    float minor_radius; ///< of the tube, to the corners of its section; at least 2⁻¹⁶ of major_radius
    uint32_t major_divisions; ///< in [3, 65536]
    uint32_t minor_divisions; ///< in [3, 65536]; a multiple of twist_corners when that is not 0
    uint32_t twist_corners;   ///< 0: round tube. k ≥ 3: the section is a regular k-gon (a twisted ring)
    /// Rotation of the section around the ring, in k-ths of a circle; refused when that is too much from one
    /// division to the next.
    int32_t twist_steps;
    const AbutHost* host;
} AbutTorusMeshDef;

ABUT_API AbutTorusMeshDef abut_torus_mesh_def(void);

/// Torus, or twisted ring when twist_corners is not 0.
ABUT_API AbutResult abut_mesh_create_torus(const AbutTorusMeshDef* def, AbutMesh** out);

/// Along y; `length` ≥ 0 is the distance between the centres of the caps. `divisions` around y, in [3, 4096],
/// a quarter as many (rounded up) from the rim of each cap to its pole.
ABUT_API AbutResult abut_mesh_create_capsule(float radius, float length, uint32_t divisions,
                                             const AbutHost* host, AbutMesh** out);

/// Turns a profile around y, in `divisions` steps, in [3, 65536]. Each point is (distance from the axis ≥ 0,
/// height). A profile that starts and ends on the axis gives a solid body; one that never touches it is
/// closed from its last point to its first and gives a ring. Points run so that the solid lies to their left
/// when the radius points right and y up. point_count is in [3, 16384].
/// @return ABUT_INVALID_DATA with the number of the point when one is not finite or left of the axis, touches
/// the axis though it is not an end, equals its neighbour, or when the profile touches or crosses itself or
/// runs the wrong way.
ABUT_API AbutResult abut_mesh_create_revolution(const float (*profile)[2], uint32_t point_count,
                                                uint32_t divisions, const AbutHost* host, AbutMesh** out);

/// An open hemisphere of outer radius `radius` and wall `thickness` (at least 2⁻¹⁶ of the radius, under it),
/// centred on the origin, opening upwards, with a rim rounded to a half circle that stands thickness/2 above
/// y = 0. `divisions` around y, in [3, 4096].
ABUT_API AbutResult abut_mesh_create_bowl(float radius, float thickness, uint32_t divisions,
                                          const AbutHost* host, AbutMesh** out);

/// A round pipe with a wall, open at both ends, for things to roll through. From the top, its centre line
/// falls straight down for end_length, bends (with coil_radius) into the slope of a helix around y, winds
/// down it by `turns`, and leaves it straight along its last tangent for end_length. The helix starts over
/// the x axis and ends at y = 0.
typedef struct AbutPipeMeshDef
{
    float inner_radius;
    float thickness;             ///< of the wall; at least 2⁻¹⁶ of the pipe's size
    float coil_radius;           ///< of the helix; over inner_radius + thickness
    float pitch;                 ///< descent per turn; steep enough that neighbouring turns do not touch
    float turns;                 ///< in [0.001, 1000]
    float end_length;            ///< of the straight parts at both ends
    uint32_t section_divisions;  ///< around the tube, in [3, 4096]
    uint32_t divisions_per_turn; ///< along it, in [8, 4096]
    const AbutHost* host;
} AbutPipeMeshDef;

ABUT_API AbutPipeMeshDef abut_pipe_mesh_def(void);
ABUT_API AbutResult abut_mesh_create_pipe(const AbutPipeMeshDef* def, AbutMesh** out);

/// Hills by six octaves of seeded value noise over a square of `size` centred on the origin, closed with
/// walls and a flat floor. The same bits on every machine; finer divisions show more of the same hills.
typedef struct AbutTerrainDef
{
    float size;         ///< side of the square
    float height;       ///< heights lie in [−height/2, height/2]; ≥ 0
    float depth;        ///< the floor of the closed mesh is at −height/2 − depth
    uint32_t divisions; ///< cells per side, in [1, 16384]
    uint32_t seed;
    const AbutHost* host;
} AbutTerrainDef;

ABUT_API AbutTerrainDef abut_terrain_def(void);

/// Each cell is split by the diagonal from (x0, z0) to (x1, z1), as heightfield shapes are.
ABUT_API AbutResult abut_mesh_create_terrain(const AbutTerrainDef* def, AbutMesh** out);

/// Fills heights[(divisions + 1)²] with the same hills, row by row in z, for a heightfield shape with its
/// origin at (−size/2, 0, −size/2) and a spacing of size/divisions.
ABUT_API AbutResult abut_terrain_heights(const AbutTerrainDef* def, float* heights);

/// A spur gear around y, from −width/2 to width/2, with a tooth on the x axis. Teeth are those that a rack of
/// the given module and pressure angle cuts: involute flanks, tips at module above the pitch circle, roots
/// at 1.25 module below it, with the trochoid of the rack's corner between flank and root (undercut where few
/// teeth ask for it). Two gears of the same module and pressure angle turn freely at the distance module ·
/// (teeth_a + teeth_b)/2 of their axes.
typedef struct AbutGearMeshDef
{
    uint32_t teeth;           ///< in [4, 1024]
    float module;             ///< pitch diameter / teeth
    float pressure_angle;     ///< radians, in [0.17, 0.53]; default 20°
    float width;              ///< along y
    float bore_radius;        ///< 0 for none; clear of the roots, the message tells the limit
    float backlash;           ///< taken off the tooth thickness at the pitch circle; ≥ 0, must leave a tip
    uint32_t flank_divisions; ///< edges along each involute flank, in [1, 256]; roots and tips have fewer
    uint32_t bore_divisions;  ///< around the bore, in [3, 65536]
    const AbutHost* host;
} AbutGearMeshDef;

ABUT_API AbutGearMeshDef abut_gear_mesh_def(void);
ABUT_API AbutResult abut_mesh_create_gear(const AbutGearMeshDef* def, AbutMesh** out);

/// A stadium-shaped chain link in the xy plane: two half circles of `bend_radius` (to the centre of the rod)
/// joined by straight parts of `length` ≥ 0 along x, of round rod of `rod_radius` < bend_radius. `divisions`
/// around the rod and along each half circle, in [3, 4096].
ABUT_API AbutResult abut_mesh_create_chain_link(float length, float bend_radius, float rod_radius,
                                                uint32_t divisions, const AbutHost* host, AbutMesh** out);

/// A bolt and a nut around y with the same thread: at angle a and height y its radius is profile(y − pitch ·
/// a/2π), for the nut with `clearance` added. The profile is a symmetric trapezium of the given depth and
/// pitch with flanks at flank_angle to the radius and equal flats at crest and root, the middle of a crest at
/// 0. The bolt's thread goes from y = 0 to `length`, its head from −head_height to 0. The nut goes from y = 0
/// to `length`. So a nut fits its bolt when it is turned about y by an angle and moved up by pitch · angle/2π
/// (down for left-handed threads), for example by whole pitches without a turn. As facets cut corners, a nut
/// turns freely from a clearance of 2 · major_radius · (1 − cos(π/divisions_per_turn)) on (for pitches up to
/// major_radius).
typedef struct AbutThreadMeshDef
{
    float major_radius; ///< of the bolt's crests
    float pitch;        ///< advance per turn
    /// Crest to root, along the radius; at least pitch/100, under major_radius, and such that flats of
    /// pitch/100 are left between the flanks.
    float depth;
    float flank_angle;           ///< radians, in [0.05, 1]; default 30°, as metric threads
    float clearance;             ///< between nut and bolt, along the radius; ≥ 0
    float length;                ///< of the threaded part; of the nut: its height; at least pitch
    float head_radius;           ///< of the hexagon (bolt's head, nut's body), to its corners
    float head_height;           ///< of the bolt's head
    uint32_t divisions_per_turn; ///< in [8, 4096]
    bool left_handed;
    const AbutHost* host;
} AbutThreadMeshDef;

ABUT_API AbutThreadMeshDef abut_thread_mesh_def(void);
ABUT_API AbutResult abut_mesh_create_bolt(const AbutThreadMeshDef* def, AbutMesh** out);
ABUT_API AbutResult abut_mesh_create_nut(const AbutThreadMeshDef* def, AbutMesh** out);

#ifdef __cplusplus
}
#endif

#endif
