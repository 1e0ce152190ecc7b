// The method "primitives": spheres, capsules, boxes, rounded boxes and planes in closed form, spheres and
// capsules against any shape by a few samples; few contacts.
#include "contact/contact_list.h"
#include "math/rounding.h"
#include "narrow/convex/line_depth.h"
#include "narrow/method.h"
#include "narrow/primitive/ball.h"
#include "narrow/primitive/manifold.h"
#include "narrow/primitive/swept_ball.h"

#include <math.h>
#include <string.h>

/// A ball or a capsule whose radius is over 0, and another shape that is not empty.
static bool is_sphere_or_capsule_for(AbutShapeKind kind, const AbutShape* own, const AbutShape* other)
{
    if (abut_shape_leaf(own)->info.kind != kind || abut_box_is_empty(own->info.bounds))
    {
        return false;
    }
    AbutResolvedShape resolved = abut_shape_resolve(own);
    double radius = abut_shape_parameters(resolved.leaf)[0] * resolved.frame.scale + resolved.offset;
    return radius > 0.0 && !abut_box_is_empty(other->info.bounds);
}

static bool is_ball_for(const AbutShape* ball, const AbutShape* other)
{
    return is_sphere_or_capsule_for(ABUT_SHAPE_SPHERE, ball, other);
}

static bool is_capsule_for(const AbutShape* capsule, const AbutShape* other)
{
    return is_sphere_or_capsule_for(ABUT_SHAPE_CAPSULE, capsule, other);
}

static bool serves(const AbutShape* a, const AbutShape* b)
{
    return abut_core_pair_is_known(a, b) || is_ball_for(a, b) || is_ball_for(b, a) || is_capsule_for(a, b) ||
           is_capsule_for(b, a);
}

static double largest_extent(const AbutShape* shape)
{
    AbutVec3 e = abut_box_extents(shape->info.bounds);
    return (double)fmaxf(e.x, fmaxf(e.y, e.z));
}

/// A body on a ball larger than itself, by samples of its distance, needs points of its own features; so may
/// one on a capsule, and one whose distance has several parts.
static bool suits_worlds(const AbutShape* a, const AbutShape* b)
{
    bool ball_is_a = abut_shape_leaf(a)->info.kind == ABUT_SHAPE_SPHERE;
    const AbutShape *ball = ball_is_a ? a : b, *other = ball_is_a ? b : a;
    AbutShapeKind kind = abut_shape_leaf(other)->info.kind;
    bool whole = kind <= ABUT_SHAPE_PLANE || kind == ABUT_SHAPE_FIELD;
    return abut_core_pair_is_known(a, b) || (abut_shape_leaf(ball)->info.kind == ABUT_SHAPE_SPHERE && whole &&
                                             largest_extent(ball) <= largest_extent(other));
}

static void store_contacts(const AbutNarrowQuery* query, const AbutPrimitiveManifold* manifold)
{
    AbutContact contacts[ABUT_PRIMITIVE_POINTS];
    uint32_t count = manifold->count;
    AbutContact* out = count <= query->capacity ? query->contacts : contacts;
    for (uint32_t i = 0; i < count; ++i)
    {
        abut_primitive_set_contact(&manifold->points[i], query->relative, &out[i]);
    }
    query->output->contact_total = count;
    query->output->contact_count = count;
    if (out == contacts)
    {
        uint32_t kept = (uint32_t)abut_contacts_keep_deepest(contacts, count, query->capacity);
        memcpy(query->contacts, contacts, kept * sizeof(contacts[0]));
        query->output->contact_count = kept;
    }
}

/// Points that were found as if B were the shape and A the ball.
static void exchange(AbutPrimitiveManifold* manifold)
{
    for (uint32_t i = 0; i < manifold->count; ++i)
    {
        AbutPrimitivePoint* p = &manifold->points[i];
        AbutDVec3 on_shape = p->on_b;
        p->on_b = p->on_a;
        p->on_a = on_shape;
        p->normal = abut_dvec3_neg(p->normal);
    }
}

/// From the frame of B to that of A.
static void transform(AbutPrimitiveManifold* manifold, const AbutTransform* relative)
{
    for (uint32_t i = 0; i < manifold->count; ++i)
    {
        AbutPrimitivePoint* p = &manifold->points[i];
        p->on_a = abut_transform_point(relative, p->on_a);
        p->on_b = abut_transform_point(relative, p->on_b);
        p->normal = abut_transform_rotate(relative, p->normal);
        p->separation *= relative->scale;
    }
    manifold->low *= relative->scale * (1.0 - 1e-14);
}

/// State, gap and contacts of a pair.
static void store_output(const AbutNarrowQuery* query, double uncertainty,
                         const AbutPrimitiveManifold* manifold)
{
    AbutCollideOutput* output = query->output;
    output->uncertainty = abut_round_up(uncertainty);
    output->gap = manifold->low > 0.0 ? abut_round_down(manifold->low) : 0.0f;
    output->evaluations = 1;
    output->state = manifold->low > 0.0  ? ABUT_COLLIDE_SEPARATED
                    : manifold->touching ? ABUT_COLLIDE_CONTACT
                                         : ABUT_COLLIDE_CLOSE;
    if (query->capacity > 0 && manifold->count > 0)
    {
        store_contacts(query, manifold);
    }
}

static void collide_cores(const AbutNarrowQuery* query)
{
    AbutCorePair pair;
    AbutPrimitiveManifold manifold;
    abut_core_pair_make(query->shape_a, query->shape_b, query->relative, query->length, &pair);
    abut_primitive_collide(&pair, query->settings->margin, query->capacity > 0, &manifold);
    store_output(query, 4.0 * pair.rounding, &manifold);
}

/// Pairs of one ball and one other shape, which is not a core.
typedef struct BallPairs
{
    bool ball_is_a;
    double scale; // of the unit of the shape in that of A
    AbutBallQuery balls[ABUT_BALLS];
    AbutPrimitiveManifold manifolds[ABUT_BALLS];
    float errors[ABUT_BALLS];
} BallPairs;

_Static_assert((int)ABUT_BALLS == (int)ABUT_NARROW_GROUP, "a group of pairs is a group of balls");

/// The ball of a pair in the frame of the other shape.
static AbutBallQuery make_ball(const AbutNarrowQuery* query, bool ball_is_a)
{
    AbutCorePair pair;
    abut_core_pair_make(query->shape_a, query->shape_b, query->relative, query->length, &pair);
    const AbutCore* ball = ball_is_a ? &pair.a : &pair.b;
    double scale = ball_is_a ? query->relative->scale : 1.0;
    AbutBallQuery own = {
        .center = ball_is_a ? abut_transform_inverse_point(query->relative, ball->center) : ball->center,
        .radius = ball->radius / scale,
        .margin = query->settings->margin / scale,
        .wants_points = query->capacity > 0,
    };
    own.rounding = pair.rounding / scale + ABUT_TRANSFORM_ROUNDING * abut_dvec3_taxicab(own.center);
    return own;
}

/// From the frame of the shape, which is not the round one, to that of A.
static void store_sampled(const AbutNarrowQuery* query, bool first_is_a, double uncertainty,
                          AbutPrimitiveManifold* manifold)
{
    double scale = first_is_a ? query->relative->scale : 1.0;
    if (first_is_a)
    {
        transform(manifold, query->relative);
    }
    else
    {
        exchange(manifold);
    }
    store_output(query, uncertainty * scale, manifold);
    if (!manifold->touching && !(manifold->low > 0.0) && !manifold->close)
    {
        // The gap or overlap is larger than the uncertainty, but not proved by samples.
        query->output->state = ABUT_COLLIDE_UNDECIDED; // left to branch and bound
    }
}

static void collide_balls(const AbutNarrowQuery* queries, size_t count)
{
    BallPairs pairs;
    const AbutShape *a = queries->shape_a, *b = queries->shape_b;
    bool ball_is_a = is_ball_for(a, b);
    for (size_t i = 0; i < count; ++i)
    {
        pairs.balls[i] = make_ball(&queries[i], ball_is_a);
    }
    abut_balls_collide(ball_is_a ? b : a, pairs.balls, count, pairs.manifolds, pairs.errors);
    for (size_t i = 0; i < count; ++i)
    {
        double uncertainty = (double)pairs.errors[i] + pairs.balls[i].rounding;
        store_sampled(&queries[i], ball_is_a, uncertainty, &pairs.manifolds[i]);
    }
}

static void collide_capsule(const AbutNarrowQuery* query)
{
    AbutCorePair pair;
    AbutPrimitiveManifold manifold;
    bool is_a = is_capsule_for(query->shape_a, query->shape_b);
    abut_core_pair_make(query->shape_a, query->shape_b, query->relative, query->length, &pair);
    const AbutCore* capsule = is_a ? &pair.a : &pair.b;
    double scale = is_a ? query->relative->scale : 1.0;
    AbutSweptBallQuery own = {
        .radius = capsule->radius / scale,
        .rounding = pair.rounding / scale,
        .margin = query->settings->margin / scale,
        .wants_points = query->capacity > 0,
    };
    for (int i = 0; i < 2; ++i)
    {
        AbutDVec3 end = abut_dvec3_mul_add(capsule->center, i == 0 ? -capsule->half.y : capsule->half.y,
                                           capsule->axes[1]);
        own.ends[i] = is_a ? abut_transform_inverse_point(query->relative, end) : end;
        own.rounding += ABUT_TRANSFORM_ROUNDING * abut_dvec3_taxicab(own.ends[i]);
    }
    AbutSweptBallResult result =
        abut_swept_ball_collide(is_a ? query->shape_b : query->shape_a, &own, &manifold);
    store_sampled(query, is_a, (double)result.error + own.rounding, &manifold);
    query->output->evaluations = result.samples;
}

static bool has_groups(const AbutShape* a, const AbutShape* b)
{
    return !abut_core_pair_is_known(a, b) && (is_ball_for(a, b) || is_ball_for(b, a));
}

static void collide(const AbutNarrowQuery* query)
{
    const AbutShape *a = query->shape_a, *b = query->shape_b;
    if (abut_core_pair_is_known(a, b))
    {
        collide_cores(query);
    }
    else if (is_ball_for(a, b) || is_ball_for(b, a))
    {
        collide_balls(query, 1);
    }
    else
    {
        collide_capsule(query);
    }
}

static void find_speculative(const AbutNarrowQuery* query)
{
    collide(query);
    bool apart = query->output->gap > query->settings->margin;
    query->output->state = apart ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_UNDECIDED;
    query->output->gap = apart ? query->output->gap : 0.0f;
}

static double core_height(const void* solid, AbutDVec3 point)
{
    const AbutCore* core = solid;
    double distance = core->kind == ABUT_CORE_POINT ? abut_dvec3_distance(point, core->center)
                                                    : abut_core_distance_at(core, point);
    return distance - core->radius;
}

static double size_of(const AbutCore* core)
{
    AbutDVec3 h = core->half;
    return core->kind == ABUT_CORE_HALF_SPACE ? INFINITY
                                              : core->radius + abut_larger(h.x, abut_larger(h.y, h.z));
}

static void measure_depth(const AbutNarrowQuery* query)
{
    AbutCorePair pair;
    const AbutTransform identity = abut_transform_identity();
    abut_core_pair_make(query->shape_a, query->shape_b, query->relative, query->length, &pair);
    const AbutLineSolids solids = {
        .height = { core_height, core_height },
        .solid = { &pair.a, &pair.b },
        .rounding = 4.0 * pair.rounding,
        .size = abut_smaller(size_of(&pair.a), size_of(&pair.b)),
    };
    abut_measure_line_depths(&solids, &identity, query->relative, query->contacts,
                             query->output->contact_count);
}

const AbutNarrowMethod abut_narrow_primitives = {
    .name = "primitives",
    .serves = serves,
    .needs = "a sphere or a capsule, or two of box, rounded box and plane (not two)",
    .is_cheap = serves,
    .collide = collide,
    .has_groups = has_groups,
    .collide_group = collide_balls,
    .measures_depth = abut_core_pair_is_known,
    .measure_depth = measure_depth,
    .speculative = find_speculative,
    .suits_worlds = suits_worlds,
    .has_convex_manifold = abut_core_pair_is_known,
};
