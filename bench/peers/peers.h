/// @file peers.h
/// Libraries of others that measure the distance to a mesh or collide two of them, behind one interface each.
/// They are C++, each in a file of its own that is compiled where the library is installed.
#ifndef ABUT_BENCH_PEERS_H
#define ABUT_BENCH_PEERS_H

#include <abut/math.h>
#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A tree over triangles that finds the nearest point of the surface, on the calling thread.
typedef struct BenchTree
{
    const char* name;

    /// Builds the tree; NULL with a message on stderr when that fails.
    void* (*create)(const AbutMesh* mesh);
    void (*destroy)(void* tree);

    /// Distances of points that stand near each other in the order they are in: what was found for one is the
    /// bound, or the hint, for the next.
    void (*measure)(void* tree, const AbutVec3* points, size_t count, float* distances);
} BenchTree;

/// The trees that this program was built with, ended by NULL.
const BenchTree* const* bench_trees(void);

/// A narrow band of distances in voxels.
typedef struct BenchBand
{
    size_t node_count; ///< that are stored with a distance
    size_t bytes;
    double seconds; ///< that making it took
    void* grid;
} BenchBand;

/// False when this program was built without OpenVDB.
bool bench_band_exists(void);

/// OpenVDB's meshToVolume with three voxels to either side, on `worker_count` threads, without the
/// renormalisation that moves the distances. False when it fails, with a message on stderr.
bool bench_band_create(const AbutMesh* mesh, double cell_size, uint32_t worker_count, BenchBand* out);
void bench_band_destroy(BenchBand* band);

/// The band's trilinear interpolant.
void bench_band_sample(const BenchBand* band, const AbutVec3* points, size_t count, float* distances);

// -----------------------------------------------------------------------------------------------------------
// Rays
// -----------------------------------------------------------------------------------------------------------

/// A tree over triangles that finds the first one on a segment, on the calling thread.
typedef struct BenchRays
{
    const char* name;

    /// NULL with a message on stderr when that fails.
    void* (*create)(const AbutMesh* mesh);
    void (*destroy)(void* tree);

    /// Times in [0, 1] of the first triangle on each segment, or 1 and no hit.
    void (*first)(void* tree, AbutPoints from, AbutPoints to, size_t count, float* times,
                  unsigned char* hits);
} BenchRays;

/// NULL when this program was built without.
const BenchRays* bench_rays(void);

// -----------------------------------------------------------------------------------------------------------
// Pairs of meshes
// -----------------------------------------------------------------------------------------------------------

/// Two surfaces of triangles, the first at rest, the second posed (scale 1), on the calling thread. None of
/// these libraries knows solids: a mesh inside of another one does not touch it.
typedef struct BenchCollider
{
    const char* name;

    /// NULL with a message on stderr when that fails.
    void* (*create)(const AbutMesh* a, const AbutMesh* b);
    void (*destroy)(void* pair);

    /// True when two triangles meet, without anything about where. NULL where a library has no such query.
    bool (*touches)(void* pair, const AbutPose* pose_b);

    /// How many contacts it finds when it looks for all of them.
    int (*contacts)(void* pair, const AbutPose* pose_b);

    /// Of surfaces that are apart, with the two nearest points. NULL where a library has no such query.
    double (*distance)(void* pair, const AbutPose* pose_b, double nearest[2][3]);
} BenchCollider;

/// A tree over the triangles of a mesh, built and refitted on the calling thread.
typedef struct BenchMeshTree
{
    const char* name;

    /// Copies the mesh and builds the tree.
    void* (*create)(const AbutMesh* mesh);
    void (*refit)(void* tree); ///< all boxes anew, as after a change of all vertices
    void (*destroy)(void* tree);
} BenchMeshTree;

/// Those that this program was built with, ended by NULL.
const BenchMeshTree* const* bench_mesh_trees(void);

/// Self-collision of a surface of triangles, on the calling thread.
typedef struct BenchSelfCollider
{
    const char* name;

    /// NULL with a message on stderr when that fails. The mesh stays where it is.
    void* (*create)(const AbutMesh* mesh);
    void (*destroy)(void* tree);

    /// Number of pairs of triangles without a common vertex that touch.
    size_t (*pairs)(void* tree);
} BenchSelfCollider;

/// NULL when this program was built without.
const BenchSelfCollider* bench_self_collider(void);

/// A surface of triangles that moves from one pose to another, against one at rest.
typedef struct BenchThrower
{
    const char* name;

    /// NULL with a message on stderr when that fails.
    void* (*create)(const AbutMesh* moving, const AbutMesh* resting);
    void (*destroy)(void* pair);

    /// True when it finds a touch, and its time in [0, 1]. `rotates`: the poses differ by more than their
    /// positions.
    bool (*first_touch)(void* pair, const AbutPose* from, const AbutPose* to, bool rotates, double* time);
} BenchThrower;

/// NULL when this program was built without FCL.
const BenchThrower* bench_thrower(void);

/// The colliders that this program was built with, ended by NULL.
const BenchCollider* const* bench_colliders(void);

#ifdef __cplusplus
}
#endif

#endif
