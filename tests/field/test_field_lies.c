// Fields with right checksums whose sections say what is not so: refused with the byte where that would lead
// out of the field or to numbers that are none; else every question is answered from its bytes, and bodies
// stay finite.
#include "field/block.h"
#include "field/bounds/distance_octree.h"
#include "field/mass.h"
#include "field/nodes/node.h"
#include "support/shape_queries.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    KINDS = 8 // formats, dense and sparse; then without centers
};

/// A torus that fills 3 × 2 × 3 bricks: boxes of the octree reach beyond the grid.
static AbutShape* bake(int kind)
{
    AbutShape *shape = NULL, *field = NULL;
    test_assert_result(abut_shape_create_torus(0.4f, 0.12f, NULL, &shape), ABUT_OK);
    AbutBakeDef def = abut_bake_def();
    def.resolution = 20;
    def.format = (AbutFieldFormat)(kind % 3);
    def.sparse = kind / 3 % 2 == 1 || kind == 7;
    def.without_octree = kind >= 6;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    abut_shape_destroy(shape);
    return field;
}

/// A block that may be changed.
typedef struct Block
{
    union
    {
        AbutFieldHeader* header;
        char* bytes;
        void* data;
    } at;
    char* good;
    size_t size;
} Block;

static Block make_block(int kind)
{
    AbutShape* field = bake(kind);
    Block block = { .size = 0 };
    const void* data = abut_field_data(field, &block.size);
    block.at.data = aligned_alloc(64, block.size);
    block.good = malloc(block.size);
    assert_true(block.at.data != NULL && block.good != NULL);
    memcpy(block.at.data, data, block.size);
    memcpy(block.good, data, block.size);
    abut_shape_destroy(field);
    return block;
}

static void restore(Block* block)
{
    memcpy(block->at.data, block->good, block->size);
}

static void release(Block* block)
{
    free(block->at.data);
    free(block->good);
}

static AbutResult load(Block* block, AbutShape** field)
{
    block->at.header->checksum = abut_field_block_checksum(block->at.data, block->size);
    AbutFieldDataDef def = abut_field_data_def();
    def.data = block->at.data;
    def.size = block->size;
    return abut_field_create_from_data(&def, field);
}

/// The block as it is now is refused, and the message has the text.
static void assert_refused(Block* block, const char* text)
{
    AbutShape* field = NULL;
    AbutResult result = load(block, &field);
    if (result != ABUT_INVALID_DATA || strstr(abut_last_error(), text) == NULL)
    {
        fail_msg("%s; the message is '%s', and should have '%s'", abut_result_name(result), abut_last_error(),
                 text);
    }
    assert_null(field);
    restore(block);
}

static void assert_accepted(Block* block)
{
    AbutShape* field = NULL;
    test_assert_result(load(block, &field), ABUT_OK);
    abut_shape_destroy(field);
    restore(block);
}

// -----------------------------------------------------------------------------------------------------------
// Refused
// -----------------------------------------------------------------------------------------------------------

static void test_no_number_of_a_header_may_be_nan(void** state)
{
    (void)state;
    static const size_t doubles[] = { offsetof(AbutFieldHeader, origin),
                                      offsetof(AbutFieldHeader, origin) + 16,
                                      offsetof(AbutFieldHeader, cell_size),
                                      offsetof(AbutFieldHeader, uncertain_volume) };
    static const size_t floats[] = {
        offsetof(AbutFieldHeader, slope),        offsetof(AbutFieldHeader, error_bound),
        offsetof(AbutFieldHeader, measured_max), offsetof(AbutFieldHeader, measured_rms),
        offsetof(AbutFieldHeader, source_slope), offsetof(AbutFieldHeader, node_error),
        offsetof(AbutFieldHeader, solid),        offsetof(AbutFieldHeader, solid) + 20,
        offsetof(AbutFieldHeader, octree_step)
    };
    const double bad = NAN;
    const float bad_float = NAN;
    Block block = make_block(0);
    assert_accepted(&block);
    for (size_t i = 0; i < sizeof(doubles) / sizeof(doubles[0]); ++i)
    {
        memcpy(block.at.bytes + doubles[i], &bad, sizeof(bad));
        assert_refused(&block, "byte ");
    }
    for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); ++i)
    {
        memcpy(block.at.bytes + floats[i], &bad_float, sizeof(bad_float));
        assert_refused(&block, "byte ");
    }
    release(&block);
}

static void test_headers_with_numbers_out_of_range_are_refused(void** state)
{
    (void)state;
    Block block = make_block(3);
    AbutFieldHeader* h = block.at.header;
    h->cell_size = 1e-40;
    assert_refused(&block, "the cell size");
    h->cell_size = 1e31;
    assert_refused(&block, "the cell size");
    h->cell_size = -h->cell_size;
    assert_refused(&block, "the cell size");
    h->origin[1] = 1e31;
    assert_refused(&block, "beyond 1e30");
    h->source_slope = 0.0f;
    assert_refused(&block, "at least 1");
    h->source_slope = -INFINITY;
    assert_refused(&block, "at least 1");
    h->node_error = INFINITY;
    assert_refused(&block, "the error of nodes");
    h->solid[0] = h->solid[3] + 1.0f;
    assert_refused(&block, "inside out");
    h->slope = INFINITY;
    assert_refused(&block, "slope");
    h->sign_flags = 64;
    assert_refused(&block, "a flag");
    h->uncertain_volume = -1.0;
    assert_refused(&block, "in doubt");
    release(&block);
}

static void test_masses_that_no_solid_in_the_grid_has_are_refused(void** state)
{
    (void)state;
    static const double bad[] = { NAN, INFINITY, -INFINITY, -1.0, 1e30 };
    Block block = make_block(0);
    for (int i = 0; i < 13; ++i)
    {
        for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); ++k)
        {
            bool moment = i >= 4 && i % 4 != 0; // off the diagonal, of either sign
            bool fits = bad[k] == -1.0 && ((i >= 1 && i <= 3) || moment);
            block.at.header->mass[i] = bad[k];
            if (fits && !moment)
            {
                restore(&block); // a centre that is in the grid, or not, by its size
                continue;
            }
            assert_refused(&block, "volume, centre or inertia");
            block.at.header->mesh_mass[i] = bad[k];
            if (isfinite(bad[k]))
            {
                assert_accepted(&block); // an open mesh has anything
            }
            else
            {
                assert_refused(&block, "of the mesh");
            }
        }
    }
    memset(block.at.header->mass, 0, sizeof(block.at.header->mass)); // nothing is solid
    assert_accepted(&block);
    release(&block);
}

static void put_node(Block* block, size_t node, float value)
{
    char* nodes = block->at.bytes + block->at.header->sections[ABUT_FIELD_NODES].offset;
    if (block->at.header->format == ABUT_FIELD_F16)
    {
        uint16_t half = isnan(value) ? 0x7E01 : (value > 0.0f ? 0x7C00 : 0xFC00);
        memcpy(nodes + 2 * node, &half, 2);
        return;
    }
    memcpy(nodes + node * (block->at.header->format == ABUT_FIELD_F32 ? 4 : 8), &value, 4);
}

static void test_nodes_that_are_not_finite_are_refused_with_their_number(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Block block = make_block(kind);
        const AbutFieldHeader* h = block.at.header;
        size_t count =
            (size_t)h->sections[ABUT_FIELD_NODES].size / abut_field_node_bytes((AbutFieldFormat)h->format);
        for (int i = 0; i < 200; ++i)
        {
            size_t node = i == 0 ? 0 : (i == 1 ? count - 1 : (size_t)(test_random_bits(&random) % count));
            char text[32];
            snprintf(text, sizeof(text), ": node %zu is ", node);
            put_node(&block, node, i % 3 == 0 ? NAN : (i % 3 == 1 ? INFINITY : -INFINITY));
            assert_refused(&block, text);
        }
        if (h->format != ABUT_FIELD_F16)
        {
            put_node(&block, count / 2, -FLT_MAX);
            assert_refused(&block, "a distance is finite");
        }
        assert_accepted(&block);
        release(&block);
    }
}

static void test_bytes_between_sections_are_zero(void** state)
{
    (void)state;
    size_t tried = 0;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Block block = make_block(kind);
        for (int i = 0; i < ABUT_FIELD_SECTION_COUNT; ++i)
        {
            const AbutFieldSection* section = &block.at.header->sections[i];
            size_t end = (size_t)(section->offset + section->size);
            for (size_t at = end; section->size > 0 && at % 64 != 0; ++at, ++tried)
            {
                block.at.bytes[at] = 1;
                assert_refused(&block, "between two sections");
            }
        }
        release(&block);
    }
    assert_true(tried > 100);
}

static void test_slots_are_those_of_the_stored_bricks(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Block block = make_block(kind);
        uint32_t* slots = abut_field_section(block.at.data, ABUT_FIELD_SLOTS);
        slots[1] = block.at.header->error_brick_count;
        assert_refused(&block, "brick 1 refers to stored brick");
        uint32_t used = 0;
        while (slots[used] == ABUT_FIELD_NO_SLOT)
        {
            ++used;
        }
        slots[used] = ABUT_FIELD_NO_SLOT;
        assert_refused(&block, "bricks refer to");
        release(&block);
    }
}

static void test_bounds_that_are_none_are_refused(void** state)
{
    (void)state;
    // low, high, error, slope
    static const uint16_t bad[][4] = {
        { 0x7E00, 0x4000, 0x3C00, 0x3C00 }, { 0xC000, 0xFE00, 0x3C00, 0x3C00 },
        { 0xC000, 0x4000, 0x7C01, 0x3C00 }, { 0xC000, 0x4000, 0x3C00, 0xFFFF },
        { 0x4400, 0x4000, 0x3C00, 0x3C00 }, { 0xC000, 0xC400, 0x3C00, 0x3C00 },
        { 0xC000, 0x4000, 0xBC00, 0x3C00 }, { 0xC000, 0x4000, 0x3C00, 0x8001 }
    };
    static const uint16_t good[4] = { 0xFC00, 0x7C00, 0x7C00, 0x7C00 };
    for (int kind = 0; kind < KINDS; ++kind)
    {
        Block block = make_block(kind);
        const AbutFieldSection* pyramid = &block.at.header->sections[ABUT_FIELD_PYRAMID];
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
        {
            size_t entry = i % 2 == 0 ? 0 : (size_t)pyramid->size / 8 - 1;
            memcpy(block.at.bytes + pyramid->offset + 8 * entry, bad[i], 8);
            assert_refused(&block, "bounds are not numbers");
        }
        memcpy(block.at.bytes + pyramid->offset, good, 8);
        assert_accepted(&block);
        release(&block);
    }
}

static void test_boxes_beyond_the_grid_are_empty(void** state)
{
    (void)state;
    size_t refused = 0;
    for (int kind = 0; kind < 6; ++kind)
    {
        Block block = make_block(kind);
        AbutDistanceOctree octree = abut_distance_octree_make(block.at.data);
        size_t first = (size_t)(octree.levels[0] - octree.leaves), count = 0;
        const AbutFieldSection* section = &block.at.header->sections[ABUT_FIELD_DISTANCE_OCTREE];
        for (size_t i = first; i < (size_t)section->size / 2; ++i)
        {
            int16_t* number = (int16_t*)(void*)(block.at.bytes + section->offset) + i;
            if (*number == 32767)
            {
                *number = 5;
                assert_refused(&block, "beyond the grid");
                ++count;
            }
        }
        assert_true(count > 0);
        refused += count;
        release(&block);
    }
    print_message("%zu boxes\n", refused);
}

static void test_a_solid_has_a_positive_inertia(void** state)
{
    (void)state;
    AbutMassData mass = { .volume = 2.0,
                          .inertia = { { 1.0, 0.2, 0.1 }, { 0.2, 1.5, 0.3 }, { 0.1, 0.3, 0.9 } } };
    for (double unit = 1e-90; unit < 1e91; unit *= 1e15)
    {
        AbutMassData good = mass, bad = mass;
        for (int i = 0; i < 9; ++i)
        {
            good.inertia[i / 3][i % 3] *= unit;
            bad.inertia[i / 3][i % 3] *= i % 4 == 0 ? unit : 6.0 * unit; // a principal moment is negative
        }
        assert_true(abut_field_mass_is_solid(&good));
        assert_false(abut_field_mass_is_solid(&bad));
        good.inertia[2][1] = NAN;
        assert_false(abut_field_mass_is_solid(&good));
    }
    mass.volume = 0.0;
    assert_false(abut_field_mass_is_solid(&mass));
}

// -----------------------------------------------------------------------------------------------------------
// Accepted
// -----------------------------------------------------------------------------------------------------------

/// Sections of which any bytes are taken.
static const AbutFieldSectionName free_sections[] = { ABUT_FIELD_CELL_ERRORS, ABUT_FIELD_DISTANCE_OCTREE,
                                                      ABUT_FIELD_HALF_SPACES, ABUT_FIELD_LOWER_PLANES };

/// A node with a value of any order of size, and any gradient.
static void lie_in_node(Block* block, size_t node, TestRandom* random)
{
    const AbutFieldHeader* h = block->at.header;
    char* nodes = block->at.bytes + h->sections[ABUT_FIELD_NODES].offset;
    uint64_t bits = test_random_bits(random);
    int power = (int)(bits % 70) - 20;
    float value = (float)ldexp((bits >> 32 & 1u) != 0 ? 1.3 : -1.3, power);
    uint16_t half = (uint16_t)(bits >> 16 & 0xFBFFu); // finite
    switch (h->format)
    {
    case ABUT_FIELD_F32:
        value *= (float)h->cell_size;
        memcpy(nodes + 4 * node, &value, 4);
        break;
    case ABUT_FIELD_F16:
        memcpy(nodes + 2 * node, &half, 2);
        break;
    default:
        memcpy(nodes + 8 * node, &value, 4);
        memcpy(nodes + 8 * node + 4, (char*)&bits + 4, 4);
        break;
    }
}

static void lie_in_nodes(Block* block, TestRandom* random)
{
    const AbutFieldHeader* h = block->at.header;
    uint64_t count = h->sections[ABUT_FIELD_NODES].size / abut_field_node_bytes((AbutFieldFormat)h->format);
    for (uint64_t n = test_random_bits(random) % (count / 4); n > 0; --n)
    {
        lie_in_node(block, (size_t)(test_random_bits(random) % count), random);
    }
}

/// Random bytes in a section of which any are taken, or distances in any order of size.
static void lie_somewhere(Block* block, TestRandom* random, int iteration)
{
    if (iteration % 5 == 4)
    {
        lie_in_nodes(block, random);
        return;
    }
    const AbutFieldHeader* h = block->at.header;
    AbutFieldSectionName name = free_sections[iteration % 5];
    const AbutFieldSection* section = &h->sections[name];
    AbutDistanceOctree octree = abut_distance_octree_make(block->at.data);
    uint64_t size =
        name == ABUT_FIELD_DISTANCE_OCTREE && section->size > 0
            ? 2 * (uint64_t)(octree.levels[0] - octree.leaves) // those above may be beyond the grid
            : section->size;
    for (uint64_t n = size > 0 ? size / 8 : 0; n > 0; --n)
    {
        uint64_t at = section->offset + test_random_bits(random) % size;
        block->at.bytes[at] = (char)test_random_bits(random);
    }
}

static void test_fields_that_lie_answer_every_question(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    AbutHost host = abut_host_default();
    host.worker_count = 1;
    AbutShape* ball = NULL;
    test_assert_result(abut_shape_create_sphere(0.3f, NULL, &ball), ABUT_OK);
    int accepted = 0;
    for (int iteration = 0; iteration < TEST_ROUNDS(1600); ++iteration)
    {
        static Block blocks[KINDS];
        Block* block = &blocks[iteration % KINDS];
        *block = block->size == 0 ? make_block(iteration % KINDS) : *block;
        lie_somewhere(block, &random, iteration / KINDS);
        ShapeQueries queries = { .other = ball, .host = &host, .seed = (uint32_t)iteration };
        if (load(block, &queries.shape) == ABUT_OK)
        {
            ++accepted;
            shape_query_run(&queries, (unsigned)iteration / KINDS % SHAPE_QUERY_POINTS);
            abut_shape_destroy(queries.shape);
        }
        if (queries.fault != NULL)
        {
            fail_msg("turn %d: %s", iteration, queries.fault);
        }
        restore(block);
        if (iteration + KINDS >= TEST_ROUNDS(1600))
        {
            release(block);
            block->size = 0;
        }
    }
    abut_shape_destroy(ball);
    print_message("%d accepted\n", accepted);
    assert_true(accepted > TEST_ROUNDS(1500));
}

/// Boxes beyond the grid have the largest number, which stands for the diagonal of the grid: a tolerance may
/// be larger.
static void test_searches_with_large_tolerances_stay_in_the_grid(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    AbutContact contacts[16];
    for (int kind = 0; kind < 6; ++kind)
    {
        AbutShape* field = bake(kind);
        for (int i = 0; i < TEST_ROUNDS(40); ++i)
        {
            AbutCollideInput input = abut_collide_input(field, field);
            AbutVec3 p = test_random_point(&random, 1.0), q = test_random_point(&random, 1.0);
            input.pose_a = abut_pose_at((double)p.x, (double)p.y, (double)p.z);
            input.pose_b = abut_pose_at((double)q.x, (double)q.y, (double)q.z);
            input.pose_a.scale = (float)test_random_range(&random, 0.3, 3.0);
            input.settings.tolerance = (float)test_random_range(&random, 0.0, 9.0);
            input.settings.margin = (float)test_random_range(&random, 0.0, 9.0);
            input.settings.budget = 1 << 12;
            AbutSpeculativeInput speculative = test_speculative_input(&input);
            AbutCollideOutput output = i % 4 != 0 ? abut_speculative_contacts(&speculative, contacts, 16)
                                                  : abut_collide(&input, contacts, 16);
            assert_true(output.state != ABUT_COLLIDE_INVALID);
        }
        abut_shape_destroy(field);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_number_of_a_header_may_be_nan),
        cmocka_unit_test(test_headers_with_numbers_out_of_range_are_refused),
        cmocka_unit_test(test_masses_that_no_solid_in_the_grid_has_are_refused),
        cmocka_unit_test(test_nodes_that_are_not_finite_are_refused_with_their_number),
        cmocka_unit_test(test_bytes_between_sections_are_zero),
        cmocka_unit_test(test_slots_are_those_of_the_stored_bricks),
        cmocka_unit_test(test_bounds_that_are_none_are_refused),
        cmocka_unit_test(test_boxes_beyond_the_grid_are_empty),
        cmocka_unit_test(test_a_solid_has_a_positive_inertia),
        cmocka_unit_test(test_fields_that_lie_answer_every_question),
        cmocka_unit_test(test_searches_with_large_tolerances_stay_in_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
