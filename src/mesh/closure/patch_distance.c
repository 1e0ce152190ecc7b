// How far a patch is from the mesh.
//
// dist(x, e) + off(e), for the edge e that the patch stands beside, and dist(x, c), for a corner c on the
// mesh, are bounds of the distance of x from the mesh. Each is convex: in a triangle it is largest at a
// corner. So in each of many small triangles that make up the patch the least of these largest values is a
// bound, and the largest of those is one for all.
#include "mesh/closure/patch_distance.h"

#include "mesh/corners.h"

#include <string.h>

enum
{
    HALVINGS = 3,
    MAX_FOCI = 4,
};

/// Bounds under this part of what is allowed are good enough.
static const double ENOUGH = 0.01;

/// What distances are taken from: the edge, or a corner.
typedef struct Focus
{
    double from[3], along[3];
    double squared; // length of `along`
    double off;
} Focus;

typedef struct Foci
{
    Focus items[MAX_FOCI];
    int count;
} Foci;

static double focus_distance(const Focus* focus, const double p[3])
{
    double off[3];
    abut_array3_sub(p, focus->from, off);
    double t = focus->squared > 0.0 ? abut_array3_dot(off, focus->along) / focus->squared : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        off[i] -= t * focus->along[i];
    }
    return abut_array3_length(off) + focus->off;
}

static void add_focus(Foci* foci, AbutVec3 from, AbutVec3 to, double off)
{
    Focus* focus = &foci->items[foci->count++];
    double end[3];
    abut_array3_from_vec3(from, focus->from);
    abut_array3_from_vec3(to, end);
    abut_array3_sub(end, focus->from, focus->along);
    focus->squared = abut_array3_dot(focus->along, focus->along);
    focus->off = off;
}

static double bound(const Foci* foci, double p[3][3], int halvings)
{
    double least = INFINITY;
    for (int i = 0; i < foci->count; ++i)
    {
        double most = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            most = abut_larger(most, focus_distance(&foci->items[i], p[k]));
        }
        least = abut_smaller(least, most);
    }
    if (halvings == 0)
    {
        return least;
    }
    double middles[3][3], most = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        for (int i = 0; i < 3; ++i)
        {
            middles[k][i] = 0.5 * (p[k][i] + p[(k + 1) % 3][i]); // between corners k and k + 1
        }
    }
    for (int piece = 0; piece < 4; ++piece)
    {
        double q[3][3];
        memcpy(q[0], piece < 3 ? p[piece] : middles[0], sizeof(q[0]));
        memcpy(q[1], piece < 3 ? middles[piece] : middles[1], sizeof(q[1]));
        memcpy(q[2], piece < 3 ? middles[(piece + 2) % 3] : middles[2], sizeof(q[2]));
        most = abut_larger(most, bound(foci, q, halvings - 1));
    }
    return abut_smaller(least, most);
}

double abut_patching_off(const AbutPatching* self, const AbutChainEdge* edge, const uint32_t corners[3])
{
    Foci foci = { .count = 0 };
    double p[3][3];
    add_focus(&foci, self->points[edge->from], self->points[edge->to], edge->off);
    for (int k = 0; k < 3; ++k)
    {
        AbutVec3 corner = self->points[corners[k]];
        abut_array3_from_vec3(corner, p[k]);
        if (corners[k] < self->end_count)
        {
            add_focus(&foci, corner, corner, 0.0);
        }
    }
    double coarse = bound(&foci, p, 0);
    return (coarse <= ENOUGH * self->widest ? coarse : bound(&foci, p, HALVINGS)) * (1.0 + 1e-12);
}
