// Prints hashes of the pairs of moving boxes, and of what rays meet, by every method: equal text means equal
// pairs in equal order, whatever the processor, the compiler and the instruction set.
#include <abut/abut.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    BOXES = 1501, // not a multiple of any lane count
    STEPS = 14,
    RAYS = 200
};

static AbutBox boxes[BOXES];
static AbutVec3 displacements[BOXES];
static uint64_t state;

static void check(AbutResult result)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        exit(EXIT_FAILURE);
    }
}

/// In [0, 1).
static float unit(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (float)(state >> 40) * 0x1p-24f;
}

static AbutVec3 random_vec(float scale)
{
    float x = scale * unit(), y = scale * unit();
    return abut_vec3(x, y, scale * unit());
}

/// Sizes of up to 1, or of 1/64 to 8; some on whole numbers, so that they touch; some infinite.
static void move_box(int i, bool sized)
{
    static const float sizes[] = { 0.015625f, 0.125f, 1.0f, 8.0f };
    AbutVec3 corner = random_vec(14.0f), size = random_vec(sized ? sizes[i % 4] : 1.0f);
    if (i % 5 == 0)
    {
        corner = abut_vec3((float)(int)corner.x, (float)(int)corner.y, (float)(int)corner.z);
        size = abut_vec3(1.0f, 1.0f, 1.0f);
    }
    boxes[i] = abut_box(corner, abut_vec3_add(corner, size));
    boxes[i].min.y = i % 301 == 0 ? -INFINITY : boxes[i].min.y;
    AbutVec3 half = { 0.5f, 0.5f, 0.5f };
    displacements[i] = abut_vec3_scale(abut_vec3_sub(random_vec(1.0f), half), 0.03125f);
}

static void move(int step, bool sized)
{
    for (int i = 0; i < BOXES; ++i)
    {
        if (step == 9 || (i + step) % 97 == 0)
        {
            move_box(i, sized);
            continue;
        }
        boxes[i].min = abut_vec3_add(boxes[i].min, displacements[i]);
        boxes[i].max = abut_vec3_add(boxes[i].max, displacements[i]);
    }
}

typedef struct RayHash
{
    uint64_t sum; // of hashes, since hits come in any order
    uint32_t count;
} RayHash;

static float add_hit(void* user, uint32_t id, float enter, float limit)
{
    RayHash* hash = user;
    struct
    {
        uint32_t id;
        float enter;
    } hit = { id, enter };
    hash->sum += abut_hash(&hit, sizeof(hit), 0);
    hash->count += 1;
    return limit;
}

static void print_rays(const AbutBroad* broad)
{
    RayHash hash = { 0 };
    for (int i = 0; i < RAYS; ++i)
    {
        AbutBroadRay ray = { .origin = random_vec(14.0f), .limit = 4.0f, .mask = UINT32_MAX };
        ray.direction = abut_vec3_sub(random_vec(14.0f), ray.origin);
        check(abut_broad_query_ray(broad, &ray, add_hit, &hash));
    }
    printf("  rays %016" PRIx64 " %" PRIu32 "\n", hash.sum, hash.count);
}

static void print_method(AbutBroadMethod method, bool sized)
{
    static const char* const labels[ABUT_BROAD_METHOD_COUNT] = { "all pairs", "sweep", "grid", "tree" };
    AbutBroadDef def = abut_broad_def();
    AbutBroad* broad = NULL;
    def.method = method;
    check(abut_broad_create(&def, &broad));
    state = 7;
    for (int i = 0; i < BOXES; ++i)
    {
        uint32_t id;
        move_box(i, sized);
        check(abut_broad_add(broad, boxes[i], 1u << i % 3, 7u ^ (1u << i % 5), &id));
    }
    printf("%s, %s\n", labels[method], sized ? "sizes" : "alike");
    for (int step = 0; step < STEPS; ++step)
    {
        const AbutBodyPair* pairs;
        size_t count;
        check(abut_broad_update_pairs(broad, &pairs, &count));
        printf("  %016" PRIx64 " %zu\n", abut_hash(pairs, count * sizeof(AbutBodyPair), 0), count);
        move(step, sized);
        check(abut_broad_move_many(broad, NULL, boxes, BOXES));
    }
    print_rays(broad);
    abut_broad_destroy(broad);
}

int main(void)
{
    for (int method = 0; method < ABUT_BROAD_METHOD_COUNT; ++method)
    {
        print_method((AbutBroadMethod)method, false);
        print_method((AbutBroadMethod)method, true);
    }
    return 0;
}
