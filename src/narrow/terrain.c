// The method "terrain": balls and capsules against a heightfield, in closed form and in double.
//
// The solids touch when the distance from the core (a point or a segment) to the surface is at most the
// radius. Contacts are the feet of perpendiculars on the surface: one for a ball on a slope, two in a valley,
// one per end of a capsule and one per edge that it lies across.
#include "math/rounding.h"
#include "narrow/method.h"
#include "shape/resolve.h"
#include "shape/terrain/features.h"

enum
{
    MAX_SAMPLES = 512 // of a segment beyond the border, before it is ABUT_COLLIDE_CLOSE
};

/// Both shapes in the frame of A, and the core in that of the heightfield.
typedef struct TerrainPair
{
    const AbutHeightfield* field;
    AbutTransform frame; // of the heightfield in A
    AbutDVec3 core[2];   // ends, relative to the origin of the heightfield
    double ball;         // radius of the ball or capsule
    double crust;        // offset of the terrain
    double error;        // of distances
    bool terrain_is_b;
} TerrainPair;

static bool is_round(const AbutResolvedShape* shape)
{
    AbutShapeKind kind = shape->leaf->info.kind;
    if (kind != ABUT_SHAPE_SPHERE && kind != ABUT_SHAPE_CAPSULE)
    {
        return false;
    }
    return abut_shape_parameters(shape->leaf)[0] * shape->frame.scale + shape->offset > 0.0;
}

static bool is_terrain(const AbutResolvedShape* shape)
{
    return shape->leaf->info.kind == ABUT_SHAPE_HEIGHTFIELD && shape->offset >= 0.0;
}

static bool serves(const AbutShape* a, const AbutShape* b)
{
    AbutResolvedShape one = abut_shape_resolve(a), other = abut_shape_resolve(b);
    return (is_terrain(&one) && is_round(&other)) || (is_round(&one) && is_terrain(&other));
}

/// Lengths whose rounding a distance has, in the unit of A; `scale` is that of the shape's unit.
static double length_of(const AbutResolvedShape* shape, const AbutTransform* in_a, double scale)
{
    return scale * shape->length +
           (shape->levels + 2.0) *
               (abut_dvec3_taxicab(in_a->translation) + in_a->scale * (double)shape->leaf->rounding.length +
                scale * shape->offset);
}

static TerrainPair make_pair(const AbutNarrowQuery* query)
{
    TerrainPair pair = { 0 };
    AbutResolvedShape a = abut_shape_resolve(query->shape_a), b = abut_shape_resolve(query->shape_b);
    pair.terrain_is_b = b.leaf->info.kind == ABUT_SHAPE_HEIGHTFIELD;
    AbutTransform b_in_a = abut_transform_multiply(query->relative, &b.frame);
    double scale_b = query->relative->scale;
    const AbutResolvedShape *terrain = pair.terrain_is_b ? &b : &a, *ball = pair.terrain_is_b ? &a : &b;
    const AbutTransform* in_a = pair.terrain_is_b ? &a.frame : &b_in_a; // the ball
    const double* numbers = abut_shape_parameters(ball->leaf);
    pair.field = (const AbutHeightfield*)terrain->leaf;
    pair.frame = pair.terrain_is_b ? b_in_a : a.frame;
    pair.ball = numbers[0] * in_a->scale + ball->offset * (pair.terrain_is_b ? 1.0 : scale_b);
    pair.crust = terrain->offset * (pair.terrain_is_b ? scale_b : 1.0);
    double half = ball->leaf->info.kind == ABUT_SHAPE_CAPSULE ? numbers[1] : 0.0;
    for (int end = 0; end < 2; ++end)
    {
        AbutDVec3 at = abut_transform_point(in_a, abut_dvec3(0.0, end == 0 ? -half : half, 0.0));
        pair.core[end] = abut_dvec3_sub(abut_transform_inverse_point(&pair.frame, at), pair.field->origin);
    }
    double lengths = query->length + length_of(&a, &a.frame, 1.0) + length_of(&b, &b_in_a, scale_b) +
                     in_a->scale * (numbers[0] + half);
    pair.error = ABUT_TRANSFORM_ROUNDING * 2.0 * lengths;
    return pair;
}

// -----------------------------------------------------------------------------------------------------------
// Distance of the core
// -----------------------------------------------------------------------------------------------------------

static bool is_ball(const TerrainPair* pair)
{
    return abut_dvec3_squared_length(abut_dvec3_sub(pair->core[0], pair->core[1])) == 0.0;
}

/// True when walls may be as close to the inside of the segment as `radius`; the feet of a segment do not
/// count them.
static bool is_at_border(const TerrainPair* pair, double radius)
{
    const AbutTerrainLengths* l = &pair->field->lengths;
    AbutDVec3 low = abut_dvec3_min(pair->core[0], pair->core[1]);
    AbutDVec3 high = abut_dvec3_max(pair->core[0], pair->core[1]);
    return !is_ball(pair) &&
           (low.x < radius || low.z < radius || high.x > l->width - radius || high.z > l->depth - radius);
}

/// An interval of the segment with the distances at its ends.
typedef struct Interval
{
    double from, to, at_from, at_to;
} Interval;

static AbutDVec3 core_point(const TerrainPair* pair, double fraction)
{
    return abut_dvec3_mul_add(pair->core[0], fraction, abut_dvec3_sub(pair->core[1], pair->core[0]));
}

/// Lower bound of the distance of the segment from distances at points of it, as sharp as a comparison with
/// `limit` needs; the closest of the points is *closest.
static double bound_segment(const TerrainPair* pair, double limit, AbutTerrainFoot* closest)
{
    enum
    {
        DEPTH = 40
    };
    Interval stack[DEPTH];
    double length = abut_dvec3_length(abut_dvec3_sub(pair->core[1], pair->core[0])), low = INFINITY;
    AbutTerrainFoot ends[2] = { abut_terrain_nearest(pair->field, pair->core[0]),
                                abut_terrain_nearest(pair->field, pair->core[1]) };
    *closest = ends[0].distance <= ends[1].distance ? ends[0] : ends[1];
    stack[0] = (Interval){ 0.0, 1.0, ends[0].distance, ends[1].distance };
    int count = 1, samples = 0;
    while (count > 0)
    {
        Interval top = stack[--count];
        double least = 0.5 * (top.at_from + top.at_to - (top.to - top.from) * length);
        if (least > limit || samples == MAX_SAMPLES || count + 2 > DEPTH)
        {
            low = least < low ? least : low;
            continue;
        }
        double middle = 0.5 * (top.from + top.to);
        AbutTerrainFoot foot = abut_terrain_nearest(pair->field, core_point(pair, middle));
        *closest = foot.distance < closest->distance ? foot : *closest;
        samples += 1;
        stack[count++] = (Interval){ middle, top.to, foot.distance, top.at_to };
        stack[count++] = (Interval){ top.from, middle, top.at_from, foot.distance };
    }
    return low;
}

/// Feet within `radius` of the core, and bounds of its distance. `low` is at most the distance, or `radius`.
typedef struct CoreDistance
{
    double low, high;
    uint32_t count;
} CoreDistance;

static CoreDistance measure(const TerrainPair* pair, double radius, double limit,
                            AbutTerrainFoot feet[ABUT_TERRAIN_FEET])
{
    CoreDistance distance = { .low = radius, .high = INFINITY };
    bool missing;
    distance.count =
        abut_terrain_segment_feet(pair->field, pair->core[0], pair->core[1], radius, feet, &missing);
    for (uint32_t i = 0; i < distance.count; ++i)
    {
        distance.high = abut_smaller(distance.high, feet[i].distance);
    }
    distance.low = missing ? -INFINITY : abut_smaller(distance.low, distance.high);
    if (is_at_border(pair, radius))
    {
        AbutTerrainFoot closest;
        distance.low = abut_smaller(distance.low, bound_segment(pair, limit, &closest));
        if (closest.distance <= radius && closest.distance < distance.high)
        {
            distance.high = closest.distance;
            feet[distance.count < ABUT_TERRAIN_FEET ? distance.count++ : 0] = closest;
        }
    }
    return distance;
}

// -----------------------------------------------------------------------------------------------------------
// Contacts
// -----------------------------------------------------------------------------------------------------------

static AbutDVec3 to_a(const TerrainPair* pair, AbutDVec3 at)
{
    return abut_transform_point(&pair->frame, abut_dvec3_add(at, pair->field->origin));
}

static AbutContact make_contact(const AbutNarrowQuery* query, const TerrainPair* pair,
                                const AbutTerrainFoot* foot)
{
    AbutDVec3 normal = abut_transform_rotate(&pair->frame, foot->normal);
    double separation = foot->distance * pair->frame.scale - pair->ball - pair->crust;
    AbutDVec3 ground = abut_dvec3_mul_add(to_a(pair, foot->at), pair->crust, normal);
    AbutDVec3 round = abut_dvec3_mul_add(ground, separation, normal);
    AbutDVec3 position = abut_dvec3_mul_add(ground, separation > 0.0 ? 0.5 * separation : 0.0, normal);
    AbutDVec3 of_a = pair->terrain_is_b ? round : ground, of_b = pair->terrain_is_b ? ground : round;
    AbutContact contact = { .position = abut_dvec3_to_vec3(position), .separation = (float)separation };
    contact.normal = abut_dvec3_to_vec3(pair->terrain_is_b ? normal : abut_dvec3_neg(normal));
    contact.anchor_a = abut_dvec3_to_vec3(of_a);
    contact.anchor_b = abut_dvec3_to_vec3(abut_transform_inverse_point(query->relative, of_b));
    contact.id = foot->id;
    return contact;
}

/// Removes the farthest of the feet, keeping the order, until `capacity` are left.
static uint32_t keep_closest(AbutTerrainFoot* feet, uint32_t count, uint32_t capacity)
{
    for (; count > capacity; --count)
    {
        uint32_t farthest = 0;
        for (uint32_t i = 1; i < count; ++i)
        {
            farthest = feet[i].distance > feet[farthest].distance ? i : farthest;
        }
        for (uint32_t i = farthest; i + 1 < count; ++i)
        {
            feet[i] = feet[i + 1];
        }
    }
    return count;
}

static void write_contacts(const AbutNarrowQuery* query, const TerrainPair* pair, AbutTerrainFoot* feet,
                           uint32_t count)
{
    query->output->contact_total = query->capacity > 0 ? count : 0;
    uint32_t kept = keep_closest(feet, count, query->capacity);
    for (uint32_t i = 0; i < kept; ++i)
    {
        query->contacts[i] = make_contact(query, pair, &feet[i]);
    }
    query->output->contact_count = kept;
}

// -----------------------------------------------------------------------------------------------------------
// States
// -----------------------------------------------------------------------------------------------------------

/// A gap in the unit of A from a lower bound of the distance of the core in that of the terrain.
static double gap_of(const TerrainPair* pair, double distance)
{
    return distance * pair->frame.scale * (1.0 - 1e-14) - pair->ball - pair->crust - pair->error;
}

/// The gap proved by the bound at the middle of the core alone.
static double cheap_gap(const TerrainPair* pair)
{
    double half = 0.5 * abut_dvec3_length(abut_dvec3_sub(pair->core[1], pair->core[0]));
    return gap_of(pair, abut_terrain_bound(pair->field, core_point(pair, 0.5)) - half);
}

/// Distance and contacts within the margin; true when the pair is proved to be further apart.
static bool is_beyond_margin(const AbutNarrowQuery* query, const TerrainPair* pair, CoreDistance* distance)
{
    AbutTerrainFoot feet[ABUT_TERRAIN_FEET];
    AbutCollideOutput* output = query->output;
    double margin = query->settings->margin, cheap = cheap_gap(pair);
    output->uncertainty = abut_round_up(2.0 * pair->error);
    output->evaluations = 1;
    if (cheap > margin)
    {
        output->state = ABUT_COLLIDE_SEPARATED;
        output->gap = abut_round_down(cheap);
        return true;
    }
    double limit = (pair->ball + pair->crust + pair->error) / pair->frame.scale;
    double radius = (pair->ball + pair->crust + margin + 4.0 * pair->error) / pair->frame.scale;
    *distance = measure(pair, radius * (1.0 + 1e-9), limit, feet);
    write_contacts(query, pair, feet, distance->count);
    return false;
}

static void collide(const AbutNarrowQuery* query)
{
    TerrainPair pair = make_pair(query);
    AbutCollideOutput* output = query->output;
    CoreDistance distance;
    if (is_beyond_margin(query, &pair, &distance))
    {
        return;
    }
    double gap = gap_of(&pair, distance.low);
    double depth_bound = distance.high * pair.frame.scale - pair.ball - pair.crust;
    output->state = gap > 0.0 ? ABUT_COLLIDE_SEPARATED
                              : (depth_bound < -pair.error ? ABUT_COLLIDE_CONTACT : ABUT_COLLIDE_CLOSE);
    output->gap = gap > 0.0 ? abut_round_down(gap) : 0.0f;
}

static void speculative(const AbutNarrowQuery* query)
{
    TerrainPair pair = make_pair(query);
    AbutCollideOutput* output = query->output;
    CoreDistance distance;
    if (is_beyond_margin(query, &pair, &distance))
    {
        return;
    }
    double gap = gap_of(&pair, distance.low);
    bool separated = gap > (double)query->settings->margin;
    output->state = separated ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_UNDECIDED;
    output->gap = separated ? abut_round_down(gap) : 0.0f;
}

const AbutNarrowMethod abut_narrow_terrain = { .name = "terrain",
                                               .serves = serves,
                                               .needs = "a ball or capsule and a heightfield",
                                               .collide = collide,
                                               .speculative = speculative };
