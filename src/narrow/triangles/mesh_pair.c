// Surfaces by the trees of their triangles. Where they do not touch, every connected component of one surface
// is inside or outside of the other solid as a whole: one vertex of each tells which.
#include "narrow/triangles/mesh_pair.h"

#include "bake/mesh_shape.h"
#include "bvh/query.h"
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

/// B's leaf in the frame of A's leaf, with all lengths on the way.
static AbutTreePair leaf_pair(const AbutResolvedShape* a, const AbutResolvedShape* b,
                              const AbutTransform* relative, double length)
{
    AbutTransform from_a = inverse_of(&a->frame), of_b = abut_transform_multiply(relative, &b->frame);
    AbutTreePair pair = { .a = abut_mesh_shape(a->leaf)->tree, .b = abut_mesh_shape(b->leaf)->tree };
    pair.transform = a->levels + b->levels > 0 ? abut_transform_multiply(&from_a, &of_b) : *relative;
    double own_b = of_b.scale * (double)b->leaf->rounding.length;
    double in_a = length + a->length + relative->scale * b->length + size_of(of_b.translation) + own_b;
    uint32_t levels = a->levels + b->levels;
    pair.length = levels > 0 || length > 0.0 ? (1.0 + levels) * in_a / a->frame.scale : 0.0;
    return pair;
}

/// A point of one leaf in the frame of the other; `inverse` for points of A.
static AbutDVec3 move_point(const AbutTransform* frame, AbutDVec3 p, bool inverse)
{
    return inverse ? abut_transform_inverse_point(frame, p) : abut_transform_point(frame, p);
}

/// Whether a component of the surface of `inner` is inside of `outer`; `frame` is that of inner in outer.
/// Distances from the surface are over the rounding, since the surfaces are.
static bool has_component_inside(const AbutMeshShape* outer, const AbutMeshShape* inner,
                                 const AbutTransform* frame, bool inverse, double rounding)
{
    for (uint32_t i = 0; i < inner->seed_count; ++i)
    {
        AbutDVec3 p = abut_dvec3_from_vec3(abut_mesh_vertices(inner->mesh)[inner->seeds[i]]);
        p = move_point(frame, p, inverse);
        if (abut_box_squared_distance(outer->base.info.bounds, p) > 0.0)
        {
            continue;
        }
        bool inside = outer->doubt.region_count == 0 ? abut_mesh_shape_sample(outer, p).distance < 0.0
                                                     : abut_mesh_shape_bounds(outer, p).high < -rounding;
        if (inside)
        {
            return true;
        }
    }
    return false;
}

enum
{
    MAX_REGIONS = 1024 // of uncertain signs; with more, `adaptive` decides
};

/// Lower bound of the distance from the regions of uncertain signs of `open` to the solid of `other`, in the
/// unit of A; under 0 where they may touch. `frame` as in has_component_inside(), of `open` in `other`.
static double doubt_gap(const AbutMeshShape* open, const AbutMeshShape* other, const AbutTransform* frame,
                        bool inverse)
{
    double gap = open->doubt.region_count <= MAX_REGIONS ? INFINITY : -INFINITY;
    for (uint32_t i = 0; i < open->doubt.region_count && gap > 0.0; ++i)
    {
        double radius, scale = inverse ? 1.0 / frame->scale : frame->scale;
        AbutDVec3 p =
            move_point(frame, abut_sign_classifier_doubt_ball(open->classifier, i, &radius), inverse);
        double low = abut_mesh_shape_bounds(other, p).low - scale * radius * (1.0 + 0x1p-40);
        gap = abut_smaller(gap, inverse ? low * frame->scale : low);
    }
    return gap;
}

AbutMeshPairState abut_mesh_pair_state(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                                       double length, double limit)
{
    AbutResolvedShape resolved_a = abut_shape_resolve(a), resolved_b = abut_shape_resolve(b);
    AbutTreePair pair = leaf_pair(&resolved_a, &resolved_b, relative, length);
    double scale = resolved_a.frame.scale;
    AbutMeshTreeTouch touch = abut_tree_collide(&pair);
    AbutMeshPairState out = { .uncertainty = 4.0 * touch.uncertainty * scale };
    if (touch.state != ABUT_MESH_TREE_SEPARATED)
    {
        out.state = touch.state == ABUT_MESH_TREE_CONTACT ? ABUT_COLLIDE_CONTACT
                    : touch.state == ABUT_MESH_TREE_CLOSE ? ABUT_COLLIDE_CLOSE
                                                          : ABUT_COLLIDE_INVALID;
        return out;
    }
    const AbutMeshShape *mesh_a = abut_mesh_shape(resolved_a.leaf),
                        *mesh_b = abut_mesh_shape(resolved_b.leaf);
    double rounding = 4.0 * touch.uncertainty;
    if (has_component_inside(mesh_a, mesh_b, &pair.transform, false, rounding) ||
        has_component_inside(mesh_b, mesh_a, &pair.transform, true, rounding / pair.transform.scale))
    {
        out.state = ABUT_COLLIDE_CONTACT;
        return out;
    }
    // What closes a hole stays in its region: where the regions are apart from the other solid, all are.
    double of_holes = abut_smaller(doubt_gap(mesh_b, mesh_a, &pair.transform, false),
                                   doubt_gap(mesh_a, mesh_b, &pair.transform, true)) -
                      rounding;
    if (!(of_holes > 0.0))
    {
        out.state = ABUT_COLLIDE_UNDECIDED;
        return out;
    }
    AbutMeshTreeDistance d = abut_tree_distance(&pair, limit / scale, 0.0);
    out.state = d.state == ABUT_MESH_TREE_SEPARATED ? ABUT_COLLIDE_SEPARATED
                : d.state == ABUT_MESH_TREE_INVALID ? ABUT_COLLIDE_INVALID
                                                    : ABUT_COLLIDE_CLOSE;
    double gap = abut_smaller(d.lower, of_holes);
    out.gap = out.state == ABUT_COLLIDE_SEPARATED ? gap * scale * (1.0 - 0x1p-40) : 0.0;
    return out;
}
