// Greedy: candidates by decreasing radius, each taken if its own cell is not covered yet; then balls whose
// cells all have another one are removed, smallest first.
#include "points/hull/cover.h"

#include "base/assert.h"
#include "base/sort.h"
#include "math/dvec3.h"
#include "points/hull/candidates.h"

#include <math.h>
#include <string.h>

enum
{
    STACK = 512,    // of nodes: eight per level
    MAX_TRIALS = 20 // down to 0.9 errors
};

/// Ratio of one radius for all balls that is tried to the next.
static const double ONE_RADIUS_RATIO = 0.8;

/// The first of them, in errors.
static const double FIRST_RADIUS = 64.0;

typedef struct Cover
{
    const AbutHullCells* cells;
    double error;
    uint16_t* counts; // balls over each cell
} Cover;

typedef enum CoverAction
{
    COVER_COUNT,    // one more ball over each cell
    COVER_DISCOUNT, // one ball less
    COVER_SPARE     // whether all cells have another ball
} CoverAction;

static double distance_to(const AbutHullBall* ball, float x, float y, float z)
{
    return abut_dvec3_length(abut_dvec3((double)x - (double)ball->center.x,
                                        (double)y - (double)ball->center.y,
                                        (double)z - (double)ball->center.z));
}

/// False ends a visit of COVER_SPARE.
static bool act(Cover* cover, uint32_t cell, CoverAction action)
{
    uint16_t* count = &cover->counts[cell];
    switch (action)
    {
    case COVER_COUNT:
        *count = (uint16_t)(*count + (*count < UINT16_MAX ? 1 : 0));
        return true;
    case COVER_DISCOUNT:
        *count = (uint16_t)(*count - (*count < UINT16_MAX ? 1 : 0)); // a count that is full stays full
        return true;
    default:
        return *count > 1;
    }
}

static bool visit_cells(Cover* cover, const AbutHullBall* ball, const AbutHullNode* node, double limit,
                        CoverAction action)
{
    const AbutHullCells* cells = cover->cells;
    for (uint32_t i = node->first; i < node->first + node->count; ++i)
    {
        double distance = distance_to(ball, cells->x[i], cells->y[i], cells->z[i]) * (1.0 + 0x1p-40);
        if (distance <= limit && !act(cover, i, action))
        {
            return false;
        }
    }
    return true;
}

/// All cells that the ball covers.
static bool visit(Cover* cover, const AbutHullBall* ball, CoverAction action)
{
    const AbutHullCells* cells = cover->cells;
    double limit = (double)ball->radius + cover->error - cells->radius;
    uint32_t stack[STACK];
    uint32_t depth = 0;
    stack[depth++] = 0;
    bool good = true;
    while (depth > 0 && good)
    {
        const AbutHullNode* node = &cells->nodes[stack[--depth]];
        double distance = distance_to(ball, node->center[0], node->center[1], node->center[2]);
        if (distance - (double)node->radius > limit)
        {
            continue;
        }
        if (node->child_count == 0)
        {
            good = visit_cells(cover, ball, node, limit, action);
            continue;
        }
        ABUT_ASSERT(depth + node->child_count <= STACK);
        for (uint32_t i = 0; i < node->child_count; ++i)
        {
            stack[depth++] = node->first_child + i;
        }
    }
    return good;
}

/// Indices of the candidates by decreasing radius, then in the order of cells.
static AbutResult sort_by_radius(const AbutHullBall* candidates, uint32_t count, AbutArena* arena,
                                 uint64_t** out)
{
    uint64_t* keys = abut_arena_allocate(arena, count, sizeof(uint64_t));
    uint64_t* scratch = abut_arena_allocate(arena, count, sizeof(uint64_t));
    if (keys == NULL || scratch == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        float radius = candidates[i].radius > 0.0f ? candidates[i].radius : 0.0f;
        uint32_t bits; // of floats that are not negative: in the order of their values
        memcpy(&bits, &radius, sizeof(bits));
        keys[i] = (uint64_t)(UINT32_MAX - bits) << 32 | i;
    }
    abut_sort_keys(keys, scratch, count, 0);
    *out = keys;
    return ABUT_OK;
}

static void take_balls(Cover* cover, const AbutHullBall* candidates, const uint64_t* order,
                       AbutHullCover* out)
{
    for (uint32_t i = 0; i < cover->cells->count; ++i)
    {
        uint32_t cell = (uint32_t)order[i];
        const AbutHullBall* ball = &candidates[cell];
        if (ball->radius > 0.0f && cover->counts[cell] == 0)
        {
            (void)visit(cover, ball, COVER_COUNT);
            out->balls[out->count++] = *ball;
        }
    }
}

static void remove_spare_balls(Cover* cover, AbutHullCover* out)
{
    uint32_t kept = out->count;
    for (uint32_t i = out->count; i-- > 0;)
    {
        AbutHullBall ball = out->balls[i];
        if (visit(cover, &ball, COVER_SPARE))
        {
            (void)visit(cover, &ball, COVER_DISCOUNT);
        }
        else
        {
            out->balls[--kept] = ball; // kept ones gather at the end
        }
    }
    memmove(out->balls, out->balls + kept, (out->count - kept) * sizeof(AbutHullBall));
    out->count -= kept;
}

/// The error of cells without a ball: from the nearest ball of all.
static void measure_uncovered(const Cover* cover, AbutHullCover* out)
{
    const AbutHullCells* cells = cover->cells;
    double worst = cover->error;
    for (uint32_t i = 0; i < cells->count; ++i)
    {
        if (cover->counts[i] > 0)
        {
            continue;
        }
        double least = INFINITY;
        for (uint32_t k = 0; k < out->count; ++k)
        {
            const AbutHullBall* ball = &out->balls[k];
            least = abut_smaller(least, distance_to(ball, cells->x[i], cells->y[i], cells->z[i]) -
                                            (double)ball->radius);
        }
        worst = abut_larger(worst, least + cells->radius);
        ++out->uncovered;
    }
    out->error = (float)(worst * (1.0 + 0x1p-20));
}

static AbutResult find_candidates(const AbutHullCoverDef* def, const AbutHullCells* cells, AbutArena* arena,
                                  AbutHullBall* candidates)
{
    if (!def->one_radius)
    {
        return abut_hull_candidates(cells, def->error, arena, candidates);
    }
    uint32_t missing = 1;
    AbutResult result = ABUT_OK;
    double radius = FIRST_RADIUS * def->error;
    for (int i = 0; i < MAX_TRIALS && missing > 0 && result == ABUT_OK; ++i, radius *= ONE_RADIUS_RATIO)
    {
        AbutArena scratch = abut_arena_make(&arena->host);
        result = abut_hull_candidates_of_radius(cells, def->error, radius, &scratch, candidates, &missing);
        abut_arena_clear(&scratch);
    }
    return result;
}

AbutResult abut_hull_cover(const AbutHullCoverDef* def, const AbutHullCells* cells, AbutArena* arena,
                           AbutHullCover* out)
{
    *out = (AbutHullCover){ .error = (float)def->error };
    AbutHullBall* candidates = abut_arena_allocate(arena, cells->count, sizeof(AbutHullBall));
    Cover cover = { .cells = cells, .error = def->error };
    cover.counts = abut_arena_allocate(arena, cells->count, sizeof(uint16_t));
    out->balls = abut_arena_allocate(arena, cells->count, sizeof(AbutHullBall));
    uint64_t* order = NULL;
    if (candidates == NULL || cover.counts == NULL || out->balls == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memset(cover.counts, 0, cells->count * sizeof(uint16_t));
    AbutResult result = find_candidates(def, cells, arena, candidates);
    result = result == ABUT_OK ? sort_by_radius(candidates, cells->count, arena, &order) : result;
    if (result == ABUT_OK)
    {
        take_balls(&cover, candidates, order, out);
        remove_spare_balls(&cover, out);
        measure_uncovered(&cover, out);
    }
    return result;
}
