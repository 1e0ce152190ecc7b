// Bullet in double, from its module.
#include "hull_peers.h"

#include <cstdio>
#include <dlfcn.h>

namespace
{

const BenchHullPeer* module()
{
    static const BenchHullPeer* table = nullptr;
    static bool tried = false;
    if (!tried)
    {
        tried = true;
        void* library = dlopen(ABUT_DOUBLEBULLET_MODULE, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        using Entry = const BenchHullPeer* (*)();
        Entry entry = library != nullptr ? reinterpret_cast<Entry>(dlsym(library, "bench_hull_bullet_module"))
                                         : nullptr;
        table = entry != nullptr ? entry() : nullptr;
        if (table == nullptr)
        {
            std::fprintf(stderr, "abut: bench: %s\n", dlerror());
        }
    }
    return table;
}

void* create(const AbutHull* a, const AbutHull* b)
{
    return module() != nullptr ? module()->create(a, b) : nullptr;
}

void destroy(void* peer)
{
    module()->destroy(peer);
}

double distance(void* peer, const AbutPose* pose)
{
    return module()->distance(peer, pose);
}

double depth(void* peer, const AbutPose* pose)
{
    return module()->depth(peer, pose);
}

} // namespace

extern "C" const BenchHullPeer bench_hull_bullet = { "Bullet in double", create, destroy, nullptr,
                                                     distance,           depth };
