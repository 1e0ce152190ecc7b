// Triangles with known sides.
//
// A triangle with one neighbour of the same orientation at each edge, and without other contact, has one
// winding number in front of it and one behind it, larger by one (or smaller, where it is flipped). Such
// neighbours have the same two numbers. So triangles are gathered in patches, and the numbers are computed
// once per patch, in the middle of one of its faces.
//
// On a surface with gaps the numbers are no integers and change along it, with a slope bounded by the border.
// There the sides are known where the numbers provably stay within ¼ of integers.
#include "bake/sign/known_sides.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "base/union_find.h"
#include "mesh/corners.h"
#include "mesh/inspect/self_intersection.h"

#include <string.h>

enum
{
    TRIANGLE_BLOCK = 4096,
    PATCH_BLOCK = 16,

    /// Smaller patches are not worth the winding number: so many that a tetrahedron is.
    SMALLEST_PATCH = 4,
};

/// Squared sum of the unit normals of neighbours under which they count as folded onto each other: an angle
/// of 1e-4.
static const double FOLDED = 1e-8;

typedef struct Finding
{
    AbutSignClassifier* classifier;
    const AbutMesh* mesh;
    atomic_uchar* uncertain; // by triangle
    uint32_t* forest;        // by triangle: union-find of patches
    uint32_t* sizes;         // by root
    uint32_t* patches;       // roots of patches that are large enough
    uint32_t patch_count;
} Finding;

static bool is_uncertain(const Finding* self, uint32_t triangle)
{
    return atomic_load_explicit(&self->uncertain[triangle], memory_order_relaxed) != 0;
}

static void mark_uncertain(const Finding* self, uint32_t triangle)
{
    atomic_store_explicit(&self->uncertain[triangle], 1, memory_order_relaxed);
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

/// True when the triangle has a face, and a neighbour at each edge that is not folded onto it.
static bool has_sound_edges(const Finding* self, uint32_t triangle)
{
    AbutDVec3 normal, other;
    if (!abut_face_normal(self->mesh, triangle, &normal))
    {
        return false;
    }
    for (uint32_t k = 0; k < 3; ++k)
    {
        uint32_t twin = self->classifier->half_edges.twins[3 * triangle + k];
        if (twin == ABUT_NO_TWIN || !abut_face_normal(self->mesh, twin / 3, &other))
        {
            return false;
        }
        if (abut_dvec3_squared_length(abut_dvec3_add(other, normal)) < FOLDED)
        {
            return false;
        }
    }
    return true;
}

static void check_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Finding* self = context;
    uint64_t end = (uint64_t)(block + 1) * TRIANGLE_BLOCK;
    for (uint64_t t = (uint64_t)block * TRIANGLE_BLOCK; t < end && t < self->mesh->triangle_count; ++t)
    {
        if (!has_sound_edges(self, (uint32_t)t))
        {
            mark_uncertain(self, (uint32_t)t);
        }
    }
}

/// True when the winding number provably stays within ¼ of a whole number on all faces in a box.
static bool stays_whole(const AbutSignClassifier* classifier, const AbutBoxNode* node)
{
    AbutDVec3 sides = abut_dvec3_sub(abut_dvec3_from_vec3(node->max), abut_dvec3_from_vec3(node->min));
    return abut_sign_classifier_is_certain(classifier, abut_box_dcenter(abut_box_node_box(node)),
                                           abut_dvec3_length(abut_dvec3_scale(sides, 0.5)));
}

static void mark_near_border(const Finding* self)
{
    const AbutBoxTree* tree = &self->classifier->tree;
    for (uint32_t i = 0; i < tree->node_count;)
    {
        const AbutBoxNode* node = &tree->nodes[i];
        if (stays_whole(self->classifier, node))
        {
            i += node->size;
            continue;
        }
        for (uint32_t slot = node[0].first; node->size == 1 && slot < node[1].first; ++slot)
        {
            mark_uncertain(self, tree->items[slot]);
        }
        i += 1;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Patches
// -----------------------------------------------------------------------------------------------------------

static void gather_patches(Finding* self)
{
    const uint32_t* twins = self->classifier->half_edges.twins;
    uint32_t triangle_count = self->mesh->triangle_count;
    abut_union_find_init(self->forest, triangle_count);
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        for (uint32_t k = 0; k < 3 && !is_uncertain(self, t); ++k)
        {
            uint32_t neighbour = twins[3 * (size_t)t + k] / 3;
            if (neighbour < t && !is_uncertain(self, neighbour))
            {
                abut_union_find_join(self->forest, t, neighbour);
            }
        }
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        self->sizes[abut_union_find_root(self->forest, t)] += 1;
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        if (self->sizes[t] >= SMALLEST_PATCH && !is_uncertain(self, t))
        {
            self->patches[self->patch_count++] = t;
        }
    }
}

/// The winding numbers in front of and behind a triangle. The middle of its face is halfway between them.
static uint8_t sides_of(const AbutSignClassifier* classifier, uint32_t triangle)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(abut_sign_classifier_mesh(classifier), triangle, corners);
    AbutDVec3 middle = abut_corners_middle(corners);
    bool flipped = classifier->flipped != NULL && classifier->flipped[triangle] != 0;
    double front = abut_sign_classifier_effective_winding(
        classifier, middle,
        abut_sign_classifier_winding_beside(classifier, middle, triangle, flipped ? 0.5 : -0.5));
    double behind = flipped ? front - 1.0 : front + 1.0;
    return (uint8_t)(ABUT_SIDES_KNOWN | (front > 0.5 ? ABUT_FRONT_INSIDE : 0) |
                     (behind > 0.5 ? ABUT_BACK_INSIDE : 0));
}

static void find_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Finding* self = context;
    for (uint64_t i = (uint64_t)block * PATCH_BLOCK; i < ((uint64_t)block + 1) * PATCH_BLOCK; ++i)
    {
        if (i < self->patch_count)
        {
            self->classifier->sides[self->patches[i]] = sides_of(self->classifier, self->patches[i]);
        }
    }
}

/// A vertex has sides when all of its triangles have.
static void assign_sides(Finding* self)
{
    const uint8_t plain = ABUT_SIDES_KNOWN | ABUT_BACK_INSIDE;
    AbutSignClassifier* classifier = self->classifier;
    bool simple = classifier->info.gapless && !classifier->info.inverted;
    for (uint32_t t = 0; t < self->mesh->triangle_count; ++t)
    {
        uint32_t root = abut_union_find_root(self->forest, t);
        classifier->sides[t] = is_uncertain(self, t) ? 0 : classifier->sides[root];
        if (classifier->sides[t] != 0)
        {
            classifier->info.sided_triangle_count += 1;
            simple = simple && classifier->sides[t] == plain;
            continue;
        }
        for (size_t corner = 0; corner < 3; ++corner)
        {
            classifier->normals.regular[self->mesh->indices[3 * (size_t)t + corner]] = 0;
        }
    }
    classifier->info.simple =
        simple && classifier->info.sided_triangle_count > self->mesh->triangle_count / 2;
}

static void find_sides(Finding* self)
{
    AbutSignClassifier* classifier = self->classifier;
    uint32_t triangle_count = self->mesh->triangle_count;
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        atomic_init(&self->uncertain[t], 0);
    }
    abut_parallel_for(&classifier->host, abut_block_count(triangle_count, TRIANGLE_BLOCK), check_block, self);
    abut_find_self_intersections(&classifier->host, &classifier->normals, &classifier->tree, self->uncertain);
    if (!classifier->info.gapless)
    {
        mark_near_border(self);
    }
    gather_patches(self);
    abut_parallel_for(&classifier->host, abut_block_count(self->patch_count, PATCH_BLOCK), find_block, self);
    assign_sides(self);
}

AbutResult abut_sign_classifier_find_sides(AbutSignClassifier* classifier)
{
    const AbutHost* host = &classifier->host;
    Finding self = { .classifier = classifier, .mesh = abut_sign_classifier_mesh(classifier) };
    uint32_t count = self.mesh->triangle_count;
    classifier->sides = abut_memory_allocate_zero(host, count, sizeof(uint8_t));
    self.uncertain = abut_memory_allocate(host, count, sizeof(*self.uncertain));
    self.forest = abut_memory_allocate(host, count, sizeof(uint32_t));
    self.sizes = abut_memory_allocate_zero(host, count, sizeof(uint32_t));
    self.patches = abut_memory_allocate(host, count, sizeof(uint32_t));
    bool complete = classifier->sides != NULL && self.uncertain != NULL && self.forest != NULL &&
                    self.sizes != NULL && self.patches != NULL;
    if (complete)
    {
        find_sides(&self);
    }
    abut_memory_free(host, self.patches, count, sizeof(uint32_t));
    abut_memory_free(host, self.sizes, count, sizeof(uint32_t));
    abut_memory_free(host, self.forest, count, sizeof(uint32_t));
    abut_memory_free(host, self.uncertain, count, sizeof(*self.uncertain));
    return complete ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}
