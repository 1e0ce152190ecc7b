// The method "hull": balls that cover the surface of one shape against the distance of the other (Adding SDF
// collision to Bullet Physics), with proofs that count the error of the cover.
#include "contact/contact_list.h"
#include "math/rounding.h"
#include "narrow/method.h"
#include "narrow/point_hull/touches.h"
#include "shape/resolve.h"

#include <math.h>

/// A query by point hulls.
typedef struct HullQuery
{
    const AbutNarrowQuery* query;
    AbutBallSearch* search;
    AbutBallContacts contacts;
    float margin, tolerance;
    bool wants_proof;
    bool is_contact; // proved
} HullQuery;

static bool has_points(const AbutShape* shape)
{
    AbutKeptHull kept = abut_point_hull_find(shape);
    return kept.hull != NULL && kept.hull->block->count > 0;
}

static bool serves(const AbutShape* a, const AbutShape* b)
{
    return has_points(a) || has_points(b);
}

static bool may_have_points(const AbutShape* shape)
{
    return !abut_box_is_empty(shape->info.bounds) && abut_box_is_finite(shape->info.bounds);
}

static bool could_serve(const AbutShape* a, const AbutShape* b)
{
    return may_have_points(a) || may_have_points(b);
}

static AbutResult attach_hull(AbutShape* shape)
{
    AbutPointHullDef def = abut_point_hull_def();
    AbutPointHull* hull = NULL;
    if (has_points(shape) || !may_have_points(shape))
    {
        return ABUT_OK;
    }
    AbutResult result = abut_point_hull_create(&def, shape, &hull);
    result = result == ABUT_OK ? abut_point_hull_attach(hull, shape) : result;
    abut_point_hull_destroy(hull);
    return result;
}

/// Hulls of the default size, unless one of the two has one already: then the other may have none on purpose.
static AbutResult prepare(AbutShape* a, AbutShape* b)
{
    if (serves(a, b))
    {
        return ABUT_OK;
    }
    AbutResult result = attach_hull(a);
    return result == ABUT_OK ? attach_hull(b) : result;
}

static AbutResult check(const AbutCollideSettings* settings)
{
    const AbutHullSettings* own = &settings->hull;
    if (!abut_vec3_is_finite(own->linear) || !abut_vec3_is_finite(own->angular))
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: the motion of the step is not finite");
    }
    return ABUT_OK;
}

static bool vectors_equal(AbutVec3 a, AbutVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool settings_equal(const AbutCollideSettings* first, const AbutCollideSettings* second)
{
    const AbutHullSettings *a = &first->hull, *b = &second->hull;
    return a->corners == b->corners && a->tree == b->tree && a->correct == b->correct && a->keep == b->keep &&
           vectors_equal(a->linear, b->linear) && vectors_equal(a->angular, b->angular) &&
           a->counts == b->counts;
}

/// The displacement of the step. B without an end moves as far as the origin of A may see it: not beyond the
/// boxes.
static float margin_beyond(const AbutCollideSettings* settings, const AbutTransform* relative,
                           const AbutShape* b)
{
    double linear = (double)abut_vec3_length(settings->hull.linear),
           angular = (double)abut_vec3_length(settings->hull.angular);
    double radius = abut_box_is_finite(b->info.bounds)
                        ? relative->scale * (double)abut_shape_box_radius(b->info.bounds)
                        : 0.0;
    return abut_round_up((linear + angular * radius) * (1.0 + 1e-6));
}

/// The hull with the smaller error plays the points; of equals the one with fewer balls, then that of A.
static AbutBallSide choose_side(const AbutPair* pair)
{
    AbutBallSide sides[2];
    abut_ball_side_make(pair, 0, &sides[0]);
    abut_ball_side_make(pair, 1, &sides[1]);
    if (sides[0].hull == NULL || sides[1].hull == NULL)
    {
        return sides[0].hull != NULL ? sides[0] : sides[1];
    }
    double a = (double)sides[0].hull->block->error * sides[0].frame.scale,
           b = (double)sides[1].hull->block->error * sides[1].frame.scale;
    uint32_t count_a = sides[0].hull->block->count, count_b = sides[1].hull->block->count;
    return b < a || (a == b && count_b < count_a) ? sides[1] : sides[0];
}

// -----------------------------------------------------------------------------------------------------------
// Passes
// -----------------------------------------------------------------------------------------------------------

/// All balls of one side: their contacts, and a common point where one is proved. Without room for contacts
/// the first proof ends it.
static bool run_pass(HullQuery* self, const AbutBallSide* balls)
{
    AbutBallSearch* search = self->search;
    double limit = balls->error + (double)self->margin;
    bool wants_contacts = self->contacts.capacity > 0;
    if (!abut_ball_search_begin(search, self->query->pair, &self->query->settings->hull, balls, limit))
    {
        return false;
    }
    while ((wants_contacts || !self->is_contact) && abut_ball_search_next(search) > 0)
    {
        bool hit =
            wants_contacts && abut_ball_touches_add(search, self->margin, self->tolerance, &self->contacts);
        self->is_contact = self->is_contact || hit;
        if (self->wants_proof && !self->is_contact)
        {
            self->is_contact = abut_ball_touches_prove(search);
        }
    }
    return true;
}

typedef enum Containment
{
    APART,     // proved: no part of the solid with the distance is inside of that with the points
    INSIDE,    // proved: a part is; the query has its contacts
    UNDECIDED, // neither
} Containment;

/// A point of a solid that is known to be in one piece, in its own frame.
static bool find_point_inside(const AbutShape* shape, AbutDVec3* out)
{
    AbutResolvedShape resolved = abut_shape_resolve(shape);
    AbutShapeKind kind = resolved.leaf->info.kind;
    bool known = kind <= ABUT_SHAPE_TORUS && resolved.offset >= 0.0;
    double aside = kind == ABUT_SHAPE_TORUS ? abut_shape_parameters(resolved.leaf)[0] : 0.0;
    *out = abut_transform_point(&resolved.frame, abut_dvec3(aside, 0.0, 0.0));
    return known;
}

/// The solid without a hull, whose one piece is outside of the other when one of its points is.
static Containment test_point_inside(HullQuery* self, int side, AbutDVec3 inside)
{
    AbutPair* pair = self->query->pair;
    AbutPairBatch* batch = &self->search->batch;
    const AbutPairSide* own = &pair->sides[side];
    AbutDVec3 at = own->has_transform ? abut_transform_point(&own->frame, inside) : inside;
    batch->count = 1;
    abut_pair_batch_set(batch, 0, abut_dvec3_to_vec3(at));
    abut_pair_set_region(pair, abut_box_add_point(pair->box, abut_pair_batch_point(batch, 0)));
    abut_pair_sample(pair, batch, false);
    if (abut_pair_is_hit(pair, batch, 0))
    {
        self->is_contact = true;
        return INSIDE;
    }
    // The point is in its solid by samples of both.
    bool in_own = (double)batch->distance[side][0] + (double)own->error <= 0.0;
    return in_own && abut_pair_low(pair, 1 - side, batch, 0, 0.0f) > 0.0f ? APART : UNDECIDED;
}

/// Balls of the first pass are all further than `gap` from the solid `side`. It may still have a part inside
/// of the other: then its own balls are in there.
static Containment test_containment(HullQuery* self, int side)
{
    const AbutShape* shape = self->query->pair->sides[side].shape;
    AbutShapeKind kind = abut_shape_leaf(shape)->info.kind;
    AbutBallSide balls;
    AbutDVec3 inside;
    if (kind == ABUT_SHAPE_PLANE || kind == ABUT_SHAPE_HEIGHTFIELD)
    {
        return APART; // in one piece, and infinite
    }
    if (self->contacts.capacity == 0 && find_point_inside(shape, &inside))
    {
        return test_point_inside(self, side, inside);
    }
    abut_ball_side_make(self->query->pair, side, &balls);
    if (balls.hull != NULL)
    {
        bool done = run_pass(self, &balls);
        bool apart = done && !self->search->is_broken && self->search->least > balls.error;
        return self->is_contact ? INSIDE : apart ? APART : UNDECIDED;
    }
    return find_point_inside(shape, &inside) ? test_point_inside(self, side, inside) : UNDECIDED;
}

// -----------------------------------------------------------------------------------------------------------
// Answers
// -----------------------------------------------------------------------------------------------------------

static void store_contacts(HullQuery* self)
{
    AbutCollideOutput* output = self->query->output;
    uint32_t keep = self->query->settings->hull.keep;
    abut_contacts_sort(self->contacts.items, self->contacts.count);
    output->contact_total = (uint32_t)self->contacts.total;
    output->contact_count = (uint32_t)self->contacts.count;
    if (keep > 0 && output->contact_count > keep)
    {
        output->contact_count =
            abut_contacts_reduce(self->contacts.items, output->contact_count, keep).kept_count;
    }
}

/// State and gap from the passes; `gap` is proved of the balls of the first one, and `apart` that nothing is
/// contained.
static void store_state(HullQuery* self, double gap, bool is_broken, Containment containment)
{
    AbutCollideOutput* output = self->query->output;
    bool apart_by_boxes = output->gap > 0.0f;
    bool separated = gap > 0.0 && containment == APART && !is_broken;
    if (separated)
    {
        output->gap = fmaxf(output->gap, abut_round_down(gap * (1.0 - 1e-12)));
    }
    output->state = separated || apart_by_boxes ? ABUT_COLLIDE_SEPARATED
                    : self->is_contact          ? ABUT_COLLIDE_CONTACT
                    : is_broken && gap > 0.0    ? ABUT_COLLIDE_NONE_FOUND
                    : is_broken || !(gap > 0.0) ? ABUT_COLLIDE_CLOSE
                                                : ABUT_COLLIDE_UNDECIDED;
}

/// Both passes; the state is in the output as that of abut_collide().
static void solve(HullQuery* self, bool* served)
{
    const AbutNarrowQuery* query = self->query;
    AbutBallSearch* search = self->search;
    AbutBallSide balls = choose_side(query->pair);
    *served = run_pass(self, &balls);
    if (!*served)
    {
        return;
    }
    double gap = search->least - balls.error;
    bool is_broken = search->is_broken;
    AbutHullCounts counts = search->counts;
    Containment containment = UNDECIDED;
    if (!self->is_contact && gap > 0.0)
    {
        containment = test_containment(self, 1 - balls.side);
    }
    store_state(self, gap, is_broken, containment);
    query->output->uncertainty =
        abut_round_up((double)abut_pair_uncertainty(query->pair) + 2.0 * balls.error);
    if (query->settings->hull.counts != NULL)
    {
        *query->settings->hull.counts = counts;
    }
    store_contacts(self);
}

static HullQuery make_query(const AbutNarrowQuery* query, bool wants_proof)
{
    const AbutCollideSettings* settings = query->settings;
    return (HullQuery){
        .query = query,
        .search = &query->scratch->balls,
        .contacts = { .items = query->contacts, .capacity = query->capacity },
        .margin = settings->margin,
        .tolerance = 0.5f * abut_pair_tolerance(query->pair->size, settings->tolerance),
        .wants_proof = wants_proof,
    };
}

static void collide(const AbutNarrowQuery* query)
{
    HullQuery self = make_query(query, query->output->gap == 0.0f);
    bool served;
    solve(&self, &served);
    if (!served)
    {
        query->output->state = ABUT_COLLIDE_UNDECIDED;
    }
}

static void find_speculative(const AbutNarrowQuery* query)
{
    HullQuery self = make_query(query, false);
    AbutCollideOutput* output = query->output;
    bool served;
    solve(&self, &served);
    bool apart = served && output->state == ABUT_COLLIDE_SEPARATED && output->gap > query->settings->margin;
    output->state = apart ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_UNDECIDED;
    output->gap = apart ? output->gap : 0.0f;
}

const AbutNarrowMethod abut_narrow_hull = {
    .name = "hull",
    .serves = serves,
    .needs = "a point hull (abut_point_hull_attach()) of one of the shapes, which is finite",
    .could_serve = could_serve,
    .prepare = prepare,
    .leaves_other_pairs = true,
    .needs_pair = true,
    .needs_scratch = true,
    .check = check,
    .settings_equal = settings_equal,
    .margin_beyond = margin_beyond,
    .collide = collide,
    .speculative = find_speculative,
};
