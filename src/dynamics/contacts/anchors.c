// Anchors of the contacts of the narrow phase.
#include "dynamics/contacts/anchors.h"

#include "dynamics/contacts/update.h"

#include <math.h>
#include <string.h>

enum
{
    BATCH = 64
};

/// Difference of normal changes, as 1 − cosine, below which two surfaces count as equally flat.
#define FLAT 0.002f

typedef struct Batch
{
    float at[3][BATCH];
    float distance[BATCH];
    float gradient[3][BATCH];
} Batch;

static void set_position(Batch* batch, uint32_t i, AbutVec3 at)
{
    batch->at[0][i] = at.x;
    batch->at[1][i] = at.y;
    batch->at[2][i] = at.z;
}

static void sample(const AbutShape* shape, const AbutPose* pose, Batch* batch, uint32_t count)
{
    AbutPoints points = { batch->at[0], batch->at[1], batch->at[2] };
    AbutSamples samples = { batch->distance, batch->gradient[0], batch->gradient[1], batch->gradient[2] };
    abut_shape_sample(shape, pose, points, count, samples);
}

/// The unit normal at a sample; zero where the gradient is.
static AbutVec3 normal_at(const Batch* batch, uint32_t i)
{
    AbutVec3 g = abut_vec3(batch->gradient[0][i], batch->gradient[1][i], batch->gradient[2][i]);
    float length = abut_vec3_length(g);
    return length > 0.0f ? abut_vec3_scale(g, 1.0f / length) : g;
}

/// Projection of a sample to the surface.
static AbutVec3 foot_point_at(const Batch* batch, uint32_t i, AbutVec3 position)
{
    return abut_vec3_sub(position, abut_vec3_scale(normal_at(batch, i), batch->distance[i]));
}

/// Anchor of a position in the frame of the shape.
static AbutDVec3 anchor_at(const AbutBody* body, AbutVec3 at)
{
    return abut_dvec3_scale(abut_dvec3_sub(abut_dvec3_from_vec3(at), body->center), (double)body->scale);
}

static void convert(const AbutBody* a, const AbutBody* b, const AbutPose* b_in_a, const AbutContact* contacts,
                    uint32_t count, AbutManifoldPoint* out)
{
    Batch at_contact, at_foot_b,
        at_foot_a;      // A at the contacts and at the anchors on B; B at the anchors on A
    Batch own_a, own_b; // each at its own anchors, in its own frame
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutPosition foot = abut_pose_transform_point(b_in_a, contacts[i].anchor_b);
        set_position(&at_contact, i, contacts[i].position);
        set_position(&at_foot_b, i, abut_vec3((float)foot.x, (float)foot.y, (float)foot.z));
        set_position(&at_foot_a, i, contacts[i].anchor_a);
        set_position(&own_a, i, contacts[i].anchor_a);
        set_position(&own_b, i, contacts[i].anchor_b);
    }
    sample(a->shape, NULL, &at_contact, count);
    sample(a->shape, NULL, &at_foot_b, count);
    sample(b->shape, b_in_a, &at_foot_a, count);
    sample(a->shape, NULL, &own_a, count);
    sample(b->shape, NULL, &own_b, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        float normal_change_a = 1.0f - abut_vec3_dot(normal_at(&at_contact, i), normal_at(&at_foot_b, i));
        float normal_change_b = 1.0f - abut_vec3_dot(contacts[i].normal, normal_at(&at_foot_a, i));
        bool alike = fabsf(normal_change_a - normal_change_b) < FLAT;
        memset(&out[i], 0, sizeof(out[i]));
        out[i].id = contacts[i].id;
        out[i].on_b = alike ? b->radius < a->radius : normal_change_a < normal_change_b;
        out[i].local_anchor_a = anchor_at(a, foot_point_at(&own_a, i, contacts[i].anchor_a));
        out[i].local_anchor_b = anchor_at(b, foot_point_at(&own_b, i, contacts[i].anchor_b));
    }
}

void abut_contacts_to_points(const AbutBody* a, const AbutBody* b, const AbutPose* b_in_a,
                             const AbutContact* contacts, uint32_t count, AbutManifoldPoint* out)
{
    for (uint32_t first = 0; first < count; first += BATCH)
    {
        convert(a, b, b_in_a, contacts + first, count - first < BATCH ? count - first : BATCH, out + first);
    }
}

void abut_contacts_to_planes(const AbutBody* a, const AbutBody* b, const AbutPose* pose_a,
                             const AbutContact* contacts, uint32_t count, AbutManifoldPoint* out)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutPosition at = abut_pose_transform_point(pose_a, contacts[i].position);
        AbutVec3 v = abut_quat_rotate(pose_a->rotation, contacts[i].normal);
        AbutDVec3 position = abut_dvec3_from_position(at), n = abut_dvec3_from_vec3(v);
        double length = abut_dvec3_length(n);
        AbutManifoldPoint* point = &out[i];
        memset(point, 0, sizeof(*point));
        point->id = contacts[i].id;
        point->is_plane = point->is_known = point->faces = true;
        point->gap = point->separation = (double)contacts[i].separation * (double)pose_a->scale;
        AbutDVec3 zero = abut_dvec3_zero(); // added for the sign of zeros
        point->local_anchor_a = abut_dvec3_add(
            zero, abut_dmat3_transform_transposed(&a->matrix, abut_dvec3_sub(position, a->position)));
        point->local_anchor_b = abut_dvec3_add(
            zero, abut_dmat3_transform_transposed(&b->matrix, abut_dvec3_sub(position, b->position)));
        for (int c = 0; c < 3; ++c)
        {
            AbutDVec3 term = abut_dvec3_scale(abut_dmat3_row(&b->matrix, c), abut_dvec3_get(n, c));
            point->field_normal =
                abut_dvec3_add(point->field_normal, abut_dvec3_div(term, length > 0.0 ? length : 1.0));
        }
        point->faced_normal = point->field_normal;
    }
    abut_contacts_update(a, b, out, count);
}
