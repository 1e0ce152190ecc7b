/// @file peer_module.hpp
/// Tables of peers whose libraries have the names of others: from modules that are loaded when needed.
#ifndef ABUT_BENCH_PEER_MODULE_HPP
#define ABUT_BENCH_PEER_MODULE_HPP

#include <cstdio>
#include <dlfcn.h>

/// The table that the function `entry` of a module returns; nullptr with a message on stderr.
template <typename Table> const Table* load_peer(const char* path, const char* entry)
{
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    using Entry = const Table* (*)();
    Entry function = library != nullptr ? reinterpret_cast<Entry>(dlsym(library, entry)) : nullptr;
    if (function == nullptr)
    {
        std::fprintf(stderr, "abut: bench: %s\n", dlerror());
        return nullptr;
    }
    return function();
}

#endif
