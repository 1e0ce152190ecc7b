// Winding numbers of nodes near gaps of the surface.
//
// With the caps of mesh/winding/regions.h the surface is closed: its winding number and that of the caps add up to a whole number. The caps
// are few, so their part is soon computed for every node. Where no surface lies between two neighbours, the number changes
// from one to the next by what the caps' part says, up to a whole number; and it changes by less than ½, unless they are
// close to the border. So it is computed at one node and followed to the others.
#include "bake/sign/jobs.h"

enum
{
    SIDE = 4,
    MOST_NODES = SIDE * SIDE * SIDE,
    SMALLEST = 2,
};

typedef struct Gap
{
    AbutSignRun* run;
    AbutNodeRange range;
    uint32_t size[3], total;
    double caps[MOST_NODES];    // the winding numbers of the caps
    double numbers[MOST_NODES]; // those of the surface
    float distances[MOST_NODES];
    bool known[MOST_NODES];
} Gap;

static Gap make_gap(AbutSignRun* run, const AbutNodeRange* range)
{
    Gap gap;
    gap.run = run;
    gap.range = *range;
    gap.total = abut_range_total(range);
    for (int i = 0; i < 3; ++i)
    {
        gap.size[i] = range->end[i] - range->begin[i];
    }
    for (uint32_t i = 0; i < gap.total; ++i)
    {
        uint32_t node[3];
        abut_range_node(range, i, node);
        gap.distances[i] = sqrtf(run->job->squared[abut_run_place(run, node)]);
        gap.known[i] = false;
    }
    return gap;
}

static void point_of(const Gap* gap, uint32_t i, double point[3])
{
    uint32_t node[3];
    abut_range_node(&gap->range, i, node);
    abut_run_point(gap->run, node, point);
}

static void finish(const Gap* gap)
{
    AbutSignRun* run = gap->run;
    uint64_t doubtful = 0;
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        uint32_t node[3];
        abut_range_node(&gap->range, i, node);
        size_t place = abut_run_place(run, node);
        double number = gap->numbers[i];
        bool in_doubt = run->job->squared[place] > run->touch_squared && number > 0.25 && number < 0.75;
        doubtful += in_doubt ? 1u : 0u;
        abut_run_set_origin(run, place, ABUT_SIGN_BY_WINDING | (in_doubt ? ABUT_SIGN_IN_DOUBT : 0));
        double point[3];
        abut_run_point(run, node, point);
        abut_run_set(run, place, abut_signer_decide(run->signer, point, number) > 0.5);
    }
    abut_run_add(&run->winding_nodes, gap->total);
    abut_run_add(&run->doubtful_nodes, doubtful);
}

// ---------------------------------------------------------------------------------------------------------------------
// Eight points at a time
// ---------------------------------------------------------------------------------------------------------------------

static void load_points(const Gap* gap, uint32_t first, double points[3][ABUT_WINDING_TILE_POINTS])
{
    for (uint32_t k = 0; k < ABUT_WINDING_TILE_POINTS; ++k)
    {
        double point[3];
        point_of(gap, first + k < gap->total ? first + k : first, point);
        points[0][k] = point[0];
        points[1][k] = point[1];
        points[2][k] = point[2];
    }
}

/// Winding numbers of all nodes, to ±`error`.
static void wind_nodes(const Gap* gap, const AbutWinding* winding, double error, double* numbers)
{
    AbutWindingTile tile;
    double center[3], radius = abut_range_ball(&gap->run->job->grid, &gap->range, center);
    if (!abut_winding_tile_begin(winding, center, radius, error, &tile))
    {
        for (uint32_t i = 0; i < gap->total; ++i)
        {
            double point[3];
            point_of(gap, i, point);
            numbers[i] = abut_winding_to(winding, point, error).number;
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

// ---------------------------------------------------------------------------------------------------------------------
// Following the number from node to node
// ---------------------------------------------------------------------------------------------------------------------

/// How exact the caps' part is computed, and how near to ½ a number must be to be computed by itself: what side of ½ a node
/// is on must not depend on the range that it is in.
static const double CAP_ERROR = 0.01, NEAR_HALF = 0.05;

/// The most that the number may change on the way to a neighbour.
static const double MOST_CHANGE = 0.45;

static void compute(Gap* gap, uint32_t i)
{
    double point[3];
    point_of(gap, i, point);
    gap->numbers[i] = abut_signer_winding(gap->run->signer, point);
    gap->known[i] = true;
    abut_run_add(&gap->run->looked_at, 1);
}

/// Node `i`'s neighbour number `way` of six; false at the edge of the range.
static bool neighbour_of(const Gap* gap, uint32_t i, int way, uint32_t* out)
{
    const uint32_t steps[3] = { 1, gap->size[0], gap->size[0] * gap->size[1] };
    int axis = way / 2;
    uint32_t at = i / steps[axis] % gap->size[axis];
    if (way % 2 == 0 ? at == 0 : at + 1 == gap->size[axis])
    {
        return false;
    }
    *out = way % 2 == 0 ? i - steps[axis] : i + steps[axis];
    return true;
}

static void follow_from(Gap* gap, uint32_t start)
{
    uint8_t queue[MOST_NODES];
    uint32_t count = 0;
    compute(gap, start);
    queue[count++] = (uint8_t)start;
    for (uint32_t next = 0; next < count; ++next)
    {
        uint32_t a = queue[next], b;
        for (int way = 0; way < 6; ++way)
        {
            if (!neighbour_of(gap, a, way, &b) || gap->known[b] ||
                gap->distances[a] + gap->distances[b] <= (float)gap->run->link)
            {
                continue;
            }
            double change = gap->caps[b] - gap->caps[a];
            gap->numbers[b] = gap->numbers[a] - (change - floor(change + 0.5));
            gap->known[b] = true;
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
    wind_nodes(gap, &gap->run->signer->gaps.cap_winding, CAP_ERROR, gap->caps);
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        if (!gap->known[i])
        {
            follow_from(gap, i);
        }
    }
    compute_near_half(gap);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ranges
// ---------------------------------------------------------------------------------------------------------------------

/// For surfaces that are little but border: the bound of the error; the error itself is a hundredth of it, as a rule.
static const double SOUP_ERROR = 0.25;

static bool can_follow(const AbutSignRun* run, const AbutNodeRange* range)
{
    double center[3], radius = abut_range_ball(&run->job->grid, range, center),
                      most = MOST_CHANGE / run->link;
    return abut_gaps_slope(&run->signer->gaps, center, radius, most) < most;
}

static void sign_soup(Gap* gap)
{
    wind_nodes(gap, &gap->run->signer->winding, SOUP_ERROR, gap->numbers);
    abut_run_add(&gap->run->looked_at, gap->total);
    compute_near_half(gap);
}

static void compute_all(Gap* gap)
{
    for (uint32_t i = 0; i < gap->total; ++i)
    {
        compute(gap, i);
    }
}

static void sign_gap(AbutSignRun* run, const AbutNodeRange* range, uint32_t size)
{
    bool soup = run->signer->gaps.caps == NULL, close = !soup && !can_follow(run, range);
    AbutNodeRange part;
    if (close && size > SMALLEST)
    {
        for (int corner = 0; corner < 8; ++corner)
        {
            if (abut_range_part(range, corner, size / 2, &part))
            {
                sign_gap(run, &part, size / 2);
            }
        }
        return;
    }
    Gap gap = make_gap(run, range);
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

void abut_sign_gap(AbutSignRun* run, const AbutNodeRange* range)
{
    sign_gap(run, range, SIDE);
}
