// FCL from its library: primitives and hulls.
#include "fcl/fcl_convex.hpp"

extern "C" const BenchPrimitivePeer bench_primitive_fcl = { "FCL", create_primitives, destroy_shapes,
                                                            collide_primitives };
extern "C" const BenchHullPeer bench_hull_fcl = { "FCL",         create_hulls,   destroy_shapes,
                                                  touches_hulls, distance_hulls, nullptr };
