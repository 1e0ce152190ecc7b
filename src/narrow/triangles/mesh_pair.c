// Surfaces by the trees of their triangles. Where they do not touch, every connected component of one surface
// is inside or outside of the other solid as a whole: one vertex of each tells which.
#include "narrow/triangles/mesh_pair.h"

#include "bake/mesh_shape.h"
#include "mesh/box_tree.h"
#include "shape/resolve.h"

static bool is_mesh(const AbutShape* shape)
{
    return abut_shape_leaf(shape)->info.kind == ABUT_SHAPE_MESH && abut_shape_resolve(shape).offset == 0.0;
}

bool abut_mesh_pair_serves(const AbutShape* a, const AbutShape* b)
{
    return is_mesh(a) && is_mesh(b);
}

static AbutTransform inverse_of(const AbutTransform* t)
{
    AbutTransform inverse = { .rotation = abut_dmat3_transpose(&t->rotation), .scale = 1.0 / t->scale };
    inverse.translation = abut_transform_inverse_point(t, abut_dvec3_zero());
    return inverse;
}

static double size_of(AbutDVec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

AbutMeshPairView abut_mesh_pair_view(const AbutShape* shape_a, const AbutShape* shape_b,
                                     const AbutTransform* relative, double length)
{
    AbutResolvedShape a = abut_shape_resolve(shape_a), b = abut_shape_resolve(shape_b);
    AbutTransform from_a = inverse_of(&a.frame), of_b = abut_transform_multiply(relative, &b.frame);
    AbutMeshPairView view = { .a = abut_mesh_shape(a.leaf), .b = abut_mesh_shape(b.leaf) };
    uint32_t levels = a.levels + b.levels;
    view.b_in_a = levels > 0 ? abut_transform_multiply(&from_a, &of_b) : *relative;
    view.scale = a.frame.scale;
    double own_b = of_b.scale * (double)b.leaf->rounding.length;
    double in_a = length + a.length + relative->scale * b.length + size_of(of_b.translation) + own_b;
    view.length = levels > 0 || length > 0.0 ? (1.0 + levels) * in_a / a.frame.scale : 0.0;
    return view;
}

AbutMeshShapeBounds abut_mesh_pair_bounds(const AbutMeshPairView* view, int side, AbutDVec3 point)
{
    const AbutMeshShape* outer = side == 1 ? view->a : view->b;
    AbutDVec3 p = side == 1 ? abut_transform_point(&view->b_in_a, point)
                            : abut_transform_inverse_point(&view->b_in_a, point);
    double outside = abut_box_squared_distance(outer->base.info.bounds, p);
    return outside > 0.0 ? (AbutMeshShapeBounds){ sqrt(outside), INFINITY }
                         : abut_mesh_shape_bounds(outer, p);
}

double abut_mesh_pair_rounding(const AbutMeshPairView* view, int side, double uncertainty)
{
    return 4.0 * uncertainty / (side == 1 ? 1.0 : view->b_in_a.scale);
}

/// Whether a component of the surface of a side is inside of the other solid: contact, or separated. The
/// surfaces are apart, so that the distance from a closed one is over the rounding.
static AbutCollideState test_components(const AbutMeshPairView* view, int side, double uncertainty)
{
    const AbutMeshShape *inner = side == 1 ? view->b : view->a, *outer = side == 1 ? view->a : view->b;
    double rounding = outer->doubt.region_count == 0 ? 0.0 : abut_mesh_pair_rounding(view, side, uncertainty);
    AbutCollideState state = ABUT_COLLIDE_SEPARATED;
    for (uint32_t i = 0; i < inner->seed_count; ++i)
    {
        AbutVec3 seed = abut_mesh_vertices(inner->mesh)[inner->seeds[i]];
        AbutMeshShapeBounds bounds = abut_mesh_pair_bounds(view, side, abut_dvec3_from_vec3(seed));
        if (bounds.high < -rounding)
        {
            return ABUT_COLLIDE_CONTACT;
        }
        state = bounds.high < 0.0 ? ABUT_COLLIDE_UNDECIDED : state;
    }
    return state;
}

enum
{
    MAX_REGIONS = 1024 // of uncertain signs; with more, `adaptive` decides
};

/// Lower bound of the distance from the regions of uncertain signs of a side to the solid of the other; under
/// 0 where they may touch.
static double doubt_gap(const AbutMeshPairView* view, int side)
{
    const AbutMeshShape *open = side == 1 ? view->b : view->a, *other = side == 1 ? view->a : view->b;
    double gap = open->doubt.region_count <= MAX_REGIONS ? INFINITY : -INFINITY;
    double scale = side == 1 ? view->b_in_a.scale : 1.0 / view->b_in_a.scale;
    for (uint32_t i = 0; i < open->doubt.region_count && gap > 0.0; ++i)
    {
        double radius;
        AbutDVec3 p = abut_sign_classifier_doubt_ball(open->classifier, i, &radius);
        p = side == 1 ? abut_transform_point(&view->b_in_a, p)
                      : abut_transform_inverse_point(&view->b_in_a, p);
        double low = abut_mesh_shape_bounds(other, p).low - scale * radius * (1.0 + 0x1p-40);
        gap = abut_smaller(gap, side == 1 ? low : low * view->b_in_a.scale);
    }
    return gap;
}

AbutMeshPairState abut_mesh_pair_solids(const AbutMeshPairView* view, const AbutMeshSurfaces* surfaces)
{
    double rounding = 4.0 * surfaces->uncertainty;
    AbutMeshPairState out = { .state = surfaces->state, .uncertainty = rounding * view->scale };
    if (surfaces->state != ABUT_COLLIDE_SEPARATED)
    {
        return out;
    }
    AbutCollideState of_b = test_components(view, 1, surfaces->uncertainty);
    AbutCollideState of_a =
        of_b != ABUT_COLLIDE_CONTACT ? test_components(view, 0, surfaces->uncertainty) : of_b;
    if (of_a != ABUT_COLLIDE_SEPARATED || of_b != ABUT_COLLIDE_SEPARATED)
    {
        out.state = of_a == ABUT_COLLIDE_CONTACT ? ABUT_COLLIDE_CONTACT : ABUT_COLLIDE_UNDECIDED;
        return out;
    }
    // What closes a hole stays in its region: where the regions are apart from the other solid, all are.
    double of_holes = abut_smaller(doubt_gap(view, 1), doubt_gap(view, 0)) - rounding;
    out.state = of_holes > 0.0 ? ABUT_COLLIDE_SEPARATED : ABUT_COLLIDE_UNDECIDED;
    double gap = abut_smaller(surfaces->gap, of_holes);
    out.gap = out.state == ABUT_COLLIDE_SEPARATED ? gap * view->scale * (1.0 - 0x1p-40) : 0.0;
    return out;
}
