// Upper bound of the distance of a patch from the mesh.
//
// dist(x, e) + off(e), for the edge e beside the patch, and dist(x, c), for a corner c on the mesh, are upper
// bounds of the distance of x from the mesh. Each is convex: in a triangle it is largest at a corner. So for
// each of the small triangles of a subdivided patch the least of these largest values is a bound, and the
// largest of those is a bound for the patch.
#include "mesh/closure/patch_distance.h"

#include "base/assert.h"
#include "mesh/corners.h"

enum
{
    HALVINGS = 3,
    MAX_FOCI = 4,
};

/// Bounds under this fraction of the allowed width are good enough.
static const double ENOUGH = 0.01;

/// The edge, or a corner on the mesh, to which distances are measured.
typedef struct Focus
{
    AbutDVec3 from, along;
    double squared; // length of `along`
    double off;
} Focus;

typedef struct Foci
{
    Focus items[MAX_FOCI];
    int count;
} Foci;

static double focus_distance(const Focus* focus, AbutDVec3 p)
{
    AbutDVec3 offset = abut_dvec3_sub(p, focus->from);
    double t = focus->squared > 0.0 ? abut_dvec3_dot(offset, focus->along) / focus->squared : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    return abut_dvec3_length(abut_dvec3_mul_sub(offset, t, focus->along)) + focus->off;
}

static void add_focus(Foci* foci, AbutVec3 from, AbutVec3 to, double off)
{
    ABUT_ASSERT(foci->count < MAX_FOCI);
    Focus* focus = &foci->items[foci->count++];
    focus->from = abut_dvec3_from_vec3(from);
    focus->along = abut_dvec3_sub(abut_dvec3_from_vec3(to), focus->from);
    focus->squared = abut_dvec3_dot(focus->along, focus->along);
    focus->off = off;
}

/// The least over the foci of the largest distance of a corner.
static double bound_by_corners(const Foci* foci, const AbutDVec3 p[3])
{
    double least = INFINITY;
    for (int i = 0; i < foci->count; ++i)
    {
        const Focus* focus = &foci->items[i];
        double most = abut_larger(abut_larger(focus_distance(focus, p[0]), focus_distance(focus, p[1])),
                                  focus_distance(focus, p[2]));
        least = abut_smaller(least, most);
    }
    return least;
}

static AbutDVec3 middle_of(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3_scale(abut_dvec3_add(a, b), 0.5);
}

static double bound(const Foci* foci, const AbutDVec3 p[3], int halvings)
{
    double least = bound_by_corners(foci, p);
    if (halvings == 0)
    {
        return least;
    }
    const AbutDVec3 middles[3] = { middle_of(p[0], p[1]), middle_of(p[1], p[2]), middle_of(p[2], p[0]) };
    double most = bound(foci, middles, halvings - 1);
    for (int corner = 0; corner < 3; ++corner)
    {
        const AbutDVec3 q[3] = { p[corner], middles[corner], middles[(corner + 2) % 3] };
        most = abut_larger(most, bound(foci, q, halvings - 1));
    }
    return abut_smaller(least, most);
}

double abut_patching_off(const AbutPatching* self, const AbutChainEdge* edge, const uint32_t corners[3])
{
    Foci foci = { .count = 0 };
    AbutDVec3 p[3];
    add_focus(&foci, self->points[edge->from], self->points[edge->to], edge->off);
    for (int k = 0; k < 3; ++k)
    {
        AbutVec3 corner = self->points[corners[k]];
        p[k] = abut_dvec3_from_vec3(corner);
        if (corners[k] < self->end_count)
        {
            add_focus(&foci, corner, corner, 0.0);
        }
    }
    double coarse = bound(&foci, p, 0);
    return (coarse <= ENOUGH * self->widest ? coarse : bound(&foci, p, HALVINGS)) * (1.0 + 1e-12);
}
