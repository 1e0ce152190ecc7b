// Stands in for abut-import and answers with memory that it has not written: what malloc() gives for a file
// whose name has "fresh" in it, and what comes back after free() for "again". Others get zeros. For
// test_io_import.c.
#include "../../io/process/import_format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIZE = 36 // bytes of three vertices
};

static void put_u32(uint32_t value)
{
    fwrite(&value, sizeof(value), 1, stdout);
}

/// The bytes as they are: through a volatile pointer, so that the compiler cannot know that nobody wrote
/// them.
static void put_unwritten(size_t block_size)
{
    const volatile unsigned char* block = malloc(block_size);
    for (size_t i = 16; i < 16 + SIZE; ++i) // the first words are malloc's own, once a block was free
    {
        putchar(block[i] & 0x3F);
    }
}

static void put_vertices(const char* path)
{
    if (strstr(path, "fresh") != NULL)
    {
        put_unwritten(4096);
    }
    else if (strstr(path, "again") != NULL)
    {
        void* volatile block = calloc(1, 96);
        free(block);
        put_unwritten(96);
    }
    else
    {
        for (int i = 0; i < SIZE; ++i)
        {
            putchar(0);
        }
    }
}

int main(int argc, char** argv)
{
    fwrite(ABUT_IMPORT_MAGIC, 1, sizeof(ABUT_IMPORT_MAGIC) - 1, stdout);
    put_u32(ABUT_IMPORT_SCENE);
    put_u32(1); // meshes
    put_u32(0); // bytes of a name
    put_u32(3); // vertices
    put_u32(1); // faces
    put_u32(3); // corners
    put_vertices(argc == 5 ? argv[4] : "");
    put_u32(3);
    for (uint32_t i = 0; i < 3; ++i)
    {
        put_u32(i);
    }
    put_u32(1); // nodes
    put_u32(ABUT_IMPORT_ROOT);
    for (int i = 0; i < 12; ++i)
    {
        const float value = i % 5 == 0 ? 1.0f : 0.0f;
        fwrite(&value, sizeof(value), 1, stdout);
    }
    put_u32(1);
    put_u32(0);
    put_u32(ABUT_IMPORT_END);
    return 0;
}
