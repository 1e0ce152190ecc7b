// Samples of a terrain: the closest point within the band, and a cheap bound beyond it.
#include "shape/heightfield.h"
#include "shape/heightfield_closest.h"

typedef struct Sample
{
    double distance; // without sign, until the end
    AbutDVec3 gradient;
} Sample;

/// A cheap lower bound of the distance, and a direction out of the solid or away from it. Outside it is the
/// height above the column times the cosine of the steepest slope, or the distance to the bounds.
static Sample sample_far(const AbutHeightfield* self, AbutDVec3 p, double above, bool inside)
{
    Sample sample = { .gradient = { 0.0, 1.0, 0.0 } };
    if (inside)
    {
        double to_wall = fmin(fmin(p.x, self->width - p.x), fmin(p.z, self->depth - p.z));
        sample.distance = fmin(-above * self->steepest_cosine, to_wall);
        return sample;
    }
    AbutDVec3 from_box = abut_dvec3(p.x - abut_heightfield_clamp(p.x, 0.0, self->width),
                                    p.y > self->highest ? p.y - self->highest : 0.0,
                                    p.z - abut_heightfield_clamp(p.z, 0.0, self->depth));
    double to_box = abut_dvec3_length(from_box);
    sample.distance = fmax(above * self->steepest_cosine, to_box);
    if (to_box >= above * self->steepest_cosine && to_box > 0.0)
    {
        sample.gradient = abut_dvec3_div(from_box, to_box);
    }
    return sample;
}

/// Within this fraction of a spacing, the direction to the closest point is rounding, and the normal of the
/// face is used.
static const double NEAR_SURFACE = 1e-9;

static Sample sample_near(const AbutHeightfield* self, AbutDVec3 p, const AbutHeightClosest* nearest,
                          bool inside)
{
    double distance = sqrt(nearest->squared);
    AbutDVec3 from_nearest = abut_dvec3_sub(p, abut_dvec3_from_array(nearest->point));
    AbutDVec3 chosen = distance > NEAR_SURFACE * self->spacing
                           ? abut_dvec3_scale(from_nearest, inside ? -1.0 : 1.0)
                           : abut_dvec3_from_array(nearest->normal);
    return (Sample){ distance, abut_dvec3_div(chosen, abut_dvec3_length(chosen)) };
}

/// `p` is relative to the origin of the heightfield.
static Sample sample_point(const AbutHeightfield* self, AbutDVec3 p)
{
    double above = p.y - abut_heightfield_column(self, p.x, p.z);
    bool over_rectangle = p.x >= 0.0 && p.x <= self->width && p.z >= 0.0 && p.z <= self->depth;
    bool inside = over_rectangle && above < 0.0;
    double band = self->base.info.band;
    Sample sample = sample_far(self, p, above, inside);
    if (sample.distance < band)
    {
        const double at[3] = { p.x, p.y, p.z };
        AbutHeightClosest nearest;
        if (abut_heightfield_closest(self, at, band, &nearest))
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

static Sample sample_in_frame(const AbutHeightfield* self, const AbutTransform* frame, AbutDVec3 parent)
{
    AbutDVec3 own = frame != NULL ? abut_transform_inverse_point(frame, parent) : parent;
    Sample sample = sample_point(self, abut_dvec3_sub(own, self->origin));
    if (frame != NULL)
    {
        sample.gradient = abut_transform_rotate(frame, sample.gradient);
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
        AbutDVec3 p = abut_dvec3(points.x[i], points.y[i], points.z[i]);
        bool number = !isnan(p.x) && !isnan(p.y) && !isnan(p.z);
        Sample sample = number ? sample_in_frame(self, frame, p) : (Sample){ NAN, { NAN, NAN, NAN } };
        out.distance[i] = (float)sample.distance;
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = (float)sample.gradient.x;
            out.gradient_y[i] = (float)sample.gradient.y;
            out.gradient_z[i] = (float)sample.gradient.z;
        }
    }
}
