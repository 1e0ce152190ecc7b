/// @file models.h
/// Models for scenes, tests and demos: meshes of spheres, gears, bolts, pipes, bowls, terrain. The library
/// abut_models.
///
/// Generators: closed, oriented, manifold meshes without self-intersections, at any tessellation.
///
/// Lengths are in [1e-18, 1e18] unless said otherwise, so that products of two of them fit a float.
/// Everything is computed in double and rounded once. A number out of its range is ABUT_INVALID_ARGUMENT with
/// its name, value and range; so are numbers whose triangles would be too thin for the coordinates of a
/// float. More than 2³¹ triangles are ABUT_LIMIT_EXCEEDED. Angles around y grow from x towards −z, as turns
/// about y do. docs/generators.md shows them all.
#ifndef ABUT_MODELS_H
#define ABUT_MODELS_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

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
