#include "toi/solids/solids.h"

#include "shape/shape.h"

/// Where speeds grow by more than this over what is left of the step, less of it is looked at.
static const double SPEED_GROWTH = 1.5;

/// The moment at which boxes are looked at, and how far ahead its bounds are good.
static void set_moment(const AbutImpact* impact, AbutImpactLook* look, double time)
{
    size_t m = look->moment_count++;
    look->moments[m] = abut_relative_motion_at(&impact->motion, time);
    look->end[m] = 1.0;
    look->bounds[m] = abut_relative_motion_bounds(&impact->motion, time, 1.0);
    const double* v = look->moments[m].velocity;
    double most = SPEED_GROWTH * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 4 && look->bounds[m].carried > most; ++i)
    {
        look->end[m] = 0.5 * (time + look->end[m]);
        look->bounds[m] = abut_relative_motion_bounds(&impact->motion, time, look->end[m]);
    }
}

static void add(AbutImpactLook* look, const AbutImpactBox* box)
{
    size_t i = look->count++;
    look->boxes[i] = *box;
    look->moment[i] = look->moment_count - 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        look->own.at[axis][i] = box->center[axis];
    }
}

void abut_impact_take(const AbutImpact* impact, AbutImpactLook* look, const AbutImpactBox* box)
{
    set_moment(impact, look, box->time);
    if (box->again || box->level >= impact->last_level)
    {
        add(look, box);
        return;
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        AbutImpactBox part = *box;
        part.level = (uint8_t)(box->level + 1);
        for (int axis = 0; axis < 3; ++axis)
        {
            float step = impact->half[axis] / (float)(1u << part.level);
            part.center[axis] += (corner >> axis & 1) != 0 ? step : -step;
        }
        add(look, &part);
    }
}

static void keep_surface(AbutImpact* impact, AbutImpactLook* look)
{
    AbutPairBatch* own = &look->own;
    const AbutPairSide* side = &impact->pair.sides[0];
    size_t kept = 0;
    own->count = look->count;
    abut_pair_side_sample(side, (AbutPoints){ own->at[0], own->at[1], own->at[2] }, look->count,
                          (AbutSamples){ .distance = own->distance[0] });
    for (size_t i = 0; i < look->count; ++i)
    {
        AbutImpactBox box = look->boxes[i];
        float radius = (float)(abut_impact_radius(impact, box.level) / impact->unit * (1.0 + 1e-6));
        float low = abut_pair_low(&impact->pair, 0, own, i, radius);
        box.inside = own->distance[0][i] < -radius &&
                     -(own->distance[0][i] + abut_pair_error(&impact->pair, 0, own, i, -radius)) >
                         radius * side->slope;
        if (low > radius || (box.inside && box.time > 0.0))
        {
            continue;
        }
        look->boxes[kept] = box;
        look->moment[kept] = look->moment[i];
        own->distance[0][kept] = own->distance[0][i];
        for (int axis = 0; axis < 3; ++axis)
        {
            own->at[axis][kept] = own->at[axis][i];
        }
        kept += 1;
    }
    impact->evaluations += look->count;
    look->count = own->count = kept;
}

/// Brings a middle into the frame of the standing shape.
static void place(AbutImpactLook* look, size_t i)
{
    const AbutFrame* frame = &look->moments[look->moment[i]].frame;
    const AbutPairBatch* own = &look->own;
    const double at[3] = { own->at[0][i], own->at[1][i], own->at[2][i] };
    double turned[3];
    abut_frame_rotate(frame, at, turned);
    for (int axis = 0; axis < 3; ++axis)
    {
        look->seen.at[axis][i] = (float)(frame->scale * turned[axis] + frame->translation[axis]);
    }
}

/// Bounds of speed and acceleration.
static void bound_motion(const AbutImpact* impact, AbutImpactLook* look, size_t i)
{
    const AbutMotionBounds* bounds = &look->bounds[look->moment[i]];
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double arm = (double)look->own.at[axis][i] - impact->motion.center_b[axis];
        squared += arm * arm;
    }
    double reach = impact->unit * sqrt(squared) + abut_impact_radius(impact, look->boxes[i].level);
    look->gains[i].speed = bounds->carried + bounds->turning * reach;
    look->gains[i].acceleration = bounds->pull + bounds->swing * reach;
}

/// How much longer a box is free, from the distance of its middle.
static double free_for(const AbutImpact* impact, AbutImpactLook* look, size_t i)
{
    double radius = abut_impact_radius(impact, look->boxes[i].level), speed = look->gains[i].speed;
    float rounding = abut_impact_rounding(look, i);
    float limit = (float)radius + rounding;
    double gap = (double)abut_pair_low(&impact->pair, 1, &look->seen, i, limit) - (double)rounding - radius;
    look->gains[i].low = fmax(0.0, gap);
    if (!(gap > 0.0))
    {
        return -1.0;
    }
    return speed > 0.0 ? gap / speed * (1.0 - 1e-9) : INFINITY;
}

/// At most how far a solid is from a sample; under 0, at least how deep the sample is in it. Infinite where that is not known.
static double most_distance(const AbutImpact* impact, int side, const AbutPairBatch* batch, size_t i)
{
    const AbutPairSide* self = &impact->pair.sides[side];
    const AbutShapeInfo* info = &self->shape->info;
    double distance = batch->distance[side][i];
    double most = distance + (double)abut_pair_error(&impact->pair, side, batch, i, 0.0f);
    if (most <= 0.0)
    {
        return most / (double)self->slope;
    }
    bool exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    return exact && distance < (double)info->band ? most : INFINITY;
}

/// At most how far the solids are apart.
static double apart_at(const AbutImpact* impact, const AbutImpactLook* look, size_t i)
{
    // What is so deep in one solid has all within that depth of it in there, too.
    double sum = (double)look->own.distance[0][i] * impact->unit + (double)look->seen.distance[1][i];
    if (!(sum <= impact->near))
    {
        return INFINITY; // not worth the errors
    }
    return impact->unit * most_distance(impact, 0, &look->own, i) + most_distance(impact, 1, &look->seen, i) +
           (double)abut_impact_rounding(look, i);
}

double abut_impact_error(const AbutImpact* impact, const AbutImpactLook* look, size_t i)
{
    // Compared with itself, a distance is known no better than it can be.
    float own = abut_pair_error(&impact->pair, 0, &look->own, i, look->own.distance[0][i]);
    float seen = abut_pair_error(&impact->pair, 1, &look->seen, i, look->seen.distance[1][i]);
    return impact->unit * (double)own + (double)(seen + abut_impact_rounding(look, i));
}

void abut_impact_look(AbutImpact* impact, AbutImpactLook* look)
{
    keep_surface(impact, look);
    AbutPairBatch* seen = &look->seen;
    for (size_t i = 0; i < look->count; ++i)
    {
        place(look, i);
    }
    seen->count = look->count;
    if (look->count > 0)
    {
        abut_pair_side_sample(&impact->pair.sides[1], (AbutPoints){ seen->at[0], seen->at[1], seen->at[2] },
                              look->count, (AbutSamples){ .distance = seen->distance[1] });
        impact->evaluations += look->count;
    }
    for (size_t i = 0; i < look->count; ++i)
    {
        bound_motion(impact, look, i);
        look->gains[i].by = free_for(impact, look, i);
        look->gains[i].apart = apart_at(impact, look, i);
    }
}
