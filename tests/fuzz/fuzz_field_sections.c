// Fields with right checksums and sections that somebody changed: whatever is accepted answers every
// question, in time, from its own bytes, and leaves no number in a world that is not finite.
//
// The first byte picks a field, the second a question, the third a seed; then changes of eight bytes each: a
// section, what to do there, a position in it (three bytes) and three bytes for what is written.
#include "../support/shape_queries.h"
#include "field_fuzz.h"

#include <stdio.h>
#include <string.h>

enum
{
    HEADER = 512, // offsets, from docs/field_format.md
    CHECKSUM = 24,
    SECTIONS = 352,
    SECTION_COUNT = 7,
    FIELDS = 11,
    LEAD = 3,
    CHANGE = 8
};

// -----------------------------------------------------------------------------------------------------------
// Good fields
// -----------------------------------------------------------------------------------------------------------

static AbutShape* bake(unsigned kind, const AbutShape* shape, const AbutMesh* mesh)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = 16;
    def.format = kind == 7 || kind == 10 ? ABUT_FIELD_FIRST_ORDER : (AbutFieldFormat)(kind % 3);
    def.sparse = kind / 3 == 1 || kind == 7 || kind == 9;
    def.without_octree = kind == 9 || kind == 10;
    AbutShape* field = NULL;
    AbutResult result =
        mesh != NULL ? abut_bake_mesh(&def, mesh, &field) : abut_bake_shape(&def, shape, &field);
    if (result != ABUT_OK)
    {
        abort();
    }
    return field;
}

/// Three sides of a tetrahedron.
static AbutMesh* open_mesh(void)
{
    static const AbutVec3 vertices[4] = {
        { 0.0f, 0.5f, 0.0f }, { -0.4f, -0.4f, -0.4f }, { 0.5f, -0.4f, -0.2f }, { 0.0f, -0.4f, 0.5f }
    };
    static const uint32_t indices[9] = { 0, 2, 1, 0, 3, 2, 0, 1, 3 };
    AbutMeshDef def = abut_mesh_def();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.indices = indices;
    def.triangle_count = 3;
    AbutMesh* mesh = NULL;
    if (abut_mesh_create(&def, &mesh) != ABUT_OK)
    {
        abort();
    }
    return mesh;
}

/// Distances of a ball of which nothing is proved, on a grid that is no whole number of bricks.
static AbutShape* bake_values(void)
{
    static float values[11 * 9 * 18];
    AbutBakeValuesDef def = abut_bake_values_def();
    def.node_count[0] = 11;
    def.node_count[1] = 9;
    def.node_count[2] = 18;
    def.origin = (AbutPosition){ -0.5, -0.4, -0.8 };
    def.cell_size = 0.1;
    def.values = values;
    for (int i = 0; i < 11 * 9 * 18; ++i)
    {
        float x = 0.1f * (float)(i % 11) - 0.5f, y = 0.1f * (float)(i / 11 % 9) - 0.4f,
              z = 0.1f * (float)(i / 99) - 0.8f;
        values[i] = sqrtf(x * x + y * y + z * z) - 0.33f;
    }
    AbutShape* field = NULL;
    if (abut_bake_values(&def, &field) != ABUT_OK)
    {
        abort();
    }
    return field;
}

static const AbutShape* good_field(unsigned kind)
{
    static AbutShape* fields[FIELDS];
    if (fields[kind] == NULL)
    {
        AbutShape* torus = NULL;
        AbutMesh* mesh = open_mesh();
        if (abut_shape_create_torus(0.35f, 0.15f, NULL, &torus) != ABUT_OK)
        {
            abort();
        }
        fields[kind] = kind == 8 ? bake_values() : bake(kind, torus, kind == 6 || kind == 7 ? mesh : NULL);
        abut_mesh_destroy(mesh);
        abut_shape_destroy(torus);
    }
    return fields[kind];
}

// -----------------------------------------------------------------------------------------------------------
// Changes
// -----------------------------------------------------------------------------------------------------------

typedef struct Block
{
    uint8_t* bytes;
    size_t size;
} Block;

static void put(const Block* block, size_t at, const void* from, size_t size)
{
    at = at + size <= block->size ? at : block->size - size;
    memcpy(block->bytes + at, from, size);
}

static float special(uint8_t i)
{
    static const float numbers[16] = { NAN,   INFINITY, -INFINITY, 0.0f,  -0.0f,  1.0f,   -1.0f,  3.4e38f,
                                       1e30f, -1e30f,   1e18f,     1e15f, -1e15f, 1e-38f, 1e-45f, 65504.0f };
    return numbers[i % 16];
}

/// Writes numbers: bytes, floats or doubles of note, or a run of one byte, or of bytes from elsewhere.
static void change_at(const Block* block, size_t at, unsigned how, const uint8_t value[3])
{
    float single = special(value[0]);
    double both = (double)single;
    uint8_t flipped;
    size_t run = value[0] + 1u, from = ((size_t)value[1] | (size_t)value[2] << 8) * 16 % block->size;
    switch (how % 8)
    {
    case 0:
        put(block, at, value, 1);
        break;
    case 1:
        put(block, at, value, 2);
        break;
    case 2:
        put(block, at / 4 * 4, &single, 4);
        break;
    case 3:
        put(block, at / 8 * 8, &both, 8);
        break;
    case 4:
        flipped = (uint8_t)(block->bytes[at] ^ (1u << value[0] % 8));
        put(block, at, &flipped, 1);
        break;
    case 5:
        run = run < block->size - at ? run : block->size - at;
        memset(block->bytes + at, value[1], run);
        break;
    case 6:
        run = run < block->size - at ? run : block->size - at;
        run = run < block->size - from ? run : block->size - from;
        memmove(block->bytes + at, block->bytes + from, run);
        break;
    default:
        put(block, at / 2 * 2, value, 3);
        break;
    }
}

static void change(const Block* block, const uint8_t* c)
{
    size_t position = (size_t)c[2] | (size_t)c[3] << 8 | (size_t)c[4] << 16;
    uint64_t section[2] = { 32, HEADER - 32 }; // what the header has behind magic, sizes and checksum
    unsigned which = c[0] % (SECTION_COUNT + 2);
    if (which < SECTION_COUNT)
    {
        memcpy(section, block->bytes + SECTIONS + 16 * which, 16);
    }
    // Padding belongs to the section before it.
    uint64_t size = (section[1] + 63) / 64 * 64;
    if (which == SECTION_COUNT + 1 || size == 0 || section[0] >= block->size ||
        size > block->size - section[0])
    {
        section[0] = 32;
        size = block->size - 32;
    }
    change_at(block, (size_t)(section[0] + position % size), c[1], c + 5);
}

static void fix_checksum(const Block* block)
{
    memset(block->bytes + CHECKSUM, 0, 8);
    uint64_t checksum =
        abut_hash(block->bytes + HEADER, block->size - HEADER, abut_hash(block->bytes, HEADER, 0));
    memcpy(block->bytes + CHECKSUM, &checksum, 8);
}

// -----------------------------------------------------------------------------------------------------------
// Questions
// -----------------------------------------------------------------------------------------------------------

static void ask(AbutShape* field, const AbutHost* host, unsigned question, uint32_t seed)
{
    ShapeQueries queries = { .shape = field, .host = host, .seed = seed };
    if (abut_shape_create_sphere(0.3f, host, &queries.other) != ABUT_OK)
    {
        return;
    }
    fuzz_use_field(field);
    shape_query_run(&queries, question);
    abut_shape_destroy(queries.other);
    if (queries.fault != NULL)
    {
        fprintf(stderr, "%s (%s)\n", queries.fault, abut_last_error());
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < LEAD)
    {
        return 0;
    }
    AbutFieldDataDef def = abut_field_data_def();
    const char* good = abut_field_data(good_field(data[0] % FIELDS), &def.size);
    Block block = { malloc(def.size), def.size };
    if (block.bytes == NULL)
    {
        return 0;
    }
    memcpy(block.bytes, good, def.size);
    for (size_t i = LEAD; i + CHANGE <= size; i += CHANGE)
    {
        change(&block, data + i);
    }
    fix_checksum(&block);
    FuzzHost host;
    fuzz_host_init(&host, (size_t)256 << 20);
    def.data = block.bytes;
    def.host = &host.host;
    AbutShape* field = NULL;
    if (abut_field_create_from_data(&def, &field) == ABUT_OK)
    {
        // Points take as long as all others.
        ask(field, &host.host, data[1] > 252 ? SHAPE_QUERY_POINTS : data[1] % SHAPE_QUERY_POINTS, data[2]);
    }
    abut_shape_destroy(field);
    free(block.bytes);
    if (host.live != 0)
    {
        abort();
    }
    return 0;
}
