// The block of a point hull: its layout, and checks of untrusted bytes before they are used.
#include "base/fp_env.h"
#include "base/memory.h"
#include "math/dvec3.h"
#include "points/hull/point_hull.h"
#include "points/points.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Layout
// -----------------------------------------------------------------------------------------------------------

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ABUT_POINT_HULL_ALIGNMENT - 1) / ABUT_POINT_HULL_ALIGNMENT * ABUT_POINT_HULL_ALIGNMENT;
}

void abut_point_hull_layout(AbutPointHullHeader* header)
{
    memcpy(header->magic, ABUT_POINT_HULL_MAGIC, sizeof(header->magic));
    header->version = ABUT_POINT_HULL_VERSION;
    header->header_bytes = sizeof(AbutPointHullHeader);
    header->total_bytes = aligned(sizeof(AbutPointHullHeader));
    for (int i = 0; i < ABUT_POINT_HULL_SECTION_COUNT; ++i)
    {
        header->offsets[i] = header->total_bytes;
        header->total_bytes +=
            aligned(i == ABUT_POINT_HULL_NODES ? (uint64_t)header->node_count * sizeof(AbutPointHullNode)
                                               : (uint64_t)header->count * sizeof(float));
    }
}

uint64_t abut_point_hull_checksum(const void* data, size_t size)
{
    AbutPointHullHeader header;
    memcpy(&header, data, sizeof(header));
    header.checksum = 0;
    uint64_t seed = abut_hash(&header, sizeof(header), 0);
    return abut_hash((const char*)data + sizeof(header), size - sizeof(header), seed);
}

static void* section(AbutPointHullHeader* block, AbutPointHullSection name)
{
    return (char*)block + block->offsets[name];
}

AbutResult abut_point_hull_wrap(AbutPointHullHeader* block, const AbutHost* host, AbutPointHull** out)
{
    AbutPointHull* hull = abut_memory_allocate_zero(host, 1, sizeof(*hull));
    if (hull == NULL)
    {
        abut_memory_free(host, block, 1, block->total_bytes);
        return ABUT_OUT_OF_MEMORY;
    }
    hull->companion.release = abut_point_hull_release;
    hull->host = *host;
    hull->block = block;
    hull->at[0] = section(block, ABUT_POINT_HULL_X);
    hull->at[1] = section(block, ABUT_POINT_HULL_Y);
    hull->at[2] = section(block, ABUT_POINT_HULL_Z);
    hull->radius = section(block, ABUT_POINT_HULL_RADIUS);
    hull->nodes = section(block, ABUT_POINT_HULL_NODES);
    atomic_init(&hull->owners, 1);
    *out = hull;
    return ABUT_OK;
}

const void* abut_point_hull_block(const AbutPointHull* hull, size_t* size)
{
    *size = (size_t)hull->block->total_bytes;
    return hull->block;
}

// -----------------------------------------------------------------------------------------------------------
// Checks
// -----------------------------------------------------------------------------------------------------------

static AbutResult fail_block(const char* name, uint64_t offset, const char* what)
{
    return abut_fail(ABUT_INVALID_DATA, "%s: byte %llu: %s", name, (unsigned long long)offset, what);
}

#define FAIL_AT(member, what) fail_block(name, offsetof(AbutPointHullHeader, member), what)

static AbutResult check_header(const AbutPointHullHeader* h, size_t size, const char* name)
{
    if (memcmp(h->magic, ABUT_POINT_HULL_MAGIC, sizeof(h->magic)) != 0)
    {
        return FAIL_AT(magic, "this is not a point hull of abut");
    }
    if (h->version != ABUT_POINT_HULL_VERSION)
    {
        return abut_fail(
            ABUT_INVALID_DATA,
            "%s: byte %zu: format version %u; this library reads version %u: make the hull again", name,
            offsetof(AbutPointHullHeader, version), h->version, ABUT_POINT_HULL_VERSION);
    }
    if (h->total_bytes != size)
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "%s: the header says %llu bytes, but there are %zu: the file is cut off or has "
                         "something behind it",
                         name, (unsigned long long)h->total_bytes, size);
    }
    if (h->count > ABUT_POINT_MAX_COUNT || h->node_count > h->count || (h->node_count == 0 && h->count > 0))
    {
        return FAIL_AT(count, "there are no trees of so many nodes over so many balls");
    }
    AbutPointHullHeader expected = *h;
    abut_point_hull_layout(&expected);
    if (memcmp(&expected, h, sizeof(expected)) != 0)
    {
        return FAIL_AT(offsets, "the sections are not where they belong");
    }
    for (size_t i = 0; i < sizeof(h->reserved) / sizeof(h->reserved[0]); ++i)
    {
        if (h->reserved[i] != 0)
        {
            return FAIL_AT(reserved, "reserved bytes are not zero");
        }
    }
    return h->error >= 0.0f && isfinite(h->error) ? ABUT_OK : FAIL_AT(error, "the error is not a length");
}

/// Nothing but zeros between sections.
static AbutResult check_padding(const AbutPointHullHeader* h, const char* name)
{
    const char* bytes = (const char*)h;
    uint64_t end = sizeof(*h);
    for (int i = 0; i <= ABUT_POINT_HULL_SECTION_COUNT; ++i)
    {
        uint64_t next = i < ABUT_POINT_HULL_SECTION_COUNT ? h->offsets[i] : h->total_bytes;
        for (; end < next; ++end)
        {
            if (bytes[end] != 0)
            {
                return fail_block(name, end, "bytes between sections are not zero");
            }
        }
        end = next + (i == ABUT_POINT_HULL_NODES ? (uint64_t)h->node_count * sizeof(AbutPointHullNode)
                                                 : (uint64_t)h->count * sizeof(float));
    }
    return ABUT_OK;
}

/// Bounds and radii of the header are those of the balls.
static AbutResult check_balls(const AbutPointHull* hull, const char* name)
{
    const AbutPointHullHeader* h = hull->block;
    AbutBox bounds = abut_box_empty();
    float least = h->count > 0 ? INFINITY : 0.0f, most = 0.0f;
    for (uint32_t i = 0; i < h->count; ++i)
    {
        AbutVec3 at = abut_vec3(hull->at[0][i], hull->at[1][i], hull->at[2][i]);
        float r = hull->radius[i];
        if (!abut_vec3_is_finite(at) || !(r >= 0.0f && isfinite(r)))
        {
            return fail_block(name, h->offsets[ABUT_POINT_HULL_X] + (uint64_t)i * sizeof(float),
                              "a ball is not finite, or has a radius under 0");
        }
        bounds = abut_box_union(bounds, abut_box_expand((AbutBox){ at, at }, r));
        least = fminf(least, r);
        most = fmaxf(most, r);
    }
    const float expected[6] = { bounds.min.x, bounds.min.y, bounds.min.z,
                                bounds.max.x, bounds.max.y, bounds.max.z };
    if (least != h->min_radius || most != h->max_radius ||
        (h->count > 0 && memcmp(expected, h->bounds, sizeof(expected)) != 0))
    {
        return FAIL_AT(min_radius, "bounds or radii are not those of the balls");
    }
    return ABUT_OK;
}

/// Queries drop all balls of a node by its sphere: it must contain them.
static bool covers(const AbutPointHull* hull, const AbutPointHullNode* node)
{
    AbutDVec3 center = abut_dvec3(node->center[0], node->center[1], node->center[2]);
    bool good = true;
    for (uint32_t k = 0; k < node->point_count && good; ++k)
    {
        uint32_t i = node->first_point + k;
        AbutDVec3 at = abut_dvec3(hull->at[0][i], hull->at[1][i], hull->at[2][i]);
        good = abut_dvec3_distance(at, center) <= (double)node->radius * (1.0 + 1e-9) + 1e-30 &&
               hull->radius[i] <= node->largest;
    }
    return good;
}

/// Children follow those of the nodes before, from `first_child` on, and divide the points of their parent;
/// node 0 has all of them.
static bool is_node(const AbutPointHull* hull, uint32_t index, uint32_t first_child)
{
    const AbutPointHullHeader* h = hull->block;
    const AbutPointHullNode* node = &hull->nodes[index];
    bool good = node->point_count > 0 && node->first_point <= h->count &&
                node->point_count <= h->count - node->first_point && isfinite(node->center[0]) &&
                isfinite(node->center[1]) && isfinite(node->center[2]) && node->radius >= 0.0f &&
                isfinite(node->radius) && isfinite(node->largest) && node->child_count <= ABUT_POINT_CHILDREN;
    good = good && (index > 0 || (node->first_point == 0 && node->point_count == h->count));
    if (!good || node->child_count == 0)
    {
        return good && node->point_count <= ABUT_POINT_LEAF;
    }
    good = node->first_child == first_child && first_child > index && first_child < h->node_count &&
           node->child_count <= h->node_count - first_child;
    uint32_t next = node->first_point;
    for (uint32_t k = 0; k < node->child_count && good; ++k)
    {
        const AbutPointHullNode* child = &hull->nodes[node->first_child + k];
        good = child->first_point == next && child->point_count < node->point_count &&
               child->point_count <= node->point_count - (next - node->first_point);
        next += child->point_count;
    }
    return good && next - node->first_point == node->point_count;
}

/// Level by level, so that the depth is known.
static AbutResult check_nodes(const AbutPointHull* hull, const char* name)
{
    uint32_t next = 1, level_end = 1, depth = 1;
    for (uint32_t i = 0; i < hull->block->node_count; ++i)
    {
        if (i == level_end)
        {
            level_end = next;
            ++depth;
        }
        if (depth > ABUT_POINT_MAX_DEPTH || i >= next || !is_node(hull, i, next) ||
            !covers(hull, &hull->nodes[i]))
        {
            return fail_block(
                name, hull->block->offsets[ABUT_POINT_HULL_NODES] + (uint64_t)i * sizeof(AbutPointHullNode),
                "the node does not hold its balls");
        }
        next += hull->nodes[i].child_count;
    }
    return ABUT_OK;
}

AbutResult abut_point_hull_create_from_block(const void* data, size_t size, const char* name,
                                             const AbutHost* host, AbutPointHull** out)
{
    ABUT_FP_CALL(abut_point_hull_create_from_block, data, size, name, host, out);
    *out = NULL;
    name = name != NULL ? name : "point hull";
    AbutPointHullHeader header;
    if (size < sizeof(header))
    {
        return fail_block(name, size, "the header of a point hull is cut off");
    }
    memcpy(&header, data, sizeof(header));
    AbutResult result = check_header(&header, size, name);
    if (result == ABUT_OK && abut_point_hull_checksum(data, size) != header.checksum)
    {
        result = abut_fail(ABUT_INVALID_DATA, "%s: the checksum is wrong: the bytes have changed", name);
    }
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost resolved = abut_host_resolve(host);
    AbutPointHullHeader* block = abut_memory_allocate(&resolved, 1, size);
    if (block == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(block, data, size);
    AbutPointHull* hull = NULL;
    result = abut_point_hull_wrap(block, &resolved, &hull);
    result = result == ABUT_OK ? check_padding(block, name) : result;
    result = result == ABUT_OK ? check_balls(hull, name) : result;
    result = result == ABUT_OK ? check_nodes(hull, name) : result;
    if (result != ABUT_OK)
    {
        abut_point_hull_destroy(hull);
        return result;
    }
    *out = hull;
    return ABUT_OK;
}
