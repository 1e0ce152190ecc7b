#include "io/mesh/polygon.h"

#include <math.h>
#include <string.h>

enum
{
    WORK_PER_CORNER = 256, // corners and cells that may be visited, per corner of the polygon ...
    WORK_PER_FILE =
        1 << 27, // ... and what all polygons of a file together may need beyond that (under a second)
    GRID_SIDE_MAX = 1024
};

/// A corner seen along the dropped axis.
typedef struct Point
{
    float x, y;
} Point;

/// Reflex corners in cells: those of cell k are items[starts[k]] to items[ends[k] − 1].
typedef struct Grid
{
    uint32_t* starts;
    uint32_t* ends;
    uint32_t* items;
    uint32_t side; // cells per axis
    double min_x, min_y, cells_per_x, cells_per_y;
} Grid;

/// The corners that are still there form a ring.
typedef struct Ring
{
    Point* points;
    uint32_t* next;
    uint32_t* previous;
    uint8_t* reflex; // 1 while the corner is in the ring and turns right or not at all
    Grid grid;
    size_t work_left;
} Ring;

/// Which ears may be cut: proper ones; or, when there is none, flat ones and those that others merely touch.
typedef enum EarRule
{
    EAR_PROPER,
    EAR_FLAT_OR_TOUCHED
} EarRule;

AbutIoPolygonCutter abut_io_polygon_cutter_make(const AbutHost* host)
{
    AbutIoPolygonCutter cutter = { .host = host, .spare_work = WORK_PER_FILE };
    return cutter;
}

void abut_io_polygon_cutter_free(AbutIoPolygonCutter* cutter)
{
    abut_io_free(cutter->host, cutter->scratch, cutter->scratch_size);
    cutter->scratch = NULL;
    cutter->scratch_size = 0;
}

// -----------------------------------------------------------------------------------------------------------
// Where the polygon lies
// -----------------------------------------------------------------------------------------------------------

static float coordinate(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Twice the area vector, about the first corner so that a polygon far from the origin loses nothing.
static AbutPosition newell_normal(const AbutVec3* vertices, const uint32_t* corners, size_t count)
{
    AbutVec3 origin = vertices[corners[0]];
    AbutPosition normal = { 0.0, 0.0, 0.0 }, previous = { 0.0, 0.0, 0.0 };
    for (size_t i = 1; i < count; ++i)
    {
        AbutVec3 v = vertices[corners[i]];
        AbutPosition current = { (double)v.x - (double)origin.x, (double)v.y - (double)origin.y,
                                 (double)v.z - (double)origin.z };
        normal.x += previous.y * current.z - previous.z * current.y;
        normal.y += previous.z * current.x - previous.x * current.z;
        normal.z += previous.x * current.y - previous.y * current.x;
        previous = current;
    }
    return normal;
}

/// The two axes that keep the polygon's area positive and largest; false when it has no area.
static bool choose_axes(AbutPosition normal, int axes[2])
{
    int longest = 0;
    double component = normal.x;
    if (fabs(normal.y) > fabs(component))
    {
        longest = 1;
        component = normal.y;
    }
    if (fabs(normal.z) > fabs(component))
    {
        longest = 2;
        component = normal.z;
    }
    axes[0] = (longest + (component > 0.0 ? 1 : 2)) % 3;
    axes[1] = (longest + (component > 0.0 ? 2 : 1)) % 3;
    return component != 0.0;
}

static Point project(AbutVec3 v, const int axes[2])
{
    Point p = { coordinate(v, axes[0]), coordinate(v, axes[1]) };
    return p;
}

/// Twice the signed area of a triangle; > 0 when it turns left.
static double orientation(Point a, Point b, Point c)
{
    double ab_x = (double)b.x - (double)a.x;
    double ab_y = (double)b.y - (double)a.y;
    double ac_x = (double)c.x - (double)a.x;
    double ac_y = (double)c.y - (double)a.y;
    return ab_x * ac_y - ab_y * ac_x;
}

// -----------------------------------------------------------------------------------------------------------
// Fans
// -----------------------------------------------------------------------------------------------------------

static bool fan_is_proper(const AbutVec3* vertices, const uint32_t* corners, size_t count, const int axes[2])
{
    Point apex = project(vertices[corners[0]], axes);
    Point a = project(vertices[corners[1]], axes);
    for (size_t i = 2; i < count; ++i)
    {
        Point b = project(vertices[corners[i]], axes);
        if (!(orientation(apex, a, b) > 0.0))
        {
            return false;
        }
        a = b;
    }
    return true;
}

static void write_fan(const uint32_t* corners, size_t count, uint32_t* triangles)
{
    for (size_t i = 2; i < count; ++i)
    {
        *triangles++ = corners[0];
        *triangles++ = corners[i - 1];
        *triangles++ = corners[i];
    }
}

// -----------------------------------------------------------------------------------------------------------
// The grid of reflex corners
// -----------------------------------------------------------------------------------------------------------

static uint32_t grid_index(double value, double min, double cells_per_unit, uint32_t side)
{
    double cell = (value - min) * cells_per_unit;
    if (!(cell > 0.0))
    {
        return 0;
    }
    return cell < (double)side ? (uint32_t)cell : side - 1;
}

static uint32_t grid_cell(const Grid* grid, Point p)
{
    return grid_index((double)p.y, grid->min_y, grid->cells_per_y, grid->side) * grid->side +
           grid_index((double)p.x, grid->min_x, grid->cells_per_x, grid->side);
}

static double cells_per_unit(double min, double max, uint32_t side)
{
    return max > min ? (double)side / (max - min) : 0.0;
}

static void set_grid(Ring* ring, uint32_t count)
{
    Point min = ring->points[0];
    Point max = ring->points[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        Point p = ring->points[i];
        min.x = p.x < min.x ? p.x : min.x;
        min.y = p.y < min.y ? p.y : min.y;
        max.x = p.x > max.x ? p.x : max.x;
        max.y = p.y > max.y ? p.y : max.y;
    }
    Grid* grid = &ring->grid;
    grid->min_x = (double)min.x;
    grid->min_y = (double)min.y;
    grid->cells_per_x = cells_per_unit((double)min.x, (double)max.x, grid->side);
    grid->cells_per_y = cells_per_unit((double)min.y, (double)max.y, grid->side);
}

/// Counting sort of the reflex corners by cell.
static void fill_grid(Ring* ring, uint32_t count)
{
    Grid* grid = &ring->grid;
    size_t cell_count = (size_t)grid->side * grid->side;
    memset(grid->starts, 0, cell_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; ++i)
    {
        grid->starts[grid_cell(grid, ring->points[i])] += ring->reflex[i];
    }
    uint32_t sum = 0;
    for (size_t cell = 0; cell < cell_count; ++cell)
    {
        uint32_t cell_size = grid->starts[cell];
        grid->starts[cell] = sum;
        grid->ends[cell] = sum;
        sum += cell_size;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (ring->reflex[i])
        {
            grid->items[grid->ends[grid_cell(grid, ring->points[i])]++] = i;
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Ears
// -----------------------------------------------------------------------------------------------------------

static bool same_position(Point a, Point b)
{
    return a.x == b.x && a.y == b.y;
}

static double orientation_at(const Ring* ring, uint32_t corner)
{
    return orientation(ring->points[ring->previous[corner]], ring->points[corner],
                       ring->points[ring->next[corner]]);
}

static bool enters_wedge(Point apex, Point to, Point from, Point p)
{
    return orientation(apex, to, p) > 0.0 && orientation(apex, p, from) > 0.0;
}

/// True when `other` stands in the way of cutting the ear a, b, c. A corner in the same place as a or c does
/// not, since an outline that enters the ear there must have a corner inside or leave across a side. One in
/// the same place as the tip does when it continues into the ear.
static bool blocks_ear(const Ring* ring, uint32_t ear, uint32_t other, EarRule rule)
{
    Point a = ring->points[ring->previous[ear]];
    Point b = ring->points[ear];
    Point c = ring->points[ring->next[ear]];
    Point p = ring->points[other];
    if (same_position(p, a) || same_position(p, c))
    {
        return false;
    }
    if (same_position(p, b))
    {
        return other != ear && (enters_wedge(b, c, a, ring->points[ring->next[other]]) ||
                                enters_wedge(b, c, a, ring->points[ring->previous[other]]));
    }
    double ab = orientation(a, b, p);
    double bc = orientation(b, c, p);
    double ca = orientation(c, a, p);
    return rule == EAR_PROPER ? ab >= 0.0 && bc >= 0.0 && ca >= 0.0 : ab > 0.0 && bc > 0.0 && ca > 0.0;
}

/// Corners that are reflex no more are taken out on the way.
static bool cell_is_free(Ring* ring, uint32_t ear, uint32_t cell, EarRule rule)
{
    Grid* grid = &ring->grid;
    uint32_t i = grid->starts[cell];
    while (i < grid->ends[cell])
    {
        uint32_t other = grid->items[i];
        ring->work_left -= ring->work_left > 0;
        if (!ring->reflex[other])
        {
            grid->items[i] = grid->items[--grid->ends[cell]];
            continue;
        }
        if (blocks_ear(ring, ear, other, rule))
        {
            return false;
        }
        ++i;
    }
    return true;
}

static float min3(float a, float b, float c)
{
    float least = a < b ? a : b;
    return least < c ? least : c;
}

static float max3(float a, float b, float c)
{
    float most = a > b ? a : b;
    return most > c ? most : c;
}

static bool is_ear(Ring* ring, uint32_t ear, EarRule rule)
{
    double area = orientation_at(ring, ear);
    ring->work_left -= ring->work_left > 0;
    if (!(area > 0.0))
    {
        return rule == EAR_FLAT_OR_TOUCHED && area == 0.0;
    }
    const Grid* grid = &ring->grid;
    Point a = ring->points[ring->previous[ear]];
    Point b = ring->points[ear];
    Point c = ring->points[ring->next[ear]];
    uint32_t low = grid_cell(grid, (Point){ min3(a.x, b.x, c.x), min3(a.y, b.y, c.y) });
    uint32_t high = grid_cell(grid, (Point){ max3(a.x, b.x, c.x), max3(a.y, b.y, c.y) });
    for (uint32_t row = low / grid->side; row <= high / grid->side; ++row)
    {
        for (uint32_t column = low % grid->side; column <= high % grid->side; ++column)
        {
            ring->work_left -= ring->work_left > 0;
            if (!cell_is_free(ring, ear, row * grid->side + column, rule))
            {
                return false;
            }
        }
    }
    return true;
}

/// Takes a corner out of the ring. Its neighbours may stop being reflex, never start.
static void remove_corner(Ring* ring, uint32_t corner)
{
    uint32_t previous = ring->previous[corner];
    uint32_t next = ring->next[corner];
    ring->next[previous] = next;
    ring->previous[next] = previous;
    ring->reflex[corner] = 0;
    ring->reflex[previous] = ring->reflex[previous] && !(orientation_at(ring, previous) > 0.0);
    ring->reflex[next] = ring->reflex[next] && !(orientation_at(ring, next) > 0.0);
}

static uint32_t* write_triangle(uint32_t* triangles, const uint32_t* corners, uint32_t a, uint32_t b,
                                uint32_t c)
{
    triangles[0] = corners[a];
    triangles[1] = corners[b];
    triangles[2] = corners[c];
    return triangles + 3;
}

/// Cuts ears until three corners are left; false when the rest had to become a fan.
static bool cut_ears(Ring* ring, const uint32_t* corners, uint32_t count, uint32_t* triangles)
{
    uint32_t left = count;
    uint32_t corner = 0;
    uint32_t tried = 0; // corners since the last ear
    EarRule rule = EAR_PROPER;
    while (left > 3 && ring->work_left > 0)
    {
        if (is_ear(ring, corner, rule))
        {
            uint32_t next = ring->next[corner];
            triangles = write_triangle(triangles, corners, ring->previous[corner], corner, next);
            remove_corner(ring, corner);
            corner = ring->next[next]; // ears side by side would make a fan of slivers
            left -= 1;
            tried = 0;
            rule = EAR_PROPER;
            continue;
        }
        corner = ring->next[corner];
        tried += 1;
        if (tried == left)
        {
            if (rule == EAR_FLAT_OR_TOUCHED)
            {
                break;
            }
            rule = EAR_FLAT_OR_TOUCHED;
            tried = 0;
        }
    }
    bool proper = left == 3 && orientation_at(ring, corner) >= 0.0;
    uint32_t last = ring->next[corner];
    for (; left >= 3; --left)
    {
        triangles = write_triangle(triangles, corners, corner, last, ring->next[last]);
        last = ring->next[last];
    }
    return proper;
}

static uint32_t grid_side(size_t count)
{
    uint32_t side = 1;
    while (side < GRID_SIDE_MAX && (size_t)side * side * 2 < count)
    {
        side *= 2;
    }
    return side;
}

/// Parts of one block of memory, that grows to the largest polygon seen.
static bool prepare_scratch(AbutIoPolygonCutter* cutter, size_t count, Ring* ring)
{
    uint32_t side = grid_side(count);
    size_t cells = (size_t)side * side;
    size_t words = count * (sizeof(Point) / sizeof(uint32_t) + 3) + 2 * cells;
    size_t size = words * sizeof(uint32_t) + count;
    if (size > cutter->scratch_size)
    {
        void* scratch = abut_io_allocate(cutter->host, size);
        if (scratch == NULL)
        {
            return false;
        }
        abut_io_polygon_cutter_free(cutter);
        cutter->scratch = scratch;
        cutter->scratch_size = size;
    }
    ring->points = cutter->scratch;
    ring->next = (uint32_t*)(ring->points + count);
    ring->previous = ring->next + count;
    ring->grid.items = ring->previous + count;
    ring->grid.starts = ring->grid.items + count;
    ring->grid.ends = ring->grid.starts + cells;
    ring->reflex = (uint8_t*)(ring->grid.ends + cells);
    ring->grid.side = side;
    return true;
}

static void fill_ring(Ring* ring, const AbutVec3* vertices, const uint32_t* corners, uint32_t count,
                      const int axes[2])
{
    for (uint32_t i = 0; i < count; ++i)
    {
        ring->points[i] = project(vertices[corners[i]], axes);
        ring->next[i] = i + 1 < count ? i + 1 : 0;
        ring->previous[i] = i > 0 ? i - 1 : count - 1;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        ring->reflex[i] = !(orientation_at(ring, i) > 0.0);
    }
    set_grid(ring, count);
    fill_grid(ring, count);
}

AbutResult abut_io_polygon_cut(AbutIoPolygonCutter* cutter, const AbutVec3* vertices, const uint32_t* corners,
                               size_t count, uint32_t* triangles)
{
    int axes[2];
    if (!choose_axes(newell_normal(vertices, corners, count), axes) ||
        fan_is_proper(vertices, corners, count, axes))
    {
        write_fan(corners, count, triangles);
        return ABUT_OK;
    }
    Ring ring;
    if (!prepare_scratch(cutter, count, &ring))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    fill_ring(&ring, vertices, corners, (uint32_t)count, axes);
    ring.work_left = (size_t)WORK_PER_CORNER * count + cutter->spare_work;
    cutter->uncut_count += cut_ears(&ring, corners, (uint32_t)count, triangles) ? 0 : 1;
    cutter->spare_work = ring.work_left < cutter->spare_work ? ring.work_left : cutter->spare_work;
    return ABUT_OK;
}
