/// @file polygon.h
/// Cuts a polygon into triangles: always count − 2 of them, in the polygon's direction, over its own corners.
///
/// The polygon is looked at along the axis in which its Newell normal is longest, so that the two coordinates
/// that remain are the file's own numbers and the usual orientation tests are exact in double. A fan about
/// the first corner is used where all of its triangles have positive area there (every convex polygon without
/// straight corners, and many others). Otherwise ears are cut; a grid over the reflex corners finds those
/// that are in the way. The work per corner is bounded, with an allowance per file for a few hard ones; what
/// is left when it runs out, or when no ear is left because the outline crosses itself, becomes a fan. A fan
/// of a flat polygon covers every point as often as the outline winds around it, whatever the polygon's
/// shape: signed areas, volumes and winding numbers stay right even then, only overlaps appear.
#ifndef ABUT_IO_POLYGON_H
#define ABUT_IO_POLYGON_H

#include "io/memory.h"

#include <abut/math.h>

typedef struct AbutIoPolygonCutter
{
    const AbutHost* host;
    void* scratch;
    size_t scratch_size;
    size_t spare_work;  ///< visits that polygons may still take beyond their share
    size_t uncut_count; ///< polygons that ended in a fan with overlaps
} AbutIoPolygonCutter;

AbutIoPolygonCutter abut_io_polygon_cutter_make(const AbutHost* host);
void abut_io_polygon_cutter_free(AbutIoPolygonCutter* cutter);

/// `corners` are indices of `vertices`, count ≥ 3 and under 2^32; writes 3 · (count − 2) indices to
/// `triangles`.
/// @return ABUT_OK or ABUT_OUT_OF_MEMORY
AbutResult abut_io_polygon_cut(AbutIoPolygonCutter* cutter, const AbutVec3* vertices, const uint32_t* corners,
                               size_t count, uint32_t* triangles);

#endif
