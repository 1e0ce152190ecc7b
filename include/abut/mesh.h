/// @file mesh.h
/// Triangle meshes: storage, inspection, welding, mass by surface integral, and generators of closed test shapes.
///
/// A mesh is what a field is baked from. It is immutable once created and may be shared between threads. Nothing is
/// assumed of it beyond finite coordinates and indices in range: holes, duplicate faces, flipped shells and soup are all
/// legal, and abut_mesh_inspect() tells what is there.
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <abut/base.h>
#include <abut/vec.h>

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct AbutMesh AbutMesh;

    /// The arrays of a new mesh. They are copied.
    typedef struct AbutMeshDef
    {
        const AbutVec3* vertices; ///< finite
        uint32_t vertex_count;
        const uint32_t*
            indices; ///< three per triangle, counter-clockwise seen from outside, each under vertex_count
        uint32_t triangle_count;
        const AbutHost* host; ///< NULL for the default
    } AbutMeshDef;

    ABUT_API AbutMeshDef abut_mesh_def(void);

    /// @return ABUT_INVALID_DATA with the number of the first vertex that is not finite or triangle with an index out of
    /// range. A mesh without triangles is legal (inspection says so; a bake refuses it).
    ABUT_API AbutResult abut_mesh_create(const AbutMeshDef* def, AbutMesh** out);

    /// NULL is ignored.
    ABUT_API void abut_mesh_destroy(AbutMesh* mesh);

    ABUT_API uint32_t abut_mesh_vertex_count(const AbutMesh* mesh);
    ABUT_API uint32_t abut_mesh_triangle_count(const AbutMesh* mesh);
    ABUT_API const AbutVec3* abut_mesh_vertices(const AbutMesh* mesh); ///< owned by the mesh
    ABUT_API const uint32_t*
    abut_mesh_indices(const AbutMesh* mesh); ///< owned by the mesh; three per triangle

    /// The box of all vertices that a triangle uses; empty without triangles.
    ABUT_API AbutBox abut_mesh_bounds(const AbutMesh* mesh);

    /// Joins vertices closer than `tolerance` (0 joins only those that are equal, −0 and 0 being equal) and drops vertices
    /// that no triangle uses. Triangles keep their order and number, degenerate ones too. Vertices come in the order of
    /// first use.
    ABUT_API AbutResult abut_mesh_weld(const AbutMesh* mesh, float tolerance, const AbutHost* host,
                                       AbutMesh** out);

    // ---------------------------------------------------------------------------------------------------------------------
    // Inspection
    // ---------------------------------------------------------------------------------------------------------------------

    /// What is in a mesh. Edges, components, duplicates and orientation are counted after joining equal vertices, so seams of
    /// unwelded files are not boundaries.
    typedef struct AbutMeshReport
    {
        uint32_t triangle_count;
        uint32_t vertex_count;
        uint32_t welded_vertex_count;    ///< distinct positions among the vertices that triangles use
        uint32_t component_count;        ///< sets of triangles connected through shared edges
        uint32_t boundary_edge_count;    ///< edges with one triangle
        uint32_t nonmanifold_edge_count; ///< edges with three or more triangles
        uint32_t
            t_junction_count; ///< vertices that lie on the inside of a boundary edge, within 1e-5 of its length
        uint32_t degenerate_count; ///< triangles with two equal corners or no area
        uint32_t
            duplicate_count; ///< triangles with the same three corners as an earlier one, either way round
        uint32_t
            inconsistent_edge_count; ///< edges of two triangles that run through them in the same direction
        uint64_t
            self_intersection_count; ///< pairs of triangles that cross; neighbours that merely share a corner or edge
                                     ///< do not count, coplanar overlap does
        bool self_intersection_sampled; ///< true when the count is an estimate from a sample of the triangles
        bool closed;                    ///< no boundary edge, no non-manifold edge
        bool oriented;                  ///< no inconsistent edge
        AbutBox bounds;
        double area;
        AbutMass mass; ///< by surface integral; volume is signed: negative when the faces look inward
    } AbutMeshReport;

    typedef struct AbutMeshInspectDef
    {
        /// Meshes with more triangles than this have their self-intersections estimated from a fixed sample of that many
        /// triangles, spread evenly; 0 leaves the count out. Default 1,000,000.
        uint32_t self_intersection_limit;
        AbutProgressFn* progress; ///< may be NULL
        void* progress_user;
        const AbutHost* host; ///< NULL for the default
    } AbutMeshInspectDef;

    ABUT_API AbutMeshInspectDef abut_mesh_inspect_def(void);

    /// Same answer for any worker count.
    ABUT_API AbutResult abut_mesh_inspect(const AbutMeshInspectDef* def, const AbutMesh* mesh,
                                          AbutMeshReport* report);

    /// Volume, centre and inertia by the divergence theorem, summed in double about the centre of the bounds, so that a mesh
    /// far from the origin loses nothing. Meaningful for closed, oriented meshes.
    ABUT_API AbutMass abut_mesh_mass(const AbutMesh* mesh);

    // ---------------------------------------------------------------------------------------------------------------------
    // Generators: closed, oriented, manifold meshes at any tessellation
    // ---------------------------------------------------------------------------------------------------------------------

    /// UV-free sphere: a cube of `divisions`² quads per side, projected onto the sphere. divisions in [1, 4096].
    ABUT_API AbutResult abut_mesh_create_sphere(float radius, uint32_t divisions, const AbutHost* host,
                                                AbutMesh** out);

    /// Full extents; each side has divisions² quads.
    ABUT_API AbutResult abut_mesh_create_box(AbutVec3 extents, uint32_t divisions, const AbutHost* host,
                                             AbutMesh** out);

    /// A ring around y: `major_divisions` around it, `minor_divisions` around the tube; minor_radius < major_radius.
    typedef struct AbutTorusMeshDef
    {
        float major_radius, minor_radius;
        uint32_t major_divisions, minor_divisions; ///< each in [3, 65536]
        uint32_t
            twist_corners; ///< 0: round tube. k ≥ 3: the tube's section is a regular k-gon (a twisted ring)...
        int32_t twist_steps; ///< ...that turns by this many k-ths of a circle on its way around the ring
        const AbutHost* host;
    } AbutTorusMeshDef;

    ABUT_API AbutTorusMeshDef abut_torus_mesh_def(void);

    /// Torus, or twisted ring when twist_corners is not 0.
    ABUT_API AbutResult abut_mesh_create_torus(const AbutTorusMeshDef* def, AbutMesh** out);

    /// Along y; `length` is the distance between the centres of the caps.
    ABUT_API AbutResult abut_mesh_create_capsule(float radius, float length, uint32_t divisions,
                                                 const AbutHost* host, AbutMesh** out);

    /// Turns a closed profile around y. Each point is (distance from the axis ≥ 0, height). A profile that starts and ends on
    /// the axis gives a solid body; one that never touches it is closed from its last point to its first and gives a ring.
    /// Points run so that the solid lies to their left when the radius points right and y up.
    ABUT_API AbutResult abut_mesh_create_revolution(const float (*profile)[2], uint32_t point_count,
                                                    uint32_t divisions, const AbutHost* host, AbutMesh** out);

    /// An open hemisphere of outer radius `radius` and wall `thickness`, opening upwards, with a rounded rim.
    ABUT_API AbutResult abut_mesh_create_bowl(float radius, float thickness, uint32_t divisions,
                                              const AbutHost* host, AbutMesh** out);

    /// A pipe whose centre line winds down a helix around y and ends straight: open at both ends, with a wall.
    typedef struct AbutPipeMeshDef
    {
        float inner_radius, thickness;
        float coil_radius;           ///< of the helix; over inner_radius + thickness
        float pitch;                 ///< descent per turn; over twice the outer radius of the pipe
        float turns;                 ///< > 0
        uint32_t section_divisions;  ///< around the tube, in [3, 65536]
        uint32_t divisions_per_turn; ///< along it, in [3, 65536]
        const AbutHost* host;
    } AbutPipeMeshDef;

    ABUT_API AbutPipeMeshDef abut_pipe_mesh_def(void);
    ABUT_API AbutResult abut_mesh_create_pipe(const AbutPipeMeshDef* def, AbutMesh** out);

    /// Hills by a fixed sum of sines and seeded value noise over a square of `size` centred on the origin, closed with walls
    /// and a floor at −depth.
    typedef struct AbutTerrainDef
    {
        float size;         ///< side of the square
        float height;       ///< highest minus lowest point, about
        float depth;        ///< floor of the closed mesh below the lowest point; > 0
        uint32_t divisions; ///< cells per side, in [1, 16384]
        uint32_t seed;
        const AbutHost* host;
    } AbutTerrainDef;

    ABUT_API AbutTerrainDef abut_terrain_def(void);
    ABUT_API AbutResult abut_mesh_create_terrain(const AbutTerrainDef* def, AbutMesh** out);

    /// Fills heights[(divisions + 1)²] with the same hills, row by row in z, for a heightfield shape.
    ABUT_API AbutResult abut_terrain_heights(const AbutTerrainDef* def, float* heights);

    /// A spur gear around y with involute teeth and a bore.
    typedef struct AbutGearMeshDef
    {
        uint32_t teeth;           ///< in [4, 1024]
        float module;             ///< pitch diameter / teeth
        float pressure_angle;     ///< radians; default 20°
        float width;              ///< along y
        float bore_radius;        ///< 0 for none; under the root radius
        float backlash;           ///< taken off the tooth thickness at the pitch circle; ≥ 0
        uint32_t flank_divisions; ///< points along each flank, in [2, 256]
        uint32_t bore_divisions;  ///< around the bore, in [3, 65536]
        const AbutHost* host;
    } AbutGearMeshDef;

    ABUT_API AbutGearMeshDef abut_gear_mesh_def(void);
    ABUT_API AbutResult abut_mesh_create_gear(const AbutGearMeshDef* def, AbutMesh** out);

    /// A stadium-shaped chain link in the xy plane: two half circles of `bend_radius` (to the centre of the rod) joined by
    /// straight parts of `length`, of round rod of `rod_radius`.
    ABUT_API AbutResult abut_mesh_create_chain_link(float length, float bend_radius, float rod_radius,
                                                    uint32_t divisions, const AbutHost* host, AbutMesh** out);

    /// A bolt and a nut along y with the same thread. The nut's thread stands `clearance` outside of the bolt's, measured
    /// along the radius. Thread profile: a symmetric trapezium of the given depth and pitch with flanks at `flank_angle` to
    /// the radius.
    typedef struct AbutThreadMeshDef
    {
        float major_radius;          ///< of the bolt's crests
        float pitch;                 ///< advance per turn
        float depth;                 ///< crest to root, along the radius
        float flank_angle;           ///< radians; default 30°, as metric threads
        float clearance;             ///< between nut and bolt; ≥ 0
        float length;                ///< of the threaded part; of the nut: its height
        float head_radius;           ///< circumradius of the hexagon (bolt's head, nut's body)
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
