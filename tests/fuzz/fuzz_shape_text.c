// SHAPE texts and poses of any bytes: a shape, a mesh or a message, never anything else.
#include <abut/io.h>
#include <stdlib.h>
#include <string.h>

/// Refuses large blocks: a text of a few bytes may rightly ask for gigabytes of triangles.
static void* small_allocate(void* user, size_t size, size_t alignment)
{
    (void)user;
    enum
    {
        LARGEST = 1 << 16
    };
    return size <= LARGEST ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : NULL;
}

static void small_free(void* user, void* memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    // Paths would read files of this machine.
    if (memchr(data, '/', size) != NULL || size > 4096)
    {
        return 0;
    }
    char* text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    AbutHost host = abut_host_default();
    host.allocate = small_allocate;
    host.free = small_free;
    AbutParsedShape loaded;
    AbutResult result = abut_shape_parse(text, &host, &loaded);
    if ((result == ABUT_OK) != (loaded.shape != NULL || loaded.mesh != NULL))
    {
        abort();
    }
    if (loaded.shape != NULL)
    {
        abut_shape_distance(loaded.shape, abut_vec3(0.25f, -0.5f, 0.75f), NULL);
    }
    abut_shape_destroy(loaded.shape);
    abut_mesh_destroy(loaded.mesh);
    AbutPose pose;
    if (abut_pose_parse(text, &pose) == ABUT_OK && !abut_pose_is_valid(&pose))
    {
        abort();
    }
    free(text);
    return 0;
}
