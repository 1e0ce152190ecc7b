// A program of somebody else, in C++, that reads a mesh with the library beside the core.
#include <abut/abut.h>
#include <abut/io.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string_view>

/// A format of others, through the program that runs assimp, where this build of abut has one.
static bool import_works()
{
    const char* path = "consumer.off";
    std::ofstream(path) << "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    AbutMesh* loaded = nullptr;
    const AbutResult result = abut_mesh_load(path, &loaded);
    std::remove(path);
    const std::unique_ptr<AbutMesh, void (*)(AbutMesh*)> mesh(loaded, abut_mesh_destroy);
    std::cout << (result == ABUT_OK ? "a file of others was read" : abut_last_error()) << '\n';
    if (result == ABUT_UNSUPPORTED)
    {
        return std::string_view(abut_last_error()).find("this build reads") != std::string_view::npos;
    }
    return result == ABUT_OK && abut_mesh_triangle_count(mesh.get()) == 4;
}

int main()
{
    constexpr std::string_view tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                             "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const AbutMeshLoadDef def = abut_mesh_load_def();
    AbutMesh* loaded = nullptr;
    if (abut_mesh_parse(&def, ABUT_MESH_FORMAT_OBJ, tetrahedron.data(), tetrahedron.size(), "tetrahedron",
                        &loaded) != ABUT_OK)
    {
        std::cerr << abut_last_error() << '\n';
        return EXIT_FAILURE;
    }
    const std::unique_ptr<AbutMesh, void (*)(AbutMesh*)> mesh(loaded, abut_mesh_destroy);
    std::cout << "abut " << abut_version() << ": " << abut_mesh_triangle_count(mesh.get()) << " triangles\n";
    return abut_mesh_triangle_count(mesh.get()) == 4 && import_works() ? EXIT_SUCCESS : EXIT_FAILURE;
}
