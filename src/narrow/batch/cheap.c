// Pairs in closed form: spheres and capsules in lanes, the others one by one, without copies of settings and
// without any record for the next step. The bits are those of abut_collide().
#include "narrow/batch/cheap.h"

#include "base/assert.h"
#include "base/tasks.h"
#include "math/rounding.h"
#include "narrow/batch/run.h"
#include "narrow/primitive/box_lanes.h"
#include "shape/resolve.h"

#include <math.h>
#include <string.h>

enum
{
    PAIRS_PER_BLOCK = ABUT_ROUND_LANES
};

_Static_assert(PAIRS_PER_BLOCK* ABUT_NARROW_CHEAP_CONTACTS <= ABUT_CONTACT_LIST_CAPACITY,
               "a block fits in the scratch");

size_t abut_batch_cheap_block_count(const AbutCollider* collider)
{
    return abut_block_count(collider->cheap_count, PAIRS_PER_BLOCK);
}

// -----------------------------------------------------------------------------------------------------------
// Which pairs
// -----------------------------------------------------------------------------------------------------------

/// TODO(#18): speculative contacts, too, where worlds need no record of such pairs.
AbutCheapChoice abut_batch_cheap_choice(const AbutCollider* collider)
{
    const AbutNarrowSettings* settings = &collider->settings;
    AbutCollideMethod method = settings->collide.method;
    AbutCheapChoice choice = {
        .possible = !settings->speculative && !settings->collide.measure_depth &&
                    (method == ABUT_COLLIDE_AUTOMATIC || abut_narrow_method(method)->is_cheap != NULL),
    };
    return choice;
}

static bool choose(const AbutCollider* collider, const AbutShape* a, const AbutShape* b)
{
    if (abut_box_is_empty(a->info.bounds) || abut_box_is_empty(b->info.bounds))
    {
        return false;
    }
    AbutCollideMethod forced = collider->settings.collide.method;
    if (forced != ABUT_COLLIDE_AUTOMATIC && !abut_collide_method_serves(forced, a, b))
    {
        return false; // invalid, with a message from elsewhere
    }
    const AbutNarrowMethod* method = abut_narrow_choose(&collider->settings.collide, false, a, b);
    return method->is_cheap != NULL && method->is_cheap(a, b);
}

bool abut_batch_choose_cheap(const AbutCollider* collider, AbutCheapChoice* choice, const AbutShape* a,
                             const AbutShape* b)
{
    if (a == NULL || b == NULL)
    {
        return false;
    }
    uintptr_t hash = (uintptr_t)a / 64 + (uintptr_t)b / 64 * 5;
    size_t slot = (hash ^ hash >> 6) % ABUT_CHEAP_CHOICES;
    if (choice->known[slot].a != a || choice->known[slot].b != b)
    {
        choice->known[slot].a = a;
        choice->known[slot].b = b;
        choice->known[slot].cheap = choose(collider, a, b);
    }
    choice->last_a = a;
    choice->last_b = b;
    choice->last_cheap = choice->known[slot].cheap;
    return choice->last_cheap;
}

// -----------------------------------------------------------------------------------------------------------
// A group of pairs
// -----------------------------------------------------------------------------------------------------------

typedef enum LaneKind
{
    LANES_SPHERES,
    LANES_CAPSULES,
    LANES_BOXES,
    LANE_KINDS,
    LANES_NONE = LANE_KINDS,
} LaneKind;

/// Pairs of a block, in order.
typedef struct Group
{
    AbutCollider* collider;
    AbutBatchWorker* worker;
    uint32_t contact_count; // in the scratch of the worker
    bool has_frame;
    uint32_t frame_body;
    AbutTransform frame;            // of frame_body
    const AbutNarrowMethod* method; // of the shapes below
    const AbutShape* method_of[2];
    bool has_groups;
    uint32_t waiting_count; // pairs of the method and shapes above, for one call
    AbutNarrowQuery waiting[ABUT_NARROW_GROUP];
    AbutTransform relative[ABUT_NARROW_GROUP];
    float spacing; // of the shapes and scales below
    const AbutShape* spacing_of[2];
    float scales[2];
    struct
    {
        LaneKind kind;
        uint32_t lane;
    } members[PAIRS_PER_BLOCK];
    AbutRoundPairs pairs[LANE_KINDS];
    AbutRoundAnswers answers[LANE_KINDS];
    AbutBoxLanes boxes;
} Group;

static LaneKind lanes_of(const AbutShape* a, const AbutShape* b)
{
    AbutShapeKind kind_a = a->info.kind, kind_b = b->info.kind;
    if (kind_a == ABUT_SHAPE_SPHERE && kind_b == ABUT_SHAPE_SPHERE)
    {
        return LANES_SPHERES;
    }
    bool boxes = (kind_a == ABUT_SHAPE_BOX || kind_a == ABUT_SHAPE_ROUNDED_BOX) &&
                 (kind_b == ABUT_SHAPE_BOX || kind_b == ABUT_SHAPE_ROUNDED_BOX);
    bool round = (kind_a == ABUT_SHAPE_SPHERE || kind_a == ABUT_SHAPE_CAPSULE) &&
                 (kind_b == ABUT_SHAPE_SPHERE || kind_b == ABUT_SHAPE_CAPSULE);
    return round ? LANES_CAPSULES : boxes ? LANES_BOXES : LANES_NONE;
}

static void set_body(AbutRoundPairs* pairs, int side, uint32_t lane, const AbutCollideBody* body,
                     LaneKind kind)
{
    const double* size = abut_shape_parameters(body->shape);
    pairs->poses[side][lane] = &body->pose;
    pairs->sizes[side][lane] = size;
    if (kind == LANES_CAPSULES)
    {
        pairs->half_length[side][lane] = body->shape->info.kind == ABUT_SHAPE_CAPSULE ? size[1] : 0.0;
    }
}

/// The last pair of a kind fills the lanes that are left.
static void pad_lanes(AbutRoundPairs* pairs, LaneKind kind)
{
    uint32_t last = pairs->count - 1;
    for (uint32_t lane = pairs->count; pairs->count > 0 && lane % 4 != 0; ++lane)
    {
        for (int side = 0; side < 2; ++side)
        {
            pairs->poses[side][lane] = pairs->poses[side][last];
            pairs->sizes[side][lane] = pairs->sizes[side][last];
            if (kind == LANES_CAPSULES)
            {
                pairs->half_length[side][lane] = pairs->half_length[side][last];
            }
        }
    }
}

/// Fills the lanes of a group of pairs.
static void fill_lanes(Group* group, const uint32_t* indices, uint32_t count)
{
    const AbutCollider* collider = group->collider;
    for (int kind = 0; kind < LANE_KINDS; ++kind)
    {
        group->pairs[kind].count = 0;
        group->pairs[kind].margin = (double)collider->settings.collide.margin;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const AbutPairResult* result = &collider->results[indices[i]];
        const AbutCollideBody *a = &collider->bodies[result->a], *b = &collider->bodies[result->b];
        LaneKind kind = lanes_of(a->shape, b->shape);
        group->members[i].kind = kind;
        group->members[i].lane = 0;
        if (kind != LANES_NONE)
        {
            AbutRoundPairs* pairs = &group->pairs[kind];
            group->members[i].lane = pairs->count;
            set_body(pairs, 0, pairs->count, a, kind);
            set_body(pairs, 1, pairs->count++, b, kind);
        }
    }
    pad_lanes(&group->pairs[LANES_SPHERES], LANES_SPHERES);
    pad_lanes(&group->pairs[LANES_CAPSULES], LANES_CAPSULES);
    pad_lanes(&group->pairs[LANES_BOXES], LANES_BOXES);
}

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

/// The frame of a body; pairs of the same first body come one after the other.
static const AbutTransform* frame_of_a(Group* group, uint32_t a)
{
    if (!group->has_frame || group->frame_body != a)
    {
        group->frame = abut_transform_from_pose_quick(&group->collider->bodies[a].pose);
        group->frame_body = a;
        group->has_frame = true;
    }
    return &group->frame;
}

static void find_method(Group* group, const AbutShape* a, const AbutShape* b)
{
    if (group->method == NULL || group->method_of[0] != a || group->method_of[1] != b)
    {
        group->method = abut_narrow_choose(&group->collider->settings.collide, false, a, b);
        group->has_groups = group->method->has_groups != NULL && group->method->has_groups(a, b);
        group->method_of[0] = a;
        group->method_of[1] = b;
    }
}

/// Spacing of a pair: that of the last one where shapes and scales are the same.
static float spacing_of(Group* group, const AbutCollideBody* a, const AbutCollideBody* b)
{
    const AbutShape *shape_a = a->shape, *shape_b = b->shape;
    if (group->spacing_of[0] != shape_a || group->spacing_of[1] != shape_b ||
        group->scales[0] != a->pose.scale || group->scales[1] != b->pose.scale)
    {
        double scale = (double)b->pose.scale / (double)a->pose.scale;
        group->spacing_of[0] = shape_a;
        group->spacing_of[1] = shape_b;
        group->scales[0] = a->pose.scale;
        group->scales[1] = b->pose.scale;
        group->spacing = abut_collide_spacing(&group->collider->settings, shape_a, shape_b, scale);
    }
    return group->spacing;
}

/// Solves the pairs that wait for each other.
static void solve_waiting(Group* group)
{
    uint32_t count = group->waiting_count;
    group->waiting_count = 0;
    if (count > 0 && group->has_groups)
    {
        group->method->collide_group(group->waiting, count);
    }
    else if (count > 0)
    {
        group->method->collide(&group->waiting[0]);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutContact *to = group->worker->contacts + group->contact_count, *from = group->waiting[i].contacts;
        AbutCollideOutput* output = group->waiting[i].output;
        if (output->state == ABUT_COLLIDE_UNDECIDED)
        {
            continue; // left to a later stage
        }
        uint32_t finite = abut_collide_keep_finite(from, output->contact_count);
        output->contact_total -= output->contact_count - finite;
        output->contact_count = finite;
        if (to != from)
        {
            memmove(to, from, finite * sizeof(to[0]));
        }
        group->contact_count += finite;
    }
}

/// A pair that no formula of lanes serves; its contacts follow when the pairs that wait are solved.
static void add_waiting(Group* group, AbutPairResult* result)
{
    const AbutNarrowSettings* settings = &group->collider->settings;
    const AbutCollideBody *a = &group->collider->bodies[result->a], *b = &group->collider->bodies[result->b];
    result->output = (AbutCollideOutput){ .state = ABUT_COLLIDE_INVALID };
    if (!abut_transform_pose_is_valid(&a->pose) || !abut_transform_pose_is_valid(&b->pose))
    {
        return;
    }
    if (group->method_of[0] != a->shape || group->method_of[1] != b->shape)
    {
        solve_waiting(group);
    }
    find_method(group, a->shape, b->shape);
    uint32_t index = group->waiting_count++;
    bool same = abut_transform_same_rotation(&a->pose, &b->pose);
    AbutTransform frame_b = abut_transform_from_pose_quick(&b->pose);
    group->relative[index] = abut_transform_between(frame_of_a(group, result->a), &frame_b, same);
    result->output.state = ABUT_COLLIDE_SEPARATED;
    result->output.spacing = spacing_of(group, a, b);
    group->waiting[index] = (AbutNarrowQuery){
        .settings = &settings->collide,
        .shape_a = a->shape,
        .shape_b = b->shape,
        .relative = &group->relative[index],
        .length = abut_dvec3_taxicab(group->relative[index].translation),
        .contacts = group->worker->contacts + group->contact_count + index * ABUT_NARROW_CHEAP_CONTACTS,
        .capacity = ABUT_NARROW_CHEAP_CONTACTS,
        .output = &result->output,
    };
    if (!group->has_groups || group->waiting_count == ABUT_NARROW_GROUP)
    {
        solve_waiting(group);
    }
}

static AbutVec3 lane_of(const float (*p)[ABUT_ROUND_LANES], uint32_t lane)
{
    return abut_vec3(p[0][lane], p[1][lane], p[2][lane]);
}

static void read_state(Group* group, AbutPairResult* result, const AbutRoundAnswers* answers, uint32_t lane)
{
    const AbutCollideBody *a = &group->collider->bodies[result->a], *b = &group->collider->bodies[result->b];
    AbutCollideOutput* output = &result->output;
    output->state = (AbutCollideState)answers->state[lane];
    output->gap = answers->gap[lane];
    output->uncertainty = answers->uncertainty[lane];
    output->spacing = spacing_of(group, a, b);
    output->evaluations = 1;
}

/// The contact is written in any case, since no processor foresees whether there is one, and counts or not.
static void read_contact(Group* group, AbutPairResult* result, const AbutRoundAnswers* answers, uint32_t lane)
{
    AbutContact* contact = &group->worker->contacts[group->contact_count];
    uint32_t within = (uint32_t)-answers->within[lane];
    result->output.contact_count = result->output.contact_total = within;
    contact->position = lane_of(answers->position, lane);
    contact->normal = lane_of(answers->normal, lane);
    contact->separation = answers->separation[lane];
    contact->depth = contact->depth_error = contact->shared_length = 0.0f;
    contact->anchor_a = lane_of(answers->anchor_a, lane);
    contact->anchor_b = lane_of(answers->anchor_b, lane);
    contact->id = 0;
    group->contact_count += within;
}

/// State and points of boxes that are within the margin.
static void read_boxes(Group* group, AbutPairResult* result, uint32_t lane)
{
    AbutTransform relative;
    AbutPrimitiveManifold manifold;
    AbutCollideOutput* output = &result->output;
    abut_box_lanes_collide(&group->boxes, &group->pairs[LANES_BOXES], lane, &relative, &manifold);
    output->gap = manifold.low > 0.0 ? abut_round_down(manifold.low) : 0.0f;
    output->state = manifold.low > 0.0  ? ABUT_COLLIDE_SEPARATED
                    : manifold.touching ? ABUT_COLLIDE_CONTACT
                                        : ABUT_COLLIDE_CLOSE;
    output->contact_count = output->contact_total = manifold.count;
    for (uint32_t i = 0; i < manifold.count; ++i)
    {
        abut_primitive_set_contact(&manifold.points[i], &relative,
                                   &group->worker->contacts[group->contact_count++]);
    }
}

static void solve_group(Group* group, const uint32_t* indices, uint32_t count)
{
    const AbutRoundKernels* kernels = abut_round_kernels();
    fill_lanes(group, indices, count);
    kernels->spheres(&group->pairs[LANES_SPHERES], &group->answers[LANES_SPHERES]);
    kernels->capsules(&group->pairs[LANES_CAPSULES], &group->answers[LANES_CAPSULES]);
    kernels->boxes(&group->pairs[LANES_BOXES], &group->answers[LANES_BOXES], &group->boxes);
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutPairResult* result = &group->collider->results[indices[i]];
        LaneKind kind = group->members[i].kind;
        const AbutRoundAnswers* answers = &group->answers[kind == LANES_NONE ? 0 : kind];
        uint32_t lane = group->members[i].lane;
        if (kind == LANES_NONE || answers->unserved[lane] != 0)
        {
            add_waiting(group, result);
        }
        else
        {
            if (group->waiting_count > 0)
            {
                solve_waiting(group);
            }
            read_state(group, result, answers, lane);
            if (kind != LANES_BOXES)
            {
                read_contact(group, result, answers, lane);
            }
            else if (answers->within[lane] != 0)
            {
                read_boxes(group, result, lane);
            }
        }
    }
}

void abut_batch_solve_cheap(AbutCollider* collider, uint32_t block, AbutBatchWorker* worker,
                            AbutBatchTask* task)
{
    Group group;
    group.collider = collider;
    group.worker = worker;
    group.contact_count = 0;
    group.has_frame = false;
    group.method = NULL;
    group.method_of[0] = group.method_of[1] = NULL;
    group.waiting_count = 0;
    group.spacing_of[0] = group.spacing_of[1] = NULL;
    size_t first = (size_t)block * PAIRS_PER_BLOCK, end = first + PAIRS_PER_BLOCK;
    end = end < collider->cheap_count ? end : collider->cheap_count;
    solve_group(&group, collider->cheap + first, (uint32_t)(end - first));
    solve_waiting(&group);
    abut_batch_store(collider, worker->contacts, group.contact_count, task);
}

/// The first of the undecided pairs whose result is not before this one.
static size_t first_undecided_from(const AbutCollider* collider, uint32_t result)
{
    size_t low = 0, high = collider->undecided_count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        bool before = collider->undecided[middle] < result;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

void abut_batch_join_cheap(AbutCollider* collider, uint32_t block)
{
    const AbutBatchStep* step = abut_collider_step(collider);
    const AbutBatchTask* task = &collider->tasks[step->job_count + block];
    const AbutContact* from = collider->pool + task->pool_first;
    size_t first = (size_t)block * PAIRS_PER_BLOCK, end = first + PAIRS_PER_BLOCK;
    end = end < collider->cheap_count ? end : collider->cheap_count;
    size_t undecided = first_undecided_from(collider, collider->cheap[first]);
    for (size_t i = first; i < end;)
    {
        if (undecided < collider->undecided_count && collider->undecided[undecided] == collider->cheap[i])
        {
            ++undecided;
            ++i;
            continue;
        }
        // Contacts of pairs without any other between them come one after the other.
        uint32_t stop = undecided < collider->undecided_count ? collider->undecided[undecided] : UINT32_MAX;
        const AbutPairResult* result = &collider->results[collider->cheap[i]];
        size_t count = 0, start = result->first_contact;
        while (i < end && collider->cheap[i] < stop && result->first_contact == start + count)
        {
            count += result->output.contact_count;
            result = ++i < end ? &collider->results[collider->cheap[i]] : result;
        }
        if (count > 0)
        {
            memcpy(step->contacts + start, from, count * sizeof(from[0]));
            from += count;
        }
    }
}
