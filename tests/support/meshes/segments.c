#include "support/meshes/segments.h"

#include <math.h>
#include <stdlib.h>

const char* const test_segment_kind_names[TEST_SEGMENT_KINDS] = { "long",    "short",  "through",
                                                                  "grazing", "planes", "nodes" };

// -----------------------------------------------------------------------------------------------------------
// References
// -----------------------------------------------------------------------------------------------------------

static double sampled_distance(const void* user, const double at[3])
{
    return abut_shape_distance(user, abut_vec3((float)at[0], (float)at[1], (float)at[2]), NULL);
}

TestFunction test_sampled_function(const AbutShape* shape)
{
    return (TestFunction){ sampled_distance, shape };
}

TestGrid test_grid_read(const AbutShape* field)
{
    AbutFieldInfo info = abut_field_info(field);
    TestGrid grid = { .origin = { info.origin.x, info.origin.y, info.origin.z }, .cell = info.cell_size };
    size_t total = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        grid.count[axis] = info.cell_count[axis] + 1;
        total *= grid.count[axis];
    }
    grid.nodes = malloc(total * sizeof(float));
    assert_non_null(grid.nodes);
    abut_field_read_nodes(field, (const uint32_t[3]){ 0, 0, 0 }, grid.count, grid.nodes);
    return grid;
}

void test_grid_free(TestGrid* grid)
{
    free(grid->nodes);
}

static double grid_distance(const void* user, const double at[3])
{
    const TestGrid* grid = user;
    size_t cell[3];
    double fraction[3], squared = 0.0, f = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double u = (at[axis] - grid->origin[axis]) / grid->cell, last = grid->count[axis] - 1.0;
        double inside = fmin(fmax(u, 0.0), last);
        cell[axis] = (size_t)fmin(floor(inside), last - 1.0);
        fraction[axis] = inside - (double)cell[axis];
        squared += (u - inside) * (u - inside) * grid->cell * grid->cell;
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        const size_t x = cell[0] + (size_t)(corner & 1), y = cell[1] + (size_t)(corner >> 1 & 1),
                     z = cell[2] + (size_t)(corner >> 2);
        double weight = (corner & 1 ? fraction[0] : 1.0 - fraction[0]) *
                        (corner & 2 ? fraction[1] : 1.0 - fraction[1]) *
                        (corner & 4 ? fraction[2] : 1.0 - fraction[2]);
        f += weight * (double)grid->nodes[(z * grid->count[1] + y) * grid->count[0] + x];
    }
    if (squared == 0.0)
    {
        return f;
    }
    return f < 0.0 ? f + sqrt(squared) : sqrt(squared + f * f);
}

TestFunction test_grid_function(const TestGrid* grid)
{
    return (TestFunction){ grid_distance, grid };
}

double test_segment_value(TestFunction function, const TestSegment* segment, double time)
{
    const double a[3] = { segment->from.x, segment->from.y, segment->from.z };
    const double b[3] = { segment->to.x, segment->to.y, segment->to.z };
    double at[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        at[axis] = a[axis] + time * (b[axis] - a[axis]);
    }
    return function.distance(function.user, at);
}

double test_segment_first(TestFunction function, const TestSegment* segment, double iso, int samples)
{
    for (int i = 0; i <= samples; ++i)
    {
        double high = (double)i / samples;
        if (!(test_segment_value(function, segment, high) <= iso))
        {
            continue;
        }
        double low = i > 0 ? (double)(i - 1) / samples : 0.0;
        for (int halving = 0; halving < 40 && i > 0; ++halving)
        {
            double middle = 0.5 * (low + high);
            *(test_segment_value(function, segment, middle) <= iso ? &high : &low) = middle;
        }
        return high;
    }
    return 2.0;
}

// -----------------------------------------------------------------------------------------------------------
// Segments
// -----------------------------------------------------------------------------------------------------------

static AbutVec3 point_in(TestRandom* random, AbutBox box, double scale)
{
    AbutVec3 middle = abut_vec3_scale(abut_vec3_add(box.min, box.max), 0.5f);
    AbutVec3 half = abut_vec3_scale(abut_vec3_sub(box.max, box.min), 0.5f);
    AbutVec3 at = test_random_point(random, scale);
    return abut_vec3(middle.x + half.x * at.x, middle.y + half.y * at.y, middle.z + half.z * at.z);
}

static AbutVec3 along(AbutVec3 from, AbutVec3 direction, double distance)
{
    return abut_vec3_add(from, abut_vec3_scale(direction, (float)distance));
}

/// A place where f is iso within 1e-5 or so: down the slope from a random one.
static AbutVec3 surface_point(TestRandom* random, TestFunction function, float iso, AbutBox box, double cell,
                              AbutVec3* normal)
{
    AbutVec3 p = point_in(random, box, 1.0);
    for (int i = 0; i < 12; ++i)
    {
        const double at[3] = { p.x, p.y, p.z }, step = 0.05 * cell;
        double f = function.distance(function.user, at), g[3], squared = 0.0;
        for (int axis = 0; axis < 3; ++axis)
        {
            double low[3] = { at[0], at[1], at[2] }, high[3] = { at[0], at[1], at[2] };
            low[axis] -= step;
            high[axis] += step;
            g[axis] = (function.distance(function.user, high) - function.distance(function.user, low)) /
                      (2.0 * step);
            squared += g[axis] * g[axis];
        }
        double scale = squared > 1e-6 ? 1.0 / sqrt(squared) : 0.0;
        *normal = abut_vec3((float)(g[0] * scale), (float)(g[1] * scale), (float)(g[2] * scale));
        p = along(p, *normal, (double)iso - f);
    }
    return p;
}

static float nudge(TestRandom* random, float x)
{
    switch (test_random_bits(random) % 5)
    {
    case 0:
        return nextafterf(x, INFINITY);
    case 1:
        return nextafterf(x, -INFINITY);
    case 2:
        return x + (float)test_random_range(random, -1e-5, 1e-5);
    default:
        return x;
    }
}

/// The nearest node of the grid.
static AbutVec3 to_node(AbutVec3 p, AbutBox box, double cell)
{
    double x = box.min.x + cell * round(((double)p.x - box.min.x) / cell);
    double y = box.min.y + cell * round(((double)p.y - box.min.y) / cell);
    double z = box.min.z + cell * round(((double)p.z - box.min.z) / cell);
    return abut_vec3((float)x, (float)y, (float)z);
}

static void in_a_plane(TestRandom* random, TestSegment* segment, AbutBox box, double cell)
{
    AbutVec3 node = to_node(segment->from, box, cell);
    switch (test_random_bits(random) % 3)
    {
    case 0:
        segment->from.x = nudge(random, node.x);
        segment->to.x = nudge(random, node.x);
        break;
    case 1:
        segment->from.y = nudge(random, node.y);
        segment->to.y = nudge(random, node.y);
        break;
    default:
        segment->from.z = nudge(random, node.z);
        segment->to.z = nudge(random, node.z);
        break;
    }
}

static AbutVec3 nudged(TestRandom* random, AbutVec3 p)
{
    p.x = nudge(random, p.x);
    p.y = nudge(random, p.y);
    p.z = nudge(random, p.z);
    return p;
}

static TestSegment segment_in(TestRandom* random, AbutBox box, double scale)
{
    TestSegment segment;
    segment.from = point_in(random, box, scale);
    segment.to = point_in(random, box, scale);
    return segment;
}

TestSegment test_make_segment(TestRandom* random, TestSegmentKind kind, TestFunction function, float iso,
                              AbutBox box, double cell)
{
    TestSegment segment = segment_in(random, box, 1.0);
    double side = (double)(box.max.x - box.min.x);
    AbutVec3 normal, direction = test_random_direction(random), middle;
    switch (kind)
    {
    case TEST_SEGMENT_LONG:
        segment = segment_in(random, box, 2.0);
        break;
    case TEST_SEGMENT_SHORT:
        segment.to = along(segment.from, direction, 0.02 * side);
        break;
    case TEST_SEGMENT_THROUGH:
        segment = (TestSegment){ along(segment.from, direction, 2.0 * side),
                                 along(segment.from, direction, -3.0 * side) };
        break;
    case TEST_SEGMENT_GRAZING:
        middle = surface_point(random, function, iso, box, cell, &normal);
        direction = abut_vec3_cross(normal, direction);
        middle = along(middle, normal, test_random_range(random, -1e-5, 1e-5));
        segment.from = along(middle, direction, -test_random_range(random, 0.1, 1.0) * side);
        segment.to = along(middle, direction, test_random_range(random, 0.1, 1.0) * side);
        break;
    case TEST_SEGMENT_PLANES:
        in_a_plane(random, &segment, box, cell);
        break;
    default:
        segment.from = nudged(random, to_node(segment.from, box, cell));
        segment.to = nudged(random, to_node(segment.to, box, cell));
        break;
    }
    return segment;
}
