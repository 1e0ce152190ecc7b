/// @file tile_cache.h (internal)
/// Tiles of a terrain that are loaded on demand, in memory of a fixed size.
///
/// A reader keeps one tile at a time by a count on its slot: reading takes two atomic operations per tile. A
/// tile that is not there is loaded under a lock, in the slot of a tile that no reader keeps and none has
/// used since the last round (the clock algorithm). Which tiles are in memory changes the time of an answer,
/// never the answer.
#ifndef ABUT_SHAPE_TERRAIN_TILE_CACHE_H
#define ABUT_SHAPE_TERRAIN_TILE_CACHE_H

#include <abut/shape.h>

#include "shape/terrain/tiles.h"

/// Loads every tile once for its range and slopes, in the place of abut_height_tiles_build().
/// @return ABUT_INVALID_DATA with the tile and the sample when a tile cannot be loaded or has a bad height,
/// or ABUT_OUT_OF_MEMORY. Call abut_height_tiles_free() in any case.
AbutResult abut_tile_cache_create(AbutHeightTiles* self, const AbutHeightfieldDef* def, double* steepest);

/// NULL is ignored.
void abut_tile_cache_destroy(AbutHeightTiles* self);

size_t abut_tile_cache_bytes(const AbutHeightTiles* self);

#endif
