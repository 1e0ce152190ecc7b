/// @file heap_cases.h (internal to bench heap)
/// Simple bodies in a heap: boxes, capsules and convex hulls, behind one description that every engine takes.
#ifndef ABUT_BENCH_HEAP_CASES_H
#define ABUT_BENCH_HEAP_CASES_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    HEAP_HULL_POINTS = 16,
    HEAP_HULL_FACES = 2 * HEAP_HULL_POINTS - 4 // of points in general position on their hull
};

typedef enum HeapKind
{
    HEAP_BOX,
    HEAP_CAPSULE,
    HEAP_HULL,
    HEAP_KIND_COUNT
} HeapKind;

/// Seconds of a step, friction of all bodies, density in kg/m³.
#define HEAP_STEP (1.0 / 60.0)
#define HEAP_FRICTION 0.6
#define HEAP_DENSITY 1000.0

/// The largest extent of a body, in metres: what overlaps are compared with.
#define HEAP_SIZE 0.14

/// The three forms. Centres of mass are at the origin.
typedef struct HeapForms
{
    AbutVec3 box;         ///< full extents
    float radius, length; ///< of the capsule; `length` between the centres of its caps, along y
    AbutVec3 points[HEAP_HULL_POINTS];
    uint32_t faces[HEAP_HULL_FACES][3]; ///< triangles of the hull, counterclockwise from outside
    AbutMassData mass[HEAP_KIND_COUNT]; ///< of density 1
    AbutShape* shapes[HEAP_KIND_COUNT];
} HeapForms;

/// @return false with a message on stderr.
bool heap_forms_create(HeapForms* out);
void heap_forms_destroy(HeapForms* forms);

/// The form of body `i`.
static inline HeapKind heap_kind_of(uint32_t i)
{
    return (HeapKind)(i % HEAP_KIND_COUNT);
}

/// Layers of bodies with random rotations, in columns that do not touch.
void heap_make_poses(uint32_t count, AbutPose* poses);

/// An engine that drops the bodies on the plane y = 0, with its default settings, on the calling thread.
typedef struct HeapPeer
{
    const char* name;
    void* (*create)(const HeapForms* forms, const AbutPose* poses, uint32_t count);
    void (*destroy)(void* peer);
    void (*step)(void* peer, double seconds);
    void (*poses)(void* peer, AbutPose* out);
} HeapPeer;

/// Those that this program was built with, ended by NULL.
const HeapPeer* const* heap_peers(void);

#ifdef __cplusplus
}
#endif

#endif
