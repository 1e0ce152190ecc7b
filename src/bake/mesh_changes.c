#include "bake/mesh_changes.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/corners.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct Corners
{
    AbutVec3 at[3];
} Corners;

static Corners corners_of(const AbutMesh* mesh, uint32_t triangle)
{
    const uint32_t* index = mesh->indices + 3 * (size_t)triangle;
    Corners corners = { { mesh->vertices[index[0]], mesh->vertices[index[1]], mesh->vertices[index[2]] } };
    return corners;
}

static bool is_same(const AbutMesh* a, uint32_t i, const AbutMesh* b, uint32_t j)
{
    Corners p = corners_of(a, i), q = corners_of(b, j);
    return memcmp(&p, &q, sizeof(p)) == 0;
}

static uint32_t power_of_two_over(uint64_t count)
{
    uint32_t size = 16;
    while (size < count && size < UINT32_C(1) << 31)
    {
        size *= 2;
    }
    return size;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

/// The triangles [first, end) of each mesh, without equal ones at the begins and ends of the lists.
typedef struct Difference
{
    const AbutMesh *before, *after;
    uint32_t first, before_end, after_end;
    uint32_t* heads;  // by hash: the first triangle before with it, or NONE
    uint32_t* next;   // by triangle before, from `first` on
    uint8_t* matched; // by triangle before, from `first` on: it is in the mesh after, too
    uint32_t mask;
    Corners* changed; // before and after, `before_count` and then the others
    uint32_t changed_count, before_count;
} Difference;

static void trim(Difference* self)
{
    uint32_t a = self->before->triangle_count, b = self->after->triangle_count;
    while (self->first < a && self->first < b && is_same(self->before, self->first, self->after, self->first))
    {
        self->first += 1;
    }
    while (a > self->first && b > self->first && is_same(self->before, a - 1, self->after, b - 1))
    {
        a -= 1;
        b -= 1;
    }
    self->before_end = a;
    self->after_end = b;
}

static uint32_t bucket_of(const Difference* self, const AbutMesh* mesh, uint32_t triangle)
{
    Corners corners = corners_of(mesh, triangle);
    return (uint32_t)abut_hash(&corners, sizeof(corners), 0) & self->mask;
}

static void file_triangles(Difference* self)
{
    memset(self->heads, 0xFF, ((size_t)self->mask + 1) * sizeof(uint32_t));
    for (uint32_t i = self->before_end; i-- > self->first;)
    {
        uint32_t* head = &self->heads[bucket_of(self, self->before, i)];
        self->next[i - self->first] = *head;
        *head = i;
        self->matched[i - self->first] = 0;
    }
}

/// The first triangle before, from `from` on, that is the same as one after.
static uint32_t find_before(Difference* self, uint32_t after, uint32_t from)
{
    uint32_t* head = &self->heads[bucket_of(self, self->after, after)];
    while (*head != NONE && *head < from) // passed: no later one may use it either
    {
        *head = self->next[*head - self->first];
    }
    uint32_t i = *head;
    while (i != NONE && !is_same(self->before, i, self->after, after))
    {
        i = self->next[i - self->first];
    }
    return i;
}

/// Pairs are matched in the same order in both meshes, so that the first of equal triangles stays the same.
static void pair_triangles(Difference* self)
{
    uint32_t from = self->first, left = self->before_end - self->first;
    self->before_count = left;
    self->changed_count = left; // space for the triangles before, filled below
    for (uint32_t j = self->first; j < self->after_end; ++j)
    {
        uint32_t i = find_before(self, j, from);
        if (i != NONE)
        {
            self->matched[i - self->first] = 1;
            from = i + 1;
        }
        else
        {
            self->changed[self->changed_count++] = corners_of(self->after, j);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < left; ++i)
    {
        if (self->matched[i] == 0)
        {
            self->changed[kept++] = corners_of(self->before, self->first + i);
        }
    }
    memmove(self->changed + kept, self->changed + left, (self->changed_count - left) * sizeof(Corners));
    self->changed_count -= left - kept;
    self->before_count = kept;
}

static bool find_difference(AbutArena* arena, Difference* self)
{
    trim(self);
    uint32_t before = self->before_end - self->first, after = self->after_end - self->first;
    self->mask = power_of_two_over(2 * (uint64_t)before) - 1;
    self->heads = abut_arena_allocate(arena, (size_t)self->mask + 1, sizeof(uint32_t));
    self->next = abut_arena_allocate(arena, before, sizeof(uint32_t));
    self->matched = abut_arena_allocate(arena, before, sizeof(uint8_t));
    self->changed = abut_arena_allocate(arena, (size_t)before + after, sizeof(Corners));
    if (self->heads == NULL || self->next == NULL || self->matched == NULL || self->changed == NULL)
    {
        return false;
    }
    file_triangles(self);
    pair_triangles(self);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Regions
// -----------------------------------------------------------------------------------------------------------

/// An edge, and the triangles with it from `low` to `high`, after minus before.
typedef struct Edge
{
    uint32_t low, high;
    int64_t count;
} Edge;

typedef struct Regions
{
    const Difference* difference;
    uint32_t* table;     // of vertices, by hash of their position
    AbutVec3* positions; // of vertices
    uint32_t* parents;   // of vertices: union-find
    uint32_t vertex_count, table_mask;
    Edge* edges; // by hash
    uint32_t edge_mask;
    uint32_t* numbers; // of regions, by root
} Regions;

static AbutVec3 without_minus_zero(AbutVec3 v)
{
    return abut_vec3(v.x + 0.0f, v.y + 0.0f, v.z + 0.0f);
}

static uint32_t vertex_at(Regions* self, AbutVec3 corner)
{
    AbutVec3 position = without_minus_zero(corner);
    uint32_t i = (uint32_t)abut_hash(&position, sizeof(position), 0) & self->table_mask;
    while (self->table[i] != NONE)
    {
        if (memcmp(&self->positions[self->table[i]], &position, sizeof(position)) == 0)
        {
            return self->table[i];
        }
        i = (i + 1) & self->table_mask;
    }
    self->table[i] = self->vertex_count;
    self->positions[self->vertex_count] = position;
    self->parents[self->vertex_count] = self->vertex_count;
    return self->vertex_count++;
}

static void add_edge(Regions* self, uint32_t from, uint32_t to, int64_t count)
{
    if (from == to)
    {
        return;
    }
    Edge edge = { from < to ? from : to, from < to ? to : from, 0 };
    uint64_t key = (uint64_t)edge.low << 32 | edge.high;
    uint32_t i = (uint32_t)abut_hash(&key, sizeof(key), 0) & self->edge_mask;
    while (self->edges[i].low != self->edges[i].high &&
           (self->edges[i].low != edge.low || self->edges[i].high != edge.high))
    {
        i = (i + 1) & self->edge_mask;
    }
    edge.count = self->edges[i].low == self->edges[i].high ? 0 : self->edges[i].count;
    edge.count += from < to ? count : -count;
    self->edges[i] = edge;
}

static bool allocate_regions(AbutArena* arena, Regions* self)
{
    size_t corners = 3 * (size_t)self->difference->changed_count;
    self->table_mask = self->edge_mask = power_of_two_over(2 * (uint64_t)corners) - 1;
    size_t slots = (size_t)self->table_mask + 1;
    self->table = abut_arena_allocate(arena, slots, sizeof(uint32_t));
    self->positions = abut_arena_allocate(arena, corners, sizeof(AbutVec3));
    self->parents = abut_arena_allocate(arena, corners, sizeof(uint32_t));
    self->numbers = abut_arena_allocate(arena, corners, sizeof(uint32_t));
    self->edges = abut_arena_allocate(arena, slots, sizeof(Edge));
    if (self->table == NULL || self->positions == NULL || self->parents == NULL || self->numbers == NULL ||
        self->edges == NULL)
    {
        return false;
    }
    memset(self->table, 0xFF, slots * sizeof(uint32_t));
    memset(self->numbers, 0xFF, corners * sizeof(uint32_t));
    memset(self->edges, 0, slots * sizeof(Edge)); // an edge from a vertex to itself is an empty entry
    return true;
}

static void connect_triangles(Regions* self)
{
    const Difference* difference = self->difference;
    for (uint32_t i = 0; i < difference->changed_count; ++i)
    {
        uint32_t v[3];
        for (int k = 0; k < 3; ++k)
        {
            v[k] = vertex_at(self, difference->changed[i].at[k]);
            abut_union_find_join(self->parents, v[0], v[k]);
        }
        for (int edge = 0; edge < 3; ++edge)
        {
            add_edge(self, v[edge], v[(edge + 1) % 3], i < difference->before_count ? -1 : 1);
        }
    }
}

static bool edges_cancel(const Regions* self)
{
    for (size_t i = 0; i <= self->edge_mask; ++i)
    {
        if (self->edges[i].count != 0)
        {
            return false;
        }
    }
    return true;
}

static void box_regions(Regions* self, AbutMeshChanges* out)
{
    for (uint32_t v = 0; v < self->vertex_count; ++v)
    {
        uint32_t* number = &self->numbers[abut_union_find_root(self->parents, v)];
        if (*number == NONE)
        {
            *number = out->region_count;
            out->regions[out->region_count++] = abut_box_empty();
        }
        out->regions[*number] = abut_box_add_point(out->regions[*number], self->positions[v]);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Changes
// -----------------------------------------------------------------------------------------------------------

static AbutBox item_box(void* context, uint32_t item)
{
    return ((const AbutBox*)context)[item];
}

static AbutResult build_trees(AbutMeshChanges* self)
{
    AbutResult result = abut_box_tree_create(&self->host, self->triangle_count, item_box, self->triangles,
                                             &self->triangle_tree);
    return result == ABUT_OK ? abut_box_tree_create(&self->host, self->region_count, item_box, self->regions,
                                                    &self->region_tree)
                             : result;
}

static AbutResult fill_changes(AbutArena* arena, const Difference* difference, AbutMeshChanges* out)
{
    Regions regions = { .difference = difference };
    out->triangle_count = difference->changed_count;
    out->triangles = abut_memory_allocate(&out->host, out->triangle_count, sizeof(AbutBox));
    out->regions = abut_memory_allocate(&out->host, out->triangle_count, sizeof(AbutBox));
    if (out->triangles == NULL || out->regions == NULL || !allocate_regions(arena, &regions))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < out->triangle_count; ++i)
    {
        const AbutVec3* at = difference->changed[i].at;
        out->triangles[i] = abut_box_add_point(abut_box_add_point(abut_box(at[0], at[0]), at[1]), at[2]);
    }
    connect_triangles(&regions);
    out->same_border = edges_cancel(&regions);
    box_regions(&regions, out);
    return build_trees(out);
}

AbutResult abut_mesh_changes_create(const AbutHost* host, const AbutMesh* before, const AbutMesh* after,
                                    AbutMeshChanges* out)
{
    ABUT_ASSERT(before->triangle_count <= ABUT_BOX_TREE_MAX_ITEMS / 2 &&
                after->triangle_count <= ABUT_BOX_TREE_MAX_ITEMS / 2);
    *out = (AbutMeshChanges){ .host = abut_host_resolve(host) };
    AbutArena arena = abut_arena_make(host);
    Difference difference = { .before = before, .after = after };
    AbutResult result =
        find_difference(&arena, &difference) ? fill_changes(&arena, &difference, out) : ABUT_OUT_OF_MEMORY;
    abut_arena_clear(&arena);
    if (result != ABUT_OK)
    {
        abut_mesh_changes_destroy(out);
    }
    return result;
}

void abut_mesh_changes_destroy(AbutMeshChanges* self)
{
    if (self->host.free == NULL)
    {
        return;
    }
    abut_box_tree_destroy(&self->host, &self->triangle_tree);
    abut_box_tree_destroy(&self->host, &self->region_tree);
    abut_memory_free(&self->host, self->triangles, self->triangle_count, sizeof(AbutBox));
    abut_memory_free(&self->host, self->regions, self->triangle_count, sizeof(AbutBox));
    *self = (AbutMeshChanges){ 0 };
}

double abut_mesh_changes_distance(const AbutMeshChanges* self, AbutDVec3 point)
{
    const AbutBoxTree* tree = &self->triangle_tree;
    double least = INFINITY;
    for (uint32_t i = 0; i < tree->node_count;)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        if (abut_box_node_squared_distance(node, point) >= least)
        {
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            least = fmin(least, abut_box_squared_distance(self->triangles[tree->items[slot]], point));
        }
        i += 1;
    }
    return sqrt(least);
}

bool abut_mesh_changes_overlap(const AbutMeshChanges* self, AbutBox box)
{
    uint32_t cursor = 0;
    AbutBoxLeaf leaf;
    while (abut_box_tree_next_overlap(&self->region_tree, &box, 0, &cursor, &leaf))
    {
        for (uint32_t slot = leaf.first; slot < leaf.end; ++slot)
        {
            if (abut_box_overlap(self->regions[self->region_tree.items[slot]], box))
            {
                return true;
            }
        }
    }
    return false;
}
