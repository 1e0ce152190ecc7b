/// @file base.h
/// Results, error messages, host hooks, worker threads, hashing and the version: everything that knows no
/// geometry.
#ifndef ABUT_BASE_H
#define ABUT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0

#if defined(ABUT_STATIC)
#define ABUT_API
#elif defined(_WIN32)
#if defined(ABUT_BUILDING)
#define ABUT_API __declspec(dllexport)
#else
#define ABUT_API __declspec(dllimport)
#endif
#else
#define ABUT_API __attribute__((visibility("default")))
#endif

/// Lets the compiler check the arguments of a printf-like function.
#if defined(__GNUC__) || defined(__clang__)
#define ABUT_PRINTF(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define ABUT_PRINTF(format_index, first_argument)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Result of a call that can fail. Zero is success; all others leave the outputs unchanged, or set to NULL
/// for created objects, and a message for people in abut_last_error().
typedef enum AbutResult
{
    ABUT_OK = 0,
    ABUT_OUT_OF_MEMORY,    ///< the host's allocate returned NULL; nothing leaked, nothing half built
    ABUT_INVALID_ARGUMENT, ///< a number or pointer out of its documented range (NaN, zero radius, ...)
    ABUT_INVALID_DATA,     ///< bad content of a file or an array; the message has the position
    ABUT_NOT_FOUND,        ///< no such file
    ABUT_IO_ERROR,         ///< the system refused to read or write
    ABUT_LIMIT_EXCEEDED,   ///< larger than a stated cap (memory, counts, nesting)
    ABUT_UNSUPPORTED,      ///< understood, but not available in this build or on this machine
    ABUT_CANCELLED,        ///< a progress callback asked to stop
    ABUT_DEVICE_LOST,      ///< a GPU stopped answering, or its driver has reset it
    ABUT_RESULT_COUNT
} AbutResult;

/// The name of a result in words ("out of memory"); never NULL, "unknown result" for an invalid number.
ABUT_API const char* abut_result_name(AbutResult result);

/// The message of the last call on this thread that did not return ABUT_OK: names the file or argument, the
/// position and, where there is one, the fix. Empty before the first failure. Valid until the next failing
/// call on the same thread.
ABUT_API const char* abut_last_error(void);

/// Sets abut_last_error() for this thread and returns `result`, for the same reports by code around the
/// core. The message is cleaned by abut_text_sanitize(): names of files, meshes and bodies in it cannot
/// control a terminal.
ABUT_API AbutResult abut_fail(AbutResult result, const char* format, ...) ABUT_PRINTF(2, 3);

/// Makes untrusted text safe for a terminal, a log or JSON, in place: each byte of a control character (C0,
/// DEL, C1, the separators U+2028 and U+2029, changes of the writing direction) and each byte that is not
/// UTF-8 becomes '?'.
ABUT_API void abut_text_sanitize(char* text);

/// The UTF-8 character at the start of `text`, which has `size` bytes.
/// @return its length in bytes, 1 to 4; 0 for none (then `code` is unchanged).
ABUT_API size_t abut_utf8_decode(const char* text, size_t size, uint32_t* code);

/// Whether abut_text_sanitize() replaces the character.
ABUT_API bool abut_utf8_is_control(uint32_t code);

/// "major.minor.patch" of the library that is linked, which may differ from the header's macros.
ABUT_API const char* abut_version(void);

// -----------------------------------------------------------------------------------------------------------
// Host: memory, threads and log of the program that abut lives in
// -----------------------------------------------------------------------------------------------------------

typedef enum AbutLogLevel
{
    ABUT_LOG_INFO,
    ABUT_LOG_WARNING,
    ABUT_LOG_ERROR
} AbutLogLevel;

/// One block of a parallel loop. `block` runs over [0, block_count); `worker` is under the host's
/// worker_count and no two blocks run at once with the same one, so it may index scratch memory. Results must
/// not depend on `worker`.
typedef void AbutBlockFn(void* context, uint32_t block, uint32_t worker);

/// The services of the program around abut. Start from abut_host_default() and replace members: every member
/// is required. A host must outlive every object created with it. All functions may be called from any
/// thread.
///
/// **Stack.** No call needs more than 80 KiB (85 with shapes nested 60 deep), on the calling thread and on
/// those that run blocks of parallel_for, so 128 KiB threads suffice; docs/host.md has a table. Larger
/// scratch of queries (collide, distance, time of impact, bakes, steps with thin bodies) belongs to the
/// thread: up to 0.7 MiB from malloc at the first call, freed when the thread ends. Without that memory, the
/// state is that of invalid input or a spent budget, with a message.
typedef struct AbutHost
{
    void* user; ///< handed to each function as its first argument

    /// Returns `size` bytes (never 0) aligned to `alignment` (a power of two, at most 64), or NULL when there
    /// are none.
    void* (*allocate)(void* user, size_t size, size_t alignment);

    /// Frees memory of allocate, with its size. `memory` is never NULL.
    void (*free)(void* user, void* memory, size_t size);

    /// Calls block(context, i, worker) once for every i in [0, block_count), in any order, on any threads,
    /// and returns when all are done.
    void (*parallel_for)(void* user, uint32_t block_count, AbutBlockFn* block, void* context);

    /// Receives one line without a newline.
    void (*log)(void* user, AbutLogLevel level, const char* message);

    /// Maximum of blocks that parallel_for runs at once; at least 1. Constant during the life of the host.
    uint32_t worker_count;
} AbutHost;

/// malloc and free, threads that live for the length of one parallel loop, one per processor, and a log that
/// goes nowhere (a library does not write to other people's terminals). The meaning of a NULL host
/// everywhere. Programs that run many short loops (a simulation) create AbutWorkers instead.
ABUT_API AbutHost abut_host_default(void);

/// Threads that wait for work between loops.
typedef struct AbutWorkers AbutWorkers;

/// Starts `count` workers (the calling thread of a loop is one of them, so count − 1 threads are started); 0
/// means one per processor, at most 256. `host` gives the memory; NULL means malloc.
ABUT_API AbutResult abut_workers_create(uint32_t count, const AbutHost* host, AbutWorkers** out);

/// Stops and joins the threads. No loop may be running. NULL is ignored.
ABUT_API void abut_workers_destroy(AbutWorkers* workers);

/// A host like abut_host_default() whose parallel_for runs on `workers`, one loop at a time; a loop started
/// while another one runs (from a block, or from a second thread) runs on its calling thread alone.
ABUT_API AbutHost abut_workers_host(AbutWorkers* workers);

/// Number of processors this process may use; at least 1.
ABUT_API uint32_t abut_processor_count(void);

// -----------------------------------------------------------------------------------------------------------
// Floating point
// -----------------------------------------------------------------------------------------------------------

/// The floating-point environment of a thread: rounding, subnormal numbers, traps.
typedef struct AbutFpState
{
    uint64_t bits; ///< of the control register
    bool changed;  ///< it was another one
} AbutFpState;

/// All functions of abut compute with rounding to nearest, subnormal numbers and no traps, on all threads,
/// and restore the thread's environment: the same bytes for any environment of the host. Functions of the
/// host called by abut (blocks, callbacks, progress) run in abut's environment and must not change it; after
/// an AbutDistanceFn it is restored. Flags of exceptions (inexact, ...) may be set after a call where the
/// host's environment is the usual one. `static inline` functions of headers compute in the environment of
/// the caller.
///
/// These two are for code around abut with the same need: the result of enter goes to leave, on the same
/// thread.
ABUT_API AbutFpState abut_fp_enter(void);
ABUT_API void abut_fp_leave(AbutFpState state);

// -----------------------------------------------------------------------------------------------------------
// Instruction sets
// -----------------------------------------------------------------------------------------------------------

/// Name of the instruction set in use: "scalar", "sse2", "avx2" or "neon". All of them give the same bits. It
/// is chosen on first use: the best this processor has, or the one that the environment variable ABUT_SIMD
/// names, when it can run.
ABUT_API const char* abut_simd_name(void);

/// Switches to the named instruction set for all threads; for tests, benchmarks and debugging.
/// @return ABUT_INVALID_ARGUMENT for an unknown name, ABUT_UNSUPPORTED for one that this build or processor
/// lacks.
ABUT_API AbutResult abut_simd_force(const char* name);

// -----------------------------------------------------------------------------------------------------------
// Hash
// -----------------------------------------------------------------------------------------------------------

/// 64-bit hash of bytes, the same on every machine (XXH64 as specified by its author). For checksums
/// and for comparing results; not for security. `data` may be NULL when `size` is 0.
ABUT_API uint64_t abut_hash(const void* data, size_t size, uint64_t seed);

/// Called now and then by slow functions with the fraction done, in [0, 1], always on the calling thread.
/// Return false to stop: the slow function then returns ABUT_CANCELLED.
typedef bool AbutProgressFn(void* user, float done);

#ifdef __cplusplus
}
#endif

#endif
