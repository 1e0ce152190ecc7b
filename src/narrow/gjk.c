// The method "gjk": two convex shapes, or one and a half space. State by GJK and EPA (narrow/convex),
// contacts by clipping the supporting faces.
#include "narrow/convex/gjk.h"
#include "math/rounding.h"
#include "narrow/convex/line_depth.h"
#include "narrow/convex/manifold.h"
#include "narrow/convex_contacts.h"
#include "shape/resolve.h"

static bool is_half_space(const AbutShape* shape)
{
    return abut_shape_leaf(shape)->info.kind == ABUT_SHAPE_PLANE;
}

static bool serves(const AbutShape* a, const AbutShape* b)
{
    bool core_a = abut_convex_has_core(a), core_b = abut_convex_has_core(b);
    return (core_a && core_b) || (core_a && is_half_space(b)) || (core_b && is_half_space(a));
}

// -----------------------------------------------------------------------------------------------------------
// Two cores
// -----------------------------------------------------------------------------------------------------------

static void collide_cores(const AbutNarrowQuery* query)
{
    AbutConvexPair pair;
    AbutTransform frame;
    abut_convex_pair_init(query->shape_a, query->shape_b, query->relative, query->length, &pair, &frame);
    pair.margin = query->settings->margin / pair.unit;
    AbutConvexWork work = query->capacity > 0 ? ABUT_CONVEX_DEPTH : ABUT_CONVEX_STATE;
    AbutConvexProof proof = abut_convex_solve(&pair, work, query->cache);
    abut_narrow_store_convex(query, &pair, &frame, &proof);
}

// -----------------------------------------------------------------------------------------------------------
// A core and a half space: the support alone
// -----------------------------------------------------------------------------------------------------------

/// Height above the half space: normal · x + offset in the frame of the core.
typedef struct HalfSpace
{
    AbutDVec3 normal;
    double offset;
    double rounding;
} HalfSpace;

/// `to_plane` is the frame of the core in that of the leaf of the plane.
static HalfSpace half_space_of(const AbutResolvedShape* plane, const AbutTransform* to_plane, double extent)
{
    const double* p = abut_shape_parameters(plane->leaf);
    AbutDVec3 n = abut_dvec3(p[0], p[1], p[2]);
    double offset = abut_dvec3_dot(n, to_plane->translation) - p[3] - plane->offset / plane->frame.scale;
    double lengths = fabs(p[3]) + plane->offset + plane->length + abut_dvec3_length(to_plane->translation) +
                     to_plane->scale * extent;
    return (HalfSpace){ abut_transform_inverse_rotate(to_plane, n), offset / to_plane->scale,
                        8.0 * (1.0 + plane->levels) * ABUT_TRANSFORM_ROUNDING * lengths / to_plane->scale };
}

static AbutTransform inverse_of(const AbutTransform* frame)
{
    AbutTransform out = abut_transform_identity();
    out.rotation = abut_dmat3_transpose(&frame->rotation);
    out.scale = 1.0 / frame->scale;
    out.translation = abut_transform_inverse_point(frame, abut_dvec3_zero());
    return out;
}

/// Points of the supporting face that are within the margin.
static void add_face_points(const AbutConvexCore* core, const HalfSpace* space, bool plane_is_b,
                            double margin, AbutConvexManifold* out)
{
    AbutConvexFace face;
    AbutDVec3 n = space->normal;
    abut_convex_face(core, abut_dvec3_neg(n), &face);
    out->count = 0;
    out->normal = plane_is_b ? n : abut_dvec3_neg(n);
    for (uint32_t i = 0; i < face.count; ++i)
    {
        double separation = abut_dvec3_dot(n, face.points[i]) + space->offset - core->radius;
        AbutDVec3 on_core = abut_dvec3_mul_sub(face.points[i], core->radius, n);
        AbutDVec3 on_plane = abut_dvec3_mul_sub(on_core, separation, n);
        if (separation <= margin)
        {
            out->contacts[out->count++] =
                (AbutConvexContact){ plane_is_b ? on_core : on_plane, plane_is_b ? on_plane : on_core,
                                     separation, face.ids[i] };
        }
    }
}

static void collide_half_space(const AbutNarrowQuery* query, bool plane_is_b)
{
    AbutCollideOutput* output = query->output;
    const AbutShape* solid = plane_is_b ? query->shape_a : query->shape_b;
    AbutResolvedShape plane = abut_shape_resolve(plane_is_b ? query->shape_b : query->shape_a);
    AbutConvexPair pair;
    AbutTransform own, same = abut_transform_identity();
    abut_convex_pair_init(solid, solid, &same, 0.0, &pair, &own);
    const AbutConvexCore* core = &pair.a;
    // The frame of the core in that of A, then of the plane's shape, then of its leaf.
    AbutTransform core_in_a = plane_is_b ? own : abut_transform_multiply(query->relative, &own);
    AbutTransform inverse = inverse_of(query->relative);
    AbutTransform in_plane = plane_is_b ? abut_transform_multiply(&inverse, &own) : core_in_a;
    AbutTransform leaf_inverse = inverse_of(&plane.frame);
    in_plane = abut_transform_multiply(&leaf_inverse, &in_plane);
    HalfSpace space = half_space_of(&plane, &in_plane, core->extent + core->radius);
    space.rounding += 2.0 * pair.rounding + 8.0 * ABUT_TRANSFORM_ROUNDING *
                                                (query->length + abut_dvec3_length(core_in_a.translation)) /
                                                core_in_a.scale;
    double low =
        space.offset - core->radius - abut_convex_support_distance(core, abut_dvec3_neg(space.normal));
    double unit = core_in_a.scale, margin = query->settings->margin / unit;
    output->state = low > space.rounding    ? ABUT_COLLIDE_SEPARATED
                    : low < -space.rounding ? ABUT_COLLIDE_CONTACT
                                            : ABUT_COLLIDE_CLOSE;
    double gap = output->state == ABUT_COLLIDE_SEPARATED ? low - space.rounding : 0.0;
    output->gap = abut_narrow_rounded_gap(gap * unit);
    output->uncertainty = abut_round_up(2.0 * space.rounding * unit);
    output->evaluations = 1;
    if (query->capacity > 0 && low <= margin)
    {
        AbutConvexManifold manifold;
        add_face_points(core, &space, plane_is_b, margin, &manifold);
        abut_narrow_store_manifold(query, &core_in_a, &manifold);
    }
}

static void collide(const AbutNarrowQuery* query)
{
    bool core_a = abut_convex_has_core(query->shape_a), core_b = abut_convex_has_core(query->shape_b);
    if (core_a && core_b)
    {
        collide_cores(query);
    }
    else
    {
        collide_half_space(query, core_a);
    }
}

static void find_speculative(const AbutNarrowQuery* query)
{
    collide(query);
    abut_narrow_to_speculative(query->settings, query->output);
}

// -----------------------------------------------------------------------------------------------------------
// Depths
// -----------------------------------------------------------------------------------------------------------

static bool measures_depth(const AbutShape* a, const AbutShape* b)
{
    return abut_convex_has_heights(a) && abut_convex_has_heights(b);
}

static double height_over_a(const void* solid, AbutDVec3 point)
{
    const AbutConvexPair* pair = solid;
    return abut_convex_height_at(&pair->a, point);
}

static double height_over_b(const void* solid, AbutDVec3 point)
{
    const AbutConvexPair* pair = solid;
    AbutDVec3 from = abut_dvec3_sub(point, pair->translation);
    AbutDVec3 in_b = abut_dvec3_div(abut_dmat3_transform_transposed(&pair->rotation, from), pair->scale);
    return pair->scale * abut_convex_height_at(&pair->b, in_b);
}

static void measure_depth(const AbutNarrowQuery* query)
{
    AbutConvexPair pair;
    AbutTransform frame;
    abut_convex_pair_init(query->shape_a, query->shape_b, query->relative, query->length, &pair, &frame);
    const AbutLineSolids solids = {
        .height = { height_over_a, height_over_b },
        .solid = { &pair, &pair },
        .rounding = 4.0 * pair.rounding,
        .size = pair.size,
    };
    abut_measure_line_depths(&solids, &frame, query->relative, query->contacts, query->output->contact_count);
}

const AbutNarrowMethod abut_narrow_gjk = {
    .name = "gjk",
    .serves = serves,
    .needs = "two convex shapes, or one and a plane",
    .collide = collide,
    .measures_depth = measures_depth,
    .measure_depth = measure_depth,
    .speculative = find_speculative,
    .has_convex_manifold = serves,
};
