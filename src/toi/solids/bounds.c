// Bounds of boxes from distances at their middles.
#include "toi/solids/bounds.h"

#include "base/assert.h"
#include "shape/shape.h"

/// Growth of the speed bound over the rest of the step beyond which a shorter interval is used.
static const double SPEED_GROWTH = 1.5;

/// The motion at a time, and bounds of it from then on, up to batch->end.
static void add_sample(const AbutToiSearch* toi, AbutToiBatch* batch, double time)
{
    ABUT_ASSERT(batch->sample_count < ABUT_TOI_GROUP);
    size_t m = batch->sample_count++;
    batch->samples[m] = abut_relative_motion_at(&toi->motion, time);
    batch->end[m] = 1.0;
    batch->bounds[m] = abut_relative_motion_bounds(&toi->motion, time, 1.0);
    double most = SPEED_GROWTH * abut_dvec3_length(batch->samples[m].velocity);
    for (int i = 0; i < 4 && batch->bounds[m].linear_speed > most; ++i)
    {
        batch->end[m] = 0.5 * (time + batch->end[m]);
        batch->bounds[m] = abut_relative_motion_bounds(&toi->motion, time, batch->end[m]);
    }
}

static void add(AbutToiBatch* batch, const AbutToiBox* box)
{
    ABUT_ASSERT(batch->count < ABUT_TOI_BATCH);
    size_t i = batch->count++;
    batch->boxes[i] = *box;
    batch->sample_of[i] = batch->sample_count - 1;
    abut_pair_batch_set(&batch->in_moving, i, box->center);
}

void abut_toi_batch_add(const AbutToiSearch* toi, AbutToiBatch* batch, const AbutToiBox* box)
{
    add_sample(toi, batch, box->time);
    if (box->retry || box->level >= toi->last_level)
    {
        add(batch, box);
        return;
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        AbutToiBox child = *box;
        child.level = (uint8_t)(box->level + 1);
        float division = (float)(1u << child.level);
        AbutVec3 step = abut_vec3(toi->half.x / division, toi->half.y / division, toi->half.z / division);
        child.center.x += (corner & 1) != 0 ? step.x : -step.x;
        child.center.y += (corner & 2) != 0 ? step.y : -step.y;
        child.center.z += (corner & 4) != 0 ? step.z : -step.z;
        add(batch, &child);
    }
}

static void keep_surface(AbutToiSearch* toi, AbutToiBatch* batch)
{
    AbutPairBatch* in_moving = &batch->in_moving;
    const AbutPairSide* side = &toi->pair.sides[0];
    size_t kept = 0;
    in_moving->count = batch->count;
    abut_pair_side_sample(side, (AbutPoints){ in_moving->at[0], in_moving->at[1], in_moving->at[2] },
                          batch->count, (AbutSamples){ .distance = in_moving->distance[0] });
    for (size_t i = 0; i < batch->count; ++i)
    {
        AbutToiBox box = batch->boxes[i];
        float radius = (float)(abut_toi_radius(toi, box.level) / toi->unit * (1.0 + 1e-6));
        float low = abut_pair_low(&toi->pair, 0, in_moving, i, radius);
        box.inside = in_moving->distance[0][i] < -radius &&
                     -(in_moving->distance[0][i] + abut_pair_error(&toi->pair, 0, in_moving, i, -radius)) >
                         radius * side->slope;
        if (low > radius || (box.inside && box.time > 0.0))
        {
            continue;
        }
        batch->boxes[kept] = box;
        batch->sample_of[kept] = batch->sample_of[i];
        in_moving->distance[0][kept] = in_moving->distance[0][i];
        abut_pair_batch_set(in_moving, kept, abut_pair_batch_point(in_moving, i));
        kept += 1;
    }
    toi->evaluations += batch->count;
    batch->count = in_moving->count = kept;
}

/// The middle of a box in the frame of the standing shape.
static void locate(AbutToiBatch* batch, size_t i)
{
    const AbutTransform* frame = &batch->samples[batch->sample_of[i]].frame;
    AbutDVec3 middle = abut_dvec3_from_vec3(abut_pair_batch_point(&batch->in_moving, i));
    abut_pair_batch_set(&batch->in_standing, i, abut_dvec3_to_vec3(abut_transform_point(frame, middle)));
}

/// Bounds of speed and acceleration.
static void bound_motion(const AbutToiSearch* toi, AbutToiBatch* batch, size_t i)
{
    const AbutMotionBounds* bounds = &batch->bounds[batch->sample_of[i]];
    AbutDVec3 middle = abut_dvec3_from_vec3(abut_pair_batch_point(&batch->in_moving, i));
    double from_center = abut_dvec3_distance(middle, toi->motion.center_b);
    double max_radius = toi->unit * from_center + abut_toi_radius(toi, batch->boxes[i].level);
    batch->box_bounds[i].speed = abut_motion_bounds_speed(bounds, max_radius);
    batch->box_bounds[i].acceleration = abut_motion_bounds_acceleration(bounds, max_radius);
}

/// Free time of a box, from the distance of its middle.
static double free_for(const AbutToiSearch* toi, AbutToiBatch* batch, size_t i)
{
    double radius = abut_toi_radius(toi, batch->boxes[i].level), speed = batch->box_bounds[i].speed;
    float rounding = abut_toi_rounding(batch, i);
    float limit = (float)radius + rounding;
    double gap =
        (double)abut_pair_low(&toi->pair, 1, &batch->in_standing, i, limit) - (double)rounding - radius;
    batch->box_bounds[i].low = fmax(0.0, gap);
    if (!(gap > 0.0))
    {
        return -1.0;
    }
    return speed > 0.0 ? gap / speed * (1.0 - 1e-9) : INFINITY;
}

/// Upper bound of the distance of a solid from a sample; negative by at least the depth of the sample in it.
/// Infinite where nothing is proved.
static double max_distance(const AbutToiSearch* toi, int side, const AbutPairBatch* batch, size_t i)
{
    const AbutPairSide* self = &toi->pair.sides[side];
    const AbutShapeInfo* info = &self->shape->info;
    double distance = batch->distance[side][i];
    double most = distance + (double)abut_pair_error(&toi->pair, side, batch, i, 0.0f);
    if (most <= 0.0)
    {
        return most / (double)self->slope;
    }
    bool exact =
        info->distance_kind == ABUT_DISTANCE_EXACT || info->distance_kind == ABUT_DISTANCE_EXACT_OUTSIDE;
    return exact && distance < (double)info->band ? most : INFINITY;
}

/// Upper bound of the distance of the solids.
static double max_separation_at(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i)
{
    // A ball of the depth of the middle in one solid is within that solid.
    double sum =
        (double)batch->in_moving.distance[0][i] * toi->unit + (double)batch->in_standing.distance[1][i];
    if (!(sum <= toi->close_distance))
    {
        return INFINITY; // the errors need not be computed
    }
    return toi->unit * max_distance(toi, 0, &batch->in_moving, i) +
           max_distance(toi, 1, &batch->in_standing, i) + (double)abut_toi_rounding(batch, i);
}

double abut_toi_error(const AbutToiSearch* toi, const AbutToiBatch* batch, size_t i)
{
    // A limit equal to the distance asks for the sharpest error bound.
    float in_moving = abut_pair_error(&toi->pair, 0, &batch->in_moving, i, batch->in_moving.distance[0][i]);
    float in_standing =
        abut_pair_error(&toi->pair, 1, &batch->in_standing, i, batch->in_standing.distance[1][i]);
    return toi->unit * (double)in_moving + (double)(in_standing + abut_toi_rounding(batch, i));
}

void abut_toi_bound(AbutToiSearch* toi, AbutToiBatch* batch)
{
    keep_surface(toi, batch);
    AbutPairBatch* in_standing = &batch->in_standing;
    for (size_t i = 0; i < batch->count; ++i)
    {
        locate(batch, i);
    }
    in_standing->count = batch->count;
    if (batch->count > 0)
    {
        abut_pair_side_sample(&toi->pair.sides[1],
                              (AbutPoints){ in_standing->at[0], in_standing->at[1], in_standing->at[2] },
                              batch->count, (AbutSamples){ .distance = in_standing->distance[1] });
        toi->evaluations += batch->count;
    }
    for (size_t i = 0; i < batch->count; ++i)
    {
        bound_motion(toi, batch, i);
        batch->box_bounds[i].free_time = free_for(toi, batch, i);
        batch->box_bounds[i].separation = max_separation_at(toi, batch, i);
    }
}
