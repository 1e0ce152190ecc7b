#include "narrow/primitive/box_lanes.h"

#include <math.h>

static AbutBoxAxis axis_of(double index, double separation)
{
    int i = (int)index;
    return i < 3   ? (AbutBoxAxis){ ABUT_BOX_FACE_A, i, 0, separation }
           : i < 6 ? (AbutBoxAxis){ ABUT_BOX_FACE_B, 0, i - 3, separation }
                   : (AbutBoxAxis){ ABUT_BOX_EDGES, (i - 6) / 3, (i - 6) % 3, separation };
}

/// As abut_core_pair_make() has it, of a frame whose rotation has these columns.
static void set_core(AbutCore* core, const double* size, double scale, AbutDVec3 center)
{
    core->kind = ABUT_CORE_BOX;
    core->half = abut_dvec3_scale(abut_dvec3(size[0], size[1], size[2]), scale);
    core->radius = size[3] * scale;
    core->center = center;
}

static void set_pair(const AbutRoundPairs* pairs, uint32_t lane, const AbutTransform* relative,
                     double rounding, AbutCorePair* out)
{
    set_core(&out->a, pairs->sizes[0][lane], 1.0, abut_dvec3_zero());
    set_core(&out->b, pairs->sizes[1][lane], relative->scale, relative->translation);
    out->a.axes[0] = abut_dvec3(1.0, 0.0, 0.0);
    out->a.axes[1] = abut_dvec3(0.0, 1.0, 0.0);
    out->a.axes[2] = abut_dvec3(0.0, 0.0, 1.0);
    out->b.axes[0] = abut_dmat3_column(&relative->rotation, 0);
    out->b.axes[1] = abut_dmat3_column(&relative->rotation, 1);
    out->b.axes[2] = abut_dmat3_column(&relative->rotation, 2);
    out->rounding = rounding;
}

void abut_box_lanes_collide(const AbutBoxLanes* lanes, const AbutRoundPairs* pairs, uint32_t lane,
                            AbutTransform* relative, AbutPrimitiveManifold* out)
{
    AbutBoxAxes axes = {
        .face = axis_of(lanes->face[lane], lanes->face_separation[lane]),
        .best = axis_of(lanes->best[lane], lanes->best_separation[lane]),
        .size = lanes->size[lane],
        .low = lanes->low[lane],
        .overlap = lanes->overlap[lane] != 0,
    };
    for (int k = 0; k < 3; ++k)
    {
        axes.toward[k] = lanes->at[k][lane];
        axes.toward[3 + k] = lanes->toward_b[k][lane];
        relative->rotation.m[k][0] = lanes->rotation[k][0][lane];
        relative->rotation.m[k][1] = lanes->rotation[k][1][lane];
        relative->rotation.m[k][2] = lanes->rotation[k][2][lane];
    }
    relative->translation = abut_dvec3(axes.toward[0], axes.toward[1], axes.toward[2]);
    relative->scale = lanes->scale[lane];
    relative->precise = false;
    AbutCorePair pair;
    set_pair(pairs, lane, relative, lanes->rounding[lane], &pair);
    out->low = -INFINITY;
    out->touching = out->close = false;
    out->count = 0;
    const AbutPrimitiveQuery query = { &pair, pairs->margin, true, out };
    abut_primitive_boxes_along(&query, &axes);
}
