// Greedy merging of convex pieces to a binary tree.
#include "decompose/hierarchy.h"

#include "base/memory.h"
#include "base/sort.h"
#include "decompose/piece_hull.h"
#include "math/rounding.h"

#include <string.h>

enum
{
    SAMPLE_CAPACITY = 64, // vertices of a piece whose depth is measured
    LID_COUNT = 8,        // largest faces of a hull whose distance from the solid is measured
    SPREAD_COUNT = 24     // further faces, evenly spread over all of them
};

#define NO_PARENT UINT32_MAX

/// Share of the size of a merged piece in its cost.
static const double SIZE_SHARE = 1e-3;

/// Vertices of the mesh that stand for those of a piece.
typedef struct Samples
{
    AbutVec3 points[SAMPLE_CAPACITY];
    uint32_t count;
} Samples;

/// A pair of neighbours and the cost of its merging.
typedef struct Candidate
{
    double cost;
    float concavity;
    uint32_t a, b; // nodes, a < b
} Candidate;

typedef struct Neighbors
{
    uint32_t* items;
    size_t capacity;
    uint32_t count;
} Neighbors;

typedef struct Merging
{
    const AbutSolid* solid;
    const AbutHost* host;
    AbutHierarchy* tree;
    uint32_t* parents;    // by node; NO_PARENT for the roots of the forest so far
    Samples* samples;     // by node
    Neighbors* neighbors; // by node
    uint32_t* stamps;     // by node: the list that it was last added to
    Candidate* heap;
    size_t heap_count, heap_capacity;
} Merging;

// -----------------------------------------------------------------------------------------------------------
// Queue of candidates: a binary heap, the least cost first, equal ones by their nodes
// -----------------------------------------------------------------------------------------------------------

static bool is_before(const Candidate* x, const Candidate* y)
{
    if (x->cost != y->cost)
    {
        return x->cost < y->cost;
    }
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void swap_candidates(Candidate* x, Candidate* y)
{
    Candidate t = *x;
    *x = *y;
    *y = t;
}

static bool push(Merging* merging, Candidate candidate)
{
    if (!abut_memory_grow(merging->host, (void**)&merging->heap, &merging->heap_capacity,
                          merging->heap_count + 1, sizeof(Candidate)))
    {
        return false;
    }
    Candidate* heap = merging->heap;
    size_t i = merging->heap_count++;
    heap[i] = candidate;
    for (; i > 0 && is_before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
    {
        swap_candidates(&heap[i], &heap[(i - 1) / 2]);
    }
    return true;
}

static Candidate pop(Merging* merging)
{
    Candidate* heap = merging->heap;
    Candidate first = heap[0];
    heap[0] = heap[--merging->heap_count];
    for (size_t i = 0;;)
    {
        size_t child = 2 * i + 1;
        if (child >= merging->heap_count)
        {
            return first;
        }
        child += child + 1 < merging->heap_count && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &heap[i]))
        {
            return first;
        }
        swap_candidates(&heap[i], &heap[child]);
        i = child;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Cost
// -----------------------------------------------------------------------------------------------------------

static double greatest_depth(const AbutHull* hull, const Samples* samples)
{
    double depth = 0.0;
    for (uint32_t i = 0; i < samples->count; ++i)
    {
        double height = abut_piece_hull_height(hull, abut_dvec3_from_vec3(samples->points[i]));
        depth = abut_larger(hull->face_count > 0 ? -height : 0.0, depth);
    }
    return depth;
}

/// Twice the area of a face.
static double face_size(const AbutHull* hull, uint32_t face)
{
    const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
    AbutDVec3 base = abut_hull_position(hull, abut_hull_tail(hull, polygon->first));
    AbutDVec3 sum = abut_dvec3_zero();
    for (uint32_t i = 1; i + 1 < polygon->count; ++i)
    {
        AbutDVec3 u =
            abut_dvec3_sub(abut_hull_position(hull, abut_hull_tail(hull, polygon->first + i)), base);
        AbutDVec3 v =
            abut_dvec3_sub(abut_hull_position(hull, abut_hull_tail(hull, polygon->first + i + 1)), base);
        sum = abut_dvec3_add(sum, abut_dvec3_cross(u, v));
    }
    return abut_dvec3_length(sum);
}

static double lid_distance(const AbutSolid* solid, const AbutHull* hull, uint32_t face)
{
    return abut_solid_distance(solid, abut_piece_face_middle(hull, face));
}

/// Greatest distance outside of the solid of the middles of faces: the lid of a bore, whose vertices are all
/// on the hull, or of a groove.
static double greatest_lid(const AbutSolid* solid, const AbutHull* hull)
{
    uint32_t largest[LID_COUNT];
    double sizes[LID_COUNT];
    uint32_t count = 0;
    for (uint32_t face = 0; face < hull->face_count; ++face)
    {
        double size = face_size(hull, face);
        uint32_t i = count < LID_COUNT ? count++ : LID_COUNT - 1;
        if (i == LID_COUNT - 1 && face >= LID_COUNT && size <= sizes[i])
        {
            continue;
        }
        for (; i > 0 && sizes[i - 1] < size; --i)
        {
            sizes[i] = sizes[i - 1];
            largest[i] = largest[i - 1];
        }
        sizes[i] = size;
        largest[i] = face;
    }
    double distance = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        distance = abut_larger(lid_distance(solid, hull, largest[i]), distance);
    }
    for (uint32_t i = 0; i < SPREAD_COUNT && hull->face_count > LID_COUNT; ++i)
    {
        uint32_t face = (uint32_t)((uint64_t)i * hull->face_count / SPREAD_COUNT);
        distance = abut_larger(lid_distance(solid, hull, face), distance);
    }
    return distance;
}

static AbutResult push_pair(Merging* merging, uint32_t a, uint32_t b)
{
    AbutHull* hull = NULL;
    AbutResult result = abut_piece_hull_of_hulls(merging->host, merging->tree->nodes[a].hull,
                                                 merging->tree->nodes[b].hull, &hull);
    if (result != ABUT_OK)
    {
        return result;
    }
    double depth = greatest_depth(hull, &merging->samples[a]);
    depth = abut_larger(greatest_depth(hull, &merging->samples[b]), depth);
    depth = abut_larger(greatest_lid(merging->solid, hull), depth);
    Candidate candidate = { .cost = depth + SIZE_SHARE * hull->diameter,
                            .concavity = abut_round_up(depth),
                            .a = a < b ? a : b,
                            .b = a < b ? b : a };
    abut_hull_destroy(hull, merging->host);
    return push(merging, candidate) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

// -----------------------------------------------------------------------------------------------------------
// Merging
// -----------------------------------------------------------------------------------------------------------

static uint32_t root_of(const Merging* merging, uint32_t node)
{
    uint32_t root = node;
    while (merging->parents[root] != NO_PARENT)
    {
        root = merging->parents[root];
    }
    while (merging->parents[node] != NO_PARENT && merging->parents[node] != root)
    {
        uint32_t next = merging->parents[node];
        merging->parents[node] = root;
        node = next;
    }
    return root;
}

/// Each neighbour once: a node that was added last to the list of `node` has its stamp.
static bool add_neighbor(Merging* merging, uint32_t node, uint32_t other)
{
    Neighbors* list = &merging->neighbors[node];
    if (node == other || merging->stamps[other] == node)
    {
        return true;
    }
    if (!abut_memory_grow(merging->host, (void**)&list->items, &list->capacity, (size_t)list->count + 1,
                          sizeof(uint32_t)))
    {
        return false;
    }
    merging->stamps[other] = node;
    list->items[list->count++] = other;
    return true;
}

static void free_neighbors(Merging* merging, uint32_t node)
{
    Neighbors* list = &merging->neighbors[node];
    abut_memory_free(merging->host, list->items, list->capacity, sizeof(uint32_t));
    *list = (Neighbors){ 0 };
}

/// Evenly spread points of both.
static Samples join_samples(const Samples* a, const Samples* b)
{
    Samples out = { .count = a->count + b->count < SAMPLE_CAPACITY ? a->count + b->count : SAMPLE_CAPACITY };
    for (uint32_t i = 0; i < out.count; ++i)
    {
        uint32_t source = i * (a->count + b->count) / out.count;
        out.points[i] = source < a->count ? a->points[source] : b->points[source - a->count];
    }
    return out;
}

/// A new node over two roots.
static AbutResult merge(Merging* merging, uint32_t a, uint32_t b, float concavity, uint32_t* out)
{
    AbutPieceNode* nodes = merging->tree->nodes;
    AbutHull* hull = NULL;
    AbutResult result = abut_piece_hull_of_hulls(merging->host, nodes[a].hull, nodes[b].hull, &hull);
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t node = merging->tree->node_count++;
    float below = nodes[a].concavity > nodes[b].concavity ? nodes[a].concavity : nodes[b].concavity;
    nodes[node] = (AbutPieceNode){ hull, { a, b }, ABUT_PIECE_NONE, concavity > below ? concavity : below };
    merging->parents[a] = merging->parents[b] = node;
    merging->parents[node] = NO_PARENT;
    merging->samples[node] = join_samples(&merging->samples[a], &merging->samples[b]);
    *out = node;
    return ABUT_OK;
}

/// The neighbours of both children become those of the node, with a candidate each.
static AbutResult connect(Merging* merging, uint32_t node)
{
    const uint32_t* children = merging->tree->nodes[node].children;
    for (uint32_t c = 0; c < 2; ++c)
    {
        const Neighbors* list = &merging->neighbors[children[c]];
        for (uint32_t i = 0; i < list->count; ++i)
        {
            if (!add_neighbor(merging, node, root_of(merging, list->items[i])))
            {
                return ABUT_OUT_OF_MEMORY;
            }
        }
        free_neighbors(merging, children[c]);
    }
    for (uint32_t i = 0; i < merging->neighbors[node].count; ++i)
    {
        uint32_t other = merging->neighbors[node].items[i];
        bool is_added = add_neighbor(merging, other, node);
        AbutResult result = is_added ? push_pair(merging, node, other) : ABUT_OUT_OF_MEMORY;
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    return ABUT_OK;
}

static AbutResult merge_neighbors(Merging* merging)
{
    while (merging->heap_count > 0)
    {
        Candidate next = pop(merging);
        if (merging->parents[next.a] != NO_PARENT || merging->parents[next.b] != NO_PARENT)
        {
            continue;
        }
        uint32_t node = 0;
        AbutResult result = merge(merging, next.a, next.b, next.concavity, &node);
        result = result == ABUT_OK ? connect(merging, node) : result;
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Pieces without a common edge: pairs of consecutive ones along a space-filling curve, level by level
// -----------------------------------------------------------------------------------------------------------

/// 21 bits of each coordinate in turn.
static uint64_t curve_key(const AbutSolid* solid, const AbutHull* hull)
{
    AbutBox box = solid->half_edges.mesh->bounds;
    uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = abut_dvec3_get(abut_dvec3_from_vec3(box.min), axis);
        double high = abut_dvec3_get(abut_dvec3_from_vec3(box.max), axis);
        double x = abut_dvec3_get(hull->interior, axis);
        double fraction = high > low ? (x - low) / (high - low) : 0.0;
        uint64_t cell = (uint64_t)(abut_smaller(abut_larger(fraction, 0.0), 1.0) * 0x1FFFFF);
        for (int bit = 0; bit < 21; ++bit)
        {
            key |= (cell >> bit & 1u) << (3 * bit + axis);
        }
    }
    return key;
}

/// Merges pairs of consecutive roots; returns how many are left.
static AbutResult merge_level(Merging* merging, uint32_t* roots, uint32_t* count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i += 2)
    {
        uint32_t node = roots[i];
        if (i + 1 < *count)
        {
            AbutResult result = push_pair(merging, roots[i], roots[i + 1]);
            if (result == ABUT_OK)
            {
                Candidate pair = pop(merging);
                result = merge(merging, pair.a, pair.b, pair.concavity, &node);
            }
            if (result != ABUT_OK)
            {
                return result;
            }
        }
        roots[kept++] = node;
    }
    *count = kept;
    return ABUT_OK;
}

/// In the order of the curve. `keys` has twice as many entries as there are roots.
static void order_roots(const Merging* merging, uint64_t* keys, uint32_t* roots, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        keys[i] = curve_key(merging->solid, merging->tree->nodes[roots[i]].hull) >> 31 << 32 | i;
    }
    abut_sort_keys(keys, keys + count, count, 32);
    for (uint32_t i = 0; i < count; ++i)
    {
        keys[i] = roots[(uint32_t)keys[i]];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        roots[i] = (uint32_t)keys[i];
    }
}

static AbutResult merge_components(Merging* merging)
{
    uint32_t count = 0, capacity = merging->tree->node_count;
    uint32_t* roots = abut_memory_allocate(merging->host, capacity, sizeof(uint32_t));
    uint64_t* keys = abut_memory_allocate(merging->host, 2 * (size_t)capacity, sizeof(uint64_t));
    AbutResult result = roots != NULL && keys != NULL ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    for (uint32_t node = 0; result == ABUT_OK && node < capacity; ++node)
    {
        if (merging->parents[node] == NO_PARENT)
        {
            roots[count++] = node;
        }
    }
    if (result == ABUT_OK)
    {
        order_roots(merging, keys, roots, count);
    }
    while (result == ABUT_OK && count > 1)
    {
        result = merge_level(merging, roots, &count);
    }
    abut_memory_free(merging->host, keys, 2 * (size_t)capacity, sizeof(uint64_t));
    abut_memory_free(merging->host, roots, capacity, sizeof(uint32_t));
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

/// Evenly spread corners of the patch.
static Samples patch_samples(const AbutMesh* mesh, const uint32_t* triangles, uint32_t count)
{
    Samples out = { .count = 3 * count < SAMPLE_CAPACITY ? 3 * count : SAMPLE_CAPACITY };
    for (uint32_t i = 0; i < out.count; ++i)
    {
        uint32_t corner = (uint32_t)((uint64_t)i * 3 * count / out.count);
        out.points[i] = mesh->vertices[mesh->indices[3 * (size_t)triangles[corner / 3] + corner % 3]];
    }
    return out;
}

static AbutResult make_leaves(Merging* merging, const AbutConvexPatches* patches)
{
    for (uint32_t patch = 0; patch < patches->patch_count; ++patch)
    {
        const uint32_t* triangles = patches->triangles + patches->offsets[patch];
        uint32_t count = patches->offsets[patch + 1] - patches->offsets[patch];
        AbutHull* hull = NULL;
        AbutResult result = abut_piece_hull_of_triangles(merging->solid, triangles, count, &hull);
        if (result != ABUT_OK)
        {
            return result;
        }
        merging->tree->nodes[merging->tree->node_count++] =
            (AbutPieceNode){ hull, { ABUT_PIECE_NONE, ABUT_PIECE_NONE }, patch, 0.0f };
        merging->parents[patch] = NO_PARENT;
        merging->samples[patch] = patch_samples(merging->solid->half_edges.mesh, triangles, count);
    }
    return ABUT_OK;
}

/// Neighbours across edges, by patch, so that the stamps of a list are its own.
static AbutResult connect_leaves(Merging* merging, const AbutConvexPatches* patches)
{
    for (uint32_t i = 0; i < patches->triangle_count; ++i)
    {
        uint32_t triangle = patches->triangles[i], patch = patches->patch_of[triangle];
        for (uint32_t side = 0; side < 3; ++side)
        {
            uint32_t twin = merging->solid->half_edges.twins[3 * (size_t)triangle + side];
            uint32_t other = twin == ABUT_NO_TWIN ? patch : patches->patch_of[twin / 3];
            uint32_t before = merging->neighbors[patch].count;
            if (!add_neighbor(merging, patch, other))
            {
                return ABUT_OUT_OF_MEMORY;
            }
            bool is_new = merging->neighbors[patch].count > before;
            AbutResult result = is_new && patch < other ? push_pair(merging, patch, other) : ABUT_OK;
            if (result != ABUT_OK)
            {
                return result;
            }
        }
    }
    return ABUT_OK;
}

static AbutResult build(Merging* merging, const AbutConvexPatches* patches)
{
    AbutResult result = make_leaves(merging, patches);
    result = result == ABUT_OK ? connect_leaves(merging, patches) : result;
    result = result == ABUT_OK ? merge_neighbors(merging) : result;
    return result == ABUT_OK ? merge_components(merging) : result;
}

static bool allocate(Merging* merging, uint32_t capacity)
{
    const AbutHost* host = merging->host;
    merging->tree->nodes = abut_memory_allocate_zero(host, capacity, sizeof(AbutPieceNode));
    merging->tree->node_capacity = capacity;
    merging->parents = abut_memory_allocate(host, capacity, sizeof(uint32_t));
    merging->samples = abut_memory_allocate(host, capacity, sizeof(Samples));
    merging->neighbors = abut_memory_allocate_zero(host, capacity, sizeof(Neighbors));
    merging->stamps = abut_memory_allocate(host, capacity, sizeof(uint32_t));
    bool is_complete = merging->tree->nodes != NULL && merging->parents != NULL && merging->samples != NULL &&
                       merging->neighbors != NULL && merging->stamps != NULL;
    if (is_complete)
    {
        memset(merging->stamps, 0xff, capacity * sizeof(uint32_t));
    }
    return is_complete;
}

static void free_merging(Merging* merging, uint32_t capacity)
{
    for (uint32_t node = 0; merging->neighbors != NULL && node < capacity; ++node)
    {
        free_neighbors(merging, node);
    }
    abut_memory_free(merging->host, merging->parents, capacity, sizeof(uint32_t));
    abut_memory_free(merging->host, merging->samples, capacity, sizeof(Samples));
    abut_memory_free(merging->host, merging->neighbors, capacity, sizeof(Neighbors));
    abut_memory_free(merging->host, merging->stamps, capacity, sizeof(uint32_t));
    abut_memory_free(merging->host, merging->heap, merging->heap_capacity, sizeof(Candidate));
}

AbutResult abut_hierarchy_create(const AbutSolid* solid, const AbutConvexPatches* patches, AbutHierarchy* out)
{
    AbutHierarchy tree = { 0 };
    Merging merging = { .solid = solid, .host = &solid->host, .tree = &tree };
    uint32_t capacity = 2 * patches->patch_count - 1;
    AbutResult result = allocate(&merging, capacity) ? build(&merging, patches) : ABUT_OUT_OF_MEMORY;
    free_merging(&merging, capacity);
    if (result != ABUT_OK)
    {
        abut_hierarchy_destroy(&solid->host, &tree);
    }
    *out = tree;
    return result;
}

void abut_hierarchy_destroy(const AbutHost* host, AbutHierarchy* hierarchy)
{
    for (uint32_t node = 0; hierarchy->nodes != NULL && node < hierarchy->node_capacity; ++node)
    {
        abut_hull_destroy(hierarchy->nodes[node].hull, host);
    }
    abut_memory_free(host, hierarchy->nodes, hierarchy->node_capacity, sizeof(AbutPieceNode));
    *hierarchy = (AbutHierarchy){ 0 };
}
