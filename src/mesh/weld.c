// Vertices are filed in a table by the cell of a grid that they are in. A vertex at most `tolerance` from p
// is in one of the cells that overlap the box of that half-width around p, so the search visits those cells.
// Without a tolerance each position is its own cell.
#include "base/fp_env.h"
#include "base/memory.h"
#include "mesh/mesh.h"

/// An end of a list, or a vertex not met yet; never the number of a welded vertex.
#define EMPTY UINT32_MAX

typedef struct Welder
{
    AbutHost host;
    const AbutMesh* mesh;
    double tolerance;
    double radius; // just over the tolerance: is_near() rounds
    uint64_t seed;

    uint32_t* welded; // by vertex: its number after welding
    uint32_t capacity;
    uint32_t count;
    uint32_t* origins; // by welded vertex: the vertex it stands for
    uint32_t* next;    // by welded vertex: the next one of its list
    uint32_t* heads;   // by hash of the cell: the first of the list
    uint32_t head_count;
} Welder;

// -----------------------------------------------------------------------------------------------------------
// Cells
// -----------------------------------------------------------------------------------------------------------

/// A cell by its integer coordinates. Double, because they may exceed every integer type: a coordinate of
/// FLT_MAX with the smallest tolerance has 10⁸³.
typedef struct Cell
{
    double x, y, z;
} Cell;

/// The cell of a coordinate. Rounding never decreases where its argument increases, and floats are exact in
/// double; so of two coordinates at most r apart, the cell of one lies between the cells of (the other − r)
/// and (the other + r).
static double cell_coordinate(const Welder* welder, double x)
{
    // Two tolerances wide: the box around a vertex overlaps at most eight cells (up to rounding), and a cell
    // holds few vertices that are more than a tolerance apart. Adding zero makes −0 and 0 the same bits.
    return welder->tolerance > 0.0 ? floor(x / (2.0 * welder->tolerance)) + 0.0 : x + 0.0;
}

/// Far out, where 1 is less than the spacing of doubles, the next integer is the next double.
static double next_coordinate(double x)
{
    return x + 1.0 > x ? x + 1.0 : nextafter(x, INFINITY);
}

static Cell cell_of(const Welder* welder, AbutVec3 p, double offset)
{
    Cell cell = { cell_coordinate(welder, p.x + offset), cell_coordinate(welder, p.y + offset),
                  cell_coordinate(welder, p.z + offset) };
    return cell;
}

static uint32_t* list_of(const Welder* welder, Cell cell)
{
    return &welder->heads[abut_hash(&cell, sizeof(cell), welder->seed) & (welder->head_count - 1)];
}

// -----------------------------------------------------------------------------------------------------------
// Joining
// -----------------------------------------------------------------------------------------------------------

static bool is_within(const Welder* welder, AbutVec3 a, AbutVec3 b)
{
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return x * x + y * y + z * z <= welder->tolerance * welder->tolerance;
}

/// The earliest welded vertex near p in the cell, or `best` when that is earlier.
static uint32_t search_cell(const Welder* welder, Cell cell, AbutVec3 p, uint32_t best)
{
    for (uint32_t w = *list_of(welder, cell); w != EMPTY; w = welder->next[w])
    {
        if (w < best && is_within(welder, p, welder->mesh->vertices[welder->origins[w]]))
        {
            best = w;
        }
    }
    return best;
}

static uint32_t find_within(const Welder* welder, AbutVec3 p)
{
    Cell low = cell_of(welder, p, -welder->radius);
    Cell high = cell_of(welder, p, welder->radius);
    uint32_t best = EMPTY;
    Cell cell;
    for (cell.x = low.x; cell.x <= high.x; cell.x = next_coordinate(cell.x))
    {
        for (cell.y = low.y; cell.y <= high.y; cell.y = next_coordinate(cell.y))
        {
            for (cell.z = low.z; cell.z <= high.z; cell.z = next_coordinate(cell.z))
            {
                best = search_cell(welder, cell, p, best);
            }
        }
    }
    return best;
}

static uint32_t add_vertex(Welder* welder, uint32_t vertex)
{
    uint32_t w = welder->count++;
    uint32_t* list = list_of(welder, cell_of(welder, welder->mesh->vertices[vertex], 0.0));
    welder->origins[w] = vertex;
    welder->next[w] = *list;
    *list = w;
    return w;
}

static void weld_vertices(Welder* welder)
{
    const AbutMesh* mesh = welder->mesh;
    for (size_t i = 0; i < (size_t)mesh->triangle_count * 3; ++i)
    {
        uint32_t vertex = mesh->indices[i];
        if (welder->welded[vertex] == EMPTY)
        {
            uint32_t kept_vertex = find_within(welder, mesh->vertices[vertex]);
            welder->welded[vertex] = kept_vertex != EMPTY ? kept_vertex : add_vertex(welder, vertex);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Memory
// -----------------------------------------------------------------------------------------------------------

static uint32_t* allocate_empty(const AbutHost* host, size_t count)
{
    uint32_t* array = abut_memory_allocate(host, count, sizeof(uint32_t));
    for (size_t i = 0; array != NULL && i < count; ++i)
    {
        array[i] = EMPTY;
    }
    return array;
}

static bool open_welder(Welder* welder)
{
    const AbutMesh* mesh = welder->mesh;
    size_t corner_count = (size_t)mesh->triangle_count * 3;
    welder->capacity = corner_count < mesh->vertex_count ? (uint32_t)corner_count : mesh->vertex_count;
    welder->head_count = 64;
    while (welder->head_count < welder->capacity && welder->head_count < 1u << 31)
    {
        welder->head_count *= 2;
    }
    // A seed from all of the data, so that no input can be made of positions with colliding hashes.
    welder->seed = abut_hash(mesh->vertices, mesh->vertex_count * sizeof(AbutVec3), 0);
    welder->welded = allocate_empty(&welder->host, mesh->vertex_count);
    welder->origins = abut_memory_allocate(&welder->host, welder->capacity, sizeof(uint32_t));
    welder->next = abut_memory_allocate(&welder->host, welder->capacity, sizeof(uint32_t));
    welder->heads = allocate_empty(&welder->host, welder->head_count);
    return welder->welded != NULL && welder->origins != NULL && welder->next != NULL && welder->heads != NULL;
}

static void close_welder(Welder* welder)
{
    abut_memory_free(&welder->host, welder->welded, welder->mesh->vertex_count, sizeof(uint32_t));
    abut_memory_free(&welder->host, welder->origins, welder->capacity, sizeof(uint32_t));
    abut_memory_free(&welder->host, welder->next, welder->capacity, sizeof(uint32_t));
    abut_memory_free(&welder->host, welder->heads, welder->head_count, sizeof(uint32_t));
}

static AbutResult make_mesh(const Welder* welder, AbutMesh** out)
{
    const AbutMesh* mesh = welder->mesh;
    AbutMesh* result_mesh = NULL;
    AbutResult result =
        abut_mesh_create_uninitialized(welder->count, mesh->triangle_count, &welder->host, &result_mesh);
    if (result != ABUT_OK)
    {
        return result;
    }
    for (uint32_t i = 0; i < welder->count; ++i)
    {
        result_mesh->vertices[i] = mesh->vertices[welder->origins[i]];
    }
    for (size_t i = 0; i < (size_t)mesh->triangle_count * 3; ++i)
    {
        result_mesh->indices[i] = welder->welded[mesh->indices[i]];
    }
    abut_mesh_finish(result_mesh);
    *out = result_mesh;
    return ABUT_OK;
}

AbutResult abut_mesh_weld(const AbutMesh* mesh, float tolerance, const AbutHost* host, AbutMesh** out)
{
    ABUT_FP_CALL(abut_mesh_weld, mesh, tolerance, host, out);
    *out = NULL;
    if (!(tolerance >= 0.0f) || !isfinite(tolerance))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "mesh weld: the tolerance is %g; it must be finite and not negative",
                         (double)tolerance);
    }
    Welder welder = { .host = abut_host_resolve(host), .mesh = mesh, .tolerance = tolerance };
    welder.radius = welder.tolerance * (1.0 + 0x1p-48);
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (open_welder(&welder))
    {
        weld_vertices(&welder);
        result = make_mesh(&welder, out);
    }
    close_welder(&welder);
    return result;
}
