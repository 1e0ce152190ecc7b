// Which points of a pair may touch: those of the tree's spheres that are nearer to the other solid than a margin. A list serves as long
// as no point moves by more than the margin against the solid, over the iterations of a substep.
#include "dynamics/penalty/penalty.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "math/dvec3.h"
#include "points/points.h"
#include "shape/shape.h"
#include "toi/points/safe_radius.h"

#include <math.h>
#include <string.h>

enum
{
    FIRST_CAPACITY = 64
};

/// Of the smaller radius: what points may move beyond the way that they were collected for.
#define SKIN 0.004

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

AbutPenaltyFrame abut_penalty_see(const AbutPenaltyFrame* body, const AbutPenaltyFrame* solid)
{
    AbutPenaltyFrame out;
    for (int i = 0; i < 3; ++i)
    {
        out.position[i] = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            out.position[i] += solid->matrix[k][i] * (body->position[k] - solid->position[k]);
            out.matrix[i][k] = solid->matrix[0][i] * body->matrix[0][k] +
                               solid->matrix[1][i] * body->matrix[1][k] +
                               solid->matrix[2][i] * body->matrix[2][k];
        }
    }
    return out;
}

/// Upper bound of how far a point, at most `reach` from the centre of mass, is in one frame from where it is in the other.
static double apart(const AbutPenaltyFrame* a, const AbutPenaltyFrame* b, double reach)
{
    double moved = 0.0, turned = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        double d = a->position[i] - b->position[i];
        moved += d * d;
        for (int k = 0; k < 3; ++k)
        {
            double e = a->matrix[i][k] - b->matrix[i][k];
            turned += e * e;
        }
    }
    return sqrt(moved) + sqrt(turned) * reach;
}

/// How far from its centre of mass a body has points; negative without any.
static double points_reach(const AbutBody* body)
{
    if (body->points == NULL || body->points->count == 0)
    {
        return -1.0;
    }
    const AbutPointNode* root = &body->points->nodes[0];
    const double away[3] = { (double)root->center.x - body->center[0],
                             (double)root->center.y - body->center[1],
                             (double)root->center.z - body->center[2] };
    return (double)body->scale * (sqrt(abut_dot(away, away)) + (double)root->radius) * (1.0 + 1e-6);
}

/// The pair's way as one side sees it.
typedef struct SideWay
{
    const AbutBody *carrier, *solid;
    AbutPenaltyFrame start, middle, end;
    double reach;
} SideWay;

static SideWay side_way(const AbutWorld* world, const AbutPenaltyPair* pair, int side)
{
    uint32_t carrier = side == 0 ? pair->a : pair->b, solid = side == 0 ? pair->b : pair->a;
    const AbutPenaltyBody *a = &world->penalty->bodies[carrier], *b = &world->penalty->bodies[solid];
    SideWay way = { .carrier = &world->bodies[carrier], .solid = &world->bodies[solid] };
    way.reach = points_reach(way.carrier);
    way.start = pair->start[side];
    way.end = abut_penalty_see(&a->end, &b->end);
    way.middle = abut_penalty_see(&a->middle, &b->middle);
    return way;
}

/// On the way all points are within the margin of where they were seen: the way is straight, so both ends tell.
static bool holds(const AbutPenaltyNear* near, const SideWay ways[2])
{
    for (int side = 0; side < 2 && near->is_known; ++side)
    {
        const SideWay* way = &ways[side];
        if (way->reach >= 0.0 && !(apart(&way->start, &near->seen[side], way->reach) <= near->margin &&
                                   apart(&way->end, &near->seen[side], way->reach) <= near->margin))
        {
            return false;
        }
    }
    return near->is_known;
}

/// Points are seen in the middle of the way; the margin has room for both ends, and a skin.
static void set_range(const SideWay ways[2], double skin, AbutPenaltyNear* near)
{
    near->margin = 0.0;
    for (int side = 0; side < 2; ++side)
    {
        const SideWay* way = &ways[side];
        near->seen[side] = way->middle;
        if (way->reach >= 0.0)
        {
            near->margin = fmax(near->margin, apart(&way->start, &way->middle, way->reach));
            near->margin = fmax(near->margin, apart(&way->end, &way->middle, way->reach));
        }
    }
    near->margin = 1.1 * near->margin + skin;
}

bool abut_penalty_is_collected(const AbutWorld* world)
{
    const AbutPenalty* penalty = world->penalty;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        const SideWay ways[2] = { side_way(world, pair, 0), side_way(world, pair, 1) };
        if (!holds(&penalty->nears[i], ways))
        {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree
// ---------------------------------------------------------------------------------------------------------------------

/// One side of a pair while its points are collected. Lengths of `margin` and `seen` are those of the world.
typedef struct Search
{
    const AbutPointSet* points;
    const AbutBody *carrier, *solid;
    AbutReach reach;
    AbutPenaltyFrame seen;
    double margin;
    uint32_t mark;
    AbutPenaltyNear* out;
} Search;

/// Spheres that are looked at together: the children of a node, or the points of a leaf.
typedef struct Spheres
{
    uint32_t count;
    double at[ABUT_POINT_CHILDREN][3]; // in the points' frame
    double radius[ABUT_POINT_CHILDREN];
    bool near[ABUT_POINT_CHILDREN];
} Spheres;

_Static_assert((int)ABUT_POINT_LEAF <= (int)ABUT_POINT_CHILDREN, "points of a leaf are looked at together");

/// Whether the spheres come nearer to the solid than the margin.
static void look(const Search* self, Spheres* spheres)
{
    float at[3][ABUT_POINT_CHILDREN], distance[ABUT_POINT_CHILDREN];
    double scale = self->carrier->scale, unit = 1.0 / (double)self->solid->scale;
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        double arm[3];
        for (int k = 0; k < 3; ++k)
        {
            arm[k] = scale * (spheres->at[i][k] - self->carrier->center[k]);
        }
        for (int k = 0; k < 3; ++k)
        {
            double x = abut_dot(self->seen.matrix[k], arm) + self->seen.position[k];
            at[k][i] = (float)(self->solid->center[k] + x * unit);
        }
    }
    AbutPoints points = { at[0], at[1], at[2] };
    abut_shape_sample_batch(self->solid->shape, NULL, points, spheres->count,
                            (AbutSamples){ .distance = distance });
    for (uint32_t i = 0; i < spheres->count; ++i)
    {
        const float place[3] = { at[0][i], at[1][i], at[2][i] };
        double needed = (scale * spheres->radius[i] + self->margin) * unit;
        spheres->near[i] = !(abut_reach_free(&self->reach, place, distance[i]) > needed);
    }
}

static void emit(const Search* self, uint32_t point)
{
    AbutPenaltyNear* out = self->out;
    if (out->count < out->capacity)
    {
        out->points[out->count] = point | self->mark;
    }
    out->count += 1;
}

static void collect_leaf(const Search* self, const AbutPointNode* node)
{
    Spheres spheres = { .count = node->point_count };
    for (uint32_t i = 0; i < node->point_count; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            spheres.at[i][k] = self->points->at[k][node->first_point + i];
        }
    }
    look(self, &spheres);
    for (uint32_t i = 0; i < node->point_count; ++i)
    {
        if (spheres.near[i])
        {
            emit(self, node->first_point + i);
        }
    }
}

/// Depth first, so that points come in order; no deeper than ABUT_POINT_MAX_DEPTH.
static void collect_node(const Search* self, const AbutPointNode* node)
{
    if (node->child_count == 0)
    {
        collect_leaf(self, node);
        return;
    }
    Spheres spheres = { .count = node->child_count };
    const AbutPointNode* children = &self->points->nodes[node->first_child];
    for (uint32_t i = 0; i < node->child_count; ++i)
    {
        spheres.at[i][0] = (double)children[i].center.x;
        spheres.at[i][1] = (double)children[i].center.y;
        spheres.at[i][2] = (double)children[i].center.z;
        spheres.radius[i] = (double)children[i].radius;
    }
    look(self, &spheres);
    for (uint32_t i = 0; i < node->child_count; ++i)
    {
        if (spheres.near[i])
        {
            collect_node(self, &children[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------------------------

static void collect_pair(const SideWay ways[2], AbutPenaltyNear* near)
{
    near->count = 0;
    for (int side = 0; side < 2; ++side)
    {
        const SideWay* way = &ways[side];
        if (way->reach >= 0.0)
        {
            const Search search = { .points = way->carrier->points,
                                    .carrier = way->carrier,
                                    .solid = way->solid,
                                    .reach = abut_reach_make(way->solid->shape),
                                    .seen = near->seen[side],
                                    .margin = near->margin,
                                    .mark = side == 0 ? 0 : ABUT_PENALTY_SIDE_B,
                                    .out = near };
            collect_node(&search, &search.points->nodes[0]);
        }
    }
    near->is_known = near->count <= near->capacity;
}

static void collect_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const AbutWorld* world = context;
    const AbutPenaltyPair* pair = &world->penalty->pairs[block];
    AbutPenaltyNear* near = &world->penalty->nears[block];
    const SideWay ways[2] = { side_way(world, pair, 0), side_way(world, pair, 1) };
    if (!holds(near, ways))
    {
        double radius = fmin((double)world->bodies[pair->a].radius, (double)world->bodies[pair->b].radius);
        set_range(ways, SKIN * radius, near);
        collect_pair(ways, near);
    }
}

/// Gives every list that is not known the room that it is known to need. False without memory.
static bool make_room(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AbutPenaltyNear* near = &penalty->nears[i];
        size_t needed = near->count > FIRST_CAPACITY ? near->count : FIRST_CAPACITY;
        if (!near->is_known && !abut_memory_grow(&world->host, (void**)&near->points, &near->capacity, needed,
                                                 sizeof(*near->points)))
        {
            return false;
        }
    }
    return true;
}

/// A pair finds the same for the same input, so two rounds do: the second has the room that the first found out.
AbutResult abut_penalty_collect(AbutWorld* world)
{
    for (int round = 0; round < 2; ++round)
    {
        if (!make_room(world))
        {
            return ABUT_OUT_OF_MEMORY;
        }
        abut_parallel_for(&world->host, (uint32_t)world->penalty->pairs_count, collect_block, world);
    }
    return ABUT_OK;
}

AbutResult abut_penalty_reserve_nears(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    if (!ABUT_PENALTY_GROW(world, nears, penalty->pairs_count))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (; penalty->nears_count < penalty->pairs_count; ++penalty->nears_count)
    {
        penalty->nears[penalty->nears_count] = (AbutPenaltyNear){ .points = NULL };
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        penalty->nears[i].is_known = false;
        penalty->nears[i].count = 0;
    }
    return ABUT_OK;
}

void abut_penalty_free_nears(AbutWorld* world)
{
    for (size_t i = 0; i < world->penalty->nears_count; ++i)
    {
        AbutPenaltyNear* near = &world->penalty->nears[i];
        abut_memory_free(&world->host, near->points, near->capacity, sizeof(*near->points));
    }
    world->penalty->nears_count = 0;
}
