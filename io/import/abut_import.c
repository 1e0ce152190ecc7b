// abut-import MEMORY SECONDS FILL FILE: reads FILE with assimp and writes what it found to the standard
// output, in the form of import_format.h. A program of its own because assimp's parsers crash, hang and take
// memory without end on some files: the library starts it, and whatever happens here is a message there.
// MEMORY bytes of address space and SECONDS of processor time are the most that it takes; FILL is the byte
// that memory holds before anything is written to it.
#define _DEFAULT_SOURCE
#include "../process/import_format.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER
#endif

enum
{
    EXIT_ARGUMENTS = 64, // bad arguments, or limits that cannot be set
    EXIT_OUTPUT = 65,    // nobody reads
    MESSAGE_MAX = 4096,
    BLOCK_SIZE_MAX = 1024, // holes in the heap: of every size up to this, ...
    HOLES = 32,            // ... as many of each, ...
    BLOCKS_BETWEEN = 7,    // ... and as many blocks with the fill between two
    STACK_DIRT = 1 << 18,  // bytes of stack that get the fill
    NODES_MAX = 1 << 26    // a graph with more has a cycle
};

typedef struct QueuedNode
{
    const struct aiNode* node;
    uint32_t parent;
} QueuedNode;

static FILE* output;

// -----------------------------------------------------------------------------------------------------------
// Writing
// -----------------------------------------------------------------------------------------------------------

static void put_bytes(const void* bytes, size_t size)
{
    if (size > 0)
    {
        fwrite(bytes, 1, size, output);
    }
}

static void put_u32(uint32_t value)
{
    put_bytes(&value, sizeof(value));
}

static void put_float(ai_real value)
{
    float number = (float)value;
    put_bytes(&number, sizeof(number));
}

static void put_text(const char* text, size_t length)
{
    put_u32((uint32_t)length);
    put_bytes(text, length);
}

/// Ends the program without destructors: what was written is all that counts, and assimp's own destructors
/// are known to crash.
static void finish(void)
{
    put_u32(ABUT_IMPORT_END);
    _exit(fflush(output) == 0 && ferror(output) == 0 ? EXIT_SUCCESS : EXIT_OUTPUT);
}

static void finish_message(AbutImportStatus status, const char* message)
{
    put_u32(status);
    put_text(message, strnlen(message, MESSAGE_MAX));
    finish();
}

// -----------------------------------------------------------------------------------------------------------
// The scene
// -----------------------------------------------------------------------------------------------------------

static void put_vertices(const struct aiVector3D* vertices, size_t count)
{
    if (sizeof(vertices[0]) == 3 * sizeof(float)) // not where assimp was built with double precision
    {
        put_bytes(vertices, count * sizeof(vertices[0]));
        return;
    }
    for (size_t i = 0; i < count; ++i)
    {
        put_float(vertices[i].x);
        put_float(vertices[i].y);
        put_float(vertices[i].z);
    }
}

static void put_mesh(const struct aiMesh* mesh)
{
    uint64_t corner_count = 0;
    unsigned vertex_count = mesh->mVertices != NULL ? mesh->mNumVertices : 0;
    unsigned face_count = mesh->mFaces != NULL ? mesh->mNumFaces : 0;
    for (unsigned i = 0; i < face_count; ++i)
    {
        corner_count += mesh->mFaces[i].mNumIndices;
    }
    if (corner_count > UINT32_MAX)
    {
        _exit(EXIT_OUTPUT); // more than the file may say
    }
    put_text(mesh->mName.data, strnlen(mesh->mName.data, sizeof(mesh->mName.data)));
    put_u32(vertex_count);
    put_u32(face_count);
    put_u32((uint32_t)corner_count);
    put_vertices(mesh->mVertices, vertex_count);
    for (unsigned i = 0; i < face_count; ++i)
    {
        put_u32(mesh->mFaces[i].mNumIndices);
    }
    for (unsigned i = 0; i < face_count; ++i)
    {
        put_bytes(mesh->mFaces[i].mIndices, mesh->mFaces[i].mNumIndices * sizeof(uint32_t));
    }
}

static void put_node(const QueuedNode* queued)
{
    const struct aiNode* node = queued->node;
    const struct aiMatrix4x4* m = &node->mTransformation;
    const ai_real rows[12] = { m->a1, m->a2, m->a3, m->a4, m->b1, m->b2,
                               m->b3, m->b4, m->c1, m->c2, m->c3, m->c4 };
    put_u32(queued->parent);
    for (int i = 0; i < 12; ++i)
    {
        put_float(rows[i]);
    }
    put_u32(node->mNumMeshes);
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
    {
        put_u32(node->mMeshes[i]);
    }
}

/// Depth first, in the order of the file, with a stack of our own. Without `write` the nodes are only
/// counted.
static uint32_t walk_nodes(const struct aiNode* root, bool write)
{
    size_t capacity = 64, count = 0;
    QueuedNode* stack = malloc(capacity * sizeof(QueuedNode));
    uint32_t number = 0;
    if (stack != NULL)
    {
        stack[count++] = (QueuedNode){ root, ABUT_IMPORT_ROOT };
    }
    while (count > 0)
    {
        QueuedNode queued = stack[--count];
        size_t wanted = count + queued.node->mNumChildren;
        if (wanted > capacity)
        {
            capacity = 2 * wanted;
            stack = realloc(stack, capacity * sizeof(QueuedNode));
        }
        if (stack == NULL || number >= NODES_MAX)
        {
            abort();
        }
        for (unsigned i = queued.node->mNumChildren; i-- > 0;)
        {
            stack[count++] = (QueuedNode){ queued.node->mChildren[i], number };
        }
        if (write)
        {
            put_node(&queued);
        }
        ++number;
    }
    free(stack);
    return number;
}

static void put_scene(const struct aiScene* scene)
{
    put_u32(ABUT_IMPORT_SCENE);
    put_u32(scene->mNumMeshes);
    for (unsigned i = 0; i < scene->mNumMeshes; ++i)
    {
        put_mesh(scene->mMeshes[i]);
    }
    put_u32(scene->mRootNode != NULL ? walk_nodes(scene->mRootNode, false) : 0);
    if (scene->mRootNode != NULL)
    {
        walk_nodes(scene->mRootNode, true);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Formats
// -----------------------------------------------------------------------------------------------------------

/// "3ds, fbx": from the descriptions of the formats. aiGetExtensionList() leaves its string as it was when
/// all endings together are too long for it.
static void list_endings(char* list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < aiGetImportFormatCount(); ++i)
    {
        const struct aiImporterDesc* description = aiGetImportFormatDescription(i);
        const char* at = description != NULL ? description->mFileExtensions : NULL;
        while (at != NULL && *at != '\0' && used + 3 < size)
        {
            size_t length = strcspn(at, " ");
            int printed = length > 0 ? snprintf(list + used, size - used, "%s%.*s", used > 0 ? ", " : "",
                                                (int)length, at)
                                     : 0;
            used += (size_t)printed < size - used ? (size_t)printed : size - used - 1;
            at += length + strspn(at + length, " ");
        }
    }
}

static void check_ending(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash != NULL ? slash : path, '.');
    if (dot == NULL || !aiIsExtensionSupported(dot))
    {
        static char list[MESSAGE_MAX];
        list_endings(list, sizeof(list));
        finish_message(ABUT_IMPORT_UNSUPPORTED, list);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Limits
// -----------------------------------------------------------------------------------------------------------

/// Lowers a limit; one that is lower already stays.
static bool set_limit(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
    {
        return false;
    }
    limit.rlim_max = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most ? most : limit.rlim_max;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

static bool set_limits(unsigned long long memory, unsigned long long seconds)
{
    bool good =
        set_limit(RLIMIT_CPU, (rlim_t)seconds) && set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_FSIZE, 0);
#if !defined(HAS_ADDRESS_SANITIZER) // its shadow alone takes more
    good = good && set_limit(RLIMIT_AS, (rlim_t)memory);
#endif
    return good;
}

/// Dies with the program that started it, gains no rights, and is the first to go when the machine runs out
/// of memory.
static void lower_rank(void)
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0)
    {
        ssize_t written = write(file, "1000", 4);
        (void)written;
        close(file);
    }
#endif
}

/// What the host left open is not ours.
static void close_others(int last)
{
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, (unsigned)last + 1, ~0u, 0) == 0)
    {
        return;
    }
#endif
    for (int i = last + 1; i < 1024; ++i)
    {
        close(i);
    }
}

/// The answer goes where the standard output went; what assimp prints goes where its errors go.
static bool open_output(void)
{
    int file = fcntl(STDOUT_FILENO, F_DUPFD, 3);
    if (file < 0 || (file != 3 && dup2(file, 3) < 0) || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    {
        return false;
    }
    close_others(3);
    output = fdopen(3, "wb");
    return output != NULL && setvbuf(output, NULL, _IOFBF, 1 << 18) == 0;
}

/// Stack that was never written holds the fill, as memory from malloc does (the library sets that in the
/// environment).
__attribute__((noinline)) static void dirty_stack(unsigned char fill)
{
    volatile unsigned char dirt[STACK_DIRT];
    for (size_t i = 0; i < sizeof(dirt); ++i)
    {
        dirt[i] = fill;
    }
}

/// Leaves holes in the heap between blocks that hold the fill: what assimp reads behind the end of a block,
/// then, is the fill, too, and not what happens to be there in every run.
static void dirty_heap(unsigned char fill)
{
    static void* holes[HOLES];
    for (size_t size = 8; size <= BLOCK_SIZE_MAX; size += 16)
    {
        for (int i = 0; i < HOLES * (BLOCKS_BETWEEN + 1); ++i)
        {
            void* block = malloc(size);
            if (block != NULL)
            {
                memset(block, fill, size);
            }
            if (i % (BLOCKS_BETWEEN + 1) == 0)
            {
                holes[i / (BLOCKS_BETWEEN + 1)] = block;
            }
        }
        for (int i = 0; i < HOLES; ++i)
        {
            free(holes[i]);
        }
    }
}

int main(int argc, char** argv)
{
    if (argc != 5)
    {
        fputs("abut-import MEMORY SECONDS FILL FILE: reads a mesh for abut, which starts it\n", stderr);
        return EXIT_ARGUMENTS;
    }
    lower_rank();
    if (!open_output() || !set_limits(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10)))
    {
        return EXIT_ARGUMENTS;
    }
    put_bytes(ABUT_IMPORT_MAGIC, sizeof(ABUT_IMPORT_MAGIC) - 1);
    check_ending(argv[4]);
    unsigned char fill = (unsigned char)strtoul(argv[3], NULL, 10);
    dirty_heap(fill);
    dirty_stack(fill);
    const struct aiScene* scene = aiImportFile(argv[4], 0);
    if (scene == NULL)
    {
        finish_message(ABUT_IMPORT_FAILED, aiGetErrorString());
    }
    put_scene(scene);
    finish();
}
