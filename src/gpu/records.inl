// Records that the CPU writes and shaders read, or the other way round: the same text in C and GLSL, numbers
// of 32 bits alone. The includer defines GPU_RECORD(name), the head of a struct.
#ifndef ABUT_GPU_RECORDS_INL
#define ABUT_GPU_RECORDS_INL

#define GPU_GROUP 64u       // invocations of a workgroup
#define GPU_SCAN_GROUP 256u // of the scan, which has one group
#define GPU_HIT_WORDS 12u   // of a GpuHit
#define GPU_PAGE_BITS 24u   // words of a page of fields, where these are bound: 64 MiB
#define GPU_PAGE_COUNT 8u
#define GPU_TEST_RESULTS 12u    // of a case of the self-test
#define GPU_LARGEST_EXPONENT 60 // positions over 2⁶⁰ are left to the CPU

/// A field on the device: an AbutFieldView, and where its nodes and slots are: addresses of memory, or the
/// numbers of their first words in the pages.
GPU_RECORD(GpuField)
{
    uint32_t nodes_low, nodes_high;
    uint32_t slots_low, slots_high;
    uint32_t format, sparse; // AbutFieldFormat; 0 or 1
    float origin_high[3], origin_low[3];
    float cell_size, inverse_cell_size;
    uint32_t cell_count[3];
    uint32_t brick_row, brick_slab;
    uint32_t row, slab;
    uint32_t fine_start;
    uint32_t numbers_low, numbers_high; // of the distance octree, two of 16 bits in a word
    // Of boxes of the octree: coordinates of their middles, by axis, from the smallest boxes to the largest.
    uint32_t middles_low, middles_high;
};

/// An AbutKernelTransform.
GPU_RECORD(GpuFrame)
{
    float matrix[3][3];
    float high[3], low[3];
    float rotation[3][3];
    float scale;
};

/// One of the two fields of a pair.
GPU_RECORD(GpuSide)
{
    uint32_t field; // number of a GpuField
    uint32_t has_frame;
    float inflate;
    GpuFrame frame;
};

/// Two fields, and the particles between them.
GPU_RECORD(GpuPair)
{
    GpuSide sides[2];
    float low[3], lengths[3]; // the box of the grid of particles
    float inverse[3];         // 1 / resolution
    uint32_t resolution[3];
    uint32_t grid_count;
    uint32_t first_start; // of the particles behind those of the grid, in the array of starts
    uint32_t steps;
    uint32_t quasi_random;
    float epsilon, relaxation;
    uint32_t thin;        // GPU_THIN_CELLS, GPU_THIN_DEEPEST, or 0: all particles that arrive are wanted
    uint32_t keep;        // of the deepest
    uint32_t across_gaps; // of AbutParticles
    float cells_per_length, cell_shift[3]; // of the lattice of contacts, less whole cells
};

/// Adjacent particles of one pair, in one launch.
GPU_RECORD(GpuSpan)
{
    uint32_t first;    // of its particles in the launch
    uint32_t pair;     // in the array of pairs
    uint32_t particle; // number of the first one in the pair
};

/// What a launch counts for a span.
GPU_RECORD(GpuSpanCounts)
{
    uint32_t steps;   // of all its particles
    uint32_t open;    // not 0: a particle left the range of the device, and the CPU takes the pair
    uint32_t thinned; // hits that were left out
};

/// A particle that arrived.
GPU_RECORD(GpuHit)
{
    uint32_t particle; // in the launch
    float at[3];
    float distance[2];
    float gradient[2][3];
};

/// Push constants of the passes over particles.
GPU_RECORD(GpuLaunch)
{
    uint32_t particle_count;
    uint32_t span_count;
    uint32_t mode; // GPU_STORE, GPU_COUNT or GPU_PLACE
};

/// What thinning knows of a hit.
GPU_RECORD(GpuThinKey)
{
    uint32_t pair;
    uint32_t cell[3];
    uint32_t order; // of separations: the deeper, the smaller
    uint32_t slot;  // of the cell in the table
    uint32_t state; // GPU_HIT_ASIDE, GPU_HIT_COMPARED; then whether it stays
};

/// Push constants of the passes of thinning.
GPU_RECORD(GpuThinLaunch)
{
    uint32_t pass;
    uint32_t count; // of hits or, for GPU_THIN_PICK, of pairs
    uint32_t span_count;
    uint32_t slot_count; // of the table of cells, a power of two
    uint32_t digit;      // of the order, from the highest
    uint32_t task_particles;
};

/// A traversal of the distance octrees of two fields A and B: an AbutDualOctree, and what A's own numbers are
/// found by.
GPU_RECORD(GpuOctreePair)
{
    GpuSide sides[2]; // for samples
    float a_step, b_step, ratio, rounding, inflate;
    float to_b[3][4];
    float cells[3], last[3];
    uint32_t first_brick, brick_row, brick_slab, group_row, group_slab;
    uint32_t a_brick_count[3];
    uint32_t a_first_brick;
    uint32_t a_less[2];       // what the numbers of children are less than that of their brick without nodes
    uint32_t first_middle[3]; // of boxes of the last level
    float threshold, a_rounding;
    uint32_t top, last_level;
    uint32_t stops; // not 0: boxes of levels after that with a hit are not needed
    uint32_t steps; // of the projection from boxes of the last level
    float target;   // of the projection
};

/// A box of a traversal. Its level follows from the pass.
GPU_RECORD(GpuOctreeBox)
{
    uint32_t pair;
    uint32_t index[3];
};

/// An AbutOctreeRecord; `least` by its bits.
GPU_RECORD(GpuOctreeRecord)
{
    uint32_t masks;
    uint32_t first;
    uint32_t least;
};

/// Of all traversals of a launch. Boxes are in the order of their levels; those of the last level of their
/// traversal are leaves, in an array of their own.
GPU_RECORD(GpuOctreeState)
{
    uint32_t box_count, leaf_count; // that were asked for
    uint32_t box_end, leaf_end;     // before the first ones that found no room
    uint32_t level_begin, level_end;
    uint32_t box_groups[3]; // of the next pass
    uint32_t leaf_groups[3];
};

/// Push constants of the passes over octrees.
GPU_RECORD(GpuOctreeLaunch)
{
    uint32_t pass;
    uint32_t box_capacity, leaf_capacity;
};

#define GPU_BOXES_PER_GROUP 8u
#define GPU_NOT_RECORDED 0xFFFFFFFFu
#define GPU_RECORDED 0x80000000u
#define GPU_STATE_BOX_GROUPS 24u // bytes before
#define GPU_STATE_LEAF_GROUPS 36u

#define GPU_THIN_CELLS 1u   // the deepest of each cell
#define GPU_THIN_DEEPEST 2u // the deepest of each pair

#define GPU_THIN_KEYS 0u // passes
#define GPU_THIN_INSERT 1u
#define GPU_THIN_COUNT 2u
#define GPU_THIN_PICK 3u
#define GPU_THIN_MARK 4u
#define GPU_THIN_STORE 5u
#define GPU_THIN_DIGITS 8u // of an order, of 4 bits
#define GPU_THIN_BINS 18u  // words of a pair: counts of digits, the digits so far, hits that are still wanted
#define GPU_HIT_ASIDE 0u   // stays, whatever the others are
#define GPU_HIT_COMPARED 1u

#define GPU_ANY_FIELD 6u // kinds of fields are under that

#define GPU_STORE 0u // hits of a group to its own part of the scratch
#define GPU_COUNT 1u // counts of hits alone
#define GPU_PLACE 2u // hits to their places by the offsets of groups

#endif
