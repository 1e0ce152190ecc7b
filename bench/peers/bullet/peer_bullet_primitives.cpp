// Bullet in float: primitives.
#include "bullet/bullet_primitives.hpp"

extern "C" const BenchPrimitivePeer bench_primitive_bullet = { "Bullet", create_primitives,
                                                               destroy_primitives, collide_primitives };
