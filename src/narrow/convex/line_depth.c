#include "narrow/convex/line_depth.h"

#include "math/rounding.h"

#include <math.h>

enum
{
    DOUBLINGS = 64,
    HALVINGS = 80
};

/// How far contacts move to the middle of all, as a fraction of the size: much more than the rounding of a
/// position in float close to it.
static const double INWARD = 1e-6;

/// Width of a bracket that is good enough, as a fraction of the size.
static const double NARROW = 1e-9;

typedef struct Line
{
    const AbutLineSolids* solids;
    AbutDVec3 origin, direction; // of unit length
} Line;

/// An end of an interval: between a point inside and one outside, both proved. At infinity where none is
/// outside.
typedef struct End
{
    double inside, outside;
} End;

static double height_at(const Line* line, int side, double t)
{
    const AbutLineSolids* solids = line->solids;
    return solids->height[side](solids->solid[side], abut_dvec3_mul_add(line->origin, t, line->direction));
}

/// From a point inside in a direction, ±1. The height is convex: between a point inside and one outside it
/// has one root, and the chord over it is on its local side.
static End find_end(const Line* line, int side, double start, double sign)
{
    const AbutLineSolids* solids = line->solids;
    double slack = 2.0 * solids->rounding, step = 1e-3 * solids->size;
    End end = { start, sign * INFINITY };
    double in = height_at(line, side, start), out = 0.0;
    for (int i = 0; i < DOUBLINGS && isinf(end.outside); ++i, step *= 2.0)
    {
        double at = start + sign * step, height = height_at(line, side, at);
        bool is_outside = height > slack, is_inside = height < -slack;
        end.outside = is_outside ? at : end.outside;
        out = is_outside ? height : out;
        end.inside = is_inside ? at : end.inside;
        in = is_inside ? height : in;
    }
    for (int i = 0; i < HALVINGS && isfinite(end.outside); ++i)
    {
        double width = end.outside - end.inside, chord = -in / (out - in);
        if (fabs(width) <= NARROW * solids->size)
        {
            break;
        }
        // Chords alone would leave the outer end where it is.
        double fraction = i % 3 == 2 ? 0.5 : i % 3 == 1 ? abut_smaller(1.0 - 1e-3, 2.0 * chord) : chord;
        double at = end.inside + abut_larger(1e-3, fraction) * width, height = height_at(line, side, at);
        if (height < -slack)
        {
            end.inside = at;
            in = height;
        }
        else if (height > slack)
        {
            end.outside = at;
            out = height;
        }
        else
        {
            // Within the rounding of the surface: the rest of the bracket is on both sides of it.
            double extent = NARROW * solids->size * sign;
            end.inside = height_at(line, side, at - extent) < -slack ? at - extent : end.inside;
            end.outside = height_at(line, side, at + extent) > slack ? at + extent : end.outside;
            break;
        }
    }
    return end;
}

/// Half of the width of a number that is known from both ends of brackets.
static double middle_of(double a, double b, double* error)
{
    double half = 0.5 * fabs(a - b);
    *error = abut_larger(*error, half + 1e-15 * (fabs(a) + fabs(b)));
    return 0.5 * (a + b);
}

/// Both intervals, from a common point.
static void set_depth(const Line* line, double common, double unit, AbutContact* contact)
{
    const End a_low = find_end(line, 0, common, -1.0), a_high = find_end(line, 0, common, 1.0);
    const End b_low = find_end(line, 1, common, -1.0), b_high = find_end(line, 1, common, 1.0);
    double error = 0.0;
    double depth = middle_of(b_high.inside - a_low.inside, b_high.outside - a_low.outside, &error);
    double low_in = abut_larger(a_low.inside, b_low.inside),
           low_out = abut_larger(a_low.outside, b_low.outside);
    double high_in = abut_smaller(a_high.inside, b_high.inside);
    double high_out = abut_smaller(a_high.outside, b_high.outside);
    double shared = middle_of(high_in - low_in, high_out - low_out, &error);
    if (!isfinite(depth) || !isfinite(shared) || !isfinite(error))
    {
        return;
    }
    contact->depth = (float)(depth * unit);
    contact->shared_length = (float)(abut_smaller(shared, depth) * unit);
    error += 4.0 * line->solids->rounding;
    contact->depth_error = abut_round_up(error * unit + 0x1p-23 * fabs(depth * unit));
}

/// The middle of all positions.
static AbutDVec3 middle_of_contacts(const AbutContact* contacts, uint32_t count)
{
    AbutDVec3 sum = abut_dvec3_zero();
    for (uint32_t i = 0; i < count; ++i)
    {
        sum = abut_dvec3_add(sum, abut_dvec3_from_vec3(contacts[i].position));
    }
    return abut_dvec3_div(sum, (double)count);
}

/// Away from the corners and edges of the common face.
static void move_inward(const AbutLineSolids* solids, double unit, AbutDVec3 middle, AbutContact* contact)
{
    AbutDVec3 at = abut_dvec3_from_vec3(contact->position), normal = abut_dvec3_from_vec3(contact->normal);
    AbutDVec3 offset = abut_dvec3_sub(middle, at);
    offset = abut_dvec3_mul_sub(offset, abut_dvec3_dot(offset, normal), normal);
    double length = abut_dvec3_length(offset);
    double by = INWARD * solids->size * unit + 0x1p-22 * abut_dvec3_taxicab(at);
    if (length > by)
    {
        contact->position = abut_dvec3_to_vec3(abut_dvec3_mul_add(at, by / length, offset));
    }
}

static bool is_common(const Line* line, double t)
{
    double slack = 2.0 * line->solids->rounding;
    return height_at(line, 0, t) < -slack && height_at(line, 1, t) < -slack;
}

/// A point in both, between the lower end of A and the upper end of B or next to one of them; false where
/// none was found.
static bool find_common(const Line* line, double low_a, double high_b, double* common)
{
    static const double steps[] = { 1e-2, 1e-3, 1e-4 };
    const int count = (int)(sizeof(steps) / sizeof(steps[0]));
    *common = 0.0;
    bool found = is_common(line, 0.0);
    if (!found)
    {
        *common = 0.5 * (low_a + high_b);
        found = is_common(line, *common);
    }
    for (int i = 0; i < 2 * count && !found; ++i)
    {
        double step = steps[i / 2] * line->solids->size;
        *common = i % 2 == 0 ? low_a + step : high_b - step;
        found = is_common(line, *common);
    }
    return found;
}

static double position_on(const Line* line, const AbutTransform* frame, AbutDVec3 at)
{
    AbutDVec3 local = abut_transform_inverse_point(frame, at);
    return abut_dvec3_dot(abut_dvec3_sub(local, line->origin), line->direction);
}

/// The line through a contact, in the frame of the solids.
static Line line_through(const AbutLineSolids* solids, const AbutTransform* frame, const AbutContact* contact)
{
    AbutDVec3 at = abut_dvec3_from_vec3(contact->position), normal = abut_dvec3_from_vec3(contact->normal);
    return (Line){ solids, abut_transform_inverse_point(frame, at),
                   abut_dvec3_normalize(abut_transform_inverse_rotate(frame, normal)) };
}

/// A contact that is on B alone, beyond a thin A, moves into both.
static void measure(const AbutLineSolids* solids, const AbutTransform* frame, const AbutTransform* relative,
                    AbutContact* contact)
{
    AbutDVec3 on_b = abut_transform_point(relative, abut_dvec3_from_vec3(contact->anchor_b));
    Line line = line_through(solids, frame, contact);
    double low_a = position_on(&line, frame, abut_dvec3_from_vec3(contact->anchor_a)), common;
    contact->depth = -contact->separation;
    contact->shared_length = 0.0f;
    contact->depth_error = INFINITY;
    if (!find_common(&line, low_a, position_on(&line, frame, on_b), &common))
    {
        return;
    }
    if (common != 0.0)
    {
        AbutDVec3 at = abut_dvec3_mul_add(line.origin, common, line.direction);
        contact->position = abut_dvec3_to_vec3(abut_transform_point(frame, at));
        line = line_through(solids, frame, contact);
    }
    if (is_common(&line, 0.0))
    {
        set_depth(&line, 0.0, frame->scale, contact);
    }
}

void abut_measure_line_depths(const AbutLineSolids* solids, const AbutTransform* frame,
                              const AbutTransform* relative, AbutContact* contacts, uint32_t count)
{
    AbutDVec3 middle = middle_of_contacts(contacts, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        contacts[i].depth = contacts[i].shared_length = contacts[i].depth_error = 0.0f;
        if (contacts[i].separation <= 0.0f)
        {
            move_inward(solids, frame->scale, middle, &contacts[i]);
            measure(solids, frame, relative, &contacts[i]);
        }
    }
}
