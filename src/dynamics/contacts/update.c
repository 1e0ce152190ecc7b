// Gaps, normals and facing of contacts at the present poses.
#include "dynamics/contacts/update.h"

#include "base/assert.h"
#include "dynamics/contacts/convex_contacts.h"
#include "dynamics/contacts/edge_overshoot.h"
#include "dynamics/contacts/tangents.h"
#include "math/dvec3.h"

#include <math.h>

enum
{
    BATCH = 64
};

/// Rounding of a float position, as a fraction of the radius of the smaller body, above which gaps are
/// extrapolated by the motion instead.
#define COARSE_FRACTION 1e-4

/// Step of the facing test, as a fraction of the radius of the smaller body, and the least share of it out of
/// the anchor's own solid.
#define AHEAD_FRACTION 0.01
#define FACING 0.7

/// Distance of the samples beside a point that find edges, as a fraction of the radius of the smaller body.
#define BESIDE_FRACTION 0.005

/// Sine of the angle between the normals of an edge, at least.
#define EDGE_SINE 0.25

/// Cosine of the rotation of a normal that needs a new facing test.
#define SAME_DIRECTION 0.97

/// Largest rise of a rolling anchor, in penetration and else, as fractions of the radius of the smaller body.
/// In penetration it passes bumps as those between the cells of coarse fields: behind one, the body would tip
/// over it, fall on the surface ahead, and be lifted out of that for nothing.
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

// -----------------------------------------------------------------------------------------------------------
// Sampling
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 to_world(const AbutBody* body, AbutDVec3 local)
{
    return abut_dmat3_transform(&body->matrix, local);
}

static AbutDVec3 to_body(const AbutBody* body, AbutDVec3 direction)
{
    return abut_dmat3_transform_transposed(&body->matrix, direction);
}

/// r_a, r_b and the position in the other body of an anchor.
static AbutDVec3 locate(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* point)
{
    const AbutBody *own = point->on_b ? b : a, *other = point->on_b ? a : b;
    AbutDVec3 *own_r = point->on_b ? &point->r_b : &point->r_a,
              *other_r = point->on_b ? &point->r_a : &point->r_b;
    *own_r = to_world(own, point->on_b ? point->local_anchor_b : point->local_anchor_a);
    *other_r = abut_dvec3_sub(abut_dvec3_add(*own_r, own->position), other->position);
    return to_body(other, *other_r);
}

static double largest_component(AbutDVec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static bool is_coarse(const AbutBody* a, const AbutBody* b, const AbutBody* field, AbutDVec3 local)
{
    double furthest = largest_component(local), center = largest_component(field->center);
    double radius = fmin((double)a->radius, (double)b->radius);
    return (furthest + center * (double)field->scale) * 1.2e-7 > COARSE_FRACTION * radius;
}

static void add_to_batch(Batch* batch, const AbutBody* field, AbutDVec3 local, uint32_t index)
{
    AbutDVec3 at = abut_dvec3_add(abut_dvec3_div(local, (double)field->scale), field->center);
    ABUT_ASSERT(batch->count < BATCH);
    batch->at[0][batch->count] = (float)at.x;
    batch->at[1][batch->count] = (float)at.y;
    batch->at[2][batch->count] = (float)at.z;
    batch->indices[batch->count++] = index;
}

static AbutDVec3 gradient_at(const Batch* batch, uint32_t i)
{
    return abut_dvec3(batch->gradient[0][i], batch->gradient[1][i], batch->gradient[2][i]);
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

/// Motion of the point out of the field's solid since the last sample, along the field normal of that time.
static double outward_motion(const AbutManifoldPoint* point, AbutDVec3 before, AbutDVec3 now)
{
    return 0.0 + abut_dvec3_dot(point->field_normal, abut_dvec3_sub(now, before));
}

/// Samples of the fields at the present points.
typedef struct Reading
{
    AbutDVec3 now[BATCH]; // in the other body
    double gap[BATCH];
    AbutDVec3 field_normal[BATCH];
    bool is_new[BATCH]; // the normal differs from that of the last facing test
    bool faces[BATCH];
} Reading;

static AbutDVec3* other_anchor(AbutManifoldPoint* point)
{
    return point->on_b ? &point->local_anchor_a : &point->local_anchor_b;
}

/// For planes, coarse floats and zero gradients: the gap by the motion, all else unchanged.
static void extrapolate(AbutManifoldPoint* point, uint32_t i, Reading* reading)
{
    reading->gap[i] = point->gap + outward_motion(point, *other_anchor(point), reading->now[i]);
    reading->field_normal[i] = point->field_normal;
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
        out->now[i] = locate(a, b, &points[i]);
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
            AbutDVec3 g = gradient_at(batch, k);
            double length = abut_dvec3_length(g);
            if (!(length > 0.0))
            {
                extrapolate(&points[i], i, out);
                continue;
            }
            out->gap[i] = (double)batch->distance[k] * (double)field->scale + points[i].height;
            out->field_normal[i] = abut_dvec3_div(g, length);
            out->is_new[i] = abut_dvec3_dot(out->field_normal[i], points[i].faced_normal) < SAME_DIRECTION;
            out->faces[i] = points[i].faces;
        }
    }
}

/// Gaps and normals of faces beside sharp edges, without the overshoot of fields.
static void remove_overshoot(const AbutBody* a, const AbutBody* b, const AbutManifoldPoint* points,
                             uint32_t count, Reading* reading)
{
    const bool possible[2] = { abut_overshoot_is_possible(b), abut_overshoot_is_possible(a) };
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!points[i].is_plane && possible[points[i].on_b ? 1 : 0])
        {
            double distance = reading->gap[i] - points[i].height;
            reading->gap[i] += abut_overshoot_at(points[i].on_b ? a : b, reading->now[i], distance,
                                                 &reading->field_normal[i]);
        }
    }
}

/// Facing test: whether a point leaves its own solid on the way into the other one. A corner that passes a
/// corner of the other solid is nearest to a face that looks away: it would be caught there as by a ledge.
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
            AbutDVec3 anchor = side == 0 ? points[i].local_anchor_a : points[i].local_anchor_b;
            AbutDVec3 direction = to_body(own, to_world(other, reading->field_normal[i]));
            add_to_batch(&batch, own, abut_dvec3_mul_sub(anchor, ahead, direction), i);
        }
        sample(own->shape, &batch);
        for (uint32_t k = 0; k < batch.count; ++k)
        {
            uint32_t i = batch.indices[k];
            double rise =
                (double)batch.distance[k] * (double)own->scale - points[i].height - points[i].erosion;
            reading->faces[i] = rise > FACING * ahead;
        }
    }
}

/// Change of the normals beside a point, along the surface. Returns the largest.
static double measure_normal_changes(const AbutBody* body, AbutDVec3 local, AbutDVec3 normal, double distance,
                                     AbutDVec3 changes[4], int* most)
{
    AbutDVec3 tangent[2];
    double largest = 0.0;
    Batch batch = { .count = 0 };
    abut_contacts_make_tangents(normal, tangent);
    for (int i = 0; i < 4; ++i)
    {
        add_to_batch(&batch, body, abut_dvec3_mul_add(local, i < 2 ? distance : -distance, tangent[i % 2]),
                     0);
    }
    sample(body->shape, &batch);
    *most = 0;
    for (int i = 0; i < 4; ++i)
    {
        AbutDVec3 g = abut_dvec3(batch.gradient[0][i], batch.gradient[1][i], batch.gradient[2][i]);
        double length = abut_dvec3_length(g), along = abut_dvec3_dot(g, normal);
        AbutDVec3 change = abut_dvec3_mul_sub(g, along, normal);
        changes[i] = length > 0.0 ? abut_dvec3_div(change, length) : abut_dvec3_zero();
        double sine = along > 0.0 ? abut_dvec3_length(changes[i]) : 1.0;
        *most = sine > largest ? i : *most;
        largest = fmax(largest, sine);
    }
    return largest;
}

/// The normal of a surface at a point that is nearest to `normal`: the only one where it is smooth, one
/// across a ridge, any at a corner.
static AbutDVec3 limit_to_surface(const AbutBody* own, AbutDVec3 local, AbutDVec3 own_normal, double distance,
                                  AbutDVec3 normal)
{
    AbutDVec3 changes[4];
    int most;
    if (measure_normal_changes(own, local, own_normal, distance, changes, &most) < EDGE_SINE)
    {
        return own_normal;
    }
    AbutDVec3 ridge = abut_dvec3_cross(own_normal, changes[most]);
    double length = abut_dvec3_length(ridge), along = abut_dvec3_dot(normal, ridge) / (length * length);
    for (int i = 0; i < 4; ++i)
    {
        if (!(fabs(abut_dvec3_dot(changes[i], ridge)) < EDGE_SINE * length))
        {
            return normal;
        }
    }
    AbutDVec3 across = abut_dvec3_mul_sub(normal, along, ridge);
    length = abut_dvec3_length(across);
    return abut_dvec3_div(across, length);
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
        AbutDVec3 changes[4], normal = to_body(own, to_world(other, reading->field_normal[i]));
        int most;
        double cosine = -abut_dvec3_dot(normal, point->own_normal);
        if (point->is_plane || !reading->faces[i] || !(cosine > 0.0) || cosine > SAME_DIRECTION ||
            measure_normal_changes(other, reading->now[i], reading->field_normal[i], distance, changes,
                                   &most) < EDGE_SINE)
        {
            continue;
        }
        AbutDVec3 local = point->on_b ? point->local_anchor_b : point->local_anchor_a;
        normal = limit_to_surface(own, local, point->own_normal, distance, abut_dvec3_neg(normal));
        reading->field_normal[i] = abut_dvec3_neg(to_body(other, to_world(own, normal)));
    }
}

/// Applies a reading. In the solid, or at its surface, the old normal stays when the new one leads to a face
/// that looks away, or out on the far side of the wall: the point must go back the way it came.
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
        point->gap = fmin(point->gap + outward_motion(point, *other_anchor(point), reading->now[i]), gap);
    }
    else
    {
        point->faces = reading->faces[i];
        point->gap = point->faces ? gap : ABUT_CONTACT_INACTIVE_GAP;
        point->field_normal = reading->field_normal[i];
        point->faced_normal = reading->is_new[i] ? point->field_normal : point->faced_normal;
    }
    *other_anchor(point) = reading->now[i];
    point->is_known = true;
}

static void update_normal(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* point)
{
    AbutDVec3 normal = to_world(point->on_b ? a : b, point->field_normal);
    point->normal = point->on_b ? abut_dvec3_neg(normal) : normal; // from B to A
    abut_contacts_rotate_tangents(point);
}

static AbutDVec3* own_anchor(AbutManifoldPoint* point)
{
    return point->on_b ? &point->local_anchor_b : &point->local_anchor_a;
}

/// Heights of anchors over their own surfaces, and the normals of these where there is one.
static void measure_heights(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count,
                            AbutDVec3 normals[], double heights[])
{
    for (int side = 0; side < 2; ++side)
    {
        const AbutBody* own = side == 0 ? a : b;
        Batch batch = { .count = 0 };
        for (uint32_t i = 0; i < count; ++i)
        {
            if (points[i].on_b == (side == 1))
            {
                add_to_batch(&batch, own, *own_anchor(&points[i]), i);
            }
        }
        sample(own->shape, &batch);
        for (uint32_t k = 0; k < batch.count; ++k)
        {
            AbutDVec3 g = gradient_at(&batch, k);
            double length = abut_dvec3_length(g);
            normals[batch.indices[k]] = length > 0.0 ? abut_dvec3_div(g, length) : abut_dvec3_zero();
            heights[batch.indices[k]] = (double)batch.distance[k] * (double)own->scale;
        }
    }
}

/// Moves anchors down the slope along their surfaces, by the curvature radius. `gain`: expected fall of each;
/// `heights`: of the new anchors over their surfaces, about 0 where these are as round as they were.
static void slide_downhill(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count,
                           double gain[], double heights[])
{
    AbutDVec3 normals[BATCH];
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutManifoldPoint* point = &points[i];
        AbutDVec3* local = own_anchor(point);
        AbutDVec3 uphill = to_body(point->on_b ? b : a, to_world(point->on_b ? a : b, point->field_normal));
        // The slope is the sine of the angle to the bottom, and steps in the tangent plane are tangents of
        // it: a point that fell short would drive the body on.
        double up = abut_dvec3_dot(uphill, point->own_normal),
               step_length = point->curvature_radius / fmax(-up, 0.5);
        AbutDVec3 slope = abut_dvec3_mul_sub(uphill, up, point->own_normal);
        AbutDVec3 gains = abut_dvec3_mul(abut_dvec3_scale(slope, 0.5 * point->curvature_radius), slope);
        *local = abut_dvec3_mul_sub(*local, step_length, slope);
        gain[i] = 0.0 + gains.x + gains.y + gains.z;
    }
    measure_heights(a, b, points, count, normals, heights);
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_known = abut_dvec3_squared_length(normals[i]) > 0.0;
        AbutDVec3* local = own_anchor(&points[i]);
        points[i].own_normal = is_known ? normals[i] : points[i].own_normal;
        *local = is_known ? abut_dvec3_mul_sub(*local, heights[i], normals[i]) : *local;
        points[i].height = 0.0;
    }
    measure_heights(a, b, points, count, normals, heights);
}

/// Rolling points: the anchor under a round body changes with its motion.
static void roll_on(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count)
{
    AbutManifoldPoint tried[BATCH];
    uint32_t indices[BATCH], rolling = 0;
    double gain[BATCH], heights[BATCH], radius = fmin((double)a->radius, (double)b->radius);
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
    slide_downhill(a, b, tried, rolling, gain, heights);
    read_fields(a, b, tried, rolling, &reading);
    for (uint32_t k = 0; k < rolling; ++k)
    {
        AbutManifoldPoint* point = &points[indices[k]];
        // A fall of less than half of the expected one is due to an edge, or a cell. Beyond the end of the
        // round surface the step leads off it.
        double small = (point->gap < 0.0 ? BUMP_FRACTION : SAME_FRACTION) * radius;
        bool is_on_surface = fabs(heights[k]) <= BUMP_FRACTION * radius;
        if (is_on_surface && !reading.is_new[k] && reading.gap[k] <= point->gap - 0.5 * gain[k] + small)
        {
            *point = tried[k];
            apply_reading(a, b, &reading, k, point);
            update_normal(a, b, point);
        }
    }
}

void abut_contacts_update(const AbutBody* a, const AbutBody* b, AbutManifoldPoint* points, uint32_t count)
{
    uint32_t convex = abut_contacts_update_convex(a, b, points, count);
    for (uint32_t first = convex; first < count; first += BATCH)
    {
        uint32_t n = count - first < BATCH ? count - first : BATCH;
        Reading reading;
        bool is_smooth = a->material.friction == 0.0f || b->material.friction == 0.0f;
        read_fields(a, b, points + first, n, &reading);
        if (is_smooth)
        {
            remove_overshoot(a, b, points + first, n, &reading);
        }
        update_facing(a, b, points + first, n, &reading);
        if (is_smooth)
        {
            correct_edge_normals(a, b, points + first, n, &reading);
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            apply_reading(a, b, &reading, i, &points[first + i]);
            update_normal(a, b, &points[first + i]);
            ABUT_ASSERT(points[first + i].faces || points[first + i].gap == ABUT_CONTACT_INACTIVE_GAP);
        }
        roll_on(a, b, points + first, n);
    }
}
