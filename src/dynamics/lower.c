// Contacts where bodies will touch. Those of the narrow phase are one in each cube of what is near: the place where two surfaces are nearest lies between them, and
// a ball that were stopped beside it would be turned, and held up by a normal that leans. The sum of both distances is least where surfaces are nearest, and its
// gradient, the sum of both normals, is zero there. A contact that has such a place within reach goes to it. On faces that lie flat on each other,
// at edges, and wherever the sum goes on falling, contacts stay: they hold what is wide.
#include "dynamics/near.h"

#include <math.h>

enum
{
    BATCH = 64,
    ROUNDS = 3
};

/// Angle between surfaces under which they are nearest, in radians.
#define LEVEL 1e-5f

/// Angle from which on surfaces do not face each other.
#define FACES 0.25f

/// Radii of surfaces against each other under which they are edges, and over which they fit into each other, as parts of the reach: balls are between.
#define LEAST_BEND 2.0f
#define MOST_BEND 8.0f

/// Of distances, as a part of the reach.
#define ROUNDING 1e-6f

/// Contacts nearer to each other than this part of the reach are one.
#define SAME_PART 0.02f

/// Places and both distances there, of contacts side by side.
typedef struct Places
{
    float at[3][BATCH];
    float distance[2][BATCH];
    float gradient[2][3][BATCH];
} Places;

typedef struct Lowering
{
    const AbutShape* shapes[2];
    const AbutPose* b_in_a;
    int count;
    float whole; // the reach that contacts begin with
    Places here, there;
    AbutVec3 down[BATCH]; // against the gradient of the sum
    float slope[BATCH];   // its size
    float reach[BATCH];   // how far to look for the place; 0 for contacts that stay
    float bend
        [2]
        [BATCH]; // of each surface: 1 − cosine of the angle between its normals here and as far away as the reach
    bool moved[BATCH];
} Lowering;

static void sample(const Lowering* self, Places* places)
{
    AbutPoints points = { places->at[0], places->at[1], places->at[2] };
    for (int side = 0; side < 2; ++side)
    {
        float(*g)[BATCH] = places->gradient[side];
        AbutSamples samples = { places->distance[side], g[0], g[1], g[2] };
        abut_shape_sample(self->shapes[side], side == 0 ? NULL : self->b_in_a, points, (size_t)self->count,
                          samples);
    }
}

static AbutVec3 normal_at(const Places* places, int side, int i)
{
    AbutVec3 g =
        abut_vec3(places->gradient[side][0][i], places->gradient[side][1][i], places->gradient[side][2][i]);
    float length = abut_vec3_length(g);
    return length > 0.0f ? abut_vec3_scale(g, 1.0f / length) : g;
}

/// Sum of the normals: how steeply the surfaces part.
static AbutVec3 slope_at(const Places* places, int i)
{
    return abut_vec3_add(normal_at(places, 0, i), normal_at(places, 1, i));
}

static float sum_at(const Places* places, int i)
{
    return places->distance[0][i] + places->distance[1][i];
}

static void put(Places* places, int i, AbutVec3 at)
{
    places->at[0][i] = at.x;
    places->at[1][i] = at.y;
    places->at[2][i] = at.z;
}

static AbutVec3 place_at(const Places* places, int i)
{
    return abut_vec3(places->at[0][i], places->at[1][i], places->at[2][i]);
}

static void copy(const Places* from, Places* to, int i)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        to->at[axis][i] = from->at[axis][i];
        to->gradient[0][axis][i] = from->gradient[0][axis][i];
        to->gradient[1][axis][i] = from->gradient[1][axis][i];
    }
    to->distance[0][i] = from->distance[0][i];
    to->distance[1][i] = from->distance[1][i];
}

/// Any direction square to the normal, where there is no slope.
static AbutVec3 aside(AbutVec3 n)
{
    AbutVec3 axis = fabsf(n.x) < 0.6f ? abut_vec3(1.0f, 0.0f, 0.0f) : abut_vec3(0.0f, 1.0f, 0.0f);
    return abut_vec3_cross(n, axis);
}

/// Looks down the slope, as far as the reach. False when no contact has any.
static bool look_down(Lowering* self)
{
    bool any = false;
    for (int i = 0; i < self->count; ++i)
    {
        AbutVec3 slope = slope_at(&self->here, i);
        self->slope[i] = abut_vec3_length(slope);
        self->down[i] = self->slope[i] > LEVEL ? abut_vec3_scale(slope, -1.0f / self->slope[i])
                                               : aside(normal_at(&self->here, 1, i));
        put(&self->there, i,
            abut_vec3_add(place_at(&self->here, i), abut_vec3_scale(self->down[i], self->reach[i])));
        any = any || self->reach[i] > 0.0f;
    }
    return any;
}

static void note_bend(Lowering* self)
{
    for (int i = 0; i < self->count; ++i)
    {
        for (int side = 0; side < 2; ++side)
        {
            self->bend[side][i] =
                1.0f - abut_vec3_dot(normal_at(&self->here, side, i), normal_at(&self->there, side, i));
        }
    }
}

/// Where it rises again on the other side, the lowest place lies between. False when there is none of that kind.
static bool aim_between(Lowering* self)
{
    bool any = false;
    for (int i = 0; i < self->count; ++i)
    {
        float rise = abut_vec3_dot(slope_at(&self->there, i), self->down[i]);
        float bend = self->reach[i] / (self->slope[i] + rise);
        bool is_round = rise > 0.0f && bend > LEAST_BEND * self->whole && bend < MOST_BEND * self->whole;
        bool between = is_round && self->slope[i] > LEVEL;
        self->reach[i] *= between ? self->slope[i] / (self->slope[i] + rise) : 0.0f;
        put(&self->there, i,
            abut_vec3_add(place_at(&self->here, i), abut_vec3_scale(self->down[i], self->reach[i])));
        any = any || between;
    }
    return any;
}

/// To the middle between both surfaces: along the normals the sum does not change.
static void center(Places* places, int i)
{
    float half = 0.5f * sum_at(places, i), off = places->distance[0][i] - half;
    put(places, i, abut_vec3_sub(place_at(places, i), abut_vec3_scale(normal_at(places, 0, i), off)));
    places->distance[0][i] = places->distance[1][i] = half;
}

static void go_there(Lowering* self)
{
    for (int i = 0; i < self->count; ++i)
    {
        bool lower = self->reach[i] > 0.0f &&
                     sum_at(&self->there, i) < sum_at(&self->here, i) + ROUNDING * self->whole &&
                     abut_vec3_length(slope_at(&self->there, i)) < self->slope[i];
        if (lower)
        {
            copy(&self->there, &self->here, i);
            center(&self->here, i);
            self->moved[i] = true;
        }
        self->reach[i] = lower ? self->reach[i] : 0.0f;
    }
}

/// The normal of the flatter surface tells where the other one will touch it, as errors of normals are those of bends.
static AbutVec3 blend(const Lowering* self, int i)
{
    float weight_a = fmaxf(self->bend[1][i], 0.0f) + 1e-6f, weight_b = fmaxf(self->bend[0][i], 0.0f) + 1e-6f;
    AbutVec3 sum = abut_vec3_sub(abut_vec3_scale(normal_at(&self->here, 1, i), weight_b),
                                 abut_vec3_scale(normal_at(&self->here, 0, i), weight_a));
    return abut_vec3_scale(sum, 1.0f / abut_vec3_length(sum));
}

static void write_back(const Lowering* self, AbutContact* contacts)
{
    for (int i = 0; i < self->count; ++i)
    {
        if (self->moved[i] && abut_vec3_length(slope_at(&self->here, i)) < FACES)
        {
            contacts[i].normal = blend(self, i);
        }
        if (self->moved[i])
        {
            AbutVec3 at = place_at(&self->here, i), a = normal_at(&self->here, 0, i),
                     b = normal_at(&self->here, 1, i);
            AbutVec3 on_b = abut_vec3_sub(at, abut_vec3_scale(b, self->here.distance[1][i]));
            contacts[i].position = at;
            contacts[i].separation = sum_at(&self->here, i);
            contacts[i].anchor_a = abut_vec3_sub(at, abut_vec3_scale(a, self->here.distance[0][i]));
            contacts[i].anchor_b = abut_pose_to_inner(self->b_in_a, (AbutPosition){ on_b.x, on_b.y, on_b.z });
        }
    }
}

/// Of those that came to the same place the first stays.
static int merge(AbutContact* contacts, int count, float near)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        bool known = false;
        for (int k = 0; k < kept && !known; ++k)
        {
            AbutVec3 way = abut_vec3_sub(contacts[i].position, contacts[k].position);
            known = abut_vec3_dot(way, way) < near * near;
        }
        if (!known)
        {
            contacts[kept++] = contacts[i];
        }
    }
    return kept;
}

static void lower_batch(Lowering* self, AbutContact* contacts, float reach)
{
    for (int i = 0; i < self->count; ++i)
    {
        put(&self->here, i, contacts[i].position);
        self->reach[i] = reach;
        self->moved[i] = false;
    }
    sample(self, &self->here);
    bool goes_on = true;
    for (int round = 0; round < ROUNDS && goes_on && look_down(self); ++round)
    {
        sample(self, &self->there);
        if (round == 0)
        {
            note_bend(self);
        }
        goes_on = aim_between(self);
        if (goes_on)
        {
            sample(self, &self->there);
            go_there(self);
        }
    }
    write_back(self, contacts);
}

int abut_contacts_lower(const AbutShape* a, const AbutShape* b, const AbutPose* b_in_a, AbutContact* contacts,
                        int count, float reach)
{
    Lowering self = { .shapes = { a, b }, .b_in_a = b_in_a, .whole = reach };
    for (int first = 0; first < count; first += BATCH)
    {
        self.count = count - first < BATCH ? count - first : BATCH;
        lower_batch(&self, contacts + first, reach);
    }
    return merge(contacts, count, SAME_PART * reach);
}
