// Quickhull (Barber, Dobkin, Huhdanpaa 1996) by exact signs.
//
// A point sees a triangle when it is strictly above its plane (abut_orient_3d(), exact). Seen triangles form
// a disk, since in exact arithmetic the hull so far is convex; its border, the horizon, is a simple cycle,
// and the triangles from its edges to the point replace the disk. None of them is degenerate: a point in line
// with an edge of the horizon lies in the planes of both triangles at the edge, and sees neither.
//
// Points above removed triangles are above one of the new ones or inside of the hull: let q be above the old
// hull's seen triangle F. If q is outside of the new hull, it sees a connected set of old triangles; the set
// contains a pair F', G' on both sides of the horizon, or seen triangles alone. The normal of the new
// triangle at their edge is a positive combination of those of F' and G', so q sees it.
#include "hull/quickhull.h"

#include "base/assert.h"
#include "mesh/triangle/orient.h"

#include <string.h>

typedef struct HorizonEdge
{
    uint32_t tail, head;
    uint32_t outer; // triangle that stays
    uint32_t outer_edge;
} HorizonEdge;

typedef struct Builder
{
    const AbutVec3* points;
    uint32_t point_count;
    AbutHullTriangle* triangles;
    uint32_t triangle_count; // slots in use or free
    uint32_t* free_slots;    // stack
    uint32_t free_count;
    uint32_t* next;    // of points: the next in the list of the same triangle
    uint32_t* pending; // stack of triangles that may have points
    uint32_t pending_count;
    bool* queued;   // of triangles: on that stack, also when the slot was freed since
    uint32_t* seen; // triangles that the point of the step sees
    uint32_t seen_count;
    HorizonEdge* horizon;
    uint32_t horizon_count;
    uint32_t* starts; // of points: the new triangle whose edge 0 starts there
    uint32_t visit;
} Builder;

static bool allocate(Builder* self, AbutArena* arena)
{
    // A triangulated sphere with n vertices has 2n − 4 triangles; seen ones are freed before new ones come.
    size_t triangles = 2 * (size_t)self->point_count;
    self->triangles = abut_arena_allocate(arena, triangles, sizeof(AbutHullTriangle));
    self->free_slots = abut_arena_allocate(arena, triangles, sizeof(uint32_t));
    self->next = abut_arena_allocate(arena, self->point_count, sizeof(uint32_t));
    self->pending = abut_arena_allocate(arena, triangles, sizeof(uint32_t));
    self->queued = abut_arena_allocate(arena, triangles, sizeof(bool));
    self->seen = abut_arena_allocate(arena, triangles, sizeof(uint32_t));
    self->horizon = abut_arena_allocate(arena, self->point_count, sizeof(HorizonEdge));
    self->starts = abut_arena_allocate(arena, self->point_count, sizeof(uint32_t));
    if (self->queued != NULL)
    {
        memset(self->queued, 0, triangles * sizeof(bool));
    }
    return self->triangles != NULL && self->free_slots != NULL && self->next != NULL &&
           self->pending != NULL && self->queued != NULL && self->seen != NULL && self->horizon != NULL &&
           self->starts != NULL;
}

static bool sees(const Builder* self, uint32_t point, const AbutHullTriangle* t)
{
    const AbutVec3* p = self->points;
    return abut_orient_3d(p[t->corners[0]], p[t->corners[1]], p[t->corners[2]], p[point]) > 0;
}

static uint32_t add_triangle(Builder* self, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t index = self->free_count > 0 ? self->free_slots[--self->free_count] : self->triangle_count++;
    ABUT_ASSERT(index < 2 * self->point_count);
    AbutDVec3 pa = abut_dvec3_from_vec3(self->points[a]);
    AbutDVec3 ab = abut_dvec3_sub(abut_dvec3_from_vec3(self->points[b]), pa);
    AbutDVec3 ac = abut_dvec3_sub(abut_dvec3_from_vec3(self->points[c]), pa);
    AbutDVec3 normal = abut_dvec3_normalize(abut_dvec3_cross(ab, ac));
    self->triangles[index] = (AbutHullTriangle){
        .corners = { a, b, c },
        .normal = normal,
        .offset = abut_dvec3_dot(normal, pa),
        .farthest_distance = -1.0,
        .first_seen = ABUT_QUICKHULL_NONE,
        .alive = true,
    };
    return index;
}

/// Puts a point on the list of a triangle that it sees.
static void assign(Builder* self, uint32_t point, uint32_t triangle)
{
    AbutHullTriangle* t = &self->triangles[triangle];
    if (!self->queued[triangle])
    {
        self->queued[triangle] = true;
        self->pending[self->pending_count++] = triangle;
    }
    double distance = abut_dvec3_dot(t->normal, abut_dvec3_from_vec3(self->points[point])) - t->offset;
    if (t->first_seen == ABUT_QUICKHULL_NONE || distance > t->farthest_distance)
    {
        t->farthest_distance = distance;
        t->farthest = point;
    }
    self->next[point] = t->first_seen;
    t->first_seen = point;
}

static void make_tetrahedron(Builder* self, const uint32_t corners[4])
{
    const AbutVec3* p = self->points;
    uint32_t a = corners[0], b = corners[1], c = corners[2], d = corners[3];
    if (abut_orient_3d(p[a], p[b], p[c], p[d]) > 0)
    {
        uint32_t swapped = b;
        b = c;
        c = swapped;
    }
    // d is below a, b, c; edge i of each is between corner i and i + 1.
    uint32_t abc = add_triangle(self, a, b, c);
    uint32_t adb = add_triangle(self, a, d, b);
    uint32_t bdc = add_triangle(self, b, d, c);
    uint32_t cda = add_triangle(self, c, d, a);
    const uint32_t neighbors[4][3] = {
        { adb, bdc, cda }, { cda, bdc, abc }, { adb, cda, abc }, { bdc, adb, abc }
    };
    const uint32_t all[4] = { abc, adb, bdc, cda };
    for (int i = 0; i < 4; ++i)
    {
        for (int edge = 0; edge < 3; ++edge)
        {
            self->triangles[all[i]].neighbors[edge] = neighbors[i][edge];
        }
    }
    for (uint32_t point = 0; point < self->point_count; ++point)
    {
        for (int i = 0; i < 4; ++i)
        {
            if (sees(self, point, &self->triangles[all[i]]))
            {
                assign(self, point, all[i]);
                break;
            }
        }
    }
}

static uint32_t edge_towards(const AbutHullTriangle* t, uint32_t neighbor)
{
    ABUT_ASSERT(t->neighbors[0] == neighbor || t->neighbors[1] == neighbor || t->neighbors[2] == neighbor);
    return t->neighbors[0] == neighbor ? 0 : t->neighbors[1] == neighbor ? 1 : 2;
}

/// Triangles that the point sees, from one of them, and the edges around them.
static void find_horizon(Builder* self, uint32_t point, uint32_t first)
{
    self->visit += 1;
    self->horizon_count = 0;
    self->seen[0] = first;
    self->seen_count = 1;
    self->triangles[first].visit = self->visit;
    self->triangles[first].visible = true;
    for (uint32_t i = 0; i < self->seen_count; ++i)
    {
        const AbutHullTriangle* t = &self->triangles[self->seen[i]];
        for (uint32_t edge = 0; edge < 3; ++edge)
        {
            uint32_t other = t->neighbors[edge];
            AbutHullTriangle* o = &self->triangles[other];
            if (o->visit != self->visit)
            {
                o->visit = self->visit;
                o->visible = sees(self, point, o);
                if (o->visible)
                {
                    self->seen[self->seen_count++] = other;
                }
            }
            if (!o->visible)
            {
                self->horizon[self->horizon_count++] =
                    (HorizonEdge){ t->corners[edge], t->corners[(edge + 1) % 3], other,
                                   edge_towards(o, self->seen[i]) };
            }
        }
    }
}

/// Frees the seen triangles; returns their points as one list.
static uint32_t remove_seen(Builder* self)
{
    uint32_t list = ABUT_QUICKHULL_NONE;
    for (uint32_t i = 0; i < self->seen_count; ++i)
    {
        AbutHullTriangle* t = &self->triangles[self->seen[i]];
        for (uint32_t point = t->first_seen; point != ABUT_QUICKHULL_NONE;)
        {
            uint32_t following = self->next[point];
            self->next[point] = list;
            list = point;
            point = following;
        }
        t->alive = false;
        t->first_seen = ABUT_QUICKHULL_NONE;
        self->free_slots[self->free_count++] = self->seen[i];
    }
    return list;
}

/// The cone from the point to the horizon. Its triangles take the place of `seen`.
static void add_cone(Builder* self, uint32_t point)
{
    self->seen_count = self->horizon_count;
    for (uint32_t i = 0; i < self->horizon_count; ++i)
    {
        const HorizonEdge* edge = &self->horizon[i];
        uint32_t index = add_triangle(self, edge->tail, edge->head, point);
        self->triangles[index].neighbors[0] = edge->outer;
        self->triangles[edge->outer].neighbors[edge->outer_edge] = index;
        self->starts[edge->tail] = index;
        self->seen[i] = index;
    }
    for (uint32_t i = 0; i < self->horizon_count; ++i)
    {
        uint32_t following = self->starts[self->horizon[i].head];
        self->triangles[self->seen[i]].neighbors[1] = following;
        self->triangles[following].neighbors[2] = self->seen[i];
    }
}

static void distribute(Builder* self, uint32_t list, uint32_t added)
{
    while (list != ABUT_QUICKHULL_NONE)
    {
        uint32_t point = list;
        list = self->next[point];
        for (uint32_t i = 0; i < self->seen_count && point != added; ++i)
        {
            if (sees(self, point, &self->triangles[self->seen[i]]))
            {
                assign(self, point, self->seen[i]);
                break;
            }
        }
    }
}

static void grow(Builder* self)
{
    while (self->pending_count > 0)
    {
        uint32_t triangle = self->pending[--self->pending_count];
        const AbutHullTriangle* t = &self->triangles[triangle];
        self->queued[triangle] = false;
        if (!t->alive || t->first_seen == ABUT_QUICKHULL_NONE)
        {
            continue;
        }
        uint32_t point = t->farthest;
        find_horizon(self, point, triangle);
        uint32_t list = remove_seen(self);
        add_cone(self, point);
        distribute(self, list, point);
    }
}

AbutResult abut_hull_draft_solid(const AbutVec3* points, uint32_t count, const AbutHullSimplex* simplex,
                                 AbutArena* arena, AbutHullDraft* draft)
{
    ABUT_ASSERT(simplex->dimension == 3);
    Builder self = { .points = points, .point_count = count };
    if (!allocate(&self, arena))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    make_tetrahedron(&self, simplex->points);
    grow(&self);
    return abut_hull_merge(points, count, self.triangles, self.triangle_count, arena, draft);
}
