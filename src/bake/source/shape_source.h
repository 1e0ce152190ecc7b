/// @file shape_source.h
/// A shape as a source of signed distances.
#ifndef ABUT_BAKE_SOURCE_SHAPE_SOURCE_H
#define ABUT_BAKE_SOURCE_SHAPE_SOURCE_H

#include "bake/source/source.h"

/// A source that samples a shape, which must outlive it.
AbutNodeSource abut_shape_source(const AbutShape* shape);

#endif
