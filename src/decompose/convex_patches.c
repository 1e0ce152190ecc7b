// Growth of convex surface patches, and division of those whose hull leaves the solid.
#include "decompose/convex_patches.h"

#include "base/memory.h"
#include "decompose/piece_hull.h"
#include "mesh/corners.h"
#include "mesh/triangle/orient.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct Growth
{
    const AbutSolid* solid;
    const AbutMesh* mesh;
    AbutConvexPatches* out;
    uint32_t* tested; // by triangle: the patch that it was last tested for
    uint32_t first;   // the patch's triangles are [first, count) of out->triangles
    uint32_t count;
} Growth;

static const uint32_t* corners_of(const Growth* growth, uint32_t triangle)
{
    return growth->mesh->indices + 3 * (size_t)triangle;
}

/// The sign of the side of a triangle's plane that a vertex is on.
static int side_of(const Growth* growth, uint32_t triangle, uint32_t vertex)
{
    const AbutVec3* vertices = growth->mesh->vertices;
    const uint32_t* corners = corners_of(growth, triangle);
    return abut_orient_3d(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]], vertices[vertex]);
}

static bool is_below(const Growth* growth, uint32_t triangle, const uint32_t* corners)
{
    return side_of(growth, triangle, corners[0]) <= 0 && side_of(growth, triangle, corners[1]) <= 0 &&
           side_of(growth, triangle, corners[2]) <= 0;
}

/// The last triangles first: neighbours are the likeliest to refuse.
static bool may_join(const Growth* growth, uint32_t triangle)
{
    for (uint32_t i = growth->count; i-- > growth->first;)
    {
        uint32_t member = growth->out->triangles[i];
        if (!is_below(growth, member, corners_of(growth, triangle)) ||
            !is_below(growth, triangle, corners_of(growth, member)))
        {
            return false;
        }
    }
    return true;
}

static void join(Growth* growth, uint32_t patch, uint32_t triangle)
{
    growth->out->patch_of[triangle] = patch;
    growth->out->triangles[growth->count++] = triangle;
}

static void grow_patch(Growth* growth, uint32_t seed)
{
    AbutConvexPatches* out = growth->out;
    uint32_t patch = out->patch_count++;
    growth->first = growth->count;
    join(growth, patch, seed);
    for (uint32_t i = growth->first; i < growth->count; ++i)
    {
        for (uint32_t side = 0; side < 3; ++side)
        {
            uint32_t twin = growth->solid->half_edges.twins[3 * (size_t)out->triangles[i] + side];
            uint32_t next = twin / 3;
            if (twin == ABUT_NO_TWIN || out->patch_of[next] != NONE || growth->tested[next] == patch ||
                growth->count - growth->first == ABUT_CONVEX_PATCH_TRIANGLES)
            {
                continue;
            }
            growth->tested[next] = patch;
            if (may_join(growth, next))
            {
                join(growth, patch, next);
            }
        }
    }
    out->offsets[patch + 1] = growth->count;
}

static bool is_collapsed(const uint32_t* corners)
{
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

static void grow_all(Growth* growth)
{
    uint32_t triangle_count = growth->mesh->triangle_count;
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        if (growth->out->patch_of[t] == NONE && !is_collapsed(corners_of(growth, t)))
        {
            grow_patch(growth, t);
        }
    }
    growth->out->triangle_count = growth->count;
}

// -----------------------------------------------------------------------------------------------------------
// Division
// -----------------------------------------------------------------------------------------------------------

/// Whether a face of the hull of triangles is further outside of the solid than `error`, at its middle or
/// halfway from there to a corner.
static AbutResult test_hull(const AbutSolid* solid, const uint32_t* triangles, uint32_t count, double error,
                            bool* is_outside)
{
    AbutHull* hull = NULL;
    AbutResult result = abut_piece_hull_of_triangles(solid, triangles, count, &hull);
    *is_outside = false;
    for (uint32_t face = 0; result == ABUT_OK && !*is_outside && face < hull->face_count; ++face)
    {
        AbutDVec3 middle = abut_piece_face_middle(hull, face);
        *is_outside = abut_solid_distance(solid, middle) > error;
        const AbutHullFace* polygon = &abut_hull_faces(hull)[face];
        for (uint32_t i = 0; !*is_outside && i < polygon->count; ++i)
        {
            AbutDVec3 corner = abut_hull_position(hull, abut_hull_tail(hull, polygon->first + i));
            *is_outside = abut_solid_distance(solid, abut_dvec3_lerp(middle, corner, 0.5)) > error;
        }
    }
    abut_hull_destroy(hull, &solid->host);
    return result;
}

static double triangle_coordinate(const AbutMesh* mesh, uint32_t triangle, int axis)
{
    AbutDVec3 corners[3];
    abut_mesh_corners(mesh, triangle, corners);
    return abut_dvec3_get(abut_corners_middle(corners), axis);
}

/// The axis along which the middles of triangles spread most, and the middle of that interval.
static int spread_axis(const AbutMesh* mesh, const uint32_t* triangles, uint32_t count, double* middle)
{
    int longest = 0;
    double largest = -1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < count; ++i)
        {
            double x = triangle_coordinate(mesh, triangles[i], axis);
            low = abut_smaller(x, low);
            high = abut_larger(x, high);
        }
        if (high - low > largest)
        {
            largest = high - low;
            longest = axis;
            *middle = 0.5 * (low + high);
        }
    }
    return longest;
}

/// Orders triangles by the half that they are in; both halves have some, unless there is one triangle.
static uint32_t divide(const AbutMesh* mesh, uint32_t* triangles, uint32_t count)
{
    double middle = 0.0;
    int axis = spread_axis(mesh, triangles, count, &middle);
    uint32_t low_count = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (triangle_coordinate(mesh, triangles[i], axis) < middle)
        {
            uint32_t triangle = triangles[i];
            triangles[i] = triangles[low_count];
            triangles[low_count++] = triangle;
        }
    }
    return low_count > 0 && low_count < count ? low_count : count / 2;
}

/// Ends of patches that remain to be tested, the next one on top.
typedef struct Ends
{
    uint32_t* items;
    uint32_t count;
} Ends;

/// Divides [begin, top end) until its hull fits; sets *end.
static AbutResult divide_front(const AbutSolid* solid, double error, uint32_t* triangles, uint32_t begin,
                               Ends* ends)
{
    for (;;)
    {
        uint32_t count = ends->items[ends->count - 1] - begin;
        bool is_outside = false;
        if (count > 1)
        {
            AbutResult result = test_hull(solid, triangles + begin, count, error, &is_outside);
            if (result != ABUT_OK)
            {
                return result;
            }
        }
        if (!is_outside)
        {
            return ABUT_OK;
        }
        ends->items[ends->count++] = begin + divide(solid->half_edges.mesh, triangles + begin, count);
    }
}

/// Replaces the patches by those after division. The offsets have a capacity of one per triangle and one
/// more.
static AbutResult divide_all(const AbutSolid* solid, double error, AbutConvexPatches* out)
{
    Ends ends = { 0 };
    ends.items = abut_memory_allocate(&solid->host, (size_t)out->triangle_count + 1, sizeof(uint32_t));
    if (ends.items == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t patch = out->patch_count; patch > 0; --patch)
    {
        ends.items[ends.count++] = out->offsets[patch];
    }
    out->patch_count = 0;
    AbutResult result = ABUT_OK;
    while (result == ABUT_OK && ends.count > 0)
    {
        uint32_t begin = out->offsets[out->patch_count];
        result = divide_front(solid, error, out->triangles, begin, &ends);
        uint32_t end = ends.items[--ends.count];
        for (uint32_t i = begin; i < end; ++i)
        {
            out->patch_of[out->triangles[i]] = out->patch_count;
        }
        out->patch_count += 1;
        out->offsets[out->patch_count] = end;
    }
    abut_memory_free(&solid->host, ends.items, (size_t)out->triangle_count + 1, sizeof(uint32_t));
    return result;
}

// -----------------------------------------------------------------------------------------------------------
// Creation
// -----------------------------------------------------------------------------------------------------------

static AbutResult grow(const AbutSolid* solid, uint32_t* tested, AbutConvexPatches* out)
{
    const AbutMesh* mesh = solid->half_edges.mesh;
    memset(tested, 0xff, mesh->triangle_count * sizeof(uint32_t));
    memset(out->patch_of, 0xff, mesh->triangle_count * sizeof(uint32_t));
    out->offsets[0] = 0;
    Growth growth = { .solid = solid, .mesh = mesh, .out = out, .tested = tested };
    grow_all(&growth);
    return out->triangle_count > 0 ? ABUT_OK
                                   : abut_fail(ABUT_INVALID_DATA, "decompose: all triangles are degenerate");
}

AbutResult abut_convex_patches_create(const AbutSolid* solid, double error, AbutConvexPatches* out)
{
    const AbutHost* host = &solid->host;
    uint32_t count = solid->half_edges.mesh->triangle_count;
    AbutConvexPatches patches = { .capacity = count };
    patches.triangles = abut_memory_allocate(host, count, sizeof(uint32_t));
    patches.offsets = abut_memory_allocate(host, (size_t)count + 1, sizeof(uint32_t));
    patches.patch_of = abut_memory_allocate(host, count, sizeof(uint32_t));
    uint32_t* tested = abut_memory_allocate(host, count, sizeof(uint32_t));
    AbutResult result = ABUT_OUT_OF_MEMORY;
    if (patches.triangles != NULL && patches.offsets != NULL && patches.patch_of != NULL && tested != NULL)
    {
        result = grow(solid, tested, &patches);
    }
    abut_memory_free(host, tested, count, sizeof(uint32_t));
    if (result == ABUT_OK)
    {
        result = divide_all(solid, error, &patches);
    }
    if (result != ABUT_OK)
    {
        abut_convex_patches_destroy(host, &patches);
    }
    *out = patches;
    return result;
}

void abut_convex_patches_destroy(const AbutHost* host, AbutConvexPatches* patches)
{
    abut_memory_free(host, patches->triangles, patches->capacity, sizeof(uint32_t));
    abut_memory_free(host, patches->offsets, (size_t)patches->capacity + 1, sizeof(uint32_t));
    abut_memory_free(host, patches->patch_of, patches->capacity, sizeof(uint32_t));
    *patches = (AbutConvexPatches){ 0 };
}
