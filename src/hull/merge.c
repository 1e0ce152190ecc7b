// From triangles to faces: exactly coplanar neighbours are one polygon, and only extreme points are vertices.
#include "hull/quickhull.h"

#include "base/assert.h"
#include "base/union_find.h"
#include "mesh/triangle/orient.h"

#include <string.h>

typedef struct Merge
{
    const AbutVec3* points;
    uint32_t point_count;
    const AbutHullTriangle* triangles;
    uint32_t triangle_count;
    uint32_t* groups;  // of triangles: union-find, then the root
    uint32_t* faces;   // of groups: index of the face
    uint8_t* extreme;  // of points
    uint32_t* edge_of; // of edges of triangles with an extreme tail at a border: half edge of the draft
    uint32_t* last;    // of half edges: the last edge of a triangle along it
} Merge;

static bool allocate(Merge* self, AbutArena* arena, AbutHullDraft* draft)
{
    size_t edges = 3 * (size_t)self->triangle_count;
    self->groups = abut_arena_allocate(arena, self->triangle_count, sizeof(uint32_t));
    self->faces = abut_arena_allocate(arena, self->triangle_count, sizeof(uint32_t));
    self->extreme = abut_arena_allocate(arena, self->point_count, sizeof(uint8_t));
    self->edge_of = abut_arena_allocate(arena, edges, sizeof(uint32_t));
    self->last = abut_arena_allocate(arena, edges, sizeof(uint32_t));
    draft->face_first = abut_arena_allocate(arena, (size_t)self->triangle_count + 1, sizeof(uint32_t));
    draft->tails = abut_arena_allocate(arena, edges, sizeof(uint32_t));
    draft->twins = abut_arena_allocate(arena, edges, sizeof(uint32_t));
    return self->groups != NULL && self->faces != NULL && self->extreme != NULL && self->edge_of != NULL &&
           self->last != NULL && draft->face_first != NULL && draft->tails != NULL && draft->twins != NULL;
}

/// Edges of triangles are numbered 3 · triangle + edge.
static uint32_t tail_of(const Merge* self, uint32_t edge)
{
    return self->triangles[edge / 3].corners[edge % 3];
}

static uint32_t opposite(const Merge* self, uint32_t edge)
{
    uint32_t other = self->triangles[edge / 3].neighbors[edge % 3];
    const AbutHullTriangle* o = &self->triangles[other];
    uint32_t i = o->neighbors[0] == edge / 3 ? 0 : o->neighbors[1] == edge / 3 ? 1 : 2;
    return 3 * other + i;
}

static uint32_t next_in_triangle(uint32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static bool is_border(const Merge* self, uint32_t edge)
{
    return self->groups[edge / 3] != self->groups[opposite(self, edge) / 3];
}

/// The next border edge of the same group.
static uint32_t next_border(const Merge* self, uint32_t edge)
{
    edge = next_in_triangle(edge);
    while (!is_border(self, edge))
    {
        edge = next_in_triangle(opposite(self, edge));
    }
    return edge;
}

static void group_coplanar(Merge* self)
{
    const AbutVec3* p = self->points;
    abut_union_find_init(self->groups, self->triangle_count);
    for (uint32_t i = 0; i < 3 * self->triangle_count; ++i)
    {
        const AbutHullTriangle* t = &self->triangles[i / 3];
        if (!t->alive || t->neighbors[i % 3] < i / 3)
        {
            continue;
        }
        uint32_t apex = tail_of(self, next_in_triangle(next_in_triangle(opposite(self, i))));
        if (abut_orient_3d(p[t->corners[0]], p[t->corners[1]], p[t->corners[2]], p[apex]) == 0)
        {
            abut_union_find_join(self->groups, i / 3, t->neighbors[i % 3]);
        }
    }
    for (uint32_t i = 0; i < self->triangle_count; ++i)
    {
        self->groups[i] = abut_union_find_root(self->groups, i);
    }
}

/// A point is extreme where at least three faces meet. The border edges that leave it count its faces.
static void find_extreme(Merge* self)
{
    memset(self->extreme, 0, self->point_count);
    for (uint32_t i = 0; i < 3 * self->triangle_count; ++i)
    {
        if (self->triangles[i / 3].alive && is_border(self, i))
        {
            uint8_t* faces = &self->extreme[tail_of(self, i)];
            *faces = *faces < 3 ? *faces + 1 : 3;
        }
    }
}

/// The polygon of the group of a border edge with an extreme tail.
static void add_face(Merge* self, AbutHullDraft* draft, uint32_t first)
{
    uint32_t edge = first;
    draft->face_first[draft->face_count++] = draft->half_edge_count;
    do
    {
        uint32_t half_edge = draft->half_edge_count++, last;
        draft->tails[half_edge] = tail_of(self, edge);
        self->edge_of[edge] = half_edge;
        do
        {
            last = edge;
            edge = next_border(self, edge);
        } while (self->extreme[tail_of(self, edge)] < 3);
        self->last[half_edge] = last;
    } while (edge != first);
}

AbutResult abut_hull_merge(const AbutVec3* points, uint32_t point_count, const AbutHullTriangle* triangles,
                           uint32_t triangle_count, AbutArena* arena, AbutHullDraft* draft)
{
    Merge self = {
        .points = points, .point_count = point_count, .triangles = triangles, .triangle_count = triangle_count
    };
    *draft = (AbutHullDraft){ .dimension = 3 };
    if (!allocate(&self, arena, draft))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    group_coplanar(&self);
    find_extreme(&self);
    memset(self.faces, 0, triangle_count * sizeof(uint32_t)); // whether the group has its face
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
    {
        uint32_t group = self.groups[i / 3];
        if (triangles[i / 3].alive && !self.faces[group] && is_border(&self, i) &&
            self.extreme[tail_of(&self, i)] >= 3)
        {
            self.faces[group] = 1;
            add_face(&self, draft, i);
        }
    }
    draft->face_first[draft->face_count] = draft->half_edge_count;
    for (uint32_t i = 0; i < draft->half_edge_count; ++i)
    {
        draft->twins[i] = self.edge_of[opposite(&self, self.last[i])];
    }
    return ABUT_OK;
}
