#include "mesh/repair/components.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "mesh/corners.h"

#include <string.h>

#define NONE UINT32_MAX

/// A connected component with a loop.
typedef struct Component
{
    AbutDVec3 origin;
    double volume, area;
    bool open; // some loop of it stays open
} Component;

typedef struct Classifying
{
    AbutHost host;
    const AbutCaps* caps;
    AbutHalfEdges* half_edges;
    const AbutBoundaryLoops* loops;
    double thin;
    AbutLoopCap* loop_caps;
    uint32_t* numbers; // by triangle that is the root of a component: its number; NONE without loops
    Component* components;
    size_t component_count, component_capacity;
} Classifying;

static uint32_t root_of_loop(const Classifying* self, size_t loop)
{
    return abut_union_find_root(self->half_edges->components,
                                self->loops->triangles[self->loops->loops[loop].first]);
}

static void join_along_loops(const Classifying* self)
{
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        const AbutBoundaryLoop* loop = &self->loops->loops[i];
        const uint32_t* triangles = self->loops->triangles + loop->first;
        for (uint32_t k = 1; k < loop->count; ++k)
        {
            abut_union_find_join(self->half_edges->components, triangles[0], triangles[k]);
        }
    }
}

static bool number_components(Classifying* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        uint32_t root = root_of_loop(self, i);
        if (self->numbers[root] == NONE)
        {
            if (!abut_memory_grow(&self->host, (void**)&self->components, &self->component_capacity,
                                  self->component_count + 1, sizeof(Component)))
            {
                return false;
            }
            self->numbers[root] = (uint32_t)self->component_count;
            Component* component = &self->components[self->component_count++];
            *component = (Component){ 0 };
            component->origin = abut_mesh_dvertex(mesh, mesh->indices[3 * (size_t)root]);
        }
        self->components[self->numbers[root]].open |= self->loop_caps[i].status != ABUT_LOOP_CAPPED;
    }
    return true;
}

static void add_triangle(const Classifying* self, Component* component, const uint32_t corners[3])
{
    AbutDVec3 p[3];
    abut_caps_corners(self->caps, corners, p);
    p[0] = abut_dvec3_sub(p[0], component->origin);
    p[1] = abut_dvec3_sub(p[1], component->origin);
    p[2] = abut_dvec3_sub(p[2], component->origin);
    AbutDVec3 normal = abut_corners_normal(p);
    component->area += 0.5 * abut_dvec3_length(normal);
    component->volume += abut_dvec3_dot(normal, p[0]) / 6.0;
}

static void measure(Classifying* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        uint32_t number = self->numbers[abut_union_find_root(self->half_edges->components, t)];
        if (number != NONE)
        {
            add_triangle(self, &self->components[number], mesh->indices + 3 * (size_t)t);
        }
    }
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        for (size_t k = self->loop_caps[i].begin; k < self->loop_caps[i].end; k += 3)
        {
            add_triangle(self, &self->components[self->numbers[root_of_loop(self, i)]],
                         self->caps->indices + k);
        }
    }
}

static void classify(Classifying* self)
{
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        const Component* component = &self->components[self->numbers[root_of_loop(self, i)]];
        bool flat = !component->open && fabs(component->volume) <= self->thin * component->area;
        self->loop_caps[i].status = flat ? ABUT_LOOP_FLAT : self->loop_caps[i].status;
    }
}

AbutResult abut_find_flat_components(const AbutCaps* caps, AbutHalfEdges* half_edges,
                                     const AbutBoundaryLoops* loops, double thin, AbutLoopCap* loop_caps)
{
    Classifying self = { .host = caps->host,
                         .caps = caps,
                         .half_edges = half_edges,
                         .loops = loops,
                         .thin = thin,
                         .loop_caps = loop_caps };
    uint32_t count = half_edges->mesh->triangle_count;
    self.numbers = abut_memory_allocate(&self.host, count, sizeof(uint32_t));
    if (self.numbers == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memset(self.numbers, 0xFF, count * sizeof(uint32_t));
    join_along_loops(&self);
    bool done = number_components(&self);
    if (done)
    {
        measure(&self);
        classify(&self);
    }
    abut_memory_free(&self.host, self.numbers, count, sizeof(uint32_t));
    abut_memory_free(&self.host, self.components, self.component_capacity, sizeof(Component));
    return done ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}
