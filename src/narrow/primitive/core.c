#include "narrow/primitive/core.h"

static bool is_primitive(AbutShapeKind kind)
{
    return kind == ABUT_SHAPE_SPHERE || kind == ABUT_SHAPE_CAPSULE || kind == ABUT_SHAPE_BOX ||
           kind == ABUT_SHAPE_ROUNDED_BOX || kind == ABUT_SHAPE_PLANE;
}

/// A radius under 0 makes the core smaller: exact for boxes, whose distance inside is that of the faces.
static void absorb_radius(AbutCore* core)
{
    if (core->radius >= 0.0)
    {
        return;
    }
    AbutDVec3 by = abut_dvec3(core->radius, core->radius, core->radius);
    core->half = abut_dvec3_add(core->half, by);
    core->radius = 0.0;
    bool empty =
        core->kind != ABUT_CORE_BOX || core->half.x < 0.0 || core->half.y < 0.0 || core->half.z < 0.0;
    core->kind = empty ? ABUT_CORE_NONE : core->kind;
}

/// Sizes in the unit of the leaf, times `scale`; `offset` in the outer unit.
static void set_sizes(AbutCore* core, const AbutShape* leaf, double scale, double offset)
{
    const double* p = abut_shape_parameters(leaf);
    core->half = abut_dvec3_zero();
    switch (leaf->info.kind)
    {
    case ABUT_SHAPE_SPHERE:
        core->kind = ABUT_CORE_POINT;
        core->radius = p[0] * scale + offset;
        break;
    case ABUT_SHAPE_CAPSULE:
        core->kind = ABUT_CORE_SEGMENT;
        core->half.y = p[1] * scale;
        core->radius = p[0] * scale + offset;
        break;
    default:
        core->kind = ABUT_CORE_BOX;
        core->half = abut_dvec3_scale(abut_dvec3(p[0], p[1], p[2]), scale);
        core->radius = p[3] * scale + offset;
        break;
    }
    absorb_radius(core);
}

/// The plane normal · x ≤ offset of the leaf in the outer frame; its foot point is the centre.
static void set_plane(AbutCore* core, const AbutShape* leaf, const AbutTransform* frame, double offset)
{
    const double* p = abut_shape_parameters(leaf);
    core->kind = ABUT_CORE_HALF_SPACE;
    core->radius = 0.0;
    core->half = abut_dvec3_zero();
    core->axes[1] = abut_transform_rotate(frame, abut_dvec3(p[0], p[1], p[2]));
    core->plane_offset = abut_dvec3_dot(core->axes[1], frame->translation) + p[3] * frame->scale + offset;
    core->center = abut_dvec3_scale(core->axes[1], core->plane_offset);
}

static void set_frame(AbutCore* core, const AbutTransform* frame)
{
    core->center = frame->translation;
    core->axes[0] = abut_dmat3_column(&frame->rotation, 0);
    core->axes[1] = abut_dmat3_column(&frame->rotation, 1);
    core->axes[2] = abut_dmat3_column(&frame->rotation, 2);
}

/// The core of a leaf in a frame. Returns the lengths in it.
static double make_leaf(AbutCore* core, const AbutShape* leaf, const AbutTransform* frame, double offset)
{
    if (!is_primitive(leaf->info.kind))
    {
        core->kind = ABUT_CORE_NONE;
        return 0.0;
    }
    if (leaf->info.kind == ABUT_SHAPE_PLANE)
    {
        set_plane(core, leaf, frame, offset);
        return fabs(core->plane_offset) + abut_dvec3_taxicab(frame->translation) +
               fabs(abut_shape_parameters(leaf)[3]) * frame->scale;
    }
    set_sizes(core, leaf, frame->scale, offset);
    set_frame(core, frame);
    return abut_dvec3_taxicab(core->center) + abut_dvec3_taxicab(core->half) + core->radius;
}

/// The core of a shape with this frame (NULL: the identity). Returns the lengths of its rounding.
static double make_core(AbutCore* core, const AbutShape* shape, const AbutTransform* frame)
{
    static const AbutTransform identity = {
        { { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } } }, { 0.0, 0.0, 0.0 }, 1.0, false
    };
    const AbutTransform* outer = frame != NULL ? frame : &identity;
    if (!abut_shape_is_wrapper(shape))
    {
        return make_leaf(core, shape, outer, 0.0);
    }
    AbutResolvedShape resolved = abut_shape_resolve(shape);
    AbutTransform inner = abut_transform_multiply(outer, &resolved.frame);
    double lengths = make_leaf(core, resolved.leaf, &inner, resolved.offset * outer->scale);
    return lengths * (1.0 + resolved.levels) + resolved.length * outer->scale +
           fabs(resolved.offset) * outer->scale;
}

void abut_core_pair_make(const AbutShape* shape_a, const AbutShape* shape_b, const AbutTransform* relative,
                         double length, AbutCorePair* out)
{
    double lengths = make_core(&out->a, shape_a, NULL);
    lengths += make_core(&out->b, shape_b, relative);
    out->rounding = (ABUT_TRANSFORM_ROUNDING + ABUT_CORE_ROUNDING) * (lengths + length);
}

static AbutCoreKind kind_of(const AbutShape* shape)
{
    AbutCore core;
    make_core(&core, shape, NULL);
    return core.kind;
}

bool abut_core_pair_is_known(const AbutShape* shape_a, const AbutShape* shape_b)
{
    if (!abut_shape_is_wrapper(shape_a) && !abut_shape_is_wrapper(shape_b))
    {
        return is_primitive(shape_a->info.kind) && is_primitive(shape_b->info.kind) &&
               (shape_a->info.kind != ABUT_SHAPE_PLANE || shape_b->info.kind != ABUT_SHAPE_PLANE);
    }
    AbutCoreKind a = kind_of(shape_a), b = kind_of(shape_b);
    return a != ABUT_CORE_NONE && b != ABUT_CORE_NONE &&
           (a != ABUT_CORE_HALF_SPACE || b != ABUT_CORE_HALF_SPACE);
}

double abut_core_distance_at(const AbutCore* core, AbutDVec3 point)
{
    if (core->kind == ABUT_CORE_HALF_SPACE)
    {
        return abut_dvec3_dot(core->axes[1], point) - core->plane_offset;
    }
    AbutDVec3 local = abut_core_local(core, abut_dvec3_sub(point, core->center));
    AbutDVec3 out = abut_dvec3_sub(abut_dvec3_abs(local), core->half);
    double inside = abut_larger(out.x, abut_larger(out.y, out.z));
    return inside <= 0.0 ? inside : abut_dvec3_length(abut_dvec3_max(out, abut_dvec3_zero()));
}
