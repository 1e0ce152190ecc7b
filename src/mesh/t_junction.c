#include "mesh/t_junction.h"

#include "base/assert.h"
#include "base/memory.h"
#include "mesh/corners.h"

/// Points tested, per edge and for all.
static const uint64_t WORK_PER_EDGE = 256, WORK_BASE = (uint64_t)1 << 22;

static AbutBox point_box(void* context, uint32_t point)
{
    const AbutTJunctions* self = context;
    return abut_box(self->points.points[point], self->points.points[point]);
}

AbutResult abut_t_junctions_create(const AbutHost* host, AbutTJunctionPoints points, uint32_t edge_count,
                                   AbutTJunctions* out)
{
    ABUT_ASSERT(points.tolerance >= 0.0);
    *out = (AbutTJunctions){ .host = *host, .points = points };
    out->work = WORK_BASE + WORK_PER_EDGE * edge_count;
    return abut_box_tree_create(host, points.count, point_box, out, &out->tree);
}

void abut_t_junctions_destroy(AbutTJunctions* self)
{
    abut_memory_free(&self->host, self->items, self->capacity, sizeof(AbutTJunction));
    abut_box_tree_destroy(&self->host, &self->tree);
    self->items = NULL;
    self->count = self->capacity = 0;
}

static bool find_t_junction(const AbutTJunctions* self, uint32_t edge_from, uint32_t edge_to, uint32_t point,
                            AbutTJunction* stop)
{
    ABUT_ASSERT(edge_from < self->points.count && edge_to < self->points.count && point < self->points.count);
    const AbutVec3* points = self->points.points;
    AbutDVec3 from = abut_dvec3_from_vec3(points[edge_from]);
    AbutDVec3 along = abut_dvec3_sub(abut_dvec3_from_vec3(points[edge_to]), from);
    AbutDVec3 offset = abut_dvec3_sub(abut_dvec3_from_vec3(points[point]), from);
    double length = abut_dvec3_dot(along, along);
    double t = length > 0.0 ? abut_dvec3_dot(offset, along) / length : 0.0;
    if (point == edge_from || point == edge_to || !(t > 0.0 && t < 1.0))
    {
        return false;
    }
    AbutDVec3 off = abut_dvec3_mul_sub(offset, t, along);
    *stop = (AbutTJunction){ t, point };
    return abut_dvec3_dot(off, off) <= self->points.tolerance * self->points.tolerance;
}

static bool is_before(AbutTJunction a, AbutTJunction b)
{
    return a.along < b.along || (a.along == b.along && a.point < b.point);
}

static void sift_down(AbutTJunction* t_junctions, size_t i, size_t count)
{
    AbutTJunction stop = t_junctions[i];
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1)
    {
        if (child + 1 < count && is_before(t_junctions[child], t_junctions[child + 1]))
        {
            child += 1;
        }
        if (!is_before(stop, t_junctions[child]))
        {
            break;
        }
        t_junctions[i] = t_junctions[child];
        i = child;
    }
    t_junctions[i] = stop;
}

static void sort_t_junctions(AbutTJunction* t_junctions, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
    {
        sift_down(t_junctions, i, count);
    }
    for (size_t end = count; end-- > 1;)
    {
        AbutTJunction last = t_junctions[0];
        t_junctions[0] = t_junctions[end];
        t_junctions[end] = last;
        sift_down(t_junctions, 0, end);
    }
}

bool abut_t_junctions_find(AbutTJunctions* self, uint32_t from, uint32_t to)
{
    AbutBox box = abut_box_add_point(abut_box_add_point(abut_box_empty(), self->points.points[from]),
                                     self->points.points[to]);
    box = abut_box_expand(box, (float)(1.001 * self->points.tolerance));
    AbutBoxLeaf leaf;
    uint32_t cursor = 0;
    self->count = 0;
    while (self->work > 0 && abut_box_tree_next_overlap(&self->tree, &box, 0, &cursor, &leaf))
    {
        for (uint32_t slot = leaf.first; slot < leaf.end; ++slot)
        {
            AbutTJunction stop;
            self->work -= self->work > 0;
            if (!find_t_junction(self, from, to, self->tree.items[slot], &stop))
            {
                continue;
            }
            if (!abut_memory_grow(&self->host, (void**)&self->items, &self->capacity, self->count + 1,
                                  sizeof(AbutTJunction)))
            {
                return false;
            }
            self->items[self->count++] = stop;
        }
    }
    sort_t_junctions(self->items, self->count);
    return true;
}
