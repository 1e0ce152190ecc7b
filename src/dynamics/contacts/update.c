#include "dynamics/contacts/update.h"

#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    BATCH = 64
};

/// Places that floats know worse than to this part of the smaller body's radius: there gaps change by how bodies move instead.
#define COARSE_FRACTION 1e-4

/// How far a point is sent ahead to see whether it faces the other solid, as a part of the smaller body's radius, and how much of that has to lead out
/// of its own.
#define AHEAD_FRACTION 0.01
#define FACING 0.7

/// How far beside a point its surface is looked at for edges, as a part of the smaller body's radius.
#define BESIDE_FRACTION 0.005

/// Sine of the angle from which on normals beside each other are those of an edge.
#define BENT 0.25

/// Cosine of the angle by which a normal may turn until the point is looked at again.
#define SAME_DIRECTION 0.97

/// How much higher a point that rolls on may come to lie than the one that it leaves, as a part of the smaller body's radius. In contact it goes over bumps as
/// those between the cells of coarse fields: were it to stay behind one, the body would tip over it, fall on what is ahead, and be lifted out of that for nothing.
#define BUMP_FRACTION 1e-3
#define SAME_FRACTION 1e-7

typedef struct Batch
{
    uint32_t indices[BATCH];
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
    abut_dvec3_cross(n, axis, tangent[0]);
    double length = abut_dvec3_length(tangent[0]);
    for (int i = 0; i < 3; ++i)
    {
        tangent[0][i] /= length;
    }
    abut_dvec3_cross(n, tangent[0], tangent[1]);
}

/// Tangents from the normal; friction goes on along them.
static void rotate_tangents(AbutManifoldPoint* point)
{
    double friction_impulse[3];
    for (int k = 0; k < 3; ++k)
    {
        friction_impulse[k] = point->tangent_impulse[0] * point->tangent[0][k] +
                              point->tangent_impulse[1] * point->tangent[1][k];
    }
    make_tangents(point->normal, point->tangent);
    for (int k = 0; k < 2; ++k)
    {
        point->tangent_impulse[k] = abut_dvec3_dot(friction_impulse, point->tangent[k]);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Points where they are
// ---------------------------------------------------------------------------------------------------------------------

static void to_world(const AbutBody* body, const double local[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = abut_dvec3_dot(body->matrix[i], local);
    }
}

static void to_body(const AbutBody* body, const double direction[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = body->matrix[0][i] * direction[0] + body->matrix[1][i] * direction[1] +
                 body->matrix[2][i] * direction[2];
    }
}

/// Arms and the place in the other body of a point that goes along with its own.
static void locate(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* point, double local[3])
{
    const AbutBody *own = point->on_b ? b : a, *other = point->on_b ? a : b;
    double* own_r = point->on_b ? point->r_b : point->r_a;
    double* other_r = point->on_b ? point->r_a : point->r_b;
    to_world(own, point->on_b ? point->local_anchor_b : point->local_anchor_a, own_r);
    for (int i = 0; i < 3; ++i)
    {
        other_r[i] = own_r[i] + own->position[i] - other->position[i];
    }
    to_body(other, other_r, local);
}

static bool is_coarse(const AbutBody* a, const AbutBody* b, const AbutBody* field, const double local[3])
{
    double furthest = fmax(fabs(local[0]), fmax(fabs(local[1]), fabs(local[2])));
    double center = fmax(fabs(field->center[0]), fmax(fabs(field->center[1]), fabs(field->center[2])));
    double radius = fmin((double)a->radius, (double)b->radius);
    return (furthest + center * (double)field->scale) * 1.2e-7 > COARSE_FRACTION * radius;
}

static void add_to_batch(Batch* batch, const AbutBody* field, const double local[3], uint32_t indices)
{
    for (int i = 0; i < 3; ++i)
    {
        batch->at[i][batch->count] = (float)(local[i] / (double)field->scale + field->center[i]);
    }
    batch->indices[batch->count++] = indices;
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
static double outward_motion(const AbutManifoldPoint* point, const double before[3], const double now[3])
{
    double displacement = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        displacement += point->field_normal[i] * (now[i] - before[i]);
    }
    return displacement;
}

/// What the fields say of points where they are now.
typedef struct Reading
{
    double now[BATCH][3]; // in the other body
    double gap[BATCH];
    double field_normal[BATCH][3];
    bool is_new
        [BATCH]; // the way out is another one than when it was seen last that the surfaces face each other
    bool faces[BATCH];
} Reading;

static double* other_anchor(AbutManifoldPoint* point)
{
    return point->on_b ? point->local_anchor_a : point->local_anchor_b;
}

/// Where floats are too coarse, or there is no way out, the point goes on as it was.
static void extrapolate(AbutManifoldPoint* point, uint32_t i, Reading* reading)
{
    reading->gap[i] = point->gap + outward_motion(point, other_anchor(point), reading->now[i]);
    memcpy(reading->field_normal[i], point->field_normal, sizeof(point->field_normal));
    reading->is_new[i] = false;
    reading->faces[i] = point->faces;
}

static void read_fields(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count,
                        Reading* out)
{
    Batch batches[2] = { { .count = 0 }, { .count = 0 } }; // in the field of B, of A
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutBody* field = points[i].on_b ? a : b;
        locate(a, b, &points[i], out->now[i]);
        if (points[i].is_known && (points[i].is_plane || is_coarse(a, b, field, out->now[i])))
        {
            extrapolate(&points[i], i, out);
            continue;
        }
        add_to_batch(&batches[points[i].on_b ? 1 : 0], field, out->now[i], i);
    }
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* field = side == 0 ? b : a;
        const Batch* batch = &batches[side];
        sample(field->shape, &batches[side]);
        for (uint32_t k = 0; k < batch->count; ++k)
        {
            uint32_t i = batch->indices[k];
            double g[3] = { batch->gradient[0][k], batch->gradient[1][k], batch->gradient[2][k] };
            double length = abut_dvec3_length(g);
            if (!(length > 0.0))
            {
                extrapolate(&points[i], i, out);
                continue;
            }
            out->gap[i] = (double)batch->distance[k] * (double)field->scale + points[i].height;
            for (int c = 0; c < 3; ++c)
            {
                out->field_normal[i][c] = g[c] / length;
            }
            out->is_new[i] = abut_dvec3_dot(out->field_normal[i], points[i].faced_normal) < SAME_DIRECTION;
            out->faces[i] = points[i].faces;
        }
    }
}

/// Whether points get out of their own solid on the way into the other one. A corner of one that passes a corner of the other is nearest to a face that looks
/// away: it would be caught there as by a ledge.
static void update_facing(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* points,
                          uint32_t count, Reading* reading)
{
    double ahead = AHEAD_FRACTION * fmin((double)a->radius, (double)b->radius);
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
            double world[3], direction[3], local[3];
            to_world(other, reading->field_normal[i], world);
            to_body(own, world, direction);
            for (int c = 0; c < 3; ++c)
            {
                local[c] = (side == 0 ? points[i].local_anchor_a : points[i].local_anchor_b)[c] -
                           ahead * direction[c];
            }
            add_to_batch(&batch, own, local, i);
        }
        sample(own->shape, &batch);
        for (uint32_t k = 0; k < batch.count; ++k)
        {
            uint32_t i = batch.indices[k];
            double rise = (double)batch.distance[k] * (double)own->scale - points[i].height;
            reading->faces[i] = rise > FACING * ahead;
        }
    }
}

/// By how much normals beside a point differ from its own, along the surface. Returns the largest.
static double measure_bends(const AbutBody* body, const double local[3], const double normal[3],
                            double distance, double bends[4][3], int* most)
{
    double tangent[2][3], largest = 0.0;
    Batch batch = { .count = 0 };
    make_tangents(normal, tangent);
    for (int i = 0; i < 4; ++i)
    {
        double beside[3];
        for (int k = 0; k < 3; ++k)
        {
            beside[k] = local[k] + (i < 2 ? distance : -distance) * tangent[i % 2][k];
        }
        add_to_batch(&batch, body, beside, 0);
    }
    sample(body->shape, &batch);
    *most = 0;
    for (int i = 0; i < 4; ++i)
    {
        const double g[3] = { batch.gradient[0][i], batch.gradient[1][i], batch.gradient[2][i] };
        double length = abut_dvec3_length(g), along = abut_dvec3_dot(g, normal);
        for (int k = 0; k < 3; ++k)
        {
            bends[i][k] = length > 0.0 ? (g[k] - along * normal[k]) / length : 0.0;
        }
        double bend = along > 0.0 ? abut_dvec3_length(bends[i]) : 1.0;
        *most = bend > largest ? i : *most;
        largest = fmax(largest, bend);
    }
    return largest;
}

/// Takes `normal` to the nearest one that a surface has at a point: the only one where it is smooth, one across a
/// ridge. Corners have any.
static void limit_to_surface(const AbutBody* own, const double local[3], const double own_normal[3],
                             double distance, double normal[3])
{
    double bends[4][3], ridge[3];
    int most;
    if (measure_bends(own, local, own_normal, distance, bends, &most) < BENT)
    {
        memcpy(normal, own_normal, 3 * sizeof(double));
        return;
    }
    abut_dvec3_cross(own_normal, bends[most], ridge);
    double length = abut_dvec3_length(ridge), along = abut_dvec3_dot(normal, ridge) / (length * length);
    for (int i = 0; i < 4; ++i)
    {
        if (!(fabs(abut_dvec3_dot(bends[i], ridge)) < BENT * length))
        {
            return;
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        normal[k] -= along * ridge[k];
    }
    length = abut_dvec3_length(normal);
    for (int k = 0; k < 3; ++k)
    {
        normal[k] /= length;
    }
}

/// Contacts of a surface with an edge have a normal of the surface. The gradient of a field at an edge is any
/// direction between the normals of its faces, and stops bodies that slide without friction.
static void correct_edge_normals(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* points,
                                 uint32_t count, Reading* reading)
{
    double distance = BESIDE_FRACTION * fmin((double)a->radius, (double)b->radius);
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutManifoldPoint* point = &points[i];
        const AbutBody *own = point->on_b ? b : a, *other = point->on_b ? a : b;
        double world[3], normal[3], bends[4][3], *field_normal = reading->field_normal[i];
        int most;
        to_world(other, field_normal, world);
        to_body(own, world, normal);
        double cosine = -abut_dvec3_dot(normal, point->own_normal);
        if (point->is_plane || !reading->faces[i] || !(cosine > 0.0) || cosine > SAME_DIRECTION ||
            measure_bends(other, reading->now[i], field_normal, distance, bends, &most) < BENT)
        {
            continue;
        }
        for (int k = 0; k < 3; ++k)
        {
            normal[k] = -normal[k];
        }
        limit_to_surface(own, point->on_b ? point->local_anchor_b : point->local_anchor_a, point->own_normal,
                         distance, normal);
        to_world(own, normal, world);
        to_body(other, world, field_normal);
        for (int k = 0; k < 3; ++k)
        {
            field_normal[k] = -field_normal[k];
        }
    }
}

/// Takes over what was read. In the solid, or at its surface, the way out stays what it was when the new one leads to a face that looks away, or back
/// through the wall, or the ear, that the point is in: it must go back to where it came from.
static void apply_reading(const AbutBody* a, const AbutBody* b, const Reading* reading, uint32_t i,
                          AbutManifoldPoint* point)
{
    double small = AHEAD_FRACTION * 0.1 * fmin((double)a->radius, (double)b->radius);
    double gap = reading->gap[i];
    bool knows = point->is_known && point->faces && point->gap < small && gap < small;
    bool is_reversed =
        abut_dvec3_dot(reading->field_normal[i], point->field_normal) < 0.0 && gap < 0.0 && point->gap < 0.0;
    if (knows && (!reading->faces[i] || is_reversed))
    {
        point->gap = fmin(point->gap + outward_motion(point, other_anchor(point), reading->now[i]), gap);
    }
    else
    {
        point->faces = reading->faces[i];
        point->gap = point->faces ? gap : ABUT_CONTACT_INACTIVE_GAP;
        memcpy(point->field_normal, reading->field_normal[i], sizeof(point->field_normal));
        if (reading->is_new[i])
        {
            memcpy(point->faced_normal, point->field_normal, sizeof(point->faced_normal));
        }
    }
    memcpy(other_anchor(point), reading->now[i], sizeof(reading->now[i]));
    point->is_known = true;
}

static void update_normal(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* point)
{
    double normal[3];
    to_world(point->on_b ? a : b, point->field_normal, normal);
    for (int i = 0; i < 3; ++i)
    {
        point->normal[i] = point->on_b ? -normal[i] : normal[i]; // from B to A
    }
    rotate_tangents(point);
}

/// Sends points down the slope, along their surfaces, as far as their bends tell. Returns by how much each should be lower then.
static void slide_downhill(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count,
                           double gain[])
{
    Batch batches[2] = { { .count = 0 }, { .count = 0 } }; // on A, on B
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutManifoldPoint* point = &points[i];
        const AbutBody* own = point->on_b ? b : a;
        double uphill[3], world[3], *local = point->on_b ? point->local_anchor_b : point->local_anchor_a;
        to_world(point->on_b ? a : b, point->field_normal, world);
        to_body(own, world, uphill);
        // The slope is the sine of the angle to the bottom, and ways along the surface's plane are tangents: a point that fell short of it would drive the body on.
        double up = abut_dvec3_dot(uphill, point->own_normal),
               step_length = point->curvature_radius / fmax(-up, 0.5);
        gain[i] = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            double slope = uphill[k] - up * point->own_normal[k];
            local[k] -= step_length * slope;
            gain[i] += 0.5 * point->curvature_radius * slope * slope;
        }
        add_to_batch(&batches[point->on_b ? 1 : 0], own, local, i);
    }
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* own = side == 0 ? a : b;
        const Batch* batch = &batches[side];
        sample(own->shape, &batches[side]);
        for (uint32_t k = 0; k < batch->count; ++k)
        {
            AbutManifoldPoint* point = &points[batch->indices[k]];
            double* local = side == 0 ? point->local_anchor_a : point->local_anchor_b;
            double g[3] = { batch->gradient[0][k], batch->gradient[1][k], batch->gradient[2][k] },
                   length = abut_dvec3_length(g);
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
static void roll_on(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count)
{
    AbutManifoldPoint tried[BATCH];
    uint32_t indices[BATCH], rolling = 0;
    double gain[BATCH], radius = fmin((double)a->radius, (double)b->radius);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (points[i].curvature_radius > 0.0 && points[i].faces)
        {
            tried[rolling] = points[i];
            indices[rolling++] = i;
        }
    }
    if (rolling == 0)
    {
        return;
    }
    Reading reading;
    slide_downhill(a, b, tried, rolling, gain);
    read_fields(a, b, tried, rolling, &reading);
    for (uint32_t k = 0; k < rolling; ++k)
    {
        AbutManifoldPoint* point = &points[indices[k]];
        // What goes down less than half as far as it should is held up by an edge, or a cell.
        double small = (point->gap < 0.0 ? BUMP_FRACTION : SAME_FRACTION) * radius;
        if (!reading.is_new[k] && reading.gap[k] <= point->gap - 0.5 * gain[k] + small)
        {
            *point = tried[k];
            apply_reading(a, b, &reading, k, point);
            update_normal(a, b, point);
        }
    }
}

void abut_contacts_update(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += BATCH)
    {
        uint32_t n = count - first < BATCH ? count - first : BATCH;
        Reading reading;
        read_fields(a, b, points + first, n, &reading);
        update_facing(a, b, points + first, n, &reading);
        if (a->material.friction == 0.0f || b->material.friction == 0.0f)
        {
            correct_edge_normals(a, b, points + first, n, &reading);
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            apply_reading(a, b, &reading, i, &points[first + i]);
            update_normal(a, b, &points[first + i]);
        }
        roll_on(a, b, points + first, n);
    }
}
