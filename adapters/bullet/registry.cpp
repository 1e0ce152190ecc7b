// Registration of the algorithm in both matrices of a dispatcher, and warnings where it is missing.
#include "registry.hpp"

#include "algorithm.hpp"
#include "message.hpp"

#include <atomic>

namespace abut::bullet
{
inline namespace ABUT_BULLET_REAL
{

namespace
{

std::atomic<int> registrations{ 0 };
std::atomic<bool> warned{ false };

const char* const MISSING =
    "a shape of abut is in a world without abut::bullet::register_algorithms(dispatcher)";

/// Kinds that solids are made of; compounds ask for the algorithm of their children by themselves.
bool has_solid(int type)
{
    return type < CONCAVE_SHAPES_END_HERE && type != IMPLICIT_CONVEX_SHAPES_START_HERE &&
           type != CONCAVE_SHAPES_START_HERE && type != EMPTY_SHAPE_PROXYTYPE;
}

} // namespace

void register_algorithms(btCollisionDispatcher* dispatcher)
{
    static AlgorithmFactory factory; // outlives all dispatchers
    for (int type = 0; type < CONCAVE_SHAPES_END_HERE; ++type)
    {
        if (has_solid(type))
        {
            dispatcher->registerCollisionCreateFunc(type, FAST_CONCAVE_MESH_PROXYTYPE, &factory);
            dispatcher->registerCollisionCreateFunc(FAST_CONCAVE_MESH_PROXYTYPE, type, &factory);
            dispatcher->registerClosestPointsCreateFunc(type, FAST_CONCAVE_MESH_PROXYTYPE, &factory);
            dispatcher->registerClosestPointsCreateFunc(FAST_CONCAVE_MESH_PROXYTYPE, type, &factory);
        }
    }
    registrations.fetch_add(1);
}

void warn_unregistered()
{
    if (registrations.load() == 0 && !warned.exchange(true))
    {
        say("%s: it collides with nothing", MISSING);
    }
}

void warn_unregistered_pair()
{
    if (!warned.exchange(true))
    {
        say("%s: its triangles are used, coarse and slow", MISSING);
    }
}

} // namespace ABUT_BULLET_REAL
} // namespace abut::bullet
