// Leaves of a closest pair search: bounds by nodes, and witnesses found from the middles of boxes.
#include "narrow/distance/closest_pair_leaf.h"

#include <math.h>
#include <string.h>

enum
{
    MAX_ITERATIONS = 16 // of a witness
};

/// Cosine of the angle up to which two directions count as the same.
static const float SAME_DIRECTION = 0.7f;

/// Distance of starts of witnesses, in cells, on one side at least.
static const float START_SPACING = 4.0f;

/// The last iteration of a witness is the first that gains less than this, in cells.
static const double GAIN = 0.01;

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// -----------------------------------------------------------------------------------------------------------
// Bounds
// -----------------------------------------------------------------------------------------------------------

/// The direction between two small boxes with the best bound: that of the witness, when the boxes lie along
/// it.
static void directions_of(const AbutClosestPairSearch* self, const AbutClosestPairBoxes* gap,
                          float direction[2][3])
{
    float length = sqrtf(dot(gap->to_other[0], gap->to_other[0]));
    bool known =
        isfinite(self->best.distance) && dot(self->line[0], gap->to_other[0]) > SAME_DIRECTION * length;
    for (int side = 0; side < 2; ++side)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            float component = length > 0.0f ? gap->to_other[side][axis] / length : 0.0f;
            direction[side][axis] = known ? self->line[side][axis] : component;
        }
    }
}

float abut_closest_pair_leaf_bound(const AbutClosestPairSearch* self, const AbutBoxPair* boxes)
{
    const AbutClosestPairBoxes* gap = &boxes->gap;
    float direction[2][3], support = 0.0f;
    directions_of(self, gap, direction);
    for (int side = 0; side < 2; ++side)
    {
        support += abut_octree_side_support(&self->sides[side], &boxes->box[side], gap->half_space[side],
                                            direction[side]);
    }
    // Along the direction, and across it by the distance of the boxes.
    float along = dot(direction[0], gap->to_other[0]), low = along - support;
    float radii = 1.7320508f * (gap->half[0] + gap->half[1]);
    float beside = sqrtf(fmaxf(0.0f, dot(gap->to_other[0], gap->to_other[0]) - along * along)) - radii;
    low = low > 0.0f && beside > 0.0f && low < INFINITY ? sqrtf(low * low + beside * beside) : low;
    return fmaxf(gap->low, low - self->rounding);
}

// -----------------------------------------------------------------------------------------------------------
// Witnesses
// -----------------------------------------------------------------------------------------------------------

/// True when a witness was started from nearby, which would end at the same points.
static bool was_tried(const AbutClosestPairSearch* self, float middle[2][3])
{
    uint32_t count =
        self->start_count < ABUT_CLOSEST_PAIR_STARTS ? self->start_count : ABUT_CLOSEST_PAIR_STARTS;
    for (uint32_t i = 0; i < count; ++i)
    {
        bool was_near = true;
        for (int k = 0; k < 6; ++k)
        {
            was_near =
                was_near && fabsf(self->starts[i][k / 3][k % 3] - middle[k / 3][k % 3]) < START_SPACING;
        }
        if (was_near)
        {
            return true;
        }
    }
    return false;
}

static void take_witness(AbutClosestPairSearch* self, AbutWitness* witness, double cell_size)
{
    abut_witness_improve(self->pair, &self->best, witness);
    self->limit = fminf(self->limit, abut_closest_pair_limit(self->goal, &self->best) / (float)cell_size);
    AbutVec3 line = abut_dvec3_to_vec3(abut_dvec3_normalize(abut_dvec3_sub(witness->at[1], witness->at[0])));
    self->line[0][0] = line.x;
    self->line[0][1] = line.y;
    self->line[0][2] = line.z;
    self->line[1][0] = -dot(self->to_b[0], self->line[0]);
    self->line[1][1] = -dot(self->to_b[1], self->line[0]);
    self->line[1][2] = -dot(self->to_b[2], self->line[0]);
}

void abut_closest_pair_find_witness(AbutClosestPairSearch* self, const AbutBoxPair* boxes, bool again)
{
    const AbutFieldHeader* a = self->sides[0].surface_octree.block;
    float middle[2][3];
    AbutWitness witness;
    abut_surface_octree_middle(&boxes->box[0], middle[0]);
    abut_surface_octree_middle(&boxes->box[1], middle[1]);
    if (!again && was_tried(self, middle))
    {
        return;
    }
    memcpy(self->starts[self->start_count++ % ABUT_CLOSEST_PAIR_STARTS], middle, sizeof(middle));
    const float* to_other = boxes->gap.to_other[0];
    AbutDVec3 origin = abut_dvec3_from_array(a->origin);
    AbutDVec3 at = abut_dvec3(middle[0][0], middle[0][1], middle[0][2]);
    AbutDVec3 there = abut_dvec3_add(at, abut_dvec3(to_other[0], to_other[1], to_other[2]));
    witness.at[0] = abut_dvec3_mul_add(origin, a->cell_size, at);
    witness.at[1] = abut_dvec3_mul_add(origin, a->cell_size, there);
    abut_witness_approach(self->pair, &witness, MAX_ITERATIONS, GAIN * a->cell_size);
    if (witness.distance < self->best.distance)
    {
        take_witness(self, &witness, a->cell_size);
    }
}
