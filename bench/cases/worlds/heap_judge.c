// How simple bodies lie in each other: penetration depths of all pairs, and of bodies in the ground.
#include "heap_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MAX_CONTACTS = 64
};

struct HeapJudge
{
    const HeapForms* forms;
    uint32_t count;
    AbutShape* ground;
    AbutBroad* broad;
    double* depths;
    size_t depth_count, depth_capacity;
};

HeapJudge* heap_judge_create(const HeapForms* forms, uint32_t count)
{
    HeapJudge* judge = calloc(1, sizeof(HeapJudge));
    AbutBroadDef broad = abut_broad_def();
    bool good = judge != NULL && abut_broad_create(&broad, &judge->broad) == ABUT_OK &&
                abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &judge->ground) == ABUT_OK;
    for (uint32_t i = 0; i < count && good; ++i)
    {
        uint32_t id;
        AbutBox box = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
        good = abut_broad_add(judge->broad, box, UINT32_MAX, UINT32_MAX, &id) == ABUT_OK;
    }
    if (!good)
    {
        fprintf(stderr, "abut: bench heap: no memory to measure with\n");
        heap_judge_destroy(judge);
        return NULL;
    }
    judge->forms = forms;
    judge->count = count;
    return judge;
}

void heap_judge_destroy(HeapJudge* judge)
{
    if (judge != NULL)
    {
        abut_shape_destroy(judge->ground);
        abut_broad_destroy(judge->broad);
        free(judge->depths);
        free(judge);
    }
}

/// The deepest contact; 0 for separated bodies.
static double depth_of(const AbutShape* a, const AbutPose* pose_a, const AbutShape* b, const AbutPose* pose_b)
{
    AbutContact contacts[MAX_CONTACTS];
    AbutCollideInput input = abut_collide_input(a, b);
    input.pose_a = *pose_a;
    input.pose_b = *pose_b;
    AbutCollideOutput output = abut_collide(&input, contacts, MAX_CONTACTS);
    double deepest = 0.0;
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        deepest = fmax(deepest, -(double)contacts[i].separation);
    }
    return output.state == ABUT_COLLIDE_SEPARATED ? 0.0 : deepest;
}

static void note_depth(HeapJudge* judge, double depth)
{
    if (judge->depth_count == judge->depth_capacity)
    {
        size_t capacity = 2 * judge->depth_capacity + 1024;
        double* grown = realloc(judge->depths, capacity * sizeof(double));
        if (grown == NULL)
        {
            return;
        }
        judge->depths = grown;
        judge->depth_capacity = capacity;
    }
    judge->depths[judge->depth_count++] = depth;
}

static int compare_depths(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

HeapTruth heap_judge_measure(HeapJudge* judge, const AbutPose* poses)
{
    HeapTruth truth = { 0 };
    AbutPose ground = abut_pose_identity();
    judge->depth_count = 0;
    for (uint32_t i = 0; i < judge->count; ++i)
    {
        const AbutShape* shape = judge->forms->shapes[heap_kind_of(i)];
        abut_broad_move(judge->broad, i, abut_pose_transform_box(&poses[i], abut_shape_info(shape).bounds));
        truth.lost += poses[i].position.y < 0.0 ? 1u : 0u;
        if (poses[i].position.y < HEAP_SIZE)
        {
            note_depth(judge, depth_of(judge->ground, &ground, shape, &poses[i]));
        }
    }
    const AbutBodyPair* pairs;
    size_t count = 0;
    if (abut_broad_update_pairs(judge->broad, &pairs, &count) != ABUT_OK)
    {
        fprintf(stderr, "abut: bench heap: %s\n", abut_last_error());
    }
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t a = pairs[i].a, b = pairs[i].b;
        note_depth(judge, depth_of(judge->forms->shapes[heap_kind_of(a)], &poses[a],
                                   judge->forms->shapes[heap_kind_of(b)], &poses[b]));
    }
    qsort(judge->depths, judge->depth_count, sizeof(double), compare_depths);
    size_t first = 0;
    while (first < judge->depth_count && judge->depths[first] <= 0.0)
    {
        ++first;
    }
    truth.overlapping = (uint32_t)(judge->depth_count - first);
    if (truth.overlapping > 0)
    {
        truth.median = judge->depths[first + truth.overlapping / 2] / HEAP_SIZE;
        truth.deepest = judge->depths[judge->depth_count - 1] / HEAP_SIZE;
    }
    return truth;
}
