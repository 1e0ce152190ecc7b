#include "dynamics/contacts/update.h"

#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    BATCH = 64
};

/// Places that floats know worse than to this part of the smaller body's radius: there gaps change by how bodies move instead.
#define COARSE_PART 1e-4

/// How far a point is sent ahead to see whether it faces the other solid, as a part of the smaller body's radius, and how much of that has to lead out
/// of its own.
#define AHEAD_PART 0.01
#define FACING 0.7

/// Cosine of the angle by which a normal may turn until the point is looked at again.
#define SAME_WAY 0.97

/// How much higher a point that rolls on may come to lie than the one that it leaves, as a part of the smaller body's radius. In contact it goes over bumps as
/// those between the cells of coarse fields: were it to stay behind one, the body would tip over it, fall on what is ahead, and be lifted out of that for nothing.
#define BUMP_PART 1e-3
#define SAME_PART 1e-7

typedef struct Batch
{
    uint32_t which[BATCH];
    float at[3][BATCH];
    float distance[BATCH];
    float gradient[3][BATCH];
    uint32_t count;
} Batch;

// ---------------------------------------------------------------------------------------------------------------------
// What follows from the normal
// ---------------------------------------------------------------------------------------------------------------------

/// Two directions square to the normal, the same for the same normal.
static void make_tangents(const double n[3], double tangent[2][3])
{
    int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
    double axis[3] = { 0.0, 0.0, 0.0 };
    axis[least] = 1.0;
    abut_cross(n, axis, tangent[0]);
    double length = abut_length(tangent[0]);
    for (int i = 0; i < 3; ++i)
    {
        tangent[0][i] /= length;
    }
    abut_cross(n, tangent[0], tangent[1]);
}

/// Tangents from the normal; friction goes on along them.
static void turn_tangents(AbutContactPoint* point)
{
    double slide[3];
    for (int k = 0; k < 3; ++k)
    {
        slide[k] = point->tangent_impulse[0] * point->tangent[0][k] +
                   point->tangent_impulse[1] * point->tangent[1][k];
    }
    make_tangents(point->normal, point->tangent);
    for (int k = 0; k < 2; ++k)
    {
        point->tangent_impulse[k] = abut_dot(slide, point->tangent[k]);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Points where they are
// ---------------------------------------------------------------------------------------------------------------------

static void to_world(const AbutBody* body, const double local[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_dot(body->matrix[i], local);
    }
}

static void to_body(const AbutBody* body, const double way[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = body->matrix[0][i] * way[0] + body->matrix[1][i] * way[1] + body->matrix[2][i] * way[2];
    }
}

/// Arms and the place in the other body of a point that goes along with its own.
static void place(const AbutBody* a, const AbutBody* b, AbutContactPoint* point, double local[3])
{
    const AbutBody *own = point->on_b ? b : a, *other = point->on_b ? a : b;
    double* own_arm = point->on_b ? point->arm_b : point->arm_a;
    double* other_arm = point->on_b ? point->arm_a : point->arm_b;
    to_world(own, point->on_b ? point->local_b : point->local_a, own_arm);
    for (int i = 0; i < 3; ++i)
    {
        other_arm[i] = own_arm[i] + own->position[i] - other->position[i];
    }
    to_body(other, other_arm, local);
}

static bool is_coarse(const AbutBody* a, const AbutBody* b, const AbutBody* field, const double local[3])
{
    double furthest = fmax(fabs(local[0]), fmax(fabs(local[1]), fabs(local[2])));
    double center = fmax(fabs(field->center[0]), fmax(fabs(field->center[1]), fabs(field->center[2])));
    double radius = fmin((double)a->radius, (double)b->radius);
    return (furthest + center * (double)field->scale) * 1.2e-7 > COARSE_PART * radius;
}

static void take(Batch* batch, const AbutBody* field, const double local[3], uint32_t which)
{
    for (int i = 0; i < 3; ++i)
    {
        batch->at[i][batch->count] = (float)(local[i] / (double)field->scale + field->center[i]);
    }
    batch->which[batch->count++] = which;
}

static void sample(const AbutShape* shape, Batch* batch)
{
    if (batch->count == 0)
    {
        return;
    }
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    AbutSamples samples = { batch->distance, batch->gradient[0], batch->gradient[1], batch->gradient[2] };
    abut_shape_sample(shape, NULL, points, batch->count, samples);
}

/// How far the point has moved out of the field's solid since it was read last, along the way that was out then.
static double way_out(const AbutContactPoint* point, const double before[3], const double now[3])
{
    double way = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        way += point->outward[i] * (now[i] - before[i]);
    }
    return way;
}

/// What the fields say of points where they are now.
typedef struct Reading
{
    double now[BATCH][3]; // in the other body
    double gap[BATCH];
    double outward[BATCH][3];
    bool is_new
        [BATCH]; // the way out is another one than when it was seen last that the surfaces face each other
    bool faces[BATCH];
} Reading;

static double* place_in_other(AbutContactPoint* point)
{
    return point->on_b ? point->local_a : point->local_b;
}

/// Where floats are too coarse, or there is no way out, the point goes on as it was.
static void go_on(AbutContactPoint* point, uint32_t i, Reading* reading)
{
    reading->gap[i] = point->gap + way_out(point, place_in_other(point), reading->now[i]);
    memcpy(reading->outward[i], point->outward, sizeof(point->outward));
    reading->is_new[i] = false;
    reading->faces[i] = point->faces;
}

static void read_fields(const AbutBody* a, const AbutBody* b, AbutContactPoint* points, uint32_t count,
                        Reading* out)
{
    Batch batches[2] = { { .count = 0 }, { .count = 0 } }; // in the field of B, of A
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutBody* field = points[i].on_b ? a : b;
        place(a, b, &points[i], out->now[i]);
        if (points[i].is_known && (points[i].is_plane || is_coarse(a, b, field, out->now[i])))
        {
            go_on(&points[i], i, out);
            continue;
        }
        take(&batches[points[i].on_b ? 1 : 0], field, out->now[i], i);
    }
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* field = side == 0 ? b : a;
        const Batch* batch = &batches[side];
        sample(field->shape, &batches[side]);
        for (uint32_t k = 0; k < batch->count; ++k)
        {
            uint32_t i = batch->which[k];
            double g[3] = { batch->gradient[0][k], batch->gradient[1][k], batch->gradient[2][k] };
            double length = abut_length(g);
            if (!(length > 0.0))
            {
                go_on(&points[i], i, out);
                continue;
            }
            out->gap[i] = (double)batch->distance[k] * (double)field->scale + points[i].height;
            for (int c = 0; c < 3; ++c)
            {
                out->outward[i][c] = g[c] / length;
            }
            out->is_new[i] = abut_dot(out->outward[i], points[i].faced) < SAME_WAY;
            out->faces[i] = points[i].faces;
        }
    }
}

/// Whether points get out of their own solid on the way into the other one. A corner of one that passes a corner of the other is nearest to a face that looks
/// away: it would be caught there as by a ledge.
static void see_faces(const AbutBody* a, const AbutBody* b, const AbutContactPoint* points, uint32_t count,
                      Reading* reading)
{
    double ahead = AHEAD_PART * fmin((double)a->radius, (double)b->radius);
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody *own = side == 0 ? a : b, *other = side == 0 ? b : a;
        Batch batch = { .count = 0 };
        for (uint32_t i = 0; i < count; ++i)
        {
            if (!reading->is_new[i] || points[i].on_b != (side == 1))
            {
                continue;
            }
            double world[3], way[3], local[3];
            to_world(other, reading->outward[i], world);
            to_body(own, world, way);
            for (int c = 0; c < 3; ++c)
            {
                local[c] = (side == 0 ? points[i].local_a : points[i].local_b)[c] - ahead * way[c];
            }
            take(&batch, own, local, i);
        }
        sample(own->shape, &batch);
        for (uint32_t k = 0; k < batch.count; ++k)
        {
            uint32_t i = batch.which[k];
            double rise = (double)batch.distance[k] * (double)own->scale - points[i].height;
            reading->faces[i] = rise > FACING * ahead;
        }
    }
}

/// Takes over what was read. In the solid, or at its surface, the way out stays what it was when the new one leads to a face that looks away, or back
/// through the wall, or the ear, that the point is in: it must go back to where it came from.
static void take_reading(const AbutBody* a, const AbutBody* b, const Reading* reading, uint32_t i,
                         AbutContactPoint* point)
{
    double small = AHEAD_PART * 0.1 * fmin((double)a->radius, (double)b->radius);
    double gap = reading->gap[i];
    bool knows = point->is_known && point->faces && point->gap < small && gap < small;
    bool turned_about = abut_dot(reading->outward[i], point->outward) < 0.0 && gap < 0.0 && point->gap < 0.0;
    if (knows && (!reading->faces[i] || turned_about))
    {
        point->gap = fmin(point->gap + way_out(point, place_in_other(point), reading->now[i]), gap);
    }
    else
    {
        point->faces = reading->faces[i];
        point->gap = point->faces ? gap : ABUT_CONTACT_FAR;
        memcpy(point->outward, reading->outward[i], sizeof(point->outward));
        if (reading->is_new[i])
        {
            memcpy(point->faced, point->outward, sizeof(point->faced));
        }
    }
    memcpy(place_in_other(point), reading->now[i], sizeof(reading->now[i]));
    point->is_known = true;
}

static void turn_normal(const AbutBody* a, const AbutBody* b, AbutContactPoint* point)
{
    double normal[3];
    to_world(point->on_b ? a : b, point->outward, normal);
    for (int i = 0; i < 3; ++i)
    {
        point->normal[i] = point->on_b ? -normal[i] : normal[i]; // from B to A
    }
    turn_tangents(point);
}

/// Sends points down the slope, along their surfaces, as far as their bends tell. Returns by how much each should be lower then.
static void step_down(const AbutBody* a, const AbutBody* b, AbutContactPoint* points, uint32_t count,
                      double gain[])
{
    Batch batches[2] = { { .count = 0 }, { .count = 0 } }; // on A, on B
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutContactPoint* point = &points[i];
        const AbutBody* own = point->on_b ? b : a;
        double uphill[3], world[3], *local = point->on_b ? point->local_b : point->local_a;
        to_world(point->on_b ? a : b, point->outward, world);
        to_body(own, world, uphill);
        // The slope is the sine of the angle to the bottom, and ways along the surface's plane are tangents: a point that fell short of it would drive the body on.
        double up = abut_dot(uphill, point->own_normal), far = point->bend / fmax(-up, 0.5);
        gain[i] = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            double slope = uphill[k] - up * point->own_normal[k];
            local[k] -= far * slope;
            gain[i] += 0.5 * point->bend * slope * slope;
        }
        take(&batches[point->on_b ? 1 : 0], own, local, i);
    }
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* own = side == 0 ? a : b;
        const Batch* batch = &batches[side];
        sample(own->shape, &batches[side]);
        for (uint32_t k = 0; k < batch->count; ++k)
        {
            AbutContactPoint* point = &points[batch->which[k]];
            double* local = side == 0 ? point->local_a : point->local_b;
            double g[3] = { batch->gradient[0][k], batch->gradient[1][k], batch->gradient[2][k] },
                   length = abut_length(g);
            for (int c = 0; c < 3 && length > 0.0; ++c)
            {
                point->own_normal[c] = g[c] / length;
                local[c] -= (double)batch->distance[k] * (double)own->scale * point->own_normal[c];
            }
            point->height = 0.0;
        }
    }
}

/// Where a round body rolls, the point under it is another one all the time.
static void roll(const AbutBody* a, const AbutBody* b, AbutContactPoint* points, uint32_t count)
{
    AbutContactPoint tried[BATCH];
    uint32_t which[BATCH], rolling = 0;
    double gain[BATCH], radius = fmin((double)a->radius, (double)b->radius);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (points[i].bend > 0.0 && points[i].faces)
        {
            tried[rolling] = points[i];
            which[rolling++] = i;
        }
    }
    if (rolling == 0)
    {
        return;
    }
    Reading reading;
    step_down(a, b, tried, rolling, gain);
    read_fields(a, b, tried, rolling, &reading);
    for (uint32_t k = 0; k < rolling; ++k)
    {
        AbutContactPoint* point = &points[which[k]];
        // What goes down less than half as far as it should is held up by an edge, or a cell.
        double small = (point->gap < 0.0 ? BUMP_PART : SAME_PART) * radius;
        if (!reading.is_new[k] && reading.gap[k] <= point->gap - 0.5 * gain[k] + small)
        {
            *point = tried[k];
            take_reading(a, b, &reading, k, point);
            turn_normal(a, b, point);
        }
    }
}

void abut_contacts_track(const AbutBody* a, const AbutBody* b, AbutContactPoint* points, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += BATCH)
    {
        uint32_t n = count - first < BATCH ? count - first : BATCH;
        Reading reading;
        read_fields(a, b, points + first, n, &reading);
        see_faces(a, b, points + first, n, &reading);
        for (uint32_t i = 0; i < n; ++i)
        {
            take_reading(a, b, &reading, i, &points[first + i]);
            turn_normal(a, b, &points[first + i]);
        }
        roll(a, b, points + first, n);
    }
}
