// Winding numbers of nodes near gaps of the surface.
//
// With the caps of mesh/winding/regions.h the surface is closed: its winding number and that of the caps add
// up to an integer. The caps are few, so their number is cheap to compute for every node. Without surface
// between two neighbours, the number of the surface changes from one to the next by minus the change of the
// caps' number, up to an integer; and it changes by less than ½, unless they are close to the border. So it
// is computed at one node and propagated to the others.
#include "bake/sign/gap_winding.h"

#include "base/assert.h"
#include "mesh/winding/winding_tile.h"

enum
{
    SIDE = 4,
    MAX_NODES = SIDE * SIDE * SIDE,
    SMALLEST = 2,
};

typedef struct Gap
{
    AbutSignState* state;
    AbutNodeRange range;
    uint32_t size[3], total;
    double caps[MAX_NODES];    // the winding numbers of the caps
    double numbers[MAX_NODES]; // the winding numbers of the surface
    float distances[MAX_NODES];
    bool known[MAX_NODES];
} Gap;

static Gap make_gap(AbutSignState* state, const AbutNodeRange* range)
{
    ABUT_ASSERT(abut_node_range_total(range) <= MAX_NODES);
    Gap gap;
    gap.state = state;
    gap.range = *range;
    gap.total = abut_node_range_total(range);
    abut_node_range_size(range, gap.size);
    for (uint32_t i = 0; i < gap.total; ++i)
    {
        uint32_t node[3];
        abut_node_range_node(range, i, node);
        gap.distances[i] = sqrtf(state->job->squared[abut_sign_node_index(state, node)]);
        gap.known[i] = false;
    }
    return gap;
}

static AbutDVec3 point_of(const Gap* gap, uint32_t i)
{
    uint32_t node[3];
    abut_node_range_node(&gap->range, i, node);
    return abut_sign_node_point(gap->state, node);
}

static void finish(const Gap* gap)
{
    AbutSignState* state = gap->state;
    uint64_t uncertain_count = 0;
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        uint32_t node[3];
        abut_node_range_node(&gap->range, i, node);
        size_t index = abut_sign_node_index(state, node);
        double number = gap->numbers[i];
        bool uncertain = state->job->squared[index] > state->touch_squared && number > 0.25 && number < 0.75;
        uncertain_count += uncertain ? 1u : 0u;
        abut_sign_set_origin(state, index, ABUT_SIGN_BY_WINDING | (uncertain ? ABUT_SIGN_UNCERTAIN : 0));
        AbutDVec3 point = abut_sign_node_point(state, node);
        abut_sign_set_inside(state, index,
                             abut_sign_classifier_effective_winding(state->classifier, point, number) > 0.5);
    }
    abut_sign_add(&state->winding_nodes, gap->total);
    abut_sign_add(&state->uncertain_nodes, uncertain_count);
}

// -----------------------------------------------------------------------------------------------------------
// Eight points at a time
// -----------------------------------------------------------------------------------------------------------

static void load_points(const Gap* gap, uint32_t first, double points[3][ABUT_WINDING_TILE_POINTS])
{
    for (uint32_t k = 0; k < ABUT_WINDING_TILE_POINTS; ++k)
    {
        AbutDVec3 point = point_of(gap, first + k < gap->total ? first + k : first);
        points[0][k] = point.x;
        points[1][k] = point.y;
        points[2][k] = point.z;
    }
}

/// Winding numbers of all nodes, to ±`error`.
static void wind_nodes(const Gap* gap, const AbutWinding* winding, double error, double* numbers)
{
    AbutWindingTile tile;
    AbutNodeBall ball = abut_node_range_ball(&gap->state->job->grid, &gap->range);
    if (!abut_winding_tile_begin(winding, ball.center, ball.radius, error, &tile))
    {
        for (uint32_t i = 0; i < gap->total; ++i)
        {
            numbers[i] = abut_winding_to(winding, point_of(gap, i), error).number;
        }
        return;
    }
    for (uint32_t first = 0; first < gap->total; first += ABUT_WINDING_TILE_POINTS)
    {
        double points[3][ABUT_WINDING_TILE_POINTS], eight[ABUT_WINDING_TILE_POINTS];
        load_points(gap, first, points);
        abut_winding_tile_at(&tile, points, eight);
        for (uint32_t k = 0; k < ABUT_WINDING_TILE_POINTS && first + k < gap->total; ++k)
        {
            numbers[first + k] = eight[k];
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Propagation of the number from node to node
// -----------------------------------------------------------------------------------------------------------

/// Error of the caps' numbers, and the distance from ½ under which a number is computed by itself: the side
/// of ½ that a node is on must not depend on its range.
static const double CAP_ERROR = 0.01, NEAR_HALF = 0.05;

/// Largest change of the number from a node to its neighbour.
static const double MAX_CHANGE = 0.45;

static void compute(Gap* gap, uint32_t i)
{
    gap->numbers[i] = abut_sign_classifier_winding(gap->state->classifier, point_of(gap, i));
    gap->known[i] = true;
    abut_sign_add(&gap->state->evaluated, 1);
}

/// Node `i`'s neighbour number `direction` of six; false at the edge of the range.
static bool neighbour_of(const Gap* gap, uint32_t i, int direction, uint32_t* out)
{
    const uint32_t steps[3] = { 1, gap->size[0], gap->size[0] * gap->size[1] };
    int axis = direction / 2;
    uint32_t at = i / steps[axis] % gap->size[axis];
    if (direction % 2 == 0 ? at == 0 : at + 1 == gap->size[axis])
    {
        return false;
    }
    *out = direction % 2 == 0 ? i - steps[axis] : i + steps[axis];
    return true;
}

static void follow_from(Gap* gap, uint32_t start)
{
    uint8_t queue[MAX_NODES];
    uint32_t count = 0;
    compute(gap, start);
    queue[count++] = (uint8_t)start;
    for (uint32_t next = 0; next < count; ++next)
    {
        uint32_t a = queue[next], b;
        for (int direction = 0; direction < 6; ++direction)
        {
            if (!neighbour_of(gap, a, direction, &b) || gap->known[b] ||
                gap->distances[a] + gap->distances[b] <= (float)gap->state->link)
            {
                continue;
            }
            double change = gap->caps[b] - gap->caps[a];
            gap->numbers[b] = gap->numbers[a] - (change - floor(change + 0.5));
            gap->known[b] = true;
            ABUT_ASSERT(count < MAX_NODES);
            queue[count++] = (uint8_t)b;
        }
    }
}

static void compute_near_half(Gap* gap)
{
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        if (fabs(gap->numbers[i] - 0.5) < NEAR_HALF)
        {
            compute(gap, i);
        }
    }
}

static void follow(Gap* gap)
{
    wind_nodes(gap, &gap->state->classifier->gaps.cap_winding, CAP_ERROR, gap->caps);
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        if (!gap->known[i])
        {
            follow_from(gap, i);
        }
    }
    compute_near_half(gap);
}

// -----------------------------------------------------------------------------------------------------------
// Ranges
// -----------------------------------------------------------------------------------------------------------

/// For surfaces that are little but border: the bound of the error; the error itself is a hundredth of it, as
/// a rule.
static const double SOUP_ERROR = 0.25;

static bool can_follow(const AbutSignState* state, const AbutNodeRange* range)
{
    AbutNodeBall ball = abut_node_range_ball(&state->job->grid, range);
    double most = MAX_CHANGE / state->link;
    return abut_winding_regions_slope(&state->classifier->gaps, ball.center, ball.radius, most) < most;
}

static void sign_soup(Gap* gap)
{
    wind_nodes(gap, &gap->state->classifier->winding, SOUP_ERROR, gap->numbers);
    abut_sign_add(&gap->state->evaluated, gap->total);
    compute_near_half(gap);
}

static void compute_all(Gap* gap)
{
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        compute(gap, i);
    }
}

static void sign_gap(AbutSignState* state, const AbutNodeRange* range, uint32_t size)
{
    bool soup = state->classifier->gaps.caps == NULL, close = !soup && !can_follow(state, range);
    AbutNodeRange octant;
    if (close && size > SMALLEST)
    {
        for (int corner = 0; corner < 8; ++corner)
        {
            if (abut_node_range_octant(range, corner, size / 2, &octant))
            {
                sign_gap(state, &octant, size / 2);
            }
        }
        return;
    }
    Gap gap = make_gap(state, range);
    if (soup)
    {
        sign_soup(&gap);
    }
    else if (close)
    {
        compute_all(&gap);
    }
    else
    {
        follow(&gap);
    }
    finish(&gap);
}

void abut_sign_gap(AbutSignState* state, const AbutNodeRange* range)
{
    sign_gap(state, range, SIDE);
}
