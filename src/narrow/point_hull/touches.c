#include "narrow/point_hull/touches.h"

#include "contact/contact_list.h"
#include "narrow/contacts/project.h"

#include <math.h>

enum
{
    PROJECTION_STEPS = 8,
    ENTER_STEPS = 8
};

/// Depth in both solids at which points are proved to be in them, in errors of samples.
static const float ENTERED = 2.0f;

/// Projections aim at a little less than the distance at which points have arrived.
static const float AIM = 0.98f;

/// Bits of an id above the number of the ball.
static const uint64_t SIDE_B = UINT64_C(1) << 32;

static AbutVec3 gradient_of(const AbutPairBatch* batch, int side, size_t i)
{
    return abut_vec3(batch->gradient[side][0][i], batch->gradient[side][1][i], batch->gradient[side][2][i]);
}

static void copy_sample(const AbutPairBatch* from, size_t i, AbutPairBatch* to, size_t k)
{
    to->distance[0][k] = from->distance[0][i];
    to->distance[1][k] = from->distance[1][i];
    for (int axis = 0; axis < 3; ++axis)
    {
        to->at[axis][k] = from->at[axis][i];
        to->gradient[0][axis][k] = from->gradient[0][axis][i];
        to->gradient[1][axis][k] = from->gradient[1][axis][i];
    }
}

/// The batch becomes the centers of the balls, with samples and gradients of the other solid.
static void sample_balls(AbutBallSearch* search)
{
    const AbutBallTouches* touches = &search->touches;
    search->batch.count = touches->count;
    for (uint32_t i = 0; i < touches->count; ++i)
    {
        abut_pair_batch_set(&search->batch, i,
                            abut_vec3(touches->at[0][i], touches->at[1][i], touches->at[2][i]));
    }
    abut_pair_sample_side(search->pair, search->other, &search->batch, true);
}

/// Distance of the other solid from the center of ball i; that of a broken formula is corrected.
static float distance_of(const AbutBallSearch* search, uint32_t i)
{
    float distance = search->touches.distance[i];
    return search->is_broken ? distance / search->pair->sides[search->other].slope : distance;
}

/// Moves center i by `length` towards the other solid.
static void move_towards(AbutBallSearch* search, uint32_t i, float length)
{
    AbutVec3 g = gradient_of(&search->batch, search->other, i);
    float g_length = abut_vec3_length(g);
    if (g_length > 0.0f)
    {
        AbutVec3 at = abut_pair_batch_point(&search->batch, i);
        abut_pair_batch_set(&search->batch, i, abut_vec3_sub(at, abut_vec3_scale(g, length / g_length)));
    }
}

/// Points inside of both move to the nearer surface, from within, unless that leads out of the other one.
static void move_outward(AbutBallSearch* search, float tolerance)
{
    AbutPairBatch *batch = &search->batch, *moved = &search->moved;
    uint32_t origin[ABUT_PAIR_BATCH];
    moved->count = 0;
    for (size_t i = 0; i < batch->count; ++i)
    {
        int side = batch->distance[0][i] < batch->distance[1][i] ? 1 : 0;
        float nearer = batch->distance[side][i];
        AbutVec3 g = gradient_of(batch, side, i);
        float squared = abut_vec3_dot(g, g);
        if (nearer < -tolerance && squared > 1e-6f)
        {
            AbutVec3 at = abut_pair_batch_point(batch, i);
            origin[moved->count] = (uint32_t)i;
            abut_pair_batch_set(moved, moved->count++,
                                abut_vec3_sub(at, abut_vec3_scale(g, nearer / squared)));
        }
    }
    if (moved->count > 0)
    {
        abut_pair_sample(search->pair, moved, true);
    }
    for (size_t k = 0; k < moved->count; ++k)
    {
        if (moved->distance[0][k] <= tolerance && moved->distance[1][k] <= tolerance)
        {
            copy_sample(moved, k, batch, origin[k]);
        }
    }
}

static void scale_broken(const AbutBallSearch* search, AbutContactCandidate* candidate)
{
    float factor = 1.0f / search->pair->sides[search->other].slope;
    candidate->distance[search->other] *= factor;
    for (int axis = 0; axis < 3; ++axis)
    {
        candidate->gradient[search->other][axis] *= factor;
    }
}

static void add_contact(AbutBallSearch* search, uint32_t i, float target, AbutBallContacts* out)
{
    AbutContactCandidate candidate = abut_contact_candidate_at(&search->batch, i);
    if (search->is_broken)
    {
        scale_broken(search, &candidate);
    }
    float most = target + 0.5f * search->touches.travel[i];
    float a = candidate.distance[0], b = candidate.distance[1];
    // The samples of a broken formula have arrived before its distance has.
    if (!(a <= most && b <= most) && !(search->is_broken && a + b <= 2.0f * most))
    {
        return;
    }
    AbutContact contact;
    uint64_t id = (uint64_t)search->touches.index[i] | (search->balls.side == 1 ? SIDE_B : 0);
    abut_contact_make(search->pair, &candidate, id, &contact);
    if (abut_contact_is_finite(&contact))
    {
        ++out->total;
        abut_contacts_offer(out->items, &out->count, out->capacity, &contact);
    }
}

static bool is_any_hit(const AbutBallSearch* search)
{
    bool hit = false;
    for (size_t i = 0; i < search->batch.count && !hit; ++i)
    {
        hit = abut_pair_is_hit(search->pair, &search->batch, i);
    }
    return hit;
}

bool abut_ball_touches_add(AbutBallSearch* search, float margin, float tolerance, AbutBallContacts* out)
{
    float target = 0.5f * margin + tolerance, widest = 0.0f;
    sample_balls(search);
    for (uint32_t i = 0; i < search->touches.count; ++i)
    {
        // The end of the ball in the other solid; across a gap, half way.
        float radius = search->touches.radius[i], distance = distance_of(search, i);
        move_towards(search, i, distance > radius ? 0.5f * (distance + radius) : radius);
        widest = fmaxf(widest, search->touches.travel[i]);
    }
    abut_narrow_project(search->pair, &search->batch, PROJECTION_STEPS, AIM * (target + 0.5f * widest));
    bool hit = is_any_hit(search);
    move_outward(search, tolerance);
    for (uint32_t i = 0; i < search->touches.count; ++i)
    {
        add_contact(search, i, target, out);
    }
    return hit;
}

bool abut_ball_touches_prove(AbutBallSearch* search)
{
    uint32_t kept = 0;
    sample_balls(search);
    for (uint32_t i = 0; i < search->touches.count; ++i)
    {
        float radius = search->touches.radius[i], distance = distance_of(search, i);
        if (distance - radius <= (float)search->balls.error)
        {
            // Half way between the surface of the other solid and the end of the ball.
            move_towards(search, i, fmaxf(0.5f * (distance + radius), 0.0f));
            abut_pair_batch_set(&search->batch, kept++, abut_pair_batch_point(&search->batch, i));
        }
    }
    search->batch.count = kept;
    if (kept == 0)
    {
        return false;
    }
    abut_pair_sample(search->pair, &search->batch, false);
    if (is_any_hit(search))
    {
        return true;
    }
    abut_narrow_project(search->pair, &search->batch, ENTER_STEPS,
                        -ENTERED * abut_pair_uncertainty(search->pair));
    return is_any_hit(search);
}
