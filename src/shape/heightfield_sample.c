// Answers of a terrain: the nearest point within the band, and a bound that costs nothing beyond it.
#include "shape/heightfield.h"

typedef struct Answer
{
    double distance; // its size, until the end
    double gradient[3];
} Answer;

/// At most the distance, at no cost, and a direction that leads out of the solid or away from it. Outside it is the height
/// above the column, divided by the stretch of the steepest slope, or the distance to the box of everything.
static Answer far_answer(const AbutHeightfield* self, const double p[3], double above, bool inside)
{
    Answer answer = { .gradient = { 0.0, 1.0, 0.0 } };
    if (inside)
    {
        double to_wall = fmin(fmin(p[0], self->width - p[0]), fmin(p[2], self->depth - p[2]));
        answer.distance = fmin(-above * self->stretch, to_wall);
        return answer;
    }
    double dx = p[0] - abut_heightfield_clamp(p[0], 0.0, self->width);
    double dz = p[2] - abut_heightfield_clamp(p[2], 0.0, self->depth);
    double dy = p[1] > self->highest ? p[1] - self->highest : 0.0;
    double to_box = sqrt(dx * dx + dy * dy + dz * dz);
    answer.distance = fmax(above * self->stretch, to_box);
    if (to_box >= above * self->stretch && to_box > 0.0)
    {
        answer.gradient[0] = dx / to_box;
        answer.gradient[1] = dy / to_box;
        answer.gradient[2] = dz / to_box;
    }
    return answer;
}

/// Closer than this part of a spacing, the direction to the nearest point is rounding, and the face's normal is taken.
static const double NEAR_SURFACE = 1e-9;

static Answer near_answer(const AbutHeightfield* self, const double p[3], const AbutHeightNearest* nearest,
                          bool inside)
{
    double sign = inside ? -1.0 : 1.0;
    double distance = sqrt(nearest->squared);
    Answer answer = { .distance = distance };
    double direction[3];
    for (int i = 0; i < 3; ++i)
    {
        direction[i] = sign * (p[i] - nearest->point[i]);
    }
    const double* chosen = distance > NEAR_SURFACE * self->spacing ? direction : nearest->normal;
    double length = sqrt(chosen[0] * chosen[0] + chosen[1] * chosen[1] + chosen[2] * chosen[2]);
    for (int i = 0; i < 3; ++i)
    {
        answer.gradient[i] = chosen[i] / length;
    }
    return answer;
}

/// `p` is relative to the origin of the heightfield.
static Answer sample_point(const AbutHeightfield* self, const double p[3])
{
    double above = p[1] - abut_heightfield_column(self, p[0], p[2]);
    bool over_rectangle = p[0] >= 0.0 && p[0] <= self->width && p[2] >= 0.0 && p[2] <= self->depth;
    bool inside = over_rectangle && above < 0.0;
    double band = self->base.info.band;
    Answer answer = far_answer(self, p, above, inside);
    if (answer.distance < band)
    {
        AbutHeightNearest nearest;
        if (abut_heightfield_search(self, p, band, &nearest))
        {
            answer = near_answer(self, p, &nearest, inside);
        }
        else
        {
            answer.distance = band;
        }
    }
    answer.distance = inside ? -answer.distance : answer.distance;
    return answer;
}

static Answer sample_in_frame(const AbutHeightfield* self, const AbutFrame* frame, const double outer[3])
{
    double p[3] = { outer[0], outer[1], outer[2] };
    if (frame != NULL)
    {
        abut_frame_to_inner(frame, outer, p);
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        p[axis] -= self->origin[axis];
    }
    Answer answer = sample_point(self, p);
    if (frame != NULL)
    {
        const double inner[3] = { answer.gradient[0], answer.gradient[1], answer.gradient[2] };
        abut_frame_rotate(frame, inner, answer.gradient);
        answer.distance *= frame->scale;
    }
    return answer;
}

void abut_heightfield_sample(const AbutShape* shape, const AbutFrame* frame, AbutPoints points, size_t count,
                             AbutSamples out)
{
    const AbutHeightfield* self = (const AbutHeightfield*)shape;
    for (size_t i = 0; i < count; ++i)
    {
        const double p[3] = { points.x[i], points.y[i], points.z[i] };
        bool number = !isnan(p[0]) && !isnan(p[1]) && !isnan(p[2]);
        Answer answer = number ? sample_in_frame(self, frame, p) : (Answer){ NAN, { NAN, NAN, NAN } };
        out.distance[i] = (float)answer.distance;
        if (out.gradient_x != NULL)
        {
            out.gradient_x[i] = (float)answer.gradient[0];
            out.gradient_y[i] = (float)answer.gradient[1];
            out.gradient_z[i] = (float)answer.gradient[2];
        }
    }
}
