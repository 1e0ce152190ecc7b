/// @file cheap.h
/// Stage of a batch: pairs in closed form, a block at a time.
#ifndef ABUT_NARROW_BATCH_CHEAP_H
#define ABUT_NARROW_BATCH_CHEAP_H

#include "narrow/batch/batch.h"

enum
{
    ABUT_CHEAP_CHOICES = 64
};

/// Methods of pairs of shapes that were asked for before: a batch has few of them.
typedef struct AbutCheapChoice
{
    bool possible; // for the settings
    const AbutShape *last_a, *last_b;
    bool last_cheap;
    struct
    {
        const AbutShape *a, *b;
        bool cheap;
    } known[ABUT_CHEAP_CHOICES];
} AbutCheapChoice;

AbutCheapChoice abut_batch_cheap_choice(const AbutCollider* collider);

/// abut_batch_is_cheap() of shapes other than the last ones.
bool abut_batch_choose_cheap(const AbutCollider* collider, AbutCheapChoice* choice, const AbutShape* a,
                             const AbutShape* b);

/// True for a pair whose method is cheap (AbutNarrowMethod.is_cheap) and has no record of earlier steps.
/// Poses may be invalid.
static inline bool abut_batch_is_cheap(const AbutCollider* collider, AbutCheapChoice* choice, uint32_t a,
                                       uint32_t b)
{
    const AbutShape *shape_a = collider->bodies[a].shape, *shape_b = collider->bodies[b].shape;
    if (!choice->possible)
    {
        return false;
    }
    return choice->last_a == shape_a && choice->last_b == shape_b && shape_a != NULL
               ? choice->last_cheap
               : abut_batch_choose_cheap(collider, choice, shape_a, shape_b);
}

/// Results of a block of cheap pairs; their contacts go to the pool.
void abut_batch_solve_cheap(AbutCollider* collider, uint32_t block, AbutBatchWorker* worker,
                            AbutBatchTask* task);

/// Contacts of a block from the pool to their positions.
void abut_batch_join_cheap(AbutCollider* collider, uint32_t block);

#endif
