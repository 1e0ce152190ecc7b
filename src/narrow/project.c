#include "narrow/project.h"

static AbutVec3 gradient_of(const AbutPairBatch* batch, int side, size_t i)
{
    return abut_vec3(batch->gradient[side][0][i], batch->gradient[side][1][i], batch->gradient[side][2][i]);
}

/// The shortest way on which both distances come to the target, as far as their gradients tell. Where the surfaces
/// are nearly parallel it is long: then false.
static bool way_to_both(const AbutPairBatch* batch, size_t i, float target, AbutVec3* way)
{
    AbutVec3 a = gradient_of(batch, 0, i), b = gradient_of(batch, 1, i);
    float aa = abut_vec3_dot(a, a), bb = abut_vec3_dot(b, b), ab = abut_vec3_dot(a, b);
    float over_a = batch->distance[0][i] - target, over_b = batch->distance[1][i] - target;
    float determinant = aa * bb - ab * ab;
    if (!(determinant > 1e-4f * aa * bb))
    {
        return false;
    }
    float u = (over_a * bb - over_b * ab) / determinant, v = (over_b * aa - over_a * ab) / determinant;
    // Both must be pulled in; otherwise going to the further one brings the other along.
    *way = abut_vec3(u * a.x + v * b.x, u * a.y + v * b.y, u * a.z + v * b.z);
    return u > 0.0f && v > 0.0f;
}

/// One step of a point; true when it moved.
static bool step(AbutPairBatch* batch, size_t i, float target)
{
    int side = batch->distance[1][i] > batch->distance[0][i] ? 1 : 0;
    float distance = batch->distance[side][i];
    AbutVec3 g = gradient_of(batch, side, i), way;
    float squared = abut_vec3_dot(g, g);
    if (!(distance > target) || !(squared > 1e-6f))
    {
        return false;
    }
    if (!way_to_both(batch, i, target, &way))
    {
        float by = (distance - target) / squared;
        way = abut_vec3(by * g.x, by * g.y, by * g.z);
    }
    // A little further, so that rounding does not leave the point short of it for ever.
    batch->at[0][i] -= 1.001f * way.x;
    batch->at[1][i] -= 1.001f * way.y;
    batch->at[2][i] -= 1.001f * way.z;
    return true;
}

void abut_pair_project(AbutPair* pair, AbutPairBatch* batch, int steps, float target)
{
    bool moved = true;
    abut_pair_sample(pair, batch, true);
    for (int round = 0; round < steps && moved; ++round)
    {
        moved = false;
        for (size_t i = 0; i < batch->count; ++i)
        {
            moved = step(batch, i, target) || moved;
        }
        if (moved)
        {
            abut_pair_sample(pair, batch, true);
        }
    }
}
