/// @file clip.h
/// The face of one box clipped by the sides of a face of another.
#ifndef ABUT_NARROW_PRIMITIVE_CLIP_H
#define ABUT_NARROW_PRIMITIVE_CLIP_H

#include "narrow/primitive/core.h"

/// A vertex over the reference face: coordinates along the two axes after that of the face, and the height
/// over it.
typedef struct AbutClipVertex
{
    double u, v, height;
    uint32_t
        id; // of the two edges that meet there: 0 to 3 of the incident face, 4 to 7 of the reference face
} AbutClipVertex;

enum
{
    ABUT_CLIP_VERTICES = 8
};

typedef struct AbutClipPolygon
{
    int count;
    uint32_t face; // of the incident core: axis and side
    AbutClipVertex vertices[ABUT_CLIP_VERTICES];
} AbutClipPolygon;

/// The face of `incident` that looks against `normal` (of a segment: the segment) within the sides of the
/// face of `reference` along `axis` that looks along `normal`.
void abut_clip_incident(const AbutCore* reference, int axis, AbutDVec3 normal, const AbutCore* incident,
                        AbutClipPolygon* out);

/// A vertex in the frame of the cores.
static inline AbutDVec3 abut_clip_position(const AbutCore* reference, int axis, AbutDVec3 normal,
                                           const AbutClipVertex* vertex)
{
    AbutDVec3 at = abut_dvec3_mul_add(reference->center, vertex->u, reference->axes[(axis + 1) % 3]);
    at = abut_dvec3_mul_add(at, vertex->v, reference->axes[(axis + 2) % 3]);
    return abut_dvec3_mul_add(at, vertex->height + abut_dvec3_get(reference->half, axis), normal);
}

#endif
