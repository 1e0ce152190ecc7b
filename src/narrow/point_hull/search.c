#include "narrow/point_hull/search.h"

#include "base/assert.h"
#include "math/rounding.h"

#include <math.h>

/// Largest coordinate whose square is a float.
static const double FARTHEST = 1e15;

/// A measured slope that is over the promised one by less than this is rounding.
static const double SLOPE_SPARE = 1e-3;

/// Fewer balls than this are not rejected by corners, which would take as many samples.
static const uint32_t FEW_BALLS = 16;

// -----------------------------------------------------------------------------------------------------------
// Who plays the points
// -----------------------------------------------------------------------------------------------------------

void abut_ball_side_make(const AbutPair* pair, int side, AbutBallSide* balls)
{
    const AbutPairSide* own = &pair->sides[side];
    AbutKeptHull kept = abut_point_hull_find(own->shape);
    *balls = (AbutBallSide){ .side = side };
    if (kept.hull == NULL || kept.hull->block->count == 0)
    {
        return;
    }
    balls->hull = kept.hull;
    balls->frame = own->has_transform ? abut_transform_multiply(&own->frame, &kept.frame) : kept.frame;
    balls->grow = kept.offset * own->frame.scale;
    const float* b = kept.hull->block->bounds;
    double far = abut_dvec3_taxicab(abut_dvec3(fmax(fabs(b[0]), fabs(b[3])), fmax(fabs(b[1]), fabs(b[4])),
                                               fmax(fabs(b[2]), fabs(b[5])))) *
                     balls->frame.scale +
                 abut_dvec3_taxicab(balls->frame.translation);
    double lengths = far + kept.length * own->frame.scale + (side == 1 ? pair->length : 0.0) +
                     abut_dvec3_taxicab(own->frame.translation);
    balls->error = kept.error * own->frame.scale * (1.0 + 1e-12) + 0x1p-23 * far +
                   4.0 * ABUT_TRANSFORM_ROUNDING * lengths;
}

AbutBallTravel abut_ball_travel_make(const AbutPair* pair, const AbutHullSettings* settings, int side)
{
    AbutDVec3 linear = abut_dvec3_from_vec3(settings->linear),
              angular = abut_dvec3_from_vec3(settings->angular);
    AbutBallTravel travel = { .linear = abut_dvec3_length(linear),
                              .angular = abut_dvec3_length(angular),
                              .most = INFINITY,
                              .pivot = pair->sides[1].frame.translation };
    AbutBox b = pair->boxes[1];
    if (side == 1 || abut_box_is_finite(b))
    {
        // Seen from A, points of B move by at most this; and where the balls are those of A, B moves towards
        // them by no more.
        AbutDVec3 far =
            abut_dvec3_max(abut_dvec3_abs(abut_dvec3_sub(abut_dvec3_from_vec3(b.min), travel.pivot)),
                           abut_dvec3_abs(abut_dvec3_sub(abut_dvec3_from_vec3(b.max), travel.pivot)));
        travel.most = travel.linear + travel.angular * abut_dvec3_length(far);
    }
    return travel;
}

static double travel_at(const AbutBallTravel* travel, AbutDVec3 at, double radius)
{
    if (travel->linear == 0.0 && travel->angular == 0.0)
    {
        return 0.0;
    }
    double own = travel->linear + travel->angular * (abut_dvec3_distance(at, travel->pivot) + radius);
    return abut_smaller(own, travel->most) * (1.0 + 1e-6);
}

// -----------------------------------------------------------------------------------------------------------
// Corners
// -----------------------------------------------------------------------------------------------------------

/// Centers of balls that may touch: those near the box of the other solid.
static AbutBox region_of(const AbutBallSearch* search)
{
    const AbutPointHullHeader* h = search->balls.hull->block;
    AbutBox own = abut_box(abut_vec3(h->bounds[0], h->bounds[1], h->bounds[2]),
                           abut_vec3(h->bounds[3], h->bounds[4], h->bounds[5]));
    AbutBox balls = abut_transform_box(&search->balls.frame, own);
    double travel = search->travel.linear > 0.0 || search->travel.angular > 0.0 ? search->travel.most : 0.0;
    double margin = (double)h->max_radius * search->balls.frame.scale + search->balls.grow +
                    abut_larger(search->limit, 0.0) + (isfinite(travel) ? travel : 0.0);
    AbutBox other = abut_box_expand(search->pair->boxes[search->other], abut_round_up(margin * 1.0001));
    AbutBox region = abut_box_intersection(balls, other);
    return abut_box_is_empty(region) ? balls : region;
}

static void sample_corners(AbutBallSearch* search, AbutBox box)
{
    AbutPairBatch* batch = &search->batch;
    batch->count = ABUT_BALL_CORNERS;
    for (size_t k = 0; k < ABUT_BALL_CORNERS; ++k)
    {
        AbutVec3 at = abut_vec3((k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                                (k & 4) != 0 ? box.max.z : box.min.z);
        abut_pair_batch_set(batch, k, at);
    }
    abut_pair_sample_side(search->pair, search->other, batch, false);
}

/// The largest ratio of differences of samples and distances of corners, over all 28 pairs, less the error of
/// samples.
static double measure_slope(const AbutBallSearch* search)
{
    const AbutPairBatch* batch = &search->batch;
    double steepest = 0.0, error = 2.0 * (double)search->pair->sides[search->other].error;
    for (size_t i = 0; i < ABUT_BALL_CORNERS; ++i)
    {
        for (size_t k = 0; k < i; ++k)
        {
            AbutDVec3 p = abut_dvec3_from_vec3(abut_pair_batch_point(batch, i)),
                      q = abut_dvec3_from_vec3(abut_pair_batch_point(batch, k));
            double length = abut_dvec3_distance(p, q);
            double change =
                fabs((double)batch->distance[search->other][i] - (double)batch->distance[search->other][k]);
            steepest = length > 0.0 ? abut_larger(steepest, (change - error) / length) : steepest;
        }
    }
    return isfinite(steepest) ? steepest : 0.0;
}

/// Fields have proved errors instead.
static bool needs_slope(const AbutBallSearch* search)
{
    return search->settings->correct && !search->pair->sides[search->other].is_field;
}

/// The correction of a broken formula: the larger slope, and no proofs.
static void correct_slope(AbutBallSearch* search)
{
    AbutPairSide* side = &search->pair->sides[search->other];
    if (!needs_slope(search))
    {
        return;
    }
    double slope = measure_slope(search);
    search->counts.slope = (float)slope;
    if (slope > (double)side->slope * (1.0 + SLOPE_SPARE))
    {
        side->slope = abut_round_up(slope);
        search->is_broken = true;
    }
}

static void set_bounds(AbutBallSearch* search, AbutBox region)
{
    AbutBallBounds* bounds = &search->bounds;
    AbutBox box = search->pair->boxes[search->other];
    const float min[3] = { box.min.x, box.min.y, box.min.z }, max[3] = { box.max.x, box.max.y, box.max.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        bounds->min[axis] = min[axis];
        bounds->max[axis] = max[axis];
    }
    bool rejects = search->settings->corners && search->balls.hull->block->count >= FEW_BALLS;
    bounds->corner_count = rejects ? ABUT_BALL_CORNERS : 0;
    if (!rejects && !needs_slope(search))
    {
        return;
    }
    sample_corners(search, region);
    correct_slope(search);
    for (size_t k = 0; k < bounds->corner_count; ++k)
    {
        AbutVec3 at = abut_pair_batch_point(&search->batch, k);
        double low = (double)abut_pair_low(search->pair, search->other, &search->batch, k, INFINITY);
        low -= 1e-6 * fabs(low);
        bounds->corner[k][0] = at.x;
        bounds->corner[k][1] = at.y;
        bounds->corner[k][2] = at.z;
        bounds->low[k] = low > 0.0 ? abut_round_down(low) : -INFINITY; // also of NaN
    }
}

bool abut_ball_search_begin(AbutBallSearch* search, AbutPair* pair, const AbutHullSettings* settings,
                            const AbutBallSide* balls, double limit)
{
    search->pair = pair;
    search->settings = settings;
    search->balls = *balls;
    search->other = 1 - balls->side;
    search->travel = abut_ball_travel_make(pair, settings, balls->side);
    search->limit = limit;
    search->least = INFINITY;
    search->is_broken = false;
    search->counts = (AbutHullCounts){ .points = balls->hull->block->count };
    search->next = 0;
    search->ball_count = 0;
    search->stack_count = settings->tree ? 1 : 0;
    search->stack[0] = 0;
    search->touches.count = 0;
    AbutBox region = region_of(search), all = abut_box_union(region, pair->box);
    if (!abut_box_is_finite(all) || (double)abut_shape_box_radius(all) > FARTHEST)
    {
        return false;
    }
    abut_pair_set_region(pair, all);
    set_bounds(search, region);
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Nodes and balls
// -----------------------------------------------------------------------------------------------------------

/// A NaN proves nothing.
static void add_bound(AbutBallSearch* search, double distance)
{
    search->least = distance >= search->least ? search->least : isnan(distance) ? -INFINITY : distance;
}

static void set_sphere(AbutBallSearch* search, size_t i, uint32_t index, AbutVec3 center, float radius,
                       float largest)
{
    const AbutTransform* frame = &search->balls.frame;
    AbutDVec3 at = abut_transform_point(frame, abut_dvec3_from_vec3(center));
    double grown = ((double)radius + (double)largest) * frame->scale + search->balls.grow;
    abut_pair_batch_set(&search->batch, i, abut_dvec3_to_vec3(at));
    search->index[i] = index;
    search->radius[i] = abut_round_up(grown * (1.0 + 0x1p-30));
    search->travels[i] = abut_round_up(travel_at(&search->travel, at, (double)radius * frame->scale));
}

static void move_sphere(AbutBallSearch* search, size_t from, size_t to)
{
    abut_pair_batch_set(&search->batch, to, abut_pair_batch_point(&search->batch, from));
    search->index[to] = search->index[from];
    search->radius[to] = search->radius[from];
    search->travels[to] = search->travels[from];
}

/// False when sphere i, which has no ball closer to the other solid than `distance`, cannot touch.
static bool may_touch(AbutBallSearch* search, size_t i, double distance)
{
    if (distance > search->limit + (double)search->travels[i])
    {
        add_bound(search, distance);
        return false;
    }
    return true;
}

/// Drops spheres of the batch by the box and the corners, and returns the count of the balls in them.
static uint32_t drop_by_bounds(AbutBallSearch* search, bool nodes)
{
    AbutPairBatch* batch = &search->batch;
    const float* const at[3] = { batch->at[0], batch->at[1], batch->at[2] };
    uint32_t kept = 0, dropped = 0;
    abut_ball_kernels()->bound(&search->bounds, at, batch->count, search->low);
    for (size_t i = 0; i < batch->count; ++i)
    {
        if (may_touch(search, i, (double)search->low[i] - (double)search->radius[i]))
        {
            move_sphere(search, i, kept++);
        }
        else
        {
            dropped += nodes ? search->balls.hull->nodes[search->index[i]].point_count : 1;
        }
    }
    batch->count = kept;
    return dropped;
}

static double sampled_distance(AbutBallSearch* search, size_t i)
{
    double radius = (double)search->radius[i];
    float limit = (float)(search->limit + radius + (double)search->travels[i]);
    return (double)abut_pair_low(search->pair, search->other, &search->batch, i, limit) * (1.0 - 0x1p-22) -
           radius;
}

static void push_node(AbutBallSearch* search, const AbutPointHullNode* node)
{
    if (node->child_count == 0)
    {
        for (uint32_t k = 0; k < node->point_count; ++k)
        {
            search->waiting[search->ball_count++] = node->first_point + k;
        }
        return;
    }
    ABUT_ASSERT(search->stack_count + node->child_count <= ABUT_BALL_STACK);
    for (uint32_t k = 0; k < node->child_count; ++k)
    {
        search->stack[search->stack_count++] = node->first_child + k;
    }
}

/// Tests nodes from the stack until balls wait for a batch.
static void visit_nodes(AbutBallSearch* search)
{
    const AbutPointHullNode* nodes = search->balls.hull->nodes;
    AbutPairBatch* batch = &search->batch;
    while (search->stack_count > 0 && search->ball_count < ABUT_PAIR_BATCH)
    {
        // At most as many as have room for their balls, if all are leaves.
        size_t most = (2 * ABUT_PAIR_BATCH - search->ball_count) / 8;
        batch->count = 0;
        for (; search->stack_count > 0 && batch->count < most; ++batch->count)
        {
            uint32_t index = search->stack[--search->stack_count];
            const AbutPointHullNode* node = &nodes[index];
            set_sphere(search, batch->count, index,
                       abut_vec3(node->center[0], node->center[1], node->center[2]), node->radius,
                       node->largest);
        }
        search->counts.removed_by_corners += drop_by_bounds(search, true);
        if (batch->count > 0)
        {
            abut_pair_sample_side(search->pair, search->other, batch, false);
            search->counts.sampled_nodes += (uint32_t)batch->count;
        }
        for (size_t i = 0; i < batch->count; ++i)
        {
            const AbutPointHullNode* node = &nodes[search->index[i]];
            if (may_touch(search, i, sampled_distance(search, i)))
            {
                push_node(search, node);
            }
            else
            {
                search->counts.removed_by_tree += node->point_count;
            }
        }
    }
}

/// A batch of balls that wait, or of the next ones without the tree.
static void take_balls(AbutBallSearch* search)
{
    const AbutPointHull* hull = search->balls.hull;
    uint32_t total = hull->block->count, count = 0;
    if (search->settings->tree)
    {
        count = search->ball_count < ABUT_PAIR_BATCH ? search->ball_count : ABUT_PAIR_BATCH;
        search->ball_count -= count;
    }
    else
    {
        count = total - search->next < ABUT_PAIR_BATCH ? total - search->next : ABUT_PAIR_BATCH;
    }
    for (uint32_t k = 0; k < count; ++k)
    {
        uint32_t i = search->settings->tree ? search->waiting[search->ball_count + k] : search->next + k;
        set_sphere(search, k, i, abut_vec3(hull->at[0][i], hull->at[1][i], hull->at[2][i]), 0.0f,
                   hull->radius[i]);
    }
    search->next += search->settings->tree ? 0 : count;
    search->batch.count = count;
}

static void add_touch(AbutBallSearch* search, size_t i)
{
    AbutBallTouches* touches = &search->touches;
    uint32_t to = touches->count++;
    for (int axis = 0; axis < 3; ++axis)
    {
        touches->at[axis][to] = search->batch.at[axis][i];
    }
    touches->index[to] = search->index[i];
    touches->radius[to] = search->radius[i];
    touches->travel[to] = search->travels[i];
    touches->distance[to] = search->batch.distance[search->other][i];
}

/// Samples a batch of balls. False: there are none left.
static bool visit_balls(AbutBallSearch* search)
{
    if (search->settings->tree)
    {
        visit_nodes(search);
    }
    take_balls(search);
    if (search->batch.count == 0)
    {
        return false;
    }
    search->counts.removed_by_corners += drop_by_bounds(search, false);
    if (search->batch.count > 0)
    {
        abut_pair_sample_side(search->pair, search->other, &search->batch, false);
        search->counts.sampled += (uint32_t)search->batch.count;
    }
    for (size_t i = 0; i < search->batch.count; ++i)
    {
        double distance = sampled_distance(search, i);
        if (may_touch(search, i, distance))
        {
            add_bound(search, distance);
            add_touch(search, i);
        }
    }
    search->counts.touching += search->touches.count;
    return true;
}

uint32_t abut_ball_search_next(AbutBallSearch* search)
{
    search->touches.count = 0;
    while (search->touches.count == 0 && visit_balls(search))
    {
    }
    return search->touches.count;
}
