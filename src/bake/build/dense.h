/// @file dense.h
/// Fields that store every node.
#ifndef ABUT_BAKE_BUILD_DENSE_H
#define ABUT_BAKE_BUILD_DENSE_H

#include "bake/build/build.h"

AbutResult abut_build_dense(AbutBuild* build);

#endif
