// The table of narrow-phase methods, and the table of pairs: the method of two kinds of shapes.
#include "narrow/method.h"

#include "base/fp_env.h"
#include "shape/resolve.h"

static const AbutNarrowMethod automatic = { .name = "automatic" };

static const AbutNarrowMethod* const methods[] = {
    [ABUT_COLLIDE_AUTOMATIC] = &automatic,
    [ABUT_COLLIDE_ADAPTIVE] = &abut_narrow_adaptive,
    [ABUT_COLLIDE_PARTICLES] = &abut_narrow_particles,
    [ABUT_COLLIDE_GJK] = &abut_narrow_gjk,
    [ABUT_COLLIDE_BVH] = &abut_narrow_bvh,
    [ABUT_COLLIDE_TERRAIN] = &abut_narrow_terrain,
    [ABUT_COLLIDE_V_CLIP] = &abut_narrow_v_clip,
    [ABUT_COLLIDE_LIN_CANNY] = &abut_narrow_lin_canny,
    [ABUT_COLLIDE_PRIMITIVES] = &abut_narrow_primitives,
    [ABUT_COLLIDE_MESH_FIELD] = &abut_narrow_mesh_field,
    [ABUT_COLLIDE_HULL] = &abut_narrow_hull,
    [ABUT_COLLIDE_SWIFT] = &abut_narrow_swift,
    [ABUT_COLLIDE_CINDER] = &abut_narrow_cinder,
    [ABUT_COLLIDE_CULLIDE] = &abut_narrow_cullide,
};
_Static_assert(sizeof(methods) / sizeof(methods[0]) == ABUT_COLLIDE_METHOD_COUNT, "a method has no row");

// The table of pairs. Kinds are those of the leaves: placed, scaled and offset shapes are seen through
// (shape/resolve.h). A method that does not serve a pair of its kinds (an offset inwards, say) leaves it to
// `adaptive`. The table is symmetric; a kind without a row or column is left to `adaptive`, too.
enum
{
    A = ABUT_COLLIDE_ADAPTIVE,
    G = ABUT_COLLIDE_GJK,
    T = ABUT_COLLIDE_TERRAIN,
    P = ABUT_COLLIDE_PRIMITIVES,
    F = ABUT_COLLIDE_MESH_FIELD,
};

static const uint8_t pair_methods[ABUT_SHAPE_KIND_COUNT][ABUT_SHAPE_KIND_COUNT] = {
    // columns in the order of rows: sphere, box, rounded box, capsule, cylinder, cone, torus, plane, ...
    [ABUT_SHAPE_SPHERE] /*      */ = { P, P, P, P, P, P, P, P, T, P, P, P, P, P, P, P, P, P, P, G, P },
    [ABUT_SHAPE_BOX] /*         */ = { P, P, P, P, G, G, A, P, A, A, A, A, A, A, A, A, A, A, A, G },
    [ABUT_SHAPE_ROUNDED_BOX] /* */ = { P, P, P, P, G, G, A, P, A, A, A, A, A, A, A, A, A, A, A, G },
    [ABUT_SHAPE_CAPSULE] /*     */ = { P, P, P, P, G, G, P, P, T, P, P, P, P, P, P, P, P, P, P, G, P },
    [ABUT_SHAPE_CYLINDER] /*    */ = { P, G, G, G, G, G, A, G, A, A, A, A, A, A, A, A, A, A, A, G },
    [ABUT_SHAPE_CONE] /*        */ = { P, G, G, G, G, G, A, G, A, A, A, A, A, A, A, A, A, A, A, G },
    [ABUT_SHAPE_TORUS] /*       */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_PLANE] /*       */ = { P, P, P, P, G, G, A, A, A, A, A, A, A, A, A, A, A, A, A, G },
    [ABUT_SHAPE_HEIGHTFIELD] /* */ = { T, A, A, T, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_UNION] /*       */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_INTERSECTION] /**/ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_DIFFERENCE] /*  */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_SMOOTH_UNION] /**/ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_OFFSET] /*      */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_SHELL] /*       */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_TRANSFORMED] /* */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_CORRECTED] /*   */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_CALLBACK] /*    */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A },
    [ABUT_SHAPE_FIELD] /*       */ = { P, A, A, P, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, F },
    [ABUT_SHAPE_CONVEX] /*      */ = { G, G, G, G, G, G, A, G, A, A, A, A, A, A, A, A, A, A, A, G },
    [ABUT_SHAPE_MESH] = { P, [ABUT_SHAPE_CAPSULE] = P, [ABUT_SHAPE_FIELD] = F,
                          [ABUT_SHAPE_MESH] = ABUT_COLLIDE_BVH },
};

const AbutNarrowMethod* abut_narrow_method(AbutCollideMethod method)
{
    return (unsigned)method < ABUT_COLLIDE_METHOD_COUNT ? methods[method] : NULL;
}

const char* abut_collide_method_name(AbutCollideMethod method)
{
    const AbutNarrowMethod* row = abut_narrow_method(method);
    return row != NULL ? row->name : "unknown method";
}

static bool serves(const AbutNarrowMethod* method, const AbutShape* a, const AbutShape* b)
{
    return method->serves == NULL || method->serves(a, b);
}

static AbutCollideMethod method_of(const AbutShape* a, const AbutShape* b)
{
    uint8_t found = pair_methods[abut_shape_leaf(a)->info.kind][abut_shape_leaf(b)->info.kind];
    return found != ABUT_COLLIDE_AUTOMATIC && serves(methods[found], a, b) ? (AbutCollideMethod)found
                                                                           : ABUT_COLLIDE_ADAPTIVE;
}

AbutCollideMethod abut_collide_method_of(const AbutShape* shape_a, const AbutShape* shape_b)
{
    ABUT_FP_CALL(abut_collide_method_of, shape_a, shape_b);
    return method_of(shape_a, shape_b);
}

AbutCollideMethod abut_collide_depth_method_of(const AbutShape* shape_a, const AbutShape* shape_b)
{
    ABUT_FP_CALL(abut_collide_depth_method_of, shape_a, shape_b);
    AbutCollideMethod found = method_of(shape_a, shape_b);
    return abut_narrow_measures_depth(methods[found], shape_a, shape_b) ? found : ABUT_COLLIDE_ADAPTIVE;
}

bool abut_collide_method_serves(AbutCollideMethod method, const AbutShape* shape_a, const AbutShape* shape_b)
{
    ABUT_FP_CALL(abut_collide_method_serves, method, shape_a, shape_b);
    const AbutNarrowMethod* row = abut_narrow_method(method);
    return row != NULL && serves(row, shape_a, shape_b);
}

static AbutResult fail_to_serve(const AbutNarrowMethod* row, const char* needs, const AbutShape* a,
                                const AbutShape* b)
{
    return abut_fail(ABUT_INVALID_ARGUMENT, "collide: the method %s needs %s; these are a %s and a %s",
                     row->name, needs, abut_shape_kind_name(abut_shape_leaf(a)->info.kind),
                     abut_shape_kind_name(abut_shape_leaf(b)->info.kind));
}

AbutResult abut_collide_prepare(AbutCollideMethod method, AbutShape* shape_a, AbutShape* shape_b)
{
    ABUT_FP_CALL(abut_collide_prepare, method, shape_a, shape_b);
    const AbutNarrowMethod* row = abut_narrow_method(method);
    if (row == NULL || shape_a == NULL || shape_b == NULL)
    {
        return abut_fail(ABUT_INVALID_ARGUMENT, "collide: %s to prepare",
                         row == NULL ? "unknown method" : "a shape is NULL");
    }
    if (row->prepare == NULL)
    {
        return serves(row, shape_a, shape_b) ? ABUT_OK : fail_to_serve(row, row->needs, shape_a, shape_b);
    }
    return row->could_serve(shape_a, shape_b) ? row->prepare(shape_a, shape_b)
                                              : fail_to_serve(row, row->needs, shape_a, shape_b);
}

bool abut_narrow_measures_depth(const AbutNarrowMethod* method, const AbutShape* a, const AbutShape* b)
{
    return method->measures_depth != NULL && method->measures_depth(a, b);
}

/// Depths along the lines of contacts are those of `adaptive`, unless the method has its own: contacts of
/// closed forms are corners of faces, whose lines graze the solid.
static bool suits(const AbutNarrowMethod* method, const AbutCollideSettings* settings, bool speculative,
                  const AbutShape* a, const AbutShape* b)
{
    bool depth = !settings->measure_depth || abut_narrow_measures_depth(method, a, b);
    return depth && (!speculative || (method->speculative != NULL &&
                                      (method->suits_worlds == NULL || method->suits_worlds(a, b))));
}

/// The method of speculative contacts: that of the settings, unless it leaves this pair to its kinds.
static AbutCollideMethod speculative_method(AbutCollideMethod method, const AbutShape* a, const AbutShape* b)
{
    const AbutNarrowMethod* row = methods[method];
    return row->leaves_other_pairs && !serves(row, a, b) ? ABUT_COLLIDE_AUTOMATIC : method;
}

const AbutNarrowMethod* abut_narrow_choose(const AbutCollideSettings* settings, bool speculative,
                                           const AbutShape* a, const AbutShape* b)
{
    AbutCollideMethod method = speculative ? speculative_method(settings->method, a, b) : settings->method;
    if (method == ABUT_COLLIDE_AUTOMATIC)
    {
        const AbutNarrowMethod* row = methods[method_of(a, b)];
        return suits(row, settings, speculative, a, b) ? row : &abut_narrow_adaptive;
    }
    const AbutNarrowMethod* row = abut_narrow_method(method);
    if (!serves(row, a, b))
    {
        fail_to_serve(row, row->needs, a, b);
        return NULL;
    }
    return row;
}

bool abut_narrow_has_convex_manifold(AbutCollideMethod method, const AbutShape* a, const AbutShape* b)
{
    method = speculative_method(method, a, b);
    AbutCollideMethod found = method == ABUT_COLLIDE_AUTOMATIC ? method_of(a, b) : method;
    const AbutNarrowMethod* row = abut_narrow_method(found);
    return row->has_convex_manifold != NULL && row->has_convex_manifold(a, b);
}
