// Two kinds of threads for a loop over blocks: threads for the length of one loop (the default host), and
// threads that wait between loops (AbutWorkers). In both the calling thread is worker 0, and blocks are
// handed out by one atomic counter.
#define _GNU_SOURCE // sched_getaffinity, madvise
#include "base/fp_env.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/mman.h>
#endif

enum
{
    MAX_WORKERS = 256
};

typedef struct Loop
{
    AbutBlockFn* block;
    void* context;
    uint32_t block_count;
    atomic_uint_least64_t next; // 64 bits: workers overshoot the count without wrapping it
} Loop;

static void run_blocks(Loop* loop, uint32_t worker)
{
    for (;;)
    {
        uint64_t i = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
        if (i >= loop->block_count)
        {
            return;
        }
        loop->block(loop->context, (uint32_t)i, worker);
    }
}

static Loop make_loop(uint32_t block_count, AbutBlockFn* block, void* context)
{
    Loop loop = { .block = block, .context = context, .block_count = block_count };
    atomic_init(&loop.next, 0);
    return loop;
}

uint32_t abut_processor_count(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
    {
        return (uint32_t)CPU_COUNT(&set);
    }
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

// -----------------------------------------------------------------------------------------------------------
// The default host: threads for the length of one loop
// -----------------------------------------------------------------------------------------------------------

typedef struct LoopThread
{
    Loop* loop;
    uint32_t worker;
    pthread_t thread;
} LoopThread;

static void* run_loop_thread(void* argument)
{
    LoopThread* self = argument;
    run_blocks(self->loop, self->worker);
    return NULL;
}

static void default_parallel_for(void* user, uint32_t block_count, AbutBlockFn* block, void* context)
{
    (void)user;
    Loop loop = make_loop(block_count, block, context);
    LoopThread threads[MAX_WORKERS];
    uint32_t worker_count = abut_host_default().worker_count;
    uint32_t wanted = (block_count < worker_count ? block_count : worker_count) - 1;
    uint32_t started = 0;
    for (; started < wanted; ++started)
    {
        threads[started].loop = &loop;
        threads[started].worker = started + 1;
        if (pthread_create(&threads[started].thread, NULL, run_loop_thread, &threads[started]) != 0)
        {
            break; // the threads that did start do all of the work
        }
    }
    run_blocks(&loop, 0);
    for (uint32_t i = 0; i < started; ++i)
    {
        pthread_join(threads[i].thread, NULL);
    }
}

#if defined(MADV_HUGEPAGE)
/// Size of the pages that large blocks ask for. A grid is read at scattered addresses, and with small pages
/// most of those reads miss the address translation cache.
#define LARGE_PAGE ((size_t)2 << 20)

static void* allocate_large(size_t size)
{
    void* memory = NULL;
    if (posix_memalign(&memory, LARGE_PAGE, size) != 0)
    {
        return NULL;
    }
    madvise(memory, size, MADV_HUGEPAGE); // a wish: where it is not granted, nothing changes
    return memory;
}
#endif

static void* default_allocate(void* user, size_t size, size_t alignment)
{
    (void)user;
    if (size > SIZE_MAX - alignment)
    {
        return NULL;
    }
#if defined(MADV_HUGEPAGE)
    if (size >= 2 * LARGE_PAGE && alignment <= LARGE_PAGE)
    {
        return allocate_large(size);
    }
#endif
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void default_free(void* user, void* memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

static void default_log(void* user, AbutLogLevel level, const char* message)
{
    (void)user;
    (void)level;
    (void)message;
}

AbutHost abut_host_default(void)
{
    uint32_t processors = abut_processor_count();
    AbutHost host = {
        .allocate = default_allocate,
        .free = default_free,
        .parallel_for = default_parallel_for,
        .log = default_log,
        .worker_count = processors < MAX_WORKERS ? processors : MAX_WORKERS,
    };
    return host;
}

// -----------------------------------------------------------------------------------------------------------
// AbutWorkers: threads that wait between loops
// -----------------------------------------------------------------------------------------------------------

typedef struct WorkerThread
{
    AbutWorkers* workers;
    uint32_t index;
    pthread_t thread;
} WorkerThread;

struct AbutWorkers
{
    AbutHost host;
    uint32_t worker_count; // with the caller of a loop
    uint32_t thread_count; // started
    atomic_flag busy;      // set while a loop runs

    pthread_mutex_t mutex; // guards the members below
    pthread_cond_t work_ready;
    pthread_cond_t work_done;
    Loop* loop;
    uint64_t generation; // of the loop; a worker runs each generation once
    uint32_t running;    // threads that have not finished this generation
    bool quit;
    WorkerThread threads[];
};

static void* run_worker_thread(void* argument)
{
    WorkerThread* self = argument;
    AbutWorkers* workers = self->workers;
    uint64_t seen = 0;
    pthread_mutex_lock(&workers->mutex);
    for (;;)
    {
        while (!workers->quit && workers->generation == seen)
        {
            pthread_cond_wait(&workers->work_ready, &workers->mutex);
        }
        if (workers->quit)
        {
            break;
        }
        seen = workers->generation;
        Loop* loop = workers->loop;
        pthread_mutex_unlock(&workers->mutex);
        run_blocks(loop, self->index);
        pthread_mutex_lock(&workers->mutex);
        if (--workers->running == 0)
        {
            pthread_cond_signal(&workers->work_done);
        }
    }
    pthread_mutex_unlock(&workers->mutex);
    return NULL;
}

static void workers_parallel_for(void* user, uint32_t block_count, AbutBlockFn* block, void* context)
{
    AbutWorkers* workers = user;
    Loop loop = make_loop(block_count, block, context);
    if (workers->thread_count == 0 || atomic_flag_test_and_set_explicit(&workers->busy, memory_order_acquire))
    {
        run_blocks(&loop, 0);
        return;
    }

    pthread_mutex_lock(&workers->mutex);
    workers->loop = &loop;
    workers->running = workers->thread_count;
    workers->generation += 1;
    pthread_cond_broadcast(&workers->work_ready);
    pthread_mutex_unlock(&workers->mutex);

    run_blocks(&loop, 0);

    pthread_mutex_lock(&workers->mutex);
    while (workers->running > 0)
    {
        pthread_cond_wait(&workers->work_done, &workers->mutex);
    }
    workers->loop = NULL;
    pthread_mutex_unlock(&workers->mutex);
    atomic_flag_clear_explicit(&workers->busy, memory_order_release);
}

static size_t workers_size(uint32_t worker_count)
{
    return sizeof(AbutWorkers) + (worker_count - 1) * sizeof(WorkerThread);
}

AbutResult abut_workers_create(uint32_t count, const AbutHost* host, AbutWorkers** out)
{
    *out = NULL;
    if (count > MAX_WORKERS)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%u workers asked for; at most %d", count, MAX_WORKERS);
    }
    AbutHost resolved = abut_host_resolve(host);
    uint32_t worker_count = count > 0 ? count : abut_host_default().worker_count;
    AbutWorkers* workers = abut_memory_allocate_zero(&resolved, 1, workers_size(worker_count));
    if (workers == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    workers->host = resolved;
    workers->worker_count = worker_count;
    atomic_flag_clear(&workers->busy);
    pthread_mutex_init(&workers->mutex, NULL);
    pthread_cond_init(&workers->work_ready, NULL);
    pthread_cond_init(&workers->work_done, NULL);
    for (uint32_t i = 0; i + 1 < worker_count; ++i)
    {
        WorkerThread* thread = &workers->threads[i];
        thread->workers = workers;
        thread->index = i + 1;
        if (pthread_create(&thread->thread, NULL, run_worker_thread, thread) != 0)
        {
            abut_workers_destroy(workers);
            return abut_fail(ABUT_LIMIT_EXCEEDED, "the system refused to start thread %u of %u", i + 1,
                             worker_count - 1);
        }
        workers->thread_count += 1;
    }
    *out = workers;
    return ABUT_OK;
}

void abut_workers_destroy(AbutWorkers* workers)
{
    if (workers == NULL)
    {
        return;
    }
    pthread_mutex_lock(&workers->mutex);
    workers->quit = true;
    pthread_cond_broadcast(&workers->work_ready);
    pthread_mutex_unlock(&workers->mutex);
    for (uint32_t i = 0; i < workers->thread_count; ++i)
    {
        pthread_join(workers->threads[i].thread, NULL);
    }
    pthread_cond_destroy(&workers->work_done);
    pthread_cond_destroy(&workers->work_ready);
    pthread_mutex_destroy(&workers->mutex);
    AbutHost host = workers->host;
    abut_memory_free(&host, workers, 1, workers_size(workers->worker_count));
}

// A host has one user pointer, and here it is the workers: memory is malloc's.
AbutHost abut_workers_host(AbutWorkers* workers)
{
    AbutHost host = abut_host_default();
    host.user = workers;
    host.parallel_for = workers_parallel_for;
    host.worker_count = workers->worker_count;
    return host;
}
