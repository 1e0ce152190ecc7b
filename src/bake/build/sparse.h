/// @file sparse.h
/// Fields that store bricks near the surface alone.
#ifndef ABUT_BAKE_BUILD_SPARSE_H
#define ABUT_BAKE_BUILD_SPARSE_H

#include "bake/build/build.h"

AbutResult abut_build_sparse(AbutBuild* build);

#endif
