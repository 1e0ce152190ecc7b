// Fans for small loops of a border. At every point as many edges of a border begin as end, so the border is a
// union of loops that pass through each of their points once.
#include "mesh/closure/patch_loops.h"

#include "base/memory.h"
#include "mesh/closure/patch_distance.h"
#include "mesh/corners.h"

#include <string.h>

#define NONE UINT32_MAX

/// Small loose pieces with more than this fraction of the area may be the whole mesh, and are left alone.
static const double MAX_DEBRIS = 0.1;

typedef struct Walk
{
    AbutPatching* patching;
    uint32_t point_count; // before fans add theirs
    uint32_t* offsets;    // by point, and one more: where its edges begin
    uint32_t* order;      // edges by the point that they leave
    uint32_t* left;       // by edge: the copies that are not visited yet
    uint32_t* path;       // edges
    uint32_t* steps;      // by point: which step of the path leaves it, or NONE
    size_t path_count, path_capacity;
    AbutEdgeChain chain;
    bool keeps_pieces;
} Walk;

static const AbutChainEdge* edge_of(const Walk* self, uint32_t number)
{
    return &self->patching->border.edges[number];
}

// -----------------------------------------------------------------------------------------------------------
// One loop
// -----------------------------------------------------------------------------------------------------------

/// Adds the middle of a loop to the points.
static bool add_apex(Walk* self, const uint32_t* loop, size_t count)
{
    AbutPatching* patching = self->patching;
    AbutDVec3 sum = abut_dvec3_zero();
    for (size_t i = 0; i < count; ++i)
    {
        const AbutChainEdge* edge = edge_of(self, loop[i]);
        AbutDVec3 ends = abut_dvec3_add(abut_dvec3_from_vec3(patching->points[edge->from]),
                                        abut_dvec3_from_vec3(patching->points[edge->to]));
        sum = abut_dvec3_add(sum, abut_dvec3_div(abut_dvec3_scale(ends, 0.5), (double)count));
    }
    if (!abut_memory_grow(&patching->host, (void**)&patching->points, &patching->point_capacity,
                          (size_t)patching->point_count + 1, sizeof(AbutVec3)))
    {
        return false;
    }
    patching->points[patching->point_count++] = abut_dvec3_to_vec3(sum);
    return true;
}

static bool stays(const Walk* self, const AbutChainEdge* edge)
{
    return self->keeps_pieces &&
           abut_patching_is_small(self->patching, edge->triangle, self->patching->widest);
}

/// Upper bound of the distance of a fan from the mesh; infinite for loops that are left open.
static double fan_distance(const Walk* self, uint32_t number, uint32_t apex)
{
    const AbutChainEdge* edge = edge_of(self, number);
    const uint32_t corners[3] = { edge->to, edge->from, apex };
    return stays(self, edge) ? INFINITY : abut_patching_off(self->patching, edge, corners);
}

static bool add_fan(Walk* self, uint32_t number, uint32_t apex)
{
    AbutChainEdge edge = *edge_of(self, number);
    const uint32_t corners[3] = { edge.to, edge.from, apex };
    edge.count = 1;
    return abut_patching_add(self->patching, &edge, corners, &self->chain);
}

/// A loop of three needs no point in the middle.
static bool fill_triangle(Walk* self, const uint32_t loop[3])
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < 3; ++i)
    {
        double off = fan_distance(self, loop[i], edge_of(self, loop[(i + 1) % 3])->to);
        best = off < least ? i : best;
        least = abut_smaller(least, off);
    }
    return least > self->patching->widest ||
           add_fan(self, loop[best], edge_of(self, loop[(best + 1) % 3])->to);
}

static bool fill_loop(Walk* self, const uint32_t* loop, size_t count)
{
    AbutPatching* patching = self->patching;
    if (count == 3)
    {
        return fill_triangle(self, loop);
    }
    if (!add_apex(self, loop, count))
    {
        return false;
    }
    uint32_t apex = patching->point_count - 1;
    double most = 0.0;
    for (size_t i = 0; i < count && most <= patching->widest; ++i)
    {
        most = abut_larger(most, fan_distance(self, loop[i], apex));
    }
    if (most > patching->widest)
    {
        patching->point_count -= 1;
        return true;
    }
    bool added = true;
    for (size_t i = 0; added && i < count; ++i)
    {
        added = add_fan(self, loop[i], apex);
    }
    return added;
}

// -----------------------------------------------------------------------------------------------------------
// All loops
// -----------------------------------------------------------------------------------------------------------

/// The next edge: of several, the edge that ends closest to the begin of the path, so that loops are short.
static uint32_t choose_edge(const Walk* self, uint32_t point)
{
    const AbutPatching* patching = self->patching;
    uint32_t best = NONE;
    double least = INFINITY;
    AbutVec3 begin = patching->points[self->path_count > 0 ? edge_of(self, self->path[0])->from : point];
    for (uint32_t i = self->offsets[point]; i < self->offsets[point + 1]; ++i)
    {
        uint32_t edge = self->order[i];
        AbutVec3 to = patching->points[edge_of(self, edge)->to];
        double distance = (double)abut_vec3_length(abut_vec3_sub(to, begin));
        if (self->left[edge] > 0 && (best == NONE || distance < least))
        {
            best = edge;
            least = distance;
        }
    }
    return best;
}

/// Removes the loop that the end of the path closes.
static bool close_loop(Walk* self, uint32_t point)
{
    uint32_t step = self->steps[point];
    bool filled = fill_loop(self, self->path + step, self->path_count - step);
    for (size_t i = step; i < self->path_count; ++i)
    {
        self->steps[edge_of(self, self->path[i])->from] = NONE;
    }
    self->path_count = step;
    return filled;
}

/// Visits all edges that are connected to a point.
static bool walk_from(Walk* self, uint32_t point)
{
    bool filled = true;
    for (uint32_t edge = choose_edge(self, point); filled && edge != NONE; edge = choose_edge(self, point))
    {
        self->steps[point] = (uint32_t)self->path_count;
        if (!abut_memory_grow(&self->patching->host, (void**)&self->path, &self->path_capacity,
                              self->path_count + 1, sizeof(uint32_t)))
        {
            return false;
        }
        self->path[self->path_count++] = edge;
        self->left[edge] -= 1;
        point = edge_of(self, edge)->to;
        filled = self->steps[point] == NONE || close_loop(self, point);
    }
    return filled;
}

static void sort_edges(Walk* self)
{
    const AbutEdgeChain* border = &self->patching->border;
    memset(self->offsets, 0, ((size_t)self->point_count + 1) * sizeof(uint32_t));
    for (size_t i = 0; i < border->count; ++i)
    {
        self->offsets[border->edges[i].from + 1] += 1;
        self->left[i] = border->edges[i].count;
    }
    for (uint32_t p = 0; p < self->point_count; ++p)
    {
        self->offsets[p + 1] += self->offsets[p];
        self->steps[p] = self->offsets[p]; // next free index, for now
    }
    for (size_t i = 0; i < border->count; ++i)
    {
        self->order[self->steps[border->edges[i].from]++] = (uint32_t)i;
    }
    memset(self->steps, 0xFF, self->point_count * sizeof(uint32_t));
}

static double triangle_area(const AbutMesh* mesh, uint32_t triangle)
{
    AbutDVec3 p[3];
    abut_mesh_corners(mesh, triangle, p);
    return 0.5 * abut_dvec3_length(abut_corners_normal(p));
}

/// True when the small pieces are too much of the area to be debris.
static bool is_made_of_pieces(AbutPatching* self)
{
    double small = 0.0, all = 0.0;
    for (uint32_t t = 0; t < self->half_edges.mesh->triangle_count; ++t)
    {
        double area = triangle_area(self->half_edges.mesh, t);
        all += area;
        small += abut_patching_is_small(self, t, self->widest) ? area : 0.0;
    }
    return small > MAX_DEBRIS * all;
}

static AbutResult fill_loops(Walk* self)
{
    AbutPatching* patching = self->patching;
    bool filled = true;
    self->keeps_pieces = is_made_of_pieces(patching);
    sort_edges(self);
    for (size_t i = 0; filled && i < patching->border.count; ++i)
    {
        filled = abut_edge_chain_add(&self->chain, patching->border.edges[i]);
    }
    for (uint32_t p = 0; filled && p < self->point_count; ++p)
    {
        filled = walk_from(self, p);
        self->path_count = 0;
    }
    return filled ? abut_patching_renew(patching, &self->chain) : ABUT_OUT_OF_MEMORY;
}

AbutResult abut_patching_fill(AbutPatching* patching)
{
    const AbutHost* host = &patching->host;
    const size_t points = patching->point_count, edges = patching->border.count;
    Walk self = { .patching = patching, .point_count = patching->point_count, .chain = { .host = *host } };
    self.offsets = abut_memory_allocate(host, points + 1, sizeof(uint32_t));
    self.steps = abut_memory_allocate(host, points, sizeof(uint32_t));
    self.order = abut_memory_allocate(host, edges, sizeof(uint32_t));
    self.left = abut_memory_allocate(host, edges, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (self.offsets != NULL && self.steps != NULL && self.order != NULL && self.left != NULL)
    {
        result = fill_loops(&self);
    }
    abut_memory_free(host, self.path, self.path_capacity, sizeof(uint32_t));
    abut_memory_free(host, self.left, edges, sizeof(uint32_t));
    abut_memory_free(host, self.order, edges, sizeof(uint32_t));
    abut_memory_free(host, self.steps, points, sizeof(uint32_t));
    abut_memory_free(host, self.offsets, points + 1, sizeof(uint32_t));
    abut_edge_chain_destroy(&self.chain);
    return result;
}
