// Balls bounce in a box above an endless floor: at each step, which pairs are near enough to look at? broad
// [COUNT]
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    FLOOR = 1, // groups
    BALL = 2
};

typedef struct Ball
{
    AbutVec3 center, velocity;
    float radius;
} Ball;

static float unit(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

/// In the unit cube. One number after the other: the order in which arguments are computed is the compiler's.
static AbutVec3 random_point(uint32_t* state)
{
    float x = unit(state), y = unit(state), z = unit(state);
    return abut_vec3(x, y, z);
}

static AbutBox box_of(const Ball* ball)
{
    return abut_box_expand(abut_box(ball->center, ball->center), ball->radius);
}

static void fly(Ball* ball, float side)
{
    float* const at[3] = { &ball->center.x, &ball->center.y, &ball->center.z };
    float* const speed[3] = { &ball->velocity.x, &ball->velocity.y, &ball->velocity.z };
    for (int axis = 0; axis < 3; ++axis)
    {
        *at[axis] += *speed[axis];
        if (*at[axis] < 0.0f || *at[axis] > side)
        {
            *speed[axis] = -*speed[axis];
        }
    }
}

static AbutResult add_all(AbutBroad* broad, Ball* balls, AbutBox* boxes, uint32_t count, float side)
{
    // The floor fills everything below y = 0. It meets balls, but no other floor.
    AbutBox floor = abut_box_infinite();
    floor.max.y = 0.0f;
    uint32_t id, state = 1;
    AbutResult result = abut_broad_add(broad, floor, FLOOR, BALL, &id);
    boxes[id] = floor;
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i)
    {
        balls[i].center = abut_vec3_scale(random_point(&state), side);
        balls[i].velocity = abut_vec3_sub(random_point(&state), abut_vec3(0.5f, 0.5f, 0.5f));
        balls[i].velocity = abut_vec3_scale(balls[i].velocity, 0.04f);
        balls[i].radius = 0.3f + 0.4f * unit(&state);
        boxes[i + 1] = box_of(&balls[i]);
        result = abut_broad_add(broad, boxes[i + 1], BALL, BALL | FLOOR, &id); // ids are 1, 2, 3, ...
    }
    return result;
}

/// What hangs above the middle of the floor first?
static float keep_first(void* user, uint32_t id, float enter, float limit)
{
    (void)limit;
    *(uint32_t*)user = id;
    return enter; // nothing behind this matters any more
}

static AbutResult run(AbutBroad* broad, Ball* balls, AbutBox* boxes, uint32_t count)
{
    const float side = cbrtf(1.5f * (float)count);
    AbutResult result = add_all(broad, balls, boxes, count, side);
    for (int step = 0; step < 60 && result == ABUT_OK; ++step)
    {
        const AbutBodyPair* pairs;
        size_t pair_count, on_floor = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            fly(&balls[i], side);
            boxes[i + 1] = box_of(&balls[i]);
        }
        result = abut_broad_move_many(broad, NULL, boxes, count + 1);
        result = result == ABUT_OK ? abut_broad_update_pairs(broad, &pairs, &pair_count) : result;
        while (result == ABUT_OK && on_floor < pair_count && pairs[on_floor].a == 0)
        {
            on_floor += 1; // pairs are sorted, and the floor has the id 0
        }
        if (result == ABUT_OK && step % 20 == 19)
        {
            printf("step %d: %zu pairs, %zu of them with the floor\n", step + 1, pair_count, on_floor);
        }
    }
    uint32_t above = 0;
    AbutBroadRay up = { .origin = { 0.5f * side, 0.0f, 0.5f * side },
                        .direction = { 0.0f, 1.0f, 0.0f },
                        .limit = INFINITY,
                        .mask = BALL };
    result = result == ABUT_OK ? abut_broad_query_ray(broad, &up, keep_first, &above) : result;
    if (result == ABUT_OK && above != 0)
    {
        printf("above the middle of the floor: the box of ball %u, from y = %g on\n", above,
               (double)abut_broad_box(broad, above).min.y);
    }
    return result;
}

int main(int argument_count, char** arguments)
{
    const long asked = argument_count > 1 ? strtol(arguments[1], NULL, 10) : 2000;
    const uint32_t count = asked > 0 && asked <= 1000000 ? (uint32_t)asked : 2000;
    AbutBroadDef def = abut_broad_def(); // the tree, which is a good choice unless one has measured
    AbutBroad* broad = NULL;
    Ball* balls = calloc(count, sizeof(Ball));
    AbutBox* boxes = calloc((size_t)count + 1, sizeof(AbutBox));
    AbutResult result = balls != NULL && boxes != NULL ? abut_broad_create(&def, &broad)
                                                       : abut_fail(ABUT_OUT_OF_MEMORY, "too many balls");
    result = result == ABUT_OK ? run(broad, balls, boxes, count) : result;
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
    }
    abut_broad_destroy(broad);
    free(balls);
    free(boxes);
    return result == ABUT_OK ? 0 : 1;
}
