#include "mesh/repair/cap_plan.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"

#include <string.h>

/// What the squared sides of a triangle count beside its area: little, for of two caps that are equally flat
/// the one with compact triangles is wanted, and all caps of a flat loop have the same area.
static const double SIDES_TO_AREA = 1.0 / 64.0;

/// What a side counts, squared, where the cap folds back onto the surface: enough to choose the missing faces
/// of a box and not its other faces once more, which have the same area.
static const double FOLD_TO_AREA = 1.0 / 4.0;

/// Weight of the area of a triangle that faces away, and of the area that a thin triangle lacks: over all
/// other costs.
static const double FAULT_TO_AREA = 1e9;

static size_t pair_of(const AbutCapPlan* self, uint32_t i, uint32_t j)
{
    return (size_t)i * self->capacity + j;
}

typedef struct PlanTriangle
{
    AbutDVec3 sides[3]; // as vectors: from a to b, from b to c, from c to a
    double squares[3];  // of their lengths
    AbutDVec3 normal;   // twice the area long
    double area;
} PlanTriangle;

static PlanTriangle make_triangle(AbutDVec3 a, AbutDVec3 b, AbutDVec3 c)
{
    PlanTriangle t = { .sides = { abut_dvec3_sub(b, a), abut_dvec3_sub(c, b), abut_dvec3_sub(a, c) } };
    t.normal = abut_dvec3_cross(t.sides[0], t.sides[1]);
    t.squares[0] = abut_dvec3_squared_length(t.sides[0]);
    t.squares[1] = abut_dvec3_squared_length(t.sides[1]);
    t.squares[2] = abut_dvec3_squared_length(t.sides[2]);
    t.area = 0.5 * abut_dvec3_length(t.normal);
    return t;
}

static double triangle_cost(const PlanTriangle* t, const AbutPlanView* view)
{
    double sum = t->squares[0] + t->squares[1] + t->squares[2];
    double longest = sqrt(abut_larger(abut_larger(t->squares[0], t->squares[1]), t->squares[2]));
    bool facing = abut_dvec3_dot(view->direction, view->direction) > 0.0;
    double seen = facing ? 0.5 * abut_dvec3_dot(t->normal, view->direction) : t->area;
    double least = 0.5 * view->thin * longest;
    double fault = (t->area < least ? least - t->area : 0.0) + (seen < -least ? -seen : 0.0);
    return FAULT_TO_AREA * fault + t->area + SIDES_TO_AREA * sum;
}

/// Nothing up to a right angle between the faces.
static double fold_cost(const PlanTriangle* t, int side, AbutDVec3 neighbor)
{
    double fold = t->area > 0.0 ? -0.5 * abut_dvec3_dot(t->normal, neighbor) / t->area : 0.0;
    return fold > 0.0 ? FOLD_TO_AREA * fold * fold * t->squares[side] : 0.0;
}

static double cost_of(const AbutCapPlan* self, const uint32_t corners[3], uint32_t count,
                      const AbutPlanView* view)
{
    PlanTriangle t =
        make_triangle(self->points[corners[0]], self->points[corners[1]], self->points[corners[2]]);
    double cost = triangle_cost(&t, view);
    for (int side = 0; side < 3; ++side)
    {
        uint32_t from = corners[side], to = corners[(side + 1) % 3];
        if (to == from + 1 || (from == count - 1 && to == 0))
        {
            cost += fold_cost(&t, side, self->normals[from]);
        }
    }
    return cost;
}

/// The best triangle on the side from i to j; the costs beyond its other sides are known already.
static void choose_apex(AbutCapPlan* self, uint32_t i, uint32_t j, uint32_t count, const AbutPlanView* view)
{
    double best = INFINITY;
    uint32_t apex = i + 1;
    for (uint32_t k = i + 1; k < j; ++k)
    {
        double halves = self->costs[pair_of(self, i, k)] + self->costs[pair_of(self, k, j)];
        if (!(halves < best))
        {
            continue;
        }
        const uint32_t corners[3] = { i, k, j };
        double cost = halves + cost_of(self, corners, count, view);
        if (cost < best)
        {
            best = cost;
            apex = k;
        }
    }
    self->costs[pair_of(self, i, j)] = best;
    self->apexes[pair_of(self, i, j)] = (uint16_t)apex;
}

static void fill_table(AbutCapPlan* self, uint32_t count, const AbutPlanView* view)
{
    for (uint32_t i = 0; i + 1 < count; ++i)
    {
        self->costs[pair_of(self, i, i + 1)] = 0.0;
    }
    for (uint32_t span = 2; span < count; ++span)
    {
        for (uint32_t i = 0; i + span < count; ++i)
        {
            uint32_t j = i + span;
            if (span + 1 < count && self->blocked[pair_of(self, i, j)] != 0)
            {
                self->costs[pair_of(self, i, j)] = INFINITY;
            }
            else
            {
                choose_apex(self, i, j, count, view);
            }
        }
    }
}

static void read_triangles(AbutCapPlan* self, uint32_t count)
{
    uint32_t triangle_count = 0, depth = 0;
    self->stack[depth][0] = 0;
    self->stack[depth++][1] = (uint16_t)(count - 1);
    while (depth > 0)
    {
        uint16_t i = self->stack[--depth][0], j = self->stack[depth][1];
        if (j - i < 2)
        {
            continue;
        }
        uint16_t k = self->apexes[pair_of(self, i, j)];
        ABUT_ASSERT(i < k && k < j && triangle_count + 2 < count && depth + 2 <= self->capacity);
        uint16_t* triangle = self->triangles[triangle_count++];
        triangle[0] = i;
        triangle[1] = k;
        triangle[2] = j;
        self->stack[depth][0] = k;
        self->stack[depth++][1] = j;
        self->stack[depth][0] = i;
        self->stack[depth++][1] = k;
    }
    ABUT_ASSERT(triangle_count + 2 == count);
}

bool abut_cap_plan_solve(AbutCapPlan* self, uint32_t count, const AbutPlanView* view)
{
    ABUT_ASSERT(count >= 3 && count <= self->capacity);
    fill_table(self, count, view);
    if (!(self->costs[pair_of(self, 0, count - 1)] < INFINITY))
    {
        return false;
    }
    read_triangles(self, count);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Memory
// -----------------------------------------------------------------------------------------------------------

void abut_cap_plan_destroy(AbutCapPlan* self)
{
    size_t count = self->capacity, pairs = count * count;
    abut_memory_free(&self->host, self->points, count, sizeof(*self->points));
    abut_memory_free(&self->host, self->normals, count, sizeof(*self->normals));
    abut_memory_free(&self->host, self->blocked, pairs, sizeof(*self->blocked));
    abut_memory_free(&self->host, self->costs, pairs, sizeof(*self->costs));
    abut_memory_free(&self->host, self->apexes, pairs, sizeof(*self->apexes));
    abut_memory_free(&self->host, self->stack, count, sizeof(*self->stack));
    abut_memory_free(&self->host, self->triangles, count, sizeof(*self->triangles));
    AbutHost host = self->host;
    memset(self, 0, sizeof(*self));
    self->host = host;
}

AbutResult abut_cap_plan_reserve(AbutCapPlan* self, uint32_t needed)
{
    ABUT_ASSERT(needed <= ABUT_CAP_PLAN_MAX_POINTS);
    if (needed <= self->capacity)
    {
        return ABUT_OK;
    }
    uint32_t capacity = 2 * self->capacity > needed ? 2 * self->capacity : needed;
    abut_cap_plan_destroy(self);
    size_t count = capacity < ABUT_CAP_PLAN_MAX_POINTS ? capacity : ABUT_CAP_PLAN_MAX_POINTS,
           pairs = count * count;
    self->capacity = (uint32_t)count;
    self->points = abut_memory_allocate(&self->host, count, sizeof(*self->points));
    self->normals = abut_memory_allocate(&self->host, count, sizeof(*self->normals));
    self->blocked = abut_memory_allocate(&self->host, pairs, sizeof(*self->blocked));
    self->costs = abut_memory_allocate(&self->host, pairs, sizeof(*self->costs));
    self->apexes = abut_memory_allocate(&self->host, pairs, sizeof(*self->apexes));
    self->stack = abut_memory_allocate(&self->host, count, sizeof(*self->stack));
    self->triangles = abut_memory_allocate(&self->host, count, sizeof(*self->triangles));
    if (self->points == NULL || self->normals == NULL || self->blocked == NULL || self->costs == NULL ||
        self->apexes == NULL || self->stack == NULL || self->triangles == NULL)
    {
        abut_cap_plan_destroy(self);
        return ABUT_OUT_OF_MEMORY;
    }
    return ABUT_OK;
}
