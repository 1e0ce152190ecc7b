/// @file abut.h
/// The whole core API, in the order of the pipeline. File formats live beside the core, in <abut/io.h>.
#ifndef ABUT_H
#define ABUT_H

// clang-format off: the order is the pipeline's, not the alphabet's
#include <abut/bake.h>
#include <abut/base.h>
#include <abut/broad.h>
#include <abut/bvh.h>
#include <abut/cast.h>
#include <abut/contact.h>
#include <abut/decompose.h>
#include <abut/dynamics.h>
#include <abut/field.h>
#include <abut/gpu.h>
#include <abut/hull.h>
#include <abut/image.h>
#include <abut/math.h>
#include <abut/mesh.h>
#include <abut/narrow.h>
#include <abut/points.h>
#include <abut/shape.h>
#include <abut/surface.h>
#include <abut/toi.h>
// clang-format on

#endif
