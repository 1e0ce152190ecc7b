// A point hull from begin to end: checks, cells of the surface, the cover, the block.
#include "points/hull/point_hull.h"

#include "base/fp_env.h"
#include "base/memory.h"
#include "points/hull/cover.h"
#include "points/points.h"
#include "shape/shape.h"

#include <math.h>
#include <string.h>

enum
{
    DEFAULT_COUNT = 1024,
    DEFAULT_LIMIT = 1 << 20,
    CELL_LIMIT = 1 << 26,
    LEAST_TRIAL_CELLS = 1 << 20, // cells that a trial may have at most: finer ones take seconds
    TRIAL_CELLS = 1 << 11,       // the same per ball
    MAX_TRIALS = 10              // of an error for a count
};

/// Half-diagonal of cells, in errors: smaller ones need fewer balls, and more time.
static const double CELL_RADIUS = 1.0 / 3.0;

/// The same where distances are bounds, so that cells near the surface may not be in reach of it.
static const double CELL_RADIUS_BOUND = 1.0 / 8.0;

/// Most by which one trial refines the error: counts of few balls say little about those of many.
static const double FINEST_STEP = 1.0 / 6.0;

/// Errors closer together than this are not told apart.
static const double ERROR_RATIO = 1.1;

/// How near the count of balls comes to the one that was asked for.
static const double COUNT_TOLERANCE = 0.08;

AbutPointHullDef abut_point_hull_def(void)
{
    return (AbutPointHullDef){ .count = DEFAULT_COUNT, .count_limit = DEFAULT_LIMIT };
}

// -----------------------------------------------------------------------------------------------------------
// Storage
// -----------------------------------------------------------------------------------------------------------

static void fill_header(AbutPointHullHeader* h, const AbutPointSet* points, const float* radii, float error)
{
    AbutPointsInfo info = abut_points_info(points);
    AbutPointData data = abut_points_data(points);
    AbutBox bounds = abut_box_empty();
    *h = (AbutPointHullHeader){ .count = info.count,
                                .node_count = info.node_count,
                                .error = error,
                                .min_radius = info.count > 0 ? INFINITY : 0.0f };
    for (uint32_t i = 0; i < info.count; ++i)
    {
        float r = radii[data.source[i]];
        AbutVec3 at = abut_vec3(data.positions.x[i], data.positions.y[i], data.positions.z[i]);
        bounds = abut_box_union(bounds, abut_box_expand((AbutBox){ at, at }, r));
        h->min_radius = fminf(h->min_radius, r);
        h->max_radius = fmaxf(h->max_radius, r);
    }
    const float ends[6] = {
        bounds.min.x, bounds.min.y, bounds.min.z, bounds.max.x, bounds.max.y, bounds.max.z
    };
    memcpy(h->bounds, ends, sizeof(ends));
    abut_point_hull_layout(h);
}

static float largest_radius(const float* radii, AbutPointNode node)
{
    float largest = 0.0f;
    for (uint32_t k = 0; k < node.point_count; ++k)
    {
        largest = fmaxf(largest, radii[node.first_point + k]);
    }
    return largest;
}

static void fill_block(AbutPointHullHeader* block, const AbutPointSet* points, const float* radii)
{
    AbutPointData data = abut_points_data(points);
    size_t bytes = (size_t)block->count * sizeof(float);
    char* start = (char*)block;
    float* radius = (float*)(start + block->offsets[ABUT_POINT_HULL_RADIUS]);
    AbutPointHullNode* nodes = (AbutPointHullNode*)(start + block->offsets[ABUT_POINT_HULL_NODES]);
    if (block->count == 0)
    {
        return;
    }
    memcpy(start + block->offsets[ABUT_POINT_HULL_X], data.positions.x, bytes);
    memcpy(start + block->offsets[ABUT_POINT_HULL_Y], data.positions.y, bytes);
    memcpy(start + block->offsets[ABUT_POINT_HULL_Z], data.positions.z, bytes);
    for (uint32_t i = 0; i < block->count; ++i)
    {
        radius[i] = radii[data.source[i]];
    }
    for (uint32_t i = 0; i < block->node_count; ++i)
    {
        AbutPointNode node = abut_points_node(points, i);
        nodes[i] = (AbutPointHullNode){ { node.center.x, node.center.y, node.center.z },
                                        node.radius,
                                        largest_radius(radius, node),
                                        node.first_point,
                                        node.point_count,
                                        node.child_count > 0 ? node.first_child : 0,
                                        node.child_count };
    }
}

/// positions and radii of `count` balls.
static AbutResult store(const float* positions, const float* radii, uint32_t count, float error,
                        const AbutHost* host, AbutPointHull** out)
{
    AbutPointSet* points = NULL;
    AbutPointHullHeader header;
    AbutResult result = abut_points_create(positions, NULL, count, host, &points);
    if (result != ABUT_OK)
    {
        return result;
    }
    fill_header(&header, points, radii, error);
    AbutPointHullHeader* block = abut_memory_allocate_zero(host, 1, header.total_bytes);
    if (block != NULL)
    {
        *block = header;
        fill_block(block, points, radii);
        block->checksum = abut_point_hull_checksum(block, header.total_bytes);
    }
    abut_points_destroy(points);
    return block != NULL ? abut_point_hull_wrap(block, host, out) : ABUT_OUT_OF_MEMORY;
}

// -----------------------------------------------------------------------------------------------------------
// Making one
// -----------------------------------------------------------------------------------------------------------

static AbutResult check(const AbutPointHullDef* def, const AbutShape* shape)
{
    if (def->count_limit == 0)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "point hull: the limit is 0; start from abut_point_hull_def()");
    }
    if (!(def->error >= 0.0f && isfinite(def->error)) || (def->error == 0.0f && def->count == 0))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "point hull: an error over 0 or a count of at least 1 is needed");
    }
    if (shape == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "point hull: the shape is NULL");
    }
    if (!abut_box_is_empty(shape->info.bounds) && !abut_box_is_finite(shape->info.bounds))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT,
                         "point hull: the shape is infinite; let the other body of a pair be the points");
    }
    return ABUT_OK;
}

/// The least error that can be proved: twice that of samples.
static AbutResult check_error(const AbutShape* shape, double error)
{
    double own = abut_hull_promise(shape).error;
    if (!(2.0 * own <= error))
    {
        return isfinite(own)
                   ? abut_fail(ABUT_INVALID_ARGUMENT,
                               "point hull: an error of %g cannot be proved: that of the shape is %g; "
                               "ask for at least %g, or bake it with finer cells",
                               error, own, 2.0 * own)
                   : abut_fail(ABUT_INVALID_DATA,
                               "point hull: signs of the field are uncertain; bake it with its holes "
                               "closed (abut bake --close)");
    }
    return ABUT_OK;
}

static AbutResult make_cover(const AbutPointHullDef* def, const AbutShape* shape, double error,
                             uint32_t limit, AbutArena* arena, AbutHullCover* out)
{
    AbutHullCells cells;
    AbutHullCoverDef cover = { error, def->one_radius };
    bool exact = shape->info.distance_kind == ABUT_DISTANCE_EXACT;
    double radius = error * (exact ? CELL_RADIUS : CELL_RADIUS_BOUND);
    AbutResult result = check_error(shape, error);
    result = result == ABUT_OK ? abut_hull_cells_build(shape, radius, limit, arena, &cells) : result;
    if (result != ABUT_OK || cells.count == 0)
    {
        *out = (AbutHullCover){ .error = (float)error };
        return result;
    }
    return abut_hull_cover(&cover, &cells, arena, out);
}

/// The error for a count. Under a flat region balls cover an area in proportion to the error, so their count
/// is in inverse proportion to it; bisection where that leads out of the known interval.
static AbutResult find_error(const AbutPointHullDef* def, const AbutShape* shape, const AbutHost* host,
                             double* error)
{
    AbutVec3 extents = abut_box_extents(shape->info.bounds);
    double size = (double)fmaxf(extents.x, fmaxf(extents.y, extents.z));
    double least = 2.0 * abut_hull_promise(shape).error, wanted = (double)def->count;
    double at = fmin(fmax(0.5 * size / sqrt((double)def->count), least), 0.25 * size), low = 0.0,
           high = INFINITY, best = 0.0;
    uint32_t limit = def->count < CELL_LIMIT / TRIAL_CELLS ? def->count * TRIAL_CELLS : CELL_LIMIT;
    limit = limit > LEAST_TRIAL_CELLS ? limit : LEAST_TRIAL_CELLS;
    *error = at;
    for (int i = 0; i < MAX_TRIALS; ++i)
    {
        AbutArena arena = abut_arena_make(host);
        AbutHullCover cover;
        AbutResult result = make_cover(def, shape, at, limit, &arena, &cover);
        uint32_t count = result == ABUT_OK ? cover.count : 0;
        abut_arena_clear(&arena);
        bool too_fine = result == ABUT_LIMIT_EXCEEDED && i + 1 < MAX_TRIALS;
        if (result != ABUT_OK && !too_fine)
        {
            return best > 0.0 && result == ABUT_LIMIT_EXCEEDED ? ABUT_OK : result;
        }
        double ratio = too_fine ? INFINITY : (double)count / wanted;
        // Nearer to the count, by its logarithm. A solid may have no use for so many balls.
        if (!too_fine && (best == 0.0 || fabs(log(ratio)) <= fabs(log(best))))
        {
            *error = at;
            best = ratio;
        }
        low = ratio > 1.0 ? at : low; // too many balls: a larger error
        high = ratio < 1.0 ? at : high;
        if ((count == 0 && !too_fine) || fabs(ratio - 1.0) < COUNT_TOLERANCE ||
            (at <= least && ratio < 1.0) || (low > 0.0 && high < ERROR_RATIO * low))
        {
            break;
        }
        double next = too_fine ? 0.0 : at * fmax(ratio, FINEST_STEP);
        next = next > low && next < high ? next : isinf(high) ? 2.0 * at : sqrt(fmax(low, least) * high);
        at = fmax(next, least);
    }
    return ABUT_OK;
}

static AbutResult store_cover(const AbutHullCover* cover, const AbutHost* host, AbutArena* arena,
                              AbutPointHull** out)
{
    float* positions = abut_arena_allocate(arena, cover->count, 3 * sizeof(float));
    float* radii = abut_arena_allocate(arena, cover->count, sizeof(float));
    if (positions == NULL || radii == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < cover->count; ++i)
    {
        AbutHullBall ball = cover->balls[i];
        positions[3 * (size_t)i] = ball.center.x;
        positions[3 * (size_t)i + 1] = ball.center.y;
        positions[3 * (size_t)i + 2] = ball.center.z;
        radii[i] = ball.radius;
    }
    return store(positions, radii, cover->count, cover->error, host, out);
}

AbutResult abut_point_hull_create(const AbutPointHullDef* def, const AbutShape* shape, AbutPointHull** out)
{
    ABUT_FP_CALL(abut_point_hull_create, def, shape, out);
    *out = NULL;
    AbutResult result = check(def, shape);
    if (result != ABUT_OK)
    {
        return result;
    }
    AbutHost host = abut_host_resolve(def->host);
    if (abut_box_is_empty(shape->info.bounds))
    {
        return store(NULL, NULL, 0, 0.0f, &host, out);
    }
    double error = (double)def->error;
    result = error > 0.0 ? ABUT_OK : find_error(def, shape, &host, &error);
    AbutArena arena = abut_arena_make(&host);
    AbutHullCover cover = { 0 };
    result = result == ABUT_OK ? make_cover(def, shape, error, CELL_LIMIT, &arena, &cover) : result;
    if (result == ABUT_OK && cover.count > def->count_limit)
    {
        result = abut_fail(ABUT_LIMIT_EXCEEDED, "point hull: %u points are needed, the limit is %u",
                           cover.count, def->count_limit);
    }
    result = result == ABUT_OK ? store_cover(&cover, &host, &arena, out) : result;
    abut_arena_clear(&arena);
    return result;
}

AbutPointHull* abut_point_hull_retain(AbutPointHull* hull)
{
    atomic_fetch_add_explicit(&hull->owners, 1, memory_order_relaxed);
    return hull;
}

void abut_point_hull_destroy(AbutPointHull* hull)
{
    if (hull != NULL && atomic_fetch_sub_explicit(&hull->owners, 1, memory_order_acq_rel) == 1)
    {
        AbutHost host = hull->host;
        abut_memory_free(&host, hull->block, 1, hull->block->total_bytes);
        abut_memory_free(&host, hull, 1, sizeof(*hull));
    }
}

AbutPointHullInfo abut_point_hull_info(const AbutPointHull* hull)
{
    const AbutPointHullHeader* h = hull->block;
    const float* b = h->bounds;
    return (AbutPointHullInfo){
        .count = h->count,
        .bounds = abut_box(abut_vec3(b[0], b[1], b[2]), abut_vec3(b[3], b[4], b[5])),
        .error = h->error,
        .min_radius = h->min_radius,
        .max_radius = h->max_radius,
        .node_count = h->node_count,
        .bytes = (size_t)h->total_bytes + sizeof(*hull),
    };
}

AbutPointHullData abut_point_hull_data(const AbutPointHull* hull)
{
    return (AbutPointHullData){ hull->block->count, { hull->at[0], hull->at[1], hull->at[2] }, hull->radius };
}
