// Files of other formats through the program that runs assimp: whatever happens to it, here is a mesh or a
// message. The first byte picks the ending.
#include "mesh_fuzz.h"

#include <unistd.h>

static const char* const endings[] = { "off", "gltf", "glb", "dae", "3mf",  "x3d", "fbx", "3ds",
                                       "ac",  "ase",  "dxf", "lwo", "ms3d", "b3d", "x",   "nff" };

static void write_file(const char* path, const uint8_t* data, size_t size)
{
    FILE* file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 2)
    {
        return 0;
    }
    char path[64];
    snprintf(path, sizeof(path), "/tmp/abut_fuzz_%ld.%s", (long)getpid(), endings[data[0] % 16]);
    write_file(path, data + 1, size - 1);
    FuzzMemory memory = { 0, (size_t)1 << 30 };
    AbutHost host = fuzz_host(&memory);
    AbutMeshLoadDef def = abut_mesh_load_def();
    def.host = &host;
    def.import_seconds = 3.0;
    def.import_bytes = (uint64_t)1 << 29;
    AbutMesh* mesh = NULL;
    AbutResult result = abut_mesh_load_with(&def, path, &mesh);
    unlink(path);
    if (result == ABUT_OK)
    {
        fuzz_check_mesh(mesh);
    }
    else if (abut_last_error()[0] == '\0' || result == ABUT_UNSUPPORTED)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        abort();
    }
    abut_mesh_destroy(mesh);
    if (memory.live != 0)
    {
        abort();
    }
    return 0;
}
