// Pairs in which no particle can arrive: they need none.
//
// Particles see samples, so the proof is about samples. In its grid a field's sample differs from the true
// distance by at most its error e. Beyond the grid a sample is at least the distance from the grid, and at
// least the sample at the nearest point of the grid; so where it is under epsilon the true distance is under
// epsilon + e there, and under 2 epsilon + e here. The octrees of two fields bound true distances: boxes
// further than that from one of the two are separated. The boxes left are divided and sampled, and around a
// sample the others are bounded by the slope of the interpolant, whatever the error.
#include "narrow/particles/emptiness_proof.h"

#include "field/field.h"
#include "search/dual_octree.h"

#include <math.h>

enum
{
    MAX_BOXES = 64,
    MAX_SAMPLES = 1024, // an eighth of the default cost of particles
    LAST_LEVEL = 5
};

typedef struct ProofBox
{
    float middle[3];
    uint32_t level; // halvings
} ProofBox;

typedef struct Proof
{
    float half;   // of the side of a box of level 0
    float radius; // half of its diagonal
    float epsilon, slope[2];
    uint32_t samples;
    uint32_t count;
    ProofBox boxes[MAX_BOXES];
} Proof;

/// True when samples beyond a field's grid are bounded as those in it are: the sampled solid ends within the
/// grid.
static bool ends_before_grid(const AbutPairSide* side)
{
    const AbutFieldHeader* h = abut_field_of(side->shape)->block;
    double error = (double)side->error / side->frame.scale;
    for (int axis = 0; axis < 3; ++axis)
    {
        double end = h->origin[axis] + h->cell_size * h->brick_count[axis] * ABUT_BRICK_CELLS;
        if (!((double)h->solid[axis] - h->origin[axis] > error && end - (double)h->solid[axis + 3] > error))
        {
            return false;
        }
    }
    return true;
}

/// Boxes that the octrees leave open; false when there are too many.
static bool collect_boxes(const AbutParticles* particles, AbutPair* pair, Proof* proof)
{
    float contact_distance = 2.0f * particles->epsilon + fmaxf(pair->sides[0].error, pair->sides[1].error);
    AbutDualOctree dual_octree;
    AbutOctreeBox boxes[8];
    bool hit = false;
    if (!isfinite(contact_distance) || !abut_dual_octree_init(&dual_octree, pair, contact_distance, 0.0f))
    {
        return false;
    }
    proof->half =
        (float)(dual_octree.cell_size * (double)(1u << dual_octree.last_level)) * 0.5f * (1.0f + 1e-5f);
    for (uint32_t count; (count = abut_dual_octree_next(&dual_octree, boxes, &hit)) > 0 && !hit;)
    {
        for (uint32_t i = 0; i < count && proof->count <= MAX_BOXES; ++i)
        {
            if (proof->count < MAX_BOXES)
            {
                proof->boxes[proof->count].level = 0;
                abut_dual_octree_middle(&dual_octree, &boxes[i], proof->boxes[proof->count].middle);
            }
            proof->count += 1;
        }
        if (proof->count > MAX_BOXES)
        {
            break;
        }
    }
    pair->evaluations += dual_octree.evaluations;
    return !hit && proof->count <= MAX_BOXES;
}

/// The children of the topmost boxes, as many as a batch holds.
static void divide_boxes(Proof* proof, AbutPairBatch* batch, uint32_t level[ABUT_PAIR_BATCH])
{
    batch->count = 0;
    while (proof->count > 0 && batch->count + 8 <= ABUT_PAIR_BATCH)
    {
        const ProofBox box = proof->boxes[--proof->count];
        float step = 0.5f * proof->half / (float)(1u << box.level);
        for (unsigned child = 0; child < 8; ++child)
        {
            level[batch->count] = box.level + 1;
            for (unsigned axis = 0; axis < 3; ++axis)
            {
                batch->at[axis][batch->count] = box.middle[axis] + ((child >> axis & 1u) != 0 ? step : -step);
            }
            batch->count += 1;
        }
    }
}

/// Drops separated boxes and keeps the rest for division; false where particles may arrive.
static bool keep_open(Proof* proof, const AbutPairBatch* batch, const uint32_t level[ABUT_PAIR_BATCH])
{
    for (size_t i = 0; i < batch->count; ++i)
    {
        float a = batch->distance[0][i] - proof->epsilon, b = batch->distance[1][i] - proof->epsilon;
        float radius = proof->radius / (float)(1u << level[i]);
        if (a > proof->slope[0] * radius || b > proof->slope[1] * radius)
        {
            continue;
        }
        if ((a < 0.0f && b < 0.0f) || level[i] == LAST_LEVEL || proof->count == MAX_BOXES)
        {
            return false;
        }
        proof->boxes[proof->count++] =
            (ProofBox){ { batch->at[0][i], batch->at[1][i], batch->at[2][i] }, level[i] };
    }
    return true;
}

bool abut_particles_prove_empty(const AbutParticles* particles, AbutPair* pair)
{
    Proof proof = { .epsilon = particles->epsilon };
    if (!pair->sides[0].is_field || !pair->sides[1].is_field || !ends_before_grid(&pair->sides[0]) ||
        !ends_before_grid(&pair->sides[1]) || !collect_boxes(particles, pair, &proof))
    {
        return false;
    }
    AbutPairBatch batch;
    uint32_t level[ABUT_PAIR_BATCH];
    proof.radius = 1.7320509f * proof.half + pair->sides[1].rounding;
    proof.slope[0] = pair->sides[0].shape->info.lipschitz;
    proof.slope[1] = pair->sides[1].shape->info.lipschitz;
    while (proof.count > 0)
    {
        divide_boxes(&proof, &batch, level);
        proof.samples += (uint32_t)batch.count;
        if (proof.samples > MAX_SAMPLES)
        {
            return false;
        }
        abut_pair_sample(pair, &batch, false);
        if (!keep_open(&proof, &batch, level))
        {
            return false;
        }
    }
    return true;
}
