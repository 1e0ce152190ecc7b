/// @file cells.h (internal)
/// Cells of a terrain in a box.
#ifndef ABUT_SHAPE_TERRAIN_CELLS_H
#define ABUT_SHAPE_TERRAIN_CELLS_H

#include "shape/terrain/heightfield.h"

typedef void AbutTerrainCellFn(void* context, uint32_t x, uint32_t z);

/// Calls `visit` for all cells whose boxes meet the box from `low` to `high`, relative to the origin of the
/// heightfield; blocks that do not are left out by the pyramid.
void abut_terrain_visit_cells(const AbutHeightfield* self, AbutHeightReader* reader, AbutDVec3 low,
                              AbutDVec3 high, AbutTerrainCellFn* visit, void* context);

#endif
