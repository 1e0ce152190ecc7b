// Where surfaces do not face each other, as beside an edge, the normal of the flatter one tells where the other one will touch it: that of a table, not
// that of the corner that comes down on it. Flat is what has the same normal at the contact and at the nearest point of the other.
#include "dynamics/near.h"

#include <math.h>

enum
{
    BATCH = 64
};

/// Change of a unit normal from place to place, as 1 − cosine, up to which a surface is flat.
#define FLAT 0.03f

/// Cosine of the angle from which on two surfaces face each other well enough.
#define FACES 0.97f

typedef struct Places
{
    float at[3][BATCH];
    float distance[BATCH];
    float gradient[3][BATCH];
} Places;

static void put(Places* places, int i, AbutVec3 at)
{
    places->at[0][i] = at.x;
    places->at[1][i] = at.y;
    places->at[2][i] = at.z;
}

static void sample(const AbutShape* shape, const AbutPose* pose, Places* places, int count)
{
    AbutPoints points = { places->at[0], places->at[1], places->at[2] };
    AbutSamples samples = { places->distance, places->gradient[0], places->gradient[1], places->gradient[2] };
    abut_shape_sample(shape, pose, points, (size_t)count, samples);
}

/// The unit normal at a place; zero where there is none.
static AbutVec3 normal_at(const Places* places, int i)
{
    AbutVec3 g = abut_vec3(places->gradient[0][i], places->gradient[1][i], places->gradient[2][i]);
    float length = abut_vec3_length(g);
    return length > 0.0f ? abut_vec3_scale(g, 1.0f / length) : g;
}

/// Takes the normal of A for a contact that is apart, and how high the nearest point of B is over A's surface.
static void take_normal_of_a(AbutContact* contact, AbutVec3 normal, AbutVec3 foot_b)
{
    float height = abut_vec3_dot(abut_vec3_sub(foot_b, contact->anchor_a), normal);
    if (height > 0.0f) // else the surface does not go on like that
    {
        contact->separation = height;
        contact->normal = abut_vec3_scale(normal, -1.0f);
    }
}

static void aim_batch(const AbutShape* a, const AbutShape* b, const AbutPose* b_in_a, AbutContact* contacts,
                      int count)
{
    Places here, on_b, on_a; // A at the contacts, A at the feet on B, B at the feet on A
    AbutVec3 feet[BATCH];
    for (int i = 0; i < count; ++i)
    {
        AbutPosition foot = abut_pose_to_outer(b_in_a, contacts[i].anchor_b);
        feet[i] = abut_vec3((float)foot.x, (float)foot.y, (float)foot.z);
        put(&here, i, contacts[i].position);
        put(&on_b, i, feet[i]);
        put(&on_a, i, contacts[i].anchor_a);
    }
    sample(a, NULL, &here, count);
    sample(a, NULL, &on_b, count);
    sample(b, b_in_a, &on_a, count);
    for (int i = 0; i < count; ++i)
    {
        AbutVec3 normal_a = normal_at(&here, i);
        float bend_a = 1.0f - abut_vec3_dot(normal_a, normal_at(&on_b, i));
        float bend_b = 1.0f - abut_vec3_dot(contacts[i].normal, normal_at(&on_a, i));
        bool faces = abut_vec3_dot(normal_a, contacts[i].normal) < -FACES;
        if (contacts[i].separation > 0.0f && !faces && bend_a < FLAT && bend_a < bend_b)
        {
            take_normal_of_a(&contacts[i], normal_a, feet[i]);
        }
    }
}

void abut_contacts_aim(const AbutShape* a, const AbutShape* b, const AbutPose* b_in_a, AbutContact* contacts,
                       int count)
{
    for (int first = 0; first < count; first += BATCH)
    {
        aim_batch(a, b, b_in_a, contacts + first, count - first < BATCH ? count - first : BATCH);
    }
}
