#include "narrow/depth.h"

enum
{
    STEPS = 16
};

/// Walks from contacts along `sign` times the normals until they have left the solid of a side.
static void walk_out(AbutPair* pair, const AbutContact* contacts, size_t count, int side, float sign,
                     float* way)
{
    AbutPairBatch batch;
    batch.count = count;
    bool moving = true;
    for (size_t i = 0; i < count; ++i)
    {
        way[i] = 0.0f;
    }
    for (int step = 0; step < STEPS && moving; ++step)
    {
        moving = false;
        for (size_t i = 0; i < count; ++i)
        {
            const AbutContact* c = &contacts[i];
            batch.at[0][i] = c->position.x + sign * way[i] * c->normal.x;
            batch.at[1][i] = c->position.y + sign * way[i] * c->normal.y;
            batch.at[2][i] = c->position.z + sign * way[i] * c->normal.z;
        }
        abut_pair_sample(pair, &batch, false);
        for (size_t i = 0; i < count; ++i)
        {
            float inside = -batch.distance[side][i];
            way[i] += inside > 0.0f ? inside : 0.0f; // a distance is never more than there is to go
            moving = moving || inside > 1e-5f * pair->size;
        }
    }
}

void abut_contacts_measure_depth(AbutPair* pair, AbutContact* contacts, int count)
{
    float out_of_a[ABUT_PAIR_BATCH], out_of_b[ABUT_PAIR_BATCH];
    for (int first = 0; first < count; first += ABUT_PAIR_BATCH)
    {
        size_t n = (size_t)(count - first < ABUT_PAIR_BATCH ? count - first : ABUT_PAIR_BATCH);
        walk_out(pair, contacts + first, n, 1, 1.0f, out_of_b);
        walk_out(pair, contacts + first, n, 0, -1.0f, out_of_a);
        for (size_t i = 0; i < n; ++i)
        {
            contacts[(size_t)first + i].depth = out_of_a[i] + out_of_b[i];
        }
    }
}
