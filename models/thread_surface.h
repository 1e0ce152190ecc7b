/// @file thread_surface.h
/// The right-handed thread of bolts and nuts between the planes y = 0 and y = length.
///
/// The thread is a height function in cylindrical coordinates: radius(angle, y) = profile(y − pitch ·
/// angle/2π). Its profile is made of four straight parts per pitch, so its only creases are four helices. The
/// mesh has rows along these, and along more helices that divide the flanks; all are called creases below. It
/// has a column of vertices at each of a set of angles: one where each crease passes, one in each end plane.
/// Among the angles are all those where a crease crosses an end plane, so between two columns every crease
/// lies either inside or outside: edges follow the creases all along, and the ends are flat.
#ifndef ABUT_MODELS_THREAD_SURFACE_H
#define ABUT_MODELS_THREAD_SURFACE_H

#include "arena.h"
#include "builder.h"

#define ABUT_THREAD_MAX_FLANK_STEPS 64

typedef struct AbutThread
{
    double major_radius, root_radius;
    double pitch;
    double flank; // width of a flank along y
    double flat;  // width of crest and root along y
    double length;
    uint32_t divisions;   // columns per turn, at least
    uint32_t flank_steps; // rows that a flank is divided into, in [1, ABUT_THREAD_MAX_FLANK_STEPS]
} AbutThread;

/// The vertices at one angle, from the bottom up: one in the plane y = 0, one for each crease first_crease to
/// last_crease, one in the plane y = length. Creases are numbered upwards, 2 · (flank_steps + 1) per pitch.
typedef struct AbutThreadColumn
{
    double angle;
    int64_t first_crease;
    int64_t last_crease;
    uint32_t first_vertex;
} AbutThreadColumn;

typedef struct AbutThreadSurface
{
    AbutThread thread;
    AbutThreadColumn* columns;
    uint32_t column_count;
    uint64_t vertex_count;
    uint64_t triangle_count;
} AbutThreadSurface;

/// Finds the columns and counts; ABUT_OUT_OF_MEMORY is the only way to fail.
AbutResult abut_thread_surface_make(const AbutThread* thread, AbutModelArena* arena,
                                    AbutThreadSurface* surface);

/// Radius of the thread at a place.
double abut_thread_radius(const AbutThread* thread, double angle, double y);

/// Adds the surface with all radii grown by `clearance`. `inward` makes the wall of a hole.
void abut_thread_surface_build(AbutThreadSurface* surface, AbutMeshBuilder* builder, double clearance,
                               bool inward);

/// The vertices of a column in the end planes.
uint32_t abut_thread_bottom(const AbutThreadColumn* column);
uint32_t abut_thread_top(const AbutThreadColumn* column);

#endif
