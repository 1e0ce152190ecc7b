// Contacts that only seem to close. A contact is a plane, and stands for a surface: beside the rim of a hole, between teeth, or along a thread, bodies that move far in
// a step come to the plane where there is no surface any more. A peg that falls into its hole would be held up by the rim. So contacts that are open and
// would close, if bodies went on as they move, are looked at where those would be then, and later: one whose surfaces do not meet has that much more room.
#include "dynamics/near.h"

#include "vec/double3.h"

#include <math.h>

enum
{
    BATCH = 64,
    TIMES =
        5, // 1/16, 1/8, ... 1 of the step: the first after a contact closes is soon after it, as bodies are not thin for that
    DESCENTS = 3 // steps towards the place where the two are nearest
};

/// Contacts that are open by less than this part of the margin at rest, or that close by less, are what they seem.
#define SEEMS_PART 0.02

/// Cosine of the angle up to which a surface faces the way of a contact.
#define FACES 0.5f

/// And those that are closed further at the first look, as a part of the radius of the largest ball in the thinner solid: they may be through already.
#define THROUGH_PART 0.5

/// Where the two bodies would be after a part of the step.
typedef struct Moment
{
    float time;
    AbutPose a, b_in_a;
} Moment;

typedef struct Future
{
    const AbutShape *shape_a, *shape_b;
    AbutPose start_a;
    AbutBodyWay way_a, way_b;
    Moment start, moments[TIMES];
    double seems, through, spare; // lengths
} Future;

/// Points in the frame of A, and what both shapes are from there.
typedef struct Places
{
    float at[3][BATCH];
    float distance[2][BATCH];
    float gradient[2][3][BATCH];
} Places;

/// Contacts that are looked at together.
typedef struct Closing
{
    AbutContact* contacts[BATCH];
    double gap[BATCH], end[BATCH]; // of the planes, now and at the end of the step
    double more[BATCH];            // room
    float overlap[BATCH];          // that there is beside it now, by other contacts; ≤ 0
    bool meets[BATCH];             // by then surfaces have met
    int count;
} Closing;

/// Those that are closed as planes at a moment, and the smallest gap that was seen beside each.
typedef struct View
{
    const Future* future;
    const Moment* moment;
    const AbutContact* contacts[BATCH];
    float seen[BATCH];
    int which[BATCH];
    int count;
} View;

static void put(Places* places, int i, AbutVec3 at)
{
    places->at[0][i] = at.x;
    places->at[1][i] = at.y;
    places->at[2][i] = at.z;
}

static void sample(const View* view, int side, Places* places)
{
    AbutPoints points = { places->at[0], places->at[1], places->at[2] };
    AbutSamples samples = { places->distance[side], places->gradient[side][0], places->gradient[side][1],
                            places->gradient[side][2] };
    const Future* future = view->future;
    if (view->count == 0)
    {
        return;
    }
    abut_shape_sample(side == 0 ? future->shape_a : future->shape_b, side == 0 ? NULL : &view->moment->b_in_a,
                      points, (size_t)view->count, samples);
}

/// Whether one of the surfaces at a place faces the way of a contact: others that meet there have contacts of their own.
static bool faces(const Places* places, int i, AbutVec3 normal)
{
    float along[2];
    for (int side = 0; side < 2; ++side)
    {
        const float(*g)[BATCH] = places->gradient[side];
        along[side] = g[0][i] * normal.x + g[1][i] * normal.y + g[2][i] * normal.z;
    }
    return -along[0] > FACES || along[1] > FACES;
}

/// The sum of both distances is no less than the gap, and just that where the place is between the two. (Of a foot, too: distances of combined shapes may
/// be too short beside edges, and lead to feet that are on no surface.)
static void see_sums(View* view, Places* places)
{
    sample(view, 0, places);
    sample(view, 1, places);
    for (int i = 0; i < view->count; ++i)
    {
        float gap = places->distance[0][i] + places->distance[1][i];
        if (gap < view->seen[i] && faces(places, i, view->contacts[i]->normal))
        {
            view->seen[i] = gap;
        }
    }
}

/// The nearest points of each surface, taken along by their own body.
static void see_feet(View* view)
{
    Places places;
    for (int i = 0; i < view->count; ++i)
    {
        put(&places, i, view->contacts[i]->anchor_a);
    }
    see_sums(view, &places);
    for (int i = 0; i < view->count; ++i)
    {
        AbutPosition foot = abut_pose_to_outer(&view->moment->b_in_a, view->contacts[i]->anchor_b);
        put(&places, i, abut_vec3((float)foot.x, (float)foot.y, (float)foot.z));
    }
    see_sums(view, &places);
}

/// Away from the one that is further off, to where both are near.
static void descend(Places* places, int count)
{
    for (int i = 0; i < count; ++i)
    {
        int far = places->distance[0][i] >= places->distance[1][i] ? 0 : 1;
        float step = 0.5f * (places->distance[far][i] - fminf(places->distance[1 - far][i], 0.0f));
        for (int axis = 0; axis < 3; ++axis)
        {
            places->at[axis][i] -= step * places->gradient[far][axis][i];
        }
    }
}

/// The place of the contact, taken along by the centre of one of the bodies but not turned: that is where round ones touch. And from there to where they are nearest.
static void see_places(View* view, const AbutBodyWay* way)
{
    Places places;
    double time = (double)view->moment->time;
    for (int i = 0; i < view->count; ++i)
    {
        AbutPosition at = abut_pose_to_outer(&view->future->start_a, view->contacts[i]->position);
        at.x += time * way->move[0];
        at.y += time * way->move[1];
        at.z += time * way->move[2];
        put(&places, i, abut_pose_to_inner(&view->moment->a, at));
    }
    see_sums(view, &places);
    for (int k = 0; k < DESCENTS; ++k)
    {
        descend(&places, view->count);
        see_sums(view, &places);
    }
}

static double gap_at(const Closing* closing, int i, double time)
{
    return closing->gap[i] + time * (closing->end[i] - closing->gap[i]);
}

/// What is seen of all in the view goes to the contacts; those whose surfaces do not meet stay in it. Room is what lets bodies go on as they move, and
/// a little more of what there is: they may come otherwise.
static void note(View* view, Closing* closing)
{
    double scale = (double)view->future->start_a.scale;
    int kept = 0;
    for (int i = 0; i < view->count; ++i)
    {
        int to = view->which[i];
        double gap = gap_at(closing, to, (double)view->moment->time);
        float seen = view->seen[i] - closing->overlap[to];
        closing->more[to] = fmin((double)seen * scale, view->future->spare) - gap;
        closing->meets[to] =
            closing->overlap[to] < 0.0f ? (double)seen * scale < -view->future->seems : seen <= 0.0f;
        if (!closing->meets[to])
        {
            view->which[kept] = to;
            view->contacts[kept] = view->contacts[i];
            view->seen[kept++] = view->seen[i];
        }
    }
    view->count = kept;
}

/// Those that are closed as planes, and whose surfaces have not met before.
static View make_view(const Future* future, const Moment* moment, Closing* closing)
{
    View view;
    view.future = future;
    view.moment = moment;
    view.count = 0;
    for (int i = 0; i < closing->count; ++i)
    {
        double gap = gap_at(closing, i, (double)moment->time);
        bool first = closing->more[i] == 0.0;
        closing->meets[i] = closing->meets[i] || (first && gap < -future->through);
        if (!closing->meets[i] && gap < -future->seems)
        {
            view.seen[view.count] = INFINITY;
            view.contacts[view.count] = closing->contacts[i];
            view.which[view.count++] = i;
        }
    }
    return view;
}

static void look_at(const Future* future, const Moment* moment, Closing* closing)
{
    View view = make_view(future, moment, closing);
    see_feet(&view);
    note(&view, closing);
    see_places(&view, &future->way_a);
    note(&view, closing);
    see_places(&view, &future->way_b);
    note(&view, closing);
}

/// What is pressed into the other now beside a contact does not meet it by that.
static void note_overlaps(const Future* future, Closing* closing)
{
    View view;
    view.future = future;
    view.moment = &future->start;
    view.count = closing->count;
    for (int i = 0; i < view.count; ++i)
    {
        view.seen[i] = 0.0f;
        view.contacts[i] = closing->contacts[i];
    }
    see_feet(&view);
    see_places(&view, &future->way_a);
    for (int i = 0; i < view.count; ++i)
    {
        closing->overlap[i] = view.seen[i];
    }
}

static void give_room(const Future* future, bool overlaps, Closing* closing)
{
    if (overlaps)
    {
        note_overlaps(future, closing);
    }
    for (int k = 0; k < TIMES; ++k)
    {
        look_at(future, &future->moments[k], closing);
    }
    for (int i = 0; i < closing->count; ++i)
    {
        if (closing->more[i] > 0.0)
        {
            closing->contacts[i]->separation += (float)(closing->more[i] / (double)future->start_a.scale);
        }
    }
    closing->count = 0;
}

/// How far apart the planes of a contact are at the end.
static double plane_gap(const Future* future, const AbutBody* a, const AbutBody* b,
                        const AbutContact* contact)
{
    AbutPosition at = abut_pose_to_outer(&future->start_a, contact->position);
    AbutVec3 n = abut_quat_rotate(future->start_a.rotation, contact->normal);
    const double place[3] = { at.x, at.y, at.z }, normal[3] = { n.x, n.y, n.z };
    double arm_a[3], arm_b[3], turn_a[3], turn_b[3], gap = (double)contact->separation;
    abut_subtract(place, a->position, arm_a);
    abut_subtract(place, b->position, arm_b);
    abut_cross(future->way_a.turn, arm_a, turn_a);
    abut_cross(future->way_b.turn, arm_b, turn_b);
    gap *= (double)future->start_a.scale;
    for (int i = 0; i < 3; ++i)
    {
        gap += normal[i] * (future->way_a.move[i] + turn_a[i] - future->way_b.move[i] - turn_b[i]);
    }
    return gap;
}

static AbutPose pose_after(const AbutBody* body, const AbutPose* start, const AbutBodyWay* way, float time)
{
    AbutMotion motion = {
        .linear = abut_vec3((float)way->move[0], (float)way->move[1], (float)way->move[2]),
        .angular = abut_vec3((float)way->turn[0], (float)way->turn[1], (float)way->turn[2]),
        .center = abut_vec3((float)body->center[0], (float)body->center[1], (float)body->center[2]),
    };
    return abut_motion_pose(start, &motion, time);
}

static Moment moment_at(const AbutWorld* world, const Future* future, uint32_t a, uint32_t b, float time)
{
    AbutPose end_b = pose_after(&world->bodies[b], &world->posed[b].pose, &future->way_b, time);
    Moment moment = { .time = time };
    moment.a = pose_after(&world->bodies[a], &future->start_a, &future->way_a, time);
    moment.b_in_a = abut_pose_relative(&moment.a, &end_b);
    return moment;
}

static Future make_future(const AbutWorld* world, uint32_t a, uint32_t b)
{
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    Future future = { .shape_a = body_a->shape, .shape_b = body_b->shape, .start_a = world->posed[a].pose };
    future.way_a = abut_body_free_way(world, body_a);
    future.way_b = abut_body_free_way(world, body_b);
    future.seems = SEEMS_PART * abut_pair_rest_margin(world, body_a, body_b);
    future.spare = abut_pair_rest_margin(world, body_a, body_b);
    future.through = THROUGH_PART * fmin(body_a->inner, body_b->inner);
    future.start = moment_at(world, &future, a, b, 0.0f);
    for (int k = 0; k < TIMES; ++k)
    {
        future.moments[k] = moment_at(world, &future, a, b, 1.0f / (float)(1 << (TIMES - 1 - k)));
    }
    return future;
}

void abut_contacts_foresee(const AbutWorld* world, uint32_t a, uint32_t b, AbutContact* contacts, int count)
{
    const AbutBody *body_a = &world->bodies[a], *body_b = &world->bodies[b];
    Future future = make_future(world, a, b);
    Closing closing;
    closing.count = 0;
    bool overlaps = false;
    for (int i = 0; i < count; ++i)
    {
        overlaps = overlaps || contacts[i].separation < 0.0f;
    }
    for (int i = 0; i < count; ++i)
    {
        double gap = (double)contacts[i].separation * (double)future.start_a.scale;
        double end = plane_gap(&future, body_a, body_b, &contacts[i]);
        if (gap > future.seems && end < -future.seems)
        {
            int to = closing.count++;
            closing.contacts[to] = &contacts[i];
            closing.gap[to] = gap;
            closing.end[to] = end;
            closing.more[to] = 0.0;
            closing.meets[to] = false;
            closing.overlap[to] = 0.0f;
        }
        if (closing.count == BATCH || i + 1 == count)
        {
            give_room(&future, overlaps, &closing);
        }
    }
}
