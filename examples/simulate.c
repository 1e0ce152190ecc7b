// Rings fall over a peg. The world says when two bodies begin to touch and when all of them sleep, answers
// questions about who is where, goes back to a snapshot, and does the same again.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    RING_COUNT = 4,
    STEP_LIMIT = 900 // fifteen seconds
};

static const float step = 1.0f / 60.0f;

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

/// The world owns its shapes, so the caller's references go.
static AbutResult add_stand(AbutWorld* world)
{
    AbutShape *ground = NULL, *peg = NULL;
    AbutBodyDef body = abut_body_def();
    AbutBodyId id;
    body.kind = ABUT_BODY_STATIC;
    AbutResult result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &ground);
    body.shape = ground;
    result = result == ABUT_OK ? abut_body_create(world, &body, &id) : result;
    result = result == ABUT_OK ? abut_shape_create_capsule(0.04f, 0.5f, NULL, &peg) : result;
    body.shape = peg;
    body.pose = abut_pose_at(0.0, 0.25, 0.0);
    result = result == ABUT_OK ? abut_body_create(world, &body, &id) : result;
    abut_shape_destroy(ground);
    abut_shape_destroy(peg);
    return result;
}

static AbutResult add_rings(AbutWorld* world, AbutBodyId rings[RING_COUNT])
{
    AbutShape* ring = NULL;
    AbutResult result = abut_shape_create_torus(0.12f, 0.04f, NULL, &ring);
    for (int i = 0; i < RING_COUNT && result == ABUT_OK; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = ring;
        body.pose = abut_pose_at(0.01 * i, 0.8 + 0.2 * i, 0.0);
        body.angular_velocity = abut_vec3(0.5f, 0.0f, 0.2f * (float)i);
        result = abut_body_create(world, &body, &rings[i]);
    }
    abut_shape_destroy(ring);
    return result;
}

static uint32_t count_first_touches(const AbutWorld* world)
{
    size_t count;
    uint32_t begins = 0;
    const AbutTouchEvent* events = abut_world_events(world, &count);
    for (size_t i = 0; i < count; ++i)
    {
        begins += events[i].change == ABUT_TOUCH_BEGINS ? 1u : 0u;
    }
    return begins;
}

/// Steps until nothing moves any more, or to the limit.
static AbutResult run(AbutWorld* world, uint32_t* touches, AbutStepReport* report)
{
    AbutResult result = ABUT_OK;
    for (int i = 0; i < STEP_LIMIT && result == ABUT_OK; ++i)
    {
        result = abut_world_step(world, step, report);
        *touches += result == ABUT_OK ? count_first_touches(world) : 0;
        if (result == ABUT_OK && report->awake_count == 0)
        {
            break;
        }
    }
    return result;
}

/// What lies under a place above the peg, what a ball around its top touches, and what is nearest to a place
/// beside it.
static AbutResult ask(const AbutWorld* world)
{
    AbutRayInput down = abut_ray_input((AbutPosition){ 0.0, 2.0, 0.0 }, abut_vec3(0.0f, -1.0f, 0.0f));
    AbutRayOutput hit;
    AbutShape* ball = NULL;
    AbutOverlap touched[8];
    uint32_t count = 0;
    AbutNearestOutput nearest;
    AbutResult result = abut_world_cast_ray(world, &down, &hit);
    result = result == ABUT_OK ? abut_shape_create_sphere(0.2f, NULL, &ball) : result;
    AbutOverlapInput around = abut_overlap_input(ball, abut_pose_at(0.0, 0.5, 0.0));
    result = result == ABUT_OK ? abut_world_overlap(world, &around, touched, 8, &count) : result;
    AbutPosition beside = { 0.5, 0.05, 0.0 };
    result = result == ABUT_OK ? abut_world_nearest(world, beside, 1.0f, UINT32_MAX, &nearest) : result;
    abut_shape_destroy(ball);
    if (result == ABUT_OK)
    {
        printf("from above one sees body %u at height %.3f; %u bodies are around the top of the peg; %.3f "
               "beside is body %u\n",
               hit.body.index, hit.position.y, count, nearest.distance, nearest.body.index);
    }
    return result;
}

static int simulate(AbutWorld* world)
{
    AbutBodyId rings[RING_COUNT];
    if (add_stand(world) != ABUT_OK || add_rings(world, rings) != ABUT_OK)
    {
        return fail();
    }
    size_t size = abut_world_snapshot_size(world);
    void* start = malloc(size);
    uint32_t touches = 0, again = 0;
    AbutStepReport report, second;
    if (start == NULL || abut_world_save(world, start, size) != ABUT_OK ||
        run(world, &touches, &report) != ABUT_OK)
    {
        free(start);
        return fail();
    }
    uint64_t hash = abut_world_hash(world);
    printf("%.1f seconds: %u touches began, %u bodies awake\n", report.time, touches, report.awake_count);
    for (int i = 0; i < RING_COUNT; ++i)
    {
        AbutPosition at = abut_body_state(world, rings[i]).pose.position;
        printf("ring %d at (%.3f %.3f %.3f)\n", i, at.x, at.y, at.z);
    }
    AbutResult result = ask(world);
    result = result == ABUT_OK ? abut_world_restore(world, start, size) : result;
    free(start);
    if (result != ABUT_OK || run(world, &again, &second) != ABUT_OK)
    {
        return fail();
    }
    bool same = abut_world_hash(world) == hash && again == touches;
    printf("once more from the start: %s\n", same ? "the same, bit for bit" : "not the same");
    return same ? 0 : 1;
}

int main(void)
{
    // Workers wait between steps: threads of one loop's length, the default, would start anew several times a
    // step.
    AbutWorkers* workers = NULL;
    if (abut_workers_create(0, NULL, &workers) != ABUT_OK)
    {
        return fail();
    }
    AbutHost host = abut_workers_host(workers);
    AbutWorldDef def = abut_world_def();
    def.host = &host;
    AbutWorld* world = NULL;
    int status = abut_world_create(&def, &world) == ABUT_OK ? simulate(world) : fail();
    abut_world_destroy(world);
    abut_workers_destroy(workers);
    return status;
}
