#include "mesh/t_junction.h"

#include "base/memory.h"
#include "mesh/corners.h"

/// Points looked at, per edge and for all.
static const uint64_t WORK_PER_EDGE = 256, WORK_BASE = (uint64_t)1 << 22;

static AbutBox point_box(void* context, uint32_t point)
{
    const AbutStops* self = context;
    return abut_box(self->points.points[point], self->points.points[point]);
}

AbutResult abut_stops_create(const AbutHost* host, AbutStopPoints points, uint32_t edge_count, AbutStops* out)
{
    *out = (AbutStops){ .host = *host, .points = points };
    out->work = WORK_BASE + WORK_PER_EDGE * edge_count;
    return abut_box_tree_create(host, points.count, point_box, out, &out->tree);
}

void abut_stops_destroy(AbutStops* self)
{
    abut_memory_free(&self->host, self->items, self->capacity, sizeof(AbutStop));
    abut_box_tree_destroy(&self->host, &self->tree);
    self->items = NULL;
    self->count = self->capacity = 0;
}

static bool find_stop(const AbutStops* self, uint32_t edge_from, uint32_t edge_to, uint32_t point,
                      AbutStop* stop)
{
    const AbutVec3* points = self->points.points;
    double from[3], to[3], at[3], along[3], off[3];
    abut_load_vertex(points[edge_from], from);
    abut_load_vertex(points[edge_to], to);
    abut_load_vertex(points[point], at);
    abut_subtract(to, from, along);
    abut_subtract(at, from, off);
    double length = abut_dot(along, along);
    double t = length > 0.0 ? abut_dot(off, along) / length : 0.0;
    if (point == edge_from || point == edge_to || !(t > 0.0 && t < 1.0))
    {
        return false;
    }
    for (int i = 0; i < 3; ++i)
    {
        off[i] -= t * along[i];
    }
    *stop = (AbutStop){ t, point };
    return abut_dot(off, off) <= self->points.tolerance * self->points.tolerance;
}

static bool is_before(AbutStop a, AbutStop b)
{
    return a.along < b.along || (a.along == b.along && a.point < b.point);
}

static void sift_down(AbutStop* stops, size_t i, size_t count)
{
    AbutStop stop = stops[i];
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1)
    {
        if (child + 1 < count && is_before(stops[child], stops[child + 1]))
        {
            child += 1;
        }
        if (!is_before(stop, stops[child]))
        {
            break;
        }
        stops[i] = stops[child];
        i = child;
    }
    stops[i] = stop;
}

static void sort_stops(AbutStop* stops, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
    {
        sift_down(stops, i, count);
    }
    for (size_t end = count; end-- > 1;)
    {
        AbutStop last = stops[0];
        stops[0] = stops[end];
        stops[end] = last;
        sift_down(stops, 0, end);
    }
}

bool abut_stops_find(AbutStops* self, uint32_t from, uint32_t to)
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
            AbutStop stop;
            self->work -= self->work > 0;
            if (!find_stop(self, from, to, self->tree.items[slot], &stop))
            {
                continue;
            }
            if (!abut_memory_grow(&self->host, (void**)&self->items, &self->capacity, self->count + 1,
                                  sizeof(AbutStop)))
            {
                return false;
            }
            self->items[self->count++] = stop;
        }
    }
    sort_stops(self->items, self->count);
    return true;
}
