// Full grids: every node's distance, and everything that a bake makes of it, against the trees of others.
//
// Processor time of one thread on both sides, trees and all: a tree's time is that of building it, shared out
// to the nodes, and that of its queries. On large grids the peers are asked for whole rows, spread evenly,
// instead of all; the rows' names say how many. Their distances are compared with ours, so that both sides
// did the same work.
#include "bake_cases.h"
#include "peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    REPEATS = 3, // quick: 1
    MOST_TREES = 4,
    SAMPLED_NODES = 1 << 18,      // of a peer, at most
    QUICK_SAMPLED_NODES = 1 << 15 //
};

/// Complete bakes that take longer are run once.
static const double LONG_BAKE = 4.0; // seconds

static bool say_last_error(const char* what, const char* mesh)
{
    fprintf(stderr, "abut: bench bake: %s of %s: %s\n", what, mesh, abut_last_error());
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Trees of others
// -----------------------------------------------------------------------------------------------------------

typedef struct PeerTree
{
    const BenchTree* kind;
    void* tree;
    double build_seconds;
} PeerTree;

static int create_trees(const AbutMesh* mesh, PeerTree trees[MOST_TREES])
{
    int count = 0;
    for (const BenchTree* const* kind = bench_trees(); *kind != NULL && count < MOST_TREES; ++kind)
    {
        double start = bench_cpu_seconds();
        void* tree = (*kind)->create(mesh);
        if (tree != NULL)
        {
            trees[count++] = (PeerTree){ *kind, tree, bench_cpu_seconds() - start };
        }
    }
    return count;
}

static void destroy_trees(PeerTree trees[MOST_TREES], int count)
{
    for (int i = 0; i < count; ++i)
    {
        trees[i].kind->destroy(trees[i].tree);
    }
}

/// Nodes of every stride-th row along y and z, there and back again.
typedef struct Rows
{
    AbutVec3* points;
    size_t* nodes; // their numbers in the grid
    float* distances;
    size_t count;
    uint32_t stride;
} Rows;

static uint32_t row_stride(uint32_t side, double most_nodes)
{
    double stride = ceil((double)side * sqrt((double)side / most_nodes));
    return stride > 1.0 ? (uint32_t)stride : 1u;
}

static bool create_rows(const AbutBakeDistancesDef* def, double most_nodes, Rows* rows)
{
    uint32_t side = def->node_count[0];
    rows->stride = row_stride(side, most_nodes);
    size_t lines = (side + rows->stride - 1) / rows->stride;
    rows->count = 0;
    rows->points = malloc(lines * lines * side * sizeof(AbutVec3));
    rows->nodes = malloc(lines * lines * side * sizeof(size_t));
    rows->distances = malloc(lines * lines * side * sizeof(float));
    if (rows->points == NULL || rows->nodes == NULL || rows->distances == NULL)
    {
        fprintf(stderr, "abut: bench bake: no memory for the nodes of a grid\n");
        return false;
    }
    for (size_t line = 0; line < lines * lines; ++line)
    {
        size_t z = line / lines, y = z % 2 == 0 ? line % lines : lines - 1 - line % lines;
        for (uint32_t i = 0; i < side; ++i)
        {
            size_t x = line % 2 == 0 ? i : side - 1 - i;
            rows->nodes[rows->count] = (z * rows->stride * side + y * rows->stride) * side + x;
            rows->points[rows->count++] =
                abut_vec3((float)(def->origin.x + def->cell_size * (double)x),
                          (float)(def->origin.y + def->cell_size * (double)(y * rows->stride)),
                          (float)(def->origin.z + def->cell_size * (double)(z * rows->stride)));
        }
    }
    return true;
}

static void destroy_rows(Rows* rows)
{
    free(rows->points);
    free(rows->nodes);
    free(rows->distances);
}

static double time_tree(const PeerTree* tree, Rows* rows)
{
    double start = bench_cpu_seconds();
    tree->kind->measure(tree->tree, rows->points, rows->count, rows->distances);
    return bench_cpu_seconds() - start;
}

/// False with a message when a peer's distances are not ours.
static bool check_rows(const Rows* rows, const float* distances, const BakeMesh* mesh, const char* peer)
{
    AbutBox cube = bake_mesh_cube(mesh->mesh, 0.0);
    double size = (double)cube.max.x - (double)cube.min.x, worst = 0.0;
    for (size_t i = 0; i < rows->count; ++i)
    {
        worst = fmax(worst, fabs((double)rows->distances[i] - (double)distances[rows->nodes[i]]));
    }
    if (!(worst <= 1e-5 * size))
    {
        fprintf(stderr, "abut: bench bake: %s and abut differ by %g on %s, %g across\n", peer, worst,
                mesh->name, size);
        return false;
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// One grid
// -----------------------------------------------------------------------------------------------------------

typedef struct Dense
{
    const BakeBench* bench;
    const BakeMesh* mesh;
    uint32_t side;
    int repeats;
    PeerTree trees[MOST_TREES];
    int tree_count;
    double tree_times[MOST_TREES][REPEATS]; // of the sampled rows
    double own_times[REPEATS];
    double node_nanoseconds[MOST_TREES]; // of the peers, trees included
    char peer_names[MOST_TREES][48];
} Dense;

static AbutBakeDistancesDef grid_of(const BakeBench* bench, const AbutMesh* mesh, uint32_t side)
{
    AbutBox cube = bake_mesh_cube(mesh, 2.0 / side);
    AbutBakeDistancesDef def = abut_bake_distances_def();
    def.origin = (AbutPosition){ cube.min.x, cube.min.y, cube.min.z };
    def.cell_size = ((double)cube.max.x - (double)cube.min.x) / (side - 1);
    def.node_count[0] = def.node_count[1] = def.node_count[2] = side;
    def.host = &bench->alone;
    return def;
}

/// Turns of abut and the peers, so that all see the machine in the same state.
static bool take_turns(Dense* self, const AbutBakeDistancesDef* def, Rows* rows, float* distances)
{
    for (int repeat = 0; repeat < self->repeats; ++repeat)
    {
        double start = bench_cpu_seconds();
        if (abut_bake_distances(def, self->mesh->mesh, distances) != ABUT_OK)
        {
            return say_last_error("distances", self->mesh->name);
        }
        self->own_times[repeat] = bench_cpu_seconds() - start;
        for (int i = 0; i < self->tree_count; ++i)
        {
            self->tree_times[i][repeat] = time_tree(&self->trees[i], rows);
            if (repeat == 0 && !check_rows(rows, distances, self->mesh, self->trees[i].kind->name))
            {
                return false;
            }
        }
    }
    return true;
}

/// Rows of one value against every peer, or alone when there is none.
static void report_peers(const Dense* self, const char* what, double nanoseconds)
{
    char name[64];
    snprintf(name, sizeof(name), "%s %u\u00b3, %s", what, self->side, self->mesh->name);
    for (int i = 0; i < self->tree_count; ++i)
    {
        bench_report_row(self->bench->report, name, nanoseconds, "ns/node", self->peer_names[i],
                         self->node_nanoseconds[i], false);
    }
    if (self->tree_count == 0)
    {
        bench_report_row(self->bench->report, name, nanoseconds, "ns/node", NULL, 0.0, false);
    }
}

static bool bench_distances(Dense* self)
{
    AbutBakeDistancesDef def = grid_of(self->bench, self->mesh->mesh, self->side);
    double nodes = pow(self->side, 3.0);
    Rows rows = { 0 };
    float* distances = malloc((size_t)nodes * sizeof(float));
    bool ok = create_rows(&def, self->bench->quick ? QUICK_SAMPLED_NODES : SAMPLED_NODES, &rows) &&
              distances != NULL && take_turns(self, &def, &rows, distances);
    for (int i = 0; i < self->tree_count && ok; ++i)
    {
        double query = bench_median(self->tree_times[i], self->repeats) / (double)rows.count;
        self->node_nanoseconds[i] = 1e9 * (query + self->trees[i].build_seconds / nodes);
        snprintf(self->peer_names[i], sizeof(self->peer_names[i]), "%s, 1 row in %u",
                 self->trees[i].kind->name, rows.stride * rows.stride);
    }
    if (ok)
    {
        report_peers(self, "distances", 1e9 * bench_median(self->own_times, self->repeats) / nodes);
    }
    free(distances);
    destroy_rows(&rows);
    return ok;
}

/// Seconds of processor of one complete bake, or a negative number.
static double time_complete(const AbutBakeDef* def, const BakeMesh* mesh, double* nodes)
{
    AbutShape* field = NULL;
    double start = bench_cpu_seconds();
    if (abut_bake_mesh(def, mesh->mesh, &field) != ABUT_OK)
    {
        say_last_error("a field", mesh->name);
        return -1.0;
    }
    double seconds = bench_cpu_seconds() - start;
    AbutFieldInfo info = abut_field_info(field);
    *nodes = (info.cell_count[0] + 1.0) * (info.cell_count[1] + 1.0) * (info.cell_count[2] + 1.0);
    abut_shape_destroy(field);
    return seconds;
}

static AbutBakeDef complete_def(const BakeMesh* mesh, uint32_t side)
{
    AbutBakeDef def = abut_bake_def();
    def.box = bake_mesh_cube(mesh->mesh, 2.0 / side);
    def.resolution = side;
    def.format = ABUT_FIELD_FIRST_ORDER;
    return def;
}

static bool bench_complete(Dense* self)
{
    AbutBakeDef def = complete_def(self->mesh, self->side);
    def.host = &self->bench->alone;
    double times[REPEATS], nodes = 0.0;
    int count = 0;
    do
    {
        times[count] = time_complete(&def, self->mesh, &nodes);
        if (times[count] < 0.0)
        {
            return false;
        }
        ++count;
    } while (count < self->repeats && times[count - 1] < LONG_BAKE);
    report_peers(self, "complete", 1e9 * bench_median(times, count) / nodes);
    return true;
}

bool bake_bench_dense(const BakeBench* bench, const BakeMesh* mesh, const uint32_t* sides, int side_count)
{
    Dense self = { .bench = bench, .mesh = mesh, .repeats = bench->quick ? 1 : REPEATS };
    self.tree_count = create_trees(mesh->mesh, self.trees);
    bool ok = true;
    for (int i = 0; i < side_count && ok; ++i)
    {
        self.side = sides[i];
        ok = bench_distances(&self) && bench_complete(&self);
    }
    destroy_trees(self.trees, self.tree_count);
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Workers
// -----------------------------------------------------------------------------------------------------------

typedef struct WorkersRun
{
    const BakeMesh* mesh;
    AbutBakeDistancesDef distances_def;
    AbutBakeDef complete_def;
    float* distances;
    bool failed;
} WorkersRun;

static void run_distances(void* context)
{
    WorkersRun* run = context;
    run->failed |= abut_bake_distances(&run->distances_def, run->mesh->mesh, run->distances) != ABUT_OK;
}

static void run_complete(void* context)
{
    WorkersRun* run = context;
    AbutShape* field = NULL;
    run->failed |= abut_bake_mesh(&run->complete_def, run->mesh->mesh, &field) != ABUT_OK;
    abut_shape_destroy(field);
}

static void report_workers(const BakeBench* bench, WorkersRun* run, const char* what, uint32_t side,
                           void (*function)(void* context))
{
    char name[64];
    snprintf(name, sizeof(name), "%u workers, %s %u\u00b3, %s", abut_processor_count(), what, side,
             run->mesh->name);
    run->distances_def.host = run->complete_def.host = NULL;
    double seconds = bench_median_seconds(function, run, REPEATS);
    run->distances_def.host = run->complete_def.host = &bench->alone;
    double alone = bench_median_seconds(function, run, REPEATS);
    bench_report_row(bench->report, name, seconds, "s", "one worker", alone, false);
}

bool bake_bench_workers(const BakeBench* bench, const BakeMesh* mesh, uint32_t side)
{
    WorkersRun run = { .mesh = mesh, .distances_def = grid_of(bench, mesh->mesh, side) };
    run.complete_def = complete_def(mesh, side);
    run.distances = malloc((size_t)side * side * side * sizeof(float));
    if (run.distances == NULL)
    {
        fprintf(stderr, "abut: bench bake: no memory for the nodes of a grid\n");
        return false;
    }
    report_workers(bench, &run, "distances", side, run_distances);
    report_workers(bench, &run, "complete", side, run_complete);
    free(run.distances);
    return !run.failed || say_last_error("a field", mesh->name);
}
