#include "mesh/inspect/sampled_loop.h"

#include "base/tasks.h"

enum
{
    FIRST_LEVEL = 8, // items of the first level: if one item can take seconds, it must be few

    /// Progress is reported between passes of at most this many blocks and items per block.
    PASS_BLOCKS = 256,
    BLOCK_ITEMS = 256,

    SHUFFLE_SIZE = 64, // positions that are permuted; a power of two
};

/// The finalizer of splitmix64: every bit of the result depends on every bit of x.
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/// One item out of each of `sample_count` equal ranges of all items. Meshes have repeating patterns, and even
/// strides would sample one phase of them only: so positions are shuffled with their neighbours, and the item
/// is a random one of its range.
static uint32_t item_at(uint64_t position, uint64_t sample_count, uint64_t item_count)
{
    uint64_t group = position / SHUFFLE_SIZE;
    if ((group + 1) * SHUFFLE_SIZE <= sample_count)
    {
        position ^= mix(group) % SHUFFLE_SIZE;
    }
    uint64_t begin = position * item_count / sample_count;
    uint64_t end = (position + 1) * item_count / sample_count;
    return (uint32_t)(begin + mix(~position) % (end - begin));
}

/// Visits positions first + k · step, for k in [0, count).
typedef struct Pass
{
    const AbutSampledLoopDef* def;
    uint64_t sample_count;
    uint64_t first, step, count;
    uint64_t block_items;
    AbutLoopTally blocks[PASS_BLOCKS];
} Pass;

static void visit_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Pass* pass = context;
    AbutLoopTally tally = { 0, 0 };
    uint64_t end = (block + 1) * pass->block_items;
    for (uint64_t k = block * pass->block_items; k < end && k < pass->count; ++k)
    {
        uint64_t position = pass->first + k * pass->step;
        uint32_t item = item_at(position, pass->sample_count, pass->def->item_count);
        pass->def->visit(pass->def->context, item, &tally);
    }
    pass->blocks[block] = tally;
}

static void run_pass(const AbutHost* host, Pass* pass, AbutSampledLoop* sample)
{
    uint32_t block_count = abut_block_count(pass->count, pass->block_items);
    abut_parallel_for(host, block_count, visit_block, pass);
    for (uint32_t b = 0; b < block_count; ++b)
    {
        sample->tally.found += pass->blocks[b].found;
        sample->tally.work += pass->blocks[b].work;
    }
    sample->visited += (uint32_t)pass->count;
}

/// The positions first, first + step, ... below sample_count.
static AbutResult visit_level(const AbutHost* host, const AbutSampledLoopDef* def, uint64_t sample_count,
                              uint64_t first, uint64_t step, AbutSampledLoop* sample)
{
    Pass pass = { .def = def, .sample_count = sample_count, .first = first, .step = step };
    uint64_t left = first < sample_count ? (sample_count - first + step - 1) / step : 0;
    pass.block_items = (left + PASS_BLOCKS - 1) / PASS_BLOCKS;
    pass.block_items = pass.block_items < BLOCK_ITEMS ? pass.block_items : BLOCK_ITEMS;
    while (left > 0)
    {
        uint64_t most = PASS_BLOCKS * pass.block_items;
        pass.count = left < most ? left : most;
        run_pass(host, &pass, sample);
        pass.first += pass.count * step;
        left -= pass.count;
        if (!def->progress(def->progress_user, (float)sample->visited / (float)sample_count))
        {
            return ABUT_CANCELLED;
        }
    }
    return ABUT_OK;
}

AbutResult abut_sampled_loop_visit(const AbutHost* host, const AbutSampledLoopDef* def, AbutSampledLoop* out)
{
    uint64_t sample_count = def->item_count < def->item_limit ? def->item_count : def->item_limit;
    uint64_t step = 1;
    while (sample_count / step > FIRST_LEVEL)
    {
        step *= 2;
    }
    AbutSampledLoop sample = { 0 };
    AbutResult result = visit_level(host, def, sample_count, 0, step, &sample);
    // The next level takes about as much as all levels so far.
    while (result == ABUT_OK && step > 1 && sample.tally.work <= def->work_limit / 2)
    {
        step /= 2;
        result = visit_level(host, def, sample_count, step, 2 * step, &sample);
    }
    *out = sample;
    return result;
}
