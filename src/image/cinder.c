// CInDeR: edges of one body in the parity of the other, both ways round.
//
// Two closed surfaces touch exactly when an edge of one touches a face of the other. Edges whose intervals of
// depth are apart from those of all faces in their pixels touch none; for the others the exact test decides.
// When none touches, each component of a body is inside or outside of the other as one, and one point of it
// tells which.
#include "base/fp_env.h"
#include "base/tasks.h"
#include "image/mesh_pair.h"
#include "image/parity.h"
#include "image/passes.h"
#include "image/pixel_lists.h"

#include <float.h>
#include <stdatomic.h>
#include <string.h>

enum
{
    EDGE_BLOCK = 2,  // chunks
    CHUNK_BLOCK = 8, // chunks
};

typedef struct Cinder
{
    AbutImageSet* set;
    const AbutImageObject *edges, *faces; // the bodies whose edges and faces are tested
    AbutImageView view;
    AbutBox region;            // of the placement below
    uint32_t first_chunk;      // the same
    bool is_exact;             // no corner was moved, so that exact tests are about exact positions
    atomic_uint first_contact; // least block with a contact
} Cinder;

/// One edge, and what the images tell about it.
typedef struct EdgeTest
{
    Cinder* cinder;
    AbutDTriangle triangle; // one that has the edge
    AbutDTriangle segment;  // the edge, with its second corner twice
    uint32_t stamp;
    uint32_t* stamps;
    AbutCinderVerdict* verdict;
} EdgeTest;

// -----------------------------------------------------------------------------------------------------------
// Placement
// -----------------------------------------------------------------------------------------------------------

static void transform_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    Cinder* cinder = context;
    AbutImageSet* set = cinder->set;
    const AbutImageObject* object = abut_image_object_of(set, cinder->first_chunk);
    uint32_t end = (block + 1) * CHUNK_BLOCK;
    end = end < object->mesh.chunk_count ? end : object->mesh.chunk_count;
    for (uint32_t c = cinder->first_chunk + block * CHUNK_BLOCK; c < cinder->first_chunk + end; ++c)
    {
        abut_image_transform_chunk(set, c, &cinder->region);
        if (set->live[c] != 0)
        {
            set->live[c] &=
                abut_image_kernels()->boxes(abut_image_chunk_of(set, c), abut_image_transformed(set, c),
                                            set->margin, &cinder->region, &set->triangle_boxes[c]);
        }
    }
}

/// Triangles of an object in a region become live.
static void transform_object(Cinder* cinder, const AbutImageObject* object, AbutBox region)
{
    cinder->region = region;
    cinder->first_chunk = object->first_chunk;
    abut_parallel_for(&cinder->set->host, abut_block_count(object->mesh.chunk_count, CHUNK_BLOCK),
                      transform_block, cinder);
}

/// The region with all that is in front of it along the view.
static AbutBox with_front(const Cinder* cinder)
{
    AbutBox box = cinder->set->region;
    int axis = cinder->view.axes[2];
    *(axis == 0 ? &box.min.x : axis == 1 ? &box.min.y : &box.min.z) = -FLT_MAX;
    return box;
}

// -----------------------------------------------------------------------------------------------------------
// Edges against faces
// -----------------------------------------------------------------------------------------------------------

static void raise_state(AbutCinderVerdict* verdict, AbutImageState state)
{
    verdict->state = verdict->state == ABUT_IMAGE_CONTACT ? ABUT_IMAGE_CONTACT : state;
}

/// The exact test of an edge and a face.
static void test_face(EdgeTest* test, uint32_t record)
{
    const AbutImageSet* set = test->cinder->set;
    const AbutDTriangle face = ((const AbutDTriangle*)set->triangles.items)[record];
    test->verdict->exact_count += 1;
    if (test->cinder->is_exact)
    {
        if (abut_triangles_touch(&test->segment, &face))
        {
            raise_state(test->verdict, ABUT_IMAGE_CONTACT);
        }
        return;
    }
    // A segment has no plane that could prove a crossing; its triangle has.
    if (abut_triangles_touch_within(&test->segment, &face, set->uncertainty) != ABUT_TRIANGLES_APART)
    {
        AbutTrianglesState state = abut_triangles_touch_within(&test->triangle, &face, set->uncertainty);
        raise_state(test->verdict, state == ABUT_TRIANGLES_TOUCH ? ABUT_IMAGE_CONTACT : ABUT_IMAGE_CLOSE);
    }
}

static bool test_edge_pixel(void* context, uint32_t pixel, float nearest, float farthest, uint64_t slabs)
{
    (void)slabs;
    EdgeTest* test = context;
    const AbutImageSet* set = test->cinder->set;
    const uint32_t* offsets = set->offsets.items;
    const AbutPixelEntry* entries = set->entries.items;
    for (uint32_t i = offsets[pixel]; i < offsets[pixel + 1]; ++i)
    {
        uint32_t record = entries[i].record & ~ABUT_ENTRY_COVERS;
        if (entries[i].nearest <= farthest && nearest <= entries[i].farthest &&
            test->stamps[record] != test->stamp)
        {
            test->stamps[record] = test->stamp;
            test_face(test, record);
        }
    }
    return test->verdict->state == ABUT_IMAGE_CONTACT;
}

// -----------------------------------------------------------------------------------------------------------
// All edges of a body
// -----------------------------------------------------------------------------------------------------------

static void test_edge(EdgeTest* test, const AbutTransformedChunk* chunk, uint32_t slot, uint32_t edge)
{
    Cinder* cinder = test->cinder;
    const AbutImageSet* set = cinder->set;
    AbutVec3 all[3];
    abut_chunk_corners(chunk, slot, all);
    AbutVec3 corners[3] = { all[edge], all[(edge + 1) % 3], all[(edge + 1) % 3] };
    AbutBox box = abut_box_add_point(abut_box(corners[0], corners[0]), corners[1]);
    box = abut_box_expand(box, set->margin);
    AbutDVec3 middle = abut_dvec3_lerp(test->segment.corners[0], test->segment.corners[1], 0.5);
    uint32_t component = cinder->edges->topology.components[chunk->chunk->triangles[slot]];
    atomic_uchar* known = (atomic_uchar*)set->known.items + component;
    if (!abut_box_overlap(box, set->region))
    {
        atomic_store_explicit(known, 1, memory_order_relaxed);
        return;
    }
    AbutParity parity = abut_parity_at(set, &cinder->view, &cinder->faces->box, middle);
    if (parity == ABUT_PARITY_INSIDE)
    {
        raise_state(test->verdict, ABUT_IMAGE_CONTACT);
        test->verdict->is_inside = true;
        return;
    }
    if (parity == ABUT_PARITY_OUTSIDE)
    {
        atomic_store_explicit(known, 1, memory_order_relaxed);
    }
    AbutPixelBox pixels = abut_pixel_box(&cinder->view, &box);
    if (abut_pixel_box_is_small(&pixels))
    {
        abut_raster_visit_box(&cinder->view, &pixels, 0, cinder->view.resolution - 1, test_edge_pixel, test);
    }
    else
    {
        abut_raster_visit_large(&cinder->view, &pixels, corners, 0, cinder->view.resolution - 1,
                                test_edge_pixel, test);
    }
}

/// Edges of a triangle; true when one of them is in contact.
static bool test_triangle(EdgeTest* test, uint32_t c, const AbutTransformedChunk* chunk, uint32_t slot)
{
    const AbutImageSet* set = test->cinder->set;
    uint32_t triangle = chunk->chunk->triangles[slot];
    uint32_t mask = test->cinder->edges->topology.edges[triangle];
    if (mask == 0)
    {
        return false;
    }
    test->triangle = abut_image_triangle(set, c, slot);
    const AbutDVec3* corners = test->triangle.corners;
    for (uint32_t edge = 0; edge < 3; ++edge)
    {
        if ((mask & 1u << edge) != 0)
        {
            AbutDVec3 end = corners[(edge + 1) % 3];
            test->segment = (AbutDTriangle){ { corners[edge], end, end } };
            test->stamp = 3 * (c * ABUT_CHUNK_TRIANGLES + slot) + edge;
            test_edge(test, chunk, slot, edge);
            if (test->verdict->state == ABUT_IMAGE_CONTACT)
            {
                test->verdict->triangle = triangle;
                test->verdict->edge = edge;
                return true;
            }
        }
    }
    return false;
}

static void note_contact(Cinder* cinder, uint32_t block)
{
    unsigned first = atomic_load_explicit(&cinder->first_contact, memory_order_relaxed);
    while (block < first && !atomic_compare_exchange_weak(&cinder->first_contact, &first, block))
    {
    }
}

static void edge_block(void* context, uint32_t block, uint32_t worker)
{
    Cinder* cinder = context;
    AbutImageSet* set = cinder->set;
    AbutCinderVerdict* verdict = (AbutCinderVerdict*)set->verdicts.items + block;
    *verdict = (AbutCinderVerdict){ ABUT_IMAGE_SEPARATED, false, 0, 0, 0 };
    EdgeTest test = { .cinder = cinder, .verdict = verdict };
    test.stamps = (uint32_t*)set->stamps.items + (size_t)worker * set->record_count;
    uint32_t end = (block + 1) * EDGE_BLOCK;
    end = end < cinder->edges->live_count ? end : cinder->edges->live_count;
    for (uint32_t k = block * EDGE_BLOCK; k < end; ++k)
    {
        // A contact of an earlier block makes this one unimportant; a later one does not.
        if (atomic_load_explicit(&cinder->first_contact, memory_order_relaxed) < block)
        {
            return;
        }
        uint32_t c = set->live_chunks[cinder->edges->first_live + k];
        AbutTransformedChunk chunk = abut_image_transformed_chunk(set, c);
        for (uint32_t mask = set->live[c]; mask != 0; mask &= mask - 1)
        {
            if (test_triangle(&test, c, &chunk, (uint32_t)__builtin_ctz(mask)))
            {
                note_contact(cinder, block);
                return;
            }
        }
    }
}

/// Components none of whose edges told their parity: one corner of each, exactly.
static void test_components(Cinder* cinder, AbutCinderOutput* out)
{
    AbutImageSet* set = cinder->set;
    atomic_uchar* known = set->known.items;
    for (uint32_t k = 0; k < cinder->edges->live_count; ++k)
    {
        uint32_t c = set->live_chunks[cinder->edges->first_live + k];
        const AbutImageChunk* chunk = abut_image_chunk_of(set, c);
        for (uint32_t mask = set->live[c]; mask != 0; mask &= mask - 1)
        {
            uint32_t slot = (uint32_t)__builtin_ctz(mask);
            uint32_t component = cinder->edges->topology.components[chunk->triangles[slot]];
            if (atomic_exchange_explicit(&known[component], 1, memory_order_relaxed) != 0)
            {
                continue;
            }
            AbutDTriangle t = abut_image_triangle(set, c, slot);
            uint32_t stamp = UINT32_MAX - 1 - component;
            if (abut_parity_is_inside(set, &cinder->view, &cinder->faces->box, t.corners[0], stamp))
            {
                *out = (AbutCinderOutput){
                    ABUT_IMAGE_CONTACT,     true, (uint32_t)(cinder->edges - set->objects),
                    chunk->triangles[slot], 0,    0,
                    out->uncertainty
                };
                return;
            }
        }
    }
}

static void join_verdicts(Cinder* cinder, uint32_t block_count, AbutCinderOutput* out)
{
    const AbutCinderVerdict* verdicts = cinder->set->verdicts.items;
    unsigned first = atomic_load(&cinder->first_contact);
    if (first < block_count)
    {
        *out = (AbutCinderOutput){ ABUT_IMAGE_CONTACT,
                                   verdicts[first].is_inside,
                                   (uint32_t)(cinder->edges - cinder->set->objects),
                                   verdicts[first].triangle,
                                   verdicts[first].edge,
                                   0,
                                   out->uncertainty };
        return;
    }
    for (uint32_t i = 0; i < block_count; ++i)
    {
        out->exact_count += verdicts[i].exact_count;
        out->state = verdicts[i].state == ABUT_IMAGE_CLOSE ? ABUT_IMAGE_CLOSE : out->state;
    }
}

static AbutResult reserve(Cinder* cinder, uint32_t block_count)
{
    AbutImageSet* set = cinder->set;
    size_t component_count = cinder->edges->topology.component_count;
    size_t stamp_count = (size_t)set->record_count * set->host.worker_count;
    AbutResult result = abut_image_array_reserve(&set->host, &set->known, component_count);
    if (result == ABUT_OK)
    {
        result = abut_image_array_reserve(&set->host, &set->verdicts, block_count);
    }
    if (result == ABUT_OK)
    {
        result = abut_image_array_reserve(&set->host, &set->stamps, stamp_count);
    }
    if (result == ABUT_OK)
    {
        memset(set->known.items, 0, component_count * sizeof(atomic_uchar));
        memset(set->stamps.items, 0xFF, stamp_count * sizeof(uint32_t));
    }
    return result;
}

/// Edges of one body in the parity of the other. Components of which no triangle is in the region are
/// outside.
static AbutResult test_edges(Cinder* cinder, AbutCinderOutput* out)
{
    AbutImageSet* set = cinder->set;
    transform_object(cinder, cinder->edges, set->region);
    transform_object(cinder, cinder->faces, with_front(cinder));
    set->objects[cinder->edges - set->objects].live = true;
    set->objects[cinder->faces - set->objects].live = true;
    abut_image_list_live(set);
    AbutPixelListDef def = { cinder->faces->first_live, cinder->faces->live_count, true };
    AbutResult result = abut_pixel_lists_build(set, &cinder->view, def);
    uint32_t block_count = abut_block_count(cinder->edges->live_count, EDGE_BLOCK);
    if (result == ABUT_OK)
    {
        result = reserve(cinder, block_count);
    }
    if (result != ABUT_OK || block_count == 0)
    {
        return result;
    }
    atomic_init(&cinder->first_contact, UINT32_MAX);
    abut_parallel_for(&set->host, block_count, edge_block, cinder);
    join_verdicts(cinder, block_count, out);
    if (out->state == ABUT_IMAGE_SEPARATED)
    {
        test_components(cinder, out);
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// The query
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_object(const AbutImageSet* set, uint32_t object)
{
    if (object >= set->object_count)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "cinder: object %u of %u", object, set->object_count);
    }
    uint32_t odd = set->objects[object].topology.odd_edge_count;
    if (odd > 0)
    {
        return abut_fail(
            ABUT_INVALID_DATA,
            "cinder: mesh %u is not closed: %u edges have an odd number of triangles; take cullide, "
            "or close it first",
            object, odd);
    }
    return ABUT_OK;
}

static bool are_equal(const AbutPose* a, const AbutPose* b)
{
    const AbutQuat *p = &a->rotation, *q = &b->rotation;
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && p->x == q->x && p->y == q->y && p->z == q->z && p->w == q->w &&
           a->scale == b->scale;
}

static AbutResult collide(AbutImageSet* set, bool is_exact, uint32_t a, uint32_t b, AbutCinderOutput* out)
{
    for (uint32_t i = 0; i < set->object_count; ++i)
    {
        set->objects[i].live = false;
    }
    set->region = abut_box_intersection(set->objects[a].box, set->objects[b].box);
    if (abut_box_is_empty(set->region))
    {
        return ABUT_OK;
    }
    uint32_t axes = set->settings.axes;
    int axis = (axes & ABUT_IMAGE_X) != 0 ? 0 : (axes & ABUT_IMAGE_Y) != 0 ? 1 : 2;
    Cinder cinder = { .set = set, .is_exact = is_exact };
    cinder.view = abut_image_view(set->region, axis, set->settings.resolution, false);
    cinder.view.margin = set->margin;
    AbutResult result = ABUT_OK;
    for (int side = 0; side < 2 && result == ABUT_OK && out->state != ABUT_IMAGE_CONTACT; ++side)
    {
        cinder.edges = &set->objects[side == 0 ? a : b];
        cinder.faces = &set->objects[side == 0 ? b : a];
        result = test_edges(&cinder, out);
    }
    return result;
}

AbutResult abut_cinder(AbutImageSet* set, const AbutImageSettings* settings, const AbutPose* poses,
                       uint32_t object_a, uint32_t object_b, AbutCinderOutput* out)
{
    ABUT_FP_CALL(abut_cinder, set, settings, poses, object_a, object_b, out);
    AbutResult result = abut_image_check_settings(settings, "cinder");
    if (result == ABUT_OK)
    {
        result = check_object(set, object_a);
    }
    if (result == ABUT_OK)
    {
        result = check_object(set, object_b);
    }
    if (result == ABUT_OK && object_a == object_b)
    {
        result = abut_fail(ABUT_INVALID_ARGUMENT, "cinder: object %u against itself", object_a);
    }
    if (result == ABUT_OK)
    {
        result = abut_image_set_transform(set, poses, "cinder");
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    set->settings = *settings;
    AbutCinderOutput found = { .state = ABUT_IMAGE_SEPARATED, .uncertainty = set->uncertainty };
    bool is_exact = are_equal(&poses[object_a], &poses[0]) && are_equal(&poses[object_b], &poses[0]);
    result = collide(set, is_exact, object_a, object_b, &found);
    if (result == ABUT_OK)
    {
        *out = found;
    }
    return result;
}

AbutResult abut_cinder_state(AbutImageSet* set, const AbutImageSettings* settings, AbutCinderOutput* out)
{
    set->settings = *settings;
    *out = (AbutCinderOutput){ .state = ABUT_IMAGE_SEPARATED, .uncertainty = set->uncertainty };
    return collide(set, set->uncertainty == 0.0, 0, 1, out);
}

const char* abut_image_state_name(AbutImageState state)
{
    static const char* const names[ABUT_IMAGE_STATE_COUNT] = { "separated", "contact", "close" };
    return (unsigned)state < ABUT_IMAGE_STATE_COUNT ? names[state] : "unknown";
}
