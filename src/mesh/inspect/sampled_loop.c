#include "mesh/inspect/sampled_loop.h"

#include "base/tasks.h"

enum
{
    FIRST_LEVEL = 8, // items of the first level: if one item can take seconds, it must be few

    /// Progress is reported between rounds of at most this many blocks and items per block.
    ROUND_BLOCKS = 256,
    BLOCK_ITEMS = 256,

    SHUFFLE_SIZE = 64, // positions that change places with each other; a power of two
};

/// The finalizer of splitmix64: every bit of the result depends on every bit of x.
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/// One item out of each of `sample_count` equal parts of all items. Meshes are full of patterns that
/// repeat, and even strides would see one phase of them only: so positions are shuffled with their
/// neighbours, and the item is any one of its part.
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
typedef struct Round
{
    const AbutSampleDef* def;
    uint64_t sample_count;
    uint64_t first, step, count;
    uint64_t block_items;
    AbutTally blocks[ROUND_BLOCKS];
} Round;

static void visit_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Round* round = context;
    AbutTally tally = { 0, 0 };
    uint64_t end = (block + 1) * round->block_items;
    for (uint64_t k = block * round->block_items; k < end && k < round->count; ++k)
    {
        uint64_t position = round->first + k * round->step;
        uint32_t item = item_at(position, round->sample_count, round->def->item_count);
        round->def->visit(round->def->context, item, &tally);
    }
    round->blocks[block] = tally;
}

static void run_round(const AbutHost* host, Round* round, AbutSample* sample)
{
    uint32_t block_count = abut_block_count(round->count, round->block_items);
    abut_parallel_for(host, block_count, visit_block, round);
    for (uint32_t b = 0; b < block_count; ++b)
    {
        sample->tally.found += round->blocks[b].found;
        sample->tally.work += round->blocks[b].work;
    }
    sample->visited += (uint32_t)round->count;
}

/// The positions first, first + step, ... below sample_count.
static AbutResult visit_level(const AbutHost* host, const AbutSampleDef* def, uint64_t sample_count,
                              uint64_t first, uint64_t step, AbutSample* sample)
{
    Round round = { .def = def, .sample_count = sample_count, .first = first, .step = step };
    uint64_t left = first < sample_count ? (sample_count - first + step - 1) / step : 0;
    round.block_items = (left + ROUND_BLOCKS - 1) / ROUND_BLOCKS;
    round.block_items = round.block_items < BLOCK_ITEMS ? round.block_items : BLOCK_ITEMS;
    while (left > 0)
    {
        uint64_t most = ROUND_BLOCKS * round.block_items;
        round.count = left < most ? left : most;
        run_round(host, &round, sample);
        round.first += round.count * step;
        left -= round.count;
        if (!def->progress(def->progress_user, (float)sample->visited / (float)sample_count))
        {
            return ABUT_CANCELLED;
        }
    }
    return ABUT_OK;
}

AbutResult abut_sample_visit(const AbutHost* host, const AbutSampleDef* def, AbutSample* out)
{
    uint64_t sample_count = def->item_count < def->item_limit ? def->item_count : def->item_limit;
    uint64_t step = 1;
    while (sample_count / step > FIRST_LEVEL)
    {
        step *= 2;
    }
    AbutSample sample = { 0 };
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
