/// @file pair_picture.h
/// A picture of two solids that touch: a plane through the deepest contact that its normal lies in, isolines
/// of the distance to what both have in common, particles and their ways there, and the contacts.
#ifndef ABUT_CLI_PAIR_PICTURE_H
#define ABUT_CLI_PAIR_PICTURE_H

#include "plane_view.h"

/// What to draw. Everything is in the frame of A.
typedef struct PairScene
{
    const AbutShape* shapes[2];
    const char* names[2];
    AbutPose pose_b;
    AbutCollideSettings settings;
    AbutCollideOutput output;
    const AbutContact* contacts;
    const AbutDistanceOutput* distance; ///< NULL when it was not asked for, or they touch
} PairScene;

/// The plane of the picture and where everything stands in it.
typedef struct PairView
{
    PlaneView plane;
    AbutPose poses[2]; ///< of A and B, in the picture's frame
    AbutBox common;    ///< the box that both may occupy, or that lies between them, in A's frame
    bool apart;        ///< it lies between them
} PairView;

PairView pair_view_make(const PairScene* scene, uint32_t width, uint32_t height);

/// Corners of the cut through the common box, in order; none when the plane passes it by. Returns how many.
int pair_view_cut(const PairView* view, AbutVec3 out[12]);

enum
{
    PAIR_PATH_MOST = 1024, ///< particles that are shown
    PAIR_PATH_STEPS = 64   ///< steps of them
};

/// Where a particle started and went.
typedef struct PairPath
{
    AbutVec3 at[PAIR_PATH_STEPS + 1];
    int count;
    bool arrived;
} PairPath;

/// One layer of particles, in the plane of the picture, moved as in Krayer et al.: x ← x − max(fA, fB) ·
/// ∇(the larger one). Returns how many; `out` has room for PAIR_PATH_MOST.
int pair_paths_make(const PairScene* scene, const PairView* view, PairPath* out);

/// Draws and saves. @return false after a message.
bool pair_picture_save(const PairScene* scene, const char* path, uint32_t width, uint32_t height,
                       const AbutHost* host);

#endif
