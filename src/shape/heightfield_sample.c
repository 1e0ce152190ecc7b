// Samples of a terrain: the closest point within the band, and a cheap bound beyond it.
#include "shape/heightfield.h"
#include "shape/heightfield_closest.h"

typedef struct Sample
{
    double distance; // without sign, until the end
    double gradient[3];
} Sample;

/// A cheap lower bound of the distance, and a direction out of the solid or away from it. Outside it is the
/// height above the column times the cosine of the steepest slope, or the distance to the bounds.
static Sample sample_far(const AbutHeightfield* self, const double p[3], double above, bool inside)
{
    Sample sample = { .gradient = { 0.0, 1.0, 0.0 } };
    if (inside)
    {
        double to_wall = fmin(fmin(p[0], self->width - p[0]), fmin(p[2], self->depth - p[2]));
        sample.distance = fmin(-above * self->steepest_cosine, to_wall);
        return sample;
    }
    double dx = p[0] - abut_heightfield_clamp(p[0], 0.0, self->width);
    double dz = p[2] - abut_heightfield_clamp(p[2], 0.0, self->depth);
    double dy = p[1] > self->highest ? p[1] - self->highest : 0.0;
    double to_box = sqrt(dx * dx + dy * dy + dz * dz);
    sample.distance = fmax(above * self->steepest_cosine, to_box);
    if (to_box >= above * self->steepest_cosine && to_box > 0.0)
    {
        sample.gradient[0] = dx / to_box;
        sample.gradient[1] = dy / to_box;
        sample.gradient[2] = dz / to_box;
    }
    return sample;
}

/// Within this fraction of a spacing, the direction to the closest point is rounding, and the normal of the
/// face is used.
static const double NEAR_SURFACE = 1e-9;

static Sample sample_near(const AbutHeightfield* self, const double p[3], const AbutHeightClosest* nearest,
                          bool inside)
{
    double sign = inside ? -1.0 : 1.0;
    double distance = sqrt(nearest->squared);
    Sample sample = { .distance = distance };
    double direction[3];
    for (int i = 0; i < 3; ++i)
    {
        direction[i] = sign * (p[i] - nearest->point[i]);
    }
    const double* chosen = distance > NEAR_SURFACE * self->spacing ? direction : nearest->normal;
    double length = sqrt(chosen[0] * chosen[0] + chosen[1] * chosen[1] + chosen[2] * chosen[2]);
    for (int i = 0; i < 3; ++i)
    {
        sample.gradient[i] = chosen[i] / length;
    }
    return sample;
}

/// `p` is relative to the origin of the heightfield.
static Sample sample_point(const AbutHeightfield* self, const double p[3])
{
    double above = p[1] - abut_heightfield_column(self, p[0], p[2]);
    bool over_rectangle = p[0] >= 0.0 && p[0] <= self->width && p[2] >= 0.0 && p[2] <= self->depth;
    bool inside = over_rectangle && above < 0.0;
    double band = self->base.info.band;
    Sample sample = sample_far(self, p, above, inside);
    if (sample.distance < band)
    {
        AbutHeightClosest nearest;
        if (abut_heightfield_closest(self, p, band, &nearest))
        {
            sample = sample_near(self, p, &nearest, inside);
        }
        else
        {
            sample.distance = band;
        }
    }
    sample.distance = inside ? -sample.distance : sample.distance;
    return sample;
}

static Sample sample_in_frame(const AbutHeightfield* self, const AbutTransform* frame, const double outer[3])
{
    AbutDVec3 own = abut_dvec3_from_array(outer);
    double p[3];
    abut_dvec3_to_array(frame != NULL ? abut_transform_inverse_point(frame, own) : own, p);
    for (int axis = 0; axis < 3; ++axis)
    {
        p[axis] -= self->origin[axis];
    }
    Sample sample = sample_point(self, p);
    if (frame != NULL)
    {
        AbutDVec3 gradient = abut_transform_rotate(frame, abut_dvec3_from_array(sample.gradient));
        abut_dvec3_to_array(gradient, sample.gradient);
        sample.distance *= frame->scale;
    }
    return sample;
}

void abut_heightfield_sample(const AbutShape* shape, const AbutTransform* frame, AbutPoints points,
                             size_t count, AbutSamples out)
{
    const AbutHeightfield* self = (const AbutHeightfield*)shape;
    for (size_t i = 0; i < count; ++i)
    {
        const double p[3] = { points.x[i], points.y[i], points.z[i] };
        bool number = !isnan(p[0]) && !isnan(p[1]) && !isnan(p[2]);
        Sample sample = number ? sample_in_frame(self, frame, p) : (Sample){ NAN, { NAN, NAN, NAN } };
        out.distance[i] = (float)sample.distance;
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = (float)sample.gradient[0];
            out.gradient_y[i] = (float)sample.gradient[1];
            out.gradient_z[i] = (float)sample.gradient[2];
        }
    }
}
