/// @file batch.h
/// First crossings of many segments with a field at once.
#ifndef ABUT_CAST_BATCH_H
#define ABUT_CAST_BATCH_H

#include <abut/cast.h>

#include "cast/grid_walk.h"

/// By sphere tracing, one segment per lane. Fields with a distance octree only.
void abut_cast_field_batch(const AbutCastField* field, AbutSegments segments, size_t count, AbutCastHits out);

#endif
