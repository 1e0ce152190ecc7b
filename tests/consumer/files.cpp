// A program of somebody else, in C++, that reads a mesh with the library beside the core.
#include <abut/abut.h>
#include <abut/io.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>

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
    return abut_mesh_triangle_count(mesh.get()) == 4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
