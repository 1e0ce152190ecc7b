// Positions in octrees and grids in lanes.
#ifndef ABUT_FIELD_BOUNDS_OCTREE_LANES_INL
#define ABUT_FIELD_BOUNDS_OCTREE_LANES_INL

#include "simd/lanes.inl"

#include "field/bounds/octree_math.inl"

#endif
