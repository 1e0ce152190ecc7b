// Feet of perpendiculars on a terrain (features.h).
#include "shape/terrain/features.h"

#include "mesh/triangle/closest_point.h"
#include "shape/terrain/cells.h"
#include "shape/terrain/closest.h"

/// Of squared distances: features that are equally close but for rounding.
static const double SAME = 1.0 + 1e-12;

// -----------------------------------------------------------------------------------------------------------
// The closest feature
// -----------------------------------------------------------------------------------------------------------

/// Ids: the index of a corner, which of the features that begin at it, and the point of the segment.
enum
{
    ID_LOWER_FACE,
    ID_UPPER_FACE,
    ID_EDGE_X, // along x
    ID_EDGE_Z,
    ID_DIAGONAL,
    ID_CORNER,
    ID_WALL, // nearest to the cell
};

/// Which point of a segment.
typedef enum SegmentPoint
{
    FIRST_END, // or the point, where there is no segment
    SECOND_END,
    MIDDLE_POINT,
    INSIDE // in the middle of an interval inside of the solid
} SegmentPoint;

static uint64_t make_id(const AbutHeightfield* self, uint32_t x, uint32_t z, unsigned which)
{
    return (((uint64_t)z * (self->tiles.x_cells + 1) + x) * 8 + which) * 4;
}

static uint32_t cell_at(double coordinate, double spacing, double last)
{
    return (uint32_t)abut_heightfield_clamp(coordinate / spacing, 0.0, last);
}

/// The id of the feature of a cell, or of the cell at `at` for a wall.
static uint64_t id_at(const AbutHeightfield* self, AbutDVec3 at, AbutTerrainFeature feature)
{
    const AbutTerrainLengths* l = &self->lengths;
    uint32_t x = cell_at(at.x, l->spacing, l->last_cell[0]), z = cell_at(at.z, l->spacing, l->last_cell[1]);
    static const struct
    {
        uint8_t x, z, which;
    } owners[] = {
        [ABUT_TERRAIN_LOWER_FACE] = { 0, 0, ID_LOWER_FACE },
        [ABUT_TERRAIN_UPPER_FACE] = { 0, 0, ID_UPPER_FACE },
        [ABUT_TERRAIN_EDGE_Z0] = { 0, 0, ID_EDGE_X },
        [ABUT_TERRAIN_EDGE_Z1] = { 0, 1, ID_EDGE_X },
        [ABUT_TERRAIN_EDGE_X0] = { 0, 0, ID_EDGE_Z },
        [ABUT_TERRAIN_EDGE_X1] = { 1, 0, ID_EDGE_Z },
        [ABUT_TERRAIN_DIAGONAL] = { 0, 0, ID_DIAGONAL },
        [ABUT_TERRAIN_CORNER_00] = { 0, 0, ID_CORNER },
        [ABUT_TERRAIN_CORNER_10] = { 1, 0, ID_CORNER },
        [ABUT_TERRAIN_CORNER_01] = { 0, 1, ID_CORNER },
        [ABUT_TERRAIN_CORNER_11] = { 1, 1, ID_CORNER },
    };
    if (feature >= ABUT_TERRAIN_WALL_X0)
    {
        return make_id(self, x, z, ID_WALL);
    }
    return make_id(self, x + owners[feature].x, z + owners[feature].z, owners[feature].which);
}

AbutTerrainFoot abut_terrain_nearest(const AbutHeightfield* self, AbutDVec3 p)
{
    AbutTerrainClosestPoint closest = abut_terrain_closest_point(self, p);
    AbutTerrainFoot foot = { .from = p, .normal = closest.gradient, .distance = closest.distance };
    foot.at = abut_dvec3_mul_add(p, -closest.distance, closest.gradient);
    // The cell of the feature is that of a point just inside of it.
    AbutDVec3 in_cell = abut_dvec3(p.x - closest.from_corner_x + 0.5 * self->lengths.spacing, 0.0,
                                   p.z - closest.from_corner_z + 0.5 * self->lengths.spacing);
    foot.id = id_at(self, closest.feature < ABUT_TERRAIN_WALL_X0 ? in_cell : foot.at, closest.feature);
    return foot;
}

double abut_terrain_bound(const AbutHeightfield* self, AbutDVec3 p)
{
    return abut_terrain_distance_bound(self, p);
}

// -----------------------------------------------------------------------------------------------------------
// Lists of feet
// -----------------------------------------------------------------------------------------------------------

typedef struct FootList
{
    const AbutHeightfield* field;
    AbutHeightReader reader;
    AbutTerrainFoot* feet;
    uint32_t count;
    double radius;
    bool missing; // a height is not known
} FootList;

static AbutDVec3 corner_of(FootList* list, uint32_t x, uint32_t z)
{
    double s = list->field->lengths.spacing, height = (double)abut_height_at(&list->reader, x, z);
    list->missing = list->missing || isnan(height);
    return abut_dvec3(x * s, height, z * s);
}

static bool is_closer(const AbutTerrainFoot* a, const AbutTerrainFoot* b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->id < b->id);
}

static uint32_t find_farthest(const FootList* list)
{
    uint32_t farthest = 0;
    for (uint32_t i = 1; i < list->count; ++i)
    {
        farthest = is_closer(&list->feet[farthest], &list->feet[i]) ? i : farthest;
    }
    return farthest;
}

/// Feet at the same place, of faces beside each other, are one.
static bool is_same(const FootList* list, const AbutTerrainFoot* a, const AbutTerrainFoot* b)
{
    double least = 1e-6 * list->field->lengths.spacing;
    return abut_dvec3_squared_length(abut_dvec3_sub(a->at, b->at)) <= least * least &&
           abut_dvec3_squared_length(abut_dvec3_sub(a->from, b->from)) <= least * least;
}

static void add_foot(FootList* list, const AbutTerrainFoot* foot)
{
    for (uint32_t i = 0; i < list->count; ++i)
    {
        if (list->feet[i].id == foot->id || is_same(list, &list->feet[i], foot))
        {
            list->feet[i] = is_closer(foot, &list->feet[i]) ? *foot : list->feet[i];
            return;
        }
    }
    if (list->count < ABUT_TERRAIN_FEET)
    {
        list->feet[list->count++] = *foot;
        return;
    }
    uint32_t farthest = find_farthest(list);
    if (is_closer(foot, &list->feet[farthest]))
    {
        list->feet[farthest] = *foot;
    }
}

static uint32_t sort_feet(FootList* list)
{
    for (uint32_t i = 1; i < list->count; ++i)
    {
        AbutTerrainFoot foot = list->feet[i];
        uint32_t to = i;
        for (; to > 0 && list->feet[to - 1].id > foot.id; --to)
        {
            list->feet[to] = list->feet[to - 1];
        }
        list->feet[to] = foot;
    }
    return list->count;
}

/// A foot outside of the solid, from p to `at`; false where they coincide or are too far apart.
static bool make_foot(const FootList* list, AbutDVec3 p, AbutDVec3 at, uint64_t id, AbutTerrainFoot* foot)
{
    AbutDVec3 offset = abut_dvec3_sub(p, at);
    double distance = abut_dvec3_length(offset);
    *foot = (AbutTerrainFoot){ at, p, abut_dvec3_div(offset, distance), distance, id };
    return distance > 0.0 && distance <= list->radius;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles around a feature
// -----------------------------------------------------------------------------------------------------------

/// The lower or upper triangle of a cell.
static void triangle_of(FootList* list, uint32_t x, uint32_t z, bool lower, AbutDVec3 corners[3])
{
    corners[0] = corner_of(list, x, z);
    corners[1] = lower ? corner_of(list, x + 1, z) : corner_of(list, x + 1, z + 1);
    corners[2] = lower ? corner_of(list, x + 1, z + 1) : corner_of(list, x, z + 1);
}

/// A triangle around a feature: offset of its cell from that of the feature.
typedef struct Neighbor
{
    int8_t x, z;
    bool lower;
} Neighbor;

typedef struct Neighbors
{
    Neighbor triangles[6];
    uint8_t count;
} Neighbors;

static const Neighbors NEIGHBORS[] = {
    [ID_EDGE_X] = { { { 0, 0, true }, { 0, -1, false } }, 2 },
    [ID_EDGE_Z] = { { { 0, 0, false }, { -1, 0, true } }, 2 },
    [ID_DIAGONAL] = { { { 0, 0, true }, { 0, 0, false } }, 2 },
    [ID_CORNER] = { { { 0, 0, true },
                      { 0, 0, false },
                      { -1, 0, true },
                      { -1, -1, true },
                      { -1, -1, false },
                      { 0, -1, false } },
                    6 },
};

/// True when no triangle around the feature is closer to p than `squared`.
static bool is_locally_closest(FootList* list, AbutDVec3 p, uint32_t x, uint32_t z, unsigned which,
                               double squared)
{
    const Neighbors* around = &NEIGHBORS[which];
    for (int index = 0; index < around->count; ++index)
    {
        const Neighbor* n = &around->triangles[index];
        int64_t i = (int64_t)x + n->x, k = (int64_t)z + n->z;
        if (i < 0 || k < 0 || i >= list->field->tiles.x_cells || k >= list->field->tiles.z_cells)
        {
            continue;
        }
        AbutDVec3 corners[3];
        triangle_of(list, (uint32_t)i, (uint32_t)k, n->lower, corners);
        if (abut_triangle_closest_feature(corners, p).squared * SAME < squared)
        {
            return false;
        }
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Feet of a point
// -----------------------------------------------------------------------------------------------------------

/// Adds the foot of a face where the perpendicular meets it from above.
static void add_face(FootList* list, AbutDVec3 p, SegmentPoint end, uint32_t x, uint32_t z, bool lower)
{
    AbutDVec3 corners[3];
    AbutTerrainFoot foot;
    triangle_of(list, x, z, lower, corners);
    AbutDVec3 normal =
        abut_dvec3_cross(abut_dvec3_sub(corners[2], corners[0]), abut_dvec3_sub(corners[1], corners[0]));
    AbutClosestPoint closest = abut_triangle_closest_feature(corners, p);
    if (closest.feature == ABUT_FEATURE_FACE && abut_dvec3_dot(abut_dvec3_sub(p, corners[0]), normal) > 0.0 &&
        make_foot(list, p, closest.at, make_id(list->field, x, z, lower ? ID_LOWER_FACE : ID_UPPER_FACE),
                  &foot))
    {
        foot.id += end;
        // The normal of the face is sharper than the direction to a point that is rounded.
        foot.normal = abut_dvec3_div(normal, abut_dvec3_length(normal));
        add_foot(list, &foot);
    }
}

/// The point of a segment closest to p.
static AbutDVec3 closest_of_segment(AbutDVec3 a, AbutDVec3 b, AbutDVec3 p)
{
    AbutDVec3 along = abut_dvec3_sub(b, a);
    double t = abut_dvec3_dot(abut_dvec3_sub(p, a), along) / abut_dvec3_squared_length(along);
    return abut_dvec3_mul_add(a, abut_heightfield_clamp(t, 0.0, 1.0), along);
}

static void add_if_closest(FootList* list, AbutDVec3 p, AbutDVec3 at, uint32_t x, uint32_t z, unsigned which)
{
    AbutTerrainFoot foot;
    if (make_foot(list, p, at, make_id(list->field, x, z, which), &foot) &&
        is_locally_closest(list, p, x, z, which, foot.distance * foot.distance))
    {
        foot.id += MIDDLE_POINT;
        add_foot(list, &foot);
    }
}

typedef struct Segment
{
    FootList* list;
    AbutDVec3 a, b;                      // the same for a point
    double crossings[ABUT_TERRAIN_FEET]; // fractions where it passes through the surface
    uint32_t crossing_count;
} Segment;

static bool is_point(const Segment* self)
{
    return abut_dvec3_squared_length(abut_dvec3_sub(self->a, self->b)) == 0.0;
}

/// Fractions of the closest points of two segments that are not parallel, inside of both or at ends.
static void closest_fractions(const Segment* self, AbutDVec3 c, AbutDVec3 d, double* s, double* t)
{
    AbutDVec3 u = abut_dvec3_sub(self->b, self->a), v = abut_dvec3_sub(d, c), w = abut_dvec3_sub(self->a, c);
    double uu = abut_dvec3_squared_length(u), vv = abut_dvec3_squared_length(v), uv = abut_dvec3_dot(u, v);
    double uw = abut_dvec3_dot(u, w), vw = abut_dvec3_dot(v, w), area = uu * vv - uv * uv;
    *s = area > 1e-12 * uu * vv ? abut_heightfield_clamp((uv * vw - vv * uw) / area, 0.0, 1.0) : 0.5;
    *t = abut_heightfield_clamp((uv * *s + vw) / vv, 0.0, 1.0);
    *s = uu > 0.0 ? abut_heightfield_clamp((uv * *t - uw) / uu, 0.0, 1.0) : 0.0;
}

static void add_edge(Segment* self, uint32_t x, uint32_t z, uint32_t to_x, uint32_t to_z, unsigned which)
{
    AbutDVec3 c = corner_of(self->list, x, z), d = corner_of(self->list, to_x, to_z);
    double s, t;
    closest_fractions(self, c, d, &s, &t);
    AbutDVec3 from = abut_dvec3_mul_add(self->a, s, abut_dvec3_sub(self->b, self->a));
    AbutDVec3 at = closest_of_segment(c, d, from);
    add_if_closest(self->list, from, at, x, z, which);
}

static void add_corner(Segment* self, uint32_t x, uint32_t z)
{
    AbutDVec3 at = corner_of(self->list, x, z);
    AbutDVec3 from = is_point(self) ? self->a : closest_of_segment(self->a, self->b, at);
    add_if_closest(self->list, from, at, x, z, ID_CORNER);
}

/// Fraction of the segment at which it passes through a triangle.
static void add_crossing(Segment* self, uint32_t x, uint32_t z, bool lower)
{
    AbutDVec3 c[3];
    triangle_of(self->list, x, z, lower, c);
    AbutDVec3 normal = abut_dvec3_cross(abut_dvec3_sub(c[2], c[0]), abut_dvec3_sub(c[1], c[0]));
    double from = abut_dvec3_dot(abut_dvec3_sub(self->a, c[0]), normal);
    double to = abut_dvec3_dot(abut_dvec3_sub(self->b, c[0]), normal);
    if ((from > 0.0) == (to > 0.0) || self->crossing_count == ABUT_TERRAIN_FEET)
    {
        return;
    }
    double s = from / (from - to), size = self->list->field->lengths.spacing;
    AbutDVec3 at = abut_dvec3_sub(abut_dvec3_mul_add(self->a, s, abut_dvec3_sub(self->b, self->a)), c[0]);
    double inner = lower ? at.z : at.x, outer = lower ? at.x : at.z, slack = 1e-9 * size;
    if (inner >= -slack && inner <= outer + slack && outer <= size + slack)
    {
        self->crossings[self->crossing_count++] = s;
    }
}

static void visit_cell(void* context, uint32_t x, uint32_t z)
{
    Segment* self = context;
    const AbutHeightTiles* tiles = &self->list->field->tiles;
    bool point = is_point(self);
    for (int lower = 0; lower < 2; ++lower)
    {
        add_face(self->list, self->a, FIRST_END, x, z, lower == 0);
        if (!point)
        {
            add_face(self->list, self->b, SECOND_END, x, z, lower == 0);
            add_crossing(self, x, z, lower == 0);
        }
    }
    add_edge(self, x, z, x + 1, z, ID_EDGE_X);
    add_edge(self, x, z, x, z + 1, ID_EDGE_Z);
    add_edge(self, x, z, x + 1, z + 1, ID_DIAGONAL);
    add_corner(self, x, z);
    if (z + 1 == tiles->z_cells)
    {
        add_edge(self, x, z + 1, x + 1, z + 1, ID_EDGE_X);
        add_corner(self, x, z + 1);
    }
    if (x + 1 == tiles->x_cells)
    {
        add_edge(self, x + 1, z, x + 1, z + 1, ID_EDGE_Z);
        add_corner(self, x + 1, z);
        add_corner(self, x + 1, z + 1);
    }
}

static void visit_cells(Segment* self)
{
    double r = self->list->radius;
    AbutDVec3 grow = abut_dvec3(r, r, r);
    abut_terrain_visit_cells(self->list->field, &self->list->reader,
                             abut_dvec3_sub(abut_dvec3_min(self->a, self->b), grow),
                             abut_dvec3_add(abut_dvec3_max(self->a, self->b), grow), visit_cell, self);
    abut_height_reader_end(&self->list->reader);
}

uint32_t abut_terrain_point_feet(const AbutHeightfield* self, AbutDVec3 p, double radius,
                                 AbutTerrainFoot feet[ABUT_TERRAIN_FEET], bool* missing)
{
    FootList list = { self, abut_height_reader(&self->tiles), feet, 0, radius, false };
    AbutTerrainFoot nearest = abut_terrain_nearest(self, p);
    if (nearest.distance > 0.0 && nearest.distance <= radius)
    {
        Segment segment = { .list = &list, .a = p, .b = p };
        visit_cells(&segment);
    }
    if (nearest.distance <= radius)
    {
        add_foot(&list, &nearest);
    }
    *missing = list.missing || isnan(nearest.distance);
    return sort_feet(&list);
}

// -----------------------------------------------------------------------------------------------------------
// Feet of a segment
// -----------------------------------------------------------------------------------------------------------

static void add_nearest(FootList* list, AbutDVec3 p, SegmentPoint end)
{
    AbutTerrainFoot nearest = abut_terrain_nearest(list->field, p);
    nearest.id += end;
    list->missing = list->missing || isnan(nearest.distance);
    if (nearest.distance <= list->radius)
    {
        add_foot(list, &nearest);
    }
}

static void sort_crossings(Segment* self)
{
    for (uint32_t i = 1; i < self->crossing_count; ++i)
    {
        double s = self->crossings[i];
        uint32_t to = i;
        for (; to > 0 && self->crossings[to - 1] > s; --to)
        {
            self->crossings[to] = self->crossings[to - 1];
        }
        self->crossings[to] = s;
    }
}

/// The middle of each interval between two crossings, when it is inside of the solid.
static void add_intervals(Segment* self)
{
    sort_crossings(self);
    for (uint32_t i = 0; i < self->crossing_count + 1 && self->crossing_count > 0; ++i)
    {
        double from = i == 0 ? 0.0 : self->crossings[i - 1];
        double to = i == self->crossing_count ? 1.0 : self->crossings[i];
        AbutDVec3 p = abut_dvec3_mul_add(self->a, 0.5 * (from + to), abut_dvec3_sub(self->b, self->a));
        AbutTerrainFoot nearest = abut_terrain_nearest(self->list->field, p);
        if (nearest.distance < 0.0)
        {
            nearest.id += INSIDE;
            add_foot(self->list, &nearest);
        }
    }
}

uint32_t abut_terrain_segment_feet(const AbutHeightfield* self, AbutDVec3 a, AbutDVec3 b, double radius,
                                   AbutTerrainFoot feet[ABUT_TERRAIN_FEET], bool* missing)
{
    FootList list = { self, abut_height_reader(&self->tiles), feet, 0, radius, false };
    Segment segment = { .list = &list, .a = a, .b = b };
    if (is_point(&segment))
    {
        return abut_terrain_point_feet(self, a, radius, feet, missing);
    }
    visit_cells(&segment);
    add_nearest(&list, a, FIRST_END);
    add_nearest(&list, b, SECOND_END);
    add_intervals(&segment);
    *missing = list.missing;
    return sort_feet(&list);
}
