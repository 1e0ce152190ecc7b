#include "mesh/repair/components.h"

#include "base/memory.h"
#include "mesh/corners.h"

#include <string.h>

#define NONE UINT32_MAX

/// A connected part with a loop.
typedef struct Part
{
    double origin[3];
    double volume, area;
    bool open; // something of it stays open
} Part;

typedef struct Judging
{
    AbutHost host;
    const AbutCaps* caps;
    AbutHalfEdges* half_edges;
    const AbutLoops* loops;
    double thin;
    AbutLoopCap* loop_caps;
    uint32_t* numbers; // by triangle that is the root of a part: the part's number; NONE without loops
    Part* parts;
    size_t part_count, part_capacity;
} Judging;

static uint32_t root_of_loop(const Judging* self, size_t loop)
{
    return abut_part_root(self->half_edges->parts, self->loops->triangles[self->loops->loops[loop].first]);
}

static void join_along_loops(const Judging* self)
{
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        const AbutLoop* loop = &self->loops->loops[i];
        const uint32_t* triangles = self->loops->triangles + loop->first;
        for (uint32_t k = 1; k < loop->count; ++k)
        {
            abut_part_join(self->half_edges->parts, triangles[0], triangles[k]);
        }
    }
}

static bool number_parts(Judging* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        uint32_t root = root_of_loop(self, i);
        if (self->numbers[root] == NONE)
        {
            if (!abut_memory_grow(&self->host, (void**)&self->parts, &self->part_capacity,
                                  self->part_count + 1, sizeof(Part)))
            {
                return false;
            }
            self->numbers[root] = (uint32_t)self->part_count;
            Part* part = &self->parts[self->part_count++];
            *part = (Part){ 0 };
            abut_load_vertex(mesh->vertices[mesh->indices[3 * (size_t)root]], part->origin);
        }
        self->parts[self->numbers[root]].open |= self->loop_caps[i].fate != ABUT_LOOP_CAPPED;
    }
    return true;
}

static void add_triangle(const Judging* self, Part* part, const uint32_t corners[3])
{
    double p[3][3], ab[3], ac[3], normal[3];
    for (int k = 0; k < 3; ++k)
    {
        abut_load_vertex(abut_caps_vertex(self->caps, corners[k]), p[k]);
        abut_subtract(p[k], part->origin, p[k]);
    }
    abut_subtract(p[1], p[0], ab);
    abut_subtract(p[2], p[0], ac);
    abut_cross(ab, ac, normal);
    part->area += 0.5 * abut_length(normal);
    part->volume += abut_dot(normal, p[0]) / 6.0;
}

static void measure(Judging* self)
{
    const AbutMesh* mesh = self->half_edges->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    {
        uint32_t number = self->numbers[abut_part_root(self->half_edges->parts, t)];
        if (number != NONE)
        {
            add_triangle(self, &self->parts[number], mesh->indices + 3 * (size_t)t);
        }
    }
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        for (size_t k = self->loop_caps[i].begin; k < self->loop_caps[i].end; k += 3)
        {
            add_triangle(self, &self->parts[self->numbers[root_of_loop(self, i)]], self->caps->indices + k);
        }
    }
}

static void judge(Judging* self)
{
    for (size_t i = 0; i < self->loops->loop_count; ++i)
    {
        const Part* part = &self->parts[self->numbers[root_of_loop(self, i)]];
        bool flat = !part->open && fabs(part->volume) <= self->thin * part->area;
        self->loop_caps[i].fate = flat ? ABUT_LOOP_FLAT : self->loop_caps[i].fate;
    }
}

AbutResult abut_find_flat_parts(const AbutCaps* caps, AbutHalfEdges* half_edges, const AbutLoops* loops,
                                double thin, AbutLoopCap* loop_caps)
{
    Judging self = { .host = caps->host,
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
    bool done = number_parts(&self);
    if (done)
    {
        measure(&self);
        judge(&self);
    }
    abut_memory_free(&self.host, self.numbers, count, sizeof(uint32_t));
    abut_memory_free(&self.host, self.parts, self.part_capacity, sizeof(Part));
    return done ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}
