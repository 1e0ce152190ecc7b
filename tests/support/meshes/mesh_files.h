/// @file mesh_files.h
/// What the tests of file readers and writers share: temporary files, a host that keeps warnings, and short
/// ways to parse.
#ifndef ABUT_TEST_MESH_FILES_H
#define ABUT_TEST_MESH_FILES_H

#include "support/support.h"

#include <abut/io.h>

/// Path of a file of that name in a folder of this process, which is removed at exit. Four results stay valid
/// at a time.
const char* test_temporary_path(const char* name);

void test_write_file(const char* path, const void* data, size_t size);

/// The file's bytes; the caller frees them.
char* test_read_file(const char* path, size_t* size);

/// Number of files in the temporary folder.
int test_temporary_file_count(void);

/// A growing text.
typedef struct TestText
{
    char* bytes;
    size_t size;
    size_t capacity;
} TestText;

void test_text_append(TestText* text, const void* bytes, size_t size);
void test_text_print(TestText* text, const char* format, ...) ABUT_PRINTF(2, 3);
void test_text_put_u32(TestText* text, uint32_t value, bool big_endian);
void test_text_put_f32(TestText* text, float value, bool big_endian);
void test_text_free(TestText* text);

/// Parses with a host that counts memory; the test fails when the result is not ABUT_OK.
AbutMesh* test_parse(AbutMeshFormat format, const void* data, size_t size);
AbutMesh* test_parse_text(AbutMeshFormat format, const char* text);

/// The parse must fail with that result and a message that starts with "input" and contains `part`; and leak
/// nothing.
void test_parse_refused(AbutMeshFormat format, const void* data, size_t size, AbutResult expected,
                        const char* phrase);
void test_parse_text_refused(AbutMeshFormat format, const char* text, const char* phrase);

/// The parse must not crash, leak or leave out its message; returns what it returned.
AbutResult test_parse_anything(AbutMeshFormat format, const void* data, size_t size);

/// The last warning that a parse above sent to the log; "" when there was none.
const char* test_last_warning(void);

/// Most bytes that were alive at once during the last parse above.
uint64_t test_last_peak_bytes(void);

void test_assert_triangle(const AbutMesh* mesh, uint32_t triangle, uint32_t a, uint32_t b, uint32_t c);
void test_assert_vertex(const AbutMesh* mesh, uint32_t vertex, float x, float y, float z);

/// True when this build and this machine read files through assimp.
bool test_has_assimp(void);

/// Skips the test at hand without assimp.
void test_skip_without_assimp(void);

/// Of a clock that never goes back.
double test_seconds_now(void);

#endif
